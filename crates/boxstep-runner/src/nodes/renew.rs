//! Behaviors that continue in another version of their character. They keep their child, cooldowns and the state of
//! conditions, as far as these are in both versions.

use super::Member;
use crate::conditions::LiveCondition;
use crate::model::{Child, Condition, Do, Kind, Node};
use crate::world::Blackboard;
use boxstep_engine::runner::{Control, Delegates};
use std::sync::Arc;

/// The definition of a behavior in the old version and in the new one.
pub(crate) struct Renewal {
    pub(crate) old: Node,
    pub(crate) new: Node,
    /// By old child: its index among the new children, if it still is one.
    pub(crate) moved: Vec<Option<usize>>,
}

impl Renewal {
    /// Pairs two definitions. `None` if they have too little in common, and the new one is a new behavior.
    pub(crate) fn new(old: &Node, new: &Node) -> Option<Self> {
        let alike = match (&old.kind, &new.kind) {
            // A behavior of these kinds is bound to the action that it has started.
            (
                Kind::Do(Do::Play(..) | Do::Talk(_) | Do::Script(..) | Do::On(..))
                | Kind::Native(..)
                | Kind::Script(..),
                _,
            ) => false,
            (Kind::Do(old), Kind::Do(new)) => std::mem::discriminant(old) == std::mem::discriminant(new),
            (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
        };
        alike.then(|| Self { old: old.clone(), new: new.clone(), moved: moved(&children(old), &children(new)) })
    }

    /// Returns the delegates and resources of the new version.
    pub(crate) fn delegates(&self) -> Delegates {
        delegates(&self.new)
    }

    /// Returns whether the children are the same, in the same order.
    pub(crate) fn same_children(&self) -> bool {
        children(&self.old) == children(&self.new)
    }
}

/// Returns the names of the children.
pub(super) fn children(node: &Node) -> Vec<Arc<str>> {
    node.kind.children().iter().map(|child: &&Child| child.to.name.clone()).collect()
}

/// Returns the delegates and resources that a behavior declares, before it is created.
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

/// Returns the index of each old name among the new ones. Repeated names match in order.
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

/// Replaces a condition by a new one, which starts now, unless they are equal. `on`: the new one is switched on.
pub(super) fn condition(
    live: &mut LiveCondition,
    (old, new): (&Condition, &Condition),
    on: bool,
    cx: &mut Control<'_>,
    blackboard: &Blackboard,
) {
    if old == new {
        return;
    }
    let shared = &mut *blackboard.lock();
    *live = LiveCondition::new(new, shared);
    live.init(cx);
    if on {
        live.switch_on(cx, shared);
    }
}

impl Member {
    pub(super) fn renew(&mut self, cx: &mut Control<'_>, renewal: &Renewal) {
        let Renewal { old, new, .. } = renewal;
        let in_scope = cx.is_in_scope();
        match (&mut self.when, &old.when, &new.when) {
            (Some(live), Some(old), Some(new)) => condition(live, (old, new), in_scope, cx, &self.blackboard),
            (when, _, Some(new)) => {
                let shared = &mut *self.blackboard.lock();
                let mut live = LiveCondition::new(new, shared);
                live.init(cx);
                if in_scope {
                    live.switch_on(cx, shared);
                }
                *when = Some(live);
            }
            (when, _, None) => {
                *when = None;
                self.blackboard.lock().set_factors(&self.name, None);
            }
        }
        self.wants_emitted.forget();
        self.watches_emitted.forget();
        self.children = children(new);
        self.claims.clone_from(&new.claims);
        let mut shared = self.blackboard.lock();
        self.silences = new.silences.iter().map(|named| shared.member_number(&named.name)).collect();
        self.timer_at_start = new.timer_at_start.as_ref().map(|name| (shared.timer_number(name), name.clone()));
        self.timer_at_end = new.timer_at_end.as_ref().map(|name| (shared.timer_number(name), name.clone()));
        drop(shared);
        self.logic.renew(cx, &self.blackboard, renewal);
    }
}
