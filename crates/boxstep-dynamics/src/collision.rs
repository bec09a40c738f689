//! Whether parts of a robot run into each other.
//!
//! Parts are the solids of the body's geometry, which is a little rounder than the robot: a box counts as the largest
//! capsule in it. Neighbours do not count, nor do parts that touch when all joints are at 0 or the robot stands awake.

use crate::Model;
use boxstep_bodies::Form;
use nalgebra::{Isometry3, Point3, Vector3};

/// Parts that overlap less than this do not count, in metres: the solids are not the robot's skin.
const SLIGHT: f64 = 0.01;
/// The part of the way to standing by which a joint is turned to see what helps, and the gain that counts, in metres.
const PART: f64 = 0.2;
const GAIN: f64 = 0.001;

/// Two parts of a robot overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The posture in which they overlap most, of those from the first on.
    pub deepest: usize,
    /// The first posture in which they overlap.
    pub first: usize,
    /// The links.
    pub links: [&'static str; 2],
    /// How far they overlap, in metres.
    pub depth: f64,
    /// The joint between them whose turn towards standing helps most.
    pub joint: Option<&'static str>,
}

/// The solids of a link.
#[derive(Debug)]
struct Part {
    link: usize,
    capsules: Vec<Capsule>,
    /// The middle of the capsules, and how far they reach from it.
    middle: Point3<f64>,
    reach: f64,
}

#[derive(Clone, Copy, Debug)]
struct Capsule {
    from: Point3<f64>,
    to: Point3<f64>,
    radius: f64,
}

/// Finds collisions of a body with itself.
#[derive(Debug)]
pub struct Collisions<'m> {
    model: &'m Model,
    parts: Vec<Part>,
    /// The parts that could collide.
    pairs: Vec<(usize, usize)>,
}

impl<'m> Collisions<'m> {
    /// Prepares a body. `None` if it is not known how thick its parts are.
    pub fn new(model: &'m Model) -> Option<Self> {
        if !model.body().is_known() {
            return None;
        }
        let links = model.body().geometry.links.iter().enumerate();
        let parts = links.filter(|(_, link)| !link.solids.is_empty()).map(|(link, geometry)| {
            let capsules: Vec<Capsule> = geometry.solids.iter().map(|solid| capsule(&solid.form)).collect();
            let ends = capsules.iter().flat_map(|capsule| [capsule.from.coords, capsule.to.coords]);
            let middle = Point3::from(ends.sum::<Vector3<f64>>() / (2.0 * capsules.len() as f64));
            let reach = |capsule: &Capsule| {
                [capsule.from, capsule.to]
                    .map(|end| (end - middle).norm() + capsule.radius)
                    .into_iter()
                    .fold(0.0, f64::max)
            };
            let reach = capsules.iter().map(reach).fold(0.0, f64::max);
            Part { link, capsules, middle, reach }
        });
        let mut all = Self { model, parts: parts.collect(), pairs: Vec::new() };
        let neutral = [vec![0.0; model.joints()], model.awake()].map(|angles| model.forward(&angles));
        let count = all.parts.len();
        let pairs =
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).filter(|(one, other)| {
                let is_apart = |links: &Vec<Isometry3<f64>>| all.depth(*one, *other, links) <= 0.0;
                !all.are_neighbours(*one, *other) && neutral.iter().all(is_apart)
            });
        all.pairs = pairs.collect();
        Some(all)
    }

    /// Returns whether one link carries the other, or whether there is one link between them.
    fn are_neighbours(&self, one: usize, other: usize) -> bool {
        let parent = |link: usize| self.model.links().get(link).and_then(|link| link.parent);
        let (one, other) = (self.parts[one].link, self.parts[other].link);
        let near = |link: usize| [parent(link), parent(link).and_then(parent)];
        near(one).contains(&Some(other))
            || near(other).contains(&Some(one))
            || parent(one).is_some() && parent(one) == parent(other)
    }

    /// Returns how far two parts overlap; negative if they are apart.
    fn depth(&self, one: usize, other: usize, links: &[Isometry3<f64>]) -> f64 {
        let (one, other) = (&self.parts[one], &self.parts[other]);
        let (Some(a), Some(b)) = (links.get(one.link), links.get(other.link)) else { return f64::NEG_INFINITY };
        let between = (a * one.middle - b * other.middle).norm() - one.reach - other.reach;
        if between > 0.0 {
            return -between;
        }
        let place = |capsule: &Capsule, at: &Isometry3<f64>| (at * capsule.from, at * capsule.to, capsule.radius);
        let pairs = one.capsules.iter().flat_map(|x| other.capsules.iter().map(move |y| (x, y)));
        let depths = pairs.map(|(x, y)| {
            let ((from, to, radius), (other_from, other_to, other_radius)) = (place(x, a), place(y, b));
            radius + other_radius - distance((from, to), (other_from, other_to))
        });
        depths.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the deepest collision in these postures; angles are those of all joints.
    pub fn over(&self, postures: &[Vec<f64>]) -> Option<Collision> {
        let mut links = Vec::new();
        // By pair: the first posture, and the deepest one with its depth.
        let mut found: Vec<Option<(usize, usize, f64)>> = vec![None; self.pairs.len()];
        for (at, posture) in postures.iter().enumerate() {
            self.model.forward_into(posture, &mut links);
            for ((one, other), found) in self.pairs.iter().zip(&mut found) {
                let depth = self.depth(*one, *other, &links);
                if depth > SLIGHT {
                    let (first, deepest, most) = found.unwrap_or((at, at, depth));
                    *found = Some(if depth > most { (first, at, depth) } else { (first, deepest, most) });
                }
            }
        }
        let found = self.pairs.iter().zip(found).filter_map(|(pair, found)| Some((*pair, found?)));
        let (pair, (first, deepest, depth)) = found.max_by(|a, b| a.1.2.total_cmp(&b.1.2))?;
        let name = |part: usize| self.model.links()[self.parts[part].link].name;
        let joint = self.joint(pair, postures.get(deepest)?, depth);
        Some(Collision { deepest, first, links: [name(pair.0), name(pair.1)], depth, joint })
    }

    /// Returns the joint between two parts whose turn towards standing makes them overlap least.
    fn joint(&self, (one, other): (usize, usize), posture: &[f64], depth: f64) -> Option<&'static str> {
        let awake = self.model.awake();
        let paths = [one, other].map(|part| self.model.path(self.parts[part].link));
        let joints = paths.iter().flatten().filter_map(|link| self.model.links().get(*link)?.joint);
        let gains = joints.filter_map(|joint| {
            let mut turned = posture.to_vec();
            let (angle, to) = (turned.get_mut(joint)?, awake.get(joint)?);
            *angle += PART * (to - *angle);
            Some((depth - self.depth(one, other, &self.model.forward(&turned)), joint))
        });
        let (_, joint) = gains.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(gain, _)| *gain > GAIN)?;
        Some(self.model.body().joints.get(joint)?.name)
    }
}

/// Returns a solid as a capsule; of a box the largest one that is inside.
fn capsule(form: &Form) -> Capsule {
    match *form {
        Form::Capsule(from, to, radius) => Capsule { from: from.into(), to: to.into(), radius },
        Form::Box(middle, size) => {
            let (longest, length) =
                size.iter().copied().enumerate().fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most });
            let radius = size.iter().copied().fold(f64::INFINITY, f64::min) / 2.0;
            let mut way = Vector3::zeros();
            way[longest] = length / 2.0 - radius;
            let middle = Point3::from(middle);
            Capsule { from: middle - way, to: middle + way, radius }
        }
    }
}

/// Returns the distance of two line segments (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.9).
fn distance((a, b): (Point3<f64>, Point3<f64>), (c, d): (Point3<f64>, Point3<f64>)) -> f64 {
    const POINT: f64 = 1e-12;
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, vv, uv, uw, vw) = (u.norm_squared(), v.norm_squared(), u.dot(&v), u.dot(&w), v.dot(&w));
    let (s, t) = if uu <= POINT {
        (0.0, if vv <= POINT { 0.0 } else { (vw / vv).clamp(0.0, 1.0) })
    } else if vv <= POINT {
        ((-uw / uu).clamp(0.0, 1.0), 0.0)
    } else {
        let parallel = uu * vv - uv * uv;
        let s = if parallel > POINT { ((uv * vw - uw * vv) / parallel).clamp(0.0, 1.0) } else { 0.0 };
        match (uv * s + vw) / vv {
            t if t < 0.0 => ((-uw / uu).clamp(0.0, 1.0), 0.0),
            t if t > 1.0 => (((uv - uw) / uu).clamp(0.0, 1.0), 1.0),
            t => (s, t),
        }
    };
    (w + u * s - v * t).norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_bodies::BodyKind;

    #[test]
    fn the_distance_of_segments_is_the_smallest_between_their_points() {
        let mut seed = 7_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        for round in 0..300 {
            let mut point = || Point3::new(number(), number(), number());
            let (a, b, c) = (point(), point(), point());
            // Some are parallel, and some are points.
            let d = match round % 3 {
                0 => c + (b - a) * 0.7,
                1 if round % 2 == 0 => c,
                _ => point(),
            };
            let at = |from: Point3<f64>, to: Point3<f64>, share: usize| from + (to - from) * (share as f64 / 200.0);
            let pairs = (0..=200).flat_map(|i| (0..=200).map(move |j| (i, j)));
            let least = pairs.map(|(i, j)| (at(a, b, i) - at(c, d, j)).norm()).fold(f64::INFINITY, f64::min);
            let found = distance((a, b), (c, d));
            assert!(found <= least + 1e-9 && found > least - 0.01, "{round}: {found} is not {least}");
        }
    }

    #[test]
    fn a_hand_in_the_thigh_is_a_collision_and_standing_is_none() {
        for kind in BodyKind::ALL {
            let model = Model::new(kind.body());
            let collisions = Collisions::new(&model).unwrap();
            for posture in kind.body().postures {
                let mut angles = model.awake();
                for (joint, angle) in posture.angles {
                    angles[kind.body().joint_index(joint).unwrap()] = *angle;
                }
                let found = collisions.over(&[angles]);
                assert!(found.is_none() || posture.name.starts_with("Lying"), "{kind} {}: {found:?}", posture.name);
            }
        }
        let model = Model::new(BodyKind::Nao.body());
        let mut into = model.awake();
        let mut set = |joint: &str, angle: f64| into[model.body().joint_index(joint).unwrap()] = angle;
        set("LShoulderPitch", 1.45);
        set("LShoulderRoll", -0.3);
        set("LElbowRoll", -0.04);
        let found = Collisions::new(&model).unwrap().over(&[model.awake(), into]).unwrap();
        assert_eq!((found.first, found.deepest), (1, 1));
        assert!(found.links.iter().any(|link| link.starts_with('L')), "{found:?}");
        assert!(found.joint.is_some_and(|joint| joint.starts_with('L')), "{found:?}");
    }
}
