//! Runs that are ended and stopped at any time.

use super::*;
use boxstep_engine::config::{ClockKind, Config, NoLibrary};
use boxstep_engine::shared::{Host as _, NoScripts, Shared};
use boxstep_engine::trace::{Event, Footer, Header, Kind, Paths, Sink};
use boxstep_fleet::show::{Lost, Role};
use boxstep_services::{SimOptions, SimRobot};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// How long a test waits for what happens at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// A player whose runs are empty. A run says when it connects and when it is there, and each time waits until it
/// may go on.
struct Rig {
    player: EnginePlayer,
    reached: Receiver<Arc<PartLink>>,
    go_on: Sender<()>,
    controls: Receiver<String>,
}

struct Controls(Sender<String>);

impl Sink for Controls {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], _: &Paths) {
        for event in events {
            if let Kind::Control { control, .. } = &event.kind {
                self.0.send(format!("{control:?}")).unwrap();
            }
        }
    }

    fn end(&mut self, _: &Footer) {}
}

impl Rig {
    fn new() -> Self {
        let (reaches, reached) = channel();
        let (go_on, waits) = channel();
        let (hears, controls) = channel();
        let (waits, hears) = (Mutex::new(waits), Mutex::new(hears));
        let launch: Launch = Arc::new(move |link| {
            let waits = waits.lock().unwrap();
            reaches.send(link.clone()).unwrap();
            waits.recv_timeout(PATIENCE).unwrap();
            let config = Config { clock: ClockKind::Virtual, scripts: false, ..Config::default() };
            let robot = Box::new(SimRobot::new(SimOptions::default()));
            let sinks: Vec<Box<dyn Sink>> = vec![Box::new(Controls(hears.lock().unwrap().clone()))];
            let header = Header::new(ClockKind::Virtual);
            let engine = Shared::of_run(Engine::new(config, robot, Box::new(NoLibrary), &header, sinks));
            engine.lock().keep_open(true);
            link.open(&engine);
            reaches.send(link.clone()).unwrap();
            waits.recv_timeout(PATIENCE).unwrap();
            NoScripts.drive(&engine).map_err(Failure::Run)?;
            Ok(exit::OK)
        });
        let player = EnginePlayer::new(launch, RunClock::Virtual, |_| PathBuf::new(), PathBuf::new());
        Self { player, reached, go_on, controls }
    }

    fn prepare(&mut self) -> Arc<PartLink> {
        let show = Show {
            name: String::new(),
            robots: vec![Role { name: "one".to_owned(), body: None }],
            packages: Vec::new(),
            scenes: Vec::new(),
            cues: Vec::new(),
            lost: Lost::GoOn,
            alone: 0.0,
            posture: None,
        };
        self.player.prepare(&show, 0, Default::default());
        self.reached.recv_timeout(PATIENCE).unwrap()
    }

    fn go_on(&self) {
        self.go_on.send(()).unwrap();
    }

    fn ended(&self, link: &PartLink) -> Vec<String> {
        link.wait_for_end(PATIENCE);
        assert!(link.is_over(), "the run goes on for ever");
        self.controls.try_iter().collect()
    }
}

#[test]
fn a_run_that_is_closed_while_it_connects_ends() {
    let mut rig = Rig::new();
    let link = rig.prepare();
    rig.player.close();
    rig.go_on();
    rig.go_on();
    assert_eq!(rig.ended(&link), ["Stop(())"]);
    rig.reached.recv_timeout(PATIENCE).unwrap();
    // The next one is not kept waiting, and one that is not wanted any more does not connect at all.
    rig.prepare();
    rig.player.prepare(&rig.player.run.as_ref().unwrap().show.clone(), 0, Default::default());
    rig.player.close();
    rig.go_on();
    rig.go_on();
    rig.player.join();
    assert!(rig.player.closed.iter().all(|link| link.is_over()));
    assert_eq!(rig.reached.try_iter().count(), 1, "the last one did not connect");
}

#[test]
fn a_run_that_is_stopped_while_it_connects_is_interrupted() {
    let mut rig = Rig::new();
    let link = rig.prepare();
    rig.player.stop();
    rig.player.close();
    rig.go_on();
    rig.go_on();
    assert_eq!(rig.ended(&link), ["Interrupt(())"]);
}

#[test]
fn a_stop_reaches_a_run_that_is_closed_and_still_ends() {
    let mut rig = Rig::new();
    let link = rig.prepare();
    rig.go_on();
    rig.reached.recv_timeout(PATIENCE).unwrap();
    rig.player.close();
    assert!(rig.player.links().any(|link| !link.is_over()), "it counts as open");
    rig.player.stop();
    rig.go_on();
    assert_eq!(rig.ended(&link), ["Stop(())", "Interrupt(())"]);
    assert!(rig.player.links().all(|link| link.is_over()));
}

#[test]
fn the_trace_of_a_run_that_still_ends_is_not_one_of_the_next_performance() {
    let mut rig = Rig::new();
    let link = rig.prepare();
    let show = rig.player.run.as_ref().unwrap().show.clone();
    rig.player.prepare(&show, 0, PartId { performance: 2, process: 0 });
    assert_eq!(rig.player.records(), Some(0), "it has not ended");
    rig.go_on();
    rig.go_on();
    rig.ended(&link);
    assert_eq!(rig.player.take_recording(), None, "it was not recorded");
    assert_eq!(rig.player.records(), Some(2));
    rig.player.close();
    rig.go_on();
    rig.go_on();
    rig.player.join();
}

#[test]
fn in_virtual_time_a_run_that_was_closed_has_ended_when_its_recording_is_asked_for() {
    let mut rig = Rig::new();
    rig.prepare();
    rig.go_on();
    rig.reached.recv_timeout(PATIENCE).unwrap();
    rig.player.close();
    rig.go_on();
    assert_eq!(rig.player.take_recording(), None, "it was not recorded");
    assert!(rig.player.closed.is_empty(), "it has ended, however busy the machine is");
}
