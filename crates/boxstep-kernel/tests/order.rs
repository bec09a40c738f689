//! In which order hooks come.

use crate::puppet::{Show, offer, offer_all, puppet};
use boxstep_kernel::runner::{Action, BehaviorRunner, Control, End, Hook, Plan, Progress, Settings, Wants, What};
use boxstep_types::Topic;
use boxstep_types::{Time, Value};

/// Takes control back in the given tick.
fn cancels_in(tick: u64) -> impl FnMut(&mut Control<'_>, &super::puppet::Log) + Send {
    let mut ticks = 0;
    move |cx, _| {
        ticks += 1;
        if ticks == tick {
            cx.cancel_delegates().unwrap();
        }
    }
}

#[test]
fn init_comes_once_in_the_order_of_the_plan_before_any_tick() {
    let mut show = Show::new(vec![puppet("R", &["B", "A"]), puppet("A", &[]), puppet("B", &[])]);
    assert_eq!(show.log.take(), ["R.init", "A.init", "B.init"]);
    assert!(!show.tick().iter().any(|line| line.ends_with("init")));
}

#[test]
fn delegates_enter_scope_before_the_behavior_is_activated_and_a_chain_nests() {
    let r = puppet("R", &["P"]).offers(&["P"]);
    let p = puppet("P", &["C"]).offers(&["C"]);
    let mut show = Show::new(vec![r, p, puppet("C", &[])]);
    show.log.take();
    let begin =
        ["R.entered", "P.entered", "R.activated", "P.wants", "C.entered", "P.activated", "C.wants", "C.activated"];
    let turns = ["R.update", "P.update", "C.update"];
    assert_eq!(show.tick(), [&begin[..], &turns[..]].concat());
    assert_eq!(show.active(), ["R", "P", "C"]);
}

#[test]
fn who_delegates_is_not_deactivated_and_stays_active_until_it_is_cancelled() {
    let r = puppet("R", &["P"]).offers(&["P"]).on(Hook::Update, cancels_in(4));
    let mut ticks = 0;
    // While C has control P is updated as before, and may take control back and do something else at any time.
    let p = puppet("P", &["C", "D"]).offers(&["C"]).on(Hook::Update, move |cx, log| {
        log.add(format!("P active {} in control {}", cx.is_active(), cx.can_delegate()));
        ticks += 1;
        if ticks == 3 {
            cx.cancel_delegates().unwrap();
            offer(cx, "D").unwrap();
        }
    });
    let mut show = Show::new(vec![r, p, puppet("C", &[]), puppet("D", &[])]);
    let mut lines: Vec<String> = (0..3).flat_map(|_| show.tick()).collect();
    assert_eq!(lines.iter().filter(|line| *line == "P active true in control false").count(), 3);
    assert!(!lines.iter().any(|line| line.starts_with("P.deactivated")), "{lines:?}");
    assert_eq!(show.active(), ["R", "P", "D"]);
    lines = show.tick();
    assert!(lines.contains(&"P.deactivated cancelled Behavior(BehaviorId(0))".to_owned()), "{lines:?}");
}

#[test]
fn a_yes_alone_does_nothing() {
    let r = puppet("R", &["A", "B"]).on(Hook::Update, |cx, _| {
        let (a, b) = (cx.find("A").unwrap(), cx.find("B").unwrap());
        assert_eq!((cx.ask(a), cx.ask(b)), (Ok(Wants::Yes), Ok(Wants::Yes)));
        assert_eq!(cx.ask(a), Ok(Wants::Yes), "it may be asked again");
    });
    let mut show = Show::new(vec![r, puppet("A", &[]), puppet("B", &[])]);
    show.tick();
    let turns = ["R.update", "A.wants", "B.wants", "A.wants", "A.update", "B.update"];
    assert_eq!(show.tick(), turns);
    assert_eq!(show.active(), ["R"]);
}

/// Counts how often it is asked for its delegates.
struct Counts(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl boxstep_kernel::runner::Behavior for Counts {
    fn all_delegates(&self, all: &mut boxstep_kernel::runner::Delegates) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        all.add("A");
    }
    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        offer(cx, "A").unwrap();
    }
}

#[test]
fn the_full_set_of_delegates_is_read_once_when_the_plan_is_built() {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut plan = Plan::new();
    plan.add("R", Counts(count.clone()));
    plan.add("A", Counts(std::sync::Arc::default()));
    // A would be its own descendant.
    assert!(plan.build(Settings::new("R")).is_err());
    assert_eq!(count.swap(0, std::sync::atomic::Ordering::Relaxed), 1);
    let mut plan = Plan::new();
    plan.add("R", Counts(count.clone()));
    puppet("A", &[]).add_to(&mut plan, &super::puppet::Log::default());
    let mut runner = plan.build(Settings::new("R")).unwrap();
    (0..3).for_each(|tick| runner.tick(Time::from_millis(100 * tick)));
    assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 1);
    let names: Vec<&str> = runner.delegates(runner.find("R").unwrap()).iter().map(|id| runner.name(*id)).collect();
    assert_eq!((names, runner.active().len()), (vec!["A"], 2));
}

#[test]
fn a_cancel_ends_leaf_first_and_delegates_leave_scope_before_the_behavior_is_told() {
    let r = puppet("R", &["P"]).offers(&["P"]).on(Hook::Update, cancels_in(2));
    let p = puppet("P", &["C", "D"]).offers(&["C"]);
    let mut show = Show::new(vec![r, p, puppet("C", &["X"]), puppet("D", &[]), puppet("X", &[])]);
    show.tick();
    let by = "cancelled Behavior(BehaviorId(0))";
    let ends = ["X.left".to_owned(), format!("C.deactivated {by}"), "C.left".into(), "D.left".into()];
    let rest = [format!("P.deactivated {by}"), "P.update".into()];
    assert_eq!(show.tick(), [&["R.update".to_owned()][..], &ends, &rest].concat());
    assert_eq!(show.active(), ["R"]);
}

#[test]
fn an_interrupt_asks_the_new_one_then_releases_the_old_one_then_activates_the_new_one() {
    let mut ticks = 0;
    let r = puppet("R", &["Old", "New"]).offers(&["Old"]).on(Hook::Update, move |cx, _| {
        ticks += 1;
        if ticks == 2 {
            let new = cx.find("New").unwrap();
            cx.ask(new).unwrap();
            cx.cancel_delegates().unwrap();
            cx.delegate_to(new).unwrap();
        }
    });
    let mut show = Show::new(vec![r, puppet("Old", &[]), puppet("New", &[])]);
    show.tick();
    let by = "cancelled Behavior(BehaviorId(0))";
    let turns = [format!("Old.deactivated {by}"), "New.activated".into(), "New.update".into(), "Old.update".into()];
    assert_eq!(show.tick(), [&["R.update".to_owned(), "New.wants".into()][..], &turns].concat());
}

#[test]
fn a_tick_goes_from_root_to_leaf_and_then_through_what_is_in_scope_in_the_order_of_declaration() {
    let leaf = |name| puppet(name, &[]);
    let mut show = Show::with(
        vec![
            leaf("C"),
            leaf("Z"),
            leaf("B"),
            puppet("R", &["A", "P", "B"]).offers(&["P"]),
            puppet("P", &["Z", "C", "Y"]).offers(&["C"]),
            leaf("A"),
            leaf("Y"),
        ],
        Settings::new("R"),
    );
    show.tick();
    let turns: Vec<String> = ["R", "P", "C", "A", "B", "Z", "Y"].map(|n| format!("{n}.update")).into();
    assert_eq!(show.tick(), turns);
}

#[test]
fn one_delegated_to_during_the_tick_is_updated_in_the_same_tick() {
    let mut ticks = 0;
    let r = puppet("R", &["A", "B"]).on(Hook::Update, move |cx, _| {
        ticks += 1;
        if ticks == 2 {
            offer(cx, "B").unwrap();
        }
    });
    let mut show = Show::new(vec![r, puppet("A", &[]), puppet("B", &["C"]), puppet("C", &[])]);
    assert_eq!(show.tick().last().unwrap(), "B.update");
    let turns = ["R.update", "B.wants", "C.entered", "B.activated", "B.update", "A.update", "C.update"];
    assert_eq!(show.tick(), turns);
}

#[test]
fn inputs_are_frozen_for_the_tick_and_each_event_is_seen_in_exactly_one_update() {
    let topic = || Topic::Memory("Touched".into());
    let listens = |name, delegates: &[&'static str]| {
        let see = |cx: &mut Control<'_>, log: &super::puppet::Log| {
            let values: Vec<String> = cx.events().map(|e| e.value.to_string()).collect();
            log.add(format!("{} sees {}", cx.name(), values.join(" ")));
        };
        puppet(name, delegates).on(Hook::Init, move |cx, _| cx.subscribe(topic())).on(Hook::Update, see)
    };
    let deaf = puppet("Deaf", &[]).on(Hook::Update, |cx, log| log.add(format!("deaf sees {}", cx.events().count())));
    let mut show = Show::new(vec![listens("R", &["P", "Deaf"]), listens("P", &[]), deaf]);
    show.tick();
    assert!(show.runner.raise(&topic(), Value::Int(1), Time::ZERO));
    assert!(show.runner.raise(&topic(), Value::Int(2), Time::ZERO));
    assert!(!show.runner.raise(&Topic::Memory("Unheard".into()), Value::Int(3), Time::ZERO));
    let turns = ["R.update", "R sees 1 2", "P.update", "P sees 1 2", "Deaf.update", "deaf sees 0"];
    assert_eq!(show.tick(), turns);
    let turns = ["R.update", "R sees ", "P.update", "P sees ", "Deaf.update", "deaf sees 0"];
    assert_eq!(show.tick(), turns);
}

#[test]
fn the_time_stands_still_in_a_tick() {
    let see = |cx: &mut Control<'_>, log: &super::puppet::Log| log.add(format!("{}", cx.now()));
    let mut show = Show::new(vec![puppet("R", &["P"]).on(Hook::Update, see), puppet("P", &[]).on(Hook::Update, see)]);
    show.tick();
    let lines = show.tick();
    assert_eq!(lines[1], lines[3]);
}

#[test]
fn several_run_side_by_side_root_to_leaf_one_region_after_the_other() {
    // Named in another order than declared: they start in the order of declaration, the tickets are in the order named.
    let r = puppet("R", &["A", "B"]).on(Hook::Activated, |cx, log| {
        let tickets = offer_all(cx, &["B", "A"]).unwrap();
        log.add(format!("B {} A {}", tickets[0], tickets[1]));
    });
    let a = puppet("A", &["C"]).offers(&["C"]);
    let mut show = Show::new(vec![r, a, puppet("B", &[]), puppet("C", &[])]);
    let lines = show.tick();
    let begin = lines.iter().position(|l| l == "B.wants").unwrap();
    let expected =
        ["B.wants", "A.wants", "C.entered", "A.activated", "C.wants", "C.activated", "B.activated", "B #2 A #3"];
    assert_eq!(lines[begin..begin + 8], expected);
    assert_eq!(show.tick(), ["R.update", "A.update", "C.update", "B.update"]);
    assert_eq!(show.active(), ["R", "A", "C", "B"]);
}

#[test]
fn one_of_several_can_end_and_the_others_go_on() {
    let r = puppet("R", &["A", "B"]).on(Hook::Activated, |cx, _| offer_all(cx, &["A", "B"]).unwrap());
    let a = puppet("A", &[]).on(Hook::Update, |cx, _| cx.complete(Value::Int(7)));
    let r = r.on(Hook::DelegateEnded, |cx, log| {
        log.add(format!("delegated {} free {}", cx.is_control_delegated(), cx.can_delegate()));
    });
    let mut show = Show::new(vec![r, a, puppet("B", &[])]);
    let lines = show.tick();
    let end = lines.iter().position(|l| l == "A.deactivated done 7").unwrap();
    assert_eq!(lines[end + 1..], ["R.told #2 done 7", "delegated true free false", "B.update"]);
}

#[test]
fn a_behavior_shared_by_two_parents_is_told_once_of_scope_and_updated_once_a_tick() {
    let r = puppet("R", &["A", "B"]).on(Hook::Activated, |cx, _| offer_all(cx, &["A", "B"]).unwrap());
    let b = puppet("B", &["S"]).on(Hook::Update, cancels_in(9));
    let mut ticks = 0;
    let r = r.on(Hook::Update, move |cx, _| {
        ticks += 1;
        if ticks == 3 {
            cx.cancel_delegates().unwrap();
        }
    });
    let mut show = Show::new(vec![r, puppet("A", &["S"]), b, puppet("S", &[])]);
    let lines = show.tick();
    assert_eq!(lines.iter().filter(|l| *l == "S.entered").count(), 1);
    assert_eq!(show.view("S").scopes, 2);
    assert_eq!(show.tick().iter().filter(|l| *l == "S.update").count(), 1);
    let lines = show.tick();
    assert_eq!(lines.iter().filter(|l| *l == "S.left").count(), 1);
    assert!(!lines.contains(&"S.update".to_owned()));
    assert_eq!(show.view("S").scopes, 0);
}

#[test]
fn a_child_that_ends_in_its_update_hands_over_in_the_same_tick_and_nobody_is_updated_twice() {
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::DelegateEnded, |cx, _| offer(cx, "B").unwrap());
    let a = puppet("A", &[]).on(Hook::Update, |cx, _| {
        if cx.is_active() {
            cx.complete("well".into()).unwrap();
        }
    });
    let mut show = Show::new(vec![r, a, puppet("B", &[])]);
    show.log.take();
    let lines = show.tick();
    let end = lines.iter().position(|l| l == "A.update").unwrap();
    let expected =
        ["A.update", "A.deactivated done \"well\"", "R.told #2 done \"well\"", "B.wants", "B.activated", "B.update"];
    assert_eq!(lines[end..], expected);
    assert_eq!(show.active(), ["R", "B"]);
}

#[test]
fn handover_next_tick_tells_at_the_start_of_the_next_tick() {
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::DelegateEnded, |cx, _| offer(cx, "B").unwrap());
    let a = puppet("A", &[]).on(Hook::Update, |cx, _| cx.complete(Value::Null));
    let settings = Settings { hand_over_next_tick: true, ..Settings::new("R") };
    let mut show = Show::with(vec![r, a, puppet("B", &[])], settings);
    let lines = show.tick();
    assert_eq!(lines[lines.len() - 2..], ["A.deactivated done null", "B.update"]);
    assert_eq!(show.active(), ["R"]);
    assert_eq!(show.tick(), ["R.told #2 done null", "B.wants", "B.activated", "R.update", "B.update", "A.update"]);
}

#[test]
fn one_that_ends_when_it_is_activated_is_told_of_once_the_call_that_delegated_has_returned() {
    let r = puppet("R", &["A"]).on(Hook::Activated, |cx, log| {
        let ticket = offer(cx, "A").unwrap();
        log.add(format!("{ticket} delegated {}", cx.is_control_delegated()));
    });
    let a = puppet("A", &[]).on(Hook::Activated, |cx, _| cx.fail("tired"));
    let mut show = Show::new(vec![r, a]);
    show.log.take();
    let lines = show.tick();
    let told = ["A.activated", "A.deactivated failed tired", "#2 delegated false", "R.told #2 failed tired"];
    assert_eq!(lines[4..8], told);
}

#[test]
fn cancelling_oneself_tells_the_parent_and_takes_all_delegates_along() {
    let r = puppet("R", &["P"]).offers(&["P"]);
    let p = puppet("P", &["C"]).offers(&["C"]).on(Hook::Update, |cx, log| {
        if cx.is_active() {
            cx.cancel_self().unwrap();
            log.add("P goes on to the end of its call");
        }
    });
    let mut show = Show::new(vec![r, p, puppet("C", &[])]);
    let lines = show.tick();
    let end = lines.iter().position(|l| l == "P.update").unwrap();
    let expected = [
        "P.update",
        "P goes on to the end of its call",
        "C.deactivated cancelled Behavior(BehaviorId(1))",
        "C.left",
        "P.deactivated cancelled Itself",
        "R.told #2 cancelled Itself",
    ];
    assert_eq!(lines[end..], expected);
}

#[test]
fn an_end_never_reaches_another_delegation_or_one_that_was_cancelled() {
    // A ends when it is activated; its parent takes control back and delegates to it once more in the same call. Of the first
    // delegation it is told nothing but the end that A gave it, under its own ticket.
    let mut round = 0;
    let p = puppet("P", &["A"]).on(Hook::Activated, move |cx, log| {
        round += 1;
        let ticket = offer(cx, "A").unwrap();
        log.add(format!("P delegates {ticket} in round {round}"));
    });
    // The root cancels P before it can be told.
    let mut first = true;
    let r = puppet("R", &["P"]).on(Hook::Update, move |cx, log| {
        if std::mem::take(&mut first) {
            offer(cx, "P").unwrap();
            cx.cancel_delegates().unwrap();
            let again = offer(cx, "P").unwrap();
            log.add(format!("R delegates {again}"));
        }
    });
    let a = puppet("A", &[]).on(Hook::Activated, |cx, _| cx.complete(Value::Null));
    let mut show = Show::new(vec![r, p, a]);
    let lines = show.tick();
    let told: Vec<&String> = lines.iter().filter(|l| l.contains("told") || l.contains("delegates")).collect();
    assert_eq!(
        told,
        ["P delegates #3 in round 1", "P delegates #5 in round 2", "R delegates #4", "P.told #5 done null"]
    );
}

#[test]
fn what_has_ended_before_a_cancel_in_the_same_call_is_not_told_after_it() {
    let mut first = true;
    let r = puppet("R", &["A", "B"]).on(Hook::Update, move |cx, log| {
        if std::mem::take(&mut first) {
            // A has ended when this returns; that is told once the call is over, unless there is a cancel.
            offer(cx, "A").unwrap();
            log.add(format!("cancelled {:?}", cx.cancel_delegates()));
            offer(cx, "B").unwrap();
        }
    });
    let a = puppet("A", &[]).on(Hook::Activated, |cx, _| cx.complete(Value::Null));
    let mut show = Show::new(vec![r, a, puppet("B", &[])]);
    let lines = show.tick();
    assert!(lines.contains(&"A.deactivated done null".to_owned()) && lines.contains(&"cancelled Ok(0)".to_owned()));
    assert!(!lines.iter().chain(&show.tick()).any(|line| line.contains("told")), "{lines:?}");
    assert_eq!(show.active(), ["R", "B"]);
}

struct Wave {
    left: u32,
    log: super::puppet::Log,
}

impl Action for Wave {
    fn start(&mut self, _: &mut Control<'_>, value: &Value) {
        self.log.add(format!("wave starts {value}"));
    }
    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        self.left -= 1;
        if self.left == 0 { Progress::Done("waved".into()) } else { Progress::Running }
    }
    fn stop(&mut self, _: &mut Control<'_>) {
        self.log.add("wave stops");
    }
}

fn waving(ticks: u32, root: super::puppet::Puppet) -> (boxstep_kernel::runner::Runner, super::puppet::Log) {
    let log = super::puppet::Log::default();
    let mut plan = Plan::new();
    plan.add("R", root);
    plan.action("wave", Wave { left: ticks, log: log.clone() });
    (plan.build(Settings::new("R")).unwrap(), log)
}

#[test]
fn a_plain_action_is_a_delegate_that_starts_is_polled_and_ends() {
    let r = puppet("R", &["wave"]).on(Hook::Activated, |cx, _| {
        let wave = cx.find("wave").unwrap();
        cx.ask(wave).unwrap();
        cx.delegate(&[wave], "high".into()).unwrap();
    });
    let (mut runner, log) = waving(2, r);
    runner.keep_account(true);
    runner.tick(Time::ZERO);
    assert_eq!(log.take(), ["wave starts \"high\""]);
    assert_eq!(runner.active().len(), 2);
    runner.take_account();
    runner.tick(Time::ZERO);
    assert_eq!(runner.active().len(), 1);
    assert!(log.take().is_empty(), "what has ended is not stopped");
    let ended = runner.take_account();
    assert!(ended.iter().any(|h| matches!(&h.what, What::Ended(_, End::Done(v)) if *v == Value::from("waved"))));
}

#[test]
fn a_plain_action_that_is_cancelled_is_stopped() {
    let r = puppet("R", &["wave"]).offers(&["wave"]).on(Hook::Update, cancels_in(2));
    let (mut runner, log) = waving(9, r);
    runner.tick(Time::ZERO);
    runner.tick(Time::ZERO);
    assert_eq!(log.take(), ["wave starts null", "wave stops"]);
}

#[test]
fn a_plain_action_is_visited_only_while_it_is_active() {
    let r = puppet("R", &["wave"]).on(Hook::Update, |cx, _| cx.tick() == 3 && offer(cx, "wave").is_ok());
    let (mut runner, _) = waving(2, r);
    let wave = runner.find("wave").unwrap();
    let updated: Vec<u64> = (0..6)
        .map(|_| {
            runner.tick(Time::ZERO);
            runner.view(wave).updated
        })
        .collect();
    assert_eq!(updated, [0, 0, 3, 4, 4, 4]);
}

#[test]
fn who_needs_no_updates_gets_none_and_does_all_else() {
    let r = puppet("R", &["P", "Q"]).offers(&["P"]).no_updates();
    let p = puppet("P", &["C"]).offers(&["C"]).no_updates();
    let c = puppet("C", &[]).on(Hook::Update, |cx, _| cx.tick() == 2 && cx.complete(Value::Null).is_ok());
    let p = p.on(Hook::DelegateEnded, |cx, _| cx.complete(Value::Null));
    let r = r.on(Hook::DelegateEnded, |cx, _| offer(cx, "Q"));
    let mut show = Show::new(vec![r, p, c, puppet("Q", &[]).no_updates()]);
    let lines: Vec<String> = (0..4).flat_map(|_| show.tick()).collect();
    let updates: Vec<&String> = lines.iter().filter(|line| line.ends_with(".update")).collect();
    assert_eq!(updates, ["C.update", "C.update"]);
    assert_eq!(show.active(), ["R", "Q"]);
    assert_eq!((show.view("R").updated, show.view("Q").updated, show.view("C").updated), (0, 0, 2));
}

#[test]
fn those_in_scope_have_their_turn_in_the_tick_in_which_one_of_them_ends() {
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::DelegateEnded, |cx, _| offer(cx, "B"));
    let a = puppet("A", &[]).on(Hook::Update, |cx, _| cx.tick() == 4 && cx.complete(Value::Null).is_ok());
    let mut show = Show::new(vec![r, a, puppet("B", &["C"]), puppet("C", &[])]);
    for tick in 1..7 {
        let mut updates: Vec<String> = show.tick().into_iter().filter(|line| line.ends_with(".update")).collect();
        updates.sort();
        let in_scope: &[&str] = if tick < 4 { &["A", "B", "R"] } else { &["A", "B", "C", "R"] };
        assert_eq!(updates, in_scope.iter().map(|name| format!("{name}.update")).collect::<Vec<_>>());
    }
}

#[test]
fn a_hook_that_panics_takes_nobody_else_along() {
    let r = puppet("R", &["A", "B", "C"]).offers(&["A"]);
    let b = puppet("B", &[]).on(Hook::Update, |cx, _| assert_ne!(cx.tick(), 3, "on purpose"));
    let mut show = Show::new(vec![r, puppet("A", &[]), b, puppet("C", &[])]);
    show.tick();
    show.tick();
    let tick = std::panic::AssertUnwindSafe(|| show.runner.tick(Time::ZERO));
    assert!(std::panic::catch_unwind(tick).is_err());
    show.log.take();
    let lines = show.tick();
    assert!(["R", "A", "C"].iter().all(|name| lines.contains(&format!("{name}.update"))), "{lines:?}");
    show.runner.stop();
    assert!(show.log.take().contains(&"C.left".to_owned()));
}
