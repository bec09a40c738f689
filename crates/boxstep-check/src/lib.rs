//! Static checks of behaviors ([`check()`]), and the display of diagnostics to users ([`render()`]) and to programs
//! ([`to_json`], [`sarif()`]).
//!
//! No part of a behavior is run. A Python interpreter of the user parses the scripts ([`Scripts`]), but does not run
//! them.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod baseline;
pub mod codes;
pub mod config;
mod explain;
mod findings;
mod report;
mod scripts;
mod words;

pub use codes::CODES;
pub use explain::{explain, pages};
pub use findings::projects::{Found, listed_dialogs, project, project_of_behavior};
pub use findings::{Context, check};
pub use report::{Reported, render, render_in, sarif, to_json};
pub use scripts::{
    Import, Python, Remnant, Rewriter, Rewritten, Scripts, Source, Use, Uses, lines, query_python, scripts_of,
};
