//! The motion command of a timeline, and curves from such a command.
//!
//! A timeline plays as one `ALMotion.angleInterpolationBezier` call for everything that remains;
//! whoever executes it makes curves of it again, from where each joint stands.

use crate::{Curve, CurveError, Interpolation, Key, Tangent, normalize};
use std::sync::Arc;

/// Unit of a timeline curve's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Degrees.
    Degree,
    /// 0…1, as hands are stored.
    Percent,
    /// Not said: 0…1 for hands, else degrees.
    #[default]
    Unspecified,
}

impl Unit {
    /// What turns the curve's values into the command's: radians, or 0…1 for hands in any unit.
    pub fn scale(self, actuator: &str) -> f64 {
        let hand = matches!(actuator, "LHand" | "RHand");
        if hand || self == Unit::Percent { 1.0 } else { std::f64::consts::PI / 180.0 }
    }
}

/// One joint's curve in a timeline: frames, and degrees or 0…1.
#[derive(Clone, Debug, PartialEq)]
pub struct JointCurve {
    actuator: Arc<str>,
    unit: Unit,
    muted: bool,
    keys: Vec<Key>,
}

impl JointCurve {
    /// Takes a curve as a file has it; see [`normalize`] for what becomes of the keys. A curve
    /// without keys is taken and never played.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn new(actuator: impl Into<Arc<str>>, unit: Unit, muted: bool, keys: &[Key]) -> Result<Self, CurveError> {
        let keys = if keys.is_empty() { Vec::new() } else { normalize(keys)? };
        Ok(Self { actuator: actuator.into(), unit, muted, keys })
    }

    /// The joint.
    pub fn actuator(&self) -> &Arc<str> {
        &self.actuator
    }

    /// The unit of the keys.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Not played.
    pub fn muted(&self) -> bool {
        self.muted
    }

    /// Keys in order of frame, tangents computed.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The curve over frames in its own unit; `None` without keys.
    pub fn curve(&self) -> Option<Curve> {
        Curve::from_normalized(&self.keys).ok()
    }

    /// The curve over seconds from frame 0 in radians or 0…1, as limits are given; `None` without
    /// keys or unless `fps` is positive.
    pub fn scaled_curve(&self, fps: f64) -> Option<Curve> {
        (fps > 0.0).then(|| Curve::from_normalized(&self.path(0.0, fps, &self.keys).keys).ok()).flatten()
    }

    fn path(&self, frame: f64, fps: f64, keys: &[Key]) -> JointPath {
        let scale = self.unit.scale(&self.actuator);
        let to_command = |key: &Key| Key {
            time: (key.time - frame) / fps,
            value: key.value * scale,
            left: key.left.scaled(1.0 / fps, scale),
            right: key.right.scaled(1.0 / fps, scale),
        };
        JointPath { joint: self.actuator.clone(), keys: keys.iter().map(to_command).collect() }
    }
}

/// One joint's part of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPath {
    /// The joint.
    pub joint: Arc<str>,
    /// Times in seconds from now, values in radians (0…1 for hands), in order of time.
    pub keys: Vec<Key>,
}

/// What one call of `ALMotion.angleInterpolationBezier` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BezierCommand {
    /// One path per joint.
    pub joints: Vec<JointPath>,
}

impl BezierCommand {
    /// The one command for all that remains of a timeline at `frame`, at `fps` frames a second.
    ///
    /// Curves that are muted or have no key from `frame` on are left out, so the command may be
    /// empty. A key on `frame` itself would have time 0, which the robot ignores: it is dropped when
    /// others follow. Empty also unless `fps` is positive and both numbers are finite.
    pub fn from_timeline(curves: &[JointCurve], frame: f64, fps: f64) -> Self {
        if !(fps > 0.0 && fps.is_finite() && frame.is_finite()) {
            return Self::default();
        }
        let remaining = |curve: &JointCurve| {
            let past = curve.keys.partition_point(|key| key.time < frame);
            let keys = without_time_zero(curve.keys.get(past..).unwrap_or_default(), frame);
            (!curve.muted && !keys.is_empty()).then(|| curve.path(frame, fps, keys))
        };
        Self { joints: curves.iter().filter_map(remaining).collect() }
    }

    /// Nothing to play: do not send it, the robot refuses empty lists.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Seconds until the last key of all joints; 0 if empty.
    pub fn duration(&self) -> f64 {
        self.joints.iter().map(JointPath::duration).fold(0.0, f64::max)
    }
}

impl JointPath {
    /// A path along straight lines, as `ALMotion.angleInterpolation` takes it: pairs of seconds from
    /// now and value.
    pub fn linear(joint: impl Into<Arc<str>>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let key = |(time, value)| Key::new(time, value).with_tangents(Tangent::LINEAR, Tangent::LINEAR);
        Self { joint: joint.into(), keys: points.into_iter().map(key).collect() }
    }

    /// Seconds until the last key; 0 without keys.
    pub fn duration(&self) -> f64 {
        self.keys.last().map_or(0.0, |key| key.time)
    }

    /// The path with all values moved by `offset`, to make relative angles absolute.
    pub fn offset_by(mut self, offset: f64) -> Self {
        for key in &mut self.keys {
            key.value += offset;
        }
        self
    }

    /// The curve over seconds from now, of a joint that stands at `start`.
    ///
    /// The first segment begins at `start` with no slope, in the kind of the first key's left
    /// tangent. An automatic left tangent there keeps its slope and spans a third of the time from
    /// now: the neighbour it was made for is no longer on the way. Elsewhere an automatic tangent is
    /// used as it came, or computed if it came with no length. A key at time 0 is dropped when others
    /// follow, otherwise it takes effect at once.
    ///
    /// # Errors
    /// No keys, or a number that is not finite (index in `keys`).
    pub fn curve(&self, start: f64) -> Result<Curve, CurveError> {
        let mut keys = without_time_zero(&self.keys, 0.0).to_vec();
        let Some(first) = keys.first_mut() else { return Err(CurveError::Empty) };
        let third = first.time / 3.0;
        if first.left.interpolation == Interpolation::BezierAuto {
            let slope = if first.left.dx < 0.0 { first.left.dy / first.left.dx } else { 0.0 };
            first.left = Tangent::bezier(-third, -third * slope);
        }
        let out = match first.left.interpolation {
            Interpolation::Constant => Tangent::CONSTANT,
            Interpolation::Linear => Tangent::LINEAR,
            Interpolation::Bezier | Interpolation::BezierAuto => Tangent::bezier(third, 0.0),
        };
        let mut path = vec![Key::new(0.0, start).with_tangents(Tangent::AUTO, out)];
        path.append(&mut keys);
        let dropped = self.keys.len() + 1 - path.len();
        // An automatic tangent came with the numbers of whoever sent it; without, it is computed here.
        for tangent in path.iter_mut().flat_map(|key| [&mut key.left, &mut key.right]) {
            if tangent.interpolation == Interpolation::BezierAuto && tangent.dx != 0.0 {
                tangent.interpolation = Interpolation::Bezier;
            }
        }
        Curve::new(&path).map_err(|error| match error {
            // Counted without the start, with what was dropped; a start that is no number counts as the first.
            CurveError::NotFinite { index } => CurveError::NotFinite { index: (index + dropped).saturating_sub(1) },
            other => other,
        })
    }
}

fn without_time_zero(keys: &[Key], now: f64) -> &[Key] {
    match keys {
        [first, rest @ ..] if first.time <= now && !rest.is_empty() => rest,
        _ => keys,
    }
}
