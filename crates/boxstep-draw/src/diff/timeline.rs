//! Changes between two timelines: settings, curves, keys, layers and keyframes.

use super::notes::{Exact, Notes, Pair, or_none, pairs, rename, yes};
use super::{Kind, What, matching};
use crate::json::acquisition;
use crate::scene::Spot;
use crate::text::{format_number, one_line, plural};
use crate::tree::content as words;
use boxstep_format::model::{
    ActuatorCurve, BehaviorKeyframe, BehaviorLayer, BoxDef, CurveUnit, Interpolation, Key, StateMachine, Tangent,
    Timeline,
};
use boxstep_types::Span;

impl Notes {
    pub(super) fn timelines(&mut self, a: &BoxDef, b: &BoxDef) {
        match (&a.timeline, &b.timeline) {
            (None, None) => {}
            (None, Some(new)) => self.added(What::Timeline, "inside", kind(new)),
            (Some(old), None) => self.removed(What::Timeline, "inside", kind(old)),
            (Some(old), Some(new)) => {
                self.settings(old, new);
                self.curves(old, new);
                self.layers(old, new);
            }
        }
    }

    fn settings(&mut self, a: &Timeline, b: &Timeline) {
        const WHAT: What = What::Timeline;
        let model = |t: &Timeline| t.actuators.as_ref().map(|a| a.model.clone());
        let end = |f: &Option<i32>| f.map_or_else(|| "the last key".to_owned(), |f| f.to_string());
        self.field(WHAT, "clock", &a.enabled, &b.enabled, |on| if *on { "on" } else { "off" }.to_owned());
        self.field(WHAT, "frames per second", &a.fps, &b.fps, or_none);
        self.field(WHAT, "first frame", &a.start_frame, &b.start_frame, or_none);
        self.field(WHAT, "last frame", &a.end_frame, &b.end_frame, end);
        self.field(WHAT, "edited length", &a.size, &b.size, or_none);
        self.field(WHAT, "joints in use", &a.acquisition, &b.acquisition, |a| acquisition(*a).to_owned());
        self.field(WHAT, "zoom", &a.scale, &b.scale, or_none);
        self.field(WHAT, "robot of the curves", &model(a), &model(b), or_none);
        if a.machine.as_ref().map(bare) != b.machine.as_ref().map(bare) {
            self.push(Kind::Changed, WHAT, "state machine", None, None);
        }
    }

    fn curves(&mut self, a: &Timeline, b: &Timeline) {
        let keys = |c: &ActuatorCurve| format!("{} key{}", c.keys.len(), plural(c.keys.len()));
        let (old, new) = (curves(a), curves(b));
        let found = matched_curves(a, b);
        self.order("curves", &found);
        for (i, j) in found {
            self.spots = (i.map(Spot::Curve), j.map(Spot::Curve));
            match (i.zip(i.and_then(|i| old.get(i))), j.zip(j.and_then(|j| new.get(j)))) {
                (None, Some((_, c))) => self.added(What::Curve, &one_line(&c.actuator), keys(c)),
                (Some((_, c)), None) => self.removed(What::Curve, &one_line(&c.actuator), keys(c)),
                (Some((i, a)), Some((j, b))) => self.curve((i, a), (j, b)),
                (None, None) => {}
            }
        }
        self.spots = (None, None);
    }

    fn curve(&mut self, (i, a): (usize, &ActuatorCurve), (j, b): (usize, &ActuatorCurve)) {
        let joint = one_line(&b.actuator);
        let own = |property: &str| format!("{joint}, {property}");
        self.flag(What::Curve, &own("muted"), a.mute, b.mute);
        self.field(What::Curve, &own("unit"), &a.unit, &b.unit, |u| words::unit(*u));
        self.field(What::Curve, &own("recordable"), &a.recordable, &b.recordable, or_none);
        self.field(What::Curve, &own("always visible"), &a.always_visible, &b.always_visible, or_none);
        self.text(What::Curve, &own("name"), &a.name, &b.name);
        let value = |c: &ActuatorCurve, k: &Key| {
            let hand = matches!(&*c.actuator, "LHand" | "RHand") || c.unit == CurveUnit::Percent;
            format!("{}{}", format_number(k.value), if hand { "" } else { "°" })
        };
        let mut found = pairs(&a.keys, &b.keys, |k| k.frame);
        // A key that was removed and an added one with the same value are one key that was moved.
        rename(&mut found, &a.keys, &b.keys, |k| (Exact(k.value), Shape::new(k)));
        self.order(&format!("keys of {joint}"), &found);
        for (old, new) in found {
            self.spots = (old.map(|k| Spot::Key(i, k)), new.map(|k| Spot::Key(j, k)));
            match (old.and_then(|i| a.keys.get(i)), new.and_then(|j| b.keys.get(j))) {
                (None, Some(k)) => self.added(What::Key, &format!("{joint} frame {}", k.frame), value(b, k)),
                (Some(k), None) => self.removed(What::Key, &format!("{joint} frame {}", k.frame), value(a, k)),
                (Some(x), Some(y)) => {
                    let name = format!("{joint} frame {}", y.frame);
                    self.field(What::Key, &joint, &x.frame, &y.frame, |f| format!("frame {f}"));
                    if Exact(x.value) != Exact(y.value) {
                        // If the shown digits are the same, all digits are shown.
                        let (before, after) = (value(a, x), value(b, y));
                        let exact = before == after;
                        let text = |shown: String, k: &Key| if exact { k.value.to_string() } else { shown };
                        self.push(Kind::Changed, What::Key, name.clone(), Some(text(before, x)), Some(text(after, y)));
                    }
                    self.field(What::Key, &format!("{name}, shape"), &Shape::new(x), &Shape::new(y), Shape::words);
                }
                (None, None) => {}
            }
        }
    }

    fn layers(&mut self, a: &Timeline, b: &Timeline) {
        let count = |l: &BehaviorLayer| format!("{} keyframe{}", l.keyframes.len(), plural(l.keyframes.len()));
        let found = matching::layers(a, b);
        self.order("layers", &found);
        for (l, m) in found {
            self.spots = (l.map(Spot::Layer), m.map(Spot::Layer));
            match (l, m) {
                (None, Some(m)) => self.added(What::Layer, &one_line(&b.layers[m].name), count(&b.layers[m])),
                (Some(l), None) => self.removed(What::Layer, &one_line(&a.layers[l].name), count(&a.layers[l])),
                (Some(l), Some(m)) => self.layer(a, b, l, m),
                (None, None) => {}
            }
        }
        self.spots = (None, None);
    }

    fn layer(&mut self, a: &Timeline, b: &Timeline, l: usize, m: usize) {
        let (old, new) = (&a.layers[l], &b.layers[m]);
        let layer = one_line(&new.name);
        self.text(What::Layer, &format!("{layer}, name"), &old.name, &new.name);
        self.flag(What::Layer, &format!("{layer}, muted"), old.mute, new.mute);
        let found = matching::keyframes(a, b, l, m);
        self.order(&format!("keyframes of {layer}"), &found);
        for (i, j) in found {
            self.spots = (i.map(|i| Spot::Keyframe((l, i))), j.map(|j| Spot::Keyframe((m, j))));
            let name = |k: &BehaviorKeyframe| format!("{layer}:{}", one_line(&k.name));
            let frame = |index: &i32| format!("frame {index}");
            match (i.and_then(|i| old.keyframes.get(i)), j.and_then(|j| new.keyframes.get(j))) {
                (None, Some(k)) => self.added(What::Keyframe, &name(k), frame(&k.index)),
                (Some(k), None) => self.removed(What::Keyframe, &name(k), frame(&k.index)),
                (Some(x), Some(y)) => {
                    let own = |property: &str| format!("{}, {property}", name(y));
                    self.text(What::Keyframe, &own("name"), &x.name, &y.name);
                    self.field(What::Keyframe, &name(y), &x.index, &y.index, frame);
                    self.field(What::Keyframe, &own("image"), &x.bitmap, &y.bitmap, or_none);
                    let zoom = |k: &BehaviorKeyframe| k.diagram.scale.map(Exact);
                    self.field(What::Keyframe, &own("zoom"), &zoom(x), &zoom(y), |z| or_none(&z.map(|z| z.0)));
                }
                (None, None) => {}
            }
        }
    }
}

/// Returns the curves of a timeline.
pub(super) fn curves(t: &Timeline) -> &[ActuatorCurve] {
    t.actuators.as_ref().map_or(&[], |list| &list.curves)
}

/// Matches curves by joint.
pub(super) fn matched_curves(a: &Timeline, b: &Timeline) -> Vec<Pair> {
    pairs(curves(a), curves(b), |c| c.actuator.clone())
}

/// Returns a state machine without its spans.
fn bare(machine: &StateMachine) -> StateMachine {
    let mut bare = StateMachine { span: Span::default(), ..machine.clone() };
    bare.states.iter_mut().for_each(|s| s.span = Span::default());
    bare.transitions.iter_mut().for_each(|t| t.span = Span::default());
    bare
}

fn kind(t: &Timeline) -> String {
    if t.enabled { "a timeline" } else { "a flow diagram" }.to_owned()
}

/// All properties of a key other than its frame and value.
#[derive(Debug, PartialEq)]
struct Shape {
    left: Option<(Interpolation, Exact, Exact)>,
    right: Option<(Interpolation, Exact, Exact)>,
    smooth: Option<bool>,
    symmetrical: Option<bool>,
}

impl Shape {
    fn new(k: &Key) -> Self {
        let side = |t: &Option<Tangent>| t.as_ref().map(|t| (t.interpolation, Exact(t.abscissa), Exact(t.ordinate)));
        Self { left: side(&k.left), right: side(&k.right), smooth: k.smooth, symmetrical: k.symmetrical }
    }

    fn words(&self) -> String {
        let side = |name: &str, t: &Option<(Interpolation, Exact, Exact)>| {
            t.as_ref().map(|(i, x, y)| format!("{name} {} ({}, {})", words::interpolation(*i), x.0, y.0))
        };
        let flag = |name: &str, on: Option<bool>| on.map(|on| format!("{name} {}", yes(on)));
        let parts = [
            side("left", &self.left),
            side("right", &self.right),
            flag("smooth", self.smooth),
            flag("symmetrical", self.symmetrical),
        ];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if text.is_empty() { "automatic".to_owned() } else { text }
    }
}
