//! What a robot offers, as the engine sees it.
//!
//! The engine owns this trait; simulated and real robots implement it. Calls never block: a call
//! that takes time is [`Outcome::Pending`] and completes later through [`ServiceCx`]. Simulated
//! services live on the engine's clock and own no thread.

use crate::CallId;
use boxstep_types::{PORTS, Time, Value};
use std::sync::Arc;

pub use boxstep_trace::Act;
pub use boxstep_types::{Random, Topic};

/// Wakes the thread that drives an engine: [`Shared::waker`](crate::shared::Shared::waker). Never waits for the engine.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Gets the result of a call from outside: its value, or why it failed, in the words that a script would get.
pub type AnswerListener = Box<dyn FnOnce(Result<Value, String>) + Send>;

/// Gets each event of a topic. A signal of several arguments comes as a list of them.
pub type TopicListener = Arc<dyn Fn(&Value) + Send + Sync>;

/// A robot: every service it offers.
pub trait Services: Send {
    /// Is there a service of this name?
    fn has_service(&self, service: &str) -> bool;

    /// Calls a method. The engine has given the call its id.
    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome;

    /// What scripts were asked to do ([`Effect::Ask`]) is over: the number is that of [`Ask`].
    fn answered(&mut self, cx: &mut ServiceCx<'_>, number: u64, result: Result<Value, ServiceError>) {
        let _ = (cx, number, result);
    }

    /// The host of scripts has read the file of a robot that is written in Python, and says what is in it
    /// (`boxstep_runtime/own_robot.py`).
    fn described(&mut self, description: &Value) {
        let _ = description;
    }

    /// Gives up a pending call; the engine completes it by itself and wants no answer.
    fn cancel(&mut self, cx: &mut ServiceCx<'_>, call: CallId);

    /// A timer set through [`ServiceCx::timer`] has come.
    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64);

    /// Would a timer with this token still do anything? One that would not does not keep a run in virtual time
    /// going; it may come before its time.
    fn timer_alive(&self, token: u64) -> bool {
        let _ = token;
        true
    }

    /// The first subscription to a topic was made, or the last one ended.
    ///
    /// `Err` if there is no such signal.
    fn subscribe(&mut self, cx: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError>;

    /// Somebody outside raises a memory event (a test, `--event`, a touch in the simulation).
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value);

    /// Puts a value into the robot's memory before a run, without telling anybody.
    fn remember(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        let _ = (cx, key, value);
    }

    /// The value of a memory key now, if there is one and the robot can tell without taking time.
    fn memory(&mut self, now: Time, key: &str) -> Option<Value> {
        let _ = (now, key);
        None
    }

    /// Stops moving. Called when a run ends, is interrupted, or a stop has taken too long.
    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt);

    /// It is a real one: things happen to it in the machine's own time, without the engine's doing. A run in virtual time refuses it.
    fn is_real(&self) -> bool {
        false
    }

    /// A real robot gets a waker to call when it has something for [`Services::heard`]. The call never waits for the engine.
    fn waker(&mut self, wake: Waker) {
        let _ = wake;
    }

    /// Hands the engine what has happened since the last time: answers, events, acts, in order. Only a robot that is real
    /// ([`Services::is_real`]) is asked, whenever the engine looks for its next thing to do; it must not wait.
    fn heard(&mut self, cx: &mut ServiceCx<'_>) {
        let _ = cx;
    }

    /// What the robot still does because it has been told to stop moving, and since when: e.g. `walking`, until both feet
    /// are down. `None` if it stands, and also if it moves and nobody has told it to stop.
    ///
    /// The engine asks whenever it has let the robot do something (a call, a timer), so that a robot that has come to
    /// rest must say so by one of these.
    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        None
    }

    /// The language of speech, e.g. `English`.
    fn language(&self) -> String;

    /// How topics of dialogs name the robot's language, e.g. `enu`.
    fn topic_code(&self) -> Option<&'static str> {
        None
    }

    /// Joint angles now (radians; hands 0…1), by joint name, if the robot can tell.
    fn joints(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        let _ = now;
        None
    }

    /// Where joints are told to be, in the order of [`Services::joints`], if the robot can tell.
    fn joint_commands(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        let _ = now;
        None
    }

    /// The joints that it can be told to move, if it can tell.
    fn joint_names(&mut self, now: Time) -> Option<Vec<Arc<str>>> {
        Some(self.joints(now)?.into_iter().map(|(name, _)| name).collect())
    }
}

/// How a robot is to stop moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// End a walk safely: with the step it is in. Everything else goes on.
    Walk,
    /// Joints, speech and sounds stop at once, a walk with the step it is in.
    Safely,
    /// Everything stops at once, also amid a step.
    AtOnce,
    /// The run is over, and nobody is left who would end what it has begun: all of that which still goes on stops, a walk with
    /// the step it is in. What others have begun goes on. A robot that is simulated for the run alone ends with it.
    Over,
}

/// No robot: no service exists, and memory events reach whoever listens to them.
pub struct NoRobot;

impl Services for NoRobot {
    fn has_service(&self, _: &str) -> bool {
        false
    }
    fn call(&mut self, _: &mut ServiceCx<'_>, _: &ServiceCall<'_>) -> Outcome {
        Outcome::Ready(Err(ServiceError::NoService))
    }
    fn cancel(&mut self, _: &mut ServiceCx<'_>, _: CallId) {}
    fn timer(&mut self, _: &mut ServiceCx<'_>, _: u64) {}
    fn subscribe(&mut self, _: &mut ServiceCx<'_>, topic: &Topic, _: bool) -> Result<(), ServiceError> {
        match topic {
            Topic::Memory(_) => Ok(()),
            Topic::Signal(..) => Err(ServiceError::NoService),
        }
    }
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        cx.event(Topic::Memory(key.into()), value);
    }
    fn halt(&mut self, _: &mut ServiceCx<'_>, _: Halt) {}
    fn language(&self) -> String {
        "English".to_owned()
    }
}

/// A call of a service's method.
#[derive(Clone, Copy, Debug)]
pub struct ServiceCall<'a> {
    /// Unique within the run.
    pub id: CallId,
    /// e.g. `ALMotion`
    pub service: &'a str,
    /// e.g. `setAngles`
    pub method: &'a str,
    /// Positional arguments.
    pub args: &'a [Value],
}

/// How a call went.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is over.
    Ready(Result<Value, ServiceError>),
    /// It goes on; [`ServiceCx::complete`] will be called with its id.
    Pending,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq)]
pub enum ServiceError {
    /// There is no such service.
    NoService,
    /// The service has no such method or signal.
    NoMethod,
    /// The arguments do not fit; the text says how.
    BadArguments(String),
    /// The robot refused or failed; the text says why.
    Failed(String),
}

impl ServiceError {
    /// True for a service or method that does not exist: an unsupported call.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, ServiceError::NoService | ServiceError::NoMethod)
    }

    /// The text a script's exception carries.
    pub fn message(&self, service: &str, method: &str) -> String {
        match self {
            ServiceError::NoService => format!("Cannot find service: {service}"),
            ServiceError::NoMethod => format!("Cannot find method: {service}.{method}"),
            // What the script runtime asks for its functions, an author has not called.
            ServiceError::BadArguments(why) | ServiceError::Failed(why) if service == PORTS => why.clone(),
            ServiceError::BadArguments(why) | ServiceError::Failed(why) => format!("{service}.{method}: {why}"),
        }
    }
}

/// What services can do to the engine while they are called.
pub struct ServiceCx<'a> {
    now: Time,
    random: &'a mut Random,
    effects: &'a mut Vec<Effect>,
}

/// What a service asked of the engine, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A pending call is over.
    Complete(CallId, Result<Value, ServiceError>),
    /// Call [`Services::timer`] at this time.
    Timer(Time, u64),
    /// Tell every subscriber.
    Event(Topic, Value),
    /// Something a person would see or hear the robot do.
    Act(Act),
    /// Have the host of scripts run something; [`Services::answered`] tells when it is over.
    Ask(Box<Ask>),
    /// What a key of the robot's memory is: for the trace alone, no subscriber hears of it.
    Memory(Arc<str>, Value),
    /// Where joints are, in radians (hands 0…1): for the trace alone.
    Joints(Arc<[(Arc<str>, f64)]>),
    /// Something is not as it should be, in words for people.
    Warn(String),
    /// The robot is gone and will not be back in time; why, in words for people. The run ends as failed: everything is stopped
    /// and unloaded in the ordinary way.
    Lost(String),
}

/// A method of a robot that is written in Python, which the host of scripts runs as a task of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The robot's own number for it.
    pub number: u64,
    /// What is called, e.g. `ALMotion`
    pub service: Arc<str>,
    /// e.g. `setAngles`; names that begin with `_` are for the host alone.
    pub method: Arc<str>,
    /// Positional arguments.
    pub args: Vec<Value>,
}

impl<'a> ServiceCx<'a> {
    /// For the engine and for tests of services.
    pub fn new(now: Time, random: &'a mut Random, effects: &'a mut Vec<Effect>) -> Self {
        Self { now, random, effects }
    }

    /// The engine's time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The run's random numbers.
    pub fn random(&mut self) -> &mut Random {
        self.random
    }

    /// Ends a pending call.
    pub fn complete(&mut self, call: CallId, result: Result<Value, ServiceError>) {
        self.effects.push(Effect::Complete(call, result));
    }

    /// Asks for [`Services::timer`] with this token at `at`. Timers cannot be taken back: let a
    /// stale token do nothing.
    pub fn timer(&mut self, at: Time, token: u64) {
        self.effects.push(Effect::Timer(at, token));
    }

    /// Tells every subscriber of a topic. Storing a memory value is the service's own affair.
    pub fn event(&mut self, topic: Topic, value: Value) {
        self.effects.push(Effect::Event(topic, value));
    }

    /// Passes on what was asked for elsewhere.
    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Says what a person would see or hear.
    pub fn act(&mut self, kind: &'static str, text: impl Into<String>, data: Value) {
        self.effects.push(Effect::Act(Act { kind: kind.into(), text: text.into(), data }));
    }
}
