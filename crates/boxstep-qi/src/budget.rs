//! The memory that all peers of a server, or of a session, may occupy together with received data.

use crate::pool::lock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The bytes that each connection may occupy outside the shared budget, so that a peer with small messages is served
/// however much others send.
pub(crate) const OWN: usize = 1 << 16;

/// The bytes shared by all connections; one IP address gets at most half of them.
pub(crate) struct Budget {
    most: usize,
    state: Mutex<Taken>,
    room: Condvar,
}

#[derive(Default)]
struct Taken {
    all: usize,
    of: HashMap<IpAddr, usize>,
    /// The number of times that bytes were given back.
    given_back: u64,
}

impl Budget {
    pub(crate) fn new(most: usize) -> Arc<Budget> {
        Arc::new(Budget { most, state: Mutex::default(), room: Condvar::new() })
    }

    /// Takes this many bytes. If there is no room, returns the current `given_back` count as an error, for
    /// [`Budget::wait`].
    fn take(&self, peer: IpAddr, bytes: usize) -> Result<(), u64> {
        let mut state = lock(&self.state);
        let of = state.of.get(&peer).copied().unwrap_or_default();
        if state.all + bytes > self.most || of + bytes > self.most / 2 {
            return Err(state.given_back);
        }
        state.all += bytes;
        *state.of.entry(peer).or_default() += bytes;
        Ok(())
    }

    fn give_back(&self, peer: IpAddr, bytes: usize) {
        let mut state = lock(&self.state);
        state.all -= bytes;
        state.given_back += 1;
        if let Some(of) = state.of.get_mut(&peer) {
            *of -= bytes;
            if *of == 0 {
                state.of.remove(&peer);
            }
        }
        drop(state);
        self.room.notify_all();
    }

    /// Waits until more bytes have been given back than at count `seen`. Returns false if `until` passes first.
    fn wait(&self, seen: u64, until: Instant) -> bool {
        let mut state = lock(&self.state);
        while state.given_back == seen {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.room.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

/// The bytes that one connection occupies.
pub(crate) struct Account {
    budget: Arc<Budget>,
    peer: IpAddr,
    held: Mutex<usize>,
}

impl Account {
    pub(crate) fn new(budget: &Arc<Budget>, peer: IpAddr) -> Arc<Account> {
        Arc::new(Account { budget: Arc::clone(budget), peer, held: Mutex::new(0) })
    }

    fn take(&self, bytes: usize) -> Result<(), u64> {
        let mut held = lock(&self.held);
        let shared = (*held + bytes).saturating_sub(OWN) - held.saturating_sub(OWN);
        if shared > 0 {
            self.budget.take(self.peer, shared)?;
        }
        *held += bytes;
        Ok(())
    }
}

/// Received bytes that are in memory. Dropping this gives them back.
pub(crate) struct Held {
    account: Arc<Account>,
    bytes: usize,
}

impl Held {
    /// Holds nothing yet.
    pub(crate) fn nothing(account: &Arc<Account>) -> Held {
        Held { account: Arc::clone(account), bytes: 0 }
    }

    /// Waits up to `patience` until there is room for this many more bytes, takes them, and returns whether there was.
    pub(crate) fn more(&mut self, bytes: usize, patience: Duration) -> bool {
        let mut until = None;
        while let Err(seen) = self.account.take(bytes) {
            let until = *until.get_or_insert_with(|| Instant::now() + patience);
            if !self.account.budget.wait(seen, until) {
                return false;
            }
        }
        self.bytes += bytes;
        true
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = lock(&self.account.held);
        let before = *held;
        *held -= self.bytes;
        let shared = before.saturating_sub(OWN) - held.saturating_sub(OWN);
        if shared > 0 {
            self.account.budget.give_back(self.account.peer, shared);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[test]
    fn one_address_gets_at_most_half_of_the_budget() {
        let budget = Budget::new(4 * OWN);
        let held = |account: &Arc<Account>, bytes| {
            let mut held = Held::nothing(account);
            held.more(bytes, Duration::ZERO).then_some(held)
        };
        let (first, second) = (Account::new(&budget, ip(1)), Account::new(&budget, ip(1)));
        let big = held(&first, 3 * OWN).unwrap();
        assert!(held(&first, 1).is_none(), "half of all, and its own");
        assert!(held(&second, OWN + 1).is_none(), "another connection of the same address");
        let small = held(&second, OWN).unwrap();
        let other = Account::new(&budget, ip(2));
        let others = held(&other, 3 * OWN).unwrap();
        assert!(held(&Account::new(&budget, ip(3)), OWN + 1).is_none(), "there is no more");
        assert!(held(&Account::new(&budget, ip(3)), OWN).is_some(), "but for a little");
        drop((big, small, others));
        let state = lock(&budget.state);
        assert_eq!((state.all, state.of.len()), (0, 0));
    }

    #[test]
    fn a_waiting_thread_continues_when_bytes_are_given_back() {
        let budget = Budget::new(4 * OWN);
        let account = Account::new(&budget, ip(1));
        let mut first = Held::nothing(&account);
        assert!(first.more(3 * OWN, Duration::ZERO));
        let waiting = std::thread::spawn(move || Held::nothing(&account).more(OWN, Duration::from_secs(60)));
        drop(first);
        assert!(waiting.join().unwrap());
    }
}
