//! What a behavior needs of a robot.

use boxstep_bodies::BodyKind;
use boxstep_services::COMMON_METHODS;
use boxstep_types::is_engine_service;

/// What a behavior needs of a robot. The default needs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The robot that the files name or show that they were made for.
    pub body: Option<BodyKind>,
    /// The joints that its timelines move.
    pub joints: Vec<String>,
    /// What its scripts call, as far as that can be seen.
    pub calls: Vec<NeededCall>,
    /// Services whose names stand in its scripts, whatever these do with them.
    pub named: Vec<String>,
    /// What its scripts do that only shows when they run, and what of them could not be read, each in a sentence with its place: they may
    /// move, speak and need anything.
    pub unknown: Vec<String>,
    /// The language of its localized texts, if it was asked for.
    pub language: Option<String>,
    /// Nobody knows what it is to be: it may move and speak.
    pub anything: bool,
}

/// A service that a script asks for, or a method that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededCall {
    /// The service.
    pub service: String,
    /// The method; `None` if only the service is asked for.
    pub method: Option<String>,
    /// The script is ready for it not to be there.
    pub guarded: bool,
    /// Where, for people: `root/Say, line 4`.
    pub place: String,
}

/// Services that move the robot.
const MOVERS: &[&str] =
    &["ALAnimatedSpeech", "ALAnimationPlayer", "ALMotion", "ALNavigation", "ALRobotPosture", "ALTracker", "DCM"];

/// Services that speak.
const SPEAKERS: &[&str] = &["ALAnimatedSpeech", "ALDialog", "ALTextToSpeech"];

impl Needs {
    /// Those of a behavior that nobody has chosen yet: it may move and speak.
    pub fn anything() -> Needs {
        Needs { anything: true, ..Needs::default() }
    }

    /// It moves the robot, by curves or by calls, or nobody knows that it does not.
    pub fn moves(&self) -> bool {
        self.surely_moves() || !self.unknown.is_empty()
    }

    /// It is seen to move the robot.
    pub(super) fn surely_moves(&self) -> bool {
        self.anything || !self.joints.is_empty() || self.calls_any(MOVERS)
    }

    /// It is seen to let the robot speak.
    pub(super) fn surely_speaks(&self) -> bool {
        self.anything || self.calls_any(SPEAKERS)
    }

    /// It lets the robot speak, or nobody knows that it does not.
    pub fn speaks(&self) -> bool {
        self.surely_speaks() || !self.unknown.is_empty()
    }

    /// What the robot has to have: each service and method once, at the first place that is not ready for it to be missing.
    pub(super) fn wanted(&self) -> Vec<&NeededCall> {
        let mut wanted: Vec<&NeededCall> = Vec::new();
        for call in &self.calls {
            if is_engine_service(&call.service) {
                continue;
            }
            match wanted.iter_mut().find(|w| w.service == call.service && w.method == call.method) {
                Some(known) if known.guarded && !call.guarded => *known = call,
                Some(_) => {}
                None => wanted.push(call),
            }
        }
        wanted
    }

    fn calls_any(&self, services: &[&str]) -> bool {
        let called = self.calls.iter().map(|call| &call.service);
        called.chain(&self.named).any(|service| services.contains(&service.as_str()))
    }
}

/// What every service answers, or its proxy does for it.
pub(super) fn common(method: &str) -> bool {
    COMMON_METHODS.iter().any(|m| m.name == method) || matches!(method, "post" | "call")
}

impl NeededCall {
    /// `ALMotion.moveTo`, or the service alone.
    pub(super) fn name(&self) -> String {
        match &self.method {
            Some(method) => format!("{}.{method}", self.service),
            None => self.service.clone(),
        }
    }
}
