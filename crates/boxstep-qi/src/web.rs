//! Whether a port that does not answer in qi belongs to a web server. Robots with NAOqi 1.14 have one there, which may
//! wait for the rest of what it takes for a request, or hang up.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What answers of the web begin with.
const BEGINNINGS: [&[u8; 4]; 7] = [b"HTTP", b"<htm", b"<HTM", b"<!DO", b"<!do", b"<?xm", b"<SOA"];

/// Returns whether an answer that begins like this is one of the web.
pub(crate) fn is_web(first: &[u8; 4]) -> bool {
    BEGINNINGS.contains(&first)
}

/// Asks for a page, and returns the beginning of the answer if it is one.
pub(crate) fn answer(mut stream: TcpStream, within: Duration) -> Option<[u8; 4]> {
    stream.set_read_timeout(Some(within)).ok()?;
    stream.set_write_timeout(Some(within)).ok()?;
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").ok()?;
    let mut first = [0; 4];
    stream.read_exact(&mut first).ok()?;
    is_web(&first).then_some(first)
}
