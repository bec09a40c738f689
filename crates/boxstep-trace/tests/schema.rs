//! The JSON Schema of traces matches the lines that are written.

use serde_json::Value;
use std::fs;
use std::path::Path;

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Sorts `required`, whose order depends on features of other crates.
fn sort(schema: &mut Value) {
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.sort_by_key(ToString::to_string);
    }
    match schema {
        Value::Array(all) => all.iter_mut().for_each(sort),
        Value::Object(all) => all.values_mut().for_each(sort),
        _ => {}
    }
}

#[test]
fn the_documented_schema_is_that_of_the_types() {
    let mut made = serde_json::to_value(boxstep_trace::schema()).unwrap();
    sort(&mut made);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/trace.schema.json");
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        fs::write(&path, format!("{made:#}\n")).unwrap();
    }
    let documented: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(documented == made, "BOXSTEP_BLESS=1 writes {}", path.display());
}

#[test]
fn every_line_that_was_ever_written_is_valid_and_others_are_not() {
    let schema = serde_json::to_value(boxstep_trace::schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in ["headers", "events", "footers"] {
        for line in file(&format!("tests/recordings/{name}.jsonl")).lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            assert!(validator.is_valid(&value), "{line}");
        }
    }
    for line in [
        r#"{"n":1,"t":2,"cause":0,"kind":"box","phase":"dreaming"}"#,
        r#"{"n":1,"t":2,"cause":0,"kind":"input","value":1}"#,
        r#"{"n":"1","t":2,"cause":0,"kind":"call","method":"x"}"#,
        r#"{"product":"x"}"#,
    ] {
        assert!(!validator.is_valid(&serde_json::from_str(line).unwrap()), "{line}");
    }
}
