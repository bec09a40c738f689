//! Behavior trees on the command line: `boxstep convert tree.xml character.yaml`, `boxstep play tree.xml`.

use crate::common::{in_order, say};
use std::fs;
use tempfile::TempDir;

/// A folder with a file of these trees; the paths of the file and of what is to be written.
fn tree(xml: &str) -> (TempDir, String, String) {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tree, out) = (path("tree.xml"), path("out.yaml"));
    fs::write(&tree, xml).unwrap();
    (folder, tree, out)
}

const TWO: &str = r#"<root BTCPP_format="4">
<BehaviorTree ID="Main"><Sequence><Walk to="hall"/><Script code="x:=1"/></Sequence></BehaviorTree>
<BehaviorTree ID="Other"><Dance/></BehaviorTree>
</root>"#;

#[test]
fn a_tree_becomes_a_character_that_plays_and_what_is_lost_or_open_is_told_with_its_line() {
    let (_folder, tree, out) = tree(TWO);
    let said = say(&["convert", &tree, &out]).code(0);
    let wrote = format!("wrote {out}; leaves and conditions to be bound: 1; not carried over: 3\n");
    assert_eq!(said.out, wrote, "{}", said.err);
    for part in
        ["BS0765", "BS0766", "tree.xml:2:", "tree.xml:3:", "the tree `Other` is not used", "`Walk` is done after 1 s"]
    {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    let played = say(&["play", &out, "--virtual-time", "--for", "10", "--must-end"]).code(0);
    assert!(played.out.contains("played 1."), "{}", played.out);
}

#[test]
fn the_tree_that_is_meant_is_named_as_a_behavior_is() {
    let (_folder, tree, out) = tree(TWO);
    say(&["convert", &tree, &out, "--behavior", "Other"]).code(0);
    assert!(fs::read_to_string(&out).unwrap().contains("root: \"Other\""));
    let said = say(&["convert", &tree, &out, "--force", "--behavior", "Othr"]).code(2);
    assert!(said.err.contains("did you mean `Other`"), "{}", said.err);
}

#[test]
fn what_is_no_tree_is_refused_with_its_line_and_nothing_is_written() {
    for (xml, line, says) in [
        ("<root BTCPP_format=\"4\">\n<BehaviorTree ID=\"A\">\n<B></C>\n", "tree.xml:3:", "not XML"),
        ("<root>\n<BehaviorTree ID=\"A\"/>\n</root>", "tree.xml:2:", "0 nodes at its top"),
        ("\n<ChoregrapheProject/>", "tree.xml:2:", "begins with <root>"),
        ("", "tree.xml", "there is no <root>"),
        (
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><Sequence>\n<SubTree ID=\"A\"/></Sequence></BehaviorTree></root>",
            "character.yaml:",
            "its own descendant",
        ),
    ] {
        let (_folder, tree, out) = tree(xml);
        for args in [vec!["convert", &tree, &out], vec!["play", &tree, "--virtual-time", "--for", "1"]] {
            let said = say(&args).code(2);
            assert!(said.err.contains(line) && said.err.contains(says), "{args:?}: {}", said.err);
        }
        assert!(!fs::exists(&out).unwrap());
    }
    let (_folder, tree, out) = tree("");
    fs::write(&tree, [0x3c, 0xff]).unwrap();
    let said = say(&["convert", &tree, &out]).code(2);
    assert!(said.err.contains("byte 1 is not UTF-8"), "{}", said.err);
    let said = say(&["convert", "nowhere.xml", &out]).code(2);
    assert!(said.err.contains("nowhere.xml: no such file"), "{}", said.err);
}

#[test]
fn a_file_that_is_there_is_replaced_only_if_that_is_said() {
    let (_folder, tree, out) = tree(TWO);
    fs::write(&out, "mine").unwrap();
    say(&["convert", &tree, &out]).code(2);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    say(&["convert", &tree, &out, "--force"]).code(0);
    assert!(fs::read_to_string(&out).unwrap().starts_with("character: "));
}

#[test]
fn only_a_tree_becomes_a_character_and_one_at_a_time() {
    let (folder, tree, out) = tree(TWO);
    let said = say(&["convert", "examples/hello/behavior.xar", &out]).code(2);
    assert!(said.err.contains("a character is made from a behavior tree of BehaviorTree.CPP (.xml)"), "{}", said.err);
    let place = folder.path().to_str().unwrap();
    let said = say(&["convert", "-r", place, &format!("{place}/out"), "--to", "character"]).code(2);
    assert!(said.err.contains("one behavior tree at a time"), "{}", said.err);
    let said = say(&["convert", &tree, &format!("{place}/"), "--to", "character"]).code(2);
    assert!(said.err.contains("names a folder"), "{}", said.err);
    let other = format!("{place}/other.txt");
    say(&["convert", &tree, &other, "--to", "character"]).code(0);
}

#[test]
fn a_tree_plays_as_it_is() {
    let (_folder, tree, _) = tree(TWO);
    let said = say(&["play", &tree, "--virtual-time", "--for", "10", "--must-end"]).code(0);
    in_order(&said.err, &["BS0765", "boxstep convert"]);
    assert!(!said.err.contains("BS0766"), "{}", said.err);
    let said = say(&["play", &tree, "--virtual-time", "--for", "10", "--must-end", "--quiet"]).code(0);
    assert_eq!(said.err, "");
}
