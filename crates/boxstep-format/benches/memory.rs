//! Memory used for a file, at the peak of reading and afterwards, as multiples of the file's size.
//!
//! `cargo bench -p boxstep-format --bench memory` prints a table, and fails if the peak exceeds 12 times the file's
//! size.

mod files;

use boxstep_format::{Limits, read_xar};
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The guaranteed maximum of the peak.
const MOST: f64 = 12.0;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

fn grow(by: usize) {
    let now = NOW.fetch_add(by, Relaxed) + by;
    PEAK.fetch_max(now, Relaxed);
}

// SAFETY: all work is done by the system's allocator; the counters do not touch its memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    // A block that moves exists twice for a moment, and one that grows in place does not; so this counts too much
    // rather than too little.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grow(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the peak and the final memory of reading as multiples of the file's bytes, which are not counted themselves.
fn measure(bytes: &[u8]) -> (f64, f64) {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let file = read_xar("bench.xar", bytes, &Limits::default());
    let ratio = |n: usize| n.saturating_sub(before) as f64 / bytes.len() as f64;
    let measured = (ratio(PEAK.load(Relaxed)), ratio(NOW.load(Relaxed)));
    drop(file);
    measured
}

fn main() -> ExitCode {
    let mut worst = 0.0_f64;
    let mut shown = |name: &str, peak: f64, rest: f64, bytes: usize| {
        println!("{name:<24}{bytes:>12} bytes  peak {peak:>5.2} ×  read {rest:>5.2} ×");
        worst = worst.max(peak);
    };
    let generated = files::generated(4);
    let (peak, rest) = measure(&generated);
    shown("generated", peak, rest, generated.len());
    let small = files::generated(0);
    let (peak, rest) = measure(&small);
    shown("generated, one box", peak, rest, small.len());
    if let Some(corpus) = files::corpus() {
        let joined = files::joined(&corpus);
        let (peak, rest) = measure(&joined);
        shown("real files, joined", peak, rest, joined.len());
        // Small files are dominated by fixed costs, so only larger ones count.
        let each = corpus.iter().filter(|f| f.len() >= 4096).map(|f| (measure(f), f.len()));
        if let Some(((peak, rest), len)) = each.max_by(|a, b| a.0.0.total_cmp(&b.0.0)) {
            shown("worst real file ≥ 4 KiB", peak, rest, len);
        }
    }
    if worst > MOST {
        eprintln!("the peak is {worst:.2} times the file, and {MOST} is the most that is promised");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
