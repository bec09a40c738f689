//! Pepper 1.x. Offsets and axes are the published ones (`doc.aldebaran.com/2-8`, "Links" and "Joints" of Pepper, and
//! the robot description). The torso's frame is 0.139 m over the joint HipRoll. Solids, and the positions of LEDs and
//! touch sensors, are *our own estimates*: nobody has published them as numbers. Wheels are not drawn.

use super::nao::{LEFT_EAR, LEFT_EYE, RIGHT_EAR, RIGHT_EYE};
use super::{
    Geometry, Link, Ring, Sole, Solid, Spot, X, Y, Z, ball, block, capsule, dark, fingers, fixed, joint, light, ring,
    spot,
};
use crate::{masses, sensor_frames};

pub(crate) const PEPPER: Geometry = Geometry {
    links: LINKS,
    rings: RINGS,
    spots: SPOTS,
    sensors: sensor_frames::PEPPER,
    masses: masses::PEPPER,
    soles: &[Sole { link: "Base", outline: &WHEELS }],
};

/// Where the wheels touch the floor.
const WHEELS: [[f64; 3]; 3] = [[0.09, 0.155, -KNEE], [-0.17, 0.0, -KNEE], [0.09, -0.155, -KNEE]];

/// The height of the knee over the floor: the torso's 0.82 less the distance from the torso down to the knee.
const KNEE: f64 = 0.334;

static LINKS: &[Link] = &[
    fixed("Torso", "", [0.0; 3], TORSO),
    joint("Neck", "Torso", [-0.038, 0.0, 0.1699], "HeadYaw", Z, NECK),
    joint("Head", "Neck", [0.0; 3], "HeadPitch", Y, HEAD),
    joint("LShoulder", "Torso", [-0.057, 0.14974, 0.08682], "LShoulderPitch", Y, SHOULDER),
    joint("LUpperArm", "LShoulder", [0.0; 3], "LShoulderRoll", Z, UPPER_ARM),
    elbow("LElbow", "LUpperArm", 0.015, "LElbowYaw"),
    joint("LForeArm", "LElbow", [0.0; 3], "LElbowRoll", Z, FORE_ARM),
    joint("LWrist", "LForeArm", [0.15, 0.0, 0.0], "LWristYaw", X, WRIST),
    fixed("LHand", "LWrist", [0.0695, 0.0, -0.0303], PALM),
    fingers("LFingers", "LHand", [0.02, 0.0, 0.01], "LHand", FINGERS),
    joint("Hip", "Torso", [0.0, 0.0, -0.139], "HipRoll", X, HIP),
    joint("Pelvis", "Hip", [0.00002, 0.0, -0.079], "HipPitch", Y, PELVIS),
    joint("Base", "Pelvis", [0.0, 0.0, -0.268], "KneePitch", Y, BASE),
    joint("RShoulder", "Torso", [-0.057, -0.14974, 0.08682], "RShoulderPitch", Y, SHOULDER),
    joint("RUpperArm", "RShoulder", [0.0; 3], "RShoulderRoll", Z, UPPER_ARM),
    elbow("RElbow", "RUpperArm", -0.015, "RElbowYaw"),
    joint("RForeArm", "RElbow", [0.0; 3], "RElbowRoll", Z, FORE_ARM),
    joint("RWrist", "RForeArm", [0.15, 0.0, 0.0], "RWristYaw", X, WRIST),
    fixed("RHand", "RWrist", [0.0695, 0.0, -0.0303], PALM),
    fingers("RFingers", "RHand", [0.02, 0.0, 0.01], "RHand", FINGERS),
];

/// The forearm is tilted by 9° to the upper arm.
const fn elbow(name: &'static str, parent: &'static str, y: f64, yaw: &'static str) -> Link {
    Link { turned: [0.0, -0.157079, 0.0], ..joint(name, parent, [0.1812, y, 0.00013], yaw, X, ELBOW) }
}

const TORSO: &[Solid] = &[
    capsule([-0.045, -0.075, 0.08], [-0.045, 0.075, 0.08], 0.07),
    capsule([-0.03, 0.0, 0.03], [-0.01, 0.0, -0.09], 0.085),
    dark(block([0.088, 0.0, -0.02], [0.014, 0.246, 0.175])),
];
const NECK: &[Solid] = &[dark(capsule([0.0, 0.0, -0.04], [0.0, 0.0, 0.02], 0.04))];
const HEAD: &[Solid] = &[
    capsule([-0.008, -0.02, 0.12], [-0.008, 0.02, 0.12], 0.098),
    dark(capsule([-0.01, -0.11, 0.11], [-0.01, 0.11, 0.11], 0.034)),
    dark(capsule([0.084, -0.008, 0.06], [0.084, 0.008, 0.06], 0.008)),
];
const SHOULDER: &[Solid] = &[ball([0.0; 3], 0.05)];
const UPPER_ARM: &[Solid] = &[capsule([0.02, 0.0, 0.0], [0.15, 0.0, 0.0], 0.038)];
const ELBOW: &[Solid] = &[ball([0.0; 3], 0.034)];
const FORE_ARM: &[Solid] = &[capsule([0.02, 0.0, 0.0], [0.13, 0.0, 0.0], 0.034)];
const WRIST: &[Solid] = &[capsule([0.0, 0.0, 0.0], [0.04, 0.0, -0.015], 0.03)];
const PALM: &[Solid] = &[block([-0.005, 0.0, 0.012], [0.06, 0.06, 0.028])];
const FINGERS: &[Solid] = &[
    dark(capsule([0.0, -0.024, 0.0], [0.055, -0.026, 0.0], 0.009)),
    dark(capsule([0.0, -0.008, 0.0], [0.062, -0.009, 0.0], 0.009)),
    dark(capsule([0.0, 0.008, 0.0], [0.062, 0.009, 0.0], 0.009)),
    dark(capsule([0.0, 0.024, 0.0], [0.055, 0.026, 0.0], 0.009)),
];
const HIP: &[Solid] = &[dark(capsule([0.0, 0.0, 0.02], [0.0, 0.0, -0.06], 0.062))];
const PELVIS: &[Solid] =
    &[capsule([0.0, -0.02, -0.02], [0.0, -0.02, -0.02], 0.085), capsule([0.0, 0.0, -0.04], [0.0, 0.0, -0.23], 0.08)];
const BASE: &[Solid] = &[
    capsule([0.0, 0.0, -0.03], [-0.01, 0.0, -0.2], 0.105),
    block([-0.02, 0.0, -KNEE + 0.06], [0.4, 0.4, 0.1]),
    dark(block([-0.02, 0.0, -KNEE + 0.006], [0.3, 0.3, 0.012])),
];

const EYE: f64 = 0.022;
const EAR: f64 = 0.026;

static RINGS: &[Ring] = &[
    ring("Head", &LEFT_EYE, [0.086, 0.046, 0.125], [-0.006, 0.0, EYE], [-0.01, EYE, 0.0]),
    ring("Head", &RIGHT_EYE, [0.086, -0.046, 0.125], [-0.006, 0.0, EYE], [-0.01, -EYE, 0.0]),
    ring("Head", &LEFT_EAR, [-0.01, 0.142, 0.11], [0.0, 0.0, EAR], [EAR, 0.0, 0.0]),
    ring("Head", &RIGHT_EAR, [-0.01, -0.142, 0.11], [0.0, 0.0, EAR], [EAR, 0.0, 0.0]),
    light("Torso", &["ChestLed"], [0.03, 0.0, 0.085]),
];

static SPOTS: &[Spot] = &[
    spot("FrontTactilTouched", "Head", [0.04, 0.0, 0.205]),
    spot("MiddleTactilTouched", "Head", [-0.008, 0.0, 0.22]),
    spot("RearTactilTouched", "Head", [-0.055, 0.0, 0.205]),
    spot("HandLeftBackTouched", "LHand", [-0.005, 0.0, 0.028]),
    spot("HandRightBackTouched", "RHand", [-0.005, 0.0, 0.028]),
    spot("LeftBumperPressed", "Base", [0.15, 0.16, -KNEE + 0.06]),
    spot("RightBumperPressed", "Base", [0.15, -0.16, -KNEE + 0.06]),
    spot("BackBumperPressed", "Base", [-0.22, 0.0, -KNEE + 0.06]),
    spot("ChestButtonPressed", "Torso", [0.03, 0.0, 0.085]),
];
