//! Characters that talk and listen: leaves that talk by a topic, and what the robot hears when no topic is active.

use crate::common::{Temp, in_order, say};
use std::fs;

const DOORMAN: &str = "character: Doorman
behaviors:
  main:
    priority:
      - { name: ouch, say: Ouch, when: { event: Touch } }
      - { name: chat, talk: chat.dlg, when: { heard: '[\"let us talk\" parlons]' } }
      - { name: quiz, talk: quiz.top, when: { heard: '[play start] {a} quiz' } }
      - name: ask
        sequence: [{ say: What is your name? }, { name: answer, hear: my name is _* }, { say: Nice }]
        when: { heard: ~hello }
      - { name: idle, wait: 1000 }
";
const CHAT: &str =
    "topic: ~chat ()\nlanguage: enu\nu:(e:onStart) Let us.\nu:(how are you) Fine.\nu:(bye) Goodbye. $onStopped=1\n";
const CAUSERIE: &str = "topic: ~chat ()\nlanguage: frf\nu:(e:onStart) Parlons.\nu:(bonjour) Salut.\n";
const QUIZ: &str =
    "topic: ~quiz ()\nlanguage: enu\nu:(e:onStart) Who am I?\nu:(robot) Right.\nu:(how are you) Do not distract me.\n";

fn doorman() -> Temp {
    let folder = Temp::new("d");
    fs::create_dir_all(&folder.0).unwrap();
    for (name, text) in [
        ("character.yaml", DOORMAN),
        ("chat.top", CHAT),
        ("causerie.top", CAUSERIE),
        ("chat.dlg", "multilanguage: chat\nenu: chat.top\nfrf: causerie.top\n"),
        ("quiz.top", QUIZ),
    ] {
        fs::write(folder.0.join(name), text).unwrap();
    }
    folder
}

#[track_caller]
fn test(folder: &Temp, test: &str, code: i32) -> String {
    fs::write(folder.0.join("character.test.toml"), format!("[[test]]\nname = \"a\"\n{test}")).unwrap();
    let said = say(&["test", folder.arg(), "--scripts", "off"]).code(code);
    said.out + &said.err
}

const TALK: &str = r#"
given.for = 60
talk = [
    { hears = "xyzzy", says = "" },
    { hears = "hello", says = "What is your name?" },
    { hears = "Oh, my name is Ann", says = "Nice" },
    { hears = "let us talk", says = "Let us." },
    { hears = "how are you", says = "Fine." },
    { hears = "bye", says = "Goodbye." },
    { hears = "how are you", says = "" },
    { hears = "start a quiz", says = "Who am I?" },
    { hears = "how are you", says = "Do not distract me." },
    { hears = "let us talk", says = "Let us." },
]
"#;

#[test]
fn a_conversation_leads_from_leaf_to_leaf_and_only_the_leaf_in_control_answers() {
    let folder = doorman();
    test(&folder, TALK, 0);
    let told = test(&folder, &TALK.replace("says = \"Nice\"", "says = \"Hm\""), 4);
    assert!(told.contains("answers “Nice” at"), "{told}");
}

#[test]
fn a_leaf_that_was_interrupted_talks_again_from_the_beginning() {
    let folder = doorman();
    let more = r#"
given.for = 20
given.events = [{ name = "Touch", value = 1, at = 6 }]
talk = [
    { hears = "let us talk", at = 1, says = "Let us." },
    { hears = "how are you", at = 4, says = "Fine." },
    { hears = "how are you", at = 9, says = "" },
    { hears = "let us talk", at = 10, says = "Let us." },
    { hears = "how are you", at = 13, says = "Fine." },
]
[test.expect]
order = ["chat", "ouch", "idle", "chat"]
"#;
    test(&folder, more, 0);
}

#[test]
fn leaves_with_the_same_topic_take_turns() {
    let folder = doorman();
    let two = "character: Two\nbehaviors:\n  main:\n    priority:\n      - { name: one, talk: chat.top, when: { heard: one } }\n      - { name: two, talk: chat.top, when: { heard: two } }\n      - { wait: 100 }\n";
    fs::write(folder.0.join("character.yaml"), two).unwrap();
    let turn = |word: &str| {
        format!(
            "{{ hears = \"{word}\", says = \"Let us.\" }}, {{ hears = \"how are you\", says = \"Fine.\" }}, {{ hears = \"bye\", says = \"Goodbye.\" }}, "
        )
    };
    let talk = [turn("one"), turn("two"), turn("two"), turn("one")].concat();
    test(&folder, &format!("given.for = 60\ntalk = [{talk}]\n"), 0);
    let hear = ["--hear", "one", "--hear", "bye"];
    let args = ["play", folder.arg(), "--scripts", "off", "--virtual-time", "--for", "9"];
    let said = say(&[&args[..], &hear].concat()).code(0);
    assert!(!said.out.contains("main/two/root/chat  sends"), "the other one has nothing to say: {}", said.out);
}

#[test]
fn the_topic_is_that_of_the_language() {
    let folder = doorman();
    let french = "given.for = 20\ngiven.language = \"French\"\ntalk = [{ hears = \"parlons\", says = \"Parlons.\" }, { hears = \"bonjour\", says = \"Salut.\" }]\n";
    test(&folder, french, 0);
    let hello = "given.for = 20\ngiven.language = \"French\"\ntalk = [{ hears = \"bonjour\", says = \"What is your name?\" }]\n";
    test(&folder, hello, 0);
}

#[test]
fn what_is_heard_and_captured_is_printed_and_somebody_listens() {
    let folder = doorman();
    let hear = ["--hear", "hello", "--hear", "my name is Ann"];
    let args = ["play", folder.arg(), "--scripts", "off", "--virtual-time", "--for", "20"];
    let said = say(&[&args[..], &hear].concat()).code(0);
    in_order(&said.out, &["hears “hello”", "says “What is your name?”", "hears “my name is Ann”", "done: \"Ann\""]);
    assert!(!said.out.contains("nobody listens"), "{}", said.out);
    assert!(!said.out.contains("no rule answers"), "{}", said.out);
}

#[test]
fn check_and_show_know_talking_and_listening() {
    let folder = doorman();
    say(&["check", folder.arg()]).code(0);
    let shown = say(&["show", folder.arg()]).code(0).out;
    in_order(&shown, &["when heard “[play start] {a} quiz”] quiz: talk quiz.top", "answer: hear “my name is _*”"]);

    fs::write(folder.0.join("quiz.top"), QUIZ.replace("(robot)", "([robot)")).unwrap();
    fs::remove_file(folder.0.join("chat.dlg")).unwrap();
    let told = say(&["check", folder.arg()]).code(1);
    let told = told.out + &told.err;
    in_order(&told, &["there is no file `chat.dlg` beside the character", "`quiz.top` has an error of its own"]);

    fs::write(folder.0.join("character.yaml"), DOORMAN.replace("my name is _*", "'my [name is _*'")).unwrap();
    let told = say(&["check", folder.arg()]).code(1);
    let told = told.out + &told.err;
    assert!(told.contains("character.yaml:9:75") && told.contains("the pattern is wrong: `[` is not closed"), "{told}");
}
