//! `boxstep test`, `boxstep new` and `play --scenario`, one test for each rule of `docs/guides/test.md`.

use crate::common::{Said, Temp, boxstep, has_python, root, say};
use std::path::{Path, PathBuf};

const MOCK: &str = "mocks = [{ call = \"ALRadar.getDistance\", returns = 1.5 }]\n";

/// A folder with the behavior of `fixtures/measure` and a test file.
struct Folder(Temp);

impl Folder {
    fn new(tests: &str) -> Self {
        let folder = Self(Temp::new("tests"));
        std::fs::create_dir(folder.path()).unwrap();
        let xar = root().join("crates/boxstep/tests/fixtures/measure/behavior.xar");
        std::fs::copy(xar, folder.path().join("behavior.xar")).unwrap();
        std::fs::write(folder.file(), tests).unwrap();
        folder
    }

    fn path(&self) -> &Path {
        &self.0.0
    }

    fn file(&self) -> PathBuf {
        self.path().join("behavior.test.toml")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    /// `boxstep test` in the folder.
    fn test(&self, more: &[&str]) -> Said {
        boxstep(&[&["test"], more].concat()).current_dir(self.path()).output().unwrap().into()
    }
}

/// One test with the mock that the behavior needs.
fn expecting(expect: &str) -> Folder {
    Folder::new(&format!("[given]\n{MOCK}\n[[test]]\nname = \"measures\"\n\n[test.expect]\n{expect}"))
}

#[track_caller]
fn passes(expect: &str) {
    let said = expecting(expect).test(&[]).code(0);
    assert!(said.out.ends_with("1 passed, 0 failed\n"), "{}", said.out);
}

/// Fails, and says so at this line with these words.
#[track_caller]
fn fails(expect: &str, line: u32, words: &[&str]) -> String {
    let said = expecting(expect).test(&[]).code(4);
    assert!(said.out.ends_with("0 passed, 1 failed\n"), "{}", said.out);
    assert!(said.out.contains(&format!("behavior.test.toml:{line}:")), "{}", said.out);
    for word in words {
        assert!(said.out.contains(word), "no `{word}` in\n{}", said.out);
    }
    said.out
}

#[test]
fn what_comes_as_expected_passes() {
    if !has_python() {
        return;
    }
    passes(
        "ended = true\nends_by = 0\nsaid = []\norder = [{ box = \"root/Measure\", input = \"onStart\", at = 0 }, \"root/Measure\"]\n\
         outputs = [{ box = \"root/Measure\", output = \"distance\", value = 1.5, at = 0 }, { box = \"root\", output = \"onStopped\", count = 1, bang = true }]\n\
         calls = [{ call = \"ALRadar.getDistance\", args = [{ any = true }, 3], box = \"root/Measure\" }, \"ALMemory.insertData\"]\n\
         not_called = [\"ALMotion.wakeUp\", { call = \"ALRadar.getDistance\", args = [\"back\"] }]\n\
         memory = [{ key = \"Distance\", value = 1.5 }, { key = \"Nothing\", absent = true }]\n\
         joints = [{ name = \"HeadYaw\", degrees = 0 }]\nlogs = [{ contains = \"took 0.0\", level = \"info\", box = \"root/Measure\" }]\n",
    );
}

#[test]
fn a_failure_shows_the_expectation_the_run_around_it_and_what_led_to_it() {
    if !has_python() {
        return;
    }
    let out = fails(
        "outputs = [{ box = \"root/Measure\", output = \"distance\", value = 2 }]\n",
        8,
        &[
            "error[BS0802]: expected: root/Measure sends distance 2",
            "note: found: it sends 1.5 at 0.000 s",
            "^^^^",
            "the run around it:",
            ">     0.000  root/Measure  sends distance 1.5",
            "what led to that:",
        ],
    );
    let (_, led) = out.split_once("what led to that:").unwrap();
    let steps =
        ["behavior", "root  starts", "root/Measure  gets onStart", "onInput_onStart called", "sends distance 1.5"];
    let mut from = 0;
    for step in steps {
        from += led.get(from..).unwrap().find(step).unwrap_or_else(|| panic!("no `{step}` in order in{led}"));
    }
    assert!(!out.contains('\u{1b}'), "colours belong on terminals only");
}

#[test]
fn every_kind_of_expectation_can_fail() {
    if !has_python() {
        return;
    }
    fails("ended = false\n", 8, &["it did not end by itself", "found: it ended by itself at 0.000 s"]);
    fails("reason = \"waiting\"\n", 8, &["expected: it waits", "found: it ended"]);
    fails("said = [\"Hello\"]\n", 8, &["says “Hello” (1st of what is said)", "nothing more was said"]);
    fails("said_contains = [\"Hello\"]\n", 8, &["speech with “Hello”", "nothing was said"]);
    fails(
        "calls = [\"ALMemory.insertData\", \"ALRadar.getDistance\"]\n",
        8,
        &["ALRadar.getDistance after: ALMemory.insertData", "only before that"],
    );
    fails(
        "calls = [{ call = \"ALRadar.getDistance\", args = [\"back\"] }]\n",
        8,
        &["(\"back\")", "found: ALRadar.getDistance(\"front\", 3) at 0.000 s"],
    );
    fails("not_called = [\"ALRadar.getDistance\"]\n", 8, &["no call of ALRadar.getDistance"]);
    fails("order = [\"root/Measure\", \"root\"]\n", 8, &["root starts after: root/Measure starts", "only before that"]);
    fails(
        "memory = [{ key = \"Distance\", absent = true }]\n",
        8,
        &["no value in the memory under Distance", "found: 1.5"],
    );
    fails(
        "joints = [{ name = \"HeadYaw\", degrees = 20 }]\n",
        8,
        &["HeadYaw at 20° at the end (± 0.5)", "found: 0.000°"],
    );
    fails("joints = [{ name = \"HeadYa\", degrees = 20 }]\n", 8, &["no joint HeadYa; did you mean `HeadYaw`?"]);
    fails(
        "logs = [\"took 0.0\", \"took 0.0\"]\n",
        8,
        &["a line `took 0.0` after: a line `took 0.0`", "only before that"],
    );
    fails("not_logged = [\"took 0.0\"]\n", 8, &["never a line `took 0.0`", "it comes at 0.000 s"]);
    fails(
        "errors = [{ contains = \"NameError\" }]\n",
        8,
        &["a script error with `NameError`", "found: no script error"],
    );
    fails(
        "outputs = [{ box = \"root/Measure\", output = \"distance\", count = 2 }]\n",
        8,
        &["sends distance 2 times", "found: once: 1.5 at 0.000 s"],
    );
}

#[test]
fn errors_and_unsupported_calls_fail_a_test_that_does_not_expect_them() {
    if !has_python() {
        return;
    }
    let nothing = Folder::new("[[test]]\nname = \"measures\"\n").test(&[]).code(4);
    for word in [
        "expected: no script error",
        "Cannot find service: ALRadar",
        "expected: no unsupported call",
        "there is no service ALRadar",
        "behavior.test.toml:2:8",
    ] {
        assert!(nothing.out.contains(word), "no `{word}` in\n{}", nothing.out);
    }
    let expected = Folder::new(
        "[[test]]\nname = \"there is no radar\"\nexpect.errors = [{ contains = \"ALRadar\", box = \"root/Measure\" }]\nexpect.unsupported = [\"ALRadar.getDistance\"]\n",
    );
    expected.test(&[]).code(0);
}

#[test]
fn mocks_return_raise_and_take_time_and_the_first_that_fits_answers() {
    if !has_python() {
        return;
    }
    let said = Folder::new(
        r#"
[[test]]
name = "takes time"
given.mocks = [{ call = "ALRadar.getDistance", returns = { near = [1, 2] }, takes = 2.5 }]
expect.logs = ["took 2.5 s"]
expect.outputs = [{ box = "root/Measure", output = "distance", value = { near = [1, 2] }, at = 2.5 }]

[[test]]
name = "raises"
given.mocks = [{ call = "ALRadar.getDistance", raises = "out of order" }]
expect.errors = [{ box = "root/Measure", contains = "out of order" }]

[[test]]
name = "by arguments"
given.set = { "root/Measure/Side" = "back" }
given.mocks = [
    { call = "ALRadar.getDistance", args = ["front"], returns = 1 },
    { call = "ALRadar.getDistance", args = ["back"], times = 0, returns = 2 },
    { call = "ALRadar.getDistance", args = [{ any = true }, 3], returns = 3 },
    { call = "ALRadar.getDistance", returns = 4 },
]
expect.memory = [{ key = "Distance", value = 3 }]

[[test]]
name = "even the robot's own memory"
given.mocks = [{ call = "ALRadar.getDistance" }, { call = "ALMemory.insertData" }]
expect.outputs = [{ box = "root/Measure", output = "distance", bang = true }]
expect.memory = [{ key = "Distance", absent = true }]
"#,
    )
    .test(&[])
    .code(0);
    assert!(said.out.ends_with("4 passed, 0 failed\n"), "{}", said.out);
}

#[test]
fn nothing_a_script_leaves_behind_reaches_the_next_test() {
    if !has_python() {
        return;
    }
    let one = |name: &str| format!("[[test]]\nname = \"{name}\"\nexpect.logs = [\"left behind: False\"]\n");
    let tests = format!("[given]\n{MOCK}\n{}{}{}", one("a"), one("b"), one("c"));
    Folder::new(&tests).test(&["--jobs", "1"]).code(0);
}

#[test]
fn what_all_tests_are_given_is_under_what_one_is() {
    if !has_python() {
        return;
    }
    let tests = format!(
        "[given]\nset = {{ \"root/Measure/Side\" = \"left\" }}\n{MOCK}\n[[test]]\nname = \"shared\"\n\
         expect.calls = [{{ call = \"ALRadar.getDistance\", args = [\"left\"] }}]\n\n[[test]]\nname = \"own\"\n\
         given.set = {{ \"root/Measure/Side\" = \"right\" }}\n\
         expect.calls = [{{ call = \"ALRadar.getDistance\", args = [\"right\"] }}]\n"
    );
    Folder::new(&tests).test(&[]).code(0);
}

#[test]
fn a_file_that_cannot_be_used_is_told_with_its_line_and_the_others_play() {
    if !has_python() {
        return;
    }
    let wrong = |text: &str, line: u32, words: &str| {
        let said = Folder::new(text).test(&[]).code(2);
        assert!(said.err.contains(&format!("behavior.test.toml:{line}:")) && said.err.contains(words), "{}", said.err);
    };
    wrong("[[test]]\nname = \"a\"\n[test.expect]\nsaidd = []\n", 4, "unknown field `saidd`");
    wrong("[[test]]\nname = \"a\"\n[test.expect]\ncalls = [\"wakeUp\"]\n", 4, "`wakeUp` is not written SERVICE.METHOD");
    wrong("[[test]]\nname = \"a\"\n[test.expect]\ncalls = [{ cal = \"A.b\" }]\n", 4, "unknown field `cal`");
    wrong("[given]\nbody = \"spot\"\n", 2, "nao, nao-v3.3, pepper, or your own file");
    wrong("[given]\nfor = -1\n", 2, "not a number of seconds");
    wrong("[[test]]\nname = \"a\"\n[[test]]\nname = \"a\"\n", 4, "another test named `a`");
    wrong("[[test]]\nname = \"a\"\nexpect.order = [\"root/Mesure\"]\n", 3, "did you mean `root/Measure`?");
    wrong("[[test]]\nname = \"a\"\ngiven.set = { \"root/Measure/Sied\" = 1 }\n", 3, "did you mean `Side`?");
    wrong(
        "[[test]]\nname = \"a\"\nexpect.outputs = [{ box = \"root/Measure\", output = \"distanse\" }]\n",
        3,
        "did you mean `distance`?",
    );
    wrong("behavior = \"nothing.xar\"\n[[test]]\nname = \"a\"\n", 1, "there is no ");
    wrong("[[test]\n", 1, "error[BS0800]");
    let folder = Folder::new(&format!("[given]\n{MOCK}[[test]]\nname = \"good\"\n"));
    std::fs::write(folder.path().join("bad.test.toml"), "odd = 1").unwrap();
    let said = folder.test(&[]).code(2);
    assert!(
        said.out.ends_with("1 passed, 0 failed\n") && said.err.contains("bad.test.toml:1:1"),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn no_tests_are_not_taken_for_success() {
    let folder = Folder::new("[[test]]\nname = \"a\"\n");
    assert!(folder.test(&["--filter", "zebra"]).code(2).err.contains("no test has `zebra`"));
    std::fs::remove_file(folder.file()).unwrap();
    assert!(folder.test(&[]).code(2).err.contains("there are no tests in .: they stand in files named NAME.test.toml"));
    assert!(folder.test(&["nothing-here"]).code(2).err.contains("nothing-here"));
    let empty = Folder::new("[given]\n");
    assert!(empty.test(&[]).code(2).err.contains("there is no test in it"));
}

#[test]
fn tests_are_named_and_chosen() {
    let folder = Folder::new("[[test]]\nname = \"near\"\n[[test]]\nname = \"far\"\n");
    std::fs::copy(folder.path().join("behavior.xar"), folder.path().join("other.xar")).unwrap();
    std::fs::write(folder.path().join("other.test.toml"), "[[test]]\nname = \"other\"\n").unwrap();
    let list = |more: &[&str]| folder.test(&[&["--list"], more].concat()).code(0).out;
    assert_eq!(list(&[]), "behavior.test.toml: near\nbehavior.test.toml: far\nother.test.toml: other\n");
    assert_eq!(list(&["--filter", "ar", "."]), "behavior.test.toml: near\nbehavior.test.toml: far\n");
    // The tests of a behavior, and no others beside it.
    assert_eq!(list(&["other.xar"]), "other.test.toml: other\n");
    assert_eq!(list(&["behavior.xar", "behavior.test.toml"]), "behavior.test.toml: near\nbehavior.test.toml: far\n");
}

#[test]
fn every_kind_of_behavior_has_tests_beside_it() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(&format!("[given]\n{MOCK}[[test]]\nname = \"a\"\n"));
    let run = |args: &[&str]| {
        Said::from(boxstep(args).current_dir(folder.path()).output().unwrap()).code(0);
    };
    run(&["convert", "behavior.xar", "split/"]);
    run(&["convert", "behavior.xar", "packed.pkg"]);
    for (name, tested) in [("split", "split"), ("packed", "packed.pkg")] {
        std::fs::copy(folder.file(), folder.path().join(format!("{name}.test.toml"))).unwrap();
        let said = folder.test(&[tested]).code(0);
        assert!(
            said.out.contains(&format!("{name}.test.toml: a")) && said.out.ends_with("1 passed, 0 failed\n"),
            "{}",
            said.out
        );
    }
}

#[test]
fn bless_writes_what_a_test_expects_and_keeps_the_rest_of_the_file() {
    if !has_python() {
        return;
    }
    let before = format!("# Measures.\n[given] # for all\n{MOCK}\n[[test]]\nname = \"measures\" # once\n");
    let folder = Folder::new(&before);
    let said = folder.test(&["--bless"]).code(0);
    assert!(
        said.err.contains("blessed behavior.test.toml: measures: wrote ends_by, said, outputs, calls"),
        "{}",
        said.err
    );
    let text = folder.text();
    assert!(text.starts_with(&before), "{text}");
    for line in [
        "[test.expect]",
        "ends_by = 0.0",
        "said = []",
        "    \"ALRadar.getDistance\",",
        "output = \"onStopped\", bang = true",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert!(folder.test(&["--bless"]).code(0).err.is_empty(), "a test with an expectation is left alone");
    assert_eq!(folder.text(), text);
}

#[test]
fn bless_does_not_expect_failures() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("[[test]]\nname = \"fails\"\n");
    folder.test(&["--bless"]).code(4);
    assert_eq!(folder.text(), "[[test]]\nname = \"fails\"\n");
}

#[test]
fn bless_with_force_puts_right_what_one_run_can_say() {
    if !has_python() {
        return;
    }
    let folder = expecting(
        "ends_by = 9 # soon\nsaid = [\"x\"]\njoints = [{ name = \"HeadYaw\", degrees = 20 }]\nmemory = [{ key = \"Distance\", value = 7 }]\n",
    );
    folder.test(&["--bless"]).code(4);
    assert!(folder.text().contains("said = [\"x\"]"));
    let said = folder.test(&["--bless", "--force"]).code(0);
    assert!(said.err.contains("wrote said, joints, memory"), "{}", said.err);
    let text = folder.text();
    for line in ["ends_by = 9 # soon", "said = []", "degrees = 0.0", "value = 1.5"] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn junit_and_json_say_what_the_account_says() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(&format!(
        "[given]\n{MOCK}[[test]]\nname = \"good\"\n[[test]]\nname = \"bad <&>\"\nexpect.said = [\"Hi\"]\n"
    ));
    folder.test(&["--junit", "results.xml", "-q"]).code(4);
    let text = std::fs::read_to_string(folder.path().join("results.xml")).unwrap();
    assert!(!text.contains('\u{1b}'), "{text}");
    let report = quick_junit::Report::deserialize_from_str(&text).unwrap();
    assert_eq!((report.tests, report.failures, report.errors), (2, 1, 0));
    let cases = &report.test_suites[0].test_cases;
    assert_eq!(report.test_suites[0].name.as_str(), "behavior.test.toml");
    assert_eq!((cases[0].name.as_str(), cases[1].name.as_str()), ("good", "bad <&>"));
    let quick_junit::TestCaseStatus::NonSuccess { message, description, .. } = &cases[1].status else {
        panic!("{text}")
    };
    assert!(message.as_ref().unwrap().as_str().starts_with("expected: says “Hi”"), "{text}");
    assert!(description.as_ref().unwrap().as_str().contains("behavior.test.toml:7:15"), "{text}");

    folder.test(&["--junit", "results.xml", "-q"]).code(4);
    let kept = folder.test(&["--junit", "behavior.xar", "-q"]).code(2);
    assert!(kept.err.contains("behavior.xar: it is there already"), "{}", kept.err);

    let said = folder.test(&["--format", "json"]).code(4);
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&json["passed"], &json["failed"]), (&1.into(), &1.into()));
    assert_eq!(json["tests"][1]["failures"][0]["line"], 7);
}

#[test]
fn a_scenario_is_what_a_test_is_given_and_options_go_before_it() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(&format!(
        "[given]\nseed = 5\nset = {{ \"root/Measure/Side\" = \"left\" }}\n{MOCK}[[test]]\nname = \"slow\"\n\
         given.mocks = [{{ call = \"ALRadar.getDistance\", returns = 2, takes = 3 }}]\n"
    ));
    let play = |scenario: &str, more: &[&str]| {
        let args = ["play", ".", "--virtual", "-v", "--trace", "t.jsonl", "--scenario", scenario];
        let said = boxstep(&[&args[..], more].concat()).current_dir(folder.path()).output().unwrap();
        let said = Said::from(said);
        let trace = std::fs::read_to_string(folder.path().join("t.jsonl")).unwrap_or_default();
        (said, trace)
    };
    let (said, trace) = play("behavior.test.toml", &[]);
    assert!(said.code(0).out.contains("mock ALRadar.getDistance answered 1.5"));
    assert!(
        trace.contains("\"seed\":5") && trace.contains("\"args\":[\"left\",3]") && trace.contains("\"mock\":true"),
        "{trace}"
    );
    let (said, trace) = play("behavior.test.toml#slow", &["--set", "root/Measure/Side=up", "--seed", "6"]);
    assert!(said.code(0).out.contains("played 3.0 s"));
    assert!(trace.contains("\"seed\":6") && trace.contains("\"args\":[\"up\",3]"), "{trace}");
    assert!(play("behavior.test.toml#fast", &[]).0.code(2).err.contains("has no test `fast`, but:\n  slow"));
    std::fs::write(folder.file(), "[given]\nset = { \"root/Mesure/Side\" = 1 }\n").unwrap();
    assert!(play("behavior.test.toml", &[]).0.code(2).err.contains("behavior.test.toml:2:9"));
}

#[test]
fn mocks_stand_in_the_first_line_of_a_trace() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(
        "[given]\nmocks = [\n\
         { call = \"ALRadar.getDistance\", args = [{ any = true }, 3], returns = 1.5, takes = 2, times = 1 },\n\
         { call = \"ALRadar.getDistance\", raises = \"broken\" },\n]\n",
    );
    let args = ["play", ".", "--virtual", "--trace", "t.jsonl", "--scenario", "behavior.test.toml"];
    let _: Said = boxstep(&args).current_dir(folder.path()).output().unwrap().into();
    let trace = std::fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(trace.lines().next().unwrap()).unwrap();
    assert_eq!(
        first["options"]["mocks"],
        serde_json::json!([
            { "call": "ALRadar.getDistance", "args": [{ "any": true }, 3], "returns": 1.5, "takes": 2.0, "times": 1 },
            { "call": "ALRadar.getDistance", "raises": "broken" },
        ])
    );
}

#[test]
fn tests_play_without_scripts_and_without_a_python() {
    let folder =
        Folder::new("[[test]]\nname = \"links\"\n\n[test.expect]\norder = [\"root/Measure\"]\nreason = \"waiting\"\n");
    // With its script it ends, and calls what no robot has.
    if has_python() {
        let said = folder.test(&[]).code(4);
        assert!(said.out.contains("expected: no script error"), "{}", said.out);
    }
    let said = folder.test(&["--scripts", "off", "--python", "/no/python"]).code(0);
    assert!(said.out.ends_with("1 passed, 0 failed\n"), "{}", said.out);
    if has_python() {
        let said = folder.test(&["--scripts", "process"]).code(4);
        assert!(said.out.contains("expected: no script error"), "{}", said.out);
    }
}

#[test]
fn a_script_that_computes_is_waited_for_as_long_as_asked() {
    if !has_python() {
        return;
    }
    let folder = Temp::new("tests");
    std::fs::create_dir(&folder.0).unwrap();
    std::fs::copy(root().join("crates/boxstep/tests/conformance/endless_loop.xar"), folder.0.join("loop.xar")).unwrap();
    std::fs::write(folder.0.join("loop.test.toml"), "[[test]]\nname = \"ends\"\n[test.expect]\nreason = \"limit\"\n")
        .unwrap();
    let said = say(&["test", folder.arg(), "--patience", "0.5"]).code(4);
    // It computes for ever. The rest goes on without it, and nobody could say that it would do so every time.
    let why = "it is not repeatable: watchdog: root/Spins onInput_onStart";
    assert!(said.out.contains(why), "{}", said.out);
    assert!(say(&["test", folder.arg(), "--patience", "soon"]).code(2).err.contains("not a number of seconds"));
}

#[test]
fn boxes_of_behaviors_that_scripts_start_are_below_the_name_of_theirs() {
    if !has_python() {
        return;
    }
    let package = root().join("crates/boxstep/tests/fixtures/package");
    let says = |path: &str| {
        let folder = Temp::new("others");
        std::fs::create_dir(&folder.0).unwrap();
        let test = format!(
            "behavior = '{}#first'\n[[test]]\nname = 'runs'\nexpect.order = ['root/Run', '{path}']\nexpect.said = ['Here is the second.']\n",
            package.display()
        );
        std::fs::write(folder.0.join("others.test.toml"), test).unwrap();
        say(&["test", folder.arg()])
    };
    let said = says("installed/inner/second/root/Say").code(0);
    assert!(said.out.ends_with("1 passed, 0 failed\n"), "{}", said.out);
    for wrong in ["root/Say", "installed/inner/second/root/Sag", "installed/still/root/Say"] {
        let said = says(wrong).code(2);
        assert!(said.err.contains("others.test.toml:4:"), "{}", said.err);
    }
}

#[test]
fn new_makes_a_folder_that_plays_checks_and_passes_its_tests() {
    for body in ["nao", "pepper"] {
        let place = Temp::new("new");
        std::fs::create_dir(&place.0).unwrap();
        let folder = place.0.join("greeter-1");
        let path = folder.to_str().unwrap();
        say(&["new", path, "--body", body]).code(0);
        let checked = say(&["check", path, "--notes", "--deny", "warnings"]).code(0);
        assert!(checked.out.contains("0 errors, 0 warnings"), "{}", checked.out);
        for file in ["greeter-1.pml", "manifest.xml", "README.md", ".gitignore", ".github/workflows/behavior.yml"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            assert!(!text.contains("@NAME@") && !text.contains("@REPOSITORY@"), "{file}: {text}");
        }
        assert_eq!(std::fs::read_dir(&place.0).unwrap().count(), 1, "nothing is left beside it");
        if !has_python() {
            return;
        }
        let tested = say(&["test", path]).code(0);
        assert!(tested.out.ends_with("2 passed, 0 failed\n"), "{}", tested.out);
        let played = say(&["play", path, "--virtual", "--must-end"]).code(0);
        assert!(played.out.contains(&format!("body: {body} (the manifest")), "{}", played.out);
    }
}

#[test]
fn new_keeps_what_is_there_and_takes_plain_names() {
    let place = Temp::new("new");
    std::fs::create_dir(&place.0).unwrap();
    let there = place.arg();
    assert!(say(&["new", there]).code(2).err.contains("is not a valid name of an application"));
    let named = place.0.join("here");
    std::fs::create_dir(&named).unwrap();
    assert!(say(&["new", named.to_str().unwrap()]).code(2).err.contains("it is there already"));
    assert_eq!(std::fs::read_dir(&named).unwrap().count(), 0);
    assert!(say(&["new", "x", "--body", "spot"]).code(2).err.contains("[possible values: nao, pepper]"));
}

#[test]
fn every_example_passes_its_tests() {
    if !has_python() {
        return;
    }
    for example in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = example.unwrap().path();
        let tests = path.is_dir()
            && std::fs::read_dir(&path).unwrap().flatten().any(|file| {
                let name = file.file_name().into_string().unwrap();
                name.ends_with(".test.toml") || name == "character.yaml"
            });
        assert!(!path.is_dir() || tests, "{} has no test", path.display());
    }
    let said = say(&["test", "examples", "-q"]).code(0);
    assert!(said.out.ends_with(" passed, 0 failed\n"), "{}", said.out);
}
