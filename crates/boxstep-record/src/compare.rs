//! Whether two recordings tell of the same: values and order, and where they part.
//!
//! Two runs that promise to be repeatable are compared line by line, with every time and cause. Of others the times differ, and
//! so does the order of what has nothing to do with each other; so it is compared what each box did, with its values, in its order.

use boxstep_types::Time;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// How two recordings were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Every line, with times and causes.
    Exactly,
    /// What each box did, in its order.
    ByBox,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How it was done.
    pub measure: Measure,
    /// Why not exactly, for people.
    pub because: Option<String>,
    /// What the first lines say otherwise: `seed`, `options.for`, …
    pub options: Vec<String>,
    /// How many events are the same.
    pub same: usize,
    /// Where they part.
    pub parting: Option<Parting>,
}

/// The first difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// When, in the first recording that has something there.
    pub t: Time,
    /// The box; empty if it belongs to none.
    pub path: String,
    /// What the left one has there; `None` at its end.
    pub left: Option<String>,
    /// What the right one has there; `None` at its end.
    pub right: Option<String>,
    /// Names of the fields that differ.
    pub fields: Vec<String>,
}

/// A text that is no recording: which of the two, which line (from 1), and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRecording {
    /// It is the left one.
    pub left: bool,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for NoRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is not of a trace: {}", self.line, self.what)
    }
}

impl std::error::Error for NoRecording {}

/// Kinds of which the order at one box is compared where times are not.
const OF_BOXES: &[&str] = &[
    "behavior",
    "behavior_failed",
    "delegation",
    "input",
    "log",
    "output",
    "parameter",
    "print",
    "raised",
    "service",
    "timeline",
    "unsupported",
];

struct Recording<'a> {
    header: Map<String, Value>,
    lines: Vec<&'a str>,
    footer: Option<Map<String, Value>>,
}

impl<'a> Recording<'a> {
    fn read(text: &'a str, left: bool) -> Result<Self, NoRecording> {
        let wrong = |line: usize, what: String| NoRecording { left, line, what };
        // What has no end was cut off.
        let whole = text.rfind('\n').and_then(|end| text.get(..end)).unwrap_or_default();
        let mut lines = whole.lines();
        let first = lines.next().unwrap_or_default();
        let header: Map<String, Value> = serde_json::from_str(first).map_err(|e| wrong(1, e.to_string()))?;
        if !header.contains_key("schema") {
            return Err(wrong(1, "it has no `schema`".to_owned()));
        }
        let mut lines: Vec<&str> = lines.collect();
        let last = lines.last().and_then(|line| serde_json::from_str::<Map<String, Value>>(line).ok());
        let footer = last.filter(|last| last.contains_key("reason"));
        if footer.is_some() {
            lines.pop();
        }
        Ok(Self { header, lines, footer })
    }

    /// Why it need not be the same a second time.
    fn not_repeatable(&self) -> Option<String> {
        match &self.footer {
            None => None,
            Some(footer) if footer.get("deterministic").and_then(Value::as_bool) == Some(true) => None,
            Some(footer) => Some(footer.get("why").and_then(Value::as_str).unwrap_or("it says so").to_owned()),
        }
        .or_else(|| (self.header.get("clock").and_then(Value::as_str) == Some("real")).then(|| "real time".to_owned()))
    }
}

/// Compares two recordings, given as the lines of traces. One that was cut off is compared as far as it goes.
///
/// # Errors
/// [`NoRecording`].
pub fn compare(left: &str, right: &str) -> Result<Comparison, NoRecording> {
    let (l, r) = (Recording::read(left, true)?, Recording::read(right, false)?);
    let because = l.not_repeatable().or_else(|| r.not_repeatable());
    let options = differing(&l.header, &r.header);
    let (measure, (same, parting)) = match because {
        None => (Measure::Exactly, exactly(&l, &r)),
        Some(_) => (Measure::ByBox, by_box(&l, &r)?),
    };
    Ok(Comparison { measure, because, options, same, parting })
}

/// What two first lines say otherwise; the program's version and the hour of the day are no difference.
fn differing(left: &Map<String, Value>, right: &Map<String, Value>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for name in left.keys().chain(right.keys()).filter(|name| !matches!(name.as_str(), "product" | "started")) {
        match (left.get(name), right.get(name)) {
            (Some(Value::Object(l)), Some(Value::Object(r))) => {
                let inner = l.keys().chain(r.keys()).filter(|inner| l.get(*inner) != r.get(*inner));
                found.extend(inner.map(|inner| format!("{name}.{inner}")));
            }
            (l, r) if l != r => {
                found.insert(name.clone());
            }
            _ => {}
        }
    }
    found.into_iter().collect()
}

fn fields(line: &str) -> Map<String, Value> {
    serde_json::from_str(line).unwrap_or_default()
}

fn parting(left: Option<&str>, right: Option<&str>) -> Parting {
    let (l, r) = (left.map(fields).unwrap_or_default(), right.map(fields).unwrap_or_default());
    let of = |name: &str| l.get(name).or_else(|| r.get(name));
    let names: BTreeSet<&String> = match (left, right) {
        (Some(_), Some(_)) => l.keys().chain(r.keys()).filter(|name| l.get(*name) != r.get(*name)).collect(),
        _ => BTreeSet::new(),
    };
    Parting {
        t: Time(of("t").and_then(Value::as_i64).unwrap_or_default()),
        path: of("path").and_then(Value::as_str).unwrap_or_default().to_owned(),
        left: left.map(str::to_owned),
        right: right.map(str::to_owned),
        fields: names.into_iter().cloned().collect(),
    }
}

fn exactly(left: &Recording<'_>, right: &Recording<'_>) -> (usize, Option<Parting>) {
    let same = left.lines.iter().zip(&right.lines).take_while(|(l, r)| l == r).count();
    let (l, r) = (left.lines.get(same).copied(), right.lines.get(same).copied());
    let parted = match (l, r) {
        (Some(_), Some(_)) => true,
        (None, None) => false,
        // One that was cut off says nothing of what came then.
        (None, Some(_)) => left.footer.is_some(),
        (Some(_), None) => right.footer.is_some(),
    };
    if parted {
        return (same, Some(parting(l, r)));
    }
    match (&left.footer, &right.footer) {
        (Some(l), Some(r)) if l != r => {
            let text = |footer: &Map<String, Value>| Value::Object(footer.clone()).to_string();
            (same, Some(parting(Some(&text(l)), Some(&text(r)))))
        }
        _ => (same, None),
    }
}

/// What a box did: its lines, and the same without what depends on when it was.
type Deeds<'a> = HashMap<String, Vec<(&'a str, Map<String, Value>)>>;

fn deeds<'a>(of: &Recording<'a>, left: bool) -> Result<Deeds<'a>, NoRecording> {
    let mut deeds: Deeds<'a> = HashMap::new();
    for (number, line) in of.lines.iter().enumerate() {
        let wrong = |e: serde_json::Error| NoRecording { left, line: number + 2, what: e.to_string() };
        let mut deed: Map<String, Value> = serde_json::from_str(line).map_err(wrong)?;
        let text = |name: &str| deed.get(name).and_then(Value::as_str).unwrap_or_default();
        // Which frames a cursor is seen at depends on when somebody looks.
        let passes = text("kind") == "timeline" && matches!(text("command"), "frame" | "load" | "unload");
        if !OF_BOXES.contains(&text("kind")) || passes {
            continue;
        }
        for when in ["n", "t", "cause", "ticket"] {
            deed.remove(when);
        }
        let path = deed.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
        deeds.entry(path).or_default().push((line, deed));
    }
    Ok(deeds)
}

fn by_box(left: &Recording<'_>, right: &Recording<'_>) -> Result<(usize, Option<Parting>), NoRecording> {
    let (l, r) = (deeds(left, true)?, deeds(right, false)?);
    let mut same = 0;
    let mut first: Option<Parting> = None;
    for path in l.keys().chain(r.keys().filter(|path| !l.contains_key(*path))) {
        let (all, others) = (l.get(path).map_or(&[][..], Vec::as_slice), r.get(path).map_or(&[][..], Vec::as_slice));
        let alike = all.iter().zip(others).take_while(|(one, other)| one.1 == other.1).count();
        same += alike;
        let (one, other) = (all.get(alike), others.get(alike));
        let parted = match (&one, &other) {
            (Some(_), Some(_)) => true,
            (None, None) => false,
            (None, Some(_)) => left.footer.is_some(),
            (Some(_), None) => right.footer.is_some(),
        };
        if !parted {
            continue;
        }
        let mut found = parting(one.map(|d| d.0), other.map(|d| d.0));
        found.fields.retain(|name| !matches!(name.as_str(), "n" | "t" | "cause" | "ticket"));
        if first.as_ref().is_none_or(|first| (found.t, &found.path) < (first.t, &first.path)) {
            first = Some(found);
        }
    }
    Ok((same, first))
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = if self.same == 1 { "1 event".to_owned() } else { format!("{} events", self.same) };
        let how = match (self.measure, &self.because) {
            (Measure::Exactly, _) => String::new(),
            (Measure::ByBox, why) => {
                let why = why.as_deref().unwrap_or_default();
                format!(" (what each box did in its order, for no run is the same twice: {why})")
            }
        };
        if !self.options.is_empty() {
            writeln!(f, "they were made otherwise: {}", self.options.join(", "))?;
        }
        let Some(parting) = &self.parting else { return writeln!(f, "the same: {events}{how}") };
        let place = if parting.path.is_empty() { String::new() } else { format!(", {}", parting.path) };
        let fields =
            if parting.fields.is_empty() { String::new() } else { format!(", in {}", parting.fields.join(", ")) };
        writeln!(f, "they part at {} s{place}{fields}; {events} before are the same{how}", parting.t)?;
        let end = "(nothing more)";
        writeln!(f, "- {}", parting.left.as_deref().unwrap_or(end))?;
        writeln!(f, "+ {}", parting.right.as_deref().unwrap_or(end))
    }
}

impl Comparison {
    /// As one JSON object; times are in seconds, events as the recordings have them.
    pub fn json(&self) -> Value {
        let event = |line: &Option<String>| line.as_deref().map(fields);
        let parting = self.parting.as_ref().map(|parting| {
            serde_json::json!({
                "t": parting.t.as_secs_f64(),
                "path": parting.path,
                "fields": parting.fields,
                "left": event(&parting.left),
                "right": event(&parting.right),
            })
        });
        serde_json::json!({
            "schema": 1,
            "same": self.parting.is_none(),
            "measure": if self.measure == Measure::Exactly { "exactly" } else { "by_box" },
            "because": self.because,
            "options": self.options,
            "events": self.same,
            "parting": parting,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(clock: &str, seed: u32, lines: &[&str], footer: Option<bool>) -> String {
        let mut text =
            format!("{{\"schema\":1,\"product\":\"x\",\"clock\":\"{clock}\",\"seed\":{seed},\"options\":{{}}}}\n");
        lines.iter().for_each(|line| text += &format!("{{{line}}}\n"));
        if let Some(deterministic) = footer {
            text +=
                &format!("{{\"reason\":\"ended\",\"t\":9,\"deterministic\":{deterministic},\"why\":\"network\"}}\n");
        }
        text
    }

    const A: &str = r#""n":1,"t":0,"cause":0,"path":"root/A","kind":"output","port":"x","value":1"#;
    const B: &str = r#""n":2,"t":500000000,"cause":1,"path":"root/B","kind":"output","port":"x","value":2"#;

    #[test]
    fn runs_that_repeat_are_compared_with_times_and_causes() {
        let all = text("virtual", 0, &[A, B], Some(true));
        assert!(compare(&all, &all).unwrap().parting.is_none());
        let later = B.replace("\"t\":5", "\"t\":6");
        let found = compare(&all, &text("virtual", 0, &[A, &later], Some(true))).unwrap();
        let parting = found.parting.clone().unwrap();
        assert_eq!(
            (found.measure, found.same, parting.t, &*parting.path),
            (Measure::Exactly, 1, Time::from_millis(500), "root/B")
        );
        assert_eq!(parting.fields, ["t"]);
        assert!(
            found
                .to_string()
                .starts_with("they part at 0.500 s, root/B, in t; 1 event before are the same\n- {\"n\":2")
        );
        let short = compare(&all, &text("virtual", 0, &[A], Some(true))).unwrap();
        assert_eq!(short.parting.unwrap().right, None);
    }

    #[test]
    fn in_real_time_the_order_at_each_box_counts_and_times_do_not() {
        let (b, a) =
            (B.replace("\"n\":2,\"t\":500000000", "\"n\":1,\"t\":7"), A.replace("\"n\":1,\"t\":0", "\"n\":2,\"t\":9"));
        let left = text("real", 0, &[A, B], Some(false));
        let found = compare(&left, &text("virtual", 0, &[&b, &a], Some(true))).unwrap();
        assert_eq!((found.measure, found.same, &found.parting), (Measure::ByBox, 2, &None));
        assert_eq!(found.options, ["clock"]);
        assert!(
            found
                .to_string()
                .contains("the same: 2 events (what each box did in its order, for no run is the same twice: network)")
        );
        let other = b.replace("\"value\":2", "\"value\":3");
        let found = compare(&left, &text("real", 0, &[&a, &other], Some(false))).unwrap();
        let parting = found.parting.unwrap();
        assert_eq!((&*parting.path, parting.fields), ("root/B", vec!["value".to_owned()]));
    }

    #[test]
    fn one_that_was_cut_off_is_compared_as_far_as_it_goes() {
        let whole = text("virtual", 0, &[A, B], Some(true));
        let cut = text("virtual", 0, &[A], None) + "{\"n\":2,\"t\":50";
        assert_eq!(compare(&cut, &whole).unwrap().parting, None);
        assert_eq!(compare(&whole, &cut).unwrap().parting, None);
        let cut = text("real", 0, &[A], None);
        assert_eq!(compare(&cut, &text("real", 0, &[A, B], Some(false))).unwrap().parting, None);
    }

    #[test]
    fn what_was_given_otherwise_is_named_and_the_ends_are_compared() {
        let (one, other) = (text("virtual", 1, &[A], Some(true)), text("virtual", 2, &[A], Some(true)));
        assert_eq!(compare(&one, &other).unwrap().options, ["seed"]);
        let ended = one.replace("\"reason\":\"ended\"", "\"reason\":\"limit\"");
        assert_eq!(compare(&one, &ended).unwrap().parting.unwrap().fields, ["reason"]);
    }

    #[test]
    fn what_is_no_recording_says_which_and_where() {
        let good = text("real", 0, &[A], Some(false));
        assert!(compare("", &good).unwrap_err().left);
        assert_eq!(compare(&good, "{}\n").unwrap_err().to_string(), "line 1 is not of a trace: it has no `schema`");
        let odd = text("real", 0, &[A], None) + "what\n";
        assert_eq!(compare(&good, &odd).unwrap_err().line, 3);
    }
}
