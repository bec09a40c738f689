//! Once it has had every behavior active, a runner asks for no more memory: not for ticks, not for events, not for hand-overs.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test may fail")]

use boxstep_kernel::runner::{Behavior, BehaviorRunner, Control, Delegates, Plan, Settings, TopicId};
use boxstep_types::{Time, Topic, Value};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// How often this thread has asked for memory.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is the system's allocator's work; the count touches no memory of its.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn topic() -> Topic {
    Topic::Memory("Touched".into())
}

/// Gives control to the next of its delegates whenever it has heard something; they hand it on, down to the leaf.
struct Passes {
    delegates: Vec<&'static str>,
    topic: Option<TopicId>,
    turn: usize,
}

impl Behavior for Passes {
    fn all_delegates(&self, all: &mut Delegates) {
        for name in &self.delegates {
            all.add(*name);
        }
    }

    fn init(&mut self, cx: &mut Control<'_>) {
        self.topic = Some(cx.subscribe(topic()));
    }

    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        self.pass(cx);
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        if cx.is_active() && cx.events().next().is_some() {
            cx.cancel_delegates().unwrap();
            self.pass(cx);
        }
    }
}

impl Passes {
    fn pass(&mut self, cx: &mut Control<'_>) {
        self.turn += 1;
        if let Some(&next) = cx.delegates().get(self.turn % cx.delegates().len().max(1)) {
            cx.offer(next).unwrap();
        }
    }
}

#[test]
fn ticks_events_and_hand_overs_ask_for_no_memory() {
    let mut plan = Plan::new();
    let all: [(&str, &[&str]); 7] =
        [("R", &["A", "B"]), ("A", &["C", "D"]), ("B", &["E", "F"]), ("C", &[]), ("D", &[]), ("E", &[]), ("F", &[])];
    for (name, delegates) in all {
        plan.add(name, Passes { delegates: delegates.to_vec(), topic: None, turn: 0 });
    }
    let mut runner = plan.build(Settings::new("R")).unwrap();
    let topic = topic();
    let mut ticks = |count: i64, loud: bool| {
        let before = ASKED.get();
        for tick in 0..count {
            if loud && tick % 3 == 0 {
                assert!(runner.raise(&topic, Value::Int(tick), Time(tick)));
            }
            runner.tick(Time(tick));
        }
        ASKED.get() - before
    };
    assert!(ticks(100, true) > 0, "it counts");
    assert_eq!(ticks(1_000, false), 0);
    assert_eq!(ticks(999, true), 0);
}
