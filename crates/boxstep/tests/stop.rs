//! One signal ends a run in real time, whatever its scripts do: onStop and onUnload first, then exit code 130.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
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
    let port = |kind: &str, name: &str, nature: u8, inner: u8, id: u8| {
        format!(
            r#"<{kind} name="{name}" type="1" type_size="1" nature="{nature}" inner="{inner}" tooltip="" id="{id}" />"#
        )
    };
    let ports = [
        port("Input", "onLoad", 1, 1, 1),
        port("Input", "onStart", 2, 0, 2),
        port("Input", "onStop", 3, 0, 3),
        port("Output", "onStopped", 1, 0, 4),
    ]
    .concat();
    let of_box = |name: &str, id: i8, script: &str, inside: &str| {
        format!(
            r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="0" y="0"><bitmap>b.png</bitmap><script language="4"><content><![CDATA[{script}]]></content></script>{ports}{inside}</Box>"#
        )
    };
    let link = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />"#;
    let inside = format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram scale="100">{}{link}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#,
        of_box("Busy", 1, &script, "")
    );
    let xar = format!(
        r#"<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{}</ChoregrapheProject>"#,
        of_box("root", -1, "", &inside)
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stop").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("behavior.xar"), xar).unwrap();
    folder
}

/// Where scripts run.
const HOSTS: [&str; 2] = ["native", "process"];

fn has_python() -> bool {
    let found = Command::new("python3").args(["-c", "pass"]).status().is_ok_and(|s| s.success());
    if !found {
        println!("skipped: there is no python3");
    }
    found
}

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
