//! The contents of memory when the simulation begins: the events declared by the services, and the keys that scripts
//! read of a robot that stands, awake, in an empty room.

use super::body::DEVICES;
use super::memory::{Kind, Memory};
use super::{SimOptions, body::SimBody, services};
use boxstep_types::{Time, Value};

/// The weight of a NAO.
const WEIGHT: f64 = 5.3;

/// Fills a new memory.
pub(crate) fn fill(memory: &mut Memory, body: &SimBody, options: &SimOptions) {
    let t = Time::ZERO;
    for service in services().filter(|s| body.offers(s.name)) {
        for event in service.events {
            memory.declare(event, Kind::Event, t);
        }
    }
    let mut event = |key: &str, value: Value| {
        memory.set(key, value, Kind::Event, t);
    };
    for sensor in body.touch() {
        event(sensor.event, 0.0.into());
    }
    event("TouchChanged", Value::list([]));
    event("WordRecognized", Value::list(["".into(), Value::Float(0.0)]));
    event("ALTextToSpeech/TextDone", 1.into());
    event("ALTextToSpeech/TextStarted", 0.into());
    event("ALTextToSpeech/CurrentSentence", "".into());
    event("ALTextToSpeech/CurrentWord", "".into());
    event("AutonomousLife/State", "disabled".into());
    event("BatteryChargeChanged", 100.into());
    event("BatteryPowerPluggedChanged", false.into());
    event("BatteryLowDetected", false.into());
    event("BehaviorsRun", Value::list([]));
    event("Dialog/IsStarted", 0.into());
    event("FaceDetected", Value::list([]));
    event("LandmarkDetected", Value::list([]));
    event("PeoplePerception/PeopleList", Value::list([]));
    event("PeoplePerception/VisiblePeopleList", Value::list([]));
    event("PostureChanged", Value::Str(body.awake_posture()));
    event("PostureFamilyChanged", body.awake_family().into());
    event("SpeechDetected", false.into());
    event("footContactChanged", true.into());
    event("robotHasFallen", false.into());
    event("robotIsWakeUp", true.into());
    event("ServiceManager/ServicesChanged", Value::list([]));

    let mut data = |key: &str, value: Value| {
        memory.set(key, value, Kind::Data, t);
    };
    let (robot, version) = (body.build().memory_type, body.build().memory_version);
    data("RobotConfig/Body/Type", robot.into());
    data("RobotConfig/Body/BaseVersion", version.into());
    data("RobotConfig/Body/Version", version.into());
    data("RobotConfig/Head/BaseVersion", version.into());
    data("RobotConfig/Head/FullHeadId", "simulated".into());
    data("RobotConfig/Body/BodyId", "simulated".into());
    data("Dialog/RobotName", options.name.as_str().into());
    data("Dialog/RobotModel", body.build().type_name.into());
    data("ALMotion/Safety/PushRecovery", true.into());
    if body.has_legs() {
        data("footContact", true.into());
    }

    let mut device = |key: &str, value: f64| {
        memory.set(&format!("{DEVICES}{key}/Sensor/Value"), value.into(), Kind::Data, t);
    };
    device("Battery/Charge", 1.0);
    device("Battery/Current", -0.5);
    device("Battery/Temperature", 30.0);
    for axis in [
        "AccelerometerX",
        "AccelerometerY",
        "AccX",
        "AccY",
        "AngleX",
        "AngleY",
        "AngleZ",
        "GyroscopeX",
        "GyroscopeY",
        "GyroscopeZ",
        "GyrX",
        "GyrY",
    ] {
        device(&format!("InertialSensor/{axis}"), 0.0);
    }
    device("InertialSensor/AccelerometerZ", -9.81);
    device("InertialSensor/AccZ", -9.81);
    if body.has_legs() {
        // Each of the eight sensors under the feet bears its part of the weight, in kg.
        for foot in ["LFoot", "RFoot"] {
            for place in ["FrontLeft", "FrontRight", "RearLeft", "RearRight"] {
                device(&format!("{foot}/FSR/{place}"), WEIGHT / 8.0);
            }
            device(&format!("{foot}/FSR/TotalWeight"), WEIGHT / 2.0);
            device(&format!("{foot}/FSR/CenterOfPressure/X"), 0.0);
            device(&format!("{foot}/FSR/CenterOfPressure/Y"), 0.0);
        }
    } else {
        for axis in ["AccelerometerX", "AccelerometerY", "AngleX", "AngleY", "GyroscopeX", "GyroscopeY", "GyroscopeZ"] {
            device(&format!("InertialSensorBase/{axis}"), 0.0);
        }
        device("InertialSensorBase/AccelerometerZ", -9.81);
    }
    for sonar in body.build().sonars {
        // No obstacle is in range.
        device(sonar, 5.0);
    }
    for sensor in body.touch() {
        if !sensor.device.is_empty() {
            device(sensor.device, 0.0);
        }
    }
}
