//! What is in a behavior, for the eye and for other programs: as a tree ([`tree()`]), a drawing
//! ([`svg()`]), a page ([`page()`]), a graph for other tools ([`dot()`], [`mermaid()`]), JSON
//! ([`json()`]), joint curves ([`plot`]); behaviors that delegate ([`chart`]); and what changed between two behaviors ([`diff`]).
//!
//! A model is laid out once into a scene of plain rectangles, ports and curves (`scene.rs`); the
//! writers only put a scene into text. All texts come from strangers' files: `xml.rs` is the only
//! place that writes SVG and HTML, and it escapes whatever it is given.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod chart;
mod contents;
mod curves;
pub mod diff;
mod dot;
mod graph;
mod json;
mod layout;
mod level;
mod mermaid;
mod page;
pub mod plot;
mod route;
mod scene;
mod style;
mod svg;
mod text;
mod tree;
mod xml;

pub use contents::contents_tree;
pub use dot::dot;
pub use json::{SCHEMA as JSON_SCHEMA, json, json_with, schema as json_schema};
pub use level::{Level, LevelError};
pub use mermaid::mermaid;
pub use page::page;
pub use svg::{legend, live, live_style, live_timeline, svg};
pub use tree::{tree, tree_of};
