//! The context that every part of the engine receives: the clock, the queue of work, the trace, and the current cause.

use crate::clock::{Alarm, Clock, Timers};
use crate::config::ClockKind;
use crate::event_loop::Work;
use crate::trace::{Kind, PathId, Paths};
use crate::tracer::Tracer;
use boxstep_types::Time;
use std::collections::VecDeque;
use std::sync::Arc;

/// The event that causes something: its number in the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cause(u64);

impl Cause {
    /// No event: the cause lies outside the run, or nothing is traced.
    pub(crate) const OUTSIDE: Self = Self(0);

    /// The event with this number.
    pub(crate) const fn event(number: u64) -> Self {
        Self(number)
    }

    /// The number of the event; 0 if there is none.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

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
    /// The event that caused the current work.
    cause: Cause,
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
            cause: Cause::OUTSIDE,
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

    /// The event that caused the current work.
    pub(crate) fn cause(&self) -> Cause {
        self.cause
    }

    /// Begins work that this event has caused. What was caused before is over.
    pub(crate) fn begin(&mut self, cause: Cause) {
        self.cause = cause;
    }

    /// What the fast path needs all at once: the tracer with the paths, the queue, and the current cause.
    #[inline]
    pub(crate) fn split(&mut self) -> (&mut Tracer, &Paths, &mut VecDeque<Work>, &mut Cause) {
        (&mut self.tracer, &self.paths, &mut self.work, &mut self.cause)
    }

    /// Adds an event whose cause is the current one, and makes it the cause of what follows.
    pub(crate) fn trace(&mut self, path: PathId, kind: Kind) {
        self.trace_all([(path, kind)]);
    }

    /// Adds events that all have the current cause, and makes the last one the cause of what follows.
    pub(crate) fn trace_all(&mut self, events: impl IntoIterator<Item = (PathId, Kind)>) {
        let cause = self.cause;
        for (path, kind) in events {
            let event = self.tracer.add(self.clock.now(), cause, path, &self.paths, kind);
            if event != Cause::OUTSIDE {
                self.cause = event;
            }
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

/// Something that acts in the run and so has its context.
///
/// What one action causes is not the cause of the next one beside it. These methods put the cause back, so that no code
/// has to remember it.
pub(crate) trait Acts {
    /// The context in which it acts.
    fn context(&mut self) -> &mut Context;

    /// Does something that this event has caused. Afterwards the cause is the one from before.
    #[inline]
    fn caused_by<R>(&mut self, cause: Cause, act: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.context().cause, cause);
        let result = act(self);
        self.context().cause = before;
        result
    }

    /// Does something for each item. All of it has the current cause: what is done for one item does not cause what is
    /// done for the next. The last one is the cause of what follows.
    #[inline]
    fn side_by_side<T>(&mut self, items: impl IntoIterator<Item = T>, mut act: impl FnMut(&mut Self, T)) {
        let cause = self.context().cause;
        for item in items {
            self.context().cause = cause;
            act(self, item);
        }
    }

    /// Does something beside what follows: it has the current cause, and what it causes ends with it.
    #[inline]
    fn aside<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let cause = self.context().cause;
        self.caused_by(cause, act)
    }
}

impl Acts for Context {
    fn context(&mut self) -> &mut Context {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Event, Footer, Header, Sink};
    use std::sync::Mutex;

    /// Keeps the number and the cause of each event.
    #[derive(Clone, Default)]
    struct Causes(Arc<Mutex<Vec<(u64, u64)>>>);

    impl Sink for Causes {
        fn begin(&mut self, _: &Header) {}
        fn events(&mut self, events: &[Event], _: &Paths) {
            self.0.lock().expect("nobody failed").extend(events.iter().map(|event| (event.n, event.cause)));
        }
        fn end(&mut self, _: &Footer) {}
    }

    fn happens() -> (PathId, Kind) {
        (PathId(0), Kind::Box { phase: crate::trace::BoxPhase::Started })
    }

    /// A context that is traced, and the events so far.
    fn traced() -> (Context, Causes) {
        let causes = Causes::default();
        let header = Header::new(ClockKind::Virtual);
        (Context::new(ClockKind::Virtual, Tracer::new(vec![Box::new(causes.clone())], &header)), causes)
    }

    fn told(mut cx: Context, causes: &Causes) -> Vec<(u64, u64)> {
        cx.flush();
        std::mem::take(&mut *causes.0.lock().expect("nobody failed"))
    }

    #[test]
    fn what_is_done_aside_causes_nothing_that_follows() {
        let (mut cx, causes) = traced();
        let add = |cx: &mut Context| cx.trace(PathId(0), happens().1);
        add(&mut cx);
        cx.aside(|cx| {
            add(cx);
            cx.caused_by(Cause::OUTSIDE, add);
            add(cx);
        });
        add(&mut cx);
        assert_eq!(told(cx, &causes), [(1, 0), (2, 1), (3, 0), (4, 2), (5, 1)]);
    }

    #[test]
    fn what_is_done_side_by_side_has_one_cause_and_the_last_causes_what_follows() {
        let (mut cx, causes) = traced();
        let add = |cx: &mut Context| cx.trace(PathId(0), happens().1);
        add(&mut cx);
        cx.side_by_side([2, 1], |cx, times| (0..times).for_each(|_| add(cx)));
        cx.side_by_side([0; 0], |cx, _| add(cx));
        add(&mut cx);
        assert_eq!(told(cx, &causes), [(1, 0), (2, 1), (3, 2), (4, 1), (5, 4)]);
    }

    #[test]
    fn events_together_have_one_cause_and_the_last_causes_the_next() {
        let (mut cx, causes) = traced();
        cx.trace_all([happens()]);
        cx.trace_all([happens(), happens()]);
        cx.trace_all([]);
        cx.note(PathId(0), happens().1);
        cx.trace(PathId(0), happens().1);
        assert_eq!(told(cx, &causes), [(1, 0), (2, 1), (3, 1), (4, 3), (5, 3)]);
    }
}
