//! Delegates of a character that run on other robots: what is wanted of them, and what became of it.
//!
//! The lead, the robot whose character it is, tells each guest all that it wants of it at the moment, again and again; the
//! guest answers with the state of all of it. So nothing is lost with a message, and each side can tell by silence that it
//! is alone: a guest that does not hear its lead for a second stops what it does for it, and a guest that is not heard for
//! a second counts as lost, with all that it does.
//!
//! [`LeadDesk`] and [`GuestDesk`] are where engines and the member meet, which is a machine of messages (`member/elsewhere.rs`).

mod guest;
mod lead;

pub use guest::{GuestDesk, Turn};
pub use lead::{LeadDesk, Outcome, Presence};

use boxstep_types::Value;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most tasks of a character that one robot does at a time.
pub const MOST_TASKS: usize = 256;

/// Something that a robot is to do for another one, from when it hears of it until it does not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The leaf of the character.
    pub leaf: u32,
    /// The number of the delegation, counted by the lead: each runs once.
    pub ticket: u64,
    /// Which of its texts the leaf says.
    pub choice: u32,
}

/// The state of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskNews {
    /// The leaf.
    pub leaf: u32,
    /// The number of the delegation.
    pub ticket: u64,
    /// How it has ended; `None` while it runs or winds down.
    pub ended: Option<Ended>,
}

/// How a task has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It is done, with this value.
    Done(Value),
    /// It has failed, for this reason.
    Failed(String),
    /// It was stopped, because it was not wanted any more.
    Stopped,
}

/// No caller's code runs under these locks, so a poisoned one holds no half-done change.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
