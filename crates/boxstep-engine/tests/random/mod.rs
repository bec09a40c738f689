//! Random small behaviors with random scripts, stopped at random: whatever they do, the laws of `law/` hold, the
//! same case gives the same trace, and the engine ends.
//!
//! `BOXSTEP_CASES=1000000 cargo test --release -p boxstep-engine --test tests random:: -- --nocapture` plays a million of them;
//! `BOXSTEP_SEED=n` begins with the n-th. A case that fails is made small and printed as a line for `regressions.txt`.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "a test may fail; some modules are shared")]

mod behaviors;
mod broken;
mod law;
mod natives;
use crate::support;
mod tape;

use crate::support::{Robot, Run, source, word};
use behaviors::{Case, PARTS, TREE};
use boxstep_engine::config::{BehaviorSource, Config, ResourceTree};
use boxstep_engine::native::NativeFactory;
use boxstep_engine::trace::{Control, DiagramPhase, EndReason, Event, Footer, Header, Kind, Name, Paths, Sink};
use boxstep_types::Time;
use law::{Broken, Law};
use natives::Factory;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tape::{Choices, Tapes};

/// How many of each kind of event there were.
#[derive(Clone, Default)]
struct Tally(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Tally {
    fn add(&self, what: &'static str, count: u64) {
        *self.0.lock().unwrap().entry(what).or_default() += count;
    }
}

/// An event by the names of `SHOWN`.
fn names(kind: &Kind) -> [Option<&'static str>; 2] {
    let what = match kind {
        Kind::Box { phase } => phase.name(),
        Kind::Behavior { phase, .. } => phase.name(),
        Kind::Diagram { phase, .. } => phase.name(),
        Kind::Timeline { command, .. } => command.name(),
        Kind::Resource(claim) => claim.what.name(),
        kind => Name::new(&word(kind, "kind")).as_str(),
    };
    // States are called `s0` …, keyframes `k0` ….
    let is_state = |name: &str| name.starts_with('s');
    let closer = match kind {
        Kind::Diagram { phase: DiagramPhase::Loaded, place: Some(at) } => {
            if is_state(&at.keyframe) {
                "state loaded"
            } else {
                "keyframe loaded"
            }
        }
        Kind::Diagram { phase: DiagramPhase::Unloaded, place: Some(at) } => {
            if is_state(&at.keyframe) {
                "state unloaded"
            } else {
                "keyframe unloaded"
            }
        }
        Kind::Behavior { phase, name } => match (&**name, phase.name()) {
            ("other", "started") => "other started",
            ("other", "stopping") => "other stopping",
            ("third", "started") => "third started",
            ("third", "stopping") => "third stopping",
            _ => return [Some(what), None],
        },
        Kind::Control { control, .. } => match **control {
            Control::Event { .. } => "control event",
            Control::Set { .. } => "control set",
            Control::Stimulate { .. } => "control stimulate",
            Control::Stop(()) => "control stop",
            Control::Interrupt(()) => "control interrupt",
            Control::Limit(()) => "control limit",
            _ => return [Some(what), None],
        },
        Kind::Warning { text } if text.contains("does not run: ") => "no topic",
        _ => return [Some(what), None],
    };
    [Some(what), Some(closer)]
}

impl Sink for Tally {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        let mut tally = self.0.lock().unwrap();
        for name in events.iter().flat_map(|event| names(&event.kind)).flatten() {
            *tally.entry(name).or_default() += 1;
        }
    }
    fn end(&mut self, _: &Footer) {}
}

/// What the cases showed: events by name, and what the cases were made of.
#[derive(Clone, Default)]
struct Seen {
    tally: Tally,
    /// Inputs of native boxes.
    heard: Arc<AtomicU64>,
}

/// Few enough for small cases, many more than they need.
const LIVELOCK: u64 = 20_000;

/// Plays a case.
fn play(case: &Case, sources: Vec<(&'static str, BehaviorSource)>, sinks: Vec<Box<dyn Sink>>, seen: &Seen) -> Footer {
    let parents = TREE.map(|(name, parent)| (name.to_owned(), parent.map(str::to_owned)));
    let resources = ResourceTree { parents: parents.into(), states: Vec::new() };
    let limit = Some(Time::from_millis(20_000));
    let config = Config { limit, livelock_bound: LIVELOCK, resources, ..Config::default() };
    let mut robot = Robot::default();
    robot.slow.insert("move", 1.0);
    let natives = Factory { natives: case.natives.clone(), heard: seen.heard.clone() };
    let mut others = sources.into_iter();
    let behavior = others.next().unwrap().1;
    let natives: Option<Box<dyn NativeFactory>> = Some(Box::new(natives));
    let mut run = Run::told(behavior, others.collect(), case.scripts.clone(), robot, config, sinks, natives);
    for (at, control) in &case.controls {
        // What is in a muted layer cannot be stimulated.
        let _ = run.engine.control(Time::from_secs_f64(*at), control.clone());
    }
    run.steps = 300_000;
    run.ends()
}

/// All behaviors of a case, by name.
fn sources(case: &Case) -> Vec<(&'static str, BehaviorSource)> {
    let all = std::iter::once(("test", &case.xml)).chain(case.others.iter().map(|(name, xml)| (*name, xml)));
    all.map(|(name, xml)| (name, source(name, xml))).collect()
}

/// The trace of a case as text.
fn story(case: &Case) -> Vec<String> {
    let lines = support::Lines::default();
    play(case, sources(case), vec![Box::new(lines.clone())], &Seen::default());
    lines.lines()
}

/// Plays a case under the laws.
fn check(case: &Case, twice: bool, seen: &Seen) -> Result<Footer, String> {
    let sources = sources(case);
    let law = Law::of(sources.iter().map(|(name, source)| (*name, &*source.project)), &PARTS, LIVELOCK);
    let sinks: Vec<Box<dyn Sink>> = vec![Box::new(law.clone()), Box::new(seen.tally.clone())];
    let footer = play(case, sources, sinks, seen);
    law.verdict().map_err(|Broken { law, how }| format!("{law}: {how}"))?;
    if footer.t > Time::from_millis(60_000) {
        return Err(format!("ends at {}", footer.t));
    }
    if twice && story(case) != story(case) {
        return Err("the same case gives two traces".to_owned());
    }
    seen.tally.add("dropped is known", u64::from(law.knows_dropped()));
    for (axis, count) in &case.axes {
        seen.tally.add(axis, *count);
    }
    Ok(footer)
}

/// The same for tapes; a panic is a failure too.
fn check_tapes(tapes: &mut Tapes, twice: bool, seen: &Seen) -> Result<Footer, String> {
    let checked = catch_unwind(AssertUnwindSafe(|| check(&Case::of(tapes), twice, seen)));
    checked.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or(panic.downcast_ref::<&str>().map(|t| (*t).to_owned())).unwrap_or_default())
    })
}

/// Makes a failing case small and says all there is to say.
fn explain(choices: Choices, why: &str) -> String {
    let twice = why.contains("two traces");
    let again = |choices: &Choices| check_tapes(&mut Tapes::again(choices), twice, &Seen::default());
    std::panic::set_hook(Box::new(|_| {}));
    // A case that is still large after so many tries is told as it is.
    let tries = Cell::new(0);
    let small = choices.shrink(|choices| tries.replace(tries.get() + 1) < 3_000 && again(choices).is_err());
    let now = again(&small).err().unwrap_or_default();
    let _ = std::panic::take_hook();
    let case = Case::of(&mut Tapes::again(&small));
    let lines = catch_unwind(AssertUnwindSafe(|| story(&case))).unwrap_or_default();
    let Case { xml, others, scripts, natives, controls, .. } = &case;
    format!(
        "{why}\nmade small: {now}\n{}\n{xml}\n{others:?}\n{scripts:?}\n{natives:?}\n{controls:?}\ntape: {small}",
        lines.join("\n"),
    )
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whatever_boxes_do_their_lives_are_in_order_and_the_run_ends() {
    let (first, cases) = (number("BOXSTEP_SEED"), number("BOXSTEP_CASES"));
    let begin = first.unwrap_or(0);
    let count = cases.unwrap_or(if first.is_some() { 1 } else { CASES });
    let since = Instant::now();
    let seen = Seen::default();
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for seed in begin..begin + count {
        let mut tapes = Tapes::random(seed);
        match check_tapes(&mut tapes, seed % 8 == 0, &seen) {
            Ok(footer) => *reasons.entry(format!("{:?}", footer.reason)).or_default() += 1,
            Err(why) => {
                println!("seed {seed}: {why}\nmaking it small …");
                panic!("seed {seed}: {}", explain(tapes.choices(), &why));
            }
        }
        if (seed - begin + 1) % 50_000 == 0 {
            println!("{} cases in {:.0} s", seed - begin + 1, since.elapsed().as_secs_f64());
        }
    }
    let mut tally = seen.tally.0.lock().unwrap().clone();
    tally.insert("native input", seen.heard.load(Ordering::Relaxed));
    println!("{count} cases in {:.1} s: {reasons:?}\n{tally:?}", since.elapsed().as_secs_f64());
    if count >= CASES {
        let unseen: Vec<_> = SHOWN.iter().filter(|what| tally.get(**what).is_none_or(|n| *n < 3)).collect();
        assert!(unseen.is_empty(), "the cases show everything but {unseen:?}");
        let ends = [EndReason::Ended, EndReason::Failed, EndReason::Interrupted, EndReason::Limit, EndReason::Waiting];
        for end in ends {
            assert!(reasons.contains_key(&format!("{end:?}")), "{reasons:?}");
        }
        assert!(tally["dropped is known"] > count * 3 / 4, "what is dropped is counted exactly in most cases");
    }
}

/// Cases that the tests of every change play: always the same.
const CASES: u64 = 1_000;

/// What the cases must show, else they prove less than they look: events, and what the cases are made of.
#[rustfmt::skip]
const SHOWN: &[&str] = &[
    "constructed", "destroyed", "loading", "loaded", "starting", "started", "stopping", "stopped", "unloading", "unloaded",
    "input", "output", "dropped", "mismatch", "parameter", "call", "returned", "raised", "abandoned", "behavior_failed",
    "play", "pause", "goto", "fps", "frame", "end", "service", "event", "control",
    "taken", "released", "waiting", "refused", "lost", "paused", "asked",
    "Lock", "Stop on demand", "Pause on demand", "Callback on demand",
    "timeout 0", "timeout in seconds", "timeout without end", "group of several", "a whole",
    "dialog box", "no topic", "plugin box", "native box", "native input",
    "state machine", "state loaded", "state unloaded", "state at a frame", "initial state", "final state",
    "transition with a time-out", "transition with a negative time-out", "transition without a time-out",
    "transition from a state to itself", "goto by name", "keyframe loaded", "keyframe unloaded",
    "other started", "other stopping", "third started", "third stopping", "a third behavior by name",
    "control event", "control set", "control stimulate", "control stop", "control interrupt", "control limit",
];

/// Cases that once broke a law, made small: one tape a line.
#[test]
fn cases_that_once_broke_a_law_keep_it() {
    for line in include_str!("regressions.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let choices: Choices = line.parse().unwrap();
        if let Err(why) = check_tapes(&mut Tapes::again(&choices), true, &Seen::default()) {
            panic!("{}", explain(choices, &why));
        }
    }
}
