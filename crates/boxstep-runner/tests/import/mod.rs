//! BehaviorTree.CPP files as characters: what each node becomes, and the outcomes of trees over ticks in virtual time.
#![allow(clippy::unwrap_used, unreachable_pub, reason = "a test may fail; its modules are its own")]

mod hostile;
mod mapping;
mod ticks;

use boxstep_runner::import::{Imported, behavior_tree};
use boxstep_runner::{Rule, check};

/// A file around the nodes of one tree.
fn file(nodes: &str) -> String {
    format!("<root BTCPP_format=\"4\">\n<BehaviorTree ID=\"Main\">\n{nodes}\n</BehaviorTree>\n</root>")
}

/// The character of a file, which has to be sound.
fn character(xml: &str) -> String {
    let Imported { character, findings } = behavior_tree(xml, "tree.xml", None);
    let character = character.unwrap_or_else(|| panic!("{findings:?}"));
    assert_eq!(check(&character, "a.yaml"), [], "{character}");
    character
}

/// What a tree of these nodes becomes, without what stands around it.
fn becomes(nodes: &str) -> String {
    let text = character(&file(nodes));
    let (_, text) = text.split_once("behaviors:\n").unwrap();
    let text = text.split("# Leaves of the tree").next().unwrap();
    text.lines().map(|line| line.trim_start_matches("  ").to_owned() + "\n").collect::<String>().trim().to_owned()
}

/// Findings of a rule, as they are printed.
fn told(xml: &str, rule: Rule) -> Vec<String> {
    let findings = behavior_tree(xml, "tree.xml", None).findings;
    findings.iter().filter(|finding| finding.rule == rule).map(ToString::to_string).collect()
}
