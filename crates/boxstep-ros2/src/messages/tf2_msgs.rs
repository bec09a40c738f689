//! `tf2_msgs`: where frames are.

use super::Message;
use super::geometry_msgs::TransformStamped;
use serde::{Deserialize, Serialize};

/// `tf2_msgs/msg/TFMessage`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TfMessage {
    /// The frames, each in its parent's frame.
    pub transforms: Vec<TransformStamped>,
}

impl Message for TfMessage {
    const TYPE: &'static str = "tf2_msgs/msg/TFMessage";
    const FIELDS: &'static str = "geometry_msgs/TransformStamped[] transforms\n";
    const PARTS: &'static [(&'static str, &'static str)] = &{
        let [a, b, c, d, e] = TransformStamped::PARTS else { panic!("its five parts") };
        [("geometry_msgs/TransformStamped", TransformStamped::FIELDS), *a, *b, *c, *d, *e]
    };
}
