//! Bodies, joints and chains.

use crate::{Build, CurveRule, Geometry, Led, LedGroup, Offers, Posture, ShellLimit, TouchSensor, nao, pepper};
use std::fmt;

/// The robots there is data for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyKind {
    /// NAO with 25 degrees of freedom (H25), versions 4 to 6.
    Nao,
    /// Pepper 1.x.
    Pepper,
}

impl BodyKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Nao, Self::Pepper];

    /// Its data.
    pub const fn body(self) -> &'static Body {
        match self {
            BodyKind::Nao => &nao::NAO,
            BodyKind::Pepper => &pepper::PEPPER,
        }
    }

    /// The kind with this name, in any case: `nao`, `pepper`, or a model name that begins so, as a
    /// file's `ActuatorList` has it.
    pub fn from_name(name: &str) -> Option<Self> {
        let starts = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        // Pepper's own name for its kind is Juliette.
        if starts("nao") {
            Some(Self::Nao)
        } else if starts("pepper") || starts("juliette") {
            Some(Self::Pepper)
        } else {
            None
        }
    }
}

impl fmt::Display for BodyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.body().name)
    }
}

/// What a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// An angle, radians.
    Angle,
    /// A hand: 0 closed … 1 open.
    Hand,
    /// A wheel that turns without end.
    Wheel,
}

/// A joint, hand or wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Name, as curves and `ALMotion` have it.
    pub name: &'static str,
    /// What it moves.
    pub kind: JointKind,
    /// Smallest value; −∞ for wheels.
    pub min: f64,
    /// Largest value; ∞ for wheels.
    pub max: f64,
    /// Largest speed, value per second.
    pub max_speed: f64,
}

/// Joints under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Name as `ALMotion.getBodyNames` takes it.
    pub name: &'static str,
    /// Joints, in the robot's order.
    pub joints: &'static [&'static str],
}

/// A joint that has no motor of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// The joint that follows.
    pub joint: &'static str,
    /// The joint with the motor, which has its way when both are commanded.
    pub follows: &'static str,
}

/// All that is known about a robot's body. There is one value of each body in a program: bodies are equal if they are the same.
#[derive(Debug)]
pub struct Body {
    /// Name: of the robots there is data for, what `--body` takes.
    pub name: &'static str,
    /// The text of the file it was read from; empty for the robots there is data for.
    pub source: &'static str,
    /// What it is besides its joints.
    pub build: Build,
    /// The services that it has.
    pub offers: Offers,
    /// Joints, hands and wheels in the robot's order.
    pub joints: &'static [Joint],
    /// The kinematic chains, with their hands, in the robot's order.
    pub chains: &'static [Chain],
    /// Further collections of joints: `Arms`, `Legs`, `Joints`, `Actuators` ….
    pub collections: &'static [Chain],
    /// Joints without a motor.
    pub couplings: &'static [Coupling],
    /// Limits that depend on another joint, so that the shells do not touch.
    pub shell_limits: &'static [ShellLimit],
    /// Single LEDs.
    pub leds: &'static [Led],
    /// LED groups.
    pub led_groups: &'static [LedGroup],
    /// Predefined postures.
    pub postures: &'static [Posture],
    /// The posture in which it stands when it has woken up; empty if it has none.
    pub awake: &'static str,
    /// The posture in which it rests; empty if it has none.
    pub rest: &'static str,
    /// Touch sensors, bumpers and buttons.
    pub touch: &'static [TouchSensor],
    /// Where its parts are.
    pub geometry: Geometry,
    /// Which joints curves that were drawn for another body move.
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
    /// A robot there is data for, and not a body of one's own.
    pub fn is_known(&self) -> bool {
        BodyKind::ALL.iter().any(|kind| kind.body() == self)
    }

    /// A joint by its name.
    pub fn joint(&self, name: &str) -> Option<&'static Joint> {
        self.joint_index(name).and_then(|index| self.joints.get(index))
    }

    /// The place of a joint in `joints`.
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The joints a name stands for, in the robot's order: a joint itself, a chain or collection its
    /// joints; empty if the name is unknown. (`Chains`, which names chains, is [`Body::body_names`]'s.)
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

    /// What `ALMotion.getBodyNames` answers: as [`Body::joints_of`], and the chains for `Chains`.
    pub fn body_names(&self, name: &str) -> Vec<&'static str> {
        if name == "Chains" { self.chains.iter().map(|chain| chain.name).collect() } else { self.joints_of(name) }
    }

    /// The limits of a joint when the other joints stand at `angle(name)`: its own limits, narrowed
    /// by the shell limits; `None` if there is no such joint.
    pub fn limits(&self, joint: &str, angle: impl Fn(&str) -> f64) -> Option<(f64, f64)> {
        let own = self.joint(joint)?;
        let narrow = |(min, max): (f64, f64), limit: &ShellLimit| {
            let (low, high) = limit.at(angle(limit.by));
            (min.max(low), max.min(high))
        };
        Some(self.shell_limits.iter().filter(|limit| limit.joint == joint).fold((own.min, own.max), narrow))
    }

    /// Whether it has a service of this name, as far as the simulation knows services at all.
    pub fn offers(&self, service: &str) -> bool {
        match self.offers {
            Offers::AllBut(lacking) => !lacking.contains(&service),
            Offers::Only(services) => services.contains(&service),
        }
    }

    /// What a curve of this name moves; `None` if nothing.
    pub fn curve(&self, actuator: &str) -> Option<CurveRule> {
        let rule = self.curves.iter().find(|rule| rule.actuator == actuator).copied();
        rule.or_else(|| self.joint(actuator).map(|joint| CurveRule::same(joint.name)))
    }

    /// A posture by its name.
    pub fn posture(&self, name: &str) -> Option<&'static Posture> {
        self.postures.iter().find(|posture| posture.name == name)
    }

    /// A single LED by its name.
    pub fn led(&self, name: &str) -> Option<&'static Led> {
        self.leds.iter().find(|led| led.name == name)
    }

    /// An LED group by its name.
    pub fn led_group(&self, name: &str) -> Option<&'static LedGroup> {
        self.led_groups.iter().find(|group| group.name == name)
    }
}

/// The robot that a set of joints belongs to: the first joint that only one robot has decides; `None`
/// if every joint is common to all or unknown.
pub fn body_of_actuators<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<BodyKind> {
    names.into_iter().find_map(|name| {
        let mut owners = BodyKind::ALL.into_iter().filter(|kind| kind.body().joint(name).is_some());
        match (owners.next(), owners.next()) {
            (Some(kind), None) => Some(kind),
            _ => None,
        }
    })
}

pub(crate) const fn angle(name: &'static str, min: f64, max: f64, max_speed: f64) -> Joint {
    Joint { name, kind: JointKind::Angle, min, max, max_speed }
}

pub(crate) const fn hand(name: &'static str, min: f64, max: f64, max_speed: f64) -> Joint {
    Joint { name, kind: JointKind::Hand, min, max, max_speed }
}

pub(crate) const fn wheel(name: &'static str, max_speed: f64) -> Joint {
    Joint { name, kind: JointKind::Wheel, min: f64::NEG_INFINITY, max: f64::INFINITY, max_speed }
}

pub(crate) const fn chain(name: &'static str, joints: &'static [&'static str]) -> Chain {
    Chain { name, joints }
}
