//! The network over Zenoh, on this computer.

use boxstep_fleet::network::{Network as _, PeerId, Received};
use boxstep_fleet::pairing::PairingCode;
use boxstep_fleet::zenoh::{LONGEST, Options, Reach, ZenohNetwork};
use std::net::TcpListener;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// How long a test waits for what must happen: long enough for a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A pause between two attempts.
const SOON: Duration = Duration::from_millis(20);

struct Peer {
    network: ZenohNetwork,
    received: Receiver<Received>,
}

impl Peer {
    fn open(options: &Options, code: &PairingCode) -> Peer {
        let (network, received) = ZenohNetwork::open(options, code).unwrap();
        Peer { network, received }
    }

    fn id(&self) -> PeerId {
        self.network.peer()
    }

    /// Sends again and again until the other has got it: a connection is made when it is made.
    fn reach(&self, other: &Peer, to: Option<PeerId>, text: &str) {
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            self.network.send(to, text.as_bytes());
            while let Ok(received) = other.received.recv_timeout(SOON) {
                if received.from == self.id() && received.bytes == text.as_bytes() {
                    return;
                }
            }
        }
        panic!("{text:?} never arrived");
    }

    /// Reads what has come and what comes soon.
    fn read_all(&self) -> Vec<Received> {
        std::iter::from_fn(|| self.received.recv_timeout(SOON).ok()).collect()
    }
}

/// Lets each of the peers reach each other, by a message to all and by one to it alone.
fn all_reach_each_other(peers: &[Peer]) {
    for a in peers {
        for b in peers.iter().filter(|b| b.id() != a.id()) {
            a.reach(b, None, "to all");
            a.reach(b, Some(b.id()), "to one");
        }
    }
}

fn code() -> PairingCode {
    PairingCode::create().unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn processes_of_one_computer_find_each_other() {
    let code = code();
    let mut peers: Vec<Peer> = (0..3).map(|_| Peer::open(&Options::default(), &code)).collect();
    all_reach_each_other(&peers);
    // One ends, and another comes in its place.
    drop(peers.remove(0));
    all_reach_each_other(&peers);
    peers.push(Peer::open(&Options::default(), &code));
    all_reach_each_other(&peers);
}
