//! A robot written in Python: the script host runs its methods as tasks.

use crate::Engine;
use crate::protocol::{CallbackId, Order, ScriptError};
use crate::services::{Ask, ServiceError};
use crate::tasks::{NewTask, Role};
use crate::trace::PathId;
use boxstep_types::Value;

impl Engine {
    /// Queues a call of a method of the robot.
    pub(crate) fn ask_scripts(&mut self, ask: Ask) {
        // If scripts no longer run, or a livelock was found, the run ends without an answer.
        if self.end.is_interrupting() || !self.count_signal(PathId(0), true) {
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

    /// Passes the result of a method to the robot. The Python side returns how the call went: with a value, with no
    /// such method, or with an exception as text for people.
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
