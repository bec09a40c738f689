//! The service `BoxstepClock`: a simulated robot whose clock the client controls.
//!
//! A run in virtual time needs the robot to answer at the run's instants, to draw from its random numbers, and to set
//! its timers. So such a robot has no engine of its own. Each request carries the client's time and the state of its
//! random numbers; each answer carries the effects for the client's engine, in order. The client fires the timers by
//! their tokens. A run with [`HeldRobot`] gives the same trace, byte for byte, as one with the robot in its own
//! process.
//!
//! | method | |
//! |---|---|
//! | `begin::(m)->L` | Makes a new robot, which replaces the one before, from a map of `body` (`nao`, `nao-v3.3` or `pepper`), `language`, `folder` (of sounds, on the robot's machine), and `name`, all optional. The answer is the number for `ask`. |
//! | `services::()->[s]` | The names of its services. |
//! | `ask::(LslLm)->(mLmm[L])` | Takes the number of `begin`, the request, the time in nanoseconds, the random state, and the arguments; answers the result, the random state, the effects, what the robot is still doing after a halt, and the tokens of the timers that still have an effect. |
//!
//! The requests, their arguments and results. A *result* is `["ok", value]` or `["error", kind, text]`, where the kind
//! is `no service`, `no method`, `bad arguments` or `failed`; a *topic* is `["memory", key]` or `["signal", service,
//! name]`.
//!
//! | request | arguments | result |
//! |---|---|---|
//! | `call` | `[call, service, method, [argument …]]` | a result, or `["pending"]` |
//! | `cancel` | `[call]` | |
//! | `timer` | `[token]` | |
//! | `subscribe` | `[topic, on]` | a result |
//! | `raise`, `remember` | `[key, value]` | |
//! | `memory` | `[key]` | `[value]`, or `[]` if there is none |
//! | `halt` | `[how]`: `walk`, `safely`, `at once` | |
//! | `joints` | `[]` | `[[name, radians] …]` |
//! | `language` | `[]` | its name |
//!
//! Effects are `["complete", call, result]`, `["timer", nanoseconds, token]`, `["event", topic, value]` and `["act",
//! kind, text, data]`. What the robot is still doing is `[what, since]` or `[]`.

mod codec;
mod held;

pub use held::HeldRobot;

use super::object;
use crate::wire::{NoObjects, from_wire, to_wire};
use boxstep_bodies::BodyKind;
use boxstep_engine::CallId;
use boxstep_engine::services::{
    DialogBox, Effect, Halt, Outcome, Random, ServiceCall, ServiceCx, ServiceError, Services,
};
use boxstep_qi::{self as qi, BuildError, BuiltObject, Failure, ObjectBuilder};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_types::{Time, Value};
use codec::{BadForm, effect, result, result_of, topic_of};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The name of the service.
pub const NAME: &str = "BoxstepClock";

/// Makes the service. The options apply to each robot where the client does not choose.
///
/// # Errors
/// None in practice: the signatures are those above.
pub fn service(options: SimOptions) -> Result<Arc<BuiltObject>, BuildError> {
    let robot = Arc::new(Mutex::new(Robot::new(0, options.clone())));
    let (begun, named) = (Arc::clone(&robot), Arc::clone(&robot));
    ObjectBuilder::new("A simulated robot whose clock is its client's.")
        .method("begin::(m)->L", move |args| {
            let mut options = options.clone();
            let wanted = args.first().map(|a| from_wire(a, &mut NoObjects)).unwrap_or_default();
            let text = |name: &str| wanted.get(name).and_then(Value::as_str);
            if let Some(name) = text("body") {
                let kind = BodyKind::ALL.into_iter().find(|kind| kind.body().name == name);
                options.body = kind.ok_or_else(|| format!("there is no body {name}"))?.body();
            }
            options.language = text("language").map_or(options.language, str::to_owned);
            options.name = text("name").map_or(options.name, str::to_owned);
            options.folder = text("folder").map(Into::into).or(options.folder);
            let mut robot = object::lock(&begun);
            *robot = Robot::new(robot.number + 1, options);
            Ok(robot.number.into())
        })
        .method("services::()->[s]", move |_| {
            let names: Vec<qi::Value> =
                object::lock(&named).robot.services().map(|s| qi::Value::from(s.name)).collect();
            Ok(qi::Value::list_of(qi::Signature::Str, names))
        })
        .method("ask::(LslLm)->(mLmm[L])", move |args| object::lock(&robot).handle_request(args))
        .build()
}

struct Robot {
    number: u64,
    robot: SimRobot,
    /// The timers that are set and have not fired.
    timers: BTreeSet<u64>,
}

impl Robot {
    fn new(number: u64, options: SimOptions) -> Self {
        Self { number, robot: SimRobot::new(options), timers: BTreeSet::new() }
    }

    fn handle_request(&mut self, args: &[qi::Value]) -> Result<qi::Value, Failure> {
        let [number, what, now, random, with] = args else { return Err(BadForm.to_string()) };
        if number.as_u64() != Some(self.number) {
            return Err("another client has begun".to_owned());
        }
        let (Some(what), Some(now), Some(state)) = (what.as_str(), now.as_i64(), random.as_u64()) else {
            return Err(BadForm.to_string());
        };
        let (now, mut random) = (Time(now), Random::new(state));
        let with = from_wire(with, &mut NoObjects);
        let mut effects = Vec::new();
        let mut cx = ServiceCx::new(now, &mut random, &mut effects);
        let answer =
            self.answer(&mut cx, what, with.as_list().unwrap_or_default()).map_err(|e| format!("{what}: {e}"))?;
        for asked in &effects {
            if let Effect::Timer(_, token) = asked {
                self.timers.insert(*token);
            }
        }
        let robot = &self.robot;
        self.timers.retain(|token| robot.timer_alive(*token));
        let alive = self.timers.iter().map(|token| (*token).into()).collect();
        let rest = self.robot.coming_to_rest();
        let rest = rest.map(|(what, since)| vec![Value::Str(what), since.0.into()]).unwrap_or_default();
        let wire = |value: &Value| to_wire(value, &mut NoObjects).dynamic();
        Ok(qi::Value::tuple(vec![
            wire(&answer),
            random.state().into(),
            wire(&Value::list(effects.iter().map(effect))),
            wire(&Value::list(rest)),
            qi::Value::list_of(qi::Signature::U64, alive),
        ]))
    }

    fn answer(&mut self, cx: &mut ServiceCx<'_>, what: &str, with: &[Value]) -> Result<Value, BadForm> {
        let robot = &mut self.robot;
        let call = |value: &Value| value.as_i64().and_then(|id| u32::try_from(id).ok()).map(CallId).ok_or(BadForm);
        match (what, with) {
            ("call", [id, Value::Str(service), Value::Str(method), Value::List(args)]) => {
                let call = ServiceCall { id: call(id)?, service, method, args };
                return Ok(match robot.call(cx, &call) {
                    Outcome::Ready(answered) => result(&answered),
                    Outcome::Pending => Value::list([Value::from("pending")]),
                });
            }
            ("cancel", [id]) => robot.cancel(cx, call(id)?),
            ("timer", [token]) => {
                let token = token.as_i64().ok_or(BadForm)? as u64;
                self.timers.remove(&token);
                robot.timer(cx, token);
            }
            ("subscribe", [topic, on]) => {
                let answered = robot.subscribe(cx, &topic_of(topic)?, on.truthy());
                return Ok(result(&answered.map(|()| Value::Null)));
            }
            ("raise", [Value::Str(key), value]) => robot.raise(cx, key, value.clone()),
            ("hear", [Value::Str(text)]) => {
                robot.hear(cx, text);
            }
            ("open dialog", [Value::Str(file), Value::List(inputs), Value::List(outputs)]) => {
                let names = |names: &[Value]| names.iter().filter_map(Value::as_str).map(Arc::from).collect();
                let dialog = DialogBox { file: PathBuf::from(&**file), inputs: names(inputs), outputs: names(outputs) };
                let opened = robot.open_dialog(cx, &dialog).unwrap_or_else(|| Err("it takes no dialogs".to_owned()));
                return Ok(result(&opened.map(Value::Str).map_err(ServiceError::Failed)));
            }
            ("dialog input", [Value::Str(topic), Value::Str(input), value]) => {
                robot.dialog_input(cx, topic, input, value.clone());
            }
            ("answered", [number, answer]) => {
                let number = number.as_i64().ok_or(BadForm)? as u64;
                robot.answered(cx, number, result_of(answer)?);
            }
            ("remember", [Value::Str(key), value]) => robot.remember(cx, key, value.clone()),
            ("memory", [Value::Str(key)]) => {
                let now = cx.now();
                return Ok(Value::list(robot.memory(now, key)));
            }
            ("halt", [how]) => {
                let how = match how.as_str() {
                    Some("walk") => Halt::Walk,
                    Some("safely") => Halt::Safely,
                    Some("at once") => Halt::AtOnce,
                    _ => return Err(BadForm),
                };
                robot.halt(cx, how);
            }
            ("joints", []) => {
                let joints = robot.joints(cx.now()).unwrap_or_default();
                return Ok(Value::list(joints.into_iter().map(|(n, x)| Value::list([Value::Str(n), x.into()]))));
            }
            ("language", []) => return Ok(robot.language().into()),
            _ => return Err(BadForm),
        }
        Ok(Value::Null)
    }
}
