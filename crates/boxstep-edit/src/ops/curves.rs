//! Curves of timelines and their keys.

use super::missing;
use crate::error::EditError;
use crate::fields::{KeyAt, KeyRef, Side, TangentFields};
use crate::scratch::Scratch;
use boxstep_format::model::{ActuatorCurve, ActuatorList, CurveUnit, Key, Tangent, Timeline};
use boxstep_types::{BoxPath, Span};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn add(to: &mut Scratch<'_>, path: &BoxPath, joint: &str) -> Result<(), EditError> {
    let of = to.timeline(path)?;
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
    let of = to.timeline(path)?;
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
    for curve in curves_mut(of) {
        let joint = curve.actuator.to_string();
        if turns_over(&joint) {
            for key in &mut curve.keys {
                key.value = -key.value;
                let sides = key.left.iter_mut().chain(&mut key.right);
                sides.for_each(|tangent| tangent.ordinate = -tangent.ordinate);
            }
        }
        curve.actuator = other_side(&joint).into();
    }
    Ok(())
}

/// Returns the name of the same joint on the other side of the body.
fn other_side(joint: &str) -> String {
    let is_side = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    match (joint.strip_prefix('L'), joint.strip_prefix('R')) {
        (Some(rest), _) if is_side(rest) => format!("R{rest}"),
        (_, Some(rest)) if is_side(rest) => format!("L{rest}"),
        _ => joint.to_owned(),
    }
}

/// Whether a joint turns the other way on the other side: one around the forward or the vertical axis. The hips'
/// `YawPitch` is one motor for both.
fn turns_over(joint: &str) -> bool {
    joint.ends_with("Roll") || joint.ends_with("Yaw")
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
    use super::{other_side, turns_over};

    #[test]
    fn left_is_right() {
        for (joint, other) in [
            ("LShoulderRoll", "RShoulderRoll"),
            ("RHand", "LHand"),
            ("HeadYaw", "HeadYaw"),
            ("LHipYawPitch", "RHipYawPitch"),
            ("Left", "Left"),
        ] {
            assert_eq!(other_side(joint), other);
        }
        assert!(turns_over("LShoulderRoll") && turns_over("HeadYaw") && turns_over("LElbowYaw"));
        assert!(!turns_over("LHipYawPitch") && !turns_over("LShoulderPitch") && !turns_over("LHand"));
    }
}
