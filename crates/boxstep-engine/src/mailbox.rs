//! The queue into which a real robot's threads put effects for the engine.
//!
//! A real robot's answers and events arrive on threads that read sockets. Such a thread must never wait for the engine,
//! which may be busy for a while and may be waiting for that very thread. So it puts effects into a [`Mailbox`] and
//! calls a waker. The thread that drives the engine wakes, and the engine takes the effects
//! ([`Services::heard`](crate::services::Services::heard)) when it looks for its next work.

use crate::services::{Effect, ServiceCx, Waker};
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of effects from outside, in order of arrival. Clones share the queue.
#[derive(Clone, Default)]
pub struct Mailbox(Arc<Mutex<MailboxState>>);

#[derive(Default)]
struct MailboxState {
    effects: Vec<Effect>,
    waker: Option<Waker>,
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailbox").field("effects", &self.inside().effects.len()).finish_non_exhaustive()
    }
}

impl Mailbox {
    fn inside(&self) -> MutexGuard<'_, MailboxState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues an effect, and wakes the engine if the queue was empty: an engine that was woken before takes everything
    /// when it comes.
    pub fn put(&self, effect: Effect) {
        let mut inside = self.inside();
        let first = inside.effects.is_empty();
        inside.effects.push(effect);
        let waker = inside.waker.clone().filter(|_| first);
        drop(inside);
        if let Some(waker) = waker {
            waker();
        }
    }

    /// Wakes the engine without an effect, because something about the robot itself has changed.
    pub fn wake(&self) {
        let waker = self.inside().waker.clone();
        if let Some(waker) = waker {
            waker();
        }
    }

    /// Sets the waker, and calls it at once if the queue is not empty.
    pub fn set_waker(&self, waker: Waker) {
        let mut inside = self.inside();
        let waiting = !inside.effects.is_empty();
        inside.waker = Some(waker.clone());
        drop(inside);
        if waiting {
            waker();
        }
    }

    /// Takes all effects.
    pub fn take(&self) -> Vec<Effect> {
        mem::take(&mut self.inside().effects)
    }

    /// Passes all effects to the engine.
    pub fn hand_over(&self, cx: &mut ServiceCx<'_>) {
        self.take().into_iter().for_each(|effect| cx.effect(effect));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CallId;
    use boxstep_types::Value;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn answer(call: u32) -> Effect {
        Effect::Complete(CallId(call), Ok(Value::Null))
    }

    #[test]
    fn the_waker_is_called_once_for_all_that_lies_there() {
        let rung = Arc::new(AtomicU32::new(0));
        let (mailbox, count) = (Mailbox::default(), rung.clone());
        mailbox.set_waker(Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        mailbox.put(answer(1));
        mailbox.clone().put(answer(2));
        assert_eq!(rung.load(Ordering::Relaxed), 1);
        assert_eq!(mailbox.take(), [answer(1), answer(2)]);
        mailbox.put(answer(3));
        assert_eq!(rung.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn what_came_before_there_was_a_waker_wakes_at_once() {
        let rung = Arc::new(AtomicU32::new(0));
        let (mailbox, count) = (Mailbox::default(), rung.clone());
        mailbox.put(answer(1));
        mailbox.set_waker(Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        assert_eq!(rung.load(Ordering::Relaxed), 1);
    }
}
