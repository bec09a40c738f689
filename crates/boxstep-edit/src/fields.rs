//! The fields of operations, as data.

use boxstep_format::model::{InputNature, Interpolation, OutputNature, ParameterType, PortType, ResourceMode};
use boxstep_types::BoxPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A port of a box.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PortAt {
    /// The box.
    pub r#box: BoxPath,
    /// The name of its input, output or parameter.
    pub port: String,
}

/// The place of a box.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// The box.
    pub r#box: BoxPath,
    /// Horizontal place.
    pub x: f64,
    /// Vertical place.
    pub y: f64,
}

/// What is added.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NewBox {
    /// An empty box of a kind.
    Empty(Kind),
    /// A box of our library, by its name.
    Library(String),
    /// A box of another library: the text of a `.xar` with a box, or with a behavior, whose root is added.
    Xar(String),
}

/// The kinds of empty boxes.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A box with a Python script.
    Script,
    /// A box with an empty flow diagram.
    Diagram,
    /// A box with an empty timeline.
    Timeline,
}

/// The fields of an input.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct InputFields {
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type of its values; bang for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<Type>,
    /// What a signal does; an event for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nature: Option<InputKind>,
    /// The key of the robot's memory whose events it gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_key: Option<String>,
    /// The hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
}

/// The fields of an output.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputFields {
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type of its values; bang for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<Type>,
    /// What a signal means; punctual for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nature: Option<OutputKind>,
    /// The hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
}

/// The fields of a parameter.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParameterFields {
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type of its value; a string for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<ParameterKind>,
    /// The value, as the text of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The default value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The smallest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The values to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// Whether other values than the choices are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_choice: Option<bool>,
    /// Whether the value is that of the enclosing box's parameter of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherits: Option<bool>,
    /// The hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
}

/// The fields of a resource.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResourceFields {
    /// The name in the robot's resource tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What happens when another box needs it; lock for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Seconds to wait for it; −1 waits without limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
}

/// A key of a curve.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KeyAt {
    /// The frame.
    pub frame: i32,
    /// The value: degrees; 0…1 for hands.
    pub value: f64,
    /// The tangent before the key; it stays if this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<TangentFields>,
    /// The tangent after the key; it stays if this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<TangentFields>,
}

/// A key, by its joint and frame.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRef {
    /// The joint.
    pub joint: String,
    /// The frame.
    pub frame: i32,
}

/// A tangent.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TangentFields {
    /// How values get to the next key.
    pub interpolation: Interpolate,
    /// The offset in frames; negative on the left.
    pub frames: f64,
    /// The offset in value.
    pub value: f64,
}

/// The side of a key.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Before the key.
    Left,
    /// After the key.
    Right,
}

/// Makes the words of an enum of the model.
macro_rules! words {
    ($(#[doc = $doc:literal] $name:ident for $of:ident { $($(#[doc = $word_doc:literal])+ $word:ident = $is:ident,)* })*) => {
        $(#[doc = $doc]
        #[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[doc = $word_doc])+ $word,)*
        }

        impl From<$name> for $of {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$word => $of::$is,)*
                }
            }
        })*
    };
}

words! {
    /// The types of ports.
    Type for PortType {
        /// Any value.
        Dynamic = Dynamic,
        /// No value.
        Bang = Bang,
        /// A number, or several.
        Number = Number,
        /// A text, or several.
        String = String,
    }
    /// What a signal does to a box.
    InputKind for InputNature {
        /// Comes by itself when the box is loaded; seen only from inside.
        OnLoad = OnLoad,
        /// Calls a method of the script.
        OnEvent = OnEvent,
        /// Starts the box.
        OnStart = OnStart,
        /// Stops the box.
        OnStop = OnStop,
        /// Comes by itself with an event of the robot's memory.
        Memory = Memory,
    }
    /// What a signal of a box means.
    OutputKind for OutputNature {
        /// The box has ended.
        OnStopped = OnStopped,
        /// It comes once in a while.
        Punctual = Punctual,
        /// It comes again and again.
        Recurrent = Recurrent,
    }
    /// The types of parameters.
    ParameterKind for ParameterType {
        /// 0 or 1.
        Bool = Bool,
        /// A whole number.
        Int = Int,
        /// A number.
        Float = Float,
        /// A text.
        String = String,
        /// A file of the project.
        File = File,
        /// A text that may be translated.
        Localized = Localized,
    }
    /// What happens when another box needs a resource.
    Mode for ResourceMode {
        /// The other box waits.
        Lock = Lock,
        /// This box stops.
        StopOnDemand = StopOnDemand,
        /// The timeline of this box pauses.
        PauseOnDemand = PauseOnDemand,
        /// The script of this box decides.
        CallbackOnDemand = CallbackOnDemand,
    }
    /// How values get from a key to the next.
    Interpolate for Interpolation {
        /// They stay.
        Constant = Constant,
        /// Straight.
        Linear = Linear,
        /// By the tangents.
        Bezier = Bezier,
        /// By tangents that are computed.
        BezierAuto = BezierAuto,
    }
}
