//! Imports each kind of node of a behavior tree.

use super::ports::{self, Model, clipped, entry, is_name, is_port};
use super::xml::Element;
use super::yaml::{Yaml, done, failed, plain, with};
use crate::finding::{Finding, Rule};
use crate::tree::Place;
use boxstep_types::meant;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How long a slot runs until the user defines it, in seconds.
const SLOT_SECONDS: &str = "1";
/// The largest number of conditions with their own parameters.
const MAX_TESTS: usize = 10_000;
/// The largest number of findings.
const MAX_FINDINGS: usize = 1000;
/// The largest number of nodes, including the copies of loops.
const MAX_NODES: usize = 100_000;

/// The context of a node.
#[derive(Clone, Copy)]
pub(super) struct Context<'i> {
    /// The parameters of the tree, with their defaults.
    pub(super) takes: &'i BTreeMap<String, String>,
    /// The values of entries in the current round of the enclosing loops.
    pub(super) items: &'i [(String, String)],
    /// Whether the nearest parent that continues with the next child is a fallback, which tries them until one is done.
    pub(super) tries: bool,
}

pub(super) struct Importer<'f, 'x> {
    models: HashMap<String, Model>,
    trees: HashMap<String, &'x Element>,
    taken: HashMap<String, BTreeMap<String, String>>,
    /// The trees that are used, in the order of their first use.
    needed: Vec<String>,
    names: BTreeMap<String, String>,
    used: HashSet<String>,
    /// The slots with their ports, and the conditions with their parameters and initial values.
    slots: BTreeMap<String, BTreeSet<String>>,
    tests: BTreeMap<String, (String, bool)>,
    /// The names of parameters: of the ports of trees, and of conditions.
    parameters: HashSet<String>,
    /// By name: the number that makes the last use of it unique.
    numbers: HashMap<String, u32>,
    /// The number of nodes imported so far.
    made: usize,
    findings: &'f mut Vec<Finding>,
}

impl<'f, 'x> Importer<'f, 'x> {
    pub(super) fn new(root: &Element, trees: &[&'x Element], findings: &'f mut Vec<Finding>) -> Self {
        let models = ports::models(root);
        let taken = ports::taken(trees, &models);
        let by_id = |tree: &&'x Element| (tree.get("ID").unwrap_or_default().to_owned(), *tree);
        let parameters = taken.values().flat_map(BTreeMap::keys).cloned().collect();
        Self {
            models,
            // Of several trees with one id the first counts; the others are reported.
            trees: trees.iter().rev().map(by_id).collect(),
            taken,
            needed: Vec::new(),
            names: BTreeMap::new(),
            used: HashSet::new(),
            slots: BTreeMap::new(),
            tests: BTreeMap::new(),
            parameters,
            numbers: HashMap::new(),
            made: 0,
            findings,
        }
    }

    pub(super) fn not_carried(&mut self, at: Place, what: impl Into<String>) {
        self.add_finding(Rule::NotCarried, at, what);
    }

    /// Adds a finding, up to a limit, which is higher for the reasons why there is no character.
    pub(super) fn add_finding(&mut self, rule: Rule, at: Place, what: impl Into<String>) {
        if self.findings.len() < MAX_FINDINGS || rule == Rule::NotTree && self.findings.len() < 2 * MAX_FINDINGS {
            self.findings.push(Finding::new(rule, at, what));
        }
    }

    /// Returns the text of the character, unless a finding prevents it.
    pub(super) fn character(mut self, main: &Element) -> Option<String> {
        let before = self.findings.len();
        let main_id = main.get("ID").unwrap_or_default().to_owned();
        let root = self.tree_name(&main_id);
        let mut behaviors = Vec::new();
        let mut at = 0;
        while let Some(id) = self.needed.get(at).cloned() {
            at += 1;
            let Some(tree) = self.trees.get(&id).copied() else { continue };
            let takes = self.taken.get(&id).cloned().unwrap_or_default();
            let [child] = tree.children.as_slice() else {
                let why = format!("the tree `{}` has {} nodes at its top, not one", clipped(&id), tree.children.len());
                self.add_finding(Rule::NotTree, tree.at, why);
                continue;
            };
            let (comment, node) = match self.node(child, Context { takes: &takes, items: &[], tries: false }) {
                Yaml::Noted(comment, node) => (Some(comment), plain(*node)),
                node => (None, node),
            };
            let Yaml::Map(mut pairs) = node else { continue };
            if id != main_id || !takes.is_empty() {
                let ports = takes.iter().map(|(port, default)| (port.clone(), Yaml::literal(default)));
                pairs.insert(0, ("takes".to_owned(), Yaml::Map(ports.collect())));
            }
            let behavior = Yaml::Map(pairs);
            let behavior = comment.into_iter().fold(behavior, |behavior, comment| behavior.noted(&comment));
            behaviors.push((self.tree_name(&id), behavior));
        }
        let is_unused =
            |(id, tree): (&String, &&Element)| (!self.names.contains_key(id)).then(|| (id.clone(), tree.at));
        let unused: Vec<(String, Place)> = self.trees.iter().filter_map(is_unused).collect();
        for (id, at) in unused {
            self.not_carried(at, format!("the tree `{}` is not used", clipped(&id)));
        }
        if self.findings[before..].iter().any(|finding| finding.rule == Rule::NotTree) {
            return None;
        }
        Some(self.text(&main_id, root, behaviors))
    }

    fn text(&self, main: &str, root: String, behaviors: Vec<(String, Yaml)>) -> String {
        let mut file = vec![("character".to_owned(), Yaml::text(if main.is_empty() { "Tree" } else { &root }))];
        file.push(("root".to_owned(), Yaml::text(root)));
        if !self.tests.is_empty() {
            let tests = self.tests.values().map(|(name, holds)| (name.clone(), Yaml::plain(holds)));
            let note =
                "Conditions of the tree: true or false, or what they are, e.g. { memory: Key } or { custom: name }.";
            file.push(("parameters".to_owned(), Yaml::Map(tests.collect()).noted(note)));
        }
        file.push(("behaviors".to_owned(), Yaml::Map(behaviors)));
        if !self.slots.is_empty() {
            let slot = |(id, ports): (&String, &BTreeSet<String>)| {
                let takes = ports.iter().map(|port| (port.clone(), Yaml::text(""))).collect();
                let pairs = [("takes", Yaml::Map(takes)), ("wait", Yaml::plain(SLOT_SECONDS))];
                (self.names.get(&slot_key(id)).cloned().unwrap_or_default(), Yaml::map(pairs))
            };
            let note = "Leaves of the tree: done after a second until they say what they do, e.g. native: name, args: { goal: $goal }.";
            file.push(("bindings".to_owned(), Yaml::Map(self.slots.iter().map(slot).collect()).noted(note)));
        }
        Yaml::file(&file)
    }

    /// Returns the name of a tree, and marks the tree as used.
    fn tree_name(&mut self, id: &str) -> String {
        if let Some(name) = self.names.get(id) {
            return name.clone();
        }
        self.needed.push(id.to_owned());
        self.assign_name(id.to_owned(), id)
    }

    /// Assigns a unique name.
    fn assign_name(&mut self, key: String, wanted: &str) -> String {
        let kept = clipped(wanted).replace(['/', '$'], "_");
        let base = if kept.trim().is_empty() { "tree".to_owned() } else { kept };
        let name = unique_name(&base, &mut self.used, &mut self.numbers);
        self.names.insert(key, name.clone());
        name
    }

    /// Imports a node.
    pub(super) fn node(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        self.made += 1;
        if self.made > MAX_NODES {
            if self.made == MAX_NODES + 1 {
                let why = format!("more than {MAX_NODES} nodes, those that loops repeat among them");
                self.add_finding(Rule::NotTree, element.at, why);
            }
            return done();
        }
        let made = self.import_kind(element, context);
        let made = self.guarded(element, context, made);
        match element.get("name").filter(|name| *name != element.tag) {
            Some(name) => made.noted(&clipped(name)),
            None => made,
        }
    }

    fn import_kind(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        if let Some(id) = ports::subtree(element) {
            return self.subtree(element, id, context);
        }
        if let Some(decorated) = self.decorated(element, context) {
            return decorated;
        }
        let children = &element.children;
        let goes_on = Context { tries: false, ..context };
        match kind(element) {
            "Sequence" | "AsyncSequence" => self.with_children("sequence", children, element, goes_on),
            "SequenceWithMemory" | "SequenceStar" => {
                let all = self.with_children("sequence", children, element, goes_on);
                with(with(all, "resume", Yaml::plain(true)), "resume_stopped", Yaml::plain(true))
            }
            "Fallback" | "AsyncFallback" => {
                self.with_children("fallback", children, element, Context { tries: true, ..context })
            }
            "Parallel" => self.parallel(element, context),
            "ParallelAll" => self.parallel_all(element, context),
            "ReactiveSequence" => self.reactive(element, context, false),
            "ReactiveFallback" => self.reactive(element, context, true),
            "IfThenElse" => self.branch(element, context, false),
            "WhileDoElse" => self.branch(element, context, true),
            "Switch2" | "Switch3" | "Switch4" | "Switch5" | "Switch6" => self.switch(element, context),
            "AlwaysSuccess" => done(),
            "AlwaysFailure" => failed(),
            "Sleep" => Yaml::map([("wait", self.seconds(element, "msec"))]),
            "Script" | "SetBlackboard" | "UnsetBlackboard" => {
                let what = element.get("code").or(element.get("output_key")).unwrap_or_default();
                self.not_carried(element.at, format!("<{}> (`{}`): it is done at once", kind(element), clipped(what)));
                done()
            }
            _ if children.is_empty() && self.is_condition(element) => {
                Yaml::map([("check", self.leaf_condition(element, context))])
            }
            _ if children.is_empty() => self.slot(element, context),
            other => {
                let becomes = if children.len() == 1 { "its child alone" } else { "a sequence of its children" };
                self.not_carried(element.at, format!("<{}> is not known here: it becomes {becomes}", clipped(other)));
                match children.as_slice() {
                    [child] => plain(self.node(child, context)),
                    _ => self.with_children("sequence", children, element, goes_on),
                }
            }
        }
    }

    pub(super) fn with_children(
        &mut self,
        key: &str,
        children: &[Element],
        of: &Element,
        context: Context<'_>,
    ) -> Yaml {
        if children.is_empty() {
            self.not_carried(of.at, format!("<{}> has no children: it is done at once", kind(of)));
            return done();
        }
        Yaml::map([(key, Yaml::List(children.iter().map(|child| self.node(child, context)).collect()))])
    }

    /// Returns the threshold in a port, which may have one of two names. A negative one counts from the number of
    /// children.
    fn threshold(&mut self, element: &Element, ports: [&str; 2], default: i64) -> i64 {
        let count = element.children.len() as i64;
        let port = ports.into_iter().find(|port| element.get(port).is_some());
        match port.and_then(|port| self.whole_number(element, port)).unwrap_or(default) {
            n if n < 0 => n.saturating_add(count + 1).max(0),
            n => n,
        }
    }

    fn parallel(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        let count = element.children.len() as i64;
        let success = self.threshold(element, ["success_count", "success_threshold"], -1);
        let failure = self.threshold(element, ["failure_count", "failure_threshold"], 1);
        let within = success.clamp(1, count.max(1));
        if within != success || failure < 1 {
            let what = format!("a <Parallel> of {count} that needs {success} successes or {failure} failures");
            self.not_carried(element.at, what);
        }
        // The node also fails as soon as too few children can still be done.
        let failure = failure.clamp(1, (count - within + 1).max(1));
        let all = self.with_children("parallel", &element.children, element, Context { tries: false, ..context });
        if count == 0 {
            return all;
        }
        with(with(all, "success", Yaml::plain(within)), "failure", Yaml::plain(failure))
    }

    fn parallel_all(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        let count = element.children.len() as i64;
        let failure = self.threshold(element, ["max_failures", "failure_threshold"], 1);
        if failure < 1 {
            self.not_carried(
                element.at,
                format!("a <ParallelAll> that fails with {failure} failures: it does with one"),
            );
        }
        let failure = failure.max(1);
        let all = self.with_children("parallel", &element.children, element, Context { tries: false, ..context });
        if count == 0 {
            return all;
        }
        let bounded = failure.min(count);
        let success = Yaml::plain(count - bounded + 1);
        let all = with(with(all, "success", success), "failure", Yaml::plain(bounded));
        let all = with(all, "whole", Yaml::plain(true));
        // The node never fails if more failures are needed than it has children.
        if failure > count { Yaml::map([("outcome", all), ("as", Yaml::text("done"))]) } else { all }
    }

    /// Imports a reactive node. Children that are evaluated again in each tick must be conditions here; the last child,
    /// or the others, run meanwhile.
    fn reactive(&mut self, element: &Element, context: Context<'_>, tries: bool) -> Yaml {
        let children = &element.children;
        // The last child is the one that runs, unless the file declares it as a condition.
        let last = children.len().saturating_sub(1);
        let asks = |(at, child): &(usize, &Element)| self.is_test(child) && (*at < last || self.is_condition(child));
        let tests = children.iter().enumerate().take_while(asks).count();
        let context = Context { tries, ..context };
        let (asked, rest) = children.split_at(tests);
        let join = |conditions: Vec<Yaml>| match <[Yaml; 1]>::try_from(conditions) {
            Ok([one]) => one,
            Err(all) => Yaml::map([(if tries { "any" } else { "all" }, Yaml::List(all))]),
        };
        let asked: Vec<Yaml> = asked.iter().map(|child| self.condition(child, context)).collect();
        let key = if tries { "fallback" } else { "sequence" };
        if rest.len() > 1 {
            let what = format!(
                "<{}>: children after <{}> are not asked anew in each tick, nor is it begun anew",
                kind(element),
                clipped(kind(&rest[0]))
            );
            self.not_carried(rest[0].at, what);
        }
        let runs = match rest {
            [] if asked.is_empty() => return self.with_children(key, children, element, context),
            [] => return Yaml::map([("check", join(asked))]),
            [one] => self.node(one, context),
            many => self.with_children(key, many, element, context),
        };
        match (asked.is_empty(), tries) {
            (true, _) => runs,
            (false, false) => Yaml::map([("if", join(asked)), ("then", runs), ("watch", Yaml::plain(true))]),
            (false, true) => {
                Yaml::map([("if", join(asked)), ("then", done()), ("else", runs), ("watch", Yaml::plain(true))])
            }
        }
    }

    fn branch(&mut self, element: &Element, context: Context<'_>, watch: bool) -> Yaml {
        let children = element.children.as_slice();
        let (asked, then, otherwise) = match children {
            [asked, then] => (asked, then, None),
            [asked, then, otherwise] => (asked, then, Some(otherwise)),
            _ => {
                let why = format!("<{}> has {} children, not two or three", kind(element), children.len());
                self.add_finding(Rule::NotTree, element.at, why);
                return done();
            }
        };
        if self.is_test(asked) {
            let mut all = Yaml::map([("if", self.condition(asked, context)), ("then", self.node(then, context))]);
            if let Some(otherwise) = otherwise {
                all = with(all, "else", self.node(otherwise, context));
            }
            return if watch { with(all, "watch", Yaml::plain(true)) } else { all };
        }
        let again = if watch { "; it is not asked again" } else { "" };
        let also = if otherwise.is_some() { ", and the last child also runs if the second one fails" } else { "" };
        let what = format!("<{}> with <{}>, which is no condition{again}{also}", kind(element), clipped(kind(asked)));
        self.not_carried(asked.at, what);
        let both = Yaml::List(vec![self.node(asked, context), self.node(then, context)]);
        let both = Yaml::map([("sequence", both)]);
        match otherwise {
            Some(otherwise) => Yaml::map([("fallback", Yaml::List(vec![both, self.node(otherwise, context)]))]),
            None => both,
        }
    }

    fn switch(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        let cases = kind(element).strip_prefix("Switch").and_then(|n| n.parse::<usize>().ok()).unwrap_or_default();
        let Some((default, children)) = element.children.split_last().filter(|(_, rest)| rest.len() == cases) else {
            let why = format!("<{}> has {} children, not {}", kind(element), element.children.len(), cases + 1);
            self.add_finding(Rule::NotTree, element.at, why);
            return done();
        };
        let variable = element.get("variable").unwrap_or_default();
        let mut all = self.node(default, context);
        for (at, child) in children.iter().enumerate().rev() {
            let case = element.get(&format!("case_{}", at + 1)).unwrap_or_default();
            let name = ports::compared(variable, case);
            let asked = self.condition_parameter(element, name, true);
            let then = self.node(child, context);
            all = Yaml::map([("if", asked), ("then", then), ("else", all), ("watch", Yaml::plain(true))]);
        }
        all
    }

    /// Returns how the file declares the node, e.g. as an action or a condition.
    fn declared<'a>(&'a self, element: &'a Element) -> Option<&'a str> {
        match element.tag.as_str() {
            "Action" | "Condition" => Some(&element.tag),
            tag => self.models.get(tag).map(|model| model.kind.as_str()),
        }
    }

    fn is_condition(&self, element: &Element) -> bool {
        kind(element) == "ScriptCondition" || self.declared(element) == Some("Condition")
    }

    /// Returns whether the node can be evaluated at any time, like a condition. An undeclared leaf counts as a
    /// condition where one is expected.
    fn is_test(&self, element: &Element) -> bool {
        let children = &element.children;
        let inner = |all: &[Element]| !all.is_empty() && all.iter().all(|child| self.is_test(child));
        match kind(element) {
            "AlwaysSuccess" | "AlwaysFailure" => true,
            "Inverter" | "ForceSuccess" | "ForceFailure" => children.len() == 1 && inner(children),
            "Precondition" => {
                let otherwise = element.get("else").unwrap_or("FAILURE").trim();
                matches!(otherwise, "SUCCESS" | "FAILURE") && children.len() == 1 && inner(children)
            }
            "Sequence" | "Fallback" | "ReactiveSequence" | "ReactiveFallback" => inner(children),
            "Script" | "SetBlackboard" | "UnsetBlackboard" | "Sleep" => false,
            _ if ports::subtree(element).is_some() || !children.is_empty() => false,
            _ => self.is_condition(element) || self.declared(element).is_none(),
        }
    }

    fn condition(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        for (key, value) in ports::around(element) {
            let what = format!("`{}=\"{}\"`: scripts around a condition", clipped(key), clipped(value));
            self.not_carried(element.at, what);
        }
        let inner =
            |importer: &mut Self| element.children.iter().map(|child| importer.condition(child, context)).collect();
        match kind(element) {
            "AlwaysSuccess" | "ForceSuccess" => Yaml::plain(true),
            "AlwaysFailure" | "ForceFailure" => Yaml::plain(false),
            "Inverter" => match element.children.first() {
                Some(child) => Yaml::map([("not", self.condition(child, context))]),
                None => Yaml::plain(true),
            },
            "Sequence" | "ReactiveSequence" => Yaml::map([("all", Yaml::List(inner(self)))]),
            "Fallback" | "ReactiveFallback" => Yaml::map([("any", Yaml::List(inner(self)))]),
            "Precondition" => {
                let says = self.condition_parameter(element, clipped(element.get("if").unwrap_or("true").trim()), true);
                let mut parts: Vec<Yaml> = inner(self);
                if element.get("else").is_some_and(|otherwise| otherwise.trim() == "SUCCESS") {
                    parts.insert(0, Yaml::map([("not", says)]));
                    return Yaml::map([("any", Yaml::List(parts))]);
                }
                parts.insert(0, says);
                Yaml::map([("all", Yaml::List(parts))])
            }
            _ => self.leaf_condition(element, context),
        }
    }

    /// Imports a leaf as a condition: a parameter of the character for each different query.
    fn leaf_condition(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        if let ("ScriptCondition", Some(code)) = (kind(element), element.get("code")) {
            return self.condition_parameter(element, clipped(code.trim()), true);
        }
        let mut name = clipped(kind(element));
        for (key, value) in element.attributes.iter().filter(|(key, _)| is_port(key)) {
            let value = match entry(key, value) {
                Some(entry) => match ports::item(context.items, entry) {
                    Some(item) => item,
                    None => {
                        let entry = clipped(entry);
                        let what = format!("`{key}=\"{{{entry}}}\"`: a condition is not told what stands in `{entry}`");
                        self.not_carried(element.at, what);
                        value
                    }
                },
                None => value,
            };
            name = format!("{name} {}={}", clipped(key), clipped(value));
        }
        self.condition_parameter(element, name, true)
    }

    /// Returns the parameter of a condition, by its text; `holds` is its value until the user binds it.
    pub(super) fn condition_parameter(&mut self, element: &Element, key: String, holds: bool) -> Yaml {
        if let Some((name, _)) = self.tests.get(&key) {
            return Yaml::parameter(name);
        }
        if self.tests.len() >= MAX_TESTS {
            let what = format!("`{}`: more than {MAX_TESTS} conditions; it is {holds}", clipped(&key));
            self.not_carried(element.at, what);
            return Yaml::plain(holds);
        }
        // `$` begins a parameter, and a port with the same name would take precedence.
        let base = key.replace('$', "_");
        let name = unique_name(&base, &mut self.parameters, &mut self.numbers);
        let said = format!("the condition `{name}` is {holds} until the character says what it is, under `parameters`");
        self.add_finding(Rule::Slot, element.at, said);
        let parameter = Yaml::parameter(&name);
        self.tests.insert(key, (name, holds));
        parameter
    }

    /// Imports the value of a port: a parameter of the tree, or a text.
    fn value(&mut self, element: &Element, key: &str, value: &str, context: Context<'_>) -> Yaml {
        match entry(key, value).map(|entry| (entry, ports::item(context.items, entry))) {
            Some((_, Some(item))) => Yaml::literal(item),
            Some((entry, None)) if context.takes.contains_key(entry) => Yaml::parameter(entry),
            Some((entry, None)) => {
                let what = format!("`{key}=\"{{{}}}\"`: an entry of the blackboard; it stays a text", clipped(entry));
                self.not_carried(element.at, what);
                Yaml::literal(value)
            }
            None => Yaml::literal(value),
        }
    }

    /// Imports the values of the ports of an element.
    fn port_values(&mut self, element: &Element, context: Context<'_>) -> Vec<(String, Yaml)> {
        let mut given = Vec::new();
        for (key, value) in element.attributes.iter().filter(|(key, _)| is_port(key)) {
            if is_name(key) {
                given.push((key.clone(), self.value(element, key, value, context)));
            } else {
                self.not_carried(
                    element.at,
                    format!("the port `{}`: its name is not valid for a parameter", clipped(key)),
                );
            }
        }
        given
    }

    fn slot(&mut self, element: &Element, context: Context<'_>) -> Yaml {
        let id = kind(element).to_owned();
        let mut given = self.port_values(element, context);
        if let Some(model) = self.models.get(&id) {
            let defaults = model.takes.iter().filter(|(port, _)| is_name(port) && element.get(port).is_none());
            given.extend(defaults.filter_map(|(port, default)| Some((port.clone(), Yaml::literal(default.as_ref()?)))));
        }
        let key = slot_key(&id);
        let name = match self.names.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = self.assign_name(key, &id);
                let said = format!("`{name}` is done after {SLOT_SECONDS} s until it is bound, under `bindings`");
                self.add_finding(Rule::Slot, element.at, said);
                name
            }
        };
        self.slots.entry(id).or_default().extend(given.iter().map(|(port, _)| port.clone()));
        Yaml::map([("use", Yaml::text(name)), ("with", Yaml::Map(given))])
    }

    fn subtree(&mut self, element: &Element, id: &str, context: Context<'_>) -> Yaml {
        if !self.trees.contains_key(id) {
            let help = meant(id, self.trees.keys().take(500).map(String::as_str));
            let why = format!("there is no tree `{}`", clipped(id));
            self.findings.push(Finding::new(Rule::NotTree, element.at, why).help(help));
            return done();
        }
        let mut given = self.port_values(element, context);
        if ports::remaps_all(element) {
            let takes = self.taken.get(id).into_iter().flat_map(BTreeMap::keys);
            let same = takes.filter(|port| element.get(port).is_none()).filter_map(|port| {
                let stands = match ports::item(context.items, port) {
                    Some(item) => Yaml::literal(item),
                    None if context.takes.contains_key(port) => Yaml::parameter(port),
                    None => return None,
                };
                Some((port.clone(), stands))
            });
            given.extend(same);
        }
        Yaml::map([("use", Yaml::text(self.tree_name(id))), ("with", Yaml::Map(given))])
    }
}

/// Returns the kind of a node: its tag, or in the explicit form its `ID`.
pub(super) fn kind(element: &Element) -> &str {
    match element.tag.as_str() {
        tag @ ("Action" | "Condition" | "Control" | "Decorator") => element.get("ID").unwrap_or(tag),
        tag => tag,
    }
}

/// Returns the key of a slot's name, because a slot and a tree may have the same id.
fn slot_key(id: &str) -> String {
    format!("\0{id}")
}

/// Returns `base`, or `base 2` and so on if it is taken, and marks the name as taken.
fn unique_name(base: &str, taken: &mut HashSet<String>, numbers: &mut HashMap<String, u32>) -> String {
    let mut name = base.to_owned();
    while !taken.insert(name.clone()) {
        let number = numbers.entry(base.to_owned()).or_insert(1);
        *number += 1;
        name = format!("{base} {number}");
    }
    name
}
