//! Engine time: whole nanoseconds since the run began.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

/// A moment of a run: nanoseconds since its start, on the real or the virtual clock. Also used for a length of time.
///
/// ```
/// use boxstep_types::Time;
///
/// let key = Time::of_frames(38, 25);
/// assert_eq!(key, Time::from_millis(1520));
/// assert_eq!((key.as_secs_f64(), key.whole_frames(25)), (1.52, 38));
/// assert_eq!(key.to_string(), "1.520");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub i64);

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// Later than every event of a run.
    pub const MAX: Time = Time(i64::MAX);

    /// Converts seconds, rounded to the nanosecond; NaN becomes zero and values out of range saturate.
    pub fn from_secs_f64(seconds: f64) -> Self {
        Time((seconds * 1e9).round() as i64)
    }

    /// Converts whole milliseconds.
    pub const fn from_millis(ms: i64) -> Self {
        Time(ms.saturating_mul(1_000_000))
    }

    /// Returns the time in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Returns how long `frames` last at `fps` frames per second, to the nearest nanosecond.
    ///
    /// The result is computed from the whole count, so that frames do not drift.
    pub fn of_frames(frames: i64, fps: i32) -> Self {
        let fps = i128::from(fps.max(1));
        let ns = i128::from(frames) * 1_000_000_000;
        Time(((2 * ns + fps).div_euclid(2 * fps)).clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }

    /// Returns the last frame that has begun after this time at `fps` frames per second: the inverse of
    /// [`Time::of_frames`].
    pub fn whole_frames(self, fps: i32) -> i64 {
        let fps = fps.max(1);
        let guess = i128::from(self.0) * i128::from(fps) / 1_000_000_000;
        let guess = guess.clamp(i64::MIN.into(), (i64::MAX - 1).into()) as i64;
        // Rounding to nanoseconds may place a frame's start up to half a nanosecond early.
        if Time::of_frames(guess + 1, fps) <= self { guess + 1 } else { guess }
    }

    /// Returns the time passed since an earlier moment; zero if `earlier` is in fact later.
    pub fn since(self, earlier: Time) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0).max(0) as u64)
    }
}

impl Add<Duration> for Time {
    type Output = Time;
    fn add(self, d: Duration) -> Time {
        Time(self.0.saturating_add(i64::try_from(d.as_nanos()).unwrap_or(i64::MAX)))
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }
}

/// Seconds with three decimals: `12.340`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.saturating_add(500_000).div_euclid(1_000_000);
        write!(f, "{}.{:03}", ms.div_euclid(1000), ms.rem_euclid(1000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_do_not_drift() {
        for fps in [1, 7, 15, 24, 25, 30, 60] {
            for f in 0..5_000 {
                let t = Time::of_frames(f, fps);
                assert_eq!(t.whole_frames(fps), f, "frame {f} at {fps}");
                assert_eq!((t - Time(1)).whole_frames(fps), f - i64::from(f > 0), "before frame {f} at {fps}");
            }
        }
        assert_eq!(Time::of_frames(25 * 3600, 25), Time(3_600_000_000_000));
    }

    #[test]
    fn shows_milliseconds() {
        assert_eq!(Time::from_secs_f64(1.0499).to_string(), "1.050");
    }
}
