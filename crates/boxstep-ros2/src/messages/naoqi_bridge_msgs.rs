//! `naoqi_bridge_msgs`: touches, and commands to joints.

use super::Message;
use super::builtin_interfaces::TIME;
use super::std_msgs::{HEADER, Header};
use serde::{Deserialize, Serialize};

/// `naoqi_bridge_msgs/msg/Bumper`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bumper {
    /// Which: 0 right, 1 left, 2 back.
    pub bumper: u8,
    /// 1 if it is pressed, 0 if it is released.
    pub state: u8,
}

impl Message for Bumper {
    const TYPE: &'static str = "naoqi_bridge_msgs/msg/Bumper";
    const FIELDS: &'static str = "uint8 RIGHT=0\nuint8 LEFT=1\nuint8 BACK=2\nuint8 STATE_RELEASED=0\nuint8 STATE_PRESSED=1\nuint8 bumper\nuint8 state\n";
}

/// `naoqi_bridge_msgs/msg/HeadTouch`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadTouch {
    /// Which: 1 front, 2 middle, 3 rear.
    pub button: u8,
    /// 1 if it is pressed, 0 if it is released.
    pub state: u8,
}

impl Message for HeadTouch {
    const TYPE: &'static str = "naoqi_bridge_msgs/msg/HeadTouch";
    const FIELDS: &'static str = "uint8 BUTTON_FRONT=1\nuint8 BUTTON_MIDDLE=2\nuint8 BUTTON_REAR=3\nuint8 STATE_RELEASED=0\n\
        uint8 STATE_PRESSED=1\nuint8 button\nuint8 state\n";
}

/// `naoqi_bridge_msgs/msg/HandTouch`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandTouch {
    /// Which: 0 the back of the right hand, 1 its left side, 2 its right side; 3, 4, 5 those of the left hand.
    pub hand: u8,
    /// 1 if it is pressed, 0 if it is released.
    pub state: u8,
}

impl Message for HandTouch {
    const TYPE: &'static str = "naoqi_bridge_msgs/msg/HandTouch";
    const FIELDS: &'static str = "uint8 RIGHT_BACK=0\nuint8 RIGHT_LEFT=1\nuint8 RIGHT_RIGHT=2\nuint8 LEFT_BACK=3\n\
        uint8 LEFT_LEFT=4\nuint8 LEFT_RIGHT=5\nuint8 STATE_RELEASED=0\nuint8 STATE_PRESSED=1\nuint8 hand\nuint8 state\n";
}

/// `naoqi_bridge_msgs/msg/JointAnglesWithSpeed`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointAnglesWithSpeed {
    /// When it was sent.
    pub header: Header,
    /// The names of joints, or one chain.
    pub joint_names: Vec<String>,
    /// In radians; hands from 0 to 1.
    pub joint_angles: Vec<f32>,
    /// The share of the largest speed, from 0 to 1.
    pub speed: f32,
    /// 0: the angles are absolute; otherwise they are added to the present ones.
    pub relative: u8,
}

impl Message for JointAnglesWithSpeed {
    const TYPE: &'static str = "naoqi_bridge_msgs/msg/JointAnglesWithSpeed";
    const FIELDS: &'static str =
        "std_msgs/Header header\nstring[] joint_names\nfloat32[] joint_angles\nfloat32 speed\nuint8 relative\n";
    const PARTS: &'static [(&'static str, &'static str)] = &[HEADER, TIME];
}
