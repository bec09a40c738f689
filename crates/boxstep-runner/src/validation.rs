//! The rules for a character as a whole: the laws of the runner's core, reported with positions in the file, and rules
//! for states and lists.

use crate::finding::{Finding, Rule};
use crate::model::{Character, Child, Condition, Kind, Machine, Node, Strength, Transition};
use crate::nodes::renew::delegates;
use crate::tree::Place;
use boxstep_engine::runner::{ByName, Delegates, Law, Settings, Way, outline};
use boxstep_types::meant;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The largest number of names among which a similar one is searched.
const MAX_CANDIDATES: usize = 500;
/// The largest number of violations of core laws that are reported (and of wrong silences), and of steps that the
/// search for behaviors that silence themselves takes.
const MAX_REPORTED: usize = 200;
const MAX_STEPS: usize = 5_000_000;
/// The largest number of comparisons in the search for transitions that never fire.
const MAX_COMPARED: usize = 10_000_000;

pub(crate) struct Validation<'c> {
    character: &'c Character,
    by_name: ByName,
    parents: Parents,
    silenced: HashSet<&'c str>,
    /// By behavior: whether it is known never to end by itself; `None` if that is not computed yet.
    endless: Vec<Option<bool>>,
    findings: Vec<Finding>,
}

impl<'c> Validation<'c> {
    /// Returns the findings of the character; `whole`: everything in the file could be read.
    pub(crate) fn findings_of(character: &'c Character, settings: &Settings, whole: bool) -> Vec<Finding> {
        let names: Vec<Arc<str>> = character.behaviors.iter().map(|node| node.name.clone()).collect();
        let declared: Vec<Delegates> = character.behaviors.iter().map(delegates).collect();
        let (by_name, broken) = outline(&names, &declared, settings);
        Self::new(character, by_name).check(&broken, whole)
    }

    fn new(character: &'c Character, by_name: ByName) -> Self {
        let nodes = &character.behaviors;
        let mut pairs = Vec::with_capacity(nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            let children = node.kind.children().into_iter().filter_map(|child| by_name.get(&child.to.name));
            pairs.extend(children.map(|child| (child.index(), at)));
        }
        let parents = Parents::new(&pairs, nodes.len());
        let silenced = nodes.iter().flat_map(|node| &node.silences).map(|named| &*named.name).collect();
        Self { character, by_name, parents, silenced, endless: vec![None; nodes.len()], findings: Vec::new() }
    }

    /// Returns the findings. `broken` are the laws of the core that the character violates.
    fn check(mut self, broken: &[Law], whole: bool) -> Vec<Finding> {
        let shapeless = broken.iter().any(|law| matches!(law, Law::Ring { .. } | Law::TooDeep { .. }));
        for law in broken.iter().take(MAX_REPORTED) {
            self.add_violation(law, whole);
        }
        self.silences(shapeless);
        if !shapeless {
            for at in 0..self.character.behaviors.len() {
                self.endless(at);
            }
            for at in 0..self.character.behaviors.len() {
                self.node(at);
            }
        }
        self.findings
    }

    fn add_finding(&mut self, rule: Rule, at: Place, way: &[Arc<str>], message: String, help: Option<String>) {
        self.findings.push(Finding::new(rule, at, message).way(way).help(help));
    }

    fn find(&self, name: &str) -> Option<&'c Node> {
        self.by_name.get(name).map(|at| &self.character.behaviors[at.index()])
    }

    /// Returns the position at which the last behavior of a path refers to another one.
    fn reference(&self, way: &Way, to: &str) -> Place {
        let node = way.last().and_then(|name| self.find(name));
        let child = node.and_then(|node| node.kind.children().into_iter().find(|child| &*child.to.name == to));
        child.map(|child| child.to.at).or(node.map(|node| node.at)).unwrap_or_default()
    }

    /// Adds the finding for a violated law of the core.
    fn add_violation(&mut self, law: &Law, whole: bool) {
        let place = |way: &Way| way.last().and_then(|name| self.find(name)).map_or(Place::default(), |node| node.at);
        match law {
            Law::Unknown { way, name } if !self.character.named.contains_key(name) => {
                let all = self.character.behaviors.iter().take(MAX_CANDIDATES).map(|node| &*node.name);
                let (at, help) = (self.reference(way, name), meant(name, all));
                self.add_finding(Rule::UnknownName, at, way, format!("there is no behavior `{name}`"), help);
            }
            Law::Ring { way } => {
                let (last, before) =
                    (way.last().cloned().unwrap_or_default(), way[..way.len().saturating_sub(1)].to_vec());
                let at = self.reference(&before, &last);
                self.add_finding(Rule::Ring, at, way, format!("`{last}` is its own descendant"), None);
            }
            Law::Unreachable { name } if whole => {
                let Some(at) = self.by_name.get(name).map(|at| at.index()) else { return };
                // A behavior that only unreachable behaviors refer to is reported with them.
                if self.parents.get(at).is_empty() {
                    let message = format!("no way leads to `{name}` from `{}`", self.character.root);
                    self.add_finding(Rule::Unreachable, self.character.behaviors[at].at, &[], message, None);
                }
            }
            Law::Contended { way, one, other, resource } => {
                let message = format!("`{one}` and `{other}` run side by side, and both claim `{resource}`");
                let at = place(way);
                self.add_finding(Rule::Contended, at, way, message, None);
            }
            Law::TooDeep { way, limit } => {
                let at = place(way);
                self.add_finding(Rule::TooMuch, at, way, format!("more than {limit} behaviors in a row"), None);
            }
            // The reader reports the other violations, or they follow from reported ones.
            Law::Unknown { .. } | Law::Unreachable { .. } => {}
            Law::NoRoot { .. } | Law::PlainRoot { .. } | Law::Duplicate { .. } | Law::Undeclared { .. } => {}
        }
    }

    fn silences(&mut self, shapeless: bool) {
        let mut steps = 0;
        for at in 0..self.character.behaviors.len() {
            let node = &self.character.behaviors[at];
            for named in &node.silences {
                if self.findings.len() > 2 * MAX_REPORTED {
                    return;
                }
                let way = [node.name.clone()];
                if !self.character.named.contains_key(&named.name) && !self.by_name.contains_key(&*named.name) {
                    let all = self.character.behaviors.iter().take(MAX_CANDIDATES).map(|node| &*node.name);
                    let help = meant(&named.name, all);
                    self.add_finding(
                        Rule::UnknownName,
                        named.at,
                        &way,
                        format!("there is no behavior `{}`", named.name),
                        help,
                    );
                } else if !shapeless && self.leads_to(&named.name, at, &mut steps) {
                    let message = format!("`{}` silences `{}`, which has to run for it to run", node.name, named.name);
                    self.add_finding(Rule::SilencesItself, named.at, &way, message, None);
                }
            }
        }
    }

    /// Returns whether a behavior is this one, or on every path to it.
    fn leads_to(&self, name: &str, to: usize, steps: &mut usize) -> bool {
        let Some(silent) = self.by_name.get(name).map(|at| at.index()) else { return false };
        let (mut queue, mut seen) = (VecDeque::from([to]), HashSet::from([to]));
        while let Some(at) = queue.pop_front() {
            *steps += 1;
            if *steps > MAX_STEPS {
                return false;
            }
            if at == silent {
                continue;
            }
            // This is a path from a root that avoids the silenced behavior.
            if self.parents.get(at).is_empty() {
                return false;
            }
            queue.extend(self.parents.get(at).iter().copied().filter(|parent| seen.insert(*parent)));
        }
        true
    }

    /// Returns whether a child certainly wants to run whenever it is asked.
    fn always_wants(&self, child: &Child) -> bool {
        let Some(at) = self.by_name.get(&child.to.name).map(|at| at.index()) else { return false };
        let node = &self.character.behaviors[at];
        let leaf = matches!(
            node.kind,
            Kind::Wait { .. } | Kind::Hear(_) | Kind::Check(_) | Kind::Do(_) | Kind::Native(..) | Kind::Script(..)
        );
        !leaf
            && child.cooldown.is_none()
            && matches!(node.when, None | Some(Condition::Always(true)))
            && node.claims.is_empty()
            && self.parents.get(at).len() < 2
            && !self.silenced.contains(&*node.name)
    }

    /// Returns whether a behavior certainly never ends by itself.
    fn endless(&mut self, at: usize) -> bool {
        if let Some(known) = self.endless[at] {
            return known;
        }
        let node = &self.character.behaviors[at];
        let stays =
            |validation: &mut Self, child: &Child| validation.always_wants(child) && validation.child_endless(child);
        let endless = !self.silenced.contains(&*node.name)
            && match &node.kind {
                Kind::Priority { .. } => true,
                Kind::Pass { child, until: None, .. } | Kind::Outcome(child, _) => stays(self, child),
                Kind::Sequence { children, .. } | Kind::Queue(children) => {
                    children.first().is_some_and(|child| stays(self, child))
                }
                Kind::Machine(machine) => {
                    let ways = Exits::of(machine, |_| true);
                    reached(machine).into_iter().all(|state| ways.lead_from(state))
                }
                _ => false,
            };
        self.endless[at] = Some(endless);
        endless
    }

    fn child_endless(&mut self, child: &Child) -> bool {
        self.by_name.get(&child.to.name).map(|at| at.index()).is_some_and(|at| self.endless(at))
    }

    fn node(&mut self, at: usize) {
        let node = &self.character.behaviors[at];
        let blocks =
            |validation: &mut Self, child: &Child| validation.always_wants(child) && validation.child_endless(child);
        let blocking = match &node.kind {
            Kind::Priority { children, .. }
            | Kind::Sequence { children, .. }
            | Kind::Queue(children)
            | Kind::Fallback(children) => children.iter().position(|child| blocks(self, child)),
            Kind::Selector(children) => children.iter().position(|child| self.always_wants(child)),
            _ => None,
        };
        if let (Some(first), children) = (blocking, node.kind.children())
            && let Some(never) = children.get(first + 1)
        {
            let (name, before) = (&never.to.name, &children[first].to.name);
            let why = match node.kind {
                Kind::Selector(_) => "always wants to run",
                _ => "always wants to run, and never ends",
            };
            let message = format!("`{name}` never runs: `{before}`, which stands before it, {why}");
            self.add_finding(Rule::NeverRuns, never.to.at, std::slice::from_ref(&node.name), message, None);
        }
        if let Kind::Parallel { children, .. } = &node.kind {
            let mut seen = HashSet::new();
            for child in children.iter().filter(|child| !seen.insert(&child.to.name)) {
                let message = format!("`{}` cannot run beside itself", child.to.name);
                self.add_finding(Rule::Contended, child.to.at, std::slice::from_ref(&node.name), message, None);
            }
        }
        if let Kind::Machine(machine) = &node.kind {
            self.states(node, machine);
        }
    }

    fn states(&mut self, node: &Node, machine: &Machine) {
        let way = std::slice::from_ref(&node.name);
        let reached: HashSet<usize> = reached(machine).into_iter().collect();
        for (at, state) in machine.states.iter().enumerate() {
            let name = &state.name.name;
            if &**name == "any" {
                let message = "no state is named `any`: as `from` that means all states".to_owned();
                self.add_finding(Rule::WrongType, state.name.at, way, message, None);
            }
            if !reached.contains(&at) {
                let first = &machine.states[machine.start].name.name;
                let message = format!("no transition leads to the state `{name}` from `{first}`");
                self.add_finding(Rule::DeadState, state.name.at, way, message, None);
            }
        }
        // The states whose behavior never ends.
        let mut stuck = Vec::new();
        for (at, state) in machine.states.iter().enumerate() {
            let stays = state.child.as_ref().is_some_and(|child| self.always_wants(child) && self.child_endless(child));
            if stays && reached.contains(&at) {
                stuck.push(at);
            }
        }
        let ways = Exits::of(machine, |_| true);
        let at_once = Exits::of(machine, |t| t.at == Strength::Once && !matches!(t.when, Condition::Always(false)));
        for at in stuck {
            if !at_once.lead_from(at) && ways.lead_from(at) {
                let name = &machine.states[at].name;
                let message = format!(
                    "the state `{}` is never left: what is done in it never ends, and its transitions wait for that",
                    name.name
                );
                self.add_finding(Rule::StuckState, name.at, way, message, None);
            }
        }
        self.shadowed(machine, way);
    }

    fn shadowed(&mut self, machine: &Machine, way: &[Arc<str>]) {
        if machine.states.len().saturating_mul(machine.transitions.len()) > MAX_COMPARED {
            return;
        }
        // By state: the most permissive strength among earlier transitions that always fire.
        let mut always: Vec<Option<Strength>> = vec![None; machine.states.len()];
        let rank = |strength: Strength| match strength {
            Strength::Once => 0,
            Strength::End => 1,
            Strength::Exit => 2,
        };
        for transition in &machine.transitions {
            let from: Vec<usize> = match &transition.from {
                Some(from) => from.clone(),
                None => (0..machine.states.len()).filter(|state| *state != transition.to).collect(),
            };
            let never = |state: &usize| always[*state].is_some_and(|strength| rank(strength) <= rank(transition.at));
            if !from.is_empty() && from.iter().all(never) {
                let message = "this transition never fires: another one before it always does".to_owned();
                self.add_finding(Rule::ShadowedTransition, transition.place, way, message, None);
            }
            if matches!(transition.when, Condition::Always(true)) {
                for state in from {
                    let stronger = always[state].is_none_or(|strength| rank(transition.at) < rank(strength));
                    if stronger {
                        always[state] = Some(transition.at);
                    }
                }
            }
        }
    }
}

/// The parents of each behavior, by number.
struct Parents {
    all: Vec<usize>,
    /// By behavior: the index of its first parent in `all`; one more entry than behaviors.
    starts: Vec<usize>,
}

impl Parents {
    /// Makes the table from pairs of a child and its parent.
    fn new(pairs: &[(usize, usize)], behaviors: usize) -> Self {
        let (mut all, mut starts) = (vec![0; pairs.len()], vec![0; behaviors + 1]);
        pairs.iter().for_each(|(child, _)| starts[child + 1] += 1);
        (0..behaviors).for_each(|at| starts[at + 1] += starts[at]);
        let mut next = starts.clone();
        for (child, parent) in pairs {
            all[next[*child]] = *parent;
            next[*child] += 1;
        }
        Self { all, starts }
    }

    fn get(&self, at: usize) -> &[usize] {
        &self.all[self.starts[at]..self.starts[at + 1]]
    }
}

/// The states that a selection of transitions leads out of.
struct Exits {
    own: Vec<bool>,
    /// The targets of those transitions that lead from all states.
    from_any: HashSet<usize>,
}

impl Exits {
    fn of(machine: &Machine, which: impl Fn(&Transition) -> bool) -> Self {
        let mut ways = Self { own: vec![false; machine.states.len()], from_any: HashSet::new() };
        for transition in machine.transitions.iter().filter(|transition| which(transition)) {
            match &transition.from {
                Some(from) => from.iter().for_each(|from| ways.own[*from] = true),
                None => _ = ways.from_any.insert(transition.to),
            }
        }
        ways
    }

    fn lead_from(&self, state: usize) -> bool {
        self.own[state] || self.from_any.len() > usize::from(self.from_any.contains(&state))
    }
}

/// Returns the states that transitions reach from the initial one.
fn reached(machine: &Machine) -> Vec<usize> {
    let mut ways: Vec<Vec<usize>> = vec![Vec::new(); machine.states.len()];
    let mut from_any = Vec::new();
    for transition in machine.transitions.iter().filter(|t| !matches!(t.when, Condition::Always(false))) {
        match &transition.from {
            None => from_any.push(transition.to),
            Some(from) => from.iter().for_each(|from| ways[*from].push(transition.to)),
        }
    }
    let (mut reached, mut seen) = (Vec::new(), vec![false; machine.states.len()]);
    let mut queue = vec![machine.start];
    queue.extend(from_any);
    while let Some(state) = queue.pop() {
        if !std::mem::replace(&mut seen[state], true) {
            reached.push(state);
            queue.extend(&ways[state]);
        }
    }
    reached
}
