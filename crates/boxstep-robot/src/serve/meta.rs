//! The descriptions of served services: the table of `boxstep-services`, as far as the run implements it.

use super::generation::{has_method, has_service, waits_twice};
use crate::wire::{NoObjects, to_wire};
use boxstep_qi::{FIRST_OWN, Generation, MetaMethod, MetaObject, MetaSignal, Signature, SignatureError};
use boxstep_services::{Base, COMMON_METHODS, Method, Service, service};
use boxstep_types::{ENGINE_SERVICES, Value};
use std::collections::BTreeMap;

/// A service of which the methods that the robot or the engine implements are offered.
#[derive(Clone, Copy)]
pub(super) struct Offered {
    pub(super) service: &'static Service,
    /// The generation of NAOqi whose methods it has; `None`: all.
    pub(super) generation: Option<Generation>,
}

/// The server has its own service directory.
const DIRECTORY: &str = "ServiceDirectory";

/// Services that are not NAOqi modules, so they lack the methods of every module.
const NO_MODULES: &[&str] = &["ALTabletService", "LogManager", "PackageManager"];

/// The methods of every module, with their numbers on a robot.
const BASE: &[(u32, &str)] = &[
    (102, "pCall"),
    (103, "version"),
    (104, "ping"),
    (105, "getMethodList"),
    (106, "getMethodHelp"),
    (107, "getModuleHelp"),
    (108, "wait"),
    (109, "isRunning"),
    (110, "stop"),
    (111, "getBrokerName"),
];

/// The last number before that of the second `wait`, where there is one.
const WAIT: u32 = 108;

/// The first number after those of the module methods.
const FIRST: u32 = FIRST_OWN + 13;

/// Returns the offered services: those of the robot, and the engine's own.
pub(super) fn offered(services: &[&'static Service], generation: Option<Generation>) -> Vec<Offered> {
    let own = ENGINE_SERVICES.into_iter().filter_map(service);
    let robots = services.iter().copied().filter(|service| service.name != DIRECTORY);
    let had = robots.chain(own).filter(|service| has_service(generation, service));
    let all: BTreeMap<&str, Offered> = had.map(|service| (service.name, Offered { service, generation })).collect();
    all.into_values().collect()
}

impl Offered {
    /// Returns its methods without those of every module, each once, in the order of the table.
    fn methods(self, is_base: impl Fn(&str) -> bool) -> Vec<&'static Method> {
        let service = self.service;
        let is_own = |method: &Method| service.methods.iter().any(|own| std::ptr::eq(own, method));
        let mut methods: Vec<&Method> = Vec::new();
        for method in service.all_methods() {
            let is_answered = method.is_of_robot() || (method.is_of_engine() && is_own(method));
            let is_had = has_method(self.generation, service.name, method);
            if is_answered && is_had && !is_base(method.name) && !methods.iter().any(|m| m.name == method.name) {
                methods.push(method);
            }
        }
        methods
    }

    /// Returns its meta object.
    pub(super) fn meta(self) -> Result<MetaObject, SignatureError> {
        let service = self.service;
        let twice = waits_twice(self.generation);
        let mut meta = MetaObject { description: service.doc.to_owned(), ..MetaObject::default() };
        if !NO_MODULES.contains(&service.name) && service.base != Base::Object {
            for (id, name) in BASE {
                for method in COMMON_METHODS.iter().filter(|m| m.name == *name) {
                    // One signature of several, so that the numbers are those on a robot.
                    if let Some(overload) = method.overloads().next() {
                        let id = *id + u32::from(twice && *id > WAIT);
                        let types = (&*overload.parameters, overload.returns);
                        meta.methods.insert(id, described(name, types, method.doc)?);
                        if twice && id == WAIT {
                            meta.methods.insert(WAIT + 1, described(name, ("(i)", "v"), method.doc)?);
                        }
                    }
                }
            }
        }
        let mut id = FIRST + u32::from(twice);
        let methods = self.methods(|name| meta.methods.values().any(|m| m.name == name));
        for method in methods {
            for overload in method.overloads() {
                meta.methods.insert(id, described(method.name, (&*overload.parameters, overload.returns), method.doc)?);
                id += 1;
            }
        }
        for signal in service.signals {
            let signature = Signature::parse(signal.types)?;
            meta.signals.insert(id, MetaSignal { name: signal.name.to_owned(), signature });
            id += 1;
        }
        Ok(meta)
    }
}

fn described(name: &str, (parameters, returns): (&str, &str), doc: &str) -> Result<MetaMethod, SignatureError> {
    Ok(MetaMethod {
        name: name.to_owned(),
        parameters: Signature::parse(parameters)?,
        returns: Signature::parse(returns)?,
        description: doc.to_owned(),
        parameter_names: Vec::new(),
        return_description: String::new(),
    })
}

/// Returns the arguments of a signal from the value of its event, which is a list if there are several.
pub(super) fn arguments(value: &Value) -> Vec<boxstep_qi::Value> {
    match value {
        Value::List(items) => items.iter().map(|item| to_wire(item, &mut NoObjects)).collect(),
        Value::Null => Vec::new(),
        one => vec![to_wire(one, &mut NoObjects)],
    }
}
