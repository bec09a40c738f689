//! The text that the console prints for each kind of event.

use anstyle::{AnsiColor, Style};
use boxstep_engine::trace::{
    Act, BehaviorPhase, BoxPhase, CallEvent, Control, DelegationEnd, DelegationEvent, DiagramPhase, DialogEvent, Kind,
    LogLevel, ReloadEvent, ReloadPhase, ReplyEvent, ResourceEvent, ResourcePhase, ScriptError, ShowEvent,
    TimelinePhase, YesNo,
};
use boxstep_types::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// How important a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Volume {
    Alarm,
    Normal,
    Detail,
}

/// A line of the console; further lines of the text (a traceback) are indented below it.
pub(super) struct ConsoleLine {
    pub(super) volume: Volume,
    pub(super) style: Style,
    pub(super) text: String,
}

const PLAIN: Style = Style::new();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const CYAN: Style = AnsiColor::Cyan.on_default();
const BLUE: Style = AnsiColor::Blue.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();

fn normal(style: Style, text: impl Into<String>) -> Option<ConsoleLine> {
    Some(ConsoleLine { volume: Volume::Normal, style, text: text.into() })
}

fn detail(text: impl Into<String>) -> Option<ConsoleLine> {
    Some(ConsoleLine { volume: Volume::Detail, style: DIM, text: text.into() })
}

fn alarm(style: Style, text: impl Into<String>) -> Option<ConsoleLine> {
    Some(ConsoleLine { volume: Volume::Alarm, style, text: text.into() })
}

/// Formats events, and remembers the joint angles that were printed last.
#[derive(Default)]
pub(super) struct Words {
    angles: HashMap<Arc<str>, f64>,
}

impl Words {
    /// Returns the line for an event; `None` if it is of no interest to people.
    pub(super) fn line(&mut self, kind: &Kind) -> Option<ConsoleLine> {
        match kind {
            Kind::Behavior { phase: phase @ (BehaviorPhase::Loading | BehaviorPhase::Stopping), name } => {
                detail(format!("behavior {name}: {phase}"))
            }
            Kind::Behavior { phase, name } => normal(GREEN, format!("behavior {name} {phase}")),
            Kind::BehaviorFailed { name, error: e } => alarm(RED, format!("behavior {name} failed: {e}")),
            // `Started` is a detail: a script that takes long has started only when it returns.
            Kind::Box { phase: BoxPhase::Starting } => normal(GREEN, "starts"),
            Kind::Box { phase: BoxPhase::Stopped } => normal(GREEN, "stops"),
            Kind::Box { phase } => detail(phase.name()),
            Kind::Diagram { phase: phase @ (DiagramPhase::Loaded | DiagramPhase::Unloaded), place: Some(at) } => {
                normal(DIM, format!("keyframe {}:{} {phase}", at.layer, at.keyframe))
            }
            Kind::Diagram { phase, place } => {
                let place = place.as_ref().map(|at| format!(" {}:{}", at.layer, at.keyframe)).unwrap_or_default();
                detail(format!("inside{place} {phase}"))
            }
            Kind::Input { port, value } => detail(format!("gets {}{}", port, given(value))),
            Kind::Output { port, value } => normal(PLAIN, format!("sends {}{}", port, given(value))),
            Kind::Dropped { port, value, why } => detail(format!("{}{} has no effect: {why}", port, given(value))),
            Kind::Mismatch { port, value, wanted } => {
                alarm(YELLOW, format!("{port} wants {wanted} and gets {} {}", value.kind(), shown(value)))
            }
            Kind::Parameter { name, value } => normal(PLAIN, format!("{} = {}", name, shown(value))),
            Kind::Call { method } => detail(format!("{method} called")),
            Kind::Returned { method } => detail(format!("{method} returned")),
            Kind::Raised { method, error: e } => alarm(RED, raised(method, e)),
            Kind::Abandoned { method } => alarm(YELLOW, format!("{method} took too long and was given up")),
            Kind::Forced { .. } => detail("stopped by force"),
            Kind::Timeline {
                command: command @ (TimelinePhase::Load | TimelinePhase::Unload | TimelinePhase::Frame),
                frame,
            } => detail(format!("timeline {command}, frame {frame}")),
            Kind::Timeline { command: TimelinePhase::Fps, frame: fps } => {
                normal(DIM, format!("timeline at {fps} frames per second"))
            }
            Kind::Timeline { command, frame } => normal(DIM, format!("timeline {command}, frame {frame}")),
            Kind::Service(asked) => {
                let CallEvent { service, method, args, line, .. } = &**asked;
                let args: Vec<String> = args.iter().map(shown).collect();
                detail(format!("calls {service}.{method}({}){}", args.join(", "), at_line(*line)))
            }
            Kind::ServiceDone(answered) => {
                let ReplyEvent { service, method, result, mock, .. } = &**answered;
                let who = if *mock { "mock " } else { "" };
                match result {
                    Ok(value) => detail(format!("{who}{service}.{method} answered {}", shown(value))),
                    Err(why) => detail(format!("{who}{service}.{method} failed: {why}")),
                }
            }
            Kind::Unsupported { service, method, line } if method.is_empty() => {
                alarm(YELLOW, format!("no service {service}{}", at_line(*line)))
            }
            Kind::Unsupported { service, method, line } => {
                alarm(YELLOW, format!("unsupported: {service}.{method}{}", at_line(*line)))
            }
            Kind::Event { key, value, .. } => normal(CYAN, format!("event {key} {}", shown(value))),
            Kind::Act(act) => normal(BLUE, acted(act)),
            Kind::Dialog(event) => match &**event {
                // The sentence itself is said by the robot's voice.
                DialogEvent::Answer { .. } => detail(event.to_string()),
                DialogEvent::Heard { .. } => normal(CYAN, event.to_string()),
                DialogEvent::NotUnderstood { near, .. } => {
                    let mut text = event.to_string();
                    for rule in near {
                        text += &format!("\n    {}: {}", rule.rule, rule.why);
                    }
                    normal(YELLOW, text)
                }
                DialogEvent::Unsayable { .. } | DialogEvent::Missed { .. } => normal(YELLOW, event.to_string()),
                _ => detail(event.to_string()),
            },
            Kind::Joints { angles, .. } => self.joints(angles),
            Kind::Memory { key, value: Some(value) } => detail(format!("memory {key} is {}", shown(value))),
            Kind::Memory { key, value: None } => detail(format!("memory has no {key}")),
            Kind::Log { level, text, line } => {
                let text = format!("{level}: {text}{}", at_line(*line));
                match level {
                    LogLevel::Debug => detail(text),
                    LogLevel::Info => normal(PLAIN, text),
                    LogLevel::Warning => alarm(YELLOW, text),
                    LogLevel::Error | LogLevel::Fatal => alarm(RED, text),
                }
            }
            Kind::Print { text, stderr, line } => {
                let style = if *stderr { YELLOW } else { PLAIN };
                normal(style, format!("prints {}{}", text.trim_end(), at_line(*line)))
            }
            Kind::Control { control, .. } => {
                let text = format!("from outside: {}", from_outside(control));
                // A call of a remote client shows in what the robot does.
                if matches!(**control, Control::Call { .. }) { detail(text) } else { normal(CYAN, text) }
            }
            Kind::Resource(claimed) => {
                let text = resource(claimed);
                match claimed.what {
                    ResourcePhase::Waiting
                    | ResourcePhase::Refused
                    | ResourcePhase::Lost
                    | ResourcePhase::Paused
                    | ResourcePhase::Asked => normal(YELLOW, text),
                    _ => detail(text),
                }
            }
            Kind::Delegation(delegated) => delegation(&delegated.event),
            Kind::Reload(reloaded) => reload(reloaded),
            Kind::Show(told) => match &**told {
                ShowEvent::Part { .. } | ShowEvent::Clock { .. } => detail(told.to_string()),
                told => normal(CYAN, told.to_string()),
            },
            Kind::Warning { text } => alarm(YELLOW, format!("warning: {text}")),
            Kind::Unread(_) => None,
        }
    }

    /// Returns the joints that have moved by more than half a degree (hands: 1/100) since they were printed last.
    fn joints(&mut self, angles: &[(Arc<str>, f64)]) -> Option<ConsoleLine> {
        let mut moved = Vec::new();
        for (name, angle) in angles {
            let (shown, step) = if is_hand(name) { (*angle, 0.01) } else { (angle.to_degrees(), 0.5) };
            if self.angles.get(name).is_none_or(|last| (shown - last).abs() > step) {
                self.angles.insert(name.clone(), shown);
                moved.push(if is_hand(name) { format!("{name} {shown:.2}") } else { format!("{name} {shown:.1}°") });
            }
        }
        const MOST: usize = 6;
        let more = moved.len().saturating_sub(MOST);
        moved.truncate(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!moved.is_empty()).then(|| format!("{}{more}", moved.join("  "))).and_then(|text| normal(DIM, text))
    }
}

/// Returns the line for a reload. The text of a refused script has the reason already; the traceback adds the place.
fn reload(reloaded: &ReloadEvent) -> Option<ConsoleLine> {
    let ReloadEvent { phase, text, error } = reloaded;
    match phase {
        ReloadPhase::Taken | ReloadPhase::Modules => normal(GREEN, format!("reload: {text}")),
        ReloadPhase::Refused => {
            let lines = error.iter().flat_map(traced).collect::<String>();
            alarm(YELLOW, format!("reload: warning: {text}{lines}"))
        }
        ReloadPhase::NotTaken => alarm(YELLOW, format!("reload: {text}")),
        ReloadPhase::Waiting | ReloadPhase::Forced | ReloadPhase::Withdrawn => normal(DIM, format!("reload: {text}")),
    }
}

/// Formats a control, such as `event {"key":"Touched","value":1}`.
fn from_outside(control: &Control) -> String {
    let text = |text: &Arc<str>| Value::Str(text.clone());
    let (what, details) = match control {
        Control::Hear { text: said } => ("hear", vec![("text", text(said))]),
        Control::Event { key, value } => ("event", vec![("key", text(key)), ("value", value.clone())]),
        Control::Memory { key, value } => ("memory", vec![("key", text(key)), ("value", value.clone())]),
        Control::Stimulate { port, value } => ("stimulate", vec![("port", text(port)), ("value", value.clone())]),
        Control::Set { parameter, value } => ("set", vec![("parameter", text(parameter)), ("value", value.clone())]),
        Control::Call { service, method, args } => {
            let args = Value::list(args.iter().cloned());
            ("call", vec![("service", text(service)), ("method", text(method)), ("args", args)])
        }
        Control::Stop(()) => ("stop", Vec::new()),
        Control::Interrupt(()) => ("interrupt", Vec::new()),
        Control::Limit(()) => ("limit", Vec::new()),
    };
    if details.is_empty() { what.to_owned() } else { format!("{what} {}", shown(&Value::map(details))) }
}

/// Returns the line for a delegation event, such as `gives control to wave, say`.
fn delegation(event: &DelegationEvent) -> Option<ConsoleLine> {
    let because = |why: &str| if why.is_empty() { String::new() } else { format!(": {why}") };
    match event {
        DelegationEvent::Entering => detail("entering"),
        DelegationEvent::Entered => detail("entered"),
        DelegationEvent::Activated { .. } => normal(GREEN, "has control"),
        DelegationEvent::Delegated { to, .. } => normal(PLAIN, format!("gives control to {}", to.join(", "))),
        DelegationEvent::Waits { .. } => normal(PLAIN, "waits until another one has wound down"),
        DelegationEvent::Refused { request, to, why } => {
            let to = if to.is_empty() { String::new() } else { format!(" ({})", to.join(", ")) };
            normal(YELLOW, format!("{request} refused{to}{}", because(why)))
        }
        DelegationEvent::Ended { end, .. } => match end {
            DelegationEnd::Done { value: Value::Null } => normal(PLAIN, "done"),
            DelegationEnd::Done { value } => normal(PLAIN, format!("done: {}", shown(value))),
            DelegationEnd::Failed { why } => normal(YELLOW, format!("failed{}", because(why))),
            DelegationEnd::Cancelled { why } => normal(PLAIN, format!("cancelled{}", because(why))),
        },
        DelegationEvent::Restarts { .. } => detail("restarts"),
        DelegationEvent::Stopping => detail("stopping"),
        DelegationEvent::Deactivated => detail("deactivated"),
        DelegationEvent::Forced => normal(YELLOW, "took too long, and is regarded as settled"),
        DelegationEvent::Leaving => detail("leaving"),
        DelegationEvent::Left => detail("left"),
        // The warning that follows has the details.
        DelegationEvent::Livelock { .. } => None,
        DelegationEvent::Stopped => normal(PLAIN, "the runner has stopped"),
        DelegationEvent::Wants { how: YesNo::Yes, .. } => detail("wants to run"),
        DelegationEvent::Wants { why, .. } => {
            detail(format!("does not want to run{}", because(why.as_deref().unwrap_or_default())))
        }
        DelegationEvent::Asked { to, how, why } => {
            detail(format!("asks {}: {how}{}", to.join(", "), because(why.as_deref().unwrap_or_default())))
        }
        DelegationEvent::Cools { to, .. } => detail(format!("{} cools down", to.join(", "))),
        DelegationEvent::Timer { to } => detail(format!("begins the timer {}", to.join(", "))),
        // These events are of no interest to people.
        DelegationEvent::Plan { .. } | DelegationEvent::Watches { .. } => None,
    }
}

/// Formats a resource event, such as `resource Speech waiting: root/A has it`.
fn resource(claimed: &ResourceEvent) -> String {
    let ResourceEvent { what, name, owner, others } = claimed;
    let owner = owner.as_ref().map(|owner| format!(" by {owner}")).unwrap_or_default();
    let why = match (*what, others.as_slice()) {
        (_, []) => String::new(),
        (ResourcePhase::Waiting | ResourcePhase::Refused, [one]) => format!(": {one} has it"),
        (ResourcePhase::Waiting | ResourcePhase::Refused, _) => format!(": {} have it", others.join(", ")),
        _ => format!(": {} wants it", others.join(", ")),
    };
    format!("resource {name} {what}{owner}{why}")
}

fn is_hand(joint: &str) -> bool {
    matches!(joint, "LHand" | "RHand")
}

fn acted(act: &Act) -> String {
    match &*act.kind {
        "say" => format!("says “{}”", act.text),
        "joints" => format!("motion: {}", act.text),
        kind => format!("{kind}: {}", act.text),
    }
}

fn raised(method: &str, e: &ScriptError) -> String {
    // No method runs while a script is compiled.
    let mut text = match method {
        "script" => format!("the script does not compile: {e}; the box is loaded without it"),
        method => format!("{method} raised {e}"),
    };
    text.extend(traced(e));
    text
}

/// Returns the indented lines of a traceback; the others repeat what the message says.
fn traced(e: &ScriptError) -> impl Iterator<Item = String> + '_ {
    let inner = e.traceback.lines().filter(|l| l.starts_with(' '));
    inner.map(|line| format!("\n{}", line.strip_prefix("  ").unwrap_or(line)))
}

fn at_line(line: u32) -> String {
    if line == 0 { String::new() } else { format!(" (line {line})") }
}

/// Returns ` value`, or nothing for a bang.
fn given(value: &Value) -> String {
    if *value == Value::Null { String::new() } else { format!(" {}", shown(value)) }
}

const LONGEST: usize = 120;

/// Returns the JSON form, truncated if it is long.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}
