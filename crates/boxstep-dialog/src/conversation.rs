//! A conversation without a robot: for consoles, tests and trials of topics.

use crate::dialog::{Dialog, LoadError};
use crate::topic::Topic;
use crate::world::{ServiceCall, World};
use boxstep_trace::DialogEvent;
use boxstep_types::{Random, Time, Value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A dialog in a world that is nothing but a memory and a clock: what the robot says is said at once.
///
/// ```
/// use boxstep_dialog::{Conversation, read_topic};
///
/// let topic = "topic: ~hi()\nlanguage: English\nu:(hello {robot}) hi\nu:(my name is _*) nice name, $1\n";
/// let mut conversation = Conversation::new("English", 0);
/// conversation.add(read_topic("hi.top", topic), Vec::new())?;
/// assert_eq!(conversation.hear("Hello!"), "hi");
/// assert_eq!(conversation.hear("my name is Ann Lee"), "nice name, Ann Lee");
/// assert_eq!(conversation.hear("good night"), "");
/// # Ok::<(), boxstep_dialog::LoadError>(())
/// ```
pub struct Conversation {
    /// The dialog.
    pub dialog: Dialog,
    /// Its world.
    pub world: MemoryWorld,
}

/// A world that is nothing but a memory and a clock.
pub struct MemoryWorld {
    /// The variables.
    pub variables: BTreeMap<String, Value>,
    /// What calls of services return, by `Service.method`; other calls fail.
    pub results: BTreeMap<String, Result<Value, String>>,
    /// The calls that topics have made.
    pub calls: Vec<ServiceCall>,
    /// What happened, in order.
    pub notes: Vec<DialogEvent>,
    /// What topics did in vain.
    pub warnings: Vec<String>,
    /// What was said since it was last looked at.
    said: Vec<String>,
    now: Time,
    epoch: i64,
    random: Random,
    coming: VecDeque<Coming>,
}

/// What comes back to the dialog.
enum Coming {
    Said(u64),
    Returned(u64, Result<Value, String>),
}

/// 2020-01-01: the day at which virtual time begins.
const EPOCH: i64 = 1_577_836_800;

/// How many sentences and results come back to the dialog at one instant.
const MOST_AT_ONCE: usize = 2_000;

impl Conversation {
    /// Begins a conversation in a language, given by its name or code. `seed` decides what is random.
    pub fn new(language: &str, seed: u64) -> Self {
        let world = MemoryWorld {
            variables: BTreeMap::new(),
            results: BTreeMap::new(),
            calls: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            said: Vec::new(),
            now: Time::ZERO,
            epoch: EPOCH,
            random: Random::new(seed),
            coming: VecDeque::new(),
        };
        Self { dialog: Dialog::new(language), world }
    }

    /// Loads and activates a topic, with the topics that it includes. Returns its name.
    ///
    /// # Errors
    /// As [`Dialog::load`].
    pub fn add(&mut self, topic: Topic, includes: Vec<Topic>) -> Result<Arc<str>, LoadError> {
        let name = self.dialog.load(topic, includes)?;
        self.dialog.activate(&mut self.world, &name)?;
        Ok(name)
    }

    /// Says something to the robot; returns what the robot answers, without annotations: empty if it says nothing.
    pub fn hear(&mut self, text: &str) -> String {
        self.dialog.hear(&mut self.world, text);
        self.settle()
    }

    /// Raises an event; returns what the robot says.
    pub fn raise(&mut self, key: &str, value: impl Into<Value>) -> String {
        self.world.variables.insert(key.to_owned(), value.into());
        self.dialog.event(&mut self.world, key);
        self.settle()
    }

    /// Lets time pass, in seconds; returns what the robot says meanwhile.
    pub fn wait(&mut self, seconds: f64) -> String {
        let until = self.world.now + Time::from_secs_f64(seconds);
        while let Some(deadline) = self.dialog.deadline().filter(|deadline| *deadline <= until) {
            self.world.now = self.world.now.max(deadline);
            self.dialog.tick(&mut self.world);
            self.deliver();
        }
        self.world.now = until;
        self.settle()
    }

    /// Delivers what comes back to the dialog; returns what the robot has said.
    pub fn settle(&mut self) -> String {
        self.deliver();
        std::mem::take(&mut self.world.said).join(" ")
    }

    fn deliver(&mut self) {
        // Nothing takes time here, so answers that raise the event that they answer would go on for ever.
        let mut left = MOST_AT_ONCE;
        loop {
            let Some(coming) = self.world.coming.pop_front() else {
                // The next sentence, behind an answer that has just ended.
                if let Some(at) = self.dialog.rests() {
                    self.world.now = self.world.now.max(at);
                    self.dialog.tick(&mut self.world);
                    continue;
                }
                return;
            };
            if left == 0 {
                self.dialog.stop(&mut self.world);
                self.world.coming.clear();
                self.world.warnings.push("answers lead to each other in a circle".to_owned());
                return;
            }
            left -= 1;
            match coming {
                Coming::Said(number) => self.dialog.said(&mut self.world, number),
                Coming::Returned(number, result) => self.dialog.returned(&mut self.world, number, result),
            }
        }
    }
}

impl World for MemoryWorld {
    fn now(&self) -> Time {
        self.now
    }

    fn unix_time(&self) -> i64 {
        self.epoch + self.now.as_secs_f64() as i64
    }

    fn variable(&self, _: &str, key: &str) -> Option<Value> {
        self.variables.get(key).cloned()
    }

    fn set_variable(&mut self, _: &str, key: &str, value: Value) {
        self.variables.insert(key.to_owned(), value);
    }

    fn clear_variable(&mut self, _: &str, key: &str) {
        self.variables.remove(key);
    }

    fn notice(&mut self, key: &str, value: Value) {
        match self.variables.get_mut(key) {
            Some(old) => *old = value,
            None => self.set_variable("", key, value),
        }
    }

    fn random(&mut self, below: usize) -> usize {
        (self.random.next_u64() % below.max(1) as u64) as usize
    }

    fn say(&mut self, number: u64, _: &str) {
        self.coming.push_back(Coming::Said(number));
    }

    fn stop_speaking(&mut self) {}

    fn call(&mut self, number: Option<u64>, call: &ServiceCall) {
        self.calls.push(call.clone());
        if let Some(number) = number {
            let name = format!("{}.{}", call.service, call.method);
            let none = || Err(format!("there is no robot here: {name} is not called"));
            let result = self.results.get(&name).cloned().unwrap_or_else(none);
            self.coming.push_back(Coming::Returned(number, result));
        }
    }

    fn run_script(&mut self, number: u64, _: &str) {
        let result = Err("there is no robot here: scripts do not run".to_owned());
        self.coming.push_back(Coming::Returned(number, result));
    }

    fn start_behavior(&mut self, name: &str) {
        self.warnings.push(format!("the behavior `{name}` would take over"));
    }

    fn note(&mut self, note: DialogEvent) {
        if let DialogEvent::Answer { text } = &note {
            self.said.push(text.to_string());
        }
        self.notes.push(note);
    }

    fn warn(&mut self, text: String) {
        self.warnings.push(text);
    }
}
