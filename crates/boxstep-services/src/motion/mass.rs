//! The masses of NAO's parts, and the centre of mass.
//!
//! Source: the page "Masses" of H25 in the NAOqi documentation; of Pepper only the whole is public.

use crate::camera::{robot_in_world, torso_in_robot};
use crate::motion::joints;
use crate::surroundings::Vec3;
use crate::table::{Call, Reply, bad, failed, ok};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Time;

/// A part: the link, the joint by whose name the robot knows it, its mass in kg, and its middle in the link's frame.
/// Those of the right side are mirrored.
struct Part(&'static str, &'static str, f64, Vec3);

static PARTS: [Part; 14] = [
    Part("Torso", "Torso", 1.0496, [-0.00413, 0.0, 0.04342]),
    Part("Neck", "HeadYaw", 0.07842, [-0.00001, 0.0, -0.02742]),
    Part("Head", "HeadPitch", 0.60533, [-0.00112, 0.0, 0.05258]),
    Part("LShoulder", "LShoulderPitch", 0.09304, [-0.00165, -0.02663, 0.00014]),
    Part("LUpperArm", "LShoulderRoll", 0.15777, [0.02455, 0.00563, 0.0033]),
    Part("LElbow", "LElbowYaw", 0.06483, [-0.02744, 0.0, -0.00014]),
    Part("LForeArm", "LElbowRoll", 0.07761, [0.02556, 0.00281, 0.00076]),
    Part("LWrist", "LWristYaw", 0.18533, [0.03434, -0.00088, 0.00308]),
    Part("LPelvis", "LHipYawPitch", 0.06981, [-0.00781, -0.01114, 0.02661]),
    Part("LHip", "LHipRoll", 0.14053, [-0.01549, 0.00029, -0.00515]),
    Part("LThigh", "LHipPitch", 0.38968, [0.00138, 0.00221, -0.05373]),
    Part("LTibia", "LKneePitch", 0.30142, [0.00453, 0.00225, -0.04936]),
    Part("LAnkle", "LAnklePitch", 0.13416, [0.00045, 0.00029, 0.00685]),
    Part("LFoot", "LAnkleRoll", 0.17184, [0.02542, 0.0033, -0.03239]),
];

/// The mass of a Pepper.
const PEPPER: f64 = 28.0;

/// Calls with each part of both sides: its link, joint, mass and middle.
fn each(mut with: impl FnMut(&str, &str, f64, Vec3)) {
    for Part(link, joint, mass, [x, y, z]) in &PARTS {
        with(link, joint, *mass, [*x, *y, *z]);
        if let (Some(link), Some(joint)) = (link.strip_prefix('L'), joint.strip_prefix('L')) {
            with(&format!("R{link}"), &format!("R{joint}"), *mass, [*x, -y, *z]);
        }
    }
}

/// Returns whether a part belongs to a joint, chain or the body.
fn belongs(w: &World, joint: &str, name: &str) -> bool {
    let joints = w.body.joint_names(name);
    match name {
        "Body" => true,
        "Torso" | "Com" => joint == "Torso" || name == "Com",
        _ => joints.iter().any(|known| **known == *joint),
    }
}

pub(super) fn get_mass(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    if !w.body.has_legs() {
        return if name == "Body" { ok(PEPPER) } else { failed("the masses of this robot's parts are not public") };
    }
    let mut sum = 0.0;
    each(|_, joint, mass, _| sum += if belongs(w, joint, name) { mass } else { 0.0 });
    if sum == 0.0 { bad(w.body.no_joint(name)) } else { ok((sum * 1e6).round() / 1e6) }
}

pub(super) fn get_com(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, frame) = (call.args.text(0, "name")?, call.args.int(1, "frame")?);
    let sensors = call.args.flag(2, "use sensors")?;
    ok(center(w, cx.now(), name, frame, sensors)?.to_vec())
}

fn center(w: &World, now: Time, name: &str, frame: i64, sensors: bool) -> Result<Vec3, ServiceError> {
    let angle = |name: &str| {
        let value = if sensors { joints::actual } else { joints::command };
        w.body.joint(name).map_or(0.0, |joint| value(w, joint, now))
    };
    let (mut sum, mut at) = (0.0, [0.0; 3]);
    each(|link, joint, mass, middle| {
        let pose = w.body.pose(link, angle).filter(|_| w.body.has_legs() && belongs(w, joint, name));
        if let Some(pose) = pose {
            let point = pose.point(middle);
            sum += mass;
            at = [0, 1, 2].map(|i| at[i] + mass * point[i]);
        }
    });
    if sum == 0.0 {
        return failed(format!("the centre of mass of `{name}` is not known of this robot"));
    }
    let at = at.map(|x| x / sum);
    let torso = torso_in_robot(w, now);
    let at = match frame {
        0 => at,
        1 => robot_in_world(w, now).then(&torso).point(at),
        2 => torso.point(at),
        _ => return bad(format!("the frame must be 0 (torso), 1 (world) or 2 (robot), not {frame}")),
    };
    Ok(at.map(|x| (x * 1e9).round() / 1e9))
}
