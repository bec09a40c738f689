//! What behaviors have the engine do stands in the trace under their paths, caused by what has happened to them.

use super::hosted::{PERIOD, Seen, built};
use super::puppet::{Puppet, puppet};
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config};
use boxstep_engine::objects::BoxId;
use boxstep_engine::protocol::CallId;
use boxstep_engine::runner::{BehaviorRunner, DeferredCalls, Delegates, Exchange, Hook, LoadState, Progress, Settings};
use boxstep_engine::services::{Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_engine::trace::{ClockKind, Header};
use boxstep_format::{Limits, read_xar};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

fn calls(of: Puppet, hook: Hook, deferred: &DeferredCalls, method: &'static str) -> Puppet {
    let deferred = deferred.clone();
    of.on(hook, move |cx, _| deferred.of(cx.id()).call(&"ALResourceManager".into(), &method.into(), Vec::new()))
}

#[test]
fn a_call_bears_the_path_of_its_behavior_and_follows_from_the_line_by_which_that_has_control() {
    let (deferred, seen) = (DeferredCalls::default(), Seen::default());
    let mut engine = Engine::traced(Config::default(), vec![Box::new(seen.clone())]);
    let r = puppet("R", &["P"]).offers(&["P"]);
    let a = calls(puppet("A", &[]), Hook::Activated, &deferred, "getResources");
    let mut left = false;
    let later = deferred.clone();
    let a = a.on(Hook::Update, move |cx, _| {
        if cx.tick() == 3 && !std::mem::replace(&mut left, true) {
            later.of(cx.id()).call(&"ALResourceManager".into(), &"ownersGet".into(), Vec::new());
        }
    });
    let plan = vec![r, puppet("P", &["A"]).offers(&["A"]), a];
    engine.add_runner_with(built(plan).0, PERIOD, deferred).unwrap();
    engine.run_until(Time::from_millis(250)).unwrap();
    let lines = seen.lines(&mut engine);
    let line = |text: &str| lines.iter().find(|(.., t)| t == text).unwrap_or_else(|| panic!("{text}: {lines:#?}"));
    let begun = line("R/P/A activated #3").0;
    assert_eq!(line("R/P/A calls ALResourceManager.getResources").1, begun);
    // Also what it leaves later, while it has control.
    assert_eq!(line("R/P/A calls ALResourceManager.ownersGet").1, begun);
}

#[test]
fn the_end_of_one_that_has_waited_for_a_call_follows_from_the_answer_and_that_of_another_leaf_from_its_control() {
    let (deferred, seen) = (DeferredCalls::default(), Seen::default());
    let mut engine = Engine::traced(Config::default(), vec![Box::new(seen.clone())]);
    let r = puppet("R", &["A", "B"]).offers(&["A"]).on(Hook::DelegateEnded, |cx, _| {
        let b = cx.find("B").unwrap();
        if cx.ask(b).is_ok() {
            cx.delegate_to(b).unwrap();
        }
    });
    let (asks, mut deferred_call) = (deferred.clone(), None);
    let a = puppet("A", &[]).on(Hook::Update, move |cx, _| {
        let mine = asks.of(cx.id());
        match deferred_call {
            _ if !cx.is_active() => {}
            None => deferred_call = Some(mine.call(&"ALResourceManager".into(), &"getResources".into(), Vec::new())),
            Some(deferred_call) => {
                if let Progress::Done(_) = mine.answer(deferred_call) {
                    cx.complete(Value::Null).unwrap();
                }
            }
        }
    });
    // B ends in the tick after the one in which it is given control: nothing but time has passed.
    let mut ticks = 0;
    let b = puppet("B", &[]).on(Hook::Update, move |cx, _| {
        ticks += u32::from(cx.is_active());
        if ticks == 2 {
            cx.complete(Value::Null).unwrap();
        }
    });
    engine.add_runner_with(built(vec![r, a, b]).0, PERIOD, deferred).unwrap();
    engine.run_until(Time::from_millis(450)).unwrap();
    let lines = seen.lines(&mut engine);
    let line =
        |text: &str| lines.iter().find(|(.., t)| t.starts_with(text)).unwrap_or_else(|| panic!("{text}: {lines:#?}"));
    assert_eq!(line("R/A ended #2 done").1, line("R/A calls ALResourceManager.getResources").0);
    assert_eq!(line("R/B ended #3 done").1, line("R/B activated").0);
}

/// A behavior that plays until it is stopped.
fn source() -> BehaviorSource {
    let ports = r#"<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
        <Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="" id="3"/>
        <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#;
    let inside = r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram/></BehaviorKeyframe></BehaviorLayer></Timeline>"#;
    let xml = format!(
        r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3"><Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">{ports}{inside}</Box></ChoregrapheProject>"#
    );
    let file = read_xar("test.xar", xml.as_bytes(), &Limits::default()).unwrap();
    BehaviorSource {
        name: "dance".into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/".into(),
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
    }
}

/// A leaf that plays a behavior while it is active, and loads it while it is in scope.
fn plays(name: &'static str, deferred: &DeferredCalls, what: BoxId) -> Puppet {
    let copy = || (deferred.clone(), what);
    let (enters, begins, ends, leaves) = (copy(), copy(), copy(), copy());
    puppet(name, &[])
        .on(Hook::EnteredScope, move |cx, _| enters.0.of(cx.id()).load(enters.1))
        .on(Hook::Activated, move |cx, _| begins.0.of(cx.id()).start(begins.1, Vec::new()))
        .on(Hook::Deactivated, move |cx, _| ends.0.of(cx.id()).stop(ends.1))
        .on(Hook::LeftScope, move |cx, _| leaves.0.of(cx.id()).stop(leaves.1))
}

#[test]
fn what_one_of_an_earlier_plan_has_played_goes_once_it_is_unloaded() {
    let deferred = DeferredCalls::default();
    let mut engine = Engine::without_robot(Config { scripts: false, ..Config::default() });
    engine.keep_open(true);
    let first = source();
    let text = Arc::downgrade(&first.sources);
    let dance = deferred.open(&mut engine, first).unwrap();
    let r = puppet("R", &["A"]).offers(&["A"]).lets_go();
    let runner = built(vec![r, plays("A", &deferred, dance)]).0;
    deferred.plays(runner.find("A").unwrap(), dance);
    let id = engine.add_runner_with(runner, PERIOD, deferred.clone()).unwrap();
    let to = |engine: &mut Engine, ticks: i64| engine.run_until(Time(PERIOD.0 * ticks + PERIOD.0 / 2)).unwrap();
    to(&mut engine, 3);
    assert_eq!(deferred.load_state(dance), LoadState::Loaded);
    let mut new = Exchange::new(Settings::new("R"));
    new.renew("R", Delegates::default(), ());
    assert!(engine.reload_runner(id, new, "A is gone", |_| ()));
    to(&mut engine, 4);
    assert!(text.strong_count() > 0, "it is being unloaded");
    to(&mut engine, 8);
    assert_eq!(deferred.load_state(dance), LoadState::Closed);
    assert_eq!(text.strong_count(), 0, "nobody has it any more");
    engine.end().unwrap();
}

#[test]
fn whose_errand_it_is_need_not_be_said() {
    let (deferred, seen) = (DeferredCalls::default(), Seen::default());
    let mut engine = Engine::traced(Config::default(), vec![Box::new(seen.clone())]);
    let left = deferred.clone();
    let r = puppet("R", &[]).on(Hook::Activated, move |cx, _| {
        assert!(cx.can_delegate());
        left.call(&"ALResourceManager".into(), &"getResources".into(), Vec::new());
    });
    engine.add_runner_with(built(vec![r]).0, PERIOD, deferred).unwrap();
    engine.run_until(Time::from_millis(50)).unwrap();
    let lines = seen.lines(&mut engine);
    assert!(lines.iter().any(|(_, cause, _, text)| text == " calls ALResourceManager.getResources" && *cause == 0));
}

/// A robot whose memory is this; far away, it can be asked only by calls, which take a moment.
struct Memory {
    values: Arc<Mutex<Vec<(String, Value)>>>,
    far: bool,
    asked: Vec<(CallId, String)>,
}

impl Services for Memory {
    fn has_service(&self, name: &str) -> bool {
        name == "ALMemory"
    }
    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        self.asked.push((call.id, call.args[0].as_str().unwrap().to_owned()));
        cx.timer(cx.now() + Time::from_millis(50), 0);
        Outcome::Pending
    }
    fn cancel(&mut self, _: &mut ServiceCx<'_>, _: CallId) {}
    fn timer(&mut self, cx: &mut ServiceCx<'_>, _: u64) {
        for (call, key) in std::mem::take(&mut self.asked) {
            cx.complete(call, self.get(&key).ok_or(ServiceError::Failed("no data".into())));
        }
    }
    fn subscribe(&mut self, _: &mut ServiceCx<'_>, _: &Topic, _: bool) -> Result<(), ServiceError> {
        Ok(())
    }
    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        self.values.lock().unwrap().push((key.to_owned(), value.clone()));
        cx.event(Topic::Memory(key.into()), value);
    }
    fn memory(&mut self, _: Time, key: &str) -> Option<Value> {
        if self.far { None } else { self.get(key) }
    }
    fn is_real(&self) -> bool {
        self.far
    }
    fn halt(&mut self, _: &mut ServiceCx<'_>, _: Halt) {}
    fn language(&self) -> String {
        "English".to_owned()
    }
}

impl Memory {
    fn get(&self, key: &str) -> Option<Value> {
        self.values.lock().unwrap().iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    }
}

fn header() -> Header {
    Header::new(ClockKind::Virtual)
}

/// What a behavior finds in its ticks, and whether something is said to have changed.
fn finds(far: bool) -> Vec<String> {
    use boxstep_engine::config::Control;
    let values = Arc::new(Mutex::new(vec![("Key".to_owned(), Value::Int(1))]));
    let robot = Memory { values: values.clone(), far, asked: Vec::new() };
    let mut engine = Engine::new(
        Config::default(),
        Box::new(robot),
        Box::new(boxstep_engine::config::NoLibrary),
        &header(),
        Vec::new(),
    );
    let deferred = DeferredCalls::watching(["Key".into()], []);
    let looks = deferred.clone();
    let r = puppet("R", &[]).on(Hook::Init, |cx, _| cx.subscribe(Topic::Memory("Key".into())));
    let r = r.on(Hook::Update, move |_, log| {
        let value = looks.memory("Key").unwrap_or_default();
        assert_eq!(looks.memory("Key").unwrap_or_default(), value);
        log.add(format!("{value} {}", looks.memory_changed()));
    });
    let (runner, log) = built(vec![r]);
    engine.add_runner_with(runner, PERIOD, deferred).unwrap();
    engine.run_until(Time::from_millis(150)).unwrap();
    // Without an event, then with one.
    values.lock().unwrap().push(("Key".to_owned(), Value::Int(2)));
    engine.run_until(Time::from_millis(350)).unwrap();
    engine.control(Time::from_millis(360), Control::Event { key: "Key".into(), value: Value::Int(3) }).unwrap();
    engine.run_until(Time::from_millis(550)).unwrap();
    log.take().into_iter().filter(|line| !line.starts_with("R.")).collect()
}

#[test]
fn a_value_of_the_memory_is_seen_from_the_next_tick_on_with_an_event_or_without() {
    let expected = ["1 true", "1 false", "2 true", "2 false", "3 true", "3 false"];
    assert_eq!(finds(false), expected);
}

#[test]
fn of_a_robot_that_cannot_tell_at_once_it_is_what_it_answers_first_and_then_what_its_events_tell() {
    let expected = ["null false", "1 true", "1 false", "1 false", "3 true", "3 false"];
    assert_eq!(finds(true), expected);
}
