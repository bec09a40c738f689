//! Checks the names in leaves that are outside of the character's file: behaviors, animations, Python classes, actions
//! and conditions in Rust.

use crate::finding::{Finding, Rule};
use crate::model::{Character, Condition, Do, Kind, Node};
use crate::stacks::way_to;
use boxstep_types::{Value, meant};
use std::collections::HashSet;
use std::sync::Arc;

/// The type of a behavior's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// A text.
    Text,
    /// Any value.
    Any,
}

impl ParameterKind {
    fn takes(self, value: &Value) -> bool {
        match self {
            ParameterKind::Bool => matches!(value, Value::Bool(_)),
            ParameterKind::Int => matches!(value, Value::Int(_)),
            ParameterKind::Float => matches!(value, Value::Int(_) | Value::Float(_)),
            ParameterKind::Text => matches!(value, Value::Str(_)),
            ParameterKind::Any => true,
        }
    }

    fn words(self) -> &'static str {
        match self {
            ParameterKind::Bool => "true or false",
            ParameterKind::Int => "a whole number",
            ParameterKind::Float => "a number",
            ParameterKind::Text => "a text",
            ParameterKind::Any => "anything",
        }
    }
}

/// What a check needs to know of a behavior that a leaf plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayedBehavior {
    /// Its parameters.
    pub parameters: Vec<(Arc<str>, ParameterKind)>,
    /// The number of its errors.
    pub errors: usize,
    /// The command that shows these errors.
    pub shown_by: String,
}

/// The environment in which a character will run, as far as a check knows it.
pub trait Environment {
    /// Returns the behavior that a `play` or `talk` leaf names.
    ///
    /// # Errors
    /// The reason as a sentence, if there is none or it cannot be read.
    fn play(&mut self, name: &str) -> Result<PlayedBehavior, String>;

    /// Checks that the robot has an animation: a path, or a tag of animations.
    ///
    /// # Errors
    /// The reason as a sentence.
    fn animation(&mut self, name: &str) -> Result<(), String>;

    /// Checks that a Python file exists.
    ///
    /// # Errors
    /// The reason as a sentence.
    fn script(&mut self, name: &str) -> Result<(), String>;
}

impl Character {
    /// Returns the findings about names outside of the file, in the order of the file. `file` is the character's name,
    /// which findings print.
    pub fn check_in(&self, file: &str, around: &mut dyn Environment) -> Vec<Finding> {
        let mut check =
            EnvironmentCheck { scripted: !self.scripts.is_empty(), seen: HashSet::new(), findings: Vec::new() };
        for file in &self.scripts {
            if let Err(why) = around.script(&file.name) {
                check.findings.push(Finding::new(Rule::UnknownName, file.at, why));
            }
        }
        for node in &self.behaviors {
            check.leaf(node, around);
            let inside = match &node.kind {
                Kind::Pass { until, .. } => until.iter().collect(),
                Kind::If { test, .. } | Kind::Check(test) => vec![test],
                Kind::Machine(machine) => machine.transitions.iter().map(|transition| &transition.when).collect(),
                _ => Vec::new(),
            };
            node.when.iter().chain(inside).for_each(|condition| check.condition(node, condition));
        }
        let (ways, file): (_, Arc<str>) = (self.ways(), file.into());
        let mut findings = check.findings;
        for finding in &mut findings {
            finding.file = file.clone();
            if let [name] = finding.way.as_slice() {
                finding.way = way_to(&ways, name);
            }
        }
        findings.sort_by_key(|finding| finding.at.start);
        findings
    }
}

struct EnvironmentCheck {
    /// Whether there are Python files; only a run shows what they contain.
    scripted: bool,
    /// The keys of the findings so far, so that each is added once.
    seen: HashSet<String>,
    findings: Vec<Finding>,
}

impl EnvironmentCheck {
    fn add_finding(&mut self, rule: Rule, node: &Node, part: usize, message: String, help: Option<String>) {
        let at = node.named.get(part).map_or(node.at, |named| named.at);
        // A mistake in a pattern has one position, and is reported once.
        if self.seen.insert(format!("{} {message}", at.start)) {
            self.findings.push(Finding::new(rule, at, message).way(std::slice::from_ref(&node.name)).help(help));
        }
    }

    fn leaf(&mut self, node: &Node, around: &mut dyn Environment) {
        match &node.kind {
            Kind::Do(what) => self.action(node, what.here(), around),
            Kind::Script(name, ..) if !self.scripted => self.unscripted(node, "class", name),
            Kind::Native(name, _) => {
                let message = format!(
                    "`boxstep play` binds no native action `{name}`: that is up to a program that runs the character"
                );
                self.add_finding(Rule::NotBound, node, 0, message, None);
            }
            _ => {}
        }
    }

    fn action(&mut self, node: &Node, what: &Do, around: &mut dyn Environment) {
        match what {
            Do::Play(name, values) => match around.play(name) {
                Ok(played) => self.played(node, name, values, &played),
                Err(why) => self.add_finding(Rule::UnknownName, node, 0, why, None),
            },
            Do::Talk(name) => match around.play(name) {
                Ok(played) => self.played(node, name, &[], &played),
                Err(why) => self.add_finding(Rule::UnknownName, node, 0, why, None),
            },
            Do::Animation(name) => {
                if let Err(why) = around.animation(name) {
                    self.add_finding(Rule::UnknownAnimation, node, 0, why, None);
                }
            }
            Do::Say(..) | Do::Call(..) | Do::Script(..) | Do::On(..) => {}
        }
    }

    fn played(&mut self, node: &Node, name: &Arc<str>, values: &[(Arc<str>, Value)], played: &PlayedBehavior) {
        if played.errors > 0 && self.seen.insert(format!("errors of {name}")) {
            let errors = if played.errors == 1 { "an error".to_owned() } else { format!("{} errors", played.errors) };
            let help = Some(format!("{} shows what is wrong", played.shown_by));
            self.add_finding(Rule::FaultyBehavior, node, 0, format!("`{name}` has {errors} of its own"), help);
        }
        for (number, (key, value)) in values.iter().enumerate() {
            let Some((_, needs)) = played.parameters.iter().find(|(known, _)| known == key) else {
                let help = meant(key, played.parameters.iter().map(|(known, _)| &**known));
                let message = format!("`{name}` has no parameter `{key}`");
                self.add_finding(Rule::UnknownName, node, number + 1, message, help);
                continue;
            };
            if !needs.takes(value) {
                let message = format!("the parameter `{key}` of `{name}` is {}, and this is {value}", needs.words());
                self.add_finding(Rule::WrongType, node, number + 1, message, None);
            }
        }
    }

    /// Reports a name of a Python class or condition, because the character has no Python files.
    fn unscripted(&mut self, node: &Node, what: &str, name: &str) {
        let help = Some("`scripts` at the top names Python files".to_owned());
        self.add_finding(Rule::NotBound, node, 0, format!("no Python file has the {what} `{name}`"), help);
    }

    fn condition(&mut self, node: &Node, condition: &Condition) {
        match condition {
            Condition::Custom(name, _) if !self.scripted => self.unscripted(node, "condition", name),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.condition(node, part)),
            Condition::Not(inner) | Condition::Became(inner) | Condition::Dedup(inner, _) => {
                self.condition(node, inner);
            }
            _ => {}
        }
    }
}
