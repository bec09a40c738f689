//! Conditions at run time.
//!
//! A condition is switched on and off. While it is on, [`LiveCondition::update`] is called once in each tick, and
//! [`LiveCondition::holds`] any number of times. Only `update` changes the condition: within a tick, `holds` returns
//! the same before and after it.

use crate::ears::{Ear, HeardSentence};
use crate::model::{Compare, Condition, Range};
use crate::words::{compares_text, heard_text, range_text};
use crate::world::SharedState;
use boxstep_engine::runner::{Control, TopicId};
use boxstep_engine::services::Topic;
use boxstep_engine::trace::ConditionResult;
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// A condition with its state.
pub(crate) struct LiveCondition {
    on: bool,
    test: Test,
}

enum Test {
    Always(bool),
    All(Vec<LiveCondition>),
    Any(Vec<LiveCondition>),
    Not(Box<LiveCondition>),
    Elapsed { range: Range, since: Time },
    Timer { name: Arc<str>, number: usize, range: Range, unset: bool },
    Became { inner: Box<LiveCondition>, held: PerTick<bool> },
    Dedup { inner: Box<LiveCondition>, window: Time, last: PerTick<Option<Time>> },
    Memory { key: Arc<str>, number: usize, compares: Vec<Compare> },
    Event { key: Arc<str>, compares: Vec<Compare>, topic: Option<TopicId> },
    Heard(Ear),
    Free(Arc<str>),
    Chance { p: f64, every: Time, drawn: Time, holds: PerTick<bool> },
    Custom(Arc<str>, Value),
}

/// A value that changes at most once in a tick; reads during that tick return the value from before it.
struct PerTick<T> {
    tick: u64,
    before: T,
    now: T,
}

impl<T: Copy> PerTick<T> {
    fn new(value: T) -> Self {
        Self { tick: 0, before: value, now: value }
    }

    /// Returns the value at the beginning of the tick.
    fn get(&self, tick: u64) -> T {
        if self.tick == tick { self.before } else { self.now }
    }

    fn set(&mut self, tick: u64, value: T) {
        if self.tick != tick {
            (self.tick, self.before) = (tick, self.now);
        }
        self.now = value;
    }
}

impl LiveCondition {
    pub(crate) fn new(condition: &Condition, shared: &mut SharedState) -> Self {
        let mut all = |inner: &[Condition]| inner.iter().map(|one| LiveCondition::new(one, shared)).collect::<Vec<_>>();
        let test = match condition {
            Condition::Always(always) => Test::Always(*always),
            Condition::All(inner) => Test::All(all(inner)),
            Condition::Any(inner) => Test::Any(all(inner)),
            Condition::Not(inner) => Test::Not(Box::new(LiveCondition::new(inner, shared))),
            Condition::Elapsed(range) => Test::Elapsed { range: *range, since: Time::ZERO },
            Condition::Timer(name, range, unset) => {
                Test::Timer { name: name.clone(), number: shared.timer_number(name), range: *range, unset: *unset }
            }
            Condition::Became(inner) => {
                Test::Became { inner: Box::new(LiveCondition::new(inner, shared)), held: PerTick::new(false) }
            }
            Condition::Dedup(inner, window) => Test::Dedup {
                inner: Box::new(LiveCondition::new(inner, shared)),
                window: *window,
                last: PerTick::new(None),
            },
            Condition::Memory(key, compares) => {
                Test::Memory { key: key.clone(), number: shared.key_number(key), compares: compares.clone() }
            }
            Condition::Event(key, compares) => {
                Test::Event { key: key.clone(), compares: compares.clone(), topic: None }
            }
            Condition::Heard(pattern) => Test::Heard(Ear::new(pattern, shared)),
            Condition::Free(resource) => Test::Free(resource.clone()),
            Condition::Chance(p, every) => {
                Test::Chance { p: *p, every: *every, drawn: Time::ZERO, holds: PerTick::new(false) }
            }
            Condition::Custom(name, args) => Test::Custom(name.clone(), args.clone()),
        };
        Self { on: false, test }
    }

    fn inner(&mut self) -> &mut [LiveCondition] {
        match &mut self.test {
            Test::All(inner) | Test::Any(inner) => inner,
            Test::Not(inner) | Test::Became { inner, .. } | Test::Dedup { inner, .. } => std::slice::from_mut(inner),
            _ => &mut [],
        }
    }

    /// Subscribes to the topics that the condition reads.
    pub(crate) fn init(&mut self, cx: &mut Control<'_>) {
        match &mut self.test {
            Test::Event { key, topic, .. } => *topic = Some(cx.subscribe(Topic::Memory(key.clone()))),
            // The robot reports changes of the value with events, and the subscription makes the run wait for them.
            Test::Memory { key, .. } => _ = cx.subscribe(Topic::Memory(key.clone())),
            Test::Heard(ear) => ear.init(cx),
            _ => {}
        }
        self.inner().iter_mut().for_each(|inner| inner.init(cx));
    }

    /// Switches the condition on: it can be evaluated from now on.
    pub(crate) fn switch_on(&mut self, cx: &mut Control<'_>, shared: &mut SharedState) {
        self.on = true;
        self.inner().iter_mut().for_each(|inner| inner.switch_on(cx, shared));
        let now = cx.now();
        match &mut self.test {
            Test::Elapsed { since, .. } => *since = now,
            // A condition that is already true has not become true.
            Test::Became { inner, held } => *held = PerTick::new(inner.holds(cx, shared)),
            Test::Dedup { last, .. } => *last = PerTick::new(None),
            Test::Chance { p, drawn, holds, .. } => {
                *drawn = now;
                *holds = PerTick::new(cx.random() < *p);
            }
            _ => {}
        }
    }

    /// Switches the condition off: it is not evaluated any more.
    pub(crate) fn switch_off(&mut self) {
        self.on = false;
        self.inner().iter_mut().for_each(LiveCondition::switch_off);
    }

    /// Updates the condition's state, once in a tick.
    pub(crate) fn update(&mut self, cx: &mut Control<'_>, shared: &mut SharedState) {
        self.inner().iter_mut().for_each(|inner| inner.update(cx, shared));
        let (now, tick) = (cx.now(), cx.tick());
        match &mut self.test {
            Test::Became { inner, held } => held.set(tick, inner.holds(cx, shared)),
            Test::Dedup { inner, window, last } => {
                let before = last.get(tick);
                let holds = inner.holds(cx, shared) && before.is_none_or(|last| now.0 - last.0 >= window.0);
                last.set(tick, if holds { Some(now) } else { before });
            }
            Test::Chance { p, every, drawn, holds } => {
                let due = holds.tick != tick && now.0 - drawn.0 >= every.0;
                let next = if due { cx.random() < *p } else { holds.now };
                if due {
                    *drawn = now;
                }
                holds.set(tick, next);
            }
            _ => {}
        }
    }

    /// Returns whether the condition is true; false while it is off.
    pub(crate) fn holds(&self, cx: &Control<'_>, shared: &mut SharedState) -> bool {
        self.on && self.evaluate(cx, shared).0
    }

    /// Returns the first sentence of this tick, after so many of them, that makes a `heard` condition true.
    pub(crate) fn heard(&self, cx: &Control<'_>, shared: &mut SharedState, after: usize) -> Option<HeardSentence> {
        match &self.test {
            Test::Heard(ear) => ear.hear(cx, shared, after),
            _ => None,
        }
    }

    /// Returns whether the condition is true, and the evidence for it.
    fn evaluate(&self, cx: &Control<'_>, shared: &mut SharedState) -> (bool, Evidence) {
        let (now, tick) = (cx.now(), cx.tick());
        match &self.test {
            Test::Always(always) => (*always, Evidence::Nothing),
            Test::All(inner) => (inner.iter().all(|one| one.holds(cx, shared)), Evidence::Nothing),
            Test::Any(inner) => (inner.iter().any(|one| one.holds(cx, shared)), Evidence::Nothing),
            Test::Not(inner) => (!inner.holds(cx, shared), Evidence::Nothing),
            Test::Elapsed { range, since } => {
                let passed = Time(now.0 - since.0);
                (range.has(passed), Evidence::Since(passed))
            }
            Test::Timer { number, range, unset, .. } => match shared.timers[*number] {
                Some(since) => (range.has(Time(now.0 - since.0)), Evidence::Since(Time(now.0 - since.0))),
                None => (*unset, Evidence::Never),
            },
            Test::Became { inner, held } => (!held.get(tick) && inner.holds(cx, shared), Evidence::Nothing),
            Test::Dedup { inner, window, last } => {
                let last = last.get(tick);
                let long = last.is_none_or(|last| now.0 - last.0 >= window.0);
                let found = last.map_or(Evidence::Nothing, |last| Evidence::Since(Time(now.0 - last.0)));
                (long && inner.holds(cx, shared), found)
            }
            Test::Memory { number, compares, .. } => {
                let value = shared.memory(*number, tick);
                (compared(value, compares), value.cloned().map_or(Evidence::Missing, Evidence::Value))
            }
            Test::Event { compares, topic, .. } => {
                let mut found = Evidence::Nothing;
                let holds = cx.events().filter(|event| Some(event.topic) == *topic).any(|event| {
                    found = Evidence::Value(event.value.clone());
                    compares.is_empty() || compared(Some(&event.value), compares)
                });
                (holds, found)
            }
            Test::Heard(ear) => {
                let holds = ear.hear(cx, shared, 0).is_some();
                let last = shared.ears.sentences.last();
                (holds, last.map_or(Evidence::Nothing, |last| Evidence::Words(format!("“{last}”"))))
            }
            Test::Free(resource) => {
                let claimed = cx.runner().is_claimed(resource);
                (
                    !claimed && shared.world.is_free(resource),
                    if claimed { Evidence::Claimed } else { Evidence::Nothing },
                )
            }
            Test::Chance { holds, .. } => (holds.get(tick), Evidence::Nothing),
            Test::Custom(name, args) => match shared.world.holds(name, args) {
                Some(holds) => (holds, shared.world.why(name, args).map_or(Evidence::Nothing, Evidence::Words)),
                None => (false, Evidence::Unknown),
            },
        }
    }

    /// Appends whether each part of the condition is true, always in the same order and number. Returns whether the
    /// whole is true.
    pub(crate) fn append_results(&self, cx: &Control<'_>, shared: &mut SharedState, into: &mut Vec<bool>) -> bool {
        let at = into.len();
        into.push(false);
        let mut one = |part: &LiveCondition| part.append_results(cx, shared, into);
        let holds = match &self.test {
            // Every part is evaluated, because each has its place in the result.
            Test::All(parts) => parts.iter().filter(|part| !one(part)).count() == 0,
            Test::Any(parts) => parts.iter().filter(|part| one(part)).count() > 0,
            Test::Not(inner) => !one(inner),
            Test::Became { inner, held } => one(inner) && !held.get(cx.tick()),
            Test::Dedup { inner, window, last } => {
                let long = last.get(cx.tick()).is_none_or(|last| cx.now().0 - last.0 >= window.0);
                one(inner) && long
            }
            _ => self.evaluate(cx, shared).0,
        };
        let holds = self.on && holds;
        into[at] = holds;
        holds
    }

    /// Returns why the condition is true or not.
    pub(crate) fn result(&self, cx: &Control<'_>, shared: &mut SharedState) -> ConditionResult {
        let (holds, found) = self.evaluate(cx, shared);
        let parts: &[LiveCondition] = match &self.test {
            Test::All(inner) | Test::Any(inner) => inner,
            Test::Not(inner) | Test::Became { inner, .. } | Test::Dedup { inner, .. } => std::slice::from_ref(inner),
            _ => &[],
        };
        let parts = parts.iter().map(|part| part.result(cx, shared)).collect();
        let found = if self.on { found.text() } else { "switched off".into() };
        ConditionResult { what: self.description(), found, holds: self.on && holds, parts }
    }

    fn description(&self) -> String {
        match &self.test {
            Test::Always(always) => always.to_string(),
            Test::All(_) => "all".into(),
            Test::Any(_) => "any".into(),
            Test::Not(_) => "not".into(),
            Test::Elapsed { range, .. } => format!("elapsed{}", range_text(*range)),
            Test::Timer { name, range, .. } => format!("timer {name}{}", range_text(*range)),
            Test::Became { .. } => "became".into(),
            Test::Dedup { window, .. } => format!("dedup {} s", window.as_secs_f64()),
            Test::Memory { key, compares, .. } => format!("memory {key}{}", compares_text(compares)),
            Test::Event { key, compares, .. } => format!("event {key}{}", compares_text(compares)),
            Test::Heard(ear) => heard_text(&ear.pattern),
            Test::Free(resource) => format!("free {resource}"),
            Test::Chance { p, .. } => format!("chance {p}"),
            Test::Custom(name, _) => format!("custom {name}"),
        }
    }
}

/// The evidence for the result of a condition.
enum Evidence {
    Nothing,
    Since(Time),
    Never,
    Value(Value),
    Missing,
    Claimed,
    Words(String),
    Unknown,
}

impl Evidence {
    fn text(&self) -> String {
        match self {
            Evidence::Nothing => String::new(),
            Evidence::Since(time) => format!("{} s", time.as_secs_f64()),
            Evidence::Never => "never began".into(),
            Evidence::Value(value) => format!("is {value}"),
            Evidence::Missing => "is not there".into(),
            Evidence::Claimed => "a behavior claims it".into(),
            Evidence::Words(text) => text.clone(),
            Evidence::Unknown => "there is no such condition".into(),
        }
    }
}

/// Returns whether a value satisfies all comparisons; without comparisons, whether it is truthy.
fn compared(value: Option<&Value>, compares: &[Compare]) -> bool {
    let number = |holds: &dyn Fn(f64) -> bool| value.and_then(Value::as_f64).is_some_and(holds);
    let one = |compare: &Compare| match compare {
        Compare::Equals(other) => value.is_some_and(|value| value.alike(other)),
        Compare::NotEquals(other) => value.is_some_and(|value| !value.alike(other)),
        Compare::Less(x) => number(&|value| value < *x),
        Compare::More(x) => number(&|value| value > *x),
        Compare::AtLeast(x) => number(&|value| value >= *x),
        Compare::AtMost(x) => number(&|value| value <= *x),
        Compare::Exists(exists) => value.is_some() == *exists,
    };
    match compares {
        [] => value.is_some_and(Value::truthy),
        all => all.iter().all(one),
    }
}
