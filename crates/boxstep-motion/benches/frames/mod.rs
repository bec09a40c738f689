//! A robot's joints moving along their curves, frame by frame. Shared by the benchmarks that measure a frame.

#![allow(dead_code, unreachable_pub, reason = "each benchmark uses a part")]

use boxstep_motion::{Curve, Key, Sampler, Tangent};

const JOINTS: usize = 26;
const KEYS: u32 = 40;
const GAP: f64 = 15.0;

/// Returns a key as nearly all files have it.
pub fn bare(key: Key) -> Key {
    key
}

/// Returns a key with tangents set by hand, so that each sample needs the solver.
pub fn uneven(key: Key) -> Key {
    key.with_tangents(Tangent::bezier(-8.0, -3.0), Tangent::bezier(2.0, 5.0))
}

/// 26 joints whose curves are being played.
pub struct Frames {
    joints: Vec<Sampler>,
    values: [f64; JOINTS],
    frame: f64,
}

impl Frames {
    pub fn new(tangents: impl Fn(Key) -> Key) -> Self {
        let value = |joint: usize, i: u32| f64::from((i * 37 + joint as u32 * 11) % 90);
        let keys = |joint| {
            (0..KEYS).map(|i| tangents(Key::new(1.0 + GAP * f64::from(i), value(joint, i)))).collect::<Vec<_>>()
        };
        let joints = (0..JOINTS).filter_map(|joint| Curve::new(&keys(joint)).ok()).map(Sampler::new).collect();
        Self { joints, values: [0.0; JOINTS], frame: 0.0 }
    }

    /// Advances to the next frame, and from the last one to the first.
    pub fn advance(&mut self) -> &[f64] {
        self.frame = if self.frame < GAP * f64::from(KEYS) { self.frame + 1.0 } else { 0.0 };
        for (value, joint) in self.values.iter_mut().zip(&mut self.joints) {
            *value = joint.sample(self.frame);
        }
        &self.values
    }
}
