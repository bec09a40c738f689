//! The fast path of signals from one native box to the next.
//!
//! It does what `Engine::input` and `Engine::output` do for such boxes, with packed tables that stay in the nearest
//! cache. Every special case takes the ordinary path.

use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::graph::{Body, BoxNode, Graph, OutputPort, Target, TargetKind};
use crate::ids::{BoxId, DiagramId};
use crate::lifecycle::Step;
use crate::livelock::SignalBudget;
use crate::native::{NativeBox, NativeCx, Put};
use crate::trace::{Kind, Name, PathId};
use boxstep_format::model::{OutputNature, PortType};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, VecDeque};

/// The kinds of single values that a port accepts unchanged: one bit per kind. Lists need a check of their items, which
/// only the ordinary path makes.
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

/// The native boxes, with packed tables for their signals.
#[derive(Default)]
pub(crate) struct FastPath {
    /// By box; a box that is not native has no body.
    boxes: Vec<FastBox>,
    inputs: Vec<FastInput>,
    edges: Vec<Edge>,
    targets: Vec<Target>,
    /// The outputs of the box that is being called which take the ordinary path.
    outputs: Vec<Put>,
}

struct FastBox {
    body: Option<Box<dyn NativeBox>>,
    path: PathId,
    inputs: u32,
    edges: u32,
    edges_end: u32,
}

struct FastInput {
    takes: Kinds,
    id: Name,
}

/// The links of an output.
pub(crate) struct Edge {
    /// The kinds of values that both the output and the single native input it leads to accept unchanged.
    straight: Kinds,
    /// The kinds of values that the output accepts unchanged, for all links.
    takes: Kinds,
    /// The single target.
    to: BoxId,
    port: u16,
    links: u16,
    targets: u32,
    id: Name,
}

impl FastPath {
    /// Adds the boxes that were created since the last call. Their links must be known.
    pub(crate) fn add(&mut self, boxes: &[BoxNode], mut bodies: BTreeMap<BoxId, Box<dyn NativeBox>>) {
        // Behaviors without native boxes have no entries, unless behaviors with some are added after them.
        if bodies.is_empty() {
            return;
        }
        for (index, node) in boxes.iter().enumerate().skip(self.boxes.len()) {
            let (inputs, edges) = (self.inputs.len() as u32, self.edges.len() as u32);
            let body = bodies.remove(&BoxId(index as u32));
            if body.is_some() {
                self.inputs.extend(node.kind.inputs.iter().map(|i| FastInput { takes: kinds(i.port_type), id: i.id }));
                for (output, index) in node.kind.outputs.iter().zip(0..) {
                    let targets = node.targets(index);
                    self.edges.push(edge(boxes, node, output, targets, self.targets.len()));
                    self.targets.extend(targets);
                }
            }
            let edges_end = self.edges.len() as u32;
            self.boxes.push(FastBox { body, path: node.path, inputs, edges, edges_end });
        }
    }

    /// Replaces a native box by another one for the same box of a file.
    pub(crate) fn replace(&mut self, id: BoxId, made: Box<dyn NativeBox>) {
        if let Some(body) = self.boxes.get_mut(id.index()).and_then(|b| b.body.as_mut()) {
            *body = made;
        }
    }

    /// Calls a native box for a step of its lifecycle.
    pub(crate) fn step(&mut self, now: Time, id: BoxId, step: Step) {
        let Self { boxes, outputs, .. } = self;
        let mut cx = NativeCx { now, long: outputs, way: None };
        match (step, boxes.get_mut(id.index()).and_then(|b| b.body.as_mut())) {
            (Step::Enter, Some(body)) => body.load(&mut cx),
            (Step::Leave, Some(body)) => body.unload(&mut cx),
            _ => {}
        }
    }

    /// Passes an input to a native box on the ordinary path.
    #[inline]
    pub(crate) fn input(&mut self, now: Time, id: BoxId, input: u16, value: &Value) {
        let Self { boxes, outputs, .. } = self;
        if let Some(body) = boxes.get_mut(id.index()).and_then(|b| b.body.as_mut()) {
            body.input(&mut NativeCx { now, long: outputs, way: None }, usize::from(input), value);
        }
    }

    /// Takes the outputs of the last call that take the ordinary path.
    #[inline]
    pub(crate) fn take_outputs(&mut self) -> Vec<Put> {
        std::mem::take(&mut self.outputs)
    }

    /// Takes back the memory of outputs that have been followed, for the next ones.
    #[inline]
    pub(crate) fn give_back(&mut self, followed: Vec<Put>) {
        self.outputs = followed;
    }

    /// Takes an output off the fast path, for good.
    pub(crate) fn close(&mut self, id: BoxId, output: u16) {
        let Some(b) = self.boxes.get(id.index()).filter(|b| b.body.is_some()) else { return };
        if let Some(edge) = self.edges.get_mut(b.edges as usize + usize::from(output)) {
            (edge.straight, edge.takes) = (0, 0);
        }
    }

    /// Updates the path of a box after a move.
    pub(crate) fn set_path(&mut self, id: BoxId, path: PathId) {
        if let Some(b) = self.boxes.get_mut(id.index()) {
            b.path = path;
        }
    }

    /// Returns whether the target is an input of a native box that accepts the value unchanged.
    fn takes(&self, target: Target, value: &Value) -> bool {
        let Some(FastBox { body: Some(_), inputs, .. }) = self.boxes.get(target.to.index()) else { return false };
        let input = self.inputs.get(*inputs as usize + usize::from(target.port));
        target.kind == TargetKind::Input && input.is_some_and(|i| i.takes & kind(value) != 0)
    }
}

fn edge(boxes: &[BoxNode], node: &BoxNode, output: &OutputPort, targets: &[Target], first: usize) -> Edge {
    // An output that ends its box, or has no diagram around it, never takes the fast path.
    let plain = output.nature != OutputNature::OnStopped && node.home.is_some();
    let links = u16::try_from(targets.len());
    let takes = if plain && links.is_ok() { kinds(output.port_type) } else { 0 };
    let mut edge = Edge {
        straight: 0,
        takes,
        to: BoxId(0),
        port: 0,
        links: links.unwrap_or(0),
        targets: first as u32,
        id: output.id,
    };
    if let [Target { to, port, kind: TargetKind::Input }] = *targets {
        let end = &boxes[to.index()];
        if matches!(end.body, Body::Native) {
            edge.straight = takes & kinds(end.kind.inputs[usize::from(port)].port_type);
            (edge.to, edge.port) = (to, port);
        }
    }
    edge
}

/// A signal that is delivered next, without passing through the queue.
pub(crate) struct Signal {
    pub(crate) value: Value,
    pub(crate) target: Target,
    pub(crate) diagram: DiagramId,
    pub(crate) generation: u32,
}

/// The outputs of the native box that is being called.
pub(crate) struct Way<'a> {
    edges: &'a [Edge],
    /// Whether the queue is empty, so that the next output may be delivered directly.
    free: bool,
    /// The output whose value is delivered next, without passing through the queue.
    sent: Option<&'a Edge>,
    value: &'a mut Value,
    queue: Queue<'a>,
}

/// The queue of signals.
struct Queue<'a> {
    work: &'a mut VecDeque<Work>,
    targets: &'a [Target],
    diagram: DiagramId,
    generation: u32,
    cause: Cause,
    /// Whether sinks receive events: then an output must be traced before it is queued.
    closed: bool,
}

impl Way<'_> {
    /// Sends a value along the links of an output. Returns the value if it must take the ordinary path.
    #[inline]
    pub(crate) fn send(&mut self, output: usize, value: Value) -> Result<(), Value> {
        if self.free
            && let Some(edge) = self.edges.get(output)
            && edge.straight & kind(&value) != 0
        {
            self.free = false;
            self.sent = Some(edge);
            *self.value = value;
            return Ok(());
        }
        self.enqueue(output, value)
    }

    fn enqueue(&mut self, output: usize, value: Value) -> Result<(), Value> {
        self.free = false;
        let Some(edge) = self.edges.get(output) else { return Err(value) };
        let &mut Queue { diagram, generation, cause, closed, targets, .. } = &mut self.queue;
        let first = edge.targets as usize;
        let Some(targets) = targets.get(first..first + usize::from(edge.links)) else { return Err(value) };
        if closed || edge.takes & kind(&value) == 0 {
            return Err(value);
        }
        for &target in targets {
            self.queue.work.push_back(Work::Signal { diagram, generation, target, cause, value: value.clone() });
        }
        Ok(())
    }
}

/// How far a signal has come on the fast path.
pub(crate) enum Carried {
    /// It has been delivered, and all that followed from it.
    There,
    /// It has been delivered, and outputs of this box take the ordinary path.
    Outputs(BoxId),
    /// This signal must take the ordinary path: its box is not native, its diagram was unloaded, or the signal budget is
    /// spent.
    Ordinary(Signal),
}

impl FastPath {
    /// Passes a signal along native boxes as long as the queue is empty.
    pub(crate) fn carry(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        budget: &mut SignalBudget,
        mut signal: Signal,
    ) -> Carried {
        let Signal { diagram, generation, .. } = signal;
        // Native boxes cannot unload the diagram, so it need not be checked again on the way.
        if !self.takes(signal.target, &signal.value) || graph.diagrams[diagram.index()].generation != generation {
            return Carried::Ordinary(signal);
        }
        let Target { mut to, mut port, .. } = signal.target;
        let (now, traced) = (cx.now(), cx.tracer.on());
        let (tracer, paths, work, cause) = cx.split();
        let FastPath { boxes, inputs, edges, targets, outputs } = self;
        // The value of the current signal, and the place for that of the next one; they alternate.
        let (mut value, mut spare) = (&mut signal.value, Value::Null);
        let queue = Queue { work, targets, diagram, generation, cause: *cause, closed: traced };
        let way = Way { edges: &[], free: false, sent: None, value: &mut spare, queue };
        let mut cx = NativeCx { now, long: outputs, way: Some(way) };
        // The loop ends when an output takes the ordinary path.
        let sent = loop {
            let Some(FastBox { body: Some(body), path, inputs: first, edges: edge, edges_end }) =
                boxes.get_mut(to.index())
            else {
                return Carried::There;
            };
            if budget.is_spent() {
                let (value, target) = (std::mem::take(value), Target { to, port, kind: TargetKind::Input });
                return Carried::Ordinary(Signal { value, target, diagram, generation });
            }
            budget.spend(1);
            if traced {
                let id = inputs[*first as usize + usize::from(port)].id;
                *cause = tracer.add(now, *cause, *path, paths, Kind::Input { port: id, value: value.clone() });
            }
            let Some(way) = cx.way.as_mut() else { return Carried::There };
            way.edges = edges.get(*edge as usize..*edges_end as usize).unwrap_or_default();
            way.free = way.queue.work.is_empty();
            body.input(&mut cx, usize::from(port), value);
            let Some(way) = cx.way.as_mut() else { return Carried::There };
            let sent = way.sent.take();
            let mut caused = *cause;
            if let Some(edge) = sent {
                if traced {
                    caused =
                        tracer.add(now, *cause, *path, paths, Kind::Output { port: edge.id, value: way.value.clone() });
                }
                std::mem::swap(&mut value, &mut way.value);
            }
            if !cx.long.is_empty() {
                break sent.map(|edge| (Target { to: edge.to, port: edge.port, kind: TargetKind::Input }, caused));
            }
            let Some(edge) = sent else { return Carried::There };
            (to, port, *cause) = (edge.to, edge.port, caused);
        };
        if let Some((target, cause)) = sent {
            // This output precedes everything in the queue.
            let value = std::mem::take(value);
            work.push_front(Work::Signal { diagram, generation, target, cause, value });
        }
        Carried::Outputs(to)
    }
}
