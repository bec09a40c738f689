//! Commands that bring the end of an arm, a leg or the head to a place: `positionInterpolations`, `setTransforms` and others.
//!
//! Source: the page "Cartesian control API" of the NAOqi documentation. (Ours: the joints are found by damped least squares,
//! within their limits, as near to the place as they come; a robot finds others where there are many.)

use super::ends::{self, Frame};
use super::joints;
use crate::args::numbers_of;
use crate::table::{Call, bad, failed};
use crate::world::World;
use boxstep_bodies::Pose;
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

/// Steps of the search, its damping, and the change of an angle by which slopes are measured.
const STEPS: usize = 100;
const DAMPING: f64 = 1e-4;
const SLOPE: f64 = 1e-6;
/// Where the search ends, in metres and radians.
const NEAR: f64 = 1e-7;

/// Reads a place.
fn place(value: &Value, form: Form) -> Result<Pose, ServiceError> {
    let numbers = numbers_of(value, "place")?;
    match (form, numbers.as_slice()) {
        (Form::Position, [x, y, z, wx, wy, wz]) => Ok(ends::of_position([*x, *y, *z, *wx, *wy, *wz])),
        (Form::Transform, [a, b, c, x, d, e, f, y, g, h, i, z] | [a, b, c, x, d, e, f, y, g, h, i, z, ..])
            if matches!(numbers.len(), 12 | 16) =>
        {
            Ok(Pose { at: [*x, *y, *z], rows: [[*a, *b, *c], [*d, *e, *f], [*g, *h, *i]] })
        }
        (Form::Position, other) => bad(format!("a position has 6 numbers, not {}", other.len())),
        (Form::Transform, other) => bad(format!("a transform has 12 or 16 numbers, not {}", other.len())),
    }
}

/// An end that is moved, and the joints that move it.
struct Chain<'w> {
    w: &'w World,
    name: &'w str,
    joints: Vec<usize>,
    /// The pose of the torso in the frame of the places.
    torso: Pose,
    mask: u8,
}

impl<'w> Chain<'w> {
    fn new(w: &'w World, now: Time, name: &'w str, frame: i64, mask: i64) -> Result<Self, ServiceError> {
        let frame = Frame::of(frame)?;
        if !matches!(name, "Head" | "LArm" | "RArm" | "LLeg" | "RLeg") {
            return bad(format!(
                "the simulation moves the ends Head, LArm, RArm, LLeg and RLeg to places, not `{name}`"
            ));
        }
        let mask = u8::try_from(mask).ok().filter(|mask| *mask < 64);
        let Some(mask) = mask else { return bad("the mask of axes is a sum of 1, 2, 4, 8, 16 and 32") };
        let joints: Vec<usize> = w.body.joint_names(name).iter().filter_map(|name| w.body.joint(name)).collect();
        let joints: Vec<usize> =
            joints.into_iter().filter(|joint| !w.body.joint_name(*joint).ends_with("Hand")).collect();
        if joints.is_empty() {
            return bad(w.body.no_joint(name));
        }
        let commanded = |name: &str| w.body.joint(name).map_or(0.0, |joint| joints::command(w, joint, now));
        Ok(Self { w, name, joints, torso: frame.torso(w, now, commanded), mask })
    }

    /// Returns the pose of the end for angles of its joints. Joints on one motor turn together.
    fn pose(&self, angles: &[f64]) -> Option<Pose> {
        let of = |joint: usize| {
            let same = |other: &&usize| self.w.body.leader(**other) == self.w.body.leader(joint);
            let at = self.joints.iter().find(same).and_then(|found| self.joints.iter().position(|j| j == found));
            at.and_then(|at| angles.get(at).copied())
        };
        let angle = |name: &str| self.w.body.joint(name).and_then(of).unwrap_or(0.0);
        Some(self.torso.then(&ends::in_torso(self.w, self.name, angle)?))
    }

    /// Returns how far the end is from a place, along the axes that count.
    fn off(&self, angles: &[f64], to: &Pose) -> Vec<f64> {
        let Some(pose) = self.pose(angles) else { return Vec::new() };
        let way = [0, 1, 2].map(|i| to.at[i] - pose.at[i]);
        let turn = turn(&pose, to);
        let all = way.into_iter().chain(turn).enumerate();
        all.filter(|(axis, _)| self.mask & (1 << axis) != 0).map(|(_, off)| off).collect()
    }

    /// Returns angles that bring the end as near to a place as the search comes.
    fn solve(&self, mut angles: Vec<f64>, to: &Pose) -> Vec<f64> {
        let mut off = self.off(&angles, to);
        for _ in 0..STEPS {
            if size(&off) < NEAR {
                break;
            }
            let slopes: Vec<Vec<f64>> = (0..angles.len())
                .map(|at| {
                    let mut other = angles.clone();
                    other[at] += SLOPE;
                    self.off(&other, to).iter().zip(&off).map(|(new, old)| (old - new) / SLOPE).collect()
                })
                .collect();
            let step = least_squares(&slopes, &off);
            // Shorter steps, where a whole one leads away.
            let shorter = [1.0, 0.5, 0.25, 0.1, 0.02].into_iter().find_map(|share| {
                let next: Vec<f64> = angles.iter().zip(&step).map(|(angle, step)| angle + share * step).collect();
                let next: Vec<f64> =
                    self.joints.iter().zip(next).map(|(joint, angle)| self.w.body.clip(*joint, angle)).collect();
                let left = self.off(&next, to);
                (size(&left) < size(&off)).then_some((next, left))
            });
            let Some((next, left)) = shorter else { break };
            (angles, off) = (next, left);
        }
        angles
    }

    fn now(&self, now: Time) -> Vec<f64> {
        self.joints.iter().map(|joint| joints::command(self.w, *joint, now)).collect()
    }
}

fn size(off: &[f64]) -> f64 {
    off.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns the rotation from one pose to another, as a vector along its axis.
fn turn(from: &Pose, to: &Pose) -> [f64; 3] {
    let r = |i: usize, j: usize| (0..3).map(|k| to.rows[i][k] * from.rows[j][k]).sum::<f64>();
    let v = [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)];
    let (sin, cos) = (size(&v), r(0, 0) + r(1, 1) + r(2, 2) - 1.0);
    let scale = if sin < 1e-12 { 0.5 } else { sin.atan2(cos) / sin };
    v.map(|x| x * scale)
}

/// Returns the step x that makes slopes · x nearest to `off`, damped so that it stays small where slopes vanish.
fn least_squares(slopes: &[Vec<f64>], off: &[f64]) -> Vec<f64> {
    let count = slopes.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|i| {
            let damped = |j: usize| dot(&slopes[i], &slopes[j]) + if i == j { DAMPING } else { 0.0 };
            (0..count).map(damped).chain([dot(&slopes[i], off)]).collect()
        })
        .collect();
    // Gauss's elimination; the damping keeps the diagonal positive.
    for at in 0..count {
        let pivot = rows[at].clone();
        for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
            let factor = row[at] / pivot[at];
            if i != at && factor != 0.0 {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    (0..count).map(|at| rows[at][count] / rows[at][at]).collect()
}

/// Returns the joints, and their angles at each place of a path. A path that is not absolute starts where the end is.
fn along(chain: &Chain<'_>, now: Time, path: &[Pose], absolute: bool) -> Result<Vec<Vec<f64>>, ServiceError> {
    let start = chain.now(now);
    let Some(from) = chain.pose(&start) else {
        return bad(format!("the place of `{}` is not known: the body has no geometry", chain.name));
    };
    let mut angles = start;
    let places = path.iter().map(|place| {
        let to = match absolute {
            true => *place,
            false => Pose { at: [0, 1, 2].map(|i| from.at[i] + place.at[i]), ..turned(place, &from) },
        };
        angles = chain.solve(angles.clone(), &to);
        angles.clone()
    });
    Ok(places.collect())
}

fn turned(by: &Pose, pose: &Pose) -> Pose {
    Pose { at: [0.0; 3], ..*by }.then(&Pose { at: [0.0; 3], ..*pose })
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
        let found = along(&chain, now, &path, absolute)?;
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
        let found = along(&chain, now, &[to], absolute)?;
        targets.extend(chain.joints.iter().copied().zip(found.into_iter().flatten()));
    }
    Ok((targets, fraction))
}

fn int(value: &Value, what: &str) -> Result<i64, ServiceError> {
    value.as_i64().map_or_else(|| bad(format!("{what} is a whole number")), Ok)
}

fn number(value: &Value, what: &str) -> Result<f64, ServiceError> {
    value.as_f64().map_or_else(|| bad(format!("{what} is a number")), Ok)
}
