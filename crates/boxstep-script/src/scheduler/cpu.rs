//! How busy another thread is, as the system sees it.

use std::time::Duration;

/// A thread's use of the processor so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time on a processor.
    pub busy: Duration,
    /// It sleeps right now. Who waits for a disk does not: what it reads is part of what it does.
    pub asleep: bool,
}

impl Usage {
    /// What a thread of this process has used; `None` where the system does not tell.
    pub fn of_thread(thread: u32) -> Option<Self> {
        Self::read(format_args!("self/task/{thread}"))
    }

    /// What a thread of another process has used; `None` where the system does not tell.
    pub fn of(process: u32, thread: u32) -> Option<Self> {
        Self::read(format_args!("{process}/task/{thread}"))
    }

    fn read(which: std::fmt::Arguments<'_>) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let usage = parse(&std::fs::read_to_string(format!("/proc/{which}/stat")).ok()?)?;
        // Nanoseconds, where the kernel keeps them.
        let exact = std::fs::read_to_string(format!("/proc/{which}/schedstat")).ok();
        let exact = exact.and_then(|text| text.split_ascii_whitespace().next()?.parse().ok());
        Some(Self { busy: exact.map_or(usage.busy, Duration::from_nanos), ..usage })
    }

    /// How long the other threads of this process have been on a processor so far.
    #[cfg(unix)]
    pub(crate) fn of_others() -> Option<Duration> {
        use rustix::time::{ClockId, clock_gettime};
        let [all, mine] = [ClockId::ProcessCPUTime, ClockId::ThreadCPUTime].map(|id| {
            let time = clock_gettime(id);
            Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
        });
        Some(all.saturating_sub(mine))
    }

    /// How long the other threads of this process have been on a processor so far.
    #[cfg(not(unix))]
    pub(crate) fn of_others() -> Option<Duration> {
        None
    }

    /// How long the threads of another process have been on a processor so far, in steps of 10 ms.
    pub(crate) fn of_process(process: u32) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        Some(parse(&stat)?.busy)
    }

    /// A thread that waits for another one to work for it, and that one.
    pub fn and(self, other: Self) -> Self {
        Self { busy: self.busy + other.busy, asleep: self.asleep && other.asleep }
    }
}

/// The system's number of the calling thread; 0 where that is not known.
#[cfg(target_os = "linux")]
pub(crate) fn this_thread() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// The system's number of the calling thread; 0 where that is not known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn this_thread() -> u32 {
    0
}

/// `man 5 proc_pid_stat`: after the name in parentheses come the state and, 11 fields on, user and system time in
/// clock ticks, of which Linux shows 100 a second.
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
