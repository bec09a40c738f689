//! What runs inside of Python: asked of the program's own hidden command.

use crate::report::{Figure, median, short};
use crate::starts::{boxstep, python};
use std::collections::BTreeMap;

const ROUNDS: &str = "51";

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

pub(crate) fn hop_virtual() -> Vec<Figure> {
    let series = bench(&["hop", "--virtual-time", ROUNDS]);
    let (hop, bare) = (&series["hop"], &series["bare"]);
    let rounds = hop.iter().zip(bare).map(|(hop, bare)| (hop - bare) / 1e3).collect();
    let note = format!(
        "above a bare Python call: {} of {} ns a hop (on the clock {}); Python {}",
        short(median(bare)),
        short(median(hop)),
        short(median(&series["wall"])),
        python().version
    );
    vec![Figure { name: "python hop, virtual time", unit: "µs", rounds, bar: 1.5, note }]
}

pub(crate) fn hop_real() -> Vec<Figure> {
    let series = bench(&["hop", ROUNDS]);
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
    let series = bench(&["lateness", "10", "2"]);
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
