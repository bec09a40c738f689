//! What has been said: where cycles of alternatives stand, and which proposals are used up.
//!
//! An answer is tried before it is taken: alternatives that turn out to be invalid are taken back.

use crate::matching::RuleRef;
use smol_str::SmolStr;
use std::collections::BTreeMap;

/// Something that goes on from answer to answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cursor {
    /// The next alternative of a choice: its topic, and the byte at which it stands.
    Choice(u32, u32),
    /// The next item of a concept.
    Concept(SmolStr),
    /// The next item that `^enumerate` names.
    Enumerate(SmolStr),
    /// Whether a proposal was said.
    Used(RuleRef),
    /// The last proposal of a topic, counted from 1.
    LastProposal(u32),
}

#[derive(Default)]
pub(super) struct Progress {
    cursors: BTreeMap<Cursor, u32>,
    /// The old values of what has changed since the answer began.
    undo: Vec<(Cursor, Option<u32>)>,
}

impl Progress {
    pub(super) fn get(&self, cursor: &Cursor) -> u32 {
        self.cursors.get(cursor).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, cursor: Cursor, value: u32) {
        let old = self.cursors.insert(cursor.clone(), value);
        self.undo.push((cursor, old));
    }

    /// A point to go back to.
    pub(super) fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Takes back everything since a mark.
    pub(super) fn back_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some((cursor, Some(old))) => self.cursors.insert(cursor, old),
                Some((cursor, None)) => self.cursors.remove(&cursor),
                None => return,
            };
        }
    }

    /// Ends an answer: nothing is taken back any more.
    pub(super) fn keep(&mut self) {
        self.undo.clear();
    }

    /// Makes the proposals of a topic sayable again.
    pub(super) fn reset_proposals(&mut self, topic: u32) {
        self.cursors.retain(|cursor, _| !matches!(cursor, Cursor::Used(rule) if rule.topic == topic));
    }

    /// Makes all proposals sayable again, and begins all cycles anew.
    pub(super) fn reset(&mut self) {
        self.cursors.clear();
        self.undo.clear();
    }

    /// Forgets a topic that is unloaded.
    pub(super) fn forget(&mut self, topic: u32) {
        self.cursors.retain(|cursor, _| match cursor {
            Cursor::Choice(of, _) | Cursor::LastProposal(of) => *of != topic,
            Cursor::Used(rule) => rule.topic != topic,
            Cursor::Concept(_) | Cursor::Enumerate(_) => true,
        });
    }
}
