//! The range and speed of a piece of a curve, computed from its derivative instead of by sampling.

use crate::bezier::{Bezier, Half};
use crate::polynomial::{cubic, derivative, quadratic, quadratic_roots};

/// The range and speed of a segment or a whole curve, in the curve's own units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Largest |dvalue/dtime|, per frame or per second, whichever unit the curve's times have. It is infinite where an
    /// explicit tangent is vertical. The jump at the end of a constant segment is not counted: see
    /// [`crate::Segment::jump`].
    pub speed: f64,
}

impl Extent {
    pub(crate) const fn still(value: f64) -> Self {
        Self { min: value, max: value, speed: 0.0 }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max), speed: self.speed.max(other.speed) }
    }

    fn visit(&mut self, value: f64, speed: f64) {
        *self = self.join(Self { min: value, max: value, speed: speed.abs() });
    }

    /// Returns the extent of a cubic in time over 0…`length` whose last value is `end`.
    pub(crate) fn of_cubic(c: &[f64; 4], length: f64, end: f64) -> Self {
        let slope = derivative(c);
        let mut extent = Self::still(c[0]);
        extent.visit(c[0], slope[0]);
        extent.visit(end, quadratic(&slope, length));
        let turning = quadratic_roots(&slope);
        let steepest = quadratic_roots(&[slope[1], 2.0 * slope[2], 0.0]);
        for time in turning.chain(steepest).filter(|time| (0.0..=length).contains(time)) {
            extent.visit(cubic(c, time), quadratic(&slope, time));
        }
        extent
    }

    pub(crate) fn of_bezier(bezier: &Bezier) -> Self {
        Self::of_half(&bezier.start).join(Self::of_half(&bezier.end))
    }

    fn of_half(half: &Half) -> Self {
        let [a0, a1, a2] = derivative(&half.x);
        let dy = derivative(&half.y);
        let [b0, b1, b2] = dy;
        // dy/dx is extreme where y″x′ = y′x″; the cubic terms of the two sides cancel.
        let steepest = quadratic_roots(&[b1 * a0 - b0 * a1, 2.0 * (b2 * a0 - b0 * a2), b2 * a1 - b1 * a2]);
        let mut extent = Self::still(half.y[0]);
        for s in [0.0, 0.5].into_iter().chain(quadratic_roots(&dy)).chain(steepest) {
            if (0.0..=0.5).contains(&s) {
                extent.visit(cubic(&half.y, s), steepness(half, s));
            }
        }
        extent
    }
}

/// Returns |dy/dx| at parameter `s`; where both derivatives are zero, the limit.
fn steepness(half: &Half, s: f64) -> f64 {
    let (dx, dy) = (derivative(&half.x), derivative(&half.y));
    let orders =
        [(quadratic(&dx, s), quadratic(&dy, s)), (dx[1] + 2.0 * dx[2] * s, dy[1] + 2.0 * dy[2] * s), (dx[2], dy[2])];
    for (x, y) in orders {
        if x != 0.0 {
            return (y / x).abs();
        }
        if y != 0.0 {
            return f64::INFINITY;
        }
    }
    0.0
}
