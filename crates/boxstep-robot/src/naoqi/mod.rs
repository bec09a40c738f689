//! The adapter for a NAO, a Pepper, or any server that behaves like one, over the qi protocol.
//!
//! The engine holds its lock while it calls [`Services`], so nothing in here waits for the robot: calls are sent, and
//! answered later through the engine's mailbox. Work of several steps (finding a service, setting up a subscription) is
//! done by one thread per robot. `docs/reference/robots.md` says what a robot gets.
//!
//! - [`connection`](self): the reconnecting session, the facts known about the robot, and the worker thread
//! - `calls`: calls in flight, and how to stop what they have started
//! - `cancel_table`: the commands that stop what a call has started
//! - `files`, `http`: files of the behavior that the robot's services request by path
//! - [`preflight`]: checks, before anything moves, for conditions under which commands silently do nothing;
//!   [`mod@panic`]: stopping a robot from outside; [`ask`]: queries with a timeout, for both
//! - [`health`]: what a robot needs to be useful again
//! - [`inventory`]: what a robot says of what it holds; [`packages`]: listing, installing and removing packages
//! - `ready`: no robot is commanded before it is known to be ready
//! - `stop`: stop commands, and their confirmation
//! - `topics`: memory events and signals
//! - `watch`: the robot's state, for recordings

pub mod ask;
mod calls;
mod cancel_table;
mod connection;
mod files;
pub mod health;
mod http;
pub mod inventory;
mod objects;
pub mod packages;
pub mod panic;
pub mod preferences;
pub mod preflight;
mod ready;
mod stop;
#[cfg(feature = "testing")]
pub mod testing;
mod topics;
mod watch;

pub use connection::{Facts, NaoqiError};
pub use files::FilesAre;
pub use watch::{LINK, Watch};

use crate::wire::to_wire;
use boxstep_engine::CallId;
use boxstep_engine::services::Waker;
use boxstep_engine::services::{Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_qi::{Error, Kept, Options, Pauses};
use boxstep_types::{Time, Value};
use connection::Connection;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The robot to connect to, and the timeouts.
#[derive(Clone, Debug)]
pub struct NaoqiOptions {
    /// The address: `nao.local`, `10.0.0.2:9559`, `tcps://…`.
    pub address: String,
    /// The robot's name in messages.
    pub name: String,
    /// The credentials, and the timeouts of the protocol.
    pub qi: Options,
    /// The pauses between attempts to connect.
    pub pauses: Pauses,
    /// Whether to wait for a robot that is not there yet, instead of failing at the first attempt.
    pub wait: bool,
    /// Called with the robot's name and the reason while the robot is waited for, each time the reason changes.
    pub waiting: fn(&str, &Error),
    /// How long the connection may be down before the robot counts as lost to the run.
    pub gone_after: Duration,
    /// The project's folder. Its files are made available to the robot when services request them by path.
    pub folder: Option<PathBuf>,
    /// The package's uuid, under which web pages refer to the project's files.
    pub package: String,
    /// How files reach the robot; `None` chooses by its address.
    pub files: Option<FilesAre>,
}

impl NaoqiOptions {
    /// Returns the options for the robot at an address, with all defaults.
    pub fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            name: address.to_owned(),
            qi: Options::default(),
            pauses: Pauses::default(),
            wait: false,
            waiting: |_, _| {},
            gone_after: Duration::from_secs(10),
            folder: None,
            package: String::new(),
            files: None,
        }
    }
}

/// A robot that is reached over the network.
///
/// ```no_run
/// use boxstep_engine::Engine;
/// use boxstep_engine::config::{ClockKind, Config, NoLibrary};
/// use boxstep_engine::trace::Header;
/// use boxstep_robot::{NaoqiOptions, NaoqiRobot};
///
/// let robot = NaoqiRobot::connect(NaoqiOptions::new("tcp://nao.local:9559"))?;
/// for missing in robot.handle().missing_features(true) {
///     println!("{missing}");
/// }
/// let config = Config { clock: ClockKind::Real, ..Config::default() };
/// let engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &Header::new(ClockKind::Real), Vec::new());
/// # let _ = engine;
/// # Ok::<(), boxstep_robot::naoqi::NaoqiError>(())
/// ```
pub struct NaoqiRobot {
    connection: Arc<Connection>,
    heard: BTreeMap<Topic, Kept>,
}

impl NaoqiRobot {
    /// Connects, and queries what the robot offers.
    ///
    /// # Errors
    /// Why the robot cannot be reached, as a message for users.
    pub fn connect(options: NaoqiOptions) -> Result<Self, NaoqiError> {
        Ok(Self { connection: Connection::open(options)?, heard: BTreeMap::new() })
    }

    /// Returns the facts known about the robot.
    pub fn facts(&self) -> Facts {
        self.connection.facts()
    }

    /// Returns a handle that can be kept beside the engine, for the end of a run.
    pub fn handle(&self) -> NaoqiHandle {
        NaoqiHandle(Arc::clone(&self.connection))
    }
}

/// A handle of a run's robot for code that does not own the engine. Clones refer to the same robot.
#[derive(Clone)]
pub struct NaoqiHandle(Arc<Connection>);

impl NaoqiHandle {
    /// Waits up to `most` until the robot has confirmed every stop command, and returns a message for each that it has
    /// not confirmed. A robot that does not respond is told to stop over a separate connection.
    pub fn settle(&self, most: Duration) -> Vec<String> {
        self.0.settle(most)
    }

    /// Returns messages about actions that continue because the robot has no command to stop them, such as lights.
    pub fn unstoppable_actions(&self) -> Vec<String> {
        self.0.unstoppable_actions()
    }

    /// Returns messages, before the run, about what will not work on this robot. `sounds`: whether the behavior plays
    /// sounds.
    pub fn missing_features(&self, sounds: bool) -> Vec<String> {
        self.0.missing_features(sounds)
    }

    /// Returns the current session, if there is one, for queries before the run.
    pub fn session(&self) -> Option<boxstep_qi::Session> {
        self.0.session()
    }

    /// Disconnects from the robot.
    pub fn close(&self) {
        self.0.close();
    }
}

impl Services for NaoqiRobot {
    fn has_service(&self, service: &str) -> bool {
        self.connection.has_service(service)
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        match self.connection.call(cx, call) {
            Ok(()) => Outcome::Pending,
            Err(error) => Outcome::Ready(Err(error)),
        }
    }

    fn cancel(&mut self, _: &mut ServiceCx<'_>, call: CallId) {
        self.connection.cancel(call);
    }

    fn timer(&mut self, _: &mut ServiceCx<'_>, _: u64) {}

    fn timer_alive(&self, _: u64) -> bool {
        false
    }

    fn subscribe(&mut self, _: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError> {
        self.heard.remove(topic);
        if on {
            let kept = self.connection.listen(topic)?;
            self.heard.insert(topic.clone(), kept);
        }
        Ok(())
    }

    fn raise(&mut self, _: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.connection.post("ALMemory", "raiseEvent", vec![key.into(), value]);
    }

    fn is_real(&self) -> bool {
        true
    }

    fn waker(&mut self, wake: Waker) {
        self.connection.mailbox.set_waker(wake);
    }

    fn heard(&mut self, cx: &mut ServiceCx<'_>) {
        self.connection.mailbox.hand_over(cx);
    }

    fn remember(&mut self, _: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.connection.post("ALMemory", "insertData", vec![key.into(), value]);
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        self.connection.halt(how, cx.now());
    }

    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        self.connection.coming_to_rest()
    }

    fn language(&self) -> String {
        self.connection.facts().language
    }

    fn topic_code(&self) -> Option<&'static str> {
        boxstep_types::languages::topic_code(&self.connection.facts().language)
    }

    fn joint_names(&mut self, _: Time) -> Option<Vec<Arc<str>>> {
        Some(self.connection.facts().joints).filter(|names| !names.is_empty())
    }
}

/// Converts the arguments of a call for the protocol.
fn wire_args(connection: &Connection, args: &[Value]) -> Vec<boxstep_qi::Value> {
    let mut objects = objects::Passing(connection);
    args.iter().map(|arg| to_wire(arg, &mut objects)).collect()
}

/// Lists the first few names, and how many more there are.
fn some_of<T: AsRef<str>>(names: &[T]) -> String {
    const FEW: usize = 6;
    let few = names.iter().take(FEW).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(FEW) {
        0 => few,
        more => format!("{few} and {more} more"),
    }
}
