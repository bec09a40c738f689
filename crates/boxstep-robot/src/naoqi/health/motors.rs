//! Evaluates the motors.

use super::seen::{Joint, Seen};
use super::{Finding, Severity, Topic};
use crate::naoqi::some_of;

/// From these temperatures on, in °C, a motor is warm, and hot. Source: the driver of robots for ROS by their maker.
const WARM: f64 = 68.0;
const HOT: f64 = 74.0;
/// From this stiffness on a motor has to follow. Ours.
const STIFF: f64 = 0.5;
/// So far from its command, in rad, a motor that stands still is suspicious, and does not follow: 10° and 20°. Ours.
const OFF: f64 = 0.17;
const FAR: f64 = 0.35;
/// Below this current, in A, a motor that should reach another angle has none. Ours.
const NONE: f64 = 0.01;

const COOL: &str = "let the robot rest (crouched, without force) for half an hour, and keep it out of the sun";
const REPAIR: &str = "look whether something holds it; let the robot rest and wake it up again. If it stays, the motor, \
                      its gear or its cable needs a repair: do not play what moves it";

pub(super) fn judge(seen: &Seen) -> Vec<Finding> {
    if seen.joints.is_empty() {
        return Vec::new();
    }
    let findings: Vec<Finding> = [heat(seen), following(seen)].into_iter().flatten().collect();
    if findings.is_empty() { vec![good(seen)] } else { findings }
}

fn good(seen: &Seen) -> Finding {
    let count = seen.joints.len();
    let value = match seen.warmest() {
        Some((name, degrees)) => format!("{count}, the warmest has {degrees:.0} °C ({name})"),
        None => format!("{count}"),
    };
    Finding::good(Topic::Motors, value)
}

/// Returns how hot a motor is: 1 and 2 by the robot's own level or by its temperature, 3 by the level alone.
fn level(joint: &Joint) -> i64 {
    let degrees = joint.temperature.unwrap_or_default();
    let by_degrees = i64::from(degrees >= WARM) + i64::from(degrees >= HOT);
    joint.heat.unwrap_or_default().max(by_degrees)
}

fn heat(seen: &Seen) -> Option<Finding> {
    let worst = seen.joints.iter().map(level).max()?;
    let named = |joint: &Joint| match joint.temperature {
        Some(degrees) => format!("{} {degrees:.0} °C", joint.name),
        None => joint.name.clone(),
    };
    let list =
        |least: i64| some_of(&seen.joints.iter().filter(|joint| level(joint) >= least).map(named).collect::<Vec<_>>());
    Some(match worst {
        3.. => {
            let why = "so hot that the robot has switched them off: they do not move until they are cool";
            Finding::bad(Topic::Motors, Severity::Broken, format!("too hot: {}", list(3)), why, COOL)
        }
        2 => {
            let why = "the robot takes force from hot motors: it moves weakly, and may fall";
            Finding::bad(Topic::Motors, Severity::Look, format!("very hot: {}", list(2)), why, COOL)
        }
        1 => {
            let why = "warmer, and the robot takes force from them";
            Finding::bad(Topic::Motors, Severity::Look, format!("hot: {}", list(1)), why, COOL)
        }
        _ => return None,
    })
}

/// Returns how far a stiff motor that stands still is from its command. Hands are left out: they close around things.
fn off(joint: &Joint) -> Option<f64> {
    let watched = joint.still && !joint.name.contains("Hand") && joint.stiffness? >= STIFF;
    let off = (joint.angle? - joint.command?).abs();
    (watched && off >= OFF).then_some(off)
}

fn following(seen: &Seen) -> Option<Finding> {
    let off: Vec<(&Joint, f64)> = seen.joints.iter().filter_map(|joint| Some((joint, off(joint)?))).collect();
    let named = |(joint, off): &(&Joint, f64)| {
        let dead = if joint.current.is_some_and(|current| current < NONE) { ", without current" } else { "" };
        format!("{} ({:.0}° off{dead})", joint.name, off.to_degrees())
    };
    let value = some_of(&off.iter().map(named).collect::<Vec<_>>());
    let worst = off.iter().map(|(_, off)| *off).fold(0.0, f64::max);
    if worst >= FAR {
        let why = "commanded and stiff, and it stands somewhere else";
        return Some(Finding::bad(Topic::Motors, Severity::Broken, format!("do not follow: {value}"), why, REPAIR));
    }
    let why = "stiff, and it does not quite reach where it should";
    (worst > 0.0).then(|| Finding::bad(Topic::Motors, Severity::Look, format!("follow badly: {value}"), why, REPAIR))
}
