//! The published schema says what the code reads.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use boxstep_runner::{Rule, check, json_schema};
use std::path::Path;

#[test]
fn the_published_schema_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/character.schema.json");
    let text = json_schema();
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(published == text, "{} is not up to date: BOXSTEP_BLESS=1 writes it anew", path.display());
}

/// Each of these is JSON, so that both read the same; what is wrong with the second ones is how they are written, which is all that a
/// schema knows.
#[test]
fn the_schema_and_the_reader_take_and_refuse_the_same() {
    let schema = serde_json::from_str(&json_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let main = |text: &str| format!(r#"{{"character": "A", "behaviors": {{"main": {text}}}}}"#);
    let agree = |text: &str, good: bool| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert_eq!(errors.is_empty(), good, "{text}: {errors:?}");
        let written = [Rule::UnknownKey, Rule::Missing, Rule::WrongType];
        let findings: Vec<_> = check(text, "a.json").into_iter().filter(|f| written.contains(&f.rule)).collect();
        assert_eq!(findings.is_empty(), good, "{text}: {findings:?}");
    };
    for good in [
        r#"{"say": "a"}"#,
        r#"{"say": ["a", "b"], "animated": true, "when": true, "claims": "x", "silences": ["y"]}"#,
        r#"{"priority": ["a", {"say": "b", "cooldown": 5}, {"wait": 1, "cooldown": {"seconds": 1, "timer": "t", "from": "end"}}], "interrupt": false}"#,
        r#"{"random": [{"say": "b", "weight": 2, "cooldown": 1}]}"#,
        r#"{"repeat": "a", "times": 3}"#,
        r#"{"parallel": ["a", "b"], "success": 1, "failure": "all"}"#,
        r#"{"states": {"A": null, "B": {"wait": 1}}, "transitions": [{"from": ["A"], "to": "B", "at": "exit"}, {"from": "any", "to": "A", "when": {"event": "x"}}]}"#,
        r#"{"takes": {"n": 1}, "wait": "$n"}"#,
        r#"{"queue": [{"use": "a", "with": {"x": [1]}}]}"#,
        r#"{"play": "a.xar", "parameters": {"x": 1}, "timer_at_start": "t"}"#,
        r#"{"say": "a", "when": {"all": [{"not": {"memory": "K", "less": 1}}, {"chance": 0.5, "every": 2}, {"free": "Legs"}]}}"#,
        r#"{"say": "a", "when": {"dedup": {"became": {"custom": "c", "args": {}}}, "seconds": 1}}"#,
        r#"{"say": "a", "when": {"any": [{"timer": "t", "from": 1, "unset": true}, {"elapsed": 1, "to": 2}]}}"#,
        r#"{"sequence": ["a"], "resume": true, "resume_stopped": true}"#,
        r#"{"parallel": ["a", "b"], "whole": true}"#,
        r#"{"retry": "a", "times": 3}"#,
        r#"{"retry": "a"}"#,
        r#"{"outcome": "a", "as": "opposite"}"#,
        r#"{"once": "a", "again": "failed"}"#,
        r#"{"once": "a"}"#,
        r#"{"if": {"memory": "K"}, "then": "a", "else": {"wait": 1}, "watch": true}"#,
        r#"{"if": true, "then": "a"}"#,
        r#"{"check": {"memory": "K", "at_least": 1}}"#,
        r#"{"pass": "a", "until": {"elapsed": 1}, "fails": true}"#,
        r#"{"wait": 1, "fails": true}"#,
        r#""a""#,
    ] {
        agree(&main(good), true);
    }
    for bad in [
        r#"{}"#,
        r#"{"say": 5}"#,
        r#"{"say": ""}"#,
        r#"{"say": []}"#,
        r#"{"say": "a", "odd": 1}"#,
        r#"{"say": "a", "play": "b"}"#,
        r#"{"say": "a", "cooldown": 5}"#,
        r#"{"priority": []}"#,
        r#"{"priority": [{"say": "b", "weight": 2}]}"#,
        r#"{"priority": [{"say": "b", "cooldown": {"jitter": 1}}]}"#,
        r#"{"repeat": "a", "times": 0}"#,
        r#"{"parallel": ["a"], "failure": "some"}"#,
        r#"{"states": {}, "transitions": []}"#,
        r#"{"states": {"A": null}}"#,
        r#"{"states": {"A": null}, "transitions": [{"to": "A"}]}"#,
        r#"{"wait": -1}"#,
        r#"{"queue": [{"say": "a", "takes": {}}]}"#,
        r#"{"say": "a", "when": {"sometimes": 1}}"#,
        r#"{"say": "a", "when": {"chance": 2}}"#,
        r#"{"say": "a", "when": {"dedup": true}}"#,
        r#"{"say": "a", "when": 5}"#,
        r#"{"sequence": ["a"], "resume": "always"}"#,
        r#"{"retry": "a", "times": 0}"#,
        r#"{"retry": ["a"]}"#,
        r#"{"outcome": "a"}"#,
        r#"{"outcome": "a", "as": "maybe"}"#,
        r#"{"once": "a", "again": "opposite"}"#,
        r#"{"if": true}"#,
        r#"{"then": "a"}"#,
        r#"{"if": "sometimes", "then": "a"}"#,
        r#"{"if": true, "then": "a", "otherwise": "b"}"#,
        r#"{"check": {"memory": 5}}"#,
        r#"{"check": true, "watch": true}"#,
        "5",
    ] {
        agree(&main(bad), false);
    }
    agree(
        r#"{"character": "A", "root": "a", "at_end": {"idle": "a"}, "safe": "a", "parameters": {"x": 1}, "behaviors": {"a": {"say": "b"}}}"#,
        true,
    );
    agree(r#"{"character": "A", "behaviors": {}}"#, false);
    agree(r#"{"character": "A", "at_end": "sleep", "behaviors": {"main": {"say": "b"}}}"#, false);
    agree(r#"{"behaviors": {"main": {"say": "b"}}}"#, false);
}
