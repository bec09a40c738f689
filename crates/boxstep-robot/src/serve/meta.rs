//! What served services say they can do: the table of `boxstep-bodies`, as far as the run can do it.

use crate::sim::Offer;
use crate::wire::{NoObjects, to_wire};
use boxstep_bodies::{COMMON_METHODS, Overload};
use boxstep_qi::{FIRST_OWN, MetaMethod, MetaObject, MetaSignal, Signature, SignatureError};
use boxstep_types::Value;
use std::collections::BTreeMap;

/// A service and what of it is offered.
pub(super) struct Offered<'a> {
    pub(super) service: &'a str,
    methods: Vec<(&'a str, u8, u8)>,
    signals: Vec<&'a str>,
}

/// Services that are the engine's, whatever the robot.
const OWN: &[&str] = &["ALBehaviorManager", "ALFrameManager", "ALResourceManager"];

/// The server has its own.
const DIRECTORY: &str = "ServiceDirectory";

/// Services that are no modules of NAOqi: they do not have what every module has.
const NO_MODULES: &[&str] = &["ALTabletService", "LogManager", "PackageManager"];

/// What every module has, with the numbers that it has on a robot.
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

/// The first number after those of a module's base.
const FIRST: u32 = FIRST_OWN + 13;

/// Subscriptions to memory are the engine's, or this room's.
const MEMORY: &[&str] =
    &["subscribeToEvent", "subscribeToMicroEvent", "unsubscribeToEvent", "unsubscribeToMicroEvent", "subscriber"];

/// What is offered: what the robot offers, and what is the engine's own.
pub(super) fn offered(offers: &[Offer]) -> Vec<Offered<'_>> {
    let mut all: BTreeMap<&str, Offered<'_>> = BTreeMap::new();
    for offer in offers.iter().filter(|offer| offer.service != DIRECTORY) {
        let (service, signals) = (offer.service, offer.signals.clone());
        all.insert(service, Offered { service, methods: offer.methods.clone(), signals });
    }
    for service in OWN.iter().filter_map(|name| boxstep_bodies::service(name)) {
        let new = || Offered { service: service.name, methods: Vec::new(), signals: Vec::new() };
        let offered = all.entry(service.name).or_insert_with(new);
        let simulated = service.methods.iter().filter(|m| m.simulated);
        offered.add(simulated.map(|m| (m.name, m.min_args, m.max_args)));
    }
    if let (Some(memory), Some(table)) = (all.get_mut("ALMemory"), boxstep_bodies::service("ALMemory")) {
        let known = table.methods.iter().filter(|m| MEMORY.contains(&m.name));
        memory.add(known.map(|m| (m.name, m.min_args, m.max_args)));
    }
    all.into_values().collect()
}

impl<'a> Offered<'a> {
    fn add(&mut self, methods: impl Iterator<Item = (&'a str, u8, u8)>) {
        for method in methods {
            if !self.methods.iter().any(|(name, ..)| *name == method.0) {
                self.methods.push(method);
            }
        }
    }

    /// Its meta object. Own members are in the order of the table; what the table does not have comes last.
    pub(super) fn meta(&self) -> Result<MetaObject, SignatureError> {
        let table = boxstep_bodies::service(self.service);
        let description = table.map_or("", |table| table.doc).to_owned();
        let mut meta = MetaObject { description, ..MetaObject::default() };
        if !NO_MODULES.contains(&self.service) {
            for (id, name) in BASE {
                for method in COMMON_METHODS.iter().filter(|m| m.name == *name) {
                    // One of several signatures, so that numbers stay those of a robot.
                    if let Some(overload) = method.overloads().first() {
                        meta.methods.insert(*id, described(name, overload, method.doc)?);
                    }
                }
            }
        }
        let is_base = |name: &str| meta.methods.values().any(|m| m.name == name);
        let own: Vec<_> = self.methods.iter().filter(|(name, ..)| !is_base(name)).collect();
        let place = |name: &str| table.and_then(|t| t.methods.iter().position(|m| m.name == name));
        let mut own: Vec<_> = own.into_iter().map(|m| (place(m.0).unwrap_or(usize::MAX), m)).collect();
        own.sort_by_key(|(place, _)| *place);
        let mut id = FIRST;
        for (_, (name, min, max)) in own {
            let known = table.and_then(|table| table.method(name));
            let overloads = known.map_or_else(|| unknown(*min, *max), boxstep_bodies::Method::overloads);
            for overload in &overloads {
                meta.methods.insert(id, described(name, overload, known.map_or("", |m| m.doc))?);
                id += 1;
            }
        }
        for name in &self.signals {
            let types = table.and_then(|table| table.signal(name)).map_or("m", |signal| signal.types);
            let signal = MetaSignal { name: (*name).to_owned(), signature: Signature::parse(types)? };
            meta.signals.insert(id, signal);
            id += 1;
        }
        Ok(meta)
    }
}

/// Signatures of a method that the table does not have.
fn unknown(min: u8, max: u8) -> Vec<Overload> {
    let returns = || "m".to_owned();
    if max == boxstep_bodies::ANY {
        return vec![Overload { parameters: "m".to_owned(), returns: returns() }];
    }
    (min..=max).map(|n| Overload { parameters: format!("({})", "m".repeat(n.into())), returns: returns() }).collect()
}

fn described(name: &str, overload: &Overload, doc: &str) -> Result<MetaMethod, SignatureError> {
    Ok(MetaMethod {
        name: name.to_owned(),
        parameters: Signature::parse(&overload.parameters)?,
        returns: Signature::parse(&overload.returns)?,
        description: doc.to_owned(),
        parameter_names: Vec::new(),
        return_description: String::new(),
    })
}

/// The arguments of a signal, from the value of its event: a list of them if there are several.
pub(super) fn arguments(value: &Value) -> Vec<boxstep_qi::Value> {
    match value {
        Value::List(items) => items.iter().map(|item| to_wire(item, &mut NoObjects)).collect(),
        Value::Null => Vec::new(),
        one => vec![to_wire(one, &mut NoObjects)],
    }
}
