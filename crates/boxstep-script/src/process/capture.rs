//! Captures the helper's standard streams: output that bypasses Python's `print`, from C code and from programs that
//! scripts start.

use super::system::Output;
use boxstep_engine::ObjectId;
use boxstep_engine::protocol::{Caller, Request};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Sends the engine a request that belongs to no task.
pub(super) type Outlet = Box<dyn Fn(Request) + Send + Sync>;

/// Captures both streams. They are read at once, so that no writer blocks, but reported only while the helper waits
/// for a reply: all that it has written before has arrived by then, and in virtual time every trace has it in the same
/// place.
pub(super) struct Capture(Mutex<[Stream; 2]>);

struct Stream {
    pipe: Option<Arc<Output>>,
    pending: Vec<u8>,
}

/// The length at which a line without end is cut, in bytes.
const LONGEST: usize = 1 << 16;

impl Capture {
    /// Takes the helper's standard output and standard error.
    pub(super) fn new(outputs: [Output; 2]) -> Self {
        Self(Mutex::new(outputs.map(|pipe| Stream { pipe: Some(Arc::new(pipe)), pending: Vec::new() })))
    }

    fn streams(&self) -> MutexGuard<'_, [Stream; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads until both streams have ended.
    pub(super) fn pump(&self) {
        loop {
            let pipes: Vec<_> = self.streams().iter().filter_map(|s| s.pipe.clone()).collect();
            if pipes.is_empty() {
                return;
            }
            Output::wait(pipes.iter().map(|pipe| &**pipe));
            self.streams().iter_mut().for_each(Stream::read);
        }
    }

    /// Reports the complete lines; at the end (`is_end`) also incomplete ones. `object` wrote them, if that is known.
    pub(super) fn report(&self, outlet: &dyn Fn(Request), object: Option<ObjectId>, is_end: bool) {
        let mut streams = self.streams();
        for (stream, error) in streams.iter_mut().zip([false, true]) {
            for line in stream.lines(is_end) {
                outlet(Request::Print { from: Caller { object, line: 0 }, text: line.into(), error });
            }
        }
    }

    /// Takes all output as text, for callers without an engine to report to.
    pub(super) fn take(&self) -> String {
        self.streams().iter_mut().flat_map(|stream| stream.lines(true)).collect::<Vec<_>>().join("\n")
    }
}

impl Stream {
    fn read(&mut self) {
        let mut part = [0; 4096];
        while let Some(pipe) = &self.pipe {
            match pipe.read(&mut part) {
                Ok(0) => self.pipe = None,
                Ok(n) => self.pending.extend_from_slice(part.get(..n).unwrap_or_default()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn lines(&mut self, is_end: bool) -> Vec<String> {
        self.read();
        let end = match self.pending.iter().rposition(|b| *b == b'\n') {
            _ if is_end || self.pending.len() > LONGEST => self.pending.len(),
            Some(last) => last + 1,
            None => return Vec::new(),
        };
        let rest = self.pending.split_off(end);
        let whole = std::mem::replace(&mut self.pending, rest);
        String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()
    }
}
