//! `ALNotificationManager`: notes to the user, kept until they are removed.
//!
//! Source: the page ALNotificationManager API of the NAOqi documentation.

use crate::table::{Call, Reply, Service, done, failed, ok, robot, runs, service, signal};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;
use std::collections::BTreeMap;

const NAME: &str = "ALNotificationManager";

pub(crate) static SERVICES: &[Service] = &[service(
    NAME,
    "Notes to the user",
    &[
        runs("add", "Adds a note", robot("(m)i"), add),
        runs("remove", "Removes it", robot("(i)v"), remove),
        runs("notifications", "Every note", robot("()m"), notifications),
        runs("notification", "One note", robot("(i)m"), notification),
    ],
)
.signals(&[signal("notificationAdded", "m"), signal("notificationRemoved", "m")])];

/// The most notes that are kept.
const MOST: usize = 1000;

/// The notes, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    notes: BTreeMap<i64, Value>,
    last: i64,
}

/// Returns a note with its number, in the form in which it was given: pairs, or a map.
fn numbered(note: &Value, id: i64) -> Value {
    match note {
        Value::Map(pairs) => {
            Value::Map([("id".into(), Value::Int(id))].into_iter().chain(pairs.iter().cloned()).collect())
        }
        Value::List(pairs) if pairs.iter().all(|pair| pair.as_list().is_some_and(|pair| pair.len() == 2)) => {
            let id = Value::list(["id".into(), Value::Int(id)]);
            Value::list([id].into_iter().chain(pairs.iter().cloned()))
        }
        other => {
            Value::list([Value::list(["id".into(), Value::Int(id)]), Value::list(["message".into(), other.clone()])])
        }
    }
}

fn add(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let note = call.args.value(0, "notification")?;
    if w.notes.notes.len() >= MOST {
        return failed(format!("there are {MOST} notes; remove some"));
    }
    cx.act("notification", note.to_string(), Value::map([("notification", note.clone())]));
    w.notes.last += 1;
    let id = w.notes.last;
    let note = numbered(note, id);
    w.notes.notes.insert(id, note.clone());
    w.signal(cx, NAME, "notificationAdded", note);
    ok(id)
}

fn remove(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let id = call.args.int(0, "notification")?;
    if w.notes.notes.remove(&id).is_none() {
        return failed(format!("there is no note {id}"));
    }
    w.signal(cx, NAME, "notificationRemoved", id.into());
    done()
}

fn notifications(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(w.notes.notes.values().cloned()))
}

fn notification(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let id = call.args.int(0, "notification")?;
    w.notes.notes.get(&id).cloned().map_or_else(|| failed(format!("there is no note {id}")), ok)
}
