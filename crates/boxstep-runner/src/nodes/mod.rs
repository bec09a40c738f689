//! The behaviors of a character at run time: each is one behavior of the runner.

mod choose;
mod decide;
mod leaf;
mod machine;
mod order;
mod pace;
mod parallel;
pub(crate) mod renew;
mod script;

use crate::conditions::LiveCondition;
use crate::messages::{self, LastEmitted};
use crate::model::{Character, Do, Kind, Node};
use crate::world::{Blackboard, Natives, SharedState};
use boxstep_engine::runner::{
    Behavior, BehaviorId, BehaviorRunner, Control, Delegates, End, News, Plan, Ticket, Wants, WhyNot,
};
use boxstep_engine::trace::ConditionResult;
use boxstep_types::Value;
use renew::{Renewal, children, declare};
use std::any::Any;
use std::sync::Arc;

/// The logic of one kind of behavior; [`Member`] has what all kinds share.
pub(crate) trait NodeLogic: Send {
    /// Called shortly after the behavior was created.
    fn init(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// The behavior has entered scope.
    fn enter(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard) {
        let _ = (cx, blackboard);
    }

    /// [`Behavior::hosted`]
    fn hosted(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// Called in each tick in which the behavior is in scope and not active.
    fn idle(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// Returns whether the behavior wants to run, as far as its kind decides that.
    fn wants(&self, cx: &mut Control<'_>, blackboard: &Blackboard) -> bool {
        let _ = (cx, blackboard);
        true
    }

    /// The behavior was activated.
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, value: &Value);

    /// Called in each tick in which the behavior is active.
    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        let _ = node;
    }

    /// Returns whether the other robot on which the behavior acts is there, if it acts on another one.
    fn absence(&self, shared: &mut SharedState) -> Option<ConditionResult> {
        let _ = shared;
        None
    }

    /// Returns the conditions that the behavior watches, with their results.
    fn watched(&self, cx: &Control<'_>, shared: &mut SharedState) -> Vec<ConditionResult> {
        let _ = (cx, shared);
        Vec::new()
    }

    /// A child has ended.
    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, ticket: Ticket, end: &End) {
        let _ = (node, ticket, end);
    }

    /// The behavior has lost control.
    fn over(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, end: &End) {
        let _ = (cx, blackboard, end);
    }

    /// The behavior has left scope.
    fn leave(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard) {
        let _ = (cx, blackboard);
    }

    /// Returns whether an active behavior can continue as another version of the character defines it. `lost`: a child
    /// that runs is not its child any more.
    fn may_renew(&self, with: &Renewal, lost: bool) -> bool {
        let _ = with;
        !lost
    }

    /// Continues as another version of the character defines the behavior.
    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let _ = (cx, blackboard, with);
    }

    /// [`Behavior::settled`]
    fn settled(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard) -> bool {
        let _ = (cx, blackboard);
        true
    }

    /// [`Behavior::forced`]
    fn forced(&mut self, blackboard: &Blackboard) {
        let _ = blackboard;
    }
}

/// The answer of a child that is offered control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// The child is still entering scope.
    Loading,
}

/// The state that [`NodeLogic`] works with while its behavior is active.
pub(crate) struct ActiveNode<'d, 'r> {
    pub(crate) cx: &'d mut Control<'r>,
    pub(crate) blackboard: &'d Blackboard,
    /// The children, in the order of the file, where one may occur more than once.
    pub(crate) ids: &'d [BehaviorId],
}

impl ActiveNode<'_, '_> {
    pub(crate) fn ask(&mut self, child: usize) -> Answer {
        let answer = self.cx.ask(self.ids[child]);
        if let (Ok(wants), true) = (answer, self.cx.tells()) {
            self.blackboard.lock().emit_answer(self.ids[child], wants, self.cx);
        }
        match answer {
            Ok(Wants::Yes) => Answer::Yes,
            Ok(Wants::No(WhyNot::Loading)) => Answer::Loading,
            Ok(Wants::No(_)) | Err(_) => Answer::No,
        }
    }

    /// Asks a child, and gives it control if it wants to run.
    pub(crate) fn offer(&mut self, child: usize) -> Answer {
        match self.ask(child) {
            Answer::Yes if self.cx.delegate_to(self.ids[child]).is_ok() => Answer::Yes,
            Answer::Yes => Answer::No,
            other => other,
        }
    }

    // A request to end is refused only if the behavior is ending already.

    pub(crate) fn done(&mut self, value: Value) {
        let _ = self.cx.complete(value);
    }

    pub(crate) fn fail(&mut self, why: impl Into<Arc<str>>) {
        let _ = self.cx.fail(why);
    }

    /// Ends with the end of a child.
    pub(crate) fn end_as(&mut self, end: &End) {
        match end {
            End::Done(value) => self.done(value.clone()),
            End::Failed(why) => self.fail(why.clone()),
            End::Cancelled(_) => {
                let _ = self.cx.cancel_self();
            }
        }
    }
}

/// Why a behavior that needs a child fails.
pub(crate) const NOBODY: &str = "no child wants to run";

/// A behavior of a character.
pub(crate) struct Member {
    name: Arc<str>,
    number: usize,
    blackboard: Blackboard,
    when: Option<LiveCondition>,
    /// The names of its children; `ids` are their numbers, once they are known.
    children: Vec<Arc<str>>,
    ids: Vec<BehaviorId>,
    together: bool,
    claims: Vec<Arc<str>>,
    silences: Vec<usize>,
    timer_at_start: Option<(usize, Arc<str>)>,
    timer_at_end: Option<(usize, Arc<str>)>,
    wants_emitted: LastEmitted,
    watches_emitted: LastEmitted,
    logic: Box<dyn NodeLogic>,
}

/// Makes the behaviors of a character. Returns also the indices of those that are left out, because they are unbound
/// natives.
pub(crate) fn plan(character: &Character, blackboard: &Blackboard, natives: &Natives) -> (Plan, Vec<usize>) {
    let (mut plan, mut unbound) = (Plan::new(), Vec::new());
    blackboard.lock().plan = messages::plan(character);
    for (number, node) in character.behaviors.iter().enumerate() {
        match Member::new(node, blackboard, natives) {
            Some(member) => drop(plan.add(node.name.clone(), member)),
            None => unbound.push(number),
        }
    }
    (plan, unbound)
}

/// Returns the logic of a behavior; `None` for an unbound native.
fn logic(node: &Node, blackboard: &Blackboard, natives: &Natives) -> Option<Box<dyn NodeLogic>> {
    let shared = &mut *blackboard.lock();
    Some(match &node.kind {
        Kind::Priority { children, interrupt } => Box::new(choose::Priority::new(children, *interrupt, shared)),
        Kind::Selector(children) => Box::new(choose::Once::new(children, false, shared)),
        Kind::Random(children) => Box::new(choose::Once::new(children, true, shared)),
        Kind::Queue(children) => Box::new(order::Order::new(order::ChildRule::Queue, children, shared)),
        Kind::Sequence { children, resume, resume_stopped } => {
            Box::new(order::Order::new(order::ChildRule::Sequence, children, shared).resuming(*resume, *resume_stopped))
        }
        Kind::Fallback(children) => Box::new(order::Order::new(order::ChildRule::Fallback, children, shared)),
        Kind::Repeat(_, times) => Box::new(order::Repeat::new(*times, false)),
        Kind::Retry(_, times) => Box::new(order::Repeat::new(*times, true)),
        Kind::Pass { until, fails, .. } => {
            Box::new(order::Pass::new(until.as_ref().map(|until| LiveCondition::new(until, shared)), *fails))
        }
        Kind::Outcome(_, counts) => Box::new(decide::Outcome::new(*counts)),
        Kind::Once(_, again) => Box::new(decide::OnceInRun::new(*again)),
        Kind::If { test, otherwise, watch, .. } => {
            Box::new(decide::If::new(LiveCondition::new(test, shared), otherwise.is_some(), *watch))
        }
        Kind::Check(test) => Box::new(decide::Check(LiveCondition::new(test, shared))),
        Kind::Parallel { children, success, failure, whole } => {
            Box::new(parallel::Parallel::new(children.len(), *success, *failure, *whole))
        }
        Kind::Machine(machine) => Box::new(machine::States::new(machine, shared)),
        Kind::Wait { seconds, jitter, fails } => Box::new(leaf::Wait::new(*seconds, *jitter, *fails)),
        Kind::Hear(pattern) => Box::new(leaf::Hear::new(pattern, shared)),
        Kind::Do(what) => Box::new(leaf::Leaf::new(what.clone())),
        Kind::Native(name, args) => Box::new(leaf::NativeLeaf(natives.0.get(name)?(args))),
        // Without a script host, the class is an action of the world.
        Kind::Script(class, args, _) if natives.1.is_none() => {
            Box::new(leaf::Leaf::new(Do::Script(class.clone(), args.clone())))
        }
        Kind::Script(_, _, children) => Box::new(script::Script::new(shared.member_number(&node.name), children)),
    })
}

impl Member {
    /// Creates the behavior; `None` for an unbound native.
    pub(crate) fn new(node: &Node, blackboard: &Blackboard, natives: &Natives) -> Option<Self> {
        let logic = logic(node, blackboard, natives)?;
        let shared = &mut *blackboard.lock();
        Some(Self {
            name: node.name.clone(),
            number: shared.member_number(&node.name),
            blackboard: blackboard.clone(),
            when: node.when.as_ref().map(|when| LiveCondition::new(when, shared)),
            children: children(node),
            ids: Vec::new(),
            together: matches!(node.kind, Kind::Parallel { .. }),
            claims: node.claims.clone(),
            silences: node.silences.iter().map(|named| shared.member_number(&named.name)).collect(),
            timer_at_start: node.timer_at_start.as_ref().map(|name| (shared.timer_number(name), name.clone())),
            timer_at_end: node.timer_at_end.as_ref().map(|name| (shared.timer_number(name), name.clone())),
            wants_emitted: LastEmitted::default(),
            watches_emitted: LastEmitted::default(),
            logic,
        })
    }

    fn declares(&self, all: &mut Delegates) {
        declare(&self.children, self.together, &self.claims, all);
    }

    fn find_children(&mut self, cx: &mut Control<'_>) {
        // The delegates are the children in the same order, unless a child occurs more than once.
        let delegates = cx.delegates();
        self.ids = match delegates.len() == self.children.len() {
            true => delegates.to_vec(),
            false => self.children.iter().filter_map(|name| cx.find(name)).collect(),
        };
    }

    fn with(&mut self, cx: &mut Control<'_>, f: impl FnOnce(&mut dyn NodeLogic, &mut ActiveNode<'_, '_>)) {
        f(&mut *self.logic, &mut ActiveNode { cx, blackboard: &self.blackboard, ids: &self.ids });
    }

    fn is_silenced(&self) -> bool {
        !self.blackboard.lock().silenced[self.number].is_empty()
    }

    fn begins(&self, timer: Option<&(usize, Arc<str>)>, cx: &mut Control<'_>) {
        if let Some((number, name)) = timer {
            self.blackboard.lock().timers[*number] = Some(cx.now());
            messages::emit_timer(name, cx);
        }
    }
}

impl Behavior for Member {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.find_children(cx);
        if let Some(when) = &mut self.when {
            when.init(cx);
        }
        self.logic.init(cx);
    }

    fn hosted(&mut self, cx: &mut Control<'_>) {
        self.logic.hosted(cx);
    }

    fn entered_scope(&mut self, cx: &mut Control<'_>) {
        if let Some(when) = &mut self.when {
            when.switch_on(cx, &mut self.blackboard.lock());
        }
        self.logic.enter(cx, &self.blackboard);
    }

    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        let mut shared = self.blackboard.lock();
        for &silent in &self.silences {
            shared.silenced[silent].push(self.name.clone());
        }
        drop(shared);
        self.begins(self.timer_at_start.as_ref(), cx);
        self.with(cx, |logic, node| logic.begin(node, value));
    }

    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        self.logic.over(cx, &self.blackboard, end);
        self.begins(self.timer_at_end.as_ref(), cx);
        self.watches_emitted.forget();
        let mut shared = self.blackboard.lock();
        if shared.explains {
            shared.set_watched(&self.name, Vec::new());
        }
        for &silent in &self.silences {
            if let Some(at) = shared.silenced[silent].iter().position(|name| *name == self.name) {
                shared.silenced[silent].remove(at);
            }
        }
    }

    fn left_scope(&mut self, cx: &mut Control<'_>) {
        if let Some(when) = &mut self.when {
            when.switch_off();
        }
        self.wants_emitted.forget();
        let mut shared = self.blackboard.lock();
        if shared.explains {
            shared.set_factors(&self.name, None);
        }
        drop(shared);
        self.logic.leave(cx, &self.blackboard);
    }

    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        let mut shared = self.blackboard.lock();
        // A behavior that had to wait for others was wanted under the conditions of that time: a touch is over before a
        // dance has wound down.
        let wanted = cx.has_waited() || self.when.as_ref().is_none_or(|when| when.holds(cx, &mut shared));
        let may = wanted && shared.silenced[self.number].is_empty();
        drop(shared);
        may && self.logic.wants(cx, &self.blackboard)
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        if let Some(when) = &mut self.when {
            let mut shared = self.blackboard.lock();
            when.update(cx, &mut shared);
            if shared.explains {
                let factor = when.result(cx, &mut shared);
                shared.set_factors(&self.name, Some(factor));
            }
        }
        if cx.tells() {
            let shared = &mut *self.blackboard.lock();
            messages::emit_plan(cx, shared);
            let there = self.logic.absence(shared);
            self.wants_emitted.emit_wants(self.number, (self.when.as_ref(), there), cx, shared);
        }
        if !cx.is_active() {
            self.logic.idle(cx);
            return;
        }
        if self.is_silenced() {
            // A cancellation is refused only if the behavior is ending already.
            let _ = cx.cancel_self();
            return;
        }
        let mut shared = self.blackboard.lock();
        if shared.explains || cx.tells() {
            let watched = self.logic.watched(cx, &mut shared);
            if cx.tells() {
                self.watches_emitted.emit_watches(self.number, &watched, cx, &mut shared);
            }
            if shared.explains {
                shared.set_watched(&self.name, watched);
            }
        }
        drop(shared);
        self.with(cx, |logic, node| logic.update(node));
    }

    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, ticket: Ticket, end: &End) {
        self.with(cx, |logic, node| logic.ended(node, ticket, end));
    }

    fn all_delegates(&self, all: &mut Delegates) {
        self.declares(all);
    }

    fn may_renew(&self, news: &(dyn Any + Send), lost: &[BehaviorId]) -> bool {
        news.downcast_ref::<Renewal>().is_some_and(|renewal| {
            // The end of the behavior undoes its claims and silences, so they must not change while it is active.
            renewal.new.claims == renewal.old.claims
                && renewal.new.silences == renewal.old.silences
                && self.logic.may_renew(renewal, !lost.is_empty())
        })
    }

    fn replanned(&mut self, cx: &mut Control<'_>, news: Option<News>) {
        if let Some(renewal) = news.and_then(|news| news.downcast::<Renewal>().ok()) {
            self.renew(cx, &renewal);
        }
        self.find_children(cx);
    }

    fn settled(&mut self, cx: &mut Control<'_>) -> bool {
        self.logic.settled(cx, &self.blackboard)
    }

    fn forced(&mut self, _: &mut Control<'_>) {
        self.logic.forced(&self.blackboard);
    }
}
