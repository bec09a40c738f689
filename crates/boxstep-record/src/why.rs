//! Why a behavior of a character runs or not, and why the last one stopped, read out of a trace.
//!
//! Everything that is said stands in the trace: what has happened to behaviors (`delegation`), and what they told of themselves
//! (`plan`, `wants`, `watches`, `asked`, `cools`, `timer`). `docs/trace.md` has the lines.

mod account;
mod answer;
mod robot;
mod stopped;
mod words;

pub use account::Account;
pub use answer::{Because, Cooling, Factor, Why};
pub use robot::Sign;
pub use stopped::{How, Step, Stopped, stopped};

use boxstep_types::{BoxPath, Time, meant};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::io::{self, BufRead};

/// Why a trace gives no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// It cannot be read.
    Io(io::Error),
    /// A line, from 1, that is not of a trace.
    Line(usize, String),
    /// Nothing of a character has happened in it, up to the time that was asked about.
    NoCharacter,
    /// Nothing has been played in it.
    Nothing,
    /// It has no behavior of this name; and one that was perhaps meant.
    NoBehavior(String, Option<String>),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::Io(error) => error.fmt(f),
            NoAnswer::Line(line, why) => write!(f, "line {line} is not of a trace: {why}"),
            NoAnswer::NoCharacter => f.write_str("nothing of a character has happened in it by then"),
            NoAnswer::Nothing => f.write_str("nothing is played in it"),
            NoAnswer::NoBehavior(name, help) => {
                write!(f, "it has no behavior `{name}`")?;
                help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
            }
        }
    }
}

impl std::error::Error for NoAnswer {}

/// Why behaviors end that are active when a runner is stopped.
const STOPPED: &str = "the runner was stopped";

/// A line, as far as every line has that.
#[derive(Deserialize)]
struct Line<'a> {
    t: Option<i64>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
}

/// A line of kind `delegation`.
#[derive(Deserialize)]
struct Delegation {
    t: i64,
    path: Option<BoxPath>,
    what: String,
    #[serde(default)]
    to: Vec<String>,
    #[serde(default)]
    ticket: u64,
    how: Option<String>,
    why: Option<String>,
    value: Option<Value>,
    /// The name, if the last step of the path is another one.
    name: Option<String>,
    /// It is of an earlier version of the character: its number, which no other one has.
    earlier: Option<u64>,
}

/// A line of kind `event`.
#[derive(Deserialize)]
struct Event {
    t: Option<i64>,
    key: String,
    value: Value,
}

/// What is known of a behavior at some time.
#[derive(Clone, Debug, Default)]
struct Behavior {
    path: String,
    /// What it is, if the trace has that.
    is: String,
    claims: Vec<String>,
    children: Vec<String>,
    /// Who has it as a child, if the trace has that.
    parents: Vec<String>,
    /// Since when the character has none of this name any more.
    gone: Option<Time>,
    phase: Phase,
    /// Since when it is where it is.
    since: Time,
    /// Who delegates to it, by which ticket; waiting for others to wind down.
    waits: Option<(Time, u64)>,
    /// It is active: since when, and by which ticket.
    active: Option<(Time, u64)>,
    /// Who delegated to it last.
    by: Option<String>,
    /// It winds down: since when.
    winds_down: Option<Time>,
    runs: u32,
    /// How it has ended last: when, how, why.
    ended: Option<(Time, String, Option<String>)>,
    wants: Option<Told>,
    watches: Option<Told>,
    /// By who asked.
    asked: BTreeMap<String, Told>,
    /// By parent.
    cools: BTreeMap<String, Cools>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// It is not in scope.
    #[default]
    Out,
    Entering,
    In,
    Leaving,
}

/// Something that was told at some time, and holds until it is told anew.
#[derive(Clone, Debug)]
struct Told {
    since: Time,
    yes: bool,
    why: Option<String>,
    factors: Vec<Factor>,
}

#[derive(Clone, Debug)]
struct Cools {
    since: Time,
    seconds: f64,
    timer: Option<String>,
}

/// A trace, read up to some time.
#[derive(Clone, Debug, Default)]
struct Story {
    behaviors: HashMap<String, Behavior>,
    /// In the order of the character, or in which they occurred.
    names: Vec<String>,
    /// Whom each ticket of a delegation was for, and who made it.
    tickets: HashMap<u64, String>,
    /// By parent: the children whose cooldowns are forgotten when it is given control.
    resets: HashMap<String, BTreeSet<String>>,
    /// What robot memory said last, and since when.
    memory: HashMap<String, (Time, Value)>,
    /// When named timers began.
    timers: HashMap<String, Time>,
    /// What those of earlier versions are called here, by their numbers.
    earlier: HashMap<u64, String>,
    now: Time,
    /// When the character was over.
    over: Option<Time>,
}

/// Why a behavior runs or not at a time; without one, at the end of the trace, which may be of a run that still goes on. One that
/// was stopped is looked at as it was just before.
///
/// # Errors
/// [`NoAnswer`].
pub fn why(name: &str, trace: impl BufRead, at: Option<Time>) -> Result<Why, NoAnswer> {
    let mut story = Story::default();
    story.read(trace, at)?;
    if story.behaviors.is_empty() {
        return Err(NoAnswer::NoCharacter);
    }
    story.why(name)
}

impl Story {
    fn why(&self, name: &str) -> Result<Why, NoAnswer> {
        let by_path = || self.names.iter().find(|own| self.behaviors.get(*own).is_some_and(|b| b.path == name));
        let known = self.names.iter().find(|own| *own == name).or_else(by_path);
        match known {
            Some(known) => Ok(self.answer(known)),
            None => {
                let help = meant(name, self.names.iter().map(String::as_str));
                Err(NoAnswer::NoBehavior(name.to_owned(), help))
            }
        }
    }

    fn read(&mut self, mut trace: impl BufRead, at: Option<Time>) -> Result<(), NoAnswer> {
        let mut text = Vec::new();
        for number in 1.. {
            text.clear();
            trace.read_until(b'\n', &mut text).map_err(NoAnswer::Io)?;
            // What has no end yet is still being written.
            if text.last() != Some(&b'\n') {
                break;
            }
            let wrong = |e: serde_json::Error| NoAnswer::Line(number, e.to_string());
            let line: Line<'_> = serde_json::from_slice(&text).map_err(wrong)?;
            let Some(t) = line.t.map(Time) else { continue };
            if at.is_some_and(|at| t > at) {
                break;
            }
            self.now = t;
            if line.reason.is_some() {
                self.over.get_or_insert(t);
            }
            if line.kind.as_deref() == Some("event") {
                let Event { key, value, .. } = serde_json::from_slice(&text).map_err(wrong)?;
                self.memory.insert(key, (t, value));
            }
            if line.kind.as_deref() == Some("delegation") {
                let line: Delegation = serde_json::from_slice(&text).map_err(wrong)?;
                // What was before the run was stopped is of more use than that nothing runs any more.
                if at.is_none() && line.what == "ended" && line.why.as_deref() == Some(STOPPED) {
                    break;
                }
                self.take(line);
            }
        }
        // Time has passed that nothing is told of.
        self.now = at.unwrap_or(self.now);
        Ok(())
    }

    fn behavior(&mut self, name: &str) -> &mut Behavior {
        if !self.behaviors.contains_key(name) {
            self.names.push(name.to_owned());
        }
        self.behaviors.entry(name.to_owned()).or_default()
    }

    fn take(&mut self, line: Delegation) {
        let t = Time(line.t);
        let Some(path) = line.path else {
            if line.what == "stopped" {
                self.over.get_or_insert(t);
            }
            return;
        };
        let mut name = line.name.unwrap_or_else(|| path.name().to_owned());
        if line.what == "plan" {
            return self.plan(t, line.value.as_ref());
        }
        if let Some(number) = line.earlier {
            name = self.earlier(name, number);
        }
        let by = self.tickets.get(&line.ticket).cloned();
        let own = self.behavior(&name);
        own.path = path.to_string();
        let set = |own: &mut Behavior, phase| (own.phase, own.since) = (phase, t);
        match line.what.as_str() {
            "entering" => set(own, Phase::Entering),
            "entered" => set(own, Phase::In),
            "leaving" => set(own, Phase::Leaving),
            "left" => {
                set(own, Phase::Out);
                (own.wants, own.winds_down) = (None, None);
            }
            "waits" => own.waits = Some((t, line.ticket)),
            "activated" => {
                (own.active, own.waits) = (Some((t, line.ticket)), None);
                own.runs += 1;
                own.by = by;
                self.begins(&name);
            }
            "ended" => {
                let waited = own.waits.is_some_and(|(_, ticket)| ticket == line.ticket);
                if waited {
                    own.waits = None;
                } else {
                    own.active = None;
                }
                own.watches = None;
                own.ended = Some((t, line.how.unwrap_or_default(), line.why));
                self.tickets.remove(&line.ticket);
            }
            // It is given control again by the same ticket.
            "restarts" => {
                (own.active, own.watches) = (None, None);
                own.ended = Some((t, "cancelled".to_owned(), Some("another version was taken".to_owned())));
            }
            "stopping" => own.winds_down = Some(t),
            "deactivated" | "forced" => own.winds_down = None,
            "delegated" => {
                for (at, to) in line.to.iter().enumerate() {
                    self.tickets.insert(line.ticket + at as u64, name.clone());
                    self.behavior(to);
                }
            }
            "wants" => own.wants = Some(told(t, line.how, line.why, line.value)),
            "watches" => own.watches = Some(told(t, line.how, line.why, line.value)),
            "asked" => {
                let answer = told(t, line.how, line.why, None);
                for to in &line.to {
                    self.behavior(to).asked.insert(name.clone(), answer.clone());
                }
            }
            "cools" => self.cools(t, &name, &line.to, line.value.as_ref()),
            "timer" => self.timers.extend(line.to.into_iter().map(|timer| (timer, t))),
            _ => {}
        }
    }

    /// The character has no place for it any more, or another one of its name, which has no past.
    fn earlier(&mut self, name: String, number: u64) -> String {
        if let Some(known) = self.earlier.get(&number) {
            return known.clone();
        }
        let count = self.earlier.values().filter(|other| other.starts_with(&format!("{name}, "))).count();
        let nth = if count == 0 { String::new() } else { format!(" ({})", count + 1) };
        let earlier = format!("{name}, of an earlier version{nth}");
        if let Some(own) = self.behaviors.get_mut(&name) {
            let old = std::mem::replace(own, Behavior { path: own.path.clone(), ..Behavior::default() });
            *self.behavior(&earlier) = old;
        }
        self.earlier.insert(number, earlier.clone());
        earlier
    }

    /// Who is in the character, from now on.
    fn plan(&mut self, t: Time, value: Option<&Value>) {
        let Some(Value::Object(all)) = value else { return };
        for (name, own) in &mut self.behaviors {
            own.parents.clear();
            own.gone = if all.contains_key(name) { None } else { own.gone.or(Some(t)) };
            if own.gone.is_some() {
                own.children.clear();
            }
        }
        let texts = |value: &Value, key: &str| -> Vec<String> {
            let list = value.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(|text| Some(text.as_str()?.to_owned())).collect()
        };
        for (name, says) in all {
            let own = self.behavior(name);
            own.is = says.get("is").and_then(Value::as_str).unwrap_or_default().to_owned();
            own.claims = texts(says, "claims");
            own.children = texts(says, "children");
            for child in own.children.clone() {
                let child = self.behavior(&child);
                if !child.parents.contains(name) {
                    child.parents.push(name.clone());
                }
            }
        }
    }

    fn cools(&mut self, t: Time, parent: &str, to: &[String], value: Option<&Value>) {
        let seconds = value.and_then(|value| value.get("seconds")).and_then(Value::as_f64).unwrap_or(0.0);
        let timer = value.and_then(|value| value.get("timer")).and_then(Value::as_str).map(str::to_owned);
        let reset = value.and_then(|value| value.get("reset")).and_then(Value::as_bool).unwrap_or(false);
        if let Some(timer) = &timer {
            self.timers.insert(timer.clone(), t);
        }
        for to in to {
            let cools = Cools { since: t, seconds, timer: timer.clone() };
            if reset && timer.is_none() {
                self.resets.entry(parent.to_owned()).or_default().insert(to.clone());
            }
            self.behavior(to).cools.insert(parent.to_owned(), cools);
        }
    }

    /// One has been given control: cooldowns of its children are forgotten that are to be.
    fn begins(&mut self, parent: &str) {
        for child in self.resets.remove(parent).unwrap_or_default() {
            self.behavior(&child).cools.remove(parent);
        }
    }
}

fn told(since: Time, how: Option<String>, why: Option<String>, value: Option<Value>) -> Told {
    let factors = match value {
        Some(Value::Array(all)) => all.iter().filter_map(Factor::read).collect(),
        Some(one) => Factor::read(&one).into_iter().collect(),
        None => Vec::new(),
    };
    Told { since, yes: how.as_deref() == Some("yes"), why, factors }
}
