//! Reads the lines of a trace from an MCAP file, unchanged. A file that is cut off is read as far as it goes.
//!
//! The records are located here and not by the library's reader, which trusts the lengths in a file and panics on
//! invalid ones. A record is an opcode byte, eight bytes of length, and the data; a chunk contains further records.
//! Only the files that Boxstep writes are supported, whose chunks are not compressed.

use super::{EVENTS, FOOTER, HEADER, LINE};
use ::mcap::MAGIC;
use ::mcap::records::{Record, op};
use std::collections::{HashSet, VecDeque};
use std::io::{self, BufRead, ErrorKind, Read};

/// The maximum length of a record, in bytes: longer ones are from another program, or damaged.
const LONGEST: u64 = 256 << 20;

/// The lines of the trace in an MCAP file.
pub(crate) struct McapLines<R> {
    from: R,
    /// Lines that have been read but not returned.
    lines: VecDeque<Vec<u8>>,
    line: Vec<u8>,
    at: usize,
    /// The channels of events.
    events: HashSet<u16>,
    /// The header of a trace has been found.
    ours: bool,
    begun: bool,
    over: bool,
    failed: Option<io::Error>,
}

impl<R: BufRead> McapLines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self {
            from,
            lines: VecDeque::new(),
            line: Vec::new(),
            at: 0,
            events: HashSet::new(),
            ours: false,
            begun: false,
            over: false,
            failed: None,
        }
    }

    /// Reads the next line, which is empty at the end.
    fn next_line(&mut self) -> io::Result<()> {
        self.line.clear();
        self.at = 0;
        if !std::mem::replace(&mut self.begun, true) {
            self.from.consume(MAGIC.len());
        }
        while self.lines.is_empty() && !self.over {
            // Lines before a damaged record are valid.
            if let Err(error) = self.next_record() {
                (self.over, self.failed) = (true, Some(error));
            }
        }
        if let Some(line) = self.lines.pop_front() {
            self.line = line;
        } else if let Some(error) = self.failed.take() {
            return Err(error);
        } else if !self.ours {
            return Err(io::Error::new(ErrorKind::InvalidData, "an MCAP file, and no recording of Boxstep"));
        }
        Ok(())
    }

    fn next_record(&mut self) -> io::Result<()> {
        let mut head = Vec::with_capacity(9);
        (&mut self.from).take(9).read_to_end(&mut head)?;
        let Some((opcode, length)) = record_head(&head) else {
            self.over = true;
            return Ok(());
        };
        // The records after this one are an index.
        if matches!(opcode, op::DATA_END | op::FOOTER) {
            self.over = true;
            return Ok(());
        }
        if length > LONGEST {
            self.over = true;
            return Err(damaged("a record is too long"));
        }
        // Read as much as there is, whatever the length says.
        let mut data = Vec::new();
        let read = (&mut self.from).take(length).read_to_end(&mut data)? as u64;
        self.over = read < length;
        match opcode {
            op::CHUNK => self.chunk(&data),
            _ if self.over => Ok(()),
            _ => self.record(opcode, &data),
        }
    }

    /// Reads the records of a chunk; if it was cut off, the complete ones.
    fn chunk(&mut self, data: &[u8]) -> io::Result<()> {
        // Before the records: two times, size and checksum, the name of the compression, and the length of the records.
        let number = |at: usize| -> Option<usize> {
            let bytes = data.get(at..at.checked_add(4)?)?;
            usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
        };
        let Some(name) = number(28) else { return Ok(()) };
        if name != 0 {
            self.over = true;
            return Err(damaged("a chunk is compressed, and Boxstep compresses none"));
        }
        let mut rest = data.get(40..).unwrap_or_default();
        while let Some((opcode, length)) = record_head(rest) {
            let end = usize::try_from(length).ok().and_then(|length| length.checked_add(9));
            let Some(record) = end.and_then(|end| rest.get(9..end)) else {
                let cut = std::mem::replace(&mut self.over, true);
                return if cut { Ok(()) } else { Err(damaged("a record is longer than its chunk")) };
            };
            self.record(opcode, record)?;
            rest = rest.get(9 + record.len()..).unwrap_or_default();
        }
        Ok(())
    }

    fn record(&mut self, opcode: u8, data: &[u8]) -> io::Result<()> {
        if !matches!(opcode, op::CHANNEL | op::MESSAGE | op::METADATA) {
            return Ok(());
        }
        match ::mcap::parse_record(opcode, data).map_err(|e| damaged(&e.to_string()))? {
            Record::Channel(channel) if channel.topic == EVENTS => {
                self.events.insert(channel.id);
            }
            Record::Message { header, data } if self.ours && self.events.contains(&header.channel_id) => {
                self.put(&data);
            }
            // A file has only one run.
            Record::Metadata(metadata) if metadata.name == if self.ours { FOOTER } else { HEADER } => {
                if let Some(line) = metadata.metadata.get(LINE) {
                    self.ours = true;
                    self.put(line.as_bytes());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, line: &[u8]) {
        // A line break inside would make two lines of it.
        if !line.contains(&b'\n') {
            self.lines.push_back([line, b"\n"].concat());
        }
    }
}

/// Returns the opcode and length of a record.
fn record_head(bytes: &[u8]) -> Option<(u8, u64)> {
    let length = bytes.get(1..9)?.try_into().ok()?;
    Some((*bytes.first()?, u64::from_le_bytes(length)))
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("the MCAP file is damaged: {why}"))
}

impl<R: BufRead> Read for McapLines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let count = from.len().min(into.len());
        if let (Some(to), Some(from)) = (into.get_mut(..count), from.get(..count)) {
            to.copy_from_slice(from);
        }
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for McapLines<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.line.len() {
            self.next_line()?;
        }
        Ok(self.line.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}
