//! Tests of behaviors: given this, expect that.
//!
//! A test file (`NAME.test.toml`, `docs/test.md`) says what a behavior is played with and what must come of it. Rooms:
//!
//! - [`mod@file`]: a test file, read and checked against its behavior; [`find()`] looks for them
//! - [`given`](mod@given): parameters, memory, events, mocks, and how an engine gets them; also what `play --scenario` takes
//! - [`expect`](mod@expect): what must come of it
//! - [`judge()`]: whether it did, from the recording of a run
//! - [`observe`]: what did come of it, in the words of expectations, for `--bless`
//! - [`junit`](mod@junit): results as other programs read them
//!
//! Nothing here plays: whoever does hands in a [`Recording`](boxstep_trace::Recording).

pub mod expect;
pub mod file;
mod find;
pub mod given;
mod judge;
pub mod junit;
pub mod observe;
mod words;

pub use expect::Expect;
pub use file::{Suite, Test, Tested};
pub use find::{ENDING, find};
pub use given::Given;
pub use judge::{Difference, Focus, judge};

use boxstep_types::Code;

/// A test file that cannot be understood.
pub const BAD_FILE: Code = Code::new(800, "bad-test-file");
/// A test names a box, port or parameter that its behavior does not have.
pub const NOT_THERE: Code = Code::new(801, "not-in-behavior");
/// Something did not come as a test expects it.
pub const NOT_AS_EXPECTED: Code = Code::new(802, "not-as-expected");

/// The codes of this crate's diagnostics.
pub const CODES: &[Code] = &[BAD_FILE, NOT_THERE, NOT_AS_EXPECTED];

/// The JSON Schema of test files: `docs/schemas/behavior-test.schema.json`.
pub fn json_schema() -> String {
    let generator = schemars::generate::SchemaSettings::default().into_generator();
    let schema = generator.into_root_schema_for::<file::File>();
    // A schema has no keys that are not text, so that it is always JSON.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
