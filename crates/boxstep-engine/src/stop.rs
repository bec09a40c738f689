//! How long a stop may take: its deadline, who is still busy, and the stop by force.
//!
//! Rules and tests: `docs/semantics/stop.md`.

use crate::Engine;
use crate::behaviors::BehaviorState;
use crate::clock::Alarm;
use crate::event_loop::Work;
use crate::ids::{BehaviorId, ProcId};
use crate::protocol::{BlockedOn, Scheduler, TaskId, Wake};
use crate::services::Halt;
use crate::tasks::{Task, TaskState};
use crate::timeline::RunOut;
use crate::trace::{Kind, PathId};
use boxstep_types::Time;
use std::sync::Arc;
use std::time::Duration;

pub use boxstep_trace::Busy;

/// How long a script is waited for that begins when the time is over: enough for one that only puts something right.
const MOMENT: Duration = Duration::from_millis(1);

/// How long a stop by force may take before a run that ends leaves everything as it is: this, and two moments for each
/// box (`onUnload`, `__del__`).
const LAST_RESORT: Duration = Duration::from_millis(100);

/// Stops under way.
#[derive(Default)]
pub(crate) struct Stops {
    /// Stops of behaviors that wait until the robot stands.
    for_robot: Vec<ProcId>,
    /// Motions that timelines have let go at their end.
    pub(crate) run_outs: Vec<RunOut>,
    /// How many stops were ended by force.
    pub(crate) forced: u64,
}

impl Engine {
    /// Who is still busy while something is being stopped: scripts that an unload or an interrupt waits for, those that
    /// have had their time and run on, and the robot while it comes to stand. Empty if nothing is being stopped.
    ///
    /// Boxes and behaviors made in code ([`crate::objects`]) are listed as those of files are.
    pub fn busy(&self) -> Vec<Busy> {
        let mut busy: Vec<Busy> =
            self.procs.that_end().filter_map(|(id, task)| self.busy_script(self.proc_behavior(id)?, task)).collect();
        let given_up = self.tasks.iter().filter(|(_, t)| t.abandoned);
        busy.extend(given_up.filter_map(|(id, t)| {
            let behavior = self.graph.boxes[t.place?.index()].behavior;
            let stopping = self.behaviors[behavior.index()].stops_since.is_some();
            self.busy_script(behavior, id).filter(|_| stopping)
        }));
        if let Some((does, since)) = self.services.coming_to_rest() {
            let waiting = self.stops.for_robot.iter().filter_map(|id| self.proc_behavior(*id));
            busy.extend(waiting.map(|id| Busy {
                behavior: self.behaviors[id.index()].source.name.clone(),
                path: None,
                does: does.clone(),
                waits_for: String::new(),
                since,
                given_up: false,
            }));
        }
        let run_outs = self.stops.for_robot.iter().filter_map(|id| self.proc_behavior(*id));
        busy.extend(run_outs.flat_map(|id| self.run_outs_of(id).map(move |r| (id, r.since))).map(|(id, since)| Busy {
            behavior: self.behaviors[id.index()].source.name.clone(),
            path: None,
            does: "ends a motion".into(),
            waits_for: String::new(),
            since,
            given_up: false,
        }));
        busy
    }

    pub(crate) fn task_behavior(&self, task: TaskId) -> Option<BehaviorId> {
        Some(self.graph.boxes[self.tasks.get(task)?.place?.index()].behavior)
    }

    fn busy_script(&self, behavior: BehaviorId, task: TaskId) -> Option<Busy> {
        let task: &Task = self.tasks.get(task)?;
        let waits_for = match &task.state {
            TaskState::Blocked(BlockedOn::Sleep, _) => "sleep".to_owned(),
            TaskState::Blocked(BlockedOn::Lock, _) => "a lock".to_owned(),
            TaskState::Blocked(BlockedOn::Call(call), _) => self.calls.name(*call),
            _ => String::new(),
        };
        Some(Busy {
            behavior: self.behaviors[behavior.index()].source.name.clone(),
            path: self.cx.paths.get(self.graph.place_path(task.place)),
            does: self.graph.name_of_task(task.place, &task.what),
            waits_for,
            since: task.since,
            given_up: task.abandoned,
        })
    }

    // ---- deadlines -----------------------------------------------------------------------------

    /// A stop begins: its time runs from now.
    pub(crate) fn begin_deadline(&mut self, id: BehaviorId) {
        let behavior = &mut self.behaviors[id.index()];
        if behavior.stops_since.is_some() {
            return;
        }
        behavior.stops_since = Some(self.cx.now());
        if self.end.interrupted().is_none() {
            let at = self.cx.now() + self.config.stop_within;
            self.cx.alarm(at, Alarm::Deadline(Some(id), at));
        }
    }

    /// An interrupt begins: it has less time than a stop, and whatever stops already has no more.
    pub(crate) fn begin_interrupt_deadline(&mut self) {
        let at = self.cx.now() + self.interrupt_within();
        self.cx.alarm(at, Alarm::Deadline(None, at));
    }

    pub(crate) fn interrupt_within(&self) -> Duration {
        self.config.interrupt_within.min(self.config.stop_within)
    }

    /// When the stop of a behavior is ended by force.
    fn deadline(&self, id: BehaviorId) -> Option<Time> {
        let own = self.behaviors[id.index()].stops_since.map(|at| at + self.config.stop_within);
        let interrupt = self.end.interrupted().map(|at| at + self.interrupt_within());
        [own, interrupt].into_iter().flatten().min()
    }

    /// Its time is over: nobody is waited for.
    pub(crate) fn overdue(&self, id: BehaviorId) -> bool {
        self.deadline(id).is_some_and(|at| self.cx.now() >= at)
    }

    /// How long a script is waited for that has to end. In an interrupt, where time is short, half of what is left for all
    /// of them, so that one that never returns leaves time for the others.
    pub(crate) fn patience(&self, of: Option<BehaviorId>) -> Duration {
        let most = self.config.unload_patience;
        let Some(deadline) = of.and_then(|id| self.deadline(id)) else { return most };
        let left = deadline.since(self.cx.now());
        most.min(if self.end.interrupted().is_some() { left / 2 } else { left }).max(MOMENT.min(most))
    }

    /// Would a deadline do anything?
    pub(crate) fn deadline_alive(&self, id: Option<BehaviorId>, at: Time) -> bool {
        match id {
            // That of an earlier stop comes too early for this one.
            Some(id) => {
                !self.behaviors[id.index()].closed() && self.deadline(id).is_some_and(|deadline| at >= deadline)
            }
            None => !self.end.is_closed() && self.behaviors.iter().any(|b| !b.closed()),
        }
    }

    /// The time of a stop, or of an interrupt, is over.
    pub(crate) fn deadline_due(&mut self, id: Option<BehaviorId>) {
        let all = (0..self.behaviors.len()).map(|i| BehaviorId(i as u32));
        let late: Vec<BehaviorId> = all
            .filter(|b| !self.behaviors[b.index()].closed())
            .filter(|b| id.is_none_or(|id| id == *b) && self.overdue(*b))
            .collect();
        if late.is_empty() {
            return;
        }
        let again = late.iter().all(|b| self.behaviors[b.index()].forced);
        for b in &late {
            self.behaviors[b.index()].forced = true;
        }
        if again {
            // Force has not helped either: no clock may wait for ever.
            if self.end.has_begun() {
                self.give_up();
            }
            return;
        }
        self.force(&late);
        let boxes: usize = late.iter().map(|b| self.behaviors[b.index()].boxes.len()).sum();
        let at = self.cx.now() + LAST_RESORT + MOMENT * 2 * u32::try_from(boxes).unwrap_or(u32::MAX >> 1);
        self.cx.alarm(at, Alarm::Deadline(id, at));
    }

    // ---- force ---------------------------------------------------------------------------------

    /// Names who is still busy, then goes on without them: the robot halts, scripts are given up and interrupted, the
    /// rest is unloaded and destroyed without waiting.
    fn force(&mut self, late: &[BehaviorId]) {
        let Some(&first) = late.first() else { return };
        let names: Vec<Arc<str>> = late.iter().map(|b| self.behaviors[b.index()].source.name.clone()).collect();
        let busy: Vec<Busy> = self.busy().into_iter().filter(|b| names.contains(&b.behavior)).collect();
        let root = self.graph.path_of(self.behaviors[first.index()].root);
        let since = self.end.interrupted().or(self.behaviors[first.index()].stops_since).unwrap_or_default();
        let took = Time::ZERO + self.cx.now().since(since);
        let who = match busy.as_slice() {
            [] => "nobody says why".to_owned(),
            busy => busy.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        };
        self.stops.forced += 1;
        let walks = self.services.coming_to_rest().is_some() && busy.iter().any(|b| b.path.is_none());
        self.cx.trace(root, Kind::Forced { busy: busy.into() });
        self.cx.warn(root, format!("not stopped after {took} s, and stopped by force now; still busy: {who}"));
        // While other behaviors play on, the robot is not thrown over for a script.
        let how = if self.end.has_begun() || walks { Halt::AtOnce } else { Halt::Safely };
        self.with_services(|s, cx| s.halt(cx, how));
        for &id in late {
            self.leave_off(id);
        }
        let ends: Vec<(ProcId, TaskId)> = self.procs.that_end().collect();
        for (proc, task) in ends {
            if self.proc_behavior(proc).is_some_and(|b| late.contains(&b)) {
                self.lose_patience(proc, task);
            }
        }
        self.leave_callbacks(late);
        for (task, generation) in self.tasks.blocked() {
            if self.task_behavior(task).is_some_and(|b| late.contains(&b))
                && self.tasks.wake(task, generation, Wake::Interrupted)
            {
                self.cx.push(Work::Resume(task));
            }
        }
        self.robot_rests();
    }

    // ---- the robot -----------------------------------------------------------------------------

    /// The scripts of a behavior that stops are done. If the run ends with it the robot must stand, and whoever has told
    /// it to stop waits until it does. True: come back when it does.
    pub(crate) fn wait_for_robot(&mut self, me: ProcId, id: BehaviorId) -> bool {
        if self.end.has_begun() || self.played == Some(id) {
            self.with_services(|s, cx| s.halt(cx, Halt::Walk));
        }
        self.await_run_outs(id);
        let waits = !self.overdue(id) && self.robot_works_for(id);
        if waits {
            self.stops.for_robot.push(me);
        }
        waits
    }

    /// Does the robot still come to stand, or end a motion of this behavior?
    fn robot_works_for(&self, id: BehaviorId) -> bool {
        self.services.coming_to_rest().is_some() || self.run_outs_of(id).next().is_some()
    }

    /// Called whenever the robot has been at work: does it stand now?
    pub(crate) fn robot_rests(&mut self) {
        if self.stops.for_robot.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.stops.for_robot);
        waiting.retain(|id| {
            let goes_on = self.proc_behavior(*id).is_none_or(|b| self.overdue(b) || !self.robot_works_for(b));
            if goes_on {
                self.cx.push(Work::Proc(*id));
            }
            !goes_on
        });
        self.stops.for_robot = waiting;
    }

    /// A behavior that loads goes no further.
    fn leave_off(&mut self, id: BehaviorId) {
        if self.behaviors[id.index()].state == BehaviorState::Loading {
            self.begin_leaving_off(id);
        }
    }

    /// Where a run that ends leaves everything as it is, the robot must stand all the same.
    pub(crate) fn halt_for_good(&mut self) {
        self.cx.trace(PathId(0), Kind::Forced { busy: self.busy().into() });
        self.stops.forced += 1;
        self.with_services(|s, cx| s.halt(cx, Halt::AtOnce));
    }
}
