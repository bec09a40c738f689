//! Random small behaviors with random scripts, stopped at random: whatever they do, the laws of `law.rs` hold, the
//! same case gives the same trace, and the engine ends.
//!
//! `BOXSTEP_CASES=1000000 cargo test --release -p boxstep-engine --test random -- --nocapture` plays a million of them;
//! `BOXSTEP_SEED=n` begins with the n-th. A case that fails is made small and printed as a line for `regressions.txt`.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "a test may fail; some modules are shared")]

mod behaviors;
#[path = "../support/law.rs"]
mod law;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/tape.rs"]
mod tape;

use behaviors::Case;
use boxstep_engine::config::Config;
use boxstep_engine::trace::{EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_types::Time;
use law::Law;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::{Robot, Run, source};
use tape::{Tape, shrink};

/// How many of each kind of event there were.
#[derive(Clone, Default)]
struct Tally(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Sink for Tally {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        let mut tally = self.0.lock().unwrap();
        for event in events {
            let what = match &event.kind {
                Kind::Box(what) | Kind::Behavior(what, _) | Kind::Diagram(what, _) | Kind::Timeline(what, _) => what,
                Kind::Resource(claim) => claim.what,
                kind => kind.name(),
            };
            *tally.entry(what).or_default() += 1;
        }
    }
    fn end(&mut self, _: &Footer) {}
}

/// Plays a case.
fn play(case: &Case, sinks: Vec<Box<dyn Sink>>) -> Footer {
    let config = Config { limit: Some(Time::from_millis(20_000)), livelock_bound: 20_000, ..Config::default() };
    let mut robot = Robot::default();
    robot.slow.insert("move", 1.0);
    let others = [("other", case.other.as_str())];
    let mut run = Run::told(&case.xml, &others, case.scripts.clone(), robot, config, sinks);
    for (at, control) in &case.controls {
        // What is in a muted layer cannot be stimulated.
        let _ = run.engine.control(Time::from_secs_f64(*at), control.clone());
    }
    run.steps = 300_000;
    run.ends()
}

/// The trace of a case as text.
fn story(case: &Case) -> Vec<String> {
    let lines = support::Lines::default();
    play(case, vec![Box::new(lines.clone())]);
    lines.lines()
}

/// Plays a case under the laws.
fn check(case: &Case, twice: bool, tally: &Tally) -> Result<Footer, String> {
    let projects = [source("test", &case.xml).project, source("other", &case.other).project];
    let law = Law::of([("test", &*projects[0]), ("other", &*projects[1])]);
    let sinks: Vec<Box<dyn Sink>> = vec![Box::new(law.clone()), Box::new(tally.clone())];
    let footer = play(case, sinks);
    law.verdict()?;
    if footer.t > Time::from_millis(60_000) {
        return Err(format!("ends at {}", footer.t));
    }
    if twice && story(case) != story(case) {
        return Err("the same case gives two traces".to_owned());
    }
    Ok(footer)
}

/// The same for a tape; a panic is a failure too.
fn check_tape(tape: &mut Tape, twice: bool, tally: &Tally) -> Result<Footer, String> {
    let checked = catch_unwind(AssertUnwindSafe(|| check(&Case::of(tape), twice, tally)));
    checked.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or(panic.downcast_ref::<&str>().map(|t| (*t).to_owned())).unwrap_or_default())
    })
}

/// Makes a failing case small and says all there is to say.
fn explain(choices: Vec<u32>, why: &str) -> String {
    let again = |choices: &[u32]| check_tape(&mut Tape::again(choices), why.contains("two traces"), &Tally::default());
    std::panic::set_hook(Box::new(|_| {}));
    let small = shrink(choices, |choices| again(choices).is_err());
    let now = again(&small).err().unwrap_or_default();
    let _ = std::panic::take_hook();
    let case = Case::of(&mut Tape::again(&small));
    let lines = catch_unwind(AssertUnwindSafe(|| story(&case))).unwrap_or_default();
    let tape: Vec<String> = small.iter().map(ToString::to_string).collect();
    let Case { xml, other, scripts, controls } = &case;
    format!(
        "{why}\nmade small: {now}\n{}\n{xml}\n{other}\n{scripts:?}\n{controls:?}\ntape: {}",
        lines.join("\n"),
        tape.join(" ")
    )
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whatever_boxes_do_their_lives_are_in_order_and_the_run_ends() {
    let (first, cases) = (number("BOXSTEP_SEED"), number("BOXSTEP_CASES"));
    let begin = first.unwrap_or(0);
    let count = cases.unwrap_or(if first.is_some() { 1 } else { 400 });
    let since = Instant::now();
    let tally = Tally::default();
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for seed in begin..begin + count {
        let mut tape = Tape::random(seed);
        match check_tape(&mut tape, seed % 8 == 0, &tally) {
            Ok(footer) => *reasons.entry(format!("{:?}", footer.reason)).or_default() += 1,
            Err(why) => panic!("seed {seed}: {}", explain(tape.choices, &why)),
        }
        if (seed - begin + 1) % 50_000 == 0 {
            println!("{} cases in {:.0} s", seed - begin + 1, since.elapsed().as_secs_f64());
        }
        // Without a number asked for it is a part of the tests of every change.
        if cases.is_none() && since.elapsed() > Duration::from_secs(3) {
            break;
        }
    }
    let done: u64 = reasons.values().sum();
    println!("{done} cases in {:.1} s: {reasons:?}\n{:?}", since.elapsed().as_secs_f64(), tally.0.lock().unwrap());
    if first.is_none() && done >= 300 {
        let tally = tally.0.lock().unwrap();
        let seen = |what: &&str| tally.contains_key(*what);
        let unseen: Vec<_> = SHOWN.iter().filter(|what| !seen(what)).collect();
        assert!(unseen.is_empty(), "the cases show everything but {unseen:?}");
        assert!(reasons.contains_key(&format!("{:?}", EndReason::Interrupted)), "{reasons:?}");
    }
}

/// What the cases must show, else they prove less than they look.
const SHOWN: [&str; 34] = [
    "constructed",
    "destroyed",
    "loading",
    "loaded",
    "starting",
    "started",
    "stopping",
    "stopped",
    "unloading",
    "unloaded",
    "input",
    "output",
    "dropped",
    "mismatch",
    "parameter",
    "call",
    "returned",
    "raised",
    "abandoned",
    "behavior_failed",
    "play",
    "pause",
    "goto",
    "fps",
    "frame",
    "end",
    "service",
    "event",
    "control",
    "taken",
    "released",
    "waiting",
    "refused",
    "lost",
];

/// Cases that once broke a law, made small: one tape a line.
#[test]
fn cases_that_once_broke_a_law_keep_it() {
    for line in include_str!("regressions.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let choices: Vec<u32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        if let Err(why) = check_tape(&mut Tape::again(&choices), true, &Tally::default()) {
            panic!("{}", explain(choices, &why));
        }
    }
}
