//! One file per command.

pub(crate) mod check;
pub(crate) mod play;
pub(crate) mod show;
