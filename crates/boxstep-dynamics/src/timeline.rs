//! The postures that a timeline moves a robot through.

use crate::Model;
use boxstep_format::model::Timeline;
use boxstep_motion::{Curve, JointCurve};

/// The frames per second of a timeline that has none.
const DEFAULT_FPS: i32 = 25;
/// A timeline has at most so many frames, and so many more for each key. Longer ones stand still most of the time.
const FRAMES: usize = 250;
const FRAMES_PER_KEY: usize = 10;

/// How many postures may still be calculated, so that a file with many long timelines does not take forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameBudget(usize);

impl Default for FrameBudget {
    /// Enough for five hours at 25 frames a second.
    fn default() -> Self {
        Self(450_000)
    }
}

/// The postures at the frames of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Postures {
    /// The frame of the first posture.
    pub first: i64,
    /// Frames per second.
    pub fps: f64,
    /// The angles of all joints at each frame.
    pub angles: Vec<Vec<f64>>,
}

impl Postures {
    /// Returns the seconds between two frames.
    pub fn step(&self) -> f64 {
        1.0 / self.fps
    }

    /// Returns the frame of a posture.
    pub fn frame(&self, posture: usize) -> i64 {
        self.first + posture as i64
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
    /// Returns the postures of a timeline, from the first key to the last, within the limits of the joints. Joints that
    /// it does not move are as in the posture in which the robot wakes up; before its first key and after its last one a
    /// joint stands still. `None` if no curve moves a joint of this body, if the timeline is much longer than its keys
    /// explain, or if the budget does not suffice.
    pub fn postures(&self, timeline: &Timeline, budget: &mut FrameBudget) -> Option<Postures> {
        let fps = f64::from(timeline.fps.unwrap_or(DEFAULT_FPS));
        if !timeline.enabled || fps <= 0.0 {
            return None;
        }
        let curves = timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| !curve.mute);
        let keys: usize = curves.map(|curve| curve.keys.len()).sum();
        let trajectory = self.trajectory(timeline)?;
        let starts = trajectory.moved.iter().map(|(_, curve, _)| curve.start());
        let ends = trajectory.moved.iter().map(|(_, curve, _)| curve.end());
        let first = (starts.min_by(f64::total_cmp)? * fps).round() as i64;
        let last = (ends.max_by(f64::total_cmp)? * fps).round() as i64;
        let frames = usize::try_from(last - first).ok()?.saturating_add(1);
        if frames > (FRAMES + FRAMES_PER_KEY * keys).min(budget.0) {
            return None;
        }
        budget.0 -= frames;
        let angles = (0..frames).map(|at| trajectory.at((first + at as i64) as f64));
        Some(Postures { first, fps, angles: angles.collect() })
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
