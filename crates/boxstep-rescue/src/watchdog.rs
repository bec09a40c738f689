//! Ends a connection on which the other side says nothing for too long.

use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a connection is doing.
#[derive(Clone, Copy, Debug)]
enum Doing {
    /// Nothing that waits for the other side.
    Nothing,
    /// It waits, since then.
    Waits(Instant),
    /// It is over.
    Over,
    /// It was ended, because the other side said nothing.
    Ended,
}

/// Watches a connection until it is dropped.
#[derive(Debug)]
pub(crate) struct Watchdog(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    doing: Mutex<Doing>,
    changed: Condvar,
}

impl Watched {
    fn lock(&self) -> MutexGuard<'_, Doing> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, next: Doing) {
        let mut doing = self.lock();
        if !matches!(*doing, Doing::Over | Doing::Ended) {
            *doing = next;
            self.changed.notify_one();
        }
    }

    /// Waits until the connection is over, or has waited too long.
    fn watch(&self, most: Duration, end: impl FnOnce()) {
        let mut doing = self.lock();
        loop {
            let left = match *doing {
                Doing::Over | Doing::Ended => return,
                Doing::Nothing => most,
                Doing::Waits(since) => most.saturating_sub(since.elapsed()),
            };
            if left.is_zero() {
                *doing = Doing::Ended;
                drop(doing);
                return end();
            }
            (doing, _) = self.changed.wait_timeout(doing, left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Watchdog {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Watched { doing: Mutex::new(Doing::Nothing), changed: Condvar::new() }))
    }

    /// Begins to watch; `end` is called once if the connection waits for longer than `most`.
    ///
    /// # Errors
    /// Why there is no thread for it.
    pub(crate) fn watch(&self, most: Duration, end: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let here = self.0.clone();
        std::thread::Builder::new().name("ssh: watchdog".to_owned()).spawn(move || here.watch(most, end)).map(drop)
    }

    /// Returns a stream whose waits are watched.
    pub(crate) fn stream<S>(&self, stream: S) -> WatchedStream<S> {
        WatchedStream { stream, watched: self.0.clone() }
    }

    /// Whether the connection was ended because the other side said nothing.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(*self.0.lock(), Doing::Ended)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.set(Doing::Over);
    }
}

/// A stream whose waits are watched.
#[derive(Debug)]
pub(crate) struct WatchedStream<S> {
    stream: S,
    watched: Arc<Watched>,
}

impl<S> WatchedStream<S> {
    fn waits<T>(&mut self, what: impl FnOnce(&mut S) -> T) -> T {
        self.watched.set(Doing::Waits(Instant::now()));
        let done = what(&mut self.stream);
        self.watched.set(Doing::Nothing);
        done
    }
}

impl<S: Read> Read for WatchedStream<S> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.waits(|stream| stream.read(to))
    }
}

impl<S: Write> Write for WatchedStream<S> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.waits(|stream| stream.write(from))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.waits(Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_stream_that_says_nothing_is_ended_and_one_that_is_left_is_not() {
        let (to, ended) = channel();
        let (from, into) = io::pipe().unwrap();
        let other = to.clone();
        let watchdog = Watchdog::new();
        let end = move || {
            other.send("silent").unwrap();
            drop(into);
        };
        watchdog.watch(Duration::from_millis(1), end).unwrap();
        assert!(!watchdog.has_ended());
        // Nobody writes: the end of the pipe is dropped by the watchdog.
        assert_eq!(watchdog.stream(from).read(&mut [0]).unwrap(), 0);
        assert_eq!((ended.recv().unwrap(), watchdog.has_ended()), ("silent", true));

        let (from, mut into) = io::pipe().unwrap();
        let watchdog = Watchdog::new();
        watchdog.watch(Duration::from_secs(600), move || to.send("silent").unwrap()).unwrap();
        let mut stream = watchdog.stream(from);
        into.write_all(b"a").unwrap();
        stream.read_exact(&mut [0]).unwrap();
        drop(watchdog);
        // Its thread has ended without a word.
        assert!(ended.recv().is_err());
    }
}
