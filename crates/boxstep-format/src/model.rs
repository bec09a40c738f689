//! The typed model of a behavior file.
//!
//! Every item carries the [`Span`] of its element. A number that a file leaves out is `None` or the documented default;
//! each field's documentation gives its unit (frames, degrees, seconds). The rules and tables of values are in
//! `docs/reference/format.md`.

use boxstep_types::Span;
use std::sync::Arc;

/// The id of an item whose file has no id or one that is not a number. No link can refer to it.
pub const NO_ID: i32 = i32::MIN;

/// A whole `.xar` file.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The kind of root element.
    pub kind: ProjectKind,
    /// The `xar_version` attribute; 3 in every known file.
    pub version: Option<i32>,
    /// The root box; named `root`, id −1, in every known file.
    pub root: BoxDef,
    /// Resources beside the root box, as dialog projects have them. The engine does not use them.
    pub resources: Vec<Resource>,
    /// The span of the root element.
    pub span: Span,
}

/// The root element of a `.xar` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectKind {
    /// `ChoregrapheProject`, with either of the two namespaces or none.
    Project,
    /// `ChoregrapheBox`: a box saved to a library.
    LibraryBox,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxDef {
    /// The name shown to the user; any text, not necessarily unique.
    pub name: Arc<str>,
    /// Unique among the boxes of one diagram; −1 for the root; [`NO_ID`] if the file has none.
    pub id: i32,
    /// Hint for the user (tooltip).
    pub tooltip: String,
    /// Horizontal position in the diagram, in pixels.
    pub x: f64,
    /// Vertical position in the diagram, in pixels.
    pub y: f64,
    /// The `localization` attribute, an editor flag.
    pub localization: Option<i32>,
    /// The editor plugin that wrote the script, e.g. `textedit_plugin`; empty if none.
    pub plugin: String,
    /// The robot that the box was made for; only old files have it.
    pub robot: Option<String>,
    /// An editor flag of old files.
    pub bitmap_expanded: Option<bool>,
    /// The editor's image paths.
    pub bitmaps: Vec<String>,
    /// The script, if the box has a `script` element.
    pub script: Option<Script>,
    /// Inputs, in file order.
    pub inputs: Vec<Input>,
    /// Outputs, in file order.
    pub outputs: Vec<Output>,
    /// Parameters, in file order.
    pub parameters: Vec<Parameter>,
    /// Resources that the box requests when it starts, in file order.
    pub resources: Vec<Resource>,
    /// The contents of the box: a flow diagram or a timeline.
    pub timeline: Option<Timeline>,
    /// The path of a `.dlg` file, relative to the behavior's folder, if this is a dialog box.
    pub dialog_file: Option<String>,
    /// The span of `pluginContent`, the editor plugin's own data, which is not interpreted.
    pub plugin_content: Option<Span>,
    /// The span of the element.
    pub span: Span,
}

/// A box's script.
#[derive(Clone, Debug)]
pub struct Script {
    /// The language code.
    pub language: ScriptLanguage,
    /// The source text as its author wrote it: the content of the CDATA section.
    pub text: Arc<str>,
    /// Whether the text is a program, which runs when the box starts, and not the class of the box. No file of
    /// Choregraphe has one; it stands for a `.py` that was opened.
    pub is_program: bool,
    /// The arguments of a program that has its own; other programs have those of the run.
    pub args: Option<Arc<[String]>>,
    /// The span of `text` in the file; line 1 of the script is the line on which it begins.
    pub text_span: Span,
    /// The span of the `script` element.
    pub span: Span,
}

impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        let Self { language, text, is_program, args, text_span, span } = self;
        let rest = (language, is_program, args, text_span, span);
        // Copies of a model share their texts, which are long.
        rest == (&other.language, &other.is_program, &other.args, &other.text_span, &other.span)
            && (Arc::ptr_eq(text, &other.text) || *text == other.text)
    }
}

/// The `script@language` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptLanguage {
    /// 0
    Cpp,
    /// 1
    Urbi,
    /// 2
    Ruby,
    /// 3
    DynamicLibrary,
    /// 4; the language of every script in real files
    Python,
    /// 5
    QiChat,
    /// 6
    None,
    /// Any other number, as it is in the file.
    Unknown(i32),
}

impl ScriptLanguage {
    /// The language as messages print it, e.g. `C++` or `a dynamic library`.
    pub fn words(self) -> &'static str {
        match self {
            ScriptLanguage::Cpp => "C++",
            ScriptLanguage::Urbi => "URBI",
            ScriptLanguage::Ruby => "Ruby",
            ScriptLanguage::DynamicLibrary => "a dynamic library",
            ScriptLanguage::Python => "Python",
            ScriptLanguage::QiChat => "QiChat",
            ScriptLanguage::None => "of no language",
            ScriptLanguage::Unknown(_) => "of an unknown language",
        }
    }

    /// Returns true if running the box without this script drops what its author wrote, because Boxstep runs only
    /// Python. A dynamic library's code is in another file, so its text does not matter; for every other language an
    /// empty text is no loss.
    pub fn is_lost(self, text: &str) -> bool {
        match self {
            ScriptLanguage::Python | ScriptLanguage::None => false,
            ScriptLanguage::DynamicLibrary => true,
            _ => !text.trim().is_empty(),
        }
    }
}

/// The type of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortType {
    /// 0: any value
    Dynamic,
    /// 1: no value
    Bang,
    /// 2: a number, or `type_size` numbers
    Number,
    /// 3: a text, or `type_size` texts
    String,
    /// 4
    Bitmap,
    /// 5
    Sound,
    /// Any other number, as it is in the file.
    Unknown(i32),
}

/// The `Input@nature` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputNature {
    /// 0: stimulated by the engine each time the contents of the box have been loaded
    OnLoad,
    /// 1: an event; neither starts nor stops the box
    OnEvent,
    /// 2: starts the box
    OnStart,
    /// 3: stops the box
    OnStop,
    /// 4: stimulated by a robot memory event while the contents of the box are loaded
    Memory,
    /// Any other number, as it is in the file.
    Unknown(i32),
}

/// The `Output@nature` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputNature {
    /// 0
    Undefined,
    /// 1: the box has ended; its contents are unloaded before the signal passes on
    OnStopped,
    /// 2
    Punctual,
    /// 3
    Recurrent,
    /// Any other number, as it is in the file.
    Unknown(i32),
}

/// An input of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The name; any text.
    pub name: Arc<str>,
    /// The id, unique among the inputs, outputs and parameters of the box.
    pub id: i32,
    /// The type of its values.
    pub port_type: PortType,
    /// The number of values in one signal.
    pub type_size: i32,
    /// The effect of a stimulation.
    pub nature: InputNature,
    /// True if the input is visible only from inside the box.
    pub inner: bool,
    /// The robot memory key of a [`InputNature::Memory`] input.
    pub memory_key: Option<String>,
    /// Hint for the user (tooltip).
    pub tooltip: String,
    /// The span of the element.
    pub span: Span,
}

/// An output of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The name; any text.
    pub name: Arc<str>,
    /// The id, unique among the inputs, outputs and parameters of the box.
    pub id: i32,
    /// The type of its values.
    pub port_type: PortType,
    /// The number of values in one signal.
    pub type_size: i32,
    /// The effect of a stimulation.
    pub nature: OutputNature,
    /// True if the output is visible only from inside the box.
    pub inner: bool,
    /// Hint for the user (tooltip).
    pub tooltip: String,
    /// The span of the element.
    pub span: Span,
}

/// The `Parameter@content_type` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// 0
    Bool,
    /// 1
    Int,
    /// 2
    Float,
    /// 3
    String,
    /// 4: an attached file; the value is the stored path, which is not joined with a folder
    File,
    /// 5: text that a `.ts` file may translate
    Localized,
    /// Any other number, as it is in the file.
    Unknown(i32),
}

/// A parameter of a box. Values are kept as the file's text; [`crate::param_value`] converts them to their type.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name; unique in its box.
    pub name: Arc<str>,
    /// The id, unique among the inputs, outputs and parameters of the box.
    pub id: i32,
    /// The type of the value.
    pub content_type: ParameterType,
    /// The value, as the file's text.
    pub value: Arc<str>,
    /// The default value, as the file's text.
    pub default_value: Arc<str>,
    /// The smallest value the editor accepts. `check` reports values below it; they are never clamped.
    pub min: Option<f64>,
    /// The largest value the editor accepts. `check` reports values above it; they are never clamped.
    pub max: Option<f64>,
    /// True if the value is that of the nearest enclosing box with a parameter of this name.
    pub inherits_from_parent: bool,
    /// True if a value outside `choices` is allowed.
    pub custom_choice: bool,
    /// True if the editor shows the value as dots.
    pub password: bool,
    /// The values the editor offers.
    pub choices: Vec<String>,
    /// Hint for the user (tooltip).
    pub tooltip: String,
    /// The span of the value's text.
    pub value_span: Span,
    /// The span of the element.
    pub span: Span,
}

/// What happens when another box requests a resource that this box holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceMode {
    /// `Lock` or 0: the request waits or fails.
    Lock,
    /// `Stop on demand` or 1: this box stops.
    StopOnDemand,
    /// `Pause on demand` (also with ` (beta)`) or 2: this box's timeline pauses.
    PauseOnDemand,
    /// `Callback on demand` or 3: this box's `onResource` method decides.
    CallbackOnDemand,
}

impl ResourceMode {
    /// The mode as Choregraphe writes it.
    pub fn word(self) -> &'static str {
        match self {
            ResourceMode::Lock => "Lock",
            ResourceMode::StopOnDemand => "Stop on demand",
            ResourceMode::PauseOnDemand => "Pause on demand (beta)",
            ResourceMode::CallbackOnDemand => "Callback on demand",
        }
    }
}

/// A resource that a box acquires when it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// The name in the robot's resource tree, e.g. `All motors`.
    pub name: Arc<str>,
    /// The mode; `None` if the file's value is unknown (`mode_text` has it).
    pub mode: Option<ResourceMode>,
    /// The mode as the file's text, a word or a number.
    pub mode_text: String,
    /// Seconds to wait for the resource: 0 gives up at once, −1 waits without limit.
    pub timeout: f64,
    /// The span of the element.
    pub span: Span,
}

/// The contents of a box. A disabled timeline (`enabled == false`) is a plain flow diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// True if a clock moves the cursor; false for flow diagrams.
    pub enabled: bool,
    /// Frames per second; `None` if the file has none, as in flow diagrams. The engine then uses 25.
    pub fps: Option<i32>,
    /// The first frame; `None` means 1 (`docs/reference/semantics/timeline.md`).
    pub start_frame: Option<i32>,
    /// The last frame; `None` if the file has −1 or none, and then it is that of the last key of the unmuted curves.
    pub end_frame: Option<i32>,
    /// Length of the edited area in frames; only the editor uses it.
    pub size: Option<i32>,
    /// What to do if joints of the curves are in use.
    pub acquisition: ResourceAcquisition,
    /// The editor's zoom.
    pub scale: Option<i32>,
    /// The curves, if the timeline has an `ActuatorList`.
    pub actuators: Option<ActuatorList>,
    /// The behavior layers, in file order.
    pub layers: Vec<BehaviorLayer>,
    /// An explicit state machine, if the file has one. Usually states are derived from the layers ([`crate::states`]).
    pub machine: Option<StateMachine>,
    /// The span of the element.
    pub span: Span,
}

/// A state machine that cannot be derived from layers: it has transitions, or its states share boxes in a way that
/// layers cannot express.
///
/// Its timeline has one keyframe. The keyframe's diagram contains all boxes and links, and each state lists those that
/// belong to it (`docs/reference/semantics/states.md`).
#[derive(Clone, Debug, PartialEq)]
pub struct StateMachine {
    /// The states, in file order.
    pub states: Vec<MachineState>,
    /// Index of the state that is entered first; 0 if the file does not say.
    pub initial: usize,
    /// Indices of the states that the file marks as final. The engine treats them like any other.
    pub finals: Vec<usize>,
    /// The transitions, in file order.
    pub transitions: Vec<Transition>,
    /// The span of the element.
    pub span: Span,
}

/// A state of a [`StateMachine`].
#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    /// The name.
    pub name: Arc<str>,
    /// The frame at which the timeline enters it.
    pub begin: Option<i32>,
    /// The frame after its last one.
    pub end: Option<i32>,
    /// The names by which a goto reaches the state.
    pub labels: Vec<Arc<str>>,
    /// Indices into the keyframe's `Diagram::boxes`.
    pub boxes: Vec<usize>,
    /// Indices into the keyframe's `Diagram::links`.
    pub links: Vec<usize>,
    /// The span of the element.
    pub span: Span,
}

/// A transition between states.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Index into `StateMachine::states`.
    pub from: usize,
    /// Index into `StateMachine::states`.
    pub to: usize,
    /// Milliseconds after `from` has been entered. Without a timeout the transition is taken when the boxes of `from`
    /// are done.
    pub timeout: Option<i32>,
    /// The span of the element.
    pub span: Span,
}

/// The `Timeline@resources_acquisition` attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResourceAcquisition {
    /// 0: send the motion and let the robot decide
    #[default]
    Passive,
    /// 1: do not advance while the joints are in use
    Waiting,
    /// 2: take the joints from the box that holds them
    Aggressive,
}

/// The curves of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorList {
    /// The robot model, e.g. `nao`; often empty.
    pub model: String,
    /// Curves, in file order.
    pub curves: Vec<ActuatorCurve>,
    /// The span of the element.
    pub span: Span,
}

/// The `ActuatorCurve@unit` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveUnit {
    /// −1 or absent: degrees, or 0…1 for hands
    Unspecified,
    /// 0: degrees
    Degree,
    /// 1: stored 0…1 (hands)
    Percent,
    /// Any other number, as it is in the file.
    Unknown(i32),
}

/// One joint's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorCurve {
    /// The `name` attribute; nearly always `value`.
    pub name: String,
    /// The joint, e.g. `HeadYaw`.
    pub actuator: Arc<str>,
    /// True if the editor may record the joint.
    pub recordable: Option<bool>,
    /// True if the curve is not played.
    pub mute: bool,
    /// An editor flag.
    pub always_visible: Option<bool>,
    /// The unit of the keys' values.
    pub unit: CurveUnit,
    /// Keys, in file order.
    pub keys: Vec<Key>,
    /// The span of the element.
    pub span: Span,
}

/// A key of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The frame.
    pub frame: i32,
    /// The value, in the curve's unit.
    pub value: f64,
    /// Editor constraint: the tangents are aligned.
    pub smooth: Option<bool>,
    /// Editor constraint: the tangents are mirrored.
    pub symmetrical: Option<bool>,
    /// The tangent of the segment before the key; `None` if it is automatic.
    pub left: Option<Tangent>,
    /// The tangent of the segment after the key; `None` if it is automatic.
    pub right: Option<Tangent>,
    /// The span of the element.
    pub span: Span,
}

/// The `Tangent@interpType` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The value is held up to the next key.
    Constant,
    /// A straight line.
    Linear,
    /// A cubic Bezier with the given tangent.
    Bezier,
    /// A cubic Bezier with a computed tangent.
    BezierAuto,
}

/// A tangent: an offset from its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Tangent {
    /// The interpolation of the segment on this side.
    pub interpolation: Interpolation,
    /// The time offset in frames; negative on the left.
    pub abscissa: f64,
    /// The value offset, in the curve's unit.
    pub ordinate: f64,
    /// The span of the element.
    pub span: Span,
}

/// A layer of a timeline; one of its behavior keyframes is active at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorLayer {
    /// The name.
    pub name: Arc<str>,
    /// True if the layer is neither loaded nor run.
    pub mute: bool,
    /// Keyframes, in file order.
    pub keyframes: Vec<BehaviorKeyframe>,
    /// The span of the element.
    pub span: Span,
}

/// A diagram that is active from its frame to the next keyframe of its layer.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorKeyframe {
    /// The name, by which a goto can reach it.
    pub name: Arc<str>,
    /// The first frame.
    pub index: i32,
    /// The editor's image path.
    pub bitmap: Option<String>,
    /// The diagram.
    pub diagram: Diagram,
    /// The span of the element.
    pub span: Span,
}

/// Boxes and the links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The editor's zoom in percent; −1 is unset.
    pub scale: Option<f64>,
    /// Boxes, in file order.
    pub boxes: Vec<BoxDef>,
    /// Links, in file order.
    pub links: Vec<Link>,
    /// The span of the element.
    pub span: Span,
}

/// A link. Owner 0 is the box that contains the diagram, seen from inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// `outputowner`: the id of the box that the signal comes from.
    pub from_box: i32,
    /// `indexofoutput`: the id of the port it comes from.
    pub from_port: i32,
    /// `inputowner`: the id of the box that the signal goes to.
    pub to_box: i32,
    /// `indexofinput`: the id of the port it goes to, which may be a parameter.
    pub to_port: i32,
    /// The span of the element.
    pub span: Span,
}
