//! All that a simulated robot knows, written down while no call of a service is in flight.
//!
//! Joints, LEDs and the way of the robot may be under way all the same (`setAngles`, a fade whose call was stopped,
//! `moveToward`): they are saved as they move.

use super::audio::Audio;
use super::dialog::Dialog;
use super::extractors::Extractors;
use super::memory::Memory;
use super::motion::joints::{Joint, Track};
use super::motion::walk::Walk;
use super::recognition::Recognition;
use super::speech::Speech;
use super::tracker::Tracker;
use super::world::World;
use boxstep_motion::{JointPath, Shape};
use boxstep_types::{Time, Value, value_from_json};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Borrowed when it is written, owned when it is read.
#[derive(Serialize)]
struct Writes<'a> {
    body: String,
    memory: &'a Memory,
    #[serde(with = "pairs")]
    settings: &'a BTreeMap<String, Value>,
    extractors: &'a Extractors,
    speech: &'a Speech,
    audio: &'a Audio,
    leds: Vec<Moving>,
    #[serde(with = "pairs")]
    led_groups: &'a BTreeMap<String, Vec<usize>>,
    joints: Vec<JointState>,
    awake: bool,
    walk: &'a Walk,
    recognition: &'a Recognition,
    dialog: &'a Dialog,
    tracker: &'a Tracker,
    alarms: u64,
}

#[derive(Deserialize)]
struct Reads {
    body: String,
    memory: Memory,
    #[serde(with = "pairs")]
    settings: BTreeMap<String, Value>,
    extractors: Extractors,
    speech: Speech,
    audio: Audio,
    leds: Vec<Moving>,
    #[serde(with = "pairs")]
    led_groups: BTreeMap<String, Vec<usize>>,
    joints: Vec<JointState>,
    awake: bool,
    walk: Walk,
    recognition: Recognition,
    dialog: Dialog,
    tracker: Tracker,
    alarms: u64,
}

/// A [`Track`].
#[derive(Serialize, Deserialize)]
enum Moving {
    Still(f64),
    /// Along straight lines: since when, from which value, and seconds with values.
    Along(Time, f64, Vec<(f64, f64)>),
}

#[derive(Serialize, Deserialize)]
struct JointState {
    command: Moving,
    stiffness: Moving,
    limp: Option<f64>,
    later: Option<(f64, f64)>,
}

/// What is over is still; what is neither over nor straight cannot be saved.
fn moving(track: &Track, now: Time) -> Option<Moving> {
    let (since, sampler) = match track {
        Track::Still(x) => return Some(Moving::Still(*x)),
        Track::Curve(since, sampler) => (*since, sampler.borrow()),
    };
    let curve = sampler.curve();
    if (now - since).as_secs_f64() >= curve.end() {
        return Some(Moving::Still(curve.sample(curve.end())));
    }
    let straight = curve.start() == 0.0 && curve.segments().all(|s| s.shape == Shape::Linear);
    let points = curve.segments().map(|s| (s.to, curve.sample(s.to))).collect();
    straight.then(|| Moving::Along(since, curve.sample(0.0), points))
}

fn track(moving: Moving) -> Result<Track, String> {
    match moving {
        Moving::Still(x) => Ok(Track::Still(x)),
        Moving::Along(since, from, points) => {
            let curve = JointPath::linear("", points).curve(from).map_err(|e| e.to_string())?;
            Ok(Track::along(since, curve))
        }
    }
}

fn joint(j: &Joint, now: Time) -> Option<JointState> {
    let (command, stiffness) = (moving(&j.command, now)?, moving(&j.stiffness, now)?);
    Some(JointState { command, stiffness, limp: j.limp, later: j.later })
}

/// # Errors
/// What the robot does that cannot be saved.
pub(super) fn save(w: &World, now: Time) -> Result<Value, String> {
    let busy = [
        (!w.motion.tasks.is_empty(), "a motion is under way"),
        (w.motion.walk.is_awaited(), "the robot is on its way"),
        (w.speech.is_speaking(), "the robot speaks"),
        (w.audio.is_playing(), "a sound is played"),
        (w.memory.is_awaited(), "somebody waits for a change in memory"),
    ];
    if let Some((_, what)) = busy.into_iter().find(|(is, _)| *is) {
        return Err(what.to_owned());
    }
    if let Some(key) = w.memory.object() {
        return Err(format!("its memory's {key} holds an object that only a script host knows"));
    }
    let curved = |what: &str| format!("{what} moves along a curve");
    let joints = w.motion.joints.iter().enumerate();
    let joints = joints.map(|(i, j)| joint(j, now).ok_or_else(|| curved(&w.body.joint_name(i))));
    let (leds, led_groups) = w.leds.parts();
    let leds = leds.iter().map(|t| moving(t, now).ok_or_else(|| curved("a LED")));
    let writes = Writes {
        body: w.options.body.to_string(),
        memory: &w.memory,
        settings: &w.settings,
        extractors: &w.extractors,
        speech: &w.speech,
        audio: &w.audio,
        leds: leds.collect::<Result<_, _>>()?,
        led_groups,
        joints: joints.collect::<Result<_, _>>()?,
        awake: w.motion.awake,
        walk: &w.motion.walk,
        recognition: &w.recognition,
        dialog: &w.dialog,
        tracker: &w.tracker,
        alarms: w.alarms.last(),
    };
    let text = serde_json::to_string(&writes).map_err(|e| e.to_string())?;
    value_from_json(&text).map_err(|e| e.to_string())
}

/// # Errors
/// What is not as a robot with this body saves it. The world is as it was then.
pub(super) fn restore(w: &mut World, state: &Value) -> Result<(), String> {
    let reads: Reads =
        serde_json::from_str(&state.to_string()).map_err(|e| format!("not what this robot saves: {e}"))?;
    if reads.body != w.options.body.to_string() {
        return Err(format!("it was saved by a {}, and this is a {}", reads.body, w.options.body));
    }
    let joint = |j: JointState| {
        Ok::<_, String>(Joint {
            command: track(j.command)?,
            stiffness: track(j.stiffness)?,
            limp: j.limp,
            later: j.later,
        })
    };
    let joints = reads.joints.into_iter().map(joint).collect::<Result<Vec<Joint>, _>>()?;
    if joints.len() != w.motion.joints.len() {
        return Err("it has other joints".to_owned());
    }
    let leds = reads.leds.into_iter().map(track).collect::<Result<_, _>>()?;
    if !w.leds.restore(leds, reads.led_groups) {
        return Err("it has other LEDs".to_owned());
    }
    w.memory = reads.memory;
    w.settings = reads.settings;
    w.extractors = reads.extractors;
    w.heard.clear();
    w.speech = reads.speech;
    w.audio = reads.audio;
    (w.motion.joints, w.motion.awake, w.motion.walk) = (joints, reads.awake, reads.walk);
    w.motion.tasks.clear();
    w.recognition = reads.recognition;
    w.dialog = reads.dialog;
    w.tracker = reads.tracker;
    w.alarms = super::Alarms::after(reads.alarms);
    Ok(())
}

/// The name of a service, as its table has it.
pub(super) fn service(name: &str) -> Result<&'static str, String> {
    super::find(name).map(|s| s.name).ok_or_else(|| format!("there is no service {name}"))
}

/// Maps as lists of pairs: keys are any text, and some no text at all.
pub(super) mod pairs {
    use serde::de::DeserializeOwned;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(crate) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        s.collect_seq(map.iter())
    }

    pub(crate) fn deserialize<'de, K: DeserializeOwned + Ord, V: DeserializeOwned, D: Deserializer<'de>>(
        d: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        Ok(Vec::<(K, V)>::deserialize(d)?.into_iter().collect())
    }
}

/// The same, by service.
pub(super) mod by_service {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::{Deserialize, Deserializer};
    use std::collections::BTreeMap;

    pub(crate) use super::pairs::serialize;

    pub(crate) fn deserialize<'de, V: DeserializeOwned, D: Deserializer<'de>>(
        d: D,
    ) -> Result<BTreeMap<&'static str, V>, D::Error> {
        let known = |(name, value): (String, V)| Ok((super::service(&name).map_err(D::Error::custom)?, value));
        Vec::<(String, V)>::deserialize(d)?.into_iter().map(known).collect()
    }
}
