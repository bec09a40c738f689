//! One test per rule of `docs/guides/diff.md`.

use crate::common;
use crate::common::{nao, read, well_formed};
use boxstep_draw::diff::{Change, Diff, Kind, What};

const FLOW: &str = include_str!("behaviors/flow.xar");
const DANCE: &str = include_str!("behaviors/dance.xar");

/// Returns the changes after replacing parts of a file; each part must occur.
#[track_caller]
fn after(text: &str, edits: &[(&str, &str)]) -> Vec<Change> {
    let mut new = text.to_owned();
    for (from, to) in edits {
        assert!(new.contains(from), "{from} is not in the file");
        new = new.replacen(from, to, 1);
    }
    let (a, b) = (read(text), read(&new));
    let diff = Diff::new(&a, &b);
    well_formed(&diff.html("a", "b", nao()));
    diff.changes().to_vec()
}

/// Returns the changes as displayed, without the paths.
#[track_caller]
fn change_lines(text: &str, edits: &[(&str, &str)]) -> Vec<String> {
    let mut new = text.to_owned();
    for (from, to) in edits {
        assert!(new.contains(from), "{from} is not in the file");
        new = new.replacen(from, to, 1);
    }
    let (a, b) = (read(text), read(&new));
    let text = Diff::new(&a, &b).text("a", "b", false);
    let lines = text.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    lines.map(|l| l.trim().to_owned()).collect()
}

#[test]
fn layout_and_places_in_the_file_are_no_difference() {
    for text in [FLOW, DANCE] {
        let moved = text.replace("  <", "\t\t<").replace('\n', "\r\n").replace("<![CDATA[", "\n<![CDATA[");
        let (a, b) = (read(text), read(&moved.replace("]]>\r\n", "]]>")));
        // The line ends of a script belong to the script.
        let changes = Diff::new(&a, &b);
        assert!(changes.changes().iter().all(|c| c.what == What::Script), "{:?}", changes.changes());
        let spaced = text.replace("<Link ", "\n   <Link   ");
        assert!(Diff::new(&a, &read(&spaced)).is_same());
    }
}

#[test]
fn a_box_is_known_again_after_it_was_renamed_renumbered_or_repositioned() {
    let name = r#"name="Answer" id="2""#;
    assert_eq!(change_lines(FLOW, &[(name, r#"name="Reply" id="2""#)]), ["~ box renamed: Answer → Reply"]);
    let position = r#"x="280" y="40""#;
    assert_eq!(
        change_lines(FLOW, &[(position, r#"x="300" y="44.5""#)]),
        ["~ box repositioned: (280, 40) → (300, 44.5)"]
    );
    let renumbered = FLOW.replace(name, r#"name="Answer" id="7""#).replace(r#"owner="2""#, r#"owner="7""#);
    let (a, b) = (read(FLOW), read(&renumbered));
    let diff = Diff::new(&a, &b);
    // Its links have another number, but count as the same links.
    assert_eq!(diff.changes().len(), 1, "{:?}", diff.changes());
    assert_eq!((diff.changes()[0].name.as_str(), diff.changes()[0].after.as_deref()), ("id", Some("7")));
}

#[test]
fn a_box_that_went_to_another_diagram_is_the_same_box() {
    let start = FLOW.find("                      <Box name=\"Say\"").unwrap();
    let end = FLOW[start..].find("</Box>").unwrap() + start + "</Box>\n".len();
    let say = &FLOW[start..end];
    let outer = "            <Link inputowner=\"1\" indexofinput=\"1\" outputowner=\"0\" indexofoutput=\"2\"/>\n            <Link inputowner=\"1\" indexofinput=\"2\"";
    assert!(FLOW.contains(outer));
    let new = FLOW.replacen(say, "", 1);
    let new = new.replacen(outer, &format!("{}{outer}", say.replace("id=\"1\" tooltip", "id=\"5\" tooltip")), 1);
    let (a, b) = (read(FLOW), read(&new));
    let diff = Diff::new(&a, &b);
    let places: Vec<&Change> = diff.changes().iter().filter(|c| c.what == What::Place).collect();
    assert_eq!(places.len(), 1, "{:?}", diff.changes());
    assert_eq!((places[0].path.as_str(), places[0].was.as_deref()), ("root/Say", Some("root/Answer/Say")));
    assert!(!diff.changes().iter().any(|c| c.what == What::Box));
}

#[test]
fn boxes_come_and_go_with_all_that_is_in_them() {
    let start = FLOW.find("            <Box name=\"Answer\"").unwrap();
    let end = FLOW.find("            <Link inputowner=\"1\" indexofinput=\"1\" outputowner=\"0\" indexofoutput=\"2\"/>\n            <Link").unwrap();
    let without = FLOW.replace(&FLOW[start..end], "");
    let (a, b) = (read(FLOW), read(&without));
    let boxes = |diff: &Diff<'_>| {
        let boxes = diff.changes().iter().filter(|c| c.what == What::Box);
        boxes.map(|c| (c.kind, c.path.clone())).collect::<Vec<_>>()
    };
    assert_eq!(boxes(&Diff::new(&a, &b)), [(Kind::Removed, "root/Answer".to_owned())], "what is inside goes with it");
    assert_eq!(boxes(&Diff::new(&b, &a)), [(Kind::Added, "root/Answer".to_owned())]);
}

#[test]
fn ports_parameters_and_resources_tell_old_and_new() {
    let value = r#"content_type="2" value="2.5""#;
    assert_eq!(change_lines(FLOW, &[(value, r#"content_type="2" value="3""#)]), ["~ parameter Timeout (s): 2.5 → 3"]);
    assert_eq!(change_lines(FLOW, &[(r#"max="60""#, r#"max="90""#)]), ["~ parameter Timeout (s), max: 60 → 90"]);
    assert_eq!(
        change_lines(FLOW, &[(r#"value="hidden""#, r#"value="other""#)]),
        ["~ parameter Key (not shown) changed"]
    );
    let port = r#"<Output name="maybe" type="0""#;
    assert_eq!(
        change_lines(FLOW, &[(port, r#"<Output name="maybe" type="3""#)]),
        ["~ output maybe: undefined, dynamic → undefined, string"]
    );
    assert_eq!(
        change_lines(FLOW, &[(port, r#"<Output name="perhaps" type="0""#)]),
        ["~ output perhaps, name: maybe → perhaps"]
    );
    let resource = r#"<Resource name="Speech" type="Lock" timeout="1"/>"#;
    assert_eq!(change_lines(FLOW, &[(resource, "")]), ["- resource Speech removed: lock, waits 1 s"]);
    assert_eq!(
        change_lines(FLOW, &[(r#"type="Lock" timeout="1""#, r#"type="Lock" timeout="0""#)]),
        ["~ resource Speech: lock, waits 1 s → lock, waits 0 s"]
    );
}

#[test]
fn a_link_is_added_removed_or_moved() {
    let link = r#"<Link inputowner="1" indexofinput="1" outputowner="2" indexofoutput="3"/>"#;
    let ask = "Ask \"who\" & <why>";
    assert_eq!(change_lines(FLOW, &[(link, "")]), [format!("- link Answer.onStopped → {ask}.onStart removed")]);
    let to_stop = r#"<Link inputowner="1" indexofinput="2" outputowner="2" indexofoutput="3"/>"#;
    assert_eq!(
        change_lines(FLOW, &[(link, to_stop)]),
        [format!("~ link moved: Answer.onStopped → {ask}.onStart, now Answer.onStopped → {ask}.onStop")]
    );
    let twice = format!("{link}{link}");
    assert_eq!(change_lines(FLOW, &[(link, &twice)]), [format!("+ link Answer.onStopped → {ask}.onStart added")]);
}

#[test]
fn keys_keyframes_and_settings_of_a_timeline() {
    let key = DANCE.split("<Key ").nth(1).unwrap().split('>').next().unwrap().to_owned();
    let frame = key.split("frame=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let value = key.split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let edit = |new: String| change_lines(DANCE, &[(&format!("<Key {key}>"), &format!("<Key {new}>"))]);
    assert_eq!(
        edit(key.replace(&format!("value=\"{value}\""), "value=\"33.25\"")),
        [format!("~ key HeadYaw frame {frame}: {value}° → 33.25°")]
    );
    assert_eq!(
        edit(key.replace(&format!("frame=\"{frame}\""), "frame=\"7\"")),
        [format!("~ key HeadYaw: frame {frame} → frame 7")]
    );
    assert_eq!(change_lines(DANCE, &[("fps=\"25\"", "fps=\"30\"")]), ["~ timeline frames per second: 25 → 30"]);
    assert_eq!(
        change_lines(DANCE, &[("index=\"40\"", "index=\"45\"")]),
        ["~ keyframe words:later: frame 40 → frame 45"]
    );
    assert_eq!(
        change_lines(DANCE, &[("name=\"later\"", "name=\"afterwards\"")]),
        ["~ keyframe words:afterwards, name: later → afterwards"]
    );
}

#[test]
fn many_keys_of_a_curve_are_counted_in_text_and_listed_in_json() {
    let curve = |step: i32| {
        let keys: String = (1..=40).map(|i| format!(r#"<Key frame="{}" value="{}"/>"#, i * 5, i * step)).collect();
        read(&format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="1"><ActuatorList model="">
            <ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0">{keys}</ActuatorCurve></ActuatorList></Timeline></Box></ChoregrapheProject>"#
        ))
    };
    let (a, b) = (curve(1), curve(2));
    let diff = Diff::new(&a, &b);
    assert!(diff.text("a", "b", false).contains("~ curve HeadYaw: 40 key changes, 0 keys added, 0 removed"));
    assert_eq!(diff.json("a", "b").matches("\"what\": \"key\"").count(), 40);
}

#[test]
fn a_script_tells_its_lines() {
    let changes = after(FLOW, &[("self.answer(\"1 < 2", "self.reply(\"1 < 2")]);
    assert_eq!(changes.len(), 1);
    let lines: Vec<String> = changes[0].lines.iter().map(|l| format!("{}{}", l.tag, l.text)).collect();
    assert_eq!(lines[0], " class MyClass(GeneratedClass):");
    assert!(lines[2].starts_with("-        self.answer(\"1 < 2") && lines[3].starts_with("+        self.reply("));
}

#[test]
fn another_order_of_boxes_or_links_is_told() {
    let a = r#"<Link inputowner="1" indexofinput="1" outputowner="0" indexofoutput="2"/>"#;
    let b = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="3"/>"#;
    let pair = FLOW.find(&format!("{a}\n            {b}")).map(|i| &FLOW[i..i + a.len() + b.len() + 13]).unwrap();
    let turned = format!("{b}\n            {a}");
    assert_eq!(change_lines(FLOW, &[(pair, &turned)]), ["~ the order of the links changed"]);
}

/// For every attribute in the model: if it differs, the behaviors differ.
#[test]
fn nothing_that_the_model_keeps_is_overlooked() {
    for (from, to) in common::EDITS {
        let changes = after(common::EVERYTHING, &[(from, to)]);
        assert_eq!(changes.len(), 1, "{from} → {to}: {changes:?}");
    }
}
