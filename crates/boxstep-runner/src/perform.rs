//! A character on an engine: the world whose leaves are service calls and behaviors of files.

use crate::cast::Cast;
use crate::finding::{Finding, Rule};
use crate::model::{Character, Condition, Do, Kind, Named, Node};
use crate::world::{Handle, House, Natives, World};
use boxstep_engine::Engine;
use boxstep_engine::config::BehaviorSource;
use boxstep_engine::objects::BoxId;
use boxstep_engine::runner::{BehaviorId, Errand, Errands, NotHosted, Progress, RunnerId, Standing};
use boxstep_types::{Diagnostic, Time, Value};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

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
        let contended = self.contended(engine);
        if !contended.is_empty() {
            return Err(NotPlayed::Found(contended));
        }
        let opened = self.open_all(engine, &errands, open).map_err(NotPlayed::Found)?;
        let plays = Plays::default();
        let world = OnEngine { errands: errands.clone(), plays: plays.clone(), leaves: HashMap::new() };
        let mut settings = self.settings(0);
        // The engine forces a stop that takes too long; the runner has to wait for that.
        settings.settle_within = stop_within + PERIOD + PERIOD;
        let Cast { runner, house } = self.cast_with(world, natives, settings).map_err(NotPlayed::Found)?;
        let by_leaf = |(name, behavior): (Arc<str>, BoxId)| Some((runner.find(&name)?, behavior));
        let opened = plays.get_or_init(|| opened.into_iter().filter_map(by_leaf).collect());
        opened.iter().for_each(|(leaf, behavior)| errands.plays(*leaf, *behavior));
        let runner = engine.add_runner_with(runner, PERIOD, errands).map_err(NotPlayed::Refused)?;
        Ok(Performance { runner, house })
    }

    /// Two that run side by side and claim what is one thing of the robot by two names. That they claim one name was found before.
    fn contended(&self, engine: &Engine) -> Vec<Finding> {
        let by_name: HashMap<&str, &Node> = self.behaviors.iter().map(|node| (&*node.name, node)).collect();
        let mut wrong = Vec::new();
        for node in self.behaviors.iter().filter(|node| matches!(node.kind, Kind::Parallel { .. })) {
            let children = node.kind.children();
            let claims: Vec<(&Named, &Arc<str>)> = children
                .iter()
                .filter_map(|child| Some((&child.to, by_name.get(&*child.to.name)?)))
                .flat_map(|(to, child)| child.claims.iter().map(move |claim| (to, claim)))
                .collect();
            for (at, (other, theirs)) in claims.iter().enumerate() {
                let clash =
                    |(one, ours): &&(&Named, &Arc<str>)| one.name != other.name && engine.contended(ours, theirs);
                let Some((one, ours)) = claims[..at].iter().find(clash) else { continue };
                let message = format!(
                    "`{}` and `{}` run side by side, and claim `{ours}` and `{theirs}`, which one of them has at a time",
                    one.name, other.name
                );
                wrong.push(Finding::new(Rule::Contended, other.at, message).way(std::slice::from_ref(&node.name)));
            }
        }
        wrong
    }

    /// An instance for each leaf that plays something, with the leaf's name.
    fn open_all(
        &self,
        engine: &mut Engine,
        errands: &Errands,
        open: &mut Open<'_>,
    ) -> Result<Vec<(Arc<str>, BoxId)>, Vec<Finding>> {
        let (mut opened, mut read, mut wrong) = (Vec::new(), HashMap::new(), Vec::new());
        for node in &self.behaviors {
            let found = match &node.kind {
                Kind::Do(Do::Play(name, _)) => {
                    let source = read.entry(name.clone()).or_insert_with(|| open(name)).clone();
                    let behavior = source.and_then(|source| errands.open(engine, source).map_err(|found| said(&found)));
                    behavior.map(|behavior| opened.push((node.name.clone(), behavior)))
                }
                Kind::Do(Do::Script(name, _)) => Err(format!("no Python class is bound to `{name}`")),
                _ => Ok(()),
            };
            if let Err(why) = found {
                wrong.push(Finding::new(Rule::UnknownName, node.at, why).way(std::slice::from_ref(&node.name)));
            }
        }
        if wrong.is_empty() { Ok(opened) } else { Err(wrong) }
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

/// The instances that leaves play: known when the runner is made, in which the world is.
type Plays = Arc<OnceLock<HashMap<BehaviorId, BoxId>>>;

/// The world of a character that an engine plays. Of a leaf the number in the runner is the handle.
struct OnEngine {
    errands: Errands,
    plays: Plays,
    leaves: HashMap<Handle, Leaf>,
}

/// A leaf that is or was in scope: where it leaves its errands, and what they are about.
struct Leaf {
    errands: Errands,
    act: Act,
}

enum Act {
    Play(BoxId),
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
    fn enter(&mut self, of: BehaviorId, _: &Do) -> Handle {
        let handle = Handle(of.index() as u64);
        let errands = self.errands.of(of);
        let act = match self.plays.get().and_then(|plays| plays.get(&of)) {
            Some(behavior) => {
                errands.load(*behavior);
                Act::Play(*behavior)
            }
            None => Act::Call(None),
        };
        self.leaves.insert(handle, Leaf { errands, act });
        handle
    }

    fn start(&mut self, of: Handle, what: &Do, _: &Value) {
        let Some(Leaf { errands, act }) = self.leaves.get_mut(&of) else { return };
        match (act, what) {
            (Act::Play(behavior), Do::Play(_, parameters)) => errands.start(*behavior, parameters.clone()),
            (Act::Call(errand), what) => {
                *errand = call(what).map(|(service, method, args)| errands.call(&service, &method, args));
            }
            _ => {}
        }
    }

    fn poll(&mut self, of: Handle) -> Progress {
        let Some(Leaf { errands, act }) = self.leaves.get_mut(&of) else {
            return Progress::Failed("it is not in scope".into());
        };
        match act {
            Act::Play(behavior) => errands.progress(*behavior),
            Act::Call(errand) => {
                let nothing = || Progress::Failed("there is nothing to do".into());
                let progress = errand.map_or_else(nothing, |errand| errands.answer(errand));
                if progress != Progress::Running {
                    *errand = None;
                }
                progress
            }
        }
    }

    fn stop(&mut self, of: Handle) {
        let Some(Leaf { errands, act }) = self.leaves.get_mut(&of) else { return };
        match act {
            Act::Play(behavior) => errands.stop(*behavior),
            Act::Call(errand) => {
                if let Some(errand) = errand.take() {
                    errands.cancel(errand);
                }
            }
        }
    }

    fn leave(&mut self, of: Handle) {
        if let Some(Leaf { errands, act: Act::Play(behavior) }) = self.leaves.get(&of) {
            errands.stop(*behavior);
        }
    }

    fn settled(&mut self, of: Handle) -> bool {
        match self.leaves.get(&of) {
            Some(Leaf { errands, act: Act::Play(behavior) }) => errands.standing(*behavior) != Standing::Busy,
            _ => true,
        }
    }

    fn memory(&mut self, key: &str) -> Option<Value> {
        self.errands.memory(key)
    }

    fn memory_changed(&mut self) -> bool {
        self.errands.memory_changed()
    }

    fn is_free(&mut self, resource: &str) -> bool {
        self.errands.is_free(resource)
    }
}
