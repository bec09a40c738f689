//! Telling the robot to stop, and making sure that it was told.
//!
//! A stop is sent at once and waited for by nobody who has something to do; at the end of a run [`Line::settle`] waits a moment for what
//! is not confirmed. A robot whose connection is broken or does not answer is told over a new one.

use super::line::Line;
use super::wire_args;
use boxstep_engine::services::Halt;
use boxstep_qi::{Error, Session};
use boxstep_types::{Time, Value};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Something that the robot is to do in order to stand still.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stop {
    number: u64,
    service: &'static str,
    method: &'static str,
    args: Vec<Value>,
}

/// What has been asked of the robot, and not been confirmed.
#[derive(Default)]
pub(super) struct Stops {
    /// A walk has been begun, and no stop sent since.
    pub(super) walks: bool,
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

    pub(super) fn take_owed(&mut self) -> Vec<Stop> {
        std::mem::take(&mut self.owed)
    }

    fn answered(&mut self, number: u64, failed: Option<String>) {
        let at = self.sent.iter().position(|(stop, _)| stop.number == number);
        if let Some(at) = at {
            if self.sent[at].0.method.ends_with("Move") && self.sent[at].0.service == "ALMotion" {
                self.ends = None;
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

/// How long an answer is waited for before the robot is told over another connection.
const SILENT: Duration = Duration::from_millis(150);

impl Line {
    /// Tells the robot to stop: sent at once, confirmed later.
    pub(super) fn halt(self: &Arc<Self>, how: Halt, now: Time) {
        self.end_loops();
        let mut state = self.state();
        let mut all: Vec<(&'static str, &'static str, Vec<Value>)> = Vec::new();
        let walks = std::mem::take(&mut state.stops.walks);
        match how {
            Halt::Walk if !walks => return,
            Halt::Walk => all.push(("ALMotion", "stopMove", Vec::new())),
            Halt::Safely | Halt::AtOnce => {
                let walk = if how == Halt::AtOnce && walks { "killMove" } else { "stopMove" };
                all.push(("ALMotion", walk, Vec::new()));
                let mut joints: Vec<String> =
                    state.open.values().flat_map(|open| open.joints.iter().cloned()).collect();
                joints.sort_unstable();
                joints.dedup();
                if !joints.is_empty() {
                    all.push(("ALMotion", "killTasksUsingResources", vec![Value::from(joints)]));
                }
                all.push(("ALRobotPosture", "stopMove", Vec::new()));
                all.push(("ALTextToSpeech", "stopAll", Vec::new()));
                all.push(("ALAudioPlayer", "stopAll", Vec::new()));
            }
        }
        if walks {
            state.stops.ends = Some(now);
        }
        let up = state.session.is_some();
        // A robot without the service has nothing of it to stop.
        all.retain(|(service, ..)| !up || state.remotes.contains_key(*service));
        let stops: Vec<Stop> = all
            .into_iter()
            .map(|(service, method, args)| {
                state.stops.made += 1;
                Stop { number: state.stops.made, service, method, args }
            })
            .collect();
        if !up {
            // Said twice is said once.
            for stop in stops {
                let same = |o: &Stop| (o.service, o.method, &o.args) == (stop.service, stop.method, &stop.args);
                if !state.stops.owed.iter().any(same) {
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
            let remote = {
                let mut state = self.state();
                let remote = state.remotes.get(stop.service).cloned();
                if remote.is_some() {
                    state.stops.sent.push((stop.clone(), None));
                }
                remote
            };
            let Some(remote) = remote else { continue };
            match remote.start(stop.method, &wire_args(self, &stop.args)) {
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
            Some(Error::NoMember { .. }) | None => state.stops.answered(number, None),
            Some(error) => state.stops.answered(number, Some(error.to_string())),
        }
        drop(state);
        self.changed.notify_all();
        self.mailbox.ring();
    }

    pub(super) fn coming_to_rest(&self) -> Option<(Arc<str>, Time)> {
        self.state().stops.ends.map(|since| ("walking".into(), since))
    }

    /// Waits until all is confirmed, but no longer than that; then says what is not.
    pub(super) fn settle(self: &Arc<Self>, most: Duration) -> Vec<String> {
        let until = Instant::now() + most;
        self.wait_settled(SILENT.min(most));
        if !self.state().stops.settled() {
            let line = Arc::downgrade(self);
            let left = until.saturating_duration_since(Instant::now());
            // A robot that is rebooting or a network that has forgotten us may well take a new connection.
            let _ = std::thread::Builder::new().name("naoqi-stop".to_owned()).spawn(move || {
                if let Some(line) = line.upgrade() {
                    line.tell_anew(left);
                }
            });
            self.wait_settled(until.saturating_duration_since(Instant::now()));
        }
        let name = &self.options.name;
        let state = self.state();
        let stops = &state.stops;
        let failed = stops.sent.iter().map(|(stop, failed)| match failed {
            Some(why) => format!("{name}: {}.{} failed: {why}", stop.service, stop.method),
            None => format!("{name} has not confirmed {}.{}", stop.service, stop.method),
        });
        let owed = stops.owed.iter().map(|s| format!("{name} could not be told {}.{}", s.service, s.method));
        failed.chain(owed).collect()
    }

    fn wait_settled(&self, most: Duration) {
        let until = Instant::now() + most;
        let mut state = self.state();
        while !(state.stops.settled() && state.talks_over()) {
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
                .service(stop.service)
                .and_then(|remote| remote.call_within(stop.method, &wire_args(self, &stop.args), left()));
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
