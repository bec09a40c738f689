//! Evaluates what a robot has said. No queries are made here.

use super::seen::{Diagnosis, Seen};
use super::{Finding, Severity, Topic, motors};
use crate::naoqi::some_of;
use boxstep_bodies::BodyKind;

/// Up to this charge, in percent, a robot soon stops by itself. Source: the page ALBattery.
const NEARLY_EMPTY: i64 = 10;
/// From this charge on, in percent, a battery should have more than its nominal voltage. Ours.
const FULL: i64 = 80;
/// From this temperature on, in °C, a battery neither charges nor discharges. Source: the page on Pepper's battery.
const BATTERY_HOT: f64 = 50.0;
/// From here on, in percent, a disk is nearly full, and full. Ours.
const DISK_NEARLY: f64 = 90.0;
const DISK_FULL: f64 = 98.0;
/// How many seconds a clock may be wrong. Ours.
const CLOCK: u64 = 300;

/// Evaluates what a robot has said: a finding for each subject of which something is known, in the order of [`Topic`].
pub fn judge(seen: &Seen) -> Vec<Finding> {
    let mut findings: Vec<Finding> = parts(seen).into_iter().collect();
    findings.extend(motors::judge(seen));
    findings.extend([battery(seen), Some(disk(seen)), Some(clock(seen)), languages(seen)].into_iter().flatten());
    findings.extend([protection(seen), network(seen), version(seen)].into_iter().flatten());
    findings
}

fn parts(seen: &Seen) -> Option<Finding> {
    const HELP: &str =
        "switch the robot off and on again. If it stays, these parts need a repair: do not play what uses them";
    let told: Vec<&Diagnosis> = [&seen.passive, &seen.active].into_iter().flatten().collect();
    let failed: Vec<&&Diagnosis> =
        told.iter().filter(|diagnosis| !diagnosis.parts.is_empty() || diagnosis.severity > 0).collect();
    let Some(worst) = failed.iter().map(|diagnosis| diagnosis.severity).max() else {
        return (!told.is_empty()).then(|| Finding::good(Topic::Parts, "the robot finds no defect"));
    };
    let mut names: Vec<String> = failed.iter().flat_map(|diagnosis| diagnosis.parts.clone()).collect();
    names.sort();
    names.dedup();
    let names = if names.is_empty() { "a part that it does not name".to_owned() } else { some_of(&names) };
    let value = format!("the robot reports as defective: {names}");
    Some(match worst {
        0 => Finding::bad(Topic::Parts, Severity::Look, value, "it calls this negligible", HELP),
        1 => {
            let why = "it calls this serious: it releases the limbs that these are in, and they take no commands";
            Finding::bad(Topic::Parts, Severity::Broken, value, why, HELP)
        }
        _ => {
            let why = "it calls this critical: it rests and cannot be woken up";
            Finding::bad(Topic::Parts, Severity::Broken, value, why, HELP)
        }
    })
}

/// Returns the nominal voltage of a robot's battery. Source: the pages on the batteries of NAO and Pepper.
fn nominal(kind: BodyKind) -> f64 {
    match kind {
        BodyKind::Nao | BodyKind::NaoV33 => 21.6,
        BodyKind::Pepper => 26.46,
    }
}

fn battery(seen: &Seen) -> Option<Finding> {
    let plugged = seen.plugged == Some(true);
    let parts = [
        seen.charge.map(|charge| format!("{charge} %")),
        plugged.then(|| "plugged in".to_owned()),
        seen.voltage.map(|volts| format!("{volts:.1} V")),
        seen.battery_temperature.map(|degrees| format!("{degrees:.0} °C")),
    ];
    let value = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let bad = |severity, why: &str, help: &str| Some(Finding::bad(Topic::Battery, severity, value.clone(), why, help));
    let heat = seen.battery_heat.unwrap_or_default();
    let weak = |charge: i64| {
        let short = seen.voltage.zip(seen.kind).is_some_and(|(volts, kind)| volts < nominal(kind));
        charge >= FULL && short
    };
    match seen.charge {
        _ if heat >= 3 => bad(
            Severity::Broken,
            "the battery is critically hot",
            "switch the robot off, unplug it, and let it cool down; do not charge it before",
        ),
        _ if heat > 0 || seen.battery_temperature.is_some_and(|degrees| degrees >= BATTERY_HOT) => bad(
            Severity::Look,
            "the battery is hot: it may neither charge nor give its full current",
            "let the robot rest in a cool place before it is charged",
        ),
        Some(charge) if weak(charge) => bad(
            Severity::Look,
            "it says that it is full, and its voltage is that of one half empty: so do old batteries, which end suddenly",
            "charge it fully and watch how long it lasts; a new battery helps if the robot goes out long before it is empty",
        ),
        Some(charge) if charge <= NEARLY_EMPTY && !plugged => bad(
            Severity::Look,
            "nearly empty: a robot that walks may go out within half a minute",
            "switch it off and plug it in: by its manual it charges only while it is off",
        ),
        _ => (!value.is_empty()).then(|| Finding::good(Topic::Battery, value.clone())),
    }
}

/// Returns a finding for what only the files of a robot tell.
fn not_known(topic: Topic, seen: &Seen) -> Finding {
    let value = match &seen.files {
        None => "not known without SSH: --ssh nao@ROBOT asks the robot's files".to_owned(),
        Some(why) => format!("not known: {why}"),
    };
    Finding { severity: Severity::Unknown, ..Finding::good(topic, value) }
}

fn disk(seen: &Seen) -> Finding {
    const HELP: &str = "save what the robot holds (`boxstep rescue`), then remove packages (`boxstep ls --long`, \
                        `boxstep uninstall`), recordings and logs";
    let Some(disk) = seen.disk else { return not_known(Topic::Disk, seen) };
    let full = disk.percent_full();
    let value = format!("{:.0} % full, {} free", full.floor(), bytes(disk.free));
    if full >= DISK_FULL {
        let why = "full: nothing can be installed, and settings, logs and updates may fail";
        Finding::bad(Topic::Disk, Severity::Broken, value, why, HELP)
    } else if full >= DISK_NEARLY {
        Finding::bad(Topic::Disk, Severity::Look, value, "nearly full", HELP)
    } else {
        Finding::good(Topic::Disk, value)
    }
}

/// Returns a number of bytes for people.
#[allow(clippy::cast_precision_loss, reason = "one digit behind the point")]
fn bytes(bytes: u64) -> String {
    let megabytes = bytes as f64 / 1e6;
    if megabytes < 1000.0 { format!("{megabytes:.0} MB") } else { format!("{:.1} GB", megabytes / 1000.0) }
}

fn clock(seen: &Seen) -> Finding {
    let Some(ahead) = seen.clock else { return not_known(Topic::Clock, seen) };
    if ahead.unsigned_abs() <= CLOCK {
        return Finding::good(Topic::Clock, "right");
    }
    let (seconds, side) = (ahead.unsigned_abs(), if ahead > 0 { "ahead" } else { "behind" });
    let (count, unit) = match seconds {
        86_400.. => (seconds / 86_400, "day"),
        3600.. => (seconds / 3600, "hour"),
        _ => (seconds / 60, "minute"),
    };
    let value = format!("{count} {unit}{} {side}", if count == 1 { "" } else { "s" });
    let why = "certificates count as not valid then, and times in logs are wrong";
    let help = "connect the robot to the internet and restart it, so that it can get the time";
    Finding::bad(Topic::Clock, Severity::Look, value, why, help)
}

fn languages(seen: &Seen) -> Option<Finding> {
    let list = |names: &Vec<String>| if names.is_empty() { "nothing".to_owned() } else { some_of(names) };
    let value = match (&seen.voices, &seen.ears) {
        (Some(voices), Some(ears)) if voices == ears => format!("speaks and understands {}", list(voices)),
        (Some(voices), Some(ears)) => format!("speaks {}; understands {}", list(voices), list(ears)),
        (Some(voices), None) => format!("speaks {}", list(voices)),
        (None, Some(ears)) => format!("understands {}", list(ears)),
        (None, None) => return None,
    };
    let none = |names: &Option<Vec<String>>| names.as_ref().is_some_and(Vec::is_empty);
    if none(&seen.voices) || none(&seen.ears) {
        let why = "without a language it cannot speak, or not understand";
        let help = "install a language of the robot's maker, and restart the robot";
        return Some(Finding::bad(Topic::Languages, Severity::Broken, value, why, help));
    }
    let deaf: Vec<String> = match (&seen.voices, &seen.ears) {
        (Some(voices), Some(ears)) => voices.iter().filter(|voice| !ears.contains(voice)).cloned().collect(),
        _ => Vec::new(),
    };
    if deaf.is_empty() {
        return Some(Finding::good(Topic::Languages, value));
    }
    let why = format!("it speaks {} and does not understand it: dialogs in it get no answers", some_of(&deaf));
    let help = "use dialogs in a language that it understands, or install the language for speech recognition, too";
    Some(Finding::bad(Topic::Languages, Severity::Look, value, why, help))
}

fn protection(seen: &Seen) -> Option<Finding> {
    const KINDS: [(&str, &str, &str); 3] = [
        ("fall manager", "setFallManagerEnabled", "it does not protect its head and arms when it falls"),
        ("smart stiffness", "setSmartStiffnessEnabled", "motors that stand still keep their force and get hot"),
        ("diagnosis effect", "setDiagnosisEffectEnabled", "it goes on with defective or hot parts"),
    ];
    let told = [seen.fall_manager, seen.smart_stiffness, seen.diagnosis_effect];
    let of = |on: bool| KINDS.iter().zip(told).filter(move |(_, told)| *told == Some(on)).map(|(kind, _)| kind);
    let names = |on: bool| some_of(&of(on).map(|(name, ..)| (*name).to_owned()).collect::<Vec<_>>());
    if of(false).next().is_none() {
        return of(true).next().is_some().then(|| Finding::good(Topic::Protection, format!("{} on", names(true))));
    }
    let why = of(false).map(|(_, _, why)| *why).collect::<Vec<_>>().join("; ");
    let commands: Vec<String> =
        of(false).map(|(_, set, _)| format!("`boxstep qi call --robot ROBOT ALMotion.{set} true`")).collect();
    let help = format!("somebody has switched it off: restart the robot, or {}", commands.join(", "));
    Some(Finding::bad(Topic::Protection, Severity::Look, format!("{} off", names(false)), why, &help))
}

fn network(seen: &Seen) -> Option<Finding> {
    if let [(name, error), ..] = &seen.failed_networks[..] {
        let name = if name.is_empty() { "a network without a name" } else { name };
        let why = match error.as_str() {
            "" => "the robot could not connect to it".to_owned(),
            error => format!("the robot could not connect to it: {error}"),
        };
        let help =
            "connect it with a cable, open its page in a browser, and choose the network again with its password";
        return Some(Finding::bad(Topic::Network, Severity::Look, format!("failed: {name}"), why, help));
    }
    Some(match seen.network.as_deref()? {
        "online" => Finding::good(Topic::Network, "connected, with the internet"),
        "ready" => Finding::good(Topic::Network, "connected, without the internet"),
        "offline" => {
            let why = "the robot says that it is in no network, although it answers";
            let help = "choose a network on its page: it may be reached by a cable or its own network alone";
            Finding::bad(Topic::Network, Severity::Look, "none", why, help)
        }
        other => Finding::good(Topic::Network, other),
    })
}

/// Returns the version, and what that means for Boxstep. Source: docs/reference/services.md, docs/reference/qi.md.
fn version(seen: &Seen) -> Option<Finding> {
    let version = seen.version.as_deref()?;
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    let what = match (numbers.next(), numbers.next()) {
        (Some(0), _) | (Some(1), Some(0..=21)) => ", before there were packages: `install` and `pull` do not work",
        (Some(1 | 2), Some(22 | 0..=1)) => ", the generation 2.1",
        (Some(2), Some(2..=5)) => ", the generation 2.5, whose services Boxstep simulates",
        (Some(2), Some(6..=8)) => {
            ", the generation 2.8, whose methods take other types here and there: Boxstep asks for them"
        }
        (Some(2), Some(9)) => ", the generation 2.9, which is reached by tcps:// at port 9503, with a password",
        _ => "",
    };
    Some(Finding::good(Topic::Version, format!("{version}{what}")))
}
