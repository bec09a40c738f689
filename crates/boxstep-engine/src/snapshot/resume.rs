//! Taking a run up again.

use super::parts::{BoxState, InsideOf};
use super::{ResumeError, Snapshot, known, model::Fingerprint};
use crate::Engine;
use crate::behaviors::BehaviorState as Phase;
use crate::calls::Subscriber;
use crate::config::{BehaviorSource, Config, Library, NoLibrary};
use crate::door::ClassId;
use crate::graph::{BehaviorId, BoxId};
use crate::native::NativeFactory;
use crate::services::{NoRobot, Services};
use crate::trace::{Header, Sink};
use crate::tracer::Tracer;
use boxstep_types::Time;
use std::sync::Arc;

/// What a run is given when it is taken up again, as it was given when it began.
pub struct Resume {
    /// Options. The limit counts from the begin of the run.
    pub config: Config,
    /// A robot of the same kind; what the snapshot knows of the other is put into it.
    pub services: Box<dyn Services>,
    /// Behaviors by name: those that are not in `behaviors` are looked for here.
    pub library: Box<dyn Library>,
    /// The makers of native boxes.
    pub natives: Option<Box<dyn NativeFactory>>,
    /// The first line of the trace that goes on.
    pub header: Header,
    /// Writers of that trace. Events go on being numbered where the snapshot was made.
    pub sinks: Vec<Box<dyn Sink>>,
    /// The behaviors that had been opened.
    pub behaviors: Vec<BehaviorSource>,
}

impl Resume {
    /// Without a robot, other behaviors and a trace.
    pub fn without_robot(config: Config) -> Self {
        Self {
            header: Engine::plain_header(&config),
            config,
            services: Box::new(NoRobot),
            library: Box::new(NoLibrary),
            natives: None,
            sinks: Vec::new(),
            behaviors: Vec::new(),
        }
    }

    /// With one more behavior.
    #[must_use]
    pub fn behavior(mut self, source: BehaviorSource) -> Self {
        self.behaviors.push(source);
        self
    }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, ResumeError> {
    Err(ResumeError::Malformed(what.into()))
}

impl Engine {
    /// Takes a run up where a snapshot was made. Whatever happens from here on is what would have happened there.
    ///
    /// Handles of the other engine are not known here; boxes are found by their paths.
    ///
    /// # Errors
    /// The snapshot is of other behaviors or of another robot, or damaged: see [`ResumeError`].
    pub fn resume(mut with: Resume, snapshot: &Snapshot) -> Result<Self, ResumeError> {
        if snapshot.schema != super::SCHEMA {
            return Err(ResumeError::Schema(snapshot.schema));
        }
        if with.config.scripts != snapshot.scripts {
            return Err(ResumeError::Option("scripts", if snapshot.scripts { "on" } else { "off" }.to_owned()));
        }
        if with.config.mocks.len() != snapshot.mocks.len() {
            return Err(ResumeError::Option("mocks", format!("{} in number", snapshot.mocks.len())));
        }
        for (mock, times) in with.config.mocks.iter_mut().zip(&snapshot.mocks) {
            mock.times = *times;
        }
        let mut sources = Vec::new();
        for saved in &snapshot.behaviors {
            sources.push(source_of(&saved.name, &saved.made_of, &with.behaviors, &mut *with.library)?);
        }
        // What there is to say of the files has been said.
        let mut engine = Engine::new(with.config, with.services, with.library, &with.header, Vec::new());
        engine.factory = with.natives;
        for source in sources {
            let name = source.name.clone();
            let unreadable = |found: Vec<boxstep_types::Diagnostic>| {
                ResumeError::Unreadable(name.to_string(), found.first().map_or_else(String::new, ToString::to_string))
            };
            let id = engine.open(source).map_err(unreadable)?;
            // So that another of its name is another behavior, as it was.
            engine.behaviors[id.index()].state = Phase::Running;
        }
        engine.services.restore(snapshot.t, &snapshot.robot).map_err(ResumeError::Robot)?;
        engine.take_up(snapshot)?;
        engine.tracer = Tracer::new(with.sinks, &with.header);
        let (tracer, counts) = (&mut engine.tracer, &snapshot.counts);
        tracer.n = if tracer.on() { counts.events } else { 0 };
        (tracer.errors, tracer.unsupported) = (counts.errors, counts.unsupported);
        (tracer.dropped, tracer.warnings) = (counts.dropped, counts.warnings);
        tracer.not_deterministic.clone_from(&counts.not_deterministic);
        engine.subscribe_again(snapshot)?;
        Ok(engine)
    }

    /// Everything but the robot and the trace.
    fn take_up(&mut self, snapshot: &Snapshot) -> Result<(), ResumeError> {
        let (boxes, behaviors) = (self.graph.boxes.len(), self.behaviors.len());
        if snapshot.behaviors.iter().map(|b| b.boxes.len()).sum::<usize>() != boxes
            || snapshot.diagrams.len() != self.graph.diagrams.len()
            || behaviors != snapshot.behaviors.len()
            || snapshot.played.is_some_and(|played| played >= behaviors)
        {
            return malformed("it has not as many boxes and diagrams as its behaviors have");
        }
        self.clock.set(snapshot.t);
        self.random = snapshot.random.clone();
        self.held = snapshot.held;
        self.played = snapshot.played.map(|index| BehaviorId(index as u32));
        let counts = &snapshot.counts;
        (self.cause, self.signals, self.happened) = (counts.cause, counts.signals, counts.happened);
        self.bound = self.turn_end();
        self.stops.forced = counts.forced;
        (self.calls.made, self.calls.subscriptions) = (counts.calls, counts.subscriptions);
        self.scripts.broken_classes = counts.broken.iter().copied().map(ClassId).collect();
        self.next_joints = match (snapshot.joints, self.config.joints_hz) {
            (Some((was, next)), Some(hz)) if was == hz => next.max(snapshot.t),
            _ => snapshot.t,
        };
        self.looks.retain(|look| look.at.is_none_or(|at| at >= snapshot.t));

        for (node, generation) in self.graph.diagrams.iter_mut().zip(&snapshot.diagrams) {
            node.generation = *generation;
        }
        for (index, saved) in snapshot.behaviors.iter().enumerate() {
            let behavior = &mut self.behaviors[index];
            behavior.state = if saved.running { Phase::Running } else { Phase::Closed };
            (behavior.start, behavior.started, behavior.used) = (saved.start, saved.started, saved.used);
            behavior.failure.clone_from(&saved.failure);
        }
        let saved: Vec<&BoxState> = snapshot.behaviors.iter().flat_map(|b| &b.boxes).collect();
        for (index, saved) in saved.iter().enumerate() {
            self.take_up_box(BoxId(index as u32), saved)?;
        }
        self.take_up_insides(&saved, snapshot.t)?;

        for (id, input) in snapshot.resources.boxes() {
            let inputs = self.graph.boxes[known(id, boxes)?.index()].kind.inputs.len();
            if input.is_some_and(|input| usize::from(input) >= inputs) {
                return malformed("a start waits that no input asked for");
            }
        }
        if !snapshot.resources.is_in_order() {
            return malformed("who waits for resources does not wait in order");
        }
        self.resources.restore(snapshot.resources.clone(), &mut self.procs);
        for timer in &snapshot.timers {
            timer.what.of_box().map_or(Ok(BoxId(0)), |id| known(id, boxes))?;
            self.timers.add(timer.t, timer.what.alarm());
        }
        Ok(())
    }

    fn take_up_box(&mut self, id: BoxId, saved: &BoxState) -> Result<(), ResumeError> {
        let path = self.shown(id);
        if path != saved.path {
            return malformed(format!("{} stands where {path} should", saved.path));
        }
        let node = &mut self.graph.boxes[id.index()];
        if node.params.len() != saved.parameters.len() || node.inside.is_some() != saved.inside.is_some() {
            return malformed(format!("{path} has other parameters or another inside"));
        }
        (node.life, node.constructed) = (saved.life, saved.constructed);
        node.stops = saved.stops;
        for (param, value) in node.params.iter_mut().zip(&saved.parameters) {
            param.value = value.clone();
        }
        if saved.home != node.home
            && let Some(home) = saved.home
            && self.rejoin_state(id, home).is_none()
        {
            return malformed(format!("{path} is in no such diagram"));
        }
        match (self.fast.body(id), &saved.native) {
            (Some(body), Some(native)) => body.restore(&native.saved).map_err(|why| ResumeError::Native(path, why)),
            (None, Some(_)) => Err(ResumeError::Native(path, "the box is not native here".to_owned())),
            (Some(_), None) if !self.behaviors[self.graph.boxes[id.index()].behavior.index()].closed() => {
                Err(ResumeError::Native(path, "the box was not native there".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn take_up_insides(&mut self, saved: &[&BoxState], now: Time) -> Result<(), ResumeError> {
        let boxes = saved.len();
        let insides = || saved.iter().enumerate().filter_map(|(i, s)| Some((BoxId(i as u32), s.inside.as_ref()?)));
        for (id, inside) in insides() {
            let path = self.shown(id);
            for other in [inside.drives, inside.driven_by].into_iter().flatten() {
                known(other, boxes)?;
            }
            if self.take_up_inside(id, inside).is_none() {
                return malformed(format!("{path} has another inside"));
            }
        }
        // Which states are entered at which frames may not be as the file says. No cursor moves yet.
        for (id, _) in insides() {
            self.index_flags(id);
        }
        let joints = self.services.joint_names(now);
        for (id, inside) in insides() {
            if let Some(timeline) = self.timeline_mut(id) {
                timeline.restore(&inside.cursor, joints.as_deref());
            }
        }
        Ok(())
    }

    fn take_up_inside(&mut self, id: BoxId, saved: &InsideOf) -> Option<()> {
        let inside = self.graph.boxes[id.index()].inside.as_mut()?;
        if inside.layers.len() != saved.current.len() || inside.machine.is_some() != saved.machine.is_some() {
            return None;
        }
        for (layer, current) in inside.layers.iter_mut().zip(&saved.current) {
            if current.is_some_and(|k| k >= layer.keyframes.len()) {
                return None;
            }
            layer.current = *current;
        }
        if let (Some(machine), Some(saved)) = (&mut inside.machine, &saved.machine) {
            machine.restore(saved)?;
        }
        (inside.state, inside.unwinding) = (saved.state, saved.unwinding);
        (inside.drives, inside.driven_by) = (saved.drives, saved.driven_by);
        (inside.flags, inside.flagged) = (saved.flags.clone(), saved.flagged);
        Some(())
    }

    /// The robot learns who listens; it may have been made anew.
    fn subscribe_again(&mut self, snapshot: &Snapshot) -> Result<(), ResumeError> {
        for (topic, inputs) in &snapshot.topics {
            for (diagram, input) in inputs {
                let owner = self.graph.diagrams.get(diagram.index()).map(|d| d.owner);
                let known = |o: BoxId| usize::from(*input) < self.graph.boxes[o.index()].kind.inputs.len();
                if !owner.is_some_and(known) {
                    return malformed(format!("nothing could listen to {topic}"));
                }
                let subscriber = Subscriber::Input { diagram: *diagram, input: *input };
                let refused =
                    |e: crate::services::ServiceError| ResumeError::Robot(e.message("it", &topic.to_string()));
                self.add_subscriber(topic.clone(), subscriber).map_err(refused)?;
            }
        }
        Ok(())
    }
}

/// The behavior of a name, if it is the one.
fn source_of(
    name: &Arc<str>,
    made_of: &Fingerprint,
    given: &[BehaviorSource],
    library: &mut dyn Library,
) -> Result<BehaviorSource, ResumeError> {
    let source = match given.iter().find(|s| s.name == *name) {
        Some(source) => source.clone(),
        None => library
            .open(name)
            .ok_or_else(|| ResumeError::Missing(name.to_string()))?
            .map_err(|why| ResumeError::Unreadable(name.to_string(), why))?,
    };
    let differs = made_of.differences(&Fingerprint::of(&source.project));
    if differs.is_empty() { Ok(source) } else { Err(ResumeError::Differs(name.to_string(), differs)) }
}
