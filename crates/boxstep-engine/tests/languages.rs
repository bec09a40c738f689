//! Scripts in languages that are not run (`docs/reference/python.md`).

use crate::support::*;
use boxstep_types::Value;

/// What a run tells of a box with a script in this language around a box that runs.
fn told(language: i32, text: &str) -> Vec<String> {
    let inner = boxed("In", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4);
    let outer = boxed("Old", 1, "", &flow(&inner));
    let old = outer.replacen("language=\"4\"", &format!("language=\"{language}\""), 1);
    let old = old.replacen("<![CDATA[Old]]>", &format!("<![CDATA[{text}]]>"), 1);
    let xml = root(&(old + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([(("In", "onInput_onStart"), vec![Log("in"), Out("onStopped", Value::Null)])]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    only(&lines, &[" log ", "Warning", "root/Old <", "call"])
}

/// It is said, with the box, and the box plays as one without a script: its inside starts, and it ends with it.
fn is_told(language: i32, words: &str) {
    let lines = told(language, "x = 1;");
    let warning = format!("the script is {words} and is not run: the box plays as one without a script");
    assert!(lines[0].contains(" root/Old Warning") && lines[0].contains(&warning), "{lines:#?}");
    let rest: Vec<&str> = lines[1..].iter().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(
        rest,
        ["root/Old/In call onInput_onStart", "root/Old/In log in", "root/Old < onStopped null"],
        "{lines:#?}"
    );
    let silent = told(language, " ");
    assert_eq!(silent.iter().any(|line| line.contains("Warning")), language == 3, "nothing is lost: {silent:#?}");
}

#[test]
fn cpp_is_told_and_not_run() {
    is_told(0, "C++");
}

#[test]
fn urbi_is_told_and_not_run() {
    is_told(1, "URBI");
}

#[test]
fn ruby_is_told_and_not_run() {
    is_told(2, "Ruby");
}

#[test]
fn a_dynamic_library_is_told_and_not_run_even_without_a_text() {
    is_told(3, "a dynamic library");
}

#[test]
fn qichat_is_told_and_not_run() {
    is_told(5, "QiChat");
}

#[test]
fn an_unknown_language_is_told_and_not_run() {
    is_told(7, "of an unknown language");
}
