//! Peers that are sent away are told why.

use crate::connection::ConnectionInner;
use crate::error::Gone;
use crate::hosting::{AUTHENTICATION, FAREWELL};
use crate::message::{Address, FrameError, Header, Kind};
use std::io::{ErrorKind, Read as _};
use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A call that nobody made: what is said in answer to it is said to whoever reads.
const NOBODY: Header = Header {
    id: 0,
    size: 0,
    version: 0,
    kind: Kind::Call,
    flags: 0,
    address: Address { service: 0, object: 0, action: 0 },
};

impl ConnectionInner {
    /// Why no message is read from this peer any more; it is told, if that is our doing.
    pub(crate) fn refuse(&self, header: Option<&Header>, error: FrameError) -> Gone {
        let gone = match Gone::from(error) {
            Gone::Io(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => match self.hurry.left() {
                Ok(_) => Gone::Stalled,
                Err(_) => Gone::Silent,
            },
            gone => gone,
        };
        self.dismiss(header, &gone);
        gone
    }

    /// Reads over what a peer still sends that was just told why it is sent away: it might lose the words with it.
    fn linger(&self) {
        let until = Instant::now() + self.options.patience.min(FAREWELL);
        // Another thread may still be writing, and have the words to write after its own.
        self.outbox.drain(until);
        let (mut stream, mut lost) = (&*self.stream, [0; 1 << 13]);
        let _ = stream.shutdown(Shutdown::Write);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
                return;
            }
            match stream.read(&mut lost) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    /// Tells a peer why the connection is about to be closed, if that is our doing: in answer to its call, if that is why.
    pub(crate) fn dismiss(&self, header: Option<&Header>, gone: &Gone) {
        if let (Some(why), Gone::Silent) = (self.hosting.no_room(), gone) {
            self.send_error(&NOBODY, why);
            self.linger();
            return;
        }
        // Whoever has not said a word that can be understood may speak anything.
        let plausible = matches!(gone, Gone::TooBig { size, .. } if *size <= self.options.most_payload);
        let speaks = plausible || self.heard.load(Ordering::Acquire);
        if speaks && matches!(gone, Gone::TooBig { .. } | Gone::NoRoom | Gone::Stalled | Gone::Silent | Gone::Overrun) {
            self.say_why(header, gone);
            self.linger();
        }
    }

    fn say_why(&self, header: Option<&Header>, gone: &Gone) {
        let header = header.filter(|header| header.kind == Kind::Call).unwrap_or(&NOBODY);
        let failed = if header.address == AUTHENTICATION { "Authentication failed: " } else { "" };
        self.send_error(header, &format!("{failed}the connection is closed: {gone}"));
    }

    /// The peer has said who it is, or has accepted us: from now on it may send as much as others.
    pub(crate) fn is_known_now(&self) {
        self.known.store(true, Ordering::Release);
        self.hurry.is_over();
    }

    pub(crate) fn is_known(&self) -> bool {
        self.known.load(Ordering::Acquire)
    }

    /// Makes room for others.
    pub(crate) fn leave_room(&self) {
        match self.hosting.no_room() {
            Some(why) => self.send_error(&NOBODY, why),
            None => self.say_why(None, &Gone::Crowded),
        }
        self.close(Gone::Crowded);
    }
}
