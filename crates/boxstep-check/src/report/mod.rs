//! Output formats of findings.

mod json;
mod render;
mod sarif;

pub use json::to_json;
pub use render::{render, render_in};
pub use sarif::{Reported, sarif};
