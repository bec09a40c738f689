//! Answers in the place of the robot, and probes at it (`docs/guides/test.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control, Mock, Probe, ProbeAt};
use boxstep_engine::trace::EndReason;
use boxstep_types::{Time, Value};
use std::time::Duration;

fn mock(method: &str) -> Mock {
    Mock {
        service: "ALFake".to_owned(),
        method: method.to_owned(),
        args: Vec::new(),
        answer: Ok(Value::Null),
        takes: Duration::ZERO,
        times: None,
    }
}

/// What a box does that calls and logs, with these mocks.
fn told(mocks: Vec<Mock>, actions: Vec<Do>) -> Vec<String> {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([(("A", "onInput_onStart"), actions)]);
    let config = Config { mocks, ..Config::default() };
    let (lines, _) = Run::with(&xml, scripts, Robot::default(), config).finish();
    let wanted = |l: &&String| l.contains("ALFake") || l.contains("log") || l.contains("raised");
    lines.iter().filter(wanted).map(|l| l.replace(" root/A", "")).collect()
}

fn call(method: &'static str, arg: i64) -> Do {
    Call("ALFake", method, vec![Value::Int(arg), Value::from("more")])
}

#[test]
fn a_mock_that_takes_time_answers_on_the_runs_clock() {
    let slow = Mock { takes: Duration::from_millis(1500), ..mock("get") };
    let lines = told(vec![slow], vec![call("get", 1), Log("after")]);
    assert_eq!(lines, ["0.000 ALFake.get", "1.500 ALFake.get done", "1.500 log after"]);
}

#[test]
fn a_mock_that_fails_raises_in_the_script() {
    let failing = Mock { answer: Err("no battery".to_owned()), ..mock("get") };
    let lines = told(vec![failing], vec![call("get", 1), Log("after")]);
    assert_eq!(lines, ["0.000 ALFake.get", "0.000 ALFake.get done", "0.000 raised onInput_onStart"]);
}

#[test]
fn the_first_mock_that_fits_answers_as_often_as_it_may() {
    let takes =
        |ms, args: Vec<Option<Value>>, times| Mock { takes: Duration::from_millis(ms), args, times, ..mock("get") };
    // The robot itself answers at once.
    let mocks = vec![
        takes(1000, vec![Some(Value::Float(1.0)), None], Some(1)),
        takes(200, vec![Some(Value::Int(1))], None),
        takes(30, vec![None, None, None], None),
    ];
    let lines = told(mocks, vec![call("get", 1), Log("a"), call("get", 1), Log("b"), call("get", 2), Log("c")]);
    let logs: Vec<_> = lines.iter().filter(|l| l.contains("log")).collect();
    assert_eq!(logs, ["1.000 log a", "1.200 log b", "1.200 log c"]);
}

#[test]
fn a_look_sees_what_its_time_has_left_and_keeps_no_run_going() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([(("A", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)])]);
    let look = |at: Option<f64>| Probe { at: at.map(Time::from_secs_f64), what: ProbeAt::Memory("Key".into()) };
    let config =
        Config { probes: vec![look(None), look(Some(9.0)), look(Some(1.0)), look(Some(2.0))], ..Config::default() };
    let event = Control::Event { key: "Key".to_owned(), value: Value::Int(1) };
    let run = Run::with(&xml, scripts, Robot::default(), config).control(1.0, event);
    let (lines, footer) = run.finish();
    let at = |l: &String| l.split(' ').next().unwrap().to_owned();
    let probes: Vec<_> = lines.iter().filter(|l| l.contains("Memory(")).map(at).collect();
    assert_eq!(probes, ["1.000", "2.000", "2.000", "2.000"], "{lines:#?}");
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_millis(2000)));
    let position = |text: &str| lines.iter().position(|l| l.contains(text)).unwrap();
    assert!(position("control event") < position("1.000  Memory("), "{lines:#?}");
}
