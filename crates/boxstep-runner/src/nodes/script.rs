//! Behaviors in Python: their own hooks decide, within what all behaviors of a character share.

use super::{ActiveNode, NodeLogic};
use crate::model::Child;
use crate::world::Blackboard;
use boxstep_engine::runner::{Behavior, Control, End, ScriptBehavior, Ticket};
use boxstep_types::Value;

pub(crate) struct Script(ScriptBehavior);

impl Script {
    /// Creates the behavior; `number` is its number among the behaviors of the character.
    pub(crate) fn new(number: usize, delegates: &[Child]) -> Self {
        let names = delegates.iter().map(|child| child.to.name.clone()).collect();
        Self(ScriptBehavior::new(number as u32, names))
    }
}

impl NodeLogic for Script {
    fn hosted(&mut self, cx: &mut Control<'_>) {
        self.0.hosted(cx);
    }

    fn enter(&mut self, cx: &mut Control<'_>, _: &Blackboard) {
        self.0.entered_scope(cx);
    }

    fn wants(&self, cx: &mut Control<'_>, _: &Blackboard) -> bool {
        self.0.wants_to_be_activated(cx)
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, value: &Value) {
        self.0.activated(node.cx, value);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        self.0.update(node.cx);
    }

    fn idle(&mut self, cx: &mut Control<'_>) {
        self.0.update(cx);
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, ticket: Ticket, end: &End) {
        self.0.on_delegate_ended(node.cx, ticket, end);
    }

    fn over(&mut self, cx: &mut Control<'_>, _: &Blackboard, end: &End) {
        self.0.deactivated(cx, end);
    }

    fn leave(&mut self, cx: &mut Control<'_>, _: &Blackboard) {
        self.0.left_scope(cx);
    }
}
