//! `std_msgs`: texts, and the beginning of other messages.

use super::Message;
use super::builtin_interfaces::{TIME, Time};
use serde::{Deserialize, Serialize};

/// `std_msgs/msg/Header`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The time that the message is about.
    pub stamp: Time,
    /// The frame in which its coordinates are; empty if it has none.
    pub frame_id: String,
}

/// The fields of [`Header`].
pub(super) const HEADER: (&str, &str) = ("std_msgs/Header", Header::FIELDS);

impl Message for Header {
    const TYPE: &'static str = "std_msgs/msg/Header";
    const FIELDS: &'static str = "builtin_interfaces/Time stamp\nstring frame_id\n";
    const PARTS: &'static [(&'static str, &'static str)] = &[TIME];
}

/// `std_msgs/msg/String`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The text.
    pub data: String,
}

impl Message for Text {
    const TYPE: &'static str = "std_msgs/msg/String";
    const FIELDS: &'static str = "string data\n";
}
