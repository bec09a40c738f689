//! The laws that hold for any bytes given as a topic, for tests and fuzzers.

use crate::topic::{Topic, walk};
use crate::{Conversation, read_topic};
use boxstep_types::Span;

/// Reads bytes as a topic, and talks with it if it has no errors.
///
/// # Panics
/// If a law is broken.
pub fn law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let topic = reading(&text);
    if !topic.is_broken() && topic.name.is_some() {
        talking(topic);
    }
}

/// Reads a text as a topic: no byte gets lost, and every span lies in the text.
///
/// # Panics
/// If a law is broken.
pub fn reading(text: &str) -> Topic {
    let topic = read_topic("t.top", text);
    let mut end = 0;
    for part in &topic.parts {
        assert_eq!(part.span.start, end, "a gap between parts");
        end = part.span.end;
    }
    assert_eq!(end as usize, text.len(), "the parts end before the text");
    let inside = |span: Span| {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} is no part of the text");
    };
    for problem in &topic.problems {
        inside(problem.span.unwrap_or_else(|| panic!("{} has no place", problem.message)));
        assert!(!problem.message.is_empty());
    }
    let inputs = topic.rules.iter().flat_map(|rule| rule.input.iter().chain([&rule.output]));
    let concepts = topic.concepts.iter().map(|concept| &concept.items);
    let definitions = topic.definitions.iter().map(|definition| &definition.output);
    for items in inputs.chain(concepts).chain(definitions) {
        walk(items, &mut |item| inside(item.span));
    }
    for (n, rule) in topic.rules.iter().enumerate() {
        inside(rule.head);
        inside(rule.span);
        assert!(rule.span.start <= rule.head.start && rule.head.end <= rule.span.end, "{:?}", topic.head(n));
        assert!(rule.parent.is_none_or(|parent| parent < n && topic.rules[parent].children.binary_search(&n).is_ok()));
    }
    topic
}

/// Says each input of a topic, as far as it is made of plain words, and raises each event, twice: with the index and
/// without it. The answers are the same.
fn talking(topic: Topic) {
    let mut pair = [(); 2].map(|()| {
        let mut conversation = Conversation::new("English", 1);
        let added = conversation.add(topic.clone(), Vec::new());
        assert!(added.is_ok(), "{added:?}");
        conversation
    });
    pair[1].dialog.try_all_rules();
    let mut stimuli = Vec::new();
    for rule in topic.rules.iter().take(20) {
        let mut words = Vec::new();
        walk(rule.input.as_deref().unwrap_or(&[]), &mut |item| match &item.kind {
            crate::topic::ItemKind::Text(text) if words.len() < 50 => words.push(text.to_string()),
            _ => {}
        });
        stimuli.push(words.join(" "));
    }
    stimuli.push("one two three".to_owned());
    for stimulus in &stimuli {
        let [one, other] = &mut pair;
        let near = one.dialog.explain(&one.world, stimulus, 5);
        assert!(near.iter().all(|near| !near.why.to_string().is_empty()));
        assert_eq!(one.hear(stimulus), other.hear(stimulus), "{stimulus}");
        assert_eq!(one.world.notes, other.world.notes, "{stimulus}");
    }
    let keys = pair[0].dialog.events();
    for key in keys.iter().take(20) {
        let [one, other] = &mut pair;
        assert_eq!(one.raise(key, 1), other.raise(key, 1), "{key}");
    }
    let [one, other] = &mut pair;
    assert_eq!(one.wait(30.0), other.wait(30.0));
    assert_eq!(one.world.notes, other.world.notes);
}
