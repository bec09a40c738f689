//! Writing of a model as a new file in canonical layout.

use super::layout::{print_copy, print_plugin_content};
use super::printer::{Printer, Style};
use super::{Copies, WriteError};
use crate::Limits;
use crate::model::{
    ActuatorCurve, ActuatorList, BehaviorKeyframe, BehaviorLayer, BoxDef, CurveUnit, Diagram, Input, InputNature,
    Interpolation, Key, Link, NO_ID, Output, OutputNature, Parameter, ParameterType, PortType, Project, ProjectKind,
    Resource, ResourceAcquisition, Script, ScriptLanguage, StateMachine, Tangent, Timeline,
};
use crate::raw::{Doctype, RawNode, parse};
use boxstep_types::{Sources, Span};

const NAMESPACE: &str = "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd";

/// Returns the model as a whole `.xar` file, in UTF-8 with LF line ends. `sources` are the texts that `plugin_content`
/// spans refer to.
///
/// Reading the result gives an equal model, except for its spans. Attributes with their default value are written or
/// left out as Choregraphe does it.
///
/// ```
/// use boxstep_format::{Limits, read_xar, write::write_xar};
///
/// let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"/></ChoregrapheProject>"#;
/// let mut file = read_xar("behavior.xar", xar, &Limits::default())?;
/// file.project.root.tooltip = "Says hello.".into();
/// let text = write_xar(&file.project, &file.sources).expect("a model without strange characters");
/// assert!(text.contains(r#"tooltip="Says hello.""#));
/// # Ok::<(), boxstep_format::FormatError>(())
/// ```
pub fn write_xar(project: &Project, sources: &Sources) -> Result<String, WriteError> {
    let mut p = Printer::new(Style::default());
    p.source_line("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>");
    match project.kind {
        ProjectKind::Project => {
            p.start("ChoregrapheProject");
            p.attribute("xmlns", NAMESPACE);
        }
        ProjectKind::LibraryBox => p.start("ChoregrapheBox"),
    }
    optional(&mut p, "xar_version", project.version);
    print_box(&mut p, &project.root, sources);
    for resource in &project.resources {
        print_resource(&mut p, resource);
    }
    p.end();
    p.finish()
}

/// Returns a box as the text of a file of a library. Parts that have the spans of boxes are copied from them: see
/// [`Copies`].
pub fn write_library_box(def: &BoxDef, copies: &Copies<'_>) -> Result<String, WriteError> {
    let mut p = Printer::new(Style::default());
    p.source_line("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>");
    p.start("ChoregrapheBox");
    p.number("xar_version", 3);
    print_box_from(&mut p, def, copies);
    p.end();
    p.finish()
}

/// Prints a box with everything inside it. `sources` are the texts that `plugin_content` spans refer to.
pub fn print_box(p: &mut Printer, def: &BoxDef, sources: &Sources) {
    print_box_from(p, def, sources);
}

/// Where parts of a model come from that are printed as they are there.
pub(super) trait PrintSource {
    /// Returns the source text of a plugin content.
    fn plugin(&self, span: Span) -> &str;

    /// Returns the element of a box that is a copy of one in a file; `None` if the box is printed from the model.
    fn element(&self, span: Span) -> Option<RawNode<'_>>;
}

impl PrintSource for Sources {
    fn plugin(&self, span: Span) -> &str {
        self.slice(span)
    }

    fn element(&self, _: Span) -> Option<RawNode<'_>> {
        None
    }
}

/// Prints a box: the element that it is a copy of, with the box's own name, id and place, or the whole box.
pub(super) fn print_box_from(p: &mut Printer, def: &BoxDef, sources: &dyn PrintSource) {
    if let Some(element) = sources.element(def.span) {
        let id = (def.id != NO_ID).then(|| def.id.to_string());
        let (x, y) = (p.finite("x", def.x), p.finite("y", def.y));
        let own = [("name", Some(def.name.to_string())), ("id", id), ("x", x), ("y", y)];
        return print_copy(p, element, "Box", &own);
    }
    p.start("Box");
    p.attribute("name", &def.name);
    id(p, "id", def.id);
    optional(p, "localization", def.localization);
    p.attribute("tooltip", &def.tooltip);
    if !def.plugin.is_empty() {
        p.attribute("plugin", &def.plugin);
    }
    if let Some(robot) = &def.robot {
        p.attribute("robot", robot);
    }
    optional_flag(p, "bitmap_expanded", def.bitmap_expanded);
    p.float("x", def.x);
    p.float("y", def.y);
    if let Some(path) = &def.dialog_file {
        p.text_element("dialogFile", path);
    }
    for path in &def.bitmaps {
        p.text_element("bitmap", path);
    }
    if let Some(script) = &def.script {
        print_script(p, script);
    }
    if let Some(span) = def.plugin_content {
        print_plugin(p, sources.plugin(span));
    }
    def.inputs.iter().for_each(|input| print_input(p, input));
    def.outputs.iter().for_each(|output| print_output(p, output));
    def.parameters.iter().for_each(|parameter| print_parameter(p, parameter));
    if let Some(timeline) = &def.timeline {
        print_timeline(p, timeline, sources);
    }
    def.resources.iter().for_each(|resource| print_resource(p, resource));
    p.end();
}

/// Prints a plugin content copied from another file, in canonical layout.
pub fn print_plugin(p: &mut Printer, source: &str) {
    match parse(source, &Limits::default(), Doctype::Refused) {
        Ok(tree) => tree.view(source).root().into_iter().for_each(|root| print_plugin_content(p, root)),
        // A span that is not from this source may have cut out text that is not XML; it is printed unchanged.
        Err(_) => p.source_line(source),
    }
}

pub(super) fn print_script(p: &mut Printer, script: &Script) {
    p.start("script");
    p.number("language", language(script.language));
    p.start("content");
    p.section(&script.text);
    p.end();
    p.end();
}

pub(super) fn print_input(p: &mut Printer, input: &Input) {
    p.start("Input");
    p.attribute("name", &input.name);
    p.number("type", port_type(input.port_type));
    p.number("type_size", input.type_size);
    p.number("nature", input_nature(input.nature));
    if let Some(key) = &input.memory_key {
        p.attribute("stm_value_name", key);
    }
    p.flag("inner", input.inner);
    p.attribute("tooltip", &input.tooltip);
    id(p, "id", input.id);
    p.end();
}

pub(super) fn print_output(p: &mut Printer, output: &Output) {
    p.start("Output");
    p.attribute("name", &output.name);
    p.number("type", port_type(output.port_type));
    p.number("type_size", output.type_size);
    p.number("nature", output_nature(output.nature));
    p.flag("inner", output.inner);
    p.attribute("tooltip", &output.tooltip);
    id(p, "id", output.id);
    p.end();
}

pub(super) fn print_parameter(p: &mut Printer, parameter: &Parameter) {
    p.start("Parameter");
    p.attribute("name", &parameter.name);
    p.flag("inherits_from_parent", parameter.inherits_from_parent);
    p.number("content_type", parameter_type(parameter.content_type));
    p.attribute("value", &parameter.value);
    p.attribute("default_value", &parameter.default_value);
    for (name, bound) in [("min", parameter.min), ("max", parameter.max)] {
        if let Some(bound) = bound {
            p.float(name, bound);
        }
    }
    // Choregraphe writes this attribute for every string parameter, and for no other kind.
    if parameter.custom_choice || parameter.content_type == ParameterType::String {
        p.flag("custom_choice", parameter.custom_choice);
    }
    if parameter.password {
        p.flag("password", true);
    }
    p.attribute("tooltip", &parameter.tooltip);
    id(p, "id", parameter.id);
    for choice in &parameter.choices {
        p.start("Choice");
        p.attribute("value", choice);
        p.end();
    }
    p.end();
}

pub(super) fn print_resource(p: &mut Printer, resource: &Resource) {
    p.start("Resource");
    p.attribute("name", &resource.name);
    p.attribute("type", resource_mode(resource));
    p.float("timeout", resource.timeout);
    p.end();
}

/// Returns the mode of a resource as a file has it.
pub(super) fn resource_mode(resource: &Resource) -> &str {
    match resource.mode {
        Some(mode) if resource.mode_text.is_empty() => mode.word(),
        _ => &resource.mode_text,
    }
}

pub(super) fn print_timeline(p: &mut Printer, t: &Timeline, sources: &dyn PrintSource) {
    p.start("Timeline");
    p.flag("enable", t.enabled);
    optional(p, "fps", t.fps);
    optional(p, "start_frame", t.start_frame);
    // Choregraphe writes −1 for a timeline without an end frame, and no frame attributes for a flow diagram.
    let has_frames = t.fps.is_some() || t.start_frame.is_some() || t.size.is_some();
    optional(p, "end_frame", t.end_frame.or(has_frames.then_some(-1)));
    optional(p, "size", t.size);
    match t.acquisition {
        ResourceAcquisition::Passive => {}
        ResourceAcquisition::Waiting => p.number("resources_acquisition", 1),
        ResourceAcquisition::Aggressive => p.number("resources_acquisition", 2),
    }
    optional(p, "scale", t.scale);
    t.layers.iter().for_each(|layer| print_layer(p, layer, sources));
    t.actuators.iter().for_each(|list| print_actuators(p, list));
    if let Some(machine) = &t.machine {
        print_machine(p, machine);
    }
    p.end();
}

pub(super) fn print_actuators(p: &mut Printer, list: &ActuatorList) {
    p.start("ActuatorList");
    p.attribute("model", &list.model);
    list.curves.iter().for_each(|curve| print_curve(p, curve));
    p.end();
}

/// Prints Boxstep's own element for state machines: see `docs/reference/split-format.md`.
pub(super) fn print_machine(p: &mut Printer, machine: &StateMachine) {
    let name = |index: usize| machine.states.get(index).map_or("", |s| &*s.name);
    let one = |p: &mut Printer, element: &'static str, attribute: &str, value: &str| {
        p.start(element);
        p.attribute(attribute, value);
        p.end();
    };
    p.start("StateMachine");
    for state in &machine.states {
        p.start("State");
        p.attribute("Name", &state.name);
        optional(p, "begin", state.begin);
        optional(p, "end", state.end);
        state.labels.iter().for_each(|label| one(p, "Label", "Name", label));
        state.boxes.iter().for_each(|n| one(p, "Object", "number", &n.to_string()));
        state.links.iter().for_each(|n| one(p, "Link", "number", &n.to_string()));
        p.end();
    }
    one(p, "InitialState", "Name", name(machine.initial));
    machine.finals.iter().for_each(|state| one(p, "FinalState", "Name", name(*state)));
    for t in &machine.transitions {
        p.start("Transition");
        p.attribute("From", name(t.from));
        p.attribute("To", name(t.to));
        optional(p, "TimeOut", t.timeout);
        p.end();
    }
    p.end();
}

pub(super) fn print_layer(p: &mut Printer, layer: &BehaviorLayer, sources: &dyn PrintSource) {
    p.start("BehaviorLayer");
    p.attribute("name", &layer.name);
    if layer.mute {
        p.flag("mute", true);
    }
    layer.keyframes.iter().for_each(|keyframe| print_keyframe(p, keyframe, sources));
    p.end();
}

pub(super) fn print_keyframe(p: &mut Printer, keyframe: &BehaviorKeyframe, sources: &dyn PrintSource) {
    p.start("BehaviorKeyframe");
    p.attribute("name", &keyframe.name);
    p.number("index", keyframe.index);
    if let Some(bitmap) = &keyframe.bitmap {
        p.attribute("bitmap", bitmap);
    }
    print_diagram(p, &keyframe.diagram, sources);
    p.end();
}

pub(super) fn print_diagram(p: &mut Printer, diagram: &Diagram, sources: &dyn PrintSource) {
    p.start("Diagram");
    if let Some(scale) = diagram.scale {
        p.float("scale", scale);
    }
    diagram.boxes.iter().for_each(|def| print_box_from(p, def, sources));
    diagram.links.iter().for_each(|link| print_link(p, link));
    p.end();
}

/// Prints a link.
pub fn print_link(p: &mut Printer, link: &Link) {
    p.start("Link");
    id(p, "inputowner", link.to_box);
    id(p, "indexofinput", link.to_port);
    id(p, "outputowner", link.from_box);
    id(p, "indexofoutput", link.from_port);
    p.end();
}

pub(super) fn print_curve(p: &mut Printer, curve: &ActuatorCurve) {
    p.start("ActuatorCurve");
    p.attribute("name", &curve.name);
    p.attribute("actuator", &curve.actuator);
    optional_flag(p, "recordable", curve.recordable);
    p.flag("mute", curve.mute);
    optional_flag(p, "alwaysVisible", curve.always_visible);
    match curve.unit {
        CurveUnit::Unspecified => {}
        CurveUnit::Degree => p.number("unit", 0),
        CurveUnit::Percent => p.number("unit", 1),
        CurveUnit::Unknown(other) => p.number("unit", other),
    }
    curve.keys.iter().for_each(|key| print_key(p, key));
    p.end();
}

pub(super) fn print_key(p: &mut Printer, key: &Key) {
    p.start("Key");
    p.number("frame", key.frame);
    p.float("value", key.value);
    optional_flag(p, "smooth", key.smooth);
    optional_flag(p, "symmetrical", key.symmetrical);
    key.left.iter().for_each(|tangent| print_tangent(p, "left", tangent));
    key.right.iter().for_each(|tangent| print_tangent(p, "right", tangent));
    p.end();
}

pub(super) fn print_tangent(p: &mut Printer, side: &str, tangent: &Tangent) {
    p.start("Tangent");
    p.attribute("side", side);
    p.attribute("interpType", interpolation_word(tangent.interpolation));
    p.float("abscissaParam", tangent.abscissa);
    p.float("ordinateParam", tangent.ordinate);
    p.end();
}

/// Prints an id; a missing id stays missing.
fn id(p: &mut Printer, name: &str, id: i32) {
    optional(p, name, (id != NO_ID).then_some(id));
}

fn optional(p: &mut Printer, name: &str, value: Option<i32>) {
    if let Some(value) = value {
        p.number(name, value);
    }
}

fn optional_flag(p: &mut Printer, name: &str, value: Option<bool>) {
    if let Some(value) = value {
        p.flag(name, value);
    }
}

pub(super) fn language(language: ScriptLanguage) -> i32 {
    match language {
        ScriptLanguage::Cpp => 0,
        ScriptLanguage::Urbi => 1,
        ScriptLanguage::Ruby => 2,
        ScriptLanguage::DynamicLibrary => 3,
        ScriptLanguage::Python => 4,
        ScriptLanguage::QiChat => 5,
        ScriptLanguage::None => 6,
        ScriptLanguage::Unknown(other) => other,
    }
}

pub(super) fn port_type(port_type: PortType) -> i32 {
    match port_type {
        PortType::Dynamic => 0,
        PortType::Bang => 1,
        PortType::Number => 2,
        PortType::String => 3,
        PortType::Bitmap => 4,
        PortType::Sound => 5,
        PortType::Unknown(other) => other,
    }
}

pub(super) fn input_nature(nature: InputNature) -> i32 {
    match nature {
        InputNature::OnLoad => 0,
        InputNature::OnEvent => 1,
        InputNature::OnStart => 2,
        InputNature::OnStop => 3,
        InputNature::Memory => 4,
        InputNature::Unknown(other) => other,
    }
}

pub(super) fn output_nature(nature: OutputNature) -> i32 {
    match nature {
        OutputNature::Undefined => 0,
        OutputNature::OnStopped => 1,
        OutputNature::Punctual => 2,
        OutputNature::Recurrent => 3,
        OutputNature::Unknown(other) => other,
    }
}

pub(super) fn parameter_type(content_type: ParameterType) -> i32 {
    match content_type {
        ParameterType::Bool => 0,
        ParameterType::Int => 1,
        ParameterType::Float => 2,
        ParameterType::String => 3,
        ParameterType::File => 4,
        ParameterType::Localized => 5,
        ParameterType::Unknown(other) => other,
    }
}

pub(super) fn interpolation_word(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Constant => "constant",
        Interpolation::Linear => "linear",
        Interpolation::Bezier => "bezier",
        Interpolation::BezierAuto => "bezier auto",
    }
}
