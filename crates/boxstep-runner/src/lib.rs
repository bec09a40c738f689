//! Robot characters as data: who has control and when, said in YAML or JSON instead of code.
//!
//! [`check`] says what is wrong with a file; [`Character::read`] reads it, and [`Character::cast`] makes a runner of it, whose leaves
//! act in a [`World`]. `docs/characters.md` describes the format by example.
//!
//! Files: `tree.rs` text → tree with places; `forms.rs` the one table of what a file may say; `read/` tree → [`Character`];
//! `laws.rs` what a character must keep; `schema.rs` the table as a JSON Schema; `conditions.rs`, `nodes/` what runs;
//! `surroundings.rs` what leaves name outside of the file; `stacks.rs` every way through a character; `words.rs` what its parts are called; `telling.rs` what
//! it tells in a trace; `world.rs` what leaves need of whoever runs them; `cast.rs` puts these together; `perform.rs` has an engine play them, and `reload.rs` other
//! versions of them; `import/`
//! makes characters of behavior trees.

mod cast;
mod conditions;
mod finding;
mod forms;
pub mod import;
mod laws;
mod model;
mod nodes;
mod perform;
mod read;
mod reload;
mod schema;
mod stacks;
mod surroundings;
mod telling;
#[cfg(feature = "testing")]
pub mod testing;
mod tree;
mod words;
mod world;

pub use boxstep_engine::trace::ConditionResult;
pub use cast::{Cast, Nowhere, check, examine};
pub use finding::{CODES, Finding, Rule};
pub use model::*;
pub use perform::{NotPlayed, Open, PERIOD, Performance};
pub use read::{MAX_BEHAVIORS, MAX_PARALLEL};
pub use reload::{NotReloaded, Reload};
pub use schema::json_schema;
pub use stacks::Stacks;
pub use surroundings::{Needs, Played, Surroundings};
pub use telling::{MOST_AT_ONCE, MOST_LISTED};
pub use tree::{MAX_BYTES, MAX_DEPTH, MAX_PARTS, Place};
pub use world::{Handle, House, Native, Natives, World};
