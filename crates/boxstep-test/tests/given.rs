//! How the inputs of a test override those of its file, and how values are written.

use boxstep_test::Suite;
use boxstep_types::Value;
use std::path::Path;

fn suite(text: &str) -> Suite {
    Suite::read(Path::new("a.test.toml"), text).map_err(|w| format!("{:?}", w.found)).unwrap()
}

#[test]
fn a_tests_own_words_go_over_those_of_all() {
    let suite = suite(
        r#"
[given]
seed = 1
language = "French"
set = { "root/A/x" = 1, "root/A/y" = 2 }
memory = { k = 1, l = 2 }
events = [{ name = "all", at = 1 }]
mocks = [{ call = "A.all" }]
[[test]]
name = "own"
[test.given]
seed = 2
set = { "root/A/y" = 3 }
memory = { l = 3 }
events = [{ name = "own", at = 0 }]
mocks = [{ call = "A.own" }]
"#,
    );
    let given = &suite.tests[0].given;
    assert_eq!((given.seed, given.language.as_deref()), (Some(2), Some("French")));
    let set: Vec<_> = given.parameters().into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(set, ["root/A/x 1", "root/A/y 3"]);
    let memory: Vec<_> = given.memory.iter().map(|(key, value)| format!("{key} {}", value.0)).collect();
    assert_eq!(memory, ["k 1", "l 3"]);
    assert_eq!(given.events.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["all", "own"]);
    assert_eq!(given.mocks().iter().map(|m| m.method.clone()).collect::<Vec<_>>(), ["own", "all"]);
}

#[test]
fn values_are_tomls_and_the_tagged_forms_of_traces() {
    let suite = suite(
        r#"
[given.memory]
a = [1, 2.0, true, "x", { b = 1 }]
b = { "$bytes" = "AAE=" }
c = { "$null" = true }
d = 2020-01-01
e = { "$map" = [[1, 2]] }
f = nan
"#,
    );
    let value = |key: &str| suite.given.memory[key].0.clone();
    assert_eq!(value("a").to_string(), r#"[1,2.0,true,"x",{"b":1}]"#);
    assert_eq!(value("b"), Value::Bytes([0u8, 1].as_slice().into()));
    assert_eq!(value("c"), Value::Null);
    assert_eq!(value("d"), Value::from("2020-01-01"));
    assert_eq!(value("e"), Value::Map([(Value::Int(1), Value::Int(2))].as_slice().into()));
    assert!(matches!(value("f"), Value::Float(x) if x.is_nan()));
}

#[test]
fn epochs_are_seconds_or_times() {
    for (text, seconds) in [("5", 5), ("\"1970-01-02\"", 86_400), ("1970-01-01T00:01:00Z", 60)] {
        assert_eq!(suite(&format!("[given]\nepoch = {text}")).given.epoch.map(|e| e.0), Some(seconds), "{text}");
    }
    assert!(Suite::read(Path::new("a"), "[given]\nepoch = \"soon\"").is_err());
}

#[test]
fn expectations_that_exclude_each_other_are_refused() {
    let wrong = |expect: &str| {
        let text = format!("[[test]]\nname = \"a\"\n[test.expect]\n{expect}");
        let wrong = Suite::read(Path::new("a.test.toml"), &text).unwrap_err();
        let span = wrong.found[0].span.unwrap();
        assert_eq!(wrong.sources.line_col(span.file, span.start).line, 4, "{expect}");
    };
    wrong("joints = [{ name = \"HeadYaw\" }]");
    wrong("joints = [{ name = \"HeadYaw\", degrees = 1, radians = 1 }]");
    wrong("memory = [{ key = \"a\" }]");
    wrong("memory = [{ key = \"a\", value = 1, absent = true }]");
    wrong("outputs = [{ box = \"root\", output = \"x\", value = 1, bang = true }]");
    wrong("ended = false\nends_by = 3");
}

#[test]
fn a_mock_comes_back_from_what_it_says() {
    let text = r#"
        [[given.mocks]]
        call = "ALSonar.near"
        args = ["left", { any = true }, 1]
        returns = { a = [1, 2.5] }
        takes = 0.4
        times = 2
        [[given.mocks]]
        call = "ALSonar.far"
        raises = "too far"
    "#;
    let suite = boxstep_test::Suite::read(std::path::Path::new("x.test.toml"), text).unwrap();
    for mock in &suite.given.mocks {
        let said = Value::from(mock);
        let back = boxstep_test::given::Mock::try_from(&said).unwrap();
        assert_eq!(Value::from(&back), said);
    }
    assert!(boxstep_test::given::Mock::try_from(&Value::Int(1)).is_err());
}
