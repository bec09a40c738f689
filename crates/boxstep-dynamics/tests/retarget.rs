//! Timelines that fit another body.

use boxstep_bodies::{Body, BodyKind};
use boxstep_dynamics::Model;
use boxstep_dynamics::retarget::{Quantity, Retarget, Retargeted, Row};
use boxstep_format::model::{ActuatorCurve, Timeline};
use boxstep_format::{Limits, read_xar};

/// Reads a timeline with curves: joint, and frames with values.
fn timeline(curves: &[(&str, &[(i32, f64)])], rest: &str) -> Timeline {
    let key = |(frame, value): &(i32, f64)| format!(r#"<Key frame="{frame}" value="{value}"/>"#);
    let curve = |(joint, keys): &(&str, &[(i32, f64)])| {
        let keys: String = keys.iter().map(key).collect();
        format!(r#"<ActuatorCurve name="value" actuator="{joint}" mute="0">{keys}</ActuatorCurve>"#)
    };
    let curves: String = curves.iter().map(curve).collect();
    let xar = format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1" fps="25" start_frame="1">
        {rest}<ActuatorList model="">{curves}</ActuatorList></Timeline></Box></ChoregrapheProject>"#
    );
    let file = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap();
    file.project.root.timeline.unwrap()
}

fn between(from: &'static Body, to: &'static Body, timeline: &Timeline) -> Retargeted {
    let (from, to) = (Model::new(from), Model::new(to));
    Retarget::new(&from, &to).timeline(timeline).unwrap()
}

fn nao() -> &'static Body {
    BodyKind::Nao.body()
}

fn pepper() -> &'static Body {
    BodyKind::Pepper.body()
}

fn curve<'a>(result: &'a Retargeted, joint: &str) -> &'a ActuatorCurve {
    let curves = &result.timeline.actuators.as_ref().unwrap().curves;
    curves.iter().find(|curve| &*curve.actuator == joint).unwrap_or_else(|| panic!("no curve of {joint}"))
}

fn values(result: &Retargeted, joint: &str) -> Vec<f64> {
    curve(result, joint).keys.iter().map(|key| (key.value * 10.0).round() / 10.0).collect()
}

fn row<'a>(result: &'a Retargeted, what: &str) -> &'a Row {
    result.rows.iter().find(|row| row.what == what).unwrap_or_else(|| panic!("no row {what}"))
}

#[test]
fn what_both_bodies_can_do_stays_to_the_digit() {
    let old = timeline(&[("HeadYaw", &[(10, 12.345_678_9), (30, -20.0)]), ("LHand", &[(10, 0.0), (30, 1.0)])], "");
    let new = between(nao(), pepper(), &old);
    let (old_list, new_list) = (old.actuators.unwrap(), new.timeline.actuators.unwrap());
    assert_eq!(old_list.curves, new_list.curves);
    assert_eq!(new_list.model.as_str(), "juliette");
    assert!(new.rows.iter().all(|row| row.error() == 0.0) && new.frames.is_same());
}

#[test]
fn what_the_new_body_cannot_do_is_scaled_round_its_neutral_posture() {
    let old = timeline(&[("LShoulderRoll", &[(10, 60.0), (40, 6.7), (80, -17.0)])], "");
    let new = between(nao(), pepper(), &old);
    assert_eq!(values(&new, "LShoulderRoll"), [60.0, 6.7, 0.5]);
    let row = row(&new, "LShoulderRoll");
    assert!((row.error().to_degrees() - 17.5).abs() < 0.1, "{row:?}");
}

#[test]
fn time_is_stretched_with_the_boxes_in_it() {
    let layers = r#"<BehaviorLayer name="l"><BehaviorKeyframe name="k" index="15"><Diagram/></BehaviorKeyframe>
        <BehaviorKeyframe name="m" index="40"><Diagram/></BehaviorKeyframe></BehaviorLayer>"#;
    let arms: &[(i32, f64)] = &[(5, 90.0), (15, -27.0), (40, 90.0)];
    let new = between(nao(), pepper(), &timeline(&[("LShoulderPitch", arms), ("HeadPitch", &[(15, 5.0)])], layers));
    let frames: Vec<i32> = curve(&new, "LShoulderPitch").keys.iter().map(|key| key.frame).collect();
    let keyframes: Vec<i32> = new.timeline.layers[0].keyframes.iter().map(|keyframe| keyframe.index).collect();
    assert!(frames[1] > 15 && frames[1] < 20, "{frames:?}");
    assert_eq!((frames[0], frames[2] - frames[1]), (5, 25), "elsewhere the time stays");
    assert_eq!(keyframes, frames[1..], "what begins at a key still does");
    assert_eq!(curve(&new, "HeadPitch").keys[0].frame, frames[1]);
    assert_eq!(new.stretches[0].joint, "LShoulderPitch");
}

const BOW: [(&str, &[(i32, f64)]); 6] = [
    ("LHipPitch", &[(1, -26.0), (50, -56.0), (100, -26.0)]),
    ("RHipPitch", &[(1, -26.0), (50, -56.0), (100, -26.0)]),
    ("LKneePitch", &[(1, 40.0), (50, 40.0), (100, 40.0)]),
    ("RKneePitch", &[(1, 40.0), (50, 40.0), (100, 40.0)]),
    ("LAnklePitch", &[(1, -20.0), (50, -20.0), (100, -20.0)]),
    ("RAnklePitch", &[(1, -20.0), (50, -20.0), (100, -20.0)]),
];

#[test]
fn a_bow_of_two_legs_is_one_of_peppers_hip() {
    let new = between(nao(), pepper(), &timeline(&BOW, ""));
    let hip = values(&new, "HipPitch");
    assert!((hip[1] - hip[0] + 30.0).abs() < 0.2, "{hip:?}");
    let joints = |result: &Retargeted| -> Vec<String> {
        result.timeline.actuators.iter().flat_map(|list| &list.curves).map(|curve| curve.actuator.to_string()).collect()
    };
    assert_eq!(joints(&new), ["HipPitch", "HipRoll"]);
    assert!(new.left_out.is_empty(), "{:?}", new.left_out);
    assert!(row(&new, "torso forward").error().to_degrees() < 0.1);
}

#[test]
fn a_bow_of_peppers_hip_is_one_of_two_legs_that_keep_their_feet_flat_and_the_balance() {
    let old = timeline(&[("HipPitch", &[(1, 0.0), (50, -30.0), (100, 0.0)]), ("HipRoll", &[(1, 0.0), (70, 6.0)])], "");
    let new = between(pepper(), nao(), &old);
    assert!(row(&new, "torso forward").error().to_degrees() < 0.5, "{:?}", row(&new, "torso forward"));
    assert!(row(&new, "torso sideways").error().to_degrees() < 0.5, "{:?}", row(&new, "torso sideways"));
    let at = |joint: &str, key: usize| curve(&new, joint).keys[key].value;
    for side in ["L", "R"] {
        let sum: f64 = ["HipPitch", "KneePitch", "AnklePitch"].iter().map(|part| at(&format!("{side}{part}"), 1)).sum();
        assert!((sum + 30.0 + 1.5).abs() < 4.0, "{side}: {sum}");
    }
    let model = Model::new(nao());
    let balance = boxstep_dynamics::Balance::new(&model).unwrap();
    let trajectory = model.trajectory(&new.timeline).unwrap();
    let still: Vec<f64> = [1, 50, 70, 100]
        .map(|frame| balance.at_rest(&trajectory.at(f64::from(frame))).unwrap().still.unwrap_or(-1.0))
        .to_vec();
    assert!(still.iter().all(|margin| *margin > 0.02), "{still:?}");
}

#[test]
fn there_and_back_is_the_same_within_what_the_other_body_can_do() {
    let mut curves = BOW.to_vec();
    curves.push(("LShoulderPitch", &[(1, 80.0), (30, 0.0), (60, 80.0)]));
    curves.push(("LElbowRoll", &[(1, -40.0), (30, -75.0), (60, -40.0)]));
    let old = timeline(&curves, "");
    let back = between(pepper(), nao(), &between(nao(), pepper(), &old).timeline);
    for joint in ["LShoulderPitch", "LElbowRoll"] {
        let list = old.actuators.as_ref().unwrap();
        let before = list.curves.iter().find(|curve| &*curve.actuator == joint).unwrap();
        assert_eq!(curve(&back, joint).keys, before.keys);
    }
    let model = Model::new(nao());
    let lean = |timeline: &Timeline, frame: i32| {
        let trajectory = model.trajectory(timeline).unwrap();
        let torso = model.torso_over_floor(&model.forward(&trajectory.at(f64::from(frame)))).unwrap();
        torso.rotation.euler_angles().1.to_degrees()
    };
    let off = [1, 50, 100].map(|frame| (lean(&back.timeline, frame) - lean(&old, frame)).abs());
    assert!(off.iter().all(|off| *off < 0.5), "{off:?}");
}

#[test]
fn a_torso_that_stays_upright_needs_no_curves_and_is_not_left_out() {
    let hip: &[(&str, &[(i32, f64)])] =
        &[("HipPitch", &[(27, -3.4)]), ("HipRoll", &[(27, 0.0)]), ("KneePitch", &[(27, -2.8)])];
    let new = between(pepper(), nao(), &timeline(hip, ""));
    assert_eq!(new.upright.iter().map(|name| &**name).collect::<Vec<_>>(), ["HipPitch", "HipRoll", "KneePitch"]);
    assert!(new.left_out.is_empty() && new.rows.is_empty(), "{new:?}");
    let legs: &[(&str, &[(i32, f64)])] = &[("LAnklePitch", &[(27, -14.3)]), ("RAnklePitch", &[(27, -14.3)])];
    let new = between(nao(), pepper(), &timeline(legs, ""));
    assert_eq!(new.upright.len(), 2, "{new:?}");
}

#[test]
fn a_robot_that_does_not_stand_is_said_to() {
    let posture = nao().posture("Sit").unwrap();
    let keys: Vec<(&str, [(i32, f64); 1])> =
        posture.angles.iter().map(|(joint, angle)| (*joint, [(30, angle.to_degrees())])).collect();
    let curves: Vec<(&str, &[(i32, f64)])> =
        keys.iter().filter(|(joint, _)| !joint.ends_with("Hand")).map(|(joint, keys)| (*joint, &keys[..])).collect();
    let new = between(nao(), pepper(), &timeline(&curves, ""));
    assert_eq!(new.seated, Some(30));
    assert!(new.left_out.iter().any(|name| &**name == "LKneePitch"));
}

/// A humanoid with the joint names of many descriptions: arms hang at 0, and some axes point the other way.
fn humanoid() -> &'static Body {
    let limit = r#"<limit lower="-2.5" upper="2.5" velocity="6" effort="20"/>"#;
    let joint = |name: &str, parent: &str, child: &str, at: &str, axis: &str| {
        format!(
            r#"<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
            <origin xyz="{at}"/><axis xyz="{axis}"/>{limit}</joint>"#
        )
    };
    let arm = |side: &str, y: f64| {
        [
            joint(
                &format!("{side}_shoulder_pitch_joint"),
                "trunk",
                &format!("{side}1"),
                &format!("0 {y} 0.2"),
                "0 1 0",
            ),
            joint(&format!("{side}_shoulder_roll_joint"), &format!("{side}1"), &format!("{side}2"), "0 0 0", "1 0 0"),
            joint(&format!("{side}_shoulder_yaw_joint"), &format!("{side}2"), &format!("{side}3"), "0 0 -0.1", "0 0 1"),
            joint(&format!("{side}_elbow_joint"), &format!("{side}3"), &format!("{side}4"), "0 0 -0.1", "0 1 0"),
            format!(
                r#"<joint name="{side}_hand" type="fixed"><parent link="{side}4"/><child link="{side}5"/>
                <origin xyz="0 0 -0.2"/></joint>"#
            ),
        ]
        .concat()
    };
    let urdf = format!(
        r#"<robot name="humanoid">{}{}{}{}{}</robot>"#,
        joint("head_yaw_joint", "trunk", "neck", "0 0 0.3", "0 0 1"),
        joint("head_pitch_joint", "neck", "head", "0 0 0", "0 -1 0"),
        arm("left", 0.15),
        arm("right", -0.15),
        joint("waist_pitch_joint", "trunk", "pelvis", "0 0 -0.1", "0 1 0"),
    );
    boxstep_bodies::own::read("humanoid.urdf", &urdf, &[], |_| Err(String::new())).unwrap()
}

#[test]
fn joints_of_other_names_move_by_what_they_are_for_and_arms_by_the_hands_place() {
    let old = timeline(
        &[
            ("HeadYaw", &[(10, 20.0)]),
            ("HeadPitch", &[(10, 10.0)]),
            ("LShoulderPitch", &[(10, 0.0), (40, 80.0), (60, 45.0)]),
            ("LShoulderRoll", &[(10, 10.0), (40, 30.0)]),
            ("LElbowYaw", &[(10, -60.0), (40, -80.0)]),
            ("LElbowRoll", &[(10, -20.0), (40, -85.0)]),
            ("LWristYaw", &[(10, -20.0)]),
            ("LKneePitch", &[(10, 20.0)]),
        ],
        "",
    );
    let new = between(nao(), humanoid(), &old);
    assert_eq!(values(&new, "head_yaw_joint"), [20.0]);
    assert_eq!(values(&new, "head_pitch_joint"), [-10.0], "its axis points the other way");
    let hand = row(&new, "left hand");
    assert_eq!((hand.quantity, hand.keys.len()), (Quantity::Distance, 3));
    assert!(hand.error() < 1e-3, "{hand:?}");
    let raised = values(&new, "left_shoulder_pitch_joint");
    assert!(raised[0] < -60.0 && raised[1] > -60.0, "an arm that hangs at 0 is raised forward: {raised:?}");
    assert_eq!(new.left_out.iter().map(|name| &**name).collect::<Vec<_>>(), ["LKneePitch"]);
    assert!(!new.timeline.actuators.unwrap().curves.iter().any(|curve| curve.actuator.starts_with("LShoulder")));
}

#[test]
fn curves_of_a_body_file_come_first_and_are_not_applied_twice() {
    let text = r#"
name = "arm"
joints = [{ name = "Lift", min = -1.0, max = 1.0, speed = 2.0 }, { name = "HeadYaw", min = -1.0, max = 1.0, speed = 9.0 }]
[curves]
LShoulderPitch = { joint = "Lift", mirror = true }
HeadYaw = { joint = "HeadYaw", scale = 2.0 }
"#;
    let arm = boxstep_bodies::own::read("arm.toml", text, &[], |_| Err(String::new())).unwrap();
    let old = timeline(&[("LShoulderPitch", &[(10, 30.0)]), ("HeadYaw", &[(10, 10.0), (99, 50.0)])], "");
    let new = between(nao(), arm, &old);
    assert_eq!(values(&new, "Lift"), [-30.0]);
    // The file plays with the factor of the table: what is written is half of the joint's 57.3°.
    assert_eq!(values(&new, "HeadYaw")[1], 28.6);
    assert!((row(&new, "HeadYaw").keys[1].given - 1.0).abs() < 1e-9);
}

#[test]
fn a_timeline_that_was_drawn_for_both_robots_keeps_the_curves_of_the_new_one() {
    let mut curves = BOW.to_vec();
    curves.push(("HipPitch", &[(1, 0.0), (50, -12.0)]));
    let new = between(nao(), pepper(), &timeline(&curves, ""));
    assert_eq!(values(&new, "HipPitch"), [0.0, -12.0]);
    assert_eq!(new.timeline.actuators.unwrap().curves.len(), 1);
    assert!(new.left_out.iter().any(|name| &**name == "LHipPitch"));
}

#[test]
fn frames_at_the_ends_of_what_a_file_can_say_are_no_harm() {
    let far: &[(i32, f64)] = &[(i32::MIN, 0.0), (i32::MAX - 1, 60.0), (i32::MAX, -60.0)];
    let old = timeline(&[("LShoulderPitch", far), ("HeadYaw", far), ("LHipPitch", far)], "");
    for body in [pepper(), humanoid()] {
        assert!(between(nao(), body, &old).rows.iter().all(|row| row.keys.len() == 3));
    }
}
