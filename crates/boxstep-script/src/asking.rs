//! What takes more than one request, for either host.

use crate::baton::Door;
use boxstep_engine::door::{Answer, BlockedOn, Request, Wake};
use boxstep_types::Time;
use std::sync::atomic::{AtomicU64, Ordering};

/// In virtual time every so many sleeps of no length count as a millisecond: a script that waits for another one by
/// `sleep(0)` must see the clock move.
const ZERO_SLEEPS: u64 = 1_000;
const POLL: i64 = 1_000_000;

/// Lets the calling task sleep for nanoseconds of the run's clock.
pub fn sleep(door: &dyn Door, ns: i64) -> Wake {
    static ZEROS: AtomicU64 = AtomicU64::new(0);
    let zero = ns <= 0 && door.is_virtual();
    let counts = zero && (ZEROS.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(ZERO_SLEEPS);
    door.block(Some(if counts { POLL } else { ns.max(0) }), BlockedOn::Sleep, &mut |_, _| {})
}

/// The time on the engine's clock; `None` if the run is over.
pub fn now(door: &dyn Door) -> Option<Time> {
    loop {
        match door.request(Request::Now) {
            Answer::Time(now) => return Some(now),
            Answer::Yield if sleep(door, POLL) != Wake::Interrupted => {}
            _ => return None,
        }
    }
}
