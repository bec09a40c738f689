//! What a character tells in a trace, so that "why does it not run?" has an answer afterwards: who is in it, what its conditions have
//! found, who was asked, what cools down. `docs/trace.md` has the lines and what they cost.
//!
//! Nothing of this is found out while nobody reads: [`Control::tells`].

use crate::conditions::Live;
use crate::model::Character;
use crate::world::{Factor, Rooms};
use boxstep_engine::runner::{BehaviorId, Control, Wants, WhyNot};
use boxstep_engine::trace::Delegation;
use boxstep_types::{Time, Value};
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
        let value = when.map(|when| when.factor(cx, rooms).value());
        let how = Some(if holds && !silent { "yes" } else { "no" });
        cx.tell(Delegation { what: "wants", how, why, value, ..Delegation::default() });
    }

    /// Tells what a running behavior watches, if another part of that is true than when it was told last.
    pub(crate) fn watches(&mut self, of: usize, factors: &[Factor], cx: &mut Control<'_>, rooms: &mut Rooms) {
        self.now.clear();
        factors.iter().for_each(|factor| factor.truths(&mut self.now));
        if !factors.is_empty() && self.takes(of, cx.now(), rooms) {
            let value = Some(Value::list(factors.iter().map(Factor::value)));
            cx.tell(Delegation { what: "watches", value, ..Delegation::default() });
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
            Wants::Yes => ("yes", None),
            Wants::No(WhyNot::Taken(number)) => {
                let runner = cx.runner();
                let holder = runner.holder(number, cx.id()).map_or("another one", |of| runner.name(of));
                ("no", Some(format!("{holder} has {}", runner.resource(number)).into()))
            }
            Wants::No(why) => ("no", Some(why.to_string().into())),
        };
        cx.tell(Delegation { what: "asked", to, how: Some(how), why, ..Delegation::default() });
    }
}

impl Factor {
    /// As a trace has it.
    pub(crate) fn value(&self) -> Value {
        let mut pairs = vec![("what", Value::from(self.what.as_str()))];
        if !self.found.is_empty() {
            pairs.push(("found", self.found.as_str().into()));
        }
        pairs.push(("holds", self.holds.into()));
        if !self.parts.is_empty() {
            pairs.push(("parts", Value::list(self.parts.iter().map(Factor::value))));
        }
        Value::map(pairs)
    }

    fn truths(&self, into: &mut Vec<bool>) {
        into.push(self.holds);
        self.parts.iter().for_each(|part| part.truths(into));
    }
}

/// Tells who is in the character, if that was not told.
pub(crate) fn told_plan(cx: &mut Control<'_>, rooms: &mut Rooms) {
    if let Some(value) = rooms.plan.take() {
        cx.tell(Delegation { what: "plan", value: Some(value), ..Delegation::default() });
    }
}

/// A named timer has begun.
pub(crate) fn timer(name: &Arc<str>, cx: &mut Control<'_>) {
    if cx.tells() {
        cx.tell(Delegation { what: "timer", to: vec![name.clone()], ..Delegation::default() });
    }
}

/// Who is in a character: for each behavior what it is, its children, and what stands in the way of others. `None` for more
/// than [`MOST_LISTED`] behaviors.
pub(crate) fn plan(character: &Character) -> Option<Value> {
    if character.behaviors.len() > MOST_LISTED {
        return None;
    }
    let texts = |texts: &mut dyn Iterator<Item = &Arc<str>>| Value::list(texts.map(|text| Value::Str(text.clone())));
    Some(Value::map(character.behaviors.iter().map(|node| {
        let mut pairs = vec![("is", Value::from(node.kind.word()))];
        let children = node.kind.children();
        if !children.is_empty() {
            pairs.push(("children", texts(&mut children.iter().map(|child| &child.to.name))));
        }
        if !node.claims.is_empty() {
            pairs.push(("claims", texts(&mut node.claims.iter())));
        }
        (node.name.clone(), Value::map(pairs))
    })))
}
