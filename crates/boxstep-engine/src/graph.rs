//! The graph of a run: boxes, diagrams and links in arenas with typed ids.
//!
//! Links are stored as flat lists of targets. Checking whether a signal may still be delivered takes one comparison of
//! a diagram's generation, never a walk to the root.

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

/// What makes scripts the same: their text, and the arguments of a program that has its own.
pub(crate) type ClassKey = (Arc<str>, Option<Arc<[String]>>);

/// The end of a link. It has eight bytes, because every signal carries one.
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
    /// Whether the script defines that method.
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

/// A resource that a box takes when it starts.
#[derive(Clone)]
pub(crate) struct ResourceNeed {
    pub(crate) name: Arc<str>,
    pub(crate) mode: ResourceMode,
}

/// The optional methods that a box's script defines.
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

/// What runs when an input of a box is stimulated.
pub(crate) enum Body {
    /// Nothing: the box is a diagram, a timeline, or empty.
    Empty,
    /// A script, compiled as this class.
    Script(ClassId),
    /// A dialog, which the robot's dialog engine conducts; the index is that in [`Graph::dialogs`].
    Dialog(u32),
    /// A native box, written in Rust.
    Native,
}

/// The properties that boxes with the same interface share. Sharing them keeps a million boxes of a library as small as
/// one, and their ports in the nearest cache.
#[derive(Clone)]
pub(crate) struct BoxKind {
    /// The same number for all boxes with the same interface in the file, whichever inputs their scripts handle.
    pub(crate) number: u32,
    pub(crate) inputs: Box<[InputPort]>,
    pub(crate) outputs: Box<[OutputPort]>,
    pub(crate) resources: Box<[ResourceNeed]>,
    pub(crate) resource_timeout: f64,
}

/// A box. It is small because the cost of a step over a million boxes is that of fetching them from memory.
pub(crate) struct BoxNode {
    pub(crate) path: PathId,
    pub(crate) behavior: BehaviorId,
    pub(crate) parent: Option<BoxId>,
    /// The diagram that contains the box; `None` for a root box.
    pub(crate) home: Option<DiagramId>,
    pub(crate) policy: Policy,
    pub(crate) body: Body,
    pub(crate) kind: Arc<BoxKind>,
    pub(crate) inside: Option<Box<Inside>>,
    /// The only diagram inside, if there is just one, as in a flow diagram: signals reach it without a look at
    /// `inside`.
    pub(crate) sole: Option<DiagramId>,

    pub(crate) life: Life,
    /// Whether the box was traced as constructed, and not yet as destroyed.
    pub(crate) constructed: bool,
    pub(crate) hooks: Hooks,
    pub(crate) object: Option<ObjectId>,
    /// The number of stops, by which a start notices that a stop has overtaken it.
    pub(crate) stops: u32,

    /// The targets of the links of each output in the diagram that contains the box; empty if it has none.
    pub(crate) targets: Box<[Box<[Target]>]>,
    pub(crate) params: Box<[Param]>,
    /// The id of the box in the file.
    pub(crate) file_id: i32,
    /// The behavior and path of the box before it became a part of another box.
    pub(crate) made: Option<Box<(BehaviorId, BoxPath)>>,
}

impl BoxNode {
    /// The targets of the links of an output.
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

    /// The output that signals that the box has ended by itself: the first one in document order.
    pub(crate) fn first_stopped(&self) -> Option<usize> {
        self.kind.outputs.iter().position(|o| o.nature == OutputNature::OnStopped)
    }
}

/// The inside of a box.
pub(crate) struct Inside {
    pub(crate) layers: Box<[Layer]>,
    /// The keyframe of each layer that belongs to a frame.
    pub(crate) states: TimelineStates,
    /// The inputs that memory events stimulate, with their keys. Only the inside receives these events.
    pub(crate) memory: Box<[(u16, Arc<str>)]>,
    /// Curves, cursor and clock. For a flow diagram the clock never runs.
    pub(crate) timeline: TimelineRun,
    /// The transitions of an explicit state machine, whose states are the keyframes of one layer.
    pub(crate) machine: Option<Box<Machine>>,
    /// The state machine that this timeline controls: it enters states there instead of here.
    pub(crate) drives: Option<BoxId>,
    /// The timeline that controls this state machine.
    pub(crate) driven_by: Option<BoxId>,
    /// Frames at which the timeline enters a state by name, in addition to the first frames of the states.
    pub(crate) flags: Vec<(i64, Arc<str>)>,
    /// The first frame of the state that the cursor entered last.
    pub(crate) flagged: Option<i64>,
    pub(crate) state: InsideState,
    /// A stop has come: a procedure that is loading the inside leaves off at its next step.
    pub(crate) unwinding: bool,
    /// The procedure that works on the inside. One works at a time; the others wait in order.
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
    /// The index of the layer in the file.
    pub(crate) index: usize,
    pub(crate) keyframes: Vec<Keyframe>,
    /// The keyframe whose diagram is loaded.
    pub(crate) current: Option<usize>,
}

pub(crate) struct Keyframe {
    pub(crate) diagram: DiagramId,
    /// The first of its boxes in file order; the others follow it.
    pub(crate) first: BoxId,
}

/// A diagram.
pub(crate) struct DiagramNode {
    pub(crate) owner: BoxId,
    pub(crate) boxes: Box<[BoxId]>,
    /// The layer and keyframe, if the diagram is one of several.
    pub(crate) place: Option<Arc<Place>>,
    /// Odd while the links are active. A signal carries the generation in which it was sent.
    pub(crate) generation: u32,
    /// The targets of the links from each input of the owner.
    pub(crate) from_inputs: LinkList,
}

impl DiagramNode {
    pub(crate) fn active(&self) -> bool {
        self.generation & 1 == 1
    }
}

/// The targets of the links from the inputs of diagrams' owners. The lists of all diagrams are contiguous, in the order
/// of their boxes, so that a signal that descends through a million boxes reads memory in order.
#[derive(Default)]
pub(crate) struct InputLinks {
    /// For each list, the start of its first input's targets, followed by the end of each input's targets.
    bounds: Vec<u32>,
    targets: Vec<Target>,
}

/// One list in [`InputLinks`]: the links from the inputs of one diagram's owner.
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

    /// Adds a list with the targets of each input.
    pub(crate) fn list(&mut self, inputs: &[Vec<Target>]) -> LinkList {
        let first = self.bounds.len() as u32;
        self.bounds.push(self.targets.len() as u32);
        for targets in inputs {
            self.targets.extend(targets);
            self.bounds.push(self.targets.len() as u32);
        }
        LinkList { first, inputs: inputs.len() as u16 }
    }

    /// Adds a link to a list. The old list's memory is not reused, because only graphs built in code grow like this.
    pub(crate) fn add(&mut self, list: LinkList, input: u16, target: Target) -> LinkList {
        let mut inputs: Vec<_> = (0..list.inputs).map(|i| self.of(list, i).to_vec()).collect();
        if let Some(targets) = inputs.get_mut(usize::from(input)) {
            targets.push(target);
        }
        // A graph built in code usually grows at the end, where the old list can be replaced.
        if (list.first + u32::from(list.inputs) + 1) as usize == self.bounds.len() {
            self.targets.truncate(self.bounds[list.first as usize] as usize);
            self.bounds.truncate(list.first as usize);
        }
        self.list(&inputs)
    }
}

/// The arenas of boxes and diagrams, and the tables that they share.
#[derive(Default)]
pub(crate) struct Graph {
    /// Identifies the engine, so that handles of another engine are recognized.
    pub(crate) number: u32,
    pub(crate) boxes: Vec<BoxNode>,
    pub(crate) diagrams: Vec<DiagramNode>,
    pub(crate) links: InputLinks,
    pub(crate) names: RefCell<Names>,
    /// The kinds of boxes, by number and by the inputs that their scripts handle.
    pub(crate) handling: HashMap<(u32, Box<[bool]>), Arc<BoxKind>>,
    pub(crate) kinds: u32,
    /// The script texts by class id, which boxes share.
    pub(crate) classes: Vec<Arc<ScriptSource>>,
    pub(crate) class_of: HashMap<ClassKey, ClassId>,
    /// The files of dialog boxes.
    pub(crate) dialogs: Vec<Arc<str>>,
}

impl Inside {
    /// The loaded keyframe of each layer.
    pub(crate) fn entered(&self) -> Vec<Option<usize>> {
        self.layers.iter().map(|l| l.current).collect()
    }
}

impl Graph {
    /// Sets the targets of the links of a box's outputs.
    pub(crate) fn set_targets(&mut self, id: BoxId, outputs: &[Box<[Target]>]) {
        self.boxes[id.index()].targets = match outputs {
            linked if linked.iter().any(|t| !t.is_empty()) => linked.into(),
            _ => Box::default(),
        };
    }

    /// Sets the inputs of a box that its script handles. Boxes with the same interface whose scripts handle the same
    /// inputs share a kind.
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

    /// The box at a position in the file; `None` if it is in a muted layer.
    pub(crate) fn at(&self, root: BoxId, trail: &[paths::Place]) -> Option<BoxId> {
        trail.iter().try_fold(root, |around, place| {
            let layers = &self.boxes[around.index()].inside.as_ref()?.layers;
            // All states of a state machine share the boxes of one keyframe.
            let keyframe = &layers.iter().find(|l| l.index == place.layer)?.keyframes.get(place.keyframe)?;
            Some(BoxId(keyframe.first.0 + place.index as u32))
        })
    }

    /// The name of a box.
    pub(crate) fn name(&self, paths: &Paths, id: BoxId) -> Arc<str> {
        paths.name(self.boxes[id.index()].path)
    }

    /// The box and its parents, innermost first.
    pub(crate) fn ancestors(&self, id: BoxId) -> impl Iterator<Item = BoxId> + '_ {
        std::iter::successors(Some(id), |b| self.boxes[b.index()].parent)
    }

    /// The depth of a box in the tree; 1 for a root box.
    pub(crate) fn depth(&self, id: BoxId) -> usize {
        self.ancestors(id).count()
    }
}
