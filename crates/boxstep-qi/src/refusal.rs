//! Peers that are disconnected are told the reason.

use crate::connection::ConnectionInner;
use crate::error::Gone;
use crate::hosting::{AUTHENTICATION, REFUSED_CLIENT_TIMEOUT};
use crate::message::{Address, FrameError, Header, Kind};
use std::io::{ErrorKind, Read as _};
use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The header of a call that nobody made. An error in answer to it tells the reason to any peer that reads.
const UNSOLICITED: Header = Header {
    id: 0,
    size: 0,
    version: 0,
    kind: Kind::Call,
    flags: 0,
    address: Address { service: 0, object: 0, action: 0 },
};

impl ConnectionInner {
    /// Converts a read error to the reason for closing the connection, and sends the reason to the peer if this side
    /// closes.
    pub(crate) fn refuse(&self, header: Option<&Header>, error: FrameError) -> Gone {
        let gone = match Gone::from(error) {
            Gone::Io(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                match self.deadline.left() {
                    Ok(_) => Gone::Stalled,
                    Err(_) => Gone::Silent,
                }
            }
            gone => gone,
        };
        self.send_close_reason(header, &gone);
        gone
    }

    /// Reads and discards what a peer still sends after it was sent the reason; closing at once might reset the
    /// connection and lose the message.
    fn linger(&self) {
        let until = Instant::now() + self.options.patience.min(REFUSED_CLIENT_TIMEOUT);
        // Another thread may still be writing, with the message queued behind.
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

    /// Tells a peer why this side is about to close the connection, as the answer to its call if that is the reason.
    pub(crate) fn send_close_reason(&self, header: Option<&Header>, gone: &Gone) {
        if let (Some(why), Gone::Silent) = (self.hosting.no_room(), gone) {
            self.send_error(&UNSOLICITED, why);
            self.linger();
            return;
        }
        // A peer that has not sent a valid message yet may speak another protocol.
        let plausible = matches!(gone, Gone::TooBig { size, .. } if *size <= self.options.most_payload);
        let speaks = plausible || self.heard.load(Ordering::Acquire);
        if speaks && matches!(gone, Gone::TooBig { .. } | Gone::NoRoom | Gone::Stalled | Gone::Silent | Gone::Overrun) {
            self.send_reason(header, gone);
            self.linger();
        }
    }

    fn send_reason(&self, header: Option<&Header>, gone: &Gone) {
        let header = header.filter(|header| header.kind == Kind::Call).unwrap_or(&UNSOLICITED);
        let failed = if header.address == AUTHENTICATION { "Authentication failed: " } else { "" };
        self.send_error(header, &format!("{failed}the connection is closed: {gone}"));
    }

    /// Marks that the peer has authenticated, or has accepted us: from now on the normal limits apply.
    pub(crate) fn is_known_now(&self) {
        self.known.store(true, Ordering::Release);
        self.deadline.lift();
    }

    pub(crate) fn is_known(&self) -> bool {
        self.known.load(Ordering::Acquire)
    }

    /// Disconnects to make room for others.
    pub(crate) fn leave_room(&self) {
        match self.hosting.no_room() {
            Some(why) => self.send_error(&UNSOLICITED, why),
            None => self.send_reason(None, &Gone::Crowded),
        }
        self.close(Gone::Crowded);
    }
}
