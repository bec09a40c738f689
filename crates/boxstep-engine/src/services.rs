//! The services of a robot, as the engine uses them.
//!
//! The engine owns the trait [`Services`]; simulated and real robots implement it. Calls never block: a call that takes
//! time returns [`Outcome::Pending`] and completes later through [`ServiceCx`]. Simulated services use the engine's
//! clock and have no thread.

use crate::CallId;
use boxstep_types::{PORTS, Time, Value};
use std::path::PathBuf;
use std::sync::Arc;

pub use boxstep_trace::{Act, DialogEvent, LogLevel, TorsoPose};
pub use boxstep_types::{Random, Topic};

/// Wakes the thread that drives an engine ([`Shared::waker`](crate::shared::Shared::waker)). Does not wait for the
/// engine.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Receives the result of a call made by a remote client: its value, or the error text that a script would get.
pub type AnswerListener = Box<dyn FnOnce(Result<Value, String>) + Send>;

/// Receives each event of a topic. A signal with several arguments arrives as a list of them.
pub type TopicListener = Arc<dyn Fn(&Value) + Send + Sync>;

/// A robot: all services that it offers.
pub trait Services: Send {
    /// Returns whether the robot has a service of this name.
    fn has_service(&self, service: &str) -> bool;

    /// Calls a method. The engine has already assigned the call its id.
    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome;

    /// Receives the result of a task that the robot requested from the script host with [`Effect::Ask`]; `number` is
    /// that of the [`Ask`].
    fn answered(&mut self, cx: &mut ServiceCx<'_>, number: u64, result: Result<Value, ServiceError>) {
        let _ = (cx, number, result);
    }

    /// Receives the description of a robot written in Python, once the script host has read its file
    /// (`boxstep_runtime/own_robot.py`).
    fn described(&mut self, description: &Value) {
        let _ = description;
    }

    /// Cancels a pending call. The engine completes the call itself and needs no result.
    fn cancel(&mut self, cx: &mut ServiceCx<'_>, call: CallId);

    /// Handles a timer that was set through [`ServiceCx::timer`].
    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64);

    /// Returns whether a timer with this token would still do anything. A timer that would not does not keep a run in
    /// virtual time alive, and may fire before its time.
    fn timer_alive(&self, token: u64) -> bool {
        let _ = token;
        true
    }

    /// Subscribes to a topic (when its first subscription is made) or unsubscribes from it (when its last one ends).
    ///
    /// Returns an error if there is no such signal.
    fn subscribe(&mut self, cx: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError>;

    /// Raises a memory event from outside the scripts (a test, `--event`, a touch in the simulation).
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value);

    /// Hears a sentence that somebody says. Returns whether the robot has ears; a real robot hears through its own
    /// `ALDialog.forceInput`, which the engine calls.
    fn hear(&mut self, cx: &mut ServiceCx<'_>, text: &str) -> bool {
        let _ = (cx, text);
        false
    }

    /// A service written in Python, the robot's own or one that a script has registered, has emitted a signal.
    fn emitted(&mut self, cx: &mut ServiceCx<'_>, service: &str, signal: &str) {
        let _ = (cx, service, signal);
    }

    /// A script has written a line to the log; the category is the path of its box.
    fn logged(&mut self, cx: &mut ServiceCx<'_>, level: LogLevel, category: &str, text: &str) {
        let _ = (cx, level, category, text);
    }

    /// Loads the topics of a dialog box, and connects its outputs to variables of the topic: when the topic sets one,
    /// the signal [`dialog_output`] is emitted. Returns the topic's name, or why it cannot be loaded; `None` if the
    /// robot takes topics only as texts, through its `ALDialog`.
    fn open_dialog(&mut self, cx: &mut ServiceCx<'_>, dialog: &DialogBox) -> Option<Result<Arc<str>, String>> {
        let _ = (cx, dialog);
        None
    }

    /// Raises an event for the topic of a dialog box only, whose input of that name was stimulated.
    fn dialog_input(&mut self, cx: &mut ServiceCx<'_>, topic: &str, input: &str, value: Value) {
        let _ = (cx, topic, input, value);
    }

    /// Stores a value in the robot's memory before a run, without notifying subscribers.
    fn remember(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        let _ = (cx, key, value);
    }

    /// The current value of a memory key, if the key exists and the robot can answer without delay.
    fn memory(&mut self, now: Time, key: &str) -> Option<Value> {
        let _ = (now, key);
        None
    }

    /// Stops the robot's motion. Called when a run ends or is interrupted, or when a stop has taken too long.
    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt);

    /// Returns whether the robot is real: it acts in the machine's time, and on its own. A run in virtual time refuses
    /// such a robot.
    fn is_real(&self) -> bool {
        false
    }

    /// Gives a real robot the waker to call when it has something for [`Services::heard`].
    fn waker(&mut self, wake: Waker) {
        let _ = wake;
    }

    /// Passes the engine everything that has happened since the last call: answers, events and acts, in order. The
    /// engine calls this only for a real robot ([`Services::is_real`]), whenever it looks for its next work. The method
    /// must not wait.
    fn heard(&mut self, cx: &mut ServiceCx<'_>) {
        let _ = cx;
    }

    /// What the robot is still doing after a command to stop moving, and since when; for example `walking`, until both
    /// feet are down. `None` if the robot is at rest, and also if it moves and has had no command to stop.
    ///
    /// The engine checks this only after it has let the robot act (a call, a timer), so a robot that comes to rest must
    /// do so in one of those.
    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        None
    }

    /// The language of speech, for example `English`.
    fn language(&self) -> String;

    /// The code of the robot's language in dialog topics, for example `enu`.
    fn topic_code(&self) -> Option<&'static str> {
        None
    }

    /// The current joint angles (radians; hands 0…1) by joint name, if the robot knows them.
    fn joints(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        let _ = now;
        None
    }

    /// The commanded joint angles, in the order of [`Services::joints`], if the robot knows them.
    fn joint_commands(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        let _ = now;
        None
    }

    /// Where the torso is, if physics moves the robot.
    fn torso(&mut self, now: Time) -> Option<TorsoPose> {
        let _ = now;
        None
    }

    /// The names of the joints that accept commands, if the robot knows them.
    fn joint_names(&mut self, now: Time) -> Option<Vec<Arc<str>>> {
        Some(self.joints(now)?.into_iter().map(|(name, _)| name).collect())
    }
}

/// A dialog box, for [`Services::open_dialog`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogBox {
    /// The dialog file (`.dlg`) or topic (`.top`).
    pub file: PathBuf,
    /// The names of the inputs.
    pub inputs: Vec<Arc<str>>,
    /// The names of the outputs.
    pub outputs: Vec<Arc<str>>,
}

/// The signal with the values that a topic gives an output of its dialog box.
pub fn dialog_output(topic: &str, output: &str) -> Topic {
    Topic::Signal("ALDialog".into(), format!("{topic}/{output}").into())
}

/// How a robot stops moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Ends a walk safely, after the current step. Everything else continues.
    Walk,
    /// Stops joints, speech and sounds at once, and a walk after the current step.
    Safely,
    /// Stops everything at once, even in the middle of a step.
    AtOnce,
    /// The run is over and no longer controls what it has begun: the robot stops everything the run began and that
    /// still goes on, a walk after the current step. What other clients began continues. A robot simulated for this run
    /// ends with it.
    Over,
}

/// The absence of a robot: no service exists, and memory events go straight to their subscribers.
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

/// A call of a method of a service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceCall<'a> {
    /// The id of the call, unique within the run.
    pub id: CallId,
    /// The name of the service, for example `ALMotion`.
    pub service: &'a str,
    /// The name of the method, for example `setAngles`.
    pub method: &'a str,
    /// Positional arguments.
    pub args: &'a [Value],
}

/// The immediate outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The call has completed.
    Ready(Result<Value, ServiceError>),
    /// The call continues; the service calls [`ServiceCx::complete`] with its id later.
    Pending,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq)]
pub enum ServiceError {
    /// There is no such service.
    NoService,
    /// The service has no such method or signal.
    NoMethod,
    /// The arguments do not fit; the text says why.
    BadArguments(String),
    /// The robot refused or failed; the text says why.
    Failed(String),
}

impl ServiceError {
    /// Returns whether the service or method does not exist, so that the call is unsupported.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, ServiceError::NoService | ServiceError::NoMethod)
    }

    /// The text of the exception that the script gets.
    pub fn message(&self, service: &str, method: &str) -> String {
        match self {
            ServiceError::NoService => format!("Cannot find service: {service}"),
            ServiceError::NoMethod => format!("Cannot find method: {service}.{method}"),
            // Scripts do not name this service: the script runtime calls it on their behalf.
            ServiceError::BadArguments(why) | ServiceError::Failed(why) if service == PORTS => why.clone(),
            ServiceError::BadArguments(why) | ServiceError::Failed(why) => format!("{service}.{method}: {why}"),
        }
    }
}

/// What a service may use while it is called: the time, random numbers, and effects on the engine.
pub struct ServiceCx<'a> {
    now: Time,
    random: &'a mut Random,
    effects: &'a mut Vec<Effect>,
}

/// An effect that a service requests from the engine. Effects apply in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Complete a pending call.
    Complete(CallId, Result<Value, ServiceError>),
    /// Call [`Services::timer`] at this time.
    Timer(Time, u64),
    /// Notify every subscriber of a topic.
    Event(Topic, Value),
    /// Trace an act of the robot that a person would see or hear.
    Act(Act),
    /// Have the script host run a method; [`Services::answered`] receives its result.
    Ask(Box<Ask>),
    /// Call a method of any service of the run; [`Services::answered`] receives its result.
    Call(Box<Ask>),
    /// Trace what happens in a conversation.
    Dialog(DialogEvent),
    /// Trace the value of a key of the robot's memory. No subscriber is notified.
    Memory(Arc<str>, Value),
    /// Trace the joint angles, in radians (hands 0…1).
    Joints(Arc<[(Arc<str>, f64)]>),
    /// Read these behaviors again from the library at their next start: their files have been replaced.
    Replaced(Vec<Arc<str>>),
    /// Warn of a problem, in words for people.
    Warn(String),
    /// Report that the connection to the robot is lost for good, with the reason in words for people. The run fails:
    /// every behavior is stopped and unloaded in the usual way.
    Lost(String),
}

/// A call of a method of a robot written in Python, which the script host runs as a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The robot's own number for the call.
    pub number: u64,
    /// The name of the service, for example `ALMotion`.
    pub service: Arc<str>,
    /// The name of the method, for example `setAngles`. Names that begin with `_` are for the script host only.
    pub method: Arc<str>,
    /// Positional arguments.
    pub args: Vec<Value>,
}

impl Ask {
    /// The name that stands for a service in a request to run Python: the argument is the text, and what it prints is
    /// the answer.
    pub const SCRIPT: &'static str = "%script";
}

impl<'a> ServiceCx<'a> {
    /// Creates a context, for the engine and for tests of services.
    pub fn new(now: Time, random: &'a mut Random, effects: &'a mut Vec<Effect>) -> Self {
        Self { now, random, effects }
    }

    /// The engine's time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The random number generator of the run.
    pub fn random(&mut self) -> &mut Random {
        self.random
    }

    /// Completes a pending call.
    pub fn complete(&mut self, call: CallId, result: Result<Value, ServiceError>) {
        self.effects.push(Effect::Complete(call, result));
    }

    /// Requests a call of [`Services::timer`] with this token at `at`. A timer cannot be cancelled: the service must
    /// ignore a stale token.
    pub fn timer(&mut self, at: Time, token: u64) {
        self.effects.push(Effect::Timer(at, token));
    }

    /// Notifies every subscriber of a topic. The service itself stores memory values.
    pub fn event(&mut self, topic: Topic, value: Value) {
        self.effects.push(Effect::Event(topic, value));
    }

    /// Passes on an effect requested elsewhere.
    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Traces an act that a person would see or hear.
    pub fn act(&mut self, kind: &'static str, text: impl Into<String>, data: Value) {
        self.effects.push(Effect::Act(Act { kind: kind.into(), text: text.into(), data }));
    }
}
