//! How much work a sentence is: steps are counted, not seconds.

use boxstep_dialog::{Conversation, read_topic};

fn steps(rules: &str, sentence: &str, every_rule: bool) -> u64 {
    let mut conversation = Conversation::new("English", 0);
    conversation.add(read_topic("t.top", &format!("topic: ~t()\nlanguage: English\n{rules}")), Vec::new()).unwrap();
    if every_rule {
        conversation.dialog.try_all_rules();
    }
    conversation.hear(sentence);
    conversation.dialog.steps()
}

fn rules(count: usize, rule: &str) -> String {
    (0..count).map(|n| format!("{}\n", rule.replace('N', &n.to_string()))).collect()
}

const RULES: [&str; 6] = [
    "u:(hello wordN) a",
    "u:([hello bye] {dear} _[wordN otherN]) $1",
    "u:(* hello {*} wordN *) a",
    "u:(!wordN hello there {good} day) a",
    "u:(^repeat[hello there day N] $x==N) a",
    "u:({very} _* day wordN _*) $2",
];

#[test]
fn the_work_grows_with_the_rules_and_not_faster() {
    for rule in RULES {
        for sentence in ["hello there good day", "hello hello hello day day day there there good good day"] {
            let [one, two, four] = [200, 400, 800].map(|count| steps(&rules(count, rule), sentence, true));
            assert!(one > 200, "{rule}: {one}");
            assert!(two <= 2 * one && four <= 2 * two, "{rule}: {one}, {two}, {four} steps");
        }
    }
}

#[test]
fn the_index_leaves_the_rules_that_have_a_word_of_the_sentence() {
    for rule in ["u:(hello wordN) a", "u:([hello bye] {dear} _[wordN otherN]) $1", "u:(* hello {*} wordN *) a"] {
        let [few, many] = [10, 10_000].map(|count| steps(&rules(count, rule), "hello good word7 friend", false));
        // Rules that come near are few, too.
        assert!(few > 0 && many < 20 * few, "{rule}: {few}, {many}");
    }
    // A word that all rules have is no way to find one, nor is a concept that all have.
    let concept = "concept:(can_you) [\"can you\" could \"will you\"]\n";
    let [few, many] = [10, 10_000].map(|count| {
        steps(&format!("{concept}{}", rules(count, "u:(~can_you {please} verbN)")), "can you verb7", false)
    });
    assert!(few > 0 && many < 20 * few, "{few}, {many}");
}

#[test]
fn the_work_grows_with_the_sentence_and_not_faster() {
    let patterns = ["* a", "_* a _*", "{a} {b} {a} b", "[a b \"a b\"] * [a b]", "a {*} b {*} c", "* * * * c"];
    for pattern in patterns {
        let rule = format!("u:({pattern}) x");
        let [one, two, four] = [50, 100, 200].map(|n| steps(&rule, &"a b ".repeat(n), true));
        assert!(one > 0 && two <= 2 * one + 50 && four <= 2 * two + 50, "{pattern}: {one}, {two}, {four} steps");
    }
    // A sentence has an end.
    let rule = "u:(* a) x";
    assert_eq!(steps(rule, &"a b ".repeat(500), false), steps(rule, &"a b ".repeat(100_000), false));
}

#[test]
fn patterns_that_trouble_backtracking_do_not_here() {
    let nested = format!("u:({}x{}) y", "[\"a ".repeat(12), " a\" a \"a a\"]".repeat(12));
    for rule in [
        "u:({*} {*} {*} {*} {*} {*} {*} {*} x) y",
        "u:(* * * * * * * * x) y",
        &nested,
        "u:(^repeat[a \"a a\" \"a a a\"] x) y",
    ] {
        let steps = steps(rule, &"a ".repeat(300), true);
        assert!(steps < 300 * 300 * 10, "{rule}: {steps}");
    }
}
