//! A robot as rigid bodies with motors and contacts, on a flat floor: it can lean, be pushed, fall, and sag when its
//! joints have no stiffness. The calculations are those of the library `rapier3d`.
//!
//! Links have the masses of the body; what touches the floor are their drawn boxes and capsules, and the corners of the
//! soles. Motors are servos: they pull a joint towards its target, as hard as their largest torque allows. Parts of a
//! robot pass through each other, and links without a mass or a joint are fixed to their parents. Time goes on in fixed
//! steps, so the same commands give the same motion, bit for bit.
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! use boxstep_dynamics::{Isometry3, Model, Physics as _, Start, Vector3};
//! use boxstep_physics::Robot;
//! let model = Model::new(BodyKind::Nao.body());
//! let stand = model.awake();
//! let mut robot = Robot::new(&model, &Start::standing(&model, &stand));
//! for _ in 0..250 {
//!     robot.step(&stand, &vec![1.0; stand.len()]);
//! }
//! assert!(robot.torso().translation.z > 0.3, "it stands");
//! ```

mod parts;
mod robot;
mod servo;

pub use robot::Robot;
