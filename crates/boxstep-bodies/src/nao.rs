//! NAO H25, versions 4 to 6, and version 3.3.

use crate::body::{angle, chain, hand};
use crate::parts::{ARMS, HEAD, LEFT_ARM, RIGHT_ARM, joined, joint_actuators, joints};
use crate::{
    Body, Build, Chain, Coupling, Fact, Gait, Joint, OfferedServices, ShellLimit, geometry, leds, posture, touch,
};

pub(crate) static NAO: Body = BODY;

/// Only its masses and cameras are others (`family/nao_h25`, the pages "Links", "Joints" and "Masses" of V3.3; the
/// robot description `naoV33_generated_urdf` of `ros-naoqi/nao_robot`).
pub(crate) static NAO_V33: Body = Body {
    name: "nao-v3.3",
    build: Build { config: CONFIG_V33, memory_version: "V3.3", ..BODY.build },
    geometry: geometry::NAO_V33,
    ..BODY
};

const BODY: Body = Body {
    name: "nao",
    source: "",
    build: Build {
        type_name: "nao",
        type_number: 0,
        gait: Gait::Legs,
        hands: true,
        torso_height: 0.333,
        neck_height: 0.1265,
        shoulder: [0.0, 0.098, 0.1],
        config: CONFIG,
        memory_type: "Nao",
        memory_version: "V5",
        sonars: &["US/Left", "US/Right"],
    },
    offers: OfferedServices::AllBut(&["ALTabletService"]),
    joints: JOINTS,
    chains: CHAINS,
    collections: COLLECTIONS,
    // One motor turns both hips.
    couplings: &[Coupling { joint: "RHipYawPitch", follows: "LHipYawPitch" }],
    brakes: &[],
    shell_limits: SHELL_LIMITS,
    leds: leds::NAO_LEDS,
    led_groups: leds::NAO_GROUPS,
    postures: posture::NAO,
    awake: "StandInit",
    rest: "Crouch",
    touch: touch::NAO,
    geometry: geometry::NAO,
    curves: &[],
};

static JOINTS: &[Joint] = &[
    angle("HeadYaw", -2.0857, 2.0857, 8.26797, 1.547),
    angle("HeadPitch", -0.672, 0.5149, 7.19407, 1.532),
    angle("LShoulderPitch", -2.0857, 2.0857, 8.26797, 1.329),
    angle("LShoulderRoll", -0.3142, 1.3265, 7.19407, 1.783),
    angle("LElbowYaw", -2.0857, 2.0857, 8.26797, 1.547),
    angle("LElbowRoll", -1.5446, -0.0349, 7.19407, 1.532),
    angle("LWristYaw", -1.8238, 1.8238, 24.6229, 0.4075),
    hand("LHand", 0.0, 1.0, 8.33, 0.292),
    angle("LHipYawPitch", -1.145303, 0.74081, 4.16174, 3.348),
    angle("LHipRoll", -0.379472, 0.790477, 4.16174, 3.348),
    angle("LHipPitch", -1.535889, 0.48409, 6.40239, 3.023),
    angle("LKneePitch", -0.092346, 2.112528, 6.40239, 3.023),
    angle("LAnklePitch", -1.189516, 0.922747, 6.40239, 3.023),
    angle("LAnkleRoll", -0.39788, 0.769001, 4.16174, 3.348),
    angle("RHipYawPitch", -1.145303, 0.74081, 4.16174, 3.348),
    angle("RHipRoll", -0.790477, 0.379472, 4.16174, 3.348),
    angle("RHipPitch", -1.535889, 0.48409, 6.40239, 3.023),
    angle("RKneePitch", -0.103083, 2.120198, 6.40239, 3.023),
    angle("RAnklePitch", -1.186448, 0.932056, 6.40239, 3.023),
    angle("RAnkleRoll", -0.768992, 0.397935, 4.16174, 3.348),
    angle("RShoulderPitch", -2.0857, 2.0857, 8.26797, 1.329),
    angle("RShoulderRoll", -1.3265, 0.3142, 7.19407, 1.783),
    angle("RElbowYaw", -2.0857, 2.0857, 8.26797, 1.547),
    angle("RElbowRoll", 0.0349, 1.5446, 7.19407, 1.532),
    angle("RWristYaw", -1.8238, 1.8238, 24.6229, 0.4075),
    hand("RHand", 0.0, 1.0, 8.33, 0.292),
];

const LEFT_LEG: [&str; 6] = ["LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll"];
const RIGHT_LEG: [&str; 6] = ["RHipYawPitch", "RHipRoll", "RHipPitch", "RKneePitch", "RAnklePitch", "RAnkleRoll"];
const LEGS: [&str; 12] = joined(&[&LEFT_LEG, &RIGHT_LEG]);

static CHAINS: &[Chain] = &[
    chain("Head", &HEAD),
    chain("LArm", &LEFT_ARM),
    chain("LLeg", &LEFT_LEG),
    chain("RLeg", &RIGHT_LEG),
    chain("RArm", &RIGHT_ARM),
];

static COLLECTIONS: &[Chain] = &[
    chain("Arms", &ARMS),
    chain("Legs", &LEGS),
    chain("JointActuators", &joint_actuators::<26>(&LEGS)),
    chain("Joints", &joints::<24>(&LEGS)),
    chain("Actuators", &["LHand", "RHand"]),
];

static SHELL_LIMITS: &[ShellLimit] = &[
    ShellLimit { joint: "HeadPitch", by: "HeadYaw", rows: HEAD_PITCH },
    ShellLimit { joint: "LAnkleRoll", by: "LAnklePitch", rows: LEFT_ANKLE_ROLL },
    ShellLimit { joint: "RAnkleRoll", by: "RAnklePitch", rows: RIGHT_ANKLE_ROLL },
];

static HEAD_PITCH: &[(f64, f64, f64)] = &[
    (-2.086017, -0.449073, 0.330041),
    (-1.526988, -0.330041, 0.200015),
    (-1.089958, -0.430049, 0.300022),
    (-0.903033, -0.479965, 0.330041),
    (-0.756077, -0.548033, 0.37001),
    (-0.486074, -0.671951, 0.422021),
    (0.0, -0.671951, 0.515047),
    (0.486074, -0.671951, 0.422021),
    (0.756077, -0.548033, 0.37001),
    (0.903033, -0.479965, 0.330041),
    (1.089958, -0.430049, 0.300022),
    (1.526988, -0.330041, 0.200015),
    (2.086017, -0.449073, 0.330041),
];

static LEFT_ANKLE_ROLL: &[(f64, f64, f64)] = &[
    (-1.189442, -0.049916, 0.075049),
    (-0.840027, -0.179943, 0.169995),
    (-0.700051, -0.397935, 0.220086),
    (-0.449946, -0.397935, 0.768992),
    (0.100007, -0.397935, 0.768992),
    (0.349938, -0.397935, 0.550477),
    (0.922755, 0.0, 0.049916),
];

static RIGHT_ANKLE_ROLL: &[(f64, f64, f64)] = &[
    (-1.189442, -0.075049, 0.049916),
    (-0.840027, -0.169995, 0.179943),
    (-0.700051, -0.220086, 0.397935),
    (-0.449946, -0.768992, 0.397935),
    (0.100007, -0.768992, 0.397935),
    (0.349938, -0.550477, 0.397935),
    (0.922755, -0.049916, 0.0),
];

static CONFIG: &[(&str, Fact)] = &[
    ("Model Type", Fact::Text("naoH25")),
    ("Head Version", Fact::Text("VERSION_50")),
    ("Body Version", Fact::Text("VERSION_50")),
    ("Laser", Fact::Flag(false)),
    ("Legs", Fact::Flag(true)),
    ("Arms", Fact::Flag(true)),
    ("Extended Arms", Fact::Flag(true)),
    ("Hands", Fact::Flag(true)),
    ("Arm Version", Fact::Text("VERSION_50")),
    ("Number of Legs", Fact::Number(2)),
    ("Number of Arms", Fact::Number(2)),
    ("Number of Hands", Fact::Number(2)),
];

// What its versions are called here is not published.
static CONFIG_V33: &[(&str, Fact)] = &[
    ("Model Type", Fact::Text("naoH25")),
    ("Laser", Fact::Flag(false)),
    ("Legs", Fact::Flag(true)),
    ("Arms", Fact::Flag(true)),
    ("Extended Arms", Fact::Flag(true)),
    ("Hands", Fact::Flag(true)),
    ("Number of Legs", Fact::Number(2)),
    ("Number of Arms", Fact::Number(2)),
    ("Number of Hands", Fact::Number(2)),
];
