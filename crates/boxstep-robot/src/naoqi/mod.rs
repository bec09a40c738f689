//! A NAO, a Pepper, or whatever speaks as one, over the qi protocol.
//!
//! The engine holds its lock while it calls [`Services`], so nothing in here waits for the robot: calls are sent and answered later,
//! through the engine's mailbox, and what takes several steps (finding a service, setting up a subscription) is done by one thread
//! per robot. What is decided here, and why, is written in `docs/robots.md`.
//!
//! - [`connection`](self): the session that comes back, what is known of the robot, and the thread that does what takes time
//! - `calls`: calls in flight, and what it takes to stop what they have begun
//! - `begun`: what goes on without a call, and the command that ends each thing
//! - `files`, `http`: files of the behavior that the robot asks for by path
//! - [`preflight`]: what would silently not work, before anything moves; [`mod@panic`]: stopping a robot from outside; [`ask`]: questions with
//!   an end, for both
//! - `ready`: nothing is commanded to a robot of which it is not known that it is ready
//! - `stop`: telling the robot to stop, and making sure that it was told
//! - `topics`: memory events and signals
//! - `watch`: what a robot tells of itself, for recordings

pub mod ask;
mod calls;
mod cancel_table;
mod connection;
mod files;
mod http;
mod objects;
pub mod panic;
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
use connection::Line;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which robot, and how patient to be with it.
#[derive(Clone, Debug)]
pub struct NaoqiOptions {
    /// Its address: `nao.local`, `10.0.0.2:9559`, `tcps://…`.
    pub address: String,
    /// What it is called in messages.
    pub name: String,
    /// Who to say we are, and the protocol's own times.
    pub qi: Options,
    /// Between tries to reach it.
    pub pauses: Pauses,
    /// Wait for a robot that is not there yet, instead of failing at the first try.
    pub wait: bool,
    /// Hears why the robot that is waited for is not there, each time that changes: its name, and why.
    pub waiting: fn(&str, &Error),
    /// How long the link may be down before the run is told that the robot is lost.
    pub gone_after: Duration,
    /// The project's folder: files in it are brought to the robot when services ask for them by path.
    pub folder: Option<PathBuf>,
    /// The package's uuid, under which web pages know the project's files.
    pub package: String,
    /// How files come to the robot; `None` for what fits its address.
    pub files: Option<FilesAre>,
}

impl NaoqiOptions {
    /// The robot at an address, and nothing special.
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
/// for missing in robot.handle().misses(true) {
///     println!("{missing}");
/// }
/// let config = Config { clock: ClockKind::Real, ..Config::default() };
/// let engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &Header::new(ClockKind::Real), Vec::new());
/// # let _ = engine;
/// # Ok::<(), boxstep_robot::naoqi::NaoqiError>(())
/// ```
pub struct NaoqiRobot {
    line: Arc<Line>,
    heard: BTreeMap<Topic, Kept>,
}

impl NaoqiRobot {
    /// Connects, and learns what the robot offers.
    ///
    /// # Errors
    /// Why there is no robot, in words for people.
    pub fn connect(options: NaoqiOptions) -> Result<Self, NaoqiError> {
        Ok(Self { line: Line::open(options)?, heard: BTreeMap::new() })
    }

    /// What was learnt of it.
    pub fn facts(&self) -> Facts {
        self.line.facts()
    }

    /// Something to hold beside the engine, for the end of a run.
    pub fn handle(&self) -> NaoqiHandle {
        NaoqiHandle(Arc::clone(&self.line))
    }
}

/// The robot of a run, for whoever does not own its engine. A clone is the same robot.
#[derive(Clone)]
pub struct NaoqiHandle(Arc<Line>);

impl NaoqiHandle {
    /// Waits until the robot has confirmed all that it was told to stop, but no longer than that; then says what it has not confirmed.
    /// A robot that could not be told is told over a connection of its own.
    pub fn settle(&self, most: Duration) -> Vec<String> {
        self.0.settle(most)
    }

    /// What the robot could not be stopped from doing because it has no command for that, in words for people: lights.
    pub fn goes_on(&self) -> Vec<String> {
        self.0.goes_on()
    }

    /// What to know before the run starts: what will not work on this robot, in words for people.
    pub fn misses(&self, sounds: bool) -> Vec<String> {
        self.0.misses(sounds)
    }

    /// The session now, if there is one: for questions before the run.
    pub fn session(&self) -> Option<boxstep_qi::Session> {
        self.0.session()
    }

    /// Leaves the robot.
    pub fn close(&self) {
        self.0.close();
    }
}

impl Services for NaoqiRobot {
    fn has_service(&self, service: &str) -> bool {
        self.line.has_service(service)
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        match self.line.call(cx, call) {
            Ok(()) => Outcome::Pending,
            Err(error) => Outcome::Ready(Err(error)),
        }
    }

    fn cancel(&mut self, _: &mut ServiceCx<'_>, call: CallId) {
        self.line.cancel(call);
    }

    fn timer(&mut self, _: &mut ServiceCx<'_>, _: u64) {}

    fn timer_alive(&self, _: u64) -> bool {
        false
    }

    fn subscribe(&mut self, _: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError> {
        self.heard.remove(topic);
        if on {
            let kept = self.line.listen(topic)?;
            self.heard.insert(topic.clone(), kept);
        }
        Ok(())
    }

    fn raise(&mut self, _: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.line.tell("ALMemory", "raiseEvent", vec![key.into(), value]);
    }

    fn is_real(&self) -> bool {
        true
    }

    fn waker(&mut self, wake: Waker) {
        self.line.mailbox.set_waker(wake);
    }

    fn heard(&mut self, cx: &mut ServiceCx<'_>) {
        self.line.mailbox.hand_over(cx);
    }

    fn remember(&mut self, _: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.line.tell("ALMemory", "insertData", vec![key.into(), value]);
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        self.line.halt(how, cx.now());
    }

    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        self.line.coming_to_rest()
    }

    fn language(&self) -> String {
        self.line.facts().language
    }

    fn topic_code(&self) -> Option<&'static str> {
        boxstep_services::language_code(&self.line.facts().language)
    }

    fn joint_names(&mut self, _: Time) -> Option<Vec<Arc<str>>> {
        Some(self.line.facts().joints).filter(|names| !names.is_empty())
    }
}

/// Arguments as they travel.
fn wire_args(line: &Line, args: &[Value]) -> Vec<boxstep_qi::Value> {
    let mut objects = objects::Passing(line);
    args.iter().map(|arg| to_wire(arg, &mut objects)).collect()
}
