//! The frames of the robot and of the world.

use crate::harness::{Harness, floats, list, s};
use boxstep_bodies::BodyKind;
use boxstep_services::SimOptions;

fn position(h: &mut Harness, name: &str, frame: i64) -> Vec<f64> {
    floats(&h.get("ALMotion.getPosition", &[s(name), frame.into(), true.into()]))
}

#[track_caller]
fn all_near(found: &[f64], wanted: &[f64], within: f64) {
    let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == wanted.len() && off <= within, "{found:?} and {wanted:?}");
}

/// Where the robot's frame is in the world.
fn robot(h: &mut Harness) -> Vec<f64> {
    floats(&h.get("ALMotion.getRobotPosition", &[true.into()]))
}

#[test]
fn the_robots_frame_is_midway_between_its_feet() {
    let mut h = Harness::nao();
    // The torso of a robot that stands is a little ahead of its feet.
    let ahead = position(&mut h, "Torso", 2)[0];
    assert!((0.009..0.010).contains(&ahead), "{ahead}");
    for (joints, angles) in [
        (list(["HeadYaw"]), list([0.0])),
        (list(["LHipPitch", "RHipPitch"]), list([-0.9, -0.9])),
        (list(["LHipPitch", "RHipPitch", "LHipYawPitch"]), list([0.1, -0.5, -0.4])),
        (list(["LAnklePitch", "RAnklePitch"]), list([-0.2, -0.2])),
    ] {
        h.get("ALMotion.angleInterpolation", &[joints, angles, 1.0.into(), true.into()]);
        let (left, right) = (position(&mut h, "LLeg", 2), position(&mut h, "RLeg", 2));
        let middle: Vec<f64> = [0, 1].map(|i| (left[i] + right[i]) / 2.0).to_vec();
        all_near(&middle, &[0.0, 0.0], 1e-9);
        // It looks where the feet do on average.
        assert!((left[5] + right[5]).abs() < 0.02, "{left:?} {right:?}");
        all_near(&position(&mut h, "Robot", 2), &[0.0; 6], 1e-9);
    }
}

#[test]
fn under_wheels_it_is_that_of_the_base() {
    let mut h = Harness::pepper();
    for pitch in [0.0, -0.3] {
        h.get("ALMotion.angleInterpolation", &[s("HipPitch"), pitch.into(), 1.0.into(), true.into()]);
        let base = position(&mut h, "Base", 2);
        all_near(&base[..2], &[0.0, 0.0], 1e-9);
        all_near(&base[3..], &[0.0; 3], 1e-9);
    }
    assert!(position(&mut h, "Torso", 2)[0].abs() > 0.05, "it bows");
}

#[test]
fn feet_that_stand_do_not_slide_in_the_world() {
    let mut h = Harness::nao();
    let feet = ["LLeg", "RLeg"].map(|foot| position(&mut h, foot, 1));
    let goes = h.post("ALMotion.wbGoToBalance", &[s("LLeg"), 2.0.into()]);
    for _ in 0..8 {
        h.wait(0.25);
        for (foot, was) in ["LLeg", "RLeg"].iter().zip(&feet) {
            all_near(&position(&mut h, foot, 1)[..3], &was[..3], 6e-3);
        }
    }
    assert!(h.done(goes));
    // The other foot leaves the floor, and goes ahead.
    let stands = position(&mut h, "LLeg", 1);
    h.get(
        "ALMotion.angleInterpolation",
        &[list(["RHipPitch", "RKneePitch"]), list([-1.2, 1.2]), 1.0.into(), true.into()],
    );
    all_near(&position(&mut h, "LLeg", 1), &stands, 6e-3);
    assert!(position(&mut h, "RLeg", 1)[2] > 0.03);
    let robot = robot(&mut h);
    assert!(robot[0] > 0.01, "the robot's frame is midway still: {robot:?}");
}

#[test]
fn physics_begins_where_the_world_does_and_tells_where_the_robot_is() {
    let engine = boxstep_physics::Robot::engine;
    for kind in [BodyKind::Nao, BodyKind::Pepper] {
        let mut h = Harness::new(SimOptions { body: kind.body(), physics: Some(engine), ..SimOptions::default() });
        all_near(&robot(&mut h), &[0.0; 3], 1e-9);
        h.get("ALMotion.moveTo", &[0.3.into(), 0.0.into(), 0.5.into()]);
        all_near(&robot(&mut h), &[0.3, 0.0, 0.5], 1e-3);
        let goes = h.post("ALMotion.moveTo", &[0.3.into(), 0.0.into(), 0.0.into()]);
        h.wait(0.2);
        let next = floats(&h.get("ALMotion.getNextRobotPosition", &[]));
        while !h.done(goes) {
            h.wait(0.1);
        }
        all_near(&robot(&mut h), &next, 1e-3);
    }
    let mut h = Harness::new(SimOptions { physics: Some(engine), ..SimOptions::default() });
    h.listen("PostureFamilyChanged");
    h.raise("Boxstep/Push", list([5.0, 0.0, 0.0]));
    h.wait(8.0);
    assert_eq!(h.get("ALRobotPosture.getPostureFamily", &[]), s("LyingBelly"));
    h.get("ALMotion.wakeUp", &[]);
    h.wait(2.0);
    let (told, torso) = (robot(&mut h), position(&mut h, "Torso", 1));
    assert!(told[0] > 0.1, "{told:?}");
    all_near(&told[..2], &torso[..2], 0.03);
    assert_eq!(h.get("ALRobotPosture.getPostureFamily", &[]), s("Standing"));
    assert_eq!(h.seen("PostureFamilyChanged"), [s("LyingBelly"), s("Standing")]);
}
