//! Traces as files, and queries on them.
//!
//! [`JsonLines`] writes events as lines, [`mod@mcap`] writes them for other programs, [`flight`] keeps the last
//! minutes, and [`open()`] reads each of
//! these. [`compare()`] and [`diff()`] find where two traces differ, [`Replay`] has the inputs of a run, so that it can
//! be replayed, and [`why`]
//! explains why a behavior of a character runs or not, and why the last one stopped. [`mod@show`] puts the recordings of
//! a show's robots together. The events themselves are those of
//! `boxstep-trace`.
//!
//! ```
//! use boxstep_record::{Measure, compare};
//! use boxstep_trace::Recording;
//!
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello/golden.jsonl");
//! let recording = Recording::read(boxstep_record::open(path.as_ref())?)?;
//! assert_eq!((recording.events.len(), recording.end().to_string()), (88, "4.617".to_owned()));
//!
//! let trace = std::fs::read_to_string(path)?;
//! let other = trace.replacen("Hello, I am a robot.", "Good morning!", 1);
//! let comparison = compare(&trace, &other).map_err(|no| no.what)?;
//! assert_eq!((comparison.measure, comparison.same), (Measure::Exactly, 37));
//! assert_eq!(comparison.parting.map(|parting| parting.path).as_deref(), Some("root/Say"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
pub mod flight;
pub mod mcap;
mod normal;
mod open;
mod replay;
pub mod show;
#[cfg(feature = "testing")]
pub mod testing;
pub mod why;
mod writer;

pub use compare::{Comparison, Entry, Measure, NoRecording, Parting, compare, diff};
pub use normal::Normal;
pub use open::{OpenError, is_recording, open, recording};
pub use replay::{Input, Replay, ReplayError};
pub use writer::{Form, JsonLines, TraceFile};
