//! State machines that somebody has written, with transitions.
//!
//! Each state is a diagram over boxes that the states share; a box is loaded once for all states that hold
//! it. A change of state loads the next state, then unloads the one before, then stimulates the `onLoad`
//! input along the links that are new: what both states hold stays loaded and is not started again. Public source:
//! the QiCore project's README, "To know" and "Hacks"; rules and tests: `docs/semantics/states.md`.

use crate::Engine;
use crate::clock::Alarm;
use crate::engine::Work;
use crate::graph::{BoxId, DiagramId, InsideState, Target, TargetKind};
use crate::lifecycle::Phase;
use crate::procedures::{Flow, ProcId, ProcKind};
use boxstep_format::model;
use boxstep_format::model::InputNature;
use boxstep_types::{Time, Value};

/// For some boxes, where each of their outputs leads.
pub(crate) type OutputLinks = Vec<(BoxId, Vec<Box<[Target]>>)>;

/// What a written state machine has besides its states.
pub(crate) struct Machine {
    initial: usize,
    transitions: Vec<Transition>,
    /// By state: where the outputs of its boxes lead while it is current.
    links: Vec<OutputLinks>,
    /// The frame of the state that the cursor has entered last.
    pub(crate) flagged: Option<i64>,
    /// By state: signals of this generation and before were sent in an earlier life of the inside.
    floor: Vec<u32>,
    /// Counts entries of states, so that a timer can tell that it is stale.
    serial: u32,
    /// A box of the current state has been at work since the state was entered.
    worked: bool,
    /// The next state is loaded, the one before not yet unloaded.
    changing: bool,
}

#[derive(Clone, Copy)]
struct Transition {
    from: usize,
    to: usize,
    timeout: Option<Time>,
}

impl Machine {
    pub(crate) fn new(def: &model::StateMachine, links: Vec<OutputLinks>) -> Self {
        let transition = |t: &model::Transition| Transition {
            from: t.from,
            to: t.to,
            timeout: t.timeout.map(|ms| Time(i64::from(ms) * 1_000_000)),
        };
        Self {
            initial: def.initial,
            transitions: def.transitions.iter().map(transition).collect(),
            floor: vec![0; links.len()],
            links,
            flagged: None,
            serial: 0,
            worked: false,
            changing: false,
        }
    }

    fn from(&self, state: usize) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(move |t| t.from == state)
    }
}

impl Engine {
    fn machine(&self, id: BoxId) -> Option<&Machine> {
        self.graph.boxes[id.index()].inside.as_ref()?.machine.as_ref()
    }

    fn machine_mut(&mut self, id: BoxId) -> Option<&mut Machine> {
        self.graph.boxes[id.index()].inside.as_mut()?.machine.as_mut()
    }

    fn current_state(&self, id: BoxId) -> Option<usize> {
        self.graph.boxes[id.index()].inside.as_ref()?.layers.first()?.current
    }

    fn state_diagram(&self, id: BoxId, state: usize) -> Option<DiagramId> {
        let inside = self.graph.boxes[id.index()].inside.as_ref()?;
        Some(inside.layers.first()?.keyframes.get(state)?.diagram)
    }

    // ---- load and unload -----------------------------------------------------------------------

    /// The inside is being loaded: the state that is entered first.
    pub(crate) fn first_state(&mut self, id: BoxId, frame: i64) -> Option<usize> {
        let at_frame = self.graph.boxes[id.index()].inside.as_ref()?.states.at(frame).map(|s| s.begin);
        let machine = self.machine_mut(id)?;
        machine.flagged = at_frame;
        machine.changing = false;
        Some(machine.initial)
    }

    /// The inside is loaded: time counts for its first state.
    pub(crate) fn machine_loaded(&mut self, id: BoxId) {
        if let Some(state) = self.machine(id).and_then(|_| self.current_state(id)) {
            self.state_entered(id, state);
        }
    }

    /// The inside is unloaded: what was sent in it is not delivered in its next life.
    pub(crate) fn machine_unloaded(&mut self, id: BoxId) {
        let Some(inside) = &self.graph.boxes[id.index()].inside else { return };
        let diagrams = inside.layers.iter().flat_map(|l| &l.keyframes);
        let floor = diagrams.map(|k| self.graph.diagrams[k.diagram.index()].generation).collect();
        if let Some(machine) = self.machine_mut(id) {
            machine.floor = floor;
            machine.serial += 1;
            machine.changing = false;
        }
    }

    /// A state's boxes are loaded: its links are those that count.
    pub(crate) fn connect_state(&mut self, diagram: DiagramId) {
        let owner = self.graph.diagrams[diagram.index()].owner;
        let Some(inside) = &self.graph.boxes[owner.index()].inside else { return };
        let state = inside.layers.first().and_then(|l| l.keyframes.iter().position(|k| k.diagram == diagram));
        let Some(machine) = inside.machine.as_ref() else { return };
        let Some(links) = state.and_then(|s| machine.links.get(s)).cloned() else { return };
        for (id, outputs) in &links {
            self.graph.boxes[id.index()].home = Some(diagram);
            self.graph.set_targets(*id, outputs);
        }
    }

    /// Whether a diagram's `onLoad` waits until the state before it has been unloaded.
    pub(crate) fn defers_on_load(&self, owner: BoxId) -> bool {
        self.machine(owner).is_some_and(|m| m.changing)
    }

    // ---- changes -------------------------------------------------------------------------------

    /// Changes the current state: load the next, unload the one before, tell the next.
    pub(crate) fn step_enter_state(&mut self, me: ProcId, proc: &mut crate::procedures::Proc, id: BoxId) -> Flow {
        if !self.take_turn(me, proc, id, false) {
            return Flow::Wait;
        }
        let ProcKind::EnterState { state, ref mut before, ref mut stage, serial, .. } = proc.kind else {
            return Flow::Done;
        };
        *stage += 1;
        if *stage == 1 {
            let loaded = self.graph.boxes[id.index()]
                .inside
                .as_ref()
                .is_some_and(|i| i.state == InsideState::Loaded && !i.unwinding);
            // Somebody else has changed the state while this one waited for its turn.
            let overtaken = serial.is_some_and(|s| self.machine(id).is_none_or(|m| m.serial != s));
            *before = self.current_state(id);
            let next = self.state_diagram(id, state);
            if let (true, false, Some(next), Some(old)) = (loaded, overtaken, next, *before)
                && old != state
            {
                let path = self.path_of(id);
                if self.count_signal(path, false) {
                    self.set_state(id, state, true);
                    return Flow::Child(ProcKind::LoadDiagram { id: next, next: 0 });
                }
            } else if loaded && !overtaken && *before == Some(state) {
                // From a state to itself: its boxes and links stay, its time begins anew.
                let path = self.path_of(id);
                if self.count_signal(path, false) {
                    self.state_entered(id, state);
                }
            }
            self.give_turn(id);
            return Flow::Done;
        }
        let old = before.and_then(|b| self.state_diagram(id, b));
        if *stage == 2
            && let Some(old) = old
        {
            return Flow::Child(ProcKind::UnloadDiagram { id: old, next: 0, begun: false });
        }
        if let Some(machine) = self.machine_mut(id) {
            machine.changing = false;
        }
        let unwinding = self.unwinding(id);
        self.give_turn(id);
        if let (false, Some(next), Some(old)) = (unwinding, self.state_diagram(id, state), old) {
            self.tell_new_state(id, next, old);
            self.state_entered(id, state);
        }
        Flow::Done
    }

    fn set_state(&mut self, id: BoxId, state: usize, changing: bool) {
        let Some(inside) = &mut self.graph.boxes[id.index()].inside else { return };
        if let Some(layer) = inside.layers.first_mut() {
            layer.current = Some(state);
        }
        if let Some(machine) = &mut inside.machine {
            machine.changing = changing;
        }
    }

    /// Stimulates the `onLoad` input along the links that the state before did not have.
    fn tell_new_state(&mut self, id: BoxId, next: DiagramId, old: DiagramId) {
        let inputs = &self.graph.boxes[id.index()].inputs;
        let Some(input) = inputs.iter().position(|i| i.nature == InputNature::OnLoad) else { return };
        let targets = |d: DiagramId| self.graph.diagrams[d.index()].from_inputs.get(input).cloned().unwrap_or_default();
        let known = targets(old);
        let (generation, cause) = (self.graph.diagrams[next.index()].generation, self.cause);
        for &target in targets(next).iter().filter(|t| !known.contains(t)) {
            self.work.push_back(Work::Signal { diagram: next, generation, target, cause, value: Value::Null });
        }
    }

    fn state_entered(&mut self, id: BoxId, state: usize) {
        let now = self.clock.now();
        let boxes = self.state_diagram(id, state).map_or(0, |d| self.graph.diagrams[d.index()].boxes.len());
        let Some(machine) = self.machine_mut(id) else { return };
        machine.serial += 1;
        // There is nothing to wait for in a state without boxes.
        machine.worked = boxes == 0;
        let serial = machine.serial;
        if let Some(after) = machine.from(state).filter_map(|t| t.timeout).min() {
            self.timers.add(now + after, Alarm::Transition(id, serial, self.cause));
        }
        self.look_if_done(id);
    }

    /// Would this timer do anything?
    pub(crate) fn transition_alive(&self, id: BoxId, serial: u32) -> bool {
        self.machine(id).is_some_and(|m| m.serial == serial)
    }

    /// The time of a state is over.
    pub(crate) fn transition_due(&mut self, id: BoxId, serial: u32, cause: u64) {
        let Some(state) = self.current_state(id).filter(|_| self.transition_alive(id, serial)) else { return };
        let timed =
            self.machine(id).and_then(|m| m.from(state).filter(|t| t.timeout.is_some()).min_by_key(|t| t.timeout));
        if let Some(to) = timed.map(|t| t.to) {
            self.cause = cause;
            self.enter_state(id, to, Some(serial));
        }
    }

    /// `serial`: only if no other state has been entered until then.
    fn enter_state(&mut self, id: BoxId, state: usize, serial: Option<u32>) {
        self.spawn(ProcKind::EnterState { id, state, before: None, stage: 0, serial });
    }

    /// The cursor is on a frame: enters the state that begins there or before, once.
    pub(crate) fn reach_state(&mut self, id: BoxId, frame: i64) -> Option<()> {
        let inside = self.graph.boxes[id.index()].inside.as_ref()?;
        let flagged = inside.machine.as_ref()?.flagged;
        let Some(at) = inside.states.at(frame) else { return Some(()) };
        let (begin, state) = (at.begin, at.keyframes.first().copied().flatten());
        if flagged != Some(begin) {
            self.machine_mut(id)?.flagged = Some(begin);
            if let Some(state) = state.filter(|s| self.current_state(id) != Some(*s)) {
                self.trace_frame(id, frame);
                self.enter_state(id, state, None);
            }
        }
        Some(())
    }

    // ---- transitions without a time ------------------------------------------------------------

    /// A box has done something: its state may be done.
    pub(crate) fn box_worked(&mut self, of: BoxId) {
        let Some(parent) = self.graph.boxes[of.index()].parent else { return };
        if let Some(machine) = self.machine_mut(parent) {
            machine.worked = true;
            self.look_if_done(parent);
        }
    }

    /// Looks, behind all that is in line now, whether the current state is done.
    fn look_if_done(&mut self, id: BoxId) {
        let Some(state) = self.current_state(id) else { return };
        if self.machine(id).is_some_and(|m| m.from(state).any(|t| t.timeout.is_none())) {
            self.work.push_back(Work::StateDone(id, self.cause));
        }
    }

    /// Takes the transition without a time, if the work of the current state is done: a box has been
    /// at work, none is started any more, and no signal is under way.
    pub(crate) fn state_done(&mut self, id: BoxId, cause: u64) {
        let Some(inside) = &self.graph.boxes[id.index()].inside else { return };
        let Some(machine) = &inside.machine else { return };
        let Some(state) = self.current_state(id) else { return };
        let idle = inside.state == InsideState::Loaded && !inside.unwinding && inside.owner.is_none();
        let Some(diagram) = self.state_diagram(id, state).filter(|_| idle && machine.worked) else { return };
        let Some(to) = machine.from(state).find(|t| t.timeout.is_none()).map(|t| t.to) else { return };
        let serial = machine.serial;
        let boxes = &self.graph.diagrams[diagram.index()].boxes;
        let rests = |b: &BoxId| matches!(self.graph.boxes[b.index()].life.phase(), Phase::InScope);
        if !boxes.iter().all(rests) || boxes.iter().any(|b| self.procs.works_for(*b)) {
            return;
        }
        let pending = |w: &Work| match w {
            Work::Signal { target, .. } => boxes.contains(&target.to),
            Work::Input { to: b, .. } | Work::Output { of: b, .. } => boxes.contains(b),
            _ => false,
        };
        if self.work.iter().any(pending) {
            self.work.push_back(Work::StateDone(id, cause));
            return;
        }
        self.cause = cause;
        self.enter_state(id, to, Some(serial));
    }

    /// A signal of a state that is no longer current: it arrives all the same if it was sent in this life of the
    /// inside and its box is still loaded.
    pub(crate) fn outlives_its_state(&self, diagram: DiagramId, generation: u32, target: Target) -> bool {
        let owner = self.graph.diagrams[diagram.index()].owner;
        let Some(inside) = &self.graph.boxes[owner.index()].inside else { return false };
        let Some(machine) = &inside.machine else { return false };
        let state = inside.layers.first().and_then(|l| l.keyframes.iter().position(|k| k.diagram == diagram));
        let floor = state.and_then(|s| machine.floor.get(s)).copied().unwrap_or(u32::MAX);
        let loaded = inside.state == InsideState::Loaded && !inside.unwinding && generation > floor;
        loaded && (target.kind == TargetKind::ParentOutput || self.graph.boxes[target.to.index()].life.in_scope())
    }
}
