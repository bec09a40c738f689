//! What is probably wrong with a topic, before anyone talks to it.
//!
//! [`lint`] looks at a topic alone; what the topic may refer to outside of its file is in [`Known`]. [`lint_ports`]
//! compares a topic with the dialog box that it is of. False alarms are worse than misses: a finding that depends on
//! what the robot knows beside these files is a note, or there is none.

mod answers;
mod circles;
mod events;
mod lexicon;
mod names;
mod patterns;
mod ports;
mod proposals;
mod shadow;
mod slips;
mod uses;

use crate::codes;
use crate::topic::{Topic, walk};
use boxstep_types::Diagnostic;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use uses::Uses;

/// What a topic can refer to outside of its file.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The concepts of other topics in this language, static and dynamic, without `~`.
    pub concepts: BTreeSet<SmolStr>,
    /// Whether the topic includes something that is not at hand, such as the robot's own lexicon.
    pub unread: bool,
    /// The functions that other topics define by `def:`, in lower case.
    pub definitions: BTreeSet<String>,
    /// The tags of the other topics, by the topic's name.
    pub topics: BTreeMap<SmolStr, BTreeSet<SmolStr>>,
    /// The tags that other topics go to, by the name of the topic that has them.
    pub wanted: BTreeMap<SmolStr, BTreeSet<SmolStr>>,
    /// Whether something outside of the topic asks for proposals or tags: another topic, or a script.
    pub asks: bool,
}

/// The names of a dialog box's inputs and outputs.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// The inputs, which rules name as `e:name`.
    pub inputs: Vec<Arc<str>>,
    /// The outputs, which rules set as `$name=value`.
    pub outputs: Vec<Arc<str>>,
}

impl Known {
    /// Adds what another topic of the same language defines, and what it asks for.
    pub fn add(&mut self, other: &Topic) {
        let uses = Uses::of(other);
        self.concepts.extend(other.concepts.iter().map(|concept| concept.name.text.clone()));
        self.concepts.extend(other.dynamics.iter().map(|dynamic| dynamic.text.clone()));
        self.concepts.extend(uses.filled.iter().cloned());
        self.definitions.extend(other.definitions.iter().map(|definition| definition.name.text.to_lowercase()));
        self.asks |= uses.asks_others;
        for (topic, tag) in uses.wanted {
            let topic = topic.unwrap_or_else(|| other.name().into());
            self.wanted.entry(topic).or_default().insert(tag);
        }
        self.topics.entry(other.name().into()).or_default().extend(uses.tags);
    }
}

/// Returns what is probably wrong with a topic, in the order of its text. What its reader found is in
/// [`problems`].
///
/// ```
/// use boxstep_dialog::{Known, lint, read_topic};
///
/// let topic = read_topic("t.top", "topic: ~t()\nlanguage: enu\nu:(again) ^gotoo(start)\n");
/// let found = lint(&topic, &Known::default());
/// assert_eq!(found[0].message, "`^gotoo` is no function of QiChat");
/// assert_eq!(found[0].help.as_deref(), Some("did you mean `^goto`?"));
/// ```
pub fn lint(topic: &Topic, known: &Known) -> Vec<Diagnostic> {
    let uses = Uses::of(topic);
    let mut found = Vec::new();
    names::functions(topic, known, &mut found);
    names::replaced(topic, &mut found);
    names::concepts(topic, known, &uses, &mut found);
    names::tags(topic, known, &uses, &mut found);
    patterns::check(topic, known, &uses, &mut found);
    shadow::check(topic, known, &uses, &mut found);
    proposals::check(topic, known, &uses, &mut found);
    answers::check(topic, known, &mut found);
    slips::check(topic, &mut found);
    circles::check(topic, &mut found);
    events::check(topic, &mut found);
    in_order(&mut found);
    found
}

/// Returns what is wrong between a topic and the dialog box that it is of.
pub fn lint_ports(topic: &Topic, ports: &Ports) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    ports::check(topic, ports, &mut found);
    in_order(&mut found);
    found
}

/// Returns what the reader of a topic found. Typographic signs, which come in hundreds, are one finding.
pub fn problems(topic: &Topic) -> Vec<Diagnostic> {
    let is_sign = |problem: &&Diagnostic| problem.code == codes::TYPOGRAPHIC;
    let (signs, mut found): (Vec<_>, Vec<_>) = topic.problems.iter().partition(is_sign);
    let mut all: Vec<Diagnostic> = found.drain(..).cloned().collect();
    if let [first, more @ ..] = signs.as_slice() {
        let mut first = (*first).clone();
        match more.len() {
            0 => {}
            1 => first = first.with_note(None, "another word of the file has such a sign"),
            n => first = first.with_note(None, format!("{n} more words of the file have such signs")),
        }
        all.push(first);
    }
    in_order(&mut all);
    all
}

fn in_order(found: &mut [Diagnostic]) {
    found.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
}

/// Whether an item, or one inside it, is what is looked for.
fn any(items: &[crate::topic::Item], is: &dyn Fn(&crate::topic::ItemKind) -> bool) -> bool {
    let mut found = false;
    walk(items, &mut |item| found |= is(&item.kind));
    found
}
