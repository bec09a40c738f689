//! `ALMemory`: data, events and micro-events.
//!
//! Subscriptions are the engine's; here is what is stored. The page is ALMemory API,
//! `naoqi/core/almemory-api` of the NAOqi documentation.

use super::table::{Answer, Call, Const, Method, Reply, Service, code, done, failed, ok, put, say, service};
use super::world::World;
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError, Topic};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How a key came to be.
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
    /// Calls of `getDataOnChange`, by key.
    waiting: BTreeMap<Arc<str>, BTreeSet<CallId>>,
}

impl Memory {
    /// Stores a value. A key that was declared as an event stays one. Gives the calls that waited.
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

    /// Makes an event known without raising it.
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

    /// The calls that wait for a change; they are forgotten.
    pub(crate) fn drain(&mut self) -> Vec<CallId> {
        std::mem::take(&mut self.waiting).into_values().flatten().collect()
    }
}

const METHODS: &[Method] = &[
    code("declareEvent", 1, 2),
    code("declareMicroEvent", 1, 2),
    code("getData", 1, 2),
    code("getDataList", 1, 1),
    code("getDataListName", 0, 0),
    code("getDataOnChange", 1, 2),
    code("getDescriptionList", 1, 1),
    code("getEventList", 0, 0),
    code("getExtractorEvent", 1, 1),
    code("getListData", 1, 1),
    code("getMicroEventList", 0, 0),
    code("getSubscribers", 1, 1),
    code("getTimestamp", 1, 1),
    code("getType", 1, 1),
    code("insertData", 1, 2),
    code("insertEvent", 1, 2),
    code("insertListData", 1, 1),
    code("raiseEvent", 1, 2),
    code("raiseMicroEvent", 1, 2),
    code("removeData", 1, 1),
    code("removeEvent", 1, 1),
    code("removeMicroEvent", 1, 1),
    code("subscriber", 1, 1),
    put("setDescription", "description", 2),
    say("getEventHistory", 1, 1, Const::Empty),
    say("unregisterModuleReference", 1, 1, Const::Null),
];

pub(crate) static SERVICE: Service = Service { code: call, ..service("ALMemory", METHODS) };

fn no_data<T>(key: &str) -> Result<T, ServiceError> {
    failed(format!("there is no data with the key `{key}`"))
}

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    match call.method {
        "getData" => {
            let key = args.text(0, "key")?;
            match w.data(now, key) {
                Some(value) => ok(value),
                None => no_data(key),
            }
        }
        "getListData" => {
            let keys = args.texts(0, "keys")?;
            ok(Value::list(keys.into_iter().map(|key| w.data(now, key).unwrap_or_default())))
        }
        "getDataOnChange" => {
            let key = args.text(0, "key")?;
            w.memory.waiting.entry(key.into()).or_default().insert(call.id);
            Ok(Answer::Later)
        }
        "insertData" => {
            let key = args.text(0, "key")?;
            let value = args.value(1, "data")?.clone();
            w.store(cx, key, value, Kind::Data);
            done()
        }
        "insertListData" => {
            for item in args.list(0, "list")? {
                match item.as_list() {
                    Some([Value::Str(key), value, ..]) => w.store(cx, key, value.clone(), Kind::Data),
                    _ => return super::table::bad("argument 1 (list) must be a list of pairs [key, value]"),
                }
            }
            done()
        }
        "raiseEvent" => {
            let key = args.text(0, "event")?;
            w.raise(cx, key, args.get(1).cloned().unwrap_or_default());
            done()
        }
        // A micro-event is not stored.
        "raiseMicroEvent" => {
            let key = args.text(0, "event")?;
            w.memory.declare(key, Kind::MicroEvent, now);
            cx.event(Topic::Memory(key.into()), args.get(1).cloned().unwrap_or_default());
            done()
        }
        "declareEvent" | "insertEvent" | "subscriber" => {
            w.memory.declare(args.text(0, "event")?, Kind::Event, now);
            done()
        }
        "declareMicroEvent" => {
            w.memory.declare(args.text(0, "event")?, Kind::MicroEvent, now);
            done()
        }
        "removeData" | "removeEvent" | "removeMicroEvent" => {
            let key = args.text(0, "key")?;
            if w.memory.remove(key) { done() } else { no_data(key) }
        }
        "getDataList" => {
            let part = args.text(0, "filter")?;
            ok(w.memory.names(|key, _| key.contains(part)))
        }
        "getDataListName" => ok(w.memory.names(|_, _| true)),
        "getEventList" => ok(w.memory.names(|_, kind| kind == Kind::Event)),
        "getMicroEventList" => ok(w.memory.names(|_, kind| kind == Kind::MicroEvent)),
        "getExtractorEvent" => {
            let name = args.text(0, "extractor")?;
            let events = super::find(name).map(|s| s.events).unwrap_or_default();
            ok(Value::list(events.iter().map(|e| Value::from(*e))))
        }
        "getSubscribers" => {
            let key = args.text(0, "event")?;
            // Who subscribed is the engine's knowledge; that somebody did is ours.
            ok(Value::list(w.hears(key).then(|| Value::from("behavior"))))
        }
        "getDescriptionList" => {
            let keys = args.texts(0, "keys")?;
            let text = |key: &str| w.setting("ALMemory", &format!("description/{key}")).cloned().unwrap_or("".into());
            ok(Value::list(keys.into_iter().map(|key| Value::list([key.into(), text(key)]))))
        }
        "getType" => {
            let key = args.text(0, "key")?;
            match w.memory.entries.get(key).map(|e| e.kind) {
                Some(Kind::Data) => ok("Data"),
                Some(Kind::Event) => ok("Event"),
                Some(Kind::MicroEvent) => ok("MicroEvent"),
                None => no_data(key),
            }
        }
        "getTimestamp" => {
            let key = args.text(0, "key")?;
            match w.memory.entries.get(key) {
                Some(e) => ok(Value::list([
                    e.value.clone(),
                    (e.at.0.div_euclid(1_000_000_000)).into(),
                    (e.at.0.rem_euclid(1_000_000_000) / 1000).into(),
                ])),
                None => no_data(key),
            }
        }
        _ => Err(ServiceError::NoMethod),
    }
}
