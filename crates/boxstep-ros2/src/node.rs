//! A node of ROS 2, without ROS: what `naoqi_driver2` publishes and takes, under its names, and an action that plays
//! behaviors. It speaks DDS (RTPS), as the usual ROS 2 does.
//!
//! A [`Node`] has a thread of its own for what comes in, which it passes to an [`Actor`]. Without another wish it uses the
//! loopback interface alone, so that other machines neither see nor move the robot.

mod follow;
mod play;

pub use follow::{FollowError, Followed, PATIENCE, follow};

use crate::frames::{self, Frame};
use crate::messages::builtin_interfaces::Time as Stamp;
use crate::messages::geometry_msgs::Twist;
use crate::messages::naoqi_bridge_msgs::{Bumper, HandTouch, HeadTouch, JointAnglesWithSpeed};
use crate::messages::rcl_interfaces::Log;
use crate::messages::sensor_msgs::JointState;
use crate::messages::std_msgs::{Header, Text};
use crate::messages::tf2_msgs::TfMessage;
use crate::messages::{self, Message};
use crate::posture::Posture;
use crate::said::Said;
use crate::tf::{placed, transforms};
use crate::{frames::Turn, urdf};
use boxstep_bodies::Body;
use boxstep_dynamics::Model;
use futures::StreamExt as _;
use futures::channel::oneshot;
use futures::future;
use play::BehaviorServer;
use ros2_client::dds::rustdds::{DomainParticipant, DomainParticipantBuilder};
use ros2_client::qos::{Durability, History, WhenFull};
use ros2_client::{Context, MessageTypeName, Name, NodeName, NodeOptions, Publisher, QosProfile, Subscription};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::thread::JoinHandle;

/// The largest number of a domain whose ports exist.
pub const LARGEST_DOMAIN: u16 = 232;

/// How a node is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeWish {
    /// The name of the node.
    pub name: String,
    /// The number of the domain (`ROS_DOMAIN_ID`).
    pub domain: u16,
    /// Whether other machines reach it.
    pub network: bool,
}

/// What a node does with what it is told.
pub trait Actor: Send + Sync {
    /// Says a text.
    fn say(&self, text: &str);
    /// Walks at a speed, until told otherwise.
    fn walk(&self, speed: &Twist);
    /// Moves joints.
    fn angles(&self, wanted: &JointAnglesWithSpeed);
    /// Begins to play a behavior.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn play(&self, behavior: &str) -> Result<Playing, String>;
}

/// A behavior that plays.
pub struct Playing {
    /// Gets the end: whether there was no error.
    pub end: oneshot::Receiver<bool>,
    /// Stops it.
    pub stop: Box<dyn FnMut() + Send>,
}

/// Why there is no node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeError {
    /// The name is not one of ROS: the name, and why.
    Name(String, String),
    /// The domain has no ports.
    Domain(u16),
    /// The network cannot be used: what failed.
    Network(String),
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeError::Name(name, why) => write!(f, "`{name}` is no name of a node: {why}"),
            NodeError::Domain(number) => write!(f, "the domain {number} is larger than {LARGEST_DOMAIN}"),
            NodeError::Network(why) => write!(f, "no node of ROS 2 can be made: {why}"),
        }
    }
}

impl std::error::Error for NodeError {}

/// A node; it leaves the network when it is dropped.
pub struct Node {
    publishers: Publishers,
    model: Model,
    frames: Vec<Frame>,
    names: Vec<String>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Publishers {
    joints: Publisher<JointState>,
    frames: Publisher<TfMessage>,
    speech: Publisher<Text>,
    bumper: Publisher<Bumper>,
    head: Publisher<HeadTouch>,
    hand: Publisher<HandTouch>,
    log: Publisher<Log>,
    _fixed: Publisher<TfMessage>,
    _description: Publisher<Text>,
}

/// The messages that the library sends and receives.
macro_rules! on_the_wire {
    ($($message:ty),*) => { $(impl ros2_client::Message for $message {})* };
}
on_the_wire!(JointState, TfMessage, Text, Bumper, HeadTouch, HandTouch, Log, Twist, JointAnglesWithSpeed);

impl Node {
    /// Makes a node for a body and publishes what does not change.
    ///
    /// # Errors
    /// [`NodeError`].
    pub fn start(wish: &NodeWish, body: &'static Body, actor: Arc<dyn Actor>) -> Result<Self, NodeError> {
        let participant = participant(wish)?;
        let context = Context::from_domain_participant(participant).map_err(network)?;
        let name = NodeName::new("/", &wish.name).map_err(|why| NodeError::Name(wish.name.clone(), why.to_string()))?;
        // The log has a publisher of ours, with the boxes as names.
        let options = NodeOptions::new().enable_rosout(false);
        let mut node = context.new_node(name, options).map_err(network)?;
        let frames = frames::of(body);
        let publishers = Publishers {
            joints: publisher(&mut node, "joint_states", &usual(10))?,
            frames: publisher(&mut node, "tf", &usual(100))?,
            // The robot listens to `speech`, so what it says has another name.
            speech: publisher(&mut node, "said", &usual(10))?,
            bumper: publisher(&mut node, "bumper", &usual(10))?,
            head: publisher(&mut node, "head_touch", &usual(10))?,
            hand: publisher(&mut node, "hand_touch", &usual(10))?,
            log: publisher(&mut node, "rosout", &latched(1000))?,
            _fixed: publisher(&mut node, "tf_static", &latched(1))?,
            _description: publisher(&mut node, "robot_description", &latched(1))?,
        };
        let speech: Subscription<Text> = subscription(&mut node, "speech")?;
        let speed: Subscription<Twist> = subscription(&mut node, "cmd_vel")?;
        let angles: Subscription<JointAnglesWithSpeed> = subscription(&mut node, "joint_angles")?;
        let behaviors = BehaviorServer::new(&mut node)?;
        let spinner = node.spinner().map_err(network)?;

        let fixed = frames.iter().filter(|frame| frame.turn == Turn::Fixed);
        let fixed = fixed.map(|frame| placed(Stamp::default(), &frame.parent, &frame.name, &frame.pose(&[])));
        // Without a subscriber these are kept for later ones.
        let _ = publishers._fixed.publish(TfMessage { transforms: fixed.collect() });
        let _ = publishers._description.publish(Text { data: urdf::of(body) });

        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            futures::executor::block_on(async move {
                let hear = speech.async_stream().for_each(|text| {
                    if let Ok((text, _)) = text {
                        actor.say(&text.data);
                    }
                    future::ready(())
                });
                let walk = speed.async_stream().for_each(|speed| {
                    if let Some((speed, _)) = speed.ok().filter(|(speed, _)| is_sound(speed)) {
                        actor.walk(&speed);
                    }
                    future::ready(())
                });
                let turn = angles.async_stream().for_each(|wanted| {
                    let are_sound = |wanted: &JointAnglesWithSpeed| {
                        wanted.speed.is_finite() && wanted.joint_angles.iter().all(|angle| angle.is_finite())
                    };
                    if let Some((wanted, _)) = wanted.ok().filter(|(wanted, _)| are_sound(wanted)) {
                        actor.angles(&wanted);
                    }
                    future::ready(())
                });
                let all = future::join5(spinner.spin(), hear, walk, turn, behaviors.serve(&*actor));
                future::select(stopped, Box::pin(all)).await;
                // The node lives as long as its publishers and subscriptions.
                drop(node);
            })
        };
        let thread = std::thread::Builder::new().name("ros2".to_owned()).spawn(serve).map_err(network)?;
        let names = body.joints.iter().map(|joint| joint.name.to_owned()).collect();
        Ok(Self { publishers, model: Model::new(body), frames, names, stop: Some(stop), thread: Some(thread) })
    }

    /// Publishes where the robot and its joints are at a time in nanoseconds since 1970. What a slow subscriber has no
    /// room for is dropped.
    pub fn posture(&self, nanos: i64, posture: &Posture) {
        let stamp = Stamp::from_nanos(nanos);
        let header = Header { stamp, frame_id: String::new() };
        let state =
            JointState { header, name: self.names.clone(), position: posture.angles.clone(), ..JointState::default() };
        let _ = self.publishers.joints.publish(state);
        let transforms = transforms(&self.model, &self.frames, posture, stamp);
        let _ = self.publishers.frames.publish(TfMessage { transforms });
    }

    /// Publishes what happens. What a slow subscriber has no room for is dropped.
    pub fn say(&self, said: Said) {
        match said {
            Said::Speech(text) => drop(self.publishers.speech.publish(text)),
            Said::Bumper(touch) => drop(self.publishers.bumper.publish(touch)),
            Said::HeadTouch(touch) => drop(self.publishers.head.publish(touch)),
            Said::HandTouch(touch) => drop(self.publishers.hand.publish(touch)),
            Said::Log(line) => drop(self.publishers.log.publish(line)),
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may have ended by itself.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Makes who takes part in a domain, seen by as many as wished.
fn participant(wish: &NodeWish) -> Result<DomainParticipant, NodeError> {
    if wish.domain > LARGEST_DOMAIN {
        return Err(NodeError::Domain(wish.domain));
    }
    let mut participant = DomainParticipantBuilder::new(wish.domain);
    if !wish.network {
        participant = participant.with_only_networks([IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    }
    participant.build().map_err(network)
}

/// Returns whether a speed can be told to a robot, which counts in 32 bits.
fn is_sound(speed: &Twist) -> bool {
    [speed.linear.x, speed.linear.y, speed.angular.z].iter().all(|part| (*part as f32).is_finite())
}

fn network(why: impl fmt::Debug) -> NodeError {
    NodeError::Network(format!("{why:?}"))
}

/// The quality of service of a topic that nobody needs to see from its beginning.
fn usual(depth: usize) -> QosProfile {
    QosProfile::publisher_default().reliability_reliable(WhenFull::Fail).history(History::KeepLast { depth })
}

/// The quality of service of a topic whose last messages later subscribers get, too.
fn latched(depth: usize) -> QosProfile {
    usual(depth).durability(Durability::TransientLocal)
}

fn type_name<M: Message>() -> MessageTypeName {
    let (package, name) = messages::names::<M>();
    MessageTypeName::new(package, name)
}

fn publisher<M: Message + ros2_client::Message>(
    node: &mut ros2_client::Node,
    topic: &str,
    quality: &QosProfile,
) -> Result<Publisher<M>, NodeError> {
    let name = Name::new("/", topic).map_err(network)?;
    let topic = node.create_topic(&name, type_name::<M>(), quality).map_err(network)?;
    node.create_publisher(&topic, Some(quality.clone())).map_err(network)
}

fn subscription<M: Message + ros2_client::Message + 'static>(
    node: &mut ros2_client::Node,
    topic: &str,
) -> Result<Subscription<M>, NodeError> {
    let name = Name::new("/", topic).map_err(network)?;
    let topic = node.create_topic(&name, type_name::<M>(), &usual(10)).map_err(network)?;
    node.create_subscription(&topic, Some(usual(10))).map_err(network)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_finite_for_the_robot_too() {
        let turning = |z: f64| {
            let mut speed = Twist::default();
            speed.angular.z = z;
            is_sound(&speed)
        };
        assert!(turning(-0.5) && turning(f64::from(f32::MAX)));
        assert!(!turning(1e300) && !turning(f64::NAN) && !turning(f64::NEG_INFINITY));
    }
}
