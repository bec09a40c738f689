//! Walks every way through a character, without a robot.

use crate::adapter::PERIOD;
use crate::built::{InertWorld, placeholder_natives};
use crate::model::Character;
use boxstep_engine::runner::{RootPolicy, Runner, walk};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// All stacks of active behaviors that are possible, and the problems found on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stacks {
    /// The stacks, each from the root: a behavior before its children.
    pub ways: Vec<Vec<Arc<str>>>,
    /// The problems: the path, the behavior, and what is wrong.
    pub problems: Vec<String>,
    /// Whether the limit left out further stacks.
    pub cut: bool,
}

impl Character {
    /// Activates every possible stack of behaviors, one after the other, up to a limit; leaves do nothing. A character
    /// whose file has no errors has no problems, but one that was made or changed in Rust may.
    pub fn stacks(&self, most: usize) -> Stacks {
        let natives = placeholder_natives(self);
        let Ok(mut built) = self.build(InertWorld, &natives, 0) else { return Stacks::default() };
        let report = walk(&mut built.runner, PERIOD, most);
        let names = |runner: &Runner, way: &[_]| way.iter().map(|id| Arc::from(runner.name(*id))).collect::<Vec<_>>();
        let runner = &built.runner;
        let problem = |p: &boxstep_engine::runner::Problem| {
            format!("{}: {}: {}", names(runner, &p.way).join(" → "), runner.name(p.of), p.what)
        };
        Stacks {
            ways: report.visits.iter().map(|visit| names(runner, &visit.way)).collect(),
            problems: report.problems.iter().map(problem).collect(),
            cut: report.cut,
        }
    }

    /// Returns for each behavior the parent on the shortest path to it from the root, or from a behavior that replaces
    /// the root.
    pub(crate) fn ways(&self) -> HashMap<Arc<str>, Parent> {
        let by_name: HashMap<&str, usize> =
            self.behaviors.iter().enumerate().map(|(at, node)| (&*node.name, at)).collect();
        let idle = match &self.at_end {
            RootPolicy::Idle(name) => Some(name),
            _ => None,
        };
        let roots = std::iter::once(&self.root).chain(idle).chain(&self.safe);
        let mut ways: HashMap<Arc<str>, Parent> = HashMap::new();
        let mut queue: VecDeque<(Option<Arc<str>>, Arc<str>)> = roots.map(|root| (None, root.clone())).collect();
        while let Some((parent, name)) = queue.pop_front() {
            let Some(node) = by_name.get(&*name).map(|at| &self.behaviors[*at]) else { continue };
            if ways.contains_key(&name) {
                continue;
            }
            ways.insert(name.clone(), Parent(parent));
            queue.extend(node.kind.children().iter().map(|child| (Some(name.clone()), child.to.name.clone())));
        }
        ways
    }
}

/// The parent of a behavior on the path from the root; `None` for the root.
pub(crate) struct Parent(Option<Arc<str>>);

/// Returns the whole path to a behavior; only itself if no path leads to it.
pub(crate) fn way_to(ways: &HashMap<Arc<str>, Parent>, name: &Arc<str>) -> Vec<Arc<str>> {
    let mut way = vec![name.clone()];
    let mut at = name;
    while let Some(Parent(Some(parent))) = ways.get(at) {
        way.push(parent.clone());
        at = parent;
    }
    way.reverse();
    way
}
