//! A run that is paused, stepped, slowed, and stops by itself where it is told to (`docs/guides/view.md`).

use crate::support::*;
use boxstep_engine::config::{ClockKind, Config, Control};
use boxstep_engine::debugger::{Breakpoint, NotPaused, Port, Step};
use boxstep_engine::protocol::{Next, Scheduler};
use boxstep_engine::trace::EndReason;
use boxstep_types::{BoxPath, Time, Value};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

/// A sleeps a second, then starts B, which logs.
fn two() -> (String, Scripts) {
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "");
    let xml = root(&(boxes + &link(0, 2, 1, 2) + &link(1, 4, 2, 2) + &link(2, 4, 0, 4)));
    let out = || Out("onStopped", Value::Null);
    (xml, Scripts::from([start("A", vec![Sleep(1.0), out()]), start("B", vec![Log("B"), out()])]))
}

fn at(path: &str) -> BoxPath {
    path.parse().unwrap()
}

fn port(path: &str, name: &str) -> Port {
    (at(path), name.into())
}

/// Until it is paused; false if it ended.
fn goes(run: &mut Run) -> bool {
    while !run.engine.debugger_state().paused {
        let next = run.engine.next();
        match next {
            Next::Ended => return false,
            Next::Wait(None) => {}
            next => run.does(next),
        }
    }
    assert!(matches!(run.engine.next(), Next::Wait(None)), "it is paused");
    true
}

fn whole() -> Vec<String> {
    let (xml, scripts) = two();
    Run::new(&xml, scripts).finish().0
}

#[test]
fn a_link_is_not_the_other_links_of_its_ports() {
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &boxed("C", 3, "", "");
    let links = link(0, 2, 1, 2) + &link(1, 4, 3, 2) + &link(1, 4, 2, 2) + &link(3, 4, 2, 2) + &link(2, 4, 0, 4);
    let out = || vec![Out("onStopped", Value::Null)];
    let scripts = Scripts::from([start("A", out()), start("B", vec![Sleep(1.0)]), start("C", out())]);
    let mut run = Run::new(&root(&(boxes + &links)), scripts);
    let from_c = Breakpoint::Link(port("root/C", "onStopped"), port("root/B", "onStart"));
    run.engine.set_breaks(vec![from_c.clone()]).unwrap();
    assert!(goes(&mut run));
    assert_eq!(run.engine.debugger_state().hit, Some(from_c));
    let starts = |path: &str| run.seen().iter().filter(|line| line.contains(&format!("{path} > onStart"))).count();
    assert_eq!((starts("root/C"), starts("root/B")), (1, 2), "B was started by A before, on another link");
}

#[test]
fn a_pause_leaves_no_mark_in_the_trace() {
    let (xml, scripts) = two();
    let mut run = Run::new(&xml, scripts);
    run.engine.pause().unwrap();
    assert!(goes(&mut run));
    assert_eq!(run.seen(), ["0.000 root behavior loading"]);
    let mut steps = 0;
    loop {
        run.engine.unpause(Some([Step::Signal, Step::Frame, Step::Tick][steps % 3])).unwrap();
        if !goes(&mut run) {
            break;
        }
        steps += 1;
    }
    assert!(steps >= 4, "{steps}");
    assert_eq!(run.seen(), whole());
}

#[test]
fn a_step_goes_to_the_next_signal() {
    let (xml, scripts) = two();
    let mut run = Run::new(&xml, scripts);
    run.engine.pause().unwrap();
    let mut last = Vec::new();
    loop {
        run.engine.unpause(Some(Step::Signal)).unwrap();
        if !goes(&mut run) {
            break;
        }
        let signals = run.seen().iter().filter(|line| line.contains(" > ") || line.contains(" < ")).count();
        last.push(signals);
    }
    assert_eq!(last, (1..=last.len()).collect::<Vec<_>>(), "one by one");
    assert!(last.len() >= 6, "{last:?}");
}

#[test]
fn a_frame_is_40_ms_on_both_clocks() {
    for clock in [ClockKind::Virtual, ClockKind::Real] {
        let (xml, scripts) = two();
        let run = Run::with(&xml, scripts, Robot::default(), Config { clock, ..Config::default() });
        let mut run = if clock == ClockKind::Real { run.clocked() } else { run };
        run.engine.pause().unwrap();
        for frames in 1..=3 {
            run.engine.unpause(Some(Step::Frame)).unwrap();
            assert!(goes(&mut run));
            assert_eq!(run.engine.now(), Time::from_millis(40 * frames), "{clock:?}");
        }
    }
}

#[test]
fn it_stops_where_it_is_told_to() {
    for (place, line) in [
        (Breakpoint::Box(at("root/B")), "root/B > onStart"),
        (Breakpoint::Port(port("root/A", "onStopped")), "root/A < onStopped"),
        (Breakpoint::Link(port("root/A", "onStopped"), port("root/B", "onStart")), "root/B > onStart"),
        (Breakpoint::Link(port("root", "onStart"), port("root/A", "onStart")), "root/A > onStart"),
        (Breakpoint::Behavior("test".into()), "root behavior started"),
    ] {
        let (xml, scripts) = two();
        let mut run = Run::new(&xml, scripts);
        run.engine.set_breaks(vec![Breakpoint::Box(at("root/Nobody")), place.clone()]).unwrap();
        assert!(goes(&mut run), "{place:?}");
        assert_eq!(run.engine.debugger_state().hit.as_ref(), Some(&place));
        let seen = run.seen();
        let found = seen.iter().position(|l| l.contains(line)).unwrap_or_else(|| panic!("{place:?}: {seen:#?}"));
        assert!(found + 4 >= seen.len(), "close behind it: {seen:#?}");
        run.engine.set_breaks(Vec::new()).unwrap();
        run.engine.unpause(None).unwrap();
        assert!(!goes(&mut run));
        assert_eq!(run.seen(), whole());
    }
}

#[test]
fn it_stops_at_an_error() {
    let (xml, mut scripts) = two();
    scripts.extend([start("B", vec![Raise])]);
    let mut run = Run::new(&xml, scripts);
    run.engine.set_breaks(vec![Breakpoint::Error]).unwrap();
    assert!(goes(&mut run));
    assert_eq!(
        (run.engine.debugger_state().hit.clone(), run.engine.now()),
        (Some(Breakpoint::Error), Time::from_millis(1000))
    );
}

#[test]
fn it_stops_at_a_keyframe() {
    let inside = r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="51"><BehaviorLayer name="l">
        <BehaviorKeyframe name="a" index="1"><Diagram></Diagram></BehaviorKeyframe>
        <BehaviorKeyframe name="b" index="26"><Diagram></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#;
    let xml = root(&(boxed("T", 1, "", inside) + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let mut run = Run::new(&xml, Scripts::default());
    run.engine.set_breaks(vec![Breakpoint::State(at("root/T"), "b".into())]).unwrap();
    assert!(goes(&mut run));
    assert_eq!(run.engine.now(), Time::from_millis(1000));
}

#[test]
fn what_comes_from_outside_waits_while_it_is_paused() {
    let (xml, scripts) = two();
    let mut run = Run::new(&xml, scripts);
    run.engine.set_breaks(vec![Breakpoint::Port(port("root/A", "onStart"))]).unwrap();
    assert!(goes(&mut run));
    let stimulate = Control::Stimulate { path: at("root/B"), port: "onStart".to_owned(), value: Value::Null };
    run.engine.control(run.engine.now(), stimulate).unwrap();
    assert!(goes(&mut run));
    assert!(only(&run.seen(), &["log"]).is_empty());
    run.engine.unpause(None).unwrap();
    assert!(!goes(&mut run));
    assert_eq!(only(&run.seen(), &["log"]), ["0.000 root/B log B"]);
}

#[test]
fn a_stop_ends_a_paused_run() {
    for control in [Control::Stop, Control::Interrupt] {
        let (xml, scripts) = two();
        let mut run = Run::new(&xml, scripts);
        run.engine.set_breaks(vec![Breakpoint::Box(at("root/A")), Breakpoint::Port(port("root/A", "onStop"))]).unwrap();
        assert!(goes(&mut run));
        run.engine.control(Time::ZERO, control).unwrap();
        assert!(!goes(&mut run), "no break holds up the end");
        assert_eq!(run.engine.pause(), Err(NotPaused::Over));
    }
}

#[test]
fn the_real_clock_stands_and_goes_faster() {
    let (xml, scripts) = two();
    let machine = Arc::new(AtomicI64::new(5_000_000_000));
    let mut run = Run::with(&xml, scripts, Robot::default(), Config { clock: ClockKind::Real, ..Config::default() });
    let read = machine.clone();
    run.engine.set_machine_clock(move || Time(read.load(Ordering::Relaxed) - 5_000_000_000));
    let flows = Arc::new(Mutex::new(Vec::new()));
    let keep = flows.clone();
    run.engine.on_debugger_change(move |_, flow| keep.lock().unwrap().push((flow.at, flow.rate)));
    let passes = |ms: i64| machine.fetch_add(ms * 1_000_000, Ordering::Relaxed);
    let waits = |run: &mut Run| loop {
        match run.engine.next() {
            Next::Wait(until) => break until.map(|until| until.since(run.engine.now()).as_millis()),
            Next::Ended => panic!("ended"),
            next => run.does(next),
        }
    };
    assert_eq!(waits(&mut run), Some(1000));
    passes(400);
    run.engine.pause().unwrap();
    passes(60_000);
    assert_eq!((waits(&mut run), run.engine.now()), (None, Time::from_millis(400)));
    run.engine.set_speed(2.0).unwrap();
    run.engine.unpause(None).unwrap();
    assert_eq!(waits(&mut run), Some(300), "of the machine's");
    passes(100);
    assert_eq!((waits(&mut run), run.engine.now()), (Some(200), Time::from_millis(600)));
    // What has passed until then is not lost, although the engine has not looked at its clock since.
    passes(50);
    run.engine.set_speed(0.5).unwrap();
    assert_eq!((waits(&mut run), run.engine.now()), (Some(600), Time::from_millis(700)));
    let told = [(0, 0.0), (0, 1.0), (400, 0.0), (400, 0.0), (400, 2.0), (700, 0.5)];
    assert_eq!(*flows.lock().unwrap(), told.map(|(ms, rate)| (Time::from_millis(ms), rate)));
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert_eq!(run.engine.set_speed(speed), Err(NotPaused::Speed), "{speed}");
    }
}

#[test]
fn whoever_asked_is_told_of_every_change() {
    let (xml, scripts) = two();
    let mut run = Run::new(&xml, scripts);
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = told.clone();
    run.engine.on_debugger_change(move |pace, flow| {
        assert_eq!(flow.rate, 0.0, "in virtual time");
        keep.lock().unwrap().push((pace.paused, pace.hit.is_some()));
    });
    run.engine.set_breaks(vec![Breakpoint::Box(at("root/B"))]).unwrap();
    assert!(goes(&mut run));
    run.engine.unpause(None).unwrap();
    while goes(&mut run) {
        run.engine.unpause(None).unwrap();
    }
    let told = told.lock().unwrap();
    assert_eq!(told[..4], [(false, false), (false, false), (true, true), (false, false)], "{told:?}");
    assert_eq!(run.engine.outcome().unwrap().reason, EndReason::Ended);
}
