//! Conversion of the model to the JSON form.

use super::{
    Behavior, BoxDef, Curve, End, Input, Key, Keyframe, Layer, Link, Machine, Output, Parameter, Resource, Script,
    State, Tangent, Timeline, Transition,
};
use crate::contents::Listed;
use crate::tree::content as words;
use boxstep_format::XarFile;
use boxstep_format::model::{self, NO_ID, ProjectKind, ResourceAcquisition};
use boxstep_format::paths;
use boxstep_format::project::ProjectContents;
use boxstep_format::resolve::{self, Resolver};
use boxstep_types::{BoxPath, Sources};

impl Behavior {
    pub(super) fn new(name: &str, file: Option<&XarFile>, contents: &ProjectContents) -> Self {
        let project = file.map(|f| &f.project);
        Self {
            schema: super::SCHEMA,
            name: name.to_owned(),
            kind: match project.map(|p| p.kind) {
                Some(ProjectKind::Project) => "behavior",
                Some(ProjectKind::LibraryBox) => "library box",
                None => "project",
            },
            xar_version: project.and_then(|p| p.version),
            root: file.map(|f| box_def(&f.project.root, &BoxPath::root(f.project.root.name.clone()), &f.sources)),
            resources: project.iter().flat_map(|p| &p.resources).map(resource).collect(),
            contents: Some(Listed::new(contents)).filter(|listed| !listed.is_empty()),
        }
    }
}

fn id(id: i32) -> Option<i32> {
    (id != NO_ID).then_some(id)
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn box_def(def: &model::BoxDef, path: &BoxPath, sources: &Sources) -> BoxDef {
    let script = |s: &model::Script| Script { language: words::exact_language(s.language), text: s.text.to_string() };
    BoxDef {
        name: def.name.to_string(),
        path: path.to_string(),
        id: id(def.id),
        tooltip: def.tooltip.clone(),
        x: finite(def.x),
        y: finite(def.y),
        localization: def.localization,
        robot: def.robot.clone(),
        images: def.bitmaps.clone(),
        image_expanded: def.bitmap_expanded,
        plugin: def.plugin.clone(),
        plugin_content: def.plugin_content.map(|span| sources.slice(span).to_owned()),
        script: def.script.as_ref().map(script),
        inputs: def.inputs.iter().map(input).collect(),
        outputs: def.outputs.iter().map(output).collect(),
        parameters: def.parameters.iter().map(parameter).collect(),
        resources: def.resources.iter().map(resource).collect(),
        dialog_file: def.dialog_file.clone(),
        timeline: def.timeline.as_ref().map(|t| timeline(def, t, path, sources)),
    }
}

fn input(p: &model::Input) -> Input {
    Input {
        name: p.name.to_string(),
        id: id(p.id),
        port_type: words::exact_port_type(p.port_type),
        size: p.type_size,
        nature: words::input_nature(p.nature),
        inner: p.inner,
        memory_key: p.memory_key.clone(),
        tooltip: p.tooltip.clone(),
    }
}

fn output(p: &model::Output) -> Output {
    Output {
        name: p.name.to_string(),
        id: id(p.id),
        port_type: words::exact_port_type(p.port_type),
        size: p.type_size,
        nature: words::output_nature(p.nature),
        inner: p.inner,
        tooltip: p.tooltip.clone(),
    }
}

fn parameter(p: &model::Parameter) -> Parameter {
    let seen = |text: &str| (!p.password).then(|| text.to_owned());
    Parameter {
        name: p.name.to_string(),
        id: id(p.id),
        content_type: words::exact_parameter_type(p.content_type),
        value: seen(&p.value),
        default: seen(&p.default_value),
        min: p.min.and_then(finite),
        max: p.max.and_then(finite),
        inherits_from_parent: p.inherits_from_parent,
        custom_choice: p.custom_choice,
        password: p.password,
        choices: p.choices.clone(),
        tooltip: p.tooltip.clone(),
    }
}

fn resource(r: &model::Resource) -> Resource {
    Resource { name: r.name.to_string(), mode: words::resource_mode(r).to_owned(), timeout: finite(r.timeout) }
}

fn timeline(def: &model::BoxDef, t: &model::Timeline, path: &BoxPath, sources: &Sources) -> Timeline {
    // `diagrams` visits layers and keyframes in the same order.
    let mut paths = paths::diagrams(path, def).into_iter().map(|d| d.path);
    let mut keyframe = |k: &model::BehaviorKeyframe| {
        let path = paths.next().unwrap_or_else(|| path.clone());
        let segments = paths::segments(&k.diagram);
        Keyframe {
            name: k.name.to_string(),
            frame: k.index,
            image: k.bitmap.clone(),
            scale: k.diagram.scale.and_then(finite),
            boxes: k.diagram.boxes.iter().zip(segments).map(|(b, s)| box_def(b, &path.join(s), sources)).collect(),
            links: links(def, &k.diagram),
        }
    };
    let mut layer = |l: &model::BehaviorLayer| Layer {
        name: l.name.to_string(),
        mute: l.mute,
        keyframes: l.keyframes.iter().map(&mut keyframe).collect(),
    };
    Timeline {
        enabled: t.enabled,
        fps: t.fps,
        start_frame: t.start_frame,
        end_frame: t.end_frame,
        acquisition: acquisition(t.acquisition),
        size: t.size,
        scale: t.scale,
        model: t.actuators.as_ref().map(|a| a.model.clone()).filter(|m| !m.is_empty()),
        curves: t.actuators.iter().flat_map(|a| &a.curves).map(curve).collect(),
        layers: t.layers.iter().map(&mut layer).collect(),
        state_machine: t.machine.as_ref().map(machine),
    }
}

fn machine(m: &model::StateMachine) -> Machine {
    let state = |s: &model::MachineState| State {
        name: s.name.to_string(),
        begin: s.begin,
        end: s.end,
        labels: s.labels.iter().map(|l| l.to_string()).collect(),
        boxes: s.boxes.clone(),
        links: s.links.clone(),
    };
    let transition = |t: &model::Transition| Transition { from: t.from, to: t.to, timeout: t.timeout };
    Machine {
        states: m.states.iter().map(state).collect(),
        initial: m.initial,
        finals: m.finals.clone(),
        transitions: m.transitions.iter().map(transition).collect(),
    }
}

pub(crate) fn acquisition(a: ResourceAcquisition) -> &'static str {
    match a {
        ResourceAcquisition::Passive => "passive",
        ResourceAcquisition::Waiting => "waiting",
        ResourceAcquisition::Aggressive => "aggressive",
    }
}

fn curve(c: &model::ActuatorCurve) -> Curve {
    let key = |k: &model::Key| Key {
        frame: k.frame,
        value: finite(k.value),
        smooth: k.smooth,
        symmetrical: k.symmetrical,
        left: k.left.as_ref().map(tangent),
        right: k.right.as_ref().map(tangent),
    };
    Curve {
        name: c.name.clone(),
        joint: c.actuator.to_string(),
        recordable: c.recordable,
        always_visible: c.always_visible,
        mute: c.mute,
        unit: words::unit(c.unit),
        keys: c.keys.iter().map(key).collect(),
    }
}

fn tangent(t: &model::Tangent) -> Tangent {
    Tangent {
        interpolation: words::interpolation(t.interpolation),
        frames: finite(t.abscissa),
        value: finite(t.ordinate),
    }
}

fn links(parent: &model::BoxDef, diagram: &model::Diagram) -> Vec<Link> {
    let resolver = Resolver::new(parent, diagram);
    let link = |(i, l): (usize, &model::Link)| {
        let route = resolver.route(i, l);
        let name = |end: resolve::End| match end {
            resolve::End::Parent(port) => Some(port.describe(parent).1.to_owned()),
            resolve::End::Box(i, port) => diagram.boxes.get(i).map(|b| port.describe(b).1.to_owned()),
        };
        let end = |owner: i32, port: i32, at: Option<resolve::End>| End {
            owner: id(owner),
            port: id(port),
            name: at.and_then(name),
        };
        let (from, to) = (route.as_ref().ok().map(|r| r.from), route.as_ref().ok().map(|r| r.to));
        Link {
            from: end(l.from_box, l.from_port, from),
            to: end(l.to_box, l.to_port, to),
            broken: route.err().map(|e| e.message(parent, diagram)),
        }
    };
    diagram.links.iter().enumerate().map(link).collect()
}
