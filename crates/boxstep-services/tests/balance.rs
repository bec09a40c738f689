//! Whole body control, and arms that do not run into the body.

use crate::harness::{Harness, floats, list, s};
use boxstep_types::Value;

fn angle(h: &mut Harness, joint: &str) -> f64 {
    floats(&h.get("ALMotion.getAngles", &[s(joint), false.into()]))[0]
}

/// Bends both ankles.
fn lean(h: &mut Harness, angle: f64) {
    let joints = list(["LAnklePitch", "RAnklePitch"]);
    h.get("ALMotion.angleInterpolation", &[joints, list([angle, angle]), list([2.0, 2.0]), true.into()]);
}

#[test]
fn names_that_there_are_not_are_refused() {
    let mut h = Harness::nao();
    for (method, args, why) in [
        ("wbFootState", vec![s("Nope"), s("Legs")], "Fixed, Plane or Free, not `Nope`"),
        ("wbFootState", vec![s("Fixed"), s("Nope")], "LLeg, RLeg or Legs, not `Nope`"),
        ("wbFootState", vec![1.into(), 2.into()], "must be a string"),
        ("wbEnableBalanceConstraint", vec![s("x"), s("Legs")], "True or False"),
        ("wbEnableBalanceConstraint", vec![true.into(), s("Nope")], "LLeg, RLeg or Legs"),
        ("wbEnableEffectorOptimization", vec![s("X"), true.into()], "Torso, Com, not `X`"),
        ("wbGoToBalance", vec![s("LLeg"), 0.01.into()], "at least 0.5 s"),
        ("wbGoToBalanceWithSpeed", vec![s("LLeg"), 2.0.into()], "above 0 and at most 1"),
        ("isCollision", vec![s("Nope")], "Arms, LArm or RArm, not `Nope`"),
        ("isCollision", vec![3.into()], "must be a string"),
        ("setCollisionProtectionEnabled", vec![s("Head"), true.into()], "Arms, LArm or RArm"),
    ] {
        let told = h.why(&format!("ALMotion.{method}"), &args);
        assert!(told.contains(why), "{method}: {told}");
    }
    let mut pepper = Harness::pepper();
    for (method, args) in [
        ("wbEnable", vec![true.into()]),
        ("wbFootState", vec![s("Fixed"), s("Legs")]),
        ("wbEnableBalanceConstraint", vec![true.into(), s("Legs")]),
        ("wbEnableEffectorControl", vec![s("LArm"), true.into()]),
    ] {
        assert!(pepper.why(&format!("ALMotion.{method}"), &args).contains("no legs"), "{method}");
    }
}

#[test]
fn a_command_stops_where_it_would_tip_the_robot_over() {
    let mut h = Harness::nao();
    lean(&mut h, -0.6);
    assert!((angle(&mut h, "LAnklePitch") + 0.6).abs() < 1e-9, "whole body control is off at first");
    lean(&mut h, -0.3);
    h.get("ALMotion.wbEnable", &[true.into()]);
    assert_eq!(h.get("ALMotion.getManageWholeBody", &[]), Value::Bool(true));
    h.get("ALMotion.wbEnableBalanceConstraint", &[true.into(), s("Legs")]);
    lean(&mut h, -0.9);
    let stopped = angle(&mut h, "LAnklePitch");
    assert!((-0.7..-0.35).contains(&stopped), "{stopped}");
    assert_eq!(stopped, angle(&mut h, "RAnklePitch"));
    assert!(
        h.texts("joints").last().unwrap().contains("whole body control stops it (after"),
        "{:?}",
        h.texts("joints")
    );
    // The center of mass is within the area under the feet, whose toes are 0.1 m ahead of the ankles.
    let com = floats(&h.get("ALMotion.getCOM", &[s("Body"), 2.into(), false.into()]));
    assert!((0.05..0.1).contains(&com[0]), "{com:?}");
    // It may go back.
    lean(&mut h, -0.3);
    assert!((angle(&mut h, "LAnklePitch") + 0.3).abs() < 1e-9);
    h.get("ALMotion.wbEnable", &[false.into()]);
    lean(&mut h, -0.9);
    assert!((angle(&mut h, "LAnklePitch") + 0.9).abs() < 1e-9);
}

#[test]
fn feet_that_are_held_stay_unless_they_are_free() {
    let lift = |h: &mut Harness| {
        let joints = list(["RHipPitch", "RKneePitch"]);
        h.get("ALMotion.angleInterpolation", &[joints, list([-1.2, 1.6]), 2.0.into(), true.into()]);
        floats(&h.get("ALMotion.getPosition", &[s("RLeg"), 2.into(), false.into()]))[2]
    };
    for (state, moves) in [("Fixed", false), ("Plane", false), ("Free", true)] {
        let mut h = Harness::nao();
        h.get("ALMotion.wbEnable", &[true.into()]);
        h.get("ALMotion.wbFootState", &[s(state), s("RLeg")]);
        assert_eq!(lift(&mut h) > 0.03, moves, "{state}");
    }
}

#[test]
fn the_weight_is_shifted_at_a_speed() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALMotion.wbGoToBalanceWithSpeed", &[s("LLeg"), 0.2.into()]), Value::Bool(true));
    let com = floats(&h.get("ALMotion.getCOM", &[s("Body"), 2.into(), false.into()]));
    let foot = floats(&h.get("ALMotion.getPosition", &[s("LLeg"), 2.into(), false.into()]));
    assert!((com[1] - foot[1]).abs() < 0.015, "{com:?} {foot:?}");
}

/// Brings the left arm into the body.
const INTO: [(&str, f64); 3] = [("LShoulderPitch", 1.45), ("LShoulderRoll", -0.3), ("LElbowRoll", -0.04)];

fn go(h: &mut Harness, to: &[(&str, f64)]) {
    let joints = list(to.iter().map(|(joint, _)| *joint));
    h.get("ALMotion.angleInterpolation", &[joints, list(to.iter().map(|to| to.1)), 2.0.into(), true.into()]);
}

#[test]
fn arms_stop_before_they_run_into_the_body() {
    let mut h = Harness::nao();
    let collides = |h: &mut Harness, arm: &str| h.get("ALMotion.isCollision", &[s(arm)]);
    assert_eq!(collides(&mut h, "Arms"), s("none"));
    go(&mut h, &INTO);
    assert_eq!(collides(&mut h, "LArm"), s("near"));
    assert!(angle(&mut h, "LShoulderRoll") > -0.29);
    let told = h.texts("joints").last().unwrap().clone();
    assert!(told.contains("LArm stops before it runs into the body (after"), "{told}");
    assert_eq!(h.get("ALMotion.getCollisionProtectionEnabled", &[s("Arms")]), Value::Bool(true));
    assert_eq!(h.get("ALMotion.setCollisionProtectionEnabled", &[s("LArm"), false.into()]), Value::Bool(true));
    assert_eq!(h.get("ALMotion.getCollisionProtectionEnabled", &[s("Arms")]), Value::Bool(false));
    assert_eq!(h.get("ALMotion.getCollisionProtectionEnabled", &[s("RArm")]), Value::Bool(true));
    go(&mut h, &INTO);
    assert_eq!(collides(&mut h, "LArm"), s("collision"));
    assert_eq!(collides(&mut h, "Arms"), s("collision"));
    assert_eq!(collides(&mut h, "RArm"), s("none"));
    // Out again it may go with the protection, too.
    h.get("ALMotion.setCollisionProtectionEnabled", &[s("LArm"), true.into()]);
    go(&mut h, &[("LShoulderRoll", 0.5)]);
    assert!((angle(&mut h, "LShoulderRoll") - 0.5).abs() < 1e-9, "{:?}", h.texts("joints"));
    h.get("ALMotion.setAngles", &[list(INTO.map(|to| to.0)), list(INTO.map(|to| to.1)), 0.5.into()]);
    h.wait(3.0);
    assert_ne!(collides(&mut h, "LArm"), s("collision"));
}

#[test]
fn the_legs_help_an_arm_that_is_led_as_far_as_the_balance_allows() {
    let mut h = Harness::nao();
    h.get("ALMotion.wbEnable", &[true.into()]);
    h.get("ALMotion.wbEnableEffectorControl", &[s("LArm"), true.into()]);
    let arm = |h: &mut Harness| floats(&h.get("ALMotion.getPosition", &[s("LArm"), 2.into(), false.into()]));
    let com = |h: &mut Harness| floats(&h.get("ALMotion.getCOM", &[s("Body"), 2.into(), false.into()]));
    h.get("ALMotion.wbSetEffectorControl", &[s("LArm"), list([0.25, 0.12, 0.38])]);
    h.wait(4.0);
    let (is, center) = (arm(&mut h), com(&mut h));
    assert!((is[0] - 0.25).abs() < 2e-3 && (is[2] - 0.38).abs() < 2e-3, "{is:?}");
    assert!(center[0] > 0.0, "{center:?}");
    assert!(h.warnings.is_empty(), "{:?}", h.warnings);
    h.get("ALMotion.wbSetEffectorControl", &[s("LArm"), list([0.6, 0.12, 0.38])]);
    h.wait(4.0);
    let (is, center) = (arm(&mut h), com(&mut h));
    assert!((0.26..0.4).contains(&is[0]), "{is:?}");
    assert!(center[0] < 0.095, "{center:?}");
    assert_eq!(h.warnings.len(), 1, "{:?}", h.warnings);
}
