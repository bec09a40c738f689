//! Bodies, joints and chains.

use crate::{
    Build, CurveRule, Geometry, Led, LedGroup, OfferedServices, Posture, ShellLimit, TouchSensor, nao, pepper,
};
use std::fmt;

/// The built-in robots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyKind {
    /// NAO with 25 degrees of freedom (H25), versions 4 to 6.
    Nao,
    /// Pepper 1.x.
    Pepper,
    /// NAO H25, version 3.3.
    NaoV33,
}

impl BodyKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Nao, Self::Pepper, Self::NaoV33];

    /// Returns the body's data.
    pub const fn body(self) -> &'static Body {
        match self {
            BodyKind::Nao => &nao::NAO,
            BodyKind::Pepper => &pepper::PEPPER,
            BodyKind::NaoV33 => &nao::NAO_V33,
        }
    }

    /// Returns the kind with this name, in any case: `nao`, `pepper`, or a model name that begins so, as in a file's
    /// `ActuatorList`. A name of NAO that ends in 33 (`nao-v3.3`, `NAOH25V33`) is of version 3.3.
    pub fn from_name(name: &str) -> Option<Self> {
        let starts = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        // Pepper's own name for its model is Juliette.
        if starts("nao") {
            Some(if version(name) == "33" { Self::NaoV33 } else { Self::Nao })
        } else if starts("pepper") || starts("juliette") {
            Some(Self::Pepper)
        } else {
            None
        }
    }
}

/// Returns the digits at the end of a model's name, without points.
pub(crate) fn version(name: &str) -> String {
    let start = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    name[start..].replace('.', "")
}

impl fmt::Display for BodyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.body().name)
    }
}

/// What a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// An angle in radians.
    Angle,
    /// A hand: from 0 (closed) to 1 (open).
    Hand,
    /// A wheel that turns without limits.
    Wheel,
}

/// A joint, hand or wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The name in curves and in `ALMotion`.
    pub name: &'static str,
    /// The quantity that it moves.
    pub kind: JointKind,
    /// The smallest value; −∞ for wheels.
    pub min: f64,
    /// The largest value; ∞ for wheels.
    pub max: f64,
    /// The largest speed, in value per second.
    pub max_speed: f64,
    /// The largest torque of the motor at the joint, in newton metres; ∞ if it is not known.
    pub max_torque: f64,
}

/// A named group of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The name that `ALMotion.getBodyNames` takes.
    pub name: &'static str,
    /// The joints, in the robot's order.
    pub joints: &'static [&'static str],
}

/// A joint without a motor of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// The joint that follows.
    pub joint: &'static str,
    /// The joint with the motor, which takes precedence when both are commanded.
    pub follows: &'static str,
}

/// The data about a robot's body. There is one value of each body in a program, so bodies are equal if they are the
/// same value.
#[derive(Debug)]
pub struct Body {
    /// The name; for the built-in robots it is what `--body` takes.
    pub name: &'static str,
    /// The text of the file that it was read from; empty for the built-in robots.
    pub source: &'static str,
    /// Further data.
    pub build: Build,
    /// The services that the robot has.
    pub offers: OfferedServices,
    /// Joints, hands and wheels in the robot's order.
    pub joints: &'static [Joint],
    /// The kinematic chains, with their hands, in the robot's order.
    pub chains: &'static [Chain],
    /// Further collections of joints: `Arms`, `Legs`, `Joints`, `Actuators` ….
    pub collections: &'static [Chain],
    /// Joints without a motor.
    pub couplings: &'static [Coupling],
    /// Joints that a brake holds while they have no stiffness.
    pub brakes: &'static [&'static str],
    /// Limits that depend on another joint, so that the shells do not collide.
    pub shell_limits: &'static [ShellLimit],
    /// Single LEDs.
    pub leds: &'static [Led],
    /// LED groups.
    pub led_groups: &'static [LedGroup],
    /// Predefined postures.
    pub postures: &'static [Posture],
    /// The posture in which the robot stands after waking up; empty if it has none.
    pub awake: &'static str,
    /// The posture in which the robot rests; empty if it has none.
    pub rest: &'static str,
    /// Touch sensors, bumpers and buttons.
    pub touch: &'static [TouchSensor],
    /// The positions of its parts.
    pub geometry: Geometry,
    /// The joints that are moved by curves drawn for another body.
    pub curves: &'static [CurveRule],
}

impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Body {}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Body {
    /// Returns whether this is a built-in robot and not a custom body.
    pub fn is_known(&self) -> bool {
        BodyKind::ALL.iter().any(|kind| kind.body() == self)
    }

    /// Returns the joint of this name.
    pub fn joint(&self, name: &str) -> Option<&'static Joint> {
        self.joint_index(name).and_then(|index| self.joints.get(index))
    }

    /// Returns the index of a joint in `joints`.
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// Returns the joints that a name stands for, in the robot's order: a joint stands for itself, a chain or
    /// collection for its joints. Empty if the name is unknown. ([`Body::body_names`] also knows `Chains`.)
    pub fn joints_of(&self, name: &str) -> Vec<&'static str> {
        if let Some(joint) = self.joint(name) {
            return vec![joint.name];
        }
        if name == "Body" {
            return self.joints.iter().map(|joint| joint.name).collect();
        }
        let mut chains = self.chains.iter().chain(self.collections);
        chains.find(|chain| chain.name == name).map_or_else(Vec::new, |chain| chain.joints.to_vec())
    }

    /// Returns what `ALMotion.getBodyNames` answers: the names of the chains for `Chains`, otherwise
    /// [`Body::joints_of`].
    pub fn body_names(&self, name: &str) -> Vec<&'static str> {
        if name == "Chains" { self.chains.iter().map(|chain| chain.name).collect() } else { self.joints_of(name) }
    }

    /// Returns the limits of a joint when the other joints are at `angle(name)`: its own limits, narrowed by the shell
    /// limits. `None` if there is no such joint.
    pub fn limits(&self, joint: &str, angle: impl Fn(&str) -> f64) -> Option<(f64, f64)> {
        let own = self.joint(joint)?;
        let narrow = |(min, max): (f64, f64), limit: &ShellLimit| {
            let (low, high) = limit.at(angle(limit.by));
            (min.max(low), max.min(high))
        };
        Some(self.shell_limits.iter().filter(|limit| limit.joint == joint).fold((own.min, own.max), narrow))
    }

    /// Returns whether the robot has this service, if the simulation knows the service at all.
    pub fn offers(&self, service: &str) -> bool {
        match self.offers {
            OfferedServices::AllBut(lacking) => !lacking.contains(&service),
            OfferedServices::Only(services) => services.contains(&service),
        }
    }

    /// Returns the rule for a curve of this name; `None` if it moves nothing.
    pub fn curve(&self, actuator: &str) -> Option<CurveRule> {
        let rule = self.curves.iter().find(|rule| rule.actuator == actuator).copied();
        rule.or_else(|| self.joint(actuator).map(|joint| CurveRule::same(joint.name)))
    }

    /// Returns the posture of this name.
    pub fn posture(&self, name: &str) -> Option<&'static Posture> {
        self.postures.iter().find(|posture| posture.name == name)
    }

    /// Returns the single LED of this name.
    pub fn led(&self, name: &str) -> Option<&'static Led> {
        self.leds.iter().find(|led| led.name == name)
    }

    /// Returns the LED group of this name.
    pub fn led_group(&self, name: &str) -> Option<&'static LedGroup> {
        self.led_groups.iter().find(|group| group.name == name)
    }
}

/// Returns the robot that a set of joints belongs to, in its newest version: the first joint that only one type of robot
/// has decides. `None` if every joint is common to all or unknown.
pub fn body_of_actuators<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<BodyKind> {
    names.into_iter().find_map(|name| {
        let mut owners = BodyKind::ALL.into_iter().filter(|kind| kind.body().joint(name).is_some());
        let kind = owners.next()?;
        owners.all(|other| other.body().build.type_name == kind.body().build.type_name).then_some(kind)
    })
}

pub(crate) const fn angle(name: &'static str, min: f64, max: f64, max_speed: f64, max_torque: f64) -> Joint {
    Joint { name, kind: JointKind::Angle, min, max, max_speed, max_torque }
}

pub(crate) const fn hand(name: &'static str, min: f64, max: f64, max_speed: f64, max_torque: f64) -> Joint {
    Joint { name, kind: JointKind::Hand, min, max, max_speed, max_torque }
}

pub(crate) const fn wheel(name: &'static str, max_speed: f64, max_torque: f64) -> Joint {
    Joint { name, kind: JointKind::Wheel, min: f64::NEG_INFINITY, max: f64::INFINITY, max_speed, max_torque }
}

pub(crate) const fn chain(name: &'static str, joints: &'static [&'static str]) -> Chain {
    Chain { name, joints }
}
