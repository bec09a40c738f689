//! The shortest way of a signal: from one native box to the next, with the trace off.
//!
//! It does what `Engine::input` and `Engine::output` do for such boxes, on packed tables that stay in
//! the nearest cache. Whatever is out of the ordinary goes the long way.

use crate::Engine;
use crate::engine::Work;
use crate::graph::{BoxId, BoxNode, DiagramId, Target, TargetKind};
use crate::native::{NativeBox, NativeCx};
use boxstep_format::model::{OutputNature, PortType};
use boxstep_types::Value;
use std::collections::VecDeque;

/// Which kinds of single values a port takes as they are: one bit per kind. Lists have none: they are
/// looked into on the long way.
type Kinds = u16;

const fn kind(value: &Value) -> Kinds {
    match value {
        Value::Null => 1,
        Value::Bool(_) => 2,
        Value::Int(_) => 4,
        Value::Float(_) => 8,
        Value::Str(_) => 16,
        Value::Bytes(_) => 32,
        Value::List(_) | Value::Map(_) | Value::Object(_) => 64,
    }
}

const fn kinds(port_type: PortType) -> Kinds {
    match port_type {
        PortType::Bang => 1,
        PortType::Number => 2 | 4 | 8,
        PortType::String => 16 | 32,
        PortType::Dynamic | PortType::Bitmap | PortType::Sound | PortType::Unknown(_) => 127,
    }
}

/// The native boxes and what their signals need, packed.
#[derive(Default)]
pub(crate) struct Fast {
    /// By box; boxes that are not native have no body.
    boxes: Vec<FastBox>,
    inputs: Vec<Kinds>,
    outputs: Vec<FastOutput>,
    targets: Vec<Target>,
}

struct FastBox {
    body: Option<Box<dyn NativeBox>>,
    inputs: u32,
    outputs: u32,
    outputs_end: u32,
}

struct FastOutput {
    takes: Kinds,
    count: u16,
    targets: u32,
}

impl Fast {
    /// Adds a box after all before it; its output links are known.
    pub(crate) fn add(&mut self, node: &BoxNode, body: Option<Box<dyn NativeBox>>) {
        let (inputs, outputs) = (self.inputs.len() as u32, self.outputs.len() as u32);
        if body.is_some() {
            self.inputs.extend(node.inputs.iter().map(|i| kinds(i.port_type)));
            for output in &node.outputs {
                // An output that ends its box, or has no diagram around it, goes the long way always.
                let plain = output.nature != OutputNature::OnStopped && node.home.is_some();
                let count = u16::try_from(output.targets.len());
                let takes = if plain && count.is_ok() { kinds(output.port_type) } else { 0 };
                let targets = self.targets.len() as u32;
                self.outputs.push(FastOutput { takes, count: count.unwrap_or(0), targets });
                self.targets.extend(&output.targets);
            }
        }
        let outputs_end = self.outputs.len() as u32;
        self.boxes.push(FastBox { body, inputs, outputs, outputs_end });
    }

    pub(crate) fn len(&self) -> usize {
        self.boxes.len()
    }

    pub(crate) fn body(&mut self, id: BoxId) -> Option<&mut Box<dyn NativeBox>> {
        self.boxes.get_mut(id.index())?.body.as_mut()
    }
}

/// A signal that is nobody's but the first in line: it takes no turn in the queue.
pub(crate) struct Signal {
    pub(crate) value: Value,
    pub(crate) target: Target,
    pub(crate) diagram: DiagramId,
    pub(crate) generation: u32,
}

/// Where the outputs of a native box lead, at hand while it is called.
pub(crate) struct Way<'a> {
    work: &'a mut VecDeque<Work>,
    /// The signal to be delivered next, if there was nothing before it in the queue when it was sent.
    next: &'a mut Option<Signal>,
    outputs: &'a [FastOutput],
    targets: &'a [Target],
    diagram: DiagramId,
    generation: u32,
    cause: u64,
}

impl Way<'_> {
    /// Sends a value along an output's links. Gives it back if it has to go the long way.
    #[inline]
    pub(crate) fn send(&mut self, output: u16, value: Value) -> Result<(), Value> {
        let Some(fast) = self.outputs.get(usize::from(output)) else { return Err(value) };
        if fast.takes & kind(&value) == 0 {
            return Err(value);
        }
        let &mut Self { diagram, generation, .. } = self;
        if fast.count == 1
            && self.next.is_none()
            && self.work.is_empty()
            && let Some(&target) = self.targets.get(fast.targets as usize)
        {
            *self.next = Some(Signal { value, target, diagram, generation });
            return Ok(());
        }
        self.queue(fast, value)
    }

    fn queue(&mut self, fast: &FastOutput, value: Value) -> Result<(), Value> {
        let &mut Self { diagram, generation, cause, .. } = self;
        let first = fast.targets as usize;
        let Some(targets) = self.targets.get(first..first + usize::from(fast.count)) else { return Err(value) };
        for target in targets {
            let value = value.clone();
            self.work.push_back(Work::Signal { diagram, generation, target: *target, cause, value });
        }
        Ok(())
    }
}

impl Engine {
    /// Lets native boxes pass a signal on, as long as nothing else is in line. Gives a signal back that has to go the
    /// long way: because its box is not native, because somebody listens, because its diagram is gone.
    pub(crate) fn ride(&mut self, mut signal: Signal) -> Option<Signal> {
        if self.tracer.on() {
            return Some(signal);
        }
        let (now, cause) = (self.clock.now(), self.cause);
        loop {
            let Signal { target, diagram, generation, .. } = signal;
            let Some(FastBox { body: Some(body), inputs, outputs, outputs_end }) =
                self.fast.boxes.get_mut(target.to.index())
            else {
                return Some(signal);
            };
            let takes = self.fast.inputs.get(*inputs as usize + usize::from(target.port)).copied().unwrap_or(0);
            if takes & kind(&signal.value) == 0
                || target.kind != TargetKind::Input
                || self.graph.diagrams[diagram.index()].generation != generation
                || self.signals >= self.config.livelock_bound
            {
                return Some(signal);
            }
            self.signals += 1;
            let mut next = None;
            let way = Way {
                work: &mut self.work,
                next: &mut next,
                outputs: self.fast.outputs.get(*outputs as usize..*outputs_end as usize).unwrap_or_default(),
                targets: &self.fast.targets,
                diagram,
                generation,
                cause,
            };
            let mut cx = NativeCx { now, outputs: &mut self.native_outputs, way: Some(way) };
            body.input(&mut cx, usize::from(target.port), signal.value);
            if !self.native_outputs.is_empty() {
                // What is next was sent before all that is in the queue, and before these.
                if let Some(Signal { value, target, diagram, generation }) = next.take() {
                    self.work.push_front(Work::Signal { diagram, generation, target, cause, value });
                }
                let outputs = std::mem::take(&mut self.native_outputs);
                self.native_done(target.to, outputs);
            }
            signal = next?;
        }
    }
}
