//! The tree of the robot's resources: an owner of a parent also owns its children; states are shared.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The robot's resources, as the engine needs them.
#[derive(Clone, Debug, Default)]
pub struct ResourceTree {
    /// Maps a name to its parent, none for a root: an owner of the parent also owns the child.
    pub parents: BTreeMap<String, Option<String>>,
    /// States such as Standing, which any number of boxes may hold.
    pub states: Vec<String>,
}

/// The current tree: scripts can add and delete resources, and turn states off and on.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    tree: ResourceTree,
    /// Whether the robot's resources are unknown: then every name is a separate resource.
    open: bool,
    /// States that have been turned off.
    off: BTreeSet<String>,
    /// The number of changes of the names in the tree.
    changes: u64,
}

/// Why a group cannot be granted, whatever the holders.
#[derive(Debug, PartialEq)]
pub(super) enum Bar {
    /// There is no such resource.
    Unknown(Arc<str>),
    /// Two states in one group; a robot is in only one of its states at a time.
    Both(Arc<str>, Arc<str>),
    /// The state has been turned off; it may be turned on again.
    Off(Arc<str>),
}

impl Tree {
    pub(super) fn new(tree: ResourceTree) -> Self {
        Self { open: tree.parents.is_empty() && tree.states.is_empty(), tree, off: BTreeSet::new(), changes: 0 }
    }

    /// Returns a number that changes whenever names are added to or deleted from the tree.
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

    /// Returns whether taking one of the resources also takes the other.
    pub(super) fn overlap(&self, a: &str, b: &str) -> bool {
        !self.is_state(a) && (self.within(a, b) || self.within(b, a))
    }

    /// Returns whether `child` is the same resource as `parent`, or part of it.
    pub(super) fn within(&self, child: &str, parent: &str) -> bool {
        let up = |name: &&str| self.tree.parents.get(*name)?.as_deref();
        // Bounded, in case the parents form a cycle.
        std::iter::successors(Some(child), up).take(32).any(|name| name == parent)
    }

    /// Returns why a group as a whole cannot be granted.
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

    /// Adds a resource; an existing one keeps its place.
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

    /// Deletes a resource, with all its parts.
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

    /// Turns a state on or off. In an open tree this makes any name a state.
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
