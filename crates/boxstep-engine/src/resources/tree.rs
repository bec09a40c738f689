//! The robot's resources by name: who takes a parent takes its children; states are nobody's alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The robot's resources, as the engine needs to know them.
#[derive(Clone, Debug, Default)]
pub struct ResourceTree {
    /// Name → parent, none for a root: who takes the parent takes the child.
    pub parents: BTreeMap<String, Option<String>>,
    /// States such as Standing, which any number of boxes may hold.
    pub states: Vec<String>,
}

/// The tree as it is now: scripts may add to it, take away, and turn states off and on.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    tree: ResourceTree,
    /// Nothing was said of the robot: every name is a resource of its own.
    open: bool,
    /// States that have been turned off.
    off: BTreeSet<String>,
    /// Counts how often it has become another one.
    changes: u64,
}

/// Why a group cannot be had, whoever holds what.
#[derive(Debug, PartialEq)]
pub(super) enum Bar {
    /// There is no such resource.
    Unknown(Arc<str>),
    /// A robot is in one of its states at a time.
    Both(Arc<str>, Arc<str>),
    /// The state has been turned off; it may be turned on again.
    Off(Arc<str>),
}

impl Tree {
    pub(super) fn new(tree: ResourceTree) -> Self {
        Self { open: tree.parents.is_empty() && tree.states.is_empty(), tree, off: BTreeSet::new(), changes: 0 }
    }

    /// Another number than before: there are other names in it.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    pub(super) fn known(&self, name: &str) -> bool {
        self.open || self.tree.parents.contains_key(name) || self.is_state(name)
    }

    pub(super) fn is_state(&self, name: &str) -> bool {
        self.tree.states.iter().any(|s| s == name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tree.parents.keys().chain(&self.tree.states).map(String::as_str)
    }

    /// Does taking one of them take the other?
    pub(super) fn overlap(&self, a: &str, b: &str) -> bool {
        !self.is_state(a) && (self.within(a, b) || self.within(b, a))
    }

    /// Is it the parent, or part of it?
    pub(super) fn within(&self, child: &str, parent: &str) -> bool {
        let up = |name: &&str| self.tree.parents.get(*name)?.as_deref();
        // Bounded, in case the tree is none.
        std::iter::successors(Some(child), up).take(32).any(|name| name == parent)
    }

    /// What bars a group as a whole.
    pub(super) fn bar(&self, names: &[Arc<str>]) -> Option<Bar> {
        let mut state: Option<&Arc<str>> = None;
        for name in names {
            if !self.known(name) {
                return Some(Bar::Unknown(name.clone()));
            }
            if self.is_state(name) {
                match state.replace(name) {
                    Some(other) if other != name => return Some(Bar::Both(other.clone(), name.clone())),
                    _ => {}
                }
            }
        }
        names.iter().find(|name| self.off.contains(&***name)).map(|name| Bar::Off(name.clone()))
    }

    /// Adds a resource; one that is there already stays where it is.
    pub(super) fn create(&mut self, name: &str, parent: &str) -> Result<(), String> {
        if name.is_empty() {
            return Err("a resource has a name".to_owned());
        }
        if !parent.is_empty() && (!self.known(parent) || self.is_state(parent)) {
            return Err(format!("there is no resource {parent} to put {name} into"));
        }
        if !self.tree.parents.contains_key(name) && !self.is_state(name) {
            if self.within(parent, name) {
                return Err(format!("{parent} is part of {name}"));
            }
            self.changes += 1;
            self.tree.parents.insert(name.to_owned(), (!parent.is_empty()).then(|| parent.to_owned()));
        }
        Ok(())
    }

    /// Takes a resource away, with all that is part of it.
    pub(super) fn delete(&mut self, name: &str) -> Result<(), String> {
        if !self.tree.parents.contains_key(name) {
            return Err(format!("there is no resource {name}"));
        }
        let parts: Vec<String> = self.tree.parents.keys().filter(|n| self.within(n, name)).cloned().collect();
        self.changes += 1;
        for part in parts {
            self.tree.parents.remove(&part);
        }
        Ok(())
    }

    /// Turns a state on or off. In an open tree any name becomes a state by that.
    pub(super) fn enable(&mut self, name: &str, on: bool) -> Result<(), String> {
        if !self.is_state(name) {
            if !self.open {
                return Err(format!("{name} is not a state"));
            }
            self.changes += 1;
            self.tree.states.push(name.to_owned());
        }
        if on {
            self.off.remove(name);
        } else {
            self.off.insert(name.to_owned());
        }
        Ok(())
    }
}
