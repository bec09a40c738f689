//! A state machine, written down and taken up again. Diagrams and links are the file's.

use super::{Guard, Machine, StateInfo, Transition};
use crate::Engine;
use crate::graph::{BoxId, DiagramId};
use boxstep_types::Time;
use serde::{Deserialize, Serialize};

/// What of a state machine changes, also by code: names, labels, frames and transitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MachineState {
    states: Vec<StateInfo>,
    initial: Option<usize>,
    transitions: Vec<Transition>,
    floor: Vec<u32>,
    serial: u32,
    worked: bool,
    changing: bool,
    paused: bool,
    entered: Time,
    held: Vec<(usize, Guard)>,
}

impl Machine {
    pub(crate) fn save(&self) -> MachineState {
        MachineState {
            states: self.states.clone(),
            initial: self.initial,
            transitions: self.transitions.clone(),
            floor: self.floor.clone(),
            serial: self.serial,
            worked: self.worked,
            changing: self.changing,
            paused: self.paused,
            entered: self.entered,
            held: self.held.iter().copied().collect(),
        }
    }

    /// `None`, and nothing done, if that is of no machine with these states.
    pub(crate) fn restore(&mut self, saved: &MachineState) -> Option<()> {
        let MachineState { states, initial, transitions, floor, serial, worked, changing, paused, entered, held } =
            saved.clone();
        let (count, known) = (self.states.len(), |state: usize| state < self.states.len());
        let ends = transitions.iter().all(|t| known(t.from) && known(t.to));
        let guarded = |g: &Guard| !matches!(g, Guard::Transition(t) if *t >= transitions.len());
        let fits = states.len() == count
            && floor.len() == self.floor.len()
            && initial.is_none_or(known)
            && ends
            && held.iter().all(|(state, guard)| known(*state) && guarded(guard));
        if !fits {
            return None;
        }
        (self.states, self.initial, self.transitions, self.floor) = (states, initial, transitions, floor);
        (self.serial, self.worked, self.changing) = (serial, worked, changing);
        (self.paused, self.entered, self.held) = (paused, entered, held.into());
        self.index_names();
        Some(())
    }
}

impl Engine {
    /// A box is in this state again: where its outputs lead is that state's affair. `None` if it is not a box of it.
    pub(crate) fn rejoin_state(&mut self, id: BoxId, home: DiagramId) -> Option<()> {
        let diagram = self.graph.diagrams.get(home.index()).filter(|d| d.boxes.contains(&id))?;
        let inside = self.graph.boxes[diagram.owner.index()].inside.as_ref()?;
        let state = inside.layers.first()?.keyframes.iter().position(|k| k.diagram == home)?;
        let links = inside.machine.as_ref()?.links.get(state)?;
        let outputs = links.iter().find(|(b, _)| *b == id).map(|(_, outputs)| outputs.clone());
        self.graph.boxes[id.index()].home = Some(home);
        if let Some(outputs) = outputs {
            self.graph.set_targets(id, &outputs);
        }
        Some(())
    }
}
