//! The properties that hold for all inputs, for fuzzers and tests.

use crate::import::behavior_tree;
use crate::{BuiltCharacter, Character, Do, Handle, Kind, Natives, NotReloaded, World, check};
use boxstep_engine::runner::{Action, BehaviorId, Control, NotTaken, Progress};
use boxstep_engine::services::Topic;
use boxstep_types::{Severity, Time, Value};
use std::collections::HashMap;

/// Takes bytes as a character's file. Either it is read, or the findings have positions in it; a character that is read
/// runs without a panic, and every action that it began is over when it has stopped.
///
/// # Panics
/// If a property is violated.
pub fn law(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let findings = check(text, "a.yaml");
    for finding in &findings {
        let at = finding.at;
        assert!(at.start as usize <= text.len() && at.end as usize <= text.len(), "{finding}");
        assert!(!finding.message.is_empty());
    }
    let wrong = findings.iter().any(|finding| finding.severity() == Severity::Error);
    match Character::read(text, "a.yaml", &[]) {
        Ok(character) => {
            assert!(!wrong, "{findings:?}");
            plays(&character, bytes.len() as u64);
        }
        Err(_) => assert!(wrong, "it is refused, and nothing is wrong with it"),
    }
}

/// Takes bytes as a BehaviorTree.CPP file. Either no character is made of it and a finding says why, or the character
/// has no errors and runs as [`law`] requires; the findings have positions in the file.
///
/// If a property is violated.
/// If the law is broken.
pub fn tree_law(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let imported = behavior_tree(text, "tree.xml", None);
    for finding in imported.findings.iter().filter(|finding| &*finding.file == "tree.xml") {
        let at = finding.at;
        assert!(at.start <= at.end && at.end as usize <= text.len() && at.line > 0, "{finding}");
        assert!(!finding.message.is_empty());
    }
    match imported.character {
        Some(character) => {
            let wrong = check(&character, "a.yaml").into_iter().find(|finding| finding.severity() == Severity::Error);
            assert!(wrong.is_none(), "{wrong:?} in\n{character}");
            law(character.as_bytes());
        }
        None => assert!(
            imported.findings.iter().any(|finding| finding.severity() == Severity::Error),
            "nothing was made of it, and nothing is wrong with it"
        ),
    }
}

/// Converts a text to JSON; `None` if it is not YAML, or has numbers that JSON lacks.
pub fn json(text: &str) -> Option<serde_json::Value> {
    use crate::tree::{Tree, What};
    use serde_json::Value as Json;
    fn converted(tree: &Tree) -> Option<Json> {
        Some(match &tree.what {
            What::Null => Json::Null,
            What::Bool(b) => Json::from(*b),
            What::Int(n) => Json::from(*n),
            What::Float(x) => Json::Number(serde_json::Number::from_f64(*x)?),
            What::Text(text) => Json::from(&**text),
            What::List(items) => Json::Array(items.iter().map(converted).collect::<Option<_>>()?),
            What::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| Some((key.text.to_string(), converted(value)?)));
                Json::Object(pairs.collect::<Option<_>>()?)
            }
        })
    }
    let tree = crate::tree::read(text, &mut Vec::new())?;
    converted(&tree)
}

/// Runs a character for 30 ticks in a world with random results, and checks that nothing is left when it has stopped.
///
/// # Panics
/// If anything is left, or the character violates the order of the world's calls.
pub fn plays(character: &Character, seed: u64) {
    let natives = natives_of(character);
    let Ok(mut built) = character.build(RandomWorld::new(seed), &natives, seed) else { return };
    built.blackboard.explain(true);
    let mut world = RandomWorld::new(seed + 1);
    for tick in 0..30 {
        raise_some(&mut built, &mut world, Time::from_millis(300 * tick));
        built.runner.tick(Time::from_millis(300 * tick));
        let active = built.runner.active();
        for id in &active {
            let parent = built.runner.view(*id).parent;
            assert!(parent.is_none_or(|parent| active.contains(&parent)), "active without its parent");
        }
    }
    assert_all_over(built, 30);
}

/// Runs a character twice, once with a reload of the same character before each third tick, and checks that the events
/// are the same.
///
/// # Panics
/// If they differ.
pub fn goes_on_as_itself(text: &str, seed: u64) {
    let read = || Character::read(text, "a.yaml", &[]).ok();
    let Some((character, again)) = read().zip(read()) else { return };
    let natives = natives_of(&character);
    let play = |reloads: bool| {
        let mut built = character.build(RandomWorld::new(seed), &natives, seed).ok()?;
        built.runner.keep_account(true);
        let (mut world, mut account) = (RandomWorld::new(seed + 1), Vec::new());
        for tick in 0..40 {
            let now = Time::from_millis(300 * tick);
            raise_some(&mut built, &mut world, now);
            if reloads && tick % 3 == 1 {
                let done = built.reload(&character, &again, &natives, now);
                assert!(done.is_ok() || built.runner.is_over() || stopped(&done), "{done:?}");
            }
            built.runner.tick(now);
            account.push(built.runner.take_account());
        }
        Some(account)
    };
    assert_eq!(play(true), play(false));
}

fn stopped(done: &Result<(), NotReloaded>) -> bool {
    matches!(done, Err(NotReloaded::NotTaken(NotTaken::Over)))
}

/// Runs a character, and tries in each tick to replace it by another one. Checks that invariants hold before and after,
/// and that nothing is left at the end. Returns whether the other one was taken.
///
/// # Panics
/// If a check fails.
pub fn goes_on_as(old: &Character, new: &Character, seed: u64) -> bool {
    let natives = natives_of(old).and(natives_of(new));
    let Ok(mut built) = old.build(RandomWorld::new(seed), &natives, seed) else { return false };
    let mut world = RandomWorld::new(seed + 1);
    let mut taken = false;
    for tick in 0..40 {
        let now = Time::from_millis(300 * tick);
        raise_some(&mut built, &mut world, now);
        if tick >= 7 && !taken {
            let before = built.runner.fingerprint();
            match built.reload(old, new, &natives, now) {
                Ok(()) => taken = true,
                Err(_) => assert_eq!(before, built.runner.fingerprint(), "a plan that is not taken changes nothing"),
            }
            assert_invariants(&built);
        }
        built.runner.tick(now);
        assert_invariants(&built);
    }
    assert_all_over(built, 40);
    taken
}

/// Checks that each active behavior is a declared delegate of its parent, and that scope counts are the numbers of
/// active parents.
fn assert_invariants(built: &BuiltCharacter) {
    let runner = &built.runner;
    let active = runner.active();
    for id in &active {
        let parent = runner.view(*id).parent;
        let declared = |parent| active.contains(&parent) && runner.delegates(parent).contains(id);
        assert!(parent.is_none_or(declared), "{} is active without its parent's word", runner.name(*id));
    }
    for id in runner.behaviors().filter(|id| runner.find(runner.name(*id)) == Some(*id)) {
        let parents = active.iter().filter(|parent| runner.delegates(**parent).contains(&id)).count() as u32;
        let scopes = runner.view(id).scopes;
        // Roots are also in the runner's own scope.
        assert!(scopes == parents || scopes == parents + 1, "{}: {scopes} scopes, {parents} parents", runner.name(id));
    }
}

fn natives_of(character: &Character) -> Natives {
    let mut natives = Natives::new();
    for node in &character.behaviors {
        if let Kind::Native(name, _) = &node.kind {
            natives = natives.bind(name.clone(), |_| CountingAction { state: 1 });
        }
    }
    natives
}

fn raise_some(built: &mut BuiltCharacter, world: &mut RandomWorld, now: Time) {
    for topic in built.runner.topics().to_vec() {
        if world.draw(3) == 0 && matches!(topic, Topic::Memory(_)) {
            let said = [Value::from("hello robot"), "my name is Ann".into(), Value::Int(world.draw(3) as i64)];
            built.runner.raise(&topic, said[world.draw(said.len() as u64) as usize].clone(), now);
        }
    }
}

/// Stops the character, and checks that all its behaviors are over.
fn assert_all_over(mut built: BuiltCharacter, ticks: i64) {
    built.runner.stop();
    for tick in ticks..ticks + 170 {
        built.runner.tick(Time::from_millis(300 * tick));
    }
    assert!(built.runner.is_over());
    for id in built.runner.behaviors() {
        let view = built.runner.view(id);
        let (name, left) = (built.runner.name(id), view.active || view.scopes > 0 || view.holds > 0 || view.waits);
        assert!(!left, "{name}: {view:?}");
    }
    assert!(built.blackboard.is_still(), "a claim or a silence is left");
}

/// A world with random results.
struct RandomWorld {
    state: u64,
    next: u64,
    running: HashMap<Handle, bool>,
}

impl RandomWorld {
    fn new(seed: u64) -> Self {
        Self { state: seed, next: 0, running: HashMap::new() }
    }

    fn draw(&mut self, sides: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % sides
    }
}

impl World for RandomWorld {
    fn enter(&mut self, _: BehaviorId, _: &Do) -> Handle {
        self.next += 1;
        self.running.insert(Handle(self.next), false);
        Handle(self.next)
    }

    fn wants(&mut self, of: Handle) -> bool {
        assert_eq!(self.running.get(&of), Some(&false), "asked while it runs, or out of scope");
        self.draw(4) > 0
    }

    fn start(&mut self, of: Handle, _: &Do, _: &Value) {
        assert_eq!(self.running.insert(of, true), Some(false), "started twice, or out of scope");
    }

    fn poll(&mut self, of: Handle) -> Progress {
        assert_eq!(self.running.get(&of), Some(&true), "polled while it does not run");
        let progress = match self.draw(4) {
            0 => Progress::Done(Value::Null),
            1 => Progress::Failed("by chance".into()),
            _ => return Progress::Running,
        };
        self.running.insert(of, false);
        progress
    }

    fn stop(&mut self, of: Handle) {
        assert_eq!(self.running.insert(of, false), Some(true), "stopped while it does not run");
    }

    fn leave(&mut self, of: Handle) {
        assert_eq!(self.running.remove(&of), Some(false), "left while it runs, or twice");
    }

    fn settled(&mut self, _: Handle) -> bool {
        self.draw(3) > 0
    }

    fn memory(&mut self, _: &str) -> Option<Value> {
        (self.draw(2) == 0).then(|| Value::Int(self.draw(3) as i64))
    }

    fn is_free(&mut self, _: &str) -> bool {
        self.draw(2) == 0
    }

    fn holds(&mut self, _: &str, _: &Value) -> Option<bool> {
        match self.draw(3) {
            0 => None,
            drawn => Some(drawn == 1),
        }
    }
}

/// An action that ends after a few polls.
struct CountingAction {
    state: u32,
}

impl Action for CountingAction {
    fn start(&mut self, _: &mut Control<'_>, _: &Value) {}

    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        self.state += 1;
        if self.state.is_multiple_of(3) { Progress::Done(Value::Null) } else { Progress::Running }
    }
}
