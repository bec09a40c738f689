//! Checks of timelines: order of keys, end, and frames that are reached.

use super::{Here, repeats};
use crate::codes;
use boxstep_format::model::{ActuatorCurve, Timeline};
use boxstep_types::{Diagnostic, Span};

pub(super) fn check(here: &mut Here<'_>) {
    let Some(t) = &here.at.def.timeline else { return };
    let curves = t.actuators.iter().flat_map(|a| &a.curves);
    for curve in curves.clone() {
        key_order(here, curve);
    }
    for (_, again) in repeats(curves.clone().filter(|c| !c.mute), |c| &c.actuator) {
        let message = format!("a second curve for {}; both are sent to the robot", again.actuator);
        here.report(Diagnostic::warning(codes::SHARED_JOINT, message), again.span);
    }
    names_and_frames(here, t);
    for layer in t.layers.iter().filter(|l| l.mute && l.keyframes.iter().any(|k| !k.diagram.boxes.is_empty())) {
        let message = format!("the layer \"{}\" is muted: its boxes are neither loaded nor run", layer.name);
        here.report(Diagnostic::note(codes::MUTED_LAYER, message), layer.span);
    }
    if !t.enabled {
        let keyframes = t.layers.iter().map(|l| l.keyframes.len()).max().unwrap_or(0);
        if curves.clone().any(|c| !c.keys.is_empty() && !c.mute) || keyframes > 1 {
            let message = "the timeline is off, so its curves and later keyframes do not play";
            here.report(Diagnostic::warning(codes::IDLE_TIMELINE, message), t.span);
        }
        return;
    }
    if t.fps.is_some_and(|fps| fps <= 0) {
        let message = format!("{} frames per second: the timeline does not advance", t.fps.unwrap_or(0));
        here.report(Diagnostic::warning(codes::BAD_FPS, message), t.span);
    }
    range(here, t);
}

fn key_order(here: &mut Here<'_>, curve: &ActuatorCurve) {
    for pair in curve.keys.windows(2) {
        if let [a, b] = pair
            && b.frame <= a.frame
        {
            let message =
                format!("the key at frame {} of {} follows one at frame {}", b.frame, curve.actuator, a.frame);
            return here.report(Diagnostic::error(codes::KEY_ORDER, message), b.span);
        }
    }
}

fn names_and_frames(here: &mut Here<'_>, t: &Timeline) {
    let keyframes = t.layers.iter().flat_map(|l| l.keyframes.iter().map(move |k| (l, k)));
    let keyframes: Vec<_> = keyframes.collect();
    for (_, (layer, again)) in repeats(&keyframes, |(l, k)| (&l.name, &k.name)) {
        let message = format!("a second keyframe \"{}\" in the layer \"{}\"", again.name, layer.name);
        here.report(Diagnostic::warning(codes::SHARED_KEYFRAME_NAME, message), again.span);
    }
    for layer in &t.layers {
        for (_, again) in repeats(&layer.keyframes, |k| k.index) {
            let message = format!("a second keyframe at frame {} of the layer \"{}\"", again.index, layer.name);
            here.report(Diagnostic::warning(codes::SHARED_FRAME, message), again.span);
        }
    }
}

/// Checks the range of frames of a timeline. Without an end frame it ends at the last key of the unmuted curves.
fn range(here: &mut Here<'_>, t: &Timeline) {
    let start = t.start_frame.unwrap_or(1);
    let playing = t.actuators.iter().flat_map(|a| &a.curves).filter(|c| !c.mute);
    let last_key = playing.flat_map(|c| c.keys.last()).map(|k| k.frame).max();
    let Some(end) = t.end_frame.or(last_key) else {
        let finding =
            Diagnostic::note(codes::ENDLESS_TIMELINE, "the timeline has no end frame and no keys: it never ends");
        return here.report(finding.help("a box inside, a link to onStop or a script has to end it"), t.span);
    };
    let mut never = |span: Span, message: String| {
        here.report(Diagnostic::warning(codes::NEVER_REACHED, message), span);
    };
    if end < start {
        return never(t.span, format!("the end frame {end} is before the start frame {start}"));
    }
    for layer in t.layers.iter().filter(|l| !l.mute) {
        for k in layer.keyframes.iter().filter(|k| k.index > end) {
            never(k.span, format!("the keyframe \"{}\" at frame {} is after the end frame {end}", k.name, k.index));
        }
    }
    if last_key.is_some_and(|k| k > end) {
        never(t.span, format!("the last key is at frame {}, after the end frame {end}", last_key.unwrap_or(0)));
    }
}
