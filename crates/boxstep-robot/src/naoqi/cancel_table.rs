//! Actions that a run has started on the robot and that may continue, and the command that stops each.
//!
//! An unanswered call continues, and some answered calls have started an action that continues: a walk at a velocity, a
//! tracker, breathing, another behavior. An action in neither table ends by itself, or must not be interrupted: a robot
//! that sits down finishes sitting down. `docs/reference/robots.md` lists them.

use boxstep_bodies::BodyKind;
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCall;
use boxstep_types::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A command that stops an action.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StopCommand {
    pub(super) service: &'static str,
    pub(super) method: &'static str,
    pub(super) args: Vec<Value>,
}

/// Stops every motion of some joints.
pub(super) const KILL: &str = "killTasksUsingResources";

impl StopCommand {
    pub(super) fn new(service: &'static str, method: &'static str) -> Self {
        Self { service, method, args: Vec::new() }
    }

    fn with(self, args: Vec<Value>) -> Self {
        Self { args, ..self }
    }

    /// Returns the command that stops the motions of these joints.
    fn of_joints(joints: Vec<String>) -> Option<Self> {
        (!joints.is_empty()).then(|| Self::new("ALMotion", KILL).with(vec![Value::from(joints)]))
    }

    /// Returns whether this is the same method, whatever its arguments are.
    pub(super) fn is_same_method(&self, other: &StopCommand) -> bool {
        (self.service, self.method) == (other.service, other.method)
    }

    /// Adds a command to a list without duplicates; commands that stop joints are merged.
    pub(super) fn add(all: &mut Vec<StopCommand>, more: StopCommand) {
        if all.contains(&more) {
            return;
        }
        let same = all.iter_mut().find(|e| e.method == KILL && more.method == KILL);
        let joints = |e: &StopCommand| e.args.first().and_then(Value::as_list).unwrap_or_default().to_vec();
        let Some(kill) = same else { return all.push(more) };
        let mut both = joints(kill);
        both.extend(joints(&more).into_iter().filter(|joint| !joints(kill).contains(joint)));
        kill.args = vec![Value::from(both)];
    }
}

/// An action that continues after its call has been answered.
pub(super) struct OngoingAction {
    /// The call that started it.
    pub(super) by: CallId,
    pub(super) command: StopCommand,
    /// When it ends by itself, if that is known.
    pub(super) until: Option<Instant>,
}

/// Returns whether the method starts a walk.
pub(super) fn starts_walk(service: &str, method: &str) -> bool {
    let begins = ["move", "moveTo", "moveToward", "walkTo", "setWalkTargetVelocity"];
    service == "ALMotion" && begins.contains(&method)
}

/// Returns whether the robot stands still once it has answered this method.
pub(super) fn ends_walk(service: &str, method: &str) -> bool {
    let ends = ["stopMove", "stopWalk", "killMove", "killWalk", "killAll", "waitUntilMoveIsFinished", "rest"];
    service == "ALMotion" && ends.contains(&method)
}

/// Methods that move joints for a given time; their first argument names the joints.
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

/// Returns the command that stops a call which is not answered yet. The method is the one sent to the robot.
pub(super) fn stop_command_of(service: &str, method: &str, args: &[Value]) -> Option<StopCommand> {
    let begins = |words: &[&str]| words.iter().any(|word| method.starts_with(word));
    match service {
        "ALMotion" if starts_walk(service, method) => Some(StopCommand::new("ALMotion", "stopMove")),
        "ALMotion" if JOINTS.contains(&method) => StopCommand::of_joints(joints(args.first())),
        "ALNavigation" if begins(&["navigateTo", "moveAlong"]) => Some(StopCommand::new("ALMotion", "stopMove")),
        "ALNavigation" if method == "explore" => Some(StopCommand::new("ALNavigation", "stopExploration")),
        "ALRobotPosture" if begins(&["goTo", "apply"]) => Some(StopCommand::new("ALRobotPosture", "stopMove")),
        "ALTextToSpeech" | "ALAnimatedSpeech" if begins(&["say"]) => {
            Some(StopCommand::new("ALTextToSpeech", "stopAll"))
        }
        "ALAudioPlayer" if begins(&["play"]) => Some(StopCommand::new("ALAudioPlayer", "stopAll")),
        "ALTracker" if begins(&["lookAt", "pointAt"]) => Some(StopCommand::new("ALTracker", "stopTracker")),
        "ALBehaviorManager" if begins(&["runBehavior", "startBehavior"]) => Some(
            StopCommand::new("ALBehaviorManager", "stopBehavior").with(args.first().cloned().into_iter().collect()),
        ),
        _ => None,
    }
}

/// The time of the slowest joint over its whole range at full speed.
const WHOLE_WAY: Duration = Duration::from_millis(2500);

/// Returns the action that continues when the call has been answered. Walks are tracked separately.
pub(super) fn action_after(call: &ServiceCall<'_>) -> Option<OngoingAction> {
    let mut until = None;
    let args = call.args;
    let on = |at: usize| matches!(args.get(at), Some(Value::Bool(true) | Value::Int(1)));
    let command = match (call.service, call.method) {
        ("ALTracker", "track" | "trackEvent") => StopCommand::new("ALTracker", "stopTracker"),
        ("ALBehaviorManager", "startBehavior") => stop_command_of(call.service, call.method, args)?,
        ("ALMotion", method @ ("setBreathEnabled" | "setIdlePostureEnabled")) if on(1) => {
            let method = if method == "setBreathEnabled" { "setBreathEnabled" } else { "setIdlePostureEnabled" };
            StopCommand::new("ALMotion", method).with(vec![args.first()?.clone(), Value::Bool(false)])
        }
        ("ALMotion", "setAngles" | "changeAngles") => {
            let speed = args.get(2).and_then(Value::as_f64).filter(|speed| *speed > 0.0)?;
            until = Some(Instant::now() + WHOLE_WAY.div_f64(speed.clamp(0.01, 1.0)));
            stop_command_of(call.service, call.method, args)?
        }
        ("ALAudioRecorder", "startMicrophonesRecording") => {
            StopCommand::new("ALAudioRecorder", "stopMicrophonesRecording")
        }
        ("ALAudioDevice", "startMicrophonesRecording") => StopCommand::new("ALAudioDevice", "stopMicrophonesRecording"),
        ("ALVideoRecorder", "startRecording") => StopCommand::new("ALVideoRecorder", "stopRecording"),
        ("ALTabletService", "playVideo") => StopCommand::new("ALTabletService", "stopVideo"),
        _ => return None,
    };
    Some(OngoingAction { by: call.id, command, until })
}

/// Returns whether an answered call has stopped an action.
pub(super) fn is_stopped_by(command: &StopCommand, service: &Arc<str>, method: &Arc<str>, args: &[Value]) -> bool {
    let all = matches!((&**service, &**method), ("ALBehaviorManager", "stopAllBehaviors"))
        && command.method == "stopBehavior";
    all || (command.service, command.method, &*command.args) == (&**service, &**method, args)
}

/// Returns the joints that an argument names. Chains are replaced by their joints, because the robot's tasks are known
/// by joints.
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
