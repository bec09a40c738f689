//! The run's clock and its timers.

use crate::config::{ClockKind, Control};
use crate::ids::{BehaviorId, BoxId, ProcId};
use crate::protocol::{CallId, TaskId, TimerId};
use boxstep_types::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

/// The clock.
pub(crate) enum Clock {
    Virtual(Time),
    Real(RealClock),
}

/// The clock of the run, by that of the machine.
pub(crate) struct RealClock {
    machine: MachineClock,
    now: Time,
    /// What both said when the run's was set last.
    base: (Time, Time),
    /// Seconds of the run in a second of the machine; 0: it stands.
    speed: f64,
    /// It goes no further.
    halt: Option<Time>,
    /// It has not started: since when nothing has happened, as the machine says.
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
        // As ever it is the machine's to the nanosecond.
        let time = if self.speed == 1.0 { at + passed } else { at + passed.mul_f64(self.speed) };
        self.halt.map_or(time, |halt| time.min(halt))
    }

    fn set(&mut self, to: Time) {
        self.now = to;
        self.base = (to, (self.machine)());
    }
}

/// Reads the machine's clock: the time since the run began.
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

    /// The time of what is being done now. On the real clock it stands still between calls of
    /// [`Clock::refresh`], so that one piece of work sees one time.
    pub(crate) fn now(&self) -> Time {
        match self {
            Clock::Virtual(now) | Clock::Real(RealClock { now, .. }) => *now,
        }
    }

    pub(crate) fn is_virtual(&self) -> bool {
        matches!(self, Clock::Virtual(_))
    }

    /// Reads the machine's clock, if that is the one.
    pub(crate) fn refresh(&mut self) -> Time {
        if let Clock::Real(real) = self {
            real.now = real.read();
        }
        self.now()
    }

    /// The time at this moment.
    pub(crate) fn read(&self) -> Time {
        match self {
            Clock::Virtual(now) => *now,
            Clock::Real(real) => real.read(),
        }
    }

    /// Reads the real time from elsewhere; nothing in virtual time.
    pub(crate) fn set_machine(&mut self, machine: MachineClock) {
        if let Clock::Real(real) = self {
            let now = real.now;
            *real = RealClock::new(machine);
            real.set(now);
        }
    }

    /// The real clock goes on from now on. It stands while scripts are compiled, made and loaded, which takes no virtual
    /// time either: so a time of the run means the same on both clocks.
    pub(crate) fn start(&mut self) {
        if let Clock::Real(real) = self
            && real.stands.take().is_some()
        {
            real.set(real.now);
        }
    }

    /// It goes on, or is virtual.
    pub(crate) fn started(&self) -> bool {
        !matches!(self, Clock::Real(RealClock { stands: Some(_), .. }))
    }

    /// Something has happened while the real clock stands.
    pub(crate) fn stir(&mut self) {
        if let Clock::Real(RealClock { stands: Some(since), machine, .. }) = self {
            *since = machine();
        }
    }

    /// How long nothing has happened while the real clock stands.
    pub(crate) fn still(&self) -> Duration {
        match self {
            Clock::Real(RealClock { stands: Some(since), machine, .. }) => machine().since(*since),
            _ => Duration::ZERO,
        }
    }

    /// How fast the real clock goes from now on; 0: it stands.
    pub(crate) fn set_speed(&mut self, speed: f64) {
        if let Clock::Real(real) = self {
            real.set(real.now);
            real.speed = speed;
        }
    }

    /// The real clock goes no further than this.
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

/// What happens when a timer comes.
#[derive(Clone, Debug)]
pub(crate) enum Alarm {
    /// Something from outside.
    Control(Control),
    /// The time of a state of a written state machine is over; with what caused the state.
    Transition(BoxId, u32, u64),
    /// Whoever drives the engine by hand wants to come to this time.
    RunUntil(Time),
    /// A step of the debugger is over.
    Halt(Time),
    /// [`crate::services::Services::timer`].
    Robot(u64),
    /// A runner's tick.
    Tick(u32),
    /// A hook of a runner's has had its time, if it is still in this stretch.
    Hook(u32, u64),
    /// The deadline of a blocked task.
    Task(TaskId, u32),
    /// A function a script wants run.
    Script(TimerId),
    /// A timeline reaches a frame; counted, so that a goto makes it stale.
    Timeline(BoxId, u32),
    /// A timeline that waits for its joints looks for them again; counted like its frames. How much had happened
    /// when it looked last.
    Joints(BoxId, u32, u64),
    /// The time of a behavior's stop is over, or (`None`) that of an interrupt; and when that is.
    Deadline(Option<BehaviorId>, Time),
    /// A procedure has waited long enough for a script: for the call that was born in this generation of its id.
    Patience(ProcId, TaskId, u32),
    /// The played behavior has taken long to load.
    LongLoad,
    /// Calls of a box have waited long enough for its stop; which stretch of waiting.
    HeldBack(BoxId, u32),
    /// A resource has been waited for long enough.
    Resource(u32),
    /// The time that a mock takes for a call is over: which mock of the configuration.
    Mock(CallId, usize),
    /// Somebody outside has waited for a call long enough.
    Outside(u32),
    /// A motion that was let go has had its moment.
    RunOut(CallId),
    /// Waiting for a posted call has lasted long enough.
    Call(CallId, TaskId, u32),
}

impl Alarm {
    /// At one instant what comes from outside goes first, then the robot, then timers in order of creation.
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
    /// How many there were after the last clearing.
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

    /// The time of the next timer, dead or alive.
    pub(crate) fn next(&self) -> Option<(Time, &Alarm)> {
        self.heap.peek().map(|Reverse(e)| (e.key.0, &e.alarm))
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Are there so many more than when it was looked last that it is worth while to forget the dead ones?
    pub(crate) fn crowded(&self) -> bool {
        self.heap.len() > 2 * self.kept + 64
    }

    /// Keeps only some.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Alarm) -> bool) {
        self.heap.retain(|Reverse(e)| keep(&e.alarm));
        self.kept = self.heap.len();
    }

    /// Takes what was to come from outside, in its order.
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
