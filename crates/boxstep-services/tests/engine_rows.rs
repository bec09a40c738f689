//! The rows that the engine answers: a client calls a run, as over a network.

use crate::rows::{is_of_type, values};
use boxstep_bodies::BodyKind;
use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_services::{Method, Overload, Service, Support, service, services};
use boxstep_types::{ENGINE_SERVICES, Value};
use std::sync::mpsc;

/// Rows of the engine that each script host and the served robot implement where the call arrives, because they keep
/// the numbers of posted calls and the objects of signals.
const OF_HOSTS: [&str; 5] = ["wait", "stop", "isRunning", "pCall", "subscriber"];

/// Returns the rows of a service that the engine itself implements.
fn engine_rows(service: &'static Service) -> impl Iterator<Item = &'static Method> {
    service.methods.iter().filter(|method| method.is_of_engine() && !OF_HOSTS.contains(&method.name))
}

#[test]
fn the_services_of_the_engine_are_in_the_table_and_nothing_else_has_its_rows() {
    for name in ENGINE_SERVICES {
        let methods = service(name).unwrap().methods;
        assert!(methods.iter().any(|method| method.support() != Support::Known), "{name}");
    }
    let with_rows: Vec<&str> = services().filter(|s| engine_rows(s).next().is_some()).map(|s| s.name).collect();
    assert_eq!(with_rows, ["ALMemory", "ALFrameManager", "ALResourceManager"]);
    // The engine answers ALBehaviorManager for its own behaviors, the robot for others.
    assert!(service("ALBehaviorManager").unwrap().methods.iter().all(|method| !method.is_of_engine()));
}

#[test]
fn the_engine_answers_every_row_that_is_its_own() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for service in services() {
        for method in engine_rows(service) {
            for overload in method.overloads() {
                count += 1;
                if let Err(why) = answers(service.name, method.name, &overload) {
                    wrong.push(format!("{}.{} {}: {why}", service.name, method.name, overload.parameters));
                }
            }
        }
    }
    assert!(count >= 30, "{count} signatures");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that some call with values of the types passes the checks of its arguments, and that each answer has the
/// row's type.
fn answers(service: &str, method: &str, overload: &Overload) -> Result<(), String> {
    let candidates: Vec<Vec<Value>> = overload.arguments().into_iter().map(|of| values(BodyKind::Nao, of)).collect();
    let most = candidates.iter().map(Vec::len).max().unwrap_or(1);
    let mut complaint = String::new();
    for way in 0..most {
        let args: Vec<Value> = candidates.iter().map(|values| values[way % values.len()].clone()).collect();
        let mut engine = Engine::without_robot(Config::default());
        let (sender, receiver) = mpsc::channel();
        let then = move |answer| drop(sender.send(answer));
        engine.call_from_outside(service, method, &args, Box::new(then));
        engine.settle();
        match receiver.try_recv() {
            Ok(Ok(value)) if is_of_type(&value, overload.returns) => return Ok(()),
            Ok(Ok(value)) => return Err(format!("it answers {value} to {args:?}")),
            Ok(Err(why)) if why.starts_with("Cannot find") => return Err(why),
            Ok(Err(why)) if is_complaint(&why) => complaint = why,
            // A refusal of the engine, or a call that waits, has passed the checks of its arguments.
            Ok(Err(_)) | Err(_) => return Ok(()),
        }
    }
    Err(complaint)
}

/// Returns whether the message is about an argument of the wrong kind.
fn is_complaint(why: &str) -> bool {
    why.contains("argument ") || why.contains("must be")
}
