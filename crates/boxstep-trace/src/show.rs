//! What a robot's run tells about the show in which it plays a part, and the header of the recording of a whole show.

use crate::serial::is_default;
use boxstep_types::{Time, Value};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Something that a run tells about the show in which it plays the part of a robot (`docs/reference/trace.md`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ShowEvent {
    /// Whose part this run plays. It is the first of these events.
    Part {
        /// The name of the show.
        show: Arc<str>,
        /// The performance, a random number in hex.
        performance: Arc<str>,
        /// The robot.
        robot: Arc<str>,
        /// The process that plays it, a random number in hex: signals are counted by process.
        process: Arc<str>,
    },
    /// Which time of the show a time of this run is. It holds until the next of these events: at a time `t` of the run
    /// the time of the show is `fleet + (t - at) * rate`.
    Clock {
        /// A time of this run.
        at: Time,
        /// The time of the show then: nanoseconds since the leader's clock was zero.
        fleet: Time,
        /// Seconds of the show per second of the run.
        rate: f64,
        /// By how much `fleet` may be wrong.
        error: Time,
    },
    /// A scene begins here. What starts it is caused by this.
    Scene {
        /// The name of the scene.
        scene: Arc<str>,
    },
    /// This robot has given a signal to others. The cause is the event that gave it.
    Given {
        /// The number of the signal, counted by the process.
        number: u64,
        /// What gives it: `root/Say.onStopped`, or the key of an event.
        cue: Arc<str>,
        /// The robots that get it.
        to: Vec<Arc<str>>,
    },
    /// A signal of another robot has come. What it does here is caused by this.
    Got {
        /// The number of the signal, counted by the process that gave it.
        number: u64,
        /// What gave it.
        cue: Arc<str>,
        /// The robot that gave it.
        from: Arc<str>,
        /// The process that gave it.
        process: Arc<str>,
    },
    /// Only in the recording of a whole show: what its leader has noted.
    Account {
        /// The scene, if one was announced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scene: Option<Arc<str>>,
        /// What has happened, in words, without the robot.
        text: Arc<str>,
        /// The entry of the account.
        entry: Value,
    },
}

impl fmt::Display for ShowEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShowEvent::Part { show, robot, .. } => write!(f, "plays the part of {robot} in the show {show}"),
            ShowEvent::Clock { fleet, error, .. } => {
                write!(f, "it is {fleet} s in the show, ± {:.1} ms", error.0 as f64 / 1e6)
            }
            ShowEvent::Scene { scene } => write!(f, "the scene “{scene}” begins"),
            ShowEvent::Given { cue, to, .. } => write!(f, "gives the signal {cue} to {}", to.join(", ")),
            ShowEvent::Got { cue, from, .. } => write!(f, "gets the signal {cue} of {from}"),
            ShowEvent::Account { text, .. } => f.write_str(text),
        }
    }
}

/// What the recording of a whole show is made of, in its header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowHeader {
    /// The name of the show.
    pub name: String,
    /// The performance, a random number in hex.
    pub performance: String,
    /// The robots, in the order of the show.
    pub robots: Vec<ShowRobot>,
    /// The show as its account states it; null without one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub show: Value,
}

/// A robot of a recorded show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowRobot {
    /// Its name.
    pub name: String,
    /// The recordings of its runs: one, several if its process was started again, none if it is missing.
    #[serde(default)]
    pub runs: Vec<ShowRun>,
}

/// The recording of a robot's run in a show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowRun {
    /// The name of its file.
    pub file: String,
    /// The robot's body.
    #[serde(default)]
    pub body: String,
    /// By how much its times may be wrong at most, from its first scene on.
    #[serde(default)]
    pub error: Time,
    /// Why it is not whole, if it is not.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wants: String,
}
