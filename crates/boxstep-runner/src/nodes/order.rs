//! Behaviors that run children in order, repeat a child, or pass control to one child.

use super::pace::Pace;
use super::renew::{self, Renewal};
use super::{ActiveNode, Answer, NOBODY, NodeLogic};
use crate::conditions::LiveCondition;
use crate::model::{Child, Condition, Kind};
use crate::world::{Blackboard, SharedState};
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_engine::trace::ConditionResult;
use boxstep_types::Value;

/// What follows when a child has ended, or does not want to run.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ChildRule {
    /// The next child runs.
    Queue,
    /// The next child runs if this one is done; otherwise the sequence ends.
    Sequence,
    /// The fallback ends if the child is done; otherwise the next child runs.
    Fallback,
}

/// Runs children in order.
pub(crate) struct Order {
    rule: ChildRule,
    paces: Vec<Pace>,
    /// The child whose turn it is.
    at: usize,
    runs: bool,
    /// Whether it resumes at the same child after a failure, or after a stop, and not at the first child; `kept` says
    /// that it will.
    resume: bool,
    resume_stopped: bool,
    kept: bool,
}

impl Order {
    pub(crate) fn new(rule: ChildRule, children: &[Child], shared: &mut SharedState) -> Self {
        let paces = Pace::for_children(children, shared);
        Self { rule, paces, at: 0, runs: false, resume: false, resume_stopped: false, kept: false }
    }

    pub(crate) fn resuming(self, resume: bool, resume_stopped: bool) -> Self {
        Self { resume, resume_stopped, ..self }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        while self.at < self.paces.len() {
            let may = self.paces[self.at].may_run(node.cx, &node.blackboard.lock());
            match if may { node.offer(self.at) } else { Answer::No } {
                Answer::Yes => {
                    self.paces[self.at].started(node.cx, &mut node.blackboard.lock());
                    self.runs = true;
                    return;
                }
                Answer::Loading => return,
                Answer::No if self.rule == ChildRule::Sequence => {
                    self.kept = self.resume;
                    return node.fail(NOBODY);
                }
                Answer::No => self.at += 1,
            }
        }
        match self.rule {
            ChildRule::Queue | ChildRule::Sequence => node.done(Value::Null),
            ChildRule::Fallback => node.fail("no child is done"),
        }
    }
}

impl NodeLogic for Order {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.runs = false;
        if !std::mem::take(&mut self.kept) {
            self.at = 0;
        }
        self.paces.iter_mut().for_each(Pace::parent_begins);
        self.offer_child(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if !self.runs {
            self.offer_child(node);
        }
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        self.runs = false;
        self.paces[self.at].ended(node.cx, &mut node.blackboard.lock());
        let keeps = match end {
            End::Failed(_) => self.resume,
            End::Cancelled(_) => self.resume_stopped,
            End::Done(_) => false,
        };
        if keeps {
            self.kept = true;
            return node.end_as(end);
        }
        self.at += 1;
        match (self.rule, end) {
            (ChildRule::Sequence, End::Failed(_) | End::Cancelled(_)) | (ChildRule::Fallback, End::Done(_)) => {
                node.end_as(end)
            }
            // A sequence that is done ends as its last child does.
            (ChildRule::Sequence, End::Done(_)) if self.at == self.paces.len() => node.end_as(end),
            _ => self.offer_child(node),
        }
    }

    fn over(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, end: &End) {
        self.kept |= self.resume_stopped && matches!(end, End::Cancelled(_));
        if std::mem::take(&mut self.runs) {
            self.paces[self.at].ended(cx, &mut blackboard.lock());
        }
    }

    /// Continues after the child that runs, wherever that child is in the new version.
    fn renew(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let (Kind::Queue(children) | Kind::Sequence { children, .. } | Kind::Fallback(children)) = &with.new.kind
        else {
            return;
        };
        if let Kind::Sequence { resume, resume_stopped, .. } = &with.new.kind {
            (self.resume, self.resume_stopped) = (*resume, *resume_stopped);
        }
        Pace::renew(&mut self.paces, children, with, &mut blackboard.lock());
        let left = with.moved.get(self.at..).unwrap_or_default();
        self.at = left.iter().find_map(|at| *at).unwrap_or(self.paces.len());
    }
}

/// Repeats a child. Each round begins in a later tick than the one before, so that a child that ends at once does not
/// repeat without time passing.
pub(crate) struct Repeat {
    times: Option<u32>,
    /// Whether it repeats after a failure, and not when the child is done.
    retry: bool,
    rounds: u32,
    runs: bool,
    tick: u64,
}

impl Repeat {
    pub(crate) fn new(times: Option<u32>, retry: bool) -> Self {
        Self { times, retry, rounds: 0, runs: false, tick: 0 }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        if self.tick == node.cx.tick() {
            return;
        }
        match node.offer(0) {
            Answer::Yes => (self.runs, self.tick) = (true, node.cx.tick()),
            // A child that does not want to run counts as a failure, and is asked again in the next tick.
            Answer::No if self.retry && self.again() => self.tick = node.cx.tick(),
            Answer::No => node.fail(NOBODY),
            Answer::Loading => {}
        }
    }

    /// Counts a finished round, and returns whether another one may follow.
    fn again(&mut self) -> bool {
        self.rounds = self.rounds.saturating_add(1);
        self.times.is_none_or(|times| self.rounds < times)
    }
}

impl NodeLogic for Repeat {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        (self.rounds, self.runs, self.tick) = (0, false, 0);
        self.offer_child(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if !self.runs {
            self.offer_child(node);
        }
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        self.runs = false;
        let goes_on = match end {
            End::Done(_) => !self.retry,
            End::Failed(_) => self.retry,
            End::Cancelled(_) => false,
        };
        match goes_on && self.again() {
            true => self.offer_child(node),
            false => node.end_as(end),
        }
    }

    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Repeat(_, times) | Kind::Retry(_, times) = &with.new.kind {
            self.times = *times;
        }
    }
}

/// Runs one child, and ends as the child ends, or when a condition becomes true.
pub(crate) struct Pass {
    until: Option<LiveCondition>,
    /// Whether it fails when the condition is true.
    fails: bool,
    runs: bool,
}

impl Pass {
    pub(crate) fn new(until: Option<LiveCondition>, fails: bool) -> Self {
        Self { until, fails, runs: false }
    }

    fn offer_child(&mut self, node: &mut ActiveNode<'_, '_>) {
        match node.offer(0) {
            Answer::Yes => self.runs = true,
            Answer::No => node.fail(NOBODY),
            Answer::Loading => {}
        }
    }
}

impl NodeLogic for Pass {
    fn init(&mut self, cx: &mut Control<'_>) {
        if let Some(until) = &mut self.until {
            until.init(cx);
        }
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, value: &Value) {
        self.runs = false;
        if let Some(until) = &mut self.until {
            until.switch_on(node.cx, &mut node.blackboard.lock());
        }
        // The child receives the value of the activation.
        match node.ask(0) {
            Answer::Yes => self.runs = node.cx.delegate(&node.ids[..1], value.clone()).is_ok(),
            Answer::No => node.fail(NOBODY),
            Answer::Loading => {}
        }
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if let Some(until) = &mut self.until {
            let mut shared = node.blackboard.lock();
            until.update(node.cx, &mut shared);
            let over = until.holds(node.cx, &mut shared);
            drop(shared);
            if over {
                return match self.fails {
                    true => node.fail("its `until` condition became true"),
                    false => node.done(Value::Null),
                };
            }
        }
        if !self.runs {
            self.offer_child(node);
        }
    }

    fn watched(&self, cx: &Control<'_>, shared: &mut SharedState) -> Vec<ConditionResult> {
        self.until.iter().map(|until| until.result(cx, shared)).collect()
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        node.end_as(end);
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        if let Some(until) = &mut self.until {
            until.switch_off();
        }
    }

    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let (Kind::Pass { until: old, .. }, Kind::Pass { until: new, fails, .. }) = (&with.old.kind, &with.new.kind)
        else {
            return;
        };
        self.fails = *fails;
        // The condition is on while the behavior is active. A missing condition is like one that is never true.
        let never = Condition::Always(false);
        let before = old.as_ref().unwrap_or(&never);
        match new {
            None => self.until = None,
            Some(new) => {
                let until = self.until.get_or_insert_with(|| LiveCondition::new(&never, &mut blackboard.lock()));
                renew::condition(until, (before, new), cx.is_active(), cx, blackboard);
            }
        }
    }
}
