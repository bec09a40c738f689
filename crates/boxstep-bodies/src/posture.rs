//! Predefined postures.
//!
//! The robots' own values are not published. These come from public recordings; they are accurate enough to draw a
//! posture and to time a motion, but not to compare digits.

/// What `ALRobotPosture.getPostureFamily` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostureFamily {
    /// On its feet.
    Standing,
    /// On the ground, torso upright.
    Sitting,
    /// On a chair; no predefined posture has it.
    SittingOnChair,
    /// On its feet, knees bent.
    Crouching,
    /// On its front.
    LyingBelly,
    /// On its back.
    LyingBack,
}

impl PostureFamily {
    /// Every family.
    pub const ALL: [Self; 6] =
        [Self::Standing, Self::Sitting, Self::SittingOnChair, Self::Crouching, Self::LyingBelly, Self::LyingBack];

    /// Returns the robot's name of the family.
    pub const fn name(self) -> &'static str {
        match self {
            PostureFamily::Standing => "Standing",
            PostureFamily::Sitting => "Sitting",
            PostureFamily::SittingOnChair => "SittingOnChair",
            PostureFamily::Crouching => "Crouching",
            PostureFamily::LyingBelly => "LyingBelly",
            PostureFamily::LyingBack => "LyingBack",
        }
    }
}

/// A predefined posture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture {
    /// The name that `ALRobotPosture.goToPosture` takes.
    pub name: &'static str,
    /// The family.
    pub family: PostureFamily,
    /// The value of every joint except wheels: radians for angles, 0…1 for hands.
    pub angles: &'static [(&'static str, f64)],
}

impl Posture {
    /// Returns the value of a joint.
    pub fn angle(&self, joint: &str) -> Option<f64> {
        self.angles.iter().find(|(name, _)| *name == joint).map(|&(_, angle)| angle)
    }
}

mod nao;
mod pepper;

pub(crate) use nao::NAO;
pub(crate) use pepper::PEPPER;
