//! The solids of the surroundings at one time, and where a ray hits them.

use super::{Room, Surroundings, Vec3};

/// The form of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Ball {
        center: Vec3,
        radius: f64,
    },
    /// An upright cylinder, open at both ends.
    Pillar {
        center: Vec3,
        radius: f64,
        half_height: f64,
    },
    /// An upright rectangle: its middle, and half its width along a level direction.
    Panel {
        center: Vec3,
        along: [f64; 2],
        half: [f64; 2],
    },
    /// A box turned about the vertical: its middle, half its lengths, cosine and sine.
    Block {
        center: Vec3,
        half: Vec3,
        turned: [f64; 2],
    },
}

/// How the surface of a solid looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Plain([u8; 3]),
    /// A head that looks in this level direction.
    Head([f64; 2]),
    /// A round mark of this number.
    Mark(i64),
    /// A printed code, whose cells follow from this number.
    Code(u64),
}

/// A solid with its paint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Solid {
    pub(crate) shape: Shape,
    pub(crate) paint: Paint,
}

/// Where a ray meets a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// How many times the ray's direction it is away.
    pub(crate) far: f64,
    pub(crate) normal: Vec3,
    /// The place on a panel, −1…1 to the right and up; 0 on other solids.
    pub(crate) on: [f64; 2],
}

/// What there is at one time.
#[derive(Clone, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) room: &'a Room,
    pub(crate) solids: Vec<Solid>,
    /// How many of the solids, from the first, hide what is behind them from the robot's senses: walls and boxes.
    opaque: usize,
}

/// Half the width of a person.
const BODY: f64 = 0.19;
const HEAD: f64 = 0.105;

impl<'a> Scene<'a> {
    /// Collects what there is at a time; people who look at the robot look towards `eye`.
    pub(crate) fn at(around: &'a Surroundings, t: f64, eye: Vec3) -> Self {
        let mut solids = Vec::new();
        for wall in &around.walls {
            let (dx, dy) = (wall.to[0] - wall.from[0], wall.to[1] - wall.from[1]);
            let length = dx.hypot(dy).max(1e-9);
            let center = [(wall.from[0] + wall.to[0]) / 2.0, (wall.from[1] + wall.to[1]) / 2.0, wall.height / 2.0];
            let shape =
                Shape::Panel { center, along: [dx / length, dy / length], half: [length / 2.0, wall.height / 2.0] };
            solids.push(Solid { shape, paint: Paint::Plain(wall.color) });
        }
        for block in &around.boxes {
            let Some([x, y, z]) = block.track.at(t) else { continue };
            let half = block.size.map(|length| length / 2.0);
            let (sin, cos) = block.turned.sin_cos();
            let shape = Shape::Block { center: [x, y, z + half[2]], half, turned: [cos, sin] };
            solids.push(Solid { shape, paint: Paint::Plain(block.color) });
        }
        let opaque = solids.len();
        for ball in &around.balls {
            let Some(center) = ball.track.at(t) else { continue };
            let shape = Shape::Ball { center, radius: ball.diameter / 2.0 };
            solids.push(Solid { shape, paint: Paint::Plain(ball.color) });
        }
        for (plate, paint) in around
            .marks
            .iter()
            .map(|mark| (mark, Paint::Mark(mark.number)))
            .chain(around.codes.iter().map(|code| (code, Paint::Code(cells(&code.text)))))
        {
            let Some(center) = plate.track.at(t) else { continue };
            let (sin, cos) = plate.facing.sin_cos();
            // To the right of who looks at it.
            let shape = Shape::Panel { center, along: [-sin, cos], half: [plate.size / 2.0; 2] };
            solids.push(Solid { shape, paint });
        }
        for person in &around.people {
            let (Some([x, y, z]), Some(face)) = (person.track.at(t), person.face(t)) else { continue };
            let (dx, dy) = (eye[0] - x, eye[1] - y);
            let away = dx.hypot(dy).max(1e-9);
            let front = if person.looks { [dx / away, dy / away] } else { [-dy / away, dx / away] };
            let half_height = (face[2] - HEAD - z).max(0.1) / 2.0;
            let body = Shape::Pillar { center: [x, y, z + half_height], radius: BODY, half_height };
            solids.push(Solid { shape: body, paint: Paint::Plain(person.color) });
            solids.push(Solid { shape: Shape::Ball { center: face, radius: HEAD }, paint: Paint::Head(front) });
        }
        Self { room: &around.room, solids, opaque }
    }

    /// Returns whether a wall or box is between two points.
    pub(crate) fn is_hidden(&self, from: Vec3, to: Vec3) -> bool {
        let ray = [0, 1, 2].map(|i| to[i] - from[i]);
        let opaque = self.solids.get(..self.opaque).unwrap_or_default();
        opaque.iter().any(|solid| solid.shape.hit(from, ray).is_some_and(|hit| hit.far < 1.0))
    }

    /// Returns how far the nearest thing or wall of the room is, in lengths of the ray's direction.
    pub(crate) fn distance(&self, from: Vec3, ray: Vec3) -> f64 {
        let things = self.solids.iter().filter_map(|solid| solid.shape.hit(from, ray)).map(|hit| hit.far);
        things.fold(room_hit(self.room, from, ray).map_or(f64::INFINITY, |(far, _)| far), f64::min)
    }
}

impl Scene<'_> {
    /// Returns what a cell of a map is at a place: 0 free, 100 a wall or box, 50 outside the room.
    pub(crate) fn occupancy(&self, place: Vec3, size: f64) -> i64 {
        let (low, high) = self.room.bounds();
        let outside = |axis: usize, more: f64| place[axis] < low[axis] + more || place[axis] > high[axis] - more;
        if outside(0, -size) || outside(1, -size) {
            return 50;
        }
        let is_wall = outside(0, 0.75 * size) || outside(1, 0.75 * size);
        let opaque = self.solids.get(..self.opaque).unwrap_or_default();
        let is_full = opaque.iter().any(|solid| solid.shape.is_near(place, size / 2.0));
        if is_wall || is_full { 100 } else { 0 }
    }
}

/// Returns where a ray leaves the room, and which face that is: 0 and 1 along x, 2 and 3 along y, 4 the floor, 5 the
/// ceiling.
pub(crate) fn room_hit(room: &Room, from: Vec3, ray: Vec3) -> Option<(f64, usize)> {
    let (low, high) = room.bounds();
    let mut nearest = None;
    for axis in 0..3 {
        if ray[axis] == 0.0 {
            continue;
        }
        let is_high = ray[axis] > 0.0;
        let far = (if is_high { high[axis] } else { low[axis] } - from[axis]) / ray[axis];
        if far > 0.0 && nearest.is_none_or(|(best, _)| far < best) {
            nearest = Some((far, 2 * axis + usize::from(is_high)));
        }
    }
    nearest
}

/// A hit nearer than this is the eye's own place.
const NEAREST: f64 = 1e-6;

impl Shape {
    /// Returns a ball around it.
    pub(crate) fn bounds(&self) -> (Vec3, f64) {
        match *self {
            Self::Ball { center, radius } => (center, radius),
            Self::Pillar { center, radius, half_height } => (center, radius.hypot(half_height)),
            Self::Panel { center, half, .. } => (center, half[0].hypot(half[1])),
            Self::Block { center, half, .. } => (center, half[0].hypot(half[1]).hypot(half[2])),
        }
    }

    /// Returns whether a panel or box is at a place, or so near beside it.
    fn is_near(&self, place: Vec3, margin: f64) -> bool {
        match *self {
            Self::Panel { center, along, half } => {
                let [x, y, z] = [0, 1, 2].map(|i| place[i] - center[i]);
                let (on, beside) = (x * along[0] + y * along[1], x * along[1] - y * along[0]);
                on.abs() <= half[0] && beside.abs() <= margin && z.abs() <= half[1]
            }
            Self::Block { center, half, turned: [cos, sin] } => {
                let [x, y, z] = [0, 1, 2].map(|i| place[i] - center[i]);
                let (x, y) = (cos * x + sin * y, cos * y - sin * x);
                x.abs() <= half[0] + margin && y.abs() <= half[1] + margin && z.abs() <= half[2]
            }
            Self::Ball { .. } | Self::Pillar { .. } => false,
        }
    }

    /// Returns where a ray first meets it.
    pub(crate) fn hit(&self, from: Vec3, ray: Vec3) -> Option<Hit> {
        match *self {
            Self::Ball { center, radius } => {
                let to = [0, 1, 2].map(|i| from[i] - center[i]);
                let far = roots(dot(ray, ray), dot(to, ray), dot(to, to) - radius * radius)?.0;
                let normal = [0, 1, 2].map(|i| (to[i] + far * ray[i]) / radius);
                (far > NEAREST).then_some(Hit { far, normal, on: [0.0; 2] })
            }
            Self::Pillar { center, radius, half_height } => {
                let to = [from[0] - center[0], from[1] - center[1]];
                let a = ray[0] * ray[0] + ray[1] * ray[1];
                let far = roots(a, to[0] * ray[0] + to[1] * ray[1], to[0] * to[0] + to[1] * to[1] - radius * radius)?.0;
                let z = from[2] + far * ray[2] - center[2];
                let normal = [(to[0] + far * ray[0]) / radius, (to[1] + far * ray[1]) / radius, 0.0];
                (far > NEAREST && z.abs() <= half_height).then_some(Hit { far, normal, on: [0.0; 2] })
            }
            Self::Panel { center, along, half } => {
                let normal = [along[1], -along[0], 0.0];
                let slope = dot(normal, ray);
                if slope.abs() < 1e-12 {
                    return None;
                }
                let far = dot(normal, [0, 1, 2].map(|i| center[i] - from[i])) / slope;
                let at = [0, 1, 2].map(|i| from[i] + far * ray[i] - center[i]);
                let on = [(at[0] * along[0] + at[1] * along[1]) / half[0], at[2] / half[1]];
                let toward = if slope > 0.0 { normal.map(|x| -x) } else { normal };
                (far > NEAREST && on[0].abs() <= 1.0 && on[1].abs() <= 1.0).then_some(Hit { far, normal: toward, on })
            }
            Self::Block { center, half, turned: [cos, sin] } => {
                let inner = |v: Vec3| [cos * v[0] + sin * v[1], cos * v[1] - sin * v[0], v[2]];
                let (o, d) = (inner([0, 1, 2].map(|i| from[i] - center[i])), inner(ray));
                let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::INFINITY, [0.0; 3]);
                for axis in 0..3 {
                    if d[axis] == 0.0 {
                        if o[axis].abs() > half[axis] {
                            return None;
                        }
                        continue;
                    }
                    let side = -d[axis].signum();
                    let near = (side * half[axis] - o[axis]) / d[axis];
                    let far = (-side * half[axis] - o[axis]) / d[axis];
                    if near > enter {
                        enter = near;
                        normal = [0.0; 3];
                        normal[axis] = side;
                    }
                    leave = leave.min(far);
                }
                let [x, y, z] = normal;
                let normal = [cos * x - sin * y, sin * x + cos * y, z];
                (enter <= leave && enter > NEAREST).then_some(Hit { far: enter, normal, on: [0.0; 2] })
            }
        }
    }
}

/// Solves a·t² + 2·b·t + c = 0.
fn roots(a: f64, b: f64, c: f64) -> Option<(f64, f64)> {
    let under = b * b - a * c;
    if under < 0.0 || a == 0.0 {
        return None;
    }
    let root = under.sqrt();
    Some(((-b - root) / a, (-b + root) / a))
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns a number for a text, the same on every machine (FNV-1a).
fn cells(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
