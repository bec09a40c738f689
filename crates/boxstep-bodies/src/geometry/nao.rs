//! NAO H25. Offsets and axes are the published ones (`doc.aldebaran.com/2-8`, "Links" and "Joints" of H25; those of V3.3
//! are the same). Solids, soles, and the positions of LEDs and touch sensors to draw are *our own estimates*: nobody has
//! published them as numbers.

use super::{
    Geometry, LEFT_HIP, Link, RIGHT_HIP, Ring, Sole, Solid, Spot, X, Y, Z, ball, block, capsule, dark, fingers, fixed,
    joint, light, ring, spot,
};
use crate::{masses, sensor_frames};

/// The same links as those of later versions, with other masses and cameras.
pub(crate) const NAO_V33: Geometry = Geometry { sensors: sensor_frames::NAO_V33, masses: masses::NAO_V33, ..NAO };

pub(crate) const NAO: Geometry = Geometry {
    links: LINKS,
    rings: RINGS,
    spots: SPOTS,
    sensors: sensor_frames::NAO,
    masses: masses::NAO,
    soles: &[Sole { link: "LFoot", outline: &LEFT_SOLE }, Sole { link: "RFoot", outline: &RIGHT_SOLE }],
};

/// Half the width of a sole, how far its middle is from the ankle, its toe and heel, and what is cut off its corners.
const SOLE_HALF: f64 = 0.043;
const SOLE_OUT: f64 = 0.006;
const TOE: f64 = 0.102;
const HEEL: f64 = -0.054;
const CORNER: f64 = 0.02;

const LEFT_SOLE: [[f64; 3]; 8] = sole(SOLE_OUT);
const RIGHT_SOLE: [[f64; 3]; 8] = sole(-SOLE_OUT);

const fn sole(middle: f64) -> [[f64; 3]; 8] {
    let (left, right) = (middle + SOLE_HALF, middle - SOLE_HALF);
    [
        [TOE, left - CORNER, -FOOT],
        [TOE - CORNER, left, -FOOT],
        [HEEL + CORNER, left, -FOOT],
        [HEEL, left - CORNER, -FOOT],
        [HEEL, right + CORNER, -FOOT],
        [HEEL + CORNER, right, -FOOT],
        [TOE - CORNER, right, -FOOT],
        [TOE, right + CORNER, -FOOT],
    ]
}

const NECK_Z: f64 = 0.1265;
const SHOULDER_Y: f64 = 0.098;
const SHOULDER_Z: f64 = 0.1;
const ELBOW_Y: f64 = 0.015;
const UPPER_ARM: f64 = 0.105;
const LOWER_ARM: f64 = 0.05595;
const HAND_X: f64 = 0.05775;
const HAND_Z: f64 = 0.01231;
const HIP_Y: f64 = 0.05;
const HIP_Z: f64 = 0.085;
const THIGH: f64 = 0.1;
const TIBIA: f64 = 0.1029;
const FOOT: f64 = 0.04519;

static LINKS: &[Link] = &[
    fixed("Torso", "", [0.0; 3], TORSO),
    joint("Neck", "Torso", [0.0, 0.0, NECK_Z], "HeadYaw", Z, NECK),
    joint("Head", "Neck", [0.0; 3], "HeadPitch", Y, HEAD),
    joint("LShoulder", "Torso", [0.0, SHOULDER_Y, SHOULDER_Z], "LShoulderPitch", Y, SHOULDER),
    joint("LUpperArm", "LShoulder", [0.0; 3], "LShoulderRoll", Z, LEFT_UPPER_ARM),
    joint("LElbow", "LUpperArm", [UPPER_ARM, ELBOW_Y, 0.0], "LElbowYaw", X, ELBOW),
    joint("LForeArm", "LElbow", [0.0; 3], "LElbowRoll", Z, FORE_ARM),
    joint("LWrist", "LForeArm", [LOWER_ARM, 0.0, 0.0], "LWristYaw", X, WRIST),
    fixed("LHand", "LWrist", [HAND_X, 0.0, -HAND_Z], PALM),
    fingers("LFingers", "LHand", [0.012, 0.0, 0.0], "LHand", FINGERS),
    joint("LPelvis", "Torso", [0.0, HIP_Y, -HIP_Z], "LHipYawPitch", LEFT_HIP, PELVIS),
    joint("LHip", "LPelvis", [0.0; 3], "LHipRoll", X, &[]),
    joint("LThigh", "LHip", [0.0; 3], "LHipPitch", Y, THIGHS),
    joint("LTibia", "LThigh", [0.0, 0.0, -THIGH], "LKneePitch", Y, TIBIAS),
    joint("LAnkle", "LTibia", [0.0, 0.0, -TIBIA], "LAnklePitch", Y, ANKLE),
    joint("LFoot", "LAnkle", [0.0; 3], "LAnkleRoll", X, LEFT_FOOT),
    joint("RPelvis", "Torso", [0.0, -HIP_Y, -HIP_Z], "RHipYawPitch", RIGHT_HIP, PELVIS),
    joint("RHip", "RPelvis", [0.0; 3], "RHipRoll", X, &[]),
    joint("RThigh", "RHip", [0.0; 3], "RHipPitch", Y, THIGHS),
    joint("RTibia", "RThigh", [0.0, 0.0, -THIGH], "RKneePitch", Y, TIBIAS),
    joint("RAnkle", "RTibia", [0.0, 0.0, -TIBIA], "RAnklePitch", Y, ANKLE),
    joint("RFoot", "RAnkle", [0.0; 3], "RAnkleRoll", X, RIGHT_FOOT),
    joint("RShoulder", "Torso", [0.0, -SHOULDER_Y, SHOULDER_Z], "RShoulderPitch", Y, SHOULDER),
    joint("RUpperArm", "RShoulder", [0.0; 3], "RShoulderRoll", Z, RIGHT_UPPER_ARM),
    joint("RElbow", "RUpperArm", [UPPER_ARM, -ELBOW_Y, 0.0], "RElbowYaw", X, ELBOW),
    joint("RForeArm", "RElbow", [0.0; 3], "RElbowRoll", Z, FORE_ARM),
    joint("RWrist", "RForeArm", [LOWER_ARM, 0.0, 0.0], "RWristYaw", X, WRIST),
    fixed("RHand", "RWrist", [HAND_X, 0.0, -HAND_Z], PALM),
    fingers("RFingers", "RHand", [0.012, 0.0, 0.0], "RHand", FINGERS),
];

const TORSO: &[Solid] = &[
    capsule([0.0, -0.045, 0.085], [0.0, 0.045, 0.085], 0.042),
    capsule([0.0, -0.03, 0.0], [0.0, 0.03, 0.0], 0.045),
    block([0.0, 0.0, 0.045], [0.085, 0.13, 0.08]),
    dark(block([0.0, 0.0, -0.065], [0.06, 0.1, 0.05])),
];
const NECK: &[Solid] = &[dark(capsule([0.0, 0.0, -0.02], [0.0, 0.0, 0.02], 0.024))];
const HEAD: &[Solid] = &[
    capsule([0.0, -0.022, 0.058], [0.0, 0.022, 0.058], 0.052),
    dark(capsule([0.0, -0.066, 0.055], [0.0, 0.066, 0.055], 0.026)),
    dark(capsule([0.046, 0.0, 0.098], [0.046, 0.0, 0.098], 0.008)),
    dark(capsule([0.048, -0.001, 0.03], [0.048, 0.001, 0.03], 0.008)),
];
const SHOULDER: &[Solid] = &[ball([0.0; 3], 0.034)];
const LEFT_UPPER_ARM: &[Solid] = &[capsule([0.02, 0.004, 0.0], [0.085, 0.012, 0.0], 0.028)];
const RIGHT_UPPER_ARM: &[Solid] = &[capsule([0.02, -0.004, 0.0], [0.085, -0.012, 0.0], 0.028)];
const ELBOW: &[Solid] = &[ball([0.0; 3], 0.026)];
const FORE_ARM: &[Solid] = &[capsule([0.015, 0.0, 0.0], [0.05, 0.0, 0.0], 0.027)];
const WRIST: &[Solid] = &[capsule([0.005, 0.0, 0.0], [0.03, 0.0, -0.004], 0.023)];
const PALM: &[Solid] = &[dark(block([-0.005, 0.0, 0.004], [0.034, 0.036, 0.022]))];
const FINGERS: &[Solid] = &[
    dark(capsule([0.0, -0.014, 0.0], [0.034, -0.016, 0.0], 0.007)),
    dark(capsule([0.0, 0.0, 0.0], [0.036, 0.0, 0.0], 0.007)),
    dark(capsule([0.0, 0.014, 0.0], [0.034, 0.016, 0.0], 0.007)),
];
const PELVIS: &[Solid] = &[ball([0.0; 3], 0.03)];
const THIGHS: &[Solid] = &[capsule([0.004, 0.0, -0.015], [0.004, 0.0, -0.085], 0.036)];
const TIBIAS: &[Solid] = &[ball([0.0; 3], 0.026), capsule([0.0, 0.0, -0.02], [-0.004, 0.0, -0.085], 0.034)];
const ANKLE: &[Solid] = &[ball([0.0; 3], 0.026)];
const LEFT_FOOT: &[Solid] =
    &[block([(TOE + HEEL) / 2.0, SOLE_OUT, -FOOT + 0.014], [TOE - HEEL, 2.0 * SOLE_HALF, 0.028])];
const RIGHT_FOOT: &[Solid] =
    &[block([(TOE + HEEL) / 2.0, -SOLE_OUT, -FOOT + 0.014], [TOE - HEEL, 2.0 * SOLE_HALF, 0.028])];

// In an eye the first LED is at the top and the second is outside; in an ear the LEDs go forward first. This follows
// from the groups `FaceLedsTop`, `FaceLedsExternal` and `LeftEarLedsFront`.
const EYE: f64 = 0.014;
const EAR: f64 = 0.02;

static RINGS: &[Ring] = &[
    ring("Head", &LEFT_EYE, [0.053, 0.024, 0.064], [0.0, 0.0, EYE], [-0.003, EYE, 0.0]),
    ring("Head", &RIGHT_EYE, [0.053, -0.024, 0.064], [0.0, 0.0, EYE], [-0.003, -EYE, 0.0]),
    ring("Head", &LEFT_EAR, [0.0, 0.09, 0.055], [0.0, 0.0, EAR], [EAR, 0.0, 0.0]),
    ring("Head", &RIGHT_EAR, [0.0, -0.09, 0.055], [0.0, 0.0, EAR], [EAR, 0.0, 0.0]),
    light("Head", &["BrainLedsFrontLeft0"], [0.028, 0.022, 0.104]),
    light("Head", &["BrainLedsFrontLeft1"], [0.022, 0.034, 0.098]),
    light("Head", &["BrainLedsFrontRight0"], [0.028, -0.022, 0.104]),
    light("Head", &["BrainLedsFrontRight1"], [0.022, -0.034, 0.098]),
    light("Head", &["BrainLedsMiddleLeft0"], [0.0, 0.032, 0.108]),
    light("Head", &["BrainLedsMiddleRight0"], [0.0, -0.032, 0.108]),
    light("Head", &["BrainLedsBackLeft0"], [-0.022, 0.036, 0.098]),
    light("Head", &["BrainLedsBackLeft1"], [-0.03, 0.026, 0.1]),
    light("Head", &["BrainLedsBackLeft2"], [-0.034, 0.012, 0.1]),
    light("Head", &["BrainLedsBackRight0"], [-0.022, -0.036, 0.098]),
    light("Head", &["BrainLedsBackRight1"], [-0.03, -0.026, 0.1]),
    light("Head", &["BrainLedsBackRight2"], [-0.034, -0.012, 0.1]),
    light("Torso", &["ChestLed"], [0.046, 0.0, 0.062]),
    light("LFoot", &["LeftFootLed"], [0.05, 0.006, -0.016]),
    light("RFoot", &["RightFootLed"], [0.05, -0.006, -0.016]),
];

pub(super) const LEFT_EYE: [&str; 8] = [
    "FaceLedLeft0",
    "FaceLedLeft1",
    "FaceLedLeft2",
    "FaceLedLeft3",
    "FaceLedLeft4",
    "FaceLedLeft5",
    "FaceLedLeft6",
    "FaceLedLeft7",
];
pub(super) const RIGHT_EYE: [&str; 8] = [
    "FaceLedRight0",
    "FaceLedRight1",
    "FaceLedRight2",
    "FaceLedRight3",
    "FaceLedRight4",
    "FaceLedRight5",
    "FaceLedRight6",
    "FaceLedRight7",
];
pub(super) const LEFT_EAR: [&str; 10] = [
    "LeftEarLed1",
    "LeftEarLed2",
    "LeftEarLed3",
    "LeftEarLed4",
    "LeftEarLed5",
    "LeftEarLed6",
    "LeftEarLed7",
    "LeftEarLed8",
    "LeftEarLed9",
    "LeftEarLed10",
];
pub(super) const RIGHT_EAR: [&str; 10] = [
    "RightEarLed1",
    "RightEarLed2",
    "RightEarLed3",
    "RightEarLed4",
    "RightEarLed5",
    "RightEarLed6",
    "RightEarLed7",
    "RightEarLed8",
    "RightEarLed9",
    "RightEarLed10",
];

static SPOTS: &[Spot] = &[
    spot("FrontTactilTouched", "Head", [0.03, 0.0, 0.104]),
    spot("MiddleTactilTouched", "Head", [0.0, 0.0, 0.113]),
    spot("RearTactilTouched", "Head", [-0.03, 0.0, 0.104]),
    spot("HandLeftBackTouched", "LHand", [-0.005, 0.0, 0.018]),
    spot("HandLeftLeftTouched", "LHand", [-0.005, 0.02, 0.004]),
    spot("HandLeftRightTouched", "LHand", [-0.005, -0.02, 0.004]),
    spot("HandRightBackTouched", "RHand", [-0.005, 0.0, 0.018]),
    spot("HandRightLeftTouched", "RHand", [-0.005, 0.02, 0.004]),
    spot("HandRightRightTouched", "RHand", [-0.005, -0.02, 0.004]),
    spot("LeftBumperPressed", "LFoot", [0.104, 0.006, -0.031]),
    spot("RightBumperPressed", "RFoot", [0.104, -0.006, -0.031]),
    spot("ChestButtonPressed", "Torso", [0.044, 0.0, 0.062]),
];
