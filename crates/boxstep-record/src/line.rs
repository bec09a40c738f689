//! The JSON form of a header, an event and a footer. Field names are the promise of
//! `docs/trace.md`: a new one may come, one that is there keeps its meaning.

use boxstep_engine::door::ScriptError;

use boxstep_engine::stop::Busy;
use boxstep_engine::trace::{Dir, Event, Footer, Header, Kind, Paths, SCHEMA};
use boxstep_types::Value;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::sync::Arc;

/// Pairs as an object, in the order given.
struct Pairs<'a, K, V>(&'a [(K, V)]);

impl<K: AsRef<str>, V: Serialize> Serialize for Pairs<'_, K, V> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self.0.iter().map(|(k, v)| (k.as_ref(), v)))
    }
}

/// The first line.
pub(crate) struct HeaderLine<'a>(pub &'a Header);

impl Serialize for HeaderLine<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let h = self.0;
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("schema", &SCHEMA)?;
        m.serialize_entry("product", &h.product)?;
        m.serialize_entry("files", &Pairs(&h.files))?;
        m.serialize_entry("body", &h.body)?;
        m.serialize_entry("clock", h.clock)?;
        m.serialize_entry("seed", &h.seed)?;
        m.serialize_entry("epoch", &h.epoch)?;
        m.serialize_entry("parameters", &Pairs(&h.parameters))?;
        m.serialize_entry("options", &Pairs(&h.options))?;
        if let Some(started) = &h.started {
            m.serialize_entry("started", started)?;
        }
        m.end()
    }
}

/// The last line.
pub(crate) struct FooterLine<'a>(pub &'a Footer);

impl Serialize for FooterLine<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let f = self.0;
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("reason", f.reason.name())?;
        m.serialize_entry("t", &f.t.0)?;
        m.serialize_entry("events", &f.events)?;
        m.serialize_entry("errors", &f.errors)?;
        if f.forced > 0 {
            m.serialize_entry("forced", &f.forced)?;
        }
        if f.not_compiled > 0 {
            m.serialize_entry("not_compiled", &f.not_compiled)?;
        }
        m.serialize_entry("unsupported", &f.unsupported)?;
        m.serialize_entry("dropped", &f.dropped)?;
        m.serialize_entry("warnings", &f.warnings)?;
        m.serialize_entry("deterministic", &f.deterministic.is_ok())?;
        if let Err(why) = &f.deterministic {
            m.serialize_entry("why", why)?;
        }
        m.end()
    }
}

struct ErrorObject<'a>(&'a ScriptError);

impl Serialize for ErrorObject<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("kind", &*self.0.kind)?;
        m.serialize_entry("message", &*self.0.message)?;
        m.serialize_entry("line", &self.0.line)?;
        m.serialize_entry("traceback", &*self.0.traceback)?;
        m.end()
    }
}

struct BusyObject<'a>(&'a Busy);

impl Serialize for BusyObject<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let Busy { behavior, path, does, waits_for, since, given_up } = self.0;
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("behavior", &**behavior)?;
        if let Some(path) = path {
            m.serialize_entry("path", &path.to_string())?;
        }
        m.serialize_entry("does", &**does)?;
        if !waits_for.is_empty() {
            m.serialize_entry("waits_for", waits_for)?;
        }
        m.serialize_entry("since", &since.0)?;
        if *given_up {
            m.serialize_entry("given_up", given_up)?;
        }
        m.end()
    }
}

/// One event.
pub(crate) struct EventLine<'a> {
    pub(crate) event: &'a Event,
    /// The text of its path, if it has one.
    pub(crate) path: Option<&'a str>,
    pub(crate) paths: &'a Paths,
}

impl Serialize for EventLine<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let e = self.event;
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("n", &e.n)?;
        m.serialize_entry("t", &e.t.0)?;
        m.serialize_entry("cause", &e.cause)?;
        if let Some(path) = self.path {
            m.serialize_entry("path", path)?;
        }
        m.serialize_entry("kind", e.kind.name())?;
        match e.kind.dir() {
            Some(Dir::In) => m.serialize_entry("dir", "in")?,
            Some(Dir::Out) => m.serialize_entry("dir", "out")?,
            None => {}
        }
        fields(&mut m, &e.kind, self.paths)?;
        m.end()
    }
}

fn fields<M: SerializeMap>(m: &mut M, kind: &Kind, paths: &Paths) -> Result<(), M::Error> {
    match kind {
        Kind::Behavior(phase, name) => {
            m.serialize_entry("phase", phase)?;
            m.serialize_entry("name", &**name)
        }
        Kind::BehaviorFailed(name, error) => {
            m.serialize_entry("name", &**name)?;
            m.serialize_entry("error", &ErrorObject(error))
        }
        Kind::Box(phase) => m.serialize_entry("phase", phase),
        Kind::Diagram(phase, place) => {
            m.serialize_entry("phase", phase)?;
            if let Some(place) = place {
                m.serialize_entry("layer", &*place.layer)?;
                m.serialize_entry("keyframe", &*place.keyframe)?;
            }
            Ok(())
        }
        Kind::Input(port, value) | Kind::Output(port, value) => signal(m, paths.port(*port), value),
        Kind::Dropped(port, value, why) => {
            signal(m, paths.port(*port), value)?;
            m.serialize_entry("why", why)
        }
        Kind::Mismatch(port, value, wanted) => {
            signal(m, paths.port(*port), value)?;
            m.serialize_entry("wanted", wanted)
        }
        Kind::Parameter(name, value) => {
            m.serialize_entry("name", paths.port(*name))?;
            m.serialize_entry("value", value)
        }
        Kind::Call(method) | Kind::Returned(method) | Kind::Abandoned(method) => m.serialize_entry("method", &**method),
        Kind::Forced(busy) => m.serialize_entry("busy", &busy.iter().map(BusyObject).collect::<Vec<_>>()),
        Kind::Raised(method, error) => {
            m.serialize_entry("method", &**method)?;
            m.serialize_entry("error", &ErrorObject(error))
        }
        Kind::Timeline(command, frame) => {
            m.serialize_entry("command", command)?;
            m.serialize_entry("frame", frame)
        }
        Kind::Service(asked) => {
            call(m, &asked.service, &asked.method)?;
            m.serialize_entry("args", &asked.args)?;
            m.serialize_entry("line", &asked.line)
        }
        Kind::ServiceDone(answered) => {
            call(m, &answered.service, &answered.method)?;
            match &answered.result {
                Ok(value) => m.serialize_entry("value", value),
                Err(error) => m.serialize_entry("error", error),
            }?;
            if answered.mock {
                m.serialize_entry("mock", &true)?;
            }
            Ok(())
        }
        Kind::Unsupported(service, method, line) => {
            call(m, service, method)?;
            m.serialize_entry("line", line)
        }
        Kind::Event(key, value) => {
            m.serialize_entry("key", &**key)?;
            m.serialize_entry("value", value)
        }
        Kind::Act(act) => {
            m.serialize_entry("act", act.kind)?;
            m.serialize_entry("text", &act.text)?;
            m.serialize_entry("data", &act.data)
        }
        Kind::Joints(angles) => m.serialize_entry("angles", &Pairs(angles)),
        Kind::Memory(key, value) => {
            m.serialize_entry("key", &**key)?;
            match value {
                Some(value) => m.serialize_entry("value", value),
                None => Ok(()),
            }
        }
        Kind::Log(level, text, line) => {
            m.serialize_entry("level", level)?;
            m.serialize_entry("text", &**text)?;
            m.serialize_entry("line", line)
        }
        Kind::Print(text, stderr, line) => {
            m.serialize_entry("text", &**text)?;
            m.serialize_entry("stderr", stderr)?;
            m.serialize_entry("line", line)
        }
        Kind::Control(what, details) => {
            m.serialize_entry("what", what)?;
            m.serialize_entry("details", details)
        }
        Kind::Resource(claimed) => {
            m.serialize_entry("what", claimed.what)?;
            m.serialize_entry("name", &*claimed.name)?;
            if let Some(owner) = &claimed.owner {
                m.serialize_entry("owner", &**owner)?;
            }
            if !claimed.others.is_empty() {
                m.serialize_entry("others", &claimed.others.iter().map(|o| &**o).collect::<Vec<_>>())?;
            }
            Ok(())
        }
        Kind::Delegation(told) => {
            m.serialize_entry("what", told.what)?;
            if let Some(request) = told.request {
                m.serialize_entry("request", request)?;
            }
            if !told.to.is_empty() {
                m.serialize_entry("to", &told.to.iter().map(|name| &**name).collect::<Vec<_>>())?;
            }
            if told.ticket > 0 {
                m.serialize_entry("ticket", &told.ticket)?;
            }
            if let Some(how) = told.how {
                m.serialize_entry("how", how)?;
            }
            if let Some(why) = &told.why {
                m.serialize_entry("why", &**why)?;
            }
            if let Some(value) = &told.value {
                m.serialize_entry("value", value)?;
            }
            if let Some(name) = &told.name {
                m.serialize_entry("name", &**name)?;
            }
            if let Some(number) = told.earlier {
                m.serialize_entry("earlier", &number)?;
            }
            Ok(())
        }
        Kind::Reload(reloaded) => {
            m.serialize_entry("phase", reloaded.phase)?;
            m.serialize_entry("text", &*reloaded.text)?;
            match &reloaded.error {
                Some(error) => m.serialize_entry("error", &ErrorObject(error)),
                None => Ok(()),
            }
        }
        Kind::Warning(text) => m.serialize_entry("text", &**text),
    }
}

fn signal<M: SerializeMap>(m: &mut M, port: &str, value: &Value) -> Result<(), M::Error> {
    m.serialize_entry("port", port)?;
    m.serialize_entry("value", value)
}

fn call<M: SerializeMap>(m: &mut M, service: &str, method: &str) -> Result<(), M::Error> {
    m.serialize_entry("service", service)?;
    m.serialize_entry("method", method)
}

/// The texts of paths, made once each: most events name a path that was named before.
#[derive(Debug, Default)]
pub struct PathTexts(Vec<Option<Arc<str>>>);

impl PathTexts {
    /// That of an event that was asked for before.
    pub fn known(&self, event: &Event) -> Option<&str> {
        self.0.get(event.path.0 as usize)?.as_deref()
    }

    /// That of an event, if it has one.
    pub fn get(&mut self, event: &Event, paths: &Paths) -> Option<&Arc<str>> {
        let index = event.path.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        let slot = self.0.get_mut(index)?;
        if slot.is_none() {
            *slot = Some(paths.get(event.path)?.to_string().into());
        }
        slot.as_ref()
    }
}
