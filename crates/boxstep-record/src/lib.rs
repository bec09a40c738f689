//! Traces as files, and queries on them.
//!
//! [`JsonLines`] writes events as lines, [`mod@mcap`] writes them for other programs, [`flight`] keeps the last
//! minutes, and [`open()`] reads each of
//! these. [`compare()`] and [`diff()`] find where two traces differ, [`Replay`] has the inputs of a run, so that it can
//! be replayed, and [`why`]
//! explains why a behavior of a character runs or not, and why the last one stopped. The events themselves are those of
//! `boxstep-trace`.

mod compare;
pub mod flight;
pub mod mcap;
mod normal;
mod open;
mod replay;
#[cfg(feature = "testing")]
pub mod testing;
pub mod why;
mod writer;

pub use compare::{Comparison, Entry, Measure, NoRecording, Parting, compare, diff};
pub use normal::Normal;
pub use open::{OpenError, is_recording, open, recording};
pub use replay::{Input, Replay, ReplayError};
pub use writer::{Form, JsonLines, TraceFile};
