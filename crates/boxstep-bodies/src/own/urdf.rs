//! Reads the joints of a robot description (URDF, <http://wiki.ros.org/urdf/XML/joint>): names, limits, speeds, torques,
//! which joints follow others, positions and masses. Shapes are ignored. The parser makes one pass and expands no
//! entities, so its cost is bounded by the size of the description.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::ops::Range;

/// The relevant contents of a description.
#[derive(Clone, Debug, Default)]
pub(super) struct Robot {
    pub(super) name: String,
    pub(super) joints: Vec<UrdfJoint>,
    /// The placement of every joint, also of fixed ones, in the order of the description.
    pub(super) places: Vec<Place>,
    pub(super) masses: Vec<LinkMass>,
}

/// The mass of a link.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkMass {
    pub(super) link: String,
    /// In kilograms.
    pub(super) mass: f64,
    pub(super) center: [f64; 3],
    /// About the center of mass, along the axes of the link: xx, xy, xz, yy, yz, zz.
    pub(super) inertia: [f64; 6],
    /// The orientation of the axes in which the description gives the inertia.
    rpy: [f64; 3],
    pub(super) at: Range<usize>,
}

/// The links that a joint connects, and its position.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) parent: String,
    pub(super) child: String,
    /// In metres.
    pub(super) xyz: [f64; 3],
    /// In radians, about the fixed axes x, then y, then z.
    pub(super) rpy: [f64; 3],
    pub(super) axis: [f64; 3],
    /// The name of the joint if it turns; empty if it is fixed.
    pub(super) joint: String,
}

/// A joint that turns. (Curves cannot move a sliding joint, and a fixed one does not move.)
#[derive(Clone, Debug)]
pub(super) struct UrdfJoint {
    pub(super) name: String,
    /// It turns without limits.
    pub(super) endless: bool,
    pub(super) limits: Option<(f64, f64)>,
    /// 0 if the description gives no speed; the checks reject that with the joint's position.
    pub(super) speed: f64,
    /// In newton metres.
    pub(super) torque: Option<f64>,
    pub(super) mimics: Option<String>,
    pub(super) at: Range<usize>,
}

type UrdfFault = (String, Range<usize>);

pub(super) fn read(text: &str) -> Result<Robot, UrdfFault> {
    let mut reader = Reader::from_str(text);
    let mut robot = Robot::default();
    let mut depth = 0_usize;
    let mut open: Option<UrdfJoint> = None;
    let mut place = Place::default();
    let (mut is_robot, mut in_joint, mut in_inertial) = (false, false, false);
    let mut mass = LinkMass::default();
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|e| {
            let at = text.floor_char_boundary((reader.error_position() as usize).min(text.len()));
            (format!("not XML: {e}"), at..text.ceil_char_boundary((at + 1).min(text.len())))
        })?;
        let at = start..reader.buffer_position() as usize;
        match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                match (depth, tag.name().as_ref()) {
                    (0, "robot") => {
                        is_robot = true;
                        robot.name = attribute(tag, "name", &at)?.unwrap_or_default();
                    }
                    (0, _) => return Err(("a robot description begins with <robot>".to_owned(), at)),
                    (1, "link") => {
                        let link = attribute(tag, "name", &at)?.unwrap_or_default();
                        mass = LinkMass { link, at: at.clone(), ..LinkMass::default() };
                    }
                    (2, "inertial") if !in_joint => in_inertial = true,
                    (3, "origin") if in_inertial => {
                        mass.center = three(tag, "xyz", &at)?.unwrap_or_default();
                        mass.rpy = three(tag, "rpy", &at)?.unwrap_or_default();
                    }
                    (3, "mass") if in_inertial => mass.mass = number(tag, "value", &at)?.unwrap_or_default(),
                    (3, "inertia") if in_inertial => {
                        for (of, key) in mass.inertia.iter_mut().zip(["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]) {
                            *of = number(tag, key, &at)?.unwrap_or_default();
                        }
                    }
                    (1, "joint") => {
                        open = joint(tag, &at)?;
                        let joint = open.as_ref().map(|joint| joint.name.clone()).unwrap_or_default();
                        place = Place { joint, axis: [1.0, 0.0, 0.0], ..Place::default() };
                        in_joint = true;
                    }
                    (2, "parent") if in_joint => place.parent = attribute(tag, "link", &at)?.unwrap_or_default(),
                    (2, "child") if in_joint => place.child = attribute(tag, "link", &at)?.unwrap_or_default(),
                    (2, "origin") if in_joint => {
                        place.xyz = three(tag, "xyz", &at)?.unwrap_or_default();
                        place.rpy = three(tag, "rpy", &at)?.unwrap_or_default();
                    }
                    (2, "axis") if in_joint => place.axis = three(tag, "xyz", &at)?.unwrap_or(place.axis),
                    (2, "limit") => {
                        if let Some(joint) = &mut open {
                            limit(joint, tag, &at)?;
                        }
                    }
                    (2, "mimic") => {
                        if let Some(joint) = &mut open {
                            joint.mimics = attribute(tag, "joint", &at)?;
                        }
                    }
                    _ => {}
                }
                let is_open = matches!(event, Event::Start(_));
                if is_open {
                    depth += 1;
                } else if depth == 1 {
                    robot.joints.extend(open.take());
                    in_joint = false;
                }
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if depth == 2 && std::mem::take(&mut in_inertial) {
                    let turned = std::mem::take(&mut mass);
                    mass.link.clone_from(&turned.link);
                    robot.masses.push(turned.along_the_link());
                }
                if depth == 1 {
                    robot.joints.extend(open.take());
                    if std::mem::take(&mut in_joint) && !place.parent.is_empty() && !place.child.is_empty() {
                        robot.places.push(std::mem::take(&mut place));
                    }
                }
            }
            Event::DocType(_) => return Err(("a document type is not read".to_owned(), at)),
            Event::Eof if depth > 0 => return Err(("it ends within an element".to_owned(), at)),
            Event::Eof if !is_robot => return Err(("a robot description begins with <robot>".to_owned(), at)),
            Event::Eof => return Ok(robot),
            _ => {}
        }
    }
}

fn joint(tag: &BytesStart<'_>, at: &Range<usize>) -> Result<Option<UrdfJoint>, UrdfFault> {
    let kind = attribute(tag, "type", at)?.unwrap_or_default();
    let endless = match &*kind {
        "revolute" => false,
        "continuous" => true,
        "prismatic" | "fixed" | "floating" | "planar" => return Ok(None),
        other => return Err((format!("there is no `type` of joint `{other}`"), at.clone())),
    };
    let name = attribute(tag, "name", at)?.ok_or_else(|| ("a joint has no `name`".to_owned(), at.clone()))?;
    Ok(Some(UrdfJoint { name, endless, limits: None, speed: 0.0, torque: None, mimics: None, at: at.clone() }))
}

fn limit(joint: &mut UrdfJoint, tag: &BytesStart<'_>, at: &Range<usize>) -> Result<(), UrdfFault> {
    let number = |key: &str| number(tag, key, at);
    // A missing attribute is 0, as the format specifies.
    if !joint.endless {
        joint.limits = Some((number("lower")?.unwrap_or(0.0), number("upper")?.unwrap_or(0.0)));
    }
    joint.speed = number("velocity")?.unwrap_or(0.0);
    // Descriptions that do not know the torque write 0.
    joint.torque = number("effort")?.filter(|torque| *torque > 0.0);
    Ok(())
}

impl LinkMass {
    /// Rotates the inertia so that it is along the axes of the link.
    fn along_the_link(self) -> Self {
        let [xx, xy, xz, yy, yz, zz] = self.inertia;
        let of = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        let r = rotation(self.rpy);
        let at = |i: usize, j: usize| -> f64 {
            (0..3).flat_map(|k| (0..3).map(move |l| (k, l))).map(|(k, l)| r[i][k] * of[k][l] * r[j][l]).sum()
        };
        Self { inertia: [at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)], rpy: [0.0; 3], ..self }
    }
}

/// Returns the matrix of rotations about the fixed axes x, then y, then z.
fn rotation(rpy: [f64; 3]) -> [[f64; 3]; 3] {
    let [(sr, cr), (sp, cp), (sy, cy)] = rpy.map(f64::sin_cos);
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

fn number(tag: &BytesStart<'_>, key: &str, at: &Range<usize>) -> Result<Option<f64>, UrdfFault> {
    let Some(text) = attribute(tag, key, at)? else { return Ok(None) };
    let read = text.trim().parse::<f64>();
    read.map(Some).map_err(|_| (format!("`{key}` is `{text}`, and should be a number"), at.clone()))
}

/// Parses three numbers such as `"1 0 -0.5"`.
fn three(tag: &BytesStart<'_>, key: &str, at: &Range<usize>) -> Result<Option<[f64; 3]>, UrdfFault> {
    let Some(text) = attribute(tag, key, at)? else { return Ok(None) };
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match <[f64; 3]>::try_from(numbers) {
        Ok(three) if three.iter().all(|x| x.is_finite()) => Ok(Some(three)),
        _ => Err((format!("`{key}` is `{text}`, and should be three numbers"), at.clone())),
    }
}

fn attribute(tag: &BytesStart<'_>, key: &str, at: &Range<usize>) -> Result<Option<String>, UrdfFault> {
    let wrong = |why: String| (format!("not XML: {why}"), at.clone());
    let found = tag.try_get_attribute(key).map_err(|e| wrong(e.to_string()))?;
    let Some(found) = found else { return Ok(None) };
    let text = quick_xml::escape::unescape(&found.value).map_err(|e| wrong(e.to_string()))?;
    Ok(Some(text.into_owned()))
}
