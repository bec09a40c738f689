//! What the reader in Python says about a script; the fields are those of `reader.py`.

use serde::Deserialize;

/// Number of arguments that only shows at run time.
pub(crate) const UNKNOWN_COUNT: i64 = -1;

/// What a script's syntax tree shows. Lines count from 1, in the script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Facts {
    /// The box's class gets names that nobody can see here.
    pub(crate) open: bool,
    /// Attributes and methods that the script gives any object.
    pub(crate) names: Vec<String>,
    /// `self.name(…)` in a method of the box.
    pub(crate) calls: Vec<SelfCall>,
    /// Methods `onInput_…` of the box.
    pub(crate) handlers: Vec<Handler>,
    /// `self.getParameter("…")`, `self.setParameter("…", …)`.
    pub(crate) parameters: Vec<ParameterUse>,
    /// `self.stimulateIO("…", …)`.
    pub(crate) stimulates: Vec<Stimulates>,
    /// Services that are asked for by name.
    pub(crate) services: Vec<ServiceUse>,
    /// Services and modules that the script itself may offer.
    pub(crate) offers: Vec<String>,
    /// Methods called on a service whose name is sure.
    pub(crate) methods: Vec<MethodUse>,
    /// Python 2, as the tree shows it: kind, first line, how often.
    pub(crate) remnants: Vec<(String, u32, u32)>,
    /// `onLoad` does more than look up services.
    pub(crate) at_load: bool,
    /// Services whose names stand in the script, whatever it does with them.
    pub(crate) named: Vec<String>,
    /// Modules that it imports.
    pub(crate) imports: Vec<ImportOf>,
    /// What only shows when it runs.
    pub(crate) unknown: Vec<Unknown>,
    /// It changes where modules are looked for.
    pub(crate) searches: bool,
}

/// Line, name with dots, whether Python's own library has it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ImportOf(pub(crate) u32, pub(crate) String, pub(crate) bool);

/// Line, what the script does there.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Unknown(pub(crate) u32, pub(crate) String);

/// Line, name, number of arguments, whether the script is ready for it to fail, the method it stands in.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SelfCall(pub(crate) u32, pub(crate) String, pub(crate) i64, pub(crate) bool, pub(crate) String);

/// Line, input, how many arguments must be given.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Handler(pub(crate) u32, pub(crate) String, pub(crate) u32);

/// Line, name, whether the script is ready for it to fail.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ParameterUse(pub(crate) u32, pub(crate) String, pub(crate) bool);

/// Line, name.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Stimulates(pub(crate) u32, pub(crate) String);

/// Line, service, whether the script is ready for it to be absent.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ServiceUse(pub(crate) u32, pub(crate) String, pub(crate) bool);

/// Line, service, method, number of arguments, whether the script is ready for it to fail.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MethodUse(pub(crate) u32, pub(crate) String, pub(crate) String, pub(crate) i64, pub(crate) bool);

/// One line of the reader.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Answer {
    /// Line, column (0 if unknown), Python's words.
    Error {
        error: (u32, u32, String),
    },
    Facts(Box<Facts>),
}

/// The reader's first line.
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
