//! The machine: names, network, packages, preferences, services, time.
//!
//! Pages: NAOqi Core and NAOqi OS of the NAOqi documentation.

use crate::sim::table::{
    ANY, Call, Const, Method, Reply, Service, act, code, done, failed, get, ok, put, quiet, say, service, try_put,
};
use crate::sim::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

/// The NAOqi version the simulation says it is.
pub(crate) const VERSION: &str = "2.8.7.4";

const SYSTEM: &[Method] = &[
    code("robotName", 0, 0),
    code("setRobotName", 1, 1),
    act("factoryReset", 0, 2, "system", "factory reset (the simulation goes on)", Const::Null),
    act("upgrade", 2, 3, "system", "upgrade (the simulation goes on)", Const::Null),
    act("changePassword", 2, 2, "system", "password changed (not kept)", Const::Null),
    act("reboot", 0, 0, "system", "reboot (the simulation goes on)", Const::Null),
    act("shutdown", 0, 0, "system", "shutdown (the simulation goes on)", Const::Null),
    get("timezone", "timezone", 0, Const::Str("UTC")),
    try_put("setTimezone", "timezone", 1),
    say("aldebaranPackage", 0, 0, YES),
    say("diskFree", 0, 1, Const::Empty),
    say("freeMemory", 0, 0, Const::Int(1_000_000_000)),
    say("previousSystemVersion", 0, 0, Const::Str("")),
    say("robotIcon", 0, 0, Const::Null),
    say("systemInfo", 0, 0, Const::Empty),
    say("systemVersion", 0, 0, Const::Str(VERSION)),
    say("totalMemory", 0, 0, Const::Int(1_000_000_000)),
];

const CONNECTION: &[Method] = &[
    // There is no network in the simulation.
    say("state", 0, 0, Const::Str("offline")),
    say("services", 0, 0, Const::Empty),
    say("technologies", 0, 0, Const::Empty),
    say("getTetheringEnable", 1, 1, NO),
    say("countries", 0, 0, Const::Empty),
    say("country", 0, 0, Const::Str("")),
    say("interfaces", 0, 0, Const::Empty),
    quiet("connect", 1, 1),
    quiet("disconnect", 1, 1),
    quiet("forget", 1, 1),
    quiet("scan", 0, 1),
    quiet("setServiceConfiguration", 1, 1),
    quiet("setServiceInput", 1, 1),
    quiet("setCountry", 1, 1),
    say("service", 1, 1, Const::Empty),
    say("tetheringName", 1, 1, Const::Str("")),
    say("tetheringPassphrase", 1, 1, Const::Str("")),
    quiet("enableTethering", 1, 4),
    quiet("disableTethering", 1, 1),
];

const PREFERENCES: &[Method] = &[
    get("getValue", "preference", 2, Const::Null),
    put("setValue", "preference", 3),
    quiet("importPrefFile", 3, 4),
    quiet("removeDomainValues", 1, 1),
    quiet("removeValue", 2, 2),
    quiet("update", 0, 0),
    say("getDomainList", 0, 0, Const::Empty),
    say("getValueList", 1, 1, Const::Empty),
];

const SERVICE_MANAGER: &[Method] = &[
    code("restartService", 1, 1),
    code("service", 1, 1),
    code("start", 1, 1),
    code("startService", 1, 1),
    code("stop", 1, 1),
    code("stopService", 1, 1),
    say("isServiceRunning", 1, 1, NO),
    say("serviceMemoryUsage", 1, 1, Const::Int(0)),
    say("serviceProcessId", 1, 1, Const::Int(0)),
    say("services", 0, 0, Const::Empty),
    quiet("startAllServices", 0, 0),
    quiet("stopAllServices", 0, 0),
];

/// The list behind `session.services()`.
const DIRECTORY: &[Method] =
    &[code("service", 1, 1), code("services", 0, 0), say("machineId", 0, 0, Const::Str("simulation"))];

const BEHAVIORS: &[Method] = &[
    code("addDefaultBehavior", 1, 1),
    code("getBehaviorNature", 1, 1),
    code("getBehaviorTags", 1, 1),
    code("installBehavior", 1, 3),
    code("preloadBehavior", 1, 1),
    code("removeBehavior", 1, 1),
    code("removeDefaultBehavior", 1, 1),
    code("runBehavior", 1, 2),
    code("startBehavior", 1, 1),
    code("stopBehavior", 1, 1),
    quiet("playDefaultProject", 0, 0),
    quiet("stopAllBehaviors", 0, 0),
    say("getBehaviorNames", 0, 0, Const::Empty),
    say("getBehaviorsByTag", 1, 1, Const::Empty),
    say("getDefaultBehaviors", 0, 0, Const::Empty),
    say("getInstalledBehaviors", 0, 0, Const::Empty),
    say("getLoadedBehaviors", 0, 0, Const::Empty),
    say("getLoadedBehaviorsByTag", 1, 1, Const::Empty),
    say("getRunningBehaviors", 0, 0, Const::Empty),
    say("getSystemBehaviorNames", 0, 0, Const::Empty),
    say("getTagList", 0, 0, Const::Empty),
    say("getUserBehaviorNames", 0, 0, Const::Empty),
    say("isBehaviorInstalled", 1, 1, NO),
    say("isBehaviorLoaded", 1, 1, NO),
    say("isBehaviorPresent", 1, 1, NO),
    say("isBehaviorRunning", 1, 1, NO),
    say("resolveBehaviorName", 1, 1, Const::Str("")),
];

const BEHAVIOR_SIGNALS: &[&str] = &[
    "behaviorAdded",
    "behaviorFailed",
    "behaviorLoaded",
    "behaviorRemoved",
    "behaviorStarted",
    "behaviorStopped",
    "behaviorUpdated",
    "behaviorsAdded",
    "behaviorsRemoved",
];

const DCM: &[Method] = &[
    code("getTime", 1, 1),
    act("set", 1, 1, "dcm", "low-level command (not simulated)", Const::Null),
    act("setAlias", 1, 1, "dcm", "low-level command (not simulated)", Const::Null),
    act("createAlias", 1, 1, "dcm", "alias (not simulated)", Const::Empty),
    say("getPrefix", 0, 0, Const::Empty),
    quiet("preferences", 4, 4),
    quiet("special", 1, 1),
];

const PACKAGES: &[Method] = &[
    code("getPackage", 1, 1),
    code("package", 1, 1),
    code("package2", 1, 1),
    code("install", 1, 3),
    code("removePkg", 1, 1),
    code("remove", 1, 1),
    code("uninstall", 1, 1),
    say("getPackages", 0, 0, Const::Empty),
    say("packages", 0, 0, Const::Empty),
    say("packages2", 0, 0, Const::Empty),
    say("hasPackage", 1, 1, NO),
    say("packageIcon", 1, 1, Const::Null),
];

const STORE: &[Method] = &[
    say("autoUpdate", 0, 0, NO),
    say("isConnected", 0, 0, NO),
    say("status", 0, 0, Const::Str("offline")),
    quiet("update", 0, 1),
    quiet("updateInfo", 0, 1),
];

const NOTIFICATIONS: &[Method] = &[
    code("add", 1, 1),
    quiet("remove", 1, 1),
    say("notification", 1, 1, Const::Empty),
    say("notifications", 0, 0, Const::Empty),
];

const USERS: &[Method] = &[
    say("areUserSessionsOpen", 1, 1, NO),
    say("areUserBindingsReady", 0, 0, NO),
    say("doUsersExist", 1, 1, NO),
    say("doesUserExist", 1, 1, NO),
    say("findUsersWithBinding", 2, 2, Const::Empty),
    say("getBindingSources", 0, 0, Const::Empty),
    say("getFocusedUser", 0, 0, Const::Int(-1)),
    say("getFocusedUserId", 0, 0, Const::Int(-1)),
    say("getNumUsers", 0, 0, Const::Int(0)),
    say("getOpenUserSessions", 0, 0, Const::Empty),
    say("getUserList", 0, 0, Const::Empty),
    say("getUsers", 0, 0, Const::Empty),
    say("getUserData", 1, 3, Const::Null),
    say("isUserSessionOpen", 1, 1, NO),
    put("setUserData", "data", 4),
];

const USER_INFO: &[Method] =
    &[say("get", 0, 3, Const::Null), say("has", 1, 3, NO), quiet("remove", 2, 3), quiet("set", 3, 4)];

const ROBOT_MODEL: &[Method] = &[
    code("_getRobotTypeString", 0, 0),
    code("hasHands", 0, 0),
    code("hasLegs", 0, 0),
    code("getRobotType", 0, 0),
    say("_hasTouchSensorInHands", 0, ANY, YES),
    say("_isMacroSensorActive", 1, 1, NO),
    say("hasArms", 0, 0, YES),
    say("isInSimulation", 0, 0, YES),
    say("_getSubModel", 0, 0, Const::Str("")),
    say("getConfig", 0, 0, Const::Str("")),
];

const LOGGER: &[Method] = &[
    code("debug", 2, 2),
    code("error", 2, 2),
    code("fatal", 2, 2),
    code("info", 2, 2),
    code("verbose", 2, 2),
    code("warn", 2, 2),
    put("setVerbosity", "verbosity", 1),
    get("verbosity", "verbosity", 0, Const::Int(4)),
];

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match (call.service.name, call.method) {
        ("ALSystem", "robotName") => ok(name(w)),
        ("ALSystem", "setRobotName") => {
            let name = args.text(0, "name")?;
            w.settings.insert("ALSystem/name".into(), name.into());
            ok(true)
        }
        // Stopping what does not run is no error on a robot either.
        ("ALBehaviorManager", "stopBehavior" | "addDefaultBehavior" | "removeDefaultBehavior") => {
            args.text(0, "behavior")?;
            done()
        }
        ("ALBehaviorManager", "preloadBehavior") => {
            args.text(0, "behavior")?;
            ok(false)
        }
        ("ALBehaviorManager", _) => failed(format!("the behavior `{}` is not installed", args.text(0, "behavior")?)),
        ("ALServiceManager", _) => {
            failed(format!("the service `{}` is not installed in the simulation", args.text(0, "service")?))
        }
        ("ServiceDirectory", "services") => ok(Value::list(directory(w))),
        ("ServiceDirectory", _) => {
            let name = args.text(0, "service")?;
            let is = |s: &Value| s.get("name").and_then(Value::as_str) == Some(name);
            directory(w).find(is).map_or_else(|| failed(format!("there is no service `{name}`")), ok)
        }
        ("PackageManager", _) => {
            failed(format!("the package `{}` is not installed in the simulation", args.text(0, "package")?))
        }
        // Milliseconds since the robot started, plus the argument.
        ("DCM", "getTime") => ok((cx.now().0 / 1_000_000).saturating_add(args.int(0, "offset")?)),
        ("ALNotificationManager", "add") => {
            let text = args.value(0, "notification")?.to_string();
            cx.act("notification", text, Value::map([("notification", args.value(0, "notification")?.clone())]));
            let next = w.setting("ALNotificationManager", "last").and_then(Value::as_i64).unwrap_or(0) + 1;
            w.settings.insert("ALNotificationManager/last".into(), next.into());
            ok(next)
        }
        ("ALRobotModel", "_getRobotTypeString") => ok(w.body.build().type_name),
        // Numbers as `AL::RobotType` counts them: Nao, Romeo, Juliette.
        ("ALRobotModel", "getRobotType") => ok(w.body.build().type_number),
        ("ALRobotModel", "hasHands") => ok(w.body.build().hands),
        ("ALRobotModel", "hasLegs") => ok(w.body.has_legs()),
        ("ALLogger", level) => {
            let (module, text) = (args.text(0, "module")?, args.text(1, "message")?);
            let data = [("level", Value::from(level)), ("module", module.into())];
            cx.act("log", format!("{module}: {text}"), Value::map(data));
            done()
        }
        _ => Err(ServiceError::NoMethod),
    }
}

/// The robot's name.
pub(crate) fn name(w: &World) -> Value {
    w.setting("ALSystem", "name").cloned().unwrap_or_else(|| w.options.name.as_str().into())
}

const fn own(name: &'static str, methods: &'static [Method]) -> Service {
    Service { code: call, ..service(name, methods) }
}

/// What libqi tells of each service, as a map; nothing of the simulation can be reached from elsewhere.
fn directory(w: &World) -> impl Iterator<Item = Value> {
    crate::sim::services().filter(|s| w.body.offers(s.name)).zip(1..).map(|(service, id)| {
        Value::map([
            ("name", Value::from(service.name)),
            ("serviceId", Value::Int(id)),
            ("machineId", "simulation".into()),
            ("processId", Value::Int(0)),
            ("endpoints", Value::list([])),
            ("sessionId", id.to_string().into()),
        ])
    })
}

pub(crate) static SERVICES: &[Service] = &[
    own("ALSystem", SYSTEM),
    Service { signals: &["serviceAdded", "serviceRemoved"], ..own("ServiceDirectory", DIRECTORY) },
    Service { signals: &["serviceStarted", "serviceStopped"], ..own("ALServiceManager", SERVICE_MANAGER) },
    Service { signals: BEHAVIOR_SIGNALS, events: &["BehaviorsRun"], ..own("ALBehaviorManager", BEHAVIORS) },
    own("DCM", DCM),
    own("PackageManager", PACKAGES),
    Service { signals: &["notificationAdded", "notificationRemoved"], ..own("ALNotificationManager", NOTIFICATIONS) },
    own("ALRobotModel", ROBOT_MODEL),
    own("ALLogger", LOGGER),
    service("ALConnectionManager", CONNECTION),
    service("ALPreferenceManager", PREFERENCES),
    service("ALPreferences", PREFERENCES),
    service("ALStore", STORE),
    service("ALUserSession", USERS),
    service("ALUserInfo", USER_INFO),
];
