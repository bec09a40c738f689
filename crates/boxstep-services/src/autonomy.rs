//! Autonomous abilities of a robot: life, awareness, breathing, blinking. Awareness turns the head to people of a
//! described world; the others are off or inactive in the simulation, and their settings are stored and returned.
//!
//! Source: the NAOqi Interaction engines pages (ALAutonomousLife, ALBasicAwareness, ALAutonomousMoves …).

use crate::table::{
    Call, Const, Reply, Service, accepts, acts, answers, bad, described, done, failed, gets, nao6, ok, property, robot,
    runs, service, sets, signal, unknown,
};
use crate::world::World;
use crate::{senses, tracker};
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALAutonomousLife",
        "What the robot does by itself",
        &[
            runs("setState", "solitary, interactive, safeguard, disabled", robot("(s)v"), set_state),
            gets("getState", "State", robot("()s"), "state", Const::Str("disabled")),
            answers("focusedActivity", "Activity in focus", robot("()s"), Const::Str("")),
            runs("switchFocus", "Gives the focus to an activity", robot("(s)v (si)v"), switch_focus),
            acts("stopFocus", "Ends the activity in focus", robot("()v"), "life", "focus stopped", Const::Null),
            acts("stopAll", "Ends every activity", robot("()v"), "life", "all activities stopped", Const::Null),
            gets("getAutonomousAbilityEnabled", "Whether an ability is on", described("(s)b"), "ability", YES),
            sets("setAutonomousAbilityEnabled", "Sets an ability on or off", described("(sb)v"), "ability"),
            answers("getAutonomousAbilitiesStatus", "Every ability", nao6("()[(sbb)]"), Const::Empty),
            sets("setSafeguardEnabled", "Sets a safeguard on or off", robot("(sb)v"), "safeguard"),
            gets("isSafeguardEnabled", "Whether a safeguard is on", robot("(s)b"), "safeguard", YES),
            sets("setRobotOffsetFromFloor", "Height of the floor, metres", robot("(f)v"), "offset"),
            gets("getRobotOffsetFromFloor", "Height of the floor, metres", robot("()f"), "offset", Const::Float(0.0)),
            runs("getFocusContext", "Context of a focus", nao6("(s)m"), switch_focus),
            answers("getActivityNature", "solitary, interactive or none", robot("(s)s"), Const::Str("")),
            answers("getActivityStatistics", "What ran how often", robot("(){s{si}}"), Const::NoEntries),
            answers("getAutonomousActivityStatistics", "What ran how often", robot("(){s{si}}"), Const::NoEntries),
            answers("getActivityContextPermissionViolations", "What a context forbids", nao6("(s)[s]"), Const::Empty),
            answers("getEnabledLaunchpadPlugins", "Plugins", robot("()[s]"), Const::Empty),
            answers("getLaunchpadPluginsForGroup", "Plugins of a group", robot("(s)[s]"), Const::Empty),
            answers("getFocusHistory", "Earlier focus", robot("()[(si)] (i)[(si)]"), Const::Empty),
            answers("getStateHistory", "Earlier states", robot("()[(si)] (i)[(si)]"), Const::Empty),
            runs("getLifeTime", "Seconds since it started", robot("()i"), get_life_time),
            answers("isMonitoringLaunchpadConditions", "Whether it may start activities", robot("()b"), NO),
            sets("setLaunchpadPluginEnabled", "Sets a plugin on or off", robot("(sb)v"), "plugin"),
            accepts("startMonitoringLaunchpadConditions", "May start activities", robot("()v")),
            accepts("stopMonitoringLaunchpadConditions", "May not", robot("()v")),
            accepts("setRobotOffset", "Height of what it stands on", unknown("(m)m")),
        ],
    )
    .signals(&[signal("stateChanged", "m")])
    .properties(&[property("userRequestableActivitiesViolations", "{s[s]}")])
    .events(&[
        "AutonomousLife/AsleepNotification",
        "AutonomousLife/CompletedActivity",
        "AutonomousLife/FocusedActivity",
        "AutonomousLife/LaunchSuggestions",
        "AutonomousLife/NextActivity",
        "AutonomousLife/State",
    ]),
    service(
        "ALBasicAwareness",
        "Turns to people",
        &[
            runs("startAwareness", "Starts", described("()v"), start_awareness),
            runs("stopAwareness", "Stops", described("()v"), stop_awareness),
            runs("pauseAwareness", "Pauses", nao6("()v"), pause_awareness),
            runs("resumeAwareness", "Goes on", nao6("()v"), resume_awareness),
            gets("isAwarenessRunning", "Whether it runs", described("()b"), "running", NO),
            gets("isAwarenessPaused", "Whether it pauses", nao6("()b"), "paused", NO),
            runs("isRunning", "Whether it runs", nao6("()b (m)b"), is_running),
            gets("isEnabled", "Whether it is on", described("()b"), "running", NO),
            runs("setEnabled", "On or off", described("(b)v"), set_enabled),
            runs("setEngagementMode", "Unengaged, FullyEngaged, SemiEngaged", described("(s)v"), set_engagement_mode),
            gets("getEngagementMode", "Engagement mode", described("()s"), "engagement", Const::Str("Unengaged")),
            runs(
                "setTrackingMode",
                "Head, BodyRotation, WholeBody, MoveContextually",
                described("(s)v"),
                set_tracking_mode,
            ),
            gets("getTrackingMode", "Tracking mode", described("()s"), "tracking", Const::Str("Head")),
            sets("setStimulusDetectionEnabled", "Which stimuli it notices", described("(sb)v"), "stimulus"),
            gets("isStimulusDetectionEnabled", "Whether it notices a stimulus", nao6("(s)b"), "stimulus", YES),
            sets("setParameter", "Sets a parameter", nao6("(sm)v"), "parameter"),
            gets("getParameter", "Value of a parameter", nao6("(s)m"), "parameter", Const::Null),
            accepts("resetAllParameters", "Usual parameters", nao6("()v")),
            accepts("triggerStimulus", "Makes it notice a place", unknown("(m)m")),
            runs("engagePerson", "Turns to a person", nao6("(i)b"), engage_person),
        ],
    )
    .signals(&[signal("humanLost", "m"), signal("humanTracked", "m"), signal("stimulusDetected", "m")])
    .events(&["ALBasicAwareness/HumanLost", "ALBasicAwareness/HumanTracked", "ALBasicAwareness/StimulusDetected"]),
    service(
        "ALAnimationPlayer",
        "Plays animations",
        &[
            runs("run", "Plays an animation; waits", described("(s)v (sm)v"), run),
            runs("runTag", "Plays an animation of a tag; waits", described("(s)v (mm)v (mmm)v"), run_tag),
            accepts("declarePathForTags", "Animations of a folder", nao6("(s)v (mm)v (mmm)v")),
            accepts("addTagForAnimations", "Animations of a tag", nao6("({s[s]})v")),
            accepts("declareTagForAnimations", "Animations of a tag", unknown("(m)m")),
            accepts("reset", "Forgets what was declared", described("()v")),
        ],
    ),
    service(
        "ALAutonomousBlinking",
        "Blinks",
        &[
            sets("setEnabled", "On or off", nao6("(b)v"), "enabled"),
            gets("isEnabled", "Whether it is on", nao6("()b"), "enabled", NO),
            gets("getEnabled", "Whether it blinks", unknown("()m"), "enabled", NO),
        ],
    ),
    service(
        "ALAutonomousMoves",
        "Small moves when idle",
        &[
            sets("setBackgroundStrategy", "none or backToNeutral", described("(s)v"), "background"),
            gets("getBackgroundStrategy", "none or backToNeutral", nao6("()s"), "background", Const::Str("none")),
            sets("setExpressiveListeningEnabled", "Moves while listening", described("(b)v"), "listening"),
            gets("getExpressiveListeningEnabled", "Whether it does", nao6("()b"), "listening", NO),
            accepts("startSmallDisplacements", "Moves a little", nao6("()v")),
            accepts("stopSmallDisplacements", "Ends it", nao6("()v")),
            gets("getBackgroundPriority", "Priority of its movements", unknown("()m"), "priority", Const::Int(0)),
            sets("setBackgroundPriority", "Sets it", unknown("(m)m"), "priority"),
            accepts("startAutonomousMoves", "Moves by itself", unknown("()m")),
            accepts("stopAutonomousMoves", "Ends that", unknown("()m")),
        ],
    ),
    service(
        "ALBackgroundMovement",
        "Moves a little",
        &[
            sets("setEnabled", "On or off", nao6("(b)v"), "enabled"),
            gets("isEnabled", "Whether it is on", nao6("()b"), "enabled", YES),
        ],
    ),
    service(
        "ALExpressiveListening",
        "Moves while listening; old",
        &[
            sets("setEnabled", "On or off", unknown("(m)m"), "enabled"),
            gets("isEnabled", "Whether it is on", unknown("()m"), "enabled", YES),
        ],
    ),
    service(
        "ALListeningMovement",
        "Moves while listening",
        &[
            sets("setEnabled", "On or off", nao6("(b)v"), "enabled"),
            gets("isEnabled", "Whether it is on", nao6("()b"), "enabled", YES),
        ],
    ),
    service(
        "ALSpeakingMovement",
        "Moves while speaking",
        &[
            sets("setEnabled", "On or off", nao6("(b)v"), "enabled"),
            gets("isEnabled", "Whether it is on", nao6("()b"), "enabled", YES),
            sets("setMode", "random or contextual", nao6("(s)v"), "mode"),
            gets("getMode", "Mode", nao6("()s"), "mode", Const::Str("contextual")),
            accepts("addTagsToWords", "Gestures for words", nao6("(m)v")),
            accepts("resetTagsToWords", "Usual animations for words", unknown("()m")),
        ],
    ),
    service(
        "ALThinkingExpression",
        "Shows that it thinks",
        &[
            gets("isEnabled", "Whether it is on", unknown("()m"), "enabled", YES),
            sets("setEnabled", "On or off", unknown("(m)m"), "enabled"),
        ],
    ),
];

const STATES: &[&str] = &["solitary", "interactive", "safeguard", "disabled"];

fn set_state(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let state = call.args.text(0, "state")?;
    if !STATES.contains(&state) {
        return bad(format!("argument 1 (state) must be one of {}, not `{state}`", STATES.join(", ")));
    }
    w.settings.insert("ALAutonomousLife/state".into(), state.into());
    cx.act("life", state, Value::map([("state", Value::from(state))]));
    w.notice(cx, "AutonomousLife/State", state);
    done()
}

fn get_life_time(_: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(cx.now().0 / 1_000_000_000)
}

fn switch_focus(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("the activity `{}` is not installed in the simulation", call.args.text(0, "activity")?))
}

fn set_engagement_mode(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_mode(w, call, "ALBasicAwareness/engagement", &["Unengaged", "FullyEngaged", "SemiEngaged"])
}

fn set_tracking_mode(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_mode(w, call, "ALBasicAwareness/tracking", &["Head", "BodyRotation", "WholeBody", "MoveContextually"])
}

fn set_mode(w: &mut World, call: &Call<'_>, key: &str, modes: &[&str]) -> Reply {
    let mode = call.args.text(0, "mode")?;
    if !modes.contains(&mode) {
        return bad(format!("argument 1 (mode) must be one of {}, not `{mode}`", modes.join(", ")));
    }
    w.settings.insert(key.into(), mode.into());
    done()
}

/// Turns to a person whom the robot sees; answers whether it does.
fn engage_person(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let person = call.args.int(0, "person")?;
    let sees = senses::people_in_view(w, cx.now()).contains(&person);
    if sees {
        track_human(w, cx, Some(person));
    }
    ok(sees)
}

/// The name of the service.
pub(crate) const AWARENESS: &str = "ALBasicAwareness";

/// Returns whether the robot turns to people by itself.
pub(crate) fn is_aware(w: &World) -> bool {
    let is_set = |key: &str| w.setting(AWARENESS, key).is_some_and(Value::truthy);
    is_set("running") && !is_set("paused")
}

/// Turns the head to the person whom it tracks, to one whom it sees, or else to a sound.
pub(crate) fn work(w: &mut World, cx: &mut ServiceCx<'_>) {
    let now = cx.now();
    let notices =
        |w: &World, stimulus: &str| w.setting(AWARENESS, &format!("stimulus/{stimulus}")).is_none_or(Value::truthy);
    let seen = senses::people_in_view(w, now);
    match w.senses.tracked {
        Some(person) if !seen.contains(&person) => track_human(w, cx, None),
        None if notices(w, "People") => {
            if let Some(person) = seen.first().copied() {
                stimulus(w, cx, "People");
                track_human(w, cx, Some(person));
            }
        }
        _ => {}
    }
    let face = w.senses.tracked.and_then(|id| w.options.world.person(id)?.face(now.as_secs_f64()));
    let is_tracked = face.is_some();
    let place = face.or_else(|| senses::loudest(w, now).filter(|_| notices(w, "Sound")));
    let Some(place) = place else { return };
    if !is_tracked {
        stimulus(w, cx, "Sound");
    }
    tracker::turn_head(w, cx, place);
}

fn stimulus(w: &mut World, cx: &mut ServiceCx<'_>, name: &str) {
    w.notice(cx, "ALBasicAwareness/StimulusDetected", name);
    w.signal(cx, AWARENESS, "stimulusDetected", name.into());
}

/// Tracks a person, or nobody any more, and says so.
fn track_human(w: &mut World, cx: &mut ServiceCx<'_>, person: Option<i64>) {
    let before = std::mem::replace(&mut w.senses.tracked, person);
    if before == person {
        return;
    }
    if let Some(lost) = before {
        w.notice(cx, "ALBasicAwareness/HumanLost", lost);
        w.signal(cx, AWARENESS, "humanLost", lost.into());
    }
    let tracked = person.unwrap_or(-1);
    w.notice(cx, "ALBasicAwareness/HumanTracked", tracked);
    w.signal(cx, AWARENESS, "humanTracked", tracked.into());
}

fn is_running(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.setting("ALBasicAwareness", "running").is_some_and(Value::truthy))
}

fn pause_awareness(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.settings.insert("ALBasicAwareness/paused".into(), true.into());
    done()
}

fn resume_awareness(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.settings.insert("ALBasicAwareness/paused".into(), false.into());
    done()
}

fn set_enabled(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_awareness(w, cx, call.args.flag(0, "enabled")?)
}

fn start_awareness(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    set_awareness(w, cx, true)
}

fn stop_awareness(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    set_awareness(w, cx, false)
}

fn set_awareness(w: &mut World, cx: &mut ServiceCx<'_>, on: bool) -> Reply {
    let before = w.settings.insert("ALBasicAwareness/running".into(), on.into());
    if before.is_some_and(|b| b.truthy()) != on {
        let is_empty = !w.options.world.is_described;
        let text = match on {
            true if is_empty => "on (nobody is around the simulated robot)",
            true => "on",
            false => "off",
        };
        cx.act("awareness", text, Value::map([("on", Value::Bool(on))]));
    }
    done()
}

/// The assumed duration of the robot's own animations, in seconds: the simulation does not have them.
const ANIMATION_SECONDS: f64 = 3.0;

/// The path prefix of the animations that are installed on every robot.
const ANIMATIONS: &str = "animations/";

/// Returns whether the simulated robot can play an animation, named by its path, or by a word that is a tag.
pub fn knows_animation(name: &str) -> bool {
    !name.contains('/') || is_installed(name)
}

/// Returns whether every robot has a behavior of this path.
pub(crate) fn is_installed(path: &str) -> bool {
    path.trim_start_matches("package://").starts_with(ANIMATIONS)
}

/// Tells that an animation begins.
pub(crate) fn begin(cx: &mut ServiceCx<'_>, name: &str, what: &str, key: &str) {
    cx.act(
        "animation",
        format!("{what} {name} (the robot's own animations do not move the simulated body)"),
        Value::map([(key, Value::from(name))]),
    );
}

fn run(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "animation")?;
    if !is_installed(name) {
        return failed(format!("the animation `{name}` is not installed"));
    }
    animate(w, cx, call, "animation", "animation")
}

fn run_tag(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    animate(w, cx, call, "animation tag", "tag")
}

/// Plays an animation, the first argument of a call.
pub(crate) fn animate(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, what: &str, key: &str) -> Reply {
    begin(cx, call.args.text(0, key)?, what, key);
    w.answer_after(cx, call.id, ANIMATION_SECONDS, Value::Null)
}
