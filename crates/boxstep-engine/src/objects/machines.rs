//! State machines.

use super::{BoxId, Cx, Error, Frame, ListenerId, StateId, StateMachineId, TransitionId};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::callbacks::{CallbackEvent, On};
use crate::context::Context;
use crate::graph::Graph;
use crate::ids;
use crate::machine::Machine;
use crate::procedures::Guard;
use std::boxed::Box as Boxed;
use std::sync::Arc;

/// A state machine: made in code, written in a file, or the states of a timeline's layers. Those follow from the
/// keyframes: they can be looked at and gone to, and are entered by the cursor alone.
pub struct StateMachine<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) id: ids::BoxId,
}

impl StateMachine<'_> {
    /// Its handle.
    pub fn id(&self) -> StateMachineId {
        StateMachineId { engine: self.engine.number, index: self.id.0 }
    }

    /// The box that has it; for a state machine made by itself a box of its own.
    pub fn owner(&self) -> BoxId {
        self.engine.handle(self.id)
    }

    /// Its name: that of its box.
    pub fn name(&self) -> Arc<str> {
        self.engine.graph.name(&self.engine.cx.paths, self.id)
    }

    /// Renames one that was made in code.
    ///
    /// # Errors
    /// [`Error::Loaded`], [`Error::Part`].
    pub fn set_name(&mut self, name: &str) -> Result<(), Error> {
        self.engine.rename(self.id, name)
    }

    // ---- states --------------------------------------------------------------------------------

    /// Adds a state that holds these boxes. Several states may hold a box: it stays loaded from one to the other. A box
    /// becomes a part of the state machine; until now it was nobody's.
    ///
    /// # Errors
    /// [`Error::Derived`], [`Error::NoStateMachine`]; [`Error::Elsewhere`] and [`Error::Loaded`] for a box.
    pub fn add_state(&mut self, name: &str, boxes: &[BoxId]) -> Result<StateId, Error> {
        self.written()?;
        let parts = self.engine.adopt(self.id, boxes)?;
        let state =
            self.engine.graph.add_state(&mut self.engine.cx, self.id, name, parts).ok_or(Error::NoStateMachine)?;
        Ok(self.engine.state_handle(self.id, state))
    }

    /// Takes a state away, with the transitions from and to it. It is no longer initial or final then.
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

    /// Its states, in the order in which they were added, or of frames.
    pub fn states(&self) -> Vec<StateId> {
        let handle = |index| self.engine.state_handle(self.id, index);
        match self.written() {
            Ok(m) => m.states.iter().enumerate().filter(|(_, s)| !s.removed).map(|(index, _)| handle(index)).collect(),
            Err(_) => (0..self.engine.graph.layered_states(self.id)).map(handle).collect(),
        }
    }

    /// The state with this label, else with this name.
    pub fn find(&self, name: &str) -> Option<StateId> {
        let index = match self.written() {
            Ok(m) => m.named(name)?,
            Err(_) => {
                let states = &self.engine.graph.boxes[self.id.index()].inside.as_ref()?.states;
                states.index_at(states.labelled(name)?)?
            }
        };
        Some(self.engine.state_handle(self.id, index))
    }

    /// The state that is current; none while it does not run.
    pub fn current_state(&self) -> Option<StateId> {
        let index = self.engine.graph.state_index(self.id)?;
        Some(self.engine.state_handle(self.id, index))
    }

    /// Makes a state the one that is entered first. The last that was named counts; without one the first that was added.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn set_initial_state(&mut self, state: StateId) -> Result<(), Error> {
        let index = self.own(state)?;
        self.written_mut()?.initial = Some(index);
        Ok(())
    }

    /// No state is named as the first any more.
    ///
    /// # Errors
    /// [`Error::Derived`].
    pub fn remove_initial_state(&mut self) -> Result<(), Error> {
        self.written_mut()?.initial = None;
        Ok(())
    }

    /// The state that is entered first.
    pub fn initial_state(&self) -> Option<StateId> {
        let index = match self.written() {
            Ok(m) => m.first()?,
            Err(_) => (self.engine.graph.layered_states(self.id) > 0).then_some(0)?,
        };
        Some(self.engine.state_handle(self.id, index))
    }

    /// Calls a state final. There may be several. Nothing happens there that does not happen elsewhere.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn set_final_state(&mut self, state: StateId) -> Result<(), Error> {
        let index = self.own(state)?;
        self.written_mut()?.states[index].is_final = true;
        Ok(())
    }

    /// Calls a state final no more. False if it was not.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::Derived`].
    pub fn remove_final_state(&mut self, state: StateId) -> Result<bool, Error> {
        let index = self.own(state)?;
        Ok(std::mem::take(&mut self.written_mut()?.states[index].is_final))
    }

    /// The states that are called final; of layers the last.
    pub fn final_states(&self) -> Vec<StateId> {
        let is_final = |s: &StateId| self.engine.graph.is_final(self.id, s.index as usize);
        self.states().into_iter().filter(is_final).collect()
    }

    /// The current state is one that is called final.
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
        Ok(TransitionId { engine: self.engine.number, of: self.id.0, index })
    }

    /// Takes a transition away.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`].
    pub fn remove_transition(&mut self, transition: TransitionId) -> Result<(), Error> {
        let index = self.engine.own_transition(self.id, transition)?;
        self.engine.graph.edit_transition(&mut self.engine.cx, self.id, index, |t| t.removed = true);
        Ok(())
    }

    /// Its transitions, in the order in which they were added.
    pub fn transitions(&self) -> Vec<TransitionId> {
        let Ok(machine) = self.written() else { return Vec::new() };
        let alive = machine.transitions.iter().enumerate().filter(|(_, t)| !t.removed);
        alive.map(|(n, _)| TransitionId { engine: self.engine.number, of: self.id.0, index: n as u32 }).collect()
    }

    /// Takes a transition when its turn comes: first in, first out; if its state is not current then, it is dropped with a
    /// warning. While the state machine is paused it waits.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`], [`Error::NotLoaded`].
    pub fn execute_transition(&mut self, transition: TransitionId) -> Result<(), Error> {
        let index = self.engine.own_transition(self.id, transition)?;
        self.running()?;
        self.engine.take_transition(self.id, index);
        Ok(())
    }

    // ---- run -----------------------------------------------------------------------------------

    /// Enters the initial state. One that runs goes on, also after a pause.
    ///
    /// # Errors
    /// [`Error::NoSuchState`] if it has no states; [`Error::NotLoaded`] for that of a part; [`Error::Over`].
    pub fn run(&mut self) -> Result<(), Error> {
        self.engine.run_machine(self.id)
    }

    /// Takes no transition from now on, until it runs again: the time of the current state stands still, and what is
    /// triggered waits. A goto goes all the same. Nothing happens if it is paused already.
    ///
    /// # Errors
    /// [`Error::NotLoaded`], [`Error::Derived`].
    pub fn pause(&mut self) -> Result<(), Error> {
        self.written()?;
        self.running()?;
        self.engine.graph.pause_machine(&self.engine.cx, self.id);
        Ok(())
    }

    /// Unloads the current state: there is none then. What has been triggered is forgotten. The next run begins in the
    /// initial state.
    ///
    /// # Errors
    /// [`Error::NotLoaded`].
    pub fn stop(&mut self) -> Result<(), Error> {
        self.engine.stop_box(self.id)
    }

    /// A state is current, or about to be.
    pub fn is_running(&self) -> bool {
        self.running().is_ok()
    }

    /// It has been paused.
    pub fn is_paused(&self) -> bool {
        self.written().is_ok_and(|m| m.paused)
    }

    /// Enters a state, from whichever is current; gives the frame at which its timeline enters it, if it does: the cursor
    /// goes there.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::NotLoaded`].
    pub fn go_to_state(&mut self, state: StateId) -> Result<Option<i64>, Error> {
        let index = self.own(state)?;
        self.running()?;
        let Some(timeline) = self.engine.graph.timeline_of_machine(self.id) else {
            self.engine.ask_for_state(self.id, index, Guard::Free);
            return Ok(None);
        };
        let frame = self.engine.graph.frame_of_state(timeline, index);
        match frame {
            Some(frame) => self.engine.goto(timeline, &Frame::Number(frame)),
            None => self.engine.ask_for_state(self.id, index, Guard::Free),
        }
        Ok(frame)
    }

    /// Enters the state with this label, else with this name.
    ///
    /// # Errors
    /// [`Error::NoSuchState`], and then nothing changes; [`Error::NotLoaded`].
    pub fn go_to_name(&mut self, name: &str) -> Result<Option<i64>, Error> {
        let state = self.find(name).ok_or_else(|| Error::NoSuchState(name.into()))?;
        self.go_to_state(state)
    }

    /// Enters the state that a frame belongs to. A timeline that drives the state machine puts its cursor on that very frame.
    ///
    /// # Errors
    /// [`Error::NoSuchState`] if it belongs to none, and then nothing changes; [`Error::NotLoaded`].
    pub fn go_to_frame(&mut self, frame: i64) -> Result<StateId, Error> {
        self.running()?;
        let state = self.state_at(frame).ok_or_else(|| Error::NoSuchState(format!("at frame {frame}").into()))?;
        match self.engine.graph.timeline_of_machine(self.id) {
            Some(timeline) => self.engine.goto(timeline, &Frame::Number(frame)),
            None => self.engine.ask_for_state(self.id, state.index as usize, Guard::Free),
        }
        Ok(state)
    }

    /// The state that a frame belongs to: the one that begins there or last before, unless it has ended by then. The last state of
    /// layers lasts as long as its timeline. A frame that the timeline does not have belongs to no state.
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
        Some(self.engine.state_handle(self.id, index))
    }

    /// Has a function called each time a state has been entered: when the next is loaded and the one before is
    /// unloaded.
    pub fn on_new_state(&mut self, mut f: impl FnMut(&mut Cx<'_>, StateId) + Send + 'static) -> ListenerId {
        let told = move |cx: &mut Cx<'_>, what: &CallbackEvent| {
            if let CallbackEvent::State(of, index) = *what {
                let state = cx.engine.state_handle(of, index);
                f(cx, state);
            }
        };
        self.engine.listen_to(On::NewState(self.id), Boxed::new(told))
    }

    fn own(&self, state: StateId) -> Result<usize, Error> {
        self.engine.own_state(self.id, state)
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
    /// How many states the layers of a timeline make.
    pub(super) fn layered_states(&self, id: ids::BoxId) -> usize {
        self.boxes[id.index()].inside.as_ref().map_or(0, |i| i.states.states().len())
    }

    /// The current state's number.
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

    /// The timeline that enters the states of a state machine, if its cursor moves and it is loaded.
    pub(super) fn timeline_of_machine(&self, id: ids::BoxId) -> Option<ids::BoxId> {
        let inside = self.boxes[id.index()].inside.as_ref()?;
        let timeline = inside.driven_by.unwrap_or(id);
        let clocked = self.timeline(timeline).is_some_and(|t| t.clocked);
        (clocked && self.inside_loaded(timeline)).then_some(timeline)
    }

    /// The first frame at which a timeline enters a state.
    fn frame_of_state(&self, timeline: ids::BoxId, state: usize) -> Option<i64> {
        let inside = self.boxes[timeline.index()].inside.as_ref()?;
        let written = inside.drives.is_some() || inside.machine.is_some();
        let mut all = inside.states.states().iter().enumerate();
        let hit = all.find(|(at, s)| if written { s.keyframes.first() == Some(&Some(state)) } else { *at == state });
        hit.map(|(_, s)| s.begin)
    }
}

impl Behaviors {
    /// The inside of a box is loaded, or about to be: a call does not have to wait until all have been told of the load.
    fn runs_or_will(&self, cx: &Context, graph: &Graph, id: ids::BoxId) -> bool {
        let coming = self.root_of(graph, id).is_some_and(|b| !self.all[b.index()].closed() && !self.stops(cx, b));
        graph.inside_loaded(id) || (coming && graph.machine(id).is_some())
    }
}

impl Engine {
    pub(super) fn own_state(&self, of: ids::BoxId, state: StateId) -> Result<usize, Error> {
        if state.engine != self.number {
            return Err(Error::Foreign);
        }
        let index = state.index as usize;
        let known = match self.graph.machine(of) {
            Some(m) => m.states.get(index).is_some_and(|s| !s.removed),
            None => index < self.graph.layered_states(of),
        };
        (known && state.of == of.0).then_some(index).ok_or(Error::UnknownState)
    }

    pub(super) fn own_transition(&self, of: ids::BoxId, transition: TransitionId) -> Result<usize, Error> {
        if transition.engine != self.number {
            return Err(Error::Foreign);
        }
        let index = transition.index as usize;
        let known = self.graph.machine(of).and_then(|m| m.transitions.get(index)).is_some_and(|t| !t.removed);
        (known && transition.of == of.0).then_some(index).ok_or(Error::UnknownTransition)
    }

    /// Runs the state machine of a box: starts its box, or goes on after a pause.
    pub(super) fn run_machine(&mut self, id: ids::BoxId) -> Result<(), Error> {
        if self.graph.machine(id).is_some_and(|m| m.first().is_none()) {
            return Err(Error::NoSuchState("of any name".into()));
        }
        if self.behaviors.root_of(&self.graph, id).is_some() {
            self.load_root(id, true)?;
        } else if !self.graph.boxes[id.index()].life.in_scope() {
            return Err(Error::NotLoaded);
        } else if !self.graph.inside_loaded(id) {
            super::Box { engine: self, id }.start()?;
        }
        self.resume_machine(id);
        Ok(())
    }
}
