//! The engine: one value that holds a run.

use crate::config::{BehaviorSource, Config, Control, Library};
use crate::door::{Answer, Next, Request, Scheduler, TaskId};
use crate::services::Services;
use crate::trace::{Footer, Header, Sink};
use boxstep_types::{Diagnostic, Time};

/// A run: behaviors, clock, tasks, trace. See the crate's documentation.
pub struct Engine {
    config: Config,
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
        let _ = (services, library, header, sinks);
        Self { config }
    }

    /// Loads and starts a behavior as soon as the engine is driven; the run ends when it has ended.
    ///
    /// # Errors
    /// What in the model cannot be run at all. What merely looks wrong is traced as a warning.
    pub fn play(&mut self, behavior: BehaviorSource) -> Result<(), Vec<Diagnostic>> {
        let _ = behavior;
        Ok(())
    }

    /// Does something at a time of the run; at once if that has passed.
    ///
    /// # Errors
    /// Why it cannot be done, as far as that is known now: no such box, no such parameter, a value out of type.
    pub fn control(&mut self, at: Time, what: Control) -> Result<(), String> {
        let _ = (at, what);
        Ok(())
    }

    /// How the run ended; `None` while it runs.
    pub fn outcome(&self) -> Option<&Footer> {
        None
    }
}

impl Scheduler for Engine {
    fn next(&mut self) -> Next {
        Next::Ended
    }
    fn request(&mut self, _task: TaskId, _request: Request) -> Answer {
        Answer::Done
    }
    fn now(&self) -> Time {
        Time::ZERO
    }
    fn is_virtual(&self) -> bool {
        self.config.clock == crate::config::ClockKind::Virtual
    }
    fn revoke(&mut self, _task: TaskId) {}
    fn interrupting(&self) -> bool {
        false
    }
    fn give_up(&mut self) {}
    fn tasks(&self) -> Vec<(TaskId, String, bool)> {
        Vec::new()
    }
}
