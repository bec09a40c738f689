//! Curves of timelines and their keys.

use super::missing;
use crate::error::EditError;
use crate::fields::{KeyAt, KeyRef, Side, TangentFields};
use crate::scratch::Scratch;
use boxstep_format::model::{ActuatorCurve, ActuatorList, CurveUnit, Key, Tangent, Timeline};
use boxstep_types::{BoxPath, Span};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn add(to: &mut Scratch<'_>, path: &BoxPath, joint: &str) -> Result<(), EditError> {
    let of = to.clock(path)?;
    if joint.is_empty() {
        return Err(EditError::NoName(path.clone(), "curve"));
    }
    if curves(of).iter().any(|curve| *curve.actuator == *joint) {
        return Err(EditError::NameTaken { path: path.clone(), kind: "curve", name: joint.to_owned() });
    }
    curves_mut(of).push(new(joint));
    Ok(())
}

/// Returns a curve without keys. Hands are given in parts of 1, other joints in degrees.
fn new(joint: &str) -> ActuatorCurve {
    let unit = if joint.ends_with("Hand") { CurveUnit::Percent } else { CurveUnit::Degree };
    let (keys, span) = (Vec::new(), Span::default());
    ActuatorCurve {
        name: "value".to_owned(),
        actuator: joint.into(),
        recordable: Some(true),
        mute: false,
        always_visible: None,
        unit,
        keys,
        span,
    }
}

pub(super) fn mute(to: &mut Scratch<'_>, path: &BoxPath, joint: &str, mute: bool) -> Result<(), EditError> {
    curve(to.timeline(path)?, path, joint)?.mute = mute;
    Ok(())
}

pub(super) fn remove(to: &mut Scratch<'_>, path: &BoxPath, joint: &str) -> Result<(), EditError> {
    let of = to.timeline(path)?;
    curve(of, path, joint)?;
    curves_mut(of).retain(|curve| *curve.actuator != *joint);
    Ok(())
}

pub(super) fn set_keys(to: &mut Scratch<'_>, path: &BoxPath, joint: &str, keys: &[KeyAt]) -> Result<(), EditError> {
    let of = to.clock(path)?;
    if !curves(of).iter().any(|curve| *curve.actuator == *joint) {
        if joint.is_empty() {
            return Err(EditError::NoName(path.clone(), "curve"));
        }
        curves_mut(of).push(new(joint));
    }
    let curve = curve(of, path, joint)?;
    for key in keys {
        set_key(curve, path, key)?;
    }
    Ok(())
}

fn set_key(curve: &mut ActuatorCurve, path: &BoxPath, key: &KeyAt) -> Result<(), EditError> {
    let frame = frame(path, key.frame)?;
    let value = finite(path, "a value", key.value)?;
    let left = key.left.as_ref().map(|fields| tangent(path, fields)).transpose()?;
    let right = key.right.as_ref().map(|fields| tangent(path, fields)).transpose()?;
    match curve.keys.iter_mut().find(|other| other.frame == frame) {
        Some(old) => {
            old.value = value;
            change_tangent(&mut old.left, left);
            change_tangent(&mut old.right, right);
        }
        None => {
            let place = curve.keys.iter().position(|other| other.frame > frame).unwrap_or(curve.keys.len());
            let (smooth, symmetrical, span) = (None, None, Span::default());
            curve.keys.insert(place, Key { frame, value, smooth, symmetrical, left, right, span });
        }
    }
    Ok(())
}

/// Changes a tangent if there is a new one; it keeps its element.
fn change_tangent(old: &mut Option<Tangent>, new: Option<Tangent>) {
    if let Some(new) = new {
        let span = old.as_ref().map_or_else(Span::default, |old| old.span);
        *old = Some(Tangent { span, ..new });
    }
}

pub(super) fn set_pose(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    frame: i32,
    joints: &BTreeMap<String, f64>,
) -> Result<(), EditError> {
    for (joint, value) in joints {
        set_keys(to, path, joint, &[KeyAt { frame, value: *value, left: None, right: None }])?;
    }
    Ok(())
}

pub(super) fn remove_keys(to: &mut Scratch<'_>, path: &BoxPath, keys: &[KeyRef]) -> Result<(), EditError> {
    let of = to.timeline(path)?;
    for key in keys {
        let keys = &mut curve(of, path, &key.joint)?.keys;
        let at = key_at(keys, path, key)?;
        keys.remove(at);
    }
    Ok(())
}

pub(super) fn move_keys(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    keys: &[KeyRef],
    frames: i32,
    value: f64,
) -> Result<(), EditError> {
    finite(path, "a value", value)?;
    let of = to.timeline(path)?;
    let joints: BTreeSet<&str> = keys.iter().map(|key| &*key.joint).collect();
    for joint in joints {
        let moved: BTreeSet<i32> = keys.iter().filter(|key| key.joint == joint).map(|key| key.frame).collect();
        let curve = curve(of, path, joint)?;
        for frame in &moved {
            key_at(&curve.keys, path, &KeyRef { joint: joint.to_owned(), frame: *frame })?;
        }
        for key in curve.keys.iter_mut().filter(|key| moved.contains(&key.frame)) {
            key.frame = frame(path, key.frame.saturating_add(frames))?;
            key.value = finite(path, "a value", key.value + value)?;
        }
        curve.keys.sort_by_key(|key| key.frame);
        if let Some([a, _]) = curve.keys.windows(2).find(|pair| matches!(pair, [a, b] if a.frame == b.frame)) {
            return Err(EditError::FrameTaken(path.clone(), joint.to_owned(), a.frame));
        }
    }
    Ok(())
}

pub(super) fn set_tangent(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    (joint, frame): (&str, i32),
    side: Side,
    fields: Option<&TangentFields>,
) -> Result<(), EditError> {
    let new = fields.map(|fields| tangent(path, fields)).transpose()?;
    let keys = &mut curve(to.timeline(path)?, path, joint)?.keys;
    let at = key_at(keys, path, &KeyRef { joint: joint.to_owned(), frame })?;
    let of = match side {
        Side::Left => &mut keys[at].left,
        Side::Right => &mut keys[at].right,
    };
    match new {
        Some(new) => change_tangent(of, Some(new)),
        None => *of = None,
    }
    Ok(())
}

pub(super) fn mirror(to: &mut Scratch<'_>, path: &BoxPath) -> Result<(), EditError> {
    let of = to.timeline(path)?;
    for curve in of.actuators.iter_mut().flat_map(|list| &mut list.curves) {
        let joint = curve.actuator.to_string();
        let (other, turns) = mirrored(&joint).ok_or_else(|| EditError::NoMirror(path.clone(), joint.clone()))?;
        if turns {
            for key in &mut curve.keys {
                key.value = -key.value;
                let sides = key.left.iter_mut().chain(&mut key.right);
                sides.for_each(|tangent| tangent.ordinate = -tangent.ordinate);
            }
        }
        curve.actuator = other.into();
    }
    Ok(())
}

/// Returns the name of the same joint on the other side of the body, and whether it turns the other way there: one
/// around the forward or the vertical axis. The hips' `YawPitch` is one motor for both. `None` for a joint whose name
/// does not say how it turns; names like `l_knee` are of robots whose motors each turn their own way.
fn mirrored(joint: &str) -> Option<(String, bool)> {
    let words = words(joint);
    let last = words.iter().rev().find(|word| !word.eq_ignore_ascii_case("joint"))?;
    let turns = match last.to_ascii_lowercase().as_str() {
        "roll" | "yaw" | "waist" => true,
        "pitch" | "knee" | "elbow" | "hand" => false,
        _ => return None,
    };
    let first = *words.first()?;
    let rest = joint.strip_prefix(first)?;
    let other = match first {
        "Left" => "Right",
        "Right" => "Left",
        "left" => "right",
        "right" => "left",
        "L" if !rest.starts_with('_') => "R",
        "R" if !rest.starts_with('_') => "L",
        _ if first.len() == 1 => return None,
        middle => middle,
    };
    Some((format!("{other}{rest}"), turns))
}

/// Returns the words of a name such as `LShoulderRoll` or `left_hip_yaw_joint`.
fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in name.split('_') {
        let mut begin = 0;
        let letters: Vec<(usize, char)> = part.char_indices().collect();
        for at in 1..letters.len() {
            let upper = |at: usize| letters.get(at).is_some_and(|(_, c)| c.is_ascii_uppercase());
            let lower = |at: usize| letters.get(at).is_some_and(|(_, c)| c.is_ascii_lowercase());
            if upper(at) && (!upper(at - 1) || lower(at + 1)) {
                words.push(&part[begin..letters[at].0]);
                begin = letters[at].0;
            }
        }
        words.push(&part[begin..]);
    }
    words
}

fn curves(of: &Timeline) -> &[ActuatorCurve] {
    of.actuators.as_ref().map_or(&[], |list| &list.curves)
}

/// Returns the curves; a timeline without a list gets one.
fn curves_mut(of: &mut Timeline) -> &mut Vec<ActuatorCurve> {
    let none = || ActuatorList { model: String::new(), curves: Vec::new(), span: Span::default() };
    &mut of.actuators.get_or_insert_with(none).curves
}

/// Returns the curve of a joint.
fn curve<'t>(of: &'t mut Timeline, path: &BoxPath, joint: &str) -> Result<&'t mut ActuatorCurve, EditError> {
    let Some(at) = curves(of).iter().position(|curve| *curve.actuator == *joint) else {
        return Err(missing(path, "curve", joint, curves(of).iter().map(|curve| &*curve.actuator)));
    };
    Ok(&mut curves_mut(of)[at])
}

fn key_at(keys: &[Key], path: &BoxPath, key: &KeyRef) -> Result<usize, EditError> {
    keys.iter().position(|other| other.frame == key.frame).ok_or_else(|| {
        let known = keys.iter().map(|key| key.frame.to_string()).collect();
        EditError::Missing { path: path.clone(), kind: "key", name: format!("{} at {}", key.joint, key.frame), known }
    })
}

fn frame(path: &BoxPath, frame: i32) -> Result<i32, EditError> {
    if frame >= 0 { Ok(frame) } else { Err(EditError::Number(path.clone(), "a frame", f64::from(frame))) }
}

fn finite(path: &BoxPath, what: &'static str, value: f64) -> Result<f64, EditError> {
    if value.is_finite() { Ok(value) } else { Err(EditError::Number(path.clone(), what, value)) }
}

fn tangent(path: &BoxPath, fields: &TangentFields) -> Result<Tangent, EditError> {
    Ok(Tangent {
        interpolation: fields.interpolation.into(),
        abscissa: finite(path, "a tangent", fields.frames)?,
        ordinate: finite(path, "a tangent", fields.value)?,
        span: Span::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::mirrored;

    #[test]
    fn left_is_right() {
        for (joint, other, turns) in [
            ("LShoulderRoll", "RShoulderRoll", true),
            ("RHand", "LHand", false),
            ("HeadYaw", "HeadYaw", true),
            ("LElbowYaw", "RElbowYaw", true),
            ("LShoulderPitch", "RShoulderPitch", false),
            ("LHipYawPitch", "RHipYawPitch", false),
            ("HipRoll", "HipRoll", true),
            ("Left_Shoulder_Roll", "Right_Shoulder_Roll", true),
            ("Right_Knee_Pitch", "Left_Knee_Pitch", false),
            ("AAHead_yaw", "AAHead_yaw", true),
            ("Waist", "Waist", true),
            ("left_hip_yaw_joint", "right_hip_yaw_joint", true),
            ("right_elbow_joint", "left_elbow_joint", false),
            ("waist_yaw_joint", "waist_yaw_joint", true),
        ] {
            assert_eq!(mirrored(joint), Some((other.to_owned(), turns)), "{joint}");
        }
        for unknown in ["l_sho_roll", "r_el", "head_pan", "Left", "L", "", "_", "ü"] {
            assert_eq!(mirrored(unknown), None, "{unknown}");
        }
    }
}
