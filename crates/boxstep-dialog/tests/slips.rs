//! Slips that a topic is told of: for each a text that has it, and one that nearly does.

use crate::chat::play;
use crate::lint::{found, tells};
use boxstep_dialog::{lint, problems, read_topic};

#[test]
fn circles_of_concepts_and_answers() {
    tells(
        "concept:(a) [x ~b]\nconcept:(b) [y ~a]\nu:(~a) ok",
        "BS0907 3: a concept leads back to itself, where it takes no word: `~a`, `~b`, `~a`",
        "concept:(a) [x ~b]\nconcept:(b) [y z]\nconcept:(c) [~a ~b]\nu:(~c) ok",
    );
    tells(
        "def:h($a) $a ^h($a)\nu:(_x) ^h($1)",
        "BS0907 3: an answer that leads back to itself is never said: `^h`, `^h`",
        "def:h($a) ^first[\"$a==1 x\" ^h(1)]\nu:(_x) ^h($1)",
    );
    tells(
        "u:(a) %a one ^goto(b)\nu:(b) %b two ^gotoReactivate(a)",
        "BS0907 3: an answer that leads back to itself is never said: `u:(a)` in line 3, `u:(b)` in line 4, `u:(a)` in line 3",
        "u:(a) %a one ^goto(b)\nu:(b) %b two {^goto(a)}",
    );
    let row = |n: usize| (0..n).map(|n| format!("concept:(a{n}) [x ~a{}]\n", n + 1)).collect::<String>();
    let deep = |n: usize| format!("{}concept:(a{n}) [y]\nu:(~a0) ok", row(n));
    tells(
        &deep(24),
        "BS0907 3: this concept leads through more than 24 others, and takes none of their words",
        &deep(23),
    );
}

#[test]
fn names_that_are_given_twice() {
    tells(
        "concept:(c) [a b]\nconcept:(c) [d e]\nu:(~c) ok",
        "BS0901 3: the topic has a second `concept:c`, so this one has no effect",
        "concept:(c) [a b]\nconcept:(d) [d e]\nconcept:(d) [d  e]\nu:(~c ~d) ok",
    );
    tells(
        "def:f() a\ndef:F() b\nu:(x) ^f()",
        "BS0901 3: the topic has a second `def:f`, so this one has no effect",
        "def:f() a\ndef:g() b\nu:(x) ^f() ^g()",
    );
    tells(
        "def:rand($a) a\nu:(x) ^rand[b c]",
        "BS0903 3: QiChat has a function `^rand` itself, so this one is never called",
        "def:sayDate($a) a\nu:(x) ^rand[b c]",
    );
    tells(
        "def:f($a) $a\nu:(x) ^f(1, 2)",
        "BS0903 4: `^f` takes 1 argument, and gets 2",
        "def:f($a) $a\ndef:g() a\nu:(x) ^f(\"1, 2\") ^g() ^g",
    );
}

#[test]
fn inputs_that_no_sentence_is_long_enough_for() {
    let words = |n: usize| format!("u:({}) ok", "a ".repeat(n));
    tells(
        &words(401),
        "BS0907 3: the rule never matches: it needs 401 words, and of a sentence 400 are heard",
        &words(400),
    );
    let choices = |n: usize| format!("u:({}) ok", "{[a b c d]} ".repeat(n) + "end");
    tells(&choices(600), "BS0907 3: the rule never matches: its input has more than 4000 steps", &choices(300));
    // Time grows with the words, and not faster: ten thousand times as many pairs of them would take hours.
    assert_eq!(found(&words(200_000)).len(), 1);
}

#[test]
fn functions_that_do_nothing_in_an_input() {
    tells(
        "u:(a ^private) x",
        "BS0903 3: `^private` belongs before the input of a rule, and means nothing here",
        "u:^private(a) x",
    );
    tells(
        "u:(e ^exist(x)) inp",
        "BS0903 3: `^exist` belongs in an answer, and means nothing here",
        "u:([e ^empty] ^rand[a b]) ^first[\"^exist(x) inp\" \"\"]",
    );
    let topic = read_topic("t.top", "topic: ~t()\nlanguage: enu\nu:(a) ^repeat[b c]\n");
    let help = lint(&topic, &Default::default()).remove(0).help;
    assert_eq!(help.as_deref(), Some("the form is `u:(words ^repeat[…]) answer`"));
}

#[test]
fn tags_that_goto_does_not_find() {
    tells(
        "u:(hi) [\"one %u\" two]\nu:(g) ^goto(u)",
        "BS0905 4: `^goto` does not find `%u`: it is not beside the words of an answer",
        "u:(hi) [\"one %u\" two]\nu:(g) ok ^deactivate(u)\nu:(h) %v ok\nu:(i) ^goto(%v)",
    );
    tells("u:(a) ^goto(%t)", "BS0905 3: the topic has no tag `%t`", "u:(a) ^goto(%t)\nu:(b) %t ok");
}

#[test]
fn events_that_do_not_come() {
    tells(
        "u:(e:FrontTactilTouched==1) eq",
        "BS0907 3: `e:FrontTactilTouched==1` is no condition: it needs the event, and then these words",
        "u:(e:FrontTactilTouched $FrontTactilTouched==1) eq\nu:(\"e:go now\") ok",
    );
    tells(
        "u:(e:Dialog/NotUnderstod) pardon",
        "BS0907 3: the dialog has no event `Dialog/NotUnderstod`",
        "u:(e:Dialog/NotUnderstood) pardon\nu:(e:Dialog/Mine) own\nu:(a) $Dialog/Fallbacks=1\nu:(e:Dialog/Fallbacks) b",
    );
}

#[test]
fn conditions_that_are_never_true() {
    let finding = "is a condition that is never true: only numbers are less or greater";
    tells("u:(a) <b>$name</b>", &format!("BS0907 3: `$name</b>` {finding}"), "u:(a) $n<5 <b>it is $name :</b>");
    tells("u:(_a) $1> ok", &format!("BS0907 3: `$1> ok` {finding}"), "u:(_a) \"$1>$n\" \"$1>=3.5\" $1<>b ok");
}

#[test]
fn rules_on_one_line() {
    tells(
        "u:(hello) hi there u1:(yes) good",
        "BS0901 3: `u1:(` stands in an answer, so the robot says it",
        "u:(hello) hi there u: you see (yes) u1: no\n  u1:(yes) good",
    );
    tells("u:(a) b u: (c) d", "BS0901 3: `u:(` stands in an answer, so the robot says it", "u:(a) b\nu: (c) d");
}

#[test]
fn signs_of_other_languages() {
    tells(
        "u:(a) ['hi there' 'bye now']",
        "BS0900 3: `'` groups no words: each of these is an alternative",
        "u:(['what's' it's]) [\"'hi' there\" 'tis it's 'so']",
    );
    tells(
        "u:([red wine|beer]) ok",
        "BS0901 3: `|` separates nothing in `wine|beer`",
        "u:([red wine]) [:| \"a b\"] | ok",
    );
    tells(
        "u:(a) [\"one\" , \"two\"]",
        "BS0901 3: the comma is a part of this answer: it separates no items",
        "u:(a) [\"one,\" \"two\" three, \"four, five\"], six",
    );
    tells(
        "u:(a) ^ first[\"a\"]",
        "BS0903 3: `^` stands alone: a blank is between it and `first`",
        "u:(a) ^first[a] ^ b",
    );
    tells(
        "u:(hel\u{200b}lo) hi",
        "BS0911 3: an invisible sign (U+200B) stands in the word",
        "u:(hello) hi \u{1f469}\u{200d}\u{1f52c}",
    );
}

#[test]
fn commas_between_the_items_of_inputs_and_concepts_are_left_out() {
    let rules =
        "concept:(c) [\"one\", \"two\", three, four , five]\nu:(say) ~c\nu:(~c ^exact) ok\nu:([x , y, z] ^exact) xyz";
    play(&[rules], "say → one; say → two; say → three; say → four; say → five; say → one; two → ok; x → xyz; y → xyz");
    assert_eq!(found(rules), [] as [&str; 0]);
}

#[test]
fn sub_rules_of_a_rule_that_opens_none() {
    tells(
        "u:(x) a\nl:(y) noted\n  u1:(z) zz",
        "BS0902 5: `u1:` stands below `l:`, which opens no sub-rules",
        "u:(x) a\n  u1:(z) zz\nl:(y) noted ^call(S.m())\n  c1:(_*) $1",
    );
}

#[test]
fn brackets_too_deep_are_one_error() {
    let text = |n: usize| format!("topic: ~t()\nlanguage: enu\nu:(a {}b{}) c\nu:(d e\n", "[".repeat(n), "]".repeat(n));
    let topic = read_topic("t.top", &text(5_000));
    let all: Vec<_> =
        problems(&topic).into_iter().chain(lint(&topic, &Default::default())).map(|f| f.message).collect();
    assert_eq!(all, ["brackets are nested more than 60 deep", "`(` is not closed"]);
    assert_eq!(problems(&read_topic("t.top", &text(50))).len(), 1);
}
