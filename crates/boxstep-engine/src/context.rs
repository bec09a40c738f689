//! What every part of the engine is handed: what time it is, what is in line, the trace, and the cause of what is being done.

use crate::clock::{Alarm, Clock, Timers};
use crate::config::ClockKind;
use crate::event_loop::Work;
use crate::trace::{Kind, PathId, Paths};
use crate::tracer::Tracer;
use boxstep_types::Time;
use std::collections::VecDeque;
use std::sync::Arc;

/// See the module.
pub(crate) struct Context {
    pub(crate) clock: Clock,
    pub(crate) timers: Timers,
    /// First in, first out.
    pub(crate) work: VecDeque<Work>,
    pub(crate) tracer: Tracer,
    /// Where things happen.
    pub(crate) paths: Paths,
    /// The event that caused what is being done now.
    pub(crate) cause: u64,
}

impl Context {
    pub(crate) fn new(clock: ClockKind, tracer: Tracer) -> Self {
        Self {
            clock: Clock::new(clock),
            timers: Timers::default(),
            work: VecDeque::new(),
            tracer,
            paths: Paths::default(),
            cause: 0,
        }
    }

    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Puts something in line.
    pub(crate) fn push(&mut self, work: Work) {
        self.work.push_back(work);
    }

    /// Has something come at a time.
    pub(crate) fn alarm(&mut self, at: Time, alarm: Alarm) {
        self.timers.add(at, alarm);
    }

    /// Adds an event caused by what is being done, and makes it the cause of what follows.
    pub(crate) fn trace(&mut self, path: PathId, kind: Kind) {
        let n = self.tracer.add(self.clock.now(), self.cause, path, &self.paths, kind);
        if n > 0 {
            self.cause = n;
        }
    }

    /// Adds an event that is not the cause of what follows.
    pub(crate) fn note(&mut self, path: PathId, kind: Kind) {
        self.tracer.add(self.clock.now(), self.cause, path, &self.paths, kind);
    }

    pub(crate) fn warn(&mut self, path: PathId, text: impl Into<Arc<str>>) {
        self.note(path, Kind::Warning { text: text.into() });
    }

    /// Shows those who listen what there is.
    pub(crate) fn flush(&mut self) {
        self.tracer.flush(&self.paths);
    }
}
