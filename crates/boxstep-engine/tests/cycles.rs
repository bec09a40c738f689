//! Behaviors come and go ten thousand times, and memory stays as it is: counted byte by byte in the allocator, so that
//! it does not matter where something would be left.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use boxstep_engine::config::Config;
use boxstep_engine::trace::{BehaviorPhase, EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_types::{Time, Value};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Arc, Mutex};
use support::*;

thread_local! {
    /// Bytes that this thread has and has not given back: tests do not count each other's.
    static NOW: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count(bytes: isize) {
    // At the end of a thread nobody counts any more.
    let _ = NOW.try_with(|now| now.set(now.get() + bytes));
}

// SAFETY: everything is the system's allocator's work; the count touches no memory of its.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Notes how much there is each time the other behavior is gone.
#[derive(Clone, Default)]
struct Meter(Arc<Mutex<Vec<isize>>>);

impl Sink for Meter {
    fn begin(&mut self, _: &Header) {
        self.0.lock().unwrap().reserve(20_000);
    }
    fn events(&mut self, events: &[Event], _: &Paths) {
        let gone = |e: &&Event| matches!(&e.kind, Kind::Behavior { phase: BehaviorPhase::Unloaded, name } if **name == *"other");
        let now = NOW.with(Cell::get);
        self.0.lock().unwrap().extend(events.iter().filter(gone).map(|_| now));
    }
    fn end(&mut self, _: &Footer) {}
}

const CYCLES: usize = 10_000;

/// The other behavior: scripts, a timeline with two layers and a curve, a resource, a memory input, a dialog, a box
/// whose onUnload hangs now and then.
fn other() -> String {
    let keyframe = |name: &str, index: i32, content: &str| {
        format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
    };
    let on_load = |name: &str| boxed(name, 1, "", "") + &link(0, 1, 1, 2);
    let layer = |name: &str, content: &str| format!(r#"<BehaviorLayer name="{name}">{content}</BehaviorLayer>"#);
    let curve = r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="5" value="1"/></ActuatorCurve></ActuatorList>"#;
    let inside = format!(
        r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="51">{curve}{}{}</Timeline>"#,
        layer("l", &(keyframe("a", 1, &on_load("In")) + &keyframe("b", 2, &on_load("Next")))),
        layer("m", &keyframe("c", 1, &on_load("Beside")))
    );
    let memory = r#"<Input name="heard" type="0" type_size="1" nature="4" inner="1" stm_value_name="Key" id="7"/>"#;
    let legs = r#"<Resource name="Legs" type="Lock" timeout="5"/>"#;
    let dialog = boxed("D", 4, "", "<dialogFile>t.dlg</dialogFile>").replace("<![CDATA[D]]>", "");
    let boxes = boxed("T", 1, memory, &inside) + &boxed("Q", 2, legs, "") + &boxed("R", 3, legs, "") + &dialog;
    root(&(boxes + &(1..5).map(|i| link(0, 2, i, 2)).collect::<String>()))
}

fn run(scripts: Scripts, config: Config) -> (Vec<isize>, Footer, [usize; 13]) {
    // Starts itself again when it has stopped the other.
    let main = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let meter = Meter::default();
    let mut run = Run::told(
        source("test", &main),
        vec![("other", source("other", &other()))],
        scripts,
        Robot::default(),
        config,
        vec![Box::new(meter.clone())],
        None,
    );
    run.steps = usize::MAX;
    let footer = run.ends();
    let seen = meter.0.lock().unwrap().clone();
    (seen, footer, run.engine.sizes())
}

fn scripts(lasts: f64, hangs: bool) -> Scripts {
    let manage = |what: &'static str| Call("ALBehaviorManager", what, vec!["other".into()]);
    let mut scripts = Scripts::from([
        (
            ("A", "onInput_onStart"),
            vec![
                manage("startBehavior"),
                Sleep(lasts),
                manage("stopBehavior"),
                Sleep(lasts),
                Out("onStopped", Value::Null),
            ],
        ),
        (("In", "onInput_onStart"), vec![Hear("Key", "heard"), Sleep(lasts / 2.0), Every(lasts, lasts)]),
        (("In", "onUnload"), vec![Sleep(lasts / 10.0)]),
        (("Next", "onInput_onStart"), vec![Call("ALMemory", "raiseEvent", vec!["Key".into(), Value::Int(1)])]),
        (("Q", "onInput_onStart"), vec![Sleep(lasts / 2.0), Set("nobody", Value::Int(1))]),
        // Outlives its box: nobody waits for it, and it ends some time.
        (("Beside", "onInput_onStart"), vec![Sleep(lasts * 2.0)]),
    ]);
    if hangs {
        scripts.insert(("Q", "onUnload"), vec![Hang]);
        scripts.insert(("Beside", "onInput_onStart"), vec![Hang]);
    }
    scripts
}

/// The most there was in the last cycles is no more than the most in the first ones, but for what vectors that grow to
/// their size for good may still need.
#[track_caller]
fn flat(case: &str, seen: &[isize]) {
    assert!(seen.len() >= CYCLES, "{case}: {} cycles", seen.len());
    let most = |cycles: &[isize]| *cycles.iter().max().unwrap();
    let (first, last) = (most(&seen[1000..3000]), most(&seen[CYCLES - 2000..CYCLES]));
    let grown = last - first;
    assert!(grown <= 2048, "{case}: {grown} bytes more after {CYCLES} cycles ({first} → {last})");
}

#[test]
fn ten_thousand_behaviors_that_come_and_go_leave_nothing_behind() {
    // In next to no time, so that timers of what is gone are still to come; and in their time.
    for lasts in [1e-4, 0.2] {
        let limit = Time::from_secs_f64((lasts * 2.3) * (CYCLES as f64 + 10.0));
        let config = Config { limit: Some(limit), ..Config::default() };
        let (seen, footer, sizes) = run(scripts(lasts, false), config.clone());
        assert_eq!(footer.reason, EndReason::Limit);
        flat(&format!("{lasts} s"), &seen);
        let few = Config { limit: Some(Time::from_secs_f64(lasts * 8.0)), ..config };
        let (_, _, wanted) = run(scripts(lasts, false), few);
        // Timers of the robot stay until their time; there are as many as fit into the second that a motion may take.
        assert!(sizes[6] < 3000, "{} timers", sizes[6]);
        let without_timers = |mut sizes: [usize; 13]| {
            sizes[6] = 0;
            sizes
        };
        assert_eq!(
            without_timers(sizes),
            without_timers(wanted),
            "boxes, diagrams, behaviors, paths, procedures, tasks, timers, objects …"
        );
    }
}

/// Stopped by force each time: what hangs is interrupted, and nothing of it stays.
#[test]
fn ten_thousand_stops_by_force_leave_nothing_behind() {
    let config = Config {
        stop_within: std::time::Duration::from_millis(1),
        limit: Some(Time::from_secs_f64(0.02 * (CYCLES as f64 + 100.0))),
        ..Config::default()
    };
    let (seen, footer, _) = run(scripts(0.01, true), config);
    assert!(footer.forced >= CYCLES as u64, "{}", footer.forced);
    flat("by force", &seen);
}
