//! The ways of ends to places, and of the torso on its legs.

use crate::harness::{Harness, floats, list, s};
use boxstep_types::Value;

fn position(h: &mut Harness, name: &str, frame: i64) -> Vec<f64> {
    floats(&h.get("ALMotion.getPosition", &[s(name), frame.into(), false.into()]))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).take(3).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn an_end_goes_straight_to_its_place() {
    let mut h = Harness::nao();
    h.get("ALMotion.setCollisionProtectionEnabled", &[s("Arms"), false.into()]);
    let from = position(&mut h, "LArm", 0);
    let to = [0.15, 0.05, 0.15];
    let path = Value::list([list([to[0], to[1], to[2], 0.0, 0.0, 0.0])]);
    let goes = h.post("ALMotion.positionInterpolations", &[list(["LArm"]), 0.into(), path, 7.into(), list([2.0])]);
    for part in 1..=8 {
        h.wait(0.25);
        let part = f64::from(part) / 8.0;
        let wanted: Vec<f64> = (0..3).map(|i| from[i] + part * (to[i] - from[i])).collect();
        let is = position(&mut h, "LArm", 0);
        assert!(distance(&is, &wanted) < 2e-3, "{part}: {is:?} is not {wanted:?}");
    }
    assert!(h.done(goes));
    assert!(h.warnings.is_empty(), "{:?}", h.warnings);
}

#[test]
fn what_cannot_be_reached_is_told_with_the_distance() {
    let mut h = Harness::nao();
    let far = list([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    h.get("ALMotion.setPositions", &[s("LArm"), 0.into(), far, 0.5.into(), 7.into()]);
    h.wait(4.0);
    let off = distance(&position(&mut h, "LArm", 0), &[1.0, 1.0, 1.0]);
    assert_eq!(h.warnings, [format!("LArm cannot come to its place: it ends {:.0} mm away", off * 1e3)]);
}

#[test]
fn the_legs_hold_a_torso_that_moves() {
    let mut h = Harness::nao();
    let feet = ["LLeg", "RLeg"].map(|foot| position(&mut h, foot, 1));
    let from = position(&mut h, "Torso", 1);
    let by = list([0.01, 0.03, -0.02, 0.0, 0.0, 0.0]);
    let args = [s("Torso"), 2.into(), Value::list([by]), 7.into(), list([1.0]), false.into()];
    let goes = h.post("ALMotion.positionInterpolation", &args);
    for _ in 0..4 {
        h.wait(0.25);
        for (foot, was) in ["LLeg", "RLeg"].iter().zip(&feet) {
            let is = position(&mut h, foot, 1);
            assert!(distance(&is, was) < 2e-3 && (is[4] - was[4]).abs() < 5e-3, "{is:?} {was:?}");
        }
    }
    assert!(h.done(goes));
    let to = position(&mut h, "Torso", 1);
    for (axis, by) in [0.01, 0.03, -0.02, 0.0, 0.0, 0.0].iter().enumerate() {
        // The legs cannot hold its direction, too.
        let within = if axis == 5 { 0.02 } else { 1e-3 };
        assert!((to[axis] - from[axis] - by).abs() < within, "{axis}: {from:?} {to:?}");
    }
    // Axes that do not count stay.
    h.get("ALMotion.setPositions", &[s("Torso"), 2.into(), list([0.0, 0.0, 0.3, 0.0, 0.0, 0.0]), 0.5.into(), 4.into()]);
    h.wait(3.0);
    let lower = position(&mut h, "Torso", 2);
    assert!((lower[2] - 0.3).abs() < 1e-3 && (lower[1] - 0.03).abs() < 2e-3, "{lower:?}");
    assert!(h.warnings.is_empty(), "{:?}", h.warnings);
    let mut pepper = Harness::pepper();
    let why = pepper.why("ALMotion.setPositions", &[s("Torso"), 2.into(), list([0.0; 6]), 0.5.into(), 63.into()]);
    assert!(why.contains("Head, LArm, RArm, not `Torso`"), "{why}");
}
