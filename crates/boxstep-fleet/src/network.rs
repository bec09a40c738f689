//! How machines of a fleet reach each other.

use std::fmt;

/// The number by which a machine of a fleet is known while its process lives: a random one, so that a process that was
/// started again is a new peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PeerId(pub u64);

impl fmt::Display for PeerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What comes from the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The sender, as the network knows it.
    pub from: PeerId,
    /// The message.
    pub bytes: Vec<u8>,
}

/// Sends messages to the peers of a fleet. A message may be lost, delayed or repeated, and messages may overtake each
/// other; what the fleet needs beyond that it does itself. What arrives comes through a channel of the implementation.
pub trait Network: Send {
    /// Sends a message to one peer, or (`None`) to all others. It never waits.
    fn send(&self, to: Option<PeerId>, bytes: &[u8]);
}
