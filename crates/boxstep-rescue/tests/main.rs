//! Tests of the rescue of a robot's disk.

#![allow(clippy::unwrap_used)]

mod copying;
mod hostile;
mod images;
// Names of any bytes are names of files only there.
#[cfg(target_os = "linux")]
mod lab;
mod peer;
#[cfg(target_os = "linux")]
mod proof;
#[cfg(target_os = "linux")]
mod putting;
mod servers;
