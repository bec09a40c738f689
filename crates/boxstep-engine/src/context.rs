//! The context that every part of the engine receives: the clock, the queue of work, the trace, and the current cause.

use crate::clock::{Alarm, Clock, Timers};
use crate::config::ClockKind;
use crate::event_loop::Work;
use crate::trace::{Kind, PathId, Paths};
use crate::tracer::Tracer;
use boxstep_types::Time;
use std::collections::VecDeque;
use std::sync::Arc;

/// The clock, timers, work queue and tracer, which the parts of the engine share.
pub(crate) struct Context {
    pub(crate) clock: Clock,
    pub(crate) timers: Timers,
    /// The number of timers that have fired, not counting repeated checks of joint positions.
    pub(crate) fired: u64,
    /// The queue of work, first in, first out.
    pub(crate) work: VecDeque<Work>,
    pub(crate) tracer: Tracer,
    /// The interned paths of the places where events happen.
    pub(crate) paths: Paths,
    /// The number of the event that caused the current work.
    pub(crate) cause: u64,
}

impl Context {
    pub(crate) fn new(clock: ClockKind, tracer: Tracer) -> Self {
        Self {
            clock: Clock::new(clock),
            timers: Timers::default(),
            fired: 0,
            work: VecDeque::new(),
            tracer,
            paths: Paths::default(),
            cause: 0,
        }
    }

    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Appends work to the queue.
    pub(crate) fn push(&mut self, work: Work) {
        self.work.push_back(work);
    }

    /// Schedules an alarm.
    pub(crate) fn alarm(&mut self, at: Time, alarm: Alarm) {
        self.timers.add(at, alarm);
    }

    /// Adds an event whose cause is the current one, and makes it the cause of what follows.
    pub(crate) fn trace(&mut self, path: PathId, kind: Kind) {
        let n = self.tracer.add(self.clock.now(), self.cause, path, &self.paths, kind);
        if n > 0 {
            self.cause = n;
        }
    }

    /// Adds an event without making it the cause of what follows.
    pub(crate) fn note(&mut self, path: PathId, kind: Kind) {
        self.tracer.add(self.clock.now(), self.cause, path, &self.paths, kind);
    }

    pub(crate) fn warn(&mut self, path: PathId, text: impl Into<Arc<str>>) {
        self.note(path, Kind::Warning { text: text.into() });
    }

    /// Hands the events traced so far to the sinks.
    pub(crate) fn flush(&mut self) {
        self.tracer.flush(&self.paths);
    }
}
