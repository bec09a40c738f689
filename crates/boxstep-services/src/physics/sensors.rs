//! What the sensors of a robot that can fall measure: forces under its feet, its inclination, and the bumpers.
//!
//! Source: the pages FSR, Inertial unit and Contact and tactile sensors of the NAOqi documentation.

use crate::memory::Kind;
use crate::motion::joints;
use crate::touch;
use crate::world::World;
use boxstep_bodies::SensorFrame;
use boxstep_dynamics::{GRAVITY, Isometry3, SoleForce, Vector3};
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};

/// The weight from which a foot counts as on the floor, in newton.
const CONTACT: f64 = 1.0;
/// A bumper of a robot that lies is pressed if its frame, which is behind its cover, is this low, in metres.
const BUMP: f64 = 0.02;

/// What touches the floor.
#[derive(Debug)]
pub(super) struct Contacts {
    feet: bool,
    /// The events of the bumpers that are pressed.
    bumpers: Vec<&'static str>,
}

impl Default for Contacts {
    fn default() -> Self {
        Self { feet: true, bumpers: Vec::new() }
    }
}

/// Raises the events of feet and bumpers.
pub(super) fn attend(w: &mut World, cx: &mut ServiceCx<'_>) {
    let now = cx.now();
    let Some(own) = &w.physics else { return };
    let Some(robot) = own.robot().filter(|_| !own.is_new) else { return };
    let feet = robot.soles().iter().any(|sole| sole.force > CONTACT);
    let pressed = pressed(w, now, &robot.torso());
    let Some(own) = &mut w.physics else { return };
    let stepped = std::mem::replace(&mut own.feet.feet, feet) != feet;
    let before = std::mem::replace(&mut own.feet.bumpers, pressed.clone());
    if stepped && w.body.has_legs() {
        w.store(cx, "footContact", feet.into(), Kind::Data);
        w.notice(cx, "footContactChanged", feet);
    }
    let changed = before.iter().filter(|event| !pressed.contains(event)).map(|event| (event, 0.0));
    let changed: Vec<_> =
        changed.chain(pressed.iter().filter(|event| !before.contains(event)).map(|event| (event, 1.0))).collect();
    for (event, level) in changed {
        let level = Value::Float(level);
        touch::touched(w, cx, event, &level);
        w.notice(cx, event, level);
    }
}

/// Returns the events of the bumpers that touch the floor.
fn pressed(w: &World, now: Time, torso: &Isometry3<f64>) -> Vec<&'static str> {
    let bumpers: Vec<&SensorFrame> =
        w.body.geometry().sensors.iter().filter(|sensor| sensor.name.contains("Bumper")).collect();
    // A robot that is upright stands on its soles.
    if bumpers.is_empty() || (torso.rotation * Vector3::z()).z > 0.5 {
        return Vec::new();
    }
    let model = w.body.model();
    let links = model.forward(&joints::angles(w, now, true));
    let touches = |sensor: &SensorFrame| {
        model.end(sensor.name).is_some_and(|end| (torso * end.pose(&links)).translation.z < BUMP)
    };
    let events = bumpers.iter().filter(|sensor| touches(sensor)).filter_map(|sensor| event_of(w, sensor.name));
    let mut events: Vec<&str> = events.collect();
    events.dedup();
    events
}

/// Returns the event of a bumper. Both bumpers of a foot have one event.
fn event_of(w: &World, bumper: &str) -> Option<&'static str> {
    let event = match bumper {
        name if name.starts_with("LFoot") || name.ends_with("Left") => "LeftBumperPressed",
        name if name.starts_with("RFoot") || name.ends_with("Right") => "RightBumperPressed",
        _ => "BackBumperPressed",
    };
    w.body.touch().iter().any(|sensor| sensor.event == event).then_some(event)
}

/// Returns the value of a sensor's device, such as `LFoot/FSR/TotalWeight/Sensor/Value`.
pub(crate) fn device(w: &World, now: Time, device: &str) -> Option<Value> {
    let own = w.physics.as_ref().filter(|own| !own.is_new)?;
    let robot = own.robot()?;
    let sensor = device.strip_suffix("/Sensor/Value")?;
    if let Some(axis) = sensor.strip_prefix("InertialSensor/") {
        return inertial(robot.torso(), robot.inertial(), axis);
    }
    let model = w.body.model();
    if let Some(axis) = sensor.strip_prefix("InertialSensorBase/") {
        let base = model.end("AccelerometerBase")?.pose(&model.forward(&joints::angles(w, now, true)));
        let (felt, turning) = robot.inertial();
        let back = base.rotation.inverse();
        return inertial(robot.torso() * base, (back * felt, back * turning), axis);
    }
    let (foot, what) = sensor.split_once("/FSR/")?;
    let soles = w.body.geometry().soles;
    // The sensors are on the link of the sole.
    let of_foot: Vec<&SensorFrame> = w
        .body
        .geometry()
        .sensors
        .iter()
        .filter(|s| s.name.strip_prefix(foot).is_some_and(|rest| rest.starts_with("/FSR/")))
        .collect();
    let sole = soles.iter().position(|sole| of_foot.iter().any(|sensor| sensor.link == sole.link))?;
    let force = robot.soles().get(sole).copied()?;
    let number = match what {
        "TotalWeight" => force.force / GRAVITY,
        "CenterOfPressure/X" => force.center.x,
        "CenterOfPressure/Y" => force.center.y,
        place => share(&of_foot, place, &force)? * force.force / GRAVITY,
    };
    Some(crate::senses::float(number))
}

/// Returns the part of a force that one of the four sensors of a foot bears.
fn share(sensors: &[&SensorFrame], place: &str, force: &SoleForce) -> Option<f64> {
    let (is_front, is_left) = (place.starts_with("Front"), place.ends_with("Left"));
    sensors.iter().find(|sensor| sensor.name.ends_with(place))?;
    let mean = |axis: usize, which: &dyn Fn(&str) -> bool| {
        let of: Vec<f64> = sensors.iter().filter(|sensor| which(sensor.name)).map(|sensor| sensor.at[axis]).collect();
        of.iter().sum::<f64>() / of.len().max(1) as f64
    };
    let part =
        |at: f64, low: f64, high: f64| if high > low { ((at - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
    let front = part(force.center.x, mean(0, &|name| name.contains("/Rear")), mean(0, &|name| name.contains("/Front")));
    let left = part(force.center.y, mean(1, &|name| name.ends_with("Right")), mean(1, &|name| name.ends_with("Left")));
    Some(if is_front { front } else { 1.0 - front } * if is_left { left } else { 1.0 - left })
}

/// Returns a value of an inertial unit at a pose, from the acceleration that it feels and its angular velocity.
///
/// The accelerometers' signs are those of a robot that stands: z is −9.81.
fn inertial(pose: Isometry3<f64>, (felt, turning): (Vector3<f64>, Vector3<f64>), axis: &str) -> Option<Value> {
    let (roll, pitch, yaw) = pose.rotation.euler_angles();
    let number = match axis {
        "AccelerometerX" | "AccX" => -felt.x,
        "AccelerometerY" | "AccY" => -felt.y,
        "AccelerometerZ" | "AccZ" => -felt.z,
        "GyroscopeX" | "GyrX" => turning.x,
        "GyroscopeY" | "GyrY" => turning.y,
        "GyroscopeZ" | "GyrZ" => turning.z,
        "AngleX" => roll,
        "AngleY" => pitch,
        "AngleZ" => yaw,
        _ => return None,
    };
    Some(crate::senses::float(number))
}
