//! Opens a behavior: creates its boxes, diagrams, links and parameters in the arenas.

use crate::Engine;
use crate::behaviors::{Behavior, Behaviors};
use crate::config::BehaviorSource;
use crate::context::Context;
use crate::fast_path::FastPath;
use crate::graph::{
    Body, BoxKind, BoxNode, DiagramNode, Graph, Hooks, InputPort, Inside, InsideState, Keyframe, Layer, OutputPort,
    Param, ResourceNeed, Target, TargetKind,
};
use crate::ids::{BehaviorId, BoxId, DiagramId};
use crate::lifecycle::{Life, Policy};
use crate::machine::{Machine, OutputLinks};
use crate::native::{NativeBox, NativeFactory};
use crate::protocol::{ClassId, ScriptSource};
use crate::state_machine::TimelineStates;
use crate::timeline::TimelineRun;
use crate::trace::{Name, PathId, Place};
use boxstep_format::model::{self, BoxDef, InputNature, ResourceMode, ScriptLanguage};
use boxstep_format::param_value;
use boxstep_format::paths::{find, keyframe_segments, segments};
use boxstep_format::resolve::{End, PortRef, resolve};
use boxstep_types::{BoxPath, Code, Diagnostic, Segment, Value};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A box has more inputs, outputs or parameters than the engine can number.
pub(crate) const TOO_MANY_PORTS: Code = Code::new(300, "too-many-ports");

/// A real robot is to be played on in virtual time.
pub(crate) const REAL_ROBOT: Code = Code::new(301, "real-robot-in-virtual-time");

impl Behaviors {
    /// Gives the root of a behavior a unique path. Nearly all root boxes have the same name, so if another behavior has
    /// the path already, this one's boxes are placed below the behavior's name, as in `dance/root/Say`.
    fn make_path_unique(&self, cx: &mut Context, graph: &mut Graph, fast_path: &mut FastPath, id: BehaviorId) {
        let source = &self.all[id.index()].source;
        let (name, path) = (source.name.clone(), BoxPath::root(source.project.root.name.clone()));
        let there = |b: &Behavior| b.source.name != name && cx.paths.is(graph.path_of(b.root), &path);
        if !self.all.iter().any(there) {
            return;
        }
        let under = BoxPath::steps_of_name(&name).fold(PathId(0), |at, step| cx.paths.add_child(at, step));
        self.place_root(cx, graph, fast_path, id, under);
    }

    fn made_anew(
        &mut self,
        cx: &Context,
        graph: &Graph,
        factory: &mut Option<Box<dyn NativeFactory>>,
        id: BehaviorId,
        b: BoxId,
    ) -> Option<Box<dyn NativeBox>> {
        let node = &graph.boxes[b.index()];
        // A box that became a part of another box is still created from its original definition.
        let (behavior, path) = match node.made.as_deref() {
            Some((behavior, path)) => (*behavior, path.clone()),
            None => (id, cx.paths.get(node.path)?),
        };
        let behavior = &mut self.all[behavior.index()];
        let at = find(&behavior.source.project, &path).ok()?;
        let own = behavior.natives.as_mut().and_then(|f| f.make(at.def));
        own.or_else(|| factory.as_mut().and_then(|f| f.make(at.def)))
    }

    /// Resets a behavior that is used again: parameters get the file's values, and native boxes are created anew.
    pub(crate) fn reset(
        &mut self,
        cx: &Context,
        graph: &mut Graph,
        fast_path: &mut FastPath,
        factory: &mut Option<Box<dyn NativeFactory>>,
        id: BehaviorId,
    ) {
        for b in self.all[id.index()].boxes.clone() {
            let node = &mut graph.boxes[b.index()];
            for param in &mut node.params {
                param.value = param.initial.clone();
            }
            if let Some(inside) = &mut node.inside {
                inside.timeline.reset();
            }
            if matches!(node.body, Body::Native)
                && let Some(made) = self.made_anew(cx, graph, factory, id, b)
            {
                fast_path.replace(b, made);
            }
        }
    }
}

impl Engine {
    /// Opens a behavior, with a factory of native boxes of its own. If the behavior was open before and has ended, its
    /// entries are used again.
    pub(crate) fn open(
        &mut self,
        source: BehaviorSource,
        own: Option<Box<dyn NativeFactory>>,
    ) -> Result<BehaviorId, Vec<Diagnostic>> {
        if self.services.is_real() && self.cx.clock.is_virtual() {
            let text = "a real robot moves in real time: it cannot be played on in virtual time";
            return Err(vec![Diagnostic::error(REAL_ROBOT, text)]);
        }
        let known = self.behaviors.all.iter().position(|b| b.source.name == source.name && b.closed() && !b.object);
        if let Some(index) = known
            && Arc::ptr_eq(&self.behaviors.all[index].source.project, &source.project)
        {
            let id = BehaviorId(index as u32);
            self.behaviors.reset(&self.cx, &mut self.graph, &mut self.fast_path, &mut self.factory, id);
            return Ok(id);
        }
        let id = BehaviorId(self.behaviors.all.len() as u32);
        let project = source.project.clone();
        check_ports(vec![&project.root])?;
        let name = Segment::Box { name: project.root.name.clone(), id: None };
        let path = self.cx.paths.add_child(PathId(0), name);
        let mut opening = Opening {
            engine: self,
            source: &source,
            own,
            behavior: id,
            natives: BTreeMap::new(),
            kinds: HashMap::new(),
        };
        let root = opening.box_node(&project.root, path, None, None, Policy::Root);
        opening.insides(root, &project.root);
        let (natives, own) = (opening.natives, opening.own);
        self.fast_path.add(&self.graph.boxes, natives);
        let boxes = (root.0..self.graph.boxes.len() as u32).map(BoxId).collect();
        self.behaviors.all.push(Behavior::new(source, root, boxes, id.text().into(), own));
        self.behaviors.make_path_unique(&mut self.cx, &mut self.graph, &mut self.fast_path, id);
        Ok(id)
    }
}

/// Checks boxes and all that is inside them.
pub(crate) fn check_ports(mut levels: Vec<&BoxDef>) -> Result<(), Vec<Diagnostic>> {
    let mut bad = Vec::new();
    while let Some(def) = levels.pop() {
        let most = def.inputs.len().max(def.outputs.len()).max(def.parameters.len());
        if most > usize::from(u16::MAX) {
            let text = format!("the box \"{}\" has {most} ports of one kind; 65535 is the most", def.name);
            bad.push(Diagnostic::error(TOO_MANY_PORTS, text).at(def.span));
        }
        let layers = def.timeline.iter().flat_map(|t| &t.layers);
        levels.extend(layers.flat_map(|l| &l.keyframes).flat_map(|k| &k.diagram.boxes));
    }
    if bad.is_empty() { Ok(()) } else { Err(bad) }
}

/// The links of a diagram: from each input of its owner, and from the outputs of its boxes.
struct Links {
    from_inputs: Vec<Vec<Target>>,
    from_outputs: OutputLinks,
}

/// Creates the boxes, diagrams and links of a behavior.
pub(crate) struct Opening<'a> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) source: &'a BehaviorSource,
    /// The factory of the behavior's own native boxes, which precedes that of the engine.
    pub(crate) own: Option<Box<dyn NativeFactory>>,
    pub(crate) behavior: BehaviorId,
    pub(crate) natives: BTreeMap<BoxId, Box<dyn NativeBox>>,
    pub(crate) kinds: HashMap<Interface<'a>, Arc<BoxKind>>,
}

impl<'a> Opening<'a> {
    /// Creates the insides of a box and of all boxes in it. The depth limit of the file reader bounds the recursion.
    pub(crate) fn insides(&mut self, id: BoxId, def: &'a BoxDef) {
        let Some(timeline) = &def.timeline else { return };
        let path = self.engine.graph.path_of(id);
        // If there are several keyframes, they are a step in the paths of the boxes inside.
        let mut steps = keyframe_segments(timeline).into_iter();
        let several = steps.len() > 1;
        let all = || timeline.layers.iter().flat_map(|layer| layer.keyframes.iter().map(move |k| (layer, k)));
        let mut layers: Vec<Layer> = Vec::new();
        let machine = match (&timeline.machine, all().next()) {
            (Some(machine), Some((layer, only))) if !several => {
                let (keyframes, links) = self.written(id, def, &only.diagram, path, machine, &layer.name);
                let index = timeline.layers.iter().position(|l| !l.keyframes.is_empty()).unwrap_or(0);
                layers.push(Layer { index, keyframes, current: None });
                Some(Box::new(Machine::new(machine, links)))
            }
            _ => None,
        };
        for (index, layer) in timeline.layers.iter().enumerate().filter(|_| machine.is_none()) {
            let mut keyframes = Vec::with_capacity(layer.keyframes.len());
            for (keyframe, step) in layer.keyframes.iter().map(|k| (k, steps.next())) {
                if layer.mute {
                    continue;
                }
                let path = step.map_or(path, |step| self.engine.cx.paths.add_child(path, step));
                let place = Place { layer: layer.name.clone(), keyframe: keyframe.name.clone() };
                let place = several.then(|| Arc::new(place));
                let first = BoxId(self.engine.graph.boxes.len() as u32);
                let diagram = self.diagram(id, def, &keyframe.diagram, path, place);
                keyframes.push(Keyframe { diagram, first });
            }
            if !keyframes.is_empty() {
                layers.push(Layer { index, keyframes, current: None });
            }
        }
        let states = match timeline.machine.as_ref().filter(|_| machine.is_some()) {
            Some(written) => TimelineStates::written(written),
            None => TimelineStates::of_layers(timeline),
        };
        let memory = def.inputs.iter().zip(0..).filter(|(i, _)| i.nature == InputNature::Memory);
        let memory = memory.filter_map(|(i, index)| Some((index, i.memory_key.as_deref()?.into()))).collect();
        let (timeline, problems) = TimelineRun::new(timeline);
        for problem in problems {
            self.engine.cx.warn(path, problem);
        }
        let mut diagrams = layers.iter().flat_map(|l| &l.keyframes).map(|k| k.diagram);
        let first = diagrams.next();
        let sole = first.filter(|_| diagrams.next().is_none());
        let node = &mut self.engine.graph.boxes[id.index()];
        node.sole = sole;
        node.inside = Some(Box::new(Inside {
            layers: layers.into(),
            states,
            memory,
            timeline,
            machine,
            drives: None,
            driven_by: None,
            flags: Vec::new(),
            flagged: None,
            state: InsideState::Unloaded,
            unwinding: false,
            owner: None,
            waiting: VecDeque::new(),
        }));
    }

    fn diagram(
        &mut self,
        owner: BoxId,
        owner_def: &BoxDef,
        def: &'a model::Diagram,
        path: PathId,
        place: Option<Arc<Place>>,
    ) -> DiagramId {
        let id = self.diagram_node(owner, place);
        let ids = self.boxes(owner, Some(id), def, path);
        let links = self.links(owner, owner_def, def, &ids, &|_| true);
        self.set_from_inputs(id, &links.from_inputs);
        for (child, outputs) in links.from_outputs {
            self.engine.graph.set_targets(child, &outputs);
        }
        self.engine.graph.diagrams[id.index()].boxes = ids.into();
        id
    }

    /// Sets the links of the diagrams inside a box anew. Returns false if the boxes there are others.
    pub(crate) fn links_anew(&mut self, owner: BoxId, owner_def: &'a BoxDef) -> bool {
        let (Some(timeline), graph) = (&owner_def.timeline, &self.engine.graph) else { return true };
        let layers = graph.boxes[owner.index()].inside.iter().flat_map(|inside| &inside.layers);
        let mut pairs: Vec<(DiagramId, &model::Diagram)> = Vec::new();
        for layer in layers {
            let keyframes = timeline.layers.get(layer.index).map_or(&[][..], |of| &of.keyframes);
            pairs.extend(layer.keyframes.iter().map(|k| k.diagram).zip(keyframes.iter().map(|k| &k.diagram)));
        }
        if pairs.iter().any(|(id, def)| graph.diagrams[id.index()].boxes.len() != def.boxes.len()) {
            return false;
        }
        for (id, def) in pairs {
            let ids = self.engine.graph.diagrams[id.index()].boxes.to_vec();
            let links = self.links(owner, owner_def, def, &ids, &|_| true);
            self.set_from_inputs(id, &links.from_inputs);
            for (child, outputs) in links.from_outputs {
                self.engine.graph.set_targets(child, &outputs);
                // The tables of the fast path have the links of before.
                for output in 0..self.engine.graph.boxes[child.index()].kind.outputs.len() {
                    self.engine.fast_path.close(child, output as u16);
                }
            }
        }
        true
    }

    /// Creates an entry whose boxes and links follow later, because boxes refer to the diagram's id.
    fn diagram_node(&mut self, owner: BoxId, place: Option<Arc<Place>>) -> DiagramId {
        let id = DiagramId(self.engine.graph.diagrams.len() as u32);
        let (boxes, from_inputs) = Default::default();
        self.engine.graph.diagrams.push(DiagramNode { owner, boxes, place, generation: 0, from_inputs });
        id
    }

    fn set_from_inputs(&mut self, id: DiagramId, inputs: &[Vec<Target>]) {
        let graph = &mut self.engine.graph;
        graph.diagrams[id.index()].from_inputs = graph.links.list(inputs);
    }

    fn boxes(&mut self, owner: BoxId, home: Option<DiagramId>, def: &'a model::Diagram, path: PathId) -> Vec<BoxId> {
        let mut ids = Vec::with_capacity(def.boxes.len());
        for (segment, child) in segments(def).into_iter().zip(&def.boxes) {
            let path = self.engine.cx.paths.add_child(path, segment);
            ids.push(self.box_node(child, path, Some(owner), home, Policy::Box));
        }
        for (&child, def) in ids.iter().zip(&def.boxes) {
            self.insides(child, def);
        }
        ids
    }

    /// Creates the states of an explicit state machine: each is a diagram over boxes that the states share.
    fn written(
        &mut self,
        owner: BoxId,
        owner_def: &BoxDef,
        def: &'a model::Diagram,
        path: PathId,
        machine: &model::StateMachine,
        layer: &Arc<str>,
    ) -> (Vec<Keyframe>, Vec<OutputLinks>) {
        let first = BoxId(self.engine.graph.boxes.len() as u32);
        // A box's home is the state that is current.
        let ids = self.boxes(owner, None, def, path);
        let mut keyframes = Vec::new();
        let mut outputs = Vec::new();
        for state in &machine.states {
            let place = Place { layer: layer.clone(), keyframe: state.name.clone() };
            let id = self.diagram_node(owner, Some(Arc::new(place)));
            let own: Vec<BoxId> = state.boxes.iter().filter_map(|b| ids.get(*b).copied()).collect();
            let mut links = self.links(owner, owner_def, def, &ids, &|link| state.links.contains(&link));
            let inside = |to: &Target| to.kind == TargetKind::ParentOutput || to.to == owner || own.contains(&to.to);
            links.from_inputs.iter_mut().for_each(|targets| targets.retain(inside));
            self.set_from_inputs(id, &links.from_inputs);
            let keep = |targets: Box<[Target]>| targets.iter().copied().filter(inside).collect::<Box<[Target]>>();
            let of_state = links.from_outputs.into_iter().filter(|(child, _)| own.contains(child));
            outputs.push(of_state.map(|(child, all)| (child, all.into_iter().map(keep).collect())).collect());
            self.engine.graph.diagrams[id.index()].boxes = own.into();
            keyframes.push(Keyframe { diagram: id, first });
        }
        (keyframes, outputs)
    }

    /// Resolves the selected links to their targets.
    fn links(
        &mut self,
        owner: BoxId,
        owner_def: &BoxDef,
        def: &model::Diagram,
        ids: &[BoxId],
        wanted: &dyn Fn(usize) -> bool,
    ) -> Links {
        let routes = resolve(owner_def, def);
        // Most links start at inputs, so the memory for those is allocated at once.
        let mut counts = vec![0; owner_def.inputs.len()];
        for route in routes.iter().flatten() {
            if let End::Parent(PortRef::Input(i)) = route.from {
                counts[i] += 1;
            }
        }
        let mut from_inputs: Vec<Vec<Target>> = counts.into_iter().map(Vec::with_capacity).collect();
        // A box whose outputs have no links has an empty list here.
        let mut from_outputs: Vec<Vec<Vec<Target>>> = vec![Vec::new(); def.boxes.len()];
        for (index, route) in routes.into_iter().enumerate() {
            if !wanted(index) {
                continue;
            }
            let route = match route {
                Ok(route) => route,
                Err(error) => {
                    let path = self.engine.graph.path_of(owner);
                    self.engine.cx.warn(path, error.message(owner_def, def));
                    continue;
                }
            };
            let (to, port) = match route.to {
                End::Parent(port) => (owner, port),
                End::Box(place, port) => (ids[place], port),
            };
            let (kind, port) = match port {
                PortRef::Input(p) => (TargetKind::Input, p),
                PortRef::Output(p) => (TargetKind::ParentOutput, p),
                PortRef::Parameter(p) => (TargetKind::Parameter, p),
            };
            let target = Target { to, port: port as u16, kind };
            match route.from {
                End::Parent(PortRef::Input(i)) => from_inputs[i].push(target),
                End::Box(place, PortRef::Output(o)) => {
                    from_outputs[place].resize(def.boxes[place].outputs.len(), Vec::new());
                    from_outputs[place][o].push(target);
                }
                _ => {}
            }
        }
        let outputs = ids.iter().copied().zip(from_outputs);
        Links {
            from_inputs,
            from_outputs: outputs.map(|(id, o)| (id, o.into_iter().map(Vec::into).collect())).collect(),
        }
    }

    fn box_node(
        &mut self,
        def: &'a BoxDef,
        path: PathId,
        parent: Option<BoxId>,
        home: Option<DiagramId>,
        policy: Policy,
    ) -> BoxId {
        let body = self.body(def, path);
        let params = def.parameters.iter().map(|p| self.param(p, path)).collect();
        let kind = self.kind(def);
        let graph = &mut self.engine.graph;
        graph.boxes.push(BoxNode {
            path,
            behavior: self.behavior,
            parent,
            home,
            policy,
            body,
            kind,
            inside: None,
            sole: None,
            life: Life::default(),
            constructed: false,
            hooks: Hooks::default(),
            object: None,
            stops: 0,
            targets: Box::default(),
            params,
            file_id: def.id,
            made: None,
        });
        BoxId(graph.boxes.len() as u32 - 1)
    }

    /// The kind of a box, shared with all boxes that have the same interface.
    fn kind(&mut self, def: &'a BoxDef) -> Arc<BoxKind> {
        let graph = &mut self.engine.graph;
        let make = || {
            graph.kinds += 1;
            Arc::new(BoxKind {
                number: graph.kinds,
                inputs: def.inputs.iter().map(input_port).collect(),
                outputs: def.outputs.iter().map(output_port).collect(),
                resources: def.resources.iter().map(resource).collect(),
                resource_timeout: def.resources.first().map_or(0.0, |r| r.timeout),
            })
        };
        self.kinds.entry(Interface(def)).or_insert_with(make).clone()
    }

    /// The body of a box without a script. A dialog is the work of the robot's dialog engine; what an editor's plugin does is in the script that it has written, if there is one.
    fn unscripted(&mut self, def: &BoxDef, path: PathId) -> Body {
        let text = match &def.dialog_file {
            // A real robot is asked when the dialog is loaded.
            Some(_) if self.engine.services.is_real() || self.engine.services.has_service("ALDialog") => String::new(),
            Some(file) => format!("the dialog {file} is not played: the robot has no ALDialog"),
            None if !def.plugin.is_empty() && def.timeline.is_none() => {
                format!("the plugin {} has left no script in the file: the box does nothing", def.plugin)
            }
            None => return Body::Empty,
        };
        if !text.is_empty() {
            self.engine.cx.warn(path, text);
        }
        let Some(file) = &def.dialog_file else { return Body::Empty };
        self.engine.graph.dialogs.push(file.as_str().into());
        Body::Dialog(self.engine.graph.dialogs.len() as u32 - 1)
    }

    fn body(&mut self, def: &BoxDef, path: PathId) -> Body {
        let own = self.own.as_mut().and_then(|f| f.make(def));
        if let Some(native) = own.or_else(|| self.engine.factory.as_mut().and_then(|f| f.make(def))) {
            self.natives.insert(BoxId(self.engine.graph.boxes.len() as u32), native);
            return Body::Native;
        }
        let Some(script) = &def.script else { return self.unscripted(def, path) };
        if script.language.is_lost(&script.text) {
            let words = script.language.words();
            self.engine
                .cx
                .warn(path, format!("the script is {words} and is not run: the box plays as one without a script"));
            return Body::Empty;
        }
        if script.language != ScriptLanguage::Python || script.text.trim().is_empty() {
            return self.unscripted(def, path);
        }
        if !self.engine.config.scripts {
            return Body::Empty;
        }
        let Graph { classes, class_of, .. } = &mut self.engine.graph;
        let paths = &self.engine.cx.paths;
        Body::Script(*class_of.entry((script.text.clone(), script.args.clone())).or_insert_with(|| {
            let span = script.text_span;
            let first_line = self.source.sources.line(span.file, span.start);
            classes.push(Arc::new(ScriptSource {
                text: script.text.clone(),
                is_program: script.is_program,
                args: script.args.clone(),
                file: self.source.sources.name(span.file).into(),
                first_line,
                path: paths.get(path).unwrap_or_else(|| BoxPath::root(def.name.clone())),
            }));
            ClassId(classes.len() as u32 - 1)
        }))
    }

    fn param(&mut self, p: &model::Parameter, path: PathId) -> Param {
        let value = param_value(p).unwrap_or_else(|error| {
            self.engine.cx.warn(path, format!("parameter \"{}\": {error}; its text is used as it stands", p.name));
            Value::Str(p.value.clone())
        });
        let id = Name::new(&p.name);
        Param { name: p.name.clone(), id, inherits: p.inherits_from_parent, initial: value.clone(), value }
    }
}

fn input_port(def: &model::Input) -> InputPort {
    InputPort {
        name: def.name.clone(),
        id: Name::new(&def.name),
        nature: def.nature,
        port_type: def.port_type,
        method: format!("onInput_{}", def.name).into(),
        handled: false,
    }
}

fn output_port(def: &model::Output) -> OutputPort {
    OutputPort { name: def.name.clone(), id: Name::new(&def.name), nature: def.nature, port_type: def.port_type }
}

fn resource(def: &model::Resource) -> ResourceNeed {
    ResourceNeed { name: def.name.clone(), mode: def.mode.unwrap_or(ResourceMode::Lock) }
}

/// The interface of a box, for comparison: equal for boxes whose ports and resources are the same.
pub(crate) struct Interface<'a>(&'a BoxDef);

impl PartialEq for Interface<'_> {
    fn eq(&self, other: &Self) -> bool {
        fn same<T>(a: &[T], b: &[T], alike: impl Fn(&T, &T) -> bool) -> bool {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        let (a, b) = (self.0, other.0);
        same(&a.inputs, &b.inputs, |a, b| (&a.name, a.nature, a.port_type) == (&b.name, b.nature, b.port_type))
            && same(&a.outputs, &b.outputs, |a, b| (&a.name, a.nature, a.port_type) == (&b.name, b.nature, b.port_type))
            && same(&a.resources, &b.resources, |a, b| {
                (&a.name, a.mode, a.timeout.to_bits()) == (&b.name, b.mode, b.timeout.to_bits())
            })
    }
}

impl Eq for Interface<'_> {}

impl Hash for Interface<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let names = self.0.inputs.iter().map(|i| &i.name).chain(self.0.outputs.iter().map(|o| &o.name));
        names.for_each(|name| name.hash(state));
    }
}
