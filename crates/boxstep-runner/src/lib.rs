//! Robot characters as data: YAML or JSON, instead of code, says which behavior has control and when.
//!
//! [`check`] returns the findings of a file; [`Character::read`] reads it, and [`Character::build`] makes a runner of
//! it, whose leaves act in a [`World`]. `docs/reference/character.md` describes the format by example.
//!
//! Files: `tree.rs` parses a text to a tree with positions; `schema_table.rs` is the one table of the keys of a file,
//! `schema.rs` that table as a JSON Schema; `read/` makes a [`Character`] (`model.rs`) of a tree; `validation.rs` has
//! the rules for a character as a whole; `conditions.rs` and `nodes/` are the behaviors and conditions at run time,
//! `ears.rs` what the robot hears;
//! `environment.rs` checks names outside of the file; `stacks.rs` walks every way through a character; `words.rs`
//! describes the parts of a character; `messages.rs` emits its trace events; `world.rs` is the interface to the
//! outside, and the blackboard; `built.rs` puts these together; `adapter.rs` runs characters on an engine, and
//! `reload.rs` replaces a running one by another version; `import/` makes characters of behavior trees.
//!
//! A character in a world of its own, ticked by hand; [`Character::run_on`] runs it on an engine:
//!
//! ```
//! use boxstep_engine::runner::{BehaviorId, Progress};
//! use boxstep_runner::{Character, Do, Handle, Natives, World};
//! use boxstep_types::{Time, Value};
//! use std::sync::{Arc, Mutex};
//!
//! /// A robot that says everything at once, and sees a face.
//! #[derive(Clone, Default)]
//! struct Robot(Arc<Mutex<Vec<String>>>);
//! impl World for Robot {
//!     fn enter(&mut self, of: BehaviorId, _: &Do) -> Handle {
//!         Handle(of.index() as u64)
//!     }
//!     fn start(&mut self, _: Handle, what: &Do, _: &Value) {
//!         if let Do::Say(texts, _) = what {
//!             self.0.lock().expect("a lock").push(texts[0].to_string());
//!         }
//!     }
//!     fn poll(&mut self, _: Handle) -> Progress {
//!         Progress::Done(Value::Null)
//!     }
//!     fn stop(&mut self, _: Handle) {}
//!     fn leave(&mut self, _: Handle) {}
//!     fn memory(&mut self, key: &str) -> Option<Value> {
//!         (key == "FaceDetected").then(|| 1.into())
//!     }
//!     fn is_free(&mut self, _: &str) -> bool {
//!         true
//!     }
//! }
//!
//! let text = "
//! character: Guide
//! root: guide
//! behaviors:
//!   guide:
//!     sequence:
//!       - { selector: [{ say: I see you, when: { memory: FaceDetected } }, { say: Where are you? }] }
//!       - { say: Follow me }
//! ";
//! let character = Character::read(text, "guide.yaml", &[]).expect("no findings");
//! let robot = Robot::default();
//! let mut built = character.build(robot.clone(), &Natives::new(), 0).expect("no findings");
//! for tick in 1..=5 {
//!     built.runner.tick(Time::from_millis(50 * tick));
//! }
//! assert_eq!(*robot.0.lock().expect("a lock"), ["I see you", "Follow me"]);
//! ```

mod adapter;
mod asked;
mod built;
mod conditions;
mod ears;
mod elsewhere;
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

pub use adapter::{NotPlayed, OpenBehavior, PERIOD, Role, RunningCharacter, Staging};
pub use boxstep_dialog::Pattern;
pub use boxstep_engine::trace::ConditionResult;
pub use built::{BuiltCharacter, InertWorld, check, examine};
pub use elsewhere::{Asked, Elsewhere, Presence, Turn};
pub use environment::{Environment, ParameterKind, PlayedBehavior};
pub use finding::{CODES, Finding, Rule};
pub use messages::{MAX_BURST_EVENTS, MAX_LISTED_BEHAVIORS};
pub use model::*;
pub use read::{MAX_BEHAVIORS, MAX_PARALLEL};
pub use reload::{NotReloaded, Reload};
pub use schema::json_schema;
pub use stacks::Stacks;
pub use tree::{MAX_BYTES, MAX_DEPTH, MAX_PARTS, Place};
pub use world::{Blackboard, Handle, Native, Natives, World};
