//! Statistics and traces of the calls of a local object, on request: their number and duration, and each call as it
//! happens. Every object of libqi has them, and robot inspection tools use them.

use crate::error::Failure;
use crate::object::{Answer, Object, Reply};
use crate::pool::lock;
use crate::signature::Signature;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub(crate) const IS_STATS_ENABLED: u32 = 80;
const ENABLE_STATS: u32 = 81;
const STATS: u32 = 82;
const CLEAR_STATS: u32 = 83;
const IS_TRACE_ENABLED: u32 = 84;
pub(crate) const ENABLE_TRACE: u32 = 85;
/// The signal that is emitted for each call.
pub(crate) const TRACE: u32 = 86;

/// The number, name, parameters and return type of each method.
pub(crate) const METHODS: &[(u32, &str, &str, &str)] = &[
    (IS_STATS_ENABLED, "isStatsEnabled", "()", "b"),
    (ENABLE_STATS, "enableStats", "(b)", "v"),
    (
        STATS,
        "stats",
        "()",
        "{I(I(fff)<MinMaxSum,minValue,maxValue,cumulatedValue>(fff)<MinMaxSum,minValue,maxValue,cumulatedValue>(fff)<MinMaxSum,minValue,maxValue,cumulatedValue>)<MethodStatistics,count,wall,user,system>}",
    ),
    (CLEAR_STATS, "clearStats", "()", "v"),
    (IS_TRACE_ENABLED, "isTraceEnabled", "()", "b"),
    (ENABLE_TRACE, "enableTrace", "(b)", "v"),
];

pub(crate) const TRACE_OBJECT: (&str, &str) = (
    "traceObject",
    "((IiIm(ll)<timeval,tv_sec,tv_usec>llII)<EventTrace,id,kind,slotId,arguments,timestamp,userUsTime,systemUsTime,callerContext,calleeContext>)",
);

/// The kinds of a trace, with libqi's numbers.
const CALL: i32 = 1;
const RESULT: i32 = 2;
const ERROR: i32 = 3;

/// The statistics of an object. Nothing is recorded before a peer enables it.
#[derive(Default)]
pub(crate) struct Watched {
    counts: AtomicBool,
    traces: AtomicBool,
    next: AtomicU32,
    /// For each method the number of its calls, and their shortest, longest and total time in seconds.
    stats: Mutex<BTreeMap<u32, (u32, [f32; 3])>>,
}

impl Watched {
    /// Answers one of the methods above.
    pub(crate) fn answer(&self, method: u32, args: &[Value]) -> Result<Value, Failure> {
        let on = || args.first().and_then(Value::as_bool).ok_or_else(|| "a boolean is missing".to_owned());
        Ok(match method {
            IS_STATS_ENABLED => Value::Bool(self.counts.load(Ordering::Relaxed)),
            ENABLE_STATS => {
                self.counts.store(on()?, Ordering::Relaxed);
                Value::Void
            }
            STATS => self.stats(),
            CLEAR_STATS => {
                lock(&self.stats).clear();
                Value::Void
            }
            IS_TRACE_ENABLED => Value::Bool(self.traces.load(Ordering::Relaxed)),
            _ => {
                self.traces.store(on()?, Ordering::Relaxed);
                Value::Void
            }
        })
    }

    fn stats(&self) -> Value {
        let three = |times: [f32; 3]| Value::tuple(times.map(Value::F32).to_vec());
        let stats = lock(&self.stats);
        let entries = stats.iter().map(|(method, (count, wall))| {
            // CPU times are not measured.
            let all = vec![Value::U32(*count), three(*wall), three([0.0; 3]), three([0.0; 3])];
            (Value::U32(*method), Value::tuple(all))
        });
        Value::map_of(Signature::U32, Signature::Dynamic, entries.collect())
    }

    /// Records the beginning of a call. The returned reply also records its answer.
    pub(crate) fn watch(
        self: &Arc<Self>,
        object: &Arc<dyn Object>,
        method: u32,
        args: &[Value],
        reply: Reply,
    ) -> Reply {
        let (counts, traces) = (self.counts.load(Ordering::Relaxed), self.traces.load(Ordering::Relaxed));
        if !counts && !traces {
            return reply;
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        if traces {
            object.signals().emit(TRACE, &[trace(id, CALL, method, shown(&Value::tuple(args.to_vec())))]);
        }
        let (begin, watched, object, inner) = (Instant::now(), Arc::clone(self), Arc::clone(object), reply.clone());
        let outer = Reply::new(move |answer| {
            if counts {
                watched.count(method, begin.elapsed().as_secs_f32());
            }
            if traces {
                let (kind, what) = match &answer {
                    Answer::Value(value) => (RESULT, shown(value)),
                    Answer::Failed(words) => (ERROR, Value::from(words.as_str())),
                    Answer::Canceled => (ERROR, Value::from("canceled")),
                };
                object.signals().emit(TRACE, &[trace(id, kind, method, what)]);
            }
            inner.answer(answer);
        });
        let running = outer.running();
        reply.on_cancel(move |_| {
            if let Some(outer) = Reply::upgrade(&running) {
                outer.ask_to_cancel();
            }
        });
        outer
    }

    fn count(&self, method: u32, seconds: f32) {
        let mut stats = lock(&self.stats);
        let (count, [least, most, sum]) = stats.entry(method).or_insert((0, [seconds, seconds, 0.0]));
        *count = count.saturating_add(1);
        *least = least.min(seconds);
        *most = most.max(seconds);
        *sum += seconds;
    }
}

fn trace(id: u32, kind: i32, method: u32, what: Value) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    let time = Value::tuple(vec![Value::I64(seconds), Value::I64(i64::from(now.subsec_micros()))]);
    let nothing = Value::I64(0);
    Value::tuple(vec![
        Value::U32(id),
        Value::I32(kind),
        Value::U32(method),
        what.dynamic(),
        time,
        nothing.clone(),
        nothing,
        Value::U32(0),
        Value::U32(0),
    ])
}

/// Returns the value as it appears in a trace: objects in it are replaced, because they are not lent to those who
/// subscribe to traces.
fn shown(value: &Value) -> Value {
    fn has_object(value: &Value) -> bool {
        match value.plain() {
            Value::Object(_) => true,
            Value::Map(map) => map.entries.iter().any(|(k, v)| has_object(k) || has_object(v)),
            Value::Optional(optional) => optional.value.as_ref().is_some_and(has_object),
            other => other.as_slice().is_some_and(|items| items.iter().any(has_object)),
        }
    }
    match value {
        Value::Tuple(tuple) if has_object(value) => Value::tuple(tuple.members.iter().map(shown).collect()),
        other if has_object(other) => Value::from("(an object)"),
        other => other.clone(),
    }
}
