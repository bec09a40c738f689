//! What holds for every service and method.

use super::harness::{Harness, s};
use boxstep_bodies::BodyKind;
use boxstep_engine::services::ServiceError;
use boxstep_robot::SimOptions;
use boxstep_types::{ObjectRef, Value};

fn robot(body: BodyKind) -> Harness {
    Harness::new(SimOptions { body: body.body(), ..SimOptions::default() })
}

fn every_method(h: &Harness) -> Vec<String> {
    let names: Vec<_> = h.robot.service_names().collect();
    let methods = |service: &str| h.robot.methods(service).unwrap_or_default();
    names.iter().flat_map(|s| methods(s).into_iter().map(move |m| format!("{s}.{m}"))).collect()
}

#[test]
fn unknown_names_are_never_a_silent_success() {
    let mut h = Harness::nao();
    assert_eq!(h.call("ALNothing.x", &[]), Err(ServiceError::NoService));
    assert_eq!(h.call("ALMotion.dance", &[]), Err(ServiceError::NoMethod));
    assert_eq!(h.why("ALMotion.setAngles", &[s("HeadYaw")]), "ALMotion.setAngles: it takes 3 arguments, not 1");
    assert_eq!(h.why("ALTextToSpeech.say", &[]), "ALTextToSpeech.say: it takes 1 to 2 arguments, not 0");
}

/// Every method, with arguments that make no sense: an answer or a complaint, but never a panic,
/// and never "no such method" for one that is in a table.
#[test]
fn any_arguments_get_an_answer() {
    let long = "x".repeat(10_000);
    let odd = [
        Value::Null,
        Value::Bool(true),
        Value::Int(i64::MIN),
        Value::Int(1),
        Value::Float(f64::NAN),
        Value::Float(f64::INFINITY),
        Value::Float(-1e300),
        Value::Float(1e300),
        s(""),
        s("HeadYaw"),
        s("Body"),
        s("FaceLeds"),
        s("Head"),
        s(&long),
        Value::Bytes(vec![0, 255].into()),
        Value::list([]),
        Value::list([Value::Float(1e300), Value::Null]),
        Value::list([Value::list([Value::list([])])]),
        Value::list([s("HeadYaw"), s("HeadYaw")]),
        Value::list([Value::Float(0.5), Value::Float(-0.5)]),
        Value::map([("a", Value::Null)]),
        Value::Object(ObjectRef::new(1)),
    ];
    for body in BodyKind::ALL {
        let mut h = robot(body);
        for method in every_method(&h) {
            let mut known = false;
            for count in 0..7 {
                for shift in 0..odd.len() {
                    // A different mixture for each place.
                    let args: Vec<Value> =
                        (0..count).map(|i| odd[(shift + i * (1 + shift % 5)) % odd.len()].clone()).collect();
                    let id = h.post(&method, &args);
                    let answer = h.answers.get(&id).map(|a| a.1.clone());
                    assert_ne!(answer, Some(Err(ServiceError::NoMethod)), "{method} {args:?}");
                    assert_ne!(answer, Some(Err(ServiceError::NoService)), "{method}");
                    known |=
                        !matches!(&answer, Some(Err(ServiceError::BadArguments(why))) if why.starts_with("it takes"));
                }
            }
            assert!(known, "{method} takes no number of arguments");
        }
        h.wait(1e8);
        let now = h.now;
        for (joint, value) in boxstep_engine::services::Services::joints(&mut h.robot, now).unwrap_or_default() {
            assert!(value.is_finite(), "{joint} is {value}");
        }
    }
}

/// What the tables of the bodies promise, the simulation does.
#[test]
fn every_method_that_is_meant_to_be_simulated_is_there() {
    // Waiting for calls, stopping them and calling by name belong to the engine and the scripts, and so
    // do its own services and the subscriptions to memory.
    let engines = ["wait", "stop", "isRunning", "pCall"];
    let services = ["ALFrameManager", "ALResourceManager"];
    let subscriptions =
        ["subscribeToEvent", "unsubscribeToEvent", "subscribeToMicroEvent", "unsubscribeToMicroEvent", "subscriber"];
    let pepper = robot(BodyKind::Pepper);
    let have = every_method(&pepper);
    let mut missing = Vec::new();
    for service in boxstep_bodies::services().filter(|s| !services.contains(&s.name)) {
        for method in service.methods.iter().filter(|m| m.simulated && !engines.contains(&m.name)) {
            let name = format!("{}.{}", service.name, method.name);
            let engines = service.name == "ALMemory" && subscriptions.contains(&method.name);
            if !engines && !have.contains(&name) {
                missing.push(name);
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

/// A number of arguments that a robot takes is taken here.
#[test]
fn documented_numbers_of_arguments_are_taken() {
    let mut h = robot(BodyKind::Pepper);
    let mut refused = Vec::new();
    for service in boxstep_bodies::services() {
        let have = h.robot.methods(service.name).unwrap_or_default();
        for method in service.methods.iter().filter(|m| have.contains(&m.name)) {
            for count in method.min_args..=method.max_args.min(8) {
                let name = format!("{}.{}", service.name, method.name);
                let id = h.post(&name, &vec![Value::Null; count.into()]);
                match h.answers.get(&id).map(|a| &a.1) {
                    Some(Err(ServiceError::BadArguments(why))) if why.starts_with("it takes") => {
                        refused.push((name, count))
                    }
                    _ => {}
                }
            }
        }
    }
    assert_eq!(refused, Vec::<(String, u8)>::new());
}

#[test]
fn the_same_calls_give_the_same_run() {
    let run = || {
        let mut h = Harness::nao();
        h.post("ALTextToSpeech.say", &[s("one two three")]);
        h.post("ALLeds.randomEyes", &[2.0.into()]);
        h.post("ALRobotPosture.goToPosture", &[s("Crouch"), 0.5.into()]);
        h.post("ALMotion.moveTo", &[0.1.into(), 0.1.into(), 1.0.into()]);
        h.wait(10.0);
        let joints = boxstep_engine::services::Services::joints(&mut h.robot, h.now);
        format!("{:?} {:?} {:?} {joints:?}", h.acts, h.events, h.answers)
    };
    assert_eq!(run(), run());
}
