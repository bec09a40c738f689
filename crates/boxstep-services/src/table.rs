//! The form of the table: one row for each method of a service, with its signatures, what it is for, and what the simulated robot does
//! when it is called. Whoever has to know a method reads the row: nothing is written down twice.

mod signature;

pub use signature::Overload;

use crate::args::Args;
use crate::world::World;
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// The end of a call, or the news that it goes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// It is over, with this value.
    Now(Value),
    /// It completes later.
    Later,
}

/// What a handler gives back.
pub(crate) type Reply = Result<Answer, ServiceError>;

/// A call that is over with a value.
pub(crate) fn ok(value: impl Into<Value>) -> Reply {
    Ok(Answer::Now(value.into()))
}

/// A call that is over and has nothing to say.
pub(crate) fn done() -> Reply {
    Ok(Answer::Now(Value::Null))
}

/// The robot refused.
pub(crate) fn failed<T>(why: impl Into<String>) -> Result<T, ServiceError> {
    Err(ServiceError::Failed(why.into()))
}

/// The arguments do not fit.
pub(crate) fn bad<T>(why: impl Into<String>) -> Result<T, ServiceError> {
    Err(ServiceError::BadArguments(why.into()))
}

/// A call of a method that exists, with a number of arguments that it takes.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) id: CallId,
    pub(crate) service: &'static Service,
    pub(crate) method: &'static Method,
    pub(crate) args: Args<'a>,
}

/// The code behind a method.
pub(crate) type Code = fn(&mut World, &mut ServiceCx<'_>, &Call<'_>) -> Reply;

/// What happens when a method is called on the simulated robot.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// Nothing: the simulated robot does not have it.
    None,
    /// The engine answers, whatever the robot.
    Engine,
    /// This code runs.
    Code(Code),
    /// It says that all went well; nothing else happens.
    Accept,
    /// A constant is the answer; nothing else happens.
    Answer(Const),
    /// The last argument is remembered under this key; all arguments before it are part of the key.
    Set(&'static str),
    /// What [`Handler::Set`] remembered is the answer, or the constant.
    Get(&'static str, Const),
    /// A person would notice: an act of this kind and text is in the trace, and the constant is the answer.
    Act(&'static str, &'static str, Const),
}

/// A value that a table can hold.
#[derive(Clone, Copy)]
pub(crate) enum Const {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(&'static str),
    /// A list without items.
    Empty,
    /// A map without entries.
    NoEntries,
}

impl Const {
    pub(crate) fn value(self) -> Value {
        match self {
            Const::Null => Value::Null,
            Const::Bool(b) => b.into(),
            Const::Int(i) => i.into(),
            Const::Float(x) => x.into(),
            Const::Str(s) => s.into(),
            Const::Empty => Value::list([]),
            Const::NoEntries => Value::map::<&str>([]),
        }
    }
}

/// What a call of a method comes to on the simulated robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It has its effect there, as far as a behavior or a person can tell.
    Simulated,
    /// It takes its arguments and gives an answer that fits, and nothing else happens.
    Accepted,
    /// It is not there; it is known that robots have it.
    Known,
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

/// A method's signatures in the types of the qi protocol, separated by spaces, and who says so. `(sf)b` takes a text and a number and
/// answers a boolean; `#` as the last argument stands for any number of more.
#[derive(Clone, Copy)]
pub(crate) struct Types(&'static str, Source);

/// As a robot with NAOqi 2.5 says of itself.
pub(crate) const fn robot(types: &'static str) -> Types {
    Types(types, Source::Robot)
}

/// As a NAO 6 says of itself.
pub(crate) const fn nao6(types: &'static str) -> Types {
    Types(types, Source::Nao6)
}

/// As public descriptions have it.
pub(crate) const fn described(types: &'static str) -> Types {
    Types(types, Source::Described)
}

/// Only how many arguments it takes is known.
pub(crate) const fn unknown(types: &'static str) -> Types {
    Types(types, Source::Unknown)
}

/// A method of a service.
pub struct Method {
    /// Name.
    pub name: &'static str,
    /// What it does, a few words.
    pub doc: &'static str,
    /// Who says which signatures it has.
    pub source: Source,
    types: &'static str,
    pub(crate) handler: Handler,
}

impl Method {
    const fn new(name: &'static str, doc: &'static str, types: Types, handler: Handler) -> Self {
        Self { name, doc, source: types.1, types: types.0, handler }
    }

    /// Its signatures, in the order of the table.
    pub fn overloads(&self) -> impl Iterator<Item = Overload> + use<> {
        self.types.split_whitespace().map(Overload::read)
    }

    /// The fewest and the most arguments it takes; no most if it takes any number.
    pub fn counts(&self) -> (usize, Option<usize>) {
        let least = self.overloads().map(|o| o.count).min().unwrap_or(0);
        let most = self.overloads().map(|o| if o.open { usize::MAX } else { o.count }).max().unwrap_or(0);
        (least, (most < usize::MAX).then_some(most))
    }

    /// Whether it takes this many arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        self.overloads().any(|o| o.count == arguments || (o.open && arguments > o.count))
    }

    /// What a call of it comes to on the simulated robot.
    pub fn support(&self) -> Support {
        match self.handler {
            Handler::None => Support::Known,
            Handler::Accept | Handler::Answer(_) => Support::Accepted,
            Handler::Engine | Handler::Code(_) | Handler::Set(_) | Handler::Get(..) | Handler::Act(..) => {
                Support::Simulated
            }
        }
    }

    /// The engine answers it, whatever the robot: subscriptions to memory, resources, calls that were posted.
    pub fn is_of_engine(&self) -> bool {
        matches!(self.handler, Handler::Engine)
    }

    /// The simulated robot answers it.
    pub fn is_of_robot(&self) -> bool {
        !matches!(self.handler, Handler::None | Handler::Engine)
    }

    /// What a method without other news answers: true if it answers a boolean, else nothing.
    pub(crate) fn success(&self) -> Value {
        if self.overloads().next().is_some_and(|o| o.returns == "b") { true.into() } else { Value::Null }
    }
}

/// A method that has code.
pub(crate) const fn runs(name: &'static str, doc: &'static str, types: Types, code: Code) -> Method {
    Method::new(name, doc, types, Handler::Code(code))
}

/// A method that the engine answers.
pub(crate) const fn engine(name: &'static str, doc: &'static str, types: Types) -> Method {
    Method::new(name, doc, types, Handler::Engine)
}

/// A method that robots have and the simulated one does not.
pub(crate) const fn known(name: &'static str, doc: &'static str, types: Types) -> Method {
    Method::new(name, doc, types, Handler::None)
}

/// A method that says that all went well and has no effect that a person or script could notice.
pub(crate) const fn accepts(name: &'static str, doc: &'static str, types: Types) -> Method {
    Method::new(name, doc, types, Handler::Accept)
}

/// A method that always answers the same.
pub(crate) const fn answers(name: &'static str, doc: &'static str, types: Types, answer: Const) -> Method {
    Method::new(name, doc, types, Handler::Answer(answer))
}

/// A method that remembers its last argument.
pub(crate) const fn sets(name: &'static str, doc: &'static str, types: Types, key: &'static str) -> Method {
    Method::new(name, doc, types, Handler::Set(key))
}

/// A method that gives back what was set; it takes the arguments that are part of the key.
pub(crate) const fn gets(
    name: &'static str,
    doc: &'static str,
    types: Types,
    key: &'static str,
    default: Const,
) -> Method {
    Method::new(name, doc, types, Handler::Get(key, default))
}

/// A method that a person would notice, and that the trace tells of.
pub(crate) const fn acts(
    name: &'static str,
    doc: &'static str,
    types: Types,
    kind: &'static str,
    text: &'static str,
    answer: Const,
) -> Method {
    Method::new(name, doc, types, Handler::Act(kind, text, answer))
}

/// A signal of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name.
    pub name: &'static str,
    /// The types of its arguments together, e.g. `(ff)`; `m` where they are not known.
    pub types: &'static str,
}

pub(crate) const fn signal(name: &'static str, types: &'static str) -> Signal {
    Signal { name, types }
}

/// A property of a service. No robot with NAOqi 2.5 says that it has one; those here are a NAO 6's, which has NAOqi 2.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// Name; its signal is called the same.
    pub name: &'static str,
    /// The type of its value, e.g. `s`.
    pub types: &'static str,
}

pub(crate) const fn property(name: &'static str, types: &'static str) -> Property {
    Property { name, types }
}

/// Which methods a service has besides its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Those of every service.
    Module,
    /// Those of a service that senses while somebody subscribes.
    Extractor,
    /// Those of an extractor that looks through a camera.
    Camera,
}

/// A service.
pub struct Service {
    /// Name, e.g. `ALMotion`.
    pub name: &'static str,
    /// What it is for, a few words.
    pub doc: &'static str,
    /// Its own methods, without those of its base.
    pub methods: &'static [Method],
    /// Signals, besides memory events.
    pub signals: &'static [Signal],
    /// Properties. The simulated robot has none, as robots with NAOqi 2.5.
    pub properties: &'static [Property],
    /// Memory events that it raises: declared from the start.
    pub(crate) events: &'static [&'static str],
    /// Which methods it has besides its own.
    pub base: Base,
}

/// A service with its own methods.
pub(crate) const fn service(name: &'static str, doc: &'static str, methods: &'static [Method]) -> Service {
    Service { name, doc, methods, signals: &[], properties: &[], events: &[], base: Base::Module }
}

impl Service {
    pub(crate) const fn signals(mut self, signals: &'static [Signal]) -> Self {
        self.signals = signals;
        self
    }

    pub(crate) const fn properties(mut self, properties: &'static [Property]) -> Self {
        self.properties = properties;
        self
    }

    pub(crate) const fn events(mut self, events: &'static [&'static str]) -> Self {
        self.events = events;
        self
    }

    pub(crate) const fn extractor(mut self) -> Self {
        self.base = Base::Extractor;
        self
    }

    pub(crate) const fn camera(mut self) -> Self {
        self.base = Base::Camera;
        self
    }

    /// Every method: its own, then those of its base. A name may come twice; the first counts.
    pub fn all_methods(&self) -> impl Iterator<Item = &'static Method> + use<> {
        let camera: &[Method] = if self.base == Base::Camera { crate::CAMERA_METHODS } else { &[] };
        let extractor: &[Method] = if self.base == Base::Module { &[] } else { crate::EXTRACTOR_METHODS };
        self.methods.iter().chain(camera).chain(extractor).chain(crate::COMMON_METHODS)
    }

    /// A method by its name.
    pub fn method(&self, name: &str) -> Option<&'static Method> {
        self.all_methods().find(|method| method.name == name)
    }

    /// A signal by its name.
    pub fn signal(&self, name: &str) -> Option<&'static Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// A property by its name.
    pub fn property(&self, name: &str) -> Option<&'static Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The simulated robot has it, if its body does: it answers a method of it, or can be subscribed to.
    pub fn is_simulated(&self) -> bool {
        self.base != Base::Module || self.methods.iter().any(Method::is_of_robot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(types: Types) -> Method {
        known("x", "", types)
    }

    #[test]
    fn numbers_of_arguments_are_those_of_the_signatures() {
        assert_eq!(method(robot("(s)v (sff)v")).counts(), (1, Some(3)));
        assert_eq!(method(robot("()v")).counts(), (0, Some(0)));
        assert_eq!(method(robot("(m#)m")).counts(), (1, None));
        let two_forms = method(robot("(s)v (sff)v"));
        assert!(two_forms.takes(1) && !two_forms.takes(2) && two_forms.takes(3));
        let any = method(unknown("(#)m"));
        assert!(any.takes(0) && any.takes(400));
    }
}
