//! `boxstep retarget`: what is written, what is said, what is refused.

use crate::common::{Said, root, say, xar};
use std::fs;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::TempDir::new().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a dance of NAO, with comments, unknown content and an odd layout.
    fn dance(&self) -> String {
        let path = self.at("dance.xar");
        fs::write(&path, DANCE).unwrap();
        path
    }
}

const DANCE: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
  <Box name="root" id="-1"><!-- mine -->
    <Timeline enable="1" fps="25" start_frame="1" end_frame="60" size="60" own='x'>
      <BehaviorLayer name="layer">
        <BehaviorKeyframe name="begin" index="1"><bitmap/><Diagram scale="1"/></BehaviorKeyframe>
        <BehaviorKeyframe name="raised" index="15"><Diagram scale="1"/></BehaviorKeyframe>
      </BehaviorLayer>
      <ActuatorList model="">
        <ActuatorCurve name="value" actuator="HeadYaw"  mute="0" unit="0"><Key frame="5" value="10.50"/></ActuatorCurve>
        <ActuatorCurve name="value" actuator="LShoulderPitch" mute="0" unit="0">
          <Key frame="5" value="90"/>
          <Key frame="15" value="-27"/><!-- up -->
          <Key frame="40" value="90"/>
        </ActuatorCurve>
        <ActuatorCurve name="value" actuator="LHipPitch" mute="0" unit="0"><Key frame="1" value="-26"/><Key frame="50" value="-46"/></ActuatorCurve>
        <ActuatorCurve name="value" actuator="RHipPitch" mute="0" unit="0"><Key frame="1" value="-26"/><Key frame="50" value="-46"/></ActuatorCurve>
      </ActuatorList>
    </Timeline>
  </Box>
</ChoregrapheProject>
"#;

fn ok(args: &[&str]) -> Said {
    say(args).code(0)
}

#[test]
fn only_what_moves_differently_changes_in_the_file() {
    let place = Place::new();
    let dance = place.dance();
    let said = ok(&["retarget", &dance, "--to", "pepper"]).out;
    let written = place.at("dance-pepper.xar");
    assert!(said.ends_with(&format!("wrote {written}\n")), "{said}");
    for part in
        ["from nao (", "HipPitch", "torso forward", "LShoulderPitch turns no faster", "frames 5 to 15 are 5 to 16"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(fs::read_to_string(&dance).unwrap(), DANCE, "the input stays");
    let new = fs::read_to_string(&written).unwrap();
    let changed = [
        (r#"end_frame="60" size="60""#, r#"end_frame="61" size="61""#),
        (r#"index="15""#, r#"index="16""#),
        (r#"model="""#, r#"model="juliette""#),
        (r#"<Key frame="15" value="-27"/>"#, r#"<Key frame="16" value="-27"/>"#),
        (r#"<Key frame="40" value="90"/>"#, r#"<Key frame="41" value="90"/>"#),
    ];
    let expected = changed.iter().fold(DANCE.to_owned(), |text, (old, new)| text.replace(old, new));
    let lines = |text: &str, word: &str| -> Vec<String> {
        let begin = text.lines().filter(|line| !line.contains(word)).map(str::to_owned);
        begin.collect()
    };
    let [mut old, kept] = [lines(&expected, "HipPitch"), lines(&new, "no such word")];
    old.retain(|line| !kept.contains(line));
    assert!(old.is_empty(), "not in the new file: {old:?}\n{new}");
    assert!(new.contains(r#"actuator="HipPitch""#) && !new.contains("LHipPitch"), "{new}");
    // The new file is as any other: check finds the content that is not known, and nothing else.
    assert!(ok(&["check", &written, "--body", "pepper"]).out.contains("0 errors, 1 warning in 1 behavior"));
    ok(&["play", &written, "--virtual-time", "--scripts", "off"]);
    let back = place.at("back.xar");
    ok(&["retarget", &written, "--to", "nao", "-o", &back]);
    assert!(fs::read_to_string(back).unwrap().contains(r#"actuator="LAnklePitch""#));
}

#[test]
fn json_has_every_key() {
    let place = Place::new();
    let out = place.at("new.xar");
    let said = ok(&["retarget", &place.dance(), "--to", "pepper", "-o", &out, "--format", "json"]).out;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let timeline = &said["timelines"][0];
    assert_eq!((&said["from"], &said["to"], &timeline["box"]), (&"nao".into(), &"pepper".into(), &"root".into()));
    let joints = timeline["joints"].as_array().unwrap();
    let arm = joints.iter().find(|joint| joint["joint"] == "LShoulderPitch").unwrap();
    assert_eq!(arm["keys"][1], serde_json::json!({"frame": 15, "new_frame": 16, "wanted": -27.0, "given": -27.0}));
    assert_eq!(timeline["stretched"][0]["joint"], "LShoulderPitch");
}

/// A dance of NAO on the robots of examples/bodies: written, checked for its balance, played.
#[test]
fn robots_of_other_makers_wave_and_stay_on_their_feet() {
    let place = Place::new();
    for (robot, arm) in [
        ("booster-t1", "Right_Shoulder_Pitch"),
        ("robotis-op3", "r_sho_pitch"),
        ("unitree-g1", "right_shoulder_pitch_joint"),
    ] {
        let body = root().join(format!("examples/bodies/{robot}.toml")).to_str().unwrap().to_owned();
        let out = place.at(&format!("{robot}.xar"));
        let said = ok(&["retarget", "examples/hello", "--to", &body, "-o", &out]).out;
        assert!(said.contains(arm) && said.contains("right hand"), "{robot}: {said}");
        ok(&["check", &out, "--body", &body, "--deny", "tips-over"]);
        assert!(ok(&["plot", &out, "--body", &body]).out.contains(arm), "{robot}");
        // As NAO does, it waves while it speaks.
        let played = ok(&["play", &out, "--body", &body, "--virtual-time", "--scripts", "off", "--joints", "10"]).out;
        assert!(played.contains(arm), "{robot}: {played}");
    }
    // One that leans too far does tip over.
    let body = root().join("examples/bodies/booster-t1.toml").to_str().unwrap().to_owned();
    let lean = place.at("lean.xar");
    let ankle = |side: &str| {
        format!(
            r#"<ActuatorCurve name="value" actuator="{side}_Ankle_Pitch" mute="0" unit="0"><Key frame="1" value="-11"/><Key frame="50" value="-40"/><Key frame="100" value="-40"/></ActuatorCurve>"#
        )
    };
    let text = format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1" fps="25"><ActuatorList model="booster-t1">{}{}</ActuatorList></Timeline></Box></ChoregrapheProject>"#,
        ankle("Left"),
        ankle("Right"),
    );
    fs::write(&lean, text).unwrap();
    let said = say(&["check", &lean, "--body", &body, "--deny", "tips-over"]).code(1);
    assert!(said.out.contains("booster-t1 tips over forward"), "{}", said.out);
}

#[test]
fn what_tips_over_is_said_and_written() {
    let place = Place::new();
    let path = place.at("lean.xar");
    let curve = |joint: &str, to: i32| {
        format!(
            r#"<ActuatorCurve name="value" actuator="{joint}" mute="0" unit="0"><Key frame="1" value="0"/><Key frame="25" value="{to}"/><Key frame="200" value="{to}"/></ActuatorCurve>"#
        )
    };
    let text = format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1" fps="25"><ActuatorList model="juliette">{}{}</ActuatorList></Timeline></Box></ChoregrapheProject>"#,
        curve("LShoulderPitch", 0),
        curve("HipPitch", -59),
    );
    fs::write(&path, text).unwrap();
    let out = place.at("nao.xar");
    let said = ok(&["retarget", &path, "--to", "nao", "-o", &out]);
    assert!(said.out.contains("torso forward") && said.out.contains("LAnklePitch"), "{}", said.out);
}

#[test]
fn bad_usage_has_an_error_and_writes_nothing() {
    let place = Place::new();
    let dance = place.dance();
    let refused = |args: &[&str], why: &str| {
        let said = say(args).code(2);
        assert!(said.err.contains(why), "{args:?}: {}", said.err);
    };
    refused(&["retarget", &dance, "--to", "nao"], "is for nao already (it moves LHipPitch");
    refused(&["retarget", &dance, "--to", "pepper", "-o", &dance, "--force"], "is the input, which is not changed");
    refused(&["retarget", &dance, "--to", "pepper", "-o", &place.at("new.crg")], "the result is a .xar");
    refused(&["retarget", &dance, "--to", "peper"], "there is no body `peper`");
    refused(&["retarget", &dance, "--to", &place.at("none.urdf")], "cannot be read");
    let body = place.at("bad.toml");
    fs::write(&body, "name = \"x\"\n[[joints]]\nname = \"A\"\nmni = 1.0\nspeed = 1.0\n").unwrap();
    refused(&["retarget", &dance, "--to", &body], "bad.toml:4:1");
    let broken = place.at("broken.xar");
    fs::write(&broken, "<ChoregrapheProject xar_version=\"3\">\n<Box></Bx>").unwrap();
    refused(&["retarget", &broken, "--to", "pepper"], "broken.xar:2:");
    let still = place.at("still.xar");
    fs::write(&still, xar::behavior(&xar::ports(), "")).unwrap();
    refused(&["retarget", &still, "--to", "pepper"], "no timeline in it has a curve");
    ok(&["retarget", &dance, "--to", "pepper"]);
    refused(&["retarget", &dance, "--to", "pepper"], "dance-pepper.xar");
    ok(&["retarget", &dance, "--to", "pepper", "--force"]);
}
