//! Runs small behaviors with scripts written as lists of actions, and keeps their trace in memory.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses its part")]

mod lines;
mod robot;
mod scripts;
mod words;
mod xml;

pub use lines::*;
pub use robot::Robot;
pub use scripts::*;
#[allow(unused_imports, reason = "not every test needs them")]
pub use words::word;
#[allow(unused_imports, reason = "not every test reads XML")]
pub use xml::*;

use boxstep_engine::config::{BehaviorSource, ClockKind, Config, Control, Library};
use boxstep_engine::native::NativeFactory;
use boxstep_engine::protocol::{Frame, Next, ObjectId, Scheduler, TaskId};
use boxstep_engine::trace::{Footer, Header, Sink};
use boxstep_engine::{ClassId, Engine};
use boxstep_format::{Limits, read_xar};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A run of one behavior.
pub struct Run {
    pub engine: Engine,
    scripts: Scripts,
    lines: Lines,
    objects: BTreeMap<ObjectId, String>,
    names: BTreeMap<ObjectId, Arc<str>>,
    /// The texts of compiled scripts, and by what name an object's script is known.
    texts: BTreeMap<ClassId, Arc<str>>,
    scripted: BTreeMap<ObjectId, String>,
    /// Modules: the file, its name, and who imports it.
    pub modules: Vec<(&'static str, &'static str, &'static str)>,
    tasks: BTreeMap<TaskId, Running>,
    /// (fewer) steps after which the run is cut, for behaviors that never end.
    pub steps: usize,
    /// Scripts that spin.
    spinning: usize,
    /// In real time: what the machine's clock says.
    pub clock: Option<Arc<AtomicI64>>,
    /// By how many seconds the host wakes up too late.
    pub late: f64,
    /// A method that does what it does the first time only.
    pub once: Option<(&'static str, &'static str)>,
    /// How often before that a constructor does nothing.
    pub passes: usize,
}

/// What an engine that is held does.
pub enum Peek {
    Works,
    Waits,
}

impl Run {
    /// Reads a behavior from XML; panics if it does not read.
    pub fn new(xml: &str, scripts: Scripts) -> Self {
        Self::with(xml, scripts, Robot::default(), Config::default())
    }

    pub fn with(xml: &str, scripts: Scripts, robot: Robot, config: Config) -> Self {
        Self::among(xml, &[], scripts, robot, config)
    }

    /// A behavior that can start others by name.
    pub fn among(xml: &str, others: &[(&'static str, &str)], scripts: Scripts, robot: Robot, config: Config) -> Self {
        let lines = Lines::default();
        let others: Vec<_> = others.iter().map(|(name, xml)| (*name, source(name, xml))).collect();
        let sinks: Vec<Box<dyn Sink>> = vec![Box::new(lines.clone())];
        let mut run = Self::told(source("test", xml), others, scripts, robot, config, sinks, None);
        run.lines = lines;
        run
    }

    /// The same with native boxes.
    pub fn with_natives(
        xml: &str,
        scripts: Scripts,
        robot: Robot,
        config: Config,
        natives: Box<dyn NativeFactory>,
    ) -> Self {
        Self::into_lines(xml, scripts, robot, config, natives, Lines::default())
    }

    /// The same, keeping only what scripts log.
    pub fn with_natives_quietly(
        xml: &str,
        scripts: Scripts,
        robot: Robot,
        config: Config,
        natives: Box<dyn NativeFactory>,
    ) -> Self {
        Self::into_lines(xml, scripts, robot, config, natives, Lines { logs_only: true, ..Lines::default() })
    }

    fn into_lines(
        xml: &str,
        scripts: Scripts,
        robot: Robot,
        config: Config,
        natives: Box<dyn NativeFactory>,
        lines: Lines,
    ) -> Self {
        let (behavior, sinks): (_, Vec<Box<dyn Sink>>) = (source("test", xml), vec![Box::new(lines.clone())]);
        let run = Self::told(behavior, Vec::new(), scripts, robot, config, sinks, Some(natives));
        Self { lines, ..run }
    }

    /// The same with listeners and native boxes of the caller's; the run keeps no lines itself.
    pub fn told(
        behavior: BehaviorSource,
        others: Vec<(&'static str, BehaviorSource)>,
        scripts: Scripts,
        robot: Robot,
        config: Config,
        sinks: Vec<Box<dyn Sink>>,
        natives: Option<Box<dyn NativeFactory>>,
    ) -> Self {
        let header = header(ClockKind::Virtual);
        let library = Shelf(others.into_iter().collect());
        let mut engine = Engine::new(config, Box::new(robot), Box::new(library), &header, sinks);
        if let Some(natives) = natives {
            engine.set_natives(natives);
        }
        engine.play(behavior).unwrap();
        Self {
            engine,
            scripts,
            lines: Lines::default(),
            objects: BTreeMap::new(),
            names: BTreeMap::new(),
            texts: BTreeMap::new(),
            scripted: BTreeMap::new(),
            modules: Vec::new(),
            tasks: BTreeMap::new(),
            steps: 100_000,
            spinning: 0,
            clock: None,
            late: 0.0,
            once: None,
            passes: 0,
        }
    }

    /// The same in real time: when the engine waits, the machine's clock is put forward.
    pub fn in_real_time(xml: &str, scripts: Scripts, robot: Robot, config: Config) -> Self {
        Self::with(xml, scripts, robot, Config { clock: ClockKind::Real, ..config }).clocked()
    }

    /// Puts the machine's clock forward when the engine waits.
    pub fn clocked(self) -> Self {
        let mut run = self;
        let clock = Arc::new(AtomicI64::new(0));
        let read = clock.clone();
        run.engine.set_machine_clock(move || Time(read.load(Ordering::Relaxed)));
        run.clock = Some(clock);
        run
    }

    /// Raises a memory event at a time.
    pub fn event(mut self, at: f64, key: &str, value: Value) -> Self {
        let control = Control::Event { key: key.to_owned(), value };
        self.engine.control(Time::from_secs_f64(at), control).unwrap();
        self
    }

    pub fn control(mut self, at: f64, control: Control) -> Self {
        self.engine.control(Time::from_secs_f64(at), control).unwrap();
        self
    }

    /// At a time of the run's clock, also while the behavior loads.
    pub fn control_by_clock(mut self, at: f64, control: Control) -> Self {
        self.engine.control_again(Time::from_secs_f64(at), control).unwrap();
        self
    }

    /// The trace's lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lines()
    }

    /// Runs to the end; gives the trace's lines and its last word.
    pub fn finish(mut self) -> (Vec<String>, Footer) {
        self.run_on()
    }

    /// The same; the engine can be looked at afterwards.
    pub fn run_on(&mut self) -> (Vec<String>, Footer) {
        let footer = self.ends();
        (self.lines.lines(), footer)
    }

    /// Runs to the end; gives the last word.
    pub fn ends(&mut self) -> Footer {
        for _ in 0..self.steps {
            if self.step() {
                return self.engine.outcome().unwrap().clone();
            }
        }
        panic!("does not end");
    }

    /// The line of the event that caused the first one with this line.
    pub fn cause_of(&self, line: &str) -> Option<String> {
        let kept = self.lines.kept.lock().unwrap();
        let at = kept.lines.iter().position(|l| l == line)?;
        Some(kept.lines[(kept.causes[at] as usize).checked_sub(1)?].clone())
    }

    /// Does what the engine wants next, if it is held.
    pub fn peek(&mut self) -> Peek {
        let next = self.engine.next();
        if matches!(next, Next::Wait(None)) {
            return Peek::Waits;
        }
        self.does(next);
        Peek::Works
    }

    /// The script object of a box.
    pub fn object(&self, name: &str) -> ObjectId {
        *self.objects.iter().find(|(_, n)| *n == name).unwrap().0
    }

    /// The trace so far.
    pub fn seen(&self) -> Vec<String> {
        self.lines.kept.lock().unwrap().lines.clone()
    }

    /// Does what the engine wants next. True at the end.
    pub fn step(&mut self) -> bool {
        let next = self.engine.next();
        let ended = matches!(next, Next::Ended);
        self.does(next);
        ended
    }

    /// Does what the engine wants.
    pub fn does(&mut self, next: Next) {
        match next {
            Next::Ended => {}
            Next::Job(job) => self.job(job.task, job.order),
            Next::Resume(task, wake) => self.resume(task, wake),
            // Only for scripts that spin, and only until the host has had enough of them.
            Next::Wait(None) if self.spinning > 0 => {
                self.spinning = 0;
                self.engine.pass_by();
            }
            Next::Wait(until) => {
                let clock = self.clock.as_ref().expect("waits in virtual time");
                let until = until.expect("waits for ever") + Time::from_secs_f64(self.late);
                let left = until.0 - self.engine.now().0;
                clock.fetch_add(left.max(0), Ordering::Relaxed);
            }
        }
    }
}

pub fn frame(n: i64) -> Frame {
    Frame::Number(n)
}

/// Behaviors by name.
struct Shelf(BTreeMap<&'static str, BehaviorSource>);

impl Library for Shelf {
    fn names(&self) -> Vec<String> {
        self.0.keys().map(ToString::to_string).collect()
    }
    fn open(&mut self, name: &str) -> Option<Result<BehaviorSource, String>> {
        self.0.get(name).cloned().map(Ok)
    }
}

/// The first line of a trace that says nothing.
pub fn header(clock: ClockKind) -> Header {
    Header { product: "test".to_owned(), body: "nao".to_owned(), ..Header::new(clock) }
}

pub fn source(name: &str, xml: &str) -> BehaviorSource {
    let file = read_xar("test.xar", xml.as_bytes(), &Limits::default()).unwrap();
    BehaviorSource {
        name: name.into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/behavior".into(),
        relative_folder: "test".to_owned(),
        package_uid: "uid".to_owned(),
    }
}
