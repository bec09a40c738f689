//! The description of a body for ROS (URDF): its links with their masses, its joints with their limits. It has no shapes.

use crate::frames::{self, Frame, Turn};
use boxstep_bodies::{Body, Joint};
use quick_xml::escape::escape;
use std::fmt::Write as _;

/// Returns the description of a body. Of a body whose parts have no known places it has only the first frame.
///
/// ```
/// use boxstep_bodies::BodyKind;
/// let text = boxstep_ros2::urdf::of(BodyKind::Nao.body());
/// assert!(text.contains(r#"<joint name="HeadYaw" type="revolute"><parent link="torso"/><child link="Neck"/>"#));
/// ```
pub fn of(body: &Body) -> String {
    let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escape(body.name));
    let frames = frames::of(body);
    link(&mut text, body, &frames::root(body), body.geometry.link(frames::BASE).and(Some(0)));
    for frame in &frames {
        link(&mut text, body, &frame.name, frame.link);
        joint(&mut text, body, frame);
    }
    text.push_str("</robot>\n");
    text
}

fn three([x, y, z]: [f64; 3]) -> String {
    format!("{x:?} {y:?} {z:?}")
}

fn link(text: &mut String, body: &Body, name: &str, link: Option<usize>) {
    let link = link.and_then(|link| body.geometry.links.get(link));
    let mass = link.and_then(|link| body.geometry.masses.iter().find(|mass| mass.link == link.name && mass.mass > 0.0));
    // Writing to a text cannot fail.
    let _ = match mass {
        None => writeln!(text, "<link name=\"{}\"/>", escape(name)),
        Some(mass) => {
            let [xx, xy, xz, yy, yz, zz] = mass.inertia;
            writeln!(
                text,
                "<link name=\"{}\"><inertial><origin xyz=\"{}\" rpy=\"0 0 0\"/><mass value=\"{:?}\"/><inertia ixx=\"{xx:?}\" \
                 ixy=\"{xy:?}\" ixz=\"{xz:?}\" iyy=\"{yy:?}\" iyz=\"{yz:?}\" izz=\"{zz:?}\"/></inertial></link>",
                escape(name),
                three(mass.center),
                mass.mass
            )
        }
    };
}

fn joint(text: &mut String, body: &Body, frame: &Frame) {
    let moved = match frame.turn {
        Turn::Fixed => None,
        Turn::Joint(joint) => body.joints.get(joint).map(|joint| (joint, limits(joint, 1.0), String::new())),
        Turn::Follows(joint, factor) => body.joints.get(joint).map(|joint| {
            let mimic = format!("<mimic joint=\"{}\" multiplier=\"{factor:?}\" offset=\"0.0\"/>", escape(joint.name));
            (joint, limits(joint, factor), mimic)
        }),
    };
    let kind = match &moved {
        None => "fixed",
        Some((joint, ..)) if joint.min.is_finite() && joint.max.is_finite() => "revolute",
        Some(_) => "continuous",
    };
    let (_, limit, mimic) = moved.map_or((None, String::new(), String::new()), |(joint, limit, mimic)| {
        (Some(joint), format!("<axis xyz=\"{}\"/>{limit}", three(frame.axis)), mimic)
    });
    let _ = writeln!(
        text,
        "<joint name=\"{}\" type=\"{kind}\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{}\" rpy=\"{}\"/>{limit}{mimic}</joint>",
        escape(&frame.joint),
        escape(&frame.parent),
        escape(&frame.name),
        three(frame.at),
        three(frame.turned),
    );
}

/// Returns the limits of a joint that turns by `factor` radians per unit. A torque or speed that is not known is 0.
fn limits(joint: &Joint, factor: f64) -> String {
    let known = |value: f64| if value.is_finite() { value } else { 0.0 };
    let effort = known(joint.max_torque);
    let velocity = known(joint.max_speed * factor.abs());
    let (one, other) = (joint.min * factor, joint.max * factor);
    if !(one.is_finite() && other.is_finite()) {
        return format!("<limit effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>");
    }
    let (lower, upper) = (one.min(other), one.max(other));
    format!("<limit lower=\"{lower:?}\" upper=\"{upper:?}\" effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>")
}
