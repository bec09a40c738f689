//! Concepts, functions and answers that lead back to themselves.

use super::uses::plain;
use crate::codes;
use crate::matching::DEEPEST;
use crate::topic::{Call, Item, ItemKind, Topic, walk};
use boxstep_types::{Diagnostic, Span};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};

/// What leads to what: names, and where they are given.
#[derive(Default)]
struct Graph {
    nodes: BTreeMap<String, (Span, Vec<String>)>,
    /// The names, in the order of the file.
    order: Vec<String>,
}

impl Graph {
    fn add(&mut self, name: String, span: Span, leads: Vec<String>) {
        if !self.nodes.contains_key(&name) {
            self.order.push(name.clone());
        }
        self.nodes.entry(name).or_insert((span, Vec::new())).1.extend(leads);
    }

    /// The circles, each once: a way from a name back to itself, and where that name is given.
    fn circles(&self) -> Vec<(Span, Vec<&str>)> {
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let mut found = Vec::new();
        for name in &self.order {
            if told.contains(name.as_str()) {
                continue;
            }
            let Some(way) = self.way_back(name) else { continue };
            told.extend(&way);
            found.push((self.nodes[name].0, way));
        }
        found
    }

    /// A shortest way from a name back to itself.
    fn way_back<'g>(&'g self, name: &'g str) -> Option<Vec<&'g str>> {
        let leads = |from: &str| self.nodes.get(from).map_or(&[][..], |(_, leads)| leads.as_slice());
        let mut came: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = std::collections::VecDeque::from([name]);
        while let Some(from) = open.pop_front() {
            for to in leads(from) {
                if !came.contains_key(to.as_str()) {
                    came.insert(to, from);
                    open.push_back(to);
                }
            }
        }
        let mut way = vec![name];
        let mut at = *came.get(name)?;
        while at != name {
            way.push(at);
            at = came.get(at)?;
        }
        way.push(name);
        way.reverse();
        Some(way)
    }

    /// The first name that leads through too many others, without those in circles.
    fn too_deep(&self) -> Option<Span> {
        let mut depth: BTreeMap<&str, u32> = BTreeMap::new();
        for first in &self.order {
            let mut open = vec![(first.as_str(), false)];
            while let Some((name, done)) = open.pop() {
                let Some((span, leads)) = self.nodes.get(name) else { continue };
                if done {
                    let inner = leads.iter().filter_map(|to| depth.get(to.as_str())).max();
                    let deep = inner.map_or(0, |inner| inner + 1);
                    if deep >= DEEPEST {
                        return Some(*span);
                    }
                    depth.insert(name, deep);
                } else if !depth.contains_key(name) {
                    depth.insert(name, 0);
                    open.push((name, true));
                    open.extend(leads.iter().map(|to| (to.as_str(), false)));
                }
            }
        }
        None
    }
}

pub(super) fn check(topic: &Topic, found: &mut Vec<Diagnostic>) {
    let concepts = concepts(topic);
    for (span, way) in concepts.circles() {
        let way: Vec<String> = way.iter().map(|name| format!("`~{name}`")).collect();
        let message = format!("a concept leads back to itself, where it takes no word: {}", way.join(", "));
        found.push(Diagnostic::warning(codes::NEVER_MATCHES, message).at(span));
    }
    if let Some(span) = concepts.too_deep() {
        let message = format!("this concept leads through more than {DEEPEST} others, and takes none of their words");
        found.push(Diagnostic::warning(codes::NEVER_MATCHES, message).at(span));
    }
    for (span, way) in answers(topic).circles() {
        let message = format!("an answer that leads back to itself is never said: {}", way.join(", "));
        let finding = Diagnostic::warning(codes::NEVER_MATCHES, message);
        found.push(finding.help("let a choice lead out of it: `^first[\"$go==1 ^goto(tag)\" \"\"]`").at(span));
    }
}

fn concepts(topic: &Topic) -> Graph {
    let mut graph = Graph::default();
    for concept in &topic.concepts {
        let mut leads = Vec::new();
        walk(&concept.items, &mut |item| {
            if let ItemKind::Concept(name) = &item.kind {
                leads.push(name.to_string());
            }
        });
        graph.add(concept.name.text.to_string(), concept.name.span, leads);
    }
    graph
}

/// The functions and tagged answers of a topic, and those that each says in any case: not in a list of alternatives.
fn answers(topic: &Topic) -> Graph {
    let mut tagged: BTreeMap<&SmolStr, Vec<usize>> = BTreeMap::new();
    for (n, rule) in topic.rules.iter().enumerate() {
        rule.tags().for_each(|tag| tagged.entry(tag).or_default().push(n));
    }
    // Of several answers with a tag another one may be said.
    let only = |tag: &str| match tagged.get(&SmolStr::from(tag))?.as_slice() {
        [one] => Some(format!("`{}` in line {}", topic.head(*one), topic.line(*one))),
        _ => None,
    };
    let leads = |items: &[Item]| {
        let mut found = Vec::new();
        said(items, &mut |call| match call.lower().as_str() {
            "goto" | "gotoreactivate" => {
                let tag = call.argument(0).and_then(|argument| plain(&argument.text.text));
                found.extend(tag.and_then(|tag| only(&tag)));
            }
            name => found.push(format!("`^{name}`")),
        });
        found
    };
    let mut graph = Graph::default();
    for definition in &topic.definitions {
        let name = format!("`^{}`", definition.name.text.to_lowercase());
        graph.add(name, definition.name.span, leads(&definition.output));
    }
    for rule in &topic.rules {
        for name in rule.tags().filter_map(|tag| only(tag)) {
            graph.add(name, rule.head, leads(&rule.output));
        }
    }
    graph
}

/// The calls that an answer makes in any case.
fn said(items: &[Item], visit: &mut dyn FnMut(&Call)) {
    for item in items {
        match &item.kind {
            ItemKind::Phrase(items) => said(items, visit),
            ItemKind::Call(call) => visit(call),
            _ => {}
        }
    }
}
