//! A run written down at a quiet point, and taken up again: in this process or another, on this machine or another.
//!
//! A point is quiet when nothing is being done: no work in the queue, no procedure, no script, no call of a service. Time
//! may be counting: cursors of timelines, times of states, waits for resources, events that are still to come. Scripts are
//! Python, and what they know cannot be written down: with a script loaded a run is repeated from its inputs instead.
//! Rules: `docs/snapshot.md`.
//!
//! ```
//! use boxstep_engine::config::Config;
//! use boxstep_engine::snapshot::{Resume, Snapshot};
//! use boxstep_engine::{Engine, objects::Phase};
//! use boxstep_types::Time;
//! # use boxstep_engine::config::BehaviorSource;
//! # use boxstep_format::{Limits, read_xar};
//! # let text = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
//! # <Input name="onStart" type="1" nature="2" id="2"/>
//! # <Timeline enable="1" fps="25" start_frame="1" end_frame="500"/></Box></ChoregrapheProject>"#;
//! # let file = read_xar("x.xar", text.as_bytes(), &Limits::default()).unwrap();
//! # let source = BehaviorSource { name: "dance".into(), project: file.project.into(), sources: file.sources.into(),
//! #     folder: ".".into(), relative_folder: ".".into(), package_uid: "".into() };
//!
//! let mut engine = Engine::without_robot(Config::default());
//! engine.play(source.clone()).unwrap();
//! engine.run_for(5.0)?;
//! engine.run_until_quiet(Time::from_millis(60_000))?;
//! let text = engine.snapshot()?.to_json();
//!
//! let snapshot = Snapshot::from_json(&text)?;
//! let mut engine = Engine::resume(Resume::without_robot(Config::default()).behavior(source), &snapshot)?;
//! let root = engine.objects().find("root")?;
//! assert_eq!(engine.objects().get_box(root)?.phase(), Phase::Active);
//! assert_eq!(engine.end()?.t, Time::from_millis(5000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod model;
mod parts;
mod quiet;
mod resume;
mod save;

pub use error::{AtWork, ResumeError, SnapshotError};
pub use resume::Resume;

use crate::graph::{BoxId, DiagramId};
use crate::resources::ResourcesState;
use crate::services::{Random, Topic};
use boxstep_types::{Time, Value};
use parts::{BehaviorState, TimerState};
use serde::{Deserialize, Serialize};

/// Version of a snapshot's form. One with another number is refused: what is written down is how the engine works inside.
pub const SCHEMA: u32 = 1;

/// A run at a quiet point. Serde data: JSON on disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    schema: u32,
    /// Program and version that wrote it.
    product: String,
    /// When, on the run's clock.
    t: Time,
    seed: u64,
    random: Random,
    /// `Config::scripts`: it decides what boxes are.
    scripts: bool,
    counts: Counts,
    /// Joint samples per second, and when the next one is due.
    joints: Option<(f64, Time)>,
    /// How many calls each mock still answers.
    mocks: Vec<Option<u32>>,
    /// Stays open with nothing left to do.
    held: bool,
    /// The behavior whose end is the end of the run.
    played: Option<usize>,
    /// In order of opening, so that all numbers of boxes and diagrams come out the same.
    behaviors: Vec<BehaviorState>,
    /// Generations of all diagrams; odd: loaded.
    diagrams: Vec<u32>,
    /// In order of creation.
    timers: Vec<TimerState>,
    resources: ResourcesState,
    /// Who listens to what, in order: a diagram, and an input of the box around it.
    topics: Vec<(Topic, Vec<(DiagramId, u16)>)>,
    /// What [`crate::services::Services::save`] gave.
    robot: Value,
}

/// What is counted over a whole run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counts {
    events: u64,
    cause: u64,
    signals: u64,
    happened: u64,
    calls: u32,
    /// Stops that were ended by force.
    forced: u64,
    subscriptions: u32,
    errors: u64,
    unsupported: u64,
    dropped: u64,
    warnings: u64,
    /// Scripts that did not compile, in behaviors that are over.
    broken: Vec<u32>,
    not_deterministic: Option<String>,
}

impl Snapshot {
    /// When it was made, on the run's clock.
    pub fn time(&self) -> Time {
        self.t
    }

    /// The program that made it, e.g. `boxstep 0.1.0`.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// The run's seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of events in the trace before it.
    pub fn events(&self) -> u64 {
        self.counts.events
    }

    /// The behavior that is played.
    pub fn behavior(&self) -> Option<&str> {
        self.behaviors.get(self.played?).map(|b| &*b.name)
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: no map has keys that are not texts.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From JSON.
    ///
    /// # Errors
    /// [`ResumeError::Schema`], [`ResumeError::Malformed`].
    pub fn from_json(text: &str) -> Result<Self, ResumeError> {
        #[derive(Deserialize)]
        struct Head {
            schema: u32,
        }
        let malformed = |e: serde_json::Error| ResumeError::Malformed(e.to_string());
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        if head.schema != SCHEMA {
            return Err(ResumeError::Schema(head.schema));
        }
        serde_json::from_str(text).map_err(malformed)
    }
}

/// A box that is not there is what a damaged file would name.
fn known(id: BoxId, count: usize) -> Result<BoxId, ResumeError> {
    if id.index() < count { Ok(id) } else { Err(ResumeError::Malformed(format!("there is no box number {}", id.0))) }
}
