//! The frames of a body as ROS names them, and how joints move them: what the description and the transforms consist of.
//!
//! NAO and Pepper have the names of their published descriptions (`nao_description`, `pepper_description`), other bodies
//! those of their links. A body hangs on `base_link`, which is where the torso is.

use boxstep_bodies::{Body, Link};
use boxstep_dynamics::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::collections::BTreeSet;

/// The frame of the body as a whole.
pub const BASE: &str = "base_link";
/// The frame of the world, in which the body was at the origin when the run began.
pub const ODOM: &str = "odom";
/// The frame on the floor under the body.
pub const FOOTPRINT: &str = "base_footprint";

/// The links of NAO and Pepper that have other names in ROS.
const NAMES: [(&str, &str); 12] = [
    ("Torso", "torso"),
    ("LUpperArm", "LBicep"),
    ("RUpperArm", "RBicep"),
    ("LWrist", "l_wrist"),
    ("RWrist", "r_wrist"),
    ("LHand", "l_gripper"),
    ("RHand", "r_gripper"),
    ("LAnkle", "LAnklePitch"),
    ("RAnkle", "RAnklePitch"),
    ("LFoot", "l_ankle"),
    ("RFoot", "r_ankle"),
    ("Base", "Tibia"),
];

/// What turns a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Nothing: it is fixed to its parent.
    Fixed,
    /// The joint with this number in [`Body::joints`].
    Joint(usize),
    /// A joint without a motor, which has a name in ROS: the number of the joint that it follows, and the radians per unit
    /// of that one.
    Follows(usize, f64),
}

/// A frame and how it hangs on its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// The name of its parent.
    pub parent: String,
    /// The name of what connects them.
    pub joint: String,
    /// What turns it.
    pub turn: Turn,
    /// Its position in the parent's frame, in metres.
    pub at: [f64; 3],
    /// Its orientation there when the joint is at 0: rotations about the fixed axes x, then y, then z.
    pub turned: [f64; 3],
    /// The axis about which it turns, in its own frame.
    pub axis: [f64; 3],
    /// The number of the link that it is in [`boxstep_bodies::Geometry::links`]; `None` for a frame that only ROS has.
    pub link: Option<usize>,
}

impl Frame {
    /// Returns its pose in the parent's frame for these angles, which are in the order of [`Body::joints`].
    pub fn pose(&self, angles: &[f64]) -> Isometry3<f64> {
        let [roll, pitch, yaw] = self.turned;
        let straight = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
        let angle = |joint: usize| angles.get(joint).copied().unwrap_or(0.0);
        let angle = match self.turn {
            Turn::Fixed => 0.0,
            Turn::Joint(joint) => angle(joint),
            Turn::Follows(joint, factor) => factor * angle(joint),
        };
        let turn = UnitQuaternion::new(Vector3::from(self.axis) * angle);
        Isometry3::from_parts(Translation3::from(Vector3::from(self.at)), straight * turn)
    }
}

/// Returns the name of a link in ROS.
pub fn link_name(body: &Body, link: &str) -> String {
    let known = NAMES.iter().find(|(ours, _)| body.is_known() && *ours == link);
    known.map_or(link, |(_, theirs)| theirs).to_owned()
}

/// Returns the first frame of a body: [`BASE`], unless a link of it has this name.
pub fn root(body: &Body) -> String {
    match body.geometry.links.first() {
        Some(first) if body.geometry.link(BASE).is_some() => first.name.to_owned(),
        _ => BASE.to_owned(),
    }
}

/// Returns all frames of a body but the first, parents before their children.
///
/// A joint of ROS moves its frame by its own value, in radians. The value of a hand goes from 0 to 1 and turns fingers by
/// another angle: there the joint moves a frame without a body, and the fingers are moved by a joint that mimics it.
pub fn of(body: &Body) -> Vec<Frame> {
    let (root, mut used) = (root(body), BTreeSet::new());
    let mut frames = Vec::new();
    for (number, link) in body.geometry.links.iter().enumerate() {
        let name = link_name(body, link.name);
        let parent = if link.parent.is_empty() { root.clone() } else { link_name(body, link.parent) };
        if name == root {
            continue;
        }
        let frame = Frame {
            joint: format!("{name}_joint"),
            name,
            parent,
            turn: Turn::Fixed,
            at: link.at,
            turned: link.turned,
            axis: link.axis,
            link: Some(number),
        };
        match moved(body, link) {
            None => frames.push(Frame { joint: format!("{}_fixed", frame.name), ..frame }),
            Some((joint, leader)) => {
                let is_new = used.insert(joint);
                let own = body.joints.get(joint).map_or("", |joint| joint.name);
                match (is_new, joint == leader) {
                    (true, true) if link.scale == 1.0 => {
                        frames.push(Frame { joint: own.to_owned(), turn: Turn::Joint(joint), ..frame });
                    }
                    (true, true) => {
                        frames.push(Frame {
                            name: format!("{own}_value"),
                            joint: own.to_owned(),
                            turn: Turn::Joint(joint),
                            link: None,
                            ..frame.clone()
                        });
                        frames.push(Frame { turn: Turn::Follows(joint, link.scale), ..frame });
                    }
                    (true, false) => {
                        let turn = Turn::Follows(leader, link.scale);
                        frames.push(Frame { joint: own.to_owned(), turn, ..frame });
                    }
                    // Another link that the same joint moves, such as a second finger.
                    (false, _) => frames.push(Frame { turn: Turn::Follows(leader, link.scale), ..frame }),
                }
            }
        }
    }
    frames
}

/// Returns the joint that turns a link, and the joint whose motor moves it.
fn moved(body: &Body, link: &Link) -> Option<(usize, usize)> {
    let joint = body.joint_index(link.joint)?;
    let coupling = body.couplings.iter().find(|coupling| coupling.joint == link.joint);
    Some((joint, coupling.and_then(|coupling| body.joint_index(coupling.follows)).unwrap_or(joint)))
}
