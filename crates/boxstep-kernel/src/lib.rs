//! The rules of life and control, without anything that runs: no clock, no robot, no scripts, no files.
//!
//! - [`lifecycle`]: in which order a box, a diagram, a timeline or a behavior comes into scope, is activated, stops and leaves
//! - [`runner`]: behaviors that decide who has control, and delegate it to each other
//!
//! The engine runs boxes by the first and hosts runners of the second; both can be driven alone, by calls:
//!
//! ```
//! use boxstep_kernel::lifecycle::{Activated, Entered, Life, Phase};
//! let mut life = Life::default();
//! assert_eq!(life.enter(), Ok(Entered::Begin));
//! life.entered().expect("it was coming into scope");
//! assert_eq!(life.activate(), Ok(Activated::Begin));
//! life.activated().expect("it was being activated");
//! assert_eq!(life.phase(), Phase::Active);
//! ```

pub mod lifecycle;
pub mod runner;
