//! Functions that are told of what happens.
//!
//! The engine calls them as work of its own, in the order of what they are told of, never from within a call that
//! somebody makes. A load or unload goes on once those who want to know of it have been told.

use super::{BoxId as Handle, Cx, ListenerId, StateId};
use crate::Engine;
use crate::event_loop::Work;
use crate::graph::{BehaviorId, BoxId, DiagramId};
use crate::procedures::ProcId;
use crate::protocol::{CallbackId, Order, TaskId};
use crate::tasks::{NewTask, Role};
use boxstep_types::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// A number for an engine, so that its handles are not taken for those of another.
pub(crate) fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// What a function is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum On {
    Load(BoxId),
    Unload(BoxId),
    /// The boxes of a state are loaded, and its links are active.
    DiagramLoad(DiagramId),
    /// The links of a state are broken, and its boxes are still loaded.
    DiagramUnload(DiagramId),
    /// A state of the box's state machine has been entered.
    NewState(BoxId),
    /// The timeline of the box has come to its end.
    End(BoxId),
    Output(BoxId, u16),
    /// Not on the short way between native boxes.
    Input(BoxId, u16),
}

/// What there is to say of it.
#[derive(Clone, Debug)]
pub(crate) enum Happened {
    It,
    State(BoxId, usize),
    Port(Value),
}

/// Something to tell.
pub(crate) struct Telling {
    on: On,
    what: Happened,
    /// Who waits until everybody has been told.
    proc: Option<ProcId>,
    cause: u64,
}

pub(crate) type Function = Box<dyn FnMut(&mut Cx<'_>, &Happened) + Send>;

enum Slot {
    Here(Function),
    /// It is being called.
    Away,
    Removed,
}

#[derive(Default)]
pub(crate) struct Callbacks {
    of: HashMap<On, Vec<u32>>,
    slots: Vec<Slot>,
    /// Calls of functions that a script host keeps, begun by what is being told.
    begun: Vec<TaskId>,
    /// Procedures that wait until such calls have returned.
    awaited: Vec<(ProcId, Vec<TaskId>)>,
}

/// A function that a script host keeps, or whoever drives the run.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) callback: CallbackId,
    /// The box whose script has asked for the calls, and its life then.
    pub(crate) place: Option<BoxId>,
    pub(crate) life: u32,
}

impl Callbacks {
    /// Somebody wants to know.
    pub(crate) fn hears(&self, on: On) -> bool {
        !self.of.is_empty() && self.of.contains_key(&on)
    }
}

impl Engine {
    pub(crate) fn listen_to(&mut self, on: On, function: Function) -> ListenerId {
        let index = self.callbacks.slots.len() as u32;
        self.callbacks.slots.push(Slot::Here(function));
        self.callbacks.of.entry(on).or_default().push(index);
        if let On::Output(of, output) = on {
            // What native boxes tell each other on the short way nobody else would hear.
            self.fast_path.close(of, output);
        }
        ListenerId { engine: self.number, index }
    }

    /// False if it has been forgotten already.
    pub(crate) fn stop_listening(&mut self, index: u32) -> bool {
        let known = self.callbacks.of.values().any(|all| all.contains(&index));
        self.callbacks.of.retain(|_, all| {
            all.retain(|i| *i != index);
            !all.is_empty()
        });
        if let Some(slot) = self.callbacks.slots.get_mut(index as usize) {
            *slot = Slot::Removed;
        }
        known
    }

    /// Tells those who want to know, in turn.
    pub(crate) fn tell_of(&mut self, on: On, what: Happened) {
        if self.callbacks.hears(on) {
            let cause = self.cause;
            self.work.push_back(Work::Happened(Box::new(Telling { on, what, proc: None, cause })));
        }
    }

    /// The same; the procedure waits until they have been told. False if there is nobody.
    pub(crate) fn tell_and_wait(&mut self, on: On, proc: ProcId) -> bool {
        let wanted = self.callbacks.hears(on);
        if wanted {
            let (what, cause) = (Happened::It, self.cause);
            self.work.push_back(Work::Happened(Box::new(Telling { on, what, proc: Some(proc), cause })));
        }
        wanted
    }

    pub(crate) fn tell_them(&mut self, telling: Telling) {
        for index in self.callbacks.of.get(&telling.on).cloned().unwrap_or_default() {
            let Some(slot) = self.callbacks.slots.get_mut(index as usize) else { continue };
            // One that has been removed by the one before is not called any more.
            let Slot::Here(mut function) = std::mem::replace(slot, Slot::Away) else {
                *slot = Slot::Removed;
                continue;
            };
            self.cause = telling.cause;
            function(&mut Cx { engine: self }, &telling.what);
            let slot = &mut self.callbacks.slots[index as usize];
            if matches!(slot, Slot::Away) {
                *slot = Slot::Here(function);
            }
        }
        let begun = std::mem::take(&mut self.callbacks.begun);
        match telling.proc {
            Some(proc) if begun.is_empty() => self.proc_called(proc, true),
            Some(proc) => self.callbacks.awaited.push((proc, begun)),
            None => {}
        }
    }

    /// Has a function of the script host's called. What it is told is the value of a port, the state as numbers, or
    /// nothing.
    pub(crate) fn listen_with(&mut self, on: On, kept: Kept) -> ListenerId {
        self.listen_to(on, Box::new(move |cx, what| cx.engine.begin_callback(kept, what)))
    }

    fn begin_callback(&mut self, kept: Kept, what: &Happened) {
        if !self.count_signal(self.place_path(kept.place), true) {
            return;
        }
        let args = match what {
            Happened::It => Vec::new(),
            Happened::State(of, index) => {
                vec![Value::list([Value::Int(of.0.into()), Value::Int(i64::try_from(*index).unwrap_or(-1))])]
            }
            Happened::Port(value) => vec![value.clone()],
        };
        let Kept { callback, place, life } = kept;
        let (order, cause) = (Order::Deliver { callback, args }, self.cause);
        let new =
            NewTask { role: Role::Callback(callback), order, owner: None, place, life, what: "callback".into(), cause };
        let task = self.add_task(new);
        self.callbacks.begun.push(task);
    }

    /// A task is over: whoever waits for the last call of a telling goes on.
    pub(crate) fn callback_returned(&mut self, task: TaskId) {
        if self.callbacks.awaited.is_empty() {
            return;
        }
        let mut over = Vec::new();
        self.callbacks.awaited.retain_mut(|(proc, calls)| {
            calls.retain(|call| *call != task);
            if calls.is_empty() {
                over.push(*proc);
            }
            !calls.is_empty()
        });
        for proc in over {
            self.proc_called(proc, true);
        }
    }

    /// The stop of these behaviors waits for no function any more.
    pub(crate) fn leave_callbacks(&mut self, late: &[BehaviorId]) {
        let all = std::mem::take(&mut self.callbacks.awaited);
        let (left, kept): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(proc, _)| self.proc_behavior(*proc).is_none_or(|b| late.contains(&b)));
        self.callbacks.awaited = kept;
        for (proc, _) in left {
            self.proc_called(proc, true);
        }
    }

    pub(crate) fn handle(&self, id: BoxId) -> Handle {
        Handle { engine: self.number, index: id.0 }
    }

    pub(crate) fn state_handle(&self, of: BoxId, index: usize) -> StateId {
        StateId { engine: self.number, of: of.0, index: index as u32 }
    }
}
