//! A helper process that has ended is replaced: what is native goes on, and a behavior that starts later has scripts again.

#![cfg(unix)]
use crate::common::{has_python, xar};
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, ClockKind, Config, Control};
use boxstep_engine::shared::{Host as _, Shared};
use boxstep_engine::trace::{EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_format::{Limits, read_xar};
use boxstep_script::options::Options;
use boxstep_script::process::ProcessHost;
use boxstep_types::Time;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A behavior of one box with this onLoad; without a box if that is empty.
fn behavior(name: &str, on_load: &str) -> BehaviorSource {
    let script = format!("import os\nclass MyClass(GeneratedClass):\n    def onLoad(self):\n        {on_load}\n");
    let inside = if on_load.is_empty() { String::new() } else { xar::a_box(1, "B", &script, "", "") };
    let xml = xar::behavior(&xar::ports(), &xar::flow(&inside));
    let file = read_xar(name, xml.as_bytes(), &Limits::default()).unwrap();
    BehaviorSource {
        name: name.into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/".into(),
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
    }
}

/// Passes on what there is to wait for.
struct Tell(Sender<String>);

impl Sink for Tell {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], _: &Paths) {
        for event in events {
            let line = match &event.kind {
                Kind::Behavior { phase: what, name } => format!("{name} {what}"),
                Kind::BehaviorFailed { name, error } => format!("{name} failed: {}", error.message),
                Kind::Log { text, .. } => text.to_string(),
                _ => continue,
            };
            // Nobody listens any more once the test has failed.
            let _ = self.0.send(line);
        }
    }

    fn end(&mut self, _: &Footer) {}
}

/// Everything up to the line that is waited for.
fn until(lines: &Receiver<String>, last: &str) -> Vec<String> {
    let mut seen = Vec::new();
    while seen.last().is_none_or(|line| line != last) {
        let line = lines.recv_timeout(Duration::from_secs(60));
        seen.push(line.unwrap_or_else(|_| panic!("never {last}: {seen:#?}")));
    }
    seen
}

#[test]
fn a_behavior_that_starts_after_a_crash_has_scripts_again() {
    if !has_python() {
        return;
    }
    let (sender, lines) = channel();
    let config = Config { clock: ClockKind::Real, ..Config::default() };
    let mut engine = Engine::traced(config, vec![Box::new(Tell(sender))]);
    engine.play(behavior("stays", "")).unwrap();
    engine.play(behavior("first", "os._exit(3)")).unwrap();
    let engine = Shared::new(engine);
    let shared = engine.clone();
    let driving = std::thread::spawn(move || {
        let options = Options {
            epoch: 0,
            seed: 0,
            network: false,
            patience: Duration::from_secs(30),
            dialect: 2,
            language: String::new(),
            installed_qi: false,
            as_written: false,
            args: Vec::new(),
            robot: String::new(),
        };
        let host = ProcessHost::start("python3".into(), Vec::new(), options, false).unwrap();
        host.drive(&shared)
    });
    let seen = until(&lines, "first unloaded");
    let failed = "first failed: the process for scripts ended with exit code 3 while first/root/B onLoad ran";
    assert!(seen.iter().any(|line| line == failed), "{seen:#?}");
    for name in ["second", "third"] {
        engine.poke(|engine| engine.play(behavior(name, &format!("self.log('{name} speaks')")))).unwrap();
        until(&lines, &format!("{name} speaks"));
    }
    engine.poke(|engine| engine.control(Time::ZERO, Control::Stop)).unwrap();
    let seen = until(&lines, "stays unloaded");
    assert!(!seen.iter().any(|line| line.contains("failed")), "{seen:#?}");
    driving.join().unwrap().unwrap();
    assert_eq!(engine.lock().outcome().unwrap().reason, EndReason::Ended);
}
