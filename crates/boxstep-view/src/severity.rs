//! The severity of log lines, and the search for words in them.

use boxstep_engine::trace::{DelegationEnd, DelegationEvent, DialogEvent, Kind, LogLevel, ReloadPhase};
use boxstep_record::Form;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The severity of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// Details: calls of services, events of the robot, use of resources.
    Debug,
    /// What a person would see or hear, prints, phases of behaviors.
    Info,
    /// Something unexpected.
    Warning,
    /// An exception, or a call that is not supported.
    Error,
    /// A script has logged it as fatal.
    Fatal,
}

impl Severity {
    /// Returns the severity of an event.
    pub(crate) fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Raised { .. } | Kind::BehaviorFailed { .. } | Kind::Unsupported { .. } => Severity::Error,
            Kind::Warning { .. } | Kind::Abandoned { .. } | Kind::Forced { .. } | Kind::Mismatch { .. } => {
                Severity::Warning
            }
            Kind::ServiceDone(reply) if reply.result.is_err() => Severity::Warning,
            Kind::Delegation(delegation) => match &delegation.event {
                DelegationEvent::Livelock { .. }
                | DelegationEvent::Forced
                | DelegationEvent::Ended { end: DelegationEnd::Failed { .. }, .. } => Severity::Warning,
                _ => Severity::Debug,
            },
            Kind::Dialog(dialog) => match &**dialog {
                DialogEvent::NotUnderstood { .. } | DialogEvent::Unsayable { .. } | DialogEvent::Missed { .. } => {
                    Severity::Warning
                }
                DialogEvent::Heard { .. } | DialogEvent::Matched { .. } | DialogEvent::Answer { .. } => Severity::Info,
                DialogEvent::Variable { .. } | DialogEvent::Scope { .. } | DialogEvent::Focus { .. } => Severity::Debug,
            },
            Kind::Reload(change) if change.phase == ReloadPhase::Refused => Severity::Warning,
            Kind::Log { level, .. } => match level {
                LogLevel::Debug => Severity::Debug,
                LogLevel::Info => Severity::Info,
                LogLevel::Warning => Severity::Warning,
                LogLevel::Error => Severity::Error,
                LogLevel::Fatal => Severity::Fatal,
            },
            Kind::Service(_) | Kind::ServiceDone(_) | Kind::Event { .. } | Kind::Resource(_) | Kind::Dropped { .. } => {
                Severity::Debug
            }
            _ => Severity::Info,
        }
    }
}

/// Whether the event's values or its `description` contain all of these words, in lower case. The names of its fields
/// are not searched.
pub(crate) fn has_words(
    event: &impl Serialize,
    description: Option<&str>,
    form: Option<&Form>,
    words: &[String],
) -> bool {
    let Ok(Json::Object(fields)) = serde_json::to_value(event) else { return false };
    let mut text = SearchText { text: String::new(), form };
    if let Some(description) = description {
        text.add_text(description);
        text.text.push('\n');
    }
    let fields = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "n" | "t" | "cause" | "dir"));
    fields.for_each(|(_, value)| text.add(value));
    words.iter().all(|word| text.text.contains(word))
}

/// The searchable text of an event: its values and the keys inside of them, in lower case.
struct SearchText<'a> {
    text: String,
    form: Option<&'a Form>,
}

impl SearchText<'_> {
    fn add(&mut self, value: &Json) {
        match value {
            Json::Null => {}
            Json::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => self.text.push_str(&number.to_string()),
            Json::String(text) => self.add_text(text),
            Json::Array(all) => all.iter().for_each(|one| self.add(one)),
            Json::Object(all) => all.iter().for_each(|(key, one)| {
                self.add_text(key);
                self.text.push(' ');
                self.add(one);
            }),
        }
        self.text.push('\n');
    }

    fn add_text(&mut self, text: &str) {
        match self.form {
            Some(form) => self.text.push_str(&form.0.text(text).to_lowercase()),
            None => self.text.push_str(&text.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_engine::trace::Unread;
    use boxstep_record::Normal;
    use std::path::Path;

    #[test]
    fn what_somebody_must_know_is_more_serious_than_what_happens_all_the_time() {
        for (line, wanted) in [
            (
                r#""kind":"raised","method":"m","error":{"kind":"E","message":"","line":1,"traceback":""}"#,
                Severity::Error,
            ),
            (r#""kind":"unsupported","service":"ALNone","method":"""#, Severity::Error),
            (r#""kind":"log","level":"fatal","text":"x""#, Severity::Fatal),
            (r#""kind":"log","level":"debug","text":"x""#, Severity::Debug),
            (r#""kind":"print","text":"x""#, Severity::Info),
            (r#""kind":"service_done","service":"S","method":"m","value":null"#, Severity::Debug),
            (r#""kind":"service_done","service":"S","method":"m","error":"no""#, Severity::Warning),
            (r#""kind":"delegation","what":"ended","how":"failed""#, Severity::Warning),
            (r#""kind":"delegation","what":"ended","how":"done""#, Severity::Debug),
            (r#""kind":"dialog","what":"not_understood","text":"x""#, Severity::Warning),
            (r#""kind":"dialog","what":"answer","text":"x""#, Severity::Info),
            (r#""kind":"dialog","what":"focus""#, Severity::Debug),
        ] {
            let text = format!("{{\"n\":1,\"t\":2,{line}}}");
            assert_eq!(Severity::of(&crate::entry::event(&text).kind), wanted, "{line}");
        }
        let unread = Unread { kind: "of tomorrow".into(), line: "{}".into() };
        assert_eq!(Severity::of(&Kind::Unread(Box::new(unread))), Severity::Info);
        assert!(Severity::Warning < Severity::Error);
    }

    #[test]
    fn words_are_found_in_what_a_line_says_and_not_in_what_its_fields_are_called() {
        let text = r#"{"n":17,"t":2,"kind":"act","act":"say","path":"root/Say","text":"Héllo \"you\"","data":{"voice":[3.5]}}"#;
        let event = crate::entry::event(text);
        let says = |words: &[&str]| {
            has_words(
                &event.line(Some("root/Say")),
                None,
                None,
                &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(),
            )
        };
        assert!(says(&["héllo"]) && says(&["root/say", "\"you\""]) && says(&["3.5", "voice"]));
        assert!(!says(&["text"]) && !says(&["17"]) && !says(&["héllo", "bye"]));
    }

    #[test]
    fn words_are_found_in_texts_as_a_page_has_them() {
        let event = crate::entry::event(r#"{"n":1,"t":2,"kind":"print","text":"/home/ann/x <a at 0x7f>"}"#);
        let form = Form(Normal::new().folder(Path::new("/home/ann"), "home"));
        let says = |word: &str| has_words(&event.line(None), None, Some(&form), &[word.to_owned()]);
        assert!(says("{home}/x") && says("0x0>") && !says("ann") && !says("0x7f"));
    }
}
