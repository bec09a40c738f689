//! One frame of 26 joints, and what the solver costs when a tangent is drawn by hand.

use boxstep_motion::{Curve, Key, Sampler, Tangent};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const JOINTS: usize = 26;
const KEYS: u32 = 40;
const GAP: f64 = 15.0;

fn curves(tangents: impl Fn(Key) -> Key) -> Vec<Curve> {
    let value = |joint: usize, i: u32| f64::from((i * 37 + joint as u32 * 11) % 90);
    let keys =
        |joint| (0..KEYS).map(|i| tangents(Key::new(1.0 + GAP * f64::from(i), value(joint, i)))).collect::<Vec<_>>();
    (0..JOINTS).filter_map(|joint| Curve::new(&keys(joint)).ok()).collect()
}

/// Plays frame after frame, from the start again at the end.
fn frames(c: &mut Criterion, name: &str, curves: &[Curve]) {
    let mut joints: Vec<Sampler> = curves.iter().cloned().map(Sampler::new).collect();
    let mut values = [0.0; JOINTS];
    let mut frame = 0.0;
    let end = GAP * f64::from(KEYS);
    c.bench_function(name, |bench| {
        bench.iter(|| {
            frame = if frame < end { frame + 1.0 } else { 0.0 };
            for (value, joint) in values.iter_mut().zip(&mut joints) {
                *value = joint.sample(frame);
            }
            black_box(&values);
        });
    });
}

fn sampling(c: &mut Criterion) {
    frames(c, "one frame of 26 joints, bare keys", &curves(|key| key));
    let uneven = |key: Key| key.with_tangents(Tangent::bezier(-8.0, -3.0), Tangent::bezier(2.0, 5.0));
    frames(c, "one frame of 26 joints, solved tangents", &curves(uneven));
}

criterion_group!(benches, sampling);
criterion_main!(benches);
