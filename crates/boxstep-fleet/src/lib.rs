//! Shows of several robots on several machines, in step.
//!
//! - [`show`]: what is played: scenes, parts, cues; [`show_file`]: how people write it
//! - [`leader`] and [`member`]: the two sides of a performance, as machines that are given messages and times
//! - [`clock`]: how a member knows the leader's time, and how its run follows
//! - [`message`]: what they tell each other; [`network`]: how it gets there, by Zenoh to
//!   whoever has the fleet's code ([`pairing`])
//! - [`elsewhere`]: what a character on one robot wants of others, and what became of it
//! - [`player`]: what plays a robot's part; [`sample`]: which time of the show its recording has; [`store`]: where its
//!   files are
//! - [`simulation`]: a network in virtual time, with delay, loss, partitions, and clocks that drift

pub use boxstep_types::digest;

pub mod clock;
pub mod elsewhere;
mod fetch;
pub mod leader;
pub mod member;
pub mod message;
pub mod network;
pub mod pairing;
pub mod player;
pub mod sample;
pub mod show;
pub mod show_file;
pub mod simulation;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "zenoh")]
pub mod zenoh;
