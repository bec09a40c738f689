//! A body in the form that calculations need: links by number, each with its place in its parent, its axis and its mass.

use crate::support::Sole;
use boxstep_bodies::{Body, JointKind, ShellLimit};
use nalgebra::{Isometry3, Matrix3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};

/// A body in the form that calculations need.
#[derive(Debug)]
pub struct Model {
    pub(crate) body: &'static Body,
    pub(crate) links: Vec<Link>,
    /// The range of each joint.
    pub(crate) ranges: Vec<Range>,
    pub(crate) soles: Vec<Sole>,
}

/// A rigid part of a body.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name.
    pub name: &'static str,
    /// The link to which it is attached, which comes before it; `None` for the first link.
    pub parent: Option<usize>,
    /// Its frame in the parent's when the joint is at 0.
    pub origin: Isometry3<f64>,
    /// The axis of the joint, in the link's frame.
    pub axis: Unit<Vector3<f64>>,
    /// The joint that turns it, or the one that this joint follows; `None` if it is fixed.
    pub joint: Option<usize>,
    /// Radians per unit of the joint.
    pub scale: f64,
    /// Its mass, in kilograms; 0 if it is not known.
    pub mass: f64,
    /// The center of mass in the link's frame.
    pub center: Vector3<f64>,
    /// The inertia about the center of mass, in the link's frame, in kg·m².
    pub inertia: Matrix3<f64>,
    /// The rotation of the origin, then half a turn about the axis.
    turned: Quaternion<f64>,
}

/// The values that a joint may have.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    min: f64,
    max: f64,
    /// Limits that depend on another joint.
    shell: Vec<(usize, &'static ShellLimit)>,
}

/// A frame on a link: the end of a chain, a joint, or a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    pub(crate) link: usize,
    pub(crate) tool: Isometry3<f64>,
}

impl End {
    /// Returns its pose in the torso's frame, from the poses that [`Model::forward`] returned.
    pub fn pose(&self, links: &[Isometry3<f64>]) -> Isometry3<f64> {
        links.get(self.link).map_or(self.tool, |link| link * self.tool)
    }
}

/// Returns the isometry of a position, and rotations about the fixed axes x, then y, then z.
pub(crate) fn isometry(at: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(Vector3::from(at)), UnitQuaternion::from_euler_angles(roll, pitch, yaw))
}

impl Model {
    /// Prepares a body. A body without geometry has no links.
    pub fn new(body: &'static Body) -> Self {
        let leader = |joint: &str| {
            let coupling = body.couplings.iter().find(|c| c.joint == joint);
            body.joint_index(coupling.map_or(joint, |c| c.follows))
        };
        let all = body.geometry.links;
        let number = |name: &str| all.iter().position(|link| link.name == name);
        let links = all.iter().map(|link| {
            let mass = body.geometry.masses.iter().find(|mass| mass.link == link.name);
            let [xx, xy, xz, yy, yz, zz] = mass.map_or([0.0; 6], |mass| mass.inertia);
            let origin = isometry(link.at, link.turned);
            let axis = Unit::new_normalize(Vector3::from(link.axis));
            Link {
                name: link.name,
                parent: number(link.parent),
                origin,
                axis,
                turned: origin.rotation.into_inner() * Quaternion::from_imag(axis.into_inner()),
                joint: leader(link.joint),
                scale: link.scale,
                mass: mass.map_or(0.0, |mass| mass.mass),
                center: mass.map_or_else(Vector3::zeros, |mass| Vector3::from(mass.center)),
                inertia: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            }
        });
        let ranges = body.joints.iter().map(|joint| {
            let shell = body.shell_limits.iter().filter(|limit| limit.joint == joint.name);
            Range {
                min: joint.min,
                max: joint.max,
                shell: shell.filter_map(|limit| Some((leader(limit.by)?, limit))).collect(),
            }
        });
        let model = Self { body, links: links.collect(), ranges: ranges.collect(), soles: Vec::new() };
        let straight = model.forward(&vec![0.0; body.joints.len()]);
        model.with_soles(&straight)
    }

    /// Returns the body.
    pub fn body(&self) -> &'static Body {
        self.body
    }

    /// Returns the links, parents before their children.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the number of joints, which is that of the angles that calculations take.
    pub fn joints(&self) -> usize {
        self.body.joints.len()
    }

    /// Returns the pose of each link in the torso's frame.
    pub fn forward(&self, angles: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses = Vec::with_capacity(self.links.len());
        self.forward_into(angles, &mut poses);
        poses
    }

    /// Calculates the pose of each link in the torso's frame, without allocating anew.
    pub fn forward_into(&self, angles: &[f64], poses: &mut Vec<Isometry3<f64>>) {
        poses.clear();
        for link in &self.links {
            let local = link.local(angles);
            poses.push(link.parent.and_then(|parent| poses.get(parent)).map_or(local, |parent| parent * local));
        }
    }

    /// Returns the frame of this name: the end of a chain (`Head`, `LArm`, `RArm`, `LLeg`, `RLeg`; of a leg it is the
    /// sole), `Torso`, a joint, a link, or a sensor. `None` if the body has none.
    pub fn end(&self, name: &str) -> Option<End> {
        let link = |name: &str| self.links.iter().position(|link| link.name == name);
        let end = |link: usize| End { link, tool: Isometry3::identity() };
        if name == "Torso" {
            return (!self.links.is_empty()).then(|| end(0));
        }
        if let Some(sensor) = self.body.geometry.sensor(name) {
            return Some(End { link: link(sensor.link)?, tool: isometry(sensor.at, sensor.turned) });
        }
        let of_joint = |joint: &str| {
            let links = self.body.geometry.links;
            links.iter().position(|link| link.joint == joint && !joint.is_empty())
        };
        if let Some(link) = of_joint(name).or_else(|| link(name)) {
            return Some(end(link));
        }
        let chain = self.body.chains.iter().find(|chain| chain.name == name)?;
        let mut joints = chain.joints.iter().rev();
        let last = joints.find(|joint| self.body.joint(joint).is_some_and(|j| j.kind == JointKind::Angle))?;
        let last = of_joint(last)?;
        // An arm ends with its palm, which is fixed to the wrist.
        let palm = self.body.geometry.links.iter().position(|link| {
            let moves =
                self.body.geometry.links.iter().any(|child| child.parent == link.name && self.is_hand(child.joint));
            moves && link.joint.is_empty() && self.links.get(last).is_some_and(|last| last.name == link.parent)
        });
        let link = palm.unwrap_or(last);
        Some(End { link, tool: self.sole(link) })
    }

    fn is_hand(&self, joint: &str) -> bool {
        self.body.joint(joint).is_some_and(|joint| joint.kind == JointKind::Hand)
    }

    /// Returns the place of a link's sole under its origin; the origin if it has none.
    fn sole(&self, link: usize) -> Isometry3<f64> {
        self.soles.iter().find(|sole| sole.link == link).map_or_else(Isometry3::identity, |sole| sole.level)
    }

    /// Returns the numbers of the joints, with the motor that moves each, that turn the links from the torso to an end.
    pub fn joints_to(&self, end: &End) -> Vec<usize> {
        let mut joints: Vec<usize> =
            self.path(end.link).iter().filter_map(|link| self.links.get(*link)?.joint).collect();
        joints.dedup();
        joints
    }

    /// Returns the links from the torso to a link.
    pub(crate) fn path(&self, link: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(link), |at| self.links.get(*at).and_then(|link| link.parent)).collect();
        path.reverse();
        path
    }

    /// Returns the smallest and largest value of a joint for these angles of the others.
    pub(crate) fn range(&self, joint: usize, angles: &[f64]) -> (f64, f64) {
        let Some(range) = self.ranges.get(joint) else { return (f64::NEG_INFINITY, f64::INFINITY) };
        range.shell.iter().fold((range.min, range.max), |(min, max), (by, limit)| {
            let (low, high) = limit.at(angles.get(*by).copied().unwrap_or(0.0));
            (min.max(low), max.min(high))
        })
    }
}

impl Link {
    /// Returns its frame in the parent's.
    pub(crate) fn local(&self, angles: &[f64]) -> Isometry3<f64> {
        let Some(angle) = self.joint.and_then(|joint| angles.get(joint)) else { return self.origin };
        let (sin, cos) = (self.scale * angle / 2.0).sin_cos();
        // The product of the origin's rotation and that about the axis, whose part that does not change is `turned`.
        let rotation = self.origin.rotation.into_inner() * cos + self.turned * sin;
        Isometry3::from_parts(self.origin.translation, UnitQuaternion::new_unchecked(rotation))
    }
}
