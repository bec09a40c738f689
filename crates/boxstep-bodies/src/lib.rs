//! What is known about the robots: joints and their limits, chains, where their parts are, LEDs, postures, touch sensors,
//! and the resource tree.
//!
//! Static tables and questions to them; nothing is computed at start. Bodies of one's own are read from
//! files ([`own`]) and become the same tables. Angles are
//! radians, speeds radians a second, hands 0…1. Where each table comes from and how sure it is:
//! `docs/motion.md`.
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! let nao = BodyKind::Nao.body();
//! assert_eq!(nao.joint("HeadYaw").map(|joint| joint.max), Some(2.0857));
//! assert_eq!(nao.joints_of("Head"), ["HeadYaw", "HeadPitch"]);
//! ```

mod body;
mod build;
mod geometry;
mod leds;
mod nao;
pub mod own;
mod parts;
mod pepper;
mod posture;
mod resources;
mod shell;
mod touch;

pub use body::{Body, BodyKind, Chain, Coupling, Joint, JointKind, body_of_actuators};
pub use build::{Build, CurveRule, Fact, Gait, Offers};
pub use geometry::{Form, Geometry, Link, Pose, Ring, Solid, Spot};
pub use leds::{Channel, Led, LedGroup};
pub use own::EVERY_ROBOT;
pub use posture::{Posture, PostureFamily};
pub use resources::{Resource, ResourceKind, resource, resources};
pub use shell::ShellLimit;
pub use touch::TouchSensor;
