//! From a text to findings, to a character, to a runner.

use crate::finding::{Finding, Rule};
use crate::laws::Laws;
use crate::model::{Character, Kind, Node};
use crate::nodes;
use crate::read;
use crate::stacks::way_to;
use crate::tree::{Key, Place, Tree, What};
use crate::world::{Handle, House, Natives, World};
use crate::{Do, Native};
use boxstep_engine::runner::{Action, BehaviorId, Control, Progress, Runner, Settings};
use boxstep_types::{Severity, Time, Value, meant};
use std::sync::Arc;

/// Everything that is wrong with a character's file, in the order of the file. Nothing: it can be run.
///
/// `name` is the file's name, which findings print.
pub fn check(text: &str, name: &str) -> Vec<Finding> {
    examine(text, name, &[]).1
}

fn examine(text: &str, name: &str, set: &[(Arc<str>, Value)]) -> (Option<Character>, Vec<Finding>) {
    let mut findings = Vec::new();
    let set: Vec<(Arc<str>, Arc<Tree>)> = set.iter().map(|(key, value)| (key.clone(), grown(value))).collect();
    let character = read::read(text, &set, &mut findings);
    if let Some(character) = &character {
        let whole = findings.is_empty();
        let natives = anything(character);
        let (plan, _) = nodes::plan(character, &House::new(Box::new(Nowhere), character.behaviors.len()), &natives);
        let broken = plan.build(character.settings(0)).err().unwrap_or_default();
        let mut laws = Laws::new(character).check(&broken, whole);
        let ways = character.ways();
        for finding in &mut laws {
            // Who breaks a law of its own is told with the way that leads there.
            if let [name] = finding.way.as_slice() {
                finding.way = way_to(&ways, name);
            }
        }
        findings.append(&mut laws);
    }
    findings.sort_by_key(|finding| finding.at.start);
    let file: Arc<str> = name.into();
    findings.iter_mut().for_each(|finding| finding.file = file.clone());
    (character, findings)
}

/// A character that runs, to be ticked or put on an engine's clock.
pub struct Cast {
    /// Who has control.
    pub runner: Runner,
    /// What its behaviors share.
    pub house: House,
    pub(crate) settle_within: Time,
}

impl Character {
    /// Reads a character's file, with values for some of its parameters.
    ///
    /// # Errors
    /// Everything that is wrong with it, warnings among it; if there are only warnings, it is read.
    pub fn read(text: &str, name: &str, set: &[(Arc<str>, Value)]) -> Result<Character, Vec<Finding>> {
        match examine(text, name, set) {
            (Some(character), findings) if findings.iter().all(|f| f.severity() < Severity::Error) => Ok(character),
            (_, findings) => Err(findings),
        }
    }

    /// How its plan is run, with a seed for all that is drawn by chance.
    pub fn settings(&self, seed: u64) -> Settings {
        let mut settings = Settings::new(self.root.clone());
        (settings.at_end, settings.safe, settings.seed) = (self.at_end.clone(), self.safe.clone(), seed);
        settings.max_hops = self.most_hops();
        settings
    }

    /// Makes a runner of it, whose leaves act in a world. Nothing happens before the first tick.
    ///
    /// # Errors
    /// [`Rule::UnknownName`] for each native action that is not bound; and whatever [`check`] finds, if the character was not made by
    /// [`Character::read`].
    pub fn cast(&self, world: impl World + 'static, natives: &Natives, seed: u64) -> Result<Cast, Vec<Finding>> {
        self.cast_with(world, natives, self.settings(seed))
    }

    pub(crate) fn cast_with(
        &self,
        world: impl World + 'static,
        natives: &Natives,
        settings: Settings,
    ) -> Result<Cast, Vec<Finding>> {
        let house = House::new(Box::new(world), self.behaviors.len());
        let (plan, unbound) = nodes::plan(self, &house, natives);
        let unbound: Vec<Finding> =
            unbound.into_iter().map(|number| self::unbound(&self.behaviors[number], natives)).collect();
        if !unbound.is_empty() {
            return Err(unbound);
        }
        let settle_within = settings.settle_within;
        match plan.build(settings) {
            Ok(runner) => Ok(Cast { runner, house, settle_within }),
            Err(broken) => Err(Laws::new(self).check(&broken, true)),
        }
    }
}

/// A behavior is a native action that nobody has bound.
pub(crate) fn unbound(node: &Node, natives: &Natives) -> Finding {
    let name = match &node.kind {
        Kind::Native(name, _) => &**name,
        _ => "",
    };
    let finding = Finding::new(Rule::UnknownName, node.at, format!("no native action is bound to `{name}`"));
    let known = natives.0.keys().map(|name| &**name);
    finding.way(std::slice::from_ref(&node.name)).help(meant(name, known))
}

/// A value as if it stood in a file.
fn grown(value: &Value) -> Arc<Tree> {
    let what = match value {
        Value::Bool(b) => What::Bool(*b),
        Value::Int(n) => What::Int(*n),
        Value::Float(x) => What::Float(*x),
        Value::Str(text) => What::Text(text.clone()),
        Value::List(items) => What::List(items.iter().map(grown).collect()),
        Value::Map(pairs) => What::Map(
            pairs
                .iter()
                .map(|(key, value)| {
                    let text = key.as_str().map_or_else(|| key.to_string().into(), Arc::from);
                    (Key { text, at: Place::default() }, grown(value))
                })
                .collect(),
        ),
        Value::Null | Value::Bytes(_) | Value::Object(_) => What::Null,
    };
    Arc::new(Tree { at: Place::default(), what })
}

/// Whatever natives the character names, so that its plan can be checked without them.
pub(crate) fn anything(character: &Character) -> Natives {
    let mut natives = Natives::new();
    for node in &character.behaviors {
        if let Kind::Native(name, _) = &node.kind {
            let nothing: Native = Arc::new(|_| Box::new(Nothing));
            natives.0.insert(name.clone(), nothing);
        }
    }
    natives
}

struct Nothing;

impl Action for Nothing {
    fn start(&mut self, _: &mut Control<'_>, _: &Value) {}

    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        Progress::Done(Value::Null)
    }
}

/// A world in which nothing happens, and all is done at once: to check characters in, and to measure them.
pub struct Nowhere;

impl World for Nowhere {
    fn enter(&mut self, _: BehaviorId, _: &Do) -> Handle {
        Handle(0)
    }

    fn start(&mut self, _: Handle, _: &Do, _: &Value) {}

    fn poll(&mut self, _: Handle) -> Progress {
        Progress::Done(Value::Null)
    }

    fn stop(&mut self, _: Handle) {}

    fn leave(&mut self, _: Handle) {}

    fn memory(&mut self, _: &str) -> Option<Value> {
        None
    }

    fn is_free(&mut self, _: &str) -> bool {
        true
    }
}
