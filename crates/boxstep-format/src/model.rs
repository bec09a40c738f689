//! What a behavior file says, as types.
//!
//! Every item carries the [`Span`] of its element. Numbers that a file leaves out are `None` or the
//! documented default; what a number *means* (frames, degrees, seconds) is said at the field.
//! Rules and value tables: `docs/format.md`.

use boxstep_types::Span;
use std::sync::Arc;

/// Stands for an id that a file leaves out or that is no number. Nothing links to it.
pub const NO_ID: i32 = i32::MIN;

/// A whole `.xar` file.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// Which root element it has.
    pub kind: ProjectKind,
    /// `xar_version`; 3 in every known file.
    pub version: Option<i32>,
    /// The root box; named `root`, id −1, in every known file.
    pub root: BoxDef,
    /// Resources that stand beside the root box, as dialog projects write them. Not used to run.
    pub resources: Vec<Resource>,
    /// The root element.
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
    /// Name as shown; any text, not unique.
    pub name: Arc<str>,
    /// Unique among the boxes of one diagram; −1 for the root; [`NO_ID`] if the file has none.
    pub id: i32,
    /// Hint for the user.
    pub tooltip: String,
    /// Position in the drawing, pixels.
    pub x: f64,
    /// Position in the drawing, pixels.
    pub y: f64,
    /// `localization`, an editor flag.
    pub localization: Option<i32>,
    /// Editor plugin that wrote the script, e.g. `textedit_plugin`; empty if none.
    pub plugin: String,
    /// Robot the box was made for; only old files have it.
    pub robot: Option<String>,
    /// Editor flag of old files.
    pub bitmap_expanded: Option<bool>,
    /// Image paths of the editor.
    pub bitmaps: Vec<String>,
    /// The script, if the box has a `script` element.
    pub script: Option<Script>,
    /// Inputs, in file order.
    pub inputs: Vec<Input>,
    /// Outputs, in file order.
    pub outputs: Vec<Output>,
    /// Parameters, in file order.
    pub parameters: Vec<Parameter>,
    /// Resources the box asks for when it starts, in file order.
    pub resources: Vec<Resource>,
    /// The inside: a flow diagram or a timeline.
    pub timeline: Option<Timeline>,
    /// Path of a `.dlg`, relative to the behavior's folder, if this is a dialog box.
    pub dialog_file: Option<String>,
    /// `pluginContent`: the editor plugin's own data, as it stands in the file.
    pub plugin_content: Option<Span>,
    /// The element.
    pub span: Span,
}

/// A box's script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The language code.
    pub language: ScriptLanguage,
    /// The author's own characters: what stands inside the CDATA section.
    pub text: Arc<str>,
    /// The place of `text` in the file, so that script line 1 is the line `text_span` begins on.
    pub text_span: Span,
    /// The `script` element.
    pub span: Span,
}

/// `script@language`.
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
    /// 4; every real file
    Python,
    /// 5
    QiChat,
    /// 6
    None,
    /// Any other number, as it stands.
    Unknown(i32),
}

impl ScriptLanguage {
    /// As messages print it: `C++`, `a dynamic library`.
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

    /// Does a box with this script and text lose what its author wrote, because only Python is run? A dynamic library
    /// is somewhere else; every other language is in the text.
    pub fn is_lost(self, text: &str) -> bool {
        match self {
            ScriptLanguage::Python | ScriptLanguage::None => false,
            ScriptLanguage::DynamicLibrary => true,
            _ => !text.trim().is_empty(),
        }
    }
}

/// Type of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortType {
    /// 0: any value
    Dynamic,
    /// 1: no value
    Bang,
    /// 2: a number or `type_size` numbers
    Number,
    /// 3: text or `type_size` texts
    String,
    /// 4
    Bitmap,
    /// 5
    Sound,
    /// Any other number, as it stands.
    Unknown(i32),
}

/// `Input@nature`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputNature {
    /// 0: stimulated by the engine each time the inside has been loaded
    OnLoad,
    /// 1: an event; starts and stops nothing
    OnEvent,
    /// 2: starts the box
    OnStart,
    /// 3: stops the box
    OnStop,
    /// 4: stimulated by a robot memory event while the inside is loaded
    Memory,
    /// Any other number, as it stands.
    Unknown(i32),
}

/// `Output@nature`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputNature {
    /// 0
    Undefined,
    /// 1: the box has ended; its inside is unloaded first
    OnStopped,
    /// 2
    Punctual,
    /// 3
    Recurrent,
    /// Any other number, as it stands.
    Unknown(i32),
}

/// An input of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name; any text.
    pub name: Arc<str>,
    /// Id, unique among inputs, outputs and parameters of the box.
    pub id: i32,
    /// Type.
    pub port_type: PortType,
    /// How many values of the type.
    pub type_size: i32,
    /// What a stimulation does.
    pub nature: InputNature,
    /// Visible from inside only.
    pub inner: bool,
    /// Robot memory key of a [`InputNature::Memory`] input.
    pub memory_key: Option<String>,
    /// Hint for the user.
    pub tooltip: String,
    /// The element.
    pub span: Span,
}

/// An output of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Name; any text.
    pub name: Arc<str>,
    /// Id, unique among inputs, outputs and parameters of the box.
    pub id: i32,
    /// Type.
    pub port_type: PortType,
    /// How many values of the type.
    pub type_size: i32,
    /// What a stimulation does.
    pub nature: OutputNature,
    /// Visible from inside only.
    pub inner: bool,
    /// Hint for the user.
    pub tooltip: String,
    /// The element.
    pub span: Span,
}

/// `Parameter@content_type`.
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
    /// 4: attached file; the stored text, never joined to a folder
    File,
    /// 5: text that a `.ts` file may translate
    Localized,
    /// Any other number, as it stands.
    Unknown(i32),
}

/// A parameter of a box. Values are kept as the file's own text;
/// [`crate::param_value`] gives them a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name; unique in its box.
    pub name: Arc<str>,
    /// Id, unique among inputs, outputs and parameters of the box.
    pub id: i32,
    /// Type.
    pub content_type: ParameterType,
    /// The value as the file has it.
    pub value: Arc<str>,
    /// The default as the file has it.
    pub default_value: Arc<str>,
    /// Smallest value the editor takes; checked, never clamped.
    pub min: Option<f64>,
    /// Largest value the editor takes; checked, never clamped.
    pub max: Option<f64>,
    /// Take the value of the nearest parent that has a parameter of this name.
    pub inherits_from_parent: bool,
    /// A value outside `choices` is allowed.
    pub custom_choice: bool,
    /// Shown as dots in the editor.
    pub password: bool,
    /// The values the editor offers.
    pub choices: Vec<String>,
    /// Hint for the user.
    pub tooltip: String,
    /// The place of the value's text.
    pub value_span: Span,
    /// The element.
    pub span: Span,
}

/// What happens when another box asks for a resource this box holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceMode {
    /// `Lock` or 0: the asker waits or fails.
    Lock,
    /// `Stop on demand` or 1: this box stops.
    StopOnDemand,
    /// `Pause on demand` (also with ` (beta)`) or 2: this box's timeline pauses.
    PauseOnDemand,
    /// `Callback on demand` or 3: this box's `onResource` decides.
    CallbackOnDemand,
}

/// A resource a box takes when it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Name in the robot's resource tree, e.g. `All motors`.
    pub name: Arc<str>,
    /// Mode; `None` if the file's word is unknown (`mode_text` keeps it).
    pub mode: Option<ResourceMode>,
    /// The file's own word or number.
    pub mode_text: String,
    /// Seconds to wait for it: 0 gives up at once, −1 waits for ever.
    pub timeout: f64,
    /// The element.
    pub span: Span,
}

/// The inside of a box. Disabled (`enabled == false`) it is a plain flow diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// A clock moves the cursor. Off for flow diagrams.
    pub enabled: bool,
    /// Frames per second; `None` where the file says none (flow diagrams) — the engine then uses 25.
    pub fps: Option<i32>,
    /// First frame; `None` counts as 1 (`docs/semantics/timeline.md`).
    pub start_frame: Option<i32>,
    /// Last frame; `None` for −1 or absent: the last key of the curves that are not muted.
    pub end_frame: Option<i32>,
    /// Length of the edited area, frames; editor only.
    pub size: Option<i32>,
    /// What to do when joints are in use.
    pub acquisition: ResourceAcquisition,
    /// Editor zoom.
    pub scale: Option<i32>,
    /// Curves, if there is an `ActuatorList`.
    pub actuators: Option<ActuatorList>,
    /// Behavior layers, in file order.
    pub layers: Vec<BehaviorLayer>,
    /// A state machine of its own, if somebody has written one; usually states are derived from the
    /// layers ([`crate::states`]).
    pub machine: Option<StateMachine>,
    /// The element.
    pub span: Span,
}

/// A state machine that is not derived from layers: one with transitions, or whose states share boxes as
/// no layers could.
///
/// The timeline then has one keyframe. Its diagram holds all boxes and links, and the states say which of
/// them belong together (`docs/semantics/states.md`).
#[derive(Clone, Debug, PartialEq)]
pub struct StateMachine {
    /// States, in file order.
    pub states: Vec<MachineState>,
    /// The state that is entered first; the first one if the file does not say.
    pub initial: usize,
    /// The states that are called final. Nothing happens there that does not happen elsewhere.
    pub finals: Vec<usize>,
    /// Transitions, in file order.
    pub transitions: Vec<Transition>,
    /// The element.
    pub span: Span,
}

/// A state of a [`StateMachine`].
#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    /// Its name.
    pub name: Arc<str>,
    /// The frame at which the timeline enters it.
    pub begin: Option<i32>,
    /// One past its last frame.
    pub end: Option<i32>,
    /// Goto targets.
    pub labels: Vec<Arc<str>>,
    /// `Diagram::boxes[n]` of the keyframe.
    pub boxes: Vec<usize>,
    /// `Diagram::links[n]` of the keyframe.
    pub links: Vec<usize>,
    /// The element.
    pub span: Span,
}

/// A transition between states.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// `StateMachine::states[n]`
    pub from: usize,
    /// `StateMachine::states[n]`
    pub to: usize,
    /// Milliseconds after `from` has been entered; without one it is taken when the work of `from` is done.
    pub timeout: Option<i32>,
    /// The element.
    pub span: Span,
}

/// `Timeline@resources_acquisition`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResourceAcquisition {
    /// 0: send the motion, the robot decides
    #[default]
    Passive,
    /// 1: do not advance while the joints are in use
    Waiting,
    /// 2: take the joints from whoever has them
    Aggressive,
}

/// The curves of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorList {
    /// Robot model, e.g. `nao`; often empty.
    pub model: String,
    /// Curves, in file order.
    pub curves: Vec<ActuatorCurve>,
    /// The element.
    pub span: Span,
}

/// `ActuatorCurve@unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveUnit {
    /// −1 or absent: degrees, or 0…1 for hands
    Unspecified,
    /// 0: degrees
    Degree,
    /// 1: stored 0…1 (hands)
    Percent,
    /// Any other number, as it stands.
    Unknown(i32),
}

/// One joint's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorCurve {
    /// `name`; nearly always `value`.
    pub name: String,
    /// Joint, e.g. `HeadYaw`.
    pub actuator: Arc<str>,
    /// Editor may record the joint.
    pub recordable: Option<bool>,
    /// Not played.
    pub mute: bool,
    /// Editor flag.
    pub always_visible: Option<bool>,
    /// Unit of the keys.
    pub unit: CurveUnit,
    /// Keys, in file order.
    pub keys: Vec<Key>,
    /// The element.
    pub span: Span,
}

/// A key of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Frame.
    pub frame: i32,
    /// Value, in the curve's unit.
    pub value: f64,
    /// Editor constraint: tangents aligned.
    pub smooth: Option<bool>,
    /// Editor constraint: tangents mirrored.
    pub symmetrical: Option<bool>,
    /// Tangent of the segment before the key; `None` is automatic.
    pub left: Option<Tangent>,
    /// Tangent of the segment after the key; `None` is automatic.
    pub right: Option<Tangent>,
    /// The element.
    pub span: Span,
}

/// `Tangent@interpType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Hold the value up to the next key.
    Constant,
    /// Straight line.
    Linear,
    /// Cubic Bezier with the tangent as given.
    Bezier,
    /// Cubic Bezier with a computed tangent.
    BezierAuto,
}

/// A tangent: an offset from its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Tangent {
    /// Kind of the segment on this side.
    pub interpolation: Interpolation,
    /// Frames; negative on the left.
    pub abscissa: f64,
    /// In the curve's unit.
    pub ordinate: f64,
    /// The element.
    pub span: Span,
}

/// A layer of a timeline: one behavior keyframe at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorLayer {
    /// Name.
    pub name: Arc<str>,
    /// Neither loaded nor run.
    pub mute: bool,
    /// Keyframes, in file order.
    pub keyframes: Vec<BehaviorKeyframe>,
    /// The element.
    pub span: Span,
}

/// A diagram that runs from its frame to the next keyframe of its layer.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorKeyframe {
    /// Name; a goto target.
    pub name: Arc<str>,
    /// First frame.
    pub index: i32,
    /// Image path of the editor.
    pub bitmap: Option<String>,
    /// The diagram.
    pub diagram: Diagram,
    /// The element.
    pub span: Span,
}

/// Boxes and the links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// Editor zoom, percent; −1 is unset.
    pub scale: Option<f64>,
    /// Boxes, in file order.
    pub boxes: Vec<BoxDef>,
    /// Links, in file order.
    pub links: Vec<Link>,
    /// The element.
    pub span: Span,
}

/// A link. Owner 0 is the box that contains the diagram, seen from inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// `outputowner`: box the signal comes from.
    pub from_box: i32,
    /// `indexofoutput`: id of its port.
    pub from_port: i32,
    /// `inputowner`: box the signal goes to.
    pub to_box: i32,
    /// `indexofinput`: id of its port; may be the id of a parameter.
    pub to_port: i32,
    /// The element.
    pub span: Span,
}
