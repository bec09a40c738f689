//! Memory keys of device states, which are computed when they are read.

use super::body::DEVICES;
use super::motion::{joints, power};
use super::world::World;
use super::{physics, senses};
use boxstep_types::{Time, Value};

/// Returns the value of a `Device/SubDeviceList/…` key of a joint or LED.
pub(crate) fn value(w: &World, now: Time, key: &str) -> Option<Value> {
    let device = key.strip_prefix(DEVICES)?;
    if let Some(value) = physics::device(w, now, device) {
        return Some(value);
    }
    if let Some(distance) = senses::device(w, now, device) {
        return Some(distance);
    }
    if let Some((name, what)) = device.split_once('/')
        && let Some(joint) = w.body.joint(name)
    {
        return Some(Value::Float(match what {
            "Position/Sensor/Value" => joints::actual(w, joint, now),
            "Position/Actuator/Value" => joints::command(w, joint, now),
            "Hardness/Actuator/Value" => power::stiffness(w, joint, now),
            // A motor at rest, at room temperature and without load.
            "Temperature/Sensor/Value" => 38.0,
            // Not too hot.
            "Temperature/Sensor/Status" => 0.0,
            "ElectricCurrent/Sensor/Value" => 0.0,
            _ => return None,
        }));
    }
    match w.body.leds(device)?.as_slice() {
        [led] => Some(w.leds.at(*led, now).into()),
        _ => None,
    }
}
