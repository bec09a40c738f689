//! Conversion of the raw view to the typed model. Anything that does not fit is reported and skipped.

mod boxes;
mod codes;
mod context;
mod curves;
mod known;
mod machine;
mod ports;
mod root;
mod timeline;

pub(crate) use context::whole_number;
pub(crate) use known::Known;
pub(crate) use machine::LinkIndex;
pub(crate) use root::read_project;
