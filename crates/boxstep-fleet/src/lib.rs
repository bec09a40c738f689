//! Shows of several robots on several machines.

pub mod network;
