//! Indexes of a run, so that queries need not read all entries.

use crate::severity::Severity;
use crate::snapshot::ItemChange;
use boxstep_engine::trace::{Control, Event, Kind};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;

/// The indexes of a run. Entries are identified by their index in the store.
#[derive(Default)]
pub(crate) struct Index {
    /// The time of each entry, in nanoseconds.
    times: Vec<i64>,
    /// The entries with an error.
    errors: Vec<u32>,
    /// The entries that tell of something from outside: a touch, a sentence, an input that a person gave.
    outside: Vec<u32>,
    /// The changes of each item, by the number of the item.
    tracks: Vec<Track>,
    calls: Pairs,
    /// The calls of methods of scripts, and their ends.
    methods: Pairs,
    /// The entries of the conversation with the robot, and how many have been dropped before them.
    talk: Vec<u32>,
    talk_dropped: usize,
}

/// The changes of an item.
#[derive(Default)]
struct Track {
    /// The entries that have set the item, and whether each has changed its value.
    sets: Vec<(u32, bool)>,
    /// The values as numbers; NaN for values that are not numbers. Empty as long as no value was a number.
    numbers: Vec<f64>,
}

/// A call of a service or of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The entry of the call.
    pub(crate) asked: u32,
    /// The entry of the reply.
    pub(crate) answered: Option<u32>,
}

/// Calls with their replies.
#[derive(Default)]
struct Pairs {
    all: Vec<Call>,
    /// Calls without a reply: the index in `all` by the number of the call's event.
    open: HashMap<u64, u32>,
}

impl Pairs {
    fn ask(&mut self, n: u64, at: u32) {
        self.open.insert(n, self.all.len() as u32);
        self.all.push(Call { asked: at, answered: None });
    }

    /// Records the reply to a call. If it is not the `last` one, another may follow.
    fn answer(&mut self, cause: u64, at: u32, last: bool) {
        if let Some(call) = self.open.get(&cause) {
            self.all[*call as usize].answered = Some(at);
        }
        if last {
            self.open.remove(&cause);
        }
    }

    fn forget(&mut self, cut: u32) {
        let gone = later(&mut self.all, cut, |call| &mut call.asked, |call| call.asked) as u32;
        self.all.iter_mut().filter_map(|call| call.answered.as_mut()).for_each(|line| *line -= cut);
        self.open.retain(|_, call| *call >= gone);
        self.open.values_mut().for_each(|call| *call -= gone);
    }

    /// Returns the calls in the first `lines` entries. A reply after them is left out.
    fn until(&self, lines: usize) -> impl DoubleEndedIterator<Item = Call> + '_ {
        let count = self.all.partition_point(|call| (call.asked as usize) < lines);
        let then = move |call: &Call| Call { answered: call.answered.filter(|line| (*line as usize) < lines), ..*call };
        self.all[..count].iter().map(then)
    }
}

/// One change of an item, or several that are summarized.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    /// The time of the first change, in nanoseconds.
    pub(crate) t: i64,
    /// The number of changes.
    pub(crate) count: u64,
    /// The smallest, the largest and the last number among them.
    pub(crate) numbers: Option<(f64, f64, f64)>,
}

impl Serialize for Point {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.numbers {
            Some((low, high, last)) => (self.t, self.count, low, high, last).serialize(s),
            None => (self.t, self.count).serialize(s),
        }
    }
}

/// The direction of a search in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Direction {
    /// Towards earlier times.
    Back,
    /// Towards later times.
    #[default]
    On,
}

impl Index {
    /// Adds an entry of which only the time is indexed.
    pub(crate) fn pass(&mut self, t: i64) {
        self.times.push(t);
    }

    /// Adds an event.
    pub(crate) fn push(&mut self, event: &Event) {
        let at = self.times.len() as u32;
        self.times.push(event.t.0);
        // The failure of a behavior follows the error of its box, which is indexed already.
        if !matches!(event.kind, Kind::BehaviorFailed { .. }) && Severity::of(&event.kind) >= Severity::Error {
            self.errors.push(at);
        }
        if is_talk(&event.kind) {
            self.talk.push(at);
        }
        if matches!(event.kind, Kind::Control { .. }) {
            self.outside.push(at);
        }
        match event.kind {
            Kind::Service(_) => self.calls.ask(event.n, at),
            // An unsupported call is reported first, and may get a reply afterwards.
            Kind::Unsupported { .. } => self.calls.answer(event.cause, at, false),
            Kind::ServiceDone(_) => self.calls.answer(event.cause, at, true),
            Kind::Call { .. } => self.methods.ask(event.n, at),
            Kind::Returned { .. } | Kind::Raised { .. } | Kind::Abandoned { .. } => {
                self.methods.answer(event.cause, at, true);
            }
            _ => {}
        }
    }

    /// Records that the entry added last has changed an item.
    pub(crate) fn set(&mut self, set: &ItemChange<'_>) {
        if self.tracks.len() <= set.item {
            self.tracks.resize_with(set.item + 1, Track::default);
        }
        let track = &mut self.tracks[set.item];
        let number = number(set.value);
        if track.numbers.is_empty() && !number.is_nan() {
            track.numbers = vec![f64::NAN; track.sets.len()];
        }
        if !(track.numbers.is_empty() && number.is_nan()) {
            track.numbers.push(number);
        }
        track.sets.push((self.times.len() as u32 - 1, set.other));
    }

    /// Drops the first `lines` entries; the indexes of the others are shifted to start from 0.
    pub(crate) fn forget(&mut self, lines: usize) {
        let cut = lines as u32;
        self.times.drain(..lines);
        later(&mut self.errors, cut, |line| line, |line| *line);
        later(&mut self.outside, cut, |line| line, |line| *line);
        for track in &mut self.tracks {
            let gone = later(&mut track.sets, cut, |set| &mut set.0, |set| set.0);
            if !track.numbers.is_empty() {
                track.numbers.drain(..gone);
            }
        }
        self.talk_dropped += later(&mut self.talk, cut, |line| line, |line| *line);
        self.calls.forget(cut);
        self.methods.forget(cut);
    }

    /// The number of entries up to a time.
    pub(crate) fn count(&self, t: i64) -> usize {
        self.times.partition_point(|time| *time <= t)
    }

    /// Returns the time of an entry.
    pub(crate) fn time(&self, line: u32) -> i64 {
        self.times.get(line as usize).copied().unwrap_or_default()
    }

    /// Returns the entries that have set an item.
    pub(crate) fn lines(&self, item: usize) -> impl Iterator<Item = u32> + '_ {
        self.tracks.get(item).into_iter().flat_map(|track| track.sets.iter().map(|set| set.0))
    }

    /// Returns the changes of an item in a time range, starting with the last change before it. If there are more than
    /// `most`, the range is divided into that many intervals, and the changes of each interval are summarized.
    pub(crate) fn series(&self, item: usize, (from, to): (i64, i64), most: usize) -> Vec<Point> {
        let Some(track) = self.tracks.get(item) else { return Vec::new() };
        let place = |t: i64| track.sets.partition_point(|set| self.time(set.0) < t);
        let first = place(from).saturating_sub(1);
        // In a damaged recording, time may run backwards.
        let last = place(to.saturating_add(1)).max(first);
        let one = |at: usize| {
            let number = track.numbers.get(at).copied().filter(|number| !number.is_nan());
            Point { t: self.time(track.sets[at].0), count: 1, numbers: number.map(|x| (x, x, x)) }
        };
        let mut all = (first..last).map(one);
        if last - first <= most {
            return all.collect();
        }
        let width = (i128::from(to) - i128::from(from)) / most.max(1) as i128 + 1;
        let width = width.max(1);
        let of = |t: i64| (i128::from(t) - i128::from(from)).div_euclid(width);
        let mut points: Vec<Point> = Vec::with_capacity(most + 1);
        points.extend(all.next());
        for next in all {
            match points.last_mut().filter(|last| of(last.t) == of(next.t)) {
                Some(last) => last.add(&next),
                None => points.push(next),
            }
        }
        points
    }

    /// Returns the entry that changed the value of an item next after a time, or last before it.
    pub(crate) fn change(&self, item: usize, t: i64, way: Direction) -> Option<u32> {
        let sets = &self.tracks.get(item)?.sets;
        let changed = |at: &usize| *at == 0 || sets[*at].1;
        let place = |t: i64| sets.partition_point(|set| self.time(set.0) < t);
        let at = match way {
            Direction::On => (place(t.saturating_add(1))..sets.len()).find(changed),
            Direction::Back => (0..place(t)).rev().find(changed),
        };
        at.map(|at| sets[at].0)
    }

    /// Returns the next error after a time, or the last one before it.
    pub(crate) fn error(&self, t: i64, way: Direction) -> Option<u32> {
        let place = |t: i64| self.errors.partition_point(|line| self.time(*line) < t);
        match way {
            Direction::On => self.errors.get(place(t.saturating_add(1))),
            Direction::Back => self.errors[..place(t)].last(),
        }
        .copied()
    }

    /// Returns the times of errors in a time range; errors closer together than one part in `most` are merged.
    pub(crate) fn errors(&self, (from, to): (i64, i64), most: usize) -> Vec<i64> {
        self.times_of(&self.errors, (from, to), most)
    }

    /// Returns the times of what came from outside, like [`errors`](Self::errors).
    pub(crate) fn outside(&self, (from, to): (i64, i64), most: usize) -> Vec<i64> {
        self.times_of(&self.outside, (from, to), most)
    }

    fn times_of(&self, entries: &[u32], (from, to): (i64, i64), most: usize) -> Vec<i64> {
        let place = |t: i64| entries.partition_point(|line| self.time(*line) < t);
        let width = to.saturating_sub(from) / i64::try_from(most.max(1)).unwrap_or(i64::MAX);
        let mut times: Vec<i64> = Vec::new();
        for line in &entries[place(from)..place(to.saturating_add(1)).max(place(from))] {
            let t = self.time(*line);
            if times.last().is_none_or(|last| t.saturating_sub(*last) > width) {
                times.push(t);
            }
        }
        times
    }

    /// Returns the numbers of the entries of the conversation: of the first one that is kept, and after the last one.
    pub(crate) fn talk_range(&self) -> Range<usize> {
        self.talk_dropped..self.talk_dropped + self.talk.len()
    }

    /// Returns the number of entries of the conversation among the first `lines` entries, including those dropped.
    pub(crate) fn talk_len(&self, lines: usize) -> usize {
        self.talk_dropped + self.talk.partition_point(|line| (*line as usize) < lines)
    }

    /// Returns the entries of the conversation with these numbers; those that have been dropped are left out.
    pub(crate) fn talk(&self, numbers: Range<usize>) -> &[u32] {
        let place = |number: usize| number.saturating_sub(self.talk_dropped).min(self.talk.len());
        self.talk.get(place(numbers.start)..place(numbers.end)).unwrap_or_default()
    }

    /// Returns the calls of services in the first `lines` entries. A reply after them is left out.
    pub(crate) fn calls(&self, lines: usize) -> impl DoubleEndedIterator<Item = Call> + '_ {
        self.calls.until(lines)
    }

    /// Returns the calls of methods of scripts, like [`calls`](Self::calls).
    pub(crate) fn methods(&self, lines: usize) -> impl DoubleEndedIterator<Item = Call> + '_ {
        self.methods.until(lines)
    }
}

impl Point {
    fn add(&mut self, next: &Point) {
        self.count += next.count;
        self.numbers = match (self.numbers, next.numbers) {
            (Some((low, high, _)), Some((l, h, last))) => Some((low.min(l), high.max(h), last)),
            (numbers, other) => other.or(numbers),
        };
    }
}

/// Whether an event belongs to the conversation with the robot: what is said to it, what it says, and what its dialog
/// makes of it.
fn is_talk(kind: &Kind) -> bool {
    match kind {
        Kind::Dialog(_) => true,
        Kind::Act(act) => &*act.kind == "say",
        Kind::Control { control, .. } => matches!(**control, Control::Hear { .. }),
        Kind::Event { key, .. } => &**key == "WordRecognized",
        _ => false,
    }
}

/// Converts a number or boolean to a number that can be plotted; any other value is NaN.
fn number(value: &str) -> f64 {
    match value {
        "true" => 1.0,
        "false" => 0.0,
        _ if value.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => value.parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// Drops the elements with an entry before the cut, and shifts the entries of the others. Returns the number of
/// dropped elements. `all` must be sorted by entry.
fn later<T>(all: &mut Vec<T>, cut: u32, line: impl Fn(&mut T) -> &mut u32, of: impl Fn(&T) -> u32) -> usize {
    let gone = all.partition_point(|one| of(one) < cut);
    all.drain(..gone);
    all.iter_mut().for_each(|one| *line(one) -= cut);
    gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::event;

    const CALL: &str = r#""service":"S","method":"m""#;
    const RAISED: &str = r#""method":"m","error":{"kind":"E","message":"no","line":null,"traceback":""}"#;

    fn index(values: &[(i64, &str)]) -> Index {
        let mut index = Index::default();
        for (at, (t, value)) in values.iter().enumerate() {
            let text = format!("{{\"n\":{},\"t\":{t},\"kind\":\"output\",\"port\":\"p\",\"value\":1}}", at + 1);
            index.push(&event(&text));
            let other = at == 0 || values[at - 1].1 != *value;
            index.set(&ItemChange { item: 0, value, other });
        }
        index
    }

    #[test]
    fn few_changes_are_all_there_with_the_value_that_held_before() {
        let index = index(&[(0, "1"), (10, "2.5"), (20, "\"x\""), (30, "true")]);
        let all = index.series(0, (15, 25), 9);
        assert_eq!(serde_json::to_string(&all).unwrap(), "[[10,1,2.5,2.5,2.5],[20,1]]");
        assert_eq!(index.series(0, (0, i64::MAX), 9).len(), 4);
        assert_eq!(index.series(0, (40, 50), 9)[0].numbers, Some((1.0, 1.0, 1.0)));
        assert!(index.series(7, (0, 9), 9).is_empty());
    }

    #[test]
    fn many_changes_are_fewer_stretches_that_keep_the_extremes() {
        let texts: Vec<String> =
            (0..100_000).map(|i| if i == 54_321 { "999".to_owned() } else { (i % 7).to_string() }).collect();
        let values: Vec<(i64, &str)> =
            texts.iter().enumerate().map(|(i, text)| (i as i64 * 1000, text.as_str())).collect();
        let points = index(&values).series(0, (0, 100_000_000), 500);
        assert!((400..=501).contains(&points.len()), "{}", points.len());
        assert_eq!(points.iter().map(|point| point.count).sum::<u64>(), 100_000);
        let highest = points.iter().filter_map(|point| point.numbers).map(|n| n.1).fold(0.0, f64::max);
        assert_eq!(highest, 999.0);
        assert!(points.windows(2).all(|two| two[0].t < two[1].t));
    }

    #[test]
    fn a_recording_in_which_time_runs_back_is_no_reason_to_fail() {
        let index = index(&[(i64::MAX, "1"), (5, "2"), (i64::MIN, "3"), (7, "4")]);
        for (from, to) in [(0, 9), (9, 0), (i64::MIN, i64::MAX), (i64::MAX, i64::MIN)] {
            for most in [0, 1, 9] {
                assert!(index.series(0, (from, to), most).len() <= 4);
                assert!(index.errors((from, to), most).is_empty());
            }
            index.change(0, from, Direction::Back);
            index.change(0, to, Direction::On);
        }
    }

    #[test]
    fn a_change_is_another_value_and_not_the_same_once_more() {
        let index = index(&[(0, "1"), (10, "1"), (20, "2"), (20, "3"), (30, "3")]);
        let found = |t, way| index.change(0, t, way).map(|line| index.time(line));
        assert_eq!(found(-1, Direction::On), Some(0));
        assert_eq!((found(0, Direction::On), found(20, Direction::On)), (Some(20), None));
        assert_eq!(
            (found(30, Direction::Back), found(20, Direction::Back), found(0, Direction::Back)),
            (Some(20), Some(0), None)
        );
    }

    #[test]
    fn a_call_is_open_until_its_answer() {
        let mut index = Index::default();
        for line in [
            r#"{"n":1,"t":0,"kind":"service","service":"S","method":"m"}"#,
            r#"{"n":2,"t":5,"kind":"service","service":"S","method":"m"}"#,
            r#"{"n":3,"t":9,"cause":1,"kind":"service_done","service":"S","method":"m","value":1}"#,
            r#"{"n":4,"t":9,"cause":2,"kind":"unsupported","service":"S","method":"m"}"#,
        ] {
            index.push(&event(line));
        }
        let open =
            |lines| index.calls(lines).filter(|call| call.answered.is_none()).map(|c| c.asked).collect::<Vec<_>>();
        assert_eq!((open(2), open(3), open(4)), (vec![0, 1], vec![1], vec![]));
        assert_eq!(index.error(0, Direction::On), Some(3));
        assert_eq!((index.error(9, Direction::On), index.error(9, Direction::Back)), (None, None));
        assert_eq!(index.error(10, Direction::Back), Some(3));
        assert_eq!((index.errors((0, 20), 99), index.errors((10, 20), 99)), (vec![9], vec![]));
    }

    #[test]
    fn what_is_forgotten_is_gone_and_the_rest_is_as_it_was() {
        let mut index = index(&[(0, "1"), (10, "2"), (20, "2"), (30, "3")]);
        let later = index.series(0, (20, 30), 9);
        for line in [
            &format!(r#"{{"n":5,"t":40,"kind":"service",{CALL}}}"#),
            &format!(r#"{{"n":6,"t":50,"kind":"raised",{RAISED}}}"#),
        ] {
            index.push(&event(line));
        }
        index.forget(2);
        assert_eq!(index.series(0, (20, 30), 9), later[1..]);
        assert_eq!((index.count(20), index.time(0), index.lines(0).collect::<Vec<_>>()), (1, 20, vec![0, 1]));
        assert_eq!(index.change(0, 20, Direction::On).map(|line| index.time(line)), Some(30));
        index.push(&event(&format!(r#"{{"n":7,"t":60,"cause":5,"kind":"service_done",{CALL},"value":1}}"#)));
        let calls: Vec<_> = index.calls(9).map(|call| (call.asked, call.answered)).collect();
        assert_eq!((calls, index.error(0, Direction::On)), (vec![(2, Some(4))], Some(3)));
        index.forget(3);
        assert!(index.calls(9).next().is_none() && index.series(0, (0, 99), 9).is_empty());
    }

    #[test]
    fn errors_that_cannot_be_told_apart_are_one() {
        let mut index = Index::default();
        for t in 0..1000 {
            index.push(&event(&format!("{{\"n\":{t},\"t\":{t},\"kind\":\"raised\",{RAISED}}}")));
        }
        assert_eq!(index.errors((0, 999), 10_000).len(), 1000);
        let some = index.errors((0, 999), 9);
        assert!((5..=10).contains(&some.len()), "{some:?}");
        assert!(index.errors((500, 0), 9).is_empty());
    }
}
