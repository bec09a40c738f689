//! Where the ends of chains are, and how they are brought to places.

use crate::harness::{Harness, floats, list, near, s, strings};
use boxstep_services::SimOptions;
use boxstep_types::Value;

fn position(h: &mut Harness, name: &str, frame: i64) -> Vec<f64> {
    floats(&h.get("ALMotion.getPosition", &[s(name), frame.into(), false.into()]))
}

fn all_near(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off <= within, "{found:?} and {wanted:?}");
}

fn awake(h: &mut Harness) {
    h.takes("ALMotion.wakeUp", &[]);
}

fn straight(mut h: Harness) -> Harness {
    awake(&mut h);
    for joint in strings(&h.get("ALMotion.getBodyNames", &[s("Body")])) {
        h.get("ALMotion.setAngles", &[s(&joint), 0.0.into(), 1.0.into()]);
    }
    h.wait(5.0);
    h
}

#[test]
fn with_all_joints_at_zero_ends_are_where_the_documentation_has_them() {
    let mut h = straight(Harness::nao());
    // An elbow is never quite straight: it is bent by two degrees.
    let bent: f64 = 0.0349;
    let (x, y) = (0.105 + 0.1137 * bent.cos(), 0.113 - 0.1137 * bent.sin());
    all_near(&position(&mut h, "LArm", 0), &[x, y, 0.08769, 0.0, 0.0, -bent], 1e-4);
    all_near(&position(&mut h, "RArm", 0), &[x, -y, 0.08769, 0.0, 0.0, bent], 1e-4);
    all_near(&position(&mut h, "LLeg", 0), &[0.0, 0.05, -0.33309, 0.0, 0.0, 0.0], 1e-4);
    all_near(&position(&mut h, "Head", 0), &[0.0, 0.0, 0.1265, 0.0, 0.0, 0.0], 1e-4);
    all_near(&position(&mut h, "CameraTop", 0), &[0.05871, 0.0, 0.19014, 0.0, 0.0209, 0.0], 1e-4);
    // On the floor, in the robot's frame and in the world's.
    all_near(&position(&mut h, "RLeg", 2)[2..3], &[0.0], 1e-9);
    all_near(&position(&mut h, "Torso", 1)[2..3], &[0.33309], 1e-3);
    let transform = floats(&h.get("ALMotion.getTransform", &[s("CameraTop"), 0.into(), true.into()]));
    let (sin, cos) = 0.0209_f64.sin_cos();
    let wanted = [cos, 0.0, sin, 0.05871, 0.0, 1.0, 0.0, 0.0, -sin, 0.0, cos, 0.19014, 0.0, 0.0, 0.0, 1.0];
    all_near(&transform, &wanted, 1e-4);
}

#[test]
fn frames_differ_by_where_the_robot_has_walked() {
    for mut h in [Harness::nao(), Harness::pepper()] {
        awake(&mut h);
        let before = position(&mut h, "Head", 2);
        h.takes("ALMotion.moveTo", &[0.5.into(), 0.0.into(), 1.5.into()]);
        h.wait(2.0);
        all_near(&position(&mut h, "Head", 2), &before, 1e-9);
        let world = position(&mut h, "Head", 1);
        near((world[2] * 1e3).round(), (before[2] * 1e3).round());
        assert!(world[0] > 0.3, "{world:?}");
    }
}

#[test]
fn an_end_comes_to_a_place_that_it_can_reach() {
    for (mut h, arm) in [(Harness::nao(), "LArm"), (Harness::nao(), "RArm"), (Harness::pepper(), "RArm")] {
        awake(&mut h);
        for frame in [0, 2] {
            let from = position(&mut h, arm, frame);
            let to = [from[0] + 0.02, from[1] + 0.01, from[2] + 0.03, 0.0, 0.0, 0.0];
            let args = [s(arm), frame.into(), list(to.to_vec()), 7.into(), 1.0.into(), true.into()];
            let args = [&args[..2], &[Value::list([list(to.to_vec())])], &args[3..]].concat();
            near(h.takes("ALMotion.positionInterpolation", &args), 1.0);
            all_near(&position(&mut h, arm, frame)[..3], &to[..3], 1e-4);
            // And back, by so much.
            let back = list(vec![-0.02, -0.01, -0.03, 0.0, 0.0, 0.0]);
            let args = [s(arm), frame.into(), back, 7.into(), list([0.5]), false.into()];
            near(h.takes("ALMotion.positionInterpolation", &args), 0.5);
            all_near(&position(&mut h, arm, frame)[..3], &from[..3], 1e-4);
        }
    }
}

#[test]
fn places_and_directions_are_transforms_too() {
    let mut h = Harness::nao();
    awake(&mut h);
    h.get("ALMotion.setAngles", &[s("LArm"), list([0.9, 0.3, -0.8, -0.6, 0.2, 0.0]), 1.0.into()]);
    h.wait(5.0);
    let to = h.get("ALMotion.getTransform", &[s("LArm"), 0.into(), false.into()]);
    h.get("ALMotion.setAngles", &[s("LArm"), list([1.2, 0.1, -0.5, -0.9, 0.0, 0.0]), 1.0.into()]);
    h.wait(5.0);
    h.get("ALMotion.setTransform", &[s("LArm"), 0.into(), to.clone(), 0.5.into(), 63.into()]);
    h.wait(5.0);
    let found = floats(&h.get("ALMotion.getTransform", &[s("LArm"), 0.into(), false.into()]));
    // Five joints reach six numbers only where there is a solution near by; this one has one.
    all_near(&found, &floats(&to), 1e-2);
}

#[test]
fn two_ends_move_at_once() {
    let mut h = Harness::nao();
    awake(&mut h);
    let (left, right) = (position(&mut h, "LArm", 0), position(&mut h, "RArm", 0));
    let up =
        |from: &[f64]| Value::list([list(vec![from[0], from[1], from[2] + 0.03, 0.0, 0.0, 0.0]), list(from.to_vec())]);
    let names = list(["LArm", "RArm"]);
    let paths = Value::list([up(&left), up(&right)]);
    let times = Value::list([list([1.0, 2.0]), list([1.0, 3.0])]);
    let id = h.post("ALMotion.positionInterpolations", &[names, 0.into(), paths, 7.into(), times]);
    h.wait(1.0);
    assert!((position(&mut h, "LArm", 0)[2] - left[2] - 0.03).abs() < 1e-3);
    h.wait(2.0);
    assert!(h.done(id));
    all_near(&position(&mut h, "LArm", 0)[..3], &left[..3], 1e-3);
    all_near(&position(&mut h, "RArm", 0)[..3], &right[..3], 1e-3);
}

#[test]
fn what_is_out_of_reach_is_approached_within_the_limits() {
    let mut h = Harness::nao();
    awake(&mut h);
    let args = [s("LArm"), 0.into(), list(vec![2.0, 0.2, 0.5, 0.0, 0.0, 0.0]), 1.0.into(), 7.into()];
    h.get("ALMotion.setPosition", &args);
    h.wait(5.0);
    let end = position(&mut h, "LArm", 0);
    let from_shoulder = [end[0], end[1] - 0.098, end[2] - 0.1];
    let reach = from_shoulder.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!(reach > 0.2 && end[0] > 0.15, "{end:?}");
}

#[test]
fn a_command_that_makes_no_sense_is_refused_with_the_reason() {
    let mut h = Harness::nao();
    let to = || list(vec![0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    for (method, args, why) in [
        ("getPosition", vec![s("Nose"), 0.into(), true.into()], "`Nose`"),
        ("getPosition", vec![s("LArm"), 3.into(), true.into()], "frame is 0 (torso), 1 (world) or 2 (robot), not 3"),
        ("setPosition", vec![s("LArm"), 0.into(), list([0.1]), 0.5.into(), 7.into()], "6 numbers, not 1"),
        ("setTransform", vec![s("LArm"), 0.into(), to(), 0.5.into(), 7.into()], "12 or 16 numbers, not 6"),
        ("setPosition", vec![s("LArm"), 0.into(), to(), 0.0.into(), 7.into()], "above 0 and at most 1"),
        ("setPosition", vec![s("LArm"), 0.into(), to(), 0.5.into(), 64.into()], "sum of 1, 2, 4, 8, 16 and 32"),
        (
            "setPosition",
            vec![s("Legs"), 0.into(), to(), 0.5.into(), 7.into()],
            "Head, LArm, LLeg, RLeg, RArm, Torso, not `Legs`",
        ),
        (
            "setPosition",
            vec![s("LArm"), 0.into(), list([f64::NAN; 6]), 0.5.into(), 7.into()],
            "finite numbers, not NaN",
        ),
        (
            "setPositions",
            vec![s("LArm"), 0.into(), Value::list([to(), to()]), 0.5.into(), 7.into()],
            "not of lists: there are 2 for one end",
        ),
        (
            "setPositions",
            vec![list(["LArm", "RArm"]), 0.into(), Value::list([to()]), 0.5.into(), 7.into()],
            "argument 3 (place) has 1 entries for 2 ends",
        ),
        (
            "setPositions",
            vec![list(["LArm", "LArm"]), 0.into(), Value::list([to(), to()]), 0.5.into(), 7.into()],
            "names `LArm` twice",
        ),
        (
            "positionInterpolations",
            vec![list(["LArm"]), 0.into(), Value::list([to()]), 7.into(), list([-1.0])],
            "the times of `LArm` must be above 0",
        ),
        (
            "positionInterpolations",
            vec![list(["LArm"]), 0.into(), Value::list([Value::list([to(), to()])]), 7.into(), list([1.0])],
            "2 places and 1 times",
        ),
    ] {
        let told = h.why(&format!("ALMotion.{method}"), &args);
        assert!(told.contains(why), "{method}: {told}");
    }
}

#[test]
fn the_weight_is_put_on_a_foot() {
    let mut h = Harness::nao();
    awake(&mut h);
    let com = |h: &mut Harness| floats(&h.get("ALMotion.getCOM", &[s("Body"), 0.into(), false.into()]));
    let foot = |h: &mut Harness| position(h, "LLeg", 0);
    assert!((com(&mut h)[1] - foot(&mut h)[1]).abs() > 0.03);
    near(h.takes("ALMotion.wbGoToBalance", &[s("LLeg"), 2.0.into()]), 2.0);
    let (center, left) = (com(&mut h), foot(&mut h));
    assert!((center[1] - left[1]).abs() < 0.015, "{center:?} {left:?}");
    near(h.takes("ALMotion.wbGoToBalance", &[s("Legs"), 1.0.into()]), 1.0);
    assert!(com(&mut h)[1].abs() < 0.002);
    assert!(h.why("ALMotion.wbGoToBalance", &[s("LArm"), 1.0.into()]).contains("LLeg, RLeg or Legs"));
    let mut pepper = Harness::pepper();
    assert!(pepper.why("ALMotion.wbGoToBalance", &[s("Legs"), 1.0.into()]).contains("no legs"));
}

#[test]
fn ends_are_led_once_that_is_enabled() {
    let mut h = Harness::nao();
    awake(&mut h);
    let place = list([0.18, 0.12, 0.4]);
    assert!(h.why("ALMotion.wbEnableEffectorControl", &[s("LArm"), true.into()]).contains("wbEnable first"));
    h.get("ALMotion.wbEnable", &[true.into()]);
    assert!(h.why("ALMotion.wbSetEffectorControl", &[s("LArm"), place.clone()]).contains("wbEnableEffectorControl"));
    h.get("ALMotion.wbEnableEffectorControl", &[s("LArm"), true.into()]);
    h.get("ALMotion.wbSetEffectorControl", &[s("LArm"), place]);
    h.wait(3.0);
    all_near(&position(&mut h, "LArm", 2)[..3], &[0.18, 0.12, 0.4], 1e-3);
    h.get("ALMotion.wbEnableEffectorControl", &[s("Head"), true.into()]);
    let standing = position(&mut h, "Head", 2);
    h.get("ALMotion.wbSetEffectorControl", &[s("Head"), list([standing[3], 0.2, 0.5])]);
    h.wait(3.0);
    all_near(&position(&mut h, "Head", 2)[4..], &[0.2, 0.5], 0.02);
    h.get("ALMotion.wbEnable", &[false.into()]);
    assert!(h.why("ALMotion.wbSetEffectorControl", &[s("Head"), list([0.0; 3])]).contains("wbEnable first"));
    h.get("ALMotion.wbEnable", &[true.into()]);
    h.get("ALMotion.wbEnableEffectorControl", &[s("Head"), true.into()]);
    assert!(h.why("ALMotion.wbEnableEffectorControl", &[s("LLeg"), true.into()]).contains("Head, LArm or RArm"));
    assert!(h.why("ALMotion.wbSetEffectorControl", &[s("Head"), list([0.0, 0.0])]).contains("3 numbers"));
}

#[test]
fn a_transform_that_is_no_rotation_is_refused() {
    let mut h = Harness::nao();
    for wrong in [1e200, -1.0, 0.0, 0.5] {
        let transform = list([wrong, 0.0, 0.0, 0.2, 0.0, 1.0, 0.0, 0.1, 0.0, 0.0, 1.0, 0.0]);
        let why = h.why("ALMotion.setTransforms", &[s("LArm"), 0.into(), transform, 0.5.into(), 7.into()]);
        assert!(why.contains("rotation"), "{why}");
    }
}

#[test]
fn chains_of_ones_own_body_are_moved_to_places() {
    let joint =
        |name: &str| format!("[[joints]]\nname = \"{name}\"\nmin = -2.0\nmax = 2.0\nspeed = 3.0\ntorque = 5.0\n");
    let link = |name: &str, joint: &str, parent: &str, axis: &str| {
        format!(
            "[[links]]\nname = \"{name}\"\njoint = \"{joint}\"\nparent = \"{parent}\"\nxyz = [0.0, 0.0, 0.2]\naxis = {axis}\nmass = 0.3\n"
        )
    };
    let text = [
        "name = \"crane\"\n".to_owned(),
        ["Base", "Shoulder", "Elbow"].map(joint).concat(),
        "[[chains]]\nname = \"Arm\"\njoints = [\"Base\", \"Shoulder\", \"Elbow\"]\n".to_owned(),
        "[[links]]\nname = \"Foot\"\nmass = 2.0\n".to_owned(),
        link("Mast", "Base", "Foot", "[0.0, 0.0, 1.0]"),
        link("Boom", "Shoulder", "Mast", "[0.0, 1.0, 0.0]"),
        link("Tip", "Elbow", "Boom", "[0.0, 1.0, 0.0]"),
        "[[links]]\nname = \"Hook\"\nparent = \"Tip\"\nxyz = [0.0, 0.0, 0.1]\n".to_owned(),
    ];
    let body = boxstep_bodies::own::read("crane.toml", &text.concat(), &boxstep_bodies::own::EVERY_ROBOT, |_| {
        Err(String::new())
    });
    let body = body.unwrap_or_else(|error| panic!("{error:?}"));
    let mut h = Harness::new(SimOptions { body, ..SimOptions::default() });
    let from = position(&mut h, "Arm", 0);
    let to = list(vec![from[0] + 0.05, from[1], from[2] - 0.02, 0.0, 0.0, 0.0]);
    h.get("ALMotion.positionInterpolations", &[list(["Arm"]), 0.into(), Value::list([to]), 5.into(), list([1.0])]);
    let is = position(&mut h, "Arm", 0);
    all_near(&[is[0], is[2]], &[from[0] + 0.05, from[2] - 0.02], 1e-3);
    let why = h.why("ALMotion.setPositions", &[s("LArm"), 0.into(), list([0.0; 6]), 0.5.into(), 7.into()]);
    assert!(why.contains("are Arm, not `LArm`"), "{why}");
}
