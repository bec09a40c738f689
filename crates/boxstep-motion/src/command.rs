//! The motion command of a timeline, and the curves that such a command describes.
//!
//! A timeline plays as one `ALMotion.angleInterpolationBezier` call for all keys that remain. The robot or simulation
//! that executes the call turns it into curves again, which start at each joint's present value.

use crate::{Curve, CurveError, Interpolation, Key, Tangent, normalize};
use std::sync::Arc;

/// The unit of a timeline curve's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Degrees.
    Degree,
    /// A fraction 0…1, as opening values of hands are stored.
    Percent,
    /// Not stated in the file: 0…1 for hands, degrees for other joints.
    #[default]
    Unspecified,
}

impl Unit {
    /// The factor from the curve's values to the command's: radians, or 0…1 for hands in any unit.
    pub fn scale(self, actuator: &str) -> f64 {
        let hand = matches!(actuator, "LHand" | "RHand");
        if hand || self == Unit::Percent { 1.0 } else { std::f64::consts::PI / 180.0 }
    }
}

/// One joint's curve in a timeline: times in frames, values in degrees or 0…1.
#[derive(Clone, Debug, PartialEq)]
pub struct JointCurve {
    actuator: Arc<str>,
    unit: Unit,
    muted: bool,
    keys: Vec<Key>,
}

impl JointCurve {
    /// Creates a curve from the keys of a file; [`normalize`] says how they are treated. A curve without keys is
    /// accepted and never played.
    ///
    /// # Errors
    /// [`CurveError::NotFinite`] if a number is not finite.
    pub fn new(actuator: impl Into<Arc<str>>, unit: Unit, muted: bool, keys: &[Key]) -> Result<Self, CurveError> {
        let keys = if keys.is_empty() { Vec::new() } else { normalize(keys)? };
        Ok(Self { actuator: actuator.into(), unit, muted, keys })
    }

    /// The name of the joint.
    pub fn actuator(&self) -> &Arc<str> {
        &self.actuator
    }

    /// The unit of the keys.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// True if the curve is not to be played.
    pub fn muted(&self) -> bool {
        self.muted
    }

    /// The keys in order of frame, with automatic tangents computed.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The curve over frames, in its own unit; `None` without keys.
    pub fn curve(&self) -> Option<Curve> {
        Curve::from_normalized(&self.keys).ok()
    }

    /// The curve over seconds from frame 0, in radians or 0…1, the units of joint limits; `None` without keys, or if
    /// `fps` (frames per second) is not positive.
    pub fn scaled_curve(&self, fps: f64) -> Option<Curve> {
        (fps > 0.0).then(|| Curve::from_normalized(&self.path(0.0, fps, &self.keys).keys).ok()).flatten()
    }

    /// The value of the first key at `frame` or later, in radians or 0…1; `None` if there is none.
    pub fn first_value(&self, frame: f64) -> Option<f64> {
        let key = self.keys.get(self.keys.partition_point(|key| key.time < frame))?;
        Some(key.value * self.unit.scale(&self.actuator))
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

/// One joint's keys in a command.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPath {
    /// The name of the joint.
    pub joint: Arc<str>,
    /// The keys in order of time: times in seconds from now, values in radians (0…1 for hands).
    pub keys: Vec<Key>,
}

/// The contents of one `ALMotion.angleInterpolationBezier` call.
///
/// ```
/// use boxstep_motion::{BezierCommand, JointCurve, Key, Unit};
///
/// let keys = [Key::new(10.0, 0.0), Key::new(35.0, 90.0)];
/// let curve = JointCurve::new("HeadYaw", Unit::Degree, false, &keys)?;
/// // At frame 10 of 25 a second, only the second key remains: in a second, and in radians.
/// let command = BezierCommand::from_timeline(&[curve], 10.0, 25.0);
/// assert_eq!(command.duration(), 1.0);
/// assert_eq!(command.joints[0].keys.len(), 1);
/// assert_eq!(command.joints[0].keys[0].value, std::f64::consts::FRAC_PI_2);
/// # Ok::<(), boxstep_motion::CurveError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BezierCommand {
    /// One path per joint.
    pub joints: Vec<JointPath>,
}

impl BezierCommand {
    /// Returns the one command for all that remains of a timeline at `frame`, at `fps` frames per second.
    ///
    /// Curves that are muted or have no key from `frame` on are left out, so the command may be empty. A key on `frame`
    /// itself would have time 0, which the robot ignores; it is dropped if others follow. The command is also empty if
    /// `fps` is not positive or one of the numbers is not finite.
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

    /// True if there is nothing to play. Such a command must not be sent: the robot refuses empty lists.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Seconds until the last key of any joint; 0 if the command is empty.
    pub fn duration(&self) -> f64 {
        self.joints.iter().map(JointPath::duration).fold(0.0, f64::max)
    }
}

impl JointPath {
    /// Creates a path of straight lines, as `ALMotion.angleInterpolation` takes it. `points` are pairs of seconds from
    /// now and value.
    pub fn linear(joint: impl Into<Arc<str>>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let key = |(time, value)| Key::new(time, value).with_tangents(Tangent::LINEAR, Tangent::LINEAR);
        Self { joint: joint.into(), keys: points.into_iter().map(key).collect() }
    }

    /// Seconds until the last key; 0 without keys.
    pub fn duration(&self) -> f64 {
        self.keys.last().map_or(0.0, |key| key.time)
    }

    /// Returns the path with `offset` added to all values, to turn relative angles into absolute ones.
    pub fn offset_by(mut self, offset: f64) -> Self {
        for key in &mut self.keys {
            key.value += offset;
        }
        self
    }

    /// Returns the curve over seconds from now, for a joint whose present value is `start`.
    ///
    /// The first segment begins at `start` with slope zero, and its interpolation is that of the first key's left
    /// tangent. If that tangent is automatic, it keeps its slope and spans a third of the time from now, because the
    /// key before it, for which its length was computed, is no longer played. Any other automatic tangent is used as
    /// given, or computed if its length is zero. A key at time 0 is dropped if others follow; otherwise it takes effect
    /// at once.
    ///
    /// # Errors
    /// There are no keys, or a number is not finite (the error has the index in `keys`).
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
        // An automatic tangent with a length was computed by the sender and is used as it is; one without is computed
        // here.
        for tangent in path.iter_mut().flat_map(|key| [&mut key.left, &mut key.right]) {
            if tangent.interpolation == Interpolation::BezierAuto && tangent.dx != 0.0 {
                tangent.interpolation = Interpolation::Bezier;
            }
        }
        Curve::new(&path).map_err(|error| match error {
            // The index counts without the added start and with the dropped keys; a `start` that is not finite counts
            // as key 0.
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
