use boxstep_bodies::BodyKind;
use boxstep_dynamics::{Axes, Balance, Goal, Isometry3, Model, Reached, Stance, Vector3};
use proptest::prelude::*;

#[test]
fn ends_are_where_the_documentation_puts_them() {
    let nao = Model::new(BodyKind::Nao.body());
    let links = nao.forward(&vec![0.0; nao.joints()]);
    let at = |name: &str| nao.end(name).unwrap().pose(&links).translation.vector;
    assert!((at("LArm") - Vector3::new(0.2187, 0.113, 0.08769)).norm() < 1e-9, "{}", at("LArm"));
    assert!((at("LLeg") - Vector3::new(0.0, 0.05, -0.33309)).norm() < 1e-9, "{}", at("LLeg"));
    assert!((at("Head") - Vector3::new(0.0, 0.0, 0.1265)).norm() < 1e-9);
    assert!((at("CameraTop") - Vector3::new(0.05871, 0.0, 0.19014)).norm() < 1e-9);
    assert!((at("RFoot/FSR/FrontRight") - Vector3::new(0.07025, -0.0799, -0.33301)).norm() < 1e-9);
    assert_eq!(nao.end("LWheel"), None);
    let pepper = Model::new(BodyKind::Pepper.body());
    let links = pepper.forward(&vec![0.0; pepper.joints()]);
    assert!((pepper.end("Leg").unwrap().pose(&links).translation.vector.z + 0.82).abs() < 1e-6);
}

/// Random angles within the limits, also those of the shells.
fn posture(model: &Model, at: &[f64]) -> Vec<f64> {
    let body = model.body();
    let mut angles: Vec<f64> = body
        .joints
        .iter()
        .zip(at)
        .map(|(joint, at)| if joint.min.is_finite() { joint.min + at * (joint.max - joint.min) } else { 0.0 })
        .collect();
    for (i, joint) in body.joints.iter().enumerate() {
        let angle = |name: &str| body.joint_index(name).map_or(0.0, |i| angles[i]);
        let (min, max) = body.limits(joint.name, angle).unwrap();
        angles[i] = angles[i].max(min).min(max);
    }
    angles
}

fn reached(model: &Model, end: &str, axes: Axes, to: &[f64], from: &[f64]) -> Reached {
    let end = model.end(end).unwrap();
    let joints = model.joints_to(&end);
    let place = end.pose(&model.forward(to));
    model.reach(&Goal { end, joints: &joints, torso: Isometry3::identity(), place, axes }, from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_can_be_reached_is_reached(to in prop::collection::vec(0.0..1.0_f64, 26), from in prop::collection::vec(0.0..1.0_f64, 26)) {
        for kind in BodyKind::ALL {
            let model = Model::new(kind.body());
            let (to, from) = (posture(&model, &to), posture(&model, &from));
            let mut ends = vec!["LArm", "RArm", "Head"];
            if kind == BodyKind::Nao { ends.extend(["LLeg", "RLeg"]); }
            for end in ends {
                for axes in [Axes::ALL, Axes::POSITION] {
                    let found = reached(&model, end, axes, &to, &from);
                    prop_assert!(found.is_there(), "{kind} {end} {axes:?}: {} m, {} rad", found.distance, found.turn);
                    for (joint, angle) in model.body().joints.iter().zip(&found.angles) {
                        prop_assert!(*angle >= joint.min - 1e-12 && *angle <= joint.max + 1e-12, "{} {angle}", joint.name);
                    }
                }
            }
        }
    }
}

#[test]
fn the_weight_is_shifted_over_a_foot_and_feet_stay() {
    let nao = Model::new(BodyKind::Nao.body());
    let balance = Balance::new(&nao).unwrap();
    let stand = nao.awake();
    let feet = |angles: &[f64]| {
        let links = nao.forward(angles);
        let [left, right] = ["LLeg", "RLeg"].map(|leg| nao.end(leg).unwrap().pose(&links));
        left.inverse() * right
    };
    for foot in ["LFoot", "RFoot"] {
        let shifted = nao.shift_weight(&stand, &[foot]).unwrap();
        let apart = feet(&stand).inverse() * feet(&shifted);
        assert!(apart.translation.vector.norm() < 2e-3 && apart.rotation.angle() < 0.02, "{apart}");
        let at = balance.at_rest(&shifted).unwrap();
        assert_eq!(at.stance, Stance::On(vec!["LFoot", "RFoot"]));
        // Without the other foot the center is still far inside.
        let other = if foot == "LFoot" { 'R' } else { 'L' };
        let bent = |joint: &str| match joint.strip_prefix(other) {
            Some("HipPitch" | "AnklePitch") => -0.4,
            Some("KneePitch") => 0.8,
            _ => 0.0,
        };
        let joints = nao.body().joints.iter().zip(&shifted);
        let lifted: Vec<f64> = joints.map(|(joint, angle)| angle + bent(joint.name)).collect();
        let alone = balance.at_rest(&lifted).unwrap();
        assert_eq!(alone.stance, Stance::On(vec![foot]));
        assert!(alone.still.unwrap() > 0.03, "{foot} {:?}", alone.still);
    }
    assert_eq!(nao.shift_weight(&stand, &["Base"]), None);
    let both = nao.shift_weight(&stand, &["LFoot", "RFoot"]).unwrap();
    assert!(balance.at_rest(&both).unwrap().center.y.abs() < 1e-3);
}

#[test]
fn every_sensor_is_found_by_the_names_that_robots_give_it() {
    for kind in BodyKind::ALL {
        let body = kind.body();
        let model = Model::new(body);
        let touch = body.touch.iter().map(|sensor| sensor.device).filter(|device| !device.is_empty());
        let inertial = ["AccelerometerX", "AccelerometerZ", "AngleX", "AngleY", "GyroscopeX", "GyroscopeY"];
        let inertial = inertial.map(|axis| format!("InertialSensor/{axis}"));
        for name in touch.chain(body.build.sonars.iter().copied()).chain(inertial.iter().map(String::as_str)) {
            assert!(model.end(name).is_some(), "{kind}: {name}");
        }
    }
    let nao = Model::new(BodyKind::Nao.body());
    let at = |name: &str| {
        let end = nao.end(name).unwrap_or_else(|| panic!("{name}"));
        end.pose(&nao.forward(&vec![0.0; nao.joints()])).translation.vector
    };
    // In the torso's frame; the head's is 126.5 mm above that.
    let near = |name: &str, to: [f64; 3]| assert!((at(name) - Vector3::from(to)).norm() < 1e-9, "{name}: {}", at(name));
    near("MicroFront", [0.0489, 0.0, 0.2025]);
    near("MicroRear", [-0.046, 0.0, 0.2079]);
    near("MicroLeft", [-0.0195, 0.0606, 0.1596]);
    near("USSensor1", [0.0537, -0.0341, 0.0698]);
    near("USSensor4", [0.0477, 0.0416, 0.0509]);
    let pepper = Model::new(BodyKind::Pepper.body());
    assert_eq!(pepper.end("LFoot/Bumper/Left"), pepper.end("Bumper/FrontLeft"));
    // Where Pepper's microphones are is not published.
    assert_eq!(pepper.end("MicroFront"), None);
}
