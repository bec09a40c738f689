//! Proposals that nothing asks for.

use super::Known;
use super::uses::{Uses, tags};
use crate::codes;
use crate::topic::{Rule, RuleKind, Topic};
use boxstep_types::Diagnostic;

/// A note: programs outside of the project may ask for them, and robots in push mode do.
pub(super) fn check(topic: &Topic, known: &Known, uses: &Uses, found: &mut Vec<Diagnostic>) {
    if uses.asks || uses.asks_others || known.asks {
        return;
    }
    let is_unused = |rule: &&Rule| {
        rule.kind == RuleKind::Proposal && !uses.wants_any && !uses.goes_to(topic, known, &tags(&rule.output))
    };
    let mut proposals = topic.rules.iter().filter(is_unused);
    let Some(first) = proposals.next() else { return };
    let message = match proposals.count() {
        0 => "nothing here asks for this proposal".to_owned(),
        n => format!("nothing here asks for this proposal, and for {n} more of the topic"),
    };
    let finding = Diagnostic::note(codes::UNUSED_PROPOSAL, message);
    found.push(
        finding
            .help("answers ask by `^nextProposal` or `^goto(tag)`, scripts by `ALDialog.forceOutput`")
            .at(first.head),
    );
}
