//! A show, as leader and members know it: scenes, who plays what in them, and the cues between robots.

use crate::digest::Digest;
use boxstep_types::BoxPath;
use serde::{Deserialize, Serialize};

/// A show with everything that it needs. Robots, packages and scenes are named by their index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Show {
    /// The name of the show.
    pub name: String,
    /// The robots, by the names under which they join.
    pub robots: Vec<Role>,
    /// The files that robots need.
    pub packages: Vec<Package>,
    /// The scenes, in the order in which they play.
    pub scenes: Vec<Scene>,
    /// The signals of a robot that other robots get.
    pub cues: Vec<Cue>,
    /// What happens if a robot is lost.
    pub lost: Lost,
    /// The seconds for which a robot that has lost the leader goes on with its scene at most.
    pub alone: f64,
    /// The posture in which a robot waits if the show cannot go on.
    pub posture: Option<String>,
}

/// A robot of a show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Role {
    /// The name under which it joins.
    pub name: String,
    /// The body that it must have, for example `nao`; any if there is none.
    pub body: Option<String>,
}

/// A file that robots need: an archive with behaviors, or a sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Package {
    /// The name of the file, for messages, with the extension that says what it is.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256.
    pub digest: Digest,
}

/// A part of a show that all its robots begin together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The name.
    pub name: String,
    /// What each robot does. A robot without a part waits.
    pub parts: Vec<Part>,
    /// When the scene begins, in seconds from the beginning of the show. Without it the scene begins when the one before
    /// it has ended on all its robots.
    pub at: Option<f64>,
    /// After how many seconds the scene ends even if behaviors still play.
    pub at_most: Option<f64>,
}

/// What one robot does in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The robot.
    pub robot: usize,
    /// The behavior that it plays.
    pub play: Option<Play>,
    /// The sound that it plays, a package.
    pub sound: Option<usize>,
    /// The character that it plays, or for which it acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterPart>,
}

impl Part {
    fn packages(&self) -> impl Iterator<Item = usize> {
        let character = self.character.as_ref().map(|character| character.package);
        self.play.as_ref().map(|play| play.package).into_iter().chain(self.sound).chain(character)
    }

    /// Returns whether the robot acts for the character of another one, and has nothing to do by itself.
    pub fn is_guest(&self) -> bool {
        self.character.as_ref().is_some_and(|character| character.lead != self.robot)
    }
}

/// A character of a package, in a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterPart {
    /// The package, which has the file and all that it plays.
    pub package: usize,
    /// The name of the file in it.
    pub file: String,
    /// The robot whose character it is. The others act for it.
    pub lead: usize,
}

/// A behavior of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Play {
    /// The package.
    pub package: usize,
    /// The behavior, by the name that robots know it by.
    pub behavior: String,
}

/// A signal that goes from one robot to others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cue {
    /// The robot from which it comes.
    pub from: usize,
    /// What gives it.
    pub when: Signal,
    /// The robots that get it.
    pub to: Vec<usize>,
    /// What it does there.
    pub then: Signal,
    /// How many seconds after the signal all of them get it, so that they react together. A robot that hears of it later
    /// reacts at once.
    pub after: f64,
}

/// An end of a cue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// An output, or input, of a box.
    Port {
        /// The box.
        path: BoxPath,
        /// The name of its input or output.
        port: String,
    },
    /// An event of the robot's memory.
    Event {
        /// The key.
        key: String,
    },
}

/// What happens if a robot is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lost {
    /// The others go on.
    #[default]
    GoOn,
    /// The others finish the scene, and then wait for it.
    Hold,
    /// All robots stop at once.
    Stop,
}

/// The most robots of a show.
pub const MOST_ROBOTS: usize = 2000;
/// The most scenes, cues and packages.
pub const MOST_PARTS: usize = 10_000;

impl Show {
    /// Returns what a robot does in a scene.
    pub fn part(&self, scene: usize, robot: usize) -> Option<&Part> {
        self.scenes.get(scene)?.parts.iter().find(|part| part.robot == robot)
    }

    /// Returns the index of the robot with this name.
    pub fn robot(&self, name: &str) -> Option<usize> {
        self.robots.iter().position(|role| role.name == name)
    }

    /// Returns the packages that a robot needs, each once.
    pub fn packages_of(&self, robot: usize) -> Vec<usize> {
        let parts = self.scenes.iter().flat_map(|scene| &scene.parts).filter(|part| part.robot == robot);
        let mut needed: Vec<usize> = parts.flat_map(|part| part.packages()).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Checks that a show from the network names only what it has, and that its numbers are usable.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        let (robots, packages) = (self.robots.len(), self.packages.len());
        let many = [packages, self.scenes.len(), self.cues.len()].into_iter().any(|n| n > MOST_PARTS);
        if robots > MOST_ROBOTS || many {
            return Err("it is too large".to_owned());
        }
        let seconds = |s: f64| s.is_finite() && (0.0..=1e6).contains(&s);
        let parts = || self.scenes.iter().flat_map(|scene| &scene.parts);
        let leads = |part: &Part| part.character.as_ref().is_none_or(|character| character.lead < robots);
        let robot_named = parts().all(|part| part.robot < robots && leads(part))
            && self.cues.iter().all(|cue| cue.from < robots && cue.to.iter().all(|to| *to < robots));
        let package_named = parts().flat_map(Part::packages).all(|package| package < packages);
        let times = self.scenes.iter().flat_map(|scene| [scene.at, scene.at_most]).flatten();
        let times = times.chain(self.cues.iter().map(|cue| cue.after)).chain([self.alone]).all(seconds);
        match (robot_named, package_named, times) {
            (false, ..) => Err("it names a robot that it does not have".to_owned()),
            (_, false, _) => Err("it names a file that it does not have".to_owned()),
            (.., false) => Err("it has a time that is none".to_owned()),
            _ => Ok(()),
        }
    }
}
