//! The new timeline.

use super::time::Frames;
use super::track::{Track, has_length};
use crate::Model;
use boxstep_bodies::{CurveRule, Joint, JointKind};
use boxstep_format::model::{ActuatorCurve, CurveUnit, Interpolation, Key, Tangent, Timeline};
use boxstep_motion::{Key as Calculated, Unit};

/// Values are written with so many parts of a degree or of 1.
const PARTS: f64 = 1e6;

/// Returns the frames of a timeline that carry something else than keys of curves: boxes, states, its start and end.
pub(super) fn fixed_frames(timeline: &Timeline) -> Vec<i32> {
    let layers = timeline.layers.iter().flat_map(|layer| &layer.keyframes).map(|keyframe| keyframe.index);
    let states = timeline.machine.iter().flat_map(|machine| &machine.states);
    let states = states.flat_map(|state| [state.begin, state.end]).flatten();
    layers.chain(states).chain(timeline.start_frame).chain(timeline.end_frame).collect()
}

/// Returns the timeline with these tracks. Curves that are calculated have an empty span.
pub(super) fn timeline(old: &Timeline, tracks: &[Track], frames: &Frames, to: &Model) -> Timeline {
    let mut new = old.clone();
    let Some(list) = &mut new.actuators else { return new };
    let curves = std::mem::take(&mut list.curves);
    let last = |curves: &[ActuatorCurve]| {
        curves.iter().filter(|curve| !curve.mute).flat_map(|curve| &curve.keys).map(|key| key.frame).max()
    };
    for track in tracks {
        let Some(joint) = to.body.joints.get(track.joint) else { continue };
        let before = track.of.and_then(|of| curves.get(of));
        let curve = match before {
            Some(before) => changed(before, track, &Written::of(joint, to), frames),
            None => calculated(track, &Written::of(joint, to), frames),
        };
        list.curves.push(curve);
    }
    list.model = (if to.body.is_known() { to.body.build.type_name } else { to.body.name }).to_owned();
    let end = last(&curves).map(|frame| frames.at(frame));
    // If the file sets no end, the last key is the end, even that of a curve that is left out.
    let lost = end.filter(|end| last(&list.curves).is_none_or(|last| last < *end));
    new.end_frame = old.end_frame.map(|frame| frames.at(frame)).or(lost);
    new.start_frame = old.start_frame.map(|frame| frames.at(frame));
    new.size = old.size.map(|size| size.max(frames.at(size)));
    for keyframe in new.layers.iter_mut().flat_map(|layer| &mut layer.keyframes) {
        keyframe.index = frames.at(keyframe.index);
    }
    for state in new.machine.iter_mut().flat_map(|machine| &mut machine.states) {
        for frame in [&mut state.begin, &mut state.end] {
            *frame = frame.map(|frame| frames.at(frame));
        }
    }
    new
}

/// How values of a joint are written.
struct Written {
    joint: &'static Joint,
    /// What the body file does with a curve of this name when it plays.
    rule: CurveRule,
}

impl Written {
    fn of(joint: &'static Joint, to: &Model) -> Self {
        let rule = to.body.curve(joint.name).filter(|rule| rule.joint == joint.name && rule.scale != 0.0);
        Self { joint, rule: rule.unwrap_or(CurveRule::same(joint.name)) }
    }

    fn unit(&self) -> CurveUnit {
        match self.joint.kind {
            JointKind::Hand => CurveUnit::Percent,
            JointKind::Angle | JointKind::Wheel => CurveUnit::Degree,
        }
    }

    /// Returns the joint's value or difference per unit that is written.
    fn scale(&self, unit: CurveUnit) -> f64 {
        Unit::from(unit).scale(self.joint.name) * self.rule.scale
    }
}

/// Returns a curve of the file with its new joint, frames and values. Numbers that do not change keep their digits.
fn changed(old: &ActuatorCurve, track: &Track, written: &Written, frames: &Frames) -> ActuatorCurve {
    let mut curve = old.clone();
    if *old.actuator != *written.joint.name {
        curve.unit = written.unit();
    }
    curve.actuator = written.joint.name.into();
    let (scale, offset) = (written.scale(curve.unit), written.rule.offset);
    let keys = track.moved(|frame| frames.position(frame));
    let same = |(key, number): (&Calculated, &usize)| {
        let old = old.keys.get(*number);
        old.is_some_and(|old| {
            f64::from(old.frame) == key.time && (old.value * scale + offset - key.value).abs() < 0.5 / PARTS
        })
    };
    if curve.unit == old.unit && keys.iter().zip(&track.keys_of).all(same) {
        return curve;
    }
    for key in &mut curve.keys {
        key.frame = frames.at(key.frame);
    }
    for (key, number) in keys.iter().zip(&track.keys_of) {
        let Some(written) = curve.keys.get_mut(*number) else { continue };
        written.value = rounded((key.value - offset) / scale, written.value);
        for (tangent, is) in [(&mut written.left, key.left), (&mut written.right, key.right)] {
            if let Some(tangent) = tangent.as_mut().filter(|_| has_length(is)) {
                tangent.abscissa = rounded(is.dx, tangent.abscissa);
                tangent.ordinate = rounded(is.dy / scale, tangent.ordinate);
            }
        }
    }
    curve
}

/// Returns a new curve.
fn calculated(track: &Track, written: &Written, frames: &Frames) -> ActuatorCurve {
    let (unit, span) = (written.unit(), Default::default());
    let (scale, offset) = (written.scale(unit), written.rule.offset);
    let keys = track.moved(|frame| frames.position(frame)).into_iter().map(|key| {
        let side = |tangent: boxstep_motion::Tangent| {
            let (abscissa, ordinate) = (rounded(tangent.dx, 0.0), rounded(tangent.dy / scale, 0.0));
            Some(Tangent { interpolation: Interpolation::BezierAuto, abscissa, ordinate, span })
        };
        let value = rounded((key.value - offset) / scale, 0.0);
        let (left, right) = (side(key.left), side(key.right));
        Key { frame: key.time.round() as i32, value, smooth: Some(true), symmetrical: Some(false), left, right, span }
    });
    ActuatorCurve {
        name: "value".to_owned(),
        actuator: written.joint.name.into(),
        recordable: None,
        mute: track.muted,
        always_visible: None,
        unit,
        keys: keys.collect(),
        span,
    }
}

/// Rounds a number, and keeps the one that was written before if it is the same.
fn rounded(new: f64, old: f64) -> f64 {
    if (new - old).abs() < 0.5 / PARTS { old } else { (new * PARTS).round() / PARTS }
}
