//! Functions, concepts and tags that are named and not there, or stand where they mean nothing.

use super::uses::{self, Uses, Where, plain};
use super::{Known, lexicon};
use crate::codes;
use crate::functions::{Brackets, FUNCTIONS, Function, Place, Support, function_named};
use crate::topic::{Arguments, Call, Item, ItemKind, Topic};
use boxstep_types::{Diagnostic, Span, nearest};
use smol_str::SmolStr;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// Reports one finding for a name, however often it is used.
struct Once<'a> {
    found: BTreeMap<SmolStr, (Diagnostic, usize)>,
    out: &'a mut Vec<Diagnostic>,
}

impl<'a> Once<'a> {
    fn new(out: &'a mut Vec<Diagnostic>) -> Self {
        Self { found: BTreeMap::new(), out }
    }

    fn report(&mut self, name: &str, span: Span, finding: impl FnOnce() -> Diagnostic) {
        let entry = self.found.entry(name.into()).or_insert_with(|| (finding().at(span), 0));
        entry.1 += 1;
    }

    fn finish(self) {
        let told = |(finding, count): (Diagnostic, usize)| match count {
            1 => finding,
            2 => finding.with_note(None, "the topic has it once more"),
            n => finding.with_note(None, format!("the topic has it {} more times", n - 1)),
        };
        self.out.extend(self.found.into_values().map(told));
    }
}

/// Unknown functions, functions at a wrong place or with wrong brackets, and undocumented ones.
pub(super) fn functions(topic: &Topic, known: &Known, found: &mut Vec<Diagnostic>) {
    let mut once = Once::new(found);
    for property in &topic.properties {
        match function_named(&property.text) {
            Some(function) if function.place == Place::Topic => {}
            Some(function) => once.report(function.name, property.span, || wrong_place(function)),
            None => {
                let properties = FUNCTIONS.iter().filter(|function| function.place == Place::Topic);
                let near = nearest(&property.text, properties.map(|function| function.name));
                once.report(&property.text, property.span, || {
                    unknown(format!("`^{}` is no property of a topic", property.text), near)
                });
            }
        }
    }
    let own: BTreeSet<String> =
        topic.definitions.iter().map(|definition| definition.name.text.to_lowercase()).collect();
    let is_defined = |name: &str| own.contains(name) || known.definitions.contains(name);
    uses::items(topic, &mut |item, at| {
        let ItemKind::Call(call) = &item.kind else { return };
        // A definition of the same name comes first.
        let lower = call.lower();
        if is_defined(&lower) {
            return;
        }
        let span = name_of(item, call);
        let Some(function) = function_named(&call.name) else {
            return once.report(&lower, span, || {
                let defined = topic.definitions.iter().map(|definition| &*definition.name.text);
                let defined = defined.chain(known.definitions.iter().map(String::as_str));
                let near = nearest(&call.name, FUNCTIONS.iter().map(|function| function.name).chain(defined));
                unknown(format!("`^{}` is no function of QiChat", call.name), near)
            });
        };
        if !belongs(function, at) {
            once.report(function.name, span, || wrong_place(function));
        } else if let Some(finding) = wrong_brackets(topic, item, call, function) {
            once.report(function.name, span, || finding);
        } else if function.support == Support::Foreign {
            let message = format!("only Pepper's Android tablet has `^{}`; NAOqi does not know it", function.name);
            once.report(function.name, span, || Diagnostic::note(codes::UNDOCUMENTED, message));
        } else if !function.documented {
            let message = format!("`^{}` is not documented", function.name);
            once.report(function.name, span, || Diagnostic::note(codes::UNDOCUMENTED, message));
        }
    });
    once.finish();
}

fn unknown(message: String, near: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::warning(codes::UNKNOWN_FUNCTION, message);
    match near {
        Some(near) => finding.help(format!("did you mean `^{near}`?")),
        None => finding,
    }
}

/// The sign and the name of a function.
fn name_of(item: &Item, call: &Call) -> Span {
    Span { end: (item.span.start + 1 + call.name.len() as u32).min(item.span.end), ..item.span }
}

fn belongs(function: &Function, at: Where) -> bool {
    match (function.place, at) {
        (Place::Topic, _) => false,
        (Place::Input, at) => at != Where::Output,
        (Place::Output, Where::Output | Where::Concept) => true,
        // Lists of alternatives, and guards, of which the documentation does not say where they may stand.
        (Place::Output, Where::Input) => {
            let guards = ["empty", "exist", "notExist", "isInConcept", "containsKnowledge", "notContainsKnowledge"];
            function.brackets == Brackets::Square || guards.contains(&function.name)
        }
    }
}

fn wrong_place(function: &Function) -> Diagnostic {
    let (belongs, form) = match function.place {
        Place::Topic => ("behind the name of a topic", format!("topic: ~name ^{}()", function.name)),
        Place::Input if function.name == "private" => ("before the input of a rule", "u:^private(words)".to_owned()),
        Place::Input => ("in the input of a rule", format!("u:(words ^{}) answer", function.name)),
        Place::Output => ("in an answer", format!("u:(words) ^{}", function.name)),
    };
    let message = format!("`^{}` belongs {belongs}, and means nothing here", function.name);
    Diagnostic::warning(codes::UNKNOWN_FUNCTION, message).help(format!("the form is `{form}`"))
}

fn wrong_brackets(topic: &Topic, item: &Item, call: &Call, function: &Function) -> Option<Diagnostic> {
    let next = topic.text().get(item.span.end as usize..).unwrap_or_default().chars().next();
    let is_right = match (function.brackets, &call.arguments) {
        (Brackets::No, _) => next != Some('('),
        (Brackets::Round, Arguments::List(_)) | (Brackets::Square, Arguments::Items(_)) => true,
        _ => false,
    };
    if is_right {
        return None;
    }
    let name = function.name;
    let (message, help) = match function.brackets {
        Brackets::No => (format!("`^{name}` takes no brackets; these are a part of the text"), format!("`^{name}`")),
        Brackets::Round => (format!("`^{name}` needs round brackets"), format!("`^{name}(…)`")),
        Brackets::Square => (format!("`^{name}` needs square brackets"), format!("`^{name}[…]`")),
    };
    Some(Diagnostic::warning(codes::UNKNOWN_FUNCTION, message).help(format!("write {help}")))
}

/// Concepts that nothing defines: one finding for each name.
pub(super) fn concepts(topic: &Topic, known: &Known, uses: &Uses, found: &mut Vec<Diagnostic>) {
    let mut once = Once::new(found);
    let fixed = topic.concepts.iter().map(|concept| &*concept.name.text);
    let dynamic = topic.dynamics.iter().map(|dynamic| &*dynamic.text);
    let own: BTreeSet<&str> = fixed.chain(dynamic).chain(uses.filled.iter().map(|name| &**name)).collect();
    let code = lexicon::code(topic);
    // Most topics need no look into it.
    let lexicon = LazyCell::new(|| code.map(lexicon::names).unwrap_or_default());
    uses::items(topic, &mut |item, _| {
        let ItemKind::Concept(name) = &item.kind else { return };
        if own.contains(&**name) || known.concepts.contains(name) {
            return;
        }
        if known.unread {
            if lexicon.contains(name) {
                return;
            }
            // The robot's own lexicon has more concepts than the one of this crate.
            return once.report(name, item.span, || {
                let message = format!("neither these files nor Boxstep's lexicon define the concept `~{name}`");
                let finding = Diagnostic::note(codes::UNKNOWN_CONCEPT, message);
                finding.help("the lexicon of the robot may define it, or another of its topics")
            });
        }
        once.report(name, item.span, || {
            let near = nearest(name, own.iter().copied().chain(known.concepts.iter().map(|name| &**name)));
            let help = match (near, code) {
                (_, Some(code)) if lexicon.contains(name) => {
                    format!("the lexicon has it: `include: lexicon_{code}.top`")
                }
                (Some(near), _) => format!("did you mean `~{near}`?"),
                _ => format!("a rule with it never matches, an answer with it is not said; `concept:({name}) [words]`"),
            };
            let message = format!("no file defines the concept `~{name}`");
            Diagnostic::warning(codes::UNKNOWN_CONCEPT, message).help(help)
        });
    });
    once.finish();
}

/// Tags that are used and not set.
pub(super) fn tags(topic: &Topic, known: &Known, uses: &Uses, found: &mut Vec<Diagnostic>) {
    let mut once = Once::new(found);
    uses::items(topic, &mut |item, _| {
        let ItemKind::Call(call) = &item.kind else { return };
        let (of, argument) = match call.lower().as_str() {
            "goto" | "gotoreactivate" | "activate" | "deactivate" | "frequency" => (None, 0),
            "topictag" | "topictagreactivate" => match call.argument(0).and_then(|a| plain(&a.text.text)) {
                Some(name) => (Some(name).filter(|name| **name != *topic.name()), 1),
                None => return,
            },
            _ => return,
        };
        let Some(word) = call.argument(argument).map(|argument| &argument.text) else { return };
        let Some(tag) = plain(&word.text) else { return };
        let (tags, where_) = match &of {
            None => (&uses.tags, "the topic".to_owned()),
            Some(name) => match known.topics.get(name) {
                Some(tags) => (tags, format!("the topic `{name}`")),
                None => return,
            },
        };
        if tags.contains(&tag) {
            return;
        }
        let name = format!("{}%{tag}", of.as_deref().unwrap_or_default());
        once.report(&name, word.span, || {
            let help = match nearest(&tag, tags.iter().map(|tag| &**tag)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("put it into the answer or proposal that is meant: `u:(words) %{tag} answer`"),
            };
            Diagnostic::warning(codes::UNKNOWN_TAG, format!("{where_} has no tag `%{tag}`")).help(help)
        });
    });
    once.finish();
}
