//! The keys of Zenoh under which a fleet's messages are sent. The last part of a key is the sender: who is in the fleet
//! is trusted not to lie about it.

use crate::network::PeerId;

/// What all keys begin with. The number changes when programs no longer understand each other.
const ROOT: &str = "boxstep/fleet/1";

/// Returns the expression of all keys of fleets.
pub(super) fn everything() -> String {
    format!("{ROOT}/**")
}

/// Returns the key of a sender's messages to all.
pub(super) fn all(from: PeerId) -> String {
    format!("{ROOT}/all/{from}")
}

/// Returns the key of a sender's messages to one peer.
pub(super) fn to(to: PeerId, from: PeerId) -> String {
    format!("{ROOT}/to/{to}/{from}")
}

/// Returns the expression of messages to all, of any sender.
pub(super) fn all_of_all() -> String {
    format!("{ROOT}/all/*")
}

/// Returns the expression of messages to one peer, of any sender.
pub(super) fn all_to(to: PeerId) -> String {
    format!("{ROOT}/to/{to}/*")
}

/// Returns the sender of a message.
pub(super) fn sender(key: &str) -> Option<PeerId> {
    let (_, last) = key.rsplit_once('/')?;
    if last.len() != 16 {
        return None;
    }
    u64::from_str_radix(last, 16).ok().map(PeerId)
}

#[cfg(test)]
mod tests {
    use super::{PeerId, all, sender, to};

    #[test]
    fn a_key_says_who_sent_a_message() {
        let (a, b) = (PeerId(7), PeerId(u64::MAX));
        assert_eq!(all(a), "boxstep/fleet/1/all/0000000000000007");
        assert_eq!(sender(&all(a)), Some(a));
        assert_eq!(sender(&to(a, b)), Some(b));
        assert_eq!(sender("boxstep/fleet/1/all/7"), None);
        assert_eq!(sender("boxstep/fleet/1/all/000000000000000g"), None);
        assert_eq!(sender("x"), None);
    }
}
