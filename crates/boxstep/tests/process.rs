//! Scripts in a process of their own: what its end means for the run, and who else notices.

#![cfg(unix)]
use crate::common;
use crate::common::{Said, Temp, boxstep, has_python, root, say, xar};
use crate::pythons;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A behavior of one box that runs `body` when it starts.
fn behavior(name: &str, body: &str) -> PathBuf {
    let indented: String = body.lines().map(|line| format!("        {line}\n")).collect();
    let script = format!(
        "import os, re, sys, threading, time\n\
         class MyClass(GeneratedClass):\n    \
             def onUnload(self):\n        self.log('has unloaded')\n    \
             def onInput_onStart(self):\n        self.log('is ready')\n{indented}"
    );
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    let inside = xar::flow(&(xar::a_box(1, "Busy", &script, &xar::ports(), "") + &links));
    xar::written("process", name, &xar::behavior(&xar::ports(), &inside))
}

/// Plays it with a process for scripts; the events of its trace, its last line, and what was said.
fn play(name: &str, body: &str, code: i32, more: &[&str]) -> (Vec<Value>, Value, Said) {
    let trace = Temp::new("jsonl");
    let folder = behavior(name, body);
    let args = ["play", folder.to_str().unwrap(), "--scripts", "process", "--trace", trace.arg()];
    let said = say(&[&args[..], more].concat()).code(code);
    let text = fs::read_to_string(&trace.0).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    (lines, last, said)
}

/// In both clocks the behavior fails with these words, and is unloaded all the same.
fn ends(name: &str, body: &str, how: &str) {
    if !has_python() {
        return;
    }
    for clock in [&["--virtual-time"][..], &[]] {
        let (events, last, said) = play(name, body, 4, clock);
        let why = format!("the process for scripts {how} while root/Busy onInput_onStart ran");
        let failed = events.iter().find(|e| e["kind"] == "behavior_failed").unwrap();
        assert_eq!(failed["error"]["message"], why.as_str());
        assert_eq!(last["reason"], "failed", "{}", said.out);
        let unloaded = |path: &str| {
            let at = |e: &Value| e["path"] == path && e["kind"] == "box" && e["phase"] == "unloaded";
            events.iter().any(at)
        };
        assert!(unloaded("root/Busy") && unloaded("root"), "{}", said.out);
        // Nobody is there to run it.
        assert!(!said.out.contains("has unloaded"), "{}", said.out);
    }
}

#[test]
fn a_script_that_exits_at_once_fails_its_behavior() {
    ends("exits", "os._exit(3)", "ended with exit code 3");
}

#[test]
fn a_crash_in_c_code_fails_the_behavior() {
    ends("crashes", "ctypes.string_at(0)", "was ended by signal 11 (SIGSEGV: a crash in C code)");
    ends("aborts", "os.abort()", "was ended by signal 6 (SIGABRT: C code gave up)");
}

#[test]
fn a_kill_from_outside_fails_the_behavior() {
    let how = "was ended by signal 9 (SIGKILL: killed by another process, or the system was short of memory)";
    ends("killed", "os.kill(os.getpid(), 9)", how);
}

#[test]
fn a_crash_is_told_with_the_line_of_the_script() {
    if has_python() {
        let (events, ..) = play("told", "ctypes.string_at(0)", 4, &["--virtual-time"]);
        let prints: Vec<&str> =
            events.iter().filter(|e| e["kind"] == "print").flat_map(|e| e["text"].as_str()).collect();
        let line = prints.iter().find(|line| line.contains("root/Busy")).unwrap();
        assert!(line.ends_with("\", line 7 in onInput_onStart"), "{prints:#?}");
    }
}

#[test]
fn those_that_wait_are_not_blamed_for_the_end() {
    if has_python() {
        let body = "threading.Timer(0.5, os._exit, (7,)).start()\ntime.sleep(5)";
        let (events, ..) = play("waits", body, 4, &["--virtual-time"]);
        let raised: Vec<_> = events.iter().filter(|e| e["kind"] == "raised").map(|e| &e["method"]).collect();
        assert_eq!(raised, ["thread"]);
    }
}

#[test]
fn what_is_written_past_print_stands_in_the_same_place_every_time() {
    if !has_python() {
        return;
    }
    let body = "write = ctypes.CDLL(None).write\nwrite(1, b'one\\n', 4)\nself.log('two')\nwrite(2, b'three\\n', 6)\nself.log('four')\nwrite(1, b'half', 4)\nself.onStopped()";
    let (events, ..) = play("written", body, 0, &["--virtual-time"]);
    let told: Vec<&str> = events.iter().filter_map(|e| e["text"].as_str()).collect();
    // Heard with the next question (a record of a log has the time) and at the end of a call.
    assert_eq!(told, ["is ready", "one", "two", "three", "four", "half", "has unloaded"]);
    assert!(events.iter().filter(|e| e["kind"] == "print").all(|e| e["path"] == "root/Busy"), "{events:#?}");
}

#[test]
fn a_fork_cannot_speak_for_the_behavior() {
    if !has_python() {
        return;
    }
    let body = "pid = os.fork()\nif pid == 0:\n    try:\n        self.onStopped()\n    except RuntimeError:\n        os.write(1, b'refused\\n')\n    return\nos.waitpid(pid, 0)\nself.log('the parent')\nself.onStopped()";
    let (events, last, _) = play("forks", body, 0, &["--must-end"]);
    let mut told: Vec<&str> = events.iter().filter_map(|e| e["text"].as_str()).collect();
    // On the real clock what is written past `print` is heard when it comes.
    told.sort_unstable();
    assert_eq!(told, ["has unloaded", "is ready", "refused", "the parent"]);
    assert_eq!(last["reason"], "ended");
}

#[test]
fn one_who_keeps_the_interpreter_is_ended_by_force() {
    if !has_python() {
        return;
    }
    let hog = "re.match(r'(a+)+$', 'a' * 60 + 'b')";
    let (_, last, said) = play("hog", hog, 4, &["--virtual-time", "--patience", "1"]);
    assert_eq!(last["reason"], "failed");
    assert!(said.out.contains("was ended by force: a script kept Python to itself while root/Busy"), "{}", said.out);
}

#[test]
fn the_program_alone_is_enough() {
    if !has_python() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("process/alone");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("boxstep");
    // By another process: a program that is still open for writing in a fork of another test's cannot be started.
    assert!(Command::new("cp").args([Path::new(env!("CARGO_BIN_EXE_boxstep")), &program]).status().unwrap().success());
    let hello = common::root().join("examples/hello");
    let play = |host: &str| -> Said {
        let mut command = Command::new(&program);
        command.args(["play", "--virtual", "--scripts", host]).arg(&hello).env_remove("BOXSTEP_PYTHON");
        command.output().unwrap().into()
    };
    assert!(play("process").code(0).out.contains("says “Hello, I am a robot.”"));
    // The other host needs what lies beside the program.
    play("native").code(2);
}

#[test]
fn a_python_that_cannot_be_used_is_refused_in_words() {
    let hello = "examples/hello";
    let said = say(&["play", hello, "--scripts", "process", "--python", "/nowhere/python"]).code(2);
    assert!(said.err.contains("cannot start /nowhere/python (--python): "), "{}", said.err);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("process/old");
    fs::create_dir_all(&folder).unwrap();
    // What an old interpreter would see, read by this one.
    let Some(python) = has_python().then_some("python3") else { return };
    let boot = include_str!("../../boxstep-script/src/process/boot.py");
    let old = format!("import sys\nsys.version_info = (3, 8, 18)\n{boot}");
    let output: Said = Command::new(python).args(["-c", &old, "0"]).output().unwrap().into();
    let said = output.code(2);
    assert!(said.err.contains("is Python 3.8; box scripts need CPython 2.7, or 3.9 or newer"), "{}", said.err);
}

#[test]
fn a_test_plays_with_either_host() {
    if has_python() {
        let file = "examples/hello/behavior.test.toml";
        let one = boxstep(&["test", file, "--scripts", "process"]).output().unwrap();
        assert!(Said::from(one).code(0).out.contains(" passed, 0 failed"));
    }
}

/// Both bridges have what `boxstep_runtime/bridge.py` lists, and nothing that it does not list.
#[test]
fn both_hosts_have_the_whole_bridge() {
    if !has_python() {
        return;
    }
    let script = Temp::new("py");
    let text = "# main: 1\n\
        from boxstep_runtime import bridge as table\n\
        def main0():\n    \
            names = set(name for name in dir(bridge) if not name.startswith('_'))\n    \
            wanted = set(table.METHODS) | set(table.CLASSES)\n    \
            log(len(wanted), sorted(names ^ wanted))\n    \
            log(bridge.in_task(), bridge.ident())\n";
    fs::write(&script.0, text).unwrap();
    let told =
        ["--native", "--process"].map(|host| say(&["__selftest", host, "--virtual-time", script.arg()]).code(0).out);
    assert!(told[0].contains("info: 30 []\n"), "{}", told[0]);
    assert_eq!(told[0], told[1]);
}

/// One host makes the methods of outputs in Rust, the other in Python.
#[test]
fn a_wrong_call_of_an_output_is_the_same_error_in_both_hosts() {
    if !has_python() {
        return;
    }
    let body = "from boxstep_runtime.calling import takes, up_to\n\
        def fails(what):\n    \
            try:\n        what()\n    \
            except TypeError as error:\n        self.logger.info(str(error).replace('GeneratedClass.', ''))\n\
        go = self.onStopped\n\
        fails(lambda: go(1, 2))\nfails(lambda: go(q=1))\nfails(lambda: go(1, p=1))\n\
        self.logger.info('%s %s' % (go.__name__, takes(go)))\n\
        up_to(go, (1, 2, 3))\ngo(p=1)\nGeneratedClass.onStopped(self, 1)\ngo()";
    let folder = behavior("output-errors", body);
    let told = ["native", "process"].map(|host| {
        let trace = Temp::new("jsonl");
        let args = ["play", folder.to_str().unwrap(), "--scripts", host, "--virtual-time", "--trace", trace.arg()];
        let said = say(&args).code(0);
        let text = fs::read_to_string(&trace.0).unwrap();
        let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let of_box = |e: &Value| e["path"] == "root/Busy" && (e["kind"] == "log" || e["kind"] == "output");
        let told: Vec<String> = events.filter(of_box).map(|e| format!("{}{}", e["text"], e["port"])).collect();
        (told, said.out)
    });
    let (told, said) = (&told[0].0, &told[1]);
    assert_eq!(*told, said.0);
    let errors: Vec<&str> = told.iter().filter(|line| line.contains("onStopped()")).map(String::as_str).collect();
    assert_eq!(errors.len(), 3, "{told:?}\n{}", said.1);
    assert!(errors[0].contains("takes from 1 to 2 positional arguments but 3 were given"), "{errors:?}");
    assert_eq!(told.iter().filter(|line| line.contains("\"onStopped\"")).count(), 4, "{told:?}");
}

#[test]
fn python_2_itself_runs_what_nobody_can_translate() {
    let Some(python) = pythons::two() else { return };
    let body = "text = 'é'\nself.log('%d %s %s' % (len(text), 7 / 2, [] < 1))\nprint >>sys.stderr, type(self.boxName).__name__\n\
        self.log(sorted([1, 'a', None]))\nself.log(u'é'.encode('utf-8') == text)\nself.onStopped()";
    let (events, last, _) =
        play("two", body, 0, &["--virtual-time", "--must-end", "--python", python.to_str().unwrap()]);
    let told: Vec<&str> = events.iter().filter_map(|e| e["text"].as_str()).collect();
    assert_eq!(told, ["is ready", "2 3 False", "str", "[None, 1, 'a']", "True", "has unloaded"]);
    assert_eq!(last["deterministic"], true);
}

#[test]
fn python_2_gives_the_same_trace() {
    let Some(python) = pythons::two().filter(|_| has_python()) else { return };
    let fixtures = fs::read_dir(root().join("crates/boxstep/tests/conformance")).unwrap();
    let mut files: Vec<_> = fixtures.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "xar"));
    files.sort();
    // Words of the interpreter's own; the package `boxstep`, which is Python 3; scripts that go on by the wall clock.
    let apart = [
        "bare_on_unload",
        "syntax_error",
        "two_arguments",
        "script_objects",
        "busy_flag",
        "endless_in_c",
        "endless_loop",
    ];
    let all = files.len();
    files.retain(|path| !apart.contains(&path.file_stem().unwrap().to_str().unwrap()));
    assert_eq!(files.len() + apart.len(), all, "{files:?}");
    assert!(files.len() > 40, "{files:?}");
    let examples = ["hello", "loop-counter", "nested-parameters", "python2", "say-and-wait"];
    files.extend(examples.map(|name| root().join("examples").join(name)));
    let differences = files.iter().filter_map(|file| {
        let trace = |python: &str| {
            let trace = Temp::new("jsonl");
            let options = ["--virtual-time", "-q", "--scripts", "process", "--python", python, "--trace", trace.arg()];
            say(&[&["play", file.to_str().unwrap()], &options[..]].concat());
            fs::read_to_string(&trace.0).unwrap()
        };
        let difference = boxstep_record::diff(&trace("python3"), &trace(python.to_str().unwrap()))?;
        Some((file.file_stem().unwrap().to_str().unwrap(), difference.to_string()))
    });
    let differences: Vec<_> = differences.collect();
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn a_number_that_the_engine_cannot_have_is_the_scripts_error() {
    if !has_python() {
        return;
    }
    let body = "memory = ALProxy('ALMemory')\nfor call in (5000000000, 10 ** 30):\n    try:\n        memory.isRunning(call)\n    except OverflowError:\n        self.log('too large')\n    except RuntimeError:\n        self.log('refused')\nself.onStopped()";
    let told = |host: &str| {
        let trace = Temp::new("jsonl");
        let folder = behavior("numbers", body);
        let args = ["play", folder.to_str().unwrap(), "--virtual", "--scripts", host, "--trace", trace.arg()];
        say(&args).code(0);
        fs::read_to_string(&trace.0).unwrap()
    };
    let (native, process) = (told("native"), told("process"));
    assert_eq!(native.matches("too large").count() + native.matches("refused").count(), 2, "{native}");
    assert!(native.lines().skip(1).eq(process.lines().skip(1)), "{process}");
}
