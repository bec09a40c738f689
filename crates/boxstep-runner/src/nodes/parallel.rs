//! Behaviors that run children side by side.

use super::renew::Renewal;
use super::{ActiveNode, Answer, NOBODY, NodeLogic};
use crate::model::Kind;
use crate::world::Blackboard;
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_types::Value;

/// Runs all children that want to run.
pub(crate) struct Parallel {
    children: usize,
    success: u32,
    failure: u32,
    done: u32,
    failed: u32,
    running: u32,
    begun: bool,
    /// Whether it ends only when all children have ended.
    whole: bool,
}

impl Parallel {
    pub(crate) fn new(children: usize, success: u32, failure: u32, whole: bool) -> Self {
        Self { children, success, failure, done: 0, failed: 0, running: 0, begun: false, whole }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        let mut willing = Vec::new();
        for child in 0..self.children {
            match node.ask(child) {
                Answer::Yes => willing.push(node.ids[child]),
                Answer::No => {}
                // All children start together.
                Answer::Loading => return,
            }
        }
        self.begun = true;
        if !willing.is_empty() {
            if let Err(why) = node.cx.delegate(&willing, Value::Null) {
                return node.fail(why.text());
            }
            self.running = willing.len() as u32;
        }
        self.failed = self.children as u32 - self.running;
        self.judge(node);
    }

    fn judge(&self, node: &mut ActiveNode<'_, '_>) {
        if self.whole && self.running > 0 {
            return;
        }
        if self.failed >= self.failure {
            node.fail(if self.running == 0 && self.done == 0 { NOBODY } else { "too many children failed" });
        } else if self.done >= self.success {
            node.done(Value::Null);
        } else if self.running == 0 {
            node.fail("too few children are done");
        }
    }
}

impl NodeLogic for Parallel {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        (self.done, self.failed, self.running, self.begun) = (0, 0, 0, false);
        self.offer_child(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if !self.begun {
            self.offer_child(node);
        }
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        self.running = self.running.saturating_sub(1);
        match end {
            End::Done(_) => self.done += 1,
            End::Failed(_) | End::Cancelled(_) => self.failed += 1,
        }
        self.judge(node);
    }

    /// All children start together, so a new child can only start with the next activation.
    fn may_renew(&self, with: &Renewal, lost: bool) -> bool {
        !lost && (!self.begun || with.same_children())
    }

    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        let Kind::Parallel { children, success, failure, whole } = &with.new.kind else { return };
        (self.children, self.success, self.failure, self.whole) = (children.len(), *success, *failure, *whole);
    }
}
