//! Making a robot ready, and putting it back as it was.

use super::needs::Needs;
use super::observe::State;
use super::{Fact, Leave, Life, Patience, Prepared, Report, Step, Topic, Verdict};
use crate::naoqi::ask::{self, Answer};
use boxstep_qi::{Error, Session, Value, args};
use std::fmt;
use std::time::{Duration, Instant};

/// What was changed on a robot, to be put back. Whoever drops it leaves the robot as it is.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a robot that was changed is put back at the end"]
pub struct Changes {
    /// Autonomous Life was in this state, and was switched off.
    life: Option<String>,
    /// It rested, and was woken up.
    rested: bool,
    /// These joints had this stiffness before the robot was woken up. None of legs, for a robot that stands would fall.
    limp: Vec<(String, f64)>,
}

/// One thing that was put back, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutBack {
    /// What, for people: `Autonomous Life is on again`.
    pub what: &'static str,
    /// How it went.
    pub outcome: Outcome,
}

/// How putting something back went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The robot said that it is done.
    Done,
    /// The robot was asked, and had not said so when there was no more time: it may be at it still.
    Asked,
    /// It did not work: why.
    Failed(String),
}

impl fmt::Display for PutBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Done => write!(f, "put back: {}", self.what),
            Outcome::Asked => write!(f, "asked for, and not waited for: {}", self.what),
            Outcome::Failed(why) => write!(f, "NOT put back: {}: {why}", self.what),
        }
    }
}

const LIFE: &str = "Autonomous Life is on again";
const REST: &str = "the robot rests again";
const LIMP: &str = "the joints that had no force have none again";

impl Changes {
    /// There is nothing to put back.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    /// Puts everything back, and returns after `within` at the latest. `connect` gives the connection, or a new one if the old one is
    /// lost; it may take its time, too.
    pub fn put_back(
        &self,
        connect: impl FnOnce() -> Result<Session, Error> + Send + 'static,
        within: Duration,
    ) -> Vec<PutBack> {
        if self.is_empty() {
            return Vec::new();
        }
        let until = Instant::now() + within;
        let connect: ask::Job<Result<Session, Error>> = Box::new(connect);
        let connected = ask::together(vec![connect], within).into_iter().next().flatten();
        let failed = |why: String| {
            let all = self.whats().map(|what| PutBack { what, outcome: Outcome::Failed(why.clone()) });
            all.collect()
        };
        match connected {
            None => failed("there was no connection in time".to_owned()),
            Some(Err(e)) => failed(e.to_string()),
            Some(Ok(session)) => self.put_back_on(&session, until),
        }
    }

    /// What would be put back, for people.
    pub fn whats(&self) -> impl Iterator<Item = &'static str> {
        let limp = (!self.limp.is_empty() && !self.rested).then_some(LIMP);
        // A robot whose Life is on gets up and lies down by itself.
        let rest = (self.rested && self.life.is_none()).then_some(REST);
        limp.into_iter().chain(rest).chain(self.life.is_some().then_some(LIFE))
    }

    fn put_back_on(&self, session: &Session, until: Instant) -> Vec<PutBack> {
        let mut jobs: Vec<ask::Job<Answer>> = Vec::new();
        let whats: Vec<_> = self.whats().collect();
        for what in &whats {
            let session = session.clone();
            let (service, method, args) = match *what {
                // Interactive is a state that only an activity of Life's own brings about, and safeguard only the robot.
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
                Some(Answer::Said(_)) => Outcome::Done,
                None | Some(Answer::Nothing) => Outcome::Asked,
                Some(Answer::NoService | Answer::NoMethod) => Outcome::Failed("the robot cannot do it".to_owned()),
                Some(Answer::Failed(why)) => Outcome::Failed(why),
            };
            PutBack { what, outcome }
        });
        outcomes.collect()
    }
}

/// Makes the robot ready, and looks whether it is.
#[expect(clippy::too_many_arguments, reason = "one call, from `prepare`, which has them all")]
pub(super) fn change(
    session: &Session,
    needs: &Needs,
    leave: &Leave,
    patience: &Patience,
    before: State,
    mut report: Report,
    tell: &mut dyn FnMut(Step<'_>),
    give_up: &dyn Fn() -> bool,
) -> Prepared {
    let mut changes = Changes::default();
    let call = |service: &'static str, method: &'static str, args: &[Value], within: Duration| {
        let pending = session.service(service).and_then(|service| service.start(method, args));
        let answer =
            pending.map_or_else(|e| Err(e).into(), |pending| ask::unless(pending, Instant::now() + within, give_up));
        match answer {
            Answer::Said(value) => Ok(value),
            Answer::Nothing if give_up() => Err(INTERRUPTED.to_owned()),
            other => Err(other.why(service, method, within)),
        }
    };
    let awake = || match call("ALMotion", "robotIsWakeUp", &[], patience.asking) {
        Ok(value) => value.as_bool(),
        Err(_) => None,
    };
    let mut work = || -> Result<(), Fact> {
        let mut is_awake = before.awake;
        if let Some(state) = before.life.clone().filter(|s| s != "disabled" && leave.life == Some(Life::Disabled)) {
            tell(Step::Doing("switching Autonomous Life off"));
            // First noted, then done: one that does not answer may do it all the same.
            changes.life = Some(state.clone());
            let done = call("ALAutonomousLife", "setState", &args!["disabled"], patience.changing);
            done.map_err(|why| Fact::refused(Topic::Life, state, format!("it cannot be switched off: {why}"), RETRY))?;
            // A robot may lie down when its Life ends.
            is_awake = awake();
        }
        let lay_down = before.awake == Some(true) && is_awake == Some(false) && needs.moves();
        let limp = leave.wake && is_awake == Some(true) && before.limp;
        if (is_awake == Some(false) && leave.wake) || lay_down || limp {
            tell(Step::Doing("waking the robot up"));
            changes.rested = before.awake == Some(false);
            changes.limp = if changes.rested { Vec::new() } else { before.limp_put_back.clone() };
            let done = call("ALMotion", "wakeUp", &[], patience.changing);
            done.map_err(|why| Fact::refused(Topic::Awake, "no", format!("it cannot be woken up: {why}"), RETRY))?;
            if awake() == Some(false) {
                let why = "it was told to wake up, and rests all the same";
                return Err(Fact::refused(Topic::Awake, "no", why, RETRY));
            }
        }
        Ok(())
    };
    let done = work();
    let refused = match done {
        _ if give_up() => Some(Fact::refused(Topic::Awake, "unknown", INTERRUPTED, "")),
        Err(fact) if !leave.anyway => Some(fact),
        Err(fact) => {
            report.put(Fact { verdict: Verdict::Told, ..fact });
            None
        }
        Ok(()) => None,
    };
    match refused {
        None => Prepared::Ready(report, changes),
        Some(fact) => {
            report.put(fact);
            let session = session.clone();
            let back = changes.put_back(move || Ok(session), patience.asking);
            Prepared::Refused(report, back)
        }
    }
}

const RETRY: &str = "look at the robot, then try again, or --anyway";
const INTERRUPTED: &str = "interrupted";

impl Report {
    /// Puts a fact in the place of the one about the same thing.
    fn put(&mut self, fact: Fact) {
        match self.facts.iter_mut().find(|f| f.topic == fact.topic) {
            Some(place) => *place = fact,
            None => self.facts.push(fact),
        }
    }
}
