//! From the raw view to the typed model. What does not fit is told and read around.

mod boxes;
mod codes;
mod context;
mod curves;
mod machine;
mod ports;
mod root;
mod timeline;

pub(crate) use context::whole_number;
pub(crate) use machine::Alike;
pub(crate) use root::read_project;
