//! A run again, from its trace: the options of its first line, and the inputs from outside at their times.
//!
//! In virtual time the same files with the same inputs give the same trace; so a trace is all that has to be kept of a
//! run whose scripts cannot be written down. Answers of the simulated robot come out the same by themselves; answers that
//! mocks gave are in the first line.

use boxstep_engine::config::Control;
use boxstep_engine::trace::SCHEMA;
use boxstep_types::{BoxPath, Time, Value};
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt;

/// What a trace says of how its run came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Files of the behavior: name, SHA-256 in hex.
    pub files: Vec<(String, String)>,
    /// Body, e.g. `nao`.
    pub body: String,
    /// Random seed.
    pub seed: u64,
    /// What the virtual clock says at time zero: seconds since 1970, UTC.
    pub epoch: i64,
    /// Parameters set before the start, as the first line names them; they are among the inputs, too.
    pub parameters: Vec<(String, Value)>,
    /// Other options; `mocks` are those of a test file, which `boxstep_test` reads.
    pub options: Vec<(String, Value)>,
    /// When, and what came from outside, in order. A limit is an option, not an input.
    pub inputs: Vec<(Time, Control)>,
}

/// Why a trace cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Line of the trace, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ReplayError {}

#[derive(Deserialize)]
struct First {
    schema: u32,
    files: Value,
    body: String,
    seed: u64,
    epoch: i64,
    #[serde(default)]
    clock: String,
    parameters: Value,
    options: Value,
}

/// A line of an event, as far as a replay needs it.
#[derive(Deserialize)]
struct Line {
    t: Option<Time>,
    path: Option<BoxPath>,
    kind: Option<String>,
    what: Option<String>,
    details: Option<Value>,
}

fn pairs(value: &Value) -> Option<Vec<(String, Value)>> {
    value.as_map()?.iter().map(|(k, v)| Some((k.as_str()?.to_owned(), v.clone()))).collect()
}

impl Replay {
    /// From the text of a trace. One that was cut off is replayed as far as it goes.
    ///
    /// # Errors
    /// It is no trace, or one of another schema; an input that is not as this version writes them.
    pub fn read(text: &str) -> Result<Self, ReplayError> {
        let wrong = |line: usize, what: &str| ReplayError { line, what: what.to_owned() };
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        let first = lines.next().map_or("", |(_, line)| line);
        let first: First =
            serde_json::from_str(first).map_err(|e| wrong(1, &format!("not the begin of a trace: {e}")))?;
        if first.schema != SCHEMA {
            return Err(wrong(
                1,
                &format!("the trace has the schema {}, and this version reads {SCHEMA}", first.schema),
            ));
        }
        let odd = || wrong(1, "`files`, `parameters` and `options` are objects");
        let text_of = |(name, hash): (String, Value)| Some((name, hash.as_str()?.to_owned()));
        let files = pairs(&first.files).ok_or_else(odd)?;
        let options = pairs(&first.options).ok_or_else(odd)?;
        let mut replay = Self {
            files: files.into_iter().map(text_of).collect::<Option<_>>().ok_or_else(odd)?,
            body: first.body,
            seed: first.seed,
            epoch: first.epoch,
            parameters: pairs(&first.parameters).ok_or_else(odd)?,
            options,
            inputs: Vec::new(),
        };
        // A real robot is not there again: what it told and answered is an input, too.
        let real = first.clock == "real" && replay.option("robot").is_some() && replay.option("robot-file").is_none();
        let mut robot = real.then(Robot::default);
        let count = text.lines().count();
        for (n, line) in lines {
            if let Some(robot) = &mut robot {
                replay.inputs.extend(robot.told(line));
            }
            // Nearly all lines are of no interest here, and need not be read.
            if !line.contains(r#""kind":"control""#) {
                continue;
            }
            let event: Line = match serde_json::from_str(line) {
                Ok(event) => event,
                // The last line of a run that was cut off may be half a line.
                Err(_) if n == count && !text.ends_with('\n') => break,
                Err(e) => return Err(wrong(n, &format!("not an event: {e}"))),
            };
            if event.kind.as_deref() == Some("control") {
                let t = event.t.ok_or_else(|| wrong(n, "the event has no time"))?;
                let input = input(event).map_err(|what| wrong(n, what))?;
                let input = input.map(|input| if robot.is_some() { heard_later(input) } else { input });
                replay.inputs.extend(input.map(|control| (t, control)));
            }
        }
        if let Some(robot) = robot {
            let mut mocks = replay.option("mocks").and_then(Value::as_list).unwrap_or_default().to_vec();
            mocks.extend(robot.mocks);
            replay.options.retain(|(name, _)| name != "mocks");
            replay.options.push(("mocks".to_owned(), Value::list(mocks)));
        }
        Ok(replay)
    }

    /// An option of the run.
    pub fn option(&self, name: &str) -> Option<&Value> {
        self.options.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }
}

/// An event that was raised on a real robot came back from it, if anybody listened: it is not told twice.
fn heard_later(input: Control) -> Control {
    match input {
        Control::Event { key, value } => Control::Remember { key, value },
        other => other,
    }
}

/// What a real robot told and answered.
#[derive(Default)]
struct Robot {
    /// Calls without an answer, by number: what was called, with what, and when.
    open: HashMap<u64, (String, Value, Time)>,
    /// Answers, as mocks of a test file, each for one call.
    mocks: Vec<Value>,
}

/// Services that the engine is itself, whatever the robot.
const OWN: &[&str] = &["ALBehaviorManager", "ALBoxstep", "ALFrameManager", "ALResourceManager"];

/// A line of a call, an answer or an event.
#[derive(Deserialize)]
struct RobotLine {
    n: u64,
    t: Time,
    cause: u64,
    kind: String,
    #[serde(default)]
    service: String,
    #[serde(default)]
    method: String,
    args: Option<Value>,
    key: Option<String>,
    value: Option<Value>,
    error: Option<String>,
}

impl Robot {
    /// Takes what a line says of the robot: an event is an input.
    fn told(&mut self, line: &str) -> Option<(Time, Control)> {
        if ![r#""kind":"service"#, r#""kind":"event""#].iter().any(|kind| line.contains(kind)) {
            return None;
        }
        let line: RobotLine = serde_json::from_str(line).ok()?;
        let called = format!("{}.{}", line.service, line.method);
        match line.kind.as_str() {
            "event" => return Some((line.t, Control::Event { key: line.key?, value: line.value.unwrap_or_default() })),
            // What is asked of memory is the robot's; that somebody listens is the engine's.
            "service"
                if !OWN.contains(&line.service.as_str())
                    && (line.service != "ALMemory" || line.method.starts_with("get")) =>
            {
                self.open.insert(line.n, (called, line.args.unwrap_or_default(), line.t));
            }
            "service_done" => {
                let (_, args, begun) = self.open.remove(&line.cause).filter(|(name, ..)| *name == called)?;
                let takes = Value::Float((line.t.0 - begun.0).max(0) as f64 / 1e9);
                let (how, said) = match line.error {
                    Some(why) => ("raises", Value::from(why.strip_prefix(&format!("{called}: ")).unwrap_or(&why))),
                    None => ("returns", line.value.unwrap_or_default()),
                };
                let pairs =
                    [("call", called.into()), ("args", args), (how, said), ("takes", takes), ("times", Value::Int(1))];
                self.mocks.push(Value::map(pairs));
            }
            _ => {}
        }
        None
    }
}

/// The input that an event tells of; `None` for the limit.
fn input(event: Line) -> Result<Option<Control>, &'static str> {
    let details = event.details.unwrap_or_default();
    let text = |name: &str| details.get(name).and_then(Value::as_str).map(str::to_owned);
    let value = || details.get("value").cloned().unwrap_or_default();
    let (no_key, no_path) = ("the input names no key", "the input names no box");
    Ok(Some(match event.what.as_deref() {
        Some("event") => Control::Event { key: text("key").ok_or(no_key)?, value: value() },
        Some("memory") => Control::Remember { key: text("key").ok_or(no_key)?, value: value() },
        Some("stimulate") => {
            let (path, port) = (event.path.ok_or(no_path)?, text("port").ok_or("the input names no port")?);
            Control::Stimulate { path, port, value: value() }
        }
        Some("set") => {
            let (path, parameter) = (event.path.ok_or(no_path)?, text("parameter").ok_or("no parameter is named")?);
            Control::SetParameter { path, parameter, value: value() }
        }
        Some("call") => {
            let (service, method) = (text("service"), text("method"));
            let (service, method) = service.zip(method).ok_or("the call names no service and method")?;
            let args = details.get("args").and_then(Value::as_list).unwrap_or_default().to_vec();
            Control::Call { service, method, args }
        }
        Some("stop") => Control::Stop,
        Some("interrupt") => Control::Interrupt,
        Some("limit") => return Ok(None),
        _ => return Err("an input of a kind that this version does not know"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = r#"{"schema":1,"product":"boxstep 0.1.0","files":{"behavior.xar":"ab"},"body":"nao","clock":"virtual","seed":7,"epoch":5,"parameters":{"root/Say/Text":"hi"},"options":{"behavior":"x","for":2.5},"new":true}"#;

    fn event(what: &str, path: &str, details: &str) -> String {
        format!(
            r#"{{"n":1,"t":1500000000,"cause":0{path},"kind":"control","dir":"in","what":"{what}","details":{details}}}"#
        )
    }

    #[test]
    fn every_input_comes_back_at_its_time() {
        let (path, say): (_, BoxPath) = (r#","path":"root/Say#3""#, "root/Say#3".parse().unwrap());
        let lines = [
            FIRST.to_owned(),
            event("event", "", r#"{"key":"Touched","value":[1,2.0]}"#),
            event("memory", "", r#"{"key":"k","value":null}"#),
            event("call", "", r#"{"service":"ALMotion","method":"rest","args":[]}"#),
            r#"{"n":2,"t":0,"cause":0,"kind":"print","text":"\"kind\":\"control\"","stderr":false,"line":1}"#
                .to_owned(),
            event("set", path, r#"{"parameter":"Text","value":"a"}"#),
            event("stimulate", path, r#"{"port":"onStart","value":null}"#),
            event("limit", "", "null"),
            event("interrupt", "", "null"),
            r#"{"n":9,"t":9,"kind":"control","wh"#.to_owned(),
        ];
        let replay = Replay::read(&lines.join("\n")).unwrap();
        let controls: Vec<Control> = replay.inputs.iter().map(|(_, c)| c.clone()).collect();
        let (key, value) = ("Touched".to_owned(), Value::list([Value::Int(1), Value::Float(2.0)]));
        let expected = [
            Control::Event { key, value },
            Control::Remember { key: "k".to_owned(), value: Value::Null },
            Control::Call { service: "ALMotion".to_owned(), method: "rest".to_owned(), args: Vec::new() },
            Control::SetParameter { path: say.clone(), parameter: "Text".to_owned(), value: "a".into() },
            Control::Stimulate { path: say, port: "onStart".to_owned(), value: Value::Null },
            Control::Interrupt,
        ];
        assert_eq!(controls, expected);
        assert!(replay.inputs.iter().all(|(t, _)| *t == Time::from_millis(1500)));
        assert_eq!((replay.seed, replay.epoch, &*replay.body), (7, 5, "nao"));
        assert_eq!(replay.parameters, [("root/Say/Text".to_owned(), "hi".into())]);
        assert_eq!(replay.option("for"), Some(&Value::Float(2.5)));
    }

    #[test]
    fn what_a_real_robot_told_and_answered_are_inputs() {
        let first = FIRST.replace("virtual", "real").replace("\"for\":2.5", "\"robot\":\"nao.local\"");
        let lines = [
            &first,
            r#"{"n":1,"t":1000000000,"cause":0,"kind":"event","dir":"in","key":"Touched","value":1}"#,
            r#"{"n":2,"t":1000000000,"cause":1,"path":"root/A","kind":"service","dir":"out","service":"ALSonar","method":"near","args":["left"],"line":3}"#,
            r#"{"n":3,"t":1000000000,"cause":1,"path":"root/A","kind":"service","dir":"out","service":"ALMemory","method":"subscribeToEvent","args":[],"line":3}"#,
            r#"{"n":4,"t":1250000000,"cause":2,"path":"root/A","kind":"service_done","dir":"in","service":"ALSonar","method":"near","value":0.5}"#,
            r#"{"n":5,"t":1250000000,"cause":3,"path":"root/A","kind":"service_done","dir":"in","service":"ALMemory","method":"subscribeToEvent","value":null}"#,
            r#"{"n":6,"t":2000000000,"cause":1,"path":"root/A","kind":"service","dir":"out","service":"ALSonar","method":"far","args":[],"line":3}"#,
            r#"{"n":7,"t":2000000000,"cause":6,"path":"root/A","kind":"service_done","dir":"in","service":"ALSonar","method":"far","error":"ALSonar.far: too far"}"#,
        ];
        let replay = Replay::read(&lines.join("\n")).unwrap();
        let touched = Control::Event { key: "Touched".to_owned(), value: Value::Int(1) };
        assert_eq!(replay.inputs, [(Time::from_millis(1000), touched)]);
        let mocks = replay.option("mocks").unwrap().as_list().unwrap();
        let texts: Vec<String> = mocks.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert_eq!(texts[0], r#"{"call":"ALSonar.near","args":["left"],"returns":0.5,"takes":0.25,"times":1}"#);
        assert_eq!(texts[1], r#"{"call":"ALSonar.far","args":[],"raises":"too far","takes":0.0,"times":1}"#);
        // The simulation answers the same again by itself.
        let simulated = lines.join("\n").replace(",\"robot\":\"nao.local\"", "");
        assert_eq!(Replay::read(&simulated).unwrap().inputs, []);
    }

    #[test]
    fn what_is_no_trace_says_where() {
        assert_eq!(Replay::read("").unwrap_err().line, 1);
        let schema = FIRST.replace("\"schema\":1", "\"schema\":2");
        assert!(Replay::read(&schema).unwrap_err().what.contains("schema 2"));
        let odd = format!("{FIRST}\n{}\n", event("dance", "", "null"));
        assert_eq!(Replay::read(&odd).unwrap_err().line, 2);
    }
}
