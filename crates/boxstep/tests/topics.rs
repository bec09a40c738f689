//! Topics as the commands read them: what they say of those that are broken, and what `boxstep talk` answers.

use crate::common::{Said, Temp, in_order, say, with_input};
use std::fs;

/// A folder with files.
struct Folder(Temp);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Temp::new("topics");
        fs::create_dir(&folder.0).unwrap();
        for (name, text) in files {
            fs::write(folder.0.join(name), text).unwrap();
        }
        Self(folder)
    }

    /// A folder with an English topic of these rules, and other files.
    fn topic(rules: &str, others: &[(&str, &str)]) -> Self {
        Self::new(&[others, &[("t.top", &format!("topic: ~t()\nlanguage: enu\n{rules}\n"))]].concat())
    }

    fn path(&self, name: &str) -> String {
        self.0.0.join(name).to_str().unwrap().to_owned()
    }

    fn talk(&self, name: &str, more: &[&str], input: &str) -> Said {
        with_input(&[&["talk", &self.path(name)], more].concat(), input.as_bytes()).code(0)
    }
}

#[test]
fn talk_begins_with_warnings_that_change_its_answers() {
    let found = Folder::topic("include: none.top\nu:(~colour) ok\nu:(hi) hello", &[]).talk("t.top", &[], "hi\n");
    in_order(
        &found.err,
        &["the topic includes `none.top`, which is not there", "no file defines the concept `~colour`"],
    );
    assert_eq!(found.out, "  answers by t.top:5, u:(hi)\nhello\n");
    let right = [("none.top", "topic: ~none()\nlanguage: enu\nconcept:(colour) [red]\n")];
    assert_eq!(Folder::topic("include: none.top\nu:(~colour) ok", &right).talk("t.top", &[], "").err, "");
}

#[test]
fn talk_says_when_no_proposal_is_left() {
    let said = Folder::topic("proposal: one", &[]).talk("t.top", &[], "/next\n/next\n").out;
    assert_eq!(said, "one\nno topic has a proposal left to say\n");
}

#[test]
fn talk_says_in_which_language_topics_answer() {
    let french = "topic: ~t()\nlanguage: French\nu:(bonjour) salut\n";
    let folder = Folder::new(&[("fr.top", french), ("app.pml", "<Package name=\"app\" format_version=\"4\"/>")]);
    let alone = folder.talk("fr.top", &["--language", "English"], "bonjour\n");
    assert_eq!(alone.err, "the topic t has no English: it answers in French instead\n");
    assert!(alone.out.ends_with("\nsalut\n"), "{}", alone.out);
    // A program of a project that starts it by itself finds no topic.
    let project = folder.talk("app.pml", &["--language", "English"], "bonjour\n");
    assert_eq!(project.err, "no topic is in English, so nobody answers; there are topics in French\n");
    assert!(project.out.contains("no rule answers"), "{}", project.out);
    for right in [&["--language", "French"][..], &[]] {
        assert_eq!(folder.talk("fr.top", right, "bonjour\n").err, "", "{right:?}");
    }
}

#[test]
fn talk_gives_the_topic_the_focus_as_play_does() {
    let other = [("b.top", "topic: ~b()\nlanguage: enu\nu:(hello) B\n")];
    let folder = Folder::topic("include: b.top\nu:^private(hello) private\nu:(bye) I am $Dialog/RobotName", &other);
    let said = folder.talk("t.top", &["--trace"], "hello\nbye\n").out;
    in_order(&said, &["answers by t.top:4, u:^private(hello)", "private", "I am nao"]);
    assert!(!said.contains("focus"), "{said}");
    let played = say(&["play", &folder.path("t.top"), "--virtual", "--for", "9", "--hear", "hello", "--hear", "bye"]);
    in_order(&played.code(0).out, &["“private”", "“I am nao”"]);
}

#[test]
fn scripts_of_answers_can_be_off() {
    let rules = "u:(hello) one %script\nprint('x')\n%script two";
    let folder = Folder::topic(rules, &[]);
    let args = ["--virtual", "--for", "9", "--scripts", "off", "--hear", "hello"];
    let played = say(&[&["play", &folder.path("t.top")], &args[..]].concat()).code(0);
    in_order(&played.out, &["the script of an answer failed: scripts are off", "says “one two”"]);
    let talked = folder.talk("t.top", &[], "hello\n").out;
    in_order(&talked, &["the script of an answer failed", "one two"]);
}

/// Answers that lead to each other by a script are ended as others are.
#[test]
fn answers_in_a_circle_end_without_scripts_too() {
    let rules = "u:(go) $A=1\nu:(e:A) %script\nprint('')\n%script $A=1";
    let folder = Folder::topic(rules, &[]);
    let args = ["--virtual", "--for", "5", "--scripts", "off", "--hear", "go@1"];
    let played = say(&[&["play", &folder.path("t.top")], &args[..]].concat());
    assert!(played.code.is_some_and(|code| code < 100), "{}{}", played.out, played.err);
    in_order(&played.out, &["scripts are off", "signals went round without time passing"]);
}

/// An event waits two seconds for the end of the speech.
#[test]
fn an_event_that_is_missed_is_told() {
    let folder = Folder::topic("u:(go) one two three four five six seven eight nine ten\nu:(e:Bell) yes", &[]);
    let trace = folder.path("trace.jsonl");
    let play = |at: &str| {
        let bell = format!("Bell=1@{at}");
        let args = ["--virtual", "--for", "12", "--hear", "go@1", "--event", &bell, "--trace", &trace];
        say(&[&["play", &folder.path("t.top")], &args[..]].concat()).code(0).out
    };
    let missed = "the event Bell came too long before the end of the speech";
    assert!(!play("4").contains(missed));
    let late = play("1.5");
    in_order(&late, &["event Bell", missed]);
    assert!(!late.contains("“yes”"), "{late}");
    in_order(&say(&["why", &trace]).code(0).out, &[missed]);
}

#[test]
fn talk_tells_of_calls_before_what_their_results_say() {
    let said = Folder::topic("u:(a) look ^call(Clock.part())\n  e1: no clock", &[]).talk("t.top", &[], "a\n").out;
    in_order(&said, &["answers by t.top:3, u:(a)", "calls Clock.part()", "answers by t.top:4, e1:", "look no clock"]);
}

#[test]
fn talk_goes_on_after_a_line_that_is_no_text() {
    let folder = Folder::topic("u:(hello) hi", &[]);
    let said = with_input(&["talk", &folder.path("t.top")], b"\xff hello\nhello\n").code(0);
    let wanted = "this line is not text in UTF-8, so nobody hears it\n  answers by t.top:3, u:(hello)\nhi\n";
    assert_eq!((said.out.as_str(), said.err.as_str()), (wanted, ""));
}

#[test]
fn talk_tells_of_topics_that_a_dialog_names_in_vain() {
    let folder = Folder::topic("u:(hello) hi", &[("t.dlg", "multilanguage:t\nenu:t.top\nfrf:fr.top\n")]);
    let said = folder.talk("t.dlg", &[], "hello\n");
    assert!(said.err.contains("cannot read the topic file") && said.err.contains("fr.top"), "{}", said.err);
    assert!(said.out.ends_with("\nhi\n"), "{}", said.out);
}

#[test]
fn a_topic_with_errors_is_told_of_and_not_laid_out() {
    let folder = Folder::topic("u:(bye)   bye  ", &[("b.top", "topic: ~b()\nlanguage: enu\nu:(hello hi\n")]);
    let (broken, right) = (folder.path("b.top"), folder.path("t.top"));
    let before = fs::read(&broken).unwrap();
    assert!(say(&["fmt", &broken]).code(2).err.contains("b.top:3:3"));
    assert_eq!(fs::read(&broken).unwrap(), before);
    let shown = say(&["show", &broken]).code(0);
    assert!(shown.err.contains("`(` is not closed") && shown.out.contains("u:(hello hi"), "{}", shown.err);
    assert!(say(&["diff", &broken, &broken]).code(0).err.contains("b.top:3:3"));
    say(&["fmt", &right]).code(0);
    for args in [&["show", &right][..], &["diff", &right, &right]] {
        assert_eq!(say(args).code(0).err, "", "{args:?}");
    }
}

#[test]
fn a_file_in_another_encoding_comes_with_advice() {
    let folder = Folder::new(&[]);
    let path = folder.path("t.top");
    fs::write(&path, b"topic: ~t()\nlanguage: frf\nu:(\xe9t\xe9) ok\n").unwrap();
    for command in ["talk", "fmt", "check", "show"] {
        let said = say(&[command, &path]).code(2);
        assert!(format!("{}{}", said.out, said.err).contains("iconv -f LATIN1 -t UTF-8"), "{command}: {}", said.err);
    }
}
