//! Checks of curves against the body: existing joints, limits, speeds.

use super::{Here, balance, count};
use crate::codes;
use boxstep_bodies::{Body, BodyKind, Joint, JointKind, body_of_actuators};
use boxstep_format::model::ActuatorCurve;
use boxstep_motion::{Curve, JointCurve, Segment};
use boxstep_types::{Diagnostic, Severity};

/// The frames per second that the engine assumes if a file has none.
const DEFAULT_FPS: i32 = 25;

/// Excesses up to this size are rounding: limits are published with one decimal.
const TOLERANCE_DEGREES: f64 = 0.1;
const TOLERANCE_HAND: f64 = 0.005;
/// Excesses up to this size are invisible. Animations delivered with robots go to 90° where the joint stops at 89.5°.
const SLIGHT_DEGREES: f64 = 1.0;
/// Published speeds are rounded too.
const TOLERANCE_SPEED: f64 = 1.01;

const REFUSED: &str = "a robot refuses the whole movement of the timeline; in simulation its other joints move";

pub(super) fn check(here: &mut Here<'_>) {
    let Some(timeline) = &here.at.def.timeline else { return };
    let fps = timeline.fps.unwrap_or(DEFAULT_FPS);
    if !timeline.enabled || fps <= 0 {
        return;
    }
    let curves = timeline.actuators.iter().flat_map(|a| &a.curves);
    let curves: Vec<&ActuatorCurve> = curves.filter(|c| !c.mute && !c.keys.is_empty()).collect();
    let body = body_to_check(here, &curves);
    if let Some(body) = body {
        balance::check(here, timeline, body);
    }
    for curve in curves {
        let own = here.context.body.filter(|body| !body.is_known());
        let bodies = || BodyKind::ALL.map(BodyKind::body).into_iter().chain(own);
        if bodies().all(|body| body.joint(&curve.actuator).is_none()) {
            let message = format!("no robot has a joint {}", curve.actuator);
            let joints = bodies().flat_map(|body| body.joints).map(|j| j.name);
            let near = boxstep_types::meant(&curve.actuator, joints);
            let finding = Diagnostic::warning(codes::UNKNOWN_JOINT, message);
            here.report(finding.help(near.unwrap_or_else(|| REFUSED.to_owned())), curve.span);
        }
        let Some(limits) = Limits::for_joint(body, &curve.actuator) else { continue };
        // The reader leaves out keys that are not valid numbers.
        if let Some(scaled) = JointCurve::try_from(curve).ok().and_then(|c| c.scaled_curve(fps.into())) {
            let run = Run { limits, curve, scaled, fps: fps.into() };
            run.range(here);
            run.speed(here);
        }
    }
}

/// Returns the body to check a timeline against. Applications for several robots have a timeline for each and select
/// one in a script, so a timeline that moves only joints of another robot is for that robot. This is reported once.
fn body_to_check(here: &mut Here<'_>, curves: &[&ActuatorCurve]) -> Option<&'static Body> {
    let body = here.context.body?;
    let owner = |c: &&&ActuatorCurve| body_of_actuators([&*c.actuator]).map(BodyKind::body);
    let has = |c: &&&ActuatorCurve| body.joint(&c.actuator).is_some();
    let foreign: Vec<_> = curves.iter().filter(|c| !has(c) && owner(c).is_some()).collect();
    let Some(first) = foreign.first() else { return Some(body) };
    let more = if foreign.len() > 1 { format!(" and {} more joints", foreign.len() - 1) } else { String::new() };
    let message = format!("the timeline moves {}{more} that {} does not have", first.actuator, body.name);
    let mut finding = Diagnostic::note(codes::UNKNOWN_JOINT, message).help(REFUSED);
    if here.context.body_asked {
        finding.severity = Severity::Warning;
    }
    here.report(finding, first.span);
    // Joints that several robots have do not show which robot the timeline is for.
    let own = curves.iter().any(|c| has(&c) && body_only(&c.actuator, body));
    if own { Some(body) } else { owner(first) }
}

/// Returns true if no other type of robot in the tables has the joint.
fn body_only(joint: &str, body: &Body) -> bool {
    let mut others = BodyKind::ALL.map(BodyKind::body).into_iter();
    others.all(|other| other.build.type_name == body.build.type_name || other.joint(joint).is_none())
}

/// The limits of a joint; if the robot is unknown, the widest limits of all robots.
struct Limits {
    joint: &'static Joint,
    robot: &'static str,
    min: f64,
    max: f64,
    speed: f64,
}

impl Limits {
    fn for_joint(body: Option<&'static Body>, actuator: &str) -> Option<Self> {
        let bodies = body.map_or_else(|| BodyKind::ALL.map(BodyKind::body).to_vec(), |body| vec![body]);
        let joints: Vec<&'static Joint> = bodies.iter().filter_map(|b| b.joint(actuator)).collect();
        let joint = *joints.first()?;
        let hand = joint.kind == JointKind::Hand;
        let widest = |start: f64, pick: fn(f64, f64) -> f64, field: fn(&Joint) -> f64| {
            joints.iter().map(|j| field(j)).fold(start, pick)
        };
        // Hands are drawn from 0 to 1; it does no harm that the fingers stop slightly earlier.
        Some(Self {
            joint,
            robot: body.map_or("any robot", |b| b.name),
            min: widest(if hand { 0.0 } else { f64::INFINITY }, f64::min, |j| j.min),
            max: widest(if hand { 1.0 } else { f64::NEG_INFINITY }, f64::max, |j| j.max),
            speed: widest(0.0, f64::max, |j| j.max_speed),
        })
    }

    /// Returns by how much a value exceeds the limits.
    fn past(&self, value: f64) -> f64 {
        (value - self.max).max(self.min - value)
    }
}

/// A curve as the robot receives it: over seconds from frame 0, in radians.
struct Run<'a> {
    limits: Limits,
    curve: &'a ActuatorCurve,
    scaled: Curve,
    fps: f64,
}

impl Run<'_> {
    /// Reports the position farthest beyond a limit.
    fn range(&self, here: &mut Here<'_>) {
        let hand = self.limits.joint.kind == JointKind::Hand;
        let slack = if hand { TOLERANCE_HAND } else { TOLERANCE_DEGREES.to_radians() };
        let past = |x: f64| self.limits.past(x);
        let at = |frame: i32| self.scaled.sample(f64::from(frame) / self.fps);
        let keys = || self.curve.keys.iter().map(|k| (k.frame, at(k.frame)));
        let Some((frame, at_key)) = keys().max_by(|a, b| past(a.1).total_cmp(&past(b.1))) else { return };
        let between = self.scaled.segments().flat_map(|s| [(s, s.extent.min), (s, s.extent.max)]);
        let between = between.max_by(|a, b| past(a.1).total_cmp(&past(b.1)));
        let (place, value) = match between {
            // A curve may exceed a limit between two keys that are within it.
            Some((segment, far)) if past(far) > past(at_key) + slack => (self.frames(&segment), far),
            _ => (format!("frame {frame}"), at_key),
        };
        if past(value) <= slack {
            return;
        }
        let message = format!(
            "{} is at {} at {place}; {} turns it from {} to {}",
            self.limits.joint.name,
            self.shown(value),
            self.limits.robot,
            self.shown(self.limits.min),
            self.shown(self.limits.max)
        );
        let mut finding = Diagnostic::warning(codes::PAST_LIMIT, message)
            .help("the robot stops at the limit, and the movement is not the one that was drawn");
        if !hand && past(value) <= SLIGHT_DEGREES.to_radians() + 1e-9 {
            finding.severity = Severity::Note;
        }
        let places = keys().filter(|(_, x)| past(*x) > slack).count();
        here.report(in_all(finding, places, "key"), self.curve.span);
    }

    /// Reports the fastest segment, if it is too fast.
    fn speed(&self, here: &mut Here<'_>) {
        let fast = |s: &Segment| s.extent.speed > self.limits.speed * TOLERANCE_SPEED;
        let places = self.scaled.segments().filter(fast).count();
        let worst = self.scaled.segments().max_by(|a, b| a.extent.speed.total_cmp(&b.extent.speed));
        let Some(worst) = worst.filter(fast) else { return };
        let message = format!(
            "{} moves at {} at {}; {} moves it at {} at most",
            self.limits.joint.name,
            self.speed_shown(worst.extent.speed),
            self.frames(&worst),
            self.limits.robot,
            self.speed_shown(self.limits.speed)
        );
        let finding = Diagnostic::warning(codes::TOO_FAST, message);
        let finding =
            finding.help("the robot arrives too late; give the movement more frames, or fewer frames per second");
        here.report(in_all(finding, places, "place"), self.curve.span);
    }

    fn frames(&self, segment: &Segment) -> String {
        format!("frames {:.0} to {:.0}", segment.from * self.fps, segment.to * self.fps)
    }

    fn shown(&self, value: f64) -> String {
        match self.limits.joint.kind {
            JointKind::Hand => format!("{value:.2}"),
            _ => format!("{:.1}°", value.to_degrees()),
        }
    }

    fn speed_shown(&self, speed: f64) -> String {
        match self.limits.joint.kind {
            _ if speed.is_infinite() => "an unlimited speed".to_owned(),
            JointKind::Hand => format!("{speed:.2}/s"),
            _ => format!("{:.0}°/s", speed.to_degrees()),
        }
    }
}

fn in_all(finding: Diagnostic, places: usize, what: &str) -> Diagnostic {
    if places > 1 { finding.with_note(None, format!("at {} in all", count(places, what))) } else { finding }
}
