//! `sensor_msgs`: joints.

use super::Message;
use super::builtin_interfaces::TIME;
use super::std_msgs::{HEADER, Header};
use serde::{Deserialize, Serialize};

/// `sensor_msgs/msg/JointState`. A list that is empty says nothing about any joint; others are as long as `name`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// When.
    pub header: Header,
    /// The names of the joints.
    pub name: Vec<String>,
    /// In radians; hands from 0 (closed) to 1 (open).
    pub position: Vec<f64>,
    /// In radians a second.
    pub velocity: Vec<f64>,
    /// In newton metres.
    pub effort: Vec<f64>,
}

impl Message for JointState {
    const TYPE: &'static str = "sensor_msgs/msg/JointState";
    const FIELDS: &'static str =
        "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n";
    const PARTS: &'static [(&'static str, &'static str)] = &[HEADER, TIME];
}
