//! What behaviors lock is claimed from the engine's resources: boxes, scripts and other runners see it, and are seen.

use super::hosted::{PERIOD, Seen, built, hosted_with};
use super::puppet::{Log, Puppet, offer, puppet};
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, ResourceTree};
use boxstep_engine::runner::{BehaviorRunner, DeferredCalls, Hook, RunnerId, Wants};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

/// Legs and what they have, arms, and a state.
fn robot() -> Config {
    let child = |name: &str, parent: Option<&str>| (name.to_owned(), parent.map(str::to_owned));
    let parents =
        [child("Legs", None), child("Left leg", Some("Legs")), child("Right leg", Some("Legs")), child("Arms", None)];
    let resources = ResourceTree { parents: parents.into_iter().collect(), states: vec!["Standing".to_owned()] };
    Config { resources, ..Config::default() }
}

fn hosted(puppets: Vec<Puppet>) -> (Engine, RunnerId, Log, Seen) {
    let (mut engine, id, log, seen) = hosted_with(robot(), puppets);
    engine.keep_open(true);
    (engine, id, log, seen)
}

/// Offers control in each tick in which nobody has it, and writes down who does not want it.
fn offers(root: Puppet, to: &'static str) -> Puppet {
    root.on(Hook::Update, move |cx, log| {
        let id = cx.find(to).unwrap();
        if cx.can_delegate() {
            match cx.ask(id) {
                Ok(Wants::Yes) => drop(cx.delegate_to(id).unwrap()),
                other => log.add(format!("{other:?}")),
            }
        }
    })
}

/// Does something in its update of this tick.
fn in_tick(
    root: Puppet,
    tick: u64,
    does: impl Fn(&mut boxstep_engine::runner::Control<'_>) + Send + 'static,
) -> Puppet {
    root.on(Hook::Update, move |cx, _| {
        if cx.tick() == tick {
            does(cx);
        }
    })
}

fn to(engine: &mut Engine, ticks: i64) {
    engine.run_until(Time(PERIOD.0 * ticks + PERIOD.0 / 2)).unwrap();
}

/// What ALResourceManager answers to somebody outside; nothing as long as it waits.
pub fn manages(engine: &mut Engine, method: &str, args: Vec<Value>) -> Arc<Mutex<Option<Result<Value, String>>>> {
    let answer = Arc::new(Mutex::new(None));
    let told = answer.clone();
    engine.call_from_outside(
        "ALResourceManager",
        method,
        &args,
        Box::new(move |said| *told.lock().unwrap() = Some(said)),
    );
    answer
}

fn is_free(engine: &mut Engine, name: &str) -> bool {
    let answer = manages(engine, "isResourceFree", vec![name.into()]);
    let answer = answer.lock().unwrap().clone().unwrap();
    answer.unwrap().truthy()
}

fn acquires(engine: &mut Engine, name: &str, seconds: i64) -> Arc<Mutex<Option<Result<Value, String>>>> {
    manages(engine, "acquireResource", vec![name.into(), "Somebody".into(), "".into(), seconds.into()])
}

fn releases(engine: &mut Engine, name: &str) {
    manages(engine, "releaseResource", vec![name.into(), "Somebody".into()]);
}

/// The lines about resources, without numbers.
fn resources(engine: &mut Engine, seen: &Seen) -> Vec<String> {
    let about = |text: &str| ["taken", "released", "waiting", "refused"].iter().any(|end| text.ends_with(end));
    seen.lines(engine).into_iter().map(|(.., text)| text).filter(|text| about(text)).collect()
}

#[test]
fn what_a_behavior_locks_the_engine_holds_for_it_from_its_activation_until_it_has_wound_down() {
    let r = in_tick(puppet("R", &["A"]).offers(&["A"]), 3, |cx| _ = cx.cancel_delegates().unwrap());
    let (mut engine, _, _, seen) = hosted(vec![r, puppet("A", &[]).locks(&["Legs"]).slow(0, 2, 0)]);
    to(&mut engine, 1);
    assert!(!is_free(&mut engine, "Legs") && !is_free(&mut engine, "Left leg") && is_free(&mut engine, "Arms"));
    to(&mut engine, 3);
    assert!(!is_free(&mut engine, "Legs"), "it winds down");
    to(&mut engine, 5);
    assert!(is_free(&mut engine, "Legs"));
    let lines = seen.lines(&mut engine);
    let line = |text: &str| lines.iter().find(|(.., t)| t == text).unwrap_or_else(|| panic!("{text}: {lines:#?}"));
    // What it is taken for, and what it is released by.
    assert_eq!(line("R/A Legs taken").1, line("R/A activated #2").0);
    assert_eq!(line("R/A Legs released").1, line("R/A deactivated").0);
}

#[test]
fn who_needs_what_somebody_outside_has_says_no_until_it_is_free() {
    let r = offers(puppet("R", &["A"]), "A");
    let (mut engine, _, log, _) = hosted(vec![r, puppet("A", &[]).locks(&["Legs"])]);
    // A part of it is enough.
    assert_eq!(*acquires(&mut engine, "Left leg", 0).lock().unwrap(), Some(Ok(Value::Null)));
    to(&mut engine, 2);
    let lines = log.take();
    assert_eq!(lines.iter().filter(|line| *line == "Ok(No(Taken(0)))").count(), 3, "{lines:?}");
    releases(&mut engine, "Left leg");
    to(&mut engine, 3);
    assert!(log.take().contains(&"A.activated".to_owned()));
}

#[test]
fn somebody_outside_waits_for_what_a_behavior_has_or_is_refused() {
    let r = in_tick(puppet("R", &["A"]).offers(&["A"]), 4, |cx| _ = cx.cancel_delegates().unwrap());
    let (mut engine, _, _, seen) = hosted(vec![r, puppet("A", &[]).locks(&["Legs"])]);
    to(&mut engine, 1);
    let (refused, waits) = (acquires(&mut engine, "Right leg", 0), acquires(&mut engine, "Right leg", 60));
    assert!(refused.lock().unwrap().clone().unwrap().is_err());
    assert_eq!(*waits.lock().unwrap(), None);
    to(&mut engine, 5);
    assert_eq!(*waits.lock().unwrap(), Some(Ok(Value::Null)));
    let expected = [
        "R/A Legs taken",
        "Somebody Right leg refused",
        "Somebody Right leg waiting",
        "R/A Legs released",
        "Somebody Right leg taken",
    ];
    assert_eq!(resources(&mut engine, &seen), expected);
}

#[test]
fn two_runners_share_the_robot() {
    let one = in_tick(puppet("One", &["A"]).offers(&["A"]), 3, |cx| _ = cx.cancel_delegates().unwrap());
    let (mut engine, _, _, seen) = hosted(vec![one, puppet("A", &[]).locks(&["Legs"])]);
    let (other, log) = built(vec![offers(puppet("Other", &["B"]), "B"), puppet("B", &[]).locks(&["Left leg"])]);
    engine.add_runner(other, PERIOD).unwrap();
    to(&mut engine, 1);
    assert!(log.take().contains(&"Ok(No(Taken(0)))".to_owned()));
    to(&mut engine, 4);
    assert!(log.take().contains(&"B.activated".to_owned()));
    assert_eq!(resources(&mut engine, &seen), ["One/A Legs taken", "One/A Legs released", "Other/B Left leg taken"]);
}

#[test]
fn a_part_of_a_resource_and_the_whole_are_in_each_others_way_within_a_runner_too() {
    let r = puppet("R", &["One", "Other"]).offers(&[]).together(&["One", "Other"]).on(Hook::Activated, |cx, log| {
        // Whoever has the legs has the left one: not side by side.
        log.add(format!("{:?}", super::puppet::offer_all(cx, &["One", "Other"]).map(drop)));
        offer(cx, "One").unwrap();
    });
    let r = r.on(Hook::Update, |cx, log| {
        let other = cx.find("Other").unwrap();
        log.add(format!("{:?}", cx.ask(other)));
    });
    let one = puppet("One", &["Inside"]).locks(&["Legs"]).offers(&["Inside"]);
    let inside = puppet("Inside", &[]).locks(&["Right leg"]);
    let (mut engine, id, log, _) = hosted(vec![r, one, puppet("Other", &[]).locks(&["left leg"]), inside]);
    to(&mut engine, 0);
    let lines = log.take();
    assert!(lines.contains(&"Err(Taken)".to_owned()), "{lines:?}");
    // What its own delegate has, who asks can take back; a delegate uses what those on the way to it hold.
    assert!(lines.contains(&"Ok(Yes)".to_owned()) && lines.contains(&"Inside.activated".to_owned()), "{lines:?}");
    assert_eq!(engine.runner(id).unwrap().active().len(), 3);
}

#[test]
fn names_that_the_robot_does_not_have_are_the_behaviors_own_and_large_letters_do_not_matter() {
    let r = puppet("R", &["A"]).offers(&["A"]);
    let (mut engine, _, log, seen) = hosted(vec![r, puppet("A", &[]).locks(&["stage", "left LEG"])]);
    to(&mut engine, 1);
    assert!(log.take().contains(&"A.activated".to_owned()));
    assert_eq!(resources(&mut engine, &seen), ["R/A Left leg taken"]);
}

#[test]
fn any_number_of_behaviors_hold_a_state_of_the_robot() {
    let r = puppet("R", &["A"]).offers(&["A"]);
    let (mut engine, _, log, _) = hosted(vec![r, puppet("A", &[]).locks(&["Standing"])]);
    assert_eq!(*acquires(&mut engine, "Standing", 0).lock().unwrap(), Some(Ok(Value::Null)));
    to(&mut engine, 0);
    assert!(log.take().contains(&"A.activated".to_owned()));
}

#[test]
fn who_takes_over_in_the_same_tick_has_it_before_anybody_who_waits() {
    let r = in_tick(puppet("R", &["A", "B"]).offers(&["A"]), 3, |cx| {
        cx.cancel_delegates().unwrap();
        offer(cx, "B").unwrap();
    });
    let (mut engine, _, _, seen) =
        hosted(vec![r, puppet("A", &[]).locks(&["Legs"]), puppet("B", &[]).locks(&["Legs"])]);
    to(&mut engine, 1);
    let waits = acquires(&mut engine, "Legs", 60);
    to(&mut engine, 5);
    assert_eq!(*waits.lock().unwrap(), None);
    let expected = ["R/A Legs taken", "Somebody Legs waiting", "R/B Legs taken", "R/A Legs released"];
    assert_eq!(resources(&mut engine, &seen), expected);
}

#[test]
fn a_root_which_nobody_asks_runs_without_what_it_cannot_have_and_has_it_later() {
    let seen = Seen::default();
    let mut engine = Engine::traced(robot(), vec![Box::new(seen.clone())]);
    engine.keep_open(true);
    acquires(&mut engine, "Legs", 0);
    engine.add_runner(built(vec![puppet("R", &[]).locks(&["Legs"])]).0, PERIOD).unwrap();
    to(&mut engine, 2);
    let lines = seen.lines(&mut engine);
    let warnings =
        lines.iter().filter(|(.., text)| text.starts_with("warning: it runs without the resource Legs")).count();
    assert_eq!(warnings, 1, "{lines:#?}");
    releases(&mut engine, "Legs");
    to(&mut engine, 3);
    assert!(!is_free(&mut engine, "Legs"));
}

#[test]
fn who_is_forced_and_who_is_stopped_holds_nothing() {
    let r = puppet("R", &["A"]).offers(&["A"]);
    let (mut engine, id, _, _) = hosted(vec![r.locks(&["Arms"]), puppet("A", &[]).locks(&["Legs"]).slow(0, 999, 0)]);
    to(&mut engine, 1);
    engine.stop_runner(id);
    assert!(is_free(&mut engine, "Arms") && !is_free(&mut engine, "Legs"), "A winds down");
    to(&mut engine, 105);
    assert!(is_free(&mut engine, "Legs"));
}

#[test]
fn a_claim_of_this_tick_is_seen_under_every_name_of_the_resource_and_of_its_parts() {
    let looks = |cx: &mut boxstep_engine::runner::Control<'_>, log: &Log| {
        let is = ["legs", "Left leg", "Arms", "mind"].map(|name| cx.runner().is_claimed(name));
        log.add(format!("in tick {}: {is:?}", cx.tick()));
    };
    // R looks before and after it gives control to one that claims, in one tick.
    let r = puppet("R", &["A"]).on(Hook::Update, move |cx, log| {
        looks(cx, log);
        if cx.tick() == 2 {
            offer(cx, "A").unwrap();
            looks(cx, log);
        }
        if cx.tick() == 4 {
            cx.cancel_delegates().unwrap();
            looks(cx, log);
        }
    });
    let (runner, log) = built(vec![r, puppet("A", &[]).locks(&["Legs", "mind"]).slow(0, 1, 0)]);
    let looked = ["legs", "Left leg", "Arms", "mind"].map(Arc::from);
    let mut engine = Engine::traced(robot(), Vec::new());
    engine.keep_open(true);
    engine.add_runner_with(runner, PERIOD, DeferredCalls::watching([], looked)).unwrap();
    to(&mut engine, 5);
    let said: Vec<String> = log.take().into_iter().filter(|line| line.starts_with("in tick")).collect();
    let line = |tick: u32, claimed: bool| format!("in tick {tick}: {:?}", [claimed, claimed, false, claimed]);
    let expected = [(1, false), (2, false), (2, true), (3, true), (4, true), (4, true), (5, false), (6, false)];
    assert_eq!(said, expected.map(|(tick, claimed)| line(tick, claimed)));
}

#[test]
fn a_resource_that_a_script_makes_is_claimed_from_the_next_tick_on_and_one_that_it_takes_away_is_not() {
    let wheels = || Value::from("Wheels");
    let makes = |engine: &mut Engine| manages(engine, "createResource", vec![wheels(), "".into()]);
    let (mut engine, _, _, _) = hosted(vec![puppet("R", &["A"]).offers(&["A"]), puppet("A", &[]).locks(&["wheels"])]);
    to(&mut engine, 1);
    assert!(makes(&mut engine).lock().unwrap().clone().unwrap().is_ok());
    assert!(is_free(&mut engine, "Wheels"));
    to(&mut engine, 2);
    assert!(!is_free(&mut engine, "Wheels"), "A, which runs, has it");
    manages(&mut engine, "deleteResource", vec![wheels()]);
    to(&mut engine, 3);
    makes(&mut engine);
    assert!(is_free(&mut engine, "Wheels"), "nothing is left of the claim of what was taken away");
    to(&mut engine, 4);
    assert!(!is_free(&mut engine, "Wheels"));
}
