//! The behavior runner: what a tick costs for each behavior that it visits, a hand-over, and the load of many behaviors.
//!
//! `cargo bench -p boxstep-kernel --bench runner`. Every behavior's update adds 1 to a number of its own; the sums are looked
//! at in the end, so that nothing can be left out. The trace is off.
//!
//! - `tick`: 1,000 behaviors, in four shapes: all delegates of the root; a tree of ten delegates each, of which one way is
//!   active; a chain of which all are active; and all delegates of a root that gives control to another one in each tick. The time is that of one visited behavior.
//! - `hand-over`: the root takes control back from one delegate and gives it to another, with asking.
//! - `load`: 100,000 behaviors, made, checked, and told to set themselves up.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_kernel::runner::{Behavior, BehaviorId, BehaviorRunner as _, Control, Delegates, Plan, Runner, Settings};
use boxstep_types::{Time, Value};
use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const MANY: usize = 1_000;

/// Adds, and delegates to the first of its delegates if it is told so.
struct Adder {
    delegates: Vec<String>,
    delegating: bool,
    sum: u64,
    total: Arc<AtomicU64>,
}

impl Behavior for Adder {
    fn all_delegates(&self, all: &mut Delegates) {
        for name in &self.delegates {
            all.add(name.as_str());
        }
    }

    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        if self.delegating
            && let Some(&first) = cx.delegates().first()
        {
            cx.offer(first).unwrap();
        }
    }

    fn update(&mut self, _: &mut Control<'_>) {
        self.sum += 1;
    }

    fn left_scope(&mut self, _: &mut Control<'_>) {
        self.total.fetch_add(self.sum, Relaxed);
    }
}

/// Behavior number `n` has the delegates with these numbers.
fn runner(count: usize, delegating: bool, of: impl Fn(usize) -> std::ops::Range<usize>) -> (Runner, Arc<AtomicU64>) {
    let total = Arc::new(AtomicU64::new(0));
    let mut plan = Plan::new();
    for n in 0..count {
        let delegates = of(n).filter(|d| *d < count).map(|d| format!("b{d}")).collect();
        plan.add(format!("b{n}"), Adder { delegates, delegating, sum: 0, total: total.clone() });
    }
    let settings = Settings { max_depth: count, ..Settings::new("b0") };
    (plan.build(settings).unwrap(), total)
}

/// Gives control to another of its delegates in each tick.
struct Restless;

impl Behavior for Restless {
    fn all_delegates(&self, all: &mut Delegates) {
        for n in 1..MANY {
            all.add(format!("b{n}"));
        }
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        let next = cx.delegates()[cx.now().0 as usize % (MANY - 1)];
        cx.ask(next).unwrap();
        cx.cancel_delegates().unwrap();
        cx.delegate_to(next).unwrap();
    }
}

/// Takes control back and gives it to the other one, in each update.
struct Hands {
    turn: usize,
    /// Behaviors that come into scope with each of the two.
    times: u64,
}

impl Behavior for Hands {
    fn all_delegates(&self, all: &mut Delegates) {
        all.add("one").add("other");
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        for _ in 0..self.times {
            self.turn ^= 1;
            let next: BehaviorId = cx.delegates()[self.turn];
            cx.ask(next).unwrap();
            cx.cancel_delegates().unwrap();
            black_box(cx.delegate_to(next).unwrap());
        }
    }
}

fn tick(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tick");
    group.throughput(Throughput::Elements(MANY as u64));
    type Shape = fn(usize) -> std::ops::Range<usize>;
    let shapes: [(&str, bool, Shape); 2] =
        [("flat", true, |n| if n == 0 { 1..MANY } else { 0..0 }), ("chain", true, |n| n + 1..n + 2)];
    for (name, delegating, shape) in shapes {
        let (mut runner, total) = runner(MANY, delegating, shape);
        let mut ticks = 0u64;
        group.bench_function(name, |b| {
            b.iter(|| {
                ticks += 1;
                runner.tick(Time(ticks as i64));
            });
        });
        runner.stop();
        assert_eq!(total.load(Relaxed), ticks * MANY as u64, "each is visited once in each tick");
    }
    let total = Arc::new(AtomicU64::new(0));
    let mut plan = Plan::new();
    plan.add("b0", Restless);
    for n in 1..MANY {
        plan.add(format!("b{n}"), Adder { delegates: Vec::new(), delegating: false, sum: 0, total: total.clone() });
    }
    let mut restless = plan.build(Settings::new("b0")).unwrap();
    let mut ticks = 0u64;
    group.bench_function("flat, a hand-over in each tick", |b| {
        b.iter(|| {
            ticks += 1;
            restless.tick(Time(ticks as i64));
        });
    });
    restless.stop();
    assert_eq!(total.load(Relaxed), ticks * (MANY as u64 - 1));
    group.finish();
    // Of a tree that is deeper only what is in scope is visited.
    let (mut tree, total) = runner(11_111, true, |n| 10 * n + 1..10 * n + 11);
    tree.tick(Time::ZERO);
    let visited = tree.behaviors().filter(|b| tree.view(*b).updated > 0).count() as u64;
    let mut group = criterion.benchmark_group("tick");
    group.throughput(Throughput::Elements(visited));
    let mut ticks = 1u64;
    group.bench_function(format!("tree, {visited} in scope of 11,111"), |b| {
        b.iter(|| {
            ticks += 1;
            tree.tick(Time(ticks as i64));
        });
    });
    group.finish();
    tree.stop();
    assert_eq!(total.load(Relaxed), ticks * visited);
}

fn hand_over(criterion: &mut Criterion) {
    const TIMES: u64 = 100;
    let mut group = criterion.benchmark_group("hand-over");
    group.throughput(Throughput::Elements(TIMES));
    for inner in [0, 8] {
        let total = Arc::new(AtomicU64::new(0));
        let mut plan = Plan::new();
        plan.add("root", Hands { turn: 0, times: TIMES });
        let leaf = |delegates| Adder { delegates, delegating: false, sum: 0, total: total.clone() };
        for name in ["one", "other"] {
            plan.add(name, leaf((0..inner).map(|n| format!("{name}{n}")).collect()));
            for n in 0..inner {
                plan.add(format!("{name}{n}"), leaf(Vec::new()));
            }
        }
        let mut runner = plan.build(Settings::new("root")).unwrap();
        group.bench_function(format!("{inner} delegates of each"), |b| b.iter(|| runner.tick(Time::ZERO)));
    }
    group.finish();
}

fn load(criterion: &mut Criterion) {
    const BEHAVIORS: usize = 100_000;
    let mut group = criterion.benchmark_group("load");
    group.sample_size(10);
    group.bench_function("100,000 behaviors", |b| {
        b.iter_custom(|turns| {
            let began = Instant::now();
            for _ in 0..turns {
                black_box(runner(BEHAVIORS, false, |n| 3 * n + 1..3 * n + 4));
            }
            began.elapsed()
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    tick(&mut criterion);
    hand_over(&mut criterion);
    load(&mut criterion);
    criterion.final_summary();
}
