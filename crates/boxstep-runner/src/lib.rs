//! Robot characters as data: who has control and when, said in YAML or JSON instead of code.
//!
//! [`check`] says what is wrong with a file; [`Character::read`] reads it, and [`Character::cast`] makes a runner of it, whose leaves
//! act in a [`World`]. `docs/characters.md` describes the format by example.
//!
//! Files: `tree.rs` text → tree with places; `schema_table.rs` the one table of what a file may say, `schema.rs` that table as a JSON
//! Schema; `read/` tree → [`Character`] (`model.rs`); `validation.rs` what a character must keep; `conditions.rs`, `nodes/` what runs;
//! `environment.rs` what leaves name outside of the file; `stacks.rs` every way through a character; `words.rs` what its parts are
//! called; `messages.rs` what it tells in a trace; `world.rs` what leaves need of whoever runs them; `built.rs` puts these together;
//! `adapter.rs` has an engine play them, and `reload.rs` other versions of them; `import/` makes characters of behavior trees.

mod adapter;
mod built;
mod conditions;
mod environment;
mod finding;
pub mod import;
mod messages;
mod model;
mod nodes;
mod read;
mod reload;
mod schema;
mod schema_table;
mod stacks;
#[cfg(feature = "testing")]
pub mod testing;
mod tree;
mod validation;
mod words;
mod world;

pub use adapter::{NotPlayed, Open, PERIOD, Performance};
pub use boxstep_engine::trace::ConditionResult;
pub use built::{BuiltCharacter, Nowhere, check, examine};
pub use environment::{Environment, Needs, Played};
pub use finding::{CODES, Finding, Rule};
pub use messages::{MOST_AT_ONCE, MOST_LISTED};
pub use model::*;
pub use read::{MAX_BEHAVIORS, MAX_PARALLEL};
pub use reload::{NotReloaded, Reload};
pub use schema::json_schema;
pub use stacks::Stacks;
pub use tree::{MAX_BYTES, MAX_DEPTH, MAX_PARTS, Place};
pub use world::{Blackboard, Handle, Native, Natives, World};
