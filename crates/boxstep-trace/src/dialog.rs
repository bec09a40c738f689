//! What happens in a conversation: sentences that the robot hears, the rules that answer, and what they change.

use crate::serial::is_default;
use boxstep_types::Value;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Something that happens in the robot's dialog (`docs/reference/qichat.md`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum DialogEvent {
    /// A sentence was heard.
    Heard {
        /// What was said.
        text: Arc<str>,
    },
    /// A rule answers.
    Matched {
        /// The rule.
        rule: RulePlace,
        /// How many words its own words and concepts cover.
        #[serde(default, skip_serializing_if = "is_default")]
        words: u32,
        /// How many words its wildcards cover.
        #[serde(default, skip_serializing_if = "is_default")]
        wild: u32,
        /// What was captured: `$1`, `$2` ….
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        captures: Vec<Arc<str>>,
    },
    /// No rule answers a sentence.
    NotUnderstood {
        /// What was said.
        text: Arc<str>,
        /// The rules that came nearest.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        near: Vec<NearRule>,
    },
    /// A rule matched, and its answer cannot be said: a variable is not set, a condition is false, or a tag is off.
    Unsayable {
        /// The rule.
        rule: RulePlace,
    },
    /// An event that a rule waits for came while the robot was speaking, and the speech took longer than the event
    /// waits.
    Missed {
        /// The key of the event.
        key: Arc<str>,
    },
    /// The robot answers.
    Answer {
        /// What it says, without annotations for voice and gestures.
        text: Arc<str>,
    },
    /// A topic has set a variable.
    Variable {
        /// Its name.
        key: Arc<str>,
        /// Its value.
        value: Value,
    },
    /// Other sub-rules are open now.
    Scope {
        /// The rule that they belong to; none if no sub-rules are open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<RulePlace>,
    },
    /// Another topic has the focus.
    Focus {
        /// Which; none if no topic has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        topic: Option<Arc<str>>,
    },
}

/// A rule of a topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulePlace {
    /// The name of the topic.
    pub topic: Arc<str>,
    /// The name of the file; empty if the topic came as text.
    #[serde(default, skip_serializing_if = "is_default")]
    pub file: Arc<str>,
    /// The line of the rule, from 1.
    pub line: u32,
    /// The rule's keyword and input: `u:(hello)`.
    pub head: Arc<str>,
}

/// A rule that nearly answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearRule {
    /// The rule.
    #[serde(flatten)]
    pub rule: RulePlace,
    /// Why it did not answer.
    pub why: Arc<str>,
}

impl DialogEvent {
    /// The topic that the event is about, if it is about one.
    pub fn topic(&self) -> Option<&Arc<str>> {
        match self {
            DialogEvent::Matched { rule, .. }
            | DialogEvent::Unsayable { rule }
            | DialogEvent::Scope { rule: Some(rule) } => Some(&rule.topic),
            DialogEvent::Focus { topic } => topic.as_ref(),
            _ => None,
        }
    }
}

/// Formats the place for people: `greet.top:12, u:(hello)`.
impl fmt::Display for RulePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.is_empty() { &self.topic } else { &self.file };
        write!(f, "{file}:{}, {}", self.line, self.head)
    }
}

/// Formats the event for people.
impl fmt::Display for DialogEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialogEvent::Heard { text } => write!(f, "hears “{text}”"),
            DialogEvent::Matched { rule, captures, .. } => {
                write!(f, "answers by {rule}")?;
                for (n, said) in captures.iter().enumerate() {
                    write!(f, "{} ${}={said}", if n == 0 { " with" } else { "," }, n + 1)?;
                }
                Ok(())
            }
            DialogEvent::NotUnderstood { text, .. } => write!(f, "no rule answers “{text}”"),
            DialogEvent::Unsayable { rule } => write!(f, "nothing can be said for {rule}"),
            DialogEvent::Missed { key } => {
                write!(f, "the event {key} came too long before the end of the speech: no rule answers it")
            }
            DialogEvent::Answer { text } => write!(f, "answers “{text}”"),
            DialogEvent::Variable { key, value } => write!(f, "${key}={value}"),
            DialogEvent::Scope { rule: Some(rule) } => write!(f, "sub-rules of {rule} are open"),
            DialogEvent::Scope { rule: None } => write!(f, "no sub-rules are open"),
            DialogEvent::Focus { topic: Some(topic) } => write!(f, "the topic {topic} has the focus"),
            DialogEvent::Focus { topic: None } => write!(f, "no topic has the focus"),
        }
    }
}
