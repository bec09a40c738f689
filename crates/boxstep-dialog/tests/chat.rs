//! Conversations as text: `> hello`, then what the robot answers.

use boxstep_dialog::{Conversation, read_topic};

/// Makes a conversation with topics. Each is given without its header; `~name ^property` in the first line names it.
pub(crate) fn chat(topics: &[&str]) -> Conversation {
    let mut conversation = Conversation::new("English", 0);
    for (n, text) in topics.iter().enumerate() {
        let (head, rules) = match text.strip_prefix('~') {
            Some(rest) => rest.split_once('\n').unwrap(),
            None if n == 0 => ("t", *text),
            None => panic!("a second topic needs a name"),
        };
        let text = format!("topic: ~{head} ()\nlanguage: English\n{rules}\n");
        let topic = read_topic("t.top", &text);
        assert!(topic.problems.is_empty(), "{text}\n{:?}", topic.problems);
        conversation.add(topic, Vec::new()).unwrap();
    }
    conversation
}

/// Plays `input → answer; input → answer`; `–` stands for no answer.
pub(crate) fn play(topics: &[&str], exchanges: &str) {
    play_with(&mut chat(topics), exchanges);
}

pub(crate) fn play_with(conversation: &mut Conversation, exchanges: &str) {
    for exchange in exchanges.split(';') {
        let (input, answer) = exchange.split_once('→').unwrap_or_else(|| panic!("no → in {exchange}"));
        let (input, answer) = (input.trim(), answer.trim());
        let said = match input.split_once(':') {
            Some(("raise", event)) => match event.split_once('=') {
                Some((key, value)) => conversation.raise(key.trim(), value.trim().parse::<i64>().unwrap()),
                None => conversation.raise(event.trim(), 1),
            },
            Some(("wait", seconds)) => conversation.wait(seconds.trim().parse().unwrap()),
            _ => conversation.hear(input),
        };
        assert_eq!(said, if answer == "–" { "" } else { answer }, "{input}\n{:#?}", conversation.world.notes);
    }
}
