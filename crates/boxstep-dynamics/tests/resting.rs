//! What a robot rests on whose soles are not in one plane.

use boxstep_bodies::BodyKind;
use boxstep_dynamics::{Balance, Instant, Model, Stance};
use nalgebra::{Point3, UnitQuaternion, Vector3};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

fn posture(nao: &Model, changes: &[(&str, f64)]) -> Vec<f64> {
    let joints = nao.body().joints.iter().zip(nao.awake());
    let change = |name: &str| changes.iter().filter(|(joint, _)| *joint == name).map(|(_, by)| by).sum::<f64>();
    joints.map(|(joint, angle)| (angle + change(joint.name)).clamp(joint.min, joint.max)).collect()
}

/// Returns the corners of the soles, and the center of mass, over the floor.
fn over_floor(nao: &Model, balance: &Balance<'_>, angles: &[f64], at: &Instant) -> (Vec<Point3<f64>>, Point3<f64>) {
    let links = nao.forward(angles);
    let names = nao.body().geometry.links.iter().map(|link| link.name);
    let pose = |name: &str| links[names.clone().position(|link| link == name).unwrap()];
    let corners = balance.soles().flat_map(|(link, _, corners)| {
        let over = at.torso * pose(link);
        corners.iter().map(move |corner| over * corner)
    });
    (corners.collect(), at.torso * Point3::from(nao.center_of_mass(&links).unwrap()))
}

/// Returns how high the center of mass is over the lowest corner if all is inclined.
fn height(corners: &[Point3<f64>], center: Point3<f64>, inclined: UnitQuaternion<f64>) -> f64 {
    let lowest = corners.iter().map(|corner| (inclined * corner).z).fold(f64::INFINITY, f64::min);
    (inclined * center).z - lowest
}

#[test]
fn a_leg_that_is_swung_back_has_its_toes_on_the_floor() {
    let nao = Model::new(BodyKind::Nao.body());
    let balance = Balance::new(&nao).unwrap();
    let back = |by: f64| balance.at_rest(&posture(&nao, &[("RHipPitch", by), ("RKneePitch", -0.3)])).unwrap();
    // On its own that foot would carry nothing, and on an average of both soles neither foot would carry the robot.
    for by in [0.4, 0.5, 0.6] {
        let at = back(by);
        assert_eq!(at.stance, Stance::On(vec!["LFoot", "RFoot"]), "{by}");
        assert!(at.still.unwrap() > 0.02, "{by} {:?}", at.still);
    }
}

const LEGS: [&str; 10] = [
    "LHipPitch",
    "RHipPitch",
    "LKneePitch",
    "RKneePitch",
    "LAnklePitch",
    "RAnklePitch",
    "LHipRoll",
    "RHipRoll",
    "LAnkleRoll",
    "RAnkleRoll",
];

#[test]
fn a_robot_that_rests_has_its_center_of_mass_as_low_as_it_gets() {
    let nao = Model::new(BodyKind::Nao.body());
    let balance = Balance::new(&nao).unwrap();
    let mut runner = TestRunner::deterministic();
    let postures = proptest::array::uniform10(-0.3..0.3f64);
    let tilts = proptest::array::uniform2(-0.05..0.05f64);
    let mut resting = 0;
    for _ in 0..1000 {
        let changes = LEGS.into_iter().zip(postures.new_tree(&mut runner).unwrap().current());
        let angles = posture(&nao, &changes.collect::<Vec<_>>());
        let at = balance.at_rest(&angles).unwrap();
        let (corners, center) = over_floor(&nao, &balance, &angles, &at);
        assert!(corners.iter().all(|corner| corner.z > -0.005 - 1e-9), "{corners:?}");
        let down = corners.iter().filter(|corner| corner.z.abs() < 1e-6).count();
        let is_exact = down >= 3 && corners.iter().all(|corner| corner.z > -1e-6);
        if at.stance.clone() != Stance::On(vec!["LFoot", "RFoot"])
            || !is_exact
            || at.still.is_none_or(|still| still < 0.0)
        {
            continue;
        }
        resting += 1;
        let least = height(&corners, center, UnitQuaternion::identity());
        for _ in 0..20 {
            let [x, y] = tilts.new_tree(&mut runner).unwrap().current();
            let inclined = height(&corners, center, UnitQuaternion::new(Vector3::new(x, y, 0.0)));
            // The center of mass may be up to 5 mm outside of the exact facet: a corner so high counts as on the floor.
            assert!(inclined > least - 0.001, "{angles:?} {x} {y}: {inclined} {least}");
        }
    }
    assert!(resting > 100, "{resting}");
}
