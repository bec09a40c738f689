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
        let curves = || timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| !curve.mute);
        let keys: usize = curves().map(|curve| curve.keys.len()).sum();
        let moved = curves().filter_map(|curve| {
            let curve = JointCurve::try_from(curve).ok()?;
            let leader = self.leader(curve.actuator())?;
            let follows = self.body.joint_index(curve.actuator()) != Some(leader);
            Some((leader, curve.scaled_curve(fps)?, follows))
        });
        // If two joints on one motor have curves, the one of the motor counts.
        let mut moved: Vec<(usize, Curve, bool)> = moved.collect();
        moved.sort_by_key(|(_, _, follows)| !follows);
        let first = moved.iter().map(|(_, curve, _)| curve.start()).min_by(f64::total_cmp)?;
        let last = moved.iter().map(|(_, curve, _)| curve.end()).max_by(f64::total_cmp)?;
        let first = (first * fps).round() as i64;
        let frames = usize::try_from((last * fps).round() as i64 - first).ok()?.saturating_add(1);
        if frames > (FRAMES + FRAMES_PER_KEY * keys).min(budget.0) {
            return None;
        }
        budget.0 -= frames;
        let rest = self.awake();
        let angles = (0..frames).map(|at| {
            let seconds = (first + at as i64) as f64 / fps;
            let mut angles = rest.clone();
            for (joint, curve, _) in &moved {
                if let Some(angle) = angles.get_mut(*joint) {
                    *angle = curve.sample(seconds);
                }
            }
            self.clamp(&mut angles);
            angles
        });
        Some(Postures { first, fps, angles: angles.collect() })
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
