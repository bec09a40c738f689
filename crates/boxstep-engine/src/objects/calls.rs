//! The engine's side of callbacks.
//!
//! The engine calls callbacks as separate work, in the order of their events, never from within a call of its
//! interface. A load or unload continues once its callbacks have returned.

use super::{BoxId as Handle, Cx, ListenerId, StateId};
use crate::Engine;
use crate::callbacks::{CallbackEvent, Callbacks, Notification, On};
use crate::context::Context;
use crate::event_loop::Work;
use crate::fast_path::FastPath;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId, Kept, ProcId};
use crate::procedures::Procs;
use crate::protocol::{Order, TaskId};
use crate::tasks::{NewTask, Role, Tasks};
use boxstep_types::Value;
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a number for a new engine, which tells its handles apart from those of other engines.
pub(crate) fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A callback: it receives the engine and the event.
pub(crate) type Function = Box<dyn FnMut(&mut Cx<'_>, &CallbackEvent) + Send>;

/// The registered callbacks.
pub(crate) type Listeners = Callbacks<Function>;

impl Listeners {
    /// Queues a notification, if a callback is registered for it.
    pub(crate) fn notify(&self, cx: &mut Context, on: On, event: CallbackEvent) {
        if self.listens(on) {
            let cause = cx.cause();
            cx.push(Work::Notify(Box::new(Notification { on, event, proc: None, cause })));
        }
    }

    /// Queues a notification on which a procedure waits until its callbacks have been called. Returns false if none is
    /// registered.
    pub(crate) fn notify_and_wait(&self, cx: &mut Context, on: On, proc: ProcId) -> bool {
        let listens = self.listens(on);
        if listens {
            let (event, cause) = (CallbackEvent::Plain, cx.cause());
            cx.push(Work::Notify(Box::new(Notification { on, event, proc: Some(proc), cause })));
        }
        listens
    }

    pub(crate) fn listen_to(
        &mut self,
        fast_path: &mut FastPath,
        graph: &Graph,
        on: On,
        function: Function,
    ) -> ListenerId {
        let index = self.add(on, function);
        if let On::Output(of, output) = on {
            // On the fast path, signals between native boxes would not reach the callback.
            fast_path.close(of, output);
        }
        ListenerId { engine: graph.number, index }
    }

    /// Registers a function of the script host. Its argument is the value of a port, the state as numbers, or none.
    pub(crate) fn listen_with(&mut self, fast_path: &mut FastPath, graph: &Graph, on: On, kept: Kept) -> ListenerId {
        self.listen_to(
            fast_path,
            graph,
            on,
            Box::new(move |cx, what| {
                let engine = &mut *cx.engine;
                if engine.count_signal(engine.graph.place_path(kept.place), true) {
                    engine.callbacks.begin_callback(&mut engine.cx, &engine.graph, &mut engine.tasks, kept, what);
                }
            }),
        )
    }

    /// Continues the procedures for which the ended task was the last callback.
    #[inline]
    pub(crate) fn callback_returned(&mut self, cx: &mut Context, graph: &Graph, procs: &mut Procs, task: TaskId) {
        for proc in self.call_ended(task) {
            procs.proc_called(cx, graph, proc, true);
        }
    }

    /// Makes the stops of these behaviors wait for no callbacks any more.
    pub(crate) fn abandon_callbacks(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        procs: &mut Procs,
        late: &[BehaviorId],
    ) {
        let mut callbacks = std::mem::take(self);
        let left = callbacks.give_up(|proc| procs.proc_behavior(graph, proc).is_none_or(|b| late.contains(&b)));
        *self = callbacks;
        for proc in left {
            procs.proc_called(cx, graph, proc, true);
        }
    }

    /// Queues a call of a function of the script host for a notification.
    fn begin_callback(&mut self, cx: &mut Context, graph: &Graph, tasks: &mut Tasks, kept: Kept, what: &CallbackEvent) {
        let args = match what {
            CallbackEvent::Plain => Vec::new(),
            CallbackEvent::State(of, index) => {
                vec![Value::list([Value::Int(of.0.into()), Value::Int(i64::try_from(*index).unwrap_or(-1))])]
            }
            CallbackEvent::Port(value) => vec![value.clone()],
        };
        let Kept { callback, place, life } = kept;
        let order = Order::Deliver { callback, args };
        let new = NewTask { role: Role::Callback(callback), order, owner: None, place, life, what: "callback".into() };
        let task = tasks.add_task(cx, graph, new);
        self.begin_call(task);
    }
}

impl Graph {
    pub(crate) fn handle(&self, id: BoxId) -> Handle {
        Handle { engine: self.number, index: id.0 }
    }

    pub(crate) fn state_handle(&self, of: BoxId, index: usize) -> StateId {
        StateId { engine: self.number, of: of.0, index: index as u32 }
    }
}

impl Engine {
    /// Calls the callbacks of a notification, in order.
    pub(crate) fn deliver_notification(&mut self, notification: Notification) {
        let Notification { on, event, proc, cause } = notification;
        for index in self.callbacks.listeners(on) {
            let Some(mut function) = self.callbacks.take(index) else { continue };
            self.cx.begin(cause);
            function(&mut Cx { engine: self }, &event);
            self.callbacks.put_back(index, function);
        }
        if self.callbacks.delivered(proc)
            && let Some(proc) = proc
        {
            self.procs.proc_called(&mut self.cx, &self.graph, proc, true);
        }
    }
}
