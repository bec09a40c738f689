//! What the robot notices of its surroundings: the events and memory keys of the services that sense, while somebody has
//! subscribed to the service or to one of its events.
//!
//! A sense works at the period of its subscribers. In an empty room nothing works: events come from outside only.
//! Decision: nothing that stays as it is keeps a run in virtual time alive. So a sense goes on by itself for [`RESTLESS`]
//! after the last change of the world and after whatever the robot was told or did last; after that it works whenever
//! the robot is called.

pub(crate) mod faces;
mod people;
mod range;
mod sounds;
mod things;

pub(crate) use people::{PeopleMemory, characterize, people_in_view, zone};
pub(crate) use range::device;
pub(crate) use sounds::{loudest, loudness};
pub(crate) use things::{Movements, ball_in_view, blob, mark_in_view};

use crate::alarm::Alarm;
use crate::camera::{Eye, Seen, eye};
use crate::frames::{position6, robot_in_world, torso_in_robot};
use crate::surroundings::{Scene, Surroundings, Vec3};
use crate::world::World;
use crate::{autonomy, tracker};
use boxstep_engine::services::{ServiceCx, Topic};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A service that senses, and what it does in each period.
struct Sense {
    service: &'static str,
    work: fn(&mut World, &mut ServiceCx<'_>),
}

/// In the order in which they work at one instant: those that need what another has found come after it.
static SENSES: &[Sense] = &[
    Sense { service: "ALFaceDetection", work: faces::work },
    Sense { service: "ALPeoplePerception", work: people::work },
    Sense { service: "ALEngagementZones", work: people::work_on_zones },
    Sense { service: "ALGazeAnalysis", work: people::work_on_gazes },
    Sense { service: "ALFaceCharacteristics", work: people::work_on_smiles },
    Sense { service: "ALLandMarkDetection", work: things::work_on_marks },
    Sense { service: "ALRedBallDetection", work: things::work_on_balls },
    Sense { service: "ALColorBlobDetection", work: things::work_on_blobs },
    Sense { service: "ALBarcodeReader", work: things::work_on_codes },
    Sense { service: "ALMovementDetection", work: things::work_on_movements },
    Sense { service: "ALDarknessDetection", work: things::work_on_light },
    Sense { service: "ALSoundLocalization", work: sounds::work_on_places },
    Sense { service: "ALSoundDetection", work: sounds::work_on_sounds },
    Sense { service: "ALSonar", work: range::work },
    Sense { service: tracker::NAME, work: tracker::work },
    Sense { service: autonomy::AWARENESS, work: autonomy::work },
];

/// The shortest period.
const SHORTEST: Time = Time::from_millis(100);
/// The longest period.
const LONGEST: i64 = 10_000;
/// How long senses go on by themselves when nothing happens.
const RESTLESS: Time = Time::from_millis(5_000);

/// The state of the senses.
#[derive(Debug, Default)]
pub(crate) struct Senses {
    /// When each sense works next.
    next: BTreeMap<&'static str, Time>,
    /// When the timer that is set fires.
    armed: Option<Time>,
    /// When something last happened.
    stirred: Time,
    pub(crate) faces: faces::Faces,
    pub(crate) people: PeopleMemory,
    pub(crate) movements: Movements,
    /// The person whom awareness tracks.
    pub(crate) tracked: Option<i64>,
    pub(crate) sounds: sounds::Heard,
    pub(crate) range: range::Obstacles,
    /// The keys that say whether there is nothing to see, so that this is told once.
    shown: BTreeMap<&'static str, bool>,
}

/// Notes that the robot is told or does something.
pub(crate) fn stir(w: &mut World, now: Time) {
    w.senses.stirred = w.senses.stirred.max(now);
}

/// Lets the senses work that are due, and sets the timer for the next.
pub(crate) fn attend(w: &mut World, cx: &mut ServiceCx<'_>) {
    if !w.options.world.is_described {
        return;
    }
    let now = cx.now();
    for sense in SENSES {
        let Some(period) = period(w, sense.service) else {
            w.senses.next.remove(sense.service);
            continue;
        };
        let next = w.senses.next.entry(sense.service).or_insert(now + period);
        if *next <= now {
            let missed = (now - *next).0 / period.0;
            *next = Time(next.0 + (missed + 1) * period.0);
            (sense.work)(w, cx);
        }
    }
    let Some(next) = w.senses.next.values().min().copied() else { return };
    if w.senses.armed.is_none_or(|armed| armed > next) {
        w.senses.armed = Some(next);
        w.alarm(cx, next, Alarm::Sense(next));
    }
}

/// Handles the timer. One that comes before its time is given back to calls.
pub(crate) fn tick(w: &mut World, cx: &mut ServiceCx<'_>, at: Time) {
    if w.senses.armed != Some(at) {
        return;
    }
    w.senses.armed = None;
    if cx.now() >= at {
        attend(w, cx);
    }
}

/// Returns whether the timer keeps a run alive.
pub(crate) fn is_alive(w: &World, at: Time) -> bool {
    let moves = w.motion.walk.moves() || !w.motion.tasks.is_empty();
    let restless = w.senses.stirred.max(w.options.world.last_change()) + RESTLESS;
    w.senses.armed == Some(at) && (moves || at <= restless)
}

/// Returns the period of a sense; `None` if nobody wants it.
fn period(w: &World, service: &str) -> Option<Time> {
    let is_wanted = match service {
        tracker::NAME => w.tracker.is_active(),
        autonomy::AWARENESS => autonomy::is_aware(w),
        _ => {
            let events = crate::service(service).map(|s| s.events).unwrap_or_default();
            let is_heard = || events.iter().any(|event| w.heard.contains(&Topic::Memory((*event).into())));
            w.extractors.has_subscribers(service) || is_heard()
        }
    };
    let is_paused = w.setting(service, "pause").is_some_and(Value::truthy);
    let period = Time::from_millis(w.extractors.period(service).clamp(0, LONGEST));
    (is_wanted && !is_paused && w.body.offers(service)).then(|| period.max(SHORTEST))
}

/// What a camera sees at a moment.
pub(crate) struct View<'a> {
    pub(crate) eye: Eye,
    scene: Scene<'a>,
}

impl<'a> View<'a> {
    /// Returns what the camera of a service sees: the one that the service was told to use.
    pub(crate) fn of(w: &World, around: &'a Surroundings, now: Time, service: &str) -> Option<Self> {
        let camera = w.setting(service, "camera").and_then(Value::as_i64).unwrap_or(0);
        let eye = eye(w, now, camera).filter(|_| w.video.is_on(camera))?;
        Some(Self { eye, scene: Scene::at(around, now.as_secs_f64(), eye.place()) })
    }

    /// Returns where the camera sees a point; `None` if it is outside the picture, or hidden, or it is dark.
    pub(crate) fn sees(&self, point: Vec3) -> Option<Seen> {
        let is_light = self.scene.room.light >= DARK;
        self.eye.sees(point).filter(|_| is_light && !self.scene.is_hidden(self.eye.place(), point))
    }

    /// Returns the camera's pose in the frames of the torso and of the robot, six numbers each.
    pub(crate) fn poses(&self, w: &World, now: Time) -> [Value; 2] {
        let robot = robot_in_world(w, now);
        let in_robot = robot.inverse() * self.eye.pose;
        let in_torso = torso_in_robot(w, now).inverse() * in_robot;
        [in_torso, in_robot].map(|pose| floats(position6(&pose)))
    }
}

/// The light in which nothing is seen.
const DARK: f64 = 0.1;

/// Returns the surroundings, which do not change.
pub(crate) fn around(w: &World) -> Arc<Surroundings> {
    Arc::clone(&w.options.world)
}

/// Returns numbers for scripts, rounded to the nanometre, because smaller digits differ between machines.
pub(crate) fn floats<const N: usize>(numbers: [f64; N]) -> Value {
    Value::list(numbers.map(float))
}

pub(crate) fn float(number: f64) -> Value {
    Value::Float((number * 1e9).round() / 1e9)
}

/// Returns the time of the robot's clock: seconds and microseconds.
pub(crate) fn stamp(w: &World, now: Time) -> Value {
    let seconds = w.options.epoch + now.0.div_euclid(1_000_000_000);
    Value::list([Value::Int(seconds), Value::Int(now.0.rem_euclid(1_000_000_000) / 1000)])
}

/// Raises an event while there is something to tell, and once an empty list when there is nothing any more.
fn tell(w: &mut World, cx: &mut ServiceCx<'_>, key: &'static str, value: Option<Value>) {
    let before = w.senses.shown.insert(key, value.is_some()).unwrap_or(false);
    match value {
        Some(value) => w.notice(cx, key, value),
        None if before => w.notice(cx, key, Value::list([])),
        None => {}
    }
}

/// Returns how wide a thing of this size looks, in radians.
fn angle_of(size: f64, away: f64) -> f64 {
    2.0 * (size / 2.0 / away.max(1e-6)).atan()
}
