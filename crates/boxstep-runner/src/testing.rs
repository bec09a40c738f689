//! The laws that hold for all bytes; fuzzers and tests share them.

use crate::{Character, Do, Handle, Kind, Natives, World, check};
use boxstep_engine::runner::{Action, BehaviorId, Control, Progress};
use boxstep_engine::services::Topic;
use boxstep_types::{Severity, Time, Value};
use std::collections::HashMap;

/// Takes bytes as a character's file: it is read, or what is wrong has a place in it; what is read runs, without a panic, and
/// everything that was begun is over when it has stopped.
///
/// # Panics
/// If a law is broken.
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

/// Plays a character for 30 ticks in a world that decides by numbers, and sees to it that nothing is left when it has stopped.
///
/// # Panics
/// If something is left, or a rule of the world is broken.
pub fn plays(character: &Character, seed: u64) {
    let mut natives = Natives::new();
    for node in &character.behaviors {
        if let Kind::Native(name, _) = &node.kind {
            natives = natives.bind(name.clone(), |_| Numbers { state: 1 });
        }
    }
    let Ok(mut cast) = character.cast(Dice::new(seed), &natives, seed) else { return };
    cast.house.explain(true);
    let mut dice = Dice::new(seed + 1);
    for tick in 0..30 {
        for topic in cast.runner.topics().to_vec() {
            if dice.draw(3) == 0 {
                let Topic::Memory(_) = &topic else { continue };
                let value = Value::Int(dice.draw(3) as i64);
                cast.runner.raise(&topic, value, Time::from_millis(300 * tick));
            }
        }
        cast.runner.tick(Time::from_millis(300 * tick));
        let active = cast.runner.active();
        for id in &active {
            let parent = cast.runner.view(*id).parent;
            assert!(parent.is_none_or(|parent| active.contains(&parent)), "active without its parent");
        }
    }
    cast.runner.stop();
    for tick in 30..200 {
        cast.runner.tick(Time::from_millis(300 * tick));
    }
    assert!(cast.runner.is_over());
    for id in cast.runner.behaviors() {
        let view = cast.runner.view(id);
        let (name, left) = (cast.runner.name(id), view.active || view.scopes > 0 || view.holds > 0 || view.waits);
        assert!(!left, "{name}: {view:?}");
    }
    assert!(cast.house.is_still(), "a claim or a silence is left");
}

/// A world that draws what happens.
struct Dice {
    state: u64,
    next: u64,
    running: HashMap<Handle, bool>,
}

impl Dice {
    fn new(seed: u64) -> Self {
        Self { state: seed, next: 0, running: HashMap::new() }
    }

    fn draw(&mut self, sides: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % sides
    }
}

impl World for Dice {
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

/// An action that ends after some polls.
struct Numbers {
    state: u32,
}

impl Action for Numbers {
    fn start(&mut self, _: &mut Control<'_>, _: &Value) {}

    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        self.state += 1;
        if self.state.is_multiple_of(3) { Progress::Done(Value::Null) } else { Progress::Running }
    }
}
