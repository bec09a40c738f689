//! The simulated NAO H25 or Pepper. It has no threads, no clock of its own, and what is around it stays as its options say.
//!
//! The table says, row by row, what it answers; `docs/reference/simulation.md` describes the behavior behind the rows.

use crate::alarm::{Alarm, Alarms};
use crate::args::Args;
use crate::body::SimBody;
use crate::dialog::{self, Talk};
use crate::memory::{Kind, Memory};
use crate::packages::RobotDisk;
use crate::physics::{self, Physical};
use crate::posture;
use crate::table::{Answer, Call, Handler, Method, Reply, Service, bad, ok};
use crate::world::World;
use crate::{
    Surroundings, audio, defaults, expressions, gestures, leds, log, microphones, motion, objects, people, photo,
    recharge, recognition, senses, services, speech, touch, video,
};
use boxstep_bodies::{Body, BodyKind};
use boxstep_dynamics::PhysicsEngine;
use boxstep_engine::CallId;
use boxstep_engine::services::{
    DialogBox, Effect, Halt, LogLevel, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic, TorsoPose,
};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of a simulated robot.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// The body: a built-in one ([`BodyKind::body`]) or a custom one.
    pub body: &'static Body,
    /// The language of speech, recognition and dialog at the start, such as `English`.
    pub language: String,
    /// The behavior's folder, to which relative paths of sound files refer.
    pub folder: Option<PathBuf>,
    /// The topics of collaborative dialogs: they are active from the beginning, without any box. See "Creating a
    /// collaborative dialog" of the NAOqi documentation.
    pub topics: Vec<PathBuf>,
    /// The answer of `ALSystem.robotName`.
    pub name: String,
    /// The version of NAOqi, as `ALSystem.systemVersion` and the modules answer it.
    pub version: String,
    /// What the robot's clock says when the run begins, in seconds since 1970.
    pub epoch: i64,
    /// What is around the robot.
    pub world: Arc<Surroundings>,
    /// What moves the robot if it can fall; without it, joints are where they are told to be and the robot keeps its
    /// balance. A body whose masses and soles are not known cannot fall.
    pub physics: Option<PhysicsEngine>,
    /// Its disk, with packages and what it remembers; without it, nothing is installed, and a new robot remembers nothing.
    pub disk: Option<Arc<dyn RobotDisk>>,
}

/// The version of NAOqi if none is chosen.
const VERSION: &str = "2.8.7.4";

/// 2020-01-01: the day at which virtual time begins.
const EPOCH: i64 = 1_577_836_800;

impl Default for SimOptions {
    /// A NAO that speaks English.
    fn default() -> Self {
        Self {
            body: BodyKind::Nao.body(),
            language: "English".into(),
            folder: None,
            topics: Vec::new(),
            name: "nao".into(),
            version: VERSION.into(),
            epoch: EPOCH,
            world: Arc::default(),
            physics: None,
            disk: None,
        }
    }
}

/// A simulated robot.
///
/// ```
/// use boxstep_bodies::BodyKind;
/// use boxstep_engine::services::Services as _;
/// use boxstep_services::{SimOptions, SimRobot};
/// use boxstep_types::Time;
///
/// let mut pepper = SimRobot::new(SimOptions { body: BodyKind::Pepper.body(), ..SimOptions::default() });
/// assert!(pepper.services().any(|service| service.name == "ALTabletService"));
/// let joints = pepper.joints(Time::ZERO).expect("a robot with joints");
/// assert!(joints.iter().any(|(name, _)| &**name == "KneePitch"));
/// ```
pub struct SimRobot {
    world: World,
    services: BTreeMap<&'static str, &'static Service>,
}

impl SimRobot {
    /// Makes a robot that stands, awake, in an empty room.
    pub fn new(options: SimOptions) -> Self {
        let body = SimBody::new(options.body);
        let mut memory = Memory::default();
        defaults::fill(&mut memory, &body, &options);
        let model = body.model();
        let can_fall = model.mass() > 0.0 && !body.geometry().soles.is_empty();
        let physics = options.physics.filter(|_| can_fall).map(|engine| Physical::new(engine, &body));
        let services = services().filter(|s| s.is_simulated() && body.offers(s.name)).map(|s| (s.name, s)).collect();
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
            talk: Talk::new(&options.language),
            tracker: Default::default(),
            video: Default::default(),
            gestures: Default::default(),
            senses: Default::default(),
            microphones: Default::default(),
            notes: Default::default(),
            preferences: Default::default(),
            knowledge: Default::default(),
            recharge: Default::default(),
            maps: Default::default(),
            home: Default::default(),
            objects: Default::default(),
            lines_written: 0,
            physics,
            body,
            options,
        };
        let mut robot = Self { world, services };
        people::meet(&mut robot.world);
        robot.world.remember();
        robot
    }

    /// Returns the services that this robot has, ordered by name.
    pub fn services(&self) -> impl Iterator<Item = &'static Service> + '_ {
        self.services.values().copied()
    }

    /// Returns the service of this name; `#1`, `#2` … are the objects that services have answered.
    fn service(&self, name: &str) -> Option<&'static Service> {
        self.services.get(name).copied().or_else(|| self.world.objects.service(name))
    }

    fn dispatch(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Reply {
        let service = self.service(call.service).ok_or(ServiceError::NoService)?;
        let method = simulated_methods(service).find(|m| m.name == call.method).ok_or(ServiceError::NoMethod)?;
        let args = Args(call.args);
        if service.name == "ALDialog" {
            dialog::start_collaborative(&mut self.world, cx);
        }
        if !method.takes(args.len()) {
            return bad(wrong_count(method, args.len()));
        }
        let w = &mut self.world;
        match method.handler {
            Handler::None | Handler::Engine => Err(ServiceError::NoMethod),
            Handler::Code(code) => {
                let object = objects::number(call.service);
                code(w, cx, &Call { id: call.id, service, method, args, object })
            }
            Handler::Answer(answer) => ok(answer.value()),
            Handler::Accept => ok(method.success()),
            Handler::Set(key) => {
                if let Some((value, names)) = args.0.split_last() {
                    let key = setting_key(service.name, key, names)?;
                    w.settings.insert(key, value.clone());
                }
                ok(method.success())
            }
            Handler::Get(key, default) => {
                let key = setting_key(service.name, key, args.0)?;
                ok(w.settings.get(&key).cloned().unwrap_or_else(|| default.value()))
            }
            Handler::Act(kind, text, answer) => {
                let shown = args.0.iter().filter_map(Value::as_str).next();
                let text = shown.map_or(text.to_owned(), |arg| format!("{text} {arg}"));
                let data = [("method", Value::from(method.name)), ("arguments", Value::list(args.0.iter().cloned()))];
                cx.act(kind, text, Value::map(data));
                ok(answer.value())
            }
        }
    }

    /// Notes that something has happened, after which the senses go on for a while.
    fn stir(&mut self, cx: &mut ServiceCx<'_>) {
        senses::stir(&mut self.world, cx.now());
        senses::attend(&mut self.world, cx);
        physics::attend(&mut self.world, cx, true);
    }

    /// Answers every waiting call, when the robot is halted.
    fn release(&mut self, cx: &mut ServiceCx<'_>) {
        for (call, value) in self.world.alarms.drain_answers() {
            cx.complete(call, Ok(value));
        }
        for call in self.world.memory.drain() {
            cx.complete(call, Ok(Value::Null));
        }
    }
}

/// Returns the methods of a service that the simulated robot answers. A name may occur twice, and the first one counts.
fn simulated_methods(service: &Service) -> impl Iterator<Item = &'static Method> + use<> {
    service.all_methods().filter(|method| method.is_of_robot())
}

fn wrong_count(method: &Method, got: usize) -> String {
    let plural = |n: usize| if n == 1 { "argument" } else { "arguments" };
    let wanted = match method.counts() {
        (least, Some(most)) if least == most => format!("{least} {}", plural(least)),
        (least, None) => format!("at least {least} {}", plural(least)),
        (least, Some(most)) => format!("{least} to {most} {}", plural(most)),
    };
    format!("it takes {wanted}, not {got}")
}

/// Returns `service/key`, followed by the arguments that are part of the key.
fn setting_key(service: &str, key: &str, names: &[Value]) -> Result<String, ServiceError> {
    let mut text = format!("{service}/{key}");
    for name in names {
        match name {
            Value::Str(s) => text += &format!("/{s}"),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Null => text += &format!("/{name}"),
            // A list names nothing; its long text would only fill the memory.
            other => {
                return bad(format!("the name of a setting must be a string or number, not {}", other.kind()));
            }
        }
    }
    Ok(text)
}

impl Services for SimRobot {
    fn has_service(&self, service: &str) -> bool {
        self.service(service).is_some()
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        physics::catch_up(&mut self.world, cx.now());
        senses::attend(&mut self.world, cx);
        let reply = self.dispatch(cx, call);
        dialog::deliver(&mut self.world, cx);
        self.stir(cx);
        match reply {
            Ok(Answer::Now(value)) => Outcome::Ready(Ok(value)),
            Ok(Answer::Later) => Outcome::Pending,
            Err(error) => Outcome::Ready(Err(error)),
        }
    }

    fn cancel(&mut self, cx: &mut ServiceCx<'_>, call: CallId) {
        let w = &mut self.world;
        physics::catch_up(w, cx.now());
        w.alarms.forget_answer(call);
        w.memory.cancel(call);
        speech::cancel(w, cx, call);
        audio::cancel(w, cx, call);
        motion::cancel(w, cx, call);
        physics::attend(w, cx, true);
    }

    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        let w = &mut self.world;
        physics::catch_up(w, cx.now());
        let alarm = w.alarms.take(token);
        if let Some(Alarm::Physics(at)) = alarm {
            physics::tick(w, cx, at);
            return dialog::deliver(w, cx);
        }
        if let Some(Alarm::Sense(at)) = alarm {
            senses::tick(w, cx, at);
            return dialog::deliver(w, cx);
        }
        let stirs = alarm.is_some();
        match alarm {
            Some(Alarm::Answer(call, value)) => cx.complete(call, Ok(value)),
            Some(Alarm::Speech(step)) => speech::step(w, cx, step),
            Some(Alarm::Sound(call, generation)) => audio::ended(w, cx, call, generation),
            Some(Alarm::Motion(task)) => motion::joints::ended(w, cx, task),
            Some(Alarm::Recharge(status)) => recharge::arrived(w, cx, status),
            Some(Alarm::Photos(photos)) => photo::due(w, cx, photos),
            Some(Alarm::Microphones(number)) => microphones::process(w, cx, number),
            Some(Alarm::Picture(call, client, wanted)) => video::taken(w, cx, call, &client, wanted),
            Some(Alarm::Expression(number, at)) => expressions::due(w, cx, number, at),
            Some(Alarm::Gesture(changes)) => gestures::due(w, cx, changes),
            Some(Alarm::Move(generation)) => motion::walk::arrived(w, cx, generation),
            Some(Alarm::Silence(at)) if w.talk.is_due(at) => dialog::tick(w, cx),
            Some(Alarm::Silence(_) | Alarm::Sense(_) | Alarm::Physics(_)) | None => {}
        }
        dialog::deliver(w, cx);
        if stirs {
            self.stir(cx);
        }
    }

    fn timer_alive(&self, token: u64) -> bool {
        let w = &self.world;
        match w.alarms.get(token) {
            None => false,
            Some(Alarm::Answer(..) | Alarm::Picture(..) | Alarm::Photos(_)) => true,
            Some(Alarm::Recharge(_)) => recharge::is_on_its_way(w),
            Some(Alarm::Speech(step)) => speech::is_said(w, step),
            Some(Alarm::Sound(call, generation)) => audio::plays(w, *call, *generation),
            Some(Alarm::Motion(task)) => motion::joints::runs(w, *task),
            Some(Alarm::Move(generation)) => motion::walk::is_current(w, *generation),
            Some(Alarm::Gesture(changes)) => gestures::is_current(w, *changes),
            Some(Alarm::Silence(at)) => w.talk.is_due(*at),
            Some(Alarm::Microphones(number)) => microphones::listens(w, *number),
            Some(Alarm::Expression(number, at)) => expressions::is_due(w, *number, *at),
            Some(Alarm::Sense(at)) => senses::is_alive(w, *at),
            Some(Alarm::Physics(at)) => physics::is_alive(w, *at),
        }
    }

    fn subscribe(&mut self, cx: &mut ServiceCx<'_>, topic: &Topic, on: bool) -> Result<(), ServiceError> {
        physics::catch_up(&mut self.world, cx.now());
        match topic {
            Topic::Memory(key) => self.world.memory.declare(key, Kind::Event, cx.now()),
            Topic::Signal(service, signal) => {
                let service = self.service(service).ok_or(ServiceError::NoService)?;
                // `topic/output` is an output of a dialog box.
                let is_output = service.name == "ALDialog" && signal.contains('/');
                if !is_output && service.signal(signal).is_none() && service.property(signal).is_none() {
                    return Err(ServiceError::NoMethod);
                }
            }
        }
        if on {
            self.world.heard.insert(topic.clone());
            if let Topic::Signal(service, _) = topic
                && let Some(number) = objects::number(service)
            {
                expressions::heard(&mut self.world, cx, number);
            }
        } else {
            self.world.heard.remove(topic);
        }
        self.stir(cx);
        Ok(())
    }

    /// Raises an event. A key `Service.signal` of a signal that this robot has emits the signal; any other key is a
    /// memory event.
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        if let Some((service, signal)) = key.split_once('.')
            && self.services.get(service).is_some_and(|s| s.signal(signal).is_some())
        {
            cx.event(Topic::Signal(service.into(), signal.into()), value);
            return;
        }
        physics::catch_up(&mut self.world, cx.now());
        if key == physics::PUSH {
            physics::push(&mut self.world, cx, &value);
            return self.stir(cx);
        }
        if key == posture::GO {
            posture::asked(&mut self.world, cx, &value);
            return self.stir(cx);
        }
        touch::touched(&mut self.world, cx, key, &value);
        self.world.raise(cx, key, value);
        dialog::deliver(&mut self.world, cx);
        self.stir(cx);
    }

    fn hear(&mut self, cx: &mut ServiceCx<'_>, text: &str) -> bool {
        let w = &mut self.world;
        physics::catch_up(w, cx.now());
        dialog::start_collaborative(w, cx);
        let recognizes = recognition::hear(w, cx, text);
        if !dialog::hear(w, cx, text) && !recognizes {
            let why = "no topic is active, and nobody has subscribed to ALSpeechRecognition";
            cx.effect(Effect::Warn(format!("nobody listens to “{text}”: {why}")));
        }
        dialog::deliver(w, cx);
        true
    }

    fn emitted(&mut self, cx: &mut ServiceCx<'_>, service: &str, signal: &str) {
        self.world.talk.raised(&format!("{service}.{signal}"));
        dialog::deliver(&mut self.world, cx);
    }

    fn logged(&mut self, cx: &mut ServiceCx<'_>, level: LogLevel, category: &str, text: &str) {
        log::written(&mut self.world, cx, log::level_of(level), category, text);
    }

    fn open_dialog(&mut self, cx: &mut ServiceCx<'_>, dialog: &DialogBox) -> Option<Result<Arc<str>, String>> {
        dialog::start_collaborative(&mut self.world, cx);
        Some(dialog::open(&mut self.world, cx, dialog))
    }

    fn dialog_input(&mut self, cx: &mut ServiceCx<'_>, topic: &str, input: &str, value: Value) {
        dialog::input(&mut self.world, cx, topic, input, value);
        dialog::deliver(&mut self.world, cx);
    }

    fn answered(&mut self, cx: &mut ServiceCx<'_>, number: u64, result: Result<Value, ServiceError>) {
        if microphones::NUMBERS.contains(&number) {
            microphones::answered(&mut self.world, cx, number, result);
        } else if dialog::answered(&mut self.world, cx, number, result) {
            dialog::deliver(&mut self.world, cx);
        }
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        let w = &mut self.world;
        physics::catch_up(w, cx.now());
        match how {
            Halt::AtOnce => motion::walk::kill(w, cx),
            Halt::Walk | Halt::Safely | Halt::Over => motion::walk::stop(w, cx),
        }
        if matches!(how, Halt::Walk | Halt::Over) {
            return physics::attend(w, cx, true);
        }
        motion::walk::halt_joints(w, cx);
        dialog::stop(w, cx);
        speech::stop_all(w, cx);
        dialog::forget(w);
        audio::stop_all(w, cx);
        microphones::stop_all(w);
        physics::attend(w, cx, true);
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
        // Before the run no call can be waiting for a change.
        let _ = self.world.memory.set(key, value, Kind::Data, now);
    }

    fn memory(&mut self, now: Time, key: &str) -> Option<Value> {
        physics::catch_up(&mut self.world, now);
        self.world.data(now, key)
    }

    fn joints(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        physics::catch_up(&mut self.world, now);
        Some(motion::sample(&self.world, now))
    }

    fn torso(&mut self, now: Time) -> Option<TorsoPose> {
        physics::catch_up(&mut self.world, now);
        let torso = physics::torso(&self.world, now)?;
        let ([x, y, z], [i, j, k, w]) = (torso.translation.vector.into(), torso.rotation.coords.into());
        Some([x, y, z, i, j, k, w])
    }

    fn joint_commands(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        Some(motion::sample_commands(&self.world, now))
    }
}
