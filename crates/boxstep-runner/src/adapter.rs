//! Runs a character on an engine: its world, whose actions are service calls and behaviors of files.

use crate::asked::{AskedWorld, Numbers, choice};
use crate::built::BuiltCharacter;
use crate::elsewhere::{Asked, Elsewhere, Presence};
use crate::finding::{Finding, Rule};
use crate::model::{Character, Condition, Do, Kind, Named, Node};
use crate::world::{Blackboard, Handle, Natives, World};
use boxstep_engine::Engine;
use boxstep_engine::config::BehaviorSource;
use boxstep_engine::objects::BoxId;
use boxstep_engine::protocol::CallbackId;
use boxstep_engine::runner::{
    BehaviorId, DeferredCall, DeferredCalls, LoadState, NotHosted, Progress, RunnerId, Scripts, ask_scripts,
};
use boxstep_types::{Diagnostic, Time, Value};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The time from one tick of a character to the next.
pub const PERIOD: Time = Time::from_millis(50);

/// Opens the behavior that a `play` leaf names: a file, or an installed one. An error is a sentence that says why there
/// is none.
pub type OpenBehavior<'a> = dyn FnMut(&str) -> Result<BehaviorSource, String> + 'a;

/// A character that runs on an engine.
pub struct RunningCharacter {
    /// Its runner in the engine.
    pub runner: RunnerId,
    /// The state that its behaviors share.
    pub blackboard: Blackboard,
    pub(crate) deferred: DeferredCalls,
    pub(crate) plays: Plays,
    /// The version that runs.
    pub(crate) playing: Shared<Version>,
    pub(crate) natives: Natives,
    pub(crate) settle_within: Time,
}

/// A version of a character, with the behaviors that it plays.
pub(crate) struct Version {
    pub(crate) character: Character,
    pub(crate) sources: Sources,
}

/// The behaviors that leaves play, by the names in the file.
pub(crate) type Sources = HashMap<Arc<str>, BehaviorSource>;

/// A part of a running character that others share. No caller's code runs under this lock.
pub(crate) type Shared<T> = Arc<Mutex<T>>;

pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a character is put on an engine.
pub struct Staging {
    /// How long the engine gives a behavior to stop.
    pub stop_within: Time,
    /// When the character ticks first, if that is later than now.
    pub begins: Time,
    /// What runs of it here.
    pub role: Role,
}

/// What runs of a character on an engine.
pub enum Role {
    /// All of it; there are no other robots.
    Alone,
    /// All of it, but for the leaves that act on other robots.
    Leads(Box<dyn Elsewhere>),
    /// The leaves that act on the robot of this name, when the character on another robot wants it.
    Serves(String, Box<dyn Asked>),
}

/// How much longer a behavior may take to stop if it runs on another robot: until it has heard of it, or has noticed that
/// nobody is heard.
const ACROSS: Time = Time::from_millis(3_000);

/// The reason why an engine does not run a character.
#[derive(Clone, Debug, PartialEq)]
pub enum NotPlayed {
    /// The findings about the character, or about names that do not exist.
    Found(Vec<Finding>),
    /// The engine rejects its runner.
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
    /// Runs the character on an engine: it ticks each [`PERIOD`] from now on. All behaviors that it plays are opened
    /// first, a separate instance for each leaf. `stop_within` is how long the engine gives a behavior to stop.
    ///
    /// # Errors
    /// [`NotPlayed`]: nothing of the character has run then.
    pub fn run_on(
        &self,
        engine: &mut Engine,
        open: &mut OpenBehavior<'_>,
        natives: &Natives,
        stop_within: Time,
    ) -> Result<RunningCharacter, NotPlayed> {
        self.run_staged(engine, open, natives, Staging { stop_within, begins: Time::ZERO, role: Role::Alone })
    }

    /// As [`Character::run_on`], for a character that runs on several robots.
    ///
    /// # Errors
    /// [`NotPlayed`]: nothing of the character has run then.
    pub fn run_staged(
        &self,
        engine: &mut Engine,
        open: &mut OpenBehavior<'_>,
        natives: &Natives,
        staging: Staging,
    ) -> Result<RunningCharacter, NotPlayed> {
        match &staging.role {
            Role::Alone => {
                let alone = self.alone();
                if !alone.is_empty() {
                    return Err(NotPlayed::Found(alone));
                }
                self.host(engine, open, natives, staging, self)
            }
            Role::Leads(_) => self.host(engine, open, natives, staging, self),
            Role::Serves(robot, _) => {
                let part = self.of_robot(robot);
                part.host(engine, open, natives, staging, self)
            }
        }
    }

    /// Runs this character, which is `whole` or a part of it.
    fn host(
        &self,
        engine: &mut Engine,
        open: &mut OpenBehavior<'_>,
        natives: &Natives,
        staging: Staging,
        whole: &Character,
    ) -> Result<RunningCharacter, NotPlayed> {
        let Staging { stop_within, begins, role } = staging;
        let (keys, resources) = self.watched();
        let deferred = DeferredCalls::watching(keys, resources);
        let contended = self.contended(engine);
        if !contended.is_empty() {
            return Err(NotPlayed::Found(contended));
        }
        // Missing scripts are reported before anything is opened.
        self.scripts(natives, &mut |_| 0).map_err(NotPlayed::Found)?;
        let sources = self.sources(open).map_err(NotPlayed::Found)?;
        let opened = self.open_all(engine, &deferred, &sources, &mut |_| true).map_err(NotPlayed::Found)?;
        deferred.begin_at(begins);
        let (plays, numbers) = (Plays::default(), Numbers::default());
        let mut world = EngineWorld {
            deferred: deferred.clone(),
            plays: plays.clone(),
            leaves: HashMap::new(),
            customs: Customs::default(),
            elsewhere: None,
            numbers: numbers.clone(),
        };
        let mut settings = self.settings(0);
        // The engine forces a stop that takes too long, and the runner has to wait for that.
        let mut settle_within = stop_within + PERIOD + PERIOD;
        let built = match role {
            Role::Serves(_, asked) => {
                settings.settle_within = settle_within;
                let (inner, leaves) = (world, HashMap::new());
                let world = AskedWorld { inner, asked, numbers: numbers.clone(), leaves };
                self.build_with(world, natives, settings)
            }
            role => {
                if let Role::Leads(elsewhere) = role {
                    world.elsewhere = Some(elsewhere);
                    settle_within = settle_within + ACROSS;
                }
                settings.settle_within = settle_within;
                self.build_with(world, natives, settings)
            }
        };
        let BuiltCharacter { runner, blackboard, .. } = built.map_err(NotPlayed::Found)?;
        for (node, _) in whole.elsewhere() {
            if let (Some(leaf), Some(number)) = (runner.find(&node.name), whole.leaf_number(&node.name)) {
                lock(&numbers).insert(leaf, number);
            }
        }
        for (name, behavior) in opened {
            if let Some(leaf) = runner.find(&name) {
                deferred.plays(leaf, behavior);
                lock(&plays).insert(leaf, behavior);
            }
        }
        let number = &mut |name: &Arc<str>| blackboard.lock().member_number(name);
        let runner = match self.scripts(natives, number).map_err(NotPlayed::Found)? {
            Some(scripts) => engine.add_runner_scripted(runner, PERIOD, deferred.clone(), scripts),
            None => engine.add_runner_with(runner, PERIOD, deferred.clone()),
        };
        let runner = runner.map_err(NotPlayed::Refused)?;
        let playing = Arc::new(Mutex::new(Version { character: self.clone(), sources }));
        Ok(RunningCharacter { runner, blackboard, deferred, plays, playing, natives: natives.clone(), settle_within })
    }

    /// Returns the memory keys and the resources that conditions read.
    pub(crate) fn watched(&self) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
        let (mut keys, mut resources) = (Vec::new(), Vec::new());
        for condition in self.conditions() {
            watched(condition, &mut keys, &mut resources);
        }
        (keys, resources)
    }

    /// Returns whether any behavior or condition is in Python.
    pub(crate) fn has_scripts(&self) -> bool {
        !self.customs().is_empty() || self.behaviors.iter().any(|node| matches!(node.kind, Kind::Script(..)))
    }

    /// Returns what the script host loads first: files, behaviors and conditions. `None` if the character has nothing
    /// in Python. `number` returns the number of a behavior in the character.
    fn scripts(
        &self,
        natives: &Natives,
        number: &mut dyn FnMut(&Arc<str>) -> usize,
    ) -> Result<Option<Scripts>, Vec<Finding>> {
        let scripted = || self.behaviors.iter().filter(|node| matches!(node.kind, Kind::Script(..)));
        let customs = self.customs();
        let Some(first) = scripted().next().or_else(|| self.behaviors.first()) else {
            return Ok(None);
        };
        if scripted().next().is_none() && customs.is_empty() {
            return Ok(None);
        }
        let wrong = |at, why: String| Err(vec![Finding::new(Rule::UnknownName, at, why)]);
        let Some(folder) = natives.1.as_ref().filter(|_| !self.scripts.is_empty()) else {
            let what = match (&first.kind, customs.first()) {
                (Kind::Script(class, ..), _) => format!("the class `{class}`"),
                (_, Some(name)) => format!("the condition `{name}`"),
                (_, None) => String::new(),
            };
            return wrong(first.at, format!("no Python file has {what}: `scripts` at the top names the files"));
        };
        let mut files = Vec::new();
        for named in &self.scripts {
            let path = folder.join(&*named.name);
            if !path.is_file() {
                return wrong(named.at, format!("there is no file `{}` beside the character", named.name));
            }
            files.push(Value::list([Value::Str(named.name.clone()), path.to_string_lossy().into_owned().into()]));
        }
        let behaviors: Vec<Value> = scripted()
            .filter_map(|node| {
                let Kind::Script(class, args, children) = &node.kind else { return None };
                let delegates = Value::list(children.iter().map(|child| Value::Str(child.to.name.clone())));
                let (name, class) = (Value::Str(node.name.clone()), Value::Str(class.clone()));
                let number = Value::Int(number(&node.name) as i64);
                Some(Value::list([number, name, class, args.clone(), delegates]))
            })
            .collect();
        let customs = Value::list(customs.into_iter().map(|name| Value::Str(name.clone())));
        let load = vec![Value::list(files), Value::list(behaviors), customs];
        Ok(Some(Scripts { callback: CallbackId::BEHAVIORS, load: Some(load) }))
    }

    /// Finds children that run side by side and claim the same resource of the robot, or of another one, by two names. The reader has
    /// already found those that claim it by one name.
    pub fn contended(&self, engine: &Engine) -> Vec<Finding> {
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
                    "`{}` and `{}` run side by side, and claim `{ours}` and `{theirs}`, which exclude each other",
                    one.name, other.name
                );
                wrong.push(Finding::new(Rule::Contended, other.at, message).way(std::slice::from_ref(&node.name)));
            }
        }
        wrong
    }

    /// Opens the behaviors that leaves play.
    pub(crate) fn sources(&self, open: &mut OpenBehavior<'_>) -> Result<Sources, Vec<Finding>> {
        let mut read: HashMap<Arc<str>, Result<BehaviorSource, String>> = HashMap::new();
        let mut wrong = Vec::new();
        for node in &self.behaviors {
            let found = match node.kind.plays() {
                Some(name) => {
                    let source = read.entry(name.clone()).or_insert_with(|| open(name));
                    source.as_ref().map(|_| ()).map_err(String::clone)
                }
                None => Ok(()),
            };
            wrong.extend(found.err().map(|why| missing_name(node, why)));
        }
        let read = read.into_iter().filter_map(|(name, source)| Some((name, source.ok()?)));
        if wrong.is_empty() { Ok(read.collect()) } else { Err(wrong) }
    }

    /// Opens an instance for each of the wanted leaves that plays a behavior, and returns it with the leaf's name.
    pub(crate) fn open_all(
        &self,
        engine: &mut Engine,
        deferred: &DeferredCalls,
        sources: &Sources,
        wanted: &mut dyn FnMut(&Arc<str>) -> bool,
    ) -> Result<Vec<(Arc<str>, BoxId)>, Vec<Finding>> {
        let (mut opened, mut wrong) = (Vec::new(), Vec::new());
        for node in self.behaviors.iter().filter(|node| wanted(&node.name)) {
            let Some(name) = node.kind.plays() else { continue };
            let Some(source) = sources.get(name) else { continue };
            match deferred.open(engine, source.clone()) {
                Ok(behavior) => opened.push((node.name.clone(), behavior)),
                Err(found) => wrong.push(missing_name(node, joined_messages(&found))),
            }
        }
        if wrong.is_empty() { Ok(opened) } else { Err(wrong) }
    }
}

fn missing_name(node: &Node, why: String) -> Finding {
    Finding::new(Rule::UnknownName, node.at, why).way(std::slice::from_ref(&node.name))
}

fn joined_messages(found: &[Diagnostic]) -> String {
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Collects the memory keys and the resources that a condition reads.
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
        | Condition::Heard(_)
        | Condition::Chance(..)
        | Condition::Custom(..) => {}
    }
}

/// The instances that leaves play.
pub(crate) type Plays = Shared<HashMap<BehaviorId, BoxId>>;

/// The world of a character that runs on an engine. The handle of a leaf is its number in the runner.
pub(crate) struct EngineWorld {
    deferred: DeferredCalls,
    plays: Plays,
    leaves: HashMap<Handle, LeafCalls>,
    customs: Customs,
    /// The other robots.
    elsewhere: Option<Box<dyn Elsewhere>>,
    /// The numbers of leaves that act on other robots.
    numbers: Numbers,
}

/// The results of conditions in Python in this round of the deferred calls: each is evaluated once in a tick.
#[derive(Default)]
struct Customs {
    round: u64,
    known: HashMap<String, (bool, Option<String>)>,
    /// The errors of conditions that have raised an exception; these are not evaluated again.
    raised: HashMap<String, String>,
}

/// A leaf that is or was in scope: its queue of deferred calls, and the action that they are about.
struct LeafCalls {
    deferred: DeferredCalls,
    act: Act,
}

enum Act {
    Play(BoxId),
    Call(Option<DeferredCall>),
    /// On another robot; the leaf's number, and what it may do.
    Elsewhere(Arc<str>, u32, Do),
}

impl Do {
    /// Returns the service call of the action on a robot, if it is one: service, method, arguments. Of several texts it
    /// takes the first; an animation without a path is a tag, and one of the animations with this tag plays.
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
            Do::Play(..) | Do::Talk(_) | Do::Script(..) | Do::On(..) => None,
        }
    }
}

impl World for EngineWorld {
    fn enter(&mut self, of: BehaviorId, what: &Do) -> Handle {
        let handle = Handle(of.index() as u64);
        let deferred = self.deferred.of(of);
        let plays = lock(&self.plays).get(&of).copied();
        let act = match (plays, what.robot(), lock(&self.numbers).get(&of)) {
            (_, Some(robot), Some(number)) => Act::Elsewhere(robot.name.clone(), *number, what.clone()),
            (Some(behavior), ..) => {
                deferred.load(behavior);
                Act::Play(behavior)
            }
            _ => Act::Call(None),
        };
        self.leaves.insert(handle, LeafCalls { deferred, act });
        handle
    }

    fn wants(&mut self, of: Handle) -> bool {
        self.presence(of) == Presence::There
    }

    fn absence(&mut self, of: Handle) -> Option<String> {
        match self.presence(of) {
            Presence::There => None,
            Presence::Awaited => Some("it has not answered yet".to_owned()),
            Presence::Gone(why) => Some(why),
        }
    }

    fn start(&mut self, of: Handle, what: &Do, _: &Value) {
        let Some(LeafCalls { deferred, act }) = self.leaves.get_mut(&of) else { return };
        match (act, what) {
            (Act::Elsewhere(robot, number, all), said) => {
                if let Some(elsewhere) = &mut self.elsewhere {
                    elsewhere.start(robot, *number, choice(all, said));
                }
            }
            (Act::Play(behavior), Do::Play(_, parameters)) => deferred.start(*behavior, parameters.clone()),
            (Act::Play(behavior), _) => deferred.start(*behavior, Vec::new()),
            (Act::Call(deferred_call), what) => {
                *deferred_call = what.call().map(|(service, method, args)| deferred.call(&service, &method, args));
            }
        }
    }

    fn poll(&mut self, of: Handle) -> Progress {
        let Some(LeafCalls { deferred, act }) = self.leaves.get_mut(&of) else {
            return Progress::Failed("it is not in scope".into());
        };
        match act {
            Act::Play(behavior) => deferred.progress(*behavior),
            Act::Elsewhere(robot, number, _) => match &mut self.elsewhere {
                Some(elsewhere) => elsewhere.poll(robot, *number),
                None => Progress::Failed(format!("{robot} is not known here").into()),
            },
            Act::Call(deferred_call) => {
                let nothing = || Progress::Failed("there is nothing to do".into());
                let progress = deferred_call.map_or_else(nothing, |deferred_call| deferred.answer(deferred_call));
                if progress != Progress::Running {
                    *deferred_call = None;
                }
                progress
            }
        }
    }

    fn stop(&mut self, of: Handle) {
        let Some(LeafCalls { deferred, act }) = self.leaves.get_mut(&of) else { return };
        match act {
            Act::Play(behavior) => deferred.stop(*behavior),
            Act::Elsewhere(robot, number, _) => {
                if let Some(elsewhere) = &mut self.elsewhere {
                    elsewhere.stop(robot, *number);
                }
            }
            Act::Call(deferred_call) => {
                if let Some(deferred_call) = deferred_call.take() {
                    deferred.cancel(deferred_call);
                }
            }
        }
    }

    fn leave(&mut self, of: Handle) {
        if let Some(LeafCalls { deferred, act: Act::Play(behavior) }) = self.leaves.get(&of) {
            deferred.stop(*behavior);
        }
    }

    fn settled(&mut self, of: Handle) -> bool {
        match self.leaves.get(&of) {
            Some(LeafCalls { deferred, act: Act::Play(behavior) }) => deferred.load_state(*behavior) != LoadState::Busy,
            Some(LeafCalls { act: Act::Elsewhere(robot, number, _), .. }) => {
                let (robot, number) = (robot.clone(), *number);
                self.elsewhere.as_mut().is_none_or(|elsewhere| {
                    elsewhere.presence(&robot) != Presence::Awaited && elsewhere.settled(&robot, number)
                })
            }
            _ => true,
        }
    }

    fn memory(&mut self, key: &str) -> Option<Value> {
        self.deferred.memory(key)
    }

    fn memory_changed(&mut self) -> bool {
        self.deferred.memory_changed()
    }

    fn language(&mut self) -> String {
        self.deferred.language()
    }

    fn is_free(&mut self, resource: &str) -> bool {
        self.deferred.is_free(resource)
    }

    fn holds(&mut self, name: &str, args: &Value) -> Option<bool> {
        Some(self.custom(name, args).0)
    }

    fn why(&mut self, name: &str, args: &Value) -> Option<String> {
        self.custom(name, args).1
    }
}

impl EngineWorld {
    /// Returns whether the robot of a leaf can be asked.
    fn presence(&mut self, of: Handle) -> Presence {
        match (&mut self.elsewhere, self.leaves.get(&of)) {
            (Some(elsewhere), Some(LeafCalls { act: Act::Elsewhere(robot, ..), .. })) => elsewhere.presence(robot),
            _ => Presence::There,
        }
    }

    /// Evaluates a condition in Python, and returns its result and explanation.
    fn custom(&mut self, name: &str, args: &Value) -> (bool, Option<String>) {
        let round = self.deferred.round();
        if std::mem::replace(&mut self.customs.round, round) != round {
            self.customs.known.clear();
        }
        let key = format!("{name} {args}");
        if let Some(why) = self.customs.raised.get(&key) {
            return (false, Some(why.clone()));
        }
        if let Some(known) = self.customs.known.get(&key) {
            return known.clone();
        }
        let answer = match ask_scripts("condition", vec![Value::from(name), args.clone()]) {
            Ok(said) => match said.as_list() {
                Some([holds, text]) => (holds.truthy(), text.as_str().map(str::to_owned)),
                _ => (said.truthy(), None),
            },
            Err(error) => {
                self.customs.raised.insert(key, format!("it has raised {error}"));
                return self.custom(name, args);
            }
        };
        self.customs.known.insert(key, answer.clone());
        answer
    }
}
