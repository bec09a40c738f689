//! Another plan for a runner that runs.

use crate::puppet::{Log, Puppet, offer, puppet};
use boxstep_engine::runner::{Delegates, Exchange, Hook, NotTaken, Plan, Runner, Settings};
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
            use boxstep_engine::runner::BehaviorRunner as _;
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
