//! States and transitions.

use super::{BoxId, Cx, Error, ListenerId, StateId, StateMachineId, TransitionId, When};
use crate::Engine;
use crate::callbacks::{CallbackEvent, On};
use crate::graph::{Target, TargetKind};
use crate::ids;
use crate::ids::DiagramId;
use crate::machine::{LinkFrom, MachineTransition, StateInfo};
use std::boxed::Box as Boxed;
use std::sync::Arc;

/// A state of a state machine.
pub struct State<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) of: ids::BoxId,
    pub(super) index: usize,
}

impl State<'_> {
    /// Returns the state's handle.
    pub fn id(&self) -> StateId {
        self.engine.graph.state_handle(self.of, self.index)
    }

    /// Returns the state machine that owns the state.
    pub fn state_machine(&self) -> StateMachineId {
        StateMachineId { engine: self.engine.graph.number, index: self.of.0 }
    }

    /// Returns the state's name. States of layers have none in the file; they are called `state_` and their number, as
    /// in split folders.
    pub fn name(&self) -> Arc<str> {
        self.info().map_or_else(|| format!("state_{}", self.index).into(), |s| s.name.clone())
    }

    /// Renames the state.
    ///
    /// # Errors
    /// [`Error::Derived`].
    pub fn set_name(&mut self, name: &str) -> Result<(), Error> {
        self.edit(|s| s.name = name.into())
    }

    /// Returns the state's labels, which a goto can name.
    pub fn labels(&self) -> Vec<Arc<str>> {
        self.info().map_or_else(|| self.derived().map_or_else(Vec::new, |s| s.labels.clone()), |s| s.labels.clone())
    }

    /// Adds a label. If two states have the same label, it means the first.
    ///
    /// # Errors
    /// [`Error::Derived`].
    pub fn add_label(&mut self, label: &str) -> Result<(), Error> {
        self.edit(|s| s.labels.push(label.into()))
    }

    /// Returns the frames that the state covers: from the first up to, and not including, the second. The timeline of
    /// the state machine enters the state at the first.
    pub fn interval(&self) -> Option<(i64, i64)> {
        match self.info() {
            Some(s) => Some((s.begin?, s.end?)),
            None => {
                let states = self.engine.graph.boxes[self.of.index()].inside.as_ref()?.states.states();
                let begin = states.get(self.index)?.begin;
                Some((begin, states.get(self.index + 1).map_or(begin + 1, |s| s.begin)))
            }
        }
    }

    /// Sets the frames that the state covers; `None` for none.
    ///
    /// # Errors
    /// [`Error::BadInterval`], [`Error::Derived`].
    pub fn set_interval(&mut self, interval: Option<(i64, i64)>) -> Result<(), Error> {
        if let Some((begin, end)) = interval.filter(|(begin, end)| end <= begin) {
            return Err(Error::BadInterval(begin, end));
        }
        self.edit(|s| (s.begin, s.end) = interval.unzip())
    }

    /// Returns the boxes that the state holds.
    pub fn boxes(&self) -> Vec<BoxId> {
        let boxes = self.diagrams().into_iter().flat_map(|d| self.engine.graph.diagrams[d.index()].boxes.iter());
        boxes.map(|b| self.engine.graph.handle(*b)).collect()
    }

    /// Adds a box to a state that is not current.
    ///
    /// # Errors
    /// [`Error::Current`], [`Error::Derived`]; [`Error::Elsewhere`] and [`Error::Loaded`] for the box.
    pub fn add_box(&mut self, id: BoxId) -> Result<(), Error> {
        self.resting()?;
        for part in self.engine.behaviors.adopt(
            &mut self.engine.cx,
            &mut self.engine.graph,
            &mut self.engine.fast_path,
            self.of,
            &[id],
        )? {
            self.engine.graph.add_to_state(self.of, self.index, part);
        }
        Ok(())
    }

    /// Links an output of a box to an input or parameter of another, while the state is current. The box that owns the
    /// state machine can be on either side: its inputs lead into the state, and the state leads to its outputs. A link
    /// from its `onLoad` input starts what the state begins with.
    ///
    /// # Errors
    /// [`Error::NoSuchPort`], [`Error::NoSuchBox`] for a box that the state does not hold; [`Error::Current`],
    /// [`Error::Derived`].
    pub fn link(&mut self, from: (BoxId, &str), to: (BoxId, &str)) -> Result<(), Error> {
        self.resting()?;
        let (from_box, to_box) = (self.engine.graph.own_box(from.0)?, self.engine.graph.own_box(to.0)?);
        let held = self.boxes();
        for id in [from.0, to.0] {
            if id.index != self.of.0 && !held.contains(&id) {
                return Err(Error::NoSuchBox(
                    self.engine.graph.name(&self.engine.cx.paths, ids::BoxId(id.index)).to_string(),
                ));
            }
        }
        let missing = |name: &str| Error::NoSuchPort(name.into());
        let (source, sink) = (&self.engine.graph.boxes[from_box.index()], &self.engine.graph.boxes[to_box.index()]);
        let from = if from_box == self.of {
            LinkFrom::Around(source.input(from.1).ok_or_else(|| missing(from.1))? as u16)
        } else {
            LinkFrom::Output(from_box, source.output(from.1).ok_or_else(|| missing(from.1))? as u16)
        };
        let (kind, port) = if to_box == self.of {
            (TargetKind::ParentOutput, sink.output(to.1))
        } else if let Some(input) = sink.input(to.1) {
            (TargetKind::Input, Some(input))
        } else {
            (TargetKind::Parameter, sink.param(to.1))
        };
        let port = port.ok_or_else(|| missing(to.1))? as u16;
        self.engine.graph.add_link(self.of, self.index, from, Target { to: to_box, port, kind });
        Ok(())
    }

    /// Registers a callback for each time that the state's boxes are loaded and its links are active.
    ///
    /// # Errors
    /// [`Error::Derived`].
    pub fn on_load(&mut self, mut f: impl FnMut(&mut Cx<'_>) + Send + 'static) -> Result<ListenerId, Error> {
        let diagram = self.own_diagram()?;
        Ok(self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::DiagramLoad(diagram),
            Boxed::new(move |cx: &mut Cx<'_>, _: &CallbackEvent| f(cx)),
        ))
    }

    /// Registers a callback for each time that the state's links are broken, before its boxes are unloaded.
    ///
    /// # Errors
    /// [`Error::Derived`].
    pub fn on_unload(&mut self, mut f: impl FnMut(&mut Cx<'_>) + Send + 'static) -> Result<ListenerId, Error> {
        let diagram = self.own_diagram()?;
        Ok(self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::DiagramUnload(diagram),
            Boxed::new(move |cx: &mut Cx<'_>, _: &CallbackEvent| f(cx)),
        ))
    }

    /// Returns the transitions that lead from this state.
    pub fn transitions(&self) -> Vec<TransitionId> {
        let all = self.engine.graph.machine(self.of).map_or(&[][..], |m| &m.transitions);
        let own = all.iter().enumerate().filter(|(_, t)| t.from == self.index && !t.removed);
        own.map(|(n, _)| TransitionId { engine: self.engine.graph.number, of: self.of.0, index: n as u32 }).collect()
    }

    fn info(&self) -> Option<&StateInfo> {
        self.engine.graph.machine(self.of)?.states.get(self.index)
    }

    fn derived(&self) -> Option<&crate::state_machine::TimelineState> {
        self.engine.graph.boxes[self.of.index()].inside.as_ref()?.states.states().get(self.index)
    }

    fn edit(&mut self, edit: impl FnOnce(&mut StateInfo)) -> Result<(), Error> {
        self.info().ok_or(Error::Derived)?;
        self.engine.graph.edit_state(&mut self.engine.cx, self.of, self.index, edit);
        Ok(())
    }

    pub(super) fn own_diagram(&self) -> Result<DiagramId, Error> {
        self.info().ok_or(Error::Derived)?;
        self.engine.graph.state_diagram(self.of, self.index).ok_or(Error::UnknownState)
    }

    /// Checks that the state's boxes and links may be changed.
    fn resting(&self) -> Result<(), Error> {
        self.info().ok_or(Error::Derived)?;
        let current = self.engine.graph.current_state(self.of) == Some(self.index);
        if current { Err(Error::Current) } else { Ok(()) }
    }

    fn diagrams(&self) -> Vec<DiagramId> {
        let Some(inside) = &self.engine.graph.boxes[self.of.index()].inside else { return Vec::new() };
        if self.info().is_some() {
            return self.engine.graph.state_diagram(self.of, self.index).into_iter().collect();
        }
        let keyframes = self.derived().map_or(&[][..], |s| &s.keyframes);
        let held = inside.layers.iter().zip(keyframes).filter_map(|(l, k)| Some(l.keyframes.get((*k)?)?.diagram));
        held.collect()
    }
}

/// A transition between two states of a state machine.
pub struct Transition<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) of: ids::BoxId,
    pub(super) index: usize,
}

impl Transition<'_> {
    /// Returns the transition's handle.
    pub fn id(&self) -> TransitionId {
        TransitionId { engine: self.engine.graph.number, of: self.of.0, index: self.index as u32 }
    }

    /// Returns the state machine that owns the transition.
    pub fn state_machine(&self) -> StateMachineId {
        StateMachineId { engine: self.engine.graph.number, index: self.of.0 }
    }

    fn data(&self) -> Result<&MachineTransition, Error> {
        let data = self.engine.graph.machine(self.of).and_then(|m| m.transitions.get(self.index));
        data.filter(|t| !t.removed).ok_or(Error::UnknownTransition)
    }

    /// Returns the transition's name, which is empty by default.
    pub fn name(&self) -> Arc<str> {
        self.data().map_or_else(|_| "".into(), |t| t.name.clone())
    }

    /// Renames the transition.
    pub fn set_name(&mut self, name: &str) {
        self.engine.graph.edit_transition(&mut self.engine.cx, self.of, self.index, |t| t.name = name.into());
    }

    /// Returns the state that the transition leads from.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`] once it has been removed.
    pub fn from(&self) -> Result<StateId, Error> {
        Ok(self.engine.graph.state_handle(self.of, self.data()?.from))
    }

    /// Returns the state that the transition leads to.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`] once it has been removed.
    pub fn to(&self) -> Result<StateId, Error> {
        Ok(self.engine.graph.state_handle(self.of, self.data()?.to))
    }

    /// Returns the condition under which the transition is taken automatically.
    ///
    /// # Errors
    /// [`Error::UnknownTransition`] once it has been removed.
    pub fn when(&self) -> Result<When, Error> {
        Ok(self.data()?.when)
    }

    /// Sets the condition under which the transition is taken automatically. A time counts from the entry into the
    /// state, even if the state is current now.
    pub fn set_when(&mut self, when: When) {
        self.engine.graph.edit_transition(&mut self.engine.cx, self.of, self.index, |t| t.when = when);
    }

    /// Queues the transition, if its state is current. It is taken if the state is still current then.
    ///
    /// # Errors
    /// [`Error::NotCurrent`], [`Error::UnknownTransition`].
    pub fn trigger(&mut self) -> Result<(), Error> {
        let from = self.data()?.from;
        if self.engine.graph.current_state(self.of) != Some(from) {
            return Err(Error::NotCurrent);
        }
        {
            let next = self.engine.graph.take_transition(self.of, self.index);
            self.engine.follow_up(next);
        }
        Ok(())
    }
}
