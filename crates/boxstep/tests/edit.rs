//! `boxstep edit`: what changes in the file, what is refused, and what else is left alone.

use crate::common::{Temp, root, say, with_input};
use std::fs;
use std::path::PathBuf;

/// A copy of an example in a folder of its own.
fn hello(place: &Temp) -> PathBuf {
    fs::create_dir_all(&place.0).unwrap();
    let file = place.0.join("behavior.xar");
    fs::copy(root().join("examples/hello/behavior.xar"), &file).unwrap();
    file
}

/// The lines of the second text that the first does not have.
fn new_lines(before: &str, after: &str) -> Vec<String> {
    let old: Vec<&str> = before.lines().collect();
    after.lines().filter(|line| !old.contains(line)).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn only_the_lines_of_a_change_change() {
    let place = Temp::new("d");
    let file = hello(&place);
    let before = fs::read_to_string(&file).unwrap();
    let said = say(&["edit", place.arg(), "set", "root/Say/Text=a \"b\" <c>"]).code(0);
    assert!(said.err.contains("1 line changed"), "{}", said.err);
    let after = fs::read_to_string(&file).unwrap();
    let new = new_lines(&before, &after);
    assert_eq!(new.len(), 1);
    assert!(new[0].contains("value='a &quot;b&quot; &lt;c&gt;'") || new[0].contains("a &quot;b&quot;"), "{new:?}");
    assert_eq!(before.lines().count(), after.lines().count());
    // Undone, it is the file that it was, and nothing lies beside it.
    say(&["edit", place.arg(), "set", "Say/Text=Hello, I am a robot."]).code(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 1);
}

#[test]
fn a_dry_run_prints_a_diff_and_another_file_is_written_beside() {
    let place = Temp::new("d");
    let file = hello(&place);
    let before = fs::read_to_string(&file).unwrap();
    let said = say(&["edit", place.arg(), "connect", "Say.onStopped", "root.onStopped", "--dry-run"]).code(0);
    let added: Vec<&str> = said.out.lines().filter(|line| line.starts_with("+ ")).collect();
    assert_eq!(added.len(), 1, "{}", said.out);
    assert!(added[0].contains(r#"<Link inputowner="0" indexofinput="4" outputowner="1" indexofoutput="4" />"#));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    let out = place.0.join("other.xar");
    let out = out.to_str().unwrap();
    say(&["edit", file.to_str().unwrap(), "rename", "Wave", "Swing", "-o", out]).code(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert!(fs::read_to_string(out).unwrap().contains("name=\"Swing\""));
    say(&["edit", file.to_str().unwrap(), "rename", "Wave", "Swing", "-o", out]).code(2);
}

#[test]
fn a_list_of_operations_is_done_whole_or_not_at_all() {
    let place = Temp::new("d");
    let file = hello(&place);
    let before = fs::read_to_string(&file).unwrap();
    let ops = r#"[{"op": "add", "diagram": "root", "add": {"library": "Wait"}, "x": 10, "y": 300},
        {"op": "connect", "from": {"box": "root/Wait", "port": "timerOutput"}, "to": {"box": "root/Say", "port": "onStart"}},
        {"op": "remove", "boxes": ["root/Nothing"]}]"#;
    let said = with_input(&["edit", place.arg(), "apply", "-"], ops.as_bytes()).code(2);
    assert!(said.err.contains("there is no `Nothing` in root"), "{}", said.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    let ops = ops.replace("root/Nothing", "root/Wave");
    let said = with_input(&["edit", place.arg(), "apply", "-"], ops.as_bytes()).code(0);
    // What `check` finds now, and did not before.
    assert!(said.err.contains("no signal reaches the box \"Wait\""), "{}", said.err);
    assert!(!fs::read_to_string(&file).unwrap().contains("\"Wave\""));
    let said = with_input(&["edit", place.arg(), "apply", "-"], b"{\"op\": 1}").code(2);
    assert!(said.err.contains("no list of operations"), "{}", said.err);
}

#[test]
fn what_cannot_be_edited_says_what_to_do() {
    let place = Temp::new("d");
    let file = hello(&place);
    let archive = Temp::new("crg");
    say(&["convert", file.to_str().unwrap(), archive.arg()]).code(0);
    let split = place.0.join("split");
    say(&["convert", file.to_str().unwrap(), &format!("{}/", split.display())]).code(0);
    for (file, why) in
        [(archive.arg(), "boxstep unpack"), (split.to_str().unwrap(), "boxstep convert"), ("-", "name a file")]
    {
        let said = say(&["edit", file, "rename", "Wave", "Swing"]).code(2);
        assert!(said.err.contains(why), "{}", said.err);
    }
    let said = say(&["edit", file.to_str().unwrap(), "add", "root", "Wait", "--at", "here"]).code(2);
    assert!(said.err.contains("write X,Y"), "{}", said.err);
}

#[test]
fn a_package_has_no_drafts() {
    let place = Temp::new("d");
    let file = hello(&place);
    fs::write(place.0.join(".behavior.xar.draft"), "\"saved\"").unwrap();
    let archive = Temp::new("crg");
    say(&["pack", file.parent().unwrap().to_str().unwrap(), archive.arg()]).code(0);
    let bytes = fs::read(&archive.0).unwrap();
    let entries = boxstep_format::archive::unpack("x", &bytes, &boxstep_format::Limits::default()).unwrap();
    assert!(entries.iter().all(|entry| !entry.name.ends_with(".draft")), "a draft is packed");
}

#[test]
fn a_box_of_another_encoding_is_added() {
    let place = Temp::new("d");
    let file = hello(&place);
    let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?><ChoregrapheBox xar_version=\"3\"><Box name=\"Caf\xE9\" id=\"1\"/></ChoregrapheBox>";
    let other = place.0.join("other.xar");
    fs::write(&other, latin).unwrap();
    say(&["edit", file.to_str().unwrap(), "add", "root", other.to_str().unwrap()]).code(0);
    assert!(fs::read_to_string(&file).unwrap().contains("name=\"Café\""));
}

#[test]
fn what_check_found_before_is_not_new_in_another_box() {
    let place = Temp::new("d");
    let file = hello(&place);
    let file = file.to_str().unwrap();
    let ops = br#"[{"op": "wrap", "boxes": ["root/Diagram"], "name": "Later"}]"#;
    say(&["edit", file, "add", "root", "diagram"]).code(0);
    let said = with_input(&["edit", file, "apply", "-"], ops).code(0);
    assert!(!said.err.contains("the box \"Diagram\""), "{}", said.err);
}

#[test]
fn a_draft_of_another_version_is_moved_and_said() {
    let place = Temp::new("d");
    let file = hello(&place);
    let step =
        r#"{"step":{"label":"","ops":[{"op":"remove","boxes":["root/Gone"]}],"forward":[],"back":[],"texts":["",""]}}"#;
    let draft = place.0.join(".behavior.xar.draft");
    fs::write(&draft, format!("{{\"saved\":\"\"}}\n{step}\n")).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&draft, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let said = say(&["edit", file.to_str().unwrap(), "rename", "Wave", "Swing"]).code(0);
    assert!(said.err.contains("changes of another version of this file are now in"), "{}", said.err);
}

#[test]
fn a_project_is_changed_with_everything_that_names_a_behavior() {
    let place = Temp::new("d");
    copy(&root().join("crates/boxstep/tests/fixtures/two"), &place.0);
    let pml = place.0.join("two.pml");
    let before = fs::read_to_string(&pml).unwrap();
    let said = say(&["edit", place.arg(), "behavior", "rename", "first", "hello", "--dry-run"]).code(0);
    assert!(said.out.contains("+        <BehaviorDescription name=\"behavior\" src=\"hello\" xar=\"behavior.xar\" />"));
    assert!(said.err.contains("two.pml: would be changed"), "{}", said.err);
    assert_eq!(fs::read_to_string(&pml).unwrap(), before);
    say(&["edit", place.arg(), "behavior", "rename", "first", "hello"]).code(0);
    assert_eq!(new_lines(&before, &fs::read_to_string(&pml).unwrap()).len(), 1);
    say(&["edit", place.arg(), "behavior", "rename", "hello", "first"]).code(0);
    assert_eq!(fs::read_to_string(&pml).unwrap(), before);
    // A list of operations comes from standard input.
    let ops = r#"[{"op":"add_behavior","name":"third"},{"op":"add_dialog","name":"talk","languages":["enu"]}]"#;
    with_input(&["edit", place.arg(), "apply", "-"], ops.as_bytes()).code(0);
    assert!(place.0.join("talk/talk_enu.top").is_file());
    say(&["check", place.arg()]);
    let refused = say(&["edit", place.arg(), "behavior", "remove", "frist"]).code(2);
    assert!(refused.err.contains("no behavior `frist`"), "{}", refused.err);
    say(&["edit", place.arg(), "manifest"]).code(2);
}

/// Copies a folder.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.path().is_dir() {
            copy(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}
