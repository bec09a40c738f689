//! Data about a robot besides its joints: how it moves around, its height, what it reports of itself, its services, and
//! which of its joints are moved by curves drawn for another body.

/// How a robot moves around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gait {
    /// It walks.
    Legs,
    /// It rolls.
    Wheels,
    /// It stays in place.
    Fixed,
}

/// A value that a robot reports of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A text.
    Text(&'static str),
    /// A number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
}

/// Data about a robot besides its joints. Lengths are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// The type that `ALRobotModel` reports: `nao`, `juliette`.
    pub type_name: &'static str,
    /// NAOqi's number of the type.
    pub type_number: i64,
    /// How the robot moves around.
    pub gait: Gait,
    /// Whether the robot has hands.
    pub hands: bool,
    /// The height of the torso's origin over the ground when the robot stands.
    pub torso_height: f64,
    /// The height of the head's joints over the torso's origin.
    pub neck_height: f64,
    /// The left shoulder in the torso's frame; the right one is its mirror image.
    pub shoulder: [f64; 3],
    /// What `ALMotion.getRobotConfig` answers.
    pub config: &'static [(&'static str, Fact)],
    /// The value of `RobotConfig/Body/Type` in memory.
    pub memory_type: &'static str,
    /// The version of the body and the head in memory.
    pub memory_version: &'static str,
    /// The devices of the sonars.
    pub sonars: &'static [&'static str],
}

/// Which services a robot has, of those that the simulation knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferedServices {
    /// All except these.
    AllBut(&'static [&'static str]),
    /// Only these.
    Only(&'static [&'static str]),
}

/// The joint that is moved by a curve drawn for another body, and its value: `scale` × the curve's value + `offset`, in
/// radians for angles and 0…1 for hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveRule {
    /// The name of the curve in the file.
    pub actuator: &'static str,
    /// The joint.
    pub joint: &'static str,
    /// The factor; negative for a joint that turns the other way.
    pub scale: f64,
    /// The offset, added after the factor.
    pub offset: f64,
}

impl CurveRule {
    /// Returns the rule for a curve that moves the joint of the same name.
    pub const fn same(joint: &'static str) -> Self {
        Self { actuator: joint, joint, scale: 1.0, offset: 0.0 }
    }

    /// Returns the joint's value for a value of the curve.
    pub fn value(&self, of_curve: f64) -> f64 {
        self.scale * of_curve + self.offset
    }

    /// Returns whether the rule leaves values unchanged.
    pub fn keeps_values(&self) -> bool {
        self.scale == 1.0 && self.offset == 0.0
    }
}
