//! What the run of a part is told, and what is heard of it.

use super::scene::{Call, Loaded};
use super::{POSTURE_SPEED, PartRun, call};
use crate::fleet::part::{Heard, PartCall};
use boxstep_engine::config::Control;
use boxstep_fleet::player::PlayerEvent;
use boxstep_fleet::show::Signal;
use boxstep_trace::BehaviorPhase;
use boxstep_types::{BoxPath, Time, Value};
use std::sync::Arc;

impl PartRun {
    pub(super) fn control(&mut self, at: Time, what: Control) {
        let Some(engine) = self.link.engine() else { return };
        let at = Time(at.0.saturating_sub(self.zero.0).max(0));
        if let Err(why) = engine.poke(|engine| engine.control(at, what)) {
            self.trouble = Some(why);
        }
    }

    pub(super) fn call(&mut self, at: Time, service: &str, method: &str, args: Vec<Value>) {
        self.control(at, call(service, method, args));
    }

    /// Begins a call that takes time.
    pub(super) fn begin(&mut self, at: Time, call: PartCall, args: Vec<Value>) {
        let (service, method) = call.names();
        self.call(at, service, method, args);
    }

    /// Lets the robot go to the posture in which it waits.
    pub(super) fn go_to(&mut self, posture: Option<&str>) {
        if let Some(posture) = posture {
            self.begin(self.now, PartCall::Posture, vec![posture.into(), Value::Float(POSTURE_SPEED)]);
            self.posture = Call::Told;
        }
    }

    pub(super) fn leave_posture(&mut self, at: Time) {
        if std::mem::replace(&mut self.posture, Call::Over) != Call::Over {
            self.call(at, "ALRobotPosture", "stopMove", Vec::new());
        }
    }

    /// Looks after the character of the scene.
    pub(super) fn act(&mut self) {
        let staged = self.link.state().staged.clone();
        let (Some(engine), Some(staged)) = (self.link.engine(), staged) else { return };
        let acted = self.acting.step(&engine, &staged, self.now, self.zero);
        self.trouble = acted.trouble.or(self.trouble.take());
        match acted.posture {
            Some(true) => self.go_to(self.show.posture.clone().as_deref()),
            Some(false) => self.leave_posture(self.now),
            None => {}
        }
    }

    pub(super) fn manage(&mut self, at: Time, method: &str, behavior: &str) {
        self.call(at, "ALBehaviorManager", method, vec![behavior.into()]);
    }

    pub(super) fn behavior(&self, scene: usize) -> Option<Arc<str>> {
        let play = self.show.part(scene, self.robot)?.play.as_ref()?;
        Some(play.behavior.as_str().into())
    }

    pub(super) fn sound(&self, scene: usize) -> Option<String> {
        let package = self.show.part(scene, self.robot)?.sound?;
        let file = self.link.files.iter().find(|file| file.package == package)?;
        Some(file.path.display().to_string())
    }

    /// Loads the scene that is to be loaded. A behavior that still plays can be loaded again only when it has ended: a
    /// scene that has a time does not wait for that, and starts it anew.
    pub(super) fn load_waiting(&mut self, happened: &mut Vec<PlayerEvent>) {
        let Some(scene) = self.loading else { return };
        if let Some(engine) = self.link.engine()
            && let Err(why) = self.acting.read(&self.show, self.robot, &self.link.files, &engine)
        {
            self.loading = None;
            return happened.push(PlayerEvent::Refused(vec![why]));
        }
        let waits = self.show.scenes.get(scene).is_some_and(|scene| scene.at.is_none());
        match self.behavior(scene) {
            Some(behavior) => match self.loaded.get(&behavior) {
                None => self.manage(self.now, "preloadBehavior", &behavior),
                Some(loaded) if !loaded.ready || waits && self.plays(&behavior) => {}
                Some(_) => self.is_loaded(scene, happened),
            },
            None => self.is_loaded(scene, happened),
        }
    }

    pub(super) fn is_loaded(&mut self, scene: usize, happened: &mut Vec<PlayerEvent>) {
        (self.loading, self.ready) = (None, Some(scene));
        happened.push(PlayerEvent::Loaded(scene));
    }

    pub(super) fn plays(&self, behavior: &Arc<str>) -> bool {
        self.scene.iter().chain(&self.next).any(|scene| scene.behavior.as_ref() == Some(behavior))
    }

    /// Lets the next scene be the one that plays, once its time has come.
    pub(super) fn begin_next(&mut self, now: Time, happened: &mut Vec<PlayerEvent>) {
        let Some(mut next) = self.next.take_if(|next| now >= next.at) else { return };
        if let Some(scene) = self.scene.take().filter(|scene| scene.is_over(&self.acting)) {
            happened.push(PlayerEvent::Ended(scene.index, self.trouble.take()));
        }
        // It may have ended meanwhile.
        next.again &= next.behavior.as_ref().is_some_and(|behavior| self.loaded.contains_key(behavior));
        self.scene = Some(next);
    }

    /// Ends what an earlier scene still plays, and the way to a posture.
    pub(super) fn end_earlier(&mut self, at: Time) {
        self.acting.end(at);
        if let Some(behavior) = self.scene.as_ref().and_then(|scene| scene.behavior.clone()) {
            self.manage(at, "stopBehavior", &behavior);
        }
        if self.scene.as_ref().is_some_and(|scene| scene.sound != Call::Over) {
            self.call(at, "ALAudioPlayer", "stopAll", Vec::new());
        }
        self.leave_posture(at);
    }

    /// Handles what has happened at a time of the run.
    pub(super) fn heard(&mut self, at: Time, heard: Heard, happened: &mut Vec<PlayerEvent>) {
        match heard {
            Heard::Behavior { phase: BehaviorPhase::Loading, name, root } => {
                self.loaded.insert(name, Loaded { root, ready: false });
            }
            Heard::Behavior { phase: BehaviorPhase::Loaded, name, .. } => {
                if let Some(loaded) = self.loaded.get_mut(&name) {
                    loaded.ready = true;
                }
                self.load_waiting(happened);
            }
            Heard::Behavior { phase: BehaviorPhase::Unloaded, name, .. } => self.unloaded(&name, happened),
            Heard::Behavior { .. } => {}
            Heard::Raised { path, error } => self.failed(format!("{path}: {error}"), happened),
            Heard::Failed { name, error } => self.failed(format!("{name} failed: {error}"), happened),
            Heard::Began(number, call) => {
                let told = self.calls(call).find(|told| **told == Call::Told);
                told.into_iter().for_each(|told| *told = Call::Runs(number));
            }
            Heard::Done(number) => {
                let all = PartCall::ALL.into_iter();
                for call in all {
                    let runs = self.calls(call).find(|runs| **runs == Call::Runs(number));
                    runs.into_iter().for_each(|runs| *runs = Call::Over);
                }
            }
            Heard::Port { n, path, port, value } => {
                let gives = |signal: &Signal| match signal {
                    Signal::Port { path: wanted, port: of } => *port == **of && self.is_at(&path, wanted, at),
                    Signal::Event { .. } => false,
                };
                happened.extend(self.signals(gives).map(|cue| PlayerEvent::Signal(cue, value.clone(), at, n)));
            }
            Heard::Event { n, key, value } => {
                let gives = |signal: &Signal| matches!(signal, Signal::Event { key: wanted } if **wanted == *key);
                happened.extend(self.signals(gives).map(|cue| PlayerEvent::Signal(cue, value.clone(), at, n)));
            }
        }
    }

    /// Returns where the calls of a kind are noted, the earliest first.
    pub(super) fn calls(&mut self, call: PartCall) -> impl Iterator<Item = &mut Call> {
        let scenes = self.scene.iter_mut().chain(&mut self.next).map(|scene| &mut scene.sound);
        let sounds = scenes.filter(move |_| call == PartCall::Sound);
        sounds.chain(Some(&mut self.posture).filter(|_| call == PartCall::Posture))
    }

    pub(super) fn unloaded(&mut self, name: &Arc<str>, happened: &mut Vec<PlayerEvent>) {
        self.loaded.remove(name);
        if let Some(scene) = self.scene.as_mut().filter(|scene| scene.behavior.as_ref() == Some(name))
            && !std::mem::take(&mut scene.again)
        {
            scene.behavior = None;
        }
        // What is to be started next was loaded already, and has played in the scene before.
        if self.ready.is_some_and(|scene| self.behavior(scene).as_ref() == Some(name)) {
            self.manage(self.now, "preloadBehavior", name);
        }
        self.load_waiting(happened);
    }

    /// Handles that something has failed. Before the first scene the robot cannot take part; later, the show goes on.
    pub(super) fn failed(&mut self, why: String, happened: &mut Vec<PlayerEvent>) {
        if self.has_started {
            self.trouble = Some(why);
        } else {
            happened.push(PlayerEvent::Refused(vec![why]));
        }
    }

    /// Returns the cues of this robot that a signal gives.
    pub(super) fn signals(&self, gives: impl Fn(&Signal) -> bool) -> impl Iterator<Item = usize> {
        let cues = self.show.cues.iter().enumerate();
        let given = cues.filter(|(_, cue)| cue.from == self.robot && gives(&cue.when)).map(|(index, _)| index);
        given.collect::<Vec<_>>().into_iter()
    }

    /// Returns whether a path of the run is the one that a show means: in the behavior of the scene, from its root.
    pub(super) fn is_at(&self, path: &BoxPath, meant: &BoxPath, at: Time) -> bool {
        self.full_path(meant, at).is_some_and(|full| full == *path)
    }

    /// Returns the path in the run of a box of the behavior of the scene that plays at this time.
    pub(super) fn full_path(&self, meant: &BoxPath, at: Time) -> Option<BoxPath> {
        let next = self.next.as_ref().filter(|next| at >= next.at);
        let behavior = next.or(self.scene.as_ref())?.behavior.as_ref()?;
        let root = self.loaded.get(behavior)?.root.as_ref()?;
        let steps = meant.segments().iter().skip(1).cloned();
        Some(steps.fold(root.clone(), |path, step| path.join(step)))
    }
}
