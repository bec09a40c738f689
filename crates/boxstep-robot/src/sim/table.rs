//! The form of a service's table: which methods it has, how many arguments they take, and, for
//! methods that only remember or answer something, what.

use super::args::Args;
use super::world::World;
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

/// What a service's code gives back.
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
    pub(crate) method: &'static str,
    pub(crate) args: Args<'a>,
}

/// The code of a service's own methods.
pub(crate) type Code = fn(&mut World, &mut ServiceCx<'_>, &Call<'_>) -> Reply;

/// One service.
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// Its methods, without those that every service or every extractor has.
    pub(crate) methods: &'static [Method],
    /// Its signals (`service.signal.connect`).
    pub(crate) signals: &'static [&'static str],
    /// Memory events it raises on a robot: declared from the start.
    pub(crate) events: &'static [&'static str],
    /// It can be subscribed to by name with a period (`subscribe`, `unsubscribe`, …).
    pub(crate) extractor: bool,
    /// For methods that [`How::Code`] marks.
    pub(crate) code: Code,
}

/// A service whose methods are all answered by its table.
pub(crate) const fn service(name: &'static str, methods: &'static [Method]) -> Service {
    Service { name, methods, signals: &[], events: &[], extractor: false, code: no_code }
}

/// A service that scripts subscribe to in order to get events, all answered by its table.
pub(crate) const fn extractor(
    name: &'static str,
    events: &'static [&'static str],
    methods: &'static [Method],
) -> Service {
    Service { name, methods, signals: &[], events, extractor: true, code: no_code }
}

fn no_code(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    Err(ServiceError::NoMethod)
}

/// One method.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// Fewest arguments.
    pub(crate) min: u8,
    /// Most arguments.
    pub(crate) max: u8,
    pub(crate) how: How,
}

/// How a method is answered.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// By the service's code.
    Code,
    /// By a constant; nothing else happens.
    Say(Const),
    /// Remembers its last argument, all arguments before it being part of the name; answers the constant.
    Put(&'static str, Const),
    /// Gives back what [`How::Put`] remembered, or the constant.
    Get(&'static str, Const),
    /// A person would notice: leaves an act of this kind and text, and answers the constant.
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
        }
    }
}

/// As most arguments: any number.
pub(crate) const ANY: u8 = u8::MAX;

/// A method with code.
pub(crate) const fn code(name: &'static str, min: u8, max: u8) -> Method {
    Method { name, min, max, how: How::Code }
}

/// A method that answers null and has no effect a person or script could notice.
pub(crate) const fn quiet(name: &'static str, min: u8, max: u8) -> Method {
    Method { name, min, max, how: How::Say(Const::Null) }
}

/// A method that always answers the same.
pub(crate) const fn say(name: &'static str, min: u8, max: u8, answer: Const) -> Method {
    Method { name, min, max, how: How::Say(answer) }
}

/// A method that remembers its last argument; with `args` 2 the first one is part of the key.
pub(crate) const fn put(name: &'static str, key: &'static str, args: u8) -> Method {
    Method { name, min: args, max: args, how: How::Put(key, Const::Null) }
}

/// As [`put`], of a method that answers whether it worked: it did.
pub(crate) const fn try_put(name: &'static str, key: &'static str, args: u8) -> Method {
    Method { name, min: args, max: args, how: How::Put(key, Const::Bool(true)) }
}

/// A method that gives back what was put; it takes the arguments that are part of the key.
pub(crate) const fn get(name: &'static str, key: &'static str, args: u8, default: Const) -> Method {
    Method { name, min: args, max: args, how: How::Get(key, default) }
}

/// A method that leaves an act and answers.
pub(crate) const fn act(
    name: &'static str,
    min: u8,
    max: u8,
    kind: &'static str,
    text: &'static str,
    answer: Const,
) -> Method {
    Method { name, min, max, how: How::Act(kind, text, answer) }
}
