//! The rules of the lifecycle and of control, without anything that runs: no clock, no robot, no scripts, no files.
//!
//! - [`lifecycle`]: the order in which a box, a diagram, a timeline or a behavior enters scope, is activated, stops and
//!   leaves scope
//! - [`runner`]: behaviors that decide which of them has control, and delegate it to each other
//!
//! The engine runs boxes by the rules of the first, and hosts runners of the second. Both can be used alone, by calls:
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
