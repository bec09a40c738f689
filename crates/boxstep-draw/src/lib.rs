//! Displays of a behavior, for people and for other programs: a tree ([`tree()`]), a drawing ([`svg()`]), a page
//! ([`page()`]), graphs for other tools ([`dot()`], [`mermaid()`]), JSON ([`json()`]), joint curves ([`plot`]),
//! behaviors that delegate ([`chart`]), and the difference between two behaviors ([`diff`]).
//!
//! A model is laid out once into a scene of rectangles, ports and curves (`scene.rs`); the writers only convert a scene
//! to text. All texts come from foreign files, so `xml.rs` is the only module that writes SVG and HTML, and it escapes
//! everything.
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! use boxstep_draw::{Level, mermaid, svg, tree};
//! use boxstep_format::{Limits, read_xar};
//!
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello/behavior.xar");
//! let file = read_xar("behavior.xar", &std::fs::read(path)?, &Limits::default())?;
//! let whole = Level::root(&file.project);
//! let drawing = svg(&whole, BodyKind::Nao.body());
//! assert!(drawing.starts_with("<svg ") && drawing.contains("Say bye"));
//! assert!(mermaid(&whole).starts_with("flowchart"));
//!
//! let wave = Level::find(&file.project, "root/Wave")?;
//! assert_eq!(wave.path().to_string(), "root/Wave");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod body;
pub mod chart;
mod contents;
mod curves;
pub mod diff;
mod dot;
mod faces;
mod graph;
mod json;
mod layout;
mod level;
mod mermaid;
mod page;
pub mod plot;
mod postures;
mod route;
mod scene;
mod style;
mod svg;
mod text;
mod topic;
mod tree;
mod xml;

pub use body::body;
pub use contents::contents_tree;
pub use dot::dot;
pub use json::{SCHEMA as JSON_SCHEMA, json, json_with, live_json, schema as json_schema};
pub use level::{Level, LevelError};
pub use mermaid::mermaid;
pub use page::page;
pub use postures::postures;
pub use svg::{FastSegment, MotionNotes, legend, live, live_style, motion_notes, picture, svg};
pub use topic::{topic_diff, topic_tree};
pub use tree::{tree, tree_of};
