//! Where parts of the body are: `getPosition` and `getTransform`.
//!
//! Source: the page "Cartesian control API" of the NAOqi documentation; offsets are those of the body's links. (Ours: the
//! torso is straight over the robot's place on the floor, held by the lower foot or the base.)

use super::joints;
use crate::camera;
use crate::table::{Call, Reply, bad, ok};
use crate::world::World;
use boxstep_bodies::Pose;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Time;

/// The frames that commands name by number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Frame {
    Torso,
    World,
    Robot,
}

impl Frame {
    pub(super) fn of(number: i64) -> Result<Self, ServiceError> {
        match number {
            0 => Ok(Self::Torso),
            1 => Ok(Self::World),
            2 => Ok(Self::Robot),
            other => bad(format!("the frame is 0 (torso), 1 (world) or 2 (robot), not {other}")),
        }
    }

    /// Returns the pose of the torso in this frame.
    pub(super) fn torso(self, w: &World, now: Time, angle: impl Fn(&str) -> f64) -> Pose {
        match self {
            Self::Torso => Pose::default(),
            Self::Robot => camera::torso_over_floor(w, angle),
            Self::World => camera::robot_in_world(w, now).then(&camera::torso_over_floor(w, angle)),
        }
    }
}

pub(super) fn get_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(position(&asked(w, cx.now(), call)?).to_vec())
}

pub(super) fn get_transform(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let Pose { at, rows } = asked(w, cx.now(), call)?;
    let rows = [0, 1, 2].map(|i| [rows[i][0], rows[i][1], rows[i][2], at[i]]);
    ok([rows.concat(), vec![0.0, 0.0, 0.0, 1.0]].concat())
}

fn asked(w: &World, now: Time, call: &Call<'_>) -> Result<Pose, ServiceError> {
    let (name, frame) = (call.args.text(0, "name")?, Frame::of(call.args.int(1, "frame")?)?);
    let measured = call.args.flag_or(2, "use sensors", false)?;
    let angle = |name: &str| {
        let value = |joint| if measured { joints::actual(w, joint, now) } else { joints::command(w, joint, now) };
        w.body.joint(name).map_or(0.0, value)
    };
    if name == "Robot" {
        return Ok(match frame {
            Frame::World => camera::robot_in_world(w, now),
            Frame::Robot => Pose::default(),
            Frame::Torso => camera::inverse(&Frame::Robot.torso(w, now, angle)),
        });
    }
    let Some(pose) = in_torso(w, name, angle) else {
        return bad(format!("`{name}` is no end, joint or camera of this body whose place is known"));
    };
    Ok(frame.torso(w, now, angle).then(&pose))
}

/// Returns the pose of an end, a joint, a link or a camera in the torso's frame.
pub(super) fn in_torso(w: &World, name: &str, angle: impl Fn(&str) -> f64) -> Option<Pose> {
    if let Some(camera) = camera::cameras(w).iter().find(|camera| camera.name() == name) {
        return Some(w.body.pose("Head", angle)?.then(&camera.in_head()));
    }
    let link = match name {
        "Torso" => return Some(Pose::default()),
        "LArm" => "LHand",
        "RArm" => "RHand",
        "LLeg" => "LFoot",
        "RLeg" => "RFoot",
        other => w.body.link_of(other)?,
    };
    let pose = w.body.pose(link, &angle)?;
    // The end of a leg is its sole.
    let sole = match name {
        "LLeg" | "RLeg" => w.body.pose(link, |_| 0.0).map_or(0.0, |zero| -w.body.build().torso_height - zero.at[2]),
        _ => 0.0,
    };
    Some(pose.then(&Pose { at: [0.0, 0.0, sole], ..Pose::default() }))
}

/// Returns a pose as six numbers: x, y, z, and the rotations about the fixed axes x, then y, then z.
pub(super) fn position(pose: &Pose) -> [f64; 6] {
    let [x, y, z] = pose.at;
    let r = &pose.rows;
    let wz = r[1][0].atan2(r[0][0]);
    let (s, c) = wz.sin_cos();
    let wy = (-r[2][0]).atan2(r[0][0] * c + r[1][0] * s);
    let wx = (r[0][2] * s - r[1][2] * c).atan2(r[1][1] * c - r[0][1] * s);
    [x, y, z, wx, wy, wz]
}

/// Returns the pose of six numbers.
pub(super) fn of_position([x, y, z, wx, wy, wz]: [f64; 6]) -> Pose {
    Pose::turned([x, y, z], [wx, wy, wz])
}
