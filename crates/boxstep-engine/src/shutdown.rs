//! The ends of a run: nothing left to do, deadlock, livelock and interrupt; and the shutdown of the remaining scripts.

use crate::Engine;
use crate::behaviors::{Behavior, BehaviorState, Behaviors};
use crate::calls::Calls;
use crate::context::{Acts, Context};
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId};
use crate::objects::Arrival;
use crate::polling::Polls;
use crate::procedures::Procs;
use crate::protocol::{Next, Scheduler, ScriptError, TaskId, Wake};
use crate::resources::Freed;
use crate::run_end::RunEnd;
use crate::runner::host::Runners;
use crate::services::Halt;
use crate::stop::Stops;
use crate::tasks::{Task, TaskState, Tasks};
use crate::trace::{Control, EndReason, Footer, Kind, PathId};
use boxstep_format::model::InputNature;
use boxstep_types::Value;
use std::sync::Arc;
use std::time::Duration;

/// The longest time, in real time, that remaining scripts get to end after everything else has ended.
const LAST_WORDS: Duration = Duration::from_millis(100);

impl Tasks {
    /// Warns of the scripts that still run although the run no longer waits for them. Returns false if there are none.
    pub(crate) fn warn_of_endless(&self, cx: &mut Context, graph: &Graph) -> bool {
        let endless = self.iter().filter(|(_, t)| matches!(t.state, TaskState::Lost | TaskState::PassedBy));
        let endless: Vec<_> =
            endless.map(|(_, t)| (graph.place_path(t.place), graph.name_of_task(t.place, &t.what))).collect();
        for (path, what) in &endless {
            cx.warn(*path, format!("{what} runs on without end, and nothing else can happen"));
        }
        !endless.is_empty()
    }
}

impl Context {
    /// Drops the signals of a livelock.
    pub(crate) fn cut_livelock(&mut self, path: PathId, names: &str) {
        // Procedures and tasks that have begun must continue: an abandoned load would keep its box locked.
        let before = self.work.len();
        self.work.retain(|w| {
            matches!(w, Work::Task(_) | Work::Resume(_) | Work::Proc(_) | Work::Notify(_) | Work::StopBehavior(..))
        });
        // There may be any number of dropped signals, so they are counted, including this one, instead of traced.
        let cut = before - self.work.len() + 1;
        self.tracer.dropped += cut as u64;
        self.warn(path, format!("signals go round in no time, for ever: {names}; {cut} are dropped"));
    }
}

impl RunEnd {
    /// The footer of the trace. `failed`: the behavior of a run without a reason to end has failed.
    fn footer(&self, cx: &Context, not_compiled: u64, stops: &Stops, failed: bool) -> Footer {
        Footer {
            reason: match self.reason() {
                None | Some(EndReason::Ended) if failed => EndReason::Failed,
                ending => ending.unwrap_or(EndReason::Ended),
            },
            t: cx.now(),
            events: cx.tracer.count(),
            errors: cx.tracer.errors,
            not_compiled,
            unsupported: cx.tracer.unsupported,
            dropped: cx.tracer.dropped,
            warnings: cx.tracer.warnings,
            forced: stops.forced(),
            deterministic: match (&cx.tracer.not_deterministic, cx.clock.is_virtual()) {
                (Some(why), _) => Err(why.clone()),
                (None, false) => Err("real time".to_owned()),
                (None, true) => Ok(()),
            },
        }
    }

    /// Stops every behavior and every runner. The run ends for this reason unless it is ending already.
    pub(crate) fn stop_all(
        &mut self,
        cx: &Context,
        behaviors: &Behaviors,
        runners: &Runners,
        reason: EndReason,
    ) -> Vec<FollowUp> {
        self.begin(reason);
        let deadline = behaviors.deadlines.of_all(cx.now());
        let behaviors = (0..behaviors.all.len()).map(|index| FollowUp::StopBehavior(BehaviorId(index as u32), reason));
        let runners = (0..runners.all.len()).map(|index| FollowUp::StopRunner(index as u32, deadline));
        behaviors.chain(runners).collect()
    }

    /// Ends the run as failed because the robot is lost.
    pub(crate) fn lose_robot(&mut self, cx: &mut Context, why: String) -> Option<FollowUp> {
        if self.has_begun() || self.is_closed() {
            return None;
        }
        cx.warn(PathId(0), why);
        Some(FollowUp::StopAll(EndReason::Failed))
    }

    /// Wakes every blocked task as interrupted. From now on every request is answered with an interrupt.
    pub(crate) fn interrupt_all(&mut self, cx: &mut Context, tasks: &mut Tasks) {
        self.interrupt_scripts(cx.now());
        tasks.interrupt_blocked(cx);
    }

    /// Returns whether every behavior has ended, so that the run only has to be closed.
    pub(crate) fn all_ended(&self, behaviors: &Behaviors, runners: &Runners) -> bool {
        self.is_closed()
            || self.given_up()
            || (self.has_begun() && behaviors.all.iter().all(Behavior::closed) && runners.runners_over())
    }

    /// Returns whether every request of a script is answered with an interrupt.
    pub(crate) fn is_interrupting(&self) -> bool {
        self.scripts_interrupted().is_some()
    }
}

impl Tasks {
    /// The scripts that were running when their host was lost, and so never return, including those that their behavior
    /// no longer waits for: each with its path and its name.
    pub(crate) fn lost_scripts(&self, graph: &Graph, runners: &Runners) -> Vec<(PathId, Arc<str>)> {
        let running = |t: &Task| matches!(t.state, TaskState::Running | TaskState::Lost | TaskState::PassedBy);
        let lost = |(id, t): (TaskId, &Task)| {
            let path = runners.hook_path(self, id).unwrap_or_else(|| graph.place_path(t.place));
            running(t).then(|| (path, graph.name_of_task(t.place, &t.what)))
        };
        self.iter().filter_map(lost).collect()
    }

    /// The end of a run in virtual time in which nothing can happen any more, with the reason in the trace; `None` if the
    /// run only waits for something from outside.
    pub(crate) fn idle_end(
        &self,
        cx: &mut Context,
        graph: &Graph,
        (behaviors, polls): (&Behaviors, &Polls),
        calls: &Calls,
        procs: &Procs,
    ) -> Option<FollowUp> {
        if self.warn_of_endless(cx, graph) {
            return Some(FollowUp::StopAll(EndReason::Deadlock));
        }
        if let Some(path) = polls.error_without_effect(behaviors) {
            return Some(cx.polls_without_end(path));
        }
        let stuck: Vec<String> =
            self.shown(cx, graph).filter(|(.., blocked)| *blocked).map(|(_, who, _)| who).collect();
        if stuck.is_empty() || !calls.topics.is_empty() || !procs.any_waits_for_script() {
            return None;
        }
        let text = format!("deadlock: these wait for each other and no timer is left: {}", stuck.join(", "));
        cx.warn(PathId(0), text);
        Some(FollowUp::StopAll(EndReason::Deadlock))
    }

    /// The tasks that have begun, for messages: what each does, and whether it is blocked.
    pub(crate) fn shown(&self, cx: &Context, graph: &Graph) -> impl Iterator<Item = (TaskId, String, bool)> {
        self.iter().filter(|(_, t)| t.state != TaskState::Queued).map(|(id, t)| {
            let path = cx.paths.text(graph.place_path(t.place));
            let what = graph.name_of_task(t.place, &t.what);
            match &t.state {
                TaskState::Blocked(on, _) => (id, format!("{path} {what} blocked on {on:?}"), true),
                _ => (id, format!("{path} {what}"), false),
            }
        })
    }

    /// Wakes every blocked task as interrupted.
    pub(crate) fn interrupt_blocked(&mut self, cx: &mut Context) {
        for (task, generation) in self.blocked() {
            if self.wake(task, generation, Wake::Interrupted) {
                cx.push(Work::Resume(task));
            }
        }
    }
}

impl Behaviors {
    /// Handles the loss of the script host: behaviors that have scripts fail, and have no script objects any more.
    /// Returns whether one of them was being stopped.
    pub(crate) fn lose_scripts(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        calls: &Calls,
        message: &Arc<str>,
    ) -> bool {
        let mut stopping = false;
        for index in 0..self.all.len() {
            let behavior = &self.all[index];
            if behavior.closed() {
                continue;
            }
            let is_stopping = behavior.stops_since.is_some();
            let mut has_scripts = behavior.state == BehaviorState::Loading;
            for b in &behavior.boxes {
                has_scripts |= graph.boxes[b.index()].object.take().is_some();
            }
            stopping |= has_scripts && is_stopping;
            if has_scripts {
                let (root, kind) = (behavior.root, "ProcessEnded".into());
                let traceback = format!("ProcessEnded: {message}\n").into();
                let error = ScriptError { kind, message: message.clone(), line: None, traceback };
                self.fail_behavior(cx, graph, calls, root, error);
                self.all[index].abort_load();
            }
        }
        stopping
    }
}

impl Engine {
    /// Interrupts the run: stops the robot, then stimulates the onStop inputs of all started boxes, innermost first,
    /// then unloads everything.
    pub(crate) fn interrupt(&mut self) {
        if !self.end.interrupt(self.cx.now()) {
            return;
        }
        self.cx.trace(PathId(0), Kind::control(Control::Interrupt(())));
        self.behaviors.begin_interrupt_deadline(&mut self.cx);
        self.with_services(|s, cx| s.halt(cx, Halt::Safely));
        self.end.begin(EndReason::Interrupted);
        let mut started: Vec<(usize, BoxId, u16)> = Vec::new();
        for (i, node) in self.graph.boxes.iter().enumerate() {
            let stop = node.kind.inputs.iter().position(|p| p.nature == InputNature::OnStop);
            if let (true, Some(stop)) = (node.life.started(), stop) {
                let id = BoxId(i as u32);
                started.push((self.graph.depth(id), id, stop as u16));
            }
        }
        started.sort_by_key(|(depth, id, _)| (std::cmp::Reverse(*depth), *id));
        // One extra count, so that the last stop cannot finish before all of them have begun.
        self.end.wind_down();
        for (_, id, input) in started {
            self.aside(|engine| {
                let node = &engine.graph.boxes[id.index()];
                let (path, port) = (node.path, node.kind.inputs[usize::from(input)].id);
                engine.cx.trace(path, Kind::Input { port, value: Value::Null });
                engine.end.wind_down();
                let stop = engine.procs.wind_down(&engine.cx, &mut engine.graph, id, input);
                engine.run_taken(stop);
            });
        }
        if self.end.wound_down() {
            self.follow_up([FollowUp::StopAll(EndReason::Interrupted)]);
        }
    }

    /// Closes a run whose behaviors have all ended, after interrupting the remaining scripts.
    pub(crate) fn finish(&mut self) -> Next {
        if self.end.scripts_interrupted().is_none() {
            self.end.interrupt_all(&mut self.cx, &mut self.tasks);
            if !self.end.given_up() && !self.cx.work.is_empty() {
                return self.next();
            }
        }
        // Threads that were woken to end get a moment to do so; the host handles those that do not block.
        let patience = self.end.scripts_interrupted().map(|at| at + LAST_WORDS);
        if !self.cx.clock.is_virtual()
            && !self.end.given_up()
            && !self.tasks.is_empty()
            && let Some(until) = patience.filter(|until| self.cx.now() < *until)
        {
            self.cx.flush();
            return Next::Wait(Some(until));
        }
        if self.end.is_closed() {
            return Next::Ended;
        }
        // A script that outlived its box may have moved the robot again; now there are none left.
        self.with_services(|s, cx| s.halt(cx, Halt::Over));
        self.resources.withdraw_others(&mut self.cx, &self.graph, &self.behaviors, &self.runners);
        while let Some(owner) = self.resources.other_holder() {
            self.release_claims(&owner, &Freed::All);
        }
        self.probes.take_last(&mut self.cx, &mut *self.services);
        // A run that is driven by goals outlives its behavior, and that behavior's failure counts.
        let failed = self.drive.goal.is_some()
            && self.behaviors.played.is_some_and(|id| self.behaviors.all[id.index()].failure.is_some());
        let footer = self.end.footer(&self.cx, self.scripts.broken() + self.dialogs.broken(), &self.stops, failed);
        self.cx.tracer.end(&footer, &self.cx.paths);
        self.end.close(footer);
        self.calls.release_clients(&mut self.clients);
        self.drive.arrive(&mut self.cx, Arrival::Over);
        Next::Ended
    }
}
