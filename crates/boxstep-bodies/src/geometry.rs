//! Where a robot's parts are: links and the joints that move them, simple solids to draw, places of LEDs and touch sensors.
//!
//! Metres and radians in the robot's own frame: x ahead, y to the left, z up; the first link is the torso, or what stands for it.

mod nao;
mod pepper;
mod pose;

pub(crate) use nao::NAO;
pub(crate) use pepper::PEPPER;
pub use pose::Pose;

use crate::Body;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// A rigid part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Its name; also that of a mesh of one's own.
    pub name: &'static str,
    /// The link it is fixed to; empty for the first. It comes before this one.
    pub parent: &'static str,
    /// Where its frame is in the parent's when the joint is at 0.
    pub at: [f64; 3],
    /// How it is turned there: about the fixed axes x, then y, then z.
    pub turned: [f64; 3],
    /// The joint that turns it; empty if it is fixed.
    pub joint: &'static str,
    /// What it turns about, of length 1, in its own frame.
    pub axis: [f64; 3],
    /// Radians per unit of the joint: 1 for angles; of a hand, how far its fingers open.
    pub scale: f64,
    /// What is drawn, in its frame.
    pub solids: &'static [Solid],
}

/// A simple solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Its form.
    pub form: Form,
    /// It is a joint, a screen or the like, and darker.
    pub dark: bool,
}

/// The form of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A box: middle, and length along x, y, z.
    Box([f64; 3], [f64; 3]),
    /// What is no farther than a radius from a straight line. From a point to itself: a ball.
    Capsule([f64; 3], [f64; 3], f64),
}

/// LEDs on a circle, evenly; one alone is at its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// The link that they are on.
    pub link: &'static str,
    /// Their names, one after another.
    pub leds: &'static [&'static str],
    /// The middle of the circle.
    pub middle: [f64; 3],
    /// From there to the first.
    pub first: [f64; 3],
    /// From there to a quarter on.
    pub quarter: [f64; 3],
}

/// Where a touch sensor is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Its event ([`crate::TouchSensor::event`]).
    pub event: &'static str,
    /// The link that it is on.
    pub link: &'static str,
    /// Where, in the link's frame.
    pub at: [f64; 3],
}

/// The geometry of a body. A body of one's own may have none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// Parents before their children.
    pub links: &'static [Link],
    /// Where LEDs are, as far as it is known.
    pub rings: &'static [Ring],
    /// Where touch sensors are, as far as it is known.
    pub spots: &'static [Spot],
}

impl Geometry {
    /// None.
    pub const NONE: Self = Self { links: &[], rings: &[], spots: &[] };

    /// A link by its name.
    pub fn link(&self, name: &str) -> Option<&'static Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// Where each LED is: its name, link, and place there.
    pub fn lights(&self) -> impl Iterator<Item = (&'static str, &'static str, [f64; 3])> {
        self.rings.iter().flat_map(|ring| ring.lights())
    }
}

impl Ring {
    fn lights(&self) -> impl Iterator<Item = (&'static str, &'static str, [f64; 3])> {
        let Self { link, leds, middle, first, quarter } = *self;
        leds.iter().enumerate().map(move |(at, led)| {
            let (sin, cos) = (TAU * at as f64 / leds.len() as f64).sin_cos();
            (*led, link, [0, 1, 2].map(|i| middle[i] + cos * first[i] + sin * quarter[i]))
        })
    }
}

impl Body {
    /// Where a link is in the frame of the first one, when joints stand at `angle(name)`; a joint that follows another one stands
    /// where that does. `None` if there is no such link.
    pub fn pose(&self, link: &str, angle: impl Fn(&str) -> f64) -> Option<Pose> {
        let mut pose = Pose::default();
        let mut next = self.geometry.link(link)?;
        loop {
            let mut of_link = Pose::turned(next.at, next.turned);
            if !next.joint.is_empty() {
                let leader = self.couplings.iter().find(|c| c.joint == next.joint).map_or(next.joint, |c| c.follows);
                of_link = of_link.then(&Pose::about(next.axis, next.scale * angle(leader)));
            }
            pose = of_link.then(&pose);
            match self.geometry.link(next.parent) {
                Some(parent) => next = parent,
                None => return Some(pose),
            }
        }
    }
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// The left hip turns about this axis, and the right one about the other: 45° between side and height.
const LEFT_HIP: [f64; 3] = [0.0, FRAC_1_SQRT_2, -FRAC_1_SQRT_2];
const RIGHT_HIP: [f64; 3] = [0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2];

/// How far fingers open, radians.
const FINGERS: f64 = 1.3;

const fn joint(
    name: &'static str,
    parent: &'static str,
    at: [f64; 3],
    joint: &'static str,
    axis: [f64; 3],
    solids: &'static [Solid],
) -> Link {
    Link { name, parent, at, turned: [0.0; 3], joint, axis, scale: 1.0, solids }
}

const fn fixed(name: &'static str, parent: &'static str, at: [f64; 3], solids: &'static [Solid]) -> Link {
    Link { name, parent, at, turned: [0.0; 3], joint: "", axis: Z, scale: 1.0, solids }
}

/// Fingers: a hand at 0 is closed.
const fn fingers(
    name: &'static str,
    parent: &'static str,
    at: [f64; 3],
    hand: &'static str,
    solids: &'static [Solid],
) -> Link {
    Link { name, parent, at, turned: [0.0, FINGERS, 0.0], joint: hand, axis: Y, scale: -FINGERS, solids }
}

const fn block(middle: [f64; 3], size: [f64; 3]) -> Solid {
    Solid { form: Form::Box(middle, size), dark: false }
}

const fn capsule(from: [f64; 3], to: [f64; 3], radius: f64) -> Solid {
    Solid { form: Form::Capsule(from, to, radius), dark: false }
}

const fn ball(at: [f64; 3], radius: f64) -> Solid {
    Solid { form: Form::Capsule(at, at, radius), dark: true }
}

const fn dark(solid: Solid) -> Solid {
    Solid { form: solid.form, dark: true }
}

const fn spot(event: &'static str, link: &'static str, at: [f64; 3]) -> Spot {
    Spot { event, link, at }
}

const fn ring(
    link: &'static str,
    leds: &'static [&'static str],
    middle: [f64; 3],
    first: [f64; 3],
    quarter: [f64; 3],
) -> Ring {
    Ring { link, leds, middle, first, quarter }
}

const fn light(link: &'static str, leds: &'static [&'static str], at: [f64; 3]) -> Ring {
    ring(link, leds, at, [0.0; 3], [0.0; 3])
}
