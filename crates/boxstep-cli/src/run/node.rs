//! A run as a node of ROS 2.

use super::attachment::{Attachment, StartedRun};
use crate::args::NodeArgs;
use crate::console::Outlet;
use crate::failure::Failure;
use anstyle::Style;
use boxstep_bodies::Body;
use boxstep_dynamics::{Isometry3, Model, Translation3, UnitQuaternion};
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_engine::trace::{Event, Footer, Header, PathTexts, Paths, Pose, Sink, TorsoPose};
use boxstep_qi::{Remote, Value as Wire};
use boxstep_robot::naoqi::NaoqiHandle;
use boxstep_ros2::messages::builtin_interfaces::Time as Stamp;
use boxstep_ros2::messages::geometry_msgs::Twist;
use boxstep_ros2::messages::naoqi_bridge_msgs::JointAnglesWithSpeed;
use boxstep_ros2::node::{Actor, Node, NodeWish, Playing};
use boxstep_ros2::posture::{self, Posture, standing};
use boxstep_ros2::said::{self, Said};
use boxstep_types::{Time, Value};
use futures::channel::oneshot;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const DIM: Style = Style::new().dimmed();

/// How many times a second the robot's joints are published.
pub(crate) const HZ: f64 = 50.0;
/// The time between two of them.
const TICK: Duration = Duration::from_millis(20);
/// How long the robot walks at a speed without being told again: who told it may be gone.
const WALKS: Duration = Duration::from_secs(1);

/// How long a real robot may take to say where it is.
const ANSWER: Duration = Duration::from_millis(500);

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
    states: Option<(Sender<()>, JoinHandle<()>)>,
}

impl RosNode {
    /// Prepares the node, if one is wanted.
    ///
    /// # Errors
    /// The domain in the environment is no number.
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
        Ok(Some(Self { wish, body, outlet, robot, told: Some(channel()), states: None }))
    }
}

/// Returns the number of the domain that the environment names.
pub(crate) fn ros_domain() -> Result<u16, Failure> {
    domain(std::env::var("ROS_DOMAIN_ID").ok().as_deref())
}

/// Reads `ROS_DOMAIN_ID`.
fn domain(text: Option<&str>) -> Result<u16, Failure> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(0),
        Some(text) => text.parse().map_err(|_| Failure::Usage(format!("ROS_DOMAIN_ID is `{text}`, and no number"))),
    }
}

impl Attachment for RosNode {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        let told = self.told.as_ref().map(|(sender, _)| sender.clone());
        told.map(|told| Box::new(NodeSink { told, texts: PathTexts::default() }) as Box<dyn Sink>).into_iter().collect()
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let Some((_, told)) = self.told.take() else { return Ok(()) };
        let walks = Arc::new(Mutex::new(None));
        let actor = EngineActor { engine: started.engine.clone(), walks: walks.clone() };
        let node = Node::start(&self.wish, self.body, Arc::new(actor))
            .map_err(|why| Failure::Run(format!("--ros2: {why}")))?;
        let (over, ended) = channel();
        let robot = self.robot.take().map(RealJoints::new);
        let model = Model::new(self.body);
        let states = States { node, told, ended, model, robot, engine: started.engine.clone(), walks };
        let thread = std::thread::Builder::new().name("states".to_owned()).spawn(move || states.publish())?;
        self.states = Some((over, thread));
        if let Some(outlet) = &self.outlet {
            let NodeWish { name, domain, network } = &self.wish;
            let reach = if *network { "the network" } else { "this machine" };
            outlet.send(format!("{DIM}ROS 2: node /{name} in domain {domain}, for {reach}{DIM:#}\n"));
        }
        Ok(())
    }

    fn detach(&mut self) {
        if let Some((over, thread)) = self.states.take() {
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
    engine: Shared<Engine>,
    walks: Arc<Mutex<Option<Instant>>>,
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
            let mut walks = self.walks.lock().unwrap_or_else(PoisonError::into_inner);
            if walks.is_some_and(|since| since.elapsed() > WALKS) {
                *walks = None;
                drop(walks);
                call(&self.engine, "ALMotion", "stopMove", &[]);
            }
        }
    }
}

/// Asks a real robot where it is, as the driver does.
struct RealJoints {
    handle: NaoqiHandle,
    /// Its service of motion and the names of its joints, while they are known.
    motion: Option<(Remote, Vec<String>)>,
}

impl RealJoints {
    fn new(handle: NaoqiHandle) -> Self {
        Self { handle, motion: None }
    }

    /// Returns where the robot is; `None` if it does not answer.
    fn posture(&mut self, model: &Model) -> Option<Posture> {
        if self.motion.is_none() {
            let motion = self.handle.session()?.service("ALMotion").ok()?;
            let names = motion.call_within("getBodyNames", &["Body".into()], ANSWER).ok()?;
            let names = names.plain().as_slice()?.iter().filter_map(|name| Some(name.plain().as_str()?.to_owned()));
            self.motion = Some((motion, names.collect()));
        }
        let asked = self.ask(model);
        if asked.is_none() {
            // The robot may be another one after a lost connection.
            self.motion = None;
        }
        asked
    }

    fn ask(&self, model: &Model) -> Option<Posture> {
        let (motion, names) = self.motion.as_ref()?;
        let found = numbers(&motion.call_within("getAngles", &["Body".into(), true.into()], ANSWER).ok()?)?;
        let mut angles = model.awake();
        for (name, angle) in names.iter().zip(&found) {
            if let Some(joint) = model.body().joint_index(name).and_then(|joint| angles.get_mut(joint)) {
                *joint = *angle;
            }
        }
        let place = motion.call_within("getPosition", &["Torso".into(), 1_i64.into(), true.into()], ANSWER).ok();
        let torso = match place.as_ref().and_then(numbers).as_deref() {
            Some([x, y, z, roll, pitch, yaw]) => Isometry3::from_parts(
                Translation3::new(*x, *y, *z),
                UnitQuaternion::from_euler_angles(*roll, *pitch, *yaw),
            ),
            _ => standing(model, &angles),
        };
        Some(Posture { angles, torso })
    }
}

/// Returns the numbers of a list.
fn numbers(list: &Wire) -> Option<Vec<f64>> {
    let number = |value: &Wire| {
        let plain = value.plain();
        plain.as_f64().or_else(|| plain.as_i64().map(|number| number as f64))
    };
    list.plain().as_slice()?.iter().map(number).collect()
}

/// Does what the node is told, as a client of the run.
struct EngineActor {
    engine: Shared<Engine>,
    /// When it was last told to walk.
    walks: Arc<Mutex<Option<Instant>>>,
}

/// Calls a service, and does not wait for the result.
fn call(engine: &Shared<Engine>, service: &str, method: &str, args: &[Value]) {
    engine.poke(|engine| engine.call_from_outside(service, method, args, Box::new(|_| {})));
}

impl Actor for EngineActor {
    fn say(&self, text: &str) {
        call(&self.engine, "ALTextToSpeech", "say", &[text.into()]);
    }

    fn walk(&self, speed: &Twist) {
        let (x, y, turn) = (speed.linear.x, speed.linear.y, speed.angular.z);
        let stands = x == 0.0 && y == 0.0 && turn == 0.0;
        *self.walks.lock().unwrap_or_else(PoisonError::into_inner) = (!stands).then(Instant::now);
        match stands {
            true => call(&self.engine, "ALMotion", "stopMove", &[]),
            false => call(&self.engine, "ALMotion", "move", &[x.into(), y.into(), turn.into()]),
        }
    }

    fn angles(&self, wanted: &JointAnglesWithSpeed) {
        let names = Value::list(wanted.joint_names.iter().map(|name| name.as_str().into()));
        let angles = Value::list(wanted.joint_angles.iter().map(|angle| f64::from(*angle).into()));
        let method = if wanted.relative == 0 { "setAngles" } else { "changeAngles" };
        call(&self.engine, "ALMotion", method, &[names, angles, f64::from(wanted.speed).into()]);
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
        let stop = move || call(&engine, "ALBehaviorManager", "stopBehavior", &[behavior.as_str().into()]);
        Ok(Playing { end, stop: Box::new(stop) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_is_a_number() {
        assert_eq!(domain(None).unwrap(), 0);
        assert_eq!(domain(Some("")).unwrap(), 0);
        assert_eq!(domain(Some(" 7 ")).unwrap(), 7);
        let why = domain(Some("left")).map(|_| ()).unwrap_err();
        assert_eq!(why.to_string(), "ROS_DOMAIN_ID is `left`, and no number");
    }
}
