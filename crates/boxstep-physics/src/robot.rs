//! A robot on a floor, step by step.

use crate::parts::{FRICTION, Foot, PartJoint, Parts, of_pose, vector};
use boxstep_dynamics::{GRAVITY, Isometry3, Model, Physics, STEP, SoleForce, Start, Vector3};
use rapier3d_f64::prelude::*;

/// A joint this near to its limit is stopped by it, in radians and in steps at its speed.
const NEAR_LIMIT: (f64, f64) = (0.05, 3.0);

/// A robot that its weight, its motors and the floor move.
pub struct Robot {
    world: PhysicsWorld,
    robot: Parts,
    /// The velocity of the torso before the last step.
    before: Vector,
    /// The parts that a push moves in the next step.
    pushed: Vec<usize>,
}

impl std::fmt::Debug for Robot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Robot").field("torso", &self.torso()).finish_non_exhaustive()
    }
}

impl Robot {
    /// Puts a robot on the floor.
    pub fn new(model: &Model, start: &Start<'_>) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, 0.0, -GRAVITY);
        world.integration_parameters.dt = STEP;
        // The motors are springs of the multibody, which is solved exactly; only contacts and limits are approximated.
        world.integration_parameters.num_solver_iterations = 1;
        let floor = ColliderBuilder::new(SharedShape::halfspace(Vector::Z)).friction(FRICTION);
        world.colliders.insert(floor.build());
        let robot = Parts::build(&mut world, model, start);
        let mut robot = Self { world, robot, before: Vector::ZERO, pushed: Vec::new() };
        robot.shove(start.velocity);
        robot.before = robot.velocity();
        robot
    }

    /// The same, as a [`PhysicsEngine`](boxstep_dynamics::PhysicsEngine).
    pub fn engine(model: &Model, start: &Start<'_>) -> Box<dyn Physics> {
        Box::new(Self::new(model, start))
    }

    /// Gives the torso a velocity; the rest of the robot goes with it.
    fn shove(&mut self, velocity: Vector3<f64>) {
        if let Some(multibody) = self.multibody_mut() {
            let mut all = multibody.generalized_velocity_mut();
            all.rows_mut(0, 3).copy_from(&velocity);
        }
    }

    fn multibody(&self) -> Option<&Multibody> {
        self.world.multibody_joints.get(self.robot.multibody?).map(|(multibody, _)| multibody)
    }

    fn multibody_mut(&mut self) -> Option<&mut Multibody> {
        self.world.multibody_joints.get_mut(self.robot.multibody?).map(|(multibody, _)| multibody)
    }

    fn torso_body(&self) -> Option<&RigidBody> {
        self.world.bodies.get(self.robot.parts.first()?.body)
    }

    fn velocity(&self) -> Vector {
        self.torso_body().map_or(Vector::ZERO, RigidBody::linvel)
    }

    fn sole(&self, foot: &Foot) -> SoleForce {
        let (mut force, mut moment) = (0.0, Vector3::zeros());
        for (corner, at) in &foot.corners {
            for pair in self.world.narrow_phase.contact_pairs_with(*corner) {
                let impulses =
                    pair.manifolds().iter().flat_map(|manifold| &manifold.points).map(|point| point.data.impulse);
                let newton = impulses.sum::<f64>() / STEP;
                force += newton;
                moment += newton * at;
            }
        }
        SoleForce { force, center: if force > 0.0 { moment / force } else { Vector3::zeros() } }
    }
}

/// Sets what a joint does in the next step.
fn command(joint: &mut PartJoint, multibody: &mut Multibody, target: f64, stiffness: f64) {
    let target = joint.scale * target;
    let target_speed = joint.target.map_or(0.0, |before| (target - before) / STEP);
    joint.target = Some(target);
    let speed = multibody.generalized_velocity()[joint.freedom];
    let Some(link) = multibody.link_mut(joint.link) else { return };
    let angle = link.joint.coords()[3];
    let pull = joint.servo.pull(angle, speed, target, target_speed, stiffness.clamp(0.0, 1.0));
    link.joint.set_spring(3, pull.spring, pull.rest);
    let near = NEAR_LIMIT.0 + NEAR_LIMIT.1 * STEP * speed.abs();
    let data = &mut link.joint.data;
    if angle - joint.limits[0] < near || joint.limits[1] - angle < near {
        data.set_limits(JointAxis::AngX, joint.limits);
    } else {
        data.limit_axes = JointAxesMask::empty();
    }
    multibody.damping_mut()[joint.freedom] = pull.damper;
}

impl Physics for Robot {
    fn step(&mut self, targets: &[f64], stiffness: &[f64]) {
        let any = self.robot.multibody;
        if let Some((multibody, _)) = any.and_then(|any| self.world.multibody_joints.get_mut(any)) {
            for joint in self.robot.parts.iter_mut().filter_map(|part| part.joint.as_mut()) {
                let of =
                    |values: &[f64]| values.get(joint.joint).copied().filter(|value| value.is_finite()).unwrap_or(0.0);
                let (target, stiffness) = (of(targets), of(stiffness));
                command(joint, multibody, target, stiffness);
            }
        }
        self.before = self.velocity();
        self.world.step();
        for part in std::mem::take(&mut self.pushed) {
            let body = self.robot.parts.get(part).and_then(|part| self.world.bodies.get_mut(part.body));
            body.into_iter().for_each(|body| body.reset_forces(true));
        }
    }

    fn torso(&self) -> Isometry3<f64> {
        self.torso_body().map_or_else(Isometry3::identity, |torso| of_pose(torso.position()) * self.robot.torso)
    }

    fn angle(&self, joint: usize) -> Option<f64> {
        // A joint with a motor comes before those that follow it.
        let joints = self.robot.parts.iter().filter_map(|part| part.joint.as_ref());
        let joint = joints.into_iter().find(|part| part.joint == joint)?;
        let link = self.multibody()?.link(joint.link)?;
        Some(link.joint().coords()[3] / joint.scale)
    }

    fn push(&mut self, link: usize, impulse: Vector3<f64>) {
        let part = self.robot.carriers.get(link).copied().unwrap_or(0);
        let Some(body) = self.robot.parts.get(part).map(|part| part.body) else { return };
        if let Some(body) = self.world.bodies.get_mut(body) {
            // The force of one step.
            body.add_force(vector(impulse.into()) / STEP, true);
            self.pushed.push(part);
        }
    }

    fn soles(&self) -> Vec<SoleForce> {
        self.robot.feet.iter().map(|foot| self.sole(foot)).collect()
    }

    fn inertial(&self) -> (Vector3<f64>, Vector3<f64>) {
        let Some(torso) = self.torso_body() else { return (Vector3::zeros(), Vector3::zeros()) };
        let turn = of_pose(torso.position()).rotation.inverse();
        let felt = (torso.linvel() - self.before) / STEP + Vector::new(0.0, 0.0, GRAVITY);
        let of = |v: Vector| turn * Vector3::new(v.x, v.y, v.z);
        (of(felt), of(torso.angvel()))
    }

    fn speed(&self) -> f64 {
        self.multibody().map_or(0.0, |multibody| multibody.generalized_velocity().amax())
    }
}
