//! Commands that bring the end of an arm, a leg or the head to a place: `positionInterpolations`, `setTransforms` and others.
//!
//! Source: the page "Cartesian control API" of the NAOqi documentation. (Ours: `boxstep-dynamics` finds the joints,
//! within their limits, as near to the place as they come; a robot finds others where there are many.)

use super::ends::Frame;
use super::joints;
use crate::args::numbers_of;
use crate::frames::{self, Pose};
use crate::table::{Call, bad, failed};
use crate::world::World;
use boxstep_dynamics::{Axes, End, Goal, Matrix3, Rotation3, UnitQuaternion, Vector3};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};

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
    let numbers = numbers_of(value, "place")?;
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

/// An end that is moved, and the joints that move it.
struct Chain<'w> {
    w: &'w World,
    end: End,
    joints: Vec<usize>,
    /// The pose of the torso in the frame of the places.
    torso: Pose,
    axes: Axes,
}

impl<'w> Chain<'w> {
    fn new(w: &'w World, now: Time, name: &'w str, frame: i64, mask: i64) -> Result<Self, ServiceError> {
        let frame = Frame::of(frame)?;
        if !matches!(name, "Head" | "LArm" | "RArm" | "LLeg" | "RLeg") {
            return bad(format!(
                "the simulation moves the ends Head, LArm, RArm, LLeg and RLeg to places, not `{name}`"
            ));
        }
        let Some(axes) = Axes::of_mask(mask) else {
            return bad("the mask of axes is a sum of 1, 2, 4, 8, 16 and 32");
        };
        if w.body.joint_names(name).is_empty() {
            return bad(w.body.no_joint(name));
        }
        let model = w.body.model();
        let Some(end) = model.end(name) else {
            return bad(format!("the place of `{name}` is not known: the body has no geometry"));
        };
        let torso = frame.torso(w, now, &joints::angles(w, now, false));
        Ok(Self { w, end, joints: model.joints_to(&end), torso, axes })
    }

    /// Returns the angles of its joints at each place of a path. A path that is not absolute starts where the end is.
    fn along(&self, now: Time, path: &[Pose], absolute: bool) -> Vec<Vec<f64>> {
        let model = self.w.body.model();
        let mut angles = joints::angles(self.w, now, false);
        let from = self.torso * self.end.pose(&model.forward(&angles));
        let places = path.iter().map(|place| {
            let place = match absolute {
                true => *place,
                false => Pose::from_parts(
                    (from.translation.vector + place.translation.vector).into(),
                    place.rotation * from.rotation,
                ),
            };
            let goal = Goal { end: self.end, joints: &self.joints, torso: self.torso, place, axes: self.axes };
            angles = model.reach(&goal, &angles).angles;
            self.joints.iter().filter_map(|joint| angles.get(*joint).copied()).collect()
        });
        places.collect()
    }
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

/// The argument of one of several ends: its own, or the one for all.
fn each(value: &Value, at: usize, count: usize, nested: usize) -> &Value {
    match value.as_list() {
        Some(items) if items.len() == count && depth(value) > nested => items.get(at).unwrap_or(value),
        _ => value,
    }
}

/// How many lists are inside each other.
fn depth(value: &Value) -> usize {
    value.as_list().map_or(0, |items| 1 + items.iter().map(depth).max().unwrap_or(0))
}

/// The names of the ends that a command moves.
fn names<'a>(call: &Call<'a>) -> Result<Vec<&'a str>, ServiceError> {
    call.args.texts(0, "ends")
}

/// Returns the joints, angles and times of an interpolation, as `angleInterpolation` takes them.
pub(super) fn interpolation(
    w: &World,
    cx: &ServiceCx<'_>,
    call: &Call<'_>,
    form: Form,
) -> Result<[Value; 3], ServiceError> {
    let (args, now, ends) = (call.args, cx.now(), names(call)?);
    if args.len() < 5 {
        return failed("the simulation needs the axes and the times");
    }
    let absolute = args.flag_or(5, "is absolute", true)?;
    let (mut joints, mut angles, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for (at, name) in ends.iter().enumerate() {
        let of = |i: usize, what: &str, nested: usize| Ok(each(args.value(i, what)?, at, ends.len(), nested));
        let frame = int(of(1, "frame", 0)?, "frame")?;
        let mask = int(of(3, "mask of axes", 0)?, "mask of axes")?;
        let chain = Chain::new(w, now, name, frame, mask)?;
        let path = path(of(2, "path", 1)?, form)?;
        let own = of(4, "times", if path.len() > 1 { 1 } else { 0 })?;
        let seconds = if own.as_list().is_some() { numbers_of(own, "times")? } else { vec![number(own, "time")?] };
        if seconds.len() != path.len() {
            return bad(format!("`{name}` has {} places and {} times", path.len(), seconds.len()));
        }
        let found = chain.along(now, &path, absolute);
        for (i, joint) in chain.joints.iter().enumerate() {
            joints.push(Value::Str(w.body.joint_name(*joint)));
            angles.push(Value::list(found.iter().map(|angles| Value::Float(angles[i]))));
            times.push(Value::list(seconds.iter().map(|second| Value::Float(*second))));
        }
    }
    Ok([Value::list(joints), Value::list(angles), Value::list(times)])
}

/// Returns the joints and their angles for `setPosition` and its like, and the fraction of the speed.
pub(super) fn targets(
    w: &World,
    cx: &ServiceCx<'_>,
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
    let mut targets = Vec::new();
    for (at, name) in ends.iter().enumerate() {
        let of = |i: usize, what: &str, nested: usize| Ok(each(args.value(i, what)?, at, ends.len(), nested));
        let mask = int(of(4, "mask of axes", 0)?, "mask of axes")?;
        let chain = Chain::new(w, now, name, int(of(1, "frame", 0)?, "frame")?, mask)?;
        let to = place(of(2, "place", 1)?, form)?;
        let found = chain.along(now, &[to], absolute);
        targets.extend(chain.joints.iter().copied().zip(found.into_iter().flatten()));
    }
    Ok((targets, fraction))
}

/// Returns the joints and their angles that lead an end to a place in the robot's frame: x, y, z, or, of the head, the
/// rotations about the fixed axes x, then y, then z.
pub(super) fn led(w: &World, now: Time, end: &str, place: &[f64]) -> Result<Vec<(usize, f64)>, ServiceError> {
    const ROBOT: i64 = 2;
    let [a, b, c] = *place else { return bad(format!("a place has 3 numbers, not {}", place.len())) };
    let (place, mask) = match end {
        "Head" => ([0.0, 0.0, 0.0, a, b, c], 8 + 16 + 32),
        _ => ([a, b, c, 0.0, 0.0, 0.0], 1 + 2 + 4),
    };
    let chain = Chain::new(w, now, end, ROBOT, mask)?;
    let found = chain.along(now, &[frames::pose(place)], true);
    Ok(chain.joints.iter().copied().zip(found.into_iter().flatten()).collect())
}

fn int(value: &Value, what: &str) -> Result<i64, ServiceError> {
    value.as_i64().map_or_else(|| bad(format!("{what} is a whole number")), Ok)
}

fn number(value: &Value, what: &str) -> Result<f64, ServiceError> {
    value.as_f64().map_or_else(|| bad(format!("{what} is a number")), Ok)
}
