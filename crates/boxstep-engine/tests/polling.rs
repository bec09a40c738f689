//! Scripts that poll in virtual time come to an end that is stated (`docs/reference/blocking.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::trace::EndReason;
use boxstep_types::Time;

const NAMES: [&str; 3] = ["A", "B", "C"];

/// Boxes that all poll from the start on.
fn polling(names: &[&'static str], heeds: bool) -> Run {
    let boxes: String = (1..).zip(names).map(|(id, name)| boxed(name, id, "", "")).collect();
    let links: String = (1..).zip(names).map(|(id, _)| link(0, 2, id, 2)).collect();
    let scripts = names.iter().map(|name| ((*name, "onInput_onStart"), vec![Poll { heeds }])).collect();
    let mut run = Run::with(&root(&(boxes + &links)), scripts, Robot::default(), Config::default());
    run.steps = 10_000_000;
    run
}

#[test]
fn who_polls_without_end_is_told_and_the_behavior_fails() {
    let (lines, footer) = polling(&["A"], true).finish();
    assert_eq!(footer.reason, EndReason::Failed);
    assert_eq!(only(&lines, &["root/A raised onInput_onStart"]).len(), 1, "{lines:?}");
}

#[test]
fn the_looks_of_all_that_poll_count_together() {
    let times = [1, 3].map(|n| polling(&NAMES[..n], true).finish().1.t);
    assert!(times[0] > times[1], "{times:?}");
}

#[test]
fn who_does_not_heed_ends_the_run_as_a_livelock_that_names_the_box() {
    for n in [1, 2] {
        let (lines, footer) = polling(&NAMES[..n], false).finish();
        assert_eq!(footer.reason, EndReason::Livelock, "{n}");
        assert_eq!(only(&lines, &["polls without end"]).len(), 1, "{lines:?}");
        assert!(only(&lines, &["polls without end"])[0].contains("root/A"), "{lines:?}");
    }
}

/// Those that poll together are told together: however many they are, it is not much later than for one.
#[test]
fn many_that_poll_end_together() {
    const MANY: [&str; 20] =
        ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T"];
    let one = polling(&MANY[..1], true).finish().1.t;
    for heeds in [true, false] {
        let (lines, footer) = polling(&MANY, heeds).finish();
        let reason = if heeds { EndReason::Failed } else { EndReason::Livelock };
        assert_eq!(footer.reason, reason, "{heeds}");
        assert!(footer.t.as_secs_f64() < 20.0 * one.as_secs_f64(), "{heeds}: {:?}, and {one:?} for one", footer.t);
        assert!(!heeds || only(&lines, &["raised onInput_onStart"]).len() > 1, "{lines:?}");
    }
}

/// A run is stopped by its clock, which moves for them.
#[test]
fn time_passes_for_who_polls() {
    let run = polling(&NAMES, false).control(2.0, Control::Stop);
    let (lines, footer) = run.finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_secs_f64(2.0)), "{lines:?}");
}
