//! The full names of boxes, by which scripts and the robot refer to them, and the lookup of a box by full name.
//!
//! Names are created on demand, in the order of the boxes: most behaviors, and the largest above all, never need them.

use crate::graph::Graph;
use crate::ids::BoxId;
use crate::trace::Paths;
use std::cell::RefMut;
use std::collections::HashMap;
use std::sync::Arc;

/// The names created so far.
#[derive(Default)]
pub(crate) struct Names {
    /// The name of each box.
    of: Vec<Arc<str>>,
    /// The box of each name, and the last number appended to make another box's name unique.
    boxes: HashMap<Arc<str>, (BoxId, u32)>,
}

impl Names {
    /// Adds the name that follows the pattern, with a number appended if another box has it: the boxes of two keyframes
    /// are numbered independently.
    fn add(&mut self, name: String) {
        let id = BoxId(self.of.len() as u32);
        let name: Arc<str> = name.into();
        let mut free = name.clone();
        // The search continues from the last number, so that it does not restart for each of a thousand keyframes.
        if let Some(&(_, last)) = self.boxes.get(&name) {
            let mut n = last;
            while self.boxes.contains_key(&free) {
                n += 1;
                free = format!("{name}__{n}").into();
            }
            self.boxes.entry(name).and_modify(|known| known.1 = n);
        }
        self.boxes.insert(free.clone(), (id, 1));
        self.of.push(free);
    }
}

impl Graph {
    /// The full name of a box, which `getName()` returns.
    pub(crate) fn full_name(&self, paths: &Paths, id: BoxId) -> Arc<str> {
        self.named(paths, id.index() + 1).of[id.index()].clone()
    }

    /// The box with this full name.
    pub(crate) fn by_full_name(&self, paths: &Paths, name: &str) -> Option<BoxId> {
        self.named(paths, self.boxes.len()).boxes.get(name).map(|(id, _)| *id)
    }

    /// Creates all names before boxes move or are renamed: a box keeps the name of the place where it was made.
    pub(crate) fn keep_full_names(&mut self, paths: &Paths) {
        drop(self.named(paths, self.boxes.len()));
    }

    /// Creates the names of the first `count` boxes.
    fn named(&self, paths: &Paths, count: usize) -> RefMut<'_, Names> {
        let mut names = self.names.borrow_mut();
        for index in names.of.len()..count {
            let (node, name) = (&self.boxes[index], self.name(paths, BoxId(index as u32)));
            // Parents come before the boxes inside them.
            let full = match node.parent {
                None => format!("{}__{name}", node.behavior.text()),
                Some(parent) => format!("{}__{name}_{}", names.of[parent.index()], node.file_id),
            };
            names.add(full);
        }
        names
    }
}
