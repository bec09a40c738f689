//! A robot that answers at once or after a time.

use boxstep_engine::CallId;
use boxstep_engine::mailbox::Mailbox;
use boxstep_engine::services::{Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A robot whose calls take `seconds` if the method is in the table, else no time.
#[derive(Default)]
pub struct Robot {
    pub slow: BTreeMap<&'static str, f64>,
    /// Seconds that the step of a walk takes that is to end; one that never ends is longer than any stop.
    pub step: f64,
    pub walks: bool,
    /// What comes from outside, if it is a real one; its method `later` is answered from there.
    pub real: Option<Mailbox>,
    /// The timer at which both feet are down, and since when the walk is to end.
    ends: Option<(u64, Time)>,
    pending: Vec<(u64, CallId)>,
    tokens: u64,
}

impl Robot {
    fn end_walk(&mut self, cx: &mut ServiceCx<'_>) {
        if self.walks && self.ends.is_none() {
            cx.act("move", "is told to stop", Value::Null);
            self.tokens += 1;
            self.ends = Some((self.tokens, cx.now()));
            cx.timer(cx.now() + Time::from_secs_f64(self.step), self.tokens);
        }
    }
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
            "later" => return Outcome::Pending,
            "moveToward" => self.walks = true,
            "stopMove" => self.end_walk(cx),
            "moveIsActive" => return Outcome::Ready(Ok(self.walks.into())),
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
        if self.ends.is_some_and(|e| e.0 == token) {
            (self.ends, self.walks) = (None, false);
            cx.act("move", "both feet are down", Value::Null);
        }
        if let Some(i) = self.pending.iter().position(|p| p.0 == token) {
            cx.complete(self.pending.remove(i).1, Ok(Value::Null));
        }
    }
    fn timer_alive(&self, token: u64) -> bool {
        self.pending.iter().any(|p| p.0 == token) || self.ends.is_some_and(|e| e.0 == token)
    }
    fn subscribe(&mut self, _: &mut ServiceCx<'_>, _: &Topic, _: bool) -> Result<(), ServiceError> {
        Ok(())
    }
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        cx.event(Topic::Memory(key.into()), value);
    }
    fn is_real(&self) -> bool {
        self.real.is_some()
    }
    fn waker(&mut self, wake: boxstep_engine::services::Waker) {
        if let Some(mailbox) = &self.real {
            mailbox.set_waker(wake);
        }
    }
    fn heard(&mut self, cx: &mut ServiceCx<'_>) {
        if let Some(mailbox) = &self.real {
            mailbox.hand_over(cx);
        }
    }
    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        match how {
            Halt::Walk | Halt::Over => self.end_walk(cx),
            Halt::Safely => {
                cx.act("halt", "the robot stops", Value::Null);
                self.end_walk(cx);
            }
            Halt::AtOnce => {
                cx.act("halt", "the robot stops at once", Value::Null);
                (self.walks, self.ends) = (false, None);
            }
        }
    }
    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        self.ends.map(|(_, since)| ("walking".into(), since))
    }
    fn language(&self) -> String {
        "English".to_owned()
    }
}
