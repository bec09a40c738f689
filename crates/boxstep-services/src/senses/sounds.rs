//! Sounds: where they come from, and when they begin and end.

use super::{around, float, floats, stamp};
use crate::frames::{head_in_robot, inner, position6, robot_in_world, torso_in_robot};
use crate::surroundings::{Sound, Vec3};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};
use std::collections::BTreeSet;

/// The sounds that were reported, by their number in the file.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    placed: BTreeSet<usize>,
    /// Those that have begun, and those that have ended.
    begun: BTreeSet<usize>,
    ended: BTreeSet<usize>,
}

/// The least level that is heard at the robot.
const SOFTEST: f64 = 0.02;

/// Returns how loud a sound is at the robot's head, 0…1; it is 0 when the sound is over or too soft.
pub(crate) fn level(w: &World, now: Time, sound: &Sound) -> f64 {
    let t = now.as_secs_f64();
    if t < sound.time || t >= sound.time + sound.seconds {
        return 0.0;
    }
    let head = robot_in_world(w, now) * head_in_robot(w, now);
    let away = inner(&head, sound.at).iter().map(|x| x * x).sum::<f64>().sqrt();
    let level = sound.level / away.max(1.0);
    if level < SOFTEST { 0.0 } else { level }
}

/// A sound is located once, when it is first heard.
pub(super) fn work_on_places(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let mut all = Vec::new();
    for (number, sound) in around.sounds.iter().enumerate() {
        let level = level(w, now, sound);
        if level == 0.0 || !w.senses.sounds.placed.insert(number) {
            continue;
        }
        let in_robot = head_in_robot(w, now);
        let in_torso = torso_in_robot(w, now).inverse() * in_robot;
        let [x, y, z] = inner(&(robot_in_world(w, now) * in_robot), sound.at);
        let found = floats([y.atan2(x), z.atan2(x.hypot(y)), 0.9, level]);
        let value = [stamp(w, now), found, floats(position6(&in_torso)), floats(position6(&in_robot))];
        all.push(Value::list(value));
    }
    for value in &all {
        w.notice(cx, "ALSoundLocalization/SoundLocated", value.clone());
    }
    if !all.is_empty() {
        w.notice(cx, "ALSoundLocalization/SoundsLocated", Value::List(all.into()));
    }
}

/// The beginning (type 1) and the end (type 0) of each sound: index, type, confidence, time.
pub(super) fn work_on_sounds(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let mut all = Vec::new();
    for (number, sound) in around.sounds.iter().enumerate() {
        let is_heard = level(w, now, sound) > 0.0;
        let heard = &mut w.senses.sounds;
        let kind = match () {
            () if is_heard && heard.begun.insert(number) => 1,
            () if !is_heard && heard.begun.contains(&number) && heard.ended.insert(number) => 0,
            () => continue,
        };
        let microseconds = w.options.epoch * 1_000_000 + now.0 / 1000;
        all.push(Value::list([Value::Int(0), Value::Int(kind), float(0.9), Value::Int(microseconds)]));
    }
    if !all.is_empty() {
        w.notice(cx, "SoundDetected", Value::List(all.into()));
    }
}

/// Returns the place of the loudest sound that is heard.
pub(crate) fn loudest(w: &World, now: Time) -> Option<Vec3> {
    let heard = w.options.world.sounds.iter().map(|sound| (level(w, now, sound), sound.at)).filter(|(l, _)| *l > 0.0);
    heard.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}

/// Returns how loud it is at the robot's head: the sum of the sounds, at most 1.
pub(crate) fn loudness(w: &World, now: Time) -> f64 {
    w.options.world.sounds.iter().map(|sound| level(w, now, sound)).sum::<f64>().min(1.0)
}
