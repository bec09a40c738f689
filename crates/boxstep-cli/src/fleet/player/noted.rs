//! What the recording of a part says of the show, so that those of all robots can be put together.

use super::{PartRun, RunClock};
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::trace::ShowEvent;
use boxstep_fleet::network::PeerId;
use boxstep_fleet::player::SignalId;
use boxstep_fleet::sample::{Sample, TOLERANCE};
use boxstep_fleet::show::Signal;
use boxstep_types::Time;
use std::sync::Arc;

impl PartRun {
    /// Notes something about the show, and does what follows from it.
    pub(super) fn note(&mut self, at: Time, cause: u64, event: ShowEvent, then: Vec<Control>) {
        self.control(at, Control::Show { event: Box::new(event), cause, then });
    }

    /// Returns the name of a robot, and what gives a cue.
    fn name(&self, robot: usize) -> Arc<str> {
        self.show.robots.get(robot).map_or("", |role| role.name.as_str()).into()
    }

    fn given_by(&self, cue: usize) -> Arc<str> {
        let when = self.show.cues.get(cue).map(|cue| &cue.when);
        let words = |signal: &Signal| match signal {
            Signal::Port { path, port } => format!("{path}.{port}"),
            Signal::Event { key } => key.clone(),
        };
        when.map(words).unwrap_or_default().into()
    }

    /// Notes which time of the show it is, if what was noted last is not right any more.
    pub(super) fn clock(&mut self, sample: Sample) {
        if !self.is_open {
            return;
        }
        let Some(engine) = self.link.engine() else { return };
        let sample = match &self.link.clock {
            RunClock::Virtual => Sample { run: Time(sample.run.0 - self.zero.0), ..sample },
            RunClock::Real(clock) => {
                let read = |engine: &mut Engine| (clock.read(), Engine::time(engine), clock.read());
                let (before, run, after) = engine.poke(read);
                let error = sample.error + after.since(before);
                Sample { run, fleet: sample.fleet_at(before), error, ..sample }
            }
        };
        if self.sampler.chooses(sample) {
            let (at, fleet, rate) = (sample.run, Time(sample.fleet.0), sample.rate);
            let error = Time::ZERO + sample.error + TOLERANCE;
            // Before what happens at this time.
            self.note(Time::ZERO, 0, ShowEvent::Clock { at, fleet, rate, error }, Vec::new());
        }
    }

    /// Notes whose part this is.
    pub(super) fn note_part(&mut self) {
        let (show, robot) = (self.show.name.as_str().into(), self.name(self.robot));
        let performance = PeerId(self.link.part.performance).to_string().into();
        let process = PeerId(self.link.part.process).to_string().into();
        self.note(Time::ZERO, 0, ShowEvent::Part { show, performance, robot, process }, Vec::new());
    }

    /// Notes that a scene begins, and lets it begin.
    pub(super) fn note_scene(&mut self, at: Time, scene: usize, begins: Vec<Control>) {
        let scene = self.show.scenes.get(scene).map_or("", |scene| scene.name.as_str()).into();
        self.note(at, 0, ShowEvent::Scene { scene }, begins);
    }

    /// Notes that a signal was given, by the event with this number.
    pub(super) fn note_given(&mut self, cue: usize, number: u64, event: u64) {
        let to = self.show.cues.get(cue).map_or(&[][..], |cue| &cue.to);
        let to = to.iter().map(|robot| self.name(*robot)).collect();
        let given = ShowEvent::Given { number, cue: self.given_by(cue), to };
        self.note(Time::ZERO, event, given, Vec::new());
    }

    /// Returns the note that a signal has come.
    pub(super) fn got(&self, cue: usize, signal: SignalId) -> ShowEvent {
        let from = self.show.cues.get(cue).map_or(usize::MAX, |cue| cue.from);
        let (from, cue, process) = (self.name(from), self.given_by(cue), signal.by.to_string().into());
        ShowEvent::Got { number: signal.number, cue, from, process }
    }
}
