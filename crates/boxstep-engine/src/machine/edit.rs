//! Changes of an explicit state machine at run time: states, transitions, flags.

use super::{Machine, MachineTransition, StateInfo, When};
use crate::callbacks::{CallbackEvent, On};
use crate::context::Context;
use crate::graph::{DiagramNode, Graph, Keyframe, Target};
use crate::ids::{BoxId, DiagramId};
use crate::objects::calls::Listeners;
use crate::state_machine::{Flag, TimelineStates};
use crate::trace::Place;
use std::sync::Arc;

impl Machine {
    /// Indexes the states by label and by name. A label takes precedence over a name, and the first state that has it
    /// counts.
    pub(super) fn index_names(&mut self) {
        self.names.clear();
        let alive = || self.states.iter().enumerate().filter(|(_, s)| !s.removed);
        let labels = alive().flat_map(|(index, s)| s.labels.iter().map(move |l| (l.clone(), index)));
        let names = alive().map(|(index, s)| (s.name.clone(), index));
        for (name, index) in labels.chain(names).collect::<Vec<_>>() {
            self.names.entry(name).or_insert(index);
        }
    }

    pub(crate) fn add_transition(&mut self, from: usize, to: usize) -> usize {
        self.transitions.push(MachineTransition { name: "".into(), from, to, when: When::Triggered, removed: false });
        self.transitions.len() - 1
    }

    /// Returns the links of a state that start at the outputs of a box; creates the entry if it is missing.
    fn links_of(&mut self, state: usize, of: BoxId, outputs: usize) -> &mut Vec<Box<[Target]>> {
        let links = &mut self.links[state];
        let at = links.iter().position(|(b, _)| *b == of).unwrap_or_else(|| {
            links.push((of, Vec::new()));
            links.len() - 1
        });
        links[at].1.resize(outputs, Box::default());
        &mut links[at].1
    }
}

/// The source of a link of a state.
#[derive(Clone, Copy)]
pub(crate) enum LinkFrom {
    /// An input of the box around the state machine.
    Around(u16),
    /// An output of a box of the state.
    Output(BoxId, u16),
}

impl Graph {
    /// Returns the box whose state machine the timeline of a box drives: the one that it has been given, or its own.
    pub(crate) fn driven_machine(&self, id: BoxId) -> Option<BoxId> {
        let inside = self.boxes[id.index()].inside.as_ref()?;
        inside.drives.or(inside.machine.as_ref().map(|_| id))
    }

    /// Gives a box an entry in a state's links. Outside that state the links lead nowhere.
    fn join_state(&mut self, id: BoxId, state: usize, b: BoxId) {
        let outputs = self.boxes[b.index()].kind.outputs.len();
        if let Some(machine) = self.machine_mut(id) {
            machine.links_of(state, b, outputs);
        }
    }

    /// Adds a box to a state that is not current.
    pub(crate) fn add_to_state(&mut self, id: BoxId, state: usize, b: BoxId) {
        if let Some(diagram) = self.state_diagram(id, state) {
            let node = &mut self.diagrams[diagram.index()];
            if !node.boxes.contains(&b) {
                node.boxes = node.boxes.iter().copied().chain([b]).collect();
            }
            if let Some(machine) = self.machine_mut(id) {
                machine.grown = true;
            }
            self.join_state(id, state, b);
        }
    }

    /// Adds a link to a state that is not current.
    pub(crate) fn add_link(&mut self, id: BoxId, state: usize, from: LinkFrom, target: Target) {
        if let Some(machine) = self.machine_mut(id) {
            machine.grown = true;
        }
        match from {
            LinkFrom::Around(input) => {
                if let Some(diagram) = self.state_diagram(id, state) {
                    let node = &mut self.diagrams[diagram.index()];
                    node.from_inputs = self.links.add(node.from_inputs, input, target);
                }
            }
            LinkFrom::Output(of, output) => {
                let outputs = self.boxes[of.index()].kind.outputs.len();
                if let Some(machine) = self.machine_mut(id)
                    && let Some(targets) = machine.links_of(state, of, outputs).get_mut(usize::from(output))
                {
                    *targets = targets.iter().copied().chain([target]).collect();
                }
            }
        }
    }

    /// Pauses the state machine that a timeline drives, because the timeline pauses.
    pub(crate) fn pause_machine_of(&mut self, cx: &Context, id: BoxId) {
        if let Some(machine) = self.driven_machine(id) {
            self.pause_machine(cx, machine);
        }
    }

    /// Adds a state at the end. Its boxes are already parts of this box.
    pub(crate) fn add_state(&mut self, cx: &mut Context, id: BoxId, name: &str, boxes: Vec<BoxId>) -> Option<usize> {
        let name: Arc<str> = name.into();
        let inputs = self.boxes[id.index()].kind.inputs.len();
        let diagram = DiagramId(self.diagrams.len() as u32);
        let node = &mut self.boxes[id.index()];
        node.sole = None;
        let inside = node.inside.as_mut()?;
        let layer = inside.layers.first_mut()?;
        let machine = inside.machine.as_mut()?;
        // The boxes come from elsewhere, so that none has a place in a file.
        layer.keyframes.push(Keyframe { diagram, first: id });
        machine.states.push(StateInfo { name: name.clone(), ..StateInfo::default() });
        machine.grown = true;
        machine.links.push(Vec::new());
        machine.stale_up_to.push(0);
        machine.index_names();
        let state = machine.states.len() - 1;
        self.diagrams.push(DiagramNode {
            owner: id,
            boxes: boxes.clone().into(),
            place: Some(Arc::new(Place { layer: "states".into(), keyframe: name })),
            generation: 0,
            from_inputs: self.links.list(&vec![Vec::new(); inputs]),
        });
        for b in boxes {
            self.join_state(id, state, b);
        }
        self.index_flags(cx, id);
        Some(state)
    }

    /// Removes a state that is not current, with the transitions from and to it. Its number is not used again.
    pub(crate) fn remove_state(&mut self, cx: &mut Context, id: BoxId, state: usize) {
        if let Some(machine) = self.machine_mut(id) {
            machine.states[state] =
                StateInfo { name: machine.states[state].name.clone(), removed: true, ..Default::default() };
            machine.initial = machine.initial.filter(|i| *i != state);
            for t in &mut machine.transitions {
                t.removed |= t.from == state || t.to == state;
            }
            machine.index_names();
            self.index_flags(cx, id);
        }
    }

    /// Changes a state's name, labels or frames.
    pub(crate) fn edit_state(&mut self, cx: &mut Context, id: BoxId, state: usize, edit: impl FnOnce(&mut StateInfo)) {
        if let Some(machine) = self.machine_mut(id) {
            edit(&mut machine.states[state]);
            machine.index_names();
            self.index_flags(cx, id);
        }
    }

    /// Changes a transition. The time in the current state still counts from its entry.
    pub(crate) fn edit_transition(
        &mut self,
        cx: &mut Context,
        id: BoxId,
        transition: usize,
        edit: impl FnOnce(&mut MachineTransition),
    ) {
        let Some(machine) = self.machine_mut(id) else { return };
        edit(&mut machine.transitions[transition]);
        let from = machine.transitions[transition].from;
        if self.current_state(id) == Some(from) {
            self.time_state(cx, id, from);
        }
    }

    /// Gives a timeline a state machine to drive, or takes it away.
    pub(crate) fn give_machine(&mut self, cx: &mut Context, timeline: BoxId, machine: Option<BoxId>) {
        let old = self.boxes[timeline.index()].inside.as_mut().and_then(|i| std::mem::replace(&mut i.drives, machine));
        if let Some(inside) = old.and_then(|b| self.boxes[b.index()].inside.as_mut()) {
            inside.driven_by = None;
        }
        let Some(machine) = machine else {
            if let Some(inside) = &mut self.boxes[timeline.index()].inside {
                inside.states = TimelineStates::default();
            }
            return;
        };
        let before = self.boxes[machine.index()].inside.as_mut().and_then(|i| i.driven_by.replace(timeline));
        if let Some(before) = before.filter(|b| *b != timeline) {
            self.give_machine(cx, before, None);
            if let Some(inside) = &mut self.boxes[machine.index()].inside {
                inside.driven_by = Some(timeline);
            }
        }
        self.index_flags(cx, machine);
    }

    /// Computes which states are entered at which frames, for the timeline in the same box, and for the one that drives
    /// this machine.
    pub(crate) fn index_flags(&mut self, cx: &mut Context, id: BoxId) {
        let driver = self.boxes[id.index()].inside.as_ref().and_then(|i| i.driven_by);
        for at in [Some(id), driver].into_iter().flatten() {
            let Some(machine) = self.machine(id) else { return };
            let flag = |begin: i64, state: usize| {
                let s = &machine.states[state];
                Flag { begin, labels: s.labels.clone(), name: s.name.clone(), state }
            };
            let alive = machine.states.iter().enumerate().filter(|(_, s)| !s.removed);
            let mut flags: Vec<Flag> = alive.filter_map(|(n, s)| Some(flag(s.begin?, n))).collect();
            let named = self.boxes[at.index()].inside.iter().flat_map(|i| &i.flags);
            flags.extend(named.filter_map(|(frame, name)| Some(flag(*frame, machine.named(name)?))));
            let states = TimelineStates::flagged(flags);
            if let Some(inside) = &mut self.boxes[at.index()].inside {
                inside.states = states;
            }
            // A moving cursor has a new next frame at which a state changes.
            self.rearm(cx, at);
        }
    }

    /// Notifies callbacks if the cursor of a timeline with layers is in another state, which is loaded.
    pub(crate) fn layers_changed(&mut self, cx: &mut Context, callbacks: &Listeners, id: BoxId) {
        let Some(inside) = self.boxes[id.index()].inside.as_mut().filter(|i| i.machine.is_none()) else { return };
        let Some(state) = inside.states.index_at(inside.timeline.load_frame()) else { return };
        let begin = inside.states.states()[state].begin;
        if inside.flagged.replace(begin) != Some(begin) {
            callbacks.notify(cx, On::NewState(id), CallbackEvent::State(id, state));
        }
    }
}
