//! Every figure of `docs/inside/performance.md`, one line each: the number, its bar, their ratio, the spread over the rounds.
//!
//! `cargo bench -p boxstep` measures all; `cargo bench -p boxstep -- WORD …` those with one of the words in their name.
//! `peers` stands for those that are measured side by side with a peer. What runs inside of Python is measured by the
//! hidden command `__bench` of the program, in the interpreter that `BOXSTEP_PYTHON` names, or else `python3`.
//!
//! Without `--bench`, as a test, each measurement is made once and small, and without a Python only what needs none.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a benchmark")]

#[path = "performance/native.rs"]
mod native;
#[path = "performance/report.rs"]
mod report;
#[path = "performance/scripts.rs"]
mod scripts;
#[path = "performance/starts.rs"]
mod starts;

use report::Figure;

/// Names, whether a peer is measured side by side, whether scripts run, and what measures them.
type Measurement = (&'static [&'static str], bool, bool, fn() -> Vec<Figure>);

const MEASUREMENTS: &[Measurement] = &[
    (&["native hop, trace off"], false, false, native::hop_off),
    (&["native hop, trace on"], false, false, native::hop_on),
    (&["frame of 26 joints"], false, false, native::frame),
    (&["python call, 1,000 boxes", "python call, 10 boxes"], true, true, scripts::hop_virtual),
    (&["python hop, real time"], true, true, scripts::hop_real),
    (&["10-minute behavior"], false, false, starts::ten_minutes),
    (&["conversion"], false, false, starts::conversion),
    (&["start without scripts"], false, false, starts::without_scripts),
    (&["start with scripts"], true, true, starts::with_scripts),
    (
        &[
            "object of a box",
            "memory of a box with a script",
            "translation of a script",
            "translation of a known script",
        ],
        false,
        true,
        scripts::objects,
    ),
    (&["start with a helper process"], false, true, starts::with_helper),
    (&["helper process: call", "helper process: question"], false, true, starts::helper_calls),
    (&["lateness beside a stuck script", "stop of a stuck script"], true, true, scripts::lateness),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |(names, peer, scripts, _): &&Measurement| {
        if report::is_test() {
            return !scripts || starts::has_python();
        }
        words.is_empty()
            || words.iter().any(|w| (w == "peers" && *peer) || names.iter().any(|name| name.contains(w.as_str())))
    };
    report::head();
    for (.., measure) in MEASUREMENTS.iter().filter(wanted) {
        for figure in measure() {
            figure.print();
        }
    }
}
