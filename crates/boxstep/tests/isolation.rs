//! A stuck or crashing script hurts only itself: every row of the table in `docs/reference/isolation.md`, with both hosts and both
//! clocks. The table says what is expected; this file has the scripts. A row without a script fails, and a script without
//! rows for each host and clock.

#![cfg(target_os = "linux")]
use crate::common::{Said, Temp, has_python, say, xar};
use crate::pythons;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLE: &str = include_str!("../../../docs/reference/isolation.md");

const HOSTS: [&str; 2] = ["native", "process"];
/// The hosts, and Python 2.7 where there is one: it has a process of its own.
fn hosts() -> Vec<(&'static str, Option<PathBuf>)> {
    let two = || pythons::two().map(|two| ("process", Some(two)));
    if has_python() { HOSTS.iter().map(|host| (*host, None)).chain(two()).collect() } else { Vec::new() }
}

const CLOCKS: [&str; 2] = ["virtual", "real"];

/// Two boxes. Other has the robot walk, starts Busy, and so many seconds later ends the behavior.
fn behavior(case: &str, body: &str, moment: &str) -> PathBuf {
    let indented: String = body.lines().map(|line| format!("        {line}\n")).collect();
    let busy = format!(
        "import ctypes, os, re, signal, socket, sys, threading, time\n\
         class MyClass(GeneratedClass):\n    \
             def onUnload(self):\n        self.log('Busy has unloaded')\n    \
             def onInput_onStart(self):\n{indented}"
    );
    let other = format!(
        "import time\n\
         class MyClass(GeneratedClass):\n    \
             def onUnload(self):\n        self.log('Other has unloaded')\n    \
             def onInput_onStart(self):\n        \
                 ALProxy('ALMotion').moveToward(0.5, 0.0, 0.0)\n        \
                 self.go()\n        time.sleep({moment})\n        self.log('Other goes on')\n        self.onStopped()\n"
    );
    let ports = xar::ports() + &xar::output(5, "go", 2);
    let links = [xar::link((0, 2), (2, 2)), xar::link((2, 5), (1, 2)), xar::link((2, 4), (0, 4))].concat();
    let boxes = xar::a_box(1, "Busy", &busy, &ports, "") + &xar::a_box(2, "Other", &other, &ports, "");
    xar::written("isolation", case, &xar::behavior(&ports, &xar::flow(&(boxes + &links))))
}

/// A row of the table, as its cells say it.
struct Row {
    case: &'static str,
    hosts: Vec<&'static str>,
    clocks: Vec<&'static str>,
    /// Who is hurt: `nobody`, `its behavior`, `all scripts`.
    hurt: &'static str,
    /// What is seen: the texts in backticks.
    seen: Vec<&'static str>,
    /// How the run ends, as its trace says it.
    reason: &'static str,
    code: i32,
}

fn rows() -> Vec<Row> {
    let both = |cell, of: [&'static str; 2]| if cell == "both" { of.to_vec() } else { vec![cell] };
    let lines = TABLE.lines().filter(|line| line.starts_with("| `"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [case, _, host, clock, hurt, seen, end] = cells[..] else { panic!("7 cells: {line}") };
            let (reason, code) = end.split_once(", ").unwrap();
            Row {
                case: case.trim_matches('`'),
                hosts: both(host, HOSTS),
                clocks: both(clock, CLOCKS),
                hurt,
                seen: seen.split('`').skip(1).step_by(2).collect(),
                reason,
                code: code.parse().unwrap(),
            }
        })
        .collect()
}

/// So many boxes that start at once, with this for `onInput_onStart` and whatever follows.
fn alike(case: &str, body: &str, count: i32) -> PathBuf {
    let script = format!("import re\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n{body}");
    let box_of = |id| xar::a_box(id, &id.to_string(), &script, &xar::ports(), "") + &xar::link((0, 2), (id, 2));
    let boxes: String = (1..=count).map(box_of).collect();
    xar::written("isolation", case, &xar::behavior(&xar::ports(), &xar::flow(&boxes)))
}

/// What a run said, the events of its trace and the last line of that.
fn run(folder: &Path, (host, python): &(&str, Option<PathBuf>), more: &[&str]) -> (Said, Vec<Value>, Value) {
    let trace = Temp::new("jsonl");
    let mut args = vec!["play", folder.to_str().unwrap(), "--scripts", host, "--trace", trace.arg()];
    if let Some(python) = python {
        args.extend(["--python", python.to_str().unwrap()]);
    }
    let said = say(&[&args[..], more].concat());
    let text = fs::read_to_string(&trace.0).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines
        .pop()
        .unwrap_or_else(|| panic!("{:?}: no trace\n--- out\n{}\n--- err\n{}", said.code, said.out, said.err));
    (said, lines, last)
}

fn play(
    case: &str,
    (body, moment): (&str, &str),
    host: &(&str, Option<PathBuf>),
    clock: &str,
) -> (Said, Vec<Value>, Value) {
    let of = if host.1.is_some() { "two" } else { host.0 };
    let folder = behavior(&format!("{case}-{of}-{clock}"), body, moment);
    // Real time waits for who hogs Python until the behavior is stopped. All others are over long before the limit.
    let limit = if case.starts_with("hog") { "1" } else { "60" };
    let clock = if clock == "virtual" { ["--virtual-time", "--patience=1"] } else { ["--for", limit] };
    run(&folder, host, &clock)
}

fn check(case: &str, body: &str) {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.case == case).collect();
    let hosts = hosts();
    for row in &rows {
        let of_row = hosts.iter().filter(|host| row.hosts.contains(&host.0));
        for (host, clock) in of_row.flat_map(|host| row.clocks.iter().map(move |clock| (host, clock))) {
            // Who is hurt is so before the other box does anything, however slow the machine is.
            let moment = if row.hurt == "nobody" { "0.2" } else { "1000" };
            let (said, events, last) = play(case, (body, moment), host, clock);
            let all = format!("{case} {host:?} {clock}\n--- out\n{}\n--- err\n{}", said.out, said.err);
            assert_eq!(said.code, Some(row.code), "{all}");
            assert_eq!(last["reason"], row.reason, "{all}");
            // In real time the other box may still be on its way to its sleep.
            let mut out = said.out.replace("root/Other onInput_onStart, ", "");
            if *clock == "real" {
                // Then it is not known whose this is.
                out = out.replace("            prints from C", "root/Busy   prints from C");
            }
            for text in &row.seen {
                let old = host.1.is_some();
                if old && text.contains("\", line 6 in ") {
                    continue; // Python 2.7 has no faulthandler
                }
                let text = &if old { text.replace("RecursionError", "RuntimeError") } else { (*text).to_owned() };
                assert!(out.contains(text) || said.err.contains(text), "not seen: {text}\n{all}");
            }
            let quiet = !["warning: ", " raised "].iter().any(|word| said.out.contains(word));
            assert!(!row.seen.is_empty() || quiet, "{all}");
            let told = |text: &str| events.iter().any(|e| e["text"] == text);
            let failed = events.iter().find(|e| e["kind"] == "behavior_failed");
            match row.hurt {
                "nobody" => {
                    assert!(failed.is_none() && told("Other goes on"), "{all}");
                    assert!(told("Other has unloaded") && told("Busy has unloaded"), "{all}");
                }
                "its behavior" => {
                    // The error is the script's own, with its line, and the others can still clean up.
                    let line = failed.unwrap()["error"]["line"].as_u64();
                    assert!(line.is_some_and(|line| line > 5), "{all}");
                    assert!(told("Other has unloaded") && told("Busy has unloaded"), "{all}");
                }
                "all scripts" => {
                    assert!(!told("Other has unloaded") && !told("Busy has unloaded"), "{all}");
                    assert!(said.out.contains(" while "), "nobody is named: {all}");
                }
                who => panic!("who is {who}?"),
            }
            // The engine came to its end in good order, and the robot stands.
            let unloaded = |e: &Value| e["path"] == "root" && e["kind"] == "box" && e["phase"] == "unloaded";
            assert!(events.iter().any(unloaded), "{all}");
            let moves: Vec<_> = events.iter().filter(|e| e["act"] == "move").map(|e| &e["text"]).collect();
            assert!(moves.len() > 1 && moves[moves.len() - 1] == "stops", "{moves:?}\n{all}");
        }
    }
}

macro_rules! cases {
    ($($name:ident: $body:expr;)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), $body);
        })*

        #[test]
        fn the_table_has_every_case_with_each_host_and_clock_once() {
            let mut left: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
            for case in [$(stringify!($name)),*] {
                left.extend(HOSTS.iter().flat_map(|host| CLOCKS.map(|clock| (case, *host, clock))));
            }
            for row in rows() {
                for (host, clock) in row.hosts.iter().flat_map(|host| row.clocks.iter().map(move |clock| (host, clock))) {
                    assert!(left.remove(&(row.case, host, clock)), "{} {host} {clock}: twice, or no test", row.case);
                }
            }
            assert!(left.is_empty(), "not in the table: {left:?}");
        }
    };
}

// A row that is reached by its end and not by `--for` does not depend on how fast the machine is.
cases! {
    spin: "while True:\n    pass";
    sleep: "time.sleep(1000)";
    lock: "lock = threading.Lock()\nlock.acquire()\nlock.acquire()";
    socket: "pair = socket.socketpair()\npair[0].recv(1)";
    recursion: "def deeper():\n    deeper()\ndeeper()";
    raised_limit: "sys.setrecursionlimit(1000000)\ndef deeper():\n    deeper()\ndeeper()";
    c_stack: "ctypes.CDLL(None).regcomp(ctypes.create_string_buffer(1000), b'(' * 3000000, 1)";
    sys_exit: "sys.exit(3)";
    thread: "threading.Thread(target=lambda: [].no_such_name).start()";
    os_exit: "os._exit(3)";
    abort: "os.abort()";
    kill: "os.kill(os.getpid(), signal.SIGKILL)";
    segfault: "ctypes.string_at(0)";
    c_abort: "ctypes.PyDLL(None).abort()";
    hog: "re.match(r'(a+)+$', 'a' * 60 + 'b')";
    // In pieces after which some is left: in the native host the engine takes from the same, and ends the process if it gets nothing.
    memory: "import resource\npages = int(open('/proc/self/statm').read().split()[0])\n\
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 29), resource.RLIM_INFINITY))\n\
        taken = []\nwhile True:\n    taken.append(bytearray(3 << 26))";
    fork: "pid = os.fork()\nif pid == 0:\n    try:\n        self.go()\n    except RuntimeError:\n        os._exit(7)\n    return\n\
        self.log('the child ended with %d' % (os.waitpid(pid, 0)[1] >> 8))";
    written: "os.write(1, 'written\\n')\nc = ctypes.CDLL(None)\nc.puts(b'from C')\nc.fflush(None)";
}

/// The stop of a run in which somebody keeps Python to himself takes one patience, not one for each box.
#[test]
fn a_hog_is_waited_for_once() {
    for host in &hosts() {
        let (said, events, _) = play("hog-once", ("re.match(r'(a+)+$', 'a' * 60 + 'b')", "1000"), host, "real");
        let given_up = events.iter().filter(|e| e["kind"] == "abandoned").count();
        assert!(given_up <= 1, "{given_up} times\n{}", said.out);
    }
}

/// What has to be ended by force is no ordinary end, also without an `onUnload` that could not be run.
#[test]
fn a_hog_without_on_unload_ends_as_one_with_it() {
    for host in &hosts() {
        let folder = alike("hog-alone", "        re.match(r'(a+)+$', 'a' * 60 + 'b')\n", 1);
        let (said, _, last) = run(&folder, host, &["--for", "1"]);
        assert_eq!((&last["reason"], &last["forced"]), (&"limit".into(), &1.into()), "{}", said.out);
        assert_eq!(said.code, Some(4), "{}", said.out);
        assert!(said.out.contains("a script kept Python to itself while root/1 onInput_onStart"), "{}", said.out);
        assert!(said.out.contains("it was stopped by force"), "{}", said.out);
    }
}

/// A call that begins after its object has been dropped does nothing, and nobody is told of a `__del__` that there is not.
#[test]
fn boxes_that_are_given_up_say_so_and_nothing_else() {
    let spins =
        "        while True:\n            pass\n    def onUnload(self):\n        while True:\n            pass\n";
    for host in &hosts() {
        let folder = alike("spins", spins, 10);
        let (said, events, last) = run(&folder, host, &["--for", "0.5", "--stop-within", "0.5"]);
        assert_eq!((said.code, &last["reason"]), (Some(4), &"limit".into()), "{}", said.out);
        let raised: Vec<_> = events.iter().filter(|e| e["kind"] == "raised").collect();
        assert!(raised.is_empty(), "{raised:?}");
        let given_up: BTreeSet<_> =
            events.iter().filter(|e| e["kind"] == "abandoned").map(|e| e["method"].as_str()).collect();
        assert!(given_up.contains(&Some("onUnload")) && !given_up.contains(&Some("__del__")), "{given_up:?}");
    }
}

/// C code has no line, but what it runs under has.
#[test]
fn a_crash_tells_the_line_of_the_script() {
    for host in hosts().iter().filter(|(_, two)| two.is_none()) {
        let (said, ..) = play("line", ("ctypes.string_at(0)", "1000"), host, "virtual");
        let all = format!("{}{}", said.out, said.err);
        assert!(all.contains("root/Busy\", line 6 in onInput_onStart"), "{all}");
    }
}

/// What would end the process is refused; what ends nothing, and what a fork does, is not.
#[test]
fn what_would_end_the_process_is_refused() {
    let refused = "
def refused(do, *args):
    try:
        do(*args)
        return False
    except Exception:
        return False
    except BaseException as error:
        return type(error).__name__ == 'ExitRefused'
me = os.getpid()
ends = [(os._exit, 3), (os.abort,), (os.execv, '/bin/true', ['true']), (os.execlp, 'true', 'true'), (os.kill, me, 9),
        (os.kill, 0, signal.SIGUSR1), (os.killpg, os.getpgrp(), 9), (signal.raise_signal, signal.SIGSEGV), (signal.alarm, 1)]
self.log('refused: %d of %d' % (sum(refused(*end) for end in ends), len(ends)))
self.log('not refused: %s' % [os.kill(me, 0), os.kill(me, signal.SIGCHLD)])
child = os.fork()
if child == 0:
    os.execv('/bin/sh', ['sh', '-c', 'exit 5'])
self.log('the child ended with %d' % (os.waitpid(child, 0)[1] >> 8))";
    if has_python() {
        let (said, events, _) = play("refused", (refused, "0.2"), &("native", None), "real");
        let told = |text: &str| events.iter().any(|e| e["text"] == text);
        assert!(told("refused: 9 of 9") && told("not refused: [None, None]"), "{}", said.out);
        assert!(told("the child ended with 5"), "{}", said.out);
    }
}

/// Threads that the system has no room for are an error of the scripts, or the end of their process. (In the other host memory
/// is the engine's own.)
#[test]
fn threads_without_room_for_them_do_not_end_the_engine() {
    let body = "for _ in range(300):\n    threading.Thread(target=time.sleep, args=(100,)).start()";
    let folder = behavior("no_room", body, "1");
    for (host, python) in hosts().into_iter().filter(|(host, _)| *host == "process") {
        let mut command = Command::new("sh");
        // A limit that the engine and its Python fit in, and 300 threads do not.
        command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_boxstep"), "play"]);
        command.arg(&folder).args(["--virtual-time", "--for", "2", "--patience", "2", "--scripts", host]);
        command.args(python.iter().flat_map(|python| ["--python".as_ref(), python.as_os_str()]));
        let said = Said::from(command.output().unwrap());
        let whole = format!("{}{}", said.out, said.err);
        assert!(!whole.contains("panicked"), "{host}: {whole}");
        assert!(said.out.lines().last().is_some_and(|line| line.starts_with("played ")), "{host}: {whole}");
    }
}
