//! Tests of behaviors: inputs and expectations.
//!
//! A test file (`NAME.test.toml`, `docs/reference/test-file.md`) has the inputs of runs and what they are expected
//! to do. Modules:
//!
//! - [`mod@file`]: reads test files and checks them against their behaviors; [`find()`] finds them
//! - [`given`](mod@given): parameters, memory, events and mocks, and how an engine gets them; also used by `play
//!   --scenario`
//! - [`expect`](mod@expect): what a run is expected to do
//! - [`judge()`]: decides from the recording of a run whether it did
//! - [`balance`]: whether the robot stays on its feet
//! - [`observe`]: what a run did, in the form of expectations, for `--bless`
//! - [`junit`](mod@junit): results for other programs
//!
//! This crate plays nothing: the caller passes a [`Recording`](boxstep_trace::Recording).
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! use boxstep_test::{Suite, judge};
//! use boxstep_trace::Recording;
//!
//! let test = r#"
//! [[test]]
//! name = "says hello"
//! [test.expect]
//! said = ["Good morning!"]
//! order = ["root/Say", "root/Wave"]
//! "#;
//! let suite = Suite::read("hello.test.toml".as_ref(), test).map_err(|wrong| format!("{:?}", wrong.found))?;
//!
//! // The run, of which the trace was written before.
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello/golden.jsonl");
//! let recording = Recording::read(std::fs::read(path)?.as_slice())?;
//! let differences = judge(&suite, &suite.tests[0], None, BodyKind::Nao.body(), &recording);
//! assert_eq!(differences.len(), 1);
//! assert!(differences[0].found.contains("Hello, I am a robot."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod balance;
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

/// A test file that cannot be read.
pub const BAD_FILE: Code = Code::new(800, "bad-test-file");
/// A test names a box, port or parameter that its behavior does not have.
pub const NOT_THERE: Code = Code::new(801, "not-in-behavior");
/// An expectation of a test was not met.
pub const NOT_AS_EXPECTED: Code = Code::new(802, "not-as-expected");

/// The codes of this crate's diagnostics.
pub const CODES: &[Code] = &[BAD_FILE, NOT_THERE, NOT_AS_EXPECTED];

/// Returns the JSON Schema of test files: `docs/schemas/behavior-test.schema.json`.
pub fn json_schema() -> String {
    let generator = schemars::generate::SchemaSettings::default().into_generator();
    let schema = generator.into_root_schema_for::<file::File>();
    // All keys of a schema are strings, so it can always be written as JSON.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
