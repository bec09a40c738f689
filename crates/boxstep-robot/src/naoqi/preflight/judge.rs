//! Evaluates the robot's answers for a behavior. No queries are made here.

use super::observe::{Observation, texts};
use super::requirements::{NeededCall, Requirements};
use super::{Fact, Life, Permissions, Report, Topic};
use crate::naoqi::some_of;
use boxstep_qi::Value;

/// Below this charge, in percent, the battery is reported.
const LOW: i64 = 30;
/// Up to this charge, in percent, a robot soon stops by itself.
const NEARLY_EMPTY: i64 = 10;

/// Returns every fact, in the order of reporting. `known` are behaviors that may run, because they have been accepted
/// already.
pub(super) fn judge(seen: &Observation, needs: &Requirements, permissions: &Permissions, known: &[String]) -> Report {
    let facts = vec![
        version(seen),
        body(seen, needs),
        battery(seen),
        temperature(seen, needs),
        awake(seen, needs, permissions),
        stiffness(seen, needs, permissions),
        life(seen, permissions),
        behaviors(seen, needs, known),
        services(seen, needs),
        voice(seen, needs),
    ];
    Report { facts }
}

/// Returns the fact for a missing answer. It is a note if the robot lacks what could answer, or if no answer would be
/// refused. Otherwise the robot must not be moved before the answer is known: a lost or unanswered query is no
/// permission.
fn unknown(seen: &Observation, topic: Topic, asked: &[(&'static str, &'static str)], refuses: bool) -> Fact {
    const AGAIN: &str = "try again; --anyway plays without knowing";
    let open = asked.iter().find(|(service, method)| !seen.lacks(service, method));
    match (open, asked.first()) {
        (Some((service, method)), _) if refuses => Fact::refused(topic, "unknown", seen.why(service, method), AGAIN),
        (Some((service, method)), _) | (None, Some((service, method))) => {
            Fact::unknown(topic, seen.why(service, method))
        }
        (None, None) => Fact::unknown(topic, "nothing was queried".to_owned()),
    }
}

fn version(seen: &Observation) -> Fact {
    match seen.answer("ALSystem", "systemVersion").and_then(Value::as_str) {
        Some(version) => Fact::fine(Topic::Version, version),
        None => Fact::unknown(Topic::Version, seen.why("ALSystem", "systemVersion")),
    }
}

fn body(seen: &Observation, needs: &Requirements) -> Fact {
    let Some((model, kind)) = seen.model() else {
        let asked = [("ALMotion", "getRobotConfig"), ("ALRobotModel", "getRobotType")];
        return unknown(seen, Topic::Body, &asked, needs.body.is_some() && !needs.joints.is_empty());
    };
    let value = match kind {
        Some(kind) if !model.eq_ignore_ascii_case(kind.body().name) => format!("{kind}, {model}"),
        Some(kind) => kind.to_string(),
        None => model,
    };
    // The robot's own list; for a robot without one, the joints of its kind.
    let joints = seen.joints().or_else(|| {
        let names = kind?.body().joints.iter().map(|joint| joint.name.to_owned());
        Some(names.collect())
    });
    let strange = |joint: &&String| joints.as_ref().is_some_and(|known| !known.contains(joint));
    let missing: Vec<&str> = needs.joints.iter().filter(strange).map(String::as_str).collect();
    let left_out = || format!("the file moves {}, which this robot lacks: left out", some_of(&missing));
    match needs.body {
        Some(meant) if kind.is_some_and(|kind| kind != meant) => {
            let why = format!("the file was made for {meant}");
            if needs.joints.is_empty() {
                Fact::note(Topic::Body, value, why)
            } else {
                let why = format!("{why}, and its movements are those of another body");
                Fact::refused(Topic::Body, value, why, "choose a file for this robot, or --anyway")
            }
        }
        Some(meant) if kind.is_none() && !needs.joints.is_empty() => {
            let why = format!("the file was made for {meant}, and this model is not known");
            Fact::refused(Topic::Body, value, why, "choose a file for this robot, or --anyway")
        }
        _ if !missing.is_empty() => Fact::note(Topic::Body, value, left_out()),
        _ => Fact::fine(Topic::Body, value),
    }
}

fn battery(seen: &Observation) -> Fact {
    let Some(charge) = seen.answer("ALBattery", "getBatteryCharge").and_then(Value::as_i64) else {
        return Fact::unknown(Topic::Battery, seen.why("ALBattery", "getBatteryCharge"));
    };
    // The value that the robot last raised; some robots have never raised it.
    let plugged = seen.answer("ALMemory", "getData").and_then(Value::as_bool) == Some(true);
    let value = format!("{charge} %{}", if plugged { ", plugged in" } else { "" });
    if charge >= LOW || plugged {
        Fact::fine(Topic::Battery, value)
    } else if charge > NEARLY_EMPTY {
        Fact::note(Topic::Battery, value, "low")
    } else {
        Fact::note(Topic::Battery, value, "nearly empty: a robot that walks may go out within half a minute")
            .help("plug it in")
    }
}

fn temperature(seen: &Observation, needs: &Requirements) -> Fact {
    let hottest = seen.temperatures.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let hottest = hottest.map(|(joint, degrees)| format!("{degrees:.0} °C at most, {joint}"));
    let diagnosis = seen.answer("ALBodyTemperature", "getTemperatureDiagnosis");
    // For a cool robot the answer is empty.
    let level = diagnosis.and_then(Value::as_slice).and_then(|parts| parts.first()?.as_i64());
    let Some(level) = level else {
        let asked = ("ALBodyTemperature", "getTemperatureDiagnosis");
        // An answer that is not understood does not say that nothing is hot.
        let cool = diagnosis.and_then(Value::as_slice).is_some_and(<[Value]>::is_empty);
        return match hottest {
            Some(hottest) if cool || seen.lacks(asked.0, asked.1) => Fact::fine(Topic::Temperature, hottest),
            None if cool => Fact::fine(Topic::Temperature, "nothing is hot"),
            _ => unknown(seen, Topic::Temperature, &[asked], needs.moves()),
        };
    };
    let parts = diagnosis.and_then(Value::as_slice).and_then(|parts| texts(parts.get(1)?.plain())).unwrap_or_default();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let value = hottest.unwrap_or_else(|| if level > 0 { "hot".to_owned() } else { "warm".to_owned() });
    let hot = if parts.is_empty() { "a part".to_owned() } else { some_of(&parts) };
    let why = match level {
        ..=0 if parts.is_empty() => return Fact::fine(Topic::Temperature, value),
        ..=0 => return Fact::note(Topic::Temperature, value, format!("warm: {hot}")),
        1 => format!("too hot: {hot}; the robot has released the limbs that they are in, and these take no commands"),
        _ => format!("far too hot: {hot}; the robot rests and cannot be woken up"),
    };
    if needs.moves() {
        Fact::refused(Topic::Temperature, value, why, "let it rest and cool down, or --anyway")
    } else {
        Fact::note(Topic::Temperature, value, why)
    }
}

fn awake(seen: &Observation, needs: &Requirements, permissions: &Permissions) -> Fact {
    match seen.awake() {
        None => unknown(seen, Topic::Awake, &[("ALMotion", "robotIsWakeUp")], needs.moves()),
        Some(true) => Fact::fine(Topic::Awake, "yes"),
        // With its Life on again, a robot gets up and lies down by itself.
        Some(false)
            if permissions.wake
                && permissions.life == Some(Life::Disabled)
                && seen.life().is_some_and(|s| s != "disabled") =>
        {
            Fact::note(Topic::Awake, "no", "it is woken up")
        }
        Some(false) if permissions.wake => Fact::note(Topic::Awake, "no", "it is woken up, and rests again at the end"),
        Some(false) if !needs.moves() => Fact::fine(Topic::Awake, "no, and nothing is moved"),
        Some(false) => {
            let why = "a robot that rests takes every movement and does none of them";
            let why = match needs.surely_moves() {
                true => why.to_owned(),
                false => format!("{why}, and {}", may("move it", needs)),
            };
            Fact::refused(Topic::Awake, "no", why, "--wake wakes it up and lets it rest again at the end")
        }
    }
}

fn stiffness(seen: &Observation, needs: &Requirements, permissions: &Permissions) -> Fact {
    let Some(all) = seen.stiffness() else {
        // Stiffness refuses nothing for a robot that rests, or if only scripts may move it.
        let refuses = !needs.joints.is_empty() && seen.awake() == Some(true);
        let asked = [("ALMotion", "getStiffnesses"), ("ALMotion", "getBodyNames")];
        return unknown(seen, Topic::Stiffness, &asked, refuses);
    };
    let of: Vec<(&str, f64)> = all
        .iter()
        .filter(|(joint, _)| needs.joints.is_empty() || needs.joints.contains(joint))
        .map(|(joint, stiffness)| (joint.as_str(), *stiffness))
        .collect();
    let least = of.iter().map(|(_, s)| *s).fold(f64::INFINITY, f64::min);
    let most = of.iter().map(|(_, s)| *s).fold(0.0, f64::max);
    let value = match of.is_empty() {
        true => return Fact::unknown(Topic::Stiffness, "the robot names no joints".to_owned()),
        false if (most - least).abs() < 0.005 => format!("{most:.2}"),
        false => format!("{least:.2} to {most:.2}"),
    };
    let limp: Vec<&str> = of.iter().filter(|(_, s)| *s <= 0.0).map(|(joint, _)| *joint).collect();
    // For a robot that rests, the fact about waking has said it; scripts may set the stiffness that they need.
    if limp.is_empty() || seen.awake() != Some(true) || !needs.moves() {
        return Fact::fine(Topic::Stiffness, value);
    }
    let why = format!("{} without stiffness: commands for them are accepted and not executed", some_of(&limp));
    if needs.joints.is_empty() {
        Fact::note(Topic::Stiffness, value, why)
    } else if permissions.wake {
        Fact::note(Topic::Stiffness, value, format!("{why}; waking up gives it"))
    } else {
        Fact::refused(Topic::Stiffness, value, why, "--wake gives them stiffness, or --anyway")
    }
}

fn life(seen: &Observation, permissions: &Permissions) -> Fact {
    let Some(state) = seen.life() else {
        let refuses = permissions.life != Some(Life::Keep);
        return unknown(seen, Topic::Life, &[("ALAutonomousLife", "getState")], refuses);
    };
    if state == "disabled" {
        return Fact::fine(Topic::Life, state);
    }
    match permissions.life {
        Some(Life::Disabled) => {
            Fact::note(Topic::Life, state, "it is switched off while the behavior plays, and on again at the end")
        }
        Some(Life::Keep) => {
            Fact::note(Topic::Life, state, "it goes on, and may look around, breathe, or begin something of its own")
        }
        None => Fact::refused(
            Topic::Life,
            state,
            "it moves the robot in between, and may begin something of its own that takes the robot away",
            "--life disabled switches it off while the behavior plays; --life keep leaves it",
        ),
    }
}

fn behaviors(seen: &Observation, needs: &Requirements, known: &[String]) -> Fact {
    // Life starts and stops behaviors by itself; the fact about Life says what happens to it.
    let refuses = needs.moves() && seen.life().is_none_or(|state| state == "disabled");
    let Some(running) = seen.running() else {
        return unknown(seen, Topic::Behaviors, &[("ALBehaviorManager", "getRunningBehaviors")], refuses);
    };
    let others: Vec<&str> = running.iter().filter(|name| !known.contains(name)).map(String::as_str).collect();
    if others.is_empty() {
        return Fact::fine(Topic::Behaviors, "none runs");
    }
    let value = format!("{} running: {}", others.len(), some_of(&others));
    if !refuses {
        return Fact::note(Topic::Behaviors, value, "they may want the robot at the same time");
    }
    let why = "the robot puts off movements of joints that another behavior moves";
    Fact::refused(Topic::Behaviors, value, why, "`boxstep stop` ends them, or --anyway")
}

fn services(seen: &Observation, needs: &Requirements) -> Fact {
    const HELP: &str = "play it on a robot that has them, or --anyway";
    let wanted = needs.wanted();
    let refuses = !needs.joints.is_empty() || wanted.iter().any(|call| !call.guarded);
    let known = match &seen.services {
        Ok(known) => known,
        Err(why) if refuses => return Fact::refused(Topic::Services, "unknown", why, "try again, or --anyway"),
        Err(why) => return Fact::unknown(Topic::Services, why.clone()),
    };
    if !needs.joints.is_empty() && !known.contains("ALMotion") {
        let why = "not there: ALMotion, which moves the joints of the curves";
        return Fact::refused(Topic::Services, known.len().to_string(), why, HELP);
    }
    let mut missing: Vec<&NeededCall> = Vec::new();
    let mut unknown: Option<String> = None;
    let mut shut: Vec<&str> = Vec::new();
    for call in &wanted {
        let gone = match seen.missing.get(&call.service) {
            None => !known.contains(&call.service) && call.method.is_none(),
            Some(Ok(names)) => call.method.as_ref().is_some_and(|method| names.contains(method)),
            Some(Err(why)) => {
                unknown.get_or_insert(format!("{}: {why}", call.service));
                if !call.guarded && !shut.contains(&call.service.as_str()) {
                    shut.push(&call.service);
                }
                false
            }
        };
        // A service that is called without being requested by name.
        let unseen = || {
            !known.contains(&call.service)
                && !wanted.iter().any(|other| other.method.is_none() && other.service == call.service)
        };
        if gone || unseen() {
            missing.push(call);
        }
    }
    let value = match (needs.anything, wanted.len(), missing.len()) {
        (true, ..) => format!("{}", known.len()),
        (_, 0, _) if !needs.unknown.is_empty() => format!("{}, and what the scripts call is not known", known.len()),
        (_, 0, _) => format!("{}, and the scripts call none", known.len()),
        (_, n, 0) => format!("{}, with all {n} that the scripts call", known.len()),
        (_, n, m) => format!("{}, without {m} of {n} that the scripts call", known.len()),
    };
    let needed: Vec<String> =
        missing.iter().filter(|c| !c.guarded).map(|c| format!("{} at {}", c.name(), c.place)).collect();
    let needed: Vec<&str> = needed.iter().map(String::as_str).collect();
    let spare: Vec<String> = missing.iter().filter(|c| c.guarded).map(|c| c.name()).collect();
    let spare: Vec<&str> = spare.iter().map(String::as_str).collect();
    // Without the service a box cannot do its work; a missing method of an existing service reports itself when it is
    // called.
    let lacks_service = missing.iter().any(|c| !c.guarded && !known.contains(&c.service));
    let fact = match (needed.is_empty(), spare.is_empty(), unknown) {
        (false, ..) => {
            let why = format!("not there: {}; a script that comes to it fails", some_of(&needed));
            match lacks_service {
                true => Fact::refused(Topic::Services, value, why, HELP),
                false => Fact::note(Topic::Services, value, why),
            }
        }
        (_, _, Some(why)) if !shut.is_empty() => {
            let why = format!("{} did not say what it can do: {why}", some_of(&shut));
            Fact::refused(Topic::Services, value, why, "try again, or --anyway")
        }
        (_, _, Some(why)) => Fact::note(Topic::Services, value, format!("not everything is known: {why}")),
        (_, false, None) => {
            let why = format!("not there: {}, and the scripts are ready for that", some_of(&spare));
            Fact::note(Topic::Services, value, why)
        }
        (true, true, None) => Fact::fine(Topic::Services, value),
    };
    // Unknown calls are no reason to refuse, but they are reported.
    match (needs.unknown.is_empty(), &fact.why) {
        (true, _) => fact,
        (false, None) => Fact::note(Topic::Services, fact.value, may("call anything", needs)),
        (false, Some(why)) => Fact { why: Some(format!("{why}; {}", may("call anything else", needs))), ..fact },
    }
}

/// Returns a note that the scripts may do something that static analysis does not show, and why.
fn may(what: &str, needs: &Requirements) -> String {
    let open: Vec<&str> = needs.unknown.iter().map(String::as_str).collect();
    format!("the scripts may {what}: {}", some_of(&open))
}

fn voice(seen: &Observation, needs: &Requirements) -> Fact {
    let Some(now) = seen.answer("ALTextToSpeech", "getLanguage").and_then(Value::as_str) else {
        let refuses = needs.language.is_some() && needs.surely_speaks();
        return unknown(seen, Topic::Voice, &[("ALTextToSpeech", "getLanguage")], refuses);
    };
    let voices = seen.answer("ALTextToSpeech", "getAvailableLanguages").and_then(texts).unwrap_or_default();
    let others: Vec<&str> = voices.iter().map(String::as_str).filter(|voice| *voice != now).collect();
    let value = match others.is_empty() {
        true => now.to_owned(),
        false => format!("{now}; also {}", some_of(&others)),
    };
    match &needs.language {
        Some(wanted) if wanted != now && needs.speaks() => {
            let why = format!("the file's texts are chosen in {wanted}, and the robot would read them in {now}");
            // That it speaks is a guess, and a wrong voice does no harm.
            if !needs.surely_speaks() {
                return Fact::note(Topic::Voice, value, format!("{why}; {}", may("let it speak", needs)));
            }
            if others.contains(&wanted.as_str()) {
                let help = format!("`boxstep qi call ALTextToSpeech.setLanguage {wanted} --robot ROBOT`, or --anyway");
                Fact::refused(Topic::Voice, value, why, &help)
            } else {
                Fact::refused(Topic::Voice, value, why, "choose a language that it has with --language, or --anyway")
            }
        }
        _ => Fact::fine(Topic::Voice, value),
    }
}
