//! `ALExpressionWatcher`: conditions over events of the memory, whose changes are signals.
//!
//! Sources: the pages ALExpressionWatcher and Launch trigger conditions of the NAOqi documentation. `condition.rs` says
//! which part of the language of conditions is known.

mod condition;

use crate::alarm::Alarm;
use crate::device;
use crate::objects::{Held, handle};
use crate::table::{Call, Const, Reply, Service, answers, bad, failed, nao6, ok, runs, service, signal, unknown};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};
use condition::Condition;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALExpressionWatcher",
    "Watches conditions over events of the memory",
    &[
        runs("add", "Watches a condition; gives an object whose signal reports it", nao6("(si)o"), add),
        answers("remove", "Ends it", unknown("(m)m"), Const::Bool(true)),
        answers("getExpressions", "Expressions that are watched", unknown("()m"), Const::Empty),
    ],
)];

/// What the object of a condition offers.
pub(crate) static EXPRESSION: Service =
    service("ExpressionObject", "A condition that is watched", &[]).signals(&[signal(SIGNAL, "m")]).object();

const SIGNAL: &str = "signal";

/// When a condition's signal is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Report {
    /// The value has changed (`REPORT_CHANGE`).
    Change,
    /// The value has become true, or is no longer (`REPORT_EDGE`).
    Edge,
    /// The value has become true (`REPORT_EDGE_TRUE`).
    EdgeTrue,
}

/// A condition that is watched.
#[derive(Debug)]
pub(crate) struct Watch {
    condition: Condition,
    report: Report,
    value: Value,
    /// The time of the alarm that is set.
    alarm: Option<Time>,
}

impl Watch {
    /// Returns whether the condition contains a key.
    pub(crate) fn contains(&self, key: &str) -> bool {
        self.condition.keys().contains(&key)
    }

    /// Computes the value anew; returns it if it is to be reported.
    fn update(&mut self, now: Time) -> Option<Value> {
        let value = self.condition.value(now);
        let before = std::mem::replace(&mut self.value, value.clone());
        let reports = match self.report {
            Report::Change => value != before,
            Report::Edge => value.truthy() != before.truthy(),
            Report::EdgeTrue => value.truthy() && !before.truthy(),
        };
        reports.then_some(value)
    }
}

fn add(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let text = call.args.text(0, "expression")?;
    let report = match call.args.int(1, "report mode")? {
        0 => Report::Change,
        1 => Report::Edge,
        2 => Report::EdgeTrue,
        other => return bad(format!("argument 2 (report mode) must be 0, 1 or 2, not {other}")),
    };
    let mut condition = match Condition::read(text) {
        Ok(condition) => condition,
        Err(why) => return failed(why.to_string()),
    };
    let keys: Vec<String> = condition.keys().into_iter().map(str::to_owned).collect();
    for key in &keys {
        if device::value(w, cx.now(), key).is_some() {
            return failed(format!("`{key}` is a device's value, not an event: it changes without notice"));
        }
        if let Some(value) = w.memory.get(key) {
            condition.set(key, value);
        }
    }
    let value = condition.value(cx.now());
    ok(handle(w.objects.hold(Held::Watch(Watch { condition, report, value, alarm: None }))))
}

/// Passes the value of an event to the conditions that contain it.
pub(crate) fn raised(w: &mut World, cx: &mut ServiceCx<'_>, key: &str, value: &Value) {
    for number in w.objects.watches_of(key) {
        if let Some(watch) = w.objects.watch(number) {
            watch.condition.set(key, value);
            report(w, cx, number);
        }
    }
}

/// Reports what has changed, and sets the alarm for what will change by time alone.
fn report(w: &mut World, cx: &mut ServiceCx<'_>, number: u64) {
    let now = cx.now();
    let Some(value) = w.objects.watch(number).map(|watch| watch.update(now)) else { return };
    if let Some(value) = value {
        w.emit(cx, number, SIGNAL, value);
    }
    set_alarm(w, cx, number);
}

/// Sets the alarm of a condition, if anybody listens to it.
fn set_alarm(w: &mut World, cx: &mut ServiceCx<'_>, number: u64) {
    let heard = w.is_object_heard(number, SIGNAL);
    let Some(watch) = w.objects.watch(number) else { return };
    let due = watch.condition.due(cx.now()).filter(|_| heard);
    if due == watch.alarm {
        return;
    }
    watch.alarm = due;
    if let Some(at) = due {
        w.alarm(cx, at, Alarm::Expression(number, at));
    }
}

/// Handles the first subscription to a condition: what happened before is not reported.
pub(crate) fn heard(w: &mut World, cx: &mut ServiceCx<'_>, number: u64) {
    if let Some(watch) = w.objects.watch(number) {
        watch.update(cx.now());
        set_alarm(w, cx, number);
    }
}

/// Handles an alarm.
pub(crate) fn due(w: &mut World, cx: &mut ServiceCx<'_>, number: u64, at: Time) {
    let is_heard = w.is_object_heard(number, SIGNAL);
    match w.objects.watch(number) {
        Some(watch) if watch.alarm == Some(at) => watch.alarm = None,
        _ => return,
    }
    if is_heard {
        report(w, cx, number);
    }
}

/// Returns whether such an alarm does anything.
pub(crate) fn is_due(w: &World, number: u64, at: Time) -> bool {
    w.is_object_heard(number, SIGNAL) && w.objects.watching(number).is_some_and(|watch| watch.alarm == Some(at))
}
