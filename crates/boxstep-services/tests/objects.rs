//! Objects that services answer: listeners of the log, and conditions over the memory.

use crate::harness::{Harness, list, s};
use boxstep_engine::services::{LogLevel, Services};
use boxstep_types::Value;

/// Makes a call that answers an object; returns the name by which scripts call it.
fn object(h: &mut Harness, method: &str, args: &[Value]) -> String {
    match h.get(method, args) {
        Value::Object(object) => object.robot_service().expect("an object of the robot"),
        other => panic!("{method} answers {other}"),
    }
}

fn listener(h: &mut Harness) -> String {
    let name = object(h, "LogManager.getListener", &[]);
    h.listen(&format!("{name}.onLogMessage"));
    name
}

/// Returns level, category and text of the lines that a listener got.
fn lines(h: &Harness, name: &str) -> Vec<(i64, String, String)> {
    let word = |message: &Value, key| message.get(key).and_then(Value::as_str).expect("a text").to_owned();
    let line = |event: &Value| {
        let message = &event.as_list().expect("arguments")[0];
        let level = message.get("level").and_then(Value::as_i64).expect("a level");
        (level, word(message, "category"), word(message, "message"))
    };
    h.seen(&format!("{name}.onLogMessage")).iter().map(line).collect()
}

#[test]
fn a_listener_gets_the_lines_of_the_log_by_level_and_category() {
    let mut h = Harness::nao();
    let all = listener(&mut h);
    let few = listener(&mut h);
    assert_ne!(all, few);
    h.get(&format!("{all}.setLevel"), &[6.into()]);
    h.get(&format!("{few}.setVerbosity"), &[2.into()]);
    h.get(&format!("{few}.addFilter"), &[s("app.*"), 6.into()]);
    h.get(&format!("{few}.setCategory"), &[s("app.secret"), 0.into()]);
    h.get("ALLogger.debug", &[s("app.talk"), s("one")]);
    h.get("ALLogger.fatal", &[s("app.secret"), s("two")]);
    h.get("ALLogger.warn", &[s("core"), s("three")]);
    let message = list([s(""), 2.into(), list([0, 0]), s("core"), s(""), s("four")]);
    h.get("LogManager.log", &[message]);
    h.with(|robot, cx| robot.logged(cx, LogLevel::Info, "root/Say", "five"));
    let (one, two) = ((6, "app.talk".to_owned(), "one".to_owned()), (1, "app.secret".to_owned(), "two".to_owned()));
    let (three, four) = ((3, "core".to_owned(), "three".to_owned()), (2, "core".to_owned(), "four".to_owned()));
    let five = (4, "root/Say".to_owned(), "five".to_owned());
    assert_eq!(lines(&h, &all), [one.clone(), two, three, four.clone(), five]);
    assert_eq!(lines(&h, &few), [one, four]);
    h.get(&format!("{few}.clearFilters"), &[]);
    h.get("ALLogger.fatal", &[s("app.secret"), s("six")]);
    assert_eq!(lines(&h, &few).len(), 3);
}

#[test]
fn lines_are_numbered_and_dated() {
    let mut h = Harness::nao();
    let name = listener(&mut h);
    h.get("ALLogger.info", &[s("a"), s("one")]);
    h.wait(1.5);
    h.get("ALLogger.info", &[s("a"), s("two")]);
    let of = |message: &Value, key: &str| message.as_list().unwrap()[0].get(key).and_then(Value::as_i64).unwrap();
    let seen = h.seen(&format!("{name}.onLogMessage"));
    assert_eq!(seen.iter().map(|m| of(m, "id")).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(of(&seen[1], "date"), 1_500_000_000);
    assert_eq!(of(&seen[1], "systemDate") - of(&seen[0], "systemDate"), 1_500_000_000);
}

#[test]
fn objects_have_their_own_members_only() {
    let mut h = Harness::nao();
    let name = listener(&mut h);
    assert_eq!(h.why(&format!("{name}.ping"), &[]), format!("Cannot find method: {name}.ping"));
    assert!(h.why(&format!("{name}.setLevel"), &[7.into()]).contains("a level is 0 to 6, not 7"));
    assert_eq!(h.why("#77.setLevel", &[1.into()]), "Cannot find service: #77");
    let topic = boxstep_engine::services::Topic::Signal(name.as_str().into(), "onLogMessages".into());
    assert!(h.with(|robot, cx| robot.subscribe(cx, &topic, true)).is_err());
}

fn watched(h: &mut Harness, condition: &str, report: i64) -> String {
    let name = object(h, "ALExpressionWatcher.add", &[s(condition), report.into()]);
    h.listen(&format!("{name}.signal"));
    format!("{name}.signal")
}

/// Returns the values that a condition has reported, with the seconds.
fn reports(h: &Harness, signal: &str) -> Vec<(f64, Value)> {
    let of = h.events.iter().filter(|(_, topic, _)| topic == signal);
    of.map(|(at, _, value)| (at.as_secs_f64(), value.as_list().expect("arguments")[0].clone())).collect()
}

#[test]
fn a_bumper_that_was_held_for_five_seconds_and_released_is_reported_once() {
    let mut h = Harness::nao();
    let signal = watched(&mut h, "!'LeftBumperPressed' && ('LeftBumperPressed' ~ 5 @ 0.1)", 2);
    h.raise("LeftBumperPressed", 1.0.into());
    h.wait(3.0);
    h.raise("LeftBumperPressed", 0.0.into());
    h.wait(10.0);
    assert_eq!(reports(&h, &signal), [], "it was held for 3 s");
    h.raise("LeftBumperPressed", 1.0.into());
    h.wait(6.0);
    h.raise("LeftBumperPressed", 0.0.into());
    h.wait(10.0);
    assert_eq!(reports(&h, &signal), [(19.0, true.into())]);
}

#[test]
fn report_modes_report_changes_edges_and_rising_edges() {
    let mut h = Harness::nao();
    let signals = [0, 1, 2].map(|mode| watched(&mut h, "'Mood'", mode));
    for mood in [1, 2, 2, 0, 3] {
        h.wait(1.0);
        h.raise("Mood", mood.into());
    }
    let values = |h: &Harness, i: usize| reports(h, &signals[i]).into_iter().map(|(_, v)| v).collect::<Vec<_>>();
    assert_eq!(values(&h, 0), [1, 2, 0, 3].map(Value::Int));
    assert_eq!(values(&h, 1), [1, 0, 3].map(Value::Int));
    assert_eq!(values(&h, 2), [1, 3].map(Value::Int));
}

#[test]
fn a_condition_becomes_true_by_time_alone_and_wakes_nobody_else() {
    let mut h = Harness::nao();
    let signal = watched(&mut h, "('Zone' >= 1) ~ 3", 1);
    object(&mut h, "ALExpressionWatcher.add", &[s("'Zone' ~ 3"), 1.into()]);
    h.wait(1.0);
    h.raise("Zone", 1.into());
    assert_eq!(h.timers_alive(), 1, "nobody listens to the other condition");
    h.wait(5.0);
    assert_eq!(reports(&h, &signal), [(4.0, true.into())]);
    assert_eq!(h.timers_alive(), 0);
}

#[test]
fn events_of_the_robot_itself_and_micro_events_count() {
    let mut h = Harness::nao();
    let life = watched(&mut h, "'AutonomousLife/State' == \"solitary\"", 1);
    let small = watched(&mut h, "'Ping' > 2", 2);
    h.get("ALAutonomousLife.setState", &[s("solitary")]);
    h.get("ALMemory.raiseMicroEvent", &[s("Ping"), 3.into()]);
    h.get("ALMemory.insertData", &[s("Ping"), 0.into()]);
    assert_eq!(reports(&h, &life), [(0.0, true.into())]);
    assert_eq!(reports(&h, &small), [(0.0, true.into())]);
}

#[test]
fn conditions_that_are_not_understood_are_refused() {
    let mut h = Harness::nao();
    let mut why = |condition: &str, mode: i64| h.why("ALExpressionWatcher.add", &[s(condition), mode.into()]);
    assert!(why("'A' # 2", 0).contains("the condition, at character 5: the operator `#` is not known"));
    assert!(why("'A'", 3).contains("must be 0, 1 or 2, not 3"));
    let device = "'Device/SubDeviceList/HeadYaw/Position/Sensor/Value' > 0";
    assert!(why(device, 0).contains("is a device's value, not an event"));
}
