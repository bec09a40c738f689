//! A run as a node of ROS 2.

mod real_joints;
mod walks;

use super::attachment::{Attachment, StartedRun};
use crate::args::NodeArgs;
use crate::console::Outlet;
use crate::failure::Failure;
use anstyle::Style;
use boxstep_bodies::Body;
use boxstep_dynamics::Model;
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_engine::trace::{Event, Footer, Header, PathTexts, Paths, Pose, Sink, TorsoPose};
use boxstep_robot::naoqi::NaoqiHandle;
use boxstep_ros2::messages::builtin_interfaces::Time as Stamp;
use boxstep_ros2::messages::geometry_msgs::Twist;
use boxstep_ros2::messages::naoqi_bridge_msgs::JointAnglesWithSpeed;
use boxstep_ros2::node::{Actor, LARGEST_DOMAIN, Node, NodeWish, Playing};
use boxstep_ros2::posture::{self, Posture, standing};
use boxstep_ros2::said::{self, Said};
use boxstep_types::{Time, Value};
use futures::channel::oneshot;
use real_joints::RealJoints;
use std::ffi::OsStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use walks::Walks;

const DIM: Style = Style::new().dimmed();

/// How many times a second the robot's joints are published.
pub(crate) const HZ: f64 = 50.0;
/// The time between two of them.
const TICK: Duration = Duration::from_millis(20);

/// What the node is told by the run.
enum Told {
    Pose(Pose),
    Said(Said),
}

/// Makes the run a node.
pub(crate) struct RosNode {
    wish: NodeWish,
    body: &'static Body,
    outlet: Option<Outlet>,
    /// The real robot of the run, which is asked where its joints are.
    robot: Option<NaoqiHandle>,
    told: Option<(Sender<Told>, Receiver<Told>)>,
    /// The threads of the run; each ends when the sender is dropped.
    threads: Vec<(Sender<()>, JoinHandle<()>)>,
}

impl RosNode {
    /// Prepares the node, if one is wanted.
    ///
    /// # Errors
    /// `ROS_DOMAIN_ID` is no number of a domain.
    pub(crate) fn new(
        args: &NodeArgs,
        body: &'static Body,
        robot: Option<NaoqiHandle>,
        outlet: Option<Outlet>,
    ) -> Result<Option<Self>, Failure> {
        let Some(reach) = args.ros2 else { return Ok(None) };
        let wish = NodeWish {
            name: args.ros2_name.clone(),
            domain: ros_domain()?,
            network: reach == crate::args::Reach::Network,
        };
        Ok(Some(Self { wish, body, outlet, robot, told: Some(channel()), threads: Vec::new() }))
    }

    /// Starts a thread of the run.
    fn spawn(&mut self, name: &str, run: impl FnOnce(Receiver<()>) + Send + 'static) -> std::io::Result<()> {
        let (over, ended) = channel();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || run(ended))?;
        self.threads.push((over, thread));
        Ok(())
    }
}

/// Returns the number of the domain that the environment names.
pub(crate) fn ros_domain() -> Result<u16, Failure> {
    domain(std::env::var_os("ROS_DOMAIN_ID").as_deref())
}

/// Reads `ROS_DOMAIN_ID`.
fn domain(text: Option<&OsStr>) -> Result<u16, Failure> {
    let text = text.unwrap_or_default().to_string_lossy();
    let text = text.trim();
    if text.is_empty() {
        return Ok(0);
    }
    let number = text.parse().ok().filter(|number| *number <= LARGEST_DOMAIN);
    number.ok_or_else(|| Failure::Usage(format!("ROS_DOMAIN_ID is `{text}`, and no number from 0 to {LARGEST_DOMAIN}")))
}

impl Attachment for RosNode {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        let told = self.told.as_ref().map(|(sender, _)| sender.clone());
        told.map(|told| Box::new(NodeSink { told, texts: PathTexts::default() }) as Box<dyn Sink>).into_iter().collect()
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let Some((_, told)) = self.told.take() else { return Ok(()) };
        let walks = Walks::new(started.engine.clone());
        let actor = EngineActor { engine: started.engine.clone(), walks: walks.clone() };
        let node = Node::start(&self.wish, self.body, Arc::new(actor))
            .map_err(|why| Failure::Run(format!("--ros2: {why}")))?;
        self.spawn("walks", move |ended| walks.watch(&ended))?;
        let robot = self.robot.take().map(RealJoints::new);
        let model = Model::new(self.body);
        self.spawn("states", move |ended| States { node, told, ended, model, robot }.publish())?;
        if let Some(outlet) = &self.outlet {
            let NodeWish { name, domain, network } = &self.wish;
            let reach = if *network { "the network" } else { "this machine" };
            outlet.send(format!("{DIM}ROS 2: node /{name} in domain {domain}, for {reach}{DIM:#}\n"));
        }
        Ok(())
    }

    fn detach(&mut self) {
        // The last one first: it has the node, through which walks come.
        while let Some((over, thread)) = self.threads.pop() {
            drop(over);
            // A thread that has panicked has ended, too.
            let _ = thread.join();
        }
    }
}

/// Receives what happens in the run, with the engine's lock held.
struct NodeSink {
    told: Sender<Told>,
    texts: PathTexts,
}

impl Sink for NodeSink {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], paths: &Paths) {
        for event in events {
            let path = self.texts.get(event, paths).map(|path| path.to_string()).unwrap_or_default();
            if let Some(said) = said::of(event, &path, Stamp::from_nanos(now())) {
                // Nobody listens once the node is gone.
                let _ = self.told.send(Told::Said(said));
            }
        }
    }

    fn pose(&mut self, _: Time, pose: &Pose) {
        let _ = self.told.send(Told::Pose(pose.clone()));
    }

    fn end(&mut self, _: &Footer) {}
}

/// Returns the time of the machine's clock, in nanoseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// Publishes where the robot is.
struct States {
    node: Node,
    told: Receiver<Told>,
    /// It ends when the other side of this is dropped.
    ended: Receiver<()>,
    model: Model,
    robot: Option<RealJoints>,
}

impl States {
    fn publish(mut self) {
        let body = self.model.body();
        let mut angles = self.model.awake();
        let mut torso: Option<TorsoPose> = None;
        let mut known = false;
        let mut next = Instant::now();
        loop {
            match self.ended.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => {}
                _ => return,
            }
            // A machine that was busy skips what it has missed.
            next = (next + TICK).max(Instant::now());
            for told in self.told.try_iter() {
                match told {
                    Told::Said(said) => self.node.say(said),
                    Told::Pose(pose) => {
                        for (name, angle) in &pose.angles {
                            if let Some(joint) = body.joint_index(name).and_then(|joint| angles.get_mut(joint)) {
                                (*joint, known) = (*angle, true);
                            }
                        }
                        torso = pose.torso.or(torso);
                    }
                }
            }
            if let Some(robot) = &mut self.robot {
                if let Some(posture) = robot.posture(&self.model) {
                    self.node.posture(now(), &posture);
                }
            } else if known {
                let torso = torso.map_or_else(|| standing(&self.model, &angles), posture::torso);
                self.node.posture(now(), &Posture { angles: angles.clone(), torso });
            }
        }
    }
}

/// Does what the node is told, as a client of the run.
struct EngineActor {
    engine: Shared<Engine>,
    walks: Walks,
}

/// Calls a service, and does not wait for the result.
fn call(engine: &mut Engine, service: &str, method: &str, args: &[Value]) {
    engine.call_from_outside(service, method, args, Box::new(|_| {}));
}

impl Actor for EngineActor {
    fn say(&self, text: &str) {
        self.engine.poke(|engine| call(engine, "ALTextToSpeech", "say", &[text.into()]));
    }

    fn walk(&self, speed: &Twist) {
        self.walks.walk(speed);
    }

    fn angles(&self, wanted: &JointAnglesWithSpeed) {
        let names = Value::list(wanted.joint_names.iter().map(|name| name.as_str().into()));
        let angles = Value::list(wanted.joint_angles.iter().map(|angle| f64::from(*angle).into()));
        let method = if wanted.relative == 0 { "setAngles" } else { "changeAngles" };
        let args = [names, angles, f64::from(wanted.speed).into()];
        self.engine.poke(|engine| call(engine, "ALMotion", method, &args));
    }

    fn play(&self, behavior: &str) -> Result<Playing, String> {
        let (over, mut end) = oneshot::channel();
        let refused = Arc::new(Mutex::new(None));
        let why = refused.clone();
        let then = move |result: Result<Value, String>| {
            let no_errors = result.is_ok();
            *why.lock().unwrap_or_else(PoisonError::into_inner) = result.err();
            // Nobody waits if the node is gone.
            let _ = over.send(no_errors);
        };
        let args = [Value::from(behavior)];
        self.engine.poke(|engine| {
            engine.call_from_outside("ALBehaviorManager", "runBehavior", &args, Box::new(then));
        });
        let is_refused = refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(why) = is_refused {
            return Err(why);
        }
        // It may be over already.
        let end = match end.try_recv() {
            Ok(Some(no_errors)) => {
                let (over, end) = oneshot::channel();
                let _ = over.send(no_errors);
                end
            }
            _ => end,
        };
        let (engine, behavior) = (self.engine.clone(), behavior.to_owned());
        let stop = move || {
            engine.poke(|engine| call(engine, "ALBehaviorManager", "stopBehavior", &[behavior.as_str().into()]));
        };
        Ok(Playing { end, stop: Box::new(stop) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_is_a_number_that_has_ports() {
        let domain = |text: &str| domain(Some(OsStr::new(text)));
        assert_eq!(super::domain(None).unwrap(), 0);
        assert_eq!(domain("").unwrap(), 0);
        assert_eq!((domain(" 7 ").unwrap(), domain("232").unwrap()), (7, 232));
        for text in ["left", "233", "-1", "70000"] {
            let why = domain(text).map(|_| ()).unwrap_err();
            assert!(matches!(why, Failure::Usage(_)));
            assert_eq!(why.to_string(), format!("ROS_DOMAIN_ID is `{text}`, and no number from 0 to 232"));
        }
    }
}
