//! People: who is there, how far away, how near the robot, and where they look.

use super::{View, around, float, floats, stamp};
use crate::frames::{inner, robot_in_world, torso_in_robot};
use crate::memory::Kind;
use crate::surroundings::{Person, Surroundings, Vec3};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

const SERVICE: &str = "ALPeoplePerception";
const PEOPLE: &str = "PeoplePerception";

/// What is remembered of a person.
#[derive(Clone, Debug)]
struct Known {
    since: Time,
    seen: Time,
    visible: bool,
    /// The zone, and the distance when it last came nearer or went away.
    zone: i64,
    distance: f64,
    looks: bool,
}

/// The people whom the robot has seen lately.
#[derive(Debug, Default)]
pub(crate) struct PeopleMemory {
    known: BTreeMap<i64, Known>,
}

impl PeopleMemory {
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Returns whether the robot knows that a person is there.
    pub(crate) fn knows(&self, id: i64) -> bool {
        self.known.contains_key(&id)
    }

    fn ids(&self, which: impl Fn(&Known) -> bool) -> Value {
        Value::list(self.known.iter().filter(|(_, known)| which(known)).map(|(id, _)| Value::Int(*id)))
    }
}

/// Where a person is seen.
struct Sight<'a> {
    person: &'a Person,
    face: Vec3,
    left: f64,
    down: f64,
    distance: f64,
}

fn sights<'a>(w: &World, around: &'a Surroundings, view: &View<'_>, now: Time) -> Vec<Sight<'a>> {
    let range = w.setting(SERVICE, "maximumRange").and_then(Value::as_f64).unwrap_or(3.5);
    let sight = |person: &'a Person| {
        let face = person.face(now.as_secs_f64())?;
        let seen = view.sees(face)?;
        let distance = distance(face, view.eye.place());
        (distance <= range).then_some(Sight { person, face, left: seen.left, down: seen.down, distance })
    };
    around.people.iter().filter_map(sight).collect()
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

pub(super) fn work(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let Some(view) = View::of(w, &around, now, SERVICE) else { return };
    let sights = sights(w, &around, &view, now);
    let before: Vec<i64> = w.senses.people.known.keys().copied().collect();
    let were_visible = w.senses.people.ids(|known| known.visible);
    let patience = w.setting(SERVICE, "disappears").and_then(Value::as_f64).unwrap_or(10.0);
    for known in w.senses.people.known.values_mut() {
        known.visible = false;
    }
    let mut arrived = Vec::new();
    for sight in &sights {
        let fresh = Known { since: now, seen: now, visible: true, zone: 0, distance: sight.distance, looks: false };
        let known = w.senses.people.known.entry(sight.person.id).or_insert(fresh);
        (known.visible, known.seen) = (true, now);
        if !before.contains(&sight.person.id) {
            arrived.push(sight.person.id);
        }
    }
    w.senses.people.known.retain(|_, known| (now - known.seen).as_secs_f64() < patience);
    let left: Vec<i64> = before.iter().copied().filter(|id| !w.senses.people.knows(*id)).collect();
    for sight in &sights {
        describe(w, cx, sight);
    }
    for (id, known) in w.senses.people.known.clone() {
        let values = [
            ("IsVisible", Value::Bool(known.visible)),
            ("PresentSince", float((now - known.since).as_secs_f64())),
            ("NotSeenSince", float((now - known.seen).as_secs_f64())),
        ];
        values.into_iter().for_each(|(key, value)| put(w, cx, id, key, value));
    }
    let lists = [
        ("PeopleList", w.senses.people.ids(|_| true)),
        ("VisiblePeopleList", w.senses.people.ids(|known| known.visible)),
        ("NonVisiblePeopleList", w.senses.people.ids(|known| !known.visible)),
    ];
    if !arrived.is_empty() || !left.is_empty() || lists[1].1 != were_visible {
        for (key, value) in &lists {
            w.notice(cx, &format!("{PEOPLE}/{key}"), value.clone());
        }
    }
    for id in &left {
        w.notice(cx, &format!("{PEOPLE}/JustLeft"), Value::Int(*id));
    }
    for id in &arrived {
        w.notice(cx, &format!("{PEOPLE}/JustArrived"), Value::Int(*id));
    }
    if !arrived.is_empty() || !left.is_empty() {
        w.notice(cx, &format!("{PEOPLE}/PopulationUpdated"), lists[0].1.clone());
    }
    if !sights.is_empty() {
        let [torso, robot] = view.poses(w, now);
        let person = |s: &Sight<'_>| Value::list([s.person.id.into(), float(s.distance), float(s.down), float(s.left)]);
        let people = Value::list(sights.iter().map(person));
        let value = [stamp(w, now), people, torso, robot, Value::Int(view.eye.camera.number)];
        w.notice(cx, &format!("{PEOPLE}/PeopleDetected"), Value::list(value));
    }
}

/// Writes a value of a person into memory.
fn put(w: &mut World, cx: &mut ServiceCx<'_>, id: i64, key: &str, value: Value) {
    w.store(cx, &format!("{PEOPLE}/Person/{id}/{key}"), value, Kind::Data);
}

/// Writes where a person is, and how the person looks.
fn describe(w: &mut World, cx: &mut ServiceCx<'_>, sight: &Sight<'_>) {
    let now = cx.now();
    let in_robot = inner(&robot_in_world(w, now), sight.face);
    let in_torso = inner(&torso_in_robot(w, now), in_robot);
    let Sight { person, face, left, down, distance } = sight;
    let values = [
        ("AnglesYawPitch", floats([*left, *down])),
        ("Distance", float(*distance)),
        ("IsFaceDetected", Value::Bool(true)),
        ("PositionInTorsoFrame", floats(in_torso)),
        ("PositionInRobotFrame", floats(in_robot)),
        ("PositionInWorldFrame", floats(*face)),
        ("RealHeight", float(person.height)),
        ("ShirtColorHSV", floats(hsv(person.color))),
        ("ShirtColor", Value::list(person.color.map(|part| Value::Int(part.into())))),
    ];
    values.into_iter().for_each(|(key, value)| put(w, cx, person.id, key, value));
}

/// Returns hue in degrees, saturation and value in parts of 1.
fn hsv(rgb: [u8; 3]) -> [f64; 3] {
    let [r, g, b] = rgb.map(|part| f64::from(part) / 255.0);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let range = most - least;
    let hue = match () {
        () if range == 0.0 => 0.0,
        () if most == r => ((g - b) / range).rem_euclid(6.0),
        () if most == g => (b - r) / range + 2.0,
        () => (r - g) / range + 4.0,
    };
    [60.0 * hue, if most > 0.0 { range / most } else { 0.0 }, most]
}

/// Returns the zone of a place: its direction from the robot in radians, and its distance in metres.
pub(crate) fn zone(w: &World, angle: f64, distance: f64) -> i64 {
    let limit = |key: &str, usual: f64| w.setting("ALEngagementZones", key).and_then(Value::as_f64).unwrap_or(usual);
    if angle.abs() > limit("angle", 90.0).to_radians() / 2.0 || distance > limit("second", 2.5) {
        3
    } else if distance > limit("first", 1.5) {
        2
    } else {
        1
    }
}

/// How much nearer or farther somebody has to be to have approached or moved away, in metres.
const STEP: f64 = 0.3;

/// Returns the people whom the camera of a service sees, with their places in the robot's frame. They count as known.
fn seen(w: &mut World, now: Time) -> Vec<(i64, Vec3)> {
    let around = around(w);
    let Some(view) = View::of(w, &around, now, SERVICE) else { return Vec::new() };
    let robot = robot_in_world(w, now);
    let sights = sights(w, &around, &view, now);
    for sight in &sights {
        let fresh = Known { since: now, seen: now, visible: true, zone: 0, distance: sight.distance, looks: false };
        w.senses.people.known.entry(sight.person.id).or_insert(fresh);
    }
    sights.iter().map(|sight| (sight.person.id, inner(&robot, sight.face))).collect()
}

pub(super) fn work_on_zones(w: &mut World, cx: &mut ServiceCx<'_>) {
    let mut zones: [Vec<Value>; 3] = Default::default();
    let (mut entered, mut moved) = (Vec::new(), Vec::new());
    for (id, [x, y, _]) in seen(w, cx.now()) {
        let distance = x.hypot(y);
        let zone = zone(w, y.atan2(x), distance);
        if let Some(list) = zones.get_mut(zone as usize - 1) {
            list.push(Value::Int(id));
        }
        let Some(known) = w.senses.people.known.get_mut(&id) else { continue };
        if known.zone != zone {
            known.zone = zone;
            entered.push((id, zone));
        }
        if (distance - known.distance).abs() >= STEP {
            moved.push((id, distance < known.distance));
            known.distance = distance;
        }
        put(w, cx, id, "EngagementZone", Value::Int(zone));
    }
    if !entered.is_empty() {
        let value = Value::list(zones.map(|zone| Value::List(zone.into())));
        w.notice(cx, "EngagementZones/PeopleInZonesUpdated", value);
    }
    for (id, zone) in entered {
        w.notice(cx, &format!("EngagementZones/PersonEnteredZone{zone}"), id);
    }
    for (id, nearer) in moved {
        let key = if nearer { "PersonApproached" } else { "PersonMovedAway" };
        w.notice(cx, &format!("EngagementZones/{key}"), id);
    }
}

/// Returns the people whom the robot sees, the nearest first.
pub(crate) fn people_in_view(w: &World, now: Time) -> Vec<i64> {
    let around = around(w);
    let Some(view) = View::of(w, &around, now, SERVICE) else { return Vec::new() };
    let mut sights = sights(w, &around, &view, now);
    sights.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    sights.iter().map(|sight| sight.person.id).collect()
}

pub(super) fn work_on_gazes(w: &mut World, cx: &mut ServiceCx<'_>) {
    let seen = seen(w, cx.now());
    let mut changed = Vec::new();
    for (id, _) in &seen {
        let looks = w.options.world.person(*id).is_some_and(|person| person.looks);
        put(w, cx, *id, "IsLookingAtRobot", Value::Bool(looks));
        put(w, cx, *id, "LookingAtRobotScore", Value::Float(if looks { 1.0 } else { 0.0 }));
        put(w, cx, *id, "GazeDirection", floats([0.0, 0.0]));
    }
    for (id, known) in &mut w.senses.people.known {
        let looks = seen.iter().any(|(seen, _)| seen == id) && w.options.world.person(*id).is_some_and(|p| p.looks);
        if known.looks != looks {
            known.looks = looks;
            changed.push((*id, looks));
        }
    }
    if changed.is_empty() {
        return;
    }
    let list = w.senses.people.ids(|known| known.looks);
    w.notice(cx, "GazeAnalysis/PeopleLookingAtRobot", list);
    for (id, looks) in changed {
        let what = if looks { "Starts" } else { "Stops" };
        w.notice(cx, &format!("GazeAnalysis/Person{what}LookingAtRobot"), id);
    }
}

pub(super) fn work_on_smiles(w: &mut World, cx: &mut ServiceCx<'_>) {
    let least = w.setting("ALFaceCharacteristics", "smiling").and_then(Value::as_f64).unwrap_or(0.8);
    for (id, _) in seen(w, cx.now()) {
        characterize(w, cx, id);
        if w.options.world.person(id).is_some_and(|person| person.smile >= least) {
            w.notice(cx, "FaceCharacteristics/PersonSmiling", id);
        }
    }
}

/// Writes what the face of a person tells; returns whether the robot sees the person.
pub(crate) fn characterize(w: &mut World, cx: &mut ServiceCx<'_>, id: i64) -> bool {
    let is_seen = seen(w, cx.now()).iter().any(|(seen, _)| *seen == id);
    let Some(person) = around(w).person(id).filter(|_| is_seen).cloned() else { return false };
    let gender = if person.is_female { 0.0 } else { 1.0 };
    let calm = 1.0 - person.smile;
    let values = [
        ("AgeProperties", floats([person.age, 0.8])),
        ("GenderProperties", floats([gender, 0.8])),
        ("SmileProperties", floats([person.smile, 0.8])),
        // Neutral, happy, surprised, angry, sad.
        ("ExpressionProperties", floats([calm, person.smile, 0.0, 0.0, 0.0])),
    ];
    values.into_iter().for_each(|(key, value)| put(w, cx, id, key, value));
    true
}
