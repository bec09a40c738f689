//! The cost of one frame of 26 joints, and of the solver for tangents set by hand.

mod frames;

use criterion::{Criterion, criterion_group, criterion_main};
use frames::{Frames, bare, uneven};
use std::hint::black_box;

fn sampling(c: &mut Criterion) {
    let mut play = |name: &str, mut frames: Frames| {
        c.bench_function(name, |bench| {
            bench.iter(|| {
                black_box(frames.advance());
            })
        });
    };
    play("one frame of 26 joints, bare keys", Frames::new(bare));
    play("one frame of 26 joints, solved tangents", Frames::new(uneven));
}

criterion_group!(benches, sampling);
criterion_main!(benches);
