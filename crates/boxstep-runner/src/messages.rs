//! Trace events of a character, so that "why does it not run?" can be answered afterwards: its behaviors, the results
//! of its conditions, the answers of children, and cooldowns. `docs/reference/trace.md` describes the events and their cost.
//!
//! None of this is computed if nobody reads the trace: [`Control::tells`].

use crate::conditions::LiveCondition;
use crate::model::{Character, Node};
use crate::world::SharedState;
use boxstep_engine::runner::{BehaviorId, Control, Wants, WhyNot};
use boxstep_engine::trace::{ConditionResult, DelegationEvent, Plan, PlanEntry, YesNo};
use boxstep_types::Time;
use std::sync::Arc;

/// How many events a behavior may emit about its conditions and answers at the start of the run; one more is allowed
/// for each second of the run.
pub const MAX_BURST_EVENTS: u64 = 20;
/// The largest number of behaviors for which a trace begins with a list of them.
pub const MAX_LISTED_BEHAVIORS: usize = 1000;

/// The result of a condition that was emitted last.
#[derive(Default)]
pub(crate) struct LastEmitted {
    /// Whether each part of the condition was true; empty if nothing was emitted.
    results: Vec<bool>,
    /// A buffer for the current results.
    current: Vec<bool>,
    was_active: bool,
}

impl LastEmitted {
    /// Makes the next result be emitted.
    pub(crate) fn forget(&mut self) {
        self.results.clear();
        self.was_active = false;
    }

    /// Returns whether the result has changed since the last event and an event is allowed. If so, the new result
    /// counts as emitted.
    fn record_change(&mut self, of: usize, now: Time, shared: &mut SharedState) -> bool {
        if self.current == self.results || !shared.may_emit(of, now) {
            return false;
        }
        std::mem::swap(&mut self.results, &mut self.current);
        true
    }

    /// Emits why a behavior wants to run or not, if the result of any part has changed since the last event. While the
    /// behavior runs, only the result that gave it control is emitted, because later results have no effect.
    pub(crate) fn emit_wants(
        &mut self,
        of: usize,
        (when, there): (Option<&LiveCondition>, Option<ConditionResult>),
        cx: &mut Control<'_>,
        shared: &mut SharedState,
    ) {
        let active = cx.is_active();
        if active && std::mem::replace(&mut self.was_active, active) {
            return;
        }
        self.was_active = active;
        // A behavior without a condition has nothing to emit until it was silenced.
        if when.is_none() && there.is_none() && self.results.is_empty() && shared.silenced[of].is_empty() {
            return;
        }
        self.current.clear();
        let silent = !shared.silenced[of].is_empty();
        self.current.push(silent);
        let mut holds = when.is_none_or(|when| when.append_results(cx, shared, &mut self.current));
        if let Some(there) = &there {
            self.current.push(there.holds);
            holds &= there.holds;
        }
        if !self.record_change(of, cx.now(), shared) {
            return;
        }
        let why = silent.then(|| format!("silenced by {}", shared.silenced[of].join(", ")).into());
        let value = match (when.map(|when| when.result(cx, shared)), there) {
            (Some(when), Some(there)) => {
                let (what, found) = ("all".to_owned(), String::new());
                Some(ConditionResult { what, found, holds, parts: vec![when, there] })
            }
            (when, there) => when.or(there),
        };
        cx.tell(DelegationEvent::Wants { how: (holds && !silent).into(), why, value });
    }

    /// Emits the conditions that a running behavior watches, if the result of any part has changed since the last
    /// event.
    pub(crate) fn emit_watches(
        &mut self,
        of: usize,
        found: &[ConditionResult],
        cx: &mut Control<'_>,
        shared: &mut SharedState,
    ) {
        self.current.clear();
        found.iter().for_each(|condition| append_results(condition, &mut self.current));
        if !found.is_empty() && self.record_change(of, cx.now(), shared) {
            cx.tell(DelegationEvent::Watches { value: found.to_vec() });
        }
    }
}

impl SharedState {
    /// Returns whether a behavior may emit one more event, and counts it.
    pub(crate) fn may_emit(&mut self, of: usize, now: Time) -> bool {
        let Some(lines) = self.lines.get_mut(of) else { return false };
        let may = *lines < MAX_BURST_EVENTS + u64::try_from(now.0 / 1_000_000_000).unwrap_or(0);
        *lines += u64::from(may);
        may
    }

    /// Emits the answer of a child, if it differs from its last answer.
    pub(crate) fn emit_answer(&mut self, child: BehaviorId, wants: Wants, cx: &mut Control<'_>) {
        let last = self.answers.get(&(cx.id(), child));
        // An active child has events that say so, and will be asked again.
        if last == Some(&wants) || wants == Wants::No(WhyNot::AlreadyActive) {
            return;
        }
        let number = self.find_member(cx.runner().name(child));
        if !number.is_some_and(|number| self.may_emit(number, cx.now())) {
            return;
        }
        self.answers.insert((cx.id(), child), wants);
        let to = vec![cx.runner().name(child).into()];
        let (how, why) = match wants {
            Wants::Yes => (YesNo::Yes, None),
            Wants::No(WhyNot::Taken(number)) => {
                let runner = cx.runner();
                let holder = runner.holder(number, cx.id()).map_or("another one", |of| runner.name(of));
                (YesNo::No, Some(format!("{holder} has {}", runner.resource(number)).into()))
            }
            Wants::No(why) => (YesNo::No, Some(why.to_string().into())),
        };
        cx.tell(DelegationEvent::Asked { to, how, why });
    }
}

/// Appends whether each part of a condition is true.
fn append_results(condition: &ConditionResult, into: &mut Vec<bool>) {
    into.push(condition.holds);
    condition.parts.iter().for_each(|part| append_results(part, into));
}

/// Emits the list of the character's behaviors, once.
pub(crate) fn emit_plan(cx: &mut Control<'_>, shared: &mut SharedState) {
    if let Some(value) = shared.plan.take() {
        cx.tell(DelegationEvent::Plan { value });
    }
}

/// Emits that a named timer has started.
pub(crate) fn emit_timer(name: &Arc<str>, cx: &mut Control<'_>) {
    if cx.tells() {
        cx.tell(DelegationEvent::Timer { to: vec![name.clone()] });
    }
}

/// Describes the behaviors of a character: the kind of each, its children, and its claims. `None` for more than
/// [`MAX_LISTED_BEHAVIORS`] behaviors.
pub(crate) fn plan(character: &Character) -> Option<Plan> {
    if character.behaviors.len() > MAX_LISTED_BEHAVIORS {
        return None;
    }
    let entry = |node: &Node| PlanEntry {
        is: node.kind.word().into(),
        children: node.kind.children().iter().map(|child| child.to.name.clone()).collect(),
        claims: node.claims.clone(),
    };
    Some(Plan(character.behaviors.iter().map(|node| (node.name.clone(), entry(node))).collect()))
}
