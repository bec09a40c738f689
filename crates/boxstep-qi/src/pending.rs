//! Calls that wait for their answer.

use crate::connection::{Connection, Traffic};
use crate::decode::decode;
use crate::error::Error;
use crate::message::{DYNAMIC, Kind, Message};
use crate::object::ObjectLayout;
use crate::pool::lock;
use crate::signature::Signature;
use crate::value::Value;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The place where the reader of a socket puts an answer.
#[derive(Default)]
pub(crate) struct Slot {
    state: Mutex<PendingState>,
    done: Condvar,
}

type AnswerThen = Box<dyn FnOnce(Result<Message, Error>) + Send>;

#[derive(Default)]
enum PendingState {
    #[default]
    Waiting,
    /// A thread sleeps until the answer arrives.
    Blocked,
    Then(AnswerThen),
    Done(Result<Message, Error>),
    Taken,
}

impl Slot {
    /// Stores the answer, or the reason why none will come. The first one counts. Returns whether a thread was sleeping
    /// until now.
    pub(crate) fn put(&self, answer: Result<Message, Error>) -> bool {
        let mut state = lock(&self.state);
        match std::mem::replace(&mut *state, PendingState::Taken) {
            PendingState::Waiting => *state = PendingState::Done(answer),
            PendingState::Blocked => {
                *state = PendingState::Done(answer);
                drop(state);
                self.done.notify_all();
                return true;
            }
            PendingState::Then(then) => {
                drop(state);
                then(answer);
            }
            other => *state = other,
        }
        false
    }

    /// Returns whether a thread sleeps until the answer arrives.
    pub(crate) fn is_slept_for(&self) -> bool {
        matches!(&*lock(&self.state), PendingState::Blocked)
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(&*lock(&self.state), PendingState::Done(_) | PendingState::Taken)
    }

    /// Sleeps until the answer arrives.
    pub(crate) fn wait(&self) -> Result<Message, Error> {
        // Without a deadline there is always an answer, if only that the connection has ended.
        self.take(None).unwrap_or(Err(Error::Canceled))
    }

    pub(crate) fn take(&self, until: Option<Instant>) -> Option<Result<Message, Error>> {
        let mut state = lock(&self.state);
        loop {
            if let PendingState::Done(_) = &*state
                && let PendingState::Done(answer) = std::mem::replace(&mut *state, PendingState::Taken)
            {
                return Some(answer);
            }
            if matches!(&*state, PendingState::Waiting) {
                *state = PendingState::Blocked;
            }
            state = match until {
                None => self.done.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return None;
                    }
                    self.done.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn then(&self, then: AnswerThen) {
        let mut state = lock(&self.state);
        match std::mem::replace(&mut *state, PendingState::Taken) {
            PendingState::Done(answer) => {
                drop(state);
                then(answer);
            }
            PendingState::Waiting | PendingState::Blocked => *state = PendingState::Then(then),
            other => *state = other,
        }
    }
}

/// A call whose answer is still to come. If this is dropped, the answer is discarded; the call itself continues.
#[must_use = "dropping this discards the answer; use `post` if none is wanted"]
pub struct Pending {
    pub(crate) connection: Connection,
    pub(crate) slot: Arc<Slot>,
    pub(crate) id: u32,
    pub(crate) service: u32,
    pub(crate) object: u32,
    pub(crate) returns: Signature,
    pub(crate) what: String,
}

impl Pending {
    /// Waits for the answer, for any time.
    ///
    /// # Errors
    /// The peer's error, or the reason why the peer cannot answer any more.
    pub fn wait(self) -> Result<Value, Error> {
        let answer = self.connection.inner().wait(&self.slot);
        self.read(answer)
    }

    /// Waits for the answer, at most for the time `most`; then the call is canceled.
    ///
    /// # Errors
    /// As [`Pending::wait`], and [`Error::Slow`].
    pub fn wait_for(self, most: Duration) -> Result<Value, Error> {
        self.connection.inner().reading.come_back();
        match self.slot.take(Some(Instant::now() + most)) {
            Some(answer) => self.read(answer),
            None => {
                self.cancel();
                self.connection.inner().take_pending(self.id);
                Err(Error::Slow { what: self.what.clone(), after: most })
            }
        }
    }

    /// Waits for the answer, for any time, unless a function says to stop, which is asked twenty times a second; then the
    /// call is canceled.
    ///
    /// # Errors
    /// As [`Pending::wait`], and [`Error::Canceled`].
    pub fn wait_unless(self, stops: impl Fn() -> bool) -> Result<Value, Error> {
        match self.connection.inner().wait_unless(&self.slot, &stops) {
            Some(answer) => self.read(answer),
            None => {
                self.cancel();
                self.connection.inner().take_pending(self.id);
                Err(Error::Canceled)
            }
        }
    }

    /// Waits for the answer and returns its payload.
    pub(crate) fn wait_raw(self, most: Duration) -> Result<Vec<u8>, Error> {
        self.connection.inner().reading.come_back();
        match self.slot.take(Some(Instant::now() + most)) {
            Some(answer) => {
                let message = answer?;
                match message.header.kind {
                    Kind::Error => Err(Error::Remote { text: error_text(&message.payload) }),
                    Kind::Canceled => Err(Error::Canceled),
                    _ => Ok(message.payload),
                }
            }
            None => {
                self.connection.inner().take_pending(self.id);
                Err(Error::Slow { what: self.what.clone(), after: most })
            }
        }
    }

    /// Passes the answer to a function: at once if it has arrived, otherwise on the thread that reads the socket, so
    /// the function must not block.
    pub fn then(self, then: impl FnOnce(Result<Value, Error>) + Send + 'static) {
        self.connection.inner().reading.come_back();
        let slot = Arc::clone(&self.slot);
        slot.then(Box::new(move |answer| then(self.read(answer))));
    }

    /// Asks the peer to cancel the call. If the peer does, the answer is [`Error::Canceled`]. Nothing is sent to a peer
    /// that does not support canceling.
    pub fn cancel(&self) {
        self.connection.inner().cancel(self.id, self.service, self.object);
    }

    /// Returns a function that does what [`Pending::cancel`] does, also after [`Pending::then`] has consumed the call.
    pub fn canceler(&self) -> impl Fn() + Send + 'static {
        let (connection, id, service, object) = (self.connection.clone(), self.id, self.service, self.object);
        move || connection.inner().cancel(id, service, object)
    }

    fn read(&self, answer: Result<Message, Error>) -> Result<Value, Error> {
        let message = answer?;
        match message.header.kind {
            Kind::Error => Err(Error::Remote { text: error_text(&message.payload) }),
            Kind::Canceled => Err(Error::Canceled),
            _ => {
                let traffic = Traffic::theirs(self.connection.inner(), self.service);
                let dynamic = message.header.flags & DYNAMIC != 0;
                let signature = if dynamic { &Signature::Dynamic } else { &self.returns };
                decode(&message.payload, signature, &traffic)
                    .map_err(|source| Error::Decode { what: format!("the answer to {}", self.what), source })
            }
        }
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("what", &self.what).field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the message of an error. Nearly always it is a string, but a peer may send any value.
pub(crate) fn error_text(payload: &[u8]) -> String {
    match decode(payload, &Signature::Dynamic, &ObjectLayout::default()) {
        Ok(value) => match value.as_bytes() {
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            None => format!("{:?}", value.plain()),
        },
        Err(_) => "an error without a message".to_owned(),
    }
}
