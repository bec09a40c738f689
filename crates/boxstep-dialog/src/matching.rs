//! Which rules match a sentence or an event.
//!
//! Rules become small programs ([`program`]); [`machine`] runs them over the words of a sentence, in time that grows
//! with the length of both and never faster; [`index`] finds the few rules that can match at all.

mod circles;
mod compile;
mod index;
mod machine;
mod nearby;
mod needs;
mod program;
mod vocabulary;

pub(crate) use circles::DEEPEST;
pub(crate) use index::{Book, RuleRef};
pub(crate) use machine::{Facts, Found, NoFacts, Scratch};
pub(crate) use nearby::Shared;
pub(crate) use program::{LONGEST_PROGRAM, Op, Program};
pub(crate) use vocabulary::Sentence;
