//! The kinematics and dynamics of a robot's body: where its parts are, joint angles that bring a part to a place, the
//! center of mass, the torques of motors, and whether the robot keeps its balance.
//!
//! Positions are in metres, angles in radians, masses in kilograms, torques in newton metres. Frames have x forward, y
//! to the left, z up; that of the torso is the frame of the body's first link. Angles are slices in the order of
//! [`Body::joints`](boxstep_bodies::Body::joints); hands count from 0 to 1. A joint without a motor has the angle of
//! the joint that it follows.
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! use boxstep_dynamics::Model;
//! let nao = Model::new(BodyKind::Nao.body());
//! let straight = vec![0.0; nao.joints()];
//! let left = nao.end("LArm").unwrap().pose(&nao.forward(&straight));
//! assert!((left.translation.x - 0.2187).abs() < 1e-4);
//! ```

mod balance;
mod collision;
mod facet;
mod forces;
mod inverse;
mod mass;
mod model;
mod physics;
pub mod retarget;
mod robot_choice;
mod sampled;
mod seat;
mod summary;
mod support;
mod timeline;
mod weight;

pub use balance::{Balance, Instant, Load, Side, Stance};
pub use collision::{Collision, Collisions};
pub use forces::{Forces, GRAVITY, Motion, RootMotion, Wrench};
pub use inverse::{Axes, Goal, Reached};
pub use model::{End, Link, Model};
pub use nalgebra::{Isometry3, Matrix3, Point3, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector2, Vector3};
pub use physics::{Physics, PhysicsEngine, STEP, SoleForce, Start};
pub use robot_choice::{body_of_files, known_body};
pub use sampled::Sampled;
pub use summary::{Fall, Remedy, Summary, is_overloaded};
pub use support::Polygon;
pub use timeline::{FrameBudget, Postures, Trajectory};
