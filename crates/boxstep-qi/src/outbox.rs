//! The send queue of a socket.

use crate::error::Gone;
use crate::pool::lock;
use crate::transport::TlsState;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long a slow peer may block a sending thread, before a writer thread takes over.
const WRITE_TIMEOUT: Duration = Duration::from_millis(20);

/// How many batches queued by others a sending thread also writes.
const ROUNDS: usize = 16;

/// Sends messages in order. A sending thread writes to the socket itself if no other thread is writing; otherwise it
/// queues its bytes, and the writing thread continues with them. So a single message needs no thread switch, and many
/// messages are combined in few writes. A peer that reads too slowly gets a writer thread, and is disconnected if too
/// much is queued for it.
pub(crate) struct Outbox {
    stream: Arc<TcpStream>,
    /// Encrypts, on TLS connections. Messages are queued in plain text and encrypted by the writing thread, so that
    /// records are in the order of the socket.
    tls_state: Option<TlsState>,
    state: Mutex<OutboxState>,
    room: Condvar,
    most: usize,
    patience: Duration,
    failed: OnceLock<Box<dyn Fn(Gone) + Send + Sync>>,
}

#[derive(Default)]
struct OutboxState {
    waiting: Vec<u8>,
    writing: bool,
    closed: bool,
}

impl Outbox {
    /// Makes a queue of at most `most` bytes (as many more may be in the process of writing). No sender waits longer
    /// than `patience`.
    pub(crate) fn new(
        stream: Arc<TcpStream>,
        tls_state: Option<TlsState>,
        most: usize,
        patience: Duration,
    ) -> std::io::Result<Outbox> {
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let state = Mutex::default();
        Ok(Outbox { stream, tls_state, state, room: Condvar::new(), most, patience, failed: OnceLock::new() })
    }

    /// Registers what to do when the socket fails while a writer thread uses it.
    pub(crate) fn on_failure(&self, failed: impl Fn(Gone) + Send + Sync + 'static) {
        let _ = self.failed.set(Box::new(failed));
    }

    /// Stops sending and wakes all waiting threads.
    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        let is_first = !std::mem::replace(&mut state.closed, true);
        state.waiting = Vec::new();
        let idle = is_first && !state.writing;
        drop(state);
        self.room.notify_all();
        if let Some(tls_state) = self.tls_state.as_ref().filter(|_| idle)
            && let Ok(last) = tls_state.close_notify()
        {
            // The TLS close notification is a courtesy, which may not arrive.
            let _ = (&*self.stream).write(&last);
        }
    }

    /// Sends bytes, after all bytes that were sent before.
    pub(crate) fn send(self: &Arc<Self>, bytes: &[u8]) -> Result<(), Gone> {
        let mut state = lock(&self.state);
        let until = Instant::now() + self.patience;
        loop {
            if state.closed {
                return Err(Gone::Here);
            }
            if !state.writing {
                state.writing = true;
                drop(state);
                return self.write(bytes).inspect_err(|gone| self.fail(gone.clone()));
            }
            if state.waiting.is_empty() || state.waiting.len() + bytes.len() <= self.most {
                state.waiting.extend_from_slice(bytes);
                return Ok(());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(state);
                self.fail(Gone::NotReading);
                return Err(Gone::NotReading);
            }
            state = self.room.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until everything queued is written, or until the deadline.
    pub(crate) fn drain(&self, until: Instant) {
        let mut state = lock(&self.state);
        while (state.writing || !state.waiting.is_empty()) && !state.closed {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.room.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn fail(&self, gone: Gone) {
        // Report the reason first: a thread that finds the queue closed looks it up.
        if let Some(failed) = self.failed.get() {
            failed(gone);
        }
        self.close();
    }

    /// Writes these bytes and then the queue. If the peer is slow, a writer thread takes over the rest.
    fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<(), Gone> {
        let encrypted = self.encrypted(bytes)?;
        let bytes = encrypted.as_deref().unwrap_or(bytes);
        let sent = self.write_some(bytes)?;
        if sent < bytes.len() {
            return self.hand_to_writer(bytes[sent..].to_vec());
        }
        for _ in 0..ROUNDS {
            let Some(next) = self.next()? else { return Ok(()) };
            let sent = self.write_some(&next)?;
            if sent < next.len() {
                return self.hand_to_writer(next[sent..].to_vec());
            }
        }
        self.hand_to_writer(Vec::new())
    }

    /// Takes the queued bytes, encrypted if need be. `None`: the queue is empty, and this writer is done.
    fn next(&self) -> Result<Option<Vec<u8>>, Gone> {
        let mut state = lock(&self.state);
        if state.waiting.is_empty() {
            state.writing = false;
            drop(state);
            self.room.notify_all();
            return Ok(None);
        }
        let next = std::mem::take(&mut state.waiting);
        drop(state);
        self.room.notify_all();
        Ok(Some(self.encrypted(&next)?.unwrap_or(next)))
    }

    /// Encrypts the bytes; `None` on connections without TLS.
    fn encrypted(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Gone> {
        let encrypted = self.tls_state.as_ref().map(|tls_state| tls_state.encrypt(bytes)).transpose();
        encrypted.map_err(|e| Gone::Io(Arc::new(e)))
    }

    /// Writes until everything is written or the peer blocks for too long. Returns the number of bytes written.
    fn write_some(&self, bytes: &[u8]) -> Result<usize, Gone> {
        let (mut sent, mut since) = (0, None);
        while sent < bytes.len() {
            // The write timeout bounds one write, but a peer that reads a little now and then causes many.
            if sent > 0 && since.get_or_insert_with(Instant::now).elapsed() >= WRITE_TIMEOUT {
                return Ok(sent);
            }
            match (&*self.stream).write(&bytes[sent..]) {
                Ok(0) => return Err(Gone::Closed),
                Ok(more) => sent += more,
                Err(e) => match e.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(sent),
                    ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => {
                        return Err(Gone::Closed);
                    }
                    _ => return Err(Gone::Io(Arc::new(e))),
                },
            }
        }
        Ok(sent)
    }

    fn hand_to_writer(self: &Arc<Self>, rest: Vec<u8>) -> Result<(), Gone> {
        let outbox = Arc::clone(self);
        let thread = std::thread::Builder::new().name("qi-write".to_owned());
        let write_on = move || {
            let mut next = Ok(Some(rest));
            loop {
                match next.and_then(|next| next.map(|bytes| outbox.write_patiently(&bytes)).transpose()) {
                    Ok(Some(())) => next = outbox.next(),
                    Ok(None) => return,
                    Err(gone) => return outbox.fail(gone),
                }
            }
        };
        thread.spawn(write_on).map(|_| ()).map_err(|e| Gone::Io(Arc::new(e)))
    }

    /// Writes everything, as long as the peer keeps reading.
    fn write_patiently(&self, bytes: &[u8]) -> Result<(), Gone> {
        let (mut sent, mut last) = (0, Instant::now());
        while sent < bytes.len() {
            let more = self.write_some(&bytes[sent..])?;
            if lock(&self.state).closed {
                return Err(Gone::Here);
            }
            if more > 0 {
                sent += more;
                last = Instant::now();
            } else if last.elapsed() >= self.patience {
                return Err(Gone::NotReading);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::net::{Shutdown, TcpListener};

    /// Bytes that another thread is still writing are written before the socket is closed for writing.
    #[test]
    fn queued_bytes_are_written_before_the_end() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = Arc::new(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        let mut far = listener.accept().unwrap().0;
        let outbox = Arc::new(Outbox::new(near.clone(), None, 1 << 26, Duration::from_secs(60)).unwrap());
        // More than the system buffers: nobody reads yet, so a writer thread takes over.
        outbox.send(&vec![0; 1 << 24]).unwrap();
        outbox.send(b"the last words").unwrap();
        let reader = std::thread::spawn(move || {
            let mut all = Vec::new();
            far.read_to_end(&mut all).map(|_| all)
        });
        outbox.drain(Instant::now() + Duration::from_secs(60));
        near.shutdown(Shutdown::Write).unwrap();
        let all = reader.join().unwrap().unwrap();
        assert!(all.len() == (1 << 24) + 14 && all.ends_with(b"the last words"), "{}", all.len());
    }
}
