//! The edits that make a timeline of a file another one: its frames, and its curves.

use super::WriteError;
use super::edit::{At, Edits};
use super::model::print_curve;
use super::number::float;
use crate::model::{ActuatorCurve, CurveUnit, Key, Tangent, Timeline};
use crate::raw::RawNode;
use boxstep_types::Span;

impl<'a> Edits<'a> {
    /// Changes a timeline of the file from `old`, as it was read, to `new`, which has the same layers, keyframes and
    /// states, at other frames. `of` has for each new curve the number of the old one that it was, with the same keys at
    /// other frames and values; `None` if the curve is new. Old curves that are in no place of `of` are removed.
    pub fn set_timeline(&mut self, old: &Timeline, new: &Timeline, of: &[Option<usize>]) {
        let Some(node) = self.node(old.span) else { return };
        self.set_frame(node, "start_frame", old.start_frame, new.start_frame);
        self.set_frame(node, "end_frame", old.end_frame, new.end_frame);
        self.set_frame(node, "size", old.size, new.size);
        let keyframes = |timeline: &Timeline| -> Vec<(Span, i32)> {
            let keyframes = timeline.layers.iter().flat_map(|layer| &layer.keyframes);
            keyframes.map(|keyframe| (keyframe.span, keyframe.index)).collect()
        };
        for ((span, before), (_, after)) in keyframes(old).into_iter().zip(keyframes(new)) {
            if let Some(node) = self.node(span) {
                self.set_frame(node, "index", Some(before), Some(after));
            }
        }
        let states = |timeline: &Timeline| -> Vec<_> {
            let states = timeline.machine.iter().flat_map(|machine| &machine.states);
            states.map(|state| (state.span, state.begin, state.end)).collect()
        };
        for ((span, begin, end), (_, new_begin, new_end)) in states(old).into_iter().zip(states(new)) {
            if let Some(node) = self.node(span) {
                self.set_frame(node, "begin", begin, new_begin);
                self.set_frame(node, "end", end, new_end);
            }
        }
        self.set_curves(old, new, of);
    }

    fn set_curves(&mut self, old: &Timeline, new: &Timeline, of: &[Option<usize>]) {
        let (Some(before), Some(after)) = (&old.actuators, &new.actuators) else { return };
        let Some(list) = self.node(before.span) else { return };
        if before.model != after.model {
            self.set_attribute(list, "model", &after.model);
        }
        for (number, curve) in before.curves.iter().enumerate() {
            match (self.node(curve.span), of.iter().position(|of| *of == Some(number))) {
                (Some(node), Some(at)) => {
                    if let Some(after) = after.curves.get(at) {
                        self.set_curve(node, curve, after);
                    }
                }
                (Some(node), None) => self.remove(node),
                (None, _) => {}
            }
        }
        let added: Vec<&ActuatorCurve> =
            after.curves.iter().zip(of).filter(|(_, of)| of.is_none()).map(|(curve, _)| curve).collect();
        if !added.is_empty() {
            // The last of the old curves may go, and with it the place after it.
            self.insert(At::Start(list), |p| added.iter().for_each(|curve| print_curve(p, curve)));
        }
    }

    fn set_curve(&mut self, node: RawNode<'a>, before: &ActuatorCurve, after: &ActuatorCurve) {
        if before.actuator != after.actuator {
            self.set_attribute(node, "actuator", &after.actuator);
        }
        if before.unit != after.unit {
            let unit = match after.unit {
                CurveUnit::Unspecified => -1,
                CurveUnit::Degree => 0,
                CurveUnit::Percent => 1,
                CurveUnit::Unknown(number) => number,
            };
            self.set_attribute(node, "unit", &unit.to_string());
        }
        for (before, after) in before.keys.iter().zip(&after.keys) {
            self.set_key(before, after);
        }
    }

    fn set_key(&mut self, before: &Key, after: &Key) {
        let Some(node) = self.node(before.span) else { return };
        self.set_frame(node, "frame", Some(before.frame), Some(after.frame));
        self.set_float(node, "value", before.value, after.value);
        let tangents: [(&Option<Tangent>, &Option<Tangent>); 2] =
            [(&before.left, &after.left), (&before.right, &after.right)];
        for (before, after) in tangents {
            let (Some(before), Some(after)) = (before, after) else { continue };
            if let Some(node) = self.node(before.span) {
                self.set_float(node, "abscissaParam", before.abscissa, after.abscissa);
                self.set_float(node, "ordinateParam", before.ordinate, after.ordinate);
            }
        }
    }

    fn set_frame(&mut self, node: RawNode<'a>, name: &str, before: Option<i32>, after: Option<i32>) {
        if let Some(frame) = after.filter(|_| before != after) {
            self.set_attribute(node, name, &frame.to_string());
        }
    }

    fn set_float(&mut self, node: RawNode<'a>, name: &str, before: f64, after: f64) {
        if before.to_bits() == after.to_bits() {
            return;
        }
        match float(after) {
            Some(text) => self.set_attribute(node, name, &text),
            None => self.remember(Err(WriteError::NotFinite(format!("the attribute `{name}`")))),
        }
    }

    fn node(&self, span: Span) -> Option<RawNode<'a>> {
        self.view().starting_at(span.start)
    }
}
