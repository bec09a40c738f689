//! The recording of a whole show, made of those of its robots.
//!
//! Each robot's run notes which time of the show its own time is (`ShowEvent::Clock`), so recordings are put together
//! exactly, and as often as one wants. [`merge()`] reads each of them twice and holds one line of each at a time, and the
//! new number of each event, four bytes.

mod line;
mod merge;
mod part;

pub use merge::{Account, AccountEntry, Merged, MergedPart, ShowError, merge};
pub use part::{Fault, PartFile, Unusable};

/// The name of the behavior beside which a robot's run plays those of a show. It is empty.
pub const STAGE: &str = "stage";
