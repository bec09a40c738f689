//! The trait of a physics engine: a robot that its weight, its motors and the floor move.

use crate::Model;
use nalgebra::{Isometry3, Vector3};

/// The time of one step, in seconds.
pub const STEP: f64 = 0.004;

/// A robot that its weight, its motors and the floor move, in steps of [`STEP`]. The same commands give the same
/// motion, bit for bit.
///
/// The world's frame has z up, and its origin is on the floor.
pub trait Physics: Send {
    /// Goes on by one step. The motors pull each joint towards its target, with at most this share (0…1) of their
    /// torque. Both slices have the order of the body's joints.
    fn step(&mut self, targets: &[f64], stiffness: &[f64]);

    /// Returns the pose of the first link, the torso, in the world.
    fn torso(&self) -> Isometry3<f64>;

    /// Returns the value of a joint; `None` if the joint is not moved by physics, such as fingers and wheels.
    fn angle(&self, joint: usize) -> Option<f64>;

    /// Pushes a link at its center of mass, with an impulse in newton seconds, in the world's frame.
    fn push(&mut self, link: usize, impulse: Vector3<f64>);

    /// Returns the force on each sole, in the order of the body's [`soles`](boxstep_bodies::Geometry::soles).
    fn soles(&self) -> Vec<SoleForce>;

    /// Returns what an accelerometer and a gyrometer in the torso measure, in the torso's frame: the acceleration,
    /// in m/s², which is upward 9.81 when the robot stands still, and the angular velocity, in rad/s.
    fn inertial(&self) -> (Vector3<f64>, Vector3<f64>);

    /// Returns how fast the robot moves: the largest speed of the torso, in m/s, and of the torso and the joints, in
    /// rad/s.
    fn speed(&self) -> f64;
}

/// The force of the floor on a sole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoleForce {
    /// Its part straight out of the floor, in newton.
    pub force: f64,
    /// Where it acts, in the frame of the sole's link, in metres; the origin if there is no force.
    pub center: Vector3<f64>,
}

/// How a robot begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The values of the joints.
    pub angles: &'a [f64],
    /// The pose of the torso in the world.
    pub torso: Isometry3<f64>,
    /// The velocity of the whole robot, in m/s.
    pub velocity: Vector3<f64>,
}

impl<'a> Start<'a> {
    /// Stands still on the floor.
    pub fn standing(model: &Model, angles: &'a [f64]) -> Self {
        let upright = Isometry3::translation(0.0, 0.0, model.body().build.torso_height);
        let torso = model.torso_over_floor(&model.forward(angles)).unwrap_or(upright);
        Self { angles, torso, velocity: Vector3::zeros() }
    }
}

/// Makes robots that move by physics.
pub type PhysicsEngine = fn(model: &Model, start: &Start<'_>) -> Box<dyn Physics>;
