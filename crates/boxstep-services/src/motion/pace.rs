//! How fast a robot moves on the floor, and how a move configuration changes that.
//!
//! Source: the page "Locomotion control" of the NAOqi documentation.

use super::walk::Pose;
use crate::table::{Call, Reply, bad, failed, ok};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// Returns the largest default speeds: forward and sideways in m/s, turning in rad/s.
fn largest_speeds(w: &World) -> Pose {
    if w.body.has_legs() {
        // Steps of 40 mm forward, 140 mm sideways (every other step) and 0.349 rad, at 2.38 steps per second.
        Pose { x: 0.0952, y: 0.1666, theta: 0.4153 }
    } else {
        Pose { x: 0.35, y: 0.35, theta: 1.0 }
    }
}

/// Returns the steps per second, between the documented 1.67 and 2.38, for a frequency from 0 to 1.
fn steps_a_second(frequency: f64) -> f64 {
    1.67 + 0.71 * frequency.min(1.0)
}

/// The upper bounds of all speed settings (Pepper's documented maxima).
const UTMOST: Pose = Pose { x: 0.55, y: 0.55, theta: 2.0 };

/// The speeds of a move, and the duration of a step in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) v: Pose,
    pub(crate) step: f64,
}

/// Returns the speeds as a move configuration changes them: `[["MaxVelXY", 0.2], …]`.
pub(super) fn configured(w: &World, config: Option<&Value>) -> Result<Pace, ServiceError> {
    let Pace { mut v, mut step } = default_pace(w);
    let Some(config) = config else { return Ok(Pace { v, step }) };
    let Some(items) = config.as_list() else {
        return bad("the move configuration must be a list of pairs [name, value]");
    };
    for item in items {
        let Some([name, value, ..]) = item.as_list() else {
            return bad("the move configuration must be a list of pairs [name, value]");
        };
        let (Some(name), Some(x)) = (name.as_str(), value.as_f64().filter(|x| x.is_finite())) else { continue };
        let x = x.abs();
        match name {
            "MaxVelXY" => (v.x, v.y) = (x.min(UTMOST.x), x.min(UTMOST.y)),
            "MaxVelTheta" => v.theta = x.min(UTMOST.theta),
            "MaxStepX" => v.x *= (x / 0.04).min(2.0),
            "MaxStepY" => v.y *= (x / 0.14).min(2.0),
            "MaxStepTheta" => v.theta *= (x / 0.349).min(2.0),
            // 0…1 stands for 1.67…2.38 steps per second.
            "MaxStepFrequency" | "Frequency" => {
                step = 1.0 / steps_a_second(x);
                let f = steps_a_second(x) / steps_a_second(1.0);
                (v.x, v.y, v.theta) = (v.x * f, v.y * f, v.theta * f);
            }
            _ => {}
        }
    }
    Ok(Pace { v: Pose { x: v.x.max(1e-3), y: v.y.max(1e-3), theta: v.theta.max(1e-3) }, step })
}

/// Returns the seconds for a displacement in the robot's frame.
pub(super) fn seconds(w: &World, way: Pose, v: Pose) -> f64 {
    let straight =
        if w.body.has_legs() { (way.x / v.x).abs().max((way.y / v.y).abs()) } else { way.x.hypot(way.y) / v.x };
    straight.max((way.theta / v.theta).abs())
}

/// Returns the default pace.
pub(crate) fn default_pace(w: &World) -> Pace {
    Pace { v: largest_speeds(w), step: 1.0 / steps_a_second(1.0) }
}

pub(super) fn get_move_config(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let which = call.args.text_or(0, "which", "Default")?;
    let column = match which {
        "Min" => 0,
        "Default" => 1,
        "Max" => 2,
        _ => return bad(format!("argument 1 must be Max, Min or Default, not `{which}`")),
    };
    if w.body.has_legs() {
        return ok(Value::list(
            STEPS.iter().map(|(key, values)| Value::list([Value::from(*key), values[column].into()])),
        ));
    }
    let (v, part) = (largest_speeds(w), if column == 0 { 0.3 } else { 1.0 });
    let pairs = [
        ("MaxVelXY", v.x),
        ("MaxVelTheta", v.theta),
        ("MaxAccXY", 0.3),
        ("MaxAccTheta", 0.75),
        ("MaxJerkXY", 1.0),
        ("MaxJerkTheta", 2.0),
        ("TorsoWy", 0.0),
    ];
    ok(Value::list(pairs.iter().map(|(k, x)| Value::list([Value::from(*k), (x * part).into()]))))
}

/// The old name, of NAO only.
pub(super) fn get_foot_gait_config(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if w.body.has_legs() { get_move_config(w, cx, call) } else { failed("this robot has no legs") }
}

/// The largest step: ahead, to the side, turning.
pub(super) const MAX_STEP: Pose = Pose { x: 0.08, y: 0.16, theta: 0.524 };

/// The documented settings of NAO's steps: the smallest, the default, and the largest value.
const STEPS: [(&str, [f64; 3]); 7] = [
    ("MaxStepX", [0.001, 0.04, MAX_STEP.x]),
    ("MaxStepY", [0.101, 0.14, MAX_STEP.y]),
    ("MaxStepTheta", [0.001, 0.349, MAX_STEP.theta]),
    ("MaxStepFrequency", [0.0, 1.0, 1.0]),
    ("StepHeight", [0.005, 0.02, 0.04]),
    ("TorsoWx", [-0.122, 0.0, 0.122]),
    ("TorsoWy", [-0.122, 0.0, 0.122]),
];
