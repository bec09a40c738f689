//! The engine: one value that holds the whole state of a run.

use crate::behaviors::Behaviors;
use crate::calls::Calls;
use crate::clock::Alarm;
use crate::config::{BehaviorSource, ClockKind, Config, Control, Library};
use crate::context::{Acts, Context};
use crate::debugger::Debugger;
use crate::dialog::Dialogs;
use crate::fast_path::FastPath;
use crate::graph::Graph;
use crate::held_back::HeldBack;
use crate::held_controls::HeldControls;
use crate::ids::{BehaviorId, BoxId};
use crate::livelock::SignalBudget;
use crate::native::NativeFactory;
use crate::objects::calls::Listeners;
use crate::objects::goal::Drive;
use crate::package_services::PackageServices;
use crate::probes::Probes;
use crate::procedures::Procs;
use crate::resources::Resources;
use crate::run_end::RunEnd;
use crate::runner::host::Runners;
use crate::scripts::ScriptTable;
use crate::services::{Effect, Random, Services};
use crate::stop::{Deadlines, Stops};
use crate::tasks::Tasks;
use crate::trace::{Footer, Header, PathId, Sink};
use crate::tracer::Tracer;
use boxstep_types::{Diagnostic, Time};

/// A run: its behaviors, clock, tasks and trace. See the crate's documentation.
pub struct Engine {
    pub(crate) config: Config,
    pub(crate) graph: Graph,
    pub(crate) behaviors: Behaviors,
    /// Listeners that subscribed to events of the run.
    pub(crate) callbacks: Listeners,
    pub(crate) drive: Drive,
    pub(crate) debugger: Debugger,
    pub(crate) fast_path: FastPath,
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
    pub(crate) clients: crate::remote_clients::WaitingClients,
    pub(crate) resources: Resources,
    pub(crate) runners: Runners,
    pub(crate) package_services: PackageServices,

    /// How often scripts have read the clock since it last moved.
    pub(crate) polls: crate::polling::Polls,
    pub(crate) budget: SignalBudget,
    pub(crate) probes: Probes,

    pub(crate) end: RunEnd,
    pub(crate) stops: Stops,
}

impl Graph {
    pub(crate) fn path_of(&self, id: BoxId) -> PathId {
        self.boxes[id.index()].path
    }

    /// The path of a box; the run's own path if there is no box.
    pub(crate) fn place_path(&self, place: Option<BoxId>) -> PathId {
        place.map_or(PathId(0), |b| self.path_of(b))
    }
}

impl Acts for Engine {
    fn context(&mut self) -> &mut Context {
        &mut self.cx
    }
}

impl Engine {
    /// Creates a run with a robot, a library of behaviors that it can start by name, and sinks for its trace.
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
            graph: Graph { number: crate::objects::calls::next_number(), ..Graph::default() },
            behaviors: Behaviors::new(Deadlines::new(&config)),
            callbacks: Listeners::default(),
            drive: Drive::default(),
            debugger: Debugger::default(),
            fast_path: FastPath::default(),
            factory: None,
            library,
            held_controls: HeldControls::default(),
            procs: Procs::default(),
            tasks: Tasks::default(),
            held_back: HeldBack::new(config.unload_patience),
            scripts: ScriptTable::default(),
            services,
            effects: Vec::new(),
            calls: Calls::default(),
            dialogs: Dialogs::default(),
            clients: crate::remote_clients::WaitingClients::default(),
            resources: Resources::new(config.resources.clone()),
            runners: Runners::default(),
            package_services: PackageServices::default(),
            polls: crate::polling::Polls::default(),
            probes: Probes::new(&config),
            stops: Stops::default(),
            end: RunEnd::default(),
            budget: SignalBudget::new(config.livelock_bound, config.clock == ClockKind::Virtual),
            config,
        };
        if let Some(limit) = engine.config.limit {
            engine.cx.alarm(limit, Alarm::Control(Control::Stop));
            engine.held_controls.set_limit(limit);
        }
        engine
    }

    /// Sets the factory that creates native boxes in behaviors opened from now on.
    pub fn set_natives(&mut self, factory: Box<dyn NativeFactory>) {
        self.factory = Some(factory);
    }

    /// Replaces the machine's clock by a function that returns the time since the run began, for tests. Has no effect
    /// in virtual time.
    pub fn set_machine_clock(&mut self, read: impl Fn() -> Time + Send + 'static) {
        self.cx.clock.set_machine(Box::new(read));
    }

    /// Returns the time of the run at this moment.
    pub fn time(&mut self) -> Time {
        self.cx.clock.refresh()
    }

    /// Loads and starts a behavior as soon as the engine is driven. The run ends when the first behavior played has
    /// ended.
    ///
    /// # Errors
    /// Returns the reasons why the model cannot run at all. Lesser problems are traced as warnings.
    pub fn play(&mut self, behavior: BehaviorSource) -> Result<(), Vec<Diagnostic>> {
        let id = self.open_played(behavior)?;
        self.load_played(id);
        Ok(())
    }

    /// Opens a behavior that is to be played, without loading it.
    pub(crate) fn open_played(&mut self, behavior: BehaviorSource) -> Result<BehaviorId, Vec<Diagnostic>> {
        let id = self.open(behavior, None)?;
        if self.behaviors.played.is_none() {
            self.behaviors.played = Some(id);
            self.held_controls.hold_controls(&mut self.cx, &self.config);
        }
        Ok(id)
    }

    /// Loads and starts a behavior that was opened.
    pub(crate) fn load_played(&mut self, id: BehaviorId) {
        let load = self.behaviors.load(&mut self.cx, &self.graph, id, true);
        self.spawn(load);
    }

    /// Applies a control at a time of the run, or at once if that time has passed. While a behavior that is
    /// [played](Engine::play) has yet to start, the time counts from its start.
    ///
    /// # Errors
    /// Returns why the control is not possible, as far as it is known now: no such box, port or parameter.
    pub fn control(&mut self, at: Time, what: Control) -> Result<(), String> {
        self.behaviors.check_control(&self.cx, &self.graph, &what)?;
        if at <= self.cx.clock.refresh() {
            self.do_control(what);
        } else {
            self.held_controls.schedule(&mut self.cx, at, what);
        }
        Ok(())
    }

    /// Like [`Engine::control`], but at a time of the clock; replays a control of a recorded run. The boxes of
    /// behaviors other than the one that is played may not exist yet: if one is missing when the time comes, the engine
    /// warns.
    ///
    /// # Errors
    /// Returns why the control is not possible.
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

    /// The footer that says how the run ended; `None` while it runs.
    pub fn outcome(&self) -> Option<&Footer> {
        self.end.outcome()
    }

    /// The number of items the run holds, for leak tests: boxes, diagrams, behaviors, paths, procedures, tasks, timers,
    /// objects, script timers, subscribers, open calls, resources, queued work.
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

    /// The memory keys and service signals that have a subscriber, and the resources that are waited for. After a run
    /// that ended as [`crate::trace::EndReason::Waiting`], those that were waited for at its end.
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
