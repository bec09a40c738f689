//! Where sensors are: cameras, touch and force sensors, the inertial unit, sonars, microphones, lasers; and other names
//! for them.
//!
//! Source: the pages of the sensors in the NAOqi documentation, as the published robot descriptions (URDF) give them.
//! NAO's microphones and the single emitters and receivers of its sonars are those of `family/robots/microphone_robot`
//! (heads 3.3 and 4.0) and `family/robots/sonar_robot`. Where Pepper's microphones are is not published.

use crate::parts::joined;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6, PI};

/// The frame of a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorFrame {
    /// The name that `ALMotion.getPosition` takes.
    pub name: &'static str,
    /// The link that it is on.
    pub link: &'static str,
    /// Its position in the link's frame, in metres.
    pub at: [f64; 3],
    /// Its orientation there: rotations about the fixed axes x, then y, then z, in radians.
    pub turned: [f64; 3],
}

const fn frame(name: &'static str, link: &'static str, at: [f64; 3], turned: [f64; 3]) -> SensorFrame {
    SensorFrame { name, link, at, turned }
}

pub(crate) static NAO: &[SensorFrame] = &joined::<SensorFrame, 38>(&[&NAO_CAMERAS, &NAO_COMMON]);
pub(crate) static NAO_V33: &[SensorFrame] = &joined::<SensorFrame, 38>(&[&NAO_V33_CAMERAS, &NAO_COMMON]);

const NAO_CAMERAS: [SensorFrame; 2] = [
    frame("CameraBottom", "Head", [0.05071, 0.0, 0.01774], [0.0, 0.6929, 0.0]),
    frame("CameraTop", "Head", [0.05871, 0.0, 0.06364], [0.0, 0.0209, 0.0]),
];

const NAO_V33_CAMERAS: [SensorFrame; 2] = [
    frame("CameraBottom", "Head", [0.0488, 0.0, 0.02381], [0.0, 0.6981, 0.0]),
    frame("CameraTop", "Head", [0.0539, 0.0, 0.0679], [0.0, 0.0, 0.0]),
];

#[rustfmt::skip]
const NAO_COMMON: [SensorFrame; 36] = [
    frame("Accelerometer", "Torso", [-0.008, 0.00606, 0.027], [0.0, 0.0, 0.0]),
    frame("ChestBoard/Button", "Torso", [0.049871, 0.001588, 0.055163], [0.0, 0.0, 0.0]),
    frame("Gyrometer", "Torso", [-0.008, 0.006, 0.029], [0.0, 0.0, 0.0]),
    frame("Head/Touch/Front", "Head", [0.0312, 0.0, 0.1014], [0.0, -1.1861, 0.0]),
    frame("Head/Touch/Middle", "Head", [0.001, 0.0, 0.1099], [PI, -FRAC_PI_2, -PI]),
    frame("Head/Touch/Rear", "Head", [-0.0257, 0.0, 0.1045], [PI, -1.33319, -PI]),
    frame("InfraredL", "Head", [0.0441, 0.0257, 0.0466], [0.0, 0.0, 0.0]),
    frame("InfraredR", "Head", [0.0441, -0.0257, 0.0466], [0.0, 0.0, 0.0]),
    frame("LFoot/Bumper/Left", "LFoot", [0.0876, 0.019, -0.0353], [0.0, 0.0, 0.0]),
    frame("LFoot/Bumper/Right", "LFoot", [0.0876, -0.014, -0.0353], [0.0, 0.0, 0.0]),
    frame("LFoot/FSR/FrontLeft", "LFoot", [0.07025, 0.0299, -0.04511], [0.0, 0.0, 0.0]),
    frame("LFoot/FSR/FrontRight", "LFoot", [0.07025, -0.0231, -0.04511], [0.0, 0.0, 0.0]),
    frame("LFoot/FSR/RearLeft", "LFoot", [-0.03025, 0.0299, -0.04511], [0.0, 0.0, 0.0]),
    frame("LFoot/FSR/RearRight", "LFoot", [-0.02965, -0.0191, -0.04511], [0.0, 0.0, 0.0]),
    frame("LHand/Touch/Back", "LWrist", [0.038, 0.0, 0.025], [PI, -FRAC_PI_2, PI]),
    frame("LHand/Touch/Left", "LWrist", [0.032, 0.025, 0.003], [0.0, 0.0, FRAC_PI_2]),
    frame("LHand/Touch/Right", "LWrist", [0.035, -0.025, 0.0035], [0.0, 0.0, -FRAC_PI_2]),
    frame("MicroFront", "Head", [0.0489, 0.0, 0.076], [0.0, 0.0, 0.0]),
    frame("MicroLeft", "Head", [-0.0195, 0.0606, 0.0331], [0.0, 0.0, 0.0]),
    frame("MicroRear", "Head", [-0.046, 0.0, 0.0814], [0.0, 0.0, 0.0]),
    frame("MicroRight", "Head", [-0.0195, -0.0606, 0.0331], [0.0, 0.0, 0.0]),
    frame("RFoot/Bumper/Left", "RFoot", [0.0876, 0.014, -0.0353], [0.0, 0.0, 0.0]),
    frame("RFoot/Bumper/Right", "RFoot", [0.0876, -0.019, -0.0353], [0.0, 0.0, 0.0]),
    frame("RFoot/FSR/FrontLeft", "RFoot", [0.07025, 0.0231, -0.04511], [0.0, 0.0, 0.0]),
    frame("RFoot/FSR/FrontRight", "RFoot", [0.07025, -0.0299, -0.04511], [0.0, 0.0, 0.0]),
    frame("RFoot/FSR/RearLeft", "RFoot", [-0.03025, 0.0191, -0.04511], [0.0, 0.0, 0.0]),
    frame("RFoot/FSR/RearRight", "RFoot", [-0.02965, -0.0299, -0.04511], [0.0, 0.0, 0.0]),
    frame("RHand/Touch/Back", "RWrist", [0.038, 0.0, 0.025], [PI, -FRAC_PI_2, PI]),
    frame("RHand/Touch/Left", "RWrist", [0.032, 0.025, 0.003], [0.0, 0.0, FRAC_PI_2]),
    frame("RHand/Touch/Right", "RWrist", [0.035, -0.025, 0.0035], [0.0, 0.0, -FRAC_PI_2]),
    frame("Sonar/Left", "Torso", [0.005583, 0.019207, 0.062385], [-0.004785, 0.04365, 0.392441]),
    frame("Sonar/Right", "Torso", [0.005583, -0.019207, 0.062385], [0.004785, 0.04365, -0.392441]),
    frame("USSensor1", "Torso", [0.0537, -0.0341, 0.0698], [0.0, -0.1745, -0.3490]),
    frame("USSensor2", "Torso", [0.0477, -0.0416, 0.0509], [0.0, 0.2618, -0.4363]),
    frame("USSensor3", "Torso", [0.0537, 0.0341, 0.0698], [0.0, -0.1745, 0.3490]),
    frame("USSensor4", "Torso", [0.0477, 0.0416, 0.0509], [0.0, 0.2618, 0.4363]),
];

#[rustfmt::skip]
pub(crate) static PEPPER: &[SensorFrame] = &[
    frame("Accelerometer", "Torso", [0.00239, -0.03575, 0.00626], [0.0, 0.0, 0.0]),
    frame("AccelerometerBase", "Base", [0.0147, -0.0017, -0.26319], [0.0, 0.0, 0.0]),
    frame("Bumper/Back", "Base", [-0.251, 0.0, -0.264], [0.0, 0.0, -PI]),
    frame("Bumper/FrontLeft", "Base", [0.129, 0.227, -0.264], [0.0, 0.0, 0.48886]),
    frame("Bumper/FrontRight", "Base", [0.129, -0.227, -0.264], [0.0, 0.0, -0.48886]),
    frame("CameraBottom", "Head", [0.0936, 0.0, 0.0616], [0.0, 0.6981, 0.0]),
    frame("CameraDepth", "Head", [0.05138, 0.039, 0.1194], [0.0, 0.0, 0.0]),
    frame("CameraTop", "Head", [0.0868, 0.0, 0.1631], [0.0, 0.0, 0.0]),
    frame("ChestBoard/Button", "Torso", [0.049871, 0.001588, 0.055163], [0.0, 0.0, 0.0]),
    frame("Gyrometer", "Torso", [0.00204, -0.03491, -0.00959], [0.0, 0.0, 0.0]),
    frame("Head/Touch/Front", "Head", [0.028175, 0.0, 0.21267], [0.0, 0.20944, 0.0]),
    frame("Head/Touch/Middle", "Head", [0.0041, 0.0, 0.2159], [0.0, -0.034907, 0.0]),
    frame("Head/Touch/Rear", "Head", [-0.03376, 0.0, 0.21052], [0.0, -0.314159, 0.0]),
    frame("LHand/Touch/Back", "LWrist", [0.0523, 0.0, 0.0304], [FRAC_PI_2, -FRAC_PI_2, -PI]),
    frame("LaserSensor/Front", "Base", [0.0562, 0.0, -0.0692], [0.0, 0.349066, 0.0]),
    frame("LaserSensor/Left", "Base", [-0.018, 0.0899, -0.0759], [0.0, 0.349066, FRAC_PI_2]),
    frame("LaserSensor/Right", "Base", [-0.018, -0.0899, -0.0759], [0.0, 0.349066, -FRAC_PI_2]),
    frame("LaserSensor/Shovel", "Base", [0.0562, 0.0, -0.0692], [0.0, 0.349066, 0.0]),
    frame("LaserSensor/VerticalLeft", "Base", [0.0562, 0.0, -0.0692], [0.0, 0.349066, 0.0]),
    frame("LaserSensor/VerticalRight", "Base", [0.0562, 0.0, -0.0692], [0.0, 0.349066, 0.0]),
    frame("RHand/Touch/Back", "RWrist", [0.0523, 0.0, 0.0304], [FRAC_PI_2, -FRAC_PI_2, -PI]),
    frame("Sonar/Back", "Base", [-0.0718, 0.0, -0.0534], [0.0, -0.209438, -PI]),
    frame("Sonar/Front", "Base", [0.0699, 0.0, -0.1023], [0.0, -0.322858, 0.0]),
    frame("Tablet", "Torso", [0.083925, 0.0, 0.06251], [0.0, -FRAC_PI_6, 0.0]),
];

/// Names of sensors in the memory and in `getSensorNames`, and the frames that they are at. The axes of one sensor are at
/// one place; the angles of the inertial unit are calculated from what its accelerometer measures. Pepper's bumpers keep
/// the names of NAO's feet.
#[rustfmt::skip]
static OTHER_NAMES: &[(&str, &str)] = &[
    ("InertialSensor/AccelerometerX", "Accelerometer"),
    ("InertialSensor/AccelerometerY", "Accelerometer"),
    ("InertialSensor/AccelerometerZ", "Accelerometer"),
    ("InertialSensor/AngleX", "Accelerometer"),
    ("InertialSensor/AngleY", "Accelerometer"),
    ("InertialSensor/AngleZ", "Accelerometer"),
    ("InertialSensor/GyroscopeX", "Gyrometer"),
    ("InertialSensor/GyroscopeY", "Gyrometer"),
    ("InertialSensor/GyroscopeZ", "Gyrometer"),
    ("InertialSensorBase/AccelerometerX", "AccelerometerBase"),
    ("InertialSensorBase/AccelerometerY", "AccelerometerBase"),
    ("InertialSensorBase/AccelerometerZ", "AccelerometerBase"),
    ("LFoot/Bumper/Left", "Bumper/FrontLeft"),
    ("Platform/Back/Bumper", "Bumper/Back"),
    ("Platform/Back/Sonar", "Sonar/Back"),
    ("Platform/Front/Sonar", "Sonar/Front"),
    ("RFoot/Bumper/Right", "Bumper/FrontRight"),
    ("US/Left", "Sonar/Left"),
    ("US/Right", "Sonar/Right"),
];

/// Returns the sensor of this name, or of which it is another name.
pub(crate) fn find(sensors: &'static [SensorFrame], name: &str) -> Option<&'static SensorFrame> {
    let named = |name: &str| sensors.iter().find(|sensor| sensor.name == name);
    named(name).or_else(|| {
        let (_, other) = OTHER_NAMES.iter().find(|(other, _)| *other == name)?;
        named(other)
    })
}
