//! Balance: whether a robot that moves so stays on its feet, and how near it is to tipping over.
//!
//! Assumptions: the floor is flat and level, whatever the robot stands on lies flat on it and does not move, and motors
//! follow their commands. The zero moment point is where the floor's force acts; the robot tips over an edge of the area
//! under its feet when this point would have to be outside. (M. Vukobratović, B. Borovac, "Zero-moment point", 2004.)
//! Of a slow motion it is the center of mass, straight down.

use crate::forces::{Forces, GRAVITY, Motion, RootMotion};
use crate::seat::{self, Chair, Held, SEAT};
use crate::support::{Ground, ON_FLOOR, heading, over_floor};
use crate::{Model, Polygon};
use boxstep_bodies::Form;
use nalgebra::{Isometry3, Point3, Rotation2, Vector2, Vector3};

/// A part counts as under the floor from this depth, in metres.
const UNDER_FLOOR: f64 = 0.01;
/// A foot that slides is at most this high, in metres.
const QUITE_ON_FLOOR: f64 = 0.001;
/// Slower than this nothing slides, in m/s.
const STILL: f64 = 1e-5;
/// Below this share of its weight on the floor a robot is not judged: it jumps, or is commanded faster than it can fall.
const LEAST_WEIGHT: f64 = 0.1;
/// Less than this is close to tipping over, in metres.
pub(crate) const CLOSE: f64 = 0.01;

/// What a robot stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stance {
    /// On these links, such as `LFoot`.
    On(Vec<&'static str>),
    /// On other parts: it sits, lies or kneels. Its balance is not judged.
    Off,
}

/// A direction from the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Forward.
    Forward,
    /// Backward.
    Backward,
    /// To its left.
    Left,
    /// To its right.
    Right,
}

impl Side {
    /// Returns its word: `forward`, `backward`, `to the left`, `to the right`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Left => "to the left",
            Self::Right => "to the right",
        }
    }

    fn of(direction: Vector2<f64>) -> Self {
        match direction.x.abs() >= direction.y.abs() {
            true if direction.x >= 0.0 => Self::Forward,
            true => Self::Backward,
            false if direction.y >= 0.0 => Self::Left,
            false => Self::Right,
        }
    }
}

/// The motor that works hardest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The joint.
    pub joint: &'static str,
    /// Its torque, in newton metres.
    pub torque: f64,
    /// The torque as a share of the motor's largest.
    pub share: f64,
}

/// The balance at an instant. Points on the floor are in the robot's frame: x to where the torso looks, y to its left,
/// under the torso.
#[derive(Clone, Debug, PartialEq)]
pub struct Instant {
    /// What the robot stands on.
    pub stance: Stance,
    /// The pose of the torso over the floor.
    pub torso: Isometry3<f64>,
    /// The center of mass, straight down.
    pub center: Vector2<f64>,
    /// The zero moment point.
    pub zmp: Vector2<f64>,
    /// The area under its feet.
    pub support: Polygon,
    /// How far the zero moment point is inside of the area, in metres, negative outside. `None` if the balance is not
    /// judged.
    pub margin: Option<f64>,
    /// The same for the center of mass: the margin if the robot stopped here.
    pub still: Option<f64>,
    /// To where it would tip over.
    pub side: Side,
    /// The motor that works hardest, as far as torques are known.
    pub load: Option<Load>,
    /// The speed at which one foot on the floor moves or turns relative to the other, m/s.
    pub slide: f64,
}

/// The balance of a robot that moves.
#[derive(Debug)]
pub struct Balance<'m> {
    model: &'m Model,
    mass: f64,
    /// The links from the torso to each sole.
    paths: Vec<Vec<usize>>,
    /// The hip and the knee of each leg.
    legs: Vec<(usize, usize)>,
    /// What could touch the floor besides the soles.
    touching: Vec<Touching>,
    /// The number of corners of all soles.
    corners: usize,
    /// The joints whose largest torque is known, with the reciprocal of that.
    motors: Vec<(usize, f64)>,
}

/// The solids of a link: the ends of capsules with their radii, and the corners of boxes.
#[derive(Debug)]
struct Touching {
    link: usize,
    /// Whether a robot can sit on it: it is the torso, or between that and a knee.
    seat: bool,
    /// How far they reach from the link's origin, in metres.
    reach: f64,
    points: Vec<(Point3<f64>, f64)>,
}

/// Poses at an instant: of the links in the torso's frame.
type Poses = Vec<Isometry3<f64>>;

impl<'m> Balance<'m> {
    /// Prepares a body. `None` if its masses, or what it stands on, are not known.
    pub fn new(model: &'m Model) -> Option<Self> {
        if model.soles.is_empty() || model.mass() == 0.0 {
            return None;
        }
        let paths: Vec<_> = model.soles.iter().map(|sole| model.path(sole.link)).collect();
        let legs: Vec<(usize, usize)> = paths.iter().filter_map(|path| seat::leg(model, path, &paths)).collect();
        let down_to = |knee: usize| model.path(knee).into_iter().filter(move |link| *link != knee);
        let seats: Vec<usize> = legs.iter().flat_map(|(_, knee)| down_to(*knee)).collect();
        let near = |link: usize| {
            model.soles.iter().any(|sole| link == sole.link || model.links[sole.link].parent == Some(link))
        };
        let solids = model.body.geometry.links.iter().enumerate().filter(|(link, _)| !near(*link));
        let touching = solids.filter(|(_, link)| !link.solids.is_empty()).map(|(link, geometry)| {
            let points = geometry.solids.iter().flat_map(|solid| match solid.form {
                // How thick the links of other bodies are is not known: their rods only draw them.
                _ if !model.body.is_known() => vec![(Point3::origin(), 0.0)],
                Form::Capsule(from, to, radius) => vec![(Point3::from(from), radius), (Point3::from(to), radius)],
                Form::Box(middle, size) => corners(middle, size).map(|corner| (corner, 0.0)).collect(),
            });
            let points: Vec<(Point3<f64>, f64)> = points.collect();
            let reach = points.iter().map(|(point, radius)| point.coords.norm() + radius).fold(0.0, f64::max);
            Touching { link, seat: seats.contains(&link), reach, points }
        });
        let motors = model.body.joints.iter().enumerate().filter(|(_, joint)| joint.max_torque.is_finite());
        let motors = motors.map(|(number, joint)| (number, 1.0 / joint.max_torque));
        let corners = model.soles.iter().map(|sole| sole.corners.len()).sum();
        Some(Self {
            model,
            mass: model.mass(),
            paths,
            legs,
            touching: touching.collect(),
            corners,
            motors: motors.collect(),
        })
    }

    /// Returns the body's model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Returns the names of the links at the hip and the knee of each leg. A robot that sits has a hip lower than 1.35
    /// times the height of its knee.
    pub fn legs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.legs.iter().map(|(hip, knee)| (self.model.links[*hip].name, self.model.links[*knee].name))
    }

    /// Returns the soles: the link, the frame of the floor in the link's when it is flat on it, and the corners.
    pub fn soles(&self) -> impl Iterator<Item = (&'static str, &Isometry3<f64>, &[Point3<f64>])> {
        self.model.soles.iter().map(|sole| (self.model.links[sole.link].name, &sole.level, &*sole.corners))
    }

    /// Returns what could touch the floor besides the soles: links, with points in their frames and their radii.
    pub fn touching(&self) -> impl Iterator<Item = (&'static str, &[(Point3<f64>, f64)])> {
        self.touching.iter().map(|part| (self.model.links[part.link].name, &*part.points))
    }

    /// Returns how the robot would rest in any position, with links at these poses in the torso's frame and the torso
    /// at a pose: the height of its lowest point, and how far its center of mass is inside the area around the points
    /// that are not higher than this by more than 5 mm, both in metres. The distance is −∞ if they have no area.
    pub fn resting(&self, links: &[Isometry3<f64>], torso: &Isometry3<f64>) -> (f64, f64) {
        let parts = self.touching.iter();
        let solids = parts.flat_map(|part| part.points.iter().map(|(point, radius)| (part.link, *point, *radius)));
        let soles = self.model.soles.iter();
        let corners = soles.flat_map(|sole| sole.corners.iter().map(|corner| (sole.link, *corner, 0.0)));
        let points = solids.chain(corners).filter_map(|(link, point, radius)| {
            let at = torso * links.get(link)? * point;
            Some((at.coords.xy(), at.z - radius))
        });
        let points: Vec<(Vector2<f64>, f64)> = points.collect();
        let lowest = points.iter().map(|(_, height)| *height).fold(f64::INFINITY, f64::min);
        let touching = points.iter().filter(|(_, height)| *height < lowest + ON_FLOOR).map(|(at, _)| *at);
        let center =
            self.model.center_of_mass(links).map_or_else(Point3::origin, |center| torso * Point3::from(center));
        let margin = Polygon::around(touching.collect()).margin(center.coords.xy());
        (lowest, margin.map_or(f64::NEG_INFINITY, |(margin, _)| margin))
    }

    /// Returns the balance at each of these postures, which follow each other every `step` seconds. Angles are those of
    /// all joints. A robot whose hips are low sits if a part of it between torso and knees is on the floor, before or
    /// after that, as long as they are low; or if the first posture has low hips and nobody can stand in it.
    pub fn over(&self, postures: &[Vec<f64>], step: f64) -> Vec<Instant> {
        self.each(postures, step, Chair::Possible, |_| ())
    }

    /// Returns the balance as [`Balance::over`] does, and the torques of all joints at each posture, in newton metres; no
    /// torques where the robot does not stand on one or two feet.
    pub fn over_with_torques(&self, postures: &[Vec<f64>], step: f64) -> (Vec<Instant>, Vec<Vec<f64>>) {
        let mut torques = Vec::with_capacity(postures.len());
        let instants = self.each(postures, step, Chair::Possible, |all| torques.push(all.to_vec()));
        for (instant, torques) in instants.iter().zip(&mut torques) {
            if instant.stance == Stance::Off {
                torques.clear();
            }
        }
        (instants, torques)
    }

    /// Returns the number of each joint whose largest torque is known, with that, in newton metres.
    pub fn motors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.motors.iter().map(|(joint, per_torque)| (*joint, 1.0 / per_torque))
    }

    fn each(&self, postures: &[Vec<f64>], step: f64, chair: Chair, mut torques: impl FnMut(&[f64])) -> Vec<Instant> {
        let Some(first) = postures.first() else { return Vec::new() };
        let mut work = Work::default();
        let mut floors = Floors::default();
        let [mut before, mut now, mut after] = [self.model.forward(first), self.model.forward(first), Poses::new()];
        let mut instants = Vec::with_capacity(postures.len());
        let mut held = Vec::with_capacity(postures.len());
        for (at, posture) in postures.iter().enumerate() {
            let next = postures.get(at + 1).unwrap_or(posture);
            let last = at.checked_sub(1).and_then(|at| postures.get(at)).unwrap_or(posture);
            self.model.forward_into(next, &mut after);
            let three = Three { angles: [last, posture, next], links: [&before, &now, &after], step };
            floors.follow(self.model, &three);
            held.push(self.held(&now, &floors.torso[1]));
            let stands = held.last() != Some(&Held::Otherwise);
            instants.push(self.instant(&three, &floors, stands, &mut work));
            torques(&work.torques);
            std::mem::swap(&mut before, &mut now);
            std::mem::swap(&mut now, &mut after);
        }
        seat::sit(&mut instants, &held, chair);
        instants
    }

    /// Returns the balance of a robot that stands still.
    pub fn at_rest(&self, posture: &[f64]) -> Option<Instant> {
        self.over(&[posture.to_vec()], 1.0).pop()
    }

    /// Returns the balance of a robot that stands still, and has come there from where it stood: it is not on a chair.
    pub(crate) fn still_on_feet(&self, posture: &[f64]) -> Option<Instant> {
        self.on_feet(&[posture.to_vec()], 1.0).pop()
    }

    /// Returns the balance as [`Balance::over`] does, of a robot that does not begin on a chair.
    pub(crate) fn on_feet(&self, postures: &[Vec<f64>], step: f64) -> Vec<Instant> {
        self.each(postures, step, Chair::None, |_| ())
    }

    fn instant(&self, three: &Three<'_>, floors: &Floors, stands: bool, work: &mut Work) -> Instant {
        let [_, links, _] = three.links;
        // The torso's poses over the floor, which does not move.
        let [before, now, after] = &floors.torso;
        let root = RootMotion::between(before, now, after, three.step);
        three.rates(&mut work.velocities, &mut work.accelerations);
        // Forces are calculated in the torso's frame, in which the links are.
        let own = |vector: Vector3<f64>| now.rotation.inverse_transform_vector(&vector);
        let torso = RootMotion {
            acceleration: own(root.acceleration + Vector3::new(0.0, 0.0, GRAVITY)),
            turning: own(root.turning),
            turning_faster: own(root.turning_faster),
        };
        let (velocities, accelerations) = (&*work.velocities, &*work.accelerations);
        self.model.forces_in(&Motion { links, velocities, accelerations, torso }, &mut work.forces);
        let needed = work.forces.support();
        let [force, moment] = [needed.force, needed.moment].map(|vector| now.rotation * vector);
        // The point about which the floor's force has no moment but that about the vertical axis. There is none if the
        // robot falls freely.
        let moment = moment + now.translation.vector.cross(&force);
        let carries = force.z > LEAST_WEIGHT * GRAVITY * self.mass;
        let zmp = Vector2::new(-moment.y, moment.x) / if carries { force.z } else { f64::INFINITY };
        let center = (now * Point3::from(work.forces.first_moment / self.mass)).coords.xy();
        let heading = heading(now);
        let turn = Rotation2::new(-heading);
        let under = now.translation.vector.xy();
        let local = |point: Vector2<f64>| turn * (point - under);
        let mut on = Vec::with_capacity(self.model.soles.len());
        let mut points = Vec::with_capacity(self.corners);
        for (number, sole) in self.model.soles.iter().enumerate() {
            let pose = now * links[sole.link];
            let before = points.len();
            let down = sole.corners.iter().map(|corner| pose * corner).filter(|corner| corner.z <= ON_FLOOR);
            points.extend(down.map(|corner| local(corner.coords.xy())));
            if points.len() > before {
                on.push(number);
            }
        }
        let support = Polygon::around(points);
        let stands = carries && stands;
        work.torques.clear();
        if stands && self.load(links, now, &mut work.forces, &on, zmp) {
            self.model.torques_into(&work.forces, &mut work.torques);
        }
        let (center, zmp) = (local(center), local(zmp));
        let (margin, out) = support.margin(zmp).unzip();
        Instant {
            torso: over_floor(now, heading),
            center,
            zmp,
            margin: margin.filter(|_| stands),
            still: support.margin(center).map(|(margin, _)| margin).filter(|_| stands),
            support,
            side: Side::of(out.unwrap_or(Vector2::x())),
            load: self.hardest(&work.torques),
            slide: self.slide(three, floors.ground, &on),
            stance: match stands {
                true => Stance::On(on.iter().map(|sole| self.model.links[self.model.soles[*sole].link].name).collect()),
                false => Stance::Off,
            },
        }
    }

    /// Returns what holds the robot up, apart from a chair.
    fn held(&self, links: &[Isometry3<f64>], torso: &Isometry3<f64>) -> Held {
        // Up in the torso's frame: the height of a point is its share of it.
        let up = torso.rotation.inverse_transform_vector(&Vector3::z());
        let height = |point: &Vector3<f64>| up.dot(point) + torso.translation.z;
        let origin = |link: usize| links.get(link).map_or(0.0, |pose| height(&pose.translation.vector));
        let hips = Held::by_hips(self.legs.iter().map(|(hip, knee)| (origin(*hip), origin(*knee))));
        let is_over = |part: &Touching| {
            let Some(pose) = links.get(part.link) else { return true };
            let least = if part.seat && hips != Held::Upright { SEAT } else { -UNDER_FLOOR };
            height(&pose.translation.vector) - part.reach >= least
                || part.points.iter().all(|(point, radius)| height(&(pose * point).coords) - radius >= least)
        };
        if self.touching.iter().all(is_over) { hips } else { Held::Otherwise }
    }

    /// Lets the floor carry the robot: takes what it gives from the joints between it and the torso. Two feet share the
    /// force as the zero moment point lies between them; how more of them share it is not known. Poses and forces are in
    /// the torso's frame, the zero moment point is on the floor.
    fn load(
        &self,
        links: &[Isometry3<f64>],
        torso: &Isometry3<f64>,
        forces: &mut Forces,
        on: &[usize],
        zmp: Vector2<f64>,
    ) -> bool {
        let needed = forces.support();
        let up = torso.rotation.inverse_transform_vector(&Vector3::z());
        let in_torso = |at: Vector2<f64>| torso.inverse_transform_point(&Point3::new(at.x, at.y, 0.0)).coords;
        let middle = |sole: usize| {
            let sole = &self.model.soles[sole];
            (torso * (links[sole.link] * sole.middle)).coords.xy()
        };
        let about_up = (needed.moment - in_torso(zmp).cross(&needed.force)).dot(&up);
        let shares = match *on {
            [one, other] => {
                let (a, b) = (middle(one), middle(other));
                let way = b - a;
                let share = ((zmp - a).dot(&way) / way.norm_squared().max(1e-12)).clamp(0.0, 1.0);
                let beside = zmp - (a + way * share);
                [Some((one, 1.0 - share, a + beside)), Some((other, share, b + beside))]
            }
            [one] => [Some((one, 1.0, zmp)), None],
            _ => return false,
        };
        for (sole, share, at) in shares.into_iter().flatten() {
            let (force, at) = (needed.force * share, in_torso(at));
            for link in self.paths.get(sole).into_iter().flatten().skip(1) {
                let Some(here) = links.get(*link).map(|pose| pose.translation.vector) else { continue };
                if let Some(wrench) = forces.wrenches.get_mut(*link) {
                    wrench.force -= force;
                    wrench.moment -= (at - here).cross(&force) + up * (about_up * share);
                }
            }
        }
        true
    }

    fn hardest(&self, torques: &[f64]) -> Option<Load> {
        let mut hardest: Option<(usize, f64)> = None;
        for (joint, per_torque) in &self.motors {
            let share = torques.get(*joint)?.abs() * per_torque;
            if hardest.is_none_or(|(_, most)| share >= most) {
                hardest = Some((*joint, share));
            }
        }
        let (joint, share) = hardest?;
        Some(Load { joint: self.model.body.joints.get(joint)?.name, torque: *torques.get(joint)?, share })
    }

    /// Returns the speed of one of two feet relative to the other, as long as both are quite on the floor: as one of them
    /// sees the other's origin move, whichever sees less, or as fast as a corner moves if a foot turns.
    fn slide(&self, three: &Three<'_>, ground: Ground, on: &[usize]) -> f64 {
        let &[one, other] = on else { return 0.0 };
        let feet = |links: &Poses| {
            let [a, b] = [one, other].map(|sole| links[self.model.soles[sole].link]);
            a.inv_mul(&b)
        };
        let [before, after] = [feet(three.links[0]), feet(three.links[2])];
        let way =
            |from: &Isometry3<f64>, to: &Isometry3<f64>| (to.translation.vector - from.translation.vector).xy().norm();
        let way = way(&before, &after).min(way(&before.inverse(), &after.inverse()));
        let up = self.model.soles[one].level.rotation * Vector3::z();
        // Of a small turn the imaginary part is half the angle times the axis.
        let turned = 2.0 * (before.rotation.inverse() * after.rotation).imag().dot(&up).abs();
        let speed = way.max(turned * self.model.soles[other].reach) / (2.0 * three.step);
        let down = |links: &Poses| {
            let floor = self.model.floor(links, ground);
            [one, other].iter().all(|sole| self.model.height(*sole, links, &floor) < QUITE_ON_FLOOR)
        };
        if speed > STILL && three.links.iter().all(|links| down(links)) { speed } else { 0.0 }
    }
}

/// The corners of a box.
fn corners(middle: [f64; 3], size: [f64; 3]) -> impl Iterator<Item = Point3<f64>> {
    (0..8).map(move |corner| {
        let [x, y, z] = [0, 1, 2].map(|i| middle[i] + size[i] * if corner & (1 << i) == 0 { -0.5 } else { 0.5 });
        Point3::new(x, y, z)
    })
}

/// Three postures that follow each other.
struct Three<'a> {
    angles: [&'a [f64]; 3],
    links: [&'a Poses; 3],
    step: f64,
}

impl Three<'_> {
    fn rates(&self, velocities: &mut Vec<f64>, accelerations: &mut Vec<f64>) {
        let [before, now, after] = self.angles;
        let [twice, squared] = [1.0 / (2.0 * self.step), 1.0 / (self.step * self.step)];
        velocities.resize(now.len(), 0.0);
        accelerations.resize(now.len(), 0.0);
        let rates = velocities.iter_mut().zip(accelerations);
        for ((velocity, acceleration), ((a, b), c)) in rates.zip(before.iter().zip(now).zip(after)) {
            *velocity = (c - a) * twice;
            *acceleration = (a - 2.0 * b + c) * squared;
        }
    }
}

/// Memory that is used again for each instant.
#[derive(Default)]
struct Work {
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
    forces: Forces,
    torques: Vec<f64>,
}

/// The poses of the torso over the floor on which the robot lies flat at the middle one of three postures.
struct Floors {
    ground: Ground,
    torso: [Isometry3<f64>; 3],
    is_known: bool,
}

impl Default for Floors {
    fn default() -> Self {
        Self { ground: Ground::Sole(0), torso: [Isometry3::identity(); 3], is_known: false }
    }
}

impl Floors {
    /// Goes on to three postures of which the first two were the last two before. As long as the robot stands on the
    /// same soles, their poses are known.
    fn follow(&mut self, model: &Model, three: &Three<'_>) {
        let ground = model.stance(three.links[1]);
        let over = |links: &Poses| model.floor(links, ground).inverse();
        let [before, now, after] = three.links;
        self.torso = match self.is_known && ground == self.ground {
            true => [self.torso[1], self.torso[2], over(after)],
            false => [over(before), over(now), over(after)],
        };
        (self.ground, self.is_known) = (ground, true);
    }
}

impl Instant {
    /// Returns whether the robot is closer than 10 mm to tipping over.
    pub fn is_close(&self) -> bool {
        self.margin.is_some_and(|margin| margin < CLOSE)
    }
}
