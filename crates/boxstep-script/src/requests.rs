//! What a script's request means, for either host: the words in it, the answer to it, and requests that take more than one turn.
//!
//! A host only brings arguments and answers into its own form: Python objects, or JSON.

use crate::scheduler::EngineHandle;
use boxstep_engine::protocol::{Answer, BlockedOn, Frame, LogLevel, Request, TimelineCommand, Wake};
use boxstep_engine::services::Topic;
use boxstep_engine::{SubscriptionId, TimerId};
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// Why a request is not answered with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The run is over: the script ends here.
    Stopped,
    /// The engine cannot do it: the script gets an error with this text.
    Failed(String),
}

/// The value that a script gets as the answer: numbers of timers and subscriptions are integers, a request without a result
/// gives null.
///
/// # Errors
/// The run is over, or the request failed.
pub fn value_of(answer: Answer) -> Result<Value, Refusal> {
    match answer {
        Answer::Interrupted => Err(Refusal::Stopped),
        Answer::Error(why) => Err(Refusal::Failed(why)),
        Answer::Value(value) => Ok(value),
        Answer::Flag(yes) => Ok(Value::Bool(yes)),
        Answer::Timer(TimerId(id)) => Ok(Value::Int(id.into())),
        Answer::Subscription(SubscriptionId(id)) => Ok(Value::Int(id.into())),
        Answer::Time(at) => Ok(Value::Int(at.0)),
        Answer::Done | Answer::Yield | Answer::Blocked(_) => Ok(Value::Null),
    }
}

/// What `bridge.timeline` asks of a timeline.
///
/// # Errors
/// There is no command of this name, or its argument is missing or of the wrong type.
pub fn timeline_command(name: &str, argument: &Value) -> Result<TimelineCommand, String> {
    let number = || argument.as_f64().ok_or_else(|| format!("{name} needs an argument"));
    Ok(match name {
        "exists" => TimelineCommand::Exists,
        "play" => TimelineCommand::Play,
        "pause" => TimelineCommand::Pause,
        "stop" => TimelineCommand::Stop,
        "size" => TimelineCommand::GetSize,
        "fps" => TimelineCommand::GetFps,
        "frame" => TimelineCommand::GetFrame,
        "goto" => TimelineCommand::GoTo(match argument {
            Value::Str(name) => Frame::Name(name.clone()),
            _ => Frame::Number(number()? as i64),
        }),
        "set_fps" => TimelineCommand::SetFps(number()? as i32),
        other => return Err(format!("no timeline command {other:?}")),
    })
}

/// What a script subscribes to: `memory` with a key, or `signal` with a service and its signal.
///
/// # Errors
/// There is no such kind.
pub fn topic(kind: &str, a: Arc<str>, b: Arc<str>) -> Result<Topic, String> {
    match kind {
        "memory" => Ok(Topic::Memory(a)),
        "signal" => Ok(Topic::Signal(a, b)),
        other => Err(format!("no kind of subscription {other:?}")),
    }
}

/// The level of this name.
///
/// # Errors
/// There is none of this name.
pub fn log_level(name: &str) -> Result<LogLevel, String> {
    let levels = [LogLevel::Debug, LogLevel::Info, LogLevel::Warning, LogLevel::Error, LogLevel::Fatal];
    let level = levels.into_iter().find(|level| level.name() == name);
    level.ok_or_else(|| "levels are debug, info, warning, error and fatal".to_owned())
}

/// Lets the calling task sleep for nanoseconds of the run's clock; [`Wake::Failed`] if it may not.
pub fn sleep(engine: &dyn EngineHandle, ns: i64) -> Wake {
    engine.block(Some(ns.max(0)), BlockedOn::Sleep, &mut |_, _| {})
}

/// The time on the engine's clock. A script that asks again and again waits meanwhile, for as long as the engine says.
///
/// # Errors
/// [`Wake::Interrupted`] if the run is over, [`Wake::Failed`] if the script may not know it.
pub fn now(engine: &dyn EngineHandle) -> Result<Time, Wake> {
    loop {
        match engine.request(Request::Now) {
            Answer::Time(now) => return Ok(now),
            Answer::Yield => {
                if let end @ (Wake::Interrupted | Wake::Failed(_)) = sleep(engine, 0) {
                    return Err(end);
                }
            }
            Answer::Error(why) => return Err(Wake::Failed(why)),
            _ => return Err(Wake::Interrupted),
        }
    }
}
