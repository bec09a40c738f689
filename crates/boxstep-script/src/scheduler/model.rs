//! A model of an engine with tasks, timers and a clock, and without boxes, for tests and benchmarks of the scheduler.

use boxstep_engine::protocol::{
    Answer, CallbackId, Job, LogLevel, Next, Order, Request, Scheduler, TaskId, TimerId, Wake,
};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// The number of readings of the virtual clock after which a millisecond passes.
const READS: u32 = 1_000;

/// A model of an engine.
pub struct Model {
    is_virtual: bool,
    start: Instant,
    now: Time,
    work: VecDeque<Work>,
    timers: BTreeMap<(Time, u32), Due>,
    made: u32,
    tasks: BTreeMap<TaskId, State>,
    reads: u32,
    interrupting: bool,
    gave_up: bool,
    over: bool,
    /// What scripts logged, printed, sent to outputs and raised, with the time.
    pub log: Vec<(Time, String)>,
    /// Why the run is not repeatable.
    pub not_deterministic: Vec<String>,
    /// Tasks that still waited when nothing could happen any more.
    pub stuck: Vec<TaskId>,
    /// Converts outputs to orders; without it outputs are only logged.
    pub route: Option<Route>,
}

/// Converts an output's name and value to orders.
pub type Route = Box<dyn FnMut(&str, Value) -> Vec<Order> + Send>;

enum Work {
    Order(Order),
    Resume(TaskId, Wake),
}

enum Due {
    Wake(TaskId, u32),
    Run(CallbackId, Option<i64>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running { revoked: bool },
    Blocked { generation: u32 },
}

impl Model {
    /// Creates an engine with nothing to do.
    pub fn new(is_virtual: bool) -> Self {
        Self {
            is_virtual,
            start: Instant::now(),
            now: Time::ZERO,
            work: VecDeque::new(),
            timers: BTreeMap::new(),
            made: 0,
            tasks: BTreeMap::new(),
            reads: 0,
            interrupting: false,
            gave_up: false,
            over: false,
            log: Vec::new(),
            not_deterministic: Vec::new(),
            stuck: Vec::new(),
            route: None,
        }
    }

    /// Queues an order.
    pub fn push(&mut self, order: Order) {
        self.work.push_back(Work::Order(order));
    }

    /// Interrupts the run, as a signal would.
    pub fn interrupt(&mut self) {
        self.interrupting = true;
    }

    /// Returns the lines of the log without their time.
    pub fn lines(&self) -> Vec<&str> {
        self.log.iter().map(|(_, line)| line.as_str()).collect()
    }

    fn id(&mut self) -> u32 {
        self.made += 1;
        self.made
    }

    /// Counts a reading of the clock or a sleep of zero length. Returns whether time has to pass.
    fn polls(&mut self) -> bool {
        self.reads += 1;
        self.reads >= READS
    }

    fn note(&mut self, line: String) {
        self.log.push((self.now(), line));
    }

    fn wake(&mut self, task: TaskId, generation: u32, wake: Wake) -> bool {
        let blocked = self.tasks.get(&task) == Some(&State::Blocked { generation });
        if blocked {
            self.tasks.insert(task, State::Running { revoked: false });
            self.work.push_back(Work::Resume(task, wake));
        }
        blocked
    }

    fn runs(&self) -> bool {
        self.tasks.values().any(|s| matches!(s, State::Running { .. }))
    }

    /// Removes the timers of tasks that were woken otherwise: they neither advance the clock nor keep the run alive.
    fn forget_dead(&mut self) {
        while let Some(entry) = self.timers.first_entry()
            && let Due::Wake(task, generation) = *entry.get()
            && self.tasks.get(&task) != Some(&State::Blocked { generation })
        {
            entry.remove();
        }
    }

    /// Queues the work of timers that are due. In virtual time the clock jumps to the next timer.
    fn fire(&mut self) -> bool {
        self.forget_dead();
        let Some((&(at, _), _)) = self.timers.first_key_value() else { return false };
        if self.is_virtual {
            self.now = self.now.max(at);
        } else if at > self.now() {
            return false;
        }
        while let Some(entry) = self.timers.first_entry()
            && entry.key().0 <= at
        {
            match entry.remove() {
                Due::Wake(task, generation) => {
                    self.wake(task, generation, Wake::TimedOut);
                }
                Due::Run(callback, period) => {
                    self.push(Order::Deliver { callback, args: Vec::new() });
                    if let Some(period) = period {
                        let id = self.id();
                        self.timers.insert((at + Time(period), id), Due::Run(callback, Some(period)));
                    }
                }
            }
        }
        true
    }
}

impl Scheduler for Model {
    fn next(&mut self) -> Next {
        loop {
            if self.over {
                return Next::Ended;
            }
            match self.work.pop_front() {
                Some(Work::Order(order)) => {
                    let task = TaskId(self.id());
                    self.tasks.insert(task, State::Running { revoked: false });
                    return Next::Job(Job { task, order });
                }
                Some(Work::Resume(task, wake)) => return Next::Resume(task, wake),
                None if self.gave_up => self.over = true,
                None if self.fire() => {}
                None if self.runs() || self.timers.first_key_value().is_some() => {
                    return Next::Wait(self.timers.first_key_value().map(|((at, _), _)| *at));
                }
                None => {
                    self.stuck = self.tasks.keys().copied().collect();
                    self.over = true;
                }
            }
        }
    }

    fn request(&mut self, task: TaskId, request: Request) -> Answer {
        if let Request::Returned(_) | Request::Raised(_) = request {
            self.tasks.remove(&task);
        } else if self.gave_up {
            return Answer::Interrupted;
        }
        match request {
            Request::Raised(error) => self.note(format!("raised {error}")),
            Request::Uncaught { error, .. } => self.note(format!("uncaught {error}")),
            Request::Block { until, .. } => {
                let generation = self.id();
                self.tasks.insert(task, State::Blocked { generation });
                if let Some(mut at) = until {
                    if self.is_virtual && at <= self.now() && self.polls() {
                        self.reads = 0;
                        at = self.now() + Time::from_millis(1);
                    }
                    self.timers.insert((at, generation), Due::Wake(task, generation));
                }
                return Answer::Blocked(generation);
            }
            Request::Unblock { task, generation } => {
                return Answer::Flag(self.wake(task, generation, Wake::Notified));
            }
            Request::Spawn { callback } => self.push(Order::Deliver { callback, args: Vec::new() }),
            Request::After { callback, delay, period } => {
                let id = self.id();
                self.timers.insert((self.now() + Time(delay), id), Due::Run(callback, period));
                return Answer::Timer(TimerId(id));
            }
            Request::CancelTimer(TimerId(id)) => {
                let before = self.timers.len();
                self.timers.retain(|(_, other), _| *other != id);
                return Answer::Flag(self.timers.len() < before);
            }
            Request::Now => {
                return if self.is_virtual && self.polls() { Answer::Yield } else { Answer::Time(self.now()) };
            }
            Request::Log { text, level, .. } => self.note(format!("{}: {text}", LogLevel::name(level))),
            Request::Print { text, .. } => self.note(text.trim_end().to_owned()),
            Request::Output { name, value, .. } => match &mut self.route {
                Some(route) => {
                    let orders = route(&name, value);
                    self.work.extend(orders.into_iter().map(Work::Order));
                }
                None => self.note(format!("{name} {value}")),
            },
            Request::NotDeterministic(why) => self.not_deterministic.push(why.to_string()),
            Request::Call(call) => return Answer::Error(format!("Cannot find service: {}", call.service)),
            _ => {}
        }
        Answer::Done
    }

    fn now(&self) -> Time {
        if self.is_virtual { self.now } else { Time::ZERO + self.start.elapsed() }
    }

    fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    fn revoke(&mut self, task: TaskId) {
        if let Some(State::Running { revoked }) = self.tasks.get_mut(&task) {
            *revoked = true;
            self.not_deterministic.push("a script was not waited for".to_owned());
        }
    }

    fn pass_by(&mut self) {
        let revoked = |s: &State| matches!(s, State::Running { revoked: true });
        self.tasks.retain(|_, state| !revoked(state));
    }

    fn interrupting(&self) -> bool {
        self.interrupting
    }

    fn stopping(&self) -> bool {
        false
    }

    fn give_up(&mut self) {
        self.gave_up = true;
        self.timers.clear();
        let blocked: Vec<_> = self.tasks.iter().filter(|(_, s)| matches!(s, State::Blocked { .. })).collect();
        let blocked: Vec<_> = blocked.into_iter().map(|(t, _)| *t).collect();
        if !self.over {
            for task in blocked {
                self.tasks.insert(task, State::Running { revoked: false });
                self.work.push_back(Work::Resume(task, Wake::Interrupted));
            }
        }
    }

    fn scripts_died(&mut self, why: &str) {
        self.note(why.to_owned());
        self.give_up();
    }

    fn tasks(&self) -> Vec<(TaskId, String, bool)> {
        self.tasks
            .iter()
            .map(|(task, state)| (*task, "a script".to_owned(), matches!(state, State::Blocked { .. })))
            .collect()
    }
}
