//! The side of the robot whose character wants something of others.

use super::{Ended, MOST_TASKS, Task, TaskNews, lock};
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Whether a robot can be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It has not answered yet.
    #[default]
    Awaited,
    /// It answers.
    There,
    /// It cannot be asked, for this reason.
    Gone(String),
}

/// The progress of something that a robot was asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It runs, or is about to.
    Running,
    /// It is done, with this value.
    Done(Value),
    /// It has failed, for this reason.
    Failed(String),
}

/// Where a robot's engine says what its character wants of other robots. Clones are the same desk.
#[derive(Clone, Debug, Default)]
pub struct LeadDesk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// By robot, as the show numbers them.
    robots: BTreeMap<usize, Robot>,
    ticket: u64,
    over: bool,
}

#[derive(Debug, Default)]
struct Robot {
    presence: Presence,
    wishes: BTreeMap<u32, Wish>,
    /// Something has changed that it has not been told.
    changed: bool,
}

/// A delegation that is not forgotten.
#[derive(Debug)]
struct Wish {
    task: Task,
    /// The first message that told of it, and the first that did not any more.
    told: Option<u64>,
    dropped: Option<u64>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Wanted,
    /// It has ended, and the character does not know yet.
    Over(Outcome),
    /// It has to stop, or the robot is lost and may still do it.
    Stops,
}

impl LeadDesk {
    /// Creates a desk for a character that may ask these robots.
    pub fn new(robots: impl IntoIterator<Item = usize>) -> Self {
        let robots = robots.into_iter().map(|robot| (robot, Robot::default())).collect();
        Self(Arc::new(Mutex::new(State { robots, ..State::default() })))
    }

    /// Returns whether a robot can be asked.
    pub fn presence(&self, robot: usize) -> Presence {
        let nobody = || Presence::Gone("it is not a robot of this character".to_owned());
        lock(&self.0).robots.get(&robot).map_or_else(nobody, |robot| robot.presence.clone())
    }

    /// Wants a robot to do something.
    pub fn start(&self, robot: usize, leaf: u32, choice: u32) {
        let state = &mut *lock(&self.0);
        let Some(robot) = state.robots.get_mut(&robot) else { return };
        state.ticket += 1;
        let task = Task { leaf, ticket: state.ticket, choice };
        let stage = match &robot.presence {
            Presence::Gone(why) => Stage::Over(Outcome::Failed(why.clone())),
            _ if robot.wishes.len() >= MOST_TASKS => {
                let why = format!("more than {MOST_TASKS} things are asked of the robot at a time");
                Stage::Over(Outcome::Failed(why))
            }
            Presence::Awaited | Presence::There => Stage::Wanted,
        };
        robot.wishes.insert(leaf, Wish { task, told: None, dropped: None, stage });
        robot.changed = true;
    }

    /// Returns the progress of what a robot was asked to do. An end is told once.
    pub fn poll(&self, robot: usize, leaf: u32) -> Outcome {
        let mut state = lock(&self.0);
        let none = || Outcome::Failed("it was not asked to".to_owned());
        let Some(robot) = state.robots.get_mut(&robot) else { return none() };
        let Some(wish) = robot.wishes.get_mut(&leaf) else { return none() };
        match &wish.stage {
            Stage::Wanted => Outcome::Running,
            Stage::Stops => none(),
            Stage::Over(outcome) => {
                let outcome = outcome.clone();
                // A robot that is lost may still do it.
                let stands = wish.told.is_none() || robot.presence == Presence::There;
                match stands {
                    true => drop(robot.wishes.remove(&leaf)),
                    false => wish.stage = Stage::Stops,
                }
                outcome
            }
        }
    }

    /// Does not want it any more.
    pub fn stop(&self, robot: usize, leaf: u32) {
        let mut state = lock(&self.0);
        let Some(robot) = state.robots.get_mut(&robot) else { return };
        robot.changed = true;
        let Some(wish) = robot.wishes.get_mut(&leaf) else { return };
        match (&wish.stage, wish.told) {
            (Stage::Wanted, Some(_)) => wish.stage = Stage::Stops,
            // It has never heard of it, or it has ended meanwhile.
            (Stage::Wanted, None) => drop(robot.wishes.remove(&leaf)),
            (Stage::Over(_), told) => match told.is_some() && robot.presence != Presence::There {
                true => wish.stage = Stage::Stops,
                false => drop(robot.wishes.remove(&leaf)),
            },
            (Stage::Stops, _) => {}
        }
    }

    /// Returns whether nothing is left of what was stopped.
    pub fn settled(&self, robot: usize, leaf: u32) -> bool {
        let state = lock(&self.0);
        let wish = state.robots.get(&robot).and_then(|robot| robot.wishes.get(&leaf));
        wish.is_none_or(|wish| !matches!(wish.stage, Stage::Stops))
    }

    /// Notes that the character is over. Nothing is wanted any more.
    pub fn end(&self) {
        let mut state = lock(&self.0);
        state.over = true;
        for robot in state.robots.values_mut() {
            robot.changed = true;
            robot.wishes.clear();
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        lock(&self.0).over
    }

    /// Returns the robots that the character may ask.
    pub(crate) fn robots(&self) -> Vec<usize> {
        lock(&self.0).robots.keys().copied().collect()
    }

    /// Returns whether a robot should be told at once, because something has changed.
    pub(crate) fn has_changed(&self, robot: usize) -> bool {
        lock(&self.0).robots.get(&robot).is_some_and(|robot| robot.changed)
    }

    /// Returns what a robot is wanted to do, for a message of this number: nothing if it is `known` no more.
    pub(crate) fn tell(&self, robot: usize, serial: u64, known: bool) -> Vec<Task> {
        let mut state = lock(&self.0);
        let Some(robot) = state.robots.get_mut(&robot) else { return Vec::new() };
        robot.changed = false;
        let mut tasks = Vec::new();
        for wish in robot.wishes.values_mut() {
            match wish.stage {
                Stage::Wanted if known => {
                    wish.told.get_or_insert(serial);
                    tasks.push(wish.task);
                }
                Stage::Wanted => {}
                Stage::Over(_) | Stage::Stops => drop(wish.dropped.get_or_insert(serial)),
            }
        }
        tasks
    }

    /// Takes the answer of a robot to the message of this number, or a later one before the next answer.
    pub(crate) fn answered(&self, robot: usize, heard: u64, news: &[TaskNews], refused: Option<&str>) {
        let mut state = lock(&self.0);
        let Some(robot) = state.robots.get_mut(&robot) else { return };
        let mut gone = Vec::new();
        for (leaf, wish) in &mut robot.wishes {
            let mine = news.iter().find(|news| (news.leaf, news.ticket) == (*leaf, wish.task.ticket));
            let knows = |since: Option<u64>| since.is_some_and(|since| heard >= since);
            match (&wish.stage, mine) {
                (Stage::Wanted, Some(TaskNews { ended: Some(how), .. })) => {
                    wish.stage = Stage::Over(match how {
                        Ended::Done(value) => Outcome::Done(value.clone()),
                        Ended::Failed(why) => Outcome::Failed(why.clone()),
                        Ended::Stopped => Outcome::Failed("it was stopped there".to_owned()),
                    });
                }
                (Stage::Wanted, None) if refused.is_some() => {
                    let why = refused.unwrap_or_default().to_owned();
                    wish.stage = Stage::Over(Outcome::Failed(why));
                }
                (Stage::Stops, Some(TaskNews { ended: Some(_), .. })) => gone.push(*leaf),
                // It has stopped, or has never begun.
                (Stage::Stops, None) if knows(wish.dropped) => gone.push(*leaf),
                _ => {}
            }
        }
        gone.iter().for_each(|leaf| drop(robot.wishes.remove(leaf)));
        robot.presence = refused.map_or(Presence::There, |why| Presence::Gone(why.to_owned()));
    }

    /// Notes that a robot is lost: what it does for this one has failed.
    pub(crate) fn lost(&self, robot: usize, why: &str) {
        let mut state = lock(&self.0);
        let Some(robot) = state.robots.get_mut(&robot) else { return };
        robot.presence = Presence::Gone(why.to_owned());
        for wish in robot.wishes.values_mut().filter(|wish| matches!(wish.stage, Stage::Wanted)) {
            wish.stage = Stage::Over(Outcome::Failed(why.to_owned()));
        }
    }

    /// Notes that a robot that was lost has stopped by itself meanwhile, wherever it is.
    pub(crate) fn stands(&self, robot: usize) {
        if let Some(robot) = lock(&self.0).robots.get_mut(&robot) {
            robot.wishes.retain(|_, wish| !matches!(wish.stage, Stage::Stops));
            for wish in robot.wishes.values_mut() {
                // The character still has to know its end.
                wish.told = None;
            }
        }
    }
}
