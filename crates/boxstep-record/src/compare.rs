//! Compares two recordings: whether they have the same events in the same order, and where they first differ.
//!
//! Two runs that say that they are repeatable are compared event by event, with every time and cause. In other runs the times differ, and
//! so does the order of independent events; these are compared by box: the events of each box, with their values, in order.

use boxstep_trace::{ClockKind, Event, Footer, Kind, ReadError, Recording, TimelinePhase};
use boxstep_types::Time;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

/// How two recordings were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Every event, with times and causes.
    Exactly,
    /// The events of each box, in order.
    ByBox,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How the recordings were compared.
    pub measure: Measure,
    /// Why the recordings were not compared exactly, for people.
    pub because: Option<String>,
    /// The options that differ in the headers: `seed`, `options.for`, …
    pub options: Vec<String>,
    /// How many events are the same.
    pub same: usize,
    /// Where they first differ.
    pub parting: Option<Parting>,
}

/// The first difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The time, from the left recording, or from the right one if the left has ended.
    pub t: Time,
    /// The box; empty if it belongs to none.
    pub path: String,
    /// The entry of the left recording; `None` at its end.
    pub left: Option<Entry>,
    /// The entry of the right recording; `None` at its end.
    pub right: Option<Entry>,
    /// Names of the fields that differ.
    pub fields: Vec<String>,
}

/// One line of a recording after the header. Its text and JSON forms are those of the recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// An event, and the path of its box.
    /// In the recording of a show also its robot.
    Event(Box<Event>, Option<String>, Option<Arc<str>>),
    /// The footer.
    Footer(Footer),
}

impl Entry {
    fn event(recording: &Recording, event: &Event) -> Self {
        let (paths, path) = (&recording.paths, event.path);
        Entry::Event(Box::new(event.clone()), paths.get(path).map(|path| path.to_string()), paths.robot(path).cloned())
    }

    /// The time of the event, or of the end.
    fn time(&self) -> Time {
        match self {
            Entry::Event(event, ..) => event.t,
            Entry::Footer(footer) => footer.t,
        }
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Entry::Event(event, path, robot) => event.line(path.as_deref()).of_robot(robot.as_deref()).serialize(s),
            Entry::Footer(footer) => footer.serialize(s),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// The error for a text that is not a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRecording {
    /// Whether the left text is the wrong one, else the right.
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

/// Returns whether a comparison by box includes events of this kind.
fn is_compared_by_box(kind: &Kind) -> bool {
    match kind {
        Kind::Behavior { .. }
        | Kind::BehaviorFailed { .. }
        | Kind::Delegation(_)
        | Kind::Input { .. }
        | Kind::Log { .. }
        | Kind::Output { .. }
        | Kind::Parameter { .. }
        | Kind::Print { .. }
        | Kind::Raised { .. }
        | Kind::Service(_)
        | Kind::Unsupported { .. } => true,
        // The frames that are reported for a cursor depend on when a client asks.
        Kind::Timeline { command, .. } => {
            !matches!(command, TimelinePhase::Frame | TimelinePhase::Load | TimelinePhase::Unload)
        }
        _ => false,
    }
}

fn read(text: &str, left: bool) -> Result<Recording, NoRecording> {
    let wrong = |line: usize, what: String| NoRecording { left, line, what };
    let mut recording = Recording::read(text.as_bytes()).map_err(|error| match error {
        ReadError::Line(line, why) => wrong(line, why),
        ReadError::Io(error) => wrong(0, error.to_string()),
    })?;
    // Earlier versions, and runs on a real robot, have large binary values whole.
    recording.events.iter_mut().for_each(|event| event.digest(false));
    Ok(recording)
}

/// Returns why the run is not repeatable; `None` if it is.
fn not_repeatable(of: &Recording) -> Option<String> {
    let says_so = of.footer.as_ref().and_then(|footer| footer.deterministic.clone().err());
    let real = || of.header.as_ref().is_some_and(|header| header.clock == ClockKind::Real);
    says_so.or_else(|| real().then(|| "real time".to_owned()))
}

/// Returns the fields of a value whose JSON form is an object, without making a text.
fn fields(of: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(of) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Compares two recordings, given as the lines of traces. A recording that was cut off is compared as far as it goes.
///
/// # Errors
/// [`NoRecording`].
pub fn compare(left: &str, right: &str) -> Result<Comparison, NoRecording> {
    let (l, r) = (read(left, true)?, read(right, false)?);
    let because = not_repeatable(&l).or_else(|| not_repeatable(&r));
    let options = differing(&fields(&l.header), &fields(&r.header));
    let (measure, (same, parting)) = match because {
        None => (Measure::Exactly, exactly(&l, &r)),
        Some(_) => (Measure::ByBox, by_box(&l, &r)),
    };
    Ok(Comparison { measure, because, options, same, parting })
}

/// Returns the options that differ in two headers, except for the program's version and the time of day.
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

fn parting(left: Option<Entry>, right: Option<Entry>, path: String) -> Parting {
    let t = left.as_ref().or(right.as_ref()).map_or(Time::ZERO, Entry::time);
    let mut names = BTreeSet::new();
    if let (Some(l), Some(r)) = (&left, &right) {
        let (l, r) = (fields(l), fields(r));
        names.extend(l.keys().chain(r.keys()).filter(|name| l.get(*name) != r.get(*name)).cloned());
    }
    Parting { t, path, left, right, fields: names.into_iter().collect() }
}

/// Returns whether two entries differ; at least one of the recordings has no equal entry. A recording that was cut off
/// does not differ in what is missing.
fn parts<T>(left: (Option<&T>, &Recording), right: (Option<&T>, &Recording)) -> bool {
    match (left.0, right.0) {
        (Some(_), Some(_)) => true,
        (None, None) => false,
        (None, Some(_)) => left.1.footer.is_some(),
        (Some(_), None) => right.1.footer.is_some(),
    }
}

fn exactly(left: &Recording, right: &Recording) -> (usize, Option<Parting>) {
    let both = left.events.iter().zip(&right.events);
    // Paths have the same numbers as long as all events are the same. Events that compare as unequal may still have the
    // same text: NaN is never equal to itself.
    let written = |l: &Event, r: &Event| Entry::event(left, l).to_string() == Entry::event(right, r).to_string();
    let same = both.take_while(|(l, r)| l == r || written(l, r)).count();
    let (l, r) = (left.events.get(same), right.events.get(same));
    if parts((l, left), (r, right)) {
        let of = |of: &Recording, event: &Event| of.paths.place(event.path);
        let path = l.map(|event| of(left, event)).or_else(|| r.map(|event| of(right, event))).unwrap_or_default();
        let (l, r) = (l.map(|event| Entry::event(left, event)), r.map(|event| Entry::event(right, event)));
        return (same, Some(parting(l, r, path)));
    }
    match (&left.footer, &right.footer) {
        (Some(l), Some(r)) if l != r => {
            let [l, r] = [l, r].map(|footer| Some(Entry::Footer(footer.clone())));
            (same, Some(parting(l, r, String::new())))
        }
        _ => (same, None),
    }
}

/// Returns the compared events of each box, in order.
fn events_by_box(of: &Recording) -> HashMap<String, Vec<&Event>> {
    let mut by_box: HashMap<String, Vec<&Event>> = HashMap::new();
    for event in of.events.iter().filter(|event| is_compared_by_box(&event.kind)) {
        by_box.entry(of.paths.place(event.path)).or_default().push(event);
    }
    by_box
}

/// Returns the fields of an event that do not depend on when it happened.
fn timeless(kind: &Kind) -> Map<String, Value> {
    let mut fields = fields(kind);
    fields.remove("ticket");
    fields
}

fn by_box(left: &Recording, right: &Recording) -> (usize, Option<Parting>) {
    let (l, r) = (events_by_box(left), events_by_box(right));
    let mut same = 0;
    let mut first: Option<Parting> = None;
    for path in l.keys().chain(r.keys().filter(|path| !l.contains_key(*path))) {
        let (all, others) = (l.get(path).map_or(&[][..], Vec::as_slice), r.get(path).map_or(&[][..], Vec::as_slice));
        let both = all.iter().zip(others);
        let alike = both.take_while(|(l, r)| l.kind == r.kind || timeless(&l.kind) == timeless(&r.kind)).count();
        same += alike;
        let (one, other) = (all.get(alike).copied(), others.get(alike).copied());
        if !parts((one, left), (other, right)) {
            continue;
        }
        let (one, other) = (one.map(|event| Entry::event(left, event)), other.map(|event| Entry::event(right, event)));
        let mut found = parting(one, other, path.clone());
        found.fields.retain(|name| !matches!(name.as_str(), "n" | "t" | "cause" | "ticket"));
        if first.as_ref().is_none_or(|first| (found.t, &found.path) < (first.t, &first.path)) {
            first = Some(found);
        }
    }
    (same, first)
}

/// Shown in place of an entry after the end of a recording.
const END: &str = "(nothing more)";
/// How many events before a difference are shown.
const CONTEXT: usize = 3;

/// Describes where two traces that must be equal to the byte differ; `None` if they are equal.
///
/// Traces that cannot be read, or that differ only in how their lines are written, are shown from the first different
/// line on.
///
/// ```
/// assert_eq!(boxstep_record::diff("same", "same"), None);
/// let shown = boxstep_record::diff("left", "right").expect("a difference");
/// assert!(shown.contains("left") && shown.contains("right"));
/// ```
pub fn diff(left: &str, right: &str) -> Option<String> {
    if left == right {
        return None;
    }
    let found = match (read(left, true), read(right, false)) {
        (Ok(l), Ok(r)) => exact_difference(&l, &r),
        _ => None,
    };
    Some(found.unwrap_or_else(|| different_line(left, right)))
}

fn exact_difference(left: &Recording, right: &Recording) -> Option<String> {
    let options = differing(&fields(&left.header), &fields(&right.header));
    let (same, parting) = exactly(left, right);
    let before = &left.events[same.saturating_sub(CONTEXT)..same];
    let found = Comparison { measure: Measure::Exactly, because: None, options, same, parting: Some(parting?) };
    let before = before.iter().map(|event| format!("  {}\n", Entry::event(left, event)));
    Some(before.collect::<String>() + found.to_string().trim_end())
}

fn different_line(left: &str, right: &str) -> String {
    let same = left.lines().zip(right.lines()).take_while(|(l, r)| l == r).count();
    match (left.lines().nth(same), right.lines().nth(same)) {
        (None, None) => "they differ in the ends of their lines".to_owned(),
        (l, r) => format!("they differ at line {}\n- {}\n+ {}", same + 1, l.unwrap_or(END), r.unwrap_or(END)),
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = if self.same == 1 { "1 event".to_owned() } else { format!("{} events", self.same) };
        let how = match (self.measure, &self.because) {
            (Measure::Exactly, _) => String::new(),
            (Measure::ByBox, why) => {
                let why = why.as_deref().unwrap_or_default();
                format!(" (compared box by box, because the runs are not repeatable: {why})")
            }
        };
        if !self.options.is_empty() {
            writeln!(f, "they were made with other options: {}", self.options.join(", "))?;
        }
        let Some(parting) = &self.parting else { return writeln!(f, "the same: {events}{how}") };
        let place = if parting.path.is_empty() { String::new() } else { format!(", {}", parting.path) };
        let fields =
            if parting.fields.is_empty() { String::new() } else { format!(", in {}", parting.fields.join(", ")) };
        writeln!(f, "they differ at {} s{place}{fields}; {events} before are the same{how}", parting.t)?;
        let line = |entry: &Option<Entry>| entry.as_ref().map_or(END.to_owned(), Entry::to_string);
        writeln!(f, "- {}", line(&parting.left))?;
        writeln!(f, "+ {}", line(&parting.right))
    }
}

impl Comparison {
    /// Returns the comparison as one JSON object; times are in seconds, events as in the recordings.
    pub fn json(&self) -> Value {
        let parting = self.parting.as_ref().map(|parting| {
            serde_json::json!({
                "t": parting.t.as_secs_f64(),
                "path": parting.path,
                "fields": parting.fields,
                "left": parting.left.as_ref().map(fields),
                "right": parting.right.as_ref().map(fields),
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
                .starts_with("they differ at 0.500 s, root/B, in t; 1 event before are the same\n- {\"n\":2")
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
                .contains("the same: 2 events (compared box by box, because the runs are not repeatable: network)")
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
        assert_eq!(
            compare(&good, "{}\n").unwrap_err().to_string(),
            "line 1 is not of a trace: missing field `schema`, column 2"
        );
        let odd = text("real", 0, &[A], None) + "what\n";
        assert_eq!(compare(&good, &odd).unwrap_err().line, 3);
    }

    #[test]
    fn traces_that_must_be_equal_to_the_byte_show_where_they_are_not() {
        let all = text("virtual", 0, &[A, B], Some(true));
        assert_eq!(diff(&all, &all), None);
        let other = all.replace("\"value\":2", "\"value\":3");
        let found = diff(&all, &other).unwrap();
        assert!(found.starts_with("  {\"n\":1,"), "{found}");
        assert!(found.contains("they differ at 0.500 s, root/B, in value; 1 event before"), "{found}");
        let spaced = all.replace("\"n\":2,", "\"n\": 2,");
        assert!(diff(&all, &spaced).unwrap().starts_with("they differ at line 3\n- {\"n\":2"));
        assert_eq!(diff(A, &format!("{A}\n")).unwrap(), "they differ in the ends of their lines");
        assert_eq!(diff("1\n2", "1").unwrap(), "they differ at line 2\n- 2\n+ (nothing more)");
    }
}
