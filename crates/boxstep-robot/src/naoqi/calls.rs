//! Calls: sent at once where the service is known, else by the robot's thread, in the same order.

use super::cancel_table::{self, Begun, Ending};
use super::connection::Line;
use super::files::{Brought, Files};
use super::objects::Passing;
use super::stop::Stop;
use super::{preflight, wire_args};
use crate::wire::from_wire;
use boxstep_engine::CallId;
use boxstep_engine::services::{Effect, ServiceCall, ServiceCx, ServiceError};
use boxstep_qi::{Error, Remote};
use boxstep_types::Value;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How long the robot's thread waits for a subscription to be set up before it goes on with what comes after it.
const SET_UP: Duration = Duration::from_secs(2);

/// A call that the robot has not answered.
pub(super) struct OpenCall {
    pub(super) service: Arc<str>,
    pub(super) method: Arc<str>,
    args: Vec<Value>,
    /// What ends it.
    pub(super) ending: Option<Ending>,
    /// The robot has been told to end it.
    pub(super) told: bool,
    /// Nobody waits for its answer any more; it is still to come.
    given_up: bool,
    /// It is on its way to the robot, or there.
    sent: bool,
    cancel: Option<Box<dyn Fn() + Send>>,
    /// It is played again and again.
    again: bool,
}

impl OpenCall {
    /// It has its own time, and nothing that ends it: NAOqi has no way to end lights, and a robot that lies down lies down.
    pub(super) fn is_stubborn(&self) -> bool {
        let own_time = &*self.service == "ALLeds" || matches!(&*self.method, "rest" | "wakeUp");
        self.ending.is_none() && own_time
    }

    /// The robot is told that nobody waits any more; few of its methods mind.
    pub(super) fn give_up(&self) {
        if let Some(cancel) = &self.cancel {
            cancel();
        }
    }
}

/// Work that takes several steps with the robot.
pub(super) enum RobotJob {
    Call {
        id: Option<CallId>,
        service: Arc<str>,
        method: Arc<str>,
        args: Vec<Value>,
    },
    /// Something is being set up: what comes after it waits for it.
    SetUp(Receiver<()>),
    /// A stop that comes after other calls, or whose service is not known yet.
    Stop(Stop),
}

/// The robot's thread.
pub(super) fn work(line: &Weak<Line>, jobs: &Receiver<RobotJob>) {
    for job in jobs {
        let Some(line) = line.upgrade() else { return };
        match job {
            RobotJob::Call { id, service, method, args } => line.send(id, &service, &method, &args),
            // Whether it came to be or not: what is behind it has waited long enough.
            RobotJob::SetUp(done) => drop(done.recv_timeout(SET_UP)),
            RobotJob::Stop(stop) => line.send_stop(stop, None),
        }
        line.state().queued -= 1;
    }
}

impl Line {
    /// Begins a call; the answer comes by the mailbox.
    pub(super) fn call(self: &Arc<Self>, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Result<(), ServiceError> {
        if !self.state().may_act() || self.session().is_none() {
            return Err(self.no_link());
        }
        if !self.has_service(call.service) {
            return Err(ServiceError::NoService);
        }
        let brought = self.files.get().map_or(Ok(Brought::AsItIs), |files| bring(files, call))?;
        let (method, args, again) = match brought {
            Brought::AsItIs => (call.method, call.args.to_vec(), false),
            Brought::Instead { method, args, again } => (method, args, again),
            Brought::Answered(value) => {
                self.mailbox.put(Effect::Complete(call.id, Ok(value)));
                return Ok(());
            }
        };
        self.check_member(call.service, method)?;
        tell(cx, call);
        let (service, method): (Arc<str>, Arc<str>) = (call.service.into(), method.into());
        let mut state = self.state();
        if cancel_table::walks(&service, &method) {
            state.stops.walks = Some(call.id);
        }
        if let Some(begun) = cancel_table::by_call(call) {
            state.stops.begun.retain(|b| b.ending != begun.ending);
            state.stops.begun.push(begun);
        }
        let open = OpenCall {
            service: service.clone(),
            method: method.clone(),
            ending: cancel_table::of_call(&service, &method, &args),
            args: args.clone(),
            told: false,
            given_up: false,
            sent: false,
            cancel: None,
            again,
        };
        state.open.insert(call.id, open);
        drop(state);
        self.queue(Some(call.id), service, method, args);
        Ok(())
    }

    /// Calls and hears nothing but that it failed.
    pub(super) fn tell(self: &Arc<Self>, service: &str, method: &str, args: Vec<Value>) {
        self.queue(None, service.into(), method.into(), args);
    }

    /// Sends a call after all that were made before it: at once if the service is known and nothing waits.
    fn queue(self: &Arc<Self>, id: Option<CallId>, service: Arc<str>, method: Arc<str>, args: Vec<Value>) {
        let mut state = self.state();
        let known = state.remotes.contains_key(&service) || state.objects.get(&service).is_some();
        if known && state.queued == 0 {
            drop(state);
            return self.send(id, &service, &method, &args);
        }
        state.queued += 1;
        drop(state);
        // The thread lives as long as the line.
        let _ = self.work.send(RobotJob::Call { id, service, method, args });
    }

    /// What comes after this waits until something is set up.
    pub(super) fn queue_set_up(&self, done: Receiver<()>) {
        self.state().queued += 1;
        let _ = self.work.send(RobotJob::SetUp(done));
    }

    /// Sends a call.
    fn send(self: &Arc<Self>, id: Option<CallId>, service: &Arc<str>, method: &Arc<str>, args: &[Value]) {
        if let Some(id) = id {
            let mut state = self.state();
            match state.open.get_mut(&id) {
                None => return, // given up before its turn
                // What was to be ended is not begun.
                Some(open) if open.told => {
                    drop(state);
                    return self.answered(Some(id), service, method, Err(Error::Canceled));
                }
                Some(open) => open.sent = true,
            }
        }
        let started = match self.find_to_act(service) {
            Ok(Some(remote)) => remote.start(method, &wire_args(self, args)),
            // Nothing has been begun.
            Ok(None) => Err(Error::Remote { text: self.why_not() }),
            Err(error) => Err(error),
        };
        let pending = match started {
            Ok(pending) => pending,
            Err(error) => return self.answered(id, service, method, Err(error)),
        };
        if let Some(id) = id {
            let mut state = self.state();
            match state.open.get_mut(&id) {
                Some(open) => {
                    open.cancel = Some(Box::new(pending.canceler()));
                    // It was given up while it was sent.
                    if open.given_up && open.ending.is_none() {
                        open.give_up();
                    }
                }
                None => {
                    drop(state);
                    pending.cancel();
                }
            }
        }
        let (line, service, method) = (Arc::downgrade(self), service.clone(), method.clone());
        pending.then(move |answer| {
            if let Some(line) = line.upgrade() {
                line.answered(id, &service, &method, answer);
            }
        });
    }

    /// The robot has answered, or will not any more.
    fn answered(
        self: &Arc<Self>,
        id: Option<CallId>,
        service: &Arc<str>,
        method: &Arc<str>,
        answer: Result<boxstep_qi::Value, Error>,
    ) {
        if let Err(Error::Gone(_)) = &answer {
            // A service in a process of its own, which may come again, and need not be as it was.
            let stale = self.state().remotes.remove(service);
            drop(stale);
            if preflight::asks(service) {
                self.doubt();
            }
        }
        let Some(id) = id else {
            if let Err(error) = answer {
                let why = self.words(error).message(service, method);
                self.mailbox.put(Effect::Warn(why));
            }
            return;
        };
        let mut state = self.state();
        // A sound in a loop begins again when it has been played.
        if let Some(args) = state.open.get(&id).filter(|open| open.again && answer.is_ok()).map(|o| o.args.clone()) {
            state.queued += 1;
            drop(state);
            let _ =
                self.work.send(RobotJob::Call { id: Some(id), service: service.clone(), method: method.clone(), args });
            return;
        }
        let was_open = state.open.remove(&id);
        if let Some(open) = &was_open {
            match &answer {
                Ok(_) => state.stops.has_ended(id, service, method, &open.args),
                // The robot goes on without us.
                Err(Error::Gone(_)) if !open.told => {
                    let begun = open.ending.clone().map(|ending| Begun { by: id, ending, until: None });
                    state.stops.begun.extend(begun);
                }
                Err(_) => state.stops.begun.retain(|b| b.by != id),
            }
        }
        drop(state);
        self.changed.notify_all();
        if was_open.is_some_and(|open| !open.given_up) {
            let result = match answer {
                Ok(value) => Ok(from_wire(&value, &mut Passing(self))),
                Err(error) => Err(self.words(error)),
            };
            self.mailbox.put(Effect::Complete(id, result));
        }
    }

    /// Gives a call up, and stops what it has begun. It is open until the robot has answered it: one that never comes back is told of.
    pub(super) fn cancel(self: &Arc<Self>, id: CallId) {
        let mut state = self.state();
        let Some(open) = state.open.get_mut(&id) else { return };
        let was_told = std::mem::replace(&mut open.told, true);
        (open.given_up, open.again) = (true, false);
        let ending = open.ending.clone();
        match &ending {
            // What the robot has a command for it is to end by that, and then to answer.
            Some(_) => {}
            None => open.give_up(),
        }
        if !open.sent {
            state.open.remove(&id);
        }
        if let Some(ending) = ending.filter(|_| !was_told) {
            let stop = state.stops.new_stop(ending, false);
            drop(state);
            self.send_in_turn(stop);
        }
    }

    /// Sends a stop after all calls that were made before it.
    fn send_in_turn(self: &Arc<Self>, stop: Stop) {
        if self.state().queued == 0 { self.send_stops(vec![stop]) } else { self.queue_stop(stop) }
    }

    /// Nothing that repeats by our doing goes on.
    pub(super) fn end_loops(&self) {
        self.state().open.values_mut().for_each(|open| open.again = false);
    }

    /// Refuses what the service is known not to have.
    fn check_member(&self, service: &str, method: &str) -> Result<(), ServiceError> {
        let state = self.state();
        let remote: Option<&Remote> = state.remotes.get(service).or_else(|| state.objects.get(service));
        match remote {
            Some(remote) if remote.meta().methods_named(method).next().is_none() => Err(ServiceError::NoMethod),
            _ => Ok(()),
        }
    }

    pub(super) fn no_link(&self) -> ServiceError {
        ServiceError::Failed(self.why_not())
    }

    /// Why nothing can be commanded now.
    fn why_not(&self) -> String {
        let name = &self.options.name;
        match self.session() {
            None => format!("{name}: connection lost"),
            Some(_) => {
                format!("{name}: the connection was lost, and whether the robot is still ready is not known yet")
            }
        }
    }

    /// An error as scripts get it.
    pub(super) fn words(&self, error: Error) -> ServiceError {
        let name = &self.options.name;
        match error {
            Error::NoService { .. } => ServiceError::NoService,
            Error::NoMember { .. } => ServiceError::NoMethod,
            Error::Arguments { .. } | Error::Encode(_) => ServiceError::BadArguments(error.to_string()),
            // What follows the first line is where in the robot's own program it was.
            Error::Remote { text } => ServiceError::Failed(text.trim().to_owned()),
            Error::Gone(gone) => ServiceError::Failed(format!("{name}: connection lost ({gone})")),
            other => ServiceError::Failed(format!("{name}: {other}")),
        }
    }
}

fn bring(files: &Files, call: &ServiceCall<'_>) -> Result<Brought, ServiceError> {
    files.bring(call.service, call.method, call.args)
}

/// Says what a person is about to see or hear.
fn tell(cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) {
    let text = || call.args.iter().find_map(Value::as_str).unwrap_or_default().to_owned();
    let said = match (call.service, call.method) {
        ("ALTextToSpeech" | "ALAnimatedSpeech", "say" | "sayToFile") => Some("say"),
        ("ALRobotPosture", "goToPosture" | "applyPosture") => Some("posture"),
        _ => None,
    };
    if let Some(kind) = said {
        cx.act(kind, text(), Value::map([("text", Value::from(text()))]));
    }
}
