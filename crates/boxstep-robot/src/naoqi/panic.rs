//! The panic stop: stops whatever a robot does, from outside.
//!
//! Motion comes first, and safely: a walk is ended with its current step, never cut off, because a robot whose walk is
//! cut off falls. As soon as those commands are sent, everything else is stopped at the same time, and what has started
//! to move again meanwhile is stopped once more at the end. The whole takes no longer than the caller allows.
//! `docs/guides/all-day.md` has the rules.

use super::NaoqiHandle;
use super::ask::{self, Answer, Job};
use boxstep_qi::{Error, Kept, ObjectValue, Pending, Session, Value, args};
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// One subsystem that was to be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The subsystem, for users: `motion`.
    pub what: &'static str,
    /// The outcome.
    pub outcome: StopOutcome,
}

/// The outcome of stopping a subsystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopOutcome {
    /// The robot has confirmed it.
    Done,
    /// The programs concerned were notified.
    Told,
    /// The robot has no such service, so nothing of it runs.
    Absent,
    /// The robot has not confirmed the request in time.
    Asked,
    /// It failed: the reason.
    Failed(String),
}

impl Stopped {
    /// Returns whether this is certainly stopped.
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
            StopOutcome::Asked => write!(f, "{what}: requested, and not yet confirmed by the robot"),
            StopOutcome::Failed(why) => write!(f, "{what}: NOT stopped: {why}"),
        }
    }
}

/// The outcome of a panic stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// The subsystems, in the order of reporting.
    pub stopped: Vec<Stopped>,
    /// The state of Autonomous Life, if it is on: it may start something again.
    pub life: Option<String>,
}

impl Halt {
    /// Returns whether everything is certainly stopped.
    pub fn is_sure(&self) -> bool {
        self.stopped.iter().all(Stopped::is_sure)
    }
}

/// The prefix of the names of services that a playing Boxstep offers; those with a method `stop` are called.
pub const OURS: &str = "Boxstep";

/// The memory event that stops every Boxstep playing on the robot, wherever it runs.
pub const EVENT: &str = "Boxstep/Stop";

const MOTION: &str = "motion";

/// A subsystem besides motion that one call stops: its label, service, method, and arguments.
type Simple = (&'static str, &'static str, &'static str, &'static [bool]);

/// In the order of reporting.
const SIMPLE: &[Simple] = &[
    ("behaviors", "ALBehaviorManager", "stopAllBehaviors", &[]),
    ("tracking", "ALTracker", "stopTracker", &[]),
    ("postures", "ALRobotPosture", "stopMove", &[]),
    ("speech", "ALTextToSpeech", "stopAll", &[]),
    ("animated speech", "ALAnimatedSpeech", "_stopAll", &[true]),
    ("sounds", "ALAudioPlayer", "stopAll", &[]),
];

/// How long the other calls wait for motion to go first, as a fraction of the whole time.
const HEAD_START: f64 = 0.06;

/// Stops everything, and returns after `within` at the latest.
pub fn stop(session: &Session, within: Duration) -> Halt {
    let began = Instant::now();
    // The time after `until` is reserved for stopping motion once more.
    let (first, most) = (within.mul_f64(0.7), began + within);
    let until = began + first;
    let (sent, motion_is_sent) = channel();
    let (here, us) = (session.clone(), session.clone());
    let leading: Job<StopOutcome> = Box::new(move || motion(&here, first, Some(sent)));
    let leading = ask::start(vec![leading]);
    // An error means that nothing can be sent to ALMotion; then the others start as well.
    let _ = motion_is_sent.recv_timeout(within.mul_f64(HEAD_START));
    // A playing Boxstep stops its own motion first, too.
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
        let state = answer.as_ref().and_then(Answer::value).and_then(Value::as_str);
        state.filter(|state| *state != "disabled").map(str::to_owned)
    });
    let life = ask::start(vec![life]);
    let whats = [MOTION, OURS].into_iter().chain(SIMPLE.iter().map(|(what, ..)| *what));
    let outcomes = leading.until(until).into_iter().chain(others.until(until));
    let outcomes = outcomes.map(|outcome| outcome.unwrap_or(StopOutcome::Asked));
    let mut stopped: Vec<Stopped> = whats.zip(outcomes).map(|(what, outcome)| Stopped { what, outcome }).collect();
    let life = life.until(until).pop().flatten().flatten();
    // A script that was not stopped yet may have sent another command.
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

/// Ends a walk with its current step, and every other movement at once. `sent` is notified when the first commands are
/// sent.
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
        // The receiver may have stopped waiting.
        let _ = sent.send(());
    }
    if wait(walks).value().and_then(Value::as_bool) == Some(true) {
        // The arms and head are stopped now; the legs move until the robot stands.
        let limbs = ["Head", "LArm", "RArm"].map(|chain| service.start("getBodyNames", &args![chain]));
        let limbs = limbs.into_iter().filter_map(|names| wait(names).value()?.as_slice().map(<[Value]>::to_vec));
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

/// Notifies every Boxstep that plays on the robot: those that offer services there, and those that subscribe to its
/// memory.
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
            // It is a Boxstep's service that does not play.
            Answer::NoMethod => {}
            Answer::Said(_) if worst == StopOutcome::Absent => worst = StopOutcome::Told,
            Answer::Said(_) => {}
            other => worst = other.into(),
        }
    }
    worst
}

impl NaoqiHandle {
    /// Calls a function when the robot is stopped from outside ([`stop`]), until the returned guard is dropped, also
    /// after reconnects. Returns `None` after the robot was disconnected for good.
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

/// The timeout for the subscription.
const LISTEN_WITHIN: Duration = Duration::from_secs(5);
