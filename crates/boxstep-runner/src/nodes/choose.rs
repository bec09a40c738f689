//! Behaviors that choose one of several children: by priority, repeatedly or once, or at random.

use super::pace::Pace;
use super::renew::Renewal;
use super::{ActiveNode, Answer, NOBODY, NodeLogic};
use crate::model::{Child, Kind};
use crate::world::{Blackboard, SharedState};
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_types::Value;

/// Runs the first child that wants to run; with `interrupt`, a more important one takes over in any tick.
pub(crate) struct Priority {
    paces: Vec<Pace>,
    interrupt: bool,
    current: Option<usize>,
}

impl Priority {
    pub(crate) fn new(children: &[Child], interrupt: bool, shared: &mut SharedState) -> Self {
        Self { paces: Pace::for_children(children, shared), interrupt, current: None }
    }

    /// Activates a child that is more important than the one that runs, if one wants to run.
    fn choose(&mut self, node: &mut ActiveNode<'_, '_>) {
        let until = match self.current {
            None => self.paces.len(),
            Some(current) if self.interrupt => current,
            Some(_) => return,
        };
        for child in 0..until {
            if !self.paces[child].may_run(node.cx, &node.blackboard.lock()) || node.ask(child) != Answer::Yes {
                continue;
            }
            if let Some(old) = self.current.take() {
                // The request is refused only if the behavior is ending.
                let _ = node.cx.cancel_delegates();
                self.paces[old].ended(node.cx, &mut node.blackboard.lock());
            }
            if node.cx.delegate_to(node.ids[child]).is_ok() {
                self.paces[child].started(node.cx, &mut node.blackboard.lock());
                self.current = Some(child);
                return;
            }
        }
    }
}

impl NodeLogic for Priority {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.current = None;
        self.paces.iter_mut().for_each(Pace::parent_begins);
        self.choose(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        self.choose(node);
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, _: &End) {
        if let Some(old) = self.current.take() {
            self.paces[old].ended(node.cx, &mut node.blackboard.lock());
        }
        self.choose(node);
    }

    fn over(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, _: &End) {
        if let Some(old) = self.current.take() {
            self.paces[old].ended(cx, &mut blackboard.lock());
        }
    }

    /// If the child that runs is not its child any more, it chooses again.
    fn may_renew(&self, _: &Renewal, _: bool) -> bool {
        true
    }

    fn renew(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let Kind::Priority { children, interrupt } = &with.new.kind else { return };
        Pace::renew(&mut self.paces, children, with, &mut blackboard.lock());
        self.interrupt = *interrupt;
        self.current = self.current.and_then(|current| with.moved[current]);
    }
}

/// Chooses one child once: the first that wants to run, or one of them at random.
pub(crate) struct Once {
    paces: Vec<Pace>,
    by_chance: bool,
    current: Option<usize>,
}

impl Once {
    pub(crate) fn new(children: &[Child], by_chance: bool, shared: &mut SharedState) -> Self {
        Self { paces: Pace::for_children(children, shared), by_chance, current: None }
    }

    fn choose(&mut self, node: &mut ActiveNode<'_, '_>) {
        let (mut loading, mut willing) = (false, Vec::new());
        for child in 0..self.paces.len() {
            if !self.paces[child].may_run(node.cx, &node.blackboard.lock()) {
                continue;
            }
            match node.ask(child) {
                Answer::Yes => willing.push(child),
                Answer::Loading => loading = true,
                Answer::No => {}
            }
            if !self.by_chance && !willing.is_empty() {
                break;
            }
        }
        // A random choice needs the answers of all children; otherwise a child that is ready does not wait for others.
        if loading && (self.by_chance || willing.is_empty()) {
            return;
        }
        let drawn = if self.by_chance { self.draw(&willing, node.cx) } else { willing.first().copied() };
        match drawn.filter(|child| node.cx.delegate_to(node.ids[*child]).is_ok()) {
            Some(child) => {
                self.paces[child].started(node.cx, &mut node.blackboard.lock());
                self.current = Some(child);
            }
            None => node.fail(NOBODY),
        }
    }

    fn draw(&self, willing: &[usize], cx: &mut Control<'_>) -> Option<usize> {
        let weight = |child: usize| self.paces[child].weight;
        let all: f64 = willing.iter().map(|child| weight(*child)).sum();
        let possible = || willing.iter().copied().filter(|child| weight(*child) > 0.0);
        let last = possible().next_back()?;
        let mut at = cx.random() * all;
        let drawn = possible().find(|child| {
            at -= weight(*child);
            at < 0.0
        });
        // Rounding may make the sum of the weights a little too large.
        drawn.or(Some(last))
    }
}

impl NodeLogic for Once {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.current = None;
        self.paces.iter_mut().for_each(Pace::parent_begins);
        self.choose(node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if self.current.is_none() {
            self.choose(node);
        }
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        node.end_as(end);
    }

    fn over(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, _: &End) {
        if let Some(old) = self.current.take() {
            self.paces[old].ended(cx, &mut blackboard.lock());
        }
    }

    fn renew(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let (Kind::Selector(children) | Kind::Random(children)) = &with.new.kind else { return };
        Pace::renew(&mut self.paces, children, with, &mut blackboard.lock());
        self.current = self.current.and_then(|current| with.moved[current]);
    }
}
