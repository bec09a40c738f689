//! The network over Zenoh, on this computer.

use boxstep_fleet::network::{Network as _, PeerId, Received};
use boxstep_fleet::pairing::PairingCode;
use boxstep_fleet::zenoh::{Address, Error, LONGEST, Options, Reach, ZenohNetwork};
use std::net::UdpSocket;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

mod strangers;

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

    /// Returns the next message that begins with a byte.
    fn next(&self, first: u8) -> Received {
        let end = Instant::now() + LONG;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.received.recv_timeout(left) {
                Ok(received) if received.bytes.first() == Some(&first) => return received,
                _ => {}
            }
        }
        panic!("nothing that begins with {first} arrived");
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

/// Returns an address of this computer with a port that was free a moment ago.
fn free_address() -> Address {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap().to_string().parse().unwrap()
}

/// Options of a peer that looks for nobody.
fn at(listen: Option<&Address>, connect: &[&Address]) -> Options {
    let connect = connect.iter().map(|&address| address.clone()).collect();
    Options { reach: Reach::Addresses, listen: listen.cloned(), connect, ..Options::default() }
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

#[test]
fn peers_meet_at_an_address_in_any_order_and_again_when_it_was_away() {
    let (code, address) = (code(), free_address());
    let early = Peer::open(&at(None, &[&address]), &code);
    let mut peers = vec![early, Peer::open(&at(Some(&address), &[]), &code)];
    all_reach_each_other(&peers);
    drop(peers.remove(1));
    peers.push(Peer::open(&at(Some(&address), &[]), &code));
    all_reach_each_other(&peers);
}

#[test]
fn a_router_passes_on_what_peers_send_and_may_return() {
    let (code, address) = (code(), free_address());
    let router = || Options { router: true, ..at(Some(&address), &[]) };
    let mut peers: Vec<Peer> = (0..3).map(|_| Peer::open(&at(None, &[&address]), &code)).collect();
    peers.push(Peer::open(&router(), &code));
    all_reach_each_other(&peers);
    drop(peers.remove(3));
    peers.push(Peer::open(&router(), &code));
    all_reach_each_other(&peers);
}

#[test]
fn all_machines_may_have_the_same_list_of_addresses() {
    let code = code();
    let list: Vec<Address> = (0..3).map(|_| free_address()).collect();
    // Each one also connects to itself, and to those that connect to it.
    let open = |own: &Address| Peer::open(&at(Some(own), &list.iter().collect::<Vec<_>>()), &code);
    let mut peers: Vec<Peer> = list.iter().map(open).collect();
    all_reach_each_other(&peers);
    drop(peers.remove(0));
    all_reach_each_other(&peers);
    peers.push(open(&list[0]));
    all_reach_each_other(&peers);
}

#[test]
fn a_thousand_messages_arrive_in_both_directions() {
    let (code, address) = (code(), free_address());
    let a = Peer::open(&at(Some(&address), &[]), &code);
    let b = Peer::open(&at(None, &[&address]), &code);
    a.reach(&b, Some(b.id()), "hello");
    b.reach(&a, None, "hello");
    for i in 0..1000_u16 {
        let message = [&[1], &i.to_le_bytes()[..], &[0; 61]].concat();
        a.network.send(Some(b.id()), &message);
        b.network.send(None, &message);
        if i % 100 == 99 {
            // A peer that is far ahead loses messages, so it waits for the other.
            for j in i - 99..=i {
                for (to, from) in [(&a, &b), (&b, &a)] {
                    let received = to.next(1);
                    assert_eq!((received.from, &received.bytes[1..3]), (from.id(), &j.to_le_bytes()[..]));
                }
            }
        }
    }
    assert_eq!((a.network.lost(), b.network.lost()), (0, 0));
}

#[test]
fn long_messages_arrive_whole_and_too_long_ones_not_at_all() {
    let (code, address) = (code(), free_address());
    let a = Peer::open(&at(Some(&address), &[]), &code);
    let b = Peer::open(&at(None, &[&address]), &code);
    a.reach(&b, Some(b.id()), "hello");
    for length in [1, 4096, 4097, 65_536, LONGEST] {
        let message: Vec<u8> = (0..length).map(|i| if i == 0 { 1 } else { i as u8 }).collect();
        a.network.send(Some(b.id()), &message);
        assert!(b.next(1).bytes == message, "{length} bytes");
    }
    for length in [LONGEST + 1, 1_000_000] {
        a.network.send(Some(b.id()), &vec![2; length]);
    }
    assert_eq!(a.network.lost(), 2);
    a.network.send(Some(b.id()), b"\x01last");
    assert_eq!(b.received.recv_timeout(LONG).unwrap().bytes, b"\x01last");
}

#[test]
fn what_cannot_work_is_told() {
    let code = code();
    let error = ZenohNetwork::open(&at(None, &[]), &code).unwrap_err();
    assert_eq!(error.to_string(), "the fleet needs an address to connect to, or one to listen on");
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address: Address = taken.local_addr().unwrap().to_string().parse().unwrap();
    let error = ZenohNetwork::open(&at(Some(&address), &[]), &code).unwrap_err();
    assert!(matches!(&error, Error::Listen(at, _) if *at == address), "{error}");
}
