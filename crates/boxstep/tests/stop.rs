//! One signal ends a run in real time, whatever its scripts do: onStop and onUnload first, then exit code 130.

#![cfg(unix)]
use crate::common::{has_python, say, xar};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// A behavior of one box that runs `body` when it starts.
fn behavior(name: &str, body: &str) -> std::path::PathBuf {
    let indented: String = body.lines().map(|line| format!("        {line}\n")).collect();
    let script = format!(
        "import re, threading, time\n\
         class MyClass(GeneratedClass):\n    \
             def onLoad(self):\n        self.run = True\n    \
             def onUnload(self):\n        self.log('has unloaded')\n    \
             def onInput_onStart(self):\n        self.log('is ready')\n{indented}    \
             def onInput_onStop(self):\n        self.log('is told')\n        self.run = False\n"
    );
    let ports = xar::ports() + &xar::input(3, "onStop", 3);
    let busy = xar::a_box(1, "Busy", &script, &ports, "");
    xar::written("stop", name, &xar::behavior(&ports, &xar::flow(&(busy + &xar::link((0, 2), (1, 2))))))
}

/// Where scripts run.
const HOSTS: [&str; 2] = ["native", "process"];

/// Plays until the box is ready, sends one signal, and gives what came after it.
fn stopped(name: &str, body: &str, host: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boxstep"))
        .args(["play", "--scripts", host])
        .arg(behavior(&format!("{name}-{host}"), body))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let before: Vec<_> = lines.by_ref().map_while(Result::ok).take_while(|line| !line.contains("is ready")).collect();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "{before:?}");
    let after: Vec<_> = lines.map_while(Result::ok).collect();
    let after = after.join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{after}");
    after
}

macro_rules! stops {
    ($($name:ident: $body:expr;)*) => {
        $(#[test]
        fn $name() {
            for host in HOSTS.iter().filter(|_| has_python()) {
                let after = stopped(stringify!($name), $body, host);
                assert!(after.contains("is told"), "{host}: {after}");
                assert!(after.contains("has unloaded"), "{host}: {after}");
            }
        })*
    };
}

stops! {
    a_flag: "while self.run:\n    time.sleep(0.1)";
    a_sleeper: "time.sleep(1000)";
    one_who_waits: "threading.Event().wait()";
    one_who_spins: "while True:\n    pass";
    one_who_swallows: "while True:\n    try:\n        time.sleep(1000)\n    except:\n        pass";
    a_thread_left_behind: "threading.Thread(target=time.sleep, args=(1000,)).start()";
}

/// The interpreter is its own; nobody's onStop can run, and the process ends all the same.
#[test]
fn one_who_never_lets_the_interpreter_go() {
    for host in HOSTS.iter().filter(|_| has_python()) {
        stopped("hog", "re.match(r'(a+)+$', 'a' * 60 + 'b')", host);
    }
}

/// On both clocks: they are never all asleep.
#[test]
fn threads_that_sleep_for_nothing_do_not_keep_a_run_from_its_end() {
    let body = "def look():\n    while True:\n        time.sleep(0)\n\
        for _ in range(3):\n    threading.Thread(target=look).start()\nself.log('is ready')";
    let folder = behavior("sleepless", body);
    for host in HOSTS.iter().filter(|_| has_python()) {
        for clock in [&["--virtual-time"][..], &[]] {
            let args = ["play", folder.to_str().unwrap(), "--for", "0.3", "--scripts", host];
            let said = say(&[&args[..], clock].concat()).code(0);
            assert!(said.out.contains("the time limit was reached"), "{host} {clock:?}: {}", said.out);
        }
    }
}
