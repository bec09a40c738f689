//! Behaviors whose hooks run in a script host, that is, in Python.
//!
//! The engine runs scripts as tasks and cannot wait for one in the middle of its own work. A runner that has such
//! behaviors therefore ticks on its own thread, and always exactly one of the two threads works: the runner's until it
//! has to call a hook, then the engine's, with the tick halfway through, until the hook sends a request or returns.
//! `hooks.rs` is the engine's side.

use super::{
    Behavior, BehaviorId, BehaviorRunner, Control, DeferredCall, DeferredCalls, Delegates, End, Happened, Progress,
    Refusal, Runner, Ticket, Wants, WhyNot,
};
use crate::protocol::ScriptError;
use crate::services::Topic;
use crate::trace::Request;
use boxstep_types::{Time, Value};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A command to the thread of a runner.
pub(crate) enum Go {
    /// Tick the runner at this time.
    Tick(Box<Runner>, Time),
    /// Stop the runner by this time.
    Stop(Box<Runner>, Time),
    /// Answer a request of the running hook: its name and its arguments.
    Ask(Arc<str>, Vec<Value>),
    /// The hook returned this result.
    Returned(Result<Value, ScriptError>),
}

/// The reply of a runner's thread to a command.
pub(super) enum Came {
    /// The engine must call this hook.
    Call(HookCall),
    /// The answer to the hook's request.
    Answer(Value),
    /// The command is complete; or scripts could not be loaded, with the error.
    Over(Box<Runner>, Option<ScriptError>),
    /// The thread panicked.
    Panicked(Box<dyn std::any::Any + Send>),
}

/// A call of a function of the script host.
pub(super) struct HookCall {
    /// The behavior whose hook is called, and its number in the host; `None` for a function that belongs to no
    /// behavior.
    pub(super) of: Option<(BehaviorId, u32)>,
    /// The name of the function, for messages.
    pub(super) what: Arc<str>,
    /// The arguments of the function.
    pub(super) args: Vec<Value>,
    /// The runner's events since the last call, and the number of the event among them that causes this call.
    pub(super) events: Vec<Happened>,
    pub(super) cause: u32,
}

struct Line {
    came: Sender<Came>,
    go: Receiver<Go>,
    deferred: DeferredCalls,
}

thread_local! {
    /// On a runner's thread: its connection to the engine.
    static LINE: RefCell<Option<Rc<Line>>> = const { RefCell::new(None) };
}

/// The stack size of a runner's thread, in bytes. Hooks nest as deep as behaviors delegate, and so do the calls.
const STACK: usize = 16 << 20;

/// Starts the thread of a runner, which ends when the sender of its commands is dropped. The host is first called with
/// `load`.
pub(super) fn start(
    load: Option<Vec<Value>>,
    deferred: DeferredCalls,
) -> std::io::Result<(Sender<Go>, Receiver<Came>)> {
    let ((go, told), (came, heard)) = (channel(), channel());
    let line = Line { came, go: told, deferred };
    std::thread::Builder::new().name("runner".to_owned()).stack_size(STACK).spawn(move || live(line, load))?;
    Ok((go, heard))
}

fn live(line: Line, mut load: Option<Vec<Value>>) {
    let line = Rc::new(line);
    LINE.set(Some(line.clone()));
    let mut begun = false;
    while let Ok(go) = line.go.recv() {
        let worked = catch_unwind(AssertUnwindSafe(|| match go {
            Go::Tick(mut runner, now) => {
                if !std::mem::replace(&mut begun, true) {
                    runner.set_now(now);
                    if let Err(error) = load.take().map_or(Ok(Value::Null), |load| call(None, None, "load", load)) {
                        return Some((runner, Some(error)));
                    }
                    runner.hosted();
                }
                runner.tick(now);
                Some((runner, None))
            }
            Go::Stop(mut runner, deadline) => {
                runner.stop_by(deadline);
                Some((runner, None))
            }
            // Without a running hook there are no requests and no returns.
            Go::Ask(..) | Go::Returned(_) => None,
        }));
        let came = match worked {
            Ok(Some((runner, error))) => Came::Over(runner, error),
            Ok(None) => continue,
            Err(panic) => Came::Panicked(panic),
        };
        if line.came.send(came).is_err() {
            return;
        }
    }
}

fn nobody() -> ScriptError {
    let why = "no scripts run on this thread";
    ScriptError {
        kind: "RuntimeError".into(),
        message: why.into(),
        line: None,
        traceback: format!("RuntimeError: {why}\n").into(),
    }
}

/// Has the host call a function, and answers the function's requests until it returns.
fn call(
    mut cx: Option<&mut Control<'_>>,
    number: Option<u32>,
    what: &str,
    args: Vec<Value>,
) -> Result<Value, ScriptError> {
    let Some(line) = LINE.with_borrow(Clone::clone) else { return Err(nobody()) };
    let (mut events, mut cause, mut of) = (Vec::new(), 0, None);
    if let Some(cx) = &mut cx {
        (events, cause) = cx.untold();
        of = number.map(|number| (cx.id(), number));
    }
    let call = HookCall { of, what: what.into(), args, events, cause };
    line.came.send(Came::Call(call)).map_err(|_| nobody())?;
    loop {
        match line.go.recv().map_err(|_| nobody())? {
            Go::Returned(result) => return result,
            Go::Ask(request, args) => {
                let answer = match &mut cx {
                    Some(cx) => answer(cx, &line.deferred, &request, &args),
                    // A condition cannot send requests that act.
                    None => refused(Refusal::Asking),
                };
                line.came.send(Came::Answer(answer)).map_err(|_| nobody())?;
            }
            Go::Tick(..) | Go::Stop(..) => {}
        }
    }
}

/// Calls a function of the script host that belongs to no behavior, such as a condition. It can only be called within a
/// tick of a runner that has scripts.
///
/// # Errors
/// The exception that the function raised; or no scripts run on this thread.
pub fn ask_scripts(what: &str, args: Vec<Value>) -> Result<Value, ScriptError> {
    call(None, None, what, args)
}

// ---- requests ----------------------------------------------------------------------------------

fn granted(value: impl Into<Value>) -> Value {
    Value::list([Value::from("ok"), value.into()])
}

fn refused(why: Refusal) -> Value {
    Value::list([Value::from("refused"), Value::from(format!("{why:?}")), Value::from(why.text())])
}

fn wrong(why: &str) -> Value {
    Value::list([Value::from("wrong"), Value::from(why)])
}

fn said<T: Into<Value>>(answer: Result<T, Refusal>) -> Value {
    answer.map_or_else(refused, granted)
}

/// Parses the topic from `[kind, name, name]`.
fn topic(args: &[Value]) -> Option<Topic> {
    match args {
        [Value::Str(kind), Value::Str(key), ..] if &**kind == "memory" => Some(Topic::Memory(key.clone())),
        [Value::Str(kind), Value::Str(service), Value::Str(signal)] if &**kind == "signal" => {
            Some(Topic::Signal(service.clone(), signal.clone()))
        }
        _ => None,
    }
}

fn ticket(ticket: Ticket) -> Value {
    Value::Int(i64::try_from(ticket.number()).unwrap_or(i64::MAX))
}

/// Answers a request of a running hook.
fn answer(cx: &mut Control<'_>, deferred: &DeferredCalls, request: &str, args: &[Value]) -> Value {
    match (request, args) {
        ("ask", [Value::Str(name)]) => match ask(cx, name) {
            Ok(Wants::Yes) => granted(Value::Null),
            Ok(Wants::No(why)) => granted(why_not(cx, why)),
            Err(why) => refused(why),
        },
        ("offer", [Value::Str(name), value]) => match ask(cx, name) {
            Ok(Wants::Yes) => delegate(cx, std::slice::from_ref(&Value::Str(name.clone())), value),
            Ok(Wants::No(_)) => granted(Value::Null),
            Err(why) => refused(why),
        },
        ("delegate", [Value::List(names), value]) => delegate(cx, names, value),
        ("cancel_delegates", []) => said(cx.cancel_delegates().map(|count| Value::Int(count as i64))),
        ("cancel_self", []) => said(cx.cancel_self().map(|()| Value::Null)),
        ("complete", [value]) => said(cx.complete(value.clone()).map(|()| Value::Null)),
        ("fail", [Value::Str(why)]) => said(cx.fail(why.clone()).map(|()| Value::Null)),
        ("is_control_delegated", []) => granted(cx.is_control_delegated()),
        ("can_delegate", []) => granted(cx.can_delegate()),
        ("is_active", []) => granted(cx.is_active()),
        ("is_in_scope", []) => granted(cx.is_in_scope()),
        ("has_waited", []) => granted(cx.has_waited()),
        // A hook that decides whether a behavior wants to run must not have effects.
        ("call" | "cancel" | "subscribe", _) if cx.hook() == super::Hook::Wants => refused(Refusal::Asking),
        ("call", [Value::Str(service), Value::Str(method), Value::List(args)]) => {
            let DeferredCall(number) = deferred.of(cx.id()).call(service, method, args.to_vec());
            granted(Value::Int(number as i64))
        }
        ("answer", [Value::Int(number)]) => granted(match deferred.answer(DeferredCall(number.unsigned_abs())) {
            Progress::Running => Value::list([Value::from("running"), Value::Null, Value::Null]),
            Progress::Done(value) => Value::list([Value::from("done"), value, Value::Null]),
            Progress::Failed(why) => Value::list([Value::from("failed"), Value::Null, Value::Str(why)]),
        }),
        ("cancel", [Value::Int(number)]) => {
            deferred.of(cx.id()).cancel(DeferredCall(number.unsigned_abs()));
            granted(Value::Null)
        }
        ("random", []) => granted(cx.random()),
        ("subscribe", args) => match topic(args) {
            Some(topic) => {
                cx.subscribe(topic);
                granted(Value::Null)
            }
            None => wrong("a subscription needs a key of the memory, or a service and its signal"),
        },
        ("latest", args) => match topic(args).and_then(|topic| cx.runner().topic(&topic)) {
            Some(topic) => granted(cx.latest(topic).cloned().unwrap_or_default()),
            None => granted(Value::Null),
        },
        _ => wrong(&format!("no request `{request}` with these arguments")),
    }
}

fn ask(cx: &mut Control<'_>, name: &str) -> Result<Wants, Refusal> {
    match cx.find(name) {
        Some(id) => cx.ask(id),
        None => Err(cx.unknown(Request::Ask)),
    }
}

/// Returns the reason as a word for scripts and as a text.
fn why_not(cx: &Control<'_>, why: WhyNot) -> Value {
    let (word, text) = match why {
        WhyNot::SaysNo => ("says_no", "it says no".to_owned()),
        WhyNot::Loading => ("loading", "it is loading".to_owned()),
        WhyNot::AlreadyActive => ("already_active", "it is active already".to_owned()),
        WhyNot::Taken(lock) => {
            let name = cx.runner().resources().get(lock as usize).cloned().unwrap_or_default();
            ("taken", format!("another one has {name}"))
        }
    };
    Value::list([Value::from(word), Value::from(text)])
}

fn delegate(cx: &mut Control<'_>, names: &[Value], value: &Value) -> Value {
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        match name.as_str().and_then(|name| cx.find(name)) {
            Some(id) => ids.push(id),
            None => return refused(cx.unknown(Request::Delegate)),
        }
    }
    match cx.delegate(&ids, value.clone()) {
        Ok(tickets) => granted(Value::list(tickets.iter().map(ticket))),
        Err(why) => refused(why),
    }
}

// ---- the behavior ------------------------------------------------------------------------------

/// A behavior whose hooks are methods of an object in a script host, an instance of `boxstep.Behavior`.
///
/// An exception in a hook fails the behavior, and is in the trace with its traceback. If the behavior is not active and
/// so cannot fail, it refuses activation until it enters scope again.
pub struct ScriptBehavior {
    number: u32,
    delegates: Vec<Arc<str>>,
    locks: Vec<Arc<str>>,
    /// The hooks that the object implements.
    hooks: Vec<Arc<str>>,
    /// Whether a hook has raised an exception.
    broken: Cell<bool>,
}

impl ScriptBehavior {
    /// Creates the behavior of the object with this number among those of its runner, with the names of all delegates
    /// that it may ever use.
    pub fn new(number: u32, delegates: Vec<Arc<str>>) -> Self {
        Self { number, delegates, locks: Vec::new(), hooks: Vec::new(), broken: Cell::new(false) }
    }

    /// Returns the same behavior with resources that it locks while it is active.
    #[must_use]
    pub fn locking(self, locks: Vec<Arc<str>>) -> Self {
        Self { locks, ..self }
    }

    fn call(&self, cx: &mut Control<'_>, hook: &str, args: Vec<Value>) -> Result<Value, ScriptError> {
        let mut all = vec![Value::Int(self.number.into()), Value::from(hook), Value::Float(cx.now().as_secs_f64())];
        all.extend(args);
        let number = self.number;
        call(Some(cx), Some(number), hook, all)
    }

    /// Calls a hook that the object implements. An exception fails the behavior if it is active.
    fn hook(&self, cx: &mut Control<'_>, hook: &str, args: impl FnOnce(&Control<'_>) -> Vec<Value>) -> Value {
        if self.broken.get() || !self.hooks.iter().any(|own| &**own == hook) {
            return Value::Null;
        }
        let args = args(cx);
        self.call(cx, hook, args).unwrap_or_else(|error| {
            self.raised(cx, hook, &error);
            Value::Null
        })
    }

    fn raised(&self, cx: &mut Control<'_>, hook: &str, error: &ScriptError) {
        if matches!(hook, "deactivated" | "left_scope") {
            return;
        }
        let fails = cx.is_active() && hook != "wants_to_be_activated";
        // The failure is refused only if the behavior is already ending.
        if !fails || cx.fail(error.to_string()).is_err() {
            self.broken.set(true);
        }
    }
}

/// Converts the end of a delegation to the value that scripts receive.
fn ended(cx: &Control<'_>, end: &End) -> Value {
    let (how, value, why) = match end {
        End::Done(value) => ("done", value.clone(), Value::Null),
        End::Failed(why) => ("failed", Value::Null, Value::Str(why.clone())),
        End::Cancelled(by) => ("cancelled", Value::Null, Value::Str(super::trace_events::by(cx.runner().names(), *by))),
    };
    Value::list([Value::from(how), value, why])
}

/// Converts the events since the last tick to the value that scripts receive.
fn events(cx: &Control<'_>) -> Value {
    let one = |input: &super::Input| {
        let (kind, key, signal) = match cx.runner().topic_of(input.topic) {
            Some(Topic::Memory(key)) => ("memory", key.clone(), Value::Null),
            Some(Topic::Signal(service, signal)) => ("signal", service.clone(), Value::Str(signal.clone())),
            None => ("memory", Arc::from(""), Value::Null),
        };
        let t = Value::Float(input.t.as_secs_f64());
        Value::list([Value::from(kind), Value::Str(key), signal, input.value.clone(), t])
    };
    Value::list(cx.events().map(one))
}

impl Behavior for ScriptBehavior {
    fn hosted(&mut self, cx: &mut Control<'_>) {
        match self.call(cx, "init", Vec::new()) {
            Ok(Value::List(hooks)) => {
                self.hooks = hooks.iter().filter_map(|hook| hook.as_str().map(Arc::from)).collect();
            }
            Ok(_) => {}
            Err(_) => self.broken.set(true),
        }
    }

    fn entered_scope(&mut self, cx: &mut Control<'_>) {
        // A behavior whose object could not be created has no hooks, and stays broken.
        if !self.hooks.is_empty() {
            self.broken.set(false);
        }
        self.hook(cx, "entered_scope", |_| Vec::new());
    }

    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        if self.broken.get() {
            // The root is not asked whether it wants to be activated.
            let _ = cx.fail("an exception was raised in one of its hooks");
            return;
        }
        self.hook(cx, "activated", |_| vec![value.clone()]);
    }

    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        self.hook(cx, "deactivated", |cx| vec![ended(cx, end)]);
    }

    fn left_scope(&mut self, cx: &mut Control<'_>) {
        self.hook(cx, "left_scope", |_| Vec::new());
    }

    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        let own = self.hooks.iter().any(|hook| &**hook == "wants_to_be_activated");
        let wants = !own || self.hook(cx, "wants_to_be_activated", |_| Vec::new()).truthy();
        wants && !self.broken.get()
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        self.hook(cx, "update", |cx| vec![events(cx)]);
    }

    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, of: Ticket, end: &End) {
        self.hook(cx, "on_delegate_ended", |cx| vec![ticket(of), ended(cx, end)]);
    }

    fn all_delegates(&self, all: &mut Delegates) {
        for name in &self.delegates {
            all.add(name.clone());
        }
        for name in &self.locks {
            all.lock(name.clone());
        }
    }
}
