//! Data about robots: joints and their limits, chains, the positions of their parts, LEDs, postures, touch sensors, and
//! the resource tree.
//!
//! The data are static tables with lookup functions; nothing is computed at start. Custom bodies are read from files
//! ([`own`]) into the same tables. Angles are in radians, speeds in radians per second, hands from 0 to 1.
//! `docs/reference/motion.md` gives the source and the reliability of each table.
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
mod masses;
mod nao;
pub mod own;
mod parts;
mod pepper;
mod posture;
mod resources;
mod sensor_frames;
mod shell;
mod touch;

pub use body::{Body, BodyKind, Chain, Coupling, Joint, JointKind, body_of_actuators};
pub use build::{Build, CurveRule, Fact, Gait, OfferedServices};
pub use geometry::{Form, Geometry, Link, Ring, Sole, Solid, Spot};
pub use leds::{Channel, Led, LedGroup};
pub use masses::Mass;
pub use own::EVERY_ROBOT;
pub use posture::{Posture, PostureFamily};
pub use resources::{Resource, ResourceKind, resource, resources};
pub use sensor_frames::SensorFrame;
pub use shell::ShellLimit;
pub use touch::TouchSensor;
