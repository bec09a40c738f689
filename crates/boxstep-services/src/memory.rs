//! `ALMemory`: data, events and micro-events.
//!
//! The engine handles subscriptions; this module stores values. Source: the page ALMemory API,
//! `naoqi/core/almemory-api` of the NAOqi documentation.

use super::expressions;
use super::world::World;
use crate::table::{
    Answer, Call, Const, Reply, Service, answers, done, engine, failed, known, ok, robot, runs, service, sets, unknown,
};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError, Topic};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALMemory",
    "Values and events by name",
    &[
        runs("insertData", "Writes a value", robot("(si)v (sf)v (ss)v (sm)v"), insert_data),
        runs("getData", "Value of a key; an error if there is none", robot("(s)m (si)m"), get_data),
        runs("getListData", "Values of several keys", robot("(m)m"), get_list_data),
        runs("insertListData", "Writes pairs of key and value", robot("(m)v"), insert_list_data),
        runs("raiseEvent", "Writes a value and tells the subscribers", robot("(sm)v"), raise_event),
        runs("raiseMicroEvent", "Tells the subscribers without keeping the value", robot("(sm)v"), raise_micro_event),
        engine("subscribeToEvent", "Calls a module's method when the event is raised", robot("(sss)v (ssss)v (mm)v")),
        engine("unsubscribeToEvent", "Ends a subscription", robot("(ss)v")),
        engine(
            "subscribeToMicroEvent",
            "Calls a module's method when the micro-event is raised",
            robot("(ssss)v (mmm)v"),
        ),
        engine("unsubscribeToMicroEvent", "Ends a micro-event subscription", robot("(ss)v")),
        runs("declareEvent", "Makes an event known", robot("(s)v (ss)v"), declare_event),
        runs("removeEvent", "Forgets an event", robot("(s)v"), remove_data),
        runs("removeMicroEvent", "Forgets a micro-event", robot("(s)v"), remove_data),
        runs("removeData", "Forgets a key", robot("(s)v"), remove_data),
        engine("subscriber", "Object with the signal of an event", robot("(s)o")),
        runs("getDataList", "Keys that contain a text", robot("(s)[s]"), get_data_list),
        runs("getDataListName", "Every key", robot("()[s]"), get_data_list_name),
        runs("getEventList", "Every event", robot("()[s]"), get_event_list),
        runs("getMicroEventList", "Every micro-event", robot("()[s]"), get_micro_event_list),
        runs("getSubscribers", "Who subscribes to an event", robot("(s)[s]"), get_subscribers),
        runs("getTimestamp", "Value with the time it was written", robot("(s)m"), get_timestamp),
        runs("getExtractorEvent", "Events of an extractor", robot("(s)[s]"), get_extractor_event),
        answers("getEventHistory", "Last values of an event", robot("(s)m"), Const::Empty),
        runs("getDataOnChange", "Waits for a key to change", robot("(si)m"), get_data_on_change),
        known("getDataPtr", "Address of a value", robot("(s)X")),
        runs("getType", "Type of a value", robot("(s)s"), get_type),
        runs("getDescriptionList", "Descriptions of keys", robot("([s])m"), get_description_list),
        sets("setDescription", "Describes a key", robot("(ss)v"), "description"),
        runs("insertEvent", "Old form of declareEvent", unknown("(m)m (mm)m"), declare_event),
        known("addMapping", "Renames a key for a service", robot("(sss)v (s{ss})v")),
        known("addMappings", "Renames keys for a service", unknown("(mm)m")),
        answers("unregisterModuleReference", "Ends every subscription of a module", robot("(s)v"), Const::Null),
        runs("declareMicroEvent", "Makes an event known", unknown("(m)m (mm)m"), declare_micro_event),
    ],
)];

/// How a key was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Data,
    Event,
    MicroEvent,
}

#[derive(Debug)]
struct Entry {
    value: Value,
    kind: Kind,
    at: Time,
}

/// The robot's memory.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    entries: BTreeMap<Arc<str>, Entry>,
    /// The calls of `getDataOnChange`, by key.
    waiting: BTreeMap<Arc<str>, BTreeSet<CallId>>,
}

impl Memory {
    /// Stores a value, and returns the calls that waited for a change. A key that was declared as an event stays one.
    pub(crate) fn set(&mut self, key: &str, value: Value, kind: Kind, at: Time) -> Vec<CallId> {
        let mut changed = true;
        if let Some(entry) = self.entries.get_mut(key) {
            changed = entry.value != value;
            entry.value = value;
            entry.at = at;
            if kind != Kind::Data {
                entry.kind = kind;
            }
        } else {
            self.entries.insert(key.into(), Entry { value, kind, at });
        }
        if !changed || self.waiting.is_empty() {
            return Vec::new();
        }
        self.waiting.remove(key).map(|calls| calls.into_iter().collect()).unwrap_or_default()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.entries.get(key).map(|e| &e.value)
    }

    /// Returns the keys that begin with a text, in order, with their values.
    pub(crate) fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let from = self.entries.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        from.take_while(move |(key, _)| key.starts_with(prefix)).map(|(key, entry)| (&**key, &entry.value))
    }

    /// Returns a value and when it was stored.
    pub(crate) fn changed(&self, key: &str) -> Option<(&Value, Time)> {
        self.entries.get(key).map(|e| (&e.value, e.at))
    }

    /// Declares an event without raising it.
    pub(crate) fn declare(&mut self, key: &str, kind: Kind, now: Time) {
        match self.entries.get_mut(key) {
            Some(entry) if entry.kind == Kind::Data => entry.kind = kind,
            Some(_) => {}
            None => {
                self.entries.insert(key.into(), Entry { value: Value::Null, kind, at: now });
            }
        }
    }

    fn remove(&mut self, key: &str) -> bool {
        self.entries.remove(key).is_some()
    }

    fn names(&self, keep: impl Fn(&str, Kind) -> bool) -> Value {
        Value::list(self.entries.iter().filter(|(k, e)| keep(k, e.kind)).map(|(k, _)| Value::Str(k.clone())))
    }

    pub(crate) fn cancel(&mut self, call: CallId) {
        for calls in self.waiting.values_mut() {
            calls.remove(&call);
        }
    }

    /// Returns the calls that wait for a change, and forgets them.
    pub(crate) fn drain(&mut self) -> Vec<CallId> {
        std::mem::take(&mut self.waiting).into_values().flatten().collect()
    }
}

fn no_data<T>(key: &str) -> Result<T, ServiceError> {
    failed(format!("there is no data with the key `{key}`"))
}

fn get_data(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    let key = args.text(0, "key")?;
    match w.data(now, key) {
        Some(value) => ok(value),
        None => no_data(key),
    }
}

fn get_list_data(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    let keys = args.texts(0, "keys")?;
    ok(Value::list(keys.into_iter().map(|key| w.data(now, key).unwrap_or_default())))
}

fn get_data_on_change(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "key")?;
    w.memory.waiting.entry(key.into()).or_default().insert(call.id);
    Ok(Answer::Later)
}

fn insert_data(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let key = args.text(0, "key")?;
    let value = args.value(1, "data")?.clone();
    w.store(cx, key, value, Kind::Data);
    done()
}

fn insert_list_data(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    for item in call.args.list(0, "list")? {
        match item.as_list() {
            Some([Value::Str(key), value, ..]) => w.store(cx, key, value.clone(), Kind::Data),
            _ => return super::table::bad("argument 1 (list) must be a list of pairs [key, value]"),
        }
    }
    done()
}

fn raise_event(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let key = args.text(0, "event")?;
    w.raise(cx, key, args.get(1).cloned().unwrap_or_default());
    done()
}

/// Raises a micro-event, which is not stored.
fn raise_micro_event(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    let key = args.text(0, "event")?;
    w.memory.declare(key, Kind::MicroEvent, now);
    let value = args.get(1).cloned().unwrap_or_default();
    expressions::raised(w, cx, key, &value);
    cx.event(Topic::Memory(key.into()), value);
    done()
}

fn declare_event(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    w.memory.declare(args.text(0, "event")?, Kind::Event, now);
    done()
}

fn declare_micro_event(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    w.memory.declare(args.text(0, "event")?, Kind::MicroEvent, now);
    done()
}

fn remove_data(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "key")?;
    if w.memory.remove(key) { done() } else { no_data(key) }
}

fn get_data_list(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let part = call.args.text(0, "filter")?;
    ok(w.memory.names(|key, _| key.contains(part)))
}

fn get_data_list_name(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.memory.names(|_, _| true))
}

fn get_event_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.memory.names(|_, kind| kind == Kind::Event))
}

fn get_micro_event_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.memory.names(|_, kind| kind == Kind::MicroEvent))
}

fn get_extractor_event(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "extractor")?;
    let events = crate::service(name).map(|s| s.events).unwrap_or_default();
    ok(Value::list(events.iter().map(|e| Value::from(*e))))
}

fn get_subscribers(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "event")?;
    // Only the engine knows the subscribers; this module knows whether there are any.
    ok(Value::list(w.has_subscriber(key).then(|| Value::from("behavior"))))
}

fn get_description_list(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let keys = call.args.texts(0, "keys")?;
    let text = |key: &str| w.setting("ALMemory", &format!("description/{key}")).cloned().unwrap_or("".into());
    ok(Value::list(keys.into_iter().map(|key| Value::list([key.into(), text(key)]))))
}

fn get_type(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "key")?;
    match w.memory.entries.get(key).map(|e| e.kind) {
        Some(Kind::Data) => ok("Data"),
        Some(Kind::Event) => ok("Event"),
        Some(Kind::MicroEvent) => ok("MicroEvent"),
        None => no_data(key),
    }
}

fn get_timestamp(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "key")?;
    match w.memory.entries.get(key) {
        Some(e) => ok(Value::list([
            e.value.clone(),
            (e.at.0.div_euclid(1_000_000_000)).into(),
            (e.at.0.rem_euclid(1_000_000_000) / 1000).into(),
        ])),
        None => no_data(key),
    }
}
