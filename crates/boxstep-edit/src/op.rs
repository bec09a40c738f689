//! The operations, as data.

use crate::fields::{
    InputFields, KeyAt, KeyRef, NewBox, OutputFields, ParameterFields, Placed, PortAt, ResourceFields, Side,
    TangentFields,
};
use boxstep_types::BoxPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A change of a behavior. Boxes are named by their paths; frames are counted from 1; places are pixels of the diagram.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Op {
    /// Sets the value of a parameter, as the text of the file: `1` is true.
    SetParameter {
        /// The box.
        r#box: BoxPath,
        /// The parameter's name.
        parameter: String,
        /// The value.
        value: String,
    },
    /// Replaces the script of a box.
    SetScript {
        /// The box.
        r#box: BoxPath,
        /// The source in Python.
        script: String,
        /// The source that the box must still have: a change of somebody else is not written over. Left out: whatever it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<String>,
    },
    /// Sets what a text, localized text, color or number box sends, or the text inside a Say box.
    SetText {
        /// The box.
        r#box: BoxPath,
        /// The language of a box with several, in English; all languages that have the English text if it is left out. A
        /// box with one text takes none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// The text, a color as `#rrggbb`, or a number.
        text: String,
    },
    /// Sets the hint of a box.
    SetTooltip {
        /// The box.
        r#box: BoxPath,
        /// The hint.
        tooltip: String,
    },
    /// Sets the picture of a box.
    SetPicture {
        /// The box.
        r#box: BoxPath,
        /// A file of the project, or of Choregraphe; an empty text removes the picture.
        picture: String,
    },
    /// Gives a box another name, which no box beside it may have.
    Rename {
        /// The box.
        r#box: BoxPath,
        /// The new name.
        name: String,
    },
    /// Moves boxes in their diagrams.
    Move {
        /// Where each box goes.
        boxes: Vec<Placed>,
    },
    /// Moves boxes in their diagrams from where they are.
    MoveBy {
        /// The boxes.
        boxes: Vec<BoxPath>,
        /// How far to the right.
        #[serde(default)]
        dx: f64,
        /// How far down.
        #[serde(default)]
        dy: f64,
    },
    /// Adds a link. One end may be the box that contains the other: its inputs lead in, its outputs lead out.
    Connect {
        /// An output, or an input of the containing box.
        from: PortAt,
        /// An input or parameter, or an output of the containing box.
        to: PortAt,
    },
    /// Removes a link.
    Disconnect {
        /// Where the link begins.
        from: PortAt,
        /// Where the link ends.
        to: PortAt,
    },
    /// Changes the order in which the links of an output carry its signals: this link comes before another one.
    OrderLink {
        /// Where both links begin.
        from: PortAt,
        /// Where the link ends.
        to: PortAt,
        /// Where the link ends that comes after it; the link becomes the last one if this is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<PortAt>,
    },
    /// Adds a box to a diagram.
    Add {
        /// The box with the diagram; with `@Layer:Keyframe` if it has several.
        diagram: BoxPath,
        /// What is added.
        add: NewBox,
        /// The name; a number is added if a box there has it. The box's own name if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Horizontal place.
        #[serde(default)]
        x: f64,
        /// Vertical place.
        #[serde(default)]
        y: f64,
    },
    /// Removes boxes, with their links.
    Remove {
        /// The boxes.
        boxes: Vec<BoxPath>,
    },
    /// Adds copies of boxes beside them, with the links between them.
    Duplicate {
        /// The boxes, all of one diagram.
        boxes: Vec<BoxPath>,
        /// How far to the right.
        #[serde(default)]
        dx: f64,
        /// How far down.
        #[serde(default)]
        dy: f64,
    },
    /// Adds boxes that were copied, maybe from another file, with the links between them.
    Paste {
        /// The box with the diagram; with `@Layer:Keyframe` if it has several.
        diagram: BoxPath,
        /// What [`crate::copied`] has returned.
        clip: String,
        /// Where the first box goes, horizontally; it stays where it was if this is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        x: Option<f64>,
        /// Where the first box goes, vertically.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        y: Option<f64>,
    },
    /// Puts boxes into a new box with a diagram, whose ports carry the links from and to outside. The first signal to it
    /// loads it, so a box that acts when it is loaded must be one that a signal from outside reaches.
    Wrap {
        /// The boxes, all of one diagram.
        boxes: Vec<BoxPath>,
        /// The name of the new box.
        name: String,
    },
    /// Replaces a box with one diagram by the boxes in it, if that changes nothing of what they do.
    Unwrap {
        /// The box.
        r#box: BoxPath,
    },
    /// Swaps a box for another one. Links to ports of the same name stay, parameters keep their values, and a text in a
    /// form becomes the value of `Text`. What a box that you name has no place for goes; a box of our library is refused
    /// if it cannot take over all that was set.
    Replace {
        /// The box.
        r#box: BoxPath,
        /// What takes its place; if it is left out, the box of our library that replaces one of Choregraphe's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<NewBox>,
    },
    /// Adds an input to a box.
    AddInput {
        /// The box.
        r#box: BoxPath,
        /// The input.
        input: InputFields,
    },
    /// Adds an output to a box.
    AddOutput {
        /// The box.
        r#box: BoxPath,
        /// The output.
        output: OutputFields,
    },
    /// Adds a parameter to a box.
    AddParameter {
        /// The box.
        r#box: BoxPath,
        /// The parameter.
        parameter: ParameterFields,
    },
    /// Adds a resource that a box needs.
    AddResource {
        /// The box.
        r#box: BoxPath,
        /// The resource.
        resource: ResourceFields,
    },
    /// Changes an input; what is left out stays. A new name is also that of its method in the box's script.
    SetInput {
        /// The box.
        r#box: BoxPath,
        /// The input's name.
        port: String,
        /// What changes.
        input: InputFields,
    },
    /// Changes an output; what is left out stays. A new name is also that of its calls in the box's script.
    SetOutput {
        /// The box.
        r#box: BoxPath,
        /// The output's name.
        port: String,
        /// What changes.
        output: OutputFields,
    },
    /// Changes a parameter; what is left out stays. A new name is also that of its uses in the box's script, and of the
    /// parameters of boxes inside that take its value.
    ChangeParameter {
        /// The box.
        r#box: BoxPath,
        /// The parameter's name.
        port: String,
        /// What changes.
        parameter: ParameterFields,
    },
    /// Changes a resource; what is left out stays.
    SetResource {
        /// The box.
        r#box: BoxPath,
        /// The resource's name.
        name: String,
        /// What changes.
        resource: ResourceFields,
    },
    /// Removes an input, output or parameter, with its links.
    RemovePort {
        /// The box.
        r#box: BoxPath,
        /// The port's name.
        port: String,
    },
    /// Removes a resource.
    RemoveResource {
        /// The box.
        r#box: BoxPath,
        /// The resource's name.
        name: String,
    },
    /// Changes the settings of a timeline; what is left out stays. A box without one gets one.
    SetTimeline {
        /// The box.
        r#box: BoxPath,
        /// Frames per second.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fps: Option<i32>,
        /// The first frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_frame: Option<i32>,
        /// The last frame; −1 is the last key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end_frame: Option<i32>,
        /// Length of the edited area in frames.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<i32>,
    },
    /// Adds a behavior layer to a timeline.
    AddLayer {
        /// The box.
        r#box: BoxPath,
        /// The layer's name.
        layer: String,
    },
    /// Changes a behavior layer; what is left out stays.
    SetLayer {
        /// The box.
        r#box: BoxPath,
        /// The layer's name.
        layer: String,
        /// Its new name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Whether it is not played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mute: Option<bool>,
    },
    /// Removes a behavior layer, with the boxes in it.
    RemoveLayer {
        /// The box.
        r#box: BoxPath,
        /// The layer's name.
        layer: String,
    },
    /// Adds a behavior keyframe with an empty diagram.
    AddKeyframe {
        /// The box.
        r#box: BoxPath,
        /// The layer's name.
        layer: String,
        /// The keyframe's name.
        name: String,
        /// The first frame at which it is active.
        frame: i32,
    },
    /// Changes a behavior keyframe; what is left out stays.
    SetKeyframe {
        /// The box.
        r#box: BoxPath,
        /// The layer's name.
        layer: String,
        /// The keyframe's name.
        keyframe: String,
        /// Its new name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The first frame at which it is active.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frame: Option<i32>,
    },
    /// Removes a behavior keyframe, with the boxes in it.
    RemoveKeyframe {
        /// The box.
        r#box: BoxPath,
        /// The layer's name.
        layer: String,
        /// The keyframe's name.
        keyframe: String,
    },
    /// Adds a curve without keys to a timeline.
    AddCurve {
        /// The box.
        r#box: BoxPath,
        /// The joint.
        joint: String,
    },
    /// Mutes a curve, or plays it again.
    MuteCurve {
        /// The box.
        r#box: BoxPath,
        /// The joint.
        joint: String,
        /// Whether it is not played.
        mute: bool,
    },
    /// Removes a curve with its keys.
    RemoveCurve {
        /// The box.
        r#box: BoxPath,
        /// The joint.
        joint: String,
    },
    /// Sets keys of a curve: those at frames that have one, and new ones. A joint without a curve gets one.
    SetKeys {
        /// The box.
        r#box: BoxPath,
        /// The joint.
        joint: String,
        /// The keys.
        keys: Vec<KeyAt>,
    },
    /// Sets a key of each joint at a frame: a pose that was recorded.
    SetPose {
        /// The box.
        r#box: BoxPath,
        /// The frame.
        frame: i32,
        /// The value of each joint: degrees; 0…1 for hands.
        joints: BTreeMap<String, f64>,
    },
    /// Removes keys.
    RemoveKeys {
        /// The box.
        r#box: BoxPath,
        /// The keys.
        keys: Vec<KeyRef>,
    },
    /// Moves keys in time and value.
    MoveKeys {
        /// The box.
        r#box: BoxPath,
        /// The keys.
        keys: Vec<KeyRef>,
        /// By how many frames.
        #[serde(default)]
        frames: i32,
        /// By how much of the value, in the curve's unit.
        #[serde(default)]
        value: f64,
    },
    /// Sets a tangent of a key.
    SetTangent {
        /// The box.
        r#box: BoxPath,
        /// The joint.
        joint: String,
        /// The key's frame.
        frame: i32,
        /// The side of the key.
        side: Side,
        /// The tangent; an automatic one if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tangent: Option<TangentFields>,
    },
    /// Stretches a timeline from a frame on: keys, keyframes and its end. With frames only, it moves them, but none to or
    /// before one that stays.
    Stretch {
        /// The box.
        r#box: BoxPath,
        /// The first frame that may move.
        from: i32,
        /// How many times as long it takes.
        #[serde(default = "one")]
        factor: f64,
        /// By how many frames it is later.
        #[serde(default)]
        frames: i32,
    },
    /// Swaps left and right: the curves of both sides, and the sign of rolls and yaws. The names of the joints must say
    /// which these are: `LElbowRoll`, `Left_Elbow_Roll`, `left_elbow_roll_joint`.
    Mirror {
        /// The box.
        r#box: BoxPath,
    },
}

fn one() -> f64 {
    1.0
}
