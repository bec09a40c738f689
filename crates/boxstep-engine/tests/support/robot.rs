//! A robot that answers at once or after a time.

use boxstep_engine::CallId;
use boxstep_engine::services::{Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

/// A robot whose calls take `seconds` if the method is in the table, else no time.
#[derive(Default)]
pub struct Robot {
    pub slow: BTreeMap<&'static str, f64>,
    pending: Vec<(u64, CallId)>,
    tokens: u64,
}

impl Services for Robot {
    fn has_service(&self, service: &str) -> bool {
        service.starts_with("AL")
    }
    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        if call.method == "raiseEvent" {
            let key = call.args[0].as_str().unwrap();
            cx.event(Topic::Memory(key.into()), call.args[1].clone());
        }
        match call.method {
            "areResourcesAvailable" if !self.slow.contains_key(call.method) => {
                return Outcome::Ready(Ok(self.pending.is_empty().into()));
            }
            "killTasksUsingResources" => {
                for (_, call) in self.pending.drain(..) {
                    cx.complete(call, Ok(Value::Null));
                }
                return Outcome::Ready(Ok(Value::Null));
            }
            _ => {}
        }
        let seconds = match (call.method, self.slow.get(call.method)) {
            ("angleInterpolationBezier", None) => {
                call.args[1].as_list().unwrap().iter().filter_map(|t| t.as_list()?.last()?.as_f64()).fold(0.0, f64::max)
            }
            (_, Some(s)) => *s,
            _ => return Outcome::Ready(Ok(Value::Null)),
        };
        self.tokens += 1;
        self.pending.push((self.tokens, call.id));
        cx.timer(cx.now() + Time::from_secs_f64(seconds), self.tokens);
        Outcome::Pending
    }
    fn cancel(&mut self, _: &mut ServiceCx<'_>, call: CallId) {
        self.pending.retain(|p| p.1 != call);
    }
    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        if let Some(i) = self.pending.iter().position(|p| p.0 == token) {
            cx.complete(self.pending.remove(i).1, Ok(Value::Null));
        }
    }
    fn timer_alive(&self, token: u64) -> bool {
        self.pending.iter().any(|p| p.0 == token)
    }
    fn subscribe(&mut self, _: &mut ServiceCx<'_>, _: &Topic, _: bool) -> Result<(), ServiceError> {
        Ok(())
    }
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        cx.event(Topic::Memory(key.into()), value);
    }
    fn halt(&mut self, cx: &mut ServiceCx<'_>) {
        cx.act("halt", "the robot stops", Value::Null);
    }
    fn language(&self) -> String {
        "English".to_owned()
    }
}
