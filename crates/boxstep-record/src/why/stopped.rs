//! Why the last behavior stopped, read out of a recording.
//!
//! The way back goes by the causes that every event names. What a robot has told of itself shortly before (a fall, its chest button,
//! its battery) is said besides: it may be the reason, though no cause leads there. `docs/why.md` has every way and its sentence.

use super::NoAnswer;
use super::robot::{self, Sign};
use super::words::{self, at_line, step};
use crate::lines::{Chain, Event, Lines, LinesError};
use boxstep_types::{Time, meant};
use serde_json::{Value, json};
use std::fmt;
use std::io::BufRead;

/// Most lines of an answer.
const MOST: usize = 10;

/// A way in which a behavior stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It came to its end.
    Ended,
    /// A script of its own stopped it.
    OwnScript,
    /// Another behavior stopped it.
    Behavior,
    /// A program outside called a service that stops it.
    Program,
    /// Whoever ran it stopped it.
    Stop,
    /// A signal, such as that of Ctrl-C, or the panic stop.
    Interrupted,
    /// The time limit.
    Limit,
    /// An exception that nobody caught.
    Exception,
    /// It ended, but a script does not compile, so that its box took no part.
    NotCompiled,
    /// It failed for another reason.
    Failed,
    /// Scripts wait for each other, or one runs on without end.
    Deadlock,
    /// Signals went round in no time.
    Livelock,
    /// A resource was taken away, or not given.
    Resource,
    /// Nothing can happen any more without an event.
    Waiting,
    /// The robot is gone.
    RobotLost,
    /// The recording has no end: the program was killed, or it still plays.
    CutOff,
}

impl How {
    /// As JSON has it.
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

    /// Nothing was wrong, so that what the robot has told of itself is no answer.
    fn is_ordinary(self) -> bool {
        matches!(self, How::Ended | How::Limit | How::Waiting | How::OwnScript | How::Behavior)
    }
}

/// Why a behavior has stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The behavior, or the character.
    pub name: String,
    /// When.
    pub at: Time,
    /// In which way.
    pub how: How,
    /// That, in one sentence.
    pub sentence: String,
    /// What else there is to say of its end: who was still busy.
    pub besides: Vec<String>,
    /// What the robot told of itself shortly before.
    pub signs: Vec<Sign>,
    /// What led to it, the last first.
    pub steps: Vec<Step>,
    /// How many more there are before the last of these, if there are very many.
    pub left_out: usize,
}

/// Something that led to a stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its number in the recording.
    pub n: u64,
    /// When.
    pub t: Time,
    /// The box; empty if it belongs to none.
    pub path: String,
    /// Line of the box's script.
    pub line: Option<u64>,
    /// What.
    pub text: String,
}

/// Why the last behavior of a recording stopped, or the one of this name.
///
/// # Errors
/// [`NoAnswer`].
pub fn stopped(recording: impl BufRead, name: Option<&str>) -> Result<Stopped, NoAnswer> {
    let lines = Lines::read(recording).map_err(|error| match error {
        LinesError::Io(error) => NoAnswer::Io(error),
        LinesError::Line(line, why) => NoAnswer::Line(line, why),
    })?;
    Asked { lines: &lines }.answer(name)
}

/// What was found of a stop.
struct Found {
    how: How,
    at: Time,
    /// What follows the name.
    text: String,
    /// What it came from, the stop first.
    chain: Chain,
}

struct Asked<'a> {
    lines: &'a Lines,
}

impl Asked<'_> {
    fn answer(&self, name: Option<&str>) -> Result<Stopped, NoAnswer> {
        let own = self.own_name();
        let name = match name {
            None => own.clone().ok_or(NoAnswer::Nothing)?,
            Some(name) => self.known(name, own.as_deref())?,
        };
        let of_run = own.as_deref() == Some(&*name);
        let found = self.find(&name, of_run);
        let forced = self.lines.backwards(&["\"kind\":\"forced\""]).find(|event| event.t >= found.at);
        let mut signs = if found.how.is_ordinary() { Vec::new() } else { robot::signs(self.lines, found.at) };
        signs.truncate(3);
        Ok(Stopped {
            at: found.at,
            how: found.how,
            sentence: format!("{name} {}", found.text),
            besides: forced.iter().filter_map(words::forced).collect(),
            signs,
            // What the sentence says already need not be said again.
            steps: self
                .steps(&found.chain.events)
                .into_iter()
                .filter(|step| !step.text.starts_with("warning"))
                .collect(),
            left_out: found.chain.left_out,
            name,
        })
    }

    /// What the run was about.
    fn own_name(&self) -> Option<String> {
        let named = ["behavior", "character"].iter().find_map(|kind| self.lines.option(kind)?.as_str());
        let first = || (0..self.lines.len()).filter_map(|at| self.lines.at(at)).find(|e| e.kind() == "behavior");
        named.map(str::to_owned).or_else(|| first().map(|event| event.text("name").to_owned()))
    }

    fn known(&self, name: &str, own: Option<&str>) -> Result<String, NoAnswer> {
        let of = |event: Event| event.text("name").to_owned();
        let mut names: Vec<String> = self.lines.backwards(&["\"kind\":\"behavior\""]).map(of).collect();
        names.extend(own.map(str::to_owned));
        names.sort_unstable();
        names.dedup();
        match names.iter().any(|known| known == name) {
            true => Ok(name.to_owned()),
            false => {
                let help = meant(name, names.iter().map(String::as_str));
                Err(NoAnswer::NoBehavior(name.to_owned(), help))
            }
        }
    }

    fn reason(&self) -> Option<&str> {
        self.lines.footer.as_ref()?.get("reason")?.as_str()
    }

    fn find(&self, name: &str, of_run: bool) -> Found {
        let quoted = format!("\"name\":{}", Value::from(name));
        let has = ["\"kind\":\"behavior", &*quoted];
        let (mut stopping, mut failed) = (None, None);
        // Of one that was started several times the last time counts.
        for event in self.lines.backwards(&has) {
            match (event.kind(), event.text("phase")) {
                ("behavior_failed", _) => failed = Some(event),
                (_, "stopping") => stopping = Some(event),
                (_, "unloaded") if stopping.is_none() => stopping = Some(event),
                (_, "loading") => break,
                _ => {}
            }
        }
        if let Some(failed) = failed {
            return self.exception(failed);
        }
        if of_run {
            let at = stopping.as_ref().map_or(self.lines.last(), |event| event.t);
            if let Some(found) = self.by_reason(at, stopping.as_ref()) {
                return found;
            }
        }
        match stopping {
            Some(stopping) => self.by_cause(name, stopping),
            None if of_run && self.reason().is_some() => self.run_is_over(),
            None => self.cut_off(),
        }
    }

    fn exception(&self, failed: Event) -> Found {
        let error = failed.field("error").cloned().unwrap_or_default();
        let (said, line) = (words::error(&error), error.get("line").and_then(Value::as_u64));
        let chain = self.lines.chain(failed);
        let Some(failed) = chain.events.first() else { return self.cut_off() };
        let (at, path) = (failed.t, failed.path());
        let place = line.map_or_else(|| format!("in {path}"), |line| format!("in {path}, line {line} of its script"));
        Found { how: How::Exception, at, text: format!("failed at {at} s: {said}, {place}"), chain }
    }

    /// What the last line says of the whole run, as far as it says more than its causes do.
    fn by_reason(&self, at: Time, stopping: Option<&Event>) -> Option<Found> {
        let warned = |begin: &str| {
            let of_this = |event: &Event| event.t <= at && event.text("text").contains(begin);
            self.lines.backwards(&["\"kind\":\"warning\""]).find(of_this)
        };
        let chain = |event: Option<Event>| {
            let event = event.or_else(|| stopping.cloned());
            event.map(|event| self.lines.chain(event)).unwrap_or_default()
        };
        let (how, text, chain) = match self.reason()? {
            "waiting" => {
                let text = format!("waits since {at} s: nothing can happen any more without an event from outside");
                (How::Waiting, text, chain(None))
            }
            "deadlock" => {
                const LOCKED: &str = "deadlock: these wait for each other and no timer is left: ";
                let (why, event) = match warned(LOCKED) {
                    Some(event) => {
                        let who = event.text("text").strip_prefix(LOCKED).unwrap_or_default().to_owned();
                        (format!("scripts wait for each other: {who}"), Some(event))
                    }
                    None => {
                        let endless = warned("runs on without end");
                        let why = endless.as_ref().map(|event| format!("{}: {}", event.path(), event.text("text")));
                        (why.unwrap_or_else(|| "a script runs on without end".to_owned()), endless)
                    }
                };
                (How::Deadlock, format!("was stopped at {at} s: {why}"), chain(event))
            }
            "livelock" => {
                let event = warned("signals go round");
                let why = event.as_ref().map(|event| event.text("text").to_owned());
                let why = why.unwrap_or_else(|| "signals went round in no time, without end".to_owned());
                (How::Livelock, format!("was stopped at {at} s: {why}"), chain(event))
            }
            "failed" => {
                let not_compiled = self.lines.footer.as_ref().is_some_and(|footer| footer.contains_key("not_compiled"));
                let broken = self.lines.backwards(&["\"kind\":\"raised\"", "\"method\":\"script\""]).last();
                if let (true, Some(broken)) = (not_compiled, broken) {
                    let error = broken.field("error").cloned().unwrap_or_default();
                    let text = format!(
                        "ended at {at} s and counts as failed: the script of {} does not compile: {}{}",
                        broken.path(),
                        words::error(&error),
                        at_line(error.get("line").and_then(Value::as_u64)),
                    );
                    (How::NotCompiled, text, chain(None))
                } else if let Some((sign, event)) = robot::lost(self.lines) {
                    (How::RobotLost, format!("was stopped at {at} s: {sign}"), chain(Some(event)))
                } else {
                    let why = self.why_failed(at)?;
                    (How::Failed, format!("failed at {at} s: {}", why.0), chain(Some(why.1)))
                }
            }
            _ => return None,
        };
        Some(Found { how, at, text, chain })
    }

    /// The last thing that was wrong before a run failed.
    fn why_failed(&self, at: Time) -> Option<(String, Event)> {
        let ended = |event: &Event| event.is("delegation", "how", "failed") && event.is("delegation", "what", "ended");
        let wrong = |event: &Event| event.t <= at && (event.kind() == "warning" || ended(event));
        let event = self.lines.backwards(&[]).find(wrong)?;
        let text = match event.kind() {
            "warning" => event.text("text").to_owned(),
            _ => format!("{}: {}", event.path(), event.text("why")),
        };
        Some((text, event))
    }

    /// By what its stop came from.
    fn by_cause(&self, name: &str, stopping: Event) -> Found {
        let at = stopping.t;
        let chain = self.lines.chain(stopping);
        let near = chain.events.iter().skip(1).find(|event| !matches!(event.kind(), "box" | "diagram" | "returned"));
        let (how, text) = match near {
            Some(event) => self.came_from(name, at, event, &chain.events),
            None if self.reason() == Some("interrupted") => (How::Interrupted, interrupted(at)),
            None => (How::Ended, format!("ended at {at} s")),
        };
        Found { how, at, text, chain }
    }

    fn came_from(&self, name: &str, at: Time, event: &Event, chain: &[Event]) -> (How, String) {
        match event.kind() {
            "control" => match event.text("what") {
                "interrupt" => (How::Interrupted, interrupted(at)),
                "limit" => {
                    let limit = self.lines.option("for").and_then(Value::as_f64);
                    let limit = limit.map(|s| format!(" (--for {s})")).unwrap_or_default();
                    (How::Limit, format!("was stopped at {at} s: its time limit{limit} was reached"))
                }
                "call" => {
                    let called = event.field("details").map(words::called).unwrap_or_default();
                    (How::Program, format!("was stopped at {at} s: a program outside called {called}"))
                }
                _ => (How::Stop, format!("was stopped from outside at {at} s")),
            },
            "service" => {
                let called = format!("{} called {}{}", event.path(), words::called_by(event), at_line(event.line()));
                match self.behavior_of(event).filter(|by| by != name) {
                    Some(by) => (How::Behavior, format!("was stopped at {at} s by another behavior, {by}: {called}")),
                    None => (How::OwnScript, format!("was stopped at {at} s by its own script: {called}")),
                }
            }
            _ => {
                let taken = chain
                    .iter()
                    .find(|event| event.kind() == "resource" && matches!(event.text("what"), "lost" | "refused"));
                if let Some(taken) = taken {
                    return (How::Resource, format!("ended at {at} s: {} {}", taken.path(), words::resource(taken)));
                }
                (How::Ended, format!("ended by itself at {at} s{}", ended_by(chain)))
            }
        }
    }

    /// The behavior that an event belongs to, by what it came from.
    fn behavior_of(&self, event: &Event) -> Option<String> {
        let chain = self.lines.chain(event.clone());
        let begun = chain.events.iter().find(|event| event.kind() == "behavior")?;
        Some(begun.text("name").to_owned())
    }

    /// A run whose last line is there, without a behavior that would have stopped: a character, as a rule.
    fn run_is_over(&self) -> Found {
        let at = self.lines.last();
        let control = || self.lines.backwards(&["\"kind\":\"control\""]).find(ends_run);
        let over = || self.lines.backwards(&["\"what\":\"stopped\""]).find(|event| event.kind() == "delegation");
        let chain = control().or_else(over).map(|event| self.lines.chain(event)).unwrap_or_default();
        let root = self.lines.backwards(&["\"what\":\"ended\""]).find(|event| !event.path().contains('/'));
        let (how, text) = match (self.reason(), chain.events.first(), root) {
            (Some("interrupted"), ..) => (How::Interrupted, interrupted(at)),
            (Some("limit"), Some(event), _) => self.came_from("", at, event, &chain.events),
            (Some("ended"), Some(event), _) if event.kind() == "control" => {
                self.came_from("", at, event, &chain.events)
            }
            (Some("ended"), _, Some(root)) if root.text("how") == "done" => {
                (How::Ended, format!("ended by itself at {at} s: {} was done", root.path()))
            }
            (reason, ..) => (How::Ended, format!("ended at {at} s: {}", reason.unwrap_or_default())),
        };
        Found { how, at, text, chain }
    }

    /// There is no last line.
    fn cut_off(&self) -> Found {
        let at = self.lines.last();
        let text = format!(
            "has no end in this recording, which breaks off at {at} s: the program was killed, or its computer went out; or it still \
             plays"
        );
        let last = self.lines.len().checked_sub(1).and_then(|index| self.lines.at(index));
        let chain = last.map(|event| self.lines.chain(event)).unwrap_or_default();
        Found { how: How::CutOff, at, text, chain }
    }

    /// What led to a stop, without what says nothing to people.
    fn steps(&self, chain: &[Event]) -> Vec<Step> {
        let told = |(index, event): (usize, &Event)| {
            let cause = chain.get(index + 1).map(Event::kind);
            // A link leads from one to the other, and it is told where it came from.
            if event.kind() == "input" && cause == Some("output") {
                return None;
            }
            Some(Step { n: event.n, t: event.t, path: event.path().to_owned(), line: event.line(), text: step(event)? })
        };
        chain.iter().enumerate().filter_map(told).collect()
    }
}

fn interrupted(at: Time) -> String {
    format!("was interrupted at {at} s: Ctrl-C, another signal, or boxstep stop")
}

/// Does it end the run, whatever plays?
fn ends_run(event: &Event) -> bool {
    event.kind() == "control" && matches!(event.text("what"), "stop" | "interrupt" | "limit")
}

/// Which box's output, or which timeline, the end came from.
fn ended_by(chain: &[Event]) -> String {
    let ends = |event: &&Event| event.kind() == "output" || event.is("timeline", "command", "end");
    // The first is the root's own; what is of interest is what led to that.
    let mut of = chain.iter().filter(ends);
    match (of.next(), of.next()) {
        (Some(root), next) => {
            let from = next.filter(|_| root.kind() == "output").unwrap_or(root);
            match from.kind() {
                "timeline" => format!(": the timeline of {} came to its end{}", from.path(), words::frame(from)),
                _ => format!(": {} put out {}", from.path(), from.text("port")),
            }
        }
        _ => String::new(),
    }
}

/// At most ten lines: the sentence, what else there is to say, and the way back as far as there is room.
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
        let (shown, rest) = match self.steps.len() <= room {
            true => (self.steps.len(), None),
            false => (room.saturating_sub(2), self.steps.last()),
        };
        let widest = self.steps.iter().take(shown).chain(rest).map(|step| step.path.chars().count()).max();
        let line = |step: &Step| {
            let (t, width) = (step.t.to_string(), widest.unwrap_or_default());
            let text = format!("{t:>10}  {:width$}  {}{}", step.path, step.text, at_line(step.line));
            words::cut(text.trim_end())
        };
        self.steps.iter().take(shown).try_for_each(|step| writeln!(f, "{}", line(step)))?;
        match rest {
            Some(first) => {
                writeln!(f, "{:>10}  {} more\n{}", "…", self.steps.len() + self.left_out - shown - 1, line(first))
            }
            None => Ok(()),
        }
    }
}

impl Stopped {
    /// As one JSON object, with all steps; times are in seconds.
    pub fn json(&self) -> Value {
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
