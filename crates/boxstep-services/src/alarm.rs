//! The simulation's timers.

use super::photo::Photos;
use super::speech::SpeechStep;
use super::video::Wanted;
use boxstep_engine::CallId;
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

/// What to do when a timer fires.
#[derive(Clone, Debug)]
pub(crate) enum Alarm {
    /// Answer a call.
    Answer(CallId, Value),
    /// Continue with a sentence.
    Speech(SpeechStep),
    /// A sound may have ended: the call, and the generation.
    Sound(CallId, u32),
    /// A motion task may have ended.
    Motion(u32),
    /// Nobody has spoken for a while: when this was set to.
    Silence(Time),
    /// The robot may have arrived: the generation.
    Move(u32),
    /// A gesture on the head may be over, or a hold: the number of changes that it had then.
    Gesture(u64),
    /// The picture that a call waits for is taken: the call, the camera's client, and what it wants.
    Picture(CallId, String, Wanted),
    /// The robot is at the charging station, or has left it: what it does then.
    Recharge(i64),
    /// The next picture of several is taken.
    Photos(Photos),
    /// A module gets the sound of the microphones: its number.
    Microphones(u64),
    /// A condition over the memory may change: its number, and when this was set to.
    Expression(u64, Time),
    /// The senses work.
    Sense(Time),
    /// The robot looks whether it falls.
    Physics(Time),
}

/// Alarms by timer token. A token whose alarm was dropped has no effect.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
    last: u64,
    due: BTreeMap<u64, Alarm>,
}

impl Alarms {
    pub(crate) fn add(&mut self, alarm: Alarm) -> u64 {
        self.last += 1;
        self.due.insert(self.last, alarm);
        self.last
    }

    pub(crate) fn get(&self, token: u64) -> Option<&Alarm> {
        self.due.get(&token)
    }

    pub(crate) fn take(&mut self, token: u64) -> Option<Alarm> {
        self.due.remove(&token)
    }

    /// Drops the pending answer to a call; returns whether there was one.
    pub(crate) fn forget_answer(&mut self, call: CallId) -> bool {
        let before = self.due.len();
        self.due.retain(|_, a| match a {
            Alarm::Answer(c, _) | Alarm::Picture(c, ..) => *c != call,
            Alarm::Photos(photos) => !photos.is_of(call),
            _ => true,
        });
        self.due.len() < before
    }

    /// Returns the calls that wait for a timed answer, with their answers, and drops their alarms.
    pub(crate) fn drain_answers(&mut self) -> Vec<(CallId, Value)> {
        let mut answers = Vec::new();
        self.due.retain(|_, a| match a {
            Alarm::Answer(call, value) => {
                answers.push((*call, value.clone()));
                false
            }
            Alarm::Photos(photos) => {
                answers.push(photos.given_up());
                false
            }
            Alarm::Picture(call, ..) => {
                answers.push((*call, Value::Null));
                false
            }
            _ => true,
        });
        answers
    }
}
