//! Exit codes (`docs/reference/exit-codes.md`).

use boxstep_engine::trace::{EndReason, Footer};

/// The behavior ended, waits for an event, or reached `--for`; the files have no errors.
pub(crate) const OK: i32 = 0;
/// `check` found an error.
pub(crate) const FINDINGS: i32 = 1;
/// `diff` found a difference.
pub(crate) const DIFFERENT: i32 = 1;
/// Bad usage, or a file that cannot be used.
pub(crate) const USAGE: i32 = 2;
/// The behavior has not ended by itself, with `--must-end`.
pub(crate) const NOT_ENDED: i32 = 3;
/// The behavior failed, or its trace could not be written.
pub(crate) const FAILED: i32 = 4;
/// A script called a service or method that is not there.
pub(crate) const UNSUPPORTED: i32 = 5;
/// A signal ended the run.
pub(crate) const INTERRUPTED: i32 = 130;

/// Returns the exit code of a run. An unsupported call takes precedence over the failure that it often causes: it is a
/// gap of the simulation, not a fault of the script.
pub(crate) fn of_run(footer: &Footer, must_end: bool) -> i32 {
    match footer.reason {
        EndReason::Interrupted => INTERRUPTED,
        _ if footer.unsupported > 0 => UNSUPPORTED,
        // A box whose script does not compile, or whose topic cannot be loaded, takes no part: whatever the others did,
        // this was not the behavior.
        _ if footer.not_compiled > 0 => FAILED,
        // Work that was left undone is reported, and the caller should know it before the next behavior starts.
        _ if footer.forced > 0 => FAILED,
        EndReason::Failed | EndReason::Deadlock | EndReason::Livelock => FAILED,
        EndReason::Waiting | EndReason::Limit if must_end => NOT_ENDED,
        EndReason::Ended | EndReason::Waiting | EndReason::Limit => OK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::Time;

    fn footer(reason: EndReason, unsupported: u64) -> Footer {
        Footer {
            reason,
            t: Time::ZERO,
            events: 0,
            errors: 1,
            not_compiled: 0,
            unsupported,
            dropped: 0,
            warnings: 0,
            forced: 0,
            deterministic: Ok(()),
        }
    }

    #[test]
    fn a_script_that_does_not_compile_fails_a_run_however_it_ends() {
        for reason in [EndReason::Ended, EndReason::Waiting, EndReason::Limit] {
            let footer = Footer { not_compiled: 1, ..footer(reason, 0) };
            assert_eq!(of_run(&footer, true), FAILED, "{reason:?}");
        }
    }

    #[test]
    fn a_stop_by_force_fails_a_run_unless_it_was_interrupted() {
        for (reason, code) in [(EndReason::Ended, FAILED), (EndReason::Limit, FAILED), (EndReason::Interrupted, 130)] {
            let footer = Footer { forced: 1, ..footer(reason, 0) };
            assert_eq!(of_run(&footer, true), code, "{reason:?}");
        }
    }

    #[test]
    fn as_documented() {
        use EndReason::*;
        for (reason, unsupported, must_end, code) in [
            (Ended, 0, true, 0),
            (Limit, 0, false, 0),
            (Limit, 0, true, 3),
            (Waiting, 0, false, 0),
            (Waiting, 0, true, 3),
            (Failed, 0, false, 4),
            (Deadlock, 0, false, 4),
            (Livelock, 0, false, 4),
            (Failed, 1, false, 5),
            (Ended, 1, false, 5),
            (Interrupted, 1, true, 130),
        ] {
            assert_eq!(of_run(&footer(reason, unsupported), must_end), code, "{reason:?} {unsupported} {must_end}");
        }
    }
}
