//! Explains from a recording why the last behavior stopped.
//!
//! The search follows the causes that every event names back to the origin. What the robot reported shortly before (a
//! fall, its chest button, its battery) is added: it may be the reason, even if no cause leads there. `docs/guides/why.md`
//! lists every way to stop with its sentence.

use super::NoAnswer;
use super::robot::{self, Sign};
use super::words::{self, at_line, step};
use boxstep_trace::{
    BehaviorPhase, Chain, Control, DelegationEnd, DelegationEvent, EndReason, Event, Kind, Recording, ResourcePhase,
    TimelinePhase,
};
use boxstep_types::{Time, Value, meant};
use serde_json::json;
use std::fmt;

/// The maximum number of lines of an answer.
const MOST: usize = 10;

/// A way in which a behavior stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It reached its end.
    Ended,
    /// One of its scripts stopped it.
    OwnScript,
    /// Another behavior stopped it.
    Behavior,
    /// A program outside called a service that stops it.
    Program,
    /// The caller of the run stopped it.
    Stop,
    /// A signal, such as that of Ctrl-C, or the panic stop.
    Interrupted,
    /// The time limit.
    Limit,
    /// An uncaught exception.
    Exception,
    /// It ended, but a script did not compile, so that its box took no part.
    NotCompiled,
    /// It failed for another reason.
    Failed,
    /// Scripts wait for each other, or one runs without end.
    Deadlock,
    /// Signals looped without time passing.
    Livelock,
    /// A resource was taken away, or not given.
    Resource,
    /// Nothing can happen any more without an event.
    Waiting,
    /// The connection to the robot was lost.
    RobotLost,
    /// The recording has no end: the program was killed, or the behavior still plays.
    CutOff,
}

impl How {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            How::Ended => "ended",
            How::OwnScript => "own_script",
            How::Behavior => "behavior",
            How::Program => "program",
            How::Stop => "stop",
            How::Interrupted => "interrupted",
            How::Limit => "limit",
            How::Exception => "exception",
            How::NotCompiled => "not_compiled",
            How::Failed => "failed",
            How::Deadlock => "deadlock",
            How::Livelock => "livelock",
            How::Resource => "resource",
            How::Waiting => "waiting",
            How::RobotLost => "robot_lost",
            How::CutOff => "cut_off",
        }
    }

    /// Returns whether nothing was wrong, so that signs of the robot are no explanation.
    fn is_ordinary(self) -> bool {
        matches!(self, How::Ended | How::Limit | How::Waiting | How::OwnScript | How::Behavior)
    }
}

/// How many sentences are named that were not answered.
const MOST_UNANSWERED: usize = 3;

/// Why a behavior has stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The name of the behavior or character.
    pub name: String,
    /// When it stopped.
    pub at: Time,
    /// The way in which it stopped.
    pub how: How,
    /// The explanation in one sentence.
    pub sentence: String,
    /// Further facts: who was still busy at its end, and the last sentences that it did not answer.
    pub besides: Vec<String>,
    /// The signs that the robot reported shortly before.
    pub signs: Vec<Sign>,
    /// The chain of causes, the last one first.
    pub steps: Vec<Step>,
    /// How many steps of a very long chain are left out before the last of `steps`.
    pub left_out: usize,
}

/// An event that led to a stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The number of the event.
    pub n: u64,
    /// When it happened.
    pub t: Time,
    /// The robot, in the recording of a show; empty in others.
    pub robot: String,
    /// The box; empty if it belongs to none.
    pub path: String,
    /// The line of the box's script.
    pub line: Option<u32>,
    /// What happened.
    pub text: String,
}

/// Explains why the last behavior of a recording stopped, or the one of the given name.
///
/// # Errors
/// [`NoAnswer`].
pub fn stopped(recording: &Recording, name: Option<&str>) -> Result<Stopped, NoAnswer> {
    Search { recording }.answer(name)
}

/// The result of the search for the reason of a stop.
struct Found<'a> {
    how: How,
    at: Time,
    /// The rest of the sentence after the name.
    text: String,
    /// The chain of causes, starting with the stop.
    chain: Chain<'a>,
}

#[derive(Clone, Copy)]
struct Search<'a> {
    recording: &'a Recording,
}

impl<'a> Search<'a> {
    fn answer(self, name: Option<&str>) -> Result<Stopped, NoAnswer> {
        let own = self.own_name();
        let name = match name {
            None => own.clone().ok_or(NoAnswer::Nothing)?,
            Some(name) => self.known(name, own.as_deref())?,
        };
        let of_run = own.as_deref() == Some(&*name);
        let found = self.find(&name, of_run);
        let forced = self.backwards().filter(|event| event.t >= found.at).find_map(words::forced);
        let mut signs = if found.how.is_ordinary() { Vec::new() } else { robot::signs(self.recording, found.at) };
        signs.truncate(3);
        Ok(Stopped {
            at: found.at,
            how: found.how,
            sentence: format!("{name} {}", found.text),
            besides: forced.into_iter().chain(self.unanswered(found.at)).collect(),
            signs,
            steps: steps_of(self.recording, &found.chain.events),
            left_out: found.chain.left_out,
            name,
        })
    }

    /// Says which of the last sentences were not answered before a time, and why.
    fn unanswered(self, at: Time) -> Vec<String> {
        let said = self.backwards().filter(|event| event.t <= at).filter_map(|event| match &event.kind {
            Kind::Dialog(told) => words::unanswered(told).map(|text| format!("at {} s {text}", event.t)),
            _ => None,
        });
        let mut said: Vec<String> = said.take(MOST_UNANSWERED).collect();
        said.reverse();
        said
    }

    /// Returns the events, starting with the last.
    fn backwards(self) -> impl Iterator<Item = &'a Event> {
        self.recording.events.iter().rev()
    }

    fn path(self, event: &Event) -> String {
        self.recording.path(event)
    }

    fn option(self, name: &str) -> Option<&'a Value> {
        self.recording.header.as_ref()?.option(name)
    }

    /// Returns the name of the behavior or character that the run was started for.
    fn own_name(self) -> Option<String> {
        let named = ["behavior", "character"].iter().find_map(|kind| self.option(kind)?.as_str());
        let first = || self.recording.events.iter().find_map(behavior_of);
        named.or_else(first).map(str::to_owned)
    }

    fn known(self, name: &str, own: Option<&str>) -> Result<String, NoAnswer> {
        let mut names: Vec<&str> = self.recording.events.iter().filter_map(behavior_of).chain(own).collect();
        names.sort_unstable();
        names.dedup();
        match names.contains(&name) {
            true => Ok(name.to_owned()),
            false => Err(NoAnswer::NoBehavior(name.to_owned(), meant(name, names))),
        }
    }

    fn reason(self) -> Option<EndReason> {
        Some(self.recording.footer.as_ref()?.reason)
    }

    fn find(self, name: &str, of_run: bool) -> Found<'a> {
        let (mut stopping, mut failed) = (None, None);
        // If the behavior was started several times, the last time counts.
        for event in self.backwards() {
            match &event.kind {
                Kind::BehaviorFailed { name: of, .. } if **of == *name => failed = Some(event),
                Kind::Behavior { phase, name: of } if **of == *name => match phase {
                    BehaviorPhase::Stopping => stopping = Some(event),
                    BehaviorPhase::Unloaded if stopping.is_none() => stopping = Some(event),
                    BehaviorPhase::Loading => break,
                    _ => {}
                },
                _ => {}
            }
        }
        if let Some(failed) = failed {
            return self.exception(failed);
        }
        if of_run {
            let at = stopping.map_or(self.recording.end(), |event| event.t);
            if let Some(found) = self.by_reason(at, stopping) {
                return found;
            }
        }
        match stopping {
            Some(stopping) => self.by_cause(name, stopping),
            None if of_run && self.reason().is_some() => self.run_is_over(),
            None => self.cut_off(),
        }
    }

    fn exception(self, failed: &'a Event) -> Found<'a> {
        let chain = self.recording.chain(failed);
        let (at, path) = (failed.t, self.path(failed));
        let Kind::BehaviorFailed { error, .. } = &failed.kind else { return self.cut_off() };
        let place =
            error.line.map_or_else(|| format!("in {path}"), |line| format!("in {path}, line {line} of its script"));
        // The place comes first: the text of an error can be too long for the line.
        let text = format!("failed at {at} s {place}: {}", words::error(error));
        Found { how: How::Exception, at, text, chain }
    }

    /// Returns the last warning up to a time that contains these words.
    fn warned(self, at: Time, words: &str) -> Option<(&'a Event, &'a str)> {
        let warning = |event: &'a Event| match &event.kind {
            Kind::Warning { text } if event.t <= at && text.contains(words) => Some((event, &**text)),
            _ => None,
        };
        self.backwards().find_map(warning)
    }

    /// Returns the explanation that the footer gives for the whole run, where it is more specific than the causes.
    fn by_reason(self, at: Time, stopping: Option<&'a Event>) -> Option<Found<'a>> {
        let chain =
            |event: Option<&'a Event>| event.or(stopping).map(|event| self.recording.chain(event)).unwrap_or_default();
        let (how, text, chain) = match self.reason()? {
            EndReason::Waiting if let Some(broken) = self.not_compiled() => {
                let text = format!("waits since {at} s and counts as failed: {broken}");
                (How::NotCompiled, text, chain(None))
            }
            EndReason::Waiting => {
                let text = format!("waits since {at} s: nothing can happen any more without an event from outside");
                (How::Waiting, text, chain(None))
            }
            EndReason::Deadlock => {
                const LOCKED: &str = "deadlock: these wait for each other and no timer is left: ";
                let (why, event) = match self.warned(at, LOCKED) {
                    Some((event, text)) => {
                        let who = text.strip_prefix(LOCKED).unwrap_or_default();
                        (format!("scripts wait for each other: {who}"), Some(event))
                    }
                    None => match self.warned(at, "runs on without end") {
                        Some((event, text)) => (format!("{}: {text}", self.path(event)), Some(event)),
                        None => ("a script runs on without end".to_owned(), None),
                    },
                };
                (How::Deadlock, format!("was stopped at {at} s: {why}"), chain(event))
            }
            EndReason::Livelock => {
                let warned = self.warned(at, "signals go round");
                let why = warned.map_or("signals went round in no time, without end", |(_, text)| text);
                (How::Livelock, format!("was stopped at {at} s: {why}"), chain(warned.map(|(event, _)| event)))
            }
            EndReason::Failed => {
                if let Some(broken) = self.not_compiled() {
                    (How::NotCompiled, format!("ended at {at} s and counts as failed: {broken}"), chain(None))
                } else if let Some((sign, event)) = robot::lost(self.recording) {
                    (How::RobotLost, format!("was stopped at {at} s: {sign}"), chain(Some(event)))
                } else {
                    let (why, event) = self.why_failed(at)?;
                    (How::Failed, format!("failed at {at} s: {why}"), chain(Some(event)))
                }
            }
            EndReason::Ended | EndReason::Limit | EndReason::Interrupted => return None,
        };
        Some(Found { how, at, text, chain })
    }

    /// Returns which script did not compile, or which dialog could not be loaded, and why, if that is why the run counts as
    /// failed.
    fn not_compiled(self) -> Option<String> {
        self.recording.footer.as_ref().filter(|footer| footer.not_compiled > 0)?;
        self.recording.events.iter().find_map(|event| match &event.kind {
            Kind::Raised { method, error } if &**method == "script" => {
                let (path, line) = (self.path(event), at_line(error.line));
                Some(format!("the script of {path} does not compile{line}: {}", words::error(error)))
            }
            Kind::Warning { text } if text.starts_with("the dialog ") && text.contains(" does not run: ") => {
                Some(format!("{}: {text}", self.path(event)))
            }
            _ => None,
        })
    }

    /// Returns the last error before a run failed.
    fn why_failed(self, at: Time) -> Option<(String, &'a Event)> {
        let wrong = |event: &'a Event| match &event.kind {
            _ if event.t > at => None,
            Kind::Warning { text } => Some((text.to_string(), event)),
            Kind::Delegation(told) => match &told.event {
                DelegationEvent::Ended { end: DelegationEnd::Failed { why }, .. } => {
                    Some((format!("{}: {why}", self.path(event)), event))
                }
                _ => None,
            },
            _ => None,
        };
        self.backwards().find_map(wrong)
    }

    /// Returns the explanation that follows from the causes of the stop.
    fn by_cause(self, name: &str, stopping: &'a Event) -> Found<'a> {
        let at = stopping.t;
        let chain = self.recording.chain(stopping);
        let passes = |kind: &Kind| matches!(kind, Kind::Box { .. } | Kind::Diagram { .. } | Kind::Returned { .. });
        // Boxes that a stop reaches may still emit signals, which then are nearer causes than the stop itself.
        let over = chain.events.iter().find(|event| ends_run(event));
        let near = over.or_else(|| chain.events.iter().skip(1).find(|event| !passes(&event.kind)));
        let (how, text) = match near {
            Some(event) => self.came_from(name, at, event, &chain.events),
            None if self.reason() == Some(EndReason::Interrupted) => (How::Interrupted, interrupted(at)),
            None => (How::Ended, format!("ended at {at} s")),
        };
        Found { how, at, text, chain }
    }

    fn came_from(self, name: &str, at: Time, event: &Event, chain: &[&Event]) -> (How, String) {
        match &event.kind {
            Kind::Control { control, .. } => match &**control {
                Control::Interrupt(()) => (How::Interrupted, interrupted(at)),
                Control::Limit(()) => {
                    let limit = self.option("for").and_then(Value::as_f64);
                    let limit = limit.map(|s| format!(" (--for {s})")).unwrap_or_default();
                    (How::Limit, format!("was stopped at {at} s: its time limit{limit} was reached"))
                }
                Control::Call { service, method, .. } => {
                    (How::Program, format!("was stopped at {at} s: a program outside called {service}.{method}"))
                }
                _ => (How::Stop, format!("was stopped from outside at {at} s")),
            },
            Kind::Service(call) => {
                let line = at_line(words::line_of(&event.kind));
                let called = format!("{} called {}{line}", self.path(event), words::called(call));
                match self.behavior_around(event).filter(|by| *by != name) {
                    Some(by) => (How::Behavior, format!("was stopped at {at} s by another behavior, {by}: {called}")),
                    None => (How::OwnScript, format!("was stopped at {at} s by its own script: {called}")),
                }
            }
            _ => {
                let taken = chain.iter().find_map(|event| match &event.kind {
                    Kind::Resource(claim) if matches!(claim.what, ResourcePhase::Lost | ResourcePhase::Refused) => {
                        Some((self.path(event), words::resource(claim)))
                    }
                    _ => None,
                });
                match taken {
                    Some((path, how)) => (How::Resource, format!("ended at {at} s: {path} {how}")),
                    None => (How::Ended, format!("ended by itself at {at} s{}", self.ended_by(chain))),
                }
            }
        }
    }

    /// Returns the behavior that an event belongs to, according to its causes.
    fn behavior_around(self, event: &'a Event) -> Option<&'a str> {
        self.recording.chain(event).events.into_iter().find_map(behavior_of)
    }

    /// Explains the end of a run with a footer in which no behavior stopped: usually that of a character.
    fn run_is_over(self) -> Found<'a> {
        let at = self.recording.end();
        let delegation = |event: &'a Event| match &event.kind {
            Kind::Delegation(told) => Some((event, &told.event)),
            _ => None,
        };
        let over = || {
            let mut stops = self.backwards().filter_map(delegation);
            stops.find(|(_, told)| **told == DelegationEvent::Stopped).map(|(event, _)| event)
        };
        let control = self.backwards().find(|event| ends_run(event));
        let chain = control.or_else(over).map(|event| self.recording.chain(event)).unwrap_or_default();
        let root = self.backwards().filter_map(delegation).find_map(|(event, told)| match told {
            DelegationEvent::Ended { end, .. } => Some((self.path(event), end)).filter(|(path, _)| !path.contains('/')),
            _ => None,
        });
        let (how, text) = match (self.reason(), chain.events.first(), root) {
            (Some(EndReason::Interrupted), ..) => (How::Interrupted, interrupted(at)),
            (Some(EndReason::Limit), Some(event), _) => self.came_from("", at, event, &chain.events),
            (Some(EndReason::Ended), Some(event), _) if matches!(event.kind, Kind::Control { .. }) => {
                self.came_from("", at, event, &chain.events)
            }
            (Some(EndReason::Ended), _, Some((root, DelegationEnd::Done { .. }))) => {
                (How::Ended, format!("ended by itself at {at} s: {root} was done"))
            }
            (reason, ..) => (How::Ended, format!("ended at {at} s: {}", reason.map_or("", EndReason::name))),
        };
        Found { how, at, text, chain }
    }

    /// Explains a recording without a footer.
    fn cut_off(self) -> Found<'a> {
        let at = self.recording.end();
        let text = format!(
            "has no end in this recording, which breaks off at {at} s: the program was killed, or its computer was switched off; or it still \
             plays"
        );
        let chain = self.recording.events.last().map(|event| self.recording.chain(event)).unwrap_or_default();
        Found { how: How::CutOff, at, text, chain }
    }

    /// Returns the box output or timeline from which the end came.
    fn ended_by(self, chain: &[&Event]) -> String {
        let ends = |event: &&&Event| {
            matches!(event.kind, Kind::Output { .. } | Kind::Timeline { command: TimelinePhase::End, .. })
        };
        // The first output is the root's own; the one before it in the chain of causes is more informative.
        let mut of = chain.iter().filter(ends);
        let Some(root) = of.next() else { return String::new() };
        let from = of.next().filter(|_| matches!(root.kind, Kind::Output { .. })).unwrap_or(root);
        let path = self.path(from);
        match &from.kind {
            Kind::Timeline { frame, .. } => format!(": the timeline of {path} came to its end (frame {frame})"),
            Kind::Output { port, .. } => format!(": {path} put out {port}"),
            _ => String::new(),
        }
    }
}

/// Returns the chain of causes without the events that mean nothing to people.
pub(super) fn steps_of(recording: &Recording, chain: &[&Event]) -> Vec<Step> {
    let told = |(index, event): (usize, &&Event)| {
        let cause = chain.get(index + 1).map(|cause| &cause.kind);
        match (&event.kind, cause) {
            // An output leads over a link to an input; only the output is shown.
            (Kind::Input { .. }, Some(Kind::Output { .. })) => None,
            // The sentence already has the text of warnings.
            (Kind::Warning { .. }, _) => None,
            // What a show lets happen says more than that it came from outside.
            (Kind::Control { .. }, Some(Kind::Show(_))) => None,
            (kind, _) => {
                let (path, line) = (recording.path(event), words::line_of(kind));
                let robot = recording.paths.robot(event.path).map(ToString::to_string).unwrap_or_default();
                Some(Step { n: event.n, t: event.t, robot, path, line, text: step(kind)? })
            }
        }
    };
    chain.iter().enumerate().filter_map(told).collect()
}

/// Returns the behavior that an event names.
fn behavior_of(event: &Event) -> Option<&str> {
    match &event.kind {
        Kind::Behavior { name, .. } => Some(name),
        _ => None,
    }
}

fn interrupted(at: Time) -> String {
    format!("was interrupted at {at} s: Ctrl-C, another signal, or boxstep stop")
}

/// Returns whether an event ends the whole run.
fn ends_run(event: &Event) -> bool {
    let Kind::Control { control, .. } = &event.kind else { return false };
    matches!(**control, Control::Stop(()) | Control::Interrupt(()) | Control::Limit(()))
}

/// Prints at most ten lines: the sentence, further facts, and as much of the chain of causes as there is room for.
impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", words::cut(&self.sentence))?;
        for sign in &self.signs {
            writeln!(f, "{}", words::cut(&sign.line(self.at)))?;
        }
        for line in &self.besides {
            writeln!(f, "{}", words::cut(line))?;
        }
        let room = MOST.saturating_sub(1 + self.signs.len() + self.besides.len());
        write_steps(f, &self.steps, self.left_out, room)
    }
}

/// Prints as much of a chain of causes as there is room for, in lines: its end, and how it began.
pub(super) fn write_steps(f: &mut fmt::Formatter<'_>, steps: &[Step], left_out: usize, room: usize) -> fmt::Result {
    let (shown, first) = match steps.len() <= room {
        true => (steps.len(), None),
        false => (room.saturating_sub(2), steps.last()),
    };
    let widest = steps.iter().take(shown).chain(first).map(|step| step.place().chars().count()).max();
    let line = |step: &Step| {
        let (t, width) = (step.t.to_string(), widest.unwrap_or_default());
        let text = format!("{t:>10}  {:width$}  {}{}", step.place(), step.text, at_line(step.line));
        words::cut(text.trim_end())
    };
    steps.iter().take(shown).try_for_each(|step| writeln!(f, "{}", line(step)))?;
    match first {
        Some(first) => writeln!(f, "{:>10}  {} more\n{}", "…", steps.len() + left_out - shown - 1, line(first)),
        None => Ok(()),
    }
}

impl Step {
    /// Returns the robot, if there are several, and the box.
    fn place(&self) -> String {
        match (self.robot.as_str(), self.path.as_str()) {
            ("", path) => path.to_owned(),
            (robot, "") => robot.to_owned(),
            (robot, path) => format!("{robot}: {path}"),
        }
    }
}

impl Stopped {
    /// Returns the explanation as one JSON object with all steps; times are in seconds.
    pub fn json(&self) -> serde_json::Value {
        let steps = self.steps.iter().map(|step| {
            json!({ "n": step.n, "t": step.t.as_secs_f64(), "path": step.path, "line": step.line, "text": step.text })
        });
        let signs = self
            .signs
            .iter()
            .map(|sign| json!({ "n": sign.n, "t": sign.t.as_secs_f64(), "sign": sign.what, "text": sign.text }));
        json!({
            "schema": 1,
            "name": self.name,
            "at": self.at.as_secs_f64(),
            "how": self.how.name(),
            "sentence": self.sentence,
            "besides": self.besides,
            "signs": signs.collect::<Vec<_>>(),
            "steps": steps.collect::<Vec<_>>(),
            "left_out": self.left_out,
        })
    }
}
