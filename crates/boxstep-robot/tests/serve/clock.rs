//! A robot whose clock the client controls.

use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control, NoLibrary};
use boxstep_engine::services::{Services, Topic};
use boxstep_engine::trace::{ClockKind, Event, Footer, Header, Paths, Sink};
use boxstep_qi::{Server, Session};
use boxstep_robot::serve::clock::{self, HeldRobot};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Sink for Lines {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        self.0.lock().unwrap().extend(events.iter().map(|e| format!("{e:?}")));
    }
    fn end(&mut self, footer: &Footer) {
        self.0.lock().unwrap().push(format!("{footer:?}"));
    }
}

fn options() -> SimOptions {
    SimOptions { language: "French".to_owned(), ..SimOptions::default() }
}

fn served() -> (Server, Session) {
    let server = Server::listen("127.0.0.1:0").unwrap();
    server.register(clock::NAME, clock::service(SimOptions::default()).unwrap()).unwrap();
    let session = Session::connect(&server.address().to_string()).unwrap();
    (server, session)
}

fn header(seed: u64) -> Header {
    Header { product: "test".to_owned(), body: "nao".to_owned(), seed, ..Header::new(ClockKind::Virtual) }
}

/// A run with speech, motion, a walk, random lights, timers, events and rejected calls.
fn run(robot: Box<dyn Services>) -> Vec<String> {
    let lines = Lines::default();
    let config = Config { seed: 7, joints_hz: Some(5.0), ..Config::default() };
    let mut engine = Engine::new(config, robot, Box::new(NoLibrary), &header(7), vec![Box::new(lines.clone())]);
    engine.keep_open(true);
    engine.subscribe(Topic::Memory("ALTextToSpeech/CurrentWord".into()), Arc::new(|_| {})).unwrap();
    let list = |items: &[f64]| Value::list(items.iter().map(|x| Value::Float(*x)));
    let names = Value::list(["HeadYaw".into(), "LHand".into()]);
    let calls: Vec<(f64, &str, &str, Vec<Value>)> = vec![
        (0.0, "ALTextToSpeech", "say", vec!["bonjour le monde \\pau=300\\ encore".into()]),
        (0.1, "ALLeds", "randomEyes", vec![1.0.into()]),
        (0.3, "ALMotion", "angleInterpolation", vec![names, list(&[0.3, 0.7]), list(&[1.1, 0.9]), true.into()]),
        (0.4, "ALMotion", "setAngles", vec!["HeadPitch".into(), 0.1.into(), 0.3.into()]),
        (0.5, "ALMotion", "moveTo", vec![0.1.into(), 0.05.into(), 0.2.into()]),
        (0.9, "ALMotion", "stopMove", vec![]),
        (1.0, "ALMemory", "insertData", vec!["k".into(), Value::map([("a", 0.1.into()), ("b", Value::Null)])]),
        (1.0, "ALMemory", "getData", vec!["k".into()]),
        (1.1, "ALMotion", "dance", vec![]),
        (1.2, "ALNobody", "dance", vec![]),
        (1.3, "ALMotion", "setAngles", vec!["HeadPitch".into()]),
        (2.0, "ALTextToSpeech", "say", vec!["au revoir tout le monde".into()]),
        (2.1, "ALTextToSpeech", "stopAll", vec![]),
    ];
    for (at, service, method, args) in calls {
        let call = Control::Call { service: service.to_owned(), method: method.to_owned(), args };
        engine.control(Time::from_secs_f64(at), call).unwrap();
    }
    let touch = Control::Event { key: "FrontTactilTouched".to_owned(), value: 1.0.into() };
    engine.control(Time::from_millis(700), touch).unwrap();
    engine.run_until(Time::from_millis(9000)).unwrap();
    assert!(engine.memory("FrontTactilTouched").is_some());
    engine.end().unwrap();
    let lines = lines.0.lock().unwrap();
    lines.clone()
}

#[test]
fn a_held_robot_gives_the_trace_of_one_in_the_same_process() {
    let (_server, session) = served();
    let here = run(Box::new(SimRobot::new(options())));
    let there = run(Box::new(HeldRobot::begin(&session, &options()).unwrap()));
    assert!(here.len() > 80, "{} events", here.len());
    for (line, (here, there)) in here.iter().zip(&there).enumerate() {
        assert_eq!(there, here, "line {}", line + 1);
    }
    assert_eq!(there.len(), here.len());
}

#[test]
fn each_run_begins_with_a_new_robot() {
    let (_server, session) = served();
    let run = || run(Box::new(HeldRobot::begin(&session, &options()).unwrap()));
    assert_eq!(run(), run());
}

#[test]
fn a_new_client_takes_over_the_robot_and_the_other_gets_an_error() {
    let (_server, session) = served();
    let first = HeldRobot::begin(&session, &options()).unwrap();
    let _second = HeldRobot::begin(&session, &options()).unwrap();
    let lines = one_call(first);
    assert!(lines.iter().any(|l| l.contains("another client has begun")), "{lines:#?}");
}

#[test]
fn a_robot_whose_process_has_gone_fails_every_call() {
    let (server, session) = served();
    let held = HeldRobot::begin(&session, &options()).unwrap();
    server.close();
    let lines = one_call(held);
    assert!(lines.iter().filter(|l| l.contains("connection") || l.contains("closed")).count() >= 1, "{lines:#?}");
}

/// A run of one call.
fn one_call(held: HeldRobot) -> Vec<String> {
    let lines = Lines::default();
    let sinks: Vec<Box<dyn Sink>> = vec![Box::new(lines.clone())];
    let mut engine = Engine::new(Config::default(), Box::new(held), Box::new(NoLibrary), &header(0), sinks);
    let call = Control::Call { service: "ALMotion".to_owned(), method: "rest".to_owned(), args: Vec::new() };
    engine.control(Time::ZERO, call).unwrap();
    engine.end().unwrap();
    let lines = lines.0.lock().unwrap();
    lines.clone()
}
