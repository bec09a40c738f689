//! `ALLocalization`: the robot learns a place, and goes back to it.
//!
//! Source: the page ALLocalization API of the NAOqi documentation. Decision: 0 is success and 1 failure; the robot is home
//! within 0.3 m.

use super::walk::{self, Pose};
use crate::motion::position;
use crate::table::{Call, Const, Reply, Service, answers, done, ok, runs, service, unknown};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

pub(super) const SERVICE: Service = service(
    "ALLocalization",
    "Finds its way home",
    &[
        runs("clear", "Forgets a place", unknown("(m)m"), clear),
        answers("getCurrentPanoramaDescriptor", "What it sees around it", unknown("()m"), Const::Empty),
        runs("getRobotOrientation", "Its direction, from where it learned", unknown("()m (m)m"), get_robot_orientation),
        runs("getRobotPosition", "Its place, from where it learned", unknown("()m (m)m"), get_robot_position),
        runs("isDataAvailable", "Whether a place is learned", unknown("()m"), is_data_available),
        runs("isInCurrentHome", "Whether it is home", unknown("()m"), is_in_current_home),
        runs("load", "Takes a place that was kept", unknown("(m)m"), load),
        runs("save", "Keeps the place under a name", unknown("(m)m"), save),
        runs("goToHome", "Goes home; waits", unknown("()m (m)m"), go_to_home),
        runs("learnHome", "Learns where it stands", unknown("()m"), learn_home),
        runs("stopAll", "Ends what it does", unknown("()m"), stop_all),
    ],
);

const DONE: i64 = 0;
const FAILED: i64 = 1;
/// How near home is home, in metres.
const NEAR: f64 = 0.3;
/// The most places that are kept.
const MOST: usize = 100;

/// The place that the robot has learned, and those that it keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Home {
    current: Option<Pose>,
    kept: BTreeMap<String, Pose>,
}

/// Returns the robot's pose in the frame of its home.
fn from_home(w: &World, now: Time) -> Option<Pose> {
    let home = w.home.current?;
    let here = position::here(w, now);
    let (sin, cos) = home.theta.sin_cos();
    let (dx, dy) = (here.x - home.x, here.y - home.y);
    Some(Pose { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta: here.theta - home.theta })
}

fn learn_home(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let here = position::here(w, cx.now());
    w.home.current = Some(here);
    cx.act("learn", "this place is home", Value::map([("at", here.value())]));
    ok(DONE)
}

fn go_to_home(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let Some(place) = from_home(w, cx.now()).filter(|_| w.motion.awake) else { return ok(FAILED) };
    let (sin, cos) = place.theta.sin_cos();
    let theta = (-place.theta + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
    let goal = Pose { x: -cos * place.x - sin * place.y, y: sin * place.x - cos * place.y, theta };
    let pace = walk::default_pace(w);
    walk::travel_saying(w, cx, call, &[goal], pace, [DONE.into(), FAILED.into()])
}

fn stop_all(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    walk::stop(w, cx);
    done()
}

fn get_robot_position(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(from_home(w, cx.now()).map_or_else(|| Value::list([]), Pose::value))
}

fn get_robot_orientation(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let theta = from_home(w, cx.now()).and_then(|place| place.value().as_list()?.get(2).cloned());
    ok(Value::list(theta))
}

fn is_data_available(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.home.current.is_some())
}

fn is_in_current_home(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(from_home(w, cx.now()).is_some_and(|place| place.x.hypot(place.y) <= NEAR))
}

fn save(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let Some(home) = w.home.current.filter(|_| w.home.kept.len() < MOST) else { return ok(FAILED) };
    w.home.kept.insert(name.to_owned(), home);
    ok(DONE)
}

fn load(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let Some(home) = w.home.kept.get(call.args.text(0, "name")?).copied() else { return ok(FAILED) };
    w.home.current = Some(home);
    ok(DONE)
}

fn clear(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    w.home.kept.remove(name);
    w.home.current = None;
    ok(DONE)
}
