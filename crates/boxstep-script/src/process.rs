//! Scripts in a helper process (`--scripts process`): a script that crashes or cannot be stopped ends the helper and
//! not the engine.
//!
//! The threads of this process are those of the [`scheduler`](crate::scheduler). Each thread that runs scripts has a
//! counterpart in the helper, with a connection of its own. An order goes over the connection, followed by requests
//! and replies until the order is done. So the engine sees the same requests in the same sequence as from an
//! interpreter in its own process, and in virtual time the trace is the same. `docs/inside/scripts.md` describes the
//! messages; the helper's side is `boxstep_runtime/remote*.py`.

mod capture;
mod link;
mod requests;
#[cfg(unix)]
#[path = "process/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "process/windows.rs"]
mod system;
mod wire;

use crate::options::Options;
use crate::scheduler::{EngineHandle, Interpreter, Usage, WorkerPool, worker_here};
use boxstep_engine::protocol::{Args, BoxInfo, Order, Scheduler, ScriptError};
use boxstep_engine::shared::{Host, Shared};
use boxstep_engine::{CallbackId, ObjectId, TaskId};
use boxstep_types::Value;
use capture::Outlet;
use link::{Link, lock};
use requests::Outcome;
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wire::Wire;

/// The functions of the program that drives the run, for callbacks that are [outside](CallbackId::is_outside). They
/// run in this process.
pub trait Functions: Send + Sync {
    /// Calls a function on the calling thread; [`engine_here`](crate::scheduler::engine_here) returns the run's engine
    /// there.
    ///
    /// # Errors
    /// The exception that the function raised.
    fn call(&self, function: CallbackId, args: &[Value]) -> Result<Value, ScriptError>;
}

/// A script host whose helper process has been started, or starts with the first script.
pub struct ProcessHost {
    remote: Remote,
    patience: Duration,
}

impl ProcessHost {
    /// Starts the helper, which sets itself up while the caller continues. The helper ends when the calling thread
    /// ends.
    ///
    /// `args` is what scripts find in `sys.argv`.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(python: PathBuf, args: Vec<OsString>, options: Options, is_virtual: bool) -> io::Result<Self> {
        Self::with_stand_in(python, args, options, is_virtual, None)
    }

    /// Like [`ProcessHost::start`], with another module (name and text) whose functions handle the engine's orders.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn with_stand_in(
        python: PathBuf,
        args: Vec<OsString>,
        options: Options,
        is_virtual: bool,
        stand_in: Option<(&str, &str)>,
    ) -> io::Result<Self> {
        let start = HelperStart::new(python, args, options.clone(), is_virtual, stand_in);
        let (link, wire) = start.link()?;
        Ok(Self::of(start, Some((link, wire)), None, options.patience))
    }

    /// Creates a host that starts its helper with the first script. Scripts and functions take turns as in any other
    /// host.
    pub fn on_demand(
        python: PathBuf,
        args: Vec<OsString>,
        options: Options,
        is_virtual: bool,
        functions: Arc<dyn Functions>,
    ) -> Self {
        let start = HelperStart::new(python, args, options.clone(), is_virtual, None);
        Self::of(start, None, Some(functions), options.patience)
    }

    fn of(
        start: HelperStart,
        helper: Option<(Arc<Link>, Wire)>,
        functions: Option<Arc<dyn Functions>>,
        patience: Duration,
    ) -> Self {
        let on_demand = helper.is_none();
        let (link, wire) = helper.unzip();
        let inner = ProcessInner {
            start,
            on_demand,
            functions,
            waiting: Mutex::new(wire),
            link: Mutex::new(link),
            mirrors: Mutex::default(),
            engine: Mutex::new(None),
            not_started: Mutex::new(None),
        };
        Self { remote: Remote(Arc::new(inner)), patience }
    }
}

impl HelperStart {
    fn new(
        python: PathBuf,
        args: Vec<OsString>,
        options: Options,
        is_virtual: bool,
        stand_in: Option<(&str, &str)>,
    ) -> Self {
        let sources = crate::python_sources().iter().copied().chain(stand_in);
        let sources: serde_json::Map<String, Json> =
            sources.map(|(name, text)| (name.to_owned(), Json::from(text))).collect();
        let module = stand_in.map_or("boxstep_runtime.host", |(name, _)| name);
        let table = Value::map(options.table(is_virtual));
        let hello = json!({ "options": table, "sources": sources, "module": module }).to_string();
        Self { python, args, seed: options.seed, hello }
    }
}

impl<S: Scheduler + 'static> Host<S> for ProcessHost {
    fn drive(&self, engine: &Shared<S>) -> Result<(), String> {
        let pool = WorkerPool::new(engine, self.remote.clone(), self.patience);
        let outlet: Outlet = {
            let engine = engine.clone();
            Box::new(move |request| {
                engine.poke(|engine| engine.request(TaskId::FOREIGN, request));
            })
        };
        *lock(&self.remote.0.engine) = Some(Arc::new(Engine { bridge: Arc::new(pool.clone()), outlet }));
        let ready = match lock(&self.remote.0.waiting).take() {
            Some(wire) => self.remote.set_up(wire),
            None if self.remote.0.on_demand => Ok(()),
            None => self.remote.start_again().map(|_| ()),
        };
        let done = ready.map_err(|error| error.to_string()).map(|()| pool.drive());
        self.remote.shut_down();
        done
    }
}

/// The arguments that a helper is started with.
struct HelperStart {
    python: PathBuf,
    args: Vec<OsString>,
    seed: u64,
    hello: String,
}

impl HelperStart {
    fn link(&self) -> io::Result<(Arc<Link>, Wire)> {
        Link::start(&self.python, &self.args, self.seed, &self.hello)
    }
}

/// The engine that serves the helper's requests.
struct Engine {
    bridge: Arc<dyn EngineHandle>,
    outlet: Outlet,
}

struct ProcessInner {
    start: HelperStart,
    /// Whether the helper starts with the first script.
    on_demand: bool,
    functions: Option<Arc<dyn Functions>>,
    /// The connection of a started helper that has not set itself up yet.
    waiting: Mutex<Option<Wire>>,
    link: Mutex<Option<Arc<Link>>>,
    /// The mirrors by the number of their worker.
    mirrors: Mutex<BTreeMap<u64, Arc<Mirror>>>,
    engine: Mutex<Option<Arc<Engine>>>,
    /// Why a helper could not be started, until it has been reported.
    not_started: Mutex<Option<String>>,
}

/// The thread in the helper that belongs to a worker.
struct Mirror {
    link: Arc<Link>,
    connection: u64,
    number: u64,
    /// The number of orders that were sent to it.
    orders: AtomicU64,
    /// Whether the function of the current order has been entered.
    entered: Arc<AtomicBool>,
    /// The operating system's id of the thread.
    system_thread: AtomicU32,
}

thread_local! {
    /// The calling worker's thread in the helper, and the connection to it.
    static HERE: RefCell<Option<(Arc<Mirror>, Wire)>> = const { RefCell::new(None) };
}

/// The helper as the scheduler sees it.
#[derive(Clone)]
struct Remote(Arc<ProcessInner>);

/// Whether an order needs no state from earlier orders, so that a new helper can be started for it.
fn can_start_helper(order: &Order) -> bool {
    match order {
        Order::Load { .. } | Order::Deliver { callback: CallbackId::TOPIC_SCRIPT, .. } => true,
        Order::Deliver { callback: CallbackId::BEHAVIORS, args } => {
            args.first().and_then(Value::as_str) == Some("load")
        }
        _ => false,
    }
}

/// The error of an order that cannot be executed because the helper has ended.
fn process_ended(how: &str) -> ScriptError {
    let message = format!("the process for scripts {how}");
    let traceback = format!("ProcessEnded: {message}\n").into();
    ScriptError { kind: "ProcessEnded".into(), message: message.into(), line: None, traceback }
}

impl Remote {
    fn engine(&self) -> io::Result<Arc<Engine>> {
        lock(&self.0.engine).clone().ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Returns the current helper, if one has been started.
    fn link(&self) -> Option<Arc<Link>> {
        lock(&self.0.link).clone()
    }

    /// Waits until the helper has set itself up, then serves the connection for threads that no order runs on.
    fn set_up(&self, mut wire: Wire) -> io::Result<()> {
        let (engine, link) = (self.engine()?, self.link().ok_or(io::ErrorKind::NotConnected)?);
        let ready = link.open_control().and_then(|()| {
            loop {
                let message = wire.receive()?;
                if let Outcome::Other(words) = requests::handle(&link, &mut wire, &*engine.bridge, message)? {
                    return Ok(words);
                }
            }
        });
        match ready {
            Err(error) => return Err(link.startup_error(&error)),
            Ok(words) if words.first() == Some(&json!("raised")) => {
                let error = requests::error(&link, words.into_iter().skip(1).collect())?;
                // An error that the user can correct is one sentence; any other error is a defect of Boxstep and shows
                // its traceback.
                let said = if &*error.kind == "Refused" { error.message } else { error.traceback };
                return Err(io::Error::other(said.trim_end().to_owned()));
            }
            Ok(_) => {}
        }
        let serve = move || {
            while let Ok(message) = wire.receive()
                && requests::handle(&link, &mut wire, &*engine.bridge, message).is_ok()
            {}
        };
        std::thread::Builder::new().name("helper".to_owned()).spawn(serve).map(|_| ())
    }

    /// Starts a new helper after the last one has ended.
    fn start_again(&self) -> io::Result<Arc<Link>> {
        let (link, wire) = self.0.start.link()?;
        *lock(&self.0.link) = Some(link.clone());
        self.set_up(wire)?;
        Ok(link)
    }

    fn shut_down(&self) {
        let link = self.link();
        if let Some(link) = &link {
            link.shut_down();
        }
        if let (Some(engine), Some(link)) = (lock(&self.0.engine).take(), link) {
            link.capture.report(&*engine.outlet, None, true);
        }
    }

    /// Creates a thread in the helper for the calling worker.
    fn mirror(&self, link: Arc<Link>, entered: Arc<AtomicBool>) -> io::Result<(Arc<Mirror>, Wire)> {
        let number = u64::from(worker_here().unwrap_or_default());
        let (connection, stream) = link.connect()?;
        let mut wire = Wire::new(stream);
        wire.send(json!(["worker", number]).to_string())?;
        let system = wire.receive()?.get(1).and_then(Json::as_u64).and_then(|n| u32::try_from(n).ok());
        let mirror = Mirror {
            link,
            connection,
            number,
            orders: AtomicU64::new(0),
            entered,
            system_thread: AtomicU32::new(system.unwrap_or_default()),
        };
        let mirror = Arc::new(mirror);
        lock(&self.0.mirrors).insert(number, mirror.clone());
        Ok((mirror, wire))
    }

    fn execute(&self, order: &Order, entered: &Arc<AtomicBool>) -> io::Result<OrderResult> {
        if let (Order::Deliver { callback, args }, Some(functions)) = (order, &self.0.functions)
            && callback.is_outside()
        {
            entered.store(true, Ordering::Release);
            return Ok(functions.call(*callback, args));
        }
        let link = match (self.link(), order) {
            (Some(link), _) if link.alive() => link,
            (_, order) if can_start_helper(order) => self.start_again().inspect_err(|error| {
                // No script can be compiled now, which is no fault of the scripts; `died` reports the reason.
                *lock(&self.0.not_started) = Some(error.to_string());
            })?,
            _ => return Ok(Ok(Value::Null)),
        };
        let (mirror, mut wire) = match HERE.take().filter(|(mirror, _)| Arc::ptr_eq(&mirror.link, &link)) {
            Some(here) => here,
            None => self.mirror(link, entered.clone())?,
        };
        let result = self.send_and_serve(&mirror, &mut wire, order);
        HERE.set(Some((mirror, wire)));
        result
    }

    /// Sends the order, and serves the helper's requests until the order is done.
    fn send_and_serve(&self, mirror: &Mirror, wire: &mut Wire, order: &Order) -> io::Result<OrderResult> {
        let (link, engine) = (&mirror.link, self.engine()?);
        mirror.orders.fetch_add(1, Ordering::AcqRel);
        let (worker, object) = (mirror.number, object_of(order));
        link.set_at_work(worker, object);
        wire.send(message_of(order).to_string())?;
        let mut stopped = false;
        let mut done = None;
        loop {
            let outcome = wire.receive().and_then(|message| {
                mirror.entered.store(true, Ordering::Release);
                // The helper writes nothing while it waits for a reply.
                if let Some(is_end) = requests::awaits_reply(&message) {
                    if link.set_waiting(worker) {
                        // The request comes from this task, so that the engine knows the box.
                        let report = |print| drop(engine.bridge.request(print));
                        link.capture.report(&report, None, is_end);
                    } else {
                        link.capture.report(&*engine.outlet, None, is_end);
                    }
                }
                let outcome = requests::handle(link, wire, &*engine.bridge, message);
                if matches!(outcome, Ok(Outcome::Handled)) {
                    link.set_at_work(worker, object);
                }
                outcome
            });
            let words = match outcome {
                Ok(Outcome::Handled) => continue,
                Ok(Outcome::Stopped) => {
                    stopped = true;
                    continue;
                }
                Ok(Outcome::Other(words)) => words,
                // The helper was told to end, and has ended.
                Err(_) if stopped => return Ok(Ok(Value::Null)),
                Err(error) => return Err(error),
            };
            match words.first().and_then(Json::as_str) {
                Some("returned") => done = Some(Ok(requests::value(link, words.get(1).unwrap_or(&Json::Null))?)),
                Some("raised") => done = Some(Err(requests::error(link, words.into_iter().skip(1).collect())?)),
                _ => {}
            }
            // Objects without handles are released now, so that their `__del__` still is part of this order.
            let freed = link.freed();
            if freed.is_empty() {
                return Ok(done.unwrap_or(Ok(Value::Null)));
            }
            wire.send(json!(["free", freed]).to_string())?;
        }
    }
}

/// The result of an order.
type OrderResult = Result<Value, ScriptError>;

impl Interpreter for Remote {
    fn attach(&self, body: &mut dyn FnMut()) {
        body();
        if let Some((mirror, _)) = HERE.take() {
            lock(&self.0.mirrors).remove(&mirror.number);
            mirror.link.close(mirror.connection);
        }
    }

    fn detached(&self, body: &mut (dyn FnMut() + Send)) {
        body();
    }

    fn run(&self, order: Order, entered: &Arc<AtomicBool>) -> Result<Value, ScriptError> {
        self.execute(&order, entered).unwrap_or_else(|error| {
            let end = self.link().map(|link| link.how_it_ended());
            Err(process_ended(&end.filter(|end| !end.wanted).map_or_else(|| error.to_string(), |end| end.how)))
        })
    }

    /// Workers only forward the requests of the helper's threads; a worker needs a large stack only to call
    /// [`Functions`].
    fn stack(&self) -> usize {
        if self.0.functions.is_some() { 32 << 20 } else { 2 << 20 }
    }

    fn look_whether_entered(&self, thread: u64) {
        let Some(mirror) = lock(&self.0.mirrors).get(&thread).cloned() else { return };
        let order = mirror.orders.load(Ordering::Acquire);
        if mirror.link.has_entered(thread, order) && mirror.orders.load(Ordering::Acquire) == order {
            mirror.entered.store(true, Ordering::Release);
        }
    }

    fn thread(&self) -> u64 {
        u64::from(worker_here().unwrap_or_default())
    }

    fn interrupt(&self, thread: u64, still: &dyn Fn() -> bool) {
        let Some(mirror) = lock(&self.0.mirrors).get(&thread).cloned() else { return };
        let order = mirror.orders.load(Ordering::Acquire);
        if still() {
            mirror.link.send_control(&json!(["interrupt", thread, order]));
        }
    }

    /// The helper clears interrupts itself, before it reports that an order is done.
    fn clear_interrupt(&self) {}

    fn usage(&self, thread: u64, system_thread: u32) -> Option<Usage> {
        let here = Usage::of_thread(system_thread)?;
        let mirror = lock(&self.0.mirrors).get(&thread).cloned();
        let there = mirror.and_then(|m| {
            // The system's thread ids are unique across processes, so the thread's id also serves as the process id.
            let thread = m.system_thread.load(Ordering::Acquire);
            Usage::of(thread, thread)
        });
        Some(there.map_or(here, |there| here.and(there)))
    }

    fn others(&self) -> Option<Duration> {
        Usage::of_process(self.link()?.pid)
    }

    fn died(&self, tell: &mut dyn FnMut(&str)) {
        if let Some(why) = lock(&self.0.not_started).take() {
            return tell(&format!("the process for scripts does not start: {why}"));
        }
        let (Ok(engine), Some(link)) = (self.engine(), self.link()) else { return };
        if !engine.bridge.is_virtual() {
            // In real time the output need not wait for the helper's next message.
            link.capture.report(&*engine.outlet, link.only_object_at_work(), false);
        }
        link.report_death(&engine.outlet, |how| tell(&format!("the process for scripts {how}")));
    }

    fn silent(&self) -> Duration {
        self.link().map_or(Duration::ZERO, |link| link.unanswered_for())
    }

    fn kill(&self, why: &str) -> bool {
        let Some(link) = self.link() else { return false };
        let alive = link.alive();
        if alive {
            link.kill(why);
        }
        alive
    }
}

/// The object that an order concerns.
fn object_of(order: &Order) -> Option<ObjectId> {
    match order {
        Order::Construct { object, .. } | Order::Call { object, .. } | Order::Drop { object } => Some(*object),
        Order::Load { .. } | Order::Deliver { .. } | Order::Forget { .. } => None,
    }
}

/// The JSON message of an order.
fn message_of(order: &Order) -> Json {
    match order {
        Order::Load { class, source } => {
            json!(["load", class.0, source.text, source.file, source.is_program, source.path.to_string(), source.args])
        }
        Order::Construct { object, class, info } => json!(["construct", object.0, class.0, description(info)]),
        Order::Call { object, method, args: Args::Hook(value) } => json!(["call", object.0, method, "hook", value]),
        Order::Call { object, method, args: Args::UpTo(args) } => json!(["call", object.0, method, "up to", args]),
        Order::Deliver { callback, args } => json!(["deliver", callback.0, args]),
        Order::Drop { object } => json!(["drop", object.0]),
        Order::Forget { files } => json!(["forget", files]),
    }
}

/// The fields of a box's description, under the names that the runtime uses.
fn description(info: &BoxInfo) -> Json {
    json!({
        "path": info.path.to_string(),
        "box_name": info.box_name,
        "full_name": info.full_name,
        "parent_name": info.parent_name,
        "id": info.id,
        "parent_id": info.parent_id,
        "behavior_id": info.behavior_id,
        "behavior_path": info.behavior_path,
        "behavior_relative_path": info.behavior_relative_path,
        "package_uid": info.package_uid,
        "inputs": info.inputs,
        "outputs": info.outputs,
        "parameters": info.parameters,
        "has_timeline": info.has_timeline,
        "has_parent_timeline": info.has_parent_timeline,
        "has_resources": info.has_resources,
    })
}
