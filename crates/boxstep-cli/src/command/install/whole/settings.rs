//! Preferences, and the behaviors that start with a robot: set over its services, read back, and set as they were before if
//! one of them is not as it should be.

use super::super::robot::Robot;
use crate::failure::Failure;
use boxstep_qi::{Error, Session};
use boxstep_robot::naoqi::preferences::{Key, Preferences};
use boxstep_services::Source;
use boxstep_types::Value;
use std::collections::BTreeMap;

/// Returns whether it is known how a method is called: what would only be guessed is not called on a robot.
fn is_documented(service: &str, method: &str) -> bool {
    let known = boxstep_services::service(service).and_then(|service| service.method(method));
    known.is_some_and(|method| method.source != Source::Unknown)
}

/// Returns the preferences that a robot has.
pub(super) fn preferences(session: &Session) -> Result<BTreeMap<Key, Value>, Error> {
    Preferences::of(session)?.all()
}

/// Sets preferences.
pub(super) fn set_preferences(
    robot: &Robot<'_>,
    wanted: &[(Key, Value)],
    before: &BTreeMap<Key, Value>,
) -> Result<(), Failure> {
    let failed = |why: &dyn std::fmt::Display| robot.failed(&format!("its preferences: {why}"));
    if !["setValue", "removeValue"].iter().all(|method| is_documented("ALPreferenceManager", method)) {
        return Err(failed(&"no documented call sets them"));
    }
    let service = Preferences::of(&robot.session()?).map_err(|e| failed(&e))?;
    let mut done = 0;
    let set = wanted.iter().try_for_each(|(key, value)| {
        done += 1;
        if robot.interrupt.has_come() {
            return Err(Failure::Interrupted);
        }
        service.set(key, value).map_err(|e| failed(&format!("{} {}: {e}", key.0, key.1)))
    });
    let read = set.and_then(|()| {
        let now = service.all().map_err(|e| failed(&e))?;
        match wanted.iter().find(|(key, value)| now.get(key) != Some(value)) {
            Some((key, _)) => Err(failed(&format!("{} {} is not what it was set to", key.0, key.1))),
            None => Ok(()),
        }
    });
    let Err(failure) = read else { return Ok(()) };
    let back = wanted[..done].iter().rev().try_for_each(|(key, _)| match before.get(key) {
        Some(value) => service.set(key, value),
        None => service.remove(key),
    });
    Err(with_words(failure, &back, "the preferences are as they were"))
}

/// Lets behaviors start with the robot. Returns those that did not before.
pub(super) fn add_defaults(robot: &Robot<'_>, wanted: &[String]) -> Result<Vec<String>, Failure> {
    const SERVICE: &str = "ALBehaviorManager";
    let failed = |why: &dyn std::fmt::Display| robot.failed(&format!("what starts with it: {why}"));
    if !["addDefaultBehavior", "removeDefaultBehavior"].iter().all(|method| is_documented(SERVICE, method)) {
        return Err(failed(&"no documented call sets it"));
    }
    let session = robot.session()?;
    let manager = session.service(SERVICE).map_err(|e| failed(&e))?;
    let list = |method: &str| -> Result<Vec<String>, Error> {
        let told = manager.call(method, &[])?;
        let names = told.plain().as_slice().unwrap_or_default().iter().filter_map(|name| name.plain().as_str());
        Ok(names.map(str::to_owned).collect())
    };
    let before = list("getDefaultBehaviors").map_err(|e| failed(&e))?;
    let new: Vec<String> = wanted.iter().filter(|name| !before.contains(name)).cloned().collect();
    let mut done = 0;
    let added = new.iter().try_for_each(|name| {
        done += 1;
        manager.call("addDefaultBehavior", &[name.as_str().into()]).map(drop)
    });
    let read = added.and_then(|()| list("getDefaultBehaviors")).map_err(|e| failed(&e)).and_then(|now| {
        match new.iter().find(|name| !now.contains(name)) {
            Some(name) => Err(failed(&format!("{name} was added, and is not told"))),
            None => Ok(()),
        }
    });
    let Err(failure) = read else { return Ok(new) };
    let back = new[..done]
        .iter()
        .try_for_each(|name| manager.call("removeDefaultBehavior", &[name.as_str().into()]).map(drop));
    Err(with_words(failure, &back, "what starts with it is as it was"))
}

fn with_words(failure: Failure, back: &Result<(), Error>, words: &str) -> Failure {
    let words = match back {
        Ok(()) => words.to_owned(),
        Err(why) => format!("they cannot be set as they were: {why}"),
    };
    match failure {
        Failure::Interrupted => {
            // The exit code says the rest.
            let _ = std::io::Write::write_fmt(&mut crate::terminal::stderr(), format_args!("{words}\n"));
            Failure::Interrupted
        }
        failure => Failure::Run(format!("{failure}; {words}")),
    }
}
