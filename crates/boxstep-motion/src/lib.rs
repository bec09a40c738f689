//! Timeline curves: keys and tangents, automatic tangents, segments baked for sampling, and the
//! control-point command that plays them.
//!
//! Nothing here knows files, joints or clocks. A curve's time axis is frames for a timeline and
//! seconds for a command to the robot; its values are degrees or 0…1 in a timeline and radians or
//! 0…1 in a command. The rules, where they come from and how sure we are: `docs/motion.md`.
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
mod polynomial;
mod wire;

pub use command::{BezierCommand, JointCurve, JointPath, Unit};
pub use curve::{Curve, Sampler, Segment, Shape};
pub use error::{CODES, CommandError, CurveError};
pub use extent::Extent;
pub use key::{Interpolation, Key, Tangent, auto_tangents, normalize};
