//! What the helper asks, and what is said to it: `docs/process.md` has the table.

use super::link::Link;
use super::wire::Wire;
use crate::requests::{self, Refusal};
use crate::rewrite;
use crate::scheduler::EngineHandle;
use boxstep_engine::protocol::{Caller, ObjectCall, Request, ScriptError, ServiceRequest, Wake};
use boxstep_engine::{CallId, CallbackId, ObjectId, SubscriptionId, TimerId};
use boxstep_types::Value;
use serde_json::{Value as Json, json};
use std::io;
use std::sync::Arc;

/// What a message comes to.
pub(super) enum Heard {
    /// It has been seen to.
    Done,
    /// An answer has been sent that ends its script.
    Stopped,
    /// None of ours: the end of an order.
    Word(Vec<Json>),
}

/// Whether the helper's thread waits after a message; `Some(true)` for the end of an order.
pub(super) fn waits(message: &[Json]) -> Option<bool> {
    match message.first().and_then(Json::as_str) {
        Some("log" | "print" | "uncaught" | "not_deterministic" | "forget") => None,
        Some("returned" | "raised") => Some(true),
        _ => Some(false),
    }
}

/// What has to be said to a request.
enum Say {
    Nothing,
    Value(Value),
    Error(String),
    Stop,
}

/// Sees to one message.
///
/// # Errors
/// The helper is gone, or what it sent makes no sense.
pub(super) fn hear(
    link: &Arc<Link>,
    wire: &mut Wire,
    bridge: &dyn EngineHandle,
    message: Vec<Json>,
) -> io::Result<Heard> {
    let mut words = Words { link, words: message.into_iter() };
    let what = words.text()?;
    let say = match &*what {
        "returned" | "raised" | "freed" | "ready" | "here" => {
            let rest = std::iter::once(Json::String(what.to_string())).chain(words.words);
            return Ok(Heard::Word(rest.collect()));
        }
        _ => words.request(&what, bridge)?,
    };
    match say {
        Say::Nothing => {}
        Say::Value(value) => wire.send(format!("[\"v\",{value}]"))?,
        Say::Error(why) => wire.send(json!(["e", why]).to_string())?,
        // Whether it can still hear that or not.
        Say::Stop => {
            let _ = wire.send("[\"stop\"]".to_owned());
            return Ok(Heard::Stopped);
        }
    }
    Ok(Heard::Done)
}

/// A message's words, one after another.
struct Words<'a> {
    link: &'a Arc<Link>,
    words: std::vec::IntoIter<Json>,
}

fn wrong(what: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the helper sent {what}"))
}

/// A value as the helper sends it.
pub(super) fn value(link: &Arc<Link>, json: &Json) -> io::Result<Value> {
    Ok(with_handles(link, serde_json::from_value(json.clone())?))
}

/// Gives the objects in a value handles whose end the helper hears of.
fn with_handles(link: &Arc<Link>, value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(link.object(object.id())),
        Value::List(items) => Value::List(items.iter().map(|item| with_handles(link, item.clone())).collect()),
        Value::Map(pairs) => {
            let pair = |(k, v): &(Value, Value)| (with_handles(link, k.clone()), with_handles(link, v.clone()));
            Value::Map(pairs.iter().map(pair).collect())
        }
        other => other,
    }
}

impl Words<'_> {
    fn word(&mut self) -> io::Result<Json> {
        self.words.next().ok_or_else(|| wrong("too few words"))
    }

    fn text(&mut self) -> io::Result<Arc<str>> {
        match self.word()? {
            Json::String(text) => Ok(text.into()),
            other => Err(wrong(other)),
        }
    }

    fn int(&mut self) -> io::Result<i64> {
        let word = self.word()?;
        word.as_i64().ok_or_else(|| wrong(word))
    }

    fn maybe_int(&mut self) -> io::Result<Option<i64>> {
        let word = self.word()?;
        if word.is_null() { Ok(None) } else { word.as_i64().map(Some).ok_or_else(|| wrong(word)) }
    }

    fn number(&mut self) -> io::Result<u32> {
        let int = self.int()?;
        u32::try_from(int).map_err(|_| wrong(int))
    }

    fn numbers(&mut self) -> io::Result<Vec<u32>> {
        let word = self.word()?;
        let number = |n: &Json| n.as_u64().and_then(|n| u32::try_from(n).ok());
        let all = word.as_array().and_then(|all| all.iter().map(number).collect());
        all.ok_or_else(|| wrong(word))
    }

    fn object(&mut self) -> io::Result<ObjectId> {
        self.number().map(ObjectId)
    }

    /// A negative object is none.
    fn caller(&mut self) -> io::Result<Caller> {
        let object = u32::try_from(self.int()?).ok().map(ObjectId);
        Ok(Caller { object, line: self.number()? })
    }

    fn value(&mut self) -> io::Result<Value> {
        value(self.link, &self.word()?)
    }

    fn values(&mut self) -> io::Result<Vec<Value>> {
        match self.word()? {
            Json::Array(items) => items.iter().map(|item| value(self.link, item)).collect(),
            other => Err(wrong(other)),
        }
    }

    fn service(&mut self) -> io::Result<ServiceRequest> {
        Ok(ServiceRequest { from: self.caller()?, service: self.text()?, method: self.text()?, args: self.values()? })
    }

    fn timeline(&mut self) -> io::Result<Result<Request, String>> {
        let (object, parent, command) = (self.object()?, self.word()? == Json::Bool(true), self.text()?);
        let argument = self.value()?;
        Ok(requests::timeline_command(&command, &argument).map(|command| Request::Timeline { object, parent, command }))
    }

    /// Carries a request out.
    fn request(&mut self, what: &str, bridge: &dyn EngineHandle) -> io::Result<Say> {
        let request = match what {
            // Words that need no answer.
            "print" => {
                let (from, text, error) = (self.caller()?, self.text()?, self.word()? == Json::Bool(true));
                return Ok(told(bridge, Request::Print { from, text, error }));
            }
            "log" => {
                let (from, level, text) = (self.caller()?, self.text()?, self.text()?);
                let level = requests::log_level(&level).map_err(wrong)?;
                return Ok(told(bridge, Request::Log { from, level, text }));
            }
            "uncaught" => {
                let (from, error) = (self.caller()?, self.error()?);
                return Ok(told(bridge, Request::Uncaught { from, error }));
            }
            "not_deterministic" => return Ok(told(bridge, Request::NotDeterministic(self.text()?))),
            "forget" => {
                self.link.forget(self.int()?.unsigned_abs());
                return Ok(Say::Nothing);
            }

            // Waits.
            "sleep" => {
                return Ok(ended(requests::sleep(bridge, self.int()?)).unwrap_or(Say::Value(Value::Null)));
            }
            "block" => {
                let (ticket, delay) = (self.int()?.unsigned_abs(), self.maybe_int()?);
                return Ok(match self.link.block(bridge, ticket, delay) {
                    Wake::Notified => Say::Value(Value::Bool(true)),
                    Wake::TimedOut => Say::Value(Value::Bool(false)),
                    _ => Say::Stop,
                });
            }
            "unblock" => {
                let ticket = self.int()?.unsigned_abs();
                return Ok(Say::Value(Value::Bool(self.link.unblock(bridge, ticket))));
            }
            "now" => {
                let now = requests::now(bridge).map(|now| Say::Value(Value::Int(now.0)));
                return Ok(now.unwrap_or_else(|end| ended(end).unwrap_or(Say::Stop)));
            }
            "heard" => return Ok(Say::Value(Value::Null)),
            "rewrite" => return Ok(Say::Value(Value::from(rewrite::python2(&self.text()?).text))),

            // All others are requests of the engine's.
            "output" => Request::Output { object: self.object()?, name: self.text()?, value: self.value()? },
            "stimulate" => Request::Stimulate { object: self.object()?, name: self.text()?, value: self.value()? },
            "get_parameter" => Request::GetParameter { object: self.object()?, name: self.text()? },
            "set_parameter" => {
                Request::SetParameter { object: self.object()?, name: self.text()?, value: self.value()? }
            }
            "timeline" => match self.timeline()? {
                Ok(request) => request,
                Err(why) => return Ok(Say::Error(why)),
            },
            "find_service" => Request::FindService { from: self.caller()?, service: self.text()? },
            "call" => Request::Call(self.service()?),
            "post" => Request::Post(self.service()?),
            "call_then" => {
                let call = self.service()?;
                Request::CallThen(call, CallbackId(self.number()?))
            }
            "wait_call" => Request::WaitCall { call: CallId(self.number()?), timeout: self.maybe_int()? },
            "stop_call" => Request::StopCall(CallId(self.number()?)),
            "is_running" => Request::IsRunning(CallId(self.number()?)),
            "subscribe" => {
                let (from, kind, a, b) = (self.caller()?, self.text()?, self.text()?, self.text()?);
                match requests::topic(&kind, a, b) {
                    Ok(topic) => Request::Subscribe { from, topic, callback: CallbackId(self.number()?) },
                    Err(why) => return Ok(Say::Error(why)),
                }
            }
            "unsubscribe" => Request::Unsubscribe(SubscriptionId(self.number()?)),
            "after" => {
                let (callback, delay) = (CallbackId(self.number()?), self.int()?);
                Request::After { callback, delay, period: self.maybe_int()? }
            }
            "cancel_timer" => Request::CancelTimer(TimerId(self.number()?)),
            "object" => Request::Object(Box::new(ObjectCall {
                kind: self.text()?,
                handle: self.numbers()?,
                operation: self.text()?,
                args: self.values()?,
            })),
            "spawn" => Request::Spawn { callback: CallbackId(self.number()?) },
            other => return Err(wrong(other)),
        };
        Ok(match requests::value_of(bridge.request(request)) {
            Ok(value) => Say::Value(value),
            Err(Refusal::Stopped) => Say::Stop,
            Err(Refusal::Failed(why)) => Say::Error(why),
        })
    }

    fn error(&mut self) -> io::Result<ScriptError> {
        let (kind, message, line, traceback) = (self.text()?, self.text()?, self.maybe_int()?, self.text()?);
        Ok(ScriptError { kind, message, line: line.and_then(|line| u32::try_from(line).ok()), traceback })
    }
}

/// The exception of a message `["raised", …]`, without its first word.
pub(super) fn error(link: &Arc<Link>, words: Vec<Json>) -> io::Result<ScriptError> {
    Words { link, words: words.into_iter() }.error()
}

/// What a wait says that is not to go on.
fn ended(wake: Wake) -> Option<Say> {
    match wake {
        Wake::Interrupted => Some(Say::Stop),
        Wake::Failed(why) => Some(Say::Error(why)),
        _ => None,
    }
}

fn told(bridge: &dyn EngineHandle, request: Request) -> Say {
    bridge.request(request);
    Say::Nothing
}
