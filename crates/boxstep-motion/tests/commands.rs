//! The command of a timeline, its form as arguments, and its conversion back to curves.

use boxstep_motion::{
    BezierCommand, CommandError, CurveError, Interpolation, JointCurve, JointPath, Key, Shape, Tangent, Unit,
};
use boxstep_types::{Diagnostic, Value};
use std::sync::Arc;

const DEGREE: f64 = std::f64::consts::PI / 180.0;

fn curve(actuator: &str, unit: Unit, keys: &[(f64, f64)]) -> JointCurve {
    let keys: Vec<Key> = keys.iter().map(|&(frame, value)| Key::new(frame, value)).collect();
    JointCurve::new(actuator, unit, false, &keys).unwrap()
}

fn itself(name: &str) -> Vec<Arc<str>> {
    vec![name.into()]
}

#[test]
fn one_command_for_all_that_remains() {
    let muted = JointCurve::new("HeadPitch", Unit::Degree, true, &[Key::new(30.0, 5.0)]).unwrap();
    let empty = JointCurve::new("RHand", Unit::Percent, false, &[]).unwrap();
    let curves = [
        curve("HeadYaw", Unit::Degree, &[(10.0, 90.0), (20.0, 180.0), (45.0, 0.0)]),
        muted,
        empty,
        curve("LHand", Unit::Degree, &[(20.0, 0.25), (30.0, 0.75)]),
        curve("LElbowYaw", Unit::Unspecified, &[(5.0, 1.0), (19.0, 2.0)]),
    ];
    let command = BezierCommand::from_timeline(&curves, 10.0, 25.0);
    let names: Vec<&str> = command.joints.iter().map(|path| &*path.joint).collect();
    assert_eq!(names, ["HeadYaw", "LHand", "LElbowYaw"]);
    assert_eq!(command.duration(), 1.4);

    // The key on frame 10 has time 0 and is dropped; the tangents are those of the whole curve.
    let head = &command.joints[0].keys;
    assert_eq!(head.iter().map(|key| key.time).collect::<Vec<_>>(), [0.4, 1.4]);
    assert!((head[0].value - std::f64::consts::PI).abs() < 1e-15);
    assert!((head[0].left.dx + 10.0 / 3.0 / 25.0).abs() < 1e-15);
    assert_eq!(command.joints[1].keys[1].value, 0.75, "hands are never degrees");
    assert!((command.joints[2].keys[0].value - 2.0 * DEGREE).abs() < 1e-15);
}

#[test]
fn a_last_key_on_the_cursor_stays() {
    let curves = [curve("HeadYaw", Unit::Degree, &[(1.0, 1.0), (10.0, 2.0)])];
    let command = BezierCommand::from_timeline(&curves, 10.0, 25.0);
    assert_eq!(command.joints[0].keys.len(), 1);
    assert_eq!(command.joints[0].keys[0].time, 0.0);
    assert!(BezierCommand::from_timeline(&curves, 11.0, 25.0).is_empty());
    assert!(BezierCommand::from_timeline(&curves, 1.0, 0.0).is_empty());
}

#[test]
fn units_and_hands() {
    for unit in [Unit::Degree, Unit::Percent, Unit::Unspecified] {
        assert_eq!(unit.scale("RHand"), 1.0);
    }
    assert_eq!(Unit::Percent.scale("HeadYaw"), 1.0);
    assert_eq!(Unit::Unspecified.scale("HeadYaw"), DEGREE);
}

#[test]
fn from_the_first_key_on_the_robot_moves_as_drawn() {
    let timeline = curve("HeadYaw", Unit::Degree, &[(11.0, 90.0), (20.0, 180.0), (45.0, 0.0), (60.0, 30.0)]);
    let drawn = timeline.curve().unwrap();
    let command = BezierCommand::from_timeline(std::slice::from_ref(&timeline), 1.0, 25.0);
    let played = command.joints[0].curve(0.5).unwrap();
    assert_eq!(played.sample(0.0), 0.5);
    assert!(played.segments().all(|segment| segment.shape == Shape::Cubic));
    for tenth in 0..=500 {
        let frame = 11.0 + f64::from(tenth) / 10.0;
        let value = played.sample((frame - 1.0) / 25.0);
        assert!((value - drawn.sample(frame) * DEGREE).abs() < 1e-9, "frame {frame}");
    }
}

#[test]
fn a_command_from_amid_a_segment_arrives_with_the_drawn_slope() {
    let timeline = curve("HeadYaw", Unit::Degree, &[(0.0, 0.0), (30.0, 30.0), (60.0, 60.0)]);
    let command = BezierCommand::from_timeline(&[timeline], 25.0, 25.0);
    let played = command.joints[0].curve(0.0).unwrap();
    let step = 1e-6;
    let slope = (played.sample(0.2) - played.sample(0.2 - step)) / step;
    assert!((slope - 25.0 * DEGREE).abs() < 1e-4, "{slope}");
}

#[test]
fn the_start_takes_the_kind_of_the_first_key() {
    let path =
        |kind: Tangent| JointPath { joint: "HeadYaw".into(), keys: vec![Key::new(2.0, 1.0).with_tangents(kind, kind)] };
    assert_eq!(path(Tangent::LINEAR).curve(0.0).unwrap().sample(0.5), 0.25);
    assert_eq!(path(Tangent::CONSTANT).curve(0.0).unwrap().sample(1.9), 0.0);
    assert_eq!(path(Tangent::AUTO).curve(0.0).unwrap().sample(1.0), 0.5);
    let flat = path(Tangent::bezier(-2.0 / 3.0, 0.0)).curve(0.0).unwrap();
    assert_eq!(flat, path(Tangent::AUTO).curve(0.0).unwrap());
}

#[test]
fn a_lone_key_at_time_zero_takes_effect_at_once() {
    let path = JointPath { joint: "HeadYaw".into(), keys: vec![Key::new(0.0, 1.0)] };
    assert_eq!(path.curve(0.3).unwrap().sample(0.0), 1.0);
    let bad = JointPath { joint: "HeadYaw".into(), keys: vec![Key::new(0.0, 1.0), Key::new(1.0, f64::NAN)] };
    assert_eq!(bad.curve(0.0), Err(CurveError::NotFinite { index: 1 }));
}

#[test]
fn arguments_round_trip() {
    let sides = |key: Key| key.with_tangents(Tangent::bezier(-0.1, 0.2), Tangent::LINEAR);
    let command = BezierCommand {
        joints: vec![
            JointPath { joint: "HeadYaw".into(), keys: vec![sides(Key::new(0.5, 0.25)), Key::new(1.0, 0.5)] },
            JointPath { joint: "LHand".into(), keys: vec![Key::new(2.0, 1.0)] },
        ],
    };
    assert_eq!(BezierCommand::from_args(&command.to_args(), itself), Ok(command.clone()));
    let [_, _, points] = command.to_args();
    let first = points.as_list().unwrap()[0].as_list().unwrap()[0].as_list().unwrap();
    let left = Value::list([Value::Int(2), Value::Float(-0.1), Value::Float(0.2)]);
    assert_eq!(first[..2], [Value::Float(0.25), left]);
}

fn floats(numbers: &[f64]) -> Value {
    Value::list(numbers.iter().map(|&number| Value::Float(number)))
}

#[test]
fn a_single_joint_may_stand_bare() {
    let point = Value::list([Value::Float(0.5)]);
    let command =
        BezierCommand::from_args(&[Value::Str("HeadYaw".into()), floats(&[1.0]), Value::list([point])], itself)
            .unwrap();
    assert_eq!(command.joints[0].keys, [Key::new(1.0, 0.5)]);
}

#[test]
fn a_point_may_be_a_plain_angle() {
    let keys = |names: &[&str], times: Value, points: Value| {
        let names = Value::list(names.iter().map(|&name| Value::Str(name.into())));
        let command = BezierCommand::from_args(&[names, times, points], itself).unwrap();
        command.joints.into_iter().map(|joint| joint.keys).collect::<Vec<_>>()
    };
    let three = [Key::new(0.25, 0.1), Key::new(0.5, -0.1), Key::new(0.75, 0.2)];
    let (times, angles) = (floats(&[0.25, 0.5, 0.75]), floats(&[0.1, -0.1, 0.2]));
    assert_eq!(keys(&["HeadYaw"], times.clone(), angles.clone()), [three]);
    assert_eq!(keys(&["HeadYaw"], Value::list([times.clone()]), Value::list([angles.clone()])), [three]);
    let one = keys(
        &["HeadYaw", "HeadPitch"],
        Value::list([times, floats(&[1.0])]),
        Value::list([angles, Value::list([Value::list([Value::Float(0.5)])])]),
    );
    assert_eq!(one, [three.to_vec(), vec![Key::new(1.0, 0.5)]]);
}

#[test]
fn angles_in_every_documented_form() {
    let two = Value::list([Value::Str("HeadYaw".into()), Value::Str("HeadPitch".into())]);
    let one = Value::Str("HeadYaw".into());
    let points = |names: &Value, angles: Value, times: Value| -> Vec<Vec<(f64, f64)>> {
        let command = BezierCommand::from_angles(names, &angles, &times, itself).unwrap();
        command.joints.iter().map(|p| p.keys.iter().map(|k| (k.time, k.value)).collect()).collect()
    };
    assert_eq!(points(&one, Value::Float(0.5), Value::Int(1)), [[(1.0, 0.5)]]);
    assert_eq!(points(&one, floats(&[0.5, 0.0]), floats(&[1.0, 2.0])), [[(1.0, 0.5), (2.0, 0.0)]]);
    assert_eq!(points(&two, floats(&[0.5, 0.6]), Value::Float(1.0)), [[(1.0, 0.5)], [(1.0, 0.6)]]);
    let nested = points(
        &two,
        Value::list([floats(&[0.5]), floats(&[0.1, 0.2])]),
        Value::list([floats(&[1.0]), floats(&[1.0, 2.0])]),
    );
    assert_eq!(nested, [vec![(1.0, 0.5)], vec![(1.0, 0.1), (2.0, 0.2)]]);
    let path = BezierCommand::from_angles(&one, &Value::Float(0.5), &Value::Int(1), itself).unwrap().joints.remove(0);
    assert_eq!(path.keys[0].left.interpolation, Interpolation::Linear);
    assert_eq!(path.offset_by(0.25).curve(0.25).unwrap().sample(0.5), 0.5);
}

#[test]
fn refusals_say_where() {
    let names = Value::list([Value::Str("HeadYaw".into())]);
    let times = |list: &[f64]| Value::list([floats(list)]);
    let points = |n: usize| Value::list([Value::list((0..n).map(|_| floats(&[0.0])))]);
    let refuse = |names: &Value, times: Value, points: Value| {
        BezierCommand::from_args(&[names.clone(), times, points], itself).unwrap_err().to_string()
    };
    assert_eq!(
        refuse(&names, times(&[1.0, 1.0]), points(2)),
        "the times of HeadYaw must rise from 0, and time 2 does not"
    );
    assert_eq!(refuse(&names, times(&[-1.0]), points(1)), "the times of HeadYaw must rise from 0, and time 1 does not");
    assert_eq!(refuse(&names, times(&[1.0]), points(2)), "keys[0] should be as long as its times");
    assert_eq!(refuse(&names, times(&[]), points(1)), "times should be a list that is not empty for each joint");
    assert_eq!(refuse(&Value::Int(3), times(&[1.0]), points(1)), "names should be a joint, or a list of joints");
    let error = BezierCommand::from_args(&[names, times(&[f64::NAN]), points(1)], itself).unwrap_err();
    assert!(matches!(error, CommandError::Curve { .. }));
    assert_eq!(Diagnostic::from(error).code.name, "motion-command-malformed");
}

#[test]
fn a_chain_stands_for_its_joints() {
    let chain = |name: &str| if name == "Head" { vec!["HeadYaw".into(), "HeadPitch".into()] } else { itself(name) };
    let command =
        BezierCommand::from_angles(&Value::Str("Head".into()), &floats(&[0.1, 0.2]), &Value::Float(1.0), chain);
    let joints: Vec<_> = command.unwrap().joints.into_iter().map(|path| path.joint.to_string()).collect();
    assert_eq!(joints, ["HeadYaw", "HeadPitch"]);
}
