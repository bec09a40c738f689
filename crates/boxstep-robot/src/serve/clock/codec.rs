//! The messages between a held robot and its client, as values.

use boxstep_engine::CallId;
use boxstep_engine::services::{Act, Ask, Effect, ServiceError, Topic};
use boxstep_types::{Time, Value};
use std::fmt;
use std::sync::Arc;

/// A value does not have the form that the service's documentation specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadForm;

impl fmt::Display for BadForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message does not have the form that BoxstepClock requires")
    }
}

type Answered = Result<Value, ServiceError>;

pub(super) fn result(answered: &Answered) -> Value {
    let error = |kind: &str, text: &str| Value::list(["error".into(), kind.into(), text.into()]);
    match answered {
        Ok(value) => Value::list(["ok".into(), value.clone()]),
        Err(ServiceError::NoService) => error("no service", ""),
        Err(ServiceError::NoMethod) => error("no method", ""),
        Err(ServiceError::BadArguments(text)) => error("bad arguments", text),
        Err(ServiceError::Failed(text)) => error("failed", text),
    }
}

pub(super) fn result_of(value: &Value) -> Result<Answered, BadForm> {
    match value.as_list() {
        Some([Value::Str(ok), value]) if &**ok == "ok" => Ok(Ok(value.clone())),
        Some([Value::Str(error), Value::Str(kind), Value::Str(text)]) if &**error == "error" => {
            Ok(Err(match &**kind {
                "no service" => ServiceError::NoService,
                "no method" => ServiceError::NoMethod,
                "bad arguments" => ServiceError::BadArguments(text.to_string()),
                "failed" => ServiceError::Failed(text.to_string()),
                _ => return Err(BadForm),
            }))
        }
        _ => Err(BadForm),
    }
}

pub(super) fn topic(topic: &Topic) -> Value {
    match topic {
        Topic::Memory(key) => Value::list(["memory".into(), Value::Str(key.clone())]),
        Topic::Signal(service, name) => {
            Value::list(["signal".into(), Value::Str(service.clone()), Value::Str(name.clone())])
        }
    }
}

pub(super) fn topic_of(value: &Value) -> Result<Topic, BadForm> {
    match value.as_list() {
        Some([Value::Str(kind), Value::Str(key)]) if &**kind == "memory" => Ok(Topic::Memory(key.clone())),
        Some([Value::Str(kind), Value::Str(service), Value::Str(name)]) if &**kind == "signal" => {
            Ok(Topic::Signal(service.clone(), name.clone()))
        }
        _ => Err(BadForm),
    }
}

pub(super) fn effect(effect: &Effect) -> Value {
    match effect {
        Effect::Complete(call, answered) => {
            Value::list(["complete".into(), Value::Int(call.0.into()), result(answered)])
        }
        // Tokens are counted from 1 and never reach the sign bit.
        Effect::Timer(at, token) => Value::list(["timer".into(), at.0.into(), Value::Int(*token as i64)]),
        Effect::Event(of, value) => Value::list(["event".into(), topic(of), value.clone()]),
        Effect::Act(act) => {
            Value::list(["act".into(), (&*act.kind).into(), act.text.as_str().into(), act.data.clone()])
        }
        Effect::Memory(key, value) => Value::list(["memory".into(), (&**key).into(), value.clone()]),
        Effect::Joints(angles) => {
            let angles = angles.iter().map(|(name, angle)| (&**name, Value::Float(*angle)));
            Value::list(["joints".into(), Value::map(angles)])
        }
        Effect::Replaced(names) => {
            let names = names.iter().map(|name| Value::Str(name.clone()));
            Value::list(["replaced".into(), Value::list(names)])
        }
        Effect::Warn(text) => Value::list(["warn".into(), text.as_str().into()]),
        Effect::Lost(why) => Value::list(["lost".into(), why.as_str().into()]),
        Effect::Ask(ask) => asked("ask", ask),
        Effect::Call(ask) => asked("call", ask),
        // Its fields are those of a recording's line. An event that has no JSON does not exist.
        Effect::Dialog(event) => {
            Value::list(["dialog".into(), serde_json::to_string(event).unwrap_or_default().as_str().into()])
        }
    }
}

/// A request for Python or for a call. Its number may reach the sign bit.
fn asked(kind: &str, ask: &Ask) -> Value {
    let Ask { number, service, method, args } = ask;
    let args = Value::list(args.iter().cloned());
    Value::list([kind.into(), Value::Int(*number as i64), (&**service).into(), (&**method).into(), args])
}

pub(super) fn effect_of(value: &Value) -> Result<Effect, BadForm> {
    let number = |value: &Value| value.as_i64().ok_or(BadForm);
    let (kind, rest) = value.as_list().and_then(|l| l.split_first()).ok_or(BadForm)?;
    Ok(match (kind.as_str(), rest) {
        (Some("complete"), [call, answered]) => {
            let call = u32::try_from(number(call)?).map_err(|_| BadForm)?;
            Effect::Complete(CallId(call), result_of(answered)?)
        }
        (Some("timer"), [at, token]) => Effect::Timer(Time(number(at)?), number(token)? as u64),
        (Some("event"), [topic, value]) => Effect::Event(topic_of(topic)?, value.clone()),
        (Some("act"), [Value::Str(kind), Value::Str(text), data]) => {
            let kind = kind.to_string().into();
            Effect::Act(Act { kind, text: text.to_string(), data: data.clone() })
        }
        (Some("memory"), [Value::Str(key), value]) => Effect::Memory(key.clone(), value.clone()),
        (Some("joints"), [angles]) => {
            let angle = |(name, angle): &(Value, Value)| Some((Arc::from(name.as_str()?), angle.as_f64()?));
            let angles = angles.as_map().ok_or(BadForm)?.iter().map(angle);
            Effect::Joints(angles.collect::<Option<_>>().ok_or(BadForm)?)
        }
        (Some(kind @ ("ask" | "call")), [asked, Value::Str(service), Value::Str(method), Value::List(args)]) => {
            let number = number(asked)? as u64;
            let ask = Ask { number, service: service.clone(), method: method.clone(), args: args.to_vec() };
            if kind == "ask" { Effect::Ask(ask.into()) } else { Effect::Call(ask.into()) }
        }
        (Some("dialog"), [Value::Str(event)]) => Effect::Dialog(serde_json::from_str(event).map_err(|_| BadForm)?),
        (Some("replaced"), [Value::List(names)]) => {
            let name = |name: &Value| name.as_str().map(Arc::from).ok_or(BadForm);
            Effect::Replaced(names.iter().map(name).collect::<Result<_, _>>()?)
        }
        (Some("warn"), [Value::Str(text)]) => Effect::Warn(text.to_string()),
        (Some("lost"), [Value::Str(why)]) => Effect::Lost(why.to_string()),
        _ => return Err(BadForm),
    })
}

/// Reads what the robot is still doing, and since when.
pub(super) fn rest_of(value: &Value) -> Result<Option<(Arc<str>, Time)>, BadForm> {
    match value.as_list() {
        Some([]) => Ok(None),
        Some([Value::Str(what), since]) => Ok(Some((what.clone(), Time(since.as_i64().ok_or(BadForm)?)))),
        _ => Err(BadForm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_engine::services::DialogEvent;

    #[test]
    fn effects_survive_a_round_trip() {
        let signal = Topic::Signal("ALTabletService".into(), "onTouch".into());
        let act = |kind: &str| {
            Effect::Act(Act {
                kind: kind.to_owned().into(),
                text: "hi".to_owned(),
                data: Value::map([("a", Value::Float(0.1))]),
            })
        };
        let mut all = vec![
            Effect::Complete(CallId(7), Ok(Value::Null)),
            Effect::Complete(CallId(8), Err(ServiceError::NoMethod)),
            Effect::Complete(CallId(9), Err(ServiceError::BadArguments("x".to_owned()))),
            Effect::Timer(Time(i64::MAX), 3),
            Effect::Event(Topic::Memory("k".into()), Value::list([1.into()])),
            Effect::Event(signal, Value::Null),
            Effect::Memory("k".into(), Value::Int(1)),
            Effect::Replaced(vec!["hello".into()]),
            Effect::Joints([("HeadYaw".into(), 0.5)].as_slice().into()),
            Effect::Dialog(DialogEvent::Focus { topic: Some("greet".into()) }),
        ];
        let ask = |number| Ask { number, service: "A".into(), method: "b".into(), args: vec![1.into(), "x".into()] };
        all.push(Effect::Call(ask(u64::MAX).into()));
        all.push(Effect::Ask(ask(1 << 32).into()));
        all.extend(["say", "joints", "of a robot in Python"].map(act));
        for one in all {
            assert_eq!(effect_of(&effect(&one)), Ok(one));
        }
        assert_eq!(effect_of(&Value::list(["dance".into()])), Err(BadForm));
    }
}
