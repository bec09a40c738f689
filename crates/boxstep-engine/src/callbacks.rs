//! Listeners that are notified of events in a run, and the procedures that wait for their return.
//!
//! This module only keeps the tables: the engine calls the listeners, as work of its own.

use crate::context::Cause;
use crate::ids::{BoxId, DiagramId, ProcId};
use crate::protocol::TaskId;
use boxstep_types::Value;
use std::collections::HashMap;

/// The kind of event that a listener subscribes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum On {
    Load(BoxId),
    Unload(BoxId),
    /// The boxes of a state are loaded, and its links are active.
    DiagramLoad(DiagramId),
    /// The links of a state are inactive, and its boxes are still loaded.
    DiagramUnload(DiagramId),
    /// A state of the box's state machine has been entered.
    NewState(BoxId),
    /// The timeline of the box has reached its end.
    End(BoxId),
    Output(BoxId, u16),
    /// An input; signals on the fast path between native boxes do not notify it.
    Input(BoxId, u16),
}

/// The data of an event.
#[derive(Clone, Debug)]
pub(crate) enum CallbackEvent {
    /// No data.
    Plain,
    /// The state that was entered: the box of its state machine, and the state's number.
    State(BoxId, usize),
    /// The value at the port.
    Port(Value),
}

/// A notification in the queue.
pub(crate) struct Notification {
    pub(crate) on: On,
    pub(crate) event: CallbackEvent,
    /// The procedure that waits until every listener has been called.
    pub(crate) proc: Option<ProcId>,
    pub(crate) cause: Cause,
}

enum Slot<F> {
    Here(F),
    /// The function is being called.
    Away,
    Removed,
}

/// The listeners, by number and by the event that they subscribe to.
pub(crate) struct Callbacks<F> {
    of: HashMap<On, Vec<u32>>,
    slots: Vec<Slot<F>>,
    /// Calls of functions in a script host that the current notification has begun.
    begun: Vec<TaskId>,
    /// Procedures, each with the calls whose return it waits for.
    waiting: Vec<(ProcId, Vec<TaskId>)>,
}

impl<F> Default for Callbacks<F> {
    fn default() -> Self {
        Self { of: HashMap::new(), slots: Vec::new(), begun: Vec::new(), waiting: Vec::new() }
    }
}

impl<F> Callbacks<F> {
    /// Returns whether the event has a listener.
    pub(crate) fn listens(&self, on: On) -> bool {
        !self.of.is_empty() && self.of.contains_key(&on)
    }

    /// Adds a listener and returns its number.
    pub(crate) fn add(&mut self, on: On, function: F) -> u32 {
        let index = self.slots.len() as u32;
        self.slots.push(Slot::Here(function));
        self.of.entry(on).or_default().push(index);
        index
    }

    /// Removes a listener. Returns false if it has been removed before.
    pub(crate) fn remove(&mut self, index: u32) -> bool {
        let known = self.of.values().any(|all| all.contains(&index));
        self.of.retain(|_, all| {
            all.retain(|i| *i != index);
            !all.is_empty()
        });
        if let Some(slot) = self.slots.get_mut(index as usize) {
            *slot = Slot::Removed;
        }
        known
    }

    /// The listeners of an event, in the order in which they were added.
    pub(crate) fn listeners(&self, on: On) -> Vec<u32> {
        self.of.get(&on).cloned().unwrap_or_default()
    }

    /// Takes a function out for its call. `None` if it has been removed, or is being called.
    pub(crate) fn take(&mut self, index: u32) -> Option<F> {
        let slot = self.slots.get_mut(index as usize)?;
        match std::mem::replace(slot, Slot::Away) {
            Slot::Here(function) => Some(function),
            Slot::Away | Slot::Removed => {
                *slot = Slot::Removed;
                None
            }
        }
    }

    /// Puts a function back after its call, unless the call has removed it.
    pub(crate) fn put_back(&mut self, index: u32, function: F) {
        if let Some(slot @ Slot::Away) = self.slots.get_mut(index as usize) {
            *slot = Slot::Here(function);
        }
    }

    /// Records that the current notification has begun a call of a function in a script host.
    pub(crate) fn begin_call(&mut self, task: TaskId) {
        self.begun.push(task);
    }

    /// Ends the current notification. Returns true if its procedure need not wait; otherwise it waits for the calls
    /// that were begun.
    pub(crate) fn delivered(&mut self, proc: Option<ProcId>) -> bool {
        let begun = std::mem::take(&mut self.begun);
        match proc {
            Some(_) if begun.is_empty() => true,
            Some(proc) => {
                self.waiting.push((proc, begun));
                false
            }
            None => false,
        }
    }

    /// Records that a task has ended. Returns the procedures for which it was the last call.
    pub(crate) fn call_ended(&mut self, task: TaskId) -> Vec<ProcId> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let mut over = Vec::new();
        self.waiting.retain_mut(|(proc, calls)| {
            calls.retain(|call| *call != task);
            if calls.is_empty() {
                over.push(*proc);
            }
            !calls.is_empty()
        });
        over
    }

    /// Releases the selected procedures from waiting, and returns them.
    pub(crate) fn give_up(&mut self, which: impl Fn(ProcId) -> bool) -> Vec<ProcId> {
        let all = std::mem::take(&mut self.waiting);
        let (left, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|(proc, _)| which(*proc));
        self.waiting = kept;
        left.into_iter().map(|(proc, _)| proc).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ON: On = On::Load(BoxId(1));
    const PROC: ProcId = ProcId { index: 3, generation: 0 };

    #[test]
    fn functions_are_called_in_the_order_in_which_they_came() {
        let mut callbacks = Callbacks::default();
        let numbers: Vec<u32> = ["a", "b", "c"].map(|name| callbacks.add(ON, name)).into();
        assert_eq!(callbacks.listeners(ON), numbers);
        assert!(callbacks.remove(numbers[1]));
        assert!(!callbacks.remove(numbers[1]));
        assert_eq!(callbacks.listeners(ON), [numbers[0], numbers[2]]);
        assert!(!callbacks.listens(On::Unload(BoxId(1))));
    }

    #[test]
    fn a_function_that_is_removed_by_its_own_call_is_not_put_back() {
        let mut callbacks = Callbacks::default();
        let index = callbacks.add(ON, "a");
        assert_eq!(callbacks.take(index), Some("a"));
        assert_eq!(callbacks.take(index), None, "while it is being called");
        let other = callbacks.add(ON, "b");
        assert_eq!(callbacks.take(other), Some("b"));
        callbacks.remove(other);
        callbacks.put_back(other, "b");
        assert_eq!(callbacks.take(other), None);
    }

    #[test]
    fn a_procedure_waits_for_the_last_call() {
        let mut callbacks = Callbacks::<()>::default();
        assert!(callbacks.delivered(Some(PROC)), "nothing was begun");
        callbacks.begin_call(TaskId(1));
        callbacks.begin_call(TaskId(2));
        assert!(!callbacks.delivered(Some(PROC)));
        assert!(callbacks.call_ended(TaskId(2)).is_empty());
        assert_eq!(callbacks.call_ended(TaskId(1)), [PROC]);
        assert!(callbacks.call_ended(TaskId(1)).is_empty());
    }

    #[test]
    fn who_is_given_up_waits_no_longer() {
        let mut callbacks = Callbacks::<()>::default();
        callbacks.begin_call(TaskId(1));
        callbacks.delivered(Some(PROC));
        assert!(callbacks.give_up(|_| false).is_empty());
        assert_eq!(callbacks.give_up(|proc| proc == PROC), [PROC]);
        assert!(callbacks.call_ended(TaskId(1)).is_empty());
    }
}
