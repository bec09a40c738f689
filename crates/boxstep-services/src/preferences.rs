//! Settings that are kept, by domain and name, for as long as the simulation lasts, or on the disk of the robot if it has one.
//!
//! Source: the page ALPreferenceManager API of the NAOqi documentation.

use crate::table::{Call, Method, Reply, Service, accepts, done, ok, robot, runs, service};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;
use std::collections::BTreeMap;

/// The methods of one service that has two names.
const METHODS: &[Method] = &[
    runs("getValue", "Value of a setting: domain, name", robot("(ss)m"), get_value),
    runs("setValue", "Sets it", robot("(ssm)v"), set_value),
    runs("getDomainList", "Every domain", robot("()[s]"), get_domain_list),
    runs("getValueList", "Settings of a domain", robot("(s)[[m]]"), get_value_list),
    runs("removeValue", "Forgets a setting", robot("(ss)v"), remove_value),
    runs("removeDomainValues", "Forgets a domain", robot("(s)v"), remove_domain_values),
    accepts("update", "Reads the settings again", robot("()v")),
    accepts("importPrefFile", "Reads settings from a file", robot("(sssb)v")),
];

pub(crate) static SERVICES: &[Service] = &[
    service("ALPreferenceManager", "Settings that are kept", METHODS),
    service("ALPreferences", "Settings of the robot, before ALPreferenceManager", METHODS),
];

/// The settings, by domain and name.
pub(crate) type Preferences = BTreeMap<String, BTreeMap<String, Value>>;

fn get_value(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (domain, name) = (call.args.text(0, "domain")?, call.args.text(1, "name")?);
    ok(w.preferences.get(domain).and_then(|values| values.get(name)).cloned().unwrap_or_default())
}

fn set_value(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (domain, name) = (call.args.text(0, "domain")?, call.args.text(1, "name")?);
    let value = call.args.value(2, "value")?.clone();
    w.preferences.entry(domain.to_owned()).or_default().insert(name.to_owned(), value);
    w.keep()?;
    done()
}

fn get_domain_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.preferences.keys().cloned().collect::<Vec<_>>())
}

fn get_value_list(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let values = w.preferences.get(call.args.text(0, "domain")?);
    let pairs = values.into_iter().flatten().map(|(name, value)| Value::list([name.as_str().into(), value.clone()]));
    ok(Value::list(pairs))
}

fn remove_value(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (domain, name) = (call.args.text(0, "domain")?, call.args.text(1, "name")?);
    if let Some(values) = w.preferences.get_mut(domain) {
        values.remove(name);
        if values.is_empty() {
            w.preferences.remove(domain);
        }
    }
    w.keep()?;
    done()
}

fn remove_domain_values(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.preferences.remove(call.args.text(0, "domain")?);
    w.keep()?;
    done()
}
