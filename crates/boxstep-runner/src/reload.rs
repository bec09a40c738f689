//! Replaces a running character by another version, between two ticks (`docs/reference/reload.md`).

use crate::adapter::{NotPlayed, OpenBehavior, RunningCharacter, Version, lock};
use crate::built::BuiltCharacter;
use crate::finding::{Finding, Rule};
use crate::model::{Character, Node};
use crate::nodes::Member;
use crate::nodes::renew::Renewal;
use crate::world::{Blackboard, Natives};
use boxstep_engine::Engine;
use boxstep_engine::config::BehaviorSource;
use boxstep_engine::objects::BoxId;
use boxstep_engine::runner::{BehaviorId, Exchange, NotTaken, Settings};
use boxstep_types::Time;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The outcome of a reload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reload {
    /// The new version does the same as the running one.
    Same,
    /// The new version is taken at the first tick that allows it, after [`boxstep_engine::runner::RELOAD_WITHIN`] at
    /// the latest.
    Taken,
    /// The run is over.
    Over,
}

/// The differences between two versions, by the names of behaviors.
#[derive(Default)]
struct Changes {
    changed: Vec<Arc<str>>,
    added: Vec<Arc<str>>,
    removed: Vec<Arc<str>>,
    files: Vec<Arc<str>>,
    /// Whether the root differs, or what follows its end.
    settings: bool,
}

impl Changes {
    fn none(&self) -> bool {
        let lists = [&self.changed, &self.added, &self.removed, &self.files];
        !self.settings && lists.iter().all(|list| list.is_empty())
    }

    fn text(&self) -> String {
        const NAMED: usize = 5;
        let list = |what: &str, names: &[Arc<str>]| match names.len() {
            0 => None,
            n if n > NAMED => Some(format!("{what} {} and {} more", names[..NAMED].join(", "), n - NAMED)),
            _ => Some(format!("{what} {}", names.join(", "))),
        };
        let lists = [
            list("changed:", &self.changed),
            list("new:", &self.added),
            list("gone:", &self.removed),
            list("files:", &self.files),
            self.settings.then(|| "the root, or what follows it".to_owned()),
        ];
        lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

impl RunningCharacter {
    /// Replaces the character by another version at the first tick that allows it. The version is taken as a whole, and
    /// behaviors with the same name and the same contents keep their state.
    ///
    /// # Errors
    /// The findings about the new version, or about names that do not exist. The running version is unchanged then.
    pub fn reload(
        &self,
        engine: &mut Engine,
        character: &Character,
        open: &mut OpenBehavior<'_>,
    ) -> Result<Reload, NotPlayed> {
        if character.has_scripts() || lock(&self.playing).character.has_scripts() {
            let at = character.behaviors.first().map_or_else(Default::default, |node| node.at);
            let why = "a character with behaviors or conditions in Python cannot be replaced while it runs: restart it";
            return Err(NotPlayed::Found(vec![Finding::new(Rule::WrongType, at, why)]));
        }
        let sources = character.sources(open).map_err(NotPlayed::Found)?;
        let contended = character.contended(engine);
        if !contended.is_empty() {
            return Err(NotPlayed::Found(contended));
        }
        let playing = lock(&self.playing);
        let files: HashSet<Arc<str>> = sources
            .iter()
            .filter(|(name, source)| playing.sources.get(*name).is_some_and(|known| !same_source(known, source)))
            .map(|(name, _)| name.clone())
            .collect();
        let mut changes = Changes { files: files.iter().cloned().collect(), ..Changes::default() };
        changes.files.sort();
        let versions = Versions { old: &playing.character, new: character, files: &files };
        let mut settings = character.settings(0);
        settings.settle_within = self.settle_within;
        let exchanged = versions.exchange(settings, &self.blackboard, &self.natives, &mut changes);
        let (plan, new) = exchanged.map_err(NotPlayed::Found)?;
        drop(playing);
        if changes.none() {
            engine.forget_reload(self.runner);
            return Ok(Reload::Same);
        }
        let opened = character.open_all(engine, &self.deferred, &sources, &mut |name| new.contains(name));
        let opened = opened.map_err(NotPlayed::Found)?;
        let (keys, resources) = character.watched();
        self.deferred.watch(keys, resources);
        let (deferred, plays) = (self.deferred.clone(), self.plays.clone());
        let (playing, version, blackboard) = (self.playing.clone(), character.clone(), self.blackboard.clone());
        let then = move |newcomers: &[(Arc<str>, BehaviorId)]| {
            let opened: HashMap<Arc<str>, BoxId> = opened.into_iter().collect();
            let leaves = newcomers.iter().filter_map(|(name, leaf)| Some((*leaf, *opened.get(name)?)));
            for (leaf, behavior) in leaves {
                deferred.plays(leaf, behavior);
                lock(&plays).insert(leaf, behavior);
            }
            blackboard.lock().plan = crate::messages::plan(&version);
            *lock(&playing) = Version { character: version, sources };
        };
        match engine.reload_runner(self.runner, plan, changes.text(), then) {
            true => Ok(Reload::Taken),
            false => Ok(Reload::Over),
        }
    }
}

impl BuiltCharacter {
    /// Replaces the character by another version, between two ticks. `old` is the version that it was built of, or that
    /// it was last replaced by. Behaviors with the same name and the same contents keep their state.
    ///
    /// # Errors
    /// The reason why the version cannot be taken now, or at all. The character is unchanged then.
    pub fn reload(
        &mut self,
        old: &Character,
        new: &Character,
        natives: &Natives,
        now: Time,
    ) -> Result<(), NotReloaded> {
        let plan = self.exchange(old, new, natives)?;
        self.runner.reload(plan, now).map_err(|refused| NotReloaded::NotTaken(refused.0))
    }

    /// Like [`Self::reload`], even if running behaviors prevent it
    /// ([`boxstep_engine::runner::Runner::reload_by_force`]).
    ///
    /// # Errors
    /// The reason why the version cannot be taken at all.
    pub fn reload_by_force(
        &mut self,
        old: &Character,
        new: &Character,
        natives: &Natives,
        now: Time,
    ) -> Result<(), NotReloaded> {
        let plan = self.exchange(old, new, natives)?;
        self.runner.reload_by_force(plan, now).map_err(|refused| NotReloaded::NotTaken(refused.0))
    }

    fn exchange(&self, old: &Character, new: &Character, natives: &Natives) -> Result<Exchange, NotReloaded> {
        let versions = Versions { old, new, files: &HashSet::new() };
        let mut settings = new.settings(0);
        settings.settle_within = self.settle_within;
        let exchanged = versions.exchange(settings, &self.blackboard, natives, &mut Changes::default());
        exchanged.map(|(plan, _)| plan).map_err(NotReloaded::Found)
    }
}

/// The reason why another version of a character is not taken.
#[derive(Clone, Debug, PartialEq)]
pub enum NotReloaded {
    /// The findings about names that do not exist.
    Found(Vec<Finding>),
    /// The runner cannot take it.
    NotTaken(NotTaken),
}

/// The running version, and a new one.
struct Versions<'v> {
    old: &'v Character,
    new: &'v Character,
    /// The files whose behaviors have changed, by the names that leaves use.
    files: &'v HashSet<Arc<str>>,
}

impl Versions<'_> {
    /// Returns the runner's plan for the new version, and the behaviors that are new instances in it.
    fn exchange(
        &self,
        settings: Settings,
        blackboard: &Blackboard,
        natives: &Natives,
        changes: &mut Changes,
    ) -> Result<(Exchange, HashSet<Arc<str>>), Vec<Finding>> {
        let Self { old, new, files } = *self;
        changes.settings = (&old.root, &old.at_end, &old.safe) != (&new.root, &new.at_end, &new.safe);
        let mut plan = Exchange::new(settings);
        let known: HashMap<&str, &Node> = old.behaviors.iter().map(|node| (&*node.name, node)).collect();
        let (mut instances, mut unbound) = (HashSet::new(), Vec::new());
        for node in &new.behaviors {
            let before = known.get(&*node.name).copied();
            let plays = node.kind.plays().is_some_and(|name| files.contains(name));
            match before {
                Some(before) if !plays && before.unplaced() == node.unplaced() => {
                    plan.keep(node.name.clone());
                    continue;
                }
                // The behavior is the same, but the file that it plays has changed.
                Some(_) if plays => {}
                Some(_) => changes.changed.push(node.name.clone()),
                None => changes.added.push(node.name.clone()),
            }
            if let Some(renewal) = before.and_then(|before| Renewal::new(before, node)) {
                plan.renew(node.name.clone(), renewal.delegates(), renewal);
                continue;
            }
            match Member::new(node, blackboard, natives) {
                Some(member) => {
                    plan.add(node.name.clone(), member);
                }
                None => unbound.push(crate::built::unbound(node, natives)),
            }
            instances.insert(node.name.clone());
        }
        let names: HashSet<&str> = new.behaviors.iter().map(|node| &*node.name).collect();
        let gone = old.behaviors.iter().filter(|node| !names.contains(&*node.name));
        changes.removed.extend(gone.map(|node| node.name.clone()));
        if unbound.is_empty() { Ok((plan, instances)) } else { Err(unbound) }
    }
}

/// Returns whether two sources are the same behavior.
fn same_source(one: &BehaviorSource, other: &BehaviorSource) -> bool {
    one.name == other.name && one.folder == other.folder && one.project == other.project
}
