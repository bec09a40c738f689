//! Robots in the network: they announce themselves by mDNS, and then say over qi what they are.
//!
//! - [`Browser`]: where announcements come from; [`Mdns`] is the network
//! - [`Neighbors`]: one robot for each host and port, however often and by whichever types it is announced
//! - [`look()`]: what a robot says of itself, in bounded time
//! - [`lookup()`]: the address of a robot that is named, for names that the system does not know
//! - [`Announcement`]: announces a robot of our own
//!
//! Whatever is announced comes from anybody in the network. So names are short and printable, the number of robots is
//! limited, and found robots are sent no credentials.

mod announce;
mod look;
mod lookup;
mod mdns;
mod neighbors;
mod record;

pub use announce::{Announced, Announcement};
pub use look::{Identity, Look, State, look};
pub use lookup::lookup;
pub use mdns::{Mdns, MdnsError};
pub use neighbors::{MOST, Neighbor, Neighbors};
pub use record::{Kind, Record};

use std::time::Instant;

/// Where announcements come from.
pub trait Browser {
    /// Returns the next announcement; `None` if no more come until then.
    fn next(&mut self, until: Instant) -> Option<Record>;
}

/// Collects the robots that are announced until then.
pub fn browse(browser: &mut dyn Browser, until: Instant) -> Neighbors {
    let mut found = Neighbors::default();
    while let Some(record) = browser.next(until) {
        found.add(record);
    }
    found
}
