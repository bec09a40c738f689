//! Script hosts without an interpreter: the Python runtime that both hosts load, and the threads that it runs on.
//!
//! - [`scheduler`]: which thread runs which script, and when
//! - [`requests`]: what a script's request means, for either host
//! - [`dialect`]: which Python version a script is written in
//! - [`keeper`]: ends the processes that scripts have started
//! - [`lock`]: the locks that scripts wait on
//! - [`process`]: runs scripts in a helper process
//! - [`options`]: the options that the runtime gets at its start
//! - [`rewrite`]: Python 2 as Python 3, line by line
//! - [`python_sources`]: the runtime and the package `boxstep`, as text

pub mod dialect;
#[cfg(windows)]
pub mod job;
pub mod keeper;
pub mod lock;
pub mod options;
pub mod process;
pub mod requests;
pub mod rewrite;
pub mod scheduler;
#[doc(hidden)]
pub mod selftest;

/// Identifies the sources of this build: two parts of Boxstep with the same id were built from the same sources.
pub const BUILD_ID: &str = env!("BOXSTEP_BUILD_ID");

/// Returns the modules of the Python runtime and of the package `boxstep`: dotted name (a package's ends with
/// `.__init__`) and text.
pub fn python_sources() -> &'static [(&'static str, &'static str)] {
    include!(concat!(env!("OUT_DIR"), "/python_sources.rs"))
}
