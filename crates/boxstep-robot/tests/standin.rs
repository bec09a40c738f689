//! Preflight and the panic stop on a stand-in robot on libqi. `BOXSTEP_STANDIN` names its program, and
//! `BOXSTEP_QI_PYTHON` a Python that can import `qi`. Without them these tests report that they were skipped.

use crate::libqi::robot;
use boxstep_qi::{Session, Value};
use boxstep_robot::naoqi::panic::{StopOutcome, stop};
use boxstep_robot::naoqi::preflight::{
    Life, Patience, Permissions, Prepared, Reach, Requirements, Topic, Verdict, inspect, prepare,
};
use std::sync::Arc;
use std::time::Duration;

/// So long that a busy machine does not matter where an answer comes.
const PATIENT: Patience = Patience {
    asking: Duration::from_secs(30),
    changing: Duration::from_secs(30),
    coming_back: Duration::from_secs(30),
};
const BOTH: Permissions = Permissions { wake: true, life: Some(Life::Disabled), anyway: false };

/// Returns this session, and no other.
fn only(session: &Session) -> Reach {
    let session = session.clone();
    Arc::new(move |_| Ok(session.clone()))
}

fn said(session: &Session, service: &str, method: &str) -> Value {
    session.service(service).unwrap().call(method, &[]).unwrap().into_plain()
}

#[test]
fn a_robot_on_libqi_is_checked_changed_and_restored() {
    let Some(robot) = robot(&["--split", "ALTextToSpeech"]) else { return };
    let session = Session::connect(&robot.address).unwrap();
    let report = inspect(&only(&session), &Requirements::anything(), &Permissions::default(), &PATIENT);
    assert_eq!(report.refused().map(|f| f.topic).collect::<Vec<_>>(), [Topic::Awake, Topic::Life]);
    assert_eq!(report.facts.iter().find(|f| f.value == "unknown"), None);
    let prepared = prepare(&only(&session), &Requirements::anything(), &BOTH, &PATIENT, &mut |_| {}, &|| false);
    let Prepared::Ready(_, changes) = prepared else { panic!("{prepared:?}") };
    assert_eq!(said(&session, "ALMotion", "robotIsWakeUp").as_bool(), Some(true));
    assert_eq!(said(&session, "ALAutonomousLife", "getState").as_str(), Some("disabled"));
    let here = session.clone();
    let back = changes.put_back(move || Ok((here, true)), PATIENT.changing);
    assert_eq!(back.len(), 1, "{back:?}");
    assert_eq!(said(&session, "ALAutonomousLife", "getState").as_str(), Some("solitary"));
}

#[test]
fn hanging_and_missing_services_are_unknown() {
    let flags =
        ["--hang", "ALMotion.getStiffnesses", "--without", "ALBattery", "--fail", "ALSystem.systemVersion=broken"];
    let Some(robot) = robot(&flags) else { return };
    let session = Session::connect(&robot.address).unwrap();
    let hasty = Patience { asking: Duration::from_secs(2), ..PATIENT };
    let report = inspect(&only(&session), &Requirements::anything(), &Permissions::default(), &hasty);
    for (topic, words) in [
        (Topic::Stiffness, "did not answer within 2 s"),
        (Topic::Battery, "no service ALBattery"),
        (Topic::Version, "broken"),
    ] {
        let fact = report.fact(topic).unwrap();
        assert_eq!((fact.verdict, fact.value.as_str()), (Verdict::Told, "unknown"), "{fact}");
        assert!(fact.to_string().contains(words), "{fact}");
    }
}

#[test]
fn it_is_stopped_even_in_the_middle_of_a_walk() {
    let Some(robot) = robot(&["--time-scale", "1"]) else { return };
    let session = Session::connect(&robot.address).unwrap();
    let motion = session.service("ALMotion").unwrap();
    // Whether the walk answers after it was stopped does not matter here.
    let _walk = motion.start("moveTo", &boxstep_qi::args![5.0, 0.0, 0.0]).unwrap();
    let other = Session::connect(&robot.address).unwrap();
    let halt = stop(&other, Duration::from_secs(30));
    assert!(halt.is_sure(), "{halt:?}");
    assert_eq!(halt.life.as_deref(), Some("solitary"));
    assert_eq!(said(&session, "ALMotion", "moveIsActive").as_bool(), Some(false));
}

#[test]
fn hanging_services_are_reported_by_a_panic_stop() {
    let Some(robot) = robot(&["--hang", "ALAudioPlayer.stopAll"]) else { return };
    let session = Session::connect(&robot.address).unwrap();
    let halt = stop(&session, Duration::from_secs(3));
    let open: Vec<_> = halt.stopped.iter().filter(|s| !s.is_sure()).collect();
    assert_eq!((open.len(), open[0].what, &open[0].outcome), (1, "sounds", &StopOutcome::Asked), "{halt:?}");
}
