//! What a run has begun on the robot and may go on, and the one command that ends it.
//!
//! A call that is not answered goes on, and some that are answered begin what goes on without them: a walk at a speed, a tracker,
//! breathing, another behavior. Whatever is in neither table here ends by itself, or is not to be broken off: a robot that sits down
//! sits down. `docs/robots.md` lists them.

use boxstep_bodies::BodyKind;
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCall;
use boxstep_types::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A command that ends something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ending {
    pub(super) service: &'static str,
    pub(super) method: &'static str,
    pub(super) args: Vec<Value>,
}

/// What ends every motion of some joints.
pub(super) const KILL: &str = "killTasksUsingResources";

impl Ending {
    pub(super) fn new(service: &'static str, method: &'static str) -> Self {
        Self { service, method, args: Vec::new() }
    }

    fn with(self, args: Vec<Value>) -> Self {
        Self { args, ..self }
    }

    /// Ends the motions of joints.
    fn of_joints(joints: Vec<String>) -> Option<Self> {
        (!joints.is_empty()).then(|| Self::new("ALMotion", KILL).with(vec![Value::from(joints)]))
    }

    /// Whether this is the same command, whatever it is given.
    pub(super) fn is_as(&self, other: &Ending) -> bool {
        (self.service, self.method) == (other.service, other.method)
    }

    /// Adds one more: what is said already is not said twice, and joints go together.
    pub(super) fn add(all: &mut Vec<Ending>, more: Ending) {
        if all.contains(&more) {
            return;
        }
        let same = all.iter_mut().find(|e| e.method == KILL && more.method == KILL);
        let joints = |e: &Ending| e.args.first().and_then(Value::as_list).unwrap_or_default().to_vec();
        let Some(kill) = same else { return all.push(more) };
        let mut both = joints(kill);
        both.extend(joints(&more).into_iter().filter(|joint| !joints(kill).contains(joint)));
        kill.args = vec![Value::from(both)];
    }
}

/// Something that goes on without a call.
pub(super) struct Begun {
    /// Which call has begun it.
    pub(super) by: CallId,
    pub(super) ending: Ending,
    /// When it is over by itself, if that is known.
    pub(super) until: Option<Instant>,
}

/// Methods that begin a walk.
pub(super) fn walks(service: &str, method: &str) -> bool {
    let begins = ["move", "moveTo", "moveToward", "walkTo", "setWalkTargetVelocity"];
    service == "ALMotion" && begins.contains(&method)
}

/// Methods that have come to a stand when they are answered.
pub(super) fn stands(service: &str, method: &str) -> bool {
    let ends = ["stopMove", "stopWalk", "killMove", "killWalk", "killAll", "waitUntilMoveIsFinished", "rest"];
    service == "ALMotion" && ends.contains(&method)
}

/// Methods that move joints until their time is over; the joints are their first argument.
const JOINTS: [&str; 10] = [
    "angleInterpolation",
    "angleInterpolationBezier",
    "angleInterpolationWithSpeed",
    "changeAngles",
    "closeHand",
    "openHand",
    "positionInterpolation",
    "positionInterpolations",
    "setAngles",
    "transformInterpolations",
];

/// What ends a call while it is not answered. Methods as the robot has them.
pub(super) fn of_call(service: &str, method: &str, args: &[Value]) -> Option<Ending> {
    let begins = |words: &[&str]| words.iter().any(|word| method.starts_with(word));
    match service {
        "ALMotion" if walks(service, method) => Some(Ending::new("ALMotion", "stopMove")),
        "ALMotion" if JOINTS.contains(&method) => Ending::of_joints(joints(args.first())),
        "ALNavigation" if begins(&["navigateTo", "moveAlong"]) => Some(Ending::new("ALMotion", "stopMove")),
        "ALNavigation" if method == "explore" => Some(Ending::new("ALNavigation", "stopExploration")),
        "ALRobotPosture" if begins(&["goTo", "apply"]) => Some(Ending::new("ALRobotPosture", "stopMove")),
        "ALTextToSpeech" | "ALAnimatedSpeech" if begins(&["say"]) => Some(Ending::new("ALTextToSpeech", "stopAll")),
        "ALAudioPlayer" if begins(&["play"]) => Some(Ending::new("ALAudioPlayer", "stopAll")),
        "ALTracker" if begins(&["lookAt", "pointAt"]) => Some(Ending::new("ALTracker", "stopTracker")),
        "ALBehaviorManager" if begins(&["runBehavior", "startBehavior"]) => {
            Some(Ending::new("ALBehaviorManager", "stopBehavior").with(args.first().cloned().into_iter().collect()))
        }
        _ => None,
    }
}

/// The longest way that a joint has, at the highest speed of the slowest one.
const WHOLE_WAY: Duration = Duration::from_millis(2500);

/// What goes on when the call has been answered. Walks are known apart.
pub(super) fn by_call(call: &ServiceCall<'_>) -> Option<Begun> {
    let mut until = None;
    let args = call.args;
    let on = |at: usize| matches!(args.get(at), Some(Value::Bool(true) | Value::Int(1)));
    let ending = match (call.service, call.method) {
        ("ALTracker", "track" | "trackEvent") => Ending::new("ALTracker", "stopTracker"),
        ("ALBehaviorManager", "startBehavior") => of_call(call.service, call.method, args)?,
        ("ALMotion", method @ ("setBreathEnabled" | "setIdlePostureEnabled")) if on(1) => {
            let method = if method == "setBreathEnabled" { "setBreathEnabled" } else { "setIdlePostureEnabled" };
            Ending::new("ALMotion", method).with(vec![args.first()?.clone(), Value::Bool(false)])
        }
        ("ALMotion", "setAngles" | "changeAngles") => {
            let speed = args.get(2).and_then(Value::as_f64).filter(|speed| *speed > 0.0)?;
            until = Some(Instant::now() + WHOLE_WAY.div_f64(speed.clamp(0.01, 1.0)));
            of_call(call.service, call.method, args)?
        }
        ("ALAudioRecorder", "startMicrophonesRecording") => Ending::new("ALAudioRecorder", "stopMicrophonesRecording"),
        ("ALAudioDevice", "startMicrophonesRecording") => Ending::new("ALAudioDevice", "stopMicrophonesRecording"),
        ("ALVideoRecorder", "startRecording") => Ending::new("ALVideoRecorder", "stopRecording"),
        ("ALTabletService", "playVideo") => Ending::new("ALTabletService", "stopVideo"),
        _ => return None,
    };
    Some(Begun { by: call.id, ending, until })
}

/// Does a call that has been answered end what another has begun?
pub(super) fn is_ended_by(ending: &Ending, service: &Arc<str>, method: &Arc<str>, args: &[Value]) -> bool {
    let all =
        matches!((&**service, &**method), ("ALBehaviorManager", "stopAllBehaviors")) && ending.method == "stopBehavior";
    all || (ending.service, ending.method, &*ending.args) == (&**service, &**method, args)
}

/// The joints that an argument names. Chains are named by their joints, because tasks are known by those.
fn joints(names: Option<&Value>) -> Vec<String> {
    let names: Vec<&str> = match names {
        Some(Value::Str(name)) => vec![name],
        Some(Value::List(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let of = |name: &str| {
        let known = BodyKind::ALL.into_iter().map(|kind| kind.body().body_names(name)).find(|all| !all.is_empty());
        known.map_or_else(|| vec![name.to_owned()], |all| all.into_iter().map(str::to_owned).collect())
    };
    names.into_iter().flat_map(of).collect()
}
