//! Lines of a trace round-trip: reading and writing a line gives the same text.

use boxstep_trace::{Event, Header, Kind, Line, Reader};
use std::fs;
use std::path::Path;

const HEADER: &str = r#"{"schema":1,"product":"test"}"#;

fn lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings").join(file);
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// Returns a reader that has read a header.
fn reader() -> Reader {
    let mut reader = Reader::default();
    reader.line(HEADER).unwrap();
    reader
}

fn event(line: &str) -> (Event, Reader) {
    let mut reader = reader();
    match reader.line(line).unwrap() {
        Line::Event(event) => (event, reader),
        other => panic!("{other:?}"),
    }
}

/// Reads a line and returns the text that the event is written as.
fn written(line: &str) -> String {
    let (event, reader) = event(line);
    let path = reader.paths.get(event.path).map(|path| path.to_string());
    serde_json::to_string(&event.line(path.as_deref())).unwrap()
}

#[test]
fn events_of_earlier_versions_are_read_and_written_again_as_they_were() {
    let lines = lines("events.jsonl");
    assert!(lines.len() > 100);
    for line in lines {
        let (event, _) = event(&line);
        assert!(!matches!(event.kind, Kind::Unread(_)), "{line}");
        assert_eq!(written(&line), line);
    }
}

#[test]
fn first_and_last_lines_of_earlier_versions_are_read_and_written_again_as_they_were() {
    for line in lines("headers.jsonl") {
        let header: Header = serde_json::from_str(&line).unwrap();
        assert_eq!(serde_json::to_string(&header).unwrap(), line);
    }
    for line in lines("footers.jsonl") {
        let Line::Footer(footer) = reader().line(&line).unwrap() else { panic!("{line}") };
        assert_eq!(serde_json::to_string(&footer).unwrap(), line);
    }
}

#[test]
fn what_a_later_version_writes_is_kept_as_it_is() {
    for line in [
        r#"{"n":1,"t":2,"cause":0,"path":"root","kind":"dreams","of":{"what":["sheep",1.50]}}"#,
        r#"{"n":1,"t":2,"cause":0,"path":"root","kind":"box","phase":"dreaming"}"#,
        r#"{"n":1,"t":2,"cause":0,"kind":"delegation","what":"dreams"}"#,
    ] {
        let (event, _) = event(line);
        assert!(matches!(&event.kind, Kind::Unread(_)), "{line}");
        assert_eq!(written(line), line);
    }
    // Unknown fields are ignored.
    let (event, _) = event(r#"{"n":1,"t":2,"cause":0,"kind":"call","mood":"good","method":"onLoad"}"#);
    assert_eq!(event.kind, Kind::Call { method: "onLoad".into() });
}

#[test]
fn the_order_of_fields_says_nothing() {
    let (event, reader) = event(r#"{"value":1,"path":"root/A","kind":"input","t":7,"port":"p","cause":3,"n":4}"#);
    assert_eq!((event.n, event.t.0, event.cause, reader.paths.text(event.path)), (4, 7, 3, "root/A".to_owned()));
    assert!(matches!(event.kind, Kind::Input { port, .. } if port == "p"));
}

#[test]
fn what_is_no_line_of_a_trace_is_an_error_and_the_next_line_is_read() {
    let mut first = Reader::default();
    for line in ["", "hello", "[]", "{}", r#"{"schema":2}"#, r#"{"n":1}"#] {
        assert!(first.line(line).is_err(), "{line}");
    }
    assert!(first.line(r#"{"schema":2}"#).unwrap_err().to_string().contains("schema 2"));
    let mut next = reader();
    for line in
        ["", "hello", "{}", r#"{"n":-1,"kind":"box"}"#, r#"{"n":1,"t":2,"kind":"box","path":"a//b"}"#, r#"{"n":1,"t"#]
    {
        assert!(next.line(line).is_err(), "{line}");
    }
    assert!(next.line(r#"{"n":1,"t":2,"kind":"box","path":"a/b","phase":"loaded"}"#).is_ok());
}

#[test]
fn in_the_recording_of_a_show_an_event_names_its_robot() {
    let line =
        |robot: &str, path: &str| format!(r#"{{"n":1,"t":0,"cause":0,{robot}{path}"kind":"call","method":"x"}}"#);
    let mut reader = reader();
    let mut read = |robot: &str, path: &str| match reader.line(&line(robot, path)).unwrap() {
        Line::Event(event) => (event, reader.paths.clone()),
        other => panic!("{other:?}"),
    };
    let (alto, bass, path) = (r#""robot":"alto","#, r#""robot":"bass","#, r#""path":"root/A","#);
    let (event, paths) = read(alto, path);
    assert_eq!((paths.text(event.path), paths.place(event.path)), ("root/A".to_owned(), "alto: root/A".to_owned()));
    let text = paths.get(event.path).map(|path| path.to_string());
    let robot = paths.robot(event.path).map(|robot| &**robot);
    let written = serde_json::to_string(&event.line(text.as_deref()).of_robot(robot)).unwrap();
    assert_eq!(written, line(alto, path));
    // The same path of another robot is another box, and so is that of none.
    let (other, paths) = read(bass, path);
    let (none, _) = read("", path);
    assert!(event.path != other.path && event.path != none.path && other.path != none.path);
    assert_eq!(paths.place(other.path), "bass: root/A");
    // A robot without a box.
    let (robot, paths) = read(alto, "");
    assert_eq!((paths.get(robot.path), paths.place(robot.path)), (None, "alto".to_owned()));
    assert_eq!(read(alto, "").0.path, robot.path);
    assert_eq!(read(alto, path).0.path, event.path);
    assert_eq!(read("", "").0.path, Default::default());
}
