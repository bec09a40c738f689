//! Rigid bodies, joints and shapes of a robot.

use boxstep_bodies::{Body, Form, Link, Mass};
use boxstep_dynamics::{Isometry3, Model, Translation3, UnitQuaternion, Vector3};
use rapier3d_f64::parry::mass_properties::MassProperties;
use rapier3d_f64::prelude::*;

/// A link that moves by itself.
pub(crate) struct Part {
    /// Its number in the body's geometry.
    pub(crate) link: usize,
    pub(crate) body: RigidBodyHandle,
    /// The joint that turns it, by the number of its motor; `None` for the torso.
    pub(crate) joint: Option<Turn>,
}

/// The joint of a part.
pub(crate) struct Turn {
    pub(crate) handle: MultibodyJointHandle,
    pub(crate) joint: usize,
    /// Radians per unit of the joint.
    pub(crate) scale: f64,
}

/// A sole on the floor.
pub(crate) struct Foot {
    pub(crate) link: &'static str,
    pub(crate) collider: ColliderHandle,
    pub(crate) body: RigidBodyHandle,
}

/// The friction of plastic on a floor, and the smallest inertia of a motor behind its gear, in kg·m². (Ours: NAO's gears
/// of 1 : 130 make some 10⁻⁶ kg·m² of a rotor so much.)
const FRICTION: f64 = 0.8;
pub(crate) const ARMATURE: f64 = 0.005;
/// The thickness of a sole, in metres.
const SOLE: f64 = 0.01;

pub(crate) fn vector(of: [f64; 3]) -> Vector {
    Vector::new(of[0], of[1], of[2])
}

pub(crate) fn to_pose(of: &Isometry3<f64>) -> Pose {
    let (at, turn) = (of.translation.vector, of.rotation.coords);
    Pose::from_parts(Vector::new(at.x, at.y, at.z), Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w))
}

pub(crate) fn of_pose(pose: &Pose) -> Isometry3<f64> {
    let (at, turn) = (pose.translation, pose.rotation);
    Isometry3::from_parts(
        Translation3::new(at.x, at.y, at.z),
        UnitQuaternion::new_normalize(nalgebra::Quaternion::new(turn.w, turn.x, turn.y, turn.z)),
    )
}

fn properties(mass: &Mass) -> MassProperties {
    let [xx, xy, xz, yy, yz, zz] = mass.inertia;
    let inertia = Matrix::from_cols(Vector::new(xx, xy, xz), Vector::new(xy, yy, yz), Vector::new(xz, yz, zz));
    MassProperties::with_inertia_matrix(vector(mass.center), mass.mass, inertia)
}

fn isometry(at: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(Vector3::from(at)), UnitQuaternion::from_euler_angles(roll, pitch, yaw))
}

/// Returns whether a link moves by itself: it has a joint and a mass. Others, such as fingers, are fixed to their
/// parents.
fn moves(body: &Body, link: &Link) -> bool {
    link.parent.is_empty()
        || (!link.joint.is_empty() && body.geometry.masses.iter().any(|mass| mass.link == link.name && mass.mass > 0.0))
}

/// Builds the parts at these angles, with the torso at a pose.
pub(crate) fn build(
    world: &mut PhysicsWorld,
    model: &Model,
    angles: &[f64],
    torso: &Isometry3<f64>,
) -> (Vec<Part>, Vec<Foot>) {
    let body = model.body();
    let links = body.geometry.links;
    let poses = model.forward(angles);
    let number = |name: &str| links.iter().position(|link| link.name == name);
    let motor = |joint: &str| {
        let coupling = body.couplings.iter().find(|coupling| coupling.joint == joint);
        body.joint_index(coupling.map_or(joint, |coupling| coupling.follows))
    };
    let mut parts: Vec<Part> = Vec::new();
    let mut feet = Vec::new();
    // Per link: the part that carries it, and its pose there.
    let mut carried: Vec<(usize, Isometry3<f64>)> = Vec::new();
    for (at, link) in links.iter().enumerate() {
        let parent = number(link.parent).and_then(|parent| carried.get(parent)).copied();
        if moves(body, link) {
            let mass = body.geometry.masses.iter().find(|mass| mass.link == link.name);
            let rigid = RigidBodyBuilder::dynamic().pose(to_pose(&(torso * poses[at]))).can_sleep(false);
            let rigid = mass.map_or(rigid.clone(), |mass| rigid.additional_mass_properties(properties(mass)));
            let handle = world.bodies.insert(rigid);
            let joint = parent.and_then(|(part, from)| {
                let origin = from * isometry(link.at, link.turned);
                // The joint's axis is x of its frames.
                let along = Rotation::from_rotation_arc(Vector::X, vector(link.axis));
                let frame = |at: &Isometry3<f64>| to_pose(at) * Pose::from_rotation(along);
                let data = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
                    .local_frame1(frame(&origin))
                    .local_frame2(frame(&Isometry3::identity()))
                    .motor_model(JointAxis::AngX, MotorModel::ForceBased)
                    .contacts_enabled(false);
                let joint = motor(link.joint)?;
                let parent = parts.get(part)?.body;
                let handle = world.multibody_joints.insert(parent, handle, data.build(), true)?;
                let start = link.scale * angles.get(joint).copied().unwrap_or(0.0);
                Some((Turn { handle, joint, scale: link.scale }, start))
            });
            if let Some((turn, start)) = &joint
                && let Some((multibody, id)) = world.multibody_joints.get_mut(turn.handle)
                && let Some(link) = multibody.link(id)
            {
                let (first, count) = (link.assembly_id(), multibody.ndofs());
                let mut moved = vec![0.0; count];
                if let Some(angle) = moved.get_mut(first) {
                    *angle = *start;
                }
                multibody.apply_displacements(&moved);
                multibody.armature_mut().rows_mut(first, 1).fill(ARMATURE);
            }
            carried.push((parts.len(), Isometry3::identity()));
            parts.push(Part { link: at, body: handle, joint: joint.map(|(turn, _)| turn) });
        } else if let Some((part, from)) = parent {
            carried.push((part, from * isometry(link.at, link.turned)));
        } else {
            carried.push((0, Isometry3::identity()));
        }
        let Some((part, at)) = carried.last().copied() else { continue };
        let Some(handle) = parts.get(part).map(|part| part.body) else { continue };
        for collider in shapes(body, link) {
            let local = to_pose(&at) * *collider.shape_pose();
            let is_sole = collider.is_sole;
            let built = collider.builder.position(local).friction(FRICTION).density(0.0).build();
            let collider = world.colliders.insert_with_parent(built, handle, &mut world.bodies);
            if is_sole {
                feet.push(Foot { link: link.name, collider, body: handle });
            }
        }
    }
    for part in &parts {
        if let Some(joint) = &part.joint
            && let Some((multibody, _)) = world.multibody_joints.get_mut(joint.handle)
        {
            multibody.set_self_contacts_enabled(false);
        }
    }
    (parts, feet)
}

struct Shape {
    builder: ColliderBuilder,
    at: Pose,
    is_sole: bool,
}

impl Shape {
    fn shape_pose(&self) -> &Pose {
        &self.at
    }
}

/// Returns the shapes of a link: its solids, or, of a foot, its sole.
fn shapes(body: &Body, link: &Link) -> Vec<Shape> {
    let sole = body.geometry.soles.iter().find(|sole| sole.link == link.name);
    if let Some(sole) = sole {
        let ball = |[x, y, z]: &[f64; 3]| Shape {
            builder: ColliderBuilder::ball(SOLE),
            at: Pose::from_translation(vector([*x, *y, z + SOLE])),
            is_sole: true,
        };
        return sole.outline.iter().map(ball).collect();
    }
    let shape = |form: &Form| match form {
        Form::Capsule(from, to, radius) => Shape {
            builder: ColliderBuilder::capsule_from_endpoints(vector(*from), vector(*to), *radius),
            at: Pose::identity(),
            is_sole: false,
        },
        Form::Box(middle, [x, y, z]) => Shape {
            builder: ColliderBuilder::cuboid(x / 2.0, y / 2.0, z / 2.0),
            at: Pose::from_translation(vector(*middle)),
            is_sole: false,
        },
    };
    link.solids.iter().map(|solid| shape(&solid.form)).collect()
}
