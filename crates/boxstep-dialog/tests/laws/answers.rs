//! Random topics and conversations: which rule may answer, and what never changes the answer.

use super::model::{Case, case};
use boxstep_dialog::{Conversation, DialogEvent, RulePlace, Topic, read_topic};
use proptest::prelude::*;
use std::sync::Arc;

/// A rule that answered.
#[derive(Debug)]
struct Matched {
    rule: RulePlace,
    words: u32,
    wild: u32,
    captures: Vec<Arc<str>>,
}

impl Matched {
    fn of(event: &DialogEvent) -> Option<Self> {
        match event.clone() {
            DialogEvent::Matched { rule, words, wild, captures } => Some(Self { rule, words, wild, captures }),
            _ => None,
        }
    }
}

/// What happened. Which of the rules that come equally near are told depends on the order of the topics.
fn without_near(conversation: &Conversation) -> Vec<DialogEvent> {
    let mut notes = conversation.world.notes.clone();
    for note in &mut notes {
        if let DialogEvent::NotUnderstood { near, .. } = note {
            near.clear();
        }
    }
    notes
}

/// Makes a conversation. The topics are loaded from `first` on, round and round, and activated in order.
fn conversation(case: &Case, topics: &[Topic], first: usize) -> Conversation {
    let mut conversation = Conversation::new("English", case.seed);
    for n in 0..topics.len() {
        let topic = topics[(first + n) % topics.len()].clone();
        conversation.dialog.load(topic, Vec::new()).unwrap();
    }
    for topic in &case.topics {
        conversation.dialog.activate(&mut conversation.world, &topic.name).unwrap();
        conversation.dialog.set_tag("t", &topic.name, !topic.tag_off).unwrap();
    }
    conversation
}

/// Where a rule of a topic is looked for.
fn section(case: &Case, topic: usize, rule: usize, focus: Option<&str>) -> u32 {
    let of = &case.topics[topic];
    match of.property {
        "^fallback" => 3,
        _ if of.rules[rule].recover => 2,
        _ => u32::from(focus != Some(&*of.name)),
    }
}

fn check(case: &Case) {
    let texts: Vec<(String, Vec<u32>)> = (0..case.topics.len()).map(|n| case.text(n)).collect();
    let topics: Vec<Topic> = texts.iter().map(|(text, _)| read_topic("t.top", text)).collect();
    for (topic, (text, _)) in topics.iter().zip(&texts) {
        assert!(topic.problems.is_empty(), "{text}\n{:?}", topic.problems);
    }
    let mut main = conversation(case, &topics, 0);
    let mut others = [conversation(case, &topics, 0), conversation(case, &topics, 0), conversation(case, &topics, 1)];
    others[1].dialog.try_all_rules();
    for sentence in &case.sentences {
        if let Some(x) = sentence.x {
            for one in others.iter_mut().chain([&mut main]) {
                one.world.variables.insert("x".into(), x.into());
            }
        }
        let x = main.world.variables.get("x").and_then(|value| value.as_i64());
        let said = case.said(sentence);
        let words = case.compared(sentence);
        let focus = main.dialog.focus().map(str::to_owned);
        let scope = main.dialog.scope().map(|place| (place.topic.to_string(), place.line));
        let mut open = Vec::new();
        for (t, topic) in case.topics.iter().enumerate() {
            for (r, rule) in topic.rules.iter().enumerate() {
                let parent = case.parent(t, r).map(|parent| (topic.name.clone(), texts[t].1[parent]));
                let is_open =
                    (parent.is_none() || parent == scope) && !(rule.private && focus.as_deref() != Some(&*topic.name));
                if is_open && case.matches(t, rule, &words, x) {
                    open.push((t, r, section(case, t, r, focus.as_deref())));
                }
            }
        }
        main.world.notes.clear();
        let answer = main.hear(&said);
        let matched: Vec<Matched> = main.world.notes.iter().filter_map(Matched::of).collect();
        let context = || {
            format!(
                "{said:?}, x={x:?}, focus {focus:?}, scope {scope:?}\n{}",
                texts.iter().map(|t| &*t.0).collect::<String>()
            )
        };
        match matched.as_slice() {
            [] => {
                assert!(open.is_empty(), "rules {open:?} match, and none answers {}", context());
                assert_eq!(answer, "");
            }
            [matched] => {
                let topic = case.topics.iter().position(|topic| *topic.name == *matched.rule.topic).unwrap();
                let rule = texts[topic].1.iter().position(|line| *line == matched.rule.line).unwrap();
                let winner = open.iter().find(|(t, r, _)| (*t, *r) == (topic, rule));
                let (.., section) =
                    winner.unwrap_or_else(|| panic!("{:?} must not answer {}", matched.rule, context()));
                let first = open.iter().map(|(.., section)| *section).min().unwrap();
                assert_eq!(*section, first, "{:?} is not of the first section {}", matched.rule, context());
                assert!(answer.starts_with(&format!("r{rule}")), "{answer}");
                assert!(matched.captures.iter().all(|capture| said.contains(&**capture)), "{:?}", matched.captures);
                let all = words.len() as u32;
                assert!(matched.words + matched.wild <= all, "{matched:?} {}", context());
                let rule = &case.topics[topic].rules[rule];
                if rule.exact {
                    assert_eq!(matched.words + matched.wild, all, "{matched:?} {}", context());
                }
                // A rule of all the words in this section is beaten only by one that has them all, too.
                let beats = |(t, r, s): &(usize, usize, u32)| {
                    let other = &case.topics[*t].rules[*r];
                    let literal = case.length(other);
                    s == section && (!other.less || rule.less) && literal == Some(words.len())
                };
                if open.iter().any(beats) {
                    assert_eq!(
                        (matched.words, matched.wild, rule.less && matched.words < all),
                        (all, 0, false),
                        "{}",
                        context()
                    );
                }
            }
            several => panic!("{several:?} {}", context()),
        }
        for (n, other) in others.iter_mut().enumerate() {
            other.world.notes.clear();
            assert_eq!(other.hear(&said), answer, "another answer ({n}) {}", context());
            assert_eq!(without_near(other), without_near(&main), "({n}) {}", context());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_right_rule_answers_whatever_the_index_and_the_order_of_topics(case in case()) {
        check(&case);
    }
}
