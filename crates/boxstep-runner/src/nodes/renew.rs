//! A behavior that goes on in another version of its character: with the same child, the same cooldowns, the same spans of conditions, as
//! far as they are in both versions.

use super::Member;
use crate::conditions::Live;
use crate::model::{Child, Condition, Do, Kind, Node};
use crate::world::Blackboard;
use boxstep_engine::runner::{Control, Delegates};
use std::sync::Arc;

/// What a behavior was, and what it is from now on.
pub(crate) struct Renewal {
    pub(crate) old: Node,
    pub(crate) new: Node,
    /// Where each of its children is by now, if it still is one.
    pub(crate) moved: Vec<Option<usize>>,
}

impl Renewal {
    /// `None` if the two have too little in common: the new one is a new behavior, then.
    pub(crate) fn new(old: &Node, new: &Node) -> Option<Self> {
        let alike = match (&old.kind, &new.kind) {
            // These are bound to what they have begun.
            (Kind::Do(Do::Play(..) | Do::Script(..)) | Kind::Native(..) | Kind::Script(..), _) => false,
            (Kind::Do(old), Kind::Do(new)) => std::mem::discriminant(old) == std::mem::discriminant(new),
            (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
        };
        alike.then(|| Self { old: old.clone(), new: new.clone(), moved: moved(&children(old), &children(new)) })
    }

    /// Its delegates and resources from now on.
    pub(crate) fn delegates(&self) -> Delegates {
        delegates(&self.new)
    }

    /// Are the children the same, in the same order?
    pub(crate) fn same_children(&self) -> bool {
        children(&self.old) == children(&self.new)
    }
}

/// The names of the children.
pub(super) fn children(node: &Node) -> Vec<Arc<str>> {
    node.kind.children().iter().map(|child: &&Child| child.to.name.clone()).collect()
}

/// What a behavior says of itself before it is made, too.
pub(crate) fn delegates(node: &Node) -> Delegates {
    let mut all = Delegates::default();
    declare(&children(node), matches!(node.kind, Kind::Parallel { .. }), &node.claims, &mut all);
    all
}

pub(super) fn declare(children: &[Arc<str>], together: bool, claims: &[Arc<str>], all: &mut Delegates) {
    for name in children {
        all.add(name.clone());
    }
    if together {
        all.together(children.iter().cloned());
    }
    for claim in claims {
        all.lock(claim.clone());
    }
}

/// Where each of some is among others. One that is there twice is there in the same order.
fn moved(old: &[Arc<str>], new: &[Arc<str>]) -> Vec<Option<usize>> {
    let mut taken = vec![false; new.len()];
    old.iter()
        .map(|name| {
            let at = new.iter().zip(&taken).position(|(other, taken)| other == name && !taken)?;
            taken[at] = true;
            Some(at)
        })
        .collect()
}

/// A condition that is on, or not, from now on in another form: a new one, which begins now, unless it is the same.
pub(super) fn condition(
    live: &mut Live,
    (old, new): (&Condition, &Condition),
    on: bool,
    cx: &mut Control<'_>,
    blackboard: &Blackboard,
) {
    if old == new {
        return;
    }
    let rooms = &mut *blackboard.open();
    *live = Live::new(new, rooms);
    live.init(cx);
    if on {
        live.on(cx, rooms);
    }
}

impl Member {
    pub(super) fn renew(&mut self, cx: &mut Control<'_>, renewal: &Renewal) {
        let Renewal { old, new, .. } = renewal;
        let in_scope = cx.is_in_scope();
        match (&mut self.when, &old.when, &new.when) {
            (Some(live), Some(old), Some(new)) => condition(live, (old, new), in_scope, cx, &self.blackboard),
            (when, _, Some(new)) => {
                let rooms = &mut *self.blackboard.open();
                let mut live = Live::new(new, rooms);
                live.init(cx);
                if in_scope {
                    live.on(cx, rooms);
                }
                *when = Some(live);
            }
            (when, _, None) => {
                *when = None;
                self.blackboard.open().explained(&self.name, None);
            }
        }
        self.wants_told.forget();
        self.watches_told.forget();
        self.children = children(new);
        self.claims.clone_from(&new.claims);
        let mut rooms = self.blackboard.open();
        self.silences = new.silences.iter().map(|named| rooms.member(&named.name)).collect();
        self.timer_at_start = new.timer_at_start.as_ref().map(|name| (rooms.timer(name), name.clone()));
        self.timer_at_end = new.timer_at_end.as_ref().map(|name| (rooms.timer(name), name.clone()));
        drop(rooms);
        self.conduct.renew(cx, &self.blackboard, renewal);
    }
}
