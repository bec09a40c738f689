//! The methods of every service of a robot. Waiting for calls and stopping them is done by the engine.

use crate::table::{Call, Const, Method, Reply, answers, engine, known, ok, robot, runs, unknown};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

/// The methods of every service. `wait`, `stop` and `isRunning` take the number that `post` returned.
pub static COMMON_METHODS: &[Method] = &[
    engine("wait", "Waits for a posted call, at most some milliseconds (0: for ever)", robot("(ii)b (m)b")),
    engine("stop", "Stops a posted call", robot("(i)v")),
    engine("isRunning", "Whether a posted call still runs", robot("(i)b")),
    answers("ping", "True", robot("()b"), Const::Bool(true)),
    answers("version", "Version of the module", robot("()s"), Const::Str(crate::system::VERSION)),
    engine("pCall", "Calls a method and gives the number of the call", robot("(m#)m")),
    known("exit", "Ends the module", robot("()v")),
    answers("getBrokerName", "Name of the broker", robot("()s"), Const::Str("MainBroker")),
    runs("getMethodHelp", "Description of a method", robot("(s)m"), get_method_help),
    runs("getMethodList", "Names of the methods", robot("()[s]"), get_method_list),
    answers("getModuleHelp", "Description of the module", robot("()m"), Const::Str("")),
    known("getUsage", "How to call a method", robot("(s)s")),
    known("setProperty", "Sets a property", robot("(mm)v")),
    known("property", "Value of a property", robot("(m)m")),
    known("properties", "Names of the properties", robot("()[s]")),
    known("metaObject", "Methods, signals and properties", unknown("()m (m)m")),
];

fn get_method_list(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let mut names: Vec<_> = call.service.all_methods().filter(|m| m.is_of_robot()).map(|m| m.name).collect();
    names.sort_unstable();
    names.dedup();
    ok(Value::list(names.into_iter().map(Value::from)))
}

fn get_method_help(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list([]))
}
