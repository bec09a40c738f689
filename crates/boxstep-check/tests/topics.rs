//! Checks of topics, rule by rule: each with a topic that breaks it, and one that does not.

use boxstep_check::codes as codes_of_check;
use boxstep_check::{
    CheckedDialog, Context, DIALOG_CODES, Found, baseline, check, dialog_file, dialogs_of, listed_dialogs, project,
    render, sarif, to_json, topic_file,
};
use boxstep_dialog::files::{TopicFiles, open_dialog, open_topic};
use boxstep_dialog::{Conversation, Known, codes, lint, read_topic};
use boxstep_format::codes as files;
use boxstep_format::{Limits, open, read_xar};
use boxstep_types::{Code, Diagnostic, Random, Severity};
use std::path::{Path, PathBuf};

/// The folder that one test uses.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topics").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn put_bytes(&self, name: &str, bytes: &[u8]) {
        self.put(name, "");
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    /// Returns the findings about `t.top`, each with the text at its span.
    fn found(&self, rules: &str) -> Vec<(Diagnostic, String)> {
        self.put("t.top", &format!("topic: ~t()\nlanguage: enu\n{rules}\n"));
        let found = topic_file(&self.0.join("t.top"), "t.top").unwrap();
        found.into_iter().map(|f| (f.finding.clone(), f.sources.slice(f.finding.span.unwrap()).to_owned())).collect()
    }

    /// Checks that the findings about a topic with these rules are these; returns them.
    #[track_caller]
    fn expect(&self, rules: &str, want: &[(Code, &str)]) -> Vec<Diagnostic> {
        let found = self.found(rules);
        let seen: Vec<_> = found.iter().map(|(finding, at)| (finding.code, at.as_str())).collect();
        assert_eq!(seen, want, "{rules}\n{found:#?}");
        found.into_iter().map(|(finding, _)| finding).collect()
    }

    #[track_caller]
    fn help(&self, rules: &str) -> String {
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
    folder.expect("u:(a %x) ^deactivate(x)\nu:(b) ^first[\"%y c\" d] ^goto(%y) ^gotoReactivate($where)", &[]);
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

#[test]
fn included_topics() {
    let folder = Folder::new("include");
    let found = folder
        .expect("include: more.top\nu:(~x) a", &[(codes::NO_INCLUDE, "more.top"), (codes::UNKNOWN_CONCEPT, "~x")]);
    assert_eq!((found[0].severity, found[1].severity), (Severity::Warning, Severity::Note));
    folder.put("more.top", "topic: ~more()\nlanguage: enu\nconcept:(x) [y]\n");
    folder.expect("include: more.top\nu:(~x) a", &[]);
    // In the folder or below it, whatever the slashes.
    folder.put("below/more.top", "topic: ~below()\nlanguage: enu\nconcept:(z) [y]\n");
    folder.expect("include: below\\more.top\ninclude: ./more.top\nu:(~x) ~z", &[]);
}

/// What `check` says about an `include:` line is what the player does with it.
#[test]
fn includes_that_the_player_does_not_read() {
    let folder = Folder::new("include_unread");
    folder.put("p.pml", "<Package name='p' format_version='4'/>");
    folder.put("t/more.top", "topic: ~more()\nlanguage: enu\n");
    folder.put("out.top", "topic: ~out()\nlanguage: enu\n");
    folder.put("t/lexicon_czc.top", "topic: ~lexicon_czc()\nlanguage: enu\n");
    folder.put_bytes("t/utf16.top", &utf_16("topic: ~utf16()\nlanguage: enu\n"));
    let read = ["more.top", "lexicon_enu.top", "../lexicon_frf.top", "x/lexicon_jpj.top", "lexicon_czc.top"];
    let unread = [
        ("mor.top", "did you mean `more.top`?"),
        ("\"more.top\"", "write the name of the file without quotation marks"),
        ("../out.top", "put a copy into the folder of this topic or below it, and include that"),
        ("below/../more.top", "put a copy into the folder of this topic or below it, and include that"),
        ("/more.top", "put a copy into the folder of this topic or below it, and include that"),
        ("basic_channel/dlg_hello_enu.top", "it is looked for in the folder of this topic and below it; topics of"),
        ("lexicon_kok.top", "Boxstep has no lexicon in Korean, and plays the topic without it"),
        ("lexicon_xyz.top", "`xyz` is not the code of a language"),
        ("utf16.top", "save it as UTF-8"),
    ];
    let all = read.iter().copied().map(|name| (name, None)).chain(unread.map(|(name, help)| (name, Some(help))));
    for (name, help) in all {
        folder.put("t/t.top", &format!("topic: ~t()\nlanguage: enu\ninclude: {name}\nu:(a) b\n"));
        let path = folder.0.join("t/t.top");
        let problems = open_topic(&path).unwrap().topic.problems;
        let found = topic_file(&path, "t/t.top").unwrap();
        assert_eq!((problems.len(), found.len()), (usize::from(help.is_some()), usize::from(help.is_some())), "{name}");
        for (found, problem) in found.iter().zip(&problems) {
            let Found { finding, sources, .. } = found;
            assert_eq!((finding.code, finding.severity), (problem.code, problem.severity));
            assert_eq!(sources.slice(finding.span.unwrap()), name);
            let told = finding.help.as_deref().unwrap();
            assert!(told.starts_with(help.unwrap()), "{name}: {told}");
        }
    }
}

/// Whether the player loads a topic.
fn loads(path: &Path) -> bool {
    let Ok(TopicFiles { topic, includes, .. }) = open_topic(path) else { return false };
    Conversation::new("English", 0).add(topic, includes).is_ok()
}

#[test]
fn a_topic_that_the_player_does_not_load_has_an_error() {
    let folder = Folder::new("not_loaded");
    let head = "topic: ~t()\nlanguage: enu\n";
    folder.put("broken.top", "topic: ~broken()\nlanguage: enu\nu:(a\n");
    folder.put("nameless.top", "language: enu\nu:(a) b\n");
    folder.put("sub/outer.top", "topic: ~outer()\nlanguage: enu\ninclude: inner.top\n");
    folder.put("sub/inner.top", "topic: ~inner()\nlanguage: enu\nu:(x\n");
    folder.put("ring.top", "topic: ~ring()\nlanguage: enu\ninclude: t.top\n");
    let ok = [
        format!("{head}u:(a) b\n"),
        format!("\u{feff}{head}include: ring.top\n"),
        format!("{head}include: gone.top\n"),
    ];
    let not = [
        (String::new(), codes_of_check::BAD_CONTENT),
        ("# nothing\n".to_owned(), codes_of_check::BAD_CONTENT),
        ("language: enu\nu:(a) b\n".to_owned(), codes_of_check::BAD_CONTENT),
        ("topic:\nlanguage: enu\n".to_owned(), codes::NOT_A_RULE),
        (format!("{head}u:(a b\n"), codes::UNBALANCED),
        (format!("{head}include: broken.top\n"), codes_of_check::BROKEN_INCLUDE),
        (format!("{head}include: nameless.top\n"), codes_of_check::BROKEN_INCLUDE),
        (format!("{head}include: sub/outer.top\n"), codes_of_check::BROKEN_INCLUDE),
    ];
    let all = ok.iter().map(|text| (text, None)).chain(not.iter().map(|(text, code)| (text, Some(*code))));
    let path = folder.0.join("t.top");
    for (text, code) in all {
        folder.put("t.top", text);
        let found = topic_file(&path, "t.top").unwrap();
        let errors = found.iter().filter(|found| found.finding.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|found| found.finding.code).collect();
        assert_eq!(errors, code.into_iter().collect::<Vec<_>>(), "{text}");
        assert_eq!(loads(&path), code.is_none(), "{text}");
    }
    for bytes in [utf_16(head), head.replace('t', "\u{e9}").chars().map(|c| c as u8).collect()] {
        folder.put_bytes("t.top", &bytes);
        let found = topic_file(&path, "t.top").unwrap_err();
        assert!(!loads(&path));
        assert_eq!((found.finding.code, found.finding.severity), (files::BAD_ENCODING, Severity::Error));
        assert!(found.finding.help.unwrap().starts_with("save it as UTF-8") && found.file == "t.top");
    }
}

#[test]
fn an_error_of_an_included_topic_is_shown_in_its_file() {
    let folder = Folder::new("broken_include");
    folder.put("d/sub/outer.top", "topic: ~outer()\nlanguage: enu\ninclude: inner.top\n");
    folder.put("d/sub/inner.top", "topic: ~inner()\nlanguage: enu\n\nu:(a\nu:(b\n");
    folder.put("d/t.top", "topic: ~t()\nlanguage: enu\ninclude: sub/outer.top\ninclude: sub/inner.top\n");
    let found = topic_file(&folder.0.join("d/t.top"), "d/t.top").unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    let Found { finding, sources, .. } = &found[0];
    assert_eq!(sources.place(finding.span.unwrap()), "d/t.top:3:10");
    assert_eq!(sources.place(finding.notes[0].span.unwrap()), "d/sub/inner.top:4:3");
    assert_eq!(finding.notes[0].message, "`(` is not closed");
    // Lines move, so the message that baselines know names none.
    assert_eq!(finding.message, "the topic cannot be loaded, because the included `sub/outer.top` has an error");
    let shown = render(finding, sources, false);
    assert!(shown.contains(" --> d/t.top:3:10\n") && shown.contains("::: d/sub/inner.top:4:3\n"), "{shown}");
}

#[test]
fn a_dialog_by_itself() {
    let folder = Folder::new("dialog_file");
    let check = |text: &str| {
        folder.put("d/d.dlg", text);
        let CheckedDialog { findings, topics } = dialog_file(&folder.0.join("d/d.dlg"), "d/d.dlg").unwrap();
        let findings =
            findings.iter().map(|f| (f.finding.code, f.finding.severity, f.sources.place(f.finding.span.unwrap())));
        (findings.collect::<Vec<_>>(), topics.into_iter().map(|(_, shown)| shown).collect::<Vec<_>>())
    };
    folder.put("p.pml", "<Package name='p' format_version='4'/>");
    folder.put("d/sub/t.top", "topic: ~t()\nlanguage: enu\n");
    folder.put("up.top", "topic: ~up()\nlanguage: frf\n");
    let text = "multilanguage:d\nenu:sub/t.top\nged:gone.top\n";
    let missing = (codes_of_check::MISSING_TOPIC, Severity::Error, "d/d.dlg:3:5".to_owned());
    assert_eq!(check(text), (vec![missing], vec!["d/sub/t.top".to_owned()]));
    // The player reads topics in the dialog's folder and below it, and no others.
    let (found, _) = check("multilanguage:d\nfrf:../up.top\n");
    assert_eq!(found, [(codes_of_check::PATH_ESCAPES, Severity::Error, "d/d.dlg:2:5".to_owned())]);
    assert!(open_dialog(&folder.0.join("d/d.dlg"), None).is_err());
    let (found, _) = check("multilanguage:d\n");
    assert_eq!(found, [(codes_of_check::BAD_CONTENT, Severity::Error, "d/d.dlg:1:1".to_owned())]);
    assert!(open_dialog(&folder.0.join("d/d.dlg"), None).is_err());
    folder.put_bytes("d/d.dlg", &utf_16(text));
    let found = dialog_file(&folder.0.join("d/d.dlg"), "d/d.dlg").unwrap_err();
    assert_eq!((found.finding.code, found.finding.severity), (files::BAD_ENCODING, Severity::Error));
}

/// The bytes of a text in UTF-16.
fn utf_16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn topics_of_android_have_their_language_from_their_folder() {
    let folder = Folder::new("android");
    let text = "topic: ~t()\nproposal: %init a\nu:(b) c\n";
    folder.put("app/res/raw-fr/t.top", text);
    assert!(topic_file(&folder.0.join("app/res/raw-fr/t.top"), "t.top").unwrap().is_empty());
    folder.put("app/t.top", text);
    let found = topic_file(&folder.0.join("app/t.top"), "t.top").unwrap();
    let found: Vec<_> = found.iter().map(|f| f.finding.code).collect();
    assert_eq!(found, [boxstep_check::codes::BAD_CONTENT, codes::UNUSED_PROPOSAL]);
    assert!(topic_file(&folder.0.join("none.top"), "none.top").is_err());
}

const PML: &str = "<Package name='p' format_version='4'><BehaviorDescriptions><BehaviorDescription name='b' src='b'/>\
    </BehaviorDescriptions><Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs>TOPICS</Package>";

const BOX: &str = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/>
<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>
<Output name="answered" type="1" type_size="1" nature="2" inner="0" tooltip="" id="5"/>
<dialogFile>../d/d.dlg</dialogFile></Box></ChoregrapheProject>"#;

#[test]
fn every_topic_of_a_project_is_checked_once() {
    let folder = Folder::new("project");
    let listed = "<Topics><Topic name='d' src='d/d_enu.top' topicName='d' language='en_US'/></Topics>";
    folder.put("b/behavior.xar", BOX);
    folder.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\nfrf:d_frf.top\n");
    let topic = |language: &str| format!("topic: ~d()\nlanguage: {language}\nu:(a) ^gotoo(b) $answered=1\n");
    folder.put("d/d_enu.top", &topic("enu"));
    folder.put("d/d_frf.top", &topic("frf"));
    for topics in ["", listed] {
        folder.put("p.pml", &PML.replace("TOPICS", topics));
        let opened = open(&folder.0, &Limits::default()).unwrap();
        let found = project(&opened, &folder.0, None);
        let mut places: Vec<_> = found.iter().map(|f| f.sources.place(f.finding.span.unwrap())).collect();
        places.sort();
        assert!(found.iter().all(|f| f.finding.code == codes::UNKNOWN_FUNCTION), "{found:?}");
        assert!(places.len() == 2 && places[0].ends_with("d_enu.top:3:7"), "{places:?}");
        // Not again with the box.
        let dialogs = listed_dialogs(&opened);
        assert!(of_box(&folder, BOX, &dialogs).is_empty());
    }
    // Without a project, the box reports them.
    let found = of_box(&folder, BOX, &[]);
    assert_eq!(found.iter().map(|f| f.finding.code).collect::<Vec<_>>(), [codes::UNKNOWN_FUNCTION; 2]);
}

#[test]
fn topics_of_a_box_are_reported_in_their_files() {
    let folder = Folder::new("own_files");
    folder.put("p.pml", &PML.replace("<Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs>TOPICS", ""));
    folder.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\nfrf:gone.top\n");
    folder.put("d/d_enu.top", "topic: ~d()\nlanguage: enu\nu:(a) ^gotoo(b) $answred=1\n");
    let two = BOX.replace("</dialogFile>", "</dialogFile><Timeline enable='0'><BehaviorLayer name='l'><BehaviorKeyframe name='k' \
        index='1'><Diagram><Box name='Talk' id='1'><dialogFile>../d/d.dlg</dialogFile></Box></Diagram></BehaviorKeyframe>\
        </BehaviorLayer></Timeline>");
    let found = of_box(&folder, &two, &[]);
    let places: Vec<_> = found.iter().map(|f| (f.finding.code, f.sources.place(f.finding.span.unwrap()))).collect();
    let at = |code, place: &str| (code, format!("p/d/{place}"));
    // The ports are those of the one box; the other one does not tell the rest again.
    let wanted = [
        at(codes_of_check::MISSING_TOPIC, "d.dlg:3:5"),
        at(codes::UNKNOWN_FUNCTION, "d_enu.top:3:7"),
        at(codes::NO_SUCH_OUTPUT, "d_enu.top:3:17"),
    ];
    assert_eq!(places.iter().filter(|place| wanted.contains(place)).count(), 3, "{places:?}");
    assert!(found.iter().all(|f| f.file == f.sources.name(f.finding.span.unwrap().file)), "{found:?}");
    let told = found.iter().find(|found| found.finding.code == codes::UNKNOWN_FUNCTION).unwrap();
    let Found { finding, sources, file } = told;
    let shown = render(finding, sources, false);
    let wanted = "warning[BS0903]: `^gotoo` is no function of QiChat
 --> p/d/d_enu.top:3:7
  |
3 | u:(a) ^gotoo(b) $answred=1
  |       ^^^^^^
  |
  = note: this is the dialog of the box at p/b/behavior.xar:1:37
  = box: root
  = help: did you mean `^goto`?";
    assert_eq!(shown, wanted);
    let json = to_json(finding, sources, file);
    assert_eq!((&json["file"], &json["line"], &json["box"]), (&"p/d/d_enu.top".into(), &3.into(), &"root".into()));
    let log = sarif("1", [boxstep_check::Reported { finding, sources, file }]);
    let place = &log["runs"][0]["results"][0]["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "p/d/d_enu.top");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 3);
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "root");
    // Where the finding stood in the baseline before, it still does.
    assert!(baseline::key(finding, "b/behavior.xar").ends_with(" b/behavior.xar root"));
    // A dialog that is reported elsewhere leaves only what the box's ports bring.
    let file = read_xar("p/b/behavior.xar", two.as_bytes(), &Limits::default()).unwrap();
    let dialogs = dialogs_of(&file, &folder.0.join("b"));
    assert!(dialogs.iter().any(|path| path.ends_with("d/d_enu.top")), "{dialogs:?}");
    let found = of_box(&folder, &two, &dialogs);
    assert!(!found.is_empty() && found.iter().all(|f| f.finding.code == codes::NO_SUCH_OUTPUT), "{found:?}");
}

/// The findings about the dialog of a dialog box. The behavior's file is `p/b/behavior.xar` in messages.
fn of_box(folder: &Folder, text: &str, dialogs: &[PathBuf]) -> Vec<Found> {
    let file = read_xar("p/b/behavior.xar", text.as_bytes(), &Limits::default()).unwrap();
    let behavior = folder.0.join("b");
    let context = Context { folder: Some(&behavior), dialogs, ..Context::default() };
    let found = check(&file, &context);
    let of_dialogs = |finding: &Diagnostic| DIALOG_CODES.iter().any(|(code, _)| *code == finding.code);
    assert!(!found.behavior.iter().any(of_dialogs), "{found:?}");
    found.dialogs
}

#[test]
fn ports_of_a_dialog_box() {
    let folder = Folder::new("ports");
    folder.put("p.pml", &PML.replace("TOPICS", ""));
    folder.put("d/d.dlg", "multilanguage:d\nenu:d_enu.top\n");
    let listed = listed_dialogs(&open(&folder.0, &Limits::default()).unwrap());
    let found = |rules: &str| {
        folder.put("d/d_enu.top", &format!("topic: ~d()\nlanguage: enu\n{rules}\n"));
        let found = of_box(&folder, BOX, &listed).into_iter().map(|found| found.finding).collect::<Vec<_>>();
        assert!(found.iter().all(|finding| finding.code == codes::NO_SUCH_OUTPUT), "{found:?}");
        let told = found.iter().map(|f| (f.severity, f.message.clone(), f.help.clone().unwrap_or_default()));
        told.collect::<Vec<_>>()
    };
    let told = |severity, message: &str, help: &str| (severity, message.to_owned(), help.to_owned());
    assert_eq!(found("u:(e:onStart) hi $answered=1\nu:(b) bye $onStopped=1"), []);
    let unset = "no answer sets the output \"answered\" of the box";
    assert_eq!(found("u:(a) b"), [told(Severity::Note, unset, "`$answered=1` in an answer stimulates it")]);
    let misspelled = told(Severity::Warning, "the box has no output \"onStoped\"", "did you mean `$onStopped`?");
    assert_eq!(found("u:(a) b $answered=1 $onStoped=1"), [misspelled]);
    let misspelled = told(Severity::Warning, "the box has no input \"onStrat\"", "did you mean `e:onStart`?");
    assert_eq!(found("u:(e:onStrat) b $answered=1"), [misspelled]);
    // Other names are keys of memory, and a variable that the topic reads is its own.
    assert_eq!(found("u:(a) $answered=1 $name=Ann\nu:(e:FrontTactilTouched) c"), []);
    assert_eq!(found("u:(a) $answered=1 $answers=1\nu:(b) $answers times"), []);
}

/// Set `BOXSTEP_CORPUS` to a folder of real files, or put it beside the repository as `../shared/corpus`. With
/// `BOXSTEP_SHOW` every finding is printed.
#[test]
fn every_real_topic_can_be_checked() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        return println!("skipped: there is no folder of real files at {}", folder.display());
    }
    let show = std::env::var_os("BOXSTEP_SHOW").is_some();
    let mut waiting = vec![folder];
    let mut counts = std::collections::BTreeMap::<(&str, String), usize>::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "top") {
            for found in topic_file(&path, &path.to_string_lossy()).unwrap() {
                let finding = &found.finding;
                *counts.entry((finding.code.name, finding.severity.to_string())).or_default() += 1;
                let text = render(finding, &found.sources, false);
                assert!(text.contains("-->"), "{text}");
                if show {
                    println!("{text}\n");
                }
            }
        }
    }
    for ((name, severity), count) in counts {
        println!("{count} {name} ({severity})");
    }
}
