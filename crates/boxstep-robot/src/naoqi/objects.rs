//! Objects that a robot's services return. Scripts use them as services named `#1`, `#2` …

use super::connection::Connection;
use crate::wire::Objects;
use boxstep_qi::{ObjectValue, Remote};
use boxstep_types::{ObjectRef, Value};
use std::collections::BTreeMap;

/// The most objects that are kept; one more releases the oldest.
const MOST: usize = 1024;

/// The robot's objects, by number.
#[derive(Default)]
pub(super) struct Kept {
    held: BTreeMap<u64, Remote>,
    made: u64,
}

impl Kept {
    fn keep(&mut self, remote: Remote) -> (u64, Option<Remote>) {
        if let Some((&id, _)) = self.held.iter().find(|(_, r)| r.is_same(&remote)) {
            return (id, None);
        }
        self.made += 1;
        self.held.insert(self.made, remote);
        let oldest = if self.held.len() > MOST { self.held.pop_first().map(|(_, r)| r) } else { None };
        (self.made, oldest)
    }

    /// Returns the object that scripts call `#n`.
    pub(super) fn get(&self, name: &str) -> Option<&Remote> {
        self.held.get(&name.strip_prefix('#')?.parse().ok()?)
    }

    /// Drops all objects, because the connection over which they are reached has ended.
    pub(super) fn forget(&mut self) {
        self.held.clear();
    }
}

/// Converts objects between scripts and the robot.
pub(super) struct Passing<'a>(pub(super) &'a Connection);

impl Objects for Passing<'_> {
    fn received(&mut self, object: &ObjectValue) -> Value {
        let Some(remote) = object.remote() else { return Value::Null };
        // The oldest is dropped outside the lock, because that sends a message to the robot.
        let (id, _oldest) = self.0.state().objects.keep(remote.clone());
        Value::Object(ObjectRef::of_robot(id))
    }
}
