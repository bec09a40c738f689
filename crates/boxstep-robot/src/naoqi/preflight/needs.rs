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
    /// Why nobody looked at the scripts, if nobody did.
    pub unread: Option<String>,
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
    &["ALAnimatedSpeech", "ALAnimationPlayer", "ALMotion", "ALNavigation", "ALRobotPosture", "ALTracker"];

/// Services that speak.
const SPEAKERS: &[&str] = &["ALAnimatedSpeech", "ALDialog", "ALTextToSpeech"];

impl Needs {
    /// Those of a behavior that nobody has chosen yet: it may move and speak.
    pub fn anything() -> Needs {
        Needs { anything: true, ..Needs::default() }
    }

    /// It moves the robot: by curves or by calls.
    pub fn moves(&self) -> bool {
        self.anything || !self.joints.is_empty() || self.calls_any(MOVERS)
    }

    /// It lets the robot speak.
    pub fn speaks(&self) -> bool {
        self.anything || self.calls_any(SPEAKERS)
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
        self.calls.iter().any(|call| services.contains(&call.service.as_str()))
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
