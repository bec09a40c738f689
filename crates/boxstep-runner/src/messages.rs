//! Trace events of a character, so that "why does it not run?" can be answered afterwards: its behaviors, the results
//! of its conditions, the answers of children, and cooldowns. `docs/trace.md` describes the events and their cost.
//!
//! None of this is computed if nobody reads the trace: [`Control::tells`].

use crate::conditions::Live;
use crate::model::{Character, Node};
use crate::world::Rooms;
use boxstep_engine::runner::{BehaviorId, Control, Wants, WhyNot};
use boxstep_engine::trace::{ConditionResult, DelegationEvent, Plan, PlanEntry, YesNo};
use boxstep_types::Time;
use std::sync::Arc;

/// How many events a behavior may emit about its conditions and answers at the start of the run; one more is allowed
/// for each second of the run.
pub const MOST_AT_ONCE: u64 = 20;
/// The largest number of behaviors for which a trace begins with a list of them.
pub const MOST_LISTED: usize = 1000;

/// The result of a condition that was emitted last.
#[derive(Default)]
pub(crate) struct LastTold {
    /// Whether each part of the condition was true; empty if nothing was emitted.
    truths: Vec<bool>,
    /// A buffer for the current results.
    now: Vec<bool>,
    was_active: bool,
}

impl LastTold {
    /// Makes the next result be emitted.
    pub(crate) fn forget(&mut self) {
        self.truths.clear();
        self.was_active = false;
    }

    /// Returns whether the result has changed since the last event and an event is allowed. If so, the new result
    /// counts as emitted.
    fn takes(&mut self, of: usize, now: Time, rooms: &mut Rooms) -> bool {
        if self.now == self.truths || !rooms.may_tell(of, now) {
            return false;
        }
        std::mem::swap(&mut self.truths, &mut self.now);
        true
    }

    /// Emits why a behavior wants to run or not, if the result of any part has changed since the last event. While the
    /// behavior runs, only the result that gave it control is emitted, because later results have no effect.
    pub(crate) fn wants(&mut self, of: usize, when: Option<&Live>, cx: &mut Control<'_>, rooms: &mut Rooms) {
        let active = cx.is_active();
        if active && std::mem::replace(&mut self.was_active, active) {
            return;
        }
        self.was_active = active;
        // A behavior without a condition has nothing to emit until it was silenced.
        if when.is_none() && self.truths.is_empty() && rooms.silenced[of].is_empty() {
            return;
        }
        self.now.clear();
        let silent = !rooms.silenced[of].is_empty();
        self.now.push(silent);
        let holds = when.is_none_or(|when| when.truths(cx, rooms, &mut self.now));
        if !self.takes(of, cx.now(), rooms) {
            return;
        }
        let why = silent.then(|| format!("silenced by {}", rooms.silenced[of].join(", ")).into());
        let value = when.map(|when| when.factor(cx, rooms));
        cx.tell(DelegationEvent::Wants { how: (holds && !silent).into(), why, value });
    }

    /// Emits the conditions that a running behavior watches, if the result of any part has changed since the last
    /// event.
    pub(crate) fn watches(&mut self, of: usize, found: &[ConditionResult], cx: &mut Control<'_>, rooms: &mut Rooms) {
        self.now.clear();
        found.iter().for_each(|condition| truths(condition, &mut self.now));
        if !found.is_empty() && self.takes(of, cx.now(), rooms) {
            cx.tell(DelegationEvent::Watches { value: found.to_vec() });
        }
    }
}

impl Rooms {
    /// Returns whether a behavior may emit one more event, and counts it.
    pub(crate) fn may_tell(&mut self, of: usize, now: Time) -> bool {
        let Some(lines) = self.lines.get_mut(of) else { return false };
        let may = *lines < MOST_AT_ONCE + u64::try_from(now.0 / 1_000_000_000).unwrap_or(0);
        *lines += u64::from(may);
        may
    }

    /// Emits the answer of a child, if it differs from its last answer.
    pub(crate) fn answered(&mut self, child: BehaviorId, wants: Wants, cx: &mut Control<'_>) {
        let last = self.answers.get(&(cx.id(), child));
        // An active child has events that say so, and will be asked again.
        if last == Some(&wants) || wants == Wants::No(WhyNot::AlreadyActive) {
            return;
        }
        let number = self.known(cx.runner().name(child));
        if !number.is_some_and(|number| self.may_tell(number, cx.now())) {
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
fn truths(condition: &ConditionResult, into: &mut Vec<bool>) {
    into.push(condition.holds);
    condition.parts.iter().for_each(|part| truths(part, into));
}

/// Emits the list of the character's behaviors, once.
pub(crate) fn told_plan(cx: &mut Control<'_>, rooms: &mut Rooms) {
    if let Some(value) = rooms.plan.take() {
        cx.tell(DelegationEvent::Plan { value });
    }
}

/// Emits that a named timer has started.
pub(crate) fn timer(name: &Arc<str>, cx: &mut Control<'_>) {
    if cx.tells() {
        cx.tell(DelegationEvent::Timer { to: vec![name.clone()] });
    }
}

/// Describes the behaviors of a character: the kind of each, its children, and its claims. `None` for more than
/// [`MAX_LISTED_BEHAVIORS`] behaviors.
pub(crate) fn plan(character: &Character) -> Option<Plan> {
    if character.behaviors.len() > MOST_LISTED {
        return None;
    }
    let entry = |node: &Node| PlanEntry {
        is: node.kind.word().into(),
        children: node.kind.children().iter().map(|child| child.to.name.clone()).collect(),
        claims: node.claims.clone(),
    };
    Some(Plan(character.behaviors.iter().map(|node| (node.name.clone(), entry(node))).collect()))
}
