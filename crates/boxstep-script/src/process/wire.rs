//! A connection to the helper, which carries lines of JSON.

use super::system::Stream;
use serde_json::Value as Json;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};

/// One end of a connection. One thread at a time uses it.
pub(super) struct Wire {
    reader: BufReader<Stream>,
    line: Vec<u8>,
}

/// The longest message in bytes. Scripts may pass large values, but not exhaust the memory.
const LONGEST: u64 = 1 << 30;

impl Wire {
    pub(super) fn new(stream: Stream) -> Self {
        Self { reader: BufReader::new(stream), line: Vec::new() }
    }

    /// Sends a line of JSON.
    ///
    /// # Errors
    /// The helper has ended.
    pub(super) fn send(&mut self, message: String) -> io::Result<()> {
        let mut bytes = message.into_bytes();
        bytes.push(b'\n');
        self.reader.get_mut().write_all(&bytes)
    }

    /// Waits for the next message.
    ///
    /// # Errors
    /// The helper has ended, or has sent something else than a JSON array.
    pub(super) fn receive(&mut self) -> io::Result<Vec<Json>> {
        self.line.clear();
        let read = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut self.line)?;
        if read == 0 || self.line.last() != Some(&b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match serde_json::from_slice(&self.line)? {
            Json::Array(words) => Ok(words),
            other => Err(io::Error::new(io::ErrorKind::InvalidData, format!("no message: {other}"))),
        }
    }
}
