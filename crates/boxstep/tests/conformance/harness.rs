//! Plays a fixture and tells its trace in lines short enough to compare.

#![allow(unreachable_pub)] // like what it stands on

use crate::common::{Said, Temp, has_python, say};
use serde_json::Value;

/// How a run went.
pub struct Run {
    pub said: Said,
    /// The events of the trace.
    pub events: Vec<Value>,
    /// The last line of the trace.
    pub last: Value,
}

/// Where scripts run.
pub const HOSTS: [&str; 2] = ["native", "process"];

/// Plays `tests/conformance/NAME.xar` in virtual time to this exit code; `None`, and says so, without a Python.
///
/// With both hosts: what comes of it must be the same, event by event.
#[track_caller]
pub fn play(name: &str, code: i32, more: &[&str]) -> Option<Run> {
    let run = play_on(name, HOSTS[0], code, more)?;
    let other = play_on(name, HOSTS[1], code, more)?;
    for (ours, theirs) in run.events.iter().zip(&other.events) {
        assert_eq!(ours, theirs, "{name}: left {}, right {}", HOSTS[0], HOSTS[1]);
    }
    assert_eq!((run.events.len(), &run.last), (other.events.len(), &other.last), "{name}");
    Some(run)
}

/// The same with one host, for runs that are not the same every time.
#[track_caller]
pub fn play_on(name: &str, host: &str, code: i32, more: &[&str]) -> Option<Run> {
    if !has_python() {
        return None;
    }
    let trace = Temp::new("jsonl");
    let file = fixture(name);
    let args = ["play", &file, "--virtual-time", "--scripts", host, "--trace", trace.arg()];
    let said = say(&[&args[..], more].concat()).code(code);
    Some(Run::new(said, &trace))
}

/// Does `tests/conformance/NAME.xar` do what `NAME.test.toml` beside it expects? Says so without a Python.
#[track_caller]
pub fn passes(name: &str) {
    if has_python() {
        for host in HOSTS {
            let file = format!("crates/boxstep/tests/conformance/{name}.test.toml");
            let said = say(&["test", &file, "--scripts", host]).code(0);
            assert!(
                said.out.ends_with(" passed, 0 failed\n") && !said.out.contains("\n0 passed"),
                "{host}: {}",
                said.out
            );
        }
    }
}

/// A fixture's place in the repository.
pub fn fixture(name: &str) -> String {
    format!("crates/boxstep/tests/conformance/{name}.xar")
}

impl Run {
    pub fn new(said: Said, trace: &Temp) -> Self {
        let text = std::fs::read_to_string(&trace.0).unwrap();
        let mut events: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = events.pop().unwrap();
        Self { said, events, last }
    }

    /// Fails unless the run ended for this reason, and would end like that every time.
    #[track_caller]
    pub fn ends(self, reason: &str) -> Self {
        assert_eq!(self.last["reason"], reason, "{}", self.said.out);
        assert_eq!(self.last["deterministic"], true, "{}", self.last);
        self
    }

    /// The events of some kinds as `SECONDS PATH WHAT`.
    pub fn story(&self, kinds: &str) -> Vec<String> {
        let wanted: Vec<&str> = kinds.split(' ').collect();
        let events = self.events.iter().filter(|e| wanted.contains(&text(e, "kind")));
        events.map(|e| format!("{:.3} {} {}", seconds(e), text(e, "path"), what(e))).collect()
    }

    /// The same without the time.
    pub fn told(&self, kinds: &str) -> Vec<String> {
        self.story(kinds).iter().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
    }

    /// What was logged and printed, without the time.
    pub fn logs(&self) -> Vec<String> {
        self.told("log print")
    }

    /// The errors of the exceptions that nobody caught.
    pub fn errors(&self) -> Vec<&Value> {
        self.events.iter().filter(|e| text(e, "kind") == "raised").map(|e| &e["error"]).collect()
    }

    /// Where in the trace the first event of this kind, box and text stands.
    #[track_caller]
    pub fn at(&self, kind: &str, told: &str) -> usize {
        let found = |e: &Value| text(e, "kind") == kind && format!("{} {}", text(e, "path"), what(e)) == told;
        self.events.iter().position(found).unwrap_or_else(|| panic!("no {kind} {told}\n{:#?}", self.told(kind)))
    }
}

fn text<'a>(event: &'a Value, field: &str) -> &'a str {
    event[field].as_str().unwrap_or("-")
}

fn seconds(event: &Value) -> f64 {
    event["t"].as_i64().unwrap() as f64 / 1e9
}

/// What an event tells, in its shortest form.
fn what(e: &Value) -> String {
    let with_value = |name: &str| match &e["value"] {
        Value::Null => name.to_owned(),
        value => format!("{name} {value}"),
    };
    match text(e, "kind") {
        "log" | "warning" => text(e, "text").to_owned(),
        "print" => format!("{}: {}", if e["stderr"] == true { "stderr" } else { "stdout" }, text(e, "text")),
        "input" | "output" => with_value(text(e, "port")),
        "dropped" => format!("{}: {}", with_value(text(e, "port")), text(e, "why")),
        "parameter" => with_value(text(e, "name")),
        "call" | "returned" | "abandoned" => text(e, "method").to_owned(),
        "raised" => format!("{} {}: {}", text(e, "method"), text(&e["error"], "kind"), text(&e["error"], "message")),
        "service" => format!("{}.{} {}", text(e, "service"), text(e, "method"), e["args"]),
        "service_done" => with_value(&format!("{}.{}", text(e, "service"), text(e, "method"))),
        "timeline" => format!("{} {}", text(e, "command"), e["frame"]),
        "act" => format!("{}: {}", text(e, "act"), text(e, "text")),
        "box" | "diagram" | "behavior" | "reload" => text(e, "phase").to_owned(),
        "behavior_failed" => text(&e["error"], "message").to_owned(),
        "control" | "resource" => text(e, "what").to_owned(),
        kind => kind.to_owned(),
    }
}
