//! Stopping whatever a robot does, from outside: the panic stop.
//!
//! Motion comes first, and safely: a walk is ended with its step, never cut off, for a robot whose walk is cut off falls. As soon as
//! that is on its way, everything else is stopped at the same time, and whatever started to move again in between is stopped once more
//! at the end. Nothing is waited for longer than the caller says. `docs/all-day.md` has the rules.

use super::NaoqiHandle;
use super::ask::{self, Answer, Job};
use boxstep_qi::{Error, Kept, ObjectValue, Pending, Session, Value, args};
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// One thing that was to be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// What, for people: `motion`.
    pub what: &'static str,
    /// How it went.
    pub outcome: StopOutcome,
}

/// How stopping something went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopOutcome {
    /// The robot said that it is done.
    Done,
    /// Whoever it concerns was told.
    Told,
    /// The robot has no such service, so nothing of it runs.
    Absent,
    /// It was asked for, and the robot had not said that it is done when there was no more time.
    Asked,
    /// It did not work: why.
    Failed(String),
}

impl Stopped {
    /// Whether it is sure that this is stopped.
    pub fn is_sure(&self) -> bool {
        matches!(self.outcome, StopOutcome::Done | StopOutcome::Told | StopOutcome::Absent)
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what;
        match &self.outcome {
            StopOutcome::Done => write!(f, "{what}: stopped"),
            StopOutcome::Told => write!(f, "{what}: told to stop, whichever plays on this robot"),
            StopOutcome::Absent => write!(f, "{what}: there is no service for it"),
            StopOutcome::Asked => write!(f, "{what}: asked for, and the robot has not said that it is done"),
            StopOutcome::Failed(why) => write!(f, "{what}: NOT stopped: {why}"),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// In the order in which it is told.
    pub stopped: Vec<Stopped>,
    /// Autonomous Life is on, in this state, and may begin something again.
    pub life: Option<String>,
}

impl Halt {
    /// Whether it is sure that everything is stopped.
    pub fn is_sure(&self) -> bool {
        self.stopped.iter().all(Stopped::is_sure)
    }
}

/// The beginning of the names of services that a playing Boxstep offers; what has a method `stop` is told to.
pub const OURS: &str = "Boxstep";

/// The event in the robot's memory on which every Boxstep that plays on the robot stops, wherever it runs.
pub const EVENT: &str = "Boxstep/Stop";

const MOTION: &str = "motion";

/// What is stopped by one call, besides motion: word, service, method, and what it is given.
type Simple = (&'static str, &'static str, &'static str, &'static [bool]);

/// In the order in which it is told.
const SIMPLE: &[Simple] = &[
    ("behaviors", "ALBehaviorManager", "stopAllBehaviors", &[]),
    ("tracking", "ALTracker", "stopTracker", &[]),
    ("postures", "ALRobotPosture", "stopMove", &[]),
    ("speech", "ALTextToSpeech", "stopAll", &[]),
    ("animated speech", "ALAnimatedSpeech", "_stopAll", &[true]),
    ("sounds", "ALAudioPlayer", "stopAll", &[]),
];

/// How long the other calls let motion go first, as a share of all the time there is.
const HEAD_START: f64 = 0.06;

/// Stops everything, and returns after `within` at the latest.
pub fn stop(session: &Session, within: Duration) -> Halt {
    let began = Instant::now();
    // What is left at the end is for what has begun to move again.
    let (first, most) = (within.mul_f64(0.7), began + within);
    let until = began + first;
    let (sent, motion_is_sent) = channel();
    let (here, us) = (session.clone(), session.clone());
    let leading: Job<StopOutcome> = Box::new(move || motion(&here, first, Some(sent)));
    let leading = ask::start(vec![leading]);
    // An error is that nothing can be sent to motion: then it is the others' turn as well.
    let _ = motion_is_sent.recv_timeout(within.mul_f64(HEAD_START));
    // A Boxstep that plays there ends its own motion first, too.
    let playing: Job<StopOutcome> = Box::new(move || ours(&us, first));
    let simple = SIMPLE.iter().map(|(_, service, method, given)| {
        let here = session.clone();
        let job: Job<StopOutcome> = Box::new(move || {
            let given = given.iter().map(|on| Value::Bool(*on)).collect();
            let answer = ask::service(&here, service, vec![(*method, given)], first).pop();
            answer.unwrap_or(Answer::Nothing).into()
        });
        job
    });
    let others = ask::start(std::iter::once(playing).chain(simple).collect());
    let here = session.clone();
    let life: Job<Option<String>> = Box::new(move || {
        let answer = ask::service(&here, "ALAutonomousLife", vec![("getState", Vec::new())], first).pop();
        let state = answer.as_ref().and_then(Answer::said).and_then(Value::as_str);
        state.filter(|state| *state != "disabled").map(str::to_owned)
    });
    let life = ask::start(vec![life]);
    let whats = [MOTION, OURS].into_iter().chain(SIMPLE.iter().map(|(what, ..)| *what));
    let outcomes = leading.until(until).into_iter().chain(others.until(until));
    let outcomes = outcomes.map(|outcome| outcome.unwrap_or(StopOutcome::Asked));
    let mut stopped: Vec<Stopped> = whats.zip(outcomes).map(|(what, outcome)| Stopped { what, outcome }).collect();
    let life = life.until(until).pop().flatten().flatten();
    // A script that was not stopped yet may have commanded once more.
    if let Some(first) = stopped.first_mut().filter(|first| first.outcome == StopOutcome::Done) {
        let (here, left) = (session.clone(), most.saturating_duration_since(Instant::now()));
        let again: Job<StopOutcome> = Box::new(move || motion(&here, left, None));
        first.outcome = ask::together(vec![again], left).pop().flatten().unwrap_or(StopOutcome::Asked);
    }
    Halt { stopped, life }
}

impl From<Answer> for StopOutcome {
    fn from(answer: Answer) -> StopOutcome {
        match answer {
            Answer::Said(_) => StopOutcome::Done,
            Answer::NoService | Answer::NoMethod => StopOutcome::Absent,
            Answer::Failed(why) => StopOutcome::Failed(why),
            Answer::Lost(why) => StopOutcome::Failed(format!("the connection was lost ({why})")),
            Answer::Nothing => StopOutcome::Asked,
        }
    }
}

/// Ends a walk with its step, and every other movement at once. `sent` hears when the first commands are on their way.
fn motion(session: &Session, within: Duration, sent: Option<Sender<()>>) -> StopOutcome {
    let until = Instant::now() + within;
    let wait = |asked: Result<Pending, Error>| ask::wait(asked, until);
    let service = match session.service("ALMotion") {
        Ok(service) => service,
        Err(e) => return Answer::from(Err(e)).into(),
    };
    let walk = service.start("stopMove", &[]);
    let walks = service.start("moveIsActive", &[]);
    if let Some(sent) = sent {
        // Nobody may listen any more.
        let _ = sent.send(());
    }
    if wait(walks).said().and_then(Value::as_bool) == Some(true) {
        // Until the feet stand, the rest of the body is ended by itself.
        let limbs = ["Head", "LArm", "RArm"].map(|chain| service.start("getBodyNames", &args![chain]));
        let limbs = limbs.into_iter().filter_map(|names| wait(names).said()?.as_slice().map(<[Value]>::to_vec));
        let limbs = Value::list(limbs.flatten());
        let _ = wait(service.start("killTasksUsingResources", &[limbs]));
        if !matches!(wait(service.start("waitUntilMoveIsFinished", &[])), Answer::Said(_)) {
            return StopOutcome::Failed(
                "it still walks, and was told to end its step; killing a walk lets a robot fall".to_owned(),
            );
        }
    }
    for answer in [wait(service.start("killAll", &[])), wait(walk)] {
        match answer {
            Answer::Said(_) => {}
            Answer::NoMethod => return StopOutcome::Failed("its ALMotion has no method for that".to_owned()),
            other => return other.into(),
        }
    }
    StopOutcome::Done
}

/// Tells every Boxstep that plays on the robot to stop: those that offer services there, and those that listen to its memory.
fn ours(session: &Session, within: Duration) -> StopOutcome {
    let until = Instant::now() + within;
    let services = match session.services() {
        Ok(services) => services,
        Err(e) => return Answer::from(Err(e)).into(),
    };
    let raised = ask::service(session, "ALMemory", vec![("raiseEvent", args![EVENT, "boxstep stop"].to_vec())], within);
    let mut worst = match raised.into_iter().next().unwrap_or(Answer::Nothing) {
        Answer::Said(_) => StopOutcome::Told,
        other => other.into(),
    };
    for info in services.into_iter().filter(|info| info.name.starts_with(OURS)) {
        let left = until.saturating_duration_since(Instant::now());
        let answer = ask::service(session, &info.name, vec![("stop", Vec::new())], left).pop();
        match answer.unwrap_or(Answer::Nothing) {
            // It is a Boxstep's, and not for playing.
            Answer::NoMethod => {}
            Answer::Said(_) if worst == StopOutcome::Absent => worst = StopOutcome::Told,
            Answer::Said(_) => {}
            other => worst = other.into(),
        }
    }
    worst
}

impl NaoqiHandle {
    /// Has a function called when somebody stops the robot from outside ([`stop`]), until what is returned is dropped; also after the
    /// connection was lost and has come back. `None` if the robot has been left.
    pub fn when_stopped(&self, then: impl Fn() + Send + Sync + 'static) -> Option<Kept> {
        let then = Arc::new(then);
        let kept = move |session: &Session| {
            let given = session.service("ALMemory")?.call_within("subscriber", &args![EVENT], LISTEN_WITHIN)?;
            let subscriber = given.as_object().and_then(ObjectValue::remote).cloned();
            let subscriber = subscriber.ok_or_else(|| Error::NoMember { kind: "object", name: EVENT.to_owned() })?;
            let then = Arc::clone(&then);
            let listening = subscriber.subscribe("signal", move |_| then())?;
            Ok((subscriber, listening))
        };
        self.0.lasting().map(|lasting| lasting.keep(kept))
    }
}

/// How long the robot may take to let somebody listen.
const LISTEN_WITHIN: Duration = Duration::from_secs(5);
