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
    let nod = keys(&[(25, 0.0), (75, 5.0)]);
    let findings = found(&on(BodyKind::Nao), &[("HeadYaww", 0, &nod)]);
    assert_eq!((findings[0].code, findings[0].severity), (codes::UNKNOWN_JOINT, Severity::Warning));
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `HeadYaw`?"));
    let legs =
        [("LKneePitch", 0, nod.as_str()), ("RKneePitch", 0, &nod), ("HeadPitch", 0, &keys(&[(25, 0.0), (75, 29.0)]))];
    let findings = found(&on(BodyKind::Pepper), &legs);
    assert_eq!(findings[0].message, "the timeline moves LKneePitch and 1 more joints that pepper does not have");
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
