//! What takes more than one request, for either host.

use crate::baton::Door;
use boxstep_engine::door::{Answer, BlockedOn, Request, Wake};
use boxstep_types::Time;

/// Lets the calling task sleep for nanoseconds of the run's clock; [`Wake::Failed`] if it may not.
pub fn sleep(door: &dyn Door, ns: i64) -> Wake {
    door.block(Some(ns.max(0)), BlockedOn::Sleep, &mut |_, _| {})
}

/// The time on the engine's clock; what is left of a script that may not have it.
///
/// # Errors
/// [`Wake::Interrupted`] if the run is over, [`Wake::Failed`] if it cannot be told.
pub fn now(door: &dyn Door) -> Result<Time, Wake> {
    loop {
        match door.request(Request::Now) {
            Answer::Time(now) => return Ok(now),
            // The engine says for how long.
            Answer::Yield => {
                if let end @ (Wake::Interrupted | Wake::Failed(_)) = sleep(door, 0) {
                    return Err(end);
                }
            }
            Answer::Error(why) => return Err(Wake::Failed(why)),
            _ => return Err(Wake::Interrupted),
        }
    }
}
