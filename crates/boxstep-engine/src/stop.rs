//! Stops: their deadline, what is still busy, and the stop by force.
//!
//! Rules and tests: `docs/reference/semantics/stop.md`.

use crate::Engine;
use crate::behaviors::Behaviors;
use crate::calls::Calls;
use crate::clock::Alarm;
use crate::config::Config;
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::Graph;
use crate::ids::{BehaviorId, ProcId};
use crate::procedures::Procs;
use crate::protocol::{BlockedOn, TaskId, Wake};
use crate::run_end::RunEnd;
use crate::services::{Halt, Services};
use crate::tasks::{Task, TaskState, Tasks};
use crate::timeline::RunOut;
use crate::trace::{Kind, PathId};
use boxstep_types::Time;
use std::sync::Arc;
use std::time::Duration;

pub use boxstep_trace::Busy;

/// The time that a script gets if it begins after the deadline: enough for one that only cleans up.
const MOMENT: Duration = Duration::from_millis(1);

/// The time that a stop by force may take before a run that ends abandons everything: this, and two `MOMENT`s for each
/// box (`onUnload`, `__del__`).
const LAST_RESORT: Duration = Duration::from_millis(100);

/// The stops that are under way.
#[derive(Default)]
pub(crate) struct Stops {
    /// Stops of behaviors that wait until the robot is at rest.
    for_robot: Vec<ProcId>,
    /// Motions that timelines have released at their end.
    pub(crate) run_outs: Vec<RunOut>,
    /// The number of stops that were forced.
    forced: u64,
}

impl Tasks {
    pub(crate) fn task_behavior(&self, graph: &Graph, task: TaskId) -> Option<BehaviorId> {
        Some(graph.boxes[self.get(task)?.place?.index()].behavior)
    }
}

/// When stops are forced, from the run's configuration.
#[derive(Default)]
pub(crate) struct Deadlines {
    /// How long a stop of a behavior may take.
    stop: Duration,
    /// How long an interrupt may take; at most as long as a stop.
    interrupt: Duration,
    /// How long one script that must end may take.
    script: Duration,
    /// The time at which an interrupt of the run forces every stop, those that are under way too.
    of_interrupt: Option<Time>,
}

impl Deadlines {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            stop: config.stop_within,
            interrupt: config.interrupt_within.min(config.stop_within),
            script: config.unload_patience,
            of_interrupt: None,
        }
    }

    /// The time at which a stop is forced. `since`: when it has begun, if it has begun.
    fn of_stop(&self, since: Option<Time>) -> Option<Time> {
        [since.map(|at| at + self.stop), self.of_interrupt].into_iter().flatten().min()
    }

    /// The time at which everything is forced that begins to stop now.
    pub(crate) fn of_all(&self, now: Time) -> Time {
        now + if self.of_interrupt.is_some() { self.interrupt } else { self.stop }
    }

    /// The time to wait for a script that must end before a stop is forced. In an interrupt, where time is short, it is
    /// half of what is left for all scripts, so that one that never returns leaves time for the others.
    fn for_script(&self, now: Time, forced: Option<Time>) -> Duration {
        let Some(forced) = forced else { return self.script };
        let left = forced.since(now);
        let part = if self.of_interrupt.is_some() { left / 2 } else { left };
        self.script.min(part).max(MOMENT.min(self.script))
    }
}

impl Behaviors {
    /// Begins the deadline of a stop.
    pub(crate) fn begin_deadline(&mut self, cx: &mut Context, id: BehaviorId) {
        let behavior = &mut self.all[id.index()];
        if behavior.stops_since.is_some() {
            return;
        }
        behavior.stops_since = Some(cx.now());
        if self.deadlines.of_interrupt.is_none() {
            let at = self.deadlines.of_all(cx.now());
            cx.alarm(at, Alarm::Deadline(Some(id), at));
        }
    }

    /// The time at which the stop of a behavior is forced.
    fn deadline(&self, id: BehaviorId) -> Option<Time> {
        self.deadlines.of_stop(self.all[id.index()].stops_since)
    }

    /// Returns whether the deadline has passed, so that the stop waits for nothing any more.
    pub(crate) fn overdue(&self, cx: &Context, id: BehaviorId) -> bool {
        self.deadline(id).is_some_and(|at| cx.now() >= at)
    }

    /// The time to wait for a script that must end.
    pub(crate) fn time_for_script(&self, cx: &Context, of: Option<BehaviorId>) -> Duration {
        self.deadlines.for_script(cx.now(), of.and_then(|id| self.deadline(id)))
    }

    /// Returns whether a deadline would do anything.
    pub(crate) fn deadline_alive(&self, end: &RunEnd, id: Option<BehaviorId>, at: Time) -> bool {
        match id {
            // The deadline of an earlier stop comes too early for this one.
            Some(id) => !self.all[id.index()].closed() && self.deadline(id).is_some_and(|deadline| at >= deadline),
            None => !end.is_closed() && self.all.iter().any(|b| !b.closed()),
        }
    }

    /// Begins the deadline of an interrupt, which is shorter than that of a stop and also applies to stops under way.
    pub(crate) fn begin_interrupt_deadline(&mut self, cx: &mut Context) {
        let at = cx.now() + self.deadlines.interrupt;
        self.deadlines.of_interrupt = Some(at);
        cx.alarm(at, Alarm::Deadline(None, at));
    }

    fn busy_script(
        &self,
        cx: &Context,
        graph: &Graph,
        tasks: &Tasks,
        calls: &Calls,
        behavior: BehaviorId,
        task: TaskId,
    ) -> Option<Busy> {
        let task: &Task = tasks.get(task)?;
        let waits_for = match &task.state {
            TaskState::Blocked(BlockedOn::Sleep, _) => "sleep".to_owned(),
            TaskState::Blocked(BlockedOn::Lock, _) => "a lock".to_owned(),
            TaskState::Blocked(BlockedOn::Call(call), _) => calls.name(*call),
            _ => String::new(),
        };
        Some(Busy {
            behavior: self.all[behavior.index()].source.name.clone(),
            path: cx.paths.get(graph.place_path(task.place)),
            does: graph.name_of_task(task.place, &task.what),
            waits_for,
            since: task.since,
            given_up: task.abandoned,
        })
    }
}

impl Stops {
    /// Traces that a stop is forced, and what is still busy.
    pub(crate) fn trace_forced(&mut self, cx: &mut Context, path: PathId, busy: Vec<Busy>) {
        self.forced += 1;
        cx.trace(path, Kind::Forced { busy: busy.into() });
    }

    /// The number of stops that were forced.
    pub(crate) fn forced(&self) -> u64 {
        self.forced
    }

    /// Returns whether the robot still comes to rest, or ends a motion of this behavior.
    fn robot_works_for(&self, graph: &Graph, services: &dyn Services, id: BehaviorId) -> bool {
        services.coming_to_rest().is_some() || self.run_outs_of(graph, id).next().is_some()
    }

    /// Makes the stop of a behavior whose scripts have ended wait until the robot is at rest. Returns false if it need
    /// not wait.
    pub(crate) fn wait_for_robot(
        &mut self,
        cx: &Context,
        graph: &Graph,
        behaviors: &Behaviors,
        services: &dyn Services,
        stop: ProcId,
        id: BehaviorId,
    ) -> bool {
        let waits = !behaviors.overdue(cx, id) && self.robot_works_for(graph, services, id);
        if waits {
            self.for_robot.push(stop);
        }
        waits
    }

    /// Continues the stops that wait for the robot if it is at rest. Called whenever the robot has acted.
    pub(crate) fn robot_rests(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        procs: &Procs,
        behaviors: &Behaviors,
        services: &dyn Services,
    ) {
        if self.for_robot.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.for_robot);
        waiting.retain(|id| {
            let goes_on = procs
                .proc_behavior(graph, *id)
                .is_none_or(|b| behaviors.overdue(cx, b) || !self.robot_works_for(graph, services, b));
            if goes_on {
                cx.push(Work::Proc(*id));
            }
            !goes_on
        });
        self.for_robot = waiting;
    }
}

/// What a deadline finds.
pub(crate) enum Overdue {
    /// No stop is late.
    Nothing,
    /// The stops of these behaviors are late, and are to be forced.
    Late(Vec<BehaviorId>),
    /// A forced stop has not ended either.
    Forced,
}

impl Behaviors {
    /// Handles the deadline of a stop, or of an interrupt.
    pub(crate) fn overdue_now(&mut self, cx: &Context, id: Option<BehaviorId>) -> Overdue {
        let all = (0..self.all.len()).map(|i| BehaviorId(i as u32));
        let late: Vec<BehaviorId> = all
            .filter(|b| !self.all[b.index()].closed())
            .filter(|b| id.is_none_or(|id| id == *b) && self.overdue(cx, *b))
            .collect();
        if late.is_empty() {
            return Overdue::Nothing;
        }
        let again = late.iter().all(|b| self.all[b.index()].forced);
        for b in &late {
            self.all[b.index()].forced = true;
        }
        if again { Overdue::Forced } else { Overdue::Late(late) }
    }

    /// Limits the time of a forced stop.
    pub(crate) fn begin_last_resort(&self, cx: &mut Context, id: Option<BehaviorId>, late: &[BehaviorId]) {
        let boxes: usize = late.iter().map(|b| self.all[b.index()].boxes.len()).sum();
        let at = cx.now() + LAST_RESORT + MOMENT * 2 * u32::try_from(boxes).unwrap_or(u32::MAX >> 1);
        cx.alarm(at, Alarm::Deadline(id, at));
    }
}

impl Engine {
    /// What is still busy while something is being stopped: scripts that an unload or an interrupt waits for, abandoned
    /// scripts that still run, and the robot while it comes to rest. Empty if nothing is being stopped.
    ///
    /// Boxes and behaviors made in code ([`crate::objects`]) are included.
    pub fn busy(&self) -> Vec<Busy> {
        let mut busy: Vec<Busy> = self
            .procs
            .that_end()
            .filter_map(|(id, task)| {
                self.behaviors.busy_script(
                    &self.cx,
                    &self.graph,
                    &self.tasks,
                    &self.calls,
                    self.procs.proc_behavior(&self.graph, id)?,
                    task,
                )
            })
            .collect();
        let given_up = self.tasks.iter().filter(|(_, t)| t.abandoned);
        busy.extend(given_up.filter_map(|(id, t)| {
            let behavior = self.graph.boxes[t.place?.index()].behavior;
            let stopping = self.behaviors.all[behavior.index()].stops_since.is_some();
            self.behaviors
                .busy_script(&self.cx, &self.graph, &self.tasks, &self.calls, behavior, id)
                .filter(|_| stopping)
        }));
        if let Some((does, since)) = self.services.coming_to_rest() {
            let waiting = self.stops.for_robot.iter().filter_map(|id| self.procs.proc_behavior(&self.graph, *id));
            busy.extend(waiting.map(|id| Busy {
                behavior: self.behaviors.all[id.index()].source.name.clone(),
                path: None,
                does: does.clone(),
                waits_for: String::new(),
                since,
                given_up: false,
            }));
        }
        let run_outs = self.stops.for_robot.iter().filter_map(|id| self.procs.proc_behavior(&self.graph, *id));
        busy.extend(run_outs.flat_map(|id| self.stops.run_outs_of(&self.graph, id).map(move |r| (id, r.since))).map(
            |(id, since)| Busy {
                behavior: self.behaviors.all[id.index()].source.name.clone(),
                path: None,
                does: "ends a motion".into(),
                waits_for: String::new(),
                since,
                given_up: false,
            },
        ));
        busy
    }

    // ---- force ---------------------------------------------------------------------------------

    /// Traces what is still busy, then forces the stop: halts the robot, abandons and interrupts the scripts, and
    /// unloads and destroys the rest without waiting.
    pub(crate) fn force(&mut self, late: &[BehaviorId]) {
        let Some(&first) = late.first() else { return };
        let names: Vec<Arc<str>> = late.iter().map(|b| self.behaviors.all[b.index()].source.name.clone()).collect();
        let busy: Vec<Busy> = self.busy().into_iter().filter(|b| names.contains(&b.behavior)).collect();
        let root = self.graph.path_of(self.behaviors.all[first.index()].root);
        let since = self.end.interrupted().or(self.behaviors.all[first.index()].stops_since).unwrap_or_default();
        let took = Time::ZERO + self.cx.now().since(since);
        let who = match busy.as_slice() {
            [] => "the reason is unknown".to_owned(),
            busy => busy.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        };
        let walks = self.services.coming_to_rest().is_some() && busy.iter().any(|b| b.path.is_none());
        self.stops.trace_forced(&mut self.cx, root, busy);
        self.cx.warn(root, format!("not stopped after {took} s, and stopped by force now; still busy: {who}"));
        // While other behaviors still play, the robot must not risk a fall because of a script.
        let how = if self.end.has_begun() || walks { Halt::AtOnce } else { Halt::Safely };
        self.with_services(|s, cx| s.halt(cx, how));
        for &id in late {
            self.behaviors.abort_load(&mut self.cx, &mut self.graph, &mut self.procs, &self.tasks, id);
        }
        let ends: Vec<(ProcId, TaskId)> = self.procs.that_end().collect();
        for (proc, task) in ends {
            if self.procs.proc_behavior(&self.graph, proc).is_some_and(|b| late.contains(&b)) {
                self.procs.abandon_script(&mut self.cx, &self.graph, &mut self.tasks, proc, task);
            }
        }
        self.callbacks.abandon_callbacks(&mut self.cx, &self.graph, &mut self.procs, late);
        for (task, generation) in self.tasks.blocked() {
            if self.tasks.task_behavior(&self.graph, task).is_some_and(|b| late.contains(&b))
                && self.tasks.wake(task, generation, Wake::Interrupted)
            {
                self.cx.push(Work::Resume(task));
            }
        }
        self.stops.robot_rests(&mut self.cx, &self.graph, &self.procs, &self.behaviors, &*self.services);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: i64) -> Time {
        Time::from_millis(n * 1000)
    }

    fn deadlines() -> Deadlines {
        let within = Duration::from_secs;
        Deadlines { stop: within(10), interrupt: within(4), script: within(3), of_interrupt: None }
    }

    #[test]
    fn an_interrupt_comes_before_the_deadline_of_a_stop_and_never_after_it() {
        let mut deadlines = deadlines();
        assert_eq!(deadlines.of_stop(None), None);
        assert_eq!(deadlines.of_stop(Some(seconds(1))), Some(seconds(11)));
        assert_eq!(deadlines.of_all(seconds(2)), seconds(12));
        deadlines.of_interrupt = Some(seconds(9));
        assert_eq!(deadlines.of_stop(Some(seconds(1))), Some(seconds(9)));
        assert_eq!(deadlines.of_stop(None), Some(seconds(9)), "it stops what has not been told to stop");
        assert_eq!(deadlines.of_all(seconds(5)), seconds(9));
        deadlines.of_interrupt = Some(seconds(20));
        assert_eq!(deadlines.of_stop(Some(seconds(1))), Some(seconds(11)));
    }

    #[test]
    fn a_script_gets_what_is_left_but_in_an_interrupt_only_half_of_it() {
        let mut deadlines = deadlines();
        assert_eq!(deadlines.for_script(seconds(0), None), Duration::from_secs(3));
        assert_eq!(deadlines.for_script(seconds(0), Some(seconds(10))), Duration::from_secs(3));
        assert_eq!(deadlines.for_script(seconds(8), Some(seconds(10))), Duration::from_secs(2));
        deadlines.of_interrupt = Some(seconds(10));
        assert_eq!(deadlines.for_script(seconds(8), Some(seconds(10))), Duration::from_secs(1));
        assert_eq!(deadlines.for_script(seconds(12), Some(seconds(10))), MOMENT, "one that cleans up can still do so");
        deadlines.script = Duration::ZERO;
        assert_eq!(deadlines.for_script(seconds(12), Some(seconds(10))), Duration::ZERO);
    }
}
