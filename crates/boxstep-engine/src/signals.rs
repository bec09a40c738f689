//! Inputs and outputs: the effect of a stimulation.
//!
//! Public source: "Input / Output" and "Loading, unloading, starting and stopping …" (Choregraphe
//! reference). Rules and tests: `docs/reference/semantics/links.md`.

use crate::Engine;
use crate::callbacks::{CallbackEvent, On};
use crate::config::Config;
use crate::context::{Acts, Context};
use crate::event_loop::Work;
use crate::fast_path::{Carried, Signal};
use crate::graph::{Body, Graph, InsideState, Target, TargetKind};
use crate::ids::{BoxId, DiagramId};
use crate::lifecycle::{Policy, Step};
use crate::native::Put;
use crate::procedures::ProcKind;
use crate::resources::Resources;
use crate::trace::{BoxPhase, DropReason, EndReason, Kind, ValueType};
use boxstep_format::model::{InputNature, OutputNature, PortType};
use boxstep_types::Value;

impl Graph {
    /// A parameter's value as the box sees it: its own, or with "inherit from parent" that of the nearest parent that
    /// has a parameter of this name. A name the box does not have is looked up in its parents too. `None` if neither
    /// has it.
    pub(crate) fn parameter(&self, of: BoxId, name: &str) -> Option<&Value> {
        let mut own = None;
        for id in self.ancestors(of) {
            let node = &self.boxes[id.index()];
            if let Some(p) = node.param(name).map(|i| &node.params[i]) {
                if !p.inherits {
                    return Some(&p.value);
                }
                own = Some(&p.value);
            }
        }
        own
    }

    /// Returns whether a box is still in this generation of its lifecycle and in scope, so that signals reach it.
    #[inline]
    pub(crate) fn takes_signals(&self, id: BoxId, life: u32) -> bool {
        let own = &self.boxes[id.index()].life;
        own.generation() == life && own.in_scope()
    }

    /// Traces that a signal has come too late.
    #[cold]
    pub(crate) fn late(&self, cx: &mut Context, target: Target, value: Value, why: DropReason) {
        let node = &self.boxes[target.to.index()];
        let port = usize::from(target.port);
        let id = match target.kind {
            TargetKind::Input => node.kind.inputs[port].id,
            TargetKind::Parameter => node.params[port].id,
            TargetKind::ParentOutput => node.kind.outputs[port].id,
        };
        let path = node.path;
        cx.note(path, Kind::Dropped { port: id, value, why });
    }

    /// Stores a parameter's value.
    pub(crate) fn store_parameter(&mut self, cx: &mut Context, of: BoxId, param: usize, value: Value) {
        let node = &mut self.boxes[of.index()];
        node.params[param].value = value.clone();
        let (path, id) = (node.path, node.params[param].id);
        cx.trace(path, Kind::Parameter { name: id, value });
    }

    /// Queues a signal for each link of an output.
    #[inline]
    pub(crate) fn transmit(&self, cx: &mut Context, config: &Config, of: BoxId, output: u16, value: Value) {
        let node = &self.boxes[of.index()];
        let port = &node.kind.outputs[usize::from(output)];
        let Some(home) = node.home else {
            if port.nature == OutputNature::OnStopped && node.policy == Policy::Root {
                cx.push(Work::StopBehavior(node.behavior, EndReason::Ended, cx.cause()));
            }
            return;
        };
        let diagram = &self.diagrams[home.index()];
        if !diagram.active() {
            let (path, port) = (node.path, port.id);
            cx.note(path, Kind::Dropped { port, value, why: DropReason::DiagramNotLoaded });
            return;
        }
        let (generation, cause) = (diagram.generation, cx.cause());
        let value = if config.naoqi_numbers { in_32_bits(value) } else { value };
        if let Some((last, rest)) = node.targets(output).split_last() {
            for target in rest {
                let value = value.clone();
                cx.push(Work::Signal { diagram: home, generation, target: *target, cause, value });
            }
            cx.push(Work::Signal { diagram: home, generation, target: *last, cause, value });
        }
    }

    /// Ends a box by itself. If there is an inside to unload or are resources to release, returns the procedure that
    /// does it first.
    fn end_box(
        &mut self,
        cx: &mut Context,
        config: &Config,
        resources: &Resources,
        of: BoxId,
        output: u16,
        value: Value,
    ) -> Option<ProcKind> {
        let node = &mut self.boxes[of.index()];
        node.stops += 1;
        let inside = node.inside.as_ref().is_some_and(|i| i.state != InsideState::Unloaded || i.owner.is_some());
        if inside || !node.kind.resources.is_empty() || resources.concerns(of) {
            return Some(self.box_step(of, Step::End, output, value));
        }
        if node.life.stop().is_ok() {
            let again = node.life.stopped();
            let path = node.path;
            if again.is_ok() {
                cx.note(path, Kind::Box { phase: BoxPhase::Stopped });
            }
        }
        self.transmit(cx, config, of, output, value);
        self.box_worked(cx, of);
        None
    }

    /// Queues signals from an input of a box to the links in every loaded diagram inside it.
    pub(crate) fn forward(&self, cx: &mut Context, config: &Config, to: BoxId, input: u16, value: &Value) {
        if let Some(sole) = self.boxes[to.index()].sole {
            self.forward_into(cx, config, sole, input, value);
            return;
        }
        for layer in 0.. {
            let Some(inside) = &self.boxes[to.index()].inside else { return };
            let Some(layer) = inside.layers.get(layer) else { return };
            if let Some(loaded) = layer.current {
                self.forward_into(cx, config, layer.keyframes[loaded].diagram, input, value);
            }
        }
    }

    /// Queues signals from an input of the owner to the links of one diagram.
    pub(crate) fn forward_into(&self, cx: &mut Context, config: &Config, id: DiagramId, input: u16, value: &Value) {
        let diagram = &self.diagrams[id.index()];
        if !diagram.active() {
            return;
        }
        let (generation, cause) = (diagram.generation, cx.cause());
        let value = if config.naoqi_numbers { &in_32_bits(value.clone()) } else { value };
        for target in self.links.of(diagram.from_inputs, input) {
            cx.push(Work::Signal { diagram: id, generation, target: *target, cause, value: value.clone() });
        }
    }
}

impl Engine {
    /// Delivers a signal along a link, and the signals that follow from it as long as there is nothing else to do.
    #[inline]
    pub(crate) fn signal(&mut self, diagram: DiagramId, generation: u32, target: Target, value: Value) {
        let mut signal = Signal { value, target, diagram, generation };
        if !self.config.naoqi_numbers && !self.debugger.is_watching() {
            signal = match self.fast_path.carry(&mut self.cx, &self.graph, &mut self.budget, signal) {
                Carried::There => return,
                Carried::Outputs(of) => return self.native_done(of),
                Carried::Ordinary(signal) => signal,
            };
        }
        let Signal { value, target, diagram, generation } = signal;
        if self.graph.diagrams[diagram.index()].generation != generation
            && !self.graph.outlives_its_state(diagram, generation, target)
        {
            self.graph.late(&mut self.cx, target, value, DropReason::DiagramUnloaded);
            return;
        }
        // An output in one box's onStop must not start another box.
        if self.end.interrupted().is_some() {
            self.graph.late(&mut self.cx, target, value, DropReason::Interrupted);
            return;
        }
        match target.kind {
            TargetKind::Input => self.input(target.to, target.port, value),
            TargetKind::Parameter => self.set_parameter_by_link(target.to, target.port, value),
            // While a box runs its own onUnload, the boxes inside it still exist, but their signals go nowhere.
            TargetKind::ParentOutput if self.graph.boxes[target.to.index()].life.leaving() => {
                self.graph.late(&mut self.cx, target, value, DropReason::BoxNotLoaded);
            }
            TargetKind::ParentOutput => self.output(target.to, target.port, value),
        }
    }

    /// Stimulates an input of a box that is in scope.
    pub(crate) fn input(&mut self, to: BoxId, input: u16, value: Value) {
        let node = &self.graph.boxes[to.index()];
        let port = &node.kind.inputs[usize::from(input)];
        let (path, id, nature, handled) = (node.path, port.id, port.nature, port.handled);
        let value = match wanted(port.port_type, &value) {
            Fit::Fits => value,
            Fit::Drop => Value::Null,
            Fit::Mismatch(wanted) => {
                let port = port.id;
                self.cx.note(path, Kind::Mismatch { port, value: value.clone(), wanted });
                value
            }
        };
        if !self.count_signal(path, handled) {
            return;
        }
        if self.cx.tracer.on() {
            self.cx.trace(path, Kind::Input { port: id, value: value.clone() });
        }
        if self.callbacks.listens(On::Input(to, input)) {
            self.callbacks.notify(&mut self.cx, On::Input(to, input), CallbackEvent::Port(value.clone()));
        }
        if matches!(self.graph.boxes[to.index()].body, Body::Native) {
            self.fast_path.input(self.cx.now(), to, input, &value);
            return self.native_done(to);
        }
        match nature {
            InputNature::OnStart => {
                let start = self.graph.box_step(to, Step::Activate, input, value);
                self.spawn(start);
            }
            InputNature::OnStop => {
                let stop = self.graph.box_step(to, Step::Stop, input, value);
                self.spawn(stop);
            }
            InputNature::Memory => self.graph.forward(&mut self.cx, &self.config, to, input, &value),
            InputNature::OnEvent | InputNature::OnLoad | InputNature::Unknown(_) => {
                if handled {
                    let life = self.graph.boxes[to.index()].life.generation();
                    self.spawn(ProcKind::Event { id: to, input, value, life, called: false });
                } else {
                    let event = self.dialogs.event(&self.graph, to, input, &value);
                    self.follow_up(event);
                    self.graph.forward(&mut self.cx, &self.config, to, input, &value);
                }
            }
        }
    }

    /// Follows the outputs of a native box that take the ordinary path.
    pub(crate) fn native_done(&mut self, of: BoxId) {
        let mut puts = self.fast_path.take_outputs();
        // Every output is caused by the box's input, not by the output before it.
        self.side_by_side(puts.drain(..), |engine, put| match put {
            Put::Output(output, value) if usize::from(output) < engine.graph.boxes[of.index()].kind.outputs.len() => {
                engine.output(of, output, value);
            }
            Put::Output(..) => {}
            Put::Timeline(command) => engine.graph.signal_timeline(&mut engine.cx, of, true, command),
        });
        self.fast_path.give_back(puts);
    }

    /// Stimulates an output of a box, on behalf of its script, a box inside it, or a caller outside.
    pub(crate) fn output(&mut self, of: BoxId, output: u16, value: Value) {
        let node = &self.graph.boxes[of.index()];
        let port = &node.kind.outputs[usize::from(output)];
        let stopped = port.nature == OutputNature::OnStopped;
        let (path, id) = (node.path, port.id);
        let value = match wanted(port.port_type, &value) {
            Fit::Fits => value,
            Fit::Drop => Value::Null,
            Fit::Mismatch(wanted) => {
                let port = port.id;
                self.cx.note(path, Kind::Mismatch { port, value: value.clone(), wanted });
                value
            }
        };
        if self.cx.tracer.on() {
            self.cx.trace(path, Kind::Output { port: id, value: value.clone() });
        }
        if self.callbacks.listens(On::Output(of, output)) {
            self.callbacks.notify(&mut self.cx, On::Output(of, output), CallbackEvent::Port(value.clone()));
        }
        if !stopped {
            return self.graph.transmit(&mut self.cx, &self.config, of, output, value);
        }
        // The box has ended by itself.
        if let Body::Dialog(index) = self.graph.boxes[of.index()].body {
            self.step_dialog(of, index, Step::End, 0, &Value::Null);
        }
        // The end of the root box ends the behavior: the deadline of its stop counts from now.
        let node = &self.graph.boxes[of.index()];
        if node.policy == Policy::Root {
            self.behaviors.begin_deadline(&mut self.cx, node.behavior);
        }
        let end = self.graph.end_box(&mut self.cx, &self.config, &self.resources, of, output, value);
        if let Some(end) = end {
            self.spawn(end);
        }
    }

    /// Sets a parameter, and calls the script's `setParameter` if it defines one.
    pub(crate) fn set_parameter_by_link(&mut self, of: BoxId, param: u16, value: Value) {
        let hook = self.graph.boxes[of.index()].hooks.set_parameter;
        if !self.count_signal(self.graph.path_of(of), hook) {
            return;
        }
        self.graph.store_parameter(&mut self.cx, of, usize::from(param), value.clone());
        let node = &self.graph.boxes[of.index()];
        if node.hooks.set_parameter && node.life.in_scope() {
            let name = node.params[usize::from(param)].name.clone();
            self.tasks.call_set_parameter(&mut self.cx, &self.graph, of, name, value);
        }
    }
}

/// Converts a value to the precision of NAOqi's own value type: whole numbers keep 32 bits, others single precision.
fn in_32_bits(value: Value) -> Value {
    match value {
        Value::Int(n) => Value::Int((n as i32).into()),
        Value::Float(x) => Value::Float((x as f32).into()),
        Value::List(items) => Value::list(items.iter().cloned().map(in_32_bits)),
        Value::Map(pairs) => Value::Map(pairs.iter().map(|(k, v)| (k.clone(), in_32_bits(v.clone()))).collect()),
        other => other,
    }
}

/// Whether a value fits the type of a port.
enum Fit {
    Fits,
    /// A bang takes no value: the value is dropped.
    Drop,
    /// The value is passed on nevertheless, with a note of the mismatch in the trace.
    Mismatch(ValueType),
}

/// Checks a value against a port's type. Numbers and texts may come alone or in lists. A bang on a typed port carries
/// no value; an editor's double-click sends such a bang too.
fn wanted(port_type: PortType, value: &Value) -> Fit {
    let fits = match (port_type, value) {
        (PortType::Bang, Value::Null) => true,
        (PortType::Bang, _) => return Fit::Drop,
        (PortType::Number, Value::List(items)) => items.iter().all(|v| v.as_f64().is_some()),
        (PortType::Number, Value::Bool(_) | Value::Int(_) | Value::Float(_)) => true,
        (PortType::Number, _) => false,
        (PortType::String, Value::List(items)) => items.iter().all(|v| v.as_str().is_some()),
        (PortType::String, Value::Str(_) | Value::Bytes(_)) => true,
        (PortType::String, _) => false,
        _ => true,
    };
    match (fits, port_type) {
        (true, _) => Fit::Fits,
        (false, PortType::Number) => Fit::Mismatch(ValueType::Number),
        (false, _) => Fit::Mismatch(ValueType::String),
    }
}
