//! The configuration of a run, and the controls that act on it from outside.

pub use crate::reload::{PartChange, PartSource, Reloaded};
pub use crate::resources::tree::ResourceTree;
pub use boxstep_trace::ClockKind;

use crate::protocol::ScriptSource;
use boxstep_format::model::Project;
use boxstep_types::{BoxPath, Sources, Time, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The number of signals for which a script call counts in [`Config::livelock_bound`]. Calls take far longer than
/// links, and a loop of either kind should be found in about a second.
pub const SCRIPT_CALL: u64 = 50;

/// The default of [`Config::stop_within`].
pub const STOP_WITHIN: Duration = Duration::from_secs(10);

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The clock.
    pub clock: ClockKind,
    /// Seed of every random number.
    pub seed: u64,
    /// The time after its start at which the behavior is stopped in the ordinary way.
    pub limit: Option<Time>,
    /// Whether box scripts run. Otherwise boxes are loaded and linked without their scripts.
    pub scripts: bool,
    /// The longest time to wait for one `onUnload`, on the run's clock.
    pub unload_patience: Duration,
    /// The longest time that the played behavior may load while times that count from its start wait for it.
    pub load_patience: Duration,
    /// The longest time that the stop of a behavior may take, on the run's clock; after that the stop is forced
    /// (`docs/reference/semantics/stop.md`).
    pub stop_within: Duration,
    /// Like `stop_within`, for an interrupt of all behaviors together; never more than [`Config::stop_within`].
    pub interrupt_within: Duration,
    /// The number of signals that may follow each other without time passing. One that calls a script counts as
    /// [`SCRIPT_CALL`].
    pub livelock_bound: u64,
    /// Whether numbers on links have 32 bits, as in NAOqi (`docs/reference/semantics/links.md`).
    pub naoqi_numbers: bool,
    /// The robot's resources. If empty, every name is a resource of its own.
    pub resources: ResourceTree,
    /// Joint samples per second in the trace.
    pub joints_hz: Option<f64>,
    /// The number of poses per second that sinks receive ([`crate::trace::Sink::pose`]).
    pub pose_hz: Option<f64>,
    /// Mocked answers to service calls. The first mock that matches a call answers it.
    pub mocks: Vec<Mock>,
    /// The times at which the robot's state is read and traced.
    pub probes: Vec<Probe>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            clock: ClockKind::Virtual,
            seed: 0,
            limit: None,
            scripts: true,
            unload_patience: Duration::from_secs(2),
            load_patience: Duration::from_secs(30),
            stop_within: STOP_WITHIN,
            interrupt_within: Duration::from_millis(1500),
            livelock_bound: 1_000_000,
            naoqi_numbers: false,
            resources: ResourceTree::default(),
            joints_hz: None,
            pose_hz: None,
            mocks: Vec::new(),
            probes: Vec::new(),
        }
    }
}

/// A mocked answer to a service call, in place of the robot's.
#[derive(Clone, Debug, PartialEq)]
pub struct Mock {
    /// The service, for example `ALSonar`; it need not exist.
    pub service: String,
    /// The method, for example `getValue`.
    pub method: String,
    /// The first arguments of the calls that match, `None` for any value. A call may have more arguments.
    pub args: Vec<Option<Value>>,
    /// The result, or the reason of the failure.
    pub answer: Result<Value, String>,
    /// The duration of the call, on the run's clock.
    pub takes: Duration,
    /// The number of calls that the mock answers; `None` for all.
    pub times: Option<u32>,
}

/// A reading of the robot's state, which is traced.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The time of the reading; `None` for the end of the run. Readings whose time has not come are taken at the end
    /// too.
    pub at: Option<Time>,
    /// The state to read.
    pub what: ProbeAt,
}

/// The state that a [`Probe`] reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeAt {
    /// The angles of all joints.
    Joints,
    /// A key of the robot's memory.
    Memory(Arc<str>),
}

/// A behavior that can be loaded: its model, and the location of its files.
#[derive(Clone)]
pub struct BehaviorSource {
    /// The name in `ALBehaviorManager`, for example `my_app/dance`.
    pub name: Arc<str>,
    /// The model. Its localized parameters are already in the run's language.
    pub project: Arc<Project>,
    /// The texts to which the model's spans refer.
    pub sources: Arc<Sources>,
    /// The folder of the behavior on this machine.
    pub folder: PathBuf,
    /// The folder relative to that of the application, for example `dance`; `.` if it is the same.
    pub relative_folder: String,
    /// The uuid of the package.
    pub package_uid: String,
}

/// The behaviors that a run can start by name (`ALBehaviorManager.runBehavior`).
pub trait Library: Send {
    /// The names of all behaviors, in the library's order.
    fn names(&self) -> Vec<String>;

    /// Opens a behavior. `None` if there is no such behavior, `Err` with the reason if it cannot be read.
    fn open(&mut self, name: &str) -> Option<Result<BehaviorSource, String>>;
}

/// A library without behaviors.
pub struct NoLibrary;

impl Library for NoLibrary {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn open(&mut self, _: &str) -> Option<Result<BehaviorSource, String>> {
        None
    }
}

/// An action on a run from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// Raise a robot memory event (`--event`).
    Event {
        /// Memory key.
        key: String,
        /// Its value.
        value: Value,
    },
    /// Say something to the robot (`--hear`).
    Hear {
        /// The sentence.
        text: String,
    },
    /// Put a value into the robot's memory without raising an event.
    Remember {
        /// Memory key.
        key: String,
        /// Its value.
        value: Value,
    },
    /// Stimulate an input of a box by name, as a double-click in the editor does.
    Stimulate {
        /// The box.
        path: BoxPath,
        /// Name of an input or output.
        port: String,
        /// The value; null for a bang.
        value: Value,
    },
    /// Set a parameter (`--set`).
    SetParameter {
        /// The box.
        path: BoxPath,
        /// The parameter.
        parameter: String,
        /// Its new value.
        value: Value,
    },
    /// Call a service as a remote client does, and discard the result.
    Call {
        /// The service, for example `ALMemory`.
        service: String,
        /// The method, for example `raiseEvent`.
        method: String,
        /// Positional arguments.
        args: Vec<Value>,
    },
    /// The script of the box with this path has changed: apply it as soon as the box is at rest (`docs/guides/reload.md`).
    Script(Arc<ScriptSource>),
    /// What is inside a box has changed: apply it once nothing of it is under way (`docs/guides/reload.md`).
    Part(Arc<PartSource>),
    /// Unload what is inside this box and load it again with the change that waits for that; nothing if none does.
    RestartPart(BoxPath),
    /// Files have changed, and some may be modules that scripts have imported.
    Modules {
        /// Absolute paths.
        files: Vec<String>,
    },
    /// Another change, or a file that cannot be read; the run continues without it, and the trace notes it.
    NotTaken {
        /// The box, if it belongs to a behavior that plays.
        path: Option<BoxPath>,
        /// The change, and the reason why it is not applied.
        why: String,
    },
    /// Something about the show in which the run plays a part: it is traced, and what follows from it has it as its
    /// cause.
    Show {
        /// What.
        event: Box<crate::trace::ShowEvent>,
        /// The number of the event that caused it; 0 if it comes from outside.
        cause: u64,
        /// What follows from it.
        then: Vec<Control>,
    },
    /// Stop every behavior in the ordinary way, by unloading it.
    Stop,
    /// The effect of SIGINT: stop the robot, then stimulate the onStop inputs of started boxes, innermost first, then
    /// unload.
    Interrupt,
}

impl Control {
    /// Converts a control from a trace to one that can be applied again; `path` is the box that it concerns.
    ///
    /// # Errors
    /// Returns an error if the control needs a box and the trace names none, or if it is a limit, which is an option of
    /// the run.
    pub fn recorded(control: boxstep_trace::Control, path: Option<BoxPath>) -> Result<Self, &'static str> {
        let path = || path.ok_or("the input names no box");
        Ok(match control {
            boxstep_trace::Control::Event { key, value } => Control::Event { key: key.to_string(), value },
            boxstep_trace::Control::Hear { text } => Control::Hear { text: text.to_string() },
            boxstep_trace::Control::Memory { key, value } => Control::Remember { key: key.to_string(), value },
            boxstep_trace::Control::Stimulate { port, value } => {
                Control::Stimulate { path: path()?, port: port.to_string(), value }
            }
            boxstep_trace::Control::Set { parameter, value } => {
                Control::SetParameter { path: path()?, parameter: parameter.to_string(), value }
            }
            boxstep_trace::Control::Call { service, method, args } => {
                Control::Call { service: service.to_string(), method: method.to_string(), args }
            }
            boxstep_trace::Control::Stop(()) => Control::Stop,
            boxstep_trace::Control::Interrupt(()) => Control::Interrupt,
            boxstep_trace::Control::Limit(()) => return Err("a limit is an option of the run"),
        })
    }
}
