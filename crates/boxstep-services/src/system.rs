//! The machine: names, network, packages, preferences, services, time.
//!
//! Source: the NAOqi Core and NAOqi OS pages of the NAOqi documentation.

use crate::memory::Kind;
use crate::table::{
    Call, Const, Reply, Service, accepts, acts, answers, described, failed, gets, known, nao6, ok, robot, runs,
    service, sets, signal, unknown,
};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALSystem",
        "The system",
        &[
            runs("robotName", "Name", described("()s"), robot_name),
            runs("setRobotName", "Gives a name", described("(s)b"), set_robot_name),
            runs("systemVersion", "Version", described("()s"), system_version),
            answers("systemInfo", "Versions of everything", unknown("()m"), Const::Empty),
            answers("robotIcon", "Picture", unknown("()m"), Const::Null),
            acts("reboot", "Starts again", described("()v"), "system", "reboot (the simulation goes on)", Const::Null),
            acts(
                "shutdown",
                "Switches off",
                described("()v"),
                "system",
                "shutdown (the simulation goes on)",
                Const::Null,
            ),
            sets("setTimezone", "Time zone", unknown("(m)b"), "timezone"),
            gets("timezone", "Time zone", described("()s"), "timezone", Const::Str("UTC")),
            answers("freeMemory", "Kilobytes", described("()i"), Const::Int(1_000_000_000)),
            answers("totalMemory", "Kilobytes", described("()i"), Const::Int(1_000_000_000)),
            answers("diskFree", "Space", unknown("()m (m)m"), Const::Empty),
            acts("changePassword", "Password", unknown("(mm)m"), "system", "password changed (not kept)", Const::Null),
            answers("previousSystemVersion", "Version before", unknown("()m"), Const::Str("")),
            acts(
                "upgrade",
                "New version",
                unknown("(mm)m (mmm)m"),
                "system",
                "upgrade (the simulation goes on)",
                Const::Null,
            ),
            acts(
                "factoryReset",
                "Everything as new",
                unknown("()m (m)m (mm)m"),
                "system",
                "factory reset (the simulation goes on)",
                Const::Null,
            ),
            answers("aldebaranPackage", "Whether a package is of the maker", unknown("()m"), YES),
        ],
    ),
    service(
        "ServiceDirectory",
        "Names of services",
        &[
            runs("services", "Every service", robot("()[(sIsI[s]s)]"), list_services),
            runs("service", "One service", robot("(s)(sIsI[s]s)"), find_service),
            known("registerService", "Adds a service", robot("((sIsI[s]s))I")),
            known("unregisterService", "Removes one", robot("(I)v")),
            answers("machineId", "Id of the machine", robot("()s"), Const::Str("simulation")),
        ],
    )
    .signals(&[signal("serviceAdded", "(Is)"), signal("serviceRemoved", "(Is)")]),
    service(
        "DCM",
        "Sensors and actuators, close to the hardware",
        &[
            runs("getTime", "Milliseconds of the robot's clock, plus an offset", unknown("(m)m"), get_time),
            acts(
                "set",
                "Commands an actuator over time",
                unknown("(m)m"),
                "dcm",
                "low-level command (not simulated)",
                Const::Null,
            ),
            acts(
                "setAlias",
                "Commands a group of actuators",
                unknown("(m)m"),
                "dcm",
                "low-level command (not simulated)",
                Const::Null,
            ),
            acts(
                "createAlias",
                "Makes a group of actuators",
                unknown("(m)m"),
                "dcm",
                "alias (not simulated)",
                Const::Empty,
            ),
            accepts("preferences", "Writes a setting", unknown("(mmmm)m")),
            answers("getPrefix", "Prefix of memory keys", unknown("()m"), Const::Empty),
            known("calibration", "Calibrates", unknown("(m)m")),
            accepts("special", "Special commands", unknown("(m)m")),
        ],
    ),
    service(
        "ALRobotModel",
        "Which robot it is",
        &[
            runs("getRobotType", "Type", unknown("()m"), get_robot_type),
            answers("hasArms", "Whether it has arms", nao6("()b"), YES),
            runs("hasHands", "Whether it has hands", described("()b"), has_hands),
            runs("hasLegs", "Whether it has legs", described("()b"), has_legs),
            runs("getConfig", "Configuration", robot("()s"), get_config),
            runs("getConfigMap", "Configuration", unknown("()m"), get_config_map),
            runs("_getRobotTypeString", "Undocumented: Nao, Juliette", robot("()s"), get_robot_type_string),
            answers("_hasTouchSensorInHands", "Undocumented", robot("()b"), YES),
            runs("_getConfigMap", "Undocumented", robot("(){sm}"), get_config_map),
            answers("_isMacroSensorActive", "Undocumented", unknown("(m)m"), NO),
            answers("isInSimulation", "Whether the robot is simulated", unknown("()m"), YES),
            answers("_getSubModel", "Undocumented", unknown("()m"), Const::Str("")),
        ],
    ),
];

pub(crate) fn system_version(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.options.version.as_str())
}

fn set_robot_name(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    w.store(cx, "Dialog/RobotName", name.into(), Kind::Data);
    w.settings.insert("ALSystem/name".into(), name.into());
    ok(true)
}

fn robot_name(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(name(w))
}

fn list_services(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(directory(w)))
}

fn find_service(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "service")?;
    let is = |s: &Value| s.get("name").and_then(Value::as_str) == Some(name);
    directory(w).find(is).map_or_else(|| failed(format!("there is no service `{name}`")), ok)
}

/// Answers the milliseconds since the robot started, plus the argument.
fn get_time(_: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok((cx.now().0 / 1_000_000).saturating_add(call.args.int(0, "offset")?))
}

fn get_robot_type_string(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.build().type_name)
}

/// Answers the type as numbered in `AL::RobotType`: Nao, Romeo, Juliette.
fn get_robot_type(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.build().type_number)
}

fn has_hands(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.build().hands)
}

fn has_legs(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.has_legs())
}

/// Answers what `ALMotion.getRobotConfig` answers, as a map.
fn get_config_map(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::map(w.body.config()))
}

fn get_config(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.config().map(|(name, value)| format!("{name}={value}\n")).collect::<String>())
}

/// Returns the robot's name.
pub(crate) fn name(w: &World) -> Value {
    w.setting("ALSystem", "name").cloned().unwrap_or_else(|| w.options.name.as_str().into())
}

/// Returns libqi's description of each service, as a map; no service of the simulation is reachable from other
/// processes.
fn directory(w: &World) -> impl Iterator<Item = Value> {
    crate::services().filter(|s| w.body.offers(s.name)).zip(1..).map(|(service, id)| {
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
