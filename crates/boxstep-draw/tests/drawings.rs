//! Every format of two small behaviors, stored in `tests/golden`, and their required contents.

use crate::common;
use crate::common::{fixture, golden, nao, nothing_is_wide, well_formed};
use boxstep_bodies::BodyKind;
use boxstep_draw::plot::{Plot, PlotError};
use boxstep_draw::{Level, LevelError, MotionNotes, dot, json, legend, mermaid, motion_notes, page, svg};

#[test]
fn every_form_is_as_it_was() {
    for name in ["flow", "dance"] {
        let file = fixture(&format!("{name}.xar"));
        let level = Level::root(&file.project);
        golden(&format!("{name}.svg"), &svg(&level, nao()));
        golden(&format!("{name}.html"), &page(name, &file.project, &level, nao()));
        golden(&format!("{name}.dot"), &dot(&level));
        golden(&format!("{name}.mmd"), &mermaid(&level));
        golden(&format!("{name}.json"), &json(name, &file));
    }
    let dance = fixture("dance.xar");
    let plot = Plot::new(&dance.project, &Level::root(&dance.project), nao(), &[]).unwrap();
    golden("dance-plot.svg", &plot.svg("dance"));
    golden("dance-plot.html", &plot.html("dance"));
    golden("dance-plot.txt", &plot.text(100));
    golden("dance-timeline.svg", &svg(&Level::find(&dance.project, "root/Dance").unwrap(), nao()));
}

#[test]
fn drawings_are_well_formed_and_say_in_words_what_they_show() {
    let file = fixture("flow.xar");
    let drawing = svg(&Level::root(&file.project), nao());
    well_formed(&drawing);
    let texts = quick_xml::escape::unescape(&drawing).unwrap();
    for words in [
        "Ask \"who\" & <why>",
        "input onStart (start, bang)",
        "input Touched (memory FrontTactilTouched, dynamic)",
        "Ask \"who\" & <why>.answer → Answer.text",
        "parameter Volume (%) = 50 (int, 0 to 100)",
        "1 broken link",
    ] {
        assert!(texts.contains(words), "{words} is not in {texts}");
    }
    well_formed(&legend());
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing() {
    let file = fixture("flow.xar");
    let page = page("flow", &file.project, &Level::root(&file.project), nao());
    well_formed(&page);
    assert!(page.contains("default-src &#39;none&#39;"));
    for word in ["<script", "<link", "<img", "src=", "@import", "url(", "http:", "https:"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
    // Each link has a target on the page.
    for target in page.split("href=\"#").skip(1).map(|r| r.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
}

#[test]
fn what_the_editor_hides_is_in_no_form() {
    let file = fixture("flow.xar");
    let level = Level::root(&file.project);
    let all = [
        svg(&level, nao()),
        page("flow", &file.project, &level, nao()),
        json("flow", &file),
        boxstep_draw::tree(&file.project),
    ];
    assert!(
        all.iter().all(|text| !text.contains("hidden\"") && !text.contains(">hidden<") && !text.contains("= hidden"))
    );
}

#[test]
fn a_level_is_named_by_its_path() {
    let flow = fixture("flow.xar");
    let inner = svg(&Level::find(&flow.project, "root/Answer").unwrap(), nao());
    assert!(inner.contains(">Say</text>") && !inner.contains("Ask"));
    // A box without contents is drawn as its parent's diagram shows it.
    let leaf = svg(&Level::find(&flow.project, "root/Answer/Say").unwrap(), nao());
    assert!(leaf.contains(">Say</text>") && leaf.contains("onStopped"));
    let dance = fixture("dance.xar");
    let one = dot(&Level::find(&dance.project, "root/Dance/@words:later").unwrap());
    assert!(one.contains("words: later (40)") && !one.contains("words: start (1)"), "{one}");
    assert!(matches!(Level::find(&flow.project, "root/Nobody"), Err(LevelError::Find(_))));
    assert!(matches!(Level::find(&flow.project, "root//x"), Err(LevelError::Path(_))));
}

#[test]
fn joints_are_chosen_by_name_or_chain() {
    let dance = fixture("dance.xar");
    let plot = |joints: &[&str]| {
        let joints: Vec<String> = joints.iter().map(|j| (*j).to_owned()).collect();
        Plot::new(&dance.project, &Level::root(&dance.project), nao(), &joints)
    };
    assert_eq!(plot(&[]).unwrap().len(), 2);
    assert_eq!(plot(&["HeadYaw"]).unwrap().len(), 1);
    assert_eq!(plot(&["Head"]).unwrap().len(), 1);
    let known = vec!["HeadYaw".to_owned(), "LHand".to_owned(), "balance".to_owned(), "torque".to_owned()];
    assert_eq!(plot(&["LKneePitch"]).err(), Some(PlotError::NoJoint("LKneePitch".to_owned(), known)));
    let flow = fixture("flow.xar");
    assert!(matches!(
        Plot::new(&flow.project, &Level::root(&flow.project), nao(), &[]).err(),
        Some(PlotError::NoCurves(_))
    ));
}

#[test]
fn a_curve_beyond_the_limits_says_by_how_much() {
    let curve = |keys: &str, joint: &str| {
        let xar = format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1"><ActuatorList model="nao">
            <ActuatorCurve name="value" actuator="{joint}" mute="0" unit="0">{keys}</ActuatorCurve></ActuatorList></Timeline></Box></ChoregrapheProject>"#
        );
        let file = common::read(&xar);
        Plot::new(&file.project, &Level::root(&file.project), nao(), &[]).unwrap().text(80)
    };
    // The head turns by 119.5° at most.
    let far = curve(r#"<Key frame="1" value="0"/><Key frame="20" value="129.5"/>"#, "HeadYaw");
    assert!(far.contains("HeadYaw  0° … 129.5°  10° beyond limits"), "{far}");
    let near = curve(r#"<Key frame="1" value="0"/><Key frame="20" value="119"/>"#, "HeadYaw");
    assert!(!near.contains("beyond"), "{near}");
    let hand = curve(r#"<Key frame="1" value="0"/><Key frame="20" value="0.8"/>"#, "RHand");
    assert!(hand.contains("RHand  0 … 0.8\n"), "{hand}");
}

/// Returns a behavior that is a timeline with one curve.
fn curve(joint: &str, keys: &str) -> boxstep_format::XarFile {
    curves(&format!(r#"<ActuatorCurve name="value" actuator="{joint}" mute="0" unit="0">{keys}</ActuatorCurve>"#))
}

fn curves(curves: &str) -> boxstep_format::XarFile {
    common::read(&format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1"><ActuatorList model="nao">
        {curves}</ActuatorList></Timeline></Box></ChoregrapheProject>"#
    ))
}

#[test]
fn segments_that_are_too_fast_are_named() {
    // The curve turns by 60° in two frames of 1/25 s, and slowly afterwards; the head's maximum speed is 474°/s.
    let keys = r#"<Key frame="1" value="0"/><Key frame="3" value="60"/><Key frame="100" value="0"/>"#;
    let file = curve("HeadYaw", keys);
    let fast = motion_notes(&Level::root(&file.project), nao()).fast;
    assert_eq!(fast.iter().map(|one| (&*one.joint, one.from, one.to)).collect::<Vec<_>>(), [("HeadYaw", 1.0, 3.0)]);
    assert!(fast[0].words.starts_with("frames 1 to 3: ") && fast[0].words.ends_with("the joint can do 474°/s"));
    let slow = curve("HeadYaw", r#"<Key frame="1" value="0"/><Key frame="100" value="60"/>"#);
    assert_eq!(motion_notes(&Level::root(&slow.project), nao()).fast, []);
    assert_eq!(motion_notes(&Level::root(&fixture("flow.xar").project), nao()), MotionNotes::default());
}

#[test]
fn the_numbers_of_a_terminal_chart_are_those_of_their_rows() {
    let file = curve("LHand", r#"<Key frame="1" value="0"/><Key frame="20" value="3"/>"#);
    let text = Plot::new(&file.project, &Level::root(&file.project), nao(), &[]).unwrap().text(80);
    let rows: Vec<&str> = text.lines().skip(3).take(8).collect();
    let label = |row: &str| row.chars().skip(36).collect::<String>().trim().to_owned();
    let labels: Vec<String> = rows.iter().map(|r| label(r)).collect();
    // The curve's maximum is at the top, the limit at a third of the height.
    assert_eq!(labels.iter().filter(|l| !l.is_empty()).collect::<Vec<_>>(), ["3", "1", "0"], "{text}");
    assert_eq!((labels[0].as_str(), labels[7].as_str()), ("3", "0"));
    assert_eq!(labels.iter().position(|l| l == "1"), Some(5), "{text}");
}

#[test]
fn hands_are_read_in_hundredths() {
    let file = curve("RHand", r#"<Key frame="1" value="0.25"/><Key frame="20" value="1.04"/>"#);
    let level = Level::root(&file.project);
    let plot = Plot::new(&file.project, &level, nao(), &[]).unwrap();
    for text in [plot.text(80), plot.svg("x"), plot.html("x")] {
        assert!(text.contains("0.04 beyond") && !text.contains("0 beyond the"), "{text}");
    }
    assert!(plot.html("x").contains("0.25") && svg(&level, nao()).contains("0.25 … 1.04"));
    assert!(svg(&level, nao()).contains("RHand: 2 keys, 0.25 to 1.04, beyond the joint&#39;s limits"));
}

#[test]
fn a_margin_is_drawn_where_the_robot_tips_over_and_not_where_it_stands() {
    let lean = |degrees: i32| {
        let keys = format!(r#"<Key frame="1" value="-19"/><Key frame="50" value="{degrees}"/>"#);
        curve("LAnklePitch", &keys)
    };
    let plot = |degrees: i32, joints: &[String]| {
        let file = lean(degrees);
        Plot::new(&file.project, &Level::root(&file.project), nao(), joints).map(|plot| plot.text(80))
    };
    let text = plot(-60, &[]).unwrap();
    assert!(text.contains("balance  -") && text.contains("tips over") && text.contains(" mm"), "{text}");
    assert!(!plot(-19, &[]).unwrap().contains("balance"));
    assert!(!plot(-60, &["balance".to_owned()]).unwrap().contains("LAnklePitch"));
    // Whoever asks for it sees it, however large it is.
    assert!(
        plot(-19, &["balance".to_owned()]).unwrap().contains("balance  7"),
        "{:?}",
        plot(-19, &["balance".to_owned()])
    );
    let file = lean(-60);
    let drawn = Plot::new(&file.project, &Level::root(&file.project), nao(), &[]).unwrap();
    assert!(drawn.svg("x").contains("the robot tips over where it is below 0"));
    let balance = motion_notes(&Level::root(&file.project), nao()).balance;
    assert!(balance.len() > 30 && balance[0].1 > 20.0 && balance.last().unwrap().1 < 0.0, "{balance:?}");
    assert_eq!(motion_notes(&Level::root(&lean(-19).project), nao()).balance, []);
}

#[test]
fn where_the_balance_is_not_judged_its_curve_has_a_gap_that_is_named() {
    // It sits down on the floor, as in the posture `Sit`, and gets up again.
    let joint = |name: &str, [up, down]: [f64; 2]| {
        let keys = [(1, up), (40, down), (60, down), (100, up)];
        let keys: String =
            keys.iter().map(|(frame, value)| format!(r#"<Key frame="{frame}" value="{value}"/>"#)).collect();
        format!(r#"<ActuatorCurve name="value" actuator="{name}" mute="0" unit="0">{keys}</ActuatorCurve>"#)
    };
    let legs = [("HipYawPitch", [0.0, -34.8]), ("HipPitch", [-26.0, -87.9]), ("KneePitch", [40.0, 80.0])];
    let legs = legs.into_iter().chain([("AnklePitch", [-20.0, 48.3])]);
    let legs = legs.flat_map(|(name, angles)| ["L", "R"].map(|side| joint(&format!("{side}{name}"), angles)));
    let rolls = [joint("LHipRoll", [0.0, 15.2]), joint("RHipRoll", [0.0, -15.2])];
    let file = curves(&legs.chain(rolls).collect::<String>());
    let drawn = |joints: &[String]| Plot::new(&file.project, &Level::root(&file.project), nao(), joints).unwrap();
    let plot = drawn(&["balance".to_owned()]);
    for text in [plot.text(80), plot.svg("x"), plot.html("x")] {
        assert!(text.contains("not judged at frames "), "{text}");
    }
    let svg = plot.svg("x");
    let path = svg.split(r#"class="curve" d=""#).nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(path.matches('M').count(), 2, "{path}");
}

#[test]
fn torques_are_drawn_against_their_motors_if_asked_for_or_if_too_large() {
    let plot = |joint: &str, to: f64, body, joints: &[&str]| {
        let keys =
            format!(r#"<Key frame="1" value="0"/><Key frame="25" value="{to}"/><Key frame="100" value="{to}"/>"#);
        let (file, joints) = (curve(joint, &keys), joints.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        Plot::new(&file.project, &Level::root(&file.project), body, &joints)
    };
    // NAO holds its arm: nothing is to be said of it, but it can be seen.
    assert!(!plot("LShoulderPitch", 0.0, nao(), &[]).unwrap().text(80).contains("torque"));
    let arm = plot("LShoulderPitch", 0.0, nao(), &["LShoulderPitch torque"]).unwrap();
    assert_eq!(arm.len(), 1);
    let (text, svg, html) = (arm.text(80), arm.svg("x"), arm.html("x"));
    assert!(text.contains("LShoulderPitch torque  -") && text.contains("N·m"), "{text}");
    assert!(text.contains("1.33 N·m") && text.contains("-1.33 N·m"), "the motor has 1.329 N·m: {text}");
    assert!(svg.contains("LShoulderPitch torque: -") && !svg.contains("too much"), "{svg}");
    assert!(html.contains("-1.33 N·m to 1.33 N·m"), "{html}");
    let all = plot("LShoulderPitch", 0.0, nao(), &["torque"]).unwrap();
    assert!(all.len() > 20 && !all.text(80).contains("balance"));
    // A heavy arm at a small motor is too much for it.
    let text = r#"
name = "crane"
[[joints]]
name = "Boom"
min = -1.6
max = 1.6
speed = 4.0
torque = 4.0
[[links]]
name = "Base"
mass = 20.0
[[links]]
name = "Arm"
parent = "Base"
xyz = [0.0, 0.0, 1.0]
joint = "Boom"
axis = [0.0, 1.0, 0.0]
mass = 2.0
center = [0.3, 0.0, 0.0]
[[soles]]
link = "Base"
outline = [[0.4, 0.4, 0.0], [-0.4, 0.4, 0.0], [-0.4, -0.4, 0.0], [0.4, -0.4, 0.0]]
"#;
    let crane = boxstep_bodies::own::read("crane.toml", text, &[], |_| Err(String::new())).unwrap();
    let drawn = plot("Boom", 0.0, crane, &[]).unwrap();
    assert_eq!(drawn.len(), 2);
    // 2 kg × 9.81 m/s² × 0.3 m = 5.886 N·m, with an arm that is level.
    let text = drawn.text(80);
    assert!(text.contains("Boom torque  -5.89 N·m  1.89 N·m too much"), "{text}");
    assert!(drawn.svg("x").contains("1.89 N·m too much"), "{}", drawn.svg("x"));
    assert!(plot("Boom", 0.0, crane, &["Boom"]).unwrap().len() == 1, "a joint by its name is its curve");
    let unknown = plot("Boom", 0.0, crane, &["Bom"]).err().unwrap().to_string();
    assert_eq!(unknown, "no curve moves `Bom`; there are curves for Boom, Boom torque, balance, torque");
}

#[test]
fn a_joint_that_the_body_does_not_have_is_told_as_such() {
    let file = curve("LAnklePitch", r#"<Key frame="1" value="0"/><Key frame="20" value="3"/>"#);
    let plot = Plot::new(&file.project, &Level::root(&file.project), BodyKind::Pepper.body(), &[]).unwrap();
    for text in [plot.text(80), plot.svg("x"), plot.html("x")] {
        assert!(text.contains("pepper has no such joint") && !text.contains("unknown</td>"), "{text}");
    }
}

#[test]
fn one_keyframe_is_one_keyframe_in_every_form() {
    let say = r#"<Diagram><Box name="Say" id="1" x="0" y="0"/></Diagram>"#;
    let text = include_str!("behaviors/dance.xar").replace("<Diagram/>", say);
    let file = common::read(&text);
    let project = &file.project;
    let level = Level::find(project, "root/Dance/@words:later").unwrap();
    assert_eq!(level.path().to_string(), "root/Dance/@words:later");
    let tree = boxstep_draw::tree_of(&level);
    assert!(tree.starts_with("frame 40: later\n") && !tree.contains("frame 1:"), "{tree}");
    let whole = page("x", project, &Level::find(project, "root/Dance").unwrap(), nao());
    let part = page("x", project, &level, nao());
    well_formed(&part);
    assert!(whole.contains("words: start") && whole.contains("Joint curves"));
    assert!(!part.contains("words: start") && !part.contains("Joint curves"));
    assert!(part.contains("<h2>root/Dance/@words:later</h2>"));
    assert!(svg(&level, nao()).contains("root/Dance/@words:later"));
    // The curves belong to the timeline, not to the keyframe.
    assert!(matches!(Plot::new(project, &level, nao(), &[]), Err(PlotError::NoCurves(_))));
}

#[test]
fn what_stops_a_box_is_shown_inside_only_if_something_is_linked_to_it() {
    let flow = include_str!("behaviors/flow.xar");
    let stop = r#"<Input name="halt" type="1" type_size="1" nature="3" inner="0" tooltip="" id="9"/>"#;
    let with = flow.replacen("<Output name=\"onStopped\"", &format!("{stop}<Output name=\"onStopped\""), 1);
    let drawn = |text: &str| svg(&Level::root(&common::read(text).project), nao());
    assert!(!drawn(&with).contains(">halt</text>"));
    let linked = with.replacen("outputowner=\"0\" indexofoutput=\"3\"", "outputowner=\"0\" indexofoutput=\"9\"", 1);
    assert!(drawn(&linked).contains(">halt</text>"));
}

#[test]
fn pages_are_no_wider_than_the_window() {
    for name in ["flow.xar", "dance.xar"] {
        let file = fixture(name);
        nothing_is_wide(&page("x", &file.project, &Level::root(&file.project), nao()));
    }
    let dance = fixture("dance.xar");
    nothing_is_wide(&Plot::new(&dance.project, &Level::root(&dance.project), nao(), &[]).unwrap().html("x"));
    nothing_is_wide(&boxstep_draw::diff::Diff::new(&fixture("flow.xar"), &dance).html("a", "b", nao()));
}

/// Every attribute in the model is in the JSON: another value gives another text.
#[test]
fn json_says_all_that_the_file_says() {
    let text = common::EVERYTHING;
    let as_json = |text: &str| json("x", &common::read(text));
    let before = as_json(text);
    for (from, to) in common::EDITS {
        assert!(text.contains(from), "{from}");
        // A value that the editor hides is not shown, so a change of it is not visible.
        assert_ne!(before, as_json(&text.replacen(from, to, 1)), "{from} → {to}");
    }
}
