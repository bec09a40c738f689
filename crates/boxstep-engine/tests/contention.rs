//! Random boxes that want the same resources, with random modes, timeouts, scripts and stops: whatever they do, groups
//! are whole, nobody has what another holds, nobody is forgotten, and the run ends (`docs/reference/semantics/resources.md`).
//!
//! The tests of every change play the same cases each time. `BOXSTEP_CASES=1000000 cargo test --release -p boxstep-engine
//! --test tests contention:: -- --nocapture` plays more, `BOXSTEP_SEED=n` begins with the n-th; seeds that fail go into
//! `seeds_that_once_broke_a_rule_keep_it`.

use crate::support::*;
use boxstep_engine::config::{Config, Control, ResourceTree};
use boxstep_engine::protocol::TimelineCommand::{GoTo, Pause, Play};
use boxstep_engine::services::Random;
use boxstep_engine::trace::EndReason;
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
/// What boxes take when they start. `Head` is a part of `Body`.
const OF_BOXES: [&str; 4] = ["Body", "Head", "Legs", "Leds"];
/// What scripts take.
const OF_SCRIPTS: [&str; 2] = ["TTS", "Mic"];
const MODES: [&str; 4] = ["Lock", "Stop on demand", "Pause on demand", "Callback on demand"];
/// Cases that the tests of every change play: always the same.
const CASES: u64 = 600;
const DRIVERS: [&str; 2] = ["Y", "Z"];

struct Gen {
    random: Random,
    /// By path: what the box takes when it starts.
    groups: BTreeMap<String, Vec<&'static str>>,
    scripts: Scripts,
}

impl Gen {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    fn in_100(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    fn some(&mut self, of: &[&'static str]) -> Vec<&'static str> {
        let first = self.one(of);
        of.iter().copied().filter(|n| *n == first || self.in_100(35)).collect()
    }

    /// A box of a level, with one inside another now and then.
    fn made(&mut self, at: &str, name: &'static str, id: i32, inner: Option<&'static str>) -> String {
        let path = format!("{at}/{name}");
        let mut extra = String::new();
        if self.in_100(85) {
            let (group, mode, timeout) = (self.some(&OF_BOXES), self.one(&MODES), self.one(&[-1, 0, 0, 1, 2]));
            for name in &group {
                extra += &format!(r#"<Resource name="{name}" type="{mode}" timeout="{timeout}"/>"#);
            }
            self.groups.insert(path.clone(), group);
        }
        let content = inner.map_or_else(String::new, |inner| self.made(&path, inner, 1, None) + &link(0, 2, 1, 2));
        let layer = format!(
            r#"<BehaviorLayer name="l"><BehaviorKeyframe name="k" index="0"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer>"#
        );
        let curve = r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="20" value="1"/></ActuatorCurve></ActuatorList>"#;
        let acquisition = self.below(3);
        let inside = match self.below(4) {
            0 if inner.is_none() => String::new(),
            0 | 1 => flow(&content),
            _ => format!(
                r#"<Timeline enable="1" fps="10" start_frame="0" end_frame="20" resources_acquisition="{acquisition}">{curve}{layer}</Timeline>"#
            ),
        };
        for method in
            ["onInput_onStart", "onInput_onStop", "onUnload", "onResource", "onResourceLost", "onResourceError", "told"]
        {
            if self.in_100(if method == "onInput_onStart" { 80 } else { 35 }) {
                let count = 1 + self.below(4);
                let actions = (0..count).map(|_| self.action()).collect();
                self.scripts.insert((name, method), actions);
            }
        }
        boxed(name, id, &extra, &inside)
    }

    fn action(&mut self) -> Do {
        let seconds = self.one(&[-1, 0, 0, 1]);
        let (names, owner) = (self.some(&OF_SCRIPTS), self.one(&[ME, ME, "Module"]));
        let (names, owner) = (Value::list(names.into_iter().map(Value::from)), Value::from(owner));
        let callback = Value::from(self.one(&["", "told"]));
        match self.below(16) {
            0..4 => Sleep(self.one(&[0.0, 0.2, 0.5, 1.0, 3.0])),
            4..6 => Out("onStopped", Value::Null),
            6 => Own("releaseResource", vec![]),
            7 => Own("waitResources", vec![]),
            8 => Own("waitResourceFree", vec![]),
            9 => Own("waitFor", vec![names, callback, seconds.into()]),
            10..12 => Manage("acquireResourcesTree", vec![names, owner, callback, seconds.into()]),
            12..14 => Manage("releaseResources", vec![names, owner]),
            14 => Manage("waitForOptionalResourcesTree", vec![names.clone(), owner, callback, seconds.into(), names]),
            _ => Timeline(false, self.one(&[Play, Pause, GoTo(frame(5)), GoTo(frame(30))])),
        }
    }

    fn behavior(&mut self) -> String {
        let mut content = String::new();
        let mut names = NAMES.into_iter();
        for id in 1..=4 {
            let Some(name) = names.next() else { break };
            let inner = if self.in_100(25) { names.next_back() } else { None };
            content += &self.made("root", name, id, inner);
        }
        let stop = r#"<Output name="stop" type="0" type_size="1" nature="2" inner="0" tooltip="" id="5"/>"#;
        let go = r#"<Output name="go" type="0" type_size="1" nature="2" inner="0" tooltip="" id="6"/>"#;
        for (i, name) in DRIVERS.into_iter().enumerate() {
            let id = 8 + i as i32;
            content += &(boxed(name, id, &format!("{stop}{go}"), "") + &link(0, 2, id, 2));
            for to in 1..=4 {
                for (output, input) in [(5, 3), (6, 2)] {
                    if self.in_100(60) {
                        content += &link(id, output, to, input);
                    }
                }
            }
            let step = |g: &mut Self| match g.below(8) {
                0..4 => Sleep(g.one(&[0.1, 0.3, 0.5, 1.0, 2.5])),
                4 => Out("stop", Value::Null),
                _ => Out("go", Value::Null),
            };
            let steps = (0..14).map(|_| step(self)).collect();
            self.scripts.insert((name, "onInput_onStart"), steps);
        }
        root(&content)
    }
}

fn config() -> Config {
    let parents =
        [("Body", None), ("Head", Some("Body")), ("Legs", None), ("Leds", None), ("TTS", None), ("Mic", None)];
    let parents = parents.into_iter().map(|(n, p)| (n.to_owned(), p.map(str::to_owned)));
    let resources = ResourceTree { parents: parents.collect(), states: Vec::new() };
    Config { limit: Some(Time::from_millis(30_000)), livelock_bound: 20_000, resources, ..Config::default() }
}

type Groups = BTreeMap<String, Vec<&'static str>>;

/// The trace, how the run ended, what boxes take, and how much is held and waited for at the end.
fn run(seed: u64) -> (Vec<String>, EndReason, Groups, usize) {
    let mut g = Gen { random: Random::new(seed), groups: BTreeMap::new(), scripts: Scripts::new() };
    let xml = g.behavior();
    let mut run = Run::with(&xml, g.scripts.clone(), Robot::default(), config());
    match g.below(4) {
        0 => run = run.control(g.below(80) as f64 / 10.0, Control::Stop),
        1 => run = run.control(g.below(80) as f64 / 10.0, Control::Interrupt),
        _ => {}
    }
    let (lines, footer) = run.run_on();
    (lines, footer.reason, g.groups, run.engine.sizes()[11])
}

fn overlap(a: &str, b: &str) -> bool {
    a == b || matches!((a, b), ("Body", "Head") | ("Head", "Body"))
}

fn related(a: &str, b: &str) -> bool {
    let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    inside(a, b) || inside(b, a)
}

/// Is this something that somebody asks a holder for?
fn demand(what: &str) -> bool {
    ["lost", "paused", "asked"].iter().any(|demand| what.ends_with(demand))
}

/// Who holds what and who waits, as the trace tells.
#[derive(Default)]
struct Seen {
    held: BTreeSet<(String, String)>,
    waiting: BTreeMap<String, usize>,
    paused: BTreeSet<String>,
    /// Boxes that are being unloaded, or their inside is.
    closed: BTreeSet<String>,
    time: String,
}

impl Seen {
    fn free_for(&self, path: &str, group: &[&str]) -> bool {
        !self.held.iter().any(|(p, n)| !related(p, path) && group.iter().any(|g| overlap(g, n)))
    }

    /// A box around this one whose inside is being unloaded.
    fn goes(&self, path: &str) -> Option<&String> {
        self.closed.iter().find(|c| path.strip_prefix(&***c).is_some_and(|rest| rest.starts_with('/')))
    }

    /// What must hold whenever time has passed.
    fn at_rest(&self, groups: &Groups) -> Result<(), String> {
        for (path, group) in groups {
            let has = group.iter().filter(|n| self.held.contains(&(path.clone(), (**n).to_owned()))).count();
            if has != 0 && has != group.len() {
                return Err(format!("{path} has a part of its group {group:?}"));
            }
            let waits = self.waiting.get(path).is_some_and(|n| *n > 0);
            // Who goes in a moment gets nothing any more.
            if waits && self.goes(path).is_none() && self.free_for(path, group) {
                return Err(format!("{path} waits for what is free"));
            }
            let nobody = self.waiting.values().all(|n| *n == 0);
            if self.paused.contains(path) && self.goes(path).is_none() && nobody && self.free_for(path, group) {
                return Err(format!("{path} is paused for nobody"));
            }
        }
        Ok(())
    }

    fn see(&mut self, line: &str, groups: &Groups) -> Result<(), String> {
        let mut words = line.splitn(3, ' ');
        let (time, path, what) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap_or_default());
        if time != self.time {
            self.at_rest(groups)?;
            self.time = time.to_owned();
        }
        if what == "unloaded" && self.held.iter().any(|(p, _)| p == path) {
            return Err("holds something though it is unloaded".to_owned());
        }
        match what.strip_prefix("diagram ").map_or(what, |inside| inside.rsplit(' ').next().unwrap()) {
            "unloading" => drop(self.closed.insert(path.to_owned())),
            "loading" => drop(self.closed.remove(path)),
            _ => {}
        }
        let Some(what) = what.strip_prefix("resource ") else { return Ok(()) };
        if let Some((_, asker)) = what.split_once(" (").filter(|(what, _)| demand(what))
            && let Some(closed) = self.goes(asker.trim_end_matches(')'))
        {
            return Err(format!("is asked for one who goes with the inside of {closed}"));
        }
        let mut words = what.split(' ');
        let (name, what) = (words.next().unwrap(), words.next().unwrap());
        // The name of a module stands for a path.
        let who = if path.is_empty() { "Module" } else { path }.to_owned();
        let of_start = OF_BOXES.contains(&name);
        match what {
            "taken" => {
                if !self.free_for(&who, &[name]) {
                    return Err("is held by another".to_owned());
                }
                if !self.held.insert((who.clone(), name.to_owned())) {
                    return Err("taken twice".to_owned());
                }
                if of_start {
                    self.waiting.remove(&who);
                    self.paused.remove(&who);
                }
            }
            "released" if !self.held.remove(&(who.clone(), name.to_owned())) => return Err("was not held".to_owned()),
            "waiting" if of_start => *self.waiting.entry(who).or_default() += 1,
            "dropped" if of_start && self.paused.remove(&who) => {}
            "refused" | "dropped" | "free" if of_start => {
                let waits = self.waiting.entry(who).or_default();
                *waits = waits.saturating_sub(1);
            }
            "paused" => drop(self.paused.insert(who)),
            _ => {}
        }
        Ok(())
    }
}

/// Plays a case; what it did, or what rule it broke.
fn check(seed: u64) -> Result<Vec<String>, String> {
    let Ok((lines, reason, groups, left)) = std::panic::catch_unwind(|| run(seed)) else {
        return Err(format!("seed {seed} panics"));
    };
    let mut seen = Seen::default();
    for (n, line) in lines.iter().enumerate() {
        seen.see(line, &groups).map_err(|why| format!("seed {seed}: {why}, line {n}: {line}\n{}", lines.join("\n")))?;
    }
    // A run that was interrupted may be left; every other one gives everything back.
    if reason != EndReason::Interrupted && (left != 0 || !seen.held.is_empty()) {
        return Err(format!("seed {seed}: {left} left, {:?}\n{}", seen.held, lines.join("\n")));
    }
    if seed.is_multiple_of(8) && run(seed).0 != lines {
        return Err(format!("seed {seed}: the same case gives two traces"));
    }
    Ok(lines)
}

#[test]
fn whoever_wants_what_groups_are_whole_nobody_is_forgotten_and_the_run_ends() {
    let number = |name| std::env::var(name).ok().and_then(|s: String| s.parse::<u64>().ok());
    let (seed, asked) = (number("BOXSTEP_SEED"), number("BOXSTEP_CASES"));
    let (first, count) = (seed.unwrap_or(0), asked.unwrap_or(if seed.is_some() { 1 } else { CASES }));
    let since = Instant::now();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in first..first + count {
        let lines = check(seed).unwrap_or_else(|why| panic!("{why}"));
        for what in ["taken", "waiting", "refused", "dropped", "lost", "paused", "asked"] {
            *counts.entry(what).or_default() += only(&lines, &[&format!(" {what}")]).len();
        }
        if (seed - first + 1) % 50_000 == 0 {
            println!("{} cases in {:.0} s", seed - first + 1, since.elapsed().as_secs_f64());
        }
    }
    println!("{count} cases in {:.1} s: {counts:?}", since.elapsed().as_secs_f64());
    if count >= CASES {
        assert!(counts.values().all(|n| *n > 20), "the cases show everything: {counts:?}");
    }
}

/// Seeds that once broke a rule; the rule has a test by name as well.
#[test]
fn seeds_that_once_broke_a_rule_keep_it() {
    // 16,614: who was about to be unloaded made another pause for it. 22,126: of two starts of one box the later was
    // served first, and the earlier kept those paused that had given for it. 214,838: two that asked each other for ever
    // ended the run, and one more was asked for it.
    for seed in [16_614, 22_126, 214_838] {
        check(seed).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// The behavior is stopped. B, unloaded first, lets go of what C lacks; C will be gone in a moment, so A is left alone.
#[test]
fn nobody_gives_anything_for_who_is_being_unloaded() {
    let needs = |names: &[&str], mode: &str, timeout: i32| -> String {
        names.iter().map(|n| format!(r#"<Resource name="{n}" type="{mode}" timeout="{timeout}"/>"#)).collect()
    };
    let b = boxed("B", 1, &needs(&["Head"], "Lock", 0), "");
    let a = boxed("A", 2, &needs(&["Legs"], "Stop on demand", 0), "");
    let c = boxed("C", 3, &needs(&["Head", "Legs"], "Lock", 10), "");
    let links = [link(0, 2, 1, 2), link(0, 2, 2, 2), link(0, 2, 3, 2)].concat();
    let run = Run::with(&root(&(b + &a + &c + &links)), Scripts::new(), Robot::default(), config());
    let (lines, _) = run.control(1.0, Control::Stop).finish();
    let expected = [
        "0.000 root/B resource Head taken",
        "0.000 root/A resource Legs taken",
        "0.000 root/C resource Head waiting (root/B, root/A)",
        "1.000 root/B resource Head released",
        "1.000 root/A resource Legs released",
        "1.000 root/C resource Head dropped",
    ];
    assert_eq!(only(&lines, &["resource"]), expected);
}

/// When C gives Head back, the first start of A asks D, which gives Legs at once: the first start is the first to have both.
#[test]
fn of_two_starts_of_a_box_the_first_is_served_first_though_a_holder_gives_amid_the_serving() {
    let needs = |names: &[&str], mode: &str| -> String {
        names.iter().map(|n| format!(r#"<Resource name="{n}" type="{mode}" timeout="10"/>"#)).collect()
    };
    let cursor =
        r#"<Timeline enable="1" fps="10" start_frame="0" end_frame="100"><BehaviorLayer name="l"/></Timeline>"#;
    let content = boxed("A", 1, &needs(&["Head", "Legs"], "Lock"), "")
        + &boxed("C", 2, &needs(&["Head"], "Lock"), "")
        + &boxed("D", 3, &needs(&["Legs"], "Pause on demand"), cursor)
        + &boxed("Y", 4, r#"<Output name="go" type="0" type_size="1" nature="2" inner="0" tooltip="" id="6"/>"#, "")
        + &[link(0, 2, 2, 2), link(0, 2, 3, 2), link(0, 2, 4, 2), link(4, 6, 1, 2)].concat();
    let go = || Out("go", Value::Null);
    let scripts = Scripts::from([
        (("C", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]),
        (("Y", "onInput_onStart"), vec![Sleep(0.5), go(), Sleep(0.5), go()]),
        (("A", "onInput_onStart"), vec![Log("A runs")]),
    ]);
    let mut run = Run::with(&root(&content), scripts, Robot::default(), config());
    let (lines, _) = run.run_on();
    assert_eq!(only(&lines, &["A call"]).len(), 2, "{lines:#?}");
    let cause = run.cause_of("2.000 root/A call onInput_onStart");
    assert_eq!(cause.as_deref(), Some("0.500 root/A resource Head waiting (root/C, root/D)"));
}
