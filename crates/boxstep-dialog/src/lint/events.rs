//! Events of the dialog whose names are misspelled.

use super::uses;
use crate::codes;
use crate::topic::{ItemKind, Topic};
use boxstep_types::{Diagnostic, nearest};
use std::collections::BTreeSet;

/// What rules can wait for of the dialog itself, behind `Dialog/`: events, and what it reports to the memory
/// (`docs/reference/qichat.md`, "Events").
const EVENTS: [&str; 53] = [
    "ActivateTopic",
    "Answered",
    "CannotMakeIt",
    "CloseSession",
    "CurrentString",
    "DateCode",
    "DeactivateTopic",
    "Default",
    "Failure",
    "Fallback",
    "Focus",
    "FocusDescription",
    "Focused",
    "Hour",
    "IsStarted",
    "LanguageIsSet",
    "LastAnswer",
    "LastInput",
    "MainDialogStarted",
    "MatchedApp",
    "MatchedInput",
    "MatchedLine",
    "MatchedTopic",
    "Minute",
    "Morning",
    "Night",
    "NoOneSpeak",
    "NoOneSpeak10",
    "NoOneSpeak15",
    "NoOneSpeak20",
    "NoOneSpeak5",
    "NotSpeaking10",
    "NotSpeaking15",
    "NotSpeaking20",
    "NotSpeaking5",
    "NotUnderstood",
    "NotUnderstood2",
    "NotUnderstood3",
    "NotUnderstoodEvent",
    "NothingToSay",
    "OpenSession",
    "RobotModel",
    "RobotName",
    "SaidMisunderstood",
    "SaidString",
    "SameRule",
    "Scope",
    "Second",
    "SpeakFailure",
    "Tag",
    "TalkTime",
    "TryTopic",
    "Year",
];

pub(super) fn check(topic: &Topic, found: &mut Vec<Diagnostic>) {
    let mut set = BTreeSet::new();
    uses::items(topic, &mut |item, _| {
        if let ItemKind::Assign(key, _) = &item.kind {
            set.insert(key);
        }
    });
    uses::items(topic, &mut |item, _| {
        let ItemKind::Event(key) = &item.kind else { return };
        let Some(name) = key.strip_prefix("Dialog/").filter(|_| !set.contains(key)) else { return };
        if EVENTS.contains(&name) {
            return;
        }
        // A program may raise an event of any name.
        if let Some(near) = nearest(name, EVENTS) {
            let message = format!("the dialog has no event `{key}`");
            let finding = Diagnostic::warning(codes::NEVER_MATCHES, message);
            found.push(finding.help(format!("did you mean `e:Dialog/{near}`?")).at(item.span));
        }
    });
}
