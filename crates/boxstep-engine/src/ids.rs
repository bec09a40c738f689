//! Ids of the items in the arenas of a run. They do not depend on the types of these items.

use crate::protocol::CallbackId;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(/// A box of a behavior that has been opened.
    BoxId);
id!(/// A diagram: of a flow diagram box, or of one behavior keyframe.
    DiagramId);
id!(/// A behavior that has been opened.
    BehaviorId);

impl BehaviorId {
    /// The value of `self.behaviorId`. Numbers count from 1 in each run; the names follow NAOqi's pattern.
    pub(crate) fn text(self) -> String {
        format!("_Behavior__{}", self.0 + 1)
    }
}

/// A procedure. The generation distinguishes a stale id from that of the slot's next user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// A function of a script host, or of the program that drives the run.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) callback: CallbackId,
    /// The box whose script has passed the function, and its lifecycle generation then.
    pub(crate) place: Option<BoxId>,
    pub(crate) life: u32,
}

impl Kept {
    /// A function that no box has passed.
    pub(crate) const fn of_no_box(callback: CallbackId) -> Self {
        Self { callback, place: None, life: 0 }
    }
}
