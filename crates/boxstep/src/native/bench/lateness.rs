//! Measures how late work that is due 100 times a second is done while a script of the same process runs `while True:
//! pass`.
//!
//! The engine's work (a timer of the robot, its event, a link, an input of a native box) and a bare loop around
//! `clock_nanosleep` alternate in slices of some seconds, beside the same script. At the end the behavior is stopped.
//!
//! The series, one number for each round: `engine` and `bare`, the 99th percentile of the lateness in each slice, and
//! `engine_median` and `bare_median`; `stop`, how long the stop took.

use super::Series;
use super::rig::{self, Drawn, START_AND_STOPPED};
use boxstep_engine::config::{ClockKind, Config, Control};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::protocol::Scheduler as _;
use boxstep_engine::services::{ServiceCx, Topic};
use boxstep_engine::shared::Shared;
use boxstep_format::model::BoxDef;
use boxstep_types::{Time, Value};
use rustix::thread::{ClockId, Timespec, clock_nanosleep_absolute};
use std::sync::{Arc, Mutex, PoisonError};

const PERIOD: i64 = 10_000_000;
const SECOND: i64 = 1_000_000_000;
/// By this time scripts are loaded and the interpreter spins.
const SETTLE: i64 = SECOND;
/// By this time the clock runs.
const GO: Time = Time::from_millis(1);

const SPIN: &str = "class MyClass(GeneratedClass):
    def onInput_onStart(self, p):
        while True:
            pass
";

/// Returns the time of the system's monotonic clock, in nanoseconds.
fn now() -> i64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    t.tv_sec * SECOND + t.tv_nsec
}

/// The schedule of due times.
#[derive(Clone, Copy)]
struct Plan {
    start: i64,
    slice: i64,
    slices: i64,
}

impl Plan {
    fn end(self) -> i64 {
        self.start + self.slices * self.slice
    }

    /// Returns the slice that a time is in.
    fn slice_of(self, t: i64) -> i64 {
        (t - self.start).div_euclid(self.slice)
    }

    /// Returns the first due time after `t` in the even slices, or in the odd ones.
    fn after(self, t: i64, odd: bool) -> Option<i64> {
        let mut t = t.max(self.start - 1);
        t = self.start + ((t - self.start).div_euclid(PERIOD) + 1) * PERIOD;
        if (self.slice_of(t) % 2 == 1) != odd {
            t = self.start + (self.slice_of(t) + 1) * self.slice;
        }
        (t < self.end()).then_some(t)
    }
}

/// How late the work was done, slice by slice, in nanoseconds.
type Late = Arc<Mutex<Vec<Vec<i64>>>>;

fn note(late: &Late, plan: Plan, due: i64) {
    let late_by = now() - due;
    let round = usize::try_from(plan.slice_of(due) / 2).unwrap_or(0);
    if let Some(slice) = late.lock().unwrap_or_else(PoisonError::into_inner).get_mut(round) {
        slice.push(late_by);
    }
}

/// Returns for each slice the lateness that `part` of its samples do not exceed.
fn percentiles(late: &Late, part: f64) -> Vec<f64> {
    let mut slices = late.lock().unwrap_or_else(PoisonError::into_inner);
    let of = |slice: &mut Vec<i64>| {
        slice.sort_unstable();
        let last = (slice.len() as f64 * part).ceil() as usize;
        slice.get(last.saturating_sub(1)).map_or(f64::NAN, |&t| t as f64)
    };
    slices.iter_mut().map(of).collect()
}

pub(super) fn run(rounds: u32, seconds: u32) -> Result<Series, String> {
    let slices: Late = Arc::new(Mutex::new(vec![Vec::new(); rounds as usize]));
    let (engine_late, bare_late) = (slices.clone(), Arc::new(Mutex::new(vec![Vec::new(); rounds as usize])));

    // The engine's clock starts with the behavior, and the first tick tells when that was; the schedule uses the
    // system's clock.
    let mut zero = None;
    let plan = Arc::new(Mutex::new(None::<Plan>));
    let planned = plan.clone();
    let get = move || *planned.lock().unwrap_or_else(PoisonError::into_inner);
    let for_robot = get.clone();
    // The token is the due time. Every due time is handled, even a missed one.
    let tick = move |cx: &mut ServiceCx<'_>, token: u64| {
        let Some(plan) = for_robot() else { return };
        let zero = *zero.get_or_insert_with(|| now() - cx.now().0);
        let due = token as i64;
        if due > 0 {
            cx.event(Topic::Memory("tick".into()), Value::Int(due));
        }
        if let Some(next) = plan.after(due, false) {
            cx.timer(Time(next - zero), next as u64);
        }
    };
    let listener: Listener = Arc::new(move |due| {
        if let Some(plan) = get() {
            note(&engine_late, plan, due);
        }
    });

    let config = Config { clock: ClockKind::Real, ..Config::default() };
    let engine = rig::engine(&xml(), config, Box::new(Natives(listener)), Box::new(rig::Ticks(tick)))?;
    let made = Plan { start: now() + SETTLE, slice: i64::from(seconds) * SECOND, slices: 2 * i64::from(rounds) };
    *plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    let engine = Shared::new(engine);
    engine.poke(|e| e.control(GO, Control::Event { key: "go".to_owned(), value: Value::Null }))?;

    let bare = {
        let late = bare_late.clone();
        std::thread::spawn(move || {
            let mut due = made.after(made.start, true);
            while let Some(t) = due {
                sleep_until(t);
                note(&late, made, t);
                due = made.after(t, true);
            }
        })
    };
    let stopper = {
        let engine = engine.clone();
        std::thread::spawn(move || {
            sleep_until(made.end());
            let spins = engine.lock().tasks().iter().any(|(_, what, blocked)| what.contains("Spin") && !blocked);
            let stopped = engine.poke(|e| {
                let now = e.now();
                e.control(now, Control::Stop)
            });
            stopped.map(|()| spins)
        })
    };
    rig::play(&engine)?;
    let stop = now() - made.end();
    let spun = stopper.join().map_err(|_| "the stopping thread panicked")??;
    bare.join().map_err(|_| "the bare loop panicked")?;
    if !spun {
        return Err("the script did not spin".to_owned());
    }
    Ok(vec![
        ("engine", percentiles(&slices, 0.99)),
        ("bare", percentiles(&bare_late, 0.99)),
        ("engine_median", percentiles(&slices, 0.5)),
        ("bare_median", percentiles(&bare_late, 0.5)),
        ("stop", vec![stop as f64]),
    ])
}

fn sleep_until(t: i64) {
    let until = Timespec { tv_sec: t / SECOND, tv_nsec: t % SECOND };
    // If a signal interrupts the sleep, sleep for the rest.
    while clock_nanosleep_absolute(ClockId::Monotonic, &until).is_err() {}
}

/// Links: root → Spin; the robot's event → Listener.
fn xml() -> String {
    let listener = r#"<Input name="in" type="0" type_size="1" nature="1" inner="0" id="2"/>"#;
    rig::behavior(
        [
            Drawn { name: "Spin", id: 1, script: SPIN, ports: START_AND_STOPPED },
            Drawn { name: "Listener", id: 2, script: "", ports: listener },
        ],
        [(0, 2, 1, 2), (0, 5, 2, 2)],
    )
}

/// Called with the due time of the work that was done.
type Listener = Arc<dyn Fn(i64) + Send + Sync>;

struct Natives(Listener);

impl NativeFactory for Natives {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        (&*definition.name == "Listener").then(|| Box::new(Listens(self.0.clone())) as Box<dyn NativeBox>)
    }
}

struct Listens(Listener);

impl NativeBox for Listens {
    fn input(&mut self, _: &mut NativeCx<'_>, _: usize, value: &Value) {
        if let Value::Int(due) = value {
            (self.0)(*due);
        }
    }
}
