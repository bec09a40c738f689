//! The body's data as the services need them: joints and LEDs by number.

use super::args::Args;
use super::frames::{Pose, midway};
pub(crate) use boxstep_bodies::Channel;
use boxstep_bodies::{Body, Build, Fact, Gait, JointKind, TouchSensor};
use boxstep_dynamics::{End, Model};
use boxstep_engine::services::ServiceError;
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A simulated robot's body.
#[derive(Debug)]
pub(crate) struct SimBody {
    data: &'static Body,
    model: Model,
    names: Vec<Arc<str>>,
    /// For each joint, the joint whose motor moves it.
    leaders: Vec<usize>,
    /// Each channel of each LED: the device name, and the channel.
    leds: Vec<(String, Channel)>,
    /// Channel numbers by the name of an LED, a device or a group.
    groups: BTreeMap<String, Vec<usize>>,
    feet: Vec<Foot>,
}

/// A part on which the robot stands: a foot, or a base on wheels.
#[derive(Debug)]
pub(crate) struct Foot {
    /// Its frame: that of the end of a leg, or of the link.
    pub(crate) end: End,
    /// The number of its link.
    pub(crate) link: usize,
    /// The corners of its sole, in the link's frame.
    pub(crate) outline: &'static [[f64; 3]],
    /// Where it stands in the posture of waking up, in the robot's frame.
    pub(crate) usual: Pose,
}

/// Returns what a body stands on.
fn feet(data: &Body, model: &Model) -> Vec<Foot> {
    let legs = ["LLeg", "RLeg"].map(|leg| model.end(leg));
    let both = data.geometry.soles.len() == legs.len();
    let feet = data.geometry.soles.iter().zip(legs.iter().chain([&None; 8])).filter_map(|(sole, leg)| {
        let link = model.links().iter().position(|link| link.name == sole.link)?;
        let end = leg.filter(|_| both && legs.iter().all(Option::is_some)).or_else(|| model.end(sole.link))?;
        Some(Foot { end, link, outline: sole.outline, usual: Pose::identity() })
    });
    let mut feet: Vec<Foot> = feet.collect();
    let links = model.forward(&model.awake());
    let Some(torso) = model.torso_over_floor(&links) else { return feet };
    let all: Vec<Pose> = feet.iter().map(|foot| torso * foot.end.pose(&links)).collect();
    if let Some(robot) = midway(&all) {
        for (foot, at) in feet.iter_mut().zip(&all) {
            foot.usual = midway(std::slice::from_ref(at)).map_or(robot, |at| robot.inv_mul(&at));
        }
    }
    feet
}

/// The prefix of device names in memory.
pub(crate) const DEVICES: &str = "Device/SubDeviceList/";

impl SimBody {
    pub(crate) fn new(data: &'static Body) -> Self {
        let names: Vec<Arc<str>> = data.joints.iter().map(|j| j.name.into()).collect();
        let leader = |(i, joint): (usize, &boxstep_bodies::Joint)| {
            let coupling = data.couplings.iter().find(|c| c.joint == joint.name);
            coupling.and_then(|c| data.joint_index(c.follows)).unwrap_or(i)
        };
        let leaders = data.joints.iter().enumerate().map(leader).collect();
        let mut leds = Vec::new();
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for led in data.leds {
            for channel in led.channels {
                let device = led.device(*channel);
                groups.insert(device.clone(), vec![leds.len()]);
                groups.entry(led.name.to_owned()).or_default().push(leds.len());
                leds.push((device, *channel));
            }
        }
        for group in data.led_groups {
            let all = group.leds.iter().filter_map(|led| groups.get(*led)).flatten();
            let driven = |i: &&usize| leds.get(**i).is_some_and(|(_, c)| group.channels.contains(c));
            let members: Vec<usize> = all.filter(driven).copied().collect();
            groups.insert(group.name.to_owned(), members);
        }
        let model = Model::new(data);
        let feet = feet(data, &model);
        Self { data, model, names, leaders, leds, groups, feet }
    }

    /// Returns the touch sensors, bumpers and buttons.
    pub(crate) fn touch(&self) -> &'static [TouchSensor] {
        self.data.touch
    }

    /// Returns whether the robot has a service that the simulation knows.
    pub(crate) fn offers(&self, service: &str) -> bool {
        self.data.offers(service)
    }

    /// Returns the data besides its joints.
    pub(crate) fn build(&self) -> &'static Build {
        &self.data.build
    }

    /// Returns the kinematics and the masses.
    pub(crate) fn geometry(&self) -> &boxstep_bodies::Geometry {
        &self.data.geometry
    }

    /// Returns a posture of this name.
    pub(crate) fn known_posture(&self, name: &str) -> Option<&'static boxstep_bodies::Posture> {
        self.data.posture(name)
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// Returns what it stands on.
    pub(crate) fn feet(&self) -> &[Foot] {
        &self.feet
    }

    /// Returns the number of joints.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn joint(&self, name: &str) -> Option<usize> {
        self.data.joint_index(name)
    }

    pub(crate) fn joint_name(&self, joint: usize) -> Arc<str> {
        self.names.get(joint).cloned().unwrap_or_default()
    }

    /// Returns the joint whose motor moves this one, which mostly is this one.
    pub(crate) fn leader(&self, joint: usize) -> usize {
        self.leaders.get(joint).copied().unwrap_or(joint)
    }

    /// Returns the joint names of a joint, chain or collection; empty if there is none of that name.
    pub(crate) fn joint_names(&self, name: &str) -> Vec<Arc<str>> {
        self.data.joints_of(name).into_iter().filter_map(|n| self.joint(n)).map(|j| self.joint_name(j)).collect()
    }

    /// Returns the answer of `getBodyNames`.
    pub(crate) fn body_names(&self, name: &str) -> Vec<&'static str> {
        self.data.body_names(name)
    }

    /// Returns the error message for a name that is not a joint of this body.
    pub(crate) fn no_joint(&self, name: &str) -> String {
        format!("`{name}` is not a joint or chain of {}", self.data.name)
    }

    /// Returns the joints of an argument, which is a name or a list of names.
    pub(crate) fn joints_of(&self, args: Args<'_>, i: usize) -> Result<Vec<usize>, ServiceError> {
        let mut joints = Vec::new();
        for name in args.texts(i, "names")? {
            let of = self.data.joints_of(name);
            if of.is_empty() {
                return Err(ServiceError::BadArguments(self.no_joint(name)));
            }
            joints.extend(of.into_iter().filter_map(|n| self.joint(n)));
        }
        Ok(joints)
    }

    pub(crate) fn limits(&self, joint: usize) -> (f64, f64) {
        self.data.joints.get(joint).map_or((0.0, 0.0), |j| (j.min, j.max))
    }

    /// Returns the largest speed, in value per second.
    pub(crate) fn speed(&self, joint: usize) -> f64 {
        self.data.joints.get(joint).map_or(1.0, |j| j.max_speed)
    }

    /// Returns the largest torque at the joint, in newton metres; 0 if it is not known, or is none of a hand.
    pub(crate) fn torque(&self, joint: usize) -> f64 {
        self.data.joints.get(joint).map_or(0.0, |j| if j.max_torque.is_finite() { j.max_torque } else { 0.0 })
    }

    /// Clamps a value to the joint's limits.
    pub(crate) fn clip(&self, joint: usize, value: f64) -> f64 {
        let (min, max) = self.limits(joint);
        if value.is_nan() { 0.0_f64.clamp(min, max) } else { value.max(min).min(max) }
    }

    /// Clamps a value to where the shells would touch, given the values of the other joints.
    pub(crate) fn clip_shell(&self, joint: usize, value: f64, other: impl Fn(usize) -> f64) -> f64 {
        let own = self.clip(joint, value);
        let Some(name) = self.data.joints.get(joint).map(|j| j.name) else { return own };
        if !self.data.shell_limits.iter().any(|s| s.joint == name) {
            return own;
        }
        let angle = |name: &str| self.joint(name).map_or(0.0, &other);
        self.data.limits(name, angle).map_or(own, |(min, max)| own.max(min).min(max))
    }

    /// Returns what a joint moves.
    pub(crate) fn kind(&self, joint: usize) -> Option<JointKind> {
        self.data.joints.get(joint).map(|joint| joint.kind)
    }

    /// Returns the name of a joint.
    pub(crate) fn static_name(&self, joint: usize) -> Option<&'static str> {
        self.data.joints.get(joint).map(|joint| joint.name)
    }

    /// Returns whether the joint is a wheel. Wheels are not part of postures and samples.
    pub(crate) fn is_wheel(&self, joint: usize) -> bool {
        self.data.joints.get(joint).is_some_and(|j| j.kind == JointKind::Wheel)
    }

    /// Returns the value of a joint when the simulation begins.
    pub(crate) fn start(&self, joint: usize) -> f64 {
        let posture = self.data.posture(self.data.awake).and_then(|p| p.angle(&self.joint_name(joint)));
        self.clip(joint, posture.unwrap_or(0.0))
    }

    /// Returns whether the robot walks on legs.
    pub(crate) fn has_legs(&self) -> bool {
        self.data.build.gait == Gait::Legs
    }

    /// Returns the position of a shoulder in the torso's frame, in metres.
    pub(crate) fn shoulder(&self, left: bool) -> [f64; 3] {
        let [x, y, z] = self.data.build.shoulder;
        [x, if left { y } else { -y }, z]
    }

    /// Returns the names and values of `getRobotConfig`.
    pub(crate) fn config(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        let value = |fact: Fact| match fact {
            Fact::Text(text) => text.into(),
            Fact::Number(number) => Value::Int(number),
            Fact::Flag(flag) => flag.into(),
        };
        self.data.build.config.iter().map(move |(name, fact)| (*name, value(*fact)))
    }

    /// Returns the hand of this name.
    pub(crate) fn hand(&self, name: &str) -> Result<usize, String> {
        let hands: Vec<&str> = self.data.joints.iter().filter(|j| j.kind == JointKind::Hand).map(|j| j.name).collect();
        let hand = self.joint(name).filter(|_| hands.contains(&name));
        hand.ok_or_else(|| match &*hands {
            [] => format!("`{name}` is not a hand: {} has none", self.data.name),
            _ => format!("`{name}` is not a hand: use {}", hands.join(" or ")),
        })
    }

    /// Returns the exact name of a posture, given in any case.
    pub(crate) fn posture_name(&self, name: &str) -> Option<Arc<str>> {
        self.data.postures.iter().find(|p| p.name.eq_ignore_ascii_case(name)).map(|p| p.name.into())
    }

    pub(crate) fn posture_names(&self) -> Vec<String> {
        self.data.postures.iter().map(|p| p.name.to_owned()).collect()
    }

    /// Returns the joints of a posture that have a motor, with their values.
    pub(crate) fn posture(&self, name: &str) -> Vec<(usize, f64)> {
        let angles = self.data.posture(name).map(|p| p.angles).unwrap_or_default();
        let joints = angles.iter().filter_map(|(n, a)| self.joint(n).map(|j| (j, self.clip(j, *a))));
        joints.filter(|(j, _)| self.leader(*j) == *j).collect()
    }

    pub(crate) fn posture_family(&self, name: &str) -> &'static str {
        self.data.posture(name).map_or("Unknown", |p| p.family.name())
    }

    pub(crate) fn posture_families(&self) -> Vec<String> {
        let mut families: Vec<String> = Vec::new();
        for posture in self.data.postures {
            if !families.iter().any(|f| f == posture.family.name()) {
                families.push(posture.family.name().to_owned());
            }
        }
        families
    }

    /// Returns the posture of a robot that has woken up.
    pub(crate) fn awake_posture(&self) -> Arc<str> {
        self.data.awake.into()
    }

    /// Returns its family, which is in memory at the start.
    pub(crate) fn awake_family(&self) -> &'static str {
        self.posture_family(self.data.awake)
    }

    /// Returns the posture of a robot at rest: crouching on NAO, bowed on Pepper.
    pub(crate) fn rest_posture(&self) -> Arc<str> {
        self.data.rest.into()
    }

    /// Returns the number of LED channels.
    pub(crate) fn led_count(&self) -> usize {
        self.leds.len()
    }

    pub(crate) fn led_channel(&self, led: usize) -> Channel {
        self.leds.get(led).map_or(Channel::Blue, |l| l.1)
    }

    /// Returns the device name, such as `Face/Led/Red/Left/0Deg/Actuator/Value`.
    pub(crate) fn led_name(&self, led: usize) -> String {
        self.leds.get(led).map(|l| l.0.clone()).unwrap_or_default()
    }

    /// Returns the initial intensity: eyes, ears and head are on, chest and feet are off.
    pub(crate) fn led_default(&self, led: usize) -> f64 {
        let shines = |l: &(String, Channel)| ["Face", "Ears", "Head"].iter().any(|part| l.0.starts_with(part));
        if self.leds.get(led).is_some_and(shines) { 1.0 } else { 0.0 }
    }

    /// Returns the channels of an LED, a device or a group.
    pub(crate) fn leds(&self, name: &str) -> Option<Vec<usize>> {
        self.groups.get(name.strip_prefix(DEVICES).unwrap_or(name)).cloned()
    }

    pub(crate) fn led_groups(&self) -> Vec<String> {
        self.data.led_groups.iter().map(|g| g.name.to_owned()).collect()
    }
}
