//! Leaves that act on other robots (`on: NAME`): the side of the character, whose leaves ask them to act, and the side
//! of a robot that is asked. What is between both is up to whoever implements [`Elsewhere`] and [`Asked`].
//!
//! Both sides read the same character, so a leaf is known by its index in [`Character::behaviors`].

use crate::finding::{Finding, Rule};
use crate::model::{Character, Child, Do, Kind, Named, Node};
use boxstep_engine::runner::{Progress, RootPolicy};
use std::sync::Arc;

/// Whether another robot can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It has not answered yet. Who delegates to it waits.
    Awaited,
    /// It is there.
    There,
    /// It is not there, for this reason, in words.
    Gone(String),
}

/// The other robots, for a character that runs. No call may block.
///
/// The laws of delegation hold across it: what was started ends once, done or failed, and fails if the robot is lost; what
/// is stopped counts as winding down until the robot has said that it stands, or can only have stopped by itself.
pub trait Elsewhere: Send {
    /// Returns whether a robot can be asked.
    fn presence(&mut self, robot: &str) -> Presence;

    /// Starts a leaf on a robot. `choice`: which of its texts it says.
    fn start(&mut self, robot: &str, leaf: u32, choice: u32);

    /// Returns the progress of a leaf that was started.
    fn poll(&mut self, robot: &str, leaf: u32) -> Progress;

    /// Stops a leaf.
    fn stop(&mut self, robot: &str, leaf: u32);

    /// Returns whether what was stopped stands.
    fn settled(&mut self, robot: &str, leaf: u32) -> bool;
}

/// What a leaf of a robot that is asked has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It goes on as it is.
    GoOn,
    /// It starts. The number says which of its texts it says.
    Start(u32),
    /// It stops.
    Stop,
}

/// The wishes of a character that runs on another robot. No call may block.
pub trait Asked: Send {
    /// Returns what a leaf has to do now. Called once in each tick.
    fn turn(&mut self, leaf: u32) -> Turn;

    /// Returns whether a leaf is wanted now. Has no effect.
    fn wished(&mut self, leaf: u32) -> bool;

    /// Reports that a leaf has ended by itself: done or failed.
    fn ended(&mut self, leaf: u32, progress: Progress);

    /// Reports that a leaf that had to stop stands.
    fn stopped(&mut self, leaf: u32);
}

impl Do {
    /// Returns the action itself, wherever it is done.
    pub fn here(&self) -> &Do {
        match self {
            Do::On(_, what) => what.here(),
            what => what,
        }
    }

    /// Returns the behavior that it plays on the character's own robot.
    pub fn plays(&self) -> Option<&Arc<str>> {
        match self {
            Do::Play(name, _) | Do::Talk(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the robot that does it, if that is another one.
    pub fn robot(&self) -> Option<&Named> {
        match self {
            Do::On(robot, _) => Some(robot),
            _ => None,
        }
    }
}

impl Kind {
    /// Returns the robot on which a leaf acts, if that is another one.
    pub fn robot(&self) -> Option<&Named> {
        match self {
            Kind::Do(what) => what.robot(),
            _ => None,
        }
    }
}

impl Character {
    /// Returns the leaves that act on other robots, each with the name of its robot.
    pub fn elsewhere(&self) -> impl Iterator<Item = (&Node, &Named)> {
        self.behaviors.iter().filter_map(|node| Some((node, node.kind.robot()?)))
    }

    /// Returns the behaviors that leaves play on other robots, or on this one of them.
    pub fn plays_elsewhere<'a>(&'a self, robot: Option<&'a str>) -> impl Iterator<Item = &'a Arc<str>> {
        let there = self.elsewhere().filter(move |(_, on)| robot.is_none_or(|robot| *on.name == *robot));
        there.filter_map(|(node, _)| match &node.kind {
            Kind::Do(what) => what.here().plays(),
            _ => None,
        })
    }

    /// Returns the index of a behavior, by which both sides know a leaf.
    pub(crate) fn leaf_number(&self, name: &str) -> Option<u32> {
        self.behaviors.iter().position(|node| *node.name == *name).map(|at| at as u32)
    }

    /// Returns what another robot does for this character, as a character of that robot: all its leaves side by side.
    /// What they claim, when they want to run and what they silence is decided where the character runs.
    #[must_use]
    pub fn of_robot(&self, robot: &str) -> Character {
        let root: Arc<str> = format!("for {}", self.name).into();
        let leaves: Vec<Node> = self
            .elsewhere()
            .filter(|(_, on)| *on.name == *robot)
            .filter_map(|(node, _)| {
                let Kind::Do(what) = &node.kind else { return None };
                Some(Node {
                    when: None,
                    claims: Vec::new(),
                    silences: Vec::new(),
                    timer_at_start: None,
                    timer_at_end: None,
                    kind: Kind::Do(what.here().clone()),
                    ..node.clone()
                })
            })
            .collect();
        let child =
            |leaf: &Node| Child { to: Named { name: leaf.name.clone(), at: leaf.at }, weight: 1.0, cooldown: None };
        let all = leaves.len() as u32;
        let kind =
            Kind::Parallel { children: leaves.iter().map(child).collect(), success: all, failure: all, whole: true };
        let parent = Node {
            name: root.clone(),
            at: leaves.first().map(|leaf| leaf.at).unwrap_or_default(),
            when: None,
            claims: Vec::new(),
            silences: Vec::new(),
            timer_at_start: None,
            timer_at_end: None,
            named: Vec::new(),
            kind,
        };
        Character {
            root,
            at_end: RootPolicy::Stop,
            safe: None,
            scripts: Vec::new(),
            behaviors: std::iter::once(parent).chain(leaves).collect(),
            ..self.clone()
        }
    }

    /// Finds the leaves that act on other robots, because nobody knows any.
    pub(crate) fn alone(&self) -> Vec<Finding> {
        let one = |(node, on): (&Node, &Named)| {
            let message = format!("`on: {}`: only a show has other robots", on.name);
            let help =
                Some("a scene of a show can play this character (`boxstep fleet rehearse SHOW.yaml`)".to_owned());
            Finding::new(Rule::UnknownName, on.at, message).way(std::slice::from_ref(&node.name)).help(help)
        };
        self.elsewhere().map(one).collect()
    }
}
