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
    // The next move starts there, in the robot's own frame.
    assert_eq!(h.get("ALMotion.moveTo", &[0.5.into(), 0.0.into(), 0.0.into()]), Value::Bool(true));
    let p = pose(&mut h);
    near(p[0], 0.2);
    near(p[1], 0.5);
    assert_eq!(h.texts("move").len(), 2);
}

/// The seconds of a step at the default frequency.
const STEP: f64 = 1.0 / 2.38;

fn active(h: &mut Harness) -> bool {
    h.get("ALMotion.moveIsActive", &[]) == Value::Bool(true)
}

/// Both feet are down after the current step and the one that puts the other foot beside.
#[test]
fn a_stopped_walk_ends_its_step_first() {
    for stop in ["moveToward", "move", "stopMove", "stopWalk"] {
        let mut h = Harness::nao();
        let id = h.post("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.0.into()]);
        let wait = h.post("ALMotion.waitUntilMoveIsFinished", &[]);
        h.wait(5.0);
        assert!(active(&mut h));
        near(floats(&h.get("ALMotion.getRobotVelocity", &[]))[0], 0.0952);
        let none: &[Value] = &[0.0.into(), 0.0.into(), 0.0.into()];
        h.get(&format!("ALMotion.{stop}"), if stop.starts_with("move") { none } else { &[] });
        // Eleven steps are complete, and the twelfth is not.
        let (step_ends, stands) = (12.0 * STEP, 13.0 * STEP);
        h.wait(stands - 5.0 - 1e-3);
        assert!(active(&mut h) && !h.done(id) && !h.done(wait), "{stop}: a foot is in the air");
        near(pose(&mut h)[0], step_ends * 0.0952);
        near(floats(&h.get("ALMotion.getRobotVelocity", &[]))[0], 0.0);
        h.wait(2e-3);
        assert!(!active(&mut h), "{stop}");
        assert_eq!(h.answers[&id].1, Ok(Value::Bool(false)), "{stop}");
        near(h.answers[&wait].0.as_secs_f64(), stands);
        h.wait(5.0);
        near(pose(&mut h)[0], step_ends * 0.0952);
        assert_eq!(h.texts("move")[1..], ["comes to stand", "stops"]);
    }
}

#[test]
fn a_slow_gait_takes_longer_to_stop() {
    let mut h = Harness::nao();
    let config = Value::list([list([s("Frequency"), 0.0.into()])]);
    h.get("ALMotion.moveToward", &[1.0.into(), 0.0.into(), 0.0.into(), config]);
    h.wait(0.1);
    h.get("ALMotion.stopMove", &[]);
    let waits = h.takes("ALMotion.waitUntilMoveIsFinished", &[]);
    near(waits, 2.0 / 1.67 - 0.1);
}

#[test]
fn wheels_slow_down() {
    let mut h = Harness::pepper();
    h.get("ALMotion.move", &[0.3.into(), 0.0.into(), 0.0.into()]);
    h.wait(2.0);
    h.get("ALMotion.stopMove", &[]);
    h.wait(0.5);
    assert!(active(&mut h));
    near(floats(&h.get("ALMotion.getRobotVelocity", &[]))[0], 0.14985);
    near(h.takes("ALMotion.waitUntilMoveIsFinished", &[]), 0.5);
    assert!(!active(&mut h));
    // One second from 0.3 m/s to none.
    near(pose(&mut h)[0], 0.6 + 0.15);
}

#[test]
fn a_killed_move_stops_at_once() {
    for kill in ["killMove", "killWalk", "killAll"] {
        for mut h in [Harness::nao(), Harness::pepper()] {
            let id = h.post("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.0.into()]);
            let wait = h.post("ALMotion.waitUntilMoveIsFinished", &[]);
            h.wait(1.0);
            h.get(&format!("ALMotion.{kill}"), &[]);
            assert!(!active(&mut h) && h.done(wait), "{kill}");
            assert_eq!(h.answers[&id], (h.now, Ok(Value::Bool(false))), "{kill}");
            let at = pose(&mut h);
            h.wait(3.0);
            assert_eq!(pose(&mut h), at, "{kill}");
        }
    }
}

#[test]
fn a_killed_move_that_was_stopping_stops_at_once() {
    let mut h = Harness::nao();
    h.get("ALMotion.moveToward", &[1.0.into(), 0.0.into(), 0.0.into()]);
    h.wait(1.0);
    h.get("ALMotion.stopMove", &[]);
    h.get("ALMotion.stopMove", &[]);
    assert_eq!(h.texts("move").len(), 2, "told twice is no news");
    h.get("ALMotion.killMove", &[]);
    assert!(!active(&mut h));
    assert_eq!(h.timers_alive(), 0);
}

#[test]
fn a_stop_close_to_the_goal_still_arrives() {
    let mut h = Harness::nao();
    let id = h.post("ALMotion.moveTo", &[0.0952.into(), 0.0.into(), 0.0.into()]);
    h.wait(0.99);
    h.get("ALMotion.stopMove", &[]);
    h.get("ALMotion.waitUntilMoveIsFinished", &[]);
    near(h.now.as_secs_f64(), 1.0);
    assert_eq!(h.answers[&id].1, Ok(Value::Bool(true)));
    near(pose(&mut h)[0], 0.0952);
}

/// The goal refers to the pose at the end of that step.
#[test]
fn a_move_to_during_a_walk_ends_the_step_first() {
    let mut h = Harness::nao();
    h.get("ALMotion.moveToward", &[1.0.into(), 0.0.into(), 0.0.into()]);
    let wait = h.post("ALMotion.waitUntilMoveIsFinished", &[]);
    h.wait(1.0);
    let takes = h.takes("ALMotion.moveTo", &[0.0952.into(), 0.0.into(), 0.0.into()]);
    near(takes, 3.0 * STEP - 1.0 + 1.0);
    near(pose(&mut h)[0], (3.0 * STEP + 1.0) * 0.0952);
    near(h.answers[&wait].0.as_secs_f64(), 3.0 * STEP + 1.0);
}

#[test]
fn a_halted_robot_reports_that_it_still_walks() {
    use boxstep_engine::services::{Halt, Services};
    for (how, walks, plays) in [(Halt::Walk, true, true), (Halt::Safely, true, false), (Halt::AtOnce, false, false)] {
        let mut h = Harness::nao();
        h.get("ALMotion.moveToward", &[1.0.into(), 0.0.into(), 0.0.into()]);
        let head: &[Value] = &[s("HeadYaw"), 1.0.into(), 9.0.into(), true.into()];
        let turn = h.post("ALMotion.angleInterpolation", head);
        h.wait(1.0);
        assert_eq!(h.robot.coming_to_rest(), None, "nobody has told it to stop");
        h.with(|robot, cx| robot.halt(cx, how));
        assert_eq!(h.robot.coming_to_rest().map(|(_, since)| since), walks.then_some(h.now), "{how:?}");
        assert_eq!(h.done(turn), !plays, "{how:?}");
        h.wait(4.0 * STEP - 1.0 + 1e-3);
        assert_eq!(h.robot.coming_to_rest(), None, "{how:?}");
        assert!(!active(&mut h));
    }
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
    h.get("ALMotion.waitUntilMoveIsFinished", &[]);
    assert!(!active(&mut h));
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
    // The third step ends.
    near(pose(&mut h)[0], 3.0 * STEP * 0.0952);
}
