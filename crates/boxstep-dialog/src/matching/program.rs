//! A pattern as a program.

use super::vocabulary::WordId;
use crate::topic::{Condition, Item};
use smol_str::SmolStr;
use std::sync::Arc;

/// The number of a concept in a [`super::Book`].
pub(crate) type ConceptId = u32;

/// A step of a program.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Takes this word.
    Word(WordId),
    /// Takes any word.
    AnyWord,
    /// Takes the words of an item of a concept.
    Concept(ConceptId),
    /// Takes the words of a variable's value.
    Variable(SmolStr),
    /// Goes on at both places.
    Split(u32, u32),
    /// Goes on at another place.
    Jump(u32),
    /// Begins a capture at this place in the sentence, or ends it.
    Capture(Edge),
    /// Sets a variable, if the rule answers.
    Set(Arc<Assignment>),
    /// Goes on if the concept does not occur in the sentence.
    Without(ConceptId),
    /// Goes on if the condition is true.
    If(Arc<Condition>),
    /// Goes on if the event has been raised.
    Event(SmolStr),
    /// Goes on if the tag is active.
    Tag(SmolStr),
    /// The pattern matches.
    Match,
}

/// `$key=value` in a pattern.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) key: SmolStr,
    pub(crate) value: Vec<Item>,
}

/// An end of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Start,
    End,
}

/// A pattern as a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    /// `^exact`: nothing may stand before or behind the words.
    pub(crate) exact: bool,
    /// `^lessPriority`.
    pub(crate) less_priority: bool,
}

/// The most steps of a program. A rule with more is not matched.
pub(crate) const LONGEST_PROGRAM: usize = 4_000;
