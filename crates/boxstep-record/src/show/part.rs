//! The recording of one robot in a show: what it says of itself, and what is wrong with it.

use super::line::{Head, Lines, Next};
use crate::OpenError;
use boxstep_trace::{Footer, Header, Kind, ShowEvent};
use boxstep_types::Time;
use std::collections::BTreeSet;
use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

/// The largest time, in nanoseconds: 36 years.
const MOST: i64 = 1 << 60;
/// How much faster than a run its show may go: far more than any clock is slewed.
const MOST_RATE: f64 = 2.0;

/// A recording that may belong to a show.
pub struct PartFile {
    /// Its name, for messages and for the header of the show's recording.
    pub name: String,
    /// Opens it, each time from its beginning.
    pub open: Box<dyn Fn() -> Result<Box<dyn BufRead>, OpenError>>,
}

/// Why a recording cannot be used for that of a show.
#[derive(Debug)]
pub enum Unusable {
    /// It cannot be opened or read.
    Open(OpenError),
    /// Its first line is not that of a trace, and why.
    NoTrace(String),
    /// It is that of a whole show already.
    Whole,
    /// It says nothing of a show.
    NoShow,
    /// It has no time of the show.
    NoClock,
    /// It has the run of another recording, which is used.
    Twice(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Open(why) => why.fmt(f),
            Unusable::NoTrace(why) => write!(f, "line 1 is not of a trace: {why}"),
            Unusable::Whole => f.write_str("it is the recording of a whole show, and not of one robot"),
            Unusable::NoShow => f.write_str(
                "it says of no robot in a show: it is of another run, or of a version of Boxstep that did not note that",
            ),
            Unusable::Twice(file) => write!(f, "it has the same run as {file}"),
            Unusable::NoClock => f.write_str("it has no time of the show: the robot never learned the leader's time"),
        }
    }
}

impl std::error::Error for Unusable {}

/// Something that is wrong with a recording, which can be used all the same.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// It has no last line: its program was killed, or the robot still plays.
    NoEnd,
    /// It ends in the middle of this line.
    HalfLine(u64),
    /// So many lines cannot be read; the first of them, and why.
    Unreadable(u64, u64, String),
    /// This line is longer than any: what follows is not there.
    TooLong(u64),
    /// It has so many events, and its last line states so many.
    Missing(u64, u64),
    /// In this line its time goes back, from one to another.
    Back(u64, Time, Time),
    /// So many lines with times of the show that are none; the first of them.
    BadClock(u64, u64),
    /// Nothing is recorded of its robot from one time of the show to another, when it begins.
    Hole(Time, Time),
    /// So many signals came before another robot gave them, at most by so much: the clocks of both were more wrong than
    /// they state.
    Before(u64, Time, Arc<str>),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoEnd => f.write_str("it breaks off without an end"),
            Fault::HalfLine(line) => write!(f, "it breaks off in line {line}"),
            Fault::Unreadable(1, line, why) => write!(f, "line {line} cannot be read and is left out: {why}"),
            Fault::Unreadable(lines, line, why) => {
                write!(f, "{lines} lines cannot be read and are left out, the first is line {line}: {why}")
            }
            Fault::TooLong(line) => write!(f, "line {line} is too long: it and all after it is left out"),
            Fault::Missing(has, of) => write!(f, "it has {has} of {of} events"),
            Fault::Back(line, from, to) => {
                write!(
                    f,
                    "its time goes back in line {line}, from {from} s to {to} s: from there on only the order is right"
                )
            }
            Fault::BadClock(1, line) => write!(f, "line {line} has a time of the show that is none, and is not used"),
            Fault::BadClock(lines, line) => {
                write!(
                    f,
                    "{lines} lines have times of the show that are none, and are not used; the first is line {line}"
                )
            }
            Fault::Hole(from, to) => write!(f, "nothing is recorded of the robot from {from} s to {to} s"),
            Fault::Before(signals, by, from) => write!(
                f,
                "{signals} of the signals of {from} came up to {:.1} ms before they were given: both clocks were more wrong \
                 than they state, and what follows is moved behind",
                by.0 as f64 / 1e6
            ),
        }
    }
}

/// Which time of the show a time of the run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    at: Time,
    fleet: Time,
    rate: f64,
    pub(super) error: Time,
}

impl Clock {
    /// Returns the clock that an event states; `None` if its numbers are no times.
    pub(super) fn of(event: &ShowEvent) -> Option<Self> {
        let ShowEvent::Clock { at, fleet, rate, error } = *event else { return None };
        let times = [at, fleet].into_iter().all(|time| (-MOST..=MOST).contains(&time.0));
        let error_is_one = (0..=MOST).contains(&error.0);
        let rate_is_one = rate.is_finite() && (1.0 / MOST_RATE..=MOST_RATE).contains(&rate);
        (times && error_is_one && rate_is_one).then_some(Self { at, fleet, rate, error })
    }

    /// Returns the time of the show at a time of the run.
    pub(super) fn fleet(&self, t: Time) -> Time {
        let passed = t.0.clamp(-MOST, MOST) - self.at.0;
        // Whole nanoseconds stay whole where the rate is one.
        let more = (passed as f64 * (self.rate - 1.0)).round() as i64;
        Time(self.fleet.0.saturating_add(passed).saturating_add(more))
    }
}

/// What a recording says of itself.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) header: Header,
    pub(super) show: Arc<str>,
    pub(super) performance: Arc<str>,
    pub(super) robot: Arc<str>,
    pub(super) process: Arc<str>,
    /// The first clock, which also holds for what was before it.
    pub(super) clock: Clock,
    /// The largest error that it states from its first scene on; without a scene, the largest of all.
    pub(super) error: Time,
    /// The times of the show at its beginning and at its last event, and when its first scene began.
    pub(super) first: Time,
    pub(super) last: Time,
    pub(super) scene: Option<Time>,
    /// How many events it has.
    pub(super) events: u64,
    /// The signals that it has given.
    pub(super) given: BTreeSet<u64>,
    pub(super) footer: Option<Footer>,
    pub(super) faults: Vec<Fault>,
}

/// Returns what an event says of the show. Lines of other kinds are not looked at closer.
pub(super) fn show_event(kind: &str, line: &str) -> Option<ShowEvent> {
    if kind != "show" {
        return None;
    }
    match serde_json::from_str(line) {
        Ok(Kind::Show(event)) => Some(*event),
        _ => None,
    }
}

/// Reads a whole recording, for what it says of itself and for what is wrong with it.
pub(super) fn survey(file: &PartFile) -> Result<Survey, Unusable> {
    let mut lines = Lines::new((file.open)().map_err(Unusable::Open)?);
    let io = |why| Unusable::Open(OpenError::Io(why));
    let header: Header = match lines.next().map_err(io)? {
        Next::Line(line) => serde_json::from_str(&line).map_err(|why| Unusable::NoTrace(why.to_string()))?,
        Next::End => return Err(Unusable::NoTrace("there is nothing in it".to_owned())),
        _ => return Err(Unusable::NoTrace("it is not text".to_owned())),
    };
    if header.show.is_some() {
        return Err(Unusable::Whole);
    }
    let mut found = Found::default();
    loop {
        let number = lines.number + 1;
        match lines.next().map_err(io)? {
            Next::Line(line) => found.line(number, &line),
            Next::NotText => found.unreadable(number, "it is not text".to_owned()),
            Next::Half => {
                found.faults.push(Fault::HalfLine(number));
                break;
            }
            Next::TooLong => {
                found.faults.push(Fault::TooLong(number));
                break;
            }
            Next::End => break,
        }
    }
    found.survey(header)
}

/// What was found so far.
#[derive(Default)]
struct Found {
    part: Option<[Arc<str>; 4]>,
    /// The first clock and the one that holds now.
    clocks: Option<(Clock, Clock)>,
    /// The largest error so far, and when a scene has begun: a clock that is learned may be wrong until then.
    error: Time,
    scene: Option<Time>,
    began: Option<Time>,
    last: Option<Time>,
    back: Option<Fault>,
    bad_clocks: (u64, u64),
    unreadable: Option<(u64, u64, String)>,
    given: BTreeSet<u64>,
    events: u64,
    footer: Option<Footer>,
    faults: Vec<Fault>,
}

impl Found {
    fn line(&mut self, number: u64, line: &str) {
        let head = match Head::read(line) {
            Ok(head) => head,
            Err(why) => return self.unreadable(number, why),
        };
        if head.n.is_none() {
            return match serde_json::from_str(line) {
                Ok(footer) => self.footer = Some(footer),
                Err(why) => self.unreadable(number, why.to_string()),
            };
        }
        self.events += 1;
        self.began.get_or_insert(head.t);
        if let Some(last) = self.last.filter(|last| head.t < *last) {
            self.back.get_or_insert(Fault::Back(number, last, head.t));
        }
        self.last = self.last.max(Some(head.t));
        match show_event(&head.kind, line) {
            Some(ShowEvent::Part { show, performance, robot, process }) if self.part.is_none() => {
                self.part = Some([show, performance, robot, process]);
            }
            Some(ShowEvent::Scene { .. }) if self.scene.is_none() => {
                if let Some((_, now)) = &self.clocks {
                    (self.scene, self.error) = (Some(now.fleet(head.t)), now.error);
                }
            }
            Some(ShowEvent::Given { number, .. }) => drop(self.given.insert(number)),
            Some(event @ ShowEvent::Clock { .. }) => match Clock::of(&event) {
                Some(clock) => {
                    self.error = self.error.max(clock.error);
                    self.clocks = Some((self.clocks.map_or(clock, |(first, _)| first), clock));
                }
                None => {
                    let (count, first) = self.bad_clocks;
                    self.bad_clocks = (count + 1, if count == 0 { number } else { first });
                }
            },
            _ => {}
        }
    }

    fn unreadable(&mut self, number: u64, why: String) {
        self.unreadable.get_or_insert((0, number, why)).0 += 1;
    }

    fn survey(mut self, header: Header) -> Result<Survey, Unusable> {
        let [show, performance, robot, process] = self.part.ok_or(Unusable::NoShow)?;
        let (clock, latest) = self.clocks.ok_or(Unusable::NoClock)?;
        self.faults.extend(self.unreadable.map(|(lines, first, why)| Fault::Unreadable(lines, first, why)));
        self.faults.extend(self.back);
        if self.bad_clocks.0 > 0 {
            self.faults.push(Fault::BadClock(self.bad_clocks.0, self.bad_clocks.1));
        }
        match &self.footer {
            Some(footer) if footer.events > self.events => {
                self.faults.push(Fault::Missing(self.events, footer.events));
            }
            None if !matches!(self.faults.first(), Some(Fault::HalfLine(_) | Fault::TooLong(_))) => {
                self.faults.push(Fault::NoEnd);
            }
            _ => {}
        }
        let first = clock.fleet(self.began.unwrap_or_default());
        let last = latest.fleet(self.last.unwrap_or_default());
        let Self { error, scene, events, given, footer, faults, .. } = self;
        Ok(Survey {
            header,
            show,
            performance,
            robot,
            process,
            clock,
            error,
            first,
            last,
            scene,
            events,
            given,
            footer,
            faults,
        })
    }
}
