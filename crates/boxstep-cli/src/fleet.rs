//! Shows of several robots: what `boxstep-fleet` leaves to the program, which is the robots' runs and the files.

mod acting;
mod bundle;
mod character_package;
mod part;
#[cfg(feature = "fleet")]
mod peer;
mod player;
mod trace;

pub(crate) use bundle::Bundle;
#[cfg(feature = "fleet")]
pub(crate) use part::RealRunClock;
pub(crate) use part::{PartLink, PlayedPart, RunClock, Staged};
#[cfg(feature = "fleet")]
pub(crate) use peer::Peer;
pub(crate) use player::{EnginePlayer, Launch, PERSON};
