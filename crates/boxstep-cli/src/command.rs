//! The commands, one file each.

pub(crate) mod behaviors;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod examples;
pub(crate) mod fmt;
pub(crate) mod man;
pub(crate) mod migrate;
pub(crate) mod new;
pub(crate) mod open;
pub(crate) mod pack;
pub(crate) mod play;
pub(crate) mod plot;
pub(crate) mod qi;
pub(crate) mod replay;
pub(crate) mod robot;
pub(crate) mod send;
pub(crate) mod show;
pub(crate) mod stop;
pub(crate) mod talk;
pub(crate) mod test;
pub(crate) mod unpack;
pub(crate) mod view;
pub(crate) mod why;
