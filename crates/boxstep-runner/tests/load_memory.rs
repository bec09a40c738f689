//! Reading a character asks for little memory: the file is gone through once, and ways to its parts are not written out.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test may fail")]

use boxstep_runner::{Character, check};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write as _;

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

fn file(groups: usize) -> String {
    let mut text = String::from("character: Many\nbehaviors:\n  main:\n    random:\n");
    for number in 0..groups {
        writeln!(text, "      - {{ say: [Hello, Good day], when: {{ event: Key{number} }}, cooldown: 20 }}").unwrap();
        writeln!(text, "      - {{ wait: 2, jitter: 0.5, weight: 3 }}").unwrap();
        writeln!(text, "      - {{ animation: Stand, claims: [arms], name: stand-{number} }}").unwrap();
        writeln!(text, "      - {{ call: ALMotion.moveTo, args: [0.5, 0, 0], timer_at_end: walk }}").unwrap();
    }
    text
}

#[test]
fn a_behavior_asks_for_memory_a_few_times() {
    let asks = |groups: usize| {
        let text = file(groups);
        let before = ASKED.get();
        assert_eq!(check(&text, "many.yaml"), []);
        ASKED.get() - before
    };
    let (some, more) = (asks(500), asks(1_000));
    assert!(some > 2_000, "it counts");
    let each = (more - some) as f64 / 2_000.0;
    assert!(each < 10.0, "{each} times for each behavior");
    // Reading it is all that is done to check it.
    let text = file(500);
    let before = ASKED.get();
    Character::read(&text, "many.yaml", &[]).unwrap();
    assert!(ASKED.get() - before <= some);
}
