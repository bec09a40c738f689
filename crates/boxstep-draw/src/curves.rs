//! A timeline's curves as paths over frames, in degrees or 0…1.

use crate::text::{format_number, plural};
use boxstep_bodies::{Body, JointKind};
use boxstep_format::model::ActuatorCurve;
use boxstep_motion::{Curve, Extent, Interpolation, JointCurve, Key, Segment, Tangent};

/// One joint's curve, prepared for drawing.
pub(crate) struct JointLine {
    pub(crate) joint: String,
    pub(crate) muted: bool,
    /// True if values are 0…1 instead of degrees.
    pub(crate) hand: bool,
    /// The keys in order of frame; values and tangents are in the drawn unit.
    pub(crate) keys: Vec<Key>,
    pub(crate) curve: Curve,
    pub(crate) extent: Extent,
    /// The joint's limits, if the body has the joint.
    pub(crate) limits: Option<(f64, f64)>,
    /// The joint's maximum speed per second, if the body has the joint.
    speed: Option<f64>,
    /// The body's name, if it has no such joint.
    missing_on: Option<&'static str>,
}

impl JointLine {
    /// Prepares a curve; `None` if it has no keys, or numbers that are not finite.
    pub(crate) fn new(curve: &ActuatorCurve, body: &Body) -> Option<Self> {
        let joint = JointCurve::try_from(curve).ok()?;
        let known = body.joint(&curve.actuator);
        let hand = known.map_or(matches!(&*curve.actuator, "LHand" | "RHand"), |j| j.kind == JointKind::Hand);
        // The curve's unit is converted to the robot's, and from there to the drawn one.
        let scale = joint.unit().scale(&curve.actuator) * if hand { 1.0 } else { 180.0 / std::f64::consts::PI };
        let shown = |t: Tangent| Tangent { dy: t.dy * scale, ..t };
        let keys: Vec<Key> = joint
            .keys()
            .iter()
            .map(|k| Key { value: k.value * scale, left: shown(k.left), right: shown(k.right), ..*k })
            .collect();
        let curve_of_keys = Curve::new(&keys).ok()?;
        let extent = curve_of_keys.extent();
        let limits = known
            .filter(|j| j.min.is_finite() && j.max.is_finite())
            .map(|j| if hand { (j.min, j.max) } else { (j.min.to_degrees(), j.max.to_degrees()) });
        let speed = known.map(|j| if hand { j.max_speed } else { j.max_speed.to_degrees() });
        Some(Self {
            speed,
            joint: curve.actuator.to_string(),
            muted: curve.mute,
            hand,
            keys,
            curve: curve_of_keys,
            extent,
            limits,
            missing_on: known.is_none().then_some(body.name),
        })
    }

    /// Returns the first and last frame with a key.
    pub(crate) fn frames(&self) -> (f64, f64) {
        (self.curve.start(), self.curve.end())
    }

    /// Returns by how much the curve exceeds the joint's limits; 0 if it does not, or if they are unknown.
    pub(crate) fn beyond(&self) -> f64 {
        self.limits.map_or(0.0, |(min, max)| (self.extent.max - max).max(min - self.extent.min).max(0.0))
    }

    /// Returns true if the curve exceeds the limits noticeably.
    pub(crate) fn is_beyond(&self) -> bool {
        // The threshold is half the smallest displayed step, so that no message says "0 beyond the limits".
        self.beyond() > if self.hand { 0.005 } else { 0.05 }
    }

    /// Returns the segments in which the curve is faster than the joint, each as an SVG path and a description.
    pub(crate) fn too_fast(&self, fps: i32, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> Vec<(String, String)> {
        let Some(most) = self.speed.filter(|most| *most > 0.0) else { return Vec::new() };
        let p = |t: f64, v: f64| format!("{} {}", crate::xml::number(x(t)), crate::xml::number(y(v)));
        let fast = |(keys, segment): (&[Key], Segment)| {
            let speed = segment.extent.speed * f64::from(fps.max(1));
            // Published speeds are rounded, hence the tolerance.
            let [a, b] = keys else { return None };
            if speed <= most * 1.01 {
                return None;
            }
            let mut d = format!("M{}", p(a.time, a.value));
            self.segment(&mut d, a, b, &p);
            let (from, to) = (format_number(a.time), format_number(b.time));
            let unit = if self.hand { "/s" } else { "°/s" };
            let speed = if speed.is_finite() { format!("{speed:.0}{unit}") } else { "an unlimited speed".to_owned() };
            Some((d, format!("frames {from} to {to}: {speed}, and the joint can do {most:.0}{unit}")))
        };
        self.keys.windows(2).zip(self.curve.segments()).filter_map(fast).collect()
    }

    /// Formats a value to tenths of a degree, or to hundredths for hands.
    pub(crate) fn shown(&self, value: f64) -> String {
        let parts = if self.hand { 100.0 } else { 10.0 };
        format!("{}{}", format_number((value * parts).round() / parts), self.unit())
    }

    /// Formats the smallest and the largest value, as a single value if both read the same.
    pub(crate) fn range(&self, between: &str) -> String {
        let (low, high) = (self.shown(self.extent.min), self.shown(self.extent.max));
        if low == high { low } else { format!("{low}{between}{high}") }
    }

    /// Describes the curve, e.g. `HeadYaw: 3 keys, -20° to 20°`, with anything unusual about it.
    pub(crate) fn words(&self) -> String {
        let n = self.keys.len();
        let mut text = format!("{}: {n} key{}, {}", self.joint, plural(n), self.range(" to "));
        if self.muted {
            text.push_str(", muted");
        }
        if self.is_beyond() {
            text.push_str(", beyond the joint's limits");
        }
        if let Some(words) = self.missing_joint_note() {
            text.push_str(&format!(", {words}"));
        }
        text
    }

    /// Describes that the body has no such joint, if that is so.
    pub(crate) fn missing_joint_note(&self) -> Option<String> {
        self.missing_on.map(|body| format!("{body} has no such joint"))
    }

    /// Returns `°`, or nothing for hands.
    pub(crate) fn unit(&self) -> &'static str {
        if self.hand { "" } else { "°" }
    }

    /// Returns the exact SVG path of the curve, from its own Beziers.
    pub(crate) fn path(&self, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
        let p = |t: f64, v: f64| format!("{} {}", crate::xml::number(x(t)), crate::xml::number(y(v)));
        let mut d = String::new();
        let mut before: Option<&Key> = None;
        for key in &self.keys {
            match before {
                None => d.push_str(&format!("M{}", p(key.time, key.value))),
                Some(a) => self.segment(&mut d, a, key, &p),
            }
            before = Some(key);
        }
        d
    }

    fn segment(&self, d: &mut String, a: &Key, b: &Key, p: &impl Fn(f64, f64) -> String) {
        let end = p(b.time, b.value);
        let bent = |t: Tangent| matches!(t.interpolation, Interpolation::Bezier | Interpolation::BezierAuto);
        let reach = |t: Tangent| if bent(t) { (t.dx, t.dy) } else { (0.0, 0.0) };
        let (out, back) = (reach(a.right), reach(b.left));
        let length = b.time - a.time;
        if a.right.interpolation == Interpolation::Constant {
            d.push_str(&format!(" L{} L{end}", p(b.time, a.value)));
        } else if !bent(a.right) && !bent(b.left) {
            d.push_str(&format!(" L{end}"));
        } else if out.0 >= 0.0 && back.0 <= 0.0 && out.0 - back.0 <= length {
            let (first, second) = (p(a.time + out.0, a.value + out.1), p(b.time + back.0, b.value + back.1));
            d.push_str(&format!(" C{first} {second} {end}"));
        } else {
            // The robot shortens tangents with which time would run backwards; sampling the curve shows the result.
            const STEPS: u32 = 24;
            for i in 1..=STEPS {
                let t = a.time + length * f64::from(i) / f64::from(STEPS);
                let v = if i == STEPS { b.value } else { self.curve.sample(t) };
                d.push_str(&format!(" L{}", p(t, v)));
            }
        }
    }
}
