//! Every order in which two threads can meet at a mailbox:
//! `RUSTFLAGS="--cfg loom" cargo test --release -p boxstep-script --test mailbox`
#![cfg(loom)]

mod primitives {
    pub(super) use loom::hint::spin_loop;
    pub(super) use loom::sync::atomic::{AtomicBool, Ordering};
    pub(super) use loom::sync::{Mutex, MutexGuard};
    pub(super) use loom::thread::{Thread, current, park};

    pub(super) const SPIN: u32 = 1;

    pub(super) fn cores() -> usize {
        2
    }

    pub(super) fn park_timeout(_: std::time::Duration) {
        loom::thread::yield_now();
    }
}

#[path = "../src/scheduler/sync.rs"]
#[allow(dead_code)]
mod sync;

use loom::sync::Arc;
use loom::thread;
use sync::Mailbox;

#[test]
fn no_mail_is_lost() {
    loom::model(|| {
        let mailbox = Arc::new(Mailbox::new());
        let sender = mailbox.clone();
        let other = thread::spawn(move || sender.post(7));
        assert_eq!(mailbox.wait(), 7);
        other.join().unwrap();
    });
}

/// A thread that gets the turn sees the effects of the thread that had it before: these counts are relaxed, and the
/// checker would find a stale one.
#[test]
fn effects_of_a_turn_are_visible_in_the_next() {
    use loom::sync::atomic::{AtomicUsize, Ordering};
    loom::model(|| {
        let done = Arc::new(AtomicUsize::new(0));
        let mail: Arc<[Mailbox<()>; 2]> = Arc::new([Mailbox::new(), Mailbox::new()]);
        let (theirs, their_mail) = (done.clone(), mail.clone());
        let add = |count: &AtomicUsize| count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        let other = thread::spawn(move || {
            their_mail[1].wait();
            add(&theirs);
            their_mail[0].post(());
        });
        add(&done);
        mail[1].post(());
        mail[0].wait();
        assert_eq!(done.load(Ordering::Relaxed), 2);
        other.join().unwrap();
    });
}

/// A second message is delivered after the first one has been taken.
#[test]
fn a_second_message_arrives_after_the_first() {
    loom::model(|| {
        let mailbox = Arc::new(Mailbox::new());
        let back = Arc::new(Mailbox::new());
        let (sender, heard) = (mailbox.clone(), back.clone());
        let other = thread::spawn(move || {
            sender.post(1);
            heard.wait();
            sender.post(2);
        });
        assert_eq!(mailbox.wait(), 1);
        back.post(());
        assert_eq!(mailbox.wait(), 2);
        other.join().unwrap();
    });
}
