//! The services a NAOqi robot offers, as far as behaviors call them.
//!
//! Public methods with how many arguments they take. A method that is documented with several
//! signatures has the smallest and largest count of them. An absent method is unknown here, which
//! does not mean that a robot lacks it.

mod audio;
mod life;
mod memory;
mod motion;
mod perception;
mod speech;
mod system;
mod tablet;

/// As `max_args`: any number.
pub const ANY: u8 = u8::MAX;

/// A method of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Name.
    pub name: &'static str,
    /// Fewest arguments.
    pub min_args: u8,
    /// Most arguments, or [`ANY`].
    pub max_args: u8,
    /// The simulated robot is meant to do it; otherwise it is only known.
    pub simulated: bool,
    /// What it does, a few words.
    pub doc: &'static str,
}

impl Method {
    /// Whether it takes this many arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        arguments >= usize::from(self.min_args) && (self.max_args == ANY || arguments <= usize::from(self.max_args))
    }
}

/// A service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// Name, e.g. `ALMotion`.
    pub name: &'static str,
    /// What it is for, a few words.
    pub doc: &'static str,
    /// Its own methods; [`COMMON_METHODS`] come on top.
    pub methods: &'static [Method],
    /// Signals, besides memory events.
    pub signals: &'static [&'static str],
    /// It senses while somebody subscribes: [`EXTRACTOR_METHODS`] come on top.
    pub extractor: bool,
}

impl Service {
    /// A method by its name, the common ones included.
    pub fn method(&self, name: &str) -> Option<&'static Method> {
        let extractor = if self.extractor { EXTRACTOR_METHODS } else { &[] };
        let mut methods = self.methods.iter().chain(extractor).chain(COMMON_METHODS);
        methods.find(|method| method.name == name)
    }

    /// The simulated robot is meant to offer it.
    pub fn simulated(&self) -> bool {
        self.methods.iter().any(|method| method.simulated)
    }

    const fn signals(mut self, signals: &'static [&'static str]) -> Self {
        self.signals = signals;
        self
    }

    const fn extractor(mut self) -> Self {
        self.extractor = true;
        self
    }
}

/// A service by its name.
pub fn service(name: &str) -> Option<&'static Service> {
    services().find(|service| service.name == name)
}

/// Every service.
pub fn services() -> impl Iterator<Item = &'static Service> {
    let rooms: [&'static [Service]; 8] = [
        memory::SERVICES,
        motion::SERVICES,
        speech::SERVICES,
        audio::SERVICES,
        perception::SERVICES,
        life::SERVICES,
        tablet::SERVICES,
        system::SERVICES,
    ];
    rooms.into_iter().flatten()
}

/// What every service answers. `wait`, `stop` and `isRunning` take the number that `post` gave.
pub static COMMON_METHODS: &[Method] = &[
    sim("wait", 1, 2, "Waits for a posted call, at most some milliseconds (0: for ever)"),
    sim("stop", 1, 1, "Stops a posted call"),
    sim("isRunning", 1, 1, "Whether a posted call still runs"),
    sim("ping", 0, 0, "True"),
    sim("version", 0, 0, "Version of the module"),
    sim("pCall", 1, ANY, "Calls a method and gives the number of the call"),
    known("exit", 0, 0, "Ends the module"),
    known("getBrokerName", 0, 0, "Name of the broker"),
    known("getMethodHelp", 1, 1, "Description of a method"),
    known("getMethodList", 0, 0, "Names of the methods"),
    known("getModuleHelp", 0, 0, "Description of the module"),
    known("getUsage", 1, 1, "How to call a method"),
    known("setProperty", 2, 2, "Sets a property"),
    known("property", 1, 1, "Value of a property"),
    known("properties", 0, 0, "Names of the properties"),
    known("metaObject", 0, 1, "Methods, signals and properties"),
];

/// What every sensing service answers.
pub static EXTRACTOR_METHODS: &[Method] = &[
    sim("subscribe", 1, 3, "Starts sensing for a subscriber: name, period, precision"),
    sim("unsubscribe", 1, 1, "Ends a subscription"),
    known("getCurrentPeriod", 0, 0, "Period, milliseconds"),
    known("getCurrentPrecision", 0, 0, "Precision"),
    known("getEventList", 0, 0, "Events it raises"),
    known("getMemoryKeyList", 0, 0, "Memory keys it writes"),
    known("getMyPeriod", 1, 1, "Period a subscriber asked for"),
    known("getMyPrecision", 1, 1, "Precision a subscriber asked for"),
    known("getOutputNames", 0, 0, "Events and keys"),
    sim("getSubscribersInfo", 0, 0, "Subscribers with period and precision"),
    known("isPaused", 0, 0, "Whether it pauses"),
    known("isProcessing", 0, 0, "Whether it senses now"),
    known("pause", 0, 1, "Pauses or goes on"),
    known("updatePeriod", 2, 2, "Changes a subscriber's period"),
    known("updatePrecision", 2, 2, "Changes a subscriber's precision"),
];

const fn sim(name: &'static str, min_args: u8, max_args: u8, doc: &'static str) -> Method {
    Method { name, min_args, max_args, simulated: true, doc }
}

const fn known(name: &'static str, min_args: u8, max_args: u8, doc: &'static str) -> Method {
    Method { name, min_args, max_args, simulated: false, doc }
}

const fn named(name: &'static str, doc: &'static str, methods: &'static [Method]) -> Service {
    Service { name, doc, methods, signals: &[], extractor: false }
}
