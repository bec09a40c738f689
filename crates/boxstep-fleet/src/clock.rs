//! Clocks: how a member knows the leader's time, and how the clock of its run follows.
//!
//! Only monotonic clocks count: a wall clock that somebody sets must not move a show.

use boxstep_types::Time;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

/// A time of the leader's monotonic clock, in nanoseconds: the time that all robots of a show share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FleetTime(pub i64);

impl FleetTime {
    /// Returns the time this much later.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(by.as_nanos()).unwrap_or(i64::MAX)))
    }

    /// Returns the seconds from an earlier time; negative if that is later.
    pub fn seconds_since(self, earlier: FleetTime) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 / 1e9
    }
}

/// One exchange with the leader: when a question was sent and its answer came, by the member's clock, and when it was
/// received and answered, by the leader's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// The member's time when it sent the question.
    pub sent: Time,
    /// The leader's time when the question came.
    pub received: FleetTime,
    /// The leader's time when it sent the answer.
    pub answered: FleetTime,
    /// The member's time when the answer came.
    pub returned: Time,
}

/// How long exchanges are gathered before the next slice begins.
const SLICE: Duration = Duration::from_secs(4);
/// How many slices are kept: a minute.
const SLICES: usize = 15;
/// How much clocks of computers run apart, as a standard deviation: 100 millionths. What is measured replaces it.
const USUAL_DRIFT: f64 = 1e-4;
/// What a slice is never more exact than, in nanoseconds: the times at which programs run at all.
const FINEST: f64 = 20_000.0;

/// By how much an exchange may contradict what is known, in nanoseconds, before one of both clocks has jumped: what it
/// costs to overlook a smaller jump is hardly seen.
const JUMP: f64 = 5e6;
/// How much the drift may be wrong meanwhile: five standard deviations.
const MOST_DRIFT: f64 = 5.0 * USUAL_DRIFT;

/// The largest time that a clock shows, in nanoseconds: 36 years.
const MOST: i64 = 1 << 60;

/// The exchanges of some seconds, of which each way keeps its fastest.
///
/// A message takes some time, and never less than none. So the leader's clock is ahead of the member's by at most what
/// any question shows, and by at least what any answer shows. The fastest question and the fastest answer need not
/// belong to the same exchange, which makes the result much more exact than the exchange with the shortest round trip,
/// where the ways take different times.
#[derive(Clone, Copy, Debug)]
struct Slice {
    from: Time,
    /// The smallest lead that a question showed, and when.
    most: (Time, i64),
    /// The largest lead that an answer showed, and when.
    least: (Time, i64),
}

/// What a member knows of the leader's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    at: Time,
    /// Nanoseconds by which the leader's clock is ahead at that time.
    lead: f64,
    /// How much faster the leader's clock runs: 1e-6 is a microsecond a second.
    pub drift: f64,
    /// The lead is wrong by hardly more than this: half of the time that the fastest messages of both ways took together,
    /// and two standard deviations of the line through all of them.
    pub error: Duration,
}

impl Estimate {
    /// Returns the leader's time at a time of the member's clock.
    pub fn fleet_time(&self, local: Time) -> FleetTime {
        let passed = local.0.saturating_sub(self.at.0) as f64;
        FleetTime(local.0.saturating_add((self.lead + self.drift * passed).round() as i64))
    }

    /// Returns whether the lead cannot be in between what the two ways of an exchange show.
    fn is_contradicted(&self, exchange: &Exchange) -> bool {
        let Exchange { sent, received, answered, returned } = *exchange;
        let passed = returned.0.saturating_sub(self.at.0) as f64;
        let lead = self.lead + self.drift * passed;
        let wrong = self.error.as_nanos() as f64 + MOST_DRIFT * passed.abs() + JUMP;
        let (least, most) = ((answered.0 - returned.0) as f64, (received.0 - sent.0) as f64);
        lead + wrong < least || lead - wrong > most
    }

    /// Returns the member's time at a time of the leader's clock.
    pub fn local_time(&self, fleet: FleetTime) -> Time {
        let passed = (fleet.0 as f64 - self.at.0 as f64 - self.lead) / (1.0 + self.drift);
        Time(self.at.0.saturating_add(passed.round() as i64))
    }
}

/// Learns the leader's clock from exchanges.
#[derive(Clone, Debug, Default)]
pub struct ClockFilter {
    slices: VecDeque<Slice>,
    estimate: Option<Estimate>,
    round_trip: Option<Duration>,
    exchanges: u32,
}

impl ClockFilter {
    /// Adds an exchange. One that contradicts itself, because its answer came before its question was sent, is ignored.
    /// One that contradicts all before it shows that a clock has jumped, as it does while a laptop sleeps: they are
    /// forgotten. Returns whether they were.
    pub fn add(&mut self, exchange: Exchange) -> bool {
        let Exchange { sent, received, answered, returned } = exchange;
        if [sent.0, received.0, answered.0, returned.0].iter().any(|time| !(-MOST..=MOST).contains(time)) {
            return false;
        }
        let (there, back) = (received.0 - sent.0, answered.0 - returned.0);
        if returned < sent || answered < received || there < back {
            return false;
        }
        let jumped = self.estimate.is_some_and(|estimate| estimate.is_contradicted(&exchange));
        if jumped {
            *self = Self::default();
        }
        let took = Duration::from_nanos((there - back).unsigned_abs());
        self.round_trip = Some(self.round_trip.map_or(took, |best| best.min(took)));
        self.exchanges = self.exchanges.saturating_add(1);
        match self.slices.back_mut().filter(|slice| returned.since(slice.from) < SLICE) {
            Some(slice) => {
                if there < slice.most.1 {
                    slice.most = (sent, there);
                }
                if back > slice.least.1 {
                    slice.least = (returned, back);
                }
            }
            None => {
                if self.slices.len() == SLICES {
                    self.slices.pop_front();
                }
                self.slices.push_back(Slice { from: sent, most: (sent, there), least: (returned, back) });
            }
        }
        self.estimate = self.fit(returned);
        jumped
    }

    /// Returns what is known of the leader's clock; `None` before the first exchange.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// Returns the shortest round trip so far.
    pub fn round_trip(&self) -> Option<Duration> {
        self.round_trip
    }

    /// Returns how many exchanges there were.
    pub fn exchanges(&self) -> u32 {
        self.exchanges
    }

    /// Fits a line through the slices, each as heavy as it is exact. The usual drift of computers is one more
    /// observation, so that few slices do not make a wild slope.
    fn fit(&self, now: Time) -> Option<Estimate> {
        let drift_so_far = self.estimate.map_or(0.0, |estimate| estimate.drift);
        // The sums of the normal equations of lead and drift at the time `now`.
        let (mut s, mut sx, mut sxx, mut sy, mut sxy) = (0.0, 0.0, 1.0 / (USUAL_DRIFT * USUAL_DRIFT), 0.0, 0.0);
        let mut error = f64::INFINITY;
        // Leads are differences to the first one, so that they keep their digits.
        let zero = self.slices.front()?.most.1;
        for slice in &self.slices {
            let at = (slice.most.0.0 / 2 + slice.least.0.0 / 2) as f64 - now.0 as f64;
            let moved =
                |(time, lead): (Time, i64)| (lead - zero) as f64 + drift_so_far * (at - (time.0 - now.0) as f64);
            let (most, least) = (moved(slice.most), moved(slice.least));
            let width = (most - least).max(0.0);
            error = error.min(width / 2.0);
            let deviation = (width / 4.0).max(FINEST);
            let weight = 1.0 / (deviation * deviation);
            let lead = f64::midpoint(most, least);
            s += weight;
            sx += weight * at;
            sxx += weight * at * at;
            sy += weight * lead;
            sxy += weight * at * lead;
        }
        let determinant = s * sxx - sx * sx;
        if determinant <= 0.0 || !determinant.is_finite() {
            return None;
        }
        let lead = (sy * sxx - sx * sxy) / determinant + zero as f64;
        let drift = (s * sxy - sx * sy) / determinant;
        // What the line itself leaves open comes to what no exchange can tell.
        let error = error + 2.0 * (sxx / determinant).sqrt();
        Some(Estimate { at: now, lead, drift, error: Duration::from_nanos(error.max(0.0) as u64) })
    }
}

/// The largest change of a run's speed: 2 %, which nobody sees and no joint feels.
pub const MOST_SLEW: f64 = 0.02;
/// In how many seconds a deviation is gone, if the largest change allows it.
const SLEW_TIME: f64 = 1.0;

/// The clock of a run. It never jumps and never goes back: it runs a little faster or slower until it is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlewClock {
    /// A time of the member's clock, and the run's time then.
    base: (Time, Time),
    /// Seconds of the run per second of the member's clock.
    rate: f64,
}

impl SlewClock {
    /// A clock that reads zero at this time of the member's clock.
    pub fn starting(local: Time) -> Self {
        Self { base: (local, Time::ZERO), rate: 1.0 }
    }

    /// Returns the run's time at a time of the member's clock.
    pub fn at(&self, local: Time) -> Time {
        let passed = local.0.saturating_sub(self.base.0.0).max(0) as f64;
        Time(self.base.1.0.saturating_add((passed * self.rate).round() as i64))
    }

    /// Returns the member's time at a time of the run, if the speed stays as it is.
    pub fn local_time(&self, run: Time) -> Time {
        let passed = run.0.saturating_sub(self.base.1.0) as f64;
        Time(self.base.0.0.saturating_add((passed / self.rate).ceil() as i64))
    }

    /// Returns the seconds of the run per second of the member's clock.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Sets the speed so that the run comes to the time at which it should be: `target` now, and moving at
    /// `1 + drift` times the speed of the member's clock.
    pub fn follow(&mut self, local: Time, target: Time, drift: f64) {
        let now = self.at(local);
        let behind = target.0.saturating_sub(now.0) as f64 / 1e9;
        let drift = drift.clamp(-MOST_SLEW / 2.0, MOST_SLEW / 2.0);
        let change = (drift + behind / SLEW_TIME).clamp(-MOST_SLEW, MOST_SLEW);
        *self = Self { base: (local, now), rate: 1.0 + change };
    }
}
