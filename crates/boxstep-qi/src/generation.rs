//! The generations of NAOqi, as far as their protocols differ.

use crate::capabilities::{
    CLIENT_SERVER_SOCKET, Capabilities, MESSAGE_FLAGS, META_OBJECT_CACHE, OBJECT_PTR_UID, RELATIVE_ENDPOINT_URI,
    REMOTE_CANCELABLE_CALLS,
};
use std::fmt;
use std::str::FromStr;

/// A generation of NAOqi whose protocol a server or a client speaks ([`Options::generation`](crate::Options)).
/// `docs/reference/qi.md` lists what differs, and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// NAOqi 2.0 and 2.1: both ends announce their capabilities when they connect, and nobody authenticates.
    Naoqi21,
    /// NAOqi 2.4.
    Naoqi24,
    /// NAOqi 2.5.
    Naoqi25,
    /// NAOqi 2.8: objects carry an identity.
    Naoqi28,
    /// NAOqi 2.9: endpoints may be relative to the directory, and service descriptions have seven fields.
    Naoqi29,
}

impl Generation {
    /// All generations, the oldest first.
    pub const ALL: [Generation; 5] =
        [Generation::Naoqi21, Generation::Naoqi24, Generation::Naoqi25, Generation::Naoqi28, Generation::Naoqi29];

    /// Returns the number that people know it by, such as `2.5`.
    pub fn number(self) -> &'static str {
        match self {
            Generation::Naoqi21 => "2.1",
            Generation::Naoqi24 => "2.4",
            Generation::Naoqi25 => "2.5",
            Generation::Naoqi28 => "2.8",
            Generation::Naoqi29 => "2.9",
        }
    }

    /// Returns the capabilities that its programs announce.
    pub fn capabilities(self) -> Capabilities {
        let known: &[(&str, bool)] = match self {
            Generation::Naoqi21 => &[(META_OBJECT_CACHE, true)],
            Generation::Naoqi24 | Generation::Naoqi25 => &[(META_OBJECT_CACHE, true), (REMOTE_CANCELABLE_CALLS, true)],
            Generation::Naoqi28 => &[(OBJECT_PTR_UID, true), (REMOTE_CANCELABLE_CALLS, true)],
            Generation::Naoqi29 => &[
                (META_OBJECT_CACHE, false),
                (OBJECT_PTR_UID, true),
                (RELATIVE_ENDPOINT_URI, true),
                (REMOTE_CANCELABLE_CALLS, true),
            ],
        };
        let mut all = Capabilities::default();
        for (name, value) in [(CLIENT_SERVER_SOCKET, true), (MESSAGE_FLAGS, true)].iter().chain(known) {
            all.set(name, *value);
        }
        all
    }

    /// Returns whether clients authenticate. Before, both ends announce their capabilities in a message of their own.
    pub fn authenticates(self) -> bool {
        self > Generation::Naoqi21
    }

    /// Returns the number of fields of a description of a service.
    pub(crate) fn service_fields(self) -> usize {
        if self < Generation::Naoqi29 { 6 } else { 7 }
    }

    /// Returns whether the change of a property can be listened to like a signal.
    pub(crate) fn tells_changes(self) -> bool {
        self > Generation::Naoqi21
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

/// The text names no generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGeneration(pub String);

impl fmt::Display for NoGeneration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no generation of NAOqi: write 2.1, 2.4, 2.5, 2.8 or 2.9", self.0)
    }
}

impl std::error::Error for NoGeneration {}

impl FromStr for Generation {
    type Err = NoGeneration;

    fn from_str(text: &str) -> Result<Generation, NoGeneration> {
        let found = Generation::ALL.into_iter().find(|generation| generation.number() == text);
        found.ok_or_else(|| NoGeneration(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_named_by_their_numbers() {
        for generation in Generation::ALL {
            assert_eq!(generation.to_string().parse(), Ok(generation));
        }
        let wrong = "1.14".parse::<Generation>().unwrap_err();
        assert_eq!(wrong.to_string(), "`1.14` is no generation of NAOqi: write 2.1, 2.4, 2.5, 2.8 or 2.9");
    }
}
