//! What runs without scripts, in this process.

#[path = "../../../boxstep-motion/benches/frames/mod.rs"]
mod frames;
#[path = "../../../boxstep-engine/benches/ring/mod.rs"]
mod ring;

use crate::report::{Figure, count};
use boxstep_engine::trace::Sink;
use frames::{Frames, bare};
use ring::{Count, HOPS, Ring};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 1_001;

/// Nanoseconds for one of so many, in each round after the first. A round says how long it took.
fn each(of: u64, mut round: impl FnMut() -> Duration) -> Vec<f64> {
    round();
    (0..count(ROUNDS)).map(|_| round().as_nanos() as f64 / of as f64).collect()
}

fn hop(name: &'static str, bar: f64, sinks: Vec<Box<dyn Sink>>) -> Vec<Figure> {
    let mut ring = Ring::new(sinks);
    let rounds = each(HOPS, || ring.turn());
    vec![Figure { name, unit: "ns", rounds, bar, note: format!("{ROUNDS} × {HOPS} hops, 1,000 boxes") }]
}

pub(crate) fn hop_off() -> Vec<Figure> {
    hop("native hop, trace off", 10.0, Vec::new())
}

pub(crate) fn hop_on() -> Vec<Figure> {
    hop("native hop, trace on", 60.0, vec![Box::new(Count::default())])
}

pub(crate) fn frame() -> Vec<Figure> {
    const FRAMES: u64 = 1_000;
    let mut joints = Frames::new(bare);
    let rounds = each(FRAMES, || {
        let began = Instant::now();
        for _ in 0..FRAMES {
            black_box(joints.advance());
        }
        began.elapsed()
    });
    let rounds = rounds.iter().map(|ns| ns / 1e3).collect();
    vec![Figure {
        name: "frame of 26 joints",
        unit: "µs",
        rounds,
        bar: 0.05,
        note: "baked curves, bare keys".to_owned(),
    }]
}
