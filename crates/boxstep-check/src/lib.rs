//! What is wrong with a behavior before it runs ([`check()`]), and how a diagnostic is shown to people
//! ([`render()`]) and programs ([`to_json`], [`sarif()`]).
//!
//! Nothing of a behavior is run. Its scripts are looked at by a Python of the user's ([`Scripts`]), which parses them
//! and no more.

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
pub use findings::projects::{Found, listed_dialogs, of_behavior, project};
pub use findings::{Context, check};
pub use report::{Reported, render, render_in, sarif, to_json};
pub use scripts::{Import, Python, Remnant, Rewriter, Rewritten, Scripts, Source, Use, Uses, ask, lines, scripts_of};
