//! What a topic uses, and where.

use crate::topic::{Arguments, Call, Item, ItemKind, Topic};
use smol_str::SmolStr;
use std::collections::BTreeSet;

/// Where an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Input,
    Output,
    Concept,
}

/// What a topic uses.
#[derive(Default)]
pub(super) struct Uses {
    /// The tags that it has.
    pub(super) tags: BTreeSet<SmolStr>,
    /// Those of them that `^goto` finds.
    pub(super) goals: BTreeSet<SmolStr>,
    /// The tags that answers go to, with their topic if it is another one.
    pub(super) wanted: BTreeSet<(Option<SmolStr>, SmolStr)>,
    /// Whether some answer goes to a tag that is only known when it is given.
    pub(super) wants_any: bool,
    /// Whether something asks for proposals of this topic.
    pub(super) asks: bool,
    /// Whether something asks for proposals of other topics.
    pub(super) asks_others: bool,
    /// The concepts that answers add items to.
    pub(super) filled: BTreeSet<SmolStr>,
}

impl Uses {
    pub(super) fn of(topic: &Topic) -> Self {
        let mut uses = Self::default();
        items(topic, &mut |item, _| {
            if let ItemKind::Call(call) = &item.kind {
                uses.call(call);
            }
        });
        let concepts = topic.concepts.iter().map(|concept| &concept.items);
        let definitions = topic.definitions.iter().map(|definition| &definition.output);
        let rules = topic.rules.iter().flat_map(|rule| rule.input.iter().chain([&rule.output]));
        concepts.chain(definitions).chain(rules).for_each(|items| uses.add_tags(items));
        uses.goals.extend(topic.rules.iter().flat_map(|rule| rule.tags().cloned()));
        uses
    }

    /// Adds the tags of items. One in the arguments of a function is named there, and not set.
    fn add_tags(&mut self, items: &[Item]) {
        for item in items {
            if let ItemKind::Tag(name) = &item.kind {
                self.tags.insert(name.clone());
            }
            self.add_tags(item.inner());
        }
    }

    fn call(&mut self, call: &Call) {
        match call.lower().as_str() {
            "goto" | "gotoreactivate" => self.want(None, call, 0),
            "topictag" | "topictagreactivate" => {
                match call.argument(0).and_then(|argument| plain(&argument.text.text)) {
                    Some(topic) => self.want(Some(topic), call, 1),
                    None => self.wants_any = true,
                }
            }
            "nextproposal" | "sameproposal" | "previousproposal" | "gotorandom" => self.asks = true,
            "topic" | "topicrandom" => self.asks_others = true,
            "addtoconcept" => {
                let name = call.argument(0).and_then(|argument| plain(&argument.text.text));
                self.filled.extend(name);
            }
            _ => {}
        }
    }

    fn want(&mut self, topic: Option<SmolStr>, call: &Call, argument: usize) {
        match call.argument(argument).and_then(|argument| plain(&argument.text.text)) {
            Some(tag) => {
                self.wanted.insert((topic, tag));
            }
            None => self.wants_any = true,
        }
    }

    /// Whether an answer may go to one of these tags of this topic; or a script, whose tags are not known.
    pub(super) fn goes_to(&self, topic: &Topic, known: &super::Known, tags: &[SmolStr]) -> bool {
        let wanted = known.wanted.get(topic.name());
        let own = |tag: &SmolStr| {
            self.wanted.iter().any(|(of, name)| name == tag && of.as_ref().is_none_or(|of| **of == *topic.name()))
        };
        !tags.is_empty()
            && (self.wants_any
                || known.asks
                || tags.iter().any(|tag| own(tag) || wanted.is_some_and(|tags| tags.contains(tag))))
    }
}

/// Returns a name that is written as it is, without `~` or `%`; `None` if it is only known when it is used.
pub(super) fn plain(text: &str) -> Option<SmolStr> {
    let name = text.trim().trim_start_matches(['~', '%']).trim_matches('"').trim();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '/');
    (!name.is_empty() && name.chars().all(is_plain)).then(|| name.into())
}

/// The tags in an answer.
pub(super) fn tags(output: &[Item]) -> Vec<SmolStr> {
    let mut found = Vec::new();
    crate::topic::walk(output, &mut |item| {
        if let ItemKind::Tag(name) = &item.kind {
            found.push(name.clone());
        }
    });
    found
}

/// Calls a function with every item of a topic, outer ones first, and with where it stands. Names of topics in
/// arguments are no items.
pub(super) fn items<'t>(topic: &'t Topic, visit: &mut dyn FnMut(&'t Item, Where)) {
    for concept in &topic.concepts {
        all(&concept.items, Where::Concept, visit);
    }
    for definition in &topic.definitions {
        all(&definition.output, Where::Output, visit);
    }
    for rule in &topic.rules {
        all(rule.input.as_deref().unwrap_or_default(), Where::Input, visit);
        all(&rule.output, Where::Output, visit);
    }
}

/// Calls a function with every list of items that stand beside each other, with the item that they are in, and with where
/// they stand.
pub(super) fn lists<'t>(topic: &'t Topic, visit: &mut dyn FnMut(&'t [Item], Option<&'t Item>, Where)) {
    for concept in &topic.concepts {
        visit(&concept.items, None, Where::Concept);
    }
    for definition in &topic.definitions {
        visit(&definition.output, None, Where::Output);
    }
    for rule in &topic.rules {
        visit(rule.input.as_deref().unwrap_or_default(), None, Where::Input);
        visit(&rule.output, None, Where::Output);
    }
    items(topic, &mut |item, at| visit(item.inner(), Some(item), at));
}

fn all<'t>(items: &'t [Item], at: Where, visit: &mut dyn FnMut(&'t Item, Where)) {
    for item in items {
        one(item, at, visit);
    }
}

fn one<'t>(item: &'t Item, at: Where, visit: &mut dyn FnMut(&'t Item, Where)) {
    visit(item, at);
    let inner = match &item.kind {
        ItemKind::Condition(_) | ItemKind::Assign(..) => Where::Output,
        _ => at,
    };
    all(item.inner(), inner, visit);
    if let ItemKind::Call(call) = &item.kind
        && let Arguments::List(list) = &call.arguments
    {
        let names_topic = matches!(call.lower().as_str(), "topic" | "topictag" | "topictagreactivate");
        for argument in list.iter().skip(usize::from(names_topic)) {
            all(&argument.items, Where::Output, visit);
        }
    }
}
