//! What takes more than one request, for either host.

use crate::scheduler::EngineHandle;
use boxstep_engine::protocol::{Answer, BlockedOn, Request, Wake};
use boxstep_types::Time;

/// Lets the calling task sleep for nanoseconds of the run's clock; [`Wake::Failed`] if it may not.
pub fn sleep(bridge: &dyn EngineHandle, ns: i64) -> Wake {
    bridge.block(Some(ns.max(0)), BlockedOn::Sleep, &mut |_, _| {})
}

/// The time on the engine's clock; what is left of a script that may not have it.
///
/// # Errors
/// [`Wake::Interrupted`] if the run is over, [`Wake::Failed`] if it cannot be told.
pub fn now(bridge: &dyn EngineHandle) -> Result<Time, Wake> {
    loop {
        match bridge.request(Request::Now) {
            Answer::Time(now) => return Ok(now),
            // The engine says for how long.
            Answer::Yield => {
                if let end @ (Wake::Interrupted | Wake::Failed(_)) = sleep(bridge, 0) {
                    return Err(end);
                }
            }
            Answer::Error(why) => return Err(Wake::Failed(why)),
            _ => return Err(Wake::Interrupted),
        }
    }
}
