//! The engine as a script host drives it: what is next, requests and ends of tasks, and the ends of a host.

use crate::Engine;
use crate::behaviors::Behavior;
use crate::context::Cause;
use crate::follow_up::FollowUp;
use crate::protocol::{Answer, Job, Next, ObjectId, Request, Scheduler, ScriptError, TaskId};
use crate::run_end::Waiting;
use crate::services::Halt;
use crate::tasks::TaskState;
use crate::trace::{EndReason, PathId};
use boxstep_types::{Time, Value};
use std::sync::Arc;

impl Scheduler for Engine {
    fn next(&mut self) -> Next {
        let now = self.cx.clock.refresh();
        if !self.cx.clock.is_virtual() {
            self.probes.sample(&mut self.cx, &mut *self.services, &self.end, now);
            self.probes.take_before(&mut self.cx, &mut *self.services, now);
            // A robot's reports come before timers: at one instant the robot goes first.
            if self.services.is_real() {
                self.cx.begin(Cause::OUTSIDE);
                self.with_services(|s, cx| s.heard(cx));
            }
            self.fire_due();
        }
        let mut next = loop {
            if self.end.given_up() {
                break self.finish();
            }
            if self.debugger.pauses(&mut self.cx, &self.end) {
                break self.cx.rest_paused();
            }
            if self.effects.is_empty() && self.end.only_scripts_are_left(&self.cx, &self.behaviors, &self.runners) {
                break self.finish();
            }
            if let Some(next) = self.drain() {
                break next;
            }
            if !self.effects.is_empty() {
                self.apply_effects();
                continue;
            }
            if self.end.all_ended(&self.behaviors, &self.runners) {
                break self.finish();
            }
            let reload = self.scripts.next_reload(&mut self.cx, &self.graph, &self.tasks, &self.behaviors, &self.end);
            if let Some(reload) = reload.or_else(|| self.next_part()) {
                self.spawn(reload);
                continue;
            }
            let due = self.drive.asks_for_timers(self.cx.now(), &self.end) && self.due_now();
            let others = (&self.behaviors, &self.runners);
            let rests = self.drive.rests(&mut self.cx, &self.graph, others, &self.tasks, &self.end, due);
            if rests && self.cx.clock.is_virtual() {
                self.cx.flush();
                break Next::Wait(None);
            }
            if self.cx.clock.is_virtual() {
                if self.advance() {
                    self.drive.stepped();
                    continue;
                }
                if self.tasks.any(&TaskState::Lost) {
                    self.cx.flush();
                    break Next::Wait(None);
                }
                if self.end.has_begun() {
                    // The run is stopping, and nothing that is left can continue.
                    self.give_up();
                    continue;
                }
                if self.drive.held {
                    self.drive.nothing_left(&mut self.cx);
                    self.cx.flush();
                    break Next::Wait(None);
                }
                let others = (&self.behaviors, &self.polls);
                let end = self.tasks.idle_end(&mut self.cx, &self.graph, others, &self.calls, &self.procs);
                if end.is_none() {
                    self.end.remember(Waiting { topics: self.waiting_for(), waits: self.waits() });
                }
                self.follow_up([end.unwrap_or(FollowUp::StopAll(EndReason::Waiting))]);
            } else {
                self.budget.restart();
                if !self.cx.clock.started()
                    && self.cx.time_is_awaited(&self.config, &self.behaviors, &self.end, &self.tasks)
                {
                    if self.cx.clock.still() >= self.config.load_patience {
                        self.held_controls.long_load(&mut self.cx, &self.graph, &self.tasks);
                    }
                    self.debugger.start_clock(&mut self.cx);
                }
                self.cx.flush();
                let timer = self.cx.timers.next().map(|(at, _)| at);
                break Next::Wait(timer.into_iter().chain(self.probes.next_sample(&self.config)).min());
            }
        };
        self.debugger.scale_wait(&self.cx, &mut next);
        next
    }

    fn request(&mut self, task: TaskId, request: Request) -> Answer {
        self.cx.clock.refresh();
        let answer = self.script_request(task, request);
        if !self.effects.is_empty() {
            self.apply_effects();
        }
        answer
    }

    fn output(&mut self, task: TaskId, object: ObjectId, name: &Arc<str>, value: Value) -> Answer {
        self.cx.clock.refresh();
        match self.tasks.begin_request(&mut self.cx, task) {
            Some(_) if !self.end.is_interrupting() => {
                self.scripts.output(&mut self.cx, &mut self.graph, &self.tasks, (task, object), name, value)
            }
            _ => Answer::Interrupted,
        }
    }

    fn ended(&mut self, task: TaskId, result: Result<Value, ScriptError>) {
        self.cx.clock.refresh();
        self.returned(task, result);
        if !self.effects.is_empty() {
            self.apply_effects();
        }
    }

    fn now(&self) -> Time {
        self.cx.clock.read()
    }

    fn is_virtual(&self) -> bool {
        self.cx.clock.is_virtual()
    }

    fn revoke(&mut self, task: TaskId) {
        let Some(t) = self.tasks.get_mut(task) else { return };
        t.state = TaskState::Lost;
        let (what, place) = (t.what.clone(), t.place);
        let what = self.graph.name_of_task(place, &what);
        let path = self.runners.hook_path(&self.tasks, task).unwrap_or_else(|| self.graph.place_path(place));
        let name = self.cx.paths.text(path);
        self.cx.warn(path, format!("{what} runs without letting anything else run; the rest goes on without it"));
        if self.cx.tracer.not_deterministic.is_none() {
            self.cx.tracer.not_deterministic = Some(format!("watchdog: {name} {what}"));
        }
        if let Some(hook) = self.tasks.revoked_hook(&self.graph, task) {
            let index = hook.index;
            let next = self.runners.give_hook_up(&mut self.cx, &mut self.tasks, hook);
            self.command_thread(index, next);
        }
    }

    fn pass_by(&mut self) {
        self.tasks.pass_by();
    }

    fn begins(&mut self, job: Job) -> Option<Job> {
        self.held_back.hold_back(&mut self.cx, &self.graph, &mut self.tasks, job)
    }

    fn loads(&self, task: TaskId) -> bool {
        self.held_controls.is_loading() && self.tasks.get(task).is_some_and(crate::tasks::Task::is_load)
    }

    fn interrupting(&self) -> bool {
        self.end.interrupted().is_some() || self.end.scripts_interrupted().is_some()
    }

    fn stopping(&self) -> bool {
        self.behaviors.any_is_stopped()
    }

    /// Abandons everything that still runs. Nothing more is dispatched; the host must release blocked tasks.
    fn give_up(&mut self) {
        if !self.end.give_up() {
            return;
        }
        // Even a run that abandons everything must leave the robot at rest.
        if !self.end.is_closed() && !self.behaviors.all.iter().all(Behavior::closed) {
            let busy = self.busy();
            self.stops.trace_forced(&mut self.cx, PathId(0), busy);
            self.with_services(|s, cx| s.halt(cx, Halt::AtOnce));
        }
        if !self.end.has_begun() {
            let endless = self.tasks.warn_of_endless(&mut self.cx, &self.graph);
            self.end.begin(if endless { EndReason::Deadlock } else { EndReason::Interrupted });
        }
        self.end.interrupt_all(&mut self.cx, &mut self.tasks);
        self.cx.work.clear();
    }

    /// Handles the loss of the script host: the robot stops, the behaviors that have scripts fail, and everything is
    /// unloaded without scripts.
    fn scripts_died(&mut self, why: &str) {
        if self.end.is_closed() {
            return;
        }
        let lost = self.tasks.lost_scripts(&self.graph, &self.runners);
        let named = |(path, what): &(PathId, Arc<str>)| match self.cx.paths.get(*path) {
            Some(path) => format!("{path} {what}"),
            None => what.to_string(),
        };
        let during = match &lost[..] {
            [] => String::new(),
            some => format!(" while {} ran", some.iter().map(named).collect::<Vec<_>>().join(", ")),
        };
        let message: Arc<str> = format!("{why}{during}").into();
        self.cx.warn(lost.first().map_or(PathId(0), |(path, _)| *path), message.clone());
        let left = self.end.has_begun() && !lost.is_empty();
        self.with_services(|s, cx| s.halt(cx, Halt::Safely));
        self.scripts.forget_texts();
        self.runners.lose_hooks(&message);
        let stopping = self.behaviors.lose_scripts(&mut self.cx, &mut self.graph, &self.calls, &message);
        if stopping || left {
            // Such a behavior cannot fail any more, but a script that was ended by force, or an onUnload that cannot
            // run, is no ordinary end.
            let busy = self.busy();
            self.stops.trace_forced(&mut self.cx, PathId(0), busy);
        }
        self.tasks.interrupt_blocked(&mut self.cx);
    }

    fn tasks(&self) -> Vec<(TaskId, String, bool)> {
        self.tasks.shown(&self.cx, &self.graph).collect()
    }
}
