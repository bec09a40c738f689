//! How a leader collects the traces of the robots' runs, when a performance is over.

use super::{Event, Files, Leader, Robot};
use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::fetch::{Fetch, Fetched};
use crate::store::Store;
use boxstep_types::Time;

impl<F: Files> Leader<F> {
    /// Collects the traces of the robots' runs when the performance is over.
    #[must_use]
    pub fn collecting(self, store: impl Store + Send + 'static) -> Self {
        Self { collects: Some(Box::new(store)), ..self }
    }

    /// Returns the recordings that were collected, in the order of the robots.
    pub fn recordings(&self) -> Vec<Option<Digest>> {
        self.robots.iter().map(|robot| robot.recording).collect()
    }

    /// Asks for the next pieces of recordings.
    pub(super) fn collect(&mut self, now: FleetTime) {
        let Some(store) = &mut self.collects else { return };
        let mut failed = Vec::new();
        let wanted = |robot: &Robot| robot.recording.is_none() && !robot.given_up;
        for (index, robot) in self.robots.iter_mut().enumerate().filter(|(_, robot)| wanted(robot)) {
            let told = robot.status.as_ref().and_then(|status| status.recording);
            let Some(recording) = told.filter(|recording| recording.performance == self.performance) else { continue };
            let fetch = robot.fetch.get_or_insert_with(|| Fetch::of_recording(recording.digest, recording.size));
            match fetch.go_on(Time(now.0), store) {
                Some(Fetched::Want(message)) => self.out.extend(robot.peer.map(|peer| (Some(peer), message))),
                Some(Fetched::All) => robot.recording = Some(recording.digest),
                Some(Fetched::Failed(why)) => {
                    robot.given_up = true;
                    failed.push((index, why));
                }
                Some(Fetched::Show(_)) | None => {}
            }
        }
        for (index, text) in failed {
            self.note(now, Some(index), Event::Trouble { text });
        }
    }

    pub(super) fn came(&mut self, now: FleetTime, digest: Digest, offset: u64, bytes: &[u8]) {
        let Some(store) = &mut self.collects else { return };
        for fetch in self.robots.iter_mut().filter_map(|robot| robot.fetch.as_mut()) {
            if fetch.came(Time(now.0), digest, offset, bytes, store) {
                self.collected = now;
            }
        }
    }
}
