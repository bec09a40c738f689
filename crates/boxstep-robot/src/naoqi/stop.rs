//! Telling the robot to stop, and making sure that it was told.
//!
//! A stop is sent at once and waited for by nobody who has something to do; at the end of a run [`Line::settle`] waits a moment for what
//! is not confirmed. A robot whose connection is broken or does not answer is told over a new one.

use super::calls::{OpenCall, RobotJob};
use super::cancel_table::{self, Begun, Ending};
use super::connection::{ConnectionState, Line};
use super::wire_args;
use boxstep_engine::CallId;
use boxstep_engine::services::{Effect, Halt};
use boxstep_qi::{Error, Remote, Session};
use boxstep_types::{Time, Value};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Something that the robot is to do in order to stand still.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stop {
    number: u64,
    ending: Ending,
    /// The walk that there was when it was made.
    walk: Option<CallId>,
    /// For the whole robot; else it is one box's, and the run goes on.
    halts: bool,
}

/// What has been asked of the robot, and not been confirmed.
#[derive(Default)]
pub(super) struct Stops {
    /// The call that has begun a walk which may go on, if no halt was sent since.
    pub(super) walks: Option<CallId>,
    /// What goes on without a call.
    pub(super) begun: Vec<Begun>,
    sent: Vec<(Stop, Option<String>)>,
    /// What could not be sent yet.
    owed: Vec<Stop>,
    /// Since when a walk ends.
    ends: Option<Time>,
    made: u64,
}

impl Stops {
    /// What was not confirmed has to be said again.
    pub(super) fn link_lost(&mut self) {
        self.ends = None;
        let open = std::mem::take(&mut self.sent).into_iter().filter(|(_, why)| why.is_none()).map(|(stop, _)| stop);
        let mut owed: Vec<Stop> = open.collect();
        owed.append(&mut self.owed);
        self.owed = owed;
    }

    /// What is to be sent now that there is a link. It counts as sent at once: nobody is to find nothing open in between.
    pub(super) fn take_owed(&mut self) -> Vec<Stop> {
        let owed = std::mem::take(&mut self.owed);
        self.sent.extend(owed.iter().map(|stop| (stop.clone(), None)));
        owed
    }

    /// Counts one as sent, once. False if the link is down again since, so that it is owed.
    fn count_as_sent(&mut self, stop: &Stop) -> bool {
        if self.owed.iter().any(|owed| owed.number == stop.number) {
            return false;
        }
        if !self.sent.iter().any(|(sent, _)| sent.number == stop.number) {
            self.sent.push((stop.clone(), None));
        }
        true
    }

    pub(super) fn new_stop(&mut self, ending: Ending, halts: bool) -> Stop {
        self.made += 1;
        Stop { number: self.made, ending, walk: self.walks, halts }
    }

    /// The robot has done what a call has asked for.
    pub(super) fn has_ended(&mut self, call: CallId, service: &Arc<str>, method: &Arc<str>, args: &[Value]) {
        let stands = cancel_table::stands(service, method) && self.walks.is_some_and(|walk| walk < call);
        let arrived = matches!(&**method, "moveTo" | "walkTo") && self.walks == Some(call);
        if stands || arrived {
            self.walks = None;
        }
        self.begun.retain(|b| !cancel_table::is_ended_by(&b.ending, service, method, args));
    }

    fn answered(&mut self, number: u64, failed: Option<String>) {
        let at = self.sent.iter().position(|(stop, _)| stop.number == number);
        if let Some(at) = at {
            let stop = &self.sent[at].0;
            if stop.ending.method.ends_with("Move") && stop.ending.service == "ALMotion" {
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

    /// Is there nothing that an answer is still to come for?
    fn settled(&self) -> bool {
        self.owed.is_empty() && self.sent.iter().all(|(_, failed)| failed.is_some())
    }
}

impl ConnectionState {
    /// Everything is answered that is to be answered.
    fn is_still(&self) -> bool {
        self.stops.settled() && self.talks_over() && (self.session.is_none() || self.unanswered().next().is_none())
    }
}

/// What an interrupted robot stops, whoever has begun it.
const EVERYTHING: [(&str, &str); 3] =
    [("ALRobotPosture", "stopMove"), ("ALTextToSpeech", "stopAll"), ("ALAudioPlayer", "stopAll")];

/// How long an answer is waited for before the robot is told over another connection.
const SILENT: Duration = Duration::from_millis(150);

impl Line {
    /// Tells the robot to stop: sent at once, confirmed later.
    pub(super) fn halt(self: &Arc<Self>, how: Halt, now: Time) {
        self.end_loops();
        let mut state = self.state();
        let walks = state.stops.walks;
        let mut all: Vec<Ending> = Vec::new();
        let stands = walks.is_some() || matches!(how, Halt::Safely | Halt::AtOnce);
        if stands {
            let walk = if how == Halt::AtOnce && walks.is_some() { "killMove" } else { "stopMove" };
            all.push(Ending::new("ALMotion", walk));
        }
        if how != Halt::Walk {
            for open in
                state.open.values_mut().filter(|open| !open.told && (open.ending.is_some() || how == Halt::Over))
            {
                match &open.ending {
                    // A walk is ended once.
                    Some(ending) if stands && *ending == Ending::new("ALMotion", "stopMove") => {}
                    Some(ending) => Ending::add(&mut all, ending.clone()),
                    // NAOqi has no way to end lights.
                    None if &*open.service == "ALLeds" => open.give_up(),
                    None if open.is_stubborn() => continue,
                    // It is waited for (`settle`), and not cancelled: it may be what tidies up.
                    None => {}
                }
                open.told = true;
            }
            let now = Instant::now();
            let begun =
                std::mem::take(&mut state.stops.begun).into_iter().filter(|b| b.until.is_none_or(|at| at > now));
            begun.for_each(|begun| Ending::add(&mut all, begun.ending));
        }
        if matches!(how, Halt::Safely | Halt::AtOnce) {
            for (service, method) in EVERYTHING {
                Ending::add(&mut all, Ending::new(service, method));
            }
        }
        let up = state.session.is_some();
        // A robot without the service has nothing of it to stop.
        all.retain(|ending| !up || state.services.contains(ending.service));
        // Motion first: a robot that goes on talking does not fall.
        all.sort_by_key(|ending| ending.service != "ALMotion");
        let stops: Vec<Stop> = all.into_iter().map(|ending| state.stops.new_stop(ending, true)).collect();
        if walks.is_some() {
            (state.stops.walks, state.stops.ends) = (None, Some(now));
        }
        if !up {
            // Said twice is said once.
            for stop in stops {
                if !state.stops.owed.iter().any(|owed| owed.ending == stop.ending) {
                    state.stops.owed.push(stop);
                }
            }
            return;
        }
        drop(state);
        self.send_stops(stops);
    }

    /// Sends what is to be stopped. Nobody waits here.
    pub(super) fn send_stops(self: &Arc<Self>, stops: Vec<Stop>) {
        for stop in stops {
            let state = self.state();
            match state.remotes.get(stop.ending.service).cloned() {
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

    /// Sends a stop after all that waits to be sent.
    pub(super) fn queue_stop(&self, stop: Stop) {
        let mut state = self.state();
        if !state.stops.count_as_sent(&stop) {
            return;
        }
        state.queued += 1;
        drop(state);
        // The thread lives as long as the line.
        let _ = self.work.send(RobotJob::Stop(stop));
    }

    /// Sends a stop, to a service that is looked for if it is not known. (That waits for the robot.)
    pub(super) fn send_stop(self: &Arc<Self>, stop: Stop, remote: Option<Remote>) {
        if !self.state().stops.count_as_sent(&stop) {
            return;
        }
        let found = remote.map_or_else(|| self.find(stop.ending.service), Ok);
        match found.and_then(|remote| remote.start(stop.ending.method, &wire_args(self, &stop.ending.args))) {
            Ok(pending) => {
                let (line, number) = (Arc::downgrade(self), stop.number);
                pending.then(move |answer| {
                    if let Some(line) = line.upgrade() {
                        line.stop_answered(number, answer.err());
                    }
                });
            }
            Err(error) => self.stop_answered(stop.number, Some(error)),
        }
    }

    fn stop_answered(&self, number: u64, error: Option<Error>) {
        let mut state = self.state();
        match error {
            // It will be said again over the next link, or it is told that it could not be.
            Some(Error::Gone(_) | Error::Canceled) => {
                if let Some(at) = state.stops.sent.iter().position(|(stop, _)| stop.number == number) {
                    let (stop, _) = state.stops.sent.remove(at);
                    state.stops.owed.push(stop);
                }
            }
            // What the robot does not know it cannot be doing.
            Some(Error::NoMember { .. } | Error::NoService { .. }) | None => state.stops.answered(number, None),
            Some(error) => {
                let one = state.stops.sent.iter().find(|(stop, _)| stop.number == number && !stop.halts);
                if let Some(Ending { service, method, .. }) = one.map(|(stop, _)| stop.ending.clone()) {
                    // The run goes on, and is told.
                    state.stops.answered(number, None);
                    self.mailbox.put(Effect::Warn(self.words(error).message(service, method)));
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

    /// Waits until all is confirmed, but no longer than that; then says what is not.
    pub(super) fn settle(self: &Arc<Self>, most: Duration) -> Vec<String> {
        let until = Instant::now() + most;
        self.wait_until(SILENT.min(most), |state| state.is_still() && state.open.is_empty());
        // Over a link on which not even a stop is confirmed no answer is to be expected: what counts is the stop over another one.
        let is_dumb = !self.state().stops.settled();
        if is_dumb {
            let line = Arc::downgrade(self);
            let left = until.saturating_duration_since(Instant::now());
            // A robot that is rebooting or a network that has forgotten us may well take a new connection.
            let _ = std::thread::Builder::new().name("naoqi-stop".to_owned()).spawn(move || {
                if let Some(line) = line.upgrade() {
                    line.tell_anew(left);
                }
            });
        }
        let left = until.saturating_duration_since(Instant::now());
        self.wait_until(left, |state| match is_dumb {
            true => state.stops.settled() && state.talks_over(),
            false => state.is_still(),
        });
        let name = &self.options.name;
        let state = self.state();
        let stops = &state.stops;
        let failed = stops.sent.iter().map(|(stop, failed)| match failed {
            Some(why) => {
                let (service, method) = (&stop.ending.service, &stop.ending.method);
                format!("{name}: {service}.{method} failed: {why}: {}", may_still(service))
            }
            None => {
                let (service, method) = (&stop.ending.service, &stop.ending.method);
                format!("{name} has not confirmed {service}.{method}: {}", may_still(service))
            }
        });
        let owed = stops.owed.iter().map(|s| &s.ending);
        let owed =
            owed.map(|e| format!("{name} could not be told {}.{}: {}", e.service, e.method, may_still(e.service)));
        // Where the stop itself is not confirmed, that has been said.
        let stopped = |open: &&OpenCall| {
            let by = |ending: &Ending| stops.sent.iter().any(|(stop, _)| stop.ending.is_as(ending));
            !open.ending.as_ref().is_some_and(by)
        };
        let silent = state.unanswered().filter(|open| !is_dumb || open.ending.is_none()).filter(stopped);
        let silent = silent.map(|open| {
            format!("{name} has not answered {}.{}: {}", open.service, open.method, may_still(&open.service))
        });
        failed.chain(owed).chain(silent).collect()
    }

    /// What nothing ends, and has not been answered.
    pub(super) fn goes_on(&self) -> Vec<String> {
        let state = self.state();
        let name = &self.options.name;
        state.goes_on().map(|open| format!("{name}: {}.{} goes on to its own end", open.service, open.method)).collect()
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

    /// Says all that is not confirmed once more, over a connection of its own.
    fn tell_anew(&self, most: Duration) {
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
            let told = session
                .service(stop.ending.service)
                .and_then(|remote| remote.call_within(stop.ending.method, &wire_args(self, &stop.ending.args), left()));
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

/// What a robot may go on with that has not said that this service is done.
fn may_still(service: &str) -> &'static str {
    match service {
        "ALTextToSpeech" | "ALDialog" => "the robot may still speak",
        "ALAnimatedSpeech" => "the robot may still speak and move",
        "ALAudioPlayer" | "ALTabletService" => "the robot may still play",
        "ALAudioRecorder" | "ALAudioDevice" | "ALVideoRecorder" => "the robot may still record",
        "ALMotion" | "ALRobotPosture" | "ALTracker" | "ALNavigation" | "ALAnimationPlayer" | "ALBehaviorManager"
        | "ALAutonomousLife" | "DCM" => "the robot may still move",
        _ => "the robot may still be at it",
    }
}
