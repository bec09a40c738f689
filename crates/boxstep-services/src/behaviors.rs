//! Behaviors, applications and resources. The engine answers for the behaviors that it plays; no others are installed.
//!
//! Source: the pages ALBehaviorManager, ALResourceManager, ALServiceManager API of the NAOqi documentation.

use crate::autonomy as animations;
use crate::table::{
    Call, Const, Reply, Service, accepts, answers, done, engine, failed, gets, known, nao6, ok, robot, runs, service,
    signal, unknown,
};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;
const NO: Const = Const::Bool(false);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALBehaviorManager",
        "Installed and running behaviors",
        &[
            runs("startBehavior", "Starts a behavior", robot("(s)v"), start_behavior),
            runs("runBehavior", "Starts a behavior and waits for its end", robot("(s)v"), run_behavior),
            runs("stopBehavior", "Stops a behavior", robot("(s)v"), accept_behavior),
            accepts("stopAllBehaviors", "Stops every behavior", robot("()v")),
            runs("preloadBehavior", "Loads a behavior", robot("(s)b"), preload_behavior),
            runs("isBehaviorInstalled", "Whether there is a behavior of this name", robot("(s)b"), is_installed),
            runs("isBehaviorPresent", "Old name of isBehaviorInstalled", robot("(s)b"), is_installed),
            answers("isBehaviorLoaded", "Whether it is loaded", robot("(s)b"), NO),
            answers("isBehaviorRunning", "Whether it runs", robot("(s)b"), NO),
            answers("getInstalledBehaviors", "Names of all behaviors", robot("()[s]"), Const::Empty),
            answers("getLoadedBehaviors", "Names of the loaded behaviors", robot("()[s]"), Const::Empty),
            answers("getRunningBehaviors", "Names of the running behaviors", robot("()[s]"), Const::Empty),
            answers("getBehaviorNames", "Old name of getInstalledBehaviors", robot("()[s]"), Const::Empty),
            answers("getUserBehaviorNames", "Behaviors the user installed", robot("()[s]"), Const::Empty),
            answers("getSystemBehaviorNames", "Behaviors of the system", robot("()[s]"), Const::Empty),
            answers("resolveBehaviorName", "Full name of a behavior", robot("(s)s"), Const::Str("")),
            runs("getBehaviorNature", "Nature from the manifest", robot("(s)s"), refuse_behavior),
            runs("getBehaviorTags", "Tags from the manifest", robot("(s)[s]"), refuse_behavior),
            answers("getBehaviorsByTag", "Behaviors with a tag", robot("(s)[s]"), Const::Empty),
            answers("getTagList", "Every tag", robot("()[s]"), Const::Empty),
            answers("getLoadedBehaviorsByTag", "Loaded behaviors with a tag", unknown("(m)m"), Const::Empty),
            runs("addDefaultBehavior", "Starts a behavior with the robot", robot("(s)v"), add_default_behavior),
            runs("removeDefaultBehavior", "No longer starts it with the robot", robot("(s)v"), remove_default_behavior),
            gets("getDefaultBehaviors", "Behaviors that start with the robot", robot("()[s]"), "default", Const::Empty),
            accepts("playDefaultProject", "Starts the default behaviors", robot("()v")),
            runs("installBehavior", "Installs a behavior", robot("(s)b (ssb)b (mm)b"), refuse_behavior),
            runs("removeBehavior", "Removes a behavior", robot("(s)b"), refuse_behavior),
        ],
    )
    .signals(&[
        signal("behaviorLoaded", "(s)"),
        signal("behaviorStarted", "(s)"),
        signal("behaviorStopped", "(s)"),
        signal("behaviorFailed", "(sss)"),
        signal("behaviorsAdded", "([s])"),
        signal("behaviorsRemoved", "([s])"),
        signal("behaviorAdded", "m"),
        signal("behaviorRemoved", "m"),
        signal("behaviorUpdated", "m"),
    ])
    .events(&["BehaviorsRun"]),
    service(
        "ALFrameManager",
        "Runs the boxes of behaviors; no public page describes it",
        &[
            engine("getBehaviorPath", "Folder of a behavior", robot("(s)s")),
            engine("exitBehavior", "Ends a behavior", robot("(s)v")),
            engine("getTimelineFps", "Frames a second of a timeline", robot("(s)i")),
            engine("setTimelineFps", "Sets the frames a second of a timeline", robot("(si)v")),
            known("createTimeline", "Internal", robot("(s)s")),
            known("addTimeline", "Internal", unknown("(#)m")),
            known("newBehaviorFromFile", "Internal", robot("(ss)s")),
            known("newBehaviorFromChoregraphe", "Internal", robot("()s")),
            known("playBehavior", "Internal", robot("(s)v")),
            known("stopBehavior", "Internal", unknown("(m)m")),
            known("completeBehavior", "Internal", robot("(s)v")),
            known("deleteBehavior", "Internal", robot("(s)v")),
            known("cleanBehaviors", "Internal", robot("()v")),
            known("getTimeline", "Internal", unknown("(mm)m")),
            known("gotoAndPlay", "Internal", robot("(ss)v (si)v")),
            known("gotoAndStop", "Internal", robot("(ss)v (si)v")),
        ],
    ),
    service(
        "ALResourceManager",
        "Who may use what",
        &[
            engine("acquireResource", "Takes a resource: name, owner, callback, seconds", robot("(sssi)v")),
            engine("acquireResourcesTree", "Takes several resources", robot("([s]ssi)v")),
            engine("releaseResource", "Gives a resource back", robot("(ss)v")),
            engine("releaseResources", "Gives several back", robot("([s]s)v")),
            engine("areResourcesFree", "Whether nobody has any of them", robot("([s])b")),
            engine("isResourceFree", "Whether nobody has it", robot("(s)b")),
            engine("areResourcesOwnedBy", "Whether an owner has all of them", robot("([s]s)b")),
            engine("createResource", "Adds a resource under a parent", robot("(ss)v")),
            engine("createResourcesList", "Adds several", robot("([s]s)v")),
            engine("deleteResource", "Removes a resource", robot("(sb)v (m)v")),
            engine("enableStateResource", "Makes a state resource true or false", robot("(sb)v")),
            engine("isInGroup", "Whether a resource is part of another", robot("(ss)b")),
            engine("getResources", "Every resource", robot("()m")),
            engine("ownersGet", "Resources with their owners", robot("()m")),
            engine("checkStateResourceFree", "Whether states are true", robot("([s])b")),
            engine("waitForResource", "Deprecated: takes a resource", robot("(sssi)v")),
            engine("waitForResourcesTree", "Deprecated: takes several", robot("([s]ssi)v")),
            engine(
                "waitForOptionalResourcesTree",
                "Deprecated: takes several, and of others what is free",
                robot("([s]ssi[s])[s]"),
            ),
        ],
    ),
    service(
        "ALPythonBridge",
        "Python in the robot's own process",
        &[
            known("eval", "Evaluates an expression", robot("(s)s")),
            known("evalReturn", "Evaluates an expression and gives its value", robot("(s)m")),
            known("evalFull", "Evaluates and gives value, output and errors", robot("(s)m")),
        ],
    ),
    service(
        "ALChoregraphe",
        "What the editor listens to",
        &[known(
            "onPythonError",
            "Tells the editor of a script error",
            unknown("(m)m (mm)m (mmm)m (mmmm)m (mmmmm)m (mmmmmm)m"),
        )],
    ),
    service(
        "ALServiceManager",
        "Services of application packages",
        &[
            runs("startService", "Starts a service of a package", robot("(s)b"), refuse_service),
            runs("stopService", "Stops it", robot("(s)b"), refuse_service),
            answers("services", "Every service", robot("()[(bssb)]"), Const::Empty),
            runs("service", "What is known of a service", unknown("(m)m"), refuse_service),
            answers("isServiceRunning", "Whether it runs", robot("(s)b"), NO),
            runs("restartService", "Stops and starts it", robot("(s)b"), refuse_service),
            runs("start", "Short for startService", nao6("(s)v"), refuse_service),
            runs("stop", "Short for stopService", nao6("(s)v"), refuse_service),
            answers("serviceMemoryUsage", "Memory of a service", unknown("(m)m"), Const::Int(0)),
            answers("serviceProcessId", "Process of a service", unknown("(m)m"), Const::Int(0)),
            accepts("startAllServices", "Starts every service", unknown("()m")),
            accepts("stopAllServices", "Stops every service", unknown("()m")),
        ],
    )
    .signals(&[signal("serviceStarted", "(si)"), signal("serviceStopped", "(si)")]),
    service(
        "ALStore",
        "Applications",
        &[
            accepts("update", "Updates", unknown("()m (m)m")),
            answers("autoUpdate", "Whether applications update themselves", unknown("()m"), NO),
            answers("isConnected", "Whether the store is in reach", unknown("()m"), NO),
            answers("status", "State of the store", unknown("()m"), Const::Str("offline")),
            accepts("updateInfo", "Asks for news", unknown("()m (m)m")),
        ],
    ),
    service("ALAppsAnalytics", "Statistics; not described", &[known("push_mood", "Undocumented", unknown("(#)m"))]),
    service(
        "DanceTemplate",
        "A service of dance applications, not of the robot",
        &[
            known("init_template", "Undocumented", unknown("(#)m")),
            known("onLoadDanceBehavior", "Undocumented", unknown("(#)m")),
            known("onUnloadDanceBehavior", "Undocumented", unknown("(#)m")),
            known("onStartDanceBehavior", "Undocumented", unknown("(#)m")),
            known("onLoadDanceBox", "Undocumented", unknown("(#)m")),
            known("onUnloadDanceBox", "Undocumented", unknown("(#)m")),
            known("onBeforeStartDanceBox", "Undocumented", unknown("(#)m")),
            known("setReturnValueEnd", "Undocumented", unknown("(#)m")),
            known("setUpBehaviorByRadiusAvailable", "Undocumented", unknown("(#)m")),
            known("stopautoSetupBehavior", "Undocumented", unknown("(#)m")),
            known("logBehaviorMessage", "Undocumented", unknown("(#)m")),
            known("launchMoveAlong", "Undocumented", unknown("(#)m")),
            known("addMusicId", "Undocumented", unknown("(#)m")),
            known("removeMusicId", "Undocumented", unknown("(#)m")),
            known("normalStop_Template", "Undocumented", unknown("(#)m")),
        ],
    ),
    service(
        "ShowTimeFramework",
        "A service of dance applications, not of the robot",
        &[known("disableCheckPart", "Undocumented", unknown("(#)m"))],
    ),
    service(
        "KpiLib",
        "A service of applications, not of the robot",
        &[known("_sendKpiInfo", "Undocumented", unknown("(#)m"))],
    ),
];

/// Stopping a behavior that does not run is no error on a robot, either.
fn accept_behavior(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    call.args.text(0, "behavior")?;
    done()
}

/// The key of the setting with the behaviors that start with the robot.
pub(crate) const DEFAULTS: &str = "ALBehaviorManager/default";

fn defaults_but(w: &World, name: &str) -> Vec<Value> {
    let all = w.settings.get(DEFAULTS).and_then(Value::as_list).unwrap_or_default();
    all.iter().filter(|known| known.as_str() != Some(name)).cloned().collect()
}

fn add_default_behavior(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "behavior")?;
    let all = defaults_but(w, name).into_iter().chain([name.into()]);
    w.settings.insert(DEFAULTS.into(), Value::list(all));
    w.keep()?;
    done()
}

fn remove_default_behavior(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let rest = defaults_but(w, call.args.text(0, "behavior")?);
    w.settings.insert(DEFAULTS.into(), Value::list(rest));
    w.keep()?;
    done()
}

fn preload_behavior(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    call.args.text(0, "behavior")?;
    ok(false)
}

/// The robot's own animations are behaviors, too.
fn run_behavior(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if animations::is_installed(call.args.text(0, "behavior")?) {
        return animations::animate(w, cx, call, "animation", "behavior");
    }
    refuse_behavior(w, cx, call)
}

fn start_behavior(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "behavior")?;
    if animations::is_installed(name) {
        animations::begin(cx, name, "animation", "behavior");
        return done();
    }
    refuse_behavior(w, cx, call)
}

fn is_installed(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(animations::is_installed(call.args.text(0, "behavior")?))
}

fn refuse_behavior(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("the behavior `{}` is not installed", call.args.text(0, "behavior")?))
}

fn refuse_service(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("the service `{}` is not installed in the simulation", call.args.text(0, "service")?))
}
