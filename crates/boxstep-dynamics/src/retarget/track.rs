//! The keys that move one joint of the new body.

use boxstep_motion::{Curve, Interpolation, Key, Tangent, normalize};

/// Rounds of scaling, since a curve between two scaled keys may still go too far.
const ROUNDS: usize = 4;
/// Excesses up to this size are rounding, in radians: limits are published with one decimal of a degree.
pub(super) const EXCESS: f64 = 0.1 * std::f64::consts::PI / 180.0;

/// The keys that move one joint. Times are frames, values those of the joint: radians, or 0 to 1.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// The number of the joint.
    pub(super) joint: usize,
    /// The number of the file's curve; `None` for a curve that is calculated.
    pub(super) of: Option<usize>,
    /// The numbers of the keys in that curve.
    pub(super) keys_of: Vec<usize>,
    /// Whether the curve does not play.
    pub(super) muted: bool,
    /// The keys, in order of time, one at a frame.
    pub(super) keys: Vec<Key>,
    /// The values that the keys should have.
    pub(super) wanted: Vec<f64>,
    /// The largest speed of the joint for which the keys were made, as this joint would have it; ∞ if there is none.
    pub(super) source_speed: f64,
}

impl Track {
    /// Returns a track with automatic tangents.
    pub(super) fn calculated(joint: usize, keys: impl Iterator<Item = (i32, f64)>) -> Self {
        let keys: Vec<Key> = keys.map(|(frame, value)| Key::new(f64::from(frame), value)).collect();
        let wanted = keys.iter().map(|key| key.value).collect();
        Self { joint, of: None, keys_of: Vec::new(), muted: false, keys, wanted, source_speed: f64::INFINITY }
    }

    /// Scales the values on each side of the neutral one, if the curve exceeds what the joint can do.
    pub(super) fn fit(&mut self, neutral: f64, min: f64, max: f64) {
        for _ in 0..ROUNDS {
            let (lowest, highest) = self.reach();
            let up = if highest > max + EXCESS { ((max - neutral) / (highest - neutral)).max(0.0) } else { 1.0 };
            let down = if lowest < min - EXCESS { ((min - neutral) / (lowest - neutral)).max(0.0) } else { 1.0 };
            if up >= 1.0 && down >= 1.0 {
                break;
            }
            let scaled = |value: f64| neutral + (value - neutral) * if value > neutral { up } else { down };
            for key in &mut self.keys {
                let value = scaled(key.value);
                for tangent in [&mut key.left, &mut key.right] {
                    tangent.dy = scaled(key.value + tangent.dy) - value;
                }
                key.value = value;
            }
        }
    }

    /// Returns the smallest and the largest value, also between keys.
    fn reach(&self) -> (f64, f64) {
        Curve::new(&self.keys).map_or((0.0, 0.0), |curve| (curve.extent().min, curve.extent().max))
    }

    /// Returns the keys at other frames, with tangents as long in proportion, and automatic ones calculated.
    pub(super) fn moved(&self, frame: impl Fn(f64) -> f64) -> Vec<Key> {
        let moved = self.keys.iter().enumerate().map(|(at, key)| {
            let ratio = |other: Option<&Key>| {
                let other = other.filter(|other| other.time != key.time);
                other.map_or(1.0, |other| (frame(other.time) - frame(key.time)) / (other.time - key.time))
            };
            let scaled = |tangent: Tangent, by: f64| Tangent { dx: tangent.dx * by, ..tangent };
            let before = at.checked_sub(1).and_then(|at| self.keys.get(at));
            Key {
                time: frame(key.time),
                value: key.value,
                left: scaled(key.left, ratio(before)),
                right: scaled(key.right, ratio(self.keys.get(at + 1))),
            }
        });
        let moved: Vec<Key> = moved.collect();
        normalize(&moved).unwrap_or(moved)
    }
}

/// Returns whether a tangent is stored with its length.
pub(super) fn has_length(tangent: Tangent) -> bool {
    matches!(tangent.interpolation, Interpolation::Bezier | Interpolation::BezierAuto)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(keys: &[(i32, f64)]) -> Track {
        Track::calculated(0, keys.iter().copied())
    }

    #[test]
    fn only_the_side_that_goes_too_far_is_scaled() {
        let mut track = track(&[(1, 0.0), (20, 2.0), (40, 1.0), (60, -0.5)]);
        track.fit(0.0, -1.0, 1.0);
        let values: Vec<f64> = track.keys.iter().map(|key| key.value).collect();
        assert_eq!(values, [0.0, 1.0, 0.5, -0.5]);
    }

    #[test]
    fn what_fits_stays() {
        let mut track = track(&[(1, 0.3), (20, 0.9)]);
        let before = track.keys.clone();
        track.fit(0.5, 0.0, 1.0);
        assert_eq!(track.keys, before);
    }

    #[test]
    fn a_curve_between_its_keys_stays_within_the_limits() {
        let mut track = track(&[(0, 0.0), (30, 0.9)]);
        track.keys[0].right = Tangent::bezier(10.0, 3.0);
        track.fit(0.0, -1.0, 1.0);
        let (_, highest) = track.reach();
        assert!(highest < 1.0 + 2.0 * EXCESS && highest > 0.99, "{highest}");
    }
}
