//! Tests of the rescue of a robot's disk.

#![allow(clippy::unwrap_used)]

mod copying;
mod hostile;
mod images;
mod peer;
mod servers;
