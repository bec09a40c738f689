//! Measures a behavior with 2,000 boxes that have scripts: translating their scripts, creating their objects, and the
//! memory of the objects. There is one round per process, so that no memory of an earlier round is reused.
//!
//! The series, one number each, per box: `translate` (all texts are different), `known` (all texts are equal),
//! `create`, `bytes`, and `bare`, an object of the same class created by Python alone. Times are processor time of the
//! thread that runs scripts.

use super::Series;
use super::hop::busy_time;
use super::rig::{self, Drawn, START_AND_STOPPED};
use boxstep_engine::config::{ClockKind, Config};
use boxstep_engine::native::{NativeBox, NativeFactory};
use boxstep_engine::services::ServiceCx;
use boxstep_engine::shared::Shared;
use boxstep_format::model::BoxDef;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const BOXES: usize = 2_000;

/// The script of the first box and the last.
const MARK: &str = "from boxstep import boxstep_native
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        boxstep_native.mark()
";

/// A typical stock box: some 30 lines, with the divisions, prints and exceptions of Python 2.
const STOCK: &str = r#"
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        self.ids = []

    def onLoad(self):
        self.bIsRunning = False
        self.memory = None

    def onUnload(self):
        for id in self.ids:
            try:
                self.memory.stop(id)
            except RuntimeError, e:
                print "cannot stop", id, e
        self.ids = []

    def onInput_onStart(self, p):
        self.bIsRunning = True
        try:
            words = str(p).split(" ")
            half = len(words) / 2
            sentence = "\\RSPD=%d\\ " % 100 + " ".join(words[:half])
            settings = {"speed": 100, "shape": 1.0}
            if settings.has_key("speed") and half > 3:
                sentence += str(settings["speed"] / 3)
            self.ids.append(len(sentence))
        finally:
            self.bIsRunning = False
        self.onStopped(p)

    def onInput_onStop(self):
        self.onUnload()
"#;

/// The same class without a box around it, as Python 3.
const BARE: &std::ffi::CStr = c"
class Bare(object):
    def __init__(self):
        object.__init__(self)
        self.ids = []
";

/// Processor time and resident bytes at the first and the second mark.
static MARKS: Mutex<Vec<(Duration, u64)>> = Mutex::new(Vec::new());

fn marks<R>(f: impl FnOnce(&mut Vec<(Duration, u64)>) -> R) -> R {
    f(&mut MARKS.lock().unwrap_or_else(PoisonError::into_inner))
}

#[pyfunction]
fn mark() {
    let bytes = resident().unwrap_or_default();
    marks(|all| all.push((busy_time(), bytes)));
}

/// Returns the resident memory of this process in bytes.
fn resident() -> Option<u64> {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

pub(super) fn run() -> Result<Series, String> {
    let bare = Python::attach(|py| {
        let module = super::module(py)?;
        module.add_function(wrap_pyfunction!(mark, &module)?)?;
        bare(py)
    })
    .map_err(|e| e.to_string())?;
    let (known, create, bytes) = play(false)?;
    let (translate, ..) = play(true)?;
    Ok(vec![
        ("known", vec![known]),
        ("create", vec![create]),
        ("bytes", vec![bytes]),
        ("translate", vec![translate]),
        ("bare", vec![bare]),
    ])
}

/// Every box has a script.
struct NoNatives;

impl NativeFactory for NoNatives {
    fn make(&mut self, _: &BoxDef) -> Option<Box<dyn NativeBox>> {
        None
    }
}

/// Returns for one box: nanoseconds to translate, nanoseconds to create, bytes.
fn play(distinct: bool) -> Result<(f64, f64, f64), String> {
    let mut scripts = vec![MARK.to_owned()];
    scripts.extend((0..BOXES).map(|n| {
        let mut script = STOCK.to_owned();
        if distinct {
            // Writing to a string cannot fail.
            let _ = writeln!(script, "# {n}");
        }
        script
    }));
    scripts.push(MARK.to_owned());
    let names: Vec<String> = (0..scripts.len()).map(|n| format!("b{n}")).collect();
    let boxes = scripts.iter().zip(&names).zip(1..);
    let boxes = boxes.map(|((script, name), id)| Drawn { name, id, script, ports: START_AND_STOPPED });
    // The first box ends the behavior as soon as it is started: only the time before that counts.
    let xml = rig::behavior(boxes, [(0, 2, 0, 4)]);
    let config = Config { clock: ClockKind::Virtual, ..Config::default() };
    let robot = Box::new(rig::Ticks(|_: &mut ServiceCx<'_>, _| ()));
    marks(Vec::clear);
    rig::play(&Shared::new(rig::engine(&xml, config, Box::new(NoNatives), robot)?))?;
    let [first, last] = marks(|all| <[_; 2]>::try_from(std::mem::take(all)))
        .map_err(|all| format!("{} marks instead of 2", all.len()))?;
    let each = |ns: Duration| ns.as_nanos() as f64 / BOXES as f64;
    Ok((each(first.0), each(last.0.saturating_sub(first.0)), last.1.saturating_sub(first.1) as f64 / BOXES as f64))
}

fn bare(py: Python<'_>) -> PyResult<f64> {
    let space = PyDict::new(py);
    space.set_item("__builtins__", py.import("builtins")?)?;
    space.set_item("__name__", "bare")?;
    py.run(BARE, Some(&space), None)?;
    let class = space.get_item("Bare")?.ok_or_else(|| pyo3::exceptions::PyNameError::new_err("Bare"))?;
    let mut kept = Vec::with_capacity(BOXES);
    let began = busy_time();
    for _ in 0..BOXES {
        kept.push(class.call0()?);
    }
    Ok((busy_time() - began).as_nanos() as f64 / BOXES as f64)
}
