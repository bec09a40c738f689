//! The thread that writes the lines of the console, and the queue in front of it.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

/// Takes whole lines from any thread.
#[derive(Clone)]
pub(crate) struct Outlet(Channel);

#[derive(Clone)]
enum Channel {
    /// In real time, queuing a line never blocks.
    Free(Sender<Message>),
    /// In virtual time the run waits for the terminal; otherwise lines would pile up without limit.
    Bounded(SyncSender<Message>),
}

/// A message to the writer thread.
pub(crate) enum Message {
    Lines(String),
    End,
}

const PILE: usize = 256;

impl Outlet {
    /// Queues whole lines. After a broken pipe they are dropped.
    pub(crate) fn send(&self, lines: String) {
        self.post(Message::Lines(lines));
    }

    fn post(&self, message: Message) {
        let _ = match &self.0 {
            Channel::Free(sender) => sender.send(message),
            Channel::Bounded(sender) => sender.send(message),
        };
    }

    /// Creates an outlet that keeps its lines, for tests.
    #[cfg(test)]
    pub(crate) fn to_memory() -> (Self, Receiver<Message>) {
        let (sender, receiver) = channel();
        (Self(Channel::Free(sender)), receiver)
    }

    /// Starts a thread that writes to `out`. It calls `broken` once if writing fails.
    pub(crate) fn start(
        mut out: impl Write + Send + 'static,
        bounded: bool,
        broken: impl FnOnce() + Send + 'static,
    ) -> io::Result<(Self, Writer)> {
        let (channel, messages): (Channel, Receiver<Message>) = if bounded {
            let (s, r) = sync_channel(PILE);
            (Channel::Bounded(s), r)
        } else {
            let (s, r) = channel();
            (Channel::Free(s), r)
        };
        let thread = std::thread::Builder::new().name("account".to_owned()).spawn(move || {
            let written = write_all(&mut out, &messages);
            if written.is_err() {
                broken();
            }
            written
        })?;
        let outlet = Self(channel);
        Ok((outlet.clone(), Writer { outlet, thread }))
    }
}

fn write_all(out: &mut impl Write, messages: &Receiver<Message>) -> io::Result<()> {
    while let Ok(first) = messages.recv() {
        for message in std::iter::once(first).chain(messages.try_iter()) {
            match message {
                Message::Lines(lines) => out.write_all(lines.as_bytes())?,
                Message::End => return out.flush(),
            }
        }
        out.flush()?;
    }
    out.flush()
}

/// The writer thread of an [`Outlet`].
pub(crate) struct Writer {
    outlet: Outlet,
    thread: JoinHandle<io::Result<()>>,
}

impl Writer {
    /// Waits until all lines queued so far are written.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.outlet.post(Message::End);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
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
        assert_eq!(writer.finish().map_err(|e| e.kind()), Err(io::ErrorKind::BrokenPipe));
        assert!(told.load(Ordering::SeqCst));
    }

    #[test]
    fn every_line_is_written_although_somebody_keeps_the_outlet() {
        let path = std::env::temp_dir().join(format!("boxstep-outlet-{}", std::process::id()));
        let (outlet, writer) = Outlet::start(std::fs::File::create(&path).unwrap(), true, || ()).unwrap();
        for i in 0..3 * PILE {
            outlet.send(format!("{i}\n"));
        }
        writer.finish().unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(written.lines().count(), 3 * PILE);
        drop(outlet);
    }
}
