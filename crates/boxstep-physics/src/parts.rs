//! The rigid bodies, joints and shapes of a robot.

use crate::servo::Servo;
use boxstep_bodies::{Form, Sole};
use boxstep_dynamics::{
    Balance, Isometry3, Link, Matrix3, Model, Point3, Quaternion, Start, Translation3, UnitQuaternion, Vector3,
};
use rapier3d_f64::parry::mass_properties::MassProperties;
use rapier3d_f64::prelude::*;

/// A link that moves by itself.
pub(crate) struct Part {
    pub(crate) body: RigidBodyHandle,
    /// The joint that turns it; `None` for the torso.
    pub(crate) joint: Option<PartJoint>,
}

/// The joint of a part.
pub(crate) struct PartJoint {
    /// The joint in the body's order.
    pub(crate) joint: usize,
    /// Radians per unit of the joint.
    pub(crate) scale: f64,
    /// In radians.
    pub(crate) limits: [f64; 2],
    pub(crate) servo: Servo,
    /// Its place among the links of the multibody, and among its degrees of freedom.
    pub(crate) link: usize,
    pub(crate) freedom: usize,
    /// The target of the step before, in radians.
    pub(crate) target: Option<f64>,
}

/// The corners of a sole, with their places in the frame of its link.
pub(crate) struct Foot {
    pub(crate) corners: Vec<(ColliderHandle, Vector3<f64>)>,
}

/// A robot in a world of rapier.
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
    /// The torso's frame in that of its body, whose origin is its center of mass: rapier takes the velocity of the first
    /// body there, and its place at the origin.
    pub(crate) torso: Isometry3<f64>,
    /// The part that carries each link.
    pub(crate) carriers: Vec<usize>,
    /// In the order of the body's soles.
    pub(crate) feet: Vec<Foot>,
    /// The multibody of all parts: its handle is that of any of its joints.
    pub(crate) multibody: Option<MultibodyJointHandle>,
}

/// The friction of plastic on a floor.
pub(crate) const FRICTION: f64 = 0.8;
/// The radius of the balls at the corners of a sole, and of those at links whose thickness is not known, in metres.
const CORNER: f64 = 0.003;
const POINT: f64 = 0.001;

pub(crate) fn vector(of: [f64; 3]) -> Vector {
    Vector::new(of[0], of[1], of[2])
}

fn to_pose(of: &Isometry3<f64>) -> Pose {
    let [x, y, z, w] = of.rotation.coords.into();
    Pose::from_parts(vector(of.translation.vector.into()), Rotation::from_xyzw(x, y, z, w))
}

pub(crate) fn of_pose(pose: &Pose) -> Isometry3<f64> {
    let (at, turn) = (pose.translation, pose.rotation);
    let turn = Quaternion::new(turn.w, turn.x, turn.y, turn.z);
    Isometry3::from_parts(Translation3::new(at.x, at.y, at.z), UnitQuaternion::new_normalize(turn))
}

/// Returns the mass, the center and the inertia of a link, at its pose in the part that carries it.
fn properties(link: &Link, at: &Isometry3<f64>) -> MassProperties {
    let turn = at.rotation.to_rotation_matrix();
    let inertia: Matrix3<f64> = turn * link.inertia * turn.inverse();
    let columns = [0, 1, 2].map(|i| vector(inertia.column(i).into_owned().into()));
    let [x, y, z] = columns;
    let center: Vector3<f64> = (at * Point3::from(link.center)).coords;
    MassProperties::with_inertia_matrix(vector(center.into()), link.mass, Matrix::from_cols(x, y, z))
}

/// Returns whether a link moves by itself: it has a joint that turns it, and a mass.
fn moves(link: &Link) -> bool {
    link.joint.is_some() && link.scale != 0.0 && link.mass > 0.0
}

/// Returns the center of mass of the first link and of those that are fixed to it, in its frame.
fn center_of_first(model: &Model) -> Vector3<f64> {
    let mut places: Vec<Option<Isometry3<f64>>> = Vec::new();
    let mut sum = MassProperties::default();
    for link in model.links() {
        let place = match link.parent {
            None => Some(Isometry3::identity()),
            Some(_) if moves(link) => None,
            Some(parent) => places.get(parent).copied().flatten().map(|parent| parent * link.origin),
        };
        if let Some(place) = place.filter(|_| link.mass > 0.0) {
            sum += properties(link, &place);
        }
        places.push(place);
    }
    let center = sum.local_com;
    Vector3::new(center.x, center.y, center.z)
}

impl Parts {
    /// Builds a robot in a world.
    pub(crate) fn build(world: &mut PhysicsWorld, model: &Model, start: &Start<'_>) -> Self {
        let torso = Isometry3::from(Translation3::from(-center_of_first(model)));
        let mut robot = Self { torso, parts: Vec::new(), carriers: Vec::new(), feet: Vec::new(), multibody: None };
        let poses = model.forward(start.angles);
        // The pose of each link in the part that carries it, and the mass of each part.
        let mut places: Vec<Isometry3<f64>> = Vec::new();
        let mut masses: Vec<MassProperties> = Vec::new();
        for (number, link) in model.links().iter().enumerate() {
            let parent = link.parent.and_then(|parent| Some((*robot.carriers.get(parent)?, *places.get(parent)?)));
            let pose = poses.get(number).copied().unwrap_or_else(Isometry3::identity);
            match parent {
                Some((carrier, place)) if !moves(link) => {
                    robot.carriers.push(carrier);
                    places.push(place * link.origin);
                }
                parent => {
                    let frame = if parent.is_none() { torso.inverse() } else { Isometry3::identity() };
                    let rigid =
                        RigidBodyBuilder::dynamic().pose(to_pose(&(start.torso * pose * frame))).can_sleep(false);
                    let body = world.bodies.insert(rigid);
                    let origin = parent.map(|(carrier, place)| (carrier, place * link.origin));
                    let joint = origin
                        .and_then(|(carrier, origin)| robot.hinge(world, model, link, body, carrier, &origin, start));
                    robot.carriers.push(robot.parts.len());
                    places.push(if parent.is_none() { torso } else { Isometry3::identity() });
                    masses.push(MassProperties::default());
                    robot.parts.push(Part { body, joint });
                }
            }
            let (carrier, place) = (robot.carriers[number], places[number]);
            if link.mass > 0.0 {
                masses[carrier] += properties(link, &place);
            }
            robot.add_shapes(world, model, number, &place);
        }
        for (part, mass) in robot.parts.iter().zip(masses) {
            if let Some(body) = world.bodies.get_mut(part.body) {
                body.set_additional_mass_properties(mass, true);
            }
        }
        robot.add_soles(world, model, &places);
        robot.prepare(world);
        robot
    }

    /// Joins a body to its parent by the joint of a link, at the joint's value.
    #[allow(clippy::too_many_arguments)]
    fn hinge(
        &mut self,
        world: &mut PhysicsWorld,
        model: &Model,
        link: &Link,
        body: RigidBodyHandle,
        carrier: usize,
        origin: &Isometry3<f64>,
        start: &Start<'_>,
    ) -> Option<PartJoint> {
        let joint = link.joint?;
        let data = model.body().joints.get(joint)?;
        // The joint's axis is x of its frames.
        let along = Pose::from_rotation(Rotation::from_rotation_arc(Vector::X, vector(link.axis.into_inner().into())));
        let mut ends = [data.min * link.scale, data.max * link.scale];
        ends.sort_by(f64::total_cmp);
        let hinge = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
            .local_frame1(to_pose(origin) * along)
            .local_frame2(along)
            .contacts_enabled(false);
        let parent = self.parts.get(carrier)?.body;
        let handle = world.multibody_joints.insert(parent, body, hinge.build(), true)?;
        let (multibody, id) = world.multibody_joints.get_mut(handle)?;
        let freedom = multibody.link(id)?.assembly_id();
        let servo = Servo::new(data.max_torque, data.max_speed, model.body().brakes.contains(&data.name));
        let mut moved = vec![0.0; multibody.ndofs()];
        if let Some(angle) = moved.get_mut(freedom) {
            *angle = link.scale * start.angles.get(joint).copied().unwrap_or(0.0);
        }
        multibody.apply_displacements(&moved);
        self.multibody = Some(handle);
        Some(PartJoint { joint, scale: link.scale, limits: ends, servo, link: id, freedom, target: None })
    }

    /// Prepares the multibody, which is complete.
    fn prepare(&mut self, world: &mut PhysicsWorld) {
        let Some((multibody, _)) = self.multibody.and_then(|any| world.multibody_joints.get_mut(any)) else { return };
        multibody.set_self_contacts_enabled(false);
        for part in &mut self.parts {
            let Some(joint) = &mut part.joint else { continue };
            multibody.armature_mut()[joint.freedom] = joint.servo.inertia();
        }
    }

    /// Adds the corners of the soles, given the places of all links in the parts that carry them.
    fn add_soles(&mut self, world: &mut PhysicsWorld, model: &Model, places: &[Isometry3<f64>]) {
        let Some(balance) = Balance::new(model) else { return };
        for (name, level, corners) in balance.soles() {
            let link = model.links().iter().position(|link| link.name == name);
            let carrier = link.and_then(|link| Some((self.parts.get(*self.carriers.get(link)?)?, places.get(link)?)));
            let Some((part, place)) = carrier else { continue };
            // A ball over each corner: it touches the floor where the corner does.
            let over = level.rotation * Vector3::new(0.0, 0.0, CORNER);
            let corner = |corner: &Point3<f64>| {
                let at = place * (corner + over);
                let ball = ColliderBuilder::ball(CORNER).translation(vector(at.coords.into()));
                let ball = ball.friction(FRICTION).density(0.0).build();
                (world.colliders.insert_with_parent(ball, part.body, &mut world.bodies), corner.coords)
            };
            self.feet.push(Foot { corners: corners.iter().map(corner).collect() });
        }
    }

    /// Adds the shapes of a link that is carried at this place: its solids, and its bumpers. A foot has its soles instead.
    fn add_shapes(&self, world: &mut PhysicsWorld, model: &Model, link: usize, place: &Isometry3<f64>) {
        let geometry = &model.body().geometry;
        let Some(link_data) = geometry.links.get(link) else { return };
        let Some(body) = self.carriers.get(link).and_then(|part| self.parts.get(*part)).map(|part| part.body) else {
            return;
        };
        let mut add = |shape: ColliderBuilder, at: Pose| {
            let shape = shape.position(to_pose(place) * at).friction(FRICTION).density(0.0).build();
            world.colliders.insert_with_parent(shape, body, &mut world.bodies)
        };
        // Bumpers are on the shell, which is wider than the drawn solids.
        for bumper in geometry.sensors.iter().filter(|sensor| sensor.link == link_data.name) {
            if bumper.name.contains("Bumper") {
                add(ColliderBuilder::ball(CORNER), Pose::from_translation(vector(bumper.at)));
            }
        }
        if geometry.soles.iter().any(|sole| sole.link == link_data.name) {
            return;
        }
        // The rods of other bodies only draw them; a link on a sole would stand under it.
        if !model.body().is_known() {
            let is_over = |sole: &Sole| geometry.link(sole.link).is_some_and(|foot| foot.parent == link_data.name);
            if !geometry.soles.iter().any(is_over) {
                add(ColliderBuilder::ball(POINT), Pose::IDENTITY);
            }
            return;
        }
        for solid in link_data.solids {
            match &solid.form {
                Form::Capsule(from, to, radius) => {
                    add(ColliderBuilder::capsule_from_endpoints(vector(*from), vector(*to), *radius), Pose::IDENTITY)
                }
                Form::Box(middle, [x, y, z]) => {
                    add(ColliderBuilder::cuboid(x / 2.0, y / 2.0, z / 2.0), Pose::from_translation(vector(*middle)))
                }
            };
        }
    }
}
