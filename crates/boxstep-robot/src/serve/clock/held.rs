//! The client of a robot whose clock it controls.

use super::codec::{BadForm, effect_of, rest_of, result, result_of, topic};
use crate::wire::{NoObjects, from_wire, to_wire};
use boxstep_engine::CallId;
use boxstep_engine::services::{
    DialogBox, Effect, Halt, Outcome, Random, ServiceCall, ServiceCx, ServiceError, Services, Topic,
};
use boxstep_qi::{self as qi, Error, Remote, Session};
use boxstep_services::SimOptions;
use boxstep_types::{Time, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The timeout of each request: the robot only computes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A simulated robot in another process, on this engine's clock. If its process is gone, every call fails, and so does
/// the run.
pub struct HeldRobot {
    remote: Remote,
    number: u64,
    services: BTreeSet<String>,
    alive: BTreeSet<u64>,
    rest: Option<(Arc<str>, Time)>,
    lost: Option<String>,
    /// The engine has been notified of the loss.
    loss_reported: bool,
}

/// The answer to a request.
struct Response {
    answer: Value,
    effects: Vec<Effect>,
}

impl HeldRobot {
    /// Makes a new robot in a process that offers [`super::NAME`].
    ///
    /// # Errors
    /// If the process does not offer it or does not know the body, or the error of the connection.
    pub fn begin(session: &Session, options: &SimOptions) -> Result<Self, Error> {
        let remote = session.service(super::NAME)?;
        let mut wanted = vec![
            ("body", Value::from(options.body.to_string())),
            ("language", options.language.as_str().into()),
            ("name", options.name.as_str().into()),
            ("epoch", Value::Int(options.epoch)),
        ];
        wanted.extend(options.folder.iter().map(|f| ("folder", f.to_string_lossy().into_owned().into())));
        let number = remote.call_within("begin", &[to_wire(&Value::map(wanted), &mut NoObjects)], PATIENCE)?;
        let names = remote.call_within("services", &[], PATIENCE)?;
        let names = names.as_slice().unwrap_or_default().iter().filter_map(|n| n.as_str().map(str::to_owned));
        let (services, number) = (names.collect(), number.as_u64().unwrap_or_default());
        Ok(Self { remote, number, services, alive: BTreeSet::new(), rest: None, lost: None, loss_reported: false })
    }

    /// Returns why the robot does not answer any more, if that is so.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    fn send_request(
        &mut self,
        what: &str,
        now: Time,
        random: &mut Random,
        with: Vec<Value>,
    ) -> Result<Response, String> {
        if let Some(why) = &self.lost {
            return Err(why.clone());
        }
        let with = to_wire(&Value::list(with), &mut NoObjects);
        let args = [self.number.into(), what.into(), now.0.into(), random.state().into(), with];
        let said = match self.remote.call_within("ask", &args, PATIENCE) {
            Ok(said) => self.read(&said, random).map_err(|e| e.to_string()),
            Err(e) => Err(e.to_string()),
        };
        if let Err(why) = &said {
            self.lost = Some(why.clone());
            self.alive.clear();
            // Nobody would report that it has come to rest.
            self.rest = None;
        }
        said
    }

    fn read(&mut self, said: &qi::Value, random: &mut Random) -> Result<Response, BadForm> {
        let Some([answer, state, effects, rest, alive]) = said.as_slice() else { return Err(BadForm) };
        let value = |wire: &qi::Value| from_wire(wire, &mut NoObjects);
        let effects = value(effects);
        let effects = effects.as_list().ok_or(BadForm)?.iter().map(effect_of).collect::<Result<_, _>>()?;
        *random = Random::new(state.as_u64().ok_or(BadForm)?);
        self.rest = rest_of(&value(rest))?;
        self.alive = alive.as_slice().ok_or(BadForm)?.iter().filter_map(qi::Value::as_u64).collect();
        Ok(Response { answer: value(answer), effects })
    }

    /// Makes a request and applies its effects. The first request that fails marks the robot as lost.
    fn request(&mut self, cx: &mut ServiceCx<'_>, what: &str, with: Vec<Value>) -> Result<Value, String> {
        let now = cx.now();
        let said = self.send_request(what, now, cx.random(), with);
        if let Err(why) = &said
            && !std::mem::replace(&mut self.loss_reported, true)
        {
            cx.effect(Effect::Lost(format!("the robot is gone: {why}")));
        }
        let said = said?;
        said.effects.into_iter().for_each(|effect| cx.effect(effect));
        Ok(said.answer)
    }

    /// Makes a request that changes nothing.
    fn query(&mut self, what: &str, now: Time, with: Vec<Value>) -> Option<Value> {
        Some(self.send_request(what, now, &mut Random::new(0), with).ok()?.answer)
    }
}

impl Services for HeldRobot {
    fn has_service(&self, service: &str) -> bool {
        self.services.contains(service)
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        let args = Value::list(call.args.iter().cloned());
        let with = vec![Value::Int(call.id.0.into()), call.service.into(), call.method.into(), args];
        match self.request(cx, "call", with) {
            Ok(answer) if answer.as_list() == Some(&["pending".into()]) => Outcome::Pending,
            Ok(answer) => {
                Outcome::Ready(result_of(&answer).unwrap_or_else(|e| Err(ServiceError::Failed(e.to_string()))))
            }
            Err(why) => Outcome::Ready(Err(ServiceError::Failed(why))),
        }
    }

    fn cancel(&mut self, cx: &mut ServiceCx<'_>, call: CallId) {
        // A robot that is gone has ended the call.
        let _ = self.request(cx, "cancel", vec![Value::Int(call.0.into())]);
    }

    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        let _ = self.request(cx, "timer", vec![Value::Int(token as i64)]);
    }

    fn timer_alive(&self, token: u64) -> bool {
        self.alive.contains(&token)
    }

    fn subscribe(&mut self, cx: &mut ServiceCx<'_>, of: &Topic, on: bool) -> Result<(), ServiceError> {
        let answer = self.request(cx, "subscribe", vec![topic(of), on.into()]).map_err(ServiceError::Failed)?;
        result_of(&answer).map_err(|e| ServiceError::Failed(e.to_string()))?.map(drop)
    }

    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        let _ = self.request(cx, "raise", vec![key.into(), value]);
    }

    fn hear(&mut self, cx: &mut ServiceCx<'_>, text: &str) -> bool {
        self.request(cx, "hear", vec![text.into()]).is_ok()
    }

    fn open_dialog(&mut self, cx: &mut ServiceCx<'_>, dialog: &DialogBox) -> Option<Result<Arc<str>, String>> {
        let names = |names: &[Arc<str>]| Value::list(names.iter().cloned().map(Value::Str));
        let file = dialog.file.to_string_lossy().into_owned();
        let opened = self.request(cx, "open dialog", vec![file.into(), names(&dialog.inputs), names(&dialog.outputs)]);
        Some(match opened.as_ref().map(result_of) {
            Ok(Ok(Ok(Value::Str(topic)))) => Ok(topic),
            Ok(Ok(Err(ServiceError::Failed(why)))) => Err(why),
            Ok(_) => Err(BadForm.to_string()),
            Err(why) => Err(why.clone()),
        })
    }

    fn dialog_input(&mut self, cx: &mut ServiceCx<'_>, topic: &str, input: &str, value: Value) {
        let _ = self.request(cx, "dialog input", vec![topic.into(), input.into(), value]);
    }

    fn answered(&mut self, cx: &mut ServiceCx<'_>, number: u64, answer: Result<Value, ServiceError>) {
        let _ = self.request(cx, "answered", vec![Value::Int(number as i64), result(&answer)]);
    }

    fn remember(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        let _ = self.request(cx, "remember", vec![key.into(), value]);
    }

    fn memory(&mut self, now: Time, key: &str) -> Option<Value> {
        self.query("memory", now, vec![key.into()])?.as_list()?.first().cloned()
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        let how = match how {
            // The robot exists for this run only.
            Halt::Walk | Halt::Over => "walk",
            Halt::Safely => "safely",
            Halt::AtOnce => "at once",
        };
        let _ = self.request(cx, "halt", vec![how.into()]);
    }

    fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        self.rest.clone()
    }

    fn language(&self) -> String {
        let asked = [self.number.into(), "language".into(), 0i64.into(), 0u64.into(), qi::Value::list([])];
        let said = self.remote.call_within("ask", &asked, PATIENCE).ok();
        let language = said.as_ref().and_then(|said| said.as_slice()?.first()?.plain().as_str().map(str::to_owned));
        language.unwrap_or_else(|| SimOptions::default().language)
    }

    fn joints(&mut self, now: Time) -> Option<Vec<(Arc<str>, f64)>> {
        let joints = self.query("joints", now, Vec::new())?;
        let joint = |pair: &Value| match pair.as_list() {
            Some([Value::Str(name), angle]) => Some((name.clone(), angle.as_f64()?)),
            _ => None,
        };
        joints.as_list()?.iter().map(joint).collect()
    }
}
