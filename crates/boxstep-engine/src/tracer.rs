//! Numbers events and hands them to the sinks in batches.

use crate::context::Cause;
use crate::debugger::Watch;
use crate::pose::Pose;
use crate::trace::{self, Event, Footer, Header, Kind, PathId, Paths, ReloadPhase, Sink};
use boxstep_types::Time;

/// The number of events per batch: as many as stay in the nearest cache.
const BATCH: usize = 256;

#[derive(Default)]
pub(crate) struct Tracer {
    sinks: Vec<Box<dyn Sink>>,
    batch: Vec<Event>,
    watch: Option<Box<Watch>>,
    pub(crate) n: u64,
    pub(crate) errors: u64,
    pub(crate) unsupported: u64,
    pub(crate) dropped: u64,
    pub(crate) warnings: u64,
    pub(crate) not_deterministic: Option<String>,
    is_robot_outside: bool,
}

impl Tracer {
    pub(crate) fn new(sinks: Vec<Box<dyn Sink>>, header: &Header) -> Self {
        let is_robot_outside = trace::is_robot_outside(header);
        let mut tracer = Self { sinks, is_robot_outside, ..Self::default() };
        for sink in &mut tracer.sinks {
            sink.begin(header);
        }
        tracer
    }

    /// Returns whether any sink receives events. A run without sinks costs only this check.
    #[inline]
    pub(crate) fn on(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// Adds an event and returns its number; 0 if there are no sinks.
    #[inline]
    pub(crate) fn add(&mut self, t: Time, cause: Cause, path: PathId, paths: &Paths, kind: Kind) -> Cause {
        match &kind {
            Kind::Raised { .. } => self.errors += 1,
            Kind::Unsupported { .. } => self.unsupported += 1,
            Kind::Dropped { .. } => self.dropped += 1,
            Kind::Warning { .. } | Kind::Mismatch { .. } => self.warnings += 1,
            Kind::Reload(reloaded) if matches!(reloaded.phase, ReloadPhase::Refused | ReloadPhase::NotTaken) => {
                self.warnings += 1
            }
            _ => {}
        }
        if !self.on() {
            return Cause::OUTSIDE;
        }
        self.n += 1;
        let mut event = Event { n: self.n, t, cause: cause.number(), path, kind };
        event.digest(self.is_robot_outside);
        if let Some(watch) = &mut self.watch {
            watch.check(&event, paths);
        }
        self.batch.push(event);
        if self.batch.len() >= BATCH {
            self.flush(paths);
        }
        Cause::event(self.n)
    }

    /// Passes the pending events to the sinks.
    pub(crate) fn flush(&mut self, paths: &Paths) {
        if self.batch.is_empty() {
            return;
        }
        if let Some((last, others)) = self.sinks.split_last_mut() {
            for sink in others {
                sink.events(&self.batch, paths);
            }
            self.batch = last.take(std::mem::take(&mut self.batch), paths);
        }
        self.batch.clear();
    }

    /// Passes a pose of the robot to the sinks.
    pub(crate) fn pose(&mut self, at: Time, pose: &Pose, paths: &Paths) {
        self.flush(paths);
        for sink in &mut self.sinks {
            sink.pose(at, pose);
        }
    }

    /// The watch that checks every event for breakpoints, created on demand.
    pub(crate) fn watch(&mut self) -> &mut Watch {
        self.watch.get_or_insert_default()
    }

    /// Removes the watch.
    pub(crate) fn unwatch(&mut self) {
        self.watch = None;
    }

    pub(crate) fn count(&self) -> u64 {
        self.n
    }

    /// Ends the trace: no sink receives what abandoned scripts still do.
    pub(crate) fn end(&mut self, footer: &Footer, paths: &Paths) {
        self.flush(paths);
        for mut sink in std::mem::take(&mut self.sinks) {
            sink.end(footer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::BoxPhase;
    use std::sync::{Arc, Mutex};

    /// A sink that keeps its events, and returns the batch that it held before.
    #[derive(Default)]
    struct Keeper {
        had: Vec<Event>,
        numbers: Arc<Mutex<Vec<u64>>>,
    }

    impl Sink for Keeper {
        fn begin(&mut self, _: &Header) {}
        fn events(&mut self, events: &[Event], _: &Paths) {
            self.numbers.lock().expect("nobody failed").extend(events.iter().map(|event| event.n));
        }
        fn take(&mut self, events: Vec<Event>, paths: &Paths) -> Vec<Event> {
            self.events(&events, paths);
            std::mem::replace(&mut self.had, events)
        }
        fn end(&mut self, _: &Footer) {}
    }

    #[test]
    fn nothing_comes_after_the_end() {
        let numbers = Arc::default();
        let keeper = Keeper { numbers: Arc::clone(&numbers), ..Keeper::default() };
        let mut tracer = Tracer { sinks: vec![Box::new(keeper)], ..Tracer::default() };
        let paths = Paths::default();
        let add = |tracer: &mut Tracer| {
            tracer.add(Time::ZERO, Cause::OUTSIDE, PathId(0), &paths, Kind::Box { phase: BoxPhase::Started })
        };
        add(&mut tracer);
        let footer = Footer {
            reason: crate::trace::EndReason::Ended,
            t: Time::ZERO,
            events: 1,
            errors: 0,
            not_compiled: 0,
            unsupported: 0,
            dropped: 0,
            warnings: 0,
            forced: 0,
            deterministic: Ok(()),
        };
        tracer.end(&footer, &paths);
        for _ in 0..2 * BATCH {
            assert_eq!(add(&mut tracer), Cause::OUTSIDE);
        }
        tracer.flush(&paths);
        assert_eq!(*numbers.lock().expect("nobody failed"), [1]);
    }

    #[test]
    fn every_sink_gets_every_event_once_whatever_the_last_one_gives_back() {
        let numbers = [Arc::default(), Arc::default()];
        let sink = |numbers: &Arc<Mutex<Vec<u64>>>| {
            let keeper = Keeper { numbers: numbers.clone(), ..Keeper::default() };
            Box::new(keeper) as Box<dyn Sink>
        };
        let mut tracer = Tracer { sinks: numbers.iter().map(sink).collect(), ..Tracer::default() };
        let paths = Paths::default();
        for _ in 0..3 * BATCH + 7 {
            tracer.add(Time::ZERO, Cause::OUTSIDE, PathId(0), &paths, Kind::Box { phase: BoxPhase::Started });
        }
        tracer.flush(&paths);
        for numbers in numbers {
            let wanted: Vec<u64> = (1..=3 * BATCH as u64 + 7).collect();
            assert_eq!(*numbers.lock().expect("nobody failed"), wanted);
        }
    }
}
