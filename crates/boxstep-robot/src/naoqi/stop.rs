//! Stop commands, and their confirmation.
//!
//! A stop command is sent immediately, and nothing waits for its answer; at the end of a run [`Connection::settle`]
//! waits briefly for unconfirmed commands. A robot whose connection is broken or silent is told to stop over a new one.

use super::calls::{OpenCall, RobotJob};
use super::cancel_table::{self, OngoingAction, StopCommand};
use super::connection::{Connection, ConnectionState};
use super::wire_args;
use boxstep_engine::CallId;
use boxstep_engine::services::{Effect, Halt};
use boxstep_qi::{Error, Remote, Session};
use boxstep_types::{Time, Value};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// A stop command for the robot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stop {
    number: u64,
    command: StopCommand,
    /// The walk that was in progress when it was made.
    walk: Option<CallId>,
    /// Whether it halts the whole robot; otherwise it stops one box's action, and the run continues.
    halts: bool,
}

/// Stop commands that have not been confirmed, and actions in progress.
#[derive(Default)]
pub(super) struct Stops {
    /// The call that has started a walk which may still be in progress, if no halt was sent since.
    pub(super) walks: Option<CallId>,
    /// Actions that continue after their calls were answered.
    pub(super) ongoing: Vec<OngoingAction>,
    sent: Vec<(Stop, Option<String>)>,
    /// Commands that could not be sent yet.
    owed: Vec<Stop>,
    /// When the walk was told to stop, until it has stopped.
    ends: Option<Time>,
    made: u64,
}

impl Stops {
    /// Makes unconfirmed commands owed, because they have to be sent again.
    pub(super) fn link_lost(&mut self) {
        self.ends = None;
        let open = std::mem::take(&mut self.sent).into_iter().filter(|(_, why)| why.is_none()).map(|(stop, _)| stop);
        let mut owed: Vec<Stop> = open.collect();
        owed.append(&mut self.owed);
        self.owed = owed;
    }

    /// Returns the commands to send over the new link. They count as sent immediately, so that no thread sees an empty
    /// list in between.
    pub(super) fn take_owed(&mut self) -> Vec<Stop> {
        let owed = std::mem::take(&mut self.owed);
        self.sent.extend(owed.iter().map(|stop| (stop.clone(), None)));
        owed
    }

    /// Counts a command as sent, once. Returns false if the link went down again, so that the command is owed.
    fn count_as_sent(&mut self, stop: &Stop) -> bool {
        if self.owed.iter().any(|owed| owed.number == stop.number) {
            return false;
        }
        if !self.sent.iter().any(|(sent, _)| sent.number == stop.number) {
            self.sent.push((stop.clone(), None));
        }
        true
    }

    pub(super) fn new_stop(&mut self, command: StopCommand, halts: bool) -> Stop {
        self.made += 1;
        Stop { number: self.made, command, walk: self.walks, halts }
    }

    /// Updates walks and actions after an answered call.
    pub(super) fn has_ended(&mut self, call: CallId, service: &Arc<str>, method: &Arc<str>, args: &[Value]) {
        let stands = cancel_table::ends_walk(service, method) && self.walks.is_some_and(|walk| walk < call);
        let arrived = matches!(&**method, "moveTo" | "walkTo") && self.walks == Some(call);
        if stands || arrived {
            self.walks = None;
        }
        self.ongoing.retain(|b| !cancel_table::is_stopped_by(&b.command, service, method, args));
    }

    fn answered(&mut self, number: u64, failed: Option<String>) {
        let at = self.sent.iter().position(|(stop, _)| stop.number == number);
        if let Some(at) = at {
            let stop = &self.sent[at].0;
            if stop.command.method.ends_with("Move") && stop.command.service == "ALMotion" {
                self.ends = None;
                if failed.is_none() && stop.walk == self.walks {
                    self.walks = None;
                }
            }
            match failed {
                None => drop(self.sent.remove(at)),
                why => self.sent[at].1 = why,
            }
        }
    }

    /// Returns whether no answer is expected any more.
    fn settled(&self) -> bool {
        self.owed.is_empty() && self.sent.iter().all(|(_, failed)| failed.is_some())
    }
}

impl ConnectionState {
    /// Returns whether every expected answer has arrived.
    fn is_still(&self) -> bool {
        self.stops.settled() && self.dialog_settled() && (self.session.is_none() || self.unanswered().next().is_none())
    }
}

/// The actions that an interrupted robot stops, whatever program started them.
const EVERYTHING: [(&str, &str); 3] =
    [("ALRobotPosture", "stopMove"), ("ALTextToSpeech", "stopAll"), ("ALAudioPlayer", "stopAll")];

/// How long to wait for an answer before the robot is told to stop over another connection.
const SILENT: Duration = Duration::from_millis(150);

impl Connection {
    /// Tells the robot to stop: the commands are sent immediately and confirmed later.
    pub(super) fn halt(self: &Arc<Self>, how: Halt, now: Time) {
        self.end_loops();
        let mut state = self.state();
        let walks = state.stops.walks;
        let mut all: Vec<StopCommand> = Vec::new();
        let stands = walks.is_some() || matches!(how, Halt::Safely | Halt::AtOnce);
        if stands {
            let walk = if how == Halt::AtOnce && walks.is_some() { "killMove" } else { "stopMove" };
            all.push(StopCommand::new("ALMotion", walk));
        }
        if how != Halt::Walk {
            for open in
                state.open.values_mut().filter(|open| !open.told && (open.command.is_some() || how == Halt::Over))
            {
                match &open.command {
                    // A walk is stopped once.
                    Some(command) if stands && *command == StopCommand::new("ALMotion", "stopMove") => {}
                    Some(command) => StopCommand::add(&mut all, command.clone()),
                    // NAOqi has no command to stop lights.
                    None if &*open.service == "ALLeds" => open.give_up(),
                    None if open.is_stubborn() => continue,
                    // `settle` waits for it; it is not canceled, because it may be a cleanup call.
                    None => {}
                }
                open.told = true;
            }
            let now = Instant::now();
            let begun =
                std::mem::take(&mut state.stops.ongoing).into_iter().filter(|b| b.until.is_none_or(|at| at > now));
            begun.for_each(|begun| StopCommand::add(&mut all, begun.command));
        }
        if matches!(how, Halt::Safely | Halt::AtOnce) {
            for (service, method) in EVERYTHING {
                StopCommand::add(&mut all, StopCommand::new(service, method));
            }
        }
        let up = state.session.is_some();
        // A robot without the service has nothing to stop there.
        all.retain(|command| !up || state.services.contains(command.service));
        // Motion first: a robot that keeps talking does not fall.
        all.sort_by_key(|command| command.service != "ALMotion");
        let stops: Vec<Stop> = all.into_iter().map(|command| state.stops.new_stop(command, true)).collect();
        if walks.is_some() {
            (state.stops.walks, state.stops.ends) = (None, Some(now));
        }
        if !up {
            // The same command need not be sent twice.
            for stop in stops {
                if !state.stops.owed.iter().any(|owed| owed.command == stop.command) {
                    state.stops.owed.push(stop);
                }
            }
            return;
        }
        drop(state);
        self.send_stops(stops);
    }

    /// Sends stop commands without waiting.
    pub(super) fn send_stops(self: &Arc<Self>, stops: Vec<Stop>) {
        for stop in stops {
            let state = self.state();
            match state.remotes.get(stop.command.service).cloned() {
                Some(remote) => {
                    drop(state);
                    self.send_stop(stop, Some(remote));
                }
                None => {
                    drop(state);
                    self.queue_stop(stop);
                }
            }
        }
    }

    /// Sends a stop command after all queued jobs.
    pub(super) fn queue_stop(&self, stop: Stop) {
        let mut state = self.state();
        if !state.stops.count_as_sent(&stop) {
            return;
        }
        state.queued += 1;
        drop(state);
        // The thread lives as long as the connection.
        let _ = self.work.send(RobotJob::Stop(stop));
    }

    /// Sends a stop command. If the service is not known, it is looked up, which waits for the robot.
    pub(super) fn send_stop(self: &Arc<Self>, stop: Stop, remote: Option<Remote>) {
        if !self.state().stops.count_as_sent(&stop) {
            return;
        }
        let found = remote.map_or_else(|| self.find(stop.command.service), Ok);
        match found.and_then(|remote| remote.start(stop.command.method, &wire_args(self, &stop.command.args))) {
            Ok(pending) => {
                let (connection, number) = (Arc::downgrade(self), stop.number);
                pending.then(move |answer| {
                    if let Some(connection) = connection.upgrade() {
                        connection.stop_answered(number, answer.err());
                    }
                });
            }
            Err(error) => self.stop_answered(stop.number, Some(error)),
        }
    }

    fn stop_answered(&self, number: u64, error: Option<Error>) {
        let mut state = self.state();
        match error {
            // It will be sent again over the next link, or reported as not sent.
            Some(Error::Gone(_) | Error::Canceled) => {
                if let Some(at) = state.stops.sent.iter().position(|(stop, _)| stop.number == number) {
                    let (stop, _) = state.stops.sent.remove(at);
                    state.stops.owed.push(stop);
                }
            }
            // A robot that lacks the method cannot be doing it.
            Some(Error::NoMember { .. } | Error::NoService { .. }) | None => state.stops.answered(number, None),
            Some(error) => {
                let one = state.stops.sent.iter().find(|(stop, _)| stop.number == number && !stop.halts);
                if let Some(StopCommand { service, method, .. }) = one.map(|(stop, _)| stop.command.clone()) {
                    // The run continues, with a warning.
                    state.stops.answered(number, None);
                    self.mailbox.put(Effect::Warn(self.script_error(error).message(service, method)));
                } else {
                    state.stops.answered(number, Some(error.to_string()));
                }
            }
        }
        drop(state);
        self.changed.notify_all();
        self.mailbox.wake();
    }

    pub(super) fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        self.state().stops.ends.map(|since| ("walking".into(), since))
    }

    /// Waits up to `most` until everything is confirmed; then returns a message for each unconfirmed item.
    pub(super) fn settle(self: &Arc<Self>, most: Duration) -> Vec<String> {
        let until = Instant::now() + most;
        self.wait_until(SILENT.min(most), |state| state.is_still() && state.open.is_empty());
        // If not even a stop command is confirmed, no answer will come over this link; what counts is the stop over
        // another one.
        let is_dumb = !self.state().stops.settled();
        if is_dumb {
            let connection = Arc::downgrade(self);
            let left = until.saturating_duration_since(Instant::now());
            // A robot that is rebooting, or a network that has dropped this connection, may still accept a new one.
            let _ = std::thread::Builder::new().name("naoqi-stop".to_owned()).spawn(move || {
                if let Some(connection) = connection.upgrade() {
                    connection.resend_stops(left);
                }
            });
        }
        let left = until.saturating_duration_since(Instant::now());
        self.wait_until(left, |state| match is_dumb {
            true => state.stops.settled() && state.dialog_settled(),
            false => state.is_still(),
        });
        let name = &self.options.name;
        let state = self.state();
        let stops = &state.stops;
        let failed = stops.sent.iter().map(|(stop, failed)| match failed {
            Some(why) => {
                let (service, method) = (&stop.command.service, &stop.command.method);
                format!("{name}: {service}.{method} failed: {why}: {}", may_still(service))
            }
            None => {
                let (service, method) = (&stop.command.service, &stop.command.method);
                format!("{name} has not confirmed {service}.{method}: {}", may_still(service))
            }
        });
        let owed = stops.owed.iter().map(|s| &s.command);
        let owed =
            owed.map(|e| format!("{name} could not be told {}.{}: {}", e.service, e.method, may_still(e.service)));
        // If the stop command itself is not confirmed, that has been reported already.
        let stopped = |open: &&OpenCall| {
            let by = |command: &StopCommand| stops.sent.iter().any(|(stop, _)| stop.command.is_same_method(command));
            !open.command.as_ref().is_some_and(by)
        };
        let silent = state.unanswered().filter(|open| !is_dumb || open.command.is_none()).filter(stopped);
        let silent = silent.map(|open| {
            format!("{name} has not answered {}.{}: {}", open.service, open.method, may_still(&open.service))
        });
        failed.chain(owed).chain(silent).collect()
    }

    /// Returns messages about unanswered calls that no command stops.
    pub(super) fn unstoppable_actions(&self) -> Vec<String> {
        let state = self.state();
        let name = &self.options.name;
        state
            .unstoppable_actions()
            .map(|open| format!("{name}: {}.{} continues to its own end", open.service, open.method))
            .collect()
    }

    pub(super) fn wait_until(&self, most: Duration, so: impl Fn(&ConnectionState) -> bool) {
        let until = Instant::now() + most;
        let mut state = self.state();
        while !so(&state) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sends all unconfirmed stop commands again, over a separate connection.
    fn resend_stops(&self, most: Duration) {
        let until = Instant::now() + most;
        let left = || until.saturating_duration_since(Instant::now());
        let mut options = self.options.qi.clone();
        (options.connect_within, options.answer_within) = (most, most);
        let Ok(session) = Session::connect_with(&self.options.address, options) else { return };
        let stops: Vec<Stop> = {
            let state = self.state();
            let open = state.stops.sent.iter().filter(|(_, failed)| failed.is_none()).map(|(stop, _)| stop);
            open.chain(&state.stops.owed).cloned().collect()
        };
        for stop in stops {
            let told = session.service(stop.command.service).and_then(|remote| {
                remote.call_within(stop.command.method, &wire_args(self, &stop.command.args), left())
            });
            let mut state = self.state();
            if told.is_ok() || matches!(told, Err(Error::NoMember { .. } | Error::NoService { .. })) {
                state.stops.owed.retain(|owed| owed.number != stop.number);
                state.stops.answered(stop.number, None);
            }
            drop(state);
            self.changed.notify_all();
        }
        session.close();
    }
}

/// Returns what a robot may still be doing if it has not confirmed a stop of this service.
fn may_still(service: &str) -> &'static str {
    match service {
        "ALTextToSpeech" | "ALDialog" => "the robot may still speak",
        "ALAnimatedSpeech" => "the robot may still speak and move",
        "ALAudioPlayer" | "ALTabletService" => "the robot may still play",
        "ALAudioRecorder" | "ALAudioDevice" | "ALVideoRecorder" => "the robot may still record",
        "ALMotion" | "ALRobotPosture" | "ALTracker" | "ALNavigation" | "ALAnimationPlayer" | "ALBehaviorManager"
        | "ALAutonomousLife" | "DCM" => "the robot may still move",
        _ => "the robot may still be doing it",
    }
}
