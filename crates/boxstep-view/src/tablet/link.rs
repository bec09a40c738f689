//! The connection of a tablet's page to the services of the robot. `qimessaging.js` sends requests, and gets answers
//! and signals.

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use boxstep_engine::services::{AnswerListener, Topic, TopicListener};
use boxstep_engine::shared::Shared;
use boxstep_engine::{CallId, Engine, SubscriptionId};
use boxstep_types::Value;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use tokio::sync::{Notify, mpsc, watch};

/// Services that other programs offer to the users of this robot.
pub trait OtherServices: Send + Sync {
    /// Returns whether there is a service of this name. May take time.
    fn has(&self, service: &str) -> bool;

    /// Calls a method; the listener gets the answer later.
    fn call(&self, service: &str, method: &str, args: &[Value], then: AnswerListener);

    /// Passes the arguments of each emission of a signal on, as a list, until what is returned is dropped.
    ///
    /// # Errors
    /// There is no such signal.
    fn connect(&self, service: &str, signal: &str, listener: TopicListener) -> Result<Box<dyn Any + Send>, String>;
}

/// The services of other programs, once there are any.
type Others = Arc<OnceLock<Box<dyn OtherServices>>>;

/// A request of a page.
#[derive(Deserialize)]
struct Request {
    /// The page's number for it; of a connection, also the number of the link.
    id: u64,
    #[serde(flatten)]
    wish: Wish,
}

/// The part of a request that a wrong one has, too.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wish {
    /// Is there a service of this name?
    Service(Arc<str>),
    /// Call a method: the names of the service and the method, and the arguments.
    Call(Arc<str>, Arc<str>, Vec<Value>),
    /// Send this signal from now on.
    Connect(Source),
    /// End the link of this number.
    Disconnect(u64),
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Source {
    /// A signal: the names of the service and the signal.
    Signal(Arc<str>, Arc<str>),
    /// An event of `ALMemory`.
    Event(Arc<str>),
}

/// What a page gets.
#[derive(Serialize)]
#[serde(untagged)]
enum Told {
    Value { id: u64, value: Value },
    Error { id: u64, error: String },
    Signal { link: u64, args: Value },
}

impl Told {
    fn answer(id: u64, result: Result<Value, String>) -> Self {
        match result {
            Ok(value) => Self::Value { id, value },
            Err(error) => Self::Error { id, error },
        }
    }
}

/// The largest message of a page, in bytes.
pub(super) const MOST_BYTES: usize = 1 << 20;
/// The most messages that wait to be sent. A page that reads more slowly is disconnected.
const MOST_WAITING: usize = 4096;
/// The most links of a page.
const MOST_LINKS: usize = 1000;
/// The most calls of a page at a time.
const MOST_CALLS: usize = 256;

/// Passes messages on to the page, without waiting.
#[derive(Clone)]
struct Outlet {
    queue: mpsc::Sender<Told>,
    /// Notified when the page reads too slowly.
    full: Arc<Notify>,
}

impl Outlet {
    fn send(&self, told: Told) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(told) {
            self.full.notify_one();
        }
    }
}

/// A signal that a page is connected to.
enum Connected {
    /// Of the run.
    Run(SubscriptionId),
    /// Of another program, until this is dropped.
    Other(Box<dyn Any + Send>),
}

impl Connected {
    /// Ends the connection; returns whether there was one.
    fn end(self, engine: &mut Engine) -> bool {
        match self {
            Connected::Run(subscription) => engine.unsubscribe(subscription),
            Connected::Other(subscription) => {
                drop(subscription);
                true
            }
        }
    }
}

/// What a page has asked for. Its links end with its connection; its calls go on.
struct Links {
    engine: Shared<Engine>,
    others: Others,
    all: BTreeMap<u64, Connected>,
    /// The calls that were running when they were last counted.
    calls: Vec<CallId>,
}

impl Drop for Links {
    fn drop(&mut self) {
        let (engine, all) = (self.engine.clone(), std::mem::take(&mut self.all));
        if !all.is_empty() {
            // The engine may be busy, and this thread serves all pages.
            tokio::task::spawn_blocking(move || {
                engine.poke(|engine| {
                    for connected in all.into_values() {
                        connected.end(engine);
                    }
                });
            });
        }
    }
}

/// Serves one page until it disconnects or the server is stopped.
pub(super) async fn serve(
    engine: Shared<Engine>,
    others: Others,
    mut socket: WebSocket,
    mut ended: watch::Receiver<bool>,
) {
    let (queue, mut told) = mpsc::channel(MOST_WAITING);
    let outlet = Outlet { queue, full: Arc::default() };
    let mut links = Links::new(engine, others);
    loop {
        tokio::select! {
            () = crate::limits::stopped(&mut ended) => return,
            () = outlet.full.notified() => return,
            Some(told) = told.recv() => {
                // A value is always valid JSON.
                let text = serde_json::to_string(&told).unwrap_or_default();
                if socket.send(Message::Text(Utf8Bytes::from(text))).await.is_err() {
                    return;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match (serde_json::from_str(&text), serde_json::from_str(&text)) {
                    (Ok(request), _) => links = links.handle(request, outlet.clone()).await,
                    (Err(why), Ok(Numbered { id })) => outlet.send(Told::answer(id, Err(why.to_string()))),
                    (Err(_), Err(_)) => return,
                },
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
        }
    }
}

impl Links {
    fn new(engine: Shared<Engine>, others: Others) -> Self {
        Self { engine, others, all: BTreeMap::new(), calls: Vec::new() }
    }

    /// Handles a request on a separate thread: the engine may be busy, and other pages must not wait.
    async fn handle(mut self, request: Request, outlet: Outlet) -> Self {
        let (engine, others) = (self.engine.clone(), self.others.clone());
        let done = tokio::task::spawn_blocking(move || {
            self.take(request, outlet);
            self
        });
        done.await.unwrap_or_else(|_| Self::new(engine, others))
    }

    fn take(&mut self, Request { id, wish }: Request, outlet: Outlet) {
        let answer = match wish {
            Wish::Service(name) => self.found(&name).map(|()| Value::Null),
            Wish::Call(service, method, args) => match self.found(&service).and_then(|()| self.may_call()) {
                Ok(()) => {
                    let then = Box::new(move |result| outlet.send(Told::answer(id, result)));
                    if let Some(others) = self.other(&service) {
                        return others.call(&service, &method, &args, then);
                    }
                    let call = |engine: &mut Engine| engine.call_from_outside(&service, &method, &args, then);
                    self.calls.push(self.engine.poke(call));
                    return;
                }
                Err(why) => Err(why),
            },
            Wish::Connect(source) => self.connect(id, source, outlet.clone()),
            Wish::Disconnect(link) => match self.all.remove(&link) {
                Some(connected) => Ok(self.engine.poke(|engine| connected.end(engine)).into()),
                None => Err("there is no such link".to_owned()),
            },
        };
        outlet.send(Told::answer(id, answer));
    }

    /// Fails if neither the robot nor another program has a service of this name. That excludes the engine's own, which
    /// are for its scripts.
    fn found(&self, service: &str) -> Result<(), String> {
        let is_found =
            self.engine.lock().has_service(service) || self.other(service).is_some_and(|all| all.has(service));
        if is_found { Ok(()) } else { Err(format!("Cannot find service '{service}' in index")) }
    }

    /// Returns the services of other programs, unless the run has a service of this name.
    fn other(&self, service: &str) -> Option<&dyn OtherServices> {
        self.others.get().filter(|_| !self.engine.lock().has_service(service)).map(|others| &**others)
    }

    /// Fails if too many calls are running.
    fn may_call(&mut self) -> Result<(), String> {
        if self.calls.len() >= MOST_CALLS {
            let engine = self.engine.lock();
            self.calls.retain(|call| engine.is_call_running(*call));
        }
        match self.calls.len() < MOST_CALLS {
            true => Ok(()),
            false => Err("the page has too many calls that are not answered yet".to_owned()),
        }
    }

    fn connect(&mut self, link: u64, source: Source, outlet: Outlet) -> Result<Value, String> {
        if self.all.len() >= MOST_LINKS {
            return Err("the page is connected to too many signals".to_owned());
        }
        let (topic, is_signal) = match source.clone() {
            Source::Signal(service, signal) => (Topic::Signal(service, signal), true),
            Source::Event(key) => (Topic::Memory(key), false),
        };
        let listener = Arc::new(move |value: &Value| {
            let args = if is_signal { arguments(value) } else { Value::list([value.clone()]) };
            outlet.send(Told::Signal { link, args });
        });
        let other = match &source {
            Source::Signal(service, signal) => self.other(service).map(|others| (others, service, signal)),
            Source::Event(_) => None,
        };
        let connected = match other {
            Some((others, service, signal)) => Connected::Other(others.connect(service, signal, listener)?),
            None => {
                let subscription = self.engine.poke(|engine| engine.subscribe(topic, listener));
                Connected::Run(subscription.map_err(|why| match source {
                    Source::Signal(service, signal) => why.message(&service, &signal),
                    Source::Event(_) => why.message("ALMemory", "subscriber"),
                })?)
            }
        };
        if let Some(before) = self.all.insert(link, connected) {
            self.engine.poke(|engine| before.end(engine));
        }
        Ok(Value::Null)
    }
}

/// Returns the arguments of a signal from the value of its event, which is a list if there are several.
fn arguments(value: &Value) -> Value {
    match value {
        Value::List(_) => value.clone(),
        Value::Null => Value::list([]),
        one => Value::list([one.clone()]),
    }
}
