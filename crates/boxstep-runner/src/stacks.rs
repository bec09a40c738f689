//! Every way through a character, tried out without a robot.

use crate::adapter::PERIOD;
use crate::built::{Nowhere, anything};
use crate::model::Character;
use boxstep_engine::runner::{RootPolicy, Runner, walk};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Every stack of active behaviors that can be, and what was wrong when they were tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stacks {
    /// Each from the root on: a behavior before its children.
    pub ways: Vec<Vec<Arc<str>>>,
    /// What is wrong: the way, who, and what.
    pub problems: Vec<String>,
    /// There are more than were to be tried.
    pub cut: bool,
}

impl Character {
    /// Activates every stack of behaviors that can be, one after the other, but at most so many: leaves do nothing. A character whose file
    /// is in order has no problems, but one that was made or changed in Rust may.
    pub fn stacks(&self, most: usize) -> Stacks {
        let natives = anything(self);
        let Ok(mut cast) = self.cast(Nowhere, &natives, 0) else { return Stacks::default() };
        let report = walk(&mut cast.runner, PERIOD, most);
        let names = |runner: &Runner, way: &[_]| way.iter().map(|id| Arc::from(runner.name(*id))).collect::<Vec<_>>();
        let runner = &cast.runner;
        let problem = |p: &boxstep_engine::runner::Problem| {
            format!("{}: {}: {}", names(runner, &p.way).join(" → "), runner.name(p.of), p.what)
        };
        Stacks {
            ways: report.visits.iter().map(|visit| names(runner, &visit.way)).collect(),
            problems: report.problems.iter().map(problem).collect(),
            cut: report.cut,
        }
    }

    /// For each behavior the shortest way to it from the root, or from what stands in for the root.
    pub(crate) fn ways(&self) -> HashMap<Arc<str>, Way> {
        let by_name: HashMap<&str, usize> =
            self.behaviors.iter().enumerate().map(|(at, node)| (&*node.name, at)).collect();
        let idle = match &self.at_end {
            RootPolicy::Idle(name) => Some(name),
            _ => None,
        };
        let roots = std::iter::once(&self.root).chain(idle).chain(&self.safe);
        let mut ways: HashMap<Arc<str>, Way> = HashMap::new();
        let mut line: VecDeque<(Option<Arc<str>>, Arc<str>)> = roots.map(|root| (None, root.clone())).collect();
        while let Some((parent, name)) = line.pop_front() {
            let Some(node) = by_name.get(&*name).map(|at| &self.behaviors[*at]) else { continue };
            if ways.contains_key(&name) {
                continue;
            }
            ways.insert(name.clone(), Way(parent));
            line.extend(node.kind.children().iter().map(|child| (Some(name.clone()), child.to.name.clone())));
        }
        ways
    }
}

/// One step of the way from the root: the parent.
pub(crate) struct Way(Option<Arc<str>>);

/// The whole way to a behavior; only itself if none leads there.
pub(crate) fn way_to(ways: &HashMap<Arc<str>, Way>, name: &Arc<str>) -> Vec<Arc<str>> {
    let mut way = vec![name.clone()];
    let mut at = name;
    while let Some(Way(Some(parent))) = ways.get(at) {
        way.push(parent.clone());
        at = parent;
    }
    way.reverse();
    way
}
