//! Calls, events, objects.

use super::*;

#[test]
fn facts_are_queried_when_the_robot_is_reached() {
    let stand_in = StandIn::start().unwrap();
    let driven = Driven::new(options(&stand_in));
    let facts = driven.robot.facts();
    assert_eq!((facts.language.as_str(), facts.version.as_str()), ("French", "2.5.7.1"));
    assert!(facts.joints.iter().any(|j| **j == *"HeadYaw"), "{:?}", facts.joints);
    assert!(driven.robot.has_service("ALMotion") && driven.robot.has_service("ServiceDirectory"));
    assert!(!driven.robot.has_service("ALTabletService"));
    assert!(driven.robot.is_real());
}

#[test]
fn several_calls_may_be_open_at_once() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    let said = nao.begin("ALTextToSpeech", "say", &[text("Hello")]).unwrap();
    let walk = nao.begin("ALMotion", "moveTo", &[Value::Float(0.2), Value::Int(0), Value::Int(0)]).unwrap();
    // A service that was not used yet is looked up first; only later calls wait for that.
    let version = nao.call("ALSystem", "systemVersion", &[]).unwrap();
    assert_eq!(version, text("2.5.7.1"));
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1) && stand_in.until_asked("ALMotion.moveTo", 1));
    stand_in.end("ALMotion.moveTo");
    assert_eq!(nao.answer(walk), Ok(Value::Null));
    stand_in.end("ALTextToSpeech.say");
    assert_eq!(nao.answer(said), Ok(Value::Null));
}

#[test]
fn missing_services_and_methods_fail_immediately() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    assert_eq!(nao.begin("ALSonar", "subscribe", &[]), Err(ServiceError::NoService));
    assert_eq!(nao.begin("ALMotion", "dance", &[]), Err(ServiceError::NoMethod));
    assert_eq!(nao.call("ALSystem", "reboot", &[]), Err(ServiceError::NoMethod), "a service that had to be looked up");
    let wrong = nao.call("ALMotion", "moveTo", &[text("far")]).unwrap_err();
    assert!(matches!(wrong, ServiceError::BadArguments(_)), "{wrong:?}");
}

#[test]
fn the_robots_error_message_reaches_the_script() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    stand_in.fail("ALMotion.wakeUp", "\tALMotion::wakeUp: the robot is on its charger\n");
    let error = nao.call("ALMotion", "wakeUp", &[]).unwrap_err();
    let words = "ALMotion.wakeUp: ALMotion::wakeUp: the robot is on its charger";
    assert_eq!(error.message("ALMotion", "wakeUp"), words);
}

#[test]
fn a_motion_travels_in_the_layout_of_the_robot() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    let handle = || Value::list([Value::Int(3), Value::Float(0.1), Value::Float(0.0)]);
    let key = Value::list([Value::Float(0.5), handle(), handle()]);
    let args = [
        Value::list([text("HeadYaw")]),
        Value::list([Value::list([Value::Float(1.0)])]),
        Value::list([Value::list([key])]),
    ];
    nao.begin("ALMotion", "angleInterpolationBezier", &args).unwrap();
    assert!(stand_in.until_asked("ALMotion.angleInterpolationBezier", 1));
    let (_, asked) = stand_in.asked().pop().unwrap();
    assert_eq!(asked[0].signature().to_string(), "[s]");
    let numbers = asked[2].plain().as_slice().unwrap()[0].plain().as_slice().unwrap()[0].plain().as_slice().unwrap();
    assert_eq!(numbers[0].plain().as_f64(), Some(0.5));
    assert_eq!(numbers[1].plain().as_slice().unwrap()[0].plain().as_i64(), Some(3));
}

#[test]
fn events_arrive_and_later_calls_wait_for_a_subscription() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    nao.subscribe(&Topic::Memory("Key".into()), true).unwrap();
    // The subscription is sent first, so this event is received.
    nao.raise("Key", Value::Int(7));
    assert_eq!(nao.event(), ("Key".to_owned(), Value::Int(7)));
    nao.subscribe(&Topic::Memory("Key".into()), false).unwrap();
    nao.subscribe(&Topic::Memory("Other".into()), true).unwrap();
    nao.raise("Key", Value::Int(8));
    nao.raise("Other", Value::from("x"));
    assert_eq!(nao.event(), ("Other".to_owned(), Value::from("x")));
    let none = Topic::Signal("ALSonar".into(), "near".into());
    assert_eq!(nao.subscribe(&none, true), Err(ServiceError::NoService));
    let none = Topic::Signal("ALMotion".into(), "near".into());
    assert_eq!(nao.subscribe(&none, true), Err(ServiceError::NoMethod));
}

#[test]
fn objects_of_the_robot_are_services_with_a_number() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    let made = nao.call("Objects", "make", &[text("Ann")]).unwrap();
    let Value::Object(object) = made else { panic!("{made}") };
    let name = object.robot_service().unwrap();
    assert_eq!(name, "#1");
    assert!(nao.robot.has_service(&name));
    assert_eq!(nao.call(&name, "name", &[]), Ok(text("Ann")));
    assert_eq!(nao.begin(&name, "other", &[]), Err(ServiceError::NoMethod));
    assert_eq!(nao.begin("#2", "name", &[]), Err(ServiceError::NoService));
    nao.subscribe(&Topic::Signal(name.into(), "called".into()), true).unwrap();
}

#[test]
fn canceling_a_call_stops_its_action() {
    let stand_in = StandIn::start().unwrap();
    let mut nao = Driven::new(options(&stand_in));
    let joints = Value::list([text("Head"), text("LElbowRoll")]);
    let id = nao.begin("ALMotion", "angleInterpolationWithSpeed", &[joints, Value::Float(0.1), Value::Float(0.2)]);
    assert!(stand_in.until_asked("ALMotion.angleInterpolationWithSpeed", 1));
    nao.cancel(id.unwrap());
    assert!(stand_in.until_asked("ALMotion.killTasksUsingResources", 1));
    let (_, args) = stand_in.asked().pop().unwrap();
    let names: Vec<&str> = args[0].as_slice().unwrap().iter().filter_map(|n| n.as_str()).collect();
    assert_eq!(names, ["HeadYaw", "HeadPitch", "LElbowRoll"], "a chain is named by its joints");
    let id = nao.begin("ALTextToSpeech", "say", &[text("a long story")]).unwrap();
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
    nao.cancel(id);
    assert!(stand_in.until_asked("ALTextToSpeech.stopAll", 1));
}
