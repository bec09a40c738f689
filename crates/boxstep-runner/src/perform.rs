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
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    pub(crate) errands: Errands,
    pub(crate) plays: Plays,
    /// The version that plays.
    pub(crate) playing: Shared<Version>,
    pub(crate) natives: Natives,
    pub(crate) settle_within: Time,
}

/// A version of a character, with the behaviors that it plays.
pub(crate) struct Version {
    pub(crate) character: Character,
    pub(crate) sources: Sources,
}

/// What leaves play, by the names that they say.
pub(crate) type Sources = HashMap<Arc<str>, BehaviorSource>;

/// Something of a performance that others have, too. Nobody is called while it is open.
pub(crate) type Shared<T> = Arc<Mutex<T>>;

pub(crate) fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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
        let (keys, resources) = self.watched();
        let errands = Errands::watching(keys, resources);
        let contended = self.contended(engine);
        if !contended.is_empty() {
            return Err(NotPlayed::Found(contended));
        }
        let sources = self.sources(open).map_err(NotPlayed::Found)?;
        let opened = self.open_all(engine, &errands, &sources, &mut |_| true).map_err(NotPlayed::Found)?;
        let plays = Plays::default();
        let world = OnEngine { errands: errands.clone(), plays: plays.clone(), leaves: HashMap::new() };
        let mut settings = self.settings(0);
        // The engine forces a stop that takes too long; the runner has to wait for that.
        let settle_within = stop_within + PERIOD + PERIOD;
        settings.settle_within = settle_within;
        let Cast { runner, house, .. } = self.cast_with(world, natives, settings).map_err(NotPlayed::Found)?;
        for (name, behavior) in opened {
            if let Some(leaf) = runner.find(&name) {
                errands.plays(leaf, behavior);
                self::open(&plays).insert(leaf, behavior);
            }
        }
        let runner = engine.add_runner_with(runner, PERIOD, errands.clone()).map_err(NotPlayed::Refused)?;
        let playing = Arc::new(Mutex::new(Version { character: self.clone(), sources }));
        Ok(Performance { runner, house, errands, plays, playing, natives: natives.clone(), settle_within })
    }

    /// The keys of the memory and the resources that conditions look at.
    pub(crate) fn watched(&self) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
        let (mut keys, mut resources) = (Vec::new(), Vec::new());
        for condition in self.conditions() {
            watched(condition, &mut keys, &mut resources);
        }
        (keys, resources)
    }

    /// Two that run side by side and claim what is one thing of the robot by two names. That they claim one name was found before.
    pub(crate) fn contended(&self, engine: &Engine) -> Vec<Finding> {
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

    /// What its leaves play, read.
    pub(crate) fn sources(&self, open: &mut Open<'_>) -> Result<Sources, Vec<Finding>> {
        let mut read: HashMap<Arc<str>, Result<BehaviorSource, String>> = HashMap::new();
        let mut wrong = Vec::new();
        for node in &self.behaviors {
            let found = match &node.kind {
                Kind::Do(Do::Play(name, _)) => {
                    let source = read.entry(name.clone()).or_insert_with(|| open(name));
                    source.as_ref().map(|_| ()).map_err(String::clone)
                }
                Kind::Do(Do::Script(name, _)) => Err(format!("no Python class is bound to `{name}`")),
                _ => Ok(()),
            };
            wrong.extend(found.err().map(|why| not_there(node, why)));
        }
        let read = read.into_iter().filter_map(|(name, source)| Some((name, source.ok()?)));
        if wrong.is_empty() { Ok(read.collect()) } else { Err(wrong) }
    }

    /// An instance for each of these leaves that plays something, with the leaf's name.
    pub(crate) fn open_all(
        &self,
        engine: &mut Engine,
        errands: &Errands,
        sources: &Sources,
        wanted: &mut dyn FnMut(&Arc<str>) -> bool,
    ) -> Result<Vec<(Arc<str>, BoxId)>, Vec<Finding>> {
        let (mut opened, mut wrong) = (Vec::new(), Vec::new());
        for node in self.behaviors.iter().filter(|node| wanted(&node.name)) {
            let Kind::Do(Do::Play(name, _)) = &node.kind else { continue };
            let Some(source) = sources.get(name) else { continue };
            match errands.open(engine, source.clone()) {
                Ok(behavior) => opened.push((node.name.clone(), behavior)),
                Err(found) => wrong.push(not_there(node, said(&found))),
            }
        }
        if wrong.is_empty() { Ok(opened) } else { Err(wrong) }
    }
}

fn not_there(node: &Node, why: String) -> Finding {
    Finding::new(Rule::UnknownName, node.at, why).way(std::slice::from_ref(&node.name))
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

/// The instances that leaves play.
pub(crate) type Plays = Shared<HashMap<BehaviorId, BoxId>>;

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

impl Do {
    /// The call that it is on a robot, if it is one: service, method, arguments. Of several texts the first; an animation without a
    /// path is one of those with this tag.
    pub fn call(&self) -> Option<(Arc<str>, Arc<str>, Vec<Value>)> {
        let made = |service: &str, method: &str, text: &Arc<str>| {
            Some((service.into(), method.into(), vec![Value::Str(text.clone())]))
        };
        match self {
            Do::Say(texts, animated) => {
                let service = if *animated { "ALAnimatedSpeech" } else { "ALTextToSpeech" };
                made(service, "say", texts.first()?)
            }
            Do::Animation(name) => made("ALAnimationPlayer", if name.contains('/') { "run" } else { "runTag" }, name),
            Do::Call(service, method, args) => Some((service.clone(), method.clone(), args.clone())),
            Do::Play(..) | Do::Script(..) => None,
        }
    }
}

impl World for OnEngine {
    fn enter(&mut self, of: BehaviorId, _: &Do) -> Handle {
        let handle = Handle(of.index() as u64);
        let errands = self.errands.of(of);
        let plays = open(&self.plays).get(&of).copied();
        let act = match plays {
            Some(behavior) => {
                errands.load(behavior);
                Act::Play(behavior)
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
                *errand = what.call().map(|(service, method, args)| errands.call(&service, &method, args));
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
