//! This process as a peer of the fleet's network.

use crate::args::NetworkArgs;
use crate::failure::Failure;
use boxstep_fleet::message::Message;
use boxstep_fleet::network::{Network, PeerId, Received};
use boxstep_fleet::pairing;
use boxstep_fleet::zenoh::{Address, Options, Reach, ZenohNetwork};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// After which silence a connection in the local network is given up.
const LEASE_OF_LAN: Duration = Duration::from_secs(4);

/// A peer of the fleet's network.
pub(crate) struct Peer {
    network: ZenohNetwork,
    received: Receiver<Received>,
}

impl Peer {
    /// Takes part in the network of this computer's fleet.
    ///
    /// # Errors
    /// There is no pairing code, an address is wrong, or the network cannot be opened.
    pub(crate) fn open(args: &NetworkArgs) -> Result<Self, Failure> {
        Self::with(args, false)
    }

    /// Like [`Peer::open`], for a peer that passes on the messages of others.
    pub(crate) fn router(args: &NetworkArgs) -> Result<Self, Failure> {
        Self::with(args, true)
    }

    fn with(args: &NetworkArgs, router: bool) -> Result<Self, Failure> {
        let code = pairing::of_user().map_err(|e| Failure::Usage(e.to_string()))?;
        let address = |text: &String| text.parse::<Address>().map_err(|e| Failure::Usage(format!("{text}: {e}")));
        let connect = args.connect.iter().map(address).collect::<Result<Vec<_>, _>>()?;
        let listen = args.listen.as_ref().map(address).transpose()?;
        let reach = match (args.lan, connect.is_empty(), router) {
            (true, ..) => Reach::Lan,
            (false, true, false) => Reach::Loopback,
            _ => Reach::Addresses,
        };
        let mut options = Options { reach, connect, listen, router, ..Options::default() };
        if args.lan {
            // The fleet notices silence by itself. Found by multicast again, a connection that was given up takes seconds.
            options.lease = LEASE_OF_LAN;
        }
        let opened = ZenohNetwork::open(&options, &code).map_err(|e| Failure::Run(e.to_string()))?;
        Ok(Self { network: opened.0, received: opened.1 })
    }

    pub(crate) fn id(&self) -> PeerId {
        self.network.peer()
    }

    /// Returns the next message, if one comes before this instant. Messages that are not understood are left out.
    pub(crate) fn next(&self, until: Instant) -> Option<(PeerId, Message)> {
        next_of(&self.received, until)
    }

    pub(crate) fn send(&self, to: Option<PeerId>, message: &Message) {
        self.network.send(to, &message.encode());
    }

    pub(crate) fn send_all(&self, messages: Vec<(Option<PeerId>, Message)>) {
        for (to, message) in &messages {
            self.send(*to, message);
        }
    }
}

/// Returns the next message until an instant, and none after it, however many wait: whoever asks has other things to do.
fn next_of(received: &Receiver<Received>, until: Instant) -> Option<(PeerId, Message)> {
    loop {
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        match received.recv_timeout(left) {
            Ok(Received { from, bytes }) => {
                if let Ok(message) = Message::decode(&bytes) {
                    return Some((from, message));
                }
            }
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => {
                // The network is gone; time passes all the same.
                std::thread::sleep(left.min(Duration::from_millis(50)));
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn messages_that_wait_do_not_hold_up_whoever_has_other_things_to_do() {
        let (sends, received) = channel();
        for bytes in [b"nonsense".to_vec(), Message::Ask.encode(), Message::Ask.encode()] {
            sends.send(Received { from: PeerId(1), bytes }).unwrap();
        }
        let later = Instant::now() + Duration::from_secs(60);
        assert_eq!(next_of(&received, later), Some((PeerId(1), Message::Ask)));
        assert_eq!(next_of(&received, Instant::now()), None);
        assert_eq!(next_of(&received, later), Some((PeerId(1), Message::Ask)));
    }
}
