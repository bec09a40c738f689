//! Sensors of the body and its battery. Their values come from outside.
//!
//! Source: the NAOqi Sensors pages of the NAOqi documentation.

use crate::table::{
    Call, Const, Reply, Service, accepts, answers, described, gets, known, ok, robot, runs, service, sets, unknown,
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
            known("initReception", "Starts to receive", unknown("()m (m)m")),
            known("sendRC5", "Sends a code", unknown("(#)m")),
        ],
    )
    .extractor(),
    service(
        "ALTouch",
        "Touch of any sensor",
        &[
            answers("getSensorList", "Every sensor", robot("()[s]"), Const::Empty),
            answers("getStatus", "What is touched", robot("()m"), Const::Empty),
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
    service(
        "ALDiagnosis",
        "Hardware faults",
        &[
            known("getActiveDiagnosis", "Faults now", unknown("()m")),
            known("getPassiveDiagnosis", "Faults before", unknown("()m")),
        ],
    ),
    service(
        "ALRecharge",
        "Goes to the charging station",
        &[
            known("goToStation", "Goes there", unknown("()m")),
            known("leaveStation", "Leaves it", unknown("()m")),
            known("lookForStation", "Looks for it", unknown("()m")),
            known("dockOnStation", "Docks", unknown("()m")),
            known("stopAll", "Stops", unknown("()m")),
            known("getStatus", "What it does", unknown("()m")),
            known("getStationPosition", "Where the station is", unknown("()m")),
            known("setUseTrackerSearcher", "Looks with the head", unknown("(m)m")),
            known("setMaxNumberOfTries", "How often to try", unknown("(m)m")),
        ],
    ),
    service("ALMecaLogger", "Log of the mechanics", &[]),
];

/// Answers the charge in memory, which a script or an external source may have changed.
fn get_battery_charge(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let charge = w.memory.get("Device/SubDeviceList/Battery/Charge/Sensor/Value").and_then(Value::as_f64);
    ok(charge.map_or(100, |charge| (charge * 100.0).round() as i64))
}
