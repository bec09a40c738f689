//! All spans of a model, to move a box to another file or to compare models.

use crate::model::{BehaviorKeyframe, BehaviorLayer, BoxDef, Diagram, Timeline};
use boxstep_types::{FileId, Span};

impl BoxDef {
    /// Calls a function with each span that the box and everything inside it have, except those of plugin contents,
    /// which are the content itself.
    pub fn for_each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(&mut self.span);
        if let Some(script) = &mut self.script {
            change(&mut script.span);
            change(&mut script.text_span);
        }
        self.inputs.iter_mut().for_each(|input| change(&mut input.span));
        self.outputs.iter_mut().for_each(|output| change(&mut output.span));
        for parameter in &mut self.parameters {
            change(&mut parameter.span);
            change(&mut parameter.value_span);
        }
        self.resources.iter_mut().for_each(|resource| change(&mut resource.span));
        if let Some(timeline) = &mut self.timeline {
            timeline.for_each_span(change);
        }
    }

    /// Makes the box, and everything inside it, one of another file: all spans get its id.
    pub fn set_file(&mut self, file: FileId) {
        self.for_each_span(&mut |span| span.file = file);
        self.for_each_plugin(&mut |span| span.file = file);
    }

    pub(crate) fn for_each_plugin(&mut self, change: &mut dyn FnMut(&mut Span)) {
        self.plugin_content.iter_mut().for_each(&mut *change);
        let layers = self.timeline.iter_mut().flat_map(|timeline| &mut timeline.layers);
        let keyframes = layers.flat_map(|layer| &mut layer.keyframes);
        keyframes.flat_map(|k| &mut k.diagram.boxes).for_each(|def| def.for_each_plugin(change));
    }
}

impl Timeline {
    pub(crate) fn for_each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(&mut self.span);
        if let Some(machine) = &mut self.machine {
            change(&mut machine.span);
            machine.states.iter_mut().for_each(|state| change(&mut state.span));
            machine.transitions.iter_mut().for_each(|transition| change(&mut transition.span));
        }
        if let Some(list) = &mut self.actuators {
            change(&mut list.span);
            for curve in &mut list.curves {
                change(&mut curve.span);
                for key in &mut curve.keys {
                    change(&mut key.span);
                    key.left.iter_mut().chain(&mut key.right).for_each(|tangent| change(&mut tangent.span));
                }
            }
        }
        self.layers.iter_mut().for_each(|layer| layer.for_each_span(change));
    }
}

impl BehaviorLayer {
    pub(crate) fn for_each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(&mut self.span);
        self.keyframes.iter_mut().for_each(|keyframe| keyframe.for_each_span(change));
    }
}

impl BehaviorKeyframe {
    pub(crate) fn for_each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(&mut self.span);
        self.diagram.for_each_span(change);
    }
}

impl Diagram {
    pub(crate) fn for_each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(&mut self.span);
        self.boxes.iter_mut().for_each(|def| def.for_each_span(change));
        self.links.iter_mut().for_each(|link| change(&mut link.span));
    }
}
