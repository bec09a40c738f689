//! Commands that move joints: interpolations, which block and book their joints, and `setAngles`, which does neither.
//!
//! Source: the page "Joint control API" of the NAOqi documentation.

use super::guard;
use super::joints::{self, Task};
use super::power::pick;
use super::reach::{self, Form};
use super::{TaskEnd, TaskWork};
use crate::table::{Answer, Call, Reply, bad, done, ok};
use crate::world::{World, readable};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_motion::{BezierCommand, JointPath};
use boxstep_types::Value;
use std::sync::Arc;

/// The fraction of the hand's speed that `openHand` and `closeHand` use.
const HAND_SPEED: f64 = 0.2;

pub(super) fn angle_interpolation(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    known(w, args.value(0, "names")?)?;
    let expand = |name: &str| w.body.joint_names(name);
    let [names, angles, times] = [args.value(0, "names")?, args.value(1, "angles")?, args.value(2, "times")?];
    let command = BezierCommand::from_angles(names, angles, times, expand).map_err(bad_command)?;
    let relative = !args.flag(3, "is absolute")?;
    let work = TaskWork::Paths { paths: paths(w, command), relative };
    begin(w, cx, call, work)
}

pub(super) fn angle_interpolation_bezier(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    known(w, args.value(0, "names")?)?;
    let command = BezierCommand::from_args(args.0, |name| w.body.joint_names(name)).map_err(bad_command)?;
    let work = TaskWork::Paths { paths: paths(w, command), relative: false };
    begin(w, cx, call, work)
}

pub(super) fn angle_interpolation_with_speed(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let targets = targets(w, call)?;
    let work = TaskWork::Speed { targets, fraction: fraction(call)? };
    begin(w, cx, call, work)
}

pub(super) fn open_hand(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    move_hand(w, cx, call, 1.0)
}

pub(super) fn close_hand(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    move_hand(w, cx, call, 0.0)
}

fn move_hand(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, to: f64) -> Reply {
    let joint = w.body.hand(call.args.text(0, "hand")?).map_err(ServiceError::BadArguments)?;
    let work = TaskWork::Speed { targets: vec![(joint, w.body.clip(joint, to))], fraction: HAND_SPEED };
    begin(w, cx, call, work)
}

/// Starts a task; the call returns when its joints have reached their targets.
pub(super) fn begin(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, work: TaskWork) -> Reply {
    begin_until(w, cx, call, work, TaskEnd::Done)
}

/// The same with what follows at the end.
pub(super) fn begin_until(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    work: TaskWork,
    ended: TaskEnd,
) -> Reply {
    let joints = match &work {
        TaskWork::Paths { paths, .. } => paths.iter().map(|p| p.0).collect(),
        TaskWork::Speed { targets, .. } => targets.iter().map(|t| t.0).collect(),
        _ => Vec::new(),
    };
    let name = call.method.name;
    joints::add(w, cx, Task { call: call.id, name, joints, work, ended, running: false });
    Ok(Answer::Later)
}

pub(super) fn bad_command(error: boxstep_motion::CommandError) -> ServiceError {
    ServiceError::BadArguments(error.to_string())
}

/// Checks that every name is a joint or chain of this body.
fn known(w: &World, names: &Value) -> Result<(), ServiceError> {
    let names = match names {
        Value::List(items) => items,
        one => std::slice::from_ref(one),
    };
    for name in names.iter().filter_map(Value::as_str) {
        if w.body.joint_names(name).is_empty() {
            return bad(w.body.no_joint(name));
        }
    }
    Ok(())
}

/// Returns the paths by joint number. For two joints on one motor, the leader's path counts.
pub(super) fn paths(w: &World, command: BezierCommand) -> Vec<(usize, JointPath)> {
    let mut paths: Vec<(usize, JointPath)> = Vec::with_capacity(command.joints.len());
    let mut followers = Vec::new();
    for path in command.joints {
        let Some(joint) = w.body.joint(&path.joint) else { continue };
        if w.body.leader(joint) != joint {
            followers.push((w.body.leader(joint), path));
        } else if let Some(twice) = paths.iter_mut().find(|p| p.0 == joint) {
            twice.1 = path;
        } else {
            paths.push((joint, path));
        }
    }
    for (leader, path) in followers {
        if !paths.iter().any(|p| p.0 == leader) {
            paths.push((leader, path));
        }
    }
    paths
}

/// Reads names and one angle for each, as pairs of joint and angle.
fn targets(w: &World, call: &Call<'_>) -> Result<Vec<(usize, f64)>, ServiceError> {
    let names = w.body.joints_of(call.args, 0)?;
    let angles = call.args.numbers(1, "angles")?;
    let mut targets: Vec<(usize, f64)> = Vec::with_capacity(names.len());
    for (i, joint) in names.iter().enumerate() {
        let angle = pick(&angles, i, names.len())?;
        let leader = w.body.leader(*joint);
        if leader != *joint && names.contains(&leader) {
            continue;
        }
        match targets.iter_mut().find(|t| t.0 == leader) {
            Some(twice) => twice.1 = angle,
            None => targets.push((leader, angle)),
        }
    }
    Ok(targets)
}

fn fraction(call: &Call<'_>) -> Result<f64, ServiceError> {
    let fraction = call.args.number(2, "fraction of the greatest speed")?;
    if fraction > 0.0 && fraction <= 1.0 {
        return Ok(fraction);
    }
    bad(format!("argument 3 (fraction of the greatest speed) must be above 0 and at most 1, not {fraction}"))
}

pub(super) fn set_angles(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_targets(w, cx, call, false)
}

pub(super) fn change_angles(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_targets(w, cx, call, true)
}

/// Moves joints immediately, or, if a task holds a joint, as soon as it is free. The last command counts.
fn set_targets(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, relative: bool) -> Reply {
    let targets = targets(w, call)?;
    set(w, cx, call, targets, fraction(call)?, relative)
}

pub(super) fn set(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    targets: Vec<(usize, f64)>,
    fraction: f64,
    relative: bool,
) -> Reply {
    let (now, booked) = (cx.now(), joints::booked(w));
    let (mut slowest, mut later, mut clipped) = (0.0_f64, 0, Vec::new());
    let mut ends: Vec<(Arc<str>, Value)> = Vec::new();
    let mut moved = Vec::new();
    for (joint, angle) in targets {
        let angle = if relative { joints::command(w, joint, now) + angle } else { angle };
        let (min, max) = w.body.limits(joint);
        let name = w.body.joint_name(joint);
        if !(min..=max).contains(&angle) {
            clipped.push(name.clone());
        }
        ends.push((name, Value::Float((w.body.clip(joint, angle) * 1e4).round() / 1e4)));
        if booked.contains(&joint) {
            later += 1;
            if let Some(j) = w.motion.joints.get_mut(joint) {
                j.later = Some((angle, fraction));
            }
        } else {
            slowest = slowest.max(joints::ramp(w, joint, angle, fraction, now));
            moved.push(joint);
        }
    }
    let stops = guard::guard(w, &moved, now);
    let what = match ends.as_slice() {
        [(one, Value::Float(to))] => format!("{one} to {to}"),
        many => format!("{} joints", many.len()),
    };
    let mut text = format!("{what} within {}", readable(slowest));
    let mut data = vec![
        ("command", Value::from(call.method.name)),
        ("seconds", ((slowest * 1e6).round() / 1e6).into()),
        ("to", Value::map(ends)),
    ];
    if !clipped.is_empty() {
        text += &format!("; beyond limits: {}", clipped.join(", "));
        data.push(("clipped", Value::list(clipped.into_iter().map(Value::Str))));
    }
    guard::tell(&stops, &mut text, &mut data);
    if later > 0 {
        text += "; waits for a motion task";
        data.push(("waiting", Value::Int(later)));
    }
    cx.act("joints", text, Value::map(data));
    done()
}

pub(super) fn position_interpolation(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    place_interpolation(w, cx, call, Form::Position)
}

pub(super) fn transform_interpolation(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    place_interpolation(w, cx, call, Form::Transform)
}

fn place_interpolation(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, form: Form) -> Reply {
    let [names, angles, times] = reach::interpolation(w, cx, call, form)?;
    let command = BezierCommand::from_angles(&names, &angles, &times, |name| w.body.joint_names(name));
    let work = TaskWork::Paths { paths: paths(w, command.map_err(bad_command)?), relative: false };
    begin(w, cx, call, work)
}

pub(super) fn set_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_place(w, cx, call, (Form::Position, true))
}

pub(super) fn change_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_place(w, cx, call, (Form::Position, false))
}

pub(super) fn set_transform(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_place(w, cx, call, (Form::Transform, true))
}

pub(super) fn change_transform(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_place(w, cx, call, (Form::Transform, false))
}

fn set_place(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, how: (Form, bool)) -> Reply {
    let (targets, fraction) = reach::targets(w, cx, call, how)?;
    set(w, cx, call, targets, fraction, false)
}

/// `getAngles(names, useSensors)`: returns the angles.
pub(super) fn get_angles(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let names = w.body.joints_of(call.args, 0)?;
    let sensors = call.args.flag_or(1, "use sensors", false)?;
    let now = cx.now();
    let value = |j: usize| if sensors { joints::actual(w, j, now) } else { joints::command(w, j, now) };
    ok(names.into_iter().map(value).collect::<Vec<f64>>())
}
