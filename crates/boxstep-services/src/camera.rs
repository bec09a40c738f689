//! The cameras of NAO and Pepper: where they are, how wide they see, and where a point is in their pictures.
//!
//! Fields of view are those of the pages "Video camera" (NAO, also of V3.3), "2D Cameras" and "3D sensor" (Pepper) of
//! the NAOqi documentation. A body of a user's own has NAO's cameras.

use crate::frames::{self, Pose, head_in_robot, robot_in_world};
use crate::surroundings::Vec3;
use crate::world::World;
use boxstep_bodies::{BodyKind, SensorFrame};
use boxstep_types::Time;
use std::f64::consts::FRAC_PI_4;

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// 0 top, 1 bottom, 2 depth.
    pub(crate) number: i64,
    /// The number of its model: 1 OV7670, 2 MT9M114, 3 OV5640, 4 Xtion.
    pub(crate) model: i64,
    /// The robot that has it.
    of: BodyKind,
    /// Its field of view, in radians.
    pub(crate) wide: f64,
    pub(crate) high: f64,
}

static NAO: [Camera; 2] = [
    Camera { number: 0, model: 2, of: BodyKind::Nao, wide: 1.0641, high: 0.8315 },
    Camera { number: 1, model: 2, of: BodyKind::Nao, wide: 1.0641, high: 0.8315 },
];

static NAO_V33: [Camera; 2] = [
    Camera { number: 0, model: 1, of: BodyKind::NaoV33, wide: 0.8343, high: 0.6423 },
    Camera { number: 1, model: 1, of: BodyKind::NaoV33, wide: 0.8343, high: 0.6423 },
];

static PEPPER: [Camera; 3] = [
    Camera { number: 0, model: 3, of: BodyKind::Pepper, wide: 0.9826, high: 0.7627 },
    Camera { number: 1, model: 3, of: BodyKind::Pepper, wide: 0.9826, high: 0.7627 },
    Camera { number: 2, model: 4, of: BodyKind::Pepper, wide: 1.0123, high: FRAC_PI_4 },
];

impl Camera {
    /// Returns its pose in the frame of the head.
    pub(crate) fn in_head(&self) -> Pose {
        let mut sensors = self.of.body().geometry.sensors.iter();
        sensors.find(|sensor| sensor.name == self.name()).map_or_else(
            Pose::identity,
            |SensorFrame { at, turned, .. }| {
                let ([x, y, z], [wx, wy, wz]) = (*at, *turned);
                frames::pose([x, y, z, wx, wy, wz])
            },
        )
    }

    /// Returns its documented name.
    pub(crate) fn name(&self) -> &'static str {
        match self.number {
            0 => "CameraTop",
            1 => "CameraBottom",
            _ => "CameraDepth",
        }
    }
}

/// The number of the depth camera.
pub(crate) const DEPTH: i64 = 2;

/// Returns the cameras of the robot.
pub(crate) fn cameras(w: &World) -> &'static [Camera] {
    match w.body.build() {
        pepper if pepper.type_name == "juliette" => &PEPPER,
        old if *old == BodyKind::NaoV33.body().build => &NAO_V33,
        _ => &NAO,
    }
}

/// A camera where it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    pub(crate) camera: Camera,
    /// Its frame in that of the world: x where it looks, y to the left, z up in the picture.
    pub(crate) pose: Pose,
}

/// A direction from a camera: to the left and down in radians, and how far along its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) left: f64,
    pub(crate) down: f64,
    pub(crate) ahead: f64,
}

impl Eye {
    /// Returns where it is.
    pub(crate) fn place(&self) -> Vec3 {
        self.pose.translation.vector.into()
    }

    /// Returns a point in the camera's frame.
    pub(crate) fn inner(&self, point: Vec3) -> Vec3 {
        frames::inner(&self.pose, point)
    }

    /// Returns where a point is in the picture; `None` if it is outside.
    pub(crate) fn sees(&self, point: Vec3) -> Option<Seen> {
        let [ahead, left, up] = self.inner(point);
        let inside = |side: f64, angle: f64| side.abs() <= ahead * (angle / 2.0).tan();
        (ahead > 0.0 && inside(left, self.camera.wide) && inside(up, self.camera.high)).then(|| Seen {
            left: left.atan2(ahead),
            down: (-up).atan2(ahead),
            ahead,
        })
    }
}

/// Returns a robot's camera.
pub(crate) fn eye(w: &World, now: Time, number: i64) -> Option<Eye> {
    let camera = *cameras(w).iter().find(|camera| camera.number == number)?;
    Some(Eye { camera, pose: robot_in_world(w, now) * head_in_robot(w, now) * camera.in_head() })
}
