//! Tests of the crate.

mod kinematics;
