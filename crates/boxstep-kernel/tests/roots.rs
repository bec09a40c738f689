//! What follows when the root ends, and when control goes round in no time.

use crate::puppet::{Puppet, Show, offer, puppet};
use boxstep_kernel::lifecycle::Phase;
use boxstep_kernel::runner::{Hook, RootPolicy, Settings, What};
use boxstep_types::Value;

/// Ends in the given update of its activation.
fn ends_in(name: &'static str, tick: u32) -> Puppet {
    let mut ticks = 0;
    puppet(name, &[]).on(Hook::Activated, |_, _| ()).on(Hook::Update, move |cx, _| {
        if cx.is_active() {
            ticks += 1;
            if ticks % tick == 0 {
                cx.complete(Value::Null).unwrap();
            }
        }
    })
}

#[test]
fn a_root_that_ends_stops_the_runner_by_default() {
    let mut show = Show::new(vec![ends_in("R", 2)]);
    show.tick();
    assert!(!show.runner.is_over());
    assert_eq!(show.tick(), ["R.update", "R.deactivated done null", "R.left"]);
    assert!(show.runner.is_over());
    assert_eq!((show.view("R").phase, show.view("R").scopes), (Phase::Out, 0));
    assert!(show.tick().is_empty(), "what is over stays over");
}

#[test]
fn a_root_that_ends_is_restarted_in_the_same_tick() {
    let settings = Settings { at_end: RootPolicy::Restart, ..Settings::new("R") };
    let mut show = Show::with(vec![ends_in("R", 2)], settings);
    show.tick();
    assert_eq!(show.tick(), ["R.update", "R.deactivated done null", "R.activated"]);
    assert_eq!(show.active(), ["R"]);
}

#[test]
fn with_handover_next_tick_a_root_is_restarted_at_the_start_of_the_next_tick() {
    let settings = Settings { at_end: RootPolicy::Restart, hand_over_next_tick: true, ..Settings::new("R") };
    let mut show = Show::with(vec![ends_in("R", 2)], settings);
    show.tick();
    show.tick();
    assert!(show.active().is_empty());
    assert_eq!(show.tick(), ["R.activated", "R.update"]);
}

#[test]
fn a_root_that_ends_goes_to_the_idle_behavior_and_that_goes_back() {
    let settings = Settings { at_end: RootPolicy::Idle("Idle".into()), ..Settings::new("R") };
    let mut show = Show::with(vec![ends_in("R", 1), ends_in("Idle", 2)], settings);
    show.log.take();
    let begin = [
        "R.entered",
        "Idle.entered",
        "R.activated",
        "R.update",
        "R.deactivated done null",
        "Idle.activated",
        "Idle.update",
    ];
    assert_eq!(show.tick(), begin);
    assert_eq!(show.active(), ["Idle"]);
    // R has its turn in the next tick: it was not updated yet, so it is now, and ends.
    let lines = show.tick();
    assert_eq!(lines[..4], ["Idle.update", "Idle.deactivated done null", "R.activated", "R.update"]);
    assert_eq!(show.active(), ["Idle"]);
}

#[test]
fn both_roots_are_in_scope_from_the_first_tick_to_the_stop() {
    let settings = Settings { at_end: RootPolicy::Idle("Idle".into()), ..Settings::new("R") };
    let mut show = Show::with(vec![puppet("R", &[]), puppet("Idle", &[])], settings);
    show.log.take();
    assert_eq!(show.tick(), ["R.entered", "Idle.entered", "R.activated", "R.update", "Idle.update"]);
    show.runner.stop();
    assert_eq!(show.log.take(), ["R.deactivated cancelled Stop", "R.left", "Idle.left"]);
    assert!(show.runner.is_over());
}

/// A parent that goes from one child to the other, and they end as soon as they are activated.
fn round(safe: bool) -> Show {
    let ends = |name| puppet(name, &[]).on(Hook::Activated, |cx, _| cx.complete(Value::Null));
    let mut turn = false;
    let next = move |cx: &mut boxstep_kernel::runner::Control<'_>, _: &super::puppet::Log| {
        turn = !turn;
        let _ = offer(cx, if turn { "A" } else { "B" });
    };
    let mut all = vec![puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::DelegateEnded, next), ends("A"), ends("B")];
    let mut settings = Settings { max_hops: 10, ..Settings::new("R") };
    if safe {
        all.push(puppet("Safe", &[]));
        settings.safe = Some("Safe".into());
    }
    Show::with(all, settings)
}

#[test]
fn control_that_goes_round_in_no_time_is_a_livelock_with_the_names_of_the_pair_and_goes_to_the_safe_root() {
    let mut show = round(true);
    let lines = show.tick();
    let (one, other) = show.runner.livelock_pair().unwrap();
    let mut pair = [show.runner.name(one), show.runner.name(other)];
    pair.sort_unstable();
    assert_eq!(pair, ["A", "B"]);
    assert_eq!(lines.iter().filter(|l| l.contains("told")).count(), 10);
    assert_eq!(show.active(), ["Safe"]);
    let told = show.runner.take_account();
    assert_eq!(told.iter().filter(|h| matches!(h.what, What::Livelock(..))).count(), 1);
    assert!(show.runner.behaviors().all(|id| show.runner.view(id).active == (show.runner.name(id) == "Safe")));
}

#[test]
fn a_livelock_without_a_safe_root_stops_the_runner() {
    let mut show = round(false);
    show.tick();
    assert!(show.runner.is_over() && show.runner.livelock_pair().is_some());
    assert!(show.runner.behaviors().all(|id| show.view(show.runner.name(id)).scopes == 0));
}

#[test]
fn a_root_that_ends_whenever_it_is_activated_is_a_livelock() {
    let settings = Settings { at_end: RootPolicy::Restart, max_hops: 5, ..Settings::new("R") };
    let mut show = Show::with(vec![puppet("R", &[]).on(Hook::Activated, |cx, _| cx.complete(Value::Null))], settings);
    let lines = show.tick();
    assert_eq!(lines.iter().filter(|l| *l == "R.activated").count(), 6);
    assert!(show.runner.is_over());
}

#[test]
fn a_safe_root_that_livelocks_too_stops_the_runner() {
    let ends = |name| puppet(name, &[]).on(Hook::Activated, |cx, _| cx.complete(Value::Null));
    let settings =
        Settings { at_end: RootPolicy::Restart, safe: Some("Safe".into()), max_hops: 5, ..Settings::new("R") };
    let mut show = Show::with(vec![ends("R"), ends("Safe")], settings);
    show.tick();
    assert!(show.runner.is_over());
}

#[test]
fn hand_overs_in_different_ticks_are_no_livelock() {
    let settings = Settings { at_end: RootPolicy::Restart, max_hops: 2, ..Settings::new("R") };
    let mut show = Show::with(vec![ends_in("R", 1)], settings);
    for _ in 0..50 {
        show.tick();
    }
    assert!(show.runner.livelock_pair().is_none());
    assert_eq!(show.active(), ["R"]);
}
