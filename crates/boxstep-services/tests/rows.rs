//! Laws for every service and method.

use crate::harness::{Harness, s};
use boxstep_bodies::BodyKind;
use boxstep_engine::services::ServiceError;
use boxstep_services::{Method, Overload, Service, SimOptions};
use boxstep_types::{ObjectRef, Value};
use std::collections::HashSet;

fn robot(body: BodyKind) -> Harness {
    Harness::new(SimOptions { body: body.body(), ..SimOptions::default() })
}

fn every_method(h: &Harness) -> Vec<String> {
    let of = |service: &'static Service| {
        methods_of_robot(service).into_iter().map(|method| format!("{}.{}", service.name, method.name))
    };
    h.robot.services().flat_map(of).collect()
}

/// Returns the methods of a service that the simulated robot answers. Of rows with the same name the first one counts:
/// no call reaches the others.
fn methods_of_robot(service: &Service) -> Vec<&'static Method> {
    let mut names = HashSet::new();
    service.all_methods().filter(|method| method.is_of_robot() && names.insert(method.name)).collect()
}

#[test]
fn unknown_names_are_never_a_silent_success() {
    let mut h = Harness::nao();
    assert_eq!(h.call("ALNothing.x", &[]), Err(ServiceError::NoService));
    assert_eq!(h.call("ALMotion.dance", &[]), Err(ServiceError::NoMethod));
    assert_eq!(h.why("ALMotion.setAngles", &[s("HeadYaw")]), "ALMotion.setAngles: it takes 3 arguments, not 1");
    assert_eq!(h.why("ALTextToSpeech.say", &[]), "ALTextToSpeech.say: it takes 1 to 2 arguments, not 0");
}

/// Calls every method with senseless arguments: it must answer or fail, but never panic, and a method of the table must
/// never be reported as missing.
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
                    // A different mixture for each position.
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

/// Every handler does what its row says: it accepts the arguments of its signatures, and its answer has the declared
/// type.
#[test]
fn every_method_answers_what_its_row_says() {
    let mut wrong = Vec::new();
    for body in BodyKind::ALL {
        let services: Vec<&Service> = robot(body).robot.services().collect();
        for service in services {
            for method in methods_of_robot(service) {
                for overload in method.overloads() {
                    let name = format!("{}.{}", service.name, method.name);
                    if let Err(why) = answers_as_it_says(body, &name, &overload) {
                        wrong.push(format!("{name} {}{}: {why}", overload.parameters, overload.returns));
                    }
                }
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// The most combinations of arguments that are tried for one signature.
const MOST_WAYS: usize = 4000;
/// This many accepted calls are enough.
const ENOUGH: usize = 4;
/// These methods answer whether the robot arrived, as a robot with NAOqi 2.8 does; the listing of 2.5 says that they
/// answer nothing.
const SAY_WHETHER_ARRIVED: &[&str] = &["ALMotion.moveTo", "ALMotion.walkTo", "ALNavigation.moveTo"];

/// Calls the method with values of its argument types. Some call must pass the checks of the argument kinds, and each
/// answer must have the row's type.
fn answers_as_it_says(body: BodyKind, name: &str, overload: &Overload) -> Result<(), String> {
    let generic = || overload.arguments().into_iter().map(|of| values(body, of)).collect();
    let candidates: Vec<Vec<Value>> = places(name, overload).unwrap_or_else(generic);
    let all = candidates.iter().map(Vec::len).product::<usize>();
    let (mut complaint, mut taken) = (String::new(), 0);
    let mut random = boxstep_engine::services::Random::new(1);
    // A call with wrong arguments changes nothing, so the next one can be made on the same robot.
    let mut unchanged = None;
    for way in 0..all.min(MOST_WAYS) {
        let mut h = unchanged.take().unwrap_or_else(|| robot(body));
        // All combinations, or a random selection.
        let mut rest = if all <= MOST_WAYS { way } else { random.next_u64() as usize % all };
        let mut pick = |values: &Vec<Value>| {
            let value = values[rest % values.len()].clone();
            rest /= values.len();
            value
        };
        let args: Vec<Value> = candidates.iter().map(&mut pick).collect();
        let id = h.post(name, &args);
        if !h.answers.contains_key(&id) {
            h.wait(60.0);
        }
        match h.answers.get(&id).map(|answer| &answer.1) {
            Some(Err(ServiceError::BadArguments(why))) => {
                complaint = why.clone();
                unchanged = Some(h);
                continue;
            }
            Some(Ok(value)) if !SAY_WHETHER_ARRIVED.contains(&name) && !is_of_type(value, overload.returns) => {
                return Err(format!("it answers {value} to {args:?}"));
            }
            // A call that waits for an event, or that the robot refuses, has passed the checks of its arguments.
            _ => taken += 1,
        }
        if taken == ENOUGH {
            break;
        }
    }
    if taken > 0 { Ok(()) } else { Err(complaint) }
}

/// Returns the arguments of methods that bring an end or the weight to a place: what would fit by chance nearly never does.
fn places(name: &str, overload: &Overload) -> Option<Vec<Vec<Value>>> {
    let method = name.strip_prefix("ALMotion.")?;
    let numbers = |count: usize| Value::list((0..count).map(|_| Value::Float(0.1)));
    let place = match method {
        _ if !["position", "transform", "setP", "setT", "changeP", "changeT", "wb"]
            .iter()
            .any(|of| method.starts_with(of)) =>
        {
            return None;
        }
        _ if method.starts_with("wb") => {
            let all = match method {
                "wbFootState" => [s("Fixed"), s("Legs"), Value::Null],
                "wbEnableBalanceConstraint" => [true.into(), s("Legs"), Value::Null],
                "wbGoToBalance" | "wbGoToBalanceWithSpeed" => [s("LLeg"), 1.0.into(), Value::Null],
                _ => return None,
            };
            return Some(all.into_iter().take(overload.arguments().len()).map(|value| vec![value]).collect());
        }
        _ if method.to_lowercase().contains("transform") => {
            let diagonal = |i: usize| if i.is_multiple_of(5) { 1.0 } else { 0.0 };
            Value::list((0..16).map(|i| Value::Float(if i % 4 == 3 && i < 12 { 0.1 } else { diagonal(i) })))
        }
        _ => numbers(6),
    };
    let interpolates = method.contains("Interpolation");
    let last: [Value; 2] = if interpolates { [1.0.into(), true.into()] } else { [7.into(), Value::Null] };
    let fourth = if interpolates { Value::from(7) } else { Value::from(0.5) };
    let name = if overload.parameters.starts_with("([") { Value::list([s("LArm")]) } else { s("LArm") };
    let all = [name, 0.into(), place, fourth].into_iter().chain(last).chain([Value::Null]);
    Some(all.take(overload.arguments().len()).map(|value| vec![value]).collect())
}

/// Returns values of a type of the qi protocol, including ones that a robot knows.
pub(crate) fn values(body: BodyKind, of: &str) -> Vec<Value> {
    let posture = if body == BodyKind::Nao { "Crouch" } else { "StandInit" };
    let texts = [
        "HeadYaw",
        "English",
        "FaceLeds",
        "LHand",
        "Torso",
        "LArm",
        posture,
        "interactive",
        "Unengaged",
        "Head",
        "TouchChanged",
        "contextual",
        "Default",
        "#ff0000",
        "red",
        "speed",
    ];
    let inner = |of: &str| of[1..of.len() - 1].to_owned();
    match of.chars().next() {
        Some('s') => texts.map(s).to_vec(),
        Some('b') => vec![true.into(), false.into()],
        Some('i' | 'I' | 'l' | 'L') => [0, 1, 2, 50, 16_000].map(Value::Int).to_vec(),
        Some('f' | 'd') => [0.5, 1.0, 0.0].map(Value::Float).to_vec(),
        Some('[') => {
            let items = values(body, &inner(of));
            let several = [2, 3].map(|n| Value::list(items.iter().cycle().take(n).cloned()));
            items.into_iter().map(|value| Value::list([value])).chain(several).collect()
        }
        Some('{') => vec![Value::map::<&str>([])],
        Some('(') => {
            let members = Overload::arguments_of(of);
            let first = |member: &&str| values(body, member).into_iter().next().unwrap_or_default();
            vec![Value::list(members.iter().map(first))]
        }
        _ => {
            let point = Value::list([0.5, 0.0, 0.3].map(Value::Float));
            let mut all = vec![s("HeadYaw"), s("English"), Value::Int(0), Value::Float(0.5), true.into(), point];
            all.extend([s("FaceLeds"), s("LHand"), s("Head"), s("red"), s("TouchChanged"), s(posture), Value::Null]);
            all.extend([Value::list([s("HeadYaw")]), Value::list([Value::Float(0.5)]), Value::list([])]);
            all.push(Value::list([Value::list([Value::Float(0.5)])]));
            all.push(Value::list([0.5, 0.25].map(Value::Float)));
            let line = Value::list([s("Line"), Value::list([1.0, 0.0].map(Value::Float))]);
            all.push(Value::list([s("Holonomic"), line, Value::Float(0.0), Value::Float(5.0)]));
            all
        }
    }
}

pub(crate) fn is_of_type(value: &Value, of: &str) -> bool {
    match of.chars().next() {
        Some('v') => *value == Value::Null,
        Some('b') => matches!(value, Value::Bool(_)),
        Some('i' | 'I' | 'l' | 'L') => matches!(value, Value::Int(_)),
        Some('f' | 'd') => matches!(value, Value::Float(_) | Value::Int(_)),
        Some('s') => matches!(value, Value::Str(_)),
        Some('[') => {
            value.as_list().is_some_and(|items| items.iter().all(|item| is_of_type(item, &of[1..of.len() - 1])))
        }
        Some('{') => matches!(value, Value::Map(_)),
        // A struct is a map of its fields, or a list of them.
        Some('(') => matches!(value, Value::Map(_) | Value::List(_)),
        _ => true,
    }
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
