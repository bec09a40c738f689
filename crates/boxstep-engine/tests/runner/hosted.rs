//! A runner on an engine's clock, in its trace.

use super::puppet::{Log, Puppet, puppet};
use super::told::delegation;
use crate::support::word;
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::runner::{Delegates, Exchange, Hook, NotHosted, Plan, RELOAD_WITHIN, Runner, RunnerId, Settings};
use boxstep_engine::services::Topic;
use boxstep_engine::trace::{EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

pub const PERIOD: Time = Time::from_millis(100);

#[derive(Clone, Default)]
pub struct Seen(Arc<Mutex<Vec<Line>>>);

/// Number, cause, milliseconds, text.
pub type Line = (u64, u64, i64, String);

impl Seen {
    /// All lines so far.
    pub fn lines(&self, engine: &mut Engine) -> Vec<Line> {
        engine.flush_trace();
        self.0.lock().unwrap().clone()
    }
}

impl Sink for Seen {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut seen = self.0.lock().unwrap();
        for e in events {
            let text = match &e.kind {
                Kind::Delegation(told) => {
                    format!("{} {}", paths.text(e.path), delegation(told))
                }
                Kind::Warning { text } => format!("warning: {text}"),
                Kind::Resource(claimed) => {
                    let who = claimed.owner.as_deref().map_or_else(|| paths.text(e.path), str::to_owned);
                    format!("{who} {} {}", claimed.name, claimed.what)
                }
                Kind::Service(asked) => format!("{} calls {}.{}", paths.text(e.path), asked.service, asked.method),
                Kind::Reload(told) => format!("reload {}: {}", told.phase, told.text),
                other => word(other, "kind"),
            };
            seen.push((e.n, e.cause, e.t.0 / 1_000_000, text));
        }
    }
    fn end(&mut self, _: &Footer) {}
}

pub fn built(puppets: Vec<Puppet>) -> (Runner, Log) {
    let log = Log::default();
    let mut plan = Plan::new();
    let root = puppets[0].name();
    for puppet in puppets {
        puppet.add_to(&mut plan, &log);
    }
    let runner = plan.build(Settings { max_hops: 5, ..Settings::new(root) }).unwrap();
    log.take();
    (runner, log)
}

fn hosted(puppets: Vec<Puppet>) -> (Engine, RunnerId, Log, Seen) {
    hosted_with(Config::default(), puppets)
}

pub fn hosted_with(config: Config, puppets: Vec<Puppet>) -> (Engine, RunnerId, Log, Seen) {
    let seen = Seen::default();
    let mut engine = Engine::traced(config, vec![Box::new(seen.clone())]);
    let (runner, log) = built(puppets);
    let id = engine.add_runner(runner, PERIOD).unwrap();
    (engine, id, log, seen)
}

#[test]
fn a_runner_ticks_on_the_engines_clock() {
    let r = puppet("R", &[]).on(Hook::Update, |cx, log| log.add(format!("at {}", cx.now().0 / 1_000_000)));
    let (mut engine, _, log, _) = hosted(vec![r]);
    engine.run_until(Time::from_millis(250)).unwrap();
    let at: Vec<String> = log.take().into_iter().filter(|l| l.starts_with("at")).collect();
    assert_eq!(at, ["at 0", "at 100", "at 200"]);
}

#[test]
fn what_happens_stands_in_the_one_trace_with_paths_tickets_and_causes() {
    let r = puppet("R", &["P"]).offers(&["P"]);
    let p = puppet("P", &[]).on(Hook::Update, |cx, _| {
        let _ = cx.fail("tired");
        let _ = cx.complete(Value::Null);
    });
    let (mut engine, _, _, seen) = hosted(vec![r, p]);
    engine.run_until(Time::from_millis(50)).unwrap();
    engine.flush_trace();
    let seen = seen.0.lock().unwrap();
    let lines: Vec<(u64, &str)> = seen.iter().map(|(_, cause, _, text)| (*cause, text.as_str())).collect();
    let expected = [
        (0, "R entered"),
        (0, "R/P entered"),
        (0, "R activated #1"),
        (3, "R delegated P #2"),
        (4, "R/P activated #2"),
        (0, "R/P refused complete (it is being deactivated)"),
        (0, "R/P ended #2 failed (tired)"),
        (7, "R/P deactivated"),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn memory_events_are_inputs_of_the_next_tick_and_those_of_the_same_instant_of_that_tick() {
    let topic = || Topic::Memory("Touched".into());
    let r = puppet("R", &[]).on(Hook::Init, move |cx, _| cx.subscribe(topic())).on(Hook::Update, |cx, log| {
        let now = cx.now().0 / 1_000_000;
        let seen: Vec<String> = cx.events().map(|e| format!("{now}: {} from {}", e.value, e.t.0 / 1_000_000)).collect();
        seen.into_iter().for_each(|line| log.add(line));
    });
    let (mut engine, _, log, _) = hosted(vec![r]);
    for at in [150, 200] {
        let event = Control::Event { key: "Touched".into(), value: Value::Int(at) };
        engine.control(Time::from_millis(at), event).unwrap();
    }
    engine.run_until(Time::from_millis(400)).unwrap();
    let lines: Vec<String> = log.take().into_iter().filter(|l| l.contains("from")).collect();
    assert_eq!(lines, ["200: 150 from 150", "200: 200 from 200"]);
    assert_eq!(engine.waiting_for(), ["Touched"]);
}

#[test]
fn a_run_without_other_behaviors_ends_with_its_last_runner() {
    let mut ticks = 0;
    let r = puppet("R", &[]).on(Hook::Update, move |cx, _| {
        ticks += 1;
        if ticks == 3 {
            cx.complete(Value::Null).unwrap();
        }
    });
    let (mut engine, id, _, _) = hosted(vec![r]);
    use boxstep_engine::protocol::{Next, Scheduler};
    assert!(matches!(engine.next(), Next::Ended));
    let outcome = engine.outcome().unwrap();
    assert_eq!((outcome.reason, outcome.t), (EndReason::Ended, Time::from_millis(200)));
    assert!(engine.runner(id).unwrap().is_over());
    assert!(engine.waiting_for().is_empty());
}

#[test]
fn the_end_of_a_run_stops_runners_and_waits_until_they_have_wound_down() {
    let r = puppet("R", &["A"]).offers(&["A"]);
    let (mut engine, id, log, _) = hosted(vec![r, puppet("A", &[]).slow(0, 3, 0)]);
    engine.run_until(Time::from_millis(100)).unwrap();
    log.take();
    let footer = engine.end().unwrap();
    assert!(engine.runner(id).unwrap().is_over());
    assert_eq!(log.take(), ["A.deactivated cancelled Stop", "R.deactivated cancelled Stop", "R.left", "A.left"]);
    assert_eq!(footer.t, Time::from_millis(400));
}

#[test]
fn a_limit_ends_a_run_whose_runner_would_go_on() {
    use boxstep_engine::protocol::{Next, Scheduler};
    let config = Config { limit: Some(Time::from_millis(1000)), ..Config::default() };
    let mut engine = Engine::traced(config, Vec::new());
    let (runner, log) = built(vec![puppet("R", &[])]);
    engine.add_runner(runner, PERIOD).unwrap();
    assert!(matches!(engine.next(), Next::Ended));
    assert_eq!(engine.outcome().unwrap().reason, EndReason::Limit);
    assert_eq!(log.take().iter().filter(|l| *l == "R.update").count(), 10);
}

#[test]
fn a_run_that_ends_waits_for_no_delegate_longer_than_for_a_behavior_that_stops() {
    use boxstep_engine::protocol::{Next, Scheduler};
    for (control, seconds) in [(Control::Stop, 2), (Control::Interrupt, 1)] {
        let config = Config {
            stop_within: std::time::Duration::from_secs(2),
            interrupt_within: std::time::Duration::from_secs(1),
            ..Config::default()
        };
        let mut engine = Engine::traced(config, Vec::new());
        let r = puppet("R", &["A"]).offers(&["A"]);
        let (runner, log) = built(vec![r, puppet("A", &[]).slow(0, 999, 999)]);
        engine.add_runner(runner, PERIOD).unwrap();
        engine.control(Time::from_millis(500), control).unwrap();
        assert!(matches!(engine.next(), Next::Ended));
        assert_eq!(engine.outcome().unwrap().t, Time::from_millis(500 + 1000 * seconds));
        assert_eq!(log.take().iter().filter(|l| *l == "A.forced").count(), 2, "to wind down, then to leave");
    }
}

#[test]
fn one_runner_can_be_stopped_alone() {
    let (mut engine, id, log, _) = hosted(vec![puppet("R", &[])]);
    engine.keep_open(true);
    engine.run_until(Time::from_millis(100)).unwrap();
    log.take();
    assert!(engine.stop_runner(id));
    assert_eq!(log.take(), ["R.deactivated cancelled Stop", "R.left"]);
    engine.run_until(Time::from_millis(500)).unwrap();
    assert!(log.take().is_empty());
}

#[test]
fn a_livelock_is_a_warning_with_the_names_of_the_pair() {
    let end = |name| puppet(name, &[]).on(Hook::Activated, |cx, _| cx.complete(Value::Null));
    let mut turn = false;
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::DelegateEnded, move |cx, _| {
        turn = !turn;
        super::puppet::offer(cx, if turn { "B" } else { "A" })
    });
    let (mut engine, id, _, seen) = hosted(vec![r, end("A"), end("B")]);
    engine.run_until(Time::from_millis(50)).unwrap();
    engine.flush_trace();
    assert!(engine.runner(id).unwrap().is_over());
    let seen = seen.0.lock().unwrap();
    let warnings: Vec<&String> = seen.iter().map(|(_, _, _, text)| text).filter(|t| t.starts_with("warning")).collect();
    assert_eq!(warnings, ["warning: control goes round in no time: A, B"]);
}

#[test]
fn the_trace_is_a_function_of_plan_inputs_and_seed() {
    let run = || {
        let r = puppet("R", &["A", "B"]).on(Hook::Update, |cx, _| {
            let name = if cx.random() < 0.5 { "A" } else { "B" };
            let _ = boxstep_engine::runner::BehaviorRunner::cancel_delegates(cx);
            super::puppet::offer(cx, name).unwrap();
        });
        let (mut engine, _, _, seen) = hosted(vec![r, puppet("A", &[]), puppet("B", &[])]);
        engine.run_until(Time::from_millis(3000)).unwrap();
        engine.flush_trace();
        let seen = seen.0.lock().unwrap();
        assert!(["R/A activated", "R/B activated"].iter().all(|w| seen.iter().any(|(.., text)| text.starts_with(w))));
        seen.clone()
    };
    assert_eq!(run(), run());
}

#[test]
fn handles_of_others_are_known_as_such() {
    let (mut engine, id, _, seen) = {
        // The last behavior of a larger plan, of which the smaller one knows nothing.
        let mut larger = Plan::new();
        puppet("R", &["A"]).add_to(&mut larger, &Log::default());
        let foreign = puppet("A", &[]).add_to(&mut larger, &Log::default());
        let r = puppet("R", &[]).on(Hook::Activated, move |cx, log| {
            log.add(format!("{:?}", boxstep_engine::runner::BehaviorRunner::ask(cx, foreign)));
        });
        hosted(vec![r])
    };
    engine.run_until(Time::from_millis(10)).unwrap();
    engine.flush_trace();
    let refused = "R refused ask  (that is not a declared delegate)";
    assert!(seen.0.lock().unwrap().iter().any(|(.., text)| text == refused));
    let (mut other, ..) = hosted(vec![puppet("R", &[])]);
    assert!(other.runner(id).is_none() && !other.stop_runner(id));
    assert!(engine.runner(id).is_some());
}

#[test]
fn an_engine_refuses_runners_that_it_cannot_drive() {
    let mut engine = Engine::without_robot(Config::default());
    let fresh = || built(vec![puppet("R", &[])]).0;
    assert_eq!(engine.add_runner(fresh(), Time::ZERO).err(), Some(NotHosted::NoPeriod));
    let mut begun = fresh();
    begun.tick(Time::ZERO);
    assert_eq!(engine.add_runner(begun, PERIOD).err(), Some(NotHosted::Begun));
    let signal = Topic::Signal("ALNothing".into(), "happens".into());
    let wanted = signal.clone();
    let deaf = built(vec![puppet("R", &[]).on(Hook::Init, move |cx, _| cx.subscribe(wanted.clone()))]).0;
    assert!(matches!(engine.add_runner(deaf, PERIOD), Err(NotHosted::NoTopic(topic, _)) if topic == signal));
    assert!(engine.waiting_for().is_empty());
    engine.end().unwrap();
    assert_eq!(engine.add_runner(fresh(), PERIOD).err(), Some(NotHosted::Over));
}

#[test]
fn a_behavior_that_is_named_by_its_place_is_in_its_path_what_its_name_says_beyond_its_parents() {
    let r = puppet("R", &["R/1", "2", "R/2", "other/3"]).offers(&["R/1"]);
    let first = puppet("R/1", &["R/1/walk"]).offers(&["R/1/walk"]);
    let all = vec![r, first, puppet("R/1/walk", &[]), puppet("2", &[]), puppet("R/2", &[]), puppet("other/3", &[])];
    let (mut engine, _, _, seen) = hosted(all);
    engine.run_until(Time::from_millis(50)).unwrap();
    let lines = seen.lines(&mut engine);
    let entered: Vec<&str> = lines.iter().filter(|l| l.3.contains(" entered")).map(|l| &*l.3).collect();
    let expected = [
        "R entered",
        "R/1 entered [R/1]",
        "R/2 entered",
        // `R/2` is taken by the one that is called so.
        r"R/R\/2 entered",
        r"R/other\/3 entered",
        "R/1/walk entered [R/1/walk]",
    ];
    assert_eq!(entered, expected);
}

/// The lines of a trace, without those of delegations.
fn of_reloads(seen: &Seen) -> Vec<(i64, String)> {
    let seen = seen.0.lock().unwrap();
    seen.iter().filter(|line| line.3.starts_with("reload")).map(|(_, _, t, text)| (*t, text.clone())).collect()
}

#[test]
fn another_plan_is_taken_at_the_next_tick_told_and_its_topics_are_subscribed_to() {
    let r = puppet("R", &["A"]).offers(&["A"]).lets_go();
    let (mut engine, id, log, seen) = hosted(vec![r, puppet("A", &[])]);
    engine.run_until(Time::from_millis(150)).unwrap();
    let b = puppet("B", &[])
        .on(Hook::Init, |cx, _| cx.subscribe(Topic::Memory("Bell".into())))
        .on(Hook::Update, |cx, log| {
            cx.events().for_each(|e| log.add(format!("heard {} at {}", e.value, cx.now().0 / 1_000_000)))
        });
    let (name, behavior) = b.with(&log);
    let mut all = Delegates::default();
    all.add("B");
    let mut new = Exchange::new(Settings::new("R"));
    new.renew("R", all, ()).add(name, behavior);
    let told = log.clone();
    assert!(engine.reload_runner(id, new, "B is new", move |_| told.add("now")));
    let waker = Control::Event { key: "Bell".into(), value: Value::Int(7) };
    engine.control(Time::from_millis(250), waker).unwrap();
    log.take();
    engine.run_until(Time::from_millis(350)).unwrap();
    engine.flush_trace();
    let lines = log.take();
    assert_eq!(lines[0], "now", "before anything of it happens: {lines:?}");
    assert!(lines.contains(&"heard 7 at 300".to_owned()), "{lines:?}");
    assert_eq!(of_reloads(&seen), [(200, "reload taken: B is new".to_owned())]);
    let paths = seen.0.lock().unwrap().iter().any(|(_, _, t, text)| (*t, text.as_str()) == (200, "R/B entered"));
    assert!(paths, "who is new has a path");
}

#[test]
fn a_plan_that_somebody_is_in_the_way_of_waits_is_told_once_and_can_be_withdrawn() {
    let r = puppet("R", &["A"]).offers(&["A"]);
    let a = puppet("A", &[]).on(Hook::Update, |cx, _| {
        if cx.now() >= Time::from_millis(500) {
            let _ = cx.complete(Value::Null);
        }
    });
    let (mut engine, id, log, seen) = hosted(vec![r, a]);
    engine.run_until(Time::from_millis(50)).unwrap();
    let plan = || {
        let mut new = Exchange::new(Settings::new("R"));
        let (name, behavior) = puppet("A", &[]).with(&log);
        new.keep("R").add(name, behavior);
        new
    };
    assert!(engine.reload_runner(id, plan(), "A", |_| ()));
    engine.run_until(Time::from_millis(250)).unwrap();
    assert!(engine.forget_reload(id) && !engine.forget_reload(id));
    assert!(engine.reload_runner(id, plan(), "A again", |_| ()));
    engine.run_until(Time::from_millis(650)).unwrap();
    engine.flush_trace();
    let waits = "reload waiting: the new version waits: A runs; at most 30 s".to_owned();
    let withdrawn = "reload withdrawn: the plan in use is up to date again".to_owned();
    let expected = [(100, waits.clone()), (250, withdrawn), (300, waits), (600, "reload taken: A again".to_owned())];
    assert_eq!(of_reloads(&seen), expected);
}

#[test]
fn a_plan_that_waits_too_long_is_taken_by_force_and_who_was_in_its_way_is_told() {
    let r = puppet("R", &["P"]).offers(&["P"]);
    let (mut engine, id, log, seen) = hosted(vec![r, puppet("P", &["A"]).offers(&["A"]), puppet("A", &[])]);
    engine.run_until(Time::from_millis(50)).unwrap();
    let mut new = Exchange::new(Settings::new("R"));
    let (name, behavior) = puppet("A", &[]).with(&log);
    new.keep("R").keep("P").add(name, behavior);
    assert!(engine.reload_runner(id, new, "A", |_| ()));
    let end = Time::from_millis(100) + RELOAD_WITHIN;
    engine.run_until(end - Time::from_millis(50)).unwrap();
    log.take();
    engine.run_until(end + Time::from_millis(50)).unwrap();
    let lines = seen.lines(&mut engine);
    let expected = [
        (100, "reload waiting: the new version waits: A runs; at most 30 s".to_owned()),
        (30_100, "reload forced: the new version is taken by force, though A runs: P restarts".to_owned()),
        (30_100, "reload taken: A".to_owned()),
    ];
    assert_eq!(of_reloads(&seen), expected);
    let taken = lines.iter().position(|l| l.3.starts_with("reload taken")).unwrap();
    let after: Vec<&str> = lines[taken + 1..].iter().map(|l| &*l.3).collect();
    let expected = [
        "R/P/A ended [earlier: 2] #3 cancelled (by P)",
        "R/P/A left [earlier: 2]",
        "R/P/A deactivated [earlier: 2]",
        "R/P restarts #2",
        "R/P deactivated",
        "R/P/A entered",
        "R/P activated #2",
        "R/P delegated A #4",
        "R/P/A activated #4",
    ];
    let mut sorted: [Vec<&str>; 2] = [after.clone(), expected.to_vec()];
    sorted.iter_mut().for_each(|lines| lines.sort_unstable());
    assert_eq!(sorted[0], sorted[1], "{after:?}");
    assert_eq!(lines[taken + 1].1, lines[taken].0, "it follows from the reload");
}
