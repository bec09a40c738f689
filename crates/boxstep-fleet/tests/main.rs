//! Tests of the crate.

#![allow(clippy::unwrap_used)]

mod performance;
