//! Behaviors that choose a child by a condition, change a child's outcome, or evaluate a condition.

use super::renew::{self, Renewal};
use super::{ActiveNode, Answer, NOBODY, NodeLogic};
use crate::conditions::LiveCondition;
use crate::model::{As, Kind};
use crate::world::{Blackboard, SharedState};
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_engine::trace::ConditionResult;
use boxstep_types::Value;

/// Why a behavior fails that is defined to fail.
const DEFINED_FAILURE: &str = "the character defines it to fail";

/// Runs one child, and changes its outcome.
pub(crate) struct Outcome {
    counts: As,
    runs: bool,
}

impl Outcome {
    pub(crate) fn new(counts: As) -> Self {
        Self { counts, runs: false }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        match node.offer(0) {
            Answer::Yes => self.runs = true,
            Answer::No => self.end(node, &End::Failed(NOBODY.into())),
            Answer::Loading => {}
        }
    }

    fn end(&self, node: &mut ActiveNode<'_, '_>, end: &End) {
        match (self.counts, end) {
            (_, End::Cancelled(_)) => node.end_as(end),
            (As::Done, End::Done(_)) | (As::Failed, End::Failed(_)) => node.end_as(end),
            (As::Done | As::Opposite, End::Failed(_)) => node.done(Value::Null),
            (As::Failed | As::Opposite, End::Done(_)) => node.fail(DEFINED_FAILURE),
        }
    }
}

impl NodeLogic for Outcome {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.runs = false;
        self.offer_child(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if !self.runs {
            self.offer_child(node);
        }
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        self.end(node, end);
    }

    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Outcome(_, counts) = &with.new.kind {
            self.counts = *counts;
        }
    }
}

/// Runs one child to its end once in the whole run.
pub(crate) struct OnceInRun {
    again: Option<As>,
    /// The end of the child; a cancelled child has not ended.
    ended: Option<End>,
    runs: bool,
}

impl OnceInRun {
    pub(crate) fn new(again: Option<As>) -> Self {
        Self { again, ended: None, runs: false }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        match node.offer(0) {
            Answer::Yes => self.runs = true,
            Answer::No => node.fail(NOBODY),
            Answer::Loading => {}
        }
    }
}

impl NodeLogic for OnceInRun {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.runs = false;
        match (&self.ended, self.again) {
            (None, _) => self.offer_child(node),
            (Some(_), Some(As::Done)) => node.done(Value::Null),
            (Some(_), Some(As::Failed)) => node.fail("it has run before"),
            (Some(end), _) => node.end_as(end),
        }
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if !self.runs {
            self.offer_child(node);
        }
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        if !matches!(end, End::Cancelled(_)) {
            self.ended = Some(end.clone());
        }
        node.end_as(end);
    }

    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Once(_, again) = &with.new.kind {
            self.again = *again;
        }
    }
}

/// Runs one child if a condition is true, and otherwise another one or none.
pub(crate) struct If {
    test: LiveCondition,
    otherwise: bool,
    watch: bool,
    /// The result of the condition that counts.
    result: bool,
    runs: bool,
}

impl If {
    pub(crate) fn new(test: LiveCondition, otherwise: bool, watch: bool) -> Self {
        Self { test, otherwise, watch, result: false, runs: false }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        if !self.result && !self.otherwise {
            return node.fail("the condition is not true");
        }
        match node.offer(usize::from(!self.result)) {
            Answer::Yes => self.runs = true,
            Answer::No => node.fail(NOBODY),
            Answer::Loading => {}
        }
    }
}

impl NodeLogic for If {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.test.init(cx);
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.runs = false;
        let mut shared = node.blackboard.lock();
        self.test.switch_on(node.cx, &mut shared);
        self.result = self.test.holds(node.cx, &mut shared);
        drop(shared);
        self.offer_child(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        let mut shared = node.blackboard.lock();
        self.test.update(node.cx, &mut shared);
        let holds = self.test.holds(node.cx, &mut shared);
        drop(shared);
        if self.watch && holds != self.result {
            self.result = holds;
            if std::mem::take(&mut self.runs) {
                // The request is refused only if the behavior is ending.
                let _ = node.cx.cancel_delegates();
            }
        }
        if !self.runs {
            self.offer_child(node);
        }
    }

    fn watched(&self, cx: &Control<'_>, shared: &mut SharedState) -> Vec<ConditionResult> {
        vec![self.test.result(cx, shared)]
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        node.end_as(end);
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        self.test.switch_off();
    }

    fn may_renew(&self, with: &Renewal, lost: bool) -> bool {
        !lost && (!self.runs || with.same_children())
    }

    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let (Kind::If { test: old, .. }, Kind::If { test: new, otherwise, watch, .. }) =
            (&with.old.kind, &with.new.kind)
        else {
            return;
        };
        (self.otherwise, self.watch) = (otherwise.is_some(), *watch);
        renew::condition(&mut self.test, (old, new), cx.is_active(), cx, blackboard);
    }
}

/// Is done if a condition is true, and fails otherwise.
pub(crate) struct Check(pub(crate) LiveCondition);

impl NodeLogic for Check {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.0.init(cx);
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        let mut shared = node.blackboard.lock();
        self.0.switch_on(node.cx, &mut shared);
        let holds = self.0.holds(node.cx, &mut shared);
        drop(shared);
        match holds {
            true => node.done(Value::Null),
            false => node.fail("the condition is not true"),
        }
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        self.0.switch_off();
    }

    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        if let (Kind::Check(old), Kind::Check(new)) = (&with.old.kind, &with.new.kind) {
            renew::condition(&mut self.0, (old, new), false, cx, blackboard);
        }
    }
}
