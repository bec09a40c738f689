//! The methods of every service of a robot. Waiting for calls and stopping them is done by the engine.

use crate::table::{
    Call, Const, Method, Overload, Property, Reply, accepts, answers, done, engine, failed, known, ok, robot, runs,
    unknown,
};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// The methods of every service. `wait`, `stop` and `isRunning` take the number that `post` returned.
pub static COMMON_METHODS: &[Method] = &[
    engine("wait", "Waits for a posted call, at most some milliseconds (0: for ever)", robot("(ii)b (m)b")),
    engine("stop", "Stops a posted call", robot("(i)v")),
    engine("isRunning", "Whether a posted call still runs", robot("(i)b")),
    answers("ping", "True", robot("()b"), Const::Bool(true)),
    runs("version", "Version of the module", robot("()s"), crate::system::system_version),
    engine("pCall", "Calls a method and gives the number of the call", robot("(m#)m")),
    accepts("exit", "Ends the module", robot("()v")),
    answers("getBrokerName", "Name of the broker", robot("()s"), Const::Str("MainBroker")),
    runs("getMethodHelp", "Description of a method", robot("(s)m"), get_method_help),
    runs("getMethodList", "Names of the methods", robot("()[s]"), get_method_list),
    answers("getModuleHelp", "Description of the module", robot("()m"), Const::Str("")),
    runs("getUsage", "How to call a method", robot("(s)s"), get_usage),
    runs("setProperty", "Sets a property", robot("(mm)v"), set_property),
    runs("property", "Value of a property", robot("(m)m"), get_property),
    runs("properties", "Names of the properties", robot("()[s]"), get_properties),
    known("metaObject", "Methods, signals and properties", unknown("()m (m)m")),
];

fn get_method_list(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let mut names: Vec<_> = call.service.all_methods().filter(|m| m.is_of_robot()).map(|m| m.name).collect();
    names.sort_unstable();
    names.dedup();
    ok(Value::list(names.into_iter().map(Value::from)))
}

/// Answers the name and the signatures, which is what a robot knows of a method.
fn get_usage(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "method")?;
    let Some(method) = call.service.method(name) else {
        return failed(format!("there is no method `{name}`"));
    };
    let forms = method.overloads().map(|o| format!("{name}::{}->{}", o.parameters, o.returns));
    ok(format!("{}: {}", forms.collect::<Vec<_>>().join(" "), method.doc))
}

/// Answers the documentation of a method: its name, its purpose, its arguments, and its answer.
fn get_method_help(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "method")?;
    let Some(method) = call.service.method(name) else { return ok(Value::list([])) };
    let overload = method.overloads().next();
    let (takes, gives) = overload.map(|o| (o.parameters.to_string(), o.returns.to_string())).unwrap_or_default();
    ok(Value::list([name.into(), method.doc.into(), takes.into(), gives.into()]))
}

/// The properties of NAOqi 2.8. Of robots with 2.5 none reports any.
fn get_properties(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(Value::list(call.service.properties.iter().map(|property| property.name.into())))
}

fn property_argument(call: &Call<'_>) -> Result<Property, ServiceError> {
    let name = call.args.text(0, "property")?;
    let found = call.service.properties.iter().find(|property| property.name == name);
    found.copied().map_or_else(|| failed(format!("there is no property `{name}`")), Ok)
}

fn get_property(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let property = property_argument(call)?;
    let set = w.setting(call.service.name, &format!("property/{}", property.name)).cloned();
    ok(set.unwrap_or_else(|| empty(property.types)))
}

/// Keeps the value, and tells who listens to the property.
fn set_property(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let property = property_argument(call)?;
    let value = call.args.value(1, "value")?.clone();
    w.settings.insert(format!("{}/property/{}", call.service.name, property.name), value.clone());
    w.signal(cx, call.service.name, property.name, value);
    done()
}

/// Returns the value of a type that says nothing: zero, an empty text or list.
fn empty(of: &str) -> Value {
    match of.chars().next() {
        Some('s') => "".into(),
        Some('b') => false.into(),
        Some('i' | 'I' | 'l' | 'L') => Value::Int(0),
        Some('f' | 'd') => Value::Float(0.0),
        Some('[') => Value::list([]),
        Some('{') => Value::map::<&str>([]),
        Some('(') => Value::list(Overload::arguments_of(of).into_iter().map(empty)),
        _ => Value::Null,
    }
}
