//! What a run is made of: boxes, diagrams and links in arenas with typed ids.
//!
//! Links are stored as flat target lists, ready to be followed. Whether a signal may still be
//! delivered is one comparison of a diagram's generation, never a walk to the root.

use crate::ids::{BehaviorId, BoxId, DiagramId, ProcId};
use crate::lifecycle::{Life, Policy};
use crate::machine::Machine;
use crate::names::Names;
use crate::protocol::{ClassId, ObjectId, ScriptSource};
use crate::state_machine::TimelineStates;
use crate::timeline::TimelineRun;
use crate::trace::{Name, PathId, Paths, Place};
use boxstep_format::model::{InputNature, OutputNature, PortType, ResourceMode};
use boxstep_format::paths;
use boxstep_types::{BoxPath, Value};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Where a link leads. Eight bytes, because signals carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) to: BoxId,
    pub(crate) port: u16,
    pub(crate) kind: TargetKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    /// An input of a box of the diagram.
    Input,
    /// A parameter of a box of the diagram.
    Parameter,
    /// An output of the box around the diagram.
    ParentOutput,
}

/// An input of a box.
#[derive(Clone)]
pub(crate) struct InputPort {
    pub(crate) name: Arc<str>,
    pub(crate) id: Name,
    pub(crate) nature: InputNature,
    pub(crate) port_type: PortType,
    /// `onInput_<name>`.
    pub(crate) method: Arc<str>,
    /// The script defines that method.
    pub(crate) handled: bool,
}

/// An output of a box.
#[derive(Clone)]
pub(crate) struct OutputPort {
    pub(crate) name: Arc<str>,
    pub(crate) id: Name,
    pub(crate) nature: OutputNature,
    pub(crate) port_type: PortType,
}

/// A parameter of a box.
pub(crate) struct Param {
    pub(crate) name: Arc<str>,
    pub(crate) id: Name,
    pub(crate) inherits: bool,
    pub(crate) initial: Value,
    pub(crate) value: Value,
}

/// A resource a box takes when it starts.
#[derive(Clone)]
pub(crate) struct ResourceNeed {
    pub(crate) name: Arc<str>,
    pub(crate) mode: ResourceMode,
}

/// What became of a box's script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hooks {
    pub(crate) on_load: bool,
    pub(crate) on_unload: bool,
    pub(crate) set_parameter: bool,
    pub(crate) on_resource: bool,
    pub(crate) on_resource_error: bool,
    pub(crate) on_resource_lost: bool,
    pub(crate) del: bool,
}

/// What runs when a box is told to.
pub(crate) enum Body {
    /// Nothing of its own: a diagram, a timeline, or an empty box.
    Empty,
    /// A script, compiled as this class.
    Script(ClassId),
    /// A dialog, which nobody interprets: which one, among those of the graph.
    Dialog(u32),
    /// Rust.
    Native,
}

/// What boxes that look alike from outside have in common. They share it, so that a million boxes of a library
/// take no more room than one, and their ports are in the nearest cache.
#[derive(Clone)]
pub(crate) struct BoxKind {
    /// The same for all that look alike in the file, whatever their scripts handle.
    pub(crate) number: u32,
    pub(crate) inputs: Box<[InputPort]>,
    pub(crate) outputs: Box<[OutputPort]>,
    pub(crate) resources: Box<[ResourceNeed]>,
    pub(crate) resource_timeout: f64,
}

/// A box. Small, because a step of a million boxes costs what it takes to fetch them from memory.
pub(crate) struct BoxNode {
    pub(crate) path: PathId,
    pub(crate) behavior: BehaviorId,
    pub(crate) parent: Option<BoxId>,
    /// The diagram it sits in; none for a root.
    pub(crate) home: Option<DiagramId>,
    pub(crate) policy: Policy,
    pub(crate) body: Body,
    pub(crate) kind: Arc<BoxKind>,
    pub(crate) inside: Option<Box<Inside>>,
    /// The diagram inside if there is but one, as in a flow diagram: signals reach it past the inside.
    pub(crate) sole: Option<DiagramId>,

    pub(crate) life: Life,
    /// Told as constructed, and not yet as destroyed.
    pub(crate) constructed: bool,
    pub(crate) hooks: Hooks,
    pub(crate) object: Option<ObjectId>,
    /// Counts stops, so that a start that was overtaken by one can tell.
    pub(crate) stops: u32,

    /// Where the links of its outputs lead in the diagram it sits in; empty if it has none.
    pub(crate) targets: Box<[Box<[Target]>]>,
    pub(crate) params: Box<[Param]>,
    /// Its id in the file.
    pub(crate) file_id: i32,
    /// Where it was before it became a part of another.
    pub(crate) made: Option<Box<(BehaviorId, BoxPath)>>,
}

impl BoxNode {
    /// Where the links of an output lead.
    pub(crate) fn targets(&self, output: u16) -> &[Target] {
        self.targets.get(usize::from(output)).map_or(&[], |t| t)
    }

    pub(crate) fn output(&self, name: &str) -> Option<usize> {
        self.kind.outputs.iter().position(|o| &*o.name == name)
    }

    pub(crate) fn input(&self, name: &str) -> Option<usize> {
        self.kind.inputs.iter().position(|i| &*i.name == name)
    }

    pub(crate) fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| &*p.name == name)
    }

    /// The output that tells that the box has ended by itself: the first in document order.
    pub(crate) fn first_stopped(&self) -> Option<usize> {
        self.kind.outputs.iter().position(|o| o.nature == OutputNature::OnStopped)
    }
}

/// The inside of a box.
pub(crate) struct Inside {
    pub(crate) layers: Box<[Layer]>,
    /// Which keyframe of each layer belongs to a frame.
    pub(crate) states: TimelineStates,
    /// The inputs that the robot's memory stimulates, with their keys: only the inside sees them.
    pub(crate) memory: Box<[(u16, Arc<str>)]>,
    /// Curves, cursor and clock; for a flow diagram the clock never runs.
    pub(crate) timeline: TimelineRun,
    /// The transitions of a state machine that somebody has written. Its states are the keyframes of one layer.
    pub(crate) machine: Option<Box<Machine>>,
    /// The state machine that this timeline has been given: it enters states there, not here.
    pub(crate) drives: Option<BoxId>,
    /// The timeline that has been given this state machine.
    pub(crate) driven_by: Option<BoxId>,
    /// Frames at which the timeline enters a state by name, beside those that the states have themselves.
    pub(crate) flags: Vec<(i64, Arc<str>)>,
    /// The frame of the state of a machine that the cursor has entered last.
    pub(crate) flagged: Option<i64>,
    pub(crate) state: InsideState,
    /// A stop has come: a procedure that is loading leaves off at its next step.
    pub(crate) unwinding: bool,
    /// One procedure at a time works on the inside; the others wait in order.
    pub(crate) owner: Option<ProcId>,
    pub(crate) waiting: VecDeque<ProcId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum InsideState {
    #[default]
    Unloaded,
    /// Partly loaded, or loading.
    Loading,
    Loaded,
}

/// A layer that is not muted.
pub(crate) struct Layer {
    /// Its place in the file.
    pub(crate) index: usize,
    pub(crate) keyframes: Vec<Keyframe>,
    /// The keyframe whose diagram is loaded.
    pub(crate) current: Option<usize>,
}

pub(crate) struct Keyframe {
    pub(crate) diagram: DiagramId,
    /// The first of its boxes as the file has them; the others follow.
    pub(crate) first: BoxId,
}

/// A diagram.
pub(crate) struct DiagramNode {
    pub(crate) owner: BoxId,
    pub(crate) boxes: Box<[BoxId]>,
    /// Layer and keyframe, if it is one of several.
    pub(crate) place: Option<Arc<Place>>,
    /// Odd while links are active. A signal carries the generation it was sent in.
    pub(crate) generation: u32,
    /// Where the links from each input of the owner lead.
    pub(crate) from_inputs: LinkList,
}

impl DiagramNode {
    pub(crate) fn active(&self) -> bool {
        self.generation & 1 == 1
    }
}

/// Where the links from the inputs of diagrams' owners lead. Those of all diagrams lie one behind the other, as their boxes
/// do: a signal that goes down through a million boxes finds them in the order of memory.
#[derive(Default)]
pub(crate) struct InputLinks {
    /// For each list where its first input's targets begin, and where those of each input end.
    bounds: Vec<u32>,
    targets: Vec<Target>,
}

/// One list of those: the links from the inputs of one diagram's owner.
#[derive(Clone, Copy, Default)]
pub(crate) struct LinkList {
    first: u32,
    inputs: u16,
}

impl InputLinks {
    /// The targets of an input.
    #[inline]
    pub(crate) fn of(&self, list: LinkList, input: u16) -> &[Target] {
        if input >= list.inputs {
            return &[];
        }
        let at = list.first as usize + usize::from(input);
        &self.targets[self.bounds[at] as usize..self.bounds[at + 1] as usize]
    }

    /// A new list, from the targets of each input.
    pub(crate) fn list(&mut self, inputs: &[Vec<Target>]) -> LinkList {
        let first = self.bounds.len() as u32;
        self.bounds.push(self.targets.len() as u32);
        for targets in inputs {
            self.targets.extend(targets);
            self.bounds.push(self.targets.len() as u32);
        }
        LinkList { first, inputs: inputs.len() as u16 }
    }

    /// The list with one more link. The room of the old one is not used again: only what is built by hand grows so.
    pub(crate) fn add(&mut self, list: LinkList, input: u16, target: Target) -> LinkList {
        let mut inputs: Vec<_> = (0..list.inputs).map(|i| self.of(list, i).to_vec()).collect();
        if let Some(targets) = inputs.get_mut(usize::from(input)) {
            targets.push(target);
        }
        // What is built by hand is mostly built at the end.
        if (list.first + u32::from(list.inputs) + 1) as usize == self.bounds.len() {
            self.targets.truncate(self.bounds[list.first as usize] as usize);
            self.bounds.truncate(list.first as usize);
        }
        self.list(&inputs)
    }
}

/// The arenas.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) boxes: Vec<BoxNode>,
    pub(crate) diagrams: Vec<DiagramNode>,
    pub(crate) links: InputLinks,
    pub(crate) names: RefCell<Names>,
    /// Kinds of boxes by their number and by which inputs their scripts handle.
    pub(crate) handling: HashMap<(u32, Box<[bool]>), Arc<BoxKind>>,
    pub(crate) kinds: u32,
    /// Texts of classes, so that boxes share them.
    pub(crate) classes: Vec<Arc<ScriptSource>>,
    pub(crate) class_of: HashMap<Arc<str>, ClassId>,
    /// The files of dialog boxes.
    pub(crate) dialogs: Vec<Arc<str>>,
}

impl Inside {
    /// The keyframes that are loaded, layer by layer.
    pub(crate) fn entered(&self) -> Vec<Option<usize>> {
        self.layers.iter().map(|l| l.current).collect()
    }
}

impl Graph {
    /// Where the outputs of a box lead from now on.
    pub(crate) fn set_targets(&mut self, id: BoxId, outputs: &[Box<[Target]>]) {
        self.boxes[id.index()].targets = match outputs {
            linked if linked.iter().any(|t| !t.is_empty()) => linked.into(),
            _ => Box::default(),
        };
    }

    /// The inputs of a box that its script handles. Boxes that look alike and whose scripts handle the same share it.
    pub(crate) fn set_handled(&mut self, id: BoxId, handled: Box<[bool]>) {
        let kind = &mut self.boxes[id.index()].kind;
        if kind.inputs.iter().map(|i| i.handled).eq(handled.iter().copied()) {
            return;
        }
        let make = |(_, handled): &(u32, Box<[bool]>)| {
            let mut other = BoxKind::clone(kind);
            for (input, handled) in other.inputs.iter_mut().zip(handled) {
                input.handled = *handled;
            }
            Arc::new(other)
        };
        *kind = self.handling.entry((kind.number, handled)).or_insert_with_key(make).clone();
    }

    /// The box at a place of the file; `None` if it is in a muted layer.
    pub(crate) fn at(&self, root: BoxId, trail: &[paths::Place]) -> Option<BoxId> {
        trail.iter().try_fold(root, |around, place| {
            let layers = &self.boxes[around.index()].inside.as_ref()?.layers;
            // All states of a state machine share the boxes of one keyframe.
            let keyframe = &layers.iter().find(|l| l.index == place.layer)?.keyframes.get(place.keyframe)?;
            Some(BoxId(keyframe.first.0 + place.index as u32))
        })
    }

    /// A box's name.
    pub(crate) fn name(&self, paths: &Paths, id: BoxId) -> Arc<str> {
        paths.name(self.boxes[id.index()].path)
    }

    /// The box and its parents, nearest first.
    pub(crate) fn ancestors(&self, id: BoxId) -> impl Iterator<Item = BoxId> + '_ {
        std::iter::successors(Some(id), |b| self.boxes[b.index()].parent)
    }

    /// How many boxes are around this one.
    pub(crate) fn depth(&self, id: BoxId) -> usize {
        self.ancestors(id).count()
    }
}
