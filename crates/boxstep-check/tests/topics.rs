//! Checks of topics, rule by rule: each with a topic that breaks it, and one that does not.

use boxstep_check::{render, topic_file};
use boxstep_dialog::{Conversation, Known, codes, lint, read_topic};
use boxstep_types::{Code, Diagnostic, Random, Severity};
use std::path::{Path, PathBuf};

/// The folder that one test uses.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topics").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn put_bytes(&self, name: &str, bytes: &[u8]) {
        self.put(name, "");
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    /// Returns the findings about `t.top`, each with the text at its span.
    pub(crate) fn found(&self, rules: &str) -> Vec<(Diagnostic, String)> {
        self.put("t.top", &format!("topic: ~t()\nlanguage: enu\n{rules}\n"));
        let found = topic_file(&self.0.join("t.top"), "t.top").unwrap();
        found.into_iter().map(|f| (f.finding.clone(), f.sources.slice(f.finding.span.unwrap()).to_owned())).collect()
    }

    /// Checks that the findings about a topic with these rules are these; returns them.
    #[track_caller]
    pub(crate) fn expect(&self, rules: &str, want: &[(Code, &str)]) -> Vec<Diagnostic> {
        let found = self.found(rules);
        let seen: Vec<_> = found.iter().map(|(finding, at)| (finding.code, at.as_str())).collect();
        assert_eq!(seen, want, "{rules}\n{found:#?}");
        found.into_iter().map(|(finding, _)| finding).collect()
    }

    #[track_caller]
    pub(crate) fn help(&self, rules: &str) -> String {
        self.found(rules)[0].0.help.clone().unwrap()
    }
}

#[test]
fn a_sound_topic_has_no_findings() {
    let folder = Folder::new("sound");
    folder.expect(
        r#"concept:(fruit) [apple "passion fruit"]
dynamic:song
def:age($a) ^first["$a>17 adult" child]
proposal: %game shall we play
    u1:([yes ok]) ^goto(second) ^stayInScope
    u1:(no) ^empty
proposal: %second one or two
u:(hello {robot}) ^rand[hi "good day"] $seen=1
u:(e:onStart) ^nextProposal
u:(e:seen $seen==1) ^first["$name hi" "who are you"]
u:(give me a _~fruit) one $1 ^run(animations/Stand/Gestures/Give_1)
u:(play _~song) ^addToConcept(~song, "$1") ^size(~song)
u:(I am _*) you are ^age($1) \pau=300\ ^call(ALMotion.rest())
u:(bread ^exact) %game2 bread
u:(bread) ^deactivate(game2)
u:^private(bread) again
recover:
u:(hello {robot}) hi"#,
        &[],
    );
}

#[test]
fn what_the_reader_finds_has_its_line_and_column() {
    let folder = Folder::new("reader");
    let found = folder.expect("u:([a b) c\n", &[(codes::UNBALANCED, "[")]);
    assert_eq!(found[0].severity, Severity::Error);
    let shown = topic_file(&folder.0.join("t.top"), "t.top").unwrap();
    let shown = render(&shown[0].finding, &shown[0].sources, false);
    assert!(shown.contains("t.top:3:4"), "{shown}");
    folder.expect("u1:(a) b", &[(codes::NO_PARENT, "u1:(a)")]);
    let signs = folder.expect("u:(what’s) it’s\nu:(don’t) ok", &[(codes::TYPOGRAPHIC, "what’s")]);
    assert_eq!(signs[0].notes[0].message, "2 more words of the file have such signs");
    folder.expect("u:(what's) it's", &[]);
}

#[test]
fn functions() {
    let folder = Folder::new("functions");
    let unknown = |rules: &str, at: &str| folder.expect(rules, &[(codes::UNKNOWN_FUNCTION, at)]);
    let found = unknown("u:(a) ^gotto(x)\nu:(b) ^gotto(x)", "^gotto");
    assert_eq!(found[0].message, "`^gotto` is no function of QiChat");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `^goto`?"));
    assert_eq!(found[0].notes[0].message, "the topic has it once more");
    assert_eq!(unknown("u:(a) ^noSuchThing(x)", "^noSuchThing")[0].help, None);
    // One that another topic of the folder defines.
    folder.put("other.top", "topic: ~other()\nlanguage: enu\ndef:noSuchThing($a) $a\n");
    folder.expect("u:(a) ^noSuchThing(x)", &[]);
    folder.expect("def:gotto($a) $a\nu:(a) ^gotto(x)", &[]);
    // Files and the documentation mix cases.
    folder.expect("u:(a) %x b\nu:(c) ^gotoREACTIVATE(x)", &[]);
    // At a wrong place.
    let found = unknown("u:(a) b ^exact", "^exact");
    assert_eq!(found[0].message, "`^exact` belongs in the input of a rule, and means nothing here");
    unknown("u:(a ^stayInScope) b", "^stayInScope");
    unknown("u:(a) ^noPick b", "^noPick");
    folder.expect("u:(^rand[a b] ^lessPriority) c", &[]);
    // With wrong brackets.
    let found = unknown("u:(a) ^rand(b c)", "^rand");
    assert_eq!(found[0].message, "`^rand` needs square brackets");
    unknown("u:(a) ^nextProposal(x)", "^nextProposal");
    folder.expect("u:(a) ^nextProposal()", &[]);
    unknown("u:(a) ^run", "^run");
    folder.expect("u:(a) ^rand [b c]\nu:(d) ^nextProposal (quietly)", &[]);
    // Not documented, or not NAOqi's.
    let found = folder.expect(
        "u:(a) ^execute(x)\nu:(b) ^runBehavior(a/b)",
        &[(codes::UNDOCUMENTED, "^execute"), (codes::UNDOCUMENTED, "^runBehavior")],
    );
    assert!(found.iter().all(|finding| finding.severity == Severity::Note), "{found:?}");
}

#[test]
fn properties_of_topics() {
    let folder = Folder::new("properties");
    let found = |head: &str| {
        folder.put("t.top", &format!("{head}\nlanguage: enu\nu:(a) b\n"));
        let found = topic_file(&folder.0.join("t.top"), "t.top").unwrap();
        found.iter().map(|f| (f.finding.message.clone(), f.finding.help.clone())).collect::<Vec<_>>()
    };
    assert_eq!(found("topic: ~t ^noPick() ^FALLBACK()"), []);
    let help = Some("did you mean `^noStay`?".to_owned());
    assert_eq!(found("topic: ~t ^nostya()"), [("`^nostya` is no property of a topic".to_owned(), help)]);
    assert!(found("topic: ~t ^rand()")[0].0.starts_with("`^rand` belongs in an answer"));
}

#[test]
fn concepts() {
    let folder = Folder::new("concepts");
    let missing = |rules: &str, at: &str| folder.expect(rules, &[(codes::UNKNOWN_CONCEPT, at)]);
    let found = missing("concept:(colour) [red]\nu:(~color) a\nu:(not ~color) ~color", "~color");
    assert_eq!(found[0].message, "no file defines the concept `~color`");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `~colour`?"));
    assert_eq!(found[0].notes[0].message, "the topic has it 2 more times");
    // Topics in arguments are no concepts.
    let found = folder.expect("u:(a) ^topic(~other)", &[(codes::UNKNOWN_TAG, "~other")]);
    assert_eq!(found[0].severity, Severity::Note, "another application of the robot may have the topic");
    folder.expect("dynamic:song\nu:(~song) ~song", &[]);
    // The lexicon has it, and is not included.
    assert_eq!(missing("u:(~yes) ok", "~yes")[0].severity, Severity::Warning);
    assert_eq!(folder.help("u:(~yes) ok"), "the lexicon has it: `include: lexicon_enu.top`");
    folder.expect("include: lexicon_enu.top\nu:(~yes) ok", &[]);
    // The robot's lexicon has more than Boxstep's.
    let found = missing("include: lexicon_enu.top\nu:(~no_such_thing) ok", "~no_such_thing");
    assert_eq!(found[0].severity, Severity::Note);
    // A lexicon beside the topic is the one that counts.
    folder.put("lexicon_enu.top", "topic: ~lexicon_enu()\nlanguage: enu\nconcept:(no_such_thing) [x]\n");
    folder.expect("include: lexicon_enu.top\nu:(~no_such_thing) ok", &[]);
    // Concepts are global, in their language.
    folder.put("other.top", "topic: ~other()\nlanguage: English\nconcept:(tool) [saw]\n");
    folder.expect("u:(~tool) ok", &[]);
    folder.put("other.top", "topic: ~other()\nlanguage: French\nconcept:(tool) [scie]\n");
    missing("u:(~tool) ok", "~tool");
}

#[test]
fn tags() {
    let folder = Folder::new("tags");
    let missing = |rules: &str, at: &str| folder.expect(rules, &[(codes::UNKNOWN_TAG, at)]);
    let found = missing("u:(a) %start b\nu:(c) ^goto(strat)", "strat");
    assert_eq!(found[0].message, "the topic has no tag `%strat`");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `start`?"));
    missing("u:(a) ^activate(x)", "x");
    missing("u:(a) ^topicTag(~t, x)", "x");
    folder.expect("u:(a %x) ^deactivate(x)\nu:(b) %y c\nu:(c) ^goto(%y) ^gotoReactivate($where)", &[]);
    // Another topic's, if it is there.
    assert_eq!(missing("u:(a) ^topicTag(other, x)", "other")[0].severity, Severity::Note);
    folder.put("other.top", "topic: ~other()\nlanguage: enu\nu:(a) %here b\n");
    missing("u:(a) ^topicTag(other, x)", "x");
    folder.expect("u:(a) ^topicTag(other, here)", &[]);
}

#[test]
fn rules_that_earlier_ones_hide() {
    let folder = Folder::new("shadowed");
    let hidden = |rules: &str, at: &str| {
        let found = folder.expect(rules, &[(codes::SHADOWED, at)]);
        assert_eq!(found[0].notes[0].message, "this rule comes first");
    };
    hidden("u:(hello) a\nu:(Hello!) b", "u:(Hello!)");
    hidden("u:([hello hi]) a\nu:(hi) b", "u:(hi)");
    hidden("u:([hello hi]) a\nu:([hi hello]) b", "u:([hi hello])");
    hidden("u:(hello {robot}) a\nu:(hello robot) b", "u:(hello robot)");
    hidden("u:(hello {robot}) a\nu:(hello _[robot] ^exact) b", "u:(hello _[robot] ^exact)");
    hidden("u:(e:onStart) a\nu:(e:onStart) b", "u:(e:onStart)");
    hidden("u:(say *) a\nu:(say *) b", "u:(say *)");
    hidden("concept:(greeting) [hello hi]\nu:(~greeting you) a\nu:(hi you) b", "u:(hi you)");
    hidden("dynamic:x\nu:([~x stop]) a\nu:(~x) b", "u:(~x)");
    hidden("u:(a) b\n u1:(c) d\n u1:([c]) e", "u1:([c])");
    // By several rules together.
    let two = "u:(hello) a\nu:(hi) b\nu:([hi hello]) c";
    let found = folder.expect(two, &[(codes::SHADOWED, "u:([hi hello])")]);
    assert_eq!(found[0].message, "the rule never answers: those in lines 3, 4 match all that it matches");
    let free = |rules: &str| folder.expect(rules, &[]);
    // More words win, and so does a rule without a wildcard, or without `^lessPriority`.
    free("u:(hello) a\nu:(hello robot) b");
    free("u:(hello) a\nu:(hello {robot}) b");
    free("u:(say *) a\nu:(say hello) b");
    free("u:(hello ^lessPriority) a\nu:(hello) b");
    // What the earlier one needs may not be there.
    free("u:(hello ^exact) a\nu:(hello) b");
    free("u:(hello $x==1) a\nu:(hello) b");
    free("u:(hello !robot) a\nu:(hello) b");
    free("u:(hello %x) a\nu:(hello) b");
    free("u:(say $x==1 *) a\nu:(say $x==2 *) b");
    free("u:([\"say *\" hello]) a\nu:(hello) b");
    free("dynamic:x\nu:(~x) a\nu:(hello) b");
    // Other scopes and sections.
    free("u:(hello) a\n u1:(hello) b\nu:(hi) c\n u1:(hello) d");
    free("u:(hello) a\nu:^private(hello) b\nrecover:\nu:(hello) c");
    // A rule that an answer goes to, and one that takes part beside the others.
    free("u:(hello) a\nu:(hello) %again b\nu:(once more) ^goto(again)");
    free("u:(hello) a\nl:(hello) $b=1");
    free("u:(été) a\nu:(ete) b");
    // Private rules are meant to come first while their topic has the focus.
    free("u:(repeat) a\nu:^private(repeat) b");
    hidden("u:^private(repeat) a\nu:^private(repeat) b", "u:^private(repeat)");
}

/// Random topics of few words: a rule that is reported as hidden answers none of all short sentences.
#[test]
fn hidden_rules_never_answer() {
    let mut random = Random::new(7);
    let mut below = move |n: u64| random.next_u64() % n;
    let mut hidden = 0;
    for _ in 0..200 {
        let rules: Vec<String> = (0..6).map(|n| format!("u:({}) r{n}\n", pattern(&mut below))).collect();
        let text = format!("topic: ~t()\nlanguage: enu\nconcept:(k) [a \"b c\"]\n{}", rules.concat());
        let topic = read_topic("t.top", &text);
        let found = lint(&topic, &Known::default());
        let lines = found.iter().filter(|finding| finding.code == codes::SHADOWED);
        let lines: Vec<u32> =
            lines.map(|finding| topic.sources.line(topic.file, finding.span.unwrap().start)).collect();
        hidden += lines.len();
        let mut conversation = Conversation::new("English", 0);
        conversation.add(topic, Vec::new()).unwrap();
        for sentence in 0..5 * 5 * 5_usize {
            let words = [1, 5, 25].map(|place| ["", "a", "b", "c", "x"][sentence / place % 5]);
            let answer = conversation.hear(&words.join(" "));
            assert!(!lines.iter().any(|line| answer == format!("r{}", line - 4)), "{text}\n{words:?} → {answer}");
        }
    }
    assert!(hidden > 50, "{hidden}");
}

/// A random input.
fn pattern(below: &mut impl FnMut(u64) -> u64) -> String {
    let mut items = Vec::new();
    for _ in 0..=below(2) {
        let mut word = || ["a", "b", "c"][below(3) as usize];
        let (one, two, three) = (word(), word(), word());
        items.push(match below(14) {
            0 | 1 => format!("[{one} {two}]"),
            2 => format!("{{{one}}} {two}"),
            3 => format!("[\"{one} {two}\" {three}]"),
            4 => format!("_[{one} \"{two} {{{three}}}\"]"),
            5 => "~k".to_owned(),
            6 => "*".to_owned(),
            7 => format!("!{one} {two}"),
            8 => format!("^repeat[{one} {two}]"),
            9 => format!("[\"{one} *\" {two}]"),
            _ => one.to_owned(),
        });
    }
    match below(8) {
        0 => items.push("^exact".to_owned()),
        1 => items.push("^lessPriority".to_owned()),
        _ => {}
    }
    items.join(" ")
}

#[test]
fn inputs_that_never_match() {
    let folder = Folder::new("never");
    let never = |rules: &str, at: &str| folder.expect(rules, &[(codes::NEVER_MATCHES, at)]).remove(0).message;
    assert_eq!(never("u:() a", "u:()"), "the rule never matches: its input has no words");
    never("u:(?) a", "u:(?)");
    never("u:(^exact) a", "u:(^exact)");
    assert!(never("u:($x==1) a", "u:($x==1)").contains("a condition needs words or an event"));
    never("u:(!word) a", "u:(!word)");
    assert!(never("concept:(x)\nu:(one ~x) a", "u:(one ~x)").contains("`~x`, a concept without items"));
    // Rules that only `^goto` leads to.
    folder.expect("u:($empty) %part a\nu:(b) ^goto(part)", &[]);
    folder.expect("u:() %part a\nu:(b) ^goto(part)", &[]);
    never("u:() %part a", "u:()");
    folder.put("main.py", "dialog.gotoTag('part', 't')\n");
    folder.expect("u:() %part a", &[]);
    never("u:() a", "u:()");
    folder.expect("u:(e:x $x==1) a\nu:(b !c) d\nu:(*) e\nu:($y) f", &[]);
    folder.expect("concept:(x)\ndynamic:x\nu:(one ~x) a", &[]);
    folder.expect("concept:(x)\nu:([one ~x]) a ^addToConcept(~y, b)\nu:(two {~x}) c", &[]);
}

#[test]
fn inputs_that_always_match() {
    let folder = Folder::new("always");
    let found = folder.expect("u:(one [two {three}]) a", &[(codes::ALWAYS_MATCHES, "{three}")]);
    assert_eq!(found[0].message, "a choice with an optional item needs none of its words, so it always matches");
    folder.expect("u:({a} {b}) c", &[(codes::ALWAYS_MATCHES, "u:({a} {b})")]);
    folder.expect("concept:(x) [a {b}]\nu:(~x) c", &[(codes::ALWAYS_MATCHES, "{b}")]);
    folder.expect("u:(one {two} [three \"{very} four\"]) [a {b}]", &[]);
}

#[test]
fn quotation_marks_beside_letters() {
    let folder = Folder::new("quotes");
    let odd = |rules: &str| folder.expect(rules, &[(codes::UNBALANCED, "\"")]).remove(0).message;
    assert_eq!(odd("u:([\"a b\"c]) d"), "a quotation mark closes directly before `c`");
    assert_eq!(odd("u:([x l\"a b\" c]) d"), "a quotation mark opens directly behind `l`");
    let concept = "concept:(x) [\"a \"~b \"c d\"]\nconcept:(b) [e]\nu:(~x) f";
    assert_eq!(odd(concept), "a quotation mark closes directly before `~`");
    folder.expect("u:([\"a b\" c] {\"d e\"}) $x=\"y z\" ^call(S.m(\"u\")), \"v w\".", &[]);
    folder.expect("u:([\"こんにちは\"元気]) \"はい\"です", &[]);
}

#[test]
fn proposals_that_nothing_asks_for() {
    let folder = Folder::new("proposals");
    let found = folder.expect("proposal: a\nproposal: b\nu:(c) d", &[(codes::UNUSED_PROPOSAL, "proposal:")]);
    assert_eq!(found[0].message, "nothing here asks for this proposal, and for 1 more of the topic");
    assert_eq!(found[0].severity, Severity::Note);
    for asks in ["^nextProposal", "^goto(x)", "^topic(~t)", "^gotoRandom", "^topicRandom"] {
        folder.expect(&format!("proposal: %x a\nu:(c) {asks}"), &[]);
    }
    folder.put("other.top", "topic: ~other()\nlanguage: enu\nu:(a) ^topic(t)\n");
    folder.expect("proposal: a\nu:(c) d", &[]);
    folder.put("other.top", "topic: ~other()\nlanguage: enu\n");
    folder.put("main.py", "dialog.forceOutput()\n");
    folder.expect("proposal: a\nu:(c) d", &[]);
}
