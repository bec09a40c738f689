//! The real clock, read by the tests: nothing here waits, and nothing depends on the machine.

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::{Next, Order, Scheduler};
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
    assert_eq!(only(&lines, &["log"]), [r#"0.500 root/A log ["Key",7,""]"#], "{lines:#?}");
}

/// Who sleeps in a constructor, or while it is loaded, waits for the clock: it goes.
#[test]
fn the_clock_starts_earlier_for_who_waits() {
    let scripts = Scripts::from([(("A", "onLoad"), vec![Sleep(1.0), Log("loaded")]), start("A", vec![Log("started")])]);
    let (lines, footer) = Run::in_real_time(&one(), scripts, Robot::default(), until(3000)).finish();
    assert_eq!(only(&lines, &["log"]), ["1.000 root/A log loaded", "1.000 root/A log started"], "{lines:#?}");
    assert_eq!(footer.reason, EndReason::Limit);
}
