//! The steps from a text to findings, to a character, to a runner.

use crate::finding::{Finding, Rule};
use crate::model::{Character, Kind, Node};
use crate::nodes;
use crate::read;
use crate::stacks::way_to;
use crate::tree::{Key, Place, Tree, What};
use crate::validation::Validation;
use crate::world::{Blackboard, Handle, Natives, World};
use crate::{Do, Native};
use boxstep_engine::runner::{Action, BehaviorId, Control, Progress, Runner, Settings};
use boxstep_types::{Severity, Time, Value, meant};
use std::sync::Arc;

/// Returns everything that is wrong with a character's file, in the order of the file. If there are no errors, the
/// character can run.
///
/// `name` is the file's name, which findings print.
///
/// ```
/// let text = "root: guide\nbehaviors:\n  guide:\n    priority: [dance, { say: Hello }]\n";
/// let findings = boxstep_runner::check(text, "guide.yaml");
/// assert!(findings.iter().any(|finding| finding.to_string().contains("dance")), "{findings:?}");
/// ```
pub fn check(text: &str, name: &str) -> Vec<Finding> {
    examine(text, name, &[]).1
}

/// Reads a character's file, with values for some of its parameters, and returns everything that is wrong with it:
/// [`check`] and [`Character::read`] in one. If there are errors, no character is returned.
pub fn examine(text: &str, name: &str, set: &[(Arc<str>, Value)]) -> (Option<Character>, Vec<Finding>) {
    let mut findings = Vec::new();
    let set: Vec<(Arc<str>, Tree)> = set.iter().map(|(key, value)| (key.clone(), tree_of_value(value))).collect();
    let mut character = read::read(text, &set, &mut findings);
    if let Some(character) = &character {
        findings.append(&mut character.violations(findings.is_empty()));
    }
    findings.sort_by_key(|finding| finding.at.start);
    let file: Arc<str> = name.into();
    findings.iter_mut().for_each(|finding| finding.file = file.clone());
    character.take_if(|_| findings.iter().any(|finding| finding.severity() >= Severity::Error));
    (character, findings)
}

/// A character with its runner, to be ticked by hand or added to an engine.
pub struct BuiltCharacter {
    /// The runner of its behaviors.
    pub runner: Runner,
    /// The state that its behaviors share.
    pub blackboard: Blackboard,
    pub(crate) settle_within: Time,
}

impl Character {
    /// Reads a character's file, with values for some of its parameters.
    ///
    /// # Errors
    /// Everything that is wrong with it, including warnings. A file with only warnings is read.
    pub fn read(text: &str, name: &str, set: &[(Arc<str>, Value)]) -> Result<Character, Vec<Finding>> {
        match examine(text, name, set) {
            (Some(character), _) => Ok(character),
            (None, findings) => Err(findings),
        }
    }

    /// Returns the findings of the character as a whole; `whole`: everything in its file could be read.
    fn violations(&self, whole: bool) -> Vec<Finding> {
        let mut findings = Validation::findings_of(self, &self.settings(0), whole);
        // Findings about a single behavior get the path that leads to it.
        let alone = |finding: &Finding| finding.way.len() == 1;
        if findings.iter().any(alone) {
            let ways = self.ways();
            for finding in findings.iter_mut().filter(|finding| alone(finding)) {
                finding.way = way_to(&ways, &finding.way[0]);
            }
        }
        findings
    }

    /// Returns the settings of the character's runner, with a seed for all random decisions.
    pub fn settings(&self, seed: u64) -> Settings {
        let mut settings = Settings::new(self.root.clone());
        (settings.at_end, settings.safe, settings.seed) = (self.at_end.clone(), self.safe.clone(), seed);
        settings.max_hops = self.most_hops();
        settings
    }

    /// Makes a runner of the character, whose leaves act in a world. PlaceholderAction runs before the first tick.
    ///
    /// # Errors
    /// [`Rule::UnknownName`] for each native action that is not bound; and the findings of [`check`], if the character
    /// does not come from [`Character::read`].
    pub fn build(
        &self,
        world: impl World + 'static,
        natives: &Natives,
        seed: u64,
    ) -> Result<BuiltCharacter, Vec<Finding>> {
        self.build_with(world, natives, self.settings(seed))
    }

    pub(crate) fn build_with(
        &self,
        world: impl World + 'static,
        natives: &Natives,
        settings: Settings,
    ) -> Result<BuiltCharacter, Vec<Finding>> {
        let blackboard = Blackboard::new(Box::new(world), self.behaviors.len());
        let (plan, unbound) = nodes::plan(self, &blackboard, natives);
        let unbound: Vec<Finding> =
            unbound.into_iter().map(|number| self::unbound(&self.behaviors[number], natives)).collect();
        if !unbound.is_empty() {
            return Err(unbound);
        }
        let settle_within = settings.settle_within;
        match plan.build(settings.clone()) {
            Ok(runner) => Ok(BuiltCharacter { runner, blackboard, settle_within }),
            Err(_) => Err(Validation::findings_of(self, &settings, true)),
        }
    }
}

/// Returns the finding that the native action of a behavior is not bound.
pub(crate) fn unbound(node: &Node, natives: &Natives) -> Finding {
    let name = match &node.kind {
        Kind::Native(name, _) => &**name,
        _ => "",
    };
    let finding = Finding::new(Rule::UnknownName, node.at, format!("no native action is bound to `{name}`"));
    let known = natives.0.keys().map(|name| &**name);
    finding.way(std::slice::from_ref(&node.name)).help(meant(name, known))
}

/// Converts a value to the tree of the same value in a file.
fn tree_of_value(value: &Value) -> Tree {
    let what = match value {
        Value::Bool(b) => What::Bool(*b),
        Value::Int(n) => What::Int(*n),
        Value::Float(x) => What::Float(*x),
        Value::Str(text) => What::Text(text.clone()),
        Value::List(items) => What::List(items.iter().map(tree_of_value).collect()),
        Value::Map(pairs) => What::Map(
            pairs
                .iter()
                .map(|(key, value)| {
                    let text = key.as_str().map_or_else(|| key.to_string().into(), Arc::from);
                    (Key { text, at: Place::default() }, tree_of_value(value))
                })
                .collect(),
        ),
        Value::Null | Value::Bytes(_) | Value::Object(_) => What::Null,
    };
    Tree { at: Place::default(), what }
}

/// Returns placeholders for all natives that the character names, so that it can be checked without them.
pub(crate) fn placeholder_natives(character: &Character) -> Natives {
    let mut natives = Natives::new();
    for node in &character.behaviors {
        if let Kind::Native(name, _) = &node.kind {
            let nothing: Native = Arc::new(|_| Box::new(PlaceholderAction));
            natives.0.insert(name.clone(), nothing);
        }
    }
    natives
}

struct PlaceholderAction;

impl Action for PlaceholderAction {
    fn start(&mut self, _: &mut Control<'_>, _: &Value) {}

    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        Progress::Done(Value::Null)
    }
}

/// A world in which nothing happens and every action is done at once, for checks and benchmarks of characters.
pub struct InertWorld;

impl World for InertWorld {
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
