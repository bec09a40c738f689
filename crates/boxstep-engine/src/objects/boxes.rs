//! Boxes.

use super::{BoxId, Cx, Error, ListenerId, Phase, StateMachineId, TimelineCommand, TimelineId};
use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::callbacks::{CallbackEvent, On};
use crate::context::Context;
use crate::event_loop::Work;
use crate::fast_path::FastPath;
use crate::follow_up::FollowUp;
use crate::graph;
use crate::graph::Graph;
use crate::ids;
use crate::lifecycle::Step;
use crate::objects::calls::Listeners;
use crate::trace::EndReason;
use boxstep_format::model::{InputNature, OutputNature};
use boxstep_types::{BoxPath, Value};
use std::boxed::Box as Boxed;
use std::sync::Arc;

/// A box: created in code, or part of a behavior from a file.
///
/// A root, which no other box loads, can be loaded, started, stopped and unloaded here. A part of another box is loaded
/// by that box, and started and stopped through its inputs.
pub struct Box<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) id: ids::BoxId,
}

impl Box<'_> {
    fn node(&self) -> &graph::BoxNode {
        &self.engine.graph.boxes[self.id.index()]
    }

    /// Returns the box's handle.
    pub fn id(&self) -> BoxId {
        self.engine.graph.handle(self.id)
    }

    /// Returns the box's name.
    pub fn name(&self) -> Arc<str> {
        self.engine.graph.name(&self.engine.cx.paths, self.id)
    }

    /// Renames a box that was created in code and is not loaded.
    ///
    /// # Errors
    /// [`Error::Loaded`]; [`Error::Part`] if the box is part of another.
    pub fn set_name(&mut self, name: &str) -> Result<(), Error> {
        self.engine.behaviors.rename(
            &mut self.engine.cx,
            &mut self.engine.graph,
            &mut self.engine.fast_path,
            self.id,
            name,
        )
    }

    /// Returns the box's path, as traces and messages print it.
    pub fn path(&self) -> BoxPath {
        let path = self.engine.cx.paths.get(self.node().path);
        path.unwrap_or_else(|| BoxPath::root(self.name()))
    }

    /// Returns the phase of the box's lifecycle.
    pub fn phase(&self) -> Phase {
        self.node().life.phase()
    }

    /// Returns whether the box is loaded.
    pub fn is_loaded(&self) -> bool {
        self.node().life.in_scope()
    }

    /// Returns whether the box is started.
    pub fn is_started(&self) -> bool {
        self.engine
            .behaviors
            .root_of(&self.engine.graph, self.id)
            .map_or(self.node().life.started(), |b| self.engine.behaviors.all[b.index()].started)
    }

    /// Returns how many states or other parents keep the box loaded.
    pub fn scopes(&self) -> u32 {
        self.node().life.scopes()
    }

    /// Returns the box that contains this one.
    pub fn parent(&self) -> Option<BoxId> {
        self.node().parent.map(|b| self.engine.graph.handle(b))
    }

    /// Returns the boxes inside, in the order of the file or of their creation.
    pub fn boxes(&self) -> Vec<BoxId> {
        let all = self.engine.graph.boxes.iter().enumerate().filter(|(_, b)| b.parent == Some(self.id));
        all.map(|(index, _)| self.engine.graph.handle(ids::BoxId(index as u32))).collect()
    }

    /// Returns the first box inside with this name.
    pub fn child(&self, name: &str) -> Option<BoxId> {
        let named = |b: &BoxId| *self.engine.graph.name(&self.engine.cx.paths, ids::BoxId(b.index)) == *name;
        self.boxes().into_iter().find(named)
    }

    // ---- life ----------------------------------------------------------------------------------

    /// Constructs and loads the box, unless it is loaded.
    ///
    /// # Errors
    /// [`Error::Part`], [`Error::Over`].
    pub fn load(&mut self) -> Result<(), Error> {
        self.load_root(false)
    }

    /// Starts the box, unless it is started; loads it first, unless it is loaded. After a stop it is constructed again.
    /// A part of another box is started through its first onStart input.
    ///
    /// # Errors
    /// [`Error::Over`]; for a part [`Error::NotLoaded`] and [`Error::NoSuchPort`].
    pub fn start(&mut self) -> Result<(), Error> {
        if self.engine.behaviors.root_of(&self.engine.graph, self.id).is_some() {
            return self.load_root(true);
        }
        let start = self.node().kind.inputs.iter().find(|i| i.nature == InputNature::OnStart).map(|i| i.name.clone());
        let name = start.ok_or_else(|| Error::NoSuchPort("onStart".into()))?;
        self.input(&name, Value::Null)
    }

    /// Stops the box: a root is unloaded and destroyed; of a part, the inside is unloaded, without stimulating the
    /// onStop input.
    ///
    /// # Errors
    /// [`Error::NotLoaded`].
    pub fn stop(&mut self) -> Result<(), Error> {
        let Self { engine, id } = self;
        let id = *id;
        let Some(behavior) = engine.behaviors.root_of(&engine.graph, id) else {
            if !engine.graph.boxes[id.index()].life.in_scope() {
                return Err(Error::NotLoaded);
            }
            let halt = engine.graph.box_step(id, Step::Halt, 0, Value::Null);
            engine.spawn(halt);
            return Ok(());
        };
        engine.behaviors.all[behavior.index()].again = None;
        if engine.behaviors.all[behavior.index()].closed() {
            return Err(Error::NotLoaded);
        }
        engine.follow_up([FollowUp::StopBehavior(behavior, EndReason::Ended)]);
        Ok(())
    }

    /// Like [`Box::stop`], for roots only.
    ///
    /// # Errors
    /// [`Error::NotLoaded`], [`Error::Part`].
    pub fn unload(&mut self) -> Result<(), Error> {
        self.engine.behaviors.root_of(&self.engine.graph, self.id).ok_or(Error::Part)?;
        self.stop()
    }

    /// Registers a callback for each load of the box. The load continues after the callback.
    pub fn on_load(&mut self, mut f: impl FnMut(&mut Cx<'_>) + Send + 'static) -> ListenerId {
        self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::Load(self.id),
            Boxed::new(move |cx, _| f(cx)),
        )
    }

    /// Registers a callback for each unload of the box. The unload continues after the callback.
    pub fn on_unload(&mut self, mut f: impl FnMut(&mut Cx<'_>) + Send + 'static) -> ListenerId {
        self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::Unload(self.id),
            Boxed::new(move |cx, _| f(cx)),
        )
    }

    /// Loads a root, and starts it if `start` is set.
    pub(super) fn load_root(&mut self, start: bool) -> Result<(), Error> {
        let Self { engine, id } = self;
        let id = *id;
        let behavior = engine.behaviors.root_of(&engine.graph, id).ok_or(Error::Part)?;
        if engine.end.has_begun() {
            return Err(Error::Over);
        }
        let stops = engine.behaviors.stops(&engine.cx, behavior);
        let b = &mut engine.behaviors.all[behavior.index()];
        match b.state {
            // The behavior is being stopped: it is loaded again once it is unloaded.
            _ if stops => b.again = Some(start || b.again == Some(true)),
            BehaviorState::Closed => {
                if std::mem::take(&mut b.used) {
                    engine.behaviors.reset(
                        &engine.cx,
                        &mut engine.graph,
                        &mut engine.fast_path,
                        &mut engine.factory,
                        behavior,
                    );
                }
                let load = engine.behaviors.load(&mut engine.cx, &engine.graph, behavior, start);
                engine.spawn(load);
            }
            BehaviorState::Loading => b.start |= start,
            BehaviorState::Running if start && !b.started => {
                let next = engine.behaviors.begin_behavior(
                    &mut engine.cx,
                    &engine.graph,
                    &engine.calls,
                    &engine.debugger,
                    &mut engine.held_controls,
                    behavior,
                );
                engine.follow_up([next]);
            }
            BehaviorState::Running | BehaviorState::Stopping => {}
        }
        Ok(())
    }

    /// Loads and starts a root, and sets its parameters before the start is delivered as separate work.
    ///
    /// # Errors
    /// Returns why it cannot be started, as a text.
    pub(crate) fn start_with(&mut self, parameters: Vec<(Arc<str>, Value)>) -> Result<(), Arc<str>> {
        self.load_root(true).map_err(|e| Arc::from(e.to_string()))?;
        for (name, value) in parameters {
            let set = self.set_parameter(&name, value);
            set.map_err(|_| Arc::from(format!("the behavior has no parameter `{name}`")))?;
        }
        Ok(())
    }

    // ---- ports ---------------------------------------------------------------------------------

    /// Stimulates an input.
    ///
    /// # Errors
    /// [`Error::NoSuchPort`], [`Error::NotLoaded`].
    pub fn input(&mut self, name: &str, value: Value) -> Result<(), Error> {
        self.node().input(name).ok_or_else(|| Error::NoSuchPort(name.into()))?;
        self.stimulate(name, value)
    }

    /// Stimulates an output, as the box itself does.
    ///
    /// # Errors
    /// [`Error::NoSuchPort`], [`Error::NotLoaded`].
    pub fn output(&mut self, name: &str, value: Value) -> Result<(), Error> {
        let output = self.node().output(name).ok_or_else(|| Error::NoSuchPort(name.into()))?;
        if !self.is_loaded() {
            return Err(Error::NotLoaded);
        }
        // The output is identified by its number, because an input may have the same name.
        let (life, cause) = (self.node().life.generation(), self.engine.cx.cause());
        self.engine.cx.push(Work::Output { of: self.id, output: output as u16, life, cause, value });
        Ok(())
    }

    fn stimulate(&mut self, name: &str, value: Value) -> Result<(), Error> {
        if !self.is_loaded() {
            return Err(Error::NotLoaded);
        }
        self.engine.graph.stimulate(&mut self.engine.cx, self.id, name, value);
        Ok(())
    }

    /// Registers a callback for each value of an output.
    ///
    /// # Errors
    /// [`Error::NoSuchPort`].
    pub fn on_output(
        &mut self,
        name: &str,
        mut f: impl FnMut(&mut Cx<'_>, &Value) + Send + 'static,
    ) -> Result<ListenerId, Error> {
        let output = self.node().output(name).ok_or_else(|| Error::NoSuchPort(name.into()))?;
        let notify = move |cx: &mut Cx<'_>, what: &CallbackEvent| {
            if let CallbackEvent::Port(value) = what {
                f(cx, value);
            }
        };
        Ok(self.engine.callbacks.listen_to(
            &mut self.engine.fast_path,
            &self.engine.graph,
            On::Output(self.id, output as u16),
            Boxed::new(notify),
        ))
    }

    /// Returns the names of the inputs, with the nature of each.
    pub fn inputs(&self) -> Vec<(Arc<str>, InputNature)> {
        self.node().kind.inputs.iter().map(|i| (i.name.clone(), i.nature)).collect()
    }

    /// Returns the names of the outputs, with the nature of each.
    pub fn outputs(&self) -> Vec<(Arc<str>, OutputNature)> {
        self.node().kind.outputs.iter().map(|o| (o.name.clone(), o.nature)).collect()
    }

    /// Returns the value of a parameter as the box sees it: its own, or an inherited one.
    ///
    /// # Errors
    /// [`Error::NoSuchPort`].
    pub fn parameter(&self, name: &str) -> Result<Value, Error> {
        self.engine.graph.parameter(self.id, name).cloned().ok_or_else(|| Error::NoSuchPort(name.into()))
    }

    /// Returns the names of the box's own parameters.
    pub fn parameters(&self) -> Vec<Arc<str>> {
        self.node().params.iter().map(|p| p.name.clone()).collect()
    }

    /// Sets one of the box's own parameters.
    ///
    /// # Errors
    /// [`Error::NoSuchPort`].
    pub fn set_parameter(&mut self, name: &str, value: Value) -> Result<(), Error> {
        let param = self.node().param(name).ok_or_else(|| Error::NoSuchPort(name.into()))?;
        self.engine.set_parameter_by_link(self.id, param as u16, value);
        Ok(())
    }

    // ---- inside --------------------------------------------------------------------------------

    /// Returns the box's timeline, if it has one whose cursor moves.
    pub fn timeline(&self) -> Option<TimelineId> {
        let clocked = self.node().inside.as_ref().is_some_and(|i| i.timeline.clocked);
        clocked.then_some(TimelineId { engine: self.engine.graph.number, index: self.id.0 })
    }

    /// Returns the box's state machine: an explicit one, or the states of its timeline's layers.
    pub fn state_machine(&self) -> Option<StateMachineId> {
        let has = self.node().inside.as_ref().is_some_and(|i| i.machine.is_some() || i.timeline.clocked);
        has.then_some(StateMachineId { engine: self.engine.graph.number, index: self.id.0 })
    }

    /// Queues a signal to the timeline around this box, as a script of the box does with `getParentTimeline()`. The
    /// signal is dropped if the box is unloaded by then.
    ///
    /// # Errors
    /// [`Error::NotLoaded`]; [`Error::NoTimeline`] if no timeline is around the box.
    pub fn signal_parent_timeline(&mut self, command: TimelineCommand) -> Result<(), Error> {
        if !self.is_loaded() {
            return Err(Error::NotLoaded);
        }
        self.engine.graph.timeline_around(self.id).ok_or(Error::NoTimeline)?;
        self.engine.graph.signal_timeline(&mut self.engine.cx, self.id, true, command);
        Ok(())
    }
}

impl Graph {
    /// Queues a signal to a timeline: of the box itself, or of the nearest parent that has one.
    pub(crate) fn signal_timeline(&self, cx: &mut Context, of: ids::BoxId, parent: bool, command: TimelineCommand) {
        let (life, cause) = (self.boxes[of.index()].life.generation(), cx.cause());
        cx.push(Work::Timeline { of, life, parent, command: Boxed::new(command), cause });
    }
}

impl Behaviors {
    /// Returns the behavior whose root is this box.
    pub(crate) fn root_of(&self, graph: &Graph, id: ids::BoxId) -> Option<ids::BehaviorId> {
        let behavior = graph.boxes[id.index()].behavior;
        (self.all[behavior.index()].root == id).then_some(behavior)
    }
}

impl Listeners {
    /// Registers a function for each value of an output.
    pub(crate) fn hear_output(
        &mut self,
        fast_path: &mut FastPath,
        graph: &Graph,
        of: ids::BoxId,
        output: u16,
        listener: impl Fn(&Value) + Send + 'static,
    ) {
        let notify = move |_: &mut Cx<'_>, what: &CallbackEvent| {
            if let CallbackEvent::Port(value) = what {
                listener(value);
            }
        };
        self.listen_to(fast_path, graph, On::Output(of, output), Boxed::new(notify));
    }
}
