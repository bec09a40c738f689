//! Drafts of boxes. A draft becomes the same model as a file.

use super::Error;
use crate::config::BehaviorSource;
use crate::native::{NativeBox, Natives};
use boxstep_format::model::{
    ActuatorCurve, ActuatorList, BehaviorKeyframe, BehaviorLayer, BoxDef, Diagram, Input, InputNature, Link, Output,
    OutputNature, Parameter, ParameterType, PortType, Project, ProjectKind, Resource, ResourceAcquisition,
    StateMachine, Timeline,
};
use boxstep_types::{Span, Value};
use std::sync::Arc;

/// A link of a draft: from a box's output to a box's input or parameter, by names. An empty box name is the box that
/// contains the diagram, seen from inside.
pub type Wire<'a> = ((&'a str, &'a str), (&'a str, &'a str));

/// A draft of a box for [`super::Objects::new_box`].
///
/// A new draft has an inner onLoad input named `onLoad`, an onStart input named `onStart` and an onStop input named
/// `onStop`.
pub struct Draft {
    def: BoxDef,
    natives: Natives,
    error: Option<Error>,
}

/// Returns the span of an element that is in no file.
fn nowhere() -> Span {
    Span::default()
}

impl Draft {
    /// Creates a draft of a box that does nothing.
    pub fn new(name: &str) -> Self {
        let draft = Self::bare(name);
        let draft = draft.input("onLoad", InputNature::OnLoad, PortType::Bang);
        let draft = draft.input("onStart", InputNature::OnStart, PortType::Bang);
        draft.input("onStop", InputNature::OnStop, PortType::Bang)
    }

    /// Creates a draft of a box that does nothing and has no inputs.
    pub fn bare(name: &str) -> Self {
        let def = BoxDef {
            name: name.into(),
            id: -1,
            tooltip: String::new(),
            x: 0.0,
            y: 0.0,
            localization: None,
            plugin: String::new(),
            robot: None,
            bitmap_expanded: None,
            bitmaps: Vec::new(),
            script: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            parameters: Vec::new(),
            resources: Vec::<Resource>::new(),
            timeline: None,
            dialog_file: None,
            plugin_content: None,
            span: nowhere(),
        };
        Self { def, natives: Natives::new(), error: None }
    }

    /// Creates a draft from a box of a model.
    pub fn from_model(def: BoxDef) -> Self {
        Self { def, natives: Natives::new(), error: None }
    }

    fn next_port(&self) -> i32 {
        let inputs = self.def.inputs.iter().map(|i| i.id);
        let others = self.def.outputs.iter().map(|o| o.id).chain(self.def.parameters.iter().map(|p| p.id));
        inputs.chain(others).max().unwrap_or(0) + 1
    }

    /// Adds an input.
    #[must_use]
    pub fn input(mut self, name: &str, nature: InputNature, port_type: PortType) -> Self {
        let (id, inner) = (self.next_port(), nature == InputNature::OnLoad);
        let (memory_key, tooltip) = (None, String::new());
        if self.def.inputs.iter().any(|i| &*i.name == name) {
            self.fail(format!("it has an input {name} already"));
        }
        let input = Input {
            name: name.into(),
            id,
            port_type,
            type_size: 1,
            nature,
            inner,
            memory_key,
            tooltip,
            span: nowhere(),
        };
        self.def.inputs.push(input);
        self
    }

    /// Adds an input that is stimulated each time a key of the robot's memory is raised.
    #[must_use]
    pub fn memory_input(self, name: &str, key: &str) -> Self {
        let mut draft = self.input(name, InputNature::Memory, PortType::Dynamic);
        if let Some(input) = draft.def.inputs.last_mut() {
            input.memory_key = Some(key.to_owned());
            input.inner = true;
        }
        draft
    }

    /// Adds an output.
    #[must_use]
    pub fn output(mut self, name: &str, nature: OutputNature, port_type: PortType) -> Self {
        let (id, tooltip) = (self.next_port(), String::new());
        if self.def.outputs.iter().any(|o| &*o.name == name) {
            self.fail(format!("it has an output {name} already"));
        }
        let output =
            Output { name: name.into(), id, port_type, type_size: 1, nature, inner: false, tooltip, span: nowhere() };
        self.def.outputs.push(output);
        self
    }

    /// Adds a parameter: a Boolean, a number, or a text.
    #[must_use]
    pub fn parameter(self, name: &str, value: impl Into<Value>) -> Self {
        self.param(name, &value.into(), false)
    }

    /// Adds a parameter that inherits the value of the nearest parent's parameter with its name; `value` if there is
    /// none.
    #[must_use]
    pub fn inherited(self, name: &str, value: impl Into<Value>) -> Self {
        self.param(name, &value.into(), true)
    }

    fn param(mut self, name: &str, value: &Value, inherits_from_parent: bool) -> Self {
        let (content_type, text): (ParameterType, Arc<str>) = match value {
            Value::Bool(b) => (ParameterType::Bool, if *b { "1" } else { "0" }.into()),
            Value::Int(n) => (ParameterType::Int, n.to_string().into()),
            Value::Float(x) => (ParameterType::Float, x.to_string().into()),
            Value::Str(text) => (ParameterType::String, text.clone()),
            other => {
                self.fail(format!("the parameter {name} can be no {}", other.kind()));
                return self;
            }
        };
        if self.def.parameters.iter().any(|p| &*p.name == name) {
            self.fail(format!("it has a parameter {name} already"));
        }
        self.def.parameters.push(Parameter {
            name: name.into(),
            id: self.next_port(),
            content_type,
            value: text.clone(),
            default_value: text,
            min: None,
            max: None,
            inherits_from_parent,
            custom_choice: false,
            password: false,
            choices: Vec::new(),
            tooltip: String::new(),
            value_span: nowhere(),
            span: nowhere(),
        });
        self
    }

    /// Has Rust code run the box. `make` is called each time the box is constructed.
    #[must_use]
    pub fn native<B: NativeBox + 'static>(mut self, mut make: impl FnMut() -> B + Send + 'static) -> Self {
        self.natives = self.natives.with(&self.def.name, move || Box::new(make()));
        self
    }

    /// Gives the box an inside, as a file describes it.
    #[must_use]
    pub fn inside(mut self, timeline: Timeline) -> Self {
        self.def.timeline = Some(timeline);
        self
    }

    /// Gives the box a flow diagram.
    #[must_use]
    pub fn diagram(self, boxes: Vec<Draft>, links: &[Wire<'_>]) -> Self {
        self.keyframe("behavior_layer1", "keyframe1", 1, boxes, links)
    }

    /// Gives the box a timeline whose cursor moves. `fps` is in frames per second, `start` and `end` are frames;
    /// without an `end`, the last key is the end, as in a file.
    #[must_use]
    pub fn timeline(mut self, fps: i32, start: i32, end: Option<i32>) -> Self {
        if let Some(end) = end.filter(|end| *end < start) {
            self.error.get_or_insert(Error::BadInterval(start.into(), end.into()));
        }
        let timeline = self.def.timeline.get_or_insert_with(timeline);
        (timeline.enabled, timeline.fps) = (true, Some(fps));
        (timeline.start_frame, timeline.end_frame) = (Some(start), end);
        self
    }

    /// Adds a curve to the box's timeline.
    #[must_use]
    pub fn curve(mut self, curve: ActuatorCurve) -> Self {
        let list = || ActuatorList { model: String::new(), curves: Vec::new(), span: nowhere() };
        self.def.timeline.get_or_insert_with(timeline).actuators.get_or_insert_with(list).curves.push(curve);
        self
    }

    /// Gives the box a state machine without states, driven by the box's timeline if it has one.
    #[must_use]
    pub fn state_machine(mut self) -> Self {
        let machine = StateMachine {
            states: Vec::new(),
            initial: 0,
            finals: Vec::new(),
            transitions: Vec::new(),
            span: nowhere(),
        };
        let inside = self.def.timeline.get_or_insert_with(timeline);
        if inside.layers.is_empty() {
            inside.machine = Some(machine);
            inside.layers.push(layer("states", keyframe("states", 1, Diagram::default())));
        } else {
            self.fail("a box with layers has the state machine that follows from them".to_owned());
        }
        self
    }

    /// Adds a keyframe to a layer of the box's inside.
    #[must_use]
    pub fn keyframe(mut self, of: &str, name: &str, frame: i32, boxes: Vec<Draft>, links: &[Wire<'_>]) -> Self {
        let mut diagram = Diagram::default();
        for (n, child) in boxes.into_iter().enumerate() {
            self.error = self.error.or(child.error);
            self.natives = self.natives.and(child.natives);
            diagram.boxes.push(BoxDef { id: n as i32 + 1, ..child.def });
        }
        for ((from_box, output), (to_box, input)) in links {
            let link = self.end(&diagram, from_box, output, true).zip(self.end(&diagram, to_box, input, false));
            match link {
                Some(((from_box, from_port), (to_box, to_port))) => {
                    diagram.links.push(Link { from_box, from_port, to_box, to_port, span: nowhere() });
                }
                None => {
                    self.fail(format!("an end of the link from {from_box}.{output} to {to_box}.{input} does not exist"))
                }
            }
        }
        let inside = self.def.timeline.get_or_insert_with(timeline);
        let keyframe = keyframe(name, frame, diagram);
        match inside.layers.iter_mut().find(|l| &*l.name == of) {
            Some(layer) => layer.keyframes.push(keyframe),
            None => inside.layers.push(layer(of, keyframe)),
        }
        self
    }

    /// Returns the ids of a link's end: box and port.
    fn end(&self, diagram: &Diagram, name: &str, port: &str, source: bool) -> Option<(i32, i32)> {
        let (id, def) = match name {
            "" => (0, &self.def),
            name => diagram.boxes.iter().find(|b| &*b.name == name).map(|b| (b.id, b))?,
        };
        let output = def.outputs.iter().find(|o| &*o.name == port).map(|o| o.id);
        let input = def.inputs.iter().find(|i| &*i.name == port).map(|i| i.id);
        let parameter = def.parameters.iter().find(|p| &*p.name == port).map(|p| p.id);
        // Seen from inside, signals come from an input of the containing box.
        let found = match (source, name.is_empty()) {
            (true, true) => input,
            (true, false) | (false, true) => output,
            (false, false) => input.or(parameter),
        };
        Some((id, found?))
    }

    fn fail(&mut self, why: String) {
        self.error.get_or_insert(Error::Invalid(why));
    }

    /// Returns the box's inside.
    pub(super) fn into_timeline(self) -> Result<Timeline, Error> {
        self.error.map_or(self.def.timeline.ok_or(Error::NoTimeline), Err)
    }

    /// Returns the behavior that consists of this box, and its native boxes.
    pub(super) fn finish(self) -> Result<(BehaviorSource, Natives), Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let source = BehaviorSource {
            name: self.def.name.clone(),
            project: Arc::new(Project {
                kind: ProjectKind::Project,
                version: Some(3),
                root: self.def,
                resources: Vec::new(),
                span: nowhere(),
            }),
            sources: Arc::default(),
            folder: ".".into(),
            relative_folder: ".".to_owned(),
            package_uid: String::new(),
        };
        Ok((source, self.natives))
    }
}

fn timeline() -> Timeline {
    Timeline {
        enabled: false,
        fps: None,
        start_frame: None,
        end_frame: None,
        size: None,
        acquisition: ResourceAcquisition::default(),
        scale: None,
        actuators: None,
        layers: Vec::new(),
        machine: None,
        span: nowhere(),
    }
}

fn keyframe(name: &str, index: i32, diagram: Diagram) -> BehaviorKeyframe {
    BehaviorKeyframe { name: name.into(), index, bitmap: None, diagram, span: nowhere() }
}

fn layer(name: &str, keyframe: BehaviorKeyframe) -> BehaviorLayer {
    BehaviorLayer { name: name.into(), mute: false, keyframes: vec![keyframe], span: nowhere() }
}
