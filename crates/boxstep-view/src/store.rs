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
                        self.index.push(event);
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
mod tests;
