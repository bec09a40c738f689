//! How patient and how generous a connection is.

use crate::capabilities::Credentials;
use crate::message::MAX_PAYLOAD;
use crate::trust::Trust;
use std::time::Duration;

/// So many clients may be connected that have not said who they are: those who do, do so at once.
pub(crate) const STRANGERS: usize = 64;

/// Options of clients and servers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who to say we are, if the peer asks.
    pub credentials: Option<Credentials>,
    /// Whom to believe that it is the robot, where that is asked for (`tcps`).
    pub trust: Trust,
    /// How long a connection may take to come to be. 5 s.
    pub connect_within: Duration,
    /// How long the protocol's own calls may take: authentication, looking up services, registering for signals. Calls of methods
    /// may take any time, unless [`Remote::call_within`](crate::Remote::call_within) is used. 10 s.
    pub answer_within: Duration,
    /// How long a peer may take nothing, may be in the way of everything, or may stop in the middle of a message, before the connection
    /// is closed. A message that takes longer must come at 16 KiB a second. 10 s.
    pub patience: Duration,
    /// How soon it is noticed that a peer has vanished without a word, its cable pulled or its battery empty, on Linux and macOS; other
    /// systems have their own times, up to hours. At least 3 s; 20 s.
    pub alive_within: Duration,
    /// The longest payload that is accepted, in bytes. 64 MiB.
    pub most_payload: u32,
    /// How many bytes may wait to be sent, or received and still to be worked on, per connection. 16 MiB.
    pub most_waiting: usize,
    /// How many calls may wait for an answer, and how many messages to be worked on, per connection. 65,536.
    pub most_jobs: usize,
    /// How many threads work on calls and listeners. 64.
    pub threads: usize,
    /// How many bytes all peers of a server, or of a session, may fill together with what they send, beside 64 KiB for each
    /// connection. One address gets half of them. 256 MiB.
    pub most_in_all: usize,
    /// How many clients a server has at once: three quarters of them from one address at most, and 64 that have not said who they are.
    /// 512.
    pub clients: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            credentials: None,
            trust: Trust::default(),
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
