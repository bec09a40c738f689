//! Robots' answers as values that are safe to work with: finite, in bounds, short.

use super::seen::{Diagnosis, Disk};
use boxstep_qi::Value;

/// The longest name that is taken, in characters, and how many of them.
const LONGEST: usize = 80;
pub(super) const MOST: usize = 200;

/// Returns a name; a longer one is cut.
pub(super) fn name(value: &Value) -> Option<String> {
    value.as_str().map(short)
}

/// Returns a text, cut to the longest that is taken.
pub(super) fn short(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// Returns the names of a list.
pub(super) fn names(value: &Value) -> Option<Vec<String>> {
    Some(value.as_slice()?.iter().take(MOST).filter_map(name).collect())
}

/// Returns a number within these bounds.
pub(super) fn number(value: &Value, least: f64, most: f64) -> Option<f64> {
    value.as_f64().filter(|number| (least..=most).contains(number))
}

/// Returns a diagnosis: nothing if all is well, else a severity and names.
pub(super) fn diagnosis(value: &Value) -> Option<Diagnosis> {
    match value.as_slice()? {
        [] => Some(Diagnosis::default()),
        [severity, parts] => {
            let severity = severity.as_i64().filter(|severity| (0..=2).contains(severity))?;
            Some(Diagnosis { severity, parts: names(parts)? })
        }
        _ => None,
    }
}

/// Returns the space for the files of the user. A robot may list its system, too, which is always full.
pub(super) fn disk(value: &Value) -> Option<Disk> {
    let partitions: Vec<(&str, Disk)> = value.as_slice()?.iter().take(MOST).filter_map(partition).collect();
    match &partitions[..] {
        [(_, only)] => Some(*only),
        many => many.iter().find(|(path, _)| path.starts_with("/home")).map(|(_, disk)| *disk),
    }
}

/// Reads a partition: a file system, a path, all bytes and free bytes, with or without their names.
fn partition(value: &Value) -> Option<(&str, Disk)> {
    let value = value.plain();
    let field = |name: &str, at: usize| {
        let named = value.get(name).or_else(|| value.field(name));
        named.or_else(|| value.as_slice().filter(|fields| fields.len() == 4)?.get(at)).map(Value::plain)
    };
    let disk = Disk { size: field("size", 2)?.as_u64()?, free: field("free", 3)?.as_u64()? };
    let path = field("path", 1)?.as_str()?;
    (disk.size > 0 && disk.free <= disk.size).then_some((path, disk))
}

/// Returns the networks that could not be connected to, and why.
pub(super) fn failed_networks(value: &Value) -> Vec<(String, String)> {
    let networks = value.as_slice().unwrap_or_default();
    let failed = networks.iter().take(MOST).filter_map(|network| {
        let get = |key: &str| name(entry(network, key)?);
        (get("State")? == "failure").then(|| (get("Name").unwrap_or_default(), get("Error").unwrap_or_default()))
    });
    failed.take(3).collect()
}

/// Returns the value of a key in a list of pairs, or in a map.
fn entry<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let value = value.plain();
    let pairs = value.as_slice().unwrap_or_default().iter().take(MOST);
    let mut found = pairs.filter_map(|pair| match pair.plain().as_slice()? {
        [name, value] if name.as_str() == Some(key) => Some(value),
        _ => None,
    });
    found.next().or_else(|| value.get(key))
}
