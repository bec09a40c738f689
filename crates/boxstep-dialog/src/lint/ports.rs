//! The inputs and outputs of a dialog box, and the names in its topic.

use super::{Ports, uses};
use crate::codes;
use crate::topic::{ItemKind, Topic};
use boxstep_types::{Diagnostic, Span, nearest};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(topic: &Topic, ports: &Ports, found: &mut Vec<Diagnostic>) {
    let mut set: BTreeMap<SmolStr, Span> = BTreeMap::new();
    let mut events: BTreeMap<SmolStr, Span> = BTreeMap::new();
    let mut read: BTreeSet<SmolStr> = BTreeSet::new();
    uses::items(topic, &mut |item, _| match &item.kind {
        ItemKind::Assign(key, _) => {
            set.entry(key.clone()).or_insert(item.span);
        }
        ItemKind::Event(key) => {
            events.entry(key.clone()).or_insert(item.span);
        }
        ItemKind::Variable(key) => {
            read.insert(key.clone());
        }
        ItemKind::Condition(condition) => {
            read.insert(condition.subject.clone());
        }
        ItemKind::Call(call) => read.extend(call.argument(0).map(|a| a.text.text.trim_start_matches('$').into())),
        _ => {}
    });
    let inputs: Vec<&str> = ports.inputs.iter().map(|name| &**name).collect();
    let outputs: Vec<&str> = ports.outputs.iter().map(|name| &**name).collect();
    for (key, span) in &set {
        // What the topic reads is a variable of its own.
        let is_own = read.contains(key) || events.contains_key(key);
        if is_own || outputs.contains(&&**key) {
            continue;
        }
        if let Some(near) = meant(key, &outputs, &|name| set.contains_key(name)) {
            let message = format!("the box has no output \"{key}\"");
            let finding = Diagnostic::warning(codes::NO_SUCH_OUTPUT, message);
            found.push(finding.help(format!("did you mean `${near}`?")).at(*span));
        }
    }
    for (key, span) in &events {
        let is_own = set.contains_key(key) || inputs.contains(&&**key) || outputs.contains(&&**key);
        if is_own {
            continue;
        }
        if let Some(near) = meant(key, &inputs, &|name| events.contains_key(name)) {
            let message = format!("the box has no input \"{key}\"");
            let finding = Diagnostic::warning(codes::NO_SUCH_OUTPUT, message);
            found.push(finding.help(format!("did you mean `e:{near}`?")).at(*span));
        }
    }
    // The end of the box may come from outside: its `onStop`.
    let unset = outputs.iter().filter(|name| **name != "onStopped" && !set.contains_key(**name));
    for name in unset {
        let message = format!("no answer sets the output \"{name}\" of the box");
        let finding = Diagnostic::note(codes::NO_SUCH_OUTPUT, message);
        let head = topic.name.as_ref().map(|name| name.span);
        found.push(Diagnostic { span: head, ..finding.help(format!("`${name}=1` in an answer stimulates it")) });
    }
}

/// The port that a name is nearly. One that the topic names rightly elsewhere is meant only if no digit differs: of `go1`
/// and `go2` each may be right.
fn meant<'p>(key: &str, ports: &[&'p str], is_named: &dyn Fn(&str) -> bool) -> Option<&'p str> {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let free = ports.iter().copied().filter(|name| !is_named(name) || digits(name) == digits(key));
    nearest(key, free)
}
