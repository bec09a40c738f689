//! The state that all served objects share: the engine, the server, and the event thread.

use super::boxes;
use super::memory::Modules;
use super::meta::{self, Offered};
use super::object::{Served, lock};
use super::receive::Inbox;
use boxstep_engine::Engine;
use boxstep_engine::SubscriptionId;
use boxstep_engine::services::Topic;
use boxstep_engine::shared::Shared;
use boxstep_qi::{BuildError, Error, Generation, Remote, Server, SignatureError, Value};
use boxstep_services::Service;
use boxstep_types::BoxPath;
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Why a run cannot be served.
#[derive(Debug)]
pub enum ServingError {
    /// The table of services contains an invalid signature.
    Types(SignatureError),
    /// The description of an object's member is invalid.
    Object(BuildError),
    /// The server refuses a service.
    Server(Error),
    /// No thread can be started.
    Thread(std::io::Error),
}

impl fmt::Display for ServingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServingError::Types(e) => write!(f, "the table of services: {e}"),
            ServingError::Object(e) => write!(f, "{e}"),
            ServingError::Server(e) => write!(f, "{e}"),
            ServingError::Thread(e) => write!(f, "no thread can be started: {e}"),
        }
    }
}

impl std::error::Error for ServingError {}

type EventJob = Box<dyn FnOnce() + Send>;

/// The state that served objects share.
pub(super) struct ServerState {
    pub(super) engine: Shared<Engine>,
    /// Queues jobs for the thread that sends answers and events to clients, in order.
    event_thread: Mutex<Sender<EventJob>>,
    /// Signals that clients have subscribed to or left, which the engine has not been told yet.
    demand: Mutex<Vec<Demand>>,
    /// The engine's subscriptions, by object address and signal.
    heard: Mutex<BTreeMap<(usize, u32), SubscriptionId>>,
    pub(super) modules: Modules,
    server: Server,
    /// The number of calls that threads are handling now.
    at_work: Mutex<usize>,
    at_rest: Condvar,
}

/// How long pending answers may delay the end.
const SETTLE: Duration = Duration::from_millis(300);

/// Counts a call that is being handled.
pub(super) struct AtWork<'f>(&'f ServerState);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        let mut at_work = lock(&self.0.at_work);
        *at_work -= 1;
        if *at_work == 0 {
            self.0.at_rest.notify_all();
        }
    }
}

/// An object that emits the engine's events to its clients.
pub(super) trait EmitSignal: Send + Sync {
    /// Emits a signal to its subscribers.
    fn emit_signal(&self, id: u32, value: &boxstep_types::Value);
}

/// A signal has its first subscriber, or has lost its last one.
struct Demand {
    topic: Topic,
    object: Weak<dyn EmitSignal>,
    id: u32,
    on: bool,
}

impl ServerState {
    /// Counts a call as being handled, until the guard is dropped.
    pub(super) fn begin_work(&self) -> AtWork<'_> {
        *lock(&self.at_work) += 1;
        AtWork(self)
    }

    /// Waits briefly until pending answers are sent, such as that of the call that ended the run.
    fn settle(&self) {
        let until = Instant::now() + SETTLE;
        let at_work = lock(&self.at_work);
        drop(self.at_rest.wait_timeout_while(at_work, SETTLE, |at_work| *at_work > 0));
        let (done, all) = channel();
        self.later(move || {
            let _ = done.send(());
        });
        // Jobs that are not done in time are not waited for.
        let _ = all.recv_timeout(until.saturating_duration_since(Instant::now()));
    }

    /// Queues a job for the event thread, outside of the engine, after all earlier jobs.
    pub(super) fn later(&self, job: impl FnOnce() + Send + 'static) {
        // Without the thread, serving has ended.
        let _ = lock(&self.event_thread).send(Box::new(job));
    }

    /// Returns the generation of NAOqi that the server speaks like, if one was chosen.
    pub(super) fn generation(&self) -> Option<Generation> {
        self.server.generation()
    }

    /// Returns a service that one of the clients offers.
    pub(super) fn client_service(&self, name: &str) -> Result<Remote, Error> {
        self.server.service(name)
    }

    /// Notes that a signal is needed or not, and has the engine told soon.
    pub(super) fn demand(self: &Arc<Self>, topic: Topic, object: Weak<dyn EmitSignal>, id: u32, on: bool) {
        lock(&self.demand).push(Demand { topic, object, id, on });
        let state = Arc::clone(self);
        self.later(move || state.meet_demand());
    }

    /// Tells the engine which signals are needed. Calls do this first, so that a client receives the events that its
    /// next call causes.
    pub(super) fn meet_demand(self: &Arc<Self>) {
        let mut heard = lock(&self.heard);
        let demand = std::mem::take(&mut *lock(&self.demand));
        for Demand { topic, object, id, on } in demand {
            // An object drops its signals before its address can be reused by another one.
            let key = (object.as_ptr().cast::<()>() as usize, id);
            if let Some(subscription) = heard.remove(&key) {
                self.engine.poke(|engine| engine.unsubscribe(subscription));
            }
            if !on {
                continue;
            }
            let state = Arc::downgrade(self);
            let tell = Arc::new(move |value: &boxstep_types::Value| {
                let Some(state) = state.upgrade() else { return };
                let (object, value) = (object.clone(), value.clone());
                state.later(move || {
                    if let Some(object) = object.upgrade() {
                        object.emit_signal(id, &value);
                    }
                });
            });
            // The table has the signal; a robot that lacks it emits nothing.
            if let Ok(subscription) = self.engine.poke(|engine| engine.subscribe(topic, tell)) {
                heard.insert(key, subscription);
            }
        }
    }
}

/// The services of a run, offered to qi clients. Dropping it closes the server.
pub struct Serving {
    state: Arc<ServerState>,
    event_thread: Option<JoinHandle<()>>,
}

impl Serving {
    /// Offers the services of an engine's robot, and the engine's own.
    ///
    /// # Errors
    /// [`ServingError`].
    pub fn start(
        engine: Shared<Engine>,
        server: Server,
        services: &[&'static Service],
    ) -> Result<Serving, ServingError> {
        let (event_thread, jobs) = channel::<EventJob>();
        let state = Arc::new(ServerState {
            engine,
            event_thread: Mutex::new(event_thread),
            demand: Mutex::default(),
            heard: Mutex::default(),
            modules: Modules::default(),
            server,
            at_work: Mutex::new(0),
            at_rest: Condvar::new(),
        });
        let thread = std::thread::Builder::new().name("qi-events".to_owned());
        let event_thread =
            thread.spawn(move || jobs.into_iter().for_each(|job| job())).map_err(ServingError::Thread)?;
        let serving = Serving { state, event_thread: Some(event_thread) };
        for offered in meta::offered(services, serving.state.generation()) {
            serving.offer(offered)?;
        }
        Ok(serving)
    }

    fn offer(&self, offered: Offered) -> Result<(), ServingError> {
        let name = offered.service.name.to_owned();
        let object = Served::new(offered, &self.state).map_err(ServingError::Types)?;
        self.state.server.register(&name, object).map_err(ServingError::Server)?;
        Ok(())
    }

    /// Offers the boxes with these paths as objects, and an inbox for uploads, as the service `Boxstep`.
    ///
    /// # Errors
    /// If the server refuses the service.
    pub fn offer_boxes(&self, paths: Vec<BoxPath>, inbox: Arc<dyn Inbox>) -> Result<(), ServingError> {
        let service = boxes::service(&self.state, paths, inbox).map_err(ServingError::Object)?;
        self.state.server.register(boxes::NAME, service).map_err(ServingError::Server)?;
        Ok(())
    }

    pub(super) fn state(&self) -> &Arc<ServerState> {
        &self.state
    }

    /// Returns the server, for further services.
    pub fn server(&self) -> &Server {
        &self.state.server
    }

    /// Returns the address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.state.server.address()
    }

    /// Sends pending answers, stops listening and closes all connections. The address is free when this returns.
    pub fn close(&mut self) {
        if self.event_thread.is_some() {
            self.state.settle();
        }
        self.state.server.close();
        // The thread ends when its channel is closed.
        let (nobody, _) = channel();
        *lock(&self.state.event_thread) = nobody;
        if let Some(event_thread) = self.event_thread.take() {
            let _ = event_thread.join();
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.close();
    }
}

/// Converts an answer of the engine to the return type of the method.
pub(super) fn answer(
    value: &boxstep_types::Value,
    returns: &boxstep_qi::Signature,
    who: &str,
) -> Result<Value, String> {
    let wire = crate::wire::to_wire(value, &mut crate::wire::NoObjects);
    if *returns == boxstep_qi::Signature::Void {
        return Ok(Value::Void);
    }
    // An empty list in the simulation's tables also stands for an empty map.
    if let (Value::List(list), boxstep_qi::Signature::Map(_)) = (&wire, returns)
        && list.items.is_empty()
    {
        return Value::map([]).convert(returns).map_err(|e| e.to_string());
    }
    wire.convert(returns).map_err(|e| format!("{who} answered a value that is not of its type {returns}: {e}"))
}
