//! Random behaviors without scripts, written down at a random quiet point and taken up again: the rest of the trace is
//! that of the run that went on, event for event, with numbers and causes.
//!
//! `BOXSTEP_CASES=1000000 cargo test --release -p boxstep-engine --test resume -- --nocapture` plays a million of them;
//! `BOXSTEP_SEED=n` begins with the n-th. A case that fails is made small and printed as a line for `regressions.txt`.

#![allow(clippy::unwrap_used, unreachable_pub, dead_code, reason = "a test may fail; some modules are shared")]

#[path = "../random/behaviors.rs"]
mod behaviors;
mod clockwork;
#[path = "../random/natives.rs"]
mod natives;
#[path = "../support/mod.rs"]
mod support;
#[path = "../random/tape.rs"]
mod tape;

use behaviors::Case;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config, Control, NoLibrary};
use boxstep_engine::door::Scheduler;
use boxstep_engine::snapshot::{Resume, Snapshot, SnapshotError};
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use support::{Robot, source};
use tape::{Choices, Tape, Tapes};

/// Every event as text, with its number and its cause, and the last line.
#[derive(Clone, Default)]
struct Story(Arc<Mutex<Vec<(u64, String)>>>);

impl Story {
    fn after(&self, n: u64) -> Vec<String> {
        self.0.lock().unwrap().iter().filter(|(m, _)| *m > n).map(|(_, line)| line.clone()).collect()
    }
}

impl Sink for Story {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], paths: &Paths) {
        self.0.lock().unwrap().extend(events.iter().map(|e| {
            let path = paths.get(e.path).map(|p| p.to_string()).unwrap_or_default();
            (e.n, format!("{} {} {} {path} {:?}", e.n, e.t.0, e.cause, e.kind))
        }));
    }
    fn end(&mut self, footer: &Footer) {
        self.0.lock().unwrap().push((u64::MAX, format!("{footer:?}")));
    }
}

/// A case, and where it is cut.
struct Cut {
    source: BehaviorSource,
    controls: Vec<(f64, Control)>,
    at: f64,
    /// What is done after the cut, in both runs: seconds after it.
    later: Vec<(f64, Control)>,
    config: Config,
}

impl Cut {
    fn of(tapes: &mut Tapes) -> Self {
        let mut case = Case::of(tapes);
        let tape = &mut tapes.more;
        // Most runs should still be there when they are cut.
        case.controls.retain(|(_, c)| !matches!(c, Control::Stop | Control::Interrupt) || tape.in_100(20));
        let event = |tape: &mut Tape| {
            let value = Value::Int(tape.below(100) as i64);
            (tape.below(120) as f64 / 10.0, Control::Event { key: "Key".to_owned(), value })
        };
        let repeated: Vec<_> = (0..tape.below(12))
            .map(|_| match case.controls.as_slice() {
                controls if !controls.is_empty() && tape.in_100(50) => (event(tape).0, tape.one(controls).1),
                _ => event(tape),
            })
            .collect();
        case.controls.extend(repeated);
        let at = tape.below(60) as f64 / 10.0;
        let mut later: Vec<_> = case.controls.iter().filter(|_| tape.in_100(60)).cloned().collect();
        later.extend((0..tape.below(6)).map(|_| event(tape)).collect::<Vec<_>>());
        let limit = tape.in_100(20).then(|| Time::from_millis(12_000));
        let config = Config {
            limit,
            livelock_bound: 20_000,
            joints_hz: tape.in_100(5).then_some(2.0),
            seed: tape.below(3),
            ..Config::default()
        };
        let xml = clockwork::without_scripts(&case.xml);
        Self { source: source("test", &xml), controls: case.controls, at, later, config }
    }

    /// Plays up to the cut.
    fn begin(&self, story: Story) -> Engine {
        let header = clockwork::header();
        let robot = Box::new(Robot::default());
        let mut engine = Engine::new(self.config.clone(), robot, Box::new(NoLibrary), &header, vec![Box::new(story)]);
        engine.set_natives(Box::new(clockwork::Half));
        engine.play(self.source.clone()).unwrap();
        for (at, control) in &self.controls {
            // What is in a muted layer cannot be stimulated.
            let _ = engine.control(Time::from_secs_f64(*at), control.clone());
        }
        engine.run_until(Time::from_secs_f64(self.at)).unwrap();
        engine
    }

    fn resume(&self, snapshot: &Snapshot, story: Story) -> Result<Engine, String> {
        let resume = Resume {
            config: self.config.clone(),
            services: Box::new(Robot::default()),
            library: Box::new(NoLibrary),
            natives: Some(Box::new(clockwork::Half)),
            header: clockwork::header(),
            sinks: vec![Box::new(story)],
            behaviors: vec![self.source.clone()],
        };
        Engine::resume(resume, snapshot).map_err(|e| e.to_string())
    }

    /// Goes on from the cut to the end.
    fn finish(&self, engine: &mut Engine) {
        let now = engine.now();
        for (after, control) in &self.later {
            let _ = engine.control(now + Time::from_secs_f64(*after), control.clone());
        }
        engine.run_for(20.0).unwrap();
        engine.end().unwrap();
    }
}

/// How a case went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Went {
    /// It was over before it was cut.
    Over,
    /// It is at work without end.
    NeverQuiet,
    /// It was cut, and nothing happened any more.
    Still,
    Same,
}

fn check(cut: &Cut, tally: &mut BTreeMap<&'static str, u64>) -> Result<Went, String> {
    let (whole, rest) = (Story::default(), Story::default());
    let mut engine = cut.begin(whole.clone());
    let quiet = engine.run_until_quiet(Time::from_secs_f64(cut.at + 10.0));
    let snapshot = match engine.snapshot() {
        Ok(snapshot) => snapshot,
        Err(SnapshotError::Over) => return Ok(Went::Over),
        Err(SnapshotError::NotQuiet(busy)) if quiet.is_err() && !busy.is_empty() => return Ok(Went::NeverQuiet),
        Err(why) => return Err(why.to_string()),
    };
    let text = snapshot.to_json();
    let read = Snapshot::from_json(&text).map_err(|e| e.to_string())?;
    let mut resumed = cut.resume(&read, rest.clone())?;
    let again = resumed.snapshot().map_err(|e| format!("resumed: {e}"))?.to_json();
    if again != text {
        return Err(format!("what was resumed is not what was saved:\n{text}\n{again}"));
    }
    clockwork::tally(&text, tally);
    cut.finish(&mut engine);
    cut.finish(&mut resumed);
    let (whole, rest) = (whole.after(snapshot.events()), rest.after(0));
    if whole != rest {
        let at = whole.iter().zip(&rest).take_while(|(a, b)| a == b).count();
        let shown =
            |all: &[String]| all.iter().skip(at.saturating_sub(3)).take(8).cloned().collect::<Vec<_>>().join("\n");
        return Err(format!("the rest differs\nwhole:\n{}\nresumed:\n{}", shown(&whole), shown(&rest)));
    }
    // Stopping it is all there was to do.
    Ok(if rest.len() < 12 { Went::Still } else { Went::Same })
}

/// The same for tapes; a panic is a failure too.
fn check_tapes(tapes: &mut Tapes, tally: &mut BTreeMap<&'static str, u64>) -> Result<Went, String> {
    let checked = catch_unwind(AssertUnwindSafe(|| check(&Cut::of(tapes), tally)));
    checked.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or(panic.downcast_ref::<&str>().map(|t| (*t).to_owned())).unwrap_or_default())
    })
}

/// Makes a failing case small and says all there is to say.
fn explain(choices: Choices, why: &str) -> String {
    let again = |choices: &Choices| check_tapes(&mut Tapes::again(choices), &mut BTreeMap::new());
    std::panic::set_hook(Box::new(|_| {}));
    let small = choices.shrink(|choices| again(choices).is_err());
    let now = again(&small).err().unwrap_or_default();
    let _ = std::panic::take_hook();
    let Cut { source, controls, at, later, .. } = Cut::of(&mut Tapes::again(&small));
    let xml = source.sources.text(source.project.span.file);
    format!("{why}\nmade small: {now}\n{xml}\n{controls:?}\ncut at {at}\n{later:?}\ntapes: {small}")
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn a_run_that_is_resumed_goes_on_as_the_one_that_was_not_cut() {
    let (first, cases) = (number("BOXSTEP_SEED"), number("BOXSTEP_CASES"));
    let begin = first.unwrap_or(0);
    let count = cases.unwrap_or(if first.is_some() { 1 } else { 1000 });
    let since = Instant::now();
    let mut went: BTreeMap<Went, u64> = BTreeMap::new();
    let mut tally = BTreeMap::new();
    for seed in begin..begin + count {
        let mut tapes = Tapes::random(seed);
        match check_tapes(&mut tapes, &mut tally) {
            Ok(how) => *went.entry(how).or_default() += 1,
            Err(why) => panic!("seed {seed}: {}", explain(tapes.choices(), &why)),
        }
    }
    let done: u64 = went.values().sum();
    println!("{done} cases in {:.1} s: {went:?}\n{tally:?}", since.elapsed().as_secs_f64());
    if first.is_none() && done >= 300 {
        assert!(went.get(&Went::Same).is_some_and(|same| same * 4 > done), "too few go on: {went:?}");
        // Some come up in one case of hundreds, or of thousands.
        let often = if done < 50_000 { clockwork::SHOWN.len() - clockwork::SELDOM } else { clockwork::SHOWN.len() };
        let unseen: Vec<_> = clockwork::SHOWN[..often].iter().filter(|what| !tally.contains_key(*what)).collect();
        assert!(unseen.is_empty(), "the cases show everything but {unseen:?}");
    }
}

/// Cases that once went on otherwise, made small: the tapes of one a line.
#[test]
fn cases_that_once_went_on_otherwise_do_not() {
    for line in include_str!("regressions.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let choices: Choices = line.parse().unwrap();
        if let Err(why) = check_tapes(&mut Tapes::again(&choices), &mut BTreeMap::new()) {
            panic!("{}", explain(choices, &why));
        }
    }
}
