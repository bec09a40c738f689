//! What a robot is besides its joints: how it gets about, how tall it is, what it says of itself, which services it has,
//! and which of its joints move by curves that were drawn for another body.

/// How a robot gets about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gait {
    /// It walks.
    Legs,
    /// It rolls.
    Wheels,
    /// It stays where it is.
    Fixed,
}

/// What a robot says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A text.
    Text(&'static str),
    /// A number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
}

/// What a robot is besides its joints. Lengths are metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// As `ALRobotModel` says it: `nao`, `juliette`.
    pub type_name: &'static str,
    /// The same as a number, as NAOqi counts robots.
    pub type_number: i64,
    /// How it gets about.
    pub gait: Gait,
    /// It has hands.
    pub hands: bool,
    /// Height of the torso's origin over the ground when it stands.
    pub torso_height: f64,
    /// Height of the head's joints over the torso's origin.
    pub neck_height: f64,
    /// The left shoulder in the torso's frame; the right one is its mirror image.
    pub shoulder: [f64; 3],
    /// What `ALMotion.getRobotConfig` answers.
    pub config: &'static [(&'static str, Fact)],
    /// `RobotConfig/Body/Type` in memory.
    pub memory_type: &'static str,
    /// The version of its body and head in memory.
    pub memory_version: &'static str,
    /// Devices of its sonars.
    pub sonars: &'static [&'static str],
}

/// Which services a robot has, of those that the simulation knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// All but these.
    AllBut(&'static [&'static str]),
    /// These.
    Only(&'static [&'static str]),
}

/// Which joint a curve moves that was drawn for another body, and how far: `scale` × the curve's value + `offset`, in radians
/// for angles and 0…1 for hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveRule {
    /// The name in the file.
    pub actuator: &'static str,
    /// The joint.
    pub joint: &'static str,
    /// Factor; negative for a joint that is built the other way round.
    pub scale: f64,
    /// Added after the factor.
    pub offset: f64,
}

impl CurveRule {
    /// A curve that moves the joint of its own name.
    pub const fn same(joint: &'static str) -> Self {
        Self { actuator: joint, joint, scale: 1.0, offset: 0.0 }
    }

    /// The joint's value for one of the curve.
    pub fn value(&self, of_curve: f64) -> f64 {
        self.scale * of_curve + self.offset
    }

    /// It leaves values as they are.
    pub fn keeps_values(&self) -> bool {
        self.scale == 1.0 && self.offset == 0.0
    }
}
