//! Sentences against few and many rules, the reading of topics, and a long conversation.
//!
//! `cargo bench -p boxstep-dialog --bench talk`. The bars: 100,000 sentences a second against 200 rules; against 10,000
//! rules a sentence costs at most 20 times that; topics are read at 50 MB/s; 1,000 exchanges take at most 100 ms. With
//! `BOXSTEP_CORPUS` the topics of a folder are read, too.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_dialog::{Conversation, read_topic};
use criterion::{BatchSize, Criterion, Throughput};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const VERBS: [&str; 10] = ["show", "bring", "find", "paint", "open", "carry", "count", "touch", "push", "hold"];

/// A topic as people write it: words, choices, options, concepts, captures, wildcards, sub-rules.
fn topic(rules: usize) -> String {
    let mut text = String::from(
        "topic: ~many ()\nlanguage: English\n\n# What people ask for.\nconcept:(can_you) [\"can you\" \"could you\" please \"will you\"]\n\
         concept:(color) [red green blue \"light blue\" yellow white black]\n",
    );
    for n in 0..rules {
        let verb = VERBS[n % VERBS.len()];
        match n % 8 {
            0 => writeln!(text, "u:({verb} the thing{n}) Here is thing {n}."),
            1 => writeln!(
                text,
                "u:([\"{verb} me\" {verb}] {{the}} _[thing{n} other{n}]) You mean $1. \\pau=300\\ Right?"
            ),
            2 => writeln!(
                text,
                "    u1:([yes \"of course\"]) Then take it, ^start(animations/Stand/Gestures/Give_1) friend. $last={n}"
            ),
            3 => writeln!(text, "u:(~can_you {verb} * thing{n}) ^rand[\"I can\" \"I will\" \"Why not?\"] $asked={n}"),
            4 => writeln!(text, "u:({{please}} {verb} it _~color like thing{n}) [\"$1 is nice\" \"I like $1\"]"),
            5 => writeln!(text, "    u1:(!no ~color thing{n}) ^first[\"$last>5 many\" \"few\"]"),
            6 => writeln!(text, "u:({verb} _* for thing{n} please) $1 for thing {n}, at once."),
            _ => writeln!(text, "u:(what is thing{n} {{like}}) It is [big small round] and ~color."),
        }
        .unwrap();
    }
    text
}

/// What is said: one of the rules answers most of it.
fn sentences(rules: usize, count: usize) -> Vec<String> {
    (0..count)
        .map(|n| {
            // Rules of every kind, from the first to the last.
            let rule = n * 7_919 % rules;
            let verb = VERBS[rule % VERBS.len()];
            match rule % 8 {
                0 => format!("Please {verb} the thing{rule} now"),
                1 => format!("{verb} me the other{rule}"),
                3 => format!("can you {verb} one more thing{rule}?"),
                4 => format!("{verb} it light blue like thing{rule}"),
                6 => format!("{verb} a cup of tea for thing{rule}, please!"),
                7 => format!("what is thing{rule} like"),
                _ => "what a fine day it is".to_owned(),
            }
        })
        .collect()
}

fn conversation(text: &str) -> Conversation {
    let mut conversation = Conversation::new("English", 0);
    let topic = read_topic("many.top", text);
    assert!(topic.problems.is_empty(), "{:?}", topic.problems[0]);
    conversation.add(topic, Vec::new()).unwrap();
    // The index is made when the first sentence comes.
    conversation.hear("hello");
    conversation
}

/// Hears sentences, one after the other; what happened is not kept.
fn hear(conversation: &mut Conversation, sentences: &[String]) -> usize {
    let heard = sentences.iter().map(|sentence| conversation.hear(black_box(sentence)).len()).sum();
    conversation.world.notes.clear();
    heard
}

/// The best time for the sentences, of several.
fn best(conversation: &mut Conversation, sentences: &[String], times: usize) -> Duration {
    let once = |conversation: &mut Conversation| {
        let start = Instant::now();
        black_box(hear(conversation, sentences));
        start.elapsed()
    };
    (0..times).map(|_| once(conversation)).min().unwrap()
}

fn topics(folder: &Path, found: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            topics(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "top") {
            found.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

fn main() {
    let small = std::env::args().any(|argument| argument == "--test") || !std::env::args().any(|a| a == "--bench");
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();

    let mut group = criterion.benchmark_group("a sentence");
    for (rules, small_rules) in [(200, 20), (10_000, 200)] {
        let rules = if small { small_rules } else { rules };
        let mut conversation = conversation(&topic(rules));
        let sentences = sentences(rules, 500);
        group.throughput(Throughput::Elements(sentences.len() as u64));
        group.bench_function(format!("against {rules} rules"), |b| b.iter(|| hear(&mut conversation, &sentences)));
    }
    group.finish();

    let mut group = criterion.benchmark_group("reading");
    let text = topic(if small { 100 } else { 10_000 });
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("one large topic", |b| {
        b.iter_with_large_drop(|| read_topic("many.top", black_box(&text)));
    });
    if let Some(folder) = std::env::var_os("BOXSTEP_CORPUS") {
        let mut found = Vec::new();
        topics(Path::new(&folder), &mut found);
        group.throughput(Throughput::Bytes(found.iter().map(|text| text.len() as u64).sum()));
        group.bench_function("the topics of a folder", |b| {
            b.iter_with_large_drop(|| {
                found.iter().map(|text| read_topic("t.top", black_box(text))).collect::<Vec<_>>()
            });
        });
    }
    group.finish();

    let text = topic(if small { 50 } else { 200 });
    let exchanges = sentences(if small { 50 } else { 200 }, if small { 20 } else { 1_000 });
    let mut group = criterion.benchmark_group("conversation");
    group.bench_function(format!("of {} exchanges", exchanges.len()), |b| {
        b.iter_batched_ref(|| conversation(&text), |conversation| hear(conversation, &exchanges), BatchSize::LargeInput)
    });
    group.finish();

    if !small {
        let [few, many] = [200, 10_000].map(|rules| {
            let mut conversation = conversation(&topic(rules));
            best(&mut conversation, &sentences(rules, 2_000), 20)
        });
        let rate = 2_000.0 / few.as_secs_f64();
        println!(
            "{rate:.0} sentences/s against 200 rules; {:.2} times the time against 10,000",
            many.as_secs_f64() / few.as_secs_f64()
        );
    }
    criterion.final_summary();
}
