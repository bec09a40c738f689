//! The receiving side of a socket, plain or with TLS, with deadlines.

use crate::outbox::Outbox;
use crate::pool::lock;
#[cfg(feature = "tls")]
use crate::tls::Decrypter;
#[cfg(feature = "tls")]
pub(crate) use crate::tls::TlsState;
use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Uninhabited in builds without TLS.
#[cfg(not(feature = "tls"))]
#[derive(Clone)]
pub(crate) enum TlsState {}

#[cfg(not(feature = "tls"))]
impl TlsState {
    pub(crate) fn encrypt(&self, _: &[u8]) -> io::Result<Vec<u8>> {
        match *self {}
    }

    pub(crate) fn close_notify(&self) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// A deadline for something that takes many small steps. A peer that sends one byte now and then does not extend it.
#[derive(Default)]
pub(crate) struct Deadline {
    is_on: AtomicBool,
    until: Mutex<Option<Instant>>,
}

impl Deadline {
    pub(crate) fn until(until: Instant) -> Deadline {
        Deadline { is_on: AtomicBool::new(true), until: Mutex::new(Some(until)) }
    }

    /// Returns the time left, or `None` if there is no deadline.
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

    /// Lifts the deadline.
    pub(crate) fn lift(&self) {
        self.is_on.store(false, Ordering::Release);
    }
}

/// The lowest rate, in bytes per second, for a message that takes longer than `patience`.
const SLOWEST: f64 = 16.0 * 1024.0;

/// Watches the rate of a message that has begun, so that it cannot arrive byte by byte for ever.
#[derive(Clone, Copy, Default)]
struct Pace {
    is_within: bool,
    /// When more bytes must have arrived. Each byte that arrives extends it, but never beyond `patience` from now.
    until: Option<Instant>,
    /// How often a read between two messages returns `WouldBlock`, so that the thread can look whether to stop.
    look: Option<Duration>,
    /// The read timeout that the socket has.
    set: Option<Duration>,
}

/// The bytes received from a peer.
pub(crate) struct Incoming {
    stream: Arc<TcpStream>,
    deadline: Arc<Deadline>,
    patience: Duration,
    pace: Pace,
    #[cfg(feature = "tls")]
    tls_state: Option<Decrypter>,
}

impl Incoming {
    /// Records that TLS itself has to send go through the outbox.
    pub(crate) fn new(
        stream: Arc<TcpStream>,
        deadline: Arc<Deadline>,
        patience: Duration,
        tls_state: Option<&TlsState>,
        outbox: &Arc<Outbox>,
    ) -> Incoming {
        #[cfg(feature = "tls")]
        let tls_state = tls_state.map(|tls_state| {
            let outbox = Arc::downgrade(outbox);
            let speak = move || {
                if let Some(outbox) = outbox.upgrade() {
                    // If they cannot be sent, reading fails as well.
                    let _ = outbox.send(&[]);
                }
            };
            Decrypter::new(tls_state.clone(), Box::new(speak))
        });
        #[cfg(not(feature = "tls"))]
        let _ = (tls_state, outbox);
        Incoming {
            stream,
            deadline,
            patience,
            pace: Pace::default(),
            #[cfg(feature = "tls")]
            tls_state,
        }
    }

    /// Makes reads between two messages return `WouldBlock` this often; `None`: never.
    pub(crate) fn look(&mut self, every: Option<Duration>) {
        self.pace.look = every;
    }

    /// Marks that a message begins or is complete; deadlines apply within a message.
    pub(crate) fn within(&mut self, is_within: bool) {
        self.pace = Pace { is_within, until: None, ..self.pace };
    }
}

/// Checks the deadlines before each read.
struct Socket<'a> {
    stream: &'a TcpStream,
    deadline: &'a Deadline,
    patience: Duration,
    pace: &'a mut Pace,
}

impl Socket<'_> {
    /// Returns the time left within this message, or `None` between messages.
    fn left(&mut self) -> io::Result<Option<Duration>> {
        if !self.pace.is_within {
            return Ok(None);
        }
        let until = *self.pace.until.get_or_insert_with(|| Instant::now() + self.patience);
        match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }
}

impl Read for Socket<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = [self.deadline.left()?, self.left()?].into_iter().flatten().min();
        let timeout = left.or(self.pace.look.filter(|_| !self.pace.is_within));
        if timeout != self.pace.set {
            self.stream.set_read_timeout(timeout)?;
            self.pace.set = timeout;
        }
        let got = self.stream.read(into)?;
        if let Some(until) = &mut self.pace.until {
            #[expect(clippy::cast_precision_loss, reason = "a pace need not be exact")]
            let worth = Duration::from_secs_f64(got as f64 / SLOWEST);
            *until = (*until + worth).min(Instant::now() + self.patience);
        }
        Ok(got)
    }
}

impl Read for Incoming {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Incoming { stream, deadline, patience, pace, .. } = self;
        let mut socket = Socket { stream, deadline, patience: *patience, pace };
        #[cfg(feature = "tls")]
        if let Some(tls_state) = &mut self.tls_state {
            return tls_state.read(&mut socket, into);
        }
        socket.read(into)
    }
}
