//! What the robot hears: the condition and the leaf.

use crate::support::Show;
use boxstep_types::Value;

const SENTENCE: &str = "Dialog/LastInput";

fn hears(show: &mut Show, sentence: &str) {
    show.raise(SENTENCE, sentence);
}

fn recognizes(show: &mut Show, words: &str, confidence: f64) {
    show.raise("WordRecognized", Value::list([words.into(), confidence.into()]));
}

#[test]
fn a_condition_is_true_in_the_tick_in_which_a_sentence_fits() {
    let mut show = Show::new("main: { priority: [{ say: quick hi, when: { heard: '[hi hello] robot' } }] }");
    assert!(show.tick().is_empty());
    hears(&mut show, "Hello robot!");
    assert_eq!(show.tick(), ["quick hi"]);
    assert!(show.tick().is_empty());
    hears(&mut show, "hello");
    assert!(show.tick().is_empty());
    hears(&mut show, "hello");
    hears(&mut show, "oh hi robot");
    assert_eq!(show.tick(), ["quick hi"], "one of the sentences of a tick is enough");
    show.raise(SENTENCE, 5);
    assert!(show.tick().is_empty());
}

#[test]
fn words_that_are_recognized_count_if_they_are_sure() {
    let mut show = Show::new("main: { priority: [{ say: quick yes, when: { heard: '~yes' } }] }");
    recognizes(&mut show, "<...> yes <...>", 0.6);
    assert_eq!(show.tick(), ["quick yes"]);
    recognizes(&mut show, "yes", 0.2);
    assert!(show.tick().is_empty());
    show.raise("WordRecognized", Value::list([]));
    assert!(show.tick().is_empty());
}

#[test]
fn a_leaf_waits_for_a_sentence_and_ends_with_what_it_captures() {
    let ended = |pattern: &str, sentence: &str| {
        let mut show = Show::new(&format!("main: {{ priority: [{{ hear: '{pattern}' }}] }}"));
        show.built.runner.keep_account(true);
        show.tick();
        hears(&mut show, "something else");
        show.tick();
        hears(&mut show, sentence);
        show.tick();
        format!("{:?}", show.built.runner.take_account())
    };
    assert!(ended("my name is _*", "My name is Ann Lee.").contains("Str(\"Ann Lee\")"));
    assert!(ended("hello", "Oh, hello!").contains("Str(\"Oh, hello!\")"));
    assert!(!ended("hello", "good day").contains("Str(\"good day\")"));
}

#[test]
fn a_sentence_is_for_one_leaf_of_a_sequence_and_for_all_side_by_side() {
    let mut show = Show::new("main: { sequence: [{ hear: '*' }, { hear: '*' }, { say: quick done }] }");
    show.tick();
    hears(&mut show, "one");
    assert!(show.tick().is_empty(), "the second leaf waits for another one");
    hears(&mut show, "two");
    assert_eq!(show.tick(), ["quick done"]);

    let mut show = Show::new("main: { sequence: [{ hear: a }, { hear: b }, { say: quick done }] }");
    show.tick();
    hears(&mut show, "a");
    hears(&mut show, "b");
    assert_eq!(show.tick(), ["quick done"], "both came in one tick, in order");

    let mut show = Show::new("main: { sequence: [{ parallel: [{ hear: '*' }, { hear: yes }] }, { say: quick done }] }");
    show.tick();
    hears(&mut show, "yes");
    assert_eq!(show.tick(), ["quick done"]);
}

#[test]
fn a_sentence_that_comes_as_the_leaf_before_ends_is_not_lost() {
    let mut show = Show::new("main: { sequence: [{ say: a }, { hear: yes }, { say: quick done }] }");
    show.run(1.0);
    hears(&mut show, "yes");
    assert_eq!(show.tick(), ["quick done"], "the first has ended in this tick");
}

#[test]
fn a_leaf_that_lost_control_listens_anew() {
    let text = "main: { priority: [{ say: quick ouch, when: { event: Touch } }, { sequence: [{ hear: yes }, { say: done }] }] }";
    let mut show = Show::new(text);
    show.tick();
    show.raise("Touch", 1);
    hears(&mut show, "no");
    assert_eq!(show.tick(), ["quick ouch"]);
    show.tick();
    hears(&mut show, "yes");
    assert_eq!(show.tick(), ["done"]);
}

#[test]
fn another_version_listens_for_its_own_pattern() {
    let text = |pattern: &str| format!("main: {{ sequence: [{{ hear: {pattern} }}, {{ say: quick done }}] }}");
    let mut show = Show::new(&text("yes"));
    show.tick();
    show.reload(&text("no")).unwrap();
    hears(&mut show, "yes");
    assert!(show.tick().is_empty());
    hears(&mut show, "no");
    assert_eq!(show.tick(), ["quick done"]);
}
