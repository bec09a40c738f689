//! What is wrong with a behavior before it runs ([`check()`]), and how a diagnostic is shown to
//! people ([`render()`]) and programs ([`to_json`]).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod check;
pub mod codes;
mod json;
mod render;
mod words;

pub use check::check;
pub use codes::CODES;
pub use json::to_json;
pub use render::render;
