//! Calls and subscriptions of programs outside.

use crate::support::*;
use boxstep_engine::config::{ClockKind, Config, Control, Mock, NoLibrary};
use boxstep_engine::protocol::{Next, Scheduler};
use boxstep_engine::services::Topic;
use boxstep_engine::trace::Header;
use boxstep_engine::{CallId, Engine};
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

fn header() -> Header {
    Header { product: "test".to_owned(), ..Header::new(ClockKind::Virtual) }
}

fn open_with(config: Config, lines: &Lines) -> Engine {
    let mut robot = Robot::default();
    robot.slow.insert("slow", 0.5);
    robot.slow.insert("slower", 2.0);
    let sinks = vec![Box::new(lines.clone()) as Box<dyn boxstep_engine::trace::Sink>];
    let mut engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &header(), sinks);
    engine.keep_open(true);
    engine
}

fn open() -> Engine {
    open_with(Config::default(), &Lines::default())
}

type Said = Result<Value, String>;

fn call(engine: &mut Engine, method: &str, args: &[Value], tell: &Sender<Said>) -> CallId {
    let tell = tell.clone();
    engine.call_from_outside("ALTest", method, args, Box::new(move |said| tell.send(said).unwrap()))
}

fn heard(told: &Receiver<Said>) -> Vec<Said> {
    told.try_iter().collect()
}

#[test]
fn an_answer_comes_at_once_or_when_the_call_is_over() {
    let (tell, told) = channel();
    let mut engine = open();
    call(&mut engine, "quick", &[], &tell);
    assert_eq!(heard(&told), [Ok(Value::Null)]);
    let slow = call(&mut engine, "slow", &[], &tell);
    assert!(engine.is_call_running(slow));
    engine.run_until(Time::from_millis(499)).unwrap();
    assert_eq!(heard(&told), []);
    engine.run_until(Time::from_millis(500)).unwrap();
    assert_eq!(heard(&told), [Ok(Value::Null)]);
    assert!(!engine.is_call_running(slow));
}

#[test]
fn what_does_not_exist_is_refused_in_the_words_scripts_hear() {
    let (tell, told) = channel();
    let mut engine = open();
    assert!(engine.offers("ALTest") && engine.offers("ALBehaviorManager") && !engine.offers("Nobody"));
    let failed = |engine: &mut Engine, service: &str, method: &str, args: &[Value]| {
        let tell = tell.clone();
        engine.call_from_outside(service, method, args, Box::new(move |said| tell.send(said).unwrap()));
        heard(&told)
    };
    let no = "Cannot find method: ALFrameManager.dance".to_owned();
    assert_eq!(failed(&mut engine, "ALFrameManager", "dance", &[]), [Err(no)]);
    let odd = "ALBehaviorManager.startBehavior: argument 1 must be a string, not int".to_owned();
    assert_eq!(failed(&mut engine, "ALBehaviorManager", "startBehavior", &[Value::Int(1)]), [Err(odd)]);
}

#[test]
fn mocks_answer_those_outside_too() {
    let mock = Mock {
        service: "ALTest".to_owned(),
        method: "quick".to_owned(),
        args: Vec::new(),
        answer: Ok(Value::Int(7)),
        takes: Duration::from_secs(1),
        times: None,
    };
    let (tell, told) = channel();
    let mut engine = open_with(Config { mocks: vec![mock], ..Config::default() }, &Lines::default());
    call(&mut engine, "quick", &[], &tell);
    engine.run_until(Time::from_millis(999)).unwrap();
    assert_eq!(heard(&told), []);
    engine.run_until(Time::from_millis(1000)).unwrap();
    assert_eq!(heard(&told), [Ok(Value::Int(7))]);
}

#[test]
fn a_call_that_is_given_up_is_answered_and_the_robot_stops_it() {
    let (tell, told) = channel();
    let mut engine = open();
    let slow = call(&mut engine, "slower", &[], &tell);
    assert!(engine.cancel_call(slow));
    assert_eq!(heard(&told), [Ok(Value::Null)]);
    assert!(!engine.cancel_call(slow), "it is over");
    // The robot has nothing left to do: nothing moves the clock.
    assert_eq!(engine.sizes()[10], 0);
}

#[test]
fn waiting_for_a_call_ends_with_it_or_with_its_time() {
    let (tell, _told) = channel();
    let (over, overs) = channel();
    let mut engine = open();
    let wait = |engine: &mut Engine, id, within: Option<i64>, who: &'static str| {
        let over = over.clone();
        let then = Box::new(move |late| over.send((who, late)).unwrap());
        engine.notify_when_done(id, within.map(Time::from_millis), then);
    };
    let slow = call(&mut engine, "slow", &[], &tell);
    wait(&mut engine, slow, Some(200), "short");
    wait(&mut engine, slow, Some(900), "long");
    wait(&mut engine, slow, None, "for ever");
    wait(&mut engine, CallId(77), None, "for nothing");
    assert_eq!(overs.try_iter().collect::<Vec<_>>(), [("for nothing", false)]);
    engine.run_until(Time::from_millis(200)).unwrap();
    assert_eq!(overs.try_iter().collect::<Vec<_>>(), [("short", true)]);
    engine.run_until(Time::from_millis(2000)).unwrap();
    assert_eq!(overs.try_iter().collect::<Vec<_>>(), [("long", false), ("for ever", false)]);
}

#[test]
fn events_are_told_until_the_subscription_ends() {
    let (tell, told) = channel();
    let mut engine = open();
    let listen = tell.clone();
    let topic = Topic::Memory("Touched".into());
    let id = engine.subscribe(topic, Arc::new(move |v: &Value| listen.send(Ok(v.clone())).unwrap())).unwrap();
    let raise = |engine: &mut Engine, value: i64| {
        let then = Box::new(|said: Said| assert_eq!(said, Ok(Value::Null)));
        engine.call_from_outside("ALMemory", "raiseEvent", &["Touched".into(), value.into()], then);
        engine.settle();
    };
    raise(&mut engine, 1);
    raise(&mut engine, 2);
    assert!(engine.unsubscribe(id));
    raise(&mut engine, 3);
    assert!(!engine.unsubscribe(id));
    assert_eq!(heard(&told), [Ok(Value::Int(1)), Ok(Value::Int(2))]);
}

#[test]
fn an_event_that_was_raised_before_a_subscription_is_not_told_to_it() {
    let (tell, told) = channel();
    let mut engine = open();
    let raise = |engine: &mut Engine, value: i64| {
        engine.call_from_outside("ALMemory", "raiseEvent", &["Touched".into(), value.into()], Box::new(|_| {}));
    };
    let listen = |engine: &mut Engine, who: i64| {
        let tell = tell.clone();
        let told = Arc::new(move |v: &Value| tell.send(Ok(Value::list([who.into(), v.clone()]))).unwrap());
        engine.subscribe(Topic::Memory("Touched".into()), told).unwrap();
    };
    // The run comes to telling only when all this has been asked for.
    listen(&mut engine, 1);
    raise(&mut engine, 4);
    raise(&mut engine, 5);
    listen(&mut engine, 2);
    raise(&mut engine, 6);
    engine.settle();
    let each = [(1, 4), (1, 5), (1, 6), (2, 6)].map(|(who, value)| Ok(Value::list([who.into(), Value::Int(value)])));
    assert_eq!(heard(&told), each);
}

#[test]
fn the_end_of_the_run_answers_everybody() {
    let (tell, told) = channel();
    let (over, overs) = channel();
    let mut engine = open();
    let slow = call(&mut engine, "slower", &[], &tell);
    engine.notify_when_done(slow, None, Box::new(move |late| over.send(late).unwrap()));
    engine.end().unwrap();
    call(&mut engine, "quick", &[], &tell);
    let over = || Err("the run is over".to_owned());
    assert_eq!(heard(&told), [over(), over()]);
    assert_eq!(overs.recv(), Ok(false));
}

#[test]
fn calls_from_outside_are_inputs_of_the_trace_and_can_be_made_again() {
    let lines = Lines::default();
    let (tell, _told) = channel();
    let mut engine = open_with(Config::default(), &lines);
    call(&mut engine, "slow", &["x".into()], &tell);
    engine.run_until(Time::from_millis(600)).unwrap();
    let first = lines.all(&mut engine);
    assert!(first[0].contains("control call") && first[1].contains("ALTest.slow"), "{first:#?}");
    let lines = Lines::default();
    let mut engine = open_with(Config::default(), &lines);
    let again = Control::Call { service: "ALTest".to_owned(), method: "slow".to_owned(), args: vec!["x".into()] };
    engine.control(Time::ZERO, again).unwrap();
    engine.run_until(Time::from_millis(600)).unwrap();
    assert_eq!(lines.all(&mut engine), first);
}

/// On the real clock the engine says when it wants to be asked again, and a call is over then.
#[test]
fn calls_take_their_time_on_the_real_clock() {
    let (tell, told) = channel();
    let mut engine = open_with(Config { clock: ClockKind::Real, ..Config::default() }, &Lines::default());
    let clock = Arc::new(AtomicI64::new(0));
    let read = clock.clone();
    engine.set_machine_clock(move || Time(read.load(Ordering::Relaxed)));
    let wait = |engine: &mut Engine| match engine.next() {
        Next::Wait(until) => until,
        next => panic!("{next:?}"),
    };
    assert_eq!(wait(&mut engine), None, "nothing to do, and the run stays open");
    clock.store(1_000_000, Ordering::Relaxed);
    call(&mut engine, "slow", &[], &tell);
    assert_eq!(wait(&mut engine), Some(Time::from_millis(501)));
    clock.store(501_000_000, Ordering::Relaxed);
    assert_eq!(wait(&mut engine), None);
    assert_eq!(heard(&told), [Ok(Value::Null)]);
}
