//! ALMotion's walk, ALNavigation.

use crate::harness::{Harness, floats, list, near, s};
use boxstep_types::Value;
use std::f64::consts::{FRAC_PI_2, PI};

fn pose(h: &mut Harness) -> Vec<f64> {
    floats(&h.get("ALMotion.getRobotPosition", &[true.into()]))
}

#[test]
fn move_to_arrives_where_it_should() {
    let mut h = Harness::nao();
    let seconds = h.takes("ALMotion.moveTo", &[0.2.into(), 0.0.into(), FRAC_PI_2.into()]);
    assert!(seconds > 2.0 && seconds < 6.0, "{seconds}");
    let p = pose(&mut h);
    near(p[0], 0.2);
    near(p[2], FRAC_PI_2);
    // The next one goes on from there, in the robot's own frame.
    assert_eq!(h.get("ALMotion.moveTo", &[0.5.into(), 0.0.into(), 0.0.into()]), Value::Bool(true));
    let p = pose(&mut h);
    near(p[0], 0.2);
    near(p[1], 0.5);
    assert_eq!(h.texts("move").len(), 2);
}

#[test]
fn a_stopped_move_returns_false_half_way() {
    let mut h = Harness::nao();
    let id = h.post("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.0.into()]);
    let wait = h.post("ALMotion.waitUntilMoveIsFinished", &[]);
    h.wait(5.0);
    assert_eq!(h.get("ALMotion.moveIsActive", &[]), Value::Bool(true));
    near(floats(&h.get("ALMotion.getRobotVelocity", &[]))[0], 0.0952);
    h.get("ALMotion.moveToward", &[0.0.into(), 0.0.into(), 0.0.into()]);
    assert_eq!(h.answers[&id].1, Ok(Value::Bool(false)));
    assert!(h.done(wait));
    near(pose(&mut h)[0], 5.0 * 0.0952);
    h.wait(5.0);
    near(pose(&mut h)[0], 5.0 * 0.0952);
}

#[test]
fn velocities_last_until_told_otherwise() {
    let mut h = Harness::pepper();
    h.get("ALMotion.move", &[0.1.into(), 0.0.into(), (PI / 10.0).into()]);
    h.wait(20.0);
    let p = pose(&mut h);
    near(p[0], 0.0);
    near(p[1], 0.0);
    h.get("ALMotion.moveToward", &[1.0.into(), 0.0.into(), 0.0.into()]);
    let acts = h.texts("move").len();
    h.get("ALMotion.moveToward", &[1.0.into(), 0.0.into(), 0.0.into()]);
    assert_eq!(h.texts("move").len(), acts, "the same velocity again is no news");
    h.wait(1.0);
    let x = pose(&mut h)[0];
    near(x, 0.35);
    h.get("ALMotion.stopMove", &[]);
    assert_eq!(h.get("ALMotion.moveIsActive", &[]), Value::Bool(false));
}

#[test]
fn control_points_and_configurations() {
    let mut h = Harness::pepper();
    let points = Value::list([list([0.5, 0.0, 0.0]), list([0.5, 0.5, FRAC_PI_2])]);
    let config = Value::list([list([s("MaxVelXY"), 0.1.into()])]);
    let slow = h.takes("ALMotion.moveTo", &[points.clone(), config]);
    near(slow, 10.0);
    let p = pose(&mut h);
    near(p[0], 0.5);
    near(p[1], 0.5);
    near(h.takes("ALMotion.moveTo", &[0.35.into(), 0.0.into(), 0.0.into(), 4.0.into()]), 4.0);
}

#[test]
fn a_robot_at_rest_does_not_walk() {
    let mut h = Harness::nao();
    h.get("ALMotion.rest", &[]);
    assert_eq!(h.get("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.0.into()]), Value::Bool(false));
    near(pose(&mut h)[0], 0.0);
}

#[test]
fn trajectories_are_followed() {
    let mut h = Harness::pepper();
    let line = Value::list([s("Line"), list([1.0, 0.0])]);
    let holonomic = Value::list([s("Holonomic"), line, 0.0.into(), 5.0.into()]);
    near(h.takes("ALNavigation.moveAlong", &[holonomic]), 5.0);
    near(pose(&mut h)[0], 1.0);
    let circle = Value::list([s("Circle"), list([0.0, 0.5]), (2.0 * PI).into()]);
    h.get("ALNavigation.moveAlong", &[Value::list([s("Holonomic"), circle, 0.0.into(), 1.0.into()])]);
    let p = pose(&mut h);
    near(p[0], 1.0);
    near(p[1], 0.0);
    assert!(h.why("ALNavigation.moveAlong", &[s("x")]).contains("a trajectory must be"));
}

#[test]
fn a_cancelled_move_stops() {
    let mut h = Harness::nao();
    let id = h.post("ALMotion.walkTo", &[1.0.into(), 0.0.into(), 0.0.into()]);
    h.wait(1.0);
    h.cancel(id);
    h.wait(9.0);
    near(pose(&mut h)[0], 0.0952);
}
