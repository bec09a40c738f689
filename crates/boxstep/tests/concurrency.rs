//! What stock boxes do at the same time as each other and as themselves, with both hosts and in both clocks. Nothing here
//! depends on time: scripts wait for each other, so that what is to overlap does, or the run never ends.
//!
//! In virtual time both hosts give the same trace.

#![cfg(unix)]
use crate::common::{Temp, has_python, say, xar};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const HOSTS: [&str; 2] = ["native", "process"];

/// A name and a script. Each box has the inputs onStart (2) and onStop (3), and the outputs onStopped (4), first (5) and
/// second (6).
type Drawn = (String, String);

/// From box and output to box and input; boxes count from 1, and 0 is the root.
type Link = (i32, i32, i32, i32);

/// A folder with the behavior and `meeting.py`, a module of its own where boxes meet.
fn behavior(name: &str, boxes: &[Drawn], links: &[Link], meeting: &str) -> PathBuf {
    let ports =
        [xar::ports(), xar::input(3, "onStop", 3), xar::output(5, "first", 2), xar::output(6, "second", 2)].concat();
    let boxes = (1..).zip(boxes).map(|(id, (name, script))| xar::a_box(id, name, script, &ports, ""));
    let links = links.iter().map(|&(from, output, to, input)| xar::link((from, output), (to, input)));
    let inside: String = boxes.chain(links).collect();
    let folder = xar::written("concurrency", name, &xar::behavior(&ports, &xar::flow(&inside)));
    fs::write(folder.join("meeting.py"), meeting).unwrap();
    folder
}

/// How a run went.
struct Run {
    /// What boxes logged, in order.
    logs: Vec<String>,
    events: Vec<Value>,
    /// All that was said, for messages.
    said: String,
}

/// Plays it four times. Each must end by itself, with nobody given up, interrupted or forced.
fn play(name: &str, boxes: &[Drawn], links: &[Link], meeting: &str, check: impl Fn(&Run)) {
    if !has_python() {
        return;
    }
    let folder = behavior(name, boxes, links, meeting);
    for clock in [&["--virtual-time"][..], &["--for", "120"]] {
        let mut traces = Vec::new();
        for host in HOSTS {
            let trace = Temp::new("jsonl");
            let args = ["play", folder.to_str().unwrap(), "--scripts", host, "--trace", trace.arg()];
            let said = say(&[&args[..], clock].concat()).code(0);
            let text = fs::read_to_string(&trace.0).unwrap();
            let mut events: Vec<Value> = text.lines().skip(1).map(|l| serde_json::from_str(l).unwrap()).collect();
            let last = events.pop().unwrap();
            let said = format!("{host} {clock:?}\n{}", said.out);
            assert_eq!(last["reason"], "ended", "{said}");
            assert!(last["forced"].is_null() && last["errors"] == 0 && last["warnings"] == 0, "{said}");
            assert!(!events.iter().any(|e| e["kind"] == "abandoned"), "{said}");
            let logs = events.iter().filter(|e| e["kind"] == "log").map(|e| e["text"].as_str().unwrap().to_owned());
            check(&Run { logs: logs.collect(), events, said });
            traces.push((last, text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()));
        }
        if clock[0] == "--virtual-time" {
            assert_eq!(traces[0].0["deterministic"], true, "{}", traces[0].0);
            assert_eq!(traces[0].1, traces[1].1, "the hosts differ");
        }
    }
}

fn drawn(name: &str, script: &str) -> Drawn {
    // In real time two threads of the helper may be heard in either order; an answer comes after what was said before.
    let say = "def say(box, text):\n    box.log(text)\n    box.second()\n";
    (name.to_owned(), format!("import meeting, threading, time\n{say}class MyClass(GeneratedClass):\n{script}"))
}

/// A box has no lock: a second start runs while the first is waiting, and the last one to end says so.
#[test]
fn starts_of_one_box_overlap() {
    let starter = "    def onInput_onStart(self):\n        self.first()\n        self.second()\n";
    let talker = "    def onLoad(self):
        self.ids, self.lock, self.both = [], threading.Lock(), threading.Event()
    def onInput_onStart(self):
        with self.lock:
            self.ids.append(True)
            say(self, '%d at work' % len(self.ids))
            if len(self.ids) == 2:
                self.both.set()
        self.both.wait()
        with self.lock:
            self.ids.pop()
            say(self, '%d left' % len(self.ids))
            if not self.ids:
                self.onStopped()
";
    let boxes = [drawn("Starter", starter), drawn("Talker", talker)];
    play("overlap", &boxes, &[(0, 2, 1, 2), (1, 5, 2, 2), (1, 6, 2, 2), (2, 4, 0, 4)], "", |run| {
        assert_eq!(run.logs, ["1 at work", "2 at work", "1 left", "0 left"], "{}", run.said);
        let stopped = |e: &&Value| e["path"] == "root/Talker" && e["kind"] == "output" && e["port"] == "onStopped";
        assert_eq!(run.events.iter().filter(stopped).count(), 1, "{}", run.said);
    });
}

/// The box says that it has stopped before it takes back its flag, and its onUnload waits for the flag.
#[test]
fn an_output_returns_before_what_it_leads_to() {
    let busy = "    def onLoad(self):
        self.running = False
    def onUnload(self):
        while self.running:
            time.sleep(0.02)
        say(self, 'unloaded')
    def onInput_onStart(self):
        self.running = True
        try:
            self.onStopped()
            say(self, 'went on')
        finally:
            self.running = False
";
    play("flag", &[drawn("Busy", busy)], &[(0, 2, 1, 2), (1, 4, 0, 4)], "", |run| {
        assert_eq!(run.logs, ["went on", "unloaded"], "{}", run.said);
    });
}

/// An unload does not wait for a pending start and does not interrupt it; what that puts out then goes nowhere.
#[test]
fn on_unload_runs_beside_a_start_that_waits() {
    let waits = "    def onLoad(self):
        self.go, self.done = threading.Event(), threading.Event()
    def onUnload(self):
        say(self, 'unloads')
        self.go.set()
        self.done.wait()
        say(self, 'unloaded')
    def onInput_onStart(self):
        say(self, 'waits')
        self.onStopped()
        self.go.wait()
        self.first()
        say(self, 'released')
        self.done.set()
";
    let never = "    def onInput_onStart(self):\n        say(self, 'never started')\n";
    let boxes = [drawn("Waits", waits), drawn("Never", never)];
    play("unload", &boxes, &[(0, 2, 1, 2), (1, 4, 0, 4), (1, 5, 2, 2)], "", |run| {
        assert_eq!(run.logs, ["waits", "unloads", "released", "unloaded"], "{}", run.said);
    });
}

/// A thread of the box stops it while its start is waiting.
#[test]
fn a_box_is_stopped_from_a_thread_of_its_own() {
    let stopped = "    def onLoad(self):
        self.waits, self.stop = threading.Event(), threading.Event()
    def watch(self):
        self.waits.wait()
        say(self, 'stops')
        self.onInput_onStop()
    def onInput_onStart(self):
        threading.Thread(target=self.watch).start()
        self.waits.set()
        self.stop.wait()
        say(self, 'has stopped')
        self.onStopped()
    def onInput_onStop(self):
        self.stop.set()
";
    play("thread", &[drawn("Stopped", stopped)], &[(0, 2, 1, 2), (1, 4, 0, 4)], "", |run| {
        assert_eq!(run.logs, ["stops", "has stopped"], "{}", run.said);
    });
}

/// A thread ends the whole behavior while another box is waiting.
#[test]
fn a_behavior_is_ended_from_a_thread() {
    let waits = "    def onUnload(self):
        say(self, 'unloads')
        meeting.gate.set()
    def onInput_onStart(self):
        meeting.waits.set()
        meeting.gate.wait()
";
    let ends = "    def end(self):
        meeting.waits.wait()
        say(self, 'ends')
        ALProxy('ALFrameManager').exitBehavior(self.behaviorId)
    def onInput_onStart(self):
        threading.Thread(target=self.end).start()
";
    let meeting = "import threading\nwaits, gate = threading.Event(), threading.Event()\n";
    let boxes = [drawn("Waits", waits), drawn("Ends", ends)];
    play("exit", &boxes, &[(0, 2, 1, 2), (0, 2, 2, 2)], meeting, |run| {
        assert_eq!(run.logs, ["ends", "unloads"], "{}", run.said);
    });
}

const CROWD: usize = 100;

/// All of them wait at once; `go` is what the last box does when they do.
fn crowd(name: &str, after: &str, go: &str, check: impl Fn(&Run)) {
    let waits = format!(
        "    def onUnload(self):
        say(self, 'unloads')
    def onInput_onStart(self):
        meeting.arrive()
        meeting.gate.wait()
{after}"
    );
    let opens = format!(
        "    def onInput_onStart(self):
        meeting.everybody.wait()
        say(self, 'all wait')
{go}"
    );
    let meeting = format!(
        "import threading
lock, everybody, gate, here = threading.Lock(), threading.Event(), threading.Event(), []
def arrive():
    with lock:
        here.append(True)
        if len(here) == {CROWD}:
            everybody.set()
def leave():
    with lock:
        here.pop()
        return not here
"
    );
    let mut boxes: Vec<Drawn> = (1..=CROWD).map(|n| drawn(&format!("Waits{n}"), &waits)).collect();
    boxes.push(drawn("Opens", &opens));
    let all = (1..).take(boxes.len());
    let links: Vec<Link> = all.clone().map(|n| (0, 2, n, 2)).chain(all.map(|n| (n, 4, 0, 4))).collect();
    play(name, &boxes, &links, &meeting, check);
}

#[test]
fn a_hundred_boxes_wait_and_go_on() {
    let after = "        if meeting.leave():\n            say(self, 'the last')\n            self.onStopped()\n";
    crowd("crowd", after, "        meeting.gate.set()\n", |run| {
        assert_eq!(run.logs[..2], ["all wait", "the last"], "{}", run.said);
        assert_eq!(run.logs.iter().filter(|l| *l == "unloads").count(), CROWD, "{}", run.said);
    });
}

/// Nobody ever lets them go: the end of the run does.
#[test]
fn a_hundred_boxes_wait_and_are_let_go() {
    crowd("left", "        say(self, 'never')\n", "        self.onStopped()\n", |run| {
        assert_eq!(run.logs[0], "all wait", "{}", run.said);
        assert_eq!(run.logs[1..], vec!["unloads"; CROWD], "{}", run.said);
    });
}
