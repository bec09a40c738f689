//! Runs small behaviors with scripts written as lists of actions, and keeps their trace in memory.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses its part")]

mod robot;
mod xml;

pub use robot::Robot;
#[allow(unused_imports, reason = "not every test reads XML")]
pub use xml::*;

use boxstep_engine::config::{BehaviorSource, ClockKind, Config, Control, Library};
use boxstep_engine::door::{
    Answer, BlockedOn, Caller, Frame, Next, ObjectId, Order, Request, Scheduler, ScriptError, ServiceRequest, TaskId,
    TimelineCommand, Wake,
};
use boxstep_engine::native::NativeFactory;
use boxstep_engine::trace::{Claimed, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_engine::{CallbackId, ClassId, Engine};
use boxstep_format::{Limits, read_xar};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

/// What a script method does, step by step.
#[derive(Clone, Debug)]
pub enum Do {
    /// `self.name(value)`
    Out(&'static str, Value),
    /// `time.sleep(seconds)`
    Sleep(f64),
    /// Wait for ever on a lock.
    Hang,
    /// Go on for ever without waiting: the host takes its turn from it.
    Spin,
    /// Compute for ever, in real time beside the others.
    Busy,
    /// `raise Exception`
    Raise,
    /// A service call that is awaited.
    Call(&'static str, &'static str, Vec<Value>),
    /// `self.getTimeline()` / `self.getParentTimeline()`
    Timeline(bool, TimelineCommand),
    /// Log a line.
    Log(&'static str),
    /// Log a parameter's value.
    LogParameter(&'static str),
    /// Log the value the method was called with.
    LogValue,
    /// `self.setParameter(name, value)`
    Set(&'static str, Value),
    /// A function that runs again and again: seconds to the first time, seconds between.
    Every(f64, f64),
    /// `ALMemory.subscribeToEvent(key, self.getName(), method)`
    Hear(&'static str, &'static str),
    /// A call of ALResourceManager; its answer is logged. [`ME`] among the arguments is `self.getName()`.
    Manage(&'static str, Vec<Value>),
    /// One of the functions that box scripts inherit (`self.waitResources()` …); its answer is logged.
    Own(&'static str, Vec<Value>),
}

/// Stands for `self.getName()`.
pub const ME: &str = "@me";

/// How a script text begins that does not compile: its third line is wrong.
pub const BROKEN: &str = "broken";

pub use Do::*;

/// Scripts: (box name, method) → actions.
pub type Scripts = BTreeMap<(&'static str, &'static str), Vec<Do>>;

/// Lines of a trace, shortened: `root/A input onStart`.
#[derive(Clone, Default)]
pub struct Lines {
    kept: Arc<Mutex<Kept>>,
    logs_only: bool,
}

#[derive(Default)]
struct Kept {
    lines: Vec<String>,
    causes: Vec<u64>,
}

impl Lines {
    pub fn lines(&self) -> Vec<String> {
        self.kept.lock().unwrap().lines.clone()
    }
}

impl Sink for Lines {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut kept = self.kept.lock().unwrap();
        for e in events.iter().filter(|e| !self.logs_only || matches!(e.kind, Kind::Log(..))) {
            let path = paths.text(e.path);
            let what = match &e.kind {
                Kind::Behavior(what, _) => format!("behavior {what}"),
                Kind::BehaviorFailed(..) => "behavior failed".to_owned(),
                Kind::Box(phase) => (*phase).to_owned(),
                Kind::Diagram(what, None) => format!("diagram {what}"),
                Kind::Diagram(what, Some(at)) => format!("diagram {}:{} {what}", at.layer, at.keyframe),
                Kind::Input(port, v) => format!("> {} {v}", paths.port(*port)),
                Kind::Output(port, v) => format!("< {} {v}", paths.port(*port)),
                Kind::Dropped(port, v, why) => format!("dropped {} {v}: {why}", paths.port(*port)),
                Kind::Parameter(name, v) => format!("parameter {} = {v}", paths.port(*name)),
                Kind::Call(m) => format!("call {m}"),
                Kind::Returned(m) => format!("returned {m}"),
                Kind::Raised(m, _) => format!("raised {m}"),
                Kind::Abandoned(m) => format!("abandoned {m}"),
                Kind::Timeline(what, f) => format!("timeline {what} {f}"),
                Kind::Service(asked) => format!("{}.{}", asked.service, asked.method),
                Kind::ServiceDone(done) => format!("{}.{} done", done.service, done.method),
                Kind::Log(_, text, _) => format!("log {text}"),
                Kind::Control(what, _) => format!("control {what}"),
                Kind::Resource(claimed) => {
                    let Claimed { what, name, owner, others } = &**claimed;
                    let owner = owner.as_ref().map(|o| format!(" by {o}")).unwrap_or_default();
                    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
                    format!("resource {name} {what}{owner}{others}")
                }
                Kind::Reload(r) => format!("reload {}: {}", r.phase, r.text),
                other => format!("{other:?}"),
            };
            kept.lines.push(format!("{} {path} {what}", e.t));
            kept.causes.push(e.cause);
        }
    }
    fn end(&mut self, _: &Footer) {}
}

impl Lines {
    /// The lines of a run that is stopped for this.
    pub fn all(&self, engine: &mut Engine) -> Vec<String> {
        engine.end().unwrap();
        self.kept.lock().unwrap().lines.clone()
    }
}

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
    clock: Option<Arc<AtomicI64>>,
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

struct Running {
    object: ObjectId,
    value: Value,
    rest: VecDeque<Do>,
    result: Value,
    /// The method whose answer is awaited, to be logged.
    asks: Option<&'static str>,
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
        let header = Header {
            product: "test".to_owned(),
            files: Vec::new(),
            body: "nao".to_owned(),
            clock: "virtual",
            seed: 0,
            epoch: 0,
            parameters: Vec::new(),
            options: Vec::new(),
            started: None,
        };
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
                clock.fetch_max(until.0, Ordering::Relaxed);
            }
        }
    }

    fn job(&mut self, task: TaskId, order: Order) {
        match order {
            Order::Load { source, .. } if source.text.starts_with(BROKEN) => {
                let (kind, message) = ("SyntaxError".into(), "invalid syntax".into());
                let error = ScriptError { kind, message, line: Some(3), traceback: "".into() };
                self.engine.request(task, Request::Raised(error));
            }
            Order::Load { class, source } => {
                self.texts.insert(class, source.text.clone());
                self.engine.request(task, Request::Returned(Value::Null));
            }
            Order::Forget { files } => {
                let gone: Vec<_> = self.modules.iter().filter(|(file, ..)| files.iter().any(|f| f == file)).collect();
                let names = gone.iter().map(|(_, name, _)| Value::from(*name));
                let uses = |box_name: &String| gone.iter().any(|(.., user)| user == box_name);
                let users =
                    self.objects.iter().filter(|(_, name)| uses(name)).map(|(o, _)| Value::from(i64::from(o.0)));
                let broken = files.iter().filter(|file| file.ends_with("broken.py"));
                let refused = broken.map(|file| Value::from(format!("{file}:3: SyntaxError: invalid syntax")));
                let answer = Value::list([Value::list(names), Value::list(users), Value::list(refused)]);
                self.engine.request(task, Request::Returned(answer));
            }
            Order::Construct { object, class, info } => {
                let box_name = info.box_name.to_string();
                let text = self.texts.get(&class).map_or("", |text| &**text);
                // A text that stands among the scripts is that script, whichever box has it.
                let known = self.scripts.keys().any(|(b, _)| *b == text);
                let name = if known { text.to_owned() } else { box_name.clone() };
                self.scripted.insert(object, name.clone());
                let methods = self.scripts.keys().filter(|(b, _)| *b == name).map(|(_, m)| Value::from(*m));
                let methods = Value::list(methods);
                let init = self.scripts.iter().find(|((b, m), _)| *b == name && *m == "__init__");
                let mut rest = init.map(|(_, a)| a.clone()).unwrap_or_default();
                if let Some(once) = self.once.filter(|o| o.0 == name && o.1 == "__init__") {
                    if self.passes > 0 {
                        self.passes -= 1;
                        rest.clear();
                    } else {
                        self.scripts.insert(once, Vec::new());
                    }
                }
                self.objects.insert(object, box_name);
                self.names.insert(object, info.full_name.clone());
                self.tasks.insert(
                    task,
                    Running { object, value: Value::Null, rest: rest.into(), result: methods, asks: None },
                );
                self.go(task);
            }
            Order::Call { object, method, args } => {
                let name = self.scripted.get(&object).map_or("", String::as_str);
                let found = self.scripts.iter().find(|((b, m), _)| *b == name && **m == *method);
                let rest = found.map(|(_, a)| a.clone()).unwrap_or_default().into();
                let value = match args {
                    boxstep_engine::door::Args::Hook(v) => v,
                    boxstep_engine::door::Args::UpTo(v) => Value::List(v.into()),
                };
                if let Some(once) = self.once.filter(|o| o.0 == name && *o.1 == *method) {
                    self.scripts.insert(once, Vec::new());
                }
                self.tasks.insert(task, Running { object, value, rest, result: Value::Null, asks: None });
                self.go(task);
            }
            Order::Drop { object } => {
                self.objects.remove(&object);
                self.scripted.remove(&object);
                self.names.remove(&object);
                self.engine.request(task, Request::Returned(Value::Null));
            }
            _ => {
                self.engine.request(task, Request::Returned(Value::Null));
            }
        }
    }

    fn resume(&mut self, task: TaskId, wake: Wake) {
        let asks = self.tasks.get_mut(&task).and_then(|t| t.asks.take().map(|asks| (asks, t.object)));
        if let Some((asks, object)) = asks.filter(|_| wake != Wake::Interrupted) {
            let answer = match wake {
                Wake::Returned(value) => value.to_string(),
                other => format!("{other:?}"),
            };
            self.log(task, object, format!("{asks}: {answer}"));
            return self.go(task);
        }
        match wake {
            Wake::Interrupted => self.raise(task, "Stopped"),
            Wake::Failed(_) => self.raise(task, "RuntimeError"),
            _ => self.go(task),
        }
    }

    fn raise(&mut self, task: TaskId, kind: &str) {
        self.tasks.remove(&task);
        let error = ScriptError { kind: kind.into(), message: "x".into(), line: Some(1), traceback: "".into() };
        self.engine.request(task, Request::Raised(error));
    }

    fn log(&mut self, task: TaskId, object: ObjectId, text: String) {
        let from = Caller { object: Some(object), line: 1 };
        let level = boxstep_engine::door::LogLevel::Info;
        self.engine.request(task, Request::Log { from, level, text: text.into() });
    }

    fn go(&mut self, task: TaskId) {
        loop {
            let Some(running) = self.tasks.get_mut(&task) else { return };
            let (object, value) = (running.object, running.value.clone());
            let from = Caller { object: Some(object), line: 1 };
            let me = Value::Str(self.names.get(&object).cloned().unwrap_or_default());
            let log =
                |text: String| Request::Log { from, level: boxstep_engine::door::LogLevel::Info, text: text.into() };
            let Some(action) = running.rest.pop_front() else {
                let result = self.tasks.remove(&task).map(|r| r.result).unwrap_or_default();
                self.engine.request(task, Request::Returned(result));
                return;
            };
            let asked = match &action {
                Manage(method, _) | Own(method, _) => Some(*method),
                _ => None,
            };
            let request = match action {
                Manage(method, args) => {
                    let args = args.iter().map(|a| if a.as_str() == Some(ME) { me.clone() } else { a.clone() });
                    let (service, args) = ("ALResourceManager".into(), args.collect());
                    Request::Call(ServiceRequest { from, service, method: method.into(), args })
                }
                Own(method, args) => {
                    let args = std::iter::once(me.clone()).chain(args).collect();
                    let service = "ALBoxstep".into();
                    Request::Call(ServiceRequest { from, service, method: method.into(), args })
                }
                Out(name, value) => Request::Output { object, name: name.into(), value },
                Sleep(s) => {
                    let until = self.engine.now() + Time::from_secs_f64(s);
                    Request::Block { until: Some(until), on: BlockedOn::Sleep }
                }
                Hang => Request::Block { until: None, on: BlockedOn::Lock },
                Spin => {
                    self.spinning += 1;
                    return self.engine.revoke(task);
                }
                Busy => return,
                Raise => return self.raise(task, "ValueError"),
                Call(service, method, args) => {
                    let (service, method) = (service.into(), method.into());
                    Request::Call(ServiceRequest { from, service, method, args })
                }
                Timeline(parent, command) => Request::Timeline { object, parent, command },
                Log(text) => log(text.to_owned()),
                LogValue => log(value.to_string()),
                LogParameter(name) => {
                    let answer = self.engine.request(task, Request::GetParameter { object, name: name.into() });
                    log(match answer {
                        Answer::Value(v) => v.to_string(),
                        other => format!("{other:?}"),
                    })
                }
                Set(name, value) => Request::SetParameter { object, name: name.into(), value },
                Every(delay, period) => Request::After {
                    callback: CallbackId(0),
                    delay: Time::from_secs_f64(delay).0,
                    period: Some(Time::from_secs_f64(period).0),
                },
                Hear(key, method) => {
                    let args = vec![
                        key.into(),
                        Value::Str(self.names.get(&object).cloned().unwrap_or_default()),
                        method.into(),
                    ];
                    let (service, method) = ("ALMemory".into(), "subscribeToEvent".into());
                    Request::Call(ServiceRequest { from, service, method, args })
                }
            };
            let asks = match &request {
                Request::Call(call) if matches!(&*call.service, "ALResourceManager" | "ALBoxstep") => asked,
                _ => None,
            };
            match (self.engine.request(task, request), asks) {
                (Answer::Blocked(_), Some(asks)) => {
                    self.tasks.entry(task).and_modify(|t| t.asks = Some(asks));
                    return;
                }
                (Answer::Interrupted, Some(_)) => return self.raise(task, "Stopped"),
                (answer, Some(asks)) => {
                    let answer = match answer {
                        Answer::Value(value) => value.to_string(),
                        other => format!("{other:?}"),
                    };
                    self.log(task, object, format!("{asks}: {answer}"));
                    continue;
                }
                (answer, None) => match answer {
                    Answer::Blocked(_) => return,
                    Answer::Interrupted => return self.raise(task, "Stopped"),
                    Answer::Error(_) => return self.raise(task, "RuntimeError"),
                    _ => {}
                },
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

/// Only the lines that contain one of the words.
pub fn only(lines: &[String], words: &[&str]) -> Vec<String> {
    lines.iter().filter(|l| words.iter().any(|w| l.contains(w))).cloned().collect()
}
