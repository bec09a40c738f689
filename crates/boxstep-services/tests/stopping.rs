//! A behavior is stopped while its simulated robot walks or rolls.

use boxstep_bodies::BodyKind;
use boxstep_engine::config::{BehaviorSource, Config, Control, NoLibrary};
use boxstep_engine::protocol::{Next, Scheduler as _};
use boxstep_engine::services::{Random, ServiceCall, ServiceCx, Services as _};
use boxstep_engine::trace::{BehaviorPhase, ClockKind, EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_engine::{CallId, Engine};
use boxstep_format::{Limits, read_xar};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The robot's actions and the behavior's state changes, with times.
#[derive(Clone, Default)]
struct ActLog(Arc<Mutex<Vec<String>>>);

impl Sink for ActLog {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        let told = events.iter().filter_map(|e| match &e.kind {
            Kind::Behavior { phase: what @ (BehaviorPhase::Stopping | BehaviorPhase::Unloaded), .. } => {
                Some(format!("{} {what}", e.t))
            }
            Kind::Act(act) if act.kind == "move" => Some(format!("{} {}", e.t, act.text)),
            Kind::Forced { busy } => Some(format!("{} forced: {}", e.t, busy[0])),
            _ => None,
        });
        self.0.lock().unwrap().extend(told);
    }
    fn end(&mut self, _: &Footer) {}
}

const BEHAVIOR: &str = r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3"><Box name="root" id="-1"/></ChoregrapheProject>"#;

/// Stops a behavior one second after its robot has started to move; returns what follows.
fn stopped(body: BodyKind, how: Control, config: Config) -> (Vec<String>, Footer) {
    let mut robot = SimRobot::new(SimOptions { body: body.body(), ..SimOptions::default() });
    let (mut random, mut effects) = (Random::new(0), Vec::new());
    let args: [Value; 3] = [1.0.into(), 0.0.into(), 0.0.into()];
    let call = ServiceCall { id: CallId(u32::MAX), service: "ALMotion", method: "moveToward", args: &args };
    robot.call(&mut ServiceCx::new(Time::ZERO, &mut random, &mut effects), &call);
    let header = Header { body: body.to_string(), ..Header::new(ClockKind::Virtual) };
    let told = ActLog::default();
    let sinks: Vec<Box<dyn Sink>> = vec![Box::new(told.clone())];
    let mut engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &header, sinks);
    let file = read_xar("walk.xar", BEHAVIOR.as_bytes(), &Limits::default()).unwrap();
    let source = BehaviorSource {
        name: "walk".into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/".into(),
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
    };
    engine.play(source).unwrap();
    // Without an event at that time the run would end before.
    let event = Control::Event { key: "now".to_owned(), value: Value::Null };
    engine.control(Time::from_millis(1000), event).unwrap();
    engine.control(Time::from_millis(1000), how).unwrap();
    assert!(matches!(engine.next(), Next::Ended));
    let footer = engine.outcome().unwrap().clone();
    let told = told.0.lock().unwrap().clone();
    (told, footer)
}

/// Steps of 1/2.38 s: the third ends at 1.261, and the other foot is beside it at 1.681.
#[test]
fn stopping_until_both_feet_are_down() {
    for how in [Control::Stop, Control::Interrupt] {
        let (told, footer) = stopped(BodyKind::Nao, how, Config::default());
        let mut told = told;
        told.sort();
        assert_eq!(told, ["1.000 comes to stand", "1.000 stopping", "1.681 stops", "1.681 unloaded"]);
        assert_eq!(footer.forced, 0);
    }
}

#[test]
fn stopping_until_the_wheels_stand() {
    let (told, _) = stopped(BodyKind::Pepper, Control::Stop, Config::default());
    // 0.35 m/s at 0.3 m/s².
    assert_eq!(told, ["1.000 stopping", "1.000 comes to stand", "2.167 stops", "2.167 unloaded"]);
}

#[test]
fn a_stop_without_time_stops_within_the_step() {
    let config = Config { stop_within: Duration::from_millis(100), ..Config::default() };
    for (how, reason) in [(Control::Stop, EndReason::Ended), (Control::Interrupt, EndReason::Interrupted)] {
        let (told, footer) = stopped(BodyKind::Nao, how, config.clone());
        let rest =
            ["1.100 forced: robot: walking until both feet are down (since 1.000)", "1.100 stops", "1.100 unloaded"];
        assert_eq!(told[2..], rest);
        assert_eq!((footer.forced, footer.reason), (1, reason));
    }
}
