//! What a run is told before it starts.

pub use crate::resources::tree::ResourceTree;
pub use boxstep_trace::ClockKind;

use crate::protocol::ScriptSource;
use boxstep_format::model::Project;
use boxstep_types::{BoxPath, Sources, Time, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// As how many signals a script call counts for [`Config::livelock_bound`]: calls take far longer than links, and
/// a loop of either kind should be found in about a second.
pub const SCRIPT_CALL: u64 = 50;

/// How long the stop of a behavior may take if nothing else is said.
pub const STOP_WITHIN: Duration = Duration::from_secs(10);

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The clock.
    pub clock: ClockKind,
    /// Seed of every random number.
    pub seed: u64,
    /// Stop the behavior in the ordinary way so long after its start.
    pub limit: Option<Time>,
    /// Run box scripts. Off: boxes are loaded and linked, their scripts are not.
    pub scripts: bool,
    /// How long one `onUnload` is awaited, on the run's clock.
    pub unload_patience: Duration,
    /// How long the played behavior may take to load before times that count from its start count without it.
    pub load_patience: Duration,
    /// How long the stop of a behavior may take, on the run's clock; then it is stopped by force
    /// (`docs/semantics/stop.md`).
    pub stop_within: Duration,
    /// The same for an interrupt, all behaviors together; never more than [`Config::stop_within`].
    pub interrupt_within: Duration,
    /// How many signals may follow each other without time passing. One that calls a script counts as
    /// [`SCRIPT_CALL`].
    pub livelock_bound: u64,
    /// Numbers on links have 32 bits, as in NAOqi (`docs/semantics/links.md`).
    pub naoqi_numbers: bool,
    /// The robot's resources. Empty: every name is a resource of its own.
    pub resources: ResourceTree,
    /// Joint samples per second in the trace.
    pub joints_hz: Option<f64>,
    /// How often a second sinks that look on are shown how the robot stands: [`crate::trace::Sink::pose`].
    pub pose_hz: Option<f64>,
    /// Answers in the place of the robot; of those that fit a call the first one counts.
    pub mocks: Vec<Mock>,
    /// When to look at the robot; what is seen stands in the trace.
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

/// An answer to a service call in the place of the robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Mock {
    /// e.g. `ALSonar`; a service need not be there to be mocked.
    pub service: String,
    /// e.g. `getValue`
    pub method: String,
    /// The first arguments of the calls that are meant, `None` for any value; a call may have more.
    pub args: Vec<Option<Value>>,
    /// What it gives, or why it fails.
    pub answer: Result<Value, String>,
    /// How long it takes, on the run's clock.
    pub takes: Duration,
    /// How many calls it answers; `None` for all.
    pub times: Option<u32>,
}

/// A look at the robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// When; `None` for the end of the run, where also those are taken whose time has not come.
    pub at: Option<Time>,
    /// What at.
    pub what: ProbeAt,
}

/// What a [`Probe`] is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeAt {
    /// Every joint.
    Joints,
    /// A key of the robot's memory.
    Memory(Arc<str>),
}

/// A behavior that can be loaded: its model and where its files are.
#[derive(Clone)]
pub struct BehaviorSource {
    /// Name as `ALBehaviorManager` knows it, e.g. `my_app/dance`.
    pub name: Arc<str>,
    /// The model; its localized parameters are in the run's language already.
    pub project: Arc<Project>,
    /// The text the model's spans point into.
    pub sources: Arc<Sources>,
    /// Folder of the behavior on this machine.
    pub folder: PathBuf,
    /// The folder relative to the application's, e.g. `dance`; `.` if it is the same.
    pub relative_folder: String,
    /// The package's uuid.
    pub package_uid: String,
}

/// The behaviors that the run may start by name (`ALBehaviorManager.runBehavior`).
pub trait Library: Send {
    /// The names, in order.
    fn names(&self) -> Vec<String>;

    /// Opens one; `None` if there is no such behavior, `Err` with the reason if it cannot be read.
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

/// Something done to a run from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// Raise a robot memory event (`--event`).
    Event {
        /// Memory key.
        key: String,
        /// Its value.
        value: Value,
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
        /// Which box.
        path: BoxPath,
        /// Name of an input or output.
        port: String,
        /// The value; null for a bang.
        value: Value,
    },
    /// Set a parameter (`--set`).
    SetParameter {
        /// Which box.
        path: BoxPath,
        /// Which parameter.
        parameter: String,
        /// Its new value.
        value: Value,
    },
    /// Call a service, as a program outside does, and forget what comes of it.
    Call {
        /// e.g. `ALMemory`
        service: String,
        /// e.g. `raiseEvent`
        method: String,
        /// Positional arguments.
        args: Vec<Value>,
    },
    /// The script of the box with this path has changed: take it as soon as the box is at rest (`docs/reload.md`).
    Script(Arc<ScriptSource>),
    /// Files have changed, and some may be modules that scripts have imported.
    Modules {
        /// Absolute paths.
        files: Vec<String>,
    },
    /// Something else has changed, or cannot be read, and the run goes on without it: only to be told.
    NotTaken {
        /// The box, if it is one that plays.
        path: Option<BoxPath>,
        /// What, and why not.
        why: String,
    },
    /// Stop every behavior in the ordinary way: unload it.
    Stop,
    /// What SIGINT does: robot stopped first, onStop inputs of started boxes, innermost first, then unload.
    Interrupt,
}

impl Control {
    /// What a trace has recorded, to be done again; with the box that it is about.
    ///
    /// # Errors
    /// It needs a box, and the trace names none; it is a limit, which is an option of a run.
    pub fn recorded(control: boxstep_trace::Control, path: Option<BoxPath>) -> Result<Self, &'static str> {
        let path = || path.ok_or("the input names no box");
        Ok(match control {
            boxstep_trace::Control::Event { key, value } => Control::Event { key: key.to_string(), value },
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
