//! Driving an engine that runs no scripts step by step, as a test or a notebook does.

use super::Timeline;
use crate::Engine;
use crate::clock::Alarm;
use crate::config::{Config, Control, NoLibrary};
use crate::protocol::{Job, Next, Scheduler, TaskId, Wake};
use crate::services::NoRobot;
use crate::trace::{Footer, Header, Sink};
use boxstep_types::Time;
use std::fmt;

/// Why an engine cannot be driven any further by hand. What it wanted done comes with it, to be done by a script host.
#[derive(Clone, Debug)]
pub enum Undriven {
    /// A script has to be run.
    Script(std::boxed::Box<Job>),
    /// A script that waited has to go on.
    Resume(TaskId, Wake),
    /// The clock is the machine's own: nobody can move it.
    RealTime,
    /// Nothing can happen any more, and what was waited for has not.
    Never,
}

impl fmt::Display for Undriven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undriven::Script(_) | Undriven::Resume(..) => f.write_str("a script has to be run by a script host"),
            Undriven::RealTime => f.write_str("only a virtual clock can be moved"),
            Undriven::Never => f.write_str("nothing can happen any more, and what was waited for has not"),
        }
    }
}

impl std::error::Error for Undriven {}

impl Engine {
    /// A run without a robot: services do not exist, joints do not move. For objects made in code.
    pub fn without_robot(config: Config) -> Self {
        Self::traced(config, Vec::new())
    }

    /// The same, with writers for its trace.
    pub fn traced(config: Config, sinks: Vec<std::boxed::Box<dyn Sink>>) -> Self {
        let header = Self::plain_header(&config);
        Self::new(config, std::boxed::Box::new(NoRobot), std::boxed::Box::new(NoLibrary), &header, sinks)
    }

    /// The first line of a trace of which nothing more is known.
    pub(crate) fn plain_header(config: &Config) -> Header {
        let product = format!("boxstep {}", env!("CARGO_PKG_VERSION"));
        Header { product, seed: config.seed, ..Header::new(config.clock) }
    }

    /// With nothing left to do, a run that is kept open waits for more instead of ending: somebody outside has objects that will
    /// be used again.
    pub fn keep_open(&mut self, held: bool) {
        self.held = held;
    }

    /// Does all there is to do now, without time passing.
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

    /// Does all there is to do now, without time passing, as far as no script has to be run.
    pub fn settle(&mut self) {
        // Whoever has scripts drives the engine with a script host.
        let _ = self.try_settle();
    }

    /// Does what there is to do up to a time of the virtual clock, and leaves the clock there. The run does not end by this,
    /// also if nothing is left to do.
    ///
    /// # Errors
    /// [`Undriven::Script`], [`Undriven::Resume`], [`Undriven::RealTime`].
    pub fn run_until(&mut self, until: Time) -> Result<(), Undriven> {
        self.run_while(until, |_| true)
    }

    /// The same for so many seconds from now.
    ///
    /// # Errors
    /// As [`Engine::run_until`].
    pub fn run_for(&mut self, seconds: f64) -> Result<(), Undriven> {
        self.run_until(Time(self.cx.now().0.saturating_add(Time::from_secs_f64(seconds).0)))
    }

    /// Stops everything in the ordinary way and ends the run: what was made is unloaded and destroyed, the trace is closed.
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

    /// Goes on from instant to instant, up to a time, as long as somebody wants that.
    pub(crate) fn run_while(&mut self, until: Time, mut wanted: impl FnMut(&Self) -> bool) -> Result<(), Undriven> {
        if !self.cx.clock.is_virtual() {
            return Err(Undriven::RealTime);
        }
        self.try_settle()?;
        // A timer of its own, so that time passes also where nothing happens. The end of time is no moment to wait for.
        self.run_until = (self.cx.now() < until && until < Time::MAX).then_some(until);
        if self.run_until.is_some() {
            self.cx.alarm(until, Alarm::RunUntil(until));
        }
        let bounded = until < Time::MAX;
        while wanted(self) && (!bounded || self.run_until.is_some()) && self.advance() {
            self.try_settle()?;
        }
        self.run_until = None;
        Ok(())
    }
}

impl Timeline<'_> {
    /// Drives the engine until this timeline does not play any more: it has come to its end, or has been paused or stopped.
    /// Gives the time. Returns at once if it does not play.
    ///
    /// # Errors
    /// [`Undriven::Never`] if it still plays at the latest time, or nothing can happen any more; else as
    /// [`Engine::run_until`].
    pub fn wait(&mut self, latest: Time) -> Result<Time, Undriven> {
        let id = self.id;
        let plays = move |engine: &Engine| engine.graph.timeline(id).is_some_and(crate::timeline::TimelineRun::playing);
        self.engine.run_while(latest, plays)?;
        if self.is_playing() { Err(Undriven::Never) } else { Ok(self.engine.cx.now()) }
    }
}
