//! A trace in short lines.

use super::words::word;
use boxstep_engine::Engine;
use boxstep_engine::trace::{Event, Footer, Header, Kind, Paths, ResourceEvent, Sink};
use std::sync::{Arc, Mutex};

/// Lines of a trace, shortened: `root/A input onStart`.
#[derive(Clone, Default)]
pub struct Lines {
    pub(super) kept: Arc<Mutex<Kept>>,
    /// Only what scripts log is kept.
    pub(super) logs_only: bool,
}

#[derive(Default)]
pub(super) struct Kept {
    pub(super) lines: Vec<String>,
    pub(super) causes: Vec<u64>,
}

impl Lines {
    pub fn lines(&self) -> Vec<String> {
        self.kept.lock().unwrap().lines.clone()
    }
}

impl Sink for Lines {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut kept = self.kept.lock().unwrap();
        for e in events.iter().filter(|e| !self.logs_only || matches!(e.kind, Kind::Log { .. })) {
            let path = paths.text(e.path);
            let what = match &e.kind {
                Kind::Behavior { phase: what, .. } => format!("behavior {what}"),
                Kind::BehaviorFailed { .. } => "behavior failed".to_owned(),
                Kind::Box { phase } => phase.to_string(),
                Kind::Diagram { phase: what, place: None } => format!("diagram {what}"),
                Kind::Diagram { phase: what, place: Some(at) } => {
                    format!("diagram {}:{} {what}", at.layer, at.keyframe)
                }
                Kind::Input { port, value: v } => format!("> {} {v}", port),
                Kind::Output { port, value: v } => format!("< {} {v}", port),
                Kind::Dropped { port, value: v, why } => format!("dropped {} {v}: {why}", port),
                Kind::Parameter { name, value: v } => format!("parameter {} = {v}", name),
                Kind::Call { method: m } => format!("call {m}"),
                Kind::Returned { method: m } => format!("returned {m}"),
                Kind::Raised { method: m, .. } => format!("raised {m}"),
                Kind::Abandoned { method: m } => format!("abandoned {m}"),
                Kind::Timeline { command: what, frame: f } => format!("timeline {what} {f}"),
                Kind::Service(asked) => format!("{}.{}", asked.service, asked.method),
                Kind::ServiceDone(done) => format!("{}.{} done", done.service, done.method),
                Kind::Log { text, .. } => format!("log {text}"),
                Kind::Control { control, .. } => format!("control {}", word(control, "what")),
                Kind::Resource(claimed) => {
                    let ResourceEvent { what, name, owner, others } = &**claimed;
                    let owner = owner.as_ref().map(|o| format!(" by {o}")).unwrap_or_default();
                    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
                    format!("resource {name} {what}{owner}{others}")
                }
                Kind::Reload(r) => format!("reload {}: {}", r.phase, r.text),
                Kind::Warning { text } => format!("Warning({text:?})"),
                Kind::Forced { busy } => format!("Forced({busy:?})"),
                Kind::Joints { angles, .. } => format!("Joints({angles:?})"),
                Kind::Memory { key, value } => format!("Memory({key:?}, {value:?})"),
                Kind::Event { key, value, .. } => format!("Event({key:?}, {value:?})"),
                other => format!("{other:?}"),
            };
            kept.lines.push(format!("{} {path} {what}", e.t));
            kept.causes.push(e.cause);
        }
    }
    fn end(&mut self, _: &Footer) {}
}

impl Lines {
    /// The lines of a run that is stopped for this.
    pub fn all(&self, engine: &mut Engine) -> Vec<String> {
        engine.end().unwrap();
        self.kept.lock().unwrap().lines.clone()
    }
}

/// Only the lines that contain one of the words.
pub fn only(lines: &[String], words: &[&str]) -> Vec<String> {
    lines.iter().filter(|l| words.iter().any(|w| l.contains(w))).cloned().collect()
}
