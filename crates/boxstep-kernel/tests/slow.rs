//! Delegates that take time: loading, winding down, leaving scope. A puppet that is slow by 2 has settled at the second
//! tick after the one in which that began.

use crate::puppet::{Puppet, Show, offer, puppet};
use boxstep_kernel::lifecycle::Phase;
use boxstep_kernel::runner::{BehaviorRunner, Hook, Refusal, Settings, Wants, WhyNot};
use boxstep_types::Time;

/// In each of its updates does what is written for that tick.
fn in_tick(
    root: Puppet,
    tick: u64,
    does: impl Fn(&mut boxstep_kernel::runner::Control<'_>, &super::puppet::Log) + Send + 'static,
) -> Puppet {
    let mut ticks = 0;
    root.on(Hook::Update, move |cx, log| {
        ticks += 1;
        if ticks == tick {
            does(cx, log);
        }
    })
}

fn switches(
    to: &'static str,
) -> impl Fn(&mut boxstep_kernel::runner::Control<'_>, &super::puppet::Log) + Send + 'static {
    move |cx, log| {
        let id = cx.find(to).unwrap();
        cx.cancel_delegates().unwrap();
        log.add(format!("{:?}", cx.ask(id)));
        log.add(format!("{:?}", cx.delegate_to(id).map(drop)));
        log.add(format!("delegated {}", cx.is_control_delegated()));
    }
}

#[test]
fn a_delegate_still_loading_says_no_and_is_not_updated() {
    let r = puppet("R", &["A"]).on(Hook::Update, |cx, log| {
        let a = cx.find("A").unwrap();
        log.add(format!("{:?}", cx.ask(a)));
        log.add(format!("{:?}", cx.delegate_to(a).map(drop)));
    });
    let mut show = Show::new(vec![r, puppet("A", &[]).slow(1, 0, 0)]);
    let no =
        [format!("{:?}", Ok::<_, Refusal>(Wants::No(WhyNot::Loading))), format!("{:?}", Err::<(), _>(Refusal::SaidNo))];
    let first = show.tick();
    assert_eq!(first[first.len() - 3..], [&["R.update".to_owned()][..], &no].concat());
    assert_eq!(show.view("A").phase, Phase::Entering);
    assert_eq!(show.tick().last().unwrap(), "A.update");
    assert_eq!(show.active(), ["R", "A"]);
}

#[test]
fn a_delegation_made_while_the_old_one_winds_down_is_accepted_and_waits() {
    let r = in_tick(puppet("R", &["Old", "New"]).offers(&["Old"]), 2, switches("New"));
    let mut show = Show::new(vec![r, puppet("Old", &[]).slow(0, 2, 0), puppet("New", &[])]);
    show.tick();
    let old = "Old.deactivated cancelled Behavior(BehaviorId(0))";
    let expected = ["R.update", old, "New.wants", "Ok(Yes)", "Ok(())", "delegated true", "Old.update", "New.update"];
    assert_eq!(show.tick(), expected);
    assert_eq!((show.view("Old").phase, show.view("New").waits), (Phase::Stopping, true));
    assert_eq!(show.tick(), ["R.update", "Old.update", "New.update"]);
    assert_eq!(show.tick(), ["New.wants", "New.activated", "R.update", "New.update", "Old.update"]);
    assert_eq!(show.active(), ["R", "New"]);
}

#[test]
fn the_same_one_may_be_delegated_to_again_while_it_winds_down() {
    let r = in_tick(puppet("R", &["A"]).offers(&["A"]), 2, switches("A"));
    let mut show = Show::new(vec![r, puppet("A", &[]).slow(0, 1, 0)]);
    show.tick();
    assert!(show.tick().contains(&"Ok(())".to_owned()));
    assert_eq!(show.active(), ["R"]);
    assert_eq!(show.tick(), ["A.wants", "A.activated", "R.update", "A.update"]);
}

#[test]
fn who_no_longer_wants_when_the_wait_is_over_fails_and_the_parent_is_told() {
    let r = in_tick(puppet("R", &["Old", "New"]).offers(&["Old"]), 2, switches("New"));
    let asked = std::sync::atomic::AtomicU32::new(0);
    let new = puppet("New", &[]).wants(move |_, _| asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0);
    let mut show = Show::new(vec![r, puppet("Old", &[]).slow(0, 1, 0), new]);
    show.tick();
    show.tick();
    assert_eq!(show.tick()[..2], ["New.wants", "R.told #3 failed New no longer wants to run"]);
    assert_eq!(show.active(), ["R"]);
}

#[test]
fn who_is_asked_again_after_a_wait_knows_it_and_may_hold_to_its_yes() {
    let r = in_tick(puppet("R", &["Old", "New"]).offers(&["Old"]), 2, switches("New"));
    // What it wants to run for is over with the tick.
    let new = puppet("New", &[]).wants(|cx, log| {
        log.add(format!("waited {}", cx.has_waited()));
        cx.tick() == 2 || cx.has_waited()
    });
    let mut show = Show::new(vec![r, puppet("Old", &[]).slow(0, 1, 0), new]);
    show.tick();
    assert!(show.tick().contains(&"waited false".to_owned()));
    assert_eq!(show.tick()[..3], ["New.wants", "waited true", "New.activated"]);
    assert_eq!(show.active(), ["R", "New"]);
    // Only who is asked for that delegation has waited.
    let r = in_tick(puppet("R", &["A"]), 1, |cx, log| {
        let a = cx.find("A").unwrap();
        log.add(format!("{:?}", cx.ask(a)));
    });
    let a = puppet("A", &[]).wants(|cx, log| {
        log.add(format!("waited {}", cx.has_waited()));
        true
    });
    assert!(Show::new(vec![r, a]).tick().contains(&"waited false".to_owned()));
}

#[test]
fn several_that_wait_together_start_or_fail_together() {
    let runs = |second: bool| {
        let r = in_tick(puppet("R", &["Old", "A", "B"]).offers(&["Old"]), 2, |cx, _| {
            cx.cancel_delegates().unwrap();
            super::puppet::offer_all(cx, &["A", "B"]).unwrap();
        });
        let asked = std::sync::atomic::AtomicU32::new(0);
        let b =
            puppet("B", &[]).wants(move |_, _| asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 || second);
        let mut show = Show::new(vec![r, puppet("Old", &[]).slow(0, 1, 0), puppet("A", &[]), b]);
        show.tick();
        show.tick();
        let lines = show.tick();
        let told: Vec<String> = lines.into_iter().filter(|l| l.contains("told")).collect();
        (show.active().into_iter().map(str::to_owned).collect::<Vec<_>>(), told)
    };
    assert_eq!(runs(true), (["R", "A", "B"].map(str::to_owned).into(), vec![]));
    let told = [3, 4].map(|ticket| format!("R.told #{ticket} failed B no longer wants to run"));
    assert_eq!(runs(false), (vec!["R".to_owned()], told.into()));
}

#[test]
fn a_wind_down_that_takes_too_long_is_forced_at_its_deadline() {
    let r = in_tick(puppet("R", &["Old", "New"]).offers(&["Old"]), 2, switches("New"));
    let settings = Settings { settle_within: Time::from_millis(300), ..Settings::new("R") };
    let mut show = Show::with(vec![r, puppet("Old", &[]).slow(0, 99, 0), puppet("New", &[])], settings);
    for _ in 0..4 {
        show.tick();
    }
    assert!(show.view("New").waits);
    assert_eq!(show.tick()[..3], ["Old.forced", "New.wants", "New.activated"]);
}

#[test]
fn a_delegation_that_waits_can_be_taken_back() {
    let r = in_tick(puppet("R", &["Old", "New"]).offers(&["Old"]), 2, switches("New"));
    let r = in_tick(r, 3, |cx, log| log.add(format!("{:?}", cx.cancel_delegates())));
    let mut show = Show::new(vec![r, puppet("Old", &[]).slow(0, 3, 0), puppet("New", &[])]);
    for _ in 0..2 {
        show.tick();
    }
    assert!(show.tick().contains(&"Ok(1)".to_owned()));
    for _ in 0..4 {
        assert!(!show.tick().iter().any(|l| l == "New.activated"));
    }
    assert!(!show.view("New").waits);
}

#[test]
fn a_delegation_that_waits_is_forgotten_when_the_one_that_made_it_ends() {
    // A tick later P itself is cancelled, or ends.
    for ends in [false, true] {
        let r = in_tick(puppet("R", &["P"]).offers(&["P"]), 3, move |cx, _| {
            if !ends {
                cx.cancel_delegates().unwrap();
            }
        });
        let p = in_tick(puppet("P", &["Old", "New"]).offers(&["Old"]), 2, switches("New"));
        let p = in_tick(p, 3, move |cx, _| {
            if ends {
                cx.complete(boxstep_types::Value::Null).unwrap();
            }
        });
        let mut show = Show::new(vec![r, p, puppet("Old", &[]).slow(0, 3, 0), puppet("New", &[])]);
        (0..2).for_each(|_| drop(show.tick()));
        assert!(show.view("New").waits);
        for _ in 0..6 {
            assert!(!show.tick().iter().any(|line| line == "New.activated"));
        }
        assert_eq!((show.active(), show.view("New").waits, show.view("New").scopes), (vec!["R"], false, 0));
    }
}

#[test]
fn who_replaces_a_behavior_waits_for_all_that_winds_down_inside_of_it() {
    let r = in_tick(puppet("R", &["P", "New"]).offers(&["P"]), 2, switches("New"));
    let p = puppet("P", &["C"]).offers(&["C"]);
    let mut show = Show::new(vec![r, p, puppet("New", &[]), puppet("C", &[]).slow(0, 2, 0)]);
    show.tick();
    show.tick();
    // C winds down and leaves scope after that; P is over.
    assert_eq!((show.view("C").phase, show.view("C").scopes), (Phase::Leaving, 0));
    assert_eq!(show.view("P").phase, Phase::InScope);
    assert!(!show.tick().contains(&"C.left".to_owned()));
    assert_eq!(show.tick()[..3], ["C.left", "New.wants", "New.activated"]);
}

#[test]
fn who_replaces_a_behavior_waits_for_what_that_had_let_go_before() {
    let r = in_tick(puppet("R", &["P", "New"]).offers(&["P"]), 3, switches("New"));
    let p = in_tick(puppet("P", &["C"]).offers(&["C"]), 2, |cx, _| assert_eq!(cx.cancel_delegates(), Ok(1)));
    let mut show = Show::new(vec![r, p, puppet("New", &[]), puppet("C", &[]).slow(0, 3, 0)]);
    for _ in 0..2 {
        show.tick();
    }
    // P has let C go, which still winds down when P itself is replaced.
    assert_eq!(show.active(), ["R", "P"]);
    show.tick();
    assert_eq!((show.active(), show.view("New").waits), (vec!["R"], true));
    show.tick();
    assert_eq!(show.active(), ["R"]);
    assert_eq!(show.tick()[..3], ["C.left", "New.wants", "New.activated"]);
}

#[test]
fn what_winds_down_keeps_its_resources_until_it_has() {
    let r = in_tick(puppet("R", &["A", "B"]).offers(&["A"]), 2, switches("B"));
    let mut show =
        Show::new(vec![r, puppet("A", &[]).locks(&["Legs"]).slow(0, 1, 0), puppet("B", &[]).locks(&["Legs"])]);
    show.tick();
    assert!(show.tick().contains(&"Ok(())".to_owned()), "it is accepted, and waits");
    assert_eq!((show.view("A").holds, show.view("B").holds), (1, 0));
    show.tick();
    assert_eq!((show.view("A").holds, show.view("B").holds), (0, 1));
}

#[test]
fn what_still_leaves_scope_comes_in_again_once_it_has_left() {
    let r = in_tick(puppet("R", &["P"]).offers(&["P"]), 2, |cx, _| {
        cx.cancel_delegates().unwrap();
        offer(cx, "P").unwrap();
    });
    let mut show = Show::new(vec![r, puppet("P", &["C"]), puppet("C", &[]).slow(0, 0, 1)]);
    show.tick();
    let lines = show.tick();
    assert!(lines.contains(&"C.left".to_owned()) && !lines.contains(&"C.entered".to_owned()));
    assert_eq!((show.view("C").phase, show.view("C").scopes), (Phase::Leaving, 1));
    assert_eq!(show.tick(), ["C.entered", "R.update", "P.update", "C.update"]);
}

#[test]
fn a_load_that_is_not_wanted_any_more_is_unloaded() {
    let r = in_tick(puppet("R", &["P"]).offers(&["P"]), 1, |cx, _| assert_eq!(cx.cancel_delegates(), Ok(1)));
    let mut show = Show::new(vec![r, puppet("P", &["C"]), puppet("C", &[]).slow(9, 0, 0)]);
    let lines = show.tick();
    assert!(lines.contains(&"C.entered".to_owned()) && lines.contains(&"C.left".to_owned()));
    assert_eq!(show.view("C").phase, Phase::Out);
}

#[test]
fn a_root_that_loads_is_activated_when_it_has() {
    let mut show = Show::new(vec![puppet("R", &[]).slow(1, 0, 0)]);
    show.tick();
    assert!(show.active().is_empty());
    assert_eq!(show.tick(), ["R.activated", "R.update"]);
}

#[test]
fn a_stop_is_over_when_everything_has_wound_down() {
    let mut show = Show::new(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[]).slow(0, 2, 1)]);
    show.tick();
    show.runner.stop();
    assert!(!show.runner.is_over());
    show.log.take();
    assert!(show.tick().is_empty());
    assert_eq!(show.tick(), ["A.left"]);
    assert!(!show.runner.is_over());
    show.tick();
    assert!(show.runner.is_over());
    assert_eq!(show.view("A").phase, Phase::Out);
}
