//! `ALRecharge`: Pepper goes to the charging station of the world, and leaves it.
//!
//! Source: the page ALRecharge API of the NAOqi documentation. Decision: the numbers of the states, and that a robot
//! without a station in its world answers that it has failed.

use crate::alarm::Alarm;
use crate::memory::Kind;
use crate::motion::position;
use crate::motion::walk::{self, Pose};
use crate::table::{Call, Reply, Service, done, ok, runs, service, sets, unknown};
use crate::world::{World, after};
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALRecharge",
    "Goes to the charging station",
    &[
        runs("goToStation", "Goes there; 0 if it charges then", unknown("()m"), go_to_station),
        runs("leaveStation", "Leaves it; 0 if it did", unknown("()m"), leave_station),
        runs("lookForStation", "Whether it sees it, and where", unknown("()m"), look_for_station),
        runs("moveInFrontOfStation", "Goes before it; 0 if it did", unknown("()m"), move_in_front_of_station),
        runs("dockOnStation", "Docks; 0 if it did", unknown("()m"), go_to_station),
        runs("stopAll", "Stops", unknown("()m"), stop_all),
        runs("getStatus", "0 idle, 1 looking, 2 going, 3 docked, 4 leaving", unknown("()m"), get_status),
        runs("getStationPosition", "Where the station is, from the robot", unknown("()m"), get_station_position),
        sets("setUseTrackerSearcher", "Looks with the head", unknown("(m)m"), "searcher"),
        sets("setMaxNumberOfTries", "How often to try", unknown("(m)m"), "tries"),
    ],
)
.events(&[
    "ALRecharge/ConnectedToChargingStation",
    "ALRecharge/LeaveFailed",
    "ALRecharge/MoveFailed",
    "ALRecharge/StatusChanged",
])];

/// The answers.
const DONE: i64 = 0;
const FAILED: i64 = 1;
/// How far before the station the robot stands when it has left it, in metres.
const BEFORE: f64 = 0.8;

const IDLE: i64 = 0;
const GOING: i64 = 2;
const DOCKED: i64 = 3;
const LEAVING: i64 = 4;

/// What the robot does at the station.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recharge {
    status: i64,
}

fn set_status(w: &mut World, cx: &mut ServiceCx<'_>, status: i64) {
    if std::mem::replace(&mut w.recharge.status, status) != status {
        w.notice(cx, "ALRecharge/StatusChanged", status);
    }
}

/// Returns the pose of a robot so far before the station, in the robot's frame; it looks as the station does.
fn place(w: &World, cx: &ServiceCx<'_>, before: f64) -> Option<Pose> {
    let ([x, y], facing) = w.options.world.station?;
    let here = position::here(w, cx.now());
    let (dx, dy) = (x + before * facing.cos() - here.x, y + before * facing.sin() - here.y);
    let (sin, cos) = here.theta.sin_cos();
    let theta = (facing - here.theta + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
    Some(Pose { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta })
}

fn travel(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, to: Option<Pose>, then: i64) -> Reply {
    let Some(to) = to.filter(|_| w.motion.awake) else {
        w.notice(cx, "ALRecharge/MoveFailed", FAILED);
        return ok(FAILED);
    };
    let pace = walk::default_pace(w);
    let answer = walk::travel_saying(w, cx, call, &[to], pace, [DONE.into(), FAILED.into()])?;
    set_status(w, cx, if then == DOCKED { GOING } else { LEAVING });
    let at = after(cx.now(), walk::left(w, cx.now()));
    w.alarm(cx, at, Alarm::Recharge(then));
    Ok(answer)
}

/// Handles the end of a way: the robot is docked, or stands somewhere else.
pub(crate) fn arrived(w: &mut World, cx: &mut ServiceCx<'_>, status: i64) {
    if is_on_its_way(w) {
        set_status(w, cx, status);
        plug(w, cx, status == DOCKED);
    }
}

/// Returns whether it goes to the station or leaves it.
pub(crate) fn is_on_its_way(w: &World) -> bool {
    matches!(w.recharge.status, GOING | LEAVING)
}

/// Connects the battery, or not.
fn plug(w: &mut World, cx: &mut ServiceCx<'_>, on: bool) {
    let before = w.memory.get("BatteryPowerPluggedChanged").is_some_and(Value::truthy);
    if before != on {
        w.notice(cx, "BatteryPowerPluggedChanged", on);
        w.notice(cx, "ALRecharge/ConnectedToChargingStation", on);
        w.store(cx, "ALBattery/ConnectedToChargingStation", on.into(), Kind::Data);
    }
}

fn go_to_station(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let to = place(w, cx, 0.0);
    travel(w, cx, call, to, DOCKED)
}

fn move_in_front_of_station(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let to = place(w, cx, BEFORE);
    travel(w, cx, call, to, IDLE)
}

fn leave_station(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if w.recharge.status != DOCKED {
        w.notice(cx, "ALRecharge/LeaveFailed", FAILED);
        return ok(FAILED);
    }
    let to = place(w, cx, BEFORE);
    travel(w, cx, call, to, IDLE)
}

/// Answers whether there is a station, and where it is.
fn look_for_station(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let found = place(w, cx, 0.0);
    let position = found.map_or_else(|| Value::list([]), Pose::value);
    ok(Value::list([found.is_some().into(), position]))
}

fn get_station_position(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(place(w, cx, 0.0).map_or_else(|| Value::list([]), Pose::value))
}

fn stop_all(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    if is_on_its_way(w) {
        set_status(w, cx, IDLE);
        walk::stop(w, cx);
    }
    done()
}

fn get_status(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.recharge.status)
}
