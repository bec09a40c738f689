//! Loops that take no time: who is named, and who goes on beside them (`docs/reference/semantics/links.md`).

use crate::support::*;
use boxstep_engine::config::{ClockKind, Config, Control};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::protocol::{Answer, Next, ObjectCall, Request, Scheduler as _, TaskId};
use boxstep_engine::trace::EndReason;
use boxstep_format::model::BoxDef;
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

/// Boxes whose names begin with N are native and pass on what they get.
struct Passes;

impl NativeBox for Passes {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, value: &Value) {
        cx.output(0, value.clone());
    }
}

impl NativeFactory for Passes {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        definition.name.starts_with('N').then(|| Box::new(Passes) as Box<dyn NativeBox>)
    }
}

/// A box with one input `in` (1) and one output `out` (4), neither of which starts or ends it.
fn passes(name: &str, id: i32) -> String {
    format!(
        r#"<Box name="{name}" id="{id}"><script language="4"><content><![CDATA[{name}]]></content></script>
<Input name="in" type="1" type_size="1" nature="1" inner="0" id="1"/><Output name="out" type="1" type_size="1" nature="2" inner="0" id="4"/></Box>"#
    )
}

/// A ring of boxes, entered by the first; then whatever else.
fn ring(names: &[&str], more: &str) -> String {
    let n = names.len() as i32;
    let boxes: String = (1..).zip(names).map(|(i, name)| passes(name, i)).collect();
    let links: String = (1..=n).map(|i| link(i, 4, i % n + 1, 1)).collect();
    root(&(boxes + &links + &link(0, 2, 1, 1) + more))
}

fn scripts(names: &[&'static str]) -> Scripts {
    let scripted = names.iter().filter(|n| !n.starts_with('N'));
    scripted.map(|n| ((*n, "onInput_in"), vec![Out("out", Value::Null)])).collect()
}

/// A run with native boxes.
fn run(xml: &str, scripts: Scripts, config: Config, real: bool) -> Run {
    let clock = if real { ClockKind::Real } else { ClockKind::Virtual };
    let config = Config { clock, ..config };
    let run = Run::with_natives(xml, scripts, Robot::default(), config, Box::new(Passes));
    if real { run.clocked() } else { run }
}

#[test]
fn a_loop_in_no_time_names_the_boxes_it_goes_through_whatever_they_are() {
    for names in [&["N1", "N2", "N3"][..], &["A", "B", "C"], &["N1", "A", "N2", "B"], &["N1"], &["A"]] {
        for real in [false, true] {
            let config = Config { livelock_bound: 5000, ..Config::default() };
            let (lines, footer) = run(&ring(names, ""), scripts(names), config, real).finish();
            assert_eq!(footer.reason, EndReason::Livelock, "{names:?} {real}");
            let warned = only(&lines, &["signals go round"]);
            let named = warned[0].split("for ever: ").nth(1).unwrap().split(';').next().unwrap();
            let mut found: Vec<&str> = named.split(" → ").collect();
            // It may begin anywhere, and goes in the order of the links.
            let first = found.iter().position(|p| *p == format!("root/{}", names[0])).unwrap();
            found.rotate_left(first);
            let wanted: Vec<String> = names.iter().map(|n| format!("root/{n}")).collect();
            assert_eq!(found, wanted, "{names:?} {real}");
        }
    }
}

/// On the real clock a box that signals itself without a pause keeps nobody waiting: other boxes' timers, the robot's
/// events, commands from outside.
#[test]
fn a_box_that_signals_itself_without_a_pause_keeps_nobody_waiting() {
    for name in ["N", "S"] {
        let others = boxed("T", 8, "", "") + &boxed("E", 9, "", "") + &link(0, 2, 8, 2) + &link(0, 2, 9, 2);
        let mut scripts = scripts(&[name]);
        scripts.extend([
            start("T", vec![Every(0.01, 0.01), Sleep(0.02), Log("time passes")]),
            start("E", vec![Hear("Key", "heard"), Call("ALTest", "slow", vec![]), Log("the robot answers")]),
            (("E", "heard"), vec![Log("hears")]),
        ]);
        let mut robot = Robot::default();
        robot.slow.insert("slow", 0.03);
        let config = Config { clock: ClockKind::Real, livelock_bound: u64::MAX, ..Config::default() };
        let mut run = Run::with_natives_quietly(&ring(&[name], &others), scripts, robot, config, Box::new(Passes));
        // The machine's clock goes on while the engine works: a tenth of a millisecond each time it is read.
        let clock = Arc::new(AtomicI64::new(0));
        let read = clock.clone();
        run.engine.set_machine_clock(move || Time(100_000 * read.fetch_add(1, Ordering::Relaxed)));
        let mut waits = 0;
        let event = Control::Event { key: "Key".to_owned(), value: Value::Int(1) };
        let mut told = false;
        for turn in 0.. {
            assert!(turn < 100_000, "{name}: somebody waits for ever: {:?}", only(&run.seen(), &[" log "]));
            match run.engine.next() {
                Next::Ended => break,
                // Here somebody outside gets hold of the engine.
                Next::Wait(until) => {
                    assert!(until.is_some_and(|at| at <= run.engine.now()), "the loop goes on");
                    waits += 1;
                }
                next => run.does(next),
            }
            let now = run.engine.now();
            if now > Time::from_millis(40) && !std::mem::replace(&mut told, true) {
                run.engine.control(now, event.clone()).unwrap();
            }
            if only(&run.seen(), &["hears"]).len() == 1 {
                run.engine.control(now, Control::Stop).unwrap();
            }
        }
        // A script that runs has let go of the engine anyway.
        assert!(waits > 0 || name == "S", "others get hold of the engine");
        let lines = run.seen();
        for word in ["time passes", "the robot answers", "hears"] {
            assert_eq!(only(&lines, &[&format!("log {word}")]).len(), 1, "{name}: {word}");
        }
    }
}

/// The work of a state is done when no signal of it is under way. Signals that go round for ever keep that open: the
/// question waits in line with them, once, however often a box has ended meanwhile.
#[test]
fn whether_a_state_is_done_is_asked_once_in_a_line_however_many_signals_go_round() {
    let names = ["N1", "N2", "N3"];
    let boxes: String = (1..).zip(names).map(|(id, name)| boxed(name, id, "", "")).collect();
    // Each box ends at once and starts the next.
    let links: String = (1..=3).map(|id| link(id, 4, id % 3 + 1, 2)).collect();
    let objects: String = (0..3).map(|n| format!(r#"<Object number="{n}"/>"#)).collect();
    let numbers: String = (0..4).map(|n| format!(r#"<Link number="{n}"/>"#)).collect();
    let machine = format!(
        r#"<StateMachine><State Name="s">{objects}{numbers}</State><State Name="t"/><Transition From="s" To="t"/></StateMachine>"#
    );
    let states = flow(&(boxes + &links + &link(0, 1, 1, 2))).replace("</Timeline>", &(machine + "</Timeline>"));
    let xml = project(&boxed("root", -1, "", &states).replace("<![CDATA[root]]>", ""));
    let config = Config { livelock_bound: u64::MAX, ..Config::default() };
    let mut run = run(&xml, Scripts::new(), config, false);
    // A function outside is told of each round: whoever drives the engine gets hold of it in the middle of the line, and
    // while that is short.
    let mut ask = |kind: &str, handle: Vec<u32>, operation: &str, args: Vec<Value>| {
        let call = ObjectCall { kind: kind.into(), handle, operation: operation.into(), args };
        run.engine.request(TaskId::FOREIGN, Request::Object(Box::new(call)))
    };
    let Answer::Value(found) = ask("run", Vec::new(), "find", vec!["root/N1".into()]) else { panic!("no box") };
    let handle = found.as_list().unwrap().iter().map(|n| n.as_i64().unwrap() as u32).collect();
    assert!(matches!(ask("box", handle, "onOutput", vec!["onStopped".into(), 7.into()]), Answer::Value(_)));
    let (mut rounds, mut longest) = (0, 0);
    for _ in 0..100 {
        let next = run.engine.next();
        longest = longest.max(*run.engine.sizes().last().unwrap());
        rounds += usize::from(matches!(next, Next::Job(_)));
        run.does(next);
    }
    // The signal that goes round, and the question.
    assert_eq!((rounds, longest), (100, 2), "each round a function is told, and one question waits");
}
