//! The one kind of procedure that a snapshot holds: a start that waits for resources and has done nothing else yet.

use super::{Proc, ProcId, ProcKind, Procs, Waits};
use crate::graph::{BoxId, DiagramId};
use crate::lifecycle::Step;
use boxstep_types::Value;
use serde::{Deserialize, Serialize};

/// A start that waits for resources.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Start {
    #[serde(rename = "box")]
    pub(crate) id: BoxId,
    /// The input that asked for it.
    pub(crate) input: u16,
    pub(crate) value: Value,
    life: u32,
    stops: u32,
    cause: u64,
}

/// Where a procedure works.
pub(crate) enum WorksOn {
    Box(BoxId),
    Diagram(DiagramId),
    Behavior(crate::graph::BehaviorId),
}

impl Proc {
    fn start(&self) -> Option<Start> {
        let first = self.parent.is_none() && !self.told && !self.wind_down && self.waits == Waits::Resource;
        match &self.kind {
            ProcKind::Box { id, step: Step::Activate, stage: 0, port, value, life, stops } if first => Some(Start {
                id: *id,
                input: *port,
                value: value.clone(),
                life: *life,
                stops: *stops,
                cause: self.cause,
            }),
            _ => None,
        }
    }

    fn works_on(&self) -> WorksOn {
        match self.kind {
            ProcKind::Box { id, .. }
            | ProcKind::Event { id, .. }
            | ProcKind::Load { id, .. }
            | ProcKind::Unload { id, .. }
            | ProcKind::Switch { id, .. }
            | ProcKind::EnterState { id, .. }
            | ProcKind::Reload { id, .. } => WorksOn::Box(id),
            ProcKind::LoadDiagram { id, .. } | ProcKind::UnloadDiagram { id, .. } => WorksOn::Diagram(id),
            ProcKind::StartBehavior { id, .. } | ProcKind::StopBehavior { id, .. } => WorksOn::Behavior(id),
        }
    }
}

impl Procs {
    /// Procedures that do more than wait for resources.
    pub(crate) fn under_way(&self) -> impl Iterator<Item = WorksOn> + '_ {
        self.slots.iter().filter_map(|(_, p)| p.as_ref()).filter(|p| p.start().is_none()).map(Proc::works_on)
    }

    /// The start that a procedure is.
    pub(crate) fn start(&self, id: ProcId) -> Option<Start> {
        self.get(id)?.start()
    }

    /// A start that waits again.
    pub(crate) fn wait_again(&mut self, start: Start) -> ProcId {
        let Start { id, input, value, life, stops, cause } = start;
        let kind = ProcKind::Box { id, step: Step::Activate, stage: 0, port: input, value, life, stops };
        let waiting = self.reserve();
        self.put(waiting, Proc { waits: Waits::Resource, ..Proc::new(kind, cause) });
        waiting
    }
}
