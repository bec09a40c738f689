//! Speed of reading a file (text, raw view, model and resolved links), and of writing it.
//!
//! `cargo bench -p boxstep-format --bench read` measures a generated file, and the real files of `BOXSTEP_CORPUS`, if
//! there are any, one by one and joined into one.

mod files;

use boxstep_format::model::BoxDef;
use boxstep_format::write::{canonical_layout, write_xar};
use boxstep_format::{Limits, read_xar, resolve};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn links(def: &BoxDef) -> usize {
    let keyframes = def.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes);
    keyframes
        .map(|k| {
            let here = resolve::resolve(def, &k.diagram).iter().filter(|r| r.is_ok()).count();
            here + k.diagram.boxes.iter().map(links).sum::<usize>()
        })
        .sum()
}

/// Returns the number of resolved links, so that the work is not optimized away.
fn read(bytes: &[u8]) -> usize {
    let Ok(file) = read_xar("bench.xar", black_box(bytes), &Limits::default()) else { return 0 };
    links(&file.project.root)
}

fn reading(c: &mut Criterion) {
    let mut group = c.benchmark_group("read");
    let generated = files::generated(4);
    group.throughput(Throughput::Bytes(generated.len() as u64));
    group.bench_function("generated", |b| b.iter(|| read(&generated)));
    if let Some(corpus) = files::corpus() {
        let joined = files::joined(&corpus);
        assert!(read(&joined) > 0, "the joined file does not read");
        group.throughput(Throughput::Bytes(joined.len() as u64));
        group.bench_function("real files, joined", |b| b.iter(|| read(&joined)));
        group.throughput(Throughput::Bytes(corpus.iter().map(|f| f.len() as u64).sum()));
        group.bench_function("real files, one by one", |b| b.iter(|| corpus.iter().map(|f| read(f)).sum::<usize>()));
    }
    group.finish();
}

fn writing(c: &mut Criterion) {
    let generated = files::generated(4);
    let Ok(file) = read_xar("bench.xar", &generated, &Limits::default()) else { return };
    let mut group = c.benchmark_group("write");
    group.throughput(Throughput::Bytes(generated.len() as u64));
    group.bench_function("model", |b| b.iter(|| write_xar(&file.project, &file.sources).map_or(0, |t| t.len())));
    let layout = || canonical_layout(file.raw(), "UTF-8").map_or(0, |t| t.len());
    group.bench_function("canonical layout", |b| b.iter(layout));
    group.finish();
}

criterion_group!(benches, reading, writing);
criterion_main!(benches);
