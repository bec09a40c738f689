//! Behaviors that choose one of several children: by priority, repeatedly or once, or at random.

use super::pace::Pace;
use super::renew::Renewal;
use super::{Answer, Conduct, Desk, NOBODY};
use crate::model::{Child, Kind};
use crate::world::{Blackboard, Rooms};
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_types::Value;

/// Runs the first child that wants to run; with `interrupt`, a more important one takes over in any tick.
pub(crate) struct Priority {
    paces: Vec<Pace>,
    interrupt: bool,
    current: Option<usize>,
}

impl Priority {
    pub(crate) fn new(children: &[Child], interrupt: bool, rooms: &mut Rooms) -> Self {
        Self { paces: Pace::of(children, rooms), interrupt, current: None }
    }

    /// Activates a child that is more important than the one that runs, if one wants to run.
    fn choose(&mut self, desk: &mut Desk<'_, '_>) {
        let until = match self.current {
            None => self.paces.len(),
            Some(current) if self.interrupt => current,
            Some(_) => return,
        };
        for child in 0..until {
            if !self.paces[child].may_run(desk.cx, &desk.blackboard.open()) || desk.ask(child) != Answer::Yes {
                continue;
            }
            if let Some(old) = self.current.take() {
                // The request is refused only if the behavior is ending.
                let _ = desk.cx.cancel_delegates();
                self.paces[old].ended(desk.cx, &mut desk.blackboard.open());
            }
            if desk.cx.delegate_to(desk.ids[child]).is_ok() {
                self.paces[child].started(desk.cx, &mut desk.blackboard.open());
                self.current = Some(child);
                return;
            }
        }
    }
}

impl Conduct for Priority {
    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        self.current = None;
        self.paces.iter_mut().for_each(Pace::parent_begins);
        self.choose(desk);
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        self.choose(desk);
    }

    fn ended(&mut self, desk: &mut Desk<'_, '_>, _: Ticket, _: &End) {
        if let Some(old) = self.current.take() {
            self.paces[old].ended(desk.cx, &mut desk.blackboard.open());
        }
        self.choose(desk);
    }

    fn over(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, _: &End) {
        if let Some(old) = self.current.take() {
            self.paces[old].ended(cx, &mut blackboard.open());
        }
    }

    /// If the child that runs is not its child any more, it chooses again.
    fn may_renew(&self, _: &Renewal, _: bool) -> bool {
        true
    }

    fn renew(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let Kind::Priority { children, interrupt } = &with.new.kind else { return };
        Pace::renew(&mut self.paces, children, with, &mut blackboard.open());
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
    pub(crate) fn new(children: &[Child], by_chance: bool, rooms: &mut Rooms) -> Self {
        Self { paces: Pace::of(children, rooms), by_chance, current: None }
    }

    fn choose(&mut self, desk: &mut Desk<'_, '_>) {
        let (mut loading, mut willing) = (false, Vec::new());
        for child in 0..self.paces.len() {
            if !self.paces[child].may_run(desk.cx, &desk.blackboard.open()) {
                continue;
            }
            match desk.ask(child) {
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
        let drawn = if self.by_chance { self.draw(&willing, desk.cx) } else { willing.first().copied() };
        match drawn.filter(|child| desk.cx.delegate_to(desk.ids[*child]).is_ok()) {
            Some(child) => {
                self.paces[child].started(desk.cx, &mut desk.blackboard.open());
                self.current = Some(child);
            }
            None => desk.fail(NOBODY),
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

impl Conduct for Once {
    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        self.current = None;
        self.paces.iter_mut().for_each(Pace::parent_begins);
        self.choose(desk);
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        if self.current.is_none() {
            self.choose(desk);
        }
    }

    fn ended(&mut self, desk: &mut Desk<'_, '_>, _: Ticket, end: &End) {
        desk.end_as(end);
    }

    fn over(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, _: &End) {
        if let Some(old) = self.current.take() {
            self.paces[old].ended(cx, &mut blackboard.open());
        }
    }

    fn renew(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let (Kind::Selector(children) | Kind::Random(children)) = &with.new.kind else { return };
        Pace::renew(&mut self.paces, children, with, &mut blackboard.open());
        self.current = self.current.and_then(|current| with.moved[current]);
    }
}
