//! Keys, tangents, and the computation of automatic tangents.

use crate::CurveError;

/// The interpolation on one side of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value is held up to the next key.
    Constant,
    /// A straight line.
    Linear,
    /// A cubic Bezier with the tangent as given.
    Bezier,
    /// A cubic Bezier whose tangent [`auto_tangents`] computes.
    BezierAuto,
}

impl Interpolation {
    /// The number of this interpolation in `ALMotion.angleInterpolationBezier`.
    pub const fn number(self) -> i64 {
        match self {
            Interpolation::Constant => 0,
            Interpolation::Linear => 1,
            Interpolation::Bezier => 2,
            Interpolation::BezierAuto => 3,
        }
    }

    /// Returns the interpolation with this number (see [`Interpolation::number`]); `None` if there is none.
    pub const fn from_number(number: i64) -> Option<Self> {
        match number {
            0 => Some(Interpolation::Constant),
            1 => Some(Interpolation::Linear),
            2 => Some(Interpolation::Bezier),
            3 => Some(Interpolation::BezierAuto),
            _ => None,
        }
    }

    pub(crate) const fn is_bezier(self) -> bool {
        matches!(self, Interpolation::Bezier | Interpolation::BezierAuto)
    }
}

/// One side of a key: the offset from the key to its control point on that side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent {
    /// The interpolation on this side.
    pub interpolation: Interpolation,
    /// Time offset in frames or seconds: ≤ 0 on the left, ≥ 0 on the right.
    pub dx: f64,
    /// Value offset.
    pub dy: f64,
}

impl Tangent {
    /// A tangent to be computed by [`auto_tangents`].
    pub const AUTO: Self = Self { interpolation: Interpolation::BezierAuto, dx: 0.0, dy: 0.0 };
    /// The tangent of a straight line.
    pub const LINEAR: Self = Self { interpolation: Interpolation::Linear, dx: 0.0, dy: 0.0 };
    /// The tangent of a held value.
    pub const CONSTANT: Self = Self { interpolation: Interpolation::Constant, dx: 0.0, dy: 0.0 };

    /// Creates an explicit Bezier tangent.
    pub const fn bezier(dx: f64, dy: f64) -> Self {
        Self { interpolation: Interpolation::Bezier, dx, dy }
    }

    /// Returns the tangent with its time and value offsets multiplied by these factors.
    pub(crate) fn scaled(self, time: f64, value: f64) -> Self {
        Self { dx: self.dx * time, dy: self.dy * value, ..self }
    }

    fn is_finite(self) -> bool {
        self.dx.is_finite() && self.dy.is_finite()
    }
}

/// A key of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Time in frames (timeline) or seconds (command).
    pub time: f64,
    /// Value in degrees, radians or 0…1, whichever unit the curve has.
    pub value: f64,
    /// The tangent that shapes the curve before the key.
    pub left: Tangent,
    /// The tangent that shapes the curve after the key.
    pub right: Tangent,
}

impl Key {
    /// Creates a key that is automatic on both sides, as nearly every key of a real file is.
    pub const fn new(time: f64, value: f64) -> Self {
        Self { time, value, left: Tangent::AUTO, right: Tangent::AUTO }
    }

    /// Returns the key with these tangents.
    pub const fn with_tangents(mut self, left: Tangent, right: Tangent) -> Self {
        self.left = left;
        self.right = right;
        self
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite() && self.value.is_finite() && self.left.is_finite() && self.right.is_finite()
    }
}

/// Returns the keys in order of time, one per time (the last in the given order wins), with automatic tangents
/// computed.
///
/// # Errors
/// [`CurveError::Empty`], or [`CurveError::NotFinite`] with the index of the key in `keys`.
pub fn normalize(keys: &[Key]) -> Result<Vec<Key>, CurveError> {
    if keys.is_empty() {
        return Err(CurveError::Empty);
    }
    if let Some(index) = keys.iter().position(|key| !key.is_finite()) {
        return Err(CurveError::NotFinite { index });
    }
    let mut sorted = keys.to_vec();
    sorted.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut kept: Vec<Key> = Vec::with_capacity(sorted.len());
    for key in sorted {
        match kept.last_mut() {
            Some(last) if last.time == key.time => *last = key,
            _ => kept.push(key),
        }
    }
    auto_tangents(&mut kept);
    Ok(kept)
}

/// Computes every [`Interpolation::BezierAuto`] tangent and leaves the others unchanged.
///
/// `keys` must be in order of time and contain each time once, as [`normalize`] returns them. A tangent spans a third
/// of the distance to the neighbor on its side; without a neighbor its length is zero. Its slope is zero at the ends
/// and at local extrema; elsewhere it is the slope between the two neighbors, reduced until neither control point lies
/// beyond its neighbor's value.
pub fn auto_tangents(keys: &mut [Key]) {
    let mut before: Option<(f64, f64)> = None;
    for i in 0..keys.len() {
        let after = keys.get(i + 1).map(|key| (key.time, key.value));
        let Some(key) = keys.get_mut(i) else { break };
        let slope = auto_slope(before, (key.time, key.value), after);
        if key.left.interpolation == Interpolation::BezierAuto {
            let dx = before.map_or(0.0, |(time, _)| -(key.time - time) / 3.0);
            key.left = Tangent { dx, dy: dx * slope, ..key.left };
        }
        if key.right.interpolation == Interpolation::BezierAuto {
            let dx = after.map_or(0.0, |(time, _)| (time - key.time) / 3.0);
            key.right = Tangent { dx, dy: dx * slope, ..key.right };
        }
        before = Some((key.time, key.value));
    }
}

fn auto_slope(before: Option<(f64, f64)>, key: (f64, f64), after: Option<(f64, f64)>) -> f64 {
    let (Some((time_l, value_l)), Some((time_r, value_r))) = (before, after) else { return 0.0 };
    let (time, value) = key;
    if (value - value_l) * (value_r - value) <= 0.0 {
        return 0.0;
    }
    let mut slope = (value_r - value_l) / (time_r - time_l);
    let rise = (time_r - time) / 3.0 * slope;
    if rise.abs() > (value_r - value).abs() {
        slope *= (value_r - value) / rise;
    }
    let rise = (time - time_l) / 3.0 * slope;
    if rise.abs() > (value - value_l).abs() {
        slope *= (value - value_l) / rise;
    }
    slope
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn auto(points: &[(f64, f64)]) -> Vec<Key> {
        let mut keys: Vec<Key> = points.iter().map(|&(time, value)| Key::new(time, value)).collect();
        auto_tangents(&mut keys);
        keys
    }

    fn offsets(key: &Key) -> [f64; 4] {
        [key.left.dx, key.left.dy, key.right.dx, key.right.dy]
    }

    #[test]
    fn ends_and_extrema_are_flat() {
        let keys = auto(&[(0.0, 0.0), (30.0, 10.0), (36.0, -10.0), (39.0, -10.0)]);
        assert_eq!(offsets(&keys[0]), [0.0, 0.0, 10.0, 0.0]);
        assert_eq!(offsets(&keys[1]), [-10.0, 0.0, 2.0, 0.0]);
        // A value equal to a neighbor's is not strictly between its neighbors.
        assert_eq!(offsets(&keys[2]), [-2.0, 0.0, 1.0, 0.0]);
        assert_eq!(offsets(&keys[3]), [-1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn slope_between_the_neighbours() {
        let keys = auto(&[(0.0, 0.0), (30.0, 40.0), (60.0, 60.0)]);
        assert_eq!(offsets(&keys[1]), [-10.0, -10.0, 10.0, 10.0]);
    }

    #[test]
    fn overshoot_is_limited_on_either_side() {
        // The slope is (61 − 0)/60, and a third of 30 frames is 10; this gives 10.17, but only 1 is left to the right.
        let keys = auto(&[(0.0, 0.0), (30.0, 60.0), (60.0, 61.0)]);
        assert!((keys[1].right.dy - 1.0).abs() < 1e-12);
        let keys = auto(&[(0.0, 61.0), (30.0, 60.0), (60.0, 0.0)]);
        assert!((keys[1].left.dy - 1.0).abs() < 1e-12 && (keys[1].right.dy + 1.0).abs() < 1e-12);
    }

    #[test]
    fn explicit_sides_stay() {
        let mut keys = vec![
            Key::new(0.0, 0.0),
            Key::new(3.0, 1.0).with_tangents(Tangent::bezier(-2.0, 7.0), Tangent::AUTO),
            Key::new(6.0, 2.0),
        ];
        auto_tangents(&mut keys);
        assert_eq!(keys[1].left, Tangent::bezier(-2.0, 7.0));
        assert!((keys[1].right.dy - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn sorted_and_the_last_of_a_time_wins() {
        let keys = normalize(&[Key::new(5.0, 1.0), Key::new(1.0, 2.0), Key::new(5.0, 3.0)]).unwrap();
        assert_eq!(keys.iter().map(|k| (k.time, k.value)).collect::<Vec<_>>(), [(1.0, 2.0), (5.0, 3.0)]);
    }

    #[test]
    fn refusals_say_which_key() {
        assert_eq!(normalize(&[]), Err(CurveError::Empty));
        let bad = [Key::new(1.0, 1.0), Key::new(2.0, f64::NAN)];
        assert_eq!(normalize(&bad), Err(CurveError::NotFinite { index: 1 }));
    }

    #[test]
    fn numbers_round_trip() {
        for number in 0..4 {
            assert_eq!(Interpolation::from_number(number).map(Interpolation::number), Some(number));
        }
        assert_eq!(Interpolation::from_number(4), None);
    }
}
