//! All that the robot knows, saved and put into another one.

use crate::harness::{Harness, list, s};
use boxstep_engine::services::Services as _;
use boxstep_robot::{SimOptions, SimRobot};
use boxstep_types::{Value, value_from_json};

/// A NAO to which much has been done, with joints, LEDs and legs still on their way.
fn worn() -> Harness {
    let mut h = Harness::nao();
    h.get(
        "ALMemory.insertData",
        &[s("$odd"), Value::Map([(Value::Int(1), Value::Bytes([0u8, 255].as_slice().into()))].as_slice().into())],
    );
    h.get("ALMemory.raiseEvent", &[s("Mine"), list([1, 2])]);
    h.get("ALMemory.declareMicroEvent", &[s("Small")]);
    h.get("ALTextToSpeech.setLanguage", &[s("French")]);
    h.get("ALTextToSpeech.setVolume", &[Value::Float(0.3)]);
    h.get("ALTextToSpeech.say", &[s("bonjour")]);
    h.get("ALLeds.createGroup", &[s("Mine"), list(["FaceLeds"])]);
    h.get("ALLeds.fade", &[s("Mine"), Value::Float(0.25), Value::Float(0.5)]);
    h.get("ALSpeechRecognition.setVocabulary", &[list(["yes", "no"]), Value::Bool(false)]);
    h.get("ALSpeechRecognition.subscribe", &[s("me")]);
    h.get("ALMotion.setStiffnesses", &[s("LArm"), Value::Float(0.0)]);
    h.get("ALMotion.angleInterpolation", &[s("HeadPitch"), Value::Float(0.2), Value::Float(1.0), Value::Bool(true)]);
    h.get("ALMotion.setAngles", &[s("HeadYaw"), Value::Float(1.0), Value::Float(0.05)]);
    h.get("ALMotion.moveToward", &[Value::Float(0.5), Value::Float(0.0), Value::Float(0.1)]);
    h.wait(0.3);
    h
}

/// What can be seen of it, now and a while later.
fn seen(h: &mut Harness) -> Vec<Value> {
    let mut seen = Vec::new();
    for _ in 0..4 {
        let now = h.now;
        seen.push(Value::list(h.robot.joints(now).unwrap().into_iter().map(|(_, angle)| Value::Float(angle))));
        for (method, args) in [
            ("ALMemory.getDataListName", vec![]),
            ("ALMemory.getData", vec![s("$odd")]),
            ("ALMemory.getTimestamp", vec![s("Mine")]),
            ("ALMemory.getType", vec![s("Small")]),
            ("ALTextToSpeech.getLanguage", vec![]),
            ("ALTextToSpeech.getVolume", vec![]),
            ("ALLeds.getIntensity", vec![s("Mine")]),
            ("ALMotion.getStiffnesses", vec![s("Body")]),
            ("ALMotion.getRobotPosition", vec![Value::Bool(true)]),
            ("ALMotion.moveIsActive", vec![]),
            ("ALSpeechRecognition.getSubscribersInfo", vec![]),
        ] {
            seen.push(h.get(method, &args));
        }
        h.wait(0.7);
    }
    seen.push(h.get("ALTextToSpeech.say", &[s("encore")]));
    seen.extend(h.texts("say").last().map(|t| s(t)));
    seen
}

#[test]
fn all_that_the_robot_knows_is_saved() {
    let mut first = worn();
    let saved = first.robot.save(first.now).unwrap();
    let read = value_from_json(&saved.to_string()).unwrap();
    assert_eq!(read, saved);
    let mut second = Harness::nao();
    second.now = first.now;
    second.robot.restore(first.now, &read).unwrap();
    assert_eq!(second.robot.save(second.now).unwrap(), saved);
    assert_eq!(seen(&mut second), seen(&mut first));
    // What was far apart before.
    assert_ne!(Harness::nao().robot.save(first.now).unwrap(), saved);
}

#[test]
fn what_is_under_way_is_named() {
    let mut h = Harness::nao();
    let busy = |h: &Harness| h.robot.save(h.now).unwrap_err();
    h.post("ALMotion.angleInterpolation", &[s("HeadYaw"), Value::Float(1.0), Value::Float(1.0), Value::Bool(true)]);
    assert_eq!(busy(&h), "the simulated robot is about to do something");
    h.wait(1.5);
    h.post("ALMemory.getDataOnChange", &[s("Mine")]);
    assert_eq!(busy(&h), "somebody waits for a change in memory");
    h.raise("Mine", Value::Int(1));
    h.robot.save(h.now).unwrap();
}

#[test]
fn another_body_and_another_text_are_refused() {
    let saved = Harness::nao().robot.save(boxstep_types::Time::ZERO).unwrap();
    let mut pepper = Harness::pepper();
    let why = pepper.robot.restore(pepper.now, &saved).unwrap_err();
    assert!(why.contains("saved by a nao") && why.contains("this is a pepper"), "{why}");
    let mut nao = SimRobot::new(SimOptions::default());
    assert!(nao.restore(boxstep_types::Time::ZERO, &Value::Int(3)).is_err());
}
