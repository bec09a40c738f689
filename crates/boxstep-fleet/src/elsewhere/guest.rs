//! The side of a robot that does something for a character on another robot.

use super::{Ended, Task, TaskNews, lock};
use crate::message::{MOST_VALUE, MOST_VALUES, shorten, size};
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What a leaf has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It goes on as it is.
    GoOn,
    /// It starts, with this choice.
    Start(u32),
    /// It stops.
    Stop,
}

/// Where a robot's engine looks for what another robot's character wants of it. Clones are the same desk.
#[derive(Clone, Debug, Default)]
pub struct GuestDesk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    wanted: BTreeMap<u32, Task>,
    begun: BTreeMap<u32, Begun>,
    /// By leaf: the last ticket that has begun. An older one never begins.
    last: BTreeMap<u32, u64>,
    /// Why nothing begins any more.
    closed: Option<String>,
    /// The lead is not heard.
    alone: bool,
    /// The robot does something else, and nothing begins meanwhile.
    held_back: bool,
    /// The character is over.
    over: bool,
}

#[derive(Debug)]
struct Begun {
    ticket: u64,
    state: Phase,
}

#[derive(Debug, PartialEq)]
enum Phase {
    Runs,
    Stops,
    Ended(Ended),
}

impl State {
    fn is_wanted(&self, leaf: u32, ticket: u64) -> bool {
        self.wanted.get(&leaf).is_some_and(|task| task.ticket == ticket)
    }

    /// Returns whether something still runs that is not wanted any more. Nothing begins before it stands.
    fn winds_down(&self) -> bool {
        self.begun.iter().any(|(leaf, begun)| match begun.state {
            Phase::Runs => !self.is_wanted(*leaf, begun.ticket),
            Phase::Stops => true,
            Phase::Ended(_) => false,
        })
    }
}

impl GuestDesk {
    /// Returns what a leaf has to do now.
    pub fn turn(&self, leaf: u32) -> Turn {
        let state = &mut *lock(&self.0);
        let wanted = state.wanted.get(&leaf).copied();
        if let Some(begun) = state.begun.get_mut(&leaf).filter(|begun| begun.state == Phase::Runs) {
            if wanted.is_some_and(|task| task.ticket == begun.ticket) {
                return Turn::GoOn;
            }
            begun.state = Phase::Stops;
            return Turn::Stop;
        }
        let Some(task) = wanted else { return Turn::GoOn };
        let is_new = state.last.get(&leaf).is_none_or(|last| *last < task.ticket);
        if !is_new || state.closed.is_some() || state.held_back || state.winds_down() {
            return Turn::GoOn;
        }
        state.last.insert(leaf, task.ticket);
        state.begun.insert(leaf, Begun { ticket: task.ticket, state: Phase::Runs });
        Turn::Start(task.choice)
    }

    /// Returns whether a leaf is wanted and has not ended.
    pub fn wants(&self, leaf: u32) -> bool {
        let state = lock(&self.0);
        let ended = state.begun.get(&leaf).filter(|begun| matches!(begun.state, Phase::Ended(_)));
        state.wanted.get(&leaf).is_some_and(|task| ended.is_none_or(|begun| begun.ticket != task.ticket))
    }

    /// Notes that a leaf has ended by itself.
    pub fn ended(&self, leaf: u32, how: Result<Value, String>) {
        let mut state = lock(&self.0);
        if let Some(begun) = state.begun.get_mut(&leaf) {
            begun.state = Phase::Ended(match (&begun.state, how) {
                (Phase::Stops, _) => Ended::Stopped,
                (_, Ok(value)) => match size(&value) {
                    bytes if bytes > MOST_VALUE => Ended::Failed(format!(
                        "it is done, but its value has {bytes} bytes, and {MOST_VALUE} is the most that can be told"
                    )),
                    _ => Ended::Done(value),
                },
                (_, Err(mut why)) => {
                    shorten(&mut why);
                    Ended::Failed(why)
                }
            });
        }
    }

    /// Notes that a leaf stands that was told to stop.
    pub fn stopped(&self, leaf: u32) {
        let state = &mut *lock(&self.0);
        let closed = state.closed.clone();
        if let Some(begun) = state.begun.get_mut(&leaf) {
            // The lead did not want it to stop.
            let lost = closed.filter(|_| state.wanted.get(&leaf).is_some_and(|task| task.ticket == begun.ticket));
            begun.state = Phase::Ended(lost.map_or(Ended::Stopped, Ended::Failed));
        }
    }

    /// Lets nothing begin any more, for this reason.
    pub fn close(&self, why: &str) {
        lock(&self.0).closed.get_or_insert_with(|| why.to_owned());
    }

    /// Lets nothing begin for some time, because the robot does something else, or begin again.
    pub fn hold_back(&self, on: bool) {
        lock(&self.0).held_back = on;
    }

    /// Returns whether the character is over.
    pub fn is_over(&self) -> bool {
        lock(&self.0).over
    }

    /// Returns whether the lead is not heard, so that the robot should wait in a safe posture.
    pub fn is_alone(&self) -> bool {
        lock(&self.0).alone
    }

    /// Returns whether anything runs or winds down.
    pub fn is_busy(&self) -> bool {
        lock(&self.0).begun.values().any(|begun| !matches!(begun.state, Phase::Ended(_)))
    }

    /// Takes what is wanted now, all of it.
    pub(crate) fn want(&self, tasks: &[Task], over: bool) {
        let mut state = lock(&self.0);
        (state.wanted, state.alone) = (tasks.iter().map(|task| (task.leaf, *task)).collect(), false);
        state.over |= over;
        // The lead knows how these have ended.
        let State { wanted, begun, .. } = &mut *state;
        let known = |leaf: &u32, begun: &Begun| wanted.get(leaf).is_none_or(|task| task.ticket != begun.ticket);
        begun.retain(|leaf, begun| !(matches!(begun.state, Phase::Ended(_)) && known(leaf, begun)));
    }

    /// Stops everything, because the lead is not heard any more.
    pub(crate) fn be_alone(&self) {
        let mut state = lock(&self.0);
        state.wanted.clear();
        state.alone = true;
    }

    /// Returns the state of all that has begun, and why nothing begins any more.
    pub(crate) fn news(&self) -> (Vec<TaskNews>, Option<String>) {
        let state = lock(&self.0);
        let mut told = 0;
        let one = |(leaf, begun): (&u32, &Begun)| {
            let ended = match &begun.state {
                Phase::Ended(how) => Some(how.clone()),
                _ => None,
            };
            told += ended.as_ref().map_or(0, how_large);
            // What has no room in this message is told when the lead knows the others.
            TaskNews { leaf: *leaf, ticket: begun.ticket, ended: ended.filter(|_| told <= MOST_VALUES) }
        };
        (state.begun.iter().map(one).collect(), state.closed.clone())
    }
}

fn how_large(how: &Ended) -> usize {
    match how {
        Ended::Done(value) => size(value),
        Ended::Failed(why) => why.len(),
        Ended::Stopped => 0,
    }
}
