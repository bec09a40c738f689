//! The operations that scripts and programs reach objects by, functions that are told as tasks, and runs that go by goals.

use super::{engine, traced};
use boxstep_engine::config::Config;
use boxstep_engine::objects::{Arrival, Draft, Error, Goal, operations};
use boxstep_engine::protocol::{Answer, Job, Next, ObjectCall, Order, Request, Scheduler as _, TaskId};
use boxstep_engine::{CallbackId, Engine};
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn ask(engine: &mut Engine, kind: &str, handle: &[u32], operation: &str, args: &[Value]) -> Result<Value, String> {
    let (kind, operation) = (kind.into(), operation.into());
    let call = ObjectCall { kind, handle: handle.to_vec(), operation, args: args.to_vec() };
    match engine.request(TaskId::FOREIGN, Request::Object(Box::new(call))) {
        Answer::Value(value) => Ok(value),
        Answer::Error(why) => Err(why),
        Answer::Interrupted => Err("the run is over".to_owned()),
        other => panic!("{other:?}"),
    }
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_list().unwrap().iter().map(|n| n.as_i64().unwrap() as u32).collect()
}

fn make(engine: &mut Engine, operation: &str, args: &[Value]) -> Vec<u32> {
    numbers(&ask(engine, "run", &[], operation, args).unwrap())
}

fn list(numbers: &[u32]) -> Value {
    Value::list(numbers.iter().map(|n| Value::Int((*n).into())))
}

/// A box with an input `a` and an output `b`.
fn a_box(engine: &mut Engine, name: &str) -> Vec<u32> {
    let described = Value::map([
        ("name", name.into()),
        ("inputs", Value::list(["a".into()])),
        ("outputs", Value::list(["b".into()])),
        ("parameters", Value::map([("size", Value::Int(1))])),
    ]);
    make(engine, "newBox", &[described])
}

/// Does what there is to do until a script or function has to run.
fn job(engine: &mut Engine) -> Job {
    match engine.next() {
        Next::Job(job) => job,
        other => panic!("{other:?}"),
    }
}

fn told(job: &Job) -> (u32, Vec<Value>) {
    match &job.order {
        Order::Deliver { callback, args } => (callback.0, args.clone()),
        other => panic!("{other:?}"),
    }
}

fn returned(engine: &mut Engine, job: &Job) {
    engine.request(job.task, Request::Returned(Value::Null));
}

#[test]
fn each_operation_has_one_row() {
    let mut all: Vec<_> = operations().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(count > 80, "{count}");
}

#[test]
fn every_operation_refuses_what_is_not_there_and_wrong_arguments_without_harm() {
    let mut engine = engine();
    a_box(&mut engine, "b");
    for (kind, operation) in operations() {
        for handle in [&[][..], &[9000], &[9000, 7], &[u32::MAX, u32::MAX]] {
            for args in [&[][..], &[Value::Float(0.5)], &[Value::from("no such"), Value::Null, Value::list([])]] {
                // What it answers is its own; nothing may panic, and the engine goes on.
                let _ = ask(&mut engine, kind, handle, operation, args);
            }
        }
    }
    engine.settle();
    assert_eq!(ask(&mut engine, "box", &[0], "getPath", &[]), Ok("b".into()));
    assert_eq!(ask(&mut engine, "box", &[0], "dance", &[]), Err("no box has an operation dance".to_owned()));
    assert_eq!(ask(&mut engine, "run", &[], "find", &["root".into()]), Err("there is no box root".to_owned()));
}

#[test]
fn an_error_says_which_box() {
    let mut engine = engine();
    let b = a_box(&mut engine, "b");
    let why = ask(&mut engine, "box", &b, "stimulateInput", &["a".into()]).unwrap_err();
    assert_eq!(why, "b: it is not loaded");
    let why = ask(&mut engine, "box", &b, "getParameter", &["width".into()]).unwrap_err();
    assert_eq!(why, "b: the box has no input, output or parameter named width");
    let why = ask(&mut engine, "box", &b, "setName", &[Value::Int(1)]).unwrap_err();
    assert_eq!(why, "b: setName wants a text as argument 1");
}

#[test]
fn a_port_s_function_is_a_task_with_the_value() {
    let mut engine = engine();
    engine.keep_open(true);
    let b = a_box(&mut engine, "b");
    ask(&mut engine, "box", &b, "onInput", &["a".into(), Value::Int(CallbackId::OUTSIDE.into())]).unwrap();
    ask(&mut engine, "box", &b, "onOutput", &["b".into(), Value::Int(7)]).unwrap();
    ask(&mut engine, "box", &b, "load", &[]).unwrap();
    ask(&mut engine, "box", &b, "stimulateInput", &["a".into(), Value::Int(3)]).unwrap();
    let first = job(&mut engine);
    assert_eq!(told(&first), (CallbackId::OUTSIDE, vec![Value::Int(3)]));
    // Within the call, as the function would.
    ask(&mut engine, "box", &b, "stimulateOutput", &["b".into(), Value::Int(4)]).unwrap();
    returned(&mut engine, &first);
    let second = job(&mut engine);
    assert_eq!(told(&second), (7, vec![Value::Int(4)]));
    returned(&mut engine, &second);
    assert!(matches!(engine.next(), Next::Wait(None)));
}

#[test]
fn a_load_and_an_unload_wait_for_all_functions_that_are_told() {
    let (mut engine, lines) = traced();
    engine.keep_open(true);
    let b = a_box(&mut engine, "b");
    for function in [1, 2] {
        ask(&mut engine, "box", &b, "onLoad", &[Value::Int(function)]).unwrap();
    }
    ask(&mut engine, "box", &b, "onUnload", &[Value::Int(3)]).unwrap();
    ask(&mut engine, "box", &b, "load", &[]).unwrap();
    let (one, two) = (job(&mut engine), job(&mut engine));
    assert_eq!((told(&one).0, told(&two).0), (1, 2));
    returned(&mut engine, &two);
    assert!(matches!(engine.next(), Next::Wait(None)));
    assert!(!lines.lines().iter().any(|line| line.contains("behavior loaded")), "{:?}", lines.lines());
    returned(&mut engine, &one);
    assert!(matches!(engine.next(), Next::Wait(None)));
    assert_eq!(ask(&mut engine, "box", &b, "isLoaded", &[]), Ok(true.into()));
    ask(&mut engine, "box", &b, "unload", &[]).unwrap();
    let three = job(&mut engine);
    assert_eq!(told(&three).0, 3);
    assert!(matches!(engine.next(), Next::Wait(None)) || engine.now() > Time::ZERO);
    returned(&mut engine, &three);
    engine.next();
    assert_eq!(ask(&mut engine, "box", &b, "getPhase", &[]), Ok("out".into()));
}

#[test]
fn a_stop_that_waits_for_a_function_is_forced_in_its_time() {
    let mut engine = engine();
    engine.keep_open(true);
    let b = a_box(&mut engine, "b");
    ask(&mut engine, "box", &b, "onUnload", &[Value::Int(3)]).unwrap();
    ask(&mut engine, "box", &b, "load", &[]).unwrap();
    ask(&mut engine, "box", &b, "unload", &[]).unwrap();
    let never = job(&mut engine);
    engine.request(never.task, Request::Block { until: None, on: boxstep_engine::protocol::BlockedOn::Lock });
    // Ten seconds later the box is out; the function, which is nobody's, is left where it is.
    assert!(matches!(engine.next(), Next::Wait(None)));
    assert_eq!(engine.now(), Time::from_millis(10_000));
    assert_eq!(ask(&mut engine, "box", &b, "getPhase", &[]), Ok("out".into()));
}

#[test]
fn a_forgotten_function_is_not_called() {
    let mut engine = engine();
    engine.keep_open(true);
    let b = a_box(&mut engine, "b");
    let listener = ask(&mut engine, "box", &b, "onLoad", &[Value::Int(1)]).unwrap();
    assert_eq!(ask(&mut engine, "run", &[], "forget", std::slice::from_ref(&listener)), Ok(true.into()));
    assert_eq!(ask(&mut engine, "run", &[], "forget", &[listener]), Ok(false.into()));
    ask(&mut engine, "box", &b, "load", &[]).unwrap();
    assert!(matches!(engine.next(), Next::Wait(None)));
}

#[test]
fn boxes_that_are_nobody_s_can_be_linked_to_inputs_and_parameters() {
    let mut engine = engine();
    engine.keep_open(true);
    let (from, to) = (a_box(&mut engine, "from"), a_box(&mut engine, "to"));
    let link = ask(&mut engine, "box", &from, "connect", &["b".into(), list(&to), "size".into()]).unwrap();
    ask(&mut engine, "box", &from, "connect", &["b".into(), list(&to), "a".into()]).unwrap();
    ask(&mut engine, "box", &to, "onInput", &["a".into(), Value::Int(1)]).unwrap();
    for b in [&from, &to] {
        ask(&mut engine, "box", b, "load", &[]).unwrap();
    }
    ask(&mut engine, "box", &from, "stimulateOutput", &["b".into(), Value::Int(5)]).unwrap();
    let heard = job(&mut engine);
    assert_eq!(told(&heard), (1, vec![Value::Int(5)]));
    returned(&mut engine, &heard);
    assert_eq!(ask(&mut engine, "box", &to, "getParameter", &["size".into()]), Ok(Value::Int(5)));
    ask(&mut engine, "run", &[], "forget", &[link]).unwrap();
    ask(&mut engine, "box", &from, "stimulateOutput", &["b".into(), Value::Int(6)]).unwrap();
    let heard = job(&mut engine);
    returned(&mut engine, &heard);
    engine.next();
    assert_eq!(ask(&mut engine, "box", &to, "getParameter", &["size".into()]), Ok(Value::Int(5)));
    let why = ask(&mut engine, "box", &from, "connect", &["b".into(), list(&to), "c".into()]).unwrap_err();
    assert_eq!(why, "from: the box has no input, output or parameter named c");
}

#[test]
fn a_state_machine_by_its_operations() {
    let mut engine = engine();
    engine.keep_open(true);
    let m = make(&mut engine, "newStateMachine", &["m".into()]);
    let held = a_box(&mut engine, "held");
    let one =
        numbers(&ask(&mut engine, "machine", &m, "addState", &["one".into(), Value::list([list(&held)])]).unwrap());
    let two = numbers(&ask(&mut engine, "machine", &m, "addState", &["two".into()]).unwrap());
    let t = numbers(&ask(&mut engine, "machine", &m, "addTransition", &[list(&one), list(&two)]).unwrap());
    assert_eq!(ask(&mut engine, "transition", &t, "getTimeOut", &[]), Ok(Value::Null));
    ask(&mut engine, "transition", &t, "setTimeOut", &[Value::Float(2.0)]).unwrap();
    assert_eq!(ask(&mut engine, "transition", &t, "getTimeOut", &[]), Ok(Value::Float(2.0)));
    ask(&mut engine, "machine", &m, "setFinalState", &[list(&two)]).unwrap();
    ask(&mut engine, "machine", &m, "onNewState", &[Value::Int(9)]).unwrap();
    ask(&mut engine, "machine", &m, "run", &[]).unwrap();
    for state in [&one, &two] {
        let entered = job(&mut engine);
        assert_eq!(told(&entered), (9, vec![list(state)]));
        returned(&mut engine, &entered);
        engine.settle();
        assert_eq!(ask(&mut engine, "machine", &m, "getCurrentState", &[]), Ok(list(state)));
    }
    assert_eq!(engine.now(), Time::from_millis(2000));
    assert_eq!(ask(&mut engine, "machine", &m, "isOnFinalState", &[]), Ok(true.into()));
    assert_eq!(ask(&mut engine, "box", &held, "getPath", &[]), Ok("m/held".into()));
    let why = ask(&mut engine, "machine", &m, "goToStateName", &["three".into()]).unwrap_err();
    assert_eq!(why, "m: there is no state named three");
    let why = ask(&mut engine, "state", &one, "setInterval", &[Value::Int(5), Value::Int(2)]).unwrap_err();
    assert_eq!(why, "m: an interval from 5 to 2 ends before it begins");
}

#[test]
fn a_timeline_as_it_is_described() {
    let mut engine = engine();
    let curves = Value::map([("HeadYaw", Value::list([Value::list([Value::Int(30), Value::Float(0.5)])]))]);
    let described = Value::map([("fps", Value::Int(10)), ("start", Value::Int(5)), ("curves", curves)]);
    let line = make(&mut engine, "newTimeline", &["t".into(), described]);
    let mut get = |what| ask(&mut engine, "timeline", &line, what, &[]).unwrap();
    assert_eq!((get("getStartFrame"), get("getEndFrame"), get("getFPS")), (5.into(), 30.into(), 10.into()));
    for (wrong, why) in [
        (("fps", Value::Int(0)), "frames per second must be 1 or more, not 0"),
        (("fps", Value::from("many")), "fps has to be a whole number"),
        (
            ("curves", Value::map([("HeadYaw", Value::Int(1))])),
            "a curve is a list of frames and values, by the name of its joint",
        ),
        (("end", Value::Int(-1)), "an interval from 0 to -1 ends before it begins"),
    ] {
        let described = Value::map([wrong]);
        let inside = Value::map([("timeline", described.clone())]);
        let refused = ask(&mut engine, "run", &[], "newTimeline", &["t".into(), described]);
        assert_eq!(refused, Err(why.to_owned()));
        assert_eq!(ask(&mut engine, "run", &[], "newBox", &[inside]), Err(why.to_owned()));
    }
}

#[test]
fn a_box_has_one_port_of_a_name() {
    let mut engine = engine();
    let two = || Value::list(["a".into(), Value::list(["a".into(), Value::from("")])]);
    for (described, why) in [
        (Value::map([("inputs", two())]), "it has an input a already"),
        (Value::map([("inputs", Value::list(["onStart".into()]))]), "it has an input onStart already"),
        (Value::map([("outputs", two())]), "it has an output a already"),
    ] {
        assert_eq!(ask(&mut engine, "run", &[], "newBox", &[described]), Err(why.to_owned()));
    }
    let once = Value::list(["a".into()]);
    make(&mut engine, "newBox", &[Value::map([("inputs", once.clone()), ("outputs", once)])]);
    let draft = Draft::new("p").parameter("a", 1).parameter("a", 2);
    let refused = engine.objects().new_box(draft).map(drop);
    assert_eq!(refused, Err(Error::Invalid("it has a parameter a already".to_owned())));
}

// ---- goals -------------------------------------------------------------------------------------------

/// An engine that goes by goals, and how often it has rung.
fn by_goals() -> (Engine, Arc<AtomicU32>) {
    let mut engine = Engine::without_robot(Config::default());
    let rung = Arc::new(AtomicU32::new(0));
    let count = rung.clone();
    engine.go_by_goals(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    (engine, rung)
}

/// Goes for a goal, without scripts.
fn go(engine: &mut Engine, goal: Goal, latest: Option<i64>) -> Arrival {
    engine.aim_at(goal, latest.map(Time::from_millis)).unwrap();
    assert!(matches!(engine.next(), Next::Wait(None) | Next::Ended));
    engine.arrival().unwrap()
}

#[test]
fn time_passes_only_towards_a_goal() {
    let (mut engine, rung) = by_goals();
    let described = Value::map([("fps", Value::Int(10)), ("end", Value::Int(10))]);
    let line = make(&mut engine, "newTimeline", &["t".into(), described]);
    ask(&mut engine, "timeline", &line, "play", &[]).unwrap();
    assert!(matches!(engine.next(), Next::Wait(None)));
    assert_eq!((engine.now(), engine.arrival(), rung.load(Ordering::Relaxed)), (Time::ZERO, None, 0));
    assert_eq!(go(&mut engine, Goal::Until(Time::from_millis(450)), None), Arrival::There);
    assert_eq!((engine.now(), rung.load(Ordering::Relaxed)), (Time::from_millis(450), 1));
    assert_eq!(ask(&mut engine, "timeline", &line, "getFrame", &[]), Ok(4.into()));
    // What is wanted by then is done, and time passes also where nothing happens.
    let still = Goal::Still(engine.box_number(line[0]));
    assert_eq!(go(&mut engine, still, Some(700)), Arrival::Late);
    assert_eq!(engine.now(), Time::from_millis(700));
    assert_eq!(go(&mut engine, still, None), Arrival::There);
    assert_eq!(engine.now(), Time::from_millis(1000));
    assert_eq!(go(&mut engine, Goal::Step, None), Arrival::Never);
    assert_eq!(go(&mut engine, Goal::Until(Time::from_millis(5000)), None), Arrival::There);
    assert_eq!(engine.now(), Time::from_millis(5000));
    assert_eq!(go(&mut engine, Goal::Quiet, None), Arrival::There);
}

#[test]
fn a_step_goes_to_the_next_time_at_which_something_happens() {
    let (mut engine, _) = by_goals();
    let m = make(&mut engine, "newStateMachine", &["m".into()]);
    let states: Vec<_> = ["one", "two"]
        .into_iter()
        .map(|name| numbers(&ask(&mut engine, "machine", &m, "addState", &[name.into()]).unwrap()))
        .collect();
    for (from, to, after) in [(0, 1, 1.5), (1, 0, 2.0)] {
        let ends = [list(&states[from]), list(&states[to])];
        let t = numbers(&ask(&mut engine, "machine", &m, "addTransition", &ends).unwrap());
        ask(&mut engine, "transition", &t, "setTimeOut", &[Value::Float(after)]).unwrap();
    }
    ask(&mut engine, "machine", &m, "run", &[]).unwrap();
    for at in [1500, 3500, 5000] {
        assert_eq!(go(&mut engine, Goal::Step, None), Arrival::There);
        assert_eq!(engine.now(), Time::from_millis(at));
    }
    let run = engine.box_number(m[0]);
    assert_eq!(go(&mut engine, Goal::Unloaded(run), Some(6000)), Arrival::Late);
    ask(&mut engine, "machine", &m, "stop", &[]).unwrap();
    assert_eq!(go(&mut engine, Goal::Unloaded(run), None), Arrival::There);
    assert_eq!(engine.now(), Time::from_millis(6000));
}

#[test]
fn a_goal_that_is_left_rests_where_it_is() {
    let (mut engine, rung) = by_goals();
    engine.aim_at(Goal::Until(Time::from_millis(5000)), None).unwrap();
    engine.leave_goal();
    assert!(matches!(engine.next(), Next::Wait(None)));
    assert_eq!((engine.now(), engine.arrival()), (Time::ZERO, Some(Arrival::There)));
    engine.leave_goal();
    assert_eq!(rung.load(Ordering::Relaxed), 1);
}

#[test]
fn the_end_of_the_run_is_every_goal_s() {
    let (mut engine, rung) = by_goals();
    let b = a_box(&mut engine, "b");
    ask(&mut engine, "box", &b, "load", &[]).unwrap();
    engine.control(Time::ZERO, boxstep_engine::config::Control::Stop).unwrap();
    assert!(matches!(engine.next(), Next::Ended));
    assert_eq!((engine.arrival(), rung.load(Ordering::Relaxed)), (Some(Arrival::Over), 1));
    assert_eq!(engine.aim_at(Goal::Quiet, None), Err(Error::Over));
    // What it has come to can still be asked, and not changed.
    assert_eq!(ask(&mut engine, "box", &b, "getPath", &[]), Ok("b".into()));
    assert_eq!(ask(&mut engine, "box", &b, "isLoaded", &[]), Ok(false.into()));
    assert_eq!(ask(&mut engine, "run", &[], "find", &["b".into()]), Ok(list(&b)));
    for change in ["load", "stop", "setName", "onLoad"] {
        assert_eq!(ask(&mut engine, "box", &b, change, &["c".into()]), Err("the run is over".to_owned()), "{change}");
    }
    assert_eq!(engine.outcome().unwrap().reason.name(), "ended");
}

#[test]
fn goals_of_the_machine_s_clock_are_only_told_of() {
    let config = Config { clock: boxstep_engine::config::ClockKind::Real, ..Config::default() };
    let mut engine = Engine::without_robot(config);
    assert!(matches!(engine.aim_at(Goal::Quiet, None), Err(Error::Invalid(_))), "it goes by none");
    engine.go_by_goals(|| {});
    assert!(matches!(engine.aim_at(Goal::Step, None), Err(Error::Invalid(_))));
    engine.aim_at(Goal::Until(Time::ZERO), None).unwrap();
    engine.next();
    assert_eq!(engine.arrival(), Some(Arrival::There));
}
