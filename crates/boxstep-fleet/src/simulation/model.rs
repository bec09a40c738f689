//! A model of a robot that plays: scenes that take a known time, without an engine.

use super::MemoryFiles;
use crate::digest::Digest;
use crate::network::PeerId;
use crate::player::{PartId, Player, PlayerEvent, SignalId};
use crate::sample::{Sample, Sampler};
use crate::show::{Cue, Lost, Package, Part, Play, Role, Scene, Show, Signal};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// How long a model needs to prepare, and to load a scene, in seconds.
const PREPARING: f64 = 0.4;
const LOADING: f64 = 0.2;

/// A show whose robots are models.
#[derive(Clone, Debug)]
pub struct ModelShow {
    /// The show.
    pub show: Show,
    /// Its files.
    pub files: MemoryFiles,
    /// How many seconds each scene takes.
    pub durations: Vec<f64>,
}

impl ModelShow {
    /// A show of robots with the body of a NAO, in which each robot plays in every scene, and a signal goes from the
    /// first robot to all others, a second after the beginning of each scene.
    pub fn new(robots: usize, durations: &[f64], lost: Lost) -> Self {
        let archive: Vec<u8> = (0..200_000u32).map(|n| (n * 7 % 251) as u8).collect();
        let digest = Digest::of(&archive);
        let package = Package { name: "dance.pkg".to_owned(), size: archive.len() as u64, digest };
        let play = Some(Play { package: 0, behavior: "dance/behavior_1".to_owned() });
        let part = |robot: usize| Part { robot, play: play.clone(), sound: None, character: None };
        let scene = |number: usize| Scene {
            name: format!("Scene {number}"),
            parts: (0..robots).map(part).collect(),
            at: None,
            at_most: Some(durations[number] + 2.0),
        };
        let event = |key: &str| Signal::Event { key: key.to_owned() };
        let cue = Cue { from: 0, when: event("Clap"), to: (1..robots).collect(), then: event("Clap"), after: 0.3 };
        let role = |robot: usize| Role { name: format!("robot{robot}"), body: Some("nao".to_owned()) };
        let show = Show {
            name: "A model of a show".to_owned(),
            robots: (0..robots).map(role).collect(),
            packages: vec![package],
            scenes: (0..durations.len()).map(scene).collect(),
            cues: vec![cue],
            lost,
            alone: 20.0,
            posture: Some("Crouch".to_owned()),
        };
        let files = MemoryFiles(Rc::new(BTreeMap::from([(digest, archive)])));
        Self { show, files, durations: durations.to_vec() }
    }

    /// Returns the model of a robot.
    pub fn player(&self, robot: usize) -> ModelPlayer {
        ModelPlayer { durations: self.durations.clone(), gives: robot == 0, ..ModelPlayer::default() }
    }
}

/// A model of a robot that plays.
#[derive(Clone, Debug, Default)]
pub struct ModelPlayer {
    durations: Vec<f64>,
    /// It gives the signal in each scene.
    gives: bool,
    /// What will happen, and in which scene.
    due: Vec<(Time, Option<usize>, PlayerEvent)>,
    now: Time,
    scene: Option<usize>,
    /// The scene that begins at this time.
    next: Option<(usize, Time)>,
    /// The signals that it has got: the run's times, and their cues.
    pub cues: Vec<(Time, usize)>,
    /// The same as recordings have them: when this robot gave a signal, or got one, and which.
    pub signals: Vec<(Time, bool, SignalId)>,
    /// The samples that its recording would have.
    pub samples: Vec<Sample>,
    sampler: Sampler,
    part: PartId,
    /// The posture in which it holds.
    pub holds: Option<String>,
    /// It has been stopped.
    pub is_stopped: bool,
    /// It has a robot.
    pub is_open: bool,
    /// The traces of runs that have ended.
    recordings: VecDeque<(u64, Vec<u8>)>,
}

impl ModelPlayer {
    /// Lets something happen to the robot.
    pub fn happen(&mut self, event: PlayerEvent) {
        self.after(0.0, event);
    }

    fn after(&mut self, seconds: f64, happened: PlayerEvent) {
        self.due.push((Time::from_secs_f64(self.now.as_secs_f64() + seconds), None, happened));
    }

    fn ends(&mut self) {
        if std::mem::take(&mut self.is_open) {
            let trace = format!("a run until {}", self.now.0).repeat(5000).into_bytes();
            self.recordings.push_back((self.part.performance, trace));
        }
        (self.scene, self.next) = (None, None);
        self.due.clear();
    }
}

impl Player for ModelPlayer {
    fn prepare(&mut self, _: &Show, _: usize, part: PartId) {
        self.ends();
        self.part = part;
        (self.is_open, self.is_stopped) = (true, false);
        self.after(PREPARING, PlayerEvent::Prepared);
    }

    fn load(&mut self, scene: usize) {
        self.after(LOADING, PlayerEvent::Loaded(scene));
    }

    fn start(&mut self, scene: usize, at: Time) {
        (self.next, self.holds) = (Some((scene, at)), None);
        let later = |seconds: f64| Time::from_secs_f64(at.as_secs_f64() + seconds);
        self.due.retain(|(due, of, _)| of.is_none() || *due < at);
        if self.gives {
            self.due.push((later(1.0), Some(scene), PlayerEvent::Signal(0, Value::Null, later(1.0), 0)));
        }
        let duration = self.durations.get(scene).copied().unwrap_or_default();
        self.due.push((later(duration), Some(scene), PlayerEvent::Ended(scene, None)));
    }

    fn end(&mut self) {
        if let Some(scene) = self.scene.take() {
            self.due.retain(|(_, of, _)| *of != Some(scene));
            self.due.push((self.now, None, PlayerEvent::Ended(scene, None)));
        }
    }

    fn cue(&mut self, cue: usize, signal: SignalId, _: &Value, at: Time) {
        self.cues.push((at, cue));
        self.signals.push((at, false, signal));
    }

    fn clock(&mut self, sample: Sample) {
        if self.is_open && self.sampler.chooses(sample) {
            self.samples.push(sample);
        }
    }

    fn gave(&mut self, _: usize, number: u64, _: u64) {
        self.signals.push((self.now, true, SignalId { by: PeerId(self.part.process), number }));
    }

    fn hold(&mut self, posture: Option<&str>) {
        self.end();
        self.holds = Some(posture.unwrap_or_default().to_owned());
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.ends();
    }

    fn close(&mut self) {
        self.ends();
    }

    fn records(&self) -> Option<u64> {
        let ended = self.recordings.front().map(|(performance, _)| *performance);
        ended.or(self.is_open.then_some(self.part.performance))
    }

    fn take_recording(&mut self) -> Option<(u64, Vec<u8>)> {
        self.recordings.pop_front()
    }

    fn poll(&mut self, run: Time) -> Vec<PlayerEvent> {
        self.now = self.now.max(run);
        let now = self.now;
        if let Some((scene, _)) = self.next.take_if(|(_, at)| *at <= now) {
            self.scene = Some(scene);
        }
        self.due.sort_by_key(|(at, ..)| *at);
        let ready = self.due.iter().take_while(|(at, ..)| *at <= now).count();
        self.due.drain(..ready).map(|(.., happened)| happened).collect()
    }
}
