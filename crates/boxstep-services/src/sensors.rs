//! Sensors of the body and its battery. Their values come from outside.
//!
//! Source: the NAOqi Sensors pages of the NAOqi documentation.

use crate::table::{
    Call, Const, Reply, Service, accepts, acts, answers, described, gets, ok, robot, runs, service, sets, unknown,
};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;
const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[
    service("ALSonar", "Distance by sound", &[])
        .events(&[
            "SonarLeftDetected",
            "SonarRightDetected",
            "SonarLeftNothingDetected",
            "SonarRightNothingDetected",
            "SonarMiddleDetected",
        ])
        .extractor(),
    service(
        "ALLaser",
        "Distance by laser",
        &[
            accepts("laserON", "On", unknown("()m")),
            accepts("laserOFF", "Off", unknown("()m")),
            accepts("setDetectingLength", "Nearest and farthest point, millimetres", unknown("(mm)m")),
            accepts("setOpeningAngle", "First and last angle, radians", unknown("(mm)m")),
        ],
    )
    .extractor(),
    service(
        "ALInfrared",
        "Remote controls",
        &[
            accepts("initReception", "Starts to receive", unknown("()m (m)m")),
            acts("sendRC5", "Sends a code", unknown("(#)m"), "infrared", "sends a code", Const::Null),
        ],
    )
    .extractor(),
    service(
        "ALTouch",
        "Touch of any sensor",
        &[
            runs("getSensorList", "Every sensor", robot("()[s]"), get_sensor_list),
            runs("getStatus", "What is touched", robot("()m"), get_touch_status),
            answers("createSensorGroup", "Makes a group", unknown("(mm)m"), YES),
        ],
    ),
    service("ALSensors", "Sensors raise events", &[accepts("run", "Starts", robot("()v"))]).extractor(),
    service("ALChestButton", "The chest button", &[])
        .events(&[
            "ALChestButton/SimpleClickOccurred",
            "ALChestButton/DoubleClickOccurred",
            "ALChestButton/TripleClickOccurred",
        ])
        .extractor(),
    service("ALSoundDetection", "Sounds", &[sets("setParameter", "Sensitivity", described("(sm)v"), "parameter")])
        .events(&["SoundDetected"])
        .extractor(),
    service(
        "ALSoundLocalization",
        "Where a sound comes from",
        &[sets("setParameter", "Sensitivity, EnergyComputation", unknown("(mm)m"), "parameter")],
    )
    .events(&["ALSoundLocalization/SoundLocated", "ALSoundLocalization/SoundsLocated"])
    .extractor(),
    service(
        "ALBodyTemperature",
        "Heat of joints",
        &[
            answers("getTemperatureDiagnosis", "Hot joints", robot("()m"), Const::Empty),
            sets("setEnableNotifications", "Says when it is hot", robot("(b)v"), "notifications"),
            answers("areNotificationsEnabled", "Whether it does", robot("()b"), NO),
            gets("isTemperatureEmergencyEnabled", "Whether heat stops it", unknown("()m"), "emergency", YES),
            sets("setTemperatureEmergencyEnabled", "Lets heat stop it, or not", unknown("(m)m"), "emergency"),
        ],
    ),
    service(
        "ALBattery",
        "The battery",
        &[
            runs("getBatteryCharge", "Percent", robot("()i"), get_battery_charge),
            sets("enablePowerMonitoring", "Reports or not", robot("(b)v"), "monitoring"),
            answers("getTimeLeft", "Time left with this charge", unknown("()m"), Const::Float(0.0)),
        ],
    ),
    service("ALInertial", "Inertial unit of NAOqi 1; its values are memory keys", &[]),
    service("ALMecaLogger", "Log of the mechanics", &[]),
];

fn get_sensor_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let devices = w.body.touch().iter().map(|sensor| sensor.device).filter(|device| !device.is_empty());
    ok(Value::list(devices.map(Value::from)))
}

/// Answers the sensor and whether it is touched, of each.
fn get_touch_status(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let touched = |event: &str| w.memory.get(event).and_then(Value::as_f64).is_some_and(|level| level > 0.5);
    let sensors = w.body.touch().iter().filter(|sensor| !sensor.device.is_empty());
    ok(Value::list(sensors.map(|s| Value::list([s.device.into(), touched(s.event).into()]))))
}

/// Answers the charge in memory, which a script or an external source may have changed.
fn get_battery_charge(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let charge = w.memory.get("Device/SubDeviceList/Battery/Charge/Sensor/Value").and_then(Value::as_f64);
    ok(charge.map_or(100, |charge| (charge * 100.0).round() as i64))
}
