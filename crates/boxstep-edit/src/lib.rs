//! Edits of behaviors: operations that change the lines they concern and keep every other byte, with undo.
//!
//! An [`Op`] says what is to change, as data. A [`Document`] does it: the model of the file becomes another one, and the
//! file follows ([`boxstep_format::write::Edits::set_box`]). Operations are checked before anything changes, and each
//! error names the box.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod box_folders;
mod document;
mod draft;
mod error;
mod fields;
#[cfg(test)]
mod laws;
mod lines;
mod op;
mod open_file;
mod ops;
pub mod project;
mod requests;
mod scratch;
pub mod templates;
mod text_file;

pub use box_folders::{BoxFolder, BoxFolders, FolderBox, FolderContent, KeepError, Kept};
pub use document::{Change, Document, Step};
pub use draft::{NoDraft, is_draft};
pub use error::EditError;
pub use fields::{
    InputFields, InputKind, Interpolate, KeyAt, KeyRef, Kind, Mode, NewBox, OutputFields, OutputKind, ParameterFields,
    ParameterKind, Placed, PortAt, ResourceFields, Side, TangentFields, Type,
};
pub use op::Op;
pub use open_file::{MergeError, OpenError, OpenFile, Recovered, SaveError};
pub use ops::{Said, SaidKind, Sent, copied, said};
pub use requests::{EditFinding, EditRequest, EditState, LABELS, OfferedBox, offered};
pub use text_file::{TextError, TextFile};

/// A list of operations: on a behavior, or on a project.
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Operations {
    Behavior(Vec<Op>),
    Project(Vec<project::ProjectOp>),
}

/// Returns the JSON Schema of a list of operations.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Operations).to_value()
}
