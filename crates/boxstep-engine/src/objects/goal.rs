//! Goals of a run that a program advances bit by bit, while a script host drives the run on its own threads: a goal
//! says when the run rests.
//!
//! Work that is due is always done at once. Only a virtual clock rests; the machine's clock goes on, and there a goal
//! is only a condition of which the program is notified.

use super::{BoxId, Error};
use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::clock::Alarm;
use crate::context::Context;
use crate::graph::Graph;
use crate::ids;
use crate::run_end::RunEnd;
use crate::runner::RunnerId;
use crate::runner::host::Runners;
use crate::tasks::Tasks;
use boxstep_types::Time;

/// The condition at which a run rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// This time, with everything that is due by then done.
    Until(Time),
    /// The next time at which anything happens.
    Step,
    /// The behavior whose root is this box is loaded, or is not and will not be.
    Loaded(BoxId),
    /// The behavior whose root is this box is unloaded.
    Unloaded(BoxId),
    /// The timeline of this box does not play.
    Still(BoxId),
    /// This runner has stopped, and all its behaviors have wound down.
    Over(RunnerId),
    /// Nothing can happen any more without input. With the machine's clock this goal is never reached.
    Quiet,
}

/// The reason why a run rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The goal is reached.
    There,
    /// The latest time came before the goal was reached.
    Late,
    /// Nothing can happen any more, and the goal is not reached.
    Never,
    /// The run has ended.
    Over,
}

/// How a program drives a run bit by bit.
#[derive(Default)]
pub(crate) struct Drive {
    /// If set, the run waits instead of ending when nothing is left to do.
    pub(crate) held: bool,
    /// The time up to which a caller that drives the run in steps wants it to advance.
    pub(crate) run_until: Option<Time>,
    /// The goal of a session that drives the run in steps from another thread.
    pub(crate) goal: Option<GoalState>,
}

/// The goal of a run, and the function to wake its program.
pub(crate) struct GoalState {
    goal: Option<Goal>,
    latest: Option<Time>,
    /// The clock has moved since the goal was set.
    stepped: bool,
    arrival: Option<Arrival>,
    waker: std::boxed::Box<dyn Fn() + Send>,
}

impl Behaviors {
    fn life_of(&self, graph: &Graph, id: BoxId) -> Option<BehaviorState> {
        let behavior = self.root_of(graph, ids::BoxId(id.index))?;
        let behavior = &self.all[behavior.index()];
        // The behavior is closed, but will start again.
        Some(if behavior.closed() && behavior.again.is_some() { BehaviorState::Loading } else { behavior.state })
    }
}

impl Drive {
    /// Returns whether [`Drive::rests`] has to know whether a timer is still due now.
    pub(crate) fn asks_for_timers(&self, now: Time, end: &RunEnd) -> bool {
        let goal = self.goal.as_ref().filter(|_| !end.has_begun()).and_then(|aim| aim.goal);
        matches!(goal, Some(Goal::Until(time)) if now >= time) && self.run_until.is_none()
    }

    /// Returns whether the clock must not move, now that all due work is done. Wakes the program if the goal is
    /// reached. `due`: a timer is still due now.
    pub(crate) fn rests(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        (behaviors, runners): (&Behaviors, &Runners),
        tasks: &Tasks,
        end: &RunEnd,
        due: bool,
    ) -> bool {
        let Some(aim) = self.goal.as_ref().filter(|_| !end.has_begun()) else { return false };
        let Some(goal) = aim.goal else { return true };
        let late = aim.latest.is_some_and(|latest| cx.now() >= latest);
        let attained = match goal {
            Goal::Until(time) => cx.now() >= time && self.run_until.is_none() && !due,
            Goal::Step => aim.stepped,
            Goal::Loaded(id) => behaviors.life_of(graph, id) != Some(BehaviorState::Loading),
            Goal::Unloaded(id) => behaviors.life_of(graph, id).is_none_or(|s| s == BehaviorState::Closed),
            Goal::Still(id) => !behaviors.plays_or_will(cx, graph, ids::BoxId(id.index)),
            Goal::Over(id) => runners.runner_is_over(id),
            Goal::Quiet => false,
        };
        let arrival = match () {
            // The program must first receive all earlier notifications: with the machine's clock, callbacks run while
            // the run goes on.
            () if attained && !tasks.any_embedder_callback_runs() => Arrival::There,
            () if late => Arrival::Late,
            () => return false,
        };
        self.arrive(cx, arrival);
        true
    }

    /// Records that the virtual clock has moved.
    pub(crate) fn stepped(&mut self) {
        if let Some(aim) = &mut self.goal {
            aim.stepped = true;
        }
    }

    /// Handles that nothing can happen any more without input.
    pub(crate) fn nothing_left(&mut self, cx: &mut Context) {
        match self.goal.as_ref().and_then(|aim| aim.goal) {
            Some(Goal::Quiet) => self.arrive(cx, Arrival::There),
            Some(_) => self.arrive(cx, Arrival::Never),
            None => {}
        }
    }

    /// Brings the run to rest, and wakes its program.
    pub(crate) fn arrive(&mut self, cx: &mut Context, arrival: Arrival) {
        self.run_until = None;
        if let Some(aim) = &mut self.goal {
            (aim.goal, aim.arrival) = (None, Some(arrival));
            // The woken program may want to read the trace.
            cx.flush();
            (aim.waker)();
        }
    }
}

impl Engine {
    /// Makes the virtual clock move only towards a goal from now on; a run with nothing left to do waits for the next
    /// goal. `waker` is called, with the engine locked, each time the run comes to rest.
    pub fn go_by_goals(&mut self, waker: impl Fn() + Send + 'static) {
        self.drive.held = true;
        let waker = std::boxed::Box::new(waker);
        self.drive.goal = Some(GoalState { goal: None, latest: None, stepped: false, arrival: None, waker });
    }

    /// Sets the goal, and replaces any earlier one. The run rests at `latest` if it has not reached the goal by then.
    ///
    /// # Errors
    /// [`Error::Over`]; [`Error::Foreign`]; [`Error::Invalid`] for a step with the machine's clock, or if
    /// [`Engine::go_by_goals`] was not called.
    pub fn aim_at(&mut self, goal: Goal, latest: Option<Time>) -> Result<(), Error> {
        if self.end.has_begun() && self.end.is_closed() {
            return Err(Error::Over);
        }
        match goal {
            Goal::Loaded(id) | Goal::Unloaded(id) | Goal::Still(id) => drop(self.graph.own_box(id)?),
            Goal::Over(id) if !self.runners.has_runner(&self.graph, id) => return Err(Error::Foreign),
            Goal::Step if !self.cx.clock.is_virtual() => {
                return Err(Error::Invalid("the machine's own clock cannot be moved".to_owned()));
            }
            Goal::Until(_) | Goal::Step | Goal::Over(_) | Goal::Quiet => {}
        }
        let now = self.cx.clock.refresh();
        let aim = self
            .drive
            .goal
            .as_mut()
            .ok_or_else(|| Error::Invalid("the run has no goals: `go_by_goals` was not called".to_owned()))?;
        (aim.goal, aim.latest, aim.stepped, aim.arrival) = (Some(goal), latest, false, None);
        let until = if let Goal::Until(time) = goal { Some(time) } else { latest };
        // A separate timer makes time pass even if nothing happens.
        self.drive.run_until = until.filter(|until| now < *until && *until < Time::MAX);
        if let Some(at) = self.drive.run_until {
            self.cx.alarm(at, Alarm::RunUntil(at));
        }
        // Repeated requests from outside are not a livelock.
        self.budget.restart();
        Ok(())
    }

    /// Returns the handle of the box with this number, as the operations ([`super::operations`]) return it. The box's
    /// existence is only checked when the handle is used.
    pub fn box_number(&self, number: u32) -> BoxId {
        BoxId { engine: self.graph.number, index: number }
    }

    /// Returns the handle of the runner with this number; like [`Engine::box_number`], without a check.
    pub fn runner_numbered(&self, number: u32) -> RunnerId {
        RunnerId { engine: self.graph.number, index: number }
    }

    /// Replaces the goal, if there is one: the run finishes what is due now and then rests.
    pub fn leave_goal(&mut self) {
        self.drive.run_until = None;
        let now = self.cx.clock.refresh();
        if let Some(aim) = self.drive.goal.as_mut().filter(|aim| aim.goal.is_some()) {
            aim.goal = Some(Goal::Until(now));
        }
    }

    /// Returns why the run rests; `None` while it advances towards its goal.
    pub fn arrival(&self) -> Option<Arrival> {
        self.drive.goal.as_ref()?.arrival
    }

    /// Returns whether no work is running or due now.
    pub fn at_rest(&mut self) -> bool {
        self.cx.work.is_empty() && self.effects.is_empty() && !self.tasks.any_runs() && !self.due_now()
    }

    /// Returns whether a timer is still due now. Alarms for joints do not count: they only matter when something else
    /// happens.
    pub(crate) fn due_now(&mut self) -> bool {
        let now = self.cx.now();
        while let Some((at, alarm)) = self.cx.timers.next() {
            match alarm {
                _ if at > now => return false,
                Alarm::Joints(..) => return false,
                alarm if self.alive(alarm) => return true,
                // The robot discards its own alarms.
                Alarm::Robot(_) => return false,
                _ => drop(self.cx.timers.pop()),
            }
        }
        false
    }
}
