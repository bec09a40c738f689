//! What is known about the robots: joints and their limits, chains, LEDs, postures, touch sensors,
//! the resource tree, and the services with their methods.
//!
//! Static tables and questions to them; no file is read and nothing is computed at start. Angles are
//! radians, speeds radians a second, hands 0…1. Where each table comes from and how sure it is:
//! `docs/motion.md`.
//!
//! ```
//! use boxstep_bodies::{BodyKind, service};
//! let nao = BodyKind::Nao.body();
//! assert_eq!(nao.joint("HeadYaw").map(|joint| joint.max), Some(2.0857));
//! assert_eq!(nao.joints_of("Head"), ["HeadYaw", "HeadPitch"]);
//! assert!(service("ALTextToSpeech").is_some_and(|tts| tts.method("say").is_some()));
//! ```

mod body;
mod leds;
mod nao;
mod parts;
mod pepper;
mod posture;
mod resources;
mod services;
mod shell;
mod touch;

pub use body::{Body, BodyKind, Chain, Coupling, Joint, JointKind, body_of_actuators};
pub use leds::{Channel, Led, LedGroup};
pub use posture::{Posture, PostureFamily};
pub use resources::{Resource, ResourceKind, resource, resources};
pub use services::{
    ANY, COMMON_METHODS, EXTRACTOR_METHODS, Method, Overload, Service, Signal, Source, service, services,
};
pub use shell::ShellLimit;
pub use touch::TouchSensor;
