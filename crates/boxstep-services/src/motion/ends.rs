//! Where parts of the body are: `getPosition` and `getTransform`.
//!
//! Source: the page "Cartesian control API" of the NAOqi documentation; offsets are those of the body's links. (Ours: the
//! lower foot, or the base, lies flat on the floor.)

use super::joints;
use crate::frames::{
    self, Pose, commanded_torso_in_world, position6, robot_in_world, torso_in_robot, torso_over_floor,
};
use crate::senses::floats;
use crate::table::{Call, Reply, bad, ok};
use crate::world::World;
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
    pub(super) fn torso(self, w: &World, now: Time, angles: &[f64]) -> Pose {
        match self {
            Self::Torso => Pose::identity(),
            Self::Robot => torso_over_floor(&w.body, angles),
            Self::World => commanded_torso_in_world(w, now, angles),
        }
    }
}

pub(super) fn get_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(floats(position6(&asked(w, cx.now(), call)?)))
}

pub(super) fn get_transform(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let matrix = asked(w, cx.now(), call)?.to_homogeneous();
    let rows: [f64; 16] = std::array::from_fn(|i| matrix[(i / 4, i % 4)]);
    ok(floats(rows))
}

fn asked(w: &World, now: Time, call: &Call<'_>) -> Result<Pose, ServiceError> {
    let (name, frame) = (call.args.text(0, "name")?, Frame::of(call.args.int(1, "frame")?)?);
    let measured = call.args.flag_or(2, "use sensors", false)?;
    let angles = joints::angles(w, now, measured);
    let torso = |frame: Frame| match frame {
        Frame::Robot if measured => torso_in_robot(w, now),
        Frame::World if measured => robot_in_world(w, now) * torso_in_robot(w, now),
        frame => frame.torso(w, now, &angles),
    };
    if name == "Robot" {
        return Ok(match frame {
            Frame::World => robot_in_world(w, now),
            Frame::Robot => Pose::identity(),
            Frame::Torso => torso(Frame::Robot).inverse(),
        });
    }
    let model = w.body.model();
    let end = match model.end(sensor_name(name)) {
        Some(end) => end.pose(&model.forward(&angles)),
        None if name == "Torso" => Pose::identity(),
        None if name == "Head" && w.body.joint("HeadYaw").is_some() => frames::head_in_torso(w, &angles),
        None => return bad(format!("`{name}` is no end, joint, link or sensor of this body whose place is known")),
    };
    Ok(torso(frame) * end)
}

/// Returns the name of a sensor for the short one of older versions.
fn sensor_name(name: &str) -> &str {
    match name {
        "LFsrFL" => "LFoot/FSR/FrontLeft",
        "LFsrFR" => "LFoot/FSR/FrontRight",
        "LFsrRL" => "LFoot/FSR/RearLeft",
        "LFsrRR" => "LFoot/FSR/RearRight",
        "RFsrFL" => "RFoot/FSR/FrontLeft",
        "RFsrFR" => "RFoot/FSR/FrontRight",
        "RFsrRL" => "RFoot/FSR/RearLeft",
        "RFsrRR" => "RFoot/FSR/RearRight",
        other => other,
    }
}
