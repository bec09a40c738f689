//! Matching of boxes, ports and links of two behaviors: the rules of `docs/guides/diff.md`.

use crate::common::read;
use boxstep_draw::diff::{Diff, What};

const FLOW: &str = include_str!("behaviors/flow.xar");

/// Returns a behavior with these boxes and links in its diagram.
fn behavior(inside: &str) -> String {
    format!(r#"<ChoregrapheProject xar_version="3">{}</ChoregrapheProject>"#, diagram("root", -1, inside))
}

fn diagram(name: &str, id: i32, inside: &str) -> String {
    format!(
        r#"<Box name="{name}" id="{id}" x="0" y="0"><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
        <Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>"#
    )
}

/// Returns a box with a script of these lines, a start input and an end output.
fn script(name: &str, id: i32, lines: &[&str]) -> String {
    format!(
        r#"<Box name="{name}" id="{id}" x="0" y="0"><script language="4"><content><![CDATA[{}]]></content></script>
        <Input name="in" type="1" type_size="1" nature="2" inner="0" tooltip="" id="1"/>
        <Output name="out" type="1" type_size="1" nature="1" inner="0" tooltip="" id="2"/></Box>"#,
        lines.join("\n")
    )
}

/// Returns a link from the output of one box to the input of another, for boxes made by `script`.
fn link(from: i32, to: i32) -> String {
    format!(r#"<Link inputowner="{to}" indexofinput="1" outputowner="{from}" indexofoutput="2"/>"#)
}

fn change_lines(old: &str, new: &str) -> Vec<String> {
    let (a, b) = (read(old), read(new));
    let text = Diff::new(&a, &b).text("a", "b", false);
    text.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   ")).map(|l| l.trim().to_owned()).collect()
}

#[test]
fn a_renamed_port_keeps_its_links() {
    let old = r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="3"/>"#;
    assert_eq!(FLOW.matches(old).count(), 1);
    let new = FLOW.replace(old, &old.replace("onStopped", "done"));
    assert_eq!(change_lines(FLOW, &new), ["~ output done, name: onStopped → done"]);
    // The same holds for a port of the containing box, and for a parameter.
    let touched = FLOW.replace("name=\"Touched\"", "name=\"Hit\"");
    assert_eq!(change_lines(FLOW, &touched), ["~ input Hit, name: Touched → Hit"]);
    let volume = FLOW.replace("name=\"Volume (%)\"", "name=\"Loudness\"");
    assert_eq!(change_lines(FLOW, &volume), ["~ parameter Loudness, name: Volume (%) → Loudness"]);
}

#[test]
fn the_same_id_has_precedence_over_greater_similarity() {
    let six = ["a", "b", "c", "d", "e", "f"];
    let old = behavior(&script("One", 1, &six));
    // The box with another id has the whole script, the one with the same id only five lines of it.
    let new = behavior(&(script("Two", 2, &six) + &script("Three", 1, &six[..5])));
    assert_eq!(
        change_lines(&old, &new)[..2],
        ["+ box Two added: script box, 6 script lines".to_owned(), "~ box renamed: One → Three".to_owned()]
    );
}

#[test]
fn the_same_id_is_known_again_among_very_many() {
    let all = |letter: char| {
        (0..80).map(|i| script(&format!("{letter}{i}"), i + 1, &["same", &format!("line {i}")])).collect::<String>()
    };
    let renamed = change_lines(&behavior(&all('a')), &behavior(&all('b')));
    assert_eq!(renamed.len(), 80);
    assert!(renamed.iter().all(|l| l.starts_with("~ box renamed: a")), "{renamed:?}");
}

#[test]
fn the_only_diagram_left_is_the_same_box_worked_over() {
    let inside = |names: [&str; 2]| format!("{}{}", script(names[0], 1, &["x"]), script(names[1], 2, &["y"]));
    let old = behavior(&diagram("OpenLHand", 3, &inside(["left", "wait"])));
    let new = behavior(&diagram("OpenRHand", 4, &inside(["right", "look"])));
    let lines = change_lines(&old, &new);
    assert!(lines.contains(&"~ box renamed: OpenLHand → OpenRHand".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|l| l.contains("OpenRHand added") || l.contains("OpenLHand removed")), "{lines:?}");
    // If several boxes are left, they cannot be matched.
    let two = behavior(&(diagram("A", 5, &inside(["m", "n"])) + &diagram("B", 6, &inside(["o", "p"]))));
    assert!(change_lines(&old, &two).iter().any(|l| l.starts_with("- box OpenLHand removed")));
}

#[test]
fn what_is_in_a_box_that_went_did_not_move_to_one_that_came() {
    let say = script("Say", 1, &["the script that every box of the library has, word for word"]);
    let many = |prefix: &str| (2..6).map(|i| script(&format!("{prefix}{i}"), i, &[prefix])).collect::<String>();
    let two = |names: [&str; 2], prefix: &str| {
        let inside = |name: &str| say.clone() + &many(&format!("{prefix}{name}"));
        names.map(|name| diagram(name, name.len() as i32, &inside(name))).concat()
    };
    let (a, b) = (read(&behavior(&two(["L", "LL"], "old"))), read(&behavior(&two(["RRR", "RRRR"], "new"))));
    let diff = Diff::new(&a, &b);
    assert!(diff.changes().iter().all(|c| c.what == What::Box), "{}", diff.text("a", "b", false));
    // A box that was moved to the diagram around its box is matched.
    let (old, new) = (two(["L", "LL"], "old"), two(["L", "LL"], "old").replacen(&say, "", 1) + &say);
    let (a, b) = (read(&behavior(&old)), read(&behavior(&new)));
    let diff = Diff::new(&a, &b);
    let moved: Vec<_> = diff.changes().iter().filter(|c| c.what == What::Place).collect();
    assert_eq!(moved.len(), 1, "{}", diff.text("a", "b", false));
    assert_eq!((moved[0].was.as_deref(), moved[0].path.as_str()), (Some("root/L/Say"), "root/Say"));
}

#[test]
fn a_box_that_came_does_not_take_the_links_of_one_that_went() {
    let first = script("First", 1, &["first"]);
    let old = behavior(&(first.clone() + &script("Old", 2, &["o1", "o2", "o3"]) + &link(1, 2)));
    let new = behavior(&(first + &script("New", 3, &["n1", "n2", "n3"]) + &link(1, 3)));
    let lines = change_lines(&old, &new);
    assert!(lines.contains(&"+ link First.out → New.in added".to_owned()), "{lines:?}");
    assert!(lines.contains(&"- link First.out → Old.in removed".to_owned()), "{lines:?}");
}

#[test]
fn what_is_not_seen_is_shown() {
    let value = |new: &str| change_lines(FLOW, &FLOW.replace(r#"value="2.5""#, &format!("value=\"{new}\"")));
    assert_eq!(value("2.5 "), ["~ parameter Timeout (s): 2.5 → 2.5·"]);
    assert_eq!(value("2.5&#10;"), ["~ parameter Timeout (s): 2.5 → 2.5⏎"]);
    assert_eq!(value("2.5&#9;"), ["~ parameter Timeout (s): 2.5 → 2.5␉"]);
    assert_eq!(value(""), ["~ parameter Timeout (s): 2.5 → \"\""]);
    assert_eq!(value("  "), ["~ parameter Timeout (s): 2.5 → ··"]);
    // One value contains display signs as escapes for other characters, the other contains the signs themselves.
    let sign = |text: &str| FLOW.replace(r#"value="2.5""#, &format!("value=\"{text}\""));
    assert_eq!(change_lines(&sign("·"), &sign(" ")), ["~ parameter Timeout (s): \"·\" → \" \""]);
}

#[test]
fn a_difference_far_down_a_long_text_is_in_what_is_shown() {
    let long = "word ".repeat(100);
    let edition = |end: &str| FLOW.replace(r#"value="2.5""#, &format!("value=\"{long}{end}\""));
    let lines = change_lines(&edition("here"), &edition("there"));
    assert!(lines[0].starts_with("~ parameter Timeout (s): …") && lines[0].contains(" here → …"), "{lines:?}");
    assert!(lines[0].ends_with(" there") && lines[0].chars().count() < 200, "{lines:?}");
}

#[test]
fn line_ends_of_a_script_are_told_once() {
    let lf = behavior(&script("A", 1, &["a", "b", "c"]));
    // CDATA does not preserve line ends, so they are written as character references.
    let file = |text: &str| {
        let mut file = read(&lf);
        let def = &mut file.project.root.timeline.as_mut().unwrap().layers[0].keyframes[0].diagram.boxes[0];
        def.script.as_mut().unwrap().text = text.into();
        file
    };
    let (a, b) = (file("a\nb\nc\n"), file("a\r\nb\r\nc\r\n"));
    let text = Diff::new(&a, &b).text("a", "b", false);
    assert!(text.contains("~ script Python, line ends: LF → CRLF\n"), "{text}");
    assert!(!text.contains("-a") && !text.contains('\u{fffd}'), "{text}");
    let (a, b) = (file("a\nb"), file("a\nb\n"));
    let text = Diff::new(&a, &b).text("a", "b", false);
    assert!(text.contains("      -b\n      \\ no line end at the end\n      +b\n"), "{text}");
    let (a, b) = (file("a\nb\n"), file("a\nb \n"));
    let text = Diff::new(&a, &b).text("a", "b", false);
    assert!(text.contains("      -b\n      +b·\n"), "{text}");
}
