//! The preferences of a robot: its `ALPreferenceManager`, or `ALPreferences` before NAOqi 2.0.
//!
//! Source: the page ALPreferenceManager API of the NAOqi documentation, and docs/reference/services.md.

use crate::wire::{NoObjects, from_wire, to_wire};
use boxstep_qi::{Error, Remote, Session};
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// A preference: its domain and its name there.
pub type Key = (String, String);

/// The services that have preferences, the newer one first.
pub const SERVICES: [&str; 2] = ["ALPreferenceManager", "ALPreferences"];

/// How many domains are asked for at most.
const MOST: usize = 20_000;
/// How long one answer may take.
const WITHIN: Duration = Duration::from_secs(20);

/// The preferences of a robot that is connected.
#[derive(Debug)]
pub struct Preferences {
    service: Remote,
}

impl Preferences {
    /// Finds the service that has them.
    ///
    /// # Errors
    /// That there is none, or why the robot does not answer.
    pub fn of(session: &Session) -> Result<Self, Error> {
        let [newer, older] = SERVICES;
        let found = session.service(newer).or_else(|error| match error {
            Error::NoService { .. } => session.service(older),
            error => Err(error),
        });
        Ok(Self { service: found? })
    }

    /// Returns all preferences.
    ///
    /// # Errors
    /// Why they are not told.
    pub fn all(&self) -> Result<BTreeMap<Key, Value>, Error> {
        let domains = from_wire(&self.service.call_within("getDomainList", &[], WITHIN)?, &mut NoObjects);
        let mut all = BTreeMap::new();
        for domain in domains.as_list().unwrap_or_default().iter().filter_map(Value::as_str).take(MOST) {
            let values = self.service.call_within("getValueList", &[domain.into()], WITHIN)?;
            all.extend(pairs(domain, &from_wire(&values, &mut NoObjects)));
        }
        Ok(all)
    }

    /// Sets a preference.
    ///
    /// # Errors
    /// Why it is not set.
    pub fn set(&self, (domain, name): &Key, value: &Value) -> Result<(), Error> {
        let args = [domain.as_str().into(), name.as_str().into(), to_wire(value, &mut NoObjects)];
        self.service.call_within("setValue", &args, WITHIN).map(drop)
    }

    /// Forgets a preference.
    ///
    /// # Errors
    /// Why it is not forgotten.
    pub fn remove(&self, (domain, name): &Key) -> Result<(), Error> {
        self.service.call_within("removeValue", &[domain.as_str().into(), name.as_str().into()], WITHIN).map(drop)
    }
}

/// Reads the preferences of a domain from an answer of `getValueList`: a list of pairs, a name and a value.
pub fn pairs(domain: &str, values: &Value) -> Vec<(Key, Value)> {
    let pair = |pair: &Value| match pair.as_list() {
        Some([name, value]) => Some(((domain.to_owned(), name.as_str()?.to_owned()), value.clone())),
        _ => None,
    };
    values.as_list().unwrap_or_default().iter().filter_map(pair).collect()
}
