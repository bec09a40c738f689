//! What a character tells in a trace, so that "why does it not run?" has an answer afterwards: who is in it, what its conditions have
//! found, who was asked, what cools down. `docs/trace.md` has the lines and what they cost.
//!
//! Nothing of this is found out while nobody reads: [`Control::tells`].

use crate::conditions::Live;
use crate::model::{Character, Node};
use crate::world::Rooms;
use boxstep_engine::runner::{BehaviorId, Control, Wants, WhyNot};
use boxstep_engine::trace::{ConditionResult, DelegationEvent, Plan, PlanEntry, YesNo};
use boxstep_types::Time;
use std::sync::Arc;

/// How many lines a behavior may tell of what its conditions find and of how it answers; and one more for each second of the run.
pub const MOST_AT_ONCE: u64 = 20;
/// Of how many behaviors a trace says beforehand who they are.
pub const MOST_LISTED: usize = 1000;

/// What was told of a condition last.
#[derive(Default)]
pub(crate) struct LastTold {
    /// What was true of it, part by part; nothing was told if there is none.
    truths: Vec<bool>,
    /// To find out what is true now.
    now: Vec<bool>,
    was_active: bool,
}

impl LastTold {
    /// It is to be told anew.
    pub(crate) fn forget(&mut self) {
        self.truths.clear();
        self.was_active = false;
    }

    /// Has what is true changed since it was told, and may that be told? Then it counts as told.
    fn takes(&mut self, of: usize, now: Time, rooms: &mut Rooms) -> bool {
        if self.now == self.truths || !rooms.may_tell(of, now) {
            return false;
        }
        std::mem::swap(&mut self.truths, &mut self.now);
        true
    }

    /// Tells why a behavior wants to run or not, if another part of that is true than when it was told last. Not while it runs: it
    /// is not looked at then; but what gave it control is told.
    pub(crate) fn wants(&mut self, of: usize, when: Option<&Live>, cx: &mut Control<'_>, rooms: &mut Rooms) {
        let active = cx.is_active();
        if active && std::mem::replace(&mut self.was_active, active) {
            return;
        }
        self.was_active = active;
        // Who has no condition has something to tell once it was silenced.
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

    /// Tells what a running behavior watches, if another part of that is true than when it was told last.
    pub(crate) fn watches(&mut self, of: usize, found: &[ConditionResult], cx: &mut Control<'_>, rooms: &mut Rooms) {
        self.now.clear();
        found.iter().for_each(|condition| truths(condition, &mut self.now));
        if !found.is_empty() && self.takes(of, cx.now(), rooms) {
            cx.tell(DelegationEvent::Watches { value: found.to_vec() });
        }
    }
}

impl Rooms {
    /// May a behavior tell one line more? If so, that is counted.
    pub(crate) fn may_tell(&mut self, of: usize, now: Time) -> bool {
        let Some(lines) = self.lines.get_mut(of) else { return false };
        let may = *lines < MOST_AT_ONCE + u64::try_from(now.0 / 1_000_000_000).unwrap_or(0);
        *lines += u64::from(may);
        may
    }

    /// Tells how a child has answered, if it was another answer last time.
    pub(crate) fn answered(&mut self, child: BehaviorId, wants: Wants, cx: &mut Control<'_>) {
        let last = self.answers.get(&(cx.id(), child));
        // One that is active is told as such, and will answer again.
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

/// What is true of a condition, part by part.
fn truths(condition: &ConditionResult, into: &mut Vec<bool>) {
    into.push(condition.holds);
    condition.parts.iter().for_each(|part| truths(part, into));
}

/// Tells who is in the character, if that was not told.
pub(crate) fn told_plan(cx: &mut Control<'_>, rooms: &mut Rooms) {
    if let Some(value) = rooms.plan.take() {
        cx.tell(DelegationEvent::Plan { value });
    }
}

/// A named timer has begun.
pub(crate) fn timer(name: &Arc<str>, cx: &mut Control<'_>) {
    if cx.tells() {
        cx.tell(DelegationEvent::Timer { to: vec![name.clone()] });
    }
}

/// Who is in a character: for each behavior what it is, its children, and what stands in the way of others. `None` for more
/// than [`MOST_LISTED`] behaviors.
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
