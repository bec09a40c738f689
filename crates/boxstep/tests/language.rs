//! The dialog language, each sentence of `docs/reference/qichat.md` as a conversation: anybody can play them with
//! `boxstep test crates/boxstep/tests/language`.

use crate::common;

/// Plays the tests of a folder; there are at least that many.
fn passes(folder: &str, least: usize, more: &[&str]) {
    let folder = format!("crates/boxstep/tests/language/{folder}");
    let said = common::say(&[&["test", &folder, "-q"], more].concat()).code(0);
    let passed = said.out.lines().last().and_then(|line| line.strip_suffix(" passed, 0 failed"));
    assert!(passed.and_then(|count| count.parse::<usize>().ok()).is_some_and(|count| count >= least), "{}", said.out);
}

#[test]
fn conversations_hold_each_rule_of_the_language() {
    passes("rules", 200, &["--scripts", "off"]);
}

#[test]
fn conversations_hold_what_scripts_do_with_the_dialog() {
    if common::has_python() {
        passes("scripts", 30, &[]);
    }
}
