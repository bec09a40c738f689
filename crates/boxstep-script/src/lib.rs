//! Script hosts without an interpreter: the Python runtime that both hosts load, and the threads it runs on.
//!
//! - [`scheduler`]: which thread runs which script, when
//! - [`requests`]: what a script's request means, for either host
//! - [`dialect`]: which Python a script is written in
//! - [`keeper`]: what ends the processes that scripts have started
//! - [`lock`]: the locks that scripts wait on
//! - [`process`]: a helper process that runs scripts, kept at arm's length
//! - [`options`]: what the runtime is told at the start
//! - [`rewrite`]: Python 2 as Python 3, line by line
//! - [`python_sources`]: the runtime and the package `boxstep`, as text

pub mod dialect;
pub mod keeper;
pub mod lock;
pub mod options;
#[cfg(unix)]
pub mod process;
pub mod requests;
pub mod rewrite;
pub mod scheduler;
#[doc(hidden)]
pub mod selftest;

/// Says whether two parts of Boxstep were built from the same sources.
pub const BUILD_ID: &str = env!("BOXSTEP_BUILD_ID");

/// The modules of the Python runtime and of the package `boxstep`: dotted name (a package's ends with `.__init__`) and text.
pub fn python_sources() -> &'static [(&'static str, &'static str)] {
    include!(concat!(env!("OUT_DIR"), "/python_sources.rs"))
}
