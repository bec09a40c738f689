//! A robot that is written in Python: the host of scripts runs its methods, as tasks like any other.

use crate::Engine;
use crate::protocol::{CallbackId, Order, ScriptError};
use crate::services::{Ask, ServiceError};
use crate::tasks::{NewTask, Role};
use crate::trace::PathId;
use boxstep_types::Value;

impl Engine {
    /// Queues a method of the robot's.
    pub(crate) fn ask_scripts(&mut self, ask: Ask) {
        // Nobody runs anything any more, or everything goes round in no time: the run ends without an answer.
        if self.is_interrupting() || !self.count_signal(PathId(0), true) {
            return;
        }
        let Ask { number, service, method, args } = ask;
        let what = format!("{service}.{method}").into();
        let args = vec![Value::Str(service), Value::Str(method), Value::List(args.into())];
        let order = Order::Deliver { callback: CallbackId::ROBOT, args };
        let role = Role::Robot(number);
        self.tasks.add_task(
            &mut self.cx,
            &self.graph,
            NewTask { role, order, owner: None, place: None, life: 0, what },
        );
    }

    /// A method of the robot's is over. What it answers says how it went: a value, that there is none, or an exception in words
    /// for people.
    pub(crate) fn robot_answered(&mut self, number: u64, said: Result<Value, ScriptError>) {
        let result = match said.as_ref().map(|said| said.as_list().unwrap_or_default()) {
            Ok([Value::Str(how), value]) if **how == *"value" => Ok(value.clone()),
            Ok([Value::Str(how), _]) if **how == *"missing" => Err(ServiceError::NoMethod),
            Ok([_, Value::Str(why)]) => Err(ServiceError::Failed(why.to_string())),
            Ok(_) => Err(ServiceError::Failed("it was ended with the run".to_owned())),
            Err(error) => Err(ServiceError::Failed(error.to_string())),
        };
        self.with_services(|s, cx| s.answered(cx, number, result));
    }
}
