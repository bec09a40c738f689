//! Timelines whose time is stretched, and that are mirrored.

use super::operations::{apply, refused, refused_in};
use super::{TWO, document};

/// A timeline with keys at 10 and 30, keyframes at 1 and 20, and the end at 40.
fn timeline() -> String {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "add", "diagram": "root", "add": {"empty": "timeline"}, "name": "Wave"}"#,
        r#"{"op": "set_pose", "box": "Wave", "frame": 10, "joints": {"HeadYaw": 20}}"#,
        r#"{"op": "set_pose", "box": "Wave", "frame": 30, "joints": {"HeadYaw": 0}}"#,
        r#"{"op": "add_layer", "box": "Wave", "layer": "steps"}"#,
        r#"{"op": "add_keyframe", "box": "Wave", "layer": "steps", "name": "early", "frame": 1}"#,
        r#"{"op": "add_keyframe", "box": "Wave", "layer": "steps", "name": "late", "frame": 20}"#,
        r#"{"op": "set_timeline", "box": "Wave", "end_frame": 40}"#,
    ] {
        apply(&mut document, json);
    }
    document.file().text().to_owned()
}

#[test]
fn no_frame_passes_another_or_the_beginning() {
    for (from, frames, why) in [
        (15, -25, "Wave: HeadYaw would have something at frame 5, before that at frame 10"),
        (15, -20, "Wave: HeadYaw already has something at frame 10"),
        (1, -12, "Wave: -2 cannot be a frame"),
        (1, -5, "Wave: -4 cannot be a frame"),
        (40, -41, "Wave: -1 cannot be a frame"),
    ] {
        let stretch = format!(r#"{{"op": "stretch", "box": "Wave", "from": {from}, "frames": {frames}}}"#);
        assert_eq!(refused_in(&timeline(), &stretch), why);
    }
    let only_keyframes = timeline().replace(r#"<Key frame="30""#, r#"<Key frame="90""#);
    let stretch = r#"{"op": "stretch", "box": "Wave", "from": 15, "frames": -19}"#;
    assert_eq!(refused_in(&only_keyframes, stretch), "Wave: steps already has something at frame 1");
    apply(&mut document(&timeline()), r#"{"op": "stretch", "box": "Wave", "from": 15, "frames": -10}"#);
}

#[test]
fn only_joints_whose_names_say_how_they_turn_are_mirrored() {
    let mirrored = |joint: &str| {
        let mut document = document(&timeline().replace("HeadYaw", joint));
        apply(&mut document, r#"{"op": "mirror", "box": "Wave"}"#);
        document.file().text().to_owned()
    };
    let text = mirrored("Left_Shoulder_Roll");
    assert!(text.contains(r#"actuator="Right_Shoulder_Roll""#) && text.contains(r#"value="-20""#), "{text}");
    assert!(mirrored("right_elbow_joint").contains(r#"actuator="left_elbow_joint""#));
    let unknown = timeline().replace("HeadYaw", "l_sho_pitch");
    let why = refused_in(&unknown, r#"{"op": "mirror", "box": "Wave"}"#);
    assert_eq!(why, "Wave: the name `l_sho_pitch` does not say how the joint turns on the other side");
}

#[test]
fn a_flow_diagram_plays_no_keys() {
    for json in [
        r#"{"op": "set_pose", "box": "root", "frame": 10, "joints": {"HeadYaw": 20}}"#,
        r#"{"op": "add_curve", "box": "root", "joint": "HeadYaw"}"#,
        r#"{"op": "add_layer", "box": "root", "layer": "more"}"#,
        r#"{"op": "add_keyframe", "box": "root", "layer": "behavior_layer1", "name": "more", "frame": 9}"#,
    ] {
        assert_eq!(refused(json), "root has no timeline", "{json}");
    }
}
