//! What can go wrong, each with words that say what to do.

use crate::decode::DecodeError;
use crate::encode::EncodeError;
use crate::message::FrameError;
use crate::trust::Fingerprint;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Why something with a peer did not work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text is no address of a robot.
    Address {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The host's name is not known.
    Unresolved {
        /// The host.
        host: String,
        /// The operating system's word.
        source: Arc<io::Error>,
    },
    /// The host is there, but nothing listens at the port.
    Refused {
        /// Where.
        address: String,
    },
    /// No connection came to be.
    Unreachable {
        /// Where.
        address: String,
        /// The operating system's word.
        source: Arc<io::Error>,
    },
    /// What answers at the port speaks another protocol.
    NotQi {
        /// Its first bytes.
        first: [u8; 4],
    },
    /// TLS could not begin.
    Tls {
        /// Where.
        address: String,
        /// Why.
        why: String,
    },
    /// The peer showed a certificate that [`Trust`](crate::Trust) does not cover.
    Certificate {
        /// Where.
        address: String,
        /// By which it may be accepted, if it is the robot's.
        fingerprint: Fingerprint,
        /// Why it is not believed.
        why: String,
    },
    /// A certificate, a key or a fingerprint of ours cannot be used.
    Identity {
        /// Why.
        why: String,
    },
    /// The peer wants to know who we are, and does not like what it heard.
    Authentication {
        /// The peer's words.
        reason: String,
    },
    /// No answer came in time.
    Slow {
        /// What was waited for.
        what: String,
        /// How long.
        after: Duration,
    },
    /// The connection has ended.
    Gone(Gone),
    /// The peer answered that the call failed.
    Remote {
        /// The peer's words.
        text: String,
    },
    /// The call was given up, as asked.
    Canceled,
    /// The directory knows no such service, in its own words.
    NoService {
        /// The name.
        name: String,
        /// The peer's words.
        text: String,
    },
    /// The service is there, but none of its endpoints could be reached.
    NoEndpoint {
        /// The name.
        name: String,
        /// Each endpoint and what became of it.
        tried: Vec<String>,
    },
    /// The object has no method, signal or property of this name.
    NoMember {
        /// `method`, `signal` or `property`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// No method of this name takes these arguments.
    Arguments {
        /// The method.
        method: String,
        /// What it would take, one signature for each method of the name.
        takes: Vec<String>,
        /// What is wrong with the arguments for the first of them, if their number is right.
        source: Option<EncodeError>,
    },
    /// What arrived is not of the type it should be.
    Decode {
        /// What it was.
        what: String,
        /// Where and why.
        source: DecodeError,
    },
    /// A value cannot be sent.
    Encode(EncodeError),
    /// The operating system refuses what is needed, such as a thread or a port.
    System(Arc<io::Error>),
}

/// Why a connection has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Gone {
    /// It was closed on this side.
    Here,
    /// The peer closed it, between two messages.
    Closed,
    /// It was cut within a message.
    Cut {
        /// After so many bytes of it.
        within: usize,
    },
    /// The peer sent what is no message.
    NotQi {
        /// What stood where a message should begin.
        first: [u8; 4],
    },
    /// The peer announced a message longer than is accepted.
    TooBig {
        /// Its length in bytes.
        size: u32,
        /// The longest that is accepted.
        most: u32,
    },
    /// The peer takes nothing, and too much waits to be sent to it.
    NotReading,
    /// The peer sends faster than this side gets done, and too much waits.
    Overrun,
    /// The peer did not say who it is in time.
    Silent,
    /// The peer began a message and did not go on with it.
    Stalled,
    /// The peers together hold all memory that there is for what they send.
    NoRoom,
    /// Too many peers are connected that have not said who they are, and this one had been there longest.
    Crowded,
    /// The operating system's word.
    Io(Arc<io::Error>),
}

impl From<FrameError> for Gone {
    fn from(e: FrameError) -> Gone {
        match e {
            FrameError::Ended { within: None } => Gone::Closed,
            FrameError::Ended { within: Some(within) } => Gone::Cut { within },
            FrameError::NotQi(first) => Gone::NotQi { first },
            FrameError::TooBig { size, most } => Gone::TooBig { size, most },
            FrameError::NoRoom => Gone::NoRoom,
            FrameError::Io(e) => Gone::Io(Arc::new(e)),
        }
    }
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gone::Here => write!(f, "the connection was closed on this side"),
            Gone::Closed => write!(f, "the peer closed the connection"),
            Gone::Cut { within } => {
                write!(f, "the connection was cut in the middle of a message, after {within} bytes of it")
            }
            Gone::NotQi { first } => {
                write!(f, "the peer does not speak qi: a message begins with \"{}\"", first.escape_ascii())
            }
            Gone::TooBig { size, most } => {
                write!(f, "the peer announced a message of {size} bytes, and {most} are accepted")
            }
            Gone::NotReading => write!(f, "the peer takes nothing that is sent to it"),
            Gone::Overrun => write!(f, "the peer sends faster than this side gets done"),
            Gone::Silent => write!(f, "the peer did not say who it is in time"),
            Gone::Stalled => write!(f, "the peer began a message and did not go on with it"),
            Gone::NoRoom => write!(f, "there is no room for what the peers send"),
            Gone::Crowded => write!(f, "the peer did not say who it is, and others wanted to"),
            Gone::Io(e) => write!(f, "the connection broke: {e}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Address { text, why } => write!(f, "{text:?} is no address of a robot: {why}"),
            Error::Unresolved { host, source } => write!(f, "the name {host} is not known in this network: {source}"),
            Error::Refused { address } => write!(f, "nothing listens at {address}: connection refused"),
            Error::Unreachable { address, source } => write!(f, "no connection to {address}: {source}"),
            Error::NotQi { first: [0x15, 3, ..] } => {
                write!(f, "what listens there wants TLS, which is tcps:// and not tcp://")
            }
            Error::NotQi { first } => {
                write!(f, "what listens there does not speak qi: its answer begins with \"{}\"", first.escape_ascii())
            }
            Error::Tls { address, why } => write!(f, "TLS with {address} could not begin: {why}"),
            Error::Certificate { address, fingerprint, why } => write!(
                f,
                "{address} showed a certificate that is not accepted: {why}. If it is the robot's own, accept it by its \
                 SHA-256 fingerprint, {fingerprint}"
            ),
            Error::Identity { why } => write!(f, "{why}"),
            Error::Authentication { reason } => write!(f, "the peer refuses who we are: {reason}"),
            Error::Slow { what, after } => write!(f, "no answer to {what} within {} s", after.as_secs_f64()),
            Error::Gone(gone) => write!(f, "{gone}"),
            Error::Remote { text } => write!(f, "{text}"),
            Error::Canceled => write!(f, "the call was canceled"),
            Error::NoService { name, text } => write!(f, "there is no service {name}: {text}"),
            Error::NoEndpoint { name, tried } if tried.is_empty() => {
                write!(f, "the service {name} has no endpoint: only the robot's own programs reach it")
            }
            Error::NoEndpoint { name, tried } => {
                write!(f, "the service {name} cannot be reached: {}", tried.join("; "))
            }
            Error::NoMember { kind, name } => write!(f, "there is no {kind} {name}"),
            Error::Arguments { method, takes, source } => {
                write!(f, "{method} takes {}", takes.join(" or "))?;
                match source {
                    Some(source) => write!(f, ": {source}"),
                    None => Ok(()),
                }
            }
            Error::Decode { what, source } => write!(f, "{what} cannot be read: {source}"),
            Error::Encode(source) => write!(f, "{source}"),
            Error::System(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Unresolved { source, .. } | Error::Unreachable { source, .. } | Error::System(source) => {
                Some(source)
            }
            Error::Decode { source, .. } => Some(source),
            Error::Encode(source) => Some(source),
            _ => None,
        }
    }
}

impl From<Gone> for Error {
    fn from(gone: Gone) -> Error {
        match gone {
            Gone::NotQi { first } => Error::NotQi { first },
            gone => Error::Gone(gone),
        }
    }
}

impl From<EncodeError> for Error {
    fn from(e: EncodeError) -> Error {
        Error::Encode(e)
    }
}

/// What a method, or a property, of an object of ours says when it fails: words for the caller.
pub type Failure = String;
