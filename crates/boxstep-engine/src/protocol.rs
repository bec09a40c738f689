//! The door to scripts: plain data that any script host can carry, in process or through a pipe.
//!
//! The engine hands out [`Job`]s (run this on an empty stack) and [`Wake`]s (go on); a running
//! script sends [`Request`]s and gets an [`Answer`] at once. Nothing in here is Python.
//!
//! A *task* is one call into scripts: from a job to its return. It may block any number of times;
//! each time it gets a new generation, and only the first wake with that generation counts.

use boxstep_types::{BoxPath, Time, Value};
use std::sync::Arc;

pub use boxstep_trace::{LogLevel, ScriptError};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
    };
}
id!(/// One call into scripts, from its job to its return. Used again only after it has returned.
    TaskId);
impl TaskId {
    /// For requests from a thread that runs no task: one that a script's native code has made. Such a
    /// thread may speak and stimulate, but not wait.
    pub const FOREIGN: TaskId = TaskId(u32::MAX);
}

id!(/// A script text; boxes with the same text share it.
    ClassId);
id!(/// A constructed script object: one per box with a script.
    ObjectId);
id!(/// A function a script host keeps for later. Given out by the host.
    CallbackId);

impl CallbackId {
    /// From here on the numbers are those of whoever drives the run: functions that are not the script host's.
    pub const OUTSIDE: u32 = 1 << 31;

    /// The function of the script host that runs methods of a robot written in Python (`boxstep_runtime/own_robot.py`). Hosts give
    /// out numbers from 1.
    pub const ROBOT: CallbackId = CallbackId(0);

    /// The function of the script host that runs hooks of behaviors written in Python (`boxstep_runtime/behaviors.py`).
    pub const BEHAVIORS: CallbackId = CallbackId(Self::OUTSIDE - 1);

    /// The function belongs to whoever drives the run.
    pub fn is_outside(self) -> bool {
        self.0 >= Self::OUTSIDE
    }
}

id!(/// A service call in progress. The number scripts get from `proxy.post.method()`.
    CallId);
id!(/// A timer a script asked for.
    TimerId);
id!(/// A script's subscription to a robot memory event or a service signal.
    SubscriptionId);

/// Something to run on an empty script stack.
#[derive(Clone, Debug)]
pub struct Job {
    /// The new task.
    pub task: TaskId,
    /// What to run.
    pub order: Order,
}

/// What a [`Job`] runs. Each ends with [`Request::Returned`] or [`Request::Raised`].
#[derive(Clone, Debug)]
pub enum Order {
    /// Compile a script text. Raises on a syntax error.
    Load {
        /// Its id from now on.
        class: ClassId,
        /// The text.
        source: Arc<ScriptSource>,
    },
    /// Make the script object of a box (`__init__`).
    ///
    /// Returns the list of the names of its methods, so that the engine calls only what is there; `__del__` among them
    /// if it has one.
    Construct {
        /// Its id from now on.
        object: ObjectId,
        /// Compiled before.
        class: ClassId,
        /// What the base class needs to know of the box.
        info: Arc<BoxInfo>,
    },
    /// Call a method of a script object (`onLoad`, `onInput_onStart`, `setParameter`, …).
    Call {
        /// Of which object.
        object: ObjectId,
        /// Method name.
        method: Arc<str>,
        /// How to pass the arguments.
        args: Args,
    },
    /// Call a function the host keeps: a thread's target, a timer's, an event's callback.
    Deliver {
        /// Which.
        callback: CallbackId,
        /// Arguments; the host passes as many as the function takes.
        args: Vec<Value>,
    },
    /// Forget a script object (`__del__` runs if nothing else holds it).
    Drop {
        /// Which.
        object: ObjectId,
    },
    /// Forget the modules that came from files which have changed, so that the next import reads them.
    ///
    /// Returns two lists: the names of the modules that were forgotten, and the objects whose scripts have imported one.
    Forget {
        /// Absolute paths; those that nobody has imported do no harm.
        files: Arc<[String]>,
    },
}

/// How a method gets its arguments.
#[derive(Clone, Debug)]
pub enum Args {
    /// Passed only if the method takes exactly one argument besides `self`
    /// (`docs/semantics/script-calls.md`).
    Hook(Value),
    /// The host passes as many of these as the method takes.
    UpTo(Vec<Value>),
}

/// A script text with its place, for tracebacks.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptSource {
    /// The author's text.
    pub text: Arc<str>,
    /// The file it stands in, as messages print it.
    pub file: Arc<str>,
    /// The line of `file` on which the text begins, from 1.
    pub first_line: u32,
    /// The first box that has this text.
    pub path: BoxPath,
}

/// What the base class of a box script needs to know of its box.
#[derive(Clone, Debug)]
pub struct BoxInfo {
    /// The box, as messages print it.
    pub path: BoxPath,
    /// Short name: `boxName`.
    pub box_name: Arc<str>,
    /// What `getName()` answers: `_Behavior__1__root__Say_2`.
    pub full_name: Arc<str>,
    /// `parentBoxName`; empty for a root box.
    pub parent_name: Arc<str>,
    /// `self.id`: also the memory key of the box's time cursor.
    pub id: Arc<str>,
    /// `self.parentId`; empty for a root box.
    pub parent_id: Arc<str>,
    /// `self.behaviorId`.
    pub behavior_id: Arc<str>,
    /// Folder of the behavior on this machine, without a `/` at the end.
    pub behavior_path: Arc<str>,
    /// The same, relative to the application's folder.
    pub behavior_relative_path: Arc<str>,
    /// `packageUid()`.
    pub package_uid: Arc<str>,
    /// Inputs that can be stimulated: name and whether it is a bang.
    pub inputs: Vec<(Arc<str>, bool)>,
    /// Outputs: name and whether it is a bang.
    pub outputs: Vec<(Arc<str>, bool)>,
    /// Parameter names.
    pub parameters: Vec<Arc<str>>,
    /// The box has a timeline of its own.
    pub has_timeline: bool,
    /// The box sits inside a timeline.
    pub has_parent_timeline: bool,
    /// The box has resources.
    pub has_resources: bool,
}

/// Why a blocked task goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Wake {
    /// What it waited for has happened.
    Notified,
    /// The deadline passed first.
    TimedOut,
    /// The service call it waited for returned.
    Returned(Value),
    /// The service call it waited for failed.
    Failed(String),
    /// The run is ending: raise the stop exception.
    Interrupted,
}

/// What a task waits for; only to be shown.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockedOn {
    /// `time.sleep`
    Sleep,
    /// A lock or anything built from one: `Event`, `Queue`, `Thread.join` …
    Lock,
    /// A service call.
    Call(CallId),
}

/// What a running script asks of the engine. Every request has an [`Answer`] at once.
#[derive(Clone, Debug)]
pub enum Request {
    /// The job is done.
    Returned(Value),
    /// The job ended with an exception nobody caught.
    Raised(ScriptError),
    /// The task is about to block until it is woken or `until` passes. → [`Answer::Blocked`]; or an error: it blocks
    /// for no time, again and again.
    Block {
        /// Deadline on the engine's clock.
        until: Option<Time>,
        /// To be shown.
        on: BlockedOn,
    },
    /// Wake another task. Does nothing if it is not blocked with this generation. → [`Answer::Flag`]
    Unblock {
        /// Which.
        task: TaskId,
        /// From [`Answer::Blocked`].
        generation: u32,
    },
    /// Run a function as a task of its own, after everything that is due now. → [`Answer::Done`]
    Spawn {
        /// Which function.
        callback: CallbackId,
    },
    /// Run a function later, once or again and again. → [`Answer::Timer`]
    After {
        /// Which function.
        callback: CallbackId,
        /// Nanoseconds from now.
        delay: i64,
        /// Nanoseconds between runs, if it repeats.
        period: Option<i64>,
    },
    /// Forget a timer. → [`Answer::Flag`]: it was still to fire
    CancelTimer(TimerId),
    /// Read the clock. → [`Answer::Time`]; or [`Answer::Yield`]: block until now first, then ask again
    /// (in virtual time a script that polls the clock must see it move); or an error: it polls without end.
    Now,

    /// Stimulate an output of the box. → [`Answer::Done`]; `Error` if there is no such output
    Output {
        /// Of which box.
        object: ObjectId,
        /// Its name.
        name: Arc<str>,
        /// The value; null for a bang.
        value: Value,
    },
    /// Stimulate an input or output of the box by name (`stimulateIO`). → [`Answer::Done`]
    Stimulate {
        /// Of which box.
        object: ObjectId,
        /// Its name.
        name: Arc<str>,
        /// The value; null for a bang.
        value: Value,
    },
    /// → [`Answer::Value`], or `Error` if neither the box nor a parent has it
    GetParameter {
        /// Of which box.
        object: ObjectId,
        /// Its name.
        name: Arc<str>,
    },
    /// → [`Answer::Done`], or `Error` if the box has no such parameter
    SetParameter {
        /// Of which box.
        object: ObjectId,
        /// Its name.
        name: Arc<str>,
        /// The new value.
        value: Value,
    },
    /// Command or ask a timeline. → `Value` for questions, `Done` for commands; null or nothing
    /// happens if there is no such timeline
    Timeline {
        /// Of which box.
        object: ObjectId,
        /// The box's own, or the one it sits in.
        parent: bool,
        /// What to do.
        command: TimelineCommand,
    },
    /// Is there such a service? → [`Answer::Flag`]. A "no" is traced as an unsupported service.
    FindService {
        /// Who asks.
        from: Caller,
        /// Its name.
        service: Arc<str>,
    },
    /// Call a service and wait. → `Value`, `Error`, or `Blocked`: then the wake brings the answer
    Call(ServiceRequest),
    /// Call a service without waiting. → `Value(Int(call id))` or `Error`
    Post(ServiceRequest),
    /// Call a service without waiting; `callback(ok, value)` runs when it has ended. → `Value(Int(call id))`
    CallThen(ServiceRequest, CallbackId),
    /// Wait for a posted call. → `Flag(timed out)`, or `Blocked`: then [`Wake::TimedOut`] or another wake
    WaitCall {
        /// Which.
        call: CallId,
        /// Nanoseconds; `None` waits for ever.
        timeout: Option<i64>,
    },
    /// Stop a posted call. → [`Answer::Flag`]: it was running
    StopCall(CallId),
    /// Is a posted call still running? → [`Answer::Flag`]
    IsRunning(CallId),
    /// Get told of a robot memory event or a service signal. → [`Answer::Subscription`]
    ///
    /// The callback gets `(value)` for a memory subscriber, the signal's arguments for a signal.
    Subscribe {
        /// Who asks.
        from: Caller,
        /// What.
        topic: crate::services::Topic,
        /// Whom to tell.
        callback: CallbackId,
    },
    /// End a subscription. → [`Answer::Flag`]: there was one
    Unsubscribe(SubscriptionId),
    /// A line for the log. → `Done`
    Log {
        /// Who.
        from: Caller,
        /// How serious.
        level: LogLevel,
        /// One message.
        text: Arc<str>,
    },
    /// The script printed something (whole lines). → `Done`
    Print {
        /// Who.
        from: Caller,
        /// The text.
        text: Arc<str>,
        /// To stderr.
        error: bool,
    },
    /// An exception nobody caught outside of a hook: in a thread, a timer, a callback. → `Done`
    Uncaught {
        /// Who.
        from: Caller,
        /// What.
        error: ScriptError,
    },
    /// Something made this run unrepeatable (a foreign thread, the network). → `Done`
    NotDeterministic(Arc<str>),
    /// Make, ask or change an object ([`crate::objects::operations`]). → `Value` or `Error`
    Object(Box<ObjectCall>),
}

/// A call of one of the operations that objects have.
#[derive(Clone, Debug)]
pub struct ObjectCall {
    /// `run`, `box`, `timeline`, `machine`, `state` or `transition`.
    pub kind: Arc<str>,
    /// Which one: its number, for states and transitions that of their state machine first.
    pub handle: Vec<u32>,
    /// e.g. `goTo`
    pub operation: Arc<str>,
    /// Arguments; handles among them are lists of numbers, functions [`CallbackId`]s.
    pub args: Vec<Value>,
}

/// Which box a request comes from, and from which line of its script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The box; `None` in a module that belongs to no box.
    pub object: Option<ObjectId>,
    /// Line of the box's script, from 1; 0 if unknown.
    pub line: u32,
}

/// A service call as a script makes it.
#[derive(Clone, Debug)]
pub struct ServiceRequest {
    /// Who asks.
    pub from: Caller,
    /// e.g. `ALMotion`
    pub service: Arc<str>,
    /// e.g. `setAngles`
    pub method: Arc<str>,
    /// Positional arguments.
    pub args: Vec<Value>,
}

/// What scripts can do with a timeline.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineCommand {
    /// Is there one? → `Value(Bool)`
    Exists,
    /// Play from the current frame.
    Play,
    /// Stop the cursor and the motion where they are.
    Pause,
    /// Unload it.
    Stop,
    /// Move the cursor.
    GoTo(Frame),
    /// End frame − start frame. → `Value(Int)`
    GetSize,
    /// → `Value(Int)`
    GetFps,
    /// Frames per second from now on.
    SetFps(i32),
    /// The frame the cursor is on; −1 if the timeline is not loaded. → `Value(Int)`
    GetFrame,
}

impl TimelineCommand {
    /// It is a question, and changes nothing.
    pub fn asks(&self) -> bool {
        matches!(self, Self::Exists | Self::GetSize | Self::GetFps | Self::GetFrame)
    }
}

/// A frame by number or by keyframe name.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// Frame number.
    Number(i64),
    /// Name of a behavior keyframe.
    Name(Arc<str>),
}

impl From<i64> for Frame {
    fn from(frame: i64) -> Self {
        Frame::Number(frame)
    }
}

impl From<i32> for Frame {
    fn from(frame: i32) -> Self {
        Frame::Number(frame.into())
    }
}

impl From<&str> for Frame {
    fn from(name: &str) -> Self {
        Frame::Name(name.into())
    }
}

/// The engine's answer to a [`Request`].
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Done; there is nothing to say.
    Done,
    /// A value.
    Value(Value),
    /// Yes or no.
    Flag(bool),
    /// The time.
    Time(Time),
    /// See [`Request::Now`].
    Yield,
    /// A timer's id.
    Timer(TimerId),
    /// A subscription's id.
    Subscription(SubscriptionId),
    /// The task is blocked now, with this generation: park it until it is woken.
    Blocked(u32),
    /// It cannot be done: raise `RuntimeError` with this text.
    Error(String),
    /// The run is ending: raise the stop exception.
    Interrupted,
}

/// What a script host asks of the engine. A trait, so that the threads of a host can be modelled
/// and tested without an engine.
pub trait Scheduler: Send {
    /// Does native work until a script must run, something must be waited for, or all is over.
    ///
    /// In virtual time this also moves the clock, so it may only be called when no script runs
    /// (but for tasks that were revoked).
    fn next(&mut self) -> Next;

    /// A request of a running task. [`Request::Returned`] and [`Request::Raised`] end the task.
    fn request(&mut self, task: TaskId, request: Request) -> Answer;

    /// [`Request::Output`], which scripts make more often than all others, without a request being put together.
    fn output(&mut self, task: TaskId, object: ObjectId, name: &Arc<str>, value: Value) -> Answer {
        self.request(task, Request::Output { object, name: name.clone(), value })
    }

    /// [`Request::Returned`] or [`Request::Raised`], which each task makes, likewise.
    fn ended(&mut self, task: TaskId, result: Result<Value, ScriptError>) {
        self.request(
            task,
            match result {
                Ok(value) => Request::Returned(value),
                Err(error) => Request::Raised(error),
            },
        );
    }

    /// The engine's time; in real time the time now.
    fn now(&self) -> Time;

    /// True if the clock is virtual: then one task at a time runs.
    fn is_virtual(&self) -> bool;

    /// The host lost patience with a running task and takes the turn from it. It may still run and
    /// return; the run is not repeatable any more.
    fn revoke(&mut self, task: TaskId);

    /// The host has waited long enough for the tasks it has revoked: if nothing else can happen, [`Scheduler::next`]
    /// ends the run instead of waiting for them.
    fn pass_by(&mut self);

    /// Everybody waits for this task, because it is a part of the load that the run begins with: nothing is gained if it
    /// loses its turn.
    fn loads(&self, _task: TaskId) -> bool {
        false
    }

    /// Real time: a job that was handed out is about to begin. `None` if it is to wait; it is handed out again then.
    fn begins(&mut self, job: Job) -> Option<Job> {
        Some(job)
    }

    /// The engine winds down, because an interrupt was asked for or because every behavior has ended, and the host's
    /// budget for the scripts that are left begins.
    fn interrupting(&self) -> bool;

    /// Some behavior is being stopped, so that its scripts are waited for.
    fn stopping(&self) -> bool;

    /// The budget is used up: every request is answered [`Answer::Interrupted`], and [`Scheduler::next`] ends the run
    /// without waiting for scripts; tasks that are blocked are the host's to let go.
    fn give_up(&mut self);

    /// Nothing runs scripts any more: what ran them has ended by itself. Every behavior that has scripts fails; what is
    /// native is stopped and unloaded as ever. A behavior that starts later has scripts again.
    fn scripts_died(&mut self, why: &str);

    /// Tasks that have been handed out and have not returned: id, what it runs, whether it is blocked.
    fn tasks(&self) -> Vec<(TaskId, String, bool)>;
}

/// What the host does next.
#[derive(Clone, Debug)]
pub enum Next {
    /// Run this on an empty stack. It counts as running from now on.
    Job(Job),
    /// Let this blocked task go on.
    Resume(TaskId, Wake),
    /// Nothing to do until this time (real clock) or until somebody pokes the engine.
    Wait(Option<Time>),
    /// The run is over and every sink is flushed. Leave; tasks still there are to be given up.
    Ended,
}
