//! What has happened in a performance, for people and recordings.

use crate::clock::FleetTime;
use serde::{Deserialize, Serialize};

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Seconds since the leader began.
    pub at: f64,
    /// The robot, by its index in the show.
    pub robot: Option<usize>,
    /// What it is.
    pub event: Event,
}

/// What has happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A member was heard for the first time.
    Joined,
    /// It is ready to start.
    Armed,
    /// It cannot take part.
    Refused {
        /// The reasons.
        reasons: Vec<String>,
    },
    /// It is not heard any more.
    Lost,
    /// It is heard again.
    Back,
    /// A scene was announced.
    Scene {
        /// The scene.
        scene: u32,
        /// When it begins.
        at: FleetTime,
    },
    /// A robot has started a scene.
    Started {
        /// The scene.
        scene: u32,
    },
    /// A scene has ended for a robot.
    Ended {
        /// The scene.
        scene: u32,
    },
    /// A signal was passed on.
    Cue {
        /// The cue.
        cue: u32,
    },
    /// Something has failed.
    Trouble {
        /// What.
        text: String,
    },
    /// A robot, or all of them, wait in a safe posture.
    Held {
        /// The reason.
        why: String,
    },
    /// A robot, or all of them, were stopped.
    Stopped {
        /// Who did it.
        by: String,
    },
    /// The performance did not begin.
    CalledOff {
        /// The reasons.
        reasons: Vec<String>,
    },
    /// The performance has come to its end.
    Over,
}
