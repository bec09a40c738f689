//! A thousand simulated robots in real time on one core. Each is an engine that plays a timeline with a curve for each
//! of 26 joints, sampled 100 times a second.
//!
//! `cargo bench -p boxstep-robot --bench robots` prints how long one round of 10 ms takes for all of them, and fails if
//! the median round takes longer than 10 ms. `-- N` plays N robots. Without `--bench`, as a test, a few play for a
//! moment, without a time limit.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, ClockKind, Config, NoLibrary};
use boxstep_engine::protocol::{Next, Scheduler as _};
use boxstep_engine::services::Services as _;
use boxstep_engine::trace::{Event, Footer, Header, Kind, Paths, Sink};
use boxstep_format::{Limits, read_xar};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_types::Time;
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const ROBOTS: usize = 1_000;
const JOINTS: usize = 26;
const HZ: f64 = 100.0;
/// The simulated seconds that are played.
const SECONDS: i64 = 10;
const TICK: Duration = Duration::from_millis(10);

/// Returns a timeline of one minute, with a key for each joint every 0.6 s.
fn xml(joints: &[Arc<str>]) -> String {
    let mut curves = String::new();
    for (n, joint) in joints.iter().enumerate() {
        let _ = write!(curves, r#"<ActuatorCurve name="value" actuator="{joint}" mute="0" unit="0">"#);
        for key in 1..=100 {
            let value = (key * 37 + n * 11) % 9;
            let _ = write!(curves, r#"<Key frame="{}" value="{value}"/>"#, key * 15);
        }
        curves.push_str("</ActuatorCurve>");
    }
    format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Input name="onStart" type="1" type_size="1" nature="2" inner="0" id="2"/><Timeline enable="1" fps="25" start_frame="0" end_frame="1500"><ActuatorList model="nao">{curves}</ActuatorList></Timeline></Box></ChoregrapheProject>"#
    )
}

/// Counts joint angles.
struct Samples(Arc<AtomicU64>);

impl Sink for Samples {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        for event in black_box(events) {
            if let Kind::Joints { angles: joints, .. } = &event.kind {
                self.0.fetch_add(joints.len() as u64, Relaxed);
            }
        }
    }
    fn end(&mut self, _: &Footer) {}
}

fn main() -> ExitCode {
    let (bench, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a == "--bench");
    let is_test = bench.is_empty();
    let robots = words.iter().find_map(|a| a.parse().ok()).unwrap_or(if is_test { 3 } else { ROBOTS });
    let ticks = if is_test { 20 } else { SECONDS * HZ as i64 };
    let mut robot = SimRobot::new(SimOptions::default());
    let joints: Vec<Arc<str>> = robot.joints(Time::ZERO).unwrap().into_iter().map(|(n, _)| n).take(JOINTS).collect();
    assert_eq!(joints.len(), JOINTS, "a NAO has that many");
    let file = read_xar("robots.xar", xml(&joints).as_bytes(), &Limits::default()).unwrap();
    let (project, sources) = (Arc::new(file.project), Arc::new(file.sources));
    let (clock, samples) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicU64::new(0)));
    let header = Header { body: "nao".to_owned(), ..Header::new(ClockKind::Real) };
    let make = || {
        let config = Config { clock: ClockKind::Real, joints_hz: Some(HZ), ..Config::default() };
        let robot = Box::new(SimRobot::new(SimOptions::default()));
        let mut engine =
            Engine::new(config, robot, Box::new(NoLibrary), &header, vec![Box::new(Samples(samples.clone()))]);
        let read = clock.clone();
        engine.set_machine_clock(move || Time(read.load(Relaxed)));
        let source = BehaviorSource {
            name: "robots".into(),
            project: project.clone(),
            sources: sources.clone(),
            folder: "/".into(),
            relative_folder: ".".to_owned(),
            package_uid: String::new(),
        };
        engine.play(source).unwrap();
        engine
    };
    let since = Instant::now();
    let mut engines: Vec<Engine> = (0..robots).map(|_| make()).collect();
    for engine in &mut engines {
        assert!(matches!(engine.next(), Next::Wait(_)), "a timeline without scripts only waits");
    }
    let begun = since.elapsed();
    // What plays before the clock moves is the start, not a round.
    let before = samples.load(Relaxed);
    let mut rounds = Vec::new();
    for round in 1..=ticks {
        clock.store(Time::from_millis(round * TICK.as_millis() as i64).0, Relaxed);
        let since = Instant::now();
        for engine in &mut engines {
            black_box(engine.next());
        }
        rounds.push(since.elapsed());
    }
    let sampled = samples.load(Relaxed) - before;
    let wanted = rounds.len() as u64 * robots as u64;
    assert!(sampled >= wanted * JOINTS as u64, "{sampled} angles of {wanted} looks: every look has every joint");
    let all: Duration = rounds.iter().sum();
    rounds.sort_unstable();
    let at = |percent: usize| rounds[(rounds.len() - 1) * percent / 100];
    println!("{robots} robots × {JOINTS} joints × {HZ} Hz on one core");
    println!("begun in {begun:.0?}; a round of {TICK:?}: median {:.2?}, 99th percentile {:.2?}", at(50), at(99));
    println!(
        "{:.1} times real time; {:.0} ns a joint; {:.0} robots in real time",
        ticks as f64 / HZ / all.as_secs_f64(),
        all.as_nanos() as f64 / sampled as f64,
        robots as f64 * TICK.as_secs_f64() / at(50).as_secs_f64()
    );
    if at(50) > TICK && !is_test {
        eprintln!("a round takes longer than its time");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
