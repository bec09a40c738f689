//! What is told of a topic before anyone talks to it: for each finding a text that has it, and one that nearly does.

use boxstep_dialog::{Known, Ports, lint, lint_ports, problems, read_topic};

/// The codes, lines and messages of the findings about a topic, whose rules begin in line 3.
pub(crate) fn found(rules: &str) -> Vec<String> {
    let topic = read_topic("t.top", &format!("topic: ~t()\nlanguage: enu\n{rules}\n"));
    let all = problems(&topic).into_iter().chain(lint(&topic, &Known::default()));
    let told = |finding: boxstep_types::Diagnostic| {
        let line = finding.span.map_or(0, |span| topic.sources.line(span.file, span.start));
        format!("{} {line}: {}", finding.code, finding.message)
    };
    all.map(told).collect()
}

/// Checks that one text has exactly this finding, and another none.
#[track_caller]
pub(crate) fn tells(wrong: &str, finding: &str, right: &str) {
    assert_eq!(found(wrong), [finding], "{wrong}");
    assert_eq!(found(right), [] as [&str; 0], "{right}");
}

#[test]
fn a_mistyped_keyword() {
    tells(
        "u:(a) one\nconcpt:(x) [a b]",
        "BS0901 4: `concpt:` is no keyword, so this line belongs to the statement above it",
        "u:(a) one\nconcept:(x) [a b]",
    );
    tells(
        "u:(a) ^nextProposal\nproposal: one\nproposl: two",
        "BS0901 5: `proposl:` is no keyword, so this line belongs to the statement above it",
        "u:(a) ^nextProposal\nproposal: one\nNote: two",
    );
    tells(
        "u:(a) one\nu10:(b) two",
        "BS0901 4: `u10:` is no keyword, so this line belongs to the statement above it",
        "u:(a) one\n    http://nowhere\n    so: (two)\n".replace("so: (", "10: (").as_str(),
    );
    // In a script it is Python.
    assert_eq!(found("u:(a) %script\nlambda:(1)\n%script"), [] as [&str; 0]);
}

#[test]
fn a_head_that_robots_do_not_have() {
    let of = |text: &str| problems(&read_topic("t.top", text)).into_iter().map(|f| f.message).collect::<Vec<_>>();
    assert_eq!(of("topic: ~t()\nlanguage: Klingon\n"), ["`Klingon` is no language that robots have"]);
    assert_eq!(of("topic: t()\nlanguage: en_US\n"), ["the name of a topic begins with `~`"]);
    assert_eq!(of("topic: ~t()\nlanguage: French\n"), [] as [&str; 0]);
}

#[test]
fn a_bracket_too_many() {
    tells("u:(a)) b", "BS0900 3: `)` closes nothing, and belongs to the answer", "u:(a) b :)");
}

#[test]
fn results_of_no_call() {
    let finding = "BS0907 4: nothing returns to `c1:`: the rule above makes no call";
    tells("u:(a) b\nc1:(_*) $1\ne1: c", finding, "u:(a) b ^call(S.m())\nc1:(_*) $1\ne1: c");
    tells(
        "u:(a) ^pCall(S.m())\nc1:(x) $1 c".replace("$1 ", "").as_str(),
        finding,
        "u:(a) ^f()\nc1:(x) c\ndef:f() ^sCall(S.m())",
    );
}

#[test]
fn results_beside_sub_rules() {
    let finding = "BS0901 5: `u1:` and `c1:` stand below one rule, which robots do not accept";
    tells("u:(a) ^call(S.m())\nc1:(_*) $1\nu1:(b) c", finding, "u:(a) ^call(S.m())\nc1:(_*) $1\nu2:(b) c");
}

#[test]
fn calls_of_nothing() {
    tells("u:(a) ^call(S)", "BS0903 3: `^call` needs Service.method(arguments), not `S`", "u:(a) ^call(S.m)");
    tells(
        "u:(a) ^pCall(.m())",
        "BS0903 3: `^pCall` needs Service.method(arguments), not `.m()`",
        "u:(a) ^pCall($s.m())",
    );
}

#[test]
fn captures_that_nothing_makes() {
    tells("u:(a b) $1", "BS0914 3: `$1` has no value: the input captures nothing", "u:(a _b) $1");
    tells("u:(_a) ^first[\"$2==b c\" d]", "BS0914 3: `$2` has no value: the input captures once", "u:(_a _b) $2");
    tells(
        "u:(a) ^goto(p)\nproposal: %p $1",
        "BS0914 4: `$1` has no value: the input captures nothing",
        "u:(_a) $x=$1 ^goto(p)\nproposal: %p $x",
    );
}

#[test]
fn words_that_are_needed_and_forbidden() {
    tells("u:(a !a) b", "BS0907 3: the rule never matches: it needs `a`, and `!` forbids it", "u:(a !b) b");
    tells(
        "u:(\"a b\" ![c b]) b",
        "BS0907 3: the rule never matches: it needs `b`, and `!` forbids it",
        "u:(a !\"a b\") b",
    );
}

#[test]
fn concepts_that_do_not_change() {
    tells(
        "concept:(x) [a b]\nu:(~x) ^addToConcept(~x, c)",
        "BS0904 4: `^addToConcept` changes `~x`, which is not dynamic",
        "dynamic:x\nu:(~x) ^addToConcept(~x, c)",
    );
}

#[test]
fn optional_inputs_say_what_the_engine_does() {
    let all = found("u:({a}) b");
    assert_eq!(
        all,
        [
            "BS0908 3: all of this input is optional: a robot may answer any sentence by it, Boxstep one with these words"
        ]
    );
    let mut chat = boxstep_dialog::Conversation::new("English", 0);
    chat.add(read_topic("t.top", "topic: ~t()\nlanguage: enu\nu:({a}) b\n"), Vec::new()).unwrap();
    assert_eq!((chat.hear("x"), chat.hear("x a")), (String::new(), "b".to_owned()));
}

#[test]
fn proposals_that_nobody_asks_for() {
    let finding = "BS0909 5: nothing here asks for this proposal";
    tells(
        "u:(a) ^goto(p)\nproposal: %p one\nproposal: two",
        finding,
        "u:(a) ^goto(p) ^nextProposal\nproposal: %p one\nproposal: two",
    );
    tells("u:(a) b\nu:(c) d\nproposal: two", finding, "u:(a) b\nu:(c) d ^gotoRandom\nproposal: two");
}

#[test]
fn topics_that_are_not_there() {
    let topic = read_topic("t.top", "topic: ~t()\nlanguage: enu\nu:(a) ^topic(~jokse)\nu:(b) ^topicTag(~other, x)\n");
    let mut known = Known::default();
    known.topics.insert("jokes".into(), Default::default());
    let found = lint(&topic, &known);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `jokes`?"));
    assert_eq!(found[1].severity, boxstep_types::Severity::Note);
}

#[test]
fn ports_beside_the_right_ones() {
    let ports =
        Ports { inputs: vec!["danced".into()], outputs: vec!["dance".into(), "go1".into(), "onStopped".into()] };
    let of = |rules: &str| {
        let topic = read_topic("t.top", &format!("topic: ~t()\nlanguage: enu\n{rules}\n"));
        lint_ports(&topic, &ports).into_iter().map(|finding| finding.message).collect::<Vec<_>>()
    };
    assert_eq!(of("u:(a) $dance=1 $go1=1\nu:(b) $dnace=1"), ["the box has no output \"dnace\""]);
    assert_eq!(of("u:(e:danced) $dance=1 $go1=1\nu:(e:dancd) b"), ["the box has no input \"dancd\""]);
    // Of two names that differ in a digit each may be right.
    assert_eq!(of("u:(a) $dance=1 $go1=1\nu:(b) $go2=1"), [] as [&str; 0]);
}
