//! The inputs of a recorded run: the options in its header, and the inputs from outside with their times.
//!
//! In virtual time the same files with the same inputs give the same trace; so a trace is all that must be kept to
//! repeat a run. The simulated robot gives the same answers again by itself; the answers that mocks gave are in the
//! header.

use boxstep_trace::{Control, Event, Header, Kind, Line, Paths, Reader, is_robot_outside};
use boxstep_types::{BoxPath, Time, Value, is_engine_service};
use std::collections::HashMap;
use std::fmt;

/// What is needed to replay a recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The header; its option `mocks` also has the answers of a real robot, in the form of a test file.
    pub header: Header,
    /// The inputs from outside, in order. A time limit is an option, not an input.
    pub inputs: Vec<Input>,
}

/// An input from outside a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// When it came.
    pub t: Time,
    /// The box that received it.
    pub path: Option<BoxPath>,
    /// What it was.
    pub control: Control,
}

/// Why a trace cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The line of the trace, from 1.
    pub line: usize,
    /// What is wrong with the line.
    pub what: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ReplayError {}

impl Replay {
    /// Reads the text of a trace. A trace that was cut off is replayed as far as it goes.
    ///
    /// # Errors
    /// It is no trace, or has another schema, or an input has a form that this version does not write.
    pub fn read(text: &str) -> Result<Self, ReplayError> {
        let wrong = |line: usize, what: &dyn fmt::Display| ReplayError { line, what: what.to_string() };
        let mut reader = Reader::default();
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        let first = lines.next().map_or("", |(_, line)| line);
        let header = match reader.line(first) {
            Ok(Line::Header(header)) if header.show.is_some() => {
                return Err(wrong(1, &"it is the recording of a whole show: name that of one robot"));
            }
            Ok(Line::Header(header)) => header,
            Ok(_) => return Err(wrong(1, &"not the begin of a trace")),
            Err(e) => return Err(wrong(1, &format_args!("not the begin of a trace: {e}"))),
        };
        let mut replay = Self { header, inputs: Vec::new() };
        // The real robot is absent in a replay: its events and answers are inputs, too.
        let real = is_robot_outside(&replay.header);
        let mut robot = real.then(Robot::default);
        let count = text.lines().count();
        for (n, line) in lines {
            let event = match reader.line(line) {
                Ok(Line::Event(event)) => event,
                Ok(_) => continue,
                // The last line of a run that was cut off may be incomplete.
                Err(_) if n == count && !text.ends_with('\n') => break,
                Err(e) => return Err(wrong(n, &format_args!("not an event: {e}"))),
            };
            let input = match &event.kind {
                Kind::Control { control, .. } => {
                    let control = if real { without_echo(control) } else { (**control).clone() };
                    let control = Some(control).filter(|control| *control != Control::Limit(()));
                    control.map(|control| input(&event, control, &reader.paths))
                }
                Kind::Unread(unread) if &*unread.kind == "control" => {
                    return Err(wrong(n, &"an input of a kind that this version does not know"));
                }
                _ => robot
                    .as_mut()
                    .and_then(|robot| robot.input_of(&event))
                    .map(|control| input(&event, control, &reader.paths)),
            };
            replay.inputs.extend(input);
        }
        if let Some(robot) = robot {
            let options = &mut replay.header.options;
            let known = options.iter().position(|(name, _)| name == "mocks").map(|at| options.remove(at).1);
            let mut mocks = known.as_ref().and_then(Value::as_list).unwrap_or_default().to_vec();
            mocks.extend(robot.mocks);
            options.push(("mocks".to_owned(), Value::list(mocks)));
        }
        Ok(replay)
    }

    /// Returns an option of the run.
    pub fn option(&self, name: &str) -> Option<&Value> {
        self.header.option(name)
    }
}

fn input(event: &Event, control: Control, paths: &Paths) -> Input {
    Input { t: event.t, path: paths.get(event.path), control }
}

/// Replaces the raising of an event on a real robot by setting the memory: the robot sent the event back to
/// subscribers, and it is recorded as an input then.
fn without_echo(control: &Control) -> Control {
    match control.clone() {
        Control::Event { key, value } => Control::Memory { key, value },
        other => other,
    }
}

/// The events and answers of a real robot.
#[derive(Default)]
struct Robot {
    /// Calls without an answer, by number: the method, the arguments, and the time.
    open: HashMap<u64, (String, Vec<Value>, Time)>,
    /// The answers as mocks of a test file, each for one call.
    mocks: Vec<Value>,
}

impl Robot {
    /// Collects calls and answers. Returns the input for an event of the robot's memory.
    fn input_of(&mut self, event: &Event) -> Option<Control> {
        match &event.kind {
            Kind::Event { key, value, .. } => {
                return Some(Control::Event { key: key.clone(), value: value.clone() });
            }
            // The robot answers reads of its memory; the engine answers subscriptions.
            Kind::Service(call)
                if !is_engine_service(&call.service)
                    && (&*call.service != "ALMemory" || call.method.starts_with("get")) =>
            {
                let called = format!("{}.{}", call.service, call.method);
                self.open.insert(event.n, (called, call.args.clone(), event.t));
            }
            Kind::ServiceDone(reply) => {
                let called = format!("{}.{}", reply.service, reply.method);
                let (_, args, begun) = self.open.remove(&event.cause).filter(|(name, ..)| *name == called)?;
                let takes = Value::Float((event.t.0 - begun.0).max(0) as f64 / 1e9);
                let (how, said) = match &reply.result {
                    Err(why) => ("raises", Value::from(why.strip_prefix(&format!("{called}: ")).unwrap_or(why))),
                    Ok(value) => ("returns", value.clone()),
                };
                let args = Value::list(args);
                let pairs =
                    [("call", called.into()), ("args", args), (how, said), ("takes", takes), ("times", Value::Int(1))];
                self.mocks.push(Value::map(pairs));
            }
            _ => {}
        }
        None
    }
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
        let inputs: Vec<_> = replay.inputs.iter().map(|input| (input.path.clone(), input.control.clone())).collect();
        let (key, value) = ("Touched".into(), Value::list([Value::Int(1), Value::Float(2.0)]));
        let expected = [
            (None, Control::Event { key, value }),
            (None, Control::Memory { key: "k".into(), value: Value::Null }),
            (None, Control::Call { service: "ALMotion".into(), method: "rest".into(), args: Vec::new() }),
            (Some(say.clone()), Control::Set { parameter: "Text".into(), value: "a".into() }),
            (Some(say), Control::Stimulate { port: "onStart".into(), value: Value::Null }),
            (None, Control::Interrupt(())),
        ];
        assert_eq!(inputs, expected);
        assert!(replay.inputs.iter().all(|input| input.t == Time::from_millis(1500)));
        assert_eq!((replay.header.seed, replay.header.epoch, &*replay.header.body), (7, 5, "nao"));
        assert_eq!(replay.header.parameters, [("root/Say/Text".to_owned(), "hi".into())]);
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
        let control = Control::Event { key: "Touched".into(), value: Value::Int(1) };
        assert_eq!(replay.inputs, [Input { t: Time::from_millis(1000), path: None, control }]);
        let mocks = replay.option("mocks").unwrap().as_list().unwrap();
        let texts: Vec<String> = mocks.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert_eq!(texts[0], r#"{"call":"ALSonar.near","args":["left"],"returns":0.5,"takes":0.25,"times":1}"#);
        assert_eq!(texts[1], r#"{"call":"ALSonar.far","args":[],"raises":"too far","takes":0.0,"times":1}"#);
        // The simulation gives the same answers again by itself.
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
