//! A session that reconnects.

use crate::error::{Error, Gone};
use crate::options::Options;
use crate::pool::lock;
use crate::session::Session;
use crate::subscriptions::Subscription;
use crate::value::Value;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The pauses between attempts to connect; each is twice as long as the one before.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    /// The pause after the first attempt. Default: 0.25 s.
    pub first: Duration,
    /// The longest pause. Default: 10 s.
    pub longest: Duration,
}

impl Default for Pauses {
    fn default() -> Pauses {
        Pauses { first: Duration::from_millis(250), longest: Duration::from_secs(10) }
    }
}

impl Pauses {
    fn after(self, tries: u32) -> Duration {
        self.first.saturating_mul(2u32.saturating_pow(tries)).min(self.longest)
    }
}

/// The state of the link to a robot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Link {
    /// There is a session, and everything registered with [`Lasting::keep`] has been set up or tried.
    Up,
    /// The session has ended.
    Down(Gone),
    /// An attempt has failed; another one follows.
    Trying {
        /// Why it failed.
        error: Error,
        /// The time until the next attempt.
        pause: Duration,
    },
    /// No further attempt is made, because none can succeed: the robot refuses the credentials or certificate, or the
    /// address is invalid.
    Over(Error),
}

type SetupFn = Box<dyn Fn(&Session) -> Result<Box<dyn Any + Send>, Error> + Send>;
type LinkWatch = Box<dyn Fn(&Link) + Send>;

enum KeeperMessage {
    Gone(Gone),
    /// A service has been added.
    Added,
    Keep(u64, SetupFn),
    Release(u64),
    Close,
}

/// A session with a robot that may not be there yet, and may go and come back, such as one that is switched off at
/// night. Everything registered with [`Lasting::keep`] is set up again for each new session.
pub struct Lasting {
    shared: Arc<Shared>,
    messages: Sender<KeeperMessage>,
    next: AtomicU64,
}

#[derive(Default)]
struct Shared {
    state: Mutex<LastingState>,
    changed: Condvar,
}

#[derive(Default)]
struct LastingState {
    session: Option<Session>,
    over: Option<Error>,
}

impl fmt::Debug for Lasting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lasting").field("session", &self.session()).finish_non_exhaustive()
    }
}

impl Lasting {
    /// Starts to connect, and keeps reconnecting until this is dropped. `watch` is called with each new state of the
    /// link, on a separate thread.
    ///
    /// # Errors
    /// [`Error::System`] if no thread can be started.
    pub fn new(
        address: &str,
        options: Options,
        pauses: Pauses,
        watch: impl Fn(&Link) + Send + 'static,
    ) -> Result<Lasting, Error> {
        let (tell, messages) = channel();
        let shared = Arc::<Shared>::default();
        let keeper = Keeper {
            address: address.to_owned(),
            options,
            pauses,
            watch: Box::new(watch),
            shared: Arc::clone(&shared),
            tell: tell.clone(),
            messages,
            keeps: BTreeMap::new(),
        };
        let thread = std::thread::Builder::new().name("qi-keep".to_owned());
        thread.spawn(move || keeper.run()).map_err(|e| Error::System(Arc::new(e)))?;
        Ok(Lasting { shared, messages: tell, next: AtomicU64::new(0) })
    }

    /// Returns the current session, if there is one. It may end at any time.
    pub fn session(&self) -> Option<Session> {
        lock(&self.shared.state).session.clone()
    }

    /// Waits for a session, at most for the time `most`.
    ///
    /// # Errors
    /// [`Error::Slow`], or the reason why no session will come.
    pub fn wait(&self, most: Duration) -> Result<Session, Error> {
        let until = Instant::now() + most;
        let mut state = lock(&self.shared.state);
        loop {
            if let Some(session) = &state.session {
                return Ok(session.clone());
            }
            if let Some(over) = &state.over {
                return Err(over.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Slow { what: "connecting".to_owned(), after: most });
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sets something up in each new session (subscriptions, objects, local services), and keeps the returned value
    /// until the session ends. A function that fails is called again, after a pause or when a service is added. All
    /// such functions run on one thread, so they must not block for long.
    pub fn keep<T: Send + 'static>(&self, set_up: impl Fn(&Session) -> Result<T, Error> + Send + 'static) -> Kept {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let set_up: SetupFn = Box::new(move |session| Ok(Box::new(set_up(session)?)));
        let _ = self.messages.send(KeeperMessage::Keep(id, set_up));
        Kept { id, messages: self.messages.clone() }
    }

    /// Subscribes to a signal of a service, in each session that has the service.
    pub fn subscribe(&self, service: &str, signal: &str, listener: impl Fn(&[Value]) + Send + Sync + 'static) -> Kept {
        let (service, signal, listener) = (service.to_owned(), signal.to_owned(), Arc::new(listener));
        self.keep(move |session| -> Result<Subscription, Error> {
            let listener = Arc::clone(&listener);
            session.service(&service)?.subscribe(&signal, move |args| listener(args))
        })
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        let _ = self.messages.send(KeeperMessage::Close);
    }
}

/// Keeps a registration of [`Lasting::keep`] until this is dropped.
#[must_use = "dropping this ends the registration"]
#[derive(Debug)]
pub struct Kept {
    id: u64,
    messages: Sender<KeeperMessage>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = self.messages.send(KeeperMessage::Release(self.id));
    }
}

impl fmt::Debug for KeeperMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeeperMessage")
    }
}

struct Keep {
    set_up: SetupFn,
    kept: Option<Box<dyn Any + Send>>,
}

struct Keeper {
    address: String,
    options: Options,
    pauses: Pauses,
    watch: LinkWatch,
    shared: Arc<Shared>,
    tell: Sender<KeeperMessage>,
    messages: Receiver<KeeperMessage>,
    keeps: BTreeMap<u64, Keep>,
}

/// The owner has dropped the [`Lasting`].
struct Closed;

impl Keeper {
    fn run(mut self) {
        // However this ends, threads that wait for a session must be woken.
        let over = match self.work() {
            Err(error) => error,
            Ok(Closed) => Error::Gone(Gone::Here),
        };
        self.put(None, Some(over));
    }

    fn put(&self, session: Option<Session>, over: Option<Error>) {
        let mut state = lock(&self.shared.state);
        let before = std::mem::replace(&mut *state, LastingState { session, over });
        drop(state);
        self.shared.changed.notify_all();
        drop(before);
    }

    fn work(&mut self) -> Result<Closed, Error> {
        let mut tries = 0;
        loop {
            match Session::connect_with(&self.address, self.options.clone()) {
                Ok(session) => {
                    tries = 0;
                    let ended = self.hold(&session);
                    // What was kept belongs to the session that has ended.
                    self.keeps.values_mut().for_each(|keep| drop(keep.kept.take()));
                    self.put(None, None);
                    session.close();
                    match ended {
                        Some(gone) => (self.watch)(&Link::Down(gone)),
                        None => return Ok(Closed),
                    }
                }
                Err(
                    error @ (Error::Authentication { .. }
                    | Error::Address { .. }
                    | Error::Certificate { .. }
                    | Error::Identity { .. }),
                ) => {
                    (self.watch)(&Link::Over(error.clone()));
                    return Err(error);
                }
                Err(error) => {
                    let pause = self.pauses.after(tries);
                    tries = tries.saturating_add(1);
                    (self.watch)(&Link::Trying { error, pause });
                    if self.rest(pause) {
                        return Ok(Closed);
                    }
                }
            }
        }
    }

    /// Waits for the next attempt, and handles registrations meanwhile. Returns true if the owner wants no more
    /// attempts.
    fn rest(&mut self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        loop {
            match self.messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(KeeperMessage::Close) | Err(RecvTimeoutError::Disconnected) => return true,
                Ok(message) => self.note(message),
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    fn note(&mut self, message: KeeperMessage) {
        match message {
            KeeperMessage::Keep(id, set_up) => {
                self.keeps.insert(id, Keep { set_up, kept: None });
            }
            KeeperMessage::Release(id) => drop(self.keeps.remove(&id)),
            KeeperMessage::Gone(_) | KeeperMessage::Added | KeeperMessage::Close => {}
        }
    }

    /// Sets up registrations while the session lasts. Returns why the session has ended, or `None` if the owner wants
    /// no more.
    fn hold(&mut self, session: &Session) -> Option<Gone> {
        // Discard messages about earlier sessions.
        while let Ok(message) = self.messages.try_recv() {
            if matches!(message, KeeperMessage::Close) {
                return None;
            }
            self.note(message);
        }
        let tell = self.tell.clone();
        session.connection().on_close(move |gone| drop(tell.send(KeeperMessage::Gone(gone.clone()))));
        let tell = self.tell.clone();
        let added = session
            .directory()
            .and_then(|d| d.subscribe("serviceAdded", move |_| drop(tell.send(KeeperMessage::Added))));
        self.put(Some(session.clone()), None);
        let mut tries = 0;
        let mut all = self.set_up(session);
        (self.watch)(&Link::Up);
        let ended = loop {
            let message = if all {
                self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.messages.recv_timeout(self.pauses.after(tries))
            };
            match message {
                Ok(KeeperMessage::Gone(gone)) => break Some(gone),
                Ok(KeeperMessage::Close) | Err(RecvTimeoutError::Disconnected) => break None,
                Ok(message) => self.note(message),
                Err(RecvTimeoutError::Timeout) => tries = tries.saturating_add(1),
            }
            all = self.set_up(session);
        };
        drop(added);
        ended
    }

    /// Sets up what is not set up yet. Returns whether everything is.
    fn set_up(&mut self, session: &Session) -> bool {
        for keep in self.keeps.values_mut().filter(|keep| keep.kept.is_none()) {
            keep.kept = (keep.set_up)(session).ok();
        }
        self.keeps.values().all(|keep| keep.kept.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest() {
        let pauses = Pauses::default();
        let seconds = [0, 1, 2, 3, 5, 6, 40, u32::MAX].map(|tries| pauses.after(tries).as_secs_f64());
        assert_eq!(seconds, [0.25, 0.5, 1.0, 2.0, 8.0, 10.0, 10.0, 10.0]);
    }
}
