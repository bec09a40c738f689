//! A simulated NAO H25 or Pepper: no threads, no clock of its own, no picture of the world.
//!
//! Every service is a small file: a table of its methods and, where it does something, one function.
//! A method that is not in a table does not exist; the tables and what stands behind them are
//! described in `docs/simulation.md`.

mod alarm;
mod args;
mod audio;
mod body;
mod defaults;
mod device;
mod dialog;
mod extractors;
mod known;
mod leds;
mod memory;
mod motion;
mod navigation;
mod posture;
mod recognition;
mod speech;
mod table;
mod tablet;
mod touch;
mod tracker;
mod world;

pub use known::autonomy::knows_animation;

use alarm::{Alarm, Alarms};
use args::Args;
use body::SimBody;
use boxstep_bodies::{Body, BodyKind};
use boxstep_engine::CallId;
use boxstep_engine::services::{Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_types::{Time, Value};
use memory::{Kind, Memory};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use table::{Answer, Call, Const, How, Method, Reply, Service, code, say};
use world::World;

/// How topics name a language of speech.
pub(crate) fn topic_code(language: &str) -> Option<&'static str> {
    dialog::language_code(language)
}

/// What kind of robot is simulated.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// Its body: one there is data for ([`BodyKind::body`]), or one of one's own.
    pub body: &'static Body,
    /// Language of speech, recognition and dialog at the start, e.g. `English`.
    pub language: String,
    /// Folder in which sound files with a relative path lie: the behavior's.
    pub folder: Option<PathBuf>,
    /// What `ALSystem.robotName` answers.
    pub name: String,
}

impl Default for SimOptions {
    /// A NAO that speaks English.
    fn default() -> Self {
        Self { body: BodyKind::Nao.body(), language: "English".into(), folder: None, name: "nao".into() }
    }
}

/// A simulated robot.
pub struct SimRobot {
    world: World,
    services: BTreeMap<&'static str, &'static Service>,
}

/// A service as it is offered.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its name.
    pub service: &'static str,
    /// Name, fewest and most arguments.
    pub methods: Vec<(&'static str, u8, u8)>,
    /// Names of its signals.
    pub signals: Vec<&'static str>,
}

/// Every service there is.
fn services() -> impl Iterator<Item = &'static Service> {
    let single: [&'static Service; 12] = [
        &memory::SERVICE,
        &motion::SERVICE,
        &posture::SERVICE,
        &speech::SPEECH_SERVICE,
        &speech::ANIMATED_SERVICE,
        &leds::SERVICE,
        &audio::SERVICE,
        &tablet::SERVICE,
        &recognition::SERVICE,
        &dialog::SERVICE,
        &tracker::SERVICE,
        &navigation::SERVICE,
    ];
    let tables =
        [known::perception::SERVICES, known::autonomy::SERVICES, known::capture::SERVICES, known::system::SERVICES];
    single.into_iter().chain(tables.into_iter().flatten())
}

/// A service by name.
fn find(name: &str) -> Option<&'static Service> {
    services().find(|s| s.name == name)
}

/// Methods that every service has. Waiting for calls and stopping them is the engine's.
const COMMON: &[Method] = &[
    code("getMethodHelp", 1, 1),
    code("getMethodList", 0, 0),
    say("getBrokerName", 0, 0, Const::Str("MainBroker")),
    say("getModuleHelp", 0, 0, Const::Str("")),
    say("ping", 0, 0, Const::Bool(true)),
    say("version", 0, 0, Const::Str(known::system::VERSION)),
];

impl SimRobot {
    /// A robot that stands awake in an empty room.
    pub fn new(options: SimOptions) -> Self {
        let body = SimBody::new(options.body);
        let mut memory = Memory::default();
        defaults::fill(&mut memory, &body, &options);
        let services = services().filter(|s| body.offers(s.name)).map(|s| (s.name, s)).collect();
        let world = World {
            memory,
            alarms: Alarms::default(),
            settings: BTreeMap::new(),
            extractors: Default::default(),
            heard: Default::default(),
            speech: speech::Speech::new(&options.language),
            audio: Default::default(),
            leds: leds::Leds::new(&body),
            motion: motion::Motion::new(&body),
            recognition: Default::default(),
            dialog: Default::default(),
            tracker: Default::default(),
            body,
            options,
        };
        Self { world, services }
    }

    /// The names of the services this robot has, in order.
    pub fn service_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.services.keys().copied()
    }

    /// The names of a service's methods, in order; `None` if there is no such service.
    pub fn methods(&self, service: &str) -> Option<Vec<&'static str>> {
        self.services.get(service).map(|s| method_names(s))
    }

    /// What it offers, service by service: methods with the fewest and the most arguments they take ([`boxstep_bodies::ANY`]: any number),
    /// and signals.
    pub fn offers(&self) -> Vec<Offer> {
        let offer = |service: &&'static Service| {
            let extractor: &[Method] = if service.extractor { extractors::METHODS } else { &[] };
            let mut methods: Vec<(&str, u8, u8)> = Vec::new();
            for m in service.methods.iter().chain(extractor).chain(COMMON) {
                if !methods.iter().any(|(name, ..)| *name == m.name) {
                    methods.push((m.name, m.min, m.max));
                }
            }
            Offer { service: service.name, methods, signals: service.signals.to_vec() }
        };
        self.services.values().map(offer).collect()
    }

    fn dispatch(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Reply {
        let service = *self.services.get(call.service).ok_or(ServiceError::NoService)?;
        let (method, common) = method(service, call.method).ok_or(ServiceError::NoMethod)?;
        let args = Args(call.args);
        if args.len() < usize::from(method.min) || (method.max != table::ANY && args.len() > usize::from(method.max)) {
            return table::bad(wrong_count(method, args.len()));
        }
        let w = &mut self.world;
        let call = Call { id: call.id, service, method: method.name, args };
        match method.how {
            How::Code => match common {
                Common::Service => (service.code)(w, cx, &call),
                Common::Extractor => extractors::call(w, &call),
                Common::Every => match call.method {
                    "getMethodList" => table::ok(Value::list(method_names(service).into_iter().map(Value::from))),
                    _ => table::ok(Value::list([])),
                },
            },
            How::Say(answer) => table::ok(answer.value()),
            How::Put(key, answer) => {
                let Some((value, names)) = args.0.split_last() else { return table::ok(answer.value()) };
                let key = setting_key(service.name, key, names)?;
                w.settings.insert(key, value.clone());
                table::ok(answer.value())
            }
            How::Get(key, default) => {
                let key = setting_key(service.name, key, args.0)?;
                table::ok(w.settings.get(&key).cloned().unwrap_or_else(|| default.value()))
            }
            How::Act(kind, text, answer) => {
                let shown = args.0.iter().filter_map(Value::as_str).next();
                let text = shown.map_or(text.to_owned(), |arg| format!("{text} {arg}"));
                let data = [("method", Value::from(method.name)), ("arguments", Value::list(args.0.iter().cloned()))];
                cx.act(kind, text, Value::map(data));
                table::ok(answer.value())
            }
        }
    }

    /// Answers every call that waits, when the robot is halted.
    fn release(&mut self, cx: &mut ServiceCx<'_>) {
        for (call, value) in self.world.alarms.drain_answers() {
            cx.complete(call, Ok(value));
        }
        for call in self.world.memory.drain() {
            cx.complete(call, Ok(Value::Null));
        }
    }
}

/// Whose method it is.
enum Common {
    Service,
    Extractor,
    Every,
}

fn method(service: &'static Service, name: &str) -> Option<(&'static Method, Common)> {
    let find = |methods: &'static [Method]| methods.iter().find(|m| m.name == name);
    let own = find(service.methods).map(|m| (m, Common::Service));
    own.or_else(|| service.extractor.then(|| find(extractors::METHODS).map(|m| (m, Common::Extractor))).flatten())
        .or_else(|| find(COMMON).map(|m| (m, Common::Every)))
}

fn method_names(service: &'static Service) -> Vec<&'static str> {
    let extractor: &[Method] = if service.extractor { extractors::METHODS } else { &[] };
    let mut names: Vec<_> = service.methods.iter().chain(extractor).chain(COMMON).map(|m| m.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn wrong_count(method: &Method, got: usize) -> String {
    let plural = |n: u8| if n == 1 { "argument" } else { "arguments" };
    let wanted = match (method.min, method.max) {
        (min, max) if min == max => format!("{min} {}", plural(min)),
        (min, table::ANY) => format!("at least {min} {}", plural(min)),
        (min, max) => format!("{min} to {max} {}", plural(max)),
    };
    format!("it takes {wanted}, not {got}")
}

/// `service/key` and the arguments that are part of the name.
fn setting_key(service: &str, key: &str, names: &[Value]) -> Result<String, ServiceError> {
    let mut text = format!("{service}/{key}");
    for name in names {
        match name {
            Value::Str(s) => text += &format!("/{s}"),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Null => text += &format!("/{name}"),
            // Lists and the like name nothing: a long text would only fill the memory.
            other => {
                return table::bad(format!("the name of a setting must be a string or number, not {}", other.kind()));
            }
        }
    }
    Ok(text)
}

impl Services for SimRobot {
    fn has_service(&self, service: &str) -> bool {
        self.services.contains_key(service)
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        match self.dispatch(cx, call) {
            Ok(Answer::Now(value)) => Outcome::Ready(Ok(value)),
            Ok(Answer::Later) => Outcome::Pending,
            Err(error) => Outcome::Ready(Err(error)),
        }
    }

    fn cancel(&mut self, cx: &mut ServiceCx<'_>, call: CallId) {
        let w = &mut self.world;
        w.alarms.forget_answer(call);
        w.memory.cancel(call);
        speech::cancel(w, cx, call);
        audio::cancel(w, cx, call);
        motion::cancel(w, cx, call);
    }

    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        let w = &mut self.world;
        match w.alarms.take(token) {
            Some(Alarm::Answer(call, value)) => cx.complete(call, Ok(value)),
            Some(Alarm::Speech(step)) => speech::step(w, cx, step),
            Some(Alarm::Sound(call, generation)) => audio::ended(w, cx, call, generation),
            Some(Alarm::Motion(task)) => motion::joints::ended(w, cx, task),
            Some(Alarm::Move(generation)) => motion::walk::arrived(w, cx, generation),
            None => {}
        }
    }

    fn timer_alive(&self, token: u64) -> bool {
        let w = &self.world;
        match w.alarms.get(token) {
            None => false,
            Some(Alarm::Answer(..)) => true,
            Some(Alarm::Speech(step)) => speech::is_said(w, step),
            Some(Alarm::Sound(call, generation)) => audio::plays(w, *call, *generation),
            Some(Alarm::Motion(task)) => motion::joints::runs(w, *task),
            Some(Alarm::Move(generation)) => motion::walk::goes(w, *generation),
        }
    }

    fn subscribe(&mut self, cx: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError> {
        match topic {
            Topic::Memory(key) => self.world.memory.declare(key, Kind::Event, cx.now()),
            Topic::Signal(service, signal) => {
                let service = self.services.get(&**service).ok_or(ServiceError::NoService)?;
                if !service.signals.contains(&&**signal) {
                    return Err(ServiceError::NoMethod);
                }
            }
        }
        if on {
            self.world.heard.insert(topic.clone());
        } else {
            self.world.heard.remove(topic);
        }
        Ok(())
    }

    /// A key `Service.signal` of a signal this robot has emits the signal; any other key is a memory
    /// event.
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        if let Some((service, signal)) = key.split_once('.')
            && self.services.get(service).is_some_and(|s| s.signals.contains(&signal))
        {
            cx.event(Topic::Signal(service.into(), signal.into()), value);
            return;
        }
        touch::touched(&mut self.world, cx, key, &value);
        self.world.raise(cx, key, value);
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        let w = &mut self.world;
        match how {
            Halt::AtOnce => motion::walk::kill(w, cx),
            Halt::Walk | Halt::Safely | Halt::Over => motion::walk::stop(w, cx),
        }
        if matches!(how, Halt::Walk | Halt::Over) {
            return;
        }
        motion::walk::halt_joints(w, cx);
        speech::stop_all(w, cx);
        audio::stop_all(w, cx);
        self.release(cx);
    }

    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        let w = &self.world;
        w.motion.walk.coming_to_rest(w.body.has_legs()).map(|(does, since)| (does.into(), since))
    }

    fn language(&self) -> String {
        self.world.speech.language.clone()
    }

    fn remember(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        let now = cx.now();
        // Nobody can be waiting for a change before the run.
        let _ = self.world.memory.set(key, value, memory::Kind::Data, now);
    }

    fn memory(&mut self, now: Time, key: &str) -> Option<Value> {
        self.world.data(now, key)
    }

    fn joints(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        Some(motion::sample(&self.world, now))
    }

    fn joint_commands(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        Some(motion::sample_commands(&self.world, now))
    }
}
