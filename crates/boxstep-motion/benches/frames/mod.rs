//! A robot's joints along their curves, frame after frame. Shared by the benchmarks that measure a frame.

#![allow(dead_code, unreachable_pub, reason = "each benchmark uses a part")]

use boxstep_motion::{Curve, Key, Sampler, Tangent};

const JOINTS: usize = 26;
const KEYS: u32 = 40;
const GAP: f64 = 15.0;

/// Keys as nearly all files have them.
pub fn bare(key: Key) -> Key {
    key
}

/// Tangents drawn by hand, so that each sample has to be solved for.
pub fn uneven(key: Key) -> Key {
    key.with_tangents(Tangent::bezier(-8.0, -3.0), Tangent::bezier(2.0, 5.0))
}

/// 26 joints that are being played.
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

    /// Goes on to the next frame, from the end to the start.
    pub fn advance(&mut self) -> &[f64] {
        self.frame = if self.frame < GAP * f64::from(KEYS) { self.frame + 1.0 } else { 0.0 };
        for (value, joint) in self.values.iter_mut().zip(&mut self.joints) {
            *value = joint.sample(self.frame);
        }
        &self.values
    }
}
