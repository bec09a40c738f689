//! What a snapshot holds of behaviors, boxes and timers.

use super::model::Fingerprint;
use crate::clock::Alarm;
use crate::config::Control;
use crate::door::ScriptError;
use crate::graph::{BoxId, DiagramId, InsideState};
use crate::lifecycle::Life;
use crate::machine::MachineState;
use crate::timeline::Cursor;
use boxstep_types::{Time, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A behavior that has been opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BehaviorState {
    pub(super) name: Arc<str>,
    /// What it was made of.
    pub(super) made_of: Fingerprint,
    /// Loaded; else it is over, or has only been opened.
    pub(super) running: bool,
    /// It was to be started once it was loaded.
    pub(super) start: bool,
    pub(super) started: bool,
    pub(super) used: bool,
    pub(super) failure: Option<ScriptError>,
    /// In order of their numbers, which follow those of the behavior before.
    pub(super) boxes: Vec<BoxState>,
}

/// A box.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BoxState {
    pub(super) path: String,
    pub(super) life: Life,
    pub(super) constructed: bool,
    pub(super) stops: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) parameters: Vec<Value>,
    pub(super) home: Option<DiagramId>,
    /// What a native box of an open behavior has saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) native: Option<Native>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) inside: Option<InsideOf>,
}

/// In a list of its own, so that saved nothing is not taken for nothing saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Native {
    pub(super) saved: Value,
}

/// The inside of a box.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct InsideOf {
    pub(super) state: InsideState,
    pub(super) unwinding: bool,
    /// The keyframe of each layer that is loaded.
    pub(super) current: Vec<Option<usize>>,
    pub(super) cursor: Cursor,
    pub(super) machine: Option<MachineState>,
    pub(super) drives: Option<BoxId>,
    pub(super) driven_by: Option<BoxId>,
    pub(super) flags: Vec<(i64, Arc<str>)>,
    pub(super) flagged: Option<i64>,
}

/// A timer that may still do something.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TimerState {
    pub(super) t: Time,
    pub(super) what: Due,
}

/// What it does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Due {
    Control(Control),
    Robot(u64),
    Timeline(BoxId, u32),
    Joints(BoxId, u32, u64),
    Transition(BoxId, u32, u64),
    Resource(u32),
}

impl Due {
    /// `None` for timers of calls and scripts: at a quiet point they are dead.
    pub(super) fn of(alarm: &Alarm) -> Option<Self> {
        Some(match alarm {
            Alarm::Control(control) => Due::Control(control.clone()),
            Alarm::Robot(token) => Due::Robot(*token),
            Alarm::Timeline(id, serial) => Due::Timeline(*id, *serial),
            Alarm::Joints(id, serial, happened) => Due::Joints(*id, *serial, *happened),
            Alarm::Transition(id, serial, cause) => Due::Transition(*id, *serial, *cause),
            Alarm::Resource(serial) => Due::Resource(*serial),
            Alarm::Stopover(_)
            | Alarm::Halt(_)
            | Alarm::Tick(_)
            | Alarm::Task(..)
            | Alarm::Script(_)
            | Alarm::Deadline(..)
            | Alarm::Patience(..)
            | Alarm::Mock(..)
            | Alarm::Outside(_)
            | Alarm::RunOut(_)
            | Alarm::Call(..)
            | Alarm::Hook(..) => return None,
        })
    }

    pub(super) fn alarm(&self) -> Alarm {
        match self {
            Due::Control(control) => Alarm::Control(control.clone()),
            Due::Robot(token) => Alarm::Robot(*token),
            Due::Timeline(id, serial) => Alarm::Timeline(*id, *serial),
            Due::Joints(id, serial, happened) => Alarm::Joints(*id, *serial, *happened),
            Due::Transition(id, serial, cause) => Alarm::Transition(*id, *serial, *cause),
            Due::Resource(serial) => Alarm::Resource(*serial),
        }
    }

    /// The box it is of.
    pub(super) fn of_box(&self) -> Option<BoxId> {
        match self {
            Due::Timeline(id, _) | Due::Joints(id, ..) | Due::Transition(id, ..) => Some(*id),
            Due::Control(_) | Due::Robot(_) | Due::Resource(_) => None,
        }
    }
}
