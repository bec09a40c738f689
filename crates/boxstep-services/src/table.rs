//! The format of the table: one row for each method of a service, with its signatures, its purpose, and what the
//! simulated robot does when it is called. The row is the only place where this is written.

mod signature;

pub use signature::Overload;

use crate::args::Args;
use crate::world::World;
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// The immediate result of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The call is complete, with this value.
    Now(Value),
    /// The call completes later.
    Later,
}

/// What a handler returns.
pub(crate) type Reply = Result<Answer, ServiceError>;

/// Completes a call with a value.
pub(crate) fn ok(value: impl Into<Value>) -> Reply {
    Ok(Answer::Now(value.into()))
}

/// Completes a call without a value.
pub(crate) fn done() -> Reply {
    Ok(Answer::Now(Value::Null))
}

/// Fails a call, because the robot refuses it.
pub(crate) fn failed<T>(why: impl Into<String>) -> Result<T, ServiceError> {
    Err(ServiceError::Failed(why.into()))
}

/// Fails a call, because its arguments do not fit.
pub(crate) fn bad<T>(why: impl Into<String>) -> Result<T, ServiceError> {
    Err(ServiceError::BadArguments(why.into()))
}

/// A call of an existing method, with a number of arguments that it takes.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) id: CallId,
    pub(crate) service: &'static Service,
    pub(crate) method: &'static Method,
    pub(crate) args: Args<'a>,
    /// The number of the object that is called, if it is one that a service answered.
    pub(crate) object: Option<u64>,
}

/// The function that implements a method.
pub(crate) type Code = fn(&mut World, &mut ServiceCx<'_>, &Call<'_>) -> Reply;

/// What the simulated robot does when a method is called.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// Nothing: the simulated robot does not have the method.
    None,
    /// The engine answers, for every robot.
    Engine,
    /// Runs this function.
    Code(Code),
    /// Answers success, without any effect.
    Accept,
    /// Answers a constant, without any effect.
    Answer(Const),
    /// Stores the last argument under this key; the arguments before it are part of the key.
    Set(&'static str),
    /// Answers what [`Handler::Set`] stored, or the constant.
    Get(&'static str, Const),
    /// Records an act of this kind and text in the trace, because a person would notice it, and answers the constant.
    Act(&'static str, &'static str, Const),
}

/// A value in the table.
#[derive(Clone, Copy)]
pub(crate) enum Const {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(&'static str),
    /// An empty list.
    Empty,
    /// An empty map.
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

/// How far the simulated robot supports a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It has its effect, as far as a behavior or a person can tell.
    Simulated,
    /// It accepts its arguments and gives a suitable answer, without any effect.
    Accepted,
    /// The simulated robot lacks it, but robots are known to have it.
    Known,
}

/// The source of a method's signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A robot with NAOqi 2.5.
    Robot,
    /// A NAO 6, which has NAOqi 2.8; the method is missing in the listing of 2.5.
    Nao6,
    /// Public descriptions of NAOqi 2.
    Described,
    /// None: every argument may be any value.
    Unknown,
}

/// A method's signatures in the types of the qi protocol, separated by spaces, and their source. `(sf)b` takes a text
/// and a number and answers a boolean; `#` as the last argument stands for any number of further arguments.
#[derive(Clone, Copy)]
pub(crate) struct Types(&'static str, Source);

/// Signatures as a robot with NAOqi 2.5 reports them.
pub(crate) const fn robot(types: &'static str) -> Types {
    Types(types, Source::Robot)
}

/// Signatures as a NAO 6 reports them.
pub(crate) const fn nao6(types: &'static str) -> Types {
    Types(types, Source::Nao6)
}

/// Signatures according to public descriptions.
pub(crate) const fn described(types: &'static str) -> Types {
    Types(types, Source::Described)
}

/// Signatures of which only the number of arguments is known.
pub(crate) const fn unknown(types: &'static str) -> Types {
    Types(types, Source::Unknown)
}

/// A method of a service.
pub struct Method {
    /// The name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub doc: &'static str,
    /// The source of its signatures.
    pub source: Source,
    types: &'static str,
    pub(crate) handler: Handler,
}

impl Method {
    const fn new(name: &'static str, doc: &'static str, types: Types, handler: Handler) -> Self {
        Self { name, doc, source: types.1, types: types.0, handler }
    }

    /// Returns its signatures, in the order of the table.
    pub fn overloads(&self) -> impl Iterator<Item = Overload> + use<> {
        self.types.split_whitespace().map(Overload::read)
    }

    /// Returns the smallest and the largest number of arguments; `None` if there is no largest.
    pub fn counts(&self) -> (usize, Option<usize>) {
        let least = self.overloads().map(|o| o.count).min().unwrap_or(0);
        let most = self.overloads().map(|o| if o.open { usize::MAX } else { o.count }).max().unwrap_or(0);
        (least, (most < usize::MAX).then_some(most))
    }

    /// Returns whether it takes this many arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        self.overloads().any(|o| o.count == arguments || (o.open && arguments > o.count))
    }

    /// Returns how far the simulated robot supports it.
    pub fn support(&self) -> Support {
        match self.handler {
            Handler::None => Support::Known,
            Handler::Accept | Handler::Answer(_) => Support::Accepted,
            Handler::Engine | Handler::Code(_) | Handler::Set(_) | Handler::Get(..) | Handler::Act(..) => {
                Support::Simulated
            }
        }
    }

    /// Returns whether the engine answers it, for every robot: memory subscriptions, resources, posted calls.
    pub fn is_of_engine(&self) -> bool {
        matches!(self.handler, Handler::Engine)
    }

    /// Returns whether the simulated robot answers it.
    pub fn is_of_robot(&self) -> bool {
        !matches!(self.handler, Handler::None | Handler::Engine)
    }

    /// Returns the answer for success: true if the method answers a boolean, else nothing.
    pub(crate) fn success(&self) -> Value {
        if self.overloads().next().is_some_and(|o| o.returns == "b") { true.into() } else { Value::Null }
    }
}

/// A method that runs a function.
pub(crate) const fn runs(name: &'static str, doc: &'static str, types: Types, code: Code) -> Method {
    Method::new(name, doc, types, Handler::Code(code))
}

/// A method that the engine answers.
pub(crate) const fn engine(name: &'static str, doc: &'static str, types: Types) -> Method {
    Method::new(name, doc, types, Handler::Engine)
}

/// A method that robots have and the simulated robot does not.
pub(crate) const fn known(name: &'static str, doc: &'static str, types: Types) -> Method {
    Method::new(name, doc, types, Handler::None)
}

/// A method that answers success and has no effect that a person or a script could notice.
pub(crate) const fn accepts(name: &'static str, doc: &'static str, types: Types) -> Method {
    Method::new(name, doc, types, Handler::Accept)
}

/// A method that always gives the same answer.
pub(crate) const fn answers(name: &'static str, doc: &'static str, types: Types, answer: Const) -> Method {
    Method::new(name, doc, types, Handler::Answer(answer))
}

/// A method that stores its last argument.
pub(crate) const fn sets(name: &'static str, doc: &'static str, types: Types, key: &'static str) -> Method {
    Method::new(name, doc, types, Handler::Set(key))
}

/// A method that answers what was stored; it takes the arguments that are part of the key.
pub(crate) const fn gets(
    name: &'static str,
    doc: &'static str,
    types: Types,
    key: &'static str,
    default: Const,
) -> Method {
    Method::new(name, doc, types, Handler::Get(key, default))
}

/// A method whose effect a person would notice, recorded as an act in the trace.
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
    /// The name.
    pub name: &'static str,
    /// The types of all its arguments, such as `(ff)`; `m` where they are not known.
    pub types: &'static str,
}

pub(crate) const fn signal(name: &'static str, types: &'static str) -> Signal {
    Signal { name, types }
}

/// A property of a service. No robot with NAOqi 2.5 reports any; those here are from a NAO 6, which has NAOqi 2.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name; its signal has the same name.
    pub name: &'static str,
    /// The type of its value, such as `s`.
    pub types: &'static str,
}

pub(crate) const fn property(name: &'static str, types: &'static str) -> Property {
    Property { name, types }
}

/// The methods that a service has besides its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Those of every service.
    Module,
    /// Those of a service that senses while it has subscribers.
    Extractor,
    /// Those of an extractor that uses a camera.
    Camera,
    /// None: it is an object that a service answers.
    Object,
}

/// A service.
pub struct Service {
    /// The name, such as `ALMotion`.
    pub name: &'static str,
    /// Its purpose, in a few words.
    pub doc: &'static str,
    /// Its own methods, without those of its base.
    pub methods: &'static [Method],
    /// Its signals, besides memory events.
    pub signals: &'static [Signal],
    /// Its properties, which no robot with NAOqi 2.5 has.
    pub properties: &'static [Property],
    /// The memory events that it raises; they are declared from the start.
    pub(crate) events: &'static [&'static str],
    /// The methods that it has besides its own.
    pub base: Base,
}

/// Makes a service with its own methods.
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

    pub(crate) const fn object(mut self) -> Self {
        self.base = Base::Object;
        self
    }

    pub(crate) const fn camera(mut self) -> Self {
        self.base = Base::Camera;
        self
    }

    /// Returns every method: its own, then those of its base. A name may occur twice; the first one counts.
    pub fn all_methods(&self) -> impl Iterator<Item = &'static Method> + use<> {
        let camera: &[Method] = if self.base == Base::Camera { crate::CAMERA_METHODS } else { &[] };
        let extractor: &[Method] =
            if matches!(self.base, Base::Extractor | Base::Camera) { crate::EXTRACTOR_METHODS } else { &[] };
        let common: &[Method] = if self.base == Base::Object { &[] } else { crate::COMMON_METHODS };
        self.methods.iter().chain(camera).chain(extractor).chain(common)
    }

    /// Returns the method of this name.
    pub fn method(&self, name: &str) -> Option<&'static Method> {
        self.all_methods().find(|method| method.name == name)
    }

    /// Returns the signal of this name.
    pub fn signal(&self, name: &str) -> Option<&'static Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// Returns the property of this name.
    pub fn property(&self, name: &str) -> Option<&'static Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns whether the simulated robot has it, if its body does: it answers a method of it, or accepts
    /// subscriptions.
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
