//! The last lines of a run: how it ended, and how long it took.

use super::wake;
use boxstep_engine::Wait;
use boxstep_engine::trace::{EndReason, Footer};
use boxstep_types::Time;
use std::time::Duration;

/// Returns a line such as "played 4.2 s in real time" or "played 10 min 04 s in 31 ms of virtual time".
pub(crate) fn played(played: Time, took: Duration, is_virtual: bool) -> String {
    let played = duration(played.since(Time::ZERO));
    if is_virtual {
        format!("played {played} in {} of virtual time", duration(took))
    } else {
        format!("played {played} in real time")
    }
}

/// Returns the lines about the end of a run; there are none if it ended by itself without problems.
pub(crate) fn how_it_ended(footer: &Footer, waits_for: &[String], waits: &[Wait]) -> Vec<String> {
    let mut lines = Vec::new();
    match footer.reason {
        EndReason::Ended => {}
        EndReason::Waiting if waits_for.is_empty() => {
            lines.push("nothing can happen any more: the behavior waits, but not for an event".to_owned());
        }
        EndReason::Waiting => {
            lines.push(format!("nothing can happen any more until one of these: {}", waits_for.join(", ")));
            lines.extend(wake::lines(waits, footer.t));
        }
        EndReason::Limit => lines.push("the time limit was reached".to_owned()),
        EndReason::Failed => lines.push("the behavior failed".to_owned()),
        EndReason::Interrupted => lines.push("interrupted".to_owned()),
        EndReason::Deadlock => {
            lines.push("scripts wait for each other or run on without end, and nothing else can happen".to_owned())
        }
        EndReason::Livelock => lines.push("signals went round without time passing".to_owned()),
    }
    if footer.forced > 0 {
        lines.push("it was stopped by force: not everything ended in time".to_owned());
    }
    let counts: Vec<String> =
        [(footer.errors, "script error"), (footer.unsupported, "unsupported call"), (footer.warnings, "warning")]
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{n} {what}{}", if n == 1 { "" } else { "s" }))
            .collect();
    if !counts.is_empty() {
        lines.push(counts.join(", "));
    }
    lines
}

/// Formats a duration: `31 ms`, `4.2 s`, `10 min 04 s`, `2 h 00 min 05 s`.
fn duration(d: Duration) -> String {
    let ms = (d.as_nanos() + 500_000) / 1_000_000;
    let tenths = (ms + 50) / 100;
    let seconds = (ms + 500) / 1000;
    match () {
        () if ms < 1000 => format!("{ms} ms"),
        () if tenths < 600 => format!("{}.{} s", tenths / 10, tenths % 10),
        () if seconds < 3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        () => format!("{} h {:02} min {:02} s", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well_and_round_once() {
        for (ms, text) in [
            (0, "0 ms"),
            (31, "31 ms"),
            (999, "999 ms"),
            (1000, "1.0 s"),
            (4249, "4.2 s"),
            (59_949, "59.9 s"),
            (59_950, "1 min 00 s"),
            (604_000, "10 min 04 s"),
            (3_599_500, "1 h 00 min 00 s"),
        ] {
            assert_eq!(duration(Duration::from_millis(ms)), text);
        }
    }

    #[test]
    fn the_closing_line() {
        let took = Duration::from_millis(31);
        assert_eq!(played(Time::from_millis(604_000), took, true), "played 10 min 04 s in 31 ms of virtual time");
        assert_eq!(played(Time::from_millis(4200), took, false), "played 4.2 s in real time");
    }
}
