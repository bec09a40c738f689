//! The script protocol: plain data that any script host can carry, in process or through a pipe.
//!
//! The engine dispatches [`Job`]s (run this on an empty stack) and [`Wake`]s (resume a blocked task). A running script
//! sends [`Request`]s, and each gets an [`Answer`] at once. The protocol knows nothing of Python.
//!
//! A *task* is one call into scripts, from a job to its return. A task may block any number of times; each time it gets
//! a new generation, and only the first wake with that generation counts.

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
id!(/// One call into scripts, from its job to its return. The id is reused only after the return.
    TaskId);
impl TaskId {
    /// The sender of requests from a thread that runs no task, for example one made by a script's native code. Such a
    /// thread may log and stimulate, but not wait.
    pub const FOREIGN: TaskId = TaskId(u32::MAX);
}

id!(/// A script text. Boxes with the same text share it.
    ClassId);
id!(/// A script object. Each box with a script has one.
    ObjectId);
id!(/// A function that a script host keeps for later calls. The host assigns the id.
    CallbackId);

impl CallbackId {
    /// The first id of a function that belongs to the run's embedder, not to the script host.
    pub const OUTSIDE: u32 = 1 << 31;

    /// The script host's function that runs methods of a robot written in Python (`boxstep_runtime/own_robot.py`).
    /// Hosts assign other numbers from 1.
    pub const ROBOT: CallbackId = CallbackId(0);

    /// The script host's function that runs scripts of topics (`boxstep_runtime/topic_script.py`).
    pub const TOPIC_SCRIPT: CallbackId = CallbackId(Self::OUTSIDE - 2);

    /// The script host's function that calls services which scripts have registered
    /// (`boxstep_runtime/script_services.py`).
    pub const SCRIPT_SERVICES: CallbackId = CallbackId(Self::OUTSIDE - 3);

    /// The script host's function that runs hooks of behaviors written in Python (`boxstep_runtime/behaviors.py`).
    pub const BEHAVIORS: CallbackId = CallbackId(Self::OUTSIDE - 1);

    /// Returns whether the function belongs to the run's embedder.
    pub fn is_outside(self) -> bool {
        self.0 >= Self::OUTSIDE
    }
}

id!(/// A service call in progress. `proxy.post.method()` returns this number to scripts.
    CallId);
id!(/// A timer that a script has set.
    TimerId);
id!(/// A subscription to a robot memory event or a service signal.
    SubscriptionId);

/// A call to run on an empty script stack.
#[derive(Clone, Debug)]
pub struct Job {
    /// The new task.
    pub task: TaskId,
    /// The call to run.
    pub order: Order,
}

/// The call that a [`Job`] runs. Each ends with [`Request::Returned`] or [`Request::Raised`].
#[derive(Clone, Debug)]
pub enum Order {
    /// Compile a script text. Raises an exception on a syntax error.
    Load {
        /// The id of the text from now on.
        class: ClassId,
        /// The text.
        source: Arc<ScriptSource>,
    },
    /// Construct the script object of a box (`__init__`).
    ///
    /// Returns the list of the names of its methods, so that the engine calls only methods that exist. `__del__` is in
    /// the list if the object has one.
    Construct {
        /// The id of the object from now on.
        object: ObjectId,
        /// The class, already compiled.
        class: ClassId,
        /// The properties of the box that its base class needs.
        info: Arc<BoxInfo>,
    },
    /// Call a method of a script object (`onLoad`, `onInput_onStart`, `setParameter`, …).
    Call {
        /// The object.
        object: ObjectId,
        /// The name of the method.
        method: Arc<str>,
        /// The arguments.
        args: Args,
    },
    /// Call a function that the host keeps: the target of a thread, of a timer, or of a subscription.
    Deliver {
        /// The function.
        callback: CallbackId,
        /// The arguments; the host passes as many as the function takes.
        args: Vec<Value>,
    },
    /// Release a script object (`__del__` runs if nothing else holds a reference).
    Drop {
        /// The object.
        object: ObjectId,
    },
    /// Forget the modules that were imported from changed files, so that the next import reads them again.
    ///
    /// Returns three lists: the names of the forgotten modules, the objects whose scripts have imported one of them, and
    /// the reasons why modules could not be forgotten.
    Forget {
        /// Absolute paths; files that no script has imported are ignored.
        files: Arc<[String]>,
    },
}

/// The arguments of a method.
#[derive(Clone, Debug)]
pub enum Args {
    /// Passed only if the method takes exactly one argument besides `self`
    /// (`docs/reference/semantics/script-calls.md`).
    Hook(Value),
    /// The host passes as many of these as the method takes.
    UpTo(Vec<Value>),
}

/// A script text with its position in a file, for tracebacks.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptSource {
    /// The author's text.
    pub text: Arc<str>,
    /// Whether the text is a program, which runs when the box starts, and not the class of the box.
    pub is_program: bool,
    /// The arguments of a program that has its own; other programs have those of the run.
    pub args: Option<Arc<[String]>>,
    /// The file that contains the text, as messages print it.
    pub file: Arc<str>,
    /// The line of `file` on which the text begins, from 1.
    pub first_line: u32,
    /// The path of the first box that has this text.
    pub path: BoxPath,
}

/// The properties of a box that the base class of its script needs.
#[derive(Clone, Debug)]
pub struct BoxInfo {
    /// The path of the box, as messages print it.
    pub path: BoxPath,
    /// The short name: `boxName`.
    pub box_name: Arc<str>,
    /// The result of `getName()`, for example `_Behavior__1__root__Say_2`.
    pub full_name: Arc<str>,
    /// `parentBoxName`; empty for a root box.
    pub parent_name: Arc<str>,
    /// `self.id`: also the memory key of the box's time cursor.
    pub id: Arc<str>,
    /// `self.parentId`; empty for a root box.
    pub parent_id: Arc<str>,
    /// `self.behaviorId`.
    pub behavior_id: Arc<str>,
    /// The folder of the behavior on this machine, without a trailing `/`.
    pub behavior_path: Arc<str>,
    /// The same folder, relative to that of the application.
    pub behavior_relative_path: Arc<str>,
    /// `packageUid()`.
    pub package_uid: Arc<str>,
    /// The inputs that can be stimulated: the name, and whether the input is a bang.
    pub inputs: Vec<(Arc<str>, bool)>,
    /// The outputs: the name, and whether the output is a bang.
    pub outputs: Vec<(Arc<str>, bool)>,
    /// The names of the parameters.
    pub parameters: Vec<Arc<str>>,
    /// Whether the box has a timeline of its own.
    pub has_timeline: bool,
    /// Whether the box is inside a timeline.
    pub has_parent_timeline: bool,
    /// Whether the box has resources.
    pub has_resources: bool,
}

/// The reason why a blocked task resumes.
#[derive(Clone, Debug, PartialEq)]
pub enum Wake {
    /// The event that the task waited for has happened.
    Notified,
    /// The deadline passed first.
    TimedOut,
    /// The service call that the task waited for has returned.
    Returned(Value),
    /// The service call that the task waited for has failed, with this text.
    Failed(String),
    /// The run is ending: the host must raise the stop exception.
    Interrupted,
}

/// What a blocked task waits for, for display only.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockedOn {
    /// `time.sleep`
    Sleep,
    /// A lock, or anything built on one: `Event`, `Queue`, `Thread.join` …
    Lock,
    /// A service call.
    Call(CallId),
}

/// A request of a running script to the engine. Every request gets an [`Answer`] at once.
#[derive(Clone, Debug)]
pub enum Request {
    /// The job is done.
    Returned(Value),
    /// The job ended with an uncaught exception.
    Raised(ScriptError),
    /// The task is about to block until it is woken or `until` passes. → [`Answer::Blocked`], or an error if it polls
    /// without end by blocking for no time.
    Block {
        /// The deadline on the engine's clock.
        until: Option<Time>,
        /// What the task waits for, for display.
        on: BlockedOn,
    },
    /// Wake another task. Has no effect if the task is not blocked with this generation. → [`Answer::Flag`]
    Unblock {
        /// The task to wake.
        task: TaskId,
        /// The generation, from [`Answer::Blocked`].
        generation: u32,
    },
    /// Run a function as a task of its own, after everything that is due now. → [`Answer::Done`]
    Spawn {
        /// The function.
        callback: CallbackId,
    },
    /// Run a function later, once or repeatedly. → [`Answer::Timer`]
    After {
        /// The function.
        callback: CallbackId,
        /// The delay from now, in nanoseconds.
        delay: i64,
        /// The period in nanoseconds, if the timer repeats.
        period: Option<i64>,
    },
    /// Cancel a timer. → [`Answer::Flag`]: whether it had yet to fire
    CancelTimer(TimerId),
    /// Read the clock. → [`Answer::Time`]; or [`Answer::Yield`]: the task must block until now first, and then ask
    /// again, because a script that polls the clock in virtual time must see it move; or an error if the script polls
    /// without end.
    Now,

    /// Stimulate an output of the box. → [`Answer::Done`], or `Error` if there is no such output
    Output {
        /// The box.
        object: ObjectId,
        /// The name of the output.
        name: Arc<str>,
        /// The value; null for a bang.
        value: Value,
    },
    /// Stimulate an input or output of the box by name (`stimulateIO`). → [`Answer::Done`], or `Error` if there is none
    Stimulate {
        /// The box.
        object: ObjectId,
        /// The name of the input or output.
        name: Arc<str>,
        /// The value; null for a bang.
        value: Value,
    },
    /// Read a parameter. → [`Answer::Value`], or `Error` if neither the box nor a parent has it
    GetParameter {
        /// The box.
        object: ObjectId,
        /// The name of the parameter.
        name: Arc<str>,
    },
    /// Set a parameter. → [`Answer::Done`], or `Error` if the box has no such parameter
    SetParameter {
        /// The box.
        object: ObjectId,
        /// The name of the parameter.
        name: Arc<str>,
        /// The new value.
        value: Value,
    },
    /// Query or control a timeline. → `Value` for queries, `Done` for commands. If there is no such timeline, a query
    /// returns null and a command has no effect.
    Timeline {
        /// The box.
        object: ObjectId,
        /// Whether the request concerns the timeline around the box instead of the box's own.
        parent: bool,
        /// The command.
        command: TimelineCommand,
    },
    /// Find out whether a service exists. → [`Answer::Flag`]. If not, the trace notes an unsupported service.
    FindService {
        /// The caller.
        from: Caller,
        /// The name of the service.
        service: Arc<str>,
    },
    /// Call a service and wait. → `Value`, `Error`, or `Blocked`: then the wake carries the result
    Call(ServiceRequest),
    /// Call a service without waiting. → `Value(Int(call id))` or `Error`
    Post(ServiceRequest),
    /// Call a service without waiting; `callback(ok, value)` runs when the call has ended. → `Value(Int(call id))`
    CallThen(ServiceRequest, CallbackId),
    /// Wait for a posted call. → `Flag(timed out)`, or `Blocked`: then [`Wake::TimedOut`] or another wake follows
    WaitCall {
        /// The call.
        call: CallId,
        /// The timeout in nanoseconds; `None` waits for ever.
        timeout: Option<i64>,
    },
    /// Stop a posted call. → [`Answer::Flag`]: whether it was running
    StopCall(CallId),
    /// Find out whether a posted call is still running. → [`Answer::Flag`]
    IsRunning(CallId),
    /// Subscribe to a robot memory event or a service signal. → [`Answer::Subscription`]
    ///
    /// The callback receives `(value)` for a memory event, and the signal's arguments for a signal.
    Subscribe {
        /// The caller.
        from: Caller,
        /// The topic.
        topic: crate::services::Topic,
        /// The function to call for each event.
        callback: CallbackId,
    },
    /// End a subscription. → [`Answer::Flag`]: whether it existed
    Unsubscribe(SubscriptionId),
    /// Log a message. → `Done`
    Log {
        /// The caller.
        from: Caller,
        /// The severity.
        level: LogLevel,
        /// The message.
        text: Arc<str>,
    },
    /// Print whole lines. → `Done`
    Print {
        /// The caller.
        from: Caller,
        /// The text.
        text: Arc<str>,
        /// Whether the text goes to stderr.
        error: bool,
    },
    /// Report an uncaught exception outside of a hook: in a thread, a timer, a callback. → `Done`
    Uncaught {
        /// The caller.
        from: Caller,
        /// The exception.
        error: ScriptError,
    },
    /// Report why this run is not repeatable (a foreign thread, the network). → `Done`
    NotDeterministic(Arc<str>),
    /// Create, query or change an object ([`crate::objects::operations`]). → `Value` or `Error`
    Object(Box<ObjectCall>),
}

/// A call of an operation on an object.
#[derive(Clone, Debug)]
pub struct ObjectCall {
    /// `run`, `box`, `timeline`, `machine`, `state` or `transition`.
    pub kind: Arc<str>,
    /// The number of the object; for states and transitions, that of their state machine first.
    pub handle: Vec<u32>,
    /// The operation, for example `goTo`.
    pub operation: Arc<str>,
    /// The arguments. Handles among them are lists of numbers, functions are [`CallbackId`]s.
    pub args: Vec<Value>,
}

/// The box that a request comes from, and the line of its script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The box; `None` in a module that belongs to no box.
    pub object: Option<ObjectId>,
    /// The line of the box's script, from 1; 0 if unknown.
    pub line: u32,
}

/// A service call as a script makes it.
#[derive(Clone, Debug)]
pub struct ServiceRequest {
    /// The caller.
    pub from: Caller,
    /// The service, for example `ALMotion`.
    pub service: Arc<str>,
    /// The method, for example `setAngles`.
    pub method: Arc<str>,
    /// Positional arguments.
    pub args: Vec<Value>,
}

/// The commands and queries that scripts can send to a timeline.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineCommand {
    /// Whether the timeline exists. → `Value(Bool)`
    Exists,
    /// Play from the current frame.
    Play,
    /// Stop the cursor and the motion at the current frame.
    Pause,
    /// Unload the timeline.
    Stop,
    /// Move the cursor to a frame.
    GoTo(Frame),
    /// The number of frames: end frame − start frame. → `Value(Int)`
    GetSize,
    /// The speed in frames per second. → `Value(Int)`
    GetFps,
    /// Set the speed in frames per second.
    SetFps(i32),
    /// The frame of the cursor; −1 if the timeline is not loaded. → `Value(Int)`
    GetFrame,
}

impl TimelineCommand {
    /// Returns whether the command is a query, which changes nothing.
    pub fn asks(&self) -> bool {
        matches!(self, Self::Exists | Self::GetSize | Self::GetFps | Self::GetFrame)
    }
}

/// A frame by number or by keyframe name.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// The frame number.
    Number(i64),
    /// The name of a behavior keyframe.
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
    /// The request is done, without a result.
    Done,
    /// A value.
    Value(Value),
    /// Yes or no.
    Flag(bool),
    /// A time on the engine's clock.
    Time(Time),
    /// See [`Request::Now`].
    Yield,
    /// The id of a new timer.
    Timer(TimerId),
    /// The id of a new subscription.
    Subscription(SubscriptionId),
    /// The task is now blocked with this generation: the host must park it until it is woken.
    Blocked(u32),
    /// The request failed: the host must raise `RuntimeError` with this text.
    Error(String),
    /// The run is ending: the host must raise the stop exception.
    Interrupted,
}

/// The engine as a script host sees it. This is a trait so that the threads of a host can be modelled and tested
/// without an engine.
pub trait Scheduler: Send {
    /// Does native work until a script must run, the host must wait, or the run is over.
    ///
    /// In virtual time this also moves the clock, so the host may call it only while no script runs (except tasks that
    /// were revoked).
    fn next(&mut self) -> Next;

    /// Answers a request of a running task. [`Request::Returned`] and [`Request::Raised`] end the task.
    fn request(&mut self, task: TaskId, request: Request) -> Answer;

    /// Handles [`Request::Output`], the most frequent request, without building a `Request`.
    fn output(&mut self, task: TaskId, object: ObjectId, name: &Arc<str>, value: Value) -> Answer {
        self.request(task, Request::Output { object, name: name.clone(), value })
    }

    /// Handles [`Request::Returned`] or [`Request::Raised`], which every task sends once, without building a `Request`.
    fn ended(&mut self, task: TaskId, result: Result<Value, ScriptError>) {
        self.request(
            task,
            match result {
                Ok(value) => Request::Returned(value),
                Err(error) => Request::Raised(error),
            },
        );
    }

    /// The engine's time; in real time, the current time.
    fn now(&self) -> Time;

    /// Returns whether the clock is virtual. In virtual time one task runs at a time.
    fn is_virtual(&self) -> bool;

    /// Revokes the turn of a running task that takes too long. The task may continue and return; the run is no longer
    /// repeatable.
    fn revoke(&mut self, task: TaskId);

    /// Stops waiting for revoked tasks: if nothing else can happen, [`Scheduler::next`] ends the run instead of waiting
    /// for them.
    fn pass_by(&mut self);

    /// Returns whether the task belongs to the load with which the run begins. The whole run waits for that load, so
    /// revoking the task's turn would gain nothing.
    fn loads(&self, _task: TaskId) -> bool {
        false
    }

    /// Asks, in real time, whether a dispatched job may begin. `None` if it must wait; the engine dispatches it again
    /// later.
    fn begins(&mut self, job: Job) -> Option<Job> {
        Some(job)
    }

    /// Returns whether the engine is shutting down, because of an interrupt or because every behavior has ended. From
    /// then on the host's time budget for the remaining scripts counts.
    fn interrupting(&self) -> bool;

    /// Returns whether a behavior is being stopped, so that the engine waits for its scripts.
    fn stopping(&self) -> bool;

    /// Ends the time budget: every request is answered with [`Answer::Interrupted`], and [`Scheduler::next`] ends the
    /// run without waiting for scripts. The host must release tasks that are blocked.
    fn give_up(&mut self);

    /// Reports that the script host has ended by itself, so that nothing runs scripts any more. Every behavior with
    /// scripts fails; native behavior is stopped and unloaded as usual. A behavior that starts later has scripts again.
    fn scripts_died(&mut self, why: &str);

    /// The tasks that were dispatched and have not returned: the id, a description of the call, and whether the task is
    /// blocked.
    fn tasks(&self) -> Vec<(TaskId, String, bool)>;
}

/// The next action of a script host.
#[derive(Clone, Debug)]
pub enum Next {
    /// Run this job on an empty stack. It counts as running from now on.
    Job(Job),
    /// Resume this blocked task.
    Resume(TaskId, Wake),
    /// Wait until this time (real clock), or until the engine is woken.
    Wait(Option<Time>),
    /// The run is over and every sink is flushed. The host must leave, and give up the tasks that remain.
    Ended,
}
