//! Robots on a floor.

#![allow(clippy::unwrap_used)]

use boxstep_bodies::{Body, BodyKind};
use boxstep_dynamics::{Isometry3, Model, Physics, STEP, Start, Translation3, UnitQuaternion, Vector3};
use boxstep_physics::Robot;

const KINDS: [BodyKind; 3] = BodyKind::ALL;

fn steps(seconds: f64) -> usize {
    (seconds / STEP).round() as usize
}

/// A robot that stands awake.
fn standing(model: &Model) -> Robot {
    Robot::new(model, &Start::standing(model, &model.awake()))
}

/// Goes on with all joints told to stay as they stand, with this stiffness.
fn hold(robot: &mut Robot, model: &Model, stiffness: f64, seconds: f64) {
    let stand = model.awake();
    for _ in 0..steps(seconds) {
        robot.step(&stand, &vec![stiffness; stand.len()]);
    }
}

#[test]
fn a_standing_robot_comes_to_rest_with_its_weight_on_the_floor() {
    for kind in KINDS {
        let model = Model::new(kind.body());
        let mut robot = standing(&model);
        let before = robot.torso();
        hold(&mut robot, &model, 1.0, 5.0);
        assert!(robot.speed() < 1e-6, "{kind}: {}", robot.speed());
        let sunk = before.translation.z - robot.torso().translation.z;
        assert!((0.0..0.002).contains(&sunk), "{kind} has sunk by {sunk} m");
        let weight: f64 = robot.soles().iter().map(|sole| sole.force).sum();
        assert!((weight / (9.81 * model.mass()) - 1.0).abs() < 1e-3, "{kind}: {weight} N");
        let (felt, turning) = robot.inertial();
        assert!((felt.norm() - 9.81).abs() < 1e-3 && turning.norm() < 1e-6, "{kind}: {felt} {turning}");
    }
}

#[test]
fn the_same_commands_give_the_same_motion_bit_for_bit() {
    let run = || {
        let model = Model::new(BodyKind::Nao.body());
        let mut robot = standing(&model);
        hold(&mut robot, &model, 1.0, 0.5);
        robot.push(0, Vector3::new(3.5, 1.0, 0.0));
        hold(&mut robot, &model, 0.3, 3.0);
        let angles: Vec<_> = (0..model.joints()).map(|joint| robot.angle(joint).map(f64::to_bits)).collect();
        (robot.torso(), angles)
    };
    assert_eq!(run(), run());
}

/// The center of mass of a robot, and its total momentum by how fast that moves.
fn center(robot: &Robot, model: &Model) -> Vector3<f64> {
    let angles: Vec<f64> = (0..model.joints()).map(|joint| robot.angle(joint).unwrap_or(0.0)).collect();
    let poses = model.forward(&angles);
    (robot.torso() * boxstep_dynamics::Point3::from(model.center_of_mass(&poses).unwrap())).coords
}

#[test]
fn a_robot_in_the_air_falls_as_things_do() {
    for kind in KINDS {
        let model = Model::new(kind.body());
        let angles = vec![0.0; model.joints()];
        let turn = UnitQuaternion::from_euler_angles(0.3, -0.5, 1.0);
        let torso = Isometry3::from_parts(Translation3::new(0.0, 0.0, 5.0), turn);
        let mut robot = Robot::new(&model, &Start { angles: &angles, torso, velocity: Vector3::new(1.0, 0.5, 0.0) });
        let before = center(&robot, &model);
        let seconds = 0.6;
        for _ in 0..steps(seconds) {
            robot.step(&angles, &vec![0.5; angles.len()]);
        }
        let moved = center(&robot, &model) - before;
        // Steps of half a step's gravity more than the parabola.
        let fallen = 9.81 * seconds * (seconds + STEP) / 2.0;
        let wanted = Vector3::new(seconds, 0.5 * seconds, -fallen);
        assert!((moved - wanted).norm() < 0.01 * fallen, "{kind}: {moved} instead of {wanted}");
        assert!(robot.soles().iter().all(|sole| sole.force == 0.0));
    }
}

#[test]
fn a_push_gives_the_momentum_that_it_has() {
    for kind in KINDS {
        let model = Model::new(kind.body());
        for link in ["Torso", "Head", "LForeArm"] {
            let Some(link) = model.links().iter().position(|l| l.name == link) else { continue };
            let torso = Isometry3::translation(0.0, 0.0, 5.0);
            let angles = model.awake();
            let start = Start { angles: &angles, torso, velocity: Vector3::zeros() };
            let [mut still, mut pushed] = [0, 1].map(|_| Robot::new(&model, &start));
            let impulse = Vector3::new(0.3, -0.6, 0.9);
            pushed.push(link, impulse);
            for _ in 0..10 {
                for robot in [&mut still, &mut pushed] {
                    robot.step(&angles, &vec![1.0; angles.len()]);
                }
            }
            let by = (center(&pushed, &model) - center(&still, &model)) / (10.0 * STEP) * model.mass();
            assert!((by - impulse).norm() < 0.02 * impulse.norm(), "{kind}, {link}: {by}");
        }
    }
}

#[test]
fn joints_follow_their_commands_and_stop_at_their_limits() {
    for kind in KINDS {
        let model = Model::new(kind.body());
        let mut robot = standing(&model);
        let yaw = kind.body().joint_index("HeadYaw").unwrap();
        let mut wanted = model.awake();
        for at in 0..steps(2.0) {
            wanted[yaw] = (at as f64 * STEP).sin();
            robot.step(&wanted, &vec![1.0; wanted.len()]);
            let off = (robot.angle(yaw).unwrap() - wanted[yaw]).abs();
            assert!(off < 0.02, "{kind}: {off} rad behind");
        }
        wanted[yaw] = 5.0;
        for _ in 0..steps(3.0) {
            robot.step(&wanted, &vec![1.0; wanted.len()]);
        }
        let end = robot.angle(yaw).unwrap();
        assert!((end - kind.body().joints[yaw].max).abs() < 0.01, "{kind}: {end}");
    }
}

#[test]
fn a_leaning_robot_tips_over_to_the_side_to_which_it_leans() {
    for kind in KINDS {
        let model = Model::new(kind.body());
        let angles = model.awake();
        for lean in [-0.5_f64, -0.02, 0.02, 0.5] {
            let upright = Start::standing(&model, &angles);
            let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), lean);
            let lift = 0.1 * lean.abs();
            let torso = Translation3::new(0.0, 0.0, lift) * upright.torso * turn;
            let mut robot = Robot::new(&model, &Start { torso, ..upright });
            hold(&mut robot, &model, 1.0, 4.0);
            let up = (robot.torso().rotation * Vector3::z()).z;
            let ahead = (robot.torso().rotation * Vector3::x()).z;
            match lean {
                lean if lean.abs() < 0.1 => assert!(up > 0.98, "{kind} leans by {lean}: {up}"),
                lean => assert!(up < 0.6 && ahead * lean < 0.0, "{kind} leans by {lean}: {up} {ahead}"),
            }
        }
    }
}

/// Own bodies may have masses and motors that make no sense.
#[test]
fn a_body_without_known_motors_or_shapes_does_not_panic() {
    let model = Model::new(BodyKind::Nao.body());
    let mut robot = Robot::new(&model, &Start::standing(&model, &[]));
    robot.step(&[], &[]);
    robot.step(&[f64::NAN; 30], &[f64::INFINITY; 30]);
    robot.push(10_000, Vector3::new(1.0, 0.0, 0.0));
    robot.step(&[], &[]);
}

/// Reads a body file.
fn own(text: &str) -> &'static Body {
    let alone = |_: &str| Err("nothing is beside it".to_owned());
    boxstep_bodies::own::read("body.toml", text, &[], alone).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// A pendulum of 1 kg, 0.3 m under its pivot, on a base that does not move, without a motor.
const PENDULUM: &str = r#"
name = "pendulum"
[[joints]]
name = "Swing"
min = -3.0
max = 3.0
speed = 1000.0
torque = 1e-9
[[links]]
name = "Base"
mass = 9000.0
inertia = [900.0, 0.0, 0.0, 900.0, 0.0, 900.0]
[[links]]
name = "Rod"
parent = "Base"
xyz = [0.0, 0.0, 1.0]
joint = "Swing"
axis = [0.0, 1.0, 0.0]
mass = 1.0
center = [0.0, 0.0, -0.3]
inertia = [0.001, 0.0, 0.0, 0.001, 0.0, 0.001]
[[soles]]
link = "Base"
outline = [[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0]]
"#;

#[test]
fn a_pendulum_keeps_its_energy() {
    let model = Model::new(own(PENDULUM));
    let mut robot = Robot::new(&model, &Start::standing(&model, &[1.0]));
    let (mass, arm, inertia) = (1.0, 0.3, 0.001);
    let energy = |angle: f64, speed: f64| {
        mass * 9.81 * arm * (1.0 - angle.cos()) + (inertia + mass * arm * arm) * speed * speed / 2.0
    };
    let whole = energy(1.0, 0.0);
    let mut angles = vec![1.0; 2];
    for _ in 0..steps(10.0) {
        robot.step(&[0.0], &[0.0]);
        angles.push(robot.angle(0).unwrap());
    }
    // Turning points: there is no speed that a difference could get wrong.
    let turns = angles.windows(3).filter(|three| (three[1] - three[0]) * (three[2] - three[1]) < 0.0);
    let turns: Vec<f64> = turns.map(|three| energy(three[1], 0.0) / whole - 1.0).collect();
    assert!((15..20).contains(&turns.len()), "{} turns", turns.len());
    assert!(turns.iter().all(|off| off.abs() < 0.01), "{turns:?}");
}

#[test]
fn soles_have_the_order_of_the_body_and_places_on_their_links() {
    // Two feet fixed to a base whose center of mass is ahead of its origin; the soles are listed the other way round.
    let base = "mass = 4.0\ncenter = [0.1, 0.0, 0.1]\ninertia = [0.1, 0.0, 0.0, 0.1, 0.0, 0.1]";
    let text = PENDULUM.replace("mass = 9000.0\ninertia = [900.0, 0.0, 0.0, 900.0, 0.0, 900.0]", base);
    let foot = |name: &str, x: f64| format!("[[links]]\nname = \"{name}\"\nparent = \"Base\"\nxyz = [{x}, 0.0, 0.0]\n");
    let outline = "[[0.05, 0.2, 0.0], [-0.05, 0.2, 0.0], [-0.05, -0.2, 0.0], [0.05, -0.2, 0.0]]";
    let sole = |name: &str| format!("[[soles]]\nlink = \"{name}\"\noutline = {outline}\n");
    let links = &text[..text.find("[[soles]]").unwrap()];
    let feet = [foot("Front", 0.3), foot("Rear", -0.3), sole("Rear"), sole("Front")].concat();
    let model = Model::new(own(&format!("{links}{feet}")));
    let mut robot = Robot::new(&model, &Start::standing(&model, &[0.0]));
    for _ in 0..steps(2.0) {
        robot.step(&[0.0], &[0.0]);
    }
    let [rear, front] = robot.soles()[..] else { panic!("two soles") };
    assert!(front.force > rear.force && rear.force > 0.0, "{rear:?} {front:?}");
    assert!(rear.center.x.abs() < 0.06 && front.center.x.abs() < 0.06, "{rear:?} {front:?}");
    // The whole weight acts under the center of mass: 4 kg at 0.1, 1 kg at 0.
    let moment = (rear.center.x - 0.3) * rear.force + (front.center.x + 0.3) * front.force;
    let middle = moment / (rear.force + front.force);
    assert!((middle - 0.08).abs() < 0.01, "{middle}");
}
