//! Writes expectations into a test file and keeps everything else in it, including comments.

use super::Observed;
use boxstep_trace::EndReason;
use boxstep_types::{Value, value_from_json};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

/// The result of writing an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blessed {
    /// The new text of the file.
    pub text: String,
    /// The keys of `expect` that were written.
    pub written: Vec<&'static str>,
}

/// Writes what the run of the `index`-th test did into the text of its file. A test without expectation gets one; in an
/// existing one the keys that a single run can determine are corrected.
///
/// # Errors
/// Why the text cannot be edited.
pub fn bless(text: &str, index: usize, observed: &Observed) -> Result<Blessed, String> {
    let mut document: DocumentMut = text.parse().map_err(|e| format!("{e}"))?;
    let tests = document.get_mut("test").and_then(Item::as_array_of_tables_mut);
    let test =
        tests.and_then(|tests| tests.get_mut(index)).ok_or("tests are written by --bless only under `[[test]]`")?;
    let mut written = Vec::new();
    match test.get_mut("expect") {
        Some(expect) => {
            let expect = expect.as_table_like_mut().ok_or("`expect` is no table")?;
            update(expect, observed, &mut written);
        }
        None => {
            let mut expect = Table::new();
            let mut put = |key: &'static str, item: Item| {
                expect.insert(key, item);
                written.push(key);
            };
            let (key, end) = end(observed);
            put(key, end);
            put("said", list(&observed.said));
            if !observed.outputs.is_empty() {
                put("outputs", outputs(observed));
            }
            if !observed.calls.is_empty() {
                put("calls", list(&observed.calls));
            }
            test.insert("expect", Item::Table(expect));
        }
    }
    Ok(Blessed { text: document.to_string(), written })
}

/// Corrects an existing expectation.
fn update(expect: &mut dyn TableLike, observed: &Observed, written: &mut Vec<&'static str>) {
    let mut put = |expect: &mut dyn TableLike, key: &'static str, item: Item| {
        let before = expect.get(key).map(values);
        if before != Some(values(&item)) {
            expect.insert(key, item);
            written.push(key);
        }
    };
    let ended = observed.reason == EndReason::Ended.name();
    if expect.contains_key("ended") {
        put(expect, "ended", toml_edit::value(ended));
    }
    let (key, how) = end(observed);
    let by = expect.get("ends_by").and_then(|by| by.as_float().or_else(|| by.as_integer().map(|i| i as f64)));
    if let Some(by) = by {
        let late = observed.t > (by * 1e9).round() as i64;
        match key {
            "ends_by" if late => put(expect, key, how.clone()),
            "ends_by" => {}
            _ => {
                expect.remove("ends_by");
                put(expect, key, how.clone());
            }
        }
    }
    if expect.contains_key("reason") {
        put(expect, "reason", toml_edit::value(observed.reason.as_str()));
    }
    if expect.contains_key("said") {
        put(expect, "said", list(&observed.said));
    }
    if expect.contains_key("calls") && !is_part(&expect.get("calls").map(values).unwrap_or_default(), &observed.calls) {
        put(expect, "calls", list(&observed.calls));
    }
    let mut inside = |key: &'static str, change: &dyn Fn(&mut dyn TableLike, usize) -> bool| {
        if each(expect, key, change) {
            written.push(key);
        }
    };
    inside("joints", &|joint, i| {
        let Some(Some(angle)) = observed.joints.get(i) else { return false };
        let unit = ["degrees", "radians", "value"].into_iter().find(|unit| joint.contains_key(unit));
        let Some(unit) = unit else { return false };
        joint.insert(unit, toml_edit::value((angle * 1000.0).round() / 1000.0));
        true
    });
    inside("memory", &|memory, i| {
        let value = observed.memory.get(i).cloned().flatten().and_then(|json| value_from_json(&json).ok());
        let Some(value) = value else {
            let there = memory.remove("value").is_some();
            memory.insert("absent", toml_edit::value(true));
            return there;
        };
        memory.remove("absent");
        let new = toml_value(&value);
        let same = memory.get("value").and_then(Item::as_value).is_some_and(|old| text_of(old) == text_of(&new));
        memory.insert("value", Item::Value(new));
        !same
    });
}

/// Changes each item of a list of tables, written in either form. Returns true if anything changed.
fn each(expect: &mut dyn TableLike, key: &str, change: &dyn Fn(&mut dyn TableLike, usize) -> bool) -> bool {
    let Some(item) = expect.get_mut(key) else { return false };
    let mut changed = false;
    if let Some(tables) = item.as_array_of_tables_mut() {
        for (i, table) in tables.iter_mut().enumerate() {
            changed |= change(table, i);
        }
    } else if let Some(array) = item.as_array_mut() {
        for (i, value) in array.iter_mut().enumerate() {
            if let Some(table) = value.as_inline_table_mut() {
                changed |= change(table, i);
            }
        }
    }
    changed
}

/// Returns whether the expected method names occur among the calls in this order. An entry with more than a name never
/// matches.
fn is_part(wanted: &[String], called: &[String]) -> bool {
    let mut rest = called.iter().map(|c| format!("{c:?}"));
    wanted.iter().all(|w| rest.any(|c| c == *w))
}

fn values(item: &Item) -> Vec<String> {
    match item.as_array() {
        Some(array) => array.iter().map(text_of).collect(),
        None => item.as_value().map(text_of).into_iter().collect(),
    }
}

fn text_of(value: &toml_edit::Value) -> String {
    value.to_string().trim().to_owned()
}

/// Returns how the run ended: by when, or the reason why it did not end by itself.
fn end(observed: &Observed) -> (&'static str, Item) {
    if observed.reason != EndReason::Ended.name() {
        return ("reason", toml_edit::value(observed.reason.as_str()));
    }
    ("ends_by", toml_edit::value(seconds(observed.t)))
}

/// Converts nanoseconds to seconds, rounded up to milliseconds so that `ends_by` is met.
fn seconds(t: i64) -> f64 {
    (t.max(0) as u64).div_ceil(1_000_000) as f64 / 1000.0
}

fn list(texts: &[String]) -> Item {
    toml_edit::value(lines(texts.iter().map(|t| t.as_str().into())))
}

/// Puts each item on its own line if there are several.
fn lines(items: impl Iterator<Item = toml_edit::Value>) -> Array {
    let mut array: Array = items.collect();
    if array.len() > 1 {
        for item in array.iter_mut() {
            item.decor_mut().set_prefix("\n    ");
        }
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
    array
}

fn outputs(observed: &Observed) -> Item {
    let table = |(name, json, t): &(String, String, i64)| {
        let mut table = InlineTable::new();
        table.insert("box", observed.root.as_str().into());
        table.insert("output", name.as_str().into());
        match value_from_json(json) {
            Ok(Value::Null) | Err(_) => table.insert("bang", true.into()),
            Ok(value) => table.insert("value", toml_value(&value)),
        };
        // The nearest millisecond is precise enough for `within`.
        table.insert("at", seconds(*t).into());
        toml_edit::Value::InlineTable(table)
    };
    toml_edit::value(lines(observed.outputs.iter().map(table)))
}

/// Converts a value to the form of test files.
fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(b) => (*b).into(),
        Value::Int(i) => (*i).into(),
        Value::Float(x) => (*x).into(),
        Value::Str(text) => (&**text).into(),
        Value::List(items) => toml_edit::Value::Array(items.iter().map(toml_value).collect()),
        Value::Map(pairs) if pairs.iter().all(|(key, _)| key.as_str().is_some_and(|k| !k.starts_with('$'))) => {
            let pairs = pairs.iter().map(|(k, v)| (k.as_str().unwrap_or_default().to_owned(), toml_value(v)));
            toml_edit::Value::InlineTable(pairs.collect())
        }
        tagged => serde_json::to_value(tagged).map_or_else(|_| true.into(), |json| from_json(&json)),
    }
}

/// Converts the tagged forms of values that TOML cannot express.
fn from_json(json: &serde_json::Value) -> toml_edit::Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => toml_edit::Value::InlineTable([("$null", true)].into_iter().collect()),
        Json::Bool(b) => (*b).into(),
        Json::Number(n) => n.as_i64().map_or_else(|| n.as_f64().unwrap_or_default().into(), Into::into),
        Json::String(text) => text.into(),
        Json::Array(items) => toml_edit::Value::Array(items.iter().map(from_json).collect()),
        Json::Object(map) => {
            toml_edit::Value::InlineTable(map.iter().map(|(k, v)| (k.clone(), from_json(v))).collect())
        }
    }
}
