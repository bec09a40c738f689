//! One signal through 1,000 native boxes in a ring: queue, active-window check, livelock count, an f64.
//!
//! `cargo bench -p boxstep-engine --bench hop` prints nanoseconds per hop, with the trace off and on.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod ring;

use boxstep_engine::trace::Sink;
use criterion::{Criterion, Throughput};
use ring::{Count, HOPS, Ring};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("hop");
    group.throughput(Throughput::Elements(HOPS));
    type Sinks = fn() -> Vec<Box<dyn Sink>>;
    let traces: [(&str, Sinks); 2] = [("trace off", Vec::new), ("trace on", || vec![Box::new(Count::default())])];
    for (name, sinks) in traces {
        let mut ring = Ring::new(sinks());
        group.bench_function(name, |b| b.iter_custom(|turns| (0..turns).map(|_| ring.turn()).sum()));
    }
    group.finish();
    criterion.final_summary();
}
