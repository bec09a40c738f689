//! Errors, each with a message that helps to correct its cause.

use crate::decode::DecodeError;
use crate::encode::EncodeError;
use crate::message::FrameError;
use crate::trust::Fingerprint;
use crate::web;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Why an operation with a peer failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a robot's address.
    Address {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The host name cannot be resolved.
    Unresolved {
        /// The host.
        host: String,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
    /// The host exists, but nothing listens at the port.
    Refused {
        /// The address.
        address: String,
    },
    /// The connection could not be established.
    Unreachable {
        /// The address.
        address: String,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
    /// The program that answers at the port speaks another protocol.
    NotQi {
        /// The first four bytes of its answer.
        first: [u8; 4],
    },
    /// The TLS handshake failed.
    Tls {
        /// The address.
        address: String,
        /// The reason.
        why: String,
    },
    /// The peer showed a certificate that [`Trust`](crate::Trust) does not cover.
    Certificate {
        /// The address.
        address: String,
        /// The fingerprint with which the certificate can be accepted, if it is the robot's.
        fingerprint: Fingerprint,
        /// Why the certificate is not trusted.
        why: String,
    },
    /// A local certificate, key or fingerprint is not usable.
    Identity {
        /// The reason.
        why: String,
    },
    /// The peer requires authentication and refused the credentials.
    Authentication {
        /// The peer's message.
        reason: String,
    },
    /// No answer arrived in time.
    Slow {
        /// The request that was waiting for an answer.
        what: String,
        /// The time after which it gave up.
        after: Duration,
    },
    /// The connection has ended.
    Gone(Gone),
    /// The peer answered that the call failed.
    Remote {
        /// The peer's message.
        text: String,
    },
    /// The call was canceled at the caller's request.
    Canceled,
    /// The service directory has no such service.
    NoService {
        /// The name of the service.
        name: String,
        /// The peer's message.
        text: String,
    },
    /// The service exists, but none of its endpoints is reachable.
    NoEndpoint {
        /// The name of the service.
        name: String,
        /// Each endpoint that was tried, and why it failed.
        tried: Vec<String>,
    },
    /// The object has no method, signal or property of this name.
    NoMember {
        /// `method`, `signal` or `property`.
        kind: &'static str,
        /// The name of the member.
        name: String,
    },
    /// No method of this name takes these arguments.
    Arguments {
        /// The name of the method.
        method: String,
        /// The parameters accepted, one signature per method of this name.
        takes: Vec<String>,
        /// Why the arguments do not fit the first of these signatures, if their number is right.
        source: Option<EncodeError>,
    },
    /// Received data is not of the expected type.
    Decode {
        /// What was being read.
        what: String,
        /// The position and the reason.
        source: DecodeError,
    },
    /// A value cannot be sent.
    Encode(EncodeError),
    /// The operating system refuses a resource, such as a thread or a port.
    System(Arc<io::Error>),
}

/// Why a connection has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Gone {
    /// It was closed on this side.
    Here,
    /// The peer closed it between two messages.
    Closed,
    /// It ended within a message.
    Cut {
        /// The number of bytes of the message that had arrived.
        within: usize,
    },
    /// The peer sent something that is not a qi message.
    NotQi {
        /// The four bytes found where a message should begin.
        first: [u8; 4],
    },
    /// The peer announced a message longer than the limit.
    TooBig {
        /// Its length in bytes.
        size: u32,
        /// The limit in bytes.
        most: u32,
    },
    /// The peer does not read, and too many bytes are queued for it.
    NotReading,
    /// The peer sends faster than this side handles its messages, and too much is queued.
    Overrun,
    /// The peer did not authenticate in time.
    Silent,
    /// The peer began a message and did not complete it.
    Stalled,
    /// The peers together occupy all the memory allowed for received data.
    NoRoom,
    /// Too many unauthenticated peers are connected, and this one had been connected longest.
    Crowded,
    /// The operating system's error.
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
            Gone::NotReading => write!(f, "the peer does not read what is sent to it"),
            Gone::Overrun => write!(f, "the peer sends faster than its messages are handled"),
            Gone::Silent => write!(f, "the peer did not authenticate in time"),
            Gone::Stalled => write!(f, "the peer began a message and did not complete it"),
            Gone::NoRoom => write!(f, "there is no memory left for what the peers send"),
            Gone::Crowded => write!(f, "the peer did not authenticate, and its place was needed for others"),
            Gone::Io(e) => write!(f, "the connection broke: {e}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Address { text, why } => write!(f, "{text:?} is not the address of a robot: {why}"),
            Error::Unresolved { host, source } => write!(f, "the name {host} is not known in this network: {source}"),
            Error::Refused { address } => write!(f, "nothing listens at {address}: connection refused"),
            Error::Unreachable { address, source } => write!(f, "no connection to {address}: {source}"),
            Error::NotQi { first: [0x15, 3, ..] } => {
                write!(f, "the server requires TLS: use tcps:// instead of tcp://")
            }
            Error::NotQi { first } => {
                write!(f, "the server does not speak qi: its answer begins with \"{}\"", first.escape_ascii())?;
                match self.is_web() {
                    true => write!(f, ", as of a web server, or of a robot with NAOqi 1.14, which is too old"),
                    false => Ok(()),
                }
            }
            Error::Tls { address, why } => write!(f, "the TLS handshake with {address} failed: {why}"),
            Error::Certificate { address, fingerprint, why } => write!(
                f,
                "{address} showed a certificate that is not accepted: {why}. If it is the robot's own, accept it by its \
                 SHA-256 fingerprint, {fingerprint}"
            ),
            Error::Identity { why } => write!(f, "{why}"),
            Error::Authentication { reason } => write!(f, "the peer rejects the credentials: {reason}"),
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

impl Error {
    /// Returns whether a web server answered, which is what robots have whose NAOqi is older than qi (1.14).
    pub fn is_web(&self) -> bool {
        matches!(self, Error::NotQi { first } if web::is_web(first))
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

/// The message with which a local method or property setter fails; it is sent to the caller.
pub type Failure = String;
