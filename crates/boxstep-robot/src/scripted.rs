//! A robot whose services are classes in a Python file (`docs/guides/own-robots.md`). The script host runs their methods.
//! Services that the file leaves to the simulation are simulated; there are no others.

use boxstep_bodies::EVERY_ROBOT;
use boxstep_engine::CallId;
use boxstep_engine::services::{
    Ask, DialogBox, Effect, Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic, TorsoPose,
};
use boxstep_services::SimRobot;
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A robot that is implemented in Python.
pub struct ScriptedRobot {
    /// The services of the file, and whether each has a method `_halt`.
    services: BTreeMap<Arc<str>, bool>,
    left: LeftToSimulation,
    simulation: SimRobot,
    /// The open requests to Python, by number.
    open: BTreeMap<u64, PythonCall>,
    asked: u64,
    /// The strongest halt that was requested since the last call, if any.
    halted: Option<Halt>,
    /// When the current halt began.
    since: Time,
}

/// The services that are simulated, besides [`EVERY_ROBOT`].
enum LeftToSimulation {
    All,
    These(BTreeSet<Arc<str>>),
}

/// A request to Python that is not answered yet.
enum PythonCall {
    Call {
        id: CallId,
        service: Arc<str>,
        method: Arc<str>,
        args: Vec<Value>,
    },
    Halt {
        service: Arc<str>,
    },
    /// A client subscribes to a signal.
    Listen {
        service: Arc<str>,
        signal: Arc<str>,
    },
    /// A notice that needs no answer: a call is canceled.
    Notice {
        service: Arc<str>,
        method: Arc<str>,
    },
}

impl ScriptedRobot {
    /// Makes a robot whose services are not known yet. The script host describes those of the file
    /// ([`Services::described`]) before a run begins.
    pub fn new(simulation: SimRobot) -> Self {
        Self {
            services: BTreeMap::new(),
            left: LeftToSimulation::These(BTreeSet::new()),
            simulation,
            open: BTreeMap::new(),
            asked: 0,
            halted: None,
            since: Time::ZERO,
        }
    }

    fn simulates(&self, service: &str) -> bool {
        let left = match &self.left {
            LeftToSimulation::All => true,
            LeftToSimulation::These(names) => names.contains(service),
        };
        (left || EVERY_ROBOT.contains(&service)) && self.simulation.has_service(service)
    }

    fn request(
        &mut self,
        cx: &mut ServiceCx<'_>,
        service: &Arc<str>,
        method: &str,
        args: Vec<Value>,
        open: PythonCall,
    ) {
        self.asked += 1;
        let number = self.asked;
        self.open.insert(number, open);
        cx.effect(Effect::Ask(Box::new(Ask { number, service: service.clone(), method: method.into(), args })));
    }

    /// Passes a call to the simulation.
    fn simulated(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        if !self.simulates(call.service) {
            return Outcome::Ready(Err(ServiceError::NoService));
        }
        match (call.service, call.method, self.simulation.call(cx, call)) {
            ("ServiceDirectory", "services", Outcome::Ready(Ok(all))) => Outcome::Ready(Ok(self.directory(&all))),
            (_, _, outcome) => outcome,
        }
    }

    /// Returns the service list: the available simulated services, and those of the file.
    fn directory(&self, all: &Value) -> Value {
        let name = |entry: &Value| entry.get("name").and_then(Value::as_str).map(Arc::<str>::from);
        let simulated = all.as_list().unwrap_or_default().iter();
        let simulated = simulated.filter(|entry| {
            name(entry).is_some_and(|name| self.simulates(&name) && !self.services.contains_key(&name))
        });
        let own = self.services.keys().map(|name| Value::map([("name", Value::Str(name.clone()))]));
        let numbered = simulated.cloned().chain(own).zip(1..).map(|(entry, number)| {
            let name = name(&entry).map_or(Value::Null, Value::Str);
            Value::map([
                ("name", name),
                ("serviceId", Value::Int(number)),
                ("machineId", "simulation".into()),
                ("processId", Value::Int(0)),
                ("endpoints", Value::list([])),
                ("sessionId", number.to_string().into()),
            ])
        });
        Value::list(numbered)
    }

    /// Calls `_halt` of every service of the file that has it, unless a halt of at least this strength was requested
    /// since the last call.
    fn halt_own(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        let strength = |how: Halt| match how {
            Halt::Walk | Halt::Over => 0,
            Halt::Safely => 1,
            Halt::AtOnce => 2,
        };
        if self.halted.is_some_and(|before| strength(before) >= strength(how)) {
            return;
        }
        self.halted = Some(how);
        self.since = cx.now();
        let word = match how {
            Halt::Walk | Halt::Over => "end",
            Halt::Safely => "stop",
            Halt::AtOnce => "now",
        };
        let halting = self.services.iter().filter(|(_, halts)| **halts).map(|(name, _)| name.clone());
        for service in halting.collect::<Vec<_>>() {
            self.request(cx, &service, "_halt", vec![word.into()], PythonCall::Halt { service: service.clone() });
        }
    }

    /// Answers every waiting call with nothing, as the simulation does when it halts.
    fn release(&mut self, cx: &mut ServiceCx<'_>) {
        let calls = self.open.values().filter_map(|open| match open {
            PythonCall::Call { id, .. } => Some(*id),
            _ => None,
        });
        for id in calls.collect::<Vec<_>>() {
            cx.complete(id, Ok(Value::Null));
        }
        self.open.retain(|_, open| !matches!(open, PythonCall::Call { .. }));
    }
}

impl Services for ScriptedRobot {
    fn has_service(&self, service: &str) -> bool {
        self.services.contains_key(service) || self.simulates(service)
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        let Some((service, _)) = self.services.get_key_value(call.service) else { return self.simulated(cx, call) };
        let (service, method): (Arc<str>, Arc<str>) = (service.clone(), call.method.into());
        // Methods with a leading underscore are reserved for the script host.
        if method.starts_with('_') {
            return Outcome::Ready(Err(ServiceError::NoMethod));
        }
        self.halted = None;
        let args = call.args.to_vec();
        let open = PythonCall::Call { id: call.id, service: service.clone(), method, args: args.clone() };
        self.request(cx, &service, call.method, args, open);
        Outcome::Pending
    }

    fn hear(&mut self, cx: &mut ServiceCx<'_>, text: &str) -> bool {
        self.simulates("ALDialog") && self.simulation.hear(cx, text)
    }

    fn open_dialog(&mut self, cx: &mut ServiceCx<'_>, dialog: &DialogBox) -> Option<Result<Arc<str>, String>> {
        if self.simulates("ALDialog") { self.simulation.open_dialog(cx, dialog) } else { None }
    }

    fn dialog_input(&mut self, cx: &mut ServiceCx<'_>, topic: &str, input: &str, value: Value) {
        self.simulation.dialog_input(cx, topic, input, value);
    }

    fn answered(&mut self, cx: &mut ServiceCx<'_>, number: u64, result: Result<Value, ServiceError>) {
        if !self.open.contains_key(&number) {
            // The dialog of the simulation has asked.
            return self.simulation.answered(cx, number, result);
        }
        match (self.open.remove(&number), result) {
            (Some(PythonCall::Call { id, service, method, args }), Err(ServiceError::NoMethod))
                if self.simulates(&service) =>
            {
                let call = ServiceCall { id, service: &service, method: &method, args: &args };
                if let Outcome::Ready(result) = self.simulated(cx, &call) {
                    cx.complete(id, result);
                }
            }
            (Some(PythonCall::Call { id, .. }), result) => cx.complete(id, result),
            (Some(PythonCall::Halt { service }), Err(error @ ServiceError::Failed(_))) => {
                cx.effect(Effect::Warn(error.message(&service, "halt")));
            }
            (Some(PythonCall::Listen { service, signal }), Err(ServiceError::NoMethod)) => {
                cx.effect(Effect::Warn(format!("{service} has no signal {signal}: its subscribers get no events")));
            }
            (Some(PythonCall::Notice { service, method }), Err(error @ ServiceError::Failed(_))) => {
                cx.effect(Effect::Warn(error.message(&service, &method)));
            }
            _ => {}
        }
    }

    fn described(&mut self, description: &Value) {
        let names = |key: &str| description.get(key).and_then(Value::as_list).unwrap_or_default().iter();
        let halting: BTreeSet<&str> = names("halting").filter_map(Value::as_str).collect();
        let own = names("services").filter_map(Value::as_str);
        self.services = own.map(|name| (name.into(), halting.contains(name))).collect();
        self.left = match description.get("simulate") {
            Some(Value::List(names)) => {
                LeftToSimulation::These(names.iter().filter_map(Value::as_str).map(Arc::from).collect())
            }
            all => match all.is_some_and(Value::truthy) {
                true => LeftToSimulation::All,
                false => LeftToSimulation::These(BTreeSet::new()),
            },
        };
    }

    fn cancel(&mut self, cx: &mut ServiceCx<'_>, call: CallId) {
        let number = self.open.iter().find_map(|(number, open)| match open {
            PythonCall::Call { id, .. } if *id == call => Some(*number),
            _ => None,
        });
        match number.and_then(|number| self.open.remove(&number)) {
            Some(PythonCall::Call { service, method, .. }) => {
                let open = PythonCall::Notice { service: service.clone(), method: "cancel".into() };
                self.request(cx, &service, "_cancel", vec![Value::Str(method)], open);
            }
            _ => self.simulation.cancel(cx, call),
        }
    }

    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        self.simulation.timer(cx, token);
    }

    fn timer_alive(&self, token: u64) -> bool {
        self.simulation.timer_alive(token)
    }

    fn subscribe(&mut self, cx: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError> {
        let Topic::Signal(service, signal) = topic else { return self.simulation.subscribe(cx, topic, on) };
        let simulated = match self.simulates(service) {
            true => self.simulation.subscribe(cx, topic, on),
            false => Err(ServiceError::NoService),
        };
        if simulated.is_ok() || !self.services.contains_key(service) {
            return simulated;
        }
        // Only Python knows its signals; an unknown one is reported later, in `answered`.
        if on {
            let open = PythonCall::Listen { service: service.clone(), signal: signal.clone() };
            self.request(cx, service, "_listen", vec![Value::Str(signal.clone())], open);
        }
        Ok(())
    }

    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        match key.split_once('.') {
            Some((service, signal)) if self.services.contains_key(service) => {
                cx.event(Topic::Signal(service.into(), signal.into()), value);
            }
            _ => self.simulation.raise(cx, key, value),
        }
    }

    fn remember(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.simulation.remember(cx, key, value);
    }

    fn memory(&mut self, now: Time, key: &str) -> Option<Value> {
        self.simulation.memory(now, key)
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        match how {
            // No method can run any more: the file's classes have been halted before.
            Halt::Over => return self.simulation.halt(cx, how),
            Halt::Walk => {}
            Halt::Safely | Halt::AtOnce => self.release(cx),
        }
        self.halt_own(cx, how);
        self.simulation.halt(cx, how);
    }

    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        let halts = self.open.values().any(|open| matches!(open, PythonCall::Halt { .. }));
        if halts { Some(("halt".into(), self.since)) } else { self.simulation.coming_to_rest() }
    }

    fn language(&self) -> String {
        self.simulation.language()
    }

    fn topic_code(&self) -> Option<&'static str> {
        self.simulation.topic_code()
    }

    /// Returns the joint angles of the simulation. The joints that a class of the file moves are not known.
    fn joints(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        if self.services.contains_key("ALMotion") || !self.simulates("ALMotion") {
            return None;
        }
        self.simulation.joints(now)
    }

    fn torso(&mut self, now: Time) -> Option<TorsoPose> {
        if self.services.contains_key("ALMotion") || !self.simulates("ALMotion") {
            return None;
        }
        self.simulation.torso(now)
    }
}
