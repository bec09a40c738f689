//! Where bytes come from: a socket, plain or with TLS, with a time until which they must come.

use crate::outbox::Outbox;
use crate::pool::lock;
#[cfg(feature = "tls")]
pub(crate) use crate::tls::Secret;
#[cfg(feature = "tls")]
use crate::tls::Unsealing;
use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Without TLS there is no such thing.
#[cfg(not(feature = "tls"))]
#[derive(Clone)]
pub(crate) enum Secret {}

#[cfg(not(feature = "tls"))]
impl Secret {
    pub(crate) fn seal(&self, _: &[u8]) -> io::Result<Vec<u8>> {
        match *self {}
    }

    pub(crate) fn farewell(&self) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// A time by which something must be done, however many small steps it takes: whoever sends one byte now and then is not done.
#[derive(Default)]
pub(crate) struct Hurry {
    is_on: AtomicBool,
    until: Mutex<Option<Instant>>,
}

impl Hurry {
    pub(crate) fn until(until: Instant) -> Hurry {
        Hurry { is_on: AtomicBool::new(true), until: Mutex::new(Some(until)) }
    }

    /// The time that is left, if there is an end to it.
    pub(crate) fn left(&self) -> io::Result<Option<Duration>> {
        if !self.is_on.load(Ordering::Acquire) {
            return Ok(None);
        }
        let Some(until) = *lock(&self.until) else { return Ok(None) };
        match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }

    /// It is done; whatever comes now may take its time.
    pub(crate) fn is_over(&self) {
        self.is_on.store(false, Ordering::Release);
    }
}

/// What is read from a peer.
pub(crate) struct Incoming {
    stream: TcpStream,
    hurry: Arc<Hurry>,
    #[cfg(feature = "tls")]
    secret: Option<Unsealing>,
}

impl Incoming {
    /// TLS has things to say of its own, which go by way of the outbox.
    pub(crate) fn new(stream: TcpStream, hurry: Arc<Hurry>, secret: Option<&Secret>, outbox: &Arc<Outbox>) -> Incoming {
        #[cfg(feature = "tls")]
        let secret = secret.map(|secret| {
            let outbox = Arc::downgrade(outbox);
            let speak = move || {
                if let Some(outbox) = outbox.upgrade() {
                    // If it cannot be sent, reading ends as well.
                    let _ = outbox.send(&[]);
                }
            };
            Unsealing::new(secret.clone(), Box::new(speak))
        });
        #[cfg(not(feature = "tls"))]
        let _ = (secret, outbox);
        Incoming {
            stream,
            hurry,
            #[cfg(feature = "tls")]
            secret,
        }
    }
}

/// Before each wait the deadline is looked at.
struct Socket<'a>(&'a TcpStream, &'a Hurry);

impl Read for Socket<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(left) = self.1.left()? {
            self.0.set_read_timeout(Some(left))?;
        }
        self.0.read(into)
    }
}

impl Read for Incoming {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut socket = Socket(&self.stream, &self.hurry);
        #[cfg(feature = "tls")]
        if let Some(secret) = &mut self.secret {
            return secret.read(&mut socket, into);
        }
        socket.read(into)
    }
}
