//! What only the files of a robot tell of its health: how full its disk is, and its clock.

use crate::ssh_access::Reached;
use boxstep_rescue::disk::{DiskError, DiskPath, WritableDisk as _};
use boxstep_rescue::ssh::{SshDisk, Stopper};
use boxstep_robot::naoqi::ask::{Job, together};
use boxstep_robot::naoqi::health::{Disk, Seen};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long that may take, also if a person types a password.
const WITHIN: Duration = Duration::from_secs(60);

/// The folder on whose disk people's files are.
const HOME: &[u8] = b"/home";

/// What the files tell, as far as they can.
struct Told {
    disk: Option<Disk>,
    /// How far the robot's clock is ahead, in seconds.
    clock: Option<i64>,
}

/// Asks the files of a robot.
pub(crate) fn ask(reached: &Reached, seen: &mut Seen) {
    let access = reached.access().clone();
    let begun: Arc<Mutex<Option<Stopper>>> = Arc::default();
    let stopper = begun.clone();
    let job: Job<Result<Told, DiskError>> = Box::new(move || {
        let begun = |stop| *stopper.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
        let mut disk = SshDisk::connect(&access, begun)?;
        let space = optional(disk.space(&DiskPath::new(HOME)))?;
        let clock = optional(disk.clock())?.map(|clock| clock - now());
        Ok(Told { disk: space.map(|space| Disk { size: space.size, free: space.free }), clock })
    });
    match together(vec![job], WITHIN).into_iter().flatten().next() {
        Some(Ok(Told { disk, clock })) => {
            seen.disk = disk.or(seen.disk);
            seen.clock = clock;
            seen.files = Some("the robot does not tell it".to_owned());
        }
        Some(Err(why)) => seen.files = Some(why.to_string()),
        None => {
            seen.files = Some(format!("no answer within {} s", WITHIN.as_secs()));
            if let Some(stop) = begun.lock().unwrap_or_else(PoisonError::into_inner).take() {
                stop.stop();
            }
        }
    }
}

/// Returns nothing for what the robot cannot tell.
fn optional<T>(told: Result<T, DiskError>) -> Result<Option<T>, DiskError> {
    match told {
        Ok(told) => Ok(Some(told)),
        Err(DiskError::Missing | DiskError::Refused(_) | DiskError::Denied(_)) => Ok(None),
        Err(lost) => Err(lost),
    }
}

/// Returns this computer's time in seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or_default()
}
