//! A limited number of connections ("seats"). A connection that has not shown the token yet is a *stranger*. Strangers
//! have few seats, and older strangers make room for new ones: all accounts of a computer have the same address, so
//! nothing else distinguishes a page that is being opened from an attempt to block the server.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// The seats of a server.
pub(crate) struct Seats {
    /// The maximum number of connections.
    most: usize,
    /// The maximum number of strangers.
    strangers: usize,
    taken: Mutex<Taken>,
    /// The number of connections.
    count: watch::Sender<usize>,
}

#[derive(Default)]
struct Taken {
    begun: u64,
    /// In the order of their arrival.
    all: Vec<Arc<Owner>>,
}

/// The connection that has a seat.
struct Owner {
    id: u64,
    from: IpAddr,
    known: AtomicBool,
    /// Whether it has been told to close.
    leaves: AtomicBool,
    asked: Notify,
}

impl Owner {
    fn is_stranger(&self) -> bool {
        !self.known.load(Ordering::Relaxed)
    }
}

/// The seat of a connection, which is free again when this is dropped.
pub(crate) struct Seat {
    owner: Arc<Owner>,
    seats: Arc<Seats>,
}

impl Seats {
    pub(crate) fn new(most: u32) -> Arc<Self> {
        let most = most as usize;
        let strangers = (most / 4).max(1);
        Arc::new(Self { most, strangers, taken: Mutex::default(), count: watch::Sender::new(0) })
    }

    /// Takes a seat for a connection from an address; a stranger may have to close for it. `None` if all connections
    /// have shown the token.
    pub(crate) fn take(self: &Arc<Self>, from: IpAddr) -> Option<Seat> {
        let mut taken = self.taken();
        let there = || taken.all.iter().filter(|owner| !owner.leaves.load(Ordering::Relaxed));
        let strangers = || there().filter(|owner| owner.is_stranger());
        if there().count() >= self.most || strangers().count() >= self.strangers {
            // A regular client shows the token at once, so the oldest stranger closes, of the address that has most of
            // them.
            let same = |one: &Arc<Owner>| strangers().filter(|other| other.from == one.from).count();
            strangers().rev().max_by_key(|one| same(one))?.leave();
        }
        taken.begun += 1;
        let owner = Arc::new(Owner {
            id: taken.begun,
            from,
            known: AtomicBool::new(false),
            leaves: AtomicBool::new(false),
            asked: Notify::new(),
        });
        taken.all.push(owner.clone());
        self.count.send_replace(taken.all.len());
        drop(taken);
        Some(Seat { owner, seats: self.clone() })
    }

    /// Waits until all seats are free.
    pub(crate) async fn are_free(&self) {
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Owner {
    fn leave(&self) {
        self.leaves.store(true, Ordering::Relaxed);
        self.asked.notify_one();
    }
}

impl Seat {
    /// Marks the connection as authenticated. It keeps its seat, even if it has been told to close in the meantime.
    pub(crate) fn is_known(&self) {
        let _taken = self.seats.taken();
        self.owner.known.store(true, Ordering::Relaxed);
        self.owner.leaves.store(false, Ordering::Relaxed);
    }

    /// Waits until the connection has to close.
    pub(crate) async fn must_go(&self) {
        while !self.owner.leaves.load(Ordering::Relaxed) {
            self.owner.asked.notified().await;
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        taken.all.retain(|owner| owner.id != self.owner.id);
        self.seats.count.send_replace(taken.all.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    fn leaves(seat: &Seat) -> bool {
        seat.owner.leaves.load(Ordering::Relaxed)
    }

    #[test]
    fn strangers_make_room_and_authenticated_connections_stay() {
        let seats = Seats::new(8);
        let known: Vec<Seat> = (0..6).map(|_| seats.take(from(1)).unwrap()).inspect(Seat::is_known).collect();
        let strangers: Vec<Seat> = (0..5).map(|_| seats.take(from(1)).unwrap()).collect();
        // At most two of eight may be strangers: the last two.
        assert_eq!(strangers.iter().map(leaves).collect::<Vec<_>>(), [true, true, true, false, false]);
        assert!(!known.iter().any(leaves));
        // A stranger that shows the token in time stays.
        strangers[3].is_known();
        drop(seats.take(from(1)).unwrap());
        assert!(!leaves(&strangers[3]) && leaves(&strangers[4]));
        drop(strangers);
        let last: Vec<Seat> = (0..2).map(|_| seats.take(from(1)).unwrap()).inspect(Seat::is_known).collect();
        assert!(seats.take(from(1)).is_none(), "all of them have shown the token");
        drop((known, last));
        assert_eq!(*seats.count.borrow(), 0);
    }

    #[test]
    fn the_address_that_has_most_strangers_gives_one_up() {
        let seats = Seats::new(16);
        let other = seats.take(from(2)).unwrap();
        let many: Vec<Seat> = (0..9).map(|_| seats.take(from(1)).unwrap()).collect();
        assert!(!leaves(&other));
        assert_eq!(many.iter().filter(|seat| !leaves(seat)).count(), 3);
        assert!(!leaves(&many[8]));
    }
}
