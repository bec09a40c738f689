//! A character on an engine: the world whose leaves are service calls and behaviors of files.

use crate::cast::Cast;
use crate::finding::{Finding, Rule};
use crate::model::{Character, Condition, Do, Kind};
use crate::world::{Handle, House, Natives, World};
use boxstep_engine::Engine;
use boxstep_engine::config::BehaviorSource;
use boxstep_engine::objects::BoxId;
use boxstep_engine::runner::{Errand, Errands, NotHosted, Progress, RunnerId, Standing};
use boxstep_types::{Diagnostic, Time, Value};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

/// The time from one tick of a character to the next.
pub const PERIOD: Time = Time::from_millis(50);

/// Finds the behavior that a `play` leaf names: a file, or an installed one; a sentence if there is none.
pub type Open<'a> = dyn FnMut(&str) -> Result<BehaviorSource, String> + 'a;

/// A character that an engine plays.
pub struct Performance {
    /// Its runner there.
    pub runner: RunnerId,
    /// What its behaviors share.
    pub house: House,
}

/// Why an engine does not play a character.
#[derive(Clone, Debug, PartialEq)]
pub enum NotPlayed {
    /// What is wrong with the character, or what it names and is not there.
    Found(Vec<Finding>),
    /// The engine does not take it.
    Refused(NotHosted),
}

impl fmt::Display for NotPlayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotPlayed::Found(findings) => findings.iter().try_for_each(|finding| writeln!(f, "{finding}")),
            NotPlayed::Refused(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for NotPlayed {}

impl Character {
    /// Has an engine play the character: it ticks each [`PERIOD`] from now on. All behaviors that it plays are opened
    /// before, each leaf's as an instance of its own. `stop_within` is how long the engine gives a behavior to stop.
    ///
    /// # Errors
    /// [`NotPlayed`]: nothing of the character has happened then.
    pub fn perform(
        &self,
        engine: &mut Engine,
        open: &mut Open<'_>,
        natives: &Natives,
        stop_within: Time,
    ) -> Result<Performance, NotPlayed> {
        let (mut keys, mut resources) = (Vec::new(), Vec::new());
        for condition in self.conditions() {
            watched(condition, &mut keys, &mut resources);
        }
        let errands = Errands::watching(keys, resources);
        let idle = self.open_all(engine, &errands, open).map_err(NotPlayed::Found)?;
        let world = OnEngine { errands: errands.clone(), idle, leaves: HashMap::new(), made: 0 };
        let mut settings = self.settings(0);
        // The engine forces a stop that takes too long; the runner has to wait for that.
        settings.settle_within = stop_within + PERIOD + PERIOD;
        let Cast { runner, house } = self.cast_with(world, natives, settings).map_err(NotPlayed::Found)?;
        let runner = engine.add_runner_with(runner, PERIOD, errands).map_err(NotPlayed::Refused)?;
        Ok(Performance { runner, house })
    }

    /// An instance for each leaf that plays something, by what it plays.
    fn open_all(&self, engine: &mut Engine, errands: &Errands, open: &mut Open<'_>) -> Result<Idle, Vec<Finding>> {
        let (mut idle, mut read, mut wrong) = (Idle::new(), HashMap::new(), Vec::new());
        for node in &self.behaviors {
            let opened = match &node.kind {
                Kind::Do(Do::Play(name, _)) => {
                    let source = read.entry(name.clone()).or_insert_with(|| open(name)).clone();
                    source.and_then(|source| errands.open(engine, source).map_err(|found| said(&found))).map(
                        |behavior| {
                            idle.entry(name.clone()).or_default().push_back(behavior);
                        },
                    )
                }
                Kind::Do(Do::Script(name, _)) => Err(format!("no Python class is bound to `{name}`")),
                _ => Ok(()),
            };
            if let Err(why) = opened {
                wrong.push(Finding::new(Rule::UnknownName, node.at, why).way(std::slice::from_ref(&node.name)));
            }
        }
        if wrong.is_empty() { Ok(idle) } else { Err(wrong) }
    }
}

fn said(found: &[Diagnostic]) -> String {
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The keys of the memory and the resources that a condition looks at.
fn watched(condition: &Condition, keys: &mut Vec<Arc<str>>, resources: &mut Vec<Arc<str>>) {
    match condition {
        Condition::Memory(key, _) => keys.push(key.clone()),
        Condition::Free(name) => resources.push(name.clone()),
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| watched(part, keys, resources)),
        Condition::Not(inner) | Condition::Became(inner) | Condition::Dedup(inner, _) => {
            watched(inner, keys, resources)
        }
        Condition::Always(_)
        | Condition::Elapsed(_)
        | Condition::Timer(..)
        | Condition::Event(..)
        | Condition::Chance(..)
        | Condition::Custom(..) => {}
    }
}

/// Instances that no leaf in scope has, by what they play. Who comes into scope takes the one that has been idle for longest.
type Idle = HashMap<Arc<str>, VecDeque<BoxId>>;

/// The world of a character that an engine plays.
struct OnEngine {
    errands: Errands,
    idle: Idle,
    leaves: HashMap<Handle, Leaf>,
    made: u64,
}

enum Leaf {
    /// It has left scope, but for what it still has to unload.
    Play {
        name: Arc<str>,
        behavior: BoxId,
        left: bool,
    },
    Call(Option<Errand>),
}

/// The call that a leaf is. An animation without a path is one of those with this tag.
fn call(what: &Do) -> Option<(Arc<str>, Arc<str>, Vec<Value>)> {
    let made = |service: &str, method: &str, text: &Arc<str>| {
        Some((service.into(), method.into(), vec![Value::Str(text.clone())]))
    };
    match what {
        Do::Say(texts, animated) => {
            let service = if *animated { "ALAnimatedSpeech" } else { "ALTextToSpeech" };
            made(service, "say", texts.first()?)
        }
        Do::Animation(name) => made("ALAnimationPlayer", if name.contains('/') { "run" } else { "runTag" }, name),
        Do::Call(service, method, args) => Some((service.clone(), method.clone(), args.clone())),
        Do::Play(..) | Do::Script(..) => None,
    }
}

impl World for OnEngine {
    fn enter(&mut self, what: &Do) -> Handle {
        self.made += 1;
        let handle = Handle(self.made);
        let play = match what {
            Do::Play(name, _) => self.idle.get_mut(name).and_then(VecDeque::pop_front).map(|behavior| (name, behavior)),
            _ => None,
        };
        let leaf = match play {
            Some((name, behavior)) => {
                self.errands.load(behavior);
                Leaf::Play { name: name.clone(), behavior, left: false }
            }
            None => Leaf::Call(None),
        };
        self.leaves.insert(handle, leaf);
        handle
    }

    fn start(&mut self, of: Handle, what: &Do, _: &Value) {
        match (self.leaves.get_mut(&of), what) {
            (Some(Leaf::Play { behavior, .. }), Do::Play(_, parameters)) => {
                self.errands.start(*behavior, parameters.clone());
            }
            (Some(Leaf::Call(errand)), what) => {
                *errand = call(what).map(|(service, method, args)| self.errands.call(&service, &method, args));
            }
            _ => {}
        }
    }

    fn poll(&mut self, of: Handle) -> Progress {
        match self.leaves.get_mut(&of) {
            Some(Leaf::Play { behavior, .. }) => self.errands.progress(*behavior),
            Some(Leaf::Call(errand)) => {
                let progress = errand.map_or_else(
                    || Progress::Failed("there is nothing to do".into()),
                    |errand| self.errands.answer(errand),
                );
                if progress != Progress::Running {
                    *errand = None;
                }
                progress
            }
            None => Progress::Failed("it is not in scope".into()),
        }
    }

    fn stop(&mut self, of: Handle) {
        match self.leaves.get_mut(&of) {
            Some(Leaf::Play { behavior, .. }) => self.errands.stop(*behavior),
            Some(Leaf::Call(errand)) => {
                if let Some(errand) = errand.take() {
                    self.errands.cancel(errand);
                }
            }
            None => {}
        }
    }

    fn leave(&mut self, of: Handle) {
        match self.leaves.get_mut(&of) {
            Some(Leaf::Play { behavior, left, .. }) => {
                *left = true;
                self.errands.stop(*behavior);
            }
            _ => drop(self.leaves.remove(&of)),
        }
    }

    fn settled(&mut self, of: Handle) -> bool {
        match self.leaves.get(&of) {
            Some(Leaf::Play { behavior, .. }) if self.errands.standing(*behavior) == Standing::Busy => false,
            _ => {
                self.forced(of);
                true
            }
        }
    }

    /// Whoever has left needs its instance no longer.
    fn forced(&mut self, of: Handle) {
        if matches!(self.leaves.get(&of), Some(Leaf::Play { left: true, .. }))
            && let Some(Leaf::Play { name, behavior, .. }) = self.leaves.remove(&of)
        {
            self.idle.entry(name).or_default().push_back(behavior);
        }
    }

    fn memory(&mut self, key: &str) -> Option<Value> {
        self.errands.memory(key)
    }

    fn is_free(&mut self, resource: &str) -> bool {
        self.errands.is_free(resource)
    }
}
