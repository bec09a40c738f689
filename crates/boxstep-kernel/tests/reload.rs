//! Another plan for a runner that runs.

use crate::puppet::{Log, Puppet, offer, puppet};
use boxstep_kernel::runner::{Delegates, Exchange, Happened, Hook, NotTaken, Plan, Runner, Settings, What};
use boxstep_types::Time;

fn runner(puppets: Vec<Puppet>) -> (Runner, Log) {
    let log = Log::default();
    let mut plan = Plan::new();
    let root = puppets[0].name();
    for puppet in puppets {
        puppet.add_to(&mut plan, &log);
    }
    let mut runner = plan.build(Settings::new(root)).unwrap();
    runner.tick(Time::ZERO);
    log.take();
    (runner, log)
}

fn all(names: &[&'static str]) -> Delegates {
    let mut all = Delegates::default();
    for name in names {
        all.add(*name);
    }
    all
}

fn reload(runner: &mut Runner, new: Exchange) -> Result<(), NotTaken> {
    runner.reload(new, Time::from_millis(50)).map_err(|refused| refused.0)
}

fn active(runner: &Runner) -> Vec<&str> {
    runner.active().into_iter().map(|id| runner.name(id)).collect()
}

#[test]
fn a_plan_that_keeps_everybody_changes_nothing() {
    let (mut runner, log) = runner(vec![puppet("R", &["A", "B"]).offers(&["A"]), puppet("A", &[]), puppet("B", &[])]);
    runner.keep_account(true);
    let mut new = Exchange::new(Settings::new("R"));
    new.keep("R").keep("A").keep("B");
    reload(&mut runner, new).unwrap();
    assert_eq!((log.take(), runner.take_account()), (vec![], vec![]));
    runner.tick(Time::from_millis(100));
    assert_eq!(log.take(), ["R.update", "A.update", "B.update"]);
}

#[test]
fn who_is_new_comes_into_scope_and_who_is_gone_leaves_it_first() {
    let (mut runner, log) = runner(vec![puppet("R", &["A", "B"]).offers(&["A"]), puppet("A", &[]), puppet("B", &[])]);
    let mut new = Exchange::new(Settings::new("R"));
    new.renew("R", all(&["A", "C"]), ()).keep("A");
    let mut c = puppet("C", &[]);
    c = c.on(Hook::Init, |_, _| ());
    let (name, behavior) = c.with(&log);
    new.add(name, behavior);
    reload(&mut runner, new).unwrap();
    assert_eq!(log.take(), ["B.left", "C.init", "C.entered"]);
    assert_eq!(active(&runner), ["R", "A"]);
    runner.tick(Time::from_millis(100));
    assert_eq!(log.take(), ["R.update", "A.update", "C.update"]);
    assert!(runner.find("B").is_none());
    runner.stop();
    assert!(runner.is_over());
    assert!(runner.behaviors().all(|id| runner.view(id).scopes == 0));
}

#[test]
fn a_new_behavior_of_the_same_name_is_another_instance_and_its_parent_finds_it() {
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::Update, |cx, _| {
        if cx.tick() == 3 {
            use boxstep_kernel::runner::BehaviorRunner as _;
            cx.cancel_delegates().unwrap();
            offer(cx, "B").unwrap();
        }
    });
    let (mut runner, log) = runner(vec![r, puppet("A", &[]), puppet("B", &[])]);
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("B", &[]).on(Hook::Activated, |_, log| log.add("the new one")).with(&log);
    new.keep("R").keep("A").add(name, behavior);
    reload(&mut runner, new).unwrap();
    assert_eq!(log.take(), ["B.left", "B.init", "B.entered"]);
    runner.tick(Time::from_millis(100));
    runner.tick(Time::from_millis(200));
    assert!(log.take().contains(&"the new one".to_owned()));
    assert_eq!(active(&runner), ["R", "B"]);
}

#[test]
fn who_is_to_be_replaced_and_runs_is_waited_for_and_nothing_has_changed() {
    let (mut runner, log) = runner(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[])]);
    let before = runner.fingerprint();
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("A", &[]).with(&log);
    new.keep("R").add(name, behavior);
    assert_eq!(reload(&mut runner, new), Err(NotTaken::Run(vec!["A".into()])));
    assert_eq!((runner.fingerprint(), log.take()), (before, vec![]));
}

#[test]
fn one_that_is_let_go_without_consent_is_waited_for() {
    let (mut runner, _) = runner(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[])]);
    let mut new = Exchange::new(Settings::new("R"));
    new.renew("R", all(&[]), ());
    assert_eq!(reload(&mut runner, new), Err(NotTaken::Run(vec!["R".into()])));
}

#[test]
fn one_that_is_let_go_with_consent_is_cancelled_by_its_parent_and_may_wind_down() {
    let lets_go = puppet("R", &["A"]).offers(&["A"]).lets_go();
    let (mut runner, log) = runner(vec![lets_go, puppet("A", &[]).slow(0, 1, 0).locks(&["legs"])]);
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("B", &[]).locks(&["legs"]).with(&log);
    new.renew("R", all(&["B"]), ()).add(name, behavior);
    reload(&mut runner, new).unwrap();
    assert!(log.take()[0].starts_with("A.deactivated cancelled Behavior"));
    assert_eq!(active(&runner), ["R"]);
    for tick in 1..5 {
        runner.tick(Time::from_millis(100 * tick));
    }
    assert!(log.take().contains(&"A.left".to_owned()));
    assert!(runner.behaviors().all(|id| runner.view(id).holds == 0));
}

fn by_force(runner: &mut Runner, new: Exchange) -> Vec<String> {
    let anew = runner.would_restart(&new).unwrap();
    assert!(runner.reload_by_force(new, Time::from_millis(50)).is_ok());
    anew.iter().map(ToString::to_string).collect()
}

fn tickets(runner: &mut Runner) -> Vec<String> {
    let told = |h: Happened| match h.what {
        What::Activated(ticket) => Some(format!("activated {ticket}")),
        What::Restarts(ticket) => Some(format!("restarts {ticket}")),
        What::Ended(ticket, _) => Some(format!("ended {ticket}")),
        _ => None,
    };
    runner.take_account().into_iter().filter_map(told).collect()
}

#[test]
fn by_force_the_parent_of_one_that_is_replaced_begins_anew_under_its_ticket_and_its_own_parent_notices_nothing() {
    let p = puppet("P", &["A"]).offers(&["A"]);
    let (mut runner, log) = runner(vec![puppet("R", &["P"]).offers(&["P"]), p, puppet("A", &[])]);
    runner.keep_account(true);
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("A", &[]).with(&log);
    new.keep("R").keep("P").add(name, behavior);
    assert_eq!(by_force(&mut runner, new), ["P"]);
    let begins = ["A.deactivated cancelled Behavior(BehaviorId(1))", "A.left", "P.deactivated cancelled Reload"];
    assert_eq!(log.take(), [&begins[..], &["A.init", "A.entered", "P.activated", "A.wants", "A.activated"]].concat());
    assert_eq!(active(&runner), ["R", "P", "A"]);
    assert_eq!(tickets(&mut runner), ["ended #3", "restarts #2", "activated #2", "activated #4"]);
    runner.tick(Time::from_millis(100));
    assert_eq!(log.take(), ["R.update", "P.update", "A.update"]);
    runner.stop();
    assert!(runner.is_over() && runner.behaviors().all(|id| runner.view(id).scopes == 0));
}

#[test]
fn who_begins_anew_by_force_is_not_told_of_what_ended_before() {
    let a = puppet("A", &[]).on(Hook::Update, |cx, _| cx.complete(boxstep_types::Value::Null));
    let p = puppet("P", &["A"]).on(Hook::Activated, |cx, _| {
        if cx.tick() < 2 {
            offer(cx, "A").unwrap();
        }
    });
    let log = Log::default();
    let mut plan = Plan::new();
    for puppet in [puppet("R", &["P"]).offers(&["P"]), p, a] {
        puppet.add_to(&mut plan, &log);
    }
    let settings = || Settings { hand_over_next_tick: true, ..Settings::new("R") };
    let mut runner = plan.build(settings()).unwrap();
    runner.tick(Time::ZERO);
    assert_eq!(active(&runner), ["R", "P"], "P would be told in the next tick");
    let (mut new, mut of_p) = (Exchange::new(settings()), all(&["A"]));
    of_p.lock("Legs");
    new.keep("R").renew("P", of_p, ()).keep("A");
    let anew = by_force(&mut runner, new);
    assert_eq!(anew, ["P"]);
    log.take();
    runner.tick(Time::from_millis(100));
    assert!(!log.take().iter().any(|line| line.contains("told")));
    assert_eq!(active(&runner)[..2], ["R", "P"]);
}

#[test]
fn by_force_one_of_several_regions_begins_anew_in_its_place_and_the_others_go_on() {
    let r = puppet("R", &["A", "B"]).on(Hook::Activated, |cx, _| super::puppet::offer_all(cx, &["A", "B"]).unwrap());
    let a = puppet("A", &["X"]).offers(&["X"]);
    let (mut runner, log) = runner(vec![r, a, puppet("B", &[]), puppet("X", &[])]);
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("X", &[]).with(&log);
    new.keep("R").keep("A").keep("B").add(name, behavior);
    assert_eq!(by_force(&mut runner, new), ["A"]);
    assert_eq!(active(&runner), ["R", "A", "X", "B"]);
    log.take();
    runner.tick(Time::from_millis(100));
    assert_eq!(log.take(), ["R.update", "A.update", "X.update", "B.update"]);
}

#[test]
fn by_force_one_that_does_not_agree_begins_anew_itself() {
    let p = puppet("P", &["A", "B"]).on(Hook::Activated, |cx, _| {
        if cx.find("A").is_some() {
            offer(cx, "A").unwrap();
        }
    });
    let all_of = vec![puppet("R", &["P"]).offers(&["P"]), p, puppet("A", &[]), puppet("B", &[])];
    let (mut runner, log) = runner(all_of);
    let mut new = Exchange::new(Settings::new("R"));
    new.keep("R").renew("P", all(&["B"]), ()).keep("B");
    assert_eq!(by_force(&mut runner, new), ["P"]);
    let lines = log.take();
    assert!(lines.contains(&"A.left".to_owned()) && lines.contains(&"P.activated".to_owned()), "{lines:?}");
    assert_eq!(active(&runner), ["R", "P"]);
}

#[test]
fn by_force_a_root_that_is_none_any_more_ends_and_the_new_one_begins() {
    let (mut runner, log) = runner(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[])]);
    let mut new = Exchange::new(Settings::new("S"));
    let (name, behavior) = puppet("S", &["A"]).with(&log);
    new.keep("A").add(name, behavior);
    assert_eq!(by_force(&mut runner, new), ["S"]);
    assert_eq!(active(&runner), ["S"]);
    let lines = log.take();
    let ends =
        ["A.deactivated cancelled Behavior(BehaviorId(0))", "A.left", "R.deactivated cancelled Reload", "R.left"];
    assert_eq!(lines, [&ends[..], &["S.init", "S.entered", "A.entered", "S.activated"]].concat());
    runner.stop();
    assert!(runner.is_over() && runner.behaviors().all(|id| runner.view(id).scopes == 0));
}

#[test]
fn who_begins_anew_by_force_waits_until_what_was_inside_has_wound_down() {
    let p = puppet("P", &["A"]).offers(&["A"]);
    let (mut runner, log) = runner(vec![puppet("R", &["P"]).offers(&["P"]), p, puppet("A", &[]).slow(0, 2, 0)]);
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("A", &[]).with(&log);
    new.keep("R").keep("P").add(name, behavior);
    by_force(&mut runner, new);
    assert_eq!(active(&runner), ["R"]);
    assert!(runner.view(runner.find("P").unwrap()).waits);
    for tick in 1..4 {
        runner.tick(Time::from_millis(100 * tick));
    }
    assert_eq!(active(&runner), ["R", "P", "A"]);
    assert!(!log.take().iter().any(|line| line.contains("told")), "R notices nothing");
}

#[test]
fn by_force_a_delegation_that_waits_for_one_that_is_gone_makes_its_parent_begin_anew() {
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::Update, |cx, _| {
        if cx.tick() == 2 {
            use boxstep_kernel::runner::BehaviorRunner as _;
            cx.cancel_delegates().unwrap();
            offer(cx, "B").unwrap();
        }
    });
    let (mut runner, _) = runner(vec![r, puppet("A", &[]).slow(0, 9, 0), puppet("B", &[])]);
    runner.tick(Time::from_millis(50));
    assert!(runner.view(runner.find("B").unwrap()).waits);
    let plan = || {
        let mut new = Exchange::new(Settings::new("R"));
        new.renew("R", all(&["A"]), ()).keep("A");
        new
    };
    assert_eq!(reload(&mut runner, plan()), Err(NotTaken::Run(vec!["B".into()])));
    assert_eq!(by_force(&mut runner, plan()), ["R"]);
    assert!(runner.view(runner.find("R").unwrap()).waits, "until A has wound down");
}

#[test]
fn what_nobody_is_in_the_way_of_is_taken_by_force_as_it_is_without() {
    let (mut runner, log) = runner(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[])]);
    let mut new = Exchange::new(Settings::new("R"));
    new.keep("R").keep("A");
    assert!(by_force(&mut runner, new).is_empty());
    assert!(log.take().is_empty());
}

#[test]
fn a_plan_that_breaks_a_law_or_keeps_nobody_is_refused() {
    let (mut runner, _) = runner(vec![puppet("R", &["A"]), puppet("A", &[])]);
    let mut new = Exchange::new(Settings::new("R"));
    new.renew("R", all(&["Nobody"]), ()).keep("A");
    assert!(matches!(reload(&mut runner, new), Err(NotTaken::Broken(laws)) if !laws.is_empty()));
    let mut new = Exchange::new(Settings::new("R"));
    new.keep("R").keep("A").keep("B");
    assert_eq!(reload(&mut runner, new), Err(NotTaken::Unknown("B".into())));
    runner.stop();
    let mut new = Exchange::new(Settings::new("R"));
    new.keep("R").keep("A");
    assert_eq!(reload(&mut runner, new), Err(NotTaken::Over));
}

#[test]
fn a_new_plan_says_anew_who_needs_updates() {
    let (mut runner, log) = runner(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[]).no_updates()]);
    let mut new = Exchange::new(Settings::new("R"));
    let mut quiet = all(&["A", "B"]);
    quiet.no_updates();
    new.renew("R", quiet, ()).keep("A");
    let (name, behavior) = puppet("B", &[]).with(&log);
    new.add(name, behavior);
    reload(&mut runner, new).unwrap();
    log.take();
    runner.tick(Time::from_millis(100));
    assert_eq!(log.take(), ["B.update"]);
    let mut new = Exchange::new(Settings::new("R"));
    new.renew("R", all(&["A", "B"]), ()).keep("B").renew("A", all(&[]), ());
    reload(&mut runner, new).unwrap();
    log.take();
    runner.tick(Time::from_millis(200));
    assert_eq!(log.take(), ["R.update", "A.update", "B.update"]);
}
