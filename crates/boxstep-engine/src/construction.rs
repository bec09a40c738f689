//! Script objects of boxes: constructed before a behavior loads, and released after its end.

use crate::behaviors::Behaviors;
use crate::context::Context;
use crate::graph::{Body, Graph, Hooks};
use crate::ids::{BoxId, ProcId};
use crate::protocol::{ObjectId, Order, TaskId};
use crate::scripts::ScriptTable;
use crate::tasks::{NewTask, Role, Tasks};
use crate::trace::{BoxPhase, Kind};
use boxstep_types::Value;
use std::sync::Arc;

impl Graph {
    pub(crate) fn note_constructed(&mut self, cx: &mut Context, b: BoxId) {
        let node = &mut self.boxes[b.index()];
        node.constructed = true;
        let path = node.path;
        cx.note(path, Kind::Box { phase: BoxPhase::Constructed });
    }
}

impl Tasks {
    /// Destroys a box that was constructed. Returns the task that releases its script object, if it has one.
    pub(crate) fn destroy_box(&mut self, cx: &mut Context, graph: &mut Graph, me: ProcId, b: BoxId) -> Option<TaskId> {
        let node = &mut graph.boxes[b.index()];
        let (path, object) = (node.path, node.object.take());
        // An object whose constructor never returned is destroyed too.
        if std::mem::take(&mut node.constructed) || object.is_some() {
            cx.note(path, Kind::Box { phase: BoxPhase::Destroyed });
        }
        let object = object?;
        Some(self.add_task(
            cx,
            graph,
            NewTask {
                role: Role::Drop(object),
                order: Order::Drop { object },
                owner: Some(me),
                place: Some(b),
                life: 0,
                what: "__del__".into(),
            },
        ))
    }
}

impl ScriptTable {
    /// Handles a failed construction: the box has no script object.
    pub(crate) fn not_constructed(&mut self, graph: &mut Graph, object: ObjectId) {
        if let Some(b) = self.forget_object(object) {
            graph.boxes[b.index()].object = None;
        }
    }

    /// Handles a successful construction: the object's methods determine which calls the engine makes.
    pub(crate) fn constructed(&self, cx: &mut Context, graph: &mut Graph, object: ObjectId, methods: &Value) {
        let Some(b) = self.box_of(object) else { return };
        let has = |name: &str| methods.as_list().is_some_and(|l| l.iter().any(|m| m.as_str() == Some(name)));
        let node = &mut graph.boxes[b.index()];
        // A constructor that was abandoned may return after its box has been destroyed.
        if node.object != Some(object) {
            return;
        }
        node.hooks = Hooks {
            on_load: has("onLoad"),
            on_unload: has("onUnload"),
            set_parameter: has("setParameter"),
            on_resource: has("onResource"),
            on_resource_error: has("onResourceError"),
            on_resource_lost: has("onResourceLost"),
            del: has("__del__"),
        };
        let handled = node.kind.inputs.iter().map(|i| has(&i.method)).collect();
        graph.set_handled(b, handled);
        graph.note_constructed(cx, b);
    }

    /// Begins the construction of the script object of a box. Returns the task that runs it, to be queued.
    pub(crate) fn construct(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        behaviors: &Behaviors,
        b: BoxId,
        me: ProcId,
        role: fn(ObjectId) -> Role,
    ) -> Option<NewTask> {
        let Body::Script(class) = graph.boxes[b.index()].body else {
            graph.note_constructed(cx, b);
            return None;
        };
        if self.is_broken(class) {
            return None;
        }
        let info = Arc::new(behaviors.box_info(cx, graph, b));
        let object = self.add_object(b);
        graph.boxes[b.index()].object = Some(object);
        let order = Order::Construct { object, class, info };
        let what = "__init__".into();
        Some(NewTask { role: role(object), order, owner: Some(me), place: Some(b), life: 0, what })
    }
}
