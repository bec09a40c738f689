//! The events of a run, and the snapshot at any time of it.

use crate::entry::{PoseAt, StoreEntry, Texts, is_logged, path_of};
use crate::index::Index;
use crate::snapshot::{About, Snapshot};
use crate::spans::Spans;
use boxstep_engine::pose::Pose;
use boxstep_engine::trace::{Event, Footer, Header, Kind, Line, Name, PathTexts, Paths, Reader};
use boxstep_record::Form;
use boxstep_record::why::Account;
use boxstep_types::{Time, Value};
use std::fmt;
use std::sync::Arc;

/// The maximum number of checkpoints, which are the starting points for the snapshot at an earlier time. When it is
/// reached, every second one is dropped, so at most one part in half as many of the run has to be replayed.
const CHECKPOINTS: usize = 64;
/// The initial number of entries between two checkpoints.
const APART: usize = 1024;

/// The maximum number of entries of a live run; when it is reached, the earlier half is dropped.
const MOST: usize = 1_000_000;

/// How many entries a snapshot is advanced by at most.
const AHEAD: usize = 20_000;

/// The snapshot at an earlier time, and the number of entries before it.
pub(crate) struct PastSnapshot {
    place: usize,
    pub(crate) snapshot: Snapshot,
}

/// The events of a run, with indexes for the page's queries.
#[derive(Default)]
pub struct TraceStore {
    /// The number of the run, counted from 0: a page may show several, one after the other.
    pub(crate) run: u64,
    /// The name of the robot's body.
    body: String,
    /// The state before the first entry that is kept.
    base: Base,
    entries: Vec<StoreEntry>,
    pub(crate) texts: Texts,
    /// Of a recording: the reader, which has the paths of the lines read so far.
    reader: Reader,
    /// The number of lines read so far.
    read: usize,
    /// Of a live run: its paths.
    live: Option<Arc<Paths>>,
    paths: PathTexts,
    /// The items of the ports of each path.
    ports: Vec<Vec<(About, Name, usize)>>,
    /// The number of entries that have been dropped.
    dropped: usize,
    /// The entries that belong to the log, by index.
    log_entries: Vec<usize>,
    footer: Option<Arc<str>>,
    pub(crate) now: Snapshot,
    /// What has happened to the behaviors of a character.
    account: Account,
    /// Checkpoints: the state before the entry with this index.
    checkpoints: Vec<(usize, Snapshot, Account)>,
    apart: usize,
    pub(crate) index: Index,
    pub(crate) spans: Spans,
}

/// The state before the entries that are kept; `log_len` is the number of log lines before them.
#[derive(Clone, Default)]
struct Base {
    snapshot: Snapshot,
    account: Account,
    log_len: usize,
    t: i64,
}

/// A line that does not belong to a trace.
#[derive(Debug)]
pub struct BadLine {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// Why it is invalid.
    pub why: serde_json::Error,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is not a line of a trace: {}", self.line, self.why)
    }
}

impl std::error::Error for BadLine {}

impl TraceStore {
    /// Creates a store without events.
    pub fn new() -> Self {
        Self { apart: APART, ..Self::default() }
    }

    /// Creates a store for a live run, whose lines are written in this form.
    pub fn live(form: Form) -> Self {
        Self { texts: Texts { form: Some(form) }, ..Self::new() }
    }

    /// Adds the next line of a recording, without its line end.
    ///
    /// # Errors
    /// The line is invalid; the store is unchanged then.
    pub fn push(&mut self, text: &str) -> Result<(), BadLine> {
        let line = self.reader.line(text).map_err(|why| BadLine { line: self.read + 1, why })?;
        self.read += 1;
        match line {
            Line::Header(header) => self.begin_with(&header),
            Line::Event(event) => {
                let reader = std::mem::take(&mut self.reader);
                self.add(StoreEntry::Event(event), &reader.paths);
                self.reader = reader;
            }
            Line::Footer(footer) => self.end_with(&footer),
        }
        Ok(())
    }

    /// Takes the header.
    pub(crate) fn begin_with(&mut self, header: &Header) {
        self.body.clone_from(&header.body);
    }

    /// Takes the footer.
    pub(crate) fn end_with(&mut self, footer: &Footer) {
        let text: Arc<str> = self.texts.json(footer).into();
        self.now.end(&text);
        self.footer = Some(text);
    }

    /// Adds the next events of a live run.
    pub(crate) fn events(&mut self, events: impl Iterator<Item = Event>, paths: &Arc<Paths>) {
        self.live = Some(paths.clone());
        for mut event in events {
            event.let_go();
            self.add(StoreEntry::Event(event), paths);
        }
    }

    /// Adds the robot's pose after the event with number `n`.
    pub(crate) fn pose(&mut self, n: u64, at: Time, pose: &Pose) {
        self.add(StoreEntry::Pose(Box::new(PoseAt::new(n, at, pose))), &Paths::default());
    }

    fn add(&mut self, entry: StoreEntry, paths: &Paths) {
        self.checkpoint();
        match &entry {
            StoreEntry::Event(event) => {
                let path = self.paths.get(event, paths).cloned();
                match &event.kind {
                    Kind::Input { port, value } => self.signal(event, About::Input, *port, value, path),
                    Kind::Output { port, value } => self.signal(event, About::Output, *port, value, path),
                    // Calls change nothing in a snapshot.
                    Kind::Call { .. } | Kind::Returned { .. } => {
                        self.now.pass(event);
                        self.index.pass(event.t.0);
                    }
                    _ => self.event(&entry, event, path.as_deref().unwrap_or_default(), paths),
                }
            }
            StoreEntry::Pose(pose) => {
                let before = self.now.version;
                self.now.apply(&entry, "", &self.texts);
                self.index.pass(pose.t.0);
                self.indexed(before);
            }
        }
        self.entries.push(entry);
    }

    /// Adds a signal. Signals are the most frequent events, so they have a fast path.
    fn signal(&mut self, event: &Event, about: About, port: Name, value: &Value, path: Option<Arc<str>>) {
        let value = self.texts.value(value);
        let place = event.path.0 as usize;
        if self.ports.len() <= place {
            self.ports.resize_with(place + 1, Vec::new);
        }
        let known = self.ports[place].iter().find(|known| (known.0, known.1) == (about, port));
        let item = match known.map(|known| known.2) {
            Some(item) => {
                self.now.signal_at(item, event, &value);
                item
            }
            None => {
                let item = self.now.signal((about, path.as_deref().unwrap_or_default(), &port), event, &value);
                self.ports[place].push((about, port, item));
                item
            }
        };
        self.index.pass(event.t.0);
        self.index.set(&self.now.change_of(item));
    }

    fn event(&mut self, entry: &StoreEntry, event: &Event, path: &str, paths: &Paths) {
        let before = self.now.version;
        self.now.apply(entry, path, &self.texts);
        self.account.hear(event, paths);
        self.spans.push(event, path);
        self.index.push(event);
        self.indexed(before);
        if is_logged(&event.kind) {
            self.log_entries.push(self.entries.len());
            // A page that follows the log needs an update as well.
            self.now.version += 1;
        }
    }

    /// Records the items that the last entry has changed in the index.
    fn indexed(&mut self, version: u64) {
        for set in self.now.changed(version) {
            self.index.set(&set);
        }
    }

    /// Reads a whole trace. A trace without a footer is of a run that was cut off or is still running.
    ///
    /// # Errors
    /// The first invalid line; but an incomplete last line is ignored.
    pub fn read(text: &str) -> Result<Self, BadLine> {
        let mut store = Self::new();
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for line in text[..whole].lines() {
            store.push(line)?;
        }
        Ok(store)
    }

    /// Returns the name of the robot's body, from the header.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Returns the names of the behaviors in the run.
    pub fn behaviors(&self) -> impl Iterator<Item = &str> {
        self.now.names(About::Behavior)
    }

    /// Adds a checkpoint if the last one is far enough back.
    fn checkpoint(&mut self) {
        let at = self.entries.len();
        if self.checkpoints.last().map_or(at, |(last, ..)| at - last) >= self.apart {
            self.checkpoints.push((at, self.now.clone(), self.account.clone()));
        }
        if self.checkpoints.len() >= CHECKPOINTS {
            self.apart *= 2;
            let mut keep = false;
            self.checkpoints.retain(|_| {
                keep = !keep;
                !keep
            });
        }
    }

    /// Drops the earlier half of a live run that has become very long.
    pub(crate) fn keep_within(&mut self) {
        if self.entries.len() >= MOST && self.footer.is_none() {
            self.shorten();
        }
    }

    /// Drops the earlier half of the run.
    pub(crate) fn shorten(&mut self) {
        // The cut is at a checkpoint, so no entry has to be replayed.
        let Some(at) = self.checkpoints.iter().position(|kept| kept.0 >= self.entries.len() / 2) else { return };
        let Some((cut, snapshot, account)) = self.checkpoints.drain(..=at).next_back() else { return };
        self.checkpoints.iter_mut().for_each(|kept| kept.0 -= cut);
        let dropped = self.log_entries.partition_point(|line| *line < cut);
        self.log_entries.drain(..dropped);
        self.log_entries.iter_mut().for_each(|line| *line -= cut);
        self.entries.drain(..cut);
        self.dropped += cut;
        self.index.forget(cut);
        self.spans.forget(snapshot.t);
        self.base = Base { t: snapshot.t, snapshot, account, log_len: self.base.log_len + dropped };
    }

    /// Returns the snapshot and the account of a character before the entry with index `count`.
    fn before(&self, count: usize) -> (Snapshot, Account) {
        let base = || (0, self.base.snapshot.clone(), self.base.account.clone());
        let (from, mut snapshot, mut account) = self.near(count).cloned().unwrap_or_else(base);
        let paths = self.live.as_deref().unwrap_or(&self.reader.paths);
        for entry in &self.entries[from..count] {
            snapshot.apply(entry, self.path(entry).unwrap_or_default(), &self.texts);
            if let StoreEntry::Event(event) = entry {
                account.hear(event, paths);
            }
        }
        (snapshot, account)
    }

    /// The earliest time that can be shown, in nanoseconds.
    pub(crate) fn begin(&self) -> i64 {
        self.base.t
    }

    /// The time of the last entry, in nanoseconds.
    pub(crate) fn end(&self) -> i64 {
        self.now.t
    }

    /// Returns the footer, once the run has ended.
    pub(crate) fn footer(&self) -> Option<&Arc<str>> {
        self.footer.as_ref()
    }

    /// Returns the snapshot after all entries up to a time in nanoseconds.
    pub(crate) fn at(&self, t: i64) -> Snapshot {
        let count = self.count(t);
        let (mut snapshot, _) = self.before(count);
        if let Some(footer) = self.footer.as_ref().filter(|_| count == self.entries.len()) {
            snapshot.end(footer);
        }
        snapshot
    }

    /// Returns the snapshot at a time, with its place in the run, from which it can be advanced.
    pub(crate) fn past(&self, t: i64) -> PastSnapshot {
        PastSnapshot { place: self.dropped + self.count(t), snapshot: self.at(t) }
    }

    /// Advances a snapshot to a later time. Returns its version before, for the changes since then; `None` if the way is
    /// too long or leads backwards, which makes a new one cheaper.
    pub(crate) fn advance(&self, past: &mut PastSnapshot, t: i64) -> Option<u64> {
        let count = self.count(t);
        let from = past.place.checked_sub(self.dropped).filter(|from| (*from..=*from + AHEAD).contains(&count))?;
        let version = past.snapshot.version;
        for entry in &self.entries[from..count] {
            past.snapshot.apply(entry, self.path(entry).unwrap_or_default(), &self.texts);
        }
        if let Some(footer) = self.footer.as_ref().filter(|_| count == self.entries.len()) {
            past.snapshot.end(footer);
        }
        past.place = self.dropped + count;
        Some(version)
    }

    fn near(&self, count: usize) -> Option<&(usize, Snapshot, Account)> {
        self.checkpoints.partition_point(|kept| kept.0 <= count).checked_sub(1).map(|at| &self.checkpoints[at])
    }

    /// Returns the account of a character at a time.
    pub(crate) fn account_at(&self, t: i64) -> Account {
        let count = self.count(t);
        if count == self.entries.len() {
            return self.account.clone();
        }
        self.before(count).1
    }

    /// The number of entries up to a time.
    pub(crate) fn count(&self, t: i64) -> usize {
        self.index.count(t)
    }

    /// Returns an entry by index.
    pub(crate) fn entry(&self, at: u32) -> Option<&StoreEntry> {
        self.entries.get(at as usize)
    }

    /// Returns the path of an entry's box.
    pub(crate) fn path(&self, entry: &StoreEntry) -> Option<&str> {
        path_of(entry, &self.paths)
    }

    /// Formats the entry with this index as a line.
    pub(crate) fn line(&self, at: u32) -> Option<String> {
        let entry = self.entry(at)?;
        Some(self.texts.line(entry, self.path(entry)))
    }

    /// The number of log lines up to a time.
    pub(crate) fn log_len_at(&self, t: i64) -> usize {
        let count = self.count(t);
        self.base.log_len + self.log_entries.partition_point(|at| *at < count)
    }

    /// The number of log lines that have been dropped.
    pub(crate) fn log_dropped(&self) -> usize {
        self.base.log_len
    }

    /// The number of log lines, including those dropped.
    pub(crate) fn log_len(&self) -> usize {
        self.base.log_len + self.log_entries.len()
    }

    /// Returns the entry of a log line by its number.
    pub(crate) fn log(&self, at: usize) -> Option<&StoreEntry> {
        self.entries.get(*self.log_entries.get(at.checked_sub(self.base.log_len)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Direction;
    use boxstep_engine::trace::{BoxPhase, ScriptError};
    use boxstep_record::Normal;
    use boxstep_types::ObjectRef;
    use serde_json::{Value as Json, json};
    use std::path::Path;

    fn store(lines: usize) -> TraceStore {
        let mut store = TraceStore::new();
        store.push(r#"{"schema":1,"product":"test"}"#).unwrap();
        for n in 1..=lines {
            let line = format!(
                r#"{{"n":{n},"t":{},"cause":0,"path":"root/{}","kind":"output","port":"p","value":{n}}}"#,
                n * 10,
                n % 7
            );
            store.push(&line).unwrap();
        }
        store
    }

    fn items(snapshot: &Snapshot) -> Vec<Json> {
        let mut all: Vec<Json> = snapshot.since(0).iter().map(|item| serde_json::to_value(item).unwrap()).collect();
        all.sort_by_key(ToString::to_string);
        all
    }

    #[test]
    fn a_snapshot_at_any_time_is_that_of_the_lines_up_to_it() {
        let whole = store(150_000);
        assert!(whole.checkpoints.len() < CHECKPOINTS);
        for at in [0, 1, 6, 1023, 1024, 1025, 77_777, 150_000] {
            assert_eq!(items(&whole.at(at as i64 * 10 + 9)), items(&store(at).now), "{at}");
        }
    }

    #[test]
    fn a_snapshot_that_is_advanced_is_that_of_its_time() {
        let mut whole = store(9_000);
        whole.push(r#"{"end":{"t":90000,"reason":"ended"}}"#).ok();
        let mut past = whole.past(0);
        for t in [15, 15, 70, 71, 5_000, 77_777, 90_000] {
            let before = whole.advance(&mut past, t).unwrap();
            assert_eq!(items(&past.snapshot), items(&whole.at(t)), "{t}");
            assert!(t > 15 || past.snapshot.since(before).len() < 2, "only what has changed");
        }
        assert!(whole.advance(&mut past, 5).is_none(), "not backwards");
        let mut far = store(30_000).past(0);
        assert!(store(30_000).advance(&mut far, 300_000).is_none(), "too far");
    }

    #[test]
    fn events_and_their_lines_make_the_same_store() {
        let mut paths = Paths::default();
        let boxes = ["root/A", "root/B"].map(|path| paths.add(&path.parse().unwrap()));
        let ports = ["in", "out"].map(Name::new);
        let kinds = |n: u64| {
            let value = [Value::Null, Value::Int(n as i64), Value::Float(0.5), Value::Bool(n < 2500), "x".into()];
            match n % 6 {
                0 => Kind::Box { phase: [BoxPhase::Started, BoxPhase::Stopped][n as usize % 4 / 2] },
                1 => Kind::Call { method: "onInput_in".into() },
                2 => Kind::Returned { method: "onInput_in".into() },
                3 => {
                    let [kind, message, traceback] = ["E", "no", ""].map(Arc::from);
                    Kind::Raised {
                        method: "onInput_in".into(),
                        error: Box::new(ScriptError { kind, message, line: None, traceback }),
                    }
                }
                4 => Kind::Input { port: ports[0], value: value[n as usize % 5].clone() },
                _ => Kind::Output { port: ports[n as usize % 2], value: value[n as usize % 5].clone() },
            }
        };
        let event =
            |n: u64| Event { n, t: Time(n as i64 * 10), cause: n - 1, path: boxes[n as usize % 2], kind: kinds(n) };
        let form = Form::default();
        let (mut live, mut read) = (TraceStore::live(form.clone()), TraceStore::new());
        for store in [&mut live, &mut read] {
            store.push(r#"{"schema":1}"#).unwrap();
        }
        let table = Arc::new(paths.clone());
        for n in 1..5000 {
            live.events(std::iter::once(event(n)), &table);
            read.push(&form.event(&event(n), Some(&paths.text(boxes[n as usize % 2])))).unwrap();
        }
        for at in [0, 10, 1234, 10_240, 33_333, 49_990] {
            assert_eq!(items(&live.at(at)), items(&read.at(at)), "{at}");
        }
        let lines = |store: &TraceStore| (0..5000).filter_map(|at| store.line(at)).collect::<Vec<_>>();
        assert_eq!(lines(&live), lines(&read));
        let output = read.now.find(About::Output, "root/B", "out").unwrap();
        assert_eq!(live.index.series(output, (0, 60_000), 9), read.index.series(output, (0, 60_000), 9));
        assert_eq!(live.index.change(output, 600, Direction::On), read.index.change(output, 600, Direction::On));
        live.shorten();
        assert_eq!(items(&live.at(40_000)), items(&read.at(40_000)));
    }

    #[test]
    fn a_live_run_keeps_no_script_object_no_folder_and_no_invalid_angle() {
        let mut store = TraceStore::live(Form(Normal::new().folder(Path::new("/home/ann"), "home")));
        let alive = Arc::new(());
        let held = alive.clone();
        let object = Value::Object(ObjectRef::with_release(7, move |_| drop(held.clone())));
        let kinds = [
            Kind::Output { port: "out".into(), value: Value::list([object]) },
            Kind::event("/home/ann/Key", "/home/ann/x".into()),
            Kind::Joints { angles: [("HeadYaw".into(), f64::NAN), ("HeadPitch".into(), 0.5)].into(), torso: None },
        ];
        let event = |kind| Event { n: 1, t: Time::ZERO, cause: 0, path: Default::default(), kind };
        store.events(kinds.into_iter().map(event), &Arc::default());
        assert_eq!(Arc::strong_count(&alive), 1, "the object has ended");
        let angles = [("HeadYaw".into(), f64::INFINITY), ("HeadPitch".into(), 0.25)].to_vec();
        let commands = [("HeadYaw".into(), Some(f64::NAN)), ("HeadPitch".into(), None)].to_vec();
        store.pose(1, Time::ZERO, &Pose { angles, commands, torso: None });
        let values = |about: &str| -> Vec<Json> {
            items(&store.now).iter().filter(|item| item[0] == about).map(|item| json!([item[2], item[6]])).collect()
        };
        assert_eq!(values("memory"), [json!(["{home}/Key", "{home}/x"])]);
        assert_eq!(values("joint"), [json!(["HeadPitch", 0.25])]);
        assert_eq!(values("command"), [json!(["HeadPitch", null])]);
    }

    #[test]
    fn a_run_without_end_keeps_its_later_half_and_what_could_be_seen_before() {
        let whole = store(10_001);
        let mut half = store(10_001);
        half.shorten();
        // A snapshot is kept each 1,024 lines.
        assert_eq!((half.entries.len(), half.begin(), half.end()), (10_001 - 5_120, 51_200, 100_010));
        for at in [5_120, 5_121, 6_145, 7_777, 10_001] {
            let t = at * 10;
            assert_eq!(items(&half.at(t)), items(&whole.at(t)), "{at}");
        }
        assert_eq!(items(&half.now), items(&whole.now));
        // What is earlier is as it was where it begins.
        assert_eq!(items(&half.at(5)), items(&whole.at(51_200)));
    }

    #[test]
    fn the_log_has_the_numbers_that_it_had() {
        let mut whole = TraceStore::new();
        whole.push(r#"{"schema":1}"#).unwrap();
        for n in 1..=5000 {
            let print = format!(r#"{{"n":{},"t":{n},"kind":"print","text":"{n}"}}"#, 2 * n - 1);
            whole.push(&print).unwrap();
            whole
                .push(&format!(r#"{{"n":{},"t":{n},"path":"root","kind":"output","port":"p","value":1}}"#, 2 * n))
                .unwrap();
        }
        let last = |store: &TraceStore| store.log(4999).map(|entry| store.texts.line(entry, None));
        let before = (whole.log_len(), whole.log_len_at(4900), last(&whole));
        whole.shorten();
        whole.shorten();
        assert_eq!((whole.log_len(), whole.log_len_at(4900), last(&whole)), before);
        assert!(whole.log(0).is_none());
        // Two lines each, and a snapshot each 1,024 lines: first 5,120 lines are let go, then 3,072.
        assert_eq!(whole.log_dropped(), 4096);
    }

    #[test]
    fn items_that_have_changed_come_in_the_order_of_their_changes() {
        let mut store = store(9);
        let seen = store.now.version;
        store.push(r#"{"n":10,"t":100,"cause":0,"path":"root/2","kind":"output","port":"p","value":"x"}"#).unwrap();
        let new: Vec<_> = store.now.since(seen).iter().map(|item| serde_json::to_string(item).unwrap()).collect();
        assert_eq!(new, [r#"["output","root/2","p",10,100,3,"x"]"#]);
    }

    #[test]
    fn a_trace_that_was_cut_off_is_read_up_to_its_last_whole_line() {
        let text = "{\"schema\":1}\n{\"n\":1,\"t\":5,\"kind\":\"print\",\"text\":\"a\"}\n{\"n\":2,\"t\":6,\"ki";
        let store = TraceStore::read(text).unwrap();
        assert_eq!((store.now.n, store.log_len(), store.footer().is_none()), (1, 1, true));
        let bad = TraceStore::read("{\"schema\":1}\nnonsense\n").err().map(|bad| bad.line);
        assert_eq!(bad, Some(2));
        assert_eq!(TraceStore::read("hello\n").err().map(|bad| bad.line), Some(1));
    }

    #[test]
    fn a_dialog_has_a_focus_open_rules_and_variables_at_any_time() {
        let mut store = TraceStore::new();
        store.push(r#"{"schema":1}"#).unwrap();
        let rule = r#"{"topic":"greet","line":4,"head":"u:(hello)"}"#;
        for line in [
            r#"{"n":1,"t":10,"path":"root/A","kind":"dialog","what":"focus","topic":"greet"}"#,
            &format!(r#"{{"n":2,"t":10,"path":"root/A","kind":"dialog","what":"scope","rule":{rule}}}"#),
            r#"{"n":3,"t":20,"path":"root/B","kind":"dialog","what":"variable","key":"name","value":"Ann"}"#,
            r#"{"n":4,"t":20,"path":"root/B","kind":"dialog","what":"scope"}"#,
            r#"{"n":5,"t":30,"path":"root/B","kind":"dialog","what":"focus"}"#,
        ] {
            store.push(line).unwrap();
        }
        let values = |t: i64| -> Vec<Json> {
            items(&store.at(t)).iter().map(|item| json!([item[0], item[1], item[2], item[6]])).collect()
        };
        let open: Json = serde_json::from_str(rule).unwrap();
        assert_eq!(values(15), [json!(["dialog", "", "focus", "greet"]), json!(["dialog", "", "scope", open])]);
        let [focus, variable] = [json!(["dialog", "", "focus", "greet"]), json!(["variable", "", "name", "Ann"])];
        assert_eq!(values(25), [focus, json!(["dialog", "", "scope", null]), variable.clone()]);
        assert_eq!(values(35)[0], json!(["dialog", "", "focus", null]));
    }

    #[test]
    fn an_error_is_forgotten_when_its_box_begins_anew() {
        let raised = |n: u64, message: &str| {
            let error = format!(r#"{{"kind":"E","message":"{message}","line":null,"traceback":""}}"#);
            format!(r#"{{"n":{n},"t":{n},"path":"root/A","kind":"raised","method":"m","error":{error}}}"#)
        };
        let mut store = TraceStore::new();
        store.push(r#"{"schema":1}"#).unwrap();
        store.push(&raised(1, "x")).unwrap();
        assert_eq!(items(&store.now)[0][6]["message"], "x");
        store.push(r#"{"n":2,"t":1,"path":"root/A","kind":"box","phase":"loaded"}"#).unwrap();
        let error =
            |store: &TraceStore| items(&store.now).into_iter().find(|item| item[0] == "error").unwrap()[6].clone();
        assert_eq!(error(&store), Json::Null);
        // With another script it stays loaded; what it raises then is its own.
        for (line, message) in [
            (&*raised(3, "old"), "old".into()),
            (r#"{"n":4,"t":3,"path":"root/A","kind":"box","phase":"constructed"}"#, Json::Null),
            (&raised(5, "new"), "new".into()),
            (r#"{"n":6,"t":3,"path":"root/A","kind":"reload","phase":"taken","text":""}"#, "new".into()),
        ] {
            store.push(line).unwrap();
            assert_eq!(error(&store)["message"], message);
        }
    }
}
