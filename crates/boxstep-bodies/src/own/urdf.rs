//! The joints of a robot description (URDF, <http://wiki.ros.org/urdf/XML/joint>): names, limits, speeds, and which follow others.
//! Links, shapes and masses are not asked for. A description is read straight through, so its size bounds what it costs; there
//! are no entities.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::ops::Range;

/// What a description says that matters here.
#[derive(Clone, Debug, Default)]
pub(super) struct Robot {
    pub(super) name: String,
    pub(super) joints: Vec<Joint>,
}

/// A joint that turns. (One that slides has no place in a curve; one that is fixed does not move.)
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) name: String,
    /// It turns without end.
    pub(super) endless: bool,
    pub(super) limits: Option<(f64, f64)>,
    /// 0 if the description says none, which is refused with its place.
    pub(super) speed: f64,
    pub(super) mimics: Option<String>,
    pub(super) at: Range<usize>,
}

type Fault = (String, Range<usize>);

pub(super) fn read(text: &str) -> Result<Robot, Fault> {
    let mut reader = Reader::from_str(text);
    let mut robot = Robot::default();
    let mut depth = 0_usize;
    let mut open: Option<Joint> = None;
    let mut is_robot = false;
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
                    (1, "joint") => open = joint(tag, &at)?,
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
                }
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if depth == 1 {
                    robot.joints.extend(open.take());
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

fn joint(tag: &BytesStart<'_>, at: &Range<usize>) -> Result<Option<Joint>, Fault> {
    let kind = attribute(tag, "type", at)?.unwrap_or_default();
    let endless = match &*kind {
        "revolute" => false,
        "continuous" => true,
        "prismatic" | "fixed" | "floating" | "planar" => return Ok(None),
        other => return Err((format!("there is no `type` of joint `{other}`"), at.clone())),
    };
    let name = attribute(tag, "name", at)?.ok_or_else(|| ("a joint has no `name`".to_owned(), at.clone()))?;
    Ok(Some(Joint { name, endless, limits: None, speed: 0.0, mimics: None, at: at.clone() }))
}

fn limit(joint: &mut Joint, tag: &BytesStart<'_>, at: &Range<usize>) -> Result<(), Fault> {
    let number = |key: &str| -> Result<Option<f64>, Fault> {
        let Some(text) = attribute(tag, key, at)? else { return Ok(None) };
        let read = text.trim().parse::<f64>();
        read.map(Some).map_err(|_| (format!("`{key}` is `{text}`, and should be a number"), at.clone()))
    };
    // What is not said is 0, as the format has it.
    if !joint.endless {
        joint.limits = Some((number("lower")?.unwrap_or(0.0), number("upper")?.unwrap_or(0.0)));
    }
    joint.speed = number("velocity")?.unwrap_or(0.0);
    Ok(())
}

fn attribute(tag: &BytesStart<'_>, key: &str, at: &Range<usize>) -> Result<Option<String>, Fault> {
    let wrong = |why: String| (format!("not XML: {why}"), at.clone());
    let found = tag.try_get_attribute(key).map_err(|e| wrong(e.to_string()))?;
    let Some(found) = found else { return Ok(None) };
    let text = quick_xml::escape::unescape(&found.value).map_err(|e| wrong(e.to_string()))?;
    Ok(Some(text.into_owned()))
}
