//! Timelines: their frames, layers, diagrams and curves.

use super::children::{Item, Slot};
use super::{Copies, Edits, is_called};
use crate::model::{
    ActuatorCurve, ActuatorList, BehaviorKeyframe, BehaviorLayer, CurveUnit, Diagram, Key, Link, ResourceAcquisition,
    StateMachine, Tangent, Timeline,
};
use crate::raw::RawNode;
use crate::write::model::{
    interpolation_word, print_actuators, print_curve, print_diagram, print_key, print_keyframe, print_layer,
    print_link, print_machine, print_tangent,
};

impl<'a> Edits<'a> {
    /// Changes a timeline of the file from `old`, as it was read, to `new`, by the rules of [`Edits::set_box`].
    pub fn set_timeline(&mut self, old: &Timeline, new: &Timeline, copies: &Copies<'_>) {
        let Some(node) = self.node(old.span) else { return };
        self.number(node, "enable", i32::from(old.enabled), i32::from(new.enabled));
        self.maybe(node, "fps", old.fps, new.fps);
        self.maybe(node, "start_frame", old.start_frame, new.start_frame);
        // Choregraphe writes −1 for a timeline that ends with its last key.
        let end = |frame: Option<i32>| frame.unwrap_or(-1);
        self.number(node, "end_frame", end(old.end_frame), end(new.end_frame));
        self.maybe(node, "size", old.size, new.size);
        let acquisition = |of: ResourceAcquisition| match of {
            ResourceAcquisition::Passive => 0,
            ResourceAcquisition::Waiting => 1,
            ResourceAcquisition::Aggressive => 2,
        };
        self.number(node, "resources_acquisition", acquisition(old.acquisition), acquisition(new.acquisition));
        self.maybe(node, "scale", old.scale, new.scale);
        let slots = vec![
            self.list(
                "BehaviorLayer",
                (&old.layers, &new.layers),
                |edits, old, new| edits.layer(old, new, copies),
                |p, layer| print_layer(p, layer, copies),
            ),
            self.list(
                "ActuatorList",
                (old.actuators.as_slice(), new.actuators.as_slice()),
                Self::actuators,
                print_actuators,
            ),
            self.machine(old.machine.as_ref(), new.machine.as_ref()),
        ];
        self.arrange(node, slots);
    }

    fn layer(&mut self, old: &BehaviorLayer, new: &BehaviorLayer, copies: &Copies<'_>) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.number(node, "mute", i32::from(old.mute), i32::from(new.mute));
        let slot = self.list(
            "BehaviorKeyframe",
            (&old.keyframes, &new.keyframes),
            |edits, old, new| edits.keyframe(old, new, copies),
            |p, keyframe| print_keyframe(p, keyframe, copies),
        );
        self.arrange(node, vec![slot]);
    }

    fn keyframe(&mut self, old: &BehaviorKeyframe, new: &BehaviorKeyframe, copies: &Copies<'_>) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.number(node, "index", old.index, new.index);
        self.text_or_none(node, "bitmap", old.bitmap.as_deref(), new.bitmap.as_deref());
        // A keyframe without an element for its diagram has an empty one, with the span of the keyframe.
        let is_written = old.diagram.span.end > 0 && old.diagram.span != old.span;
        let (before, after) = (std::slice::from_ref(&old.diagram), std::slice::from_ref(&new.diagram));
        let is_empty = new.diagram == Diagram::default() || (!is_written && new.diagram == old.diagram);
        let slot = self.list(
            "Diagram",
            (if is_written { before } else { &[] }, if is_empty { &[] } else { after }),
            |edits, old, new| edits.diagram(old, new, copies),
            |p, diagram| print_diagram(p, diagram, copies),
        );
        self.arrange(node, vec![slot]);
    }

    fn diagram(&mut self, old: &Diagram, new: &Diagram, copies: &Copies<'_>) {
        let Some(node) = self.node(old.span) else { return };
        match new.scale {
            Some(scale) => self.float(node, "scale", old.scale.unwrap_or(f64::NAN), scale),
            None => self.text_or_none(node, "scale", old.scale.map(|_| ""), None),
        }
        let slots = vec![
            self.boxes((&old.boxes, &new.boxes), copies),
            self.list("Link", (&old.links, &new.links), Self::link, print_link),
        ];
        self.arrange(node, slots);
    }

    fn link(&mut self, old: &Link, new: &Link) {
        let Some(node) = self.node(old.span) else { return };
        self.id(node, "inputowner", old.to_box, new.to_box);
        self.id(node, "indexofinput", old.to_port, new.to_port);
        self.id(node, "outputowner", old.from_box, new.from_box);
        self.id(node, "indexofoutput", old.from_port, new.from_port);
    }

    fn actuators(&mut self, old: &ActuatorList, new: &ActuatorList) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "model", &old.model, &new.model);
        let slot = self.list("ActuatorCurve", (&old.curves, &new.curves), Self::curve, print_curve);
        self.arrange(node, vec![slot]);
    }

    fn curve(&mut self, old: &ActuatorCurve, new: &ActuatorCurve) {
        let Some(node) = self.node(old.span) else { return };
        self.text(node, "name", &old.name, &new.name);
        self.text(node, "actuator", &old.actuator, &new.actuator);
        self.maybe(node, "recordable", old.recordable.map(i32::from), new.recordable.map(i32::from));
        self.number(node, "mute", i32::from(old.mute), i32::from(new.mute));
        self.maybe(node, "alwaysVisible", old.always_visible.map(i32::from), new.always_visible.map(i32::from));
        let unit = |unit: CurveUnit| match unit {
            CurveUnit::Unspecified => -1,
            CurveUnit::Degree => 0,
            CurveUnit::Percent => 1,
            CurveUnit::Unknown(number) => number,
        };
        self.number(node, "unit", unit(old.unit), unit(new.unit));
        let slot = self.list("Key", (&old.keys, &new.keys), Self::key, print_key);
        self.arrange(node, vec![slot]);
    }

    fn key(&mut self, old: &Key, new: &Key) {
        let Some(node) = self.node(old.span) else { return };
        self.number(node, "frame", old.frame, new.frame);
        self.float(node, "value", old.value, new.value);
        self.maybe(node, "smooth", old.smooth.map(i32::from), new.smooth.map(i32::from));
        self.maybe(node, "symmetrical", old.symmetrical.map(i32::from), new.symmetrical.map(i32::from));
        let mut slot = Slot::new("Tangent", Vec::new());
        for (side, old, new) in [("left", &old.left, &new.left), ("right", &old.right, &new.right)] {
            // An element that is no tangent becomes one: a second element of its side would not count.
            let is_of_side = |node: &RawNode<'_>| node.attributes().any(|a| a.name() == "side" && a.value() == side);
            let element = node.elements().find(|node| is_called(*node, "Tangent") && is_of_side(node));
            if let (None, Some(new), Some(element)) = (old, new, element) {
                self.set_attribute(element, "interpType", interpolation_word(new.interpolation));
                self.float(element, "abscissaParam", f64::NAN, new.abscissa);
                self.float(element, "ordinateParam", f64::NAN, new.ordinate);
                continue;
            }
            let change = |edits: &mut Self, old: &Tangent, new: &Tangent| edits.tangent(old, new);
            let print = move |p: &mut crate::write::Printer, tangent: &Tangent| print_tangent(p, side, tangent);
            let one = self.list("Tangent", (old.as_slice(), new.as_slice()), change, print);
            slot.join(one);
        }
        self.arrange(node, vec![slot]);
    }

    fn tangent(&mut self, old: &Tangent, new: &Tangent) {
        let Some(node) = self.node(old.span) else { return };
        let (before, after) = (interpolation_word(old.interpolation), interpolation_word(new.interpolation));
        self.text(node, "interpType", before, after);
        self.float(node, "abscissaParam", old.abscissa, new.abscissa);
        self.float(node, "ordinateParam", old.ordinate, new.ordinate);
    }

    /// A state machine is changed only in the frames of its states; any other one is written anew.
    fn machine<'m>(&mut self, old: Option<&'m StateMachine>, new: Option<&'m StateMachine>) -> Slot<'m> {
        let mut slot = Slot::new("StateMachine", old.map(|machine| machine.span.start));
        let (Some(old), Some(new)) = (old, new) else {
            slot.items.extend(new.map(|machine| Item::New(Box::new(move |p| print_machine(p, machine)))));
            return slot;
        };
        let mut moved = old.clone();
        for (state, after) in moved.states.iter_mut().zip(&new.states) {
            (state.begin, state.end) = (after.begin, after.end);
        }
        if moved != *new {
            slot.items.push(Item::New(Box::new(move |p| print_machine(p, new))));
            return slot;
        }
        for (before, after) in old.states.iter().zip(&new.states) {
            if let Some(node) = self.node(before.span) {
                self.maybe(node, "begin", before.begin, after.begin);
                self.maybe(node, "end", before.end, after.end);
            }
        }
        slot.items.push(Item::Old(0));
        slot
    }
}
