//! Stands in for the engine: a virtual clock, timers, and the results of calls.

use boxstep_engine::CallId;
use boxstep_engine::services::{
    Act, Ask, Effect, Outcome, Random, ServiceCall, ServiceCx, ServiceError, Services, Topic,
};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

pub(crate) type Answer = Result<Value, ServiceError>;

pub(crate) struct Harness {
    pub(crate) robot: SimRobot,
    pub(crate) now: Time,
    random: Random,
    last: u32,
    order: u64,
    timers: BTreeMap<(Time, u64), u64>,
    pub(crate) answers: BTreeMap<CallId, (Time, Answer)>,
    pub(crate) acts: Vec<(Time, Act)>,
    pub(crate) events: Vec<(Time, String, Value)>,
    /// The calls that the robot itself makes.
    pub(crate) asked: Vec<Ask>,
    /// What happens in the conversation.
    pub(crate) talk: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

/// The most timers of a virtual run.
const MOST_TIMERS: usize = 1_000_000;

impl Harness {
    pub(crate) fn new(options: SimOptions) -> Self {
        Self {
            robot: SimRobot::new(options),
            now: Time::ZERO,
            random: Random::new(0),
            last: 0,
            order: 0,
            timers: BTreeMap::new(),
            answers: BTreeMap::new(),
            acts: Vec::new(),
            events: Vec::new(),
            asked: Vec::new(),
            talk: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(crate) fn nao() -> Self {
        Self::new(SimOptions::default())
    }

    pub(crate) fn pepper() -> Self {
        Self::new(SimOptions { body: boxstep_bodies::BodyKind::Pepper.body(), ..SimOptions::default() })
    }

    pub(crate) fn with<R>(&mut self, f: impl FnOnce(&mut SimRobot, &mut ServiceCx<'_>) -> R) -> R {
        let mut effects = Vec::new();
        let result = f(&mut self.robot, &mut ServiceCx::new(self.now, &mut self.random, &mut effects));
        for effect in effects {
            match effect {
                Effect::Complete(call, answer) => self.complete(call, answer),
                Effect::Timer(at, token) => {
                    assert!(at >= self.now, "a timer in the past");
                    self.order += 1;
                    self.timers.insert((at, self.order), token);
                }
                Effect::Event(topic, value) => self.events.push((self.now, topic.to_string(), value)),
                Effect::Act(act) => self.acts.push((self.now, act)),
                Effect::Call(ask) => self.asked.push(*ask),
                Effect::Dialog(event) => self.talk.push(event.to_string()),
                Effect::Warn(text) => self.warnings.push(text),
                Effect::Memory(..) | Effect::Joints(_) | Effect::Lost(_) | Effect::Ask(_) | Effect::Replaced(_) => {}
            }
        }
        result
    }

    fn complete(&mut self, call: CallId, answer: Answer) {
        let before = self.answers.insert(call, (self.now, answer));
        assert!(before.is_none(), "a call was answered twice: {call:?}");
    }

    /// Starts a call; the answer may come later.
    pub(crate) fn post(&mut self, method: &str, args: &[Value]) -> CallId {
        self.last += 1;
        let id = CallId(self.last);
        let (service, method) = method.split_once('.').expect("Service.method");
        let call = ServiceCall { id, service, method, args };
        match self.with(|robot, cx| robot.call(cx, &call)) {
            Outcome::Ready(answer) => self.complete(id, answer),
            Outcome::Pending => {}
        }
        id
    }

    /// Makes a call and waits, as a script does.
    pub(crate) fn call(&mut self, method: &str, args: &[Value]) -> Answer {
        let id = self.post(method, args);
        while !self.answers.contains_key(&id) {
            assert!(self.step(Time::MAX), "{method} is never answered");
        }
        self.answers[&id].1.clone()
    }

    /// Returns the answer of a call that must succeed.
    pub(crate) fn get(&mut self, method: &str, args: &[Value]) -> Value {
        self.call(method, args).unwrap_or_else(|e| panic!("{method}: {e:?}"))
    }

    /// Returns the error of a call that must fail.
    pub(crate) fn why(&mut self, method: &str, args: &[Value]) -> String {
        match self.call(method, args) {
            Err(e) => {
                let (service, name) = method.split_once('.').expect("Service.method");
                e.message(service, name)
            }
            Ok(v) => panic!("{method} should fail, but answers {v}"),
        }
    }

    /// Returns the seconds that a call takes.
    pub(crate) fn takes(&mut self, method: &str, args: &[Value]) -> f64 {
        let before = self.now;
        self.get(method, args);
        (self.now - before).as_secs_f64()
    }

    fn step(&mut self, until: Time) -> bool {
        assert!(self.order < MOST_TIMERS as u64, "too many timers");
        let Some((&(at, order), &token)) = self.timers.first_key_value() else { return false };
        if at > until {
            return false;
        }
        self.timers.remove(&(at, order));
        let alive = self.robot.timer_alive(token);
        // As in the engine, a timer that is not alive may fire before its time.
        if alive {
            self.now = at;
        }
        let seen = |h: &Self| (h.answers.len(), h.acts.len(), h.events.len(), h.timers.len());
        let before = seen(self);
        self.with(|robot, cx| robot.timer(cx, token));
        assert!(alive || seen(self) == before, "a timer that was not alive did something");
        true
    }

    /// Lets this many seconds pass.
    pub(crate) fn wait(&mut self, seconds: f64) {
        let until = self.now + Time::from_secs_f64(seconds);
        while self.step(until) {}
        self.now = until;
    }

    /// Returns how many timers still have an effect.
    pub(crate) fn timers_alive(&self) -> usize {
        self.timers.values().filter(|token| self.robot.timer_alive(**token)).count()
    }

    pub(crate) fn done(&self, id: CallId) -> bool {
        self.answers.contains_key(&id)
    }

    pub(crate) fn cancel(&mut self, id: CallId) {
        self.with(|robot, cx| robot.cancel(cx, id));
        self.answers.insert(id, (self.now, Err(ServiceError::Failed("stopped".into()))));
    }

    pub(crate) fn raise(&mut self, key: &str, value: Value) {
        self.with(|robot, cx| robot.raise(cx, key, value));
    }

    pub(crate) fn listen(&mut self, key: &str) {
        let topic = match key.split_once('.') {
            Some((service, signal)) => Topic::Signal(service.into(), signal.into()),
            None => Topic::Memory(key.into()),
        };
        self.with(|robot, cx| robot.subscribe(cx, &topic, true)).expect("a known topic");
    }

    /// Returns the texts of the acts of a kind.
    pub(crate) fn texts(&self, kind: &str) -> Vec<String> {
        self.acts.iter().filter(|(_, a)| a.kind == kind).map(|(_, a)| a.text.clone()).collect()
    }

    /// Returns the values of an event, in order.
    pub(crate) fn seen(&self, key: &str) -> Vec<Value> {
        self.events.iter().filter(|e| e.1 == key).map(|e| e.2.clone()).collect()
    }

    /// Returns the angle of a joint.
    pub(crate) fn joint(&mut self, name: &str) -> f64 {
        let now = self.now;
        let joints = self.robot.joints(now).expect("joints");
        joints.iter().find(|j| &*j.0 == name).map(|j| j.1).expect("a joint")
    }
}

/// Returns the floats of a list.
pub(crate) fn floats(v: &Value) -> Vec<f64> {
    v.as_list().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// Returns the texts of a list.
pub(crate) fn strings(v: &Value) -> Vec<String> {
    v.as_list().expect("a list").iter().map(|x| x.as_str().expect("a string").to_owned()).collect()
}

pub(crate) fn s(text: &str) -> Value {
    text.into()
}

pub(crate) fn list<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::list(items.into_iter().map(Into::into))
}

#[track_caller]
pub(crate) fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}
