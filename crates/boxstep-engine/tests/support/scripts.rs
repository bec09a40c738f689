//! Scripts as lists of actions, and the host that carries them out.

use super::Run;
use boxstep_engine::CallbackId;
use boxstep_engine::protocol::{
    Answer, Args, BlockedOn, Caller, LogLevel, ObjectId, Order, Request, Scheduler as _, ScriptError, ServiceRequest,
    TaskId, TimelineCommand, Wake,
};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, VecDeque};

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
    /// `while True: time.sleep(0)`; whoever does not heed goes on whatever it is told.
    Poll { heeds: bool },
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

/// A call of a script that is under way.
pub(super) struct Running {
    object: ObjectId,
    value: Value,
    rest: VecDeque<Do>,
    result: Value,
    /// The method whose answer is awaited, to be logged.
    asks: Option<&'static str>,
}

impl Run {
    pub(super) fn job(&mut self, task: TaskId, order: Order) {
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
                    Args::Hook(v) => v,
                    Args::UpTo(v) => Value::List(v.into()),
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

    pub(super) fn resume(&mut self, task: TaskId, wake: Wake) {
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
        let level = LogLevel::Info;
        self.engine.request(task, Request::Log { from, level, text: text.into() });
    }

    fn go(&mut self, task: TaskId) {
        loop {
            let Some(running) = self.tasks.get_mut(&task) else { return };
            let (object, value) = (running.object, running.value.clone());
            let from = Caller { object: Some(object), line: 1 };
            let me = Value::Str(self.names.get(&object).cloned().unwrap_or_default());
            let log = |text: String| Request::Log { from, level: LogLevel::Info, text: text.into() };
            let Some(action) = running.rest.pop_front() else {
                let result = self.tasks.remove(&task).map(|r| r.result).unwrap_or_default();
                self.engine.request(task, Request::Returned(result));
                return;
            };
            let asked = match &action {
                Manage(method, _) | Own(method, _) => Some(*method),
                _ => None,
            };
            let request = match action.clone() {
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
                Poll { .. } => {
                    running.rest.push_front(action.clone());
                    Request::Block { until: Some(self.engine.now()), on: BlockedOn::Sleep }
                }
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
                    // The host takes its turn from who does not even end when all is stopped.
                    Answer::Error(_) if matches!(action, Poll { heeds: false }) && self.engine.stopping() => {
                        self.spinning += 1;
                        return self.engine.revoke(task);
                    }
                    Answer::Error(_) if matches!(action, Poll { heeds: false }) => {}
                    Answer::Error(_) => return self.raise(task, "RuntimeError"),
                    _ => {}
                },
            }
        }
    }
}
