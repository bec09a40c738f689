//! The real clock, read by the tests: nothing here waits, and nothing depends on the machine.

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::{BlockedOn, Job, Next, Order, Request, Scheduler};
use boxstep_engine::trace::EndReason;
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

fn until(ms: i64) -> Config {
    Config { limit: Some(Time::from_millis(ms)), ..Config::default() }
}

/// One box that is started.
fn one() -> String {
    root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)))
}

/// A timeline of two seconds with keyframes at the first and the second.
fn timeline() -> String {
    let on_load = |name: &str| boxed(name, 1, "", "") + &link(0, 1, 1, 2);
    let keyframe = |name: &str, index: i32, content: &str| {
        format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
    };
    let keyframes = keyframe("a", 1, &on_load("A")) + &keyframe("b", 26, &on_load("B"));
    let layer = format!(r#"<BehaviorLayer name="l">{keyframes}</BehaviorLayer>"#);
    let inside = format!(r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="51">{layer}</Timeline>"#);
    root(&(boxed("T", 1, "", &inside) + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)))
}

#[test]
fn both_clocks_tell_the_same_story() {
    let scripts = Scripts::from([
        start("A", vec![Sleep(0.4), Log("A"), Call("ALTest", "slow", vec![]), Log("called")]),
        start("B", vec![Every(0.25, 0.25), Sleep(0.7), Log("B")]),
        (("B", "onUnload"), vec![Sleep(0.1), Log("unloaded")]),
    ]);
    let robot = || {
        let mut robot = Robot::default();
        robot.slow.insert("slow", 0.2);
        robot
    };
    let (before, _) = Run::with(&timeline(), scripts.clone(), robot(), Config::default()).finish();
    let (lines, footer) = Run::in_real_time(&timeline(), scripts, robot(), Config::default()).finish();
    assert_eq!(lines, before);
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_millis(2100)));
    assert_eq!(footer.deterministic, Err("real time".to_owned()));
}

#[test]
fn the_engine_says_how_long_there_is_nothing_to_do() {
    let scripts = Scripts::from([start("A", vec![Sleep(1.5), Hear("Key", "heard")]), (("A", "heard"), vec![LogValue])]);
    let mut run = Run::in_real_time(&one(), scripts, Robot::default(), Config::default());
    let wait = |run: &mut Run| loop {
        match run.engine.next() {
            Next::Wait(until) => break until,
            next => run.does(next),
        }
    };
    assert_eq!(wait(&mut run), Some(Time::from_millis(1500)));
    assert_eq!(wait(&mut run), Some(Time::from_millis(1500)), "asked too early");
    run.step();
    // Then only somebody outside can go on, and the run does not end by itself.
    assert_eq!(wait(&mut run), None);
    run.engine.control(Time::ZERO, Control::Event { key: "Key".to_owned(), value: Value::Int(7) }).unwrap();
    assert_eq!(wait(&mut run), None);
    run.engine.control(Time::ZERO, Control::Stop).unwrap();
    let (lines, footer) = run.run_on();
    assert_eq!(only(&lines, &["log"]).len(), 1, "{lines:#?}");
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_millis(1500)));
}

#[test]
fn a_host_that_wakes_up_late_moves_nothing_but_the_moment() {
    let scripts = Scripts::from([start("A", vec![Every(1.0, 1.0)]), start("B", vec![])]);
    let mut run = Run::in_real_time(&timeline(), scripts, Robot::default(), Config::default());
    run.late = 0.3;
    let (lines, footer) = run.finish();
    // Frames are counted from the play, not from the frame before.
    assert_eq!(only(&lines, &["diagram l:b loaded"])[0], "1.300 root/T diagram l:b loaded");
    assert_eq!(only(&lines, &["timeline end"])[0], "2.300 root/T timeline end 51");
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_millis(2300)));
}

#[test]
fn what_a_late_host_finds_due_comes_in_the_order_of_its_times() {
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2);
    let scripts = Scripts::from([start("A", vec![Sleep(0.5), Log("A")]), start("B", vec![Sleep(0.4), Log("B")])]);
    let mut run = Run::in_real_time(&root(&boxes), scripts, Robot::default(), until(3000));
    run.late = 1.0;
    let (lines, _) = run.finish();
    assert_eq!(only(&lines, &["log"]), ["1.400 root/B log B", "1.400 root/A log A"], "{lines:#?}");
}

#[test]
fn the_limit_ends_a_run_that_waits() {
    let scripts = Scripts::from([start("A", vec![Hang]), (("A", "onUnload"), vec![Log("unloaded")])]);
    let (lines, footer) = Run::in_real_time(&one(), scripts, Robot::default(), until(5000)).finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Limit, Time::from_millis(5000)));
    assert_eq!(only(&lines, &["log"]), ["5.000 root/A log unloaded"]);
    assert_eq!(only(&lines, &["raised"]), ["5.000 root/A raised onInput_onStart"], "it is told to stop");
}

#[test]
fn a_script_that_does_not_end_is_not_waited_for_longer_than_its_last_words() {
    let scripts = Scripts::from([start("A", vec![Busy])]);
    let (_, footer) = Run::in_real_time(&one(), scripts, Robot::default(), until(5000)).finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Limit, Time::from_millis(5100)));
}

#[test]
fn an_onunload_that_hangs_is_given_up_in_real_time_too() {
    let scripts = Scripts::from([(("A", "onUnload"), vec![Hang])]);
    let (lines, footer) = Run::in_real_time(&one(), scripts, Robot::default(), until(1000)).finish();
    assert_eq!(only(&lines, &["abandoned"]), ["3.000 root/A abandoned onUnload"]);
    assert_eq!((footer.reason, footer.t), (EndReason::Limit, Time::from_millis(3000)));
}

#[test]
fn an_interrupt_ends_within_its_budget() {
    let scripts =
        Scripts::from([start("A", vec![Hang]), (("A", "onInput_onStop"), vec![Hang]), (("A", "onUnload"), vec![Hang])]);
    let run = Run::in_real_time(&one(), scripts, Robot::default(), Config::default());
    let (lines, footer) = run.control(1.0, Control::Interrupt).finish();
    assert_eq!(
        only(&lines, &["abandoned"]),
        ["1.750 root/A abandoned onInput_onStop", "2.125 root/A abandoned onUnload"]
    );
    assert_eq!((footer.reason, footer.t), (EndReason::Interrupted, Time::from_millis(2125)));
}

#[test]
fn a_loop_that_takes_its_time_is_none() {
    // Each round sleeps: time passes, if little, and the count of signals begins anew.
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let scripts = Scripts::from([start("A", vec![Sleep(0.001), Out("onStopped", Value::Null)])]);
    let config = Config { livelock_bound: 200, ..until(1000) };
    let (lines, footer) = Run::in_real_time(&xml, scripts.clone(), Robot::default(), config.clone()).finish();
    assert_eq!(footer.reason, EndReason::Limit);
    assert!(only(&lines, &["call"]).len() > 900);
    let at_once = Scripts::from([start("A", vec![Out("onStopped", Value::Null)])]);
    let (_, footer) = Run::in_real_time(&xml, at_once, Robot::default(), config).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
}

/// Time of the machine that passes while scripts are compiled, made and loaded is none of the run's.
#[test]
fn the_clock_starts_with_the_behavior() {
    let clock = Arc::new(AtomicI64::new(0));
    let scripts = Scripts::from([start("A", vec![Hear("Key", "heard")]), (("A", "heard"), vec![LogValue])]);
    let mut run = Run::in_real_time(&one(), scripts, Robot::default(), until(2000)).event(0.5, "Key", Value::Int(7));
    let read = clock.clone();
    run.engine.set_machine_clock(move || Time(read.load(Ordering::Relaxed)));
    run.clock = Some(clock.clone());
    // Each script that is compiled, made and loaded takes 0.4 s.
    loop {
        clock.fetch_add(400_000_000, Ordering::Relaxed);
        let next = run.engine.next();
        let starts = matches!(&next, Next::Job(job) if matches!(&job.order, Order::Call { method, .. } if &**method == "onInput_onStart"));
        run.does(next);
        if starts {
            break;
        }
    }
    let (lines, _) = run.run_on();
    assert!(lines.iter().any(|line| line == "0.000 root behavior started"), "{lines:#?}");
    assert_eq!(only(&lines, &["log"]), [r#"0.500 root/A log ["Key",7,"_Behavior__1__root__A_1"]"#], "{lines:#?}");
}

/// What is done from outside waits for the start of the behavior, and so does its limit.
#[test]
fn controls_wait_for_a_load_that_takes_long() {
    let scripts = Scripts::from([start("A", vec![Hear("Key", "heard")]), (("A", "heard"), vec![LogValue])]);
    let mut run = Run::in_real_time(&one(), scripts, Robot::default(), until(2000)).event(0.5, "Key", Value::Int(7));
    let clock = run.clock.clone().unwrap();
    let job = run.engine.next();
    assert!(matches!(&job, Next::Job(job) if matches!(job.order, Order::Load { .. })), "{job:?}");
    for _ in 0..2 {
        clock.fetch_add(10_000_000_000, Ordering::Relaxed);
        assert!(matches!(run.engine.next(), Next::Wait(_)));
    }
    run.does(job);
    let (lines, footer) = run.run_on();
    let started = lines.iter().position(|line| line.ends_with("root behavior started")).expect("it starts");
    let heard = lines.iter().position(|line| line.contains("root/A log")).expect("the event comes");
    assert!(started < heard, "{lines:#?}");
    let after = |line: &str| lines.iter().find(|l| l.contains(line)).and_then(|l| l[..5].trim().parse::<f64>().ok());
    let (started, heard) = (after("root behavior started").unwrap_or(0.0), after("root/A log").unwrap_or(0.0));
    assert_eq!(((heard - started) * 1e3).round(), 500.0, "{lines:#?}");
    assert_eq!((footer.reason, (footer.t.as_secs_f64() - started).round()), (EndReason::Limit, 2.0));
}

/// On both clocks the times of controls count from the start, and who sleeps while it is loaded sleeps before.
#[test]
fn times_of_controls_count_from_the_start() {
    let scripts = Scripts::from([
        (("A", "onLoad"), vec![Sleep(1.0)]),
        start("A", vec![Hear("Key", "heard")]),
        (("A", "heard"), vec![LogValue]),
    ]);
    let finish = |run: Run| run.event(0.5, "Key", Value::Int(7)).finish();
    let real = finish(Run::in_real_time(&one(), scripts.clone(), Robot::default(), until(2000)));
    let other = finish(Run::with(&one(), scripts, Robot::default(), Config { limit: None, ..Config::default() }));
    for (lines, _) in [&real, &other] {
        assert_eq!(only(lines, &["log"]), [r#"1.500 root/A log ["Key",7,"_Behavior__1__root__A_1"]"#], "{lines:#?}");
    }
    assert_eq!((real.1.reason, real.1.t), (EndReason::Limit, Time::from_millis(3000)));
}

/// Nobody waits for ever for a load: what counts from the start counts without it in the end, so that a load that waits for something from
/// outside gets it, and the limit ends one that never does.
#[test]
fn a_load_has_so_long_and_no_longer() {
    let scripts =
        Scripts::from([(("A", "onLoad"), vec![Hear("Key", "heard"), Hang]), (("A", "heard"), vec![LogValue])]);
    let finish = |run: Run| run.event(0.5, "Key", Value::Int(7)).finish();
    let real = finish(Run::in_real_time(&one(), scripts.clone(), Robot::default(), until(2000)));
    let other = finish(Run::with(&one(), scripts, Robot::default(), until(2000)));
    for (lines, _) in [&real, &other] {
        assert_eq!(only(lines, &["log"]), [r#"30.500 root/A log ["Key",7,"_Behavior__1__root__A_1"]"#], "{lines:#?}");
        assert_eq!(only(lines, &["onLoad has not ended"]).len(), 1, "{lines:#?}");
    }
    // Two seconds more until it is left alone in its onLoad. In virtual time nobody waits for a limit if nothing else can happen.
    assert_eq!((real.1.reason, real.1.t), (EndReason::Limit, Time::from_millis(34_000)));
    assert_eq!((other.1.reason, other.1.t), (EndReason::Waiting, Time::from_millis(32_500)));
}

/// One that computes, too: by the machine's clock, for that of the run stands.
#[test]
fn a_load_that_computes_has_so_long_and_no_longer() {
    let mut run = Run::in_real_time(&one(), Scripts::default(), Robot::default(), until(2000));
    let clock = run.clock.clone().unwrap();
    let job = run.engine.next();
    clock.fetch_add(30_000_000_000, Ordering::Relaxed);
    assert!(matches!(run.engine.next(), Next::Wait(Some(until)) if until == Time::from_millis(2000)));
    clock.fetch_add(2_000_000_000, Ordering::Relaxed);
    assert!(matches!(run.engine.next(), Next::Wait(Some(_))));
    run.does(job);
    let (lines, footer) = run.run_on();
    assert_eq!(only(&lines, &["has not ended"]).len(), 1, "{lines:#?}");
    assert_eq!(only(&lines, &["behavior started"]).len(), 0, "{lines:#?}");
    assert_eq!((footer.reason, footer.t), (EndReason::Limit, Time::from_millis(2000)));
}

/// Who sleeps in a constructor, or while it is loaded, waits for the clock: it goes.
#[test]
fn the_clock_starts_earlier_for_who_waits() {
    let scripts = Scripts::from([(("A", "onLoad"), vec![Sleep(1.0), Log("loaded")]), start("A", vec![Log("started")])]);
    let (lines, footer) = Run::in_real_time(&one(), scripts, Robot::default(), until(3000)).finish();
    assert_eq!(only(&lines, &["log"]), ["1.000 root/A log loaded", "1.000 root/A log started"], "{lines:#?}");
    assert_eq!((footer.reason, footer.t), (EndReason::Limit, Time::from_millis(4000)));
}

/// Until everything has been started and there is nothing to do.
fn run_to_wait(run: &mut Run) {
    loop {
        match run.engine.next() {
            Next::Wait(_) => break,
            next => run.does(next),
        }
    }
}

/// The script of a start begins when that of its box's stop, which computes, has returned or waits; what comes behind it for the same box
/// keeps its place, and others do not wait.
#[test]
fn a_start_waits_for_the_stop_of_its_box() {
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2);
    let ports = ["onInput_onStart", "onInput_onStop"];
    for ends in [true, false] {
        let log = |name: &'static str, method: &'static str| ((name, method), vec![Log(method)]);
        let scripts = Scripts::from([log("A", ports[0]), log("A", ports[1]), log("B", ports[0])]);
        let mut run = Run::in_real_time(&root(&boxes), scripts, Robot::default(), until(60_000));
        run_to_wait(&mut run);
        let stimulate = |run: &mut Run, path: &str, port: &str| {
            let (path, port) = (path.parse().unwrap(), port.to_owned());
            run.engine.control(Time::ZERO, Control::Stimulate { path, port, value: Value::Null }).unwrap();
        };
        for (path, port) in [("root/A", "onStop"), ("root/A", "onStart"), ("root/A", "onStop"), ("root/B", "onStart")] {
            stimulate(&mut run, path, port);
        }
        let next = |run: &mut Run| loop {
            match run.engine.next() {
                Next::Job(job) => {
                    if let Some(job) = run.engine.begins(job) {
                        break Some(job);
                    }
                }
                _ => break None,
            }
        };
        let called = |job: &Job| match &job.order {
            Order::Call { method, .. } => method.to_string(),
            other => panic!("{other:?}"),
        };
        let stop = next(&mut run).expect("the stop begins");
        assert_eq!(called(&stop), ports[1]);
        let other = next(&mut run).expect("B begins");
        assert_eq!(called(&other), ports[0]);
        assert!(next(&mut run).is_none(), "the rest waits for the stop, which computes");
        if ends {
            run.engine.request(stop.task, Request::Returned(Value::Null));
        } else {
            run.engine.request(stop.task, Request::Block { until: None, on: BlockedOn::Lock });
        }
        assert_eq!(called(&next(&mut run).expect("the start begins")), ports[0]);
        assert_eq!(called(&next(&mut run).expect("the other stop begins")), ports[1]);
        run.engine.request(other.task, Request::Returned(Value::Null));
    }
}

/// A stop that came later, and has been handed out but not begun, hinders no start.
#[test]
fn a_start_does_not_wait_for_a_stop_behind_it() {
    let scripts = Scripts::from([start("A", vec![]), (("A", "onInput_onStop"), vec![])]);
    let mut run = Run::in_real_time(&one(), scripts, Robot::default(), until(60_000));
    run_to_wait(&mut run);
    for port in ["onStart", "onStop"] {
        let (path, port, value) = ("root/A".parse().unwrap(), port.to_owned(), Value::Null);
        run.engine.control(Time::ZERO, Control::Stimulate { path, port, value }).unwrap();
    }
    let Next::Job(start) = run.engine.next() else { panic!("the start is handed out") };
    let Next::Job(stop) = run.engine.next() else { panic!("so is the stop") };
    assert!(run.engine.begins(start).is_some());
    assert!(run.engine.begins(stop).is_some());
}

/// Nobody waits longer for a stop than an unload would.
#[test]
fn a_start_does_not_wait_for_ever_for_a_stop() {
    let scripts = Scripts::from([start("A", vec![]), (("A", "onInput_onStop"), vec![])]);
    let mut run = Run::in_real_time(&one(), scripts, Robot::default(), until(60_000));
    run_to_wait(&mut run);
    for port in ["onStop", "onStart"] {
        let (path, port, value) = ("root/A".parse().unwrap(), port.to_owned(), Value::Null);
        run.engine.control(Time::ZERO, Control::Stimulate { path, port, value }).unwrap();
    }
    let Next::Job(stop) = run.engine.next() else { panic!("the stop begins") };
    assert!(run.engine.begins(stop).is_some());
    let Next::Job(start) = run.engine.next() else { panic!("the start is due") };
    assert!(run.engine.begins(start).is_none());
    let Next::Wait(Some(until)) = run.engine.next() else { panic!("it waits") };
    run.clock.as_ref().unwrap().store(until.0, Ordering::Relaxed);
    let Next::Job(start) = run.engine.next() else { panic!("the start is due") };
    assert!(run.engine.begins(start).is_some());
}
