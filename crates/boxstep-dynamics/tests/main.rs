//! Tests of the crate.

mod geometry;
mod kinematics;
