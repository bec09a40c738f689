//! The published schema matches the reader.

use boxstep_test::{Suite, find};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_published_schema_is_that_of_the_code() {
    let path = root().join("docs/schemas/behavior-test.schema.json");
    let text = boxstep_test::json_schema();
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(published == text, "{} is not up to date: BOXSTEP_BLESS=1 writes it anew", path.display());
}

#[test]
fn the_schema_and_the_reader_take_and_refuse_the_same() {
    let schema = serde_json::from_str(&boxstep_test::json_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let agree = |name: &str, text: &str, good: bool| {
        let json: serde_json::Value = toml::from_str(text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert_eq!(errors.is_empty(), good, "{name}: {errors:?}");
        assert_eq!(Suite::read(Path::new(name), text).is_ok(), good, "{name}");
    };
    let examples = find(&root().join("examples"), true).unwrap();
    assert!(examples.len() >= 7, "{examples:?}");
    for path in examples {
        agree(&path.to_string_lossy(), &std::fs::read_to_string(&path).unwrap(), true);
    }
    for (text, good) in [
        ("", true),
        ("[given]\nbody = \"pepper\"\nepoch = \"2020-01-01\"\nfor = 1.5\nseed = 3", true),
        (
            "[given]\nmocks = [{ call = \"A.b\", args = [1, { any = true }], raises = \"x\", takes = 1, times = 2 }]",
            true,
        ),
        ("[given.memory]\nKey = { a = [1, 2.5, true] }", true),
        ("[[test]]\nname = \"a\"\nexpect.unsupported = true", true),
        ("[[test]]\nname = \"a\"\nexpect.unsupported = [\"A.b\"]", true),
        ("[[test]]\nname = \"a\"\nexpect.order = [\"root\", { box = \"root\", input = \"onStart\", at = 1 }]", true),
        ("odd = 1", false),
        ("[[test]]", false),
        ("[given]\nbody = \"spot\"", false),
        ("[given]\nevents = [{ name = \"a\" }]", false),
        ("[[test]]\nname = \"a\"\nexpect.calls = [{ args = [1] }]", false),
        ("[[test]]\nname = \"a\"\nexpect.calls = [3]", false),
        ("[[test]]\nname = \"a\"\nexpect.reason = \"bored\"", false),
        ("[[test]]\nname = \"a\"\nexpect.logs = [{ contains = \"a\", level = \"loud\" }]", false),
    ] {
        agree(text, text, good);
    }
}
