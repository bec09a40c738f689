//! Functions, concepts and tags that are named and not there, or stand where they mean nothing.

use super::uses::{self, Uses, Where, plain};
use super::{Known, lexicon};
use crate::codes;
use crate::functions::{Brackets, FUNCTIONS, Function, Place, Support, function_named};
use crate::topic::{Arguments, Call, Definition, Item, ItemKind, Topic};
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
    let own: BTreeMap<String, &Definition> =
        topic.definitions.iter().map(|definition| (definition.name.text.to_lowercase(), definition)).collect();
    uses::items(topic, &mut |item, at| {
        let ItemKind::Call(call) = &item.kind else { return };
        let lower = call.lower();
        let span = name_of(item, call);
        let Some(function) = function_named(&call.name) else {
            if let Some(definition) = own.get(&lower) {
                let wrong = wrong_count(definition, call);
                return wrong.into_iter().for_each(|finding| once.report(&lower, span, || finding));
            }
            if known.definitions.contains(&lower) {
                return;
            }
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

/// `^f(a, b)` of `def:f($a)`
fn wrong_count(definition: &Definition, call: &Call) -> Option<Diagnostic> {
    let given = match &call.arguments {
        Arguments::List(list) => list.len(),
        Arguments::None => 0,
        Arguments::Items(_) => return None,
    };
    let wanted = definition.parameters.len();
    let count = |n: usize| if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") };
    let message = format!("`^{}` takes {}, and gets {given}", call.name, count(wanted));
    let finding = Diagnostic::warning(codes::UNKNOWN_FUNCTION, message);
    (given != wanted).then(|| finding.with_note(Some(definition.name.span), "it is defined here"))
}

/// Definitions and concepts that another one of the same name replaces.
pub(super) fn replaced(topic: &Topic, found: &mut Vec<Diagnostic>) {
    for definition in &topic.definitions {
        if let Some(function) = function_named(&definition.name.text) {
            let message = format!("QiChat has a function `^{}` itself, so this one is never called", function.name);
            found.push(Diagnostic::warning(codes::UNKNOWN_FUNCTION, message).at(definition.name.span));
        }
    }
    let definitions = topic.definitions.iter().map(|of| (of.name.text.to_lowercase(), of.name.span, of.span));
    twice(topic, "def:", definitions, found);
    let concepts = topic.concepts.iter().map(|of| (of.name.text.to_string(), of.name.span, of.span));
    twice(topic, "concept:", concepts, found);
}

/// Names that are given twice, with where they stand and what they stand for; of equal lines nothing is lost.
fn twice(topic: &Topic, keyword: &str, names: impl Iterator<Item = (String, Span, Span)>, found: &mut Vec<Diagnostic>) {
    let text = |of: Span| topic.sources.slice(of).split_whitespace().collect::<Vec<_>>();
    let mut last: BTreeMap<String, (Span, Span)> = BTreeMap::new();
    for (name, span, of) in names {
        let message = format!("the topic has a second `{keyword}{name}`, so this one has no effect");
        if let Some((before, of_before)) = last.insert(name, (span, of))
            && text(of_before) != text(of)
        {
            let finding = Diagnostic::warning(codes::NOT_A_RULE, message);
            found.push(finding.with_note(Some(span), "the last one counts").at(before));
        }
    }
}

/// The sign and the name of a function.
fn name_of(item: &Item, call: &Call) -> Span {
    Span { end: (item.span.start + 1 + call.name.len() as u32).min(item.span.end), ..item.span }
}

fn belongs(function: &Function, at: Where) -> bool {
    match (function.place, at) {
        (Place::Topic, _) => false,
        // Before the input it is no item of it.
        (Place::Input, at) => at != Where::Output && function.name != "private",
        (Place::Output, Where::Output | Where::Concept) => true,
        // An alternative of no words; lists of alternatives.
        (Place::Output, Where::Input) => function.brackets == Brackets::Square || function.name == "empty",
    }
}

fn wrong_place(function: &Function) -> Diagnostic {
    let (belongs, form) = match function.place {
        Place::Topic => ("behind the name of a topic", format!("topic: ~name ^{}()", function.name)),
        Place::Input if function.name == "private" => ("before the input of a rule", "u:^private(words)".to_owned()),
        Place::Input => {
            let list = if function.brackets == Brackets::Square { "[…]" } else { "" };
            ("in the input of a rule", format!("u:(words ^{}{list}) answer", function.name))
        }
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
        let name = format!("{}%{tag}", of.as_deref().unwrap_or_default());
        let goes_there = of.is_none() && !matches!(call.lower().as_str(), "activate" | "deactivate" | "frequency");
        if goes_there && tags.contains(&tag) && !uses.goals.contains(&tag) {
            return once.report(&format!("{name} hidden"), word.span, || {
                let message =
                    format!("`^{}` does not find `%{tag}`: it is not beside the words of an answer", call.name);
                let finding = Diagnostic::warning(codes::UNKNOWN_TAG, message);
                finding.help(format!("a tag in an alternative or an input only switches it: `u:(words) %{tag} answer`"))
            });
        }
        if tags.contains(&tag) {
            return;
        }
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
