//! Memory keys that are the state of a device: computed when they are asked for.

use super::body::DEVICES;
use super::motion::{joints, power};
use super::world::World;
use boxstep_types::{Time, Value};

/// The value of `Device/SubDeviceList/…` keys of joints and LEDs.
pub(crate) fn value(w: &World, now: Time, key: &str) -> Option<Value> {
    let device = key.strip_prefix(DEVICES)?;
    if let Some((name, what)) = device.split_once('/')
        && let Some(joint) = w.body.joint(name)
    {
        return Some(Value::Float(match what {
            "Position/Sensor/Value" => joints::actual(w, joint, now),
            "Position/Actuator/Value" => joints::command(w, joint, now),
            "Hardness/Actuator/Value" => power::stiffness(w, joint, now),
            // A motor at rest in a room, and no load.
            "Temperature/Sensor/Value" => 38.0,
            "ElectricCurrent/Sensor/Value" => 0.0,
            _ => return None,
        }));
    }
    match w.body.leds(device)?.as_slice() {
        [led] => Some(w.leds.at(*led, now).into()),
        _ => None,
    }
}
