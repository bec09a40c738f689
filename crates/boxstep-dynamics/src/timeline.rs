//! The postures that a timeline moves a robot through.

use crate::{Balance, Model, Stance};
use boxstep_format::model::Timeline;
use boxstep_motion::{BezierCommand, Curve, JointCurve, JointPath};
use std::sync::Arc;

/// The frames per second of a timeline that has none.
const DEFAULT_FPS: i32 = 25;
/// Of a timeline at most so many postures are calculated, and so many more for each key. Longer ones move slowly, so
/// that not every frame is needed.
const POSTURES: usize = 250;
const POSTURES_PER_KEY: usize = 10;

/// How many postures may still be calculated, so that a file with many long timelines does not take forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameBudget {
    left: usize,
    exceeded: Exceeded,
}

/// Whether a timeline had more postures than were left, and whether anybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exceeded {
    No,
    Untold,
    Told,
}

impl Default for FrameBudget {
    /// Enough for two hours at 25 frames a second.
    fn default() -> Self {
        Self { left: 180_000, exceeded: Exceeded::No }
    }
}

impl FrameBudget {
    /// Returns true once if a timeline had more postures than were left.
    pub fn take_exceeded(&mut self) -> bool {
        let is_new = self.exceeded == Exceeded::Untold;
        if is_new {
            self.exceeded = Exceeded::Told;
        }
        is_new
    }

    fn take(&mut self, postures: usize) -> Option<()> {
        let left = self.left.checked_sub(postures);
        match left {
            Some(left) => self.left = left,
            None if self.exceeded == Exceeded::No => self.exceeded = Exceeded::Untold,
            None => {}
        }
        left.map(drop)
    }
}

/// The postures of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Postures {
    first: i64,
    fps: f64,
    /// The frames from one posture to the next.
    stride: i64,
    /// The angles of all joints at each of them.
    pub angles: Vec<Vec<f64>>,
}

impl Postures {
    /// Returns the seconds between two postures.
    pub fn step(&self) -> f64 {
        self.stride as f64 / self.fps
    }

    /// Returns the frame of a posture.
    pub fn frame(&self, posture: usize) -> i64 {
        self.first + posture as i64 * self.stride
    }

    /// Returns when the robot is at a frame, in seconds from the start of the timeline.
    pub fn seconds(&self, frame: i64) -> f64 {
        (frame - self.first) as f64 / self.fps
    }
}

/// What a timeline does with the joints of a body.
#[derive(Debug)]
pub struct Trajectory<'m> {
    model: &'m Model,
    fps: f64,
    /// The angles of joints without a curve.
    rest: Vec<f64>,
    /// Joints with their curves over seconds, and whether the file names a joint that follows this one.
    moved: Vec<(usize, Curve, bool)>,
}

impl Trajectory<'_> {
    /// Returns the frames per second.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// Returns the joints that have a curve, in the order of the body.
    pub fn joints(&self) -> Vec<usize> {
        let mut joints: Vec<usize> = self.moved.iter().map(|(joint, ..)| *joint).collect();
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    /// Returns the frames of the first key and of the last one.
    pub fn span(&self) -> (f64, f64) {
        let curves = || self.moved.iter().map(|(_, curve, _)| curve);
        let first = curves().map(Curve::start).fold(f64::INFINITY, f64::min);
        let last = curves().map(Curve::end).fold(f64::NEG_INFINITY, f64::max);
        (first * self.fps, last * self.fps)
    }

    /// Returns the angles of all joints at a frame, within their limits.
    pub fn at(&self, frame: f64) -> Vec<f64> {
        let mut angles = self.rest.clone();
        for (joint, curve, _) in &self.moved {
            if let Some(angle) = angles.get_mut(*joint) {
                *angle = curve.sample(frame / self.fps);
            }
        }
        self.model.clamp(&mut angles);
        angles
    }
}

impl Model {
    /// Returns the postures of a timeline, from its start to its last key, within the limits of the joints. As on a
    /// robot, joints move to their first keys from where they are: where they are when the robot is awake, or, if the
    /// first keys have it sit or lie, at those. `None` if no curve moves a joint of this body, or if the budget does not
    /// suffice.
    pub fn postures(&self, timeline: &Timeline, budget: &mut FrameBudget) -> Option<Postures> {
        let fps = f64::from(timeline.fps.unwrap_or(DEFAULT_FPS));
        if !timeline.enabled || fps <= 0.0 {
            return None;
        }
        let curves = timeline.actuators.iter().flat_map(|list| &list.curves);
        let curves: Vec<JointCurve> = curves.filter_map(|curve| JointCurve::try_from(curve).ok()).collect();
        let keys: usize = curves.iter().map(|curve| curve.keys().len()).sum();
        let first = i64::from(timeline.start_frame.unwrap_or(1));
        let command = BezierCommand::from_timeline(&curves, first as f64, fps);
        let end = timeline.end_frame.map_or(f64::INFINITY, |end| (i64::from(end) - first) as f64 / fps);
        // If two joints on one motor have paths, the one of the motor counts: it comes last.
        let mut paths: Vec<(usize, &JointPath)> =
            command.joints.iter().filter_map(|path| Some((self.leader(&path.joint)?, path))).collect();
        paths.sort_by_key(|(_, path)| !self.is_led(&path.joint));
        let last = paths.iter().map(|(_, path)| path.duration()).max_by(f64::total_cmp)?.min(end);
        let rest = self.start(&curves, first as f64);
        let moved: Vec<(usize, Curve)> =
            paths.iter().filter_map(|(joint, path)| Some((*joint, path.curve(*rest.get(*joint)?).ok()?))).collect();
        let frames = (last * fps).round().max(0.0) as usize;
        let most = POSTURES + POSTURES_PER_KEY * keys;
        let stride = frames.div_ceil(most).max(1);
        let count = frames / stride + 1;
        budget.take(count)?;
        let angles = (0..count).map(|at| {
            let seconds = (at * stride) as f64 / fps;
            let mut angles = rest.clone();
            for (joint, curve) in &moved {
                if let Some(angle) = angles.get_mut(*joint) {
                    *angle = curve.sample(seconds);
                }
            }
            self.clamp(&mut angles);
            angles
        });
        Some(Postures { first, fps, stride: stride as i64, angles: angles.collect() })
    }

    /// Returns the angles from which joints move to their first keys, at this frame or later: where they are when the robot
    /// is awake, or at those keys if it sits or lies there.
    fn start(&self, curves: &[JointCurve], frame: f64) -> Vec<f64> {
        let awake = self.awake();
        let mut keys = awake.clone();
        let first = |curve: &JointCurve| Some((curve.actuator().clone(), curve.first_value(frame)?));
        let mut moved: Vec<(Arc<str>, f64)> = curves.iter().filter(|curve| !curve.muted()).filter_map(first).collect();
        // If two joints on one motor have curves, the one of the motor counts: it comes last.
        moved.sort_by_key(|(joint, _)| !self.is_led(joint));
        for (joint, value) in moved {
            if let Some(angle) = self.leader(&joint).and_then(|leader| keys.get_mut(leader)) {
                *angle = value;
            }
        }
        self.clamp(&mut keys);
        let sits = Balance::new(self).and_then(|balance| balance.at_rest(&keys));
        if sits.is_some_and(|instant| instant.stance == Stance::Off) { keys } else { awake }
    }

    /// Returns what a timeline does with the joints, whether it is enabled or not, at single frames. `None` if no curve
    /// moves a joint of this body.
    pub fn trajectory(&self, timeline: &Timeline) -> Option<Trajectory<'_>> {
        let fps = f64::from(timeline.fps.filter(|fps| *fps > 0).unwrap_or(DEFAULT_FPS));
        let curves = timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| !curve.mute);
        let moved = curves.filter_map(|curve| {
            let curve = JointCurve::try_from(curve).ok()?;
            let leader = self.leader(curve.actuator())?;
            let follows = self.body.joint_index(curve.actuator()) != Some(leader);
            Some((leader, curve.scaled_curve(fps)?, follows))
        });
        // If two joints on one motor have curves, the one of the motor counts.
        let mut moved: Vec<(usize, Curve, bool)> = moved.collect();
        moved.sort_by_key(|(_, _, follows)| !follows);
        (!moved.is_empty()).then(|| Trajectory { model: self, fps, rest: self.awake(), moved })
    }

    /// Returns the angles of the posture in which the robot stands after waking up.
    pub fn awake(&self) -> Vec<f64> {
        let posture = self.body.posture(self.body.awake);
        let angle = |name: &str| posture.and_then(|posture| posture.angle(name)).unwrap_or(0.0);
        self.body.joints.iter().map(|joint| angle(joint.name).max(joint.min).min(joint.max)).collect()
    }

    /// Returns whether another joint's motor moves a joint.
    fn is_led(&self, joint: &str) -> bool {
        self.leader(joint) != self.body.joint_index(joint)
    }

    /// Returns the number of the joint whose motor moves a joint.
    fn leader(&self, joint: &str) -> Option<usize> {
        let coupling = self.body.couplings.iter().find(|coupling| coupling.joint == joint);
        self.body.joint_index(coupling.map_or(joint, |coupling| coupling.follows))
    }

    /// Brings angles within the limits of the joints.
    fn clamp(&self, angles: &mut [f64]) {
        for joint in 0..angles.len() {
            let (min, max) = self.range(joint, angles);
            if let Some(angle) = angles.get_mut(joint) {
                *angle = angle.max(min).min(max);
            }
        }
    }
}
