//! A behavior as JSON, for other programs. The schema is `docs/schemas/behavior.json`.

mod convert;

pub(crate) use convert::acquisition;

use crate::contents::Listed;
use boxstep_format::XarFile;
use boxstep_format::project::ProjectContents;
use schemars::JsonSchema;
use serde::Serialize;

/// The schema version. It is raised if a field is removed or changes its meaning, not if a field is added.
pub const SCHEMA: u32 = 1;

/// Formats a behavior as pretty-printed JSON with a line end.
///
/// Values of parameters that the editor hides are `null`, and so are numbers that JSON cannot express.
pub fn json(name: &str, file: &XarFile) -> String {
    json_with(name, Some(file), &ProjectContents::default())
}

/// Like [`json()`], on one line: for a page, which reads it at once.
pub fn live_json(name: &str, file: &XarFile) -> String {
    serde_json::to_string(&Behavior::new(name, Some(file), &ProjectContents::default())).unwrap_or_default()
}

/// Like [`json()`], but includes the other files of its project. A project may have no behavior at all.
pub fn json_with(name: &str, file: Option<&XarFile>, contents: &ProjectContents) -> String {
    text(&Behavior::new(name, file, contents))
}

/// The JSON Schema of [`json()`].
pub fn schema() -> String {
    schema_of::<Behavior>()
}

/// Returns the JSON Schema of a serialized type. Fields that are left out when empty are not required.
pub(crate) fn schema_of<T: JsonSchema>() -> String {
    let generator = schemars::generate::SchemaSettings::default().for_serialize().into_generator();
    text(&generator.into_root_schema_for::<T>())
}

/// Serializes a value. This cannot fail here, because all map keys are strings.
pub(crate) fn text(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// A behavior as Boxstep understands it: what the file leaves out is `null`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Boxstep behavior")]
struct Behavior {
    /// Number of this schema.
    schema: u32,
    /// Name of the behavior.
    name: String,
    /// `behavior`, `library box` for a box saved to a library, or `project` for one without behaviors.
    kind: &'static str,
    /// `xar_version` of the file.
    xar_version: Option<i32>,
    /// The root box; `null` only for a project without behaviors.
    root: Option<BoxDef>,
    /// Resources beside the root box; not used to run.
    resources: Vec<Resource>,
    /// The files of the project other than behaviors; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<Listed>,
}

/// A box.
#[derive(Serialize, JsonSchema)]
struct BoxDef {
    /// Name as shown; any text, not unique.
    name: String,
    /// Path as every message prints it, `root/Dance/Say`; unique unless the file repeats ids.
    path: String,
    /// Unique among the boxes of a diagram; −1 for the root; `null` if the file has none.
    id: Option<i32>,
    tooltip: String,
    /// Position in the editor, pixels.
    x: Option<f64>,
    /// Position in the editor, pixels.
    y: Option<f64>,
    /// Number of the language the box was made in.
    localization: Option<i32>,
    /// Robot the box was made for.
    robot: Option<String>,
    /// Paths of its images.
    images: Vec<String>,
    /// The editor shows the image large.
    image_expanded: Option<bool>,
    /// Editor plugin that wrote the script; empty if none.
    plugin: String,
    /// Data of the editor plugin, unchanged from the file.
    plugin_content: Option<String>,
    script: Option<Script>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    parameters: Vec<Parameter>,
    /// Resources that the box requests when it starts.
    resources: Vec<Resource>,
    /// Path of a `.dlg` file, for dialog boxes.
    dialog_file: Option<String>,
    /// The contents of the box: a flow diagram (not `enabled`) or a timeline.
    timeline: Option<Timeline>,
}

#[derive(Serialize, JsonSchema)]
struct Script {
    language: String,
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Input {
    name: String,
    /// Unique among inputs, outputs and parameters of the box.
    id: Option<i32>,
    /// `dynamic`, `bang`, `number`, `string`, `bitmap`, `sound`, or `unknown N`.
    #[serde(rename = "type")]
    port_type: String,
    /// Number of values in one signal.
    size: i32,
    /// `load`, `event`, `start`, `stop`, `memory`, or `unknown N`.
    nature: String,
    /// Visible from inside only.
    inner: bool,
    /// Robot memory key of a `memory` input.
    memory_key: Option<String>,
    tooltip: String,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    name: String,
    /// Unique among inputs, outputs and parameters of the box.
    id: Option<i32>,
    /// As for inputs.
    #[serde(rename = "type")]
    port_type: String,
    /// Number of values in one signal.
    size: i32,
    /// `undefined`, `stopped`, `punctual`, `recurrent`, or `unknown N`.
    nature: String,
    /// Visible from inside only.
    inner: bool,
    tooltip: String,
}

#[derive(Serialize, JsonSchema)]
struct Parameter {
    name: String,
    /// Unique among inputs, outputs and parameters of the box.
    id: Option<i32>,
    /// `bool`, `int`, `float`, `string`, `file`, `localized`, or `unknown N`.
    #[serde(rename = "type")]
    content_type: String,
    /// The file's own text; `null` for a password.
    value: Option<String>,
    /// The file's own text; `null` for a password.
    default: Option<String>,
    min: Option<f64>,
    max: Option<f64>,
    /// Takes the value of the nearest parent that has a parameter of this name.
    inherits_from_parent: bool,
    /// Values outside `choices` are allowed.
    custom_choice: bool,
    password: bool,
    choices: Vec<String>,
    tooltip: String,
}

#[derive(Serialize, JsonSchema)]
struct Resource {
    /// Name in the robot's resource tree.
    name: String,
    /// `lock`, `stop on demand`, `pause on demand`, `callback on demand`, or the file's own word.
    mode: String,
    /// Seconds to wait: 0 gives up at once, −1 waits without limit.
    timeout: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Timeline {
    /// A clock moves the cursor; `false` for flow diagrams.
    enabled: bool,
    fps: Option<i32>,
    start_frame: Option<i32>,
    /// `null`: the last key.
    end_frame: Option<i32>,
    /// What to do when joints are in use: `passive`, `waiting`, `aggressive`.
    acquisition: &'static str,
    /// Length in the editor, frames.
    size: Option<i32>,
    /// Zoom in the editor.
    scale: Option<i32>,
    /// Robot the curves were made for.
    model: Option<String>,
    curves: Vec<Curve>,
    layers: Vec<Layer>,
    /// The state machine, if it is not derived from the layers.
    state_machine: Option<Machine>,
}

#[derive(Serialize, JsonSchema)]
struct Machine {
    states: Vec<State>,
    /// Index in `states`.
    initial: usize,
    /// Indices in `states`.
    finals: Vec<usize>,
    transitions: Vec<Transition>,
}

#[derive(Serialize, JsonSchema)]
struct State {
    name: String,
    /// The frame at which the timeline enters it.
    begin: Option<i32>,
    /// The frame after its last one.
    end: Option<i32>,
    /// Names by which a goto in a script reaches the state.
    labels: Vec<String>,
    /// Indices in the keyframe's `boxes`.
    boxes: Vec<usize>,
    /// Indices in the keyframe's `links`.
    links: Vec<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Transition {
    /// Index in `states`.
    from: usize,
    /// Index in `states`.
    to: usize,
    /// Milliseconds after `from` has been entered; `null`: when the boxes of `from` are done.
    timeout: Option<i32>,
}

#[derive(Serialize, JsonSchema)]
struct Curve {
    /// Name in the file; the editor always writes `value`.
    name: String,
    /// Joint.
    joint: String,
    recordable: Option<bool>,
    always_visible: Option<bool>,
    /// Not played.
    mute: bool,
    /// `degree`, `percent` (0…1), `unspecified` (0…1 for hands, else degrees), or `unknown N`.
    unit: String,
    keys: Vec<Key>,
}

#[derive(Serialize, JsonSchema)]
struct Key {
    frame: i32,
    value: Option<f64>,
    smooth: Option<bool>,
    symmetrical: Option<bool>,
    left: Option<Tangent>,
    right: Option<Tangent>,
}

/// `null`: automatic.
#[derive(Serialize, JsonSchema)]
struct Tangent {
    /// `constant`, `linear`, `bezier`, `bezier auto`.
    interpolation: &'static str,
    /// Frames from the key.
    frames: Option<f64>,
    /// Offset from the key's value.
    value: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Layer {
    name: String,
    /// Neither loaded nor run.
    mute: bool,
    keyframes: Vec<Keyframe>,
}

#[derive(Serialize, JsonSchema)]
struct Keyframe {
    name: String,
    /// First frame.
    frame: i32,
    /// Path of its image.
    image: Option<String>,
    /// Zoom of its diagram in the editor.
    scale: Option<f64>,
    boxes: Vec<BoxDef>,
    links: Vec<Link>,
}

/// A link. Box 0 is the box that contains the diagram, seen from inside.
#[derive(Serialize, JsonSchema)]
struct Link {
    /// Where signals come from; an id is `null` if the file has no valid number.
    from: End,
    to: End,
    /// Why the link is broken; `null` if it is not.
    broken: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct End {
    /// Id of the box.
    #[serde(rename = "box")]
    owner: Option<i32>,
    /// Id of its port or parameter.
    port: Option<i32>,
    /// Name of the port or parameter, if the link is sound.
    name: Option<String>,
}
