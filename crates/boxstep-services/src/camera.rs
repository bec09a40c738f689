//! The cameras of NAO and Pepper: where they are, how wide they see, and where a point is in their pictures.
//!
//! Places, directions and angles are those of the pages "Video camera" (NAO), "2D Cameras" and "3D sensor" (Pepper) of the
//! NAOqi documentation. A body of a user's own has NAO's cameras.

use crate::motion::joints;
use crate::surroundings::Vec3;
use crate::world::World;
use boxstep_bodies::Pose;
use boxstep_types::Time;
use std::f64::consts::FRAC_PI_4;

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// 0 top, 1 bottom, 2 depth.
    pub(crate) number: i64,
    /// The number of its model: 2 MT9M114, 3 OV5640, 4 Xtion.
    pub(crate) model: i64,
    /// Its place in the frame of the head, and by how much it looks down.
    at: Vec3,
    pitch: f64,
    /// Its field of view, in radians.
    pub(crate) wide: f64,
    pub(crate) high: f64,
}

static NAO: [Camera; 2] = [
    Camera { number: 0, model: 2, at: [0.05871, 0.0, 0.06364], pitch: 0.0209, wide: 1.0641, high: 0.8315 },
    Camera { number: 1, model: 2, at: [0.05071, 0.0, 0.01774], pitch: 0.6929, wide: 1.0641, high: 0.8315 },
];

static PEPPER: [Camera; 3] = [
    Camera { number: 0, model: 3, at: [0.0868, 0.0, 0.1631], pitch: 0.0, wide: 0.9826, high: 0.7627 },
    Camera { number: 1, model: 3, at: [0.0936, 0.0, 0.0616], pitch: 0.6981, wide: 0.9826, high: 0.7627 },
    Camera { number: 2, model: 4, at: [0.05138, 0.039, 0.1194], pitch: 0.0, wide: 1.0123, high: FRAC_PI_4 },
];

impl Camera {
    /// Returns its pose in the frame of the head.
    pub(crate) fn in_head(&self) -> Pose {
        Pose { at: self.at, ..pitched(self.pitch) }
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
    if w.body.build().type_name == "juliette" { &PEPPER } else { &NAO }
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
    /// Returns a point in the camera's frame.
    pub(crate) fn inner(&self, point: Vec3) -> Vec3 {
        inverse(&self.pose).point(point)
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
    Some(Eye { camera, pose: robot_in_world(w, now).then(&head_in_robot(w, now)).then(&camera.in_head()) })
}

/// Returns the pose of the robot's frame, on the floor between its feet, in the world.
pub(crate) fn robot_in_world(w: &World, now: Time) -> Pose {
    let here = w.motion.walk.at(now);
    Pose { at: [here.x, here.y, 0.0], ..yawed(here.theta) }
}

/// The links on which a robot stands, flat on the floor.
const SUPPORTS: [&str; 3] = ["LFoot", "RFoot", "Base"];

/// Returns the pose of the torso in the robot's frame: as high and as far bent as its lower foot or its base holds it,
/// straight over the robot's place on the floor.
pub(crate) fn torso_in_robot(w: &World, now: Time) -> Pose {
    torso_over_floor(w, |name| w.body.joint(name).map_or(0.0, |joint| joints::actual(w, joint, now)))
}

/// The same for any angles of the joints.
pub(crate) fn torso_over_floor(w: &World, angle: impl Fn(&str) -> f64) -> Pose {
    let height = w.body.build().torso_height;
    let supports = SUPPORTS.iter().filter_map(|link| Some((w.body.pose(link, &angle)?, w.body.pose(link, |_| 0.0)?)));
    let Some((bent, straight)) = supports.min_by(|a, b| a.0.at[2].total_cmp(&b.0.at[2])) else {
        return Pose { at: [0.0, 0.0, height], ..Pose::default() };
    };
    let below = inverse(&bent);
    let turn = below.rows[1][0].atan2(below.rows[0][0]);
    // The link is as high over the floor as when the robot stands with all joints at 0.
    let up = below.at[2] + height + straight.at[2];
    Pose { at: [0.0, 0.0, up], ..yawed(-turn).then(&below) }
}

/// Returns the pose of the head in the robot's frame.
pub(crate) fn head_in_robot(w: &World, now: Time) -> Pose {
    let angle = |name: &str| w.body.joint(name).map_or(0.0, |joint| joints::actual(w, joint, now));
    let head = w.body.pose("Head", angle).unwrap_or_else(|| {
        let neck = Pose { at: [0.0, 0.0, w.body.build().neck_height], ..yawed(angle("HeadYaw")) };
        neck.then(&pitched(angle("HeadPitch")))
    });
    torso_in_robot(w, now).then(&head)
}

fn yawed(angle: f64) -> Pose {
    let (s, c) = angle.sin_cos();
    Pose { at: [0.0; 3], rows: [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]] }
}

fn pitched(angle: f64) -> Pose {
    let (s, c) = angle.sin_cos();
    Pose { at: [0.0; 3], rows: [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]] }
}

/// Returns the pose of the outer frame in the inner one.
pub(crate) fn inverse(pose: &Pose) -> Pose {
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| pose.rows[j][i]));
    let turned = Pose { at: [0.0; 3], rows };
    Pose { at: turned.point(pose.at).map(|x| -x), rows }
}

/// Returns a pose as six numbers, the form of a position in memory: x, y, z, and the angles about them.
pub(crate) fn position6(pose: &Pose) -> [f64; 6] {
    let [x, y, z] = pose.at;
    let r = &pose.rows;
    [x, y, z, r[2][1].atan2(r[2][2]), (-r[2][0]).atan2(r[2][1].hypot(r[2][2])), r[1][0].atan2(r[0][0])]
}
