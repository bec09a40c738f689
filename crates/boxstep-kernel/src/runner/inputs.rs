//! Inputs: events are collected between two ticks, and do not change during a tick.

use super::{Control, Runner};
use boxstep_types::Topic;
use boxstep_types::{Time, Value};
use std::collections::HashMap;

/// A topic that behaviors of a runner have subscribed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TopicId(u32);

/// An event, as behaviors find it in [`Control::events`].
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The topic of the event.
    pub topic: TopicId,
    /// The value of the event.
    pub value: Value,
    /// The time of the event.
    pub t: Time,
}

#[derive(Default)]
pub(super) struct Inputs {
    topics: Vec<Topic>,
    known: HashMap<Topic, TopicId>,
    /// By topic, the subscribers in the order of their numbers.
    subscribers: Vec<Vec<u32>>,
    /// By topic, the last value, as seen in this tick.
    latest: Vec<Option<Value>>,
    /// The events since the tick began.
    pending: Vec<Input>,
    /// The events that are visible in this tick.
    frozen: Vec<Input>,
    /// By behavior, the indices of its events in `frozen`; and the behaviors that have any.
    events_of: Vec<Vec<u32>>,
    with_events: Vec<u32>,
}

impl Inputs {
    pub(super) fn new(behaviors: usize) -> Self {
        Self { events_of: vec![Vec::new(); behaviors], ..Self::default() }
    }

    /// Begins a tick: the events so far become those that all behaviors see in it. Reuses memory.
    #[inline]
    pub(super) fn freeze(&mut self) {
        if self.pending.is_empty() && self.frozen.is_empty() {
            return;
        }
        for of in self.with_events.drain(..) {
            self.events_of[of as usize].clear();
        }
        self.frozen.clear();
        std::mem::swap(&mut self.pending, &mut self.frozen);
        for (index, input) in self.frozen.iter().enumerate() {
            let topic = input.topic.0 as usize;
            self.latest[topic] = Some(input.value.clone());
            for &of in &self.subscribers[topic] {
                let events_of = &mut self.events_of[of as usize];
                if events_of.is_empty() {
                    self.with_events.push(of);
                }
                events_of.push(index as u32);
            }
        }
    }

    /// Grows the tables to this number of behaviors.
    pub(super) fn make_room(&mut self, behaviors: usize) {
        self.events_of.resize_with(behaviors, Vec::new);
    }

    fn add(&mut self, topic: Topic) -> TopicId {
        if let Some(id) = self.known.get(&topic) {
            return *id;
        }
        let id = TopicId(self.topics.len() as u32);
        self.known.insert(topic.clone(), id);
        self.topics.push(topic);
        self.subscribers.push(Vec::new());
        self.latest.push(None);
        id
    }
}

impl Runner {
    /// Removes the subscriptions of behaviors that do not stay.
    pub(super) fn forget_subscribers(&mut self, stays: impl Fn(u32) -> bool) {
        for all in &mut self.inputs.subscribers {
            all.retain(|of| stays(*of));
        }
    }

    /// All topics that behaviors have subscribed to.
    pub fn topics(&self) -> &[Topic] {
        &self.inputs.topics
    }

    /// The id of a topic, if a behavior has subscribed to it.
    pub fn topic(&self, topic: &Topic) -> Option<TopicId> {
        self.inputs.known.get(topic).copied()
    }

    /// The topic with this id.
    pub fn topic_of(&self, id: TopicId) -> Option<&Topic> {
        self.inputs.topics.get(id.0 as usize)
    }

    /// Raises an event: the topic's subscribers see it in the next tick. Returns false if the topic has none.
    pub fn raise(&mut self, topic: &Topic, value: Value, t: Time) -> bool {
        match self.inputs.known.get(topic) {
            Some(&topic) => {
                self.inputs.pending.push(Input { topic, value, t });
                true
            }
            None => false,
        }
    }
}

impl Control<'_> {
    /// Subscribes the behavior to a topic. A second subscription changes nothing.
    pub fn subscribe(&mut self, topic: Topic) -> TopicId {
        let id = self.runner.inputs.add(topic);
        let all = &mut self.runner.inputs.subscribers[id.0 as usize];
        // The behaviors of a new plan subscribe in their order, each after all others.
        if let Err(at) = all.binary_search(&self.me) {
            all.insert(at, self.me);
        }
        id
    }

    /// The events since the last tick on the topics to which the behavior has subscribed, in order. They are the same
    /// in every hook of a tick.
    pub fn events(&self) -> impl Iterator<Item = &Input> {
        let inputs = &self.runner.inputs;
        inputs.events_of[self.me as usize].iter().map(|index| &inputs.frozen[*index as usize])
    }

    /// The value of the last event of a topic, up to this tick.
    pub fn latest(&self, topic: TopicId) -> Option<&Value> {
        self.runner.inputs.latest.get(topic.0 as usize)?.as_ref()
    }
}
