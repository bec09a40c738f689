//! Recordings that are damaged, cut off or made up are refused or read up to the damage, and never cause a panic.

use boxstep_record::mcap::Mcap;
use boxstep_record::testing::law;
use boxstep_record::{JsonLines, Normal};
use boxstep_trace::*;
use boxstep_types::{BoxPath, Time, Value};
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Cursor<Vec<u8>>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Buffer {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.lock().unwrap().seek(to)
    }
}

impl Buffer {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().get_ref().clone()
    }
}

fn play(sink: &mut dyn Sink) {
    let (name, value) = ("dance".to_owned(), Value::from("dance"));
    sink.begin(&Header {
        schema: Schema,
        product: "boxstep 0".into(),
        files: vec![("behavior.xar".into(), "00ff".into())],
        body: "nao".into(),
        clock: ClockKind::Virtual,
        seed: 0,
        epoch: 1_577_836_800,
        parameters: Vec::new(),
        options: vec![("behavior".into(), value)],
        started: None,
        show: None,
    });
    let mut paths = Paths::default();
    let path = paths.add(&BoxPath::root("root"));
    let port = Name::new("onStopped");
    let joints: Kind = Kind::Joints { angles: [("HeadYaw".into(), 0.25)].as_slice().into(), torso: None };
    let kinds = [
        (path, Kind::Behavior { phase: BehaviorPhase::Started, name: name.as_str().into() }),
        (PathId(0), joints),
        (PathId(0), Kind::event("Touched", Value::Int(1))),
        (path, Kind::Log { level: LogLevel::Info, text: "hi".into(), line: 3 }),
        (path, Kind::Output { port, value: Value::Null }),
        (path, Kind::Behavior { phase: BehaviorPhase::Stopping, name: name.as_str().into() }),
    ];
    let event = |(n, (path, kind)): (usize, (PathId, Kind))| {
        let n = n as u64 + 1;
        Event { n, t: Time::from_millis(n as i64), cause: n - 1, path, kind }
    };
    let events: Vec<Event> = kinds.into_iter().enumerate().map(event).collect();
    sink.events(&events, &paths);
    sink.end(&Footer {
        reason: EndReason::Ended,
        t: Time::from_millis(6),
        events: 6,
        errors: 0,
        not_compiled: 0,
        unsupported: 0,
        dropped: 0,
        warnings: 0,
        forced: 0,
        deterministic: Ok(()),
    });
}

fn recordings() -> [Vec<u8>; 2] {
    let (trace, record) = (Buffer::default(), Buffer::default());
    let (mut sink, _) = JsonLines::new(trace.clone(), Normal::new());
    play(&mut sink);
    let (mut sink, file) = Mcap::new(record.clone(), Normal::new()).unwrap();
    play(&mut sink);
    assert!(file.take_error().is_none());
    [trace.bytes(), record.bytes()]
}

#[test]
fn an_mcap_file_has_the_lines_of_the_trace() {
    let [trace, record] = recordings();
    let mut read = Vec::new();
    io::Read::read_to_end(&mut boxstep_record::recording(record.as_slice()).unwrap(), &mut read).unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), String::from_utf8(trace).unwrap());
}

#[test]
fn cut_off_anywhere() {
    for bytes in recordings() {
        (0..bytes.len()).for_each(|at| law(&bytes[..at]));
    }
}

#[test]
fn every_byte_otherwise() {
    for bytes in recordings() {
        for at in 0..bytes.len() {
            for other in [0, 0xff, bytes[at] ^ 1, bytes[at].wrapping_add(16)] {
                let mut bytes = bytes.clone();
                bytes[at] = other;
                law(&bytes);
            }
        }
    }
}

#[test]
fn lengths_that_are_made_up() {
    let [_, record] = recordings();
    for at in 8..record.len().saturating_sub(8) {
        for length in [u64::MAX, i64::MAX as u64, 1 << 40, 1 << 28] {
            let mut bytes = record.clone();
            bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
            law(&bytes);
        }
    }
}
