//! Calls are sent immediately if the service is cached, else by the worker thread, in the same order.

use super::cancel_table::{self, OngoingAction, StopCommand};
use super::connection::Connection;
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

/// How long the worker thread waits for a subscription to be set up before it continues with the next job.
const SET_UP: Duration = Duration::from_secs(2);

/// A call that the robot has not answered.
pub(super) struct OpenCall {
    pub(super) service: Arc<str>,
    pub(super) method: Arc<str>,
    args: Vec<Value>,
    /// The command that stops it.
    pub(super) command: Option<StopCommand>,
    /// The robot has been told to stop it.
    pub(super) told: bool,
    /// The caller has canceled it; the robot's answer is still to come.
    given_up: bool,
    /// It is being sent, or has been sent.
    sent: bool,
    cancel: Option<Box<dyn Fn() + Send>>,
    /// It is a sound that is played in a loop.
    again: bool,
}

impl OpenCall {
    /// Returns whether the call has a fixed duration and no command that stops it: NAOqi has no command to stop lights,
    /// and a robot that lies down finishes lying down.
    pub(super) fn is_stubborn(&self) -> bool {
        let own_time = &*self.service == "ALLeds" || matches!(&*self.method, "rest" | "wakeUp");
        self.command.is_none() && own_time
    }

    /// Sends the protocol's cancel request, which few methods of the robot support.
    pub(super) fn give_up(&self) {
        if let Some(cancel) = &self.cancel {
            cancel();
        }
    }
}

/// A job of the worker thread.
pub(super) enum RobotJob {
    Call {
        id: Option<CallId>,
        service: Arc<str>,
        method: Arc<str>,
        args: Vec<Value>,
    },
    /// Waits until a subscription is set up, and so do the jobs behind.
    SetUp(Receiver<()>),
    /// A stop command that must follow other calls, or whose service is not cached.
    Stop(Stop),
}

/// The loop of the worker thread.
pub(super) fn work(connection: &Weak<Connection>, jobs: &Receiver<RobotJob>) {
    for job in jobs {
        let Some(connection) = connection.upgrade() else { return };
        match job {
            RobotJob::Call { id, service, method, args } => connection.send(id, &service, &method, &args),
            // Set up or not: the jobs behind have waited long enough.
            RobotJob::SetUp(done) => drop(done.recv_timeout(SET_UP)),
            RobotJob::Stop(stop) => connection.send_stop(stop, None),
        }
        connection.state().queued -= 1;
    }
}

impl Connection {
    /// Starts a call; the answer arrives through the mailbox.
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
        report_act(cx, call);
        let (service, method): (Arc<str>, Arc<str>) = (call.service.into(), method.into());
        let mut state = self.state();
        if cancel_table::starts_walk(&service, &method) {
            state.stops.walks = Some(call.id);
        }
        if let Some(begun) = cancel_table::action_after(call) {
            state.stops.ongoing.retain(|b| b.command != begun.command);
            state.stops.ongoing.push(begun);
        }
        let open = OpenCall {
            service: service.clone(),
            method: method.clone(),
            command: cancel_table::stop_command_of(&service, &method, &args),
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

    /// Makes a call whose failure is only reported as a warning.
    pub(super) fn post(self: &Arc<Self>, service: &str, method: &str, args: Vec<Value>) {
        self.queue(None, service.into(), method.into(), args);
    }

    /// Sends a call after all earlier calls: immediately if the service is cached and no job is queued.
    fn queue(self: &Arc<Self>, id: Option<CallId>, service: Arc<str>, method: Arc<str>, args: Vec<Value>) {
        let mut state = self.state();
        let known = state.remotes.contains_key(&service) || state.objects.get(&service).is_some();
        if known && state.queued == 0 {
            drop(state);
            return self.send(id, &service, &method, &args);
        }
        state.queued += 1;
        drop(state);
        // The thread lives as long as the connection.
        let _ = self.work.send(RobotJob::Call { id, service, method, args });
    }

    /// Makes later calls wait until something is set up.
    pub(super) fn queue_set_up(&self, done: Receiver<()>) {
        self.state().queued += 1;
        let _ = self.work.send(RobotJob::SetUp(done));
    }

    /// Sends a call.
    fn send(self: &Arc<Self>, id: Option<CallId>, service: &Arc<str>, method: &Arc<str>, args: &[Value]) {
        if let Some(id) = id {
            let mut state = self.state();
            match state.open.get_mut(&id) {
                None => return, // Canceled before it was sent.
                // A call that was stopped before it was sent is not started.
                Some(open) if open.told => {
                    drop(state);
                    return self.answered(Some(id), service, method, Err(Error::Canceled));
                }
                Some(open) => open.sent = true,
            }
        }
        let started = match self.find_to_act(service) {
            Ok(Some(remote)) => remote.start(method, &wire_args(self, args)),
            // Nothing was started.
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
                    // It was canceled while it was being sent.
                    if open.given_up && open.command.is_none() {
                        open.give_up();
                    }
                }
                None => {
                    drop(state);
                    pending.cancel();
                }
            }
        }
        let (connection, service, method) = (Arc::downgrade(self), service.clone(), method.clone());
        pending.then(move |answer| {
            if let Some(connection) = connection.upgrade() {
                connection.answered(id, &service, &method, answer);
            }
        });
    }

    /// Handles the robot's answer, or the end of the connection.
    fn answered(
        self: &Arc<Self>,
        id: Option<CallId>,
        service: &Arc<str>,
        method: &Arc<str>,
        answer: Result<boxstep_qi::Value, Error>,
    ) {
        if let Err(Error::Gone(_)) = &answer {
            // The service may run in a separate process, which may restart in a different state.
            let stale = self.state().remotes.remove(service);
            drop(stale);
            if preflight::is_queried(service) {
                self.doubt();
            }
        }
        let Some(id) = id else {
            if let Err(error) = answer {
                let why = self.script_error(error).message(service, method);
                self.mailbox.put(Effect::Warn(why));
            }
            return;
        };
        let mut state = self.state();
        // A sound in a loop starts again when it has been played.
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
                // The robot continues without the connection.
                Err(Error::Gone(_)) if !open.told => {
                    let begun = open.command.clone().map(|command| OngoingAction { by: id, command, until: None });
                    state.stops.ongoing.extend(begun);
                }
                Err(_) => state.stops.ongoing.retain(|b| b.by != id),
            }
        }
        drop(state);
        self.changed.notify_all();
        if was_open.is_some_and(|open| !open.given_up) {
            let result = match answer {
                Ok(value) => Ok(from_wire(&value, &mut Passing(self))),
                Err(error) => Err(self.script_error(error)),
            };
            self.mailbox.put(Effect::Complete(id, result));
        }
    }

    /// Cancels a call and stops what it has started. The call stays open until the robot has answered it, so that a
    /// missing answer is reported at the end.
    pub(super) fn cancel(self: &Arc<Self>, id: CallId) {
        let mut state = self.state();
        let Some(open) = state.open.get_mut(&id) else { return };
        let was_told = std::mem::replace(&mut open.told, true);
        (open.given_up, open.again) = (true, false);
        let command = open.command.clone();
        match &command {
            // The stop command lets the robot finish the call and answer it.
            Some(_) => {}
            None => open.give_up(),
        }
        if !open.sent {
            state.open.remove(&id);
        }
        if let Some(command) = command.filter(|_| !was_told) {
            let stop = state.stops.new_stop(command, false);
            drop(state);
            self.send_in_turn(stop);
        }
    }

    /// Sends a stop command after all earlier calls.
    fn send_in_turn(self: &Arc<Self>, stop: Stop) {
        if self.state().queued == 0 { self.send_stops(vec![stop]) } else { self.queue_stop(stop) }
    }

    /// Ends all sounds in loops after the current round.
    pub(super) fn end_loops(&self) {
        self.state().open.values_mut().for_each(|open| open.again = false);
    }

    /// Rejects a method that the service is known not to have.
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

    /// Returns why the robot cannot be commanded now.
    fn why_not(&self) -> String {
        let name = &self.options.name;
        match self.session() {
            None => format!("{name}: connection lost"),
            Some(_) => {
                format!("{name}: the connection was lost, and whether the robot is still ready is not known yet")
            }
        }
    }

    /// Converts an error for scripts.
    pub(super) fn script_error(&self, error: Error) -> ServiceError {
        let name = &self.options.name;
        match error {
            Error::NoService { .. } => ServiceError::NoService,
            Error::NoMember { .. } => ServiceError::NoMethod,
            Error::Arguments { .. } | Error::Encode(_) => ServiceError::BadArguments(error.to_string()),
            // The lines after the first are a traceback in the robot's own program.
            Error::Remote { text } => ServiceError::Failed(text.trim().to_owned()),
            Error::Gone(gone) => ServiceError::Failed(format!("{name}: connection lost ({gone})")),
            other => ServiceError::Failed(format!("{name}: {other}")),
        }
    }
}

fn bring(files: &Files, call: &ServiceCall<'_>) -> Result<Brought, ServiceError> {
    files.bring(call.service, call.method, call.args)
}

/// Reports what a person is about to see or hear.
fn report_act(cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) {
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
