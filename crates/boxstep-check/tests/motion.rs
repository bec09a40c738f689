//! Checks of curves against bodies.

use boxstep_bodies::BodyKind;
use boxstep_check::{Context, check, codes};
use boxstep_format::{Limits, read_xar};
use boxstep_types::{Diagnostic, Severity};

/// Returns the findings about a timeline of 25 frames per second with these curves: joint, unit, keys.
fn found(context: &Context<'_>, curves: &[(&str, i32, &str)]) -> Vec<Diagnostic> {
    let curves: String = curves
        .iter()
        .map(|(joint, unit, keys)| {
            format!(
                "<ActuatorCurve name=\"value\" actuator=\"{joint}\" mute=\"0\" unit=\"{unit}\">{keys}</ActuatorCurve>"
            )
        })
        .collect();
    let text = format!(
        "<ChoregrapheProject xar_version=\"3\"><Box name=\"root\" id=\"-1\"><Timeline enable=\"1\" fps=\"25\" \
         start_frame=\"1\" end_frame=\"-1\" size=\"300\"><ActuatorList model=\"\">{curves}</ActuatorList></Timeline>\
         </Box></ChoregrapheProject>"
    );
    let file = read_xar("test.xar", text.as_bytes(), &Limits::default()).unwrap();
    assert!(file.findings.is_empty(), "{:?}", file.findings);
    check(&file, context).behavior
}

fn on(kind: BodyKind) -> Context<'static> {
    Context { body: Some(kind.body()), ..Context::default() }
}

fn keys(of: &[(i32, f64)]) -> String {
    of.iter().map(|(frame, value)| format!("<Key frame=\"{frame}\" value=\"{value}\"/>")).collect()
}

#[test]
fn a_key_past_a_limit_is_told_with_frame_joint_and_degrees() {
    let nao = on(BodyKind::Nao);
    let findings = found(&nao, &[("HeadPitch", 0, &keys(&[(25, 0.0), (75, 40.0), (125, 35.0)]))]);
    assert_eq!((findings.len(), findings[0].code, findings[0].severity), (1, codes::PAST_LIMIT, Severity::Warning));
    assert_eq!(findings[0].message, "HeadPitch is at 40.0° at frame 75; nao turns it from -38.5° to 29.5°");
    assert_eq!(findings[0].notes[0].message, "at 2 keys in all");
    assert!(found(&nao, &[("HeadPitch", 0, &keys(&[(25, -38.5), (75, 29.5)]))]).is_empty());
    // An excess of less than a degree is invisible.
    let slight = found(&nao, &[("HeadPitch", 0, &keys(&[(25, 0.0), (75, 30.4)]))]);
    assert_eq!((slight.len(), slight[0].severity), (1, Severity::Note));
}

#[test]
fn a_curve_may_swing_past_a_limit_between_keys_that_are_fine() {
    let swing = |y: i32, side: &str, x: i32| {
        format!("<Tangent side=\"{side}\" interpType=\"bezier\" abscissaParam=\"{x}\" ordinateParam=\"{y}\"/>")
    };
    let key = |frame: i32, left: &str, right: &str| format!("<Key frame=\"{frame}\" value=\"25\">{left}{right}</Key>");
    let keys = key(10, &swing(0, "left", 0), &swing(30, "right", 20))
        + &key(70, &swing(30, "left", -20), &swing(0, "right", 0));
    let findings = found(&on(BodyKind::Nao), &[("HeadPitch", 0, &keys)]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].message.starts_with("HeadPitch is at 47.5° at frames 10 to 70;"), "{}", findings[0].message);
}

#[test]
fn a_curve_that_is_too_fast_is_told_in_degrees_per_second() {
    let findings = found(&on(BodyKind::Nao), &[("HeadYaw", 0, &keys(&[(25, -60.0), (28, 60.0)]))]);
    assert_eq!((findings.len(), findings[0].code), (1, codes::TOO_FAST));
    // A curve between two extremes is fastest in its middle, 1.5 times as fast as its mean of 1,000 °/s.
    assert!(
        findings[0].message.starts_with("HeadYaw moves at 1500°/s at frames 25 to 28; nao moves it at "),
        "{}",
        findings[0].message
    );
    assert!(found(&on(BodyKind::Nao), &[("HeadYaw", 0, &keys(&[(25, -60.0), (75, 60.0)]))]).is_empty());
}

#[test]
fn hands_are_drawn_from_closed_to_open() {
    let hand = |value: f64| found(&on(BodyKind::Pepper), &[("LHand", 1, &keys(&[(25, 0.0), (75, value)]))]);
    assert!(hand(1.0).is_empty());
    assert_eq!(hand(1.5)[0].message, "LHand is at 1.50 at frame 75; pepper turns it from 0.00 to 1.00");
}

#[test]
fn joints_of_no_robot_and_of_another() {
    let nod = keys(&[(25, 0.0), (75, 1.0)]);
    let findings = found(&on(BodyKind::Nao), &[("HeadYaww", 0, &nod)]);
    assert_eq!((findings[0].code, findings[0].severity), (codes::UNKNOWN_JOINT, Severity::Warning));
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `HeadYaw`?"));
    let legs =
        [("LAnkleRoll", 0, nod.as_str()), ("RAnkleRoll", 0, &nod), ("HeadPitch", 0, &keys(&[(25, 0.0), (75, 29.0)]))];
    let findings = found(&on(BodyKind::Pepper), &legs);
    assert_eq!(findings[0].message, "the timeline moves LAnkleRoll and 1 more joints that pepper does not have");
    // The timeline is for NAO, which turns its head to 29.5°.
    assert_eq!((findings.len(), findings[0].severity), (1, Severity::Note));
    let asked = Context { body_asked: true, ..on(BodyKind::Pepper) };
    assert_eq!(found(&asked, &legs)[0].severity, Severity::Warning);
}

#[test]
fn without_a_robot_the_widest_limits_count() {
    let far = |degrees: f64| found(&Context::default(), &[("HeadPitch", 0, &keys(&[(25, 0.0), (75, degrees)]))]);
    // NAO looks down to 29.5°, Pepper up to −40.5°.
    assert!(far(29.0).is_empty() && far(-40.0).is_empty());
    assert_eq!(far(45.0)[0].message, "HeadPitch is at 45.0° at frame 75; any robot turns it from -40.5° to 29.5°");
}

#[test]
fn a_robot_that_leans_too_far_tips_over() {
    let nao = on(BodyKind::Nao);
    let lean = |degrees: f64| {
        let keys = keys(&[(1, -19.0), (50, -19.0 + degrees), (75, -19.0)]);
        found(&nao, &[("LAnklePitch", 0, &keys), ("RAnklePitch", 0, &keys)])
    };
    assert!(lean(5.0).is_empty(), "{:?}", lean(5.0));
    let forward = lean(-25.0);
    assert_eq!((forward.len(), forward[0].code), (1, codes::TIPS_OVER), "{forward:?}");
    assert!(forward[0].message.starts_with("nao tips over forward from frame "), "{}", forward[0].message);
    assert!(forward[0].message.contains("its center of mass is up to "), "{}", forward[0].message);
    assert_eq!(
        forward[0].help.as_deref(),
        Some("change LAnklePitch and RAnklePitch first, at frame 50: it matters most")
    );
    assert!(lean(30.0)[0].message.starts_with("nao tips over backward from frame "), "{}", lean(30.0)[0].message);
    // Of a robot that nobody named, nothing is known.
    let sway = keys(&[(1, 0.0), (50, -40.0)]);
    assert!(found(&Context::default(), &[("LAnklePitch", 0, &sway)]).is_empty());
}

#[test]
fn what_is_only_too_fast_for_the_feet_can_be_played_slower() {
    let pepper = on(BodyKind::Pepper);
    let bow = |frames: i32| {
        let keys = keys(&[
            (1, 0.0),
            (1 + frames, -45.0),
            (1 + 2 * frames, 0.0),
            (1 + 3 * frames, -45.0),
            (1 + 4 * frames, 0.0),
        ]);
        found(&pepper, &[("HipPitch", 0, &keys)])
    };
    assert!(bow(60).is_empty(), "{:?}", bow(60));
    let fast = bow(12);
    let tips = fast.iter().find(|finding| finding.code == codes::TIPS_OVER).unwrap();
    assert!(tips.message.contains("it moves so fast that"), "{}", tips.message);
    assert!(tips.help.as_deref().unwrap().starts_with("play it "), "{tips:?}");
}

#[test]
fn what_is_much_too_fast_is_told_how_much_slower_it_would_stand() {
    // Arms and hips swing in a few frames: for a moment no weight is on the floor.
    let swing = |stretch: f64, at: [f64; 2]| {
        let [a, b] = at;
        let frames = [1.0, 5.0, 9.0, 13.0].map(|frame| (1.0 + (frame - 1.0) * stretch).round() as i32);
        keys(&[(frames[0], a), (frames[1], b), (frames[2], a), (frames[3], b)])
    };
    let played = |stretch: f64| {
        let (arms, hips) = (swing(stretch, [80.0, -100.0]), swing(stretch, [-26.0, -60.0]));
        let joints = ["LShoulderPitch", "RShoulderPitch"].map(|joint| (joint, 0, &*arms));
        let hips = ["LHipPitch", "RHipPitch"].map(|joint| (joint, 0, &*hips));
        found(&on(BodyKind::Nao), &[joints, hips].concat())
    };
    let falls = |findings: &[Diagnostic]| findings.iter().find(|finding| finding.code == codes::TIPS_OVER).cloned();
    let help = falls(&played(1.0)).unwrap().help.unwrap();
    let factor: f64 = help.strip_prefix("play it ").unwrap().strip_suffix(" times slower").unwrap().parse().unwrap();
    assert!((1.5..5.0).contains(&factor), "{help}");
    assert_eq!(falls(&played(factor.ceil())), None);
}

/// The findings about a NAO whose legs go from these angles at these frames to others: hips, knees, ankles.
fn legs_move(frames: [i32; 2], from: [f64; 3], to: [f64; 3]) -> Vec<Diagnostic> {
    let joints = ["HipPitch", "KneePitch", "AnklePitch"].into_iter().zip(from.into_iter().zip(to));
    let curves = joints.flat_map(|(joint, (from, to))| {
        ["L", "R"].map(|side| (format!("{side}{joint}"), keys(&[(frames[0], from), (frames[1], to), (150, to)])))
    });
    let curves: Vec<_> = curves.collect();
    let curves: Vec<_> = curves.iter().map(|(joint, keys)| (joint.as_str(), 0, &**keys)).collect();
    found(&on(BodyKind::Nao), &curves)
}

#[test]
fn who_sits_does_not_fall_and_is_not_checked() {
    let not_checked = |findings: &[Diagnostic], words: &str| {
        assert_eq!((findings.len(), findings[0].code), (1, codes::BALANCE_NOT_CHECKED), "{findings:?}");
        assert_eq!(findings[0].severity, Severity::Note);
        assert!(findings[0].message.contains(words), "{}", findings[0].message);
    };
    let chair = [-85.0, 85.0, 0.0];
    not_checked(&legs_move([1, 50], chair, chair), "it sits, lies, kneels or jumps all the time");
    not_checked(&legs_move([25, 50], chair, chair), "it sits, lies, kneels or jumps all the time");
    // It gets up from its chair: with its hips up it stands, and that is judged.
    let up = legs_move([1, 100], [-80.0, 120.0, -60.0], [-26.0, 40.0, -20.0]);
    assert!(up.is_empty(), "it squats, and could do so: {up:?}");
}

#[test]
fn a_squat_is_judged_as_deep_as_it_goes() {
    let standing = [-26.0, 45.0, -20.0];
    for (hip, knee) in [(-50.0, 90.0), (-55.0, 100.0), (-60.0, 110.0), (-65.0, 118.0)] {
        let findings = legs_move([25, 75], standing, [hip, knee, -20.0]);
        let falls = findings.iter().find(|finding| finding.code == codes::TIPS_OVER);
        let falls = falls.unwrap_or_else(|| panic!("{hip} {knee}: {findings:?}"));
        assert!(falls.message.starts_with("nao tips over backward"), "{}", falls.message);
        assert!(falls.help.as_deref().unwrap().starts_with("change L"), "{falls:?}");
    }
    // One whose weight stays over its feet does not fall.
    let findings = legs_move([25, 75], standing, [-75.0, 110.0, -50.0]);
    assert!(findings.iter().all(|finding| finding.code != codes::TIPS_OVER), "{findings:?}");
}

#[test]
fn a_key_on_the_first_frame_says_where_the_motion_begins() {
    // It raises its right foot, and stays on both with its weight.
    let raised = |first: i32| {
        let joints = [("RHipPitch", -26.0, -80.0), ("RKneePitch", 40.0, 100.0), ("RAnklePitch", -20.0, -20.0)];
        let curves = joints.map(|(joint, from, to)| (joint, keys(&[(first, from), (50, to)])));
        let curves: Vec<_> = curves.iter().map(|(joint, keys)| (*joint, 0, &**keys)).collect();
        found(&on(BodyKind::Nao), &curves)
    };
    for first in [1, 2] {
        let findings = raised(first);
        let falls = findings.iter().find(|finding| finding.code == codes::TIPS_OVER);
        assert!(falls.is_some_and(|falls| falls.message.contains("to the right")), "{first}: {findings:?}");
    }
    // The time is that of the run: it begins with the first frame.
    let message = &raised(1).iter().find(|finding| finding.code == codes::TIPS_OVER).unwrap().message.clone();
    let frame: f64 = message.split("from frame ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(message.contains(&format!("({:.1} s)", (frame - 1.0) / 25.0)), "{message}");
}

#[test]
fn feet_that_move_apart_on_the_floor_slide() {
    let spread = |joint: &'static str, sign: f64| (joint, keys(&[(1, 0.0), (50, sign * 12.0)]));
    let curves =
        [spread("LHipRoll", 1.0), spread("LAnkleRoll", -1.0), spread("RHipRoll", -1.0), spread("RAnkleRoll", 1.0)];
    let curves: Vec<_> = curves.iter().map(|(joint, keys)| (*joint, 0, &**keys)).collect();
    let findings = found(&on(BodyKind::Nao), &curves);
    assert_eq!(
        (findings.len(), findings[0].code, findings[0].severity),
        (1, codes::SLIDING_FEET, Severity::Note),
        "{findings:?}"
    );
}

#[test]
fn a_long_slow_lean_is_judged_too() {
    let nao = on(BodyKind::Nao);
    let keys = keys(&[(1, -19.0), (3000, -45.0), (9000, -45.0)]);
    let findings = found(&nao, &[("LAnklePitch", 0, &keys), ("RAnklePitch", 0, &keys)]);
    assert_eq!((findings.len(), findings[0].code), (1, codes::TIPS_OVER), "{findings:?}");
}

#[test]
fn feet_that_both_stand_on_an_edge_hold_the_robot_upright() {
    let spread = |joint: &'static str, to: f64| (joint, keys(&[(1, 0.0), (50, to)]));
    let curves = [spread("LHipRoll", 8.0), spread("RHipRoll", -8.0)];
    let curves: Vec<_> = curves.iter().map(|(joint, keys)| (*joint, 0, &**keys)).collect();
    let findings = found(&on(BodyKind::Nao), &curves);
    assert!(findings.iter().all(|finding| finding.severity == Severity::Note), "{findings:?}");
}

#[test]
fn joints_come_to_their_first_keys_from_where_the_robot_stands() {
    let nao = on(BodyKind::Nao);
    // The hips bow at once, the ankles follow late, from where they were.
    let hips = keys(&[(1, -26.0), (40, -32.0)]);
    let ankles = keys(&[(40, -14.0)]);
    let curves =
        [("LHipPitch", hips.clone()), ("RHipPitch", hips), ("LAnklePitch", ankles.clone()), ("RAnklePitch", ankles)];
    let curves: Vec<_> = curves.iter().map(|(joint, keys)| (*joint, 0, &**keys)).collect();
    assert!(found(&nao, &curves).is_empty(), "{:?}", found(&nao, &curves));
}

/// A timeline in which both ankles go to this angle and stay there.
fn leans_to(degrees: f64) -> Vec<Diagnostic> {
    let keys = keys(&[(1, -20.0), (100, degrees), (200, degrees)]);
    found(&on(BodyKind::Nao), &[("LAnklePitch", 0, &keys), ("RAnklePitch", 0, &keys)])
}

#[test]
fn the_lean_that_nearly_tips_the_robot_over_is_a_note() {
    // Somewhere between standing and falling it is near, and nowhere near and falling at once.
    let all: Vec<Vec<Diagnostic>> = (20..60).map(|step| leans_to(-f64::from(step))).collect();
    let codes_of = |findings: &[Diagnostic]| findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    let near = all.iter().position(|findings| codes_of(findings) == [codes::NEAR_TIPPING]).unwrap();
    let falls = all.iter().position(|findings| codes_of(findings).contains(&codes::TIPS_OVER)).unwrap();
    assert!(near < falls && all[..near].iter().all(Vec::is_empty), "{near} {falls}");
    let note = &all[near][0];
    assert_eq!(note.severity, Severity::Note);
    assert!(note.message.contains(" mm from tipping over forward at frame "), "{}", note.message);
}

#[test]
fn a_posture_that_is_too_heavy_for_a_motor_is_a_note() {
    let arm = |torque: f64| {
        let text = format!(
            "name = \"crane{torque}\"\ntorso_height = 0.1\n[[joints]]\nname = \"Boom\"\nmin = 0.0\nmax = 2.0\nspeed = 4.0\ntorque = {torque}\n\
             [[links]]\nname = \"Base\"\nmass = 20.0\n[[links]]\nname = \"Rod\"\nparent = \"Base\"\njoint = \"Boom\"\nxyz = [0.0, 0.0, 0.5]\n\
             axis = [0.0, 1.0, 0.0]\nmass = 2.0\ncenter = [0.0, 0.0, 0.3]\n\
             [[soles]]\nlink = \"Base\"\noutline = [[0.5, 0.5, -0.1], [-0.5, 0.5, -0.1], [-0.5, -0.5, -0.1], [0.5, -0.5, -0.1]]\n"
        );
        let body = boxstep_bodies::own::read("crane.toml", &text, &[], |_| Err(String::new())).unwrap();
        let boom = keys(&[(1, 0.0), (50, 90.0), (150, 90.0)]);
        found(&Context { body: Some(body), ..Context::default() }, &[("Boom", 0, &boom)])
    };
    // Held level, 2 kg at 0.3 m pull with 5.9 N·m.
    assert!(arm(8.0).is_empty(), "{:?}", arm(8.0));
    let findings = arm(5.0);
    assert_eq!((findings.len(), findings[0].code, findings[0].severity), (1, codes::OVERLOADED_MOTOR, Severity::Note));
    assert!(findings[0].message.starts_with("Boom needs "), "{}", findings[0].message);
}

#[test]
fn a_robot_that_lifts_a_foot_too_early_is_told_how_it_would_stand() {
    // It bends its left leg, and its weight stays between its feet.
    let curves = [("LKneePitch", 40.0, 74.0), ("LHipPitch", -26.0, -43.0), ("LAnklePitch", -20.0, -37.0)];
    let curves = curves.map(|(joint, from, to)| (joint, keys(&[(1, from), (50, to), (100, to)])));
    let curves: Vec<_> = curves.iter().map(|(joint, keys)| (*joint, 0, &**keys)).collect();
    let findings = found(&on(BodyKind::Nao), &curves);
    let falls = findings.iter().find(|finding| finding.code == codes::TIPS_OVER).unwrap();
    let help = falls.help.as_deref().unwrap();
    assert!(help.starts_with("bring its weight over RFoot: at frame "), "{help}");
    // The joints with which it would stand: played so, it does.
    let angles = help.split("it stands with ").nth(1).unwrap();
    assert!(angles.split(", ").all(|angle| angle.contains(" at ") && angle.ends_with('°')), "{help}");
}

#[test]
fn feet_that_turn_on_the_floor_slide() {
    // Two legs that turn about the vertical, as no joint of NAO does alone.
    let leg = |side: &str, y: f64| {
        format!(
            "[[links]]\nname = \"{side}Leg\"\nparent = \"Base\"\njoint = \"{side}Turn\"\nxyz = [0.0, {y}, -0.3]\n\
             axis = [0.0, 0.0, 1.0]\nmass = 1.0\n[[soles]]\nlink = \"{side}Leg\"\n\
             outline = [[0.1, 0.05, -0.1], [-0.1, 0.05, -0.1], [-0.1, -0.05, -0.1], [0.1, -0.05, -0.1]]\n"
        )
    };
    let joint = |side: &str| format!("[[joints]]\nname = \"{side}Turn\"\nmin = -1.0\nmax = 1.0\nspeed = 4.0\n");
    let text = format!(
        "name = \"turner\"\ntorso_height = 0.4\n{}{}[[links]]\nname = \"Base\"\nmass = 2.0\n{}{}",
        joint("L"),
        joint("R"),
        leg("L", 0.1),
        leg("R", -0.1)
    );
    let body = boxstep_bodies::own::read("turner.toml", &text, &[], |_| Err(String::new())).unwrap();
    for joint in ["LTurn", "RTurn"] {
        let turns = |degrees: f64| {
            let turn = keys(&[(1, 0.0), (50, degrees)]);
            found(&Context { body: Some(body), ..Context::default() }, &[(joint, 0, &turn)])
        };
        // Its corners are 112 mm from the middle of the sole: 10 mm are 5.1 degrees.
        assert!(turns(4.0).is_empty(), "{:?}", turns(4.0));
        let findings = turns(15.0);
        assert_eq!((findings.len(), findings[0].code), (1, codes::SLIDING_FEET), "{findings:?}");
        let words = "the feet slide or turn by 29 mm on the floor";
        assert!(findings[0].message.starts_with(words), "{}", findings[0].message);
    }
}

#[test]
fn parts_that_run_into_each_other_are_named_with_frame_and_joint() {
    let nao = on(BodyKind::Nao);
    let arm = |roll: f64| {
        let (pitch, roll) = (keys(&[(1, 83.0), (50, 83.0)]), keys(&[(1, 9.0), (50, roll), (75, 9.0)]));
        found(
            &nao,
            &[("LShoulderPitch", 0, &pitch), ("LShoulderRoll", 0, &roll), ("LElbowRoll", 0, &keys(&[(1, -2.0)]))],
        )
    };
    assert!(arm(9.0).is_empty(), "{:?}", arm(9.0));
    let findings = arm(-18.0);
    assert_eq!((findings.len(), findings[0].code, findings[0].severity), (1, codes::SELF_COLLISION, Severity::Note));
    assert!(findings[0].message.contains(" run into each other from frame "), "{}", findings[0].message);
    assert!(findings[0].message.contains(" mm at frame "), "{}", findings[0].message);
    // Of the joints of this arm one helps most.
    let help = findings[0].help.as_deref().unwrap();
    assert!(help.starts_with("change LShoulder") || help.starts_with("change LElbow"), "{help}");
}

#[test]
fn a_file_with_too_many_frames_says_so_once() {
    // Each has 190,000 keys' worth of postures or none: a budget of two hours is for one of them.
    let many: Vec<(i32, f64)> = (0..10_000).map(|key| (1 + 20 * key, -20.0 + f64::from(key % 2))).collect();
    let many = keys(&many);
    let ankles = [("LAnklePitch", 0, &*many), ("RAnklePitch", 0, &*many)];
    let one = found(&on(BodyKind::Nao), &ankles);
    let codes_of = |findings: &[Diagnostic]| findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes_of(&one), [codes::BALANCE_NOT_CHECKED], "{one:?}");
    assert_eq!(one[0].severity, Severity::Note);
}
