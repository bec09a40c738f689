//! The requirements of a behavior.

use boxstep_bodies::BodyKind;
use boxstep_services::COMMON_METHODS;
use boxstep_types::is_engine_service;

/// What a behavior requires of a robot. The default requires nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// The robot that the files were made for, if they name or show it.
    pub body: Option<BodyKind>,
    /// The joints that its timelines move.
    pub joints: Vec<String>,
    /// The services and methods that its scripts call, as far as static analysis shows.
    pub calls: Vec<NeededCall>,
    /// Services whose names occur in its scripts, whatever the scripts do with them.
    pub named: Vec<String>,
    /// What only shows when its scripts run, and what could not be read of them, each in a sentence with its place. The
    /// scripts may move, speak and require anything.
    pub unknown: Vec<String>,
    /// The language of its localized texts, if one was requested.
    pub language: Option<String>,
    /// The behavior is not known yet: it may move and speak.
    pub anything: bool,
}

/// A service that a script requests, or a method that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededCall {
    /// The service.
    pub service: String,
    /// The method; `None` if only the service is requested.
    pub method: Option<String>,
    /// The script handles its absence.
    pub guarded: bool,
    /// The place, for users: `root/Say, line 4`.
    pub place: String,
}

/// Services that move the robot.
const MOVERS: &[&str] =
    &["ALAnimatedSpeech", "ALAnimationPlayer", "ALMotion", "ALNavigation", "ALRobotPosture", "ALTracker", "DCM"];

/// Services that speak.
const SPEAKERS: &[&str] = &["ALAnimatedSpeech", "ALDialog", "ALTextToSpeech"];

impl Requirements {
    /// Returns the requirements of a behavior that has not been chosen yet: it may move and speak.
    pub fn anything() -> Requirements {
        Requirements { anything: true, ..Requirements::default() }
    }

    /// Returns whether it moves the robot, by curves or calls, or may do so.
    pub fn moves(&self) -> bool {
        self.surely_moves() || !self.unknown.is_empty()
    }

    /// Returns whether static analysis shows that it moves the robot.
    pub(super) fn surely_moves(&self) -> bool {
        self.anything || !self.joints.is_empty() || self.calls_any(MOVERS)
    }

    /// Returns whether static analysis shows that it makes the robot speak.
    pub(super) fn surely_speaks(&self) -> bool {
        self.anything || self.calls_any(SPEAKERS)
    }

    /// Returns whether it makes the robot speak, or may do so.
    pub fn speaks(&self) -> bool {
        self.surely_speaks() || !self.unknown.is_empty()
    }

    /// Returns the required services and methods, each once, at the first place that does not handle its absence.
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

/// Returns whether every service has this method, or its proxy implements it.
pub(super) fn common(method: &str) -> bool {
    COMMON_METHODS.iter().any(|m| m.name == method) || matches!(method, "post" | "call")
}

impl NeededCall {
    /// Returns `ALMotion.moveTo`, or the service alone.
    pub(super) fn name(&self) -> String {
        match &self.method {
            Some(method) => format!("{}.{method}", self.service),
            None => self.service.clone(),
        }
    }
}
