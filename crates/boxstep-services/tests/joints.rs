//! ALMotion's joints and tasks, ALRobotPosture, ALTracker.

use crate::harness::{Harness, floats, list, near, s, strings};
use boxstep_engine::services::{Halt, Services};
use boxstep_services::SimOptions;
use boxstep_types::Value;

fn interpolate(h: &mut Harness, joint: &str, to: f64, seconds: f64) -> boxstep_engine::CallId {
    h.post("ALMotion.angleInterpolation", &[s(joint), to.into(), seconds.into(), true.into()])
}

#[test]
fn an_interpolation_moves_over_its_time_and_returns() {
    let mut h = Harness::nao();
    h.get("ALMotion.setAngles", &[s("HeadYaw"), 0.0.into(), 1.0.into()]);
    let id = interpolate(&mut h, "HeadYaw", 1.0, 2.0);
    h.wait(1.0);
    let half = h.joint("HeadYaw");
    assert!(half > 0.1 && half < 0.9, "{half}");
    assert!(!h.done(id));
    h.wait(1.0);
    assert!(h.done(id));
    near(h.joint("HeadYaw"), 1.0);
    assert_eq!(h.texts("joints").last().map(String::as_str), Some("HeadYaw over 2 s"));
}

#[test]
fn lists_relative_angles_and_chains() {
    let mut h = Harness::nao();
    let names = list(["HeadYaw", "HeadPitch"]);
    let angles = Value::list([list([0.5, -0.5]), list([0.2])]);
    let times = Value::list([list([1.0, 2.0]), list([0.5])]);
    near(h.takes("ALMotion.angleInterpolation", &[names, angles, times, true.into()]), 2.0);
    near(h.joint("HeadYaw"), -0.5);
    near(h.joint("HeadPitch"), 0.2);
    h.get("ALMotion.angleInterpolation", &[s("Head"), list([0.1, 0.1]), 1.0.into(), false.into()]);
    near(h.joint("HeadYaw"), -0.4);
    near(h.joint("HeadPitch"), 0.3);
}

#[test]
fn bezier_commands_play_as_timelines_send_them() {
    let mut h = Harness::nao();
    let auto = |dx: f64| list([Value::Int(3), dx.into(), 0.0.into()]);
    let point = |v: f64, l: f64, r: f64| Value::list([v.into(), auto(l), auto(r)]);
    let names = list(["LHand", "HeadYaw"]);
    let times = Value::list([list([1.0]), list([1.0, 3.0])]);
    let keys = Value::list([
        Value::list([point(1.0, -0.333, 0.0)]),
        Value::list([point(1.0, -0.333, 0.667), point(0.0, -0.667, 0.0)]),
    ]);
    near(h.takes("ALMotion.angleInterpolationBezier", &[names, times, keys]), 3.0);
    near(h.joint("LHand"), 1.0);
    near(h.joint("HeadYaw"), 0.0);
    assert_eq!(h.texts("joints").last().map(String::as_str), Some("LHand and HeadYaw over 3 s"));
}

#[test]
fn a_busy_joint_postpones_the_next_task() {
    let mut h = Harness::nao();
    let first = interpolate(&mut h, "HeadYaw", 1.0, 2.0);
    let second = interpolate(&mut h, "HeadYaw", 0.0, 1.0);
    let other = interpolate(&mut h, "HeadPitch", 0.3, 1.0);
    assert_eq!(h.get("ALMotion.areResourcesAvailable", &[s("Head")]), Value::Bool(false));
    assert_eq!(h.get("ALMotion.areResourcesAvailable", &[s("LArm")]), Value::Bool(true));
    let tasks = h.get("ALMotion.getTaskList", &[]);
    let ids: Vec<i64> = tasks.as_list().unwrap().iter().map(|t| t.as_list().unwrap()[1].as_i64().unwrap()).collect();
    assert_eq!(ids, [first.0, second.0, other.0].map(i64::from));
    h.wait(1.0);
    assert!(h.done(other) && !h.done(first));
    h.wait(1.0);
    assert!(h.done(first) && !h.done(second));
    near(h.joint("HeadYaw"), 1.0);
    h.wait(1.0);
    assert!(h.done(second));
    near(h.joint("HeadYaw"), 0.0);
}

#[test]
fn killed_tasks_stop_where_they_are_and_return() {
    let mut h = Harness::nao();
    let first = interpolate(&mut h, "HeadYaw", 1.0, 2.0);
    let second = interpolate(&mut h, "HeadYaw", 0.0, 1.0);
    h.wait(1.0);
    let at = h.joint("HeadYaw");
    assert_eq!(h.get("ALMotion.killTask", &[Value::Int(first.0.into())]), Value::Bool(true));
    assert!(h.done(first));
    near(h.joint("HeadYaw"), at);
    h.wait(1.0);
    assert!(h.done(second), "the postponed task took over");
    near(h.joint("HeadYaw"), 0.0);
    assert_eq!(h.get("ALMotion.killTask", &[Value::Int(4711)]), Value::Bool(false));

    let third = interpolate(&mut h, "HeadYaw", 1.0, 2.0);
    h.get("ALMotion.killTasksUsingResources", &[list(["LArm"])]);
    assert!(!h.done(third));
    h.get("ALMotion.killTasksUsingResources", &[list(["Head"])]);
    assert!(h.done(third));
}

#[test]
fn a_cancelled_call_stops_its_task_and_is_not_answered() {
    let mut h = Harness::nao();
    let id = interpolate(&mut h, "HeadYaw", 1.0, 2.0);
    h.wait(0.5);
    h.cancel(id);
    let at = h.joint("HeadYaw");
    h.wait(5.0);
    near(h.joint("HeadYaw"), at);
}

#[test]
fn set_angles_returns_at_once_and_moves_at_its_speed() {
    let mut h = Harness::nao();
    h.get("ALMotion.setAngles", &[s("HeadYaw"), 1.0.into(), 0.1.into()]);
    near(h.now.as_secs_f64(), 0.0);
    h.wait(0.5);
    near(h.joint("HeadYaw"), 0.5 * 0.1 * 8.26797);
    // The next command starts at the joint's current angle.
    h.get("ALMotion.setAngles", &[s("HeadYaw"), 0.0.into(), 1.0.into()]);
    h.wait(1.0);
    near(h.joint("HeadYaw"), 0.0);
    h.get("ALMotion.changeAngles", &[list(["HeadYaw", "HeadPitch"]), list([0.25, 0.1]), 1.0.into()]);
    h.wait(1.0);
    near(h.joint("HeadYaw"), 0.25);
}

#[test]
fn set_angles_on_a_booked_joint_waits() {
    let mut h = Harness::nao();
    let id = interpolate(&mut h, "HeadYaw", 1.0, 1.0);
    h.get("ALMotion.setAngles", &[s("HeadYaw"), (-0.5).into(), 1.0.into()]);
    h.wait(1.0);
    assert!(h.done(id));
    near(h.joint("HeadYaw"), 1.0);
    h.wait(1.0);
    near(h.joint("HeadYaw"), -0.5);
}

#[test]
fn angles_are_clipped_and_the_trace_says_so() {
    let mut h = Harness::nao();
    h.get("ALMotion.angleInterpolation", &[s("HeadYaw"), 3.0.into(), 1.0.into(), true.into()]);
    near(h.joint("HeadYaw"), 2.0857);
    assert!(h.texts("joints")[0].contains("beyond limits: HeadYaw"), "{:?}", h.texts("joints"));
    h.get("ALMotion.angleInterpolation", &[s("HeadYaw"), (-2.0).into(), 0.1.into(), true.into()]);
    assert!(h.texts("joints")[1].contains("faster than the motors: HeadYaw"));
}

#[test]
fn both_hips_turn_on_one_motor() {
    let mut h = Harness::nao();
    h.get("ALMotion.setAngles", &[list(["LHipYawPitch", "RHipYawPitch"]), list([-0.3, -0.5]), 1.0.into()]);
    h.wait(1.0);
    near(h.joint("LHipYawPitch"), -0.3);
    near(h.joint("RHipYawPitch"), -0.3);
    h.get("ALMotion.angleInterpolation", &[s("RHipYawPitch"), (-0.1).into(), 1.0.into(), true.into()]);
    near(h.joint("LHipYawPitch"), -0.1);
    near(h.joint("RHipYawPitch"), -0.1);
}

#[test]
fn without_stiffness_commands_are_taken_and_nothing_moves() {
    let mut h = Harness::nao();
    let at = h.joint("HeadYaw");
    h.get("ALMotion.setStiffnesses", &[s("Head"), 0.0.into()]);
    assert_eq!(floats(&h.get("ALMotion.getStiffnesses", &[s("Head")])), [0.0, 0.0]);
    h.get("ALMotion.angleInterpolation", &[s("HeadYaw"), 1.0.into(), 1.0.into(), true.into()]);
    near(h.joint("HeadYaw"), at);
    assert!(h.texts("joints")[0].contains("without stiffness nothing moves"));
    assert_eq!(floats(&h.get("ALMotion.getAngles", &[s("HeadYaw"), false.into()])), [1.0]);
    assert_eq!(floats(&h.get("ALMotion.getAngles", &[s("HeadYaw"), true.into()])), [at]);
    near(h.takes("ALMotion.stiffnessInterpolation", &[s("Head"), 1.0.into(), 0.5.into()]), 0.5);
    // With stiffness again, it holds its current angle.
    assert_eq!(floats(&h.get("ALMotion.getAngles", &[s("HeadYaw"), false.into()])), [at]);
}

#[test]
fn rest_and_wake_up() {
    let mut h = Harness::nao();
    h.listen("robotIsWakeUp");
    assert_eq!(h.get("ALMotion.robotIsWakeUp", &[]), Value::Bool(true));
    assert!(h.takes("ALMotion.rest", &[]) > 0.5);
    assert_eq!(h.get("ALMotion.robotIsWakeUp", &[]), Value::Bool(false));
    assert_eq!(floats(&h.get("ALMotion.getStiffnesses", &[s("LArm")])).iter().sum::<f64>(), 0.0);
    assert_eq!(h.get("ALRobotPosture.getPosture", &[]), s("Crouch"));
    assert!(h.takes("ALMotion.wakeUp", &[]) > 0.5);
    assert_eq!(h.get("ALRobotPosture.getPosture", &[]), s("StandInit"));
    assert_eq!(h.seen("robotIsWakeUp"), [Value::Bool(false), Value::Bool(true)]);
    near(h.takes("ALMotion.wakeUp", &[]), 0.0);
}

#[test]
fn hands_open_and_close() {
    let mut h = Harness::nao();
    assert!(h.takes("ALMotion.openHand", &[s("LHand")]) > 0.1);
    near(h.joint("LHand"), 1.0);
    h.get("ALMotion.closeHand", &[s("LHand")]);
    near(h.joint("LHand"), 0.0);
    assert!(h.why("ALMotion.openHand", &[s("HeadYaw")]).contains("not a hand"));
}

#[test]
fn postures_are_reached_and_can_be_stopped() {
    let mut h = Harness::nao();
    h.listen("PostureFamilyChanged");
    assert_eq!(h.get("ALRobotPosture.goToPosture", &[s("Sit"), 0.8.into()]), Value::Bool(true));
    assert_eq!(h.get("ALRobotPosture.getPosture", &[]), s("Sit"));
    assert_eq!(h.get("ALRobotPosture.getPostureFamily", &[]), s("Sitting"));
    assert_eq!(h.seen("PostureFamilyChanged"), [s("Sitting")]);
    let id = h.post("ALRobotPosture.goToPosture", &[s("Stand"), 0.5.into()]);
    h.wait(0.2);
    h.get("ALRobotPosture.stopMove", &[]);
    assert_eq!(h.answers[&id].1, Ok(Value::Bool(false)));
    assert_eq!(h.get("ALRobotPosture.getPostureFamily", &[]), s("Sitting"));
    assert!(h.why("ALRobotPosture.goToPosture", &[s("Handstand"), 1.0.into()]).contains("there is no posture"));
    assert!(strings(&h.get("ALRobotPosture.getPostureList", &[])).contains(&"Stand".to_owned()));
    // Without stiffness it does not get there.
    h.get("ALMotion.setStiffnesses", &[s("Body"), 0.0.into()]);
    assert_eq!(h.get("ALRobotPosture.goToPosture", &[s("Stand"), 1.0.into()]), Value::Bool(false));
}

#[test]
fn an_event_sends_the_robot_to_a_posture_and_ends_what_moves_it() {
    let mut h = Harness::nao();
    h.listen("PostureChanged");
    let id = h.post("ALMotion.angleInterpolation", &[s("HeadYaw"), 1.0.into(), 9.0.into(), true.into()]);
    h.wait(0.5);
    h.raise("Boxstep/Posture", s("sit"));
    assert!(h.done(id), "the head belongs to the posture");
    h.wait(20.0);
    assert_eq!(h.seen("PostureChanged"), [s("Sit")]);
    assert_eq!(h.texts("posture"), ["Sit at speed 0.5"]);
    assert!(h.warnings.is_empty(), "{:?}", h.warnings);
    for wrong in [s("Handstand"), 1.into(), Value::Null] {
        h.raise("Boxstep/Posture", wrong);
    }
    assert_eq!(h.warnings.len(), 3);
    assert!(h.warnings[0].contains("takes the name of a posture, not \"Handstand\": "), "{}", h.warnings[0]);
    assert_eq!(h.get("ALRobotPosture.getPosture", &[]), s("Sit"));
}

#[test]
fn each_body_answers_with_its_own_data() {
    let mut nao = Harness::nao();
    let names = strings(&nao.get("ALMotion.getBodyNames", &[s("Body")]));
    assert_eq!(names.len(), 26);
    assert_eq!(nao.get("ALMotion.getLimits", &[s("HeadYaw")]), Value::list([list([-2.0857, 2.0857, 8.26797, 1.547])]));
    let mut pepper = Harness::pepper();
    assert_eq!(strings(&pepper.get("ALMotion.getBodyNames", &[s("Leg")])), ["HipRoll", "HipPitch", "KneePitch"]);
    assert!(
        pepper.why("ALMotion.getAngles", &[s("LKneePitch"), true.into()]).contains("not a joint or chain of pepper")
    );
    assert_eq!(pepper.get("ALRobotModel._getRobotTypeString", &[]), s("juliette"));
    assert!(pepper.get("ALMotion.getSummary", &[]).as_str().unwrap().contains("HeadYaw"));
    let config = nao.get("ALMotion.getRobotConfig", &[]);
    assert_eq!(config.as_list().unwrap()[1].as_list().unwrap()[0], s("naoH25"));
}

#[test]
fn nao_v3_3_says_of_itself_what_is_published() {
    let body = boxstep_bodies::BodyKind::NaoV33.body();
    let mut old = Harness::new(SimOptions { body, ..SimOptions::default() });
    assert_eq!(old.get("ALMemory.getData", &[s("RobotConfig/Body/BaseVersion")]), s("V3.3"));
    let mass = old.get("ALMotion.getMass", &[s("Body")]).as_f64().unwrap();
    assert!((mass - 5.006).abs() < 0.001, "{mass}");
    let config = old.get("ALMotion.getRobotConfig", &[]);
    let names = strings(&config.as_list().unwrap()[0]);
    assert!(names.contains(&"Model Type".to_owned()) && !names.contains(&"Body Version".to_owned()), "{names:?}");
    assert_eq!(old.get("ALVideoDevice.getCameraModel", &[0.into()]), Value::Int(1), "OV7670");
}

#[test]
fn one_unknown_joint_refuses_a_whole_command() {
    let mut pepper = Harness::pepper();
    let stood = pepper.joint("HeadYaw");
    let names = list([s("HeadYaw"), s("LAnklePitch")]);
    let (twice, times) = (list([0.3, 0.1]), list([list([1.0]), list([1.0])]));
    let key = Value::list([Value::list([0.3.into(), list([3, 0, 0]), list([3, 0, 0])])]);
    for (method, args) in [
        ("ALMotion.setAngles", vec![names.clone(), twice.clone(), 0.5.into()]),
        ("ALMotion.angleInterpolation", vec![names.clone(), twice.clone(), list([1.0, 1.0]), true.into()]),
        ("ALMotion.angleInterpolationWithSpeed", vec![names.clone(), twice, 0.5.into()]),
        ("ALMotion.angleInterpolationBezier", vec![names, times, Value::list([key.clone(), key])]),
    ] {
        let why = pepper.why(method, &args);
        assert!(why.contains("`LAnklePitch` is not a joint or chain of pepper"), "{method}: {why}");
    }
    pepper.wait(2.0);
    near(pepper.joint("HeadYaw"), stood);
}

#[test]
fn looking_and_pointing_turn_the_right_joints() {
    let mut h = Harness::nao();
    let left = list([1.0, 1.0, 0.1265]);
    h.get("ALTracker.lookAt", &[left.clone(), Value::Int(0), 0.5.into(), false.into()]);
    assert!((h.joint("HeadYaw") - std::f64::consts::FRAC_PI_4).abs() < 1e-4);
    // The camera is 0.064 m above the neck.
    assert!((0.0..0.05).contains(&h.joint("HeadPitch")));
    // The form of NAOqi 1.14, without a frame.
    h.get("ALTracker.lookAt", &[list([1.0, 0.0, 0.1265]), 0.5.into(), false.into()]);
    assert!(h.joint("HeadYaw").abs() < 1e-4);
    h.get("ALTracker.pointAt", &[s("Arms"), list([1.0, 0.098, 0.1]), Value::Int(0), 0.5.into()]);
    // The elbow is beside the shoulder, and never quite straight.
    assert!(h.joint("LShoulderPitch").abs() < 0.05 && h.joint("LShoulderRoll").abs() < 0.1);
    h.get("ALTracker.registerTarget", &[s("Face"), 0.1.into()]);
    h.get("ALTracker.track", &[s("Face")]);
    assert_eq!(h.get("ALTracker.getActiveTarget", &[]), s("Face"));
    h.get("ALTracker.stopTracker", &[]);
    assert_eq!(h.get("ALTracker.isActive", &[]), Value::Bool(false));
    assert!(h.why("ALTracker.track", &[s("RedBall")]).contains("not registered"));
}

#[test]
fn halt_stops_everything_and_answers_everyone() {
    let mut h = Harness::nao();
    let ids = [
        interpolate(&mut h, "HeadYaw", 1.0, 2.0),
        interpolate(&mut h, "HeadYaw", 0.0, 2.0),
        h.post("ALMotion.moveTo", &[1.0.into(), 0.0.into(), 0.0.into()]),
        h.post("ALTextToSpeech.say", &[s("Hello there")]),
        h.post("ALLeds.fadeRGB", &[s("FaceLeds"), s("red"), 3.0.into()]),
        h.post("ALMemory.getDataOnChange", &[s("nothing"), Value::Int(0)]),
    ];
    h.get("ALMotion.setAngles", &[s("HeadPitch"), 0.5.into(), 0.01.into()]);
    h.wait(0.5);
    let before = (h.joint("HeadYaw"), h.joint("HeadPitch"));
    h.with(|robot, cx| robot.halt(cx, Halt::AtOnce));
    assert!(ids.iter().all(|id| h.done(*id)));
    h.wait(10.0);
    assert_eq!((h.joint("HeadYaw"), h.joint("HeadPitch")), before);
}
