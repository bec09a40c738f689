//! QiChat, the dialog language of NAO and Pepper: topics are read, matched and answered.
//!
//! A topic is text ([`read_topic`]); a [`Dialog`] holds loaded topics, hears sentences and events, and answers through
//! a [`World`], which it asks for memory, voice and time. It has no thread, no clock and no robot.
//!
//! The language, its sources and our decisions where these are silent: `docs/reference/qichat.md`.

pub mod codes;
mod concepts;
mod conversation;
mod dialog;
pub mod encoding;
pub mod files;
mod functions;
mod layout;
mod lexicon;
mod lint;
mod matching;
mod parse;
mod pattern;
#[cfg(feature = "testing")]
pub mod testing;
pub mod topic;
pub mod words;
mod world;

pub use boxstep_trace::{DialogEvent, NearRule, RulePlace};
pub use conversation::{Conversation, MemoryWorld};
pub use dialog::{Dialog, LoadError, Near, Why};
pub use functions::{Brackets, FUNCTIONS, Function, Place, Support, function_named};
pub use layout::formatted;
pub use lexicon::lexicon;
pub use lint::{Known, Ports, lint, lint_ports, problems};
pub use parse::read_topic;
pub use pattern::{Listener, Pattern};
pub use topic::Topic;
pub use world::{ServiceCall, World};
