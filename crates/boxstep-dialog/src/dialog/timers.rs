//! Events of silence: `Dialog/NotSpeaking5` and its kin.
//!
//! Decision: the time counts from the end of the robot's last answer; the robot's own words end no silence. Each
//! event comes once in a silence. `NoOneSpeak…` comes at the same times, because nobody else is there.

use super::Dialog;
use crate::world::World;
use boxstep_types::Time;
use smol_str::SmolStr;

/// How long after an answer a sentence is heard that has waited for its end. What the answer has set may stop a box
/// or start one, and the sentence is for the dialog after that.
const REST: Time = Time::from_millis(100);

/// The seconds after which silence is told of.
const STEPS: [u64; 4] = [5, 10, 15, 20];

#[derive(Default)]
pub(super) struct Silence {
    /// Since when nobody speaks; `None` while somebody does, and before the first word.
    since: Option<Time>,
    /// How many of the events have come.
    told: usize,
}

impl Silence {
    /// The robot has finished an answer. One that tells of silence does not end it.
    pub(super) fn begins(&mut self, now: Time) {
        self.since.get_or_insert(now);
    }

    pub(super) fn ends(&mut self) {
        *self = Self::default();
    }

    fn deadline(&self) -> Option<Time> {
        let seconds = *STEPS.get(self.told)?;
        Some(self.since? + Time::from_secs_f64(seconds as f64))
    }
}

impl Dialog {
    /// When [`Dialog::tick`] has something to do; `None` if it has not.
    pub fn deadline(&mut self) -> Option<Time> {
        if self.speaking.is_some() {
            return None;
        }
        if let Some(at) = self.rests() {
            return Some(at);
        }
        self.refresh();
        let waits = |step: u64| silence_keys(step).iter().any(|key| self.waits_for(key));
        let wanted = STEPS.iter().skip(self.silence.told).any(|step| waits(*step));
        if wanted { self.silence.deadline() } else { None }
    }

    /// When a sentence that has waited for the end of an answer is heard; `None` if none waits.
    pub(crate) fn rests(&self) -> Option<Time> {
        self.rests_until.filter(|_| self.speaking.is_none() && !self.queue.is_empty())
    }

    /// Whether sentences are for somebody else, because no topic is active. These hear one after the other, too, and
    /// not while the robot speaks.
    pub(super) fn others_hear(&self, world: &dyn World) -> bool {
        self.active.is_empty() && world.others_listen()
    }

    /// Lets what is heard next wait for the consequences of what was heard or said.
    pub(super) fn rest(&mut self, world: &dyn World) {
        self.rests_until = Some(world.now() + REST);
    }

    /// Goes on with what waited for the end of an answer, and tells of silence, if it is time.
    pub fn tick(&mut self, world: &mut dyn World) {
        if self.speaking.is_none() && self.rests_until.take_if(|at| *at <= world.now()).is_some() {
            self.pump(world);
        }
        while self.silence.deadline().is_some_and(|deadline| deadline <= world.now()) {
            if self.speaking.is_some() {
                return;
            }
            let step = STEPS[self.silence.told];
            self.silence.told += 1;
            for key in silence_keys(step) {
                self.queue.add_event(world.now(), key, None);
            }
            self.pump(world);
        }
    }

    /// Whether a rule of an active topic waits for an event.
    pub fn waits_for(&self, key: &str) -> bool {
        self.index.book.candidates_for_event(key).iter().any(|rule| self.active.contains(&rule.topic))
    }
}

fn silence_keys(step: u64) -> Vec<SmolStr> {
    let mut keys = vec![format!("Dialog/NotSpeaking{step}").into(), format!("Dialog/NoOneSpeak{step}").into()];
    if step == STEPS[0] {
        keys.push("Dialog/NoOneSpeak".into());
    }
    keys
}
