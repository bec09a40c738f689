//! The simulated robot's state, shared by its services, and the ways in which they notify the engine.

use super::alarm::{Alarm, Alarms};
use super::audio::Audio;
use super::body::SimBody;
use super::dialog::Talk;
use super::extractors::Extractors;
use super::gestures::Gestures;
use super::knowledge::Knowledge;
use super::leds::Leds;
use super::memory::{Kind, Memory};
use super::microphones::Microphones;
use super::motion::Motion;
use super::navigation::{Home, Maps};
use super::notifications::Notes;
use super::objects::Objects;
use super::physics::Physical;
use super::preferences::Preferences;
use super::recharge::Recharge;
use super::recognition::Recognition;
use super::senses::Senses;
use super::speech::Speech;
use super::table::{Answer, Reply};
use super::tracker::Tracker;
use super::video::Video;
use super::{SimOptions, behaviors, device, expressions};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError, Topic};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The state of all services.
pub(crate) struct World {
    pub(crate) options: SimOptions,
    pub(crate) body: SimBody,
    pub(crate) memory: Memory,
    pub(crate) alarms: Alarms,
    /// The values stored by settings methods: `service/key` or `service/key/argument`.
    pub(crate) settings: BTreeMap<String, Value>,
    pub(crate) extractors: Extractors,
    /// The topics that have subscribers.
    pub(crate) heard: BTreeSet<Topic>,
    pub(crate) speech: Speech,
    pub(crate) audio: Audio,
    pub(crate) leds: Leds,
    pub(crate) motion: Motion,
    pub(crate) recognition: Recognition,
    pub(crate) talk: Talk,
    pub(crate) tracker: Tracker,
    pub(crate) video: Video,
    pub(crate) gestures: Gestures,
    pub(crate) senses: Senses,
    pub(crate) microphones: Microphones,
    pub(crate) notes: Notes,
    pub(crate) preferences: Preferences,
    pub(crate) knowledge: Knowledge,
    pub(crate) recharge: Recharge,
    pub(crate) maps: Maps,
    pub(crate) home: Home,
    pub(crate) objects: Objects,
    /// How many lines the log has had.
    pub(crate) lines_written: i64,
    /// What moves the robot, if it can fall.
    pub(crate) physics: Option<Physical>,
}

impl World {
    /// Sets an alarm.
    pub(crate) fn alarm(&mut self, cx: &mut ServiceCx<'_>, at: Time, alarm: Alarm) {
        let token = self.alarms.add(alarm);
        cx.timer(at, token);
    }

    /// Answers a call after a number of seconds.
    pub(crate) fn answer_after(&mut self, cx: &mut ServiceCx<'_>, call: CallId, seconds: f64, value: Value) -> Reply {
        let at = after(cx.now(), seconds);
        self.alarm(cx, at, Alarm::Answer(call, value));
        Ok(Answer::Later)
    }

    /// Stores an event that a script or an external source raises, and notifies every subscriber.
    pub(crate) fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.store(cx, key, value.clone(), Kind::Event);
        cx.event(Topic::Memory(key.into()), value);
    }

    /// Stores an event that the robot itself raises. It is recorded in the trace only if it has subscribers, so that
    /// the trace is not flooded.
    pub(crate) fn notice(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: impl Into<Value>) {
        let value = value.into();
        self.store(cx, key, value.clone(), Kind::Event);
        if self.has_subscriber(key) {
            cx.event(Topic::Memory(key.into()), value);
        }
    }

    /// Stores a value and answers the calls that wait for its change.
    pub(crate) fn store(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value, kind: Kind) {
        for call in self.memory.set(key, value.clone(), kind, cx.now()) {
            cx.complete(call, Ok(value.clone()));
        }
        if kind == Kind::Event {
            self.talk.raised(key);
            expressions::raised(self, cx, key, &value);
        }
    }

    /// Emits a signal of a service, if it has subscribers.
    pub(crate) fn signal(&mut self, cx: &mut ServiceCx<'_>, service: &str, signal: &str, value: Value) {
        let topic = Topic::Signal(service.into(), signal.into());
        self.talk.raised(&format!("{service}.{signal}"));
        if self.heard.contains(&topic) {
            cx.event(topic, value);
        }
    }

    /// Returns whether this memory event has subscribers.
    pub(crate) fn has_subscriber(&self, key: &str) -> bool {
        self.heard.contains(&Topic::Memory(key.into()))
    }

    /// Returns a value in memory: stored, or computed from the robot's state (`Device/…`).
    pub(crate) fn data(&self, now: Time, key: &str) -> Option<Value> {
        device::value(self, now, key).or_else(|| self.memory.get(key).cloned())
    }

    /// Keeps on the disk what outlives the robot: preferences, and the behaviors that start with it.
    pub(crate) fn keep(&self) -> Result<(), ServiceError> {
        let Some(disk) = &self.options.disk else { return Ok(()) };
        let domain = |values: &BTreeMap<String, Value>| Value::map(values.iter().map(|(k, v)| (k.as_str(), v.clone())));
        let preferences = Value::map(self.preferences.iter().map(|(name, values)| (name.as_str(), domain(values))));
        let defaults = self.settings.get(behaviors::DEFAULTS).cloned().unwrap_or_else(|| Value::list([]));
        let all = Value::map([("preferences", preferences), ("defaultBehaviors", defaults)]);
        disk.keep(&all).map_err(|why| ServiceError::Failed(format!("it cannot be kept: {why}")))
    }

    /// Takes from the disk what an earlier robot has kept.
    pub(crate) fn remember(&mut self) {
        let Some(kept) = self.options.disk.as_ref().map(|disk| disk.kept()) else { return };
        let entries = |value: Option<&Value>| -> Vec<(String, Value)> {
            let map = value.and_then(Value::as_map).into_iter().flatten();
            map.filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value.clone()))).collect()
        };
        for (domain, values) in entries(kept.get("preferences")) {
            self.preferences.insert(domain, entries(Some(&values)).into_iter().collect());
        }
        if let Some(defaults) = kept.get("defaultBehaviors") {
            self.settings.insert(behaviors::DEFAULTS.into(), defaults.clone());
        }
    }

    /// Returns the value that a settings method stored.
    pub(crate) fn setting(&self, service: &str, key: &str) -> Option<&Value> {
        self.settings.get(&format!("{service}/{key}"))
    }
}

/// Returns the time that many seconds after another; the largest time if that is out of range.
pub(crate) fn after(now: Time, seconds: f64) -> Time {
    now + Time::from_secs_f64(seconds.max(0.0))
}

/// Formats seconds for people: `3.2 s`.
pub(crate) fn readable(seconds: f64) -> String {
    let text = format!("{:.2}", seconds);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}
