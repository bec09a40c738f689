//! How a leader collects the traces of the robots' runs, when a performance is over.

use super::robot::Trace;
use super::{Event, Files, Leader, Robot};
use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::fetch::{Fetch, Fetched};
use crate::message::Recording;
use crate::store::Store;
use boxstep_types::Time;

impl<F: Files> Leader<F> {
    /// Collects the traces of the robots' runs when the performance is over.
    #[must_use]
    pub fn collecting(self, store: impl Store + Send + 'static) -> Self {
        Self { collects: Some(Box::new(store)), ..self }
    }

    /// Returns the traces that were collected, in the order of the robots; those of each in the order of its runs.
    pub fn recordings(&self) -> Vec<Vec<Digest>> {
        let of = |robot: &Robot| {
            let there = robot.traces.iter().filter(|trace| trace.over == Some(true));
            there.map(|trace| trace.digest).collect()
        };
        self.robots.iter().map(of).collect()
    }

    /// Asks for the next pieces of recordings.
    pub(super) fn collect(&mut self, now: FleetTime) {
        let Some(store) = &mut self.collects else { return };
        let mut failed = Vec::new();
        for (index, robot) in self.robots.iter_mut().enumerate() {
            for Recording { digest, size, .. } in robot.hands_out(self.performance) {
                let at = robot.traces.iter().position(|trace| trace.digest == digest).unwrap_or_else(|| {
                    robot.traces.push(Trace { digest, fetch: Fetch::of_recording(digest, size), over: None });
                    robot.traces.len() - 1
                });
                let trace = &mut robot.traces[at];
                if trace.over.is_some() {
                    continue;
                }
                match trace.fetch.go_on(Time(now.0), store) {
                    Some(Fetched::Want(message)) => self.out.extend(robot.peer.map(|peer| (Some(peer), message))),
                    Some(Fetched::All) => trace.over = Some(true),
                    Some(Fetched::Failed(why)) => {
                        trace.over = Some(false);
                        failed.push((index, why));
                    }
                    Some(Fetched::Show(_)) | None => {}
                }
            }
        }
        for (index, text) in failed {
            self.note(now, Some(index), Event::Trouble { text });
        }
    }

    pub(super) fn came(&mut self, now: FleetTime, digest: Digest, offset: u64, bytes: &[u8]) {
        let Some(store) = &mut self.collects else { return };
        for trace in self.robots.iter_mut().flat_map(|robot| &mut robot.traces) {
            if trace.fetch.came(Time(now.0), digest, offset, bytes, store) {
                self.collected = now;
            }
        }
    }
}
