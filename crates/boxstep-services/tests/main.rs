//! The simulated robot, service by service, in virtual time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::cloned_ref_to_slice_refs)]

mod aims;
mod audio;
mod balance;
mod capture;
mod dialog;
mod ends;
mod engine_rows;
mod frames;
mod gestures;
mod harness;
mod joints;
mod leds;
mod memory;
mod objects;
mod others;
mod paths;
mod physics;
mod rows;
mod scripts;
mod senses;
mod sequences;
mod speech;
mod state;
mod stopping;
mod table;
mod video;
mod walk;
