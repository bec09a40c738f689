//! State machines.

use super::{BoxId, Cx, Error, Frame, ListenerId, StateId, StateMachineId, TransitionId};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::callbacks::{CallbackEvent, On};
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids;
use crate::machine::Machine;
use crate::procedures::Guard;
use std::boxed::Box as Boxed;
use std::sync::Arc;

/// A state machine: created in code, written in a file, or derived from the layers of a timeline. Derived states follow
/// from the keyframes: they can be queried, and a goto can name them, but only the cursor enters them.
pub struct StateMachine<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) id: ids::BoxId,
}

impl StateMachine<'_> {
    /// Returns the state machine's handle.
    pub fn id(&self) -> StateMachineId {
        StateMachineId { engine: self.engine.graph.number, index: self.id.0 }
    }

    /// Returns the box that owns the state machine. One that was created on its own has its own box.
    pub fn owner(&self) -> BoxId {
        self.engine.graph.handle(self.id)
    }

    /// Returns the state machine's name, which is that of its box.
    pub fn name(&self) -> Arc<str> {
        self.engine.graph.name(&self.engine.cx.paths, self.id)
    }

    /// Renames a state machine that was created in code.
    ///
    /// # Errors
    /// [`Error::Loaded`], [`Error::Part`].
    pub fn set_name(&mut self, name: &str) -> Result<(), Error> {
        self.engine.behaviors.rename(
            &mut self.engine.cx,
            &mut self.engine.graph,
            &mut self.engine.fast_path,
            self.id,
            name,
        )
    }

    // ---- states --------------------------------------------------------------------------------

    /// Adds a state that holds these boxes. Several states may hold the same box, which then stays loaded from one
    /// state to the next. The boxes become parts of the state machine; they must not be part of another box.
    ///
    /// # Errors
    /// [`Error::Derived`], [`Error::NoStateMachine`]; [`Error::Elsewhere`] and [`Error::Loaded`] for a box.
    pub fn add_state(&mut self, name: &str, boxes: &[BoxId]) -> Result<StateId, Error> {
        self.written()?;
        let parts = self.engine.behaviors.adopt(
            &mut self.engine.cx,
            &mut self.engine.graph,
            &mut self.engine.fast_path,
            self.id,
            boxes,
        )?;
        let state =
            self.engine.graph.add_state(&mut self.engine.cx, self.id, name, parts).ok_or(Error::NoStateMachine)?;
        Ok(self.engine.graph.state_handle(self.id, state))
    }

    /// Removes a state, with the transitions from and to it. It is then no longer initial or final.
    ///
    /// # Errors
    /// [`Error::Current`], [`Error::UnknownState`], [`Error::Derived`].
    pub fn remove_state(&mut self, state: StateId) -> Result<(), Error> {
        let index = self.own(state)?;
        self.written()?;
        if self.engine.graph.current_state(self.id) == Some(index) {
            return Err(Error::Current);
        }
        self.engine.graph.remove_state(&mut self.engine.cx, self.id, index);
        Ok(())
    }

    /// Returns the states, in the order in which they were added, or in order of frames.
    pub fn states(&self) -> Vec<StateId> {
        let handle = |index| self.engine.graph.state_handle(self.id, index);
        match self.written() {
            Ok(m) => m.states.iter().enumerate().filter(|(_, s)| !s.removed).map(|(index, _)| handle(index)).collect(),
            Err(_) => (0..self.engine.graph.layered_states(self.id)).map(handle).collect(),
        }
    }

    /// Returns the state with this label, otherwise the state with this name.
    pub fn find(&self, name: &str) -> Option<StateId> {
        let index = match self.written() {
            Ok(m) => m.named(name)?,
            Err(_) => {
                let states = &self.engine.graph.boxes[self.id.index()].inside.as_ref()?.states;
                states.index_at(states.labelled(name)?)?
            }
        };
        Some(self.engine.graph.state_handle(self.id, index))
    }

    /// Returns the current state; none while the state machine does not run.
    pub fn current_state(&self) -> Option<StateId> {
        let index = self.engine.graph.state_index(self.id)?;
        Some(self.engine.graph.state_handle(self.id, index))
    }

    /// Makes a state the initial one. The last call counts; without a call it is the first state that was added.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn set_initial_state(&mut self, state: StateId) -> Result<(), Error> {
        let index = self.own(state)?;
        self.written_mut()?.initial = Some(index);
        Ok(())
    }

    /// Removes the mark of the initial state.
    ///
    /// # Errors
    /// [`Error::Derived`].
    pub fn remove_initial_state(&mut self) -> Result<(), Error> {
        self.written_mut()?.initial = None;
        Ok(())
    }

    /// Returns the state that is entered first.
    pub fn initial_state(&self) -> Option<StateId> {
        let index = match self.written() {
            Ok(m) => m.first()?,
            Err(_) => (self.engine.graph.layered_states(self.id) > 0).then_some(0)?,
        };
        Some(self.engine.graph.state_handle(self.id, index))
    }

    /// Marks a state as final. Several states can be final. The mark has no effect on the run.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn set_final_state(&mut self, state: StateId) -> Result<(), Error> {
        let index = self.own(state)?;
        self.written_mut()?.states[index].is_final = true;
        Ok(())
    }

    /// Removes the final mark of a state. Returns false if the state was not final.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn remove_final_state(&mut self, state: StateId) -> Result<bool, Error> {
        let index = self.own(state)?;
        Ok(std::mem::take(&mut self.written_mut()?.states[index].is_final))
    }

    /// Returns the final states; of layers, the last state.
    pub fn final_states(&self) -> Vec<StateId> {
        let is_final = |s: &StateId| self.engine.graph.is_final(self.id, s.index as usize);
        self.states().into_iter().filter(is_final).collect()
    }

    /// Returns whether the current state is final.
    pub fn is_on_final_state(&self) -> bool {
        self.engine.graph.state_index(self.id).is_some_and(|s| self.engine.graph.is_final(self.id, s))
    }

    // ---- transitions ---------------------------------------------------------------------------

    /// Adds a transition between two states. It is taken when it is triggered, or as [`super::Transition::set_when`]
    /// says.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn add_transition(&mut self, from: StateId, to: StateId) -> Result<TransitionId, Error> {
        let (from, to) = (self.own(from)?, self.own(to)?);
        let index = self.written_mut()?.add_transition(from, to) as u32;
        Ok(TransitionId { engine: self.engine.graph.number, of: self.id.0, index })
    }

    /// Removes a transition.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`].
    pub fn remove_transition(&mut self, transition: TransitionId) -> Result<(), Error> {
        let index = self.engine.graph.own_transition(self.id, transition)?;
        self.engine.graph.edit_transition(&mut self.engine.cx, self.id, index, |t| t.removed = true);
        Ok(())
    }

    /// Returns the transitions, in the order in which they were added.
    pub fn transitions(&self) -> Vec<TransitionId> {
        let Ok(machine) = self.written() else { return Vec::new() };
        let alive = machine.transitions.iter().enumerate().filter(|(_, t)| !t.removed);
        alive.map(|(n, _)| TransitionId { engine: self.engine.graph.number, of: self.id.0, index: n as u32 }).collect()
    }

    /// Queues a transition, first in, first out; if its state is not current when it is taken, it is dropped with a
    /// warning. While the state machine is paused, the transition waits.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`], [`Error::NotLoaded`].
    pub fn execute_transition(&mut self, transition: TransitionId) -> Result<(), Error> {
        let index = self.engine.graph.own_transition(self.id, transition)?;
        self.running()?;
        let next = self.engine.graph.take_transition(self.id, index);
        self.engine.follow_up(next);
        Ok(())
    }

    // ---- run -----------------------------------------------------------------------------------

    /// Enters the initial state. A state machine that runs goes on, and a paused one resumes.
    ///
    /// # Errors
    /// [`Error::NoSuchState`] if it has no states; [`Error::NotLoaded`] if it is part of a box that is not loaded;
    /// [`Error::Over`].
    pub fn run(&mut self) -> Result<(), Error> {
        let id = self.id;
        if self.engine.graph.machine(id).is_some_and(|m| m.first().is_none()) {
            return Err(Error::NoSuchState("of any name".into()));
        }
        if self.engine.behaviors.root_of(&self.engine.graph, id).is_some() {
            self.own_box().load_root(true)?;
        } else if !self.engine.graph.boxes[id.index()].life.in_scope() {
            return Err(Error::NotLoaded);
        } else if !self.engine.graph.inside_loaded(id) {
            self.own_box().start()?;
        }
        self.engine.follow_up([FollowUp::ResumeMachine(id)]);
        Ok(())
    }

    /// Pauses the state machine: it takes no transitions until it runs again. The time in the current state stands
    /// still, and triggered transitions wait; a goto is still carried out. A paused state machine stays paused.
    ///
    /// # Errors
    /// [`Error::NotLoaded`], [`Error::Derived`].
    pub fn pause(&mut self) -> Result<(), Error> {
        self.written()?;
        self.running()?;
        self.engine.graph.pause_machine(&self.engine.cx, self.id);
        Ok(())
    }

    /// Unloads the current state, and forgets triggered transitions. No state is current then; the next run begins in
    /// the initial state.
    ///
    /// # Errors
    /// [`Error::NotLoaded`].
    pub fn stop(&mut self) -> Result<(), Error> {
        self.own_box().stop()
    }

    /// Returns whether a state is current or about to be entered.
    pub fn is_running(&self) -> bool {
        self.running().is_ok()
    }

    /// Returns whether the state machine is paused.
    pub fn is_paused(&self) -> bool {
        self.written().is_ok_and(|m| m.paused)
    }

    /// Enters a state, whichever is current. Returns the frame at which its timeline enters it, if there is one; the
    /// cursor moves there.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::NotLoaded`].
    pub fn go_to_state(&mut self, state: StateId) -> Result<Option<i64>, Error> {
        let index = self.own(state)?;
        self.running()?;
        let Some(timeline) = self.engine.graph.timeline_of_machine(self.id) else {
            self.enter(index);
            return Ok(None);
        };
        let frame = self.engine.graph.frame_of_state(timeline, index);
        match frame {
            Some(frame) => self.goto(timeline, frame),
            None => self.enter(index),
        }
        Ok(frame)
    }

    /// Enters the state with this label, otherwise the state with this name.
    ///
    /// # Errors
    /// [`Error::NoSuchState`], without any change; [`Error::NotLoaded`].
    pub fn go_to_name(&mut self, name: &str) -> Result<Option<i64>, Error> {
        let state = self.find(name).ok_or_else(|| Error::NoSuchState(name.into()))?;
        self.go_to_state(state)
    }

    /// Enters the state that a frame belongs to. If a timeline drives the state machine, its cursor moves to that
    /// frame.
    ///
    /// # Errors
    /// [`Error::NoSuchState`] if the frame belongs to no state, without any change; [`Error::NotLoaded`].
    pub fn go_to_frame(&mut self, frame: i64) -> Result<StateId, Error> {
        self.running()?;
        let state = self.state_at(frame).ok_or_else(|| Error::NoSuchState(format!("at frame {frame}").into()))?;
        match self.engine.graph.timeline_of_machine(self.id) {
            Some(timeline) => self.goto(timeline, frame),
            None => self.enter(state.index as usize),
        }
        Ok(state)
    }

    /// Returns the state that a frame belongs to: the last one that begins at or before it, unless it has ended by
    /// then. The last state of layers lasts as long as its timeline. A frame outside the timeline belongs to no state.
    pub fn state_at(&self, frame: i64) -> Option<StateId> {
        let timeline = self.engine.graph.timeline_of_machine(self.id).unwrap_or(self.id);
        let inside = self.engine.graph.boxes[timeline.index()].inside.as_ref()?;
        let (start, end, _) = inside.timeline.extent();
        if inside.timeline.clocked && (frame < start || end.is_some_and(|end| frame > end)) {
            return None;
        }
        let at = inside.states.index_at(frame)?;
        let index = match self.written() {
            Ok(machine) => {
                let index = inside.states.states()[at].keyframes.first().copied().flatten()?;
                let ended = machine.states.get(index)?.end.is_some_and(|end| frame >= end);
                if ended {
                    return None;
                }
                index
            }
            Err(_) => at,
        };
        Some(self.engine.graph.state_handle(self.id, index))
    }

    /// Registers a callback for each state that is entered. It is called when the new state is loaded and the old one
    /// is unloaded.
    pub fn on_new_state(&mut self, mut f: impl FnMut(&mut Cx<'_>, StateId) + Send + 'static) -> ListenerId {
        let notify = move |cx: &mut Cx<'_>, what: &CallbackEvent| {
            if let CallbackEvent::State(of, index) = *what {
                let state = cx.engine.graph.state_handle(of, index);
                f(cx, state);
            }
        };
        self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::NewState(self.id),
            Boxed::new(notify),
        )
    }

    /// Moves the cursor of the timeline that enters the states.
    fn goto(&mut self, timeline: ids::BoxId, frame: i64) {
        let next = self.engine.graph.goto(&mut self.engine.cx, timeline, &Frame::Number(frame));
        self.engine.follow_up(next.into_iter().flatten());
    }

    /// Enters a state when it is its turn.
    fn enter(&mut self, state: usize) {
        let next = self.engine.graph.request_state(self.id, state, Guard::Free);
        self.engine.follow_up(next);
    }

    /// The box of the state machine.
    fn own_box(&mut self) -> super::Box<'_> {
        super::Box { engine: self.engine, id: self.id }
    }

    fn own(&self, state: StateId) -> Result<usize, Error> {
        self.engine.graph.own_state(self.id, state)
    }

    fn written(&self) -> Result<&Machine, Error> {
        self.engine.graph.machine(self.id).ok_or(Error::Derived)
    }

    fn written_mut(&mut self) -> Result<&mut Machine, Error> {
        self.engine.graph.machine_mut(self.id).ok_or(Error::Derived)
    }

    fn running(&self) -> Result<(), Error> {
        self.engine
            .behaviors
            .runs_or_will(&self.engine.cx, &self.engine.graph, self.id)
            .then_some(())
            .ok_or(Error::NotLoaded)
    }
}

impl Graph {
    /// Returns the number of states that the layers of a timeline make.
    pub(super) fn layered_states(&self, id: ids::BoxId) -> usize {
        self.boxes[id.index()].inside.as_ref().map_or(0, |i| i.states.states().len())
    }

    /// Returns the number of the current state.
    pub(super) fn state_index(&self, id: ids::BoxId) -> Option<usize> {
        if self.machine(id).is_some() {
            return self.current_state(id);
        }
        let inside = self.boxes[id.index()].inside.as_ref().filter(|_| self.inside_loaded(id))?;
        inside.states.index_at(inside.timeline.load_frame())
    }

    fn is_final(&self, id: ids::BoxId, state: usize) -> bool {
        match self.machine(id) {
            Some(m) => m.states[state].is_final,
            None => state + 1 == self.layered_states(id),
        }
    }

    /// Returns the timeline that enters the states of a state machine, if its cursor moves and it is loaded.
    pub(super) fn timeline_of_machine(&self, id: ids::BoxId) -> Option<ids::BoxId> {
        let inside = self.boxes[id.index()].inside.as_ref()?;
        let timeline = inside.driven_by.unwrap_or(id);
        let clocked = self.timeline(timeline).is_some_and(|t| t.clocked);
        (clocked && self.inside_loaded(timeline)).then_some(timeline)
    }

    /// Returns the first frame at which a timeline enters a state.
    fn frame_of_state(&self, timeline: ids::BoxId, state: usize) -> Option<i64> {
        let inside = self.boxes[timeline.index()].inside.as_ref()?;
        let written = inside.drives.is_some() || inside.machine.is_some();
        let mut all = inside.states.states().iter().enumerate();
        let hit = all.find(|(at, s)| if written { s.keyframes.first() == Some(&Some(state)) } else { *at == state });
        hit.map(|(_, s)| s.begin)
    }

    pub(super) fn own_state(&self, of: ids::BoxId, state: StateId) -> Result<usize, Error> {
        if state.engine != self.number {
            return Err(Error::Foreign);
        }
        let index = state.index as usize;
        let known = match self.machine(of) {
            Some(m) => m.states.get(index).is_some_and(|s| !s.removed),
            None => index < self.layered_states(of),
        };
        (known && state.of == of.0).then_some(index).ok_or(Error::UnknownState)
    }

    pub(super) fn own_transition(&self, of: ids::BoxId, transition: TransitionId) -> Result<usize, Error> {
        if transition.engine != self.number {
            return Err(Error::Foreign);
        }
        let index = transition.index as usize;
        let known = self.machine(of).and_then(|m| m.transitions.get(index)).is_some_and(|t| !t.removed);
        (known && transition.of == of.0).then_some(index).ok_or(Error::UnknownTransition)
    }
}

impl Behaviors {
    /// Returns whether the inside of a box is loaded or about to be, so that a call does not have to wait for the
    /// callbacks of the load.
    fn runs_or_will(&self, cx: &Context, graph: &Graph, id: ids::BoxId) -> bool {
        let coming = self.root_of(graph, id).is_some_and(|b| !self.all[b.index()].closed() && !self.stops(cx, b));
        graph.inside_loaded(id) || (coming && graph.machine(id).is_some())
    }
}
