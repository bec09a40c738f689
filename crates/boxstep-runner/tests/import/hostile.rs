//! Files that are no trees, or do harm: refused in words, with a place.

use super::{file, told};
use boxstep_runner::import::behavior_tree;
use boxstep_runner::{Rule, testing};
use proptest::prelude::*;

/// What a file is refused with.
fn refused(xml: &str) -> String {
    let imported = behavior_tree(xml, "tree.xml", None);
    assert!(imported.character.is_none(), "{xml}");
    imported.findings.last().unwrap().to_string()
}

#[test]
fn what_is_no_tree_is_refused_in_words() {
    for (xml, says) in [
        ("", "there is no <root>"),
        ("<a/>", "begins with <root>"),
        ("<root>", "ends within an element"),
        ("<root></b>", "not XML"),
        ("<root x=\"&lol;\"/>", "not XML"),
        ("<!DOCTYPE root [<!ENTITY a \"b\">]><root/>", "document type"),
        ("<root/><root/>", "a second element"),
        ("<root BTCPP_format=\"4\"/>", "there is no <BehaviorTree>"),
        (
            "<root BTCPP_format=\"4\"><include path=\"other.xml\"/><BehaviorTree ID=\"A\"><B/></BehaviorTree></root>",
            "<include>",
        ),
        (
            "<root main_tree_to_execute=\"Mian\" BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><B/></BehaviorTree></root>",
            "did you mean `Main`",
        ),
    ] {
        let told = refused(xml);
        assert!(told.contains(says), "{told}");
    }
    for (nodes, says) in [
        ("", "0 nodes at its top"),
        ("<A/><B/>", "2 nodes at its top"),
        ("<Inverter/>", "0 children, not one"),
        ("<IfThenElse><A/></IfThenElse>", "not two or three"),
        ("<Switch2 variable=\"a\"><A/></Switch2>", "1 children, not 3"),
        ("<SubTree ID=\"Mian\"/>", "did you mean `Main`"),
        ("<Sequence><SubTree ID=\"Main\"/></Sequence>", "BS0757"),
    ] {
        let told = refused(&file(nodes));
        assert!(told.contains(says), "{told}");
    }
}

#[test]
fn depth_and_what_subtrees_multiply_are_bounded() {
    let deep = file(&format!("{}<A/>{}", "<Inverter>".repeat(100), "</Inverter>".repeat(100)));
    assert!(refused(&deep).contains("more than 40 levels"));
    let tree = |n: usize| {
        format!(
            "<BehaviorTree ID=\"T{n}\"><Sequence>{}</Sequence></BehaviorTree>",
            format!("<SubTree ID=\"T{}\"/>", n + 1).repeat(10)
        )
    };
    let many: String = (0..12).map(tree).collect();
    let xml = format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"T0\">{many}<BehaviorTree ID=\"T12\"><A/></BehaviorTree></root>"
    );
    assert!(refused(&xml).contains("BS0751"));
}

#[test]
fn what_loops_multiply_is_bounded() {
    let (open, close) = (r#"<LoopInt queue="1;2;3;4;5;6;7;8;9;10" value="{x}">"#, "</LoopInt>");
    let deep = file(&format!("{}<A/>{}", open.repeat(12), close.repeat(12)));
    assert!(refused(&deep).contains("more than 100000 nodes"));
}

#[test]
fn names_that_mean_something_in_a_character_are_only_names() {
    let nodes = "<Sequence><Action ID=\"a/b: $c\" x=\"$y\" z=\"#&#10;'&quot;\"/><Action ID=\"Main\"/><Condition ID=\"$null\"/><true/></Sequence>";
    let text = super::character(&file(nodes));
    assert!(text.contains("x: \"$$y\""), "{text}");
    assert!(text.contains("Main 2"), "a slot that is named as the tree: {text}");
}

#[test]
fn findings_have_a_place() {
    let told = told(&file("<Sequence>\n  <A _post=\"x\"/>\n</Sequence>"), Rule::NotCarried);
    assert_eq!(told, ["tree.xml:4:3: warning BS0765 import-not-carried: `_post=\"x\"`: scripts after a node"]);
}

const WORDS: &[&str] = &[
    "<root BTCPP_format=\"4\">",
    "<BehaviorTree ID=\"Main\">",
    "</BehaviorTree>",
    "</root>",
    "<Sequence>",
    "</Sequence>",
    "<A/>",
    "<Parallel success_count=\"-9\" failure_count=\"99999999999\">",
    "</Parallel>",
    "<SubTree ID=\"Main\" _autoremap=\"true\" a=\"{b}\"/>",
    "<ReactiveSequence>",
    "</ReactiveSequence>",
    "<Repeat num_cycles=\"{n}\">",
    "<LoopInt queue=\"1;2;;{\" value=\"{a}\" if_empty=\"?\">",
    "</LoopInt>",
    "<Precondition if=\"$'&lt;\" else=\"RUNNING\">",
    "</Precondition>",
    "<B _skipIf=\"\" _while=\"{\" _post=\"a\"/>",
    "</Repeat>",
    "<Timeout msec=\"-5\">",
    "</Timeout>",
    "<Switch2 variable=\"{=}\" case_1=\"\">",
    "</Switch2>",
    "<TreeNodesModel>",
    "</TreeNodesModel>",
    "<Condition ID=\"$c\" x=\"\u{feff}\"/>",
    "<Action ID=\"\" y=\"{}\"/>",
    "<!-- é -->",
    "<![CDATA[",
    "&amp;",
    "<input_port name=\"a\"/>",
    "<ParallelAll max_failures=\"0\">",
    "</ParallelAll>",
];

proptest! {
    #[test]
    fn no_file_makes_it_panic(words in prop::collection::vec(0..WORDS.len(), 0..40)) {
        let xml: String = words.iter().map(|at| WORDS[*at]).collect();
        for xml in [xml.clone(), file(&xml)] {
            testing::tree_law(xml.as_bytes());
        }
    }
}

/// The seeds of the fuzzer, whole and cut off or changed anywhere.
#[test]
fn seeds_and_damaged_copies_of_them_keep_the_law() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/behavior_tree");
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(behavior_tree(std::str::from_utf8(&bytes).unwrap(), "a.xml", None).character.is_some());
        for at in 0..bytes.len() {
            testing::tree_law(&bytes[..at]);
            for byte in [b'<', b'"', b' ', b'{', b'-'] {
                let mut changed = bytes.clone();
                changed[at] = byte;
                testing::tree_law(&changed);
            }
        }
        seeds += 1;
    }
    assert!(seeds > 0);
}
