//! Explicit state machines: those with transitions, from a file or made in code.
//!
//! Each state is a diagram over boxes that the states share; a box is loaded once for all states that contain it. A
//! change of state loads the next state, then unloads the previous one, then stimulates the `onLoad` input along the
//! links that are new: what both states contain stays loaded and is not started again. Public source:
//! the QiCore project's README, "To know" and "Hacks"; rules and tests: `docs/reference/semantics/states.md`.

mod edit;

pub(crate) use edit::LinkFrom;

use crate::Engine;
use crate::callbacks::{CallbackEvent, On};
use crate::clock::Alarm;
use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::{Graph, Inside, InsideState, Target, TargetKind};
use crate::ids::{BoxId, DiagramId};
use crate::lifecycle::Phase;
use crate::objects::calls::Listeners;
use crate::procedures::{Guard, Proc, ProcKind, Procs, StepResult};
use boxstep_format::model;
use boxstep_format::model::InputNature;
use boxstep_types::{Time, Value};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The targets of each output, for a list of boxes.
pub(crate) type OutputLinks = Vec<(BoxId, Vec<Box<[Target]>>)>;

/// An explicit state machine, apart from the diagrams of its states.
pub(crate) struct Machine {
    /// The states by number. Numbers are never reused, so that handles stay valid.
    pub(crate) states: Vec<StateInfo>,
    /// The initial state that was named; otherwise the first state is initial.
    pub(crate) initial: Option<usize>,
    pub(crate) transitions: Vec<MachineTransition>,
    /// States by label, then by name.
    names: HashMap<Arc<str>, usize>,
    /// For each state, the targets of its boxes' outputs while it is current.
    links: Vec<OutputLinks>,
    /// For each state, the last generation of its diagram before the inside was last loaded. Signals of that or an
    /// earlier generation are stale.
    stale_up_to: Vec<u32>,
    /// Counts entries of states, so that a timer can detect that it is stale.
    serial: u32,
    /// Whether a box of the current state has worked since the state was entered.
    worked: bool,
    /// Whether [`Work::StateDone`] is queued. One is enough: a cycle of signals would queue it each time, and each one
    /// scans the whole queue.
    check_queued: bool,
    /// Whether the next state is loaded, but the previous one not yet unloaded.
    changing: bool,
    /// Whether states, boxes or links have been added that are in no file.
    pub(crate) grown: bool,
    /// Whether the machine is paused, so that it takes no transition.
    pub(crate) paused: bool,
    /// The time at which the current state was entered, shifted by its pauses; in a pause, how long the state has
    /// lasted.
    entered: Time,
    /// States to enter once the machine is loaded, or transitions to take once a pause is over.
    held: VecDeque<(usize, Guard)>,
}

/// A state, apart from its diagram.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateInfo {
    pub(crate) name: Arc<str>,
    pub(crate) labels: Vec<Arc<str>>,
    /// The frame at which the state is entered.
    pub(crate) begin: Option<i64>,
    /// The frame after the state's last frame.
    pub(crate) end: Option<i64>,
    pub(crate) is_final: bool,
    pub(crate) removed: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct MachineTransition {
    pub(crate) name: Arc<str>,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) when: When,
    pub(crate) removed: bool,
}

/// The automatic trigger of a transition. Every transition can also be triggered by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// No automatic trigger.
    Triggered,
    /// The time after its state has been entered.
    After(Time),
    /// The work of its state is done.
    Done,
}

impl When {
    fn time(self) -> Option<Time> {
        match self {
            When::After(time) => Some(time),
            When::Triggered | When::Done => None,
        }
    }
}

impl Machine {
    pub(crate) fn new(def: &model::StateMachine, links: Vec<OutputLinks>) -> Self {
        let state = |(index, s): (usize, &model::MachineState)| StateInfo {
            name: s.name.clone(),
            labels: s.labels.clone(),
            begin: s.begin.map(i64::from),
            end: s.end.map(i64::from),
            is_final: def.finals.contains(&index),
            removed: false,
        };
        let transition = |t: &model::Transition| MachineTransition {
            name: "".into(),
            from: t.from,
            to: t.to,
            when: t.timeout.map_or(When::Done, |ms| When::After(Time::from_millis(ms.into()))),
            removed: false,
        };
        let mut machine = Self {
            states: def.states.iter().enumerate().map(state).collect(),
            initial: (!def.states.is_empty()).then_some(def.initial),
            transitions: def.transitions.iter().map(transition).collect(),
            names: HashMap::new(),
            stale_up_to: vec![0; links.len()],
            links,
            serial: 0,
            worked: false,
            check_queued: false,
            changing: false,
            grown: false,
            paused: false,
            entered: Time::ZERO,
            held: VecDeque::new(),
        };
        machine.index_names();
        machine
    }

    /// The outgoing transitions of a state.
    fn from(&self, state: usize) -> impl Iterator<Item = &MachineTransition> {
        self.transitions.iter().filter(move |t| t.from == state && !t.removed)
    }

    /// The state with this label or name.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The state that is entered first.
    pub(crate) fn first(&self) -> Option<usize> {
        self.initial.or_else(|| self.states.iter().position(|s| !s.removed))
    }
}

impl Graph {
    pub(crate) fn machine(&self, id: BoxId) -> Option<&Machine> {
        self.boxes[id.index()].inside.as_ref()?.machine.as_deref()
    }

    pub(crate) fn machine_mut(&mut self, id: BoxId) -> Option<&mut Machine> {
        self.boxes[id.index()].inside.as_mut()?.machine.as_deref_mut()
    }

    pub(crate) fn current_state(&self, id: BoxId) -> Option<usize> {
        self.boxes[id.index()].inside.as_ref()?.layers.first()?.current
    }

    pub(crate) fn state_diagram(&self, id: BoxId, state: usize) -> Option<DiagramId> {
        let inside = self.boxes[id.index()].inside.as_ref()?;
        Some(inside.layers.first()?.keyframes.get(state)?.diagram)
    }

    /// The state that a diagram belongs to.
    fn state_of(&self, id: BoxId, diagram: DiagramId) -> Option<usize> {
        let states = &self.boxes[id.index()].inside.as_ref()?.layers.first()?.keyframes;
        // The ids of diagrams ascend in the order in which states are made.
        states.binary_search_by_key(&diagram, |k| k.diagram).ok()
    }

    /// Prepares the load of the inside, and returns the state that is entered first.
    pub(crate) fn first_state(&mut self, id: BoxId, frame: i64) -> Option<usize> {
        let inside = self.boxes[id.index()].inside.as_mut()?;
        inside.flagged = inside.states.at(frame).map(|s| s.begin);
        let machine = inside.machine.as_mut()?;
        machine.changing = false;
        machine.first()
    }

    /// Handles the unload of the inside: signals that were sent in it are not delivered after the next load.
    pub(crate) fn machine_unloaded(&mut self, id: BoxId) {
        let Graph { boxes, diagrams, .. } = self;
        let Some(inside) = &mut boxes[id.index()].inside else { return };
        inside.flagged = None;
        if let Some(machine) = &mut inside.machine {
            let states = inside.layers.iter().flat_map(|l| &l.keyframes);
            machine.stale_up_to = states.map(|k| diagrams[k.diagram.index()].generation).collect();
            machine.serial += 1;
            machine.changing = false;
            machine.paused = false;
            machine.held.clear();
        }
    }

    /// Makes a state's links the current ones, because its boxes are loaded.
    pub(crate) fn connect_state(&mut self, diagram: DiagramId) {
        let owner = self.diagrams[diagram.index()].owner;
        let Some(machine) = self.machine(owner) else { return };
        let Some(links) = self.state_of(owner, diagram).and_then(|s| machine.links.get(s)).cloned() else { return };
        for (id, outputs) in &links {
            self.boxes[id.index()].home = Some(diagram);
            self.set_targets(*id, outputs);
        }
    }

    /// Returns whether a diagram's `onLoad` must wait until the previous state has been unloaded.
    pub(crate) fn defers_on_load(&self, owner: BoxId) -> bool {
        self.machine(owner).is_some_and(|m| m.changing)
    }

    fn set_state(&mut self, id: BoxId, state: usize, changing: bool) {
        let Some(inside) = &mut self.boxes[id.index()].inside else { return };
        if let Some(layer) = inside.layers.first_mut() {
            layer.current = Some(state);
        }
        if let Some(machine) = &mut inside.machine {
            machine.changing = changing;
        }
    }

    /// Returns whether this timer would do anything.
    pub(crate) fn transition_alive(&self, id: BoxId, serial: u32) -> bool {
        self.machine(id).is_some_and(|m| m.serial == serial && !m.paused)
    }

    /// Returns whether a signal from a state that is no longer current is delivered nevertheless. It is if the signal
    /// was sent since the inside was last loaded, and its box belongs to a state that is loaded and does not wait to be
    /// unloaded.
    pub(crate) fn outlives_its_state(&self, diagram: DiagramId, generation: u32, target: Target) -> bool {
        let owner = self.diagrams[diagram.index()].owner;
        let Some(inside) = &self.boxes[owner.index()].inside else { return false };
        let Some(machine) = &inside.machine else { return false };
        let stale_up_to =
            self.state_of(owner, diagram).and_then(|s| machine.stale_up_to.get(s)).copied().unwrap_or(u32::MAX);
        let loaded = inside.state == InsideState::Loaded && !inside.unwinding && generation > stale_up_to;
        loaded && (target.kind == TargetKind::ParentOutput || self.stays(inside, target.to))
    }

    /// Returns whether both the box and a state that contains it are loaded.
    fn stays(&self, inside: &Inside, id: BoxId) -> bool {
        let mut states = inside.layers.iter().flat_map(|l| &l.keyframes).map(|k| &self.diagrams[k.diagram.index()]);
        self.boxes[id.index()].life.in_scope() && states.any(|d| d.active() && d.boxes.contains(&id))
    }

    /// Returns whether a state may be entered, now that the procedure has its turn.
    fn may_enter(&mut self, cx: &mut Context, id: BoxId, state: usize, guard: Guard) -> bool {
        let Some(inside) = &mut self.boxes[id.index()].inside else { return false };
        let loaded = inside.state == InsideState::Loaded && !inside.unwinding;
        let current = inside.layers.first().and_then(|l| l.current);
        let Some(machine) = inside.machine.as_mut().filter(|m| loaded && !m.states[state].removed) else {
            return false;
        };
        match guard {
            Guard::Free => true,
            // Another procedure may have changed the state while this one waited for its turn.
            Guard::Serial(serial) => machine.serial == serial,
            Guard::Transition(t) if machine.transitions[t].removed => false,
            Guard::Transition(_) if machine.paused => {
                machine.held.push_back((state, guard));
                false
            }
            Guard::Transition(t) => {
                let from = machine.transitions[t].from;
                let (from_name, to_name) = (machine.states[from].name.clone(), machine.states[state].name.clone());
                if current != Some(from) {
                    let path = self.path_of(id);
                    cx.warn(
                        path,
                        format!(
                            "the transition from {from_name} to {to_name} comes too late: another state is current"
                        ),
                    );
                }
                current == Some(from)
            }
        }
    }

    /// Stimulates the `onLoad` input along the links that the previous state did not have.
    fn emit_on_load(&self, cx: &mut Context, id: BoxId, next: DiagramId, old: Option<DiagramId>) {
        let inputs = &self.boxes[id.index()].kind.inputs;
        let Some(input) = inputs.iter().position(|i| i.nature == InputNature::OnLoad) else { return };
        let targets = |d: DiagramId| self.links.of(self.diagrams[d.index()].from_inputs, input as u16);
        let known = old.map_or(&[][..], targets);
        let (generation, cause) = (self.diagrams[next.index()].generation, cx.cause());
        for &target in targets(next).iter().filter(|t| !known.contains(t)) {
            cx.push(Work::Signal { diagram: next, generation, target, cause, value: Value::Null });
        }
    }

    /// Schedules the timed transition of the current state.
    fn time_state(&mut self, cx: &mut Context, id: BoxId, state: usize) {
        let cause = cx.cause();
        let Some(machine) = self.machine_mut(id) else { return };
        if machine.paused {
            return;
        }
        machine.serial += 1;
        if let Some(after) = machine.from(state).filter_map(|t| t.when.time()).min() {
            let at = Time(machine.entered.0.saturating_add(after.0));
            let serial = machine.serial;
            cx.alarm(at, Alarm::Transition(id, serial, cause));
        }
        self.check_if_done(cx, id);
    }

    /// Pauses the machine: it takes no transition, and the time of the current state stands still.
    pub(crate) fn pause_machine(&mut self, cx: &Context, id: BoxId) {
        let now = cx.now();
        let Some(machine) = self.machine_mut(id).filter(|m| !m.paused) else { return };
        machine.paused = true;
        machine.serial += 1;
        machine.entered = Time(now.0.saturating_sub(machine.entered.0));
    }

    /// Notes that a box has worked, so that its state may be done.
    pub(crate) fn box_worked(&mut self, cx: &mut Context, of: BoxId) {
        let Some(parent) = self.boxes[of.index()].parent else { return };
        if let Some(machine) = self.machine_mut(parent) {
            machine.worked = true;
            self.check_if_done(cx, parent);
        }
    }

    /// Checks whether the current state is done, after everything that is queued now.
    fn check_if_done(&mut self, cx: &mut Context, id: BoxId) {
        let Some(state) = self.current_state(id) else { return };
        let cause = cx.cause();
        let Some(machine) = self.machine_mut(id).filter(|m| m.from(state).any(|t| t.when == When::Done)) else {
            return;
        };
        if !std::mem::replace(&mut machine.check_queued, true) {
            cx.push(Work::StateDone(id, cause));
        }
    }

    fn state_entered(&mut self, cx: &mut Context, callbacks: &Listeners, id: BoxId, state: usize) {
        let now = cx.now();
        let boxes = self.state_diagram(id, state).map_or(0, |d| self.diagrams[d.index()].boxes.len());
        let Some(machine) = self.machine_mut(id) else { return };
        machine.serial += 1;
        // A state without boxes has nothing to wait for.
        machine.worked = boxes == 0;
        machine.entered = if machine.paused { Time::ZERO } else { now };
        self.time_state(cx, id, state);
        callbacks.notify(cx, On::NewState(id), CallbackEvent::State(id, state));
    }
}

/// The procedure that enters a state when it gets its turn.
fn enter(id: BoxId, (state, guard): (usize, Guard)) -> ProcKind {
    ProcKind::EnterState { id, state, before: None, stage: 0, guard }
}

impl Graph {
    // ---- load and unload -----------------------------------------------------------------------

    /// Starts the time of the first state after the inside has been loaded. Returns the entries of states that come
    /// next: of the one that the controlling timeline selects, and of those that have waited for the load.
    pub(crate) fn machine_loaded(&mut self, cx: &mut Context, callbacks: &Listeners, id: BoxId) -> Vec<ProcKind> {
        if let Some(state) = self.machine(id).and_then(|_| self.current_state(id)) {
            self.state_entered(cx, callbacks, id, state);
        }
        let driven = self.follow_driver(cx, id);
        driven.into_iter().chain(self.enter_held(id)).collect()
    }

    /// Enters the state that the controlling timeline selects, after the machine has been loaded.
    fn follow_driver(&mut self, cx: &mut Context, id: BoxId) -> Option<ProcKind> {
        let driver = self.boxes[id.index()].inside.as_ref()?.driven_by?;
        let inside = self.boxes[driver.index()].inside.as_mut()?;
        inside.flagged = None;
        let frame = inside.timeline.reached();
        if inside.state == InsideState::Loaded { self.reach_state(cx, driver, frame).flatten() } else { None }
    }

    fn enter_held(&mut self, id: BoxId) -> impl Iterator<Item = ProcKind> + use<> {
        let held = self.machine_mut(id).map(|m| std::mem::take(&mut m.held)).unwrap_or_default();
        held.into_iter().map(move |held| enter(id, held))
    }

    // ---- changes -------------------------------------------------------------------------------

    /// Takes the timed transition of the current state.
    pub(crate) fn transition_due(&self, cx: &mut Context, id: BoxId, serial: u32, cause: Cause) -> Option<ProcKind> {
        let state = self.current_state(id).filter(|_| self.transition_alive(id, serial))?;
        let timed = self.machine(id)?.from(state).filter(|t| t.when.time().is_some()).min_by_key(|t| t.when.time())?;
        cx.begin(cause);
        Some(enter(id, (timed.to, Guard::Serial(serial))))
    }

    /// Handles a frame that the cursor has reached: the state that begins there or before is entered, once. The machine
    /// is the one in the same box, or the one that the timeline controls; `None` if there is neither.
    pub(crate) fn reach_state(&mut self, cx: &mut Context, id: BoxId, frame: i64) -> Option<Option<ProcKind>> {
        let inside = self.boxes[id.index()].inside.as_mut()?;
        let machine = inside.drives.or(inside.machine.as_ref().map(|_| id))?;
        let Some(at) = inside.states.at(frame) else { return Some(None) };
        let (begin, state) = (at.begin, at.keyframes.first().copied().flatten());
        if inside.flagged.replace(begin) != Some(begin)
            && let Some(state) = state.filter(|s| self.current_state(machine) != Some(*s))
        {
            self.trace_frame(cx, id, frame);
            return Some(Some(enter(machine, (state, Guard::Free))));
        }
        Some(None)
    }

    /// Enters a state when it is its turn. If the machine has yet to be loaded, this happens after the load.
    pub(crate) fn request_state(&mut self, id: BoxId, state: usize, guard: Guard) -> Option<ProcKind> {
        let loaded = self.boxes[id.index()].inside.as_ref().is_some_and(|i| i.state == InsideState::Loaded);
        match self.machine_mut(id) {
            Some(machine) if !loaded => {
                machine.held.push_back((state, guard));
                None
            }
            _ => Some(enter(id, (state, guard))),
        }
    }

    /// Takes a transition when it is its turn, if its source state is current then.
    pub(crate) fn take_transition(&mut self, id: BoxId, transition: usize) -> Option<ProcKind> {
        let to = self.machine(id)?.transitions.get(transition)?.to;
        self.request_state(id, to, Guard::Transition(transition))
    }

    /// Takes the transition without a time if the work of the current state is done: a box has worked, no box is
    /// started any more, and no signal is under way.
    pub(crate) fn state_done(&mut self, cx: &mut Context, procs: &Procs, id: BoxId, cause: Cause) -> Option<ProcKind> {
        if let Some(machine) = self.machine_mut(id) {
            machine.check_queued = false;
        }
        let inside = self.boxes[id.index()].inside.as_ref()?;
        let machine = inside.machine.as_ref()?;
        let state = self.current_state(id)?;
        let idle = inside.state == InsideState::Loaded && !inside.unwinding && inside.owner.is_none();
        let diagram = self.state_diagram(id, state).filter(|_| idle && machine.worked && !machine.paused)?;
        let to = machine.from(state).find(|t| t.when == When::Done)?.to;
        let serial = machine.serial;
        let boxes = &self.diagrams[diagram.index()].boxes;
        let rests = |b: &BoxId| matches!(self.boxes[b.index()].life.phase(), Phase::InScope);
        // The current state is the home of its boxes.
        let here = |b: BoxId| self.boxes[b.index()].home == Some(diagram);
        if !boxes.iter().all(rests) || procs.work_for(here) {
            return None;
        }
        let pending = |w: &Work| match w {
            Work::Signal { target, .. } => here(target.to),
            Work::Input { to: b, .. } | Work::Output { of: b, .. } => here(*b),
            _ => false,
        };
        if cx.work.iter().any(pending) {
            cx.push(Work::StateDone(id, cause));
            if let Some(machine) = self.machine_mut(id) {
                machine.check_queued = true;
            }
            return None;
        }
        cx.begin(cause);
        Some(enter(id, (to, Guard::Serial(serial))))
    }

    // ---- pause ---------------------------------------------------------------------------------

    /// Resumes a paused machine, beginning with the transitions that have waited, in order.
    pub(crate) fn resume_machine(&mut self, now: Time, id: BoxId) -> Vec<FollowUp> {
        let Some(machine) = self.machine_mut(id).filter(|m| m.paused) else { return Vec::new() };
        machine.paused = false;
        machine.entered = Time(now.0.saturating_sub(machine.entered.0));
        self.enter_held(id).map(FollowUp::Begin).chain([FollowUp::TimeState(id)]).collect()
    }

    /// Schedules the timed transition of the current state, if there is a state.
    pub(crate) fn time_current_state(&mut self, cx: &mut Context, id: BoxId) {
        if let Some(state) = self.current_state(id) {
            self.time_state(cx, id, state);
        }
    }
}

impl Engine {
    // ---- changes -------------------------------------------------------------------------------

    /// Changes the current state: loads the next one, unloads the previous one, then stimulates `onLoad` in the next
    /// one.
    pub(crate) fn step_enter_state(&mut self, proc: &mut Proc, id: BoxId) -> StepResult {
        if !self.graph.take_turn(proc, id) {
            return StepResult::Wait;
        }
        let ProcKind::EnterState { state, ref mut before, ref mut stage, guard, .. } = proc.kind else {
            return StepResult::Done;
        };
        *stage += 1;
        if *stage == 1 {
            *before = self.graph.current_state(id);
            let path = self.graph.path_of(id);
            // This counts as a signal, because states can follow each other without end in no time.
            if self.graph.may_enter(&mut self.cx, id, state, guard) && self.count_signal(path, false) {
                if *before == Some(state) {
                    // A transition from a state to itself keeps its boxes and links, but restarts its time.
                    self.graph.state_entered(&mut self.cx, &self.callbacks, id, state);
                } else if let Some(next) = self.graph.state_diagram(id, state) {
                    self.graph.set_state(id, state, true);
                    return StepResult::Child(ProcKind::LoadDiagram { id: next, next: 0 });
                }
            }
            self.graph.give_turn(&mut self.cx, id);
            return StepResult::Done;
        }
        let old = before.and_then(|b| self.graph.state_diagram(id, b));
        if *stage == 2
            && let Some(old) = old
        {
            return StepResult::Child(ProcKind::UnloadDiagram { id: old, next: 0, begun: false });
        }
        if let Some(machine) = self.graph.machine_mut(id) {
            machine.changing = false;
        }
        let unwinding = self.graph.unwinding(id);
        self.graph.give_turn(&mut self.cx, id);
        if let (false, Some(next)) = (unwinding, self.graph.state_diagram(id, state)) {
            self.graph.emit_on_load(&mut self.cx, id, next, old);
            self.graph.state_entered(&mut self.cx, &self.callbacks, id, state);
        }
        StepResult::Done
    }
}
