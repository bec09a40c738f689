//! The run's clock and its timers.

use crate::config::{ClockKind, Control};
use crate::context::Cause;
use crate::ids::{BehaviorId, BoxId, ProcId};
use crate::protocol::{CallId, TaskId, TimerId};
use boxstep_types::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

/// The clock of a run.
pub(crate) enum Clock {
    Virtual(Time),
    Real(RealClock),
}

/// A real clock, derived from that of the machine.
pub(crate) struct RealClock {
    machine: MachineClock,
    now: Time,
    /// The times of the run's and the machine's clock when the run's was last set.
    base: (Time, Time),
    /// Seconds of the run per second of the machine; 0 if the clock is stopped.
    speed: f64,
    /// The time at which the clock stops.
    halt: Option<Time>,
    /// Set while the clock has not started: the machine's time of the last activity.
    stands: Option<Time>,
}

impl RealClock {
    fn new(machine: MachineClock) -> Self {
        let stands = Some(machine());
        Self { machine, now: Time::ZERO, base: (Time::ZERO, Time::ZERO), speed: 1.0, halt: None, stands }
    }

    fn read(&self) -> Time {
        let (at, then) = self.base;
        if self.stands.is_some() {
            return at;
        }
        let passed = (self.machine)().since(then);
        // At normal speed the clock matches the machine's to the nanosecond.
        let time = if self.speed == 1.0 { at + passed } else { at + passed.mul_f64(self.speed) };
        self.halt.map_or(time, |halt| time.min(halt))
    }

    fn set(&mut self, to: Time) {
        self.now = to;
        self.base = (to, (self.machine)());
    }
}

/// A function that reads the machine's clock: the time since the run began.
pub(crate) type MachineClock = Box<dyn Fn() -> Time + Send>;

impl Clock {
    pub(crate) fn new(kind: ClockKind) -> Self {
        match kind {
            ClockKind::Virtual => Clock::Virtual(Time::ZERO),
            ClockKind::Real => {
                let start = Instant::now();
                Clock::Real(RealClock::new(Box::new(move || Time::ZERO + start.elapsed())))
            }
        }
    }

    /// The time of the current work. The real clock does not change between calls of [`Clock::refresh`], so that one
    /// piece of work sees one time.
    pub(crate) fn now(&self) -> Time {
        match self {
            Clock::Virtual(now) | Clock::Real(RealClock { now, .. }) => *now,
        }
    }

    pub(crate) fn is_virtual(&self) -> bool {
        matches!(self, Clock::Virtual(_))
    }

    /// Reads the machine's clock if the run uses it, and returns the time.
    pub(crate) fn refresh(&mut self) -> Time {
        if let Clock::Real(real) = self {
            real.now = real.read();
        }
        self.now()
    }

    /// Returns the time at this moment.
    pub(crate) fn read(&self) -> Time {
        match self {
            Clock::Virtual(now) => *now,
            Clock::Real(real) => real.read(),
        }
    }

    /// Replaces the machine's clock; has no effect in virtual time.
    pub(crate) fn set_machine(&mut self, machine: MachineClock) {
        if let Clock::Real(real) = self {
            let now = real.now;
            *real = RealClock::new(machine);
            real.set(now);
        }
    }

    /// Starts the real clock. It stands still while scripts are compiled, constructed and loaded, which takes no
    /// virtual time either, so that a time of the run means the same on both clocks.
    pub(crate) fn start(&mut self) {
        if let Clock::Real(real) = self
            && real.stands.take().is_some()
        {
            real.set(real.now);
        }
    }

    /// Returns whether the clock has started, or is virtual.
    pub(crate) fn started(&self) -> bool {
        !matches!(self, Clock::Real(RealClock { stands: Some(_), .. }))
    }

    /// Notes activity while the real clock has not started.
    pub(crate) fn stir(&mut self) {
        if let Clock::Real(RealClock { stands: Some(since), machine, .. }) = self {
            *since = machine();
        }
    }

    /// The time without activity while the real clock has not started.
    pub(crate) fn still(&self) -> Duration {
        match self {
            Clock::Real(RealClock { stands: Some(since), machine, .. }) => machine().since(*since),
            _ => Duration::ZERO,
        }
    }

    /// Sets the speed of the real clock; 0 stops it.
    pub(crate) fn set_speed(&mut self, speed: f64) {
        if let Clock::Real(real) = self {
            real.set(real.now);
            real.speed = speed;
        }
    }

    /// Sets the time at which the real clock stops.
    pub(crate) fn halt(&mut self, at: Option<Time>) {
        if let Clock::Real(real) = self {
            if real.halt.is_some() {
                real.set(real.now);
            }
            real.halt = at;
        }
    }

    /// Moves a virtual clock.
    pub(crate) fn advance(&mut self, to: Time) {
        if let Clock::Virtual(now) = self {
            *now = to.max(*now);
        }
    }
}

/// The action of a timer.
#[derive(Clone, Debug)]
pub(crate) enum Alarm {
    /// A control from outside.
    Control(Control),
    /// The timeout of a state of an explicit state machine, with the entry's serial number and the cause.
    Transition(BoxId, u32, Cause),
    /// A caller that drives the engine in steps wants to reach this time.
    RunUntil(Time),
    /// The end of a debugger step.
    Halt(Time),
    /// A timer of the robot ([`crate::services::Services::timer`]).
    Robot(u64),
    /// A tick of a runner.
    Tick(u32),
    /// The timeout of a runner's hook, if the hook is still in this stretch.
    Hook(u32, u64),
    /// The deadline of a blocked task.
    Task(TaskId, u32),
    /// A timer that a script has set.
    Script(TimerId),
    /// A timeline reaches a frame. The serial number makes the timer stale after a goto.
    Timeline(BoxId, u32),
    /// A timeline that waits for joints checks them again, with the serial number as for frames, and the number of
    /// timers that had fired at the last check.
    Joints(BoxId, u32, u64),
    /// The deadline of a behavior's stop, or (`None`) that of an interrupt; and its time.
    Deadline(Option<BehaviorId>, Time),
    /// A procedure has waited long enough for a script call, identified by its task and the generation with which that
    /// began.
    Patience(ProcId, TaskId, u32),
    /// The played behavior has taken too long to load.
    LongLoad,
    /// The services of the package have taken too long.
    LateServices,
    /// The calls of a box have waited long enough for its stop; the number identifies the wait.
    HeldBack(BoxId, u32),
    /// The timeout of waiting for a resource.
    Resource(u32),
    /// A mock answers a call; the index is that of the mock in the configuration.
    Mock(CallId, usize),
    /// The timeout of a remote client that waits for a call.
    Outside(u32),
    /// A motion that was released has had its time to end.
    RunOut(CallId),
    /// The timeout of waiting for a posted call.
    Call(CallId, TaskId, u32),
}

impl Alarm {
    /// The order at one instant: controls first, then the robot, then timers in order of creation.
    fn class(&self) -> u8 {
        match self {
            Alarm::Control(_) => 0,
            Alarm::Robot(_) | Alarm::Mock(..) => 1,
            _ => 2,
        }
    }
}

/// The timer queue.
#[derive(Default)]
pub(crate) struct Timers {
    heap: BinaryHeap<Reverse<Entry>>,
    created: u64,
    /// The number of timers after the last cleanup.
    kept: usize,
}

struct Entry {
    key: (Time, u8, u64),
    alarm: Alarm,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl Timers {
    pub(crate) fn add(&mut self, at: Time, alarm: Alarm) {
        self.created += 1;
        self.heap.push(Reverse(Entry { key: (at, alarm.class(), self.created), alarm }));
    }

    /// The time of the next timer, stale or not.
    pub(crate) fn next(&self) -> Option<(Time, &Alarm)> {
        self.heap.peek().map(|Reverse(e)| (e.key.0, &e.alarm))
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Returns whether the queue has grown so much since the last cleanup that removing stale timers is worthwhile.
    pub(crate) fn crowded(&self) -> bool {
        self.heap.len() > 2 * self.kept + 64
    }

    /// Keeps only the selected timers.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Alarm) -> bool) {
        self.heap.retain(|Reverse(e)| keep(&e.alarm));
        self.kept = self.heap.len();
    }

    /// Takes the pending controls, in order.
    pub(crate) fn take_controls(&mut self) -> Vec<(Time, Control)> {
        let mut controls = Vec::new();
        for Reverse(entry) in std::mem::take(&mut self.heap).into_sorted_vec().into_iter().rev() {
            match entry.alarm {
                Alarm::Control(control) => controls.push((entry.key.0, control)),
                _ => self.heap.push(Reverse(entry)),
            }
        }
        controls
    }

    pub(crate) fn pop(&mut self) -> Option<(Time, Alarm)> {
        self.heap.pop().map(|Reverse(e)| (e.key.0, e.alarm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_of_one_instant_fire_by_class_and_then_in_order_of_creation() {
        let mut timers = Timers::default();
        let at = Time(5);
        timers.add(at, Alarm::Task(TaskId(1), 0));
        timers.add(at, Alarm::Task(TaskId(2), 0));
        timers.add(at, Alarm::Control(Control::Stop));
        timers.add(Time(4), Alarm::Task(TaskId(3), 0));
        let name = |alarm: Alarm| match alarm {
            Alarm::Task(id, _) => id.0,
            _ => 0,
        };
        let fired: Vec<_> = std::iter::from_fn(|| timers.pop()).map(|(at, alarm)| (at.0, name(alarm))).collect();
        assert_eq!(fired, [(4, 3), (5, 0), (5, 1), (5, 2)]);
    }
}
