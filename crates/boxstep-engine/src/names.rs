//! What scripts and the robot call a box, and the way back from that name to the box.
//!
//! Names are made in the order of the boxes, as far as somebody asks: most behaviors, the largest above all, are
//! played without.

use crate::graph::Graph;
use crate::ids::BoxId;
use crate::trace::Paths;
use std::cell::RefMut;
use std::collections::HashMap;
use std::sync::Arc;

/// The names that are made.
#[derive(Default)]
pub(crate) struct Names {
    /// By box.
    of: Vec<Arc<str>>,
    /// The box of a name, and the last number that another box of the name got.
    boxes: HashMap<Arc<str>, (BoxId, u32)>,
}

impl Names {
    /// The pattern's name, or with a number if another box has it: the diagrams of two keyframes count
    /// their boxes each for itself.
    fn add(&mut self, name: String) {
        let id = BoxId(self.of.len() as u32);
        let name: Arc<str> = name.into();
        let mut free = name.clone();
        // Where the search for this name left off: it is not begun anew for each of a thousand keyframes.
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
    /// What scripts and the robot call a box: `getName()`.
    pub(crate) fn full_name(&self, paths: &Paths, id: BoxId) -> Arc<str> {
        self.named(paths, id.index() + 1).of[id.index()].clone()
    }

    /// The box of that name.
    pub(crate) fn by_full_name(&self, paths: &Paths, name: &str) -> Option<BoxId> {
        self.named(paths, self.boxes.len()).boxes.get(name).map(|(id, _)| *id)
    }

    /// Before boxes move or change their names: they go on being called by where they were made.
    pub(crate) fn keep_full_names(&mut self, paths: &Paths) {
        drop(self.named(paths, self.boxes.len()));
    }

    /// Sees to it that so many boxes have names.
    fn named(&self, paths: &Paths, count: usize) -> RefMut<'_, Names> {
        let mut names = self.names.borrow_mut();
        for index in names.of.len()..count {
            let (node, name) = (&self.boxes[index], self.name(paths, BoxId(index as u32)));
            // Parents come before what is in them.
            let full = match node.parent {
                None => format!("{}__{name}", node.behavior.text()),
                Some(parent) => format!("{}__{name}_{}", names.of[parent.index()], node.file_id),
            };
            names.add(full);
        }
        names
    }
}
