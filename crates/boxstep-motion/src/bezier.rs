//! Planar cubic Bezier segments from (0, y0) to (length, y1), sampled by time.
//!
//! Time is a cubic of the curve parameter, so sampling solves an equation. Each half of the segment is stored as
//! polynomials in the distance from its end. This avoids cancellation near the ends, where the parameter may be as
//! steep as a cube root of time.

use crate::polynomial::{cubic, derivative, quadratic};

/// Half of a [`Bezier`]: offsets from one end, as polynomials of the parameter `s` counted from that end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Half {
    /// Time from the end (≥ 0), coefficients in rising powers of `s`; the constant term is 0.
    pub(crate) x: [f64; 4],
    /// Value, coefficients in rising powers of `s`.
    pub(crate) y: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bezier {
    pub(crate) start: Half,
    pub(crate) end: Half,
    length: f64,
    /// The time at parameter ½, up to which `start` is used and after which `end` is.
    middle: f64,
}

/// Offsets of the control points from the start key (x, y) and from the end key (x ≤ 0, y).
pub(crate) struct Handles {
    pub(crate) start: (f64, f64),
    pub(crate) end: (f64, f64),
}

impl Bezier {
    pub(crate) fn new(length: f64, from: f64, to: f64, handles: &Handles) -> Self {
        let Handles { start: (x1, y1), end: (x2, y2) } = *handles;
        let start = Half { x: powers(0.0, x1, length + x2, length), y: powers(from, from + y1, to + y2, to) };
        let end = Half { x: powers(0.0, -x2, length - x1, length), y: powers(to, to + y2, from + y1, from) };
        Self { start, end, length, middle: cubic(&start.x, 0.5) }
    }

    /// Returns the value `time` after the start, for 0 ≤ `time` ≤ `length`.
    pub(crate) fn value(&self, time: f64) -> f64 {
        if time <= self.middle { self.start.value(time) } else { self.end.value(self.length - time) }
    }
}

impl Half {
    fn value(&self, time: f64) -> f64 {
        cubic(&self.y, self.solve(time))
    }

    /// Returns the parameter in 0…½ at which `x` is `time`, by Newton's method inside a shrinking bracket.
    ///
    /// `x` must not fall anywhere in 0…½; it may be flat.
    fn solve(&self, time: f64) -> f64 {
        if time <= 0.0 {
            return 0.0;
        }
        let slope = derivative(&self.x);
        let (mut low, mut high) = (0.0_f64, 0.5_f64);
        let mut s = (0.5 * time / cubic(&self.x, 0.5)).clamp(0.0, 0.5);
        // Bisection alone needs 60 steps for the last bit; Newton's method usually needs four or five.
        for _ in 0..80 {
            let error = cubic(&self.x, s) - time;
            if error.abs() <= 1e-15 * time {
                break;
            }
            if error > 0.0 {
                high = s
            } else {
                low = s
            }
            let newton = s - error / quadratic(&slope, s);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if next == s {
                break;
            }
            s = next;
        }
        s
    }
}

fn powers(p0: f64, p1: f64, p2: f64, p3: f64) -> [f64; 4] {
    [p0, 3.0 * (p1 - p0), 3.0 * (p2 - 2.0 * p1 + p0), p3 - 3.0 * p2 + 3.0 * p1 - p0]
}

/// Returns the handles adjusted so that time never runs backwards between the ends.
///
/// Handles for which time already runs forward are returned bit for bit. Otherwise a handle that points away from the
/// other end gets a time of zero, and a handle longer than the segment is shortened to its length along its own
/// direction. This suffices whatever the other handle is.
pub(crate) fn forward(length: f64, handles: Handles) -> Handles {
    if runs_forward(length, handles.start.0, handles.end.0) {
        return handles;
    }
    let shorten = |reach: f64, value: f64| {
        if reach > length { (length, value * length / reach) } else { (reach.max(0.0), value) }
    };
    let start = shorten(handles.start.0, handles.start.1);
    let (reach, value) = shorten(-handles.end.0, handles.end.1);
    Handles { start, end: (-reach, value) }
}

/// Returns true if the derivative of time, a quadratic Bezier with the ends `a` and `c` and the middle `b`, is nowhere
/// negative.
fn runs_forward(length: f64, x1: f64, x2: f64) -> bool {
    let (a, b, c) = (x1, length + x2 - x1, -x2);
    a >= 0.0 && c >= 0.0 && (b >= 0.0 || b * b <= a * c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bezier(x1: f64, x2: f64) -> Bezier {
        Bezier::new(10.0, 0.0, 10.0, &Handles { start: (x1, 0.0), end: (x2, 0.0) })
    }

    #[test]
    fn the_parameter_is_found_to_twelve_digits() {
        for (x1, x2) in [(0.0, 0.0), (10.0, -10.0), (0.0, -10.0), (10.0, 0.0), (1.0, -5.0)] {
            let b = bezier(x1, x2);
            for i in 0..=500 {
                let s = f64::from(i) / 1000.0;
                for half in [b.start, b.end] {
                    let time = cubic(&half.x, s);
                    let back = cubic(&half.x, half.solve(time));
                    assert!((back - time).abs() <= 1e-12 * time, "{x1} {x2} {s}: {back} for {time}");
                }
            }
        }
    }

    #[test]
    fn steep_ends_keep_their_digits() {
        // x = 10 s³ from either end: the parameter is a cube root of time.
        let flat = Bezier::new(10.0, 0.0, 10.0, &Handles { start: (0.0, 0.0), end: (-10.0, 0.0) });
        let s = flat.start.solve(10.0e-15);
        assert!((s / 1e-5 - 1.0).abs() < 1e-12, "{s}");
    }

    #[test]
    fn forward_handles_are_kept() {
        // The handles are longer than the segment, but time only slows down.
        for (x1, x2) in [(0.0, 0.0), (10.0, -10.0), (13.0, -4.0), (12.0, -4.0)] {
            let kept = forward(10.0, Handles { start: (x1, 1.0), end: (x2, 2.0) });
            assert_eq!((kept.start, kept.end), ((x1, 1.0), (x2, 2.0)), "{x1} {x2}");
        }
    }

    #[test]
    fn handles_that_turn_time_back_are_shortened() {
        let cut = forward(10.0, Handles { start: (20.0, 8.0), end: (-15.0, -3.0) });
        assert_eq!((cut.start, cut.end), ((10.0, 4.0), (-10.0, -2.0)));
        let cut = forward(10.0, Handles { start: (-1.0, 5.0), end: (3.0, 5.0) });
        assert_eq!((cut.start, cut.end), ((0.0, 5.0), (0.0, 5.0)));
    }
}
