//! Timeline curves: keys and tangents, automatic tangents, segments prepared for sampling, and the motion command that
//! plays curves on a robot.
//!
//! This crate knows nothing about files, joints' limits or clocks. A curve's times are frames in a timeline and seconds
//! in a command to the robot; its values are degrees or 0…1 in a timeline and radians or 0…1 in a command.
//! `docs/reference/motion.md` has the rules, their sources and how certain they are.
//!
//! ```
//! use boxstep_motion::{Curve, Key, Sampler};
//! # fn main() -> Result<(), boxstep_motion::CurveError> {
//! let curve = Curve::new(&[Key::new(1.0, 0.0), Key::new(26.0, 30.0)])?;
//! assert_eq!(curve.sample(100.0), 30.0);
//! let mut sampler = Sampler::new(curve);
//! assert_eq!(sampler.sample(13.5), 15.0);
//! # Ok(())
//! # }
//! ```

mod bezier;
mod command;
mod curve;
mod error;
mod extent;
mod key;
mod of_file;
mod polynomial;
mod wire;

pub use command::{BezierCommand, JointCurve, JointPath, Unit};
pub use curve::{Curve, Sampler, Segment, Shape};
pub use error::{CODES, CommandError, CurveError};
pub use extent::Extent;
pub use key::{Interpolation, Key, Tangent, auto_tangents, normalize};
