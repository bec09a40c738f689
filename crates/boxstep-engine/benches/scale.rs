//! What a box costs when there are 10² to 10⁶ of them: opening, load, start, a signal, a goTo, the stop, and memory.
//!
//! `cargo bench -p boxstep-engine --bench scale` prints a table for each shape of behavior and fails where the cost of a
//! box grows more than twice from the cheapest size of the table to the dearest, or where a box takes more memory than is
//! promised. Opening may grow more: it takes new memory from the system. `-- NAME` measures one shape, `-- --most N` goes
//! up to N boxes.
//!
//! Time is processor time of the one thread, and each figure the least of several rounds. All sizes take their turns
//! in each round, so that what else the machine does meanwhile falls on all of them.
//!
//! Without `--bench`, as a test, it goes through everything once, up to 1,000 boxes, and times decide nothing.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_engine::config::{BehaviorSource, ClockKind, Config, Control, NoLibrary};
use boxstep_engine::protocol::{Frame, Next, Order, Request, Scheduler as _, TimelineCommand};
use boxstep_engine::services::NoRobot;
use boxstep_engine::trace::Header;
use boxstep_engine::{Engine, ObjectId};
use boxstep_format::{Limits, read_xar};
use boxstep_types::{BoxPath, Time, Value};
use rustix::time::{ClockId, clock_gettime};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How much the cost of a box may grow from the cheapest size to the dearest.
const FLAT: f64 = 2.0;
/// The same for opening.
const FLAT_OPEN: f64 = 10.0;
/// Bytes of a box, all its ports and links included; of one with a script.
const BYTES: [f64; 2] = [640.0, 1280.0];
/// Each size is measured so many times.
const ROUNDS: usize = 5;
/// Boxes, where tests only see that all works.
const SMALL: usize = 1_000;

static NOW: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: everything is the system's allocator's work; the count touches no memory of its.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        NOW.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        NOW.fetch_add(size, Relaxed);
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A shape of behaviors: how its boxes lie.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// All in the root's diagram.
    Flat,
    /// Diagrams of ten boxes in diagrams of ten, each with a memory input.
    Nested,
    /// All in the keyframes of the root's timeline, ten in each; the cursor goes through all of them.
    Keyframes,
    /// All in the root's diagram, each with a script of its own.
    Scripts,
}

const SHAPES: [(&str, Shape); 4] =
    [("flat", Shape::Flat), ("nested", Shape::Nested), ("keyframes", Shape::Keyframes), ("scripts", Shape::Scripts)];

const PORTS: &str = concat!(
    r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" id="1"/><Input name="onStart" type="1" type_size="1" nature="2" inner="0" id="2"/>"#,
    r#"<Input name="onStop" type="1" type_size="1" nature="3" inner="0" id="3"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" id="4"/>"#,
    r#"<Output name="out" type="1" type_size="1" nature="2" inner="0" id="5"/><Input name="in" type="1" type_size="1" nature="1" inner="0" id="6"/>"#
);

/// Boxes of a diagram with ids from 1; each is started, stopped and stimulated with the box around it.
fn boxes(
    ids: std::ops::RangeInclusive<usize>,
    first: usize,
    scripts: bool,
    inside: &mut dyn FnMut(usize) -> String,
) -> String {
    let mut text = String::new();
    for id in ids {
        let n = first + id;
        let script = if scripts {
            format!(r#"<script language="4"><content><![CDATA[class {n}]]></content></script>"#)
        } else {
            String::new()
        };
        let inside = inside(n);
        let _ = write!(text, r#"<Box name="b{n}" id="{id}">{script}{PORTS}{inside}</Box>"#);
        for port in [2, 3, 6] {
            let _ = write!(
                text,
                r#"<Link outputowner="0" indexofoutput="{port}" inputowner="{id}" indexofinput="{port}"/>"#
            );
        }
    }
    text
}

fn flow(content: &str) -> String {
    format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
    )
}

fn nested(count: usize, next: &mut usize) -> String {
    if count == 0 {
        return String::new();
    }
    let here = count.min(10);
    let each = (count - here).div_ceil(10);
    let mut text = String::new();
    let mut left = count - here;
    for id in 1..=here {
        *next += 1;
        let n = *next;
        let inner = left.min(each);
        left -= inner;
        let inside = if inner > 0 { flow(&nested(inner, next)) } else { String::new() };
        let _ = write!(
            text,
            r#"<Box name="b{n}" id="{id}">{PORTS}<Input name="m" type="0" type_size="1" nature="4" inner="1" id="8" stm_value_name="Key{n}"/>{inside}</Box>"#
        );
        for port in [2, 3, 6] {
            let _ = write!(
                text,
                r#"<Link outputowner="0" indexofoutput="{port}" inputowner="{id}" indexofinput="{port}"/>"#
            );
        }
    }
    text
}

fn xml(shape: Shape, count: usize) -> String {
    let mut none = |_| String::new();
    let inside = match shape {
        Shape::Flat => flow(&boxes(1..=count, 0, false, &mut none)),
        Shape::Scripts => flow(&boxes(1..=count, 0, true, &mut none)),
        Shape::Nested => flow(&nested(count, &mut 0)),
        Shape::Keyframes => {
            let mut text = format!(
                r#"<Timeline enable="1" fps="1000" start_frame="0" end_frame="{}"><BehaviorLayer name="l">"#,
                count / 10 + 1
            );
            for k in 0..count / 10 {
                let content = boxes(1..=10, k * 10, false, &mut none);
                let _ = write!(
                    text,
                    r#"<BehaviorKeyframe name="k{k}" index="{k}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#
                );
            }
            text + "</BehaviorLayer></Timeline>"
        }
    };
    // The root's script goes to frames.
    format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><script language="4"><content><![CDATA[root]]></content></script>{PORTS}{inside}</Box></ChoregrapheProject>"#
    )
}

/// A host whose scripts have every standard method and do nothing.
struct Host {
    engine: Engine,
    root: Option<ObjectId>,
    goes_to: Option<Frame>,
}

impl Host {
    /// Does all there is to do; in real time until the engine waits.
    fn settle(&mut self) {
        loop {
            match self.engine.next() {
                Next::Job(job) => {
                    let mut answer = Value::Null;
                    match job.order {
                        Order::Construct { object, .. } => {
                            self.root.get_or_insert(object);
                            let methods = ["onLoad", "onUnload", "onInput_onStart", "onInput_onStop", "onInput_in"];
                            answer = Value::list(methods.map(Value::from));
                        }
                        Order::Call { object, .. } if Some(object) == self.root => {
                            if let Some(frame) = self.goes_to.take() {
                                let command = TimelineCommand::GoTo(frame);
                                self.engine.request(job.task, Request::Timeline { object, parent: false, command });
                            }
                        }
                        _ => {}
                    }
                    self.engine.request(job.task, Request::Returned(answer));
                }
                Next::Resume(..) => {}
                // A turn is over.
                Next::Wait(Some(Time::ZERO)) => {}
                Next::Wait(_) | Next::Ended => return,
            }
        }
    }

    fn root_input(&mut self, port: &str) {
        let go = Control::Stimulate { path: BoxPath::root("root"), port: port.to_owned(), value: Value::Null };
        self.engine.control(Time::ZERO, go).unwrap();
        self.settle();
    }
}

/// A behavior of so many boxes.
fn source(shape: Shape, count: usize) -> BehaviorSource {
    let text = xml(shape, count);
    let most = usize::MAX;
    let limits = Limits { bytes: most, nodes: most, ..Limits::default() };
    let file = read_xar("scale.xar", text.as_bytes(), &limits).unwrap();
    BehaviorSource {
        name: "scale".into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/".into(),
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
    }
}

/// Processor time of this thread, nanoseconds.
fn processor_time() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e9 + t.tv_nsec as f64
}

/// Nanoseconds a box for each step, and bytes a box.
fn measure(shape: Shape, count: usize, source: &BehaviorSource) -> ([f64; STEPS.len()], f64) {
    let header = Header::new(ClockKind::Real);
    // Real time, so that the run does not end when nothing is left to do; its clock stands still.
    let config = Config { clock: ClockKind::Real, livelock_bound: u64::MAX, ..Config::default() };
    let before = NOW.load(Relaxed);
    let mut cost = [0.0; STEPS.len()];
    let mut engine = Engine::new(config, Box::new(NoRobot), Box::new(NoLibrary), &header, Vec::new());
    engine.set_machine_clock(|| Time::ZERO);
    let mut timed = |step: usize, work: &mut dyn FnMut()| {
        let since = processor_time();
        work();
        cost[step] = (processor_time() - since) / count as f64;
    };
    timed(OPEN, &mut || engine.play(source.clone()).unwrap());
    let mut host = Host { engine, root: None, goes_to: None };
    // A behavior is started as soon as it is loaded: the start is looked at alone, below.
    timed(1, &mut || host.settle());
    let bytes = (NOW.load(Relaxed) - before) as f64 / count as f64;
    timed(2, &mut || host.root_input("onStop"));
    timed(3, &mut || host.root_input("onStart"));
    timed(4, &mut || host.root_input("in"));
    if shape == Shape::Keyframes {
        timed(5, &mut || {
            for frame in 0..count as i64 / 10 {
                // By its frame, and by its name.
                let by_frame = frame % 2 == 0;
                host.goes_to = Some(if by_frame { frame.into() } else { Frame::Name(format!("k{frame}").into()) });
                host.root_input("in");
            }
        });
    }
    timed(6, &mut || {
        host.engine.control(Time::ZERO, Control::Stop).unwrap();
        host.settle();
    });
    (cost, bytes)
}

const STEPS: [&str; 7] = ["open", "load, start", "stop inside", "start", "signal", "goTo", "unload"];
const OPEN: usize = 0;

/// What each size costs at its best: a row for each, and bytes a box.
fn table(shape: Shape, sizes: &[usize], rounds: usize) -> (Vec<[f64; STEPS.len()]>, Vec<f64>) {
    let sources: Vec<_> = sizes.iter().map(|n| source(shape, *n)).collect();
    let mut rows = vec![[f64::INFINITY; STEPS.len()]; sizes.len()];
    let mut bytes = vec![0.0; sizes.len()];
    for _ in 0..rounds {
        for (n, source) in sources.iter().enumerate() {
            // Of a small one all is over before the clock is exact: more of them.
            for _ in 0..if rounds > 1 { (10_000 / sizes[n]).max(1) } else { 1 } {
                let (cost, size) = measure(shape, sizes[n], source);
                for (best, cost) in rows[n].iter_mut().zip(cost) {
                    *best = best.min(cost);
                }
                bytes[n] = size;
            }
        }
    }
    (rows, bytes)
}

fn main() -> ExitCode {
    let (bench, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a == "--bench");
    let is_test = bench.is_empty();
    let most = words.iter().position(|w| w == "--most").and_then(|i| words.get(i + 1)?.parse().ok());
    let most: usize = most.unwrap_or(if is_test { SMALL } else { 1_000_000 });
    let wanted = |name: &str| {
        let of_shapes: Vec<_> = words.iter().filter(|w| SHAPES.iter().any(|(n, _)| n == w)).collect();
        of_shapes.is_empty() || of_shapes.iter().any(|w| *w == name)
    };
    let sizes: Vec<usize> = (2..=6).map(|p| 10_usize.pow(p)).filter(|n| *n <= most).collect();
    let mut fine = true;
    for (name, shape) in SHAPES.into_iter().filter(|(name, _)| wanted(name)) {
        let (rows, bytes) = table(shape, &sizes, if is_test { 1 } else { ROUNDS });
        println!("{name}: ns a box");
        println!("{:>10}{}{:>12}", "boxes", STEPS.map(|s| format!("{s:>13}")).concat(), "bytes");
        for ((count, row), bytes) in sizes.iter().zip(&rows).zip(&bytes) {
            println!("{count:>10}{}{bytes:>12.0}", row.map(|n| format!("{n:>13.0}")).concat());
            fine &= *bytes <= BYTES[usize::from(shape == Shape::Scripts)];
        }
        let growth: [f64; STEPS.len()] = std::array::from_fn(|step| {
            // Below a few nanoseconds a box the clock decides.
            let of = || rows.iter().map(|r| r[step].max(20.0)).filter(|n| n.is_finite());
            of().fold(0.0, f64::max) / of().fold(f64::INFINITY, f64::min)
        });
        println!("{:>10}{}", "growth", growth.map(|r| format!("{r:>13.2}")).concat());
        fine &= is_test || growth.iter().enumerate().all(|(step, r)| *r <= if step == OPEN { FLAT_OPEN } else { FLAT });
    }
    if !fine {
        eprintln!("a box costs over {FLAT} times as much among more boxes, or takes over {BYTES:?} bytes");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
