//! Processor time of other threads, as the operating system reports it.

use std::time::Duration;

/// The processor time that a thread takes at most to wake up, ask for Python's lock, and go to sleep again: 7 to 18 µs
/// measured. It does so every half millisecond while others have the lock, and has used 10 ms after a fifth of a second
/// without a step of its script.
const ASKING: Duration = Duration::from_micros(20);

/// A thread's use of the processor so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time on a processor.
    pub busy: Duration,
    /// How often the thread was given a processor; 0 where the system does not report it.
    pub slices: u64,
    /// Whether the thread sleeps right now. A thread that waits for a disk does not count as asleep: reading is part
    /// of its work.
    pub asleep: bool,
}

impl Usage {
    /// Returns the usage of a thread of this process; `None` where the system does not report it.
    pub fn of_thread(thread: u32) -> Option<Self> {
        Self::read(format_args!("self/task/{thread}"))
    }

    /// Returns the usage of a thread of another process; `None` where the system does not report it.
    pub fn of(process: u32, thread: u32) -> Option<Self> {
        Self::read(format_args!("{process}/task/{thread}"))
    }

    fn read(which: std::fmt::Arguments<'_>) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let usage = parse(&std::fs::read_to_string(format!("/proc/{which}/stat")).ok()?)?;
        // `schedstat` has nanoseconds, where the kernel maintains it: on a processor, waiting for one; and how often.
        let exact = std::fs::read_to_string(format!("/proc/{which}/schedstat")).unwrap_or_default();
        let mut exact = exact.split_ascii_whitespace().map_while(|number| number.parse().ok());
        let busy = exact.next().map_or(usage.busy, Duration::from_nanos);
        Some(Self { busy, slices: exact.nth(1).unwrap_or_default(), ..usage })
    }

    /// Returns the processor time since an earlier moment, without what it takes to ask for Python's lock in vain.
    pub fn computed_since(&self, before: &Self) -> Duration {
        let slices = u32::try_from(self.slices.saturating_sub(before.slices)).unwrap_or(u32::MAX);
        self.busy.saturating_sub(before.busy).saturating_sub(ASKING * slices)
    }

    /// Returns the processor time of the other threads of this process.
    #[cfg(unix)]
    pub(crate) fn of_others() -> Option<Duration> {
        use rustix::time::{ClockId, clock_gettime};
        let [all, mine] = [ClockId::ProcessCPUTime, ClockId::ThreadCPUTime].map(|id| {
            let time = clock_gettime(id);
            Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
        });
        Some(all.saturating_sub(mine))
    }

    /// Returns the processor time of the other threads of this process.
    #[cfg(not(unix))]
    pub(crate) fn of_others() -> Option<Duration> {
        None
    }

    /// Returns the processor time of all threads of another process, in steps of 10 ms.
    pub(crate) fn of_process(process: u32) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        Some(parse(&stat)?.busy)
    }

    /// Combines the usage of a thread with that of another thread that works for it.
    pub fn and(self, other: Self) -> Self {
        let slices = self.slices + other.slices;
        Self { busy: self.busy + other.busy, slices, asleep: self.asleep && other.asleep }
    }
}

/// Returns the system's id of the calling thread; 0 where that is not known.
#[cfg(target_os = "linux")]
pub(crate) fn this_thread() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// Returns the system's id of the calling thread; 0 where that is not known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn this_thread() -> u32 {
    0
}

/// Parses `/proc/…/stat` (`man 5 proc_pid_stat`): the name in parentheses is followed by the state and, 11 fields on,
/// by user and system time in clock ticks, of which Linux shows 100 a second.
fn parse(stat: &str) -> Option<Usage> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let user: u64 = fields.nth(10)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Usage { busy: Duration::from_millis((user + system) * 10), slices: 0, asleep: state == "S" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_line_of_the_kernel() {
        let line = "1234 (odd) name) R 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 3 0 99";
        assert_eq!(parse(line), Some(Usage { busy: Duration::from_millis(1750), slices: 0, asleep: false }));
        assert_eq!(parse("1 (x) S 1 2"), None);
    }

    #[test]
    fn asking_for_the_lock_is_no_computing() {
        let usage = |ms, slices| Usage { busy: Duration::from_millis(ms), slices, asleep: true };
        // A fifth of a second beside a script that has the lock, and a script that computes beside another one.
        assert_eq!(usage(112, 1_600).computed_since(&usage(100, 1_000)), Duration::ZERO);
        assert_eq!(usage(112, 1_085).computed_since(&usage(100, 1_000)), Duration::from_micros(10_300));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn knows_its_own_thread() {
        assert_eq!(Usage::of_thread(this_thread()).map(|u| u.asleep), Some(false));
    }
}
