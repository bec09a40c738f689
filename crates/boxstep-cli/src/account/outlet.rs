//! Where the lines of the account go: a thread that writes them.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// Takes lines from the engine's thread.
pub(crate) struct Outlet(Channel);

enum Channel {
    /// Real time: taking a line never waits.
    Free(Sender<String>),
    /// Virtual time: the run waits for the terminal, or lines would pile up without end.
    Bounded(SyncSender<String>),
}

const PILE: usize = 256;

impl Outlet {
    /// Hands over whole lines. Lines after a broken pipe go nowhere.
    pub(crate) fn send(&self, lines: String) {
        match &self.0 {
            Channel::Free(sender) => drop(sender.send(lines)),
            Channel::Bounded(sender) => match sender.try_send(lines) {
                Err(TrySendError::Full(lines)) => drop(sender.send(lines)),
                Ok(()) | Err(TrySendError::Disconnected(_)) => {}
            },
        }
    }

    /// Lines kept, for tests.
    #[cfg(test)]
    pub(crate) fn to_memory() -> (Self, Receiver<String>) {
        let (sender, receiver) = channel();
        (Self(Channel::Free(sender)), receiver)
    }

    /// Starts a thread that writes to `out`, and calls `broken` once if that fails.
    pub(crate) fn start(
        mut out: impl Write + Send + 'static,
        bounded: bool,
        broken: impl FnOnce() + Send + 'static,
    ) -> io::Result<(Self, Writer)> {
        let (channel, lines): (Channel, Receiver<String>) = if bounded {
            let (s, r) = sync_channel(PILE);
            (Channel::Bounded(s), r)
        } else {
            let (s, r) = channel();
            (Channel::Free(s), r)
        };
        let error = Arc::new(OnceLock::new());
        let seen = error.clone();
        let thread = std::thread::Builder::new().name("account".to_owned()).spawn(move || {
            if let Err(e) = write_all(&mut out, &lines) {
                // Leaving would drop the receiver; that is fine, nobody else listens.
                let _ = seen.set(e.kind());
                broken();
            }
        })?;
        Ok((Self(channel), Writer { thread, error }))
    }
}

fn write_all(out: &mut impl Write, lines: &Receiver<String>) -> io::Result<()> {
    while let Ok(first) = lines.recv() {
        out.write_all(first.as_bytes())?;
        for more in lines.try_iter() {
            out.write_all(more.as_bytes())?;
        }
        out.flush()?;
    }
    Ok(())
}

/// The thread behind an [`Outlet`].
pub(crate) struct Writer {
    thread: JoinHandle<()>,
    error: Arc<OnceLock<io::ErrorKind>>,
}

impl Writer {
    /// Waits until every line is written. The outlet must be gone by then.
    pub(crate) fn finish(self) -> Result<(), io::ErrorKind> {
        let _ = self.thread.join();
        self.error.get().map_or(Ok(()), |e| Err(*e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_pipe_is_told_once_and_never_blocks() {
        let told = Arc::new(AtomicBool::new(false));
        let t = told.clone();
        let (outlet, writer) = Outlet::start(Broken, true, move || t.store(true, Ordering::SeqCst)).unwrap();
        for _ in 0..3 * PILE {
            outlet.send("line\n".to_owned());
        }
        drop(outlet);
        assert_eq!(writer.finish(), Err(io::ErrorKind::BrokenPipe));
        assert!(told.load(Ordering::SeqCst));
    }
}
