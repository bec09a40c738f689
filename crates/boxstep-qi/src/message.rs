//! Messages: a header of 28 bytes and a payload.

use std::fmt;
use std::io::{self, Read};

/// The first bytes of every message.
pub const MAGIC: [u8; 4] = [0x42, 0xde, 0xad, 0x42];

/// The length of a header in bytes.
pub const HEADER: usize = 28;

/// The default limit of a payload: 64 MiB, enough for a robot's largest images.
pub const MAX_PAYLOAD: u32 = 64 << 20;

/// The limit of a payload before authentication is complete, from a peer of either side: 64 KiB.
pub const MAX_FIRST_PAYLOAD: u32 = 1 << 16;

/// The number of bytes that are allocated for a payload at first.
const STEP: usize = 1 << 16;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A call that expects an answer.
    Call,
    /// The answer to a call.
    Reply,
    /// The answer to a call that failed.
    Error,
    /// A call without an answer; or, if it addresses a signal, an emission of this signal.
    Post,
    /// A signal was emitted.
    Event,
    /// The capabilities of the sender.
    Capability,
    /// A request to cancel a call.
    Cancel,
    /// The answer to a call that was canceled.
    Canceled,
    /// An unknown kind; messages of this kind are ignored.
    Other(u8),
}

impl Kind {
    fn code(self) -> u8 {
        match self {
            Kind::Call => 1,
            Kind::Reply => 2,
            Kind::Error => 3,
            Kind::Post => 4,
            Kind::Event => 5,
            Kind::Capability => 6,
            Kind::Cancel => 7,
            Kind::Canceled => 8,
            Kind::Other(code) => code,
        }
    }

    fn from_code(code: u8) -> Kind {
        match code {
            1 => Kind::Call,
            2 => Kind::Reply,
            3 => Kind::Error,
            4 => Kind::Post,
            5 => Kind::Event,
            6 => Kind::Capability,
            7 => Kind::Cancel,
            8 => Kind::Canceled,
            other => Kind::Other(other),
        }
    }
}

/// Flag: the payload is one dynamic value.
pub const DYNAMIC: u8 = 1;
/// Flag: the signature of the return type that the caller wants follows the arguments.
pub const RETURN_TYPE: u8 = 2;

/// The destination of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Address {
    /// The service: 0 is the socket's other end itself, 1 the service directory.
    pub service: u32,
    /// The object: 1 is the main object of the service.
    pub object: u32,
    /// The number of the method, signal or property.
    pub action: u32,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.service, self.object, self.action)
    }
}

/// The header that precedes a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The number that the caller chose; the answer carries the same one.
    pub id: u32,
    /// The length of the payload in bytes.
    pub size: u32,
    /// The protocol version; always 0 so far.
    pub version: u16,
    /// The kind of the message.
    pub kind: Kind,
    /// A combination of [`DYNAMIC`] and [`RETURN_TYPE`].
    pub flags: u8,
    /// The destination.
    pub address: Address,
}

impl Header {
    /// Encodes the header as it is sent.
    pub fn encode(&self) -> [u8; HEADER] {
        let mut out = [0; HEADER];
        out[0..4].copy_from_slice(&MAGIC);
        out[4..8].copy_from_slice(&self.id.to_le_bytes());
        out[8..12].copy_from_slice(&self.size.to_le_bytes());
        out[12..14].copy_from_slice(&self.version.to_le_bytes());
        out[14] = self.kind.code();
        out[15] = self.flags;
        out[16..20].copy_from_slice(&self.address.service.to_le_bytes());
        out[20..24].copy_from_slice(&self.address.object.to_le_bytes());
        out[24..28].copy_from_slice(&self.address.action.to_le_bytes());
        out
    }

    /// Decodes a received header.
    ///
    /// # Errors
    /// The first four bytes, if they are not [`MAGIC`].
    pub fn decode(bytes: &[u8; HEADER]) -> Result<Header, [u8; 4]> {
        let four = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        if four(0) != MAGIC {
            return Err(four(0));
        }
        Ok(Header {
            id: u32::from_le_bytes(four(4)),
            size: u32::from_le_bytes(four(8)),
            version: u16::from_le_bytes([bytes[12], bytes[13]]),
            kind: Kind::from_code(bytes[14]),
            flags: bytes[15],
            address: Address {
                service: u32::from_le_bytes(four(16)),
                object: u32::from_le_bytes(four(20)),
                action: u32::from_le_bytes(four(24)),
            },
        })
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The header.
    pub header: Header,
    /// The payload; its length is that in the header.
    pub payload: Vec<u8>,
}

/// Why a message could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum FrameError {
    /// The stream ended or broke. Between two messages this is how a peer disconnects.
    Ended {
        /// The number of bytes that had arrived, if the stream ended within a message.
        within: Option<usize>,
    },
    /// These bytes do not begin a message, so the peer does not (or no longer) speak qi.
    NotQi([u8; 4]),
    /// The payload is longer than the limit.
    TooBig {
        /// The announced length in bytes.
        size: u32,
        /// The limit in bytes.
        most: u32,
    },
    /// There is no memory available for the payload.
    NoRoom,
    /// The operating system's error.
    Io(io::Error),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Ended { within: None } => write!(f, "the peer closed the connection"),
            FrameError::Ended { within: Some(at) } => {
                write!(f, "the connection was cut within a message, after {at} bytes of it")
            }
            FrameError::NotQi(first) => {
                write!(f, "the peer does not speak qi: a message begins with \"{}\"", first.escape_ascii())
            }
            FrameError::TooBig { size, most } => {
                write!(f, "the peer announced a message of {size} bytes; {most} are accepted")
            }
            FrameError::NoRoom => write!(f, "there is no room for the message"),
            FrameError::Io(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for FrameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FrameError::Io(e) => Some(e),
            _ => None,
        }
    }
}

/// Reads the next message, whose payload may have `most` bytes. Memory is allocated as bytes arrive, not as they are
/// announced.
///
/// # Errors
/// Why no message could be read.
pub fn read_message(from: &mut impl Read, most: u32) -> Result<Message, FrameError> {
    let header = read_header(from)?;
    read_payload(from, header, most, |_| true)
}

/// Reads the header of the next message.
pub(crate) fn read_header(from: &mut impl Read) -> Result<Header, FrameError> {
    let mut head = [0; HEADER];
    let got = fill(from, &mut head)?;
    // A peer that speaks another protocol may never send 28 bytes.
    if got >= 4 && head[..4] != MAGIC {
        return Err(FrameError::NotQi([head[0], head[1], head[2], head[3]]));
    }
    if got < HEADER {
        return Err(FrameError::Ended { within: (got > 0).then_some(got) });
    }
    Header::decode(&head).map_err(FrameError::NotQi)
}

/// Reads the payload after a header. `room` is called with a number of bytes before these are allocated, and returns
/// whether they may be.
pub(crate) fn read_payload(
    from: &mut impl Read,
    header: Header,
    most: u32,
    mut room: impl FnMut(usize) -> bool,
) -> Result<Message, FrameError> {
    if header.size > most {
        return Err(FrameError::TooBig { size: header.size, most });
    }
    let (size, mut payload) = (header.size as usize, Vec::new());
    while payload.len() < size {
        // Double the buffer each time, so that little is copied.
        let (before, step) = (payload.len(), (size - payload.len()).min(payload.len().max(STEP)));
        if !room(step) {
            return Err(FrameError::NoRoom);
        }
        payload.reserve_exact(step);
        let read = from.take(step as u64).read_to_end(&mut payload);
        read.map_err(|e| broken(e, HEADER + payload.len()))?;
        if payload.len() < before + step {
            return Err(FrameError::Ended { within: Some(HEADER + payload.len()) });
        }
    }
    Ok(Message { header, payload })
}

/// Fills `head`, and stops after four bytes that are not [`MAGIC`]. Returns the number of bytes read.
fn fill(from: &mut impl Read, head: &mut [u8; HEADER]) -> Result<usize, FrameError> {
    let mut got = 0;
    while got < HEADER {
        match from.read(&mut head[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(broken(e, got)),
        }
        if got >= 4 && head[..4] != MAGIC {
            break;
        }
    }
    Ok(got)
}

/// Converts an I/O error; a reset counts as the end of the stream.
pub(crate) fn broken(e: io::Error, within: usize) -> FrameError {
    match e.kind() {
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            FrameError::Ended { within: (within > 0).then_some(within) }
        }
        _ => FrameError::Io(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(size: u32) -> Header {
        let address = Address { service: 2, object: 0x8000_0000, action: 100 };
        Header { id: 7, size, version: 0, kind: Kind::Call, flags: DYNAMIC, address }
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        for code in 0..=255 {
            let header = Header { kind: Kind::from_code(code), ..header(3) };
            let bytes = header.encode();
            assert_eq!(bytes[14], code);
            assert_eq!(Header::decode(&bytes), Ok(header));
        }
    }

    #[test]
    fn an_end_between_messages_differs_from_one_within() {
        let mut bytes = header(2).encode().to_vec();
        bytes.extend([1, 2]);
        for cut in 0..bytes.len() {
            let Err(FrameError::Ended { within }) = read_message(&mut &bytes[..cut], 10) else { panic!("{cut}") };
            assert_eq!(within, (cut > 0).then_some(cut));
        }
        assert_eq!(read_message(&mut &bytes[..], 10).unwrap().payload, [1, 2]);
    }

    #[test]
    fn another_protocol_is_known_by_its_first_bytes() {
        let mut http = &b"HTTP/1.0 400 Bad Request\r\n"[..];
        let error = read_message(&mut http, 10).unwrap_err();
        assert_eq!(error.to_string(), "the peer does not speak qi: a message begins with \"HTTP\"");
    }

    #[test]
    fn huge_sizes_are_refused_and_announced_ones_take_no_memory() {
        let bytes = header(u32::MAX).encode();
        assert!(matches!(read_message(&mut &bytes[..], MAX_PAYLOAD), Err(FrameError::TooBig { size: u32::MAX, .. })));
        // Only memory for arrived bytes is allocated: this message announces four gigabytes.
        assert!(matches!(read_message(&mut &bytes[..], u32::MAX), Err(FrameError::Ended { within: Some(HEADER) })));
    }
}
