//! The types that all Boxstep crates share: [`Value`], [`Time`], [`BoxPath`], [`Span`], [`Topic`] and [`Diagnostic`].
//!
//! This crate knows nothing about files, robots or Python, and depends on no other crate of the workspace.

pub mod calendar;
mod diagnostic;
#[cfg(feature = "digest")]
pub mod digest;
mod json;
pub mod languages;
mod near;
mod path;
mod printable;
mod random;
#[cfg(feature = "schema")]
mod schema;
mod services;
mod span;
mod time;
mod topic;
mod value;

pub use diagnostic::{Code, Diagnostic, Note, Severity};
pub use json::{JsonError, value_from_json};
pub use near::{meant, nearest};
pub use path::{BoxPath, PathError, Segment};
pub use printable::{is_order, printable, printable_line};
pub use random::Random;
pub use services::{ENGINE_SERVICES, is_engine_service};
pub use span::{FileId, LineCol, Sources, Span, line_ends};
pub use time::Time;
pub use topic::{PORTS, Topic};
pub use value::{ObjectRef, Value};
