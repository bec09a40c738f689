//! Drives a runner on an engine's clock: its ticks are timers, its topics are subscriptions of the engine.

use super::causes::Causes;
use super::claims::Claims;
use super::hooks::Thread;
use super::paths::paths_of;
use super::scripted::Go;
use super::{BehaviorId, DeferredCalls, Exchange, NotTaken, Runner, Scripts};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::calls::Subscriber;
use crate::clock::Alarm;
use crate::context::{Cause, Context};
use crate::fast_path::FastPath;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::services::{ServiceError, Services, Topic};
use crate::trace::{EndReason, PathId, ReloadPhase};
use boxstep_types::{Time, Value};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Identifies a runner of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunnerId {
    pub(crate) engine: u32,
    pub(crate) index: u32,
}

/// The runners of a run, by number.
#[derive(Default)]
pub(crate) struct Runners {
    pub(crate) all: Vec<HostedRunner>,
}

impl RunnerId {
    /// Returns the runner's number in its engine, from 0.
    pub fn index(self) -> u32 {
        self.index
    }
}

/// The reason why an engine rejects a runner.
#[derive(Clone, Debug, PartialEq)]
pub enum NotHosted {
    /// The run is over, or is ending.
    Over,
    /// The tick period is not positive.
    NoPeriod,
    /// The runner has already ticked.
    Begun,
    /// The robot has no such signal to subscribe to.
    NoTopic(Topic, ServiceError),
    /// The runner has behaviors in Python, and this run runs no scripts.
    NoScripts,
    /// The system could not create a thread for behaviors in Python, with the reason.
    NoThread(Arc<str>),
}

impl fmt::Display for NotHosted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotHosted::Over => f.write_str("the run is over"),
            NotHosted::NoPeriod => f.write_str("the tick period must be positive"),
            NotHosted::Begun => f.write_str("the runner has already ticked"),
            NotHosted::NoTopic(topic, _) => write!(f, "{topic} cannot be subscribed to"),
            NotHosted::NoScripts => f.write_str("the runner has behaviors in Python, and this run runs no scripts"),
            NotHosted::NoThread(why) => write!(f, "cannot start a thread for behaviors in Python: {why}"),
        }
    }
}

impl std::error::Error for NotHosted {}

/// A runner that an engine drives.
pub(crate) struct HostedRunner {
    /// `None` while a tick of the runner waits for a script.
    pub(super) runner: Option<Box<Runner>>,
    /// The thread of a runner that has behaviors in scripts.
    pub(super) thread: Option<Thread>,
    /// What arrived while a tick waited for a script: events, and in `stop` the deadline of a stop.
    coming: Vec<(Topic, Value, Time)>,
    pub(super) stop: Option<Time>,
    /// Whether the next tick was due while a tick waited for a script.
    missed: bool,
    period: Time,
    due: Time,
    /// By behavior: its name.
    pub(super) names: Vec<Arc<str>>,
    paths: Vec<PathId>,
    /// By behavior: whether it has no delegates.
    pub(super) leaves: Vec<bool>,
    /// The behaviors that only earlier plans have.
    pub(super) earlier: HashSet<u32>,
    /// The trace numbers of the current tick's events. The first is the cause of events that have no other cause.
    pub(super) numbers: Vec<Cause>,
    pub(super) deferred: Option<DeferredCalls>,
    pub(super) claims: Claims,
    pub(super) causes: Causes,
    /// Whether behaviors of earlier plans may still play something.
    retires: bool,
    /// Another plan, for the first tick at which the runner can take it.
    pending: Option<PendingPlan>,
    /// The number of its topics that the engine has subscribed to.
    topics: usize,
    /// Whether the runner is over and the engine has handled that.
    closed: bool,
}

/// How long a new plan waits for running behaviors that prevent it, before the engine forces it
/// ([`Runner::reload_by_force`]).
pub const RELOAD_WITHIN: Time = Time::from_millis(30_000);

/// A function that is called just before a plan is taken, with the behaviors that are new in it.
type BeforePlan = Box<dyn FnOnce(&[(Arc<str>, BehaviorId)]) + Send>;

/// A plan that the runner has not taken yet.
struct PendingPlan {
    plan: Exchange,
    /// A description of what is new in the plan.
    what: String,
    then: BeforePlan,
    /// When the wait of the plan ends, once the trace has an event about the wait.
    until: Option<Time>,
}

impl HostedRunner {
    /// Returns the path of a behavior.
    pub(super) fn path(&self, of: u32) -> PathId {
        self.paths.get(of as usize).copied().unwrap_or_default()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.runner.as_ref().is_some_and(|runner| runner.is_over())
    }

    /// Returns the trace number of an event of this tick.
    pub(super) fn number(&self, of: u32) -> Cause {
        self.numbers.get(of as usize).copied().unwrap_or_default()
    }

    /// Takes the runner back from its thread and raises the events that arrived in the meantime.
    pub(super) fn come_back(&mut self, mut runner: Box<Runner>) {
        for (topic, value, t) in self.coming.drain(..) {
            runner.raise(&topic, value, t);
        }
        self.runner = Some(runner);
    }
}

impl Runners {
    pub(crate) fn runner_is_over(&self, id: RunnerId) -> bool {
        self.all.get(id.index as usize).is_none_or(HostedRunner::is_over)
    }

    /// Returns the path of a behavior of a runner.
    pub(crate) fn path_of_behavior(&self, runner: u32, of: u32) -> PathId {
        self.all.get(runner as usize).map(|hosted| hosted.path(of)).unwrap_or_default()
    }

    /// Returns whether one behavior of a runner is the other, or an ancestor of it.
    pub(crate) fn behavior_leads_to(&self, runner: u32, one: u32, other: u32) -> bool {
        self.all.get(runner as usize).is_some_and(|hosted| {
            hosted.runner.as_ref().is_some_and(|runner| runner.leads_to(BehaviorId(one), BehaviorId(other)))
        })
    }

    pub(crate) fn runners_over(&self) -> bool {
        self.all.iter().all(HostedRunner::is_over)
    }

    /// Returns whether any runner still ticks.
    pub(crate) fn any_ticks(&self) -> bool {
        self.all.iter().any(|hosted| !hosted.closed)
    }

    /// Returns whether the runner still ticks.
    pub(crate) fn ticks(&self, index: u32) -> bool {
        self.all.get(index as usize).is_some_and(|hosted| !hosted.closed)
    }

    /// Computes the paths of a runner's behaviors again. Behaviors that the plan does not have any more keep theirs.
    fn find_paths(&mut self, cx: &mut Context, index: u32) {
        let hosted = &mut self.all[index as usize];
        let Some(runner) = &hosted.runner else { return };
        let paths = paths_of(&mut cx.paths, runner);
        let before = std::mem::replace(&mut hosted.paths, paths);
        for (path, before) in hosted.paths.iter_mut().zip(before) {
            if *path == PathId(0) {
                *path = before;
            }
        }
    }

    /// Returns the time of the next tick. In real time, missed ticks are skipped.
    pub(crate) fn next_tick(&mut self, cx: &Context, index: u32) -> Time {
        let now = cx.now();
        let hosted = &mut self.all[index as usize];
        let next = hosted.due + hosted.period;
        hosted.due = if next > now { next } else { now + hosted.period };
        hosted.due
    }

    pub(crate) fn has_runner(&self, graph: &Graph, id: RunnerId) -> bool {
        id.engine == graph.number && (id.index as usize) < self.all.len()
    }

    /// Raises an event in a runner.
    pub(crate) fn raise_in_runner(
        &mut self,
        cx: &Context,
        services: &dyn Services,
        index: u32,
        topic: &Topic,
        value: &Value,
    ) {
        let (now, real) = (cx.now(), services.is_real());
        if let Some(hosted) = self.all.get_mut(index as usize) {
            if let (true, Some(deferred), Topic::Memory(key)) = (real, &hosted.deferred, topic) {
                deferred.heard(key, value);
            }
            match &mut hosted.runner {
                Some(runner) => drop(runner.raise(topic, value.clone(), now)),
                None => hosted.coming.push((topic.clone(), value.clone(), now)),
            }
        }
    }

    /// Places the behaviors that leaves of a runner play below the leaves' paths.
    fn place_leaves(
        &self,
        cx: &mut Context,
        graph: &mut Graph,
        behaviors: &mut Behaviors,
        fast_path: &mut FastPath,
        index: u32,
    ) {
        let leaves = self.all[index as usize].deferred.as_ref().map(DeferredCalls::leaves).unwrap_or_default();
        for (leaf, root) in leaves {
            let path = self.all[index as usize].path(leaf.0);
            if let Ok(Some(id)) = graph.own_box(root).map(|root| behaviors.root_of(graph, root))
                && behaviors.all[id.index()].leaf.is_none()
            {
                behaviors.all[id.index()].leaf = Some((index, leaf.0));
                behaviors.place_root(cx, graph, fast_path, id, path);
            }
        }
    }

    /// Returns the waiting plan, if the runner can take it now: just before a tick.
    fn plan_to_take(&mut self, cx: &mut Context, index: u32) -> Option<PendingPlan> {
        let now = cx.now();
        let hosted = &mut self.all[index as usize];
        let mut pending = hosted.pending.take()?;
        cx.begin(Cause::OUTSIDE);
        let Some(runner) = &hosted.runner else {
            hosted.pending = Some(pending);
            return None;
        };
        match runner.may_reload(&pending.plan) {
            Ok(()) => return Some(pending),
            Err(why @ NotTaken::Run(_)) if pending.until.is_none_or(|until| now < until) => {
                let traced = pending.until.is_some();
                pending.until.get_or_insert(now + RELOAD_WITHIN);
                hosted.pending = Some(pending);
                if !traced {
                    let text = format!("the new version waits: {why}; at most {} s", RELOAD_WITHIN.as_secs_f64());
                    cx.trace_reload(PathId(0), ReloadPhase::Waiting, text, None);
                }
            }
            Err(why @ NotTaken::Run(_)) => {
                let anew = runner.would_restart(&pending.plan).unwrap_or_default();
                let restarts = if anew.len() == 1 { "restarts" } else { "restart" };
                let text = format!("the new version is taken by force, though {why}: {} {restarts}", anew.join(", "));
                cx.trace_reload(PathId(0), ReloadPhase::Forced, text, None);
                return Some(pending);
            }
            Err(NotTaken::Over) => {}
            Err(why) => {
                cx.trace_reload(PathId(0), ReloadPhase::Refused, format!("{why}; the runner keeps its plan"), None)
            }
        }
        None
    }

    /// Replaces a runner's plan by one that [`Runner::may_reload`] has checked just now; by force if running behaviors
    /// prevent it. What it changes is the cause of what the runner does without another cause.
    fn take_plan(&mut self, cx: &mut Context, index: u32, pending: PendingPlan) {
        let now = cx.now();
        let PendingPlan { plan, what, then, .. } = pending;
        let hosted = &mut self.all[index as usize];
        let Some(runner) = &mut hosted.runner else { return };
        then(&plan.newcomers(runner));
        // If no behavior prevents the new plan, this is an ordinary reload.
        let _ = runner.reload_by_force(plan, now);
        runner.names().clone_into(&mut hosted.names);
        hosted.retires = hosted.deferred.is_some();
        (hosted.leaves, hosted.earlier) = (leaves_of(runner), runner.earlier().collect());
        cx.trace_reload(PathId(0), ReloadPhase::Taken, what, None);
        hosted.numbers[0] = cx.cause();
        self.find_paths(cx, index);
    }

    /// Stops a runner. Behaviors that need time to wind down have it until the deadline.
    pub(crate) fn stop(&mut self, index: u32, deadline: Time) -> Option<FollowUp> {
        let hosted = &mut self.all[index as usize];
        let Some(mut runner) = hosted.runner.take() else {
            // It is stopped once it is back from its thread.
            hosted.stop = Some(hosted.stop.map_or(deadline, |earlier| earlier.min(deadline)));
            return None;
        };
        if hosted.thread.is_some() && !runner.is_over() {
            return self.send(index, Go::Stop(runner, deadline));
        }
        runner.stop_by(deadline);
        hosted.runner = Some(runner);
        Some(FollowUp::RunnerStopped(index))
    }

    /// The deadline of a stop that came while a runner was on its thread.
    pub(crate) fn take_stop(&mut self, index: u32) -> Option<Time> {
        self.all.get_mut(index as usize)?.stop.take()
    }

    /// Schedules the next tick of a runner if one was due while the runner was on its thread.
    pub(crate) fn catch_up(&mut self, cx: &mut Context, index: u32) {
        if std::mem::take(&mut self.all[index as usize].missed) && self.ticks(index) {
            let due = self.next_tick(cx, index);
            cx.alarm(due, Alarm::Tick(index));
        }
    }

    /// Adds the events of a runner to the trace that are not in it yet.
    pub(crate) fn trace_runner(&mut self, cx: &mut Context, index: u32) {
        let hosted = &mut self.all[index as usize];
        let Some(runner) = &mut hosted.runner else { return };
        let all = runner.take_account();
        let known = hosted.numbers.len() - 1;
        hosted.trace(cx, all.get(known..).unwrap_or_default());
        hosted.numbers.truncate(1);
        cx.begin(Cause::OUTSIDE);
    }
}

impl Engine {
    /// Drives a runner from now on, with its first tick as soon as the engine is driven, until the runner stops or the
    /// run ends. A run that plays no behavior of a file ends with the last of its runners.
    ///
    /// # Errors
    /// [`NotHosted`]: the engine is unchanged, except that it may have subscribed to some of the topics.
    pub fn add_runner(&mut self, runner: Runner, period: Time) -> Result<RunnerId, NotHosted> {
        self.host(runner, period, None, None)
    }

    /// Like [`Engine::add_runner`], for a runner whose behaviors defer calls.
    ///
    /// # Errors
    /// As [`Engine::add_runner`].
    pub fn add_runner_with(
        &mut self,
        runner: Runner,
        period: Time,
        deferred: DeferredCalls,
    ) -> Result<RunnerId, NotHosted> {
        self.host(runner, period, Some(deferred), None)
    }

    /// Like [`Engine::add_runner`], for a runner that has behaviors whose hooks run in scripts
    /// ([`super::ScriptBehavior`]).
    ///
    /// # Errors
    /// As [`Engine::add_runner`]; [`NotHosted::NoThread`].
    pub fn add_runner_scripted(
        &mut self,
        runner: Runner,
        period: Time,
        deferred: DeferredCalls,
        scripts: Scripts,
    ) -> Result<RunnerId, NotHosted> {
        self.host(runner, period, Some(deferred), Some(scripts))
    }

    fn host(
        &mut self,
        mut runner: Runner,
        period: Time,
        deferred: Option<DeferredCalls>,
        scripts: Option<Scripts>,
    ) -> Result<RunnerId, NotHosted> {
        if self.end.has_begun() || self.end.is_closed() {
            return Err(NotHosted::Over);
        }
        if period <= Time::ZERO {
            return Err(NotHosted::NoPeriod);
        }
        if scripts.is_some() && !self.config.scripts {
            return Err(NotHosted::NoScripts);
        }
        if runner.ticks() > 0 {
            return Err(NotHosted::Begun);
        }
        runner.set_seed(self.config.seed);
        runner.keep_account(self.cx.tracer.on());
        let paths = paths_of(&mut self.cx.paths, &runner);
        let index = self.runners.all.len() as u32;
        let begins = deferred.as_ref().map_or(Time::ZERO, DeferredCalls::begins);
        let due = self.cx.clock.refresh().max(begins);
        let observed = deferred.as_ref().map(DeferredCalls::observed_resources).unwrap_or_default();
        let claims = self.resources.claims_of(&mut runner, &observed);
        let no_thread = |why: std::io::Error| NotHosted::NoThread(why.to_string().into());
        let start = |scripts| Thread::start(scripts, deferred.clone().unwrap_or_default());
        let thread = scripts.map(start).transpose().map_err(no_thread)?;
        let (names, leaves) = (runner.names().to_vec(), leaves_of(&runner));
        let (coming, numbers) = (Vec::new(), vec![Cause::OUTSIDE]);
        let (topics, closed, missed, stop) = (0, false, false, None);
        let runner = Some(Box::new(runner));
        self.runners.all.push(HostedRunner {
            runner,
            thread,
            coming,
            stop,
            missed,
            period,
            due,
            names,
            paths,
            leaves,
            earlier: HashSet::new(),
            numbers,
            deferred,
            claims,
            causes: Causes::default(),
            retires: false,
            pending: None,
            topics,
            closed,
        });
        if let Err(error) = self.listen_runner(index) {
            self.remove_subscribers(None, |_, s| matches!(s, Subscriber::Runner { index: i } if *i == index));
            self.runners.all.pop();
            return Err(error);
        }
        self.runners.place_leaves(&mut self.cx, &mut self.graph, &mut self.behaviors, &mut self.fast_path, index);
        if let Some(deferred) = self.runners.all[index as usize].deferred.clone() {
            self.ask_memory(&deferred);
        }
        self.cx.alarm(due, Alarm::Tick(index));
        Ok(RunnerId { engine: self.graph.number, index })
    }

    /// Returns a runner. `None` if it belongs to another engine, or if its tick waits for a script.
    pub fn runner(&self, id: RunnerId) -> Option<&Runner> {
        let own = |_: &&HostedRunner| id.engine == self.graph.number;
        self.runners.all.get(id.index as usize).filter(own).and_then(|hosted| hosted.runner.as_deref())
    }

    /// Ends all behaviors of a runner. Behaviors that need time to wind down do so on the engine's clock. Returns false
    /// if the runner belongs to another engine.
    pub fn stop_runner(&mut self, id: RunnerId) -> bool {
        let own = self.runners.has_runner(&self.graph, id);
        if own {
            self.follow_up([FollowUp::StopRunner(id.index, Time::MAX)]);
        }
        own
    }

    /// Replaces a runner's plan at the next tick at which the runner can take the new one ([`Runner::may_reload`]), by
    /// force once the plan has waited for [`RELOAD_WITHIN`]. `then` is called just before, with the new behaviors. A
    /// plan that still waits is replaced by this one. `what` describes the changes for the trace. Returns false if the
    /// runner belongs to another engine, is over, or has behaviors in scripts.
    pub fn reload_runner(
        &mut self,
        id: RunnerId,
        plan: Exchange,
        what: impl Into<String>,
        then: impl FnOnce(&[(Arc<str>, BehaviorId)]) + Send + 'static,
    ) -> bool {
        // Behaviors in scripts would have to be created again.
        let scripted = |hosted: &HostedRunner| hosted.thread.is_some();
        if self.runner(id).is_none_or(Runner::is_over) || scripted(&self.runners.all[id.index as usize]) {
            return false;
        }
        let pending = PendingPlan { plan, what: what.into(), then: Box::new(then), until: None };
        self.runners.all[id.index as usize].pending = Some(pending);
        true
    }

    /// Withdraws a waiting plan, because the plan in use is up to date again. Returns false if no plan waits.
    pub fn forget_reload(&mut self, id: RunnerId) -> bool {
        let waited = self.runner(id).is_some() && self.runners.all[id.index as usize].pending.take().is_some();
        if waited {
            self.cx.begin(Cause::OUTSIDE);
            self.cx.trace_reload(
                PathId(0),
                ReloadPhase::Withdrawn,
                "the plan in use is up to date again".to_owned(),
                None,
            );
        }
        waited
    }

    /// Applies the effects of a runner's tick in the engine: claims and deferred calls. Cleans up once the runner is over.
    pub(crate) fn serve_runner(&mut self, index: u32) {
        let mut causes = std::mem::take(&mut self.runners.all[index as usize].causes);
        self.settle_claims(index, &causes);
        if let Some(deferred) = self.runners.all[index as usize].deferred.clone() {
            self.run_deferred(index, &deferred, &causes);
        }
        causes.end_tick();
        self.runners.all[index as usize].causes = causes;
        let hosted = &mut self.runners.all[index as usize];
        if !hosted.is_over() || std::mem::replace(&mut hosted.closed, true) {
            return;
        }
        self.remove_subscribers(None, |_, s| matches!(s, Subscriber::Runner { index: i } if *i == index));
        if self.behaviors.played.is_none() && !self.drive.held && !self.end.has_begun() && self.runners.runners_over() {
            self.follow_up([FollowUp::StopAll(EndReason::Ended)]);
        }
    }

    pub(crate) fn tick_runner(&mut self, index: u32) {
        let now = self.cx.now();
        if !self.runners.ticks(index) {
            return;
        }
        if let Some(deferred) = self.runners.all[index as usize].deferred.clone() {
            let (behaviors, services) = (&self.behaviors, &mut *self.services);
            deferred.record_state(&self.cx, &self.graph, behaviors, services, &self.resources);
        }
        if self.runners.all[index as usize].runner.is_none() {
            self.runners.all[index as usize].missed = true;
            return;
        }
        if self.runners.all[index as usize].retires {
            self.runners.all[index as usize].retires =
                self.behaviors.retire_plays(&mut self.graph, &self.runners, index);
        }
        if let Some(plan) = self.runners.plan_to_take(&mut self.cx, index) {
            self.runners.take_plan(&mut self.cx, index, plan);
            self.renew_claims(index);
            self.runners.place_leaves(&mut self.cx, &mut self.graph, &mut self.behaviors, &mut self.fast_path, index);
            if let Some(deferred) = self.runners.all[index as usize].deferred.clone() {
                self.ask_memory(&deferred);
            }
            self.runners.trace_runner(&mut self.cx, index);
            self.runners.all[index as usize].numbers[0] = Cause::OUTSIDE;
        }
        self.report_other_users(index);
        let hosted = &mut self.runners.all[index as usize];
        let Some(mut runner) = hosted.runner.take() else { return };
        if hosted.thread.is_some() {
            let next = self.runners.send(index, Go::Tick(runner, now));
            return self.follow_up(next);
        }
        runner.tick(now);
        hosted.runner = Some(runner);
        self.follow_up([FollowUp::RunnerTicked(index)]);
    }

    /// Subscribes to the topics that behaviors have added since the last call.
    pub(crate) fn listen_runner(&mut self, index: u32) -> Result<(), NotHosted> {
        let hosted = &mut self.runners.all[index as usize];
        let Some(runner) = &hosted.runner else { return Ok(()) };
        let new: Vec<Topic> = runner.topics()[hosted.topics..].to_vec();
        hosted.topics += new.len();
        let mut missing = None;
        for topic in new {
            if let Err(error) = self.add_subscriber(topic.clone(), Subscriber::Runner { index }) {
                missing.get_or_insert(NotHosted::NoTopic(topic, error));
            }
        }
        missing.map_or(Ok(()), Err)
    }
}

fn leaves_of(runner: &Runner) -> Vec<bool> {
    (0..runner.names().len() as u32).map(|of| runner.delegates(BehaviorId(of)).is_empty()).collect()
}
