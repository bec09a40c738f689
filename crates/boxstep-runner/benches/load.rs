//! A character of 100,000 behaviors: its file read and checked, and the runner made of it.
//!
//! `cargo bench -p boxstep-runner --bench load`. The bar is 1 s for all of it. The file is written as people write: groups in groups,
//! conditions, cooldowns, claims, names, comments; each leaf stands where it belongs, or is one of a pattern.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_runner::{Character, InertWorld, Natives, check};
use criterion::Criterion;
use std::fmt::Write as _;
use std::hint::black_box;

const BEHAVIORS: usize = 100_000;
const GROUPS: usize = 100;
/// Behaviors of a group besides its leaves: itself, its queue of two, its state machine of two.
const OWN: usize = 7;

/// The file.
fn file() -> String {
    let mut text = String::from("character: Many\nroot: main\nbehaviors:\n  main:\n    priority:\n");
    (0..GROUPS).for_each(|group| writeln!(text, "      - {{ use: group{group}, cooldown: 5 }}").unwrap());
    let leaves = (BEHAVIORS - 1) / GROUPS - OWN;
    for group in 0..GROUPS {
        writeln!(text, "  # What is done in room {group}.\n  group{group}:").unwrap();
        writeln!(text, "    when: {{ all: [{{ memory: Room, equals: {group} }}, {{ free: Legs }}] }}\n    random:")
            .unwrap();
        writeln!(text, "      - queue: [{{ use: line, with: {{ text: Room {group} }} }}, {{ wait: 1, jitter: 0.5 }}]")
            .unwrap();
        writeln!(
            text,
            "      - states: {{ A: {{ animation: Look }}, B: {{ say: [One, Two] }} }}\n        transitions: [{{ from: A, to: B, at: end }}, {{ from: B, to: A, at: end }}]"
        )
        .unwrap();
        for leaf in 0..leaves {
            match leaf % 4 {
                0 => writeln!(text, "      - {{ say: [Hello, Good day], when: {{ event: Key{leaf} }}, cooldown: 20 }}"),
                1 => writeln!(text, "      - {{ wait: 2, jitter: 0.5, weight: 3 }}"),
                2 => writeln!(text, "      - {{ animation: Stand, claims: [arms], name: stand-{group}-{leaf} }}"),
                _ => writeln!(text, "      - {{ call: ALMotion.moveTo, args: [0.5, 0, 0], timer_at_end: walk }}"),
            }
            .unwrap();
        }
    }
    text += "  line: { takes: { text: null }, say: $text }\n";
    text
}

fn main() {
    let text = file();
    let findings = check(&text, "many.yaml");
    assert!(findings.is_empty(), "{}", findings[0]);
    let character = Character::read(&text, "many.yaml", &[]).unwrap();
    assert!(character.behaviors.len().abs_diff(BEHAVIORS) < GROUPS, "{}", character.behaviors.len());
    println!("{} behaviors in {} lines, {} bytes", character.behaviors.len(), text.lines().count(), text.len());
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("a character of 100,000 behaviors");
    group.bench_function("read and checked", |b| b.iter(|| check(black_box(&text), "many.yaml").len()));
    group.bench_function("read, checked, made a runner, set up", |b| {
        b.iter(|| {
            let character = Character::read(black_box(&text), "many.yaml", &[]).unwrap();
            black_box(character.build(InertWorld, &Natives::new(), 0).unwrap())
        });
    });
    group.finish();
    criterion.final_summary();
}
