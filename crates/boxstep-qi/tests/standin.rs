//! A stand-in robot on libqi. `BOXSTEP_STANDIN` names its program, and `BOXSTEP_QI_PYTHON` a Python that can import
//! `qi`. Without them these tests report that they were skipped.

use crate::common::LONG;
use crate::libqi::robot;
use boxstep_qi::{Error, ObjectValue, Options, Session, Value, args};
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn every_service_of_a_robot_is_reached_and_memory_tells_its_events() {
    // Some services are in a second process with its own socket.
    let Some(robot) = robot(&["--split", "ALTextToSpeech,ALAnimatedSpeech"]) else { return };
    let session = Session::connect(&robot.address).unwrap();
    let services = session.services().unwrap();
    assert!(services.len() > 30, "{}", services.len());
    for info in &services {
        let service = session.service(&info.name).unwrap_or_else(|e| panic!("{}: {e}", info.name));
        let same = service.connection().is_same(session.connection());
        assert_eq!(same, !matches!(&*info.name, "ALTextToSpeech" | "ALAnimatedSpeech"), "{}", info.name);
    }
    session.service("ALTextToSpeech").unwrap().call("say", &args!["Hello"]).unwrap();
    let motion = session.service("ALMotion").unwrap();
    let names = motion.call("getBodyNames", &args!["Head"]).unwrap();
    let names: Vec<_> = names.as_slice().unwrap().iter().map(Value::as_str).collect();
    assert_eq!(names, [Some("HeadYaw"), Some("HeadPitch")]);
    motion.call("angleInterpolation", &args!["HeadYaw", 0.3, 1.0, true]).unwrap();
    let memory = session.service("ALMemory").unwrap();
    memory.call("insertData", &args!["Boxstep/Test", vec![1, 2]]).unwrap();
    let read = memory.call("getData", &args!["Boxstep/Test"]).unwrap();
    assert_eq!(read.as_slice().unwrap().iter().map(Value::as_i64).collect::<Vec<_>>(), [Some(1), Some(2)]);
    let given = memory.call("subscriber", &args!["FrontTactilTouched"]).unwrap();
    let subscriber = given.as_object().and_then(ObjectValue::remote).unwrap();
    let (tell, told) = channel();
    let listening = subscriber.subscribe("signal", move |args| tell.send(args[0].as_f64()).unwrap()).unwrap();
    memory.call("raiseEvent", &args!["FrontTactilTouched", 1.0]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), Some(1.0));
    drop(listening);
    assert!(matches!(session.service("ALNothing"), Err(Error::NoService { .. })));
}

#[test]
fn faults_of_a_robot_have_their_errors() {
    let flags =
        ["--fail", "ALMotion.wakeUp=the robot is on its charger", "--hang", "ALMotion.rest", "--slow-loris", "1:50"];
    let Some(robot) = robot(&flags) else { return };
    let session = Session::connect(&robot.address).unwrap();
    let motion = session.service("ALMotion").unwrap();
    let error = motion.call("wakeUp", &[]).unwrap_err();
    assert!(matches!(&error, Error::Remote { text } if text.contains("on its charger")), "{error}");
    let error = motion.call_within("rest", &[], Duration::from_millis(200)).unwrap_err();
    assert!(matches!(error, Error::Slow { .. }), "{error}");
}

#[test]
fn a_robot_that_drops_the_link_can_be_connected_to_again() {
    let Some(robot) = robot(&["--drop-after", "3"]) else { return };
    let gone = |session: &Session| {
        let motion = session.service("ALMotion")?;
        for _ in 0..10 {
            motion.call("getBodyNames", &args!["Head"])?;
        }
        Ok(())
    };
    let options = Options::default();
    let error = gone(&Session::connect_with(&robot.address, options).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Gone(_)), "{error}");
    gone(&Session::connect(&robot.address).unwrap()).unwrap();
}
