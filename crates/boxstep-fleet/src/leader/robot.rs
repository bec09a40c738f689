//! What a leader knows of the robots of its show.

use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::fetch::Fetch;
use crate::member::LEASE;
use crate::message::{MemberState, Recording, Status};
use crate::network::PeerId;

/// How many members with the name of another one are told that they play nothing.
const MOST_TWINS: usize = 8;

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
    /// Other members with the same name.
    pub(super) twins: Vec<Twin>,
    /// The number of the last signal that was passed on.
    pub(super) passed_on: u64,
    /// Bytes of files that it has told to have.
    pub(super) fetched: u64,
    /// The traces of its runs.
    pub(super) traces: Vec<Trace>,
}

/// A member with the name of another one.
pub(super) struct Twin {
    pub(super) peer: PeerId,
    pub(super) since: FleetTime,
    pub(super) heard: FleetTime,
    /// It was said that it is there.
    pub(super) noted: bool,
}

impl Twin {
    /// Returns whether it is no process that was just started again: that is heard before the old one is known to be gone.
    pub(super) fn stays(&self, now: FleetTime) -> bool {
        now.seconds_since(self.since) > 2.0 * LEASE.as_secs_f64()
    }
}

/// A trace that is collected.
pub(super) struct Trace {
    pub(super) digest: Digest,
    pub(super) fetch: Fetch,
    /// Whether it is there, once nothing more comes.
    pub(super) over: Option<bool>,
}

impl Robot {
    /// Returns whether the robot cannot be counted on.
    pub(super) fn absent(&self) -> bool {
        let gone = |status: &Status| matches!(status.state, MemberState::Stopped { .. } | MemberState::Refused { .. });
        self.lost || self.status.as_ref().is_none_or(gone)
    }

    /// Notes that another member has the name of the robot. Returns whether that is new.
    pub(super) fn is_twin(&mut self, peer: PeerId, now: FleetTime) -> bool {
        if let Some(twin) = self.twins.iter_mut().find(|twin| twin.peer == peer) {
            twin.heard = now;
            return false;
        }
        let has_room = self.twins.len() < MOST_TWINS;
        if has_room {
            self.twins.push(Twin { peer, since: now, heard: now, noted: false });
        }
        has_room
    }

    /// Returns whether several members have this name.
    pub(super) fn has_twin(&self, now: FleetTime) -> bool {
        self.twins.iter().any(|twin| twin.stays(now))
    }

    /// Returns whether it may still play in a performance that was stopped: it was in it when it was heard last, and has
    /// not said that it stopped.
    pub(super) fn may_play(&self, performance: u64) -> bool {
        let stands =
            |status: &Status| matches!(status.state, MemberState::Stopped { .. } | MemberState::Refused { .. });
        self.status_in(performance).is_some_and(|status| !stands(status))
    }

    /// Returns the traces of its runs in a performance that it hands out.
    pub(super) fn hands_out(&self, performance: u64) -> impl Iterator<Item = Recording> + use<> {
        let recordings = self.status.as_ref().map(|status| status.recordings.clone()).unwrap_or_default();
        recordings.into_iter().filter(move |recording| recording.performance == performance)
    }

    /// Returns whether nothing is awaited of its traces any more.
    pub(super) fn has_told_all(&self, performance: u64) -> bool {
        let is_over = |of: Recording| self.traces.iter().any(|trace| trace.digest == of.digest && trace.over.is_some());
        let records = self.status.as_ref().is_some_and(|status| status.records == Some(performance));
        self.lost || !records && self.hands_out(performance).all(is_over)
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
