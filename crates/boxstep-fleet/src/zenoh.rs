//! The network of real machines, by [Zenoh](https://zenoh.io): peers find each other by multicast, or meet at a router
//! or at addresses that somebody names.
//!
//! Whoever has the [pairing code](crate::pairing) belongs to the fleet and is trusted; nobody else gets a message in or
//! out. The only transport that is compiled is QUIC, which is always encrypted, by TLS 1.3, and both sides of a
//! connection must have a certificate that was made from the code ([`Identity`]). The multicast messages by which peers
//! find each other are not protected: they say that there is a peer and its address, no more.
//!
//! Zenoh's TLS over TCP is not used: in version 1.10 one thread reads from a connection while another writes to it,
//! without a lock around the state that they share, so that connections break when messages go in both directions.

mod address;
mod config;
mod identity;
mod keys;

pub use address::{Address, AddressError, DEFAULT_PORT};
pub use identity::Identity;

use crate::network::{Network, PeerId, Received};
use crate::pairing::{NoRandomness, PairingCode};
use std::fmt;
use std::io;
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use zenoh::Wait as _;
use zenoh::qos::{CongestionControl, Priority};
use zenoh::sample::{Locality, Sample};

/// The longest message in bytes. Longer ones are not sent, and those of others are dropped before they are put together.
pub const LONGEST: usize = 256 * 1024;

/// Messages up to this length do not wait behind longer ones.
const SHORT: usize = 4096;

/// How many received messages wait for whoever reads them. Further ones are lost.
const WAITING: usize = 4096;

/// How long the end of a network may take.
const END: Duration = Duration::from_secs(1);

/// How a machine reaches the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Only processes on this computer, which find each other.
    #[default]
    Loopback,
    /// All machines of the local network, which find each other by multicast.
    Lan,
    /// Only the addresses of [`Options::connect`], and whoever connects to [`Options::listen`]. Everybody passes on what
    /// others send, so it is enough if there is some way from each machine to each other.
    Addresses,
}

/// How a network is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How it reaches the others.
    pub reach: Reach,
    /// Addresses to which it connects besides those it finds, again and again until somebody is there.
    pub connect: Vec<Address>,
    /// Where it listens. By default: with [`Reach::Loopback`] on 127.0.0.1, with [`Reach::Lan`] on all interfaces, each
    /// time on a free port; with [`Reach::Addresses`] nowhere. A router listens on port [`DEFAULT_PORT`].
    pub listen: Option<Address>,
    /// Whether it passes on messages of machines that are connected with it, but not with each other. With
    /// [`Reach::Addresses`] everybody does.
    pub router: bool,
    /// After this time of silence a connection counts as broken. A quarter of it is the time between signs of life. By
    /// multicast, peers look for each other at least every 8 seconds, and only then a connection is made anew: where
    /// pauses of a second are common, as with Wi-Fi, a longer time keeps connections that would come back by themselves.
    pub lease: Duration,
}

impl Default for Options {
    fn default() -> Options {
        let reach = Reach::default();
        Options { reach, connect: Vec::new(), listen: None, router: false, lease: Duration::from_secs(1) }
    }
}

/// The reason why a network cannot be opened.
#[derive(Debug)]
pub enum Error {
    /// The system gives no random numbers.
    Random(NoRandomness),
    /// No certificate can be made.
    Certificate(rcgen::Error),
    /// It cannot listen on this address.
    Listen(Address, io::Error),
    /// There is nobody it could ever reach: no address to connect to, none to listen on.
    Nobody,
    /// Zenoh does not take the settings. This is an error of this program.
    Settings(String),
    /// Zenoh does not start.
    Open(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Random(e) => e.fmt(f),
            Error::Certificate(e) => write!(f, "no certificate can be made from the pairing code: {e}"),
            Error::Listen(address, e) => write!(f, "the fleet cannot listen on {address}: {e}"),
            Error::Nobody => f.write_str("the fleet needs an address to connect to, or one to listen on"),
            Error::Settings(e) => write!(f, "Zenoh does not take the settings of the fleet's network: {e}"),
            Error::Open(e) => write!(f, "the fleet's network cannot be opened: {e}"),
        }
    }
}

impl std::error::Error for Error {}

/// A peer's place in the network of its fleet. The network ends, within a second, when it is dropped. It must not be
/// opened or dropped on a thread of an asynchronous runtime.
pub struct ZenohNetwork {
    session: zenoh::Session,
    peer: PeerId,
    lost: Arc<AtomicU64>,
}

impl ZenohNetwork {
    /// Takes part in the network of a fleet. It does not wait until it has reached somebody. What others send comes
    /// through the receiver.
    ///
    /// # Errors
    ///
    /// If the options cannot work, the address is in use, or the system refuses what is needed.
    pub fn open(options: &Options, code: &PairingCode) -> Result<(ZenohNetwork, Receiver<Received>), Error> {
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|e| Error::Random(NoRandomness(e)))?;
        let peer = PeerId(u64::from_le_bytes(number));
        let identity = Identity::of(code).map_err(Error::Certificate)?;
        let config = config::config(options, code, &identity)?;
        if let Some(address) = config::listens(options) {
            wait_for_port(&address)?;
        }
        let failed = |e: zenoh::Error| Error::Open(e.to_string());
        let session = zenoh::open(config).wait().map_err(failed)?;
        let lost = Arc::new(AtomicU64::new(0));
        let (sender, receiver) = sync_channel(WAITING);
        for key in [keys::all_of_all(), keys::all_to(peer)] {
            let (sender, lost) = (sender.clone(), Arc::clone(&lost));
            let subscriber = session.declare_subscriber(key).callback(move |sample| receive(&sample, &sender, &lost));
            subscriber.background().wait().map_err(failed)?;
        }
        Ok((ZenohNetwork { session, peer, lost }, receiver))
    }

    /// Returns the number by which the others know this peer.
    pub fn peer(&self) -> PeerId {
        self.peer
    }

    /// Returns how many messages are known to be lost here: they were too long, or nobody read the received ones in
    /// time. Messages that the network loses are not among them.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// Waits until nobody else uses a port. A network of this process that has just ended can have it for a moment.
fn wait_for_port(address: &Address) -> Result<(), Error> {
    let end = Instant::now() + END;
    loop {
        match UdpSocket::bind(address.as_str()) {
            Ok(_) => return Ok(()),
            Err(e) if e.kind() == io::ErrorKind::AddrInUse && Instant::now() < end => thread::sleep(END / 20),
            Err(e) => return Err(Error::Listen(address.clone(), e)),
        }
    }
}

/// Passes on a message. It is called on a thread of Zenoh, which must not wait.
fn receive(sample: &Sample, sender: &SyncSender<Received>, lost: &AtomicU64) {
    let payload = sample.payload();
    let Some(from) = keys::sender(sample.key_expr().as_str()).filter(|_| payload.len() <= LONGEST) else {
        lost.fetch_add(1, Ordering::Relaxed);
        return;
    };
    let received = Received { from, bytes: payload.to_bytes().into_owned() };
    // Nobody reads any more: that is no loss.
    if let Err(TrySendError::Full(_)) = sender.try_send(received) {
        lost.fetch_add(1, Ordering::Relaxed);
    }
}

impl Network for ZenohNetwork {
    /// Sends a message. Zenoh has a queue for each connection, and a message that finds it full is lost: a peer that is
    /// slow or silent never delays the others or the caller. So there is no thread in between, which would only make
    /// the way of a message longer.
    fn send(&self, to: Option<PeerId>, bytes: &[u8]) {
        if bytes.len() > LONGEST {
            self.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let key = match to {
            None => keys::all(self.peer),
            Some(to) => keys::to(to, self.peer),
        };
        let priority = if bytes.len() <= SHORT { Priority::InteractiveHigh } else { Priority::Data };
        let put = self.session.put(key, bytes).congestion_control(CongestionControl::Drop).priority(priority);
        if put.allowed_destination(Locality::Remote).wait().is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for ZenohNetwork {
    fn drop(&mut self) {
        let session = self.session.clone();
        let (done, ends) = sync_channel(1);
        // Zenoh says goodbye to everybody, which can last long if one of them does not answer.
        let thread = thread::Builder::new().name("fleet ends".to_owned()).spawn(move || {
            // Who does not hear it will notice by itself that the connection is broken.
            let _ = session.close().wait();
            let _ = done.send(());
        });
        if thread.is_ok() {
            let _ = ends.recv_timeout(END);
        }
    }
}

impl fmt::Debug for ZenohNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZenohNetwork").field("peer", &self.peer).finish_non_exhaustive()
    }
}
