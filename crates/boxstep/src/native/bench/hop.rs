//! A number goes round through a chain of boxes with scripts, at least 1,000 hops in a round, in one run of one
//! process. Before each round a script measures the peers: a bare call of the same method, and a bare hand-over between
//! threads.
//!
//! The series, per hop, call or hand-over: `hop` and `bare`, one number for each round, and in real time `handover`. In
//! virtual time one thread does everything, so `hop` and `bare` are its processor time, which excludes other
//! programs; `wall` is the wall-clock time.

use super::Series;
use super::rig::{self, Drawn, START_AND_STOPPED};
use boxstep_engine::config::{ClockKind, Config};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::services::ServiceCx;
use boxstep_engine::shared::Shared;
use boxstep_format::model::BoxDef;
use boxstep_types::Value;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The minimum number of hops in a round.
const HOPS: usize = 1_000;
const BARE_CALLS: u32 = 1_000;
const HANDOVERS: u32 = 200;
/// Rounds in which caches, method tables and branch predictors fill; they are not counted.
const WARM_UP: u32 = 3;

/// The script of each box of the chain.
const HOP: &str = "class MyClass(GeneratedClass):
    def onLoad(self):
        self.n = 0
    def onInput_onStart(self, p):
        self.n += 1
        self.onStopped(p)
";

/// The script of the box before the chain.
const PEERS: &str = "from boxstep import boxstep_native
class MyClass(GeneratedClass):
    def onInput_onStart(self, p):
        boxstep_native.measure_peers()
        self.onStopped(p)
";

/// The same method without a box around it.
const BARE: &std::ffi::CStr = c"
class Bare(object):
    def __init__(self, onStopped):
        self.n = 0
        self.onStopped = onStopped
    def onInput_onStart(self, p):
        self.n += 1
        self.onStopped(p)
";

/// The measurements.
#[derive(Default)]
struct Log {
    /// When the current round began: wall-clock time, and processor time of this thread.
    began: Option<(Instant, Duration)>,
    wall: Vec<f64>,
    hop: Vec<f64>,
    bare: Vec<f64>,
    handover: Vec<f64>,
}

static LOG: Mutex<Log> =
    Mutex::new(Log { began: None, wall: Vec::new(), hop: Vec::new(), bare: Vec::new(), handover: Vec::new() });

static IS_VIRTUAL: AtomicBool = AtomicBool::new(false);

fn log<R>(write: impl FnOnce(&mut Log) -> R) -> R {
    write(&mut LOG.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(super) fn run(is_virtual: bool, rounds: u32, boxes: usize) -> Result<Series, String> {
    Python::attach(|py| {
        let module = super::module(py)?;
        module.add_function(wrap_pyfunction!(measure_peers, &module)?)
    })
    .map_err(|e| e.to_string())?;
    IS_VIRTUAL.store(is_virtual, Ordering::Relaxed);
    let clock = if is_virtual { ClockKind::Virtual } else { ClockKind::Real };
    let config = Config { clock, livelock_bound: u64::MAX, ..Config::default() };
    let engine = rig::engine(
        &xml(boxes),
        config,
        Box::new(Meters { rounds: rounds + WARM_UP, boxes }),
        Box::new(rig::Ticks(|_: &mut ServiceCx<'_>, _| ())),
    )?;
    rig::play(&Shared::new(engine))?;
    let after_warm_up = |all: &[f64]| all.get(WARM_UP as usize..).unwrap_or_default().to_vec();
    Ok(log(|log| {
        vec![
            ("hop", after_warm_up(&log.hop)),
            ("wall", after_warm_up(&log.wall)),
            ("bare", after_warm_up(&log.bare)),
            ("handover", after_warm_up(&log.handover)),
        ]
    }))
}

/// Links: root → Meter → Peers → 1 → … → the last one → Meter → 1 → …; after a round Meter → Peers, after the last
/// round Meter → root.
fn xml(boxes: usize) -> String {
    let (meter, peers) = (boxes + 1, boxes + 2);
    let ports = r#"<Input name="in" type="0" type_size="1" nature="1" inner="0" id="2"/><Output name="round" type="2" type_size="1" nature="2" inner="0" id="3"/><Output name="end" type="2" type_size="1" nature="2" inner="0" id="4"/><Output name="lap" type="2" type_size="1" nature="2" inner="0" id="5"/>"#;
    let names: Vec<String> = (1..=boxes).map(|id| format!("b{id}")).collect();
    let chain = (1..).zip(&names).map(|(id, name)| Drawn { name, id, script: HOP, ports: START_AND_STOPPED });
    let ends = [
        Drawn { name: "Meter", id: meter, script: "", ports },
        Drawn { name: "Peers", id: peers, script: PEERS, ports: START_AND_STOPPED },
    ];
    let links = (1..boxes).map(|id| (id, 4, id + 1, 2));
    let around = [(0, 2, meter, 2), (meter, 3, peers, 2), (peers, 4, 1, 2), (boxes, 4, meter, 2), (meter, 4, 0, 4)];
    let around = around.into_iter().chain([(meter, 5, 1, 2)]);
    rig::behavior(chain.chain(ends), links.chain(around))
}

/// Creates the only native box.
struct Meters {
    rounds: u32,
    boxes: usize,
}

impl NativeFactory for Meters {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        let meter = Meter { left: self.rounds, boxes: self.boxes, laps: 0 };
        (&*definition.name == "Meter").then(|| Box::new(meter) as Box<dyn NativeBox>)
    }
}

/// Ends a round and begins the next.
struct Meter {
    left: u32,
    boxes: usize,
    /// The laps of the current round.
    laps: usize,
}

const ROUND: usize = 0;
const END: usize = 1;
const LAP: usize = 2;

impl NativeBox for Meter {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
        let begun = log(|log| log.began.is_some());
        self.laps += usize::from(begun);
        let hops = self.laps * self.boxes;
        if begun && hops < HOPS {
            return cx.output(LAP, Value::Float(1.0));
        }
        self.laps = 0;
        log(|log| {
            if let Some((began, busy)) = log.began.take() {
                let wall = began.elapsed();
                let took = if IS_VIRTUAL.load(Ordering::Relaxed) { busy_time() - busy } else { wall };
                log.hop.push(took.as_nanos() as f64 / hops as f64);
                log.wall.push(wall.as_nanos() as f64 / hops as f64);
            }
        });
        let more = self.left > 0;
        self.left = self.left.saturating_sub(1);
        cx.output(if more { ROUND } else { END }, Value::Float(1.0));
    }
}

/// Returns the processor time of the calling thread where the system provides it, else the wall-clock time.
pub(super) fn busy_time() -> Duration {
    #[cfg(target_os = "linux")]
    let time = {
        let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(t.tv_sec.unsigned_abs(), t.tv_nsec as u32)
    };
    #[cfg(not(target_os = "linux"))]
    let time = {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    };
    time
}

/// Called by a script between two rounds.
#[pyfunction]
fn measure_peers(py: Python<'_>) -> PyResult<()> {
    let bare = bare_call(py)?;
    // In virtual time scripts do not change threads.
    let handover = (!IS_VIRTUAL.load(Ordering::Relaxed)).then(|| py.detach(hand_over));
    log(|log| {
        log.bare.push(bare);
        log.handover.extend(handover);
        log.began = Some((Instant::now(), busy_time()));
    });
    Ok(())
}

/// The number that a script returned, stored so that it is really read.
static READ: AtomicU64 = AtomicU64::new(0);

#[pyfunction]
fn on_stopped(p: f64) {
    READ.store(p.to_bits(), Ordering::Relaxed);
}

/// Measures a call from Rust of the method with a number, which calls Rust with the number.
fn bare_call(py: Python<'_>) -> PyResult<f64> {
    let space = PyDict::new(py);
    space.set_item("__builtins__", py.import("builtins")?)?;
    space.set_item("__name__", "bare")?;
    py.run(BARE, Some(&space), None)?;
    let class = space.get_item("Bare")?.ok_or_else(|| pyo3::exceptions::PyNameError::new_err("Bare"))?;
    let made = class.call1((wrap_pyfunction!(on_stopped, py)?,))?;
    let method = made.getattr("onInput_onStart")?;
    let began = busy_time();
    for n in 0..BARE_CALLS {
        method.call1((PyFloat::new(py, f64::from(n)),))?;
    }
    Ok((busy_time() - began).as_nanos() as f64 / f64::from(BARE_CALLS))
}

/// Measures two threads that pass a number back and forth.
fn hand_over() -> f64 {
    let (there, inbox): (Sender<u32>, Receiver<u32>) = channel();
    let (back, home) = channel();
    let other = std::thread::spawn(move || {
        for n in inbox {
            if back.send(n).is_err() {
                break;
            }
        }
    });
    // Make sure that the thread runs before the clock starts.
    let mut passed = there.send(0).is_ok() && home.recv().is_ok();
    let began = Instant::now();
    for n in 0..HANDOVERS / 2 {
        passed &= there.send(n).is_ok() && home.recv().is_ok();
    }
    let took = began.elapsed().as_nanos() as f64 / f64::from(HANDOVERS);
    drop(there);
    let _ = other.join();
    if passed { took } else { f64::NAN }
}
