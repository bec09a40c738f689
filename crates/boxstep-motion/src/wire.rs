//! Conversion between motion commands and the arguments of `ALMotion` methods.

use crate::{BezierCommand, CommandError, Interpolation, JointPath, Key, Tangent, normalize};
use boxstep_types::Value;
use std::sync::Arc;

impl BezierCommand {
    /// Returns the three arguments of `ALMotion.angleInterpolationBezier`: the joint names; a list of times in seconds
    /// per joint; and a list of control points per joint. A control point is `[value, left, right]`, where a side is
    /// `[kind, seconds, value]` relative to the point.
    pub fn to_args(&self) -> [Value; 3] {
        let names = self.joints.iter().map(|path| Value::Str(path.joint.clone()));
        let times = self.joints.iter().map(|path| Value::list(path.keys.iter().map(|key| Value::Float(key.time))));
        let points = self.joints.iter().map(|path| Value::list(path.keys.iter().map(point)));
        [Value::list(names), Value::list(times), Value::list(points)]
    }

    /// Reads the arguments of `ALMotion.angleInterpolationBezier`.
    ///
    /// `expand` returns the joints of a name: several for a chain, one for a joint. A single name may be given without
    /// a list; the rows of a single joint may also be given without the outer list. A side that is left out is
    /// automatic, and so are both sides of a point that is only a number. NAOqi's documentation has only the long form,
    /// but behaviors delivered with Pepper send plain angles.
    ///
    /// # Errors
    /// The arguments do not have the documented form, or the times do not rise.
    pub fn from_args(args: &[Value], expand: impl Fn(&str) -> Vec<Arc<str>>) -> Result<Self, CommandError> {
        let [names, times, points] = args else {
            return Err(shape("angleInterpolationBezier", "given names, times and control points"));
        };
        let joints = joints(names, expand)?;
        let times = rows(times, joints.len(), "times", |row| row.first().is_some_and(|v| v.as_f64().is_some()))?;
        let points = rows(points, joints.len(), "keys", is_point_row)?;
        let mut paths = Vec::with_capacity(joints.len());
        for (i, (joint, (times, points))) in joints.into_iter().zip(times.iter().zip(&points)).enumerate() {
            if times.len() != points.len() {
                return Err(shape(format!("keys[{i}]"), "as long as its times"));
            }
            let mut keys = Vec::with_capacity(points.len());
            for (j, (time, point)) in times.iter().zip(points.iter()).enumerate() {
                keys.push(key(time, point).map_err(|expected| shape(format!("keys[{i}][{j}]"), expected))?);
            }
            paths.push(checked(JointPath { joint, keys })?);
        }
        Ok(Self { joints: paths })
    }

    /// Reads the names, angles and times of `ALMotion.angleInterpolation`: straight lines through the angles. Angles
    /// and times are each one number for all joints, a list (the points of the only joint, or one number per joint), or
    /// a list of lists with a row per joint.
    ///
    /// # Errors
    /// As [`BezierCommand::from_args`].
    pub fn from_angles(
        names: &Value,
        angles: &Value,
        times: &Value,
        expand: impl Fn(&str) -> Vec<Arc<str>>,
    ) -> Result<Self, CommandError> {
        let joints = joints(names, expand)?;
        let angles = numbers(angles, joints.len(), "angles")?;
        let times = numbers(times, joints.len(), "times")?;
        let mut paths = Vec::with_capacity(joints.len());
        for (i, (joint, (times, angles))) in joints.into_iter().zip(times.into_iter().zip(angles)).enumerate() {
            if times.len() != angles.len() || times.is_empty() {
                return Err(shape(format!("angles[{i}]"), "as long as its times, and not empty"));
            }
            paths.push(checked(JointPath::linear(joint, times.into_iter().zip(angles)))?);
        }
        Ok(Self { joints: paths })
    }
}

fn point(key: &Key) -> Value {
    let side = |tangent: &Tangent| {
        let kind = Value::Int(tangent.interpolation.number());
        Value::list([kind, Value::Float(tangent.dx), Value::Float(tangent.dy)])
    };
    Value::list([Value::Float(key.value), side(&key.left), side(&key.right)])
}

fn key(time: &Value, point: &Value) -> Result<Key, &'static str> {
    const POINT: &str = "a point [value, [kind, seconds, value], [kind, seconds, value]]";
    let time = time.as_f64().ok_or("a point at a time that is a number")?;
    match point.as_list() {
        Some([value, sides @ ..]) => {
            let value = value.as_f64().ok_or(POINT)?;
            let side = |i: usize| sides.get(i).map_or(Some(Tangent::AUTO), tangent).ok_or(POINT);
            Ok(Key::new(time, value).with_tangents(side(0)?, side(1)?))
        }
        _ => Ok(Key::new(time, point.as_f64().ok_or(POINT)?).with_tangents(Tangent::AUTO, Tangent::AUTO)),
    }
}

fn tangent(side: &Value) -> Option<Tangent> {
    match side.as_list()? {
        [kind, dx, dy] => Some(Tangent {
            interpolation: Interpolation::from_number(kind.as_i64()?)?,
            dx: dx.as_f64()?,
            dy: dy.as_f64()?,
        }),
        _ => None,
    }
}

fn joints(names: &Value, expand: impl Fn(&str) -> Vec<Arc<str>>) -> Result<Vec<Arc<str>>, CommandError> {
    let texts: Option<Vec<&str>> = match names {
        Value::Str(name) => Some(vec![name]),
        Value::List(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let joints: Vec<_> = texts.unwrap_or_default().into_iter().flat_map(expand).collect();
    if joints.is_empty() { Err(shape("names", "a joint, or a list of joints")) } else { Ok(joints) }
}

/// Returns one row per joint; the row of a single joint may be given without the outer list.
fn rows<'a>(
    table: &'a Value,
    joints: usize,
    place: &str,
    bare: impl Fn(&[Value]) -> bool,
) -> Result<Vec<&'a [Value]>, CommandError> {
    let rows = table.as_list().ok_or_else(|| shape(place, "a list"))?;
    if joints == 1 && bare(rows) {
        return Ok(vec![rows]);
    }
    let rows: Option<Vec<&[Value]>> = rows.iter().map(Value::as_list).collect();
    match rows {
        Some(rows) if rows.len() == joints && rows.iter().all(|row| !row.is_empty()) => Ok(rows),
        _ => Err(shape(place, "a list that is not empty for each joint")),
    }
}

/// Returns true if a row holds points (a value, or `[value, side, side]`) rather than rows of points.
fn is_point_row(row: &[Value]) -> bool {
    row.first().is_some_and(|first| match first.as_list() {
        Some([value, sides @ ..]) => value.as_f64().is_some() && sides.iter().all(|side| side.as_list().is_some()),
        _ => first.as_f64().is_some(),
    })
}

fn numbers(table: &Value, joints: usize, place: &str) -> Result<Vec<Vec<f64>>, CommandError> {
    let row = |value: &Value| match value {
        Value::List(items) => items.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>(),
        other => other.as_f64().map(|number| vec![number]),
    };
    let rows = match table {
        Value::List(items) if joints == 1 && !items.iter().any(|item| item.as_list().is_some()) => {
            row(table).map(|row| vec![row])
        }
        Value::List(items) if items.len() == joints => items.iter().map(row).collect(),
        number => number.as_f64().map(|number| vec![vec![number]; joints]),
    };
    rows.ok_or_else(|| shape(place, "a number, or as many numbers or lists of numbers as joints"))
}

fn checked(path: JointPath) -> Result<JointPath, CommandError> {
    if let Err(error) = normalize(&path.keys) {
        return Err(CommandError::Curve { joint: path.joint.to_string(), error });
    }
    let mut before = -f64::MIN_POSITIVE;
    for (index, key) in path.keys.iter().enumerate() {
        if key.time <= before {
            return Err(CommandError::TimesNotRising { joint: path.joint.to_string(), index });
        }
        before = key.time;
    }
    Ok(path)
}

fn shape(place: impl Into<String>, expected: &'static str) -> CommandError {
    CommandError::Shape { place: place.into(), expected }
}
