//! The results of the Python program that parses scripts; the fields are those of `reader.py`.

use serde::Deserialize;

/// A number of arguments that is known only at run time.
pub(crate) const UNKNOWN_COUNT: i64 = -1;

/// The facts in a script's syntax tree. Lines count from 1, within the script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Facts {
    /// True if the box's class gets attributes that cannot be determined statically.
    pub(crate) open: bool,
    /// Attributes and methods that the script defines on any object.
    pub(crate) names: Vec<String>,
    /// Calls `self.name(…)` in methods of the box.
    pub(crate) calls: Vec<SelfCall>,
    /// The methods `onInput_…` of the box.
    pub(crate) handlers: Vec<Handler>,
    /// Calls `self.getParameter("…")` and `self.setParameter("…", …)`.
    pub(crate) parameters: Vec<ParameterUse>,
    /// Calls `self.stimulateIO("…", …)`.
    pub(crate) stimulates: Vec<Stimulates>,
    /// Services that the script requests by name.
    pub(crate) services: Vec<ServiceUse>,
    /// Services and modules that the script itself may provide.
    pub(crate) offers: Vec<String>,
    /// Methods called on a service whose name is certain.
    pub(crate) methods: Vec<MethodUse>,
    /// Remnants of Python 2 in the tree: kind, first line, number of occurrences.
    pub(crate) remnants: Vec<(String, u32, u32)>,
    /// True if `onLoad` does more than look up services.
    pub(crate) at_load: bool,
    /// Names of services in the script, whatever the script does with them.
    pub(crate) named: Vec<String>,
    /// Modules that the script imports.
    pub(crate) imports: Vec<ImportOf>,
    /// Operations whose effect is known only at run time.
    pub(crate) unknown: Vec<Unknown>,
    /// True if the script changes where modules are searched.
    pub(crate) searches: bool,
}

/// Line, dotted name, whether it is in Python's standard library.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ImportOf(pub(crate) u32, pub(crate) String, pub(crate) bool);

/// Line, description of the operation.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Unknown(pub(crate) u32, pub(crate) String);

/// Line, name, number of arguments, whether the script handles a failure, the enclosing method.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SelfCall(pub(crate) u32, pub(crate) String, pub(crate) i64, pub(crate) bool, pub(crate) String);

/// Line, input, number of required arguments.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Handler(pub(crate) u32, pub(crate) String, pub(crate) u32);

/// Line, name, whether the script handles a failure.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ParameterUse(pub(crate) u32, pub(crate) String, pub(crate) bool);

/// Line, name of the input or output.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Stimulates(pub(crate) u32, pub(crate) String);

/// Line, service, whether the script handles its absence.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ServiceUse(pub(crate) u32, pub(crate) String, pub(crate) bool);

/// Line, service, method, number of arguments, whether the script handles a failure.
#[cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "only the rules of services read all of it"))]
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MethodUse(pub(crate) u32, pub(crate) String, pub(crate) String, pub(crate) i64, pub(crate) bool);

/// One line of output of the Python program.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Answer {
    /// Line, column (0 if unknown), Python's message.
    Error {
        error: (u32, u32, String),
    },
    Facts(Box<Facts>),
}

/// The first line of output of the Python program.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Greeting {
    Ready {
        #[allow(dead_code, reason = "its presence is what counts")]
        python: String,
    },
    Old {
        old: String,
    },
}
