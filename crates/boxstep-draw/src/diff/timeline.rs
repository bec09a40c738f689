//! What differs between two timelines: settings, curves, keys, layers and keyframes.

use super::boxes::or_none;
use super::{Kind, Notes, What, matching, pairs};
use crate::json::acquisition;
use crate::text::{one_line, plain};
use crate::tree::content as words;
use boxstep_format::model::{ActuatorCurve, BoxDef, CurveUnit, Key, Tangent, Timeline};

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
        let end = |t: &Timeline| t.end_frame.map_or_else(|| "the last key".to_owned(), |f| f.to_string());
        let model = |t: &Timeline| t.actuators.as_ref().map(|a| a.model.clone()).unwrap_or_default();
        let clock = |t: &Timeline| if t.enabled { "on" } else { "off" }.to_owned();
        let rows = [
            ("clock", clock(a), clock(b)),
            ("frames per second", or_none(a.fps), or_none(b.fps)),
            ("first frame", or_none(a.start_frame), or_none(b.start_frame)),
            ("last frame", end(a), end(b)),
            ("edited length", or_none(a.size), or_none(b.size)),
            ("joints in use", acquisition(a.acquisition).to_owned(), acquisition(b.acquisition).to_owned()),
            ("zoom", or_none(a.scale), or_none(b.scale)),
            ("robot of the curves", model(a), model(b)),
        ];
        for (name, before, after) in rows {
            self.field(What::Timeline, name, before, after);
        }
    }

    fn curves(&mut self, a: &Timeline, b: &Timeline) {
        fn list(t: &Timeline) -> Vec<&ActuatorCurve> {
            t.actuators.iter().flat_map(|l| &l.curves).collect()
        }
        let (old, new) = (list(a), list(b));
        let keys = |c: &ActuatorCurve| format!("{} key{}", c.keys.len(), words::plural(c.keys.len()));
        for (i, j) in pairs(&old, &new, |c| c.actuator.to_string()) {
            match (i.and_then(|i| old.get(i)), j.and_then(|j| new.get(j))) {
                (None, Some(c)) => self.added(What::Curve, &one_line(&c.actuator), keys(c)),
                (Some(c), None) => self.removed(What::Curve, &one_line(&c.actuator), keys(c)),
                (Some(a), Some(b)) => self.curve(a, b),
                (None, None) => {}
            }
        }
    }

    fn curve(&mut self, a: &ActuatorCurve, b: &ActuatorCurve) {
        let joint = one_line(&b.actuator);
        let flag = |on: bool| if on { "yes" } else { "no" }.to_owned();
        let rows = [
            ("muted", flag(a.mute), flag(b.mute)),
            ("unit", words::unit(a.unit), words::unit(b.unit)),
            ("recordable", or_none(a.recordable), or_none(b.recordable)),
            ("always visible", or_none(a.always_visible), or_none(b.always_visible)),
            ("name", a.name.clone(), b.name.clone()),
        ];
        for (name, before, after) in rows {
            self.field(What::Curve, &format!("{joint}, {name}"), before, after);
        }
        let value = |c: &ActuatorCurve, k: &Key| {
            let hand = matches!(&*c.actuator, "LHand" | "RHand") || c.unit == CurveUnit::Percent;
            format!("{}{}", plain(k.value), if hand { "" } else { "°" })
        };
        let mut found = pairs(&a.keys, &b.keys, |k| k.frame.to_string());
        // A key that has gone and one of the same value that has come are one that was moved.
        super::rename(&mut found, &a.keys, &b.keys, |k| (k.value.to_bits(), shape(k)));
        for (old, new) in found {
            match (old.and_then(|i| a.keys.get(i)), new.and_then(|j| b.keys.get(j))) {
                (None, Some(k)) => self.added(What::Key, &format!("{joint} frame {}", k.frame), value(b, k)),
                (Some(k), None) => self.removed(What::Key, &format!("{joint} frame {}", k.frame), value(a, k)),
                (Some(x), Some(y)) => {
                    let name = format!("{joint} frame {}", y.frame);
                    if x.frame != y.frame {
                        let frame = |k: &Key| format!("frame {}", k.frame);
                        self.push(Kind::Changed, What::Key, joint.clone(), Some(frame(x)), Some(frame(y)));
                    }
                    if x.value.to_bits() != y.value.to_bits() {
                        // Digits that are not shown must not make two equal texts.
                        let (before, after) = (value(a, x), value(b, y));
                        let exact = before == after;
                        let text = |shown: String, k: &Key| if exact { k.value.to_string() } else { shown };
                        self.push(Kind::Changed, What::Key, name.clone(), Some(text(before, x)), Some(text(after, y)));
                    }
                    self.field(What::Key, &format!("{name}, shape"), shape(x), shape(y));
                }
                (None, None) => {}
            }
        }
    }

    fn layers(&mut self, a: &Timeline, b: &Timeline) {
        for (l, m) in matching::layers(a, b) {
            let count = |t: &Timeline, i: usize| {
                let n = t.layers.get(i).map_or(0, |l| l.keyframes.len());
                format!("{n} keyframe{}", words::plural(n))
            };
            match (l, m) {
                (None, Some(m)) => self.added(What::Layer, &one_line(&b.layers[m].name), count(b, m)),
                (Some(l), None) => self.removed(What::Layer, &one_line(&a.layers[l].name), count(a, l)),
                (Some(l), Some(m)) => self.layer(a, b, l, m),
                (None, None) => {}
            }
        }
    }

    fn layer(&mut self, a: &Timeline, b: &Timeline, l: usize, m: usize) {
        let (old, new) = (&a.layers[l], &b.layers[m]);
        let layer = one_line(&new.name);
        let flag = |on: bool| if on { "yes" } else { "no" };
        self.field(What::Layer, &format!("{layer}, name"), one_line(&old.name), layer.clone());
        self.field(What::Layer, &format!("{layer}, muted"), flag(old.mute), flag(new.mute));
        for (i, j) in matching::keyframes(a, b, l, m) {
            match (i.and_then(|i| old.keyframes.get(i)), j.and_then(|j| new.keyframes.get(j))) {
                (None, Some(k)) => {
                    self.added(What::Keyframe, &format!("{layer}:{}", one_line(&k.name)), format!("frame {}", k.index))
                }
                (Some(k), None) => self.removed(
                    What::Keyframe,
                    &format!("{layer}:{}", one_line(&k.name)),
                    format!("frame {}", k.index),
                ),
                (Some(x), Some(y)) => {
                    let name = format!("{layer}:{}", one_line(&y.name));
                    self.field(What::Keyframe, &format!("{name}, name"), one_line(&x.name), one_line(&y.name));
                    self.field(What::Keyframe, &name, format!("frame {}", x.index), format!("frame {}", y.index));
                    self.field(
                        What::Keyframe,
                        &format!("{name}, image"),
                        or_none(x.bitmap.as_ref()),
                        or_none(y.bitmap.as_ref()),
                    );
                    self.field(
                        What::Keyframe,
                        &format!("{name}, zoom"),
                        or_none(x.diagram.scale),
                        or_none(y.diagram.scale),
                    );
                }
                (None, None) => {}
            }
        }
    }
}

fn kind(t: &Timeline) -> String {
    if t.enabled { "a timeline" } else { "a flow diagram" }.to_owned()
}

/// All about a key but its place.
fn shape(k: &Key) -> String {
    let side = |name: &str, t: &Option<Tangent>| {
        let t = t.as_ref()?;
        Some(format!("{name} {} ({}, {})", words::interpolation(t.interpolation), t.abscissa, t.ordinate))
    };
    let flag = |name: &str, on: Option<bool>| on.map(|on| format!("{name} {}", if on { "yes" } else { "no" }));
    let parts =
        [side("left", &k.left), side("right", &k.right), flag("smooth", k.smooth), flag("symmetrical", k.symmetrical)];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if text.is_empty() { "automatic".to_owned() } else { text }
}
