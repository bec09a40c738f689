//! What runs inside of Python: asked of the program's own hidden command.

use crate::report::{Figure, count, median, short};
use crate::starts::{boxstep, python};
use std::collections::BTreeMap;

const ROUNDS: usize = 51;

/// Runs `boxstep __bench …` and reads its series.
fn bench(args: &[&str]) -> BTreeMap<String, Vec<f64>> {
    let output = boxstep().arg("__bench").args(args).env("BOXSTEP_PYTHON", &python().program).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "__bench {args:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    let series = said.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), words.filter_map(|w| w.parse().ok()).collect()))
    });
    series.collect()
}

/// What the two figures of a call say of how far the boxes' memory is spread.
const SIZES: [(&str, &str, f64); 2] = [("1000", "python call, 1,000 boxes", 4.0), ("10", "python call, 10 boxes", 2.5)];

pub(crate) fn hop_virtual() -> Vec<Figure> {
    let python_version = &python().version;
    SIZES
        .iter()
        .map(|&(boxes, name, bar)| {
            let series = bench(&["hop", "--virtual-time", &count(ROUNDS).to_string(), boxes]);
            let (hop, bare) = (&series["hop"], &series["bare"]);
            let note = format!(
                "a hop of a bare Python call, the same rounds: {} of {} ns (on the clock {}); Python {python_version}",
                short(median(hop)),
                short(median(bare)),
                short(median(&series["wall"])),
            );
            let rounds = hop.iter().zip(bare).map(|(hop, bare)| hop / bare).collect();
            Figure { name, unit: "×", rounds, bar, note }
        })
        .collect()
}

pub(crate) fn hop_real() -> Vec<Figure> {
    let series = bench(&["hop", &count(ROUNDS).to_string(), "1000"]);
    let (hop, handover) = (&series["hop"], &series["handover"]);
    let rounds = hop.iter().zip(handover).map(|(hop, handover)| hop / handover).collect();
    let note = format!(
        "of a bare hand-over: {} µs a hop, {} µs a hand-over",
        short(median(hop) / 1e3),
        short(median(handover) / 1e3)
    );
    vec![Figure { name: "python hop, real time", unit: "×", rounds, bar: 1.5, note }]
}

/// Ten rounds of two slices of two seconds.
pub(crate) fn lateness() -> Vec<Figure> {
    let series = bench(&["lateness", &count(10).to_string(), &count(2).to_string()]);
    let (engine, bare) = (&series["engine"], &series["bare"]);
    let rounds = engine.iter().zip(bare).map(|(engine, bare)| engine / bare).collect();
    let us = |name: &str| short(median(&series[name]) / 1e3);
    let note = format!(
        "of a bare clock_nanosleep loop's 99th percentile: {} of {} µs; medians {} of {} µs",
        us("engine"),
        us("bare"),
        us("engine_median"),
        us("bare_median")
    );
    let stop = series["stop"].iter().map(|ns| ns / 1e6).collect();
    let stop_note = "from the stop to the end of the run".to_owned();
    vec![
        Figure { name: "lateness beside a stuck script", unit: "×", rounds, bar: 1.2, note },
        Figure { name: "stop of a stuck script", unit: "ms", rounds: stop, bar: 2500.0, note: stop_note },
    ]
}

/// One process for each round.
pub(crate) fn objects() -> Vec<Figure> {
    let rounds: Vec<_> = (0..count(5)).map(|_| bench(&["objects"])).collect();
    let of = |name: &str, by: f64| -> Vec<f64> { rounds.iter().map(|series| series[name][0] / by).collect() };
    let bare = format!("processor time; an object of a bare Python class: {} µs", short(median(&of("bare", 1e3))));
    let note = |text: &str| text.to_owned();
    vec![
        Figure { name: "object of a box", unit: "µs", rounds: of("create", 1e3), bar: 250.0, note: bare },
        Figure {
            name: "memory of a box with a script",
            unit: "kB",
            rounds: of("bytes", 1e3),
            bar: 16.0,
            note: note("resident, without what the engine has of it; 2,000 boxes with one text"),
        },
        Figure {
            name: "translation of a script",
            unit: "µs",
            rounds: of("translate", 1e3),
            bar: 5000.0,
            note: note("30 lines of Python 2; 2,000 different texts"),
        },
        Figure {
            name: "translation of a known script",
            unit: "µs",
            rounds: of("known", 1e3),
            bar: 10.0,
            note: note("another box has the same text"),
        },
    ]
}
