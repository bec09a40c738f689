//! Explains from a trace why a behavior of a character runs or not, and why the last one stopped.
//!
//! Every statement comes from the trace: the lifecycle events of behaviors (`delegation`), and what they reported about
//! themselves (`plan`, `wants`, `watches`, `asked`, `cools`, `timer`). `docs/reference/trace.md` has the lines.

mod account;
mod across;
mod answer;
mod robot;
mod stopped;
mod words;

pub use across::{Across, across};
pub use answer::{Because, Cooling, Why};
pub use robot::Sign;
pub use stopped::{How, Step, Stopped, stopped};

use boxstep_trace::{
    ConditionResult, CooldownEvent, Delegation, DelegationEnd, DelegationEvent, Event, Kind, Paths, Plan, Recording,
    YesNo,
};
use boxstep_types::{Time, Value, meant};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// Why a trace gives no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The trace has no events of a character up to the given time.
    NoCharacter,
    /// Nothing was played.
    Nothing,
    /// There is no behavior of this name; the second text suggests a similar name.
    NoBehavior(String, Option<String>),
    /// Several robots of a show have this: what to ask for.
    Several(String, Vec<String>),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::NoCharacter => f.write_str("it has no events of a character up to then"),
            NoAnswer::Nothing => f.write_str("nothing was played in it"),
            NoAnswer::NoBehavior(name, help) => {
                write!(f, "it has no behavior `{name}`")?;
                help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
            }
            NoAnswer::Several(name, names) => {
                write!(f, "several robots have `{name}`: ask for one, {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for NoAnswer {}

/// The reason with which behaviors end that are active when a runner is stopped.
const STOPPED: &str = "the runner was stopped";

/// The condition of a leaf that acts for the character on another robot, as `boxstep-runner` words it.
const WISHED: &str = "wanted by another robot";

/// The state of a behavior at some time.
#[derive(Clone, Debug, Default)]
struct Behavior {
    path: String,
    /// Its kind, if the trace has it.
    is: String,
    claims: Vec<String>,
    children: Vec<String>,
    /// The behaviors that have it as a child, if the trace has them.
    parents: Vec<String>,
    /// Since when the character has had no behavior of this name.
    gone: Option<Time>,
    phase: Phase,
    /// Since when it has been in this phase.
    since: Time,
    /// Its delegation waits for others to wind down: since when, and the ticket.
    waits: Option<(Time, u64)>,
    /// It is active: since when, and by which ticket.
    active: Option<(Time, u64)>,
    /// The behavior that delegated to it last.
    by: Option<String>,
    /// Since when it has been winding down.
    winds_down: Option<Time>,
    runs: u32,
    /// Its last end: when, how, why.
    ended: Option<(Time, String, Option<String>)>,
    wants: Option<Finding>,
    watches: Option<Finding>,
    /// The answers to requests, by the requesting behavior.
    asked: BTreeMap<String, Finding>,
    /// The cooldowns, by parent.
    cools: BTreeMap<String, Cools>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// It is out of scope.
    #[default]
    Out,
    Entering,
    In,
    Leaving,
}

/// The result of a condition, or an answer. It holds from its time on until the next one.
#[derive(Clone, Debug)]
struct Finding {
    since: Time,
    yes: bool,
    why: Option<String>,
    conditions: Vec<ConditionResult>,
}

#[derive(Clone, Debug)]
struct Cools {
    since: Time,
    seconds: f64,
    timer: Option<String>,
}

/// The state of a character after the events of a trace so far.
#[derive(Clone, Debug, Default)]
pub struct Account {
    behaviors: HashMap<String, Behavior>,
    /// The names in the order of the character, or in the order in which they occurred.
    names: Vec<String>,
    /// The delegating behavior of each ticket.
    tickets: HashMap<u64, String>,
    /// By parent: the children whose cooldowns are reset when the parent is given control.
    resets: HashMap<String, BTreeSet<String>>,
    /// The last values of the robot's memory, and when they were set.
    memory: HashMap<Arc<str>, (Time, Value)>,
    /// When named timers were started.
    timers: HashMap<Arc<str>, Time>,
    /// The names of behaviors of earlier versions of the character, by number.
    earlier: HashMap<u32, String>,
    now: Time,
    /// When the character ended.
    over: Option<Time>,
}

/// Explains why a behavior runs or not at a time; by default at the end of the trace, whose run may still be going on.
/// If the run was stopped, the default is the state just before.
///
/// # Errors
/// [`NoAnswer`].
pub fn why(name: &str, recording: &Recording, at: Option<Time>) -> Result<Why, NoAnswer> {
    let mut account = Account::default();
    let mut stopped = false;
    for event in recording.events.iter().take_while(|event| at.is_none_or(|at| event.t <= at)) {
        // The state before the run was stopped is more useful than the fact that nothing runs any more.
        stopped = at.is_none() && is_stop(&event.kind);
        if stopped {
            account.now = event.t;
            break;
        }
        account.hear(event, &recording.paths);
    }
    if let Some(footer) = recording.footer.as_ref().filter(|footer| !stopped && at.is_none_or(|at| footer.t <= at)) {
        account.now = footer.t;
        account.over.get_or_insert(footer.t);
    }
    if account.is_empty() {
        return Err(NoAnswer::NoCharacter);
    }
    // Time may have passed without events.
    account.why(name, at.unwrap_or(account.now))
}

/// Returns whether an event is the end of a behavior because its runner was stopped.
fn is_stop(kind: &Kind) -> bool {
    let Kind::Delegation(told) = kind else { return false };
    matches!(&told.event, DelegationEvent::Ended { end: DelegationEnd::Cancelled { why }, .. } if &**why == STOPPED)
}

impl Account {
    /// Updates the state by the next event of a trace.
    pub fn hear(&mut self, event: &Event, paths: &Paths) {
        self.now = event.t;
        match &event.kind {
            Kind::Event { key, value, .. } => {
                self.memory.insert(key.clone(), (event.t, value.clone()));
            }
            Kind::Delegation(told) => self.delegation(event, told, paths),
            _ => {}
        }
    }

    /// Returns whether there have been no events of a character.
    pub fn is_empty(&self) -> bool {
        self.behaviors.is_empty()
    }

    /// Explains why a behavior, given by name or path, runs or not at a time after the last event.
    ///
    /// # Errors
    /// There is no behavior of that name.
    pub fn why(&mut self, name: &str, at: Time) -> Result<Why, NoAnswer> {
        self.now = at;
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

    fn behavior(&mut self, name: &str) -> &mut Behavior {
        if !self.behaviors.contains_key(name) {
            self.names.push(name.to_owned());
        }
        self.behaviors.entry(name.to_owned()).or_default()
    }

    fn delegation(&mut self, event: &Event, told: &Delegation, paths: &Paths) {
        let t = event.t;
        let Some(path) = paths.get(event.path) else {
            if told.event == DelegationEvent::Stopped {
                self.over.get_or_insert(t);
            }
            return;
        };
        if let DelegationEvent::Plan { value } = &told.event {
            return self.plan(t, value);
        }
        let mut name = told.name.as_deref().unwrap_or_else(|| path.name()).to_owned();
        if let Some(number) = told.earlier {
            name = self.earlier(name, number);
        }
        let by = match &told.event {
            DelegationEvent::Activated { ticket } => self.tickets.get(ticket).cloned(),
            _ => None,
        };
        let own = self.behavior(&name);
        own.path = path.to_string();
        let set = |own: &mut Behavior, phase| (own.phase, own.since) = (phase, t);
        match &told.event {
            DelegationEvent::Entering => set(own, Phase::Entering),
            DelegationEvent::Entered => set(own, Phase::In),
            DelegationEvent::Leaving => set(own, Phase::Leaving),
            DelegationEvent::Left => {
                set(own, Phase::Out);
                (own.wants, own.winds_down) = (None, None);
            }
            DelegationEvent::Waits { ticket } => own.waits = Some((t, *ticket)),
            DelegationEvent::Activated { ticket } => {
                (own.active, own.waits) = (Some((t, *ticket)), None);
                own.runs += 1;
                own.by = by;
                self.begins(&name);
            }
            DelegationEvent::Ended { ticket, end } => {
                let waited = own.waits.is_some_and(|(_, waiting)| waiting == *ticket);
                if waited {
                    own.waits = None;
                } else {
                    own.active = None;
                }
                own.watches = None;
                let (how, why) = match end {
                    DelegationEnd::Done { .. } => ("done", None),
                    DelegationEnd::Failed { why } => ("failed", Some(why.to_string())),
                    DelegationEnd::Cancelled { why } => ("cancelled", Some(why.to_string())),
                };
                own.ended = Some((t, how.to_owned(), why));
                self.tickets.remove(ticket);
            }
            // It will be given control again by the same ticket.
            DelegationEvent::Restarts { .. } => {
                (own.active, own.watches) = (None, None);
                own.ended = Some((t, "cancelled".to_owned(), Some("another version was taken".to_owned())));
            }
            DelegationEvent::Stopping => own.winds_down = Some(t),
            DelegationEvent::Deactivated | DelegationEvent::Forced => own.winds_down = None,
            DelegationEvent::Delegated { to, ticket } => {
                for (at, to) in to.iter().enumerate() {
                    self.tickets.insert(ticket + at as u64, name.clone());
                    self.behavior(to);
                }
            }
            DelegationEvent::Wants { how, why, value } => {
                own.wants = Some(finding(t, *how, why, value.iter().cloned().collect()));
            }
            DelegationEvent::Watches { value } => own.watches = Some(finding(t, YesNo::Yes, &None, value.clone())),
            DelegationEvent::Asked { to, how, why } => {
                let answer = finding(t, *how, why, Vec::new());
                for to in to {
                    self.behavior(to).asked.insert(name.clone(), answer.clone());
                }
            }
            DelegationEvent::Cools { to, value } => self.cools(t, &name, to, value),
            DelegationEvent::Timer { to } => self.timers.extend(to.iter().map(|timer| (timer.clone(), t))),
            DelegationEvent::Refused { .. }
            | DelegationEvent::Livelock { .. }
            | DelegationEvent::Stopped
            | DelegationEvent::Plan { .. } => {}
        }
    }

    /// Returns the name for the state of a behavior of an earlier version. The character no longer has the behavior, or
    /// has a new one of the same name, which starts without a history.
    fn earlier(&mut self, name: String, number: u32) -> String {
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

    /// Updates the list of the character's behaviors.
    fn plan(&mut self, t: Time, plan: &Plan) {
        let listed: HashSet<&str> = plan.0.iter().map(|(name, _)| &**name).collect();
        for (name, own) in &mut self.behaviors {
            own.parents.clear();
            own.gone = if listed.contains(name.as_str()) { None } else { own.gone.or(Some(t)) };
            if own.gone.is_some() {
                own.children.clear();
            }
        }
        let texts = |texts: &[Arc<str>]| texts.iter().map(|text| text.to_string()).collect();
        for (name, entry) in &plan.0 {
            let own = self.behavior(name);
            (own.is, own.claims, own.children) = (entry.is.to_string(), texts(&entry.claims), texts(&entry.children));
            for child in &entry.children {
                let child = self.behavior(child);
                if !child.parents.iter().any(|parent| *parent == **name) {
                    child.parents.push(name.to_string());
                }
            }
        }
    }

    fn cools(&mut self, t: Time, parent: &str, to: &[Arc<str>], value: &CooldownEvent) {
        if let Some(timer) = &value.timer {
            self.timers.insert(timer.clone(), t);
        }
        for to in to {
            let cools = Cools { since: t, seconds: value.seconds, timer: value.timer.as_deref().map(str::to_owned) };
            if value.reset && value.timer.is_none() {
                self.resets.entry(parent.to_owned()).or_default().insert(to.to_string());
            }
            self.behavior(to).cools.insert(parent.to_owned(), cools);
        }
    }

    /// Resets the cooldowns of children that are to be reset when their parent is given control.
    fn begins(&mut self, parent: &str) {
        for child in self.resets.remove(parent).unwrap_or_default() {
            self.behavior(&child).cools.remove(parent);
        }
    }
}

fn finding(since: Time, how: YesNo, why: &Option<Arc<str>>, conditions: Vec<ConditionResult>) -> Finding {
    Finding { since, yes: how == YesNo::Yes, why: why.as_deref().map(str::to_owned), conditions }
}
