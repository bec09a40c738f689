//! The positions of a robot's parts: links and the joints that move them, simple solids to draw, LEDs and touch
//! sensors.
//!
//! Units are metres and radians, in the robot's own frame: x forward, y to the left, z up. The first link is the torso,
//! or its equivalent.

mod nao;
mod pepper;

pub(crate) use nao::{NAO, NAO_V33};
pub(crate) use pepper::PEPPER;

use crate::{Mass, SensorFrame, sensor_frames};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// A rigid part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The name; also that of the mesh that users may supply.
    pub name: &'static str,
    /// The link that it is attached to; empty for the first. It comes before this one.
    pub parent: &'static str,
    /// The position of its frame in the parent's frame when the joint is at 0.
    pub at: [f64; 3],
    /// The orientation of its frame in the parent's: rotations about the fixed axes x, then y, then z.
    pub turned: [f64; 3],
    /// The joint that turns it; empty if it is fixed.
    pub joint: &'static str,
    /// The axis of rotation, of length 1, in its own frame.
    pub axis: [f64; 3],
    /// Radians per unit of the joint: 1 for angles; for a hand, the angle by which its fingers open.
    pub scale: f64,
    /// The solids to draw, in its frame.
    pub solids: &'static [Solid],
}

/// A simple solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Its form.
    pub form: Form,
    /// Whether it is drawn darker, such as a joint or a screen.
    pub dark: bool,
}

/// The form of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A box: its center, and its lengths along x, y, z.
    Box([f64; 3], [f64; 3]),
    /// A capsule: all points within a radius of a line segment, given by its ends. If the ends are equal, it is a ball.
    Capsule([f64; 3], [f64; 3], f64),
}

/// LEDs evenly spaced on a circle; a single LED is at its center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// The link that they are on.
    pub link: &'static str,
    /// The names of the LEDs, in order.
    pub leds: &'static [&'static str],
    /// The center of the circle.
    pub middle: [f64; 3],
    /// The vector from the center to the first LED.
    pub first: [f64; 3],
    /// The vector from the center to the point a quarter turn after the first LED.
    pub quarter: [f64; 3],
}

/// The position of a touch sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Its event ([`crate::TouchSensor::event`]).
    pub event: &'static str,
    /// The link that it is on.
    pub link: &'static str,
    /// The position in the link's frame.
    pub at: [f64; 3],
}

/// The geometry of a body. A custom body may have none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// The links, parents before their children.
    pub links: &'static [Link],
    /// The positions of LEDs, as far as they are known.
    pub rings: &'static [Ring],
    /// The positions of touch sensors to draw, as far as they are known.
    pub spots: &'static [Spot],
    /// The frames of sensors, as far as they are known.
    pub sensors: &'static [SensorFrame],
    /// The masses of links; empty if they are not known.
    pub masses: &'static [Mass],
    /// What the robot stands on; empty if it is not known.
    pub soles: &'static [Sole],
}

/// A flat part on which the robot stands: a foot, or a base on wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// The link.
    pub link: &'static str,
    /// The corners of the area that carries the robot, counter-clockwise from above, in the link's frame. It is flat on
    /// the floor when the robot stands with all joints at 0.
    pub outline: &'static [[f64; 3]],
}

impl Geometry {
    /// No geometry.
    pub const NONE: Self = Self { links: &[], rings: &[], spots: &[], sensors: &[], masses: &[], soles: &[] };

    /// Returns the link of this name.
    pub fn link(&self, name: &str) -> Option<&'static Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// Returns the frame of a sensor, by the name that `ALMotion.getPosition` takes or by that which it has in the memory:
    /// `Sonar/Left` and `US/Left` are the same.
    ///
    /// ```
    /// let nao = boxstep_bodies::BodyKind::Nao.body();
    /// assert_eq!(nao.geometry.sensor("US/Left"), nao.geometry.sensor("Sonar/Left"));
    /// assert_eq!(nao.geometry.sensor("Tail"), None);
    /// ```
    pub fn sensor(&self, name: &str) -> Option<&'static SensorFrame> {
        sensor_frames::find(self.sensors, name)
    }

    /// Returns the name, the link, and the position in its frame, of each LED.
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

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// The axis of the left hip, and that of the right one: 45° between the lateral and the vertical axis.
const LEFT_HIP: [f64; 3] = [0.0, FRAC_1_SQRT_2, -FRAC_1_SQRT_2];
const RIGHT_HIP: [f64; 3] = [0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2];

/// The angle by which fingers open, in radians.
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

/// Returns the link of a hand's fingers, which are closed at 0.
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
