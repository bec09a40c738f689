//! Proposals that nothing asks for.

use super::Known;
use super::uses::Uses;
use crate::codes;
use crate::topic::{RuleKind, Topic};
use boxstep_types::Diagnostic;

/// A note, because programs outside of the project may ask for them, too.
pub(super) fn check(topic: &Topic, known: &Known, uses: &Uses, found: &mut Vec<Diagnostic>) {
    if uses.asks || known.asks {
        return;
    }
    let mut proposals = topic.rules.iter().filter(|rule| rule.kind == RuleKind::Proposal);
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
