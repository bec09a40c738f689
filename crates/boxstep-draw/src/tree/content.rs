//! Descriptions of the elements of a box.

use super::layout::Item;
use crate::text::plural;
use boxstep_format::model::{
    ActuatorList, BehaviorKeyframe, BoxDef, CurveUnit, Diagram, Input, InputNature, Interpolation, Output,
    OutputNature, Parameter, ParameterType, PortType, Resource, ResourceMode, Script, ScriptLanguage, Timeline,
};
use boxstep_format::resolve::{End, PortRef, resolve};
use std::collections::{BTreeMap, HashMap};

/// Returns a box with everything inside it. `id` is given if the name alone is ambiguous.
pub(super) fn box_item(def: &BoxDef, id: Option<i32>) -> Item {
    let mut text = name_of(def, id);
    if let Some(t) = &def.timeline {
        text.push_str(&timeline(t));
    }
    if !def.plugin.is_empty() {
        text.push_str(&format!("  ({})", def.plugin));
    }
    let mut item = Item::new(text);
    let own = &mut item.children;
    if !def.inputs.is_empty() {
        own.push(Item::new(format!("in: {}", list(&def.inputs, input))));
    }
    if !def.outputs.is_empty() {
        own.push(Item::new(format!("out: {}", list(&def.outputs, output))));
    }
    own.extend(def.parameters.iter().map(|p| Item::new(parameter(p))));
    own.extend(def.resources.iter().map(|r| Item::new(resource(r))));
    if let Some(s) = def.script.as_ref().filter(|s| !s.text.trim().is_empty()) {
        let lines = script_lines(s);
        own.push(Item::new(format!("script: {}, {lines} line{}", s.language.words(), plural(lines))));
    }
    own.extend(def.dialog_file.iter().map(|d| Item::new(format!("dialog: {d}"))));
    if let Some(t) = &def.timeline {
        inside(def, t, own);
    }
    item
}

fn inside(def: &BoxDef, t: &Timeline, own: &mut Vec<Item>) {
    own.extend(t.actuators.iter().filter(|a| !a.curves.is_empty()).map(curves));
    // This is the editor's form of a plain flow diagram: one layer, one keyframe, no clock.
    if let (false, [layer]) = (t.enabled, t.layers.as_slice())
        && let [keyframe] = layer.keyframes.as_slice()
    {
        return diagram(def, &keyframe.diagram, own);
    }
    for layer in &t.layers {
        let mute = if layer.mute { ", muted" } else { "" };
        let mut item = Item::new(format!("layer {}{mute}", layer.name));
        for k in &layer.keyframes {
            item.children.push(keyframe_item(def, k));
        }
        own.push(item);
    }
}

/// Returns a keyframe with its diagram.
pub(super) fn keyframe_item(def: &BoxDef, k: &BehaviorKeyframe) -> Item {
    let mut keyframe = Item::new(format!("frame {}: {}", k.index, k.name));
    diagram(def, &k.diagram, &mut keyframe.children);
    keyframe
}

fn diagram(parent: &BoxDef, diagram: &Diagram, own: &mut Vec<Item>) {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for b in &diagram.boxes {
        *known.entry(&b.name).or_default() += 1;
    }
    let shared = |b: &BoxDef| known.get(&*b.name).is_some_and(|count| *count > 1);
    let names: Vec<String> =
        diagram.boxes.iter().map(|b| name_of(b, (b.name.is_empty() || shared(b)).then_some(b.id))).collect();
    for b in &diagram.boxes {
        own.push(box_item(b, (b.name.is_empty() || shared(b)).then_some(b.id)));
    }
    let end = |end: End| match end {
        End::Parent(port) => port_name(port, parent),
        End::Box(i, port) => {
            let name = names.get(i).map_or("", String::as_str);
            format!("{name}.{}", diagram.boxes.get(i).map(|b| port_name(port, b)).unwrap_or_default())
        }
    };
    let mut broken = 0;
    let mut sources: Vec<(String, Vec<String>)> = Vec::new();
    let mut place: BTreeMap<String, usize> = BTreeMap::new();
    for route in resolve(parent, diagram) {
        let Ok(route) = route else {
            broken += 1;
            continue;
        };
        let from = end(route.from);
        let at = *place.entry(from.clone()).or_insert_with(|| {
            sources.push((from, Vec::new()));
            sources.len() - 1
        });
        sources[at].1.push(end(route.to));
    }
    if sources.is_empty() && broken == 0 {
        return;
    }
    let mut links = Item::new("links");
    links.children = sources.into_iter().map(|(from, to)| Item::new(format!("{from} → {}", to.join(", ")))).collect();
    if broken > 0 {
        links.children.push(Item::new(format!("{broken} broken link{}", plural(broken))));
    }
    own.push(links);
}

fn port_name(port: PortRef, def: &BoxDef) -> String {
    let (kind, name) = port.describe(def);
    if kind == "parameter" { format!("{name} (parameter)") } else { name.to_owned() }
}

fn name_of(def: &BoxDef, id: Option<i32>) -> String {
    match id {
        Some(id) => format!("{}#{id}", one_line(&def.name)),
        None => one_line(&def.name),
    }
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// Replaces control characters by spaces, and shortens long names and values.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match plain.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

pub(crate) fn timeline(t: &Timeline) -> String {
    if !t.enabled {
        return String::new();
    }
    let mut playing = t.actuators.iter().flat_map(|a| &a.curves).filter(|c| !c.mute);
    let end = match t.end_frame {
        Some(end) => format!("to {end}"),
        None if playing.any(|c| !c.keys.is_empty()) => "to the last key".to_owned(),
        None => "on without end".to_owned(),
    };
    format!("  timeline, frames {} {end} at {} fps", t.start_frame.unwrap_or(1), t.fps.unwrap_or(25))
}

pub(crate) fn input(i: &Input) -> String {
    let key = i.memory_key.as_deref().map(|k| format!(" {k}")).unwrap_or_default();
    format!("{} ({}{key}, {})", one_line(&i.name), known(input_nature(i.nature)), sized(i.port_type, i.type_size))
}

pub(crate) fn output(o: &Output) -> String {
    format!("{} ({}, {})", one_line(&o.name), known(output_nature(o.nature)), sized(o.port_type, o.type_size))
}

fn sized(t: PortType, size: i32) -> String {
    if size == 1 { port_type(t).to_owned() } else { format!("{size} × {}", port_type(t)) }
}

pub(crate) fn port_type(t: PortType) -> &'static str {
    match t {
        PortType::Dynamic => "dynamic",
        PortType::Bang => "bang",
        PortType::Number => "number",
        PortType::String => "string",
        PortType::Bitmap => "bitmap",
        PortType::Sound => "sound",
        PortType::Unknown(_) => "unknown type",
    }
}

/// Returns e.g. `bang`, or `unknown 7`.
pub(crate) fn exact_port_type(t: PortType) -> String {
    match t {
        PortType::Unknown(n) => format!("unknown {n}"),
        known => port_type(known).to_owned(),
    }
}

/// Returns e.g. `start, bang`, with the numbers of unknown natures and types.
pub(crate) fn exact_port(nature: String, t: PortType, size: i32) -> String {
    let many = if size == 1 { String::new() } else { format!("{size} × ") };
    format!("{nature}, {many}{}", exact_port_type(t))
}

pub(crate) fn parameter(p: &Parameter) -> String {
    let kind = parameter_type(p.content_type);
    let value = if p.password { "…".to_owned() } else { one_line(&p.value) };
    let mut text = format!("parameter {} = {value} ({kind}", one_line(&p.name));
    if let (Some(min), Some(max)) = (p.min, p.max) {
        text.push_str(&format!(", {min} to {max}"));
    }
    if !p.choices.is_empty() {
        text.push_str(&format!(", {} choices", p.choices.len()));
    }
    if p.inherits_from_parent {
        text.push_str(", from parent");
    }
    text.push(')');
    text
}

pub(crate) fn resource(r: &Resource) -> String {
    format!("resource {}: {}", one_line(&r.name), resource_about(r))
}

/// Returns e.g. `lock, waits 1 s`.
pub(crate) fn resource_about(r: &Resource) -> String {
    format!("{}, {}", resource_mode(r), resource_wait(r.timeout))
}

/// Returns e.g. `load`, or `unknown 7`.
pub(crate) fn input_nature(nature: InputNature) -> String {
    match nature {
        InputNature::OnLoad => "load".to_owned(),
        InputNature::OnEvent => "event".to_owned(),
        InputNature::OnStart => "start".to_owned(),
        InputNature::OnStop => "stop".to_owned(),
        InputNature::Memory => "memory".to_owned(),
        InputNature::Unknown(n) => format!("unknown {n}"),
    }
}

/// Returns e.g. `stopped`, or `unknown 7`.
pub(crate) fn output_nature(nature: OutputNature) -> String {
    match nature {
        OutputNature::Undefined => "undefined".to_owned(),
        OutputNature::OnStopped => "stopped".to_owned(),
        OutputNature::Punctual => "punctual".to_owned(),
        OutputNature::Recurrent => "recurrent".to_owned(),
        OutputNature::Unknown(n) => format!("unknown {n}"),
    }
}

/// Removes the number of an unknown nature, which means nothing to users.
fn known(nature: String) -> String {
    if nature.starts_with("unknown") { "unknown nature".to_owned() } else { nature }
}

pub(crate) fn parameter_type(t: ParameterType) -> &'static str {
    match t {
        ParameterType::Bool => "bool",
        ParameterType::Int => "int",
        ParameterType::Float => "float",
        ParameterType::String => "string",
        ParameterType::File => "file",
        ParameterType::Localized => "localized",
        ParameterType::Unknown(_) => "unknown type",
    }
}

/// Returns e.g. `int`, or `unknown 7`.
pub(crate) fn exact_parameter_type(t: ParameterType) -> String {
    match t {
        ParameterType::Unknown(n) => format!("unknown {n}"),
        known => parameter_type(known).to_owned(),
    }
}

pub(crate) fn resource_wait(timeout: f64) -> String {
    if timeout < 0.0 { "waits for ever".to_owned() } else { format!("waits {timeout} s") }
}

pub(crate) fn resource_mode(r: &Resource) -> &str {
    match r.mode {
        Some(ResourceMode::Lock) => "lock",
        Some(ResourceMode::StopOnDemand) => "stop on demand",
        Some(ResourceMode::PauseOnDemand) => "pause on demand",
        Some(ResourceMode::CallbackOnDemand) => "callback on demand",
        None => &r.mode_text,
    }
}

/// Returns e.g. `degree`, or `unknown 7`.
pub(crate) fn unit(unit: CurveUnit) -> String {
    match unit {
        CurveUnit::Unspecified => "unspecified".to_owned(),
        CurveUnit::Degree => "degree".to_owned(),
        CurveUnit::Percent => "percent".to_owned(),
        CurveUnit::Unknown(n) => format!("unknown {n}"),
    }
}

pub(crate) fn interpolation(i: Interpolation) -> &'static str {
    match i {
        Interpolation::Constant => "constant",
        Interpolation::Linear => "linear",
        Interpolation::Bezier => "bezier",
        Interpolation::BezierAuto => "bezier auto",
    }
}

pub(crate) fn script_lines(script: &Script) -> usize {
    script.text.trim_end().lines().count()
}

/// Returns e.g. `Python`, or `unknown 7`.
pub(crate) fn exact_language(l: ScriptLanguage) -> String {
    match l {
        ScriptLanguage::Unknown(n) => format!("unknown {n}"),
        known => known.words().to_owned(),
    }
}

fn curves(list: &ActuatorList) -> Item {
    let keys: usize = list.curves.iter().map(|c| c.keys.len()).sum();
    let n = list.curves.len();
    let model = if list.model.is_empty() { String::new() } else { format!(" for {}", list.model) };
    let all = list.curves.iter().map(|c| {
        let mute = if c.mute { " (muted)" } else { "" };
        format!("{} {}{mute}", c.actuator, c.keys.len())
    });
    let all = all.collect::<Vec<_>>().join(", ");
    Item::new(format!("{n} curve{}{model}, {keys} key{}: {all}", plural(n), plural(keys)))
}
