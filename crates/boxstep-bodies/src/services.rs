//! The services a NAOqi robot offers, as far as behaviors call them.
//!
//! Public methods with how many arguments they take. A method that is documented with several
//! signatures has the smallest and largest count of them. An absent method is unknown here, which
//! does not mean that a robot lacks it.
//!
//! Types are written as the qi protocol has them: `(sf)b` takes a string and a float of 32 bits and answers a boolean. They are
//! what a robot with NAOqi 2.5 says of itself ([`Source::Robot`]), else what one with 2.8 says ([`Source::Nao6`]) or what public
//! descriptions say ([`Source::Described`]). Where none of them was at hand, every argument and the answer are `m`, anything ([`Source::Unknown`]).

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
    /// Its signatures as the table has them, e.g. `(s)v (ss)v`; [`Method::overloads`] reads them.
    types: &'static str,
    /// Who says so.
    pub source: Source,
}

/// Who says of which types a method's arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A robot with NAOqi 2.5.
    Robot,
    /// A NAO 6, which has NAOqi 2.8: the listing of 2.5 does not have the method.
    Nao6,
    /// Public descriptions of NAOqi 2.
    Described,
    /// Nobody: they are anything.
    Unknown,
}

/// One of a method's signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// The arguments together: a tuple such as `(sf)`, or `m` for any number of them.
    pub parameters: String,
    /// What it answers; `v` is nothing.
    pub returns: String,
}

/// How many members a tuple has.
fn members(tuple: &str) -> usize {
    let (mut depth, mut count) = (0usize, 0usize);
    for c in tuple.chars() {
        match c {
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 1 => count += 1,
            _ => {}
        }
        depth += usize::from(matches!(c, '(' | '[' | '{'));
    }
    count
}

/// The end of the tuple at the beginning of a text.
fn tuple_end(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth <= 1 => return at + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

impl Method {
    /// Whether it takes this many arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        arguments >= usize::from(self.min_args) && (self.max_args == ANY || arguments <= usize::from(self.max_args))
    }

    /// Its signatures: those of the table, then `m` for each argument where it takes a number of them that the table says
    /// nothing of. One that takes any number has `m` in the place of the tuple.
    pub fn overloads(&self) -> Vec<Overload> {
        let known = self.types.split_whitespace().map(|text| {
            let (parameters, returns) = text.split_at(tuple_end(text));
            Overload { parameters: parameters.to_owned(), returns: returns.to_owned() }
        });
        let mut all: Vec<Overload> = known.collect();
        let returns = all.first().map_or("m", |first| &first.returns).to_owned();
        let counts: Vec<usize> = all.iter().map(|o| members(&o.parameters)).collect();
        if self.max_args == ANY {
            if all.is_empty() {
                all.push(Overload { parameters: "m".to_owned(), returns });
            }
            return all;
        }
        for count in usize::from(self.min_args)..=usize::from(self.max_args) {
            if !counts.contains(&count) {
                all.push(Overload { parameters: format!("({})", "m".repeat(count)), returns: returns.clone() });
            }
        }
        all
    }

    const fn robot(mut self, types: &'static str) -> Self {
        (self.types, self.source) = (types, Source::Robot);
        self
    }

    const fn nao6(mut self, types: &'static str) -> Self {
        (self.types, self.source) = (types, Source::Nao6);
        self
    }

    const fn described(mut self, types: &'static str) -> Self {
        (self.types, self.source) = (types, Source::Described);
        self
    }
}

/// A signal of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name.
    pub name: &'static str,
    /// The types of its arguments together, e.g. `(ff)`; `m` where they are not known.
    pub types: &'static str,
}

/// A property of a service. No robot with NAOqi 2.5 says that it has one; those here are a NAO 6's, which has NAOqi 2.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// Name; its signal is called the same.
    pub name: &'static str,
    /// The type of its value, e.g. `s`.
    pub types: &'static str,
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
    pub signals: &'static [Signal],
    /// Properties. The simulated robot has none, as robots with NAOqi 2.5.
    pub properties: &'static [Property],
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

    /// A signal by its name.
    pub fn signal(&self, name: &str) -> Option<&'static Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// A property by its name.
    pub fn property(&self, name: &str) -> Option<&'static Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The simulated robot is meant to offer it.
    pub fn simulated(&self) -> bool {
        self.methods.iter().any(|method| method.simulated)
    }

    const fn signals(mut self, signals: &'static [Signal]) -> Self {
        self.signals = signals;
        self
    }

    const fn properties(mut self, properties: &'static [Property]) -> Self {
        self.properties = properties;
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
    sim("wait", 1, 2, "Waits for a posted call, at most some milliseconds (0: for ever)").robot("(ii)b"),
    sim("stop", 1, 1, "Stops a posted call").robot("(i)v"),
    sim("isRunning", 1, 1, "Whether a posted call still runs").robot("(i)b"),
    sim("ping", 0, 0, "True").robot("()b"),
    sim("version", 0, 0, "Version of the module").robot("()s"),
    sim("pCall", 1, ANY, "Calls a method and gives the number of the call").robot("(m)m"),
    known("exit", 0, 0, "Ends the module").robot("()v"),
    known("getBrokerName", 0, 0, "Name of the broker").robot("()s"),
    known("getMethodHelp", 1, 1, "Description of a method").robot("(s)m"),
    known("getMethodList", 0, 0, "Names of the methods").robot("()[s]"),
    known("getModuleHelp", 0, 0, "Description of the module").robot("()m"),
    known("getUsage", 1, 1, "How to call a method").robot("(s)s"),
    known("setProperty", 2, 2, "Sets a property").robot("(mm)v"),
    known("property", 1, 1, "Value of a property").robot("(m)m"),
    known("properties", 0, 0, "Names of the properties").robot("()[s]"),
    known("metaObject", 0, 1, "Methods, signals and properties"),
];

/// What every sensing service answers.
pub static EXTRACTOR_METHODS: &[Method] = &[
    sim("subscribe", 1, 3, "Starts sensing for a subscriber: name, period, precision").robot("(sif)v (s)v"),
    sim("unsubscribe", 1, 1, "Ends a subscription").robot("(s)v"),
    known("getCurrentPeriod", 0, 0, "Period, milliseconds").robot("()i"),
    known("getCurrentPrecision", 0, 0, "Precision").robot("()f"),
    known("getEventList", 0, 0, "Events it raises").robot("()[s]"),
    known("getMemoryKeyList", 0, 0, "Memory keys it writes").robot("()[s]"),
    known("getMyPeriod", 1, 1, "Period a subscriber asked for").robot("(s)i"),
    known("getMyPrecision", 1, 1, "Precision a subscriber asked for").robot("(s)f"),
    known("getOutputNames", 0, 0, "Events and keys").robot("()[s]"),
    sim("getSubscribersInfo", 0, 0, "Subscribers with period and precision").robot("()m"),
    known("isPaused", 0, 0, "Whether it pauses").robot("()b"),
    known("isProcessing", 0, 0, "Whether it senses now").robot("()b"),
    known("pause", 0, 1, "Pauses or goes on").robot("(b)v"),
    known("updatePeriod", 2, 2, "Changes a subscriber's period").robot("(si)v"),
    known("updatePrecision", 2, 2, "Changes a subscriber's precision").robot("(sf)v"),
];

const fn sim(name: &'static str, min_args: u8, max_args: u8, doc: &'static str) -> Method {
    Method { name, min_args, max_args, simulated: true, doc, types: "", source: Source::Unknown }
}

const fn known(name: &'static str, min_args: u8, max_args: u8, doc: &'static str) -> Method {
    Method { name, min_args, max_args, simulated: false, doc, types: "", source: Source::Unknown }
}

const fn named(name: &'static str, doc: &'static str, methods: &'static [Method]) -> Service {
    Service { name, doc, methods, signals: &[], properties: &[], extractor: false }
}

const fn signal(name: &'static str, types: &'static str) -> Signal {
    Signal { name, types }
}

const fn property(name: &'static str, types: &'static str) -> Property {
    Property { name, types }
}
