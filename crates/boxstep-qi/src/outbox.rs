//! What waits to be sent on a socket.

use crate::error::Gone;
use crate::pool::lock;
use crate::transport::Secret;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long one who sends may be held up by a peer that reads slowly, before a thread goes on in its place.
const HELD_UP: Duration = Duration::from_millis(20);

/// How often one who sends also writes what others have added meanwhile.
const ROUNDS: usize = 16;

/// Who sends writes to the socket itself, if nobody is writing; otherwise the bytes are added to those that wait, and whoever is
/// writing goes on with them. So one message costs no hand-over to another thread, and many become few writes. A peer that reads
/// too slowly gets a thread of its own, and is given up if too much waits for it.
pub(crate) struct Outbox {
    stream: Arc<TcpStream>,
    /// Messages wait as they are, and are encrypted by who writes, so that records are in the order of the socket.
    secret: Option<Secret>,
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
    /// At most `most` bytes wait (and as many are being written); nothing is waited for longer than `patience`.
    pub(crate) fn new(
        stream: Arc<TcpStream>,
        secret: Option<Secret>,
        most: usize,
        patience: Duration,
    ) -> std::io::Result<Outbox> {
        stream.set_write_timeout(Some(HELD_UP))?;
        let state = Mutex::default();
        Ok(Outbox { stream, secret, state, room: Condvar::new(), most, patience, failed: OnceLock::new() })
    }

    /// What to do when the socket breaks while nobody looks.
    pub(crate) fn on_failure(&self, failed: impl Fn(Gone) + Send + Sync + 'static) {
        let _ = self.failed.set(Box::new(failed));
    }

    /// Nothing is sent any more, and nobody waits.
    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        let is_first = !std::mem::replace(&mut state.closed, true);
        state.waiting = Vec::new();
        let idle = is_first && !state.writing;
        drop(state);
        self.room.notify_all();
        if let Some(secret) = self.secret.as_ref().filter(|_| idle)
            && let Ok(last) = secret.farewell()
        {
            // A courtesy, which may not arrive.
            let _ = (&*self.stream).write(&last);
        }
    }

    /// Sends bytes, after all that were given before.
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

    /// Waits until all is written that was given, or until then.
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
        // First why, then that: whoever is told that nothing is sent any more asks why.
        if let Some(failed) = self.failed.get() {
            failed(gone);
        }
        self.close();
    }

    /// Writes these bytes and then what waits. Slow: the rest is left to a thread.
    fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<(), Gone> {
        let sealed = self.sealed(bytes)?;
        let bytes = sealed.as_deref().unwrap_or(bytes);
        let sent = self.some(bytes)?;
        if sent < bytes.len() {
            return self.leave(bytes[sent..].to_vec());
        }
        for _ in 0..ROUNDS {
            let Some(next) = self.next()? else { return Ok(()) };
            let sent = self.some(&next)?;
            if sent < next.len() {
                return self.leave(next[sent..].to_vec());
            }
        }
        self.leave(Vec::new())
    }

    /// What waits now, as it is to be sent. None: the writer is done.
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
        Ok(Some(self.sealed(&next)?.unwrap_or(next)))
    }

    /// The bytes as they travel, if that is not as they are.
    fn sealed(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Gone> {
        let sealed = self.secret.as_ref().map(|secret| secret.seal(bytes)).transpose();
        sealed.map_err(|e| Gone::Io(Arc::new(e)))
    }

    /// Writes until all is written or the peer holds us up; says how much was written.
    fn some(&self, bytes: &[u8]) -> Result<usize, Gone> {
        let (mut sent, mut since) = (0, None);
        while sent < bytes.len() {
            // One write is held up no longer than that, but a peer that takes a little now and then makes many.
            if sent > 0 && since.get_or_insert_with(Instant::now).elapsed() >= HELD_UP {
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

    fn leave(self: &Arc<Self>, rest: Vec<u8>) -> Result<(), Gone> {
        let outbox = Arc::clone(self);
        let thread = std::thread::Builder::new().name("qi-write".to_owned());
        let write_on = move || {
            let mut next = Ok(Some(rest));
            loop {
                match next.and_then(|next| next.map(|bytes| outbox.patiently(&bytes)).transpose()) {
                    Ok(Some(())) => next = outbox.next(),
                    Ok(None) => return,
                    Err(gone) => return outbox.fail(gone),
                }
            }
        };
        thread.spawn(write_on).map(|_| ()).map_err(|e| Gone::Io(Arc::new(e)))
    }

    /// Writes all, as long as the peer takes anything.
    fn patiently(&self, bytes: &[u8]) -> Result<(), Gone> {
        let (mut sent, mut last) = (0, Instant::now());
        while sent < bytes.len() {
            let more = self.some(&bytes[sent..])?;
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

    /// What another thread still writes is written before the socket is closed for writing.
    #[test]
    fn what_was_given_is_written_before_the_end() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = Arc::new(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        let mut far = listener.accept().unwrap().0;
        let outbox = Arc::new(Outbox::new(near.clone(), None, 1 << 26, Duration::from_secs(60)).unwrap());
        // More than the system keeps: nobody reads yet, so a thread goes on with it.
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
