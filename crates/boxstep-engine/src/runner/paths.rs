//! The paths of a runner's behaviors in the trace.

use super::{BehaviorId, NOBODY, Runner};
use crate::trace::{PathId, Paths};
use boxstep_types::Segment;
use std::collections::VecDeque;
use std::sync::Arc;

/// Returns the path of each behavior: the shortest way to it from a root.
pub(super) fn paths_of(all: &mut Paths, runner: &Runner) -> Vec<PathId> {
    let mut paths = vec![PathId(0); runner.names().len()];
    let mut line: VecDeque<(PathId, u32, u32)> = runner.roots().map(|root| (PathId(0), NOBODY, root.0)).collect();
    while let Some((parent, from, of)) = line.pop_front() {
        if paths[of as usize] != PathId(0) {
            continue;
        }
        let path = all.add_child(parent, Segment::Box { name: step_of(runner, from, of), id: None });
        paths[of as usize] = path;
        line.extend(runner.delegates(BehaviorId(of)).iter().map(|to| (path, of, to.0)));
    }
    paths
}

/// Returns the last step of a behavior's path: its name. The name of an unnamed delegate starts with its parent's name
/// (`idle/4`, a delegate of `idle`); below that parent the step is only the rest (`4`), unless another delegate of the
/// parent has that name.
fn step_of(runner: &Runner, from: u32, of: u32) -> Arc<str> {
    let name = &runner.names()[of as usize];
    let rest = runner.names().get(from as usize).and_then(|parent| name.strip_prefix(&**parent)?.strip_prefix('/'));
    let taken = |rest: &str| runner.find(rest).is_some_and(|other| runner.is_delegate(BehaviorId(from), other));
    match rest {
        Some(rest) if !rest.is_empty() && !taken(rest) => rest.into(),
        _ => name.clone(),
    }
}
