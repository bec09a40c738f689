//! Who reads a socket: a thread of its own, or whoever waits for an answer.
//!
//! An answer that one thread reads and another waits for costs a hand-over, which is more than all the rest of a call. So once
//! somebody has waited for an answer, the socket's own thread leaves the socket alone for a moment, and the next who waits reads for
//! itself, and does whatever else arrives meanwhile. What nobody waits for is read a moment later.

use crate::connection::ConnectionInner;
use crate::error::Error;
use crate::message::Message;
use crate::pending::Slot;
use crate::pool::lock;
use crate::transport::Incoming;
use std::io::BufReader;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the socket's thread leaves the socket to those who wait. What arrives unasked may come so much later.
const MOMENT: Duration = Duration::from_micros(500);

pub(crate) struct Reading {
    /// Held by who reads.
    pub(crate) socket: Mutex<BufReader<Incoming>>,
    turn: Mutex<Turn>,
    changed: Condvar,
    /// Somebody waited for the answer that was just read.
    waited: AtomicBool,
}

#[derive(Default)]
struct Turn {
    /// The socket's thread leaves the socket alone until then. None: it reads.
    away_until: Option<Instant>,
    /// Somebody else reads.
    taken: bool,
    /// The socket's thread sleeps until it is told.
    asleep: bool,
}

impl Reading {
    pub(crate) fn new(stream: Incoming) -> Reading {
        Reading {
            socket: Mutex::new(BufReader::with_capacity(1 << 16, stream)),
            turn: Mutex::default(),
            changed: Condvar::new(),
            waited: AtomicBool::new(false),
        }
    }

    /// An answer was put where somebody waits for it.
    pub(crate) fn was_waited_for(&self) {
        self.waited.store(true, Ordering::Release);
    }

    /// For the socket's thread: whether to leave the socket alone.
    pub(crate) fn is_time_to_leave(&self) -> bool {
        self.waited.swap(false, Ordering::AcqRel)
    }

    /// For the socket's thread, before it wakes one who sleeps until an answer is there: that one is to find the socket free for its
    /// next call, however soon that comes. Not if other answers are waited for.
    pub(crate) fn leave_early(&self, has_pending: impl Fn() -> bool) {
        let mut turn = lock(&self.turn);
        if !turn.taken && !has_pending() {
            turn.away_until = Some(Instant::now() + MOMENT);
        }
    }

    /// For the socket's thread: leaves the socket alone as long as others read it; not at all if answers are waited for.
    pub(crate) fn stay_away(&self, has_pending: impl Fn() -> bool) {
        let mut turn = lock(&self.turn);
        // Asked for while the turn is held: whoever comes later finds the socket free, and whoever came before is counted.
        if turn.away_until.is_none() {
            if has_pending() {
                return;
            }
            turn.away_until = Some(Instant::now() + MOMENT);
        }
        while let Some(until) = turn.away_until {
            let left = until.saturating_duration_since(Instant::now());
            turn = if !left.is_zero() {
                self.changed.wait_timeout(turn, left).unwrap_or_else(PoisonError::into_inner).0
            } else if turn.taken {
                turn.asleep = true;
                let mut woken = self.changed.wait(turn).unwrap_or_else(PoisonError::into_inner);
                woken.asleep = false;
                woken
            } else {
                turn.away_until = None;
                return;
            };
        }
    }

    /// Has the socket's thread read again, because somebody counts on it.
    pub(crate) fn come_back(&self) {
        let mut turn = lock(&self.turn);
        if !turn.taken && turn.away_until.take().is_some() {
            drop(turn);
            self.changed.notify_all();
        }
    }

    /// Takes the socket, if its thread leaves it alone and nobody else has it.
    fn take(&self) -> bool {
        let mut turn = lock(&self.turn);
        turn.away_until.is_some() && !std::mem::replace(&mut turn.taken, true)
    }

    /// Gives the socket back; its thread reads at once if others wait for something.
    fn give_back(&self, others: impl Fn() -> bool) {
        let mut turn = lock(&self.turn);
        let others = others();
        turn.taken = false;
        turn.away_until = if others { None } else { Some(Instant::now() + MOMENT) };
        let tell = others || turn.asleep;
        drop(turn);
        if tell {
            self.changed.notify_all();
        }
    }
}

impl ConnectionInner {
    /// Waits for an answer, and reads it oneself where that is possible.
    pub(crate) fn wait(self: &std::sync::Arc<Self>, slot: &Slot) -> Result<Message, Error> {
        if !slot.is_done() && self.reading.take() {
            let mut socket = lock(&self.reading.socket);
            while !slot.is_done() {
                if let Err(gone) = self.read_one(&mut socket) {
                    self.close(gone);
                    break;
                }
            }
            drop(socket);
            self.reading.give_back(|| self.has_pending() || self.is_closed());
        }
        slot.wait()
    }
}
