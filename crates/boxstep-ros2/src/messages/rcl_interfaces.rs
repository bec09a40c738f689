//! `rcl_interfaces`: the log.

use super::Message;
use super::builtin_interfaces::{TIME, Time};
use serde::{Deserialize, Serialize};

/// `rcl_interfaces/msg/Log`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// When.
    pub stamp: Time,
    /// How serious it is: [`Log::DEBUG`] …
    pub level: u8,
    /// Who logged it: here a box.
    pub name: String,
    /// The text.
    pub msg: String,
    /// The file; here the box, too.
    pub file: String,
    /// The function; here always empty.
    pub function: String,
    /// The line of the file, from 1; 0 if it is not known.
    pub line: u32,
}

impl Log {
    /// For who looks for faults.
    pub const DEBUG: u8 = 10;
    /// Something to know.
    pub const INFO: u8 = 20;
    /// Something may be wrong.
    pub const WARN: u8 = 30;
    /// Something is wrong.
    pub const ERROR: u8 = 40;
    /// Nothing can go on.
    pub const FATAL: u8 = 50;
}

impl Message for Log {
    const TYPE: &'static str = "rcl_interfaces/msg/Log";
    const FIELDS: &'static str = "byte DEBUG=10\nbyte INFO=20\nbyte WARN=30\nbyte ERROR=40\nbyte FATAL=50\n\
        builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\nuint32 line\n";
    const PARTS: &'static [(&'static str, &'static str)] = &[TIME];
}
