//! Time and memory limits of a connection.

use crate::capabilities::Credentials;
use crate::endpoint::Endpoint;
use crate::message::MAX_PAYLOAD;
use crate::trust::Trust;
use std::net::SocketAddr;
use std::time::Duration;

/// The most clients that may be connected without having authenticated. A proper client authenticates at once.
pub(crate) const STRANGERS: usize = 64;

/// Finds the addresses of a host that the operating system does not know; an empty list if it does not know it, either.
pub type FindHost = fn(&Endpoint) -> Vec<SocketAddr>;

/// Options of clients and servers.
#[derive(Clone, Debug)]
pub struct Options {
    /// The credentials sent if the peer requires authentication.
    pub credentials: Option<Credentials>,
    /// Which certificates are accepted as the robot's own, on encrypted connections (`tcps`).
    pub trust: Trust,
    /// Asked for hosts whose names the operating system does not know. It must end in bounded time, which is not part of
    /// `connect_within`. Default: nobody is asked.
    pub find_host: Option<FindHost>,
    /// The longest time to establish a connection. Default: 5 s.
    pub connect_within: Duration,
    /// The longest time for the protocol's own calls: authentication, service lookup, signal registration. Method calls
    /// have no limit, unless [`Remote::call_within`](crate::Remote::call_within) is used. Default: 10 s.
    pub answer_within: Duration,
    /// How long a peer may read nothing, may keep the queue of its messages full, or may pause within a message, before
    /// the connection is closed. A message that takes longer must arrive at 16 KiB per second. Default: 10 s.
    pub patience: Duration,
    /// How soon a peer that vanished silently (cable pulled, battery empty) is detected, on Linux and macOS. Other
    /// systems have their own times, up to hours. At least 3 s; default: 20 s.
    pub alive_within: Duration,
    /// The longest payload that is accepted, in bytes. Default: 64 MiB.
    pub most_payload: u32,
    /// The most bytes that may be queued per connection, to be sent or to be handled. Default: 16 MiB.
    pub most_waiting: usize,
    /// The most calls that may wait for an answer, and the most messages that may wait to be handled, per connection.
    /// Default: 65,536.
    pub most_jobs: usize,
    /// The number of threads that run calls and listeners. Default: 64.
    pub threads: usize,
    /// The most bytes of received data that all peers of a server, or of a session, may occupy together, beyond 64 KiB
    /// for each connection. One IP address gets at most half of them. Default: 256 MiB.
    pub most_in_all: usize,
    /// The most clients of a server at once. At most three quarters may come from one address, and at most 64 may be
    /// unauthenticated. Default: 512.
    pub clients: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            credentials: None,
            trust: Trust::default(),
            find_host: None,
            connect_within: Duration::from_secs(5),
            answer_within: Duration::from_secs(10),
            patience: Duration::from_secs(10),
            alive_within: Duration::from_secs(20),
            most_payload: MAX_PAYLOAD,
            most_waiting: 16 << 20,
            most_jobs: 1 << 16,
            threads: 64,
            most_in_all: 256 << 20,
            clients: 512,
        }
    }
}
