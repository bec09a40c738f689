//! Puts the recordings of a show's robots together, in the order of the show's time.

use super::line::{Head, Lines, Next, Place, moved};
use super::part::{Clock, Fault, PartFile, Survey, Unusable, show_event, survey};
use boxstep_trace::{
    ClockKind, EndReason, Event, Footer, Header, Kind, PathId, ShowEvent, ShowHeader, ShowRobot, ShowRun,
};
use boxstep_types::{Time, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// By how much more than both clocks state a signal may come before it was given: what rounding costs.
const ROUNDING: i64 = 1_000_000;

/// The account of a show's leader.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The name of the show.
    pub name: String,
    /// The names of its robots.
    pub robots: Vec<String>,
    /// The show as the account states it.
    pub show: Value,
    /// What has happened, in order.
    pub entries: Vec<AccountEntry>,
    /// How the show ended; `None` if the account breaks off.
    pub end: Option<EndReason>,
}

/// Something that a leader has noted.
#[derive(Clone, Debug)]
pub struct AccountEntry {
    /// When, by the time of the show.
    pub at: Time,
    /// The robot, by its index.
    pub robot: Option<usize>,
    /// What.
    pub event: ShowEvent,
}

/// Why the recordings of a show cannot be put together.
#[derive(Debug)]
pub enum ShowError {
    /// None of them can be used: each with the reason.
    Nothing(Vec<(String, Unusable)>),
    /// Two of them are of different shows: each with that.
    Shows([(String, Arc<str>); 2]),
    /// Two of them are of different performances of a show.
    Performances([String; 2]),
    /// A recording can no longer be read.
    Read(String, String),
    /// The result cannot be written.
    Write(io::Error),
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShowError::Nothing(files) if files.is_empty() => f.write_str("there is no recording of a robot"),
            ShowError::Nothing(files) => {
                f.write_str("no recording can be used:")?;
                files.iter().try_for_each(|(file, why)| write!(f, "\n  {file}: {why}"))
            }
            ShowError::Shows([(file, show), (other, of)]) => {
                write!(f, "{file} is of the show “{show}”, and {other} of “{of}”")
            }
            ShowError::Performances([file, other]) => {
                write!(f, "{file} and {other} are of different performances of the show")
            }
            ShowError::Read(file, why) => write!(f, "{file}: {why}"),
            ShowError::Write(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for ShowError {}

impl From<io::Error> for ShowError {
    fn from(why: io::Error) -> Self {
        ShowError::Write(why)
    }
}

/// What became of the recordings.
#[derive(Debug, Default)]
pub struct Merged {
    /// How many events there are.
    pub events: u64,
    /// The recordings that were put together, in the order of the robots' names.
    pub parts: Vec<MergedPart>,
    /// The recordings that could not be used, and why.
    pub left_out: Vec<(String, Unusable)>,
    /// The robots of the account of which there is no recording.
    pub missing: Vec<String>,
}

/// A recording that was put together with others.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedPart {
    /// The robot.
    pub robot: Arc<str>,
    /// The name of its file.
    pub file: String,
    /// By how much its times may be wrong at most, from its first scene on.
    pub error: Time,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

/// Puts recordings together and writes the result, a trace whose events name their robots. At one instant the account
/// comes first, and then the robots by their names.
///
/// A signal never comes before it was given, whatever the clocks say. A recording that breaks off, or has lines that
/// cannot be read, is used as far as it goes; [`Merged`] says so.
///
/// # Errors
/// [`ShowError`]. Nothing was written then, unless writing itself has failed or a file has changed meanwhile.
pub fn merge(files: &[PartFile], account: Option<&Account>, out: impl Write) -> Result<Merged, ShowError> {
    let (mut parts, mut left_out) = (Vec::new(), Vec::new());
    for file in files {
        match survey(file) {
            Ok(survey) => parts.push((file, survey)),
            Err(why) => left_out.push((file.name.clone(), why)),
        }
    }
    // Of two copies the longer one is used.
    parts.sort_by(|(a, of_a): &(&PartFile, Survey), (b, of_b)| {
        let of = |of: &Survey| (of.robot.clone(), of.first, Reverse(of.events));
        of(of_a).cmp(&of(of_b)).then_with(|| a.name.cmp(&b.name))
    });
    parts.dedup_by(|(file, of), (before, of_before)| {
        let run = |of: &Survey| (of.robot.clone(), of.process.clone(), of.first);
        let is_twice = run(of) == run(of_before);
        if is_twice {
            left_out.push((file.name.clone(), Unusable::Twice(before.name.clone())));
        }
        is_twice
    });
    let Some((first, of_first)) = parts.first() else { return Err(ShowError::Nothing(left_out)) };
    for (file, of) in &parts {
        if of.show != of_first.show {
            let named = |file: &PartFile, show: &Arc<str>| (file.name.clone(), show.clone());
            return Err(ShowError::Shows([named(first, &of_first.show), named(file, &of.show)]));
        }
        if of.performance != of_first.performance {
            return Err(ShowError::Performances([first.name.clone(), file.name.clone()]));
        }
    }
    if let Some(account) = account.filter(|account| *account.name != *of_first.show) {
        let of_account = ("the account".to_owned(), account.name.as_str().into());
        return Err(ShowError::Shows([(first.name.clone(), of_first.show.clone()), of_account]));
    }
    note_holes(&mut parts, account);
    let header = header(&parts, account);
    let show = header.show.as_deref().cloned().unwrap_or_default();
    let missing = show.robots.iter().filter(|robot| robot.runs.is_empty()).map(|robot| robot.name.clone()).collect();
    let mut merging = Merging::new(parts, account, out)?;
    merging.write(&header)?;
    merging.run()?;
    merging.finish(left_out, missing)
}

/// Notes of which times nothing is recorded: each robot is there when the first scene begins.
fn note_holes(parts: &mut [(&PartFile, Survey)], account: Option<&Account>) {
    let is_scene = |entry: &&AccountEntry| matches!(entry.event, ShowEvent::Account { scene: Some(_), .. });
    let told = account.and_then(|account| account.entries.iter().find(is_scene)).map(|entry| entry.at);
    let Some(began) = parts.iter().filter_map(|(_, of)| of.scene).chain(told).min() else { return };
    let mut until: Option<(Arc<str>, Time)> = None;
    for (_, of) in parts {
        let before = until.take().filter(|(robot, _)| *robot == of.robot);
        let last = before.map_or(began, |(_, last)| last.max(began));
        if of.first > last {
            of.faults.push(Fault::Hole(last, of.first));
        }
        until = Some((of.robot.clone(), last.max(of.last)));
    }
}

/// Makes the first line.
fn header(parts: &[(&PartFile, Survey)], account: Option<&Account>) -> Header {
    let mut names: Vec<&str> = account.map_or(&[][..], |account| &account.robots).iter().map(String::as_str).collect();
    for (_, of) in parts {
        if !names.contains(&&*of.robot) {
            names.push(&of.robot);
        }
    }
    let run = |(file, of): &(&PartFile, Survey)| ShowRun {
        file: file.name.clone(),
        body: of.header.body.clone(),
        error: of.error,
        wants: of.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    };
    let robot = |name: &&str| ShowRobot {
        name: (*name).to_owned(),
        runs: parts.iter().filter(|(_, of)| *of.robot == **name).map(run).collect(),
    };
    let (show, performance) =
        parts.first().map(|(_, of)| (of.show.to_string(), of.performance.to_string())).unwrap_or_default();
    let is_real = parts.iter().any(|(_, of)| of.header.clock == ClockKind::Real);
    Header {
        product: parts.first().map(|(_, of)| of.header.product.clone()).unwrap_or_default(),
        show: Some(Box::new(ShowHeader {
            name: show,
            performance,
            robots: names.iter().map(robot).collect(),
            show: account.map(|account| account.show.clone()).unwrap_or_default(),
        })),
        ..Header::new(if is_real { ClockKind::Real } else { ClockKind::Virtual })
    }
}

/// A recording that is being read again.
struct Part {
    file: String,
    of: Survey,
    lines: Lines,
    clock: Clock,
    /// The time of the show of its last event: its times never go back.
    last: Time,
    /// The new numbers of its events: of the one with a number, and those after it up to the next gap.
    numbers: Vec<(u64, Vec<u32>)>,
    /// The next event.
    head: Option<NextEvent>,
    /// The signals that came before they were given.
    before: BTreeMap<Arc<str>, (u64, Time)>,
}

struct NextEvent {
    line: String,
    n: u64,
    cause: u64,
    kind: String,
    show: Option<ShowEvent>,
}

impl Part {
    /// Reads up to the next event, and returns its time of the show.
    fn advance(&mut self) -> Result<Option<Time>, ShowError> {
        self.head = None;
        loop {
            let line = match self.lines.next() {
                Ok(Next::Line(line)) => line,
                Ok(Next::NotText) => continue,
                Ok(Next::Half | Next::TooLong | Next::End) => return Ok(None),
                Err(why) => return Err(ShowError::Read(self.file.clone(), why.to_string())),
            };
            let Ok(head) = Head::read(&line) else { continue };
            let Some(n) = head.n else { continue };
            let (t, cause, kind) = (head.t, head.cause, head.kind.into_owned());
            let show = show_event(&kind, &line);
            if let Some(clock) = show.as_ref().and_then(Clock::of) {
                self.clock = clock;
            }
            self.last = self.last.max(self.clock.fleet(t));
            self.head = Some(NextEvent { line, n, cause, kind, show });
            return Ok(Some(self.last));
        }
    }

    /// Remembers the new number of an event. Numbers rise in a recording: of others the causes are lost.
    fn number(&mut self, n: u64, new: u64) {
        let new = u32::try_from(new).unwrap_or(0);
        match self.numbers.last_mut().map(|(first, numbers)| (n.checked_sub(*first), numbers)) {
            Some((Some(at), numbers)) if at == numbers.len() as u64 => numbers.push(new),
            Some((Some(at), numbers)) if at > numbers.len() as u64 => self.numbers.push((n, vec![new])),
            None => self.numbers.push((n, vec![new])),
            Some(_) => {}
        }
    }

    fn new_number(&self, n: u64) -> u64 {
        let after = self.numbers.partition_point(|(first, _)| *first <= n);
        let found = self.numbers[..after].last().and_then(|(first, numbers)| {
            let at = usize::try_from(n - first).ok()?;
            numbers.get(at)
        });
        found.map_or(0, |new| u64::from(*new))
    }
}

/// A signal, by the process that gave it and its number there.
type Signal = (Arc<str>, u64);

struct Merging<'a, W> {
    parts: Vec<Part>,
    entries: std::iter::Peekable<std::slice::Iter<'a, AccountEntry>>,
    robots: &'a [String],
    end: Option<EndReason>,
    has_account: bool,
    /// The next event of each recording: its time, and the index of the recording.
    next: BinaryHeap<Reverse<(Time, usize)>>,
    /// The part that will give a signal.
    gives: HashMap<Signal, usize>,
    /// The signals that were given: the numbers of their events, and when they were by their own clock.
    given: HashMap<Signal, (u64, Time, Time)>,
    /// The parts whose next event waits for a signal.
    waits: HashMap<Signal, Vec<(Time, usize)>>,
    /// The announcements of scenes.
    scenes: HashMap<Arc<str>, u64>,
    n: u64,
    now: Time,
    counts: Footer,
    out: W,
}

impl<'a, W: Write> Merging<'a, W> {
    fn new(parts: Vec<(&'a PartFile, Survey)>, account: Option<&'a Account>, out: W) -> Result<Self, ShowError> {
        let mut merging = Self {
            parts: Vec::new(),
            entries: account.map_or(&[][..], |account| &account.entries).iter().peekable(),
            robots: account.map_or(&[][..], |account| &account.robots),
            end: account.and_then(|account| account.end),
            has_account: account.is_some(),
            next: BinaryHeap::new(),
            gives: HashMap::new(),
            given: HashMap::new(),
            waits: HashMap::new(),
            scenes: HashMap::new(),
            n: 0,
            now: Time(i64::MIN),
            counts: Footer {
                reason: EndReason::Ended,
                t: Time::ZERO,
                events: 0,
                errors: 0,
                forced: 0,
                not_compiled: 0,
                unsupported: 0,
                dropped: 0,
                warnings: 0,
                deterministic: Ok(()),
            },
            out,
        };
        for (index, (file, of)) in parts.into_iter().enumerate() {
            let from = (file.open)().map_err(|why| ShowError::Read(file.name.clone(), why.to_string()))?;
            for number in &of.given {
                merging.gives.insert((of.process.clone(), *number), index);
            }
            let mut part = Part {
                file: file.name.clone(),
                lines: Lines::new(from),
                clock: of.clock,
                last: of.first,
                numbers: Vec::new(),
                head: None,
                before: BTreeMap::new(),
                of,
            };
            // The first line is the header, which has no number.
            let next = part.advance()?;
            merging.parts.push(part);
            merging.push(next, index);
        }
        Ok(merging)
    }

    /// Lets the next event of a recording take part in the order, once what it waits for has happened.
    fn push(&mut self, next: Option<Time>, index: usize) {
        let Some(at) = next else { return };
        let show = self.parts[index].head.as_ref().and_then(|head| head.show.as_ref());
        if let Some(ShowEvent::Got { process, number, .. }) = show {
            let signal = (process.clone(), *number);
            let comes = self.gives.get(&signal).is_some_and(|giver| *giver != index);
            if comes && !self.given.contains_key(&signal) {
                self.waits.entry(signal).or_default().push((at, index));
                return;
            }
        }
        self.next.push(Reverse((at, index)));
    }

    fn run(&mut self) -> Result<(), ShowError> {
        loop {
            let next = self.next.peek().map(|Reverse((at, _))| *at);
            if let Some(entry) = self.entries.next_if(|entry| next.is_none_or(|next| entry.at <= next)) {
                self.entry(entry)?;
                continue;
            }
            match self.next.pop() {
                Some(Reverse((at, index))) => self.event(at, index)?,
                // Recordings that wait for each other: no clock and no order of events can be right.
                None => match self.let_one_go() {
                    Some((at, index)) => self.event(at, index)?,
                    None => return Ok(()),
                },
            }
        }
    }

    /// Returns the first of the events that wait, if no other is left.
    fn let_one_go(&mut self) -> Option<(Time, usize)> {
        let all =
            self.waits.iter().flat_map(|(signal, waiting)| waiting.iter().map(move |next| (*next, signal.clone())));
        let (next, signal) = all.min()?;
        let waiting = self.waits.get_mut(&signal)?;
        waiting.retain(|other| *other != next);
        if waiting.is_empty() {
            self.waits.remove(&signal);
        }
        Some(next)
    }

    /// Writes an entry of the account.
    fn entry(&mut self, entry: &AccountEntry) -> Result<(), ShowError> {
        let (n, t) = self.place(entry.at);
        if let ShowEvent::Account { scene: Some(scene), .. } = &entry.event {
            self.scenes.insert(scene.clone(), n);
        }
        let robot = entry.robot.and_then(|robot| self.robots.get(robot)).map(String::as_str);
        let kind = Kind::Show(Box::new(entry.event.clone()));
        let event = Event { n, t, cause: 0, path: PathId(0), kind };
        let line = serde_json::to_string(&event.line(None).of_robot(robot));
        let line = line.map_err(|why| ShowError::Read("the account".to_owned(), why.to_string()))?;
        writeln!(self.out, "{line}").map_err(ShowError::Write)
    }

    /// Returns the number and the time of the next event.
    fn place(&mut self, at: Time) -> (u64, Time) {
        self.n += 1;
        self.now = self.now.max(at);
        (self.n, self.now)
    }

    /// Writes the next event of a recording, and reads on.
    fn event(&mut self, at: Time, index: usize) -> Result<(), ShowError> {
        let Some(head) = self.parts[index].head.take() else { return Ok(()) };
        let (n, t) = self.place(at);
        let cause = match &head.show {
            Some(ShowEvent::Got { process, number, from, .. }) => {
                self.came(index, (process.clone(), *number), from, at)
            }
            Some(ShowEvent::Scene { scene }) if head.cause == 0 => self.scenes.get(scene).copied().unwrap_or(0),
            _ => self.parts[index].new_number(head.cause),
        };
        let part = &mut self.parts[index];
        part.number(head.n, n);
        let place = Place { n, t, cause, robot: &part.of.robot };
        let clock = part.clock;
        let line = moved(&head.line, &place, |time| clock.fleet(time));
        let line = line.map_err(|why| ShowError::Read(part.file.clone(), why.to_string()))?;
        writeln!(self.out, "{line}").map_err(ShowError::Write)?;
        match &*head.kind {
            "raised" => self.counts.errors += 1,
            "unsupported" => self.counts.unsupported += 1,
            "dropped" => self.counts.dropped += 1,
            "warning" | "mismatch" => self.counts.warnings += 1,
            "forced" => self.counts.forced += 1,
            _ => {}
        }
        if let Some(ShowEvent::Given { number, .. }) = &head.show {
            let signal = (part.of.process.clone(), *number);
            let error = part.clock.error;
            for (at, waiting) in self.waits.remove(&signal).unwrap_or_default() {
                self.next.push(Reverse((at, waiting)));
            }
            self.given.entry(signal).or_insert((n, at, error));
        }
        let next = self.parts[index].advance()?;
        self.push(next, index);
        Ok(())
    }

    /// Returns the number of the event that gave a signal, which comes here at a time of the show.
    fn came(&mut self, index: usize, signal: Signal, from: &Arc<str>, at: Time) -> u64 {
        let Some((n, given, error)) = self.given.get(&signal).copied() else { return 0 };
        let part = &mut self.parts[index];
        let before = given.0.saturating_sub(at.0);
        if before > error.0.saturating_add(part.clock.error.0).saturating_add(ROUNDING) {
            let (count, most) = part.before.entry(from.clone()).or_default();
            *count += 1;
            *most = (*most).max(Time(before));
        }
        n
    }

    fn write(&mut self, line: &impl serde::Serialize) -> Result<(), ShowError> {
        let text = serde_json::to_string(line).map_err(|why| ShowError::Write(io::Error::other(why)))?;
        writeln!(self.out, "{text}").map_err(ShowError::Write)
    }

    /// Writes the last line, if the show has an end.
    fn finish(mut self, left_out: Vec<(String, Unusable)>, missing: Vec<String>) -> Result<Merged, ShowError> {
        let footers: Vec<&Footer> = self.parts.iter().filter_map(|part| part.of.footer.as_ref()).collect();
        let of_runs = || {
            let worst = [EndReason::Failed, EndReason::Interrupted];
            let ended = footers.len() == self.parts.len();
            let worst = worst.into_iter().find(|reason| footers.iter().any(|footer| footer.reason == *reason));
            ended.then(|| worst.unwrap_or(EndReason::Ended))
        };
        let reason = if self.has_account { self.end } else { of_runs() };
        let whole = self.parts.iter().find(|part| part.of.footer.is_none());
        let not_deterministic = footers.iter().find_map(|footer| footer.deterministic.clone().err());
        self.counts.not_compiled = footers.iter().map(|footer| footer.not_compiled).sum();
        self.counts.deterministic = match (whole, not_deterministic) {
            (Some(part), _) => Err(format!("{} breaks off", part.file)),
            (None, Some(why)) => Err(why),
            (None, None) => Ok(()),
        };
        self.counts.events = self.n;
        self.counts.t = self.now.max(Time::ZERO);
        if let Some(reason) = reason {
            let footer = Footer { reason, ..self.counts.clone() };
            self.write(&footer)?;
        }
        self.out.flush().map_err(ShowError::Write)?;
        let merged = |part: Part| {
            let before = part.before.into_iter().map(|(from, (count, most))| Fault::Before(count, most, from));
            MergedPart {
                robot: part.of.robot,
                file: part.file,
                error: part.of.error,
                faults: part.of.faults.into_iter().chain(before).collect(),
            }
        };
        Ok(Merged { events: self.n, parts: self.parts.into_iter().map(merged).collect(), left_out, missing })
    }
}
