//! A session that comes back.

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

/// How long to wait before the next try: twice as long each time.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    /// After the first try. 0.25 s.
    pub first: Duration,
    /// Never longer than this. 10 s.
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

/// How a link to a robot is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Link {
    /// There is a session, and what is kept has been tried to be set up.
    Up,
    /// There was one, and it has ended.
    Down(Gone),
    /// A try has failed; there will be another one.
    Trying {
        /// Why.
        error: Error,
        /// The time until then.
        pause: Duration,
    },
    /// No other try will be better: the robot refuses who we are, or the address is none.
    Over(Error),
}

type SetupFn = Box<dyn Fn(&Session) -> Result<Box<dyn Any + Send>, Error> + Send>;
type LinkWatch = Box<dyn Fn(&Link) + Send>;

enum News {
    Gone(Gone),
    /// A service has come.
    Added,
    Keep(u64, SetupFn),
    Let(u64),
    Close,
}

/// A session with a robot that may not be there yet, and may go and come back, as robots do that are switched off at night. What is
/// to be kept is set up again each time.
pub struct Lasting {
    shared: Arc<Shared>,
    news: Sender<News>,
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
    /// Begins to connect, and goes on for as long as this lives. The function hears how the link is, from a thread of its own.
    ///
    /// # Errors
    /// [`Error::System`] if there is no thread to be had.
    pub fn new(
        address: &str,
        options: Options,
        pauses: Pauses,
        watch: impl Fn(&Link) + Send + 'static,
    ) -> Result<Lasting, Error> {
        let (tell, news) = channel();
        let shared = Arc::<Shared>::default();
        let keeper = Keeper {
            address: address.to_owned(),
            options,
            pauses,
            watch: Box::new(watch),
            shared: Arc::clone(&shared),
            tell: tell.clone(),
            news,
            keeps: BTreeMap::new(),
        };
        let thread = std::thread::Builder::new().name("qi-keep".to_owned());
        thread.spawn(move || keeper.run()).map_err(|e| Error::System(Arc::new(e)))?;
        Ok(Lasting { shared, news: tell, next: AtomicU64::new(0) })
    }

    /// The session, if there is one now. It may end at any time.
    pub fn session(&self) -> Option<Session> {
        lock(&self.shared.state).session.clone()
    }

    /// Waits until there is a session, but no longer than that.
    ///
    /// # Errors
    /// [`Error::Slow`], or why there will be none.
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

    /// Has something set up each time there is a session, and what the function returns kept as long as the session lasts:
    /// subscriptions, objects, services of ours. A function that fails is tried again, after a pause or when a service comes. It is
    /// called from one thread for all, so it must not wait for long.
    pub fn keep<T: Send + 'static>(&self, set_up: impl Fn(&Session) -> Result<T, Error> + Send + 'static) -> Kept {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let set_up: SetupFn = Box::new(move |session| Ok(Box::new(set_up(session)?)));
        let _ = self.news.send(News::Keep(id, set_up));
        Kept { id, news: self.news.clone() }
    }

    /// Listens to a signal of a service, whenever they are there.
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
        let _ = self.news.send(News::Close);
    }
}

/// Something is set up again and again as long as this lives.
#[must_use = "whoever drops this does not keep it"]
#[derive(Debug)]
pub struct Kept {
    id: u64,
    news: Sender<News>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = self.news.send(News::Let(self.id));
    }
}

impl fmt::Debug for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("News")
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
    tell: Sender<News>,
    news: Receiver<News>,
    keeps: BTreeMap<u64, Keep>,
}

/// The owner wants no more.
struct Closed;

impl Keeper {
    fn run(mut self) {
        // Whatever ends this: who waits for a session must not wait for ever.
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
                    // What was kept belongs to a session that is no more.
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

    /// Waits for the next try; what is to be kept may change meanwhile. True: no more tries.
    fn rest(&mut self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        loop {
            match self.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(News::Close) | Err(RecvTimeoutError::Disconnected) => return true,
                Ok(news) => self.note(news),
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    fn note(&mut self, news: News) {
        match news {
            News::Keep(id, set_up) => {
                self.keeps.insert(id, Keep { set_up, kept: None });
            }
            News::Let(id) => drop(self.keeps.remove(&id)),
            News::Gone(_) | News::Added | News::Close => {}
        }
    }

    /// Keeps what is to be kept while the session lasts. Some: why it has ended. None: the owner wants no more.
    fn hold(&mut self, session: &Session) -> Option<Gone> {
        // News of a session before this one are not about it.
        while let Ok(news) = self.news.try_recv() {
            if matches!(news, News::Close) {
                return None;
            }
            self.note(news);
        }
        let tell = self.tell.clone();
        session.connection().on_close(move |gone| drop(tell.send(News::Gone(gone.clone()))));
        let tell = self.tell.clone();
        let added =
            session.directory().and_then(|d| d.subscribe("serviceAdded", move |_| drop(tell.send(News::Added))));
        self.put(Some(session.clone()), None);
        let mut tries = 0;
        let mut all = self.set_up(session);
        (self.watch)(&Link::Up);
        let ended = loop {
            let news = if all {
                self.news.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.news.recv_timeout(self.pauses.after(tries))
            };
            match news {
                Ok(News::Gone(gone)) => break Some(gone),
                Ok(News::Close) | Err(RecvTimeoutError::Disconnected) => break None,
                Ok(news) => self.note(news),
                Err(RecvTimeoutError::Timeout) => tries = tries.saturating_add(1),
            }
            all = self.set_up(session);
        };
        drop(added);
        ended
    }

    /// Sets up what is not set up yet. Whether all is.
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
