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
        loop {
            match self.received.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Received { from, bytes }) => {
                    if let Ok(message) = Message::decode(&bytes) {
                        return Some((from, message));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    // The network is gone; time passes all the same.
                    std::thread::sleep(until.saturating_duration_since(Instant::now()).min(Duration::from_millis(50)));
                    return None;
                }
            }
        }
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
