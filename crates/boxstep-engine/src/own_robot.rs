//! A robot written in Python: the script host runs its methods as tasks.

use crate::context::Context;
use crate::graph::Graph;
use crate::protocol::{CallbackId, Order, ScriptError};
use crate::services::{Ask, ServiceError};
use crate::tasks::{NewTask, Role, Tasks};
use boxstep_types::Value;

impl Tasks {
    /// Queues a call of a method of the robot, or a script of a topic.
    pub(crate) fn call_robot(&mut self, cx: &mut Context, graph: &Graph, ask: Ask) {
        let Ask { number, service, method, args } = ask;
        let is_script = *service == *Ask::SCRIPT;
        let callback = if is_script { CallbackId::TOPIC_SCRIPT } else { CallbackId::ROBOT };
        let what = format!("{service}.{method}").into();
        let args = vec![Value::Str(service), Value::Str(method), Value::List(args.into())];
        let order = Order::Deliver { callback, args };
        let role = Role::Robot(number);
        self.add_task(cx, graph, NewTask { role, order, owner: None, place: None, life: 0, what });
    }
}

/// Converts the result of a method's task to the result for the robot. The Python side returns how the call went: with a
/// value, with no such method, or with an exception as text for people.
pub(crate) fn answer(said: Result<Value, ScriptError>) -> Result<Value, ServiceError> {
    match said.as_ref().map(|said| said.as_list().unwrap_or_default()) {
        Ok([Value::Str(how), value]) if **how == *"value" => Ok(value.clone()),
        Ok([Value::Str(how), _]) if **how == *"missing" => Err(ServiceError::NoMethod),
        Ok([_, Value::Str(why)]) => Err(ServiceError::Failed(why.to_string())),
        Ok(_) => Err(ServiceError::Failed("it was ended with the run".to_owned())),
        Err(error) => Err(ServiceError::Failed(error.to_string())),
    }
}
