//! Describes events of a recording for people.

use super::WISHED;
use boxstep_trace::{
    BehaviorPhase, Busy, CallEvent, Control, DelegationEnd, DelegationEvent, DialogEvent, Event, Kind, ResourceEvent,
    ResourcePhase, ScriptError, ShowEvent, TimelinePhase,
};
use boxstep_types::Value;

/// The maximum length of a line of an answer, in characters.
const WIDEST: usize = 160;
/// The maximum length of a value in a line, in characters.
const LONGEST: usize = 60;

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Truncates a line to the maximum length. Control characters, including line breaks, become spaces.
pub(super) fn cut(line: &str) -> String {
    let plain: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(&plain, WIDEST)
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        value => format!(" {}", shortened(&value.to_string(), LONGEST)),
    }
}

/// Returns ` (line 6)`, or nothing.
pub(super) fn at_line(line: Option<u32>) -> String {
    line.map(|line| format!(" (line {line})")).unwrap_or_default()
}

/// Returns the line of the script that an event names; `None` if it is not known.
pub(super) fn line_of(kind: &Kind) -> Option<u32> {
    let line = match kind {
        Kind::Service(call) => call.line,
        Kind::Unsupported { line, .. } | Kind::Log { line, .. } | Kind::Print { line, .. } => *line,
        _ => 0,
    };
    Some(line).filter(|line| *line > 0)
}

/// Formats an error, such as `ValueError: no such word`.
pub(super) fn error(error: &ScriptError) -> String {
    match &*error.message {
        "" => error.kind.to_string(),
        message => format!("{}: {}", error.kind, shortened(message, 2 * LONGEST)),
    }
}

/// Formats a call, such as `ALBehaviorManager.stopBehavior("dance")`.
pub(super) fn called(call: &CallEvent) -> String {
    let args: Vec<String> = call.args.iter().map(|arg| shortened(&arg.to_string(), LONGEST)).collect();
    format!("{}.{}({})", call.service, call.method, args.join(", "))
}

/// Formats a resource event, such as `lost Speech to root/Other`.
pub(super) fn resource(claim: &ResourceEvent) -> String {
    let (name, others) = (&claim.name, claim.others.join(", "));
    match (claim.what, others.as_str()) {
        (ResourcePhase::Lost, "") => format!("lost the resource {name}"),
        (ResourcePhase::Lost, _) => format!("lost the resource {name} to {others}"),
        (ResourcePhase::Refused, "") => format!("did not get the resource {name}"),
        (ResourcePhase::Refused, _) => format!("did not get the resource {name}, which {others} has"),
        (ResourcePhase::Waiting, _) => format!("waits for the resource {name}, which {others} has"),
        (ResourcePhase::Asked | ResourcePhase::Paused, _) => format!("is asked by {others} for the resource {name}"),
        (what, _) => format!("resource {name} {what}"),
    }
}

/// Returns the boxes that were still busy when a stop took too long.
pub(super) fn forced(event: &Event) -> Option<String> {
    let Kind::Forced { busy } = &event.kind else { return None };
    let one = |who: &Busy| {
        let waits =
            if who.waits_for.is_empty() { String::new() } else { format!(", which waits for {}", who.waits_for) };
        let path = who.path.as_ref().map_or("the robot".to_owned(), ToString::to_string);
        format!("{path} {}{waits}", who.does)
    };
    let who: Vec<String> = busy.iter().map(one).collect();
    let who = if who.is_empty() { "it took too long".to_owned() } else { format!("still busy: {}", who.join("; ")) };
    Some(format!("it was stopped by force at {} s; {who}", event.t))
}

fn from_outside(control: &Control) -> String {
    let (what, name, with) = match control {
        Control::Call { service, method, .. } => return format!("a program outside called {service}.{method}"),
        Control::Hear { text } => return format!("somebody said “{text}”"),
        Control::Event { key, value } => ("event", Some(key), Some(value)),
        Control::Memory { key, value } => ("memory", Some(key), Some(value)),
        Control::Stimulate { port, value } => ("stimulate", Some(port), Some(value)),
        Control::Set { parameter, value } => ("set", Some(parameter), Some(value)),
        Control::Stop(()) => ("stop", None, None),
        Control::Interrupt(()) => ("interrupt", None, None),
        Control::Limit(()) => ("limit", None, None),
    };
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    format!("from outside: {what}{name}{}", with.map(value).unwrap_or_default())
}

/// Says why a sentence was not answered; `None` for other events.
pub(super) fn unanswered(event: &DialogEvent) -> Option<String> {
    match event {
        DialogEvent::NotUnderstood { text, near } => Some(match near.first() {
            Some(near) => format!("no rule answered “{text}”; the nearest, {}: {}", near.rule, near.why),
            None => format!("no rule answered “{text}”: none has a word of it"),
        }),
        DialogEvent::Unsayable { rule } => {
            Some(format!("nothing could be said for {rule}: a variable, condition or tag forbade it"))
        }
        DialogEvent::Missed { .. } => Some(event.to_string()),
        _ => None,
    }
}

/// Describes an event in the chain of causes; `None` for one that means nothing to people.
pub(super) fn step(kind: &Kind) -> Option<String> {
    Some(match kind {
        Kind::Control { control, .. } => from_outside(control),
        Kind::Event { key, value: with, .. } => format!("event {key}{}", value(with)),
        Kind::Input { port, value: with } => format!("gets {port}{}", value(with)),
        Kind::Output { port, value: with } => format!("puts out {port}{}", value(with)),
        Kind::Service(call) => format!("calls {}", called(call)),
        Kind::ServiceDone(reply) => {
            let how = match &reply.result {
                Ok(answer) => format!("answered{}", value(answer)),
                Err(why) => format!("failed: {why}"),
            };
            format!("{}.{} {how}", reply.service, reply.method)
        }
        Kind::Raised { method, error: said } if &**method == "script" => {
            format!("its script does not compile: {}", error(said))
        }
        Kind::Raised { method, error: said } => format!("{method} raised {}{}", error(said), at_line(said.line)),
        Kind::Abandoned { method } => format!("{method} took too long, and was given up"),
        Kind::Timeline { command: TimelinePhase::Load | TimelinePhase::Unload, .. } => return None,
        Kind::Timeline { command, frame } => format!("timeline {command} (frame {frame})"),
        Kind::Resource(claim) => resource(claim),
        Kind::Behavior { phase: BehaviorPhase::Started, name } => format!("behavior {name} started"),
        Kind::Delegation(told) => match &told.event {
            DelegationEvent::Ended { end: DelegationEnd::Done { .. }, .. } => "ended: done".to_owned(),
            DelegationEvent::Ended { end: DelegationEnd::Failed { why }, .. } => {
                format!("ended: failed{}", because(why))
            }
            DelegationEvent::Ended { end: DelegationEnd::Cancelled { why }, .. } => {
                format!("ended: cancelled{}", because(why))
            }
            DelegationEvent::Activated { .. } => "has control".to_owned(),
            DelegationEvent::Stopped => "the runner stopped".to_owned(),
            DelegationEvent::Watches { value } if value.iter().any(|of| of.what == WISHED && of.holds) => {
                format!("is {WISHED}")
            }
            _ => return None,
        },
        Kind::Warning { text } => format!("warning: {text}"),
        Kind::Act(act) => format!("{}: {}", act.kind, act.text),
        Kind::Dialog(event) => event.to_string(),
        Kind::Show(told) => match &**told {
            ShowEvent::Part { .. } | ShowEvent::Clock { .. } => return None,
            told => told.to_string(),
        },
        _ => return None,
    })
}

fn because(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(", {why}") }
}
