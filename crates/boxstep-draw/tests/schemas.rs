//! The published JSON Schemas are those of the code, and the output conforms to them.

use crate::common::fixture;
use boxstep_draw::diff::Diff;
use std::path::Path;

#[test]
fn the_published_schemas_are_those_of_the_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    for (name, text) in [
        ("behavior.json", boxstep_draw::json_schema()),
        ("diff.json", boxstep_draw::diff::json_schema()),
        ("character-shown.json", boxstep_draw::chart::json_schema()),
    ] {
        let path = folder.join(name);
        if std::env::var_os("BOXSTEP_BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(published == text, "{name} is not up to date: BOXSTEP_BLESS=1 writes it anew");
    }
}

#[test]
fn what_is_written_keeps_to_its_schema() {
    let validator = |schema: &str| jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let behavior = validator(&boxstep_draw::json_schema());
    for name in ["flow.xar", "dance.xar"] {
        let json = serde_json::from_str(&boxstep_draw::json(name, &fixture(name))).unwrap();
        behavior.validate(&json).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let (a, b) = (fixture("flow.xar"), fixture("dance.xar"));
    let report: serde_json::Value = serde_json::from_str(&Diff::new(&a, &b).json("a", "b")).unwrap();
    validator(&boxstep_draw::diff::json_schema()).validate(&report).unwrap_or_else(|e| panic!("{e}"));
    // The schema rejects an invalid document.
    let mut wrong = report.clone();
    wrong["changes"][0]["kind"] = "odd".into();
    assert!(!validator(&boxstep_draw::diff::json_schema()).is_valid(&wrong));
}
