//! Pepper 1.x.

use crate::body::{angle, chain, hand, wheel};
use crate::parts::{ARMS, HEAD, LEFT_ARM, RIGHT_ARM, joint_actuators, joints};
use crate::{Body, Build, Chain, Fact, Gait, Joint, OfferedServices, ShellLimit, geometry, leds, posture, touch};

/// The published tables are in degrees.
const DEGREE: f64 = std::f64::consts::PI / 180.0;

pub(crate) static PEPPER: Body = Body {
    name: "pepper",
    source: "",
    build: Build {
        type_name: "juliette",
        type_number: 2,
        gait: Gait::Wheels,
        hands: true,
        torso_height: 0.82,
        neck_height: 0.1699,
        shoulder: [-0.057, 0.14974, 0.08682],
        config: CONFIG,
        memory_type: "Juliette",
        memory_version: "1.6",
        sonars: &["Platform/Front/Sonar", "Platform/Back/Sonar"],
    },
    offers: OfferedServices::AllBut(&[]),
    joints: JOINTS,
    chains: CHAINS,
    collections: COLLECTIONS,
    couplings: &[],
    // Source: the pages "Wake up and Rest effect" of the NAOqi documentation; they do not name the joints of the hip.
    brakes: &["HipRoll", "HipPitch", "KneePitch"],
    shell_limits: SHELL_LIMITS,
    leds: leds::PEPPER_LEDS,
    led_groups: leds::PEPPER_GROUPS,
    postures: posture::PEPPER,
    awake: "StandInit",
    rest: "Crouch",
    touch: touch::PEPPER,
    geometry: geometry::PEPPER,
    curves: &[],
};

static JOINTS: &[Joint] = &[
    angle("HeadYaw", -2.0857, 2.0857, 7.33998, 5.428),
    angle("HeadPitch", -0.7068, 0.4451, 9.22756, 2.666),
    angle("LShoulderPitch", -2.0857, 2.0857, 7.33998, 5.428),
    angle("LShoulderRoll", 0.0087, 1.562, 9.22756, 2.666),
    angle("LElbowYaw", -2.0857, 2.0857, 7.33998, 5.428),
    angle("LElbowRoll", -1.562, -0.0087, 9.22756, 2.666),
    angle("LWristYaw", -1.8239, 1.8239, 17.3835, 0.2014),
    hand("LHand", 0.02, 0.98, 12.56, 0.144),
    angle("HipRoll", -0.5149, 0.5149, 2.27032, 10.1884),
    angle("HipPitch", -1.0385, 1.0385, 2.93276, 19.787),
    angle("KneePitch", -0.5149, 0.5149, 2.93276, 27.702),
    angle("RShoulderPitch", -2.0857, 2.0857, 7.33998, 5.428),
    angle("RShoulderRoll", -1.562, -0.0087, 9.22756, 2.666),
    angle("RElbowYaw", -2.0857, 2.0857, 7.33998, 5.428),
    angle("RElbowRoll", 0.0087, 1.562, 9.22756, 2.666),
    angle("RWristYaw", -1.8239, 1.8239, 17.3835, 0.2014),
    hand("RHand", 0.02, 0.98, 12.56, 0.144),
    wheel("WheelFL", std::f64::consts::TAU, 3.25),
    wheel("WheelFR", std::f64::consts::TAU, 3.25),
    wheel("WheelB", std::f64::consts::TAU, 3.25),
];

const LEG: [&str; 3] = ["HipRoll", "HipPitch", "KneePitch"];

static CHAINS: &[Chain] =
    &[chain("Head", &HEAD), chain("LArm", &LEFT_ARM), chain("Leg", &LEG), chain("RArm", &RIGHT_ARM)];

static COLLECTIONS: &[Chain] = &[
    chain("Arms", &ARMS),
    chain("Legs", &LEG),
    chain("Wheels", &["WheelFL", "WheelFR", "WheelB"]),
    chain("JointActuators", &joint_actuators::<17>(&LEG)),
    chain("Joints", &joints::<15>(&LEG)),
    chain("Actuators", &["LHand", "RHand", "WheelFL", "WheelFR", "WheelB"]),
];

static SHELL_LIMITS: &[ShellLimit] = &[
    ShellLimit { joint: "HeadPitch", by: "HeadYaw", rows: HEAD_PITCH },
    ShellLimit { joint: "LElbowRoll", by: "LElbowYaw", rows: LEFT_ELBOW_ROLL },
    ShellLimit { joint: "RElbowRoll", by: "RElbowYaw", rows: RIGHT_ELBOW_ROLL },
];

static HEAD_PITCH: &[(f64, f64, f64)] = &[
    (-119.5 * DEGREE, -35.0 * DEGREE, 13.5 * DEGREE),
    (-91.4 * DEGREE, -35.1 * DEGREE, 13.5 * DEGREE),
    (-61.6 * DEGREE, -35.2 * DEGREE, 20.9 * DEGREE),
    (-33.33 * DEGREE, -40.5 * DEGREE, 25.5 * DEGREE),
    (33.33 * DEGREE, -40.5 * DEGREE, 25.5 * DEGREE),
    (61.6 * DEGREE, -35.2 * DEGREE, 20.9 * DEGREE),
    (91.4 * DEGREE, -35.1 * DEGREE, 13.5 * DEGREE),
    (119.5 * DEGREE, -35.0 * DEGREE, 13.5 * DEGREE),
];

static LEFT_ELBOW_ROLL: &[(f64, f64, f64)] = &[
    (-119.5 * DEGREE, -78.0 * DEGREE, -0.5 * DEGREE),
    (-60.0 * DEGREE, -78.0 * DEGREE, -0.5 * DEGREE),
    (0.0 * DEGREE, -89.5 * DEGREE, -0.5 * DEGREE),
    (99.5 * DEGREE, -89.5 * DEGREE, -0.5 * DEGREE),
    (119.5 * DEGREE, -83.0 * DEGREE, -0.5 * DEGREE),
];

static RIGHT_ELBOW_ROLL: &[(f64, f64, f64)] = &[
    (-119.5 * DEGREE, 0.5 * DEGREE, 83.0 * DEGREE),
    (-99.5 * DEGREE, 0.5 * DEGREE, 89.5 * DEGREE),
    (0.0 * DEGREE, 0.5 * DEGREE, 89.5 * DEGREE),
    (60.0 * DEGREE, 0.5 * DEGREE, 78.0 * DEGREE),
    (119.5 * DEGREE, 0.5 * DEGREE, 78.0 * DEGREE),
];

static CONFIG: &[(&str, Fact)] = &[
    ("Model Type", Fact::Text("juliette")),
    ("Head Version", Fact::Text("VERSION_160")),
    ("Body Version", Fact::Text("VERSION_160")),
    ("Laser", Fact::Flag(true)),
    ("Legs", Fact::Flag(false)),
    ("Arms", Fact::Flag(true)),
    ("Extended Arms", Fact::Flag(true)),
    ("Hands", Fact::Flag(true)),
    ("Arm Version", Fact::Text("VERSION_160")),
    ("Number of Legs", Fact::Number(1)),
    ("Number of Arms", Fact::Number(2)),
    ("Number of Hands", Fact::Number(2)),
];
