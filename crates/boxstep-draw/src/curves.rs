//! A timeline's curves as paths over frames, in degrees or 0…1, and what the whole motion needs: its margin of balance
//! in millimetres, and the torques of motors in newton metres.

use crate::text::{format_number, plural};
use boxstep_bodies::{Body, JointKind};
use boxstep_dynamics::{Balance, FrameBudget, Instant, Model, Postures, is_overloaded};
use boxstep_format::model::{ActuatorCurve, Timeline};
use boxstep_motion::{Curve, Extent, Interpolation, JointCurve, Key, Segment, Tangent};

/// The name of the chart of balance, and of what selects it.
pub(crate) const BALANCE: &str = "balance";
/// The last word of the names of charts of torque, and what selects all of them.
pub(crate) const TORQUE: &str = "torque";
/// The most points of such a curve.
const MOST_POINTS: usize = 500;
/// The margin is shown if it gets smaller than this, in millimetres: standing NAO has 70.
const TELLING: f64 = 50.0;

/// The unit in which values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Degrees.
    Degrees,
    /// 0…1, of hands.
    Share,
    /// Millimetres, of the balance.
    Millimetres,
    /// Newton metres, of a motor.
    NewtonMetres,
}

impl Shown {
    /// Returns how many steps of displayed values one unit has.
    fn parts(self) -> f64 {
        match self {
            Self::Degrees => 10.0,
            Self::Share | Self::NewtonMetres => 100.0,
            Self::Millimetres => 1.0,
        }
    }

    /// Returns the size of the smallest margin that a chart has above and below.
    pub(crate) fn room(self) -> f64 {
        match self {
            Self::Degrees => 0.5,
            Self::Share | Self::NewtonMetres => 0.05,
            Self::Millimetres => 2.0,
        }
    }
}

/// One joint's curve, or that of the balance or of a torque, prepared for drawing.
pub(crate) struct JointLine {
    pub(crate) joint: String,
    pub(crate) muted: bool,
    pub(crate) unit: Shown,
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
    /// Whether it is drawn only if it is asked for.
    pub(crate) quiet: bool,
    /// Of what is calculated, the first and last frames between which it is not known.
    pub(crate) gaps: Vec<(f64, f64)>,
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
            unit: if hand { Shown::Share } else { Shown::Degrees },
            keys,
            curve: curve_of_keys,
            extent,
            limits,
            missing_on: known.is_none().then_some(body.name),
            quiet: false,
            gaps: Vec::new(),
        })
    }

    /// Returns whether its largest value is a limit of the robot. A margin has none.
    pub(crate) fn has_upper_limit(&self) -> bool {
        self.unit != Shown::Millimetres
    }

    /// Returns the first and last frame with a key.
    pub(crate) fn frames(&self) -> (f64, f64) {
        (self.curve.start(), self.curve.end())
    }

    /// Whether it is the margin of balance.
    pub(crate) fn is_balance(&self) -> bool {
        self.unit == Shown::Millimetres
    }

    /// Whether it is the torque of a motor.
    pub(crate) fn is_torque(&self) -> bool {
        self.unit == Shown::NewtonMetres
    }

    /// Whether it is calculated at each frame, and has no keys of an author.
    pub(crate) fn is_calculated(&self) -> bool {
        self.is_balance() || self.is_torque()
    }

    /// Returns by how much the curve exceeds the joint's limits; 0 if it does not, or if they are unknown.
    pub(crate) fn beyond(&self) -> f64 {
        self.limits.map_or(0.0, |(min, max)| (self.extent.max - max).max(min - self.extent.min).max(0.0))
    }

    /// Returns true if the curve exceeds the limits noticeably.
    pub(crate) fn is_beyond(&self) -> bool {
        // The threshold is half the smallest displayed step, so that no message says "0 beyond the limits".
        self.beyond() > 0.5 / self.unit.parts()
    }

    /// Returns the segments in which the curve is faster than the joint: their first and last frame, and a description.
    pub(crate) fn too_fast(&self, fps: i32) -> Vec<(f64, f64, String)> {
        let Some(most) = self.speed.filter(|most| *most > 0.0) else { return Vec::new() };
        let fast = |(keys, segment): (&[Key], Segment)| {
            let speed = segment.extent.speed * f64::from(fps.max(1));
            // Published speeds are rounded, hence the tolerance.
            let [a, b] = keys else { return None };
            if speed <= most * 1.01 {
                return None;
            }
            let (from, to) = (format_number(a.time), format_number(b.time));
            let unit = format!("{}/s", self.unit());
            let speed = if speed.is_finite() { format!("{speed:.0}{unit}") } else { "an unlimited speed".to_owned() };
            let words = format!("frames {from} to {to}: {speed}, and the joint can do {most:.0}{unit}");
            Some((a.time, b.time, words))
        };
        self.keys.windows(2).zip(self.curve.segments()).filter_map(fast).collect()
    }

    /// Formats a value to tenths of a degree, hundredths for hands, whole millimetres.
    pub(crate) fn shown(&self, value: f64) -> String {
        let parts = self.unit.parts();
        format!("{}{}", format_number((value * parts).round() / parts), self.unit())
    }

    /// Formats the smallest and the largest value, as a single value if both read the same.
    pub(crate) fn range(&self, between: &str) -> String {
        let (low, high) = (self.shown(self.extent.min), self.shown(self.extent.max));
        if low == high { low } else { format!("{low}{between}{high}") }
    }

    /// Describes the curve, e.g. `HeadYaw: 3 keys, -20° to 20°`, with anything unusual about it.
    pub(crate) fn words(&self) -> String {
        if self.unit == Shown::Millimetres {
            let falls = if self.is_beyond() { "; the robot tips over where it is below 0" } else { "" };
            let gaps = self.gap().map(|gap| format!("; {gap}")).unwrap_or_default();
            return format!("{}: {}{falls}{gaps}", self.joint, self.range(" to "));
        }
        if self.is_torque() {
            let excess = self.excess().map(|excess| format!("; {excess}")).unwrap_or_default();
            return format!("{}: {}{excess}", self.joint, self.range(" to "));
        }
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

    /// Returns `°`, ` mm`, ` N·m`, or nothing for hands.
    pub(crate) fn unit(&self) -> &'static str {
        match self.unit {
            Shown::Degrees => "°",
            Shown::Share => "",
            Shown::Millimetres => " mm",
            Shown::NewtonMetres => " N·m",
        }
    }

    /// Describes by how much the curve exceeds its limits, if it does so noticeably.
    pub(crate) fn excess(&self) -> Option<String> {
        let by = self.shown(self.beyond());
        self.is_beyond().then(|| match self.unit {
            Shown::Millimetres => "tips over".to_owned(),
            Shown::NewtonMetres => format!("{by} too much"),
            _ => format!("{by} beyond the limits"),
        })
    }

    /// Describes the frames at which the balance is not judged, if there are any.
    pub(crate) fn gap(&self) -> Option<String> {
        let (from, to) = *self.gaps.first().filter(|_| self.is_balance())?;
        let more = if self.gaps.len() > 1 { " and later" } else { "" };
        Some(format!("not judged at frames {} to {}{more}", format_number(from), format_number(to)))
    }

    /// Returns whether it is not known between two frames.
    pub(crate) fn is_gap(&self, from: f64, to: f64) -> bool {
        self.gaps.iter().any(|(first, last)| *first <= to && from <= *last)
    }

    /// Returns the keys to draw as dots: not those of what has one at each frame.
    pub(crate) fn dots(&self) -> &[Key] {
        /// The most keys that are drawn.
        const DOTS: usize = 300;
        if self.keys.len() > DOTS || self.is_calculated() { &[] } else { &self.keys }
    }

    /// Returns what the motion of a timeline needs: the margin of balance, unless it is not known, and the torque of
    /// each motor. A margin that is always large, and a motor that is not overloaded, are quiet.
    pub(crate) fn of_motion(timeline: &Timeline, body: &'static Body, frames: &mut FrameBudget) -> Vec<Self> {
        let model = Model::new(body);
        let Some(balance) = Balance::new(&model) else { return Vec::new() };
        let Some(postures) = model.postures(timeline, frames) else { return Vec::new() };
        let (instants, torques) = balance.over_with_torques(&postures.angles, postures.step());
        let torque = |(joint, most): (usize, f64)| {
            let of_joint = torques.iter().map(|all| all.get(joint).copied().unwrap_or(f64::NAN));
            Self::torque(body.joints.get(joint)?.name, most, &of_joint.collect::<Vec<f64>>(), &postures)
        };
        Self::balance(&instants, &postures).into_iter().chain(balance.motors().filter_map(torque)).collect()
    }

    fn balance(instants: &[Instant], postures: &Postures) -> Option<Self> {
        let margins = instants.iter().map(|instant| instant.margin.map_or(f64::NAN, |margin| 1000.0 * margin));
        let line = Self::calculated(BALANCE.to_owned(), Shown::Millimetres, margins, postures, |margin| margin)?;
        let limits = Some((0.0, line.extent.max.max(0.0)));
        Some(Self { limits, quiet: line.extent.min >= TELLING, ..line })
    }

    fn torque(joint: &str, most: f64, torques: &[f64], postures: &Postures) -> Option<Self> {
        let name = format!("{joint} {TORQUE}");
        let line =
            Self::calculated(name, Shown::NewtonMetres, torques.iter().copied(), postures, |torque| -torque.abs())?;
        let quiet = !is_overloaded(torques, most, postures.step());
        Some(Self { limits: Some((-most, most)), quiet, ..line })
    }

    /// Returns a line of what has a value at each posture, NaN where it has none. In a long timeline each of its parts is
    /// drawn as its worst value.
    fn calculated(
        joint: String,
        unit: Shown,
        values: impl Iterator<Item = f64>,
        postures: &Postures,
        good: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let all: Vec<(usize, f64)> = values.enumerate().collect();
        let part = all.len().div_ceil(MOST_POINTS).max(1);
        let frame = |at: &(usize, f64)| postures.frame(at.0) as f64;
        let runs = || all.chunk_by(|a, b| a.1.is_finite() == b.1.is_finite());
        let is_known = |run: &[(usize, f64)]| run.first().is_some_and(|(_, value)| value.is_finite());
        let gaps =
            runs().filter(|run| !is_known(run)).filter_map(|run| Some((frame(run.first()?), frame(run.last()?))));
        let worst = runs().filter(|run| is_known(run)).flat_map(|run| {
            run.chunks(part).filter_map(|part| part.iter().min_by(|a, b| good(a.1).total_cmp(&good(b.1))))
        });
        let key = |(at, value): &(usize, f64)| {
            Key::new(postures.frame(*at) as f64, *value).with_tangents(Tangent::LINEAR, Tangent::LINEAR)
        };
        let keys: Vec<Key> = worst.map(key).collect();
        let curve = Curve::new(&keys).ok()?;
        let extent = curve.extent();
        Some(Self {
            joint,
            muted: false,
            unit,
            keys,
            curve,
            extent,
            limits: None,
            speed: None,
            missing_on: None,
            quiet: false,
            gaps: gaps.collect(),
        })
    }

    /// Returns the exact SVG path of the curve, from its own Beziers.
    pub(crate) fn path(&self, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
        let p = |t: f64, v: f64| format!("{} {}", crate::xml::number(x(t)), crate::xml::number(y(v)));
        let mut d = String::new();
        let mut before: Option<&Key> = None;
        for key in &self.keys {
            match before {
                Some(a) if self.is_gap(a.time, key.time) => d.push_str(&format!(" M{}", p(key.time, key.value))),
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
