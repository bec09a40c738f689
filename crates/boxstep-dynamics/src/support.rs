//! What a robot stands on: its soles, and the area under them.

use crate::Model;
use crate::facet::Facet;
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector2, Vector3};

/// A corner of a sole counts as on the floor up to this height, in metres.
pub(crate) const ON_FLOOR: f64 = 0.005;

/// A convex area on the floor: its corners, counter-clockwise from above, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    corners: Vec<Vector2<f64>>,
}

impl Polygon {
    /// Returns the smallest convex area that contains these points (Andrew's monotone chain).
    pub fn around(mut points: Vec<Vector2<f64>>) -> Self {
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        let mut corners: Vec<Vector2<f64>> = Vec::with_capacity(points.len() + 1);
        let half = |corners: &mut Vec<Vector2<f64>>, points: &mut dyn Iterator<Item = Vector2<f64>>| {
            let kept = corners.len();
            for point in points {
                while let [.., a, b] = corners[kept..] {
                    if (b - a).perp(&(point - b)) > 0.0 {
                        break;
                    }
                    corners.pop();
                }
                corners.push(point);
            }
            corners.pop();
        };
        half(&mut corners, &mut points.iter().copied());
        half(&mut corners, &mut points.iter().rev().copied());
        Self { corners }
    }

    /// Returns the corners.
    pub fn corners(&self) -> &[Vector2<f64>] {
        &self.corners
    }

    /// Returns the middle of the corners.
    pub(crate) fn middle(&self) -> Vector2<f64> {
        self.corners.iter().sum::<Vector2<f64>>() / self.corners.len().max(1) as f64
    }

    /// Returns the place on the border that is nearest to a point. `None` if there are no corners.
    pub(crate) fn nearest(&self, point: Vector2<f64>) -> Option<Vector2<f64>> {
        let next = self.corners.iter().cycle().skip(1);
        let places = self.corners.iter().zip(next).map(|(a, b)| {
            let edge = b - a;
            let share = (point - a).dot(&edge) / edge.norm_squared().max(1e-24);
            a + edge * share.clamp(0.0, 1.0)
        });
        places.min_by(|a, b| (point - a).norm().total_cmp(&(point - b).norm()))
    }

    /// Returns how far a point is inside of the border, in metres, negative if it is outside, and the direction from
    /// the inside over the nearest edge. `None` if the area has no inside.
    pub fn margin(&self, point: Vector2<f64>) -> Option<(f64, Vector2<f64>)> {
        if self.corners.len() < 3 {
            return None;
        }
        // The nearest edge that the point is beyond, by its distance, and that which it is nearest to be beyond.
        let mut outside: Option<(f64, Vector2<f64>)> = None;
        let mut inside: Option<(f64, Vector2<f64>)> = None;
        let next = self.corners.iter().cycle().skip(1);
        for (a, b) in self.corners.iter().zip(next) {
            let edge = b - a;
            let length = edge.norm();
            if length < 1e-12 {
                continue;
            }
            let along = edge / length;
            let (out, way) = (Vector2::new(along.y, -along.x), point - a);
            let beyond = out.dot(&way);
            if beyond > 0.0 {
                // Outside of a corner the distance is that to the corner.
                let distance = (way - along * way.dot(&along).clamp(0.0, length)).norm();
                if outside.is_none_or(|(nearest, _)| distance < nearest) {
                    outside = Some((distance, out));
                }
            } else if inside.is_none_or(|(nearest, _)| beyond >= nearest) {
                inside = Some((beyond, out));
            }
        }
        outside.or(inside).map(|(distance, out)| (-distance, out))
    }
}

/// A flat part on which the robot stands.
#[derive(Clone, Debug)]
pub(crate) struct Sole {
    pub(crate) link: usize,
    /// The frame in which it is level, in the link's frame: z is up when all joints are at 0, and 0 is the floor.
    pub(crate) level: Isometry3<f64>,
    /// In the link's frame.
    pub(crate) corners: Vec<Point3<f64>>,
    /// The middle of the corners.
    pub(crate) middle: Point3<f64>,
    /// How far the corners are from their middle, at most, in metres.
    pub(crate) reach: f64,
}

/// What lies flat on the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// This sole.
    Sole(usize),
    /// Two soles that are nearly parallel: the floor is inclined as both are on average.
    Between(usize, usize),
    /// A facet of the hull of two soles that are not in one plane.
    Facet(Facet),
}

impl Model {
    /// Prepares the soles of a body whose links have these poses when all joints are at 0.
    pub(crate) fn with_soles(mut self, straight: &[Isometry3<f64>]) -> Self {
        let number = |name: &str| self.links.iter().position(|link| link.name == name);
        let soles = self.body.geometry.soles.iter().filter_map(|sole| {
            let link = number(sole.link)?;
            let turned = straight.get(link)?.rotation.inverse();
            let corners: Vec<Point3<f64>> = sole.outline.iter().map(|corner| Point3::from(*corner)).collect();
            let lowest = corners.iter().map(|corner| (turned.inverse() * corner).z).fold(f64::INFINITY, f64::min);
            let level = Isometry3::from_parts(Translation3::identity(), turned) * Translation3::new(0.0, 0.0, lowest);
            let sum: Vector3<f64> = corners.iter().map(|corner| corner.coords).sum();
            let middle = Point3::from(sum / corners.len().max(1) as f64);
            let reach = corners.iter().map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
            Some(Sole { link, level, corners, middle, reach })
        });
        self.soles = soles.collect();
        self
    }

    /// Returns the corners of a sole, given the poses of the links.
    pub(crate) fn corners_of<'a>(
        &'a self,
        sole: usize,
        links: &'a [Isometry3<f64>],
    ) -> impl Iterator<Item = Point3<f64>> + 'a {
        let sole = &self.soles[sole];
        sole.corners.iter().map(move |corner| links[sole.link] * corner)
    }

    /// Returns the frame of the floor in that of the links: its z is up, and 0 is the floor.
    pub(crate) fn floor(&self, links: &[Isometry3<f64>], ground: Ground) -> Isometry3<f64> {
        match ground {
            Ground::Sole(sole) => links[self.soles[sole].link] * self.soles[sole].level,
            Ground::Between(one, other) => {
                let [a, b] = [one, other].map(|sole| self.floor(links, Ground::Sole(sole)));
                let middle = halfway(&a, &b);
                let lowest = [one, other].map(|sole| self.height(sole, links, &middle));
                middle * Translation3::new(0.0, 0.0, lowest[0].min(lowest[1]))
            }
            Ground::Facet(facet) => self.level(facet, &self.floor(links, Ground::Between(0, 1)), links),
        }
    }

    /// Returns how high the lowest corner of a sole is over a floor.
    pub(crate) fn height(&self, sole: usize, links: &[Isometry3<f64>], floor: &Isometry3<f64>) -> f64 {
        let sole = &self.soles[sole];
        let over = floor.inv_mul(&links[sole.link]);
        let up = over.rotation.inverse_transform_vector(&Vector3::z());
        let heights = sole.corners.iter().map(|corner| up.dot(&corner.coords));
        // Not `f64::min`, which treats what is not a number separately.
        over.translation.z + heights.fold(f64::INFINITY, |least, height| if height < least { height } else { least })
    }

    /// Returns what is on the floor. If both of two feet are there, neither has precedence.
    pub(crate) fn stance(&self, links: &[Isometry3<f64>]) -> Ground {
        // How high the lowest corner of a sole is if another one lies flat on the floor.
        let height = |sole: usize, flat: usize| self.height(sole, links, &self.floor(links, Ground::Sole(flat)));
        let count = self.soles.len();
        if count == 2 {
            return match (height(1, 0) > ON_FLOOR, height(0, 1) > ON_FLOOR) {
                (true, false) => Ground::Sole(0),
                (false, true) => Ground::Sole(1),
                _ if self.are_parallel(0, 1, links) => Ground::Between(0, 1),
                _ => self.facet(links).map_or(Ground::Between(0, 1), Ground::Facet),
            };
        }
        let lowest = |flat: usize| {
            let others = (0..count).filter(|sole| *sole != flat);
            others.map(|sole| height(sole, flat)).fold(0.0, f64::min)
        };
        let all = (0..count).map(|sole| (sole, lowest(sole)));
        let best = all.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        Ground::Sole(best.map_or(0, |(sole, _)| sole))
    }

    /// Returns whether two soles are so nearly parallel that all corners of both are on any floor that both are on.
    fn are_parallel(&self, one: usize, other: usize, links: &[Isometry3<f64>]) -> bool {
        let up = |sole: usize| links[self.soles[sole].link].rotation * (self.soles[sole].level.rotation * Vector3::z());
        // Of a small angle the chord is the angle. One sole may be flat, and the other inclined by all of it.
        let reach = self.soles[one].reach.max(self.soles[other].reach);
        let chord = (up(one) - up(other)).norm();
        2.0 * reach * chord <= ON_FLOOR
    }

    /// Returns the pose of the torso over the floor, if the lowest soles lie flat on it: the origin is on the
    /// floor under the torso, and x is where the torso looks. `None` if the body has no soles.
    pub fn torso_over_floor(&self, links: &[Isometry3<f64>]) -> Option<Isometry3<f64>> {
        let stands = !self.soles.is_empty();
        stands.then(|| {
            let torso = self.floor(links, self.stance(links)).inverse();
            over_floor(&torso, heading(&torso))
        })
    }
}

/// Returns the frame in the middle of two.
fn halfway(a: &Isometry3<f64>, b: &Isometry3<f64>) -> Isometry3<f64> {
    let (p, q) = (a.rotation.coords, b.rotation.coords);
    // The sum of two rotations, on the shorter way.
    let sum = if p.dot(&q) < 0.0 { p - q } else { p + q };
    let middle = (a.translation.vector + b.translation.vector) / 2.0;
    Isometry3::from_parts(middle.into(), UnitQuaternion::new_normalize(Quaternion::from(sum)))
}

/// Returns where the torso looks, as an angle about the vertical axis.
pub(crate) fn heading(torso: &Isometry3<f64>) -> f64 {
    let ahead = torso.rotation * Vector3::x();
    ahead.y.atan2(ahead.x)
}

/// Moves the pose of the torso over a floor to the place under the torso, turned to where it looks ([`heading`]).
pub(crate) fn over_floor(torso: &Isometry3<f64>, heading: f64) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -heading);
    Isometry3::from_parts(Translation3::new(0.0, 0.0, torso.translation.z), turn * torso.rotation)
}
