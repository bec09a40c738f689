//! `boxstep test` on characters: played in virtual time, and compared with what their test files expect.

use crate::common::{Temp, has_python, say};
use std::fs;
use std::path::Path;

const GREETER: &str = "character: Greeter
root: guide
parameters: { word: Hello }
behaviors:
  guide:
    priority:
      - { name: greet, say: $word, when: { event: Face }, cooldown: 5 }
      - { name: go, call: ALMotion.moveTo, args: [0.1, 0.0, 0.0], when: { event: Go } }
      - rest
  rest: { queue: [{ wait: 1 }, { say: Hm }, { wait: 100 }] }
";

/// A folder with a character and its tests; what `boxstep test` says of it.
#[track_caller]
fn test(character: &str, tests: &str, code: i32) -> String {
    let folder = Temp::new("d");
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(folder.0.join("character.yaml"), character).unwrap();
    fs::write(folder.0.join("character.test.toml"), tests).unwrap();
    let said = say(&["test", folder.arg(), "--scripts", "off"]).code(code);
    said.out + &said.err
}

fn one(given: &str, expect: &str) -> String {
    format!("[[test]]\nname = \"a\"\n[test.given]\nfor = 8\n{given}\n[test.expect]\n{expect}\n")
}

const FACE: &str = "events = [{ name = \"Face\", value = 1, at = 2 }, { name = \"Go\", value = 1, at = 4 }]";

#[test]
fn what_a_character_says_calls_and_gives_control_to_is_expected() {
    let expect = "reason = \"limit\"\nsaid = [\"Hm\", \"Hello\", \"Hm\", \"Hm\"]\n\
        order = [\"rest\", \"rest/2\", { box = \"greet\", at = 2 }, \"rest\", \"guide/go\", \"rest/3\"]\n\
        calls = [{ call = \"ALMotion.moveTo\", args = [0.1], box = \"go\", at = 4 }]\nnot_called = [{ call = \"ALMotion.moveTo\", box = \"rest\" }]";
    let told = test(GREETER, &one(FACE, expect), 0);
    assert!(told.contains("1 passed, 0 failed"), "{told}");
    let set = one(&format!("{FACE}\nset = {{ \"character/word\" = \"Hi\" }}"), "said_contains = [\"Hi\"]");
    test(GREETER, &set, 0);
}

#[test]
fn what_does_not_come_fails_with_its_line_and_what_came() {
    for (expect, words) in [
        ("said = [\"Hm\", \"Bye\"]", "expected: says “Bye” (2nd of what is said)"),
        ("order = [\"go\", \"greet\"]", "expected: greet starts after: go starts"),
        ("order = [{ box = \"greet\", at = 3 }]", "it starts at 2.000 s"),
        ("ended = true", "it was stopped by the time limit"),
        ("calls = [{ call = \"ALMotion.moveTo\", box = \"rest\" }]", "expected: ALMotion.moveTo from rest"),
    ] {
        let told = test(GREETER, &one(FACE, expect), 4);
        assert!(told.contains(words) && told.contains("character.test.toml:7"), "{expect}: {told}");
    }
}

#[test]
fn what_the_character_does_not_have_is_told_before_it_plays() {
    for (given, expect, words) in [
        ("", "order = [\"great\"]", "the character has no behavior `great`"),
        ("", "order = [\"great\"]", "did you mean `greet`?"),
        ("", "order = [\"rest/greet\"]", "the character has no behavior `rest/greet`"),
        ("set = { \"root/Text\" = 1 }", "", "`character/NAME`"),
        ("set = { \"character/wrod\" = 1 }", "", "the character has no parameter `wrod`"),
        ("stimulate = [{ box = \"root\", input = \"onStart\", at = 1 }]", "", "has no boxes of its own"),
    ] {
        let told = test(GREETER, &one(given, expect), 2);
        assert!(told.contains(words), "{told}");
    }
    let told = test("character: A\nbehaviors: { main: { sya: a } }\n", &one("", ""), 2);
    assert!(
        told.contains("character.test.toml: what it tests cannot be opened") && told.contains("did you mean `say`"),
        "{told}"
    );
}

#[test]
fn control_that_goes_round_fails_a_test() {
    let round = "character: A\nat_end: restart\nbehaviors: { main: { check: true } }\n";
    let told = test(round, &one("", ""), 4);
    assert!(told.contains("control that does not go round"), "{told}");
}

#[test]
fn a_box_of_what_a_behavior_plays_is_expected_by_its_path() {
    if !has_python() {
        return;
    }
    let folder = Temp::new("d");
    fs::create_dir_all(&folder.0).unwrap();
    let hello = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hello/behavior.xar");
    fs::copy(hello, folder.0.join("hello.xar")).unwrap();
    let character = folder.0.join("greeter.yaml");
    fs::write(&character, "character: A\nbehaviors: { main: { queue: [{ name: it, play: hello.xar }] } }\n").unwrap();
    let tests = |path: &str| {
        let text = one("", &format!("ended = true\norder = [\"it\", \"{path}\"]\nsaid_contains = [\"Hello\"]"));
        fs::write(folder.0.join("greeter.test.toml"), text).unwrap();
        say(&["test", character.to_str().unwrap()])
    };
    tests("main/it/root/Say").code(0);
    let said = tests("main/it/root/Sai").code(2);
    assert!((said.out + &said.err).contains("no behavior `main/it/root/Sai`"));
}

#[test]
fn a_test_without_expectation_gets_one() {
    let folder = Temp::new("d");
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(folder.0.join("character.yaml"), GREETER).unwrap();
    let file = folder.0.join("character.test.toml");
    fs::write(&file, "[[test]]\nname = \"a\"\ngiven.for = 3\n").unwrap();
    say(&["test", folder.arg(), "--scripts", "off", "--bless"]).code(0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("reason = \"limit\"") && text.contains("said = [\"Hm\"]"), "{text}");
    assert!(!text.contains("outputs"), "{text}");
}
