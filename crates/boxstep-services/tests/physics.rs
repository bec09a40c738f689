//! A robot that can fall.

use crate::harness::{Harness, floats, list, s};
use boxstep_bodies::BodyKind;
use boxstep_engine::services::Services as _;
use boxstep_services::SimOptions;
use boxstep_types::{Time, Value};

fn robot(kind: BodyKind) -> Harness {
    let engine = boxstep_physics::Robot::engine;
    let mut h = Harness::new(SimOptions { body: kind.body(), physics: Some(engine), ..SimOptions::default() });
    for event in [FALLING, FALLEN, "footContactChanged", "robotIsWakeUp", "PostureFamilyChanged"] {
        h.listen(event);
    }
    h
}

const FALLING: &str = "ALMotion/RobotIsFalling";
const FALLEN: &str = "robotHasFallen";

fn data(h: &mut Harness, key: &str) -> f64 {
    h.get("ALMemory.getData", &[s(&format!("Device/SubDeviceList/{key}/Sensor/Value"))]).as_f64().expect(key)
}

fn push(h: &mut Harness, impulse: [f64; 3]) {
    h.raise("Boxstep/Push", list(impulse));
}

/// Where the torso is in the world: place, roll, pitch and yaw.
fn torso(h: &mut Harness) -> Vec<f64> {
    floats(&h.get("ALMotion.getPosition", &[s("Torso"), 1.into(), true.into()]))
}

#[track_caller]
fn about(value: f64, wanted: f64, off: f64) {
    assert!((value - wanted).abs() < off, "{value} is not about {wanted}");
}

/// The impulses, in N·s, that the robots keep standing after, and those that make them fall.
const PUSHES: [(BodyKind, f64, f64); 2] = [(BodyKind::Nao, 0.5, 4.0), (BodyKind::Pepper, 5.0, 25.0)];

#[test]
fn a_robot_stands_and_lets_a_run_end() {
    for kind in BodyKind::ALL {
        let mut h = robot(kind);
        h.get("ALMotion.getAngles", &[s("Body"), true.into()]);
        assert_eq!(h.timers_alive(), 1, "{kind}: it settles");
        h.wait(60.0);
        assert_eq!(h.timers_alive(), 0, "{kind}: it stands still");
        let [commands, angles] =
            [false, true].map(|measured| floats(&h.get("ALMotion.getAngles", &[s("Body"), measured.into()])));
        for (command, angle) in commands.iter().zip(&angles) {
            about(*angle, *command, 0.02);
        }
        assert_ne!(commands, angles, "{kind}: motors give way under a load");
        assert!(h.texts("fall").is_empty() && h.events.is_empty(), "{kind}: {:?}", h.events);
    }
}

#[test]
fn its_state_does_not_depend_on_who_looks_when() {
    let play = |looks: &[f64]| {
        let mut h = robot(BodyKind::Nao);
        h.post("ALMotion.angleInterpolation", &[s("HeadYaw"), 1.0.into(), 2.0.into(), true.into()]);
        h.wait(0.7);
        push(&mut h, [0.0, 2.0, 0.0]);
        for look in looks {
            h.robot.joints(h.now + Time::from_secs_f64(*look));
            h.wait(*look);
        }
        h.wait(3.0 - h.now.as_secs_f64());
        let now = h.now;
        (h.robot.joints(now), h.acts.len(), h.events.clone())
    };
    let seldom = play(&[]);
    assert_eq!(play(&[0.0001; 400]), seldom);
    assert_eq!(play(&[0.013, 0.3, 0.004, 0.5]), seldom);
}

#[test]
fn a_small_push_is_borne_and_a_hard_one_makes_it_fall() {
    for (kind, small, hard) in PUSHES {
        for (side, text, down, family) in [
            ([1.0, 0.0, 0.0], "falls forward", "lies on its front", "LyingBelly"),
            ([-1.0, 0.0, 0.0], "falls backward", "lies on its back", "LyingBack"),
        ] {
            let mut h = robot(kind);
            push(&mut h, side.map(|part| part * small));
            h.wait(5.0);
            assert!(h.texts("fall").is_empty(), "{kind}: {:?}", h.texts("fall"));
            push(&mut h, side.map(|part| part * hard));
            h.wait(10.0);
            assert_eq!(h.texts("fall"), [text, down], "{kind}");
            assert_eq!(h.seen(FALLING), [Value::Bool(true)], "{kind}");
            assert_eq!(h.seen(FALLEN), [Value::Bool(true)], "{kind}");
            assert_eq!(h.seen("PostureFamilyChanged"), [s(family)], "{kind}");
            // The fall manager turns the motors off.
            assert_eq!(h.seen("robotIsWakeUp"), [Value::Bool(false)], "{kind}");
            assert_eq!(h.get("ALMotion.getStiffnesses", &[s("HeadYaw")]), list([0.0]));
            let end = torso(&mut h);
            assert!(end[2] < 0.2 && end[4].abs() > 1.0, "{kind}: {end:?}");
            assert_eq!(h.timers_alive(), 0, "{kind}: it lies still");
        }
    }
}

#[test]
fn without_the_fall_manager_nothing_protects_it_and_nothing_is_raised() {
    let mut h = robot(BodyKind::Nao);
    h.get("ALMotion.setFallManagerEnabled", &[false.into()]);
    push(&mut h, [4.0, 0.0, 0.0]);
    h.wait(10.0);
    assert_eq!(h.texts("fall"), ["falls forward", "lies on its front"]);
    assert!(h.seen(FALLING).is_empty() && h.seen(FALLEN).is_empty());
    assert_eq!(h.get("ALMotion.getStiffnesses", &[s("HeadYaw")]), list([1.0]));
}

#[test]
fn a_fall_ends_the_motion_that_is_under_way() {
    let mut h = robot(BodyKind::Nao);
    let call = h.post("ALMotion.angleInterpolation", &[s("HeadYaw"), 1.0.into(), 20.0.into(), true.into()]);
    h.wait(1.0);
    push(&mut h, [0.0, 4.0, 0.0]);
    h.wait(5.0);
    assert!(h.done(call));
    assert_eq!(h.texts("fall")[0], "falls to its left");
    assert_eq!(h.get("ALMotion.moveTo", &[0.2.into(), 0.0.into(), 0.0.into()]), Value::Bool(false), "it cannot walk");
}

#[test]
fn nao_gets_up_and_pepper_cannot() {
    for (kind, _, hard) in PUSHES {
        let mut h = robot(kind);
        push(&mut h, [hard, 0.0, 0.0]);
        h.wait(10.0);
        assert_eq!(h.get("ALRobotPosture.goToPosture", &[s("Stand"), 0.8.into()]), Value::Bool(false), "it is limp");
        h.get("ALMotion.wakeUp", &[]);
        h.wait(2.0);
        let gets_up = kind == BodyKind::Nao;
        assert_eq!(h.get("ALMotion.robotIsWakeUp", &[]), Value::Bool(gets_up));
        assert_eq!(h.seen(FALLEN).len(), if gets_up { 2 } else { 1 });
        about(torso(&mut h)[4], if gets_up { 0.1 } else { 1.5 }, 0.15);
    }
}

#[test]
fn postures_of_every_family_are_reached() {
    let mut h = robot(BodyKind::Nao);
    for name in
        ["StandZero", "Crouch", "Stand", "Sit", "StandInit", "LyingBelly", "LyingBack", "Crouch", "SitRelax", "Stand"]
    {
        assert_eq!(h.get("ALRobotPosture.goToPosture", &[s(name), 0.8.into()]), Value::Bool(true), "{name}");
        h.wait(3.0);
        assert_eq!(h.get("ALRobotPosture.getPosture", &[]), s(name));
        let (_, _, z, pitch) = {
            let t = torso(&mut h);
            (t[0], t[1], t[2], t[4])
        };
        match name {
            "LyingBelly" => about(pitch, 1.5, 0.2),
            "LyingBack" => about(pitch, -1.5, 0.2),
            name if name.starts_with("Sit") => about(z, 0.13, 0.05),
            _ => about(pitch, 0.0, 0.15),
        }
    }
    assert!(h.texts("fall").iter().all(|text| text == "stands on its feet"), "{:?}", h.texts("fall"));
    // On its back its feet are in the air.
    let feet = h.seen("footContactChanged");
    assert!(feet.contains(&Value::Bool(false)) && feet.last() == Some(&Value::Bool(true)), "{feet:?}");
}

#[test]
fn a_robot_without_stiffness_sags_but_in_its_resting_posture() {
    let mut h = robot(BodyKind::Nao);
    h.get("ALMotion.rest", &[]);
    let before = torso(&mut h)[2];
    h.wait(10.0);
    about(torso(&mut h)[2], before, 0.01);
    let mut h = robot(BodyKind::Nao);
    h.get("ALMotion.setStiffnesses", &[s("Body"), 0.0.into()]);
    h.wait(10.0);
    assert!(torso(&mut h)[2] < 0.25, "its legs give way");
    // The brakes of Pepper hold its hip and its knee.
    let mut h = robot(BodyKind::Pepper);
    h.get("ALMotion.setStiffnesses", &[s("Body"), 0.0.into()]);
    h.wait(10.0);
    about(torso(&mut h)[2], 0.82, 0.01);
    assert!(h.joint("LShoulderPitch") > 1.57, "its arms hang");
}

#[test]
fn a_walk_is_not_physical_until_it_is_stopped_or_pushed() {
    let mut h = robot(BodyKind::Nao);
    let id = h.post("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.5.into()]);
    h.wait(3.0);
    let there = torso(&mut h)[0];
    assert!(there > 0.2, "{there}");
    push(&mut h, [4.0, 0.0, 0.0]);
    assert!(h.done(id));
    h.wait(5.0);
    assert_eq!(h.texts("fall"), ["falls forward", "lies on its front"]);
    assert!(torso(&mut h)[0] > there + 0.05);
    h.get("ALMotion.wakeUp", &[]);
    h.wait(2.0);
    let from = torso(&mut h);
    h.get("ALMotion.moveTo", &[0.3.into(), 0.0.into(), 0.0.into()]);
    h.wait(2.0);
    let to = torso(&mut h);
    about((to[0] - from[0]).hypot(to[1] - from[1]), 0.3, 0.01);
    // It walks to where it looks, from where it got up.
    about((to[1] - from[1]).atan2(to[0] - from[0]), from[5], 0.05);
    h.post("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.0.into()]);
    h.wait(3.0);
    h.get("ALMotion.killMove", &[]);
    h.wait(3.0);
    assert_eq!(h.texts("fall").len(), 3, "a stop at NAO's speed is borne: {:?}", h.texts("fall"));
}

#[test]
fn sensors_feel_the_floor_and_the_fall() {
    let mut h = robot(BodyKind::Nao);
    h.wait(3.0);
    let feet = ["LFoot", "RFoot"].map(|foot| {
        let of = ["FrontLeft", "FrontRight", "RearLeft", "RearRight"]
            .map(|place| data(&mut h, &format!("{foot}/FSR/{place}")));
        let total = data(&mut h, &format!("{foot}/FSR/TotalWeight"));
        about(of.iter().sum(), total, 1e-6);
        assert!(of.iter().all(|part| *part > 0.0), "{of:?}");
        total
    });
    about(feet[0] + feet[1], 5.305, 0.01);
    about(data(&mut h, "LFoot/FSR/CenterOfPressure/X"), 0.02, 0.02);
    about(data(&mut h, "InertialSensor/AccelerometerZ"), -9.75, 0.05);
    about(data(&mut h, "InertialSensor/AccZ"), -9.75, 0.05);
    about(data(&mut h, "InertialSensor/AngleY"), 0.107, 0.01);
    assert_eq!(h.get("ALMemory.getData", &[s("footContact")]), Value::Bool(true));
    push(&mut h, [4.0, 0.0, 0.0]);
    h.wait(0.1);
    assert!(data(&mut h, "InertialSensor/GyroscopeY") > 0.5, "it tips forward");
    h.wait(5.0);
    about(data(&mut h, "InertialSensor/AccelerometerX"), 9.8, 0.3);
    about(data(&mut h, "InertialSensor/AngleY"), 1.5, 0.2);
    // It is the value of the event.
    let feet = h.get("ALMemory.getData", &[s("footContact")]);
    assert_eq!(h.seen("footContactChanged").last().unwrap_or(&Value::Bool(true)), &feet);
    // The toes are on the floor.
    assert_eq!(data(&mut h, "LFoot/Bumper/Left"), 1.0);
}

#[test]
fn a_push_that_cannot_be_is_told() {
    let mut h = robot(BodyKind::Nao);
    for wrong in [s("hard"), list([1.0, 2.0]), list([f64::NAN, 0.0, 0.0]), list([1e9, 0.0, 0.0])] {
        h.raise("Boxstep/Push", wrong);
    }
    h.raise("Boxstep/Push", Value::list([1.0.into(), 0.0.into(), 0.0.into(), s("Tail")]));
    assert_eq!(h.warnings.len(), 5, "{:?}", h.warnings);
    h.raise("Boxstep/Push", Value::list([0.1.into(), 0.0.into(), 0.0.into(), s("Head")]));
    assert_eq!(h.texts("push"), ["Head, 0.10 N·s"]);
    let mut h = Harness::nao();
    push(&mut h, [1.0, 0.0, 0.0]);
    assert_eq!(h.warnings, ["Boxstep/Push has no effect: this robot moves without physics (--physics)"]);
}

#[test]
fn joints_without_a_motor_follow_where_their_leader_is() {
    let mut h = robot(BodyKind::Nao);
    h.get("ALMotion.setStiffnesses", &[s("Body"), 0.0.into()]);
    h.wait(10.0);
    let [left, right] = ["LHipYawPitch", "RHipYawPitch"].map(|joint| h.joint(joint));
    assert_eq!(left, right);
    assert!(left.abs() > 1e-3, "it has sunk: {left}");
}

#[test]
fn who_sits_or_gets_up_can_be_pushed_over() {
    let mut h = robot(BodyKind::Nao);
    h.get("ALRobotPosture.goToPosture", &[s("Sit"), 0.8.into()]);
    let sits = torso(&mut h);
    h.wait(5.0);
    assert_eq!(torso(&mut h), sits);
    push(&mut h, [-3.0, 0.0, 0.0]);
    h.wait(5.0);
    assert!(torso(&mut h)[4] < sits[4] - 0.3, "it lies on its back");
    let rises = h.post("ALRobotPosture.goToPosture", &[s("Stand"), 0.8.into()]);
    h.wait(0.5);
    assert!(!h.done(rises));
    push(&mut h, [0.0, 1.0, 0.0]);
    assert_eq!(h.answers[&rises].1, Ok(Value::Bool(false)));
    h.wait(5.0);
    assert!(torso(&mut h)[2] < 0.25, "it did not get up");
}
