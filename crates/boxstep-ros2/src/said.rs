//! What events of a trace are in ROS: speech, touches, and lines of the log.

use crate::messages::builtin_interfaces::Time;
use crate::messages::naoqi_bridge_msgs::{Bumper, HandTouch, HeadTouch};
use crate::messages::rcl_interfaces::Log;
use crate::messages::std_msgs::Text;
use boxstep_trace::{Event, Kind, LogLevel, ScriptError};
use boxstep_types::Value;

/// What an event is in ROS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The robot says something.
    Speech(Text),
    /// A bumper is pressed or released.
    Bumper(Bumper),
    /// The head is touched or released.
    HeadTouch(HeadTouch),
    /// A hand is touched or released.
    HandTouch(HandTouch),
    /// A line of the log.
    Log(Log),
}

/// Returns what an event is in ROS, if it is anything. `path` is the path of its box, and `stamp` its time.
pub fn of(event: &Event, path: &str, stamp: Time) -> Option<Said> {
    match &event.kind {
        Kind::Act(act) if act.kind == "say" => Some(Said::Speech(Text { data: without_nul(&act.text) })),
        Kind::Event { key, value, .. } => touched(key, value),
        kind => logged(kind).map(|(level, text, line)| {
            let (name, msg) = (path.to_owned(), without_nul(&text));
            Said::Log(Log { stamp, level, file: name.clone(), name, msg, function: String::new(), line })
        }),
    }
}

/// A text of CDR ends with a NUL, so it can have none inside.
fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{FFFD}")
}

/// Returns the message of a touch, by the key of the robot's memory. Numbers are those that the messages define.
pub fn touched(key: &str, value: &Value) -> Option<Said> {
    let state = match value {
        Value::Bool(pressed) => u8::from(*pressed),
        number => u8::from(number.as_f64()? > 0.5),
    };
    let place = |keys: &[&str]| keys.iter().position(|known| *known == key).map(|at| at as u8);
    let bumper = place(&["RightBumperPressed", "LeftBumperPressed", "BackBumperPressed"]);
    let head = place(&["FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched"]);
    let hand = place(&[
        "HandRightBackTouched",
        "HandRightLeftTouched",
        "HandRightRightTouched",
        "HandLeftBackTouched",
        "HandLeftLeftTouched",
        "HandLeftRightTouched",
    ]);
    let bumper = bumper.map(|bumper| Said::Bumper(Bumper { bumper, state }));
    let head = head.map(|at| Said::HeadTouch(HeadTouch { button: at + 1, state }));
    bumper.or(head).or_else(|| hand.map(|hand| Said::HandTouch(HandTouch { hand, state })))
}

/// Returns the line of the log that an event is: how serious it is, the text, and the line of its script.
fn logged(kind: &Kind) -> Option<(u8, String, u32)> {
    let raised = |error: &ScriptError| Some((Log::ERROR, error.to_string(), error.line.unwrap_or_default()));
    match kind {
        Kind::Log { level, text, line } => {
            let level = match level {
                LogLevel::Debug => Log::DEBUG,
                LogLevel::Info => Log::INFO,
                LogLevel::Warning => Log::WARN,
                LogLevel::Error => Log::ERROR,
                LogLevel::Fatal => Log::FATAL,
            };
            Some((level, text.to_string(), *line))
        }
        Kind::Print { text, stderr, line } => {
            Some((if *stderr { Log::WARN } else { Log::INFO }, text.to_string(), *line))
        }
        Kind::Warning { text } => Some((Log::WARN, text.to_string(), 0)),
        Kind::Raised { error, .. } | Kind::BehaviorFailed { error, .. } => raised(error),
        Kind::Unsupported { service, method, line } => {
            Some((Log::WARN, format!("unsupported: {service}.{method}"), *line))
        }
        _ => None,
    }
}
