//! What a robot does by itself: life, awareness, breathing, blinking. All of it is off or still in
//! the simulation; settings are kept and given back.
//!
//! Pages: NAOqi Interaction engines (ALAutonomousLife, ALBasicAwareness, ALAutonomousMoves …).

use crate::sim::table::{
    Call, Const, Method, Reply, Service, act, bad, code, done, failed, get, ok, put, quiet, say, service,
};
use crate::sim::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

const LIFE: &[Method] = &[
    code("getLifeTime", 0, 0),
    code("setState", 1, 1),
    code("switchFocus", 1, 2),
    code("getFocusContext", 1, 1),
    get("getAutonomousAbilityEnabled", "ability", 1, YES),
    get("getRobotOffsetFromFloor", "offset", 0, Const::Float(0.0)),
    get("getState", "state", 0, Const::Str("disabled")),
    get("isSafeguardEnabled", "safeguard", 1, YES),
    put("setAutonomousAbilityEnabled", "ability", 2),
    put("setLaunchpadPluginEnabled", "plugin", 2),
    put("setRobotOffsetFromFloor", "offset", 1),
    put("setSafeguardEnabled", "safeguard", 2),
    act("stopAll", 0, 0, "life", "all activities stopped", Const::Null),
    act("stopFocus", 0, 0, "life", "focus stopped", Const::Null),
    quiet("setRobotOffset", 1, 1),
    quiet("startMonitoringLaunchpadConditions", 0, 0),
    quiet("stopMonitoringLaunchpadConditions", 0, 0),
    say("focusedActivity", 0, 0, Const::Str("")),
    say("getActivityContextPermissionViolations", 1, 1, Const::Empty),
    say("getActivityNature", 1, 1, Const::Str("")),
    say("getActivityStatistics", 0, 0, Const::Empty),
    say("getAutonomousActivityStatistics", 0, 0, Const::Empty),
    say("getAutonomousAbilitiesStatus", 0, 0, Const::Empty),
    say("getEnabledLaunchpadPlugins", 0, 0, Const::Empty),
    say("getFocusHistory", 0, 1, Const::Empty),
    say("getLaunchpadPluginsForGroup", 1, 1, Const::Empty),
    say("getStateHistory", 0, 1, Const::Empty),
    say("isMonitoringLaunchpadConditions", 0, 0, NO),
];

const STATES: &[&str] = &["solitary", "interactive", "safeguard", "disabled"];

fn life(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "setState" => {
            let state = args.text(0, "state")?;
            if !STATES.contains(&state) {
                return bad(format!("argument 1 (state) must be one of {}, not `{state}`", STATES.join(", ")));
            }
            w.settings.insert("ALAutonomousLife/state".into(), state.into());
            cx.act("life", state, Value::map([("state", Value::from(state))]));
            w.notice(cx, "AutonomousLife/State", state);
            done()
        }
        "getLifeTime" => ok(cx.now().0 / 1_000_000_000),
        "switchFocus" | "getFocusContext" => {
            failed(format!("the activity `{}` is not installed in the simulation", args.text(0, "activity")?))
        }
        _ => Err(ServiceError::NoMethod),
    }
}

const AWARENESS: &[Method] = &[
    code("engagePerson", 1, 1),
    code("isRunning", 0, 1),
    code("pauseAwareness", 0, 0),
    code("resumeAwareness", 0, 0),
    code("setEnabled", 1, 1),
    code("setEngagementMode", 1, 1),
    code("setTrackingMode", 1, 1),
    code("startAwareness", 0, 0),
    code("stopAwareness", 0, 0),
    get("getEngagementMode", "engagement", 0, Const::Str("Unengaged")),
    get("getParameter", "parameter", 1, Const::Null),
    get("getTrackingMode", "tracking", 0, Const::Str("Head")),
    get("isAwarenessPaused", "paused", 0, NO),
    get("isAwarenessRunning", "running", 0, NO),
    get("isEnabled", "running", 0, NO),
    get("isStimulusDetectionEnabled", "stimulus", 1, YES),
    put("setParameter", "parameter", 2),
    put("setStimulusDetectionEnabled", "stimulus", 2),
    quiet("resetAllParameters", 0, 0),
    quiet("triggerStimulus", 1, 1),
];

const AWARENESS_EVENTS: &[&str] =
    &["ALBasicAwareness/HumanLost", "ALBasicAwareness/HumanTracked", "ALBasicAwareness/StimulusDetected"];

fn awareness(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (args, prefix) = (call.args, "ALBasicAwareness");
    let mode = |w: &mut World, key: &str, modes: &[&str]| {
        let mode = args.text(0, "mode")?;
        if !modes.contains(&mode) {
            return bad(format!("argument 1 (mode) must be one of {}, not `{mode}`", modes.join(", ")));
        }
        w.settings.insert(format!("{prefix}/{key}"), mode.into());
        done()
    };
    let on = match call.method {
        "setEngagementMode" => return mode(w, "engagement", &["Unengaged", "FullyEngaged", "SemiEngaged"]),
        "setTrackingMode" => {
            return mode(w, "tracking", &["Head", "BodyRotation", "WholeBody", "MoveContextually"]);
        }
        // Nobody is there to be engaged with.
        "engagePerson" => {
            args.int(0, "person")?;
            return ok(false);
        }
        "isRunning" => return ok(w.setting(prefix, "running").is_some_and(Value::truthy)),
        "pauseAwareness" | "resumeAwareness" => {
            w.settings.insert(format!("{prefix}/paused"), (call.method == "pauseAwareness").into());
            return done();
        }
        "setEnabled" => args.flag(0, "enabled")?,
        "startAwareness" => true,
        "stopAwareness" => false,
        _ => return Err(ServiceError::NoMethod),
    };
    let before = w.settings.insert(format!("{prefix}/running"), on.into());
    if before.is_some_and(|b| b.truthy()) != on {
        let text = if on { "on (nobody is around the simulated robot)" } else { "off" };
        cx.act("awareness", text, Value::map([("on", Value::Bool(on))]));
    }
    done()
}

/// Services that can be switched on and off, and nothing else is seen of them.
const SWITCH: &[Method] = &[get("isEnabled", "enabled", 0, YES), put("setEnabled", "enabled", 1)];

const MOVES: &[Method] = &[
    get("getBackgroundStrategy", "background", 0, Const::Str("none")),
    get("getExpressiveListeningEnabled", "listening", 0, NO),
    get("getBackgroundPriority", "priority", 0, Const::Int(0)),
    put("setBackgroundPriority", "priority", 1),
    put("setBackgroundStrategy", "background", 1),
    put("setExpressiveListeningEnabled", "listening", 1),
    quiet("startAutonomousMoves", 0, 0),
    quiet("startSmallDisplacements", 0, 0),
    quiet("stopSmallDisplacements", 0, 0),
    quiet("stopAutonomousMoves", 0, 0),
];

const SPEAKING: &[Method] = &[
    get("getMode", "mode", 0, Const::Str("contextual")),
    get("isEnabled", "enabled", 0, YES),
    put("setEnabled", "enabled", 1),
    put("setMode", "mode", 1),
    quiet("addTagsToWords", 1, 1),
    quiet("resetTagsToWords", 0, 0),
];

const BLINKING: &[Method] =
    &[get("isEnabled", "enabled", 0, NO), put("setEnabled", "enabled", 1), get("getEnabled", "enabled", 0, NO)];

const PLAYER: &[Method] = &[
    code("run", 1, 2),
    code("runTag", 1, 3),
    quiet("addTagForAnimations", 1, 1),
    quiet("declarePathForTags", 1, 3),
    quiet("declareTagForAnimations", 1, 1),
    quiet("reset", 0, 0),
];

/// How long a robot's own animation is taken to last, in seconds: the simulation does not have them.
const ANIMATION_SECONDS: f64 = 3.0;

/// The animations that are installed on every robot lie below this path.
const ANIMATIONS: &str = "animations/";

/// Can the simulated robot play an animation that is named so: by a path, or by a word for those with this tag?
pub fn knows_animation(name: &str) -> bool {
    !name.contains('/') || is_installed(name)
}

fn is_installed(path: &str) -> bool {
    path.trim_start_matches("package://").starts_with(ANIMATIONS)
}

fn player(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "animation")?;
    if call.method == "run" && !is_installed(name) {
        return failed(format!("the animation `{name}` is not installed"));
    }
    let what = if call.method == "run" { "animation" } else { "animation tag" };
    cx.act(
        "animation",
        format!("{what} {name} (the robot's own animations do not move the simulated body)"),
        Value::map([(if call.method == "run" { "animation" } else { "tag" }, Value::from(name))]),
    );
    w.answer_after(cx, call.id, ANIMATION_SECONDS, Value::Null)
}

pub(crate) static SERVICES: &[Service] = &[
    Service {
        code: life,
        events: &[
            "AutonomousLife/AsleepNotification",
            "AutonomousLife/CompletedActivity",
            "AutonomousLife/FocusedActivity",
            "AutonomousLife/LaunchSuggestions",
            "AutonomousLife/NextActivity",
            "AutonomousLife/State",
        ],
        signals: &["stateChanged"],
        ..service("ALAutonomousLife", LIFE)
    },
    Service {
        code: awareness,
        events: AWARENESS_EVENTS,
        signals: &["humanLost", "humanTracked", "stimulusDetected"],
        ..service("ALBasicAwareness", AWARENESS)
    },
    Service { code: player, ..service("ALAnimationPlayer", PLAYER) },
    service("ALAutonomousBlinking", BLINKING),
    service("ALAutonomousMoves", MOVES),
    service("ALBackgroundMovement", SWITCH),
    service("ALExpressiveListening", SWITCH),
    service("ALListeningMovement", SWITCH),
    service("ALSpeakingMovement", SPEAKING),
    service("ALThinkingExpression", SWITCH),
];
