//! Changes that make a robot ready, and their restoration.

use super::known::ReadyState;
use super::observe::ObservedState;
use super::{Fact, Life, Permissions, Prepared, Reach, Report, Step, Topic, Verdict};
use crate::naoqi::ask::{self, Answer};
use boxstep_qi::{Error, Session, Value, args};
use std::fmt;
use std::time::{Duration, Instant};

/// The changes made to a robot, which have to be restored. If this is dropped, the robot stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a robot that was changed is put back at the end"]
pub struct Changes {
    /// Autonomous Life was in this state, and was switched off.
    life: Option<String>,
    /// The robot was told to wake up.
    woken: bool,
    /// It rested before that.
    rested: bool,
    /// These joints had no stiffness before the robot was woken up, and this value. None of them is in a leg, because a
    /// standing robot would fall.
    limp: Vec<(String, f64)>,
}

/// One change that was restored, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutBack {
    /// The change, for users: `Autonomous Life is on again`.
    pub what: &'static str,
    /// The outcome.
    pub outcome: RestoreOutcome,
}

/// The outcome of restoring a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreOutcome {
    /// The robot has confirmed it.
    Done,
    /// The robot has not confirmed it in time, and may still be doing it.
    Asked,
    /// It failed: the reason.
    Failed(String),
}

impl fmt::Display for PutBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            RestoreOutcome::Done => write!(f, "put back: {}", self.what),
            RestoreOutcome::Asked => write!(f, "requested, and not yet confirmed: {}", self.what),
            RestoreOutcome::Failed(why) => write!(f, "NOT put back: {}: {why}", self.what),
        }
    }
}

const LIFE: &str = "Autonomous Life is on again";
const REST: &str = "the robot rests again";
const LIMP: &str = "the joints that had no stiffness have none again";

impl Changes {
    /// Returns whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    /// Restores everything, and returns after `within` at the latest. `connect` returns a session, and whether the
    /// robot is known to be in the state in which the run left it. If it is not, over a new session, the robot is
    /// queried first, and moved only if it is in that state. `connect` may block.
    pub fn put_back(
        &self,
        connect: impl FnOnce() -> Result<(Session, bool), Error> + Send + 'static,
        within: Duration,
    ) -> Vec<PutBack> {
        if self.whats().next().is_none() {
            return Vec::new();
        }
        let until = Instant::now() + within;
        let connect: ask::Job<Result<(Session, bool), Error>> = Box::new(connect);
        let connected = ask::together(vec![connect], within).into_iter().next().flatten();
        let failed = |why: String| {
            let all = self.whats().map(|what| PutBack { what, outcome: RestoreOutcome::Failed(why.clone()) });
            all.collect()
        };
        match connected {
            None => failed("there was no connection in time".to_owned()),
            Some(Err(e)) => failed(e.to_string()),
            Some(Ok((session, true))) => self.put_back_on(&session, until, |_| None),
            Some(Ok((session, false))) => {
                let is_left = Unattended::query(&session, until);
                self.put_back_on(&session, until, |what| is_left.against(what))
            }
        }
    }

    /// Returns what would be restored, for users.
    pub fn whats(&self) -> impl Iterator<Item = &'static str> {
        let limp = (!self.limp.is_empty() && !self.rested).then_some(LIMP);
        // A robot whose Life is on gets up and lies down by itself.
        let rest = (self.rested && self.life.is_none()).then_some(REST);
        limp.into_iter().chain(rest).chain(self.life.is_some().then_some(LIFE))
    }

    /// `against` returns, for a change that must not be restored, the outcome to report instead.
    fn put_back_on(
        &self,
        session: &Session,
        until: Instant,
        against: impl Fn(&'static str) -> Option<RestoreOutcome>,
    ) -> Vec<PutBack> {
        let mut jobs: Vec<ask::Job<Answer>> = Vec::new();
        let (left, whats): (Vec<_>, Vec<_>) =
            self.whats().map(|what| (what, against(what))).partition(|w| w.1.is_some());
        let left = left.into_iter().filter_map(|(what, outcome)| Some(PutBack { what, outcome: outcome? }));
        let whats: Vec<_> = whats.into_iter().map(|(what, _)| what).collect();
        for what in &whats {
            let session = session.clone();
            let (service, method, args) = match *what {
                // The state "interactive" is only reached through an activity of Life, and "safeguard" only by the
                // robot itself.
                LIFE => ("ALAutonomousLife", "setState", vec![Value::from("solitary")]),
                REST => ("ALMotion", "rest", Vec::new()),
                _ => {
                    let names = Value::list(self.limp.iter().map(|(name, _)| Value::from(name.as_str())));
                    let values = Value::list(self.limp.iter().map(|(_, stiffness)| Value::from(*stiffness)));
                    ("ALMotion", "setStiffnesses", vec![names, values])
                }
            };
            jobs.push(Box::new(move || {
                ask::wait(session.service(service).and_then(|service| service.start(method, &args)), until)
            }));
        }
        let answers = ask::start(jobs).until(until);
        let outcomes = whats.into_iter().zip(answers).map(|(what, answer)| {
            let outcome = match answer {
                Some(Answer::Said(_)) => RestoreOutcome::Done,
                None | Some(Answer::Nothing) => RestoreOutcome::Asked,
                Some(Answer::NoService | Answer::NoMethod) => {
                    RestoreOutcome::Failed("the robot cannot do it".to_owned())
                }
                Some(Answer::Failed(why)) => RestoreOutcome::Failed(why),
                Some(Answer::Lost(why)) => RestoreOutcome::Failed(format!("the connection was lost ({why})")),
            };
            PutBack { what, outcome }
        });
        left.chain(outcomes).collect()
    }
}

/// The state of a robot that was unobserved for a while.
struct Unattended {
    awake: Answer,
    life: Answer,
}

impl Unattended {
    fn query(session: &Session, until: Instant) -> Unattended {
        let query = |service: &'static str, method: &'static str| {
            let session = session.clone();
            let job: ask::Job<Answer> =
                Box::new(move || ask::wait(session.service(service).and_then(|s| s.start(method, &[])), until));
            job
        };
        let jobs = vec![query("ALMotion", "robotIsWakeUp"), query("ALAutonomousLife", "getState")];
        let mut answers = ask::start(jobs).until(until).into_iter().map(|answer| answer.unwrap_or(Answer::Nothing));
        let mut next = || answers.next().unwrap_or(Answer::Nothing);
        Unattended { awake: next(), life: next() }
    }

    /// Returns the outcome to report if this change must not be restored any more: it is so already, somebody else uses
    /// the robot now, or its state is unknown.
    fn against(&self, what: &'static str) -> Option<RestoreOutcome> {
        let life = match self.life.value().and_then(Value::as_str) {
            None if !self.life.lacks() => return Some(RestoreOutcome::Failed(UNKNOWN.to_owned())),
            state => state.filter(|state| *state != "disabled"),
        };
        match (what, life, self.awake.value().and_then(Value::as_bool)) {
            (LIFE, Some(_), _) => Some(RestoreOutcome::Done),
            (LIFE, None, _) => None,
            (_, Some(state), _) => {
                Some(RestoreOutcome::Failed(format!("after the connection was lost its Autonomous Life is {state}")))
            }
            (_, None, Some(false)) => Some(RestoreOutcome::Done),
            (_, None, Some(true)) => None,
            (_, None, None) => Some(RestoreOutcome::Failed(UNKNOWN.to_owned())),
        }
    }
}

const UNKNOWN: &str = "the connection was lost, and the robot does not report its state now";

/// The context of the changes that make a robot ready.
pub(super) struct Change<'a> {
    pub(super) reach: &'a Reach,
    pub(super) session: Session,
    pub(super) permissions: &'a Permissions,
    pub(super) known: &'a ReadyState,
    pub(super) tell: &'a mut dyn FnMut(Step<'_>),
    pub(super) give_up: &'a dyn Fn() -> bool,
}

impl Change<'_> {
    /// Makes the robot ready, and checks that it is, and over which session.
    pub(super) fn make(mut self, before: ObservedState, mut report: Report) -> (Prepared, Option<Session>) {
        let mut changes = Changes::default();
        let done = self.work(before, &mut changes);
        let mut refused = Vec::new();
        match done {
            _ if (self.give_up)() => refused.push(Fact::refused(Topic::Awake, "unknown", INTERRUPTED, "")),
            Err(fact) if !self.permissions.anyway => refused.push(fact),
            Err(fact) => report.put(Fact { verdict: Verdict::Told, ..fact }),
            Ok(()) => {}
        }
        let mut session = Some(self.session.clone());
        if refused.is_empty() && !changes.is_empty() && !self.permissions.anyway {
            let (again, over) = self.known.check_again(self.reach);
            refused.extend(again.refused().cloned());
            session = over;
        }
        if refused.is_empty() {
            return (Prepared::Ready(report, changes), session);
        }
        refused.into_iter().for_each(|fact| report.put(fact));
        let (here, reach, within) = (self.session.clone(), self.reach.clone(), self.known.patience.asking);
        let connect = move || match here.connection().gone() {
            None => Ok((here, true)),
            Some(_) => reach(within).map(|session| (session, false)),
        };
        let back = changes.put_back(connect, within);
        (Prepared::Refused(report, back), None)
    }

    fn work(&mut self, before: ObservedState, changes: &mut Changes) -> Result<(), Fact> {
        let (permissions, patience) = (*self.permissions, self.known.patience);
        let mut is_awake = before.awake;
        if let Some(state) = before.life.filter(|s| s != "disabled" && permissions.life == Some(Life::Disabled)) {
            (self.tell)(Step::Doing("switching Autonomous Life off"));
            // Recorded before it is done: a robot that does not answer may still do it.
            changes.life = Some(state.clone());
            let done = self.call("ALAutonomousLife", "setState", &args!["disabled"], patience.changing);
            done.map_err(|why| Fact::refused(Topic::Life, state, format!("it cannot be switched off: {why}"), RETRY))?;
            // A robot may lie down when its Life ends.
            let awake = self.call("ALMotion", "robotIsWakeUp", &[], patience.asking);
            is_awake = awake.ok().and_then(|value| value.as_bool());
        }
        let lay_down = before.awake == Some(true) && is_awake == Some(false) && self.known.needs.moves();
        let limp = permissions.wake && is_awake == Some(true) && before.limp;
        if (is_awake == Some(false) && permissions.wake) || lay_down || limp {
            (self.tell)(Step::Doing("waking the robot up"));
            changes.rested = before.awake == Some(false);
            changes.limp = if changes.rested { Vec::new() } else { before.limp_put_back };
            changes.woken = true;
            let done = self.call("ALMotion", "wakeUp", &[], patience.changing);
            done.map_err(|why| Fact::refused(Topic::Awake, "no", format!("it cannot be woken up: {why}"), RETRY))?;
        }
        Ok(())
    }

    fn call(
        &self,
        service: &'static str,
        method: &'static str,
        args: &[Value],
        within: Duration,
    ) -> Result<Value, String> {
        let pending = self.session.service(service).and_then(|service| service.start(method, args));
        let until = Instant::now() + within;
        match pending.map_or_else(|e| Err(e).into(), |pending| ask::unless(pending, until, self.give_up)) {
            Answer::Said(value) => Ok(value),
            Answer::Nothing if (self.give_up)() => Err(INTERRUPTED.to_owned()),
            other => Err(other.why(service, method, within)),
        }
    }
}

const RETRY: &str = "look at the robot, then try again, or --anyway";
const INTERRUPTED: &str = "interrupted";

impl Report {
    /// Replaces the fact about the same topic.
    fn put(&mut self, fact: Fact) {
        match self.facts.iter_mut().find(|f| f.topic == fact.topic) {
            Some(place) => *place = fact,
            None => self.facts.push(fact),
        }
    }
}
