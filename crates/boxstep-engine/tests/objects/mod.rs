//! The public objects: boxes, timelines, state machines, states, transitions, made in code and found in files
//! (`docs/reference/rust-api.md`).

#![allow(unreachable_pub, missing_docs, reason = "modules of one test")]

mod boxes;
mod files;
mod machines;
mod remote;
mod states;
mod timelines;

use crate::support::Lines;
use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::objects::{BoxId, Cx, Draft, StateId, StateMachineId};
use std::sync::{Arc, Mutex};

/// What functions have written down, in order.
#[derive(Clone, Default)]
pub struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    pub fn add(&self, text: impl Into<String>) {
        self.0.lock().unwrap().push(text.into());
    }

    /// A function that writes this down.
    pub fn note(&self, text: &str) -> impl FnMut(&mut Cx<'_>) + Send + 'static {
        let (notes, text) = (self.clone(), text.to_owned());
        move |_| notes.add(text.clone())
    }

    /// What has been written down since the last time.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

pub fn engine() -> Engine {
    Engine::without_robot(Config::default())
}

/// An engine, and its trace as lines.
pub fn traced() -> (Engine, Lines) {
    let lines = Lines::default();
    (Engine::traced(Config::default(), vec![Box::new(lines.clone())]), lines)
}

/// A box that writes down when it is loaded and unloaded.
pub fn watched(engine: &mut Engine, name: &str, notes: &Notes) -> BoxId {
    let id = engine.objects().new_box(Draft::new(name)).unwrap();
    let mut b = engine.objects().get_box(id).unwrap();
    b.on_load(notes.note(&format!("load {name}")));
    b.on_unload(notes.note(&format!("unload {name}")));
    id
}

/// A state machine with a state for each name, each with a box of its own that is watched, and its new states written
/// down.
pub fn machine(engine: &mut Engine, names: &[&str], notes: &Notes) -> (StateMachineId, Vec<StateId>) {
    let id = engine.objects().new_state_machine("m").unwrap();
    let mut states = Vec::new();
    for name in names {
        let b = watched(engine, name, notes);
        states.push(engine.objects().state_machine(id).unwrap().add_state(name, &[b]).unwrap());
    }
    let told = notes.clone();
    engine.objects().state_machine(id).unwrap().on_new_state(move |cx, state| {
        let name = cx.objects().state(state).unwrap().name();
        told.add(format!("state {name}"));
    });
    (id, states)
}

/// The name of the state that is current.
pub fn current(engine: &mut Engine, id: StateMachineId) -> String {
    let state = engine.objects().state_machine(id).unwrap().current_state();
    state.map_or_else(String::new, |s| engine.objects().state(s).unwrap().name().to_string())
}
