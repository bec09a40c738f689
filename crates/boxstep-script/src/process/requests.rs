//! The helper's requests and the replies to them; `docs/inside/scripts.md` has the table.

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

/// The outcome of a message.
pub(super) enum Outcome {
    /// It was handled, and a reply was sent if it needs one.
    Handled,
    /// A reply has been sent that ends the script.
    Stopped,
    /// It is not a request but the end of an order, or another notice of the helper.
    Other(Vec<Json>),
}

/// Whether the helper's thread waits after a message: `None` if it does not, `Some(true)` at the end of an order.
pub(super) fn awaits_reply(message: &[Json]) -> Option<bool> {
    match message.first().and_then(Json::as_str) {
        Some("log" | "print" | "uncaught" | "not_deterministic" | "forget") => None,
        Some("returned" | "raised") => Some(true),
        _ => Some(false),
    }
}

/// The reply to a request.
enum Reply {
    Nothing,
    Value(Value),
    Error(String),
    Stop,
}

/// Handles one message.
///
/// # Errors
/// The helper has ended, or has sent an invalid message.
pub(super) fn handle(
    link: &Arc<Link>,
    wire: &mut Wire,
    bridge: &dyn EngineHandle,
    message: Vec<Json>,
) -> io::Result<Outcome> {
    let mut words = Words { link, words: message.into_iter() };
    let what = words.text()?;
    let reply = match &*what {
        "returned" | "raised" | "freed" | "ready" | "here" => {
            let rest = std::iter::once(Json::String(what.to_string())).chain(words.words);
            return Ok(Outcome::Other(rest.collect()));
        }
        _ => words.request(&what, bridge)?,
    };
    match reply {
        Reply::Nothing => {}
        Reply::Value(value) => wire.send(format!("[\"v\",{value}]"))?,
        Reply::Error(why) => wire.send(json!(["e", why]).to_string())?,
        // The helper may have ended already, so errors are ignored.
        Reply::Stop => {
            let _ = wire.send("[\"stop\"]".to_owned());
            return Ok(Outcome::Stopped);
        }
    }
    Ok(Outcome::Handled)
}

/// The words of a message, which are consumed one after another.
struct Words<'a> {
    link: &'a Arc<Link>,
    words: std::vec::IntoIter<Json>,
}

fn invalid(what: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the helper sent {what}"))
}

/// Converts a value that the helper sent.
pub(super) fn value(link: &Arc<Link>, json: &Json) -> io::Result<Value> {
    Ok(with_handles(link, serde_json::from_value(json.clone())?))
}

/// Gives the objects in a value handles that report to the helper when they are dropped.
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
        self.words.next().ok_or_else(|| invalid("too few words"))
    }

    fn text(&mut self) -> io::Result<Arc<str>> {
        match self.word()? {
            Json::String(text) => Ok(text.into()),
            other => Err(invalid(other)),
        }
    }

    fn int(&mut self) -> io::Result<i64> {
        let word = self.word()?;
        word.as_i64().ok_or_else(|| invalid(word))
    }

    fn maybe_int(&mut self) -> io::Result<Option<i64>> {
        let word = self.word()?;
        if word.is_null() { Ok(None) } else { word.as_i64().map(Some).ok_or_else(|| invalid(word)) }
    }

    fn number(&mut self) -> io::Result<u32> {
        let int = self.int()?;
        u32::try_from(int).map_err(|_| invalid(int))
    }

    fn numbers(&mut self) -> io::Result<Vec<u32>> {
        let word = self.word()?;
        let number = |n: &Json| n.as_u64().and_then(|n| u32::try_from(n).ok());
        let all = word.as_array().and_then(|all| all.iter().map(number).collect());
        all.ok_or_else(|| invalid(word))
    }

    fn object(&mut self) -> io::Result<ObjectId> {
        self.number().map(ObjectId)
    }

    /// A negative number means no object.
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
            other => Err(invalid(other)),
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

    /// Executes a request.
    fn request(&mut self, what: &str, bridge: &dyn EngineHandle) -> io::Result<Reply> {
        let request = match what {
            // Notices, which need no reply.
            "print" => {
                let (from, text, error) = (self.caller()?, self.text()?, self.word()? == Json::Bool(true));
                return Ok(notify(bridge, Request::Print { from, text, error }));
            }
            "log" => {
                let (from, level, text) = (self.caller()?, self.text()?, self.text()?);
                let level = requests::log_level(&level).map_err(invalid)?;
                return Ok(notify(bridge, Request::Log { from, level, text }));
            }
            "uncaught" => {
                let (from, error) = (self.caller()?, self.error()?);
                return Ok(notify(bridge, Request::Uncaught { from, error }));
            }
            "not_deterministic" => return Ok(notify(bridge, Request::NotDeterministic(self.text()?))),
            "forget" => {
                self.link.forget(self.int()?.unsigned_abs());
                return Ok(Reply::Nothing);
            }

            // Requests that wait.
            "sleep" => {
                return Ok(interrupted_reply(requests::sleep(bridge, self.int()?)).unwrap_or(Reply::Value(Value::Null)));
            }
            "block" => {
                let (ticket, delay) = (self.int()?.unsigned_abs(), self.maybe_int()?);
                return Ok(match self.link.block(bridge, ticket, delay) {
                    Wake::Notified => Reply::Value(Value::Bool(true)),
                    Wake::TimedOut => Reply::Value(Value::Bool(false)),
                    _ => Reply::Stop,
                });
            }
            "unblock" => {
                let ticket = self.int()?.unsigned_abs();
                return Ok(Reply::Value(Value::Bool(self.link.unblock(bridge, ticket))));
            }
            "now" => {
                let now = requests::now(bridge).map(|now| Reply::Value(Value::Int(now.0)));
                return Ok(now.unwrap_or_else(|end| interrupted_reply(end).unwrap_or(Reply::Stop)));
            }
            "heard" => return Ok(Reply::Value(Value::Null)),
            "rewrite" => return Ok(Reply::Value(Value::from(rewrite::python2(&self.text()?).text))),

            // Requests that the engine answers.
            "output" => Request::Output { object: self.object()?, name: self.text()?, value: self.value()? },
            "stimulate" => Request::Stimulate { object: self.object()?, name: self.text()?, value: self.value()? },
            "get_parameter" => Request::GetParameter { object: self.object()?, name: self.text()? },
            "set_parameter" => {
                Request::SetParameter { object: self.object()?, name: self.text()?, value: self.value()? }
            }
            "timeline" => match self.timeline()? {
                Ok(request) => request,
                Err(why) => return Ok(Reply::Error(why)),
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
                    Err(why) => return Ok(Reply::Error(why)),
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
            other => return Err(invalid(other)),
        };
        Ok(match requests::value_of(bridge.request(request)) {
            Ok(value) => Reply::Value(value),
            Err(Refusal::Stopped) => Reply::Stop,
            Err(Refusal::Failed(why)) => Reply::Error(why),
        })
    }

    fn error(&mut self) -> io::Result<ScriptError> {
        let (kind, message, line, traceback) = (self.text()?, self.text()?, self.maybe_int()?, self.text()?);
        Ok(ScriptError { kind, message, line: line.and_then(|line| u32::try_from(line).ok()), traceback })
    }
}

/// Converts the exception of a message `["raised", …]`; `words` excludes the first word.
pub(super) fn error(link: &Arc<Link>, words: Vec<Json>) -> io::Result<ScriptError> {
    Words { link, words: words.into_iter() }.error()
}

/// The reply that ends a wait that was interrupted or failed.
fn interrupted_reply(wake: Wake) -> Option<Reply> {
    match wake {
        Wake::Interrupted => Some(Reply::Stop),
        Wake::Failed(why) => Some(Reply::Error(why)),
        _ => None,
    }
}

fn notify(bridge: &dyn EngineHandle, request: Request) -> Reply {
    bridge.request(request);
    Reply::Nothing
}
