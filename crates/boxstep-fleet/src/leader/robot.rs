//! What a leader knows of the robots of its show.

use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::fetch::Fetch;
use crate::message::{MemberState, Status};
use crate::network::PeerId;

/// What the leader knows of a robot.
#[derive(Default)]
pub struct Robot {
    /// The member that plays it.
    pub peer: Option<PeerId>,
    /// When it was heard last.
    pub heard: FleetTime,
    /// What it said last.
    pub status: Option<Status>,
    /// It has not been heard for too long.
    pub lost: bool,
    /// Since when another member with the same name is heard.
    pub twin: Option<FleetTime>,
    /// The number of the last signal that was passed on.
    pub(super) passed_on: u64,
    /// Bytes of files that it has told to have.
    pub(super) fetched: u64,
    pub(super) fetch: Option<Fetch>,
    /// The trace of its run that was collected.
    pub(super) recording: Option<Digest>,
    /// Its trace cannot be had.
    pub(super) given_up: bool,
}

impl Robot {
    /// Returns whether the robot cannot be counted on.
    pub(super) fn absent(&self) -> bool {
        let gone = |status: &Status| matches!(status.state, MemberState::Stopped { .. } | MemberState::Refused { .. });
        self.lost || self.status.as_ref().is_none_or(gone)
    }

    /// Returns whether it may still play in a performance that was stopped: it was in it when it was heard last, and has
    /// not said that it stopped.
    pub(super) fn may_play(&self, performance: u64) -> bool {
        let stands =
            |status: &Status| matches!(status.state, MemberState::Stopped { .. } | MemberState::Refused { .. });
        self.status_in(performance).is_some_and(|status| !stands(status))
    }

    /// Returns whether nothing is awaited of its trace any more.
    pub(super) fn has_told_all(&self) -> bool {
        self.lost || self.status.is_none() || self.recording.is_some() || self.given_up
    }

    /// Returns its state in a performance. It may take part in another one.
    pub(super) fn status_in(&self, performance: u64) -> Option<&Status> {
        self.status.as_ref().filter(|status| status.performance == Some(performance))
    }
}

/// Returns why a robot is not armed, for messages.
pub(super) fn why_not_armed(robot: &Robot, performance: u64) -> String {
    match &robot.status {
        _ if robot.lost => "lost".to_owned(),
        None => "no member of this name is there".to_owned(),
        Some(status) if status.performance.is_some_and(|other| other != performance) => {
            "takes part in another show".to_owned()
        }
        Some(status) => match &status.state {
            MemberState::Free => "does not answer".to_owned(),
            MemberState::Fetching { have, of } => format!("has {have} of {of} bytes of its files"),
            _ => "still loads".to_owned(),
        },
    }
}
