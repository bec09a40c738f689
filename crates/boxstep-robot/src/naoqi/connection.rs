//! The connection to a robot: the facts known while it lasts, and how it is restored.

use super::NaoqiOptions;
use super::calls::{OpenCall, RobotJob};
use super::files::Files;
use super::objects::Kept as KeptObjects;
use super::preflight;
use super::ready::Gate;
use super::stop::Stops;
use boxstep_engine::CallId;
use boxstep_engine::mailbox::Mailbox;
use boxstep_engine::services::{Act, Effect};
use boxstep_qi::{Error, Kept, Lasting, Link, ObjectValue, Remote, Session, Subscription};
use boxstep_types::Value;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Services that are needed immediately when the robot has to stop, and so are looked up beforehand.
const AT_HAND: [&str; 6] = ["ALMotion", "ALTextToSpeech", "ALAudioPlayer", "ALRobotPosture", "ALMemory", "ALTracker"];

/// The timeout of each query before a run.
const ASKED: Duration = Duration::from_secs(2);

/// Why a robot cannot be reached.
#[derive(Debug)]
pub struct NaoqiError {
    /// The robot's name.
    pub name: String,
    /// The reason.
    pub source: Box<Error>,
}

impl fmt::Display for NaoqiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.source.to_string();
        // Most messages about addresses name them.
        if text.contains(&self.name) { f.write_str(&text) } else { write!(f, "{}: {text}", self.name) }
    }
}

impl std::error::Error for NaoqiError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source)
    }
}

/// The facts that are queried when the robot is first reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The language of speech.
    pub language: String,
    /// Every joint, hand and wheel that can be commanded.
    pub joints: Vec<Arc<str>>,
    /// The version of NAOqi; empty if the robot does not report it.
    pub version: String,
    /// The robot's address and port.
    pub peer: String,
}

/// The connection to a robot, across reconnects.
pub(crate) struct Connection {
    pub(crate) options: NaoqiOptions,
    pub(crate) mailbox: Mailbox,
    pub(crate) files: OnceLock<Files>,
    lasting: OnceLock<Lasting>,
    ours: OnceLock<Kept>,
    pub(super) work: Sender<RobotJob>,
    state: Mutex<ConnectionState>,
    pub(super) changed: Condvar,
}

/// The mutable state of a connection.
#[derive(Default)]
pub(super) struct ConnectionState {
    pub(super) session: Option<Session>,
    pub(super) services: BTreeSet<String>,
    pub(super) remotes: HashMap<Arc<str>, Remote>,
    pub(super) open: HashMap<CallId, OpenCall>,
    /// The number of jobs queued for the worker thread. While there are any, calls are queued behind them.
    pub(super) queued: usize,
    pub(super) objects: KeptObjects,
    pub(super) stops: Stops,
    pub(super) gate: Gate,
    facts: Option<Facts>,
    /// The reason last reported to `NaoqiOptions::waiting`.
    waits_for: Option<String>,
    /// Why the first attempt failed, or why no further one can succeed.
    refused: Option<Error>,
    /// When the link went down, if it is down.
    down: Option<Instant>,
    lost: bool,
    closed: bool,
}

impl ConnectionState {
    /// Returns the unanswered calls that no command stops.
    pub(super) fn unstoppable_actions(&self) -> impl Iterator<Item = &OpenCall> {
        self.open.values().filter(|open| !open.told || open.is_stubborn())
    }

    /// Returns the calls that were canceled or stopped and that the robot has not answered yet.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &OpenCall> {
        self.open.values().filter(|open| open.told && !open.is_stubborn())
    }

    /// Returns whether no further session will come.
    pub(super) fn is_over(&self) -> bool {
        self.lost || self.closed || self.refused.is_some()
    }

    /// Marks the robot as lost to the run. Returns true the first time.
    pub(super) fn is_lost_now(&mut self) -> bool {
        !std::mem::replace(&mut self.lost, true)
    }

    /// Returns whether the dialog engine has answered all calls, so that topics loaded for this run are unloaded.
    pub(super) fn dialog_settled(&self) -> bool {
        self.session.is_none() || !self.open.values().any(|open| &*open.service == "ALDialog")
    }
}

impl Connection {
    /// Connects and queries the facts.
    pub(super) fn open(options: NaoqiOptions) -> Result<Arc<Self>, NaoqiError> {
        let failed = |source| NaoqiError { name: options.name.clone(), source: Box::new(source) };
        let (work, jobs) = channel();
        let connection = Arc::new(Self {
            mailbox: Mailbox::default(),
            files: OnceLock::new(),
            lasting: OnceLock::new(),
            ours: OnceLock::new(),
            work,
            state: Mutex::default(),
            changed: Condvar::new(),
            options: options.clone(),
        });
        let worker = Arc::downgrade(&connection);
        let thread = std::thread::Builder::new().name("naoqi".to_owned());
        thread.spawn(move || super::calls::work(&worker, &jobs)).map_err(|e| failed(Error::System(Arc::new(e))))?;
        let watch = Arc::downgrade(&connection);
        let lasting = Lasting::new(&options.address, options.qi.clone(), options.pauses, move |link| {
            if let Some(connection) = watch.upgrade() {
                connection.heard_of(link);
            }
        });
        let lasting = lasting.map_err(failed)?;
        let met = Arc::downgrade(&connection);
        let kept = lasting.keep(move |session| meet(&met, session));
        let _ = (connection.ours.set(kept), connection.lasting.set(lasting));
        connection.wait_for_it().map_err(failed)?;
        let here = connection.session().and_then(|s| s.connection().here());
        let files = Files::new(&options, here, connection.facts().peer.as_str());
        let _ = connection.files.set(files.map_err(|e| failed(Error::System(Arc::new(e))))?);
        Ok(connection)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_it(&self) -> Result<(), Error> {
        // The facts take a few queries, each with its own timeout.
        let most = self.options.qi.connect_within + self.options.qi.answer_within;
        let until = Instant::now() + most;
        let mut state = self.state();
        loop {
            if state.facts.is_some() {
                return Ok(());
            }
            if let Some(error) = &state.refused {
                return Err(error.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() && !self.options.wait {
                return Err(Error::Slow { what: "the list of services".to_owned(), after: most });
            }
            let left = if self.options.wait { Duration::from_secs(3600) } else { left };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(super) fn facts(&self) -> Facts {
        self.state().facts.clone().unwrap_or_else(|| Facts {
            language: "English".to_owned(),
            joints: Vec::new(),
            version: String::new(),
            peer: String::new(),
        })
    }

    pub(super) fn session(&self) -> Option<Session> {
        self.state().session.clone()
    }

    pub(super) fn lasting(&self) -> Option<&Lasting> {
        self.lasting.get()
    }

    pub(super) fn has_service(&self, name: &str) -> bool {
        let state = self.state();
        state.services.contains(name) || state.objects.get(name).is_some()
    }

    /// Returns messages about what will not work on this robot.
    pub(super) fn missing_features(&self, sounds: bool) -> Vec<String> {
        let name = &self.options.name;
        let state = self.state();
        let mut missing = Vec::new();
        let served = self.files.get().is_some_and(Files::are_served);
        let player = state.remotes.get("ALAudioPlayer");
        let streams = player.is_some_and(|p| p.meta().methods_named("playWebStream").next().is_some());
        if sounds && player.is_none() {
            missing.push(format!("{name} has no ALAudioPlayer: the behavior's sounds will not be heard"));
        } else if sounds && served && !streams {
            missing.push(format!(
                "{name} cannot play sounds over the network (ALAudioPlayer.playWebStream): the behavior's sounds will not be heard"
            ));
        }
        if !state.services.contains("ALMotion") {
            missing.push(format!("{name} has no ALMotion: nothing will move"));
        }
        missing
    }

    /// Handles a new state of the link.
    fn heard_of(&self, link: &Link) {
        let name = &self.options.name;
        let mut state = self.state();
        match link {
            Link::Up => {
                let was_down = state.down.take().is_some();
                drop(state);
                if was_down {
                    let text = format!("{name} is back; the behavior's subscriptions are restored");
                    self.record_link_state("up");
                    self.mailbox.put(Effect::Act(Act { kind: "robot".into(), text, data: Value::Null }));
                }
            }
            Link::Down(gone) => {
                if state.closed {
                    return;
                }
                state.session = None;
                state.remotes.clear();
                state.objects.forget();
                state.down = Some(Instant::now());
                state.stops.link_lost();
                drop(state);
                self.record_link_state("down");
                self.mailbox.put(Effect::Warn(format!("{name}: connection lost ({gone}); trying to reconnect")));
            }
            Link::Trying { error, .. } => {
                let lost = state.down.is_some_and(|since| since.elapsed() >= self.options.gone_after);
                let text = error.to_string();
                if state.facts.is_none() && self.options.wait && state.waits_for.as_ref() != Some(&text) {
                    (self.options.waiting)(name, error);
                    state.waits_for = Some(text);
                }
                if state.facts.is_none() && !self.options.wait {
                    state.refused = Some(error.clone());
                } else if lost && state.is_lost_now() {
                    drop(state);
                    self.record_link_state("lost");
                    self.mailbox.put(Effect::Lost(format!("{name} is lost: {error}")));
                }
            }
            Link::Over(error) => {
                state.refused = Some(error.clone());
                if state.facts.is_some() && state.is_lost_now() {
                    drop(state);
                    self.record_link_state("lost");
                    self.mailbox.put(Effect::Lost(format!("{name} is lost: {error}")));
                }
            }
            _ => {}
        }
        self.changed.notify_all();
    }

    /// Writes the link state to recordings; messages for users are emitted separately.
    fn record_link_state(&self, state: &str) {
        self.mailbox.put(Effect::Memory(super::LINK.into(), state.into()));
    }

    /// Disconnects from the robot for good.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        let session = state.session.take();
        state.remotes.clear();
        drop(state);
        if let Some(session) = session {
            session.close();
        }
    }

    /// Returns a service, or `None` if the robot may not be commanded. The service belongs to the session over which
    /// the robot is known to be ready.
    pub(super) fn find_to_act(&self, service: &str) -> Result<Option<Remote>, Error> {
        let Some(session) = self.session().filter(|_| self.state().may_act()) else { return Ok(None) };
        let found = self.find(service)?;
        let state = self.state();
        let same = state.session.as_ref().is_some_and(|now| now.connection().is_same(session.connection()));
        Ok((same && state.may_act()).then_some(found))
    }

    /// Returns a service, and waits for the directory if it is not cached. Must not be called with the engine's lock
    /// held.
    pub(super) fn find(&self, service: &str) -> Result<Remote, Error> {
        let session = {
            let state = self.state();
            if let Some(remote) = state.remotes.get(service).or_else(|| state.objects.get(service)) {
                return Ok(remote.clone());
            }
            state.session.clone()
        };
        let Some(session) = session else { return Err(Error::Gone(boxstep_qi::Gone::Closed)) };
        let found = if service == "ServiceDirectory" { session.directory()? } else { session.service(service)? };
        let mut state = self.state();
        // A new session may have begun meanwhile.
        if state.session.as_ref().is_some_and(|s| s.connection().is_same(session.connection())) {
            state.remotes.insert(service.into(), found.clone());
        }
        Ok(found)
    }
}

/// What is kept of a session besides the behavior's subscriptions.
struct Met {
    _added: Option<Subscription>,
    _removed: Option<Subscription>,
}

/// Queries the robot at the beginning of each session.
fn meet(connection: &Weak<Connection>, session: &Session) -> Result<Met, Error> {
    let Some(connection) = connection.upgrade() else { return Ok(Met { _added: None, _removed: None }) };
    let directory = session.directory()?;
    let (added, removed) = (Arc::downgrade(&connection), Arc::downgrade(&connection));
    let named = |args: &[boxstep_qi::Value]| args.get(1).and_then(|name| name.as_str().map(str::to_owned));
    let added = directory.subscribe("serviceAdded", move |args| {
        if let (Some(connection), Some(name)) = (added.upgrade(), named(args)) {
            let asks = preflight::is_queried(&name);
            connection.state().services.insert(name);
            // A restarted part of the robot may be in a different state.
            if asks {
                connection.doubt();
            }
        }
    });
    let removed = directory.subscribe("serviceRemoved", move |args| {
        if let (Some(connection), Some(name)) = (removed.upgrade(), named(args)) {
            let mut state = connection.state();
            state.services.remove(&name);
            state.remotes.remove(name.as_str());
        }
    });
    let services: BTreeSet<String> = session.services()?.into_iter().map(|info| info.name).collect();
    let mut remotes = HashMap::new();
    for name in AT_HAND.into_iter().filter(|name| services.contains(*name)) {
        remotes.insert(Arc::from(name), session.service(name)?);
    }
    let asked = connection.state().facts.is_none().then(|| query_facts(session, &remotes, &services));
    if let Some(gone) = session.connection().gone() {
        // The answers are missing because the connection ended, not because the robot does not know.
        return Err(Error::Gone(gone));
    }
    let mut state = connection.state();
    if state.closed {
        return Err(Error::Canceled);
    }
    state.session = Some(session.clone());
    state.services = services;
    state.remotes = remotes;
    if let Some(facts) = asked {
        state.facts = Some(facts);
    }
    let owed = state.stops.take_owed();
    drop(state);
    connection.changed.notify_all();
    connection.send_stops(owed);
    connection.doubt();
    Ok(Met { _added: added.ok(), _removed: removed.ok() })
}

/// Queries the facts of a robot that is reached for the first time. Missing answers become defaults.
fn query_facts(session: &Session, remotes: &HashMap<Arc<str>, Remote>, services: &BTreeSet<String>) -> Facts {
    let call = |service: &str, method: &str, args: &[boxstep_qi::Value]| {
        remotes.get(service).and_then(|remote| remote.call_within(method, args, ASKED).ok())
    };
    let language = call("ALTextToSpeech", "getLanguage", &[]).and_then(|l| l.as_str().map(str::to_owned));
    let joints = call("ALMotion", "getBodyNames", &["Body".into()]);
    let joints = joints.as_ref().and_then(|j| j.as_slice()).unwrap_or_default();
    let version = services.contains("ALSystem").then(|| session.service("ALSystem").ok()).flatten();
    let version = version.and_then(|system| system.call_within("systemVersion", &[], ASKED).ok());
    Facts {
        language: language.filter(|l| !l.is_empty()).unwrap_or_else(|| "English".to_owned()),
        joints: joints.iter().filter_map(|name| name.plain().as_str().map(Arc::from)).collect(),
        version: version.and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default(),
        peer: session.connection().peer().to_owned(),
    }
}

/// Returns the object in an answer, if there is one.
pub(super) fn object(value: &boxstep_qi::Value) -> Option<Remote> {
    value.as_object().and_then(ObjectValue::remote).cloned()
}
