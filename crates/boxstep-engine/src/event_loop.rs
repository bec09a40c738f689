//! The work queue and the timers: queued work is processed in order, then the timers that are due fire. `scheduler.rs` has
//! the loop that does so until a script must run.

use crate::Engine;
use crate::behaviors::Behaviors;
use crate::callbacks::Notification;
use crate::clock::Alarm;
use crate::config::{Config, Control};
use crate::context::{Cause, Context};
use crate::follow_up::FollowUp;
use crate::graph::{Target, TargetKind};
use crate::ids::{BehaviorId, BoxId, DiagramId, ProcId};
use crate::livelock::SignalBudget;
use crate::probes::Probes;
use crate::protocol::{Next, Scheduler, TaskId, TimelineCommand, Wake};
use crate::run_end::RunEnd;
use crate::runner::host::Runners;
use crate::services::{ServiceError, Services, Topic};
use crate::stop::Overdue;
use crate::tasks::{TaskState, Tasks};
use crate::trace::{DropReason, EndReason, ResourcePhase};
use boxstep_types::{Time, Value};

/// One piece of work; pieces are processed in the order in which they were queued.
pub(crate) enum Work {
    /// A signal on a link. It is delivered only if its diagram is still in the same generation.
    Signal { diagram: DiagramId, generation: u32, target: Target, cause: Cause, value: Value },
    /// Stimulates an input, on behalf of the engine itself or a caller outside.
    Input { to: BoxId, input: u16, life: u32, cause: Cause, value: Value },
    /// Stimulates an output, on behalf of a script, a caller outside, or the end of a timeline.
    Output { of: BoxId, output: u16, life: u32, cause: Cause, value: Value },
    /// Dispatches a task's job.
    Task(TaskId),
    /// Has the host resume a task.
    Resume(TaskId),
    /// Continues a procedure.
    Proc(ProcId),
    /// Notifies the subscribers of a topic.
    Event(Box<(Topic, Value)>, Cause),
    /// Checks whether the current state of a state machine with transitions is done.
    StateDone(BoxId, Cause),
    /// Notifies listeners.
    Notify(Box<Notification>),
    /// A box's command to a timeline: its own, or that of the nearest parent if `parent` is set.
    Timeline { of: BoxId, life: u32, parent: bool, command: Box<TimelineCommand>, cause: Cause },
    /// Releases the engine for a moment, so that other threads can use it.
    TurnOver,
    /// Ticks a runner.
    Tick(u32),
    /// Answers a request of the robot, by its number, for Python that does not run.
    NoScript(u64),
    /// Stops a behavior.
    StopBehavior(BehaviorId, EndReason, Cause),
}

impl Context {
    /// Returns whether anything needs the real clock, which has not started. It starts with the behavior, or earlier if
    /// something waits for a time or a script does not end. Such an early start does not apply controls.
    pub(crate) fn time_is_awaited(&self, config: &Config, behaviors: &Behaviors, end: &RunEnd, tasks: &Tasks) -> bool {
        let waits = |(_, t): (_, &crate::tasks::Task)| matches!(t.state, TaskState::Blocked(..));
        end.has_begun()
            || behaviors.any_is_stopped()
            || !tasks.any_runs()
            || tasks.iter().any(waits)
            || self.clock.still() >= config.load_patience
    }

    /// Moves the virtual clock. The count of signals restarts only if time passes, because a loop may go through
    /// timers.
    fn move_to(
        &mut self,
        budget: &mut SignalBudget,
        probes: &mut Probes,
        services: &mut dyn Services,
        end: &RunEnd,
        at: Time,
    ) {
        probes.sample(self, services, end, at);
        if at > self.now() {
            budget.restart();
            probes.take_before(self, services, at);
        }
        self.clock.advance(at);
    }
}

impl RunEnd {
    /// Returns whether everything has ended except scripts that sleep over and over for no time, so that they are never
    /// all asleep.
    pub(crate) fn only_scripts_are_left(&self, cx: &Context, behaviors: &Behaviors, runners: &Runners) -> bool {
        self.has_begun()
            && self.scripts_interrupted().is_none()
            && self.all_ended(behaviors, runners)
            && cx.work.iter().all(|work| matches!(work, Work::Resume(_)))
    }
}

impl Engine {
    /// Processes work that [`Engine::drain`] does not process itself. Returns `Some` if a script must continue now.
    #[inline(never)]
    fn work(&mut self, work: Work) -> Option<Next> {
        match work {
            Work::Signal { .. } | Work::Output { .. } | Work::Task(_) => {}
            Work::Input { to, input, life, cause, value } => {
                self.cx.begin(cause);
                if self.graph.takes_signals(to, life) {
                    self.input(to, input, value);
                } else {
                    let target = Target { to, port: input, kind: TargetKind::Input };
                    self.graph.late(&mut self.cx, target, value, DropReason::BoxNotLoaded);
                }
            }
            Work::StateDone(id, cause) => {
                let next = self.graph.state_done(&mut self.cx, &self.procs, id, cause);
                self.follow_up(next);
            }
            Work::Resume(id) => {
                let next = self.tasks.resume(id);
                if let Some(task) = self.tasks.get(id) {
                    self.cx.begin(task.cause);
                }
                return next;
            }
            Work::Proc(id) => {
                if let Some(proc) = self.procs.take(id) {
                    self.run_taken(proc);
                }
            }
            Work::Event(event, cause) => {
                self.cx.begin(cause);
                self.notify_subscribers(&event.0, &event.1);
            }
            Work::Notify(notification) => self.deliver_notification(*notification),
            Work::NoScript(number) => {
                let off = ServiceError::Failed("scripts are off".to_owned());
                self.with_services(|s, cx| s.answered(cx, number, Err(off)));
            }
            Work::Tick(index) => {
                self.cx.begin(Cause::OUTSIDE);
                self.tick_runner(index);
                self.debugger.tick_done(&mut self.cx);
            }
            Work::TurnOver => return Some(self.cx.turn_over()),
            Work::Timeline { of, life, parent, command, cause } => {
                self.cx.begin(cause);
                if self.graph.takes_command(&mut self.cx, of, life, parent) {
                    let (resources, stops) = (&mut self.resources, &mut self.stops);
                    let (_, next) = self.graph.timeline_command(&mut self.cx, resources, stops, (of, parent), &command);
                    self.follow_up(next);
                }
            }
            Work::StopBehavior(id, reason, cause) => {
                self.cx.begin(cause);
                self.follow_up([FollowUp::StopBehavior(id, reason)]);
            }
        }
        None
    }

    /// Processes the queue until it is empty or a script must run.
    pub(crate) fn drain(&mut self) -> Option<Next> {
        while let Some(work) = self.cx.work.pop_front() {
            // Nearly all work consists of signals, script calls and script outputs, so those are handled directly.
            match work {
                Work::Signal { diagram, generation, target, cause, value } => {
                    self.cx.begin(cause);
                    self.signal(diagram, generation, target, value);
                }
                Work::Output { of, output, life, cause, value } => {
                    self.cx.begin(cause);
                    if self.graph.takes_signals(of, life) {
                        self.output(of, output, value);
                    } else {
                        let target = Target { to: of, port: output, kind: TargetKind::ParentOutput };
                        self.graph.late(&mut self.cx, target, value, DropReason::BoxNotLoaded);
                    }
                }
                Work::Task(id) => {
                    self.cx.clock.stir();
                    if let Some(job) = self.tasks.start(id) {
                        return Some(Next::Job(job));
                    }
                }
                work => {
                    if let Some(next) = self.work(work) {
                        return Some(next);
                    }
                }
            }
            if self.cx.work.is_empty() && !self.effects.is_empty() {
                self.apply_effects();
            }
            if self.debugger.is_watching() && self.debugger.pauses(&mut self.cx, &self.end) {
                return Some(self.cx.rest_paused());
            }
        }
        None
    }

    /// Fires a timer.
    fn fire(&mut self, alarm: Alarm) {
        self.cx.begin(Cause::OUTSIDE);
        self.cx.fired += u64::from(!matches!(alarm, Alarm::Joints(..)));
        match alarm {
            Alarm::Control(control) => self.do_control(control),
            Alarm::RunUntil(_) => self.drive.run_until = None,
            Alarm::Halt(_) => self.debugger.halt_due(&mut self.cx),
            Alarm::Robot(token) => self.with_services(|s, cx| s.timer(cx, token)),
            Alarm::Task(task, generation) => {
                if self.tasks.wake(task, generation, Wake::TimedOut) {
                    self.cx.push(Work::Resume(task));
                }
            }
            // What the robot does at the same instant is an input of the tick.
            Alarm::Tick(index) => {
                self.apply_effects();
                self.cx.push(Work::Tick(index));
            }
            Alarm::Hook(index, _) => {
                if let Some(hook) = self.runners.late_hook(index) {
                    let next = self.runners.give_hook_up(&mut self.cx, &mut self.tasks, hook);
                    self.command_thread(index, next);
                }
            }
            Alarm::Mock(call, mock) => {
                if let Some(answer) = self.config.mock_answer(mock) {
                    self.complete_call(call, answer);
                }
            }
            Alarm::Outside(id) => self.clients.client_timeout(id),
            Alarm::Call(call, task, generation) => {
                self.calls.stop_waiting(call, task, generation);
                if self.tasks.wake(task, generation, Wake::TimedOut) {
                    self.cx.push(Work::Resume(task));
                }
            }
            // The time of a motion to run out is over.
            Alarm::RunOut(call) => {
                if self.stops.runs_out(call) {
                    self.stop_call(call);
                }
            }
            Alarm::Script(timer) => {
                if let Some(kept) = self.scripts.fire_timer(&mut self.cx, timer) {
                    self.deliver(kept, Vec::new(), "timer");
                }
            }
            Alarm::Timeline(id, serial) => {
                let next = self.graph.timeline_due(&mut self.cx, id, serial);
                self.follow_up(next.into_iter().flatten());
            }
            Alarm::Transition(id, serial, cause) => {
                let next = self.graph.transition_due(&mut self.cx, id, serial, cause);
                self.follow_up(next);
            }
            Alarm::Patience(proc, task, _) => {
                self.procs.abandon_script(&mut self.cx, &self.graph, &mut self.tasks, proc, task)
            }
            Alarm::HeldBack(of, _) => self.held_back.let_begin(&mut self.cx, &self.graph, &mut self.tasks, of, true),
            Alarm::LongLoad => self.held_controls.long_load(&mut self.cx, &self.graph, &self.tasks),
            Alarm::LateServices => self.services_are_late(),
            Alarm::Deadline(id, _) => match self.behaviors.overdue_now(&self.cx, id) {
                Overdue::Nothing => {}
                Overdue::Late(late) => {
                    self.force(&late);
                    self.behaviors.begin_last_resort(&mut self.cx, id, &late);
                }
                // The run must not wait for ever.
                Overdue::Forced if self.end.has_begun() => self.give_up(),
                Overdue::Forced => {}
            },
            Alarm::Joints(id, serial, _) => {
                let next = self.graph.joints_due(&mut self.cx, id, serial);
                self.follow_up(next);
            }
            // The timeout of the request is over.
            Alarm::Resource(serial) => {
                if let Some(cause) = self.resources.cause_of_wait(serial) {
                    self.cx.begin(cause);
                    self.follow_up([
                        FollowUp::Withdraw(serial, ResourcePhase::Refused, true),
                        FollowUp::ServeBehind(serial),
                    ]);
                }
            }
        }
    }

    /// Returns whether firing this timer would do anything.
    pub(crate) fn alive(&self, alarm: &Alarm) -> bool {
        match alarm {
            Alarm::Task(task, generation) | Alarm::Call(_, task, generation) => {
                self.tasks.is_blocked(*task, *generation)
            }
            Alarm::Tick(index) => self.runners.ticks(*index),
            Alarm::Hook(index, stretch) => self.runners.hook_runs(*index, *stretch),
            Alarm::Mock(call, _) => self.calls.running(*call),
            Alarm::Outside(id) => self.clients.client_waits(*id),
            Alarm::RunOut(call) => self.stops.runs_out(*call),
            Alarm::Script(timer) => self.scripts.has_timer(*timer),
            Alarm::Timeline(id, serial) => self.graph.timeline_alive(*id, *serial),
            Alarm::Transition(id, serial, _) => self.graph.transition_alive(*id, *serial),
            Alarm::Patience(proc, task, born) => self.procs.waits_for(*proc, *task) && self.tasks.is(*task, *born),
            Alarm::HeldBack(of, serial) => self.held_back.waits(*of, *serial),
            Alarm::LongLoad => self.held_controls.holds_controls(),
            Alarm::LateServices => self.package_services.are_awaited(),
            Alarm::Deadline(id, at) => self.behaviors.deadline_alive(&self.end, *id, *at),
            Alarm::Joints(id, serial, _) => self.graph.joints_awaited(*id, *serial),
            Alarm::Resource(serial) => self.resources.waiting(*serial),
            // The limit alone does not keep a virtual run alive, but a script that runs on without end does.
            Alarm::Control(Control::Stop) => {
                !self.cx.clock.is_virtual() || self.end.interrupted().is_some() || self.tasks.any(&TaskState::PassedBy)
            }
            Alarm::Control(_) => true,
            Alarm::RunUntil(at) => self.drive.run_until == Some(*at),
            Alarm::Halt(at) => self.debugger.halts_at(*at),
            Alarm::Robot(token) => self.services.timer_alive(*token),
        }
    }

    /// Moves the virtual clock to the next timer and fires all of that instant. False if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        let mut aside = Vec::new();
        let due = loop {
            match self.cx.timers.next() {
                None | Some((Time::MAX, _)) => break None,
                // A timeline that waits for joints cannot get them before something else has happened.
                Some((_, alarm @ Alarm::Joints(..))) if self.alive(alarm) => aside.extend(self.cx.timers.pop()),
                Some((at, alarm)) if self.alive(alarm) => break Some(at),
                // The limit comes after the timers that are alive.
                Some((_, Alarm::Control(Control::Stop))) => aside.extend(self.cx.timers.pop()),
                Some(_) => {
                    // The robot must get its own timers even when stale, to forget them.
                    if let Some((_, alarm @ Alarm::Robot(_))) = self.cx.timers.pop() {
                        self.fire(alarm);
                    }
                }
            }
        };
        let first = aside.iter().position(|(at, alarm)| match alarm {
            Alarm::Joints(_, _, seen) => *seen != self.cx.fired && due.is_none_or(|due| *at <= due),
            _ => due.is_some_and(|due| *at <= due) && !self.end.has_begun(),
        });
        let first = first.map(|i| aside.remove(i));
        for (at, alarm) in aside {
            let at = match (&alarm, due) {
                (Alarm::Joints(id, ..), Some(due)) if first.is_none() => self.graph.next_joint_check(*id, at, due),
                _ => at,
            };
            self.cx.alarm(at, alarm);
        }
        if let Some((at, alarm)) = first {
            self.cx.move_to(&mut self.budget, &mut self.probes, &mut *self.services, &self.end, at);
            self.fire(alarm);
            return true;
        }
        let Some(due) = due else { return false };
        self.cx.move_to(&mut self.budget, &mut self.probes, &mut *self.services, &self.end, due);
        self.fire_due();
        true
    }

    /// Fires every timer that is due.
    pub(crate) fn fire_due(&mut self) {
        let now = self.cx.now();
        while let Some((at, _)) = self.cx.timers.next() {
            if at > now {
                break;
            }
            let Some((_, alarm)) = self.cx.timers.pop() else { break };
            if self.alive(&alarm) || matches!(alarm, Alarm::Control(_) | Alarm::Robot(_)) {
                self.fire(alarm);
            }
        }
        self.apply_effects();
    }
}
