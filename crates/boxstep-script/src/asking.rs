//! Operations that take more than one request to the engine, shared by both script hosts.

use crate::scheduler::EngineHandle;
use boxstep_engine::protocol::{Answer, BlockedOn, Request, Wake};
use boxstep_types::Time;

/// Lets the calling task sleep for `ns` nanoseconds on the run's clock. Returns [`Wake::Failed`] if the task may not
/// sleep.
pub fn sleep(bridge: &dyn EngineHandle, ns: i64) -> Wake {
    bridge.block(Some(ns.max(0)), BlockedOn::Sleep, &mut |_, _| {})
}

/// Returns the time on the engine's clock.
///
/// # Errors
/// [`Wake::Interrupted`] if the run is over, [`Wake::Failed`] if the time is not available.
pub fn now(bridge: &dyn EngineHandle) -> Result<Time, Wake> {
    loop {
        match bridge.request(Request::Now) {
            Answer::Time(now) => return Ok(now),
            // The task polls the clock: it has to sleep, and the engine decides for how long.
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
