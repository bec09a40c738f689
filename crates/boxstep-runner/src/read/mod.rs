//! Reads a character from a text. All problems are reported, not only the first: the reader leaves out what it cannot
//! read, and continues.

mod conditions;
mod fields;
mod nodes;

use crate::finding::{Finding, Rule};
use crate::model::{Character, Named, Node};
use crate::schema_table::{CHARACTER, Shape};
use crate::tree::{self, Place, Tree, What};
use boxstep_engine::runner::RootPolicy;
use boxstep_types::meant;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The largest number of behaviors, including inline ones and those that patterns make.
pub const MAX_BEHAVIORS: usize = 200_000;
/// The largest nesting depth of behaviors, conditions and patterns.
const MAX_NESTING: usize = 200;
/// The largest number of steps of the reader; patterns multiply their contents.
const MAX_WORK: usize = 10_000_000;

/// The largest number of findings.
const MAX_FINDINGS: usize = 1000;
/// The largest number of names among which a similar one is searched.
const MAX_CANDIDATES: usize = 500;
/// The largest number of behaviors that run side by side.
pub const MAX_PARALLEL: usize = 1000;

/// A behavior in the file's list.
struct Definition {
    tree: Tree,
    at: Place,
    takes: bool,
}

type Parameters = HashMap<Arc<str>, Tree>;

/// A key on the path from the file's beginning; it becomes text only in a finding.
#[derive(Clone)]
enum PathStep {
    /// A key of the format.
    Word(&'static str),
    /// A name in the file.
    Name(Arc<str>),
    /// An index in a list, from 1.
    Number(usize),
    /// An index in the list of this key, from 1.
    Part(&'static str, usize),
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathStep::Word(word) => f.write_str(word),
            PathStep::Name(name) => f.write_str(name),
            PathStep::Number(number) => write!(f, "{number}"),
            PathStep::Part(word, number) => write!(f, "{word}/{number}"),
        }
    }
}

pub(crate) struct Reader {
    pub(crate) findings: Vec<Finding>,
    seen: HashSet<(Rule, u32, u32, String)>,
    /// The path of keys from the file's beginning.
    way: Vec<PathStep>,
    definitions: Vec<(Arc<str>, Definition)>,
    by_name: HashMap<Arc<str>, usize>,
    /// The parameters of the file, and those of the pattern that is read.
    file: Parameters,
    pattern: Parameters,
    /// The patterns that are being read, the innermost last.
    open: Vec<Arc<str>>,
    nodes: Vec<Option<Node>>,
    names: HashMap<Arc<str>, Place>,
    /// The names that are referred to without values, and those that are used as patterns.
    shared: HashSet<Arc<str>>,
    patterns: HashSet<Arc<str>>,
    nesting: usize,
    work: usize,
    full: bool,
    /// A buffer in which names are composed.
    text: String,
}

/// Reads a character, with values for some of its parameters. Adds the findings about its form; `None` if it cannot be
/// checked further.
pub(crate) fn read(text: &str, set: &[(Arc<str>, Tree)], findings: &mut Vec<Finding>) -> Option<Character> {
    let tree = tree::read(text, findings)?;
    let mut reader = Reader::new();
    let character = reader.character(&tree, set);
    findings.append(&mut reader.findings);
    character
}

impl Reader {
    fn new() -> Self {
        Self {
            findings: Vec::new(),
            seen: HashSet::new(),
            way: Vec::new(),
            definitions: Vec::new(),
            by_name: HashMap::new(),
            file: HashMap::new(),
            pattern: HashMap::new(),
            open: Vec::new(),
            nodes: Vec::new(),
            names: HashMap::new(),
            shared: HashSet::new(),
            patterns: HashSet::new(),
            nesting: 0,
            work: 0,
            full: false,
            text: String::new(),
        }
    }

    /// Adds a finding. The same mistake in all behaviors of a pattern is added once.
    fn add_finding(&mut self, rule: Rule, at: Place, message: impl Into<String>, help: Option<String>) {
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let mut finding = Finding::new(rule, at, message).help(help);
        finding.way = self.way.iter().map(|step| step.to_string().into()).collect();
        if self.seen.insert((rule, at.start, at.end, finding.message.clone())) {
            self.findings.push(finding);
        }
    }

    /// Returns the name of an inline behavior: its place in its parent.
    fn place_name(&mut self, parent: &str, label: &PathStep) -> Arc<str> {
        self.text.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{parent}/{label}");
        self.text.as_str().into()
    }

    /// Reads one level deeper, under a key. `None` if the nesting is too deep, or the reader has done too many steps.
    fn under<R>(&mut self, key: PathStep, at: Place, f: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        if self.full {
            return None;
        }
        if self.nesting >= MAX_NESTING {
            self.add_finding(
                Rule::TooMuch,
                at,
                format!("more than {MAX_NESTING} levels, those of patterns among them"),
                None,
            );
            return None;
        }
        self.nesting += 1;
        self.way.push(key);
        let read = f(self);
        self.way.pop();
        self.nesting -= 1;
        read
    }

    /// Counts one step of the reader. Returns false if there were too many.
    fn count_step(&mut self, at: Place) -> bool {
        self.work += 1;
        if !self.full && (self.work > MAX_WORK || self.nodes.len() > MAX_BEHAVIORS) {
            self.full = true;
            self.add_finding(
                Rule::TooMuch,
                at,
                "patterns make too many behaviors of this file, or too large ones",
                None,
            );
        }
        !self.full
    }

    fn character(&mut self, tree: &Tree, set: &[(Arc<str>, Tree)]) -> Option<Character> {
        let What::Map(_) = tree.what else {
            self.add_finding(
                Rule::WrongType,
                tree.at,
                format!("a character is a map, and this is {}", tree.kind()),
                None,
            );
            return None;
        };
        if let (Some(_), Some(scenes)) = (tree.get("robots"), tree.get("scenes")) {
            let help = "`boxstep fleet rehearse FILE` checks a show, and plays it without robots".to_owned();
            let says = "this is a show of several robots, not a character".to_owned();
            self.add_finding(Rule::UnknownKey, scenes.at, says, Some(help));
            return None;
        }
        self.parameters(tree, set);
        let fields = self.fields(tree, &[CHARACTER]);
        let behaviors = fields.get("behaviors")?;
        let What::Map(pairs) = &behaviors.what else {
            self.report_wrong_shape(behaviors, Shape::Behaviors);
            return None;
        };
        self.way.push(PathStep::Word("behaviors"));
        // Slots are ordinary behaviors; they are separate for the user who binds them.
        let bindings: &[_] = match fields.get("bindings").map(|bindings| &bindings.what) {
            Some(What::Map(bindings)) => bindings,
            _ => &[],
        };
        let open = bindings.iter().map(|pair| (pair, true));
        for ((key, tree), slot) in pairs.iter().map(|pair| (pair, false)).chain(open) {
            if !self.good_name(&key.text, key.at) || self.by_name.contains_key(&key.text) {
                continue;
            }
            // The user who binds a slot may omit `takes`.
            let takes = slot || tree.get("takes").is_some();
            self.by_name.insert(key.text.clone(), self.definitions.len());
            self.names.insert(key.text.clone(), key.at);
            self.definitions.push((key.text.clone(), Definition { tree: tree.clone(), at: key.at, takes }));
        }
        let root = fields.named("root").unwrap_or_else(|| Named { name: "main".into(), at: behaviors.at });
        let at_end = fields.get("at_end").and_then(|tree| self.at_end(tree)).unwrap_or_default();
        let safe = fields.named("safe");
        self.shared.insert(root.name.clone());
        self.shared.extend(safe.iter().map(|safe| safe.name.clone()));
        if let RootPolicy::Idle(name) = &at_end {
            self.shared.insert(name.clone());
        }
        self.all_definitions();
        self.way.clear();
        if self.full {
            return None;
        }
        for named in std::iter::once(&root).chain(&safe) {
            self.must_exist(named);
        }
        #[allow(clippy::filter_map_identity, reason = "done in place, which `flatten` is not")]
        let behaviors = std::mem::take(&mut self.nodes).into_iter().filter_map(std::convert::identity).collect();
        Some(Character {
            name: fields.text("character").unwrap_or_default(),
            root: root.name,
            at_end,
            safe: safe.map(|safe| safe.name),
            scripts: fields.all_named("scripts"),
            behaviors,
            named: std::mem::take(&mut self.names),
        })
    }

    /// Reads the file's parameters, with the values that were given from outside.
    fn parameters(&mut self, tree: &Tree, set: &[(Arc<str>, Tree)]) {
        let mut known = Vec::new();
        if let Some(What::Map(pairs)) = tree.get("parameters").map(|t| &t.what) {
            known = pairs.iter().map(|(key, value)| (key.text.clone(), value.clone())).collect();
        }
        for (name, value) in set {
            match known.iter_mut().find(|(known, _)| known == name) {
                Some(pair) => pair.1 = value.clone(),
                None => {
                    let help = meant(name, known.iter().map(|(known, _)| &**known));
                    self.add_finding(
                        Rule::UnknownName,
                        tree.at,
                        format!("the character has no parameter `{name}`"),
                        help,
                    );
                }
            }
        }
        self.file = known.into_iter().collect();
    }

    /// Reads the definitions that are behaviors, and those patterns that are also referred to as behaviors.
    fn all_definitions(&mut self) {
        let mut left: Vec<usize> = (0..self.definitions.len()).collect();
        loop {
            let now: Vec<usize> = left
                .extract_if(.., |at| {
                    let (name, definition) = &self.definitions[*at];
                    !definition.takes || self.shared.contains(name)
                })
                .collect();
            if now.is_empty() {
                break;
            }
            for at in now {
                let (name, definition) = &self.definitions[at];
                let (name, tree, place) = (name.clone(), definition.tree.clone(), definition.at);
                self.under(PathStep::Name(name.clone()), place, |r| r.read_definition(&tree, &name, None));
            }
        }
        for at in left {
            let (name, definition) = &self.definitions[at];
            if !self.patterns.contains(name) {
                let (message, place) = (format!("the pattern `{name}` is not used"), definition.at);
                self.add_finding(Rule::Unreachable, place, message, None);
            }
        }
    }

    fn at_end(&mut self, tree: &Tree) -> Option<RootPolicy> {
        let tree = self.resolve(tree)?;
        match (&tree.what, tree.get("idle")) {
            (What::Text(text), _) if &**text == "stop" => Some(RootPolicy::Stop),
            (What::Text(text), _) if &**text == "restart" => Some(RootPolicy::Restart),
            (What::Map(pairs), Some(idle)) if pairs.len() == 1 => {
                let named = Named { name: idle.text()?.clone(), at: idle.at };
                self.must_exist(&named);
                Some(RootPolicy::Idle(named.name))
            }
            _ => {
                self.report_wrong_shape(&tree, Shape::AtEnd);
                None
            }
        }
    }

    /// Reports a name without a behavior, where it is not a child's.
    fn must_exist(&mut self, named: &Named) {
        if !self.names.contains_key(&named.name) {
            self.report_unknown_behavior(named);
        }
    }

    pub(super) fn report_unknown_behavior(&mut self, named: &Named) {
        let all = self.definitions.iter().take(MAX_CANDIDATES).map(|(name, _)| &**name);
        let help = meant(&named.name, all);
        self.add_finding(Rule::UnknownName, named.at, format!("there is no behavior `{}`", named.name), help);
    }

    /// Checks a name: `/` separates the names of places, and `$` begins a parameter.
    fn good_name(&mut self, name: &str, at: Place) -> bool {
        let good = !name.is_empty() && !name.contains('/') && !name.starts_with('$');
        if !good {
            let message =
                format!("`{name}` is not a valid name: names are not empty, have no `/` and do not begin with `$`");
            self.add_finding(Rule::WrongType, at, message, None);
        }
        good
    }
}
