//! Drives an engine that runs no scripts, step by step, as a test or a notebook does.

use super::Timeline;
use crate::Engine;
use crate::clock::Alarm;
use crate::config::{Config, Control, NoLibrary};
use crate::protocol::{Job, Next, Scheduler, TaskId, Wake};
use crate::services::NoRobot;
use crate::trace::{Footer, Header, Sink};
use boxstep_types::Time;
use std::fmt;

/// The reason why an engine cannot be driven by hand any further. It carries the job that the engine has for a script
/// host.
#[derive(Clone, Debug)]
pub enum Undriven {
    /// A script has to run.
    Script(std::boxed::Box<Job>),
    /// A blocked script has to resume.
    Resume(TaskId, Wake),
    /// The clock is the machine's own and cannot be moved.
    RealTime,
    /// Nothing can happen any more, and the awaited condition is not met.
    Never,
}

impl fmt::Display for Undriven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undriven::Script(_) | Undriven::Resume(..) => f.write_str("a script has to be run by a script host"),
            Undriven::RealTime => f.write_str("only a virtual clock can be moved"),
            Undriven::Never => f.write_str("nothing can happen any more, and the awaited condition is not met"),
        }
    }
}

impl std::error::Error for Undriven {}

/// Returns the header of a trace of which only the configuration is known.
fn header(config: &Config) -> Header {
    let product = format!("boxstep {}", env!("CARGO_PKG_VERSION"));
    Header { product, seed: config.seed, ..Header::new(config.clock) }
}

impl Engine {
    /// Creates a run without a robot: it has no services and no joints. For objects that are created in code.
    pub fn without_robot(config: Config) -> Self {
        Self::traced(config, Vec::new())
    }

    /// Creates a run without a robot, with sinks for its trace.
    pub fn traced(config: Config, sinks: Vec<std::boxed::Box<dyn Sink>>) -> Self {
        let header = header(&config);
        Self::new(config, std::boxed::Box::new(NoRobot), std::boxed::Box::new(NoLibrary), &header, sinks)
    }

    /// Keeps the run open when nothing is left to do, instead of ending it, because a program still holds its objects.
    pub fn keep_open(&mut self, held: bool) {
        self.drive.held = held;
    }

    /// Does all the work that is due now, without letting time pass.
    ///
    /// # Errors
    /// [`Undriven::Script`], [`Undriven::Resume`].
    pub fn try_settle(&mut self) -> Result<(), Undriven> {
        loop {
            match self.drain() {
                None => {}
                Some(Next::Job(job)) => return Err(Undriven::Script(std::boxed::Box::new(job))),
                Some(Next::Resume(task, wake)) => return Err(Undriven::Resume(task, wake)),
                Some(Next::Wait(_) | Next::Ended) => return Ok(()),
            }
            if self.effects.is_empty() {
                return Ok(());
            }
            self.apply_effects();
        }
    }

    /// Does all the work that is due now, without letting time pass, until a script has to run.
    pub fn settle(&mut self) {
        // A program that runs scripts drives the engine with a script host.
        let _ = self.try_settle();
    }

    /// Does the work that is due up to a time of the virtual clock, and leaves the clock there. This does not end the
    /// run, even if nothing is left to do.
    ///
    /// # Errors
    /// [`Undriven::Script`], [`Undriven::Resume`], [`Undriven::RealTime`].
    pub fn run_until(&mut self, until: Time) -> Result<(), Undriven> {
        self.run_while(until, |_| true)
    }

    /// Like [`Engine::run_until`], for this number of seconds from now.
    ///
    /// # Errors
    /// As [`Engine::run_until`].
    pub fn run_for(&mut self, seconds: f64) -> Result<(), Undriven> {
        self.run_until(Time(self.cx.now().0.saturating_add(Time::from_secs_f64(seconds).0)))
    }

    /// Stops everything in the ordinary way and ends the run: all objects are unloaded and destroyed, and the trace is
    /// closed.
    ///
    /// # Errors
    /// [`Undriven::Script`], [`Undriven::Resume`], [`Undriven::RealTime`].
    pub fn end(&mut self) -> Result<Footer, Undriven> {
        if !self.cx.clock.is_virtual() {
            return Err(Undriven::RealTime);
        }
        if !self.end.has_begun() {
            self.do_control(Control::Stop);
        }
        match self.next() {
            Next::Job(job) => Err(Undriven::Script(std::boxed::Box::new(job))),
            Next::Resume(task, wake) => Err(Undriven::Resume(task, wake)),
            Next::Wait(_) => Err(Undriven::Never),
            Next::Ended => self.end.outcome().cloned().ok_or(Undriven::Never),
        }
    }

    /// Advances from instant to instant, up to a time, as long as `wanted` returns true.
    pub(crate) fn run_while(&mut self, until: Time, mut wanted: impl FnMut(&Self) -> bool) -> Result<(), Undriven> {
        if !self.cx.clock.is_virtual() {
            return Err(Undriven::RealTime);
        }
        self.try_settle()?;
        // A separate timer makes time pass even if nothing happens. `Time::MAX` is no instant to wait for.
        self.drive.run_until = (self.cx.now() < until && until < Time::MAX).then_some(until);
        if self.drive.run_until.is_some() {
            self.cx.alarm(until, Alarm::RunUntil(until));
        }
        let bounded = until < Time::MAX;
        while wanted(self) && (!bounded || self.drive.run_until.is_some()) && self.advance() {
            self.try_settle()?;
        }
        self.drive.run_until = None;
        Ok(())
    }
}

impl Timeline<'_> {
    /// Drives the engine until this timeline does not play any more, because it has come to its end, or has been paused
    /// or stopped. Returns the time of that; returns at once if the timeline does not play.
    ///
    /// # Errors
    /// [`Undriven::Never`] if it still plays at the latest time, or nothing can happen any more; otherwise as
    /// [`Engine::run_until`].
    pub fn wait(&mut self, latest: Time) -> Result<Time, Undriven> {
        let id = self.id;
        let plays = move |engine: &Engine| engine.graph.timeline(id).is_some_and(crate::timeline::TimelineRun::playing);
        self.engine.run_while(latest, plays)?;
        if self.is_playing() { Err(Undriven::Never) } else { Ok(self.engine.cx.now()) }
    }
}
