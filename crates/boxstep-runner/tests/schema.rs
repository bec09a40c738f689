//! The published schema says what the code reads.

use boxstep_runner::{Finding, Rule, check, json_schema, testing};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
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

/// Whole characters: those of the examples, and those of the reference page, each key of the format among them.
fn characters() -> Vec<(String, Json)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for file in ["companion/character.yaml", "guide/character.yaml", "patrol/character.yaml", "patrol/imported.yaml"] {
        let text = std::fs::read_to_string(root.join("examples").join(file)).unwrap();
        all.push((file.to_owned(), testing::json(&text).unwrap()));
    }
    let page = std::fs::read_to_string(root.join("docs/reference/character.md")).unwrap();
    let main = |main: Json| json!({ "character": "A", "behaviors": { "main": main } });
    for (at, block) in page.split("```yaml").skip(1).enumerate() {
        let (of, text) = block.split_once('\n').unwrap();
        let Some(json) = testing::json(text.split("```").next().unwrap()) else { continue };
        let whole = match of.trim() {
            "" => json,
            "behavior" => main(json),
            "behaviors" => json!({ "character": "A", "behaviors": json }),
            "condition" => main(json!({ "say": "a", "when": json })),
            _ => continue,
        };
        all.push((format!("example {at} of the page"), whole));
    }
    assert!(all.len() > 20);
    all
}

/// What the reader says of how a file is written, but for what a schema does not know: what names and ranges mean.
fn written(findings: &[Finding]) -> Vec<&Finding> {
    let meaning =
        ["never true", "children", "Service.method", "has to be given a value", "is not a valid name", "two kinds"];
    let rules = [Rule::UnknownKey, Rule::Missing, Rule::WrongType];
    let is_written = |f: &&Finding| rules.contains(&f.rule) && !meaning.iter().any(|part| f.message.contains(part));
    findings.iter().filter(is_written).collect()
}

#[test]
fn the_schema_takes_every_example() {
    let validator = jsonschema::validator_for(&serde_json::from_str(&json_schema()).unwrap()).unwrap();
    for (name, json) in characters() {
        assert_eq!(check(&json.to_string(), "a.json"), [], "{name}");
        let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

/// The places of all parts, the outer ones first.
fn places(json: &Json, here: &str, all: &mut Vec<String>) {
    all.push(here.to_owned());
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match json {
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| places(item, &format!("{here}/{at}"), all));
        }
        Json::Object(pairs) => {
            pairs.iter().for_each(|(key, item)| places(item, &format!("{here}/{}", escaped(key)), all));
        }
        _ => {}
    }
}

/// Changes one part of a character: another value, one key less, one more.
fn changed(json: &Json, at: usize, how: usize, value: &Json, key: &str) -> Json {
    let (mut json, mut all) = (json.clone(), Vec::new());
    places(&json, "", &mut all);
    // What a parameter has to be its place decides.
    all.retain(|place| ["/parameters/", "/takes/", "/with/"].iter().all(|inside| !place.contains(inside)));
    let part = json.pointer_mut(&all[at % all.len()]).unwrap();
    match (part, how) {
        (Json::Object(pairs), 0) if !pairs.is_empty() => {
            let gone = pairs.keys().nth(at % pairs.len()).unwrap().clone();
            pairs.remove(&gone);
        }
        (Json::Object(pairs), 1) => drop(pairs.insert(key.to_owned(), value.clone())),
        (Json::Array(items), 0) if !items.is_empty() => drop(items.remove(at % items.len())),
        (Json::Array(items), 1) => items.push(value.clone()),
        (part, _) => *part = value.clone(),
    }
    json
}

const KEYS: &[&str] = &[
    "say",
    "wait",
    "when",
    "cooldown",
    "weight",
    "takes",
    "name",
    "interrupt",
    "times",
    "until",
    "resume",
    "else",
    "with",
    "from",
    "to",
    "at",
    "equals",
    "seconds",
    "odd",
    "claims",
    "safe",
    "root",
    "at_end",
    "use",
    "parameters",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    /// What is written as the schema has it, the reader understands; and the other way round. (To a schema 2.0 is a whole number.)
    #[test]
    fn the_schema_and_the_reader_agree_on_characters_that_are_changed_anywhere(
        which in any::<prop::sample::Index>(),
        at in 0..5000_usize,
        how in 0..3_usize,
        value in prop::sample::select(vec![
            json!(null), json!(true), json!(0), json!(-1), json!(1.5), json!("a"), json!(""), json!([]), json!({}), json!(["a"]),
            json!({ "say": "a" }), json!({ "wait": 1, "weight": 2 }), json!({ "memory": "K" }), json!("end"), json!(1e300),
            json!([{ "say": "a", "cooldown": 3 }]), json!({ "seconds": 3 }), json!({ "idle": "main" }), json!([[]]),
        ]),
        key in prop::sample::select(KEYS.to_vec()),
    ) {
        thread_local! {
            static ALL: (jsonschema::Validator, Vec<(String, Json)>) =
                (jsonschema::validator_for(&serde_json::from_str(&json_schema()).unwrap()).unwrap(), characters());
        }
        ALL.with(|(validator, all)| {
            let json = changed(&all[which.index(all.len())].1, at, how, &value, key);
            let text = serde_json::to_string_pretty(&json).unwrap();
            let findings = check(&text, "a.json");
            let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
            // What stands for a parameter its place decides, which a schema does not follow.
            if errors.is_empty() {
                let right = text.contains("\"$") || written(&findings).is_empty();
                prop_assert!(right, "{text}\nthe schema takes it: {findings:?}");
            } else {
                prop_assert!(!findings.is_empty(), "{text}\nthe reader takes it: {errors:?}");
            }
            Ok(())
        })?;
    }
}
