//! The traces of a member's runs, which it hands out.

use super::Member;
use crate::digest::Digest;
use crate::fetch::pieces;
use crate::message::{CHUNK, MOST_RECORDINGS, Recording};
use crate::network::PeerId;
use crate::player::Player;
use crate::store::Store;
use std::io;

impl<P: Player, S: Store> Member<P, S> {
    /// Keeps the traces of runs that have ended.
    pub(super) fn keep_recordings(&mut self) {
        while let Some((performance, bytes)) = self.player.take_recording() {
            let recording = Recording { performance, digest: Digest::of(&bytes), size: bytes.len() as u64 };
            if self.recordings.contains(&recording) || !matches!(self.keep(recording.digest, &bytes), Ok(true)) {
                continue;
            }
            self.recordings.push(recording);
            // Whoever leads collects the traces of a performance at its end, if at all.
            let most = self.recordings.len().saturating_sub(MOST_RECORDINGS);
            for (index, old) in std::mem::take(&mut self.recordings).into_iter().enumerate() {
                if old.performance == performance && index >= most {
                    self.recordings.push(old);
                } else {
                    self.store.remove(old.digest);
                }
            }
        }
    }

    fn keep(&mut self, digest: Digest, bytes: &[u8]) -> io::Result<bool> {
        if self.store.has(digest) {
            return Ok(true);
        }
        self.store.append(digest, bytes)?;
        self.store.complete(digest)
    }

    /// Hands out a trace. The files of shows are the leader's.
    pub(super) fn hand_out(&mut self, to: PeerId, digest: Digest, offset: u64, count: u32) {
        if self.recordings.iter().any(|recording| recording.digest == digest) {
            let read = |offset| self.store.read(digest, offset, CHUNK).ok();
            self.out.extend(pieces(digest, offset, count, read).into_iter().map(|piece| (Some(to), piece)));
        }
    }
}
