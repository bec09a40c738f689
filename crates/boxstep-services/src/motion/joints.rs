//! The state of each joint, and the tasks that move joints.
//!
//! A task books its joints. A task whose joints are booked waits until they are free again, according to the page
//! "Motion task" of the NAOqi documentation. The state is never stepped: a joint stores its curve, which is evaluated
//! on demand.

use super::{TaskEnd, TaskWork, guard};
use crate::alarm::Alarm;
use crate::physics;
use crate::world::{World, after, readable};
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCx;
use boxstep_motion::{Curve, JointPath, Sampler};
use boxstep_types::{Time, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A value over time.
#[derive(Clone, Debug)]
pub(crate) enum Track {
    Still(f64),
    /// A curve over the seconds since a moment. Reads are nearly always in order of time, so the sampler caches the
    /// current segment.
    Curve(Time, Box<RefCell<Sampler>>),
    /// Another track until a moment, and from then on the value that it has there.
    Held(Time, Box<Track>),
}

impl Track {
    pub(crate) fn at(&self, now: Time) -> f64 {
        match self {
            Track::Still(x) => *x,
            Track::Curve(start, curve) => curve.borrow_mut().sample((now - *start).as_secs_f64()),
            Track::Held(until, track) => track.at(now.min(*until)),
        }
    }

    /// Returns the time after which the value does not change.
    pub(crate) fn end(&self) -> Time {
        match self {
            Track::Still(_) => Time::ZERO,
            Track::Curve(start, curve) => after(*start, curve.borrow().curve().end()),
            Track::Held(until, track) => track.end().min(*until),
        }
    }

    /// Makes a track along a curve that starts now.
    pub(crate) fn along(now: Time, curve: Curve) -> Self {
        Track::Curve(now, Box::new(RefCell::new(Sampler::new(curve))))
    }
}

/// One joint.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    /// The commanded value.
    pub(crate) command: Track,
    /// The stiffness, 0…1.
    pub(crate) stiffness: Track,
    /// The value at which it stands while it has no stiffness.
    pub(crate) limp: Option<f64>,
    /// What `setAngles` requested while the joint was booked: the target, and the fraction of the speed.
    pub(crate) later: Option<(f64, f64)>,
}

/// A motion task: running, or waiting for its joints.
#[derive(Debug)]
pub(crate) struct Task {
    /// The id of the call that requested it; also what `killTask` takes.
    pub(crate) call: CallId,
    pub(crate) name: &'static str,
    /// The joint numbers, in the order of the command.
    pub(crate) joints: Vec<usize>,
    pub(crate) work: TaskWork,
    pub(crate) ended: TaskEnd,
    pub(crate) running: bool,
}

impl Task {
    fn is_stiffness(&self) -> bool {
        matches!(self.work, TaskWork::Stiffness(_))
    }
}

/// Returns the current command of a joint, within its limits and the shell limits.
pub(crate) fn command(w: &World, joint: usize, now: Time) -> f64 {
    let wanted = |joint: usize| w.motion.joints.get(w.body.leader(joint)).map_or(0.0, |j| j.command.at(now));
    w.body.clip_shell(joint, wanted(joint), |other| w.body.clip(other, wanted(other)))
}

/// Returns the actual value of a joint.
pub(crate) fn actual(w: &World, joint: usize, now: Time) -> f64 {
    if let Some(angle) = w.physics.as_ref().and_then(|physics| physics.angle(w.body.leader(joint))) {
        return angle;
    }
    let limp = w.motion.joints.get(w.body.leader(joint)).and_then(|j| j.limp);
    limp.unwrap_or_else(|| command(w, joint, now))
}

/// Returns the values of all joints, measured or as commanded.
pub(crate) fn angles(w: &World, now: Time, measured: bool) -> Vec<f64> {
    let value = if measured { actual } else { command };
    (0..w.body.len()).map(|joint| value(w, joint, now)).collect()
}

/// Returns when the last command of a joint, or of its stiffness, ends; commands do not change after it.
pub(crate) fn settled(w: &World) -> Time {
    let tracks = w.motion.joints.iter().flat_map(|joint| [&joint.command, &joint.stiffness]);
    tracks.map(Track::end).max().unwrap_or_default()
}

/// Returns whether a joint has any stiffness.
pub(crate) fn is_stiff(w: &World, now: Time) -> bool {
    w.motion.joints.iter().any(|joint| joint.stiffness.at(now) > 0.0)
}

/// Makes the measured angles the commands: from there the joints go on.
pub(crate) fn hold(w: &mut World, now: Time) {
    let angles = angles(w, now, true);
    for (joint, angle) in w.motion.joints.iter_mut().zip(angles) {
        joint.command = Track::Still(angle);
    }
}

/// Returns the joints that a running or waiting task holds.
pub(crate) fn booked(w: &World) -> BTreeSet<usize> {
    w.motion.tasks.iter().filter(|t| !t.is_stiffness()).flat_map(|t| t.joints.iter().copied()).collect()
}

/// Adds a task and starts every task that can start.
pub(crate) fn add(w: &mut World, cx: &mut ServiceCx<'_>, task: Task) {
    w.motion.tasks.push(task);
    schedule(w, cx);
}

/// Starts every waiting task whose joints no earlier task holds, then the waiting commands of `setAngles`.
pub(crate) fn schedule(w: &mut World, cx: &mut ServiceCx<'_>) {
    let mut held: [BTreeSet<usize>; 2] = Default::default();
    for i in 0..w.motion.tasks.len() {
        let Some(task) = w.motion.tasks.get(i) else { break };
        let held = &mut held[usize::from(task.is_stiffness())];
        let free = task.joints.iter().all(|j| !held.contains(j));
        held.extend(task.joints.iter().copied());
        if free && !task.running {
            start(w, cx, i);
        }
    }
    let [angles, _] = held;
    for joint in 0..w.motion.joints.len() {
        if angles.contains(&joint) {
            continue;
        }
        if let Some((target, fraction)) = w.motion.joints.get_mut(joint).and_then(|j| j.later.take()) {
            ramp(w, joint, target, fraction, cx.now());
            guard::guard(w, &[joint], cx.now());
        }
    }
}

/// Moves a joint to a target at a fraction of its largest speed. Returns the duration in seconds.
pub(crate) fn ramp(w: &mut World, joint: usize, target: f64, fraction: f64, now: Time) -> f64 {
    let from = command(w, joint, now);
    let target = w.body.clip(joint, target);
    let seconds = (target - from).abs() / (w.body.speed(joint) * fraction).max(1e-6);
    let curve = JointPath::linear("", [(seconds, target)]).curve(from).ok();
    if let Some(j) = w.motion.joints.get_mut(joint) {
        j.command = match curve {
            Some(curve) if seconds > 0.0 => Track::along(now, curve),
            _ => Track::Still(target),
        };
    }
    seconds
}

/// Returns the seconds that all paths take.
fn duration(paths: &[(usize, JointPath)]) -> f64 {
    paths.iter().map(|(_, path)| path.duration()).fold(0.0, f64::max)
}

/// Starts the task with this index.
fn start(w: &mut World, cx: &mut ServiceCx<'_>, index: usize) {
    let now = cx.now();
    let Some(task) = w.motion.tasks.get_mut(index) else { return };
    task.running = true;
    let (call, name) = (task.call, task.name);
    // Changes of posture and of the weight take care of themselves.
    let is_guarded = task.ended == TaskEnd::Done && !name.starts_with("wbGoToBalance");
    let work = std::mem::replace(&mut task.work, TaskWork::Running);
    let posture = match &task.ended {
        TaskEnd::Posture(name) => Some(name.clone()),
        TaskEnd::Awake => Some(w.body.awake_posture()),
        TaskEnd::Rest => Some(w.body.rest_posture()),
        TaskEnd::Done | TaskEnd::Balanced | TaskEnd::Stiffness => None,
    };
    if let (Some(posture), TaskWork::Paths { paths, .. }) = (posture, &work) {
        physics::change_posture(w, call, &posture, duration(paths), now);
    }
    let seconds = match work {
        TaskWork::Paths { paths, relative } => begin_paths(w, cx, (name, is_guarded), paths, relative),
        TaskWork::Speed { targets, fraction } => {
            let slowest = targets
                .iter()
                .map(|(j, to)| (w.body.clip(*j, *to) - command(w, *j, now)).abs() / w.body.speed(*j).max(1e-6))
                .fold(0.0, f64::max);
            let seconds = slowest / fraction;
            let paths = targets.into_iter().map(|(j, to)| (j, JointPath::linear("", [(seconds, to)]))).collect();
            begin_paths(w, cx, (name, is_guarded), paths, false)
        }
        TaskWork::Stiffness(paths) => {
            let seconds = duration(&paths);
            for (joint, path) in &paths {
                if let Some(j) = w.motion.joints.get_mut(*joint)
                    && let Ok(curve) = path.curve(j.stiffness.at(now))
                {
                    j.stiffness = Track::along(now, curve);
                }
            }
            if let Some(task) = w.motion.tasks.get_mut(index) {
                task.work = TaskWork::Stiffness(Vec::new());
            }
            seconds
        }
        TaskWork::Running => 0.0,
    };
    w.alarm(cx, after(now, seconds), Alarm::Motion(call.0));
}

/// Assigns the curves to the joints and records them; returns the duration in seconds.
fn begin_paths(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    (name, is_guarded): (&'static str, bool),
    paths: Vec<(usize, JointPath)>,
    relative: bool,
) -> f64 {
    let now = cx.now();
    let seconds = duration(&paths);
    let (mut clipped, mut hurried, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    let mut limp = 0;
    let count = paths.len();
    for (joint, path) in paths {
        let from = command(w, joint, now);
        let path = if relative { path.offset_by(from) } else { path };
        let Ok(curve) = path.curve(from) else { continue };
        let (extent, (min, max)) = (curve.extent(), w.body.limits(joint));
        let label = w.body.joint_name(joint);
        if extent.min < min - 1e-9 || extent.max > max + 1e-9 {
            clipped.push(label.clone());
        }
        if extent.speed > w.body.speed(joint) * (1.0 + 1e-9) {
            hurried.push(label.clone());
        }
        moved.push((joint, w.body.clip(joint, curve.sample(curve.end()))));
        if let Some(j) = w.motion.joints.get_mut(joint) {
            limp += usize::from(j.limp.is_some());
            j.later = None;
            j.command = Track::along(now, curve);
        }
    }
    let all: Vec<usize> = moved.iter().map(|(joint, _)| *joint).collect();
    let stops = if is_guarded { guard::guard(w, &all, now) } else { Vec::new() };
    let ends: Vec<_> = moved
        .into_iter()
        .map(|(joint, end)| {
            let end = if stops.is_empty() { end } else { command(w, joint, after(now, seconds)) };
            (w.body.joint_name(joint), Value::Float((end * 1e4).round() / 1e4))
        })
        .collect();
    let mut text = match ends.as_slice() {
        [(a, _)] => format!("{a} over {}", readable(seconds)),
        [(a, _), (b, _)] => format!("{a} and {b} over {}", readable(seconds)),
        _ => format!("{count} joints over {}", readable(seconds)),
    };
    let mut data = vec![
        ("command", Value::from(name)),
        ("seconds", ((seconds * 1e6).round() / 1e6).into()),
        ("to", Value::map(ends)),
    ];
    for (key, note, names) in [("clipped", "beyond limits", clipped), ("fast", "faster than the motors", hurried)] {
        if !names.is_empty() {
            text += &format!("; {note}: {}", names.join(", "));
            data.push((key, Value::list(names.into_iter().map(Value::Str))));
        }
    }
    guard::tell(&stops, &mut text, &mut data);
    if limp > 0 {
        text += "; without stiffness nothing moves";
        data.push(("limp", Value::Int(limp as i64)));
    }
    cx.act("joints", text, Value::map(data));
    seconds
}

/// Handles the alarm of a task that is complete.
pub(crate) fn ended(w: &mut World, cx: &mut ServiceCx<'_>, call: u32) {
    let Some(i) = w.motion.tasks.iter().position(|t| t.call.0 == call && t.running) else { return };
    let task = w.motion.tasks.remove(i);
    release(w, cx, &task);
    super::power::settle(w, cx.now());
    super::finish(w, cx, task.ended, Some(task.call), true);
    schedule(w, cx);
}

/// Returns whether this task is still running.
pub(crate) fn runs(w: &World, call: u32) -> bool {
    w.motion.tasks.iter().any(|t| t.call.0 == call && t.running)
}

/// Keeps the joints of a completed task at their current values.
fn release(w: &mut World, cx: &mut ServiceCx<'_>, task: &Task) {
    let now = cx.now();
    for joint in &task.joints {
        let value = command(w, *joint, now);
        if let Some(j) = w.motion.joints.get_mut(*joint) {
            if task.is_stiffness() {
                j.stiffness = Track::Still(j.stiffness.at(now));
            } else {
                j.command = Track::Still(value);
            }
        }
    }
}

/// Ends the tasks that `which` selects, at their current values. Their calls return, except `but`, which was canceled.
pub(crate) fn kill(w: &mut World, cx: &mut ServiceCx<'_>, but: Option<CallId>, which: impl Fn(&Task) -> bool) -> bool {
    let tasks = std::mem::take(&mut w.motion.tasks);
    let (killed, kept): (Vec<Task>, Vec<Task>) = tasks.into_iter().partition(which);
    w.motion.tasks = kept;
    let any = !killed.is_empty();
    let mut stopped = BTreeSet::new();
    for task in killed {
        if task.running {
            release(w, cx, &task);
            if !task.is_stiffness() {
                stopped.extend(task.joints.iter().copied());
            }
        }
        let call = (but != Some(task.call)).then_some(task.call);
        super::finish(w, cx, task.ended, call, false);
    }
    if !stopped.is_empty() {
        let names: Vec<Value> = stopped.iter().map(|j| Value::Str(w.body.joint_name(*j))).collect();
        let text = match names.as_slice() {
            [Value::Str(one)] => format!("{one} stopped"),
            many => format!("{} joints stopped", many.len()),
        };
        cx.act("joints", text, Value::map([("stopped", Value::List(names.into()))]));
    }
    schedule(w, cx);
    any
}
