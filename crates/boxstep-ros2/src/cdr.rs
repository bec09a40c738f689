//! Messages as bytes: the Common Data Representation (CDR) of the OMG, as ROS 2 puts it into DDS samples and recordings.
//!
//! Four bytes say how the rest is encoded (here always plain CDR, little-endian). In the rest, numbers are aligned to
//! their own size, counted from its beginning; a text is its length with a final NUL, its bytes and the NUL; a list is
//! its length and its elements; the fields of a structure follow each other.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// The first bytes of a message in plain CDR, little-endian.
pub const HEADER: [u8; 4] = [0, 1, 0, 0];

/// Why a message cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CdrError {
    /// It cannot be written: the reason.
    Unwritable(String),
    /// The first four bytes do not say plain CDR in one of the two byte orders.
    Encoding(Vec<u8>),
    /// The bytes are no message of this type: the reason.
    Unreadable(String),
}

impl fmt::Display for CdrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CdrError::Unwritable(why) => write!(f, "the message cannot be written: {why}"),
            CdrError::Encoding(bytes) => write!(f, "a message begins with {bytes:?}, which is not plain CDR"),
            CdrError::Unreadable(why) => write!(f, "the message cannot be read: {why}"),
        }
    }
}

impl std::error::Error for CdrError {}

/// Returns the bytes of a message, with the header.
///
/// ```
/// use boxstep_ros2::cdr;
/// use boxstep_ros2::messages::std_msgs::Text;
///
/// let bytes = cdr::encode(&Text { data: "hi".to_owned() })?;
/// assert_eq!(bytes, [0, 1, 0, 0, 3, 0, 0, 0, b'h', b'i', 0]);
/// assert_eq!(cdr::decode::<Text>(&bytes)?.data, "hi");
/// # Ok::<(), cdr::CdrError>(())
/// ```
///
/// # Errors
/// The message has a text or a list of more than 4 GB.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, CdrError> {
    let mut bytes = HEADER.to_vec();
    let body = cdr_encoding::to_vec::<_, byteorder::LittleEndian>(message);
    bytes.extend(body.map_err(|why| CdrError::Unwritable(why.to_string()))?);
    Ok(bytes)
}

/// Reads a message, in either byte order. Bytes after it are ignored, because senders may pad it.
///
/// # Errors
/// [`CdrError::Encoding`], [`CdrError::Unreadable`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CdrError> {
    let (header, body) = bytes.split_at_checked(HEADER.len()).ok_or_else(|| CdrError::Encoding(bytes.to_vec()))?;
    let read = match header {
        [0, 0, ..] => cdr_encoding::from_bytes::<T, byteorder::BigEndian>(body),
        [0, 1, ..] => cdr_encoding::from_bytes::<T, byteorder::LittleEndian>(body),
        _ => return Err(CdrError::Encoding(header.to_vec())),
    };
    read.map(|(message, _)| message).map_err(|why| CdrError::Unreadable(why.to_string()))
}
