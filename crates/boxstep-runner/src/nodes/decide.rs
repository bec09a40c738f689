//! Behaviors that choose a child by a condition, change a child's outcome, or evaluate a condition.

use super::renew::{self, Renewal};
use super::{Answer, Conduct, Desk, NOBODY};
use crate::conditions::Live;
use crate::model::{As, Kind};
use crate::world::{Blackboard, Rooms};
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_engine::trace::ConditionResult;
use boxstep_types::Value;

/// Why a behavior fails that is defined to fail.
const SAID: &str = "it fails by what the character says";

/// Runs one child, and changes its outcome.
pub(crate) struct Outcome {
    counts: As,
    runs: bool,
}

impl Outcome {
    pub(crate) fn new(counts: As) -> Self {
        Self { counts, runs: false }
    }

    fn go_on(&mut self, desk: &mut Desk<'_, '_>) {
        match desk.offer(0) {
            Answer::Yes => self.runs = true,
            Answer::No => self.end(desk, &End::Failed(NOBODY.into())),
            Answer::Loading => {}
        }
    }

    fn end(&self, desk: &mut Desk<'_, '_>, end: &End) {
        match (self.counts, end) {
            (_, End::Cancelled(_)) => desk.end_as(end),
            (As::Done, End::Done(_)) | (As::Failed, End::Failed(_)) => desk.end_as(end),
            (As::Done | As::Opposite, End::Failed(_)) => desk.done(Value::Null),
            (As::Failed | As::Opposite, End::Done(_)) => desk.fail(SAID),
        }
    }
}

impl Conduct for Outcome {
    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        self.runs = false;
        self.go_on(desk);
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        if !self.runs {
            self.go_on(desk);
        }
    }

    fn ended(&mut self, desk: &mut Desk<'_, '_>, _: Ticket, end: &End) {
        self.end(desk, end);
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

    fn go_on(&mut self, desk: &mut Desk<'_, '_>) {
        match desk.offer(0) {
            Answer::Yes => self.runs = true,
            Answer::No => desk.fail(NOBODY),
            Answer::Loading => {}
        }
    }
}

impl Conduct for OnceInRun {
    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        self.runs = false;
        match (&self.ended, self.again) {
            (None, _) => self.go_on(desk),
            (Some(_), Some(As::Done)) => desk.done(Value::Null),
            (Some(_), Some(As::Failed)) => desk.fail("it has run before"),
            (Some(end), _) => desk.end_as(end),
        }
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        if !self.runs {
            self.go_on(desk);
        }
    }

    fn ended(&mut self, desk: &mut Desk<'_, '_>, _: Ticket, end: &End) {
        if !matches!(end, End::Cancelled(_)) {
            self.ended = Some(end.clone());
        }
        desk.end_as(end);
    }

    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Once(_, again) = &with.new.kind {
            self.again = *again;
        }
    }
}

/// Runs one child if a condition is true, and otherwise another one or none.
pub(crate) struct If {
    test: Live,
    otherwise: bool,
    watch: bool,
    /// The result of the condition that counts.
    said: bool,
    runs: bool,
}

impl If {
    pub(crate) fn new(test: Live, otherwise: bool, watch: bool) -> Self {
        Self { test, otherwise, watch, said: false, runs: false }
    }

    fn go_on(&mut self, desk: &mut Desk<'_, '_>) {
        if !self.said && !self.otherwise {
            return desk.fail("the condition is not true");
        }
        match desk.offer(usize::from(!self.said)) {
            Answer::Yes => self.runs = true,
            Answer::No => desk.fail(NOBODY),
            Answer::Loading => {}
        }
    }
}

impl Conduct for If {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.test.init(cx);
    }

    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        self.runs = false;
        let mut rooms = desk.blackboard.open();
        self.test.on(desk.cx, &mut rooms);
        self.said = self.test.holds(desk.cx, &mut rooms);
        drop(rooms);
        self.go_on(desk);
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        let mut rooms = desk.blackboard.open();
        self.test.turn(desk.cx, &mut rooms);
        let says = self.test.holds(desk.cx, &mut rooms);
        drop(rooms);
        if self.watch && says != self.said {
            self.said = says;
            if std::mem::take(&mut self.runs) {
                // The request is refused only if the behavior is ending.
                let _ = desk.cx.cancel_delegates();
            }
        }
        if !self.runs {
            self.go_on(desk);
        }
    }

    fn watched(&self, cx: &Control<'_>, rooms: &mut Rooms) -> Vec<ConditionResult> {
        vec![self.test.factor(cx, rooms)]
    }

    fn ended(&mut self, desk: &mut Desk<'_, '_>, _: Ticket, end: &End) {
        desk.end_as(end);
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        self.test.off();
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
pub(crate) struct Check(pub(crate) Live);

impl Conduct for Check {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.0.init(cx);
    }

    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        let mut rooms = desk.blackboard.open();
        self.0.on(desk.cx, &mut rooms);
        let holds = self.0.holds(desk.cx, &mut rooms);
        drop(rooms);
        match holds {
            true => desk.done(Value::Null),
            false => desk.fail("the condition is not true"),
        }
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        self.0.off();
    }

    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        if let (Kind::Check(old), Kind::Check(new)) = (&with.old.kind, &with.new.kind) {
            renew::condition(&mut self.0, (old, new), false, cx, blackboard);
        }
    }
}
