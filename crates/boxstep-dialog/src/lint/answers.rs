//! Answers that cannot do what they say.

use super::uses::{self, Where, plain};
use super::{Known, any};
use crate::codes;
use crate::functions::function_named;
use crate::topic::{Call, ItemKind, Rule, RuleKind, Topic};
use boxstep_types::{Diagnostic, Span, nearest};
use smol_str::SmolStr;
use std::collections::BTreeSet;

pub(super) fn check(topic: &Topic, known: &Known, found: &mut Vec<Diagnostic>) {
    for (n, rule) in topic.rules.iter().enumerate() {
        found.extend(stray_bracket(topic, rule));
        found.extend(no_capture(rule));
        found.extend(no_call(topic, n));
        found.extend(mixed(topic, rule));
    }
    let fixed = fixed_concepts(topic);
    uses::items(topic, &mut |item, at| {
        let ItemKind::Call(call) = &item.kind else { return };
        if at != Where::Input {
            found.extend(incomplete_call(call, item.span));
            found.extend(no_topic(topic, known, call));
            found.extend(fixed_concept(&fixed, call));
        }
    });
}

/// `u:(hello)) hi`
fn stray_bracket(topic: &Topic, rule: &Rule) -> Option<Diagnostic> {
    let first = rule.output.first().filter(|_| rule.input.is_some())?;
    let ItemKind::Text(text) = &first.kind else { return None };
    if !text.starts_with(')') || topic.text().get(rule.head.end as usize..first.span.start as usize)?.contains('\n') {
        return None;
    }
    let finding = Diagnostic::warning(codes::UNBALANCED, "`)` closes nothing, and belongs to the answer");
    Some(finding.at(Span { end: first.span.start + 1, ..first.span }))
}

/// `$1` in an answer whose rule captures nothing.
fn no_capture(rule: &Rule) -> Option<Diagnostic> {
    if rule.kind == RuleKind::Skin {
        return None;
    }
    let mut captures = 0;
    crate::topic::walk(rule.input.as_deref().unwrap_or_default(), &mut |item| {
        captures += usize::from(matches!(item.kind, ItemKind::Capture(_)));
    });
    let mut first: Option<(usize, Span)> = None;
    crate::topic::walk(&rule.output, &mut |item| {
        let number = match &item.kind {
            ItemKind::Captured(number) => Some(*number),
            ItemKind::Condition(condition) => condition.subject.parse().ok(),
            _ => None,
        };
        if let Some(number) = number.filter(|number| *number > captures) {
            first.get_or_insert((number, item.span));
        }
    });
    let (number, span) = first?;
    let message = match captures {
        0 => format!("`${number}` has no value: the input captures nothing"),
        1 => format!("`${number}` has no value: the input captures once"),
        n => format!("`${number}` has no value: the input captures {n} times"),
    };
    let help = match rule.kind {
        RuleKind::Proposal => "a proposal has no input; a variable keeps what another rule has captured: `$name=$1`",
        _ => "`_` before a word, a choice or `*` captures it",
    };
    Some(Diagnostic::warning(codes::NO_CAPTURE, message).help(help).at(span))
}

/// `c1:` or `e1:` below a rule that calls nothing.
fn no_call(topic: &Topic, n: usize) -> Option<Diagnostic> {
    let rule = &topic.rules[n];
    let is_result = matches!(rule.kind, RuleKind::Result(_) | RuleKind::Failure(_));
    let parent = &topic.rules[rule.parent.filter(|_| is_result)?];
    if any(&parent.output, &may_call) {
        return None;
    }
    // One finding for all results of a rule.
    let is_first = parent
        .children
        .iter()
        .find(|child| matches!(topic.rules[**child].kind, RuleKind::Result(_) | RuleKind::Failure(_)))
        == Some(&n);
    let message = format!("nothing returns to `{}:`: the rule above makes no call", rule.kind.keyword());
    let help = "`^call(Service.method())` in the answer above; `^pCall` does not wait for a result";
    is_first.then(|| {
        let finding = Diagnostic::warning(codes::NEVER_MATCHES, message).help(help);
        finding.with_note(Some(parent.head), "the rule above").at(rule.head)
    })
}

/// `u1:` beside `c1:`
fn mixed(topic: &Topic, rule: &Rule) -> Option<Diagnostic> {
    let children = || rule.children.iter().map(|child| &topic.rules[*child]);
    let said = children().find(|child| matches!(child.kind, RuleKind::Sub(_)))?;
    let result = children().find(|child| matches!(child.kind, RuleKind::Result(_) | RuleKind::Failure(_)))?;
    let (said_word, result_word) = (said.kind.keyword(), result.kind.keyword());
    let message = format!("`{said_word}:` and `{result_word}:` stand below one rule, which robots do not accept");
    let finding = Diagnostic::warning(codes::NOT_A_RULE, message);
    let help = format!("put `{said_word}:` one level lower, below the `{result_word}:` that answers before it");
    Some(finding.help(help).at(said.head))
}

/// Whether an item of an answer calls a service, or leads to something that may.
fn may_call(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Concept(_) => true,
        ItemKind::Call(call) => match (call.lower().as_str(), function_named(&call.name)) {
            ("call" | "scall", _) | (_, None) => true,
            ("nextproposal" | "sameproposal" | "previousproposal", _) => true,
            (name, Some(_)) => name.starts_with("goto") || name.starts_with("topic"),
        },
        _ => false,
    }
}

/// `^call(Service)`
fn incomplete_call(call: &Call, span: Span) -> Option<Diagnostic> {
    if !matches!(call.lower().as_str(), "call" | "pcall" | "scall") {
        return None;
    }
    let text = &call.argument(0)?.text;
    let path = text.text.split('(').next().unwrap_or_default();
    let is_open = path.contains('$');
    let is_whole =
        path.trim().rsplit_once('.').is_some_and(|(service, method)| !service.is_empty() && !method.is_empty());
    (!is_whole && !is_open).then(|| {
        let message = format!("`^{}` needs Service.method(arguments), not `{}`", call.name, text.text);
        Diagnostic::warning(codes::UNKNOWN_FUNCTION, message).at(span)
    })
}

/// `^topic(name)` of a topic that is not there.
fn no_topic(topic: &Topic, known: &Known, call: &Call) -> Option<Diagnostic> {
    if !matches!(call.lower().as_str(), "topic" | "topictag" | "topictagreactivate") {
        return None;
    }
    let word = &call.argument(0)?.text;
    let name = plain(&word.text)?;
    if *name == *topic.name() || known.topics.contains_key(&name) {
        return None;
    }
    let near = nearest(&name, known.topics.keys().map(|name| &**name).chain([topic.name()]));
    let message = format!("none of these files has the topic `{name}`");
    let finding = match near {
        Some(near) => Diagnostic::warning(codes::UNKNOWN_TAG, message).help(format!("did you mean `{near}`?")),
        // Another application of the robot may have it.
        None => Diagnostic::note(codes::UNKNOWN_TAG, message).help("the robot may have it from another application"),
    };
    Some(finding.at(word.span))
}

/// The concepts that a topic defines with `concept:`, and not as `dynamic:`.
fn fixed_concepts(topic: &Topic) -> BTreeSet<&SmolStr> {
    let mut fixed: BTreeSet<&SmolStr> = topic.concepts.iter().map(|concept| &concept.name.text).collect();
    for dynamic in &topic.dynamics {
        fixed.remove(&dynamic.text);
    }
    fixed
}

/// `^addToConcept(~name, word)` of a concept that is not dynamic.
fn fixed_concept(fixed: &BTreeSet<&SmolStr>, call: &Call) -> Option<Diagnostic> {
    if !matches!(call.lower().as_str(), "addtoconcept" | "removefromconcept" | "clearconcept") {
        return None;
    }
    let word = &call.argument(0)?.text;
    let name = plain(&word.text)?;
    fixed.contains(&name).then(|| {
        let message = format!("`^{}` changes `~{name}`, which is not dynamic", call.name);
        let finding = Diagnostic::warning(codes::UNKNOWN_CONCEPT, message);
        finding.help(format!("`dynamic:{name}` has words that change")).at(word.span)
    })
}
