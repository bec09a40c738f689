//! Tests of the scheduler with a model of the engine and an interpreter whose scripts are closures.

use super::model::Model;
use super::*;
use crate::lock::{Interrupted, Lock};
use boxstep_engine::protocol::{CallbackId, Caller, LogLevel};
use boxstep_engine::services::Random;
use std::collections::HashSet;
use std::sync::Condvar;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

type Body = Arc<dyn Fn(&Cx) + Send + Sync>;

/// An interpreter with one lock, scripts by number, and interrupts by thread.
#[derive(Clone, Default)]
struct Fake(Arc<FakeInner>);

#[derive(Default)]
struct FakeInner {
    attached: Mutex<bool>,
    free: Condvar,
    threads: AtomicUsize,
    scripts: Mutex<Vec<Body>>,
    interrupted: Mutex<HashSet<u64>>,
}

thread_local! {
    static THREAD: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

impl Fake {
    fn take(&self) {
        let attached = self.0.attached.lock().unwrap();
        *self.0.free.wait_while(attached, |a| *a).unwrap() = true;
    }

    fn give(&self) {
        *self.0.attached.lock().unwrap() = false;
        self.0.free.notify_one();
    }

    fn script(&self, body: impl Fn(&Cx) + Send + Sync + 'static) -> CallbackId {
        let mut scripts = self.0.scripts.lock().unwrap();
        scripts.push(Arc::new(body));
        CallbackId(scripts.len() as u32 - 1)
    }
}

impl Interpreter for Fake {
    fn attach(&self, body: &mut dyn FnMut()) {
        THREAD.set(self.0.threads.fetch_add(1, Ordering::SeqCst) as u64 + 1);
        self.take();
        body();
        self.give();
    }

    fn detached(&self, body: &mut (dyn FnMut() + Send)) {
        self.give();
        body();
        self.take();
    }

    fn run(&self, order: Order, entered: &Arc<AtomicBool>) -> Result<Value, ScriptError> {
        entered.store(true, Ordering::SeqCst);
        let Order::Deliver { callback, .. } = order else { panic!("{order:?}") };
        let body = self.0.scripts.lock().unwrap()[callback.0 as usize].clone();
        body(&Cx { fake: self.clone(), bridge: engine_here().unwrap() });
        Ok(Value::Null)
    }

    fn thread(&self) -> u64 {
        THREAD.get()
    }

    fn interrupt(&self, thread: u64, still: &dyn Fn() -> bool) {
        self.take();
        if still() {
            self.0.interrupted.lock().unwrap().insert(thread);
        }
        self.give();
    }

    fn clear_interrupt(&self) {
        self.0.interrupted.lock().unwrap().remove(&THREAD.get());
    }
}

/// The context that a script gets.
struct Cx {
    fake: Fake,
    bridge: Arc<dyn EngineHandle>,
}

impl Cx {
    fn log(&self, text: impl Into<String>) {
        let text = text.into().into();
        self.bridge.request(Request::Log { from: Caller::default(), level: LogLevel::Info, text });
    }

    fn sleep(&self, ms: i64) -> Wake {
        self.bridge.block(Some(ms * 1_000_000), BlockedOn::Sleep, &mut |_, _| {})
    }

    fn spawn(&self, callback: CallbackId) {
        self.bridge.request(Request::Spawn { callback });
    }

    fn acquire(&self, lock: &Lock) -> Result<bool, Interrupted> {
        lock.acquire(&*self.bridge, None)
    }

    fn release(&self, lock: &Lock) {
        assert!(lock.release(Some(&*self.bridge)));
    }

    /// Releases the interpreter for a moment, as an interpreter does between two steps of a script.
    fn breathe(&self) -> Result<(), Interrupted> {
        self.fake.detached(&mut std::thread::yield_now);
        if self.fake.0.interrupted.lock().unwrap().remove(&THREAD.get()) { Err(Interrupted) } else { Ok(()) }
    }
}

fn run_with(fake: &Fake, is_virtual: bool, scripts: &[CallbackId]) -> Shared<Model> {
    let engine = Shared::new(Model::new(is_virtual));
    for &callback in scripts {
        engine.lock().push(Order::Deliver { callback, args: Vec::new() });
    }
    WorkerPool::new(&engine, fake.clone(), Duration::from_secs(4)).drive();
    engine
}

/// Runs the scripts in virtual time, and returns what they logged, with the time in milliseconds.
fn virtually(fake: &Fake, scripts: &[CallbackId]) -> Vec<String> {
    let engine = run_with(fake, true, scripts);
    let model = engine.lock();
    assert_eq!(model.not_deterministic, [""; 0]);
    model.log.iter().map(|(t, line)| format!("{} {}", t.0 / 1_000_000, line.trim_start_matches("info: "))).collect()
}

fn both(test: impl Fn(bool)) {
    test(true);
    test(false);
}

#[test]
fn a_lone_sleeper_moves_the_clock() {
    let fake = Fake::default();
    let sleeper = fake.script(|cx| {
        for _ in 0..3 {
            assert_eq!(cx.sleep(100), Wake::TimedOut);
        }
        cx.log("done");
    });
    assert_eq!(virtually(&fake, &[sleeper]), ["300 done"]);
    assert_eq!(fake.0.threads.load(Ordering::SeqCst), 1, "nobody else was needed");
}

#[test]
fn a_job_does_not_run_on_the_stack_of_a_blocked_task() {
    let fake = Fake::default();
    let long = fake.script(|cx| {
        cx.sleep(1000);
        cx.log("long");
    });
    let short = fake.script(move |cx| {
        cx.spawn(long);
        cx.sleep(10);
        cx.log("short");
    });
    assert_eq!(virtually(&fake, &[short]), ["10 short", "1000 long"]);
}

#[test]
fn a_lock_goes_to_the_longest_waiter() {
    let fake = Fake::default();
    let lock = Arc::new(Lock::new());
    let scripts: Vec<_> = (0..4)
        .map(|i| {
            let lock = lock.clone();
            fake.script(move |cx| {
                assert_eq!(cx.acquire(&lock), Ok(true));
                cx.log(format!("{i} has it"));
                cx.sleep(10);
                cx.release(&lock);
                assert_eq!(cx.acquire(&lock), Ok(true));
                cx.log(format!("{i} again"));
                cx.release(&lock);
            })
        })
        .collect();
    let expected = [
        "0 0 has it",
        "10 1 has it",
        "20 2 has it",
        "30 3 has it",
        "40 0 again",
        "40 1 again",
        "40 2 again",
        "40 3 again",
    ];
    assert_eq!(virtually(&fake, &scripts), expected);
    assert!(!lock.is_locked());
}

#[test]
fn a_lock_can_be_waited_for_in_vain() {
    both(|is_virtual| {
        let fake = Fake::default();
        let lock = Arc::new(Lock::new());
        assert!(lock.try_acquire());
        let waits = {
            let lock = lock.clone();
            fake.script(move |cx| {
                assert_eq!(lock.acquire(&*cx.bridge, Some(5_000_000)), Ok(false));
                cx.log("gave up");
                cx.release(&lock);
                assert_eq!(cx.acquire(&lock), Ok(true), "who gave up is not served");
            })
        };
        assert_eq!(run_with(&fake, is_virtual, &[waits]).lock().lines(), ["info: gave up"]);
    });
}

#[test]
fn a_deadlock_ends_the_run_and_names_the_tasks() {
    both(|is_virtual| {
        let fake = Fake::default();
        let locks = Arc::new([Lock::new(), Lock::new()]);
        let (held, let_go) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let scripts: Vec<_> = (0..2)
            .map(|i| {
                let (locks, held, let_go) = (locks.clone(), held.clone(), let_go.clone());
                fake.script(move |cx| {
                    assert_eq!(cx.acquire(&locks[i]), Ok(true));
                    held.fetch_add(1, Ordering::SeqCst);
                    // The other script may begin late on a busy machine.
                    while held.load(Ordering::SeqCst) < 2 {
                        cx.sleep(1);
                    }
                    assert_eq!(cx.acquire(&locks[1 - i]), Err(Interrupted));
                    cx.release(&locks[i]);
                    let_go.fetch_add(1, Ordering::SeqCst);
                })
            })
            .collect();
        let engine = run_with(&fake, is_virtual, &scripts);
        assert_eq!(engine.lock().stuck.len(), 2);
        assert_eq!(let_go.load(Ordering::SeqCst), 2, "both could clean up");
    });
}

#[test]
fn a_script_that_waits_without_the_engine_loses_the_turn() {
    let fake = Fake::default();
    let flag = Arc::new(AtomicBool::new(false));
    let polls = {
        let flag = flag.clone();
        fake.script(move |cx| {
            while !flag.load(Ordering::SeqCst) {
                cx.breathe().unwrap();
            }
            cx.log("saw it");
            cx.sleep(10);
            cx.log("goes on");
        })
    };
    let sets = fake.script(move |cx| {
        cx.sleep(5);
        cx.log("sets it");
        flag.store(true, Ordering::SeqCst);
    });
    let engine = run_with(&fake, true, &[polls, sets]);
    let model = engine.lock();
    assert_eq!(model.lines(), ["info: sets it", "info: saw it", "info: goes on"]);
    assert_eq!(model.not_deterministic, ["a script was not waited for"]);
}

#[test]
fn in_real_time_calls_run_side_by_side() {
    let fake = Fake::default();
    let flag = Arc::new(AtomicBool::new(false));
    let sets = {
        let flag = flag.clone();
        fake.script(move |_| flag.store(true, Ordering::SeqCst))
    };
    let polls = fake.script(move |cx| {
        cx.spawn(sets);
        while !flag.load(Ordering::SeqCst) {
            cx.breathe().unwrap();
        }
        cx.log("saw it");
    });
    assert_eq!(run_with(&fake, false, &[polls]).lock().lines(), ["info: saw it"]);
}

/// Calls begin in the order in which they were queued, whatever thread queued them and whatever earlier calls do.
#[test]
fn calls_begin_in_the_order_of_the_line() {
    both(|is_virtual| {
        let fake = Fake::default();
        let never = Arc::new(Lock::new());
        assert!(never.try_acquire());
        let over = Arc::new(AtomicUsize::new(0));
        let calls: Vec<_> = (0..200)
            .map(|i| {
                let (never, over) = (never.clone(), over.clone());
                fake.script(move |cx| {
                    // Running calls queue work as well.
                    cx.log(format!("{i}"));
                    match i % 4 {
                        0 => {}
                        1 => drop(cx.sleep(1)),
                        2 => drop(lock_for_a_while(cx, &never)),
                        _ if is_virtual || i % 40 != 3 => {}
                        // Runs until all calls have begun; no call waits for it.
                        _ => {
                            while over.load(Ordering::SeqCst) == 0 {
                                cx.breathe().unwrap();
                            }
                        }
                    }
                    over.fetch_add(usize::from(i == 196), Ordering::SeqCst);
                })
            })
            .collect();
        let sender = fake.script(move |cx| {
            for &call in &calls[..100] {
                cx.spawn(call);
            }
            cx.sleep(1);
            for &call in &calls[100..] {
                cx.spawn(call);
            }
        });
        let engine = run_with(&fake, is_virtual, &[sender]);
        let expected: Vec<_> = (0..200).map(|i| format!("info: {i}")).collect();
        assert_eq!(engine.lock().lines(), expected, "virtual: {is_virtual}");
    });
}

fn lock_for_a_while(cx: &Cx, lock: &Lock) -> Result<bool, Interrupted> {
    lock.acquire(&*cx.bridge, Some(2_000_000))
}

/// A woken task resumes before work that was queued later begins.
#[test]
fn a_woken_task_keeps_its_place() {
    both(|is_virtual| {
        let fake = Fake::default();
        let lock = Arc::new(Lock::new());
        let last = fake.script(|cx| cx.log("begins"));
        let waits = {
            let lock = lock.clone();
            fake.script(move |cx| {
                assert_eq!(cx.acquire(&lock), Ok(true));
                cx.log("goes on");
            })
        };
        let wakes = fake.script(move |cx| {
            assert!(lock.try_acquire());
            cx.spawn(waits);
            cx.sleep(5);
            for round in 0..20 {
                cx.release(&lock);
                cx.spawn(last);
                cx.sleep(5);
                assert!(lock.is_locked(), "it was handed over");
                if round < 19 {
                    cx.spawn(waits);
                    cx.sleep(5);
                }
            }
        });
        let engine = run_with(&fake, is_virtual, &[wakes]);
        let model = engine.lock();
        assert_eq!(model.lines(), ["info: goes on", "info: begins"].repeat(20), "virtual: {is_virtual}");
    });
}

#[test]
fn the_dispatcher_does_not_need_the_interpreter() {
    let fake = Fake::default();
    let engine = Shared::new(Model::new(false));
    let later = fake.script(|_| {});
    let hogs = {
        let engine = engine.clone();
        fake.script(move |cx| {
            cx.bridge.request(Request::After { callback: later, delay: 1_000_000, period: None });
            // Keeps the interpreter until the timer has fired.
            while engine.lock().tasks().len() < 2 {
                std::thread::yield_now();
            }
            cx.log("it has fired");
        })
    };
    engine.lock().push(Order::Deliver { callback: hogs, args: Vec::new() });
    WorkerPool::new(&engine, fake.clone(), Duration::from_secs(4)).drive();
    assert_eq!(engine.lock().lines(), ["info: it has fired"]);
}

#[test]
fn a_chain_in_real_time_stays_on_its_thread() {
    let fake = Fake::default();
    let left = Arc::new(AtomicUsize::new(200));
    let slot = Arc::new(Mutex::new(None));
    let link = {
        let (left, slot) = (left.clone(), slot.clone());
        fake.script(move |cx| {
            if left.fetch_sub(1, Ordering::SeqCst) > 1 {
                cx.spawn(slot.lock().unwrap().unwrap());
            }
        })
    };
    *slot.lock().unwrap() = Some(link);
    run_with(&fake, false, &[link]);
    assert_eq!(left.load(Ordering::SeqCst), 0);
}

#[test]
fn an_interrupt_ends_what_waits_and_what_spins() {
    both(|is_virtual| {
        let fake = Fake::default();
        let ended = Arc::new(AtomicUsize::new(0));
        let engine = Shared::new(Model::new(is_virtual));
        let waits = {
            let ended = ended.clone();
            fake.script(move |cx| {
                while cx.sleep(1_000_000) != Wake::Interrupted {}
                ended.fetch_add(1, Ordering::SeqCst);
            })
        };
        let spins = {
            let (ended, engine) = (ended.clone(), engine.clone());
            fake.script(move |cx| {
                engine.poke(Model::interrupt);
                while cx.breathe().is_ok() {}
                ended.fetch_add(1, Ordering::SeqCst);
            })
        };
        for callback in [waits, spins] {
            engine.lock().push(Order::Deliver { callback, args: Vec::new() });
        }
        WorkerPool::new(&engine, fake.clone(), Duration::from_secs(4)).drive();
        assert_eq!(ended.load(Ordering::SeqCst), 2);
        assert!(fake.0.interrupted.lock().unwrap().is_empty());
    });
}

#[test]
fn threads_of_others_can_use_locks_and_requests() {
    both(|is_virtual| {
        let fake = Fake::default();
        let lock = Arc::new(Lock::new());
        let script = {
            let lock = lock.clone();
            fake.script(move |cx| {
                assert_eq!(cx.acquire(&lock), Ok(true));
                let (lock2, bridge, fake) = (lock.clone(), cx.bridge.clone(), cx.fake.clone());
                let (tried, has_tried) = mpsc::channel();
                let other = std::thread::spawn(move || {
                    assert!(engine_here().is_none());
                    fake.attach(&mut || {
                        assert!(!lock2.acquire_foreign(&fake, Some(Duration::ZERO)));
                        tried.send(()).unwrap();
                        assert!(lock2.acquire_foreign(&fake, None));
                        let text = "from outside".into();
                        bridge.request(Request::Log { from: Caller::default(), level: LogLevel::Info, text });
                        assert!(lock2.release(Some(&*bridge)));
                    });
                });
                let mut has_tried = Some(has_tried);
                cx.fake.detached(&mut || has_tried.take().unwrap().recv().unwrap());
                cx.release(&lock);
                let mut other = Some(other);
                cx.fake.detached(&mut || other.take().unwrap().join().unwrap());
                cx.log("inside");
            })
        };
        let engine = run_with(&fake, is_virtual, &[script]);
        assert_eq!(engine.lock().lines(), ["info: from outside", "info: inside"]);
        assert_eq!(engine.lock().not_deterministic.len(), 1);
    });
}

/// Creates scripts that perform random operations, which are the same for the same seed.
fn random_program(fake: &Fake, seed: u64) -> Vec<CallbackId> {
    let locks: Arc<[Lock; 3]> = Arc::default();
    let leaf = fake.script(|cx| {
        cx.sleep(1);
        cx.log("leaf");
    });
    (0..12)
        .map(|i| {
            let locks = locks.clone();
            fake.script(move |cx| {
                let mut random = Random::new(seed * 100 + i);
                for step in 0..20 {
                    let lock = &locks[(random.next_u64() % 3) as usize];
                    let ms = (random.next_u64() % 4) as i64;
                    match random.next_u64() % 5 {
                        0 => drop(cx.sleep(ms)),
                        1 => cx.spawn(leaf),
                        2 => {
                            if lock.acquire(&*cx.bridge, Some(2_000_000)) == Ok(true) {
                                cx.sleep(ms);
                                cx.release(lock);
                            }
                        }
                        3 => {
                            cx.acquire(lock).unwrap();
                            cx.log(format!("{i}.{step}"));
                            cx.release(lock);
                        }
                        _ => cx.log(format!("{i}:{step}")),
                    }
                }
            })
        })
        .collect()
}

#[test]
fn the_same_program_runs_the_same_way_every_time() {
    for seed in 0..40 {
        let runs: Vec<_> = (0..3)
            .map(|_| {
                let fake = Fake::default();
                let scripts = random_program(&fake, seed);
                virtually(&fake, &scripts)
            })
            .collect();
        assert!(runs[0].len() > 20);
        assert_eq!(runs[0], runs[1], "seed {seed}");
        assert_eq!(runs[0], runs[2], "seed {seed}");
    }
}

#[test]
fn random_programs_end_in_real_time_too() {
    for seed in 0..10 {
        let fake = Fake::default();
        let scripts = random_program(&fake, seed);
        let engine = run_with(&fake, false, &scripts);
        let model = engine.lock();
        assert_eq!(model.stuck, []);
        // The run logs as many lines as in virtual time, in any order.
        let fake = Fake::default();
        let scripts = random_program(&fake, seed);
        assert_eq!(model.log.len(), run_with(&fake, true, &scripts).lock().log.len());
    }
}
