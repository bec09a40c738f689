//! Writes and compares traces.
//!
//! A trace is one JSON object per line: a header, the events of a run, a last line. The form of
//! each is described in `docs/trace.md`. Rooms: [`JsonLines`] writes, [`mod@mcap`] writes it for other
//! programs, [`flight`] keeps the last minutes, [`open()`] reads each of these, [`compare()`] and [`diff()`] compare, [`Recording`] keeps a run in
//! memory and finds what caused an event, [`Replay`] reads how a run came about, so that it can be played again, [`why`] why a behavior of a
//! character runs or not, and why the last one stopped.

mod compare;
mod diff;
pub mod flight;
mod line;
mod lines;
pub mod mcap;
mod normal;
mod open;
mod recording;
mod replay;
#[cfg(feature = "testing")]
pub mod testing;
pub mod why;
mod writer;

pub use compare::{Comparison, Measure, NoRecording, Parting, compare};
pub use diff::{Difference, diff};
pub use line::PathTexts;
pub use normal::Normal;
pub use open::{OpenError, is_recording, open, recording};
pub use recording::{Recorded, Recorder, Recording};
pub use replay::{Replay, ReplayError};
pub use writer::{Form, JsonLines, TraceFile};
