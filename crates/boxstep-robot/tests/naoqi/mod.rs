//! The adapter for real robots, with a stand-in on the loopback interface. No test here sleeps.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "a test may fail")]

mod calls;
mod faults;
mod files;
mod stopping;

use boxstep_engine::CallId;
use boxstep_engine::services::{Effect, Halt, Outcome, Random, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_qi::Pauses;
use boxstep_robot::NaoqiRobot;
use boxstep_robot::naoqi::testing::StandIn;
use boxstep_robot::naoqi::{NaoqiHandle, NaoqiOptions};
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for any machine.
pub const LONG: Duration = Duration::from_secs(30);

/// A robot, driven by hand.
pub struct Driven {
    pub robot: NaoqiRobot,
    pub handle: NaoqiHandle,
    bells: Receiver<()>,
    seen: Vec<Effect>,
    made: u32,
}

pub fn options(stand_in: &StandIn) -> NaoqiOptions {
    NaoqiOptions {
        name: "nao.local".to_owned(),
        pauses: Pauses { first: Duration::from_millis(1), longest: Duration::from_millis(20) },
        ..NaoqiOptions::new(&stand_in.address().to_string())
    }
}

impl Driven {
    pub fn new(options: NaoqiOptions) -> Self {
        let mut robot = NaoqiRobot::connect(options).unwrap();
        let (ring, bells) = channel();
        robot.waker(Arc::new(move || {
            let _ = ring.send(());
        }));
        Self { handle: robot.handle(), robot, bells, seen: Vec::new(), made: 0 }
    }

    fn with<R>(&mut self, f: impl FnOnce(&mut NaoqiRobot, &mut ServiceCx<'_>) -> R) -> R {
        let mut random = Random::new(0);
        let mut effects = Vec::new();
        let result = f(&mut self.robot, &mut ServiceCx::new(Time::ZERO, &mut random, &mut effects));
        self.seen.extend(effects);
        result
    }

    pub fn begin(&mut self, service: &str, method: &str, args: &[Value]) -> Result<CallId, ServiceError> {
        self.made += 1;
        let id = CallId(self.made);
        match self.with(|robot, cx| robot.call(cx, &ServiceCall { id, service, method, args })) {
            Outcome::Pending => Ok(id),
            Outcome::Ready(Err(error)) => Err(error),
            Outcome::Ready(Ok(value)) => panic!("answered at once: {value}"),
        }
    }

    /// Returns the next wanted effect; effects before it are dropped.
    pub fn until<R>(&mut self, wanted: impl Fn(&Effect) -> Option<R>) -> R {
        loop {
            while !self.seen.is_empty() {
                if let Some(found) = wanted(&self.seen.remove(0)) {
                    return found;
                }
            }
            self.with(|robot, cx| robot.heard(cx));
            if self.seen.is_empty() {
                self.bells.recv_timeout(LONG).unwrap();
            }
        }
    }

    pub fn answer(&mut self, id: CallId) -> Result<Value, ServiceError> {
        self.until(|effect| match effect {
            Effect::Complete(call, result) if *call == id => Some(result.clone()),
            _ => None,
        })
    }

    pub fn call(&mut self, service: &str, method: &str, args: &[Value]) -> Result<Value, ServiceError> {
        let id = self.begin(service, method, args)?;
        self.answer(id)
    }

    pub fn event(&mut self) -> (String, Value) {
        self.until(|effect| match effect {
            Effect::Event(topic, value) => Some((topic.to_string(), value.clone())),
            _ => None,
        })
    }

    pub fn warning(&mut self) -> String {
        self.until(|effect| match effect {
            Effect::Warn(text) | Effect::Lost(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub fn subscribe(&mut self, topic: &Topic, on: bool) -> Result<(), ServiceError> {
        self.with(|robot, cx| robot.subscribe(cx, topic, on))
    }

    pub fn cancel(&mut self, id: CallId) {
        self.with(|robot, cx| robot.cancel(cx, id));
    }

    pub fn raise(&mut self, key: &str, value: Value) {
        self.with(|robot, cx| robot.raise(cx, key, value));
    }

    pub fn halt(&mut self, how: Halt) {
        self.with(|robot, cx| robot.halt(cx, how));
    }
}

pub fn text(value: &str) -> Value {
    Value::from(value)
}
