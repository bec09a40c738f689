//! In which order scripts are called: the laws of `docs/reference/semantics/order.md` on random behaviors, on both clocks, in both
//! hosts, with every processor busy. No law has a time in it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{Temp, has_python, say, xar};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const HOSTS: [&str; 2] = ["native", "process"];
const CLOCKS: [&[&str]; 2] = [&["--virtual-time", "--for", "2"], &["--for", "2"]];

/// xorshift64*: the same behaviors everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    fn of<'a>(&mut self, these: &[&'a str]) -> &'a str {
        these[self.below(these.len() as u64) as usize]
    }
}

fn value_port(kind: &str, id: i32, name: &str, nature: u8) -> String {
    format!(
        "<{kind} name=\"{name}\" type=\"0\" type_size=\"1\" nature=\"{nature}\" inner=\"0\" tooltip=\"\" id=\"{id}\" />\n"
    )
}

/// onLoad (1), onStart (2), onStop (3), onStopped (4), x (5); y (6), and three that nothing is linked to: `began` says which
/// call has been entered, `saw` and `found` which value and which parameter a start has found; and the parameter Level (9).
fn ports() -> String {
    [
        xar::ports(),
        xar::input(3, "onStop", 3),
        value_port("Input", 5, "x", 1),
        value_port("Output", 6, "y", 2),
        value_port("Output", 7, "began", 2),
        value_port("Output", 8, "saw", 2),
        value_port("Output", 10, "found", 2),
        r#"<Parameter name="Level" inherits_from_parent="0" content_type="1" value="0" default_value="0" min="0" max="1000" custom_choice="0" tooltip="" id="9" />"#.to_owned(),
    ]
    .concat()
}

/// What a method does after it has said that it was entered. Nothing here depends on how long it takes.
const ACTIONS: [&str; 9] = [
    "self.send(p)",
    "self.send(p); self.ends()",
    "time.sleep(0.002)",
    "time.sleep(0.002); self.send(p)",
    "self.send(p); self.send(p)",
    "spin(1000); self.send(p)",
    // Longer than a script has the turn to itself.
    "spin(400000); self.send(p)",
    "meeting.together(); self.send(p)",
    "pass",
];

/// What a start or a stop does before it sets what its box remembers.
const BEFORE: [&str; 4] = ["pass", "pass", "spin(1000)", "spin(400000)"];

fn script(random: &mut Random, name: &str) -> String {
    let actions: [&str; 3] = std::array::from_fn(|_| random.of(&ACTIONS));
    let before: [&str; 2] = std::array::from_fn(|_| random.of(&BEFORE));
    format!(
        "import time
import meeting

def spin(n):
    for _ in range(n):
        pass

class MyClass(GeneratedClass):
    def onLoad(self):
        self.v = None
        self.on = False
        self.count = self.ended = 0

    def onUnload(self):
        self.logger.info('left %s' % self.on)

    def send(self, p):
        deep = int((p or '/2').rpartition('/')[2]) + 1
        if deep < 4:
            self.count += 1
            self.y('{name}.%d/%d' % (self.count, deep))

    def ends(self):
        self.ended += 1
        if self.ended < 4:
            self.onStopped()

    def onInput_x(self, p):
        self.v = p
        self.began(p)
        {}

    def onInput_onStart(self, p):
        self.began(p)
        self.saw(self.v)
        self.found(self.getParameter('Level'))
        {}
        self.on = True
        {}

    def onInput_onStop(self, p):
        self.began(p)
        {}
        self.on = False
        {}
",
        actions[0], before[0], actions[1], before[1], actions[2]
    )
}

/// Sends to all others, a few at a time, many at once, and stops and starts right behind each other.
fn director(random: &mut Random, others: i32) -> String {
    let mut text = "import time

class MyClass(GeneratedClass):
    def onInput_onStart(self):
"
    .to_owned();
    for step in 0..25 {
        let to = random.below(others as u64);
        let line = match random.below(8) {
            0 => format!("for i in range(40): self.x{to}('D.{step}.%d/2' % i)"),
            1 => format!("self.stop{to}(None); self.start{to}(None)"),
            2 => format!("self.start{to}(None); self.stop{to}(None)"),
            3 => format!("self.x{to}('D.{step}/3'); self.start{to}(None)"),
            4 => "time.sleep(0.004)".to_owned(),
            // Each value only once, so that it says which one it was.
            5 => format!("self.level{to}({}); self.start{to}(None)", 2 * step + 1),
            6 => format!("self.stop{to}(None); self.level{to}({}); self.start{to}(None)", 2 * step + 2),
            _ => format!("self.x{to}('D.{step}/1'); self.x{to}('D.{step}b/1')"),
        };
        writeln!(text, "        {line}").unwrap();
    }
    text
}

const MEETING: &str = "import threading, time

_lock = threading.Lock()

def together():
    with _lock:
        time.sleep(0.001)
";

/// Boxes 2 to 7 with a script, 8 a diagram with two more inside, and box 1, which sends to them all.
fn behavior(seed: u64) -> PathBuf {
    let mut random = Random(seed + 1);
    for _ in 0..8 {
        random.below(2);
    }
    let a_box = |random: &mut Random, id: i32, name: &str| xar::a_box(id, name, &script(random, name), &ports(), "");
    let others = 7;
    let mut ports_of_director = xar::ports();
    let mut content = String::new();
    for to in 0..others {
        for (at, (name, input)) in ["x", "start", "stop", "level"].into_iter().zip([5, 2, 3, 9]).enumerate() {
            let id = 10 + 4 * to + at as i32;
            ports_of_director += &value_port("Output", id, &format!("{name}{to}"), 2);
            content += &xar::link((1, id), (to + 2, input));
        }
    }
    for id in 2..=7 {
        content += &a_box(&mut random, id, &format!("B{id}"));
        for _ in 0..random.below(3) {
            // A bang has no depth: who is started by a value would go on for ever.
            let (from, inputs) = if random.below(3) == 0 { (4, [2, 3]) } else { (6, [5, 5]) };
            let (to, input) = (2 + random.below(7) as i32, inputs[random.below(2) as usize]);
            content += &xar::link((id, from), (to, input));
        }
    }
    let inner = [
        a_box(&mut random, 1, "I1"),
        a_box(&mut random, 2, "I2"),
        xar::link((0, 2), (1, 2)),
        xar::link((0, 5), (1, 5)),
        xar::link((0, 5), (2, 5)),
        xar::link((1, 6), (2, 5)),
        xar::link((2, 4), (0, 4)),
    ];
    content += &xar::a_box(8, "Inside", "", &ports(), &xar::flow(&inner.concat()));
    let director = director(&mut random, others);
    content = xar::a_box(1, "D", &director, &ports_of_director, "") + &content + &xar::link((0, 2), (1, 2));
    let folder = xar::written("order", &seed.to_string(), &xar::behavior(&xar::ports(), &xar::flow(&content)));
    fs::write(folder.join("meeting.py"), MEETING).unwrap();
    folder
}

fn field<'a>(event: &'a Value, name: &str) -> &'a str {
    event[name].as_str().unwrap_or_default()
}

/// Holds a trace against the laws; gives what is against them, and how many calls were looked at.
fn laws(events: &[Value]) -> (Vec<String>, usize) {
    let mut against = Vec::new();
    let by_n: HashMap<u64, &Value> = events.iter().map(|e| (e["n"].as_u64().unwrap(), e)).collect();
    let cause = |e: &Value| e["cause"].as_u64().unwrap_or(0);

    let number = |e: &Value| e["n"].as_u64().unwrap();
    let kind = |e: &&Value, kind: &str| e["kind"] == *kind;
    let returned: HashMap<u64, u64> =
        events.iter().filter(|e| kind(e, "returned")).map(|e| (cause(e), number(e))).collect();
    // Was such a call of the box at work when this came?
    let beside = |path: &str, method: &str, n: u64| {
        let calls = events.iter().take_while(|e| number(e) < n).filter(|e| kind(e, "call") && e["path"] == *path);
        let mut calls = calls.filter(|e| e["method"] == *method);
        calls.any(|e| returned.get(&number(e)).is_none_or(|end| *end > n))
    };

    // Calls begin in the order in which they were put in line; but for a start that came during a stop of its box, and what came behind it.
    let all: Vec<u64> = events.iter().filter(|e| kind(e, "output") && e["port"] == "began").map(cause).collect();
    let entered: HashMap<u64, u64> =
        events.iter().filter(|e| kind(e, "output") && e["port"] == "began").map(|e| (cause(e), number(e))).collect();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    // By box: until when something waited there.
    let mut waited: HashMap<&str, u64> = HashMap::new();
    let mut behind = HashSet::new();
    for n in sorted {
        let path = field(by_n[&n], "path");
        let until = waited.entry(path).or_default();
        if beside(path, "onInput_onStop", n) || *until > n {
            behind.insert(n);
            *until = entered[&n].max(*until);
        }
    }
    let began: Vec<u64> = all.iter().copied().filter(|n| !behind.contains(n)).collect();
    for two in began.windows(2).filter(|two| two[0] > two[1]) {
        against.push(format!("call {} begins before {}", by_n[&two[0]], by_n[&two[1]]));
    }

    // What a box sends on a link arrives in that order.
    let mut last: HashMap<(&str, &str, &str), u64> = HashMap::new();
    for event in events.iter().filter(|e| e["kind"] == "input") {
        if let Some(sent) = by_n.get(&cause(event)).filter(|e| e["kind"] == "output") {
            let link = (field(sent, "path"), field(sent, "port"), field(event, "path"));
            let before = last.insert(link, cause(event)).unwrap_or(0);
            // One output may lead to several inputs of a box.
            if before > cause(event) {
                against.push(format!("{sent} arrives after {}", by_n[&before]));
            }
        }
    }

    // A value that came before a start is there when the start looks, and the last of stop and start is what counts.
    let mut value: HashMap<&str, &Value> = HashMap::new();
    let mut found: HashMap<u64, &Value> = HashMap::new();
    let mut on: HashMap<&str, bool> = HashMap::new();
    let mut loaded: HashMap<&str, bool> = HashMap::new();
    // The values of a box's parameter, in their order, and how many there were when a start came.
    let mut levels: HashMap<&str, Vec<&Value>> = HashMap::new();
    let mut level: HashMap<u64, usize> = HashMap::new();
    for event in events {
        let path = field(event, "path");
        match (field(event, "kind"), field(event, "port"), field(event, "phase")) {
            ("box", _, "loaded") => {
                loaded.insert(path, true);
                value.insert(path, &Value::Null);
                on.insert(path, false);
            }
            ("box", _, "unloading") => {
                loaded.insert(path, false);
            }
            ("input", port, _) => {
                if loaded.get(path) != Some(&true) && port != "onLoad" {
                    against.push(format!("{event} reaches a box that is not loaded"));
                }
                match port {
                    "x" => drop(value.insert(path, &event["value"])),
                    "onStart" => {
                        on.insert(path, true);
                        level.insert(number(event), levels.get(path).map_or(0, Vec::len));
                        found.insert(event["n"].as_u64().unwrap(), value.get(path).copied().unwrap_or(&Value::Null));
                    }
                    // Who is stopped while a start still computes: which of both sets last nobody promises.
                    "onStop" if beside(path, "onInput_onStart", number(event)) => drop(on.remove(path)),
                    "onStop" => drop(on.insert(path, false)),
                    _ => {}
                }
            }
            ("output", "saw", _) => {
                let input = cause(by_n[&cause(event)]);
                if let Some(wanted) = found.get(&input).filter(|wanted| **wanted != &event["value"]) {
                    against.push(format!("{event} should have been {wanted}"));
                }
            }
            ("parameter", ..) => levels.entry(path).or_default().push(&event["value"]),
            ("output", "found", _) => {
                let input = cause(by_n[&cause(event)]);
                let seen = levels.get(path).and_then(|all| all.iter().position(|v| **v == event["value"]));
                if level.get(&input).is_some_and(|came| seen.map_or(0, |at| at + 1) < *came) {
                    against.push(format!("{event} should have been a later value"));
                }
            }
            ("log", ..) => {
                let says = field(event, "text") == "left True";
                // An unload reaches a box whose start or stop still computes, and has set nothing yet.
                let computes =
                    ["onInput_onStart", "onInput_onStop"].iter().any(|call| beside(path, call, number(event)));
                // Nor has one set anything that the unload has overtaken before it began.
                let overtaken = events.iter().any(|e| {
                    kind(&e, "call")
                        && e["path"] == *path
                        && ["onInput_onStart", "onInput_onStop"].contains(&field(e, "method"))
                        && !entered.contains_key(&number(e))
                });
                if !computes && !overtaken && on.get(path).is_some_and(|on| *on != says) {
                    against.push(format!("{event}: the last that came was the other one"));
                }
            }
            _ => {}
        }
    }
    (against, all.len())
}

fn play(folder: &Path, host: &str, clock: &[&str]) -> (Vec<Value>, Value) {
    let trace = Temp::new("jsonl");
    // A stop takes as long as it takes: on a machine this busy each box may use up all the time that its onUnload has.
    let args = ["play", folder.to_str().unwrap(), "--scripts", host, "--trace", trace.arg(), "--stop-within", "100"];
    say(&[&args[..], clock].concat()).code(0);
    let text = fs::read_to_string(&trace.0).unwrap();
    let mut events: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = events.pop().unwrap();
    (events, last)
}

/// Keeps every processor busy while it lives.
struct Busy(&'static AtomicBool);

impl Busy {
    fn new() -> Self {
        let goes_on: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(true)));
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            thread::spawn(|| while goes_on.load(Ordering::Relaxed) {});
        }
        Self(goes_on)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[test]
fn random_behaviors_keep_the_laws_on_both_clocks_in_both_hosts() {
    if !has_python() {
        return;
    }
    let seeds = std::env::var("BOXSTEP_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let from = std::env::var("BOXSTEP_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let _busy = Busy::new();
    for seed in from..from + seeds {
        let folder = behavior(seed);
        thread::scope(|scope| {
            let runs = HOSTS.iter().flat_map(|host| CLOCKS.iter().map(move |clock| (*host, *clock)));
            let folder = &folder;
            let runs: Vec<_> =
                runs.map(|(host, clock)| (host, clock, scope.spawn(move || play(folder, host, clock)))).collect();
            for (host, clock, run) in runs {
                let (events, last) = run.join().unwrap();
                let (against, began) = laws(&events);
                assert_eq!(against, [""; 0], "seed {seed}, {host}, {clock:?}");
                let over = ["limit", "waiting"].iter().any(|reason| last["reason"] == *reason);
                assert!(over, "seed {seed}, {host}, {clock:?}: {last}");
                // How far a run comes in two seconds of real time depends on the machine.
                let enough = if clock[0] == "--virtual-time" { 20 } else { 0 };
                assert!(began > enough, "seed {seed}, {host}, {clock:?} calls too little: {began}");
            }
        });
    }
}

/// A stop whose script takes its time does not take away what a later start has brought.
#[test]
fn a_start_that_comes_during_a_stop_counts() {
    if !has_python() {
        return;
    }
    let director = "import meeting

class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.start()
        meeting.started.acquire()
        self.stop()
        self.start()
        meeting.started.acquire()
        self.onStopped()
";
    let slow = "import time

class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.logger.info('starts')

    def onInput_onStop(self):
        self.logger.info('stops')
        time.sleep(0.2)
        self.logger.info('has stopped')
";
    let inner = "import meeting

class MyClass(GeneratedClass):
    def onLoad(self):
        self.logger.info('loads')

    def onUnload(self):
        self.logger.info('unloads')

    def onInput_onStart(self):
        self.logger.info('starts')
        meeting.started.release()
";
    let outputs = xar::output(5, "start", 2) + &xar::output(6, "stop", 2);
    let inside = xar::a_box(1, "Inside", inner, &xar::ports(), "") + &xar::link((0, 2), (1, 2));
    let ports = xar::ports() + &xar::input(3, "onStop", 3);
    let content = [
        xar::a_box(1, "D", director, &(xar::ports() + &outputs), ""),
        xar::a_box(2, "Slow", slow, &ports, &xar::flow(&inside)),
        xar::link((0, 2), (1, 2)),
        xar::link((1, 5), (2, 2)),
        xar::link((1, 6), (2, 3)),
        xar::link((1, 4), (0, 4)),
    ];
    let folder = xar::written("order", "slow-stop", &xar::behavior(&xar::ports(), &xar::flow(&content.concat())));
    fs::write(folder.join("meeting.py"), "import threading\nstarted = threading.Semaphore(0)\n").unwrap();
    for (host, clock) in HOSTS.iter().flat_map(|host| [&["--virtual-time"][..], &[]].map(|clock| (host, clock))) {
        let (events, last) = play(&folder, host, clock);
        let logs = events.iter().filter(|e| e["kind"] == "log");
        let told: Vec<_> = logs.map(|e| format!("{} {}", field(e, "path"), field(e, "text"))).collect();
        let expected = [
            "root/Slow starts",
            "root/Slow/Inside loads",
            "root/Slow/Inside starts",
            "root/Slow stops",
            "root/Slow starts",
            "root/Slow has stopped",
            "root/Slow/Inside unloads",
            "root/Slow/Inside loads",
            "root/Slow/Inside starts",
            "root/Slow/Inside unloads",
        ];
        assert_eq!(told, expected, "{host} {clock:?}");
        assert_eq!(last["reason"], "ended");
    }
}
