//! A world that is only told what to do, and virtual time.

use boxstep_engine::runner::{BehaviorId, Progress};
use boxstep_engine::services::Topic;
use boxstep_runner::{BuiltCharacter, Character, Do, Handle, Natives, NotReloaded, World};
use boxstep_types::{Time, Value};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// What a leaf does, in a word.
pub fn word(what: &Do) -> String {
    match what {
        Do::Play(name, parameters) if parameters.is_empty() => name.to_string(),
        Do::Play(name, parameters) => format!("{name} {parameters:?}"),
        Do::Talk(name) => format!("talk {name}"),
        Do::Animation(name) => format!("animation {name}"),
        Do::Say(texts, animated) => format!("{}{}", texts.join("|"), if *animated { " animated" } else { "" }),
        Do::Call(service, method, args) => format!("{service}.{method}{}", Value::list(args.iter().cloned())),
        Do::Script(class, args) => format!("script {class} {args}"),
        Do::On(robot, what) => format!("{} on {}", word(what), robot.name),
    }
}

#[derive(Default)]
pub struct State {
    pub now: Time,
    pub log: Vec<String>,
    pub memory: HashMap<String, Value>,
    pub taken: HashSet<String>,
    /// How often a value of the memory was asked for; whether it is said to stay as it is.
    pub asked: usize,
    pub still: bool,
    /// Custom conditions.
    pub holds: HashMap<String, bool>,
    /// Who does not want to run.
    pub unwilling: HashSet<String>,
    /// Seconds that loading, stopping and unloading of a leaf take.
    pub slow: HashMap<String, [f64; 3]>,
    leaves: Vec<(String, Time)>,
    busy: HashMap<u64, Time>,
}

/// Says and plays last a second; those whose name begins with `quick` no time, with `fail` fail at once, with `long` last for ever.
#[derive(Clone, Default)]
pub struct Double(pub Arc<Mutex<State>>);

impl Double {
    pub fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    fn note(&self, what: &str, of: Handle) {
        let mut state = self.state();
        let name = state.leaves[of.0 as usize].0.clone();
        state.log.push(if what.is_empty() { name } else { format!("{what} {name}") });
    }

    fn takes(&self, of: Handle, step: usize) {
        let mut state = self.state();
        let name = state.leaves[of.0 as usize].0.clone();
        let seconds = state.slow.get(&name).map_or(0.0, |slow| slow[step]);
        let until = Time(state.now.0 + Time::from_secs_f64(seconds).0);
        state.busy.insert(of.0, until);
    }
}

impl World for Double {
    fn enter(&mut self, _: BehaviorId, what: &Do) -> Handle {
        let of = Handle(self.state().leaves.len() as u64);
        self.state().leaves.push((word(what), Time::ZERO));
        self.takes(of, 0);
        of
    }

    fn wants(&mut self, of: Handle) -> bool {
        let state = self.state();
        !state.unwilling.contains(&state.leaves[of.0 as usize].0)
    }

    fn start(&mut self, of: Handle, what: &Do, value: &Value) {
        let mut state = self.state();
        let now = state.now;
        state.leaves[of.0 as usize] = (word(what), now);
        drop(state);
        self.note(if *value == Value::Null { "" } else { "with value" }, of);
    }

    fn poll(&mut self, of: Handle) -> Progress {
        let state = self.state();
        let (name, since) = &state.leaves[of.0 as usize];
        let name = name.trim_start_matches("animation ").trim_start_matches("talk ");
        let seconds = (state.now.0 - since.0) as f64 / 1e9;
        match name {
            name if name.starts_with("fail") => Progress::Failed("cannot".into()),
            name if name.starts_with("long") => Progress::Running,
            name if name.starts_with("quick") || seconds >= 1.0 => Progress::Done(Value::from(name)),
            _ => Progress::Running,
        }
    }

    fn stop(&mut self, of: Handle) {
        self.note("stop", of);
        self.takes(of, 1);
    }

    fn leave(&mut self, of: Handle) {
        self.takes(of, 2);
    }

    fn settled(&mut self, of: Handle) -> bool {
        let state = self.state();
        state.busy.get(&of.0).is_none_or(|until| state.now >= *until)
    }

    fn forced(&mut self, of: Handle) {
        self.note("force", of);
    }

    fn memory(&mut self, key: &str) -> Option<Value> {
        self.state().asked += 1;
        self.state().memory.get(key).cloned()
    }

    fn memory_changed(&mut self) -> bool {
        !self.state().still
    }

    fn is_free(&mut self, resource: &str) -> bool {
        !self.state().taken.contains(resource)
    }

    fn holds(&mut self, name: &str, _: &Value) -> Option<bool> {
        self.state().holds.get(name).copied()
    }
}

/// A character that runs in virtual time, a tick every 100 ms.
pub struct Show {
    pub built: BuiltCharacter,
    character: Character,
    pub double: Double,
    ticks: i64,
}

impl Show {
    /// `behaviors` is what follows `behaviors:`, or a whole file.
    pub fn new(text: &str) -> Self {
        Self::seeded(text, 0)
    }

    pub fn seeded(text: &str, seed: u64) -> Self {
        Self::with(text, seed, &Natives::new())
    }

    pub fn with(text: &str, seed: u64, natives: &Natives) -> Self {
        Self::world(text, seed, natives, Double::default())
    }

    pub fn world(text: &str, seed: u64, natives: &Natives, double: Double) -> Self {
        let text = whole(text);
        let character = Character::read(&text, "test.yaml", &[]).unwrap_or_else(|findings| {
            let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
            panic!("{}\n{text}", all.join("\n"))
        });
        let built = character.build(double.clone(), natives, seed).unwrap_or_else(|findings| panic!("{findings:?}"));
        Self { built, character, double, ticks: 0 }
    }

    /// A tick; gives what was done in it.
    pub fn tick(&mut self) -> Vec<String> {
        let now = Time::from_millis(100 * self.ticks);
        self.ticks += 1;
        self.double.state().now = now;
        self.built.runner.tick(now);
        std::mem::take(&mut self.double.state().log)
    }

    /// Ticks for so many seconds; what was done, with the second in which it was.
    pub fn run(&mut self, seconds: f64) -> Vec<String> {
        let mut all = Vec::new();
        for _ in 0..(seconds * 10.0).round() as i64 {
            let now = self.ticks as f64 / 10.0;
            all.extend(self.tick().into_iter().map(|line| format!("{now:.1} {line}")));
        }
        all
    }

    /// Goes on as another version before the next tick.
    pub fn reload(&mut self, text: &str) -> Result<(), NotReloaded> {
        let new = Character::read(&whole(text), "test.yaml", &[]).unwrap();
        let now = Time::from_millis(100 * self.ticks);
        self.built.reload(&self.character, &new, &Natives::new(), now)?;
        self.character = new;
        Ok(())
    }

    /// The same, whoever is in the way.
    pub fn reload_by_force(&mut self, text: &str) {
        let new = Character::read(&whole(text), "test.yaml", &[]).unwrap();
        let now = Time::from_millis(100 * self.ticks);
        self.built.reload_by_force(&self.character, &new, &Natives::new(), now).unwrap();
        self.character = new;
    }

    pub fn raise(&mut self, key: &str, value: impl Into<Value>) {
        let (t, value) = (Time::from_millis(100 * self.ticks), value.into());
        self.double.state().memory.insert(key.to_owned(), value.clone());
        self.built.runner.raise(&Topic::Memory(key.into()), value, t);
    }

    /// The active ones by name.
    pub fn active(&self) -> Vec<String> {
        let runner = &self.built.runner;
        runner.active().into_iter().map(|id| runner.name(id).to_owned()).collect()
    }

    pub fn is_over(&self) -> bool {
        self.built.runner.is_over()
    }
}

/// A file around some behaviors.
pub fn whole(text: &str) -> String {
    if text.contains("character:") {
        return text.to_owned();
    }
    let indented: String = text.lines().map(|line| format!("  {line}\n")).collect();
    format!("character: Test\nbehaviors:\n{indented}")
}
