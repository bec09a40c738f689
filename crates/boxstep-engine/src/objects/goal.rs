//! A run that somebody outside has go on bit by bit, while a script host drives it on threads of its own: what it is to
//! come to before it rests.
//!
//! What is due is always done at once. Only a virtual clock rests: the machine's own goes on, and a goal there is
//! something to be told of.

use super::{BoxId, Error};
use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::clock::Alarm;
use crate::graph::Graph;
use crate::ids;
use crate::runner::RunnerId;
use boxstep_types::Time;

/// What a run is to come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// This time, with all that is due by then done.
    Until(Time),
    /// The next time at which anything happens.
    Step,
    /// The behavior of which this box is the root is loaded, or is not and will not be.
    Loaded(BoxId),
    /// It is unloaded.
    Unloaded(BoxId),
    /// The timeline of this box does not play.
    Still(BoxId),
    /// This runner has stopped, and everything of it has wound down.
    Over(RunnerId),
    /// Nothing can happen any more by itself. On the machine's clock that is never known.
    Quiet,
}

/// How a run has come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The goal is reached.
    There,
    /// Its latest time has come first.
    Late,
    /// Nothing can happen any more, and what was wanted has not.
    Never,
    /// The run has ended.
    Over,
}

/// A goal, and whom to tell.
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
        // Stopped while it waits to be started anew.
        Some(if behavior.closed() && behavior.again.is_some() { BehaviorState::Loading } else { behavior.state })
    }
}

impl Engine {
    /// From now on the virtual clock moves only towards a goal, and a run with nothing left to do waits for the next one. `waker`
    /// is called, with the engine locked, each time the run comes to rest.
    pub fn go_by_goals(&mut self, waker: impl Fn() + Send + 'static) {
        self.held = true;
        let waker = std::boxed::Box::new(waker);
        self.goal = Some(GoalState { goal: None, latest: None, stepped: false, arrival: None, waker });
    }

    /// Sets the goal, in the place of any other. The run rests at `latest` if it has not come to it by then.
    ///
    /// # Errors
    /// [`Error::Over`]; [`Error::Foreign`]; [`Error::Invalid`] for a step on the machine's clock, or if nobody has called
    /// [`Engine::go_by_goals`].
    pub fn aim_at(&mut self, goal: Goal, latest: Option<Time>) -> Result<(), Error> {
        if self.end.has_begun() && self.end.is_closed() {
            return Err(Error::Over);
        }
        match goal {
            Goal::Loaded(id) | Goal::Unloaded(id) | Goal::Still(id) => drop(self.own_box(id)?),
            Goal::Over(id) if !self.has_runner(id) => return Err(Error::Foreign),
            Goal::Step if !self.cx.clock.is_virtual() => {
                return Err(Error::Invalid("the machine's own clock cannot be moved".to_owned()));
            }
            Goal::Until(_) | Goal::Step | Goal::Over(_) | Goal::Quiet => {}
        }
        let now = self.cx.clock.refresh();
        let aim = self.goal.as_mut().ok_or_else(|| Error::Invalid("the run goes by no goals".to_owned()))?;
        (aim.goal, aim.latest, aim.stepped, aim.arrival) = (Some(goal), latest, false, None);
        let until = if let Goal::Until(time) = goal { Some(time) } else { latest };
        // A timer of its own, so that time passes also where nothing happens.
        self.run_until = until.filter(|until| now < *until && *until < Time::MAX);
        if let Some(at) = self.run_until {
            self.cx.alarm(at, Alarm::RunUntil(at));
        }
        // What somebody outside does again and again is no loop.
        self.budget.restart();
        Ok(())
    }

    /// The handle of the box with this number, as operations ([`super::operations`]) give it; whether there is one shows when
    /// it is used.
    pub fn box_number(&self, number: u32) -> BoxId {
        BoxId { engine: self.number, index: number }
    }

    /// The handle of the runner with this number. As [`Engine::box_number`].
    pub fn runner_numbered(&self, number: u32) -> RunnerId {
        RunnerId { engine: self.number, index: number }
    }

    /// In the place of the goal, if there is one, comes what is due now; then the run rests.
    pub fn leave_goal(&mut self) {
        self.run_until = None;
        let now = self.cx.clock.refresh();
        if let Some(aim) = self.goal.as_mut().filter(|aim| aim.goal.is_some()) {
            aim.goal = Some(Goal::Until(now));
        }
    }

    /// How the run came to rest; `None` as long as it goes towards its goal.
    pub fn arrival(&self) -> Option<Arrival> {
        self.goal.as_ref()?.arrival
    }

    /// Nothing is being done, and nothing is to be done now.
    pub fn at_rest(&mut self) -> bool {
        self.cx.work.is_empty() && self.effects.is_empty() && !self.tasks.any_runs() && !self.due_now()
    }

    /// All that is due has been done: may the clock not move on? Tells who waits for that.
    pub(crate) fn rests(&mut self) -> bool {
        if self.goal.is_none() || self.end.has_begun() {
            return false;
        }
        let Some(goal) = self.goal.as_ref().and_then(|aim| aim.goal) else { return true };
        let late = self.goal.as_ref().and_then(|aim| aim.latest).is_some_and(|latest| self.cx.now() >= latest);
        let arrival = match goal {
            // Who is told that it has come to this has been told of all that went before: on the machine's clock functions
            // are called while the run goes on.
            _ if self.attained(goal) && !self.tasks.any_told() => Arrival::There,
            _ if late => Arrival::Late,
            _ => return false,
        };
        self.arrive(arrival);
        true
    }

    fn attained(&mut self, goal: Goal) -> bool {
        match goal {
            Goal::Until(time) => self.cx.now() >= time && self.run_until.is_none() && !self.due_now(),
            Goal::Step => self.goal.as_ref().is_some_and(|aim| aim.stepped),
            Goal::Loaded(id) => self.behaviors.life_of(&self.graph, id) != Some(BehaviorState::Loading),
            Goal::Unloaded(id) => self.behaviors.life_of(&self.graph, id).is_none_or(|s| s == BehaviorState::Closed),
            Goal::Still(id) => !self.behaviors.plays_or_will(&self.cx, &self.graph, ids::BoxId(id.index)),
            Goal::Over(id) => self.runners.runner_is_over(id),
            Goal::Quiet => false,
        }
    }

    /// Is there a timer for now that is still to come? Joints are looked for when anything else happens.
    fn due_now(&mut self) -> bool {
        let now = self.cx.now();
        while let Some((at, alarm)) = self.cx.timers.next() {
            match alarm {
                _ if at > now => return false,
                Alarm::Joints(..) => return false,
                alarm if self.alive(alarm) => return true,
                // The robot forgets its own.
                Alarm::Robot(_) => return false,
                _ => drop(self.cx.timers.pop()),
            }
        }
        false
    }

    /// The virtual clock has moved.
    pub(crate) fn stepped(&mut self) {
        if let Some(aim) = &mut self.goal {
            aim.stepped = true;
        }
    }

    /// Nothing can happen any more by itself.
    pub(crate) fn nothing_left(&mut self) {
        match self.goal.as_ref().and_then(|aim| aim.goal) {
            Some(Goal::Quiet) => self.arrive(Arrival::There),
            Some(_) => self.arrive(Arrival::Never),
            None => {}
        }
    }

    /// The run is over.
    pub(crate) fn run_over(&mut self) {
        self.arrive(Arrival::Over);
    }

    fn arrive(&mut self, arrival: Arrival) {
        self.run_until = None;
        if let Some(aim) = &mut self.goal {
            (aim.goal, aim.arrival) = (None, Some(arrival));
            // Whoever hears it may want to read the trace.
            self.cx.flush();
            (aim.waker)();
        }
    }
}
