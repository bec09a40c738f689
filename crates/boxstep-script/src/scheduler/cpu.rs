//! Processor time of other threads, as the operating system reports it.

use std::time::Duration;

/// A thread's use of the processor so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time on a processor.
    pub busy: Duration,
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
        // `schedstat` has nanoseconds, where the kernel maintains it.
        let exact = std::fs::read_to_string(format!("/proc/{which}/schedstat")).ok();
        let exact = exact.and_then(|text| text.split_ascii_whitespace().next()?.parse().ok());
        Some(Self { busy: exact.map_or(usage.busy, Duration::from_nanos), ..usage })
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
        Self { busy: self.busy + other.busy, asleep: self.asleep && other.asleep }
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
    Some(Usage { busy: Duration::from_millis((user + system) * 10), asleep: state == "S" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_line_of_the_kernel() {
        let line = "1234 (odd) name) R 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 3 0 99";
        assert_eq!(parse(line), Some(Usage { busy: Duration::from_millis(1750), asleep: false }));
        assert_eq!(parse("1 (x) S 1 2"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn knows_its_own_thread() {
        assert_eq!(Usage::of_thread(this_thread()).map(|u| u.asleep), Some(false));
    }
}
