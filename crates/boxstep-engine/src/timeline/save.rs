//! A timeline's cursor, written down and taken up again. Curves are the file's.

use super::Timeline;
use boxstep_types::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What of a timeline changes. The motion is not in it: while one is under way nothing is written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Cursor {
    fps: i32,
    initial_fps: i32,
    frame: i64,
    since: Option<Time>,
    reached: i64,
    serial: u32,
    cause: u64,
    waiting: bool,
    fitted: bool,
}

impl Timeline {
    pub(crate) fn save(&self) -> Cursor {
        let &Self { fps, initial_fps, frame, since, reached, serial, cause, waiting, fitted, .. } = self;
        Cursor { fps, initial_fps, frame, since, reached, serial, cause, waiting, fitted }
    }

    /// `joints`: those that the robot has, if it can tell. What was said of the others has been said.
    pub(crate) fn restore(&mut self, cursor: &Cursor, joints: Option<&[Arc<str>]>) {
        let &Cursor { fps, initial_fps, frame, since, reached, serial, cause, waiting, fitted } = cursor;
        (self.fps, self.initial_fps) = (fps.max(1), initial_fps.max(1));
        (self.frame, self.since, self.reached, self.serial) = (frame, since, reached, serial);
        (self.cause, self.waiting) = (cause, waiting);
        if let (true, Some(joints)) = (fitted, joints) {
            self.leave_out(joints);
        }
    }
}
