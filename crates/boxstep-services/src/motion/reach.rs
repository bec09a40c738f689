//! The arguments of commands that bring the end of an arm, a leg, the head or the torso to a place: `positionInterpolations`, `setTransforms` and others.
//!
//! Source: the page "Cartesian control API" of the NAOqi documentation.

use super::chain::{Chain, reach_with_legs};
use crate::frames::{self, Pose};
use crate::table::{Call, bad, failed};
use crate::world::World;
use boxstep_dynamics::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// The longest way, in seconds.
const MOST_SECONDS: f64 = 1e9;

/// How the places of a command are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// Six numbers.
    Position,
    /// Twelve or sixteen numbers: the rows of a matrix.
    Transform,
}

/// Reads a place.
fn place(value: &Value, form: Form) -> Result<Pose, ServiceError> {
    let numbers = finite(value, "a place")?;
    match (form, numbers.as_slice()) {
        (Form::Position, [x, y, z, wx, wy, wz]) => Ok(frames::pose([*x, *y, *z, *wx, *wy, *wz])),
        (Form::Transform, [a, b, c, x, d, e, f, y, g, h, i, z] | [a, b, c, x, d, e, f, y, g, h, i, z, ..])
            if matches!(numbers.len(), 12 | 16) =>
        {
            let Some(turned) = rotation(Matrix3::new(*a, *b, *c, *d, *e, *f, *g, *h, *i)) else {
                return bad("the first three columns of a transform are a rotation");
            };
            Ok(Pose::from_parts(Vector3::new(*x, *y, *z).into(), turned))
        }
        (Form::Position, other) => bad(format!("a position has 6 numbers, not {}", other.len())),
        (Form::Transform, other) => bad(format!("a transform has 12 or 16 numbers, not {}", other.len())),
    }
}

/// Returns the numbers of a list, all of which are finite.
fn finite(value: &Value, what: &str) -> Result<Vec<f64>, ServiceError> {
    let Some(items) = value.as_list() else {
        return bad(format!("{what} is a list of numbers, not {}", value.kind()));
    };
    if items.iter().any(|item| item.as_list().is_some()) {
        return bad(format!("{what} is a list of numbers, not of lists: there are {} for one end", items.len()));
    }
    let number = |item: &Value| match item.as_f64() {
        Some(x) if x.is_finite() => Ok(x),
        Some(x) => bad(format!("{what} has finite numbers, not {x}")),
        None => bad(format!("{what} has numbers, not {}", item.kind())),
    };
    items.iter().map(number).collect()
}

/// Returns the rotation of a matrix. People write matrices with few digits: the nearest rotation counts. `None` if it is
/// far from any.
fn rotation(matrix: Matrix3<f64>) -> Option<UnitQuaternion<f64>> {
    let off = (matrix * matrix.transpose() - Matrix3::identity()).abs().max();
    if off.is_nan() || off > 0.1 || matrix.determinant() < 0.0 {
        return None;
    }
    let svd = matrix.svd(true, true);
    let nearest = Rotation3::from_matrix_unchecked(svd.u? * svd.v_t?);
    Some(UnitQuaternion::from_rotation_matrix(&nearest))
}

/// A list of places, or a single one.
fn path(value: &Value, form: Form) -> Result<Vec<Pose>, ServiceError> {
    match value.as_list() {
        Some(items) if items.iter().all(|item| item.as_list().is_some()) => {
            items.iter().map(|item| place(item, form)).collect()
        }
        _ => Ok(vec![place(value, form)?]),
    }
}

/// The arguments of one of several ends: its own, or the one for all.
struct Each<'a> {
    call: &'a Call<'a>,
    at: usize,
    count: usize,
}

impl<'a> Each<'a> {
    /// Returns an argument; `nested` is the depth of the lists of a single one.
    fn value(&self, i: usize, what: &str, nested: usize) -> Result<&'a Value, ServiceError> {
        let value = self.call.args.value(i, what)?;
        let Some(items) = value.as_list().filter(|_| depth(value) > nested) else { return Ok(value) };
        if items.len() != self.count && (self.count > 1 || nested == 0) {
            let (entries, ends) = (items.len(), self.count);
            return bad(format!("argument {} ({what}) has {entries} entries for {ends} ends", i + 1));
        }
        Ok(if items.len() == self.count { items.get(self.at).unwrap_or(value) } else { value })
    }
}

/// How many lists are inside each other.
fn depth(value: &Value) -> usize {
    value.as_list().map_or(0, |items| 1 + items.iter().map(depth).max().unwrap_or(0))
}

/// The names of the ends that a command moves.
fn names<'a>(call: &Call<'a>) -> Result<Vec<&'a str>, ServiceError> {
    let names = call.args.texts(0, "ends")?;
    match names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        Some((_, twice)) => bad(format!("argument 1 (ends) names `{twice}` twice")),
        None => Ok(names),
    }
}

/// Reads the times of the places of an end.
fn times(value: &Value, name: &str, places: usize) -> Result<Vec<f64>, ServiceError> {
    let seconds = if value.as_list().is_some() { finite(value, "times")? } else { vec![number(value, "time")?] };
    if seconds.len() != places {
        return bad(format!("`{name}` has {places} places and {} times", seconds.len()));
    }
    let rises = seconds.iter().zip(std::iter::once(&0.0).chain(&seconds)).all(|(time, before)| time > before);
    if !rises || seconds.iter().any(|time| !(0.0..=MOST_SECONDS).contains(time)) {
        return bad(format!("the times of `{name}` must be above 0, each later than the one before"));
    }
    Ok(seconds)
}

/// Returns the joints, angles and times of an interpolation, as `angleInterpolation` takes them.
pub(super) fn interpolation(
    w: &World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    form: Form,
) -> Result<[Value; 3], ServiceError> {
    let (args, now, ends) = (call.args, cx.now(), names(call)?);
    if args.len() < 5 {
        return failed("the simulation needs the axes and the times");
    }
    let absolute = args.flag_or(5, "is absolute", true)?;
    let mut moves = Vec::new();
    for (at, name) in ends.iter().enumerate() {
        let of = Each { call, at, count: ends.len() };
        let frame = int(of.value(1, "frame", 0)?, "frame")?;
        let mask = int(of.value(3, "mask of axes", 0)?, "mask of axes")?;
        let chain = Chain::new(w, now, name, frame, mask)?;
        let path = path(of.value(2, "path", 1)?, form)?;
        let seconds = times(of.value(4, "times", usize::from(path.len() > 1))?, name, path.len())?;
        moves.push((chain, path, seconds));
    }
    let (mut joints, mut angles, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for (chain, path, seconds) in moves {
        let way = chain.along(now, &path, &seconds, absolute);
        chain.tell(cx, &way);
        for (i, joint) in chain.joints.iter().enumerate() {
            joints.push(Value::Str(w.body.joint_name(*joint)));
            angles.push(Value::list(way.points.iter().map(|(_, angles)| Value::Float(angles[i]))));
            times.push(Value::list(way.points.iter().map(|(second, _)| Value::Float(*second))));
        }
    }
    Ok([Value::list(joints), Value::list(angles), Value::list(times)])
}

/// Returns the joints and their angles for `setPosition` and its like, and the fraction of the speed.
pub(super) fn targets(
    w: &World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    (form, absolute): (Form, bool),
) -> Result<(Vec<(usize, f64)>, f64), ServiceError> {
    let (args, now, ends) = (call.args, cx.now(), names(call)?);
    let fraction = args.number(3, "fraction of the greatest speed")?;
    if !(fraction > 0.0 && fraction <= 1.0) {
        return bad(format!(
            "argument 4 (fraction of the greatest speed) must be above 0 and at most 1, not {fraction}"
        ));
    }
    let mut moves = Vec::new();
    for (at, name) in ends.iter().enumerate() {
        let of = Each { call, at, count: ends.len() };
        let mask = int(of.value(4, "mask of axes", 0)?, "mask of axes")?;
        let chain = Chain::new(w, now, name, int(of.value(1, "frame", 0)?, "frame")?, mask)?;
        moves.push((chain, place(of.value(2, "place", 1)?, form)?));
    }
    let found = moves.into_iter().flat_map(|(chain, place)| chain.at(cx, place, absolute));
    Ok((found.collect(), fraction))
}

/// Returns the joints and their angles that lead an end to a place in the robot's frame: x, y, z, or, of the head, the
/// rotations about the fixed axes x, then y, then z.
pub(super) fn led(
    w: &World,
    cx: &mut ServiceCx<'_>,
    end: &str,
    place: &[f64],
) -> Result<Vec<(usize, f64)>, ServiceError> {
    const ROBOT: i64 = 2;
    let [a, b, c] = *place else { return bad(format!("a place has 3 numbers, not {}", place.len())) };
    match end {
        "Head" => {
            let turned = frames::pose([0.0, 0.0, 0.0, a, b, c]);
            Ok(Chain::new(w, cx.now(), end, ROBOT, 8 + 16 + 32)?.at(cx, turned, true))
        }
        arm => reach_with_legs(w, cx, arm, frames::pose([a, b, c, 0.0, 0.0, 0.0])),
    }
}

fn int(value: &Value, what: &str) -> Result<i64, ServiceError> {
    value.as_i64().map_or_else(|| bad(format!("{what} is a whole number")), Ok)
}

fn number(value: &Value, what: &str) -> Result<f64, ServiceError> {
    value.as_f64().filter(|x| x.is_finite()).map_or_else(|| bad(format!("{what} is a finite number")), Ok)
}
