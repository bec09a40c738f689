//! Sentences and events that wait for their turn.

use boxstep_types::Time;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Something that a rule can answer.
#[derive(Clone, Debug)]
pub(super) enum Stimulus {
    /// A sentence that somebody said.
    Sentence(SmolStr),
    /// An event; if a topic is given, only its rules can answer.
    Event(SmolStr, Option<u32>),
    /// The next proposal is asked for.
    Proposal,
}

struct Waiting {
    stimulus: Stimulus,
    /// When it is too late; `None` for never.
    until: Option<Time>,
}

/// How long an event waits until the robot has finished speaking, in milliseconds ("ALDialog API", `setDelay`).
const DELAY_MS: i64 = 2_000;

#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    delays: BTreeMap<SmolStr, i64>,
    /// Events that cut the speech.
    pub(super) blocking: BTreeSet<SmolStr>,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Whether an event waits.
    pub(super) fn has_event(&self) -> bool {
        self.waiting.iter().any(|waiting| matches!(waiting.stimulus, Stimulus::Event(..)))
    }

    /// How long events of a key wait, in milliseconds; a negative number stands for any time.
    pub(super) fn set_delay(&mut self, key: &str, milliseconds: i64) {
        self.delays.insert(key.into(), milliseconds);
    }

    /// Adds a sentence, which waits as long as it has to.
    pub(super) fn add(&mut self, stimulus: Stimulus) {
        self.waiting.push_back(Waiting { stimulus, until: None });
    }

    /// Adds an event, unless one of the same key waits. It waits its time, as `setDelay` has it.
    pub(super) fn add_event(&mut self, now: Time, key: SmolStr, topic: Option<u32>) {
        let delay = self.delays.get(&key).copied().unwrap_or(DELAY_MS);
        let until = (delay >= 0).then(|| now + Time::from_secs_f64(delay as f64 / 1000.0));
        self.add_until(key, topic, until);
    }

    /// Adds an event of the dialog itself, which waits as long as it has to: it is about the answer that is being given.
    pub(super) fn add_own(&mut self, key: SmolStr) {
        self.add_until(key, None, None);
    }

    fn add_until(&mut self, key: SmolStr, topic: Option<u32>, until: Option<Time>) {
        let same = |other: &SmolStr, of: &Option<u32>| *other == key && *of == topic;
        let waits = |waiting: &Waiting| matches!(&waiting.stimulus, Stimulus::Event(other, of) if same(other, of));
        if self.waiting.iter().any(waits) {
            return;
        }
        let stimulus = Stimulus::Event(key, topic);
        self.waiting.push_back(Waiting { stimulus, until });
    }

    /// The next one that is not too late; the events that are too late are added to `missed`. Decision: events come
    /// before sentences, because an answer that raises an event is not complete before the event is answered.
    pub(super) fn next(&mut self, now: Time, missed: &mut Vec<SmolStr>) -> Option<Stimulus> {
        loop {
            let event = |waiting: &Waiting| matches!(waiting.stimulus, Stimulus::Event(..));
            let first = self.waiting.iter().position(event).unwrap_or(0);
            let waiting = self.waiting.remove(first)?;
            if waiting.until.is_none_or(|until| now <= until) {
                return Some(waiting.stimulus);
            }
            if let Stimulus::Event(key, _) = waiting.stimulus {
                missed.push(key);
            }
        }
    }
}
