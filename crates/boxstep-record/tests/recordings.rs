//! Complete recordings of an earlier version (`tests/recordings`) are read, written back, replayed and explained. The
//! files stay unchanged when the format of traces grows.

use boxstep_record::why::{Because, stopped, why};
use boxstep_record::{Form, Replay, compare, diff};
use boxstep_trace::{Control, EndReason, Kind, Line, Reader, Recording};
use boxstep_types::{Time, Value};

const TOUCH: &str = include_str!("recordings/touch.jsonl");
const COMPANION: &str = include_str!("recordings/companion.jsonl");
const ALL: [&str; 2] = [TOUCH, COMPANION];

fn recording(text: &str) -> Recording {
    Recording::read(text.as_bytes()).unwrap()
}

#[test]
fn each_line_is_known_and_written_as_it_was() {
    let form = Form::default();
    for text in ALL {
        let mut reader = Reader::default();
        for line in text.lines() {
            let written = match reader.line(line).unwrap() {
                Line::Header(header) => form.header(&header),
                Line::Event(event) => {
                    assert!(!matches!(event.kind, Kind::Unread(_)), "{line}");
                    form.event(&event, reader.paths.get(event.path).map(|path| path.to_string()).as_deref())
                }
                Line::Footer(footer) => form.footer(&footer),
            };
            assert_eq!(written, line);
        }
    }
}

#[test]
fn each_is_the_same_as_itself() {
    for text in ALL {
        let found = compare(text, text).unwrap();
        assert_eq!((found.parting, found.options.len()), (None, 0));
        assert_eq!(found.same, recording(text).events.len());
        assert_eq!(diff(text, text), None);
    }
}

#[test]
fn inputs_are_found_to_be_replayed() {
    let touched = |key: &str, value: Value| Control::Event { key: key.into(), value };
    let replay = Replay::read(TOUCH).unwrap();
    let inputs: Vec<_> = replay.inputs.into_iter().map(|input| (input.t, input.control)).collect();
    let front = |value: f64| touched("FrontTactilTouched", Value::Float(value));
    assert_eq!(inputs, [(Time::from_millis(4000), front(1.0)), (Time::from_millis(4200), front(0.0))]);
    let replay = Replay::read(COMPANION).unwrap();
    assert_eq!(replay.inputs.len(), 5, "a limit is an option");
    assert_eq!(replay.inputs[4].control, touched("LeftBumperPressed", Value::Int(1)));
    assert_eq!(replay.option("for"), Some(&Value::Float(40.0)));
}

#[test]
fn why_behaviors_run_and_why_runs_stopped_is_answered() {
    let companion = recording(COMPANION);
    let at = |name: &str, t: i64| why(name, &companion, Some(Time::from_millis(t))).unwrap().because;
    assert!(matches!(at("companion", 4100), Because::Runs(..)));
    assert!(matches!(at("stroked", 4100), Because::Runs(..)), "the head is touched");
    assert!(!matches!(at("idle", 4100), Because::Runs(..)));
    assert_eq!(companion.footer.as_ref().unwrap().reason, EndReason::Limit);
    for (text, name) in [(TOUCH, "touch"), (COMPANION, "stroked")] {
        let said = stopped(&recording(text), None).unwrap().to_string();
        assert!(!said.is_empty(), "{name}");
    }
}
