//! Services written in Python, a robot's and those that scripts have registered: the script host runs their methods as
//! tasks.

use crate::context::Context;
use crate::graph::Graph;
use crate::protocol::{CallId, CallbackId, Order, ScriptError};
use crate::services::{Ask, ServiceError};
use crate::tasks::{NewTask, Role, Tasks};
use boxstep_types::Value;

impl Tasks {
    /// Queues a call of a method of the robot, or a script of a topic.
    pub(crate) fn call_robot(&mut self, cx: &mut Context, graph: &Graph, ask: Ask) {
        let is_script = *ask.service == *Ask::SCRIPT;
        let callback = if is_script { CallbackId::TOPIC_SCRIPT } else { CallbackId::ROBOT };
        self.call_python(cx, graph, callback, Role::Robot(ask.number), ask);
    }

    /// Queues a call of a method of a service that a script has registered.
    pub(crate) fn call_script_service(&mut self, cx: &mut Context, graph: &Graph, call: CallId, ask: Ask) {
        self.call_python(cx, graph, CallbackId::SCRIPT_SERVICES, Role::Service(call), ask);
    }

    fn call_python(&mut self, cx: &mut Context, graph: &Graph, callback: CallbackId, role: Role, ask: Ask) {
        let Ask { service, method, args, .. } = ask;
        let what = format!("{service}.{method}").into();
        let args = vec![Value::Str(service), Value::Str(method), Value::List(args.into())];
        let order = Order::Deliver { callback, args };
        self.add_task(cx, graph, NewTask { role, order, owner: None, place: None, life: 0, what });
    }
}

/// Converts the result of a method's task to the result of the call. The Python side returns how the call went: with a
/// value, with no such service or method, or with an exception as text for people.
pub(crate) fn answer(said: Result<Value, ScriptError>) -> Result<Value, ServiceError> {
    match said.as_ref().map(|said| said.as_list().unwrap_or_default()) {
        Ok([Value::Str(how), value]) if **how == *"value" => Ok(value.clone()),
        Ok([Value::Str(how), _]) if **how == *"missing" => Err(ServiceError::NoMethod),
        Ok([Value::Str(how), _]) if **how == *"no service" => Err(ServiceError::NoService),
        Ok([_, Value::Str(why)]) => Err(ServiceError::Failed(why.to_string())),
        Ok(_) => Err(ServiceError::Failed("it was ended with the run".to_owned())),
        Err(error) => Err(ServiceError::Failed(error.to_string())),
    }
}
