//! The world of a robot that acts for a character on another robot. Its leaves have control all the time, and do
//! something when the character asks.

use crate::adapter::{EngineWorld, Shared, lock};
use crate::elsewhere::{Asked, Turn};
use crate::model::Do;
use crate::world::{Handle, World};
use boxstep_engine::runner::{BehaviorId, Progress};
use boxstep_types::Value;
use std::collections::HashMap;

/// The number of each leaf, by which the character that asks knows it.
pub(crate) type Numbers = Shared<HashMap<BehaviorId, u32>>;

pub(crate) struct AskedWorld {
    pub(crate) inner: EngineWorld,
    pub(crate) asked: Box<dyn Asked>,
    pub(crate) numbers: Numbers,
    pub(crate) leaves: HashMap<Handle, Serving>,
}

/// A leaf that is in scope.
pub(crate) struct Serving {
    number: u32,
    what: Do,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Rests,
    Runs,
    Stops,
}

impl AskedWorld {
    fn stop_now(&mut self, of: Handle) {
        if let Some(leaf) = self.leaves.get_mut(&of).filter(|leaf| leaf.state == State::Runs) {
            leaf.state = State::Stops;
            self.inner.stop(of);
        }
    }

    /// Reports that a leaf stands, once it does, or has to.
    fn stands(&mut self, of: Handle, forced: bool) {
        let Some(leaf) = self.leaves.get_mut(&of).filter(|leaf| leaf.state == State::Stops) else { return };
        if forced || self.inner.settled(of) {
            leaf.state = State::Rests;
            self.asked.stopped(leaf.number);
        }
    }
}

impl World for AskedWorld {
    fn enter(&mut self, of: BehaviorId, what: &Do) -> Handle {
        let handle = self.inner.enter(of, what);
        if let Some(number) = lock(&self.numbers).get(&of) {
            self.leaves.insert(handle, Serving { number: *number, what: what.clone(), state: State::Rests });
        }
        handle
    }

    fn wished(&mut self, of: Handle) -> Option<bool> {
        let number = self.leaves.get(&of)?.number;
        Some(self.asked.wished(number))
    }

    fn start(&mut self, _: Handle, _: &Do, _: &Value) {}

    fn poll(&mut self, of: Handle) -> Progress {
        let Some(leaf) = self.leaves.get_mut(&of) else { return Progress::Running };
        match self.asked.turn(leaf.number) {
            Turn::GoOn => {}
            Turn::Start(choice) => {
                leaf.state = State::Runs;
                self.inner.start(of, &chosen(&leaf.what, choice), &Value::Null);
            }
            Turn::Stop => self.stop_now(of),
        }
        self.stands(of, false);
        if let Some(leaf) = self.leaves.get_mut(&of).filter(|leaf| leaf.state == State::Runs) {
            let progress = self.inner.poll(of);
            if progress != Progress::Running {
                leaf.state = State::Rests;
                self.asked.ended(leaf.number, progress);
            }
        }
        Progress::Running
    }

    fn stop(&mut self, of: Handle) {
        self.stop_now(of);
    }

    fn leave(&mut self, of: Handle) {
        self.stop_now(of);
        self.inner.leave(of);
    }

    fn settled(&mut self, of: Handle) -> bool {
        self.stands(of, false);
        self.inner.settled(of)
    }

    fn forced(&mut self, of: Handle) {
        self.stands(of, true);
        self.inner.forced(of);
    }

    fn memory(&mut self, key: &str) -> Option<Value> {
        self.inner.memory(key)
    }

    fn memory_changed(&mut self) -> bool {
        self.inner.memory_changed()
    }

    fn is_free(&mut self, resource: &str) -> bool {
        self.inner.is_free(resource)
    }

    fn language(&mut self) -> String {
        self.inner.language()
    }
}

/// Returns the action with the text that was drawn.
fn chosen(what: &Do, choice: u32) -> Do {
    match what {
        Do::Say(texts, animated) => {
            let text = texts.get(choice as usize).or(texts.first()).cloned();
            Do::Say(text.into_iter().collect(), *animated)
        }
        what => what.clone(),
    }
}

/// Returns which of its texts a leaf says.
pub(crate) fn choice(all: &Do, said: &Do) -> u32 {
    match (all.here(), said.here()) {
        (Do::Say(texts, _), Do::Say(said, _)) => {
            let at = texts.iter().position(|text| Some(text) == said.first());
            at.unwrap_or_default() as u32
        }
        _ => 0,
    }
}
