//! Decides which thread reads a socket: the reader thread, or a thread that waits for an answer.
//!
//! If one thread reads an answer for which another thread waits, a thread switch is needed, which takes longer than all
//! the rest of a call. So once a thread has waited for an answer, the reader thread leaves the socket alone for a
//! moment, and the next thread that waits reads the socket itself, and handles whatever else arrives meanwhile.
//! Messages for which no thread waits are read a moment later.

use crate::connection::ConnectionInner;
use crate::error::Error;
use crate::message::Message;
use crate::pending::Slot;
use crate::pool::lock;
use crate::transport::Incoming;
use std::io::BufReader;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the reader thread leaves the socket to waiting threads. Messages that nobody waits for may be delayed by
/// this much.
const MOMENT: Duration = Duration::from_micros(500);

/// How often a waiting thread looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

pub(crate) struct Reading {
    /// Locked by the thread that reads.
    pub(crate) socket: Mutex<BufReader<Incoming>>,
    turn: Mutex<Turn>,
    changed: Condvar,
    /// A thread waited for the answer that was just read.
    waited: AtomicBool,
}

#[derive(Default)]
struct Turn {
    /// The reader thread leaves the socket alone until then. `None`: it reads.
    away_until: Option<Instant>,
    /// A waiting thread reads.
    taken: bool,
    /// The reader thread sleeps until it is notified.
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

    /// Marks that a thread waited for the answer that was just delivered.
    pub(crate) fn was_waited_for(&self) {
        self.waited.store(true, Ordering::Release);
    }

    /// For the reader thread: returns whether to leave the socket alone.
    pub(crate) fn is_time_to_leave(&self) -> bool {
        self.waited.swap(false, Ordering::AcqRel)
    }

    /// For the reader thread, before it wakes a thread with its answer: that thread shall find the socket free for its
    /// next call, however soon that comes. Does nothing if other answers are expected.
    pub(crate) fn leave_early(&self, has_pending: impl Fn() -> bool) {
        let mut turn = lock(&self.turn);
        if !turn.taken && !has_pending() {
            turn.away_until = Some(Instant::now() + MOMENT);
        }
    }

    /// For the reader thread: leaves the socket alone while other threads read it. Returns at once if answers are
    /// expected.
    pub(crate) fn stay_away(&self, has_pending: impl Fn() -> bool) {
        let mut turn = lock(&self.turn);
        // Pending calls are checked while `turn` is locked: a later caller finds the socket free, and an earlier one is
        // counted.
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

    /// Makes the reader thread read again, because a caller relies on it.
    pub(crate) fn come_back(&self) {
        let mut turn = lock(&self.turn);
        if !turn.taken && turn.away_until.take().is_some() {
            drop(turn);
            self.changed.notify_all();
        }
    }

    /// Takes the socket, if the reader thread leaves it alone and no other thread has it.
    fn take(&self) -> bool {
        let mut turn = lock(&self.turn);
        turn.away_until.is_some() && !std::mem::replace(&mut turn.taken, true)
    }

    /// Gives the socket back. The reader thread resumes at once if other calls wait for answers.
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
    /// Waits for an answer, and reads the socket on this thread where possible.
    pub(crate) fn wait(self: &Arc<Self>, slot: &Slot) -> Result<Message, Error> {
        self.read_until_done(slot, None, &|| false);
        slot.wait()
    }

    /// Like `wait`, but a function is asked now and then whether to stop. Returns `None` if it says so.
    pub(crate) fn wait_unless(
        self: &Arc<Self>,
        slot: &Slot,
        stops: &dyn Fn() -> bool,
    ) -> Option<Result<Message, Error>> {
        // On Windows a read that timed out may have lost data.
        if !cfg!(windows) && self.read_until_done(slot, Some(LOOK), stops) {
            return None;
        }
        if !slot.is_done() {
            self.reading.come_back();
        }
        loop {
            match slot.take(Some(Instant::now() + LOOK)) {
                Some(answer) => return Some(answer),
                None if stops() => return None,
                None => {}
            }
        }
    }

    /// Reads the socket until an answer is there, if this thread may read. Returns whether it was told to stop.
    fn read_until_done(self: &Arc<Self>, slot: &Slot, look: Option<Duration>, stops: &dyn Fn() -> bool) -> bool {
        if slot.is_done() || !self.reading.take() {
            return false;
        }
        let mut stopped = false;
        let mut socket = lock(&self.reading.socket);
        socket.get_mut().look(look);
        while !slot.is_done() && !stopped {
            match self.read_one_unless(&mut socket, stops) {
                Ok(went_on) => stopped = !went_on,
                Err(gone) => {
                    self.close(gone);
                    break;
                }
            }
        }
        socket.get_mut().look(None);
        drop(socket);
        self.reading.give_back(|| self.has_pending() || self.is_closed());
        stopped
    }
}
