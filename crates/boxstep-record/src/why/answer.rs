//! The answer: what a behavior does at a time, the first reason for it, and all further facts.

use super::{Account, Behavior, Finding, Phase, WISHED};
use boxstep_trace::ConditionResult;
use boxstep_types::Time;
use serde_json::{Value, json};
use std::fmt;

/// Why a behavior runs or not: the first of these reasons that applies.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// It runs: since when, and who gave it control (`None`: the runner).
    Runs(Time, Option<String>),
    /// It acts for the character on another robot, which has not wanted it since then.
    Unwanted(Time),
    /// It has lost control and has been winding down since then.
    WindsDown(Time),
    /// It has been given control, and has been waiting since then for others to wind down.
    Waits(Time),
    /// The character was over then.
    Over(Time),
    /// Since then another version of the character plays, which has no such behavior.
    Gone(Time),
    /// It has been loading since then.
    Loads(Time),
    /// It is out of scope, because none of these is active.
    OutOfScope(Vec<String>),
    /// It is silenced by this behavior.
    Silenced(String),
    /// Its condition is not true.
    SaysNo,
    /// It claims a resource that another behavior has: the resource, and the behavior.
    Taken(String, String),
    /// Its parents do not choose it during a cooldown.
    Cools,
    /// This parent asked it, and it refused for this reason.
    Refused(String, Option<String>),
    /// Its parent has given control to others.
    Elsewhere {
        /// The parent.
        parent: String,
        /// The behaviors that have control.
        to: Vec<String>,
        /// The parent gives control to the first child that wants to run, and these children come before it.
        before: bool,
    },
    /// Only the runner gives it control: at the start, or when another root has ended.
    Root,
    /// Nothing in the trace prevents it, but no behavior has chosen it.
    NotChosen,
}

/// A cooldown during which a parent does not choose the behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Cooling {
    /// The parent.
    pub parent: String,
    /// When the cooldown ends.
    pub until: Time,
    /// The whole duration, in seconds.
    pub seconds: f64,
    /// The named timer that it uses.
    pub timer: Option<String>,
}

/// Why a behavior runs or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// The name of the behavior.
    pub name: String,
    /// Its path in the trace; empty if nothing has happened to it.
    pub path: String,
    /// Its kind; empty if the trace does not have it.
    pub is: String,
    /// The time of the answer.
    pub at: Time,
    /// The first reason that applies.
    pub because: Because,
    /// Since when it has been in scope; `None` if it is not.
    pub in_scope: Option<Time>,
    /// Whether it wants to run: since when, the answer, who silences it, and the results of its condition.
    pub wants: Option<(Time, bool, Option<String>, Vec<ConditionResult>)>,
    /// What it watches while it runs: since when, and the results.
    pub watches: Option<(Time, Vec<ConditionResult>)>,
    /// Who asked it: the parent, since when the answer holds, the answer, and the reason.
    pub asked: Vec<(String, Time, bool, Option<String>)>,
    /// The cooldowns that are not over.
    pub cooling: Vec<Cooling>,
    /// What is active: each path from a root to a leaf, and since when the leaf is active.
    pub control: Vec<(Vec<String>, Time)>,
    /// The resources that it claims, and who else has them.
    pub claims: Vec<(String, Option<String>)>,
    /// How often it was given control.
    pub runs: u32,
    /// Its last end: when, `done`, `failed` or `cancelled`, and why.
    pub ended: Option<(Time, String, Option<String>)>,
}

/// Updates a condition's values of the robot's memory, which may have changed since the condition was reported, without
/// consequences.
fn renew(condition: &mut ConditionResult, since: Time, account: &Account) {
    let is_of = |key: &str| {
        let rest = condition.what.strip_prefix("memory ").and_then(|rest| rest.strip_prefix(key));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let newest =
        account.memory.iter().filter(|(key, (t, _))| *t > since && is_of(key)).max_by_key(|(key, _)| key.len());
    if let Some((_, (t, value))) = newest {
        condition.found = format!("is {value} since {t} s");
    }
    condition.parts.iter_mut().for_each(|part| renew(part, since, account));
}

/// Returns a condition as JSON with every field, including empty ones.
fn condition_json(condition: &ConditionResult) -> Value {
    let parts: Vec<Value> = condition.parts.iter().map(condition_json).collect();
    json!({ "what": condition.what, "found": condition.found, "holds": condition.holds, "parts": parts })
}

fn condition_lines(condition: &ConditionResult, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    condition.to_string().lines().try_for_each(|line| writeln!(f, "{:WIDTH$}{line}", ""))
}

impl Account {
    fn get(&self, name: &str) -> Option<&Behavior> {
        self.behaviors.get(name)
    }

    fn is_active(&self, name: &str) -> bool {
        self.get(name).is_some_and(|behavior| behavior.active.is_some())
    }

    /// Returns the path from the root to an active behavior, by who gave control to whom.
    fn way(&self, name: &str) -> Vec<String> {
        let mut way = vec![name.to_owned()];
        let mut at = name;
        while let Some(by) = self.get(at).and_then(|behavior| behavior.by.as_deref()) {
            // A damaged trace must not cause an endless loop.
            if way.len() > self.names.len() {
                break;
            }
            way.push(by.to_owned());
            at = by;
        }
        way.reverse();
        way
    }

    fn control(&self) -> Vec<(Vec<String>, Time)> {
        let active = || self.names.iter().filter_map(|name| Some((name, self.get(name)?, self.get(name)?.active?)));
        let parents: Vec<&str> = active().filter_map(|(_, behavior, _)| behavior.by.as_deref()).collect();
        let leaves = active().filter(|(name, ..)| !parents.contains(&name.as_str()));
        leaves.map(|(name, _, (since, _))| (self.way(name), since)).collect()
    }

    /// Returns who has a resource that a child of this parent therefore cannot have.
    fn holder(&self, resource: &str, name: &str, parent: Option<&str>) -> Option<String> {
        let way = parent.map(|parent| self.way(parent)).unwrap_or_default();
        let has = |other: &&String| {
            self.is_active(other)
                && *other != name
                && self.get(other).is_some_and(|behavior| behavior.claims.iter().any(|claim| claim == resource))
                && !way.contains(other)
                && !parent.is_some_and(|parent| self.way(other).iter().any(|on_the_way| on_the_way == parent))
        };
        self.names.iter().find(has).cloned()
    }

    pub(super) fn cooling(&self, behavior: &Behavior) -> Vec<Cooling> {
        let one = |(parent, cools): (&String, &super::Cools)| {
            let timer = cools.timer.as_ref().and_then(|timer| self.timers.get(timer.as_str()));
            let until = *timer.unwrap_or(&cools.since) + Time::from_secs_f64(cools.seconds);
            let (parent, seconds, timer) = (parent.clone(), cools.seconds, cools.timer.clone());
            (until > self.now).then_some(Cooling { parent, until, seconds, timer })
        };
        behavior.cools.iter().filter_map(one).collect()
    }

    pub(super) fn answer(&self, name: &str) -> Why {
        let nothing = Behavior::default();
        let behavior = self.get(name).unwrap_or(&nothing);
        let parents = self.parents(behavior);
        let active: Vec<&String> = parents.iter().filter(|parent| self.is_active(parent)).collect();
        let parent = active.first().map(|parent| parent.as_str());
        let claims = behavior.claims.iter().map(|claim| (claim.clone(), self.holder(claim, name, parent))).collect();
        let told = |told: &Finding| (told.since, told.conditions.clone());
        let mut why = Why {
            name: name.to_owned(),
            path: behavior.path.clone(),
            is: behavior.is.clone(),
            at: self.now,
            because: Because::NotChosen,
            in_scope: (behavior.phase == Phase::In).then_some(behavior.since),
            wants: behavior.wants.as_ref().map(|t| (t.since, t.yes, t.why.clone(), t.conditions.clone())),
            watches: behavior.watches.as_ref().filter(|_| behavior.active.is_some()).map(told),
            asked: behavior.asked.iter().map(|(by, t)| (by.clone(), t.since, t.yes, t.why.clone())).collect(),
            cooling: self.cooling(behavior),
            control: self.control(),
            claims,
            runs: behavior.runs,
            ended: behavior.ended.clone(),
        };
        // While it runs, the condition is shown as it was when the behavior was given control.
        if let (Some((since, _, _, conditions)), None) = (&mut why.wants, behavior.active) {
            conditions.iter_mut().for_each(|condition| renew(condition, *since, self));
        }
        why.because = self.because(&why, behavior, parents.clone(), &active);
        why
    }

    /// Returns the behaviors that may give it control, as far as the trace has them.
    fn parents(&self, behavior: &Behavior) -> Vec<String> {
        if !behavior.parents.is_empty() {
            return behavior.parents.clone();
        }
        let path: Option<boxstep_types::BoxPath> = behavior.path.parse().ok();
        let Some(parent) = path.and_then(|path| path.parent()) else { return Vec::new() };
        let text = parent.to_string();
        let known = self.names.iter().find(|name| self.get(name).is_some_and(|behavior| behavior.path == text));
        vec![known.cloned().unwrap_or_else(|| parent.name().to_owned())]
    }

    fn because(&self, why: &Why, behavior: &Behavior, parents: Vec<String>, active: &[&String]) -> Because {
        if let Some(watches) = &why.watches
            && watches.1.iter().any(|condition| condition.what == WISHED && !condition.holds)
        {
            return Because::Unwanted(watches.0);
        }
        if let Some((since, _)) = behavior.active {
            return Because::Runs(since, behavior.by.clone());
        }
        if let Some(since) = behavior.winds_down {
            return Because::WindsDown(since);
        }
        if let Some(since) = self.over {
            return Because::Over(since);
        }
        if let Some(since) = behavior.gone {
            return Because::Gone(since);
        }
        if let Some((since, _)) = behavior.waits {
            return Because::Waits(since);
        }
        match behavior.phase {
            Phase::Entering => return Because::Loads(behavior.since),
            Phase::Out | Phase::Leaving => return Because::OutOfScope(parents),
            Phase::In => {}
        }
        if let Some((_, false, silenced, _)) = &why.wants {
            return silenced.clone().map_or(Because::SaysNo, Because::Silenced);
        }
        if let Some((claim, Some(holder))) = why.claims.iter().find(|(_, holder)| holder.is_some()) {
            return Because::Taken(claim.clone(), holder.clone());
        }
        let cools = |parent: &&String| why.cooling.iter().any(|cooling| cooling.parent == ***parent);
        if !active.is_empty() && active.iter().all(cools) {
            return Because::Cools;
        }
        // An answer from before its condition became true is outdated.
        let since = why.wants.as_ref().map(|(since, ..)| *since);
        let counts = |by: &String, at: Time| active.contains(&by) && since.is_none_or(|since| since <= at);
        if let Some((by, _, _, reason)) = why.asked.iter().find(|(by, at, yes, _)| !yes && counts(by, *at)) {
            return Because::Refused(by.clone(), reason.clone());
        }
        for parent in active {
            let is_of = |other: &&String| {
                let other = self.get(other);
                other.is_some_and(|other| other.active.is_some() && other.by.as_deref() == Some(parent.as_str()))
            };
            let to: Vec<String> = self.names.iter().filter(is_of).cloned().collect();
            if !to.is_empty() {
                let place = |name: &str| self.get(parent)?.children.iter().position(|child| child == name);
                let first = self.get(parent).is_some_and(|parent| parent.is == "priority");
                let before = first && to.iter().all(|one| place(one) < place(&why.name));
                return Because::Elsewhere { parent: (*parent).clone(), to, before };
            }
        }
        if parents.is_empty() { Because::Root } else { Because::NotChosen }
    }
}

/// The width of the labels before the lines of an answer.
const WIDTH: usize = 12;

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Runs(since, Some(by)) => write!(f, "{by} gave it control at {since} s"),
            Because::Runs(since, None) => write!(f, "the runner gave it control at {since} s"),
            Because::Unwanted(since) => write!(f, "no other robot has wanted it since {since} s"),
            Because::WindsDown(since) => write!(f, "it winds down since {since} s"),
            Because::Waits(since) => {
                write!(f, "it was given control at {since} s, and waits until others have wound down")
            }
            Because::Over(since) => write!(f, "the character was over at {since} s"),
            Because::Gone(since) => {
                write!(f, "since {since} s another version of the character plays, which does not have it")
            }
            Because::Loads(since) => write!(f, "it loads since {since} s"),
            Because::OutOfScope(parents) => match parents.as_slice() {
                [] => f.write_str("it is not in scope"),
                [one] => write!(f, "it is not in scope: {one} is not active"),
                all => write!(f, "it is not in scope: none of {} is active", all.join(", ")),
            },
            Because::Silenced(by) => write!(f, "it is {by}"),
            Because::SaysNo => f.write_str("its condition is not true"),
            Because::Taken(claim, holder) => write!(f, "it claims {claim}, which {holder} has"),
            Because::Cools => f.write_str("it cools down"),
            Because::Elsewhere { parent, to, before } => {
                let before = if *before { ", which stands before it" } else { "" };
                write!(f, "{parent} has given control to {}{before}", to.join(", "))
            }
            Because::Refused(by, Some(why)) => write!(f, "{by} asked it, and {why}"),
            Because::Refused(by, None) => write!(f, "{by} asked it, and it said no"),
            Because::Root => {
                f.write_str("only the runner gives it control: at the beginning, or when another root has ended")
            }
            Because::NotChosen => f.write_str("nothing in the trace prevents it: no behavior has chosen it"),
        }
    }
}

fn row(f: &mut fmt::Formatter<'_>, head: &str, text: impl fmt::Display) -> fmt::Result {
    writeln!(f, "{head:<WIDTH$}{text}")
}

/// Prints the reason, then the further facts.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = matches!(self.because, Because::Runs(..));
        let does = if runs { "runs" } else { "does not run" };
        writeln!(f, "{} {does} at {} s: {}", self.name, self.at, self.because)?;
        writeln!(f)?;
        if !self.is.is_empty() {
            row(f, "is", &self.is)?;
        }
        match self.in_scope {
            Some(since) => row(f, "in scope", format_args!("since {since} s"))?,
            None => row(f, "in scope", "no")?,
        }
        if let Some((since, yes, why, conditions)) = &self.wants {
            let yes = if *yes { "yes" } else { "no" };
            let why = why.as_ref().map(|why| format!(", {why}")).unwrap_or_default();
            let told = if runs { "when it was asked, at" } else { "since" };
            row(f, "wants", format_args!("{yes}, {told} {since} s{why}"))?;
            conditions.iter().try_for_each(|condition| condition_lines(condition, f))?;
        }
        if let Some((since, conditions)) = &self.watches {
            row(f, "watches", format_args!("since {since} s"))?;
            conditions.iter().try_for_each(|condition| condition_lines(condition, f))?;
        }
        for (by, since, yes, why) in &self.asked {
            let yes = if *yes { "yes" } else { "no" };
            let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            row(f, "asked", format_args!("by {by}: {yes}, since {since} s{why}"))?;
        }
        for Cooling { parent, until, seconds, timer } in &self.cooling {
            let left = Time(until.0 - self.at.0);
            let timer = timer.as_ref().map(|timer| format!(", by the timer {timer}")).unwrap_or_default();
            row(f, "cools", format_args!("for {parent}: {left} s of {seconds} s are left, until {until} s{timer}"))?;
        }
        for (claim, holder) in &self.claims {
            match holder {
                Some(holder) => row(f, "claims", format_args!("{claim}, which {holder} has"))?,
                None => row(f, "claims", claim)?,
            }
        }
        if self.control.is_empty() {
            row(f, "control", "nobody has it")?;
        }
        for (way, since) in &self.control {
            row(f, "control", format_args!("{}, since {since} s", way.join(" → ")))?;
        }
        let times = if self.runs == 1 { "once".to_owned() } else { format!("{} times", self.runs) };
        match &self.ended {
            Some((at, how, why)) if self.runs > 0 => {
                let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                row(f, "ran", format_args!("{times}; it ended at {at} s, {how}{why}"))
            }
            _ if self.runs > 0 => row(f, "ran", times),
            _ => row(f, "ran", "never"),
        }
    }
}

impl Why {
    /// Returns the answer as one JSON object; times are in seconds.
    pub fn json(&self) -> Value {
        let s = |t: &Time| t.as_secs_f64();
        let conditions = |all: &[ConditionResult]| all.iter().map(condition_json).collect::<Vec<_>>();
        let wants = self.wants.as_ref().map(
            |(since, yes, why, all)| json!({ "since": s(since), "yes": yes, "why": why, "factors": conditions(all) }),
        );
        let watches =
            self.watches.as_ref().map(|(since, all)| json!({ "since": s(since), "factors": conditions(all) }));
        let asked = self
            .asked
            .iter()
            .map(|(by, since, yes, why)| json!({ "by": by, "since": s(since), "yes": yes, "why": why }));
        let cooling = self.cooling.iter().map(|c| {
            json!({ "parent": c.parent, "until": s(&c.until), "left": s(&Time(c.until.0 - self.at.0)),
                    "seconds": c.seconds, "timer": c.timer })
        });
        let control = self.control.iter().map(|(way, since)| json!({ "way": way, "since": s(since) }));
        let claims = self.claims.iter().map(|(claim, holder)| json!({ "resource": claim, "holder": holder }));
        let ended = self.ended.as_ref().map(|(at, how, why)| json!({ "at": s(at), "how": how, "why": why }));
        json!({
            "schema": 1,
            "name": self.name,
            "path": self.path,
            "is": self.is,
            "at": s(&self.at),
            "runs": matches!(self.because, Because::Runs(..)),
            "because": self.because.to_string(),
            "in_scope_since": self.in_scope.as_ref().map(s),
            "wants": wants,
            "watches": watches,
            "asked": asked.collect::<Vec<_>>(),
            "cooldowns": cooling.collect::<Vec<_>>(),
            "control": control.collect::<Vec<_>>(),
            "claims": claims.collect::<Vec<_>>(),
            "times": self.runs,
            "ended": ended,
        })
    }
}
