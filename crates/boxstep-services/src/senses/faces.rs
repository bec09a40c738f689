//! Faces: who is seen, and who is recognized.

use super::{View, angle_of, around, float, floats, stamp, tell};
use crate::surroundings::Person;
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};

const SERVICE: &str = "ALFaceDetection";
/// The farthest face, in metres.
const FARTHEST: f64 = 3.5;
/// The width and height of a face, in metres.
const FACE: [f64; 2] = [0.16, 0.22];
/// When faces that are not recognized are reported.
const UNKNOWN_AFTER: Time = Time::from_millis(8_000);

/// The faces that were learned and recognized.
#[derive(Debug, Default)]
pub(crate) struct Faces {
    /// Who was learned, by the name.
    learned: BTreeMap<String, i64>,
    /// The names that were last reported.
    told: BTreeSet<String>,
    /// Since when there are only faces that nobody has learned, and whether that was reported.
    unknown: Option<(Time, bool)>,
}

impl Faces {
    pub(crate) fn learn(&mut self, name: &str, person: i64) {
        self.learned.insert(name.to_owned(), person);
    }

    pub(crate) fn forget(&mut self, name: Option<&str>) {
        match name {
            Some(name) => drop(self.learned.remove(name)),
            None => self.learned.clear(),
        }
    }

    /// Returns the name under which a person was learned.
    pub(crate) fn name_of(&self, person: i64) -> Option<&str> {
        self.learned.iter().find(|(_, id)| **id == person).map(|(name, _)| name.as_str())
    }
}

/// Returns the person whose face the camera sees nearest to the middle of its picture.
pub(crate) fn in_front(w: &World, now: Time) -> Option<i64> {
    let around = around(w);
    let view = View::of(w, &around, now, SERVICE)?;
    let seen = around.people.iter().filter_map(|person| {
        let seen = view.sees(person.face(now.as_secs_f64())?)?;
        (seen.ahead <= FARTHEST).then(|| (person.id, seen.left.hypot(seen.down)))
    });
    seen.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id)
}

pub(super) fn work(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let Some(view) = View::of(w, &around, now, SERVICE) else { return };
    let t = now.as_secs_f64();
    let recognizes = w.setting(SERVICE, "recognition").is_none_or(Value::truthy);
    let mut infos = Vec::new();
    let mut names = BTreeSet::new();
    for person in &around.people {
        let seen = person.face(t).and_then(|face| view.sees(face)).filter(|seen| seen.ahead <= FARTHEST);
        let Some(seen) = seen else { continue };
        let name = w.senses.faces.name_of(person.id).filter(|_| recognizes).unwrap_or_default().to_owned();
        let size = FACE.map(|length| angle_of(length, seen.ahead));
        infos.push(info(person, [seen.left, seen.down], size, &name));
        if !name.is_empty() {
            names.insert(name);
        }
    }
    let value = (!infos.is_empty()).then(|| {
        infos.push(filtered(w, now, names.clone()));
        let [torso, robot] = view.poses(w, now);
        Value::list([stamp(w, now), Value::List(infos.into()), torso, robot, Value::Int(view.eye.camera.number)])
    });
    if value.is_none() {
        (w.senses.faces.told, w.senses.faces.unknown) = (BTreeSet::new(), None);
    }
    tell(w, cx, "FaceDetected", value);
}

/// Returns a face in the documented layout: its place and size in the picture, and who it is.
fn info(person: &Person, [left, down]: [f64; 2], [wide, high]: [f64; 2], name: &str) -> Value {
    let shape = Value::list([Value::Int(0), float(left), float(down), float(wide), float(high)]);
    let score = if name.is_empty() { 0.0 } else { 1.0 };
    // The middle of an eye, its inner and its outer corner.
    let eye = |side: f64| {
        let (x, y) = (left + side * 0.2 * wide, down - 0.1 * high);
        floats([x, y, x - side * 0.08 * wide, y, x + side * 0.08 * wide, y])
    };
    let nose_y = down + 0.1 * high;
    let nose = floats([left, nose_y, left + 0.07 * wide, nose_y, left - 0.07 * wide, nose_y]);
    let mouth_y = down + 0.27 * high;
    let corner = 0.16 * wide;
    let mouth = floats([
        left + corner,
        mouth_y,
        left - corner,
        mouth_y,
        left,
        mouth_y - 0.03 * high,
        left,
        mouth_y + 0.03 * high,
    ]);
    let none = Value::list([]);
    let extra =
        [Value::Int(person.id), float(score), name.into(), eye(1.0), eye(-1.0), none.clone(), none, nose, mouth];
    Value::list([shape, Value::list(extra)])
}

/// Returns what is new about who was recognized: nothing, `[4]` once nobody has been for a while, `[2, [name]]` or
/// `[3, [names]]`.
fn filtered(w: &mut World, now: Time, names: BTreeSet<String>) -> Value {
    let faces = &mut w.senses.faces;
    if names.is_empty() {
        let (since, told) = faces.unknown.unwrap_or((now, false));
        let is_news = !told && now - since >= UNKNOWN_AFTER;
        faces.unknown = Some((since, told || is_news));
        return if is_news { Value::list([Value::Int(4)]) } else { Value::list([]) };
    }
    faces.unknown = None;
    if names == faces.told {
        return Value::list([]);
    }
    let kind = if names.len() == 1 { 2 } else { 3 };
    let list = Value::list(names.iter().map(|name| Value::from(name.as_str())));
    faces.told = names;
    Value::list([Value::Int(kind), list])
}
