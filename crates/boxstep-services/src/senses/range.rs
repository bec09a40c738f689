//! Distances: the sonars of NAO and Pepper, and Pepper's laser.
//!
//! Their keys are computed when they are read. Places and directions of the sensors are those of the pages "Sonars" and
//! "Lasers" of the NAOqi documentation, to a centimetre. Decision: a sonar reports the nearest of nine rays over its cone.

use super::{around, float};
use crate::frames::{outer, robot_in_world, torso_in_robot};
use crate::surroundings::{Scene, Vec3};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};

/// A sonar: its place in the robot's frame (NAO's is in that of the torso), and its direction.
struct Sonar {
    device: &'static str,
    at: Vec3,
    direction: f64,
}

static SONARS: [Sonar; 4] = [
    Sonar { device: "US/Left", at: [0.05, 0.04, 0.05], direction: 0.44 },
    Sonar { device: "US/Right", at: [0.05, -0.04, 0.05], direction: -0.44 },
    Sonar { device: "Platform/Front/Sonar", at: [0.05, 0.0, 0.3], direction: 0.0 },
    Sonar { device: "Platform/Back/Sonar", at: [-0.15, 0.0, 0.3], direction: std::f64::consts::PI },
];

/// Half the cone of a sonar.
const CONE: f64 = std::f64::consts::FRAC_PI_6;
/// What a sonar reports if there is nothing.
const NOTHING: f64 = 5.0;
/// The nearest distance that a sonar can tell.
const NEAREST: f64 = 0.2;
/// The distance at which the events of NAO's sonars are raised.
const NEAR: f64 = 0.5;

/// A laser of Pepper: its place on the base, and its direction. Each has 15 rays over 60°, from the right to the left.
struct Laser {
    name: &'static str,
    at: Vec3,
    direction: f64,
}

static LASERS: [Laser; 3] = [
    Laser { name: "Front/Horizontal", at: [0.056, 0.0, 0.05], direction: 0.0 },
    Laser { name: "Left/Horizontal", at: [-0.018, 0.09, 0.05], direction: 1.757 },
    Laser { name: "Right/Horizontal", at: [-0.018, -0.09, 0.05], direction: -1.757 },
];

/// The farthest point that a laser reports.
const LASER_RANGE: f64 = 3.0;

/// The sides on which something is near: left and right.
#[derive(Debug, Default)]
pub(crate) struct Obstacles {
    near: [bool; 2],
}

/// Returns the value of a sonar's or laser's key; `None` if the key is of neither. Without a described world nothing is
/// there, and the first echo of a sonar is what somebody has set it to.
pub(crate) fn device(w: &World, now: Time, device: &str) -> Option<Value> {
    // The echoes after the first one, of which there are none.
    if let Some((name, echo)) = device.split_once("/Sensor/Value")
        && matches!(echo.as_bytes(), [b'1'..=b'9'])
        && w.body.build().sonars.contains(&name)
    {
        return Some(float(NOTHING));
    }
    if !w.options.world.is_described && !device.starts_with("Platform/LaserSensor/") {
        return None;
    }
    if let Some(name) = device.strip_suffix("/Sensor/Value")
        && w.body.build().sonars.contains(&name)
    {
        return sonar(w, now, name).map(float);
    }
    if w.body.has_legs() {
        return None;
    }
    let (laser, rest) = device.strip_prefix("Platform/LaserSensor/")?.split_once("/Seg")?;
    let laser = LASERS.iter().find(|known| known.name == laser)?;
    let (number, axis) = rest.split_once('/')?;
    let number: u32 = number.parse().ok().filter(|number| (1..=15).contains(number))?;
    let angle = (f64::from(number) - 8.0) / 14.0 * 2.0 * CONE;
    let away = if w.options.world.is_described {
        ray(w, now, laser.at, laser.direction + angle).min(LASER_RANGE)
    } else {
        LASER_RANGE
    };
    match axis {
        "X/Sensor/Value" => Some(float(away * angle.cos())),
        "Y/Sensor/Value" => Some(float(away * angle.sin())),
        _ => None,
    }
}

fn sonar(w: &World, now: Time, device: &str) -> Option<f64> {
    let sonar = SONARS.iter().find(|sonar| sonar.device == device)?;
    let mut at = sonar.at;
    if w.body.has_legs() {
        at[2] += torso_in_robot(w, now).translation.z;
    }
    let rays = (-4..=4).map(|i| ray(w, now, at, sonar.direction + f64::from(i) / 4.0 * CONE));
    let nearest = rays.fold(f64::INFINITY, f64::min);
    Some(if nearest > NOTHING { NOTHING } else { nearest.max(NEAREST) })
}

/// Returns how far the nearest thing is in a level direction from a place in the robot's frame.
fn ray(w: &World, now: Time, at: Vec3, direction: f64) -> f64 {
    let robot = robot_in_world(w, now);
    let (from, to) = (outer(&robot, at), outer(&robot, [at[0] + direction.cos(), at[1] + direction.sin(), at[2]]));
    let around = around(w);
    let scene = Scene::at(&around, now.as_secs_f64(), from);
    scene.distance(from, [0, 1, 2].map(|i| to[i] - from[i]))
}

/// The events of NAO's sonars.
pub(super) fn work(w: &mut World, cx: &mut ServiceCx<'_>) {
    let sides = [("US/Left", "SonarLeft"), ("US/Right", "SonarRight")];
    for (side, (device, event)) in sides.into_iter().enumerate() {
        let Some(away) = sonar(w, cx.now(), device).filter(|_| w.body.build().sonars.contains(&device)) else {
            continue;
        };
        let near = away <= NEAR;
        let Some(before) = w.senses.range.near.get_mut(side) else { continue };
        if std::mem::replace(before, near) != near {
            let key = if near { format!("{event}Detected") } else { format!("{event}NothingDetected") };
            w.notice(cx, &key, float(away));
        }
    }
}
