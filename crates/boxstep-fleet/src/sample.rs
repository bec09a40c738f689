//! Which time of the show a time of a run is, as recordings state it: few samples, between which it is exact.

use crate::clock::FleetTime;
use crate::member::STEP;
use boxstep_types::Time;
use std::time::Duration;

/// By how much what the last sample states may be off before there is another one.
pub const TOLERANCE: Duration = Duration::from_micros(50);
/// How long a sample counts if nothing is off.
const EACH: Duration = Duration::from_secs(10);

/// A time of a run, and the time of the show then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The time of the run.
    pub run: Time,
    /// The time of the show, which is the leader's.
    pub fleet: FleetTime,
    /// Seconds of the show per second of the run.
    pub rate: f64,
    /// By how much `fleet` may be wrong.
    pub error: Duration,
}

impl Sample {
    /// Returns the time of the show at a time of the run, as long as this sample holds.
    pub fn fleet_at(&self, run: Time) -> FleetTime {
        let passed = run.0.saturating_sub(self.run.0);
        let more = (passed as f64 * (self.rate - 1.0)).round() as i64;
        FleetTime(self.fleet.0.saturating_add(passed).saturating_add(more))
    }
}

/// Chooses the samples that a recording needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sampler(Option<Sample>);

impl Sampler {
    /// Returns whether a sample is to be recorded: the last one does not say the same, or is old. Between the samples that
    /// are chosen, what they state is off by [`TOLERANCE`] at most, if this is asked each [`STEP`].
    pub fn chooses(&mut self, sample: Sample) -> bool {
        let holds = self.0.is_some_and(|last| {
            // How far it is off now, and will be when this is asked next.
            let off = last.fleet_at(sample.run).0.abs_diff(sample.fleet.0) as f64;
            let off = off + (sample.rate - last.rate).abs() * STEP.as_nanos() as f64;
            let is_new = sample.run.since(last.run) < EACH;
            // A better clock is worth a line.
            is_new && off <= TOLERANCE.as_nanos() as f64 && sample.error * 2 >= last.error
        });
        if !holds {
            self.0 = Some(sample);
        }
        !holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(run: i64, fleet: i64, rate: f64) -> Sample {
        Sample { run: Time(run), fleet: FleetTime(fleet), rate, error: Duration::from_micros(100) }
    }

    #[test]
    fn a_sample_is_chosen_when_the_last_one_says_something_else() {
        let mut sampler = Sampler::default();
        assert!(sampler.chooses(sample(0, 1000, 1.0)));
        // Half a second later, at the same speed.
        assert!(!sampler.chooses(sample(500_000_000, 500_001_000, 1.0)));
        // A little slower: it is not off by much yet.
        assert!(!sampler.chooses(sample(550_000_000, 550_001_000, 1.0005)));
        assert!(sampler.chooses(sample(650_000_000, 650_051_000, 1.0005)));
        // The run goes 2 % slower now.
        assert!(sampler.chooses(sample(700_000_000, 700_076_000, 1.02)));
        assert!(!sampler.chooses(sample(1_700_000_000, 1_720_076_000, 1.02)));
        // The clock is known better.
        let better = Sample { error: Duration::from_micros(10), ..sample(1_800_000_000, 1_822_076_000, 1.02) };
        assert!(sampler.chooses(better));
        // It counts for ten seconds.
        let fleet = |run: i64| better.fleet_at(Time(run)).0;
        let later = |run: i64| Sample { error: better.error, ..sample(run, fleet(run), 1.02) };
        assert!(!sampler.chooses(later(11_700_000_000)));
        assert!(sampler.chooses(later(11_900_000_000)));
    }
}
