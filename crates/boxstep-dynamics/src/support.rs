//! What a robot stands on: its soles, and the area under them.

use crate::Model;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector2, Vector3};

/// A foot counts as on the floor up to this height, in metres.
const ON_FLOOR: f64 = 0.005;

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

    /// Returns how far a point is inside of the border, in metres, negative if it is outside, and the direction from
    /// the inside over the nearest edge. `None` if the area has no inside.
    pub fn margin(&self, point: Vector2<f64>) -> Option<(f64, Vector2<f64>)> {
        if self.corners.len() < 3 {
            return None;
        }
        let next = self.corners.iter().cycle().skip(1);
        let edges = self.corners.iter().zip(next).filter_map(|(a, b)| {
            let along = (b - a).try_normalize(1e-12)?;
            let out = Vector2::new(along.y, -along.x);
            let beyond = out.dot(&(point - a));
            // Outside of a corner the distance is that to the corner.
            let share = (point - a).dot(&along).clamp(0.0, (b - a).norm());
            let to = point - (a + along * share);
            Some((beyond, if beyond > 0.0 { to.norm() } else { beyond }, out))
        });
        let edges: Vec<_> = edges.collect();
        let outside = edges.iter().filter(|edge| edge.0 > 0.0).min_by(|a, b| a.1.total_cmp(&b.1));
        let nearest = outside.or_else(|| edges.iter().max_by(|a, b| a.0.total_cmp(&b.0)));
        nearest.map(|(_, distance, out)| (-distance, *out))
    }
}

impl Model {
    /// Returns the corners of a sole, given the poses of the links.
    pub(crate) fn corners_of<'a>(
        &'a self,
        sole: usize,
        links: &'a [Isometry3<f64>],
    ) -> impl Iterator<Item = Point3<f64>> + 'a {
        let (link, sole) = self.soles[sole];
        sole.outline.iter().map(move |corner| links[link] * Point3::from(*corner))
    }

    /// Returns the height of a link over its sole.
    pub(crate) fn height(&self, sole: usize) -> f64 {
        self.soles.get(sole).and_then(|(_, sole)| sole.outline.first()).map_or(0.0, |corner| -corner[2])
    }

    /// Returns the sole that lies on the floor, and all that are there with it. A foot that stood there before stays.
    pub(crate) fn stance(&self, links: &[Isometry3<f64>], standing: Option<usize>) -> (usize, Vec<usize>) {
        let count = self.soles.len();
        // How far the lowest corner of another sole is from the floor, if this one lies flat on it.
        let gap = |sole: usize, other: usize| {
            let flat = links[self.soles[sole].0].inverse();
            let heights = self.corners_of(other, links).map(|corner| (flat * corner).z + self.height(sole));
            heights.fold(f64::INFINITY, f64::min)
        };
        let lowest =
            |sole: usize| (0..count).filter(|other| *other != sole).map(|other| gap(sole, other)).fold(0.0, f64::min);
        let kept = standing.filter(|sole| lowest(*sole) >= -ON_FLOOR);
        let sole = kept
            .unwrap_or_else(|| (0..count).max_by(|a, b| lowest(*a).total_cmp(&lowest(*b)).then(b.cmp(a))).unwrap_or(0));
        let on = (0..count).filter(|other| *other == sole || gap(sole, *other) <= ON_FLOOR).collect();
        (sole, on)
    }

    /// Returns the pose of the torso over the floor, if the sole that is lowest lies flat on it: the origin is on the
    /// floor under the torso, and x is where the torso looks. `None` if the body has no soles.
    pub fn torso_over_floor(&self, links: &[Isometry3<f64>]) -> Option<Isometry3<f64>> {
        if self.soles.is_empty() {
            return None;
        }
        let (sole, _) = self.stance(links, None);
        let (link, _) = self.soles.get(sole)?;
        Some(over_floor(&links.get(*link)?.inverse(), self.height(sole)))
    }
}

/// Returns where the torso looks, as an angle about the vertical axis.
pub(crate) fn heading(torso: &Isometry3<f64>) -> f64 {
    let ahead = torso.rotation * Vector3::x();
    ahead.y.atan2(ahead.x)
}

/// Moves the pose of the torso in the frame of a foot to the floor under the torso; the foot is this high over it.
pub(crate) fn over_floor(torso: &Isometry3<f64>, height: f64) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -heading(torso));
    Isometry3::from_parts(Translation3::new(0.0, 0.0, torso.translation.z + height), turn * torso.rotation)
}
