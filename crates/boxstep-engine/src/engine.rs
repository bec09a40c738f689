//! The engine: one value that holds a run.

use crate::behaviors::Behaviors;
use crate::calls::Calls;
use crate::clock::Alarm;
use crate::config::{BehaviorSource, ClockKind, Config, Control, Library, Probe};
use crate::context::Context;
use crate::debugger::Debugger;
use crate::dialog::Dialogs;
use crate::fast_path::FastPath;
use crate::graph::Graph;
use crate::held_back::HeldBack;
use crate::held_controls::HeldControls;
use crate::ids::{BoxId, ProcId};
use crate::livelock::SignalBudget;
use crate::native::{NativeFactory, Put};
use crate::objects::calls::Listeners;
use crate::objects::goal::GoalState;
use crate::procedures::Procs;
use crate::resources::Resources;
use crate::run_end::RunEnd;
use crate::runner::host::Runners;
use crate::scripts::ScriptTable;
use crate::services::{Effect, Random, Services};
use crate::stop::Stops;
use crate::tasks::Tasks;
use crate::trace::{Footer, Header, PathId, Sink};
use crate::tracer::Tracer;
use boxstep_types::{Diagnostic, Time};
use std::collections::VecDeque;

/// A run: behaviors, clock, tasks, trace. See the crate's documentation.
pub struct Engine {
    pub(crate) config: Config,
    pub(crate) graph: Graph,
    pub(crate) behaviors: Behaviors,
    /// Functions that want to know what happens.
    pub(crate) callbacks: Listeners,
    /// Tells this engine's handles from those of others.
    pub(crate) number: u32,
    /// With nothing left to do, the run waits instead of ending.
    pub(crate) held: bool,
    /// How far whoever drives it by hand wants to come.
    pub(crate) run_until: Option<Time>,
    /// What somebody outside, who has the run go on bit by bit, wants to come to.
    pub(crate) goal: Option<GoalState>,
    pub(crate) debugger: Debugger,
    pub(crate) fast_path: FastPath,
    pub(crate) native_outputs: Vec<Put>,
    pub(crate) factory: Option<Box<dyn NativeFactory>>,
    pub(crate) library: Box<dyn Library>,

    pub(crate) cx: Context,
    pub(crate) held_controls: HeldControls,
    pub(crate) procs: Procs,
    pub(crate) tasks: Tasks,
    pub(crate) held_back: HeldBack,
    pub(crate) scripts: ScriptTable,

    pub(crate) services: Box<dyn Services>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) random: Random,
    pub(crate) calls: Calls,
    pub(crate) dialogs: Dialogs,
    pub(crate) outside: crate::remote_clients::WaitingClients,
    pub(crate) resources: Resources,
    pub(crate) runners: Runners,

    /// Looks of scripts at the clock since it last moved.
    pub(crate) polls: crate::polling::Polls,
    pub(crate) budget: SignalBudget,
    /// Counts what timers have done, but for looking again.
    pub(crate) fired: u64,
    pub(crate) next_joints: Time,
    pub(crate) poses: crate::pose::Poses,
    pub(crate) probes: VecDeque<Probe>,

    pub(crate) end: RunEnd,
    pub(crate) stops: Stops,
    /// Starts that wait until a stop of their box is over.
    pub(crate) behind_stops: Vec<(BoxId, ProcId)>,
}

impl Graph {
    pub(crate) fn path_of(&self, id: BoxId) -> PathId {
        self.boxes[id.index()].path
    }

    /// Where something happens; the run itself if that is no box.
    pub(crate) fn place_path(&self, place: Option<BoxId>) -> PathId {
        place.map_or(PathId(0), |b| self.path_of(b))
    }
}

impl Engine {
    /// A run with a robot, the behaviors it may start by name, and writers for its trace.
    pub fn new(
        config: Config,
        services: Box<dyn Services>,
        library: Box<dyn Library>,
        header: &Header,
        sinks: Vec<Box<dyn Sink>>,
    ) -> Self {
        let mut engine = Self {
            cx: Context::new(config.clock, Tracer::new(sinks, header)),
            random: Random::new(config.seed),
            graph: Graph::default(),
            behaviors: Behaviors::default(),
            callbacks: Listeners::default(),
            number: crate::objects::calls::next_number(),
            held: false,
            run_until: None,
            goal: None,
            debugger: Debugger::default(),
            fast_path: FastPath::default(),
            native_outputs: Vec::new(),
            factory: None,
            library,
            held_controls: HeldControls::default(),
            procs: Procs::default(),
            tasks: Tasks::default(),
            held_back: HeldBack::default(),
            scripts: ScriptTable::default(),
            services,
            effects: Vec::new(),
            calls: Calls::default(),
            dialogs: Dialogs::default(),
            outside: crate::remote_clients::WaitingClients::default(),
            resources: Resources::new(config.resources.clone()),
            runners: Runners::default(),
            polls: crate::polling::Polls::default(),
            fired: 0,
            next_joints: Time::ZERO,
            poses: crate::pose::Poses::default(),
            probes: crate::probes::in_order(&config.probes),
            stops: Stops::default(),
            behind_stops: Vec::new(),
            end: RunEnd::default(),
            budget: SignalBudget::new(config.livelock_bound, config.clock == ClockKind::Virtual),
            config,
        };
        if let Some(limit) = engine.config.limit {
            engine.cx.alarm(limit, Alarm::Control(Control::Stop));
            engine.held_controls.limit_at = Some(limit);
        }
        engine
    }

    /// Lets a factory make native boxes in behaviors opened from now on.
    pub fn set_natives(&mut self, factory: Box<dyn NativeFactory>) {
        self.factory = Some(factory);
    }

    /// Reads the real time from elsewhere than the machine's clock, for tests: the time since the run began. No
    /// effect in virtual time.
    pub fn set_machine_clock(&mut self, read: impl Fn() -> Time + Send + 'static) {
        self.cx.clock.set_machine(Box::new(read));
    }

    /// Loads and starts a behavior as soon as the engine is driven; the run ends when the first
    /// behavior played has ended.
    ///
    /// # Errors
    /// What in the model cannot be run at all. What merely probes wrong is traced as a warning.
    pub fn play(&mut self, behavior: BehaviorSource) -> Result<(), Vec<Diagnostic>> {
        let id = self.open(behavior)?;
        if self.behaviors.played.is_none() {
            self.behaviors.played = Some(id);
            self.hold_controls();
        }
        self.start_behavior(id);
        Ok(())
    }

    /// Does something at a time of the run; at once if that has passed. While a behavior that is [played](Engine::play) is
    /// still to start, the time counts from its start.
    ///
    /// # Errors
    /// Why it cannot be done, as far as that is known now: no such box, no such port or parameter.
    pub fn control(&mut self, at: Time, what: Control) -> Result<(), String> {
        self.behaviors.check_control(&self.cx, &self.graph, &what)?;
        if at <= self.cx.clock.refresh() {
            self.do_control(what);
        } else {
            self.held_controls.schedule(&mut self.cx, at, what);
        }
        Ok(())
    }

    /// The same at a time of the clock, for what was done in another run of this. Boxes of other behaviors than the one that is
    /// played may not be there yet: what is not there at its time is a warning.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn control_again(&mut self, at: Time, what: Control) -> Result<(), String> {
        if !self.behaviors.is_of_others(&self.cx, &self.graph, &what) {
            self.behaviors.check_control(&self.cx, &self.graph, &what)?;
        }
        if at <= self.cx.clock.refresh() {
            self.do_control(what);
        } else {
            self.cx.alarm(at, Alarm::Control(what));
        }
        Ok(())
    }

    /// How the run ended; `None` while it runs.
    pub fn outcome(&self) -> Option<&Footer> {
        self.end.outcome()
    }

    /// How much the run holds, for tests of leaks: boxes, diagrams, behaviors, paths, procedures, tasks,
    /// timers, objects, script timers, subscribers, open calls, resources, work in the queue.
    #[doc(hidden)]
    pub fn sizes(&self) -> [usize; 13] {
        let (objects, script_timers) = self.scripts.sizes();
        let (subscribers, calls) = self.calls.sizes();
        [
            self.graph.boxes.len(),
            self.graph.diagrams.len(),
            self.behaviors.all.len(),
            self.cx.paths.len(),
            self.procs.len(),
            self.tasks.iter().count(),
            self.cx.timers.len(),
            objects,
            script_timers,
            subscribers,
            calls,
            self.resources.len(),
            self.cx.work.len(),
        ]
    }

    /// Memory keys and service signals that somebody waits for; after a run that ended as
    /// [`crate::trace::EndReason::Waiting`], those it waited for then.
    pub fn waiting_for(&self) -> Vec<String> {
        match self.end.waiting() {
            Some(then) => then.topics.clone(),
            None => self
                .calls
                .topics
                .keys()
                .map(ToString::to_string)
                .chain(self.resources.awaited_resources(&self.cx, &self.graph, &self.runners))
                .collect(),
        }
    }
}
