//! The ends of tasks: what follows from the result of a script.

use crate::Engine;
use crate::behaviors::Behaviors;
use crate::calls::Calls;
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::Graph;
use crate::ids::BoxId;
use crate::protocol::{ScriptError, TaskId};
use crate::scripts::ScriptTable;
use crate::tasks::{Ended, Role};
use crate::trace::Kind;
use boxstep_format::model::InputNature;
use boxstep_types::Value;

impl Graph {
    /// Returns whether an error comes from a box that is being, or has been, unloaded. The links of the box are
    /// inactive, so the error is only reported.
    fn unloading_call(&self, b: BoxId, task: &Ended) -> bool {
        self.boxes[b.index()].life.generation() != task.life || &*self.name_of_task(Some(b), &task.what) == "onUnload"
    }

    /// Returns whether an error comes from a box that is being stopped. Such an error does not fail the behavior.
    fn stopping_call(&self, b: BoxId, task: &Ended) -> bool {
        let method = self.name_of_task(Some(b), &task.what);
        let stop = |i: &crate::graph::InputPort| i.nature == InputNature::OnStop && i.method == method;
        self.boxes[b.index()].kind.inputs.iter().any(stop)
    }
}

impl ScriptTable {
    /// Handles an uncaught exception.
    fn raised(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        behaviors: &mut Behaviors,
        calls: &Calls,
        task: &Ended,
        error: ScriptError,
    ) {
        match task.role {
            Role::Remake(object) => {
                self.not_constructed(graph, object);
                self.reloads.host_answered(Err(error));
                return;
            }
            Role::Reload => {
                self.reloads.host_answered(Err(error));
                return;
            }
            _ => {}
        }
        let (path, method) = (graph.place_path(task.place), graph.name_of_task(task.place, &task.what));
        cx.trace(path, Kind::Raised { method, error: Box::new(error.clone()) });
        let Some(b) = task.place else { return };
        match task.role {
            Role::Construct(object) => {
                self.not_constructed(graph, object);
                behaviors.fail_behavior(cx, graph, calls, b, error);
            }
            Role::Hook if task.abandoned || graph.unloading_call(b, task) => {}
            Role::Hook => {
                let node = &graph.boxes[b.index()];
                match node.output("onError") {
                    Some(output) => {
                        let text = format!("{}:{}", graph.full_name(&cx.paths, b), error.message);
                        let (life, cause) = (node.life.generation(), cx.cause());
                        let (output, value) = (output as u16, Value::from(text));
                        cx.push(Work::Output { of: b, output, life, cause, value });
                    }
                    None if graph.stopping_call(b, task) => {}
                    None => behaviors.fail_behavior(cx, graph, calls, b, error),
                }
            }
            Role::Load
            | Role::Method
            | Role::Callback(_)
            | Role::Robot(_)
            | Role::Service(_)
            | Role::Behavior(_)
            | Role::Drop(_)
            | Role::Reload
            | Role::Remake(_) => {}
        }
    }
}

impl Engine {
    #[inline]
    pub(crate) fn returned(&mut self, id: TaskId, result: Result<Value, ScriptError>) {
        let Some(task) = self.tasks.end(id) else { return };
        self.cx.begin(task.cause);
        if let Some(place) = task.place {
            self.held_back.let_begin(&mut self.cx, &self.graph, &mut self.tasks, place, false);
        }
        if let Role::Robot(number) = task.role {
            let result = crate::own_robot::answer(result);
            return self.with_services(|s, cx| s.answered(cx, number, result));
        }
        if let Role::Service(call) = task.role {
            return self.complete_call(call, crate::own_robot::answer(result));
        }
        if let Role::Behavior(index) = task.role {
            let result = crate::runner::hook_result(result);
            let next = self.runners.end_hook(&mut self.cx, index, id, task.born, result);
            self.command_thread(index, next);
            return;
        }
        let ok = result.is_ok();
        match result {
            Ok(value) => match task.role {
                Role::Construct(object) | Role::Remake(object) => {
                    self.scripts.constructed(&mut self.cx, &mut self.graph, object, &value)
                }
                Role::Reload => self.scripts.reloads.host_answered(Ok(value)),
                Role::Hook | Role::Method if self.cx.tracer.on() => {
                    let method = self.graph.name_of_task(task.place, &task.what);
                    self.cx.trace(self.graph.place_path(task.place), Kind::Returned { method });
                }
                _ => {}
            },
            Err(error) => {
                self.scripts.raised(&mut self.cx, &mut self.graph, &mut self.behaviors, &self.calls, &task, error)
            }
        }
        if let Role::Drop(object) = task.role {
            self.scripts.forget_object(object);
        }
        if let Some(owner) = task.owner {
            self.procs.proc_called(&mut self.cx, &self.graph, owner, ok);
        }
        self.callbacks.callback_returned(&mut self.cx, &self.graph, &mut self.procs, id);
    }
}
