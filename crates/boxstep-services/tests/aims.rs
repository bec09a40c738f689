//! Looking and pointing: where the camera and the arms point.

use crate::harness::{Harness, floats, list, s};
use boxstep_types::Value;

/// How many degrees the x axis of an end points beside a place.
fn off(h: &mut Harness, end: &str, frame: i64, place: [f64; 3]) -> f64 {
    let t = floats(&h.get("ALMotion.getTransform", &[s(end), frame.into(), false.into()]));
    let way: Vec<f64> = [3, 7, 11].iter().zip(place).map(|(at, to)| to - t[*at]).collect();
    let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
    let along: f64 = [0, 4, 8].iter().zip(&way).map(|(at, way)| t[*at] * way).sum();
    (along / length).clamp(-1.0, 1.0).acos().to_degrees()
}

fn look(h: &mut Harness, place: [f64; 3], frame: i64, with_body: bool) {
    h.get("ALTracker.lookAt", &[list(place), frame.into(), 0.5.into(), with_body.into()]);
}

fn point(h: &mut Harness, arm: &str, place: [f64; 3], frame: i64) {
    h.get("ALTracker.pointAt", &[s(arm), list(place), frame.into(), 0.5.into()]);
}

fn lean(h: &mut Harness) {
    let joints = if h.call("ALMotion.getAngles", &[s("HipPitch"), true.into()]).is_ok() {
        list(["HipPitch"])
    } else {
        list(["LHipPitch", "RHipPitch"])
    };
    h.get("ALMotion.angleInterpolation", &[joints, Value::Float(-0.8), 1.0.into(), true.into()]);
}

#[test]
fn the_camera_looks_at_the_place() {
    for (mut h, places) in [
        (Harness::nao(), [[1.0, 0.0, 0.3], [0.5, 0.3, 0.2], [0.5, 0.2, 0.0]]),
        (Harness::pepper(), [[1.0, 0.0, 0.3], [1.0, 0.5, 0.2], [0.8, -0.4, 0.0]]),
    ] {
        for place in places {
            look(&mut h, place, 0, false);
            assert!(off(&mut h, "CameraTop", 0, place) < 0.01, "{place:?}: {}", off(&mut h, "CameraTop", 0, place));
        }
        let height = floats(&h.get("ALMotion.getPosition", &[s("Torso"), 2.into(), true.into()]))[2];
        let ahead = [1.2, 0.3, height + 0.2];
        for _ in 0..2 {
            for frame in [1, 2] {
                look(&mut h, ahead, frame, false);
                assert!(off(&mut h, "CameraTop", frame, ahead) < 0.01, "frame {frame}");
            }
            h.get("ALMotion.moveTo", &[0.1.into(), 0.0.into(), 0.2.into()]);
        }
    }
}

#[test]
fn arms_point_at_the_place_also_of_a_robot_that_leans() {
    for mut h in [Harness::nao(), Harness::pepper()] {
        h.get("ALMotion.setCollisionProtectionEnabled", &[s("Arms"), false.into()]);
        let height = floats(&h.get("ALMotion.getPosition", &[s("Torso"), 2.into(), true.into()]))[2];
        for lean_first in [false, true] {
            if lean_first {
                lean(&mut h);
            }
            for (arm, y) in [("LArm", 0.3), ("RArm", -0.3), ("LArm", 0.15)] {
                let place = [1.0, y, 0.2];
                point(&mut h, arm, place, 0);
                assert!(off(&mut h, arm, 0, place) < 0.5, "{arm} {y}: {}", off(&mut h, arm, 0, place));
                let place = [1.0, y, height];
                point(&mut h, arm, place, 2);
                assert!(off(&mut h, arm, 2, place) < 0.5, "{arm} {y} 2: {}", off(&mut h, arm, 2, place));
            }
            look(&mut h, [1.0, 0.0, height], 2, false);
            assert!(off(&mut h, "CameraTop", 2, [1.0, 0.0, height]) < 0.01);
        }
    }
}

#[test]
fn the_body_helps_to_look_where_the_head_does_not_reach() {
    let mut h = Harness::nao();
    let down = [0.35, 0.0, 0.0];
    look(&mut h, down, 2, false);
    let alone = off(&mut h, "CameraTop", 2, down);
    look(&mut h, down, 2, true);
    let helped = off(&mut h, "CameraTop", 2, down);
    assert!(alone > 5.0 && helped < alone - 3.0, "{alone} {helped}");
    // It keeps its balance.
    let com = floats(&h.get("ALMotion.getCOM", &[s("Body"), 2.into(), false.into()]));
    assert!(com[0] < 0.1, "{com:?}");
    let mut pepper = Harness::pepper();
    let args = [list(down), 2.into(), 0.5.into(), true.into()];
    assert!(pepper.why("ALTracker.lookAt", &args).contains("useWholeBody must be False"));
}

#[test]
fn effectors_and_modes_are_those_that_there_are() {
    let mut h = Harness::nao();
    assert!(h.why("ALTracker.setEffector", &[s("Nope")]).contains("Arms, LArm, RArm, None, not `Nope`"));
    assert!(h.why("ALTracker.setMode", &[s("Nope")]).contains("Head, BodyRotation, WholeBody, Move, Navigate"));
    h.get("ALTracker.setMode", &[s("Move")]);
    assert_eq!(h.get("ALTracker.getMode", &[]), s("Move"));
    h.get("ALTracker.setEffector", &[s("LArm")]);
    assert_eq!(h.get("ALTracker.getEffector", &[]), s("LArm"));
    h.get("ALTracker.removeEffector", &[s("LArm")]);
    assert_eq!(h.get("ALTracker.getEffector", &[]), s("None"));
}
