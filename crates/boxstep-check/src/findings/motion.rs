//! Curves against the body: joints that are there, limits, speeds.

use super::{Here, count};
use crate::codes;
use boxstep_bodies::{Body, Joint, JointKind, body_of_actuators};
use boxstep_format::model::{self, ActuatorCurve, CurveUnit, Interpolation};
use boxstep_motion::{Curve, JointCurve, Key, Segment, Tangent, Unit};
use boxstep_types::{Diagnostic, Severity};

/// What the engine takes where a file says nothing.
const DEFAULT_FPS: i32 = 25;

/// Limits are published with one digit after the point, and files are drawn up to them.
const TOLERANCE_DEGREES: f64 = 0.1;
const TOLERANCE_HAND: f64 = 0.005;
/// Speeds are rounded, too.
const TOLERANCE_SPEED: f64 = 1.01;

pub(super) fn check(here: &mut Here<'_>) {
    let (Some(body), Some(timeline)) = (here.context.body, &here.at.def.timeline) else { return };
    let fps = timeline.fps.unwrap_or(DEFAULT_FPS);
    if !timeline.enabled || fps <= 0 {
        return;
    }
    let curves = || timeline.actuators.iter().flat_map(|a| &a.curves).filter(|c| !c.mute && !c.keys.is_empty());
    let body = meant_for(here, body, curves);
    for curve in curves() {
        let Some(joint) = body.joint(&curve.actuator) else {
            let message = format!("no robot has a joint {}", curve.actuator);
            let finding = Diagnostic::warning(codes::UNKNOWN_JOINT, message);
            let near = super::near::meant(&curve.actuator, body.joints.iter().map(|j| j.name));
            here.tell(finding.help(near.unwrap_or_else(|| REFUSED.to_owned())), curve.span);
            continue;
        };
        let keys: Vec<Key> = curve.keys.iter().map(key).collect();
        // The reader leaves out keys that are no numbers.
        let scaled = JointCurve::new(curve.actuator.clone(), unit(curve.unit), false, &keys);
        if let Some(scaled) = scaled.ok().and_then(|c| c.scaled_curve(fps.into())) {
            let run = Run { body, joint, curve, scaled, fps: fps.into() };
            run.limits(here);
            run.speed(here);
        }
    }
}

const REFUSED: &str = "the robot refuses the whole movement of the timeline";

/// The body to hold a timeline against: applications for several robots have timelines for each, and choose by a script.
/// What moves a joint that only another robot has is not for this one; that is told once.
fn meant_for<'a, I: Iterator<Item = &'a ActuatorCurve>>(
    here: &mut Here<'_>,
    body: &'static Body,
    curves: impl Fn() -> I,
) -> &'static Body {
    let foreign = |c: &&ActuatorCurve| body.joint(&c.actuator).is_none();
    let other = |c: &ActuatorCurve| body_of_actuators([&*c.actuator]).filter(|kind| *kind != body.kind);
    let Some((curve, kind)) = curves().filter(foreign).find_map(|c| Some((c, other(c)?))) else { return body };
    let message = format!("the timeline moves {}, which {} does not have; it is for {kind}", curve.actuator, body.name);
    let mut finding = Diagnostic::note(codes::UNKNOWN_JOINT, message).help(REFUSED);
    if here.context.body_asked {
        finding.severity = Severity::Warning;
    }
    here.tell(finding, curve.span);
    kind.body()
}

fn unit(unit: CurveUnit) -> Unit {
    match unit {
        CurveUnit::Degree => Unit::Degree,
        CurveUnit::Percent => Unit::Percent,
        CurveUnit::Unspecified | CurveUnit::Unknown(_) => Unit::Unspecified,
    }
}

fn key(k: &model::Key) -> Key {
    let side = |t: &Option<model::Tangent>| match t {
        None => Tangent::AUTO,
        Some(t) => match t.interpolation {
            Interpolation::Constant => Tangent::CONSTANT,
            Interpolation::Linear => Tangent::LINEAR,
            Interpolation::Bezier => Tangent::bezier(t.abscissa, t.ordinate),
            Interpolation::BezierAuto => Tangent::AUTO,
        },
    };
    Key::new(k.frame.into(), k.value).with_tangents(side(&k.left), side(&k.right))
}

/// A curve as the robot gets it: seconds from frame 0, radians.
struct Run<'a> {
    body: &'static Body,
    joint: &'static Joint,
    curve: &'a ActuatorCurve,
    scaled: Curve,
    fps: f64,
}

impl Run<'_> {
    /// The worst place past a limit.
    fn limits(&self, here: &mut Here<'_>) {
        let slack = if self.joint.kind == JointKind::Hand { TOLERANCE_HAND } else { TOLERANCE_DEGREES.to_radians() };
        // Hands are drawn from 0 to 1; that the fingers stop a little before does no harm.
        let (low, high) = match self.joint.kind {
            JointKind::Hand => (self.joint.min.min(0.0), self.joint.max.max(1.0)),
            JointKind::Angle | JointKind::Wheel => (self.joint.min, self.joint.max),
        };
        let past = |x: f64| (x - high).max(low - x);
        let mut keys = self.curve.keys.iter().map(|k| (k.frame, self.scaled.sample(f64::from(k.frame) / self.fps)));
        let at_key = keys.clone().max_by(|a, b| past(a.1).total_cmp(&past(b.1)));
        let between = self.scaled.segments().flat_map(|s| [(s, s.extent.min), (s, s.extent.max)]);
        let between = between.max_by(|a, b| past(a.1).total_cmp(&past(b.1)));
        let Some((frame, value)) = at_key else { return };
        let places = keys.by_ref().filter(|(_, x)| past(*x) > slack).count();
        let (place, value) = match between {
            // A curve may swing out between two keys that are fine.
            Some((segment, far)) if past(far) > past(value) + slack => (self.frames(&segment), far),
            _ => (format!("frame {frame}"), value),
        };
        if past(value) <= slack {
            return;
        }
        let limits = format!("{} to {}", self.shown(low), self.shown(high));
        let message =
            format!("{} is at {} at {place}; {} can turn it from {limits}", self.joint.name, self.shown(value), self.body.name);
        let finding = Diagnostic::warning(codes::PAST_LIMIT, message);
        let finding = finding.help("the robot stops at the limit, and the movement is not the one that was drawn");
        here.tell(self.and_more(finding, places, "key"), self.curve.span);
    }

    /// The fastest place, if it is too fast.
    fn speed(&self, here: &mut Here<'_>) {
        let most = self.joint.max_speed * TOLERANCE_SPEED;
        let fast = |s: &Segment| s.extent.speed > most;
        let places = self.scaled.segments().filter(fast).count();
        let worst = self.scaled.segments().max_by(|a, b| a.extent.speed.total_cmp(&b.extent.speed));
        let Some(worst) = worst.filter(fast) else { return };
        let message = format!(
            "{} moves at {} at {}; {} moves it at {} at most",
            self.joint.name,
            self.speed_shown(worst.extent.speed),
            self.frames(&worst),
            self.body.name,
            self.speed_shown(self.joint.max_speed)
        );
        let finding = Diagnostic::warning(codes::TOO_FAST, message);
        let finding = finding.help("the robot comes too late; give it more frames, or fewer per second");
        here.tell(self.and_more(finding, places, "place"), self.curve.span);
    }

    fn and_more(&self, finding: Diagnostic, places: usize, what: &str) -> Diagnostic {
        if places > 1 { finding.with_note(None, format!("at {} in all", count(places, what))) } else { finding }
    }

    fn frames(&self, segment: &Segment) -> String {
        format!("frames {:.0} to {:.0}", segment.from * self.fps, segment.to * self.fps)
    }

    fn shown(&self, value: f64) -> String {
        if self.joint.kind == JointKind::Hand { format!("{value:.2}") } else { format!("{:.1}°", value.to_degrees()) }
    }

    fn speed_shown(&self, speed: f64) -> String {
        match self.joint.kind {
            _ if speed.is_infinite() => "any speed".to_owned(),
            JointKind::Hand => format!("{speed:.2}/s"),
            _ => format!("{:.0}°/s", speed.to_degrees()),
        }
    }
}
