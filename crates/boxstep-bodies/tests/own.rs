//! Custom bodies: valid and invalid files, and the resulting bodies.

use boxstep_bodies::own::{BodyFileError, BodyName, check, read};
use boxstep_bodies::{Body, BodyKind, Channel, Gait, JointKind};
use proptest::prelude::*;

/// The services that a file can list.
const SERVICES: &[&str] = &["ALAudioPlayer", "ALLeds", "ALMemory", "ALTabletService", "ALTextToSpeech"];

const ARM: &str = include_str!("../../../examples/small-arm/arm.toml");

const URDF: &str = r#"<?xml version="1.0"?>
<robot name="crane">
  <link name="base"/>
  <joint name="slew" type="continuous"><limit velocity="1.5" effort="3"/></joint>
  <joint name="boom" type="revolute"><parent link="base"/><limit lower="-0.5" upper="1.2" velocity="0.8"/></joint>
  <joint name="twin" type="revolute"><limit lower="-0.5" upper="1.2" velocity="0.8"/><mimic joint="boom"/></joint>
  <joint name="rope" type="prismatic"><limit lower="0" upper="2" velocity="1"/></joint>
  <joint name="weld" type="fixed"/>
</robot>"#;

fn alone(_: &str) -> Result<String, String> {
    Err("nothing is beside it".to_owned())
}

fn body(text: &str) -> &'static Body {
    read("arm.toml", text, SERVICES, alone).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Returns the line, the message and the hint.
fn wrong(name: &str, text: &str) -> (u32, String, Option<String>) {
    let BodyFileError { finding, sources } = *check(name, text, SERVICES, alone).unwrap_err();
    let line = finding.span.map_or(0, |span| sources.line(span.file, span.start));
    (line, finding.message.clone(), finding.help.clone())
}

#[test]
fn a_file_becomes_the_tables_that_other_robots_have() {
    let arm = body(ARM);
    assert_eq!((arm.name, arm.joints.len(), arm.build.gait), ("small-arm", 5, Gait::Fixed));
    let grip = arm.joint("Gripper").unwrap();
    assert_eq!((grip.kind, grip.min, grip.max, grip.max_speed), (JointKind::Hand, 0.0, 1.0, 4.0));
    assert_eq!(arm.joints_of("Arm").len(), 5);
    assert_eq!(arm.joints_of("Actuators"), ["Gripper"]);
    assert_eq!(arm.posture(arm.awake).unwrap().angle("Elbow"), Some(1.0));
    assert_eq!((arm.rest, arm.touch[0].device), ("Folded", "Base/Button"));
    assert_eq!(arm.led("StateLed").unwrap().device(Channel::Red), "StateLed/Led/Red/Actuator/Value");
    assert!(!arm.is_known() && BodyKind::Nao.body().is_known());
}

#[test]
fn the_same_text_is_the_same_body() {
    assert!(body(ARM) == body(ARM));
    assert!(body(ARM) != body(&ARM.replace("small-arm", "other-arm")));
}

#[test]
fn a_body_has_the_services_that_come_with_its_parts_and_those_it_names() {
    let arm = body(ARM);
    let has = ["ALMotion", "ALMemory", "ALRobotPosture", "ALLeds", "ALSensors", "ALFrameManager"];
    assert!(has.iter().all(|service| arm.offers(service)));
    let lacks = ["ALTextToSpeech", "ALNavigation", "ALTabletService", "ALFaceDetection"];
    assert!(lacks.iter().all(|service| !arm.offers(service)));
    let speaks = body(&format!("services = [\"ALTextToSpeech\"]\n{ARM}"));
    assert!(speaks.offers("ALTextToSpeech"));
    assert!(!BodyKind::Nao.body().offers("ALTabletService") && BodyKind::Pepper.body().offers("ALTabletService"));
}

#[test]
fn curves_are_renamed_scaled_mirrored_and_moved() {
    let arm = body(ARM);
    let shoulder = arm.curve("LShoulderPitch").unwrap();
    assert_eq!((shoulder.joint, shoulder.value(0.4)), ("Shoulder", 0.6));
    assert!(arm.curve("LWristYaw").unwrap().keeps_values());
    assert_eq!(arm.curve("Elbow").unwrap().joint, "Elbow", "its own joints need no word");
    assert_eq!(arm.curve("HeadYaw"), None);
}

#[test]
fn faults_are_reported_with_their_line_and_a_suggestion() {
    let change = |from: &str, to: &str| wrong("arm.toml", &ARM.replacen(from, to, 1));
    let line = |of: &str| ARM.lines().position(|l| l.contains(of)).unwrap() as u32 + 1;
    let cases = [
        ("min = -2.6", "mni = -2.6", "min = -2.6", "unknown field `mni`", Some("did you mean `min`?")),
        ("speed = 3.0", "speed = 0.0", "speed = 3.0", "must be above 0", None),
        ("max = 2.6", "max = -3", "min = -2.6", "not less than its `max`", None),
        (
            "\"Wrist\", \"Gripper\"",
            "\"Wirst\"",
            "joints = [\"Base\"",
            "no joint `Wirst`",
            Some("did you mean `Wrist`?"),
        ),
        ("awake = \"Ready\"", "awake = \"Raedy\"", "awake", "no posture `Raedy`", Some("did you mean `Ready`?")),
        ("Elbow = 1.0", "Elbow = 9.0", "Elbow = 1.0", "goes from 0 to 2.4, and not to 9", None),
        ("LWristYaw = \"Wrist\"", "LWristYaw = \"Elbow\"", "LWristYaw", "another curve moves Elbow already", None),
        ("scale = 1.5", "scael = 1.5", "scale = 1.5", "a table with `joint`, `scale`", None),
        ("name = \"Shoulder\"", "name = \"Base\"", "name = \"Shoulder\"", "another joint named `Base`", None),
        ("name = \"Shoulder\"", "name = \"Body\"", "name = \"Shoulder\"", "cannot be the name of a joint", None),
        ("name = \"small-arm\"", "name = \"nao\"", "name = \"small-arm\"", "there is a body `nao` already", None),
    ];
    for (from, to, at, message, help) in cases {
        let told = change(from, to);
        assert_eq!(told.0, line(at), "{to}: {told:?}");
        assert!(told.1.contains(message), "{to}: {told:?}");
        assert_eq!(told.2.as_deref(), help, "{to}: {told:?}");
    }
    let told = wrong("arm.toml", &format!("services = [\"ALTextToSpech\"]\n{ARM}"));
    assert_eq!((told.0, told.2.as_deref()), (1, Some("did you mean `ALTextToSpeech`?")));
    let none = wrong("arm.toml", "name = \"stone\"\n");
    assert!(none.1.contains("has no joints") && none.2.unwrap().contains("[[joints]]"));
}

#[test]
fn a_robot_description_gives_joints_limits_speeds_and_couplings() {
    let crane = read("crane.urdf", URDF, SERVICES, alone).unwrap();
    let joints: Vec<_> = crane.joints.iter().map(|j| (j.name, j.kind, j.max_speed)).collect();
    let angle = JointKind::Angle;
    assert_eq!(joints, [("slew", JointKind::Wheel, 1.5), ("boom", angle, 0.8), ("twin", angle, 0.8)]);
    assert_eq!((crane.name, crane.couplings[0].joint, crane.couplings[0].follows), ("crane", "twin", "boom"));
    assert_eq!(crane.joint("boom").map(|j| (j.min, j.max)), Some((-0.5, 1.2)));
}

#[test]
fn a_body_file_takes_the_joints_of_the_description_that_it_names() {
    let text = "name = \"crane-2\"\nurdf = \"crane.urdf\"\n[curves]\nHeadPitch = \"boom\"\n";
    let beside = |name: &str| if name == "crane.urdf" { Ok(URDF.to_owned()) } else { Err(name.to_owned()) };
    let crane = read("crane.toml", text, SERVICES, beside).unwrap();
    assert_eq!((crane.joints.len(), crane.curve("HeadPitch").unwrap().joint), (3, "boom"));
    assert_eq!(wrong("crane.toml", text).0, 2, "the line that names what is not there");
}

#[test]
fn an_invalid_description_is_refused_with_its_line() {
    let told = wrong("x.urdf", &URDF.replace("type=\"revolute\"", "type=\"revolvute\""));
    assert_eq!((told.0, told.1.as_str()), (5, "there is no `type` of joint `revolvute`"));
    assert!(wrong("x.urdf", "<html/>").1.contains("begins with <robot>"));
    assert!(wrong("x.urdf", "<!DOCTYPE robot [<!ENTITY a \"b\">]><robot name=\"a\"/>").1.contains("document type"));
    assert!(wrong("x.urdf", &URDF.replace("</robot>", "")).1.contains("ends within"));
    assert!(wrong("x.urdf", &URDF.replace("velocity=\"0.8\"", "velocity=\"fast\"")).1.contains("should be a number"));
    assert!(wrong("x.urdf", &URDF.replace("velocity=\"0.8\"", "")).1.contains("must be above 0"));
}

#[test]
fn names_of_bodies_are_those_of_robots_and_files() {
    assert_eq!(BodyName::parse("Pepper"), Ok(BodyName::Known(BodyKind::Pepper)));
    assert_eq!(BodyName::parse("nao.toml"), Ok(BodyName::File("nao.toml".into())));
    assert!(BodyName::parse("spot").unwrap_err().contains("nao, nao-v3.3, pepper, or your own file"));
    assert!(BodyName::parse(".toml").is_err());
    assert_eq!(BodyName::parse("nao6"), Ok(BodyName::Known(BodyKind::Nao)));
    for name in ["nao-v3.3", "nao33", "NAOH25V33"] {
        assert_eq!(BodyName::parse(name), Ok(BodyName::Known(BodyKind::NaoV33)), "{name}");
    }
    // Version 3.2 has other arms than those of the tables.
    assert!(BodyName::parse("nao-v3.2").is_err() && BodyName::parse("nao3").is_err());
    assert!(BodyName::parse("pepperr").is_err() && BodyName::parse("naoqi").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any file is accepted, or rejected with a position within it.
    #[test]
    fn broken_files_are_refused_and_never_panic(cut in 0..ARM.len(), instead in "\\PC{0,12}", more in 0..40usize) {
        let mut text = ARM.to_owned();
        let start = text.floor_char_boundary(cut);
        let end = text.ceil_char_boundary((start + more).min(text.len()));
        text.replace_range(start..end, &instead);
        if let Err(wrong) = check("arm.toml", &text, SERVICES, alone) {
            prop_assert!(wrong.finding.span.is_none_or(|s| s.start <= s.end && s.end as usize <= text.len()));
        }
    }

    #[test]
    fn broken_descriptions_are_refused_and_never_panic(cut in 0..URDF.len(), instead in "\\PC{0,12}", more in 0..60usize) {
        let mut text = URDF.to_owned();
        let start = text.floor_char_boundary(cut);
        let end = text.ceil_char_boundary((start + more).min(text.len()));
        text.replace_range(start..end, &instead);
        if let Err(wrong) = check("x.urdf", &text, SERVICES, alone) {
            prop_assert!(wrong.finding.span.is_none_or(|s| s.start <= s.end && s.end as usize <= text.len()));
        }
    }
}

#[test]
fn the_axis_of_a_fixed_joint_says_nothing() {
    let mast = r#"<joint name="weld" type="fixed"><parent link="base"/><child link="mast"/><axis xyz="0 0 0"/></joint></robot>"#;
    let crane = read("crane.urdf", &URDF.replace("</robot>", mast), SERVICES, alone).unwrap();
    assert!(crane.geometry.link("mast").is_some());
}
