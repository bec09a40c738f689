//! Objects that services answer. Scripts call them as services named `#1`, `#2` …; qi clients get objects.

use crate::expressions::{self, Watch};
use crate::log::{self, Listener};
use crate::table::{Call, Service};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError, Topic};
use boxstep_types::{ObjectRef, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The methods that answer an object, and what the object offers.
static OBJECTS: &[(&str, &str, &Service)] = &[
    ("LogManager", "createListener", &log::LISTENER),
    ("LogManager", "getListener", &log::LISTENER),
    ("ALExpressionWatcher", "add", &expressions::EXPRESSION),
];

/// Returns what the object offers that a method of the simulated robot answers; `None` if the method answers none.
pub fn object_of(service: &str, method: &str) -> Option<&'static Service> {
    OBJECTS.iter().find(|(s, m, _)| (*s, *m) == (service, method)).map(|(.., object)| *object)
}

/// Returns what each kind of object offers.
pub fn object_kinds() -> impl Iterator<Item = &'static Service> {
    [&log::LISTENER, &expressions::EXPRESSION].into_iter()
}

/// The most objects that are held; one more drops the oldest.
const MOST: usize = 1024;

/// An object.
#[derive(Debug)]
pub(crate) enum Held {
    /// A listener of the log.
    Listener(Listener),
    /// A condition that is watched.
    Watch(Watch),
}

/// The robot's objects, by number.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    made: u64,
    held: BTreeMap<u64, Held>,
}

impl Objects {
    /// Holds an object from now on; returns its number.
    pub(crate) fn hold(&mut self, object: Held) -> u64 {
        self.made += 1;
        self.held.insert(self.made, object);
        if self.held.len() > MOST {
            self.held.pop_first();
        }
        self.made
    }

    /// Returns what the object offers that scripts call by this name.
    pub(crate) fn service(&self, name: &str) -> Option<&'static Service> {
        self.held.get(&number(name)?).map(|held| match held {
            Held::Listener(_) => &log::LISTENER,
            Held::Watch(_) => &expressions::EXPRESSION,
        })
    }

    /// Returns the object of a call, if it is a listener.
    pub(crate) fn listener(&mut self, call: &Call<'_>) -> Result<&mut Listener, ServiceError> {
        match call.object.and_then(|number| self.held.get_mut(&number)) {
            Some(Held::Listener(listener)) => Ok(listener),
            _ => Err(ServiceError::NoService),
        }
    }

    /// Returns every listener of the log, with its number.
    pub(crate) fn listeners(&self) -> impl Iterator<Item = (u64, &Listener)> {
        self.held.iter().filter_map(|(number, held)| match held {
            Held::Listener(listener) => Some((*number, listener)),
            Held::Watch(_) => None,
        })
    }

    /// Returns the numbers of the conditions that contain a key.
    pub(crate) fn watches_of(&self, key: &str) -> Vec<u64> {
        let of = |(number, held): (&u64, &Held)| match held {
            Held::Watch(watch) if watch.contains(key) => Some(*number),
            _ => None,
        };
        self.held.iter().filter_map(of).collect()
    }

    /// Returns the condition of this number, to look at.
    pub(crate) fn watching(&self, number: u64) -> Option<&Watch> {
        match self.held.get(&number) {
            Some(Held::Watch(watch)) => Some(watch),
            _ => None,
        }
    }

    /// Returns the condition of this number.
    pub(crate) fn watch(&mut self, number: u64) -> Option<&mut Watch> {
        match self.held.get_mut(&number) {
            Some(Held::Watch(watch)) => Some(watch),
            _ => None,
        }
    }
}

/// Returns the number of the object that scripts call by this name.
pub(crate) fn number(name: &str) -> Option<u64> {
    name.strip_prefix('#')?.parse().ok()
}

/// Returns the handle that scripts get for an object.
pub(crate) fn handle(number: u64) -> Value {
    Value::Object(ObjectRef::of_robot(number))
}

fn topic(number: u64, signal: &str) -> Topic {
    Topic::Signal(format!("#{number}").into(), Arc::from(signal))
}

impl World {
    /// Returns whether a signal of an object has subscribers.
    pub(crate) fn is_object_heard(&self, number: u64, signal: &str) -> bool {
        self.heard.contains(&topic(number, signal))
    }

    /// Emits a signal of an object with one argument, if it has subscribers.
    pub(crate) fn emit(&mut self, cx: &mut ServiceCx<'_>, object: u64, signal: &str, value: Value) {
        let topic = topic(object, signal);
        if self.heard.contains(&topic) {
            // The list has the signal's arguments: a value that is a list itself is one of them.
            cx.event(topic, Value::list([value]));
        }
    }
}
